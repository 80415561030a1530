/* Moving shapes against any shape: bit for bit the sweeps of each pair of types where there are such; meshes, on whichever side, as all of their
 * triangles; half-spaces by a closed form; compounds by a list and by a tree; sides, starts, options, bad input. */
#include "gen.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { SPHERE, CAPSULE, TRIANGLE, POLYGON, AABB, OBB, HULL, ELLIPSOID, CYLINDER, CONE, KINDS };

/* One of each, and their shapes. */
typedef struct things {
    cd_sphere sphere;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_vec3 polygon[4];
    cd_aabb aabb;
    cd_obb obb;
    cd_hull hull;
    cd_ellipsoid ellipsoid;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_shape shape[KINDS];
} things;

static void draw_things(gen *g, things *t) {
    cd_vec3 points[10];
    cd_segment rod = gen_segment(g);
    t->sphere = gen_sphere(g);
    t->capsule.a = t->cylinder.a = t->cone.apex = rod.a;
    t->capsule.b = t->cylinder.b = t->cone.base = rod.b;
    t->capsule.radius = t->cylinder.radius = t->cone.radius = (cd_real)test_range(g->rng, 0.1, 0.6);
    t->triangle = gen_triangle(g);
    t->aabb = gen_aabb(g);
    t->obb = gen_obb(g);
    t->ellipsoid.center = t->obb.center;
    t->ellipsoid.axes = t->obb.axes;
    t->ellipsoid.half = cd_vec3_make((cd_real)test_range(g->rng, 0.1, 1), (cd_real)0.5, (cd_real)0.25);
    for (int i = 0; i < 4; ++i)
        t->polygon[i] = cd_vec3_make(i == 1 || i == 2 ? 1 : -1, i > 1 ? 1 : -1, t->sphere.center.z);
    for (int i = 0; i < 10; ++i) points[i] = cd_vec3_make(0, 0, 0);
    for (int i = 0; i < 10; ++i) points[i] = gen_point(g);
    if (cd_hull3_build(&t->hull, points, 10, NULL) != CD_OK) memset(&t->hull, 0, sizeof t->hull);
    t->shape[SPHERE] = cd_shape_of_sphere(t->sphere);
    t->shape[CAPSULE] = cd_shape_of_capsule(&t->capsule);
    t->shape[TRIANGLE] = cd_shape_of_triangle(&t->triangle);
    t->shape[POLYGON] = cd_shape_of_polygon(t->polygon, 4);
    t->shape[AABB] = cd_shape_of_aabb(t->aabb);
    t->shape[OBB] = cd_shape_of_obb(&t->obb);
    t->shape[HULL] = cd_shape_of_hull(&t->hull);
    t->shape[ELLIPSOID] = cd_shape_of_ellipsoid(&t->ellipsoid);
    t->shape[CYLINDER] = cd_shape_of_cylinder(&t->cylinder);
    t->shape[CONE] = cd_shape_of_cone(&t->cone);
}

/* What the library says of two types; false where it has no such sweep. */
#define ROUND(a, A)                                                                                          \
    switch (kind_b) {                                                                                        \
    case SPHERE: *got = cd_sweep_##a##_sphere(A, m, y->sphere, o, hit); return true;                         \
    case CAPSULE: *got = cd_sweep_##a##_capsule(A, m, &y->capsule, o, hit); return true;                     \
    default: break;                                                                                          \
    }
#define FLAT(a, A)                                                                                           \
    switch (kind_b) {                                                                                        \
    case TRIANGLE: *got = cd_sweep_##a##_triangle(A, m, &y->triangle, o, hit); return true;                  \
    case AABB: *got = cd_sweep_##a##_aabb(A, m, y->aabb, o, hit); return true;                               \
    case OBB: *got = cd_sweep_##a##_obb(A, m, &y->obb, o, hit); return true;                                 \
    default: break;                                                                                          \
    }
#define FLAT_POLYGON(a, A)                                                                                   \
    if (kind_b == POLYGON) {                                                                                 \
        *got = cd_sweep_##a##_polygon(A, m, y->polygon, 4, o, hit);                                          \
        return true;                                                                                         \
    }

static bool sweep_known(const things *x, int kind_a, const things *y, int kind_b, cd_vec3 m,
                        const cd_cast_options *o, cd_hit *hit, bool *got) {
    switch (kind_a) {
    case SPHERE:
        ROUND(sphere, x->sphere)
        FLAT(sphere, x->sphere)
        FLAT_POLYGON(sphere, x->sphere)
        if (kind_b != HULL) return false;
        *got = cd_sweep_sphere_hull(x->sphere, m, &y->hull, o, hit);
        return true;
    case CAPSULE:
        ROUND(capsule, &x->capsule)
        FLAT(capsule, &x->capsule)
        FLAT_POLYGON(capsule, &x->capsule)
        return false;
    case AABB:
        ROUND(aabb, x->aabb)
        FLAT(aabb, x->aabb)
        FLAT_POLYGON(aabb, x->aabb)
        return false;
    case OBB:
        ROUND(obb, &x->obb)
        FLAT(obb, &x->obb)
        FLAT_POLYGON(obb, &x->obb)
        return false;
    case ELLIPSOID:
        FLAT(ellipsoid, &x->ellipsoid)
        FLAT_POLYGON(ellipsoid, &x->ellipsoid)
        if (kind_b != SPHERE) return false;
        *got = cd_sweep_ellipsoid_sphere(&x->ellipsoid, m, y->sphere, o, hit);
        return true;
    case HULL:
        FLAT(hull, &x->hull)
        if (kind_b != SPHERE) return false;
        *got = cd_sweep_hull_sphere(&x->hull, m, y->sphere, o, hit);
        return true;
    case TRIANGLE: FLAT(triangle, &x->triangle) return false;
    default: return false;
    }
}

#undef ROUND
#undef FLAT
#undef FLAT_POLYGON

static bool check_same_hit(const cd_hit *a, const cd_hit *b) {
    bool same = CHECK_SAME(a->t, b->t);
    same = CHECK_VEC(a->point, b->point, 0) && same;
    same = CHECK_VEC(a->normal, b->normal, 0) && same;
    same = CHECK_SAME(a->depth, b->depth) && same;
    same = CHECK_INT(a->feature, b->feature) && same;
    same = CHECK_INT(a->index, b->index) && same;
    return CHECK_INT(a->flags, b->flags) && same;
}

static cd_cast_options draw_options(test_rng *rng) {
    static const uint32_t flags[] = {0,
                                     0,
                                     CD_CAST_START_DEPTH,
                                     CD_CAST_START_IGNORE,
                                     CD_CAST_START_LEAVING,
                                     CD_CAST_CULL_BACK,
                                     CD_CAST_CULL_FRONT};
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = flags[test_int(rng, 0, 6)];
    if (!test_int(rng, 0, 3)) o.t_min = (cd_real)test_range(rng, -0.5, 0.5);
    return o;
}

static cd_vec3 draw_motion(gen *g) {
    cd_vec3 m = cd_vec3_scale(gen_direction(g), 2);
    return test_int(g->rng, 0, 19) ? m : cd_vec3_make(0, 0, 0);
}

static void pairs_are_swept_as_their_types(void) {
    test_rng rng = test_random();
    long hits = 0, known = 0, all = test_times(2000);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, i % 4 ? GEN_UNIT : GEN_GRID);
        int a = (int)(i % KINDS), b = (int)(i / KINDS % KINDS);
        cd_cast_options o = draw_options(&rng);
        cd_vec3 m = draw_motion(&g);
        cd_support sa, sb;
        cd_hit hit, want;
        cd_part_pair parts;
        bool got, other = false;
        things x, y;
        draw_things(&g, &x);
        draw_things(&g, &y);
        sa = cd_shape_as_support(&x.shape[a]);
        sb = cd_shape_as_support(&y.shape[b]);
        memset(&hit, 0, sizeof hit);
        memset(&want, 0, sizeof want);
        test_note("%ld: %d %d flags %u ", i, a, b, (unsigned)o.flags);
        test_note_reals("motion", REALS(m), 3);
        got = cd_shape_sweep(&x.shape[a], m, &y.shape[b], NULL, &o, &hit, &parts);
        if (sweep_known(&x, a, &y, b, m, &o, &want, &other)) {
            ++known;
            CHECK_INT(got, other);
            check_same_hit(&hit, &want);
        } else if (b != TRIANGLE && b != POLYGON) {
            CHECK_INT(got, cd_gjk_sweep(&sa, m, &sb, NULL, &o, &want));
            check_same_hit(&hit, &want);
        }
        hits += got;
        if (got) CHECK(parts.a.child == CD_NONE && parts.b.child == CD_NONE && parts.b.index == 0);
        cd_hull_destroy(&x.hull);
        cd_hull_destroy(&y.hull);
    }
    CHECK_SEEN(hits > all / 5 && hits < all && known > all / 4);
}

/* Posed, all pairs go by their farthest points; what is flat has sides, though. */
static void posed_pairs_are_swept_by_farthest_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        int a = test_int(&rng, 0, KINDS - 1), b = test_int(&rng, 0, KINDS - 1);
        cd_transform pose = gen_pose(&rng, 2);
        cd_cast_options o = draw_options(&rng);
        cd_vec3 m = draw_motion(&g);
        cd_support sa, sb;
        cd_hit hit, want;
        things x, y;
        bool got, other;
        draw_things(&g, &x);
        draw_things(&g, &y);
        if (b == TRIANGLE || b == POLYGON) b = OBB;
        sa = cd_shape_as_support(&x.shape[a]);
        sb = cd_shape_as_support(&y.shape[b]);
        memset(&hit, 0, sizeof hit);
        memset(&want, 0, sizeof want);
        test_note("%ld: %d %d flags %u ", i, a, b, (unsigned)o.flags);
        got = cd_shape_sweep(&x.shape[a], m, &y.shape[b], &pose, &o, &hit, NULL);
        other = cd_gjk_sweep(&sa, m, &sb, &pose, &o, &want);
        CHECK_INT(got, other);
        check_same_hit(&hit, &want);
        cd_hull_destroy(&x.hull);
        cd_hull_destroy(&y.hull);
    }
}

/* ---- meshes ---- */

typedef struct ball {
    gen_mesh mesh;
    cd_bvh tree;
} ball;

static void open_ball(ball *b, test_rng *rng, int n) {
    cd_mesh_view view;
    b->mesh = gen_mesh_ball(n, 0.2, rng);
    view = gen_mesh_view(&b->mesh);
    CHECK_INT(cd_bvh_build_mesh(&b->tree, &view, NULL), CD_OK);
}

static void close_ball(ball *b) {
    cd_bvh_destroy(&b->tree);
    gen_mesh_free(&b->mesh);
}

/* All triangles, one after another, by their farthest points. */
static bool sweep_all(const cd_shape *a, cd_vec3 m, const gen_mesh *mesh, bool mesh_moves, const cd_shape *b,
                      const cd_transform *pose, const cd_cast_options *o, cd_hit *best) {
    bool found = false;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t = gen_mesh_triangle(mesh, i);
        cd_support flat = cd_support_of_triangle(&t), other = cd_shape_as_support(mesh_moves ? b : a);
        cd_hit hit;
        bool got = mesh_moves ? cd_gjk_sweep(&flat, m, &other, pose, o, &hit)
                              : cd_gjk_sweep(&other, m, &flat, pose, o, &hit);
        if (!got || (found && hit.t >= best->t)) continue;
        found = true;
        *best = hit;
        best->index = i;
    }
    return found;
}

static void meshes_are_all_of_their_triangles(void) {
    static const uint32_t flags[] = {0, CD_CAST_START_IGNORE, CD_CAST_START_DEPTH, CD_CAST_START_LEAVING};
    test_rng rng = test_random();
    long hits = 0, all = test_times(300);
    ball b;
    open_ball(&b, &rng, 4);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_shape mesh = cd_shape_of_mesh(&b.tree, NULL);
        cd_transform pose = gen_pose(&rng, 2);
        int kind = test_int(&rng, 0, KINDS - 1);
        bool moves = i % 2 == 0, got, want;
        cd_cast_options o;
        cd_part_pair parts;
        cd_hit hit, best;
        cd_vec3 m;
        things x;
        draw_things(&g, &x);
        memset(&o, 0, sizeof o);
        memset(&hit, 0, sizeof hit);
        memset(&best, 0, sizeof best);
        o.flags = flags[test_int(&rng, 0, 3)];
        m = cd_vec3_scale(pose.position, (cd_real)test_range(&rng, 0.5, 3));
        if (!test_int(&rng, 0, 3)) m = cd_vec3_scale(m, 50); /* long ways */
        if (!test_int(&rng, 0, 3)) m = draw_motion(&g);
        test_note("%ld: %d flags %u ", i, kind, (unsigned)o.flags);
        test_note_reals("motion", REALS(m), 3);
        test_note_reals("pose", REALS(pose), 7);
        got = moves ? cd_shape_sweep(&mesh, m, &x.shape[kind], &pose, &o, &hit, &parts)
                    : cd_shape_sweep(&x.shape[kind], m, &mesh, &pose, &o, &hit, &parts);
        want = sweep_all(&x.shape[kind], m, &b.mesh, moves, &x.shape[kind], &pose, &o, &best);
        CHECK_INT(got, want);
        CHECK_SAME(hit.t, best.t);
        hits += got;
        if (got && want) CHECK_INT(moves ? parts.a.index : parts.b.index, best.index);
        if (got && want && !moves) CHECK_INT(hit.index, best.index);
        if (got && want && hit.t > 0) CHECK_VEC(hit.normal, best.normal, 0);
        cd_hull_destroy(&x.hull);
    }
    CHECK_SEEN(hits > all / 4);
    close_ball(&b);
}

/* In the tree's own frame, what the tree says. */
static void volumes_are_swept_by_trees(void) {
    test_rng rng = test_random();
    ball b;
    open_ball(&b, &rng, 4);
    for (long i = test_times(300); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_shape mesh = cd_shape_of_mesh(&b.tree, NULL);
        cd_cast_options o = draw_options(&rng);
        cd_vec3 m = draw_motion(&g);
        cd_bvh_volume v[5];
        static const int kinds[5] = {SPHERE, CAPSULE, AABB, OBB, HULL};
        int k = (int)(i % 5);
        cd_hit hit, want;
        cd_part_pair parts;
        things x;
        draw_things(&g, &x);
        v[0] = cd_bvh_volume_sphere(x.sphere);
        v[1] = cd_bvh_volume_capsule(&x.capsule);
        v[2] = cd_bvh_volume_aabb(x.aabb);
        v[3] = cd_bvh_volume_obb(&x.obb);
        v[4] = cd_bvh_volume_hull(&x.hull);
        memset(&hit, 0, sizeof hit);
        memset(&want, 0, sizeof want);
        want.index = CD_NONE;
        hit.index = CD_NONE;
        memset(&parts, 0x55, sizeof parts);
        x.shape[kinds[k]].user = 7;
        mesh.user = 9;
        x.shape[kinds[k]].material = 3;
        if (CHECK_INT(cd_shape_sweep(&x.shape[kinds[k]], m, &mesh, NULL, &o, &hit, &parts),
                      cd_bvh_sweep(&b.tree, &v[k], m, &o, &want)) &&
            want.index != CD_NONE) {
            CHECK(parts.a.user == 7 && parts.a.material == 3 && parts.a.child == CD_NONE &&
                  parts.a.index == 0);
            CHECK(parts.b.user == 9 && parts.b.child == CD_NONE && parts.b.index == want.index);
        }
        check_same_hit(&hit, &want);
        cd_hull_destroy(&x.hull);
    }
    close_ball(&b);
}

static bool odd_only(void *user, uint32_t index) {
    (void)user;
    return index % 2 == 1;
}

static bool odd_of_b(void *user, cd_pair pair) {
    return odd_only(user, pair.b);
}

static void two_meshes_are_swept_by_both_trees(void) {
    test_rng rng = test_random();
    ball a, b;
    uint32_t masks[600];
    cd_mesh_view view;
    cd_bvh_options build;
    cd_bvh masked;
    open_ball(&a, &rng, 2);
    open_ball(&b, &rng, 3);
    view = gen_mesh_view(&b.mesh);
    memset(&build, 0, sizeof build);
    for (int i = 0; i < 600; ++i) masks[i] = (uint32_t)test_int(&rng, 0, 3);
    build.masks = masks;
    if (!CHECK(b.mesh.triangle_count <= 600)) return;
    CHECK_INT(cd_bvh_build_mesh(&masked, &view, &build), CD_OK);
    for (long i = test_times(120); i > 0; --i) {
        cd_shape x = cd_shape_of_mesh(&a.tree, NULL), y = cd_shape_of_mesh(&b.tree, NULL);
        cd_transform pose = gen_pose(&rng, 4);
        cd_vec3 m = cd_vec3_scale(pose.position, (cd_real)test_range(&rng, 0.2, 1));
        cd_cast_options o = draw_options(&rng);
        cd_bvh_pair_sweep_options both;
        cd_hit hit, want;
        cd_part_pair parts;
        cd_pair pair = {0, 0};
        bool got;
        memset(&hit, 0, sizeof hit);
        memset(&want, 0, sizeof want);
        memset(&both, 0, sizeof both);
        if (i % 2) pose.position = cd_vec3_scale(pose.position, (cd_real)0.125); /* in each other */
        if (i % 3 == 0) memset(&o, 0, sizeof o);
        both.flags = o.flags;
        both.t_min = o.t_min;
        if (i % 4 == 0) {
            y.u.mesh.tree = &masked;
            o.ignore_mask = both.pairs.ignore_b = 1;
        }
        if (i % 5 == 0) {
            o.filter = odd_only;
            both.pairs.filter = odd_of_b;
        }
        test_note("%ld: flags %u, t_min %a", i, o.flags, (double)o.t_min);
        got = cd_shape_sweep(&x, m, &y, &pose, &o, &hit, &parts);
        CHECK_INT(got, cd_bvh_sweep_bvh(&a.tree, m, y.u.mesh.tree, &pose, cd_vec3_make(0, 0, 0), &both, &want,
                                        &pair));
        check_same_hit(&hit, &want);
        if (got) CHECK(parts.a.index == pair.a && parts.b.index == pair.b);
    }
    cd_bvh_destroy(&masked);
    close_ball(&a);
    close_ball(&b);
}

/* ---- half-spaces ---- */

static void things_come_down_on_half_spaces(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(500);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_plane plane = cd_plane_from_point_normal(gen_point(&g), gen_direction(&g));
        cd_shape ground = cd_shape_of_halfspace(&plane);
        cd_transform pose = gen_pose(&rng, 1);
        cd_vec3 m = draw_motion(&g), n, p, low;
        int kind = test_int(&rng, 0, KINDS - 1);
        double length, height, speed, t;
        cd_hit hit;
        cd_plane moved;
        bool got;
        things x;
        draw_things(&g, &x);
        moved = cd_plane_transform(plane, &pose);
        length = (double)cd_vec3_length(moved.n);
        n = cd_vec3_scale(moved.n, (cd_real)(1 / length));
        low = cd_vec3_make(0, 0, 0);
        CHECK(cd_shape_support(&x.shape[kind], cd_vec3_scale(n, -1), &low));
        height = (double)cd_vec3_dot(n, low) - (double)moved.d / length;
        speed = (double)cd_vec3_dot(n, m);
        test_note("%ld: %d ", i, kind);
        test_note_reals("plane", REALS(plane), 4);
        test_note_reals("motion", REALS(m), 3);
        got = cd_shape_sweep(&x.shape[kind], m, &ground, &pose, NULL, &hit, NULL);
        t = height <= 0 ? 0 : -height / speed;
        if (fabs(height) > 1e-4 && fabs(height + speed) > 1e-4)
            CHECK_INT(got, height <= 0 || (speed < 0 && t <= 1));
        hits += got;
        cd_hull_destroy(&x.hull);
        if (!got) continue;
        CHECK_NEAR((double)hit.t * -speed, height <= 0 ? (double)hit.t * -speed : height, 64 * EPS + 4e-11);
        p = hit.point;
        CHECK_NEAR((double)cd_vec3_dot(n, p) - (double)moved.d / length, 0, 64 * EPS + 4e-11);
        if (!(hit.flags & CD_HIT_START)) CHECK_VEC(hit.normal, n, 16 * EPS);
    }
    CHECK_SEEN(hits > all / 4 && hits < all);
}

static cd_vec3 draw_unit(test_rng *rng) {
    cd_vec3 v;
    do
        v = cd_vec3_make((cd_real)test_range(rng, -1, 1), (cd_real)test_range(rng, -1, 1),
                         (cd_real)test_range(rng, -1, 1));
    while (cd_vec3_length(v) < (cd_real)0.25);
    return cd_vec3_normalize(v);
}

/* A box of the caller's own, about its center. */
typedef struct own_box {
    cd_vec3 center, half;
} own_box;

static uint32_t own_farthest(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const own_box *b = (const own_box *)user;
    (void)hint;
    *out = cd_vec3_make(b->center.x + (dir.x < 0 ? -b->half.x : b->half.x),
                        b->center.y + (dir.y < 0 ? -b->half.y : b->half.y),
                        b->center.z + (dir.z < 0 ? -b->half.z : b->half.z));
    return CD_NONE;
}

/* What starts in a half-space, by so much; what moves may also be the half-space, as a child. The caller's own body does as any other. */
static void starts_in_half_spaces_tell_the_depth(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        double deep = test_range(&rng, -2, 2), length = test_range(&rng, 0.25, 4), few = 256 * EPS + 4e-11,
               low, size = ldexp(1, 8 * (int)(i % 7) - 24);
        cd_vec3 n = draw_unit(&rng), m = cd_vec3_scale(n, (cd_real)(-8 * size)), c;
        cd_cast_options o = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
        cd_plane plane;
        cd_shape body[4], ground, falling;
        cd_placed_shape child;
        cd_compound one;
        cd_support user;
        cd_sphere s;
        cd_aabb b;
        own_box own;
        cd_hit hit;
        int kind = (int)(i % 4);
        c = cd_vec3_make((cd_real)test_range(&rng, -4, 4), 1, -2);
        own.half = cd_vec3_make(1, (cd_real)0.5, (cd_real)0.75);
        plane.n = cd_vec3_scale(n, (cd_real)length);
        low = kind == 0 ? 0.5
                        : fabs((double)n.x) * (double)own.half.x + fabs((double)n.y) * (double)own.half.y +
                              fabs((double)n.z) * (double)own.half.z + (kind == 3 ? 0.25 : 0);
        plane.d = (cd_real)(((double)cd_vec3_dot(n, c) - low + deep) * length * size);
        own.center = s.center = cd_vec3_scale(c, (cd_real)size);
        own.half = cd_vec3_scale(own.half, (cd_real)size);
        s.radius = (cd_real)(0.5 * size);
        b.min = cd_vec3_sub(own.center, own.half);
        b.max = cd_vec3_add(own.center, own.half);
        user = cd_support_of_function(own_farthest, &own, own.center, (cd_real)(kind == 3 ? 0.25 * size : 0));
        body[0] = cd_shape_of_sphere(s);
        body[1] = cd_shape_of_aabb(b);
        body[2] = body[3] = cd_shape_of_support(&user);
        ground = cd_shape_of_halfspace(&plane);
        child.shape = &ground;
        child.pose = cd_transform_identity();
        one = cd_compound_of(&child, 1);
        falling = cd_shape_of_compound(&one);
        if (i % 3 == 0) { /* the same, later */
            o.t_min = (cd_real)0.125;
            plane.d = (cd_real)((double)plane.d - length * size);
            ground = cd_shape_of_halfspace(&plane);
        }
        test_note("body %d, %a deep, size %a", kind, deep, size);
        for (int turn = 0; turn < 2; ++turn) {
            double sign = turn ? -1 : 1;
            memset(&hit, 0, sizeof hit);
            if (!CHECK(turn
                           ? cd_shape_sweep(&falling, cd_vec3_scale(m, -1), &body[kind], NULL, &o, &hit, NULL)
                           : cd_shape_sweep(&body[kind], m, &ground, NULL, &o, &hit, NULL)))
                continue;
            CHECK_VEC(hit.normal, cd_vec3_scale(n, (cd_real)sign), 16 * EPS);
            if (fabs(deep) < few) continue;
            CHECK_INT(hit.flags & CD_HIT_START, deep > 0 ? CD_HIT_START : 0);
            CHECK_NEAR((double)hit.depth / size, deep > 0 ? deep : 0, few);
            CHECK_NEAR((double)hit.t, (double)o.t_min + (deep > 0 ? 0 : -deep / 8), few);
        }
    }
}

static long double along(cd_vec3 n, cd_vec3 p) {
    return (long double)n.x * p.x + (long double)n.y * p.y + (long double)n.z * p.z;
}

/* A ball far larger than its distance from the origin and its way, or a plane whose frame is far away along it: never late for all that is rounded,
 * nor early by more than is told. */
static void large_balls_come_down_in_time(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_sphere s = {{0, 0, 0}, (cd_real)ldexp(test_range(&rng, 1, 2), test_int(&rng, -20, 20))};
        cd_vec3 n = draw_unit(&rng), m;
        cd_shape ball, ground;
        cd_plane plane;
        cd_hit hit;
        cd_transform pose = cd_transform_identity();
        long double length, left, size = (long double)s.radius;
        m = cd_vec3_scale(n, (cd_real)(-0x1p-14 * (double)s.radius));
        plane.n = n;
        plane.d = (cd_real)(-(1 + 0x1p-15) * (double)s.radius);
        if (i % 2) {
            cd_vec3 across = cd_vec3_cross(n, draw_unit(&rng));
            pose.position = cd_vec3_scale(across, (cd_real)(0x1p20 * (double)s.radius));
            plane.d = (cd_real)((double)plane.d - (double)along(n, pose.position));
            size *= 0x1p20;
        }
        ball = cd_shape_of_sphere(s);
        ground = cd_shape_of_halfspace(&plane);
        if (!CHECK(cd_shape_sweep(&ball, m, &ground, i % 2 ? &pose : NULL, NULL, &hit, NULL))) continue;
        length = sqrtl(along(n, n));
        left = (along(n, m) * hit.t - along(n, pose.position) - plane.d) / length - s.radius;
        CHECK(left >= 0);
        CHECK((double)(left / size) <= (sizeof(cd_real) == 4 ? 0x1p-44 + 0x1p-14 * EPS : 0x1p-40));
    }
}

/* The end of a segment that is farther by a rounded direction may not be the foremost. */
static uint32_t own_end(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const cd_segment *s = (const cd_segment *)user;
    (void)hint;
    *out = along(dir, s->b) > along(dir, s->a) ? s->b : s->a;
    return CD_NONE;
}

static void segments_of_the_callers_come_down_in_time(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        cd_vec3 n = draw_unit(&rng), m = cd_vec3_scale(n, -1);
        cd_segment rod;
        cd_support user;
        cd_shape body, ground;
        cd_plane plane;
        cd_hit hit;
        long double length = sqrtl(along(n, n)), left, other;
        rod.a = cd_vec3_scale(draw_unit(&rng), (cd_real)0.25);
        rod.b = cd_vec3_add(rod.a, cd_vec3_scale(cd_vec3_cross(n, draw_unit(&rng)), 64)); /* all but level */
        plane.n = n;
        plane.d = (cd_real)-0.75;
        user = cd_support_of_function(own_end, &rod, rod.a, 0);
        body = cd_shape_of_support(&user);
        ground = cd_shape_of_halfspace(&plane);
        if (!CHECK(cd_shape_sweep(&body, m, &ground, NULL, NULL, &hit, NULL))) continue;
        left = (along(n, rod.a) + along(n, m) * hit.t - plane.d) / length;
        other = (along(n, rod.b) + along(n, m) * hit.t - plane.d) / length;
        CHECK(left >= 0 && other >= 0);
        CHECK((double)fminl(left, other) <= fmax(8 * EPS, 0x1p-40) * 65);
    }
}

/* ---- triangles ---- */

/* Stretched and turned: the weights are those of the point that was hit. */
static void stretched_triangles_tell_weights(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(500);
    for (long i = 0; i < all; ++i) {
        cd_triangle t = {{-2, -2, 0}, {3, -1, (cd_real)0.5}, {0, 3, (cd_real)-0.5}};
        cd_vec3 by = cd_vec3_make((cd_real)test_range(&rng, 0.5, 2), (cd_real)test_range(&rng, 0.5, 2),
                                  (cd_real)test_range(&rng, 0.5, 2));
        cd_sphere s = {{(cd_real)test_range(&rng, -2, 2), (cd_real)test_range(&rng, -2, 2), 4},
                       (cd_real)0.25};
        cd_transform pose = gen_pose(&rng, 1);
        cd_shape ball = cd_shape_of_sphere(s), patch = cd_shape_of_triangle(&t);
        cd_vec3 at;
        cd_hit hit;
        if (i % 2) patch.scale = by;
        if (i % 2 == 0) by = cd_vec3_make(1, 1, 1);
        if (!cd_shape_sweep(&ball, cd_vec3_make(0, 0, -8), &patch, &pose, NULL, &hit, NULL)) continue;
        ++hits;
        at = cd_vec3_scale(t.a, 1 - hit.u - hit.v);
        at = cd_vec3_add(at, cd_vec3_add(cd_vec3_scale(t.b, hit.u), cd_vec3_scale(t.c, hit.v)));
        at = cd_transform_point(&pose, cd_vec3_make(at.x * by.x, at.y * by.y, at.z * by.z));
        CHECK_VEC(hit.point, at, 256 * EPS);
    }
    CHECK_SEEN(hits > all / 4);
}

/* ---- compounds ---- */

enum { CHILDREN = 6 };

static bool sweep_children(const cd_placed_shape *placed, bool of_a, const cd_shape *other, cd_vec3 m,
                           const cd_transform *pose, cd_hit *best, uint32_t *child) {
    bool found = false;
    for (uint32_t i = 0; i < CHILDREN; ++i) {
        cd_compound one = cd_compound_of(&placed[i], 1);
        cd_shape shape = cd_shape_of_compound(&one);
        cd_hit hit;
        bool got = of_a ? cd_shape_sweep(&shape, m, other, pose, NULL, &hit, NULL)
                        : cd_shape_sweep(other, m, &shape, pose, NULL, &hit, NULL);
        if (!got || (found && hit.t >= best->t)) continue;
        found = true;
        *best = hit;
        *child = i;
        if (!of_a) best->index = i;
    }
    return found;
}

static void compounds_are_all_of_their_children(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(150);
    ball b;
    open_ball(&b, &rng, 2);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_plane plane = cd_plane_from_point_normal(cd_vec3_make(0, 0, -2), cd_vec3_make(0, 0, 1));
        cd_transform pose = gen_pose(&rng, 3);
        cd_placed_shape placed[CHILDREN];
        cd_shape shape[CHILDREN], list_shape, tree_shape, other;
        cd_compound list, built;
        bool of_a = i % 2 == 0, want;
        cd_vec3 m;
        cd_hit hit[2], best;
        cd_part_pair parts[2];
        uint32_t child = 0;
        things x, y;
        draw_things(&g, &x);
        draw_things(&g, &y);
        for (int k = 0; k < CHILDREN; ++k) {
            shape[k] = x.shape[test_int(&rng, 0, KINDS - 1)];
            placed[k].shape = &shape[k];
            placed[k].pose = gen_pose(&rng, 2);
        }
        shape[1] = cd_shape_of_mesh(&b.tree, NULL);
        if (i % 3 == 0) shape[2] = cd_shape_of_halfspace(&plane);
        other = i % 5 ? y.shape[test_int(&rng, 0, KINDS - 1)] : cd_shape_of_mesh(&b.tree, NULL);
        list = cd_compound_of(placed, CHILDREN);
        if (cd_compound_build(&built, placed, CHILDREN, NULL) != CD_OK) { /* one is not valid */
            cd_hull_destroy(&x.hull);
            cd_hull_destroy(&y.hull);
            continue;
        }
        list_shape = cd_shape_of_compound(&list);
        tree_shape = cd_shape_of_compound(&built);
        m = cd_vec3_scale(pose.position, (cd_real)test_range(&rng, 0.3, 2));
        memset(hit, 0, sizeof hit);
        memset(&best, 0, sizeof best);
        memset(parts, 0, sizeof parts);
        test_note("%ld: ", i);
        want = sweep_children(placed, of_a, &other, m, &pose, &best, &child);
        CHECK_INT(of_a ? cd_shape_sweep(&list_shape, m, &other, &pose, NULL, &hit[0], &parts[0])
                       : cd_shape_sweep(&other, m, &list_shape, &pose, NULL, &hit[0], &parts[0]),
                  want);
        CHECK_INT(of_a ? cd_shape_sweep(&tree_shape, m, &other, &pose, NULL, &hit[1], &parts[1])
                       : cd_shape_sweep(&other, m, &tree_shape, &pose, NULL, &hit[1], &parts[1]),
                  want);
        CHECK_SAME(hit[0].t, best.t);
        CHECK_SAME(hit[1].t, best.t);
        if (want && !of_a) {
            check_same_hit(&hit[0], &best);
            check_same_hit(&hit[1], &best);
            CHECK(parts[0].b.child == child && parts[1].b.child == child);
        }
        hits += want;
        cd_compound_destroy(&built);
        cd_hull_destroy(&x.hull);
        cd_hull_destroy(&y.hull);
    }
    CHECK_SEEN(hits > all / 4);
    close_ball(&b);
}

/* ---- sides ---- */

/* A triangle has two sides for all, a mirrored one in a mesh keeps them. */
static void flat_things_have_two_sides(void) {
    cd_triangle t = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    cd_cylinder c = {{0, 0, 2}, {0, 0, 3}, (cd_real)0.25};
    cd_shape down = cd_shape_of_cylinder(&c), up, flat = cd_shape_of_triangle(&t);
    cd_transform turned = cd_transform_identity();
    cd_cast_options back, front;
    cd_hit hit;
    memset(&back, 0, sizeof back);
    memset(&front, 0, sizeof front);
    memset(&turned, 0, sizeof turned);
    turned.rotation.x = 1; /* half a turn */
    back.flags = CD_CAST_CULL_BACK;
    front.flags = CD_CAST_CULL_FRONT;
    c.a.z = -3;
    c.b.z = -2;
    up = cd_shape_of_cylinder(&c);
    CHECK(cd_shape_sweep(&down, cd_vec3_make(0, 0, -4), &flat, NULL, NULL, &hit, NULL) &&
          !(hit.flags & CD_HIT_BACK));
    CHECK_NEAR(hit.v, ((double)hit.point.y + 1) / 2, 1e-6);
    CHECK_NEAR(hit.u, ((double)hit.point.x + 1 - (double)hit.v) / 2, 1e-6);
    CHECK(cd_shape_sweep(&up, cd_vec3_make(0, 0, 4), &flat, NULL, NULL, &hit, NULL) &&
          (hit.flags & CD_HIT_BACK));
    CHECK(!cd_shape_sweep(&up, cd_vec3_make(0, 0, 4), &flat, NULL, &back, NULL, NULL));
    CHECK(cd_shape_sweep(&up, cd_vec3_make(0, 0, 4), &flat, NULL, &front, NULL, NULL));
    CHECK(!cd_shape_sweep(&down, cd_vec3_make(0, 0, -4), &flat, NULL, &front, NULL, NULL));
    CHECK(cd_shape_sweep(&down, cd_vec3_make(0, 0, -4), &flat, &turned, NULL, &hit, NULL) &&
          (hit.flags & CD_HIT_BACK));
    flat.radius = (cd_real)0.125;
    CHECK(cd_shape_sweep(&up, cd_vec3_make(0, 0, 4), &flat, NULL, &back, &hit, NULL) &&
          !(hit.flags & CD_HIT_BACK));
    CHECK_NEAR(hit.t, 1.875 / 4, 1e-6);
}

static void mirrored_meshes_keep_their_outside(void) {
    test_rng rng = test_random();
    ball b;
    cd_shape mesh, mirrored, whole;
    cd_placed_shape placed;
    cd_compound list;
    cd_sphere s = {{0, 0, 4}, (cd_real)0.25};
    cd_shape ball_shape = cd_shape_of_sphere(s);
    cd_ray r = {{0, 0, 4}, {0, 0, -1}};
    cd_hit hit;
    open_ball(&b, &rng, 3);
    mesh = cd_shape_of_mesh(&b.tree, NULL);
    placed.shape = &mesh;
    placed.pose = cd_transform_identity();
    list = cd_compound_of(&placed, 1);
    whole = cd_shape_of_compound(&list);
    CHECK_INT(cd_shape_scaled(&mesh, cd_vec3_make(1, -1, 1), &mirrored), CD_OK);
    CHECK(cd_shape_sweep(&ball_shape, cd_vec3_make(0, 0, -4), &mirrored, NULL, NULL, &hit, NULL));
    CHECK(!(hit.flags & CD_HIT_BACK));
    CHECK(cd_shape_cast_ray(&mirrored, &r, 9, NULL, &hit, NULL) && !(hit.flags & CD_HIT_BACK));
    CHECK_INT(cd_shape_scaled(&whole, cd_vec3_make(1, 1, -1), &mirrored), CD_OK);
    CHECK(cd_shape_sweep(&ball_shape, cd_vec3_make(0, 0, -4), &mirrored, NULL, NULL, &hit, NULL));
    CHECK(!(hit.flags & CD_HIT_BACK));
    CHECK(cd_shape_cast_ray(&mirrored, &r, 9, NULL, &hit, NULL) && !(hit.flags & CD_HIT_BACK));
    close_ball(&b);
}

/* ---- options ---- */

static bool not_two(void *user, uint32_t index) {
    (void)user;
    return index != 2;
}

static void masks_and_filters(void) {
    cd_shape box[3], ball_shape, level;
    cd_placed_shape placed[3];
    cd_compound list;
    cd_sphere s = {{0, 0, 0}, (cd_real)0.5};
    cd_cast_options o;
    cd_hit hit;
    memset(&o, 0, sizeof o);
    for (int i = 0; i < 3; ++i) {
        cd_aabb b;
        b.min = cd_vec3_make((cd_real)(8 - 2 * i), -1, -1);
        b.max = cd_vec3_make((cd_real)(9 - 2 * i), 1, 1);
        box[i] = cd_shape_of_aabb(b);
        box[i].layers = 1u << i;
        placed[i].shape = &box[i];
        placed[i].pose = cd_transform_identity();
    }
    list = cd_compound_of(placed, 3);
    level = cd_shape_of_compound(&list);
    ball_shape = cd_shape_of_sphere(s);
    CHECK(cd_shape_sweep(&ball_shape, cd_vec3_make(10, 0, 0), &level, NULL, NULL, &hit, NULL) &&
          hit.index == 2);
    CHECK_NEAR(hit.t, 0.35, 1e-6);
    o.filter = not_two;
    CHECK(cd_shape_sweep(&ball_shape, cd_vec3_make(10, 0, 0), &level, NULL, &o, &hit, NULL) &&
          hit.index == 1);
    o.ignore_mask = 2;
    CHECK(cd_shape_sweep(&ball_shape, cd_vec3_make(10, 0, 0), &level, NULL, &o, &hit, NULL) &&
          hit.index == 0);
    level.layers = 2;
    CHECK(!cd_shape_sweep(&ball_shape, cd_vec3_make(10, 0, 0), &level, NULL, &o, &hit, NULL));
    placed[2] = placed[1]; /* of equal ones the first */
    CHECK(cd_shape_sweep(&ball_shape, cd_vec3_make(10, 0, 0), &level, NULL, NULL, &hit, NULL) &&
          hit.index == 1);
}

/* Radii of a ball and of its rounding, whose sum is no number: t is not late by what is lost. Large balls, a short way. */
static void sums_of_radii_are_never_late(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        double far_off =
            1025 + test_int(&rng, 0, 1 << 10) / 4096.0; /* by a known pair, posed, and as a part */
        cd_sphere a = {{0, 0, 0}, 1024}, point = {{0, 0, 0}, 0};
        cd_real more = (cd_real)(test_range(&rng, 0, 2) * 1024 * EPS);
        cd_shape body, other = cd_shape_of_sphere(point), whole;
        cd_transform pose = cd_transform_identity();
        cd_placed_shape child;
        cd_compound compound;
        cd_hit hit;
        int form = test_int(&rng, 0, 2);
        pose.position.x = (cd_real)far_off;
        other.u.sphere.center.x = form == 1 ? 0 : pose.position.x;
        body = cd_shape_of_sphere(a);
        if (form < 2) body.radius = more;
        child.shape = &body;
        child.pose = cd_transform_identity();
        compound = cd_compound_of(&child, 1);
        whole = cd_shape_of_compound(&compound);
        whole.radius = more;
        test_note("form %d: %a more, at %a", form, (double)more, far_off);
        if (!CHECK(cd_shape_sweep(form == 2 ? &whole : &body, cd_vec3_make(2, 0, 0), &other,
                                  form == 1 ? &pose : NULL, NULL, &hit, NULL)))
            continue;
        CHECK((far_off - 1024) - 2 * (double)hit.t >= (double)more); /* exact */
    }
}

static void what_cannot_be_asked_meets_nothing(void) {
    cd_plane plane = {{0, 0, 1}, 0};
    cd_shape ground = cd_shape_of_halfspace(&plane), ball_shape, nothing;
    cd_sphere s = {{0, 0, 2}, 1};
    cd_vec3 down = cd_vec3_make(0, 0, -4), bad = cd_vec3_make(0, (cd_real)NAN, 0);
    cd_transform pose = cd_transform_identity();
    cd_bvh empty;
    cd_hit hit;
    memset(&nothing, 0, sizeof nothing);
    memset(&empty, 0, sizeof empty);
    ball_shape = cd_shape_of_sphere(s);
    CHECK(cd_shape_sweep(&ball_shape, down, &ground, NULL, NULL, &hit, NULL));
    CHECK(!cd_shape_sweep(&ground, down, &ball_shape, NULL, NULL, &hit, NULL));
    CHECK(!cd_shape_sweep(&ball_shape, bad, &ground, NULL, NULL, &hit, NULL));
    CHECK(!cd_shape_sweep(&nothing, down, &ground, NULL, NULL, &hit, NULL));
    CHECK(!cd_shape_sweep(&ball_shape, down, &nothing, NULL, NULL, &hit, NULL));
    pose.position.x = (cd_real)INFINITY;
    CHECK(!cd_shape_sweep(&ball_shape, down, &ground, &pose, NULL, &hit, NULL));
    CHECK(!cd_shape_sweep(&ball_shape, down, &ball_shape, &pose, NULL, &hit,
                          NULL)); /* also where they are now */
    nothing = cd_shape_of_mesh(&empty, NULL);
    CHECK(!cd_shape_sweep(&ball_shape, down, &nothing, NULL, NULL, &hit, NULL));
    CHECK(!cd_shape_sweep(&nothing, down, &ball_shape, NULL, NULL, &hit, NULL));
    s.radius = -1;
    ball_shape = cd_shape_of_sphere(s);
    CHECK(!cd_shape_sweep(&ball_shape, down, &ground, NULL, NULL, &hit, NULL));
}

/* Meshes of two compounds that touch where, in the compounds' frame, no numbers reach. */
static void points_have_finite_numbers(void) {
    static const cd_vec3 corner[3] = {{0, -1, 1}, {1, -1, 1}, {1, -1, (cd_real)0.75}};
    static const cd_vec3 way = {0, 0, 1};
    cd_vec3 v[3];
    cd_placed_shape child;
    cd_compound one;
    cd_shape whole, mesh;
    cd_mesh_view view;
    cd_bvh tree;
    cd_hit hit;
    for (int i = 0; i < 3; ++i) v[i] = cd_vec3_scale(corner[i], CD_REAL_MAX);
    view = cd_mesh_view_make(v, 3, NULL, 1);
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    memset(&child, 0, sizeof child);
    mesh = cd_shape_of_mesh(&tree, NULL);
    child.shape = &mesh;
    child.pose = cd_transform_identity();
    one = cd_compound_of(&child, 1);
    whole = cd_shape_of_compound(&one);
    CHECK(cd_shape_sweep(&whole, way, &whole, NULL, NULL, &hit, NULL));
    CHECK(cd_vec3_is_valid(hit.point));
    child.pose.rotation = cd_quat_from_axis_angle(cd_vec3_make(1, 0, 0), (cd_real)0.78);
    hit.t = 77;
    if (cd_shape_sweep(&whole, way, &whole, NULL, NULL, &hit, NULL))
        CHECK(cd_vec3_is_valid(hit.point));
    else
        CHECK(hit.t == 77);
    cd_bvh_destroy(&tree);
}

void suite_shape_sweep(void) {
    RUN(pairs_are_swept_as_their_types);
    RUN(posed_pairs_are_swept_by_farthest_points);
    RUN(meshes_are_all_of_their_triangles);
    RUN(volumes_are_swept_by_trees);
    RUN(two_meshes_are_swept_by_both_trees);
    RUN(things_come_down_on_half_spaces);
    RUN(starts_in_half_spaces_tell_the_depth);
    RUN(large_balls_come_down_in_time);
    RUN(segments_of_the_callers_come_down_in_time);
    RUN(stretched_triangles_tell_weights);
    RUN(compounds_are_all_of_their_children);
    RUN(flat_things_have_two_sides);
    RUN(mirrored_meshes_keep_their_outside);
    RUN(masks_and_filters);
    RUN(sums_of_radii_are_never_late);
    RUN(points_have_finite_numbers);
    RUN(what_cannot_be_asked_meets_nothing);
}
