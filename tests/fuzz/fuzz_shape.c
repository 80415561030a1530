/* The shapes: those that are valid have a box that holds their farthest points, moved or not; other forms of boxes hold what they come from. */
#include "fuzz.h"
#include <math.h>
#include <string.h>

/* The farthest point along a direction, in the box but for rounding. */
static void in_box(const fuzz *f, cd_aabb box, cd_vec3 p) {
    double size = 0;
    if (!f->tame || !cd_vec3_is_valid(p)) return;
    for (int k = 0; k < 6; ++k) size = fmax(size, fabs((double)(&box.min.x)[k]));
    size *= 1e-5;
    for (int k = 0; k < 3; ++k) {
        CHECK((double)REALS(p)[k] >= (double)REALS(box.min)[k] - size);
        CHECK((double)REALS(p)[k] <= (double)REALS(box.max)[k] + size);
    }
}

static void round_ones(fuzz *f) {
    cd_capsule c = fuzz_capsule(f);
    cd_cylinder y;
    cd_cone o;
    cd_disc d;
    cd_torus t;
    cd_ellipsoid e;
    cd_tapered_capsule g;
    cd_transform pose = fuzz_pose(f);
    cd_vec3 dir = fuzz_vec(f);
    bool can = cd_transform_is_valid(&pose) && f->mood != FUZZ_BITS;
    y.a = c.a, y.b = c.b, y.radius = c.radius;
    o.apex = c.a, o.base = c.b, o.radius = c.radius;
    d.center = c.a, d.normal = c.b, d.radius = c.radius;
    t.center = c.a, t.axis = dir, t.major = fuzz_length(f), t.minor = c.radius;
    e.center = c.a, e.axes = cd_quat_to_mat3(pose.rotation),
    e.half = cd_vec3_make(c.radius, t.major, fuzz_length(f));
    g.a = c.a, g.b = c.b, g.radius_a = c.radius, g.radius_b = t.major;
    FUZZ_NOTE(c);
    FUZZ_NOTE(pose);
    FUZZ_NOTE(dir);
    FUZZ_NOTE(e);
    for (int moved = 0; moved < 2; ++moved) {
        if (cd_capsule_is_valid(&c)) in_box(f, cd_aabb_from_capsule(&c), cd_capsule_support(&c, dir));
        if (cd_cylinder_is_valid(&y)) in_box(f, cd_aabb_from_cylinder(&y), cd_cylinder_support(&y, dir));
        if (cd_cone_is_valid(&o)) in_box(f, cd_aabb_from_cone(&o), cd_cone_support(&o, dir));
        if (cd_disc_is_valid(&d)) in_box(f, cd_aabb_from_disc(&d), cd_disc_support(&d, dir));
        if (cd_torus_is_valid(&t)) in_box(f, cd_aabb_from_torus(&t), cd_torus_support(&t, dir));
        if (cd_ellipsoid_is_valid(&e)) in_box(f, cd_aabb_from_ellipsoid(&e), cd_ellipsoid_support(&e, dir));
        if (cd_tapered_capsule_is_valid(&g))
            in_box(f, cd_aabb_from_tapered_capsule(&g), cd_tapered_capsule_support(&g, dir));
        if (f->finite) {
            CHECK(!(cd_capsule_volume(&c) < 0) && !(cd_cylinder_volume(&y) < 0) && !(cd_cone_volume(&o) < 0));
            CHECK(!(cd_ellipsoid_volume(&e) < 0) && !(cd_tapered_capsule_volume(&g) < 0) &&
                  !(cd_torus_volume(&t) < 0));
        }
        c = cd_capsule_transform(&c, &pose);
        y = cd_cylinder_transform(&y, &pose);
        o = cd_cone_transform(&o, &pose);
        d = cd_disc_transform(&d, &pose);
        t = cd_torus_transform(&t, &pose);
        e = cd_ellipsoid_transform(&e, &pose);
        g = cd_tapered_capsule_transform(&g, &pose);
        if (!can) return;
    }
}

static bool contains(cd_aabb a, cd_aabb b) {
    return a.min.x <= b.min.x && a.min.y <= b.min.y && a.min.z <= b.min.z && a.max.x >= b.max.x &&
           a.max.y >= b.max.y && a.max.z >= b.max.z;
}

static void boxes(fuzz *f) {
    cd_aabb b = fuzz_aabb(f), frame = fuzz_aabb(f);
    cd_aabb_mw mw = cd_aabb_mw_from_aabb(b);
    cd_aabb_cr cr = cd_aabb_cr_from_aabb(b);
    cd_aabb_q16 q16 = cd_aabb_q16_from_aabb(b, frame);
    cd_aabb_q8 q8 = cd_aabb_q8_from_aabb(b, frame);
    cd_aabb_int whole = cd_aabb_int_from_aabb(b);
    cd_aabb back[2];
    cd_obb o = fuzz_obb(f), again;
    cd_obb_quat quat;
    cd_obb_corner corner;
    cd_obb12 small;
    cd_plane planes[6];
    FUZZ_NOTE(b);
    FUZZ_NOTE(frame);
    FUZZ_NOTE(o);
    back[0] = cd_aabb_from_mw(&mw);
    back[1] = cd_aabb_from_cr(&cr);
    if (cd_aabb_is_valid(b) && f->tame) {
        CHECK(contains(back[0], b) && contains(back[1], b));
        back[0] = cd_aabb_from_int(&whole);
        if (cd_aabb_is_valid(frame) && contains(frame, b)) {
            back[0] = cd_aabb_from_q16(&q16, frame);
            back[1] = cd_aabb_from_q8(&q8, frame);
            CHECK(contains(back[0], b) && contains(back[1], b));
        }
    }
    cd_obb_to_quat(&o, &quat);
    if (cd_obb_from_quat(&quat, &again)) CHECK(!f->finite || cd_obb_is_valid(&again));
    cd_obb_to_corner(&o, &corner);
    if (cd_obb_from_corner(&corner, &again)) CHECK(!f->finite || cd_obb_is_valid(&again));
    cd_obb_to_obb12(&o, &small);
    cd_obb_from_obb12(&small, &again);
    cd_obb_to_planes(&o, planes);
    cd_obb_from_planes(planes, &again);
    cd_obb_volume(&o);
    cd_obb_surface_area(&o);
}

static void regions(fuzz *f) {
    cd_triangle t = fuzz_triangle(f);
    cd_vec3 p = fuzz_vec(f), w;
    cd_tetrahedron q;
    cd_plane plane;
    FUZZ_NOTE(t);
    FUZZ_NOTE(p);
    q.a = t.a, q.b = t.b, q.c = t.c, q.d = fuzz_vec(f);
    cd_voronoi_region_triangle(p, &t);
    cd_voronoi_region_tetrahedron(p, q.a, q.b, q.c, q.d);
    cd_is_convex_quad(q.a, q.b, q.c, q.d);
    if (cd_barycentric(&t, p, &w) && f->tame)
        CHECK_NEAR((double)w.x + (double)w.y + (double)w.z, 1,
                   1e-3 * (1 + fabs((double)w.x) + fabs((double)w.y)));
    if (cd_triangle_normal(&t, &w)) {
        CHECK(cd_triangle_is_valid(&t));
        CHECK_NEAR(cd_vec3_length(w), 1, 1e-5);
    }
    if (cd_plane_from_triangle(&t, &plane))
        CHECK(cd_triangle_is_valid(&t) && (!f->tame || cd_plane_is_valid(&plane)));
    if (f->finite) CHECK(cd_triangle_area(&t) >= 0);
}

void fuzz_shape(test_rng *r) {
    static void (*const what[3])(fuzz * f) = {round_ones, boxes, regions};
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    test_note("");
    what[test_int(r, 0, 2)](&f);
}
