#pragma once
/* simplex (internal): the point of a simplex of one to four corners that is nearest to the origin (Ericson 9.5.2; Montanari, Petrinic and
 * Barbieri 2017).
 *
 * It is found by signs: of the ways along edges, of the weights in faces, of the sides of faces. Johnson's determinants are the same
 * numbers, but grow with the fourth power of the distance; here all is made of differences from one corner. */

#include "convex/body.h"

#define CDI_GJK_ROUNDING                                                                                     \
    8.881784197001252e-16 /* 2^-50: of the couple's scale; what tips, and bounds made of them, may be off */

/* The same as a length. In the float build a caller's own function is asked along a rounded direction. */
CDI_INLINE double cdi_couple_rounding(const cdi_couple *pair) {
#ifndef COLLIDE_DOUBLE
    if (pair->a.support->kind == CD_SUPPORT_USER || pair->b.support->kind == CD_SUPPORT_USER)
        return 2.384185791015625e-7 * pair->scale; /* 2^-22 */
#endif
    return CDI_GJK_ROUNDING * pair->scale;
}

/* A power of two that makes the scale a number in [1, 2). */
CDI_INLINE double cdi_unit_of_scale(double scale) {
    return cdi_exp2i(scale > 0.0 ? 0 - cdi_exponent(scale) : 0);
}

/* Of numbers with tails. */
CDI_INLINE bool cdi_two_less(double a, double a_tail, double b, double b_tail) {
    return a < b || (a == b && a_tail < b_tail);
}

typedef struct cdi_nearest {
    cdi_v3 v, dir; /* the point, and the direction across the corners that bear it */
    double weight[4];
    double square, square_tail; /* |v|^2, only where it was found with care */
    uint32_t keep; /* the corners that bear it, as bits; 0: could not tell, 15: the origin is inside */
} cdi_nearest;

/* The newest corner is the last. Coordinates up to 2; squares of squares of the simplex's size must not underflow. */
CDI_FN void cdi_simplex_solve(const cdi_v3 *p, int count, cdi_nearest *out);

/* The same in numbers of two doubles: slow, and always able to tell. */
CDI_FN void cdi_simplex_carefully(const cdi_v3 *p, int count, cdi_nearest *out);

/* The last word on one to three tips: sorts them, so that the same tips give the same bits however they were found, and finds their point
 * v nearest to the origin, its weights, and the unit normal across them. A triangle's is on the side of the `normal` that comes in; so is
 * that of less where v is nothing but rounding. `scale`: the couple's. */
CDI_FN void cdi_tips_settle(double scale, cdi_tip *tip, double *weight, int count, cdi_v3 *v, cdi_v3 *normal);

/* Two or three tips that are corners of the difference of an edge of A and an edge of B, a parallelogram: the three of its four corners that
 * hold the point nearest to the origin, so that the same edges give the same tips. All others stay. Returns how many. */
CDI_FN int cdi_tips_of_edges(double scale, cdi_tip *tip, int count);

/* ---- the point of a simplex nearest to the origin ----
 *
 * Corners are in units of the couple's scale, the newest last. What is sought is made of differences from the newest corner, so
 * that small simplexes far from the origin are solved as well as large ones. */

CDI_HOT void cdi_simplex_corner(const cdi_v3 *p, int i, cdi_nearest *out) {
    out->v = out->dir = p[i];
    out->weight[i] = 1.0;
    out->keep = 1u << i;
}

/* On the inside of edge ij, at `t` of the way from j to i. The direction is projected once more, for what is left along the edge. */
CDI_HOT void cdi_simplex_edge(const cdi_v3 *p, int i, int j, double t, cdi_nearest *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[j]);
    out->v = cdi_v3_along(p[j], e, t);
    out->dir = cdi_v3_along(out->v, e, 0.0 - cdi_v3_dot(out->v, e) / cdi_v3_sqlength(e));
    out->weight[i] = t;
    out->weight[j] = 1.0 - t;
    out->keep = 1u << i | 1u << j;
}

/* The normal of a triangle, of its two shorter edges. */
CDI_HOT cdi_v3 cdi_face_across(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_v3 ab = cdi_v3_sub(b, a), bc = cdi_v3_sub(c, b), ca = cdi_v3_sub(a, c);
    double u = cdi_v3_sqlength(ab), v = cdi_v3_sqlength(bc), w = cdi_v3_sqlength(ca);
    if (u >= v && u >= w) return cdi_v3_cross(bc, ca);
    return v >= w ? cdi_v3_cross(ca, ab) : cdi_v3_cross(ab, bc);
}

/* Inside triangle ijk, with the weights of i and j. */
CDI_HOT void cdi_simplex_face(const cdi_v3 *p, int i, int j, int k, double s, double t, cdi_nearest *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[k]), f = cdi_v3_sub(p[j], p[k]);
    cdi_v3 n = cdi_face_across(p[i], p[j], p[k]);
    out->v = cdi_v3_along(cdi_v3_along(p[k], e, s), f, t);
    out->dir = cdi_v3_dot(n, p[k]) >= 0.0 ? n : cdi_v3_neg(n);
    out->weight[i] = s;
    out->weight[j] = t;
    out->weight[k] = 1.0 - s - t;
    out->keep = 1u << i | 1u << j | 1u << k;
}

CDI_HOT void cdi_simplex_of_edge(const cdi_v3 *p, int i, int j, cdi_nearest *out) {
    cdi_v3 e = cdi_v3_sub(p[i], p[j]);
    double t = 0.0 - cdi_v3_dot(e, p[j]), most = cdi_v3_sqlength(e);
    if (!(t > 0.0)) {
        cdi_simplex_corner(p, j, out);
    } else if (t >= most) {
        cdi_simplex_corner(p, i, out);
    } else {
        cdi_simplex_edge(p, i, j, t / most, out);
    }
}

CDI_HOT void cdi_simplex_of_face(const cdi_v3 *p, int i, int j, int k, cdi_nearest *out) {
    cdi_v3 q = cdi_v3_neg(p[k]), e = cdi_v3_sub(p[i], p[k]), f = cdi_v3_sub(p[j], p[k]);
    cdi_v3 n = cdi_v3_cross(e, f);
    double nn = cdi_v3_sqlength(n);
    double s = cdi_v3_dot(cdi_v3_cross(q, f), n), t = cdi_v3_dot(cdi_v3_cross(e, q), n);
    if (s > 0.0 && t > 0.0 && nn - s - t > 0.0) {
        cdi_simplex_face(p, i, j, k, s / nn, t / nn, out);
    } else if (t <= 0.0 && cdi_v3_dot(e, q) > 0.0) {
        cdi_simplex_of_edge(p, i, k, out);
    } else if (s <= 0.0 && cdi_v3_dot(f, q) > 0.0) {
        cdi_simplex_of_edge(p, j, k, out);
    } else if (s <= 0.0 && t <= 0.0) {
        cdi_simplex_corner(p, k, out);
    } else {
        cdi_simplex_of_edge(p, i, j, out);
    }
}

/* A face of the newest corner and what the origin is to it. */
typedef struct cdi_simplex_side {
    double s, t, nn; /* the weights of its other two corners, and their sum with the newest one's */
    double side;     /* the weight of the corner opposite to it */
    bool inner;      /* certainly on that corner's side? */
} cdi_simplex_side;

#define CDI_SIMPLEX_SURE 7.9e-31 /* 4^-50: squares of what is surely no rounding */

CDI_HOT void cdi_simplex_side_make(cdi_simplex_side *out, cdi_v3 q, cdi_v3 e, cdi_v3 f, cdi_v3 n,
                                   double sign) {
    double unsure = CDI_SIMPLEX_SURE * cdi_v3_sqlength(q) * cdi_v3_sqlength(e) * cdi_v3_sqlength(f);
    out->side = cdi_v3_dot(q, n) * sign;
    out->nn = cdi_v3_sqlength(n);
    out->s = cdi_v3_dot(cdi_v3_cross(q, f), n);
    out->t = cdi_v3_dot(cdi_v3_cross(e, q), n);
    out->inner = out->side > 0.0 && out->side * out->side > unsure;
}

CDI_HOT bool cdi_simplex_side_bears(const cdi_simplex_side *f) {
    return !f->inner && f->s > 0.0 && f->t > 0.0 && f->nn - f->s - f->t > 0.0;
}

/* The point in the face of the newest corner and two others. */
CDI_HOT void cdi_simplex_of_side(const cdi_v3 *p, int i, int j, const cdi_simplex_side *f, cdi_nearest *out) {
    cdi_simplex_face(p, i, j, 3, f->s / f->nn, f->t / f->nn, out);
}

/* Of four. The point is where the newest corner is, since it fell; but for old simplexes that the bodies have moved away from. One that is flat
 * has no inside. Written out, as loops over three are slower. */
CDI_HOT void cdi_simplex_of_four(const cdi_v3 *p, cdi_nearest *out) {
    cdi_v3 q = cdi_v3_neg(p[3]), d = cdi_v3_sub(p[0], p[3]), e = cdi_v3_sub(p[1], p[3]),
           f = cdi_v3_sub(p[2], p[3]);
    cdi_v3 k = cdi_v3_cross(d, e), m = cdi_v3_cross(e, f), n = cdi_v3_cross(f, d);
    double volume = cdi_v3_dot(d, m), sign = volume < 0.0 ? -1.0 : volume > 0.0 ? 1.0 : 0.0;
    double x = cdi_v3_dot(d, q), y = cdi_v3_dot(e, q), z = cdi_v3_dot(f, q);
    cdi_simplex_side de, ef, fd;
    cdi_simplex_side_make(&de, q, d, e, k, sign);
    cdi_simplex_side_make(&ef, q, e, f, m, sign);
    cdi_simplex_side_make(&fd, q, f, d, n, sign);
    if (de.inner && ef.inner && fd.inner) {
        if (volume * sign - de.side - ef.side - fd.side >= 0.0) {
            out->keep = 15;
        } else {
            cdi_simplex_of_face(p, 0, 1, 2, out);
        }
    } else if (cdi_simplex_side_bears(&de)) {
        cdi_simplex_of_side(p, 0, 1, &de, out);
    } else if (cdi_simplex_side_bears(&ef)) {
        cdi_simplex_of_side(p, 1, 2, &ef, out);
    } else if (cdi_simplex_side_bears(&fd)) {
        cdi_simplex_of_side(p, 2, 0, &fd, out);
    } else if (x > 0.0 && de.t <= 0.0 && fd.s <= 0.0) {
        cdi_simplex_of_edge(p, 0, 3, out);
    } else if (y > 0.0 && ef.t <= 0.0 && de.s <= 0.0) {
        cdi_simplex_of_edge(p, 1, 3, out);
    } else if (z > 0.0 && fd.t <= 0.0 && ef.s <= 0.0) {
        cdi_simplex_of_edge(p, 2, 3, out);
    } else if (x <= 0.0 && y <= 0.0 && z <= 0.0) {
        cdi_simplex_corner(p, 3, out);
    } else {
        out->keep = 0;
    }
}

CDI_HOT void cdi_simplex_solve_here(const cdi_v3 *p, int count, cdi_nearest *out) {
    switch (count) {
    case 1: cdi_simplex_corner(p, 0, out); return;
    case 2: cdi_simplex_of_edge(p, 0, 1, out); return;
    case 3: cdi_simplex_of_face(p, 0, 1, 2, out); return;
    default: cdi_simplex_of_four(p, out); return;
    }
}

#undef CDI_SIMPLEX_SURE
