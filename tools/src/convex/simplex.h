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
