#pragma once
/* box3d (internal): the box with given axes around points, for all fits.
 *
 * Fits look for a frame in local coordinates, where the points lie within -1...1 about the middle of their bounds. Only then
 * is the box made: the axes are rounded as they will be stored, and its extents are measured for the stored numbers. */

#include "core/mat3d.h"
#include "core/orient.h"
#include "core/status.h"
#include "shape/mesh_view.h"
#include "shape/planar.h"

/* The points of a fit: in space, in the plane, or the corners of a mesh's triangles. */
typedef struct cdi_fit {
    const cd_vec3 *points;
    const cd_vec2 *flat;
    const cd_mesh_view *mesh;
    size_t count;
    cd_aabb bounds;
    cdi_v3 origin; /* the middle of the bounds */
    double scale;  /* of local coordinates: a power of two */
} cdi_fit;

CDI_FN cd_status cdi_fit_points(cdi_fit *f, const cd_vec3 *points, size_t count);
CDI_FN cd_status cdi_fit_flat(cdi_fit *f, const cd_vec2 *points, size_t count);
CDI_FN cd_status cdi_fit_mesh(cdi_fit *f, const cd_mesh_view *mesh);

/* Point i as it was given, and in local coordinates. */
CDI_FN cdi_v3 cdi_fit_point(const cdi_fit *f, size_t i);
CDI_INLINE cdi_v3 cdi_fit_local(const cdi_fit *f, size_t i) {
    return cdi_v3_scale(cdi_v3_sub(cdi_fit_point(f, i), f->origin), f->scale);
}

/* A right-handed frame with the first axis along x and the second one as near to y as can be; both may have any length. */
CDI_FN cdi_m3 cdi_fit_frame(cdi_v3 x, cdi_v3 y);
CDI_FN cdi_m3 cdi_fit_identity(void);

/* The frame in which a covariance matrix is diagonal, the axis of the largest value first. */
CDI_FN cdi_m3 cdi_principal_frame(const cdi_m3 *covariance);

/* The extents of points along three axes. */
typedef struct cdi_extents {
    double lo[3], hi[3];
} cdi_extents;

CDI_FN cdi_extents cdi_extents_none(void);
CDI_INLINE void cdi_extents_add(cdi_extents *e, const cdi_m3 *axes, cdi_v3 p) {
    for (int k = 0; k < 3; ++k) {
        double along = cdi_v3_dot(axes->c[k], p);
        e->lo[k] = cdi_min(e->lo[k], along);
        e->hi[k] = cdi_max(e->hi[k], along);
    }
}
/* Of all points, in local coordinates. */
CDI_FN cdi_extents cdi_fit_extents(const cdi_fit *f, const cdi_m3 *axes);
CDI_INLINE double cdi_extents_volume(const cdi_extents *e) {
    return (e->hi[0] - e->lo[0]) * (e->hi[1] - e->lo[1]) * (e->hi[2] - e->lo[2]);
}

/* Is the first one smaller: in volume, or in surface where both have the same, or in the length of its edges? */
CDI_FN bool cdi_is_smaller(const double a[3], const double b[3]);

/* The smaller one of the box with these axes and the box along the axes of the world. */
CDI_FN void cdi_fit_finish(const cdi_fit *f, const cdi_m3 *axes, cd_obb *out);
