#pragma once
/* cylinder3d (internal): cylinders, cones and discs as one shape of doubles; where points are with respect to it, exactly. */

#include "core/vec3d.h"
#include "shape/cylinder.h"

/* The points whose height x along u above end[0] is in 0...h, and whose distance from the axis is at most the radius there,
 * which goes from r[0] to r[1]. h is 0 for discs and points. */
typedef struct cdi_frustum {
    cdi_v3 end[2], d, u; /* the axis as it is stored, and unit */
    double length, h;    /* of d */
    double r[2];
} cdi_frustum;

/* False when the shape is not valid. */
CDI_FN bool cdi_frustum_of_cylinder(cdi_frustum *f, const cd_cylinder *c);
CDI_FN bool cdi_frustum_of_cone(cdi_frustum *f, const cd_cone *c);
CDI_FN bool cdi_frustum_of_disc(cdi_frustum *f, const cd_disc *c);

/* A direction from one point to another, without rounding. */
typedef struct cdi_axis3d {
    cdi_v3 from, to;
} cdi_axis3d;

CDI_INLINE cdi_axis3d cdi_axis_of(cdi_v3 from, cdi_v3 to) {
    cdi_axis3d a;
    a.from = from;
    a.to = to;
    return a;
}

/* The sign of p's distance from the line through o along the axis less r; exact, finite input. */
CDI_FN int cdi_beside_axis(cdi_v3 o, cdi_axis3d axis, double r, cdi_v3 p);

/* The sign of |radial distance| times the cone's height less radius times height of p; exact, finite input. 0 or less: p is in
 * the double cone. */
CDI_FN int cdi_beside_cone(cdi_v3 apex, cdi_v3 base, double r, cdi_v3 p);

/* Does the disc about c across the axis reach the half-space n . x <= d? Exact, finite input. */
CDI_FN bool cdi_rim_reaches(cdi_v3 n, double d, cdi_v3 c, cdi_axis3d axis, double r);

/* How far a rim of radius 1 about the unit axis u reaches along world axis i, rounded up unless it is 0 or 1. */
CDI_FN double cdi_rim_reach(cdi_v3 u, int i);

/* Is the point in the closed shape? Exact; valid shapes and finite points. */
CDI_FN bool cdi_in_cylinder(cdi_v3 p, cdi_v3 a, cdi_v3 b, double r);
CDI_FN bool cdi_in_cone(cdi_v3 p, cdi_v3 apex, cdi_v3 base, double r);
