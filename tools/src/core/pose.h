#pragma once
/* pose (internal): a transform made ready for many points, in double. */

#include "core/mat3d.h"
#include "core/transform.h"

typedef struct cdi_pose {
    cdi_m3 rotation;
    cdi_v3 position;
} cdi_pose;

/* The rotation matrix of any quaternion; the identity for zero. */
CDI_FN cdi_m3 cdi_m3_of_quat(cd_quat q);

CDI_FN cdi_pose cdi_pose_of(const cd_transform *t);

/* The same, in place. */
CDI_FN void cdi_pose_put(cdi_pose *out, const cd_transform *t);

CDI_INLINE cdi_v3 cdi_pose_point(const cdi_pose *pose, cdi_v3 p) {
    return cdi_v3_add(cdi_m3_mul_v3(&pose->rotation, p), pose->position);
}

/* cd_transform_point: rounded to the number type of the interface. */
CDI_INLINE cd_vec3 cdi_pose_point_round(const cdi_pose *pose, cd_vec3 p) {
    return cdi_v3_round(cdi_pose_point(pose, cdi_v3_of(p)));
}

/* The way back. */
CDI_INLINE cdi_pose cdi_pose_inverse(const cdi_pose *pose) {
    cdi_pose r;
    r.rotation = cdi_m3_transpose(&pose->rotation);
    r.position = cdi_v3_neg(cdi_m3_tmul_v3(&pose->rotation, pose->position));
    return r;
}

/* A turn about a unit axis; both zero for none. */
typedef struct cdi_rotation {
    cdi_v3 axis;
    double angle;
} cdi_rotation;

/* The shorter turn that makes rotation `to` of rotation `from`, its angle in 0...pi, right to 2^-49 of 1; the axis is in the
 * frame that the rotations lead to. */
CDI_FN cdi_rotation cdi_quat_turn(cd_quat from, cd_quat to);

/* The rotation q and then a turn, as a unit quaternion. */
CDI_FN cd_quat cdi_quat_turned(cd_quat q, const cdi_rotation *turn);
