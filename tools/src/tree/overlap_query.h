#pragma once
/* overlap_query (internal): what a volume asks a tree, in the frame of the tree. */

#include "tree/bvh_distance.h"
#include "tree/bvh_overlap.h"

/* Far enough outside of [-1, 1] to be as good as farther out, and not too far to reckon with. */
#define CDI_OVERLAP_AWAY 1e15

/* A direction of the tree's frame, and between which heights along it the volume lies. What is between the inner heights of
 * all layers lies in the volume as a whole. */
typedef struct cdi_overlap_layer {
    float n[3], least, most, inner_least, inner_most;
} cdi_overlap_layer;

/* A volume as the walk asks it: in the frame of the tree, with room for all rounding. */
typedef struct cdi_overlap {
    const cd_bvh_volume *volume;
    const cd_filter *filter;
    cd_visit_fn visit;
    void *user;
    float lo[3], hi[3];             /* a box that holds it */
    float inner_lo[3], inner_hi[3]; /* a box that it holds, of a box */
    cdi_frame_point point;          /* a sphere's centre */
    float sqradius, inner_sqradius; /* a sphere's; of a capsule the inner one */
    float from[3], along[3], rise;  /* a capsule's core, and 1 / |along|^2 */
    uint32_t layer_count;
    cdi_overlap_layer layer[CD_REGION_PLANES];
    bool whole; /* the layers tell what is inside */
    const cdi_frame *frame;
    double room; /* for the tests' own tolerance, in the frame */
    cdi_v3 a, b; /* the box in the caller's frame */
} cdi_overlap;

/* False for a volume that meets nothing. Visitor and filter are left to the caller. */
CDI_FN bool cdi_overlap_begin(cdi_overlap *o, const cdi_bvh *tree, const cd_bvh_volume *v);

/* Visits those items from `first` to `last` that meet the volume; `inside`: they are known to. False when the visitor stopped. */
CDI_FN bool cdi_overlap_items(const cdi_overlap *o, const cdi_bvh *tree, uint32_t first, uint32_t last,
                              bool inside);
