#pragma once
/* mass3d (internal): the integrals of 1, x and x x^T over a solid or its surface, triangle by triangle.
 *
 * A solid is summed as tetrahedra between its triangles and the middle of its bounds, each with the sign of its volume
 * (Eberly, "Polyhedral mass properties (revisited)"; Blow and Binstock 2004, "How to find the inertia tensor of a
 * triangle mesh"). Coordinates are taken from that middle without rounding, brought into -1...1 by a power of two for
 * each axis, and everything is summed as numbers of two doubles: neither the distance from the origin nor the scale nor
 * thinness along an axis costs a digit, and bodies far apart within one mesh cost few. */

#include "core/twofold.h"
#include "core/vec3d.h"
#include "hull/mass.h"

typedef struct cdi_moments {
    cdi_v3 origin;      /* the middle of the bounds */
    int shift[3], unit; /* coordinates are in units of 2^shift, weights in units of 2^unit */
    bool shell;
    cdi_two weight, first[3], second[6]; /* sums over triangles; second: xx, yy, zz, xy, yz, zx */
    double terms, count;                 /* the magnitudes of all terms of the weights; triangles */
} cdi_moments;

/* Nothing yet, for triangles in the box from `lo` to `hi`, which is finite; of the surface, for a shell. */
CDI_FN void cdi_moments_begin(cdi_moments *m, cdi_v3 lo, cdi_v3 hi, bool shell);

/* A triangle, counter-clockwise from outside. */
CDI_FN void cdi_moments_add(cdi_moments *m, cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* False when the weight does not stand out of the rounding errors: then `out` is zero but for the centre, which is the
 * middle of the bounds. Numbers beyond the range are infinite or NaN. */
CDI_FN bool cdi_moments_end(const cdi_moments *m, cd_mass *out);

/* CD_OK; or, zeroed, CD_TOO_LARGE where a number is not finite. */
CDI_FN cd_status cdi_mass_finish(cd_mass *out);

/* The same for a hull, whose bounds are given. */
CDI_FN bool cdi_hull_moments(const cd_hull_parts *p, cd_aabb box, bool shell, cd_mass *out);
