#pragma once
/* circle: circles around points in the plane, as spheres around points in space (see sphere_min and sphere_fit): the same
 * methods and promises, one dimension less. */

#include "core/status.h"
#include "shape/planar.h"

/// The smallest circle that holds `count` points; a support has at most three. The rest as in cd_sphere_welzl.
CD_API cd_status cd_circle_welzl(const cd_vec2 *points, size_t count, cd_circle *out);

/// Ritter's circle. The rest as in cd_sphere_ritter.
CD_API cd_status cd_circle_ritter(const cd_vec2 *points, size_t count, cd_circle *out);

/// The smallest circle that holds both. The rest as in cd_merge_sphere_sphere.
CD_API cd_circle cd_merge_circle_circle(cd_circle a, cd_circle b);

/// The smallest circle that holds a circle and a point.
CD_API cd_circle cd_circle_add_point(cd_circle c, cd_vec2 p);
