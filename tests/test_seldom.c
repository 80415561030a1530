/* What other suites hardly ask: moved ellipsoids and shells, rays' closest points, slabs and k-DOPs of odd directions, a mesh's
 * triangles in a box, spheres at shells, visitors that stop, refitted compact trees with masks, trimmed trees of inserted items. */
#include "gen.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static cd_vec3 at(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static double dot(cd_vec3 a, cd_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* ---- moved ---- */

/* The farthest point goes along. */
static void moved_ellipsoids(void) {
    test_rng rng = test_random();
    for (long n = test_times(300); n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_transform pose = gen_pose(&rng, 3.0);
        cd_vec3 dir = gen_direction(&g), p, q;
        cd_ellipsoid e, moved;
        e.center = gen_point(&g);
        e.axes = cd_quat_to_mat3(gen_quat(&rng));
        e.half = at(test_range(&rng, 0, 2), test_range(&rng, 0, 2), test_range(&rng, 0, 2));
        moved = ASK("motion", cd_ellipsoid_transform(&e, &pose));
        CHECK_VEC(moved.half, e.half, 0);
        p = cd_transform_point(&pose, cd_ellipsoid_support(&e, cd_transform_inverse_vector(&pose, dir)));
        q = cd_ellipsoid_support(&moved, dir);
        CHECK_NEAR(dot(dir, q), dot(dir, p), 64 * EPS * (1 + sqrt(dot(dir, dir))) * 8);
        CHECK_NEAR(cd_ellipsoid_volume(&moved), cd_ellipsoid_volume(&e), 64 * EPS * 64);
    }
}

/* Points that are surely in, or surely not, go along; so do closest points. */
static void moved_shells(void) {
    test_rng rng = test_random();
    for (long n = test_times(300); n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_transform pose = gen_pose(&rng, 3.0);
        cd_spherical_shell s, moved;
        cd_vec3 p = gen_point(&g), there;
        double d, m;
        s.center = gen_point(&g);
        s.axis = gen_direction(&g);
        s.inner = (cd_real)test_range(&rng, 0, 1);
        s.outer = (cd_real)((double)s.inner + test_range(&rng, 0, 1));
        s.cos_angle = (cd_real)test_range(&rng, -1, 1);
        moved = ASK("motion", cd_spherical_shell_transform(&s, &pose));
        there = cd_transform_point(&pose, p);
        d = sqrt(dot(cd_vec3_sub(p, cd_closest_pt_point_spherical_shell(p, &s)),
                     cd_vec3_sub(p, cd_closest_pt_point_spherical_shell(p, &s))));
        m = sqrt(dot(cd_vec3_sub(there, cd_closest_pt_point_spherical_shell(there, &moved)),
                     cd_vec3_sub(there, cd_closest_pt_point_spherical_shell(there, &moved))));
        test_note_reals("shell", REALS(s), 9);
        test_note_reals("p", REALS(p), 3);
        CHECK_NEAR(m, d, 1e3 * EPS);
        if (d > 1e3 * EPS) CHECK(!cd_test_point_spherical_shell(there, &moved));
    }
}

/* A sphere meets a shell where its centre is in, or the closest point is as near as the radius. */
static void spheres_at_shells(void) {
    test_rng rng = test_random();
    long met = 0, all = test_times(400);
    for (long n = all; n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_spherical_shell s;
        cd_sphere b;
        cd_vec3 way;
        double d;
        bool meets;
        s.center = gen_point(&g);
        s.axis = gen_direction(&g);
        s.inner = (cd_real)test_range(&rng, 0, 1);
        s.outer = (cd_real)((double)s.inner + test_range(&rng, 0, 0.5));
        s.cos_angle = (cd_real)test_range(&rng, -1, 1);
        b.center = gen_point(&g);
        b.radius = (cd_real)test_range(&rng, 0, 1);
        way = cd_vec3_sub(b.center, cd_closest_pt_point_spherical_shell(b.center, &s));
        d = sqrt(dot(way, way));
        meets = cd_test_sphere_spherical_shell(b, &s);
        if (fabs(d - (double)b.radius) > 64 * EPS) CHECK_INT(meets, d < (double)b.radius);
        met += meets && !cd_test_point_spherical_shell(b.center, &s);
        b.radius = -1;
        CHECK(!cd_test_sphere_spherical_shell(b, &s));
    }
    CHECK_SEEN(met > all / 20);
}

static void closest_points_of_rays(void) {
    test_rng rng = test_random();
    for (long n = test_times(3000); n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_ray r;
        cd_vec3 p = gen_point(&g), c;
        double t, want = HUGE_VAL, got;
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        c = ASK("judge", cd_closest_pt_point_ray(p, &r));
        t = fmax(0, dot(cd_vec3_sub(p, r.origin), r.dir) / dot(r.dir, r.dir));
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(REALS(c)[k], (double)REALS(r.origin)[k] + t * (double)REALS(r.dir)[k], 64 * EPS);
        got = dot(cd_vec3_sub(p, c), cd_vec3_sub(p, c));
        for (int k = 0; k <= 20; ++k) {
            cd_vec3 q = cd_vec3_add(r.origin, cd_vec3_scale(r.dir, (cd_real)(k / 4.0)));
            want = fmin(want, dot(cd_vec3_sub(p, q), cd_vec3_sub(p, q)));
        }
        CHECK(got <= want + 64 * EPS);
    }
}

/* ---- slabs, k-DOPs ---- */

static void slabs_that_cannot_be(void) {
    cd_vec3 p[2] = {{1, 2, 3}, {-1, 0, 5}};
    cd_slab s[2];
    memset(s, 0x55, sizeof s);
    s[0].n = at(1, 0, 0);
    s[1].n = at(0, 2, 1);
    CHECK_INT(cd_slabs_from_points(p, 2, s, 2), CD_OK);
    CHECK(s[0].min == -1 && s[0].max == 1 && s[1].min == 5 && s[1].max == 7);
    CHECK_INT(cd_slabs_from_points(p, 0, s, 2), CD_INVALID_ARGUMENT);
    CHECK(s[0].min == 0 && s[0].max == 0 && s[1].min == 0 && s[1].max == 0 && s[1].n.y == 2);
    CHECK_INT(cd_slabs_from_points(p, 2, NULL, 2), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_slabs_from_points(p, 2, NULL, 0), CD_OK);
    CHECK_INT(cd_slabs_from_points(p, 2, s, 2), CD_OK);
    s[1].n = at(0, 0, 0);
    CHECK_INT(cd_slabs_from_points(p, 2, s, 2), CD_INVALID_ARGUMENT);
    CHECK(s[0].max == 0 && s[1].max == 0);
    s[1].n = at(1, 1, 1);
    p[1] = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    CHECK_INT(cd_slabs_from_points(p, 2, s, 2), CD_TOO_LARGE);
    CHECK(s[0].max == 0 && s[1].max == 0);
    p[1].x = (cd_real)NAN;
    CHECK_INT(cd_slabs_from_points(p, 2, s, 2), CD_INVALID_ARGUMENT);
}

/* Directions that are axes, but not of length 1: the box around is still the box. */
static void kdops_along_long_axes(void) {
    test_rng rng = test_random();
    for (long n = test_times(200); n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_kdop_set set;
        cd_kdop dop;
        cd_aabb box = gen_aabb(&g), around;
        cd_vec3 far_off;
        memset(&set, 0, sizeof set);
        set.count = 4;
        for (int i = 0; i < 3; ++i)
            REALS(set.axis[i])[i] = (cd_real)(test_range(&rng, 0.1, 9) * (test_int(&rng, 0, 1) ? 1 : -1));
        set.axis[3] = at(1, 1, 1);
        CHECK_INT(cd_kdop_from_aabb(box, &set, &dop), CD_OK);
        around = cd_aabb_from_kdop(&dop, &set);
        for (int i = 0; i < 3; ++i) {
            CHECK(REALS(around.min)[i] <= REALS(box.min)[i] && REALS(around.max)[i] >= REALS(box.max)[i]);
            CHECK_NEAR(REALS(around.min)[i], REALS(box.min)[i], 8 * EPS);
            CHECK_NEAR(REALS(around.max)[i], REALS(box.max)[i], 8 * EPS);
        }
        far_off = cd_kdop_support(&dop, &set, at(1, 1, -1));
        CHECK_VEC(far_off, cd_vec3_make(box.max.x, box.max.y, box.min.z), 16 * EPS);
    }
}

/* Slabs that have no point in common; numbers that are none. */
static void kdops_without_points(void) {
    cd_kdop_set set = cd_kdop_set_standard(14), turned;
    cd_quat q = {(cd_real)0.5, (cd_real)0.25, (cd_real)0.125, 1};
    cd_transform pose = cd_transform_identity();
    cd_kdop dop, out;
    memset(&dop, 0, sizeof dop);
    dop.count = set.count;
    for (uint32_t i = 0; i < set.count; ++i) dop.min[i] = 0, dop.max[i] = 1;
    dop.min[3] = 10, dop.max[3] = 11;
    turned = ASK("exact", cd_kdop_set_rotate(&set, q));
    CHECK(cd_kdop_is_valid(&dop, &turned));
    CHECK(cd_aabb_is_empty(cd_aabb_from_kdop(&dop, &turned)));
    CHECK_VEC(cd_kdop_support(&dop, &turned, at(1, 0, 0)), at(0, 0, 0), 0);
    dop.max[3] = 9; /* min > max: it is none */
    CHECK_VEC(cd_kdop_support(&dop, &set, at(1, 0, 0)), at(0, 0, 0), 0);
    dop.max[3] = (cd_real)INFINITY;
    memset(&out, 0x55, sizeof out);
    CHECK_INT(cd_kdop_transform(&dop, &set, &pose, &out), CD_INVALID_ARGUMENT);
    CHECK(out.count == 0 && out.max[0] == 0);
    for (uint32_t i = 1; i < 4; ++i)
        set.axis[i] = cd_vec3_scale(set.axis[0], (cd_real)i); /* all along one line */
    set.count = 4;
    CHECK(!cd_kdop_set_is_valid(&set));
    set.axis[1] = at(0, 1, 0), set.axis[2] = at(2, 1, 0), set.axis[3] = at(3, -1, 0); /* in a plane */
    CHECK(!cd_kdop_set_is_valid(&set));
}

/* ---- meshes ---- */

static void triangles_in_boxes(void) {
    test_rng rng = test_random();
    long some = 0, all = test_times(100);
    for (long n = all; n > 0; --n) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        gen_mesh m = gen_mesh_soup(20, 0.5, g.kind, &rng);
        cd_mesh_view view = gen_mesh_view(&m);
        cd_aabb box = gen_aabb(&g);
        uint32_t got[20];
        size_t capacity = (size_t)test_int(&rng, 0, 20),
               count = cd_mesh_overlap_aabb(&view, box, got, capacity), i = 0;
        for (uint32_t t = 0; t < 20; ++t) {
            cd_triangle one = gen_mesh_triangle(&m, t);
            if (!cd_test_triangle_aabb(&one, box)) continue;
            if (i < capacity) CHECK_INT(got[i], t);
            ++i;
        }
        CHECK_INT(count, i);
        some += i > 0 && i < 20;
        gen_mesh_free(&m);
    }
    CHECK_SEEN(some > all / 20);
}

typedef struct stopper {
    long left, seen;
} stopper;

static bool stop_after(void *user, cd_pair pair) {
    stopper *s = (stopper *)user;
    (void)pair;
    ++s->seen;
    return --s->left > 0;
}

/* What meets a hull, until the visitor has had enough. */
static void visitors_stop(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(3, 0, &rng);
    cd_mesh_view view = gen_mesh_view(&m);
    cd_bvh tree;
    cd_bvh_instance in[2];
    cd_bvh_instances scene;
    cd_hull hull;
    cd_vec3 p[8];
    cd_bvh_volume v;
    for (int i = 0; i < 8; ++i) p[i] = at(i & 1 ? 2 : -2, i & 2 ? 2 : -2, i & 4 ? 2 : 0.5);
    CHECK_INT(cd_hull3_build(&hull, p, 8, NULL), CD_OK);
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    memset(in, 0, sizeof in);
    memset(&v, 0, sizeof v);
    for (int i = 0; i < 2; ++i) {
        in[i].tree = &tree;
        in[i].pose = gen_pose(&rng, 0.1);
        in[i].scale = 1;
    }
    CHECK_INT(cd_bvh_instances_build(&scene, in, 2, NULL), CD_OK);
    v.kind = CD_BVH_HULL;
    v.u.hull = &hull;
    {
        stopper all = {1000000, 0};
        CHECK(cd_bvh_instances_overlap(&scene, &v, NULL, stop_after, &all));
        CHECK(all.seen > 20);
        for (long k = 1; k < all.seen; k += 3) {
            stopper some = {k, 0};
            CHECK(!cd_bvh_instances_overlap(&scene, &v, NULL, stop_after, &some));
            CHECK_INT(some.seen, k);
        }
    }
    cd_bvh_instances_destroy(&scene);
    cd_bvh_destroy(&tree);
    cd_hull_destroy(&hull);
    gen_mesh_free(&m);
}

/* ---- trees ---- */

/* What is near, of some masks: by the tree, and by looking at all. */
static void check_closest(const cd_bvh *tree, const gen_mesh *m, const uint32_t *masks, test_rng *rng) {
    for (int i = 0; i < 20; ++i) {
        cd_vec3 p = at(test_range(rng, -2, 2), test_range(rng, -2, 2), test_range(rng, -2, 2));
        cd_filter f = {0, NULL, NULL};
        cd_closest c;
        double best = HUGE_VAL;
        bool has;
        f.ignore_mask = (uint32_t)test_int(rng, 0, 7);
        for (uint32_t t = 0; t < m->triangle_count; ++t) {
            cd_triangle one = gen_mesh_triangle(m, t);
            cd_vec3 way = cd_vec3_sub(p, cd_closest_pt_point_triangle(p, &one));
            if (!masks || !(masks[t] & f.ignore_mask)) best = fmin(best, dot(way, way));
        }
        has = cd_bvh_closest(tree, p, CD_REAL_MAX, &f, &c);
        CHECK_INT(has, best < 1e9);
        if (has) CHECK_NEAR(c.sqdist, best, 64 * EPS * (1 + best));
        if (has && masks) CHECK(!(masks[c.index_b] & f.ignore_mask));
    }
}

static void compact_trees_are_refitted(void) {
    test_rng rng = test_random();
    for (int with = 0; with < 2; ++with) {
        gen_mesh m = gen_mesh_ball(3, 0.2, &rng);
        cd_mesh_view view = gen_mesh_view(&m);
        uint32_t own[108];
        cd_bvh_options o;
        cd_bvh_refit_result r;
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        CHECK(m.triangle_count <= 108);
        for (uint32_t i = 0; i < m.triangle_count; ++i) own[i] = (uint32_t)test_int(&rng, 0, 7);
        o.layout = CD_BVH_COMPACT;
        o.masks = with ? own : NULL;
        CHECK_INT(cd_bvh_build_mesh(&tree, &view, &o), CD_OK);
        for (uint32_t i = 0; i < m.vertex_count; ++i)
            m.vertices[i] =
                cd_vec3_add(m.vertices[i], at(test_range(&rng, 0, 1), 0.5, test_range(&rng, -1, 0)));
        CHECK_INT(cd_bvh_refit_mesh(&tree, &view, NULL, &r), CD_OK);
        CHECK_INT(r.rebuilt, m.triangle_count);
        CHECK_INT(cd_bvh_validate(&tree), CD_OK);
        check_closest(&tree, &m, with ? own : NULL, &rng);
        cd_bvh_destroy(&tree);
        gen_mesh_free(&m);
    }
}

/* Leaves of more items than asked for, where these lie in little room. */
static void trimmed_trees_of_inserted_items(void) {
    static const uint32_t builders[2] = {CD_BVH_INSERTED, CD_BVH_CLUSTERED};
    test_rng rng = test_random();
    for (int k = 0; k < 2; ++k) {
        gen_mesh m = gen_mesh_ball(4, 0.2, &rng);
        cd_mesh_view view = gen_mesh_view(&m);
        cd_bvh_options o;
        cd_bvh trimmed, plain;
        memset(&o, 0, sizeof o);
        o.method = builders[k];
        o.leaf_size = 1;
        CHECK_INT(cd_bvh_build_mesh(&plain, &view, &o), CD_OK);
        o.leaf_extent = (cd_real)0.75;
        CHECK_INT(cd_bvh_build_mesh(&trimmed, &view, &o), CD_OK);
        CHECK_INT(cd_bvh_validate(&trimmed), CD_OK);
        CHECK(cd_bvh_get_stats(&trimmed).leaf_most > 1 && cd_bvh_get_stats(&plain).leaf_most == 1);
        check_closest(&trimmed, &m, NULL, &rng);
        cd_bvh_destroy(&trimmed);
        cd_bvh_destroy(&plain);
        gen_mesh_free(&m);
    }
}

/* The pairs of two trees of spheres are those of other trees, by whatever rule they are gone through. */
static void pairs_of_sphere_trees(void) {
    static cd_pair got[20000], want[20000];
    test_rng rng = test_random();
    gen_mesh m[2];
    cd_bvh bvh[2];
    cd_bvtree tree[2];
    for (int b = 0; b < 2; ++b) {
        cd_mesh_view view;
        m[b] = gen_mesh_ball(3, 0.2, &rng);
        view = gen_mesh_view(&m[b]);
        CHECK_INT(cd_bvh_build_mesh(&bvh[b], &view, NULL), CD_OK);
        CHECK_INT(cd_spheretree_build_mesh(&tree[b], &view, NULL), CD_OK);
    }
    for (int i = 0; i < 10; ++i) {
        cd_transform pose = gen_pose(&rng, 1.0);
        cd_bvh_pair_options o;
        size_t n, count = cd_bvh_collide(&bvh[0], &bvh[1], &pose, NULL, want, 20000), same = 0;
        memset(&o, 0, sizeof o);
        o.rule = (uint32_t)(i % 5);
        n = cd_bvtree_collide(&tree[0], &tree[1], &pose, &o, got, 20000);
        CHECK_INT(n, count);
        for (size_t k = 0; k < n; ++k)
            for (size_t j = 0; j < count; ++j) same += got[k].a == want[j].a && got[k].b == want[j].b;
        CHECK_INT(same, count);
    }
    for (int b = 0; b < 2; ++b) {
        cd_bvtree_destroy(&tree[b]);
        cd_bvh_destroy(&bvh[b]);
        gen_mesh_free(&m[b]);
    }
}

/* ---- convex bodies ---- */

/* From two faces there is no way on: it begins elsewhere, and comes to the same. */
static void hints_of_two_faces(void) {
    test_rng rng = test_random();
    for (long n = test_times(100); n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[2][9];
        cd_hull h[2];
        cd_transform pose = gen_pose(&rng, 5.0);
        cd_vclip_features f;
        cd_vclip_report plain, hinted;
        for (int b = 0; b < 2; ++b) {
            for (int i = 0; i < 9; ++i) p[b][i] = gen_point(&g);
            CHECK_INT(cd_hull3_build(&h[b], p[b], 9, NULL), CD_OK);
        }
        f.a = CD_FEATURE(CD_FEATURE_FACE, (uint32_t)test_int(&rng, 0, 3));
        f.b = CD_FEATURE(CD_FEATURE_FACE, (uint32_t)test_int(&rng, 0, 3));
        plain = cd_vclip(&h[0], &h[1], &pose, 0, NULL);
        hinted = cd_vclip(&h[0], &h[1], &pose, 0, &f);
        CHECK_INT(plain.penetrating, hinted.penetrating);
        if (!plain.penetrating) CHECK_NEAR(hinted.distance, plain.distance, 64 * EPS);
        cd_hull_destroy(&h[0]);
        cd_hull_destroy(&h[1]);
    }
}

/* A triangle that is stretched by powers of two is the triangle of its corners stretched. */
static void sweeps_at_stretched_triangles(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(1000);
    for (long n = all; n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_aabb box = gen_aabb(&g);
        cd_triangle t = gen_triangle(&g), by;
        cd_vec3 motion, scale = at(2, -0.5, test_int(&rng, 0, 1) ? 1 : -4);
        cd_transform pose = gen_pose(&rng, 4.0);
        cd_support a = cd_support_of_aabb(&box), s = cd_support_of_triangle(&t),
                   b = cd_support_scaled(&s, scale), c;
        cd_hit x, y;
        bool hit;
        for (int i = 0; i < 9; ++i)
            REALS(by)[i] = (cd_real)((double)REALS(t)[i] * (double)REALS(scale)[i % 3]);
        c = cd_support_of_triangle(&by);
        motion = cd_vec3_scale(pose.position, 2);
        memset(&x, 0, sizeof x);
        memset(&y, 0, sizeof y);
        hit = cd_sweep_convex_convex_sat(&a, motion, &c, &pose, NULL, &y);
        CHECK_INT(cd_sweep_convex_convex_sat(&a, motion, &b, &pose, NULL, &x), hit);
        CHECK_NEAR(x.t, y.t, 64 * EPS);
        CHECK_VEC(x.point, y.point, 64 * EPS);
        CHECK_NEAR(x.u, y.u, 1e-3);
        CHECK_NEAR(x.v, y.v, 1e-3);
        hits += hit && y.t > 0;
    }
    CHECK_SEEN(hits > all / 50);
}

/* Hulls of merged faces that are stretched: apart along an axis, or in contact, as GJK has it. */
static void stretched_merged_hulls(void) {
    test_rng rng = test_random();
    long merged = 0, all = test_times(200);
    for (long n = all; n > 0; --n) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_hull_options o;
        cd_vec3 p[40];
        cd_hull hull, other;
        cd_support a, b, s;
        cd_sat_axis axis;
        cd_separation d;
        cd_transform pose = gen_pose(&rng, 4.0);
        double flat;
        memset(&o, 0, sizeof o);
        o.merge_distance = (cd_real)0.02;
        for (int i = 0; i < 40; ++i) p[i] = gen_point(&g);
        for (int i = 0; i < 40; ++i)
            REALS(p[i])[i % 3] = (cd_real)((i & 1 ? 1 : -1) * (1 + 0.005 * (double)REALS(p[i])[i % 3]));
        CHECK_INT(cd_hull3_build(&hull, p, 40, &o), CD_OK);
        CHECK_INT(cd_hull3_build(&other, p + 20, 9, NULL), CD_OK);
        flat = (double)cd_hull_get_parts(&hull).flatness;
        merged += flat > 0;
        s = cd_support_of_hull(&hull);
        a = cd_support_scaled(&s, at(2, -0.5, 1));
        b = cd_support_of_hull(&other);
        axis = cd_sat_convex(&a, &b, &pose, NULL);
        d = cd_convex_distance(&a, &b, &pose, NULL, NULL);
        CHECK_INT(axis.status, CD_OK);
        CHECK((double)axis.separation <= (double)d.distance + 64 * EPS);
        if (fabs((double)d.distance) > 4 * flat + 64 * EPS) CHECK_INT(axis.separation > 0, d.distance > 0);
        if (d.distance < 0) CHECK_NEAR(axis.separation, d.distance, 4 * flat + 64 * EPS);
        cd_hull_destroy(&hull);
        cd_hull_destroy(&other);
    }
    CHECK_SEEN(merged > all / 2);
}

/* Octahedra of merged faces, stretched by other numbers along each axis: a point inside is as deep as GJK and EPA have it, up to the
 * flatness; next to each of the eight faces in turn. */
static void merged_faces_are_stretched(void) {
    test_rng rng = test_random();
    for (int n = 0; n < 16; ++n) {
        cd_hull_options o;
        cd_vec3 p[70];
        cd_hull hull;
        cd_support a, b, s;
        cd_separation d;
        cd_vec3 by = at(n & 8 ? -2 : 3, 1.5, n & 8 ? 1 : -1);
        int count = 6;
        double flat;
        memset(&o, 0, sizeof o);
        o.merge_distance = (cd_real)0.02;
        for (int i = 0; i < 6; ++i) {
            p[i] = at(0, 0, 0);
            REALS(p[i])[i / 2] = i & 1 ? 1 : -1;
        }
        for (int i = 0; i < 64; ++i) {
            double w[3], sum = 0;
            for (int k = 0; k < 3; ++k) sum += w[k] = test_range(&rng, 0.1, 1);
            for (int k = 0; k < 3; ++k) REALS(p[count])
            [k] = (cd_real)(w[k] / sum * (i >> k & 1 ? 1 : -1) * test_range(&rng, 0.998, 1.002));
            ++count;
        }
        CHECK_INT(cd_hull3_build(&hull, p, (size_t)count, &o), CD_OK);
        flat = (double)cd_hull_get_parts(&hull).flatness;
        CHECK(flat > 0 && flat < 0.05);
        s = cd_support_of_hull(&hull);
        a = cd_support_scaled(&s, by);
        b = cd_support_of_point(at((n & 1 ? 0.3 : -0.3) * (double)by.x, (n & 2 ? 0.3 : -0.3) * (double)by.y,
                                   (n & 4 ? 0.3 : -0.3) * (double)by.z));
        d = cd_convex_distance(&a, &b, NULL, NULL, NULL);
        CHECK(d.distance < 0);
        test_note("%d ", n);
        CHECK_NEAR(ASK("forms", cd_sat_convex(&a, &b, NULL, NULL)).separation, d.distance, 4 * flat);
        cd_hull_destroy(&hull);
    }
}

/* Faces of four corners, one of which is moved: out of the plane, in it so that the face turns back, or onto a line. */
static void faces_that_are_none(void) {
    static const double by[4][3] = {{0.25, 0, 0}, {0, -1.5, 0}, {-1, -1, 0}, {0, 0, -2}};
    for (int i = 0; i < 32; ++i) {
        cd_vec3 p[8], *v;
        cd_hull hull, view;
        static unsigned char room[4096 + 64];
        unsigned char *block = room + (64 - (uintptr_t)(void *)room % 64) % 64;
        for (int k = 0; k < 8; ++k) p[k] = at(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
        CHECK_INT(cd_hull3_build(&hull, p, 8, NULL), CD_OK);
        if (!CHECK(hull.bytes <= 4096)) return;
        memcpy(block, hull.block, hull.bytes);
        CHECK_INT(cd_hull_view(&view, block, hull.bytes), CD_OK);
        v = (cd_vec3 *)(void *)((char *)(void *)block +
                                ((const char *)(const void *)cd_hull_get_parts(&hull).vertices -
                                 (const char *)hull.block));
        v += i / 4;
        for (int k = 0; k < 3; ++k) {
            double x = (double)REALS(*v)[k];
            REALS(*v)[k] = (cd_real)(x - x * by[i % 4][k]);
        }
        test_note("%d ", i);
        CHECK(cd_hull_view(&view, block, hull.bytes) != CD_OK);
        cd_hull_destroy(&hull);
    }
}

/* ---- bounds ---- */

static void plane_kdops_apart(void) {
    test_rng rng = test_random();
    long apart = 0, all = test_times(300);
    for (long n = all; n > 0; --n) {
        cd_vec2 dir[CD_KDOP2_DIRECTIONS], p[2][5];
        uint32_t count = cd_kdop2_directions(8, dir);
        cd_kdop2 k[2];
        bool meet = true;
        int shift = test_int(&rng, 0, 6);
        for (int b = 0; b < 2; ++b) {
            for (int i = 0; i < 5; ++i) {
                p[b][i].x = (cd_real)(test_int(&rng, 0, 4) + b * shift);
                p[b][i].y = (cd_real)test_int(&rng, 0, 4);
            }
            CHECK_INT(cd_kdop2_from_points(p[b], 5, dir, count, &k[b]), CD_OK);
        }
        for (uint32_t i = 0; i < count; ++i) {
            double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
            for (int b = 0; b < 2; ++b)
                for (int j = 0; j < 5; ++j) {
                    double d = (double)dir[i].x * (double)p[b][j].x + (double)dir[i].y * (double)p[b][j].y;
                    lo[b] = fmin(lo[b], d);
                    hi[b] = fmax(hi[b], d);
                }
            if (lo[0] > hi[1] || lo[1] > hi[0]) meet = false;
        }
        CHECK_INT(cd_test_2d_kdop_kdop(&k[0], &k[1]), meet);
        apart += !meet;
    }
    CHECK_SEEN(apart > all / 20 && apart < all);
}

static void boxes_without_end(void) {
    cd_aabb b = {{0, 0, 0}, {1, 1, 1}};
    b.max.y = (cd_real)INFINITY;
    CHECK(isinf((double)cd_aabb_volume(b)) && isinf((double)cd_aabb_surface_area(b)));
    b.min.x = 2; /* empty */
    CHECK(cd_aabb_volume(b) == 0 && cd_aabb_surface_area(b) == 0);
    b.min.x = (cd_real)NAN;
    CHECK(isnan((double)cd_aabb_volume(b)) && isnan((double)cd_aabb_surface_area(b)));
}

static void points_and_kdops_of_no_numbers(void) {
    cd_vec2 dir[CD_KDOP2_DIRECTIONS], p = {1, 1}, q[3] = {{0, 0}, {4, 0}, {0, 4}};
    cd_kdop2 k, bad;
    uint32_t count = cd_kdop2_directions(8, dir);
    CHECK_INT(cd_kdop2_from_points(q, 3, dir, count, &k), CD_OK);
    CHECK(cd_test_2d_point_kdop(p, &k, dir));
    p.x = (cd_real)NAN;
    CHECK(!cd_test_2d_point_kdop(p, &k, dir));
    p.x = 1;
    bad = k;
    bad.count = CD_KDOP2_DIRECTIONS + 1;
    CHECK(!cd_test_2d_point_kdop(p, &bad, dir) && !cd_test_2d_kdop_kdop(&bad, &bad));
    bad = k;
    bad.max[1] = (cd_real)INFINITY;
    CHECK(!cd_test_2d_point_kdop(p, &bad, dir));
    dir[0].x = (cd_real)INFINITY;
    CHECK(!cd_test_2d_point_kdop(p, &k, dir));
}

/* Six planes, of which two face each other the wrong way: nothing is behind them all, whether or not they are parallel. */
static void planes_that_cross(void) {
    for (int i = 0; i < 8; ++i) {
        double tilt = i & 1 ? 1e-3 : 0, d = i & 2 ? -1 : 1;
        cd_plane p[6];
        cd_obb b;
        for (int k = 0; k < 6; ++k) {
            p[k].n = at(k == 0   ? 1
                        : k == 1 ? -1
                                 : 0,
                        k == 2   ? 1
                        : k == 3 ? -1
                                 : 0,
                        k == 4   ? 1
                        : k == 5 ? -1
                                 : 0);
            p[k].d = 1;
        }
        p[i & 4 ? 3 : 1].n.z = (cd_real)tilt;
        p[i & 4 ? 2 : 0].d = p[i & 4 ? 3 : 1].d = (cd_real)d;
        memset(&b, 0x55, sizeof b);
        CHECK_INT(cd_obb_from_planes(p, &b), d > 0);
        if (d < 0) CHECK(b.half.x == 0 && b.half.y == 0 && b.half.z == 0);
    }
}

static void capsules_too_large(void) {
    cd_vec3 p[4];
    cd_capsule c;
    for (int i = 0; i < 4; ++i)
        p[i] =
            cd_vec3_make(i & 1 ? CD_REAL_MAX : -CD_REAL_MAX, i & 2 ? CD_REAL_MAX : -CD_REAL_MAX, CD_REAL_MAX);
    memset(&c, 0x55, sizeof c);
    CHECK_INT(cd_capsule_from_points(p, 4, NULL, &c), CD_TOO_LARGE);
    CHECK(c.radius == 0 && c.a.x == 0 && c.b.z == 0);
}

/* Along the side of the cone: tapered capsules of whole numbers, whose sides go in by p on q. */
static void rays_along_a_cone(void) {
    static const int whole[6][3] = {{3, 4, 5},   {5, 12, 13},  {8, 15, 17},
                                    {7, 24, 25}, {20, 21, 29}, {12, 5, 13}};
    for (int i = 0; i < 72; ++i) {
        int p = whole[i % 6][0], q = whole[i % 6][1], h = whole[i % 6][2], n = i / 12 + 1;
        double s = i / 6 % 2 ? -1 : 1, x = 1 + 0.25 * p;
        cd_tapered_capsule c = {{0, 0, 0}, {0, 0, 0}, 0, 1};
        cd_ray r;
        cd_hit hit;
        c.b.z = (cd_real)h;
        c.radius_a = (cd_real)(p + 1);
        r.origin = at(x + 8.0 * p * s, 0, -8.0 * q * s);
        r.dir = at(-p * n * s, 0, q * n * s);
        test_note("%d, %d, %d ", p, q, n);
        if (!CHECK(cd_cast_ray_tapered_capsule(&r, CD_REAL_MAX, &c, NULL, &hit))) continue;
        for (int k = -64; k <= 1; ++k) { /* no point of the ray before is inside; one soon after is */
            double t = (double)hit.t + k / 64.0;
            cd_vec3 at_t = cd_vec3_add(r.origin, cd_vec3_scale(r.dir, (cd_real)t));
            if (t >= 0 && k < 0) CHECK(!cd_test_point_tapered_capsule(at_t, &c));
            if (k == 1) CHECK(cd_test_point_tapered_capsule(at_t, &c));
        }
    }
}

/* ---- a build that is given up ---- */

static bool give_up(void *user, float done) {
    ++*(long *)user;
    return done < 0.3f;
}

static void builds_are_given_up(void) {
    enum { MANY = 9000 };
    static cd_vec3 p[MANY];
    test_rng rng = test_random();
    cd_bvh_options o;
    cd_bvh tree;
    long asked = 0;
    for (int i = 0; i < MANY; ++i) p[i] = at(test_unit(&rng), test_unit(&rng), test_unit(&rng));
    memset(&o, 0, sizeof o);
    o.method = CD_BVH_INSERTED;
    o.executor.progress = give_up;
    o.executor.user = &asked;
    CHECK_INT(cd_bvh_build_points(&tree, p, MANY, &o), CD_CANCELLED);
    CHECK(asked > 0 && !tree.block);
}

static bool give_up_at(void *user, float done) {
    (void)done;
    return --*(long *)user != 0;
}

/* Whenever it is not wanted any more, all done at last: nothing is left of it. */
static void builds_are_given_up_at_any_time(void) {
    cd_vec3 p[40];
    cd_aabb b[40];
    test_rng rng = test_random();
    for (int i = 0; i < 40; ++i) {
        p[i] = at(test_unit(&rng), test_unit(&rng), test_unit(&rng));
        b[i].min = b[i].max = p[i];
    }
    for (int kind = 0; kind < 2; ++kind) {
        cd_status status = CD_CANCELLED;
        for (long when = 1; when < 1000 && status == CD_CANCELLED; ++when) {
            test_memory memory = {1000, 0, 0};
            long left = when;
            cd_bvh_options o;
            cd_bvh tree;
            memset(&o, 0, sizeof o);
            memset(&tree, 0x55, sizeof tree);
            o.allocator = test_allocator(&memory);
            o.executor.progress = give_up_at;
            o.executor.user = &left;
            status = kind ? cd_bvh_build_points(&tree, p, 40, &o) : cd_bvh_build_boxes(&tree, b, 40, &o);
            test_note("kind %d, at %ld", kind, when);
            CHECK_INT(status, left > 0 ? CD_OK : CD_CANCELLED);
            CHECK((tree.block == NULL) == (left <= 0));
            CHECK_INT(memory.live, left > 0);
            cd_bvh_destroy(&tree);
            CHECK_INT(memory.live, 0);
        }
        CHECK_INT(status, CD_OK);
    }
}

static bool even_ones(void *user, uint32_t index, const cd_bvh_volume *v) {
    (void)user;
    (void)v;
    return index % 2 == 0;
}

static bool count_even(void *user, uint32_t index) {
    CHECK(index % 2 == 0);
    ++*(long *)user;
    return true;
}

/* What boxes stand for comes along to another layout. */
static void converted_trees_keep_their_callers(void) {
    cd_bvh_custom own;
    cd_aabb b[40], all;
    cd_bvh tree, other;
    memset(&own, 0, sizeof own);
    own.overlap = even_ones;
    for (int i = 0; i < 40; ++i) b[i].min = b[i].max = at(i, 0, 0);
    all.min = b[0].min;
    all.max = b[39].max;
    CHECK_INT(cd_bvh_build_boxes(&tree, b, 40, NULL), CD_OK);
    tree.custom = &own;
    for (uint32_t layout = 0; layout < 3; ++layout) {
        cd_bvh_volume v = cd_bvh_volume_aabb(all);
        long met = 0;
        CHECK_INT(cd_bvh_convert(&other, &tree, layout, NULL), CD_OK);
        CHECK(cd_bvh_overlap(&other, &v, NULL, count_even, &met));
        CHECK_INT(met, 20);
        cd_bvh_destroy(&other);
    }
    cd_bvh_destroy(&tree);
}

static void nothing_to_build_of(void) {
    for (uint32_t count = 0; count < 2; ++count) {
        cd_bvh tree;
        memset(&tree, 0x55, sizeof tree);
        CHECK_INT(cd_bvh_build_boxes(&tree, NULL, count, NULL), count ? CD_INVALID_ARGUMENT : CD_OK);
        CHECK_INT(cd_bvh_count(&tree), 0);
        cd_bvh_destroy(&tree);
        memset(&tree, 0x55, sizeof tree);
        CHECK_INT(cd_bvh_build_points(&tree, NULL, count, NULL), count ? CD_INVALID_ARGUMENT : CD_OK);
        CHECK_INT(cd_bvh_count(&tree), 0);
        cd_bvh_destroy(&tree);
    }
}

/* ---- shapes ---- */

/* The box of a compound is that around its children where they stand; that of a stretched one around their boxes. */
static void boxes_of_turned_compounds(void) {
    const double wide = 1.4142135623730951;
    cd_sphere ball = {{0, 0, 0}, 1};
    cd_shape child = cd_shape_of_sphere(ball), whole;
    cd_placed_shape placed;
    cd_compound compound;
    placed.shape = &child;
    placed.pose = cd_transform_identity();
    compound = cd_compound_of(&placed, 1);
    whole = cd_shape_of_compound(&compound);
    for (int k = 0; k < 6; ++k) {
        cd_transform pose = cd_transform_identity();
        bool stretched = k >= 3;
        cd_aabb box;
        whole.scale = stretched ? at(k == 3 ? 1 : -1, k == 4 ? 1 : -1, k == 5 ? 1 : -1) : at(0, 0, 0);
        pose.rotation =
            cd_quat_from_axis_angle(at(k % 3 == 0, k % 3 == 1, k % 3 == 2), (cd_real)0.7853981633974483);
        box = cd_shape_aabb(&whole, &pose);
        test_note("%d", k);
        for (int a = 0; a < 3; ++a) {
            double want = stretched && a != k % 3 ? wide : 1;
            CHECK_NEAR(REALS(box.max)[a], want, 256 * EPS);
            CHECK_NEAR(REALS(box.min)[a], -want, 256 * EPS);
        }
    }
}

/* The smaller radius of a tapered capsule is a rounding, which comes after its stretching; the rest is stretched. */
static void masses_of_stretched_capsules(void) {
    for (int k = 0; k < 4; ++k) {
        cd_tapered_capsule c = {{1, 0, 0}, {1, 2, 3}, 1, (cd_real)0.25}, d = c;
        double by = k & 1 ? 2 : 0.5;
        cd_shape s, t;
        cd_mass m, n;
        if (k & 2) c.radius_a = (cd_real)0.25, c.radius_b = 1;
        s = cd_shape_of_tapered_capsule(&c);
        s.scale = at(by, by, by);
        d.a = cd_vec3_scale(c.a, (cd_real)by);
        d.b = cd_vec3_scale(c.b, (cd_real)by);
        d.radius_a = (cd_real)(0.25 + ((double)c.radius_a - 0.25) * by);
        d.radius_b = (cd_real)(0.25 + ((double)c.radius_b - 0.25) * by);
        t = cd_shape_of_tapered_capsule(&d);
        test_note("%d", k);
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK_INT(cd_shape_mass(&t, 1, &n), CD_OK);
        CHECK_NEAR(m.mass, n.mass, 64 * EPS * n.mass);
        for (int a = 0; a < 3; ++a) CHECK_NEAR(m.center[a], n.center[a], 64 * EPS * 8);
    }
}

/* ---- the machine ---- */

/* The modes in which the machine does round otherwise, as three sums tell: it may know them only by name. */
static void other_roundings_are_told(void) {
    static const int modes[] = {
        FE_TONEAREST,
#ifdef FE_UPWARD
        FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
        FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
        FE_TOWARDZERO,
#endif
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        volatile double one = 1, half = 1.0 / 9007199254740992.0, up, down, toward;
        uint32_t found;
        if (fesetround(modes[i])) continue;
        up = one + half;
        down = one + 1.5 * half;
        toward = -one - 1.5 * half;
        found = ASK("judge", cd_selftest());
        fesetround(FE_TONEAREST);
        test_note("mode %d", modes[i]);
        CHECK_INT((found & CD_SELFTEST_ROUNDING) != 0,
                  up != 1 || down != 1 + 2 * half || toward != -1 - 2 * half);
    }
    CHECK_INT(ASK("exact", cd_selftest()), 0);
}

void suite_seldom(void) {
    RUN(moved_ellipsoids);
    RUN(moved_shells);
    RUN(spheres_at_shells);
    RUN(closest_points_of_rays);
    RUN(slabs_that_cannot_be);
    RUN(kdops_along_long_axes);
    RUN(kdops_without_points);
    RUN(triangles_in_boxes);
    RUN(visitors_stop);
    RUN(compact_trees_are_refitted);
    RUN(trimmed_trees_of_inserted_items);
    RUN(pairs_of_sphere_trees);
    RUN(hints_of_two_faces);
    RUN(sweeps_at_stretched_triangles);
    RUN(stretched_merged_hulls);
    RUN(merged_faces_are_stretched);
    RUN(faces_that_are_none);
    RUN(plane_kdops_apart);
    RUN(boxes_without_end);
    RUN(points_and_kdops_of_no_numbers);
    RUN(planes_that_cross);
    RUN(capsules_too_large);
    RUN(rays_along_a_cone);
    RUN(builds_are_given_up);
    RUN(builds_are_given_up_at_any_time);
    RUN(converted_trees_keep_their_callers);
    RUN(nothing_to_build_of);
    RUN(boxes_of_turned_compounds);
    RUN(masses_of_stretched_capsules);
    RUN(other_roundings_are_told);
}
