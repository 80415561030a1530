#pragma once
/* hull_gap (internal): how far points are from a hull, never told too small. */

#include "core/vec3d.h"
#include "hull/hull.h"

/* The point of a triangle nearest to p, about; a point of the triangle in any case. */
CDI_FN cdi_v3 cdi_gap_triangle(cdi_v3 p, cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* Distances of many points from one hull of dimension 1 to 3. Coordinates are taken about `base` and times 2^`exponent`, so
 * that no product leaves the range; the last nearest triangle is where the next search starts. */
typedef struct cdi_hull_gap {
    cd_hull_parts parts;
    cdi_v3 base;
    int exponent;
    double size;      /* of both hulls, scaled: 1 to 8 */
    double tolerance; /* relative, of squared distances */
    int steps;        /* at most */
    uint32_t corner[3];
} cdi_hull_gap;

/* For the points of `other`. */
CDI_FN cdi_hull_gap cdi_gap_begin(const cd_hull *hull, const cd_hull *other);

/* About how far a point is from the hull, times the scale of the search, and the unit vector from the hull's nearest point to it. */
CDI_FN double cdi_gap_reach(cdi_hull_gap *g, cdi_v3 p, cdi_v3 *away);

/* Is a point no farther from the hull, but for rounding? */
CDI_FN bool cdi_gap_is_within(cdi_hull_gap *g, cdi_v3 p, double most);

/* The largest distance of the vertices of `other` from the hull, rounded up to a number of the interface. */
CDI_FN double cdi_gap_largest(const cd_hull *hull, const cd_hull *other);

/* The vertex of a hull of dimension 1 to 3 that is farthest along d, by edges uphill from a vertex. */
CDI_FN uint32_t cdi_hull_climb(const cd_hull_parts *p, uint32_t vertex, cdi_v3 d);

/* The mean of the vertices, not rounded. */
CDI_FN cdi_v3 cdi_hull_mean(const cd_hull_parts *p);
