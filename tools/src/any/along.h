#pragma once
/* along (internal): the children and parts of a shape that a moving box may come to, roughly in the order in which it does. */

#include "any/parts.h"
#include "core/pose.h"

/* A box in straight motion: at time t, from `first` to *until, which visitors may lower, its middle is at middle + t way. */
typedef struct cdi_box_way {
    cdi_v3 middle, half, way;
    double first;
    const double *until;
} cdi_box_way;

/* False for an empty box. */
CDI_FN bool cdi_box_way_begin(cdi_box_way *c, cd_aabb box, cdi_v3 way, double first, const double *until);

/* By a length to all sides; infinite: it is everywhere. */
CDI_FN void cdi_box_way_grow(cdi_box_way *c, double by);

/* As seen from a frame that stands at a pose. */
CDI_FN void cdi_box_way_unpose(cdi_box_way *c, const cdi_pose *pose);

/* Does it come to a box in time? Where not, it is at least 2^-36 of the largest number away from that. */
CDI_FN bool cdi_box_way_meets(const cdi_box_way *c, cd_aabb box);

typedef void (*cdi_child_fn)(void *user, uint32_t child);

/* The children of a compound by number; half-spaces always. `course` is in the compound's frame. */
CDI_FN void cdi_children_along(const cd_shape *compound, const cdi_box_way *course, uint32_t ignore,
                               cdi_child_fn visit, void *user);

/* The parts of one child, or of a shape that is no compound (CD_NONE); those of one piece always. What the visitor answers is of no meaning. */
CDI_FN void cdi_parts_along(const cd_shape *s, uint32_t child, const cdi_box_way *course, uint32_t ignore,
                            cdi_shape_part_fn visit, void *user);
