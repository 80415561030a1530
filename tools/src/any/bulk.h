#pragma once
/* bulk (internal): two solids made ready: what of one is inside the other, and how deep. */

#include "any/solid.h"
#include "core/pose.h"
#include "tree/bvh_node.h"

/* A solid opened for queries. */
typedef struct cdi_bulk {
    cdi_bvh tree;
    const cd_solid *solid;
    bool empty;
    double size; /* the largest coordinate */
} cdi_bulk;

typedef struct cdi_bulks {
    cdi_bulk a, b;
    cdi_pose b_in_a, a_in_b;
    double margin; /* less than that is lost in the rounding of corners */
} cdi_bulks;

/* CD_OK or CD_INVALID_ARGUMENT. */
CDI_FN cd_status cdi_bulks_open(cdi_bulks *out, const cd_solid *a, const cd_solid *b,
                                const cd_transform *b_in_a);

/* B moved by `way`. */
CDI_FN void cdi_bulks_move(cdi_bulks *s, cdi_v3 way);

/* B's pose moved, rounded; `b_in_a` may be NULL. */
CDI_FN cd_transform cdi_pose_moved(const cd_transform *b_in_a, cdi_v3 way);

CDI_INLINE bool cdi_bulk_is_field(const cdi_bulk *x) {
    return x->tree.item == CDI_ITEM_HEIGHTS;
}

/* Points are in the body's frame. `margin`: of height fields, how far below the surface inside begins. */
CDI_FN bool cdi_bulk_inside(const cdi_bulk *x, cdi_v3 p, double margin);

/* The point of the surface nearest to p; false when none is within `reach`. */
typedef struct cdi_bulk_spot {
    cdi_v3 point;
    double sqdist;
    uint32_t item;
} cdi_bulk_spot;
CDI_FN bool cdi_bulk_nearest(const cdi_bulk *x, cdi_v3 p, double reach, cdi_bulk_spot *out);

/* Is all that is in the ball, which is in x's frame, outside of the body (-1), or inside (1)? 0: neither is certain. */
CDI_FN int cdi_bulk_ball(const cdi_bulk *x, cdi_v3 center, double radius, double margin);

/* A ball around child `lane` of a node, in the frame that the pose leads to. */
CDI_FN void cdi_bulk_lane_ball(const cdi_bulk *y, const cdi_bvh_node *node, uint32_t lane,
                               const cdi_pose *pose, cdi_v3 *center, double *radius);

/* Where no surfaces meet: is any piece of y, posed in x's frame, inside of x? */
CDI_FN bool cdi_bulk_holds(const cdi_bulk *x, const cdi_bulk *y, const cdi_pose *y_in_x, double margin);

/* The deepest point of a surface in a body: found so far, and how deep others may be. */
typedef struct cdi_deep {
    double depth, most; /* nothing is deeper than the larger of `most` and cdi_deep_enough */
    double slack, enough;
    uint32_t left;    /* points that may still be measured */
    bool found, of_b; /* a point of B's surface, of A's otherwise */
    cdi_v3 at, on;    /* the point, and the nearest of the other's surface, in the frame of the other */
    uint32_t item_at, item_on;
} cdi_deep;

/* No deeper than this is not looked for. */
CDI_INLINE double cdi_deep_enough(const cdi_deep *d) {
    return cdi_max(cdi_max(d->depth * (65.0 / 64.0), d->depth + d->slack), d->enough);
}

/* Of y's surface in x, and of both in each other; to be begun with zeros but for slack, enough and left. */
CDI_FN void cdi_bulk_deepest(const cdi_bulk *x, const cdi_bulk *y, const cdi_pose *y_in_x, cdi_deep *d);
CDI_FN void cdi_bulks_deepest(const cdi_bulks *s, cdi_deep *d);
