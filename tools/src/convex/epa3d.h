#pragma once
/* epa3d (internal): how deep two cores are in each other, by van den Bergen's expanding polytope, in double (Ericson 9.5.3).
 *
 * A polytope inside B - A grows toward the boundary where that is nearest to the origin. The plane of each face is a bound from below: no
 * point of the face is nearer than it; the farthest point of B - A along any direction is one from above. Both hold however badly the
 * corners lie, so that flat, needle-like and folded polytopes cost time, but never make an answer wrong. The memory is fixed: where it runs
 * out, faces that are surely not the nearest are given up. */

#include "convex/body.h"

/* The depth of the cores is between `lower` and `upper`: B moved by -upper along `axis` is clear of A. Below 0, they are apart. */
typedef struct cdi_depth {
    double lower, upper;
    cdi_v3 axis;    /* unit, out of B - A */
    cdi_tip tip[3]; /* of the face where the boundary of B - A is nearest; `count` of them */
    double weight[3];
    int count;
    double tolerance; /* bounds as near as this are as near as they get */
    uint32_t iterations;
} cdi_depth;

/* Begins with the tips given, any number up to 4, of which none need be right but to be points of B - A. Ends when upper - lower is at most
 * `tolerance` (0: as far as rounding allows), after `limit` iterations (0: no such bound), as soon as upper <= `enough`, or when the memory
 * is used up. `out` comes with what is known: upper with its axis (CDI_HUGE: nothing). Lower is 0 where the tips span nothing. */
CDI_FN void cdi_epa_run(const cdi_couple *pair, const cdi_tip *tips, int count, double tolerance,
                        double enough, uint32_t limit, cdi_depth *out);
