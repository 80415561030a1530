#pragma once
/* transform: rotations by quaternions, rigid poses, and poses far from the origin.
 *
 * A quaternion need not be unit: it rotates by q v q^-1 / |q|^2, so that rounding never scales or shears, and the
 * zero quaternion stands for no rotation, so that a zeroed transform is the identity. */

#include "core/mat.h"

/// A quaternion, x i + y j + z k + w.
typedef struct cd_quat {
    cd_real x, y, z, w;
} cd_quat;

/// A rigid motion: rotation, then displacement. The zero object is the identity.
typedef struct cd_transform {
    cd_quat rotation;
    cd_vec3 position;
} cd_transform;

/// A pose in a world too large for `cd_real`: the position is double in every build.
typedef struct cd_world_pose {
    cd_quat rotation;
    double position[3];
} cd_world_pose;

/// No rotation: (0, 0, 0, 1).
CD_API cd_quat cd_quat_identity(void);

/// The unit quaternion that turns by the angle whose half has this sine and cosine, about `axis`.
///
/// `axis` of any length; no rotation when it is zero or not finite, or when both numbers are 0. For an angle in radians
/// see `cd_quat_from_axis_angle`.
CD_API cd_quat cd_quat_from_axis(cd_vec3 axis, cd_real sin_half, cd_real cos_half);

/// The unit quaternion that turns by an angle in radians about `axis`, counter-clockwise as seen from its tip.
///
/// `axis` of any length; no rotation when it is zero, or anything is not finite. Class: tolerant, 2 units in the last
/// place of 1.
CD_API cd_quat cd_quat_from_axis_angle(cd_vec3 axis, cd_real radians);

/// The matrix of the same rotation; the identity where that is no rotation.
CD_API cd_mat3 cd_mat3_from_axis_angle(cd_vec3 axis, cd_real radians);

/// The shortest rotation that turns direction `from` into direction `to`; lengths do not matter.
///
/// Half a turn about some perpendicular axis when they are opposite, none when either is zero or not finite.
CD_API cd_quat cd_quat_from_to(cd_vec3 from, cd_vec3 to);

/// The rotation of an orthonormal, right-handed matrix, as a unit quaternion.
CD_API cd_quat cd_quat_from_mat3(const cd_mat3 *rotation);

/// The matrix of the rotation, for quaternions of any length: orthonormal to 4 units in the last place of 1, and exact
/// for the symmetries of a cube.
CD_API cd_mat3 cd_quat_to_mat3(cd_quat q);

/// The product a b: rotates by b, then by a. Lengths multiply; zero counts as no rotation.
CD_API cd_quat cd_quat_mul(cd_quat a, cd_quat b);

/// The conjugate: the opposite rotation.
CD_API cd_quat cd_quat_conjugate(cd_quat q);

/// Unit quaternion along q; no rotation for zero, NaN or infinity.
CD_API cd_quat cd_quat_normalize(cd_quat q);

/// Between two rotations, the shorter way round, at the fraction t: a unit quaternion, a for t = 0, b or -b for t = 1.
///
/// Straight from a to b, then brought to unit length: quicker than `cd_quat_slerp`, and on the same path, but not at
/// constant speed. Any lengths; t may leave 0...1. No rotation where anything is not finite.
CD_API cd_quat cd_quat_nlerp(cd_quat a, cd_quat b, cd_real t);

/// The same at constant speed: turned by t times the angle between the two (Shoemake 1985).
///
/// Class: tolerant, 3 units in the last place of 1 for t in 0...1.
CD_API cd_quat cd_quat_slerp(cd_quat a, cd_quat b, cd_real t);

/// Rotates a vector.
CD_API cd_vec3 cd_quat_rotate(cd_quat q, cd_vec3 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_quat_is_valid(cd_quat q);

/// The identity.
CD_API cd_transform cd_transform_identity(void);

/// Finite, in rotation and position.
CD_API bool cd_transform_is_valid(const cd_transform *t);

/// Finite, in rotation and position.
CD_API bool cd_world_pose_is_valid(const cd_world_pose *p);

/// Applies the motion to a point. Class: tolerant, 3 units in the last place of the largest coordinate met.
CD_API cd_vec3 cd_transform_point(const cd_transform *t, cd_vec3 p);

/// Applies the rotation to a vector.
CD_API cd_vec3 cd_transform_vector(const cd_transform *t, cd_vec3 v);

/// Applies the inverse motion to a point.
CD_API cd_vec3 cd_transform_inverse_point(const cd_transform *t, cd_vec3 p);

/// Applies the inverse rotation to a vector.
CD_API cd_vec3 cd_transform_inverse_vector(const cd_transform *t, cd_vec3 v);

/// `cd_transform_point` on `count` points, bit for bit; `out` may be `points`.
CD_API void cd_transform_points(const cd_transform *t, const cd_vec3 *points, size_t count, cd_vec3 *out);

/// The motion that does b, then a.
CD_API cd_transform cd_transform_mul(const cd_transform *a, const cd_transform *b);

/// The inverse motion.
CD_API cd_transform cd_transform_inverse(const cd_transform *t);

/// The pose of B in the frame of A, where both are given in one frame: inverse(a) b.
CD_API cd_transform cd_transform_relative(const cd_transform *a, const cd_transform *b);

/// The pose of B in the frame of A for two poses in the world.
///
/// The positions are subtracted in double before anything is rounded, so that it is as exact far from the world's
/// origin as near it.
CD_API cd_transform cd_relative(const cd_world_pose *a, const cd_world_pose *b);
