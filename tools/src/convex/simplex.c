#include "convex/simplex.h"
#include "core/twofold.h"

CDI_FN void cdi_simplex_solve(const cdi_v3 *p, int count, cdi_nearest *out) {
    cdi_simplex_solve_here(p, count, out);
}

/* ---- the same in numbers of two doubles ----
 *
 * For simplexes that are too thin for doubles: all parts of the simplex are solved, and the nearest of the points inside their parts
 * taken. */

typedef struct cdi_two3 {
    cdi_two x, y, z;
} cdi_two3;

static cdi_two3 cdi_two3_of(cdi_v3 a) {
    cdi_two3 r;
    r.x = cdi_two_of(a.x);
    r.y = cdi_two_of(a.y);
    r.z = cdi_two_of(a.z);
    return r;
}

/* a + b s */
static cdi_two3 cdi_two3_along(cdi_two3 a, cdi_two3 b, cdi_two s) {
    a.x = cdi_two_add(a.x, cdi_two_mul(b.x, s));
    a.y = cdi_two_add(a.y, cdi_two_mul(b.y, s));
    a.z = cdi_two_add(a.z, cdi_two_mul(b.z, s));
    return a;
}

static cdi_two3 cdi_two3_sub(cdi_two3 a, cdi_two3 b) {
    a.x = cdi_two_sub(a.x, b.x);
    a.y = cdi_two_sub(a.y, b.y);
    a.z = cdi_two_sub(a.z, b.z);
    return a;
}

static cdi_two cdi_two3_dot(cdi_two3 a, cdi_two3 b) {
    cdi_two xy = cdi_two_add(cdi_two_mul(a.x, b.x), cdi_two_mul(a.y, b.y));
    return cdi_two_add(xy, cdi_two_mul(a.z, b.z));
}

static cdi_two3 cdi_two3_cross(cdi_two3 a, cdi_two3 b) {
    cdi_two3 r;
    r.x = cdi_two_sub(cdi_two_mul(a.y, b.z), cdi_two_mul(a.z, b.y));
    r.y = cdi_two_sub(cdi_two_mul(a.z, b.x), cdi_two_mul(a.x, b.z));
    r.z = cdi_two_sub(cdi_two_mul(a.x, b.y), cdi_two_mul(a.y, b.x));
    return r;
}

static cdi_v3 cdi_two3_round(cdi_two3 a) {
    return cdi_v3_make(a.x.hi, a.y.hi, a.z.hi);
}

/* A part of the simplex: up to four corners, the differences to the last, and their products. The last is the one nearest to the origin, as the
 * point is made from there: what is far larger than the point would leave its rounding in it. */
typedef struct cdi_part {
    int corner[4], count;
    cdi_two3 q, e[3]; /* the way from the last corner to the origin, and those to the others */
    cdi_two share[4]; /* the weights, times `whole` */
    cdi_two whole;
} cdi_part;

static void cdi_part_open(cdi_part *f, const cdi_v3 *p, uint32_t mask) {
    cdi_two3 last;
    f->count = 0;
    for (int i = 0; i < 4; ++i)
        if (mask >> i & 1u) f->corner[f->count++] = i;
    for (int i = 0, end = f->count - 1; i < end; ++i) {
        int corner = f->corner[i];
        if (!(cdi_v3_norm(p[corner]) < cdi_v3_norm(p[f->corner[end]]))) continue;
        f->corner[i] = f->corner[end];
        f->corner[end] = corner;
    }
    last = cdi_two3_of(p[f->corner[f->count - 1]]);
    f->q = cdi_two3_sub(cdi_two3_of(cdi_v3_make(0.0, 0.0, 0.0)), last);
    for (int i = 0; i + 1 < f->count; ++i) f->e[i] = cdi_two3_sub(cdi_two3_of(p[f->corner[i]]), last);
}

/* The shares of all corners but the last, of which the point of the part's line, plane or space nearest to the origin is made. */
static void cdi_part_solve(cdi_part *f) {
    cdi_two3 n;
    f->whole = cdi_two_of(1.0);
    if (f->count == 2) {
        f->share[0] = cdi_two3_dot(f->e[0], f->q);
        f->whole = cdi_two3_dot(f->e[0], f->e[0]);
    } else if (f->count == 3) {
        n = cdi_two3_cross(f->e[0], f->e[1]);
        f->share[0] = cdi_two3_dot(cdi_two3_cross(f->q, f->e[1]), n);
        f->share[1] = cdi_two3_dot(cdi_two3_cross(f->e[0], f->q), n);
        f->whole = cdi_two3_dot(n, n);
    } else if (f->count == 4) {
        for (int i = 0; i < 3; ++i)
            f->share[i] = cdi_two3_dot(f->q, cdi_two3_cross(f->e[(i + 1) % 3], f->e[(i + 2) % 3]));
        f->whole = cdi_two3_dot(f->e[0], cdi_two3_cross(f->e[1], f->e[2]));
    }
}

#define CDI_SIMPLEX_FLAT 6.5e-55 /* 4^-90: squares of what is surely no rounding here */

/* Are its edges independent, beyond rounding? */
static bool cdi_part_is_full(const cdi_part *f) {
    double size = CDI_SIMPLEX_FLAT, whole = f->whole.hi;
    for (int i = 0; i + 1 < f->count; ++i) size *= cdi_two3_dot(f->e[i], f->e[i]).hi;
    if (f->count < 3) return whole > 0.0;
    return (f->count == 3 ? whole : whole * whole) > size;
}

/* Makes weights of the shares; false when the point is not inside. */
static bool cdi_part_weigh(cdi_part *f) {
    cdi_two rest = cdi_two_of(1.0);
    bool inside = cdi_part_is_full(f);
    for (int i = 0; i + 1 < f->count && inside; ++i) {
        f->share[i] = cdi_two_div(f->share[i], f->whole);
        rest = cdi_two_sub(rest, f->share[i]);
        inside = f->share[i].hi >= 0.0 && f->share[i].hi <= 1.0;
    }
    f->share[f->count - 1] = rest;
    return inside && rest.hi >= 0.0;
}

/* The point minus what is left of it along an edge is the direction; of a face the normal. */
static cdi_v3 cdi_part_across(const cdi_part *f, cdi_two3 v) {
    cdi_two3 n;
    cdi_v3 d;
    if (f->count == 2) {
        cdi_two left = cdi_two_div(cdi_two3_dot(v, f->e[0]), f->whole);
        return cdi_two3_round(cdi_two3_along(v, f->e[0], cdi_two_neg(left)));
    }
    if (f->count != 3) return cdi_two3_round(v);
    n = cdi_two3_cross(f->e[0], f->e[1]);
    d = cdi_two3_round(n);
    return cdi_two3_dot(n, f->q).hi <= 0.0 ? d : cdi_v3_neg(d);
}

static void cdi_part_try(const cdi_v3 *p, uint32_t mask, cdi_nearest *out) {
    cdi_part f;
    cdi_two3 v;
    cdi_two square;
    cdi_part_open(&f, p, mask);
    cdi_part_solve(&f);
    if (!cdi_part_weigh(&f)) return;
    v = cdi_two3_sub(cdi_two3_of(cdi_v3_make(0.0, 0.0, 0.0)), f.q);
    for (int i = 0; i + 1 < f.count; ++i) v = cdi_two3_along(v, f.e[i], f.share[i]);
    square = cdi_two3_dot(v, v);
    if (!cdi_two_less(square.hi, square.lo, out->square, out->square_tail)) return;
    out->square = square.hi;
    out->square_tail = square.lo;
    out->keep = mask;
    out->v = cdi_two3_round(v);
    out->dir = cdi_part_across(&f, v);
    for (int i = 0; i < f.count; ++i) out->weight[f.corner[i]] = f.share[i].hi;
}

CDI_FN void cdi_simplex_carefully(const cdi_v3 *p, int count, cdi_nearest *out) {
    out->square = CDI_HUGE;
    out->square_tail = 0.0;
    out->keep = 0;
    for (uint32_t mask = 1; mask < 1u << count; ++mask) cdi_part_try(p, mask, out);
}

/* ---- the last word ---- */

/* What stays when A and B are swapped, which negates w: sizes, sums of both points, and which signs of w are alike. */
static void cdi_tip_key(const cdi_tip *t, double key[9]) {
    cdi_v3 w = t->w;
    cdi_v3_store(key, cdi_v3_make(cdi_abs(w.x), cdi_abs(w.y), cdi_abs(w.z)));
    cdi_v3_store(key + 3, cdi_v3_add(t->a, t->b));
    cdi_v3_store(key + 6, cdi_v3_make(w.x * w.y, w.y * w.z, w.z * w.x));
}

static bool cdi_tip_key_before(const cdi_tip *s, const cdi_tip *t) {
    double a[9], b[9];
    cdi_tip_key(s, a);
    cdi_tip_key(t, b);
    for (int k = 0; k < 9; ++k)
        if (a[k] != b[k]) return a[k] < b[k];
    return false;
}

/* By the vertices, and in the same way when A and B are swapped, which negates w. */
static bool cdi_tip_before(const cdi_tip *s, const cdi_tip *t) {
    uint32_t a = s->vertex_a, b = s->vertex_b, c = t->vertex_a, d = t->vertex_b;
    uint32_t s_least = a < b ? a : b, s_most = a < b ? b : a, t_least = c < d ? c : d, t_most = c < d ? d : c;
    if (s_least != t_least) return s_least < t_least;
    if (s_most != t_most) return s_most < t_most;
    return cdi_tip_key_before(s, t);
}

static void cdi_tips_sort(cdi_tip *tip, int count) {
    for (int i = 1; i < count; ++i)
        for (int j = i; j > 0 && cdi_tip_before(&tip[j], &tip[j - 1]); --j) {
            cdi_tip t = tip[j];
            tip[j] = tip[j - 1];
            tip[j - 1] = t;
        }
}

/* Do doubles do? Not where corners are nearly not needed, nor in a triangle whose edges are nearly parallel. */
static bool cdi_tips_are_clear(const cdi_v3 *p, int count, const cdi_nearest *f) {
    cdi_v3 d, e;
    if (f->keep != (1u << count) - 1u) return false;
    for (int i = 0; i < count; ++i)
        if (f->weight[i] < 1e-6) return false;
    if (count < 3) return true;
    d = cdi_v3_sub(p[0], p[2]);
    e = cdi_v3_sub(p[1], p[2]);
    return cdi_v3_sqlength(cdi_v3_cross(d, e)) > 1e-6 * cdi_v3_sqlength(d) * cdi_v3_sqlength(e);
}

/* The unit direction across them; where the point is nothing but rounding, a triangle's normal, or what is known. */
static cdi_v3 cdi_settled_normal(const cdi_v3 *p, int count, const cdi_nearest *f, cdi_v3 hint) {
    bool tells = f->keep == 7 || cdi_v3_norm(f->v) > 2.0 * CDI_GJK_ROUNDING;
    cdi_v3 n = tells ? f->dir : count == 3 ? cdi_face_across(p[0], p[1], p[2]) : hint;
    n = cdi_v3_unit(n);
    if (cdi_v3_is_zero(n)) return hint;
    return count == 3 && cdi_v3_dot(n, hint) < 0.0 ? cdi_v3_neg(n) : n;
}

/* In units of the scale; all four are set. */
static void cdi_tips_in_units(double unit, const cdi_tip *tip, int count, cdi_v3 p[4]) {
    for (int i = 0; i < 4; ++i) p[i] = cdi_v3_scale(tip[i < count ? i : 0].w, unit);
}

CDI_FN void cdi_tips_settle(double scale, cdi_tip *tip, double *weight, int count, cdi_v3 *v,
                            cdi_v3 *normal) {
    double unit = cdi_unit_of_scale(scale);
    cdi_v3 p[4];
    cdi_nearest f;
    cdi_tips_sort(tip, count);
    cdi_tips_in_units(unit, tip, count, p);
    cdi_simplex_solve(p, count, &f);
    if (!cdi_tips_are_clear(p, count, &f)) cdi_simplex_carefully(p, count, &f);
    for (int i = 0; i < count; ++i) weight[i] = f.keep >> i & 1u ? f.weight[i] : 0.0;
    *normal = cdi_settled_normal(p, count, &f, *normal);
    if (f.keep == 7)
        f.v = cdi_v3_scale(*normal, cdi_v3_dot(*normal, p[2])); /* nothing is left along the face */
    *v = cdi_v3_scale(f.v, 1.0 / unit);
}

/* The ends of the edge that the tips' points are of, in the order of their numbers; false where they are not of two vertices. */
static bool cdi_edge_of_tips(const cdi_tip *tip, int count, bool of_b, uint32_t end[2], cdi_v3 point[2]) {
    int ends = 0;
    for (int i = 0; i < count; ++i) {
        uint32_t vertex = of_b ? tip[i].vertex_b : tip[i].vertex_a;
        if (vertex == CD_NONE) return false;
        if (ends == 2 && vertex != end[0] && vertex != end[1]) return false;
        if (ends == 2 || (ends == 1 && vertex == end[0])) continue;
        end[ends] = vertex;
        point[ends++] = of_b ? tip[i].b : tip[i].a;
    }
    if (ends == 2 && end[0] > end[1]) {
        uint32_t e = end[0];
        cdi_v3 p = point[0];
        end[0] = end[1];
        end[1] = e;
        point[0] = point[1];
        point[1] = p;
    }
    return ends == 2;
}

/* Both ends, and one of each: the half of the parallelogram at corner `k`, k. */
static void cdi_half_of_edges(const uint32_t a[2], const cdi_v3 pa[2], const uint32_t b[2],
                              const cdi_v3 pb[2], int k, cdi_tip *tip) {
    for (int i = 0; i < 3; ++i) {
        int at_a = i == 1 ? 1 - k : k, at_b = i == 2 ? 1 - k : k;
        tip[i].vertex_a = a[at_a];
        tip[i].vertex_b = b[at_b];
        tip[i].a = pa[at_a];
        tip[i].b = pb[at_b];
        tip[i].w = cdi_v3_sub(pb[at_b], pa[at_a]);
    }
}

/* Sets `p` to the sorted corners of half `k`, in units. */
static void cdi_half_open(const uint32_t a[2], const cdi_v3 pa[2], const uint32_t b[2], const cdi_v3 pb[2],
                          int k, double unit, cdi_tip *tip, cdi_v3 *p) {
    cdi_half_of_edges(a, pa, b, pb, k, tip);
    cdi_tips_sort(tip, 3);
    cdi_tips_in_units(unit, tip, 3, p);
}

CDI_FN int cdi_tips_of_edges(double scale, cdi_tip *tip, int count) {
    double unit = cdi_unit_of_scale(scale);
    uint32_t a[2], b[2];
    cdi_v3 pa[2], pb[2], p[2][4];
    cdi_nearest f[2];
    if (count < 2 || !cdi_edge_of_tips(tip, count, false, a, pa) ||
        !cdi_edge_of_tips(tip, count, true, b, pb))
        return count;
    for (int half = 0; half < 2; ++half) {
        cdi_half_open(a, pa, b, pb, half, unit, tip, p[half]);
        cdi_simplex_solve(p[half], 3, &f[half]);
        if (cdi_tips_are_clear(p[half], 3, &f[half])) return 3;
    }
    for (int half = 0; half < 2; ++half) cdi_simplex_carefully(p[half], 3, &f[half]);
    if (!cdi_two_less(f[1].square, f[1].square_tail, f[0].square, f[0].square_tail))
        cdi_half_of_edges(a, pa, b, pb, 0, tip);
    return 3;
}

#undef CDI_SIMPLEX_FLAT
