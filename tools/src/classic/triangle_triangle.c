#include "classic/triangle_triangle.h"

#ifndef COLLIDE_NO_CLASSIC

#include "shape/triangle3d.h"

/* ---- in one plane, seen along its largest axis, as in Moller's program ---- */

static int cdi_classic_axis(cdi_v3 n) {
    double x = cdi_abs(n.x), y = cdi_abs(n.y), z = cdi_abs(n.z);
    return x > y ? (x > z ? 0 : 2) : z > y ? 2 : 1;
}

/* x from 0 to `end`, on whichever side that is. */
static bool cdi_classic_between(double x, double end) {
    return end > 0.0 ? x >= 0.0 && x <= end : x <= 0.0 && x >= end;
}

/* Two segments; parallel ones do not meet. */
static bool cdi_classic_edges(cdi_v2 p, cdi_v2 q, cdi_v2 r, cdi_v2 s) {
    double ax = q.x - p.x, ay = q.y - p.y, bx = r.x - s.x, by = r.y - s.y, cx = p.x - r.x, cy = p.y - r.y;
    double f = ay * bx - ax * by;
    return f != 0.0 && cdi_classic_between(by * cx - bx * cy, f) && cdi_classic_between(ax * cy - ay * cx, f);
}

static bool cdi_classic_edge_meets(cdi_v2 p, cdi_v2 q, const cdi_v2 t[3]) {
    return cdi_classic_edges(p, q, t[0], t[1]) || cdi_classic_edges(p, q, t[1], t[2]) ||
           cdi_classic_edges(p, q, t[2], t[0]);
}

/* Which side of the line p q; inside asks for one side of all three. */
static double cdi_classic_side(cdi_v2 p, cdi_v2 q, cdi_v2 x) {
    double a = q.y - p.y, b = -(q.x - p.x);
    return a * x.x + b * x.y - (a * p.x + b * p.y);
}

static bool cdi_classic_inside(cdi_v2 x, const cdi_v2 t[3]) {
    double d = cdi_classic_side(t[0], t[1], x);
    return d * cdi_classic_side(t[1], t[2], x) > 0.0 && d * cdi_classic_side(t[2], t[0], x) > 0.0;
}

static void cdi_classic_flatten(const cdi_tri *t, int axis, cdi_v2 out[3]) {
    for (int i = 0; i < 3; ++i) {
        cdi_v2 p = cdi_v3_drop(t->v[i], axis);
        out[i] = p;
    }
}

static bool cdi_classic_coplanar(const cdi_tri *a, const cdi_tri *b, cdi_v3 n) {
    int axis = cdi_classic_axis(n);
    cdi_v2 p[3], q[3];
    cdi_classic_flatten(a, axis, p);
    cdi_classic_flatten(b, axis, q);
    return cdi_classic_edge_meets(p[0], p[1], q) || cdi_classic_edge_meets(p[1], p[2], q) ||
           cdi_classic_edge_meets(p[2], p[0], q) || cdi_classic_inside(p[0], q) ||
           cdi_classic_inside(q[0], p);
}

/* A segment in the plane of t. */
static bool cdi_classic_segment(cdi_v3 p, cdi_v3 q, const cdi_tri *t, cdi_v3 n) {
    int axis = cdi_classic_axis(n);
    cdi_v2 f[3], x = cdi_v3_drop(p, axis), y = cdi_v3_drop(q, axis);
    cdi_classic_flatten(t, axis, f);
    return cdi_classic_edge_meets(x, y, f) || cdi_classic_inside(x, f) || cdi_classic_inside(y, f);
}

/* ---- planes ---- */

static cdi_v3 cdi_classic_normal(const cdi_tri *t) {
    return cdi_v3_cross(cdi_v3_sub(t->v[1], t->v[0]), cdi_v3_sub(t->v[2], t->v[0]));
}

/* The values of t's corners in the plane equation of `plane`, those within epsilon 0. False: all on one side. */
static bool cdi_classic_heights(const cdi_tri *plane, cdi_v3 n, const cdi_tri *t, double epsilon,
                                double h[3]) {
    double d = cdi_v3_dot(n, plane->v[0]);
    for (int i = 0; i < 3; ++i) {
        double x = cdi_v3_dot(n, t->v[i]) - d;
        h[i] = cdi_abs(x) < epsilon ? 0.0 : x;
    }
    return !(h[0] * h[1] > 0.0 && h[0] * h[2] > 0.0);
}

static bool cdi_classic_flat(const double h[3]) {
    return h[0] == 0.0 && h[1] == 0.0 && h[2] == 0.0;
}

/* The corner from which both edges cross the plane. */
static int cdi_classic_apex(const double h[3]) {
    if (h[0] * h[1] > 0.0) return 2;
    if (h[0] * h[2] > 0.0) return 1;
    if (h[1] * h[2] > 0.0 || h[0] != 0.0) return 0;
    return h[1] != 0.0 ? 1 : 2;
}

static bool cdi_classic_read(const cd_triangle *a, const cd_triangle *b, cdi_tri *p, cdi_tri *q) {
    *p = cdi_tri_of(a);
    *q = cdi_tri_of(b);
    return cdi_tri_finite(p) && cdi_tri_finite(q);
}

/* ---- Moller ---- */

/* The interval of one triangle on the common line: origin + first / x0 ... origin + last / x1. */
typedef struct cdi_moller_interval {
    double origin, first, last, x0, x1;
} cdi_moller_interval;

static cdi_moller_interval cdi_moller_interval_of(const cdi_tri *t, const double h[3], int axis) {
    int i = cdi_classic_apex(h), j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
    cdi_moller_interval r;
    r.origin = cdi_v3_get(t->v[i], axis);
    r.first = (cdi_v3_get(t->v[j], axis) - r.origin) * h[i];
    r.last = (cdi_v3_get(t->v[k], axis) - r.origin) * h[i];
    r.x0 = h[i] - h[j];
    r.x1 = h[i] - h[k];
    return r;
}

/* Both ends of an interval times all four denominators; `other` is the product of the other's two. */
static void cdi_moller_ends(const cdi_moller_interval *i, double other, double end[2]) {
    double base = i->origin * (i->x0 * i->x1 * other);
    double first = base + i->first * i->x1 * other, last = base + i->last * i->x0 * other;
    end[0] = first < last ? first : last;
    end[1] = first < last ? last : first;
}

CD_API bool cd_test_triangle_triangle_moller(const cd_triangle *a, const cd_triangle *b) {
    const double epsilon = 1e-6;
    cdi_tri p, q;
    cdi_v3 n, m;
    cdi_moller_interval i, j;
    double hp[3], hq[3], ends_p[2], ends_q[2];
    int axis;
    if (!cdi_classic_read(a, b, &p, &q)) return false;
    n = cdi_classic_normal(&p);
    if (!cdi_classic_heights(&p, n, &q, epsilon, hq)) return false;
    m = cdi_classic_normal(&q);
    if (!cdi_classic_heights(&q, m, &p, epsilon, hp)) return false;
    if (cdi_classic_flat(hp) || cdi_classic_flat(hq)) return cdi_classic_coplanar(&p, &q, n);
    axis = cdi_classic_axis(cdi_v3_cross(n, m));
    i = cdi_moller_interval_of(&p, hp, axis);
    j = cdi_moller_interval_of(&q, hq, axis);
    cdi_moller_ends(&i, j.x0 * j.x1, ends_p);
    cdi_moller_ends(&j, i.x0 * i.x1, ends_q);
    return ends_p[0] <= ends_q[1] && ends_q[0] <= ends_p[1];
}

/* ---- Held ---- */

static cdi_v3 cdi_held_crossing(cdi_v3 p, cdi_v3 q, double from, double to) {
    return from == to ? p : cdi_v3_along(p, cdi_v3_sub(q, p), from / (from - to));
}

CD_API bool cd_test_triangle_triangle_held(const cd_triangle *a, const cd_triangle *b) {
    cdi_tri p, q;
    cdi_v3 n, first, last;
    double h[3];
    int i, j, k;
    if (!cdi_classic_read(a, b, &p, &q)) return false;
    n = cdi_classic_normal(&p);
    if (!cdi_classic_heights(&p, n, &q, 0.0, h)) return false;
    if (cdi_classic_flat(h)) return cdi_classic_coplanar(&p, &q, n);
    i = cdi_classic_apex(h);
    j = (i + 1) % 3;
    k = (i + 2) % 3;
    first = cdi_held_crossing(q.v[i], q.v[j], h[i], h[j]);
    last = cdi_held_crossing(q.v[i], q.v[k], h[i], h[k]);
    return cdi_classic_segment(first, last, &p, n);
}

/* ---- Tropp, Tal, Shimshoni ---- */

/* Does the edge, whose start has the determinant `start` and whose direction `way`, cross the plane? Where: at -start / way. */
static bool cdi_tropp_crosses(double start, double way) {
    return way != 0.0 && start * way <= 0.0 && cdi_abs(start) <= cdi_abs(way);
}

CD_API bool cd_test_triangle_triangle_tropp(const cd_triangle *a, const cd_triangle *b) {
    cdi_tri p, q;
    cdi_v3 n, end[3], from[3], way[3];
    double start[3], along[3];
    int ends = 0;
    bool corner;
    if (!cdi_classic_read(a, b, &p, &q)) return false;
    n = cdi_classic_normal(&p); /* |p1 p2 x| = n . x for all determinants */
    from[0] = from[1] = q.v[0];
    from[2] = q.v[1];
    way[0] = cdi_v3_sub(q.v[1], q.v[0]);
    way[1] = cdi_v3_sub(q.v[2], q.v[0]);
    way[2] = cdi_v3_sub(q.v[2], q.v[1]);
    start[0] = start[1] = cdi_v3_dot(n, cdi_v3_sub(q.v[0], p.v[0]));
    along[0] = cdi_v3_dot(n, way[0]);
    along[1] = cdi_v3_dot(n, way[1]);
    start[2] = start[0] + along[0]; /* determinants are linear: the third edge costs two sums */
    along[2] = along[1] - along[0];
    if (start[0] == 0.0 && along[0] == 0.0 && along[1] == 0.0) return cdi_classic_coplanar(&p, &q, n);
    /* the first corner is on the plane: two edges cross there, the third tells the other end */
    corner = start[0] == 0.0 && along[0] != 0.0 && cdi_tropp_crosses(start[2], along[2]);
    for (int i = 0; i < 3 && ends < 2; ++i) {
        cdi_v3 x;
        if (i == 1 && corner) continue;
        if (!cdi_tropp_crosses(start[i], along[i])) continue;
        x = cdi_v3_along(from[i], way[i], -start[i] / along[i]);
        end[ends++] = x;
    }
    return ends == 2 && cdi_classic_segment(end[0], end[1], &p, n);
}

#endif
