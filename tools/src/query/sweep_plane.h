#pragma once
/* sweep_plane: moving things against planes and half-spaces (Ericson 5.5.3, 5.5.5).
 *
 * All that is asked of the moving thing is how far it reaches along the plane's normal, and the height of its centre, which
 * changes evenly: so the time is a quotient. The plane's normal may have any length but zero.
 *
 * A plane is hit from either side: `hit->normal` is on the side that the thing comes from. A half-space is the solid of the
 * points with n . x <= d; its normal is always the plane's. The contact point is on the plane, at the middle of the edge or
 * face that touches it, and no farther from the thing than the excess, besides its own rounding. The feature is face 0. Class:
 * that of query/sweep. Cost: constant.
 *
 * The book's IntersectMovingSpherePlane takes any motion with dist * denom >= 0 for one that leads away, and has the hit on
 * one side of the plane only in mind: here both sides are alike. */

#include "query/sweep.h"
#include "shape/ellipsoid.h"
#include "shape/linear.h"
#include "shape/swept.h"

/// A moving sphere against a plane (Ericson 5.5.3). See query/sweep.
CD_API bool cd_sweep_sphere_plane(cd_sphere s, cd_vec3 motion, cd_plane plane, const cd_cast_options *options,
                                  cd_hit *hit);

/// A moving sphere against a half-space.
CD_API bool cd_sweep_sphere_halfspace(cd_sphere s, cd_vec3 motion, cd_plane plane,
                                      const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against a plane.
CD_API bool cd_sweep_capsule_plane(const cd_capsule *c, cd_vec3 motion, cd_plane plane,
                                   const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against a half-space.
CD_API bool cd_sweep_capsule_halfspace(const cd_capsule *c, cd_vec3 motion, cd_plane plane,
                                       const cd_cast_options *options, cd_hit *hit);

/// A moving box against a plane (Ericson 5.5.5).
CD_API bool cd_sweep_aabb_plane(cd_aabb b, cd_vec3 motion, cd_plane plane, const cd_cast_options *options,
                                cd_hit *hit);

/// A moving box against a half-space.
CD_API bool cd_sweep_aabb_halfspace(cd_aabb b, cd_vec3 motion, cd_plane plane, const cd_cast_options *options,
                                    cd_hit *hit);

/// A moving oriented box against a plane.
CD_API bool cd_sweep_obb_plane(const cd_obb *b, cd_vec3 motion, cd_plane plane,
                               const cd_cast_options *options, cd_hit *hit);

/// A moving oriented box against a half-space.
CD_API bool cd_sweep_obb_halfspace(const cd_obb *b, cd_vec3 motion, cd_plane plane,
                                   const cd_cast_options *options, cd_hit *hit);

/// A moving ellipsoid, which may be flat, against a plane.
CD_API bool cd_sweep_ellipsoid_plane(const cd_ellipsoid *e, cd_vec3 motion, cd_plane plane,
                                     const cd_cast_options *options, cd_hit *hit);

/// A moving ellipsoid against a half-space.
CD_API bool cd_sweep_ellipsoid_halfspace(const cd_ellipsoid *e, cd_vec3 motion, cd_plane plane,
                                         const cd_cast_options *options, cd_hit *hit);
