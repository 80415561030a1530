/* Any two shapes: drawn as the suites draw them, and judged by their references; or of any numbers, and checked by what must hold of any. */
#include "any_things.h"
#include "fuzz.h"
#include <math.h>
#include <string.h>

/* ---- judged ---- */

static void judge(test_rng *r) {
    static const gen_kind kinds[8] = {GEN_UNIT, GEN_UNIT, GEN_UNIT,  GEN_GRID,
                                      GEN_GRID, GEN_ULP,  GEN_SCALE, GEN_FAR};
    static const int hows[8] = {
        0, 0, 0, ANY_ROUND, ANY_STRETCH, ANY_SCALED, ANY_ROUND | ANY_STRETCH, ANY_ROUND | ANY_SCALED};
    int call = test_int(r, 0, 8);
    uint32_t type_a = (uint32_t)test_int(r, 1, CD_SHAPE_TYPES - 1),
             type_b = (uint32_t)test_int(r, 1, CD_SHAPE_TYPES - 1);
    gen g = gen_begin(r, kinds[test_int(r, 0, 7)]);
    int how_a = hows[test_int(r, 0, 7)], how_b = hows[test_int(r, 0, 7)];
    any_lie lie = (any_lie)test_int(r, 0, ANY_LIES - 1);
    any_thing *a = any_draw(&g, type_a, how_a), *b = any_draw(&g, type_b, how_b);
    cd_transform pose;
    cd_shape_options o;
    any_scene s;
    cd_motion ma, mb;
    cd_ray ray;
    bool posed = any_lay(&g, &a->shape, &b->shape, lie, &pose);
    memset(&o, 0, sizeof o);
    any_scene_open(&s, &a->shape, &b->shape, posed ? &pose : NULL, &o);
    any_note(&s, "judged");
    if (test_int(r, 0, 2) == 0)
        s.options.max_distance = s.options.margin = s.options.distance = gen_length(&g);
    if (call == 5 && test_int(r, 0, 1)) s.options.flags = CD_SHAPE_KEEP_GHOSTS;
    switch (call) {
    case 0:
    case 1: any_judge_distance(&s); break;
    case 2: any_judge_closest(&s); break;
    case 3: any_judge_test(&s); break;
    case 4:
    case 5: any_judge_collide(&s); break;
    case 6: any_judge_sweep(&s, any_way(&g, &s)); break;
    case 7:
        any_motions(&g, &s, &ma, &mb);
        any_judge_impact(&s, &ma, &mb);
        break;
    default:
        ray.origin = gen_point(&g);
        ray.dir = gen_direction(&g);
        any_judge_ray(&s, &ray, (cd_real)HUGE_VAL);
        any_judge_aabb(&s, NULL);
        any_judge_support(&s, ray.dir);
    }
    any_scene_close(&s);
    any_free(a);
    any_free(b);
    any_forget_meshes();
}

/* ---- of any numbers ---- */

enum { NUMBERS = 60 };

typedef struct scene {
    fuzz f;
    any_all all;
    const cd_shape *a, *b;
    cd_transform pose, back;
    const cd_transform *b_in_a;
    cd_shape_options o;
    double size; /* infinite where boxes are */
} scene;

static double size_of(const cd_shape *s, const cd_transform *pose) {
    cd_aabb box = cd_shape_aabb(s, pose);
    double most = 0;
    for (int i = 0; i < 6; ++i) most = fmax(most, fabs((double)(&box.min.x)[i]));
    return most;
}

static bool answers(cd_status status) {
    return status == CD_OK || status == CD_NOT_CONVERGED;
}

static bool is_known(cd_status status) {
    return answers(status) || status == CD_INVALID_ARGUMENT || status == CD_UNSUPPORTED ||
           status == CD_TOO_LARGE;
}

static bool same_separation(const cd_separation *a, const cd_separation *b) {
    return a->status == b->status && FUZZ_SAME(a->distance, b->distance) && FUZZ_SAME(a->gap, b->gap) &&
           FUZZ_SAME(a->normal, b->normal) && FUZZ_SAME(a->a, b->a) && FUZZ_SAME(a->b, b->b) &&
           a->feature_a == b->feature_a && a->feature_b == b->feature_b;
}

/* Is one of them surely not valid? Children of compounds may be passed over, whatever they are. */
static bool is_bad(const scene *s) {
    return (s->a->type < CD_SHAPE_COMPOUND && !cd_shape_is_valid(s->a)) ||
           (s->b->type < CD_SHAPE_COMPOUND && !cd_shape_is_valid(s->b));
}

/* Do all its parts have an answer? Those of compounds and classes are looked at as they are met: which of them are depends on what is
 * gone through first. */
static bool is_whole(const scene *s, const cd_shape *shape) {
    bool compound = shape->type == CD_SHAPE_COMPOUND;
    const cd_placed_shape *part = compound ? s->all.placed : s->all.pile.placed;
    int count = compound ? (int)(sizeof s->all.placed / sizeof s->all.placed[0]) : ANY_PARTS;
    if (!compound && shape->type != CD_SHAPE_CLASS) return true;
    if (shape->scale.x != 0 || shape->scale.y != 0 || shape->scale.z != 0) return false;
    for (int i = 0; i < count; ++i)
        if (!cd_shape_is_valid(part[i].shape) || !cd_transform_is_valid(&part[i].pose)) return false;
    return true;
}

/* In the domain that is promised; the rest may be as far off as it likes, but not NaN. */
static bool tame(const scene *s) {
    return s->f.tame && s->size < 1e9;
}

static void check_distance(const scene *s) {
    cd_part_pair parts, again_parts;
    cd_cache cache;
    cd_shape_pair pair;
    cd_separation x, y;
    cd_shape_options swapped = s->o;
    int level = test_isa_level;
    double slack = 1e-4 * s->size;
    bool whole = is_whole(s, s->a) && is_whole(s, s->b);
    x = cd_shape_distance(s->a, s->b, s->b_in_a, &s->o, NULL, &parts);
    CHECK(is_known(x.status));
    if (is_bad(s)) CHECK(!answers(x.status));
    if (answers(x.status)) {
        CHECK(x.distance == x.distance && x.gap >= 0 && cd_vec3_is_valid(x.normal));
        if (x.distance < CD_REAL_MAX && s->o.max_distance == 0) CHECK_NEAR(cd_vec3_length(x.normal), 1, 1e-5);
    }
    pair.a = s->a;
    pair.b = s->b;
    pair.b_in_a = s->b_in_a;
    cd_shape_distances(&pair, 1, &s->o, NULL, &y, &again_parts);
    CHECK(same_separation(&x, &y));
    test_isa_level = 2 - level / 2 * 2;
    y = cd_shape_distance(s->a, s->b, s->b_in_a, &s->o, NULL, NULL);
    test_isa_level = level;
    CHECK(same_separation(&x, &y));
    for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_int(s->f.rng, 0, 255) * 0x01000193u;
    y = cd_shape_distance(s->a, s->b, s->b_in_a, &s->o, &cache, NULL);
    if (whole) CHECK(answers(y.status) == answers(x.status));
    if (x.status == CD_OK && y.status == CD_OK && tame(s) && s->o.max_distance == 0)
        CHECK_NEAR(y.distance, x.distance, (double)x.gap + (double)y.gap + slack);
    if (s->b_in_a) return;
    swapped.ignore_a = s->o.ignore_b;
    swapped.ignore_b = s->o.ignore_a;
    y = cd_shape_distance(s->b, s->a, NULL, &swapped, NULL, NULL);
    if (whole) CHECK(answers(y.status) == answers(x.status));
    if (x.status == CD_OK && y.status == CD_OK && tame(s) && s->o.max_distance == 0)
        CHECK_NEAR(y.distance, x.distance, (double)x.gap + (double)y.gap + slack);
}

static void check_test(const scene *s) {
    cd_part_pair parts, before;
    cd_shape_pair pair;
    bool meets, again;
    int level = test_isa_level;
    cd_shape_options o = s->o;
    cd_separation x;
    o.max_distance = o.tolerance = 0;
    memset(&parts, 0x5A, sizeof parts);
    before = parts;
    meets = cd_shape_test(s->a, s->b, s->b_in_a, &o, NULL, &parts);
    if (!meets) CHECK(memcmp(&parts, &before, sizeof parts) == 0);
    if (is_bad(s) || o.distance < 0) CHECK(!meets);
    pair.a = s->a;
    pair.b = s->b;
    pair.b_in_a = s->b_in_a;
    CHECK_INT(cd_shape_tests(&pair, 1, &o, NULL, &again), meets);
    CHECK_INT(again, meets);
    test_isa_level = 2 - level / 2 * 2;
    CHECK_INT(cd_shape_test(s->a, s->b, s->b_in_a, &o, NULL, NULL), meets);
    test_isa_level = level;
    x = cd_shape_distance(s->a, s->b, s->b_in_a, &o, NULL, NULL);
    if (x.status != CD_OK || !tame(s)) return;
    test_note_reals("distance, gap", &x.distance, 2);
    if ((double)x.distance - (double)o.distance > (double)x.gap + 1e-4 * s->size) CHECK(!meets);
    if (o.distance >= 0 && (double)x.distance - (double)o.distance < -(double)x.gap - 1e-4 * s->size)
        CHECK(meets);
}

static void check_closest(const scene *s) {
    cd_closest c, before;
    memset(&c, 0x5A, sizeof c);
    before = c;
    if (!cd_shape_closest(s->a, s->b, s->b_in_a, &s->o, &c, NULL)) {
        CHECK(memcmp(&c, &before, sizeof c) == 0);
    } else {
        CHECK(c.sqdist >= 0 && cd_vec3_is_valid(c.a) && cd_vec3_is_valid(c.b));
    }
}

static size_t told;

static bool is_sound(void *user, const cd_manifold *m, const cd_contact *c) {
    (void)user;
    ++told;
    CHECK(cd_vec3_is_valid(m->normal) && cd_vec3_is_valid(c->a) && cd_vec3_is_valid(c->b));
    return CHECK(c->distance == c->distance);
}

static void check_contacts(const scene *s) {
    cd_manifold m[6];
    size_t capacity = (size_t)test_int(s->f.rng, 0, 6),
           count = cd_shape_collide(s->a, s->b, s->b_in_a, &s->o, NULL, m, capacity), all;
    if (is_bad(s)) CHECK_INT(count, 0);
    for (size_t i = 0; i < count && i < capacity; ++i) {
        CHECK(m[i].count >= 1 && m[i].count <= CD_MANIFOLD_POINTS && cd_vec3_is_valid(m[i].normal));
        CHECK_NEAR(cd_vec3_length(m[i].normal), 1, 1e-5);
        for (uint32_t k = 0; k < m[i].count; ++k) is_sound(NULL, &m[i], &m[i].points[k]);
    }
    told = 0;
    all = cd_shape_collide_all(s->a, s->b, s->b_in_a, &s->o, is_sound, NULL);
    CHECK_INT(all, told);
    if (!s->o.flags && !(s->o.margin > 0)) CHECK_INT(all > 0, count > 0);
}

static void check_hit(const cd_hit *hit) {
    CHECK(cd_vec3_is_valid(hit->point) && cd_vec3_is_valid(hit->normal) && hit->t == hit->t &&
          hit->depth >= 0);
    CHECK_NEAR(cd_vec3_length(hit->normal), 1, 1e-5);
}

static void check_casts(scene *s) {
    cd_cast_options o;
    cd_ray r = fuzz_ray(&s->f);
    cd_hit hit, other;
    cd_part part;
    cd_real t_max = test_int(s->f.rng, 0, 1) ? fuzz_real(&s->f) : CD_REAL_MAX;
    bool hits;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(s->f.rng, 0, 31);
    if (!test_int(s->f.rng, 0, 3)) o.t_min = fuzz_real(&s->f);
    memset(&hit, 0x5A, sizeof hit);
    other = hit;
    FUZZ_NOTE(r);
    FUZZ_NOTE(t_max);
    FUZZ_NOTE(o.t_min);
    hits = cd_shape_cast_ray(s->b, &r, t_max, &o, &hit, &part);
    if (hits)
        check_hit(&hit);
    else
        CHECK(memcmp(&hit, &other, sizeof hit) == 0);
    memset(&other, 0x5A, sizeof other);
    CHECK_INT(cd_shape_cast_rays(s->b, &r, &t_max, 1, &o, &other, NULL), hits);
    if (hits) CHECK(FUZZ_SAME(hit, other));
    if (cd_shape_sweep(s->a, r.dir, s->b, s->b_in_a, &o, &hit, NULL)) check_hit(&hit);
}

static void check_impact(scene *s) {
    cd_transform poses[4];
    cd_motion a, b;
    cd_impact x;
    for (int i = 0; i < 4; ++i) {
        cd_transform pose = fuzz_pose(&s->f);
        poses[i] = pose;
    }
    cd_motion_make((cd_motion_kind)test_int(s->f.rng, 0, 4), &poses[0], &poses[1], &a);
    cd_motion_make((cd_motion_kind)test_int(s->f.rng, 0, 4), &poses[2], &poses[3], &b);
    FUZZ_NOTE(poses);
    x = cd_shape_time_of_impact(s->a, &a, s->b, &b, &s->o, NULL);
    CHECK(x.t >= 0 && x.t <= 1 && is_known(x.status));
    if (x.hit) CHECK(cd_vec3_is_valid(x.normal) && answers(x.status));
}

static void check_mover(scene *s) {
    cd_mover_options o;
    cd_mover_plane planes[8];
    cd_mover_result x;
    cd_transform pose = fuzz_pose(&s->f);
    cd_vec3 motion = fuzz_vec(&s->f), way;
    size_t count;
    memset(&o, 0, sizeof o);
    if (test_int(s->f.rng, 0, 1)) o.up = fuzz_vec(&s->f);
    if (test_int(s->f.rng, 0, 1)) o.skin = fuzz_real(&s->f);
    if (test_int(s->f.rng, 0, 1)) o.step_height = fuzz_real(&s->f);
    FUZZ_NOTE(pose);
    FUZZ_NOTE(motion);
    count = cd_mover_planes(s->b, s->a, &pose, fuzz_real(&s->f), &o, planes, 8);
    if (count > 8) count = 8;
    for (size_t i = 0; i < count; ++i)
        CHECK(cd_vec3_is_valid(planes[i].normal) && planes[i].distance == planes[i].distance);
    if (cd_mover_solve(planes, count, motion, 0, &way) != CD_INVALID_ARGUMENT && s->f.finite)
        CHECK(way.x == way.x);
    x = cd_mover_slide(s->b, s->a, &pose, motion, &o);
    CHECK(is_known(x.status) && x.planes <= CD_MOVER_PLANES);
    if (cd_transform_is_valid(&pose)) CHECK(cd_vec3_is_valid(x.pose.position));
    if (!answers(x.status)) CHECK(FUZZ_SAME(x.pose.position, pose.position));
}

static void check_alone(scene *s) {
    cd_shape scaled;
    cd_mass mass;
    cd_vec3 v = fuzz_vec(&s->f), p, q;
    double density = (double)fuzz_real(&s->f);
    cd_status status;
    p = q = v;
    FUZZ_NOTE(v);
    if (!cd_shape_support(s->a, v, &p))
        CHECK(FUZZ_SAME(p, q));
    else
        CHECK(p.x == p.x);
    status = cd_shape_mass(s->a, density, &mass);
    CHECK(is_known(status));
    if (status == CD_OK && mass.mass > 0 && s->a->type < CD_SHAPE_MESH) CHECK(cd_mass_is_valid(&mass));
    if (status == CD_OK) CHECK(isfinite(mass.mass));
    status = cd_shape_scaled(s->a, v, &scaled);
    CHECK(is_known(status));
    if (status == CD_OK) CHECK(cd_shape_is_valid(&scaled));
    if (status != CD_OK) CHECK_INT(scaled.type, CD_SHAPE_NOTHING);
}

static void open_scene(scene *s, test_rng *r) {
    cd_real numbers[NUMBERS];
    cd_shape *a, *b;
    int given;
    s->f = fuzz_begin(r, FUZZ_BITS);
    given = test_int(r, 8, NUMBERS);
    for (int i = 0; i < given; ++i) {
        cd_real x = fuzz_real(&s->f);
        numbers[i] = x;
    }
    test_note("");
    test_note_reals("numbers", numbers, given);
    any_all_open(&s->all, numbers, given);
    a = &s->all.shape[test_int(r, 1, CD_SHAPE_TYPES - 1)];
    b = &s->all.shape[test_int(r, 1, CD_SHAPE_TYPES - 1)];
    if (!test_int(r, 0, 4)) a->radius = fuzz_real(&s->f);
    if (!test_int(r, 0, 4)) b->scale = fuzz_vec(&s->f);
    s->a = a;
    s->b = b;
    s->b_in_a = NULL;
    s->pose = cd_transform_identity();
    if (test_int(r, 0, 1)) {
        s->pose = fuzz_pose(&s->f);
        s->b_in_a = &s->pose;
        FUZZ_NOTE(s->pose);
    }
    memset(&s->o, 0, sizeof s->o);
    if (!test_int(r, 0, 3)) s->o.flags = (uint32_t)test_int(r, 0, 3);
    if (!test_int(r, 0, 5)) s->o.max_iterations = (uint32_t)test_int(r, 0, 255);
    if (!test_int(r, 0, 5)) s->o.max_distance = fuzz_real(&s->f);
    if (!test_int(r, 0, 5)) s->o.tolerance = fuzz_real(&s->f);
    if (!test_int(r, 0, 3)) s->o.margin = fuzz_real(&s->f);
    if (!test_int(r, 0, 3)) s->o.distance = fuzz_real(&s->f);
    if (!test_int(r, 0, 5)) s->o.ignore_a = (uint32_t)test_int(r, 0, 15);
    s->size = size_of(s->a, NULL) + size_of(s->b, s->b_in_a);
    test_note_reals("max_distance, tolerance, margin, distance", &s->o.max_distance, 4);
    {
        cd_real types[3];
        types[0] = (cd_real)a->type;
        types[1] = (cd_real)b->type;
        types[2] = (cd_real)s->o.flags;
        test_note_reals("types and flags", types, 3);
        test_note_reals("radius, scale of a", &a->radius, 1);
        FUZZ_NOTE(b->scale);
    }
}

void fuzz_any(test_rng *r) {
    static scene s;
    if (test_int(r, 0, 2) == 0) {
        judge(r);
        return;
    }
    open_scene(&s, r);
    switch (test_int(r, 0, 7)) {
    case 0:
    case 1: check_distance(&s); break;
    case 2: check_test(&s); break;
    case 3: check_contacts(&s); break;
    case 4: check_casts(&s); break;
    case 5: check_impact(&s); break;
    case 6: check_mover(&s); break;
    default: check_closest(&s); check_alone(&s);
    }
    any_all_close(&s.all);
}
