/* Bad numbers through every function of the interface: nothing crashes, and finite input never gives NaN.
 *
 * The sanitizer lanes watch over it; casts, predicates, triangles and trees have cases of their own beside this. */
#include "any_things.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 32 };

typedef struct draw {
    cd_real x[N];
    bool finite;
    int used;
} draw;

/* Numbers, some of them bad; only finite ones when asked. */
static draw draw_numbers(test_rng *rng, bool finite) {
    draw d;
    d.finite = finite;
    d.used = 0;
    for (int i = 0; i < N; ++i) {
        do {
            d.x[i] = test_int(rng, 0, 1) ? (cd_real)test_range(rng, -2, 2)
                                         : (cd_real)gen_bad_numbers[test_int(rng, 0, gen_bad_count - 1)];
        } while (finite && !isfinite((double)d.x[i]));
    }
    test_note("");
    test_note_reals("x", d.x, N);
    return d;
}

static cd_real real_of(draw *d) {
    return d->x[d->used++ % N];
}

static cd_vec3 vec_of(draw *d) {
    cd_vec3 v;
    v.x = real_of(d);
    v.y = real_of(d);
    v.z = real_of(d);
    return v;
}

static cd_triangle triangle_of(draw *d) {
    cd_triangle t;
    t.a = vec_of(d);
    t.b = vec_of(d);
    t.c = vec_of(d);
    return t;
}

static cd_quat quat_of(draw *d) {
    cd_quat q;
    q.x = real_of(d);
    q.y = real_of(d);
    q.z = real_of(d);
    q.w = real_of(d);
    return q;
}

static cd_aabb box_of(draw *d) {
    cd_vec3 a = vec_of(d), b = vec_of(d);
    cd_aabb box;
    box.min = cd_vec3_min(a, b);
    box.max = cd_vec3_max(a, b);
    return box;
}

/* A number of the result; NaN is wrong when all input was finite. */
#define SOUND(x) CHECK(!d.finite || !isnan((double)(x)))
#define SOUND_VEC(v)                                                                                         \
    CHECK(!d.finite || (!isnan((double)(v).x) && !isnan((double)(v).y) && !isnan((double)(v).z)))

static void vectors(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 a = vec_of(&d), b = vec_of(&d), unit;
        cd_vec2 p = cd_vec2_make(a.x, a.y), q = cd_vec2_make(b.x, b.y);
        SOUND(cd_vec3_length(a));
        SOUND(cd_vec3_dist(a, b));
        SOUND(cd_vec3_sqlength(a));
        SOUND(cd_vec2_length(p));
        unit = cd_vec3_normalize(a);
        SOUND_VEC(unit);
        CHECK(!d.finite || (a.x == 0 && a.y == 0 && a.z == 0) ||
              fabs((double)cd_vec3_length(unit) - 1.0) < 1e-6);
        SOUND(cd_vec2_normalize(p).x);
        cd_vec2_dot(p, q); /* differences of products may be infinity minus infinity outside the domain */
        cd_vec2_cross(p, q);
        cd_vec3_dot(a, b);
        cd_vec3_cross(a, b);
        cd_vec3_lerp(a, b, real_of(&d));
        cd_triple(a, b, vec_of(&d));
        CHECK(cd_vec3_is_valid(a) || !d.finite);
    }
}

static void plane_and_four_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 a = vec_of(&d), b = vec_of(&d);
        cd_vec2 p = cd_vec2_make(a.x, a.y), q = cd_vec2_make(b.x, b.y);
        cd_vec4 u = cd_vec4_make(a.x, a.y, a.z, b.x), v = cd_vec4_make(b.y, b.z, a.z, b.x);
        cd_quat r = quat_of(&d);
        cd_mat3 m = cd_mat3_from_columns(a, b, a);
        cd_world_pose pose;
        SOUND(cd_vec2_dist(p, q));
        SOUND(cd_vec2_sqlength(p));
        SOUND(cd_vec2_perp(p).x);
        SOUND(cd_vec2_neg(q).y);
        SOUND(cd_vec4_length(u));
        SOUND(cd_vec4_add(u, v).x);
        SOUND(cd_vec4_sub(u, v).w);
        SOUND(cd_vec4_scale(u, b.z).y);
        cd_vec4_dot(u, v);
        cd_vec2_lerp(p, q, b.z);
        pose.rotation = r;
        pose.position[0] = pose.position[1] = pose.position[2] = (double)b.x;
        CHECK(!d.finite || (cd_vec2_is_valid(p) && cd_vec4_is_valid(u) && cd_quat_is_valid(r) &&
                            cd_mat3_is_valid(&m) && cd_world_pose_is_valid(&pose)));
    }
}

static void tolerances(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 v = vec_of(&d), w = vec_of(&d);
        cd_real a = real_of(&d), b = real_of(&d), s = real_of(&d), t = real_of(&d);
        CHECK_INT(cd_nearly_equal_abs(a, b, s), cd_nearly_equal_abs(b, a, s));
        CHECK_INT(cd_nearly_equal_rel(a, b, s), cd_nearly_equal_rel(b, a, s));
        CHECK_INT(cd_nearly_equal(a, b, s, t), cd_nearly_equal(b, a, s, t));
        CHECK_INT(cd_nearly_equal_ulps(a, b, 9), cd_ulps_between(a, b) <= 9);
        CHECK_INT(cd_vec3_nearly_equal(v, w, s, t), cd_vec3_nearly_equal(w, v, s, t));
        CHECK(a == a ? cd_nearly_equal(a, a, s, t) : !cd_nearly_equal(a, a, s, t));
        CHECK(!cd_is_finite(a) || (cd_next_up(a) > a && cd_next_down(a) < a));
    }
}

static cd_interval interval_of(draw *d) {
    cd_interval a;
    a.lo = real_of(d);
    a.hi = real_of(d);
    return a;
}

/* No NaN comes out, whatever goes in. */
static void intervals(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_interval a = interval_of(&d), b = interval_of(&d), r[14];
        cd_interval3 u, v, w[4];
        u.x = interval_of(&d);
        u.y = interval_of(&d);
        u.z = interval_of(&d);
        v = cd_interval3_from_vec3(vec_of(&d));
        r[0] = cd_interval_add(a, b);
        r[1] = cd_interval_sub(a, b);
        r[2] = cd_interval_mul(a, b);
        r[3] = cd_interval_div(a, b);
        r[4] = cd_interval_neg(a);
        r[5] = cd_interval_sqr(a);
        r[6] = cd_interval_sqrt(a);
        r[7] = cd_interval_abs(a);
        r[8] = cd_interval_min(a, b);
        r[9] = cd_interval_max(a, b);
        r[10] = cd_interval_hull(a, b);
        r[11] = cd_interval_intersect(a, b);
        r[12] = cd_interval3_dot(&u, &v);
        r[13] = cd_interval3_sqlength(&u);
        w[0] = cd_interval3_add(&u, &v);
        w[1] = cd_interval3_sub(&u, &v);
        w[2] = cd_interval3_scale(&u, a);
        w[3] = cd_interval3_cross(&u, &v);
        for (int k = 0; k < 14; ++k) CHECK(cd_interval_is_valid(r[k]) || cd_interval_is_empty(r[k]));
        for (int k = 0; k < 24; ++k) CHECK(!isnan((double)REALS(w[0])[k]));
        CHECK(!isnan((double)cd_interval_width(a)) && cd_is_finite(cd_interval_middle(a)));
        CHECK(abs((int)cd_interval_less(a, b)) + abs((int)cd_interval_less_equal(a, b)) +
                  abs((int)cd_interval_equal(a, b)) + abs((int)cd_interval_sign(a)) <=
              4);
        cd_interval_contains(a, b.lo);
    }
}

/* Any whole numbers: the sanitizers watch for overflow. */
static void integers(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        int64_t x[4];
        cd_ivec2 p[4];
        cd_int128 a, b;
        cd_segment_cut2 cut;
        for (int k = 0; k < 4; ++k) {
            int what = test_int(&rng, 0, 4);
            uint64_t bits = test_next(&rng);
            x[k] = what == 0   ? INT64_MIN
                   : what == 1 ? INT64_MAX
                   : what == 2 ? test_int(&rng, -1, 1)
                               : (int64_t)(bits >> 1) - (int64_t)(bits >> 2);
            p[k].x = what == 0 ? INT32_MIN : what == 1 ? INT32_MAX : (int32_t)(x[k] % INT32_MAX);
            p[k].y = (int32_t)((x[k] / 3) % INT32_MAX);
        }
        a.lo = (uint64_t)x[0];
        a.hi = x[1];
        b = cd_int128_mul_int64(x[2], x[3]);
        CHECK(!cd_int128_compare(cd_int128_sub(cd_int128_add(a, b), b), a));
        CHECK(!cd_int128_sign(cd_int128_add(a, cd_int128_neg(a))));
        CHECK(!isnan(cd_int128_to_double(a)));
        CHECK(!cd_int128_compare(cd_int128_from_int64(x[0]), cd_int128_mul_int64(x[0], 1)));
        CHECK_INT(cd_compare_fractions(x[0], x[1], x[2], x[3]),
                  -cd_compare_fractions(x[2], x[3], x[0], x[1]));
        CHECK_INT(cd_orient2d_int(p[0], p[1], p[2]), cd_orient2d_int(p[1], p[2], p[0]));
        CHECK_INT(cd_intersect_2d_segment_segment_exact(p[0], p[1], p[2], p[3], &cut),
                  cd_test_2d_segment_segment_exact(p[0], p[1], p[2], p[3]));
    }
}

static bool is_unit(cd_quat q) {
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += (double)REALS(q)[k] * (double)REALS(q)[k];
    return fabs(sum - 1.0) < 1e-6;
}

/* Systems, eigenvectors and angles; suites of their own ask more. */
static void linear_algebra(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 b = vec_of(&d), column = vec_of(&d), x;
        cd_mat3 m = cd_mat3_from_columns(b, column, vec_of(&d)), n;
        cd_mat2 m2 = cd_mat2_from_columns(cd_vec2_make(b.x, b.y), cd_vec2_make(m.col[0].x, m.col[0].y)), n2;
        cd_vec2 x2;
        cd_quat p = quat_of(&d), q = quat_of(&d);
        cd_real angle = real_of(&d), s, c;
        cd_eigen e;
        if (cd_solve3(&m, b, &x)) SOUND_VEC(x);
        if (cd_solve2(&m2, cd_vec2_make(b.z, b.x), &x2))
            CHECK(!d.finite || (!isnan((double)x2.x) && !isnan((double)x2.y)));
        if (cd_mat2_inverse(&m2, &n2)) SOUND(n2.col[0].x);
        if (cd_eigen_jacobi(&m, &e)) CHECK(cd_mat3_is_rotation(&e.vector, 0) && e.value[0] >= e.value[2]);
        if (cd_eigen_cubic(&m, &e)) CHECK(cd_mat3_is_rotation(&e.vector, 0) && e.value[0] >= e.value[2]);
        cd_sincos(angle, &s, &c);
        SOUND(s);
        SOUND(c);
        CHECK(isfinite((double)angle) || (isnan((double)s) && isnan((double)c)));
        CHECK(is_unit(cd_quat_from_axis_angle(b, angle)));
        CHECK(!d.finite || is_unit(cd_quat_from_axis(b, angle, b.x)));
        CHECK(!d.finite || is_unit(cd_quat_slerp(p, q, angle)));
        CHECK(!d.finite || is_unit(cd_quat_nlerp(p, q, angle)));
        n = cd_mat3_from_axis_angle(b, angle);
        CHECK(cd_mat3_is_rotation(&n, 0));
        n = cd_mat3_add(&m, &m);
        n = cd_mat3_sub(&n, &m);
        n = cd_mat3_scale(&n, angle);
        n = cd_mat3_outer(b, m.col[0]);
        n = cd_mat3_skew(b);
        n = cd_mat3_diagonal(b);
        cd_mat3_trace(&n);
        CHECK(cd_mat3_is_valid(&m) || !d.finite);
        n2 = cd_mat2_mul(&m2, &m2);
        n2 = cd_mat2_transpose(&n2);
        x2 = cd_mat2_mul_vec(&n2, cd_vec2_make(b.z, b.x));
        cd_mat2_determinant(&m2);
    }
}

static void poses(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_quat q = quat_of(&d), r = quat_of(&d), n = cd_quat_normalize(q);
        cd_mat3 m = cd_quat_to_mat3(q), inverse;
        cd_transform t, u;
        cd_world_pose a, b;
        t.rotation = q;
        t.position = vec_of(&d);
        u.rotation = r;
        u.position = vec_of(&d);
        SOUND(n.x);
        CHECK(!d.finite || fabs((double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z +
                                (double)n.w * n.w - 1.0) < 1e-6);
        for (int k = 0; k < 3; ++k) SOUND_VEC(m.col[k]);
        CHECK(!d.finite || cd_mat3_is_rotation(&m, 0));
        CHECK(!d.finite || cd_transform_is_valid(&t));
        SOUND(cd_quat_from_to(t.position, u.position).w);
        SOUND(cd_quat_from_mat3(&m).w);
        SOUND(cd_transform_mul(&t, &u).rotation.w);
        SOUND(cd_transform_inverse(&t).rotation.w);
        SOUND(cd_transform_relative(&t, &u).rotation.w);
        memset(&a, 0, sizeof a);
        b = a;
        a.rotation = q;
        b.position[0] = (double)real_of(&d);
        SOUND(cd_relative(&a, &b).rotation.x);
        cd_mat3_inverse(&m, &inverse);
        cd_transform_point(&t, u.position);
    }
}

static void shapes(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_triangle t = triangle_of(&d);
        cd_aabb box = box_of(&d), round;
        cd_obb o = cd_obb_from_aabb(box);
        cd_sphere s;
        cd_plane plane;
        cd_transform pose;
        cd_vec3 n, corner[8];
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        if (cd_triangle_normal(&t, &n)) CHECK(fabs((double)cd_vec3_length(n) - 1.0) < 1e-6);
        if (cd_plane_from_points(t.a, t.b, t.c, &plane)) SOUND_VEC(plane.n);
        if (cd_plane_from_triangle(&t, &plane)) SOUND_VEC(plane.n);
        plane.n = t.a;
        plane.d = s.radius;
        plane = cd_plane_normalize(plane);
        SOUND_VEC(plane.n);
        SOUND(plane.d);
        pose.rotation = quat_of(&d);
        pose.position = t.b;
        cd_plane_transform(plane, &pose); /* as cd_vec3_dot, outside the domain */
        cd_line_through(t.a, t.b);
        SOUND(cd_triangle_area(&t));
        SOUND_VEC(o.half);
        round = cd_aabb_from_sphere(s);
        SOUND_VEC(round.min);
        round = cd_aabb_from_obb(&o);
        SOUND_VEC(round.max);
        cd_obb_to_vertices(&o, corner);
        cd_aabb_from_points(corner, 8);
    }
}

/* Bodies of finite numbers have finite properties, or none. */
static void masses(void) {
    static const uint32_t faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 v[4];
        cd_aabb box;
        cd_obb turned;
        cd_sphere s;
        cd_transform pose;
        cd_mass m[4];
        cd_mesh_view mesh;
        for (int k = 0; k < 4; ++k) v[k] = vec_of(&d);
        mesh = cd_mesh_view_make(v, 4, faces, 4);
        box = box_of(&d);
        turned = cd_obb_from_aabb(box);
        s.center = v[1];
        s.radius = real_of(&d);
        pose.rotation = quat_of(&d);
        pose.position = v[2];
        m[0] = cd_mass_from_tetrahedron(v[0], v[1], v[2], v[3]);
        m[1] = cd_mass_from_sphere(s);
        m[2] = cd_mass_from_aabb(box);
        m[3] = cd_mass_from_obb(&turned);
        for (int k = 0; k < 4; ++k) {
            for (int n = 0; n < 13; ++n) CHECK(isfinite(((double *)(void *)&m[k])[n]));
        }
        cd_mass_properties_shell(&mesh, &m[0]);
        for (int n = 0; n < 13; ++n) CHECK(isfinite(((double *)(void *)&m[0])[n]));
        m[1] = cd_mass_add(&m[1], &m[2]); /* beyond the range anything may come */
        m[1] = cd_mass_transform(&m[1], &pose);
        cd_mass_inertia_at(&m[1], v[3]);
        cd_mass_principal(&m[1], NULL, NULL);
        cd_mass_is_valid(&m[1]);
    }
}

static void regions_and_convexity(void) {
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_triangle t = triangle_of(&d);
        cd_vec3 v[4], p = vec_of(&d), w = {0, 0, 0};
        cd_vec2 flat[4];
        cd_aabb box = box_of(&d);
        cd_obb o = cd_obb_from_aabb(box);
        cd_segment s;
        memcpy(v, &t, sizeof t);
        v[3] = vec_of(&d);
        for (int k = 0; k < 4; ++k) flat[k] = cd_vec2_make(v[k].x, v[k].y);
        s.a = v[0];
        s.b = v[3];
        if (cd_barycentric(&t, p, &w)) CHECK(cd_vec3_is_valid(w));
        if (cd_barycentric_projected(&t, p, &w)) CHECK(cd_vec3_is_valid(w));
        if (cd_barycentric2d(flat[0], flat[1], flat[2], flat[3], &w)) CHECK(cd_vec3_is_valid(w));
        CHECK((cd_voronoi_region_segment(p, &s) != 0) ==
              (cd_vec3_is_valid(p) && cd_vec3_is_valid(v[0]) && cd_vec3_is_valid(v[3])));
        CHECK(cd_voronoi_region_triangle(p, &t) || !d.finite);
        cd_voronoi_region_aabb(p, box);
        cd_voronoi_region_obb(p, &o);
        cd_voronoi_region_tetrahedron(p, v[0], v[1], v[2], v[3]);
        cd_voronoi_region_polyhedron(p, v, 4, faces, 4);
        cd_is_convex_quad(v[0], v[1], v[2], v[3]);
        cd_is_convex_polygon(flat, 4);
        cd_is_convex_polygon3(v, 4);
        CHECK(
            cd_is_convex_polyhedron(v, 4, faces, 4, NULL, NULL) ==
            (cd_orient3d(v[0], v[1], v[2], v[3]) < 0 && cd_triangle_is_valid(&t) && cd_vec3_is_valid(v[3])));
    }
}

static void hulls_in_the_plane(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec2 v[16], p[16];
        cd_minkowski_corner2 c[20];
        uint32_t hull[16];
        size_t count, n;
        memcpy(v, d.x, sizeof v);
        if (!CHECK(cd_hull2_andrew(v, 16, hull, &count) == CD_OK || !d.finite)) continue;
        for (size_t k = 0; k < count; ++k) p[k] = v[hull[k]];
        CHECK_INT(cd_hull2_quickhull(v, 16, hull, &n), count ? CD_OK : CD_INVALID_ARGUMENT);
        CHECK_INT(n, count);
        for (size_t k = 0; k < count; ++k) CHECK(hull[k] < 16 && p[k].x == v[hull[k]].x);
        if (cd_minkowski_sum2(v, 4, p, count, c, 20, &n) == CD_OK) {
            for (size_t k = 0; k < n; ++k)
                CHECK(isfinite((double)c[k].position.x) && isfinite((double)c[k].position.y));
        }
        cd_minkowski_difference2(p, count, v, 3, c, 20, &n);
        CHECK(count == 0 || cd_minkowski_locate_origin2(p, count, p, count) == (count < 3 ? 0 : 1));
        cd_minkowski_locate_origin2(v, 3, p, count);
    }
}

static void closest_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_triangle t = triangle_of(&d);
        cd_vec3 p = vec_of(&d), q;
        cd_aabb box = box_of(&d);
        cd_obb o = cd_obb_from_aabb(box);
        cd_segment s;
        cd_plane plane;
        cd_closest c;
        s.a = t.a;
        s.b = t.b;
        plane.n = t.c;
        plane.d = real_of(&d);
        q = cd_closest_pt_point_segment(p, &s);
        SOUND_VEC(q);
        SOUND(cd_sqdist_point_segment(p, &s));
        c = cd_closest_pts_point_triangle(p, &t);
        SOUND(c.sqdist);
        SOUND_VEC(c.b);
        SOUND(c.s + c.t);
        q = cd_closest_pt_point_aabb(p, box);
        SOUND_VEC(q);
        SOUND(cd_sqdist_point_aabb(p, box));
        q = cd_closest_pt_point_obb(p, &o);
        SOUND_VEC(q);
        SOUND(cd_sqdist_point_obb(p, &o));
        if (cd_plane_is_valid(&plane)) {
            q = cd_closest_pt_point_plane(p, plane);
            SOUND_VEC(q);
            SOUND(cd_dist_point_plane(p, plane));
        }
    }
}

static void linear_programs(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 3) > 0);
        cd_plane h[6];
        cd_halfspace2 g[6];
        cd_lp2 p;
        cd_lp3 q;
        cd_interior2 r;
        cd_interior3 s;
        for (int k = 0; k < 6; ++k) {
            h[k].n = vec_of(&d);
            h[k].d = real_of(&d);
            g[k].n = cd_vec2_make(h[k].n.x, h[k].n.y);
            g[k].d = h[k].d;
        }
        CHECK(cd_lp_seidel2(g, 6, cd_vec2_make(d.x[30], d.x[31]), NULL, &p) == CD_OK || !d.finite);
        CHECK(cd_lp_seidel3(h, 6, vec_of(&d), NULL, &q) == CD_OK || !d.finite);
        CHECK(cd_halfplanes_interior_point(g, 6, NULL, &r) == CD_OK || !d.finite);
        CHECK(cd_halfspaces_interior_point(h, 6, NULL, &s) == CD_OK || !d.finite);
        CHECK(isfinite((double)(p.point.x + p.ray.y)) && cd_vec3_is_valid(q.point) &&
              cd_vec3_is_valid(q.ray));
        CHECK(isfinite((double)r.point.x) && isfinite((double)r.margin) && cd_vec3_is_valid(s.point));
    }
}

static void oriented_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_obb o = cd_obb_from_aabb(box_of(&d)), p = cd_obb_from_aabb(box_of(&d)), q;
        cd_transform pose = cd_transform_identity();
        cd_vec3 v[8], w[8];
        cd_plane planes[6];
        cd_slab slabs[3];
        cd_obb_corner corner;
        cd_obb_quat turned;
        cd_obb12 twelve;
        cd_bound2 m, n;
        cd_segment s;
        pose.position = vec_of(&d);
        s.a = vec_of(&d);
        s.b = vec_of(&d);
        m = cd_bound2_make(&o);
        n = cd_bound2_make(&p);
        cd_obb_to_vertices(&o, v);
        cd_obb_to_vertices(&p, w);
        cd_obb_to_planes(&o, planes);
        cd_slabs_from_obb(&o, slabs);
        cd_obb_to_corner(&o, &corner);
        cd_obb_to_quat(&o, &turned);
        cd_obb_to_obb12(&o, &twelve);
        cd_obb_from_vertices(v, &q);
        SOUND_VEC(q.half);
        cd_obb_from_planes(planes, &q);
        SOUND_VEC(q.half);
        cd_obb_from_slabs(slabs, &q);
        SOUND_VEC(q.half);
        cd_obb_from_corner(&corner, &q);
        SOUND_VEC(q.half);
        cd_obb_from_quat(&turned, &q);
        SOUND_VEC(q.half);
        cd_obb_from_obb12(&twelve, &q);
        SOUND_VEC(q.half);
        q = cd_merge_obb_obb(&o, &p);
        SOUND_VEC(q.center);
        SOUND_VEC(q.half);
        SOUND_VEC(cd_obb_support(&o, s.a));
        SOUND(cd_obb_surface_area(&p));
        cd_test_obb_obb_vertices(v, w);
        cd_test_obb_obb_upright(&o, &p, 2);
        cd_test_obb_plane(&o, planes[1]);
        cd_test_segment_obb(&s, &o);
        cd_test_polygon_obb(w, 8, &o);
        cd_test_obb_obb_relative(&o, &p, &pose);
        cd_test_bound2_bound2(&m, &pose, &n, &pose, 1);
        cd_test_bound2_bound2_relative(&m, &n, &pose);
        if (d.finite) CHECK(cd_test_obb_obb(&o, &o) && cd_test_obb_obb_fast(&o, &o));
        CHECK_INT(cd_test_obb_obb(&o, &p), cd_test_obb_obb(&p, &o));
    }
}

static void fitted_boxes(void) {
    static const cd_obb_search_options few = {3, 2, 2, 1};
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 v[5];
        cd_vec2 flat[5];
        cd_obb box[5];
        cd_obb2 rect[2];
        for (int k = 0; k < 5; ++k) {
            v[k] = vec_of(&d);
            flat[k] = cd_vec2_make(v[k].x, v[k].y);
            box[k].axes = cd_mat3_from_columns(v[0], vec_of(&d), v[k]);
        }
        cd_obb_from_points(v, 5, &box[0]);
        cd_obb_barequet(v, 5, &box[1]);
        cd_obb_refine(v, 5, NULL, &box[2]);
        cd_obb_brute_force(v, 5, &few, &box[3]);
        cd_obb_optimize(v, 5, &few, &box[4]);
        cd_min_area_rect(flat, 5, NULL, &rect[0]);
        cd_min_area_rect_calipers(flat, 5, NULL, &rect[1]);
        for (int k = 0; k < 5; ++k) CHECK(cd_obb_is_valid(&box[k]) || !d.finite);
        for (int k = 0; k < 2; ++k)
            CHECK(isfinite((double)rect[k].half.x) && isfinite((double)rect[k].half.y));
    }
}

/* NaN anywhere: no test says yes. */
static void nothing_meets_nan(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        draw d = draw_numbers(&rng, true);
        cd_triangle t = triangle_of(&d), u = triangle_of(&d);
        cd_aabb box = box_of(&d), unit = {{-1, -1, -1}, {1, 1, 1}};
        cd_sphere s;
        cd_obb o = cd_obb_from_aabb(unit), other = o;
        cd_segment g;
        cd_plane plane;
        cd_interval3 inner;
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        g.a = u.a;
        g.b = u.b;
        REALS(t)[test_int(&rng, 0, 8)] = (cd_real)NAN;
        REALS(s)[test_int(&rng, 0, 3)] = (cd_real)NAN;
        REALS(box)[test_int(&rng, 0, 5)] = (cd_real)NAN;
        REALS(o)[test_int(&rng, 0, 14)] = (cd_real)NAN;
        CHECK(!cd_test_triangle_triangle(&t, &u) && !cd_test_triangle_triangle(&u, &t));
        CHECK(!cd_test_segment_triangle(&g, &t));
        CHECK(!cd_test_triangle_aabb(&t, unit) && !cd_test_triangle_aabb(&u, box));
        CHECK(!cd_test_triangle_obb(&t, &other) && !cd_test_triangle_obb(&u, &o));
        CHECK(!cd_test_sphere_triangle(s, &u) && !cd_test_sphere_sphere(s, s) &&
              !cd_test_sphere_aabb(s, unit));
        CHECK(!cd_test_sphere_obb(s, &other) && !cd_test_obb_obb(&o, &other) && !cd_test_obb_obb(&other, &o));
        CHECK(!cd_test_aabb_aabb(box, unit) && !cd_test_aabb_aabb(unit, box));
        CHECK(!cd_test_point_sphere(u.a, s) && cd_locate_point_sphere(u.a, s) == -1);
        CHECK(cd_locate_point_aabb(t.a, box) == -1 && cd_locate_point_aabb(u.a, box) == -1);
        plane.n = t.a;
        plane.d = s.radius;
        if (!cd_plane_is_valid(&plane))
            CHECK(cd_locate_point_plane(u.a, plane) == -1 && !cd_test_segment_plane(&g, plane));
        CHECK_SAME(cd_insphere(t.a, t.b, t.c, u.a, u.b), 0);
        inner = cd_interval3_from_vec3(s.center);
        cd_test_sphere_sphere_interval(&inner, cd_interval_from_value(s.radius), &inner,
                                       cd_interval_make(box.min.x, 1));
    }
}

/* ---- axis-aligned boxes ---- */

static cd_aabb aabb_of(draw *d) {
    cd_vec3 p = vec_of(d), q = vec_of(d);
    cd_aabb b;
    b.min = cd_vec3_min(p, q);
    b.max = cd_vec3_max(p, q);
    return b;
}

static bool box_has_nan(cd_aabb b) {
    for (int k = 0; k < 6; ++k) {
        if (isnan((double)REALS(b)[k])) return true;
    }
    return false;
}

static void boxes_of_bad_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        bool finite = test_int(&rng, 0, 1) != 0;
        draw d = draw_numbers(&rng, finite);
        cd_aabb b = aabb_of(&d), c = aabb_of(&d), frame = aabb_of(&d), turned;
        cd_aabb_mw mw = cd_aabb_mw_from_aabb(b), nw = cd_aabb_mw_from_aabb(c);
        cd_aabb_cr cr = cd_aabb_cr_from_aabb(b), ds = cd_aabb_cr_from_aabb(c), spun;
        cd_aabb_q16 q = cd_aabb_q16_from_aabb(b, frame);
        cd_aabb_q8 r = cd_aabb_q8_from_aabb(b, frame);
        cd_aabb_int n = cd_aabb_int_from_aabb(b);
        cd_aabb_cr_q16 steps;
        cd_vec3 p[4];
        cd_transform t;
        cd_sphere s;
        size_t least, most;
        cd_plane plane;
        t.rotation = quat_of(&d);
        t.position = vec_of(&d);
        for (int k = 0; k < 4; ++k) p[k] = vec_of(&d);
        plane.n = p[0];
        plane.d = p[1].x;
        turned = cd_aabb_transform(b, &t);
        spun = cd_aabb_cr_transform(&cr, &t);
        cd_test_aabb_aabb_order(b, c, 3);
        cd_aabb_support(b, p[0]);
        cd_aabb_closest_vertex(b, p[0]);
        cd_test_aabb_plane(b, plane);
        cd_test_polygon_plane(p, 4, plane);
        cd_test_polygon_aabb(p, 4, b);
        cd_extreme_points_along_direction(p, 4, t.position, &least, &most);
        if (cd_aabb_cr_q16_from_cr(&cr, p[2].x, &steps)) cd_aabb_cr_from_q16(&steps, p[2].x);
        CHECK(!box_has_nan(cd_aabb_from_q16(&q, frame)) && !box_has_nan(cd_aabb_from_q8(&r, frame)) &&
              !box_has_nan(cd_aabb_from_int(&n)) && !box_has_nan(turned) && !isnan((double)spun.half.x));
        if (cd_sphere_from_pivot(p, 4, t.position, &s) == CD_OK) CHECK(cd_sphere_is_valid(s));
        if (!finite) continue;
        CHECK_INT(cd_test_aabb_aabb(b, c) && !cd_test_aabb_aabb_mw(&mw, &nw), 0);
        CHECK_INT(cd_test_aabb_aabb(b, c) && !cd_test_aabb_aabb_cr(&cr, &ds), 0);
        CHECK(cd_aabb_is_valid(turned) && !isnan((double)cd_aabb_volume(b)) &&
              !isnan((double)cd_aabb_surface_area(b)) && cd_aabb_is_valid(cd_aabb_translate(b, p[3])));
        CHECK(cd_sphere_from_aabb_cr(&cr).radius >= 0);
    }
}

/* ---- the plane ---- */

static cd_vec2 vec2_of(draw *d) {
    cd_vec2 v;
    v.x = real_of(d);
    v.y = real_of(d);
    return v;
}

static void plane_shapes_of_bad_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        bool finite = test_int(&rng, 0, 1) != 0;
        draw d = draw_numbers(&rng, finite);
        cd_vec2 p[6], directions[2];
        cd_obb2 a, b, fit;
        cd_circle c, e, both;
        cd_aabb2 box, turned;
        cd_transform2 t;
        cd_kdop2 k;
        cd_hit hit;
        for (int j = 0; j < 6; ++j) p[j] = vec2_of(&d);
        a.center = p[0], a.axis = p[1], a.half = p[2];
        b.center = p[3], b.axis = p[4], b.half = p[5];
        c.center = p[1];
        c.radius = p[2].x;
        e.center = p[4];
        e.radius = p[5].y;
        t.rotation = vec2_of(&d);
        t.position = vec2_of(&d);
        directions[0] = vec2_of(&d);
        directions[1] = vec2_of(&d);
        box = cd_aabb2_from_points(p, 2);
        turned = cd_aabb2_transform(box, &t);
        both = cd_merge_circle_circle(c, e);
        CHECK(!isnan((double)turned.min.x) && !isnan((double)turned.max.y));
        if (finite)
            CHECK(!isnan((double)both.radius) && !isnan((double)cd_circle_area(c)) &&
                  !isnan((double)cd_aabb2_area(box)));
        cd_test_2d_obb_obb(&a, &b);
        cd_test_2d_aabb_obb(box, &a);
        cd_test_2d_point_obb(p[5], &a);
        cd_test_2d_circle_obb(c, &b);
        cd_test_2d_circle_circle(c, e);
        cd_test_2d_circle_aabb(c, box);
        cd_test_2d_polygon_polygon(p, 3, p + 3, 3);
        cd_cast_ray_rect(p[3], p[4], p[5].x, box, NULL, &hit);
        cd_obb2_support(&a, p[5]);
        cd_obb2_transform(&a, &t);
        cd_circle_support(c, p[5]);
        if (cd_obb2_from_points_along(p, 6, directions[0], &fit) == CD_OK) CHECK(cd_obb2_is_valid(&fit));
        if (cd_merge_obb2_obb2(&a, &b, &fit) == CD_OK) CHECK(cd_obb2_is_valid(&fit));
        if (cd_kdop2_from_points(p, 6, directions, 2, &k) == CD_OK) CHECK(finite || !isnan((double)k.min[0]));
    }
}

/* Finite numbers; infinite only on axes along which the rectangle reaches beyond the largest number. */
static bool is_of_lozenge(cd_vec3 p, const cd_lozenge *l) {
    const cd_real *x = &p.x, *a = &l->a.x, *d = &l->edge[0].x, *e = &l->edge[1].x;
    for (int k = 0; k < 3; ++k) {
        double most = fabs((double)a[k] / 4 + (double)d[k] / 4) + fabs((double)e[k] / 4);
        if (isnan((double)x[k]) || (isinf((double)x[k]) && most < (double)CD_REAL_MAX / 4)) return false;
    }
    return true;
}

/* Capsules and lozenges: finite numbers give no NaN, and bad ones no crash. */
static void swept_volumes(void) {
    test_rng rng = test_random();
    for (long i = test_times(6000); i > 0; --i) {
        draw d = draw_numbers(&rng, i % 2 == 0);
        cd_capsule a, b, fit;
        cd_lozenge l, m;
        cd_triangle t = triangle_of(&d);
        cd_obb o = cd_obb_from_aabb(cd_aabb_empty());
        cd_aabb box;
        cd_plane plane;
        cd_segment s, u;
        cd_closest c;
        cd_ray r;
        cd_hit h;
        cd_vec3 q;
        memcpy(&a, d.x, sizeof a);
        memcpy(&b, d.x + 7, sizeof b);
        memcpy(&l, d.x + 2, sizeof l);
        memcpy(&m, d.x + 12, sizeof m);
        if (i % 4) {
            l.edge[1] = cd_vec3_make(0, 0, 0);
            m.edge[0] = cd_vec3_make(m.edge[0].x, 0, 0);
            m.edge[1] = cd_vec3_make(0, m.edge[1].y, 0);
        }
        memcpy(&box, d.x + 5, sizeof box);
        memcpy(&plane, d.x + 9, sizeof plane);
        memcpy(&s, d.x, sizeof s);
        memcpy(&u, d.x + 6, sizeof u);
        memcpy(&r, d.x + 11, sizeof r);
        o.center = t.a;
        o.half = t.b;
        c = cd_closest_pts_segment_segment(&s, &u);
        if (d.finite) CHECK(c.sqdist >= 0 && cd_vec3_is_valid(c.a) && cd_vec3_is_valid(c.b));
        c = cd_closest_pts_capsule_capsule(&a, &b);
        CHECK(c.sqdist >= 0 || !cd_capsule_is_valid(&a) || !cd_capsule_is_valid(&b));
        c = cd_closest_pts_lozenge_lozenge(&l, &m);
        CHECK(c.sqdist >= 0 || !cd_lozenge_is_valid(&l) || !cd_lozenge_is_valid(&m));
        q = cd_closest_pt_point_lozenge(t.a, &l);
        CHECK(is_of_lozenge(q, &l) || !cd_lozenge_is_valid(&l) || !cd_vec3_is_valid(t.a));
        q = cd_closest_pt_point_capsule(t.a, &a);
        CHECK(cd_vec3_is_valid(q) || !cd_capsule_is_valid(&a) || !cd_vec3_is_valid(t.a));
        CHECK(cd_test_capsule_capsule(&a, &a) == cd_capsule_is_valid(&a));
        CHECK(!cd_test_capsule_capsule(&a, &b) || (cd_capsule_is_valid(&a) && cd_capsule_is_valid(&b)));
        cd_test_lozenge_lozenge(&l, &m);
        cd_test_capsule_lozenge(&a, &l);
        cd_test_lozenge_triangle(&l, &t);
        cd_test_capsule_triangle(&a, &t);
        cd_test_capsule_plane(&a, plane);
        cd_test_lozenge_halfspace(&l, plane);
        cd_test_capsule_aabb(&a, box);
        cd_test_lozenge_aabb(&m, box);
        cd_test_capsule_obb(&a, &o);
        cd_test_lozenge_obb(&m, &o);
        if (cd_cast_ray_capsule(&r, d.x[30], &a, NULL, &h)) CHECK(cd_vec3_is_valid(h.normal));
        if (cd_cast_ray_lozenge(&r, d.x[30], &m, NULL, &h)) CHECK(cd_vec3_is_valid(h.normal));
        CHECK(cd_capsule_volume(&a) >= 0 || !cd_capsule_is_valid(&a));
        CHECK(cd_lozenge_volume(&m) >= 0 || !cd_lozenge_is_valid(&m));
        if (cd_lozenge_is_valid(&l)) CHECK(!cd_aabb_is_empty(cd_aabb_from_lozenge(&l)));
        CHECK(cd_capsule_from_points(&t.a, 3, NULL, &fit) == CD_OK ? cd_capsule_is_valid(&fit)
                                                                   : fit.radius == 0);
        CHECK(cd_lozenge_from_points(&t.a, 3, NULL, &m) == CD_OK ? cd_lozenge_is_valid(&m) : m.radius == 0);
        fit = cd_merge_capsule_capsule(&a, &b);
        CHECK(fit.radius >= 0 || !cd_capsule_is_valid(&a) || !cd_capsule_is_valid(&b));
        m = cd_merge_lozenge_lozenge(&l, &m);
        CHECK(m.radius >= 0 || !cd_lozenge_is_valid(&l));
    }
}

/* Cylinders, cones and discs. */
static void round_shapes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 p = vec_of(&d), q = vec_of(&d), points[3];
        cd_plane plane;
        cd_cylinder c;
        cd_cone k;
        cd_disc e;
        cd_aabb box = box_of(&d);
        cd_ray r;
        cd_hit h;
        memset(&c, 0, sizeof c);
        r.origin = c.a = k.apex = e.center = plane.n = vec_of(&d);
        r.dir = c.b = k.base = e.normal = vec_of(&d);
        plane.d = c.radius = k.radius = e.radius = (cd_real)fabs((double)real_of(&d));
        for (int n = 0; n < 3; ++n) points[n] = vec_of(&d);
        if (cd_cylinder_is_valid(&c) && cd_disc_is_valid(&e)) {
            q = cd_closest_pt_point_cylinder(p, &c);
            SOUND_VEC(q);
            q = cd_closest_pt_point_cone(p, &k);
            SOUND_VEC(q);
            q = cd_closest_pt_point_disc(p, &e);
            SOUND_VEC(q);
            SOUND(cd_sqdist_point_cylinder(p, &c));
            SOUND(cd_sqdist_point_cone(p, &k));
            SOUND(cd_sqdist_point_disc(p, &e));
            SOUND(cd_cylinder_volume(&c));
            SOUND(cd_cone_surface_area(&k));
            SOUND(cd_disc_area(&e));
            q = cd_cylinder_support(&c, p);
            SOUND_VEC(q);
            q = cd_aabb_from_cone(&k).min;
            SOUND_VEC(q);
        }
        cd_test_point_cylinder(p, &c);
        cd_test_point_cone(p, &k);
        cd_test_point_disc(p, &e);
        cd_test_cone_plane(&k, plane);
        cd_test_cylinder_aabb(&c, box);
        cd_test_cone_aabb(&k, box);
        cd_test_disc_aabb(&e, box);
        cd_cast_ray_cylinder(&r, p.x, &c, NULL, &h);
        r.origin = p;
        cd_cast_ray_cone(&r, p.x, &k, NULL, &h);
        cd_cast_ray_disc(&r, p.x, &e, NULL, &h);
        if (i % 16) continue;
        if (cd_cylinder_from_points(points, 3, &c) == CD_OK) CHECK(cd_cylinder_is_valid(&c));
        if (cd_cone_from_points(points, 3, &k) == CD_OK) CHECK(cd_cone_is_valid(&k));
        if (cd_disc_from_points(points, 3, &e, NULL) == CD_OK) CHECK(cd_disc_is_valid(&e));
        c = cd_merge_cylinder_cylinder(&c, &c);
    }
}

/* Any bits at all: nothing crashes. */
static void any_bits(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        unsigned char bytes[sizeof(cd_real) * N];
        draw d;
        cd_triangle t, u;
        cd_obb o, p;
        cd_triangle_cut cut;
        cd_hit hit;
        cd_ray r;
        for (size_t k = 0; k < sizeof bytes; ++k) bytes[k] = (unsigned char)test_next(&rng);
        memcpy(d.x, bytes, sizeof bytes);
        d.used = 0;
        t = triangle_of(&d);
        u = triangle_of(&d);
        memcpy(&o, bytes, sizeof o);
        memcpy(&p, bytes + sizeof(cd_real) * 8, sizeof p);
        r.origin = t.a;
        r.dir = u.a;
        cd_intersect_triangle_triangle(&t, &u, &cut);
        cd_test_obb_obb(&o, &p);
        cd_test_triangle_obb(&t, &o);
        cd_cast_ray_obb(&r, t.b.x, &o, NULL, &hit);
        cd_cast_ray_triangle(&r, t.b.x, &u, NULL, &hit);
        cd_obb_is_valid(&o);
        cd_closest_pts_point_triangle(o.center, &t);
    }
}

static void spheres_and_statistics(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_transform pose;
        cd_sphere s[3], r;
        cd_plane plane;
        cd_vec3 p[3], mean;
        cd_status status;
        for (int k = 0; k < 3; ++k) {
            p[k] = s[k].center = vec_of(&d);
            s[k].radius = real_of(&d);
        }
        plane.n = vec_of(&d);
        plane.d = real_of(&d);
        pose.rotation = quat_of(&d);
        pose.position = vec_of(&d);
        SOUND(cd_sphere_volume(s[0]));
        SOUND(cd_sphere_surface_area(s[0]));
        if (!isnan((double)s[0].radius)) SOUND_VEC(cd_sphere_support(s[0], s[1].center));
        r = cd_sphere_transform(s[0], &pose);
        CHECK(r.radius == s[0].radius || isnan((double)r.radius));
        CHECK(!cd_test_sphere_plane(s[0], plane) || cd_test_sphere_halfspace(s[0], plane));
        r = cd_merge_sphere_sphere(s[0], s[1]);
        SOUND_VEC(r.center);
        SOUND(r.radius);
        r = cd_sphere_add_point(s[0], p[1]);
        SOUND_VEC(r.center);
        status = cd_sphere_of_spheres(s, 3, &r);
        CHECK(status == CD_OK || (status == CD_TOO_LARGE) == (d.finite || status != CD_INVALID_ARGUMENT));
        for (int k = 0; k < 3 && status == CD_OK; ++k)
            CHECK(s[k].radius < 0 || cd_test_point_sphere(p[k], r));
        SOUND(cd_variance(d.x, 9));
        SOUND(cd_variance_one_pass(d.x, 9));
        SOUND(cd_deviation(d.x, 9));
        (void)cd_covariance(p, 3, &mean);
        SOUND_VEC(mean);
    }
}

/* k-DOPs of any numbers: what is held stays held, nothing becomes NaN. */
static void kdops(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 3) != 0);
        cd_kdop_set set = cd_kdop_set_standard((uint32_t)test_int(&rng, 3, 7) * 2);
        cd_vec3 p[4], v[CD_KDOP_VERTICES];
        cd_transform pose;
        cd_sphere s;
        cd_obb box;
        cd_slab slabs[3];
        cd_kdop a, b;
        cd_ray r;
        cd_hit h;
        cd_plane plane;
        uint32_t n = 0;
        for (int k = 0; k < 4; ++k) p[k] = vec_of(&d);
        if (set.count == 0) set = cd_kdop_set_standard(6);
        if (i % 5 == 0) set.axis[1] = p[3];
        pose.rotation = quat_of(&d);
        pose.position = vec_of(&d);
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        box.center = p[0];
        box.axes = cd_mat3_from_columns(p[1], p[2], p[3]);
        box.half = vec_of(&d);
        plane.n = vec_of(&d);
        plane.d = real_of(&d);
        r.origin = vec_of(&d);
        r.dir = p[1];
        if (cd_kdop_from_points(p, 4, &set, &a) == CD_OK) {
            for (int k = 0; k < 4; ++k) CHECK(cd_test_point_kdop(p[k], &a, &set));
            SOUND(cd_kdop_volume(&a, &set));
            SOUND(cd_kdop_surface_area(&a, &set));
            SOUND_VEC(cd_kdop_support(&a, &set, plane.n));
            for (n = cd_kdop_vertices(&a, &set, v); n > 0; --n) SOUND_VEC(v[n - 1]);
            if (cd_kdop_transform(&a, &set, &pose, &b) == CD_OK) SOUND(b.min[0]);
            if (cd_kdop_tumble(p, 4, &set, &pose, &b) == CD_OK) SOUND(b.max[1]);
            SOUND(cd_kdop_project(&a, &set, s.center, 9).margin);
            (void)cd_kdop_vertices_dual(&a, &set, NULL, v, &n);
            cd_test_kdop_plane(&a, &set, plane);
            cd_cast_ray_kdop(&r, CD_REAL_MAX, &a, &set, NULL, &h);
            cd_test_sphere_kdop(s, &a, &set);
            cd_test_kdop_obb(&a, &set, &box);
            for (uint32_t k = 0; k < a.count; ++k) a.max[k] = real_of(&d);
        }
        (void)cd_kdop_tighten(&a, &set);
        SOUND(cd_kdop_volume(&a, &set));
        if (cd_slabs_from_obb(&box, slabs)) SOUND(slabs[2].min);
        if (cd_kdop_from_sphere(s, &set, &b) == CD_OK) SOUND(b.min[0]);
    }
}

/* Bad numbers for the published algorithms: hulls of what points are valid, supports and simplexes of any. */
static void corpus_classic_walks(test_rng *rng, bool finite) {
    draw d = draw_numbers(rng, finite), e = draw_numbers(rng, finite);
    cd_vec3 p[9];
    cd_transform pose;
    cd_support s, t;
    cd_hull hull;
    cd_vclip_report r;
    cd_separating_vector v;
    cd_separation j;
    cd_vclip_features f;
    cd_hull_options o;
    for (int k = 0; k < 9; ++k) p[k] = vec_of(&d);
    memset(&o, 0, sizeof o);
    o.flags = CD_HULL_SKIP_INVALID;
    CHECK_INT(cd_hull3_build(&hull, p, 9, &o), CD_OK);
    pose.rotation = quat_of(&e);
    pose.position = vec_of(&e);
    f.a = (uint32_t)test_next(rng);
    f.b = (uint32_t)test_next(rng);
    r = cd_vclip(&hull, &hull, &pose, 0, &f);
    CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED || r.status == CD_INVALID_ARGUMENT);
    CHECK(r.iterations <= 118);
    if (r.status != CD_INVALID_ARGUMENT) {
        CHECK(!isnan((double)r.distance) && cd_vec3_is_valid(r.normal));
        CHECK(!isnan((double)r.a.x) && !isnan((double)r.b.z));
    }
    s = cd_support_of_points(p, 9);
    t = cd_support_of_hull(&hull);
    v = cd_chung_wang(&s, &t, &pose, 0, &p[4]);
    CHECK(v.iterations <= 100 && (v.status == CD_INVALID_ARGUMENT || !isnan((double)v.least)));
    j = cd_gjk_johnson(&s, &t, &pose, 0);
    CHECK(j.iterations <= 100 && (j.status == CD_INVALID_ARGUMENT || !isnan((double)j.distance)));
    cd_hull_destroy(&hull);
}

static void corpus_classic_convex(void) {
    static double room[1024];
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 p = vec_of(&d), corners[4];
        cd_plane h[5];
        cd_halfspace2 g[5];
        cd_johnson_point q;
        cd_fourier_motzkin f;
        for (int k = 0; k < 4; ++k) corners[k] = vec_of(&d);
        q = cd_closest_pt_simplex_johnson(p, corners, (size_t)(i % 6));
        CHECK(q.status == CD_OK || q.status == CD_INVALID_ARGUMENT);
        if (q.status == CD_OK) CHECK(!isnan((double)q.point.x) && !isnan((double)q.weights[0]));
        for (int k = 0; k < 5; ++k) {
            h[k].n = vec_of(&d);
            h[k].d = g[k].d = real_of(&d);
            g[k].n = cd_vec2_make(h[k].n.x, h[k].n.y);
        }
        f = cd_lp_fourier_motzkin3(h, (size_t)(i % 6), (uint32_t)i / 6 % 2, room, sizeof room);
        CHECK(f.status != CD_OK || cd_vec3_is_valid(f.point));
        f = cd_lp_fourier_motzkin2(g, (size_t)(i % 6), 0, room, sizeof room);
        CHECK(f.status != CD_OK || cd_vec3_is_valid(f.point));
        if (i % 4 == 0) corpus_classic_walks(&rng, i % 8 == 0);
    }
    CHECK(cd_lp_fourier_motzkin_size(-1, 7) == 7 * 48 && cd_lp_fourier_motzkin_size(3, (size_t)-1) > 0);
}

static void statuses_have_texts(void) {
    for (int s = -2; s < 20; ++s) CHECK(cd_status_text((cd_status)s)[0] != 0);
    CHECK_INT(cd_version(), CD_VERSION);
    CHECK_INT(cd_selftest(), 0);
}

static void ellipsoids_shells_and_zonotopes(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 p[4], g[11], q;
        cd_triangle t = triangle_of(&d);
        cd_aabb box = box_of(&d), round;
        cd_ellipsoid e, f;
        cd_spherical_shell s, u;
        cd_zonotope z;
        cd_ray r;
        cd_hit h;
        cd_plane plane;
        cd_sphere ball;
        cd_real gap;
        for (int k = 0; k < 4; ++k) p[k] = vec_of(&d);
        e.center = p[0];
        e.axes = cd_mat3_from_axis_angle(p[1], p[1].x);
        e.half = cd_vec3_max(p[2], cd_vec3_neg(p[2]));
        s.center = p[0];
        s.axis = p[1];
        s.inner = 0;
        s.outer = e.half.x;
        s.cos_angle = e.half.y < 1 ? e.half.y : -1;
        r.origin = p[3];
        r.dir = t.a;
        plane.n = t.b;
        plane.d = p[2].x;
        ball.center = t.c;
        ball.radius = e.half.z;
        if (cd_ellipsoid_is_valid(&e) && cd_vec3_is_valid(p[3])) {
            q = cd_closest_pt_point_ellipsoid(p[3], &e);
            CHECK(q.x == q.x && q.y == q.y && q.z == q.z);
            CHECK(cd_ellipsoid_surface_area(&e) >= 0 && cd_ellipsoid_volume(&e) >= 0);
            round = cd_aabb_from_ellipsoid(&e);
            CHECK(!cd_aabb_is_empty(round));
        }
        cd_ellipsoid_support(&e, t.a);
        cd_test_ellipsoid_plane(&e, plane);
        cd_test_ellipsoid_aabb(&e, box);
        cd_test_triangle_ellipsoid(&t, &e);
        cd_test_sphere_ellipsoid(ball, &e);
        if (cd_cast_ray_ellipsoid(&r, CD_REAL_MAX, &e, NULL, &h)) SOUND_VEC(h.point);
        if (cd_ellipsoid_from_points(p, 4, &f, &gap) == CD_OK) {
            for (int k = 0; k < 4; ++k) CHECK(cd_test_point_ellipsoid(p[k], &f));
            cd_test_ellipsoid_ellipsoid(&e, &f);
            if (i % 8 == 0) f = cd_merge_ellipsoid_ellipsoid(&e, &f); /* takes long */
            SOUND_VEC(f.half);
        }
        if (cd_ellipsoid_pca(p, 4, &f) == CD_OK)
            for (int k = 0; k < 4; ++k) CHECK(cd_test_point_ellipsoid(p[k], &f));
        cd_closest_pt_point_spherical_shell(p[3], &s);
        cd_test_spherical_shell_plane(&s, plane);
        cd_test_spherical_shell_aabb(&s, box);
        if (cd_cast_ray_spherical_shell(&r, CD_REAL_MAX, &s, NULL, &h)) SOUND_VEC(h.point);
        if (cd_spherical_shell_about(p, 4, t.a, &u) == CD_OK) {
            for (int k = 0; k < 4; ++k) CHECK(cd_test_point_spherical_shell(p[k], &u));
            cd_test_spherical_shell_spherical_shell(&s, &u);
            u = cd_merge_spherical_shell_spherical_shell(&s, &u);
            SOUND(u.outer);
        }
        if (cd_zonotope_from_points(p, 4, NULL, 0, g, &z) == CD_OK)
            for (int k = 0; k < 4; ++k) CHECK(cd_test_point_zonotope(p[k], &z));
        z.center = p[3];
        z.generators = p;
        z.count = 3;
        cd_zonotope_volume(&z);
        cd_test_point_zonotope(t.a, &z);
        cd_closest_pt_point_zonotope(t.a, &z);
        cd_test_triangle_zonotope(&t, &z);
        cd_test_zonotope_aabb(&z, box);
        if (cd_cast_ray_zonotope(&r, CD_REAL_MAX, &z, NULL, &h)) SOUND_VEC(h.point);
        z = cd_merge_zonotope_zonotope(&z, &z, g);
    }
}

/* ---- closest pairs ---- */

/* NaN for input that is not finite, or not valid; else no NaN. */
static void sound_closest(const draw *of, cd_closest c, bool valid) {
    draw d = *of;
    if (!valid) return;
    SOUND(c.sqdist);
    SOUND_VEC(c.a);
    SOUND_VEC(c.b);
    SOUND(c.s);
    SOUND(c.t);
    CHECK(!d.finite || c.sqdist >= 0);
}

static void closest_pairs_in_space(draw *d) {
    cd_triangle t = triangle_of(d), u = triangle_of(d);
    cd_aabb b = box_of(d);
    cd_ray r = {t.a, u.b}, q = {u.a, t.b};
    cd_line l = {t.a, u.b}, m = {u.a, t.b};
    cd_segment s = {u.c, t.c};
    cd_rect rect = {t.a, {u.b, u.c}};
    cd_obb o = {u.c, cd_mat3_identity(), cd_vec3_max(t.a, cd_vec3_neg(t.a))};
    bool line = cd_line_is_valid(&l), both = line && cd_line_is_valid(&m);
    sound_closest(d, cd_closest_pts_point_line(s.a, &l), line);
    sound_closest(d, cd_closest_pts_point_ray(s.a, &r), true);
    sound_closest(d, cd_closest_pts_point_segment(t.a, &s), true);
    sound_closest(d, cd_closest_pts_line_line(&l, &m), both);
    sound_closest(d, cd_closest_pts_line_ray(&l, &q), line);
    sound_closest(d, cd_closest_pts_line_segment(&l, &s), line);
    sound_closest(d, cd_closest_pts_ray_ray(&r, &q), true);
    sound_closest(d, cd_closest_pts_ray_segment(&r, &s), true);
    sound_closest(d, cd_closest_pts_segment_triangle(&s, &t), true);
    sound_closest(d, cd_closest_pts_triangle_triangle(&t, &u), true);
    sound_closest(d, cd_closest_pts_line_triangle(&l, &u), line);
    sound_closest(d, cd_closest_pts_ray_triangle(&r, &u), true);
    sound_closest(d, cd_closest_pts_segment_rect(&s, &rect), cd_rect_is_valid(&rect));
    sound_closest(d, cd_closest_pts_segment_aabb(&s, b), true);
    sound_closest(d, cd_closest_pts_segment_obb(&s, &o), true);
    sound_closest(d, cd_closest_pts_point_rect(s.a, &rect), cd_rect_is_valid(&rect));
    sound_closest(d, cd_closest_pts_point_aabb(s.a, b), true);
    sound_closest(d, cd_closest_pts_point_obb(s.a, &o), true);
    sound_closest(d, cd_closest_pts_point_polygon(s.a, &t.a, 3), true);
}

static void closest_pairs(void) {
    test_rng rng = test_random();
    for (long i = test_times(6000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_tetrahedron t;
        cd_segment_cut cut;
        cd_vec2 v[4];
        cd_vec3 p;
        cd_real x, y;
        closest_pairs_in_space(&d);
        t.a = vec_of(&d);
        t.b = vec_of(&d);
        t.c = vec_of(&d);
        t.d = vec_of(&d);
        p = vec_of(&d);
        x = real_of(&d);
        y = real_of(&d);
        sound_closest(&d, cd_closest_pts_point_tetrahedron(p, &t), true);
        SOUND(cd_dist_point_tetrahedron(p, &t));
        for (int k = 0; k < 4; ++k) v[k] = cd_vec2_make(REALS(t)[3 * k], REALS(t)[3 * k + 1]);
        if (cd_intersect_2d_segment_segment(v[0], v[1], v[2], v[3], &cut)) {
            CHECK(cd_test_2d_segment_segment(v[2], v[3], v[0], v[1]) && cut.count >= 1 && cut.count <= 2);
            SOUND(cut.points[0].x);
            SOUND(cut.points[1].y);
        }
        SOUND(cd_safe_until(p.x, x, y));
    }
}

/* ---- end of closest pairs ---- */

/* ---- linear tests ---- */

static void linear_tests(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 p = vec_of(&d);
        cd_triangle t = triangle_of(&d);
        cd_aabb box = box_of(&d);
        cd_obb o = cd_obb_from_aabb(box);
        cd_segment s, u;
        cd_capsule c;
        cd_sphere ball;
        cd_plane plane, other;
        cd_line l;
        cd_ray r;
        bool bad_ray, bad_segment, meet;
        o.axes.col[test_int(&rng, 0, 2)] = vec_of(&d);
        s.a = t.a, s.b = t.b;
        u.a = vec_of(&d), u.b = vec_of(&d);
        r.origin = l.origin = u.a;
        r.dir = l.dir = u.b;
        ball.center = c.a = p;
        ball.radius = c.radius = real_of(&d);
        c.b = t.c;
        plane.n = u.b;
        plane.d = real_of(&d);
        other.n = cd_vec3_scale(plane.n, -1);
        other.d = real_of(&d);
        bad_segment = !cd_segment_is_valid(&s);
        bad_ray = !cd_ray_is_valid(&r);
        meet = cd_test_point_segment(p, &s) || cd_test_segment_segment(&s, &u) ||
               cd_test_ray_segment(&r, &s) || cd_test_segment_halfspace(&s, plane) ||
               cd_test_segment_plane(&s, plane) || cd_test_segment_aabb(&s, box) ||
               cd_test_segment_sphere(&s, ball) || cd_test_segment_capsule(&s, &c);
        CHECK(!(bad_segment && meet));
        meet = cd_test_point_ray(p, &r) || cd_test_ray_ray(&r, &r) || cd_test_ray_plane(&r, plane) ||
               cd_test_ray_halfspace(&r, plane) || cd_test_ray_triangle(&r, &t) ||
               cd_test_ray_aabb(&r, box) || cd_test_ray_obb(&r, &o) || cd_test_ray_sphere(&r, ball) ||
               cd_test_ray_capsule(&r, &c);
        CHECK(!(bad_ray && meet));
        meet = cd_test_line_triangle(&l, &t) || cd_test_line_aabb(&l, box) || cd_test_line_sphere(&l, ball);
        CHECK(!(!cd_line_is_valid(&l) && meet));
        meet = cd_test_plane_plane(plane, other) || cd_test_plane_halfspace(plane, other) ||
               cd_test_halfspace_halfspace(plane, other) || cd_test_triangle_plane(&t, plane) ||
               cd_test_triangle_halfspace(&t, plane) || cd_test_point_plane(p, plane) ||
               cd_test_point_halfspace(p, plane);
        CHECK(!(!cd_plane_is_valid(&plane) && meet));
        meet = cd_test_point_triangle(p, &t) || cd_test_triangle_plane(&t, plane) ||
               cd_test_ray_triangle(&r, &t);
        CHECK(!(!cd_triangle_is_valid(&t) && meet));
        CHECK_INT(cd_test_point_point(p, p), cd_vec3_is_valid(p));
        if (cd_ray_is_valid(&r)) { /* what is part of both is met, however large or small */
            CHECK(cd_test_point_ray(r.origin, &r) && cd_test_ray_ray(&r, &r));
            box.min = box.max = r.origin;
            CHECK(cd_test_ray_aabb(&r, box));
        }
        if (!bad_segment) CHECK(cd_test_point_segment(s.b, &s) && cd_test_segment_segment(&s, &s));
        if (cd_triangle_is_valid(&t)) CHECK(cd_test_point_triangle(t.b, &t));
    }
}

/* ---- end of linear tests ---- */

/* ---- solids ---- */

static void check_polygons_in_space(const cd_vec3 *v, const cd_vec3 *w, const cd_ray *r,
                                    const cd_segment *s) {
    bool all = true;
    for (int i = 0; i < 4; ++i) all = all && cd_vec3_is_valid(v[i]);
    CHECK_INT(cd_test_polygon_polygon(v, 4, v, 4), all);
    CHECK_INT(cd_test_polygon_polygon(v, 4, w, 4), cd_test_polygon_polygon(w, 4, v, 4));
    CHECK_INT(cd_test_point_polygon(v[1], v, 4), all);
    if (cd_test_segment_polygon(s, v, 4)) CHECK(all && cd_segment_is_valid(s));
    if (cd_test_ray_polygon(r, v, 4)) CHECK(all && cd_ray_is_valid(r));
}

/* A corner of both makes them meet, unless some number is bad. */
static void solids(void) {
    test_rng rng = test_random();
    for (long i = test_times(8000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 2) > 0);
        cd_vec3 v[8], w[4];
        cd_tetrahedron t, u;
        cd_triangle f = triangle_of(&d);
        cd_aabb b = box_of(&d);
        cd_obb o = cd_obb_from_aabb(b);
        cd_segment s;
        cd_ray r;
        cd_sphere ball;
        cd_capsule c;
        cd_plane plane;
        cd_hull h;
        bool good_t, good_u;
        for (int k = 0; k < 8; ++k) v[k] = vec_of(&d);
        for (int k = 0; k < 4; ++k) w[k] = vec_of(&d);
        t.a = v[0], t.b = v[1], t.c = v[2], t.d = v[3];
        u.a = v[4], u.b = v[5], u.c = v[6], u.d = v[0];
        s.a = r.origin = c.a = ball.center = vec_of(&d);
        s.b = r.dir = c.b = plane.n = vec_of(&d);
        plane.d = ball.radius = c.radius = real_of(&d);
        good_t = cd_tetrahedron_is_valid(&t);
        good_u = cd_tetrahedron_is_valid(&u);
        check_polygons_in_space(v, w, &r, &s);
        CHECK_INT(cd_test_tetrahedron_tetrahedron(&t, &u), good_t && good_u);
        CHECK_INT(cd_test_point_tetrahedron(t.c, &t), good_t);
        CHECK_INT(cd_locate_point_tetrahedron(t.d, &t), good_t ? 0 : -1);
        cd_test_ray_tetrahedron(&r, &t);
        cd_test_sphere_tetrahedron(ball, &t);
        cd_test_capsule_tetrahedron(&c, &t);
        cd_test_tetrahedron_obb(&t, &o);
        CHECK_INT(cd_test_segment_tetrahedron(&s, &t) && !good_t, false);
        CHECK_INT(cd_test_tetrahedron_aabb(&t, b) && !(good_t && cd_aabb_is_valid(b)), false);
        if (cd_test_tetrahedron_plane(&t, plane)) CHECK(cd_test_tetrahedron_halfspace(&t, plane));
        if (cd_hull3_build(&h, v, 8, NULL) != CD_OK) continue;
        CHECK(cd_test_point_hull(v[i % 8], &h) && cd_test_tetrahedron_hull(&t, &h));
        CHECK(cd_test_polygon_hull(v, 8, &h) && cd_test_hull_hull(&h, &h));
        cd_test_ray_hull(&r, &h);
        cd_test_segment_hull(&s, &h);
        cd_test_triangle_hull(&f, &h);
        cd_test_sphere_hull(ball, &h);
        cd_test_capsule_hull(&c, &h);
        cd_test_aabb_hull(b, &h);
        cd_test_obb_hull(&o, &h);
        if (cd_test_hull_plane(&h, plane)) CHECK(cd_test_hull_halfspace(&h, plane));
        cd_hull_destroy(&h);
    }
}

/* ---- end of solids ---- */

/* ---- triangle pairs ---- */

static void triangle_pairs(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_triangle t = triangle_of(&d), many[9];
        uint32_t hits[9];
        size_t count = 0;
        bool finite = true;
        for (int k = 0; k < 9; ++k) {
            many[k] = t;
            REALS(many[k])[k] = real_of(&d);
            finite = finite && isfinite((double)REALS(t)[k]);
            count += cd_test_triangle_triangle(&t, &many[k]);
        }
        CHECK_INT(cd_test_triangle_triangles(&t, many, 9, hits, 9), count);
        CHECK_INT(cd_test_triangle_triangles(&t, many, 9, NULL, 0), count);
        CHECK(finite || count == 0);
        CHECK(finite || !cd_test_triangle_triangle_moller(&t, &many[0], NULL));
        CHECK(finite || !cd_test_triangle_triangle_held(&t, &many[1], NULL));
        CHECK(finite || !cd_test_triangle_triangle_tropp(&t, &many[2], NULL));
    }
}

/* ---- end of triangle pairs ---- */

/* ---- line casts ---- */

static void line_casts(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_triangle t = triangle_of(&d);
        cd_aabb box = box_of(&d);
        cd_segment s;
        cd_line l;
        cd_ray r;
        cd_sphere ball;
        cd_plane plane;
        cd_obb o;
        cd_capsule capsule;
        cd_lozenge lozenge;
        cd_cylinder cylinder;
        cd_cone cone;
        cd_disc disc;
        cd_ellipsoid ellipsoid;
        cd_spherical_shell shell;
        cd_zonotope zonotope;
        cd_slab slab;
        cd_prepared_ray p;
        cd_cast_options options;
        cd_real in, out;
        cd_hit h;
        memset(&options, 0, sizeof options);
        options.flags = (uint32_t)test_int(&rng, 0, 31);
        s.a = l.origin = r.origin = vec_of(&d);
        s.b = l.dir = r.dir = vec_of(&d);
        options.t_min = test_int(&rng, 0, 1) ? 0 : real_of(&d);
        ball.center = o.center = ellipsoid.center = shell.center = zonotope.center = vec_of(&d);
        ball.radius = capsule.radius = lozenge.radius = cylinder.radius = cone.radius = disc.radius =
            real_of(&d);
        plane.n = slab.n = shell.axis = t.a;
        plane.d = slab.max = ball.radius;
        slab.min = t.a.x;
        shell.inner = 0;
        shell.outer = ball.radius;
        shell.cos_angle = t.a.y;
        o.axes = ellipsoid.axes = cd_mat3_from_axis_angle(t.a, t.a.x);
        o.half = ellipsoid.half = t.b;
        capsule.a = lozenge.a = cylinder.a = cone.apex = disc.center = t.b;
        capsule.b = cylinder.b = cone.base = disc.normal = t.c;
        lozenge.edge[0] = cd_vec3_make(t.c.x, 0, 0);
        lozenge.edge[1] = cd_vec3_make(0, t.c.y, 0);
        zonotope.generators = &t.a;
        zonotope.count = 3;
#define SOUND_CAST(shape, ...)                                                                               \
    do {                                                                                                     \
        if (cd_cast_segment_##shape(&s, __VA_ARGS__, &options, &h)) SOUND_VEC(h.point);                      \
        if (cd_cast_segment_##shape(&s, __VA_ARGS__, NULL, &h)) CHECK(h.t >= 0 && h.t <= 1);                 \
        if (cd_cast_line_##shape(&l, __VA_ARGS__, &options, &h)) SOUND_VEC(h.normal);                        \
    } while (0)
        SOUND_CAST(plane, plane);
        SOUND_CAST(sphere, ball);
        SOUND_CAST(aabb, box);
        SOUND_CAST(obb, &o);
        SOUND_CAST(triangle, &t);
        SOUND_CAST(capsule, &capsule);
        SOUND_CAST(lozenge, &lozenge);
        SOUND_CAST(cylinder, &cylinder);
        SOUND_CAST(cone, &cone);
        SOUND_CAST(disc, &disc);
        SOUND_CAST(ellipsoid, &ellipsoid);
        SOUND_CAST(spherical_shell, &shell);
        SOUND_CAST(zonotope, &zonotope);
        SOUND_CAST(slabs, &slab, 1);
#undef SOUND_CAST
        if (!cd_ray_prepare(&r, CD_REAL_MAX, &options, &p)) CHECK(p.ready == 0);
        if (cd_cast_prepared_triangle(&p, &t, &h)) SOUND(h.t);
        if (cd_cast_prepared_aabb(&p, box, &h)) SOUND(h.t);
        if (cd_test_prepared_aabb(&p, box, &in, &out)) CHECK(in <= out);
    }
}

/* ---- end of line casts ---- */

/* ---- quads tori hulls ---- */

static void quads_tori_hulls(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 2) != 0);
        cd_vec3 p = vec_of(&d), near_it;
        cd_plane plane[3];
        cd_cast_options o;
        cd_torus t;
        cd_quad q;
        cd_sphere s;
        cd_segment seg;
        cd_line l;
        cd_ray r;
        cd_hit h;
        cd_hull hull;
        cd_aabb box;
        t.center = vec_of(&d);
        t.axis = vec_of(&d);
        t.major = real_of(&d);
        t.minor = real_of(&d);
        if (d.finite && t.major < 0) t.major = -t.major;
        if (d.finite && t.minor < 0) t.minor = -t.minor;
        r.origin = l.origin = seg.a = vec_of(&d);
        r.dir = l.dir = seg.b = vec_of(&d);
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        memset(&o, 0, sizeof o);
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        o.t_min = test_int(&rng, 0, 1) ? 0 : real_of(&d);
        CHECK(cd_torus_volume(&t) >= 0 && cd_torus_surface_area(&t) >= 0);
        near_it = cd_closest_pt_point_torus(p, &t);
        box = cd_aabb_from_torus(&t);
        CHECK(cd_torus_is_valid(&t) != cd_aabb_is_empty(box));
        if (cd_torus_is_valid(&t)) {
            SOUND(cd_sqdist_point_torus(p, &t));
            SOUND_VEC(cd_torus_support(&t, r.dir));
            CHECK(!cd_test_point_torus(p, &t) || (near_it.x == p.x && near_it.y == p.y && near_it.z == p.z));
        } else {
            CHECK(!cd_test_point_torus(p, &t) && isnan((double)near_it.x) && !cd_test_sphere_torus(s, &t));
        }
        (void)cd_test_sphere_torus(s, &t);
        if (cd_cast_ray_torus(&r, CD_REAL_MAX, &t, &o, &h)) SOUND_VEC(h.point);
        if (cd_cast_segment_torus(&seg, &t, &o, &h)) SOUND_VEC(h.normal);
        if (cd_cast_line_torus(&l, &t, &o, &h)) SOUND(h.t);
        q.a = plane[0].n = p;
        q.b = plane[1].n = t.center;
        q.c = plane[2].n = t.axis;
        q.d = s.center;
        if (cd_cast_ray_quad(&r, CD_REAL_MAX, &q, &o, &h)) SOUND(h.u);
        if (cd_cast_segment_quad(&seg, &q, &o, &h)) SOUND(h.v);
        if (cd_cast_line_quad(&l, &q, &o, &h)) SOUND_VEC(h.normal);
        for (int k = 0; k < 3; ++k) plane[k].d = real_of(&d);
        if (cd_cast_ray_planes(&r, CD_REAL_MAX, plane, 3, &o, &h)) SOUND_VEC(h.point);
        if (cd_cast_segment_planes(&seg, plane, 3, &o, &h)) SOUND_VEC(h.normal);
        if (cd_cast_line_planes(&l, plane, 3, &o, &h)) SOUND(h.t);
        if (cd_hull3_build(&hull, &q.a, 4, NULL) != CD_OK) continue;
        if (cd_cast_ray_hull(&r, CD_REAL_MAX, &hull, &o, &h)) SOUND_VEC(h.point);
        if (cd_cast_segment_hull(&seg, &hull, &o, &h)) SOUND_VEC(h.normal);
        if (cd_cast_line_hull(&l, &hull, &o, &h)) SOUND(h.t);
        cd_hull_destroy(&hull);
    }
}

/* ---- end of quads tori hulls ---- */

/* ---- points and planes ---- */

static bool is_location(int x) {
    return x >= -1 && x <= 1;
}

static void points_and_planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
        cd_vec2 *v = (cd_vec2 *)(void *)d.x, p = v[9];
        cd_vec3 *corner = (cd_vec3 *)(void *)d.x, at = vec_of(&d);
        cd_mesh_view mesh = cd_mesh_view_make(corner + 1, 4, faces, 4);
        cd_triangle t = triangle_of(&d);
        const size_t ends[2] = {3, 7};
        cd_plane h[3];
        cd_planes_common r;
        for (int k = 0; k < 3; ++k) {
            h[k].n = vec_of(&d);
            h[k].d = real_of(&d);
        }
        CHECK(is_location(cd_locate_point_polygon2(p, v, 7)));
        CHECK(is_location(cd_locate_point_convex2(p, v, 7)));
        CHECK(is_location(cd_locate_point_rings2(p, v, ends, 2, CD_FILL_NON_ZERO)));
        CHECK(is_location(cd_locate_point_triangle2(p, v[1], v[2], v[3])));
        CHECK(is_location(cd_locate_point_triangle(at, &t)));
        CHECK(is_location(cd_locate_point_halfspaces(at, h, 3)));
        CHECK(is_location(cd_locate_point_mesh(at, &mesh, CD_FILL_EVEN_ODD)));
        cd_test_point_polygon2_half_open(p, v, 7);
        SOUND(cd_winding_number_mesh(at, &mesh));
        if (!cd_plane_is_valid(&h[0]) || !cd_plane_is_valid(&h[1]) || !cd_plane_is_valid(&h[2])) continue;
        r = cd_intersect_plane_plane(&h[0], &h[1]);
        SOUND(r.sine);
        SOUND_VEC(r.line.origin);
        SOUND_VEC(r.line.dir);
        r = cd_intersect_planes3(&h[0], &h[1], &h[2]);
        SOUND(r.sine);
        SOUND_VEC(r.line.origin);
    }
}

/* ---- end of points and planes ---- */

/* ---- batches ---- */

/* Bad ones among eleven of each; what is found among finite ones is finite. */
static void batches(void) {
    enum { MANY = 11 };
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        bool finite = test_int(&rng, 0, 1) != 0;
        draw d;
        cd_triangle t[MANY];
        cd_aabb b[MANY];
        cd_ray r[MANY];
        cd_vec3 p[MANY];
        cd_triangle8 t8[2];
        cd_aabb8 b8[2];
        cd_hit hit, hits[MANY];
        cd_closest c;
        uint32_t list[MANY];
        cd_real end;
        for (int k = 0; k < MANY; ++k) {
            d = draw_numbers(&rng, finite);
            t[k] = triangle_of(&d);
            b[k].min = vec_of(&d);
            b[k].max = vec_of(&d);
            r[k].origin = vec_of(&d);
            r[k].dir = vec_of(&d);
            p[k] = vec_of(&d);
        }
        end = real_of(&d);
        cd_triangle8_pack(t, MANY, t8);
        cd_aabb8_pack(b, MANY, b8);
        if (cd_cast_ray_triangles(r, end, t, MANY, NULL, &hit) && finite) CHECK(isfinite((double)hit.t));
        if (cd_cast_ray_triangle8s(r, end, t8, MANY, NULL, &hit) && finite) CHECK(isfinite((double)hit.t));
        CHECK(cd_cast_rays_triangle(r, &t[0].a.x, 9, t, NULL, hits) <= 9);
        CHECK(cd_test_ray_aabbs(r, end, b, MANY, list, MANY) <= MANY);
        CHECK(cd_test_ray_aabb8s(r, end, b8, MANY, list, MANY) <= MANY);
        CHECK(cd_test_rays_aabb(r, MANY, end, b[0], list, MANY) <= MANY);
        if (cd_closest_pts_point_triangles(p[0], t, MANY, &c))
            CHECK(cd_vec3_is_valid(c.a) && !isnan((double)c.b.x));
        if (cd_closest_pts_point_triangle8s(p[0], t8, MANY, &c)) CHECK(c.index_b < MANY);
        if (cd_closest_pts_points_triangle(p, MANY, t, &c)) CHECK(c.index_a < MANY);
    }
}

/* ---- end of batches ---- */

/* ---- sweep planes ---- */

/* What a sweep with these options says is sound. */
static void sound_sweep(bool found, const cd_hit *h) {
    if (!found) return;
    CHECK(h->t >= 0 && h->t <= 1 && cd_vec3_is_valid(h->point) && cd_vec3_is_valid(h->normal));
    CHECK(!isnan((double)h->depth) && h->depth >= 0);
    CHECK(!isnan((double)h->u) && !isnan((double)h->v));
}

static void sweep_planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_cast_options o = {0};
        cd_plane p;
        cd_capsule c;
        cd_sphere s;
        cd_obb b;
        cd_ellipsoid e;
        cd_aabb box;
        cd_vec3 v = vec_of(&d);
        cd_hit h;
        p.n = vec_of(&d);
        p.d = real_of(&d);
        c.a = s.center = b.center = e.center = vec_of(&d);
        c.b = b.half = e.half = vec_of(&d);
        s.radius = c.radius = real_of(&d);
        b.axes = e.axes = cd_mat3_from_axis_angle(vec_of(&d), real_of(&d));
        box = box_of(&d);
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        o.t_min = test_int(&rng, 0, 3) ? 0 : real_of(&d);
        sound_sweep(cd_sweep_sphere_plane(s, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_sphere_halfspace(s, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_capsule_plane(&c, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_capsule_halfspace(&c, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_aabb_plane(box, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_aabb_halfspace(box, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_obb_plane(&b, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_obb_halfspace(&b, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_ellipsoid_plane(&e, v, p, &o, &h), &h);
        sound_sweep(cd_sweep_ellipsoid_halfspace(&e, v, p, &o, &h), &h);
    }
}

/* ---- end of sweep planes ---- */

/* ---- sweep spheres ---- */

static void sweep_spheres(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(4000); ++i) {
        bool finite = i % 2 == 0;
        draw d = draw_numbers(&rng, finite);
        cd_triangle t[2];
        cd_sphere s, other;
        cd_capsule capsule;
        cd_cast_options o;
        cd_aabb b;
        cd_obb box;
        cd_vec3 motion;
        cd_hit hit;
        bool got[7];
        t[0] = triangle_of(&d);
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        motion = vec_of(&d);
        other.center = vec_of(&d);
        other.radius = real_of(&d);
        d = draw_numbers(&rng, finite);
        t[1] = triangle_of(&d);
        capsule.a = vec_of(&d);
        capsule.b = vec_of(&d);
        capsule.radius = real_of(&d);
        b.min = vec_of(&d);
        b.max = vec_of(&d);
        d = draw_numbers(&rng, finite);
        box.center = vec_of(&d);
        box.half = vec_of(&d);
        box.axes.col[0] = vec_of(&d);
        box.axes.col[1] = vec_of(&d);
        box.axes.col[2] = vec_of(&d);
        memset(&o, 0, sizeof o);
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        if (test_int(&rng, 0, 1)) o.t_min = real_of(&d);
        for (int k = 0; k < 7; ++k) {
            hit.t = 0;
            hit.normal = cd_vec3_make(1, 0, 0);
            got[k] = k == 0   ? cd_sweep_sphere_sphere(s, motion, other, &o, &hit)
                     : k == 1 ? cd_sweep_sphere_capsule(s, motion, &capsule, &o, &hit)
                     : k == 2 ? cd_sweep_sphere_triangle(s, motion, t, &o, &hit)
                     : k == 3 ? cd_sweep_sphere_triangles(s, motion, t, 2, &o, &hit)
                     : k == 4 ? cd_sweep_sphere_polygon(s, motion, &t[0].a, 6, &o, &hit)
                     : k == 5 ? cd_sweep_sphere_aabb(s, motion, b, &o, &hit)
                              : cd_sweep_sphere_obb(s, motion, &box, &o, &hit);
            if (!got[k]) continue;
            CHECK(isfinite((double)hit.t) && hit.t >= 0 && hit.t <= 1);
            CHECK(cd_vec3_is_valid(hit.point) && cd_vec3_is_valid(hit.normal));
            CHECK(cd_vec3_dot(hit.normal, hit.normal) > 0 && !isnan((double)hit.u) && !isnan((double)hit.v));
        }
    }
}

/* ---- end of sweep spheres ---- */

/* ---- sweep capsules ---- */

static void check_swept_capsule(const draw *numbers, bool found, const cd_hit *hit) {
    draw d = *numbers;
    if (!found) return;
    SOUND(hit->t);
    SOUND(hit->depth);
    SOUND_VEC(hit->point);
    SOUND_VEC(hit->normal);
    CHECK(d.finite); /* what is not finite is not hit */
}

static void sweep_capsules(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 2) > 0);
        cd_cast_options options = {(uint32_t)test_int(&rng, 0, 31), 0, NULL, NULL, 0};
        cd_capsule c, target;
        cd_sphere ball;
        cd_triangle t;
        cd_vec3 motion, corner[4];
        cd_obb box = cd_obb_from_aabb(box_of(&d));
        cd_hit hit;
        d.used = 0;
        c.a = vec_of(&d);
        c.b = vec_of(&d);
        c.radius = (cd_real)fabs((double)real_of(&d));
        motion = vec_of(&d);
        target = c;
        target.a = ball.center = vec_of(&d);
        ball.radius = target.radius;
        t = triangle_of(&d);
        for (int k = 0; k < 4; ++k) corner[k] = vec_of(&d);
        if (test_int(&rng, 0, 1)) box.half = cd_vec3_make(1, 2, 3);
        if (test_int(&rng, 0, 1)) box.axes.col[0] = t.a;
        if (!d.finite) c.a.x = (cd_real)(test_int(&rng, 0, 1) ? NAN : INFINITY);
        check_swept_capsule(&d, cd_sweep_capsule_sphere(&c, motion, ball, &options, &hit), &hit);
        check_swept_capsule(&d, cd_sweep_capsule_capsule(&c, motion, &target, &options, &hit), &hit);
        check_swept_capsule(&d, cd_sweep_capsule_triangle(&c, motion, &t, &options, &hit), &hit);
        check_swept_capsule(&d, cd_sweep_capsule_triangles(&c, motion, &t, 1, &options, &hit), &hit);
        check_swept_capsule(&d, cd_sweep_capsule_polygon(&c, motion, corner, 4, &options, &hit), &hit);
        check_swept_capsule(&d, cd_sweep_capsule_aabb(&c, motion, box_of(&d), &options, &hit), &hit);
        check_swept_capsule(&d, cd_sweep_capsule_obb(&c, motion, &box, &options, &hit), &hit);
        CHECK(!cd_sweep_capsule_polygon(&c, motion, NULL, 0, &options, &hit));
        CHECK(!cd_sweep_capsule_triangles(&c, motion, NULL, 0, &options, &hit));
    }
}

/* ---- end of sweep capsules ---- */

/* ---- sweep boxes ---- */

static void sweep_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_triangle t = triangle_of(&d);
        cd_aabb box = box_of(&d), a = box_of(&d);
        cd_vec3 m = vec_of(&d);
        cd_obb o;
        cd_cast_options options;
        cd_hit h;
        memset(&options, 0, sizeof options);
        options.flags = (uint32_t)test_int(&rng, 0, 31);
        options.t_min = test_int(&rng, 0, 1) ? 0 : real_of(&d);
        o.center = vec_of(&d);
        o.axes = cd_mat3_from_axis_angle(t.a, t.a.x);
        o.half = t.b;
#define SOUND_SWEEP(target, b)                                                                               \
    do {                                                                                                     \
        if (cd_sweep_aabb_##target(a, m, b, &options, &h)) SOUND_VEC(h.point);                               \
        if (cd_sweep_obb_##target(&o, m, b, NULL, &h)) CHECK(h.t >= 0 && h.t <= 1);                          \
    } while (0)
        SOUND_SWEEP(aabb, box);
        SOUND_SWEEP(obb, &o);
        SOUND_SWEEP(triangle, &t);
        if (cd_sweep_aabb_polygon(a, m, &t.a, 3, &options, &h)) SOUND_VEC(h.normal);
        if (cd_sweep_obb_polygon(&o, m, &t.a, 2, NULL, &h)) CHECK(h.t >= 0 && h.t <= 1);
#undef SOUND_SWEEP
    }
}

/* ---- end of sweep boxes ---- */

/* ---- sweep ellipsoids ---- */

static void sweep_ellipsoids(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_cast_options o = {0};
        cd_vec3 v = vec_of(&d), corner[5];
        cd_triangle t = triangle_of(&d);
        cd_ellipsoid e;
        cd_sphere s;
        cd_obb b;
        cd_aabb box;
        cd_hit h;
        e.center = vec_of(&d);
        e.half = vec_of(&d);
        e.axes = cd_mat3_from_axis_angle(vec_of(&d), real_of(&d));
        if (test_int(&rng, 0, 1)) e.half = cd_vec3_max(e.half, cd_vec3_neg(e.half));
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        box = box_of(&d);
        b.center = s.center;
        b.axes = e.axes;
        b.half = cd_vec3_max(box.max, cd_vec3_neg(box.max));
        corner[0] = t.a;
        corner[1] = t.b;
        corner[2] = t.c;
        corner[3] = box.min;
        corner[4] = t.a;
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        o.t_min = test_int(&rng, 0, 3) ? 0 : real_of(&d);
        sound_sweep(cd_sweep_ellipsoid_sphere(&e, v, s, &o, &h), &h);
        sound_sweep(cd_sweep_ellipsoid_triangle(&e, v, &t, &o, &h), &h);
        sound_sweep(cd_sweep_ellipsoid_polygon(&e, v, corner, (size_t)test_int(&rng, 0, 5), &o, &h), &h);
        sound_sweep(cd_sweep_ellipsoid_aabb(&e, v, box, &o, &h), &h);
        sound_sweep(cd_sweep_ellipsoid_obb(&e, v, &b, &o, &h), &h);
    }
}

/* ---- end of sweep ellipsoids ---- */

/* ---- motions ---- */

static bool box_is_sound(cd_aabb b) {
    return !isnan((double)b.min.x + (double)b.min.y + (double)b.min.z) &&
           !isnan((double)b.max.x + (double)b.max.y + (double)b.max.z);
}

static cd_motion motion_of(draw *d, int kind) {
    cd_transform from, to;
    cd_motion m;
    from.rotation = quat_of(d);
    from.position = vec_of(d);
    to.rotation = quat_of(d);
    to.position = vec_of(d);
    cd_motion_make((cd_motion_kind)kind, &from, &to, &m); /* at rest where it fails */
    return m;
}

static cd_real number_distance(void *user, cd_real t) {
    draw *d = (draw *)user;
    return t >= 0 ? real_of(d) : 0;
}

static cd_real number_speed(void *user, cd_real t0, cd_real t1) {
    draw *d = (draw *)user;
    return t1 >= t0 ? real_of(d) : 0;
}

static bool number_may_touch(void *user, cd_real t0, cd_real t1) {
    draw *d = (draw *)user;
    return real_of(d) > 0 && t0 <= t1;
}

static bool halving_is_sound(cd_halving r) {
    return r.t >= 0 && r.t <= 1 && r.gap >= 0 && r.iterations <= 40;
}

static void motions(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_motion a = motion_of(&d, (int)(i % 6)), b = motion_of(&d, (int)(i / 6 % 5)), c;
        cd_real t = real_of(&d), u = real_of(&d);
        cd_vec3 motion = vec_of(&d);
        cd_sphere s, r;
        cd_capsule capsule;
        cd_triangle triangle = triangle_of(&d);
        cd_obb obb = cd_obb_from_aabb(box_of(&d));
        cd_transform pose = cd_motion_pose(&a, t);
        cd_halving_options o;
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        r.center = vec_of(&d);
        r.radius = real_of(&d);
        capsule.a = s.center;
        capsule.b = r.center;
        capsule.radius = r.radius;
        memset(&o, 0, sizeof o);
        o.max_iterations = 40;
        if (i % 3 == 0) o.tolerance = real_of(&d);
        if (i % 5 == 0) o.t_min = real_of(&d);
        CHECK(cd_transform_is_valid(&pose));
        pose = cd_motion_relative_pose(&a, &b, t);
        CHECK(cd_quat_is_valid(pose.rotation));
        cd_motion_relative(&a, &b, &c);
        CHECK(cd_motion_bound(&a, s.radius, t, u) >= 0);
        CHECK(cd_motion_speed(&b, s.radius, t, u) >= 0);
        CHECK(cd_motion_relative_bound(&a, s.radius, &b, r.radius, t, u) >= 0);
        CHECK(cd_motion_relative_speed(&a, s.radius, &b, r.radius, t, u) >= 0);
        CHECK(cd_motion_reach(&a, box_of(&d)) >= 0);
        CHECK(box_is_sound(cd_motion_bounds_sphere(s, &a, t, u)));
        CHECK(box_is_sound(cd_motion_bounds_capsule(&capsule, &a, t, u)));
        CHECK(box_is_sound(cd_motion_bounds_aabb(box_of(&d), &a, t, u)));
        CHECK(box_is_sound(cd_motion_bounds_obb(&obb, &a, t, u)));
        CHECK(box_is_sound(cd_motion_bounds_triangle(&triangle, &a, t, u)));
        CHECK(box_is_sound(cd_sweep_bounds_sphere(s, motion)));
        CHECK(box_is_sound(cd_sweep_bounds_capsule(&capsule, motion)));
        CHECK(box_is_sound(cd_sweep_bounds_aabb(box_of(&d), motion)));
        CHECK(box_is_sound(cd_sweep_bounds_obb(&obb, motion)));
        CHECK(box_is_sound(cd_sweep_bounds_triangle(&triangle, motion)));
        CHECK(halving_is_sound(cd_sweep_motions_sphere_sphere(&a, s, &b, r, &o)));
        CHECK(halving_is_sound(cd_sweep_motions_capsule_capsule(&a, &capsule, &b, &capsule, &o)));
        CHECK(halving_is_sound(cd_sweep_interval_halving(number_distance, number_speed, 1, &d, &o)));
        CHECK(halving_is_sound(cd_sweep_interval_halving_spans(number_may_touch, &d, &o)));
    }
}

/* ---- end of motions ---- */

/* ---- ccd ---- */

static void ccd(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 start[4], end[4];
        cd_ccd_options o;
        cd_ccd_hit h;
        memset(&o, 0, sizeof o);
        for (int k = 0; k < 4; ++k) {
            cd_vec3 p = vec_of(&d), q = vec_of(&d);
            start[k] = p;
            end[k] = q;
        }
        if (test_int(&rng, 0, 1)) {
            o.most_steps = 1u << test_int(&rng, 0, 8);
            o.tolerance = real_of(&d);
            o.min_separation = real_of(&d);
            o.t_min = real_of(&d);
            o.t_max = real_of(&d);
        }
        for (int k = 0; k < 2; ++k) {
            if (!(k ? cd_ccd_edge_edge : cd_ccd_vertex_face)(start, end, &o, &h)) continue;
            CHECK(h.t >= 0 && h.t <= 1 && h.distance >= 0 && !isinf((double)h.distance));
            CHECK_NEAR(cd_vec3_length(h.normal), 1, 1e-6);
            SOUND_VEC(h.a);
            SOUND_VEC(h.b);
            SOUND(h.u + h.v);
        }
    }
}

/* ---- end of ccd ---- */

/* ---- the dynamic tree ---- */

/* Every query on a tree of boxes near the ends of the numbers. */
static void ask_dyntree(const cd_dyntree *t, draw *d) {
    cd_vec3 p = vec_of(d), q = vec_of(d);
    cd_ray r = cd_ray_through(p, q);
    cd_sphere s;
    cd_bvh_volume v;
    cd_hit hit;
    cd_closest c;
    size_t all = cd_bvh_self_pairs(&t->bvh, NULL, NULL, 0);
    s.center = p;
    s.radius = real_of(d);
    v = cd_bvh_volume_sphere(s);
    CHECK(cd_dyntree_moved_pairs(t, NULL, NULL, 0) <= all);
    if (cd_bvh_cast_ray(&t->bvh, &r, real_of(d), NULL, &hit)) CHECK(cd_dyntree_contains(t, hit.index));
    if (cd_bvh_closest(&t->bvh, p, real_of(d), NULL, &c)) CHECK(cd_dyntree_contains(t, c.index_b));
    if (cd_bvh_sweep(&t->bvh, &v, q, NULL, &hit)) CHECK(cd_dyntree_contains(t, hit.index));
    CHECK(cd_bvh_overlap_list(&t->bvh, &v, NULL, NULL, 0) <= cd_dyntree_count(t));
}

static void corpus_dyntree(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        cd_dyntree t;
        cd_dyntree_options o;
        draw d;
        memset(&o, 0, sizeof o);
        d = draw_numbers(&rng, false);
        o.margin = real_of(&d);
        if (cd_dyntree_init(&t, &o) != CD_OK) CHECK(!(o.margin >= 0 && o.margin <= CD_REAL_MAX));
        for (int k = 0; k < 20; ++k) {
            uint32_t id = (uint32_t)test_int(&rng, 0, 14), told = CD_NONE, count = cd_dyntree_count(&t);
            cd_aabb box, kept;
            cd_vec3 motion;
            bool good, is_there = cd_dyntree_contains(&t, id);
            cd_status status;
            d = draw_numbers(&rng, test_int(&rng, 0, 3) != 0);
            box = aabb_of(&d);
            motion = vec_of(&d);
            good = cd_aabb_is_valid(box);
            CHECK_INT(cd_dyntree_insert(&t, box, id, &told), good ? CD_OK : CD_INVALID_ARGUMENT);
            CHECK_INT(cd_dyntree_count(&t), count + good);
            if (good && k % 3 == 0) CHECK_INT(cd_dyntree_remove(&t, told), CD_OK);
            if (told == id && good && !is_there) continue;
            kept = cd_dyntree_get_box(&t, id);
            box = aabb_of(&d);
            good = is_there && cd_aabb_is_valid(box) && isfinite((double)motion.x) &&
                   isfinite((double)motion.y) && isfinite((double)motion.z);
            status = cd_dyntree_move(&t, id, box, motion);
            CHECK_INT(status, good ? CD_OK : CD_INVALID_ARGUMENT);
            if (good) kept = box;
            box = cd_dyntree_get_box(&t, id);
            CHECK(!memcmp(&box, &kept, sizeof box));
            CHECK_INT(cd_dyntree_validate(&t), CD_OK);
            ask_dyntree(&t, &d);
        }
        cd_dyntree_destroy(&t);
    }
}

/* ---- refitted trees ---- */

static void corpus_refit(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        static const uint32_t indices[12] = {0, 1, 2, 2, 3, 4, 5, 6, 7, 0, 3, 6};
        cd_bvh mesh_tree, box_tree, point_tree;
        cd_vec3 p[8];
        cd_aabb b[4];
        cd_mesh_view view = cd_mesh_view_make(p, 8, indices, 4);
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.leaf_size = (uint32_t)test_int(&rng, 1, 4);
        o.layout = (uint32_t)test_int(&rng, 0, 3);
        for (int frame = 0; frame < 5; ++frame) {
            bool finite = frame == 0 || test_int(&rng, 0, 1), sound = true;
            draw d = draw_numbers(&rng, finite);
            cd_bvh_refit_options r;
            cd_status want;
            memset(&r, 0, sizeof r);
            r.flags = o.layout == CD_BVH_COMPACT ? 0 : (uint32_t)test_int(&rng, 0, 2);
            for (int k = 0; k < 8; ++k) p[k] = vec_of(&d);
            for (int k = 0; k < 4; ++k) b[k] = cd_aabb_from_points(&p[2 * k], 2);
            for (int k = 0; k < 8; ++k)
                sound =
                    sound && isfinite((double)p[k].x) && isfinite((double)p[k].y) && isfinite((double)p[k].z);
            want = sound ? CD_OK : CD_INVALID_ARGUMENT;
            if (frame == 0) {
                CHECK_INT(cd_bvh_build_mesh(&mesh_tree, &view, &o), CD_OK);
                CHECK_INT(cd_bvh_build_boxes(&box_tree, b, 4, NULL), CD_OK);
                CHECK_INT(cd_bvh_build_points(&point_tree, p, 8, NULL), CD_OK);
            }
            CHECK_INT(cd_bvh_refit_mesh(&mesh_tree, &view, &r, NULL), want);
            CHECK_INT(cd_bvh_refit_points(&point_tree, p, 8, &r, NULL), want);
            if (sound) CHECK_INT(cd_bvh_refit_boxes(&box_tree, b, 4, &r, NULL), CD_OK);
            CHECK_INT(cd_bvh_validate(&mesh_tree), CD_OK);
            CHECK_INT(cd_bvh_validate(&box_tree), CD_OK);
            CHECK_INT(cd_bvh_validate(&point_tree), CD_OK);
        }
        cd_bvh_destroy(&mesh_tree);
        cd_bvh_destroy(&box_tree);
        cd_bvh_destroy(&point_tree);
    }
}

/* ---- trees of oriented boxes and k-DOPs ---- */

static bool take_any_pair(void *user, cd_pair pair) {
    (void)user;
    return pair.a < 4 && pair.b < 4;
}

static bool take_any(void *user, uint32_t index) {
    (void)user;
    return index < 4;
}

/* Four triangles of any numbers, of which those that are not numbers are left out, asked with any numbers. */
static void corpus_bvtree(void) {
    static const uint32_t ks[4] = {6, 14, 18, 26};
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1), e = draw_numbers(&rng, false);
        cd_vec3 p[12];
        uint32_t indices[12];
        cd_mesh_view view = cd_mesh_view_make(p, 12, indices, 4);
        cd_bvh_options o;
        cd_bvtree tree;
        cd_transform pose;
        cd_closest c;
        cd_hit h;
        cd_ray r;
        cd_bvh_volume v;
        cd_sphere s;
        uint32_t kind = (uint32_t)test_int(&rng, 0, 4);
        for (uint32_t k = 0; k < 12; ++k) {
            p[k] = vec_of(&d);
            indices[k] = k;
            if (k % 3 == 2) d.used = test_int(&rng, 0, 3);
        }
        memset(&o, 0, sizeof o);
        o.flags = CD_BVH_SKIP_INVALID;
        o.leaf_size = (uint32_t)test_int(&rng, 0, 3);
        CHECK_INT(kind < 4 ? cd_kdoptree_build_mesh(&tree, &view, ks[kind], &o)
                           : cd_obbtree_build_mesh(&tree, &view, &o),
                  CD_OK);
        CHECK_INT(cd_bvtree_validate(&tree), CD_OK);
        r.origin = vec_of(&e);
        r.dir = vec_of(&e);
        pose.position = vec_of(&e);
        pose.rotation = gen_quat(&rng);
        s.center = r.origin;
        s.radius = real_of(&e);
        v = cd_bvh_volume_sphere(s);
        if (cd_bvtree_cast_ray(&tree, &r, CD_REAL_MAX, NULL, &h)) SOUND(h.t);
        if (cd_bvtree_closest(&tree, r.origin, (cd_real)INFINITY, NULL, &c))
            CHECK(c.sqdist >= 0 && c.index_b < 4);
        CHECK(cd_bvtree_overlap(&tree, &v, NULL, take_any, NULL));
        v = cd_bvh_volume_aabb(cd_aabb_from_points(p, 2));
        CHECK(cd_bvtree_overlap(&tree, &v, NULL, take_any, NULL));
        CHECK(cd_bvtree_traverse_pairs(&tree, &tree, &pose, NULL, take_any_pair, NULL));
        CHECK(cd_bvtree_traverse_within(&tree, &tree, &pose, s.radius, NULL, take_any_pair, NULL));
        if (cd_bvtree_closest_bvtree(&tree, &tree, &pose, (cd_real)INFINITY, NULL, &c))
            CHECK(c.sqdist >= 0 && c.index_a < 4 && c.index_b < 4);
        cd_bvtree_destroy(&tree);
    }
}

/* ---- sphere trees, the growing one ---- */

static void corpus_spheretree(void) {
    test_rng rng = test_random();
    for (long i = test_times(80); i > 0; --i) {
        cd_bvh_spheres t;
        cd_vec3 corner[9];
        cd_mesh_view v = cd_mesh_view_make(corner, 9, NULL, 3);
        cd_sphere s, spheres[8];
        uint32_t id = 0;
        size_t n;
        memset(&t, 0, sizeof t);
        for (int k = 0; k < 40; ++k) {
            draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
            cd_ray r;
            cd_hit h;
            s.center = vec_of(&d);
            s.radius = real_of(&d);
            r.origin = vec_of(&d);
            r.dir = vec_of(&d);
            if (k % 3 == 2) {
                cd_bvh_move_sphere(&t, (uint32_t)test_int(&rng, 0, k), s);
            } else {
                CHECK((cd_bvh_insert_sphere(&t, s, 0, &id) == CD_OK) == cd_sphere_is_valid(s));
            }
            cd_bvh_spheres_overlap_list(&t, s, NULL, NULL, 0);
            if (cd_bvh_spheres_cast_ray(&t, &r, real_of(&d), NULL, &h)) SOUND_VEC(h.normal);
            CHECK_INT(cd_bvh_spheres_validate(&t), CD_OK);
            corner[k % 9] = s.center;
        }
        cd_bvh_spheres_self_pairs(&t, NULL, NULL, 0);
        cd_bvh_spheres_destroy(&t);
        for (uint32_t method = 0; method < 4; ++method) {
            draw d = draw_numbers(&rng, false);
            cd_spheretree_options o;
            cd_transform pose;
            cd_bvtree tree;
            cd_status status;
            memset(&o, 0, sizeof o);
            o.flags = (uint32_t)test_int(&rng, 0, 1);
            o.method = method;
            o.radius = real_of(&d);
            pose.rotation = quat_of(&d);
            pose.position = vec_of(&d);
            status = cd_spheretree_build_mesh(&tree, &v, &o);
            CHECK((status == CD_OK) == (tree.block != NULL));
            CHECK_INT(cd_bvtree_validate(&tree), CD_OK);
            n = cd_spheretree_level(&tree, 1, spheres, 8);
            for (size_t k = 0; k < n && k < 8; ++k) CHECK(spheres[k].radius >= 0);
            CHECK(!(cd_spheretree_measure(&tree, 1).sticks_out < 0));
            cd_spheretree_may_meet(&tree, &tree, &pose, 3, 0, NULL);
            cd_bvtree_destroy(&tree);
        }
        if (cd_spheretree_cover(&v, s.radius, spheres, 8, &n) != CD_OK) CHECK_INT(n, 0);
    }
}

/* ---- moving meshes ---- */

static void flight_is_sound(cd_halving r, const cd_closest *c) {
    CHECK(r.t >= 0 && r.t <= 1 && r.gap >= 0);
    CHECK(c->index_a == CD_NONE || (c->index_a < 4 && c->index_b < 4));
    CHECK(!(c->sqdist < 0));
}

static void swept_triangles(test_rng *rng, draw *d) {
    cd_triangle t = triangle_of(d), u = triangle_of(d);
    cd_vec3 motion = vec_of(d);
    cd_aabb box = box_of(d);
    cd_obb obb = cd_obb_from_aabb(box);
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(rng, 0, 31);
    o.t_min = test_int(rng, 0, 1) ? real_of(d) : 0;
    sound_sweep(cd_sweep_triangle_triangle(&t, motion, &u, &o, &h), &h);
    sound_sweep(cd_sweep_triangle_aabb(&t, motion, box, &o, &h), &h);
    sound_sweep(cd_sweep_triangle_obb(&t, motion, &obb, &o, &h), &h);
}

/* Up to four things of any kind. */
static cd_bvh some_tree(test_rng *rng, draw *d) {
    static const uint32_t corner[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    cd_vec3 point[12];
    cd_aabb box[4];
    cd_mesh_view view;
    cd_bvh_options o;
    cd_bvh tree;
    uint32_t kind = (uint32_t)test_int(rng, 0, 2);
    uint32_t count = (uint32_t)test_int(rng, 0, 4);
    memset(&o, 0, sizeof o);
    o.layout = (uint32_t)test_int(rng, 0, kind ? 2 : 3);
    for (int i = 0; i < 12; ++i) {
        cd_vec3 p = vec_of(d);
        point[i] = p;
    }
    for (int i = 0; i < 4; ++i) {
        cd_aabb b = box_of(d);
        box[i] = b;
    }
    view = cd_mesh_view_make(point, 12, corner, count);
    if (kind == 0) cd_bvh_build_mesh(&tree, &view, &o);
    if (kind == 1) cd_bvh_build_boxes(&tree, box, count, &o);
    if (kind == 2) cd_bvh_build_points(&tree, point, count, &o);
    return tree;
}

static void corpus_mesh_sweeps(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_bvh a = some_tree(&rng, &d), b = some_tree(&rng, &d);
        cd_motion m = motion_of(&d, (int)(i % 6)), n = motion_of(&d, (int)(i / 6 % 5));
        cd_vec3 motion_a = vec_of(&d), motion_b = vec_of(&d);
        cd_transform pose;
        cd_bvh_pair_sweep_options o;
        cd_halving_options few;
        cd_bvh_volume v;
        cd_sphere ball;
        cd_pair pair;
        cd_closest c;
        cd_hit h;
        memset(&o, 0, sizeof o);
        memset(&few, 0, sizeof few);
        few.max_iterations = 20;
        pose.rotation = quat_of(&d);
        pose.position = vec_of(&d);
        ball.center = vec_of(&d);
        ball.radius = real_of(&d);
        if (i % 3 == 0) o.t_min = real_of(&d);
        if (i % 5 == 0) o.t_max = real_of(&d);
        if (i % 5 == 1) few.tolerance = real_of(&d);
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        swept_triangles(&rng, &d);
        if (cd_bvh_sweep_bvh(&a, motion_a, &b, i % 2 ? &pose : NULL, motion_b, &o, &h, &pair)) {
            CHECK(pair.a < 4 && pair.b < 4 && h.index == pair.b);
            CHECK(h.t >= 0 && h.t <= 1);
            CHECK(cd_bvh_test_sweep_bvh(&a, motion_a, &b, i % 2 ? &pose : NULL, motion_b, &o, NULL));
        }
        flight_is_sound(cd_bvh_sweep_bvh_motions(&a, &m, &b, &n, &few, NULL, &c), &c);
        v = i % 4 == 0   ? cd_bvh_volume_sphere(ball)
            : i % 4 == 1 ? cd_bvh_volume_aabb(box_of(&d))
                         : cd_bvh_volume_planes(NULL, (uint32_t)(i % 3));
        flight_is_sound(cd_bvh_sweep_motion(&a, &v, &m, &few, NULL, &c), &c);
        cd_bvh_destroy(&a);
        cd_bvh_destroy(&b);
    }
}

/* ---- fronts, caches, pairs of boxes ---- */

/* Whatever numbers come: what the plain calls say. That primitives have moved is only told of a tree that the fronts know: of
 * another one in the same place it would say that its bounds are those of the tree before, refitted. */
static void corpus_front(cd_bvh_front front[2], const cd_bvh *tree, bool known, draw *d) {
    cd_transform pose = cd_transform_identity();
    cd_pair last = {0, 0}, pair;
    cd_real distance;
    pose.rotation = quat_of(d);
    pose.position = vec_of(d);
    distance = real_of(d);
    for (int i = 0; i < 2; ++i) {
        cd_real moved = real_of(d);
        if (known) cd_bvh_front_moved(&front[i], moved);
    }
    CHECK_INT(cd_bvh_front_pairs(&front[0], tree, tree, &pose, distance, NULL, &pair, 1),
              cd_bvh_within(tree, tree, &pose, distance, NULL, NULL, 0));
    CHECK_INT(cd_bvh_front_self_pairs(&front[1], tree, NULL, NULL, 0),
              cd_bvh_self_pairs(tree, NULL, NULL, 0));
    CHECK_INT(cd_bvh_test_bvh_again(tree, tree, &pose, NULL, &last, NULL),
              cd_bvh_test_bvh(tree, tree, &pose, NULL, NULL));
    CHECK_INT(cd_bvh_test_within_again(tree, tree, &pose, distance, NULL, &last, NULL),
              cd_bvh_test_within(tree, tree, &pose, distance, NULL, NULL));
    last.a = 7;
    CHECK_INT(cd_bvh_closest_bvh_again(tree, tree, &pose, distance, NULL, &last, NULL),
              cd_bvh_closest_bvh(tree, tree, &pose, distance, NULL, NULL));
}

/* A front begins anew by itself with another tree, but for one of the same size and bounds in the same memory. */
static void corpus_fronts(void) {
    test_rng rng = test_random();
    cd_bvh_front front[2];
    cd_aabb bounds;
    uintptr_t place = 0;
    uint32_t size = 0;
    memset(front, 0, sizeof front);
    memset(&bounds, 0, sizeof bounds);
    for (long n = test_times(300); n > 0; --n) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_aabb boxes[6], now;
        uint32_t count = 0;
        cd_bvh tree;
        for (int i = 0; i < 6; ++i) {
            cd_vec3 corner[2];
            corner[0] = vec_of(&d);
            corner[1] = vec_of(&d);
            boxes[count] = cd_aabb_from_points(corner, 2);
            count += cd_aabb_is_valid(boxes[count]);
        }
        if (cd_bvh_build_boxes(&tree, boxes, count, NULL) != CD_OK) continue;
        now = cd_bvh_bounds(&tree);
        if ((uintptr_t)tree.block == place && cd_bvh_count(&tree) == size &&
            memcmp(&bounds, &now, sizeof now) == 0) {
            cd_bvh_front_reset(&front[0]);
            cd_bvh_front_reset(&front[1]);
        }
        place = (uintptr_t)tree.block;
        size = cd_bvh_count(&tree);
        bounds = now;
        for (int i = 0; i < 4; ++i) {
            draw e = draw_numbers(&rng, i == 1);
            corpus_front(front, &tree, i > 0, &e);
        }
        cd_bvh_destroy(&tree);
    }
    cd_bvh_front_destroy(&front[0]);
    cd_bvh_front_destroy(&front[1]);
}

/* ---- height fields ---- */

static cd_height_view field_of(draw *d, test_rng *rng, cd_real *samples) {
    cd_height_view v;
    memset(&v, 0, sizeof v);
    for (int i = 0; i < 20; ++i) samples[i] = real_of(d);
    v.samples = samples;
    v.columns = 5;
    v.rows = 4;
    v.up = (uint32_t)test_int(rng, 0, 2);
    v.cut = (uint32_t)test_int(rng, 0, 3);
    v.origin = vec_of(d);
    v.spacing[0] = real_of(d);
    v.spacing[1] = real_of(d);
    v.scale = real_of(d);
    if (test_int(rng, 0, 2)) v.origin = cd_vec3_make(0, 0, 0);
    if (test_int(rng, 0, 2)) v.spacing[0] = v.spacing[1] = v.scale = 1;
    return v;
}

static void corpus_heights(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_real samples[20], h = 0;
        cd_height_view v = field_of(&d, &rng, samples);
        cd_bvh_options o;
        cd_bvh t;
        cd_ray r;
        cd_hit hit;
        cd_closest c;
        cd_vec3 n = cd_vec3_make(0, 0, 0);
        cd_sphere s;
        cd_status status;
        memset(&o, 0, sizeof o);
        o.flags = test_int(&rng, 0, 3) ? CD_BVH_SKIP_INVALID : 0;
        status = cd_bvh_build_heights(&t, &v, &o);
        CHECK(status == CD_OK || (status == CD_INVALID_ARGUMENT && !t.block));
        if (status != CD_OK) continue;
        CHECK_INT(cd_bvh_validate(&t), CD_OK);
        r.origin = vec_of(&d);
        r.dir = vec_of(&d);
        s.center = vec_of(&d);
        s.radius = real_of(&d);
        if (cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit)) SOUND(hit.t);
        if (cd_bvh_closest(&t, s.center, CD_REAL_MAX, NULL, &c)) SOUND(c.sqdist);
        if (cd_bvh_sweep_sphere(&t, s, r.dir, NULL, &hit)) SOUND(hit.t);
        if (cd_heights_height_at(&t, real_of(&d), real_of(&d), &h, &n)) {
            SOUND(h);
            SOUND_VEC(n);
        }
        samples[0] = real_of(&d);
        status = cd_heights_update(&t, 1, 2, 3, 1, samples, 0);
        CHECK(status == CD_OK || (status == CD_INVALID_ARGUMENT && !o.flags));
        CHECK_INT(cd_bvh_validate(&t), CD_OK);
        cd_bvh_destroy(&t);
    }
}

static uint32_t odd_function(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const cd_vec3 *p = (const cd_vec3 *)user;
    *out = dir.x > 0 ? p[0] : p[1];
    return hint;
}

static void odd_support(cd_support s, cd_vec3 dir) {
    cd_vec3 p = cd_support_farthest(&s, dir);
    bool given = isfinite((double)p.x) && isfinite((double)p.y) && isfinite((double)p.z);
    CHECK(given || (isnan((double)p.x) && isnan((double)p.y) && isnan((double)p.z)));
    CHECK(!given || (cd_support_is_valid(&s) && cd_vec3_is_valid(dir)));
}

static void corpus_supports(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(400); i < times; ++i) {
        draw d = draw_numbers(&rng, i % 2 == 0);
        cd_vec3 p[8], dir = vec_of(&d);
        cd_aabb box = box_of(&d);
        cd_obb b;
        cd_ellipsoid e;
        cd_hull hull;
        cd_real radius = real_of(&d);
        const void *q = p;
        for (int k = 0; k < 8; ++k) p[k] = vec_of(&d);
        b.center = e.center = p[0];
        b.half = e.half = p[1];
        b.axes = e.axes = cd_quat_to_mat3(quat_of(&d));
        odd_support(cd_support_of_point(p[0]), dir);
        odd_support(cd_support_of_points(p, (size_t)test_int(&rng, 0, 8)), dir);
        odd_support(cd_support_of_segment((const cd_segment *)q), dir);
        odd_support(cd_support_of_triangle((const cd_triangle *)q), dir);
        odd_support(cd_support_of_tetrahedron((const cd_tetrahedron *)q), dir);
        odd_support(cd_support_of_capsule((const cd_capsule *)q), dir);
        odd_support(cd_support_of_rect((const cd_rect *)q), dir);
        odd_support(cd_support_of_lozenge((const cd_lozenge *)q), dir);
        odd_support(cd_support_of_disc((const cd_disc *)q), dir);
        odd_support(cd_support_of_cylinder((const cd_cylinder *)q), dir);
        odd_support(cd_support_of_cone((const cd_cone *)q), dir);
        odd_support(cd_support_of_aabb(&box), dir);
        odd_support(cd_support_of_obb(&b), dir);
        odd_support(cd_support_of_ellipsoid(&e), dir);
        odd_support(cd_support_of_function(odd_function, p, p[2], radius), dir);
        if (cd_hull3_build(&hull, p, 8, NULL) == CD_OK) {
            cd_support s = cd_support_of_hull(&hull);
            uint32_t v = cd_hull_support(&hull, dir), count = cd_hull_get_parts(&hull).vertex_count;
            CHECK(v < count || (v == CD_NONE && count == 0));
            CHECK_INT(cd_hull_support_from(&hull, dir, (uint32_t)test_next(&rng)), v);
            odd_support(cd_support_rounded(&s, radius), dir);
        }
        cd_hull_destroy(&hull);
    }
}

static void corpus_gjk(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(400); i < times; ++i) {
        draw d = draw_numbers(&rng, i % 2 == 0);
        cd_triangle t = triangle_of(&d);
        cd_aabb box = box_of(&d);
        cd_cylinder tin;
        cd_transform pose;
        cd_separation_options o;
        cd_support s[4];
        cd_cache cache;
        tin.a = vec_of(&d);
        tin.b = vec_of(&d);
        tin.radius = real_of(&d);
        pose.rotation = quat_of(&d);
        pose.position = vec_of(&d);
        o.max_distance = real_of(&d);
        o.tolerance = real_of(&d);
        o.max_iterations = (uint32_t)test_int(&rng, 0, 3);
        s[0] = cd_support_of_triangle(&t);
        s[1] = cd_support_of_aabb(&box);
        s[2] = cd_support_of_cylinder(&tin);
        s[3] = cd_support_rounded(&s[0], real_of(&d));
        for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_next(&rng) >> test_int(&rng, 0, 31);
        for (int k = 0; k < 4; ++k) {
            cd_separation r =
                cd_gjk_distance(&s[k], &s[(k + 1) % 4], k & 1 ? &pose : NULL, i & 4 ? &o : NULL, &cache);
            bool met = cd_gjk_test(&s[k], &s[(k + 1) % 4], k & 1 ? &pose : NULL, &cache);
            if (r.status == CD_INVALID_ARGUMENT) {
                CHECK(!met);
                continue;
            }
            SOUND(r.distance);
            SOUND(r.gap);
            SOUND_VEC(r.normal);
            SOUND_VEC(r.a);
            SOUND_VEC(r.b);
        }
    }
}

/* Bad numbers one at a time in two bodies, and anywhere in both: no hang, an answer or none, and never half of one. */
static void check_depth(const cd_vec3 *a, const cd_vec3 *b, cd_real radius, const cd_transform *pose,
                        cd_cache *cache) {
    cd_support s = cd_support_of_points(a, 4), t = cd_support_of_points(b, 3);
    s.radius = radius;
    for (int which = 0; which < 2; ++which) {
        cd_separation x =
            which ? cd_epa(&s, &t, pose, NULL, cache) : cd_convex_distance(&s, &t, pose, NULL, cache);
        if (x.status == CD_INVALID_ARGUMENT) {
            CHECK(x.distance != x.distance);
        } else {
            CHECK(x.distance == x.distance && x.normal.x == x.normal.x && x.gap >= 0);
        }
    }
}

static void corpus_epa(void) {
    test_rng rng = test_random();
    cd_cache cache;
    cd_support nothing;
    memset(&cache, 0, sizeof cache);
    memset(&nothing, 0, sizeof nothing);
    CHECK_INT(cd_epa(&nothing, &nothing, NULL, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_convex_distance(&nothing, &nothing, NULL, NULL, &cache).status, CD_INVALID_ARGUMENT);
    for (int i = 0; i < gen_bad_count; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[7];
        cd_transform pose = gen_pose(&rng, 0.5);
        cd_real bad = (cd_real)gen_bad_numbers[i];
        for (int k = 0; k < 7; ++k) p[k] = gen_point(&g);
        check_depth(p, p + 4, bad, &pose, &cache);
        REALS(p)[test_int(&rng, 0, 20)] = bad;
        check_depth(p, p + 4, 0, &pose, &cache);
        for (int k = 0; k < 21; ++k)
            if (test_int(&rng, 0, 1)) REALS(p)[k] = bad;
        check_depth(p, p + 4, 0, NULL, &cache);
        REALS(pose)[test_int(&rng, 0, 6)] = bad;
        check_depth(p, p + 4, 0, &pose, &cache);
    }
    for (long i = test_times(300); i > 0; --i) {
        cd_vec3 p[7];
        for (int k = 0; k < 21; ++k) REALS(p)[k] = gen_any_real(&rng);
        test_note("");
        test_note_reals("p", REALS(p), 21);
        check_depth(p, p + 4, 0, NULL, NULL);
    }
}

/* Every number of two boxes, a pose, a motion and a triangle in turn; and caches of any content. */
static void corpus_sat(void) {
    cd_vec3 p[8];
    cd_hull hull;
    for (int i = 0; i < 8; ++i)
        p[i] = cd_vec3_make((cd_real)(i & 1), (cd_real)(i >> 1 & 1), (cd_real)(i >> 2));
    CHECK_INT(cd_hull3_build(&hull, p, 8, NULL), CD_OK);
    for (int i = 0; i < gen_bad_count; ++i) {
        for (int k = 0; k < 34; ++k) {
            cd_obb box = cd_obb_from_aabb(cd_hull_bounds(&hull));
            cd_transform pose;
            cd_vec3 corner[3], motion = cd_vec3_make(1, 2, 3);
            cd_support s, t, h = cd_support_of_hull(&hull);
            cd_cache cache;
            cd_sat_axis one, two;
            cd_hit hit;
            cd_real bad = (cd_real)gen_bad_numbers[i];
            memset(&pose, 0, sizeof pose);
            memset(&cache, i, sizeof cache);
            for (int c = 0; c < 3; ++c) corner[c] = cd_vec3_scale(p[c + 1], (cd_real)0.5);
            if (k < 15) {
                REALS(box)[k] = bad;
            } else if (k < 22) {
                REALS(pose)[k - 15] = bad;
            } else if (k < 25) {
                REALS(motion)[k - 22] = bad;
            } else {
                REALS(corner[0])[k - 25] = bad;
            }
            cache.words[0] = 0x53415400u | (uint32_t)k;
            s = cd_support_of_obb(&box);
            t = cd_support_of_points(corner, (size_t)(1 + k % 3));
            one = cd_sat_obb_obb(&box, &box, &pose, &cache);
            two = cd_sat_convex(&s, &t, &pose, &cache);
            CHECK_INT(one.status == CD_OK, one.separation == one.separation);
            CHECK_INT(two.status == CD_OK, two.separation == two.separation);
            one = cd_sat_hull_hull(&hull, &hull, &pose, &cache);
            CHECK_INT(one.status == CD_OK, one.separation == one.separation);
            if (one.status != CD_OK) CHECK(!cd_sat_test_hull_hull(&hull, &hull, &pose, &cache));
            if (cd_sat_test_convex(&h, &t, &pose, &cache)) CHECK(cd_support_is_valid(&t));
            if (cd_sat_test_obb_obb(&box, &box, NULL, NULL)) CHECK(cd_obb_is_valid(&box));
            if (cd_sweep_convex_convex_sat(&s, motion, &t, &pose, NULL, &hit))
                CHECK(cd_is_finite(hit.t) && cd_vec3_is_valid(hit.normal));
            if (cd_sweep_hull_hull_sat(&hull, motion, &hull, &pose, NULL, &hit))
                CHECK(cd_is_finite(hit.t) && cd_vec3_is_valid(hit.normal));
            if (cd_test_polyhedron_boundary(&hull, &hull, &pose)) CHECK(cd_transform_is_valid(&pose));
        }
    }
    cd_hull_destroy(&hull);
}

static void corpus_dk(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_vec3 p[16];
        cd_hull hull;
        cd_dk_hierarchy dk;
        for (int k = 0; k < 16; ++k) p[k] = vec_of(&d);
        if (cd_hull3_build(&hull, p, 16, NULL) != CD_OK) continue;
        CHECK_INT(cd_dk_hierarchy_build(&dk, &hull, NULL), CD_OK);
        CHECK_INT(cd_dk_hierarchy_validate(&dk), CD_OK);
        CHECK(cd_dk_hierarchy_support(&dk, vec_of(&d)) < cd_hull_get_parts(&hull).vertex_count);
        cd_dk_hierarchy_destroy(&dk);
        cd_hull_destroy(&hull);
    }
}

static void corpus_qp(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        draw d = draw_numbers(&rng, test_int(&rng, 0, 1) == 1);
        cd_plane p[10];
        cd_separation r;
        for (int k = 0; k < 10; ++k) {
            p[k].n = vec_of(&d);
            p[k].d = real_of(&d);
        }
        r = cd_qp_distance(p, (size_t)(i % 6), p + 5, 5, NULL, NULL);
        CHECK(r.status == CD_OK || r.status == CD_INVALID_ARGUMENT || r.status == CD_NOT_CONVERGED);
        if (r.status == CD_INVALID_ARGUMENT) continue;
        SOUND(r.distance);
        SOUND(r.gap);
        SOUND_VEC(r.normal);
        SOUND_VEC(r.a);
    }
}

static void any_reals(test_rng *rng, cd_real *out, int count) {
    for (int i = 0; i < count; ++i) out[i] = gen_any_real(rng);
}

/* Two bodies and how they move, of any numbers. */
typedef struct any_movers {
    cd_capsule rod;
    cd_aabb box;
    cd_triangle triangle;
    cd_cone cone;
    cd_support support[5];
    cd_transform pose[2];
    cd_ray ray;
} any_movers;

static void draw_any_movers(test_rng *rng, any_movers *m) {
    memset(m, 0, sizeof *m);
    any_reals(rng, REALS(m->rod), 7);
    any_reals(rng, REALS(m->box), 6);
    any_reals(rng, REALS(m->triangle), 9);
    any_reals(rng, REALS(m->cone), 7);
    any_reals(rng, REALS(m->pose), 14);
    any_reals(rng, REALS(m->ray), 6);
    m->support[0] = cd_support_of_capsule(&m->rod);
    m->support[1] = cd_support_of_aabb(&m->box);
    m->support[2] = cd_support_of_triangle(&m->triangle);
    m->support[3] = cd_support_of_cone(&m->cone);
}

static bool is_contact(const cd_hit *hit) {
    return cd_vec3_is_valid(hit->point) && cd_vec3_is_valid(hit->normal) && hit->t == hit->t &&
           hit->depth >= 0;
}

static void corpus_convex_casts(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(1000); ++i) {
        any_movers m;
        cd_cast_options o;
        cd_hit hit;
        int a = test_int(&rng, 0, 4), b = test_int(&rng, 0, 4);
        memset(&o, 0, sizeof o);
        draw_any_movers(&rng, &m);
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        if (!test_int(&rng, 0, 3)) o.t_min = gen_any_real(&rng);
        test_note("%ld: %d %d, flags %u ", i, a, b, (unsigned)o.flags);
        if (cd_gjk_sweep(&m.support[a], m.ray.dir, &m.support[b], m.pose, &o, &hit)) CHECK(is_contact(&hit));
        if (cd_gjk_raycast(&m.ray, gen_any_real(&rng), &m.support[b], &o, &hit)) CHECK(is_contact(&hit));
    }
}

static void corpus_time_of_impact(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(500); ++i) {
        any_movers m;
        cd_motion ma, mb;
        cd_impact_options o;
        cd_impact r;
        int a = test_int(&rng, 0, 4), b = test_int(&rng, 0, 4);
        memset(&o, 0, sizeof o);
        draw_any_movers(&rng, &m);
        cd_motion_make((cd_motion_kind)test_int(&rng, 0, 4), &m.pose[0], &m.pose[1], &ma);
        cd_motion_make((cd_motion_kind)test_int(&rng, 0, 4), &m.pose[1], &m.pose[0], &mb);
        if (!test_int(&rng, 0, 3)) ma.from = m.pose[1];
        if (!test_int(&rng, 0, 3)) o.t_min = gen_any_real(&rng);
        if (!test_int(&rng, 0, 3)) o.distance = gen_any_real(&rng);
        if (!test_int(&rng, 0, 3)) o.tolerance = gen_any_real(&rng);
        test_note("%ld: %d %d ", i, a, b);
        r = cd_time_of_impact(&m.support[a], &ma, &m.support[b], &mb, &o);
        CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED || r.status == CD_INVALID_ARGUMENT);
        CHECK(r.t >= 0 && r.t <= 1 && r.distance == r.distance && cd_vec3_is_valid(r.normal));
    }
}

static void corpus_thick(void) {
    for (int i = 0; i < gen_bad_count; ++i) {
        for (int k = 0; k < 14; ++k) {
            cd_real x[14] = {1, 2, 3, -1, -2, 4, 5, 0, -3, 1, 1, 1, 0, (cd_real)0.5};
            cd_triangle t;
            cd_plane plane;
            cd_split_triangles parts;
            cd_vec3 cut;
            uint32_t sides;
            x[k] = (cd_real)gen_bad_numbers[i];
            memcpy(&t, x, sizeof t);
            memcpy(&plane, x + 9, sizeof plane);
            sides = cd_split_triangle(&t, plane, x[13], &parts);
            CHECK_INT(parts.front_count > 0, (sides & CD_SIDE_FRONT) != 0);
            CHECK_INT(parts.back_count > 0, (sides & CD_SIDE_BACK) != 0);
            cut = cd_intersect_edge_plane(t.a, t.b, plane);
            CHECK_INT(cd_vec3_is_valid(cut),
                      cd_vec3_is_valid(t.a) && cd_vec3_is_valid(t.b) && cd_plane_is_valid(&plane));
            if (!cd_vec3_is_valid(t.a)) CHECK_INT(cd_locate_point_thick_plane(t.a, plane, x[13]), -1);
        }
    }
}

static bool is_sound_contact(void *user, const cd_manifold *m, const cd_contact *p) {
    (void)user;
    CHECK(cd_vec3_is_valid(m->normal) && cd_vec3_dot(m->normal, m->normal) > 0);
    return CHECK(cd_vec3_is_valid(p->a) && cd_vec3_is_valid(p->b) && p->distance == p->distance);
}

static void corpus_manifolds(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(3000); ++i) {
        any_movers m;
        cd_collide_options o;
        cd_cache cache;
        cd_manifold out;
        cd_contact some[8];
        uint32_t kept;
        int a = test_int(&rng, 0, 4), b = test_int(&rng, 0, 4);
        memset(&o, 0, sizeof o);
        draw_any_movers(&rng, &m);
        if (!test_int(&rng, 0, 2)) o.margin = gen_any_real(&rng);
        for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_next(&rng) >> test_int(&rng, 0, 31);
        test_note("%ld: %d %d ", i, a, b);
        if (cd_collide_convex(&m.support[a], &m.support[b], m.pose, &o, &cache, &out)) {
            CHECK(out.count >= 1 && out.count <= CD_MANIFOLD_POINTS);
            for (uint32_t k = 0; k < out.count; ++k) is_sound_contact(NULL, &out, &out.points[k]);
        }
        cd_collide_convex_all(&m.support[a], &m.support[b], m.pose, &o, &cache, is_sound_contact, NULL);
        any_reals(&rng, REALS(m.rod), 3);
        memset(some, 0, sizeof some);
        for (int k = 0; k < 8; ++k) {
            some[k].a = cd_vec3_make(gen_any_real(&rng), gen_any_real(&rng), gen_any_real(&rng));
            some[k].distance = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        }
        kept = cd_contacts_reduce(some, (uint32_t)test_int(&rng, 0, 8), m.rod.a);
        CHECK(kept <= 8);
    }
    {
        cd_hull nothing;
        cd_support empty;
        memset(&nothing, 0, sizeof nothing);
        memset(&empty, 0, sizeof empty);
        CHECK(!cd_collide_hull_hull(&nothing, &nothing, NULL, NULL, NULL, NULL));
        CHECK(!cd_collide_convex(&empty, &empty, NULL, NULL, NULL, NULL));
    }
}

static void corpus_box_manifolds(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(3000); ++i) {
        cd_aabb bounds;
        cd_obb a, b;
        cd_transform pose = cd_transform_identity();
        cd_collide_options options;
        cd_cache cache;
        cd_manifold m;
        bool met, posed;
        memset(&options, 0, sizeof options);
        for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_next(&rng);
        bounds.min = cd_vec3_make(-1, -1, -1);
        bounds.max = cd_vec3_make(1, 1, 1);
        a = cd_obb_from_aabb(bounds);
        b = a;
        b.axes = cd_quat_to_mat3(test_int(&rng, 0, 1) ? gen_quat(&rng) : cd_quat_identity());
        for (int k = 0; k < 3; ++k) {
            if (test_int(&rng, 0, 4) == 0) REALS(a)[test_int(&rng, 0, 14)] = gen_any_real(&rng);
            if (test_int(&rng, 0, 4) == 0) REALS(b)[test_int(&rng, 0, 14)] = gen_any_real(&rng);
            if (test_int(&rng, 0, 9) == 0) REALS(pose)[test_int(&rng, 0, 6)] = gen_any_real(&rng);
            if (test_int(&rng, 0, 4) == 0) REALS(b.half)[k] = 0;
        }
        if (test_int(&rng, 0, 9) == 0)
            REALS(b)[test_int(&rng, 0, 14)] = (cd_real)gen_bad_numbers[i % gen_bad_count];
        if (test_int(&rng, 0, 1)) options.margin = gen_any_real(&rng);
        test_note("%ld: margin %a ", i, (double)options.margin);
        test_note_reals("a", &a.center.x, 15);
        test_note_reals("b", &b.center.x, 15);
        posed = test_int(&rng, 0, 1);
        if (posed) test_note_reals("b_in_a", &pose.rotation.x, 7);
        met = cd_collide_obb_obb(&a, &b, posed ? &pose : NULL, &options, &cache, &m);
        if (!met) continue;
        CHECK(cd_obb_is_valid(&a) && cd_obb_is_valid(&b));
        CHECK(m.count > 0 && m.count <= CD_MANIFOLD_POINTS && cd_vec3_is_valid(m.normal));
        for (uint32_t k = 0; k < m.count; ++k) CHECK(m.points[k].distance == m.points[k].distance);
        CHECK_INT(cd_collide_obbs(&a, &b, &pose, 1, NULL, &cache, NULL) <= 1, 1);
    }
}

static void check_bad_distance(const cd_shape *a, const cd_shape *b, const cd_transform *at,
                               const cd_shape_options *o) {
    cd_part_pair parts;
    cd_cache cache;
    cd_closest c;
    cd_separation s;
    bool meets;
    memset(&cache, 255, sizeof cache);
    s = cd_shape_distance(a, b, at, o, &cache, &parts);
    CHECK(s.status == CD_OK || s.status == CD_NOT_CONVERGED || s.status == CD_INVALID_ARGUMENT ||
          s.status == CD_UNSUPPORTED);
    if (s.status == CD_OK || s.status == CD_NOT_CONVERGED)
        CHECK(s.distance == s.distance && cd_vec3_is_valid(s.normal));
    meets = cd_shape_test(a, b, at, o, &cache, &parts);
    if (s.status == CD_INVALID_ARGUMENT) CHECK(!meets);
    if (cd_shape_closest(a, b, at, o, &c, &parts)) CHECK(c.sqdist >= 0 && cd_vec3_is_valid(c.a));
}

static void corpus_shape_distances(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(1, 0.1, &rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    cd_bvh tree;
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    for (int i = 0; i < gen_bad_count; ++i) {
        double bad = gen_bad_numbers[i];
        for (int k = 0; k < 15; ++k) {
            cd_shape shapes[4];
            cd_placed_shape placed[3];
            cd_compound compound;
            cd_shape_options o;
            cd_obb box;
            cd_plane plane;
            cd_transform at = cd_transform_identity();
            box.center = cd_vec3_make((cd_real)0.25, 0, 1);
            box.axes = cd_mat3_identity();
            box.half = cd_vec3_make(1, (cd_real)0.5, 2);
            plane.n = cd_vec3_make(1, 2, 3);
            plane.d = 1;
            memset(&o, 0, sizeof o);
            REALS(box)[k] = (cd_real)bad;
            if (k < 4) REALS(plane)[k] = (cd_real)bad;
            if (k < 7) REALS(at)[k] = (cd_real)bad;
            if (k == 8) o.max_distance = (cd_real)bad;
            if (k == 9) o.distance = (cd_real)bad;
            if (k == 10) o.tolerance = (cd_real)bad;
            shapes[0] = cd_shape_of_obb(&box);
            shapes[1] = cd_shape_of_halfspace(&plane);
            shapes[2] = cd_shape_of_mesh(&tree, NULL);
            if (k == 11) shapes[2].radius = (cd_real)bad;
            if (k > 11) REALS(shapes[2].scale)[k - 12] = (cd_real)bad;
            for (int n = 0; n < 3; ++n) {
                placed[n].shape = &shapes[n];
                placed[n].pose = at;
            }
            compound = cd_compound_of(placed, 3);
            shapes[3] = cd_shape_of_compound(&compound);
            shapes[3].scale = shapes[2].scale;
            for (int a = 0; a < 4; ++a)
                for (int b = (a + k) % 3; b < 4; b += 3)
                    check_bad_distance(&shapes[a], &shapes[b], k % 2 ? &at : NULL, &o);
        }
    }
    cd_bvh_destroy(&tree);
    gen_mesh_free(&ball);
}

/* What shapes of bad numbers answer is a contact, or nothing. */
static void corpus_shape_casts(void) {
    test_rng rng = test_random();
    gen_mesh mesh = gen_mesh_ball(1, 0.2, &rng);
    cd_mesh_view view = gen_mesh_view(&mesh);
    cd_bvh tree;
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    for (long i = 0; i < test_times(600); ++i) {
        any_movers m;
        cd_shape shape[7], *a, *b;
        cd_placed_shape placed[4];
        cd_compound list;
        cd_plane plane;
        cd_cast_options o;
        cd_shape_options so;
        cd_motion ma, mb;
        cd_part_pair parts;
        cd_part part;
        cd_impact r;
        cd_hit hit;
        memset(&o, 0, sizeof o);
        memset(&so, 0, sizeof so);
        draw_any_movers(&rng, &m);
        any_reals(&rng, REALS(plane), 4);
        shape[0] = cd_shape_of_capsule(&m.rod);
        shape[1] = cd_shape_of_aabb(m.box);
        shape[2] = cd_shape_of_triangle(&m.triangle);
        shape[3] = cd_shape_of_cone(&m.cone);
        shape[4] = cd_shape_of_halfspace(&plane);
        shape[5] = cd_shape_of_mesh(&tree, NULL);
        for (int k = 0; k < 4; ++k) {
            placed[k].shape = &shape[test_int(&rng, 0, 5)];
            placed[k].pose = m.pose[k % 2];
        }
        list = cd_compound_of(placed, 4);
        shape[6] = cd_shape_of_compound(&list);
        a = &shape[test_int(&rng, 0, 6)];
        b = &shape[test_int(&rng, 0, 6)];
        if (!test_int(&rng, 0, 4)) a->radius = gen_any_real(&rng);
        if (!test_int(&rng, 0, 4)) any_reals(&rng, REALS(b->scale), 3);
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        if (!test_int(&rng, 0, 3)) o.t_min = so.t_min = gen_any_real(&rng);
        if (!test_int(&rng, 0, 3)) so.distance = gen_any_real(&rng);
        if (!test_int(&rng, 0, 3)) so.tolerance = gen_any_real(&rng);
        test_note("%ld: %d %d, flags %u ", i, (int)a->type, (int)b->type, (unsigned)o.flags);
        if (cd_shape_cast_ray(b, &m.ray, gen_any_real(&rng), &o, &hit, &part)) CHECK(is_contact(&hit));
        if (cd_shape_sweep(a, m.ray.dir, b, m.pose, &o, &hit, &parts)) CHECK(is_contact(&hit));
        cd_motion_make((cd_motion_kind)test_int(&rng, 0, 5), &m.pose[0], &m.pose[1], &ma);
        cd_motion_make(CD_MOTION_LINEAR, &m.pose[1], &m.pose[0], &mb);
        r = cd_shape_time_of_impact(a, &ma, b, &mb, &so, &parts);
        CHECK(r.t >= 0 && r.t <= 1);
        if (r.hit) CHECK(cd_vec3_is_valid(r.normal) && r.status != CD_INVALID_ARGUMENT);
    }
    cd_bvh_destroy(&tree);
    gen_mesh_free(&mesh);
}

static bool corpus_contact(void *user, const cd_manifold *m, const cd_contact *c) {
    (void)user;
    CHECK(cd_vec3_is_valid(m->normal));
    CHECK(c->distance == c->distance);
    return true;
}

/* Both ways around, all that may be asked: an end, and normals that are some. */
static void corpus_contacts_of(const cd_shape *a, const cd_shape *b, const cd_transform *pose,
                               cd_real margin) {
    cd_manifold m[4];
    cd_shape_options o;
    memset(&o, 0, sizeof o);
    o.margin = margin;
    for (int way = 0; way < 2; ++way) {
        const cd_shape *x = way ? b : a, *y = way ? a : b;
        size_t count = cd_shape_collide(x, y, pose, &o, NULL, m, 4);
        for (size_t i = 0; i < count && i < 4; ++i) {
            CHECK(cd_vec3_is_valid(m[i].normal) && m[i].count >= 1 && m[i].count <= 4);
            CHECK(m[i].normal.x != 0 || m[i].normal.y != 0 || m[i].normal.z != 0);
        }
        o.flags = way ? CD_SHAPE_KEEP_GHOSTS : CD_SHAPE_ONE_SIDED;
        cd_shape_collide_all(x, y, pose, &o, corpus_contact, NULL);
    }
}

static void corpus_shape_contacts(void) {
    test_rng rng = test_random();
    gen_mesh grid = gen_mesh_grid(2);
    cd_mesh_view view = gen_mesh_view(&grid);
    cd_bvh tree;
    CHECK(cd_bvh_build_mesh(&tree, &view, NULL) == CD_OK);
    for (long n = test_times(3000); n > 0; --n) {
        cd_real x[24];
        cd_shape shape[9], whole;
        cd_placed_shape placed[4];
        cd_compound compound;
        cd_transform pose = cd_transform_identity();
        cd_triangle t;
        cd_aabb box;
        cd_sphere s;
        cd_capsule c;
        cd_plane p;
        int bad = test_int(&rng, 0, 4), a, b;
        for (int i = 0; i < 24; ++i) x[i] = (cd_real)test_range(&rng, -1, 1);
        for (int i = 0; i < bad; ++i) {
            int at = test_int(&rng, 0, 23);
            x[at] = test_int(&rng, 0, 1) ? (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)]
                                         : gen_any_real(&rng);
        }
        t.a = cd_vec3_make(x[0], x[1], x[2]);
        t.b = cd_vec3_make(x[3], x[4], x[5]);
        t.c = cd_vec3_make(x[6], x[7], x[8]);
        box.min = cd_vec3_make(-1, -1, x[9]);
        box.max = cd_vec3_make(x[10], 1, 1);
        s.center = t.a;
        s.radius = x[11];
        c.a = t.b;
        c.b = t.c;
        c.radius = x[12];
        p.n = t.b;
        p.d = x[13];
        pose.position = cd_vec3_make(x[14], x[15], x[16]);
        pose.rotation.x = x[17];
        pose.rotation.w = x[18];
        shape[0] = cd_shape_of_triangle(&t);
        shape[1] = cd_shape_of_aabb(box);
        shape[2] = cd_shape_of_sphere(s);
        shape[3] = cd_shape_of_capsule(&c);
        shape[4] = cd_shape_of_halfspace(&p);
        shape[5] = cd_shape_of_mesh(&tree, NULL);
        shape[6] = cd_shape_of_point(t.a);
        memset(&shape[7], 0, sizeof shape[7]);
        for (int i = 0; i < 4; ++i) {
            shape[i].offset = test_int(&rng, 0, 7) ? 0 : x[19];
            shape[i].radius = test_int(&rng, 0, 7) ? 0 : x[20];
            placed[i].shape = &shape[i + 1];
            placed[i].pose = pose;
        }
        compound = cd_compound_of(placed, 4);
        shape[8] = cd_shape_of_compound(&compound);
        a = test_int(&rng, 0, 8);
        b = test_int(&rng, 0, 8);
        whole = shape[b];
        if (test_int(&rng, 0, 9) == 0) whole.scale = cd_vec3_make(x[21], x[22], x[23]);
        test_note("kinds %d, %d", a, b);
        test_note_reals("numbers", x, 24);
        corpus_contacts_of(&shape[a], &whole, test_int(&rng, 0, 1) ? &pose : NULL,
                           test_int(&rng, 0, 1) ? x[19] : 0);
    }
    cd_bvh_destroy(&tree);
    gen_mesh_free(&grid);
}

/* ---- any shapes ---- */

/* Numbers between -1 and 1, of which some may be bad, or any at all. */
static void draw_reals(test_rng *rng, cd_real *x, int count) {
    int bad = test_int(rng, 0, 4);
    if (bad == 4) {
        any_reals(rng, x, count);
        return;
    }
    for (int i = 0; i < count; ++i) x[i] = (cd_real)test_range(rng, i < 24 ? -1 : 0, 1);
    for (int i = 0; i < bad; ++i)
        x[test_int(rng, 0, count - 1)] = (cd_real)gen_bad_numbers[test_int(rng, 0, gen_bad_count - 1)];
}

static bool is_one_of(cd_status status) {
    return status == CD_OK || status == CD_INVALID_ARGUMENT || status == CD_UNSUPPORTED ||
           status == CD_NOT_CONVERGED || status == CD_TOO_LARGE;
}

static bool passes_odd(void *user, const cd_part *a, const cd_part *b) {
    (void)user;
    return ((a->index ^ b->index) & 1u) == 0;
}

static const cd_shape_options *draw_shape_options(test_rng *rng, cd_shape_options *o) {
    memset(o, 0, sizeof *o);
    if (test_int(rng, 0, 2) == 0) return NULL;
    o->flags = (uint32_t)test_next(rng) >> test_int(rng, 0, 31);
    o->max_iterations = test_int(rng, 0, 1) ? 0 : (uint32_t)test_next(rng) >> test_int(rng, 20, 31);
    if (!test_int(rng, 0, 3)) o->max_distance = gen_any_real(rng);
    if (!test_int(rng, 0, 3)) o->tolerance = gen_any_real(rng);
    if (!test_int(rng, 0, 3)) o->margin = (cd_real)gen_bad_numbers[test_int(rng, 0, gen_bad_count - 1)];
    if (!test_int(rng, 0, 3)) o->distance = gen_any_real(rng);
    if (!test_int(rng, 0, 3)) o->t_min = gen_any_real(rng);
    o->ignore_a = 1u << test_int(rng, 0, 7);
    o->ignore_b = 1u << test_int(rng, 0, 7);
    if (!test_int(rng, 0, 2)) o->filter = passes_odd;
    return o;
}

/* Children of compounds are looked at when they are met, not before. */
static bool is_asked(const cd_shape *s) {
    cd_shape own = *s;
    if (s->type != CD_SHAPE_COMPOUND) return cd_shape_is_valid(s);
    own.type = CD_SHAPE_POINT;
    own.u.point = cd_vec3_make(0, 0, 0);
    return cd_shape_is_valid(&own) && s->u.compound != NULL;
}

static void odd_shape(test_rng *rng, const cd_shape *s, const cd_transform *at, const cd_ray *r) {
    bool valid = cd_shape_is_valid(s);
    double density = (double)gen_any_real(rng);
    cd_vec3 by = cd_vec3_make(gen_any_real(rng), gen_any_real(rng), gen_any_real(rng));
    cd_vec3 p = cd_vec3_make(77, 77, 77);
    cd_aabb box = cd_shape_aabb(s, at);
    cd_support body = cd_shape_as_support(s);
    cd_shape_options none;
    cd_cast_options o;
    cd_shape scaled;
    cd_part part;
    cd_hit hit;
    cd_mass mass;
    cd_status status;
    memset(&o, 0, sizeof o);
    memset(&none, 0, sizeof none);
    CHECK(cd_shape_type_name(s->type) != NULL);
    if (valid && cd_shape_is_convex(s)) CHECK(cd_support_is_valid(&body));
    if (!valid) CHECK(cd_aabb_is_empty(box));
    CHECK(box.min.x == box.min.x && box.max.z == box.max.z);
    if (cd_shape_support(s, by, &p))
        CHECK(valid && cd_vec3_is_valid(by) && cd_vec3_is_valid(p));
    else
        CHECK(p.x == 77 && p.y == 77 && p.z == 77);
    status = cd_shape_mass(s, density, &mass);
    CHECK(is_one_of(status) && mass.mass == mass.mass && mass.center[0] == mass.center[0]);
    if (!valid) CHECK_INT(status, CD_INVALID_ARGUMENT);
    if (status != CD_OK) CHECK(mass.mass == 0 && mass.inertia[2][2] == 0);
    status = cd_shape_scaled(s, by, &scaled);
    CHECK(is_one_of(status));
    if (!valid) CHECK_INT(status, CD_INVALID_ARGUMENT);
    CHECK(status == CD_OK ? cd_shape_is_valid(&scaled) : scaled.type == CD_SHAPE_NOTHING);
    o.flags = (uint32_t)test_int(rng, 0, 31);
    o.t_min = test_int(rng, 0, 3) ? 0 : gen_any_real(rng);
    hit.t = part.offset = 77;
    if (cd_shape_cast_ray(s, r, gen_any_real(rng), test_int(rng, 0, 1) ? &o : NULL, &hit, &part))
        CHECK(is_asked(s) && is_contact(&hit));
    else
        CHECK(hit.t == 77 && part.offset == 77);
    cd_shape_cast_ray(s, r, CD_REAL_MAX, NULL, NULL, NULL);
    CHECK(cd_shape_cast_rays(s, r, NULL, 1, NULL, NULL, NULL) <= 1);
}

static void odd_impact(test_rng *rng, const cd_shape *a, const cd_shape *b, const cd_transform *at,
                       const cd_transform *to, const cd_shape_options *o, bool valid) {
    cd_motion from, still;
    cd_part_pair parts;
    cd_impact r;
    if (cd_motion_make((cd_motion_kind)test_int(rng, 0, 4), at, to, &from) != CD_OK) return;
    if (cd_motion_make(CD_MOTION_LINEAR, at, at, &still) != CD_OK) return;
    if (!test_int(rng, 0, 7)) from.kind = (uint32_t)test_next(rng);
    r = cd_shape_time_of_impact(a, &from, b, &still, o, test_int(rng, 0, 1) ? &parts : NULL);
    CHECK(is_one_of(r.status) && r.t >= 0 && r.t <= 1 && r.distance == r.distance);
    CHECK(!r.hit || (cd_vec3_is_valid(r.normal) && r.status != CD_INVALID_ARGUMENT));
    if (!valid) CHECK_INT(r.status, CD_INVALID_ARGUMENT);
}

static void odd_shapes(test_rng *rng, const cd_shape *a, const cd_shape *b, const cd_transform *at,
                       const cd_transform *to, const cd_ray *r) {
    bool valid = is_asked(a) && is_asked(b), posed = test_int(rng, 0, 1) > 0, meet;
    cd_shape_options options;
    const cd_shape_options *o = draw_shape_options(rng, &options);
    const cd_transform *pose = posed ? at : NULL;
    cd_shape_pair pair;
    cd_part_pair parts;
    cd_separation s;
    cd_closest near;
    cd_cache cache;
    cd_hit hit;
    if (posed) valid = valid && cd_transform_is_valid(at);
    for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_next(rng) >> test_int(rng, 0, 31);
    corpus_contacts_of(a, b, pose, options.margin);
    s = cd_shape_distance(a, b, pose, o, NULL, NULL);
    CHECK(is_one_of(s.status));
    if (s.status == CD_OK || s.status == CD_NOT_CONVERGED)
        CHECK(s.distance == s.distance && cd_vec3_is_valid(s.normal));
    s = cd_shape_distance(a, b, pose, NULL, NULL, NULL);
    near.sqdist = hit.t = parts.b.offset = 77;
    if (!cd_shape_closest(a, b, pose, o, &near, NULL)) CHECK(near.sqdist == 77);
    meet = cd_shape_test(a, b, pose, o, NULL, &parts);
    CHECK(meet || parts.b.offset == 77);
    if (cd_shape_sweep(a, r->dir, b, pose, NULL, &hit, NULL))
        CHECK(valid && is_contact(&hit));
    else
        CHECK(hit.t == 77);
    cd_shape_sweep(a, r->dir, b, pose, NULL, NULL, NULL);
    if (!valid) {
        CHECK_INT(s.status, CD_INVALID_ARGUMENT);
        CHECK(!meet && near.sqdist == 77);
        CHECK(cd_shape_collide(a, b, pose, o, NULL, NULL, 0) == 0);
    }
    odd_impact(rng, a, b, at, to, o, is_asked(a) && is_asked(b));
    pair.a = a, pair.b = b, pair.b_in_a = pose;
    cd_shape_distances(&pair, 1, o, &cache, &s, NULL);
    CHECK(is_one_of(s.status));
    CHECK(cd_shape_tests(&pair, 1, o, NULL, NULL) == (meet ? 1u : 0u));
    CHECK(cd_shape_tests(&pair, 1, o, &cache, NULL) <= 1);
}

/* What a shape points at is missing, or is nothing. */
static void shapes_of_nothing(cd_shape *out, cd_bvh *empty, cd_hull *hull, cd_compound *compound) {
    static const cd_shape_class no_class = {NULL, NULL, NULL};
    const cd_shape nothing[12] = {
        cd_shape_of_polygon(NULL, 3),   cd_shape_of_kdop(NULL, NULL),  cd_shape_of_hull(NULL),
        cd_shape_of_hull(hull),         cd_shape_of_mesh(NULL, NULL),  cd_shape_of_mesh(empty, NULL),
        cd_shape_of_heights(NULL),      cd_shape_of_heights(empty),    cd_shape_of_compound(NULL),
        cd_shape_of_compound(compound), cd_shape_of_class(NULL, NULL), cd_shape_of_class(&no_class, NULL)};
    memset(empty, 0, sizeof *empty);
    memset(hull, 0, sizeof *hull);
    memset(compound, 0, sizeof *compound);
    memcpy(out, nothing, sizeof nothing);
    memset(&out[12], 0, 4 * sizeof *out);
    out[13].type = CD_SHAPE_TYPES;
    out[14].type = 0xFFFFFFFFu;
    out[15].type = CD_SHAPE_SUPPORT;
    out[15].u.support.kind = 0xFFFFu;
}

static void corpus_any_shapes(void) {
    test_rng rng = test_random();
    any_all all;
    cd_shape nothing[16];
    cd_bvh empty;
    cd_hull hull;
    cd_compound compound;
    cd_ray ray;
    shapes_of_nothing(nothing, &empty, &hull, &compound);
    for (long i = 0; i < test_times(1500); ++i) {
        cd_real x[44], y[20];
        cd_transform at, to;
        cd_shape *a, *b;
        draw_reals(&rng, x, 44);
        draw_reals(&rng, y, 20);
        memcpy(&at, y, sizeof at);
        memcpy(&to, y + 7, sizeof to);
        memcpy(&ray, y + 14, sizeof ray);
        any_all_open(&all, x, 44);
        a = &all.shape[test_int(&rng, 0, CD_SHAPE_TYPES - 1)];
        b = &all.shape[test_int(&rng, 0, CD_SHAPE_TYPES - 1)];
        if (!test_int(&rng, 0, 3)) a->radius = x[40];
        if (!test_int(&rng, 0, 3)) memcpy(&b->scale, x + 30, sizeof b->scale);
        if (!test_int(&rng, 0, 7)) a->offset = x[41];
        test_note("%ld: %s and %s ", i, cd_shape_type_name(a->type), cd_shape_type_name(b->type));
        test_note_reals("x", x, 44);
        test_note_reals("y", y, 20);
        odd_shape(&rng, a, &at, &ray);
        odd_shapes(&rng, a, b, &at, &to, &ray);
        b = &nothing[i % 16];
        odd_shape(&rng, b, NULL, &ray);
        odd_shapes(&rng, a, b, &at, &to, &ray);
        odd_shapes(&rng, b, a, &at, &to, &ray);
        any_all_close(&all);
    }
    for (uint32_t call = 0; call < 40; ++call)
        for (uint32_t a = 0; a < 40; ++a) {
            CHECK(is_one_of(cd_shape_can(call, a, a + 1)) && is_one_of(cd_shape_can(0xFFFFFFFFu, call, a)));
            CHECK(cd_shape_type_name(0xFFFFFFFFu - a) != NULL);
        }
    CHECK(!cd_shape_is_valid(NULL) && !cd_shape_is_convex(NULL));
    {
        cd_placed_shape child;
        cd_shape_pair pair;
        child.shape = NULL;
        child.pose = cd_transform_identity();
        memset(&pair, 0, sizeof pair);
        CHECK_INT(cd_compound_build(&compound, &child, 1, NULL), CD_INVALID_ARGUMENT);
        CHECK(!compound.children && !compound.count && !compound.owned);
        CHECK_INT(cd_compound_build(&compound, NULL, 3, NULL), CD_INVALID_ARGUMENT);
        CHECK_INT(cd_compound_build(&compound, NULL, 0, NULL), CD_OK);
        cd_compound_destroy(&compound);
        child.shape = &nothing[9];
        CHECK_INT(cd_compound_build(&compound, &child, 1, NULL), CD_INVALID_ARGUMENT);
        cd_shape_distances(NULL, 0, NULL, NULL, NULL, NULL);
        CHECK(cd_shape_tests(NULL, 0, NULL, NULL, NULL) == 0);
        CHECK(cd_shape_cast_rays(&nothing[0], NULL, NULL, 0, NULL, NULL, NULL) == 0);
    }
}

/* Any numbers, or those of a small grid, now and then all scaled. */
static void solid_reals(test_rng *rng, cd_real *out, int count) {
    int kind = test_int(rng, 0, 3),
        e = kind == 1 ? 0 : test_int(rng, sizeof *out == 4 ? -140 : -1060, sizeof *out == 4 ? 126 : 1020);
    if (kind == 0) any_reals(rng, out, count);
    for (int i = 0; i < count && kind; ++i) out[i] = (cd_real)ldexp(test_int(rng, -2, 2), e);
}

/* Two tetrahedra of such numbers, what is not finite left out; or a field of such heights. */
static void bad_solid(test_rng *rng, bool field, cd_bvh *tree, cd_bvh_winding *winding) {
    static const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    cd_vec3 v[4];
    cd_real samples[9];
    cd_bvh_options o;
    cd_height_view heights;
    cd_mesh_view view;
    memset(v, 0, sizeof v);
    view = cd_mesh_view_make(v, 4, indices, 4);
    memset(&o, 0, sizeof o);
    memset(&heights, 0, sizeof heights);
    memset(winding, 0, sizeof *winding);
    o.flags = CD_BVH_SKIP_INVALID;
    o.layout = (uint32_t)test_int(rng, 0, 3);
    solid_reals(rng, REALS(v[0]), 12);
    solid_reals(rng, samples, 9);
    heights.samples = samples;
    heights.columns = heights.rows = 3;
    heights.up = (uint32_t)test_int(rng, 0, 2);
    if (field && cd_bvh_build_heights(tree, &heights, &o) == CD_OK) return;
    if (cd_bvh_build_mesh(tree, &view, &o) != CD_OK) memset(tree, 0, sizeof *tree);
    cd_bvh_winding_build(winding, tree, NULL);
}

static void bad_solids(test_rng *rng, const cd_solid *a, const cd_solid *b, const cd_transform *pose) {
    cd_solid_piece pieces[32];
    cd_solid_region region[4];
    cd_solid_options o;
    cd_solid_gap gap;
    cd_solid_way way;
    cd_vec3 dir;
    cd_real from = 0, to = 0, distance;
    cd_closest near;
    size_t count;
    memset(&o, 0, sizeof o);
    solid_reals(rng, REALS(dir), 3);
    if (!test_int(rng, 0, 3)) o.tolerance = gen_any_real(rng);
    if (!test_int(rng, 0, 3)) o.max_distance = gen_any_real(rng);
    o.max_iterations = (uint32_t)test_int(rng, 10, 200);
    cd_solid_test_point(a, dir);
    cd_solid_signed_distance(b, dir, gen_any_real(rng), &near, &distance);
    cd_solid_test(a, b, pose, &o, NULL);
    gap = cd_solid_clearance(a, b, pose, &o);
    CHECK(gap.status == CD_INVALID_ARGUMENT || gap.distance == gap.distance);
    CHECK(cd_vec3_is_valid(gap.a) && cd_vec3_is_valid(gap.b));
    way = cd_solid_depth(a, b, pose, dir, &o);
    CHECK(way.status == CD_INVALID_ARGUMENT ? way.t != way.t : way.t >= 0 && way.beyond >= way.t);
    way = cd_solid_depth_least(a, b, pose, &dir, 1, &o);
    CHECK(way.status == CD_INVALID_ARGUMENT ? way.t != way.t : way.t >= 0);
    if (cd_solid_extent(a, b, pose, dir, &o, &from, &to)) CHECK(from <= to);
    count = cd_solid_curve(a, b, pose, &o, pieces, 32);
    cd_solid_regions(a, b, pose, &o, pieces, count < 32 ? count : 32, region, 4);
}

static void corpus_solid_meshes(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(300); ++i) {
        cd_bvh tree[2];
        cd_bvh_winding winding[2];
        cd_solid solid[2];
        cd_transform pose;
        for (int k = 0; k < 2; ++k) {
            bad_solid(&rng, test_int(&rng, 0, 5) == 0, &tree[k], &winding[k]);
            solid[k] = cd_solid_of(&tree[k], test_int(&rng, 0, 5) ? &winding[k] : NULL);
        }
        solid_reals(&rng, REALS(pose), 7);
        test_note("%ld", i);
        bad_solids(&rng, &solid[0], &solid[1], test_int(&rng, 0, 1) ? &pose : NULL);
        for (int k = 0; k < 2; ++k) {
            cd_bvh_winding_destroy(&winding[k]);
            cd_bvh_destroy(&tree[k]);
        }
    }
}

static void corpus_mover(void) {
    test_rng rng = test_random();
    any_all all;
    for (long i = 0; i < test_times(800); ++i) {
        cd_real x[44], y[16];
        cd_mover_plane planes[CD_MOVER_PLANES + 2];
        cd_mover_options o;
        cd_mover_result r;
        cd_transform at;
        cd_vec3 way, out;
        const cd_shape *level, *mover;
        size_t count;
        cd_status status;
        draw_reals(&rng, x, 44);
        draw_reals(&rng, y, 16);
        memcpy(&at, y, sizeof at);
        way = cd_vec3_make(y[7], y[8], y[9]);
        memset(&o, 0, sizeof o);
        memset(planes, 0, sizeof planes);
        o.up = cd_vec3_make(y[10], y[11], y[12]);
        o.skin = test_int(&rng, 0, 1) ? 0 : y[13];
        o.step_height = test_int(&rng, 0, 1) ? 0 : y[14];
        o.least_floor = test_int(&rng, 0, 1) ? 0 : y[15];
        o.max_slides = (uint32_t)test_int(&rng, 0, 20);
        o.ignore_mask = (uint32_t)test_next(&rng) >> test_int(&rng, 0, 31);
        any_all_open(&all, x, 44);
        level = &all.shape[test_int(&rng, 0, CD_SHAPE_TYPES - 1)];
        mover = &all.shape[test_int(&rng, 0, CD_SHAPE_TYPES - 1)];
        test_note("%ld: %s in %s ", i, cd_shape_type_name(mover->type), cd_shape_type_name(level->type));
        test_note_reals("x", x, 44);
        test_note_reals("y", y, 16);
        count = cd_mover_planes(level, mover, &at, y[13], i % 2 ? &o : NULL, planes, 8);
        for (size_t k = 0; k < count && k < 8; ++k)
            CHECK(cd_vec3_is_valid(planes[k].normal) && planes[k].distance == planes[k].distance);
        r = cd_mover_slide(level, mover, &at, way, i % 3 ? &o : NULL);
        CHECK(is_one_of(r.status));
        if (!cd_shape_is_valid(level) || !cd_shape_is_valid(mover)) CHECK(r.status == CD_INVALID_ARGUMENT);
        if (r.status == CD_OK)
            CHECK(cd_vec3_is_valid(r.pose.position) && cd_vec3_is_valid(r.left) &&
                  cd_vec3_is_valid(r.ground));
        any_reals(&rng, REALS(planes[test_int(&rng, 0, 5)]), 7);
        count = (size_t)test_int(&rng, 0, CD_MOVER_PLANES + 2);
        status = cd_mover_solve(planes, count, way, gen_any_real(&rng), &out);
        CHECK(is_one_of(status) && cd_vec3_is_valid(out));
        CHECK(cd_vec3_is_valid(cd_mover_clip(planes, count, gen_any_real(&rng), way)));
        any_all_close(&all);
    }
}

/* ---- classic ---- */

static bool cast_at_box(void *user, uint32_t item, const cd_ray *r, cd_real t_max, cd_hit *hit) {
    return cd_cast_ray_aabb(r, t_max, ((const cd_aabb *)user)[item], NULL, hit);
}

static bool take_item(void *user, uint32_t index) {
    (void)user;
    return index < 24;
}

static bool take_leaf(void *user, uint32_t leaf) {
    uint32_t count;
    return cd_kdtree_compact_items((const cd_kdtree_compact *)user, leaf, &count) && count > 0;
}

static void corpus_kdtree_compact(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        draw d = draw_numbers(&rng, true), e = draw_numbers(&rng, false);
        cd_aabb boxes[24];
        cd_kdtree_compact t;
        double square = 0;
        cd_hit h;
        cd_ray r;
        uint32_t item, count;
        for (int k = 0; k < 24; ++k) {
            boxes[k] = box_of(&d);
            if (k % 5 == 0) boxes[k].max = boxes[k].min;
        }
        if (!test_int(&rng, 0, 3)) {
            boxes[5] = box_of(&e);
            if (cd_kdtree_compact_build(&t, boxes, 24, 1, NULL) != CD_OK) {
                CHECK(t.block == NULL);
                continue;
            }
        } else {
            CHECK_INT(cd_kdtree_compact_build(&t, boxes, 24, (uint32_t)test_int(&rng, 0, 3), NULL), CD_OK);
        }
        r.origin = vec_of(&e);
        r.dir = vec_of(&e);
        cd_kdtree_compact_items(&t, cd_kdtree_compact_leaf_at(&t, r.origin), &count);
        CHECK(count <= 24);
        item = cd_kdtree_compact_nearest(&t, r.dir, boxes, &square);
        CHECK(item == CD_NONE || (item < 24 && square >= 0));
        if (cd_kdtree_compact_cast_ray(&t, &r, real_of(&e), cast_at_box, boxes, &h))
            CHECK(h.t >= 0 && h.index < 24);
        boxes[0] = box_of(&e);
        CHECK(cd_kdtree_compact_overlap_aabb(&t, boxes[0], boxes, take_item, NULL));
        CHECK(cd_kdtree_compact_visit_leaves(&t, box_of(&e), take_leaf, &t));
        cd_kdtree_compact_destroy(&t);
    }
}

/* What it says it takes is any number. */
static size_t fetch_anything(void *user, uint32_t leaf, void *to, size_t capacity) {
    size_t bytes = leaf % 3 ? leaf : SIZE_MAX - leaf;
    (void)user;
    memset(to, 1, bytes < capacity ? bytes : capacity);
    return bytes;
}

static void corpus_linear_cache(void) {
    static unsigned char memory[2000];
    static const uint32_t numbers[8] = {0, 1, 2, 7, 65, 500, 0x80000000u, 0xFFFFFFFFu};
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_linear_cache_options o;
        cd_linear_cache c;
        size_t size, bytes;
        o.slots = numbers[test_int(&rng, 0, 7)];
        o.ways = numbers[test_int(&rng, 0, 7)];
        o.slot_bytes = numbers[test_int(&rng, 0, 7)];
        o.fetch = fetch_anything;
        o.user = NULL;
        size = cd_linear_cache_size(&o);
        CHECK_INT(cd_linear_cache_init(&c, memory, sizeof memory, &o),
                  size > 0 && size <= sizeof memory ? CD_OK : CD_INVALID_ARGUMENT);
        for (int k = 0; k < 12; ++k) {
            uint32_t leaf = numbers[test_int(&rng, 0, 7)] + (uint32_t)test_int(&rng, 0, 3);
            cd_linear_cache_predict(&c, leaf + 1);
            if (k % 4 == 3) cd_linear_cache_step(&c, numbers[test_int(&rng, 0, 7)]);
            CHECK(!cd_linear_cache_get(&c, leaf, &bytes) || bytes <= c.slot_bytes);
            CHECK(cd_linear_cache_holds(&c, leaf) == (c.slots && bytes <= c.slot_bytes));
            if (k % 5 == 4) cd_linear_cache_forget(&c, leaf);
        }
    }
}

/* ---- end of classic ---- */

void suite_corpus(void) {
    RUN(vectors);
    RUN(plane_and_four_numbers);
    RUN(tolerances);
    RUN(intervals);
    RUN(integers);
    RUN(linear_algebra);
    RUN(poses);
    RUN(shapes);
    RUN(masses);
    RUN(ellipsoids_shells_and_zonotopes);
    RUN(regions_and_convexity);
    RUN(hulls_in_the_plane);
    RUN(closest_points);
    RUN(linear_programs);
    RUN(boxes_of_bad_numbers);
    RUN(plane_shapes_of_bad_numbers);
    RUN(oriented_boxes);
    RUN(fitted_boxes);
    RUN(swept_volumes);
    RUN(nothing_meets_nan);
    RUN(round_shapes);
    RUN(any_bits);
    RUN(spheres_and_statistics);
    RUN(kdops);
    RUN(closest_pairs);
    RUN(linear_tests);
    RUN(solids);
    RUN(triangle_pairs);
    RUN(line_casts);
    RUN(quads_tori_hulls);
    RUN(points_and_planes);
    RUN(batches);
    RUN(sweep_planes);
    RUN(sweep_spheres);
    RUN(sweep_capsules);
    RUN(sweep_boxes);
    RUN(sweep_ellipsoids);
    RUN(motions);
    RUN(ccd);
    RUN(corpus_dyntree);
    RUN(corpus_refit);
    RUN(corpus_bvtree);
    RUN(corpus_spheretree);
    RUN(corpus_mesh_sweeps);
    RUN(corpus_fronts);
    RUN(corpus_heights);
    RUN(corpus_supports);
    RUN(corpus_gjk);
    RUN(corpus_epa);
    RUN(corpus_sat);
    RUN(corpus_dk);
    RUN(corpus_qp);
    RUN(corpus_convex_casts);
    RUN(corpus_time_of_impact);
    RUN(corpus_thick);
    RUN(corpus_manifolds);
    RUN(corpus_box_manifolds);
    RUN(corpus_any_shapes);
    RUN(corpus_shape_distances);
    RUN(corpus_shape_casts);
    RUN(corpus_shape_contacts);
    RUN(corpus_solid_meshes);
    RUN(corpus_mover);
    RUN(corpus_kdtree_compact);
    RUN(corpus_linear_cache);
    RUN(corpus_classic_convex);
    RUN(statuses_have_texts);
}
