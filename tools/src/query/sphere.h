#pragma once
/* sphere (query): spheres against planes and half-spaces (Ericson 5.2.2). Both exact, and false when anything is not valid; the
 * normal may have any length. */

#include "shape/linear.h"
#include "shape/volume.h"

/// Do sphere and plane meet? Touching counts. Class: exact.
CD_API bool cd_test_sphere_plane(cd_sphere s, cd_plane plane);

/// Does the sphere meet the half-space behind the plane, n . x <= d? Touching counts. Class: exact.
CD_API bool cd_test_sphere_halfspace(cd_sphere s, cd_plane plane);

/// Is the sphere wholly outside of the half-space behind the plane (-1), does it meet the plane (0), or is it inside of the
/// half-space without touching the plane (+1; the book's InsideSpherePlane)? Anything not valid: -1. Class: exact.
CD_API int cd_locate_sphere_halfspace(cd_sphere s, cd_plane plane);
