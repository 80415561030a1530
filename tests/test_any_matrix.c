/* Every type of shape with every other in every call, judged piece by piece: apart, touching, overlapping, deep, and as they were drawn; on
 * whole numbers, far from the origin, tiny and huge; rounded, stretched, mirrored. Small runs take some of the pairs, which ones the seed says. */
#include "any_things.h"
#include <math.h>
#include <string.h>

enum {
    TYPES = CD_SHAPE_TYPES - 1,
    PAIRS = TYPES * TYPES,
    STEP = 211
}; /* STEP and PAIRS have no factor in common */

static any_thing *first, *second;
static any_scene scene;
static cd_transform pose;

/* Whole numbers are the hardest; far away and other scales are rarer. */
static gen draw_gen(test_rng *rng) {
    static const gen_kind kinds[8] = {GEN_UNIT, GEN_UNIT, GEN_UNIT,  GEN_GRID,
                                      GEN_GRID, GEN_ULP,  GEN_SCALE, GEN_FAR};
    return gen_begin(rng, kinds[test_int(rng, 0, 7)]);
}

static int draw_how(test_rng *rng) {
    static const int hows[8] = {
        0, 0, 0, ANY_ROUND, ANY_STRETCH, ANY_SCALED, ANY_ROUND | ANY_STRETCH, ANY_ROUND | ANY_SCALED};
    return hows[test_int(rng, 0, 7)];
}

static void open_scene(gen *g, uint32_t a, uint32_t b) {
    any_lie lie = (any_lie)test_int(g->rng, 0, ANY_LIES - 1);
    int how_a = draw_how(g->rng), how_b = draw_how(g->rng);
    cd_shape_options o;
    bool is_posed;
    memset(&o, 0, sizeof o);
    first = any_draw(g, a, how_a);
    second = any_draw(g, b, how_b);
    is_posed = any_lay(g, &first->shape, &second->shape, lie, &pose);
    any_scene_open(&scene, &first->shape, &second->shape, is_posed ? &pose : NULL, &o);
}

static void close_scene(void) {
    any_scene_close(&scene);
    any_free(first);
    any_free(second);
    any_forget_meshes();
}

/* ---- calls of two ---- */

static void ask_distance(gen *g) {
    (void)g;
    any_judge_distance(&scene);
}

static void ask_near(gen *g) {
    scene.options.max_distance = gen_length(g);
    any_judge_distance(&scene);
    any_judge_closest(&scene);
}

static void ask_closest(gen *g) {
    (void)g;
    any_judge_closest(&scene);
}

static void ask_test(gen *g) {
    any_judge_test(&scene);
    scene.options.distance = gen_length(g);
    any_judge_test(&scene);
}

static void ask_collide(gen *g) {
    any_judge_collide(&scene);
    scene.options.margin = gen_length(g);
    any_judge_collide(&scene);
    scene.options.flags = CD_SHAPE_KEEP_GHOSTS;
    any_judge_collide(&scene);
}

static void ask_sweep(gen *g) {
    any_judge_sweep(&scene, any_way(g, &scene));
}

static void ask_impact(gen *g) {
    cd_motion a, b;
    any_motions(g, &scene, &a, &b);
    if (!test_int(g->rng, 0, 3)) scene.options.distance = gen_length(g);
    any_judge_impact(&scene, &a, &b);
}

static const struct {
    const char *name;
    void (*ask)(gen *g);
} calls[] = {
    {"distance", ask_distance}, {"max_distance", ask_near}, {"closest", ask_closest},      {"test", ask_test},
    {"collide", ask_collide},   {"sweep", ask_sweep},       {"time of impact", ask_impact}};

/* Contacts are asked three times, and each of their points is judged: half as many pairs take as long. */
enum { CONTACTS = 4 };

static void all_pairs(int call) {
    test_rng rng = test_random();
    int at = test_int(&rng, 0, PAIRS - 1);
    for (long i = test_times(call == CONTACTS ? PAIRS / 2 : PAIRS); i > 0; --i, at = (at + STEP) % PAIRS) {
        test_rng own = rng;
        gen g;
        own.state += (uint64_t)i * 0x9E3779B97F4A7C15u;
        g = draw_gen(&own);
        open_scene(&g, 1 + (uint32_t)(at / TYPES), 1 + (uint32_t)(at % TYPES));
        any_note(&scene, calls[call].name);
        calls[call].ask(&g);
        close_scene();
    }
}

static void distances(void) {
    all_pairs(0);
}
static void distances_up_to_some(void) {
    all_pairs(1);
}
static void closest_points(void) {
    all_pairs(2);
}
static void tests(void) {
    all_pairs(3);
}
static void contacts(void) {
    all_pairs(4);
}
static void sweeps(void) {
    all_pairs(5);
}
static void times_of_impact(void) {
    all_pairs(6);
}

/* ---- calls of one ---- */

static void ask_rays(gen *g) {
    for (int i = 0; i < 3; ++i) {
        cd_ray r;
        cd_vec3 at = gen_point(g);
        r.origin = gen_point(g);
        r.dir = i ? cd_vec3_sub(at, r.origin) : gen_direction(g);
        any_judge_ray(&scene, &r, i ? (cd_real)HUGE_VAL : 1);
    }
}

static void ask_box(gen *g) {
    cd_transform at = gen_pose(g->rng, 1);
    at.position = cd_vec3_scale(at.position, (cd_real)g->scale);
    any_judge_aabb(&scene, NULL);
    any_judge_aabb(&scene, &at);
}

static void ask_farthest(gen *g) {
    for (int i = 0; i < 4; ++i) any_judge_support(&scene, gen_direction(g));
    any_judge_support(&scene, cd_vec3_make(0, 0, 0));
}

static void all_types(long times, void (*ask)(gen *g)) {
    test_rng rng = test_random();
    int at = test_int(&rng, 0, TYPES - 1);
    for (; times > 0; --times, at = (at + 1) % TYPES) {
        gen g = draw_gen(&rng);
        open_scene(&g, 1 + (uint32_t)at, CD_SHAPE_POINT);
        any_note(&scene, "alone");
        ask(&g);
        close_scene();
    }
}

static void rays(void) {
    all_types(test_times(20 * TYPES), ask_rays);
}
static void boxes(void) {
    all_types(test_times(20 * TYPES), ask_box);
}
static void farthest_points(void) {
    all_types(test_times(20 * TYPES), ask_farthest);
}

static void masses(void) {
    test_rng rng = test_random();
    int at = test_int(&rng, 0, TYPES - 1);
    for (long i = test_times(3 * TYPES); i > 0; --i, at = (at + 1) % TYPES) {
        gen g = gen_begin(&rng, i % 3 ? GEN_UNIT : GEN_GRID);
        open_scene(&g, 1 + (uint32_t)at, CD_SHAPE_POINT);
        any_note(&scene, "mass");
        any_judge_mass(&scene, 12);
        close_scene();
    }
}

/* ---- what can be asked ---- */

static void what_can_be_asked(void) {
    for (uint32_t call = 0; call <= CD_SHAPE_CALLS; ++call)
        for (uint32_t a = 0; a <= CD_SHAPE_TYPES; ++a)
            for (uint32_t b = 0; b <= CD_SHAPE_TYPES; ++b) {
                cd_status want = any_can(call, a, b);
                test_note("call %d of %s and %s", (int)call, cd_shape_type_name(a), cd_shape_type_name(b));
                CHECK_INT(ASK("judge", cd_shape_can(call, a, b)), want);
            }
}

/* The references: as near as they say, by both ways to it. */
static void references_agree(void) {
    test_rng rng = test_random();
    static truth_pair pair;
    long seen = 0;
    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        any_gap near;
        truth t;
        open_scene(&g, (uint32_t)test_int(&rng, CD_SHAPE_POINT, CD_SHAPE_SUPPORT),
                   (uint32_t)test_int(&rng, CD_SHAPE_POINT, CD_SHAPE_SUPPORT));
        any_note(&scene, "references");
        near = any_near_pieces(scene.ta.piece, scene.tb.piece, NULL);
        if (!near.meet) {
            const any_piece *a = scene.ta.piece, *b = scene.tb.piece;
            double most = (double)(a->reach + b->reach);
            for (int k = 0; k < 3; ++k) most += fabs((double)a->center[k]) + fabs((double)b->center[k]);
            pair.a = a->body;
            pair.b = b->body;
            truth_open_bodies(&pair);
            t = truth_by_search(&pair, NULL, 1500);
            CHECK_NEAR((double)fmaxl(near.lower - near.upper, 0), 0, 1e-15 * most);
            CHECK_NEAR((double)(near.upper - near.lower), 0, 1e-10 * most);
            CHECK((double)(near.upper - t.lower) >= -1e-14 * most &&
                  (double)(t.upper - near.lower) >= -1e-14 * most);
            ++seen;
        }
        close_scene();
    }
    CHECK_SEEN(seen > 0);
}

static long double reach(const any_body *b, const long double n[3]) {
    long double most = -HUGE_VALL, p[3];
    for (int i = 0; i < b->count; ++i) {
        const truth_body *body = &b->piece[i].body;
        truth_farthest(body, n, p);
        p[0] = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
        most = fmaxl(most, p[0] + body->radius * sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
    }
    return most;
}

static cd_vec3 divided(cd_vec3 n, cd_vec3 by) {
    return cd_vec3_make(n.x / by.x, n.y / by.y, n.z / by.z);
}

/* Of a half-space, the normal is divided by the factors; what it is rounded by comes between its own stretching and the other. */
static void check_stretched_halfspace(gen *g, const cd_shape *from, cd_vec3 by, const cd_shape *to) {
    cd_vec3 one = cd_vec3_make(1, 1, 1), own = from->scale.x == 0 ? one : from->scale;
    cd_vec3 n = divided(from->u.halfspace.n, own);
    double d = (double)from->u.halfspace.d + (double)from->radius * (double)cd_vec3_length(n), length;
    n = divided(n, by);
    length = (double)cd_vec3_length(n);
    for (int k = 0; k < 5; ++k) {
        cd_vec3 p = gen_point(g);
        double got = (double)cd_vec3_dot(to->u.halfspace.n, p) - (double)to->u.halfspace.d;
        got = got / (double)cd_vec3_length(to->u.halfspace.n) - (double)to->radius;
        CHECK_NEAR(got, ((double)cd_vec3_dot(n, p) - d) / length, 1e-4);
    }
    CHECK(to->scale.x == 0 && to->scale.y == 0 && to->scale.z == 0);
}

/* What is stretched reaches as far along n as what it comes from along n stretched. */
static void scaled_shapes(void) {
    test_rng rng = test_random();
    int at = test_int(&rng, 0, TYPES - 1);
    for (long i = test_times(16 * TYPES) + 8 * TYPES; i > 0; --i, at = (at + 1) % TYPES) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        any_thing *t = any_draw(&g, 1 + (uint32_t)at, test_int(&rng, 0, 3));
        cd_real x = (cd_real)test_range(&rng, 0.5, 2), y = test_int(&rng, 0, 1) ? x : -2 * x;
        cd_vec3 by = cd_vec3_make(x, test_int(&rng, 0, 1) ? x : -x, y);
        cd_shape out;
        cd_status status = ASK("judge", cd_shape_scaled(&t->shape, by, &out));
        any_body from = any_open(&t->shape, 0), to;
        test_note("%s stretched", cd_shape_type_name(t->shape.type));
        CHECK(status == CD_OK || status == CD_UNSUPPORTED);
        if (y == x || y == -x) CHECK_INT(status, CD_OK);
        if (status == CD_OK && t->shape.type != CD_SHAPE_HALFSPACE && t->shape.type < CD_SHAPE_COMPOUND) {
            to = any_open(&out, 0);
            for (int k = 0; k < 5; ++k) {
                cd_vec3 n = gen_direction(&g);
                long double u[3], v[3];
                u[0] = (long double)n.x, u[1] = (long double)n.y, u[2] = (long double)n.z;
                v[0] = u[0] * (long double)by.x, v[1] = u[1] * (long double)by.y,
                v[2] = u[2] * (long double)by.z;
                CHECK_NEAR((double)reach(&to, u), (double)reach(&from, v), 1e-5);
            }
            any_close(&to);
        }
        if (status == CD_OK && t->shape.type == CD_SHAPE_HALFSPACE)
            check_stretched_halfspace(&g, &t->shape, by, &out);
        any_close(&from);
        any_free(t);
        any_forget_meshes();
    }
}

void suite_any_matrix(void) {
    RUN(references_agree);
    RUN(what_can_be_asked);
    RUN(scaled_shapes);
    RUN(distances);
    RUN(distances_up_to_some);
    RUN(closest_points);
    RUN(tests);
    RUN(contacts);
    RUN(sweeps);
    RUN(times_of_impact);
    RUN(rays);
    RUN(boxes);
    RUN(farthest_points);
    RUN(masses);
}
