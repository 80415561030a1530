#pragma once
/* round: cylinders, cones and discs (Ericson 4.7). All are closed. */

#include "core/transform.h"

/// A solid cylinder with flat caps around a and b, perpendicular to the segment between them. A negative radius is nothing.
typedef struct cd_cylinder {
    cd_vec3 a, b;
    cd_real radius;
} cd_cylinder;

/// A solid cone from `apex` to the disc of `radius` around `base`, perpendicular to the axis between them. A negative
/// radius is nothing.
typedef struct cd_cone {
    cd_vec3 apex, base;
    cd_real radius;
} cd_cone;

/// A flat disc: the points no farther than `radius` from `center` in the plane through it that is perpendicular to `normal`,
/// which need not be unit and may not be zero. A negative radius is nothing.
typedef struct cd_disc {
    cd_vec3 center, normal;
    cd_real radius;
} cd_disc;
