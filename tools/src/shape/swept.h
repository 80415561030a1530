#pragma once
/* swept: sphere-swept volumes, the points within a radius of a segment or of a rectangle (Ericson 4.5). */

#include "core/transform.h"

/// A capsule: the points no farther than `radius` from the segment between a and b, which may be a point.
///
/// A negative radius is nothing.
typedef struct cd_capsule {
    cd_vec3 a, b;
    cd_real radius;
} cd_capsule;

/// A lozenge, also called a rectangle-swept sphere: the points no farther than `radius` from the rectangle a + s edge[0] +
/// t edge[1] with s and t in [0, 1].
///
/// The edges are perpendicular; either or both may be zero, which makes it a capsule or a sphere. A negative radius is
/// nothing.
typedef struct cd_lozenge {
    cd_vec3 a;
    cd_vec3 edge[2];
    cd_real radius;
} cd_lozenge;
