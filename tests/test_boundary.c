/* The boundary test of polyhedra against the exact test of hulls, and against the axes where one is posed. */
#include "gen.h"
#include <math.h>
#include <string.h>

static cd_hull draw_hull(gen *g, double size) {
    cd_vec3 p[24];
    cd_hull h;
    int count = test_int(g->rng, 1, 24), flat = test_int(g->rng, 0, 4);
    for (int i = 0; i < count; ++i) {
        p[i] = cd_vec3_scale(gen_point(g), (cd_real)size);
        if (flat == 0) p[i].y = p[0].y;
    }
    if (cd_hull3_build(&h, p, (size_t)count, NULL) != CD_OK) memset(&h, 0, sizeof h);
    return h;
}

static void note_hull(const char *name, const cd_hull *h) {
    cd_hull_parts p = cd_hull_get_parts(h);
    test_note_reals(name, (const cd_real *)(const void *)p.vertices, 3 * (int)p.vertex_count);
}

static void hulls_in_one_frame(void) {
    test_rng rng = test_random();
    long all = test_times(780), meet = 0, inside = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        double size = test_int(&rng, 0, 3) ? 1 : 0.125;
        cd_hull a = draw_hull(&g, 1), b = draw_hull(&g, size);
        cd_hull_parts q = cd_hull_get_parts(&b);
        bool want = cd_test_hull_hull(&a, &b);
        test_note("");
        note_hull("a", &a);
        note_hull("b", &b);
        CHECK_INT(ASK("exact", cd_test_polyhedron_boundary(&a, &b, NULL)), want);
        CHECK_INT(ASK("exact", cd_test_polyhedron_boundary(&b, &a, NULL)), want);
        if (want && q.vertex_count) {
            bool all_in = true;
            for (uint32_t k = 0; k < q.vertex_count; ++k)
                all_in = all_in && cd_locate_point_hull(q.vertices[k], &a) > 0;
            inside += all_in;
        }
        meet += want;
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
    CHECK_SEEN(meet > all / 20 && meet < all && inside > 0);
}

static void posed_hulls(void) {
    test_rng rng = test_random();
    long all = test_times(400), meet = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_hull a = draw_hull(&g, 1), b = draw_hull(&g, i % 3 ? 1 : 0.25);
        cd_transform pose = gen_pose(&rng, 1.0);
        cd_sat_axis axis = cd_sat_hull_hull(&a, &b, &pose, NULL);
        bool got = ASK("judge", cd_test_polyhedron_boundary(&a, &b, &pose));
        test_note("");
        note_hull("a", &a);
        note_hull("b", &b);
        test_note_reals("at", REALS(pose), 7);
        if (axis.status != CD_OK) continue;
        if (axis.separation > (cd_real)1e-5) CHECK(!got);
        if (axis.separation < (cd_real)-1e-5) CHECK(got);
        meet += got;
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
    CHECK_SEEN(meet > all / 20 && meet < all);
}

/* Triangle i of the fan of a face. */
static cd_triangle fan_triangle(const cd_hull_parts *h, uint32_t face, uint32_t i) {
    const cd_half_edge *e = h->half_edges + h->faces[face].first;
    cd_triangle t;
    t.a = h->vertices[e[0].origin];
    t.b = h->vertices[e[i + 1].origin];
    t.c = h->vertices[e[i + 2].origin];
    return t;
}

/* Any triangle of the one with any of the other. */
static bool fans_meet(const cd_hull_parts *p, const cd_hull_parts *q) {
    for (uint32_t f = 0; f < p->face_count; ++f)
        for (uint32_t i = 0; i + 2 < p->faces[f].count; ++i)
            for (uint32_t g = 0; g < q->face_count; ++g)
                for (uint32_t j = 0; j + 2 < q->faces[g].count; ++j) {
                    cd_triangle t = fan_triangle(p, f, i), u = fan_triangle(q, g, j);
                    if (cd_test_triangle_triangle(&t, &u)) return true;
                }
    return false;
}

/* Boxes whose top is bent along one diagonal or the other, and all merged to one face: a roof on a roof, where only the ridges, lines of the
 * fans of both, come near each other; and a roof in a valley. */
static void ridges_of_bent_faces(void) {
    cd_hull_options o;
    int merged = 0, meet = 0, all = 0;
    memset(&o, 0, sizeof o);
    o.merge_distance = (cd_real)0.25;
    for (int i = 0; i < 48; ++i) {
        cd_vec3 p[2][8];
        cd_hull h[2];
        cd_hull_parts q[2];
        for (int b = 0; b < 2; ++b) {
            int bend = b ? i >> 1 & 1 : i & 1, turn = b ? i >> 2 & 1 : 0, raised = i / 8 + 1;
            for (int k = 0; k < 8; ++k) {
                int x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1, up = (x * y > 0) == bend;
                double z = k & 4 ? 1 + (up ? 0.015625 : -0.015625) : 0;
                if (b) z = 2 + raised * 0.0078125 - z;
                p[b][k].x = (cd_real)(turn ? -y : x) * (cd_real)(b ? 0.875 : 1);
                p[b][k].y = (cd_real)(turn ? x : y) * (cd_real)(b ? 0.875 : 1);
                p[b][k].z = (cd_real)z;
            }
            CHECK_INT(cd_hull3_build(&h[b], p[b], 8, &o), CD_OK);
            q[b] = cd_hull_get_parts(&h[b]);
            merged += q[b].face_count == 6;
        }
        test_note("%d ", i);
        CHECK_INT(ASK("loop", cd_test_polyhedron_boundary(&h[0], &h[1], NULL)), fans_meet(&q[0], &q[1]));
        meet += fans_meet(&q[0], &q[1]);
        ++all;
        cd_hull_destroy(&h[0]);
        cd_hull_destroy(&h[1]);
    }
    CHECK_INT(merged, 2 * all);
    CHECK_SEEN(meet > all / 8 && meet < all);
}

static void bad_input(void) {
    cd_hull none, one;
    cd_transform bad;
    cd_vec3 p = cd_vec3_make(1, 2, 3);
    memset(&none, 0, sizeof none);
    memset(&bad, 0, sizeof bad);
    CHECK_INT(cd_hull3_build(&one, &p, 1, NULL), CD_OK);
    CHECK(cd_test_polyhedron_boundary(&one, &one, NULL));
    CHECK(cd_test_polyhedron_boundary(&one, &one, &bad));
    bad.position.y = (cd_real)NAN;
    CHECK(!cd_test_polyhedron_boundary(&one, &one, &bad));
    CHECK(!cd_test_polyhedron_boundary(&one, &none, NULL));
    CHECK(!cd_test_polyhedron_boundary(&none, &one, NULL));
    CHECK(!cd_test_polyhedron_boundary(NULL, NULL, NULL));
    cd_hull_destroy(&one);
}

void suite_boundary(void) {
    RUN(hulls_in_one_frame);
    RUN(posed_hulls);
    RUN(ridges_of_bent_faces);
    RUN(bad_input);
}
