#pragma once
/* bvh_pair_sweep (internal): two trees moving at each other: what is known on the way.
 *
 * Only A moves, as seen from B. Boxes are compared in floats, in both frames, from the time on when the two trees' own boxes
 * meet: so however far they come, nothing is lost. Items are compared in doubles, by the axes of A and the normals of both,
 * before they are swept. */

#include "query/sweep3d.h"
#include "tree/bvh_pairs.h"

/* How far A comes in a frame while tau grows by 1: 1 over its magnitude, at most 1e30, and whether it is against the axis. */
typedef struct cdi_pair_rate {
    float inverse[3];
    bool falls[3];
} cdi_pair_rate;

typedef struct cdi_pair_sweep {
    cdi_pair_walk w;
    cdi_cast c; /* of A; t_max: what comes later does not matter */
    bool blunt; /* numbers too large for bounds: all pairs are swept */
    bool flat;  /* no boxes among the items */
    bool any;   /* the first found will do */
    double start;
    double last; /* hits are told up to it */
    int rate;    /* tau = (t - start) 2^rate */
    cdi_pair_rate in_a, in_b;
    int shift; /* items are compared times 2^shift */
    double margin;
    cdi_v3 way; /* the motion, so scaled */
    float limit;
    bool found;
    cd_hit best;
    cd_pair pair;
    /* Item numbers, which do not meet before `from`; false ends it. */
    bool (*meet)(struct cdi_pair_sweep *s, uint32_t item_a, uint32_t item_b, double from);
} cdi_pair_sweep;

/* The time `until` as a bound for taus. */
CDI_INLINE float cdi_pair_sweep_limit(const cdi_pair_sweep *s, double until) {
    double tau = cdi_scale2(until - s->start + 4.5e-16, s->rate);
    return tau < 1e29 ? cdi_float_up(tau) : 1e29f;
}

/* Makes ready what follows from `w`, and from `c.d`, t_min and t_max: all goes from the time on when the trees' boxes meet, with tau so
 * that A comes about the size of its frame while it grows by 1. False when they do not meet. */
CDI_FN bool cdi_pair_sweep_aim(cdi_pair_sweep *s);
