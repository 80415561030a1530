#include "fuzz.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C"
#endif
    int
    LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SUITE(name) void suite_##name(void);
#include "suites.inc"
#undef SUITE

#define TARGET(name, suites) void fuzz_##name(test_rng *r);
#include "targets.h"
#undef TARGET

static const struct {
    const char *name, *suites;
    void (*run)(test_rng *r);
} targets[] = {
#define TARGET(name, suites) {#name, suites, fuzz_##name},
#include "targets.h"
#undef TARGET
};

/* A function for no suite at all, so that the table is never empty. */
static void no_suite(void) {
}

static const struct {
    const char *name;
    void (*run)(void);
} suites[] = {
    {"", no_suite},
#define SUITE(name) {#name, suite_##name},
#include "suites.inc"
#undef SUITE
};

enum {
    TARGETS = (int)(sizeof targets / sizeof targets[0]),
    SUITES = (int)(sizeof suites / sizeof suites[0]),
    CASES = 256,
    HEAD = 4, /* bytes that say what is run */
    NO_CASE = -1
};

static struct {
    const uint8_t *bytes;
    size_t size;
    uint64_t rest; /* what the numbers behind the last byte begin with */
    const char *suite, *name;
    int wanted, met; /* cases: the one to be run, and how many there were */
    uint64_t drawn;
} now;

/* ---- checks ---- */

static bool fail(const char *what, const char *file, int line, const char *format, ...) {
    va_list args;
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s/%s (level %d): %s", file, line, now.suite, now.name, test_isa_level, what);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n    with %s\n", test_noted);
    abort();
}

/* Of counters alone, as what a case has seen by its end: no call, no member. One round sees little. */
static bool is_tally(const char *what) {
    for (const char *p = what; *p; ++p) {
        if (*p == '.' || (p[0] == '-' && p[1] == '>')) return false;
        if (*p == '(' && p > what && (p[-1] == '_' || isalnum((unsigned char)p[-1]))) return false;
    }
    return true;
}

bool test_check(bool held, const char *what, const char *file, int line) {
    if (now.name[0] && is_tally(what)) return held; /* of a suite */
    return held || fail(what, file, line, ": does not hold");
}

bool test_check_int(long long got, long long want, const char *what, const char *file, int line) {
    return got == want || fail(what, file, line, ": got %lld, wanted %lld", got, want);
}

bool test_check_near(double got, double want, double margin, const char *what, const char *file, int line) {
    return got == want || fabs(got - want) <= margin ||
           fail(what, file, line, ": got %.17g (%a), wanted %.17g (%a) within %g", got, got, want, want,
                margin);
}

bool test_check_ulps(double got, double want, double units, double size, const char *what, const char *file,
                     int line) {
    return test_check_near(got, want, units * (double)CD_REAL_EPSILON * size, what, file, line);
}

void test_asked(const char *by, const char *call) {
    (void)by;
    (void)call;
}

void test_inputs_are(test_inputs inputs) {
    (void)inputs;
}

bool test_check_same(double got, double want, const char *what, const char *file, int line) {
    return got == want || (got != got && want != want) ||
           fail(what, file, line, ": got %.17g (%a), wanted %.17g (%a)", got, got, want, want);
}

bool test_check_vec(cd_vec3 got, cd_vec3 want, double margin, const char *what, const char *file, int line) {
    return test_check_near((double)got.x, (double)want.x, margin, what, file, line) &&
           test_check_near((double)got.y, (double)want.y, margin, what, file, line) &&
           test_check_near((double)got.z, (double)want.z, margin, what, file, line);
}

/* ---- notes ---- */

void fuzz_note(const char *name, const void *numbers, size_t bytes) {
    cd_real values[64];
    if (bytes > sizeof values) bytes = sizeof values;
    memcpy(values, numbers, bytes);
    test_note_reals(name, values, (int)(bytes / sizeof(cd_real)));
}

/* ---- numbers from the bytes ----
 *
 * A state below the number of bytes is a place in them, and a draw takes as many as it needs; others are random. */

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t draw(test_rng *r, size_t bytes) {
    uint64_t x = 0;
    ++now.drawn;
    if (r->state >= now.size) {
        if (r->state < now.size + 8)
            r->state = now.size; /* however far the last draw reached beyond the end */
        r->state += 0x9E3779B97F4A7C15u;
        if (r->state < now.size + 8) r->state += 0x9E3779B97F4A7C15u;
        return mixed(r->state ^ now.rest);
    }
    for (size_t i = 0; i < bytes; ++i)
        if (r->state + i < now.size) x |= (uint64_t)now.bytes[r->state + i] << (8 * i);
    r->state += bytes;
    return x;
}

test_rng test_random(void) {
    test_rng r;
    r.state = HEAD;
    return r;
}

uint64_t test_next(test_rng *r) {
    return draw(r, 8);
}

double test_unit(test_rng *r) {
    return (double)(draw(r, 7) & 0x1FFFFFFFFFFFFFu) * (1.0 / 9007199254740992.0);
}

double test_range(test_rng *r, double lo, double hi) {
    return lo + (hi - lo) * test_unit(r);
}

int test_int(test_rng *r, int lo, int hi) {
    uint64_t count = (uint64_t)(hi - lo) + 1;
    return lo + (int)(draw(r, count <= 256 ? 1 : count <= 65536 ? 2 : 8) % count);
}

const uint8_t *fuzz_bytes(size_t *count) {
    *count = now.size;
    return now.bytes;
}

/* ---- cases of suites ---- */

long test_times(long n) {
    return n > 0 ? 1 : 0;
}

bool test_is_small(void) {
    return true;
}

bool test_is_tiny(void) {
    return true;
}

void test_skip(const char *why) {
    (void)why;
}

bool test_begin(const char *name) {
    if (now.met++ != now.wanted) return false;
    now.name = name;
    return true;
}

bool test_end(void) {
    return false;
}

/* The suites of the target, of those that are linked. */
static int listed[SUITES + 1], listed_count;

static void list_suites(const char *names) {
    char wanted[100];
    for (int i = 1; i < SUITES; ++i) {
        snprintf(wanted, sizeof wanted, " %s ", suites[i].name);
        if (strstr(names, wanted)) listed[listed_count++] = i;
    }
}

/* One case, once. Left out are cases without random numbers, and those that took more than a fifth of a second. */
static void run_case(test_rng *r) {
    static int counts[SUITES + 1];
    static bool is_known[SUITES + 1], left_out[SUITES + 1][CASES];
    int suite = listed[test_int(r, 0, 255) % listed_count], which;
    clock_t begun = clock();
    now.suite = suites[suite].name;
    if (!is_known[suite]) {
        now.wanted = NO_CASE;
        now.met = 0;
        suites[suite].run();
        counts[suite] = now.met < CASES ? now.met : CASES;
        is_known[suite] = true;
    }
    which = test_int(r, 0, 255) % (counts[suite] ? counts[suite] : 1);
    if (left_out[suite][which]) return;
    now.wanted = which;
    now.met = 0;
    now.drawn = 0;
    suites[suite].run();
    left_out[suite][which] = now.drawn == 0 || clock() - begun > CLOCKS_PER_SEC / 5;
}

/* By FUZZ_TARGET; else the first. */
static int find_target(void) {
    const char *name = getenv("FUZZ_TARGET");
    for (int i = 0; name && i < TARGETS; ++i) {
        if (strcmp(targets[i].name, name)) continue;
        list_suites(targets[i].suites);
        return i;
    }
    fprintf(stderr, "FUZZ_TARGET has to be one of:");
    for (int i = 0; i < TARGETS; ++i) fprintf(stderr, " %s", targets[i].name);
    fprintf(stderr, "\n");
    exit(2);
}

/* The first byte says which instances of kernels, the second whether it is a case of a suite. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int target = -1;
    test_rng r;
    if (target < 0) target = find_target();
    now.bytes = data;
    now.size = size;
    now.rest = 0;
    for (size_t i = 0; i < size && i < 16; ++i) now.rest = (now.rest ^ data[i]) * 1099511628211u;
    now.suite = targets[target].name;
    now.name = "";
    test_noted[0] = 0;
    r.state = 0;
    test_isa_level = test_int(&r, 0, 2);
    if (test_int(&r, 0, 255) % 3 == 2 && listed_count)
        run_case(&r);
    else
        targets[target].run(&r);
    return 0;
}

/* ---- numbers ---- */

#ifdef COLLIDE_DOUBLE
enum { DOMAIN_END = 200, ROOM = 190 };
#else
enum { DOMAIN_END = 56, ROOM = 50 };
#endif

fuzz fuzz_begin(test_rng *r, fuzz_mood most) {
    fuzz f;
    memset(&f, 0, sizeof f);
    f.rng = r;
    f.mood = (fuzz_mood)test_int(r, 0, (int)most);
    f.scale = f.mood == FUZZ_SCALED ? ldexp(1, test_int(r, -ROOM, ROOM)) : 1;
    f.place = f.mood == FUZZ_FAR ? ldexp(1, test_int(r, 0, sizeof(cd_real) == 4 ? 24 : 53)) : 0;
    f.finite = f.tame = true;
    return f;
}

static cd_real of_bits(test_rng *r) {
    cd_real x;
    uint64_t bits = draw(r, sizeof x);
    uint32_t half = (uint32_t)bits;
    if (sizeof x == sizeof half)
        memcpy(&x, &half, sizeof x);
    else
        memcpy(&x, &bits, sizeof x);
    return x;
}

static cd_real of_mood(fuzz *f, fuzz_mood mood) {
    double x;
    cd_real bits;
    switch (mood) {
    case FUZZ_WHOLE: return (cd_real)test_int(f->rng, -3, 3);
    case FUZZ_NICE: return (cd_real)(test_int(f->rng, -32, 31) / 16.0);
    case FUZZ_EVEN: return (cd_real)(test_range(f->rng, -2, 2));
    case FUZZ_ULP: return gen_near(f->rng, of_mood(f, (fuzz_mood)test_int(f->rng, FUZZ_WHOLE, FUZZ_NICE)));
    case FUZZ_SCALED:
    case FUZZ_FAR:
        x = (double)of_mood(f, (fuzz_mood)test_int(f->rng, FUZZ_WHOLE, FUZZ_ULP));
        return (cd_real)(x * f->scale + f->place);
    case FUZZ_MIXED: return of_mood(f, (fuzz_mood)test_int(f->rng, FUZZ_WHOLE, FUZZ_ULP));
    case FUZZ_WIDE: x = test_range(f->rng, -2, 2); return (cd_real)ldexp(x, test_int(f->rng, -ROOM, ROOM));
    case FUZZ_FINITE:
        if (test_int(f->rng, 0, 2)) return gen_any_real(f->rng);
        return of_mood(f, (fuzz_mood)test_int(f->rng, FUZZ_WHOLE, FUZZ_WIDE));
    default:
        if (test_int(f->rng, 0, 3)) return of_mood(f, (fuzz_mood)test_int(f->rng, FUZZ_WHOLE, FUZZ_FINITE));
        bits = of_bits(f->rng);
        return test_int(f->rng, 0, 7) ? bits
                                      : (cd_real)gen_bad_numbers[test_int(f->rng, 0, gen_bad_count - 1)];
    }
}

cd_real fuzz_real(fuzz *f) {
    int how = test_int(f->rng, 0, 15);
    cd_real x = f->last[how & 7];
    if (how >= 7 || how >= f->count)
        x = of_mood(f, f->mood);
    else if (how == 5)
        x = -x;
    else if (how == 6)
        x = gen_near(f->rng, x);
    f->last[f->count++ & 7] = x;
    f->finite = f->finite && isfinite((double)x);
    f->tame =
        f->tame &&
        (x == 0 || (fabs((double)x) <= ldexp(1, DOMAIN_END) && fabs((double)x) >= ldexp(1, -DOMAIN_END)));
    return x;
}

cd_real fuzz_length(fuzz *f) {
    cd_real x = fuzz_real(f);
    return x < 0 ? -x : x;
}

cd_vec2 fuzz_vec2(fuzz *f) {
    cd_vec2 v;
    v.x = fuzz_real(f);
    v.y = fuzz_real(f);
    return v;
}

cd_vec3 fuzz_vec(fuzz *f) {
    cd_vec3 v;
    v.x = fuzz_real(f);
    v.y = fuzz_real(f);
    v.z = fuzz_real(f);
    return v;
}

cd_quat fuzz_quat(fuzz *f) {
    cd_quat q = cd_quat_identity();
    int how = test_int(f->rng, 0, 3);
    if (how == 0) return q;
    if (f->mood == FUZZ_BITS && how == 1) {
        q.x = fuzz_real(f);
        q.y = fuzz_real(f);
        q.z = fuzz_real(f);
        q.w = fuzz_real(f);
        return q;
    }
    if (how == 2) return gen_quat(f->rng);
    q.x = (cd_real)test_int(f->rng, -2, 2);
    q.y = (cd_real)test_int(f->rng, -2, 2);
    q.z = (cd_real)test_int(f->rng, -2, 2);
    q.w = (cd_real)test_int(f->rng, 1, 2);
    return cd_quat_normalize(q);
}

cd_transform fuzz_pose(fuzz *f) {
    cd_transform t;
    t.rotation = fuzz_quat(f);
    t.position = fuzz_vec(f);
    return t;
}

cd_triangle fuzz_triangle(fuzz *f) {
    cd_triangle t;
    t.a = fuzz_vec(f);
    t.b = fuzz_vec(f);
    t.c = fuzz_vec(f);
    return t;
}

cd_segment fuzz_segment(fuzz *f) {
    cd_segment s;
    s.a = fuzz_vec(f);
    s.b = fuzz_vec(f);
    return s;
}

cd_ray fuzz_ray(fuzz *f) {
    cd_ray r;
    r.origin = fuzz_vec(f);
    r.dir = fuzz_vec(f);
    return r;
}

cd_aabb fuzz_aabb(fuzz *f) {
    cd_vec3 a = fuzz_vec(f), b = fuzz_vec(f);
    cd_aabb box;
    box.min = cd_vec3_min(a, b);
    box.max = cd_vec3_max(a, b);
    return box;
}

cd_obb fuzz_obb(fuzz *f) {
    cd_obb b;
    cd_quat q = fuzz_quat(f);
    b.center = fuzz_vec(f);
    b.axes = cd_quat_to_mat3(q);
    b.half.x = fuzz_length(f);
    b.half.y = fuzz_length(f);
    b.half.z = fuzz_length(f);
    return b;
}

cd_sphere fuzz_sphere(fuzz *f) {
    cd_sphere s;
    s.center = fuzz_vec(f);
    s.radius = fuzz_length(f);
    return s;
}

cd_capsule fuzz_capsule(fuzz *f) {
    cd_capsule c;
    c.a = fuzz_vec(f);
    c.b = fuzz_vec(f);
    c.radius = fuzz_length(f);
    return c;
}

cd_plane fuzz_plane(fuzz *f) {
    cd_plane p;
    p.n = fuzz_vec(f);
    p.d = fuzz_real(f);
    return p;
}

void fuzz_points(fuzz *f, cd_vec3 *out, int count) {
    for (int i = 0; i < count; ++i) {
        cd_vec3 p = fuzz_vec(f);
        out[i] = p;
    }
}

/* ---- meshes and volumes ---- */

void fuzz_draw_mesh(fuzz *f, fuzz_mesh *out, int most) {
    bool shared = test_int(f->rng, 0, 1) == 1;
    out->count = (uint32_t)test_int(f->rng, 1, most);
    out->point_count = shared ? (uint32_t)test_int(f->rng, 3, 20) : 3 * out->count;
    fuzz_points(f, out->points, (int)out->point_count);
    for (uint32_t i = 0; i < 3 * out->count; ++i)
        out->indices[i] = shared ? (uint32_t)test_int(f->rng, 0, (int)out->point_count - 1) : i;
    test_note_reals("points", &out->points[0].x, (int)(3 * out->point_count));
}

cd_mesh_view fuzz_view(const fuzz_mesh *m) {
    return cd_mesh_view_make(m->points, m->point_count, m->indices, m->count);
}

cd_triangle fuzz_triangle_of(const fuzz_mesh *m, uint32_t i) {
    cd_triangle t;
    t.a = m->points[m->indices[3 * i]];
    t.b = m->points[m->indices[3 * i + 1]];
    t.c = m->points[m->indices[3 * i + 2]];
    return t;
}

void fuzz_options(fuzz *f, cd_bvh_options *out) {
    memset(out, 0, sizeof *out);
    out->flags = CD_BVH_SKIP_INVALID | (uint32_t)(test_int(f->rng, 0, 1) ? CD_BVH_INDEXED : 0);
    out->leaf_size = (uint32_t)test_int(f->rng, 0, 9);
    out->method = (uint32_t)test_int(f->rng, 0, CD_BVH_INSERTED);
    out->layout = (uint32_t)test_int(f->rng, 0, CD_BVH_COMPACT);
    out->axis = (uint32_t)test_int(f->rng, 0, CD_BVH_AXIS_FARTHEST);
    out->optimise = (uint32_t)test_int(f->rng, 0, 5) / 4;
}

cd_bvh_volume fuzz_volume(fuzz *f, cd_plane planes[6]) {
    cd_capsule c;
    cd_obb b;
    cd_triangle t;
    switch (test_int(f->rng, 0, 5)) {
    case 0: return cd_bvh_volume_aabb(fuzz_aabb(f));
    case 1: return cd_bvh_volume_sphere(fuzz_sphere(f));
    case 2: c = fuzz_capsule(f); return cd_bvh_volume_capsule(&c);
    case 3: b = fuzz_obb(f); return cd_bvh_volume_obb(&b);
    case 4: t = fuzz_triangle(f); return cd_bvh_volume_triangle(&t);
    default:
        for (int i = 0; i < 6; ++i) {
            cd_plane p = fuzz_plane(f);
            planes[i] = p;
        }
        return cd_bvh_volume_planes(planes, (uint32_t)test_int(f->rng, 1, 6));
    }
}

/* ---- checks of numbers ---- */

bool fuzz_finite(const void *numbers, size_t bytes) {
    for (size_t i = 0; i + sizeof(cd_real) <= bytes; i += sizeof(cd_real)) {
        cd_real x;
        memcpy(&x, (const char *)numbers + i, sizeof x);
        if (!isfinite((double)x)) return false;
    }
    return true;
}

bool fuzz_has_nan(const void *numbers, size_t bytes) {
    for (size_t i = 0; i + sizeof(cd_real) <= bytes; i += sizeof(cd_real)) {
        cd_real x;
        memcpy(&x, (const char *)numbers + i, sizeof x);
        if (x != x) return true;
    }
    return false;
}

bool fuzz_same(const void *a, const void *b, size_t bytes) {
    for (size_t i = 0; i + sizeof(cd_real) <= bytes; i += sizeof(cd_real)) {
        cd_real x, y;
        memcpy(&x, (const char *)a + i, sizeof x);
        memcpy(&y, (const char *)b + i, sizeof y);
        if (x != y && (x == x || y == y)) return false;
    }
    return true;
}
