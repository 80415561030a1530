/* The inside of the hull builder: the order of points, the bound of work, points taken at random. What it gives is judged by
 * test_hull.c. */
#include "parts.h"
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

typedef struct result {
    cd_hull hull;
    uint64_t work;
    int dimension;
} result;

static result build(const cd_vec3 *points, uint32_t count, uint64_t allowance) {
    cdi_cloud_input input;
    cdi_cloud cloud;
    cdi_qh q;
    cd_allocator allocator;
    result r;
    memset(&allocator, 0, sizeof allocator);
    memset(&input, 0, sizeof input);
    memset(&r, 0, sizeof r);
    input.points = points;
    input.count = count;
    CHECK_INT(cdi_cloud_arrange(&cloud, &input, NULL, count, &allocator), CD_OK);
    CHECK_INT(cdi_qh_begin(&q, &cloud, NULL, &allocator, NULL), CD_OK);
    CHECK_INT(cdi_qh_insert_all(&q, allowance), CD_OK);
    r.work = q.work;
    r.dimension = q.dimension;
    CHECK_INT(cdi_facets_write(&r.hull, &q, 0.0), CD_OK);
    cdi_qh_free(&q);
    cdi_cloud_free(&cloud, &allocator);
    return r;
}

static void same_hull(const result *a, const result *b) {
    cd_hull_parts p = cd_hull_get_parts(&a->hull), q = cd_hull_get_parts(&b->hull);
    CHECK_INT(cd_hull_validate(&a->hull), CD_OK);
    CHECK_INT(cd_hull_validate(&b->hull), CD_OK);
    CHECK_INT(a->dimension, b->dimension);
    CHECK_INT(p.vertex_count, q.vertex_count);
    CHECK_INT(p.half_edge_count, q.half_edge_count);
    CHECK_INT(p.face_count, q.face_count);
    if (p.vertex_count != q.vertex_count || p.vertex_count == 0) return;
    CHECK(memcmp(p.vertices, q.vertices, p.vertex_count * sizeof *p.vertices) == 0);
    CHECK(memcmp(p.sources, q.sources, p.vertex_count * sizeof *p.sources) == 0);
}

/* Taken at random from the first point on, or from somewhere in the middle, the hull is the same. */
static void at_random(void) {
    test_rng rng = test_random();
    cd_vec3 *points = (cd_vec3 *)malloc(MOST * sizeof *points);
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        uint32_t count = (uint32_t)test_int(&rng, 1, i % 20 == 0 ? MOST : 60);
        result a, b, c;
        for (uint32_t k = 0; k < count; ++k) points[k] = gen_point(&g);
        test_note("%u points of kind %d", (unsigned)count, (int)g.kind);
        a = build(points, count, ~(uint64_t)0);
        b = build(points, count, 0);
        c = build(points, count, (uint64_t)test_int(&rng, 1, 40 * (int)count));
        same_hull(&a, &b);
        same_hull(&a, &c);
        cd_hull_destroy(&a.hull);
        cd_hull_destroy(&b.hull);
        cd_hull_destroy(&c.hull);
    }
    free(points);
}

/* Points whose distances shrink by a constant factor: each farthest point leaves all the others on one face. */
static uint32_t shrinking(cd_vec3 *points, uint32_t count, double factor) {
    double x = 1.0;
    for (uint32_t i = 0; i < count; ++i, x *= factor) {
        points[i].x = (cd_real)x;
        points[i].y = (cd_real)(x * x);
        points[i].z = (cd_real)(i % 2 ? x * x * x : 0.0);
    }
    return count;
}

/* The bound that the documentation gives: 64 n log2 n tests for the farthest points, and an expected n log n for those at
 * random, of which forty are allowed here. */
static void check_work(const cd_vec3 *points, uint32_t count, const char *name) {
    result r = build(points, count, cdi_qh_allowance(count));
    double allowed = 2.0 * (double)cdi_qh_allowance(count);
    test_note("%s: %u points, %.0f tests", name, (unsigned)count, (double)r.work);
    CHECK((double)r.work < allowed);
    CHECK_INT(cd_hull_validate(&r.hull), CD_OK);
    cd_hull_destroy(&r.hull);
}

static void bound_of_work(void) {
    static const double factors[] = {0.5, 0.7, 0.9, 0.99, 0.999};
    uint32_t most = test_times(20) > 20 ? 20000 : test_is_small() ? 400 : 3000;
    cd_vec3 *points = (cd_vec3 *)malloc(most * sizeof *points);
    for (int i = 0; i < 5; ++i) check_work(points, shrinking(points, most, factors[i]), "shrinking");
    for (uint32_t i = 0; i < most; ++i) {
        double t = (double)i / (double)most;
        points[i] = cd_vec3_make((cd_real)t, (cd_real)(t * t), (cd_real)(t * t * t));
    }
    check_work(points, most, "moment curve");
    /* a cone: half of the points around, half up the axis */
    for (uint32_t i = 0; i < most; ++i) {
        double t = 6.283185307179586 * (double)i / (double)most;
        points[i] = i % 2 ? cd_vec3_make(0, 0, (cd_real)(1.0 + t))
                          : cd_vec3_make((cd_real)cos(t), (cd_real)sin(t), 0);
    }
    check_work(points, most, "cone");
    /* two lines askew: each point of one sees all of the other */
    for (uint32_t i = 0; i < most; ++i) {
        double t = (double)i / (double)most - 0.5, bulge = 1.0 - t * t;
        points[i] = i % 2 ? cd_vec3_make((cd_real)t, 0, (cd_real)bulge)
                          : cd_vec3_make(0, (cd_real)t, (cd_real)-bulge);
    }
    check_work(points, most, "two arcs");
    /* turn by turn around a ball, from below; or from the middle to both poles */
    for (int order = 0; order < 2; ++order) {
        for (uint32_t i = 0; i < most; ++i) {
            double u = 2.0 * (double)i / (double)most - 1.0, z = order ? (i % 2 ? u * u : -u * u) : u;
            double t = 37.0 * 6.283185307179586 * u, r = sqrt(1.0 - z * z);
            points[i] = cd_vec3_make((cd_real)(r * cos(t)), (cd_real)(r * sin(t)), (cd_real)z);
        }
        check_work(points, most, order ? "ball from the middle" : "ball in a spiral");
    }
    /* a paraboloid over a spiral: all are corners, each outside of all before */
    for (uint32_t i = 0; i < most; ++i) {
        double t = 0.5 * (double)i, r = (double)i / (double)most;
        points[i] = cd_vec3_make((cd_real)(r * cos(t)), (cd_real)(r * sin(t)), (cd_real)(r * r));
    }
    check_work(points, most, "paraboloid");
    /* in one plane: a circle, and in line */
    for (uint32_t i = 0; i < most / 8; ++i) {
        double t = 6.283185307179586 * (double)i / (double)(most / 8);
        points[i] = cd_vec3_make((cd_real)cos(t), (cd_real)sin(t), (cd_real)cos(t));
    }
    check_work(points, most / 8, "circle");
    for (uint32_t i = 0; i < most; ++i)
        points[i] = cd_vec3_make((cd_real)i, (cd_real)(2 * i), (cd_real)(3 * i));
    check_work(points, most, "line");
    free(points);
}

/* Equal points become the first of them, and the order does not depend on that of the input. */
static void order_of_points(void) {
    test_rng rng = test_random();
    cd_vec3 points[64], shuffled[64];
    uint32_t from[64];
    cd_allocator allocator;
    memset(&allocator, 0, sizeof allocator);
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        uint32_t count = (uint32_t)test_int(&rng, 1, 64);
        cdi_cloud_input input;
        cdi_cloud a, b;
        memset(&input, 0, sizeof input);
        input.count = count;
        for (uint32_t k = 0; k < count; ++k) {
            points[k] =
                k > 0 && test_int(&rng, 0, 3) == 0 ? points[test_int(&rng, 0, (int)k - 1)] : gen_point(&g);
            from[k] = k;
        }
        for (uint32_t k = count; k-- > 1;) {
            uint32_t j = (uint32_t)test_int(&rng, 0, (int)k), t = from[k];
            from[k] = from[j];
            from[j] = t;
        }
        for (uint32_t k = 0; k < count; ++k) shuffled[k] = points[from[k]];
        input.points = points;
        CHECK_INT(cdi_cloud_arrange(&a, &input, NULL, count, &allocator), CD_OK);
        input.points = shuffled;
        CHECK_INT(cdi_cloud_arrange(&b, &input, NULL, count, &allocator), CD_OK);
        CHECK_INT(a.count, b.count);
        for (uint32_t k = 0; k < a.count && a.count == b.count; ++k) {
            const cd_vec3 *p = &points[a.point[k].source], *q = &shuffled[b.point[k].source];
            CHECK(p->x == q->x && p->y == q->y && p->z == q->z);
            for (uint32_t j = 0; j < a.point[k].source; ++j)
                CHECK(points[j].x != p->x || points[j].y != p->y || points[j].z != p->z);
        }
        cdi_cloud_free(&a, &allocator);
        cdi_cloud_free(&b, &allocator);
    }
}

/* The bound of the error of heights: never a wrong sign, and few exact tests on points at random. */
static void heights(void) {
    test_rng rng = test_random();
    for (long i = test_times(100000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 points[5];
        double x[4][3];
        cd_allocator allocator;
        cdi_cloud_input input;
        cdi_cloud cloud;
        cdi_qh q;
        cdi_qh_face f;
        memset(&allocator, 0, sizeof allocator);
        memset(&input, 0, sizeof input);
        memset(&q, 0, sizeof q);
        input.points = points;
        input.count = 5;
        if (i % 2) gen_coplanar(&g, points);
        for (int k = i % 2 ? 4 : 0; k < 5; ++k) points[k] = gen_point(&g);
        CHECK_INT(cdi_cloud_arrange(&cloud, &input, NULL, 5, &allocator), CD_OK);
        if (cloud.count == 5) {
            q.cloud = &cloud;
            q.apex = CD_NONE;
            for (uint32_t k = 0; k < 4; ++k) {
                cd_vec3 p = points[cloud.point[k].source];
                x[k][0] = (double)p.x;
                x[k][1] = (double)p.y;
                x[k][2] = (double)p.z;
            }
            cdi_qh_set_face(&q, &f, 0, 1, 2);
            test_note_reals("points", REALS(points), 15);
            CHECK_INT(cdi_sign(cdi_qh_height(&q, &f, 3)), -oracle_orient3d(x[0], x[1], x[2], x[3]));
        }
        cdi_cloud_free(&cloud, &allocator);
    }
}

void suite_quickhull(void) {
    RUN(order_of_points);
    RUN(heights);
    RUN(at_random);
    RUN(bound_of_work);
}
