#pragma once
/* front (internal): the face, edge or corner of a convex body that is foremost along a direction: what it touches others with.
 *
 * Of the faces at the farthest corner the one whose normal is nearest to the direction, however far that is: what of it is not near the
 * other body is left out later, by its distance. So there is no angle at which a contact changes its kind. Only where a face is seen from
 * the side, as those of flat bodies may be, an edge is taken for it, and for an edge seen from its end the corner. Curved bodies have
 * fronts, too: the caps of cylinders, cones and discs as eight places around the rim, set by the shape's own frame, their sides and those of
 * capsules as segments. All of it is on the rounded surface. */

#include "convex/body.h"

#define CDI_FRONT_CORNERS 24 /* of faces with more only those that reach farthest in so many directions */

typedef struct cdi_foremost {
    int count; /* of corners: 1 a point, 2 a segment, else around a face, either way */
    bool rim;  /* eight places of a rim, of which the even ones are enough to stand on */
    cdi_v3 corner[CDI_FRONT_CORNERS]; /* in A's frame */
    uint32_t vertex[CDI_FRONT_CORNERS],
        edge[CDI_FRONT_CORNERS]; /* names; edge i leads to the corner after i */
    uint32_t face;               /* name */
    cdi_v3 normal; /* unit, out of the body: of the face; for segments across it; for points the direction */
    double round;  /* the largest radius of what is curved; 0 for what has corners */
    double soft;   /* the least radius of the surface there, where it has no edge; 0: none */
    double barrel; /* of a segment along the side of a cylinder: the radius of that; else 0 */
} cdi_foremost;

/* Along a unit direction of A's frame; `vertex` is a hint for the farthest corner. */
CDI_FN void cdi_foremost_of(const cdi_convex *body, cdi_v3 dir, uint32_t vertex, cdi_foremost *out);
