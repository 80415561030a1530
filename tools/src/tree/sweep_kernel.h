#pragma once
/* sweep_kernel (internal): the way of a moving volume through a tree: which boxes, and which triangles of a leaf, it may come to.
 *
 * Eight at a time, in floats, in the frame of the tree. What moves is a core, grown by a radius: a point, a segment or a box, which
 * are the sums of none, one and three segments about a centre, or the hull of some points. Where an axis parts a box or a triangle
 * from all that the volume is in from the start to the best contact so far, it is not met: any axis will do, whatever rounding
 * has done to it, as long as what is measured along it is off by less than a slack. The axes are some that are the same for all, made once a query (along the motion,
 * across it, the normals of the volume's own faces), that of the triangle's plane, and the way from the core, where it is about
 * the nearest, to the box or triangle. The triangles that are left are swept exactly, those with the least bound of their
 * time first. */

#include "tree/bvh_ray.h"

#define CDI_WAY_NOISE                                                                                        \
    1.9e-6f /* 2^-19: more than the rounding of a product with the motion, for axes as long as 1 */
#define CDI_WAY_AXES   12
#define CDI_WAY_POINTS 64

/* An axis, so turned that the motion is not against it: the volume is between lo and hi along it when it starts. */
typedef struct cdi_way_axis {
    float n[3], lo, hi, speed;
    float inverse;                        /* no more than 1 / speed */
    uint32_t first_side[3], last_side[3]; /* as in cdi_frame_ray, of boxes along n */
} cdi_way_axis;

typedef struct cdi_sweep_way {
    cdi_frame_ray frame;
    bool sharp;                   /* else the frame is all that is used: the numbers below are out of range */
    float at[3], way[3], inverse; /* the centre when it starts; the motion, and 1 over its square */
    float cap;                    /* of tau: then it has left the tree for certain */
    float radius, slack;
    uint32_t sides, points, axes, box_axes; /* box_axes: so many axes are for boxes, too */
    float side[3][3],
        side_inverse[3]; /* of the core: halves of the segments it is the sum of; 1 over their squares */
    float point[3][CDI_WAY_POINTS]; /* or points, from the centre */
    cdi_way_axis axis[CDI_WAY_AXES];
    cd_real origin[3]; /* the caller's numbers x in the frame: (x - origin) scale + shift */
    float scale, shift[3];
    void *mover; /* to be swept by it: items, one by one; false ends the walk */
    bool (*meet)(void *mover, const cdi_bvh *tree, uint32_t item, float *limit);
} cdi_sweep_way;

CDI_KERNEL(void, cdi_sweep_way_walk, (const cdi_sweep_way *w, const cdi_bvh *tree, float limit));
