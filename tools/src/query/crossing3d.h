#pragma once
/* crossing3d (internal): how often closed surfaces of triangles go around a point of space, and whether they pass through it.
 *
 * The triangles are counted that the ray from the point straight up (along z) leaves or enters by. For that the point is
 * moved as crossing2d has it, so that the ray passes all edges by. */

#include "query/crossing2d.h"
#include "shape/triangle3d.h"

/* A point, and what the triangles so far were to it. */
typedef struct cdi_probe {
    cdi_v3 p;
    cdi_rounds around;
} cdi_probe;

CDI_FN cdi_probe cdi_probe_of(cd_vec3 p);

/* Of finite numbers; with the triangle's bounds. */
CDI_FN void cdi_probe_triangle(cdi_probe *q, const cdi_tri *t, const cdi_v3 *lo, const cdi_v3 *hi);

/* Is the point on the triangle, which may be a segment or a point? Exact, for finite numbers. */
CDI_FN bool cdi_tri_holds(const cdi_tri *t, cdi_v3 p);
