#pragma once
/* planar: circles and boxes in the plane (Ericson 4.2-4.4). */

#include "core/vec.h"

/// A disc in the plane: the points no farther than `radius` from `center`. A negative radius is nothing.
typedef struct cd_circle {
    cd_vec2 center;
    cd_real radius;
} cd_circle;

/// An axis-aligned rectangle, closed; empty when min > max on either axis.
typedef struct cd_aabb2 {
    cd_vec2 min, max;
} cd_aabb2;

/// An oriented rectangle, closed: center + axis * s + cd_vec2_perp(axis) * t with |s| <= half.x and |t| <= half.y. The axis
/// is unit, the half extents at least 0.
typedef struct cd_obb2 {
    cd_vec2 center, axis, half;
} cd_obb2;

/// A rigid motion of the plane: turned by the angle of `rotation`, then moved.
///
/// `rotation` is (cosine, sine), of any length: it never scales. Zero is no turn, so that the zero object is the identity.
typedef struct cd_transform2 {
    cd_vec2 rotation, position;
} cd_transform2;

/// Applies the motion to a point. Class: tolerant, 3 units in the last place of the largest coordinate met.
CD_API cd_vec2 cd_transform2_point(const cd_transform2 *t, cd_vec2 p);

/// Finite, in rotation and position.
CD_API bool cd_transform2_is_valid(const cd_transform2 *t);

/* ---- circles ---- */

/// Finite, radius >= 0.
CD_API bool cd_circle_is_valid(cd_circle c);

/// The area, infinite where no number is large enough; 0 for a negative radius, NaN for NaN.
CD_API cd_real cd_circle_area(cd_circle c);

/// The circle moved by a pose: its centre by cd_transform2_point.
CD_API cd_circle cd_circle_transform(cd_circle c, const cd_transform2 *pose);

/// The point of the circle farthest along a direction of any length; the centre for zero, NaN or infinity. Class: tolerant,
/// 2 units in the last place of the largest coordinate.
CD_API cd_vec2 cd_circle_support(cd_circle c, cd_vec2 direction);

/* ---- axis-aligned rectangles ---- */

/// The empty rectangle, min = +CD_REAL_MAX and max = -CD_REAL_MAX.
CD_API cd_aabb2 cd_aabb2_empty(void);

/// min > max on either axis.
CD_API bool cd_aabb2_is_empty(cd_aabb2 b);

/// Finite and not empty.
CD_API bool cd_aabb2_is_valid(cd_aabb2 b);

/// The smallest rectangle that holds `count` points; empty for none. A NaN component is passed over. Class: exact.
CD_API cd_aabb2 cd_aabb2_from_points(const cd_vec2 *points, size_t count);

/// A rectangle that holds the circle, rounded outward; empty for a negative radius or NaN.
CD_API cd_aabb2 cd_aabb2_from_circle(cd_circle c);

/// A rectangle that holds the oriented one, rounded outward; empty for negative half extents or NaN.
CD_API cd_aabb2 cd_aabb2_from_obb2(const cd_obb2 *b);

/// The smallest rectangle that holds both.
CD_API cd_aabb2 cd_merge_aabb2_aabb2(cd_aabb2 a, cd_aabb2 b);

/// The common part of both; empty when they do not meet.
CD_API cd_aabb2 cd_aabb2_intersect(cd_aabb2 a, cd_aabb2 b);

/// The area, infinite where no number is large enough; 0 for an empty rectangle, NaN for NaN.
CD_API cd_real cd_aabb2_area(cd_aabb2 b);

/// A point farthest along a direction: the corner with the larger coordinate where the direction's is positive, with the
/// smaller one elsewhere.
CD_API cd_vec2 cd_aabb2_support(cd_aabb2 b, cd_vec2 direction);

/// A rectangle that holds the one moved by a pose, rounded outward by 5e-15 of the size; exact for quarter turns. Start from the
/// rectangle in the object's own frame. Empty for an empty one, NaN or infinity.
CD_API cd_aabb2 cd_aabb2_transform(cd_aabb2 b, const cd_transform2 *pose);

/* ---- oriented rectangles ---- */

/// Finite, axis unit within 1e-3, half extents >= 0.
CD_API bool cd_obb2_is_valid(const cd_obb2 *b);

/// The area, with the axis taken as unit; infinite where no number is large enough.
CD_API cd_real cd_obb2_area(const cd_obb2 *b);

/// The oriented rectangle along the axes of the frame that holds all of the other; all zero, but for the axis, for an empty one.
CD_API cd_obb2 cd_obb2_from_aabb2(cd_aabb2 b);

/// The oriented rectangle moved by a pose.
CD_API cd_obb2 cd_obb2_transform(const cd_obb2 *b, const cd_transform2 *pose);

/// The four corners, counter-clockwise, the first with both smaller coordinates in the rectangle's frame.
CD_API void cd_obb2_to_vertices(const cd_obb2 *b, cd_vec2 out[4]);

/// A corner farthest along a direction: on the positive side of each axis that it goes along, on the negative one elsewhere.
CD_API cd_vec2 cd_obb2_support(const cd_obb2 *b, cd_vec2 direction);
