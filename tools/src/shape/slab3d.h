#pragma once
/* slab3d (internal): products of vectors rounded to a side without error, and the two planes of a slab. */

#include "core/vec3d.h"
#include "shape/kdop.h"

/* n . p + s, rounded down or up to the number type of the interface: the nearest number on that side of the exact value.
 * Infinite where the value is beyond the range. Finite input; n and p of numbers of the interface. */
CDI_FN cd_real cdi_dot_down(cdi_v3 n, cdi_v3 p, double s);
CDI_FN cd_real cdi_dot_up(cdi_v3 n, cdi_v3 p, double s);

/* Fails all fits alike. */
CDI_FN cd_status cdi_kdop_fail(cd_kdop *out, cd_status status);

/* A half-space n . p <= d. Those of a slab have the numbers 2 i (below) and 2 i + 1 (above). */
typedef struct cdi_side {
    cdi_v3 n;
    double d;
} cdi_side;

CDI_INLINE cdi_side cdi_slab_side(cd_vec3 n, cd_real lo, cd_real hi, bool upper) {
    cdi_side r;
    r.n = upper ? cdi_v3_of(n) : cdi_v3_neg(cdi_v3_of(n));
    r.d = upper ? (double)hi : 0.0 - (double)lo;
    return r;
}

/* How far a point is behind a side. */
CDI_INLINE double cdi_side_depth(const cdi_side *s, cdi_v3 p) {
    return (s->d - cdi_v3_dot(s->n, p)) / cdi_v3_length(s->n);
}

/* All of a k-DOP's; returns their number. */
CDI_FN int cdi_kdop_sides(const cd_kdop *dop, const cd_kdop_set *set, cdi_side out[2 * CD_KDOP_AXES]);
