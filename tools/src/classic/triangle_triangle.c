#include "classic/triangle_triangle.h"

#ifndef COLLIDE_NO_CLASSIC

#include "shape/triangle3d.h"

/* ---- what a step did ---- */

CDI_HOT void cdi_tally(cd_operations *n, uint32_t adds, uint32_t muls, uint32_t divs, uint32_t comparisons) {
    if (!n) return;
    n->adds += adds;
    n->muls += muls;
    n->divs += divs;
    n->comparisons += comparisons;
}

/* ---- in one plane, seen along its largest axis, as in Moller's program ---- */

CDI_HOT int cdi_classic_axis(cdi_v3 n, cd_operations *count) {
    double x = cdi_abs(n.x), y = cdi_abs(n.y), z = cdi_abs(n.z);
    cdi_tally(count, 0, 0, 0, 2);
    return x > y ? (x > z ? 0 : 2) : z > y ? 2 : 1;
}

/* x from 0 to `end`, on whichever side that is. */
static bool cdi_classic_between(double x, double end) {
    return end > 0.0 ? x >= 0.0 && x <= end : x <= 0.0 && x >= end;
}

/* Two segments; parallel ones do not meet. */
static bool cdi_classic_edges(cdi_v2 p, cdi_v2 q, cdi_v2 r, cdi_v2 s, cd_operations *count) {
    double ax = q.x - p.x, ay = q.y - p.y, bx = r.x - s.x, by = r.y - s.y, cx = p.x - r.x, cy = p.y - r.y;
    double f = ay * bx - ax * by;
    cdi_tally(count, 9, 6, 0, 7);
    return f != 0.0 && cdi_classic_between(by * cx - bx * cy, f) && cdi_classic_between(ax * cy - ay * cx, f);
}

static bool cdi_classic_edge_meets(cdi_v2 p, cdi_v2 q, const cdi_v2 t[3], cd_operations *count) {
    return cdi_classic_edges(p, q, t[0], t[1], count) || cdi_classic_edges(p, q, t[1], t[2], count) ||
           cdi_classic_edges(p, q, t[2], t[0], count);
}

/* Which side of the line p q; inside asks for one side of all three. */
static double cdi_classic_side(cdi_v2 p, cdi_v2 q, cdi_v2 x) {
    double a = q.y - p.y, b = -(q.x - p.x);
    return a * x.x + b * x.y - (a * p.x + b * p.y);
}

static bool cdi_classic_inside(cdi_v2 x, const cdi_v2 t[3], cd_operations *count) {
    double d = cdi_classic_side(t[0], t[1], x);
    cdi_tally(count, 15, 14, 0, 2);
    return d * cdi_classic_side(t[1], t[2], x) > 0.0 && d * cdi_classic_side(t[2], t[0], x) > 0.0;
}

static void cdi_classic_flatten(const cdi_tri *t, int axis, cdi_v2 out[3]) {
    for (int i = 0; i < 3; ++i) {
        cdi_v2 p = cdi_v3_drop(t->v[i], axis);
        out[i] = p;
    }
}

static bool cdi_classic_coplanar(const cdi_tri *a, const cdi_tri *b, cdi_v3 n, cd_operations *count) {
    int axis = cdi_classic_axis(n, count);
    cdi_v2 p[3], q[3];
    cdi_classic_flatten(a, axis, p);
    cdi_classic_flatten(b, axis, q);
    return cdi_classic_edge_meets(p[0], p[1], q, count) || cdi_classic_edge_meets(p[1], p[2], q, count) ||
           cdi_classic_edge_meets(p[2], p[0], q, count) || cdi_classic_inside(p[0], q, count) ||
           cdi_classic_inside(q[0], p, count);
}

/* ---- planes ---- */

CDI_HOT cdi_v3 cdi_classic_normal(const cdi_tri *t, cd_operations *count) {
    cdi_tally(count, 9, 6, 0, 0);
    return cdi_v3_cross(cdi_v3_sub(t->v[1], t->v[0]), cdi_v3_sub(t->v[2], t->v[0]));
}

/* The values of a triangle's corners in a plane equation, and the products of the first with the others. */
typedef struct cdi_classic_values {
    double h[3], h01, h02;
} cdi_classic_values;

/* Values within epsilon are 0. False: all on one side. */
CDI_HOT bool cdi_classic_heights(const cdi_tri *plane, cdi_v3 n, const cdi_tri *t, double epsilon,
                                 cdi_classic_values *out, cd_operations *count) {
    double d = cdi_v3_dot(n, plane->v[0]);
    for (int i = 0; i < 3; ++i) {
        double x = cdi_v3_dot(n, t->v[i]) - d;
        out->h[i] = cdi_abs(x) < epsilon ? 0.0 : x;
    }
    out->h01 = out->h[0] * out->h[1];
    out->h02 = out->h[0] * out->h[2];
    cdi_tally(count, 11, 14, 0, epsilon > 0.0 ? 5 : 2);
    return !(out->h01 > 0.0 && out->h02 > 0.0);
}

CDI_HOT bool cdi_classic_flat(const cdi_classic_values *a, cd_operations *count) {
    cdi_tally(count, 0, 0, 0, 3);
    return a->h[0] == 0.0 && a->h[1] == 0.0 && a->h[2] == 0.0;
}

/* The corner from which both edges cross the plane. */
CDI_HOT int cdi_classic_apex(const cdi_classic_values *a, cd_operations *count) {
    cdi_tally(count, 0, 1, 0, 5);
    if (a->h01 > 0.0) return 2;
    if (a->h02 > 0.0) return 1;
    if (a->h[1] * a->h[2] > 0.0 || a->h[0] != 0.0) return 0;
    return a->h[1] != 0.0 ? 1 : 2;
}

CDI_HOT bool cdi_classic_read(const cd_triangle *a, const cd_triangle *b, cdi_tri *p, cdi_tri *q) {
    *p = cdi_tri_of(a);
    *q = cdi_tri_of(b);
    return cdi_tri_finite(p) && cdi_tri_finite(q);
}

/* ---- Moller ---- */

/* The interval of one triangle on the common line: origin + first / x0 ... origin + last / x1. */
typedef struct cdi_moller_interval {
    double origin, first, last, x0, x1;
} cdi_moller_interval;

CDI_HOT void cdi_moller_interval_of(const cdi_tri *t, const cdi_classic_values *a, int axis,
                                    cdi_moller_interval *out, cd_operations *count) {
    int i = cdi_classic_apex(a, count), j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
    out->origin = cdi_v3_get(t->v[i], axis);
    out->first = (cdi_v3_get(t->v[j], axis) - out->origin) * a->h[i];
    out->last = (cdi_v3_get(t->v[k], axis) - out->origin) * a->h[i];
    out->x0 = a->h[i] - a->h[j];
    out->x1 = a->h[i] - a->h[k];
    cdi_tally(count, 4, 2, 0, 0);
}

/* Both ends of an interval times all four denominators; `own` and `other` are the products of its two and of the other's. */
CDI_HOT void cdi_moller_ends(const cdi_moller_interval *i, double own, double other, double end[2],
                             cd_operations *count) {
    double base = i->origin * (own * other);
    double first = base + i->first * i->x1 * other, last = base + i->last * i->x0 * other;
    end[0] = first < last ? first : last;
    end[1] = first < last ? last : first;
    cdi_tally(count, 2, 6, 0, 1);
}

CDI_HOT bool cdi_moller_overlap(const cdi_moller_interval *i, const cdi_moller_interval *j,
                                cd_operations *count) {
    double xx = i->x0 * i->x1, yy = j->x0 * j->x1, p[2], q[2];
    cdi_moller_ends(i, xx, yy, p, count);
    cdi_moller_ends(j, yy, xx, q, count);
    cdi_tally(count, 0, 2, 0, 2);
    return p[0] <= q[1] && q[0] <= p[1];
}

CDI_HOT bool cdi_moller(const cd_triangle *a, const cd_triangle *b, cd_operations *count) {
    const double epsilon = 1e-6;
    cdi_tri p, q;
    cdi_v3 n, m;
    cdi_classic_values hp, hq;
    cdi_moller_interval i, j;
    int axis;
    if (!cdi_classic_read(a, b, &p, &q)) return false;
    n = cdi_classic_normal(&p, count);
    if (!cdi_classic_heights(&p, n, &q, epsilon, &hq, count)) return false;
    m = cdi_classic_normal(&q, count);
    if (!cdi_classic_heights(&q, m, &p, epsilon, &hp, count)) return false;
    if (cdi_classic_flat(&hp, count) || cdi_classic_flat(&hq, count))
        return cdi_classic_coplanar(&p, &q, n, count);
    cdi_tally(count, 3, 6, 0, 0); /* the line's direction */
    axis = cdi_classic_axis(cdi_v3_cross(n, m), count);
    cdi_moller_interval_of(&p, &hp, axis, &i, count);
    cdi_moller_interval_of(&q, &hq, axis, &j, count);
    return cdi_moller_overlap(&i, &j, count);
}

CD_API bool cd_test_triangle_triangle_moller(const cd_triangle *a, const cd_triangle *b,
                                             cd_operations *operations) {
    return operations ? cdi_moller(a, b, operations) : cdi_moller(a, b, NULL);
}

/* ---- Held ---- */

CDI_HOT cdi_v3 cdi_held_crossing(cdi_v3 p, cdi_v3 q, double from, double to, cd_operations *count) {
    cdi_tally(count, 7, 3, 1, 1);
    return from == to ? p : cdi_v3_along(p, cdi_v3_sub(q, p), from / (from - to));
}

/* A segment in the plane of t. */
CDI_HOT bool cdi_held_segment(cdi_v3 p, cdi_v3 q, const cdi_tri *t, cdi_v3 n, cd_operations *count) {
    int axis = cdi_classic_axis(n, count);
    cdi_v2 f[3], x = cdi_v3_drop(p, axis), y = cdi_v3_drop(q, axis);
    cdi_classic_flatten(t, axis, f);
    return cdi_classic_edge_meets(x, y, f, count) || cdi_classic_inside(x, f, count) ||
           cdi_classic_inside(y, f, count);
}

CDI_HOT bool cdi_held_test(const cd_triangle *a, const cd_triangle *b, cd_operations *count) {
    cdi_tri p, q;
    cdi_v3 n, first, last;
    cdi_classic_values s;
    int i, j, k;
    if (!cdi_classic_read(a, b, &p, &q)) return false;
    n = cdi_classic_normal(&p, count);
    if (!cdi_classic_heights(&p, n, &q, 0.0, &s, count)) return false;
    if (cdi_classic_flat(&s, count)) return cdi_classic_coplanar(&p, &q, n, count);
    i = cdi_classic_apex(&s, count);
    j = (i + 1) % 3;
    k = (i + 2) % 3;
    first = cdi_held_crossing(q.v[i], q.v[j], s.h[i], s.h[j], count);
    last = cdi_held_crossing(q.v[i], q.v[k], s.h[i], s.h[k], count);
    return cdi_held_segment(first, last, &p, n, count);
}

CD_API bool cd_test_triangle_triangle_held(const cd_triangle *a, const cd_triangle *b,
                                           cd_operations *operations) {
    return operations ? cdi_held_test(a, b, operations) : cdi_held_test(a, b, NULL);
}

/* ---- Tropp, Tal, Shimshoni ---- */

/* x / y in 0...1, told without dividing. */
CDI_HOT bool cdi_tropp_legal(double x, double y, cd_operations *count) {
    cdi_tally(count, 0, 0, 0, 3);
    return y > 0.0 ? x >= 0.0 && x <= y : y < 0.0 && x <= 0.0 && x >= y;
}

/* The edges of the second triangle from the first corner of the first one: from + beta way[0], from + beta way[1], and between their
 * ends. Each is in the plane where beta = start / along. */
typedef struct cdi_tropp_edges {
    cdi_v3 from, way[2];
    double start[3], along[3];
} cdi_tropp_edges;

/* Determinants |p1 p2 x| = n . x; the third edge's follow from the others' as they are linear. */
CDI_HOT void cdi_tropp_determinants(const cdi_tri *p, const cdi_tri *q, cdi_v3 n, cdi_tropp_edges *e,
                                    cd_operations *count) {
    cdi_v3 from = cdi_v3_sub(q->v[0], p->v[0]), first = cdi_v3_sub(q->v[1], q->v[0]),
           second = cdi_v3_sub(q->v[2], q->v[0]);
    e->from = from;
    e->way[0] = first;
    e->way[1] = second;
    e->start[0] = -cdi_v3_dot(n, e->from);
    e->start[1] = e->start[0];
    e->along[0] = cdi_v3_dot(n, e->way[0]);
    e->along[1] = cdi_v3_dot(n, e->way[1]);
    e->start[2] = e->start[0] - e->along[0];
    e->along[2] = e->along[1] - e->along[0];
    cdi_tally(count, 17, 9, 0, 0);
}

/* Which two edges cross the plane: false for none. */
CDI_HOT bool cdi_tropp_crossing(const cdi_tropp_edges *e, int cross[2], cd_operations *count) {
    bool first = cdi_tropp_legal(e->start[0], e->along[0], count);
    bool second = cdi_tropp_legal(e->start[1], e->along[1], count);
    if (!first && !second) return false;
    if (first && second && e->start[0] == 0.0 && cdi_tropp_legal(e->start[2], e->along[2], count))
        second = false; /* both cross at the first corner: the third tells the other end */
    cross[0] = first ? 0 : 1;
    cross[1] = first && second ? 1 : 2;
    cdi_tally(count, 0, 0, 0, 1);
    return true;
}

/* The segment between two crossings as x + gamma t and the edges p1, p2, seen along an axis, all times both denominators. */
typedef struct cdi_tropp_segment {
    cdi_v2 x, t, p1, p2;
    double scale;
} cdi_tropp_segment;

/* The crossing times its denominator. */
CDI_HOT cdi_v2 cdi_tropp_end(const cdi_tropp_edges *e, int i, int axis, cd_operations *count) {
    cdi_v2 from = cdi_v3_drop(e->from, axis), way = cdi_v3_drop(e->way[i == 1], axis), r;
    if (i == 2) {
        cdi_v2 second = cdi_v3_drop(e->way[1], axis);
        from.x += way.x;
        from.y += way.y;
        way.x = second.x - way.x;
        way.y = second.y - way.y;
        cdi_tally(count, 4, 0, 0, 0);
    }
    r.x = e->along[i] * from.x + e->start[i] * way.x;
    r.y = e->along[i] * from.y + e->start[i] * way.y;
    cdi_tally(count, 2, 4, 0, 0);
    return r;
}

CDI_HOT void cdi_tropp_segment_of(const cdi_tri *p, const cdi_tropp_edges *e, const int cross[2], int axis,
                                  cdi_tropp_segment *s, cd_operations *count) {
    cdi_v2 first = cdi_tropp_end(e, cross[0], axis, count), last = cdi_tropp_end(e, cross[1], axis, count);
    double w = e->along[cross[0]], u = e->along[cross[1]];
    cdi_v2 c = cdi_v3_drop(p->v[0], axis), p1 = cdi_v3_drop(p->v[1], axis), p2 = cdi_v3_drop(p->v[2], axis);
    s->scale = w * u;
    s->x.x = u * first.x;
    s->x.y = u * first.y;
    s->t.x = w * last.x - s->x.x;
    s->t.y = w * last.y - s->x.y;
    s->p1.x = s->scale * (p1.x - c.x);
    s->p1.y = s->scale * (p1.y - c.y);
    s->p2.x = s->scale * (p2.x - c.x);
    s->p2.y = s->scale * (p2.y - c.y);
    cdi_tally(count, 2, 9, 0, 0); /* the edges are there already */
}

CDI_HOT double cdi_tropp_cross(cdi_v2 a, cdi_v2 b) {
    return a.x * b.y - a.y * b.x;
}

/* The line of the segment meets an edge where alpha p = x + gamma t: alpha = (x * t) / (p * t), gamma = (x * p) / (p * t). For the
 * third edge, p2 - p1 from p1, all three products follow from those of the others and from p1 * p2, a minor that is there. The
 * segment misses when all of gamma is below 0, or above 1. */
CDI_HOT bool cdi_tropp_meets(const cdi_tropp_segment *s, double minor, cd_operations *count) {
    double d[3], a[3], g[3];
    int legal = 0, below = 0, above = 0;
    d[0] = cdi_tropp_cross(s->p1, s->t);
    d[1] = cdi_tropp_cross(s->p2, s->t);
    d[2] = d[1] - d[0];
    a[0] = cdi_tropp_cross(s->x, s->t);
    a[1] = a[0];
    a[2] = a[0] - d[0];
    g[0] = cdi_tropp_cross(s->x, s->p1);
    g[1] = cdi_tropp_cross(s->x, s->p2);
    g[2] = g[1] - g[0] - s->scale * (s->scale * minor);
    cdi_tally(count, 9, 12, 0, 2);
    for (int i = 0; i < 3; ++i) {
        if (!cdi_tropp_legal(a[i], d[i], count)) continue;
        cdi_tally(count, 0, 0, 0, 3);
        ++legal;
        below += d[i] > 0.0 ? g[i] < 0.0 : g[i] > 0.0;
        above += d[i] > 0.0 ? g[i] > d[i] : g[i] < d[i];
    }
    return below < legal && above < legal;
}

CDI_HOT bool cdi_tropp(const cd_triangle *a, const cd_triangle *b, cd_operations *count) {
    cdi_tri p, q;
    cdi_v3 n;
    cdi_tropp_edges e;
    cdi_tropp_segment s;
    int cross[2], axis;
    if (!cdi_classic_read(a, b, &p, &q)) return false;
    n = cdi_classic_normal(&p, count);
    cdi_tropp_determinants(&p, &q, n, &e, count);
    cdi_tally(count, 0, 0, 0, 3);
    if (e.start[0] == 0.0 && e.along[0] == 0.0 && e.along[1] == 0.0)
        return cdi_classic_coplanar(&p, &q, n, count);
    if (!cdi_tropp_crossing(&e, cross, count)) return false;
    axis = cdi_classic_axis(n, count);
    cdi_tropp_segment_of(&p, &e, cross, axis, &s, count);
    return cdi_tropp_meets(&s, cdi_v3_get(n, axis), count);
}

CD_API bool cd_test_triangle_triangle_tropp(const cd_triangle *a, const cd_triangle *b,
                                            cd_operations *operations) {
    return operations ? cdi_tropp(a, b, operations) : cdi_tropp(a, b, NULL);
}

#endif
