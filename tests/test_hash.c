/* One number over the results of everything: it has to be the same in every lane, that is on every compiler, optimisation
 * level, instruction set and machine. Its inputs do not depend on the seed or the size of the run; this file and the
 * generators are compiled without fused multiply-add, so that only the library can differ. */
#include "any_things.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash;

static void add_bytes(const void *p, size_t n) {
    hash = test_hash(hash, p, n);
}

/* NaNs are equal whatever their bits. */
static void add_double(double d) {
    uint64_t bits;
    unsigned char bytes[8];
    if (d != d) d = 12345.678;
    memcpy(&bits, &d, 8);
    for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(bits >> (8 * i));
    add_bytes(bytes, 8);
}

static void add_real(cd_real x) {
    add_double((double)x);
}

static void add_int(uint32_t x) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; ++i) bytes[i] = (unsigned char)(x >> (8 * i));
    add_bytes(bytes, 4);
}

static void add_vec(cd_vec3 v) {
    add_real(v.x);
    add_real(v.y);
    add_real(v.z);
}

static void add_hit(bool found, const cd_hit *h) {
    add_int(found);
    if (!found) return;
    add_real(h->t);
    add_vec(h->point);
    add_vec(h->normal);
    add_real(h->depth);
    add_real(h->u);
    add_real(h->v);
    add_int(h->feature);
    add_int(h->index);
    add_int(h->flags);
}

static void hash_core(gen *g) {
    cd_vec3 a = gen_point(g), b = gen_point(g);
    cd_quat q = gen_quat(g->rng), between = cd_quat_from_to(a, b);
    cd_mat3 m = cd_quat_to_mat3(q), inverse = m;
    cd_transform s = gen_pose(g->rng, 10.0), t = gen_pose(g->rng, 3.0), u = cd_transform_mul(&s, &t);
    add_vec(cd_vec3_cross(a, b));
    add_real(cd_vec3_dot(a, b));
    add_real(cd_vec3_length(a));
    add_vec(cd_vec3_normalize(b));
    add_vec(cd_vec3_lerp(a, b, (cd_real)0.3));
    add_real(between.x);
    add_real(between.w);
    add_vec(cd_quat_rotate(q, a));
    add_vec(cd_mat3_mul_vec(&m, b));
    add_int(cd_mat3_inverse(&m, &inverse));
    add_vec(inverse.col[1]);
    add_vec(cd_transform_point(&u, a));
    add_vec(cd_transform_inverse_point(&u, b));
    add_vec(cd_transform_relative(&s, &t).position);
}

static void add_interval(cd_interval a) {
    add_real(a.lo);
    add_real(a.hi);
}

static void add_wide(cd_int128 a) {
    add_int((uint32_t)a.lo);
    add_int((uint32_t)(a.lo >> 32));
    add_int((uint32_t)a.hi);
    add_int((uint32_t)((uint64_t)a.hi >> 32));
}

static void hash_arithmetic(gen *g) {
    cd_real a = gen_coordinate(g, 0), b = gen_coordinate(g, 1), s = gen_coordinate(g, 2),
            any = gen_any_real(g->rng);
    cd_vec3 v = gen_point(g), w = gen_point(g);
    cd_vec2 p = cd_vec2_make(v.x, w.y), q = cd_vec2_make(w.z, v.y);
    cd_vec4 u = cd_vec4_make(v.x, v.y, w.x, any);
    cd_interval i = cd_interval_make(a, b), j = cd_interval_hull(i, cd_interval_from_value(s));
    cd_interval3 x = cd_interval3_from_vec3(v), y = cd_interval3_from_vec3(w), z;
    add_real(cd_vec2_dist(p, q));
    add_real(cd_vec2_lerp(p, q, (cd_real)0.7).y);
    add_real(cd_vec4_length(u));
    add_int(cd_nearly_equal(a, b, s, (cd_real)0.25) ? 1 : 0);
    add_int(cd_vec3_nearly_equal(v, w, s, (cd_real)0.5) ? 1 : 0);
    add_int((uint32_t)cd_ulps_between(a, any));
    add_real(cd_next_up(any));
    x.x = j;
    add_interval(cd_interval_mul(j, i));
    add_interval(cd_interval_div(i, j));
    add_interval(cd_interval_sqrt(j));
    add_interval(cd_interval_add(j, cd_interval_from_value(any)));
    add_interval(cd_interval3_dot(&x, &y));
    z = cd_interval3_cross(&x, &y);
    add_interval(z.y);
    add_interval(cd_interval3_sqlength(&x));
    add_real(cd_interval_middle(j));
    add_int((uint32_t)((int)cd_interval_less(i, j) + 1));
}

static void hash_integers(test_rng *rng) {
    int64_t n[4];
    cd_ivec2 p[4];
    cd_segment_cut2 cut;
    for (int k = 0; k < 4; ++k) {
        n[k] = (int64_t)(test_next(rng) >> 1) - ((int64_t)1 << 62);
        p[k].x = test_int(rng, -3, 3) * (int32_t)(n[k] >= 0 ? 700000000 : 1);
        p[k].y = test_int(rng, -3, 3);
    }
    add_wide(cd_int128_mul_int64(n[0], n[1]));
    add_real((cd_real)(1e-20 * cd_int128_to_double(cd_int128_mul_int64(n[2], n[3]))));
    add_int((uint32_t)(cd_compare_fractions(n[0], n[1], n[2], n[3]) + 1));
    add_int((uint32_t)(cd_orient2d_int(p[0], p[1], p[2]) + 1));
    if (!cd_intersect_2d_segment_segment_exact(p[0], p[1], p[2], p[3], &cut)) return;
    add_int(cut.kind);
    add_wide(cut.num[0]);
    add_wide(cut.num[1]);
    add_wide(cut.den);
    add_int((uint32_t)cut.ends[1].x);
}

static void add_vec2(cd_vec2 v) {
    add_real(v.x);
    add_real(v.y);
}

static void add_quat(cd_quat q) {
    for (int i = 0; i < 4; ++i) add_real(REALS(q)[i]);
}

static void add_mat(const cd_mat3 *m) {
    for (int i = 0; i < 3; ++i) add_vec(m->col[i]);
}

static void add_eigen(bool found, const cd_eigen *e) {
    add_int(found);
    for (int i = 0; i < 3; ++i) add_real(e->value[i]);
    add_mat(&e->vector);
}

static void hash_linear_algebra(gen *g) {
    cd_vec3 a = gen_point(g), b = gen_point(g), c = gen_point(g), x = a;
    cd_mat3 m = cd_mat3_from_columns(a, b, c), n = cd_mat3_outer(b, c),
            turn = cd_mat3_from_axis_angle(b, c.x);
    cd_mat2 m2 = cd_mat2_from_columns(cd_vec2_make(a.x, a.y), cd_vec2_make(b.x, b.y)), n2 = m2;
    cd_vec2 x2 = cd_vec2_make(0, 0);
    cd_quat p = gen_quat(g->rng), q = gen_quat(g->rng);
    cd_real s, t, huge = (cd_real)test_range(g->rng, -1e30, 1e30);
    cd_eigen e;
    add_int(cd_solve3(&m, b, &x));
    add_vec(x);
    add_int(cd_solve2(&m2, cd_vec2_make(c.x, c.y), &x2));
    add_vec2(x2);
    add_int(cd_mat2_inverse(&m2, &n2));
    add_vec2(n2.col[0]);
    n2 = cd_mat2_mul(&m2, &m2);
    add_vec2(n2.col[1]);
    add_real(cd_mat2_determinant(&m2));
    add_real(cd_mat3_determinant(&m));
    add_real(cd_mat3_trace(&m));
    n = cd_mat3_add(&m, &n);
    add_mat(&n);
    add_mat(&turn);
    add_eigen(cd_eigen_jacobi(&m, &e), &e);
    add_eigen(cd_eigen_cubic(&m, &e), &e);
    cd_sincos(a.x, &s, &t);
    add_real(s);
    add_real(t);
    cd_sincos(huge, &s, &t);
    add_real(s);
    add_real(t);
    add_quat(cd_quat_from_axis_angle(a, b.x));
    add_quat(cd_quat_slerp(p, q, (cd_real)0.3));
    add_quat(cd_quat_nlerp(p, q, (cd_real)0.7));
}

static void hash_queries(gen *g) {
    cd_triangle t = gen_triangle(g), u = gen_triangle_near(g, &t);
    cd_aabb box = gen_aabb(g);
    cd_obb o = gen_obb(g), p = gen_obb(g);
    cd_sphere s = gen_sphere(g);
    cd_vec3 point = gen_point(g);
    cd_interval3 center, other;
    cd_closest c = cd_closest_pts_point_triangle(point, &t);
    cd_plane plane;
    cd_triangle_cut cut;
    cd_hit h;
    cd_ray r;
    r.origin = point;
    r.dir = gen_direction(g);
    add_int(cd_orient3d(t.a, t.b, t.c, point) > 0);
    add_int(cd_insphere(t.a, t.b, t.c, point, s.center) > 0);
    add_int(cd_incircle2d(cd_vec2_make(t.a.x, t.a.y), cd_vec2_make(t.b.x, t.b.y), cd_vec2_make(t.c.x, t.c.y),
                          cd_vec2_make(point.x, point.y)) > 0);
    add_int((uint32_t)(cd_locate_point_sphere(point, s) + 1));
    add_int((uint32_t)(cd_locate_point_aabb(point, box) + 1));
    add_int(cd_test_sphere_aabb(s, box));
    center = cd_interval3_from_vec3(s.center);
    other = cd_interval3_from_vec3(point);
    add_int((uint32_t)(cd_test_sphere_sphere_interval(&center, cd_interval_from_value(s.radius), &other,
                                                      cd_interval_from_value(1)) +
                       1));
    add_vec(c.b);
    add_real(c.sqdist);
    add_real(c.s);
    add_int(c.feature_b);
    add_vec(cd_closest_pt_point_obb(point, &o));
    add_real(cd_sqdist_point_aabb(point, box));
    add_int(cd_test_obb_obb(&o, &p));
    add_int(cd_test_triangle_aabb(&t, box));
    add_int(cd_test_triangle_obb(&t, &o));
    add_int(cd_test_sphere_triangle(s, &t));
    add_int(cd_test_sphere_obb(s, &o));
    add_vec(cd_aabb_from_obb(&o).min);
    add_vec(cd_aabb_from_sphere(s).max);
    add_hit(cd_cast_ray_sphere(&r, CD_REAL_MAX, s, NULL, &h), &h);
    add_hit(cd_cast_ray_aabb(&r, CD_REAL_MAX, box, NULL, &h), &h);
    add_hit(cd_cast_ray_obb(&r, CD_REAL_MAX, &o, NULL, &h), &h);
    add_hit(cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &h), &h);
    if (cd_plane_from_points(t.a, t.b, t.c, &plane))
        add_hit(cd_cast_ray_plane(&r, CD_REAL_MAX, plane, NULL, &h), &h);
    if (cd_intersect_triangle_triangle(&t, &u, &cut)) {
        add_int(cut.count);
        for (uint32_t i = 0; i < cut.count; ++i) add_vec(cut.points[i]);
    }
}

static void add_box(const cd_obb *b) {
    add_vec(b->center);
    for (int i = 0; i < 3; ++i) add_vec(b->axes.col[i]);
    add_vec(b->half);
}

static void hash_oriented_boxes(gen *g) {
    cd_obb a = gen_obb(g), b = gen_obb(g), c;
    cd_aabb box = gen_aabb(g);
    cd_transform pose = gen_pose(g->rng, 3.0);
    cd_segment s = gen_segment(g);
    cd_vec3 v[8], w[8];
    cd_plane p[6];
    cd_obb_corner corner;
    cd_obb_quat turned;
    cd_obb12 twelve;
    cd_bound2 m = cd_bound2_make(&a), n = cd_bound2_make(&b);
    if (g->kind == GEN_GRID) b.axes = a.axes;
    cd_obb_to_vertices(&a, v);
    cd_obb_to_vertices(&b, w);
    cd_obb_to_planes(&a, p);
    cd_obb_to_corner(&a, &corner);
    cd_obb_to_quat(&a, &turned);
    cd_obb_to_obb12(&a, &twelve);
    add_int(cd_test_obb_obb(&a, &b));
    add_int(cd_test_obb_obb_fast(&a, &b));
    add_int(cd_test_obb_obb_vertices(v, w));
    add_int(cd_test_obb_obb_upright(&a, &b, 1));
    add_int(cd_test_obb_aabb(&a, box));
    add_int(cd_test_obb_obb_relative(&a, &b, &pose));
    add_int(cd_test_aabb_aabb_relative(box, box, &pose));
    add_int(cd_test_obb_plane(&a, p[0]));
    add_int(cd_test_obb_halfspace(&b, p[3]));
    add_int(cd_test_segment_obb(&s, &a));
    add_int(cd_test_polygon_obb(w, 4, &a));
    add_int(cd_test_bound2_bound2(&m, &pose, &n, &pose, 1));
    add_real(m.world_sphere.radius);
    add_real(cd_obb_volume(&a));
    add_real(cd_obb_surface_area(&a));
    add_vec(cd_obb_support(&a, s.a));
    c = cd_merge_obb_obb(&a, &b);
    add_box(&c);
    for (int i = 0; i < 6; ++i) add_real(p[i].d);
    add_vec(twelve.half);
    add_int(cd_obb_from_vertices(v, &c));
    add_box(&c);
    add_int(cd_obb_from_planes(p, &c));
    add_box(&c);
    add_int(cd_obb_from_corner(&corner, &c));
    add_box(&c);
    add_int(cd_obb_from_quat(&turned, &c));
    add_box(&c);
}

static void hash_shapes(gen *g) {
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    cd_triangle t = gen_triangle(g);
    cd_segment s = gen_segment(g);
    cd_aabb box = gen_aabb(g);
    cd_obb o = gen_obb(g);
    cd_vec3 p = gen_point(g), v[4], w = {0, 0, 0};
    cd_transform pose = gen_pose(g->rng, 3.0);
    cd_plane plane;
    cd_vec2 flat[4];
    v[0] = t.a, v[1] = t.b, v[2] = t.c, v[3] = s.a;
    for (int i = 0; i < 4; ++i) flat[i] = cd_vec2_make(v[i].x, v[i].y);
    add_int(cd_barycentric(&t, p, &w));
    add_vec(w);
    add_int(cd_barycentric_projected(&t, p, &w));
    add_vec(w);
    add_int(cd_barycentric2d(flat[0], flat[1], flat[2], flat[3], &w));
    add_vec(w);
    plane = cd_plane_transform(cd_plane_normalize(cd_plane_from_point_normal(p, s.b)), &pose);
    add_vec(plane.n);
    add_real(plane.d);
    add_vec(cd_line_through(p, s.a).dir);
    add_int(cd_plane_from_triangle(&t, &plane));
    add_int(cd_voronoi_region_segment(p, &s));
    add_int(cd_voronoi_region_triangle(p, &t));
    add_int(cd_voronoi_region_tetrahedron(p, v[0], v[1], v[2], v[3]));
    add_int(cd_voronoi_region_aabb(p, box));
    add_int(cd_voronoi_region_obb(p, &o));
    add_int(cd_voronoi_region_polyhedron(p, v, 4, faces, 4));
    add_int(cd_is_convex_quad(v[0], v[1], v[2], v[3]));
    add_int(cd_is_convex_polygon(flat, 4));
    add_int(cd_is_convex_polygon3(v, 4));
    add_int(cd_is_convex_polyhedron(v, 4, faces, 4, NULL, NULL));
}

static void hash_hulls2(gen *g) {
    cd_vec2 v[30], p[2][30];
    uint32_t hull[30];
    cd_minkowski_corner2 c[60];
    size_t count[2], n;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 30; ++i) {
            cd_vec3 w = gen_point(g);
            v[i] = cd_vec2_make(w.x, w.y);
        }
        if (k == 0)
            cd_hull2_andrew(v, 30, hull, &count[k]);
        else
            cd_hull2_quickhull(v, 30, hull, &count[k]);
        for (size_t i = 0; i < count[k]; ++i) {
            add_int(hull[i]);
            p[k][i] = v[hull[i]];
        }
    }
    cd_minkowski_sum2(p[0], count[0], p[1], count[1], c, 60, &n);
    for (size_t i = 0; i < n; ++i) {
        add_vec2(c[i].position);
        add_int(c[i].a);
        add_int(c[i].b);
    }
    cd_minkowski_difference2(p[0], count[0], p[1], count[1], NULL, 0, &n);
    add_int((uint32_t)n);
    add_int((uint32_t)(cd_minkowski_locate_origin2(p[0], count[0], p[1], count[1]) + 1));
}

static void hash_lp(gen *g) {
    cd_plane h[20];
    cd_halfspace2 flat[20];
    cd_lp2 two;
    cd_lp3 three;
    cd_interior3 inner;
    uint32_t count = (uint32_t)test_int(g->rng, 3, 20);
    for (uint32_t i = 0; i < count; ++i) {
        h[i].n = gen_point(g);
        h[i].d = gen_length(g);
        flat[i].n = cd_vec2_make(h[i].n.x, h[i].n.y);
        flat[i].d = h[i].d;
    }
    cd_lp_seidel2(flat, count, flat[0].n, NULL, &two);
    cd_lp_seidel3(h, count, gen_direction(g), NULL, &three);
    cd_halfspaces_interior_point(h, count, NULL, &inner);
    add_int(two.verdict);
    add_real(two.point.x);
    add_real(two.ray.y);
    add_int(three.verdict);
    add_vec(three.point);
    add_vec(three.ray);
    for (uint32_t i = 0; i < three.basis_count; ++i) add_int(three.basis[i]);
    add_int(inner.verdict);
    add_vec(inner.point);
    add_real(inner.margin);
}

static void add_mass(const cd_mass *m) {
    cd_mat3 axes;
    double moment[3] = {0, 0, 0};
    add_double(m->mass);
    for (int i = 0; i < 3; ++i) add_double(m->center[i]);
    for (int i = 0; i < 9; ++i) add_double(m->inertia[i / 3][i % 3]);
    if (!cd_mass_principal(m, moment, &axes)) return;
    for (int i = 0; i < 3; ++i) add_double(moment[i]);
    add_vec(axes.col[0]);
}

static void hash_masses(gen *g) {
    cd_vec3 v[4];
    cd_obb box = gen_obb(g);
    cd_transform pose = gen_pose(g->rng, 3.0);
    cd_mass tetra, brick, ball, sum;
    for (int i = 0; i < 4; ++i) v[i] = gen_point(g);
    tetra = cd_mass_from_tetrahedron(v[0], v[1], v[2], v[3]);
    brick = cd_mass_from_obb(&box);
    ball = cd_mass_from_sphere(gen_sphere(g));
    sum = cd_mass_add(&tetra, &brick);
    sum = cd_mass_add(&sum, &ball);
    sum = cd_mass_transform(&sum, &pose);
    add_mass(&tetra);
    add_mass(&brick);
    add_mass(&sum);
    add_vec(cd_mass_inertia_at(&sum, v[0]).col[1]);
}

static void hash_mesh(const gen_mesh *mesh) {
    cd_mesh_view view = gen_mesh_view(mesh);
    cd_mass m;
    cd_euler e;
    if (cd_mass_properties(&view, &m) == CD_OK) add_mass(&m);
    if (cd_mass_properties_shell(&view, &m) == CD_OK) add_mass(&m);
    if (cd_mesh_euler(&view, NULL, &e) != CD_OK) abort();
    add_int(e.defect);
    add_int(e.feature);
    add_int(e.fans);
    add_int(e.edges);
    add_int(e.pieces);
    add_int(e.loops);
    add_int((uint32_t)e.genus);
}

static bool add_index(void *user, uint32_t index) {
    (void)user;
    add_int(index);
    return true;
}

static bool add_pair(void *user, cd_pair pair) {
    (void)user;
    add_int(pair.a);
    add_int(pair.b);
    return true;
}

/* ---- trees: builders ---- */

/* Builders that join and insert, over the first few triangles: what the tree is like, and in which order its items are met. */
static void hash_joined_trees(const gen_mesh *mesh, test_rng *rng) {
    cd_mesh_view view = gen_mesh_view(mesh);
    if (view.triangle_count > 200) view.triangle_count = 200;
    for (uint32_t method = CD_BVH_BOTTOM_UP; method <= CD_BVH_INSERTED; ++method) {
        cd_bvh_options options;
        cd_bvh_stats stats;
        cd_bvh built;
        memset(&options, 0, sizeof options);
        options.method = method;
        options.optimise = (uint32_t)test_int(rng, 0, 1);
        options.leaf_size = (uint32_t)test_int(rng, 1, 5);
        options.layout = (uint32_t)test_int(rng, 0, 2);
        if (cd_bvh_build_mesh(&built, &view, &options) != CD_OK) abort();
        stats = cd_bvh_get_stats(&built);
        add_int(stats.node_count);
        add_int(stats.depth);
        cd_bvh_overlap_aabb(&built, cd_bvh_bounds(&built), NULL, add_index, NULL);
        cd_bvh_destroy(&built);
    }
}

static void hash_bvh_builders(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    (void)tree;
    hash_joined_trees(mesh, rng);
}

/* ---- end of trees: builders ---- */

/* ---- trees: layouts ---- */

static void hash_bvh_stats(const cd_bvh *tree) {
    cd_bvh_stats s = cd_bvh_get_stats(tree);
    add_int(s.node_count);
    add_int(s.leaf_count);
    add_int(s.depth);
    add_double(s.leaf_depth);
    add_double(s.cost);
    add_double(s.cost_nodes);
    add_double(s.cost_point);
    add_double(s.overlap);
}

static void hash_bvh_layouts(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_aabb box = cd_bvh_bounds(tree);
    cd_bvh other;
    cd_bvh_compact compact;
    cd_bvh_collapsed c;
    cd_bvh_worst worst = cd_bvh_get_worst(tree, 20);
    uint32_t degree = (uint32_t)test_int(rng, 2, 16);
    cd_bvh_degree formula = cd_bvh_degree_cost((double)degree, (double)mesh->triangle_count);
    hash_bvh_stats(tree);
    add_double(formula.one);
    add_double(worst.mean);
    add_double(worst.bound);
    add_int(worst.index);
    if (cd_bvh_convert(&other, tree, (uint32_t)test_int(rng, 0, 3), NULL) != CD_OK) abort();
    hash_bvh_stats(&other);
    cd_bvh_destroy(&other);
    if (cd_bvh_collapse(tree, degree, NULL, &c) != CD_OK) abort();
    add_int(c.node_count);
    add_double(c.cost);
    add_double(c.tests);
    if (cd_bvh_compact_build(&compact, tree, NULL) != CD_OK) abort();
    for (int i = 0; i < 5; ++i) {
        cd_ray r;
        box.min = cd_vec3_lerp(box.min, box.max, (cd_real)test_range(rng, 0.0, 0.3));
        r.origin = box.min;
        r.dir = cd_vec3_sub(mesh->vertices[0], box.max);
        cd_bvh_compact_overlap_aabb(&compact, box, NULL, add_index, NULL);
        cd_bvh_compact_overlap_ray(&compact, &r, CD_REAL_MAX, NULL, add_index, NULL);
    }
    cd_bvh_compact_destroy(&compact);
}

/* ---- end of trees: layouts ---- */

/* ---- trees: rays ---- */

static void hash_bvh_rays(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_aabb bounds = cd_bvh_bounds(tree);
    uint32_t last = CD_NONE;
    for (int i = 0; i < 16; ++i) {
        cd_segment s;
        cd_ray r;
        cd_hit h, all[4];
        size_t count;
        s.a = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_range(rng, -0.5, 1.5));
        s.b = mesh->vertices[test_int(rng, 0, (int)mesh->vertex_count - 1)];
        r = cd_ray_through(s.a, s.b);
        add_hit(cd_bvh_cast_segment(tree, &s, NULL, &h), &h);
        add_hit(cd_bvh_cast_ray_again(tree, &r, CD_REAL_MAX, NULL, &last, &h), &h);
        count = cd_bvh_cast_ray_all(tree, &r, CD_REAL_MAX, NULL, all, 4);
        add_int((uint32_t)count);
        for (size_t k = 0; k < count && k < 4; ++k) add_hit(true, &all[k]);
    }
}

/* ---- end of trees: rays ---- */

/* ---- trees: sweeps ---- */

static void hash_bvh_sweeps(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_aabb bounds = cd_bvh_bounds(tree);
    cd_vec3 across = cd_vec3_sub(bounds.max, bounds.min), p[6];
    for (int i = 0; i < 6; ++i) {
        cd_vec3 from = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_range(rng, -0.5, 1.5));
        cd_vec3 to = mesh->vertices[test_int(rng, 0, (int)mesh->vertex_count - 1)];
        cd_vec3 motion = cd_vec3_sub(to, from);
        cd_real size = cd_vec3_length(across) / 16;
        cd_sphere ball;
        cd_capsule capsule;
        cd_obb box;
        cd_aabb level;
        cd_hull hull;
        cd_hit hit;
        ball.center = capsule.a = box.center = level.min = from;
        ball.radius = capsule.radius = size;
        capsule.b = cd_vec3_along(from, across, (cd_real)0.125);
        level.max = capsule.b;
        box.half = cd_vec3_make(size, size / 2, size / 4);
        box.axes = cd_quat_to_mat3(gen_quat(rng));
        for (int k = 0; k < 6; ++k) {
            p[k] = from;
            p[k].x += size * (cd_real)test_range(rng, -1, 1);
            p[k].y += size * (cd_real)test_range(rng, -1, 1);
            p[k].z += size * (cd_real)test_range(rng, -1, 1);
        }
        add_hit(cd_bvh_sweep_sphere(tree, ball, motion, NULL, &hit), &hit);
        add_hit(cd_bvh_sweep_capsule(tree, &capsule, motion, NULL, &hit), &hit);
        add_hit(cd_bvh_sweep_aabb(tree, level, motion, NULL, &hit), &hit);
        add_hit(cd_bvh_sweep_obb(tree, &box, motion, NULL, &hit), &hit);
        if (cd_hull3_build(&hull, p, 6, NULL) != CD_OK) continue;
        add_hit(cd_bvh_sweep_hull(tree, &hull, motion, NULL, &hit), &hit);
        add_hit(cd_sweep_hull_aabb(&hull, motion, level, NULL, &hit), &hit);
        add_hit(cd_sweep_hull_obb(&hull, motion, &box, NULL, &hit), &hit);
        add_hit(cd_sweep_hull_sphere(&hull, motion, ball, NULL, &hit), &hit);
        add_hit(cd_sweep_sphere_hull(ball, motion, &hull, NULL, &hit), &hit);
        cd_hull_destroy(&hull);
    }
}

/* ---- end of trees: sweeps ---- */

/* ---- trees: volumes ---- */

static void hash_bvh_volumes(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_vec3 at[3];
    cd_bvh_volume v[5];
    cd_capsule capsule;
    cd_obb box;
    cd_triangle triangle;
    cd_frustum eye;
    cd_plane planes[6];
    uint32_t count = 0;
    double reach = 0.2 * (double)cd_vec3_dist(cd_bvh_bounds(tree).min, cd_bvh_bounds(tree).max);
    for (int k = 0; k < 3; ++k) {
        int corner = test_int(rng, 0, (int)(3 * mesh->triangle_count) - 1);
        at[k] = mesh->vertices[mesh->indices[corner]];
    }
    capsule.a = at[0];
    capsule.b = at[1];
    capsule.radius = (cd_real)(0.3 * reach);
    box.center = at[2];
    box.half = cd_vec3_make((cd_real)reach, (cd_real)(0.5 * reach), (cd_real)(0.2 * reach));
    eye.pose = gen_pose(rng, 1.0);
    box.axes = cd_quat_to_mat3(eye.pose.rotation);
    triangle.a = at[0];
    triangle.b = at[1];
    triangle.c = box.center;
    eye.pose.position = at[0];
    eye.left = eye.bottom = (cd_real)-0.25;
    eye.right = eye.top = (cd_real)0.5;
    eye.first = 0;
    eye.last = (cd_real)(2.0 * reach);
    add_int(cd_region_from_frustum(&eye, planes, &count));
    for (uint32_t k = 0; k < 4 * count; ++k) add_real(REALS(planes[0])[k]);
    v[0] = cd_bvh_volume_aabb(cd_aabb_from_obb(&box));
    v[1] = cd_bvh_volume_capsule(&capsule);
    v[2] = cd_bvh_volume_obb(&box);
    v[3] = cd_bvh_volume_triangle(&triangle);
    v[4] = cd_bvh_volume_planes(planes, count);
    add_int(cd_bvh_overlaps(tree, v, 5, NULL, add_pair, NULL));
    for (int k = 0; k < 5; ++k) {
        cd_aabb b = cd_bvh_volume_bounds(&v[k]);
        cd_plane moved[6];
        cd_bvh_volume w;
        add_vec(b.min);
        add_vec(b.max);
        if (cd_bvh_volume_transform(&v[k], &eye.pose, (cd_real)0.75, moved, &w)) {
            add_int(w.kind);
            add_int((uint32_t)cd_bvh_overlap_list(tree, &w, NULL, NULL, 0));
        }
    }
}

/* ---- end of trees: volumes ---- */

/* ---- trees: near ---- */

static void add_near(const cd_closest *c) {
    add_vec(c->b);
    add_real(c->sqdist);
    add_int(c->index_b);
    add_int(c->feature_b);
}

static void hash_bvh_near(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_aabb bounds = cd_bvh_bounds(tree);
    cd_bvh_winding winding;
    if (cd_bvh_winding_build(&winding, tree, NULL) != CD_OK) abort();
    for (int i = 0; i < 12; ++i) {
        cd_vec3 p = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_range(rng, -0.2, 1.2));
        cd_vec3 v = mesh->vertices[test_int(rng, 0, (int)mesh->vertex_count - 1)];
        cd_closest few[4], one;
        cd_real distance;
        size_t found;
        p = cd_vec3_lerp(p, v, (cd_real)test_range(rng, 0.0, 1.0));
        found = cd_bvh_closest_k(tree, p, 4, cd_vec3_dist(p, v), NULL, few);
        for (size_t k = 0; k < found; ++k) add_near(&few[k]);
        add_int(cd_bvh_test_distance(tree, p, cd_vec3_dist(p, v) / 2, NULL));
        if (cd_bvh_signed_distance(&winding, tree, p, CD_REAL_MAX, &one, &distance)) add_near(&one);
        add_real(distance);
        add_real(cd_bvh_winding_number(&winding, tree, p, (cd_real)0.01));
    }
    cd_bvh_winding_destroy(&winding);
}

/* ---- end of trees: near ---- */

/* ---- trees: pairs ---- */

static void hash_bvh_pairs(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_vec3 points[20];
    cd_bvh_pair_options o;
    cd_transform pose;
    cd_closest c;
    cd_bvh cloud;
    for (int i = 0; i < 20; ++i) {
        int at = test_int(rng, 0, (int)mesh->vertex_count - 1);
        points[i] = cd_vec3_scale(mesh->vertices[at], (cd_real)test_range(rng, 0.9, 1.1));
    }
    pose = gen_pose(rng, 0.25);
    memset(&o, 0, sizeof o);
    if (cd_bvh_build_points(&cloud, points, 20, NULL) != CD_OK) abort();
    for (o.rule = 0; o.rule < 5; ++o.rule)
        cd_bvh_traverse_within(tree, &cloud, &pose, (cd_real)0.05, &o, add_pair, NULL);
    if (cd_bvh_closest_bvh(tree, &cloud, &pose, CD_REAL_MAX, NULL, &c)) {
        add_vec(c.a);
        add_real(c.sqdist);
        add_int(c.index_a);
        add_int(c.index_b);
    }
    if (mesh->triangle_count < 400) {
        o.flags = CD_BVH_SKIP_TOUCHING;
        cd_bvh_traverse_self(tree, &o, add_pair, NULL);
    }
    cd_bvh_destroy(&cloud);
}

/* ---- end of trees: pairs ---- */

/* ---- trees: instances ---- */

static void hash_bvh_instances(const cd_bvh *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_bvh_instance in[5];
    cd_bvh_instances all;
    cd_aabb b = cd_bvh_bounds(tree);
    (void)mesh;
    memset(in, 0, sizeof in);
    for (int i = 0; i < 5; ++i) {
        in[i].tree = tree;
        in[i].pose = gen_pose(rng, 1.0);
        in[i].scale = (cd_real)(1 + i) / 3;
    }
    if (cd_bvh_instances_build(&all, in, 5, NULL) != CD_OK) return;
    for (int i = 0; i < 5; ++i) {
        cd_vec3 from = cd_vec3_lerp(b.min, b.max, (cd_real)test_range(rng, -1, 2));
        cd_ray r = cd_ray_through(from, in[i % 5].pose.position);
        cd_sphere ball;
        cd_bvh_volume v;
        cd_hit h;
        cd_closest c;
        uint32_t which = CD_NONE;
        add_hit(cd_bvh_instances_cast_ray(&all, &r, CD_REAL_MAX, NULL, &h, &which), &h);
        add_int(which);
        if (cd_bvh_instances_closest(&all, from, CD_REAL_MAX, NULL, &c, &which)) {
            add_vec(c.b);
            add_real(c.sqdist);
            add_int(which);
        }
        ball.center = from;
        ball.radius = cd_vec3_dist(b.min, b.max) / 20;
        v = cd_bvh_volume_sphere(ball);
        cd_bvh_instances_overlap(&all, &v, NULL, add_pair, NULL);
        add_hit(cd_bvh_instances_sweep(&all, &v, r.dir, NULL, &h, &which), &h);
    }
    cd_bvh_instances_destroy(&all);
}

/* ---- end of trees: instances ---- */

/* A tree's answers. Its bytes are in the machine's own order: they are hashed by its answers alone. */
/* Half of the queries at each turn. */
static void hash_tree(const gen_mesh *mesh, test_rng *rng, const cd_bvh *other, uint32_t turn) {
    cd_mesh_view view = gen_mesh_view(mesh);
    cd_bvh_options options;
    cd_bvh tree;
    cd_aabb bounds;
    memset(&options, 0, sizeof options);
    options.layout = turn % 3;
    if (cd_bvh_build_mesh(&tree, &view, &options) != CD_OK) abort();
    bounds = cd_bvh_bounds(&tree);
    for (int i = 0; i < 30; ++i) {
        gen g = gen_begin(rng, GEN_UNIT);
        cd_vec3 p = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_range(rng, -0.5, 1.5));
        cd_ray r = cd_ray_through(p, mesh->vertices[test_int(rng, 0, (int)mesh->vertex_count - 1)]);
        cd_sphere s;
        cd_closest c;
        cd_hit h;
        if (i % 2) r.dir = gen_direction(&g);
        s.center = p;
        s.radius = cd_vec3_dist(bounds.min, bounds.max) / 8;
        add_hit(cd_bvh_cast_ray(&tree, &r, CD_REAL_MAX, NULL, &h), &h);
        add_int(cd_bvh_test_ray(&tree, &r, 1, NULL));
        cd_bvh_overlap_sphere(&tree, s, NULL, add_index, NULL);
        cd_bvh_overlap_aabb(&tree, cd_aabb_from_sphere(s), NULL, add_index, NULL);
        if (cd_bvh_closest(&tree, p, CD_REAL_MAX, NULL, &c)) {
            add_vec(c.b);
            add_real(c.sqdist);
            add_int(c.index_b);
        }
    }
    if (other) {
        cd_transform pose = gen_pose(rng, 0.5);
        cd_bvh_traverse_pairs(&tree, other, &pose, NULL, add_pair, NULL);
    }
    if (turn % 2 == 0) {
        hash_bvh_builders(&tree, mesh, rng);
        hash_bvh_rays(&tree, mesh, rng);
        hash_bvh_volumes(&tree, mesh, rng);
        hash_bvh_pairs(&tree, mesh, rng);
    } else {
        hash_bvh_layouts(&tree, mesh, rng);
        hash_bvh_sweeps(&tree, mesh, rng);
        hash_bvh_near(&tree, mesh, rng);
        hash_bvh_instances(&tree, mesh, rng);
    }
    cd_bvh_destroy(&tree);
}

static void add_sphere(cd_sphere s) {
    add_vec(s.center);
    add_real(s.radius);
}

static void hash_spheres(gen *g) {
    cd_vec3 p[20], mean;
    cd_vec2 flat[20];
    cd_sphere s, ball[3];
    cd_circle c;
    cd_mat3 m;
    cd_real x[20];
    cd_plane plane;
    for (int i = 0; i < 20; ++i) {
        p[i] = gen_point(g);
        flat[i] = cd_vec2_make(p[i].x, p[i].y);
        x[i] = p[i].z;
    }
    if (cd_sphere_welzl(p, 20, &s) == CD_OK) add_sphere(s);
    if (cd_sphere_aabb(p, 20, &s) == CD_OK) add_sphere(s);
    if (cd_sphere_ritter(p, 20, &s) == CD_OK) add_sphere(s);
    if (cd_sphere_eigen(p, 20, &s) == CD_OK) add_sphere(s);
    if (cd_sphere_ritter_eigen(p, 20, &s) == CD_OK) add_sphere(s);
    if (cd_sphere_ritter_iterative(p, 20, NULL, &s) == CD_OK) add_sphere(s);
    for (int i = 0; i < 3; ++i) ball[i] = gen_sphere(g);
    add_sphere(cd_merge_sphere_sphere(ball[0], ball[1]));
    add_sphere(cd_sphere_add_point(ball[0], p[0]));
    add_sphere(cd_sphere_from_aabb(gen_aabb(g)));
    if (cd_sphere_of_spheres(ball, 3, &s) == CD_OK) add_sphere(s);
    if (cd_circle_welzl(flat, 20, &c) == CD_OK) add_real(c.radius);
    if (cd_circle_ritter(flat, 20, &c) == CD_OK) add_real(c.radius);
    add_vec(cd_sphere_support(s, p[1]));
    add_real(cd_sphere_volume(s));
    add_real(cd_sphere_surface_area(s));
    plane.n = p[2];
    plane.d = p[3].x;
    add_int(cd_test_sphere_plane(s, plane) + 2u * cd_test_sphere_halfspace(s, plane));
    m = cd_covariance(p, 20, &mean);
    add_mat(&m);
    add_vec(mean);
    add_real(cd_variance(x, 20));
    add_real(cd_variance_one_pass(x, 20));
    add_real(cd_deviation(x, 20));
}

static void hash_trees(test_rng *rng) {
    gen_named_mesh meshes[16];
    int count = gen_all_meshes(rng, meshes);
    cd_mesh_view view = gen_mesh_view(&meshes[1].mesh);
    cd_bvh ball;
    if (cd_bvh_build_mesh(&ball, &view, NULL) != CD_OK) abort();
    for (int m = 0; m < count; ++m) {
        hash_tree(&meshes[m].mesh, rng, &ball, (uint32_t)m);
        hash_mesh(&meshes[m].mesh);
        gen_mesh_free(&meshes[m].mesh);
    }
    cd_bvh_destroy(&ball);
}

static void add_hull(const cd_hull *hull) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    add_int((uint32_t)(h.dimension + 1));
    for (uint32_t v = 0; v < h.vertex_count; ++v) {
        add_vec(h.vertices[v]);
        add_int(h.sources[v]);
        add_int(h.outgoing[v]);
    }
    for (uint32_t e = 0; e < h.half_edge_count; ++e) {
        add_int(h.half_edges[e].origin);
        add_int(h.half_edges[e].twin);
        add_int(h.half_edges[e].face);
    }
    for (uint32_t f = 0; f < h.face_count; ++f) {
        add_vec(h.faces[f].plane.n);
        add_real(h.faces[f].plane.d);
        add_int(h.faces[f].count);
    }
    add_real(h.flatness);
    add_real(h.deviation);
    add_vec(h.center);
}

/* Two hulls of a few points each, their sum, and where the origin is in their difference. */
static void hash_minkowski(gen *g) {
    cd_hull hull[2], sum;
    int where;
    for (int i = 0; i < 2; ++i) {
        cd_vec3 v[12];
        int count = test_int(g->rng, 1, 12);
        for (int k = 0; k < count; ++k) v[k] = gen_point(g);
        if (cd_hull3_build(&hull[i], v, (size_t)count, NULL) != CD_OK) abort();
    }
    if (cd_minkowski_sum3(&sum, &hull[0], &hull[1], NULL) != CD_OK) abort();
    if (cd_minkowski_locate_origin3(&where, &hull[0], &hull[1], NULL) != CD_OK) abort();
    add_int((uint32_t)(where + 1));
    add_hull(&sum);
    cd_hull_destroy(&sum);
    cd_hull_destroy(&hull[0]);
    cd_hull_destroy(&hull[1]);
}

static void hash_hull(const cd_vec3 *points, size_t count, double merge_distance, cd_vec3 d) {
    cd_hull_options o;
    cd_hull hull;
    memset(&o, 0, sizeof o);
    o.merge_distance = (cd_real)merge_distance;
    if (cd_hull3_build(&hull, points, count, &o) != CD_OK) abort();
    add_hull(&hull);
    add_int(cd_hull_support(&hull, d));
    add_vec(cd_hull_bounds(&hull).max);
    cd_hull_destroy(&hull);
}

static void hash_hulls(test_rng *rng) {
    gen_mesh ball = gen_mesh_ball(12, 0.1, rng);
    for (int kind = 0; kind < GEN_KINDS; ++kind) {
        for (int i = 0; i < 10; ++i) {
            gen g = gen_begin(rng, (gen_kind)kind);
            cd_vec3 points[60], d = gen_direction(&g);
            for (int k = 0; k < 60; ++k) points[k] = gen_point(&g);
            hash_hull(points, (size_t)(6 * (i + 1)), 0, d);
            hash_hull(points, (size_t)(6 * (i + 1)), 0.01, d);
        }
    }
    hash_hull(ball.vertices, ball.vertex_count, 0, cd_vec3_make(1, 2, 3));
    hash_hull(ball.vertices, ball.vertex_count, 0.02, cd_vec3_make(1, 2, 3));
    gen_mesh_free(&ball);
}

static void hash_simplified(const cd_hull *hull, uint32_t side, uint32_t vertices, uint32_t faces) {
    cd_hull_simplify_options o;
    cd_hull s;
    memset(&o, 0, sizeof o);
    o.side = side;
    o.max_vertices = vertices;
    o.max_faces = faces;
    add_int((uint32_t)cd_hull_simplify(&s, hull, &o));
    add_hull(&s);
    cd_hull_destroy(&s);
}

static void hash_simplification(test_rng *rng) {
    for (int kind = 0; kind < GEN_KINDS; ++kind) {
        gen g = gen_begin(rng, (gen_kind)kind);
        cd_vec3 points[200];
        cd_hull hull;
        for (int i = 0; i < 200; ++i) points[i] = gen_point(&g);
        if (cd_hull3_build(&hull, points, 200, NULL) != CD_OK) abort();
        hash_simplified(&hull, CD_HULL_INNER, 12, 0);
        hash_simplified(&hull, CD_HULL_INNER, 0, 9);
        hash_simplified(&hull, CD_HULL_OUTER, 0, 6);
        hash_simplified(&hull, CD_HULL_OUTER, 16, 0);
        cd_hull_destroy(&hull);
    }
}

/* ---- axis-aligned boxes in their forms ---- */

static void add_aabb(cd_aabb b) {
    add_vec(b.min);
    add_vec(b.max);
}

static void hash_aabb_forms(gen *g) {
    cd_aabb a = gen_aabb(g), b = gen_aabb(g);
    cd_aabb_cr cr = cd_aabb_cr_from_aabb(a);
    cd_aabb_mw mw = cd_aabb_mw_from_aabb(b);
    cd_aabb_q16 q = cd_aabb_q16_from_aabb(a, cd_merge_aabb_aabb(a, b));
    cd_aabb_int whole = cd_aabb_int_from_aabb(a);
    cd_plane plane;
    add_vec(cr.half);
    add_vec(mw.width);
    add_real(cd_sphere_from_aabb_cr(&cr).radius);
    for (int k = 0; k < 3; ++k) add_int((uint32_t)q.min[k] << 16 | q.max[k]);
    for (int k = 0; k < 3; ++k) add_int((uint32_t)whole.min[k] ^ (uint32_t)whole.max[k]);
    add_aabb(cd_aabb_from_q16(&q, cd_merge_aabb_aabb(a, b)));
    add_real(cd_aabb_volume(a));
    add_real(cd_aabb_surface_area(b));
    add_vec(cd_aabb_closest_vertex(a, b.min));
    add_aabb(cd_aabb_translate(a, b.max));
    plane.n = gen_direction(g);
    plane.d = cd_vec3_dot(plane.n, gen_point(g));
    add_int(cd_test_aabb_plane(a, plane) ? 1 : 0);
}

static void hash_turned_boxes(gen *g) {
    cd_transform t = gen_pose(g->rng, 2.0);
    cd_aabb_cr cr = cd_aabb_cr_from_aabb(gen_aabb(g));
    cd_aabb_climb_cache cache = {{0, 0, 0, 0, 0, 0}};
    cd_vec3 p[20];
    cd_hull hull;
    cd_sphere s;
    size_t first;
    for (int k = 0; k < 20; ++k) p[k] = gen_point(g);
    add_aabb(cd_aabb_transform(gen_aabb(g), &t));
    cr = cd_aabb_cr_transform(&cr, &t);
    add_vec(cr.center);
    add_vec(cr.half);
    if (cd_sphere_from_pivot(p, 20, t.position, &s) != CD_OK) abort();
    add_real(s.radius);
    if (cd_hull3_build(&hull, p, 20, NULL) != CD_OK) abort();
    add_aabb(cd_aabb_climb(&hull, &t, &cache));
    for (int k = 0; k < 6; ++k) add_int(cache.vertex[k]);
    cd_hull_destroy(&hull);
    if (cd_points_hull_first(p, 20, NULL, NULL, &first) != CD_OK) abort();
    add_int((uint32_t)first);
    add_vec(p[0]);
}

/* ---- circles, rectangles and k-DOPs of the plane ---- */

static void add_rectangle(const cd_obb2 *b) {
    add_vec2(b->center);
    add_vec2(b->axis);
    add_vec2(b->half);
}

/* Exact arithmetic: by far the dearest of what is in the plane. */
static void hash_merged_circles(gen *g) {
    cd_circle c, d;
    cd_vec3 p = gen_point(g), q = gen_point(g);
    c.center = cd_vec2_make(p.x, p.y);
    d.center = cd_vec2_make(q.x, q.y);
    c.radius = gen_length(g);
    d.radius = gen_length(g);
    c = cd_merge_circle_circle(c, d);
    add_vec2(c.center);
    add_real(c.radius);
}

static void hash_planar(gen *g) {
    cd_vec2 p[8], directions[CD_KDOP2_DIRECTIONS];
    cd_transform2 t;
    cd_obb2 a, b, both;
    cd_aabb2 box;
    cd_circle c, d;
    cd_kdop2 k;
    cd_hit hit;
    for (int i = 0; i < 8; ++i) {
        cd_vec3 v = gen_point(g);
        p[i] = cd_vec2_make(v.x, v.y);
    }
    t.rotation = p[0];
    t.position = p[1];
    box = cd_aabb2_from_points(p + 4, 2);
    c.center = p[2];
    d.center = p[3];
    c.radius = gen_length(g);
    d.radius = gen_length(g);
    add_int(cd_test_2d_circle_circle(c, d) ? 1 : 0);
    add_vec2(cd_aabb2_transform(box, &t).max);
    if (cd_obb2_from_points_along(p, 3, cd_vec2_make(1, 2), &a) != CD_OK) abort();
    if (cd_obb2_from_points_along(p + 4, 3, cd_vec2_make(3, 1), &b) != CD_OK) abort();
    if (cd_merge_obb2_obb2(&a, &b, &both) != CD_OK) abort();
    add_rectangle(&a);
    add_rectangle(&both);
    a = cd_obb2_transform(&a, &t);
    add_rectangle(&a);
    add_int(cd_test_2d_obb_obb(&a, &b) ? 1 : 0);
    add_int(cd_test_2d_polygon_polygon(p, 3, p + 3, 3) ? 1 : 0);
    if (cd_kdop2_from_points(p, 8, directions, cd_kdop2_directions(16, directions), &k) != CD_OK) abort();
    for (int i = 0; i < 8; ++i) add_real(k.min[i]);
    add_hit(cd_cast_ray_rect(p[6], p[7], CD_REAL_MAX, box, NULL, &hit), &hit);
}

static void add_fitted_box(cd_status status, const cd_obb *b) {
    add_int((uint32_t)status);
    add_vec(b->center);
    add_mat(&b->axes);
    add_vec(b->half);
}

static void hash_fitted_boxes(test_rng *rng) {
    static const cd_obb_search_options few = {4, 2, 2, 5};
    for (int i = 0; i < 6 * GEN_KINDS; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % GEN_KINDS));
        cd_vec3 v[24];
        cd_vec2 flat[24];
        cd_hull hull;
        cd_obb b;
        cd_obb2 r;
        for (int k = 0; k < 24; ++k) {
            v[k] = gen_point(&g);
            flat[k] = cd_vec2_make(v[k].x, v[k].y);
        }
        if (cd_hull3_build(&hull, v, 24, NULL) != CD_OK) abort();
        add_fitted_box(cd_obb_from_hull(&hull, &b), &b);
        add_fitted_box(cd_obb_min_volume(&hull, NULL, &b), &b);
        add_fitted_box(cd_obb_barequet(v, 24, &b), &b);
        add_fitted_box(cd_obb_pca(v, 24, CD_PCA_MIN, NULL, &b), &b);
        add_fitted_box(cd_obb_refine(v, 24, NULL, &b), &b);
        add_fitted_box(cd_obb_brute_force(v, 24, &few, &b), &b);
        add_fitted_box(cd_obb_optimize(v, 24, &few, &b), &b);
        add_int((uint32_t)cd_min_area_rect(flat, 24, NULL, &r));
        add_vec2(r.axis);
        add_int((uint32_t)cd_min_area_rect_calipers(flat, 24, NULL, &r));
        add_vec2(r.half);
        cd_hull_destroy(&hull);
    }
}

static void add_capsule(const cd_capsule *c) {
    add_vec(c->a);
    add_vec(c->b);
    add_real(c->radius);
}

static void add_lozenge(const cd_lozenge *l) {
    add_vec(l->a);
    add_vec(l->edge[0]);
    add_vec(l->edge[1]);
    add_real(l->radius);
}

static void hash_swept(gen *g) {
    cd_segment s = gen_segment(g), t = gen_segment(g);
    cd_obb o = gen_obb(g);
    cd_triangle tri = gen_triangle(g);
    cd_aabb box = gen_aabb(g);
    cd_capsule a, b, fit;
    cd_lozenge l, m;
    cd_closest nearest = cd_closest_pts_segment_segment(&s, &t);
    cd_ray r;
    cd_hit h;
    cd_vec3 points[12];
    bool hit;
    a.a = s.a;
    a.b = s.b;
    a.radius = gen_length(g) / 2;
    b.a = t.a;
    b.b = t.b;
    b.radius = a.radius / 3;
    l = cd_lozenge_from_capsule(&b);
    l.edge[0] = cd_vec3_scale(o.axes.col[0], o.half.x);
    l.edge[1] = cd_vec3_scale(o.axes.col[1], o.half.y);
    add_vec(nearest.a);
    add_vec(nearest.b);
    add_real(nearest.sqdist);
    add_real(nearest.s);
    add_real(nearest.t);
    add_int(cd_test_capsule_capsule(&a, &b));
    add_int(cd_test_capsule_lozenge(&a, &l));
    add_int(cd_test_capsule_triangle(&a, &tri));
    add_int(cd_test_lozenge_triangle(&l, &tri));
    add_int(cd_test_capsule_obb(&a, &o));
    add_int(cd_test_lozenge_aabb(&l, box));
    add_vec(cd_capsule_support(&a, tri.a));
    add_vec(cd_closest_pt_point_lozenge(tri.b, &l));
    add_vec(cd_aabb_from_lozenge(&l).min);
    add_real(cd_lozenge_volume(&l));
    r = cd_ray_through(tri.a, tri.b);
    hit = cd_cast_ray_capsule(&r, CD_REAL_MAX, &a, NULL, &h);
    add_hit(hit, &h);
    hit = cd_cast_ray_lozenge(&r, CD_REAL_MAX, &l, NULL, &h);
    add_hit(hit, &h);
    for (int i = 0; i < 12; ++i) points[i] = gen_point(g);
    add_int((uint32_t)cd_capsule_from_points(points, 12, NULL, &fit));
    add_capsule(&fit);
    add_int((uint32_t)cd_lozenge_from_points(points, 12, NULL, &m));
    add_lozenge(&m);
    fit = cd_merge_capsule_capsule(&a, &b);
    add_capsule(&fit);
    m = cd_merge_lozenge_lozenge(&l, &m);
    add_lozenge(&m);
    nearest = cd_closest_pts_lozenge_lozenge(&l, &m);
    add_vec(nearest.a);
}

static void add_dop(const cd_kdop *dop) {
    for (uint32_t i = 0; i < dop->count; ++i) {
        add_real(dop->min[i]);
        add_real(dop->max[i]);
    }
}

static void hash_kdops(gen *g) {
    static const uint32_t k[4] = {8, 14, 18, 26};
    cd_kdop_set set = cd_kdop_set_standard(k[test_int(g->rng, 0, 3)]);
    cd_transform pose = gen_pose(g->rng, 3.0);
    cd_vec3 p[9], v[CD_KDOP_VERTICES];
    cd_sphere s = gen_sphere(g);
    cd_obb box = gen_obb(g);
    cd_kdop a, b, c;
    cd_hull hull;
    cd_hull_approx rough;
    cd_kdop_climber climber;
    cd_interior3 inner;
    cd_hit h;
    cd_ray r;
    if (test_int(g->rng, 0, 1)) set = cd_kdop_set_spread(9);
    if (test_int(g->rng, 0, 1)) set = cd_kdop_set_rotate(&set, pose.rotation);
    for (int i = 0; i < 9; ++i) p[i] = gen_point(g);
    add_int((uint32_t)cd_kdop_from_points(p, 9, &set, &a));
    add_dop(&a);
    add_int((uint32_t)cd_kdop_from_sphere(s, &set, &b));
    add_dop(&b);
    add_int((uint32_t)cd_kdop_from_obb(&box, &set, &c));
    add_dop(&c);
    add_int(cd_test_kdop_kdop(&a, &b));
    add_int(cd_test_kdop_obb(&a, &set, &box));
    b = cd_merge_kdop_kdop(&a, &c);
    b.max[1] = b.max[0];
    add_int(cd_kdop_tighten(&b, &set));
    add_dop(&b);
    add_int((uint32_t)cd_kdop_transform(&a, &set, &pose, &c));
    add_dop(&c);
    add_int((uint32_t)cd_kdop_tumble(p, 9, &set, &pose, &c));
    add_dop(&c);
    add_vec(cd_kdop_support(&a, &set, p[0]));
    add_vec(cd_aabb_from_kdop(&a, &set).max);
    add_real(cd_kdop_volume(&a, &set));
    add_real(cd_kdop_surface_area(&a, &set));
    for (uint32_t n = cd_kdop_vertices(&a, &set, v); n > 0; --n) add_vec(v[n - 1]);
    inner = cd_kdop_project(&a, &set, p[3], 20);
    add_int(inner.verdict);
    add_vec(inner.point);
    add_real(inner.margin);
    r.origin = gen_point(g);
    r.dir = gen_direction(g);
    add_hit(cd_cast_ray_kdop(&r, CD_REAL_MAX, &a, &set, NULL, &h), &h);
    if (cd_hull3_build(&hull, p, 9, NULL) != CD_OK) abort();
    if (cd_kdop_climber_make(&hull, &set, &climber) == CD_OK) {
        add_int((uint32_t)cd_kdop_climb(&climber, &pose, &c));
        add_dop(&c);
    }
    if (cd_hull_approx_make(&rough, &hull, NULL, 0, NULL) == CD_OK) {
        add_int(cd_test_hull_hull_approx(&rough, &rough, &pose));
        cd_hull_approx_destroy(&rough);
    }
    cd_hull_destroy(&hull);
}

/* ---- cylinders, cones, discs ---- */

static void hash_round_hit(bool hit, const cd_hit *h) {
    add_int(hit);
    if (!hit) return;
    add_real(h->t);
    add_vec(h->point);
    add_vec(h->normal);
    add_int(h->feature);
}

static void hash_round_shapes(gen *g) {
    cd_cylinder c;
    cd_cone k;
    cd_disc d;
    cd_vec3 p = gen_point(g), q = gen_point(g), points[9];
    cd_aabb box = gen_aabb(g);
    cd_ray r = cd_ray_through(p, q);
    cd_hit h;
    c.a = k.apex = d.center = gen_point(g);
    c.b = k.base = d.normal = gen_point(g);
    c.radius = k.radius = d.radius = gen_length(g);
    if (!cd_cylinder_is_valid(&c) || !cd_disc_is_valid(&d)) return;
    add_vec(cd_closest_pt_point_cylinder(p, &c));
    add_vec(cd_closest_pt_point_cone(p, &k));
    add_vec(cd_closest_pt_point_disc(p, &d));
    add_vec(cd_cylinder_support(&c, q));
    add_vec(cd_aabb_from_cone(&k).min);
    add_real(cd_cone_surface_area(&k));
    add_int(cd_test_cylinder_aabb(&c, box));
    add_int(cd_test_cone_aabb(&k, box));
    add_int(cd_test_disc_aabb(&d, box));
    hash_round_hit(cd_cast_ray_cylinder(&r, CD_REAL_MAX, &c, NULL, &h), &h);
    hash_round_hit(cd_cast_ray_cone(&r, CD_REAL_MAX, &k, NULL, &h), &h);
    hash_round_hit(cd_cast_ray_disc(&r, CD_REAL_MAX, &d, NULL, &h), &h);
    for (int i = 0; i < 9; ++i) points[i] = gen_point(g);
    if (cd_cone_from_points(points, 9, &k) != CD_OK || cd_cylinder_from_points(points, 9, &c) != CD_OK)
        abort();
    add_vec(k.apex);
    add_real(k.radius);
    add_vec(c.a);
    add_real(c.radius);
}

/* Ellipsoids, spherical shells and zonotopes. */
static void add_ellipsoid(const cd_ellipsoid *e) {
    add_vec(e->center);
    for (int i = 0; i < 3; ++i) add_vec(e->axes.col[i]);
    add_vec(e->half);
}

static void add_shell(const cd_spherical_shell *s) {
    add_vec(s->center);
    add_vec(s->axis);
    add_real(s->inner);
    add_real(s->outer);
    add_real(s->cos_angle);
}

static void hash_ellipsoids(gen *g) {
    cd_obb box = gen_obb(g);
    cd_vec3 p[8];
    cd_triangle t = gen_triangle(g);
    cd_aabb b = gen_aabb(g);
    cd_ray r;
    cd_hit h;
    cd_ellipsoid e, f, m;
    cd_real gap;
    for (int i = 0; i < 8; ++i) p[i] = gen_point(g);
    e.center = box.center;
    e.axes = box.axes;
    e.half = box.half;
    r.origin = p[0];
    r.dir = cd_vec3_sub(e.center, p[1]);
    add_int((uint32_t)cd_ellipsoid_from_points(p, 8, &f, &gap));
    add_ellipsoid(&f);
    add_real(gap);
    add_int((uint32_t)cd_ellipsoid_pca(p, 5, &m));
    add_ellipsoid(&m);
    add_real(cd_ellipsoid_surface_area(&f));
    add_vec(cd_closest_pt_point_ellipsoid_surface(p[2], &e));
    add_vec(cd_ellipsoid_support(&e, p[3]));
    add_vec(cd_aabb_from_ellipsoid(&e).max);
    add_int(cd_test_ellipsoid_ellipsoid(&e, &f));
    add_int(cd_test_triangle_ellipsoid(&t, &e));
    add_int(cd_test_ellipsoid_aabb(&e, b));
    add_hit(cd_cast_ray_ellipsoid(&r, CD_REAL_MAX, &e, NULL, &h), &h);
}

static void hash_shells_and_zonotopes(gen *g) {
    cd_vec3 p[8], gens[7];
    cd_triangle t = gen_triangle(g);
    cd_ray r;
    cd_hit h;
    cd_spherical_shell s, u;
    cd_zonotope z;
    for (int i = 0; i < 8; ++i) p[i] = gen_point(g);
    r.origin = p[6];
    r.dir = cd_vec3_sub(p[1], p[7]);
    add_int((uint32_t)cd_spherical_shell_from_points(p, 3, &s));
    add_shell(&s);
    add_int((uint32_t)cd_spherical_shell_about(p + 3, 3, p[0], &u));
    add_shell(&u);
    add_vec(cd_closest_pt_point_spherical_shell(p[6], &s));
    add_vec(cd_aabb_from_spherical_shell(&u).min);
    add_int(cd_test_spherical_shell_spherical_shell(&s, &u));
    add_hit(cd_cast_ray_spherical_shell(&r, CD_REAL_MAX, &s, NULL, &h), &h);
    u = cd_merge_spherical_shell_spherical_shell(&s, &u);
    add_shell(&u);
    add_int((uint32_t)cd_zonotope_from_points(p, 5, NULL, 0, gens, &z));
    for (uint32_t i = 0; i < z.count; ++i) add_vec(gens[i]);
    add_real(cd_zonotope_volume(&z));
    add_vec(cd_closest_pt_point_zonotope(p[7], &z));
    add_int(cd_test_triangle_zonotope(&t, &z));
    add_hit(cd_cast_ray_zonotope(&r, CD_REAL_MAX, &z, NULL, &h), &h);
}

static void hash_merged_ellipsoids(gen *g) {
    cd_vec3 p[10];
    cd_ellipsoid a, b;
    for (int i = 0; i < 10; ++i) p[i] = gen_point(g);
    add_int((uint32_t)cd_ellipsoid_pca(p, 5, &a));
    add_int((uint32_t)cd_ellipsoid_pca(p + 5, 5, &b));
    a = cd_merge_ellipsoid_ellipsoid(&a, &b);
    add_ellipsoid(&a);
}

/* ---- closest pairs ---- */

static void add_closest(cd_closest c) {
    add_vec(c.a);
    add_vec(c.b);
    add_real(c.sqdist);
    add_real(c.s);
    add_real(c.t);
    add_int(c.feature_a);
    add_int(c.feature_b);
}

static void hash_linear_distances(gen *g) {
    cd_segment s = gen_segment(g);
    cd_triangle t = gen_triangle(g);
    cd_real distance = gen_length(g), speed = gen_length(g);
    cd_vec3 p = gen_point(g), d = gen_direction(g), e = gen_direction(g);
    cd_ray r, q;
    cd_line l, m;
    r.origin = l.origin = gen_point(g);
    r.dir = m.dir = d;
    q.origin = m.origin = p;
    q.dir = l.dir = e;
    add_closest(cd_closest_pts_point_line(q.origin, &l));
    add_closest(cd_closest_pts_point_ray(q.origin, &r));
    add_closest(cd_closest_pts_point_segment(q.origin, &s));
    add_closest(cd_closest_pts_line_line(&l, &m));
    add_closest(cd_closest_pts_line_ray(&l, &r));
    add_closest(cd_closest_pts_line_segment(&l, &s));
    add_closest(cd_closest_pts_ray_ray(&r, &q));
    add_closest(cd_closest_pts_ray_segment(&r, &s));
    add_closest(cd_closest_pts_line_triangle(&l, &t));
    add_closest(cd_closest_pts_ray_triangle(&r, &t));
    add_real(cd_safe_until(p.x, distance, speed));
}

static void hash_closest_pairs(gen *g) {
    cd_triangle t = gen_triangle(g), u = gen_triangle_near(g, &t);
    cd_segment s = gen_segment(g);
    cd_aabb b = gen_aabb(g);
    cd_obb o = gen_obb(g);
    cd_vec3 v[4], p = gen_point(g);
    cd_rect rect;
    cd_tetrahedron body;
    cd_segment_cut cut;
    rect.a = t.a;
    rect.edge[0] = o.axes.col[0];
    rect.edge[1] = o.axes.col[1];
    hash_linear_distances(g);
    for (int i = 0; i < 4; ++i) v[i] = gen_point(g);
    body.a = v[0];
    body.b = v[1];
    body.c = v[2];
    body.d = v[3];
    add_closest(cd_closest_pts_segment_triangle(&s, &t));
    add_closest(cd_closest_pts_triangle_triangle(&t, &u));
    add_closest(cd_closest_pts_segment_rect(&s, &rect));
    add_closest(cd_closest_pts_segment_aabb(&s, b));
    add_closest(cd_closest_pts_segment_obb(&s, &o));
    add_closest(cd_closest_pts_point_rect(p, &rect));
    add_closest(cd_closest_pts_point_polygon(p, v, 4));
    add_closest(cd_closest_pts_point_tetrahedron(p, &body));
    add_real(cd_dist_point_tetrahedron(p, &body));
    add_real(cd_dist_point_obb(p, &o));
    cut.count = 0;
    if (cd_intersect_2d_segment_segment(cd_vec2_make(t.a.x, t.a.y), cd_vec2_make(t.b.x, t.b.y),
                                        cd_vec2_make(u.a.x, u.a.y), cd_vec2_make(u.b.x, u.b.y), &cut)) {
        add_real(cut.points[0].x);
        add_real(cut.points[1].y);
    }
    add_int(cut.count);
}

/* ---- end of closest pairs ---- */

/* ---- linear tests ---- */

static void hash_linear_tests(gen *g) {
    cd_triangle t = gen_triangle(g);
    cd_segment s = gen_segment(g), u = gen_segment(g);
    cd_aabb box = gen_aabb(g);
    cd_obb o = gen_obb(g);
    cd_sphere ball = gen_sphere(g);
    cd_vec3 p = gen_point(g);
    cd_plane plane, other;
    cd_capsule c;
    cd_line l;
    cd_ray r, q;
    c.a = ball.center;
    c.b = t.c;
    c.radius = ball.radius;
    r.origin = l.origin = s.a;
    r.dir = l.dir = gen_direction(g);
    q.origin = p;
    q.dir = cd_vec3_sub(s.b, p);
    plane.n = r.dir;
    plane.d = cd_vec3_dot(plane.n, t.a);
    other.n = cd_vec3_scale(plane.n, -3);
    other.d = plane.d;
    add_int(cd_test_point_point(p, t.a));
    add_int(cd_test_point_ray(p, &r));
    add_int(cd_test_point_segment(p, &s));
    add_int(cd_test_point_plane(t.a, plane));
    add_int(cd_test_point_halfspace(p, plane));
    add_int(cd_test_point_triangle(p, &t));
    add_int(cd_test_ray_ray(&r, &q));
    add_int(cd_test_ray_segment(&q, &s));
    add_int(cd_test_ray_plane(&q, plane));
    add_int(cd_test_ray_halfspace(&q, plane));
    add_int(cd_test_ray_triangle(&r, &t));
    add_int(cd_test_ray_aabb(&r, box));
    add_int(cd_test_ray_obb(&r, &o));
    add_int(cd_test_ray_sphere(&r, ball));
    add_int(cd_test_ray_capsule(&r, &c));
    add_int(cd_test_line_triangle(&l, &t));
    add_int(cd_test_line_aabb(&l, box));
    add_int(cd_test_line_sphere(&l, ball));
    add_int(cd_test_segment_segment(&s, &u));
    add_int(cd_test_segment_plane(&s, plane));
    add_int(cd_test_segment_halfspace(&s, plane));
    add_int(cd_test_segment_aabb(&s, box));
    add_int(cd_test_segment_sphere(&s, ball));
    add_int(cd_test_segment_capsule(&s, &c));
    add_int(cd_test_plane_plane(plane, other));
    add_int(cd_test_plane_halfspace(plane, other));
    add_int(cd_test_halfspace_halfspace(plane, other));
    add_int(cd_test_triangle_plane(&t, plane));
    add_int(cd_test_triangle_halfspace(&t, plane));
}

/* ---- end of linear tests ---- */

/* ---- solids ---- */

static void hash_solids(gen *g) {
    cd_vec3 p[10];
    cd_tetrahedron t, u;
    cd_triangle f = gen_triangle(g);
    cd_segment s = gen_segment(g);
    cd_sphere ball = gen_sphere(g);
    cd_aabb b = gen_aabb(g);
    cd_obb o = gen_obb(g);
    cd_plane plane;
    cd_ray r;
    cd_capsule c;
    cd_hull h, k;
    for (int i = 0; i < 10; ++i) p[i] = gen_point(g);
    t.a = p[0], t.b = p[1], t.c = p[2], t.d = p[3];
    u.a = p[3], u.b = p[4], u.c = p[5], u.d = p[6];
    r.origin = p[8];
    r.dir = cd_vec3_sub(p[9], p[8]);
    c.a = s.a, c.b = s.b;
    c.radius = ball.radius;
    plane = cd_plane_from_point_normal(p[8], r.dir);
    if (cd_hull3_build(&h, p, 8, NULL) != CD_OK) return;
    add_int((uint32_t)(cd_locate_point_tetrahedron(p[9], &t) + 1));
    add_int((uint32_t)(cd_locate_point_hull(p[9], &h) + 1));
    add_int(cd_test_tetrahedron_tetrahedron(&t, &u) | cd_test_segment_tetrahedron(&s, &t) << 1 |
            cd_test_triangle_tetrahedron(&f, &t) << 2 | cd_test_ray_tetrahedron(&r, &t) << 3 |
            cd_test_tetrahedron_aabb(&t, b) << 4 | cd_test_tetrahedron_obb(&t, &o) << 5 |
            cd_test_sphere_tetrahedron(ball, &t) << 6 | cd_test_capsule_tetrahedron(&c, &t) << 7 |
            cd_test_tetrahedron_plane(&t, plane) << 8 | cd_test_polygon_tetrahedron(p + 4, 4, &t) << 9);
    add_int(cd_test_polygon_polygon(p, 4, p + 4, 4) | cd_test_ray_polygon(&r, p, 4) << 1 |
            cd_test_segment_polygon(&s, p, 4) << 2 | cd_test_point_polygon(p[9], p, 4) << 3);
    add_int(cd_test_ray_hull(&r, &h) | cd_test_segment_hull(&s, &h) << 1 |
            cd_test_triangle_hull(&f, &h) << 2 | cd_test_aabb_hull(b, &h) << 3 |
            cd_test_obb_hull(&o, &h) << 4 | cd_test_sphere_hull(ball, &h) << 5 |
            cd_test_capsule_hull(&c, &h) << 6 | cd_test_hull_plane(&h, plane) << 7 |
            cd_test_hull_halfspace(&h, plane) << 8);
    if (cd_hull3_build(&k, p + 6, 4, NULL) == CD_OK) add_int(cd_test_hull_hull(&h, &k));
    cd_hull_destroy(&k);
    cd_hull_destroy(&h);
}

/* ---- end of solids ---- */

/* ---- triangle pairs ---- */

static void hash_triangle_pairs(gen *g) {
    cd_triangle one = gen_triangle(g), many[9];
    cd_triangle_cut cut;
    cd_operations done;
    uint32_t hits[9];
    size_t count;
    memset(&done, 0, sizeof done);
    for (int i = 0; i < 9; ++i) many[i] = i % 2 ? gen_triangle_near(g, &one) : gen_triangle(g);
    count = cd_test_triangle_triangles(&one, many, 9, hits, 9);
    add_int((uint32_t)count);
    for (size_t i = 0; i < count; ++i) add_int(hits[i]);
    for (int i = 0; i < 4; ++i) {
        add_int(cd_test_triangle_triangle_moller(&one, &many[i], &done));
        add_int(cd_test_triangle_triangle_held(&one, &many[i], &done));
        add_int(cd_test_triangle_triangle_tropp(&one, &many[i], &done));
    }
    add_int((uint32_t)(done.adds + done.muls + done.divs + done.comparisons));
    if (!cd_intersect_triangle_triangle(&one, &many[1], &cut)) return;
    add_int(cut.count);
    for (uint32_t i = 0; i < cut.count; ++i) add_vec(cut.points[i]);
}

/* ---- end of triangle pairs ---- */

/* ---- line casts ---- */

static void hash_line_casts(gen *g) {
    cd_vec3 generators[3];
    cd_segment s = gen_segment(g);
    cd_sphere ball = gen_sphere(g);
    cd_aabb box = gen_aabb(g);
    cd_obb o = gen_obb(g);
    cd_triangle t = gen_triangle(g);
    cd_line l = cd_line_through(s.b, t.a);
    cd_ray r = cd_ray_through(s.b, t.b);
    cd_plane plane = cd_plane_from_point_normal(t.c, s.a);
    cd_prepared_ray p;
    cd_capsule capsule;
    cd_lozenge lozenge;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_disc disc;
    cd_ellipsoid ellipsoid;
    cd_zonotope zonotope;
    cd_slab slabs[3];
    cd_real in = 0, out = 0;
    cd_hit h;
    capsule.a = cylinder.a = cone.apex = disc.center = t.a;
    capsule.b = cylinder.b = cone.base = disc.normal = t.b;
    capsule.radius = cylinder.radius = cone.radius = disc.radius = ball.radius;
    lozenge.a = t.a;
    lozenge.edge[0] = cd_vec3_make(ball.radius, 0, 0);
    lozenge.edge[1] = cd_vec3_make(0, ball.radius, 0);
    lozenge.radius = ball.radius;
    ellipsoid.center = o.center;
    ellipsoid.axes = o.axes;
    ellipsoid.half = o.half;
    generators[0] = o.half;
    generators[1] = t.a;
    generators[2] = t.c;
    zonotope.center = o.center;
    zonotope.generators = generators;
    zonotope.count = 3;
    add_hit(cd_cast_segment_plane(&s, plane, NULL, &h), &h);
    add_hit(cd_cast_line_plane(&l, plane, NULL, &h), &h);
    add_hit(cd_cast_segment_sphere(&s, ball, NULL, &h), &h);
    add_hit(cd_cast_line_sphere(&l, ball, NULL, &h), &h);
    add_hit(cd_cast_segment_aabb(&s, box, NULL, &h), &h);
    add_hit(cd_cast_line_aabb(&l, box, NULL, &h), &h);
    add_hit(cd_cast_line_obb(&l, &o, NULL, &h), &h);
    add_hit(cd_cast_segment_capsule(&s, &capsule, NULL, &h), &h);
    add_hit(cd_cast_line_lozenge(&l, &lozenge, NULL, &h), &h);
    add_hit(cd_cast_segment_cylinder(&s, &cylinder, NULL, &h), &h);
    add_hit(cd_cast_line_cone(&l, &cone, NULL, &h), &h);
    add_hit(cd_cast_line_disc(&l, &disc, NULL, &h), &h);
    add_hit(cd_cast_line_ellipsoid(&l, &ellipsoid, NULL, &h), &h);
    add_hit(cd_cast_segment_zonotope(&s, &zonotope, NULL, &h), &h);
    if (cd_slabs_from_obb(&o, slabs)) add_hit(cd_cast_line_slabs(&l, slabs, 3, NULL, &h), &h);
    add_int(cd_ray_prepare(&r, CD_REAL_MAX, NULL, &p));
    add_hit(cd_cast_prepared_triangle(&p, &t, &h), &h);
    add_hit(cd_cast_prepared_aabb(&p, box, &h), &h);
    add_int(cd_test_prepared_aabb(&p, box, &in, &out));
    add_real(in);
    add_real(out);
}

/* ---- end of line casts ---- */

/* ---- quads tori hulls ---- */

static void hash_torus(gen *g, const cd_ray *r, cd_vec3 p) {
    cd_torus t;
    cd_transform pose;
    cd_cast_options back;
    cd_segment s;
    cd_line l;
    cd_sphere ball = gen_sphere(g);
    cd_hit h;
    memset(&back, 0, sizeof back);
    back.flags = CD_CAST_CULL_FRONT;
    t.center = gen_point(g);
    t.axis = gen_direction(g);
    t.major = gen_length(g);
    t.minor = gen_length(g);
    l.origin = s.a = r->origin;
    l.dir = r->dir;
    s.b = p;
    pose.rotation = cd_quat_identity();
    pose.position = p;
    add_real(cd_torus_volume(&t));
    add_real(cd_torus_surface_area(&t));
    add_vec(cd_torus_support(&t, r->dir));
    add_vec(cd_torus_transform(&t, &pose).center);
    add_vec(cd_aabb_from_torus(&t).min);
    add_vec(cd_aabb_from_torus(&t).max);
    add_int(cd_test_point_torus(p, &t));
    add_int(cd_test_sphere_torus(ball, &t));
    add_vec(cd_closest_pt_point_torus(p, &t));
    add_real(cd_sqdist_point_torus(p, &t));
    add_hit(cd_cast_ray_torus(r, CD_REAL_MAX, &t, NULL, &h), &h);
    add_hit(cd_cast_ray_torus(r, CD_REAL_MAX, &t, &back, &h), &h);
    add_hit(cd_cast_segment_torus(&s, &t, NULL, &h), &h);
    add_hit(cd_cast_line_torus(&l, &t, NULL, &h), &h);
}

static void hash_quads_tori_hulls(gen *g) {
    cd_vec3 p[5];
    cd_plane plane[4];
    cd_quad q;
    cd_hull hull;
    cd_segment s;
    cd_ray r;
    cd_line l;
    cd_hit h;
    for (int i = 0; i < 5; ++i) p[i] = gen_point(g);
    r = cd_ray_through(gen_point(g), p[4]);
    hash_torus(g, &r, p[3]);
    q.a = p[0];
    q.b = p[1];
    q.c = p[2];
    q.d = p[3];
    s.a = l.origin = r.origin;
    s.b = gen_point(g);
    l.dir = r.dir;
    add_hit(cd_cast_ray_quad(&r, CD_REAL_MAX, &q, NULL, &h), &h);
    add_hit(cd_cast_segment_quad(&s, &q, NULL, &h), &h);
    add_hit(cd_cast_line_quad(&l, &q, NULL, &h), &h);
    for (int i = 0; i < 4; ++i) {
        plane[i].n = p[i];
        plane[i].d = gen_length(g);
    }
    add_hit(cd_cast_ray_planes(&r, CD_REAL_MAX, plane, 4, NULL, &h), &h);
    add_hit(cd_cast_segment_planes(&s, plane, 4, NULL, &h), &h);
    add_hit(cd_cast_line_planes(&l, plane, 4, NULL, &h), &h);
    if (cd_hull3_build(&hull, p, 4, NULL) != CD_OK) return;
    add_hit(cd_cast_ray_hull(&r, CD_REAL_MAX, &hull, NULL, &h), &h);
    add_hit(cd_cast_segment_hull(&s, &hull, NULL, &h), &h);
    add_hit(cd_cast_line_hull(&l, &hull, NULL, &h), &h);
    cd_hull_destroy(&hull);
}

/* ---- end of quads tori hulls ---- */

/* ---- points and planes ---- */

static void add_common(const cd_planes_common *r) {
    add_int(r->kind);
    add_vec(r->line.origin);
    add_vec(r->line.dir);
    add_real(r->sine);
}

static void hash_planes(gen *g) {
    cd_plane h[3];
    cd_planes_common r;
    for (int i = 0; i < 3; ++i) {
        h[i].n = gen_direction(g);
        h[i].d = gen_coordinate(g, i);
    }
    if (test_int(g->rng, 0, 1)) h[2].n = cd_vec3_add(h[0].n, h[1].n);
    r = cd_intersect_plane_plane(&h[0], &h[1]);
    add_common(&r);
    r = cd_intersect_planes3(&h[0], &h[1], &h[2]);
    add_common(&r);
}

static void hash_points_and_planes(gen *g) {
    cd_vec2 v[6], p[2];
    cd_vec3 corner[4], at = gen_point(g);
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const size_t ends[2] = {3, 6};
    cd_mesh_view mesh = cd_mesh_view_make(corner, 4, faces, 4);
    int8_t out[2];
    int winding = 0;
    for (int i = 0; i < 6; ++i) {
        v[i].x = gen_coordinate(g, 0);
        v[i].y = gen_coordinate(g, 1);
    }
    for (int i = 0; i < 4; ++i) corner[i] = gen_point(g);
    p[0] = cd_vec2_make(gen_coordinate(g, 0), v[2].y);
    p[1] = cd_vec2_scale(cd_vec2_add(v[0], v[5]), (cd_real)0.5);
    cd_locate_points_polygon2(p, 2, v, 6, out);
    add_int((uint32_t)(out[0] + 3 * out[1]));
    for (int i = 0; i < 2; ++i) {
        add_int(cd_winding_point_polygon2(p[i], v, 6, &winding));
        add_int((uint32_t)winding);
        add_int(cd_test_point_polygon2_half_open(p[i], v, 6));
        add_int((uint32_t)(cd_locate_point_rings2(p[i], v, ends, 2, CD_FILL_NON_ZERO)));
        add_int((uint32_t)(cd_locate_point_convex2(p[i], v, 3)));
    }
    add_int((uint32_t)(cd_locate_point_mesh(at, &mesh, CD_FILL_EVEN_ODD)));
    add_int(cd_winding_point_mesh(at, &mesh, &winding));
    add_int((uint32_t)winding);
    add_real(cd_winding_number_mesh(at, &mesh));
    hash_planes(g);
}

/* ---- end of points and planes ---- */

/* ---- batches ---- */

static void add_nearest(bool found, const cd_closest *c) {
    add_int(found);
    if (!found) return;
    add_vec(c->a);
    add_vec(c->b);
    add_real(c->sqdist);
    add_real(c->s);
    add_real(c->t);
    add_int(c->feature_a);
    add_int(c->feature_b);
    add_int(c->index_a);
    add_int(c->index_b);
}

static void add_batch_hits(const uint32_t *hits, size_t count) {
    add_int((uint32_t)count);
    for (size_t i = 0; i < count; ++i) add_int(hits[i]);
}

enum { BATCH = 11 };

static void hash_batches(gen *g) {
    cd_triangle triangles[BATCH];
    cd_triangle8 triangle8s[2];
    cd_aabb boxes[BATCH];
    cd_aabb8 aabb8s[2];
    cd_ray rays[BATCH];
    cd_vec3 points[BATCH];
    cd_hit hit, hits[BATCH];
    cd_closest c;
    cd_sphere s = gen_sphere(g);
    uint32_t list[BATCH];
    memset(&hit, 0, sizeof hit);
    memset(&c, 0, sizeof c);
    for (int i = 0; i < BATCH; ++i) {
        triangles[i] = gen_triangle(g);
        boxes[i] = gen_aabb(g);
        points[i] = gen_point(g);
        rays[i].origin = gen_point(g);
        rays[i].dir = cd_vec3_sub(i & 1 ? triangles[0].c : boxes[0].max, rays[i].origin);
    }
    add_int((uint32_t)cd_triangle8_pack(triangles, BATCH, triangle8s));
    add_int((uint32_t)cd_aabb8_pack(boxes, BATCH, aabb8s));
    add_vec(cd_triangle8_get(triangle8s, 9).b);
    add_vec(cd_aabb8_get(aabb8s, 9).max);
    add_hit(cd_cast_ray_triangles(rays, CD_REAL_MAX, triangles, BATCH, NULL, &hit), &hit);
    add_hit(cd_cast_ray_triangle8s(rays + 1, CD_REAL_MAX, triangle8s, BATCH, NULL, &hit), &hit);
    add_int((uint32_t)cd_cast_rays_triangle(rays, NULL, BATCH, triangles, NULL, hits));
    for (int i = 0; i < BATCH; ++i) add_hit(hits[i].index != CD_NONE, &hits[i]);
    add_batch_hits(list, cd_test_ray_aabbs(rays, CD_REAL_MAX, boxes, BATCH, list, BATCH));
    add_batch_hits(list, cd_test_ray_aabb8s(rays + 1, 1, aabb8s, BATCH, list, BATCH));
    add_batch_hits(list, cd_test_rays_aabb(rays, BATCH, CD_REAL_MAX, boxes[0], list, BATCH));
    add_batch_hits(list, cd_test_sphere_triangles(s, triangles, BATCH, list, BATCH));
    add_nearest(cd_closest_pts_point_triangles(points[0], triangles, BATCH, &c), &c);
    add_nearest(cd_closest_pts_point_triangle8s(points[1], triangle8s, BATCH, &c), &c);
    add_nearest(cd_closest_pts_points_triangle(points, BATCH, triangles, &c), &c);
}

/* ---- end of batches ---- */

/* ---- sweep planes ---- */

static void hash_sweep_planes(gen *g) {
    cd_sphere s = gen_sphere(g);
    cd_aabb b = gen_aabb(g);
    cd_obb o = gen_obb(g);
    cd_vec3 v = gen_direction(g);
    cd_ellipsoid e;
    cd_capsule c;
    cd_plane p;
    cd_hit h;
    e.center = o.center;
    e.axes = o.axes;
    e.half = o.half;
    c.a = gen_point(g);
    c.b = gen_point(g);
    c.radius = s.radius;
    p.n = gen_direction(g);
    p.d = cd_vec3_dot(p.n, gen_point(g));
    add_hit(cd_sweep_sphere_plane(s, v, p, NULL, &h), &h);
    add_hit(cd_sweep_capsule_plane(&c, v, p, NULL, &h), &h);
    add_hit(cd_sweep_aabb_plane(b, v, p, NULL, &h), &h);
    add_hit(cd_sweep_obb_halfspace(&o, v, p, NULL, &h), &h);
    add_hit(cd_sweep_ellipsoid_plane(&e, v, p, NULL, &h), &h);
}

/* ---- end of sweep planes ---- */

/* ---- sweep spheres ---- */

static void hash_sweep_spheres(gen *g) {
    cd_sphere s = gen_sphere(g), other = gen_sphere(g);
    cd_triangle t[3];
    cd_aabb box = gen_aabb(g);
    cd_obb turned = gen_obb(g);
    cd_capsule capsule;
    cd_vec3 to, motion;
    cd_hit hit;
    for (int i = 0; i < 3; ++i) {
        cd_triangle one = gen_triangle(g);
        t[i] = one;
    }
    capsule.a = t[2].a;
    capsule.b = t[2].b;
    capsule.radius = gen_length(g);
    s.radius *= (cd_real)0.25;
    to = cd_vec3_lerp(cd_vec3_lerp(t[0].a, t[0].b, (cd_real)0.5), t[0].c, (cd_real)0.375);
    motion = cd_vec3_scale(cd_vec3_sub(to, s.center), (cd_real)1.5);
    add_hit(cd_sweep_sphere_sphere(s, motion, other, NULL, &hit), &hit);
    add_hit(cd_sweep_sphere_capsule(s, motion, &capsule, NULL, &hit), &hit);
    add_hit(cd_sweep_sphere_triangle(s, motion, &t[0], NULL, &hit), &hit);
    add_hit(cd_sweep_sphere_triangles(s, motion, t, 3, NULL, &hit), &hit);
    add_hit(cd_sweep_sphere_polygon(s, motion, &t[0].a, 4, NULL, &hit), &hit);
    add_hit(cd_sweep_sphere_aabb(s, motion, box, NULL, &hit), &hit);
    add_hit(cd_sweep_sphere_obb(s, motion, &turned, NULL, &hit), &hit);
}

/* ---- end of sweep spheres ---- */

/* ---- sweep capsules ---- */

static void hash_sweep_capsules(gen *g) {
    cd_segment ends = gen_segment(g), other = gen_segment(g);
    cd_vec3 motion = gen_direction(g);
    cd_triangle t = gen_triangle(g);
    cd_cast_options options = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
    cd_obb box = gen_obb(g);
    cd_capsule c, target;
    cd_hit hit;
    bool found;
    c.a = ends.a;
    c.b = ends.b;
    c.radius = target.radius = (cd_real)0.25 * gen_length(g);
    target.a = other.a;
    target.b = other.b;
    found = cd_sweep_capsule_sphere(&c, motion, gen_sphere(g), NULL, &hit);
    add_hit(found, &hit);
    found = cd_sweep_capsule_capsule(&c, motion, &target, &options, &hit);
    add_hit(found, &hit);
    found = cd_sweep_capsule_triangle(&c, motion, &t, NULL, &hit);
    add_hit(found, &hit);
    found = cd_sweep_capsule_polygon(&c, motion, &t.a, 1, &options, &hit);
    add_hit(found, &hit);
    found = cd_sweep_capsule_aabb(&c, motion, gen_aabb(g), &options, &hit);
    add_hit(found, &hit);
    found = cd_sweep_capsule_obb(&c, motion, &box, NULL, &hit);
    add_hit(found, &hit);
}

/* ---- end of sweep capsules ---- */

/* ---- sweep boxes ---- */

static void hash_sweep_boxes(gen *g) {
    cd_aabb a = gen_aabb(g), b = gen_aabb(g);
    cd_obb o = gen_obb(g), p = gen_obb(g);
    cd_triangle t = gen_triangle(g);
    cd_vec3 m = gen_point(g), polygon[4];
    cd_cast_options options;
    cd_hit h;
    memset(&options, 0, sizeof options);
    options.flags = (uint32_t)CD_CAST_START_DEPTH;
    polygon[0] = t.a;
    polygon[1] = t.b;
    polygon[2] = t.c;
    polygon[3] = cd_vec3_sub(cd_vec3_add(t.a, t.c), t.b);
    add_hit(cd_sweep_aabb_aabb(a, m, b, NULL, &h), &h);
    add_hit(cd_sweep_aabb_obb(a, m, &o, &options, &h), &h);
    add_hit(cd_sweep_aabb_triangle(a, m, &t, NULL, &h), &h);
    add_hit(cd_sweep_aabb_polygon(a, m, polygon, 4, NULL, &h), &h);
    add_hit(cd_sweep_obb_aabb(&o, m, b, NULL, &h), &h);
    add_hit(cd_sweep_obb_obb(&o, m, &p, &options, &h), &h);
    add_hit(cd_sweep_obb_triangle(&o, m, &t, &options, &h), &h);
    add_hit(cd_sweep_obb_polygon(&o, m, polygon, 4, &options, &h), &h);
}

/* ---- end of sweep boxes ---- */

/* ---- sweep ellipsoids ---- */

static void hash_sweep_ellipsoids(gen *g) {
    cd_obb o = gen_obb(g);
    cd_triangle t = gen_triangle(g);
    cd_sphere s = gen_sphere(g);
    cd_aabb b = gen_aabb(g);
    cd_vec3 v = gen_direction(g), quad[4];
    cd_ellipsoid e;
    cd_hit h;
    e.center = gen_point(g);
    e.axes = o.axes;
    e.half.x = gen_length(g);
    e.half.y = gen_length(g);
    e.half.z = gen_length(g);
    quad[0] = t.a;
    quad[1] = t.b;
    quad[2] = t.c;
    quad[3] = cd_vec3_add(t.a, cd_vec3_sub(t.c, t.b));
    v = cd_vec3_scale(v, 2);
    add_hit(cd_sweep_ellipsoid_sphere(&e, v, s, NULL, &h), &h);
    add_hit(cd_sweep_ellipsoid_triangle(&e, v, &t, NULL, &h), &h);
    add_hit(cd_sweep_ellipsoid_polygon(&e, v, quad, 4, NULL, &h), &h);
    add_hit(cd_sweep_ellipsoid_aabb(&e, v, b, NULL, &h), &h);
    add_hit(cd_sweep_ellipsoid_obb(&e, v, &o, NULL, &h), &h);
}

/* ---- end of sweep ellipsoids ---- */

/* ---- motions ---- */

static void add_halving(cd_halving r) {
    add_int((uint32_t)r.status);
    add_int(r.hit);
    add_real(r.t);
    add_real(r.gap);
    add_int(r.iterations);
}

static cd_motion hash_motion(gen *g) {
    cd_transform from = gen_pose(g->rng, 1.0), to = gen_pose(g->rng, 2.0);
    cd_motion m;
    from.position = gen_point(g);
    to.position = gen_point(g);
    add_int((uint32_t)cd_motion_make((cd_motion_kind)test_int(g->rng, 0, 4), &from, &to, &m));
    add_double(m.angle);
    add_double(m.axis[1]);
    return m;
}

static void hash_motions(gen *g) {
    cd_motion a = hash_motion(g), b = hash_motion(g), relative;
    cd_sphere s = gen_sphere(g), r = gen_sphere(g);
    cd_real t = (cd_real)test_unit(g->rng);
    cd_transform pose = cd_motion_relative_pose(&a, &b, t);
    cd_halving_options o;
    memset(&o, 0, sizeof o);
    o.max_iterations = 8;
    o.tolerance = s.radius;
    add_quat(pose.rotation);
    add_vec(pose.position);
    add_int((uint32_t)cd_motion_relative(&a, &b, &relative));
    add_vec(relative.to.position);
    add_real(cd_motion_bound(&a, s.radius, 0, t));
    add_real(cd_motion_relative_speed(&a, s.radius, &b, r.radius, t, 1));
    add_aabb(cd_motion_bounds_sphere(s, &a, 0, t));
    add_aabb(cd_sweep_bounds_sphere(r, s.center));
    add_halving(cd_sweep_motions_sphere_sphere(&a, s, &b, r, &o));
}

/* ---- end of motions ---- */

/* ---- ccd ---- */

static void add_contact(bool found, const cd_ccd_hit *h) {
    add_int(found);
    if (!found) return;
    add_real(h->t);
    add_real(h->distance);
    add_vec(h->normal);
    add_vec(h->a);
    add_vec(h->b);
    add_real(h->u);
    add_real(h->v);
    add_int(h->status);
    add_int(h->steps);
}

static void hash_ccd(gen *g) {
    static const uint32_t corners[4] = {3, 1, 0, 2};
    cd_vec3 start[4], end[4];
    cd_ccd_options o;
    cd_ccd_hit h;
    memset(&o, 0, sizeof o);
    for (int i = 0; i < 4; ++i) {
        cd_vec3 p = gen_point(g), q = gen_point(g);
        start[i] = p;
        end[i] = q;
    }
    o.most_steps = 32;
    o.min_separation = test_int(g->rng, 0, 3) ? 0 : (cd_real)0.125 * gen_length(g);
    add_contact(cd_ccd_vertex_face(start, end, &o, &h), &h);
    add_contact(cd_ccd_edge_edge(start, end, &o, &h), &h);
    add_contact(cd_ccd_vertex_faces(start, end, 4, corners, 1, &o, &h) == 1, &h);
    add_contact(cd_ccd_edge_edges(start, end, 4, corners, 1, &o, &h) == 1, &h);
}

/* ---- end of ccd ---- */

/* ---- the dynamic tree ---- */

static void add_dyntree(const cd_dyntree *t, gen *g) {
    cd_vec3 p = gen_point(g), q = gen_point(g);
    cd_ray r = cd_ray_through(p, q);
    cd_aabb all = cd_bvh_bounds(&t->bvh);
    cd_hit hit;
    cd_closest c;
    bool found;
    add_int((uint32_t)cd_dyntree_validate(t));
    add_int(cd_dyntree_count(t));
    add_aabb(all);
    cd_bvh_overlap_aabb(&t->bvh, all, NULL, add_index, NULL);
    cd_bvh_traverse_self(&t->bvh, NULL, add_pair, NULL);
    cd_dyntree_traverse_moved(t, NULL, add_pair, NULL);
    found = cd_bvh_cast_ray(&t->bvh, &r, CD_REAL_MAX, NULL, &hit);
    add_hit(found, &hit);
    found = cd_bvh_closest(&t->bvh, p, CD_REAL_MAX, NULL, &c);
    add_nearest(found, &c);
}

static cd_aabb dyntree_box(gen *g) {
    cd_vec3 p = gen_point(g), q = gen_point(g), way = cd_vec3_scale(cd_vec3_sub(q, p), (cd_real)0.0625);
    cd_aabb b;
    b.min = cd_vec3_min(p, cd_vec3_add(p, way));
    b.max = cd_vec3_max(p, cd_vec3_add(p, way));
    return b;
}

/* One change of a tree of about `count` boxes. */
static void change_dyntree(cd_dyntree *t, gen *g, uint32_t count) {
    uint32_t id = (uint32_t)test_int(g->rng, 0, (int)count), told = 0;
    cd_aabb box = dyntree_box(g);
    cd_vec3 motion = gen_direction(g);
    int how = test_int(g->rng, 0, 9);
    if (how < 3) add_int((uint32_t)cd_dyntree_insert(t, box, id, &told));
    if (how >= 3 && how < 5) add_int((uint32_t)cd_dyntree_remove(t, id));
    if (how >= 5) add_int((uint32_t)cd_dyntree_move(t, id, box, motion));
    if (how == 9) add_int((uint32_t)cd_dyntree_optimise(t, 3));
    add_int(told);
    add_aabb(cd_dyntree_get_fat_box(t, id));
}

static void hash_dyntree(test_rng *rng) {
    for (int kind = 0; kind < GEN_KINDS; ++kind) {
        gen g = gen_begin(rng, (gen_kind)kind);
        cd_aabb boxes[100];
        cd_dyntree_options o;
        cd_dyntree t;
        memset(&o, 0, sizeof o);
        o.margin = (cd_real)0.0625 * gen_length(&g);
        for (int i = 0; i < 100; ++i) {
            cd_aabb box = dyntree_box(&g);
            boxes[i] = box;
        }
        if (cd_dyntree_build(&t, boxes, NULL, 100, &o) != CD_OK) abort();
        add_dyntree(&t, &g);
        cd_dyntree_forget_moves(&t);
        for (int i = 0; i < 200; ++i) change_dyntree(&t, &g, 110);
        add_dyntree(&t, &g);
        add_int((uint32_t)cd_dyntree_rebuild(&t, NULL));
        for (int i = 0; i < 20; ++i) change_dyntree(&t, &g, 110);
        add_dyntree(&t, &g);
        cd_dyntree_destroy(&t);
    }
}

/* ---- refitted trees ---- */

static void add_refit(const cd_bvh *tree, const cd_bvh_refit_result *r) {
    cd_bvh_stats stats = cd_bvh_get_stats(tree);
    add_double(r->cost_built);
    add_double(r->cost_refitted);
    add_double(r->cost);
    add_int(r->rebuilt);
    add_double(stats.cost);
    add_int(stats.node_count);
    cd_bvh_overlap_aabb(tree, cd_bvh_bounds(tree), NULL, add_index, NULL);
}

static void hash_refit(test_rng *rng) {
    gen_mesh mesh = gen_mesh_ball(5, 0.2, rng);
    cd_mesh_view view = gen_mesh_view(&mesh);
    cd_bvh tree[4];
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    for (uint32_t i = 0; i < 4; ++i) {
        o.layout = i;
        o.flags = (uint32_t)test_int(rng, 0, 1) * CD_BVH_INDEXED;
        if (cd_bvh_build_mesh(&tree[i], &view, &o) != CD_OK) abort();
    }
    for (int frame = 0; frame < 6; ++frame) {
        for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
            cd_vec3 *v = &mesh.vertices[i];
            if (frame % 2 && v->x < 0) continue;
            v->y *= (cd_real)test_range(rng, 0.8, 1.2);
            v->z *= (cd_real)test_range(rng, 0.8, 1.2);
        }
        for (uint32_t i = 0; i < 4; ++i) {
            cd_bvh_refit_result r;
            if (cd_bvh_refit_mesh(&tree[i], &view, NULL, &r) != CD_OK) abort();
            add_refit(&tree[i], &r);
        }
    }
    for (uint32_t i = 0; i < 4; ++i) cd_bvh_destroy(&tree[i]);
    gen_mesh_free(&mesh);
}

/* ---- trees of oriented boxes and k-DOPs ---- */

/* What its nodes are: numbers of 32 bits behind the header. */
static void hash_bvtree_nodes(const cd_bvtree *tree, uint32_t node_size) {
    const uint32_t *at = (const uint32_t *)tree->block + 48;
    for (uint32_t i = 0; i < cd_bvtree_node_count(tree) * node_size / 4; ++i) add_int(at[i]);
}

static void hash_bvtree_queries(const cd_bvtree *tree, const gen_mesh *mesh, test_rng *rng) {
    cd_transform pose = gen_pose(rng, 0.4);
    cd_closest c;
    cd_hit h;
    cd_ray r;
    cd_bvh_volume v;
    r.origin = gen_pose(rng, 2.0).position;
    r.dir = cd_vec3_sub(mesh->vertices[0], r.origin);
    if (cd_bvtree_cast_ray(tree, &r, CD_REAL_MAX, NULL, &h)) {
        add_real(h.t);
        add_int(h.index);
    }
    if (cd_bvtree_closest(tree, r.origin, CD_REAL_MAX, NULL, &c)) {
        add_vec(c.b);
        add_int(c.index_b);
    }
    v = cd_bvh_volume_aabb(cd_aabb_from_points(mesh->vertices, 2));
    cd_bvtree_overlap(tree, &v, NULL, add_index, NULL);
    cd_bvtree_traverse_pairs(tree, tree, &pose, NULL, add_pair, NULL);
    pose.position.x += 3;
    if (cd_bvtree_closest_bvtree(tree, tree, &pose, CD_REAL_MAX, NULL, &c)) {
        add_real(c.sqdist);
        add_int(c.index_a);
        add_int(c.index_b);
    }
}

static void hash_bvtree(test_rng *rng) {
    gen_mesh ball = gen_mesh_ball(4, 0.2, rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    for (int i = 0; i < 5; ++i) {
        static const uint32_t ks[5] = {0, 6, 14, 18, 26}; /* oriented boxes first */
        cd_bvtree tree;
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.method = i % 2 ? 0u : (uint32_t)CD_BVH_OBJECT_MEAN;
        o.axis = CD_BVH_AXIS_PRINCIPAL;
        if ((i ? cd_kdoptree_build_mesh(&tree, &view, ks[i], &o) : cd_obbtree_build_mesh(&tree, &view, &o)) !=
            CD_OK)
            abort();
        hash_bvtree_nodes(&tree, i ? 4 * ks[i] + 8 : 64);
        hash_bvtree_queries(&tree, &ball, rng);
        cd_bvtree_destroy(&tree);
    }
    gen_mesh_free(&ball);
}

/* ---- sphere trees, the growing one ---- */

static void add_spheres(const cd_sphere *s, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        add_vec(s[i].center);
        add_real(s[i].radius);
    }
}

static bool hash_sphere_pair(void *user, cd_pair pair) {
    (void)user;
    add_int(pair.a);
    add_int(pair.b);
    return true;
}

static void hash_growing_spheres(test_rng *rng, uint32_t flags) {
    gen g = gen_begin(rng, flags ? GEN_WIDE : GEN_UNIT);
    cd_bvh_spheres_options o;
    cd_bvh_spheres t;
    cd_sphere s;
    uint32_t id;
    memset(&o, 0, sizeof o);
    o.flags = flags;
    cd_bvh_spheres_init(&t, &o);
    for (int i = 0; i < 200; ++i) {
        s = gen_sphere(&g);
        s.radius /= 8;
        if (i % 3 == 2) {
            cd_bvh_move_sphere(&t, (uint32_t)test_int(rng, 0, (int)t.used - 1), s);
        } else if (i % 7 == 6) {
            cd_bvh_remove_sphere(&t, (uint32_t)test_int(rng, 0, (int)t.used - 1));
        } else {
            cd_bvh_insert_sphere(&t, s, 0, &id);
        }
    }
    s = cd_bvh_spheres_bounds(&t);
    add_spheres(&s, 1);
    cd_bvh_spheres_traverse_self(&t, NULL, hash_sphere_pair, NULL);
    for (int i = 0; i < 20; ++i) {
        cd_ray r;
        cd_hit h;
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        add_hit(cd_bvh_spheres_cast_ray(&t, &r, CD_REAL_MAX, NULL, &h), &h);
    }
    cd_bvh_spheres_destroy(&t);
}

static void hash_spheretree(test_rng *rng) {
    gen_mesh m = gen_mesh_ball(6, 0.2, rng);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_sphere s[1500];
    size_t n;
    hash_growing_spheres(rng, 0);
    hash_growing_spheres(rng, CD_BVH_SPHERES_PLAIN);
    for (uint32_t method = 0; method < 3; ++method) {
        cd_transform pose = gen_pose(rng, 2);
        cd_spheretree_contact c;
        cd_spheretree_options o;
        cd_spheretree_fit fit;
        cd_bvtree t;
        memset(&o, 0, sizeof o);
        o.method = method;
        cd_spheretree_build_mesh(&t, &v, &o);
        hash_bvtree_nodes(&t, 24);
        n = cd_spheretree_level(&t, 3, s, 1500);
        add_spheres(s, n);
        fit = cd_spheretree_measure(&t, 2);
        add_int(fit.count);
        add_real(fit.radius);
        add_real(fit.sticks_out);
        add_real(fit.volume);
        cd_spheretree_may_meet(&t, &t, &pose, 4, 0, &c);
        add_spheres(&c.a, 1);
        add_int(c.tests);
        cd_bvtree_destroy(&t);
    }
    if (cd_spheretree_cover(&v, (cd_real)0.1, s, 1500, &n) == CD_OK) add_spheres(s, n < 1500 ? n : 1500);
    gen_mesh_free(&m);
}

/* ---- moving meshes ---- */

static void hash_swept_triangles(gen *g) {
    cd_triangle t = gen_triangle(g), u = gen_triangle(g);
    cd_vec3 motion = gen_direction(g);
    cd_aabb box = gen_aabb(g);
    cd_obb obb = gen_obb(g);
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(g->rng, 0, 31);
    add_hit(cd_sweep_triangle_triangle(&t, motion, &u, &o, &h), &h);
    add_hit(cd_sweep_triangle_aabb(&t, motion, box, &o, &h), &h);
    add_hit(cd_sweep_triangle_obb(&t, motion, &obb, &o, &h), &h);
}

static void hash_flight(const cd_halving *r, const cd_closest *c) {
    add_int((uint32_t)r->status);
    add_int(r->hit);
    add_real(r->t);
    add_real(r->gap);
    add_int(r->iterations);
    add_int(c->index_a);
    add_int(c->index_b);
    add_vec(c->a);
    add_vec(c->b);
}

static void hash_flights(const cd_bvh *a, const cd_bvh *b, test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    cd_transform from = gen_pose(rng, 3.0), to = gen_pose(rng, 3.0), pose = gen_pose(rng, 2.0);
    cd_vec3 motion_a = gen_direction(&g), motion_b = gen_direction(&g);
    cd_sphere ball = gen_sphere(&g);
    cd_bvh_volume v = cd_bvh_volume_sphere(ball);
    cd_pair pair = {0, 0};
    cd_motion m, n;
    cd_halving r;
    cd_closest c;
    cd_hit h;
    add_hit(cd_bvh_sweep_bvh(a, motion_a, b, &pose, motion_b, NULL, &h, &pair), &h);
    add_int(pair.a);
    add_hit(cd_bvh_sweep_bvh(b, motion_b, a, NULL, motion_a, NULL, &h, &pair), &h);
    add_int(pair.a);
    cd_motion_make((cd_motion_kind)test_int(rng, 0, 4), &from, &to, &m);
    cd_motion_make(CD_MOTION_SCREW, &to, &pose, &n);
    r = cd_bvh_sweep_bvh_motions(a, &m, b, &n, NULL, NULL, &c);
    hash_flight(&r, &c);
    r = cd_bvh_sweep_motion(a, &v, &n, NULL, NULL, &c);
    hash_flight(&r, &c);
}

static void hash_mesh_sweeps(test_rng *rng) {
    gen_mesh ball = gen_mesh_ball(6, 0.3, rng), soup = gen_mesh_soup(60, 0.2, GEN_UNIT, rng);
    cd_mesh_view views[2];
    cd_bvh_options o;
    cd_bvh a, b;
    views[0] = gen_mesh_view(&ball);
    views[1] = gen_mesh_view(&soup);
    for (int i = 0; i < 20 * GEN_KINDS; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % GEN_KINDS));
        hash_swept_triangles(&g);
    }
    memset(&o, 0, sizeof o);
    for (o.layout = 0; o.layout < 4; ++o.layout) {
        if (cd_bvh_build_mesh(&a, &views[0], &o) != CD_OK || cd_bvh_build_mesh(&b, &views[1], &o) != CD_OK)
            abort();
        for (int i = 0; i < 4; ++i) hash_flights(&a, &b, rng);
        cd_bvh_destroy(&a);
        cd_bvh_destroy(&b);
    }
    gen_mesh_free(&ball);
    gen_mesh_free(&soup);
}

/* ---- fronts, caches, pairs of boxes ---- */

static cd_bvh hash_crowd(test_rng *rng, uint32_t layout, uint32_t leaf_size) {
    gen g = gen_begin(rng, GEN_UNIT);
    cd_aabb boxes[80];
    cd_bvh_options o;
    cd_bvh t;
    memset(&o, 0, sizeof o);
    o.layout = layout;
    o.leaf_size = leaf_size;
    for (int i = 0; i < 80; ++i) {
        cd_vec3 corner[2];
        corner[0] = gen_point(&g);
        corner[1] = cd_vec3_along(corner[0], gen_point(&g), (cd_real)0.2);
        boxes[i] = cd_aabb_from_points(corner, 2);
    }
    if (cd_bvh_build_boxes(&t, boxes, 80, &o) != CD_OK) abort();
    return t;
}

static void hash_front(cd_bvh_front *front, const cd_bvh *a, const cd_bvh *b, cd_transform *pose) {
    cd_pair touch = {CD_NONE, CD_NONE}, near_by = {CD_NONE, CD_NONE};
    for (int step = 0; step < 4; ++step) {
        cd_closest c;
        cd_bvh_front_traverse(front, a, b, pose, step & 1 ? (cd_real)0.03 : 0, NULL, add_pair, NULL);
        add_int(front->count);
        add_int((uint32_t)front->tested);
        add_int(cd_bvh_test_bvh_again(a, b, pose, NULL, &touch, NULL));
        add_int(touch.a);
        if (cd_bvh_closest_bvh_again(a, b, pose, CD_REAL_MAX, NULL, &near_by, &c)) add_real(c.sqdist);
        add_int(near_by.b);
        pose->position.x += (cd_real)(step * 0.01);
    }
}

static void hash_fronts(test_rng *rng) {
    for (uint32_t i = 0; i < 3; ++i) {
        cd_bvh a = hash_crowd(rng, i, 1), b = hash_crowd(rng, 2 - i, 4);
        cd_transform pose = gen_pose(rng, 0.5);
        cd_bvh_front front;
        memset(&front, 0, sizeof front);
        cd_bvh_traverse_self(&a, NULL, add_pair, NULL);
        cd_bvh_traverse_pairs(&a, &b, NULL, NULL, add_pair, NULL);
        hash_front(&front, &a, &b, &pose);
        cd_bvh_front_destroy(&front);
        cd_bvh_destroy(&a);
        cd_bvh_destroy(&b);
    }
}

/* ---- height fields ---- */

static void hash_height_triangles(const cd_bvh *t) {
    for (uint32_t i = 0; i < 2 * 28 * 22; ++i) {
        cd_triangle half;
        add_int(cd_heights_material(t, i));
        if (!cd_heights_triangle(t, i, &half)) continue;
        add_vec(half.a);
        add_vec(half.b);
        add_vec(half.c);
    }
}

static void hash_heights(test_rng *rng) {
    static uint16_t samples[29 * 23];
    static uint8_t small[29 * 23], materials[28 * 22];
    for (uint32_t turn = 0; turn < 12; ++turn) {
        cd_height_view v;
        cd_bvh t;
        cd_aabb b;
        memset(&v, 0, sizeof v);
        for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i)
            small[i] = (uint8_t)(samples[i] = (uint16_t)test_int(rng, 0, 300));
        for (size_t i = 0; i < sizeof materials; ++i)
            materials[i] = (uint8_t)(test_int(rng, 0, 9) ? i & 3u : CD_HEIGHT_HOLE);
        v.samples = turn % 3 ? (const void *)samples : (const void *)small;
        v.format = turn % 3 == 0 ? CD_HEIGHT_U8 : turn % 3 == 1 ? CD_HEIGHT_U16 : CD_HEIGHT_I16;
        v.columns = 29;
        v.rows = 23;
        v.up = turn % 3;
        v.cut = turn % 4;
        v.materials = turn & 1u ? materials : NULL;
        v.origin = cd_vec3_make((cd_real)test_range(rng, -9, 9), 2, 3);
        v.spacing[0] = (cd_real)test_range(rng, 0.1, 3);
        v.scale = (cd_real)test_range(rng, -0.1, 0.1);
        add_int(cd_bvh_build_heights(&t, &v, NULL));
        add_int(cd_heights_update(
            &t, 3, 4, 5, 6, turn % 3 ? (const void *)(samples + turn) : (const void *)(small + turn), 58));
        hash_height_triangles(&t);
        b = cd_bvh_bounds(&t);
        for (int i = 0; i < 20; ++i) {
            cd_ray r;
            cd_hit hit;
            cd_real h = 0;
            cd_vec3 n = cd_vec3_make(0, 0, 0);
            double s[6];
            for (int k = 0; k < 6; ++k) s[k] = test_unit(rng);
            r.origin = cd_vec3_lerp(b.min, b.max, (cd_real)s[0]);
            r.dir = cd_vec3_make((cd_real)(s[1] - 0.5), (cd_real)(s[2] - 0.5), (cd_real)(s[3] - 0.5));
            if (cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit)) {
                add_real(hit.t);
                add_int((int)hit.index);
            }
            add_int(cd_heights_height_at(&t, (cd_real)(s[4] * 30), (cd_real)(s[5] * 30), &h, &n));
            add_real(h);
            add_vec(n);
        }
        cd_bvh_destroy(&t);
    }
}

static void hash_farthest(const cd_support *s, gen *g) {
    add_int(cd_support_is_valid(s));
    add_vec(s->center);
    for (int i = 0; i < 3; ++i) {
        cd_vec3 d = gen_direction(g);
        add_vec(cd_support_farthest(s, d));
    }
}

/* Small hulls, which are looked at in full, and large ones, which are climbed. */
static void hash_hull_supports(gen *g) {
    cd_vec3 points[200];
    cd_hull_options o;
    cd_hull hull;
    memset(&o, 0, sizeof o);
    for (int k = 0; k < 200; ++k) {
        cd_vec3 v = gen_point(g);
        points[k] = g->kind == GEN_UNIT ? cd_vec3_normalize(v) : v;
    }
    for (size_t count = 5; count <= 200; count = count * 3 + 50) {
        uint32_t hint = CD_NONE;
        o.merge_distance = (cd_real)(count > 100 ? 0 : 0.01);
        if (cd_hull3_build(&hull, points, count, &o) != CD_OK) abort();
        for (int i = 0; i < 10; ++i) {
            cd_vec3 d = gen_direction(g);
            hint = cd_hull_support_from(&hull, d, hint);
            add_int(hint);
            add_int(cd_hull_support(&hull, d));
        }
        add_real(cd_hull_get_parts(&hull).reach);
        cd_hull_destroy(&hull);
    }
}

static void hash_supports(test_rng *rng) {
    for (int kind = 0; kind < GEN_KINDS; ++kind) {
        gen g = gen_begin(rng, (gen_kind)kind);
        cd_vec3 p[6];
        cd_aabb box = gen_aabb(&g);
        cd_obb obb = gen_obb(&g);
        cd_ellipsoid e;
        cd_cylinder c;
        cd_cone n;
        cd_disc d;
        cd_rect r;
        cd_support s[9];
        for (int i = 0; i < 6; ++i) p[i] = gen_point(&g);
        e.center = obb.center;
        e.axes = obb.axes;
        e.half = obb.half;
        c.a = n.apex = d.center = r.a = p[0];
        c.b = n.base = p[1];
        d.normal = gen_direction(&g);
        c.radius = n.radius = d.radius = gen_length(&g);
        r.edge[0] = cd_vec3_scale(obb.axes.col[0], obb.half.x);
        r.edge[1] = cd_vec3_scale(obb.axes.col[1], obb.half.y);
        s[0] = cd_support_of_points(p, 6);
        s[1] = cd_support_of_aabb(&box);
        s[2] = cd_support_of_obb(&obb);
        s[3] = cd_support_of_ellipsoid(&e);
        s[4] = cd_support_of_cylinder(&c);
        s[5] = cd_support_of_cone(&n);
        s[6] = cd_support_of_disc(&d);
        s[7] = cd_support_of_rect(&r);
        s[8] = cd_support_of_tetrahedron((const cd_tetrahedron *)(const void *)p);
        for (int i = 0; i < 9; ++i) {
            hash_farthest(&s[i], &g);
            s[i] = cd_support_rounded(&s[i], c.radius);
            hash_farthest(&s[i], &g);
        }
        hash_hull_supports(&g);
    }
}

static void add_separation(const cd_separation *s) {
    add_int((uint32_t)s->status);
    add_real(s->distance);
    add_real(s->gap);
    add_vec(s->normal);
    add_vec(s->a);
    add_vec(s->b);
    add_int(s->feature_a);
    add_int(s->feature_b);
    add_int(s->iterations);
}

static void hash_gjk(test_rng *rng) {
    for (int i = 0; i < 300; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % GEN_KINDS));
        cd_triangle t = gen_triangle(&g);
        cd_obb box = gen_obb(&g);
        cd_cylinder tin;
        cd_transform pose = gen_pose(rng, 2.0);
        cd_support s[3];
        cd_cache cache;
        memset(&cache, 0, sizeof cache);
        tin.a = gen_point(&g);
        tin.b = gen_point(&g);
        tin.radius = gen_length(&g);
        s[0] = cd_support_of_triangle(&t);
        s[1] = cd_support_of_obb(&box);
        s[2] = cd_support_of_cylinder(&tin);
        for (int k = 0; k < 3; ++k) {
            cd_separation r = cd_gjk_distance(&s[k], &s[(k + 1) % 3], i & 1 ? &pose : NULL, NULL, &cache);
            add_separation(&r);
            add_int(cd_gjk_test(&s[k], &s[(k + 1) % 3], i & 1 ? &pose : NULL, &cache));
            for (int j = 0; j < 8; ++j) add_int(cache.words[j]);
        }
    }
}

static void hash_epa(test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    for (int i = 0; i < 40; ++i) {
        cd_vec3 p[6];
        cd_obb box = gen_obb(&g);
        cd_capsule capsule;
        cd_cylinder cylinder;
        cd_transform pose = gen_pose(rng, 0.5);
        cd_support a, b;
        cd_separation out[2];
        cd_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int k = 0; k < 6; ++k) p[k] = gen_point(&g);
        capsule.a = p[0];
        capsule.b = p[1];
        capsule.radius = (cd_real)0.25;
        cylinder.a = p[2];
        cylinder.b = p[3];
        cylinder.radius = (cd_real)0.5;
        a = i % 3 ? cd_support_of_points(p, 6) : cd_support_of_capsule(&capsule);
        b = i % 2 ? cd_support_of_obb(&box) : cd_support_of_cylinder(&cylinder);
        out[0] = cd_epa(&a, &b, &pose, NULL, NULL);
        cd_convex_distance(&a, &b, &pose, NULL, &cache);
        out[1] = cd_convex_distance(&a, &b, &pose, NULL, &cache);
        for (int k = 0; k < 2; ++k) {
            add_real(out[k].distance);
            add_real(out[k].gap);
            add_vec(out[k].normal);
            add_vec(out[k].a);
            add_vec(out[k].b);
            add_int(out[k].iterations);
        }
    }
}

static void add_sat_axis(const cd_sat_axis *x) {
    add_int((int)x->status);
    add_int((int)x->kind);
    add_real(x->separation);
    add_vec(x->normal);
    add_vec(x->a);
    add_vec(x->b);
    add_int((int)(x->feature_a % 1000003u));
    add_int((int)(x->feature_b % 1000003u));
    add_int((int)x->tried);
}

static void hash_sat(test_rng *rng) {
    for (int i = 0; i < 60; ++i) {
        gen g = gen_begin(rng, i % 2 ? GEN_UNIT : GEN_GRID);
        cd_vec3 p[12], motion;
        cd_hull a, b;
        cd_obb box = gen_obb(&g), other = gen_obb(&g);
        cd_transform pose = gen_pose(rng, 1.0);
        cd_support s, t;
        cd_cache cache;
        cd_sat_axis axis;
        cd_hit hit;
        for (int k = 0; k < 12; ++k) {
            cd_vec3 q = gen_point(&g);
            p[k] = q;
        }
        motion = gen_direction(&g);
        memset(&cache, 0, sizeof cache);
        if (cd_hull3_build(&a, p, 8, NULL) != CD_OK) memset(&a, 0, sizeof a);
        if (cd_hull3_build(&b, p + 4, 8, NULL) != CD_OK) memset(&b, 0, sizeof b);
        axis = cd_sat_hull_hull(&a, &b, &pose, &cache);
        add_sat_axis(&axis);
        axis = cd_sat_hull_hull(&a, &b, &pose, &cache);
        add_sat_axis(&axis);
        axis = cd_sat_obb_obb(&box, &other, i % 2 ? &pose : NULL, NULL);
        add_sat_axis(&axis);
        s = cd_support_of_obb(&box);
        t = cd_support_of_points(p, (size_t)(1 + i % 4));
        axis = cd_sat_convex(&s, &t, &pose, NULL);
        add_sat_axis(&axis);
        add_int(cd_sat_test_hull_hull(&a, &b, &pose, &cache));
        add_int(cd_sat_test_obb_obb(&box, &other, NULL, NULL));
        add_int(cd_sat_test_convex(&s, &t, &pose, NULL));
        add_int(cd_test_polyhedron_boundary(&a, &b, &pose));
        memset(&hit, 0, sizeof hit);
        add_int(cd_sweep_hull_hull_sat(&a, motion, &b, &pose, NULL, &hit));
        add_real(hit.t);
        add_vec(hit.point);
        add_vec(hit.normal);
        memset(&hit, 0, sizeof hit);
        add_int(cd_sweep_convex_convex_sat(&s, motion, &t, NULL, NULL, &hit));
        add_real(hit.t);
        add_vec(hit.point);
        add_real(hit.u);
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
}

static void hash_dk(test_rng *rng) {
    cd_vec3 p[80];
    for (int i = 0; i < 80; ++i) {
        double x = test_unit(rng), y = test_unit(rng), z = test_unit(rng);
        p[i] = cd_vec3_make((cd_real)(x - 0.5), (cd_real)(y - 0.5), (cd_real)(z - 0.5));
        if (i % 2) p[i] = cd_vec3_normalize(p[i]);
    }
    for (int i = 3; i <= 80; i += 11) {
        cd_hull hull;
        cd_dk_hierarchy dk;
        cd_dk_parts parts;
        if (cd_hull3_build(&hull, p, (size_t)i, NULL) != CD_OK) continue;
        add_int((int)cd_dk_hierarchy_build(&dk, &hull, NULL));
        parts = cd_dk_hierarchy_get_parts(&dk);
        for (uint32_t k = 0; k < parts.level_count; ++k) add_int((int)parts.level_ends[k]);
        for (uint32_t k = 0; k < parts.vertex_count; ++k) add_int((int)parts.numbers[k]);
        for (uint32_t k = 0; k < parts.link_count; ++k) add_int((int)parts.links[k]);
        for (int k = 0; k < 20; ++k) add_int((int)cd_dk_hierarchy_support(&dk, p[(i + k) % 80]));
        cd_dk_hierarchy_destroy(&dk);
        cd_hull_destroy(&hull);
    }
}

static void hash_qp(test_rng *rng) {
    for (int i = 0; i < 40; ++i) {
        cd_plane p[24];
        cd_separation r;
        for (int k = 0; k < 24; ++k) {
            double x = test_unit(rng), y = test_unit(rng), z = test_unit(rng), d = test_unit(rng);
            double side = k < 12 ? -2 : 2;
            p[k].n = cd_vec3_make((cd_real)(x - 0.5), (cd_real)(y - 0.5), (cd_real)(z - 0.5));
            p[k].d = (cd_real)(d + side * (double)p[k].n.x);
        }
        r = cd_qp_distance(p, 12, p + 12, 12, NULL, NULL);
        add_int((int)r.status);
        add_real(r.distance);
        add_real(r.gap);
        add_vec(r.normal);
        add_vec(r.a);
        add_vec(r.b);
        add_int((int)r.feature_a);
        add_int((int)r.iterations);
    }
}

/* Of every other kind of core, in turn. */
static cd_support hash_mover(gen *g, int i, cd_capsule *rod, cd_obb *box, cd_triangle *t, cd_cylinder *c) {
    cd_segment s = gen_segment(g);
    rod->a = c->a = s.a;
    rod->b = c->b = s.b;
    rod->radius = c->radius = (cd_real)0.25;
    *box = gen_obb(g);
    *t = gen_triangle(g);
    return i % 4 == 0   ? cd_support_of_capsule(rod)
           : i % 4 == 1 ? cd_support_of_obb(box)
           : i % 4 == 2 ? cd_support_of_triangle(t)
                        : cd_support_of_cylinder(c);
}

static void hash_convex_casts(test_rng *rng) {
    for (int i = 0; i < 100; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % 3));
        cd_capsule rod[2];
        cd_obb box[2];
        cd_triangle t[2];
        cd_cylinder c[2];
        cd_support a = hash_mover(&g, i, &rod[0], &box[0], &t[0], &c[0]);
        cd_support b = hash_mover(&g, i / 4, &rod[1], &box[1], &t[1], &c[1]);
        cd_transform pose = gen_pose(rng, 2);
        cd_ray r;
        cd_cast_options o;
        cd_hit hit;
        bool got;
        memset(&o, 0, sizeof o);
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        o.flags = i % 5 == 0 ? CD_CAST_START_DEPTH : i % 5 == 1 ? CD_CAST_CULL_FRONT : 0;
        memset(&hit, 0, sizeof hit);
        got = cd_gjk_sweep(&a, r.dir, &b, &pose, &o, &hit);
        add_int(got);
        got = got && cd_gjk_raycast(&r, CD_REAL_MAX, &b, &o, &hit);
        add_int(got);
        add_real(hit.t);
        add_vec(hit.point);
        add_vec(hit.normal);
        add_real(hit.depth);
        add_int((int)hit.flags);
        add_int((int)hit.feature);
    }
}

static void hash_time_of_impact(test_rng *rng) {
    for (int i = 0; i < 100; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % 3));
        cd_capsule rod[2];
        cd_obb box[2];
        cd_triangle t[2];
        cd_cylinder c[2];
        cd_support a = hash_mover(&g, i, &rod[0], &box[0], &t[0], &c[0]);
        cd_support b = hash_mover(&g, i / 4, &rod[1], &box[1], &t[1], &c[1]);
        cd_transform p = gen_pose(rng, 4), q = gen_pose(rng, 4), u = gen_pose(rng, 4), v = gen_pose(rng, 4);
        cd_motion ma, mb;
        cd_impact r;
        cd_motion_make((cd_motion_kind)(i % 5), &p, &q, &ma);
        cd_motion_make((cd_motion_kind)(i / 5 % 5), &u, &v, &mb);
        r = cd_time_of_impact(&a, &ma, &b, &mb, NULL);
        add_int((int)r.status);
        add_int(r.hit);
        add_real(r.t);
        add_real(r.distance);
        add_vec(r.normal);
        add_vec(r.a);
        add_vec(r.b);
        add_int((int)r.feature_a);
        add_int((int)r.iterations);
    }
}

static void hash_thick(test_rng *rng) {
    for (int i = 0; i < 200; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % GEN_KINDS));
        cd_triangle t = gen_triangle(&g);
        cd_split_triangles parts;
        cd_plane plane;
        cd_vec3 cut;
        plane.n = gen_direction(&g);
        cut = gen_point(&g);
        plane.d = cd_vec3_dot(plane.n, cut);
        add_int(cd_locate_point_thick_plane(t.a, plane, (cd_real)0.125));
        cut = cd_intersect_edge_plane(t.a, t.b, plane);
        add_vec(cut);
        add_int((int)cd_split_triangle(&t, plane, (cd_real)(0.0625 * (i % 3)), &parts));
        for (uint32_t k = 0; k < parts.front_count; ++k) add_vec(parts.front[k].b);
        for (uint32_t k = 0; k < parts.back_count; ++k) add_vec(parts.back[k].c);
    }
}

static void add_touch(const cd_contact *p) {
    add_vec(p->a);
    add_vec(p->b);
    add_real(p->distance);
    add_int(p->feature_a);
    add_int(p->feature_b);
}

static bool add_told_contact(void *user, const cd_manifold *m, const cd_contact *p) {
    (void)user;
    add_vec(m->normal);
    add_touch(p);
    return true;
}

/* All kinds of fronts, most of them nearly at rest on each other. */
static void hash_manifolds(test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    cd_vec3 p[12];
    for (int i = 0; i < 60; ++i) {
        cd_obb box = gen_obb(&g);
        cd_cylinder tin;
        cd_capsule rod;
        cd_collide_options o;
        cd_transform pose;
        cd_support s[5];
        cd_hull hull;
        cd_cache cache;
        memset(&o, 0, sizeof o);
        memset(&cache, 0, sizeof cache);
        o.margin = (cd_real)0.25;
        for (int k = 0; k < 12; ++k) {
            p[k] = gen_point(&g);
            p[k].z = k < 6 ? (cd_real)-0.5 : p[k].z;
        }
        tin.a = cd_vec3_make(0, 0, (cd_real)-0.5);
        tin.b = cd_vec3_make(0, 0, (cd_real)0.75);
        tin.radius = (cd_real)0.5;
        rod.a = p[0];
        rod.b = p[1];
        rod.radius = (cd_real)0.25;
        if (cd_hull3_build(&hull, p, 12, NULL) != CD_OK) continue;
        s[0] = cd_support_of_obb(&box);
        s[1] = cd_support_of_hull(&hull);
        s[2] = cd_support_of_cylinder(&tin);
        s[3] = cd_support_of_capsule(&rod);
        s[4] = cd_support_of_points(p, 3 + (size_t)(i % 9));
        pose = gen_pose(rng, 0.25);
        if (i & 1) pose.rotation = cd_quat_identity();
        pose.position.z = (cd_real)(i & 2 ? 1.125 : 0.75);
        for (int k = 0; k < 5; ++k) {
            const cd_support *a = &s[k], *b = &s[(k + 1 + i % 4) % 5];
            for (int again = 0; again < 2; ++again) {
                cd_manifold m;
                m.count = 0;
                add_int(cd_collide_convex(a, b, &pose, &o, &cache, &m));
                for (uint32_t j = 0; j < m.count; ++j) add_touch(&m.points[j]);
                for (int j = 0; j < 8; ++j) add_int((int)cache.words[j]);
            }
            add_int((uint32_t)cd_collide_convex_all(a, b, &pose, &o, NULL, add_told_contact, NULL));
        }
        cd_hull_destroy(&hull);
    }
}

static void hash_box_manifolds(test_rng *rng) {
    cd_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 300; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % GEN_KINDS));
        cd_obb a = gen_obb(&g), b = gen_obb(&g);
        cd_transform pose = gen_pose(rng, 0.5);
        cd_collide_options options;
        cd_manifold m;
        memset(&options, 0, sizeof options);
        options.margin = i % 3 ? 0 : gen_length(&g);
        add_int(cd_collide_obb_obb(&a, &b, i % 4 ? NULL : &pose, &options, i % 2 ? &cache : NULL, &m));
        m.count = 0;
        add_int((uint32_t)cd_collide_obbs(&a, &b, i % 4 ? NULL : &pose, 1, &options, NULL, &m));
        if (m.count) add_vec(m.normal);
        for (uint32_t k = 0; k < m.count; ++k) {
            add_vec(m.points[k].a);
            add_vec(m.points[k].b);
            add_real(m.points[k].distance);
            add_int(m.points[k].feature_a);
            add_int(m.points[k].feature_b);
        }
    }
}

/* Shapes of one part and of many. */
typedef struct hash_scene {
    cd_shape shapes[8];
    cd_bvh mesh, field;
    cd_placed_shape placed[3];
    cd_compound compound;
    uint8_t samples[20];
} hash_scene;

static void hash_scene_open(hash_scene *s, gen *g) {
    gen_mesh ball = gen_mesh_ball(3, 0.2, g->rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    cd_bvh_options options;
    cd_height_view field;
    cd_plane plane;
    cd_obb box = gen_obb(g);
    cd_triangle t = gen_triangle(g);
    cd_vec3 scale = cd_vec3_make((cd_real)0.5, (cd_real)-0.75, (cd_real)1.25);
    memset(s, 0, sizeof *s);
    memset(&options, 0, sizeof options);
    memset(&field, 0, sizeof field);
    options.layout = CD_BVH_COMPACT;
    cd_bvh_build_mesh(&s->mesh, &view, &options);
    gen_mesh_free(&ball);
    for (int i = 0; i < 20; ++i) s->samples[i] = (uint8_t)test_int(g->rng, 0, 255);
    field.samples = s->samples;
    field.format = CD_HEIGHT_U8;
    field.columns = 5;
    field.rows = 4;
    field.spacing[0] = field.spacing[1] = (cd_real)0.5;
    field.scale = (cd_real)(1.0 / 256);
    cd_bvh_build_heights(&s->field, &field, NULL);
    plane.n = gen_direction(g);
    plane.d = -1;
    s->shapes[0] = cd_shape_of_obb(&box);
    s->shapes[1] = cd_shape_of_sphere(gen_sphere(g));
    s->shapes[2] = cd_shape_of_triangle(&t);
    s->shapes[2].radius = (cd_real)0.125;
    s->shapes[3] = cd_shape_of_halfspace(&plane);
    s->shapes[4] = cd_shape_of_mesh(&s->mesh, NULL);
    s->shapes[5] = cd_shape_of_heights(&s->field);
    cd_shape_scaled(&s->shapes[4], scale, &s->shapes[6]);
    for (int i = 0; i < 3; ++i) {
        s->placed[i].shape = &s->shapes[2 * i];
        s->placed[i].pose = gen_pose(g->rng, 2.0);
    }
    cd_compound_build(&s->compound, s->placed, 3, NULL);
    s->shapes[7] = cd_shape_of_compound(&s->compound);
}

static void hash_scene_close(hash_scene *s) {
    cd_compound_destroy(&s->compound);
    cd_bvh_destroy(&s->mesh);
    cd_bvh_destroy(&s->field);
}

static void add_shape_pair(const cd_shape *a, const cd_shape *b, const cd_transform *at) {
    cd_part_pair parts;
    cd_closest c;
    cd_separation s = cd_shape_distance(a, b, at, NULL, NULL, &parts);
    add_separation(&s);
    add_int(parts.a.child);
    add_int(parts.a.index);
    add_int(parts.b.index);
    add_int(cd_shape_test(a, b, at, NULL, NULL, NULL));
    if (!cd_shape_closest(a, b, at, NULL, &c, NULL)) return;
    add_vec(c.a);
    add_real(c.sqdist);
}

static bool hash_passes_some(void *user, uint32_t index) {
    (void)user;
    return index % 3 != 1;
}

static bool hash_passes_pairs(void *user, const cd_part *a, const cd_part *b) {
    (void)user;
    return (a->index + b->index + b->child) % 4 != 2;
}

static void add_part(const cd_part *p) {
    add_int((uint32_t)p->user);
    add_int(p->material);
    add_int(p->child);
    add_int(p->index);
    add_real(p->offset);
}

static void hash_one_shape(const cd_shape *s, const cd_transform *at, const cd_ray rays[2]) {
    cd_vec3 by = cd_vec3_make(-2, (cd_real)0.5, (cd_real)1.5), p;
    cd_cast_options o;
    cd_hit hits[2], hit;
    cd_part parts[2], part;
    cd_shape stretched;
    cd_aabb box;
    cd_mass mass;
    bool got;
    memset(&o, 0, sizeof o);
    o.flags = CD_CAST_START_DEPTH;
    o.ignore_mask = 2;
    o.filter = hash_passes_some;
    add_int(cd_shape_is_valid(s));
    add_int(cd_shape_is_convex(s));
    for (int k = 0; k < 3; ++k) {
        add_int((uint32_t)cd_shape_scaled(s, by, &stretched));
        if (stretched.type) {
            box = cd_shape_aabb(&stretched, at);
            add_vec(box.min), add_vec(box.max);
            if (cd_shape_support(&stretched, rays[0].dir, &p)) add_vec(p);
            add_int((uint32_t)cd_shape_mass(&stretched, 1.5, &mass));
            add_double(mass.mass);
            add_double(mass.center[0]);
            add_double(mass.inertia[0][1]);
        }
        by = k ? cd_vec3_make((cd_real)0.75, (cd_real)0.75, (cd_real)-0.75) : cd_vec3_make(1, 1, 1);
    }
    got = cd_shape_cast_ray(s, &rays[0], CD_REAL_MAX, &o, &hit, &part);
    add_hit(got, &hit);
    if (got) add_part(&part);
    add_int((uint32_t)cd_shape_cast_rays(s, rays, NULL, 2, NULL, hits, parts));
    for (int k = 0; k < 2; ++k)
        if (hits[k].index != CD_NONE) add_real(hits[k].t), add_int(parts[k].material);
}

static void hash_two_shapes(const cd_shape *a, const cd_shape *b, const cd_transform *at, cd_vec3 way) {
    cd_shape_options o;
    cd_cast_options casts;
    cd_part_pair parts;
    cd_manifold m[6];
    cd_motion from, to;
    cd_transform end = *at;
    cd_impact impact;
    cd_hit hit;
    size_t count;
    bool got;
    memset(&o, 0, sizeof o);
    memset(&casts, 0, sizeof casts);
    for (uint32_t call = 0; call < CD_SHAPE_CALLS; ++call)
        add_int((uint32_t)cd_shape_can(call, a->type, b->type));
    add_shape_pair(a, b, at);
    o.filter = hash_passes_pairs;
    o.ignore_a = 4;
    o.margin = o.distance = (cd_real)0.125;
    got = cd_shape_test(a, b, at, &o, NULL, &parts);
    add_int(got);
    count = cd_shape_collide(a, b, at, &o, NULL, m, 6);
    add_int((uint32_t)count);
    for (size_t i = 0; i < count && i < 6; ++i) {
        add_vec(m[i].normal);
        add_part(&m[i].part_b);
        for (uint32_t k = 0; k < m[i].count; ++k) add_real(m[i].points[k].distance);
    }
    casts.ignore_mask = 8;
    got = cd_shape_sweep(a, way, b, at, &casts, &hit, &parts);
    add_hit(got, &hit);
    if (got) add_part(&parts.b);
    end.position = cd_vec3_add(end.position, way);
    cd_motion_make(CD_MOTION_BOTH, at, &end, &from);
    cd_motion_make(CD_MOTION_LINEAR, at, at, &to);
    impact = cd_shape_time_of_impact(a, &from, b, &to, &o, &parts);
    add_int(impact.hit);
    add_real(impact.t);
}

/* Each type alone, and with some others; all in batches. */
static void hash_any_shapes(test_rng *rng) {
    any_all all;
    cd_real numbers[40];
    cd_transform at = gen_pose(rng, 1);
    cd_ray rays[2];
    cd_shape_pair pairs[CD_SHAPE_TYPES];
    cd_separation apart[CD_SHAPE_TYPES];
    cd_part_pair parts[CD_SHAPE_TYPES];
    bool meet[CD_SHAPE_TYPES];
    size_t count = 0;
    for (int i = 0; i < 40; ++i) numbers[i] = (cd_real)(i < 24 ? test_range(rng, -1, 1) : test_unit(rng));
    rays[0].origin = cd_vec3_make(-3, (cd_real)0.125, 0);
    rays[0].dir = cd_vec3_make(2, 0, (cd_real)0.25);
    rays[1].origin = at.position;
    rays[1].dir = cd_vec3_make(0, -1, (cd_real)-0.5);
    any_all_open(&all, numbers, 40);
    for (uint32_t i = 1; i < CD_SHAPE_TYPES; ++i) {
        uint32_t other = 1 + (5 * i + 3) % (CD_SHAPE_TYPES - 1);
        hash_one_shape(&all.shape[i], &at, rays);
        hash_two_shapes(&all.shape[i], &all.shape[other], &at, rays[0].dir);
        pairs[count].a = &all.shape[i];
        pairs[count].b = &all.shape[1 + (7 * i) % (CD_SHAPE_TYPES - 1)];
        pairs[count++].b_in_a = i % 2 ? &at : NULL;
    }
    cd_shape_distances(pairs, count, NULL, NULL, apart, parts);
    add_int((uint32_t)cd_shape_tests(pairs, count, NULL, NULL, meet));
    for (size_t i = 0; i < count; ++i) {
        add_separation(&apart[i]);
        add_part(&parts[i].b);
        add_int(meet[i]);
    }
    any_all_close(&all);
}

static void hash_shape_distances(test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    hash_scene s;
    hash_scene_open(&s, &g);
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 8; ++k) {
            cd_transform at = gen_pose(rng, (i + k) % 3 == 0 ? 0.5 : 2.5);
            add_shape_pair(&s.shapes[i], &s.shapes[k], &at);
        }
    }
    hash_scene_close(&s);
}

static void add_impact(const cd_impact *r, const cd_part_pair *parts) {
    add_int((uint32_t)r->status);
    add_int(r->hit);
    add_real(r->t);
    add_real(r->distance);
    add_vec(r->normal);
    add_vec(r->a);
    add_vec(r->b);
    add_int(r->feature_a);
    add_int(r->iterations);
    add_int(parts->a.child);
    add_int(parts->b.index);
}

/* A ball of triangles, a box, a cylinder and the ground, each with the next, and all in one. */
static void hash_shape_casts(test_rng *rng) {
    gen_mesh mesh = gen_mesh_ball(2, 0.2, rng);
    cd_mesh_view view = gen_mesh_view(&mesh);
    cd_bvh tree;
    cd_plane plane = {{0, 0, 1}, -1};
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    for (int i = 0; i < 24; ++i) {
        gen g = gen_begin(rng, GEN_UNIT);
        cd_obb box = gen_obb(&g);
        cd_segment rod = gen_segment(&g);
        cd_transform pose = gen_pose(rng, 2);
        cd_vec3 motion = gen_direction(&g);
        cd_cylinder cylinder;
        cd_shape shape[5];
        cd_placed_shape placed[4];
        cd_compound list;
        cd_ray ray;
        cd_hit hit;
        cd_part part;
        cd_part_pair parts;
        cylinder.a = rod.a;
        cylinder.b = rod.b;
        cylinder.radius = (cd_real)0.5;
        ray.origin = cd_vec3_scale(motion, -2);
        ray.dir = motion;
        shape[0] = cd_shape_of_mesh(&tree, NULL);
        shape[1] = cd_shape_of_obb(&box);
        shape[2] = cd_shape_of_cylinder(&cylinder);
        shape[3] = cd_shape_of_halfspace(&plane);
        shape[2].radius = (cd_real)(0.125 * (i % 2));
        for (int k = 0; k < 4; ++k) {
            placed[k].shape = &shape[k];
            placed[k].pose = gen_pose(rng, 2);
        }
        list = cd_compound_of(placed, 4);
        shape[4] = cd_shape_of_compound(&list);
        for (int k = 0; k < 5; ++k) {
            const cd_shape *a = &shape[k == 3 ? 1 : k], *b = &shape[(k + i) % 5];
            cd_transform to = gen_pose(rng, 2);
            cd_motion ma, mb;
            cd_impact r;
            bool got = cd_shape_cast_ray(b, &ray, CD_REAL_MAX, NULL, &hit, &part);
            add_hit(got, &hit);
            if (got) add_int(part.index);
            got = cd_shape_sweep(a, motion, b, i % 3 ? &pose : NULL, NULL, &hit, &parts);
            add_hit(got, &hit);
            if (got) add_int(parts.a.index);
            cd_motion_make((cd_motion_kind)(i % 5), &pose, &to, &ma);
            cd_motion_make(CD_MOTION_LINEAR, &to, &pose, &mb);
            r = cd_shape_time_of_impact(a, &ma, b, &mb, NULL, &parts);
            add_impact(&r, &parts);
        }
    }
    cd_bvh_destroy(&tree);
    gen_mesh_free(&mesh);
}

static void add_shape_contact(const cd_contact *c) {
    add_vec(c->a);
    add_vec(c->b);
    add_real(c->distance);
    add_int(c->feature_a);
    add_int(c->feature_b);
}

static bool hash_contact_point(void *user, const cd_manifold *m, const cd_contact *c) {
    (void)user;
    add_vec(m->normal);
    add_int(m->part_b.child);
    add_int(m->part_b.index);
    add_shape_contact(c);
    return true;
}

static void hash_contacts_of(const cd_shape *a, const cd_shape *b, const cd_transform *pose) {
    cd_manifold m[12];
    cd_shape_options o;
    size_t count;
    memset(&o, 0, sizeof o);
    o.margin = (cd_real)0.0625;
    count = cd_shape_collide(a, b, pose, &o, NULL, m, 12);
    add_int((uint32_t)count);
    for (size_t i = 0; i < count && i < 12; ++i) {
        add_vec(m[i].normal);
        add_int(m[i].count);
        add_int(m[i].part_a.index);
        add_int(m[i].part_b.index);
        add_int(m[i].part_b.child);
        for (uint32_t k = 0; k < m[i].count; ++k) add_shape_contact(&m[i].points[k]);
    }
    o.flags = CD_SHAPE_ONE_SIDED;
    add_int((uint32_t)cd_shape_collide_all(a, b, pose, &o, hash_contact_point, NULL));
}

static void hash_shape_contacts(test_rng *rng) {
    gen_mesh grid = gen_mesh_grid(4), ball = gen_mesh_ball(2, 0.2, rng);
    cd_mesh_view grid_view = gen_mesh_view(&grid), ball_view = gen_mesh_view(&ball);
    cd_bvh grid_tree, ball_tree;
    cd_placed_shape placed[9];
    cd_compound compound;
    cd_aabb box;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_plane plane;
    cd_shape body[4], floor_shape[4], piece;
    cd_bvh_build_mesh(&grid_tree, &grid_view, NULL);
    cd_bvh_build_mesh(&ball_tree, &ball_view, NULL);
    box.min = cd_vec3_make((cd_real)-0.5, (cd_real)-0.5, (cd_real)-0.25);
    box.max = cd_vec3_make((cd_real)0.5, (cd_real)0.5, (cd_real)0.25);
    sphere.center = cd_vec3_make((cd_real)0.125, 0, 0);
    sphere.radius = (cd_real)0.5;
    capsule.a = cd_vec3_make((cd_real)-0.5, 0, 0);
    capsule.b = cd_vec3_make((cd_real)0.5, 0, 0);
    capsule.radius = (cd_real)0.25;
    plane.n = cd_vec3_make(0, (cd_real)0.5, 2);
    plane.d = (cd_real)0.25;
    piece = cd_shape_of_aabb(box);
    for (int i = 0; i < 9; ++i) {
        placed[i].shape = &piece;
        placed[i].pose = cd_transform_identity();
        placed[i].pose.position = cd_vec3_make((cd_real)(i % 3), (cd_real)(i / 3), 0);
    }
    compound = cd_compound_of(placed, 9);
    body[0] = piece;
    body[1] = cd_shape_of_sphere(sphere);
    body[2] = cd_shape_of_capsule(&capsule);
    body[3] = cd_shape_of_mesh(&ball_tree, NULL);
    floor_shape[0] = cd_shape_of_mesh(&grid_tree, NULL);
    floor_shape[1] = cd_shape_of_compound(&compound);
    floor_shape[2] = cd_shape_of_halfspace(&plane);
    floor_shape[3] = body[3];
    for (int i = 0; i < 64; ++i) {
        cd_transform pose = gen_pose(rng, 1);
        int a = test_int(rng, 0, 3), b = test_int(rng, 0, 3);
        if (a == 3 && (b == 3 || b == 0)) a = 0; /* meshes with meshes cost more */
        hash_contacts_of(&body[a], &floor_shape[b], &pose);
        hash_contacts_of(&floor_shape[b], &body[a], &pose);
    }
    cd_bvh_destroy(&grid_tree);
    cd_bvh_destroy(&ball_tree);
    gen_mesh_free(&grid);
    gen_mesh_free(&ball);
}

static void add_solid_way(const cd_solid_way *w) {
    add_int((uint32_t)w->status);
    add_int(w->iterations);
    add_real(w->t);
    add_real(w->beyond);
    add_vec(w->direction);
    add_vec(w->point);
    add_vec(w->normal);
    add_int(w->pair.a);
    add_int(w->pair.b);
    add_vec(w->b_in_a.position);
}

static void hash_solid_curve(const cd_solid *a, const cd_solid *b, const cd_transform *pose) {
    static cd_solid_piece pieces[512];
    cd_solid_region region[8];
    size_t count = cd_solid_curve(a, b, pose, NULL, pieces, 512), found;
    add_int((uint32_t)count);
    found = cd_solid_regions(a, b, pose, NULL, pieces, count < 512 ? count : 512, region, 8);
    for (size_t i = 0; i < found && i < 8; ++i) {
        add_int(region[i].count);
        add_vec(region[i].center);
        add_vec(region[i].normal);
        add_real(region[i].depth);
        add_real(region[i].length);
        add_real(region[i].area);
        add_real(region[i].face_area);
        add_vec(region[i].box.max);
        add_vec(pieces[region[i].first].a);
    }
}

static void hash_solid_meshes(test_rng *rng) {
    cd_bvh tree[2];
    cd_bvh_winding winding[2];
    cd_solid solid[2];
    cd_vec3 directions[3];
    for (int i = 0; i < 2; ++i) {
        gen_mesh m = gen_mesh_ball(4 - i, 0.3, rng);
        cd_mesh_view view = gen_mesh_view(&m);
        if (cd_bvh_build_mesh(&tree[i], &view, NULL) != CD_OK) abort();
        if (cd_bvh_winding_build(&winding[i], &tree[i], NULL) != CD_OK) abort();
        solid[i] = cd_solid_of(&tree[i], &winding[i]);
        gen_mesh_free(&m);
    }
    for (int i = 0; i < 4; ++i) {
        cd_transform pose = gen_pose(rng, i == 0 ? 0.1 : 1.5);
        cd_solid_options o;
        cd_solid_gap gap;
        cd_solid_way way;
        cd_real from = 0, to = 0;
        cd_pair pair = {0, 0};
        memset(&o, 0, sizeof o);
        for (int k = 0; k < 3; ++k)
            directions[k] = cd_vec3_make((cd_real)(k - 1), (cd_real)0.5, (cd_real)(test_unit(rng) - 0.5));
        add_int(cd_solid_test(&solid[0], &solid[1], &pose, NULL, &pair));
        add_int(pair.a);
        gap = cd_solid_clearance(&solid[0], &solid[1], &pose, NULL);
        add_int(gap.relation);
        add_real(gap.distance);
        add_real(gap.gap);
        add_vec(gap.a);
        add_vec(gap.b);
        add_int(cd_solid_test_point(&solid[0], pose.position));
        way = cd_solid_depth(&solid[0], &solid[1], &pose, directions[0], NULL);
        add_solid_way(&way);
        way = cd_solid_depth_least(&solid[0], &solid[1], &pose, directions, i == 1 ? 0 : 3, NULL);
        add_solid_way(&way);
        o.tolerance = (cd_real)0.0625;
        way = cd_solid_depth(&solid[0], &solid[1], &pose, directions[1], &o);
        add_solid_way(&way);
        add_int(cd_solid_extent(&solid[0], &solid[1], &pose, directions[2], NULL, &from, &to));
        add_real(from);
        add_real(to);
        hash_solid_curve(&solid[0], &solid[1], &pose);
    }
    for (int i = 0; i < 2; ++i) {
        cd_bvh_winding_destroy(&winding[i]);
        cd_bvh_destroy(&tree[i]);
    }
}

static void hash_movers(test_rng *rng) {
    any_all all;
    cd_real numbers[40];
    cd_mover_plane planes[12];
    cd_mover_options o;
    cd_vec3 way = cd_vec3_make((cd_real)0.5, (cd_real)0.25, (cd_real)-0.25), out;
    for (int i = 0; i < 40; ++i) numbers[i] = (cd_real)(i < 24 ? test_range(rng, -1, 1) : test_unit(rng));
    memset(&o, 0, sizeof o);
    o.up = cd_vec3_make(0, 0, 1);
    o.step_height = (cd_real)0.25;
    o.skin = (cd_real)0.015625;
    any_all_open(&all, numbers, 40);
    for (int i = 0; i < 12; ++i) {
        const cd_shape *level = &all.shape[i % 2 ? CD_SHAPE_HEIGHTS : CD_SHAPE_COMPOUND];
        const cd_shape *mover = &all.shape[i % 3 ? CD_SHAPE_CAPSULE : CD_SHAPE_AABB];
        cd_transform at = gen_pose(rng, 2);
        cd_mover_result r;
        size_t count = cd_mover_planes(level, mover, &at, 1, &o, planes, 12);
        add_int((uint32_t)count);
        if (count > 12) count = 12;
        for (size_t k = 0; k < count; ++k) {
            add_vec(planes[k].normal);
            add_real(planes[k].distance);
            add_vec(planes[k].point);
        }
        add_int((uint32_t)cd_mover_solve(planes, count, way, o.skin, &out));
        add_vec(out);
        add_vec(cd_mover_clip(planes, count, (cd_real)0.5, way));
        r = cd_mover_slide(level, mover, &at, way, &o);
        add_int((uint32_t)r.status);
        add_vec(r.pose.position);
        add_vec(r.left);
        add_vec(r.ground);
        add_int(r.slides);
    }
    any_all_close(&all);
}

/* ---- classic ---- */

static bool cast_at_box(void *user, uint32_t item, const cd_ray *r, cd_real t_max, cd_hit *hit) {
    return cd_cast_ray_aabb(r, t_max, ((const cd_aabb *)user)[item], NULL, hit);
}

static void hash_kdtree_compact(gen *g) {
    cd_aabb boxes[150];
    cd_kdtree_compact t;
    const uint32_t *words;
    for (int i = 0; i < 150; ++i) {
        boxes[i] = gen_aabb(g);
        if (i % 3) boxes[i].max = cd_vec3_lerp(boxes[i].min, boxes[i].max, (cd_real)0.0625);
    }
    if (cd_kdtree_compact_build(&t, boxes, 150, 2, NULL) != CD_OK) abort();
    words = (const uint32_t *)t.block;
    for (size_t i = 0; i < t.bytes / 4; ++i) add_int(words[i]);
    for (int i = 0; i < 10; ++i) {
        double square = 0;
        cd_hit h;
        cd_ray r;
        r.origin = gen_point(g);
        r.dir = gen_direction(g);
        add_int(cd_kdtree_compact_leaf_at(&t, r.origin));
        add_int(cd_kdtree_compact_nearest(&t, r.origin, boxes, &square));
        add_double(square);
        cd_kdtree_compact_overlap_aabb(&t, gen_aabb(g), boxes, add_index, NULL);
        add_hit(cd_kdtree_compact_cast_ray(&t, &r, CD_REAL_MAX, cast_at_box, boxes, &h), &h);
    }
    cd_kdtree_compact_destroy(&t);
}

/* What a leaf has: its own number, as often as it says. */
static size_t fetch_number(void *user, uint32_t leaf, void *to, size_t capacity) {
    size_t bytes = sizeof leaf * (leaf % 20);
    (void)user;
    for (size_t i = 0; i < bytes && i < capacity; i += sizeof leaf)
        memcpy((unsigned char *)to + i, &leaf, sizeof leaf);
    return bytes;
}

static void hash_linear_cache(test_rng *rng) {
    static unsigned char memory[4096];
    cd_linear_cache_options o;
    cd_linear_cache c;
    memset(&o, 0, sizeof o);
    o.slots = 16;
    o.ways = 2;
    o.slot_bytes = 64;
    o.fetch = fetch_number;
    if (cd_linear_cache_init(&c, memory, sizeof memory, &o) != CD_OK) abort();
    for (int i = 0; i < 200; ++i) {
        uint32_t first = 0;
        size_t bytes;
        const void *data = cd_linear_cache_get(&c, (uint32_t)test_int(rng, 0, 40), &bytes);
        if (data && bytes) memcpy(&first, data, sizeof first);
        add_int(first);
        add_int((uint32_t)bytes);
        cd_linear_cache_predict(&c, (uint32_t)test_int(rng, 0, 40));
        if (i % 8 == 0) cd_linear_cache_forget(&c, first);
        if (i % 4 == 0) add_int(cd_linear_cache_step(&c, 100));
    }
    add_int((uint32_t)c.counts.hits);
    add_int((uint32_t)c.counts.evictions);
    add_int((uint32_t)c.counts.predicted_well);
    add_int((uint32_t)c.counts.predicted_for_nothing);
    add_int((uint32_t)c.counts.dropped);
}

static void hash_classic(test_rng *rng) {
    hash_linear_cache(rng);
    for (int i = 0; i < 2 * GEN_KINDS; ++i) {
        gen g = gen_begin(rng, (gen_kind)(i % GEN_KINDS));
        hash_kdtree_compact(&g);
    }
}

/* ---- end of classic ---- */

/* A hull of points in the cube; some in a plane or a line. */
static cd_hull hash_small_hull(gen *g, int n) {
    cd_vec3 p[24];
    cd_hull hull;
    for (int k = 0; k < n; ++k) p[k] = gen_point(g);
    cd_hull3_build(&hull, p, (size_t)n, NULL);
    return hull;
}

static void hash_classic_walks(const cd_hull *a, const cd_hull *b, const cd_transform *pose) {
    cd_support s = cd_support_of_hull(a), t = cd_support_of_hull(b);
    cd_vclip_report r = cd_vclip(a, b, pose, 0, NULL);
    cd_separating_vector v = cd_chung_wang(&s, &t, pose, 0, NULL);
    cd_separation j = cd_gjk_johnson(&s, &t, pose, 0);
    add_int((uint32_t)r.status);
    add_int(r.penetrating);
    add_real(r.distance);
    add_vec(r.normal);
    add_vec(r.a);
    add_vec(r.b);
    add_int(r.feature_a);
    add_int(r.feature_b);
    add_int(r.iterations);
    add_int((uint32_t)v.verdict);
    add_vec(v.vector);
    add_real(v.least);
    add_int(v.iterations);
    add_int((uint32_t)j.status);
    add_real(j.distance);
    add_real(j.gap);
    add_vec(j.normal);
    add_vec(j.a);
    add_int(j.feature_b);
    add_int(j.iterations);
}

static void hash_classic_convex(test_rng *rng) {
    static double room[8192];
    for (int i = 0; i < 60; ++i) {
        gen g = gen_begin(rng, i % 2 ? GEN_GRID : GEN_UNIT);
        cd_transform pose = gen_pose(rng, 2.5);
        cd_hull a = hash_small_hull(&g, 1 + i % 20), b = hash_small_hull(&g, 1 + i % 7);
        cd_vec3 p = gen_point(&g), corners[4];
        cd_plane h[10];
        cd_johnson_point q;
        cd_fourier_motzkin f;
        hash_classic_walks(&a, &b, &pose);
        hash_classic_walks(&b, &a, NULL);
        for (int k = 0; k < 4; ++k) corners[k] = gen_point(&g);
        q = cd_closest_pt_simplex_johnson(p, corners, (size_t)(1 + i % 4));
        add_vec(q.point);
        add_int(q.kept);
        add_int(q.backup);
        for (int k = 0; k < 4; ++k) add_real(q.weights[k]);
        for (int k = 0; k < 10; ++k) {
            h[k].n = gen_direction(&g);
            h[k].d = gen_coordinate(&g, 0);
        }
        f = cd_lp_fourier_motzkin3(h, 10, (uint32_t)i / 2 % 2, room, sizeof room);
        add_int((uint32_t)f.status);
        add_int(f.feasible);
        add_vec(f.point);
        add_int((uint32_t)f.rows);
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
}

static void everything_gives_one_number(void) {
    test_rng rng;
    rng.state = 2005;
    hash = TEST_HASH_START;
    for (int kind = 0; kind < GEN_KINDS; ++kind) {
        for (int i = 0; i < 240; ++i) {
            gen g = gen_begin(&rng, (gen_kind)kind);
            hash_core(&g);
            hash_arithmetic(&g);
            hash_integers(&rng);
            hash_linear_algebra(&g);
            hash_queries(&g);
            hash_shapes(&g);
            if (i % 4 == 2) hash_aabb_forms(&g);
            if (i % 8 == 4) hash_turned_boxes(&g);
            if (i % 8 == 3) hash_planar(&g);
            if (i % 40 == 3) hash_merged_circles(&g);
            if (i % 4 == 3) hash_oriented_boxes(&g);
            if (i % 20 == 0) hash_lp(&g);
            if (i % 4 == 0) hash_masses(&g);
            if (i % 80 == 2) hash_spheres(&g);
            if (i % 4 == 1) hash_hulls2(&g);
            if (i % 8 == 0) hash_minkowski(&g);
            if (i % 8 == 1) hash_swept(&g);
            if (i % 8 == 0) hash_round_shapes(&g);
            if (i % 16 == 1) hash_ellipsoids(&g);
            if (i == 3) hash_merged_ellipsoids(&g);
            if (i % 16 == 2) hash_shells_and_zonotopes(&g);
            if (i % 8 == 0) hash_closest_pairs(&g);
            if (i % 8 == 1) hash_linear_tests(&g);
            if (i % 8 == 2) hash_solids(&g);
            if (i % 8 == 3) hash_triangle_pairs(&g);
            if (i % 8 == 4) hash_line_casts(&g);
            if (i % 8 == 5) hash_quads_tori_hulls(&g);
            if (i % 8 == 6) hash_points_and_planes(&g);
            if (i % 8 == 7) hash_batches(&g);
            if (i % 8 == 0) hash_sweep_planes(&g);
            if (i % 8 == 1) hash_sweep_spheres(&g);
            if (i % 8 == 2) hash_sweep_capsules(&g);
            if (i % 8 == 3) hash_sweep_boxes(&g);
            if (i % 8 == 4) hash_sweep_ellipsoids(&g);
            if (i % 8 == 5) hash_motions(&g);
            if (i % 8 == 6) hash_ccd(&g);
        }
    }
    for (int i = 0; i < 3 * GEN_KINDS; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        hash_kdops(&g);
    }
    hash_trees(&rng);
    hash_dyntree(&rng);
    hash_refit(&rng);
    hash_bvtree(&rng);
    hash_spheretree(&rng);
    hash_mesh_sweeps(&rng);
    hash_fronts(&rng);
    hash_heights(&rng);
    hash_supports(&rng);
    hash_gjk(&rng);
    hash_epa(&rng);
    hash_sat(&rng);
    hash_dk(&rng);
    hash_qp(&rng);
    hash_convex_casts(&rng);
    hash_time_of_impact(&rng);
    hash_thick(&rng);
    hash_hulls(&rng);
    hash_simplification(&rng);
    hash_fitted_boxes(&rng);
    hash_manifolds(&rng);
    hash_box_manifolds(&rng);
    hash_any_shapes(&rng);
    hash_shape_distances(&rng);
    hash_shape_casts(&rng);
    hash_shape_contacts(&rng);
    hash_solid_meshes(&rng);
    hash_movers(&rng);
    hash_classic(&rng);
    hash_classic_convex(&rng);
    printf("hash %s 0x%08x%08x\n", sizeof(cd_real) == 4 ? "float" : "double", (unsigned)(hash >> 32),
           (unsigned)hash);
}

void suite_hash(void) {
    RUN(everything_gives_one_number);
}
