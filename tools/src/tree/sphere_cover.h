#pragma once
/* sphere_cover (internal): triangles covered with small spheres, and sphere trees over such covers (Ericson 6.4.4; Quinlan 1994).
 *
 * A triangle is halved across its longest edge until the pieces are small. */

#include "tree/sphere_plan.h"

/* The longest edge, from v[i] to v[i + 1], and its length. */
CDI_FN int cdi_longest_edge(const cdi_v3 v[3], double *length);

/* Told of the pieces of a triangle; false ends it. */
typedef bool (*cdi_piece_fn)(void *ctx, const cdi_v3 corner[3]);

/* Pieces with a sphere of that radius around each; but halved `levels` times at most, then they are larger. False when it was
 * ended. */
#define CDI_COVER_LEVELS 16
CDI_FN bool cdi_cover_pieces(const cdi_v3 corner[3], double radius, int levels, cdi_piece_fn tell, void *ctx);

/* The tree over the spheres of a cover: cut at the mean of their centres across the longest side of the box around them. A triangle goes where
 * its middle is. `radius`: of the spheres, in the plan's frame; 0: about four a triangle. */
CDI_FN cd_status cdi_plan_cover(cdi_plan *p, double radius);
