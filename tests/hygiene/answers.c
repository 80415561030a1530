/* One number for many answers of the library, and what cd_selftest says: shows whether the flags that the library was
 * compiled with changed anything. This file itself is compiled without them. */
#include "collide.h"
#include <stdio.h>

static uint64_t answers_state = 1, answers_hash = 14695981039346656037u;

/* Small whole numbers, for ties and zeros of both signs, or numbers with all their bits. */
static cd_real answers_number(bool whole) {
    answers_state = answers_state * 6364136223846793005u + 1442695040888963407u;
    if (whole) {
        double i = (double)(int)(answers_state >> 60) - 8.0;
        return (cd_real)(i == 0.0 ? -0.0 : i);
    }
    return (cd_real)((double)(answers_state >> 11) / 1125899906842624.0 - 4.0);
}

static cd_vec3 answers_vec(bool whole) {
    cd_vec3 v;
    v.x = answers_number(whole);
    v.y = answers_number(whole);
    v.z = answers_number(whole);
    return v;
}

static void answers_add(cd_real x) {
    const unsigned char *p = (const unsigned char *)&x;
    if (x != x) x = 99;
    for (size_t i = 0; i < sizeof x; ++i) answers_hash = (answers_hash ^ p[i]) * 1099511628211u;
}

static void answers_add_vec(cd_vec3 v) {
    answers_add(v.x);
    answers_add(v.y);
    answers_add(v.z);
}

static void answers_add_hit(bool found, const cd_hit *hit) {
    answers_add(found);
    if (!found) return;
    answers_add(hit->t);
    answers_add_vec(hit->point);
    answers_add_vec(hit->normal);
}

static void answers_round(bool whole) {
    cd_triangle a, b;
    cd_triangle_cut cut;
    cd_ray ray;
    cd_sphere sphere;
    cd_transform pose;
    cd_closest closest;
    cd_hit hit;
    cd_obb box;
    a.a = answers_vec(whole), a.b = answers_vec(whole), a.c = answers_vec(whole);
    b.a = answers_vec(whole), b.b = answers_vec(whole), b.c = answers_vec(whole);
    ray.origin = answers_vec(whole), ray.dir = answers_vec(whole);
    sphere.center = answers_vec(whole), sphere.radius = 2;
    pose.rotation = cd_quat_from_to(a.a, b.b), pose.position = a.b;
    box.center = b.c, box.axes = cd_quat_to_mat3(pose.rotation), box.half = cd_vec3_make(1, 2, 3);

    closest = cd_closest_pts_point_triangle(sphere.center, &a);
    answers_add(closest.sqdist);
    answers_add_vec(closest.b);
    answers_add_vec(cd_vec3_normalize(a.a));
    answers_add_vec(cd_vec3_cross(a.a, a.b));
    answers_add(cd_vec3_dot(a.a, a.b));
    answers_add_vec(cd_transform_point(&pose, a.c));
    answers_add_hit(cd_cast_ray_triangle(&ray, CD_REAL_MAX, &a, NULL, &hit), &hit);
    answers_add_hit(cd_cast_ray_sphere(&ray, CD_REAL_MAX, sphere, NULL, &hit), &hit);
    answers_add_hit(cd_cast_ray_obb(&ray, CD_REAL_MAX, &box, NULL, &hit), &hit);
    answers_add_vec(cd_closest_pt_point_obb(a.b, &box));
    answers_add(cd_test_sphere_triangle(sphere, &a));
    answers_add(cd_test_triangle_obb(&a, &box));
    if (cd_intersect_triangle_triangle(&a, &b, &cut)) {
        for (uint32_t i = 0; i < cut.count; ++i) answers_add_vec(cut.points[i]);
    }
}

int main(void) {
    for (int i = 0; i < 20000; ++i) answers_round(i % 2 == 0);
    printf("selftest %u answers %016llx\n", (unsigned)cd_selftest(), (unsigned long long)answers_hash);
    return 0;
}
