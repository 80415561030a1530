/* Winding numbers from a tree against the full sum: every error within its bound, every decision as the sum's; closed, open,
 * overlapping, flipped and nested meshes; signed distances. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- meshes ---- */

enum { CLOSED, OPEN, FLIPPED, NESTED, OVERLAPPING, SOUP, SLIVERS, GRID, SINGLE, KINDS };

static const char *const kind_name[KINDS] = {"closed", "open",    "flipped", "nested", "overlapping",
                                             "soup",   "slivers", "grid",    "single"};

static void turn_around(gen_mesh *m) {
    for (uint32_t i = 0; i < m->triangle_count; ++i) {
        uint32_t *at = m->indices + 3 * i, b = at[1];
        at[1] = at[2];
        at[2] = b;
    }
}

/* A mesh of two, the second one scaled and moved. */
static gen_mesh both(gen_mesh a, gen_mesh b, double scale, double move) {
    gen_mesh m;
    m.vertex_count = a.vertex_count + b.vertex_count;
    m.triangle_count = a.triangle_count + b.triangle_count;
    m.vertices = (cd_vec3 *)malloc(m.vertex_count * sizeof *m.vertices);
    m.indices = (uint32_t *)malloc(3 * m.triangle_count * sizeof *m.indices);
    for (uint32_t i = 0; i < m.vertex_count; ++i) {
        cd_vec3 v = i < a.vertex_count ? a.vertices[i] : b.vertices[i - a.vertex_count];
        if (i >= a.vertex_count) {
            v = cd_vec3_scale(v, (cd_real)scale);
            v.x += (cd_real)move;
        }
        m.vertices[i] = v;
    }
    for (uint32_t i = 0; i < 3 * m.triangle_count; ++i)
        m.indices[i] =
            i < 3 * a.triangle_count ? a.indices[i] : b.indices[i - 3 * a.triangle_count] + a.vertex_count;
    gen_mesh_free(&a);
    gen_mesh_free(&b);
    return m;
}

static gen_mesh mesh_of(int kind, test_rng *rng) {
    int n = test_int(rng, 1, 8);
    gen_mesh m = gen_mesh_ball(n, 0.2, rng), other;
    memset(&other, 0, sizeof other);
    switch (kind) {
    case OPEN: m.triangle_count = (uint32_t)test_int(rng, 1, (int)m.triangle_count); break;
    case FLIPPED: turn_around(&m); break;
    case NESTED:
        other = gen_mesh_ball(n, 0.0, rng);
        if (test_int(rng, 0, 1)) turn_around(&other);
        return both(m, other, 0.5, 0.0);
    case OVERLAPPING: return both(m, gen_mesh_ball(3, 0.1, rng), 0.8, 0.9);
    default: break;
    }
    if (kind >= SOUP) gen_mesh_free(&m);
    switch (kind) {
    case SOUP: return gen_mesh_soup((uint32_t)test_int(rng, 1, 400), 0.3, GEN_UNIT, rng);
    case SLIVERS: return gen_mesh_slivers((uint32_t)test_int(rng, 1, 300), rng);
    case GRID: return gen_mesh_grid(n);
    case SINGLE: return gen_mesh_identical((uint32_t)test_int(rng, 1, 20));
    default: return m;
    }
}

/* Scaled by a power of two, and moved off. */
static void place_mesh(gen_mesh *m, test_rng *rng) {
    double scale = ldexp(1.0, test_int(rng, 0, 2) ? 0 : test_int(rng, -40, 40));
    double move = test_int(rng, 0, 2) ? 0.0 : scale * test_range(rng, -1000.0, 1000.0);
    for (uint32_t i = 0; i < 3 * m->vertex_count; ++i) {
        cd_real *x = &m->vertices[0].x + i;
        *x = (cd_real)((double)*x * scale + move);
    }
}

typedef struct wound {
    int kind;
    gen_mesh mesh;
    cd_mesh_view view;
    cd_bvh tree;
    cd_bvh_winding winding;
} wound;

static void wound_begin(wound *w, test_rng *rng, int kind) {
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    w->kind = kind;
    w->mesh = mesh_of(kind, rng);
    place_mesh(&w->mesh, rng);
    w->view = gen_mesh_view(&w->mesh);
    o.layout = (uint32_t)test_int(rng, 0, 3);
    o.leaf_size = (uint32_t)test_int(rng, 0, 7);
    o.flags = test_int(rng, 0, 1) ? (uint32_t)CD_BVH_INDEXED : 0u;
    if (cd_bvh_build_mesh(&w->tree, &w->view, &o) != CD_OK) abort();
    CHECK_INT(ASK("judge", cd_bvh_winding_build(&w->winding, &w->tree, NULL)), CD_OK);
    test_note("%s, %u triangles, layout %u", kind_name[kind], w->mesh.triangle_count, o.layout);
}

static void wound_end(wound *w) {
    cd_bvh_winding_destroy(&w->winding);
    cd_bvh_destroy(&w->tree);
    gen_mesh_free(&w->mesh);
}

/* In or around the mesh, close to a triangle or on it, or far away. */
static cd_vec3 hard_point(test_rng *rng, const wound *w) {
    cd_aabb b = cd_bvh_bounds(&w->tree);
    double size = (double)cd_vec3_dist(b.min, b.max), far_off = ldexp(1.0, test_int(rng, 1, 20));
    cd_triangle t = gen_mesh_triangle(&w->mesh, (uint32_t)test_int(rng, 0, (int)w->mesh.triangle_count - 1));
    cd_vec3 p = cd_vec3_lerp(t.a, t.b, (cd_real)test_unit(rng));
    cd_real *x = REALS(p);
    int kind = test_int(rng, 0, 6);
    double off = kind < 2    ? 0.0
                 : kind == 2 ? ldexp(size, -test_int(rng, 2, 25))
                 : kind == 3 ? size * far_off
                             : size;
    p = cd_vec3_lerp(p, t.c, (cd_real)test_unit(rng));
    if (kind == 1) p = t.a;
    if (kind > 4) p = cd_vec3_lerp(b.min, b.max, (cd_real)0.5);
    if (kind > 4) off *= 0.3;
    for (int k = 0; k < 3; ++k) x[k] = (cd_real)((double)x[k] + off * test_range(rng, -1.0, 1.0));
    return p;
}

/* Before it is rounded. */
static double full_sum(const wound *w, cd_vec3 p) {
    cdi_turning s = cdi_turning_begin();
    for (uint32_t i = 0; i < w->mesh.triangle_count; ++i) {
        cd_triangle t = gen_mesh_triangle(&w->mesh, i);
        cdi_tri tri = cdi_tri_of(&t);
        cdi_turning_triangle(&s, cdi_v3_of(p), &tri);
    }
    return cdi_turning_number(&s);
}

/* ---- numbers ---- */

static void every_error_is_within_its_bound(void) {
    test_rng rng = test_random();
    double worst = 0.0;
    int taken = 0;
    for (long i = test_times(800); i > 0; --i) {
        wound w;
        wound_begin(&w, &rng, (int)(i % KINDS));
        for (int k = 0; k < 4; ++k) {
            cd_vec3 p = hard_point(&rng, &w);
            double want = full_sum(&w, p), most = ldexp(1.0, -test_int(&rng, 0, 20)), error, number;
            number = cdi_winding_within(&w.winding, &w.tree, cdi_v3_of(p), most, &error);
            test_note_reals("p", REALS(p), 3);
            CHECK(error >= 0.0);
            CHECK_NEAR(number, want, error + 1e-10);
            if (error > 1e-6) {
                worst = fmax(worst, fabs(number - want) / error);
                ++taken;
            }
        }
        wound_end(&w);
    }
    CHECK_SEEN(taken > 100 && worst > 0.1); /* the bound is not far off either */
}

static void numbers_are_as_accurate_as_asked(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        wound w;
        wound_begin(&w, &rng, (int)(i % KINDS));
        for (int k = 0; k < 4; ++k) {
            cd_vec3 p = hard_point(&rng, &w);
            cd_real accuracy = (cd_real)(k == 3 ? 0.0 : pow(10.0, test_range(&rng, -7.0, 0.0)));
            cd_real want = cd_winding_number_mesh(p, &w.view);
            double margin = (double)accuracy + (fabs((double)want) + 1.0) * (double)CD_REAL_EPSILON + 1e-10;
            test_note_reals("p, accuracy", REALS(p), 3);
            CHECK_NEAR(ASK("judge", cd_bvh_winding_number(&w.winding, &w.tree, p, accuracy)), want, margin);
        }
        wound_end(&w);
    }
}

static cd_vec3 point_in_bounds(test_rng *rng, const wound *w) {
    cd_aabb b = cd_bvh_bounds(&w->tree);
    cd_vec3 p;
    for (int k = 0; k < 3; ++k) {
        double lo = (double)REALS(b.min)[k], hi = (double)REALS(b.max)[k];
        REALS(p)[k] = (cd_real)(lo + (hi - lo) * test_unit(rng));
    }
    return p;
}

static bool is_closed(int kind) {
    return kind == CLOSED || kind == FLIPPED || kind == NESTED || kind == OVERLAPPING;
}

static void inside_is_as_the_full_sum_says(void) {
    test_rng rng = test_random();
    int inside = 0, outside = 0;
    for (long i = test_times(400); i > 0; --i) {
        wound w;
        wound_begin(&w, &rng, (int)(i % KINDS));
        for (int k = 0; k < 6; ++k) {
            cd_vec3 p = k % 2 ? point_in_bounds(&rng, &w) : hard_point(&rng, &w);
            bool half = k % 2 || test_int(&rng, 0, 1);
            cd_real threshold = (cd_real)(half ? 0.5 : test_range(&rng, -1.5, 2.5));
            double want = full_sum(&w, p);
            bool is = ASK("judge", cd_bvh_test_point_inside(&w.winding, &w.tree, p, threshold));
            int exact;
            test_note_reals("p", REALS(p), 3);
            if (fabs(want - (double)threshold) > 2.0 * (double)CD_REAL_EPSILON + 1e-9)
                CHECK_INT(is, want >= (double)threshold);
            if (half && is_closed(w.kind) && cd_winding_point_mesh(p, &w.view, &exact)) {
                CHECK_INT(is, exact >= 1);
                inside += is;
                outside += !is;
            }
        }
        wound_end(&w);
    }
    CHECK_SEEN(inside > 5 && outside > 5);
}

/* The cost: far fewer triangles than there are. */
static void few_triangles_are_asked(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_is_small() ? 16 : 48, 0.05, &rng);
    cd_mesh_view view = gen_mesh_view(&m);
    cd_bvh tree;
    cd_bvh_winding w;
    if (cd_bvh_build_mesh(&tree, &view, NULL) != CD_OK) abort();
    CHECK_INT(cd_bvh_winding_build(&w, &tree, NULL), CD_OK);
    memset(&test_counted, 0, sizeof test_counted);
    for (int i = 0; i < 100; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p = gen_point(&g);
        CHECK_INT(ASK("forms", cd_bvh_test_point_inside(&w, &tree, p, (cd_real)0.5)),
                  cd_locate_point_mesh(p, &view, CD_FILL_NON_ZERO) > 0);
    }
    CHECK(test_counted.triangle < 100 * 120 && test_counted.node < 100 * 90); /* 30 to 50, and 48 to 62 */
    cd_bvh_winding_destroy(&w);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

/* ---- signed distances ---- */

static void distances_have_the_sign_of_the_number(void) {
    test_rng rng = test_random();
    enum { N = 6 };
    for (long i = test_times(400); i > 0; --i) {
        wound w;
        cd_vec3 points[N];
        cd_real distance, many[N], limit;
        cd_closest one, all[N];
        size_t found = 0;
        wound_begin(&w, &rng, (int)(i % KINDS));
        for (int k = 0; k < N; ++k) points[k] = hard_point(&rng, &w);
        limit = i % 2 ? (cd_real)INFINITY : cd_vec3_dist(points[0], points[1]);
        for (int k = 0; k < N; ++k) {
            cd_closest want, untouched;
            bool is_inside = cd_bvh_test_point_inside(&w.winding, &w.tree, points[k], (cd_real)0.5);
            bool any = cd_bvh_closest(&w.tree, points[k], limit, NULL, &want);
            memset(&untouched, 0x5A, sizeof untouched);
            one = untouched;
            test_note_reals("p", REALS(points[k]), 3);
            CHECK_INT(
                ASK("forms", cd_bvh_signed_distance(&w.winding, &w.tree, points[k], limit, &one, &distance)),
                any);
            CHECK(!memcmp(&one, any ? &want : &untouched, sizeof one));
            CHECK(distance < 0 ? is_inside : distance == 0 || !is_inside);
            CHECK(distance != 0 || !signbit((double)distance));
            if (!any) CHECK_SAME(fabs((double)distance), limit);
            if (any && want.sqdist > (cd_real)1e-30 && want.sqdist < CD_REAL_MAX)
                CHECK_NEAR(fabs((double)distance) / sqrt((double)want.sqdist), 1.0,
                           2.0 * (double)CD_REAL_EPSILON + 1e-30 / sqrt((double)want.sqdist));
            found += any;
        }
        CHECK_INT(ASK("forms", cd_bvh_signed_distances(&w.winding, &w.tree, points, N, limit, all, many)),
                  found);
        for (int k = 0; k < N; ++k) {
            memset(&one, 0, sizeof one);
            one.index_b = CD_NONE;
            ASK("forms", cd_bvh_signed_distance(&w.winding, &w.tree, points[k], limit, &one, &distance));
            CHECK_SAME(many[k], distance);
            CHECK(!memcmp(&one, &all[k], sizeof one));
        }
        CHECK_INT(ASK("forms", cd_bvh_signed_distances(&w.winding, &w.tree, points, N, limit, NULL, many)),
                  found);
        wound_end(&w);
    }
}

/* ---- bad input ---- */

static void bad_points_and_blocks_are_nowhere(void) {
    test_rng rng = test_random();
    cd_vec3 p = cd_vec3_make(0, 0, 0), bad = cd_vec3_make(0, (cd_real)NAN, 0);
    cd_real distance;
    wound w, other;
    cd_bvh none;
    cd_bvh_winding zero;
    wound_begin(&w, &rng, CLOSED);
    wound_begin(&other, &rng, GRID);
    memset(&none, 0, sizeof none);
    memset(&zero, 0, sizeof zero);
    CHECK(isnan((double)cd_bvh_winding_number(&w.winding, &w.tree, bad, (cd_real)0.1)));
    CHECK(!ASK("bad", cd_bvh_test_point_inside(&w.winding, &w.tree, bad, (cd_real)0.5)));
    CHECK(!ASK("bad", cd_bvh_test_point_inside(&w.winding, &w.tree, p, (cd_real)NAN)));
    CHECK(!cd_bvh_signed_distance(&w.winding, &w.tree, bad, 1, NULL, &distance) && isnan((double)distance));
    CHECK(!cd_bvh_signed_distance(&w.winding, &w.tree, p, (cd_real)NAN, NULL, &distance) &&
          isnan((double)distance));
    CHECK(!cd_bvh_signed_distance(&w.winding, &w.tree, p, -1, NULL, &distance) && isnan((double)distance));
    CHECK(isnan((double)cd_bvh_winding_number(&other.winding, &w.tree, p, (cd_real)0.1)));
    CHECK(isnan((double)cd_bvh_winding_number(&zero, &w.tree, p, (cd_real)0.1)));
    CHECK(!cd_bvh_signed_distance(&zero, &w.tree, p, 1, NULL, &distance) && isnan((double)distance));
    CHECK_SAME(cd_bvh_winding_number(&zero, &none, p, (cd_real)0.1), 0);
    CHECK(!ASK("bad", cd_bvh_test_point_inside(&zero, &none, p, (cd_real)0.5)));
    CHECK(!cd_bvh_signed_distance(&zero, &none, p, 7, NULL, &distance) && distance == 7);
    wound_end(&w);
    wound_end(&other);
}

static void other_trees_are_refused(void) {
    cd_vec3 point = cd_vec3_make(1, 2, 3);
    cd_bvh tree;
    cd_bvh_winding w;
    if (cd_bvh_build_points(&tree, &point, 1, NULL) != CD_OK) abort();
    memset(&w, 0x5A, sizeof w);
    CHECK_INT(ASK("bad", cd_bvh_winding_build(&w, &tree, NULL)), CD_INVALID_ARGUMENT);
    CHECK(w.block == NULL && w.bytes == 0);
    cd_bvh_winding_destroy(&w);
    cd_bvh_destroy(&tree);
    memset(&tree, 0, sizeof tree);
    CHECK_INT(ASK("bad", cd_bvh_winding_build(&w, &tree, NULL)), CD_OK);
    CHECK(w.block == NULL);
}

static void every_allocation_may_fail(void) {
    test_rng rng = test_random();
    cd_status status = CD_OUT_OF_MEMORY;
    wound w;
    wound_begin(&w, &rng, CLOSED);
    for (long n = 0; n < 9 && status == CD_OUT_OF_MEMORY; ++n) {
        test_memory f = {n, 0, 0};
        cd_allocator allocator = test_allocator(&f);
        cd_bvh_winding made;
        status = ASK("bad", cd_bvh_winding_build(&made, &w.tree, &allocator));
        CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && made.block == NULL && f.live == 0));
        if (status == CD_OK) CHECK_INT(f.bytes, made.bytes);
        ASK("bad", cd_bvh_winding_destroy(&made));
        CHECK_INT(f.live, 0);
    }
    CHECK_INT(status, CD_OK);
    wound_end(&w);
}

/* Whatever is changed in the bytes: refused, or harmless. */
static void blocks_can_be_viewed(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i > 0; --i) {
        wound w;
        size_t n;
        unsigned char *copy;
        cd_bvh_winding view;
        cd_vec3 p;
        wound_begin(&w, &rng, (int)(i % KINDS));
        p = hard_point(&rng, &w);
        n = w.winding.bytes;
        copy = test_block(n);
        memcpy(copy, w.winding.block, n);
        CHECK_INT(ASK("forms", cd_bvh_winding_view(&view, copy, n)), CD_OK);
        CHECK_SAME(cd_bvh_winding_number(&view, &w.tree, p, (cd_real)0.01),
                   cd_bvh_winding_number(&w.winding, &w.tree, p, (cd_real)0.01));
        CHECK_INT(ASK("bad", cd_bvh_winding_view(&view, copy, n - 64)), CD_CORRUPT);
        CHECK_INT(ASK("bad", cd_bvh_winding_view(&view, copy, 10)), CD_CORRUPT);
        CHECK_INT(ASK("bad", cd_bvh_winding_view(&view, copy + 8, n - 64)), CD_INVALID_ARGUMENT);
        for (int k = test_int(&rng, 1, 8); k > 0; --k)
            copy[test_int(&rng, 0, test_int(&rng, 0, 1) ? 63 : (int)n - 1)] ^=
                (unsigned char)(1 << test_int(&rng, 0, 7));
        if (ASK("bad", cd_bvh_winding_view(&view, copy, n)) == CD_OK) {
            cd_bvh_winding_number(&view, &w.tree, p, (cd_real)0.01);
            cd_bvh_test_point_inside(&view, &w.tree, p, (cd_real)0.5);
        } else {
            CHECK(view.block == NULL);
        }
        test_block_free(copy);
        wound_end(&w);
    }
}

void suite_bvh_winding(void) {
    RUN(every_error_is_within_its_bound);
    RUN(numbers_are_as_accurate_as_asked);
    RUN(inside_is_as_the_full_sum_says);
    RUN(few_triangles_are_asked);
    RUN(distances_have_the_sign_of_the_number);
    RUN(bad_points_and_blocks_are_nowhere);
    RUN(other_trees_are_refused);
    RUN(every_allocation_may_fail);
    RUN(blocks_can_be_viewed);
}
