#include "convex/gjk3d.h"
#include "core/twofold.h"

/* ---- the point of a simplex nearest to the origin ----
 *
 * Corners are in units of the couple's scale, the newest last. What is sought is made of differences from the newest corner, so
 * that small simplexes far from the origin are solved as well as large ones. */

typedef struct cdi_gjk_near {
    cdi_v3 v, dir; /* the point, and the direction across the corners that bear it */
    double weight[4];
    uint32_t keep; /* the corners that bear it, as bits; 0: could not tell, 15: the origin is inside */
} cdi_gjk_near;

static void cdi_gjk_at_corner(const cdi_v3 *p, int i, cdi_gjk_near *out) {
    out->v = out->dir = p[i];
    out->weight[i] = 1.0;
    out->keep = 1u << i;
}

/* On the inside of edge ij, at `t` of the way from j to i. The direction is projected once more, for what is left along the edge. */
static void cdi_gjk_at_edge(const cdi_v3 *p, int i, int j, double t, cdi_gjk_near *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[j]);
    out->v = cdi_v3_along(p[j], e, t);
    out->dir = cdi_v3_along(out->v, e, 0.0 - cdi_v3_dot(out->v, e) / cdi_v3_sqlength(e));
    out->weight[i] = t;
    out->weight[j] = 1.0 - t;
    out->keep = 1u << i | 1u << j;
}

/* The normal of a triangle, of its two shorter edges. */
static cdi_v3 cdi_gjk_across(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_v3 ab = cdi_v3_sub(b, a), bc = cdi_v3_sub(c, b), ca = cdi_v3_sub(a, c);
    double u = cdi_v3_sqlength(ab), v = cdi_v3_sqlength(bc), w = cdi_v3_sqlength(ca);
    if (u >= v && u >= w) return cdi_v3_cross(bc, ca);
    return v >= w ? cdi_v3_cross(ca, ab) : cdi_v3_cross(ab, bc);
}

/* Inside triangle ijk, with the weights of i and j. */
static void cdi_gjk_at_face(const cdi_v3 *p, int i, int j, int k, double s, double t, cdi_gjk_near *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[k]), f = cdi_v3_sub(p[j], p[k]);
    cdi_v3 n = cdi_gjk_across(p[i], p[j], p[k]);
    out->v = cdi_v3_along(cdi_v3_along(p[k], e, s), f, t);
    out->dir = cdi_v3_dot(n, p[k]) >= 0.0 ? n : cdi_v3_neg(n);
    out->weight[i] = s;
    out->weight[j] = t;
    out->weight[k] = 1.0 - s - t;
    out->keep = 1u << i | 1u << j | 1u << k;
}

static void cdi_gjk_of_edge(const cdi_v3 *p, int i, int j, cdi_gjk_near *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[j]);
    double t = 0.0 - cdi_v3_dot(e, p[j]), most = cdi_v3_sqlength(e);
    if (!(t > 0.0)) {
        cdi_gjk_at_corner(p, j, out);
    } else if (t >= most) {
        cdi_gjk_at_corner(p, i, out);
    } else {
        cdi_gjk_at_edge(p, i, j, t / most, out);
    }
}

static void cdi_gjk_of_face(const cdi_v3 *p, int i, int j, int k, cdi_gjk_near *out) {
    cdi_v3 q = cdi_v3_neg(p[k]), e = cdi_v3_sub(p[i], p[k]), f = cdi_v3_sub(p[j], p[k]);
    cdi_v3 n = cdi_v3_cross(e, f);
    double nn = cdi_v3_sqlength(n);
    double s = cdi_v3_dot(cdi_v3_cross(q, f), n), t = cdi_v3_dot(cdi_v3_cross(e, q), n);
    if (s > 0.0 && t > 0.0 && nn - s - t > 0.0) {
        cdi_gjk_at_face(p, i, j, k, s / nn, t / nn, out);
    } else if (t <= 0.0 && cdi_v3_dot(e, q) > 0.0) {
        cdi_gjk_of_edge(p, i, k, out);
    } else if (s <= 0.0 && cdi_v3_dot(f, q) > 0.0) {
        cdi_gjk_of_edge(p, j, k, out);
    } else if (s <= 0.0 && t <= 0.0) {
        cdi_gjk_at_corner(p, k, out);
    } else {
        cdi_gjk_of_edge(p, i, j, out);
    }
}

/* A face of the newest corner and what the origin is to it. */
typedef struct cdi_gjk_side {
    double s, t, nn; /* the weights of its other two corners, and their sum with the newest one's */
    double side;     /* the weight of the corner opposite to it */
    bool inner;      /* certainly on that corner's side? */
} cdi_gjk_side;

#define CDI_GJK_SURE 7.9e-31 /* 4^-50: squares of what is surely no rounding */

static void cdi_gjk_side_make(cdi_gjk_side *out, cdi_v3 q, cdi_v3 e, cdi_v3 f, cdi_v3 n, double sign) {
    double unsure = CDI_GJK_SURE * cdi_v3_sqlength(q) * cdi_v3_sqlength(e) * cdi_v3_sqlength(f);
    out->side = cdi_v3_dot(q, n) * sign;
    out->nn = cdi_v3_sqlength(n);
    out->s = cdi_v3_dot(cdi_v3_cross(q, f), n);
    out->t = cdi_v3_dot(cdi_v3_cross(e, q), n);
    out->inner = out->side > 0.0 && out->side * out->side > unsure;
}

static bool cdi_gjk_side_bears(const cdi_gjk_side *f) {
    return !f->inner && f->s > 0.0 && f->t > 0.0 && f->nn - f->s - f->t > 0.0;
}

/* Of four. The point is where the newest corner is, since it fell; but for old simplexes that the bodies have moved away from. */
static void cdi_gjk_of_four(const cdi_v3 *p, cdi_gjk_near *out) {
    cdi_v3 q = cdi_v3_neg(p[3]), e[3], n[3];
    cdi_gjk_side face[3];
    double volume, sign, way[3];
    for (int i = 0; i < 3; ++i) e[i] = cdi_v3_sub(p[i], p[3]);
    for (int i = 0; i < 3; ++i) n[i] = cdi_v3_cross(e[i], e[(i + 1) % 3]);
    volume = cdi_v3_dot(e[0], n[1]);
    sign = volume < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; ++i) {
        cdi_gjk_side_make(&face[i], q, e[i], e[(i + 1) % 3], n[i], sign);
        way[i] = cdi_v3_dot(e[i], q);
    }
    if (face[0].inner && face[1].inner && face[2].inner) {
        if (volume * sign - face[0].side - face[1].side - face[2].side >= 0.0) {
            out->keep = 15;
        } else {
            cdi_gjk_of_face(p, 0, 1, 2, out);
        }
        return;
    }
    for (int i = 0; i < 3; ++i)
        if (cdi_gjk_side_bears(&face[i])) {
            cdi_gjk_at_face(p, i, (i + 1) % 3, 3, face[i].s / face[i].nn, face[i].t / face[i].nn, out);
            return;
        }
    for (int i = 0; i < 3; ++i)
        if (way[i] > 0.0 && face[i].t <= 0.0 && face[(i + 2) % 3].s <= 0.0) {
            cdi_gjk_of_edge(p, i, 3, out);
            return;
        }
    if (way[0] <= 0.0 && way[1] <= 0.0 && way[2] <= 0.0) {
        cdi_gjk_at_corner(p, 3, out);
        return;
    }
    out->keep = 0;
}

static void cdi_gjk_of(const cdi_v3 *p, int count, cdi_gjk_near *out) {
    switch (count) {
    case 1: cdi_gjk_at_corner(p, 0, out); return;
    case 2: cdi_gjk_of_edge(p, 0, 1, out); return;
    case 3: cdi_gjk_of_face(p, 0, 1, 2, out); return;
    default: cdi_gjk_of_four(p, out); return;
    }
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

/* A part of the simplex: up to four corners, the differences to the last, and their products. */
typedef struct cdi_gjk_part {
    int corner[4], count;
    cdi_two3 q, e[3]; /* the last corner, and the ways from it to the others */
    cdi_two share[4]; /* the weights, times `whole` */
    cdi_two whole;
} cdi_gjk_part;

static void cdi_gjk_part_open(cdi_gjk_part *f, const cdi_v3 *p, uint32_t mask) {
    cdi_two3 last;
    f->count = 0;
    for (int i = 0; i < 4; ++i)
        if (mask >> i & 1u) f->corner[f->count++] = i;
    last = cdi_two3_of(p[f->corner[f->count - 1]]);
    f->q = cdi_two3_sub(cdi_two3_of(cdi_v3_make(0.0, 0.0, 0.0)), last);
    for (int i = 0; i + 1 < f->count; ++i) f->e[i] = cdi_two3_sub(cdi_two3_of(p[f->corner[i]]), last);
}

/* The shares of all corners but the last, of which the point of the part's line, plane or space nearest to the origin is made. */
static void cdi_gjk_part_solve(cdi_gjk_part *f) {
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

#define CDI_GJK_FLAT 6.5e-55 /* 4^-90: squares of what is surely no rounding here */

/* Are its edges independent, beyond rounding? */
static bool cdi_gjk_part_is_full(const cdi_gjk_part *f) {
    double size = CDI_GJK_FLAT, whole = f->whole.hi;
    for (int i = 0; i + 1 < f->count; ++i) size *= cdi_two3_dot(f->e[i], f->e[i]).hi;
    if (f->count < 3) return whole > 0.0;
    return (f->count == 3 ? whole : whole * whole) > size;
}

/* Makes weights of the shares; false when the point is not inside. */
static bool cdi_gjk_part_weigh(cdi_gjk_part *f) {
    cdi_two rest = cdi_two_of(1.0);
    bool inside = cdi_gjk_part_is_full(f);
    for (int i = 0; i + 1 < f->count && inside; ++i) {
        f->share[i] = cdi_two_div(f->share[i], f->whole);
        rest = cdi_two_sub(rest, f->share[i]);
        inside = f->share[i].hi >= 0.0 && f->share[i].hi <= 1.0;
    }
    f->share[f->count - 1] = rest;
    return inside && rest.hi >= 0.0;
}

/* The point minus what is left of it along an edge is the direction; of a face the normal. */
static cdi_v3 cdi_gjk_part_across(const cdi_gjk_part *f, cdi_two3 v) {
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

static void cdi_gjk_of_part(const cdi_v3 *p, uint32_t mask, cdi_gjk_near *out, double *least) {
    cdi_gjk_part f;
    cdi_two3 v;
    double square;
    cdi_gjk_part_open(&f, p, mask);
    cdi_gjk_part_solve(&f);
    if (!cdi_gjk_part_weigh(&f)) return;
    v = cdi_two3_sub(cdi_two3_of(cdi_v3_make(0.0, 0.0, 0.0)), f.q);
    for (int i = 0; i + 1 < f.count; ++i) v = cdi_two3_along(v, f.e[i], f.share[i]);
    square = cdi_two3_dot(v, v).hi;
    if (!(square < *least)) return;
    *least = square;
    out->keep = mask;
    out->v = cdi_two3_round(v);
    out->dir = cdi_gjk_part_across(&f, v);
    for (int i = 0; i < f.count; ++i) out->weight[f.corner[i]] = f.share[i].hi;
}

static CDI_COLD void cdi_gjk_of_carefully(const cdi_v3 *p, int count, cdi_gjk_near *out) {
    double least = CDI_HUGE;
    out->keep = 0;
    for (uint32_t mask = 1; mask < 1u << count; ++mask) cdi_gjk_of_part(p, mask, out, &least);
}

/* ---- the way ---- */

/* Each round has a shorter v than all before, and each simplex is met but once, so there is an end. Bodies with corners take some
 * ten rounds, curved ones some fifty; the most seen in the tests is below this by a factor of two. */
#define CDI_GJK_BOUND 200

#define CDI_GJK_CLOSE 64.0 /* times the rounding: a gap that is not worth more care */

typedef struct cdi_gjk_way {
    const cdi_couple *pair;
    cdi_gjk *s;
    cdi_v3 p[4], dir; /* the corners and the direction, in units of the scale */
    double unit, rounding;
    bool careful;
} cdi_gjk_way;

static cdi_v3 cdi_gjk_guess(const cdi_couple *pair, cdi_v3 axis) {
    cdi_v3 d = pair->b.posed ? cdi_pose_point(&pair->b.pose, pair->b.center) : pair->b.center;
    if (!cdi_v3_is_zero(axis)) return axis;
    d = cdi_v3_sub(d, pair->a.center);
    return cdi_v3_is_zero(d) ? cdi_v3_make(1.0, 0.0, 0.0) : d;
}

/* The tip along `dir` into the next place, and what it proves. */
static void cdi_gjk_tip(cdi_gjk_way *g) {
    cdi_gjk *s = g->s;
    cdi_tip *t = &s->tip[s->count];
    double length = cdi_v3_norm(g->dir), least;
    t->vertex_a = s->count ? t[-1].vertex_a : CD_NONE;
    t->vertex_b = s->count ? t[-1].vertex_b : CD_NONE;
    cdi_couple_least(g->pair, g->dir, t);
    g->p[s->count] = cdi_v3_scale(t->w, g->unit);
    least = cdi_v3_dot(g->dir, g->p[s->count]) / length;
    ++s->iterations;
    if (!(least > s->lower)) return;
    s->lower = least;
    s->axis = cdi_v3_scale(g->dir, 1.0 / length);
}

/* Is the newest tip one of the others? */
static bool cdi_gjk_repeats(const cdi_gjk_way *g) {
    const cdi_v3 w = g->p[g->s->count];
    for (int i = 0; i < g->s->count; ++i)
        if (g->p[i].x == w.x && g->p[i].y == w.y && g->p[i].z == w.z) return true;
    return false;
}

/* The corners that bear the point move up. */
static void cdi_gjk_keep(cdi_gjk_way *g, const cdi_gjk_near *f) {
    int count = 0;
    for (int i = 0; i < 4; ++i)
        if (f->keep >> i & 1u) {
            if (count != i) g->s->tip[count] = g->s->tip[i], g->p[count] = g->p[i];
            g->s->weight[count++] = f->weight[i];
        }
    g->s->count = count;
    g->s->v = f->v;
    g->dir = f->dir;
    g->s->upper = cdi_v3_norm(f->v);
}

/* No way on: the verdict is what is proved, or what rounding cannot tell from touching. */
static bool cdi_gjk_stuck(cdi_gjk_way *g) {
    cdi_gjk *s = g->s;
    bool close = s->upper - cdi_max(s->lower, 0.0) <= CDI_GJK_CLOSE * g->rounding;
    s->end = s->lower > 0.0 ? CDI_GJK_APART : close ? CDI_GJK_INSIDE : CDI_GJK_STOPPED;
    return false;
}

/* False when that is the end. */
static bool cdi_gjk_take(cdi_gjk_way *g, const cdi_gjk_near *f) {
    if (f->keep == 15) {
        g->s->count = 4;
        g->s->v = cdi_v3_make(0.0, 0.0, 0.0);
        g->s->upper = 0.0;
    } else {
        cdi_gjk_keep(g, f);
    }
    g->s->end = CDI_GJK_INSIDE;
    return g->s->upper > g->rounding;
}

/* The first time, the simplex of `count` corners is solved once more, with care; false where that had been so. */
static bool cdi_gjk_retry(cdi_gjk_way *g, int count) {
    cdi_gjk_near f;
    if (g->careful || g->s->upper - g->s->lower <= CDI_GJK_CLOSE * g->rounding) return cdi_gjk_stuck(g);
    g->careful = true;
    cdi_gjk_of_carefully(g->p, count, &f);
    return cdi_gjk_take(g, &f);
}

/* The simplex with `count` corners; false when that is the end. */
static bool cdi_gjk_solve(cdi_gjk_way *g, int count) {
    cdi_gjk_near f;
    if (g->careful) {
        cdi_gjk_of_carefully(g->p, count, &f);
    } else {
        cdi_gjk_of(g->p, count, &f);
    }
    if (f.keep != 15 && (f.keep == 0 || !(cdi_v3_norm(f.v) < g->s->upper))) return cdi_gjk_retry(g, count);
    return cdi_gjk_take(g, &f);
}

static bool cdi_gjk_goes_on(cdi_gjk_way *g, const cdi_gjk_limits *limits) {
    cdi_gjk *s = g->s;
    bool close = s->upper - s->lower <= cdi_max(g->rounding, limits->tolerance * g->unit);
    bool told = s->lower > limits->enough * g->unit || s->upper <= limits->touch * g->unit ||
                s->iterations >= (limits->iterations ? limits->iterations : CDI_GJK_BOUND);
    s->end = close && s->lower > 0.0 ? CDI_GJK_APART : CDI_GJK_STOPPED;
    return !close && !told;
}

static void cdi_gjk_open(cdi_gjk_way *g, const cdi_couple *pair, cdi_gjk *s) {
    g->pair = pair;
    g->s = s;
    g->unit = cdi_exp2i(pair->scale > 0.0 ? -cdi_exponent(pair->scale) : 0);
    g->rounding = pair->scale * g->unit * CDI_GJK_ROUNDING;
    g->careful = false;
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
    int count = s->count;
    bool on;
    cdi_gjk_open(&g, pair, s);
    for (int i = 0; i < count; ++i) g.p[i] = cdi_v3_scale(s->tip[i].w, g.unit);
    if (count == 0) {
        g.dir = cdi_gjk_guess(pair, s->axis);
        cdi_gjk_tip(&g);
        count = 1;
    }
    on = cdi_gjk_solve(&g, count);
    while (on && cdi_gjk_goes_on(&g, limits)) {
        cdi_gjk_tip(&g);
        if (!cdi_gjk_goes_on(&g, limits)) break;
        on = cdi_gjk_repeats(&g) ? cdi_gjk_retry(&g, s->count) : cdi_gjk_solve(&g, s->count + 1);
    }
    cdi_gjk_close(&g);
}
