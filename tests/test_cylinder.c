/* Cylinders, cones and discs against their definitions: exact numbers for verdicts, long doubles for the rest. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* The three kinds as what they have in common: points whose height over `from` along d is in 0...h, no farther from the axis than
 * the radius there. */
typedef enum round_kind { CYLINDER, CONE, DISC } round_kind;

typedef struct round_shape {
    round_kind kind;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_disc disc;
    double from[3], to[3], r; /* a disc: the axis from 0 to its normal, about `center` */
    double center[3];
} round_shape;

static round_shape draw_shape(gen *g, round_kind kind) {
    round_shape s;
    cd_vec3 a = gen_point(g), b = gen_point(g);
    cd_real r = gen_length(g);
    memset(&s, 0, sizeof s);
    s.kind = kind;
    if (!test_int(g->rng, 0, 2)) b.x = a.x;
    if (!test_int(g->rng, 0, 2)) b.y = a.y;
    if (a.x == b.x && a.y == b.y && a.z == b.z)
        b.z = a.z + (g->scale > 1.0 || a.z > 100 ? (cd_real)g->scale : 1);
    if (kind == DISC) b = test_int(g->rng, 0, 1) ? gen_direction(g) : cd_vec3_sub(b, a);
    if (kind == DISC && b.x == 0 && b.y == 0 && b.z == 0) b.z = 1;
    s.cylinder.a = s.cone.apex = s.disc.center = a;
    s.cylinder.b = s.cone.base = s.disc.normal = b;
    s.cylinder.radius = s.cone.radius = s.disc.radius = r;
    to_doubles(REALS(a), s.center, 3);
    to_doubles(REALS(a), s.from, 3);
    to_doubles(REALS(b), s.to, 3);
    if (kind == DISC) memset(s.from, 0, sizeof s.from);
    s.r = (double)r;
    test_note("kind %d", (int)kind);
    test_note_reals("shape", REALS(s.cylinder), 7);
    return s;
}

/* ---- calls by kind ---- */

static bool test_point(const round_shape *s, cd_vec3 p) {
    return s->kind == CYLINDER ? ASK("exact", cd_test_point_cylinder(p, &s->cylinder))
           : s->kind == CONE   ? ASK("exact", cd_test_point_cone(p, &s->cone))
                               : ASK("exact", cd_test_point_disc(p, &s->disc));
}
static bool test_plane(const round_shape *s, cd_plane p) {
    return s->kind == CYLINDER ? ASK("exact", cd_test_cylinder_plane(&s->cylinder, p))
           : s->kind == CONE   ? ASK("exact", cd_test_cone_plane(&s->cone, p))
                               : ASK("exact", cd_test_disc_plane(&s->disc, p));
}
static bool test_halfspace(const round_shape *s, cd_plane p) {
    return s->kind == CYLINDER ? ASK("exact", cd_test_cylinder_halfspace(&s->cylinder, p))
           : s->kind == CONE   ? ASK("exact", cd_test_cone_halfspace(&s->cone, p))
                               : ASK("exact", cd_test_disc_halfspace(&s->disc, p));
}
static bool test_sphere(const round_shape *s, cd_sphere ball) {
    return s->kind == CYLINDER ? ASK("judge", cd_test_sphere_cylinder(ball, &s->cylinder))
           : s->kind == CONE   ? ASK("judge", cd_test_sphere_cone(ball, &s->cone))
                               : ASK("judge", cd_test_sphere_disc(ball, &s->disc));
}
static bool test_aabb(const round_shape *s, cd_aabb b) {
    return s->kind == CYLINDER ? ASK("judge", cd_test_cylinder_aabb(&s->cylinder, b))
           : s->kind == CONE   ? ASK("judge", cd_test_cone_aabb(&s->cone, b))
                               : ASK("judge", cd_test_disc_aabb(&s->disc, b));
}
static cd_vec3 closest(const round_shape *s, cd_vec3 p) {
    return s->kind == CYLINDER ? ASK("judge", cd_closest_pt_point_cylinder(p, &s->cylinder))
           : s->kind == CONE   ? ASK("judge", cd_closest_pt_point_cone(p, &s->cone))
                               : ASK("judge", cd_closest_pt_point_disc(p, &s->disc));
}
static cd_real sqdist(const round_shape *s, cd_vec3 p) {
    return s->kind == CYLINDER ? ASK("judge", cd_sqdist_point_cylinder(p, &s->cylinder))
           : s->kind == CONE   ? ASK("judge", cd_sqdist_point_cone(p, &s->cone))
                               : ASK("judge", cd_sqdist_point_disc(p, &s->disc));
}
static cd_vec3 support(const round_shape *s, cd_vec3 d) {
    return s->kind == CYLINDER ? ASK("judge", cd_cylinder_support(&s->cylinder, d))
           : s->kind == CONE   ? ASK("judge", cd_cone_support(&s->cone, d))
                               : ASK("judge", cd_disc_support(&s->disc, d));
}
static cd_aabb bounds(const round_shape *s) {
    return s->kind == CYLINDER ? ASK("judge", cd_aabb_from_cylinder(&s->cylinder))
           : s->kind == CONE   ? ASK("judge", cd_aabb_from_cone(&s->cone))
                               : ASK("judge", cd_aabb_from_disc(&s->disc));
}
static bool cast(const round_shape *s, const cd_ray *r, cd_real t_max, const cd_cast_options *o, cd_hit *h) {
    return s->kind == CYLINDER ? ASK("judge", cd_cast_ray_cylinder(r, t_max, &s->cylinder, o, h))
           : s->kind == CONE   ? ASK("judge", cd_cast_ray_cone(r, t_max, &s->cone, o, h))
                               : ASK("judge", cd_cast_ray_disc(r, t_max, &s->disc, o, h));
}

/* ---- exact references ---- */

static exact square(exact x) {
    return exact_mul(x, x);
}

/* |v x d|^2, by the cross product itself. */
static exact cross_square(exact3 v, exact3 d) {
    exact3 c = exact3_cross(v, d);
    return exact3_dot(c, c);
}

static bool contains(const round_shape *s, const double p[3]) {
    exact_pool pool = exact_begin();
    exact3 d = exact3_sub(exact3_from(s->to), exact3_from(s->from));
    exact3 q = exact3_sub(exact3_from(p), exact3_from(s->center));
    exact dd = exact3_dot(d, d), qd = exact3_dot(q, d), rr = square(exact_from(s->r)), left, right;
    bool in;
    if (s->kind == DISC) {
        in = qd.sign == 0 && exact_compare(exact3_dot(q, q), rr) <= 0;
    } else {
        left = cross_square(q, d);
        right = exact_mul(rr, dd);
        if (s->kind == CONE) { /* the radius at that height is r qd / dd */
            left = exact_mul(left, dd);
            right = exact_mul(rr, square(qd));
        }
        in = qd.sign >= 0 && exact_compare(qd, dd) <= 0 && exact_compare(left, right) <= 0;
    }
    exact_end(pool);
    return in;
}

/* Does the disc of radius r about c reach n . x <= d? */
static bool disc_reaches(const double n[3], double d, const double c[3], exact3 axis, double r) {
    exact3 m = exact3_from(n);
    exact height = exact_sub(exact3_dot(m, exact3_from(c)), exact_from(d));
    exact left = exact_mul(square(height), exact3_dot(axis, axis));
    return height.sign <= 0 ||
           exact_compare(left, exact_mul(square(exact_from(r)), cross_square(m, axis))) <= 0;
}

static bool reaches(const round_shape *s, const double n[3], double d) {
    exact_pool pool = exact_begin();
    exact3 axis = exact3_sub(exact3_from(s->to), exact3_from(s->from));
    bool yes = disc_reaches(n, d, s->center, axis, s->kind == CONE ? 0.0 : s->r);
    if (s->kind != DISC) yes = yes || disc_reaches(n, d, s->to, axis, s->r);
    exact_end(pool);
    return yes;
}

/* ---- references in long double ---- */

typedef long double real;

typedef struct wide_shape {
    real o[3], u[3], h, r0, r1, size;
} wide_shape;

static real wide_dot(const real *a, const real *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static wide_shape widen(const round_shape *s) {
    wide_shape w;
    real d[3], length;
    for (int k = 0; k < 3; ++k) {
        w.o[k] = s->center[k];
        d[k] = (real)s->to[k] - s->from[k];
    }
    length = sqrtl(wide_dot(d, d));
    for (int k = 0; k < 3; ++k) w.u[k] = d[k] / length;
    w.h = s->kind == DISC ? 0 : length;
    w.r1 = s->r;
    w.r0 = s->kind == CONE ? 0 : s->r;
    w.size = fmax(fmax(largest(s->center, 3), s->r), s->kind == DISC ? 0.0 : largest(s->to, 3));
    return w;
}

/* The point of the edge from a to b nearest to (x, y); the fraction of the edge it lies at. */
static real onto_edge(const real a[2], const real b[2], real x, real y, real *nx, real *ny) {
    real dx = b[0] - a[0], dy = b[1] - a[1], dd = dx * dx + dy * dy;
    real t = dd > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / dd : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    *nx = a[0] + t * dx;
    *ny = a[1] + t * dy;
    return t;
}

/* The nearest point of the profile polygon (0,0) (0,r0) (h,r1) (h,0) to (x, y), y >= 0; the distance, 0 inside. Which edge has it
 * is seen by where the foot on the side is: from far away the distances to all of them are rounded to the same number. */
static real profile(const wide_shape *w, real x, real y, real *nx, real *ny) {
    real corner[4][2] = {{0, 0}, {0, w->r0}, {w->h, w->r1}, {w->h, 0}}, t;
    bool below = x<0, above = x> w->h;
    bool beside = w->h > 0 ? y * w->h > w->r0 * w->h + (w->r1 - w->r0) * x : y > w->r0;
    *nx = x;
    *ny = y;
    if (!below && !beside && !above) return 0;
    t = onto_edge(corner[1], corner[2], x, y, nx, ny);
    if (below && (!beside || t <= 0)) onto_edge(corner[0], corner[1], x, y, nx, ny);
    if (above && (!beside || t >= 1)) onto_edge(corner[2], corner[3], x, y, nx, ny);
    return hypotl(x - *nx, y - *ny);
}

static real wide_nearest(const wide_shape *w, const real p[3], real out[3]) {
    real q[3], off[3], x, y, nx, ny, distance;
    for (int k = 0; k < 3; ++k) q[k] = p[k] - w->o[k];
    x = wide_dot(q, w->u);
    for (int k = 0; k < 3; ++k) off[k] = q[k] - x * w->u[k];
    y = sqrtl(wide_dot(off, off));
    distance = profile(w, x, y, &nx, &ny);
    for (int k = 0; k < 3; ++k) out[k] = w->o[k] + nx * w->u[k] + (y > 0 ? off[k] / y * ny : 0);
    if (distance == 0) memcpy(out, p, 3 * sizeof *p);
    return distance;
}

/* How far the shape reaches along a unit direction, from the origin. */
static real wide_reach(const wide_shape *w, const real d[3]) {
    real along = wide_dot(d, w->u), off[3], first, second;
    for (int k = 0; k < 3; ++k) off[k] = d[k] - along * w->u[k];
    first = w->r0 * sqrtl(wide_dot(off, off));
    second = w->h * along + w->r1 * sqrtl(wide_dot(off, off));
    return wide_dot(d, w->o) + (first > second ? first : second);
}

static void to_wide(cd_vec3 v, real out[3]) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* A point in trouble with the shape: on it up to rounding, on the axis, at an end, on the caps' planes. */
static cd_vec3 draw_point(gen *g, const round_shape *s) {
    wide_shape w = widen(s);
    cd_vec3 p = gen_point(g), out;
    real q[3], near_by[3];
    if (!test_int(g->rng, 0, 2)) return p;
    to_wide(p, q);
    if (test_int(g->rng, 0, 1)) { /* beside the axis, within a few radii */
        for (int k = 0; k < 3; ++k) q[k] = w.o[k] + (q[k] - w.o[k]) * test_unit(g->rng) + w.u[k] * w.h / 2;
    }
    wide_nearest(&w, q, near_by);
    out = cd_vec3_make((cd_real)near_by[0], (cd_real)near_by[1], (cd_real)near_by[2]);
    switch (test_int(g->rng, 0, 5)) {
    case 0: out = cd_vec3_make((cd_real)s->center[0], (cd_real)s->center[1], (cd_real)s->center[2]); break;
    case 1: out = cd_vec3_make((cd_real)q[0], (cd_real)q[1], (cd_real)q[2]); break;
    case 2: REALS(out)[test_int(g->rng, 0, 2)] = gen_near(g->rng, out.y); break;
    default: break;
    }
    if (!cd_vec3_is_valid(out)) out = p;
    return out;
}

static round_kind any_kind(test_rng *rng) {
    return (round_kind)test_int(rng, 0, 2);
}

/* ---- cases ---- */

static void points_exactly(void) {
    test_rng rng = test_random();
    long inside = 0, times = test_times(30000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        round_shape s = draw_shape(&g, any_kind(&rng));
        cd_vec3 p = draw_point(&g, &s);
        double d[3];
        bool want;
        to_doubles(REALS(p), d, 3);
        test_note_reals("p", REALS(p), 3);
        want = contains(&s, d);
        CHECK_INT(test_point(&s, p), want);
        inside += want;
    }
    CHECK_SEEN(inside > times / 20);
}

/* Beside cones that are flat, the flattest of them so that their surface is within the rounding of heights; of any size. */
static void points_at_flat_cones(void) {
    test_rng rng = test_random();
    long inside = 0, times = 300 + test_times(6000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        round_shape s;
        cd_vec3 p, axis, across;
        double d[3];
        int flat = sizeof(cd_real) == 4 ? 20 : 48, most = sizeof(cd_real) == 4 ? 54 : 60;
        cd_real size = (cd_real)ldexp(1, i % 3 ? 0 : sizeof(cd_real) == 4 ? 30 : 100);
        bool want;
        memset(&s, 0, sizeof s);
        s.kind = CONE;
        s.cone.apex = cd_vec3_scale(gen_point(&g), size);
        axis = cd_vec3_scale(gen_direction(&g), size);
        s.cone.base = cd_vec3_add(s.cone.apex, axis);
        s.cone.radius =
            size * (cd_real)ldexp(1, i % 2 ? test_int(&rng, 2, flat) : test_int(&rng, flat, most));
        across = cd_vec3_cross(axis, gen_direction(&g));
        p = cd_vec3_add(s.cone.apex, across);
        p = cd_vec3_add(p, cd_vec3_scale(axis, cd_vec3_length(across) / s.cone.radius));
        to_doubles(REALS(s.cone.apex), s.from, 3);
        to_doubles(REALS(s.cone.apex), s.center, 3);
        to_doubles(REALS(s.cone.base), s.to, 3);
        to_doubles(REALS(p), d, 3);
        s.r = (double)s.cone.radius;
        test_note("%s", i % 3 ? "small" : "large");
        test_note_reals("cone", REALS(s.cone), 7);
        test_note_reals("p", REALS(p), 3);
        want = contains(&s, d);
        CHECK_INT(test_point(&s, p), want);
        inside += want;
    }
    CHECK_SEEN(inside > times / 20 && inside < times);
}

/* Of the cross product of axis and way to the point only one component is not 0, and that is one product: what its factors were
 * rounded by is more than what the numbers that follow are rounded by. In doubles all of these roundings go one way. */
static void points_off_along_one_axis(void) {
    static const double hard[][4] = {
        {1.0019124261949957, 1.0029811848722578, 0.0156695098909735, 0.015650902854467},
        {1.001783439821463, 1.0020777888211716, 0.015636797794547012, 0.015630301816052402},
        {1.00233801177837, 1.0024951990222597, 0.01564417159358087, 0.015639814436177846}};
    for (int i = 0; i < 18; ++i) {
        const double *h = hard[i / 6];
        int along = i % 3, off = (along + 1 + i / 3 % 2) % 3;
        round_shape s;
        cd_vec3 p = cd_vec3_make(0, 0, 0);
        double d[3];
        memset(&s, 0, sizeof s);
        s.kind = CYLINDER;
        REALS(s.cylinder.a)[along] = (cd_real)ldexp(-1, -53);
        REALS(s.cylinder.b)[along] = (cd_real)h[1];
        REALS(s.cylinder.b)[off] = (cd_real)h[2];
        REALS(p)[along] = (cd_real)h[0];
        s.cylinder.radius = (cd_real)h[3];
        to_doubles(REALS(s.cylinder.a), s.from, 3);
        to_doubles(REALS(s.cylinder.a), s.center, 3);
        to_doubles(REALS(s.cylinder.b), s.to, 3);
        to_doubles(REALS(p), d, 3);
        s.r = (double)s.cylinder.radius;
        test_note("number %d", i);
        test_note_reals("cylinder", REALS(s.cylinder), 7);
        test_note_reals("p", REALS(p), 3);
        CHECK_INT(test_point(&s, p), contains(&s, d));
    }
}

static void planes_exactly(void) {
    test_rng rng = test_random();
    long touching = 0, times = test_times(30000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        round_shape s = draw_shape(&g, any_kind(&rng));
        cd_plane plane;
        double n[3], m[3];
        bool behind, in_front;
        plane.n = gen_direction(&g);
        if (!test_int(&rng, 0, 3)) plane.n = cd_vec3_sub(s.cylinder.b, s.cylinder.a);
        if (plane.n.x == 0 && plane.n.y == 0 && plane.n.z == 0) plane.n.x = 1;
        plane.d = cd_vec3_dot(plane.n, test_int(&rng, 0, 1) ? draw_point(&g, &s) : support(&s, plane.n));
        if (!cd_plane_is_valid(&plane)) continue;
        test_note_reals("plane", REALS(plane), 4);
        to_doubles(REALS(plane), n, 3);
        for (int k = 0; k < 3; ++k) m[k] = -n[k];
        behind = reaches(&s, n, (double)plane.d);
        in_front = reaches(&s, m, -(double)plane.d);
        CHECK_INT(test_halfspace(&s, plane), behind);
        CHECK_INT(test_plane(&s, plane), behind && in_front);
        touching += behind != in_front;
    }
    CHECK_SEEN(touching > times / 20);
}

/* Planes nearly parallel to large discs, next to their rims: a disc reaches as far as two vectors that are nearly parallel tell by
 * their cross product. */
static void planes_along_large_discs(void) {
    test_rng rng = test_random();
    long behind = 0, times = 100 + test_times(1000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        round_shape s;
        cd_plane plane;
        double n[3];
        real u[3], m[3], c[3];
        bool want;
        memset(&s, 0, sizeof s);
        s.kind = DISC;
        s.disc.normal = gen_direction(&g);
        s.disc.radius = (cd_real)ldexp(1 + test_unit(&rng), 30);
        plane.n = cd_vec3_add(s.disc.normal,
                              cd_vec3_scale(gen_direction(&g), (cd_real)ldexp(1, -test_int(&rng, 1, 20))));
        to_wide(s.disc.normal, u);
        to_wide(plane.n, m);
        for (int k = 0; k < 3; ++k) c[k] = m[(k + 1) % 3] * u[(k + 2) % 3] - m[(k + 2) % 3] * u[(k + 1) % 3];
        s.r = (double)s.disc.radius;
        plane.d = (cd_real)(-s.r * sqrtl(wide_dot(c, c) / wide_dot(u, u)));
        if (!cd_plane_is_valid(&plane)) continue;
        to_doubles(REALS(s.disc.normal), s.to, 3);
        to_doubles(REALS(plane), n, 3);
        test_note("%ld", i);
        test_note_reals("disc", REALS(s.disc), 7);
        test_note_reals("plane", REALS(plane), 4);
        want = reaches(&s, n, (double)plane.d);
        CHECK_INT(test_halfspace(&s, plane), want);
        behind += want;
    }
    CHECK_SEEN(behind > times / 20 && behind < times);
}

static void nearest_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(40000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        round_shape s = draw_shape(&g, any_kind(&rng));
        wide_shape w = widen(&s);
        cd_vec3 p = test_int(&rng, 0, 1) ? draw_point(&g, &s) : gen_point(&g), got = closest(&s, p);
        real q[3], want[3], distance;
        double size, slack;
        cd_sphere ball;
        to_wide(p, q);
        test_note_reals("p", REALS(p), 3);
        distance = wide_nearest(&w, q, want);
        size = fmax((double)w.size, (double)cd_vec3_length(p));
        slack = 4 * EPS * size + 1e-40;
        for (int k = 0; k < 3; ++k) CHECK_NEAR(REALS(got)[k], (double)want[k], slack);
        CHECK_NEAR(sqrt((double)sqdist(&s, p)), (double)distance, fmax(slack, 4 * EPS * (double)distance));
        if (size < 1e-30) continue;
        ball.center = p;
        ball.radius = (cd_real)((double)distance + (test_int(&rng, 0, 1) ? 2 * slack : -2 * slack));
        if (ball.radius > 0) CHECK_INT(test_sphere(&s, ball), (real)ball.radius > distance);
    }
}

static void supports_and_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        round_shape s = draw_shape(&g, any_kind(&rng));
        wide_shape w = widen(&s);
        cd_vec3 dir = gen_direction(&g), got = support(&s, dir);
        cd_aabb b = bounds(&s);
        real d[3], p[3], length, slack = 4 * EPS * w.size;
        to_wide(dir, d);
        to_wide(got, p);
        test_note_reals("dir", REALS(dir), 3);
        length = sqrtl(wide_dot(d, d));
        for (int k = 0; k < 3; ++k) d[k] /= length;
        CHECK_NEAR((double)wide_dot(d, p), (double)wide_reach(&w, d), (double)slack);
        CHECK(wide_nearest(&w, p, p) <= slack);
        for (int k = 0; k < 6; ++k) {
            real axis[3] = {0, 0, 0}, reach, edge = k < 3 ? -(real)REALS(b)[k] : (real)REALS(b)[k];
            axis[k % 3] = k < 3 ? -1 : 1;
            reach = wide_reach(&w, axis);
            CHECK(edge >= reach - 1e-18L * w.size && edge <= reach + (sizeof(cd_real) == 4 ? 1 : 2) * slack);
        }
    }
}

static void measures(void) {
    test_rng rng = test_random();
    const double pi = acos(-1.0);
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        round_shape s = draw_shape(&g, test_int(&rng, 0, 1) ? CYLINDER : CONE);
        double h = (double)widen(&s).h, r = s.r, least = sizeof(cd_real) == 4 ? 1e-44 : 0.0;
        double volume = pi * r * r * h, side = pi * r * hypot(r, h);
        if (volume > (double)CD_REAL_MAX) continue;
        CHECK_NEAR(ASK("judge", cd_cylinder_volume(&s.cylinder)), volume, 4 * EPS * volume + least);
        CHECK_NEAR(ASK("judge", cd_cone_volume(&s.cone)), volume / 3, 4 * EPS * volume + least);
        CHECK_NEAR(ASK("judge", cd_cylinder_surface_area(&s.cylinder)), 2 * pi * r * (r + h),
                   8 * EPS * r * (r + h) * pi + least);
        CHECK_NEAR(ASK("judge", cd_cone_surface_area(&s.cone)), pi * r * r + side,
                   8 * EPS * (side + r * r) + least);
        CHECK_NEAR(ASK("judge", cd_disc_area(&s.disc)), pi * r * r, 8 * EPS * r * r + least);
    }
}

/* The rounding of moved ends, eight units at most where coordinates are below 4, turns a flat axis, and what is out at the rim with it. */
static double motion_margin(const round_shape *s) {
    double height = s->kind == DISC ? 1 : (double)widen(s).h;
    return EPS * fmax(1e3, 32 * s->r / height);
}

static void motions(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        round_shape s = draw_shape(&g, any_kind(&rng)), t = s;
        cd_transform pose = gen_pose(&rng, 2.0);
        cd_vec3 p = gen_point(&g), dir = gen_direction(&g);
        t.cylinder = ASK("motion", cd_cylinder_transform(&s.cylinder, &pose));
        t.cone = ASK("motion", cd_cone_transform(&s.cone, &pose));
        t.disc = ASK("motion", cd_disc_transform(&s.disc, &pose));
        CHECK_VEC(closest(&t, cd_transform_point(&pose, p)), cd_transform_point(&pose, closest(&s, p)),
                  motion_margin(&s));
        CHECK_NEAR(cd_vec3_dot(cd_transform_vector(&pose, dir), support(&t, cd_transform_vector(&pose, dir))),
                   cd_vec3_dot(cd_transform_vector(&pose, dir), cd_transform_point(&pose, support(&s, dir))),
                   motion_margin(&s));
    }
}

/* ---- boxes ---- */

/* Shape and box by turns: the nearest points of each other converge to a pair as near as any. The gap along the direction between
 * them, where there is one, is proof that they are apart. */
static real gap_to_box(const wide_shape *w, const cd_aabb *b, real *distance) {
    real p[3], q[3] = {w->o[0], w->o[1], w->o[2]}, d[3], length, gap;
    for (int i = 0; i < 400; ++i) {
        for (int k = 0; k < 3; ++k) {
            real lo = REALS(b->min)[k], hi = REALS(b->max)[k];
            p[k] = q[k] < lo ? lo : q[k] > hi ? hi : q[k];
        }
        wide_nearest(w, p, q);
    }
    for (int k = 0; k < 3; ++k) d[k] = p[k] - q[k];
    length = *distance = sqrtl(wide_dot(d, d));
    if (length == 0) return 0;
    for (int k = 0; k < 3; ++k) d[k] /= length;
    gap = -wide_reach(w, d);
    for (int k = 0; k < 3; ++k) gap += d[k] * (d[k] > 0 ? (real)REALS(b->min)[k] : (real)REALS(b->max)[k]);
    return gap;
}

static void boxes(void) {
    test_rng rng = test_random();
    long met = 0, apart = 0, times = test_times(1500);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        round_shape s = draw_shape(&g, any_kind(&rng));
        wide_shape w = widen(&s);
        cd_aabb b = gen_aabb(&g);
        real distance, gap;
        test_note_reals("box", REALS(b), 6);
        gap = gap_to_box(&w, &b, &distance);
        if (gap > 1e-12L) CHECK(!test_aabb(&s, b));
        if (distance < 1e-14L) CHECK(test_aabb(&s, b));
        apart += gap > 1e-12L;
        met += distance < 1e-14L;
    }
    CHECK_SEEN(met > times / 8 && apart > times / 8);
}

/* Boxes that hold or touch a point that is exactly in the shape, with a corner, an edge or a face, however small or far. */
static void boxes_at_points_inside(void) {
    test_rng rng = test_random();
    long seen = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        round_shape s = draw_shape(&g, any_kind(&rng));
        cd_vec3 p = draw_point(&g, &s), q;
        cd_aabb b;
        if (!test_point(&s, p)) continue;
        q = test_int(&rng, 0, 1) ? gen_point(&g) : p;
        b = cd_merge_aabb_aabb(cd_aabb_add_point(cd_aabb_empty(), p), cd_aabb_add_point(cd_aabb_empty(), q));
        test_note_reals("box", REALS(b), 6);
        CHECK(test_aabb(&s, b));
        ++seen;
    }
    CHECK_SEEN(seen > times / 20);
}

static void boxes_flush(void) {
    cd_cylinder c = {{0, 0, 0}, {0, 0, 2}, 1};
    cd_cone k = {{0, 0, 2}, {0, 0, 0}, 1};
    cd_disc d = {{0, 0, 2}, {0, 0, 3}, 1};
    cd_aabb on_cap = {{-5, -5, 2}, {5, 5, 3}}, beside = {{1, -1, -1}, {2, 1, 1}},
            at_rim = {{1, 0, 2}, {3, 3, 3}};
    cd_aabb over = {{-5, -5, (cd_real)2.001}, {5, 5, 3}},
            corner = {{(cd_real)0.71, (cd_real)0.71, 0}, {3, 3, 2}};
    CHECK(cd_test_cylinder_aabb(&c, on_cap) && cd_test_cylinder_aabb(&c, beside) &&
          cd_test_cylinder_aabb(&c, at_rim));
    CHECK(!cd_test_cylinder_aabb(&c, over) && !cd_test_cylinder_aabb(&c, corner));
    CHECK(cd_test_cone_aabb(&k, on_cap) && cd_test_cone_aabb(&k, beside) && !cd_test_cone_aabb(&k, at_rim));
    CHECK(!cd_test_cone_aabb(&k, over) && !cd_test_cone_aabb(&k, corner));
    CHECK(cd_test_disc_aabb(&d, on_cap) && !cd_test_disc_aabb(&d, beside) && cd_test_disc_aabb(&d, at_rim));
    CHECK(!cd_test_disc_aabb(&d, over) && !cd_test_disc_aabb(&d, corner));
}

/* ---- rays ---- */

static real distance_at(const wide_shape *w, const real *o, const real *d, real t) {
    real p[3], n[3];
    for (int k = 0; k < 3; ++k) p[k] = o[k] + t * d[k];
    return wide_nearest(w, p, n);
}

/* The distance along the line is a convex function of t: its least by thirds, then where it becomes 0 by halves. False when the
 * line stays `slack` away, or comes in by less than that. */
static real least_along(const wide_shape *w, const real *o, const real *d, real lo, real hi, real *at) {
    for (int i = 0; i < 200; ++i) {
        real a = lo + (hi - lo) * 0.45L, b = lo + (hi - lo) * 0.55L;
        if (distance_at(w, o, d, a) <= distance_at(w, o, d, b))
            hi = b;
        else
            lo = a;
    }
    *at = (lo + hi) / 2;
    return distance_at(w, o, d, *at);
}

static real entry(const wide_shape *w, const real *o, const real *d, real outside, real inside) {
    for (int i = 0; i < 120; ++i) {
        real middle = (outside + inside) / 2;
        if (distance_at(w, o, d, middle) > 0)
            outside = middle;
        else
            inside = middle;
    }
    return inside;
}

static cd_ray draw_ray(gen *g, const round_shape *s) {
    cd_vec3 from = draw_point(g, s), to = draw_point(g, s);
    cd_ray r;
    if (test_int(g->rng, 0, 1)) from = gen_point(g);
    r = cd_ray_through(from, to);
    if (!test_int(g->rng, 0, 4)) r.dir = cd_vec3_sub(s->cylinder.b, s->cylinder.a);
    if (!test_int(g->rng, 0, 2))
        r.origin = cd_vec3_sub(r.origin, cd_vec3_scale(r.dir, (cd_real)test_range(g->rng, 0, 1000)));
    return r;
}

static void check_hit(const wide_shape *w, const cd_hit *h, double slack) {
    real p[3], n[3], out[3], reach;
    to_wide(h->point, p);
    to_wide(h->normal, n);
    CHECK(wide_nearest(w, p, out) <= slack);
    CHECK_NEAR(cd_vec3_length(h->normal), 1.0, 4 * EPS);
    if (h->flags & CD_HIT_START) return;
    if (h->flags & CD_HIT_BACK) {
        for (int k = 0; k < 3; ++k) n[k] = -n[k];
    }
    reach = wide_reach(w, n); /* the point is farthest along the normal */
    CHECK_NEAR((double)wide_dot(n, p), (double)reach, slack + 8 * EPS * (double)w->size);
}

/* A shape a little inside; false when nothing is left. */
static bool shrink(wide_shape *w, real by) {
    real ends = 2 * by;
    if (w->r1 <= 4 * by) return false;
    if (w->r0 < w->r1) ends = 4 * by * (1 + w->h / w->r1) + w->h * by / w->r1;
    for (int k = 0; k < 3; ++k) w->o[k] += ends * w->u[k];
    w->h -= 2 * ends;
    w->r1 -= w->r0 < w->r1 ? by + w->r1 * 2 * ends / (w->h + 2 * ends) : by;
    w->r0 = w->r0 > 0 ? w->r0 - by : 0;
    return w->h > 0 && w->r1 > 0;
}

/* Hits, misses and places, wherever the shape is thick enough along the ray to tell. */
static void rays(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0, times = test_times(3000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 2) ? GEN_UNIT : GEN_GRID);
        round_shape s = draw_shape(&g, test_int(&rng, 0, 1) ? CYLINDER : CONE);
        wide_shape w = widen(&s);
        cd_ray r = draw_ray(&g, &s);
        cd_cast_options o;
        cd_hit h;
        real from[3], d[3], at, least, length, t, clear;
        double size, slack;
        bool got, deep;
        memset(&o, 0, sizeof o);
        memset(&h, 0, sizeof h);
        to_wide(r.origin, from);
        to_wide(r.dir, d);
        length = sqrtl(wide_dot(d, d));
        if (length == 0) continue;
        test_note_reals("ray", REALS(r), 6);
        size = (double)(w.size + sqrtl(wide_dot(from, from)));
        slack = 1e-14 * size;
        got = cast(&s, &r, CD_REAL_MAX, &o, &h);
        least = least_along(&w, from, d, 0, 8 * (real)size / length, &at);
        if (least > slack) CHECK(!got);
        misses += least > slack;
        if (shrink(&w, slack) && least == 0)
            CHECK(got || least_along(&w, from, d, 0, 8 * (real)size / length, &clear) > 0);
        w = widen(&s);
        deep = shrink(&w, 1e-4 * size) && least_along(&w, from, d, 0, 8 * (real)size / length, &clear) == 0;
        w = widen(&s);
        if (!got) continue;
        ++hits;
        check_hit(&w, &h, 8 * EPS * size + slack);
        t = distance_at(&w, from, d, 0) > 0 ? entry(&w, from, d, 0, at) : 0;
        if (deep) CHECK_NEAR((double)h.t, (double)t, (4 * EPS + 1e-10) * size / (double)length);
        o.flags = CD_CAST_CULL_FRONT;
        if (least == 0 && cast(&s, &r, CD_REAL_MAX, &o, &h)) {
            check_hit(&w, &h, 8 * EPS * size + slack);
            t = entry(&w, from, d, 8 * (real)size / length, at);
            CHECK((h.flags & CD_HIT_BACK) != 0);
            if (deep) CHECK_NEAR((double)h.t, (double)t, (4 * EPS + 1e-10) * size / (double)length);
        }
        o.flags = CD_CAST_CULL_BACK;
        CHECK(cast(&s, &r, CD_REAL_MAX, &o, &h));
        o.flags = CD_CAST_START_IGNORE;
        if (deep && distance_at(&w, from, d, 0) == 0)
            CHECK(!cast(&s, &r, CD_REAL_MAX, &o, &h) || (double)h.t <= slack / (double)length);
    }
    CHECK_SEEN(hits > times / 5 && misses > times / 50);
}

static void rays_at_discs(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        round_shape s = draw_shape(&g, DISC);
        wide_shape w = widen(&s);
        cd_ray r = draw_ray(&g, &s);
        real o[3], d[3], q[3], height, speed, t, off;
        double size, slack;
        cd_hit h;
        bool got;
        to_wide(r.origin, o);
        to_wide(r.dir, d);
        test_note_reals("ray", REALS(r), 6);
        for (int k = 0; k < 3; ++k) q[k] = o[k] - w.o[k];
        height = wide_dot(q, w.u);
        speed = wide_dot(d, w.u);
        size = (double)(w.size + sqrtl(wide_dot(o, o)));
        got = cast(&s, &r, CD_REAL_MAX, NULL, &h);
        if (fabsl(speed) <= 1e-6L * sqrtl(wide_dot(d, d)) + 1e-30L) continue;
        t = -height / speed;
        slack = 1e-14 * size + 1e-300; /* of denormals, too */
        slack *= (double)(sqrtl(wide_dot(d, d)) / fabsl(speed));
        for (int k = 0; k < 3; ++k) q[k] += t * d[k];
        off = sqrtl(wide_dot(q, q));
        if (fabsl(off - w.r1) < slack || fabsl(height) < slack) continue;
        CHECK_INT(got, t >= 0 && off <= w.r1);
        if (!got) continue;
        check_hit(&w, &h, 8 * EPS * size + slack);
        CHECK_INT((h.flags & CD_HIT_BACK) != 0, speed > 0);
        CHECK_NEAR(h.t, (double)t, (slack + 4 * EPS * size) / (double)fabsl(speed));
    }
}

static void casts_by_hand(void) {
    cd_cylinder c = {{0, 0, 0}, {0, 0, 4}, 1};
    cd_cone k = {{0, 0, 4}, {0, 0, 0}, 2};
    cd_disc d = {{0, 0, 1}, {0, 0, 2}, 1};
    cd_ray side = {{-5, 0, 2}, {2, 0, 0}}, down = {{(cd_real)0.5, 0, 9}, {0, 0, -1}},
           in = {{0, 0, 1}, {0, 0, 1}};
    cd_ray still = {{0, 0, 2}, {0, 0, 0}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_cylinder(&side, 10, &c, NULL, &h) && h.t == 2 && h.feature == CD_FEATURE(3u, 0));
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    CHECK(!cd_cast_ray_cylinder(&side, (cd_real)1.9, &c, NULL, &h) &&
          cd_cast_ray_cylinder(&side, 2, &c, NULL, &h));
    CHECK(cd_cast_ray_cylinder(&down, 10, &c, NULL, &h) && h.t == 5 && h.feature == CD_FEATURE(3u, 2));
    CHECK_VEC(h.point, cd_vec3_make((cd_real)0.5, 0, 4), 0);
    CHECK(cd_cast_ray_cylinder(&in, 10, &c, NULL, &h) && h.t == 0 && h.flags == CD_HIT_START);
    o.flags = CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_cylinder(&in, 10, &c, &o, &h) && h.depth == 1);
    CHECK(cd_cast_ray_cone(&in, 10, &k, &o, &h) && h.depth == 1 && h.feature == CD_FEATURE(3u, 2));
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, -1), 0);
    in.origin.z = 2;
    CHECK(cd_cast_ray_cone(&in, 10, &k, &o, &h));
    CHECK_NEAR(h.depth, 2 / sqrt(5.0), 2 * EPS);
    o.flags = CD_CAST_START_LEAVING;
    CHECK(!cd_cast_ray_cone(&in, 10, &k, &o, &h));
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(cd_cast_ray_cone(&in, 10, &k, &o, &h) && h.t == 2 && h.flags == CD_HIT_BACK);
    CHECK(cd_cast_ray_cone(&side, 10, &k, NULL, &h) && h.t == 2 && h.feature == CD_FEATURE(3u, 0));
    CHECK_VEC(h.point, cd_vec3_make(-1, 0, 2), 0);
    down.origin.x = 0;
    CHECK(cd_cast_ray_cone(&down, 10, &k, NULL, &h) && h.t == 5); /* the apex */
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, 1), 0);
    CHECK(cd_cast_ray_cylinder(&still, 1, &c, NULL, &h) && cd_cast_ray_cone(&still, 1, &k, NULL, &h));
    CHECK(!cd_cast_ray_disc(&still, 1, &d, NULL, &h));
    CHECK(cd_cast_ray_disc(&down, 10, &d, NULL, &h) && h.t == 8 && h.flags == 0);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(!cd_cast_ray_disc(&down, 10, &d, &o, &h));
    o.flags = CD_CAST_CULL_BACK;
    CHECK(cd_cast_ray_disc(&down, 10, &d, &o, &h) && !cd_cast_ray_disc(&down, (cd_real)7.9, &d, &o, &h));
    down.origin.z = 1;
    CHECK(cd_cast_ray_disc(&down, 10, &d, &o, &h) && h.t == 0 && h.flags == CD_HIT_START);
    o.flags = CD_CAST_START_IGNORE;
    CHECK(!cd_cast_ray_disc(&down, 10, &d, &o, &h));
}

/* A needle and a flat cone, whose chords are small differences of large squares; the first line passes, the second does not. */
static void casts_at_thin_cones(void) {
    cd_cone needle = {{0, 0, 0}, {1, 0, 0}, (cd_real)ldexp(1, -30)};
    cd_cone flat = {{0, 0, 0}, {(cd_real)ldexp(1, -31), 0, 0}, 1};
    cd_ray past = {{0, (cd_real)-0.5, (cd_real)(0.625 * ldexp(1, -30))}, {1, 1, 0}},
           into = {{-1, 2, -2}, {1, -2, 2}};
    cd_hit h;
    CHECK(!cd_cast_ray_cone(&past, 9, &needle, NULL, &h));
    past.origin.z = (cd_real)(0.375 * ldexp(1, -30));
    CHECK(cd_cast_ray_cone(&past, 9, &needle, NULL, &h) && h.feature == CD_FEATURE(3u, 0));
    CHECK_NEAR(h.t, 0.5, 1e-8);
    CHECK(cd_cast_ray_cone(&into, 9, &flat, NULL, &h));
    into.origin.z = (cd_real)-1.96;
    CHECK(cd_cast_ray_cone(&into, 9, &flat, NULL, &h));
    into.origin.x = (cd_real)-0.75;
    CHECK(cd_cast_ray_cone(&into, 9, &flat, NULL, &h));
    CHECK_NEAR(h.t, 0.75, 1e-8);
    into.origin.x = (cd_real)0.75;
    into.dir.x = -1;
    CHECK(cd_cast_ray_cone(&into, 9, &flat, NULL, &h));
    CHECK_NEAR(h.t, 0.75, 1e-8);
}

/* At the apex: whatever way the ray comes, starts or goes, the normal is one that the cone has there, on the side that the ray sees. */
static void casts_at_apexes(void) {
    static const uint32_t flags[5] = {0, CD_CAST_START_DEPTH, CD_CAST_START_IGNORE, CD_CAST_START_LEAVING,
                                      CD_CAST_CULL_FRONT};
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        round_shape s = draw_shape(&g, CONE);
        cd_cone k = s.cone;
        cd_vec3 d = gen_direction(&g), out;
        double steps = test_int(&rng, 0, 2), along, size = (double)cd_vec3_length(d);
        cd_cast_options o;
        cd_ray r;
        cd_hit h;
        memset(&o, 0, sizeof o);
        o.flags = flags[test_int(&rng, 0, 4)];
        r.origin = cd_vec3_sub(k.apex, cd_vec3_scale(d, (cd_real)steps));
        r.dir = d;
        test_note_reals("cone", REALS(k), 7);
        test_note_reals("ray", REALS(r), 6);
        test_note("flags %u", (unsigned)o.flags);
        if (!(size > 0) || !cd_cast_ray_cone(&r, 8, &k, &o, &h)) continue;
        if ((double)cd_vec3_dist(h.point, k.apex) > 1e-12) continue; /* hit elsewhere */
        along = (double)cd_vec3_dot(h.normal, d);
        if (!(h.flags & CD_HIT_START) || !(o.flags & CD_CAST_START_DEPTH)) CHECK(along <= 1e-6 * size);
        if ((h.flags & CD_HIT_START) && along < -(1 - 1e-6) * size) continue; /* against the motion */
        out = h.flags & CD_HIT_BACK ? cd_vec3_scale(h.normal, -1) : h.normal;
        CHECK(cd_vec3_dot(cd_cone_support(&k, out), out) <=
              cd_vec3_dot(k.apex, out) + 16 * CD_REAL_EPSILON * 16);
        if ((h.flags & CD_HIT_START) && (o.flags & CD_CAST_START_DEPTH)) CHECK_NEAR(h.depth, 0, 16 * EPS);
    }
}

/* ---- two discs ---- */

static void two_discs(void) {
    test_rng rng = test_random();
    long met = 0, times = test_times(5000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        round_shape a = draw_shape(&g, DISC), b = draw_shape(&g, DISC);
        wide_shape v = widen(&a), w = widen(&b);
        real p[3], q[3], d[3], gap = 0, length;
        bool got = ASK("judge", cd_test_disc_disc(&a.disc, &b.disc));
        CHECK_INT(ASK("swap", cd_test_disc_disc(&b.disc, &a.disc)), got);
        memcpy(q, w.o, sizeof q);
        for (int k = 0; k < 200; ++k) {
            wide_nearest(&v, q, p);
            wide_nearest(&w, p, q);
        }
        for (int k = 0; k < 3; ++k) d[k] = q[k] - p[k];
        length = sqrtl(wide_dot(d, d));
        if (length > 0) {
            for (int k = 0; k < 3; ++k) d[k] /= length;
            gap = -wide_reach(&v, d);
            for (int k = 0; k < 3; ++k) d[k] = -d[k];
            gap -= wide_reach(&w, d);
        }
        if (gap > 1e-6L) CHECK(!got);
        if (length < 1e-15L) CHECK(got);
        met += got;
    }
    CHECK_SEEN(met > times / 20);
}

/* ---- bad input ---- */

static void bad_numbers(void) {
    for (int i = 0; i < gen_bad_count; ++i) {
        for (int where = 0; where < 7; ++where) {
            cd_cylinder c = {{0, 0, 0}, {0, 0, 2}, 1};
            cd_cone k = {{0, 0, 0}, {0, 0, 2}, 1};
            cd_disc d = {{0, 0, 0}, {0, 0, 2}, 1};
            cd_ray r = {{0, 0, -3}, {0, 0, 1}};
            cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
            cd_vec3 p = {3, 0, 1};
            bool finite;
            REALS(c)[where] = REALS(k)[where] = REALS(d)[where] = (cd_real)gen_bad_numbers[i];
            finite = isfinite((double)REALS(c)[where]) != 0;
            CHECK(finite || !(ASK("bad", cd_cylinder_is_valid(&c)) || ASK("bad", cd_cone_is_valid(&k)) ||
                              ASK("bad", cd_disc_is_valid(&d))));
            cd_cast_ray_cylinder(&r, 9, &c, NULL, NULL);
            cd_cast_ray_cone(&r, 9, &k, NULL, NULL);
            cd_cast_ray_disc(&r, 9, &d, NULL, NULL);
            cd_test_disc_disc(&d, &d);
            if (!finite) {
                CHECK(!cd_test_point_cylinder(p, &c) && !cd_test_point_cone(p, &k) &&
                      !cd_test_point_disc(p, &d));
                CHECK(!cd_test_cylinder_aabb(&c, box) && !cd_test_cone_aabb(&k, box) &&
                      !cd_test_disc_aabb(&d, box));
                CHECK(isnan((double)cd_sqdist_point_cylinder(p, &c)) &&
                      isnan((double)cd_sqdist_point_cone(p, &k)));
                CHECK(isnan((double)cd_closest_pt_point_disc(p, &d).x));
                CHECK(cd_aabb_is_empty(cd_aabb_from_cylinder(&c)) && cd_aabb_is_empty(cd_aabb_from_disc(&d)));
            } else if (!(REALS(c)[where] < 0 && where == 6)) {
                cd_test_cylinder_aabb(&c, box);
                CHECK(cd_cylinder_is_valid(&c) == (cd_sqdist_point_cylinder(p, &c) >= 0));
            }
        }
    }
}

static void points_as_shapes(void) {
    cd_cylinder c = {{1, 2, 3}, {1, 2, 3}, 0};
    cd_cone k = {{1, 2, 3}, {1, 2, 3}, 0};
    cd_vec3 p = {1, 2, 3}, q = {1, 2, 4};
    cd_aabb box = {{1, 2, 3}, {4, 4, 4}};
    cd_plane below = {{0, 0, 2}, 5}, through = {{0, 0, 2}, 6}, above = {{0, 0, 2}, 7};
    CHECK(!cd_test_cylinder_plane(&c, below) && !cd_test_cylinder_halfspace(&c, below));
    CHECK(cd_test_cone_plane(&k, through) && cd_test_cone_halfspace(&k, through));
    CHECK(!cd_test_cone_plane(&k, above) && cd_test_cone_halfspace(&k, above));
    CHECK(ASK("exact", cd_cylinder_is_valid(&c)) && ASK("exact", cd_cone_is_valid(&k)));
    CHECK(cd_test_point_cylinder(p, &c) && cd_test_point_cone(p, &k) && !cd_test_point_cylinder(q, &c));
    CHECK(cd_test_cylinder_aabb(&c, box) && cd_test_cone_aabb(&k, box));
    CHECK(cd_sqdist_point_cylinder(q, &c) == 1 && cd_sqdist_point_cone(q, &k) == 1);
    CHECK_VEC(cd_closest_pt_point_cylinder(q, &c), p, 0);
    CHECK_VEC(cd_cone_support(&k, q), p, 0);
    c.radius = k.radius = 1;
    CHECK(!ASK("exact", cd_cylinder_is_valid(&c)) && !ASK("exact", cd_cone_is_valid(&k)) &&
          !cd_test_point_cylinder(p, &c));
    c.a = c.b = k.apex = k.base = cd_vec3_make(0, 0, 0);
    c.b.z = k.base.z = (cd_real)ldexp(1, sizeof(cd_real) == 4 ? -149 : -1074); /* two points, though hardly */
    CHECK(cd_cylinder_is_valid(&c) && cd_cone_is_valid(&k));
    c.radius = -1;
    CHECK(!ASK("exact", cd_cylinder_is_valid(&c)) && cd_cylinder_volume(&c) == 0 &&
          cd_aabb_is_empty(cd_aabb_from_cylinder(&c)));
}

#ifdef COLLIDE_DOUBLE
/* Radii whose square vanishes, around axes so long that its product with theirs does not. */
static void squares_that_vanish(void) {
    for (int i = 0; i < 8; ++i) {
        double x = 0.25 + 0.25 * i; /* of the radius there */
        cd_cylinder c = {{0, 0, 0}, {0, 0, 1e150}, 1e-170};
        cd_cone k = {{0, 0, 0}, {0, 0, 1e75}, 1e-164};
        test_note("%g ", x);
        if (i == 3) continue; /* as far as the radius, but for rounding */
        CHECK_INT(ASK("exact", cd_test_point_cylinder(cd_vec3_make(x * 1e-170, 0, 1e149), &c)), x < 1);
        CHECK_INT(ASK("exact", cd_test_point_cone(cd_vec3_make(x * 1e-165, 0, 1e74), &k)), x < 1);
    }
}
#endif

void suite_cylinder(void) {
#ifdef COLLIDE_DOUBLE
    RUN(squares_that_vanish);
#endif
    RUN(points_exactly);
    RUN(points_at_flat_cones);
    RUN(points_off_along_one_axis);
    RUN(planes_exactly);
    RUN(planes_along_large_discs);
    RUN(nearest_points);
    RUN(supports_and_boxes);
    RUN(measures);
    RUN(motions);
    RUN(boxes);
    RUN(boxes_at_points_inside);
    RUN(boxes_flush);
    RUN(rays);
    RUN(rays_at_discs);
    RUN(casts_by_hand);
    RUN(casts_at_thin_cones);
    RUN(casts_at_apexes);
    RUN(two_discs);
    RUN(bad_numbers);
    RUN(points_as_shapes);
}
