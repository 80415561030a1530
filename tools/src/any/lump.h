#pragma once
/* lump (internal): the integrals of 1, x and x x^T over rounded bodies: all that is no farther than a radius from a core.
 *
 * What surrounds a polytope is cut along the normals of its faces (Steiner): a prism on each face, a wedge of a cylinder on each edge, a
 * sector of a ball at each corner. The sectors need no polygon of normals: the solid angle is the sum of triangles from a direction within it
 * to the arcs that the edges at the corner have, and the integrals of n and n n^T over it are sums over these arcs, too, by Gauss' theorem on
 * the sphere (the second, less its trace, is an eigenfunction). So all is a sum over faces and edges.
 *
 * Round bodies turn a profile about an axis: integrals over the profile are integrals along its border, of lines and arcs. */

#include "core/mat3d.h"
#include "hull/mass.h"

/* The integrals about the origin of a frame; of x x^T: xx, yy, zz, xy, yz, zx. */
typedef struct cdi_lump {
    double mass;
    cdi_v3 first;
    double second[6];
} cdi_lump;

CDI_FN void cdi_lump_begin(cdi_lump *l);

/* The tetrahedron of the origin and a triangle that is counter-clockwise from outside. */
CDI_FN void cdi_lump_tetrahedron(cdi_lump *l, cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* What is within the radius over a triangle, along its unit normal. */
CDI_FN void cdi_lump_prism(cdi_lump *l, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 n, double radius);

/* Where two faces meet, and what of the balls around its ends belongs to it. `n` and `out`: the unit normal of one of them, and the direction in
 * its plane, across the edge, out of it; `other` is the other's normal. The origin is in the body. */
typedef struct cdi_ridge {
    cdi_v3 p, q, n, out, other;
} cdi_ridge;
CDI_FN void cdi_lump_ridge(cdi_lump *l, const cdi_ridge *edge, double radius);

/* A round body with the axis u through the origin: its profile's border from the axis to the axis, by pieces, upward. */
typedef struct cdi_silhouette {
    double mass, first, along, across; /* integrals of 1, z, z^2 and s^2, over 2 pi */
} cdi_silhouette;
CDI_FN void cdi_silhouette_line(cdi_silhouette *p, double s0, double z0, double s1, double z1);
/* From the unit normal (s, z) to another, by at most half a turn. */
CDI_FN void cdi_silhouette_arc(cdi_silhouette *p, double s, double z, double radius, const double from[2],
                               const double to[2]);
CDI_FN void cdi_lump_silhouette(cdi_lump *l, const cdi_silhouette *p, cdi_v3 u);

/* What is within the radius around an ellipsoid of half lengths h[0] >= h[1] >= h[2] along the axes, and the ellipsoid. */
CDI_FN void cdi_lump_egg(cdi_lump *l, const double h[3], double radius);

/* Under a linear map, or the scale of the axes alone. */
CDI_FN void cdi_lump_map(cdi_lump *l, const cdi_m3 *map);

/* As a mass: the frame's origin, and its unit 2^shift. The center is the origin where there is no mass. */
CDI_FN void cdi_lump_mass(const cdi_lump *l, cdi_v3 origin, int shift, cd_mass *out);
