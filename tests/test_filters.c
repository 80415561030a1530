/* What a filter passes over is as if it were not there: meshes against meshes, by all pairs of their triangles; trees that instances
 * hold, ray by ray; a mover. */
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define PRECISION 1e-11
#else
#define PRECISION 1e-5
#endif

enum { MOST = 12 };

typedef struct soup {
    cd_triangle t[MOST];
    uint32_t count;
    cd_bvh tree;
    cd_shape shape;
} soup;

static void soup_open(soup *s, test_rng *rng, double size) {
    gen_mesh m;
    s->count = (uint32_t)test_int(rng, 2, MOST);
    m = gen_mesh_soup(s->count, size, GEN_UNIT, rng);
    for (uint32_t i = 0; i < s->count; ++i) s->t[i] = gen_mesh_triangle(&m, i);
    {
        cd_mesh_view view = gen_mesh_view(&m);
        CHECK_INT(cd_bvh_build_mesh(&s->tree, &view, NULL), CD_OK);
    }
    gen_mesh_free(&m);
    s->shape = cd_shape_of_mesh(&s->tree, NULL);
}

static void soup_close(soup *s) {
    cd_bvh_destroy(&s->tree);
}

/* Of some pairs only. */
typedef struct choice {
    uint32_t step, rest;
    uint32_t count[2]; /* numbers beyond are told wrongly */
    long asked, wrong;
} choice;

static bool chosen(const choice *c, uint32_t a, uint32_t b) {
    return (a + 2 * b) % c->step == c->rest;
}

static bool ask_pair(void *user, const cd_part *a, const cd_part *b) {
    choice *c = (choice *)user;
    ++c->asked;
    c->wrong +=
        a->index >= c->count[0] || b->index >= c->count[1] || a->child != CD_NONE || b->child != CD_NONE;
    return chosen(c, a->index, b->index);
}

static bool ask_b(void *user, uint32_t b) {
    choice *c = (choice *)user;
    ++c->asked;
    c->wrong += b >= c->count[1];
    return chosen(c, 0, b);
}

static void draw_choice(choice *c, test_rng *rng, const soup *a, const soup *b) {
    memset(c, 0, sizeof *c);
    c->step = (uint32_t)test_int(rng, 2, 5);
    c->rest = (uint32_t)test_int(rng, 0, (int)c->step - 1);
    c->count[0] = a->count;
    c->count[1] = b->count;
}

/* ---- distances of meshes ---- */

static void distances(void) {
    static soup a, b;
    test_rng rng = test_random();
    long deep = 0, apart = 0;
    for (long n = test_times(600); n > 0; --n) {
        cd_transform at = gen_pose(&rng, test_int(&rng, 0, 1) ? 4.0 : 0.5);
        cd_shape_options o;
        choice c;
        double least = HUGE_VAL;
        cd_part_pair parts;
        cd_separation s;
        soup_open(&a, &rng, 0.5);
        soup_open(&b, &rng, 0.5);
        draw_choice(&c, &rng, &a, &b);
        memset(&o, 0, sizeof o);
        o.filter = ask_pair;
        o.user = &c;
        test_note("%u and %u triangles, %u of %u ", a.count, b.count, c.rest, c.step);
        test_note_reals("pose", REALS(at), 7);
        for (uint32_t i = 0; i < a.count; ++i)
            for (uint32_t k = 0; k < b.count; ++k) {
                cd_shape p = cd_shape_of_triangle(&a.t[i]), q = cd_shape_of_triangle(&b.t[k]);
                if (chosen(&c, i, k))
                    least = fmin(least, (double)cd_shape_distance(&p, &q, &at, NULL, NULL, NULL).distance);
            }
        s = cd_shape_distance(&a.shape, &b.shape, &at, &o, NULL, &parts);
        CHECK(s.status == CD_OK && c.wrong == 0);
        if (least > 1e9) {
            CHECK_SAME(s.distance, CD_REAL_MAX);
        } else {
            CHECK_NEAR(s.distance, least, 2 * PRECISION);
            CHECK(chosen(&c, parts.a.index, parts.b.index));
            if (fabs(least) > PRECISION)
                CHECK_INT(cd_shape_test(&a.shape, &b.shape, &at, &o, NULL, NULL), least < 0);
        }
        deep += least < 0;
        apart += least > 0;
        soup_close(&a);
        soup_close(&b);
    }
    CHECK_SEEN(deep > 0 && apart > 0);
}

/* ---- sweeps of meshes ---- */

static void sweeps(void) {
    static soup a, b;
    test_rng rng = test_random();
    long hits = 0, all = test_times(600);
    for (long n = all; n > 0; --n) {
        cd_transform at = gen_pose(&rng, 3.0);
        cd_vec3 motion = cd_vec3_scale(at.position, 2);
        cd_cast_options o;
        choice c;
        double least = HUGE_VAL;
        cd_hit hit;
        bool has;
        soup_open(&a, &rng, 0.5);
        soup_open(&b, &rng, 0.5);
        draw_choice(&c, &rng, &a, &b);
        memset(&o, 0, sizeof o);
        o.filter = ask_b;
        o.user = &c;
        test_note("%u and %u triangles, %u of %u ", a.count, b.count, c.rest, c.step);
        test_note_reals("pose", REALS(at), 7);
        for (uint32_t i = 0; i < a.count; ++i)
            for (uint32_t k = 0; k < b.count; ++k) {
                cd_shape p = cd_shape_of_triangle(&a.t[i]), q = cd_shape_of_triangle(&b.t[k]);
                if (chosen(&c, 0, k) && cd_shape_sweep(&p, motion, &q, &at, NULL, &hit, NULL))
                    least = fmin(least, (double)hit.t);
            }
        has = cd_shape_sweep(&a.shape, motion, &b.shape, &at, &o, &hit, NULL);
        CHECK_INT(c.wrong, 0);
        CHECK_INT(has, least < 2);
        if (has && least < 2) {
            double speed =
                fmin(fabs((double)cd_vec3_dot(hit.normal, motion)), 1); /* what grazes is early by more */
            CHECK_NEAR(((double)hit.t - least) * speed, 0, 2 * PRECISION);
            CHECK(chosen(&c, 0, hit.index));
            ++hits;
        }
        soup_close(&a);
        soup_close(&b);
    }
    CHECK_SEEN(hits > all / 10 && hits < all);
}

/* ---- meshes that turn ---- */

static cd_motion fly(test_rng *rng, double way) {
    cd_transform from = gen_pose(rng, way), to = gen_pose(rng, way);
    cd_motion m;
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &m), CD_OK);
    return m;
}

/* One that ends where another one does. */
static cd_motion fly_to(test_rng *rng, const cd_motion *goal) {
    cd_transform from = gen_pose(rng, 2.0), to = gen_pose(rng, 2.0);
    cd_motion m;
    to.position = cd_motion_pose(goal, 1).position;
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &m), CD_OK);
    return m;
}

static double most_of(cd_vec3 p) {
    return fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z)));
}

/* The largest coordinates of a body and of both ends of its motion. */
static double flight_size(const soup *s, const cd_motion *m) {
    cd_aabb box = cd_bvh_bounds(&s->tree);
    return fmax(fmax(most_of(box.min), most_of(box.max)),
                fmax(most_of(m->from.position), most_of(m->to.position)));
}

/* How far apart the nearest of the pairs that are left are at a time; below 0 where some meet. */
static double soups_apart(const soup *a, const soup *b, const choice *c, const cd_motion *fa,
                          const cd_motion *fb, cd_real t) {
    cd_transform pa = cd_motion_pose(fa, t), pb = cd_motion_pose(fb, t), at = cd_transform_relative(&pa, &pb);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < a->count; ++i)
        for (uint32_t k = 0; k < b->count; ++k) {
            cd_shape p = cd_shape_of_triangle(&a->t[i]), q = cd_shape_of_triangle(&b->t[k]);
            if (chosen(c, i, k))
                least = fmin(least, (double)cd_shape_distance(&p, &q, &at, NULL, NULL, NULL).distance);
        }
    return least;
}

/* None of the pairs meets from one time to just before another, looked at so many times. */
static bool soups_stay_apart(const soup *a, const soup *b, const choice *c, const cd_motion *fa,
                             const cd_motion *fb, double from, double to, int looks, double rounding) {
    for (int k = 0; k < looks && from < to; ++k)
        if (!CHECK(soups_apart(a, b, c, fa, fb, (cd_real)(from + (to - from) * k / looks)) >= -rounding))
            return false;
    return true;
}

/* Not late: none of the pairs meets before, which is looked at most closely from where one by itself was told to; and early by no more
 * than leaves them as near as promised. When they are is open, of two that graze each other, or one along the other, for long. */
static void impacts(void) {
    static soup a, b;
    test_rng rng = test_random();
    long hits = 0, all = test_times(200);
    for (long n = all; n > 0; --n) {
        cd_motion fa = fly(&rng, 1.0), fb = n % 2 ? fly(&rng, 2.0) : fly_to(&rng, &fa);
        cd_shape_options o;
        choice c;
        double least = 1, rounding, upto;
        cd_part_pair parts;
        cd_impact r;
        soup_open(&a, &rng, 0.4);
        soup_open(&b, &rng, 0.4);
        draw_choice(&c, &rng, &a, &b);
        memset(&o, 0, sizeof o);
        o.filter = ask_pair;
        o.user = &c;
        test_note("%u and %u triangles, %u of %u ", a.count, b.count, c.rest, c.step);
        for (uint32_t i = 0; i < a.count; ++i)
            for (uint32_t k = 0; k < b.count; ++k) {
                cd_shape p = cd_shape_of_triangle(&a.t[i]), q = cd_shape_of_triangle(&b.t[k]);
                if (!chosen(&c, i, k)) continue;
                r = cd_shape_time_of_impact(&p, &fa, &q, &fb, NULL, NULL);
                if (r.hit) least = fmin(least, (double)r.t);
            }
        r = cd_shape_time_of_impact(&a.shape, &fa, &b.shape, &fb, &o, &parts);
        CHECK(r.status == CD_OK && c.wrong == 0);
        rounding = 16 * (double)CD_REAL_EPSILON * (flight_size(&a, &fa) + flight_size(&b, &fb));
        upto = r.hit ? (double)r.t : 1;
        soups_stay_apart(&a, &b, &c, &fa, &fb, 0, upto, 10, rounding);
        soups_stay_apart(&a, &b, &c, &fa, &fb, least, upto, 50, rounding);
        if (r.hit) {
            double apart = soups_apart(&a, &b, &c, &fa, &fb, r.t);
            double most =
                ldexp(flight_size(&a, &fa) + flight_size(&b, &fb), sizeof(cd_real) == 4 ? -41 : -38);
            if (r.t > 0) CHECK_NEAR(r.distance, apart, rounding);
            CHECK((double)r.distance <= most);
            CHECK(chosen(&c, parts.a.index, parts.b.index));
            ++hits;
        } else {
            CHECK(soups_apart(&a, &b, &c, &fa, &fb, 1) >= -rounding);
        }
        soup_close(&a);
        soup_close(&b);
    }
    CHECK_SEEN(hits > all / 10 && hits < all);
}

/* ---- a volume that turns, and a tree ---- */

static bool ask_a(void *user, uint32_t a) {
    choice *c = (choice *)user;
    ++c->asked;
    c->wrong += a >= c->count[0];
    return chosen(c, a, 0);
}

/* How far the ball is from the nearest of the triangles that are left, at a time; below 0 where it reaches into one. */
static double ball_from(const soup *a, const choice *c, const cd_motion *m, cd_sphere ball, cd_real t) {
    cd_transform at = cd_motion_pose(m, t);
    cd_vec3 center = cd_transform_point(&at, ball.center);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < a->count; ++i) {
        cd_vec3 foot;
        if (!chosen(c, i, 0)) continue;
        foot = cd_closest_pt_point_triangle(center, &a->t[i]);
        least = fmin(least, (double)cd_vec3_dist(center, foot));
    }
    return least - (double)ball.radius;
}

/* Of a contact that is told how far apart the two may still be: what is taken off for rounding, and the way of 2^-24 (2^-53) of the time. */
static double open_at_hit(const soup *a, const cd_motion *m, cd_sphere ball) {
    cd_aabb box = cd_bvh_bounds(&a->tree);
    double from = most_of(m->from.position), to = most_of(m->to.position), size = from + to;
    size += most_of(box.min) + most_of(box.max) + 2 * (double)ball.radius;
    return (16 * (double)CD_REAL_EPSILON + 1e-10) * size +
           ldexp(2, sizeof(cd_real) == 4 ? -24 : -53) * (from + to);
}

/* Nothing is touched before the answer, whatever its status; and a contact is told where the ball is as near as that leaves open, at
 * whatever time: one that flies along a triangle is so near to it for long, and may use up all iterations, which says no more than
 * that nothing is touched before. */
static void flights(void) {
    static soup a;
    test_rng rng = test_random();
    long hits = 0, all = test_times(300);
    for (long n = all; n > 0; --n) {
        cd_motion fly_by = fly(&rng, 1.0);
        cd_sphere ball;
        cd_bvh_volume v;
        cd_filter filter;
        choice c;
        double rounding;
        cd_closest near_by;
        cd_halving r;
        soup_open(&a, &rng, 0.4);
        draw_choice(&c, &rng, &a, &a);
        ball.center = cd_vec3_make(0, 0, 0);
        ball.radius = (cd_real)test_range(&rng, 0, 0.5);
        v = cd_bvh_volume_sphere(ball);
        memset(&filter, 0, sizeof filter);
        filter.filter = ask_a;
        filter.user = &c;
        test_note("%u triangles, %u of %u ", a.count, c.rest, c.step);
        rounding =
            8 * (double)CD_REAL_EPSILON * (most_of(fly_by.from.position) + most_of(fly_by.to.position) + 1);
        r = cd_bvh_sweep_motion(&a.tree, &v, &fly_by, NULL, &filter, &near_by);
        CHECK(r.status == CD_OK || (r.status == CD_NOT_CONVERGED && r.hit && r.iterations == 1024));
        CHECK_INT(c.wrong, 0);
        for (int k = 0; k < 200; ++k) {
            cd_real t = (r.hit ? r.t : 1) * (cd_real)(k / 200.0);
            if (!r.hit || t < r.t) CHECK(ball_from(&a, &c, &fly_by, ball, t) > -rounding);
        }
        if (!r.hit) CHECK(ball_from(&a, &c, &fly_by, ball, 1) > -rounding);
        if (r.hit) {
            double apart = ball_from(&a, &c, &fly_by, ball, r.t);
            CHECK((double)r.gap <= fmax(apart, 0) + rounding);
            if (r.status == CD_OK) CHECK(apart <= open_at_hit(&a, &fly_by, ball) + rounding);
            CHECK(near_by.index_a < a.count && chosen(&c, near_by.index_a, 0));
            ++hits;
        }
        soup_close(&a);
    }
    CHECK_SEEN(hits > all / 50 && hits < all);
}

/* ---- movers ---- */

/* Floors, one upon the other, and a wall: what is passed over is neither stood on nor run into; planes are those that are left. */
static bool not_these(void *user, uint32_t index) {
    return !(*(const uint32_t *)user >> index & 1u);
}

static void movers(void) {
    static const double box[3][6] = {{-9, -9, -1, 9, 9, 0}, {-9, -9, -2, 9, 9, -1.5}, {2, -9, -1, 3, 9, 9}};
    cd_shape part[3], level, body;
    cd_placed_shape placed[3];
    cd_compound list;
    cd_sphere ball = {{0, 0, 0}, (cd_real)0.5};
    for (int i = 0; i < 3; ++i) {
        cd_aabb b;
        b.min = cd_vec3_make((cd_real)box[i][0], (cd_real)box[i][1], (cd_real)box[i][2]);
        b.max = cd_vec3_make((cd_real)box[i][3], (cd_real)box[i][4], (cd_real)box[i][5]);
        part[i] = cd_shape_of_aabb(b);
        placed[i].shape = &part[i];
        placed[i].pose = cd_transform_identity();
    }
    list = cd_compound_of(placed, 3);
    level = cd_shape_of_compound(&list);
    body = cd_shape_of_sphere(ball);
    for (uint32_t without = 0; without < 8; ++without) {
        cd_transform at = cd_transform_identity();
        cd_mover_options o;
        cd_mover_result r;
        cd_mover_plane plane[4];
        uint32_t ground = without & 1u ? without & 2u ? CD_NONE : 1u : 0u;
        double x = without & 4u ? 4 : 2 - 0.51, z = ground == 0 ? 0.51 : ground == 1 ? -1.5 + 0.51 : -3.0;
        size_t count;
        memset(&o, 0, sizeof o);
        o.up = cd_vec3_make(0, 0, 1);
        o.skin = (cd_real)0.01;
        o.filter = not_these;
        o.user = &without;
        at.position = cd_vec3_make(0, 0, 1);
        test_note("without %u ", without);
        r = cd_mover_slide(&level, &body, &at, cd_vec3_make(0, 0, -4), &o);
        CHECK_INT(r.status, CD_OK);
        CHECK_NEAR(r.pose.position.z, z, 2e-3);
        if (ground != CD_NONE) CHECK_INT(r.ground_part.child, ground);
        if (ground == CD_NONE) CHECK(r.ground.z == 0);
        at = r.pose;
        r = cd_mover_slide(&level, &body, &at, cd_vec3_make(4, 0, 0), &o);
        CHECK_NEAR(r.pose.position.x, ground == CD_NONE ? 4 : x, 2e-3);
        at.position = cd_vec3_make((cd_real)1.55, 0, (cd_real)0.45);
        count = ASK("judge", cd_mover_planes(&level, &body, &at, 0, &o, plane, 4));
        CHECK_INT(count, (without & 1u ? 0 : 1) + (without & 4u ? 0 : 1));
        for (size_t i = 0; i < count && i < 4; ++i) CHECK(!(without >> plane[i].part.child & 1u));
    }
}

/* ---- trees of trees ---- */

/* Many rays at once are the same as each alone. */
static void rays_of_instances(void) {
    static soup s[2];
    test_rng rng = test_random();
    long hits = 0, all = 0;
    for (long n = test_times(500); n > 0; --n) {
        cd_bvh_instance in[4];
        cd_bvh_instances scene;
        cd_ray ray[16];
        cd_real t_max[16];
        cd_hit hit[16], one;
        uint32_t which[16], told;
        cd_cast_options o;
        size_t found = 0, got;
        bool bounded = test_int(&rng, 0, 1) != 0, written = test_int(&rng, 0, 3) != 0;
        memset(&o, 0, sizeof o);
        memset(in, 0, sizeof in);
        soup_open(&s[0], &rng, 0.8);
        soup_open(&s[1], &rng, 0.8);
        for (int i = 0; i < 4; ++i) {
            in[i].tree = &s[i % 2].tree;
            in[i].pose = gen_pose(&rng, 2.0);
            in[i].scale = 1;
            in[i].mask = 1u << i;
        }
        o.ignore_mask = (uint32_t)test_int(&rng, 0, 15);
        CHECK_INT(cd_bvh_instances_build(&scene, in, 4, NULL), CD_OK);
        for (int i = 0; i < 16; ++i) {
            cd_vec3 from = gen_pose(&rng, 4.0).position, to = gen_pose(&rng, 1.0).position;
            ray[i] = cd_ray_through(from, to);
            t_max[i] = (cd_real)test_range(&rng, 0, 2);
        }
        memset(hit, 0x55, sizeof hit);
        got = ASK("loop", cd_bvh_instances_cast_rays(&scene, ray, bounded ? t_max : NULL, 16, &o,
                                                     written ? hit : NULL, written ? which : NULL));
        for (int i = 0; i < 16; ++i) {
            bool has =
                cd_bvh_instances_cast_ray(&scene, &ray[i], bounded ? t_max[i] : CD_REAL_MAX, &o, &one, &told);
            found += has ? 1 : 0;
            if (!written) continue;
            CHECK_INT(hit[i].index, has ? one.index : CD_NONE);
            CHECK_INT(which[i], has ? told : CD_NONE);
            if (has) CHECK_SAME(hit[i].t, one.t);
            if (has) CHECK_VEC(hit[i].point, one.point, 0);
            if (has) CHECK_VEC(hit[i].normal, one.normal, 0);
        }
        CHECK_INT(got, found);
        hits += (long)found;
        all += 16;
        cd_bvh_instances_destroy(&scene);
        soup_close(&s[0]);
        soup_close(&s[1]);
    }
    CHECK_SEEN(hits > all / 50 && hits < all);
}

void suite_filters(void) {
    RUN(distances);
    RUN(sweeps);
    RUN(impacts);
    RUN(flights);
    RUN(movers);
    RUN(rays_of_instances);
}
