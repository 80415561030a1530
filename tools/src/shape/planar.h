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
