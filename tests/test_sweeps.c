/* What moves straight, all pairs alike: the reference, the swapped pair, static tests along the way, the options; and the real
 * cases. What is special to a pair is in the suite of its module. */
#include "cases.h"
#include "gen.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* ---- things ---- */

enum { SPHERE, CAPSULE, AABB, OBB, MOVERS, TRIANGLE = MOVERS, POLYGON, KINDS };

typedef struct thing {
    int kind, count;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_aabb aabb;
    cd_obb obb;
    cd_triangle triangle;
    cd_vec3 polygon[8];
    sweep_body body;
} thing;

static void take_body(thing *x) {
    switch (x->kind) {
    case SPHERE: x->body = sweep_of_sphere(x->sphere); break;
    case CAPSULE: x->body = sweep_of_capsule(&x->capsule); break;
    case AABB: x->body = sweep_of_aabb(x->aabb); break;
    case OBB: x->body = sweep_of_obb(&x->obb); break;
    case TRIANGLE: x->body = sweep_of_triangle(&x->triangle); break;
    default: x->body = sweep_of_polygon(x->polygon, x->count);
    }
}

static void note(const char *name, const thing *x) {
    cd_sphere sphere = x->sphere;
    cd_capsule capsule = x->capsule;
    cd_aabb aabb = x->aabb;
    cd_obb obb = x->obb;
    cd_triangle triangle = x->triangle;
    if (x->kind == SPHERE) test_note_reals(name, REALS(sphere), 4);
    if (x->kind == CAPSULE) test_note_reals(name, REALS(capsule), 7);
    if (x->kind == AABB) test_note_reals(name, REALS(aabb), 6);
    if (x->kind == OBB) test_note_reals(name, REALS(obb), 15);
    if (x->kind == TRIANGLE) test_note_reals(name, REALS(triangle), 9);
    if (x->kind == POLYGON) test_note_reals(name, &x->polygon[0].x, 3 * x->count);
}

/* A rectangle across an axis, or a corner or two cut off it. */
static void draw_polygon(gen *g, thing *x) {
    cd_vec3 at = gen_point(g);
    cd_real w = gen_length(g), h = gen_length(g);
    int axis = test_int(g->rng, 0, 2), u = (axis + 1) % 3, v = (axis + 2) % 3;
    x->count = 4 + test_int(g->rng, 0, 2);
    for (int i = 0; i < x->count; ++i) {
        static const int shape[6][2] = {{-2, -2}, {2, -2}, {2, 1}, {-2, 2}, {-3, 1}, {-3, 0}};
        x->polygon[i] = at;
        REALS(x->polygon[i])[u] += w * (cd_real)shape[i][0];
        REALS(x->polygon[i])[v] += h * (cd_real)shape[i][1];
    }
}

static thing draw(gen *g, int kind) {
    thing x;
    memset(&x, 0, sizeof x);
    x.kind = kind;
    if (kind == SPHERE) x.sphere = gen_sphere(g);
    if (kind == AABB) x.aabb = gen_aabb(g);
    if (kind == OBB) x.obb = gen_obb(g);
    if (kind == TRIANGLE) x.triangle = gen_triangle(g);
    if (kind == POLYGON) draw_polygon(g, &x);
    if (kind == CAPSULE) {
        x.capsule.a = gen_point(g);
        x.capsule.b = test_int(g->rng, 0, 9) ? gen_point(g) : x.capsule.a;
        x.capsule.radius = test_int(g->rng, 0, 9) ? gen_length(g) : 0;
    }
    take_body(&x);
    return x;
}

/* The target ten times to ten thousand times as large. */
static void grow(thing *x, cd_real by) {
    x->sphere.radius *= by;
    x->capsule.a = cd_vec3_scale(x->capsule.a, by);
    x->capsule.b = cd_vec3_scale(x->capsule.b, by);
    for (int k = 0; k < 3; ++k) {
        REALS(x->aabb.min)[k] *= by;
        REALS(x->aabb.max)[k] *= by;
    }
    x->obb.half = cd_vec3_scale(x->obb.half, by);
    for (int k = 0; k < 9; ++k) REALS(x->triangle)[k] *= by;
    for (int i = 0; i < x->count; ++i) x->polygon[i] = cd_vec3_scale(x->polygon[i], by);
    take_body(x);
}

/* ---- all pairs ---- */

typedef bool sweep_fn(const thing *a, cd_vec3 motion, const thing *b, const cd_cast_options *o, cd_hit *hit);
typedef bool meet_fn(const thing *a, const thing *b);

#define GIVE_sphere(x)   (x)->sphere
#define GIVE_capsule(x)  &(x)->capsule
#define GIVE_aabb(x)     (x)->aabb
#define GIVE_obb(x)      &(x)->obb
#define GIVE_triangle(x) &(x)->triangle
#define GIVE_polygon(x)  (x)->polygon, (size_t)(x)->count

static const char *judged_by = "judge";

#define PAIR(a, b)                                                                                           \
    static bool a##_##b(const thing *x, cd_vec3 motion, const thing *y, const cd_cast_options *o,            \
                        cd_hit *hit) {                                                                       \
        return ASK(judged_by, cd_sweep_##a##_##b(GIVE_##a(x), motion, GIVE_##b(y), o, hit));                 \
    }
#define PAIRS(a)                                                                                             \
    PAIR(a, sphere) PAIR(a, capsule) PAIR(a, aabb) PAIR(a, obb) PAIR(a, triangle) PAIR(a, polygon)
PAIRS(sphere)
PAIRS(capsule)
PAIRS(aabb)
PAIRS(obb)

#define ROW(a)                                                                                               \
    { a##_sphere, a##_capsule, a##_aabb, a##_obb, a##_triangle, a##_polygon }
static sweep_fn *const sweep_of[MOVERS][KINDS] = {ROW(sphere), ROW(capsule), ROW(aabb), ROW(obb)};

/* Where the static test of two is called the other way round, the table has it under the other pair. */
#define MEET(a, b)                                                                                           \
    static bool meet_##a##_##b(const thing *x, const thing *y) {                                             \
        return cd_test_##a##_##b(GIVE_##a(x), GIVE_##b(y));                                                  \
    }
MEET(sphere, sphere)
MEET(sphere, capsule)
MEET(sphere, aabb)
MEET(sphere, obb)
MEET(sphere, triangle)
MEET(sphere, polygon)
MEET(capsule, capsule)
MEET(capsule, aabb)
MEET(capsule, obb)
MEET(capsule, triangle)
MEET(polygon, capsule)
MEET(aabb, aabb)
MEET(obb, aabb)
MEET(triangle, aabb)
MEET(polygon, aabb)
MEET(obb, obb)
MEET(triangle, obb)
MEET(polygon, obb)

static meet_fn *const meet_of[KINDS][KINDS] = {
    {meet_sphere_sphere, meet_sphere_capsule, meet_sphere_aabb, meet_sphere_obb, meet_sphere_triangle,
     meet_sphere_polygon},
    {NULL, meet_capsule_capsule, meet_capsule_aabb, meet_capsule_obb, meet_capsule_triangle, NULL},
    {NULL, NULL, meet_aabb_aabb, NULL, NULL, NULL},
    {NULL, NULL, meet_obb_aabb, meet_obb_obb, NULL, NULL},
    {NULL, NULL, meet_triangle_aabb, meet_triangle_obb, NULL, NULL},
    {NULL, meet_polygon_capsule, meet_polygon_aabb, meet_polygon_obb, NULL, NULL}};

static bool things_meet(const thing *a, const thing *b) {
    meet_fn *direct = meet_of[a->kind][b->kind];
    return direct ? direct(a, b) : meet_of[b->kind][a->kind](b, a);
}

static bool sweep(const thing *a, cd_vec3 motion, const thing *b, const cd_cast_options *o, cd_hit *hit) {
    memset(hit, 0, sizeof *hit);
    return sweep_of[a->kind][b->kind](a, motion, b, o, hit);
}

typedef struct scene {
    thing a, b;
    cd_vec3 motion;
} scene;

static void note_scene(const scene *s) {
    cd_vec3 motion = s->motion;
    test_note("%d moves to %d ", s->a.kind, s->b.kind);
    note("a", &s->a);
    test_note_reals("motion", REALS(motion), 3);
    note("b", &s->b);
}

static scene draw_scene(test_rng *rng, gen_kind kind) {
    gen g = gen_begin(rng, kind);
    scene s;
    s.a = draw(&g, test_int(rng, 0, MOVERS - 1));
    s.b = draw(&g, test_int(rng, 0, KINDS - 1));
    s.motion = gen_direction(&g);
    if (!test_int(rng, 0, 29)) s.motion = cd_vec3_make(0, 0, 0);
    note_scene(&s);
    return s;
}

static cd_vec3 reversed(cd_vec3 v) {
    return cd_vec3_make(-v.x, -v.y, -v.z);
}

/* ---- against the reference, both ways round ---- */

static bool judge(const scene *s) {
    cd_hit hit;
    bool got = sweep(&s->a, s->motion, &s->b, NULL, &hit);
    sweep_judge(&s->a.body, s->motion, &s->b.body, got, &hit);
    return got;
}

static void judge_both_ways(scene *s, long *hits, long *misses) {
    bool got = judge(s);
    *(got ? hits : misses) += 1;
    if (s->b.kind >= MOVERS) return;
    thing a = s->a;
    s->a = s->b;
    s->b = a;
    s->motion = reversed(s->motion);
    note_scene(s);
    judge(s);
}

static void all_pairs(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0;
    for (long i = test_times(12000); i > 0; --i) {
        scene s = draw_scene(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        judge_both_ways(&s, &hits, &misses);
    }
    CHECK_SEEN(hits > 0 && misses > 0);
}

/* A target a thousand times larger is met as sharply. */
static void large_targets(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0;
    for (long i = test_times(4000); i > 0; --i) {
        scene s = draw_scene(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        grow(&s.b, (cd_real)pow(10, test_int(&rng, 0, 4)));
        s.motion = cd_vec3_scale(s.motion, (cd_real)pow(10, test_int(&rng, 0, 4)));
        note_scene(&s);
        judge_both_ways(&s, &hits, &misses);
    }
    CHECK_SEEN(hits > 0 && misses > 0);
}

/* ---- against what is at rest ---- */

static void shift(cd_vec3 *p, int count, cd_vec3 motion, cd_real t) {
    for (int i = 0; i < count; ++i) p[i] = cd_vec3_along(p[i], motion, t);
}

static thing moved(const thing *x, cd_vec3 motion, cd_real t) {
    thing y = *x;
    shift(&y.sphere.center, 1, motion, t);
    shift(&y.capsule.a, 2, motion, t);
    shift(&y.aabb.min, 2, motion, t);
    shift(&y.obb.center, 1, motion, t);
    return y;
}

/* Whole numbers, and times that divide them: where they overlap is exact. Turned boxes have rounding in their axes. */
static void no_sample_overlaps_before(void) {
    test_rng rng = test_random();
    long seen = 0;
    for (long i = test_times(1500); i > 0; --i) {
        scene s = draw_scene(&rng, GEN_GRID);
        cd_hit hit;
        bool got = sweep(&s.a, s.motion, &s.b, NULL, &hit);
        if (s.a.kind == OBB || s.b.kind == OBB) continue;
        for (int k = 0; k < 40; ++k) {
            cd_real t = (cd_real)test_int(&rng, 0, 1024) / 1024;
            thing a = moved(&s.a, s.motion, t);
            if ((got && t >= hit.t) || !things_meet(&a, &s.b)) continue;
            CHECK(!"an overlap before the first contact");
        }
        if (got && hit.t > 0) ++seen;
    }
    CHECK_SEEN(seen > 0);
}

/* ---- options ---- */

static void same_hit(bool got, const cd_hit *hit, bool want, const cd_hit *wanted) {
    CHECK_INT(got, want);
    if (got && want) CHECK_SAME(hit->t, wanted->t);
    if (got && want) CHECK_VEC(hit->normal, wanted->normal, 0);
}

static void check_depth(const scene *s, const cd_hit *plain) {
    cd_cast_options o = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
    cd_hit hit;
    double motion[3], slop, by, apart[3];
    CHECK(sweep(&s->a, s->motion, &s->b, &o, &hit));
    CHECK((hit.flags & CD_HIT_START) && (plain->flags & CD_HIT_START));
    CHECK(hit.depth >= 0);
    to_doubles(&s->motion.x, motion, 3);
    slop = 2 * sweep_excess(&s->a.body, motion, &s->b.body);
    for (int i = 0; i < s->a.body.count; ++i) slop = fmax(slop, 8 * EPS * largest(s->a.body.corner[i], 3));
    for (int i = 0; i < s->b.body.count; ++i) slop = fmax(slop, 8 * EPS * largest(s->b.body.corner[i], 3));
    slop = fmax(slop, 8 * EPS * (s->a.body.radius + s->b.body.radius + (double)hit.depth));
    by = (double)hit.depth + slop;
    apart[0] = by * (double)hit.normal.x;
    apart[1] = by * (double)hit.normal.y;
    apart[2] = by * (double)hit.normal.z;
    CHECK(sweep_distance(&s->a.body, apart, &s->b.body) > 0);
    if (s->b.kind != POLYGON) CHECK(sweep_distance(&s->a.body, apart, &s->b.body) <= 3 * slop);
}

static void check_leaving(const scene *s) {
    cd_cast_options o = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0},
                    leaving = {CD_CAST_START_LEAVING, 0, NULL, NULL, 0};
    cd_hit hit, other;
    bool got;
    double along, size;
    CHECK(sweep(&s->a, s->motion, &s->b, &o, &hit));
    got = sweep(&s->a, s->motion, &s->b, &leaving, &other);
    along = (double)cd_vec3_dot(hit.normal, s->motion);
    size = 8 * EPS * (double)cd_vec3_length(s->motion);
    if (fabs(along) > size) CHECK_INT(got, along < 0);
}

static void check_start(const scene *s, bool got, const cd_hit *hit) {
    cd_cast_options ignore = {CD_CAST_START_IGNORE, 0, NULL, NULL, 0},
                    leaving = {CD_CAST_START_LEAVING, 0, NULL, NULL, 0};
    cd_hit other;
    bool start = got && (hit->flags & CD_HIT_START) != 0, still;
    still = sweep(&s->a, s->motion, &s->b, &ignore, &other);
    same_hit(still, &other, got && !start, hit);
    still = sweep(&s->a, s->motion, &s->b, &leaving, &other);
    if (!start) same_hit(still, &other, got, hit);
    if (!start) return;
    check_depth(s, hit);
    check_leaving(s);
}

/* Solids have no back; of what has two sides, one option passes through the front, and the other one through the back. */
static void check_sides(const scene *s, bool got, const cd_hit *hit) {
    cd_cast_options front = {CD_CAST_CULL_FRONT, 0, NULL, NULL, 0},
                    back = {CD_CAST_CULL_BACK, 0, NULL, NULL, 0};
    bool is_back = got && (hit->flags & CD_HIT_BACK) != 0;
    cd_hit other;
    if (s->b.kind < MOVERS) CHECK(!is_back);
    bool still = sweep(&s->a, s->motion, &s->b, &front, &other);
    same_hit(still, &other, is_back, hit);
    still = sweep(&s->a, s->motion, &s->b, &back, &other);
    same_hit(still, &other, got && !is_back, hit);
}

static void check_late_start(const scene *s, bool got, const cd_hit *hit) {
    cd_cast_options o = {0, (cd_real)0.5, NULL, NULL, 0};
    cd_hit other;
    bool still = sweep(&s->a, s->motion, &s->b, &o, &other);
    if (!got) CHECK(!still);
    if (still) CHECK(other.t >= o.t_min && other.t <= 1);
    if (got && hit->t > o.t_min + 1e-3) CHECK(still && fabs((double)(other.t - hit->t)) < 1e-3);
}

static void options(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        scene s = draw_scene(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_hit hit, same;
        bool got = sweep(&s.a, s.motion, &s.b, NULL, &hit);
        cd_cast_options none = {0, 0, NULL, NULL, 0};
        same_hit(sweep(&s.a, s.motion, &s.b, &none, &same), &same, got, &hit);
        CHECK_INT(sweep_of[s.a.kind][s.b.kind](&s.a, s.motion, &s.b, NULL, NULL), got);
        check_start(&s, got, &hit);
        check_sides(&s, got, &hit);
        check_late_start(&s, got, &hit);
    }
}

/* ---- the real cases ---- */

static cd_vec3 rounded(const double p[3]) {
    return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
}

static void read_box(const json *shape, thing *x) {
    double at[3], half[3], axes[9];
    json_reals(json_get(shape, "center"), at, 3);
    json_reals(json_get(shape, "half"), half, 3);
    json_reals(json_get(shape, "axes"), axes, 9);
    x->kind = OBB;
    x->obb.center = rounded(at);
    x->obb.half = rounded(half);
    for (int k = 0; k < 3; ++k) x->obb.axes.col[k] = rounded(axes + 3 * k);
}

/* A hull of 2, 3, 4 corners: a capsule without radius, a triangle, a polygon. */
static void read_hull(const json *shape, thing *x) {
    double p[24];
    x->count = json_reals(json_get(shape, "points"), p, 24) / 3;
    for (int i = 0; i < x->count; ++i) x->polygon[i] = rounded(p + 3 * i);
    x->kind = x->count == 2 ? CAPSULE : x->count == 3 ? TRIANGLE : POLYGON;
    x->capsule.a = x->triangle.a = x->polygon[0];
    x->capsule.b = x->triangle.b = x->polygon[1];
    x->triangle.c = x->polygon[2];
}

static thing read_thing(const json *shape) {
    double p[3];
    thing x;
    memset(&x, 0, sizeof x);
    if (json_is(shape, "type", "box")) {
        read_box(shape, &x);
    } else if (json_is(shape, "type", "hull")) {
        read_hull(shape, &x);
    } else {
        json_reals(json_get(shape, "center"), p, 3);
        x.kind = SPHERE;
        x.sphere.center = rounded(p);
        x.sphere.radius = (cd_real)json_real(shape, "radius");
    }
    take_body(&x);
    return x;
}

/* The box about it, which it is itself where it is a rectangle along the axes; nothing else moves among flat things. */
static void make_mover(thing *x) {
    x->aabb.min = x->aabb.max = x->polygon[0];
    for (int i = 0; i < x->count; ++i) {
        x->aabb.min = cd_vec3_min(x->aabb.min, x->polygon[i]);
        x->aabb.max = cd_vec3_max(x->aabb.max, x->polygon[i]);
    }
    x->kind = AABB;
    take_body(x);
}

static long cases_swept;

/* The motion lasts until t_max; what cannot move is met by the other one, coming towards it. */
static void check_case(const json *one, const json *expected) {
    double v[3], margin, toi = json_real(expected, "toi"), t_max = json_real(json_get(one, "input"), "t_max");
    scene s;
    cd_hit hit;
    bool got;
    if (!cases_is(one, "convex_sweep_toi")) return;
    s.a = read_thing(json_get(json_get(one, "input"), "a"));
    s.b = read_thing(json_get(json_get(one, "input"), "b"));
    CHECK_INT(cases_doubles(one, "velocity_a", v, 3), 3);
    for (int k = 0; k < 3; ++k) v[k] *= t_max;
    s.motion = rounded(v);
    if (s.a.kind >= MOVERS && s.b.kind < MOVERS) {
        thing a = s.a;
        s.a = s.b;
        s.b = a;
        s.motion = reversed(s.motion);
    }
    if (s.a.kind >= MOVERS) make_mover(&s.a);
    judged_by = cases_family();
    got = sweep(&s.a, s.motion, &s.b, NULL, &hit);
    judged_by = "judge";
    CHECK_INT(got, json_true(expected, "hit"));
    margin = 2 * t_max * sweep_excess(&s.a.body, v, &s.b.body) / fmax(largest(v, 3), 1e-300);
    if (got) CHECK_NEAR((double)hit.t * t_max, toi, 2 * EPS * toi + margin);
    if (got) CHECK((double)hit.t * t_max <= toi);
    judge(&s);
    ++cases_swept;
}

static void real_cases(void) {
    cases_swept = 0;
    cases_each("toi_sweep", check_case);
    CHECK(cases_swept == 0 || cases_swept >= 9); /* none where the files are not at hand */
}

void suite_sweeps(void) {
    RUN(all_pairs);
    RUN(large_targets);
    RUN(no_sample_overlaps_before);
    RUN(options);
    RUN(real_cases);
}
