/* Moving things against planes and half-spaces: the height of each is linear in time, so a long double is all it takes. */
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

/* What moves: center, half edges or semi-axes, a radius around it. */
typedef struct mover {
    int shape;
    bool round;
    real center[3], edge[3][3], radius, most;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_aabb box;
    cd_obb obb;
    cd_ellipsoid ellipsoid;
} mover;

enum { SPHERE, CAPSULE, AABB, OBB, ELLIPSOID, SHAPES };

static void take(real to[3], cd_vec3 v, real scale) {
    to[0] = (real)v.x * scale;
    to[1] = (real)v.y * scale;
    to[2] = (real)v.z * scale;
}

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Also flat ones. */
static cd_real some_length(gen *g) {
    return test_int(g->rng, 0, 4) ? gen_length(g) : (cd_real)0;
}

static void fill_middle(mover *m, cd_vec3 a, cd_vec3 b, real half[3]) {
    real p[3], q[3];
    take(p, a, 0.5L);
    take(q, b, 0.5L);
    for (int i = 0; i < 3; ++i) {
        m->center[i] = p[i] + q[i];
        half[i] = q[i] - p[i];
    }
}

static void fill_axes(mover *m, const cd_obb *b) {
    take(m->center, b->center, 1);
    take(m->edge[0], b->axes.col[0], (real)b->half.x);
    take(m->edge[1], b->axes.col[1], (real)b->half.y);
    take(m->edge[2], b->axes.col[2], (real)b->half.z);
}

static mover any_mover(gen *g, int shape) {
    mover m;
    real half[3] = {0, 0, 0};
    memset(&m, 0, sizeof m);
    m.shape = shape;
    m.sphere.center = gen_point(g);
    m.sphere.radius = some_length(g);
    m.capsule.a = gen_point(g);
    m.capsule.b = test_int(g->rng, 0, 7) ? gen_point(g) : m.capsule.a;
    m.capsule.radius = some_length(g);
    m.box = gen_aabb(g);
    m.obb = gen_obb(g);
    m.obb.half = cd_vec3_make(some_length(g), some_length(g), some_length(g));
    m.ellipsoid.center = m.obb.center;
    m.ellipsoid.axes = m.obb.axes;
    m.ellipsoid.half = m.obb.half;
    if (shape == SPHERE) take(m.center, m.sphere.center, 1);
    if (shape == SPHERE) m.radius = (real)m.sphere.radius;
    if (shape == CAPSULE) fill_middle(&m, m.capsule.a, m.capsule.b, m.edge[0]);
    if (shape == CAPSULE) m.radius = (real)m.capsule.radius;
    if (shape == AABB) fill_middle(&m, m.box.min, m.box.max, half);
    for (int i = 0; i < 3 && shape == AABB; ++i) m.edge[i][i] = half[i];
    if (shape >= OBB) fill_axes(&m, &m.obb);
    m.round = shape == ELLIPSOID;
    return m;
}

static bool sweep(const mover *m, cd_vec3 motion, cd_plane p, bool solid, const cd_cast_options *o,
                  cd_hit *hit) {
    switch (m->shape) {
    case SPHERE:
        return solid ? ASK("judge", cd_sweep_sphere_halfspace(m->sphere, motion, p, o, hit))
                     : ASK("judge", cd_sweep_sphere_plane(m->sphere, motion, p, o, hit));
    case CAPSULE:
        return solid ? ASK("judge", cd_sweep_capsule_halfspace(&m->capsule, motion, p, o, hit))
                     : ASK("judge", cd_sweep_capsule_plane(&m->capsule, motion, p, o, hit));
    case AABB:
        return solid ? ASK("judge", cd_sweep_aabb_halfspace(m->box, motion, p, o, hit))
                     : ASK("judge", cd_sweep_aabb_plane(m->box, motion, p, o, hit));
    case OBB:
        return solid ? ASK("judge", cd_sweep_obb_halfspace(&m->obb, motion, p, o, hit))
                     : ASK("judge", cd_sweep_obb_plane(&m->obb, motion, p, o, hit));
    default:
        return solid ? ASK("judge", cd_sweep_ellipsoid_halfspace(&m->ellipsoid, motion, p, o, hit))
                     : ASK("judge", cd_sweep_ellipsoid_plane(&m->ellipsoid, motion, p, o, hit));
    }
}

static bool static_test(const mover *m, cd_plane p, bool solid) {
    switch (m->shape) {
    case SPHERE: return solid ? cd_test_sphere_halfspace(m->sphere, p) : cd_test_sphere_plane(m->sphere, p);
    case CAPSULE:
        return solid ? cd_test_capsule_halfspace(&m->capsule, p) : cd_test_capsule_plane(&m->capsule, p);
    case AABB: return solid ? cd_test_aabb_halfspace(m->box, p) : cd_test_aabb_plane(m->box, p);
    case OBB: return solid ? cd_test_obb_halfspace(&m->obb, p) : cd_test_obb_plane(&m->obb, p);
    default:
        return solid ? cd_test_ellipsoid_halfspace(&m->ellipsoid, p)
                     : cd_test_ellipsoid_plane(&m->ellipsoid, p);
    }
}

/* How far it reaches along w. */
static real reach_along(const mover *m, const real w[3]) {
    real sum = 0;
    for (int i = 0; i < 3; ++i) {
        real part = dot(m->edge[i], w);
        sum += m->round ? part * part : fabsl(part);
    }
    return (m->round ? sqrtl(sum) : sum) + m->radius * sqrtl(dot(w, w));
}

/* The scene: height of the centre, its growth, the reach, all along the unit normal. */
typedef struct scene {
    real normal[3], height, speed, reach, most, length;
} scene;

static scene scene_of(const mover *m, const real motion[3], cd_plane p) {
    scene s;
    take(s.normal, p.n, 1);
    s.length = sqrtl(dot(s.normal, s.normal));
    s.height = (dot(s.normal, m->center) - (real)p.d) / s.length;
    s.speed = dot(s.normal, motion) / s.length;
    for (int i = 0; i < 3; ++i) s.normal[i] /= s.length;
    s.reach = reach_along(m, s.normal);
    s.most = m->radius;
    for (int i = 0; i < 3; ++i) {
        s.most = fmaxl(s.most, fmaxl(fabsl(m->center[i]), fabsl(motion[i])));
        for (int j = 0; j < 3; ++j) s.most = fmaxl(s.most, fabsl(m->edge[j][i]));
    }
    return s;
}

/* How far it still is from the plane at t; below 0 where it reaches through. */
static real gap_at(const scene *s, real t, bool solid) {
    real height = s->height + t * s->speed;
    return (solid ? height : fabsl(height)) - s->reach;
}

/* As is documented, with 32 of the least numbers. */
static real excess_of(const scene *s) {
#ifdef COLLIDE_DOUBLE
    return ldexpl(s->most, -40) + ldexpl(1, -1069);
#else
    return ldexpl(s->most, -44);
#endif
}

/* A few of the least numbers. */
static real few_of_the_least(void) {
    return ldexpl(1, sizeof(cd_real) == 4 ? -147 : -1072);
}

/* What the arithmetic here may be off. */
static real noise_of(const scene *s) {
    return 64 * (real)LDBL_EPSILON * (s->most + s->reach + fabsl(s->height));
}

static bool is_finite_hit(const cd_hit *h) {
    return cd_vec3_is_valid(h->point) && cd_vec3_is_valid(h->normal) && cd_is_finite(h->t);
}

/* The point is on the plane, and in the thing where it is then. */
static void judge_point(test_rng *rng, const mover *m, const scene *s, const real motion[3], cd_plane p,
                        const cd_hit *hit, real deep) {
    real at[3], plane[3], margin, slack;
    take(at, hit->point, 1);
    take(plane, p.n, 1 / s->length);
    margin = 8 * (sizeof(cd_real) == 4 ? (real)FLT_EPSILON : (real)DBL_EPSILON);
    margin *= fmaxl(s->most, fmaxl(fabsl(at[0]), fmaxl(fabsl(at[1]), fabsl(at[2]))));
    slack = fabsl(dot(plane, at) - (real)p.d / s->length);
    margin += few_of_the_least();
    CHECK(slack <= margin + noise_of(s));
    for (int i = 0; i < 3; ++i) at[i] -= m->center[i] + (real)hit->t * motion[i];
    for (int k = 0; k < 8; ++k) {
        real w[3], length;
        for (int i = 0; i < 3; ++i) w[i] = test_range(rng, -1, 1);
        length = sqrtl(dot(w, w));
        CHECK(dot(w, at) <= reach_along(m, w) + (8 * margin + excess_of(s) + deep) * length);
    }
}

static bool judge(test_rng *rng, const mover *m, cd_vec3 v, cd_plane p, bool solid) {
    real motion[3], gap, step, deep;
    scene s;
    cd_hit hit;
    bool got = sweep(m, v, p, solid, NULL, &hit), start;
    take(motion, v, 1);
    s = scene_of(m, motion, p);
    gap = gap_at(&s, 0, solid);
    start = got && (hit.flags & CD_HIT_START) != 0;
    if (static_test(m, p, solid)) CHECK(start);
    if (gap <= 0) CHECK(start);
    if (gap > excess_of(&s) + noise_of(&s)) CHECK(!start);
    if (!got) {
        real end = s.height + s.speed;
        CHECK(gap_at(&s, 1, solid) > 0 && (solid || (end > 0) == (s.height > 0)));
        return false;
    }
    step = (real)nextafter((double)hit.t, 2) - (real)hit.t;
#ifndef COLLIDE_DOUBLE
    step = (real)nextafterf(hit.t, 2) - (real)hit.t;
#endif
    CHECK(is_finite_hit(&hit) && hit.t >= 0 && hit.t <= 1);
    gap = gap_at(&s, (real)hit.t, solid);
    if (!start) CHECK(gap >= -noise_of(&s));
    if (!start && !solid) CHECK((s.height > 0) == (s.height + (real)hit.t * s.speed > 0));
    if (!start) CHECK(gap <= excess_of(&s) + 2 * step * fabsl(s.speed) + noise_of(&s));
    if (!start)
        CHECK((solid || s.height > 0) ==
              ((real)hit.normal.x * s.normal[0] + (real)hit.normal.y * s.normal[1] +
                   (real)hit.normal.z * s.normal[2] >
               0));
    if (!solid && fabsl(s.speed) > excess_of(&s)) CHECK_INT((hit.flags & CD_HIT_BACK) != 0, s.speed > 0);
    if (solid) CHECK((hit.flags & CD_HIT_BACK) == 0);
    deep = start ? fmaxl(-gap, 0) : 2 * step * fabsl(s.speed);
    judge_point(rng, m, &s, motion, p, &hit, deep);
    return true;
}

/* A plane at some distance, or one that the thing touches but for rounding, now or at the end. */
static cd_plane any_plane(gen *g, const mover *m, cd_vec3 v) {
    cd_plane p;
    real motion[3];
    scene s;
    p.n = gen_direction(g);
    p.d = cd_vec3_dot(p.n, gen_point(g));
    if (test_int(g->rng, 0, 2) == 0) {
        int axis = test_int(g->rng, 0, 2);
        cd_real by = test_int(g->rng, 0, 1) ? (cd_real)1 : (cd_real)-0.5;
        p.n = cd_vec3_make(axis == 0 ? by : 0, axis == 1 ? by : 0, axis == 2 ? by : 0);
    }
    if (test_int(g->rng, 0, 2) == 0) {
        take(motion, v, 1);
        s = scene_of(m, motion, p);
        s.height += (real)p.d / s.length;
        if (test_int(g->rng, 0, 1)) s.height += s.speed;
        s.height += test_int(g->rng, 0, 1) ? s.reach : -s.reach;
        p.d = gen_near(g->rng, (cd_real)(s.height * s.length));
    }
    return p;
}

static cd_vec3 any_motion(gen *g) {
    cd_vec3 v = cd_vec3_scale(gen_direction(g), (cd_real)test_range(g->rng, 0.1, 4));
    int kind = test_int(g->rng, 0, 11), axis = test_int(g->rng, 0, 2);
    if (kind == 0) return cd_vec3_make(0, 0, 0);
    if (kind == 1) return cd_vec3_scale(v, (cd_real)1e-6);
    if (kind < 4) return cd_vec3_make(axis == 0 ? v.x : 0, axis == 1 ? v.y : 0, axis == 2 ? v.z : 0);
    return v;
}

static void note(const mover *m, cd_vec3 v, cd_plane p) {
    test_note("shape %d", m->shape);
    test_note_reals("sphere", REALS(m->sphere), 4);
    test_note_reals("capsule", REALS(m->capsule), 7);
    test_note_reals("aabb", REALS(m->box), 6);
    test_note_reals("obb", REALS(m->obb), 15);
    test_note_reals("motion", &v.x, 3);
    test_note_reals("plane", REALS(p), 4);
}

static void contacts_are_never_late(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0, starts = 0;
    for (long i = test_times(30000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        mover m = any_mover(&g, (int)(i / GEN_KINDS % SHAPES));
        cd_vec3 v = any_motion(&g);
        cd_plane p = any_plane(&g, &m, v);
        bool solid = test_int(&rng, 0, 1) == 1, hit;
        if (!cd_plane_is_valid(&p)) continue;
        note(&m, v, p);
        hit = judge(&rng, &m, v, p, solid);
        starts += static_test(&m, p, solid);
        hits += hit;
        misses += !hit;
    }
    CHECK_SEEN(hits > 100 && misses > 100 && starts > 100);
}

/* A point that is the least number over the plane: in contact for the test at rest, and so for the sweep, too. */
static void the_least_number_over_it(void) {
    cd_obb b;
    cd_plane p = {{0, 1, 0}, 0};
    cd_vec3 still = {0, 0, 0};
    cd_hit hit;
    memset(&b, 0, sizeof b);
    b.axes = cd_mat3_identity();
    p.d = sizeof(cd_real) == 4 ? -(cd_real)ldexp(1, -149) : -(cd_real)ldexp(1, -1074);
    CHECK_INT(cd_sweep_obb_plane(&b, still, p, NULL, &hit), cd_test_obb_plane(&b, p));
    CHECK_INT(cd_sweep_obb_halfspace(&b, still, p, NULL, &hit), cd_test_obb_halfspace(&b, p));
}

/* How far a point is from the edge that the thing has at t. */
static real way_to_edge(const mover *m, int edge, cd_vec3 motion, const cd_hit *hit) {
    const real *e = m->edge[edge];
    real q[3], v[3], off[3], along;
    take(q, hit->point, 1);
    take(v, motion, (real)hit->t);
    for (int i = 0; i < 3; ++i) q[i] -= m->center[i] + v[i];
    along = fminl(fmaxl(dot(q, e) / dot(e, e), -1), 1);
    for (int i = 0; i < 3; ++i) off[i] = q[i] - along * e[i];
    return sqrtl(dot(off, off));
}

static void judge_edge(const cd_obb *box, int edge, cd_vec3 v, cd_plane p) {
    for (int shape = OBB; shape <= ELLIPSOID; ++shape) {
        mover m;
        real motion[3];
        scene s;
        cd_hit hit;
        memset(&m, 0, sizeof m);
        m.shape = shape;
        m.obb = *box;
        m.ellipsoid.center = box->center;
        m.ellipsoid.axes = box->axes;
        m.ellipsoid.half = box->half;
        fill_axes(&m, box);
        take(motion, v, 1);
        s = scene_of(&m, motion, p);
        for (int solid = 0; solid < 2; ++solid) {
            CHECK(sweep(&m, v, p, solid == 1, NULL, &hit));
            CHECK(way_to_edge(&m, edge, v, &hit) <= excess_of(&s));
        }
    }
}

/* An edge that is tilted and about as high as the excess, and that far over the plane: the point is below its lower end, as below
 * its middle it would be farther from it than the excess. */
static void tilted_edges_as_high_as_the_excess(void) {
    cd_plane p = {{0, 1, 0}, 0};
    cd_obb b;
    real unit = ldexpl(1, sizeof(cd_real) == 4 ? -45 : -41);
    memset(&b, 0, sizeof b);
    b.axes = cd_mat3_identity();
    b.axes.col[0] = cd_vec3_make((cd_real)0.8, (cd_real)0.6, 0);
    b.axes.col[1] = cd_vec3_make((cd_real)-0.6, (cd_real)0.8, 0);
    b.half.x = (cd_real)(2.4L * unit);
    b.center = cd_vec3_make(0, (cd_real)(2.9L * unit), 1);
    judge_edge(&b, 0, cd_vec3_make(0, 0, 0), p);
#ifdef COLLIDE_DOUBLE
    {
        cd_obb c = {{0x1.cbc49071c1c98p+19, -0x1.4909ccfc71e08p+180, -0x1.365ddee3f0214p+141},
                    {{{0x1.458022ee119dcp-1, 0x1.8b15b6d83bb32p-1, -0x1.42362dfd4315p-6},
                      {-0x1.90c824bbc0ef8p-2, 0x1.337e397a6c5d3p-2, -0x1.bd5d4c4525c5bp-1},
                      {-0x1.54a45206e7dfcp-1, 0x1.1f140fc014b07p-1, 0x1.f8bffbb1b3bc3p-2}}},
                    {0, 0x1.78ad79c558f2p+141, 0x1.bab3084887d2p-190}};
        cd_vec3 v = {-0x1.0be5f14a0140ep+47, 0x1.1b3a8932da91bp+164, -0x1.a528c5a8d08a4p+152};
        cd_plane q = {{0, -0.5, 0}, 0x1.4908b1c1e7cb4p+179};
        judge_edge(&c, 1, v, q);
    }
#endif
}

static bool is_zero(cd_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Each against the answer without options. */
static void judge_options(const mover *m, cd_vec3 v, cd_plane p, bool solid) {
    cd_cast_options o = {0};
    cd_hit plain, hit, untouched;
    bool got = sweep(m, v, p, solid, NULL, &plain), back, start, is;
    real n[3], d[3], along;
    memset(&hit, 0x55, sizeof hit);
    untouched = hit;
    CHECK_INT(sweep(m, v, p, solid, NULL, NULL), got);
    if (!got) plain.flags = 0;
    back = (plain.flags & CD_HIT_BACK) != 0;
    start = (plain.flags & CD_HIT_START) != 0;
    o.flags = CD_CAST_CULL_FRONT;
    CHECK_INT(sweep(m, v, p, solid, &o, NULL), got && back && !solid);
    o.flags = CD_CAST_CULL_BACK;
    CHECK_INT(sweep(m, v, p, solid, &o, NULL), got && !back);
    o.flags = CD_CAST_START_IGNORE;
    is = sweep(m, v, p, solid, &o, &hit);
    CHECK_INT(is, got && !start);
    if (!is) CHECK_SAME(hit.t, untouched.t);
    if (!start) return;
    o.flags = CD_CAST_START_DEPTH;
    CHECK(sweep(m, v, p, solid, &o, &hit) && hit.t == 0 && hit.depth >= 0);
    take(n, hit.normal, 1);
    take(d, v, 1);
    along = dot(n, d);
    o.flags = CD_CAST_START_LEAVING;
    is = sweep(m, v, p, solid, &o, NULL);
    if (fabsl(along) > 1e-5L * sqrtl(dot(d, d))) CHECK_INT(is, along < 0);
    if (is_zero(v)) CHECK(!is);
}

static void depth_ends_the_overlap(const mover *m, cd_vec3 v, cd_plane p, bool solid) {
    cd_cast_options o = {0};
    cd_hit hit;
    real motion[3], margin, excess;
    scene s;
    o.flags = CD_CAST_START_DEPTH;
    if (!sweep(m, v, p, solid, &o, &hit) || !(hit.flags & CD_HIT_START)) return;
    take(motion, v, 1);
    s = scene_of(m, motion, p);
    excess = excess_of(&s);
    take(motion, hit.normal, (real)hit.depth);
    s = scene_of(m, motion, p);
    margin = 8 * (sizeof(cd_real) == 4 ? (real)FLT_EPSILON : (real)DBL_EPSILON) * (s.most + (real)hit.depth);
    CHECK(fabsl(gap_at(&s, 1, solid)) <= margin + excess + few_of_the_least());
}

static void options_and_starts(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        mover m = any_mover(&g, (int)(i / GEN_KINDS % SHAPES));
        cd_vec3 v = any_motion(&g);
        cd_plane p = any_plane(&g, &m, v);
        bool solid = test_int(&rng, 0, 1) == 1;
        if (!cd_plane_is_valid(&p)) continue;
        note(&m, v, p);
        judge_options(&m, v, p, solid);
        depth_ends_the_overlap(&m, v, p, solid);
    }
}

/* A sweep that begins at t_min is one of the thing moved there, whole numbers. */
static void t_min_moves_the_start(void) {
    cd_cast_options o = {0};
    cd_sphere s = {{0, 0, 10}, 1};
    cd_plane p = {{0, 0, 2}, 4};
    cd_hit hit;
    o.t_min = (cd_real)0.25;
    CHECK(cd_sweep_sphere_plane(s, cd_vec3_make(0, 0, -16), p, &o, &hit));
    CHECK_NEAR(hit.t, 7.0 / 16.0, 1e-6);
    o.t_min = (cd_real)0.5;
    CHECK(cd_sweep_sphere_plane(s, cd_vec3_make(0, 0, -16), p, &o, &hit) && (hit.flags & CD_HIT_START));
    CHECK_SAME(hit.t, 0.5);
    o.t_min = (cd_real)0.75;
    CHECK(!cd_sweep_sphere_plane(s, cd_vec3_make(0, 0, -16), p, &o, &hit));
    CHECK(cd_sweep_sphere_halfspace(s, cd_vec3_make(0, 0, -16), p, &o, &hit));
    o.t_min = 2;
    CHECK(!cd_sweep_sphere_halfspace(s, cd_vec3_make(0, 0, -16), p, &o, &hit));
}

/* Ericson 5.5.3: the printed IntersectMovingSpherePlane says of a sphere behind the plane that moves towards it that it is
 * parallel or moves away, and takes the plane at +r for it. */
static void erratum_of_the_sphere_behind(void) {
    cd_plane p = {{0, 1, 0}, 0};
    cd_sphere below = {{3, -5, 2}, 1}, above = {{3, 5, 2}, 1};
    cd_hit hit;
    CHECK(cd_sweep_sphere_plane(below, cd_vec3_make(0, 8, 0), p, NULL, &hit));
    CHECK_NEAR(hit.t, 0.5, 1e-6);
    CHECK_VEC(hit.point, cd_vec3_make(3, 0, 2), 1e-6);
    CHECK_VEC(hit.normal, cd_vec3_make(0, -1, 0), 0);
    CHECK_INT(hit.flags, CD_HIT_BACK);
    CHECK_INT(hit.feature, CD_FEATURE(3u, 0u));
    CHECK(cd_sweep_sphere_plane(above, cd_vec3_make(1, -8, 0), p, NULL, &hit));
    CHECK_NEAR(hit.t, 0.5, 1e-6);
    CHECK_VEC(hit.normal, cd_vec3_make(0, 1, 0), 0);
    CHECK_INT(hit.flags, 0);
    CHECK(!cd_sweep_sphere_plane(below, cd_vec3_make(0, -8, 0), p, NULL, NULL));
    CHECK(!cd_sweep_sphere_plane(above, cd_vec3_make(0, 8, 0), p, NULL, NULL));
    CHECK(!cd_sweep_sphere_plane(above, cd_vec3_make(8, 0, 0), p, NULL, NULL));
    CHECK(cd_sweep_sphere_halfspace(below, cd_vec3_make(0, -8, 0), p, NULL, &hit));
    CHECK_INT(hit.flags, CD_HIT_START);
}

static void points_are_the_middles(void) {
    cd_plane p = {{0, 0, 0.5f}, 0};
    cd_aabb b = {{1, 1, 2}, {3, 5, 4}};
    cd_capsule c = {{-1, 0, 3}, {5, 0, 3}, 1};
    cd_hit hit;
    CHECK(cd_sweep_aabb_plane(b, cd_vec3_make(0, 0, -4), p, NULL, &hit));
    CHECK_VEC(hit.point, cd_vec3_make(2, 3, 0), 1e-5);
    CHECK_NEAR(hit.t, 0.5, 1e-6);
    CHECK(cd_sweep_capsule_halfspace(&c, cd_vec3_make(0, 0, -4), p, NULL, &hit));
    CHECK_VEC(hit.point, cd_vec3_make(2, 0, 0), 1e-5);
}

static void bad_input_is_false(void) {
    cd_plane p = {{0, 0, 1}, 0}, none = {{0, 0, 0}, 0};
    cd_sphere s = {{0, 0, 0}, 1}, bad = {{0, 0, 0}, -1};
    cd_vec3 v = cd_vec3_make(0, 0, -1);
    CHECK(cd_sweep_sphere_plane(s, v, p, NULL, NULL));
    CHECK(!cd_sweep_sphere_plane(s, v, none, NULL, NULL));
    CHECK(!cd_sweep_sphere_plane(bad, v, p, NULL, NULL));
    v.x = (cd_real)NAN;
    CHECK(!cd_sweep_sphere_plane(s, v, p, NULL, NULL));
    v.x = (cd_real)INFINITY;
    CHECK(!cd_sweep_sphere_halfspace(s, v, p, NULL, NULL));
}

void suite_sweep_plane(void) {
    RUN(contacts_are_never_late);
    RUN(the_least_number_over_it);
    RUN(tilted_edges_as_high_as_the_excess);
    RUN(options_and_starts);
    RUN(t_min_moves_the_start);
    RUN(erratum_of_the_sphere_behind);
    RUN(points_are_the_middles);
    RUN(bad_input_is_false);
}
