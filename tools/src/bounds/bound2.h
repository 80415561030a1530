#pragma once
/* bound2: two-stage bounding volumes, a sphere first, then a box (Ericson 4.2.2, 4.6.2).
 *
 * Most pairs end with the spheres, which are cheap to move and to test. A body's world-space sphere and box are kept, and each
 * is brought up to date when it is first asked for in a step: the boxes only of those whose spheres meet something. */

#include "core/transform.h"
#include "shape/volume.h"

/// A sphere and a box in a body's frame, and what was made of them in the world. Owned by the caller, flat, free to copy.
///
/// Asking a bound may write to it: two threads must not ask the same one at a time, unless `cd_bound2_update` was called for
/// the stamp before; then asking with that stamp only reads.
typedef struct cd_bound2 {
    cd_sphere sphere;       ///< in the body's frame; holds the box
    cd_obb box;             ///< in the body's frame
    cd_sphere world_sphere; ///< kept: of the step `sphere_stamp`
    cd_obb world_box;       ///< kept: of the step `box_stamp`
    uint32_t sphere_stamp, box_stamp;
} cd_bound2;

/// From a box in the body's frame: the sphere is the one around it, rounded outward. All zero, which meets nothing but what a
/// point at the body's origin does, for NaN, infinity or a negative half extent, or where the radius is beyond the range.
CD_API cd_bound2 cd_bound2_make(const cd_obb *box);

/// The same from a sphere of yours, which may be smaller than the one around the box where the body is. What is outside either is not
/// found.
CD_API cd_bound2 cd_bound2_make_with_sphere(cd_sphere sphere, const cd_obb *box);

/// The sphere in the world for the body's pose, kept for the step `stamp`; grown by what the box's rounding may need.
///
/// A stamp is any number that changes whenever the pose may have changed, such as the number of the step. With 0 nothing is kept.
CD_API cd_sphere cd_bound2_sphere(cd_bound2 *bound, const cd_transform *pose, uint32_t stamp);

/// The box in the world, cd_obb_transform of the body's one; kept for the step `stamp`.
CD_API cd_obb cd_bound2_box(cd_bound2 *bound, const cd_transform *pose, uint32_t stamp);

/// Brings both up to date.
CD_API void cd_bound2_update(cd_bound2 *bound, const cd_transform *pose, uint32_t stamp);

/// Do two bodies' bounds meet? First the spheres; only where they meet, the boxes, by cd_test_obb_obb.
///
/// For bounds from cd_bound2_make the answer is that of cd_test_obb_obb on the two boxes moved by cd_obb_transform: the spheres only save
/// work. Class: conservative, as that. A bound may be tested against itself.
CD_API bool cd_test_bound2_bound2(cd_bound2 *a, const cd_transform *pose_a, cd_bound2 *b,
                                  const cd_transform *pose_b, uint32_t stamp);

/// The same for the pose of b in the frame of a (see cd_relative): nothing is kept, both only read, and as precise far from the
/// world's origin as near it. The boxes are tested by cd_test_obb_obb_relative.
CD_API bool cd_test_bound2_bound2_relative(const cd_bound2 *a, const cd_bound2 *b,
                                           const cd_transform *b_in_a);
