#pragma once
/* swept: distances and tests of segments, capsules and lozenges (Ericson 4.5, 5.1.9).
 *
 * A capsule or lozenge is as far from something as its core, a segment or a rectangle, less the radius: so all pairs come
 * down to the closest points of points, segments, rectangles and triangles. Closed sets: touching counts. NaN or infinity
 * in, or a negative radius: false, or NaN.
 *
 * Class of the tests, but where they say exact: tolerant, 32 units of double of the largest coordinate or radius. */

#include "query/hit.h"
#include "shape/linear.h"
#include "shape/swept.h"
#include "shape/volume.h"

/// Closest points of two segments.
///
/// Either may be a point. For parallel segments the pair nearest to `s->a` is given. Class: tolerant, 4 units in the last
/// place of the largest coordinate, for nearly parallel segments too. `s` and `t` are the parameters, in [0, 1]; `sqdist`
/// is at least 0; the features are the ends or the insides. NaN or infinity in: `sqdist` is NaN, the rest zero. Cost:
/// constant. Source: Ericson 5.1.9; Lumelsky 1985, "On fast computation of distance between line segments".
CD_API cd_closest cd_closest_pts_segment_segment(const cd_segment *s, const cd_segment *t);

/// The squared distance of two segments; as cd_closest_pts_segment_segment.
CD_API cd_real cd_sqdist_segment_segment(const cd_segment *s, const cd_segment *t);

/// The closest point of a capsule; p itself when inside. Class: tolerant, 4 units in the last place of the largest number.
CD_API cd_vec3 cd_closest_pt_point_capsule(cd_vec3 p, const cd_capsule *c);

/// The closest point of a lozenge; p itself when inside. Class: as for capsules. Where the rectangle's far corners are beyond the largest number, so
/// may be the point: infinite.
CD_API cd_vec3 cd_closest_pt_point_lozenge(cd_vec3 p, const cd_lozenge *l);

/// The closest points of two capsules; one point of both, and `sqdist` 0, when they meet.
///
/// Class: as for segments, of the largest coordinate or radius. `s` and `t` are the parameters of the two cores.
CD_API cd_closest cd_closest_pts_capsule_capsule(const cd_capsule *a, const cd_capsule *b);

/// The closest points of two lozenges; one point of both, and `sqdist` 0, when they meet. `s` and `t` are 0.
CD_API cd_closest cd_closest_pts_lozenge_lozenge(const cd_lozenge *a, const cd_lozenge *b);

/// Is the point in the capsule? Class: exact.
CD_API bool cd_test_point_capsule(cd_vec3 p, const cd_capsule *c);

/// Is the point in the lozenge?
CD_API bool cd_test_point_lozenge(cd_vec3 p, const cd_lozenge *l);

/// Do sphere and capsule meet? Class: exact.
CD_API bool cd_test_sphere_capsule(cd_sphere s, const cd_capsule *c);

/// Do two capsules meet? Class: exact: for all finite numbers, however they are degenerate.
///
/// Doubles decide where two points prove that they meet or a plane that they do not; whole numbers the rest.
CD_API bool cd_test_capsule_capsule(const cd_capsule *a, const cd_capsule *b);

/// Do sphere and lozenge meet?
CD_API bool cd_test_sphere_lozenge(cd_sphere s, const cd_lozenge *l);

/// Do capsule and lozenge meet?
CD_API bool cd_test_capsule_lozenge(const cd_capsule *c, const cd_lozenge *l);

/// Do two lozenges meet?
CD_API bool cd_test_lozenge_lozenge(const cd_lozenge *a, const cd_lozenge *b);

/// Does the capsule meet the plane, whose normal may have any length but zero?
CD_API bool cd_test_capsule_plane(const cd_capsule *c, cd_plane plane);

/// Does the capsule meet the half-space behind the plane, n . x <= d?
CD_API bool cd_test_capsule_halfspace(const cd_capsule *c, cd_plane plane);

/// Does the lozenge meet the plane?
CD_API bool cd_test_lozenge_plane(const cd_lozenge *l, cd_plane plane);

/// Does the lozenge meet the half-space behind the plane, n . x <= d?
CD_API bool cd_test_lozenge_halfspace(const cd_lozenge *l, cd_plane plane);

/// Do capsule and triangle meet? The triangle may be a needle, a segment or a point.
CD_API bool cd_test_capsule_triangle(const cd_capsule *c, const cd_triangle *t);

/// Do lozenge and triangle meet?
CD_API bool cd_test_lozenge_triangle(const cd_lozenge *l, const cd_triangle *t);

/// Do capsule and box meet?
CD_API bool cd_test_capsule_aabb(const cd_capsule *c, cd_aabb b);

/// Do capsule and oriented box meet? The capsule is taken to the box's frame.
CD_API bool cd_test_capsule_obb(const cd_capsule *c, const cd_obb *b);

/// Do lozenge and box meet?
CD_API bool cd_test_lozenge_aabb(const cd_lozenge *l, cd_aabb b);

/// Do lozenge and oriented box meet? The lozenge is taken to the box's frame.
CD_API bool cd_test_lozenge_obb(const cd_lozenge *l, const cd_obb *b);
