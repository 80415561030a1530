#pragma once
/* sphere_fit: spheres around points, in a few passes (Ericson 4.3.2-4.3.4).
 *
 * All of these find a good centre, and then take the least radius, about the centre as it is stored, that holds every point,
 * exactly. So each is at most as large as the published method says, and never leaves a point out. Points are not reordered,
 * and no memory is taken. For the smallest of all see cd_sphere_welzl, which is not much slower.
 *
 * All give radius -1, which is nothing, for no points; CD_INVALID_ARGUMENT for NaN and infinity, CD_TOO_LARGE where no radius
 * is large enough, both with `out` zero. */

#include "core/status.h"
#include "shape/volume.h"

/// The smallest sphere about the middle of a box that holds its corners, exactly.
///
/// Radius -1 for an empty box. An infinite one about the origin where the box is not finite or no radius is large enough.
CD_API cd_sphere cd_sphere_from_aabb(cd_aabb b);

/// The sphere about the middle of the points' box (4.3.2): at most sqrt(3) / 2 of the box's longest side larger than need be.
CD_API cd_status cd_sphere_aabb(const cd_vec3 *points, size_t count, cd_sphere *out);

/// Ritter's sphere (4.3.2): the farthest pair of the points that are extreme along an axis, grown over all points in turn.
///
/// Usually within a tenth of the smallest; three passes. Source: Ritter 1990, "An efficient bounding sphere".
CD_API cd_status cd_sphere_ritter(const cd_vec3 *points, size_t count, cd_sphere *out);

/// The sphere about the middle of the two points that are extreme along the axis of greatest spread (4.3.3): the eigenvector of
/// their covariance.
CD_API cd_status cd_sphere_eigen(const cd_vec3 *points, size_t count, cd_sphere *out);

/// Ritter's growth from the eigen sphere (4.3.3).
CD_API cd_status cd_sphere_ritter_eigen(const cd_vec3 *points, size_t count, cd_sphere *out);

/// What cd_sphere_ritter_iterative starts from.
typedef enum cd_ritter_start {
    CD_RITTER_START_PAIR = 0, ///< as cd_sphere_ritter
    CD_RITTER_START_EIGEN     ///< as cd_sphere_ritter_eigen
} cd_ritter_start;

/// How to refine; the zero object is the default.
typedef struct cd_ritter_options {
    uint32_t start;      ///< a cd_ritter_start
    uint32_t iterations; ///< how often to refine; 0: 8 times
    cd_real shrink;      ///< the share of the radius to begin a round with, above 0 and below 1; 0: 0.95
} cd_ritter_options;

/// Iterative refinement (4.3.4): the sphere is shrunk a little and grown again over the points in another order, and the best
/// sphere is kept.
///
/// The orders are the same in every run. `options` may be NULL; an unknown start or a shrink outside of 0...1 is
/// CD_INVALID_ARGUMENT. Usually within 2 % of the smallest after eight rounds.
CD_API cd_status cd_sphere_ritter_iterative(const cd_vec3 *points, size_t count,
                                            const cd_ritter_options *options, cd_sphere *out);
