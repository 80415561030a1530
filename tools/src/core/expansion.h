#pragma once
/* expansion (internal): exact sums and products of doubles.
 *
 * An expansion is a sum of doubles that do not overlap, smallest first, without zeros (Shewchuk 1997, "Adaptive
 * precision floating-point arithmetic and fast robust geometric predicates"; Dekker 1971 for the splitting). All
 * operations are exact while no product over- or underflows: factors below 2^995, products above 2^-968. */

#include "core/exact.h"

/* x + y = a + b exactly, x = fl(a + b) (Knuth). */
CDI_INLINE void cdi_two_sum(double a, double b, double *x, double *y) {
    double s = a + b, t = s - a;
    *y = (a - (s - t)) + (b - t);
    *x = s;
}

/* Two lengths of the interface as one that is not too short: the sum, rounded up. */
CDI_INLINE cd_real cdi_lengths_sum(cd_real a, cd_real b) {
    double sum, rest;
    cd_real r;
    cdi_two_sum((double)a, (double)b, &sum, &rest);
    r = cdi_nearest_real(sum);
    return (double)r < sum || ((double)r == sum && rest > 0.0) ? cdi_next_real(r, true) : r;
}

/* x + y = a - b exactly, x = fl(a - b). */
CDI_INLINE void cdi_two_diff(double a, double b, double *x, double *y) {
    cdi_two_sum(a, -b, x, y);
}

/* x + y = a + b exactly for |a| >= |b| or a = 0 (Dekker). */
CDI_INLINE void cdi_fast_two_sum(double a, double b, double *x, double *y) {
    double s = a + b;
    *y = b - (s - a);
    *x = s;
}

/* a = hi + lo with 26 bits each (Veltkamp). */
CDI_INLINE void cdi_split(double a, double *hi, double *lo) {
    double c = 134217729.0 * a; /* 2^27 + 1 */
    *hi = c - (c - a);
    *lo = a - *hi;
}

/* x + y = a b exactly, x = fl(a b). */
CDI_INLINE void cdi_two_product(double a, double b, double *x, double *y) {
    double p = a * b, ah, al, bh, bl;
    cdi_split(a, &ah, &al);
    cdi_split(b, &bh, &bl);
    *y = al * bl - (((p - ah * bh) - al * bh) - ah * bl);
    *x = p;
}

/* h = e + f, for expansions of m and n terms; h has room for m + n, and may not overlap e or f. Returns the length. */
CDI_FN int cdi_expansion_sum(const double *e, int m, const double *f, int n, double *h);

/* h = b e; room for 2 m. */
CDI_FN int cdi_expansion_scale(const double *e, int m, double b, double *h);

/* h = e f for m <= 16 terms of e and n <= 2 of f; room for 2 m n. */
CDI_FN int cdi_expansion_product(const double *e, int m, const double *f, int n, double *h);

/* The value, to within a unit in the last place and with the exact sign; 0 for no terms. */
CDI_FN double cdi_expansion_estimate(const double *e, int m);

/* A number as two terms, hi + lo, the form of an exact difference. */
typedef struct cdi_two {
    double hi, lo;
} cdi_two;

CDI_INLINE cdi_two cdi_two_of_diff(double a, double b) {
    cdi_two t;
    cdi_two_diff(a, b, &t.hi, &t.lo);
    return t;
}
/* The number a - b, without rounding. */
typedef struct cdi_diff {
    double a, b;
} cdi_diff;

CDI_INLINE cdi_diff cdi_diff_of(double a, double b) {
    cdi_diff d;
    d.a = a;
    d.b = b;
    return d;
}

/* The determinants of such numbers: to within a unit in the last place and with the exact sign; 0 where an entry is not
 * finite. Expansions where no product leaves the range, otherwise core/exact. */
CDI_FN double cdi_det2_exact(cdi_diff m[2][2]);
CDI_FN double cdi_det3_exact(cdi_diff m[3][3]);

/* The sign of the sum of n <= 8 numbers; 0 where one is not finite. */
CDI_FN int cdi_sum_sign(const double *x, int n);
