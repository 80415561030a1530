/* Two trees that move: against a loop over all pairs with the single sweeps, and the exact test of the trees at many times; over
 * triangles, boxes and points in every layout; options, poses, starts, ties, both moving, bad input. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

enum { MOST = 24 };

/* Things of one kind, and a tree over them. */
typedef struct crowd {
    uint32_t kind, count;
    cd_triangle triangle[MOST];
    cd_aabb box[MOST];
    uint32_t mask[MOST];
    cd_bvh tree;
} crowd;

typedef struct scene {
    crowd a, b;
    cd_vec3 motion_a, motion_b;
    cd_transform place;
    const cd_transform *pose; /* of b, or NULL */
    cd_bvh_pair_sweep_options o;
} scene;

static uint32_t corners[3 * MOST]; /* each its own */

static void build(test_rng *rng, crowd *c) {
    cd_bvh_options o;
    cd_vec3 points[MOST];
    cd_mesh_view view = cd_mesh_view_make(&c->triangle[0].a, 3 * c->count, corners, c->count);
    cd_status status;
    memset(&o, 0, sizeof o);
    o.layout = (uint32_t)test_int(rng, 0, c->kind == CD_BVH_TRIANGLES ? 3 : 2);
    o.leaf_size = (uint32_t)test_int(rng, 0, 9);
    o.masks = c->mask;
    for (uint32_t i = 0; i < 3 * MOST; ++i) corners[i] = i;
    for (uint32_t i = 0; i < c->count; ++i) points[i] = c->triangle[i].a;
    if (c->kind == CD_BVH_TRIANGLES)
        status = cd_bvh_build_mesh(&c->tree, &view, &o);
    else if (c->kind == CD_BVH_BOXES)
        status = cd_bvh_build_boxes(&c->tree, c->box, c->count, &o);
    else
        status = cd_bvh_build_points(&c->tree, points, c->count, &o);
    CHECK_INT(status, CD_OK);
}

static cd_vec3 beside(gen *g, cd_vec3 p, double size) {
    return cd_vec3_along(p, cd_vec3_sub(gen_point(g), p), (cd_real)size);
}

/* Small beside the whole, with equal ones, needles and points among them. */
static void fill(test_rng *rng, gen *g, crowd *c) {
    double size = g->kind == GEN_GRID ? 1.0 : test_range(rng, 0.05, 0.5);
    c->kind = (uint32_t)test_int(rng, 0, 2);
    if (test_int(rng, 0, 1)) c->kind = CD_BVH_TRIANGLES;
    c->count = (uint32_t)test_int(rng, test_int(rng, 0, 9) ? 1 : 0, MOST);
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_triangle *t = &c->triangle[i];
        t->a = gen_point(g);
        t->b = beside(g, t->a, size);
        t->c = beside(g, t->a, size);
        if (i > 0 && !test_int(rng, 0, 9)) *t = c->triangle[i - 1];
        if (!test_int(rng, 0, 19)) t->c = t->b;
        if (c->kind == CD_BVH_POINTS) t->b = t->c = t->a;
        c->box[i] = cd_aabb_from_points(&t->a, 2);
        c->mask[i] = (uint32_t)test_int(rng, 0, 3);
    }
    build(rng, c);
}

static void forget(scene *s) {
    cd_bvh_destroy(&s->a.tree);
    cd_bvh_destroy(&s->b.tree);
}

/* A difference that the number type has. */
static bool is_exact(const scene *s) {
    const cd_real *a = (const cd_real *)(const void *)&s->motion_a,
                  *b = (const cd_real *)(const void *)&s->motion_b;
    for (int i = 0; i < 3; ++i) {
        cd_real d = a[i] - b[i];
        if ((long double)d != (long double)a[i] - (long double)b[i]) return false;
    }
    return true;
}

/* None, any, whole steps, or a thing of b on one of a. */
static void draw_pose(test_rng *rng, scene *s) {
    int how = test_int(rng, 0, 5);
    s->place = gen_pose(rng, how == 1 ? 0.5 : 1.0);
    s->pose = how < 2 ? NULL : &s->place;
    if (how == 3) {
        s->place.rotation = cd_quat_identity();
        s->place.position = cd_vec3_make((cd_real)test_int(rng, -2, 2), (cd_real)test_int(rng, -2, 2), 0);
    }
    if (how == 4 && s->a.count && s->b.count)
        s->place.position =
            cd_vec3_sub(s->a.triangle[0].a, cd_transform_vector(&s->place, s->b.triangle[0].a));
}

static void draw(test_rng *rng, scene *s, gen_kind kind) {
    gen g = gen_begin(rng, kind);
    memset(s, 0, sizeof *s);
    fill(rng, &g, &s->a);
    fill(rng, &g, &s->b);
    draw_pose(rng, s);
    s->motion_a = gen_direction(&g);
    if (!test_int(rng, 0, 9)) s->motion_a = cd_vec3_make(0, 0, 0);
    if (!test_int(rng, 0, 2)) s->motion_b = gen_direction(&g);
    if (!test_int(rng, 0, 9)) s->motion_b = s->motion_a;
    s->o.flags = test_int(rng, 0, 1) ? (uint32_t)test_int(rng, 0, 31) : 0u;
    if (!test_int(rng, 0, 3)) s->o.t_min = (cd_real)test_int(rng, -1, 3) / 4;
    if (!test_int(rng, 0, 3)) s->o.t_max = (cd_real)test_int(rng, 0, 4) / 4;
    if (!test_int(rng, 0, 3)) s->o.pairs.ignore_a = (uint32_t)test_int(rng, 0, 3);
    if (!test_int(rng, 0, 3)) s->o.pairs.ignore_b = (uint32_t)test_int(rng, 0, 3);
    test_note("kinds %u %u, counts %u %u, flags %u, t %g...%g, posed %d ", s->a.kind, s->b.kind, s->a.count,
              s->b.count, s->o.flags, (double)s->o.t_min, (double)s->o.t_max, s->pose != NULL);
    test_note_reals("motions", REALS(s->motion_a), 3);
    test_note_reals("", REALS(s->motion_b), 3);
}

/* ---- the loop ---- */

static bool sweep_triangle(const scene *s, uint32_t i, uint32_t j, cd_vec3 motion, const cd_cast_options *o,
                           cd_hit *hit) {
    cd_triangle t = s->b.triangle[j];
    if (s->pose) t = cd_triangle_transform(&t, s->pose);
    if (s->a.kind == CD_BVH_BOXES) return cd_sweep_aabb_triangle(s->a.box[i], motion, &t, o, hit);
    return cd_sweep_triangle_triangle(&s->a.triangle[i], motion, &t, o, hit);
}

static bool sweep_pair(const scene *s, uint32_t i, uint32_t j, cd_vec3 motion, const cd_cast_options *o,
                       cd_hit *hit) {
    cd_obb box;
    if (s->b.kind != CD_BVH_BOXES) return sweep_triangle(s, i, j, motion, o, hit);
    if (!s->pose && s->a.kind == CD_BVH_BOXES)
        return cd_sweep_aabb_aabb(s->a.box[i], motion, s->b.box[j], o, hit);
    if (!s->pose) return cd_sweep_triangle_aabb(&s->a.triangle[i], motion, s->b.box[j], o, hit);
    box = cd_obb_from_aabb(s->b.box[j]);
    box = cd_obb_transform(&box, s->pose);
    if (s->a.kind == CD_BVH_BOXES) return cd_sweep_aabb_obb(s->a.box[i], motion, &box, o, hit);
    return cd_sweep_triangle_obb(&s->a.triangle[i], motion, &box, o, hit);
}

/* Items that are not finite are in no tree, boxes that are empty neither. */
static bool sweep_all(const scene *s, cd_vec3 motion, cd_hit *best, cd_pair *pair) {
    cd_cast_options o;
    bool found = false;
    cd_real end = s->o.t_max != 0 ? s->o.t_max : 1;
    memset(&o, 0, sizeof o);
    o.flags = s->o.flags;
    o.t_min = s->o.t_min;
    if (!(o.t_min <= end)) return false;
    for (uint32_t i = 0; i < s->a.count; ++i) {
        for (uint32_t j = 0; j < s->b.count; ++j) {
            cd_hit hit;
            if ((s->a.mask[i] & s->o.pairs.ignore_a) || (s->b.mask[j] & s->o.pairs.ignore_b)) continue;
            if (!sweep_pair(s, i, j, motion, &o, &hit) || hit.t > end) continue;
            if (found && !(hit.t < best->t)) continue;
            found = true;
            *best = hit;
            best->index = j;
            pair->a = i;
            pair->b = j;
        }
    }
    return found;
}

static void check_hit(const cd_hit *a, const cd_hit *b) {
    CHECK_SAME(a->t, b->t);
    CHECK_VEC(a->normal, b->normal, 0);
    CHECK_SAME(a->depth, b->depth);
    CHECK_SAME(a->u, b->u);
    CHECK_SAME(a->v, b->v);
    CHECK_INT(a->feature, b->feature);
    CHECK_INT(a->index, b->index);
    CHECK_INT(a->flags, b->flags);
}

/* Where the contact on b at rest has come to. */
static cd_vec3 carried(cd_vec3 p, cd_vec3 motion, cd_real t) {
    return cd_vec3_make((cd_real)((double)p.x + (double)t * (double)motion.x),
                        (cd_real)((double)p.y + (double)t * (double)motion.y),
                        (cd_real)((double)p.z + (double)t * (double)motion.z));
}

static bool check_scene(const scene *s) {
    cd_vec3 motion = cd_vec3_sub(s->motion_a, s->motion_b);
    cd_hit want, got, untouched;
    cd_pair of_want = {CD_NONE, CD_NONE}, of_got = {CD_NONE, CD_NONE}, any = {0, 0};
    bool hits = sweep_all(s, motion, &want, &of_want);
    memset(&untouched, 0x5A, sizeof untouched);
    got = untouched;
    CHECK_INT(ASK("loop", cd_bvh_sweep_bvh(&s->a.tree, s->motion_a, &s->b.tree, s->pose, s->motion_b, &s->o,
                                           &got, &of_got)),
              hits);
    CHECK_INT(ASK("loop", cd_bvh_test_sweep_bvh(&s->a.tree, s->motion_a, &s->b.tree, s->pose, s->motion_b,
                                                &s->o, &any)),
              hits);
    if (!CHECK_INT(of_got.a, of_want.a) || !CHECK_INT(of_got.b, of_want.b)) return hits;
    if (!hits) {
        CHECK(!memcmp(&got, &untouched, sizeof got));
        return false;
    }
    check_hit(&got, &want);
    CHECK_VEC(got.point, carried(want.point, s->motion_b, want.t), 0);
    CHECK_INT(sweep_pair(s, any.a, any.b, motion, NULL, &want), true);
    return true;
}

static void trees_meet_as_a_loop_says(void) {
    test_rng rng = test_random();
    long hits = 0, later = 0, all = test_times(1500);
    for (long i = 0; i < all; ++i) {
        scene s;
        do {
            draw(&rng, &s, (gen_kind)(i % GEN_KINDS));
            if (is_exact(&s)) break;
            forget(&s);
        } while (true);
        if (check_scene(&s)) {
            cd_hit hit;
            ++hits;
            cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, s.pose, s.motion_b, &s.o, &hit, NULL);
            later += hit.t > 0;
        }
        forget(&s);
    }
    CHECK_SEEN(hits > all / 10 && later > all / 30 && hits < all);
}

/* Edges along three directions are parallel up to rounding, and what parts two triangles across them is rounding, too. */
static void fill_parallel(test_rng *rng, const cd_vec3 *edge, crowd *c) {
    c->kind = CD_BVH_TRIANGLES;
    c->count = MOST;
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_triangle *t = &c->triangle[i];
        int first = test_int(rng, 0, 2), second = (first + test_int(rng, 1, 2)) % 3;
        t->a.x = (cd_real)test_range(rng, -1, 1);
        t->a.y = (cd_real)test_range(rng, -1, 1);
        t->a.z = (cd_real)test_range(rng, -1, 1);
        t->b = cd_vec3_along(t->a, edge[first], (cd_real)test_range(rng, -1, 1));
        t->c = cd_vec3_along(t->a, edge[second], (cd_real)test_range(rng, -1, 1));
    }
    build(rng, c);
}

static void parallel_edges_part_nothing(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(400); i > 0; --i) {
        cd_vec3 edge[3];
        scene s;
        memset(&s, 0, sizeof s);
        for (int k = 0; k < 3; ++k) {
            edge[k].x = (cd_real)test_range(&rng, -0.5, 0.5);
            edge[k].y = (cd_real)test_range(&rng, -0.5, 0.5);
            edge[k].z = (cd_real)test_range(&rng, -0.5, 0.5);
        }
        fill_parallel(&rng, edge, &s.a);
        fill_parallel(&rng, edge, &s.b);
        s.place = cd_transform_identity();
        s.place.position.x = (cd_real)test_range(&rng, 2, 4);
        s.pose = &s.place;
        s.motion_a.x = (cd_real)test_range(&rng, 1, 4);
        s.motion_a.y = (cd_real)test_range(&rng, -1, 1);
        hits += check_scene(&s);
        forget(&s);
    }
    CHECK_SEEN(hits > 0);
}

/* ---- both move, by a difference that the type does not have: the reference, and the exact test on the way ---- */

static sweep_body body_of(const crowd *c, uint32_t i, const cd_transform *pose) {
    cd_triangle t = c->triangle[i];
    cd_obb b = cd_obb_from_aabb(c->box[i]);
    if (pose) t = cd_triangle_transform(&t, pose);
    if (c->kind != CD_BVH_BOXES) return sweep_of_triangle(&t);
    if (!pose) return sweep_of_aabb(c->box[i]);
    b = cd_obb_transform(&b, pose);
    return sweep_of_obb(&b);
}

static bool truth_of(const scene *s, const double motion[3], long double *t) {
    bool hit = false;
    for (uint32_t i = 0; i < s->a.count; ++i) {
        sweep_body a = body_of(&s->a, i, NULL);
        for (uint32_t j = 0; j < s->b.count; ++j) {
            sweep_body b = body_of(&s->b, j, s->pose);
            sweep_truth truth = sweep_first(&a, motion, &b);
            if (!truth.hit || (hit && truth.t >= *t)) continue;
            hit = true;
            *t = truth.t;
        }
    }
    return hit;
}

static real most_of(real most, const cd_real *x, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) most = fmaxl(most, fabsl((real)x[i]));
    return most;
}

/* The largest coordinate that is met, however b is turned. */
static real largest_of(const scene *s) {
    real a = most_of(most_of(0, REALS(s->a.triangle), 9 * s->a.count), REALS(s->a.box), 6 * s->a.count);
    real b = most_of(most_of(0, REALS(s->b.triangle), 9 * s->b.count), REALS(s->b.box), 6 * s->b.count);
    if (s->pose) b = sqrtl(3) * b + most_of(0, REALS(s->place.position), 3);
    return fmaxl(a, b + most_of(0, REALS(s->motion_a), 3) + most_of(0, REALS(s->motion_b), 3));
}

/* How far apart things may be that the test of the trees has meet: none but what meets a posed box. Points and triangles meet its
 * slabs, where a sweep takes it as it is written: for axes a_i . a_k = 1 + e, by e times the half widths. */
static real test_excess(const scene *s, const cd_transform *pose, uint32_t j) {
    cd_obb b = cd_obb_from_aabb(s->b.box[j]);
    real most = largest_of(s), sum = 0;
    if (!pose || s->b.kind != CD_BVH_BOXES) return 0;
    if (s->a.kind == CD_BVH_BOXES) return 1e-13L * most; /* 1e-14 of two sizes and the distance */
    b = cd_obb_transform(&b, pose);
    for (int i = 0; i < 3; ++i) {
        real by = 0;
        for (int k = 0; k < 3; ++k) {
            const cd_real *u = REALS(b.axes.col[i]), *v = REALS(b.axes.col[k]);
            real e = (real)u[0] * v[0] + (real)u[1] * v[1] + (real)u[2] * v[2] - (i == k);
            by += fabsl(e) * REALS(b.half)[k];
        }
        sum += by * by;
    }
    return sqrtl(sum) * (1 + 1e-3L) + 4 * sqrtl(3) * DBL_EPSILON * most;
}

/* Before there is a contact only that and rounding make the test have any meet, where b is moved by t of its motion less that of a: its
 * place is rounded by one unit, and what is posed by three, here and where it was. */
static void check_apart(const scene *s, const double motion[3], double t) {
    cd_transform at = s->pose ? *s->pose : cd_transform_identity();
    const cd_transform *pose = t > 0 ? &at : s->pose;
    cd_pair pairs[MOST * MOST];
    double way[3];
    size_t count;
    for (int k = 0; k < 3; ++k) {
        way[k] = t * motion[k];
        REALS(at.position)[k] = (cd_real)((double)REALS(at.position)[k] - way[k]);
    }
    count = cd_bvh_collide(&s->a.tree, &s->b.tree, pose, &s->o.pairs, pairs, MOST * MOST);
    for (size_t i = 0; i < count; ++i) {
        sweep_body a = body_of(&s->a, pairs[i].a, NULL), b = body_of(&s->b, pairs[i].b, s->pose);
        real left = sweep_distance(&a, way, &b), room = test_excess(s, pose, pairs[i].b);
        if (t > 0) room += 7 * sqrtl(3) * CD_REAL_EPSILON * largest_of(s);
        CHECK(left > 0 && left <= room);
    }
}

static void nothing_is_missed_or_late(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(60);
    for (long i = 0; i < all; ++i) {
        scene s;
        double motion[3];
        long double t = 1;
        cd_hit hit;
        cd_pair pair;
        bool got, want;
        sweep_body a, b;
        draw(&rng, &s, i % 2 ? GEN_UNIT : (gen_kind)(i / 2 % GEN_KINDS));
        if (i % 2) s.motion_b = cd_vec3_scale(s.motion_a, (cd_real)1.3e-3);
        memset(&s.o, 0, sizeof s.o);
        for (int k = 0; k < 3; ++k) motion[k] = (double)REALS(s.motion_a)[k] - (double)REALS(s.motion_b)[k];
        want = truth_of(&s, motion, &t);
        got = cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, s.pose, s.motion_b, NULL, &hit, &pair);
        if (want) CHECK(got && (long double)hit.t <= t * (1 + 4e-16L));
        if (got) {
            double way[3], room;
            double t_hit = (double)hit.t;
            a = body_of(&s.a, pair.a, NULL);
            b = body_of(&s.b, pair.b, s.pose);
            room = sweep_excess(&a, motion, &b) + 2 * (double)sweep_margin(&a, motion, &b);
            for (int k = 0; k < 3; ++k) {
                way[k] = t_hit * motion[k];
                room += (double)CD_REAL_EPSILON * t_hit * fabs(motion[k]);
            }
            CHECK(sweep_distance(&a, way, &b) <= (long double)room);
            ++hits;
        }
        for (int k = 0; k < 16 && i % 2; ++k) {
            double at = k / 16.0;
            if (!got || at < (double)hit.t) check_apart(&s, motion, at);
        }
        forget(&s);
    }
    CHECK_SEEN(hits > all / 10);
}

/* ---- what must not matter: which one moves, the unit, the layout ---- */

static void swapped_trees_meet_at_the_same_time(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        scene s;
        cd_hit one, other;
        cd_pair p, q;
        bool met;
        draw(&rng, &s, i % 2 ? GEN_UNIT : GEN_GRID);
        s.o.flags = 0;
        s.pose = NULL;
        met = cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, NULL, s.motion_b, NULL, &one, &p);
        CHECK_INT(ASK("swap",
                      cd_bvh_sweep_bvh(&s.b.tree, s.motion_b, &s.a.tree, NULL, s.motion_a, NULL, &other, &q)),
                  met);
        if (met) CHECK_NEAR(one.t, other.t, 1e-6);
        forget(&s);
    }
}

static void scale_crowd(test_rng *rng, crowd *c, cd_real by) {
    cd_bvh_destroy(&c->tree);
    for (uint32_t i = 0; i < c->count; ++i) {
        for (int k = 0; k < 9; ++k) REALS(c->triangle[i])[k] *= by;
        for (int k = 0; k < 6; ++k) REALS(c->box[i])[k] *= by;
    }
    build(rng, c);
}

static void the_unit_does_not_matter(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i > 0; --i) {
        scene s;
        cd_hit one, other;
        cd_pair p, q;
        cd_real by = (cd_real)ldexp(1.0, test_int(&rng, -30, 30));
        bool met;
        draw(&rng, &s, i % 2 ? GEN_UNIT : GEN_GRID);
        met = cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, s.pose, s.motion_b, &s.o, &one, &p);
        scale_crowd(&rng, &s.a, by);
        scale_crowd(&rng, &s.b, by);
        s.motion_a = cd_vec3_scale(s.motion_a, by);
        s.motion_b = cd_vec3_scale(s.motion_b, by);
        s.place.position = cd_vec3_scale(s.place.position, by);
        CHECK_INT(ASK("scale", cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, s.pose, s.motion_b, &s.o,
                                                &other, &q)),
                  met);
        if (met) {
            CHECK_SAME(one.t, other.t);
            CHECK_INT(p.a, q.a);
            CHECK_INT(p.b, q.b);
        }
        forget(&s);
    }
}

/* Far away, and fast: the bounds count from where the two come together. */
static void far_and_fast_is_as_sharp(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(10, 0.3, &rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    cd_transform pose = cd_transform_identity();
    cd_bvh tree;
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    for (int i = 0; i < 12; ++i) {
        cd_real away = (cd_real)ldexp(3.0, i);
        cd_hit hit;
        uint64_t first = test_counted.sweep, nodes = test_counted.node;
        pose.position = cd_vec3_make(away, away / 2, 0);
        CHECK(cd_bvh_sweep_bvh(&tree, cd_vec3_make(away, away / 2, 0), &tree, &pose, cd_vec3_make(0, 0, 0),
                               NULL, &hit, NULL));
        CHECK(hit.t < 1 && (double)hit.t > 1 - 3.0 / (double)away);
        CHECK(test_counted.sweep - first < 80);
        CHECK(test_counted.node - nodes < 4000);
    }
    cd_bvh_destroy(&tree);
    gen_mesh_free(&ball);
}

/* A corner that meets a point when the boxes begin to overlap along one axis, and end along another one. */
static void boxes_may_overlap_for_an_instant(void) {
    test_rng rng = test_random();
    for (int i = 0; i < 48; ++i) {
        int x = i % 3, y = (i + 1) % 3;
        cd_real way = i % 2 ? 1 : -1, side = i / 3 % 2 ? 1 : -1;
        cd_vec3 motion = cd_vec3_make(0, 0, 0);
        scene s;
        cd_hit hit;
        memset(&s, 0, sizeof s);
        s.a.count = s.b.count = 2;
        for (int k = 0; k < 3; ++k) { /* far ahead */
            REALS(s.a.triangle[1])[k * 3 + x] = 5 * way;
            REALS(s.a.triangle[1])[k * 3 + y] = 5 * side;
            REALS(s.b.triangle[0])[k * 3 + x] = 2 * way;
            REALS(s.b.triangle[0])[k * 3 + y] = 3 * side;
            REALS(s.b.triangle[1])[k * 3 + x] = -way;
            REALS(s.b.triangle[1])[k * 3 + y] = -side;
        }
        REALS(s.a.triangle[0].a)[y] = side;
        REALS(s.a.triangle[0].b)[x] = REALS(s.a.triangle[0].c)[x] = way;
        REALS(s.a.triangle[0].c)[y] = side / 8;
        REALS(motion)[x] = 4 * way;
        REALS(motion)[y] = 4 * side;
        s.b.kind = i % 5 ? CD_BVH_POINTS : CD_BVH_TRIANGLES;
        build(&rng, &s.a);
        build(&rng, &s.b);
        s.place = cd_transform_identity();
        CHECK(cd_bvh_sweep_bvh(&s.a.tree, motion, &s.b.tree, i / 6 % 2 ? &s.place : NULL,
                               cd_vec3_make(0, 0, 0), NULL, &hit, NULL));
        CHECK_NEAR(hit.t, 0.5, 1e-7);
        forget(&s);
    }
}

/* ---- rest and contact ---- */

/* A grid of triangles on another one, in one plane, and half a unit above. */
static void resting_meshes_are_in_contact(void) {
    gen_mesh grid = gen_mesh_grid(4);
    cd_mesh_view view = gen_mesh_view(&grid);
    cd_transform up = cd_transform_identity();
    cd_bvh_pair_sweep_options o;
    cd_vec3 still = cd_vec3_make(0, 0, 0), rise = cd_vec3_make(0, 0, 1), slide = cd_vec3_make(1, 0, 0);
    cd_bvh tree;
    cd_hit hit;
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    memset(&o, 0, sizeof o);
    up.position = cd_vec3_make((cd_real)0.25, (cd_real)0.125, 0);
    CHECK(cd_bvh_sweep_bvh(&tree, slide, &tree, &up, still, NULL, &hit, NULL));
    CHECK(hit.t == 0 && (hit.flags & CD_HIT_START));
    o.flags = CD_CAST_START_LEAVING;
    CHECK(!cd_bvh_sweep_bvh(&tree, rise, &tree, &up, still, &o, &hit, NULL));
    up.position.z = (cd_real)0.5;
    CHECK(!cd_bvh_sweep_bvh(&tree, slide, &tree, &up, still, NULL, &hit, NULL));
    CHECK(cd_bvh_sweep_bvh(&tree, rise, &tree, &up, still, NULL, &hit, NULL));
    CHECK_NEAR(hit.t, 0.5, 1e-7);
    CHECK_NEAR(hit.normal.z, -1, 1e-6);
    o.flags = CD_CAST_START_IGNORE;
    CHECK(!cd_bvh_sweep_bvh(&tree, still, &tree, NULL, still, &o, &hit, NULL));
    CHECK(cd_bvh_sweep_bvh(&tree, still, &tree, NULL, still, NULL, &hit, NULL));
    CHECK(hit.flags & CD_HIT_START);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&grid);
}

/* Both alike: as they are, so they stay. */
static void moving_alike_is_rest(void) {
    static const double still[3] = {0, 0, 0};
    test_rng rng = test_random();
    for (long i = test_times(150); i > 0; --i) {
        scene s;
        cd_hit hit;
        draw(&rng, &s, i % 2 ? GEN_UNIT : GEN_GRID);
        if (cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, s.pose, s.motion_a, NULL, &hit, NULL)) {
            CHECK_SAME(hit.t, 0);
            CHECK(hit.flags & CD_HIT_START);
        } else {
            memset(&s.o, 0, sizeof s.o);
            check_apart(&s, still, 0);
        }
        forget(&s);
    }
}

/* ---- filters and bad input ---- */

static bool odd_pairs(void *user, cd_pair pair) {
    ++*(long *)user;
    return (pair.a + pair.b) % 2 != 0;
}

static void filters_pass_over_pairs(void) {
    test_rng rng = test_random();
    long asked = 0, hits = 0;
    for (long i = test_times(100); i > 0; --i) {
        scene s;
        cd_hit best, hit;
        cd_pair pair;
        bool found = false;
        memset(&best, 0, sizeof best);
        draw(&rng, &s, GEN_UNIT);
        s.motion_b = cd_vec3_make(0, 0, 0);
        memset(&s.o, 0, sizeof s.o);
        s.o.pairs.filter = odd_pairs;
        s.o.pairs.user = &asked;
        for (uint32_t k = 0; k < s.a.count * s.b.count; ++k) {
            uint32_t x = k / s.b.count, y = k % s.b.count;
            if ((x + y) % 2 == 0 || !sweep_pair(&s, x, y, s.motion_a, NULL, &hit)) continue;
            if (!found || hit.t < best.t) best = hit;
            found = true;
        }
        CHECK_INT(cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, s.pose, s.motion_b, &s.o, &hit, &pair),
                  found);
        if (found) {
            CHECK_SAME(hit.t, best.t);
            CHECK((pair.a + pair.b) % 2 != 0);
        }
        hits += found;
        forget(&s);
    }
    CHECK_SEEN(asked > 0 && hits > 0);
}

static void bad_input_meets_nothing(void) {
    test_rng rng = test_random();
    cd_bvh none;
    cd_bvh_volume v;
    cd_closest c;
    cd_halving r;
    cd_motion m;
    cd_hit hit;
    cd_sphere no_sphere = {{0, 0, 0}, -1};
    scene s;
    memset(&none, 0, sizeof none);
    memset(&m, 0, sizeof m);
    memset(&s, 0, sizeof s);
    do {
        forget(&s);
        draw(&rng, &s, GEN_UNIT);
        memset(&s.o, 0, sizeof s.o);
        s.pose = NULL;
    } while (!cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, NULL, s.motion_b, NULL, &hit, NULL));
    for (int k = 0; k < 7; ++k) {
        cd_vec3 x = s.motion_a, y = s.motion_b;
        cd_transform bad = cd_transform_identity();
        cd_bvh_pair_sweep_options o;
        memset(&o, 0, sizeof o);
        if (k == 0) x.y = (cd_real)NAN;
        if (k == 1) y.z = (cd_real)INFINITY;
        if (k == 2) bad.position.x = (cd_real)NAN;
        if (k == 5) o.t_min = 2;
        if (k == 6) o.t_max = (cd_real)NAN;
        CHECK(!cd_bvh_sweep_bvh(k == 3 ? &none : &s.a.tree, x, k == 4 ? &none : &s.b.tree,
                                k == 2 ? &bad : NULL, y, &o, &hit, NULL));
    }
    cd_motion_make(CD_MOTION_BOTH, &s.place, &s.place, &m);
    r = ASK("bad", cd_bvh_sweep_bvh_motions(&none, &m, &s.b.tree, &m, NULL, NULL, &c));
    CHECK(r.status == CD_OK && !r.hit && r.t == 1 && c.index_a == CD_NONE);
    v = cd_bvh_volume_planes(NULL, 0);
    r = cd_bvh_sweep_motion(&s.a.tree, &v, &m, NULL, NULL, &c);
    CHECK(r.status == CD_UNSUPPORTED && r.hit && r.t == 0);
    v = cd_bvh_volume_sphere(no_sphere);
    r = cd_bvh_sweep_motion(&s.a.tree, &v, &m, NULL, NULL, &c);
    CHECK(r.status == CD_INVALID_ARGUMENT && r.hit && c.index_a == CD_NONE);
    forget(&s);
}

/* Numbers near the ends of the type: two boxes that meet half way. */
static void the_largest_numbers_meet(void) {
    const double units[3] = {sizeof(cd_real) == 4 ? 1e34 : 1e284, sizeof(cd_real) == 4 ? 1e36 : 1e292,
                             sizeof(cd_real) == 4 ? 1e-36 : 1e-290};
    for (int k = 0; k < 9; ++k) {
        int axis = k % 3;
        cd_real u = (cd_real)units[k / 3];
        cd_aabb p, q;
        cd_bvh s, t;
        cd_vec3 way = cd_vec3_make(0, 0, 0), none = way;
        cd_hit hit;
        p.min = cd_vec3_make(0, 0, 0);
        p.max = cd_vec3_make(u, u, u);
        q = p;
        REALS(q.min)[axis] = 3 * u;
        REALS(q.max)[axis] = 4 * u;
        REALS(way)[axis] = 4 * u;
        CHECK_INT(cd_bvh_build_boxes(&s, &p, 1, NULL), CD_OK);
        CHECK_INT(cd_bvh_build_boxes(&t, &q, 1, NULL), CD_OK);
        test_note("unit %g, axis %d", (double)u, axis);
        if (CHECK(cd_bvh_sweep_bvh(&s, way, &t, NULL, none, NULL, &hit, NULL))) CHECK_NEAR(hit.t, 0.5, 1e-5);
        REALS(way)[axis] = -4 * u;
        CHECK(!cd_bvh_sweep_bvh(&s, way, &t, NULL, none, NULL, &hit, NULL));
        cd_bvh_destroy(&s);
        cd_bvh_destroy(&t);
    }
}

/* ---- motions that turn ---- */

static cd_motion draw_motion(test_rng *rng, double distance) {
    cd_transform from = gen_pose(rng, distance), to = gen_pose(rng, distance);
    cd_motion m;
    if (!test_int(rng, 0, 4)) to.rotation = from.rotation;
    if (!test_int(rng, 0, 9)) to.position = from.position;
    CHECK_INT(cd_motion_make((cd_motion_kind)test_int(rng, 0, 4), &from, &to, &m), CD_OK);
    return m;
}

/* Do the trees meet at that time, by the exact test of what rounding leaves of the poses? */
static bool meet_at(const scene *s, const cd_motion *m, const cd_motion *n, cd_real t,
                    const cd_bvh_pair_options *o) {
    cd_transform of_b = cd_motion_relative_pose(n, m, t);
    return cd_bvh_test_bvh(&s->a.tree, &s->b.tree, &of_b, o, NULL);
}

static void turning_trees_never_meet_before(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0, all = test_times(480);
    for (long i = 0; i < all; ++i) {
        scene s;
        cd_motion m = draw_motion(&rng, 2.5), n = draw_motion(&rng, 2.5);
        cd_halving_options o;
        cd_halving r;
        cd_closest c;
        cd_real end;
        memset(&o, 0, sizeof o);
        draw(&rng, &s, i % 2 ? GEN_UNIT : GEN_GRID);
        if (test_int(&rng, 0, 1)) o.tolerance = (cd_real)test_range(&rng, 0, 0.1);
        if (!test_int(&rng, 0, 3)) o.t_min = (cd_real)0.25;
        if (!test_int(&rng, 0, 5)) o.max_iterations = (uint32_t)test_int(&rng, 1, 8);
        r = ASK("judge", cd_bvh_sweep_bvh_motions(&s.a.tree, &m, &s.b.tree, &n, &o, &s.o.pairs, &c));
        CHECK(r.status == CD_OK || (o.max_iterations && r.status == CD_NOT_CONVERGED));
        CHECK(r.t >= o.t_min && r.t <= 1);
        CHECK(r.iterations <= (o.max_iterations ? o.max_iterations : 1024));
        end = r.hit ? r.t : 1;
        for (int k = 0; k < 40; ++k) {
            cd_real t = o.t_min + (end - o.t_min) * (cd_real)(k / 40.0);
            if (t < end || !r.hit) CHECK(!meet_at(&s, &m, &n, t, &s.o.pairs));
        }
        if (r.hit && r.status == CD_OK && c.index_a != CD_NONE) {
            double apart = sqrt((double)c.sqdist), room = 1e-3 + 16 * (double)CD_REAL_EPSILON * 8;
            CHECK(c.index_a < s.a.count && c.index_b < s.b.count);
            CHECK(apart <= (double)o.tolerance + room);
            CHECK_NEAR(cd_vec3_length(cd_vec3_sub(c.a, c.b)), apart, 1e-4);
            CHECK((double)r.gap <= apart + 1e-6);
        }
        if (!r.hit) CHECK_INT(c.index_a, CD_NONE);
        hits += r.hit;
        misses += !r.hit;
        forget(&s);
    }
    CHECK_SEEN(hits > all / 8 && misses > all / 8);
}

static cd_vec3 middle_of_first(const crowd *c) {
    const cd_triangle *t = &c->triangle[0];
    cd_vec3 middle = cd_vec3_lerp(t->a, t->b, (cd_real)0.5);
    return c->kind == CD_BVH_TRIANGLES ? cd_vec3_lerp(t->c, middle, (cd_real)0.5) : middle;
}

/* Two trees of which something meets by the way: the first of a goes through the first of b, which are not both points. */
static void draw_meeting(test_rng *rng, scene *s) {
    cd_vec3 way = cd_vec3_make(0, 0, 0);
    do {
        forget(s);
        draw(rng, s, GEN_UNIT);
        if (s->a.count == 0 || s->b.count == 0) continue;
        way = middle_of_first(&s->b);
        if (s->pose) way = cd_transform_point(s->pose, way);
        way = cd_vec3_sub(way, middle_of_first(&s->a));
    } while (s->a.count == 0 || s->b.count == 0 ||
             (s->a.kind == CD_BVH_POINTS && s->b.kind == CD_BVH_POINTS));
    memset(&s->o.pairs, 0, sizeof s->o.pairs);
    s->motion_a = cd_vec3_along(s->motion_b, way, (cd_real)1.25);
}

/* Straight motions: as cd_bvh_sweep_bvh says, but for what is taken off. */
static void straight_motions_agree(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(120);
    for (long i = 0; i < all; ++i) {
        scene s;
        cd_motion m, n;
        cd_transform from = cd_transform_identity(), to = from, placed;
        cd_halving r;
        cd_hit hit;
        bool met;
        if (i % 4) {
            memset(&s, 0, sizeof s);
            draw_meeting(&rng, &s);
        } else {
            draw(&rng, &s, GEN_UNIT);
        }
        s.o.flags = 0;
        s.o.t_min = s.o.t_max = 0;
        placed = s.pose ? *s.pose : from;
        to.position = s.motion_a;
        cd_motion_make(CD_MOTION_BOTH, &from, &to, &m);
        to = placed;
        to.position = cd_vec3_add(placed.position, s.motion_b);
        cd_motion_make(CD_MOTION_BOTH, &placed, &to, &n);
        met = cd_bvh_sweep_bvh(&s.a.tree, s.motion_a, &s.b.tree, s.pose, s.motion_b, &s.o, &hit, NULL);
        r = ASK("forms", cd_bvh_sweep_bvh_motions(&s.a.tree, &m, &s.b.tree, &n, NULL, &s.o.pairs, NULL));
        CHECK_INT(r.status, CD_OK);
        if (met) CHECK(r.hit && (double)r.t <= (double)hit.t + 1e-12);
        hits += met && r.hit && (double)hit.t - (double)r.t < 1e-3;
        forget(&s);
    }
    CHECK_SEEN(hits > all / 8);
}

/* What glides down on a plane or a ridge, with next to no slope: by `drop` from `height` on, while it goes 2 along it. */
static cd_halving glide(const cd_triangle *ground, const cd_triangle *glider, const cd_bvh_volume *v,
                        double height, double drop, const cd_halving_options *o) {
    uint32_t numbers[3] = {0, 1, 2};
    cd_mesh_view view = cd_mesh_view_make(&ground->a, 3, numbers, 1), other;
    cd_transform rest = {{(cd_real)0.48, (cd_real)0.36, (cd_real)-0.64, (cd_real)0.48}, {1, -2, 3}},
                 from = rest, to = rest;
    cd_motion m, still;
    cd_halving r;
    cd_closest c;
    cd_bvh a, b;
    from.position = cd_transform_point(&rest, cd_vec3_make(0, 0, (cd_real)height));
    to.position = cd_transform_point(&rest, cd_vec3_make(2, 0, (cd_real)(height - drop)));
    CHECK_INT(cd_bvh_build_mesh(&a, &view, NULL), CD_OK);
    CHECK_INT(cd_motion_make(CD_MOTION_BOTH, &from, &to, &m), CD_OK);
    if (v) {
        for (int k = 0; k < 2; ++k) { /* only the volume moves */
            cd_transform *end = k ? &to : &from;
            *end = cd_transform_relative(&rest, end);
        }
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &m), CD_OK);
        r = ASK("judge", cd_bvh_sweep_motion(&a, v, &m, o, NULL, &c));
    } else {
        other = cd_mesh_view_make(&glider->a, 3, numbers, 1);
        CHECK_INT(cd_bvh_build_mesh(&b, &other, NULL), CD_OK);
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &rest, &rest, &still), CD_OK);
        r = ASK("judge", cd_bvh_sweep_bvh_motions(&a, &still, &b, &m, o, NULL, &c));
        cd_bvh_destroy(&b);
    }
    if (r.hit) CHECK((double)r.gap * (double)r.gap <= (double)c.sqdist + 1e-12);
    cd_bvh_destroy(&a);
    return r;
}

/* Things that go nearly along each other meet in a few steps, and pass in as few; their distance would last for thousands. */
static void gliders_touch_down(void) {
    const cd_triangle plane = {{-20, -20, 0}, {20, -20, 0}, {0, 30, 0}},
                      ridge = {{-20, 0, 0}, {20, 0, 0}, {0, 0, -5}};
    const cd_triangle corner = {{0, 0, 0},
                                {(cd_real)-0.5, (cd_real)0.25, (cd_real)0.3},
                                {(cd_real)-0.5, 0, (cd_real)0.1}},
                      edge = {{0, -1, 0}, {0, 1, 0}, {0, 0, 1}};
    const cd_capsule capsule = {{0, 0, (cd_real)0.25}, {-1, 0, (cd_real)0.5}, (cd_real)0.25};
    const cd_obb box = {{0, 0, 1}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, (cd_real)0.5, 1}};
    cd_bvh_volume v[2];
    v[0] = cd_bvh_volume_capsule(&capsule);
    v[1] = cd_bvh_volume_obb(&box);
    for (int i = 0; i < 4; ++i) {
        for (double h = 0.0625; h > 1e-4; h *= 0.25) {
            const cd_triangle *ground = i == 1 ? &ridge : &plane, *glider = i == 1 ? &edge : &corner;
            double early = (sizeof(cd_real) == 4 ? 2e-4 : 1e-8) / h;
            cd_halving_options o;
            cd_halving r = glide(ground, glider, i < 2 ? NULL : &v[i - 2], h, 2 * h, NULL);
            CHECK(r.status == CD_OK && r.hit && r.iterations <= 100);
            CHECK_NEAR(r.t, 0.5, early);
            if (early > 0.1) continue;
            r = glide(ground, glider, i < 2 ? NULL : &v[i - 2], h, 0.75 * h, NULL);
            CHECK(r.status == CD_OK && !r.hit && r.iterations <= 100);
            memset(&o, 0, sizeof o);
            o.tolerance = (cd_real)(0.5 * h);
            r = glide(ground, glider, i < 2 ? NULL : &v[i - 2], h, 0.75 * h, &o);
            CHECK(r.status == CD_OK && r.hit && r.t > (cd_real)0.6 && (double)r.gap <= 0.5 * h);
        }
    }
}

/* The same in as few steps in any unit: speeds are of any size. */
static void gliders_of_any_size_touch_down(void) {
    uint32_t numbers[3] = {0, 1, 2};
    for (int e = -24; e <= 24; e += 6) {
        double size = ldexp(1, e), h = 0.015625;
        cd_triangle t[2] = {
            {{-20, -20, 0}, {20, -20, 0}, {0, 30, 0}},
            {{0, 0, 0}, {(cd_real)-0.5, (cd_real)0.25, (cd_real)0.3}, {(cd_real)-0.5, 0, (cd_real)0.1}}};
        cd_bvh tree[2];
        cd_transform rest = cd_transform_identity(), from = rest, to = rest;
        cd_motion m, still;
        cd_halving r;
        for (int k = 0; k < 2; ++k) {
            cd_mesh_view view = cd_mesh_view_make(&t[k].a, 3, numbers, 1);
            for (int i = 0; i < 9; ++i) REALS(t[k])[i] *= (cd_real)size;
            CHECK_INT(cd_bvh_build_mesh(&tree[k], &view, NULL), CD_OK);
        }
        from.position.z = (cd_real)(size * h);
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &rest, &rest, &still), CD_OK);
        for (int meets = 0; meets < 2; ++meets) {
            to.position =
                cd_vec3_make((cd_real)(2 * size), 0, (cd_real)(meets ? -size * h : size * h * 0.25));
            CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &m), CD_OK);
            r = ASK("judge", cd_bvh_sweep_bvh_motions(&tree[0], &still, &tree[1], &m, NULL, NULL, NULL));
            test_note("size 2^%d: %u steps", e, r.iterations);
            CHECK(r.status == CD_OK && r.hit == (meets == 1) && r.iterations <= 100);
            CHECK_NEAR(r.t, meets ? 0.5 : 1, sizeof(cd_real) == 4 ? 0.02 : 1e-6);
        }
        for (int k = 0; k < 2; ++k) cd_bvh_destroy(&tree[k]);
    }
}

/* Glides along the ground until half of the time, so near that its distance lasts for more steps than are taken, and then turns a corner into it,
 * or the other way around in time: what is known of the first half says nothing of the second one. Whichever of the two moves. */
static void what_glides_and_then_turns(void) {
    const cd_triangle ground = {{-20, -20, 0}, {20, -20, 0}, {0, 30, 0}},
                      corner = {{0, 0, 0},
                                {-1, (cd_real)0.25, (cd_real)0.0625},
                                {-1, (cd_real)-0.25, (cd_real)0.0625}};
    uint32_t numbers[3] = {0, 1, 2};
    cd_mesh_view views[2];
    cd_bvh tree[2];
    views[0] = cd_mesh_view_make(&ground.a, 3, numbers, 1);
    views[1] = cd_mesh_view_make(&corner.a, 3, numbers, 1);
    for (int k = 0; k < 2; ++k) CHECK_INT(cd_bvh_build_mesh(&tree[k], &views[k], NULL), CD_OK);
    for (int i = 0; i < 8; ++i) {
        bool first = i % 2, swap = i / 2 % 2;
        double h = i < 4 ? 0.002 : 0.25, t = 0.5 + 0.5 * atan(0.0625) / (acos(-1.0) / 2);
        cd_transform rest = cd_transform_identity(), from = rest, to = rest;
        cd_motion m, still;
        cd_halving r;
        from.position.z = to.position.z = (cd_real)h;
        to.position.x = first ? 0 : 4;
        to.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, first ? 0 : 1, first ? 1 : 0),
                                              (cd_real)(-acos(-1.0) / 2));
        if (first) to.position.z = -1; /* turns over the ground, and then comes down */
        CHECK_INT(cd_motion_make(first ? CD_MOTION_TURN_FIRST : CD_MOTION_TURN_LAST, &from, &to, &m), CD_OK);
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &rest, &rest, &still), CD_OK);
        r = ASK("judge", cd_bvh_sweep_bvh_motions(&tree[swap], swap ? &m : &still, &tree[1 - swap],
                                                  swap ? &still : &m, NULL, NULL, NULL));
        if (first) t = 0.5 + 0.5 * h / (1 + h);
        test_note("%d: %u steps", i, r.iterations);
        CHECK(r.status == CD_OK && r.hit);
        if (h < 0.1 || first) CHECK_NEAR(r.t, t, first ? 0.002 : 0.02);
        CHECK((double)r.t <= t + 0.2);
    }
    for (int k = 0; k < 2; ++k) cd_bvh_destroy(&tree[k]);
}

/* A corner on a wheel of radius 2 comes down on the ground as slowly as it gets: the wheel's lowest point is just below it. A screw
 * turns about the same axle whatever is the body's own origin, and goes along it. */
static void wheels_touch_down(void) {
    static const cd_vec3 origins[4] = {{1, 0, 3}, {-1, 0, -3}, {3, 0, -1}, {-3, 0, 1}};
    const cd_triangle ground = {{-20, -20, 0}, {20, -20, 0}, {0, 30, 0}},
                      spoke = {{0, 0, 0}, {2, 0, 0}, {1, (cd_real)0.5, 0}};
    uint32_t numbers[3] = {0, 1, 2};
    cd_mesh_view view = cd_mesh_view_make(&ground.a, 3, numbers, 1);
    cd_bvh a;
    CHECK_INT(cd_bvh_build_mesh(&a, &view, NULL), CD_OK);
    for (int kind = CD_MOTION_TURN_FIRST; kind <= CD_MOTION_SCREW + 4; ++kind) {
        bool off = kind > CD_MOTION_SCREW;
        cd_vec3 origin = off ? origins[kind - CD_MOTION_SCREW - 1] : cd_vec3_make(0, 0, 0);
        cd_triangle own;
        cd_mesh_view other = cd_mesh_view_make(&own.a, 3, numbers, 1);
        cd_bvh b;
        own.a = cd_vec3_sub(spoke.a, origin);
        own.b = cd_vec3_sub(spoke.b, origin);
        own.c = cd_vec3_sub(spoke.c, origin);
        CHECK_INT(cd_bvh_build_mesh(&b, &other, NULL), CD_OK);
        for (double deep = 0.01; deep > 1e-7; deep *= 0.125) {
            cd_transform rest = cd_transform_identity(), from = rest, to = rest;
            double height = 2 - deep, angle = asin(height / 2), t;
            cd_motion m, still;
            cd_halving r;
            from.position = to.position = cd_vec3_make(0, 0, (cd_real)height);
            from.rotation.y =
                (cd_real)sin(acos(-1.0) / 8); /* from an eighth of a turn down to three of them */
            from.rotation.w = (cd_real)cos(acos(-1.0) / 8);
            to.rotation.y = (cd_real)sin(3 * acos(-1.0) / 8);
            to.rotation.w = (cd_real)cos(3 * acos(-1.0) / 8);
            from.position = cd_transform_point(&from, origin);
            to.position = cd_transform_point(&to, origin);
            if (off) to.position.y = (cd_real)0.75;
            CHECK_INT(cd_motion_make(off ? CD_MOTION_SCREW : (cd_motion_kind)kind, &from, &to, &m), CD_OK);
            CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &rest, &rest, &still), CD_OK);
            r = ASK("judge", cd_bvh_sweep_bvh_motions(&a, &still, &b, &m, NULL, NULL, NULL));
            t = (angle - acos(-1.0) / 4) / (acos(-1.0) / 2);
            if (kind == CD_MOTION_TURN_FIRST) t *= 0.5;
            if (kind == CD_MOTION_TURN_LAST) t = 0.5 + 0.5 * t;
            CHECK(r.status == CD_OK && r.hit);
            CHECK((double)r.t <= t + 1e-6 && (double)r.t >= t - (sizeof(cd_real) == 4 ? 1e-2 : 1e-4));
        }
        cd_bvh_destroy(&b);
    }
    cd_bvh_destroy(&a);
}

/* ---- volumes that turn ---- */

static cd_bvh_volume draw_volume(gen *g, int kind) {
    cd_capsule c;
    cd_triangle t;
    cd_obb b = gen_obb(g);
    cd_segment s = gen_segment(g);
    if (kind == 0) return cd_bvh_volume_sphere(gen_sphere(g));
    if (kind == 1) return cd_bvh_volume_aabb(gen_aabb(g));
    if (kind == 2) return cd_bvh_volume_obb(&b);
    t = gen_triangle(g);
    if (kind == 3) return cd_bvh_volume_triangle(&t);
    c.a = s.a;
    c.b = s.b;
    c.radius = gen_length(g);
    return cd_bvh_volume_capsule(&c);
}

static void turning_volumes_never_meet_before(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0, all = test_times(150);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_bvh_volume v = draw_volume(&g, (int)(i % 5)), at;
        cd_motion m = draw_motion(&rng, 3.0);
        cd_filter filter;
        cd_halving r;
        cd_closest c;
        scene s;
        draw(&rng, &s, GEN_UNIT);
        memset(&filter, 0, sizeof filter);
        filter.ignore_mask = s.o.pairs.ignore_a;
        for (int k = 0; k < 9; ++k)
            if (v.kind == CD_BVH_OBB) REALS(v.u.obb.half)[k % 3] *= (cd_real)0.7;
        r = cd_bvh_sweep_motion(&s.a.tree, &v, &m, NULL, &filter, &c);
        CHECK_INT(r.status, CD_OK);
        for (int k = 0; k <= 40; ++k) {
            cd_real t = (r.hit ? r.t : 1) * (cd_real)(k / 40.0);
            cd_transform pose = cd_motion_pose(&m, t);
            if (r.hit && t >= r.t) break;
            CHECK(cd_bvh_volume_transform(&v, &pose, 1, NULL, &at));
            CHECK(!cd_bvh_test_overlap(&s.a.tree, &at, &filter));
        }
        if (r.hit) {
            CHECK(c.index_a < s.a.count && c.index_b == 0);
            CHECK(c.sqdist <= (cd_real)1e-6);
        }
        hits += r.hit && r.t > 0;
        misses += !r.hit;
        forget(&s);
    }
    CHECK_SEEN(hits > all / 16 && misses > all / 16);
}

/* Boxes are solid: what is inside of one when it starts is met there, though its surface meets nothing, or only later. */
static void a_box_that_holds_something(void) {
    uint32_t numbers[6] = {0, 1, 2, 3, 4, 5};
    for (int i = 0; i < 32; ++i) {
        int inside = i % 2;
        bool late = i / 2 % 2, turned = i / 4 % 2, meets_later = i / 8 % 2;
        cd_vec3 corner[6], on[3] = {{5, 7, 9}, {(cd_real)5.5, 7, 9}, {5, (cd_real)7.5, 9}};
        cd_mesh_view view = cd_mesh_view_make(corner, 6, numbers, 2);
        cd_transform from = cd_transform_identity(), to = from, at;
        cd_obb box = {{5, 7, 9}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 2, 3}};
        cd_bvh_volume v = i < 16 ? cd_bvh_volume_aabb(cd_aabb_from_obb(&box)) : cd_bvh_volume_obb(&box);
        cd_halving_options o;
        cd_motion motion;
        cd_closest c;
        cd_halving r;
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        if (late) o.t_min = (cd_real)0.25;
        if (turned) to.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)0.01);
        if (meets_later) to.position.x = 3;
        for (int k = 0; k < 3; ++k) {
            corner[3 * inside + k] = on[k];
            corner[3 * (1 - inside) + k] = cd_vec3_add(on[k], cd_vec3_make(0, 0, 100));
        }
        memset(&c, 0x55, sizeof c);
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &motion), CD_OK);
        CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
        r = ASK("judge", cd_bvh_sweep_motion(&tree, &v, &motion, &o, NULL, &c));
        test_note("%d", i);
        CHECK(r.hit && r.status == CD_OK && r.t == o.t_min && r.gap == 0);
        CHECK(c.index_a == (uint32_t)inside && c.index_b == 0 && c.sqdist == 0);
        CHECK_VEC(c.a, c.b, 0);
        at = cd_motion_pose(&motion, o.t_min);
        CHECK_VEC(c.a, cd_transform_point(&at, box.center), 16 * CD_REAL_EPSILON * 16);
        cd_bvh_destroy(&tree);
    }
}

/* A box that flies comes upon a small thing before each half of each of its faces. */
static void every_face_of_a_box_meets(void) {
    static const double half[3] = {1, 2, 3},
                        spots[4][2] = {{0.7, 0.2}, {0.2, 0.7}, {-0.7, -0.2}, {-0.2, -0.7}};
    for (int i = 0; i < 48; ++i) {
        int k = i % 3, side = i / 3 % 2 ? 1 : -1, l = (k + 1) % 3, m = (k + 2) % 3;
        const double *spot = spots[i / 6 % 4];
        double center[3] = {5, 7, 9}, at[3];
        cd_transform from = cd_transform_identity(), to = from;
        uint32_t numbers[3] = {0, 1, 2};
        cd_vec3 corner[3];
        cd_mesh_view view = cd_mesh_view_make(corner, 3, numbers, 1);
        cd_bvh_volume v;
        cd_motion motion;
        cd_closest near_by;
        cd_halving r;
        cd_bvh tree;
        cd_obb box = {{5, 7, 9}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 2, 3}};
        for (int n = 0; n < 3; ++n) at[n] = center[n];
        at[k] += side * (half[k] + 1);
        at[l] += half[l] * spot[0];
        at[m] += half[m] * spot[1];
        for (int c = 0; c < 3; ++c) {
            corner[c] = cd_vec3_make((cd_real)at[0], (cd_real)at[1], (cd_real)at[2]);
            REALS(corner[c])[(k + c) % 3] += (cd_real)(c == 0 ? 0 : 0.01);
        }
        REALS(to.position)[k] = (cd_real)(4 * side);
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &motion), CD_OK);
        CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
        v = i < 24 ? cd_bvh_volume_aabb(cd_aabb_from_obb(&box)) : cd_bvh_volume_obb(&box);
        r = ASK("judge", cd_bvh_sweep_motion(&tree, &v, &motion, NULL, NULL, &near_by));
        CHECK(r.hit && r.status == CD_OK);
        CHECK_NEAR(r.t, 0.25, 1e-3);
        CHECK_INT(near_by.index_a, 0);
        for (int n = 0; n < 3; ++n) CHECK_NEAR(REALS(near_by.b)[n], at[n], 0.02);
        cd_bvh_destroy(&tree);
    }
}

void suite_bvh_sweep_bvh(void) {
    RUN(trees_meet_as_a_loop_says);
    RUN(parallel_edges_part_nothing);
    RUN(nothing_is_missed_or_late);
    RUN(swapped_trees_meet_at_the_same_time);
    RUN(the_unit_does_not_matter);
    RUN(far_and_fast_is_as_sharp);
    RUN(boxes_may_overlap_for_an_instant);
    RUN(resting_meshes_are_in_contact);
    RUN(moving_alike_is_rest);
    RUN(filters_pass_over_pairs);
    RUN(bad_input_meets_nothing);
    RUN(the_largest_numbers_meet);
    RUN(turning_trees_never_meet_before);
    RUN(straight_motions_agree);
    RUN(gliders_touch_down);
    RUN(gliders_of_any_size_touch_down);
    RUN(what_glides_and_then_turns);
    RUN(wheels_touch_down);
    RUN(turning_volumes_never_meet_before);
    RUN(a_box_that_holds_something);
    RUN(every_face_of_a_box_meets);
}
