#pragma once
/* kdop_body: a k-DOP as the convex body that it is: its extent, measures, tightness, corners, and where it is when turned.
 *
 * Extents are linear programs over the k half-spaces (shape/lp), whose verdicts are exact: whether there is a point at all,
 * and which planes meet where it is farthest. No memory is taken. A set that is not valid, or a k-DOP with a number that is
 * not finite or of another set, is answered as one that is empty. */

#include "shape/kdop.h"
#include "shape/lp.h"

/// The point of a k-DOP farthest along a direction of any length; zero when it is empty.
///
/// Zero, NaN or infinity: some point of it. Class: each coordinate within one rounding of a corner that is exactly a
/// farthest one. Cost: expected linear in k. Source: Ericson 9.4.1.
CD_API cd_vec3 cd_kdop_support(const cd_kdop *dop, const cd_kdop_set *set, cd_vec3 direction);

/// A box that holds the k-DOP; the empty box when it is empty.
///
/// From the slabs alone when the set has the three axes of the frame (or multiples), which for a tight k-DOP is the smallest
/// there is; otherwise by linear programs, wider than the smallest by 5 units of double and one rounding.
CD_API cd_aabb cd_aabb_from_kdop(const cd_kdop *dop, const cd_kdop_set *set);

/// The volume; 0 when empty, infinite beyond the range.
///
/// Class: tolerant, 2^-44 of the volume and surface of the smallest box about it and the origin. Cost: k^2 steps a corner of
/// a side.
CD_API cd_real cd_kdop_volume(const cd_kdop *dop, const cd_kdop_set *set);

/// The area of the surface, that of both sides where it is flat; as cd_kdop_volume.
CD_API cd_real cd_kdop_surface_area(const cd_kdop *dop, const cd_kdop_set *set);

/// Moves each plane inward until it touches the body that all bound (4.6.2): the smallest numbers of `cd_real` that do not
/// cut it, exactly. False, with the empty k-DOP, when there is no point in it.
///
/// A fit of cd_kdop_from_points is tight already. Cost: k linear programs of k constraints each.
CD_API bool cd_kdop_tighten(cd_kdop *dop, const cd_kdop_set *set);

/// Does every plane touch the body, so that cd_kdop_tighten would change nothing? False when empty. Class: exact.
CD_API bool cd_kdop_is_tight(const cd_kdop *dop, const cd_kdop_set *set);

/// The k-DOP around one that was moved by a pose, tight but for rounding: realignment by linear programs (4.6.3).
///
/// It holds the image of every point of `dop`, exact or by cd_transform_point: wider than need be by 12 units in the last
/// place of `cd_real` (200 in a double build) of the largest coordinate before or after, times the direction's length. Of a body that is known
/// cd_kdop_climb is faster and closer, of the corners of a k-DOP cd_kdop_tumble faster. CD_INVALID_ARGUMENT: not a k-DOP of
/// the set, or a pose not finite; CD_TOO_LARGE: a number would not be finite; `out` is zeroed then.
CD_API cd_status cd_kdop_transform(const cd_kdop *dop, const cd_kdop_set *set, const cd_transform *pose,
                                   cd_kdop *out);

/// The same around the image of points, such as the corners of a k-DOP, stored once, or of its hull (4.6.3).
///
/// Wider than need be by 100 units in the last place (300 in a double build) of the largest coordinate, times the length of the direction: points may
/// be the rounded corners of cd_kdop_vertices and stand for the k-DOP itself. Empty for no points. Cost: linear.
CD_API cd_status cd_kdop_tumble(const cd_vec3 *points, size_t count, const cd_kdop_set *set,
                                const cd_transform *pose, cd_kdop *out);

/// The corners of a k-DOP by plane triples (4.6.4): where three planes meet that no other cuts off. Returns their number.
///
/// Corners nearer to each other than 4 units in the last place of the largest coordinate are given once, as are such as are further
/// apart where rounding would make more than CD_KDOP_VERTICES, which no body of so many planes has. 0 when empty.
/// Class: tolerant: each within a unit in the last place of the largest coordinate of an exact corner, also where planes meet
/// that are nearly dependent, as those of turned sets are by rounding: exact numbers find them. Only of planes with a
/// determinant below 1e-29 corners are left out. Cost: k^3 / 6 systems; more for a flat body of a turned set.
CD_API uint32_t cd_kdop_vertices(const cd_kdop *dop, const cd_kdop_set *set, cd_vec3 out[CD_KDOP_VERTICES]);

/// A point inside a k-DOP, as far from its planes as can be: cd_halfspaces_interior_point of its half-spaces.
CD_API cd_status cd_kdop_interior_point(const cd_kdop *dop, const cd_kdop_set *set, cd_interior3 *out);

/// A point inside a k-DOP by alternating projections from `start`: onto the plane of each slab that it is not in, in turn
/// (4.6.4). The zero object, with CD_INTERIOR_EMPTY, for what is no k-DOP of the set.
///
/// In the limit the projections end on the boundary, or never for an empty k-DOP. So they go a little further in, to where
/// the point is inside by a share of the slab's width, and at most `rounds` times around; then a linear program decides.
/// The verdict is exact: CD_INTERIOR_FOUND is strictly inside, CD_INTERIOR_EMPTY is proven. The margin is the distance
/// from the nearest plane.
CD_API cd_interior3 cd_kdop_project(const cd_kdop *dop, const cd_kdop_set *set, cd_vec3 start,
                                    uint32_t rounds);
