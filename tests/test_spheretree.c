/* Sphere trees: exact queries beside a cd_bvh, levels that cover, trees that may meet, covers of triangles. */
#include "gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = 3, MESHES = 16 };

static gen_named_mesh meshes[MESHES];
static int mesh_count;

static cd_spheretree_options options_of(uint32_t method, uint32_t leaf_size) {
    cd_spheretree_options o;
    memset(&o, 0, sizeof o);
    o.method = method;
    o.leaf_size = leaf_size;
    o.flags = CD_BVH_SKIP_INVALID;
    return o;
}

static cd_bvtree build(const gen_mesh *m, uint32_t method, uint32_t leaf_size) {
    cd_mesh_view v = gen_mesh_view(m);
    cd_spheretree_options o = options_of(method, leaf_size);
    cd_bvtree t;
    CHECK_INT(ASK("judge", cd_spheretree_build_mesh(&t, &v, &o)), CD_OK);
    CHECK_INT(ASK("judge", cd_bvtree_validate(&t)), CD_OK);
    return t;
}

static bool triangle_is_in(const cd_triangle *t, cd_sphere s) {
    if (isinf((double)s.radius)) return true;
    return cd_test_point_sphere(t->a, s) && cd_test_point_sphere(t->b, s) && cd_test_point_sphere(t->c, s);
}

static bool is_valid_triangle(const gen_mesh *m, uint32_t i) {
    cd_mesh_view v = gen_mesh_view(m);
    cd_triangle t;
    return cd_mesh_triangle(&v, i, &t) && cd_triangle_is_valid(&t);
}

/* ---- exact queries ---- */

static bool mark(void *user, uint32_t index) {
    ++((unsigned char *)user)[index];
    return true;
}

static void ask_both(const cd_bvtree *t, const cd_bvh *b, const gen_mesh *m, test_rng *rng) {
    uint32_t n = m->triangle_count;
    unsigned char *seen = (unsigned char *)calloc(n + 1, 1), *want = (unsigned char *)calloc(n + 1, 1);
    cd_vec3 p = m->vertices[test_int(rng, 0, (int)m->vertex_count - 1)];
    cd_vec3 q = m->vertices[test_int(rng, 0, (int)m->vertex_count - 1)];
    cd_ray r = cd_ray_through(cd_vec3_scale(p, 2), q);
    cd_bvh_volume v;
    cd_sphere s;
    cd_hit hit, other;
    cd_closest c, d;
    bool got;
    s.center = p;
    s.radius = cd_vec3_length(cd_vec3_sub(p, q)) / 8;
    v = cd_bvh_volume_sphere(s);
    cd_bvtree_overlap(t, &v, NULL, mark, seen);
    cd_bvh_overlap(b, &v, NULL, mark, want);
    CHECK(!memcmp(seen, want, n));
    memset(&hit, 0, sizeof hit);
    memset(&other, 0, sizeof other);
    got = cd_bvtree_cast_ray(t, &r, CD_REAL_MAX, NULL, &hit);
    CHECK_INT(got, cd_bvh_cast_ray(b, &r, CD_REAL_MAX, NULL, &other));
    CHECK(!memcmp(&hit, &other, sizeof hit));
    memset(&c, 0, sizeof c);
    memset(&d, 0, sizeof d);
    got = cd_bvtree_closest(t, r.origin, CD_REAL_MAX, NULL, &c);
    CHECK_INT(got, cd_bvh_closest(b, r.origin, CD_REAL_MAX, NULL, &d));
    CHECK(!got || (c.index_b == d.index_b && c.sqdist == d.sqdist));
    free(seen);
    free(want);
}

/* Along an axis, both ways and with lengths of powers of two; from within, with no direction at all. */
static void ask_along_axes(const cd_bvtree *t, const cd_bvh *b, const gen_mesh *m, uint32_t all,
                           test_rng *rng) {
    cd_aabb box = cd_bvh_bounds(b);
    for (int k = 0; k < 8; ++k) {
        int axis = k % 3;
        cd_triangle on = gen_mesh_triangle(m, (uint32_t)test_int(rng, 0, (int)m->triangle_count - 1));
        cd_hit hit, other;
        cd_ray r;
        bool got;
        r.origin = cd_vec3_lerp(on.a, cd_vec3_lerp(on.b, on.c, (cd_real)0.5), (cd_real)0.5);
        r.dir = cd_vec3_make(0, 0, 0);
        if (k < 6) {
            REALS(r.origin)[axis] = k < 3 ? REALS(box.min)[axis] - 1 : REALS(box.max)[axis] + 1;
            REALS(r.dir)[axis] = (cd_real)(k < 3 ? 1 << k : -4);
        }
        if (k == 7) r.origin = cd_vec3_add(box.max, cd_vec3_make(1, 1, 1));
        memset(&hit, 0, sizeof hit);
        memset(&other, 0, sizeof other);
        test_counted.node = 0;
        got = cd_bvtree_cast_ray(t, &r, CD_REAL_MAX, NULL, &hit);
        if (all > 100) CHECK(test_counted.node < all / 4); /* of a closed surface that is no soup */
        CHECK_INT(got, cd_bvh_cast_ray(b, &r, CD_REAL_MAX, NULL, &other));
        CHECK(!memcmp(&hit, &other, sizeof hit));
    }
}

static void queries_are_exact(void) {
    test_rng rng = test_random();
    for (int k = 0; k < mesh_count; k += test_is_tiny() ? 3 : 1) {
        const gen_mesh *m = &meshes[k].mesh;
        cd_mesh_view v = gen_mesh_view(m);
        cd_bvh_options o;
        cd_bvh b;
        memset(&o, 0, sizeof o);
        o.flags = CD_BVH_SKIP_INVALID;
        CHECK_INT(cd_bvh_build_mesh(&b, &v, &o), CD_OK);
        for (uint32_t method = 0; method < METHODS; ++method) {
            cd_bvtree t = build(m, method, method == 1 ? 4 : 0);
            test_note("%s, method %u", meshes[k].name, method);
            CHECK_INT(cd_bvtree_count(&t), cd_bvh_count(&b));
            CHECK_INT(cd_bvtree_get_kind(&t), CD_BVTREE_SPHERES);
            for (long i = test_times(20); i > 0 && m->vertex_count; --i) ask_both(&t, &b, m, &rng);
            if (m->triangle_count)
                ask_along_axes(&t, &b, m, strcmp(meshes[k].name, "ball") ? 0 : cd_bvtree_node_count(&t),
                               &rng);
            cd_bvtree_destroy(&t);
        }
        cd_bvh_destroy(&b);
    }
}

/* ---- levels ---- */

/* Every triangle is inside one of the spheres; sizes fall from level to level; what is measured is what is there. */
static void check_level(const cd_bvtree *t, const gen_mesh *m, uint32_t level) {
    size_t n = ASK("judge", cd_spheretree_level(t, level, NULL, 0));
    cd_sphere *s = (cd_sphere *)malloc((n + 1) * sizeof *s);
    cd_spheretree_fit fit = ASK("judge", cd_spheretree_measure(t, level));
    double volume = 0;
    cd_real largest = 0;
    CHECK_INT(ASK("judge", cd_spheretree_level(t, level, s, n)), n);
    CHECK_INT(fit.count, n);
    CHECK_INT(cd_spheretree_level(t, fit.levels - 1, NULL, 0), cd_spheretree_level(t, CD_NONE, NULL, 0));
    for (size_t i = 0; i < n; ++i) {
        largest = s[i].radius > largest ? s[i].radius : largest;
        volume += 4.188790204786391 * pow((double)s[i].radius, 3);
    }
    CHECK(fit.radius == largest && fit.sticks_out <= largest && fit.sticks_out >= 0);
    if (volume < 1e30 && volume > 1e-30) CHECK_NEAR(fit.volume, volume, 1e-5 * volume);
    for (uint32_t i = 0; i < m->triangle_count; ++i) {
        cd_triangle tri;
        bool held = false;
        if (!is_valid_triangle(m, i)) continue;
        tri = gen_mesh_triangle(m, i);
        for (size_t k = 0; k < n && !held; ++k) held = triangle_is_in(&tri, s[k]);
        if (!CHECK(held)) break;
    }
    free(s);
}

static void levels_cover(void) {
    for (int k = 0; k < mesh_count; k += test_is_tiny() ? 3 : 1) {
        const gen_mesh *m = &meshes[k].mesh;
        for (uint32_t method = 0; method < METHODS; ++method) {
            cd_bvtree t = build(m, method, 0);
            size_t leaves = cd_spheretree_level(&t, CD_NONE, NULL, 0), before = 0;
            for (uint32_t level = 0; level < 100; level += level < 4 ? 1 : 5) {
                size_t n = cd_spheretree_level(&t, level, NULL, 0);
                test_note("%s, method %u, level %u", meshes[k].name, method, level);
                CHECK(n >= before && n <= leaves);
                CHECK(level || n == (cd_bvtree_count(&t) > 0));
                if (n * m->triangle_count < 40000) check_level(&t, m, level);
                before = n;
            }
            CHECK_INT(before, leaves);
            cd_bvtree_destroy(&t);
        }
    }
}

/* Eight spheres around a ball of bumps; adds up their volumes. */
static void eight_spheres(test_rng *rng, double volume[METHODS]) {
    static const uint32_t level[METHODS] = {1, 1, 3}; /* 8 spheres, at most */
    gen_mesh m = gen_mesh_ball(test_is_small() ? 6 : 16, 0.1, rng);
    for (uint32_t method = 0; method < METHODS; ++method) {
        cd_bvtree t = build(&m, method, 0);
        cd_spheretree_fit all = cd_spheretree_measure(&t, 0), fine = cd_spheretree_measure(&t, 6);
        cd_spheretree_fit fit = cd_spheretree_measure(&t, level[method]);
        volume[method] += (double)fit.volume;
        CHECK(fit.count <= 8 && fit.radius < all.radius);
        CHECK(fine.sticks_out < all.radius && fine.radius < fit.radius);
        CHECK_NEAR(all.radius, 1, 0.3);
        cd_bvtree_destroy(&t);
    }
    gen_mesh_free(&m);
}

/* Of a ball that is always the same, and of eight together: of one in five or so another method's are smaller. */
static void pruned_spheres_fit_best(void) {
    test_rng rng = test_random(), same;
    double volume[METHODS] = {0, 0, 0}, other[METHODS] = {0, 0, 0};
    memset(&same, 1, sizeof same);
    eight_spheres(&same, volume);
    CHECK_SEEN(volume[CD_SPHERETREE_PRUNED] < volume[CD_SPHERETREE_OCTREE]);
    CHECK_SEEN(volume[CD_SPHERETREE_PRUNED] < volume[CD_SPHERETREE_COVER]);
    for (int i = 0; i < (test_is_small() ? 1 : 8); ++i) eight_spheres(&rng, other);
    CHECK_SEEN(other[CD_SPHERETREE_PRUNED] < 1.1 * other[CD_SPHERETREE_OCTREE]);
    CHECK_SEEN(other[CD_SPHERETREE_PRUNED] < 1.1 * other[CD_SPHERETREE_COVER]);
}

/* ---- two trees ---- */

static void trees_that_meet_may_meet(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_is_small() ? 3 : 6, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    int apart = 0, meet = 0, finer = 0, worse = 0;
    cd_bvh b;
    for (uint32_t i = 0; i < m.vertex_count; ++i)
        m.vertices[i].z /= 8; /* discs: one sphere does not tell much */
    CHECK_INT(cd_bvh_build_mesh(&b, &v, NULL), CD_OK);
    for (uint32_t method = 0; method < METHODS; ++method) {
        cd_bvtree t = build(&m, method, method), u = build(&m, (method + 1) % METHODS, 0);
        for (long i = test_times(150); i > 0; --i) {
            cd_transform pose = gen_pose(&rng, 1);
            double away = test_range(&rng, 0.2, 2.6) / ((double)cd_vec3_length(pose.position) + 1e-9);
            bool really, before = true;
            cd_spheretree_contact c;
            pose.position = cd_vec3_scale(pose.position, (cd_real)away);
            really = cd_bvh_test_bvh(&b, &b, &pose, NULL, NULL);
            for (uint32_t level = 0; level < 12; level += 3) {
                bool may = ASK("judge", cd_spheretree_may_meet(&t, &u, &pose, level, 0, &c));
                CHECK(may || !really);
                CHECK(!c.out_of_time && c.tests > 0);
                CHECK(!may || cd_test_sphere_sphere(c.a, c.b));
                finer += before && !may && level > 0;
                worse += !before && may; /* other pairs of spheres are compared on finer levels */
                before = before && may;
            }
            CHECK(ASK("judge", cd_spheretree_may_meet(&t, &u, &pose, 2, 1, &c)) || !really);
            CHECK(c.tests == 1);
            apart += !before;
            meet += really;
        }
        cd_bvtree_destroy(&t);
        cd_bvtree_destroy(&u);
    }
    test_note("apart %d, meet %d, finer %d", apart, meet, finer);
    CHECK(worse * 20 <= finer + 20); /* rare */
    CHECK_SEEN(apart > 0 && meet > 0 && finer > 0);
    cd_bvh_destroy(&b);
    gen_mesh_free(&m);
}

/* ---- covers ---- */

/* Points of a triangle, its corners among them, in one of the spheres that follow each other. */
static bool point_is_covered(cd_vec3 p, const cd_sphere *s, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        double x = (double)p.x - (double)s[i].center.x, y = (double)p.y - (double)s[i].center.y,
               z = (double)p.z - (double)s[i].center.z;
        double reach = (double)s[i].radius * (1 + 4 * CD_REAL_EPSILON); /* points are rounded themselves */
        reach += CD_REAL_EPSILON * (fabs((double)p.x) + fabs((double)p.y) + fabs((double)p.z));
        if (x * x + y * y + z * z <= reach * reach || isinf((double)s[i].radius)) return true;
    }
    return false;
}

static void covers_cover(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 corner[3];
        cd_mesh_view v = cd_mesh_view_make(corner, 3, NULL, 1);
        cd_triangle t = gen_triangle(&g);
        cd_sphere spheres[600];
        cd_real side, radius;
        double most = 0.0, room;
        size_t n;
        for (int k = 0; k < 9; ++k) most = fmax(most, fabs((double)REALS(t)[k]));
        room = (2e-15 + 2 * CD_REAL_EPSILON) *
               most; /* what is reckoned in doubles is given 1e-15 twice; the centre is rounded */
        corner[0] = t.a;
        corner[1] = t.b;
        corner[2] = t.c;
        side = cd_vec3_length(cd_vec3_sub(t.a, t.b)) + cd_vec3_length(cd_vec3_sub(t.c, t.b));
        radius = side * (cd_real)test_range(&rng, 0.06, 0.5);
        if (!(radius > 0) || side > 1e15) continue;
        test_note("");
        test_note_reals("corners", REALS(t), 9);
        CHECK_INT(ASK("judge", cd_spheretree_cover(&v, radius, spheres, 600, &n)), CD_OK);
        if (!CHECK(n > 0 && n <= 600)) continue;
        for (size_t k = 0; k < n; ++k) CHECK((double)spheres[k].radius <= (double)radius * 1.00001 + room);
        for (int k = 0; k < 60; ++k) {
            double x = k < 3 ? k == 0 : test_unit(&rng), y = k < 3 ? k == 1 : test_unit(&rng);
            cd_vec3 p, e, f;
            if (x + y > 1) x = 1 - x, y = 1 - y;
            e = cd_vec3_scale(cd_vec3_sub(t.b, t.a), (cd_real)x);
            f = cd_vec3_scale(cd_vec3_sub(t.c, t.a), (cd_real)y);
            p = cd_vec3_add(t.a, cd_vec3_add(e, f));
            if (g.kind == GEN_WIDE || g.kind == GEN_FAR) p = k == 0 ? t.a : k == 1 ? t.b : t.c;
            if (!CHECK(point_is_covered(p, spheres, n))) break;
        }
    }
}

static void needles_are_covered(void) {
    cd_vec3 corner[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    cd_mesh_view v = cd_mesh_view_make(corner, 3, NULL, 1);
    size_t n;
    corner[0] = cd_vec3_make(0, 0, 0);
    corner[1] = cd_vec3_make(1000, 0, 0);
    corner[2] = cd_vec3_make(500, (cd_real)0.001, 0);
    CHECK_INT(cd_spheretree_cover(&v, 1, NULL, 0, &n), CD_OK);
    CHECK(n >= 500 && n <= 40000);
    CHECK_INT(cd_spheretree_cover(&v, (cd_real)1e-30, NULL, 0, &n), CD_OK);
    CHECK(n <= 65536);
    CHECK_INT(cd_spheretree_cover(&v, 0, NULL, 0, &n), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_spheretree_cover(&v, (cd_real)NAN, NULL, 0, &n), CD_INVALID_ARGUMENT);
    corner[2].z = (cd_real)INFINITY;
    CHECK_INT(cd_spheretree_cover(&v, 1, NULL, 0, &n), CD_INVALID_ARGUMENT);
    CHECK_INT(n, 0);
}

/* ---- hostile input ---- */

static void nothing_is_quadratic(void) {
    test_rng rng = test_random();
    uint32_t n = test_is_small() ? 500 : 8000;
    for (int k = 0; k < 4; ++k) {
        gen_mesh m = k == 0   ? gen_mesh_identical(n)
                     : k == 1 ? gen_mesh_slivers(n, &rng)
                     : k == 2 ? gen_mesh_spiral(n)
                              : gen_mesh_soup(n, 0.1, GEN_WIDE, &rng);
        for (uint32_t method = 0; method < METHODS; ++method) {
            cd_bvtree t = build(&m, method, 0);
            test_note("mesh %d, method %u", k, method);
            CHECK_INT(cd_bvtree_count(&t), m.triangle_count);
            CHECK(cd_bvtree_node_count(&t) < 2 * m.triangle_count);
            cd_bvtree_destroy(&t);
        }
        gen_mesh_free(&m);
    }
}

static void bad_input_is_refused(void) {
    gen_mesh m = gen_mesh_grid(3);
    cd_mesh_view v = gen_mesh_view(&m), empty = v, wrong = v;
    cd_spheretree_fit fit;
    cd_bvtree t;
    empty.triangle_count = 0;
    wrong.indices = NULL;
    wrong.positions = NULL;
    for (uint32_t method = 0; method < METHODS; ++method) {
        cd_spheretree_options o = options_of(method, 0);
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &empty, &o)), CD_OK);
        CHECK_INT(ASK("bad", cd_bvtree_validate(&t)), CD_OK);
        CHECK_INT(ASK("bad", cd_bvtree_count(&t)), 0);
        CHECK_INT(ASK("bad", cd_spheretree_level(&t, 0, NULL, 0)), 0);
        fit = ASK("bad", cd_spheretree_measure(&t, 0));
        CHECK(fit.count == 0 && fit.radius == 0);
        CHECK(!cd_spheretree_may_meet(&t, &t, NULL, 0, 0, NULL));
        cd_bvtree_destroy(&t);
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &wrong, &o)), CD_INVALID_ARGUMENT);
        o.leaf_size = 65;
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &v, &o)), CD_INVALID_ARGUMENT);
        o.leaf_size = 0;
        o.radius = -1;
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &v, &o)), CD_INVALID_ARGUMENT);
        o.radius = (cd_real)NAN;
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &v, &o)), CD_INVALID_ARGUMENT);
        o = options_of(METHODS, 0);
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &v, &o)), CD_INVALID_ARGUMENT);
        o = options_of(method, 0);
        m.vertices[5].y = (cd_real)NAN;
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &v, &o)), CD_OK);
        CHECK(ASK("bad", cd_bvtree_count(&t)) > 0 && ASK("bad", cd_bvtree_count(&t)) < m.triangle_count);
        cd_bvtree_destroy(&t);
        o.flags = 0;
        CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &v, &o)), CD_INVALID_ARGUMENT);
        CHECK(t.block == NULL);
        m.vertices[5].y = 0;
    }
    gen_mesh_free(&m);
}

/* The ends of the numbers: spheres are infinite rather than too small. */
static void huge_meshes_are_held(void) {
    static const double size[] = {1e-44, 1e-37, 1e-20, 1, 1e20, 3e38};
    for (int k = 0; k < 6; ++k) {
        test_rng rng = test_random();
        gen_mesh m = gen_mesh_ball(3, 0.2, &rng);
        for (uint32_t i = 0; i < m.vertex_count; ++i) {
            for (int c = 0; c < 3; ++c) {
                cd_real *x = &REALS(m.vertices[i])[c];
                *x = (cd_real)((double)*x / 1.5 * size[k]);
            }
        }
        for (uint32_t method = 0; method < METHODS; ++method) {
            cd_bvtree t = build(&m, method, 0);
            test_note("size %g, method %u", size[k], method);
            for (uint32_t level = 0; level < 4; ++level) check_level(&t, &m, level);
            CHECK(cd_spheretree_may_meet(&t, &t, NULL, 3, 0, NULL));
            cd_bvtree_destroy(&t);
        }
        gen_mesh_free(&m);
    }
}

/* ---- memory, threads, progress ---- */

static void every_allocation_of_a_build_may_fail(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(4, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    for (uint32_t method = 0; method < METHODS; ++method) {
        cd_status status = CD_OUT_OF_MEMORY;
        for (long n = 0; n < 40 && status == CD_OUT_OF_MEMORY; ++n) {
            test_memory f = {n, 0, 0};
            cd_spheretree_options o = options_of(method, 0);
            cd_bvtree t;
            o.allocator = test_allocator(&f);
            status = ASK("bad", cd_spheretree_build_mesh(&t, &v, &o));
            CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && t.block == NULL && f.live == 0));
            if (status == CD_OK) CHECK_INT(f.bytes, t.bytes);
            ASK("bad", cd_bvtree_destroy(&t));
            CHECK_INT(f.live, 0);
            CHECK_INT(f.bytes, 0);
        }
        CHECK_INT(status, CD_OK);
    }
    gen_mesh_free(&m);
}

static void tasks_backwards(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    ++*(int *)user;
    while (count-- > 0) task(ctx, count);
}

static void any_executor_gives_the_same_tree(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_is_small() ? 6 : 40, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    for (uint32_t method = 0; method < METHODS; ++method) {
        cd_spheretree_options o = options_of(method, 0);
        cd_bvtree a, b;
        int runs = 0;
        CHECK_INT(cd_spheretree_build_mesh(&a, &v, &o), CD_OK);
        o.executor.user = &runs;
        o.executor.run = tasks_backwards;
        CHECK_INT(ASK("forms", cd_spheretree_build_mesh(&b, &v, &o)), CD_OK);
        CHECK(runs > 0 && a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
        cd_bvtree_destroy(&a);
        cd_bvtree_destroy(&b);
    }
    gen_mesh_free(&m);
}

typedef struct clock_watcher {
    int calls, stop_at;
    float last;
    bool rising;
} clock_watcher;

static bool look_on(void *user, float done) {
    clock_watcher *w = (clock_watcher *)user;
    w->rising = w->rising && done >= w->last && done <= 1.0f;
    w->last = done;
    return ++w->calls != w->stop_at;
}

static void a_build_tells_and_cancels(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(6, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    for (uint32_t method = 0; method < METHODS; ++method) {
        int calls = 1;
        for (int stop = 0; stop <= calls; ++stop) {
            test_memory f = {1000, 0, 0};
            clock_watcher w = {0, stop, 0.0f, true};
            cd_spheretree_options o = options_of(method, 0);
            cd_bvtree t;
            o.allocator = test_allocator(&f);
            o.executor.user = &w;
            o.executor.progress = look_on;
            test_note("method %u, stop %d", method, stop);
            CHECK_INT(ASK("bad", cd_spheretree_build_mesh(&t, &v, &o)), stop ? CD_CANCELLED : CD_OK);
            CHECK(w.rising && (stop || w.last == 1.0f));
            if (!stop) calls = w.calls;
            ASK("bad", cd_bvtree_destroy(&t));
            CHECK_INT(f.live, 0);
        }
        CHECK(calls >= 3);
    }
    gen_mesh_free(&m);
}

void suite_spheretree(void) {
    test_rng rng;
    rng.state = 77;
    mesh_count = gen_all_meshes(&rng, meshes);
    RUN(queries_are_exact);
    RUN(levels_cover);
    RUN(pruned_spheres_fit_best);
    RUN(trees_that_meet_may_meet);
    RUN(covers_cover);
    RUN(needles_are_covered);
    RUN(nothing_is_quadratic);
    RUN(bad_input_is_refused);
    RUN(huge_meshes_are_held);
    RUN(every_allocation_of_a_build_may_fail);
    RUN(any_executor_gives_the_same_tree);
    RUN(a_build_tells_and_cancels);
    for (int i = 0; i < mesh_count; ++i) gen_mesh_free(&meshes[i].mesh);
}
