#include "convex/gjk3d.h"

/* ---- the point of a simplex nearest to the origin ----
 *
 * Corners are in units of the couple's scale, the newest last. What is sought is made of differences from the newest corner, so
 * that small simplexes far from the origin are solved as well as large ones. */

typedef struct cdi_nearest {
    cdi_v3 v, dir; /* the point, and the direction across the corners that bear it */
    double weight[4];
    uint32_t keep; /* the corners that bear it, as bits; 0: could not tell, 15: the origin is inside */
} cdi_nearest;

static void cdi_nearest_corner(const cdi_v3 *p, int i, cdi_nearest *out) {
    out->v = out->dir = p[i];
    out->weight[i] = 1.0;
    out->keep = 1u << i;
}

/* On the inside of edge ij, at `t` of the way from j to i. The direction is projected once more, for what is left along the edge. */
static void cdi_nearest_edge(const cdi_v3 *p, int i, int j, double t, cdi_nearest *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[j]);
    out->v = cdi_v3_along(p[j], e, t);
    out->dir = cdi_v3_along(out->v, e, 0.0 - cdi_v3_dot(out->v, e) / cdi_v3_sqlength(e));
    out->weight[i] = t;
    out->weight[j] = 1.0 - t;
    out->keep = 1u << i | 1u << j;
}

/* The normal of a triangle, of its two shorter edges. */
static cdi_v3 cdi_face_across(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_v3 ab = cdi_v3_sub(b, a), bc = cdi_v3_sub(c, b), ca = cdi_v3_sub(a, c);
    double u = cdi_v3_sqlength(ab), v = cdi_v3_sqlength(bc), w = cdi_v3_sqlength(ca);
    if (u >= v && u >= w) return cdi_v3_cross(bc, ca);
    return v >= w ? cdi_v3_cross(ca, ab) : cdi_v3_cross(ab, bc);
}

/* Inside triangle ijk, with the weights of i and j. */
static void cdi_nearest_face(const cdi_v3 *p, int i, int j, int k, double s, double t, cdi_nearest *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[k]), f = cdi_v3_sub(p[j], p[k]);
    cdi_v3 n = cdi_face_across(p[i], p[j], p[k]);
    out->v = cdi_v3_along(cdi_v3_along(p[k], e, s), f, t);
    out->dir = cdi_v3_dot(n, p[k]) >= 0.0 ? n : cdi_v3_neg(n);
    out->weight[i] = s;
    out->weight[j] = t;
    out->weight[k] = 1.0 - s - t;
    out->keep = 1u << i | 1u << j | 1u << k;
}

static void cdi_nearest_of_edge(const cdi_v3 *p, int i, int j, cdi_nearest *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[j]);
    double t = 0.0 - cdi_v3_dot(e, p[j]), most = cdi_v3_sqlength(e);
    if (!(t > 0.0)) {
        cdi_nearest_corner(p, j, out);
    } else if (t >= most) {
        cdi_nearest_corner(p, i, out);
    } else {
        cdi_nearest_edge(p, i, j, t / most, out);
    }
}

static void cdi_nearest_of_face(const cdi_v3 *p, int i, int j, int k, cdi_nearest *out) {
    cdi_v3 q = cdi_v3_neg(p[k]), e = cdi_v3_sub(p[i], p[k]), f = cdi_v3_sub(p[j], p[k]);
    cdi_v3 n = cdi_v3_cross(e, f);
    double nn = cdi_v3_sqlength(n);
    double s = cdi_v3_dot(cdi_v3_cross(q, f), n), t = cdi_v3_dot(cdi_v3_cross(e, q), n);
    if (s > 0.0 && t > 0.0 && nn - s - t > 0.0) {
        cdi_nearest_face(p, i, j, k, s / nn, t / nn, out);
    } else if (t <= 0.0 && cdi_v3_dot(e, q) > 0.0) {
        cdi_nearest_of_edge(p, i, k, out);
    } else if (s <= 0.0 && cdi_v3_dot(f, q) > 0.0) {
        cdi_nearest_of_edge(p, j, k, out);
    } else if (s <= 0.0 && t <= 0.0) {
        cdi_nearest_corner(p, k, out);
    } else {
        cdi_nearest_of_edge(p, i, j, out);
    }
}

/* A face of the newest corner and what the origin is to it. */
typedef struct cdi_newest_face {
    double s, t, nn; /* the weights of its other two corners, and their sum with the newest one's */
    double side;     /* the weight of the corner opposite to it */
    bool inner;      /* certainly on that corner's side? */
} cdi_newest_face;

#define CDI_GJK_SURE 7.9e-31 /* 4^-50: squares of what is surely no rounding */

static void cdi_newest_face_make(cdi_newest_face *out, cdi_v3 q, cdi_v3 e, cdi_v3 f, cdi_v3 n, double sign) {
    double unsure = CDI_GJK_SURE * cdi_v3_sqlength(q) * cdi_v3_sqlength(e) * cdi_v3_sqlength(f);
    out->side = cdi_v3_dot(q, n) * sign;
    out->nn = cdi_v3_sqlength(n);
    out->s = cdi_v3_dot(cdi_v3_cross(q, f), n);
    out->t = cdi_v3_dot(cdi_v3_cross(e, q), n);
    out->inner = out->side > 0.0 && out->side * out->side > unsure;
}

static bool cdi_newest_face_bears(const cdi_newest_face *f) {
    return !f->inner && f->s > 0.0 && f->t > 0.0 && f->nn - f->s - f->t > 0.0;
}

/* Of four. The point is where the newest corner is, since it fell; but for old simplexes that the bodies have moved away from. */
static void cdi_nearest_of_four(const cdi_v3 *p, cdi_nearest *out) {
    cdi_v3 q = cdi_v3_neg(p[3]), e[3], n[3];
    cdi_newest_face face[3];
    double volume, sign, way[3];
    for (int i = 0; i < 3; ++i) e[i] = cdi_v3_sub(p[i], p[3]);
    for (int i = 0; i < 3; ++i) n[i] = cdi_v3_cross(e[i], e[(i + 1) % 3]);
    volume = cdi_v3_dot(e[0], n[1]);
    sign = volume < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; ++i) {
        cdi_newest_face_make(&face[i], q, e[i], e[(i + 1) % 3], n[i], sign);
        way[i] = cdi_v3_dot(e[i], q);
    }
    if (face[0].inner && face[1].inner && face[2].inner) {
        if (volume * sign - face[0].side - face[1].side - face[2].side >= 0.0) {
            out->keep = 15;
        } else {
            cdi_nearest_of_face(p, 0, 1, 2, out);
        }
        return;
    }
    for (int i = 0; i < 3; ++i)
        if (cdi_newest_face_bears(&face[i])) {
            cdi_nearest_face(p, i, (i + 1) % 3, 3, face[i].s / face[i].nn, face[i].t / face[i].nn, out);
            return;
        }
    for (int i = 0; i < 3; ++i)
        if (way[i] > 0.0 && face[i].t <= 0.0 && face[(i + 2) % 3].s <= 0.0) {
            cdi_nearest_of_edge(p, i, 3, out);
            return;
        }
    if (way[0] <= 0.0 && way[1] <= 0.0 && way[2] <= 0.0) {
        cdi_nearest_corner(p, 3, out);
        return;
    }
    out->keep = 0;
}

static void cdi_nearest_of(const cdi_v3 *p, int count, cdi_nearest *out) {
    switch (count) {
    case 1: cdi_nearest_corner(p, 0, out); return;
    case 2: cdi_nearest_of_edge(p, 0, 1, out); return;
    case 3: cdi_nearest_of_face(p, 0, 1, 2, out); return;
    default: cdi_nearest_of_four(p, out); return;
    }
}

/* ---- the way ---- */

#define CDI_GJK_BOUND 256

typedef struct cdi_gjk_way {
    const cdi_couple *pair;
    cdi_gjk *s;
    cdi_v3 p[4], dir; /* the corners and the direction, in units of the scale */
    double unit, rounding;
} cdi_gjk_way;

static cdi_v3 cdi_gjk_guess(const cdi_couple *pair, cdi_v3 axis) {
    cdi_v3 d = pair->b.posed ? cdi_pose_point(&pair->b.pose, pair->b.center) : pair->b.center;
    if (!cdi_v3_is_zero(axis)) return axis;
    d = cdi_v3_sub(d, pair->a.center);
    return cdi_v3_is_zero(d) ? cdi_v3_make(1.0, 0.0, 0.0) : d;
}

/* The tip along `dir` into the next place; what it proves. */
static void cdi_gjk_tip(cdi_gjk_way *g) {
    cdi_tip *t = &g->s->tip[g->s->count];
    double length = cdi_v3_norm(g->dir), least;
    t->vertex_a = g->s->count ? t[-1].vertex_a : CD_NONE;
    t->vertex_b = g->s->count ? t[-1].vertex_b : CD_NONE;
    cdi_couple_least(g->pair, g->dir, t);
    g->p[g->s->count] = cdi_v3_scale(t->w, g->unit);
    least = cdi_v3_dot(g->dir, g->p[g->s->count]) / length;
    ++g->s->iterations;
    if (!(least > g->s->lower)) return;
    g->s->lower = least;
    g->s->axis = cdi_v3_scale(g->dir, 1.0 / length);
}

/* Is the newest tip one of the others? */
static bool cdi_gjk_repeats(const cdi_gjk_way *g) {
    const cdi_v3 w = g->p[g->s->count];
    for (int i = 0; i < g->s->count; ++i)
        if (g->p[i].x == w.x && g->p[i].y == w.y && g->p[i].z == w.z) return true;
    return false;
}

static void cdi_gjk_keep(cdi_gjk_way *g, const cdi_nearest *f) {
    int count = 0;
    for (int i = 0; i < 4; ++i)
        if (f->keep >> i & 1u) {
            if (count != i) g->s->tip[count] = g->s->tip[i];
            g->p[count] = g->p[i];
            g->s->weight[count++] = f->weight[i];
        }
    g->s->count = count;
    g->s->v = f->v;
    g->dir = f->dir;
    g->s->upper = cdi_v3_norm(f->v);
}

static void cdi_gjk_inside(cdi_gjk_way *g) {
    g->s->v = cdi_v3_make(0.0, 0.0, 0.0);
    g->s->upper = 0.0;
    g->s->end = CDI_GJK_INSIDE;
}

/* The simplex with `count` corners solved; false when that is the end. */
static bool cdi_gjk_solve(cdi_gjk_way *g, int count) {
    cdi_nearest f;
    cdi_nearest_of(g->p, count, &f);
    if (f.keep == 15) {
        g->s->count = 4;
        cdi_gjk_inside(g);
        return false;
    }
    if (f.keep == 0 || !(cdi_v3_norm(f.v) < g->s->upper)) {
        g->s->end = g->s->lower > 0.0                                  ? CDI_GJK_APART
                    : g->s->upper - g->s->lower <= 256.0 * g->rounding ? CDI_GJK_INSIDE
                                                                       : CDI_GJK_STOPPED;
        return false;
    }
    cdi_gjk_keep(g, &f);
    if (g->s->upper <= g->rounding || cdi_v3_is_zero(g->dir)) {
        g->s->end = CDI_GJK_INSIDE;
        return false;
    }
    return true;
}

static bool cdi_gjk_goes_on(cdi_gjk_way *g, const cdi_gjk_limits *limits) {
    cdi_gjk *s = g->s;
    if (s->upper - s->lower <= cdi_max(g->rounding, limits->tolerance * g->unit)) {
        s->end = s->lower > 0.0 ? CDI_GJK_APART : CDI_GJK_STOPPED;
        return false;
    }
    if (s->lower > limits->enough * g->unit || s->upper <= limits->touch * g->unit) {
        s->end = CDI_GJK_STOPPED;
        return false;
    }
    if (s->iterations >= (limits->iterations ? limits->iterations : CDI_GJK_BOUND)) {
        s->end = CDI_GJK_STOPPED;
        return false;
    }
    return true;
}

static void cdi_gjk_open(cdi_gjk_way *g, const cdi_couple *pair, cdi_gjk *s) {
    g->pair = pair;
    g->s = s;
    g->unit = cdi_exp2i(pair->scale > 0.0 ? -cdi_exponent(pair->scale) : 0);
    g->rounding = pair->scale * g->unit * CDI_GJK_ROUNDING;
    s->lower = -CDI_HUGE;
    s->upper = CDI_HUGE;
    s->iterations = 0;
}

static void cdi_gjk_close(cdi_gjk_way *g) {
    cdi_gjk *s = g->s;
    s->lower /= g->unit;
    s->upper /= g->unit;
    s->v = cdi_v3_scale(s->v, 1.0 / g->unit);
}

CDI_FN void cdi_gjk_run(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_gjk *s) {
    cdi_gjk_way g;
    cdi_gjk_open(&g, pair, s);
    for (int i = 0; i < s->count; ++i) g.p[i] = cdi_v3_scale(s->tip[i].w, g.unit);
    if (s->count == 0) {
        g.dir = cdi_gjk_guess(pair, s->axis);
        cdi_gjk_tip(&g);
        s->count = 1;
    }
    for (int count = s->count; cdi_gjk_solve(&g, count) && cdi_gjk_goes_on(&g, limits);
         count = s->count + 1) {
        cdi_gjk_tip(&g);
        if (!cdi_gjk_goes_on(&g, limits)) break;
        if (cdi_gjk_repeats(&g)) {
            s->end = s->lower > 0.0                              ? CDI_GJK_APART
                     : s->upper - s->lower <= 256.0 * g.rounding ? CDI_GJK_INSIDE
                                                                 : CDI_GJK_STOPPED;
            break;
        }
    }
    cdi_gjk_close(&g);
}
