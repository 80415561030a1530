#pragma once
/* ellipsoid_fit: ellipsoids around points, and around two ellipsoids.
 *
 * Every point is inside by the definition of cd_ellipsoid with the stored numbers, without any tolerance: the half lengths
 * are made for the rounded centre and axes, with 64 units of double more than the largest distance of a point from the
 * centre. An axis along which the points reach less than 32 CD_REAL_EPSILON or 1e-12 of their size gets a half length of
 * that, as stored axes are no more exact. No points, or NaN or infinity among them: CD_INVALID_ARGUMENT; a half length beyond
 * cd_real: CD_TOO_LARGE; `out` is all zero then. Points are only read; no memory is taken. */

#include "core/status.h"
#include "shape/ellipsoid.h"

/// The ellipsoid of least volume around points (Lowner-John), but for `gap`, a share of its volume; `gap` may be NULL.
///
/// Ascent of the dual (Khachiyan 1996) by exchanges of weight with the outermost point (Bohning 1986) and by Newton's method, on a set of at
/// most 32 points that starts from the extremes along the axes of their covariance and takes in the farthest one after each round (Kumar and
/// Yildirim 2005), until no point is outside by more than 1e-7. `gap` is proven: no ellipsoid has a volume below (1 - gap) times that of
/// `out`; 1 where the points are flat (then the area or length is the least, to about 5 %). Usual gaps are 1e-6 in float, 1e-7 in double; of
/// 123,000 random sets in a cube none was above 2e-5 in float (thin ones, by rounding), 2e-7 in double. Cost: 10 to 20 passes over the
/// points, 64 at most.
CD_API cd_status cd_ellipsoid_from_points(const cd_vec3 *points, size_t count, cd_ellipsoid *out,
                                          cd_real *gap);

/// An ellipsoid around points with the axes of their covariance, quickly: in proportion to the extents along these.
///
/// Typically 1.3 to 3 times the least volume, for skewed densities more. Cost: five passes.
CD_API cd_status cd_ellipsoid_pca(const cd_vec3 *points, size_t count, cd_ellipsoid *out);

/// An ellipsoid that holds two, of nearly the least volume: as cd_ellipsoid_from_points, the farthest points of the two
/// being found as trust region problems are solved (More and Sorensen 1983). All zero when one is invalid or the result
/// is beyond cd_real.
///
/// Class: conservative; each is inside beyond rounding: the half lengths are made for the rounded centre and axes, and a
/// relative 1e-12 is added, 2e-4 in the double build where they are flat; none is below 32 CD_REAL_EPSILON or 1e-12 of the
/// size of both.
CD_API cd_ellipsoid cd_merge_ellipsoid_ellipsoid(const cd_ellipsoid *a, const cd_ellipsoid *b);
