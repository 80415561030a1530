#pragma once
/* bvh_tri_leaves (internal): leaves of triangles against leaves of triangles, four by four.
 *
 * What is read stays as long as its place is not taken by another leaf; pairs whose boxes meet wait until there are eight. */

#include "tree/bvh_pairs.h"

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

typedef struct cdi_tri_leaves {
    cdi_pair_walk *w;
    double turn[3][4], shift[4]; /* b's pose, by columns */
    cd_real scale;
    uint32_t waiting, item_a[8], item_b[8];
    cd_real a[8][12], b[8][12];
    cdi_tri_block held_a[CDI_HELD_A], held_b[CDI_HELD_B];
} cdi_tri_leaves;

/* Ready for the trees of a walk. */
CDI_FN void cdi_tri_leaves_open(cdi_tri_leaves *s, cdi_pair_walk *w);

/* Two leaves in lanes of their nodes; false when the visitor stopped. */
CDI_FN bool cdi_tri_leaves_pairs(cdi_tri_leaves *s, const cdi_bvh_node *a, uint32_t i, const cdi_bvh_node *b,
                                 uint32_t j);

/* Decides those that wait; false when the visitor stopped. */
CDI_FN bool cdi_tri_leaves_flush(cdi_tri_leaves *s);
