#pragma once
/* bvh_pairs_kernel (internal): the pairs of two trees that meet. */

#include "tree/bvh_pairs.h"

/* Hands all pairs that meet to the visitor; false when it stopped. */
CDI_KERNEL(bool, cdi_pairs_run, (cdi_pair_walk * w));

/* Up to four triangles in A's frame, and their boxes: of A's each by itself, of B's in rows. A corner is three numbers and a
 * fourth. */
typedef struct cdi_tri_block {
    cd_real at[4][12], lo[4][4], hi[4][4];
    uint32_t first, count;
} cdi_tri_block;

/* How many of each are kept, within 16 KiB of stack for all. */
#ifdef COLLIDE_DOUBLE
enum { CDI_HELD_A = 2, CDI_HELD_B = 2 };
#else
enum { CDI_HELD_A = 4, CDI_HELD_B = 4 };
#endif

/* Pairs whose boxes meet wait until there are eight. */
typedef struct cdi_tri_leaves {
    cdi_pair_walk *w;
    double turn[3][4], shift[4]; /* b's pose, by columns */
    cd_real scale;
    uint32_t waiting, item_a[8], item_b[8];
    cd_real a[8][12], b[8][12];
    cdi_tri_block held_a[CDI_HELD_A], held_b[CDI_HELD_B];
} cdi_tri_leaves;

/* For any walk: pairs of leaves of triangles that meet. Opened, handed one pair of leaves after another (i and j: where they are
 * kept meanwhile), and flushed in the end; false when the visitor stopped. */
CDI_KERNEL(void, cdi_tri_leaves_open, (cdi_tri_leaves * s, cdi_pair_walk *w));
CDI_KERNEL(bool, cdi_tri_leaves_pairs,
           (cdi_tri_leaves * s, uint32_t i, uint32_t first_a, uint32_t count_a, uint32_t j, uint32_t first_b,
            uint32_t count_b));
CDI_KERNEL(bool, cdi_tri_leaves_flush, (cdi_tri_leaves * s));

/* The pairs of two leaves of anything that come within the distance; false when the visitor stopped. */
CDI_KERNEL(bool, cdi_leaf_pairs,
           (const cdi_pair_walk *w, cdi_posed_block *held, uint32_t first_a, uint32_t count_a,
            uint32_t first_b, uint32_t count_b));
