#pragma once
/* shape_mass: mass, center and inertia of any shape. */

#include "any/shape_bounds.h"
#include "hull/mass.h"

/// Mass, center and inertia at a density: of a compound the sum of its children, whatever they share; of a mesh that of the body that it bounds
/// (as cd_mass_properties has it; mirrored by a scale it has the same sign), of a class what its table says.
///
/// Flat and thin shapes without a rounding have none: zero mass and their middle. CD_UNSUPPORTED: half-spaces, height fields, meshes and
/// classes with a radius, classes without a table's `mass`, supports of the caller's functions, of hierarchies and of more than four loose points,
/// cylinders, cones, discs and tapered capsules that are stretched unevenly and then rounded, and compounds of such. CD_INVALID_ARGUMENT: not valid, or a
/// density below 0 or not finite; CD_TOO_LARGE: a number beyond the range. `out` is zero then.
/// Class: tolerant, 2^-40 of the mass; of the center, 2^-40 of the largest extent, and a unit in its last place; of the inertia, 2^-40 of its largest entry.
/// Planes of hulls with a flatness and a rounding are as good as that. What a class tells, and is stretched, loses the square of the ratio of the factors, as
/// do the children of a compound without a radius; where it has one, the factors of a child times uneven ones of the whole are rounded once.
/// All are closed forms but one: around an ellipsoid with a radius the layers are integrated. Cost: constant (ellipsoids with a radius 30 us, and more the
/// flatter they are), for hulls, meshes and polygons linear.
/// Source: Steiner's formula; Eberly, "Polyhedral mass properties (revisited)".
CD_API cd_status cd_shape_mass(const cd_shape *s, double density, cd_mass *out);
