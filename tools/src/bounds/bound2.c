#include "bounds/bound2.h"
#include "core/pose.h"
#include "query/obb.h"
#include "query/test.h"
#include "shape/obb_hold.h"

CD_API cd_bound2 cd_bound2_make_with_sphere(cd_sphere sphere, const cd_obb *box) {
    cd_bound2 r;
    cdi_clear(&r, sizeof r);
    r.sphere = sphere;
    r.box = *box;
    return r;
}

/* The farthest corner, whatever the axes are, is no farther than this. */
CD_API cd_bound2 cd_bound2_make(const cd_obb *box) {
    cdi_obb d = cdi_obb_of(box);
    cd_sphere s;
    double sq = 0.0;
    for (int k = 0; k < 4; ++k) { /* four of the eight corners, and their opposites */
        cdi_v3 p = cdi_m3_mul_v3(
            &d.axes, cdi_v3_make(d.half[0], k & 1 ? -d.half[1] : d.half[1], k & 2 ? -d.half[2] : d.half[2]));
        sq = cdi_max(sq, cdi_v3_length(p));
    }
    s.center = box->center;
    s.radius = cdi_real_up(sq + (2e-15 * sq + (sq > 0.0 ? 2e-323 : 0.0)));
    if (!cdi_obb_finite(&d) || !(d.half[0] >= 0.0 && d.half[1] >= 0.0 && d.half[2] >= 0.0) ||
        !cd_sphere_is_valid(s)) {
        cd_bound2 nothing;
        cdi_clear(&nothing, sizeof nothing);
        return nothing;
    }
    return cd_bound2_make_with_sphere(s, box);
}

/* The stored centre is off by half a unit in the last place, and so are the centre and the axes of the stored box: together less
 * than 4 units of the largest coordinate met. */
static cd_sphere cdi_bound2_sphere_at(const cd_bound2 *bound, const cd_transform *pose) {
    cdi_pose m = cdi_pose_of(pose);
    cdi_v3 center = cdi_v3_of(bound->sphere.center);
    double radius = (double)bound->sphere.radius;
    double met = cdi_v3_max_abs(m.position) + 2.0 * cdi_v3_max_abs(center) +
                 2.0 * cdi_v3_max_abs(cdi_v3_of(bound->box.center)) + radius;
    cd_sphere s;
    s.center = cdi_pose_point_round(&m, bound->sphere.center);
    s.radius = cdi_real_up(radius + 8.0 * (double)CD_REAL_EPSILON * met);
    return s;
}

CD_API cd_sphere cd_bound2_sphere(cd_bound2 *bound, const cd_transform *pose, uint32_t stamp) {
    if (!stamp) return cdi_bound2_sphere_at(bound, pose);
    if (bound->sphere_stamp != stamp) {
        bound->world_sphere = cdi_bound2_sphere_at(bound, pose);
        bound->sphere_stamp = stamp;
    }
    return bound->world_sphere;
}

CD_API cd_obb cd_bound2_box(cd_bound2 *bound, const cd_transform *pose, uint32_t stamp) {
    if (!stamp) return cd_obb_transform(&bound->box, pose);
    if (bound->box_stamp != stamp) {
        bound->world_box = cd_obb_transform(&bound->box, pose);
        bound->box_stamp = stamp;
    }
    return bound->world_box;
}

CD_API void cd_bound2_update(cd_bound2 *bound, const cd_transform *pose, uint32_t stamp) {
    (void)cd_bound2_sphere(bound, pose, stamp);
    (void)cd_bound2_box(bound, pose, stamp);
}

CD_API bool cd_test_bound2_bound2(cd_bound2 *a, const cd_transform *pose_a, cd_bound2 *b,
                                  const cd_transform *pose_b, uint32_t stamp) {
    cd_obb p, q;
    if (!cd_test_sphere_sphere(cd_bound2_sphere(a, pose_a, stamp), cd_bound2_sphere(b, pose_b, stamp)))
        return false;
    p = cd_bound2_box(a, pose_a, stamp);
    q = cd_bound2_box(b, pose_b, stamp);
    return cd_test_obb_obb(&p, &q);
}

CD_API bool cd_test_bound2_bound2_relative(const cd_bound2 *a, const cd_bound2 *b,
                                           const cd_transform *b_in_a) {
    return cd_test_sphere_sphere_relative(a->sphere, b->sphere, b_in_a) &&
           cd_test_obb_obb_relative(&a->box, &b->box, b_in_a);
}
