/* Moving ellipsoids, judged in long double in the space where the ellipsoid is the unit ball: nearest points by looking at every
 * corner, edge and face, and of ellipsoids by bisection; the least distance on the way by thirds, as it is convex. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

enum { SPHERE, TRIANGLE, POLYGON, AABB, OBB, KINDS };
enum { MOST_CORNERS = 8 };

typedef struct target {
    int kind, count;
    cd_sphere sphere;
    cd_aabb box;
    cd_obb obb;
    cd_vec3 corner[MOST_CORNERS];
    real center[3], edge[3][3]; /* of a box, half of it */
} target;

static void take(real to[3], cd_vec3 v, real scale) {
    to[0] = (real)v.x * scale;
    to[1] = (real)v.y * scale;
    to[2] = (real)v.z * scale;
}
static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static real length(const real a[3]) {
    return sqrtl(dot(a, a));
}
static void along(real out[3], const real a[3], const real b[3], real s) {
    for (int i = 0; i < 3; ++i) out[i] = a[i] + s * b[i];
}

static bool sweep(const cd_ellipsoid *e, cd_vec3 v, const target *t, const cd_cast_options *o, cd_hit *hit) {
    cd_triangle tri;
    tri.a = t->corner[0];
    tri.b = t->corner[1];
    tri.c = t->corner[2];
    switch (t->kind) {
    case SPHERE: return ASK("judge", cd_sweep_ellipsoid_sphere(e, v, t->sphere, o, hit));
    case TRIANGLE: return ASK("judge", cd_sweep_ellipsoid_triangle(e, v, &tri, o, hit));
    case POLYGON: return ASK("judge", cd_sweep_ellipsoid_polygon(e, v, t->corner, (size_t)t->count, o, hit));
    case AABB: return ASK("judge", cd_sweep_ellipsoid_aabb(e, v, t->box, o, hit));
    default: return ASK("judge", cd_sweep_ellipsoid_obb(e, v, &t->obb, o, hit));
    }
}

static bool static_test(const cd_ellipsoid *e, const target *t) {
    switch (t->kind) {
    case SPHERE: return cd_test_sphere_ellipsoid(t->sphere, e);
    case AABB: return cd_test_ellipsoid_aabb(e, t->box);
    case OBB: return false; /* there is none */
    default: return cd_test_polygon_ellipsoid(t->corner, (size_t)t->count, e);
    }
}

/* ---- the reference ---- */

/* The ellipsoid, a little thick where it is flat, about the origin. */
typedef struct egg {
    real axis[3][3], map[3][3], inverse[3][3]; /* columns, columns made thick; rows */
    real center[3], motion[3], most, thick, longest;
    bool thin;
} egg;

static void cross(real out[3], const real a[3], const real b[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static real largest_of(const real v[3]) {
    return fmaxl(fabsl(v[0]), fmaxl(fabsl(v[1]), fabsl(v[2])));
}

/* No thinner than 2^thick of its longest half length, and 2^-56 of the largest coordinate. */
static egg thick_egg(const cd_ellipsoid *e, cd_vec3 v, const target *t, int thick) {
    real half[3], det;
    egg g;
    take(half, e->half, 1);
    take(g.center, e->center, 1);
    take(g.motion, v, 1);
    g.longest = largest_of(half);
    g.most = fmaxl(fmaxl(g.longest, largest_of(g.center)), largest_of(g.motion));
    if (t->kind == SPHERE) g.most = fmaxl(g.most, (real)t->sphere.radius);
    if (t->kind >= AABB || t->kind == SPHERE) g.most = fmaxl(g.most, largest_of(t->center));
    for (int i = 0; i < 3 && t->kind >= AABB; ++i) g.most = fmaxl(g.most, largest_of(t->edge[i]));
    for (int i = 0; i < t->count; ++i) {
        real c[3];
        take(c, t->corner[i], 1);
        g.most = fmaxl(g.most, largest_of(c));
    }
    g.thick = fmaxl(ldexpl(g.longest, thick), ldexpl(g.most, -56));
    for (int i = 0; i < 3; ++i) {
        take(g.axis[i], e->axes.col[i], half[i]);
        take(g.map[i], e->axes.col[i], fmaxl(half[i], g.thick));
    }
    for (int i = 0; i < 3; ++i) cross(g.inverse[i], g.map[(i + 1) % 3], g.map[(i + 2) % 3]);
    det = dot(g.map[0], g.inverse[0]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) g.inverse[i][j] /= det;
    g.thin = fminl(half[0], fminl(half[1], half[2])) < ldexpl(g.longest, -24);
    if (fminl(half[0], fminl(half[1], half[2])) >= g.thick) g.thick = 0;
    return g;
}

static egg egg_of(const cd_ellipsoid *e, cd_vec3 v, const target *t) {
    return thick_egg(e, v, t, -40);
}

static real noise_of(const egg *g) {
    return ldexpl(g->most, -56) + 2 * g->thick;
}

static void into_ball(const egg *g, const real v[3], real out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = dot(g->inverse[i], v);
}

static void keep(real best[3], const real p[3]) {
    if (dot(p, p) < dot(best, best)) memcpy(best, p, 3 * sizeof(real));
}

/* The foot on an edge or a face that it is inside of: it is nearer than what bounds that even where rounding hides by how much, and the
 * way to it the right one. */
static void keep_foot(real best[3], const real p[3]) {
    if (dot(p, p) <= dot(best, best) * (1 + 4 * LDBL_EPSILON)) memcpy(best, p, 3 * sizeof(real));
}

static void nearest_on_edge(const real a[3], const real b[3], real best[3]) {
    real e[3], p[3], square, s;
    along(e, b, a, -1);
    square = dot(e, e);
    if (!(square > 0)) return;
    s = -dot(a, e) / square;
    if (!(s > 0 && s < 1)) return;
    along(p, a, e, s);
    s = -dot(p, e) / square; /* once more for the digits */
    along(p, p, e, s);
    keep_foot(best, p);
}

/* The point nearest on a plane, all x in true space with x.up = height: there, as in the ball's space the faces of needles may be narrower
 * than the rounding of their corners. `at`: the same in true space, from `origin`. */
static void foot_on_plane(const egg *g, const real up[3], real height, const real origin[3], real p[3],
                          real at[3]) {
    real n[3];
    for (int i = 0; i < 3; ++i) n[i] = dot(g->map[i], up);
    for (int i = 0; i < 3; ++i) at[i] = -origin[i];
    for (int i = 0; i < 3; ++i) {
        p[i] = n[i] * (height / dot(n, n));
        along(at, at, g->map[i], p[i]);
    }
}

/* The point nearest on the plane of a triangle, by its corners in true space, where it is inside. */
static void nearest_on_triangle(const egg *g, const real a[3], const real b[3], const real c[3],
                                real best[3]) {
    real e[3], f[3], up[3], p[3], at[3], x[3];
    along(e, b, a, -1);
    along(f, c, a, -1);
    cross(up, e, f);
    for (int i = 0; i < 3; ++i) {
        const real *u = i == 0 ? a : i == 1 ? b : c, *v = i == 0 ? b : i == 1 ? c : a;
        real edge[3];
        foot_on_plane(g, up, dot(up, u), u, p, at);
        along(edge, v, u, -1);
        cross(x, edge, at);
        if (!(dot(x, up) >= 0)) return;
    }
    keep_foot(best, p);
}

static void axes_of_box(const target *t, real axis[3][3]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) axis[i][j] = i == j;
    for (int i = 0; i < 3 && t->kind == OBB; ++i) take(axis[i], t->obb.axes.col[i], 1);
}

/* The point of a box nearest to the centre in true space: the edges of one that is long and narrow are lost to rounding, but its parts
 * along its axes, which are all but perpendicular, are not. */
static void nearest_by_axes(const egg *g, const target *t, const real center[3], real best[3]) {
    real axis[3][3], way[3], at[3], q[3];
    axes_of_box(t, axis);
    along(way, center, t->center, -1);
    along(at, t->center, center, -1);
    for (int i = 0; i < 3; ++i) {
        real n[3], half = length(t->edge[i]) / length(axis[i]);
        cross(n, axis[(i + 1) % 3], axis[(i + 2) % 3]);
        along(at, at, axis[i], fmaxl(fminl(dot(n, way) / dot(n, axis[i]), half), -half));
    }
    into_ball(g, at, q);
    keep(best, q);
}

/* Is this point, as seen from the box's centre, between the sides along axis i? */
static bool is_between_sides(const target *t, real axis[3][3], int i, const real at[3]) {
    real n[3];
    cross(n, axis[(i + 1) % 3], axis[(i + 2) % 3]);
    return fabsl(dot(n, at)) <= fabsl(dot(n, t->edge[i]));
}

/* The point nearest on the plane of each face of a box, where it is inside. */
static void nearest_on_faces(const egg *g, const target *t, const real center[3], real best[3]) {
    real axis[3][3], way[3];
    axes_of_box(t, axis);
    along(way, t->center, center, -1);
    for (int i = 0; i < 6; ++i) {
        int k = i / 2;
        real up[3], p[3], at[3], height;
        cross(up, axis[(k + 1) % 3], axis[(k + 2) % 3]);
        height = dot(up, way) + (i & 1 ? 1 : -1) * dot(up, t->edge[k]);
        foot_on_plane(g, up, height, way, p, at);
        if (is_between_sides(t, axis, (k + 1) % 3, at) && is_between_sides(t, axis, (k + 2) % 3, at))
            keep_foot(best, p);
    }
}

/* Of a box or polygon in the ball's space, about the centre at t; zero where the centre is inside. */
static void nearest_of_target(const egg *g, const target *t, const real center[3], real best[3]) {
    real v[MOST_CORNERS][3] = {{0}}, c[MOST_CORNERS][3], p[3];
    int count = t->kind >= AABB ? 8 : t->count;
    for (int i = 0; i < count; ++i) {
        if (t->kind < AABB) {
            take(p, t->corner[i], 1);
        } else {
            memcpy(p, t->center, sizeof p);
            for (int j = 0; j < 3; ++j) along(p, p, t->edge[j], i >> j & 1 ? 1 : -1);
        }
        along(c[i], p, center, -1);
        into_ball(g, c[i], v[i]);
    }
    memcpy(best, v[0], 3 * sizeof(real));
    for (int i = 1; i < count; ++i) keep(best, v[i]);
    if (t->kind < AABB) {
        for (int i = 1; i < count; ++i) {
            nearest_on_edge(v[0], v[i], best);
            nearest_on_edge(v[i], v[(i + 1) % count], best);
        }
        for (int i = 1; i + 1 < count; ++i) nearest_on_triangle(g, c[0], c[i], c[i + 1], best);
        return;
    }
    nearest_by_axes(g, t, center, best);
    for (int i = 0; i < 8; ++i)
        for (int j = 1; j < 8; j *= 2)
            if (!(i & j)) nearest_on_edge(v[i], v[i | j], best);
    nearest_on_faces(g, t, center, best);
    {
        bool inside = true;
        along(p, center, t->center, -1);
        for (int i = 0; i < 3; ++i) {
            real n[3];
            cross(n, t->edge[(i + 1) % 3], t->edge[(i + 2) % 3]);
            if (fabsl(dot(n, p)) > fabsl(dot(n, t->edge[i]))) inside = false;
            if (dot(n, n) == 0) inside = false;
        }
        if (inside) best[0] = best[1] = best[2] = 0;
    }
}

/* y with (map^T map + l) y = z, for columns that are nearly perpendicular. */
static real shifted(const egg *g, const real z[3], real l, real y[3]) {
    real m[3][3], minor[3][3], det;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = dot(g->map[i], g->map[j]) + (i == j ? l : 0);
    for (int i = 0; i < 3; ++i) cross(minor[i], m[(i + 1) % 3], m[(i + 2) % 3]);
    det = dot(m[0], minor[0]);
    for (int i = 0; i < 3; ++i) y[i] = (minor[0][i] * z[0] + minor[1][i] * z[1] + minor[2][i] * z[2]) / det;
    return length(y);
}

/* The distance from the point p, about the ellipsoid's centre; 0 inside. */
static real distance_of_point(const egg *g, const real p[3]) {
    real y[3], z[3], way[3], lo = 0, hi = length(p) * 2 * fmaxl(g->longest, g->thick);
    into_ball(g, p, y);
    if (dot(y, y) <= 1) return 0;
    for (int i = 0; i < 3; ++i) z[i] = dot(g->map[i], p);
    for (int i = 0; i < 100; ++i) {
        real l = 0.5L * (lo + hi);
        if (shifted(g, z, l, y) > 1)
            lo = l;
        else
            hi = l;
    }
    shifted(g, z, lo, y);
    for (int i = 0; i < 3; ++i)
        way[i] = p[i] - (g->map[0][i] * y[0] + g->map[1][i] * y[1] + g->map[2][i] * y[2]);
    return length(way);
}

/* How far a plane between them is from both together: at most the distance, and nearly that where it is short. */
static real gap_at(const egg *g, const target *t, real time) {
    real center[3], q[3], w[3] = {0, 0, 0}, far_off;
    along(center, g->center, g->motion, time);
    if (t->kind == SPHERE) {
        along(q, t->center, center, -1);
        return distance_of_point(g, q) - (real)t->sphere.radius;
    }
    nearest_of_target(g, t, center, q);
    far_off = length(q);
    if (far_off == 0) return -g->longest - g->most;
    for (int i = 0; i < 3; ++i) along(w, w, g->inverse[i], q[i] / far_off);
    return (far_off - 1) / length(w);
}

/* A convex function of time with the same sign. */
static real way_at(const egg *g, const target *t, real time) {
    real center[3], q[3];
    if (t->kind == SPHERE) return gap_at(g, t, time);
    along(center, g->center, g->motion, time);
    nearest_of_target(g, t, center, q);
    return length(q) - 1;
}

static real least_gap(const egg *g, const target *t, real lo, real hi) {
    real a = lo, b = hi;
    for (int i = 0; i < 50; ++i) {
        real p = a + (b - a) * 0.45L, q = a + (b - a) * 0.55L;
        if (way_at(g, t, p) < way_at(g, t, q))
            b = q;
        else
            a = p;
    }
    return fminl(gap_at(g, t, a), fminl(gap_at(g, t, lo), gap_at(g, t, hi)));
}

/* ---- judging ---- */

static real epsilon(void) {
    return sizeof(cd_real) == 4 ? (real)FLT_EPSILON : (real)DBL_EPSILON;
}

/* What is left: as stated. */
static real excess_of(const egg *g) {
    return ldexpl(g->most, sizeof(cd_real) == 4 ? -44 : -40);
}

static real step_of(cd_real t) {
    return sizeof(cd_real) == 4 ? (real)nextafterf((float)t, 2) - (real)t
                                : (real)nextafter((double)t, 2) - (real)t;
}

/* Along w, how far the target is behind the ellipsoid at this time. */
static real apart_along(const egg *g, const target *t, const real w[3], real time) {
    real center[3], way[3], z[3], gap;
    along(center, g->center, g->motion, time);
    for (int i = 0; i < 3; ++i) z[i] = dot(g->axis[i], w);
    along(way, center, t->center, -1);
    gap = dot(w, way);
    if (t->kind == SPHERE) gap -= (real)t->sphere.radius * length(w);
    for (int i = 0; i < 3 && t->kind >= AABB; ++i) gap -= fabsl(dot(t->edge[i], w));
    if (t->kind == TRIANGLE || t->kind == POLYGON) gap = g->most * 1e3L;
    for (int i = 0; i < t->count; ++i) {
        take(way, t->corner[i], -1);
        along(way, way, center, 1);
        gap = fminl(gap, dot(w, way));
    }
    return gap - length(z);
}

static void judge_point(const egg *g, const target *t, const cd_hit *hit, real margin) {
    real p[3], q[3];
    target at = *t;
    egg ball = *g;
    take(p, hit->point, 1);
    memset(ball.map, 0, sizeof ball.map); /* the identity: how far is the point from the target? */
    memset(ball.inverse, 0, sizeof ball.inverse);
    for (int i = 0; i < 3; ++i) ball.map[i][i] = ball.inverse[i][i] = 1;
    if (t->kind == SPHERE) {
        along(q, p, t->center, -1);
        CHECK(fabsl(length(q) - (real)t->sphere.radius) <= margin);
    } else {
        nearest_of_target(&ball, &at, p, q);
        CHECK(length(q) <= margin);
    }
    if (hit->flags & CD_HIT_START) return;
    along(q, p, g->center, -1);
    along(q, q, g->motion, -(real)hit->t);
    into_ball(g, q, p);
    if (g->thick == 0 && length(p) > 1)
        CHECK((length(p) - 1) * ldexpl(1, -1) *
                  fminl(length(g->map[0]), fminl(length(g->map[1]), length(g->map[2]))) <=
              margin);
}

static sweep_body body_of(const target *t) {
    switch (t->kind) {
    case SPHERE: return sweep_of_sphere(t->sphere);
    case AABB: return sweep_of_aabb(t->box);
    case OBB: return sweep_of_obb(&t->obb);
    default: return sweep_of_polygon(t->corner, t->count);
    }
}

static bool judge(const cd_ellipsoid *e, cd_vec3 v, const target *t) {
    cd_hit hit;
    egg g = egg_of(e, v, t);
    sweep_body still = body_of(t);
    bool got = sweep(e, v, t, NULL, &hit), start;
    real noise = noise_of(&g), gap, left, w[3], margin;
    if (!got) { /* no thicker than the slack that decides: thicker ones may be met, and by planes that tell any depth */
        g = thick_egg(e, v, t, -48);
        CHECK(least_gap(&g, t, 0, 1) > -noise_of(&g));
        return false;
    }
    start = (hit.flags & CD_HIT_START) != 0;
    gap = gap_at(&g, t, (real)hit.t);
    left = gap - 2 * step_of(hit.t) * length(g.motion);
    if (gap_at(&g, t, 0) < -noise && (g.thick == 0 || t->kind == SPHERE)) CHECK(start);
    CHECK(left <= excess_of(&g) + noise);
    CHECK(hit.t >= 0 && hit.t <= 1 && (!start || hit.t == 0));
    if (!start && (g.thick == 0 || t->kind == SPHERE))
        CHECK(gap >= -noise && least_gap(&g, t, 0, (real)hit.t) >= -noise);
    take(w, hit.normal, 1);
    CHECK(fabsl(length(w) - 1) <= 4 * epsilon());
    margin = 16 * epsilon() * g.most + excess_of(&g) + 2 * step_of(hit.t) * length(g.motion) +
             (g.thin ? ldexpl(g.longest, -22) : 0); /* as stated */
    judge_point(&g, t, &hit, margin);
    if (!start || hit.feature != CD_FEATURE_NONE) sweep_judge_feature(&still, &hit, (double)margin);
    if (!start) CHECK(apart_along(&g, t, w, (real)hit.t) >= -16 * epsilon() * g.most - noise);
    return true;
}

/* ---- scenes ---- */

static cd_real some_length(gen *g) {
    return test_int(g->rng, 0, 4) ? gen_length(g) : (cd_real)0;
}

static cd_ellipsoid any_ellipsoid(gen *g) {
    cd_ellipsoid e;
    cd_obb b = gen_obb(g);
    e.center = b.center;
    e.axes = b.axes;
    e.half.x = gen_length(g);
    e.half.y = gen_length(g);
    e.half.z = gen_length(g);
    if (test_int(g->rng, 0, 2) == 0) e.half = cd_vec3_make(some_length(g), some_length(g), some_length(g));
    if (test_int(g->rng, 0, 3) == 0) e.half.y = e.half.x * (cd_real)0.015625;
    if (test_int(g->rng, 0, 7) == 0) e.half.z = e.half.x;
    return e;
}

/* A convex polygon in a plane: corners on an ellipse, rounded. */
static void fill_polygon(gen *g, target *t) {
    static const double circle[MOST_CORNERS][2] = {{1, 0},  {0.8, 0.6},   {0, 1},  {-0.6, 0.8},
                                                   {-1, 0}, {-0.8, -0.6}, {0, -1}, {0.6, -0.8}};
    cd_vec3 c = gen_point(g), a = gen_direction(g), b = gen_direction(g);
    t->count = test_int(g->rng, 1, MOST_CORNERS);
    for (int i = 0; i < t->count; ++i) {
        int k = i * MOST_CORNERS / t->count;
        t->corner[i] = cd_vec3_add(
            c, cd_vec3_add(cd_vec3_scale(a, (cd_real)circle[k][0]), cd_vec3_scale(b, (cd_real)circle[k][1])));
    }
}

static target any_target(gen *g, int kind) {
    target t;
    memset(&t, 0, sizeof t);
    t.kind = kind;
    t.sphere.center = gen_point(g);
    t.sphere.radius = some_length(g);
    t.box = gen_aabb(g);
    t.obb = gen_obb(g);
    t.obb.half = cd_vec3_make(some_length(g), some_length(g), some_length(g));
    if (kind == TRIANGLE) {
        cd_triangle tri = gen_triangle(g);
        t.count = 3;
        t.corner[0] = tri.a;
        t.corner[1] = tri.b;
        t.corner[2] = tri.c;
    }
    if (kind == POLYGON) fill_polygon(g, &t);
    if (kind == SPHERE) take(t.center, t.sphere.center, 1);
    if (kind == OBB) {
        take(t.center, t.obb.center, 1);
        take(t.edge[0], t.obb.axes.col[0], (real)t.obb.half.x);
        take(t.edge[1], t.obb.axes.col[1], (real)t.obb.half.y);
        take(t.edge[2], t.obb.axes.col[2], (real)t.obb.half.z);
    }
    if (kind == AABB) {
        real p[3], q[3];
        take(p, t.box.min, 0.5L);
        take(q, t.box.max, 0.5L);
        for (int i = 0; i < 3; ++i) {
            t.center[i] = p[i] + q[i];
            t.edge[i][i] = q[i] - p[i];
        }
    }
    return t;
}

/* From elsewhere towards a point of the target, or anywhere. */
static cd_vec3 any_motion(gen *g, const cd_ellipsoid *e, const target *t) {
    cd_vec3 v = cd_vec3_scale(gen_direction(g), (cd_real)test_range(g->rng, 0.1, 4));
    int kind = test_int(g->rng, 0, 15), axis = test_int(g->rng, 0, 2);
    cd_vec3 to = cd_vec3_make((cd_real)t->center[0], (cd_real)t->center[1], (cd_real)t->center[2]);
    if (t->count > 0) to = t->corner[test_int(g->rng, 0, t->count - 1)];
    if (kind == 0) return cd_vec3_make(0, 0, 0);
    if (kind == 1) return cd_vec3_scale(v, (cd_real)1e-6);
    if (kind < 5) return cd_vec3_make(axis == 0 ? v.x : 0, axis == 1 ? v.y : 0, axis == 2 ? v.z : 0);
    if (kind < 10) return cd_vec3_scale(cd_vec3_sub(to, e->center), (cd_real)test_range(g->rng, 0.5, 2));
    return v;
}

static void note(const cd_ellipsoid *e, cd_vec3 v, const target *t) {
    test_note("kind %d, corners %d", t->kind, t->count);
    test_note_reals("ellipsoid", REALS(*e), 15);
    test_note_reals("motion", &v.x, 3);
    if (t->kind == SPHERE) test_note_reals("sphere", REALS(t->sphere), 4);
    if (t->kind == AABB) test_note_reals("aabb", REALS(t->box), 6);
    if (t->kind == OBB) test_note_reals("obb", REALS(t->obb), 15);
    if (t->count) test_note_reals("corners", REALS(t->corner), 3 * t->count);
}

/* Ellipsoids that are all but segments or discs, and polygons beside the size of which they are thin or not: what parts one triangle of
 * the fan must part the others. */
static void thin_ones_meet_all_of_a_polygon(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_ellipsoid e = any_ellipsoid(&g);
        target t;
        cd_vec3 v, to;
        cd_real by = (cd_real)ldexp(1, -test_int(&rng, 0, 40));
        memset(&t, 0, sizeof t);
        t.kind = POLYGON;
        fill_polygon(&g, &t);
        for (int k = 0; k < t.count; ++k) t.corner[k] = cd_vec3_scale(t.corner[k], by);
        for (int k = 0; k < 2; ++k)
            REALS(e.half)[test_int(&rng, 0, 2)] *= (cd_real)ldexp(1, -test_int(&rng, 0, 60));
        if (i % 4 == 0) e.half = cd_vec3_scale(e.half, (cd_real)ldexp(1, -test_int(&rng, 0, 60)));
        to = t.corner[test_int(&rng, 0, t.count - 1)];
        v = cd_vec3_scale(cd_vec3_sub(to, e.center), (cd_real)test_range(&rng, 0.5, 2));
        note(&e, v, &t);
        judge(&e, v, &t);
    }
}

/* A disc a hair wide meets the corner that all triangles of a fan share: the planes at the one that it is told to meet lead into others. */
static void where_triangles_share_a_corner(void) {
    static const cd_vec3 corner[7] = {
        {(cd_real)0x1.a0f0fb3df4ce8p-15, (cd_real)0x1.abecf54756277p-13, (cd_real)-0x1.de30b3057948p-17},
        {(cd_real)0x1.0b74a96f2ae58p-15, (cd_real)0x1.67016aac2eee6p-13, (cd_real)-0x1.2c4d25970984cp-19},
        {(cd_real)-0x1.4a7c9dcbfcbe8p-15, (cd_real)0x1.de08c765c15c4p-15, (cd_real)0x1.8355fa096f1cp-18},
        {(cd_real)-0x1.8578c99c2d3ccp-14, (cd_real)-0x1.988be2f1383ap-16, (cd_real)0x1.da5ece7bd4b3p-20},
        {(cd_real)-0x1.0d7a8db57b92ep-13, (cd_real)-0x1.31733ff52e592p-14, (cd_real)-0x1.de30b3057948p-17},
        {(cd_real)-0x1.d036f28392314p-14, (cd_real)-0x1.4f38557dbfce2p-15, (cd_real)-0x1.b8a70e5298176p-16},
        {(cd_real)-0x1.4a7c9dcbfcbe8p-15, (cd_real)0x1.376246e69d47ap-14, (cd_real)-0x1.1f8318c3ea878p-15}};
    cd_ellipsoid e = {
        {(cd_real)-0x1.981ae877e9118p-1, (cd_real)0x1.568af3ce5337p-3, (cd_real)-0x1.9b0376b7100d4p-1},
        {{{(cd_real)-0x1.b664a25188e8ep-1, (cd_real)-0x1.4c6805535f1c6p-3, (cd_real)-0x1.f63192f8f6a19p-2},
          {(cd_real)-0x1.f2324fb1b6cd5p-5, (cd_real)-0x1.d279dd9dbd1fep-1, (cd_real)0x1.a17d904110264p-2},
          {(cd_real)-0x1.06a6db19df5a3p-1, (cd_real)0x1.8402f25873a82p-2, (cd_real)0x1.8a5c28e9c193cp-1}}},
        {(cd_real)0x1.66d86c3a52e1cp-44, (cd_real)0x1.61e8f0a86be09p-60, (cd_real)0x1.d3db98008c2aep-28}};
    cd_vec3 v = {(cd_real)0x1.4bdb4cd9a613ap+0, (cd_real)-0x1.16b5bb221a5d6p-2,
                 (cd_real)0x1.4e4505d7fa544p+0};
    target t;
    memset(&t, 0, sizeof t);
    t.kind = POLYGON;
    t.count = 7;
    memcpy(t.corner, corner, sizeof corner);
    note(&e, v, &t);
    judge(&e, v, &t);
}

/* The least distance of two segments: both ends of one, and where the lines are nearest; then each in turn nearest to the other. */
static real segments_apart(const real a[3], const real b[3], const real c[3], const real d[3]) {
    real u[3], v[3], way[3], n[3], x[3], least = 1e30L, uu, vv, crossing = 0;
    along(u, b, a, -1);
    along(v, d, c, -1);
    along(way, c, a, -1);
    cross(n, u, v);
    cross(x, way, v);
    uu = dot(u, u);
    vv = dot(v, v);
    if (dot(n, n) > 0) crossing = dot(x, n) / dot(n, n);
    for (int k = 0; k < 3; ++k) {
        real s = k < 2 ? (real)k : crossing, r = 0;
        for (int i = 0; i < 50; ++i) {
            s = fmaxl(fminl(s, 1), 0);
            along(x, way, u, -s);
            r = vv > 0 ? fmaxl(fminl(-dot(x, v) / vv, 1), 0) : 0;
            along(x, x, v, r);
            least = fminl(least, length(x));
            if (uu > 0) s += dot(x, u) / uu;
        }
    }
    return least;
}

/* In its own space this one saw a segment by rounding alone, and met it 18 times the excess early. */
static void smaller_than_the_excess(void) {
    cd_ellipsoid e = {
        {(cd_real)-0x1.64e4b1ad281f8p-1, (cd_real)0x1.26aaac3520f6p-4, (cd_real)-0x1.0eda8d28b67p-4},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {(cd_real)0x1.4e0d120156ap-51, (cd_real)0x1.48951c73eecp-63, 0}};
    cd_vec3 v = {(cd_real)0x1.4116e43126df1p+0, (cd_real)0x1.27f7f115ac99ap-4,
                 (cd_real)-0x1.f650eb6c1b93fp-5};
    target t;
    cd_hit hit;
    memset(&t, 0, sizeof t);
    t.kind = POLYGON;
    t.count = 2;
    t.corner[0] = cd_vec3_make((cd_real)-0x1.a97d1896a357ap-4, (cd_real)-0x1.af8ad2248501p-8,
                               (cd_real)0x1.986e669ff45b4p-5);
    t.corner[1] = cd_vec3_make((cd_real)0x1.fafce4ab275bp-5, (cd_real)0x1.d9c19412945ffp-4,
                               (cd_real)-0x1.a6d41aec7d7cap-4);
    if (sweep(&e, v, &t, NULL, &hit)) {
        egg g = egg_of(&e, v, &t);
        real center[3], corner[2][3];
        along(center, g.center, g.motion, (real)hit.t);
        take(corner[0], t.corner[0], 1);
        take(corner[1], t.corner[1], 1);
        CHECK(segments_apart(center, center, corner[0], corner[1]) - 2 * step_of(hit.t) * length(g.motion) <=
              excess_of(&g) + g.longest);
    }
}

/* Needles that are nearly segments, of any length, meet segments anywhere, often near their tips: how far they are apart is told as of
 * two segments. */
static void needles_meet_segments(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_ellipsoid e = any_ellipsoid(&g);
        int k = test_int(&rng, 0, 2);
        real from[3], to[3], axis[3], corner[2][3], s = 1, left;
        cd_real *center = REALS(e.center), *half = REALS(e.half);
        cd_hit hit;
        target t;
        cd_vec3 v;
        egg h;
        memset(&t, 0, sizeof t);
        t.kind = POLYGON;
        t.count = test_int(&rng, 1, 2);
        t.corner[0] = cd_vec3_scale(gen_point(&g), (cd_real)ldexp(1, -test_int(&rng, 0, 40)));
        v = cd_vec3_scale(gen_direction(&g), (cd_real)ldexp(1, -test_int(&rng, 0, 40)));
        t.corner[1] = cd_vec3_add(t.corner[0], v);
        v = cd_vec3_scale(gen_direction(&g), (cd_real)test_range(&rng, 0.1, 2));
        e.half = cd_vec3_make(0, 0, 0);
        half[k] = (cd_real)ldexp(test_range(&rng, 0.5, 1), -test_int(&rng, 0, 60));
        if (test_int(&rng, 0, 1)) s = 1 - (real)ldexp(1, -test_int(&rng, 0, 50));
        s *= half[k];
        for (int j = 0; j < 3; ++j)
            center[j] = (cd_real)(REALS(t.corner[0])[j] - REALS(v)[j] * 0.5L - REALS(e.axes.col[k])[j] * s +
                                  ldexp(test_range(&rng, -1, 1), -test_int(&rng, 20, 60)));
        for (int j = 1; j < 3; ++j)
            half[(k + j) % 3] = (cd_real)ldexp(test_range(&rng, 0, 1) * half[k], -test_int(&rng, 50, 80));
        note(&e, v, &t);
        if (!sweep(&e, v, &t, NULL, &hit)) continue;
        ++hits;
        h = egg_of(&e, v, &t);
        along(from, h.center, h.motion, (real)hit.t);
        take(axis, e.axes.col[k], (real)half[k]);
        along(to, from, axis, 1);
        along(from, from, axis, -1);
        take(corner[0], t.corner[0], 1);
        take(corner[1], t.corner[t.count - 1], 1);
        left = segments_apart(from, to, corner[0], corner[1]) - 2 * step_of(hit.t) * length(h.motion);
        CHECK(left <= excess_of(&h));
    }
    CHECK_SEEN(hits > 0);
}

static void contacts_are_never_late(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0;
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_ellipsoid e = any_ellipsoid(&g);
        target t = any_target(&g, (int)(i / GEN_KINDS % KINDS));
        cd_vec3 v = any_motion(&g, &e, &t);
        bool hit;
        note(&e, v, &t);
        hit = judge(&e, v, &t);
        hits += hit;
        misses += !hit;
        if (!hit && static_test(&e, &t)) { /* thin ones count as 2^-30 or 2^-46 thick there */
            egg h = egg_of(&e, v, &t);
            CHECK(gap_at(&h, &t, 0) <= ldexpl(h.longest, -29) + ldexpl(h.most, -44));
        }
    }
    CHECK_SEEN(hits > 0 && misses > 0);
}

/* A level around something small: the excess does not grow with it. */
static void large_targets(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_ellipsoid e = any_ellipsoid(&g);
        target t = any_target(&g, TRIANGLE + (int)(i % 2));
        cd_vec3 v = any_motion(&g, &e, &t), middle = t.corner[0];
        cd_real by = (cd_real)test_range(&rng, 1, 1e4);
        for (int k = 0; k < t.count; ++k)
            t.corner[k] = cd_vec3_add(middle, cd_vec3_scale(cd_vec3_sub(t.corner[k], middle), by));
        note(&e, v, &t);
        judge(&e, v, &t);
    }
}

static bool is_zero(cd_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Each against the answer without options; and the depth is enough to end the overlap. */
static void judge_options(const cd_ellipsoid *e, cd_vec3 v, const target *t) {
    cd_cast_options o = {0};
    cd_hit plain, hit;
    bool got = sweep(e, v, t, NULL, &plain), back, start, flat = t->count > 2, is;
    real n[3], d[3], before;
    egg g = egg_of(e, v, t);
    CHECK_INT(sweep(e, v, t, NULL, NULL), got);
    if (!got) return;
    back = (plain.flags & CD_HIT_BACK) != 0;
    start = (plain.flags & CD_HIT_START) != 0;
    CHECK(flat || !back);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK_INT(sweep(e, v, t, &o, NULL), back);
    o.flags = CD_CAST_CULL_BACK;
    CHECK_INT(sweep(e, v, t, &o, NULL), !back);
    o.flags = CD_CAST_START_IGNORE;
    CHECK_INT(sweep(e, v, t, &o, NULL), !start);
    if (!start) return;
    o.flags = CD_CAST_START_DEPTH;
    CHECK(sweep(e, v, t, &o, &hit) && hit.t == 0 && hit.depth >= 0);
    before = excess_of(&g);
    take(n, hit.normal, 1);
    take(d, v, 1);
    o.flags = CD_CAST_START_LEAVING;
    is = sweep(e, v, t, &o, NULL);
    if (fabsl(dot(n, d)) > 1e-5L * length(d)) CHECK_INT(is, dot(n, d) < 0);
    if (is_zero(v)) CHECK(!is);
    take(g.motion, hit.normal, (real)hit.depth);
    CHECK(apart_along(&g, t, n, 1) >= -16 * epsilon() * (g.most + (real)hit.depth) - before);
}

static void options_and_starts(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_ellipsoid e = any_ellipsoid(&g);
        target t = any_target(&g, (int)(i / GEN_KINDS % KINDS));
        cd_vec3 v = any_motion(&g, &e, &t);
        note(&e, v, &t);
        judge_options(&e, v, &t);
    }
}

/* What can be told in the head. */
static void by_hand(void) {
    cd_ellipsoid e = {{0, 0, 10}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {3, 2, 1}};
    cd_triangle floor_tile = {{-8, -8, 0}, {8, -8, 0}, {0, 8, 0}};
    cd_aabb b = {{-1, -1, -1}, {1, 1, 1}}, beside = {{3, -1, -1}, {4, 1, 1}};
    cd_sphere s = {{5, 0, 10}, 1};
    cd_hit hit;
    CHECK(cd_sweep_ellipsoid_triangle(&e, cd_vec3_make(0, 0, -18), &floor_tile, NULL, &hit));
    CHECK_NEAR(hit.t, 0.5, 1e-6);
    CHECK_VEC(hit.point, cd_vec3_make(0, 0, 0), 1e-5);
    CHECK_VEC(hit.normal, cd_vec3_make(0, 0, 1), 1e-6);
    CHECK_INT(hit.feature, CD_FEATURE(3u, 0u));
    CHECK_NEAR(hit.u + hit.v, 0.75, 1e-5);
    CHECK_INT(hit.flags, 0);
    e.center.z = -10;
    CHECK(cd_sweep_ellipsoid_triangle(&e, cd_vec3_make(0, 0, 18), &floor_tile, NULL, &hit));
    CHECK_INT(hit.flags, CD_HIT_BACK);
    CHECK_VEC(hit.normal, cd_vec3_make(0, 0, -1), 1e-6);
    e.center.z = 10;
    CHECK(cd_sweep_ellipsoid_aabb(&e, cd_vec3_make(0, 0, -16), b, NULL, &hit));
    CHECK_NEAR(hit.t, 0.5, 1e-6);
    CHECK_INT(hit.feature, CD_FEATURE(3u, 5u));
    CHECK(!cd_sweep_ellipsoid_aabb(&e, cd_vec3_make(0, 0, -8), beside, NULL, &hit));
    e.center = cd_vec3_make(-6, 0, 4); /* its tip stays before the face */
    CHECK(cd_sweep_ellipsoid_aabb(&e, cd_vec3_make(1, 0, -4), b, NULL, &hit) == false);
    e.center = cd_vec3_make(-6, 0, 1);
    CHECK(cd_sweep_ellipsoid_aabb(&e, cd_vec3_make(4, 0, 0), b, NULL, &hit));
    CHECK_NEAR(hit.t, 0.5, 1e-6);
    CHECK_VEC(hit.point, cd_vec3_make(-1, 0, 1), 1e-5);
    CHECK_VEC(hit.normal, cd_vec3_make(-1, 0, 0), 1e-6);
    e.center = cd_vec3_make(-3, 0, 10);
    CHECK(cd_sweep_ellipsoid_sphere(&e, cd_vec3_make(8, 0, 0), s, NULL, &hit));
    CHECK_NEAR(hit.t, 0.5, 1e-6);
    CHECK_VEC(hit.point, cd_vec3_make(4, 0, 10), 1e-5);
    CHECK_VEC(hit.normal, cd_vec3_make(-1, 0, 0), 1e-6);
}

/* A needle, a hair aside of a point on a long way: the plane where they are nearest in the ball's space is all but along the
 * needle, which was met up to a seventh of its half length early. */
static void needles_are_met_at_the_tip(void) {
    cd_ellipsoid e = {{0, -10, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 1, 0}};
    cd_vec3 far_off = cd_vec3_make(0, 1048576, 0), point[1];
    cd_obb b = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};
    cd_hit hit;
    e.center.x = (cd_real)ldexp(1, -26);
    point[0] = b.center;
    CHECK(cd_sweep_ellipsoid_polygon(&e, far_off, point, 1, NULL, &hit));
    CHECK_NEAR(hit.t * 1048576, 9, 2e-6);
    CHECK(cd_sweep_ellipsoid_obb(&e, far_off, &b, NULL, &hit));
    CHECK_NEAR(hit.t * 1048576, 9, 2e-6);
}

/* A feature is named where the point is on it but for the excess, by which corners were missed. Only numbers of the double build can be so
 * near to them. */
static void a_corner_is_named_within_the_excess(void) {
    cd_ellipsoid e = {{0, 0, (cd_real)0.5}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};
    target t;
    cd_hit hit;
    memset(&t, 0, sizeof t);
    t.kind = AABB;
    t.box.min = cd_vec3_make(-1, -1, (cd_real)-0.125);
    t.box.max = cd_vec3_neg(t.box.min);
    e.half = cd_vec3_make((cd_real)0.25, (cd_real)0.25, (cd_real)0.125);
    for (int k = 0; k < 192; ++k) {
        sweep_body still = sweep_of_aabb(t.box);
        double aside = ldexp(1 + k % 32 / 32.0, -38 - k / 32);
        e.center.x = (cd_real)(1 - aside);
        e.center.y = (cd_real)(k & 1 ? 0.0 : 1 - aside);
        test_note("");
        test_note_reals("centre", REALS(e.center), 3);
        if (!CHECK(sweep(&e, cd_vec3_make(0, 0, (cd_real)-0.75), &t, NULL, &hit))) continue;
        sweep_judge_feature(&still, &hit, ldexp(1, -40) + 4 * (double)epsilon());
    }
}

/* A disc that is over a point, a floor or a box by more than the excess, at rest or moving along it, does not meet it; where it is led down
 * to the box, it does. */
static void discs_pass_over_by_the_excess(void) {
    test_rng rng = test_random();
    double excess = ldexp(2, sizeof(cd_real) == 4 ? -44 : -40);
    for (long i = test_times(400); i > 0; --i) {
        double over = excess * ldexp(test_range(&rng, 1.01, 2), test_int(&rng, 0, 5));
        cd_ellipsoid e = {{0, 0, (cd_real)over}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};
        cd_vec3 v = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1), 0);
        target t;
        memset(&t, 0, sizeof t);
        t.kind = i % 2 ? POLYGON : AABB;
        t.count = i % 4 == 1 ? 1 : 4;
        if (t.kind == AABB) t.count = 0;
        for (int k = 0; k < 4; ++k)
            t.corner[k] = cd_vec3_make((cd_real)(k == 1 || k == 2), (cd_real)(k > 1), 0);
        if (t.count == 1) t.corner[0] = cd_vec3_make((cd_real)test_range(&rng, -1, 1), 0, 0);
        t.box.min = cd_vec3_make(-1, -1, -1);
        t.box.max = cd_vec3_make(1, 1, 0);
        t.center[2] = -0.5L, t.edge[0][0] = t.edge[1][1] = 1, t.edge[2][2] = 0.5L;
        e.half.x = 2;
        e.half.y = (cd_real)test_range(&rng, 0.1, 1);
        if (i % 3 == 0) v = cd_vec3_make(0, 0, 0);
        note(&e, v, &t);
        CHECK(!judge(&e, v, &t));
        v.z = (cd_real)(-2 * over);
        if (t.kind == AABB) CHECK(judge(&e, v, &t));
    }
}

/* Outside of the domain, too, the contact is where it is. */
static void sizes_outside_of_the_domain(void) {
    double size = sizeof(cd_real) == 8 ? 0x1p300 : 0x1p60;
    for (int i = 0; i < 2; ++i) {
        cd_real x = (cd_real)(i ? 1 / size : size);
        cd_ellipsoid e = {{-8 * x, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {3 * x, 2 * x, x}};
        cd_sphere s = {{4 * x, 0, 0}, x};
        cd_hit hit;
        CHECK(cd_sweep_ellipsoid_sphere(&e, cd_vec3_make(16 * x, 0, 0), s, NULL, &hit));
        CHECK_NEAR(hit.t, 0.5, 1e-6);
        CHECK_NEAR(hit.point.x / x, 3, 1e-5);
        CHECK_NEAR(hit.point.y / x, 0, 1e-5);
        CHECK_NEAR(hit.point.z / x, 0, 1e-5);
    }
}

static void bad_input_is_false(void) {
    cd_ellipsoid e = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {3, 2, 1}}, bad = e;
    cd_sphere s = {{5, 0, 0}, 1};
    cd_vec3 v = cd_vec3_make(8, 0, 0), p[1];
    cd_cast_options o = {0};
    p[0] = s.center;
    CHECK(cd_sweep_ellipsoid_sphere(&e, v, s, NULL, NULL));
    CHECK(cd_sweep_ellipsoid_polygon(&e, v, p, 1, NULL, NULL));
    CHECK(!cd_sweep_ellipsoid_polygon(&e, v, p, 0, NULL, NULL));
    CHECK(!cd_sweep_ellipsoid_polygon(&e, v, NULL, 0, NULL, NULL));
    o.t_min = 2;
    CHECK(!cd_sweep_ellipsoid_sphere(&e, v, s, &o, NULL));
    bad.half.x = -1;
    CHECK(!cd_sweep_ellipsoid_sphere(&bad, v, s, NULL, NULL));
    s.radius = (cd_real)NAN;
    CHECK(!cd_sweep_ellipsoid_sphere(&e, v, s, NULL, NULL));
    p[0].y = (cd_real)INFINITY;
    CHECK(!cd_sweep_ellipsoid_polygon(&e, v, p, 1, NULL, NULL));
    v.x = (cd_real)NAN;
    s.radius = 1;
    CHECK(!cd_sweep_ellipsoid_sphere(&e, v, s, NULL, NULL));
}

/* It begins with its centre in a triangle's plane: either side is as near; told is the one against the motion. */
static void starts_in_the_plane_of_a_triangle(void) {
    for (int k = 0; k < 3; ++k) {
        for (int side = -1; side <= 1; side += 2) {
            cd_ellipsoid e;
            cd_triangle t;
            cd_vec3 motion = cd_vec3_make(0, 0, 0);
            cd_vec3 *v[3];
            cd_cast_options o;
            cd_hit hit;
            v[0] = &t.a, v[1] = &t.b, v[2] = &t.c;
            memset(&e, 0, sizeof e);
            memset(&t, 0, sizeof t);
            memset(&o, 0, sizeof o);
            e.axes = cd_mat3_identity();
            e.half = cd_vec3_make(3, 3, 3);
            (&e.half.x)[k] = 1;
            for (int i = 0; i < 3; ++i) {
                (&v[i]->x)[(k + 1) % 3] = (cd_real)(i == 0 ? 100 : -100);
                (&v[i]->x)[(k + 2) % 3] = (cd_real)(100 * (i - 1));
            }
            (&motion.x)[k] = (cd_real)(4 * side);
            (&motion.x)[(k + 1) % 3] = 3; /* not the shortest way out */
            o.flags = (uint32_t)CD_CAST_START_DEPTH;
            test_note("axis %d, side %d", k, side);
            if (!CHECK(ASK("judge", cd_sweep_ellipsoid_triangle(&e, motion, &t, &o, &hit)))) continue;
            CHECK(hit.t == 0 && (hit.flags & CD_HIT_START));
            CHECK_NEAR((&hit.normal.x)[k], -side, 1e-6);
            CHECK_NEAR(hit.depth, 1, 1e-6);
        }
    }
}

/* A thin one across the middle of a box, where no point is nearest: the way out is the one against the motion, shorter than through any
 * face. */
static void a_way_out_against_the_motion(void) {
    const cd_real half = (cd_real)0.70710678118654752;
    for (int n = 0; n < 6; ++n) {
        cd_real thick = (cd_real)(n < 3 ? 0.125 : 0.25);
        cd_aabb b = {{-1, -1, -1}, {1, 1, 1}};
        cd_vec3 motion = cd_vec3_make(0, 0, 0), across = motion, along = motion;
        int k = n % 3, i = (k + 1) % 3, j = (k + 2) % 3;
        cd_cast_options o;
        cd_ellipsoid e;
        cd_hit hit;
        memset(&o, 0, sizeof o);
        memset(&e, 0, sizeof e);
        o.flags = (uint32_t)CD_CAST_START_DEPTH;
        (&b.min.x)[k] = -8;
        (&b.max.x)[k] = 8;
        (&along.x)[k] = 1;
        (&motion.x)[i] = (&motion.x)[j] = (&across.x)[i] = half;
        (&across.x)[j] = 0 - half;
        e.axes = cd_mat3_from_columns(across, along, cd_vec3_neg(motion));
        e.half = cd_vec3_make(1, (cd_real)0.375 - thick, thick);
        test_note("axis %d, thickness %g", k, (double)thick);
        if (!CHECK(ASK("judge", cd_sweep_ellipsoid_aabb(&e, motion, b, &o, &hit)))) continue;
        CHECK_VEC(hit.normal, cd_vec3_neg(motion), 1e-6);
        CHECK_NEAR(hit.depth, 1.4142135623730951 + (double)thick, 1e-6);
    }
}

void suite_sweep_ellipsoid(void) {
    RUN(starts_in_the_plane_of_a_triangle);
    RUN(contacts_are_never_late);
    RUN(thin_ones_meet_all_of_a_polygon);
    RUN(where_triangles_share_a_corner);
    RUN(smaller_than_the_excess);
    RUN(needles_meet_segments);
    RUN(large_targets);
    RUN(options_and_starts);
    RUN(by_hand);
    RUN(needles_are_met_at_the_tip);
    RUN(a_corner_is_named_within_the_excess);
    RUN(discs_pass_over_by_the_excess);
    RUN(sizes_outside_of_the_domain);
    RUN(bad_input_is_false);
    RUN(a_way_out_against_the_motion);
}
