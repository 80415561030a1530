#pragma once
/* contact_seams (internal): is a contact with one part of a shape one with the shape, or do the parts beside it hide it?
 *
 * Asked about points of a part and the direction out of it there. Where the part has an edge or a corner at the point, no other part that
 * touches the point may stick out of the plane across the direction: it then is a normal of all of them together. Where the part is
 * flat there, the direction is its face's own, and only a part that lies over the face hides it.
 *
 * What is no farther from the point than 1e-4 of the smaller of the part and the body that meets it touches it, and so does what is
 * as near as rounding of coordinates may put it; what sticks out by less than an angle of 1e-5, at its foremost point as seen from there, does not. */

#include "any/parts.h"
#include "shape/triangle3d.h"

enum { CDI_SEAM_SAMPLES = 8 };

#define CDI_SEAM_ANGLE 1e-5
#define CDI_SEAM_ANY   (-2.0) /* whatever touches */

/* One of two shapes, and of each the part that is in contact; both parts are visited, and stay. */
typedef struct cdi_seams {
    const cd_shape *shape; /* the one that is asked, all is in its frame */
    int side;              /* 0: it is A */
    uint32_t ignore;
    cd_filter_parts_fn filter;
    void *user;
    const cdi_shape_part *own, *other;
    double size;  /* of the smaller of the two parts */
    double angle; /* what sticks out by less does not; CDI_SEAM_ANGLE */
} cdi_seams;

/* `out`: unit. `flat`: it is the normal of a face that the samples lie on, and one of them that is free is enough. */
CDI_FN bool cdi_seams_hide(const cdi_seams *s, cdi_v3 out, const cdi_v3 *samples, int count, bool flat);

/* Turns a direction out of the part at a point until nothing that touches the point sticks out, the part itself neither: the least way, where
 * that is told by one or two places that stick out. False where it is not, and where it is far. */
CDI_FN bool cdi_seams_settle(const cdi_seams *s, cdi_v3 at, cdi_v3 *out);

/* The largest extent of a box, and of a part's. */
CDI_FN double cdi_box_extent(cd_aabb box);
CDI_FN double cdi_shape_part_size(const cdi_shape_part *part);

/* The corners of a part that is a triangle, in its own frame. */
CDI_FN cdi_tri cdi_shape_part_corners(const cdi_shape_part *part);
