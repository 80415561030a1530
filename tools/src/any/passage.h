#pragma once
/* passage (internal): when triangles of two trees meet while B goes straight past A, without turning.
 *
 * Two triangles meet during one closed span of time: as long as the way gone is in the convex set of all differences of their points.
 * That is where it is between the two ends of their shadows on every axis that matters: the normals of both, each edge of the one
 * across each of the other, and where they are nearly parallel the edges across the normals. Rounding makes spans longer, never
 * shorter, by about 1e-15 of the largest coordinate over the slope at which they part. */

#include "tree/bvh_pair_sweep.h"

/* Time goes from 0 to 1 while B goes all of `motion`; what meets outside of that does not matter. Of all spans that end after `at`, in ... */
typedef enum cdi_passage_mode {
    CDI_PASSAGE_CHAIN = 0, /* those that begin by `at`: moves `at` on to their ends, again and again */
    CDI_PASSAGE_LAST = 1,  /* all: moves `at` on to the last end of all */
    CDI_PASSAGE_NEXT = 2   /* all: `begin`, the first beginning */
} cdi_passage_mode;

typedef struct cdi_passage {
    cdi_pair_sweep s;
    uint32_t mode;
    double at, begin;
    float past; /* below `at`, as a tau; what ends by then does not matter */
    float by;   /* what begins after that tau does not, either */
    float most; /* of the bounds that the walk goes by */
    cd_pair pair;
    uint32_t item_a, item_b; /* what ended at `at`, or began at `begin`; CD_NONE at first */
    cdi_v3 normal;           /* what parts them there, of any length, from A to B */
} cdi_passage;

/* False when nothing ever meets. */
CDI_FN bool cdi_passage_open(cdi_passage *p, const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                             cdi_v3 motion, const cd_bvh_pair_options *options);

/* `at` where it is, before all when below 0, and ready for a mode. */
CDI_FN void cdi_passage_aim(cdi_passage *p, uint32_t mode, double at);

/* Two triangles: their span, if it matters, moves `at` on, or `begin` back. */
CDI_FN void cdi_passage_meet(cdi_passage *p, const cdi_posed *a, const cdi_posed *b);

/* The triangles of a pair of items, B's where it is at a time, as points of A's frame. */
CDI_FN void cdi_passage_triangles(const cdi_passage *p, uint32_t item_a, uint32_t item_b, double time,
                                  cdi_tri *a, cdi_tri *b);
