#pragma once
/* twofold (internal): arithmetic on numbers of two doubles, about 106 bits.
 *
 * hi is the double nearest to hi + lo. Class: with u = 2^-53, a sum or difference is within 3 u^2 of the exact one, a
 * product within 5 u^2, a quotient within 15 u^2, each relative to its own magnitude, while nothing leaves the range of
 * doubles. Source: Dekker 1971; Joldes, Muller and Popescu 2017, "Tight and rigorous error bounds for basic building
 * blocks of double-word arithmetic". */

#include "core/expansion.h"

CDI_INLINE cdi_two cdi_two_of(double x) {
    cdi_two t;
    t.hi = x;
    t.lo = 0.0;
    return t;
}
CDI_INLINE cdi_two cdi_two_neg(cdi_two a) {
    a.hi = 0.0 - a.hi;
    a.lo = 0.0 - a.lo;
    return a;
}
CDI_INLINE cdi_two cdi_two_add(cdi_two a, cdi_two b) {
    double s, t, e, f;
    cdi_two r;
    cdi_two_sum(a.hi, b.hi, &s, &e);
    cdi_two_sum(a.lo, b.lo, &t, &f);
    cdi_fast_two_sum(s, e + t, &s, &e);
    cdi_fast_two_sum(s, e + f, &r.hi, &r.lo);
    return r;
}
CDI_INLINE cdi_two cdi_two_sub(cdi_two a, cdi_two b) {
    return cdi_two_add(a, cdi_two_neg(b));
}
CDI_INLINE cdi_two cdi_two_mul(cdi_two a, cdi_two b) {
    double p, e;
    cdi_two r;
    cdi_two_product(a.hi, b.hi, &p, &e);
    e += a.hi * b.lo + a.lo * b.hi;
    cdi_fast_two_sum(p, e, &r.hi, &r.lo);
    return r;
}
/* a / b, b not 0. */
CDI_INLINE cdi_two cdi_two_div(cdi_two a, cdi_two b) {
    double q = a.hi / b.hi;
    cdi_two rest = cdi_two_sub(a, cdi_two_mul(cdi_two_of(q), b)), r;
    cdi_fast_two_sum(q, rest.hi / b.hi, &r.hi, &r.lo);
    return r;
}
/* times 2^e */
CDI_INLINE cdi_two cdi_two_scale2(cdi_two a, int e) {
    a.hi = cdi_scale2(a.hi, e);
    a.lo = cdi_scale2(a.lo, e);
    return a;
}
/* a b - c d, where each factor has a tail: right to the last place unless the products cancel altogether. */
CDI_INLINE double cdi_product_difference(cdi_two a, cdi_two b, cdi_two c, cdi_two d) {
    double ab, ab_tail, cd, cd_tail, difference, rest;
    cdi_two_product(a.hi, b.hi, &ab, &ab_tail);
    cdi_two_product(c.hi, d.hi, &cd, &cd_tail);
    cdi_two_diff(ab, cd, &difference, &rest);
    rest += (ab_tail - cd_tail) + ((a.hi * b.lo + a.lo * b.hi) - (c.hi * d.lo + c.lo * d.hi));
    return difference + rest;
}
