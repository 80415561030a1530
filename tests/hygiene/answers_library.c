/* The library, and the calls whose answers are compared. All of it is static, so that only what is called is compiled. */
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "answers.h"

uint32_t answers_selftest(void) {
    return cd_selftest();
}

cd_transform answers_pose(cd_vec3 from, cd_vec3 to, cd_vec3 position) {
    cd_transform pose;
    pose.rotation = cd_quat_from_to(from, to), pose.position = position;
    return pose;
}

cd_mat3 answers_axes(cd_quat rotation) {
    return cd_quat_to_mat3(rotation);
}

static void answers_add_hit(bool found, const cd_hit *hit) {
    answers_add(found);
    if (!found) return;
    answers_add(hit->t);
    answers_add_vec(hit->point);
    answers_add_vec(hit->normal);
}

void answers_ask(const answers_question *q) {
    cd_triangle_cut cut;
    cd_closest closest = cd_closest_pts_point_triangle(q->sphere.center, &q->a);
    cd_hit hit;
    answers_add(closest.sqdist);
    answers_add_vec(closest.b);
    answers_add_vec(cd_vec3_normalize(q->a.a));
    answers_add_vec(cd_transform_point(&q->pose, q->a.c));
    answers_add_hit(cd_cast_ray_triangle(&q->ray, CD_REAL_MAX, &q->a, NULL, &hit), &hit);
    answers_add_hit(cd_cast_ray_sphere(&q->ray, CD_REAL_MAX, q->sphere, NULL, &hit), &hit);
    answers_add_hit(cd_cast_ray_obb(&q->ray, CD_REAL_MAX, &q->box, NULL, &hit), &hit);
    answers_add_vec(cd_closest_pt_point_obb(q->a.b, &q->box));
    answers_add(cd_test_sphere_triangle(q->sphere, &q->a));
    answers_add(cd_test_triangle_obb(&q->a, &q->box));
    if (cd_intersect_triangle_triangle(&q->a, &q->b, &cut)) {
        for (uint32_t i = 0; i < cut.count; ++i) answers_add_vec(cut.points[i]);
    }
}
