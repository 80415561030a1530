#pragma once
/* test_round: do rays, lines and segments meet spheres and capsules (Ericson 5.3.2, 5.3.7)?
 *
 * They do when the distance from their core is at most the radius. Doubles decide where the error bound tells, exact whole
 * numbers the rest. Closed sets: touching counts; a ray with a zero direction is a point, a segment may be one. NaN or infinity
 * in, a negative radius, or a line whose direction is zero: false. Class of all: exact, for all finite numbers; the casts are
 * tolerant, so that the two may differ for things that all but touch. Cost: constant. */

#include "shape/linear.h"
#include "shape/swept.h"
#include "shape/volume.h"

/// Do ray and sphere meet?
CD_API bool cd_test_ray_sphere(const cd_ray *r, cd_sphere s);

/// Do ray and capsule meet?
CD_API bool cd_test_ray_capsule(const cd_ray *r, const cd_capsule *c);

/// Do line and sphere meet?
CD_API bool cd_test_line_sphere(const cd_line *l, cd_sphere s);

/// Do segment and sphere meet?
CD_API bool cd_test_segment_sphere(const cd_segment *s, cd_sphere ball);

/// Do segment and capsule meet?
CD_API bool cd_test_segment_capsule(const cd_segment *s, const cd_capsule *c);
