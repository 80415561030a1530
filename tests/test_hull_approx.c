/* Faces as separating planes: never apart when an exact test finds a common point; and seldom the other way about. */
#include "gen.h"
#include "hulls.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Do a and the moved points of b meet? Exact, by the Minkowski difference. */
static bool truly_meet(const cd_hull *a, const cd_vec3 *moved, size_t count) {
    cd_hull b;
    int where = -1;
    CHECK_INT(cd_hull3_build(&b, moved, count, NULL), CD_OK);
    CHECK_INT(cd_minkowski_locate_origin3(&where, a, &b, NULL), CD_OK);
    cd_hull_destroy(&b);
    return where >= 0;
}

/* Spheres at the middles of the hull's triangles and its centre, each reaching over the tetrahedron of a triangle and the
 * centre. */
static size_t cover(const cd_hull *hull, cd_sphere *out, size_t room) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t t[3 * 200];
    size_t count = cd_hull_triangles(hull, t, 200);
    if (count > room || count > 200) return 0;
    for (size_t i = 0; i < count; ++i) {
        cd_vec3 c = p.center;
        double r = 0;
        for (int k = 0; k < 3; ++k) c = cd_vec3_add(c, p.vertices[t[3 * i + (size_t)k]]);
        c = cd_vec3_scale(c, (cd_real)0.25);
        for (int k = 0; k < 3; ++k) r = fmax(r, (double)cd_vec3_dist(c, p.vertices[t[3 * i + (size_t)k]]));
        r = fmax(r, (double)cd_vec3_dist(c, p.center));
        out[i].center = c;
        out[i].radius = (cd_real)(r * 1.0001);
    }
    return count;
}

static void never_apart_when_they_meet(void) {
    test_rng rng = test_random();
    int meet = 0, apart = 0, wrong = 0;
    for (long i = test_times(1200); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_vec3 p[2][24], moved[24];
        size_t n[2];
        cd_transform pose = gen_pose(&rng, 0);
        cd_hull hull[2];
        cd_hull_approx a[2], covered;
        cd_sphere spheres[200];
        size_t count;
        bool truth, got;
        for (int k = 0; k < 2; ++k) {
            n[k] = (size_t)test_int(&rng, 1, 24);
            for (size_t j = 0; j < n[k]; ++j) p[k][j] = gen_point(&g);
            CHECK_INT(cd_hull3_build(&hull[k], p[k], n[k], NULL), CD_OK);
            CHECK_INT(ASK("exact", cd_hull_approx_make(&a[k], &hull[k], NULL, 0, NULL)), CD_OK);
        }
        if (i % 3) pose = cd_transform_identity();
        pose.position = cd_vec3_scale(cd_vec3_sub(gen_point(&g), gen_point(&g)), (cd_real)(i % 5 ? 0.8 : 1));
        for (size_t j = 0; j < n[1]; ++j) moved[j] = cd_transform_point(&pose, p[1][j]);
        test_note("kind %d ", (int)g.kind);
        test_note_reals("pose", &pose.rotation.x, 7);
        test_note_reals("a", &p[0][0].x, (int)(3 * n[0]));
        test_note_reals("b", &p[1][0].x, (int)(3 * n[1]));
        truth = truly_meet(&hull[0], moved, n[1]);
        got = ASK("exact", cd_test_hull_hull_approx(&a[0], &a[1], &pose));
        CHECK(got || !truth);
        if (g.kind == GEN_UNIT) {
            meet += truth;
            apart += !truth;
            wrong += got && !truth;
        }
        count = g.kind == GEN_WIDE ? 0 : cover(&hull[0], spheres, 200);
        if (count > 0 &&
            ASK("exact", cd_hull_approx_make(&covered, &hull[0], spheres, count, NULL)) == CD_OK) {
            CHECK(ASK("exact", cd_test_hull_hull_approx(&covered, &a[1], &pose)) || !truth);
            cd_hull_approx_destroy(&covered);
        }
        for (int k = 0; k < 2; ++k) {
            cd_hull_approx_destroy(&a[k]);
            cd_hull_destroy(&hull[k]);
        }
    }
    CHECK_SEEN(meet > 2 && apart > 2 && wrong * 2 < apart);
}

/* Boxes side by side, touching, and across each other's edges. */
static void boxes(void) {
    cd_vec3 v[8];
    cd_hull hull;
    cd_hull_approx a;
    cd_transform pose = cd_transform_identity();
    for (int i = 0; i < 8; ++i)
        v[i] = cd_vec3_make((cd_real)(i & 1 ? 1 : -1), (cd_real)(i & 2 ? 1 : -1), (cd_real)(i & 4 ? 1 : -1));
    CHECK_INT(cd_hull3_build(&hull, v, 8, NULL), CD_OK);
    CHECK_INT(ASK("exact", cd_hull_approx_make(&a, &hull, NULL, 0, NULL)), CD_OK);
    CHECK(a.plane_count == 6 && a.sphere_count == 8);
    for (int i = 1; i < 3; ++i) { /* three perpendicular planes first */
        for (int j = 0; j < i; ++j) CHECK(fabs((double)cd_vec3_dot(a.planes[i].n, a.planes[j].n)) < 1e-6);
    }
    CHECK(cd_test_hull_hull_approx(&a, &a, NULL));
    pose.position.x = 2;
    CHECK(cd_test_hull_hull_approx(&a, &a, &pose));
    pose.position.x = (cd_real)2.001;
    CHECK(!cd_test_hull_hull_approx(&a, &a, &pose));
    pose.position.x = (cd_real)NAN;
    CHECK(cd_test_hull_hull_approx(&a, &a, &pose));
    cd_hull_approx_destroy(&a);
    CHECK(!cd_test_hull_hull_approx(&a, &a, NULL));
    cd_hull_approx_destroy(&a);
    cd_hull_destroy(&hull);
}

/* A double pyramid over a wide plate, with a tip towards it: no face of the pyramid parts them, nor do balls around them; the plate's
 * face does, and only that. */
static void one_face_alone_parts(void) {
    cd_vec3 v[8];
    cd_hull hull;
    cd_hull_approx tips, plate;
    for (int i = 0; i < 6; ++i) {
        v[i] = cd_vec3_make(0, 0, 0);
        REALS(v[i])[i / 2] = (cd_real)(i % 2 ? 1 : -1);
    }
    CHECK_INT(cd_hull3_build(&hull, v, 6, NULL), CD_OK);
    CHECK_INT(cd_hull_approx_make(&tips, &hull, NULL, 0, NULL), CD_OK);
    cd_hull_destroy(&hull);
    for (int side = 0; side < 6; ++side) {
        cd_transform pose = cd_transform_identity();
        for (int i = 0; i < 8; ++i) {
            for (int k = 0; k < 3; ++k)
                REALS(v[i])[k] = (cd_real)((i >> k & 1 ? 1 : -1) * (k == side / 2 ? 0.5 : 16.0));
        }
        CHECK_INT(cd_hull3_build(&hull, v, 8, NULL), CD_OK);
        CHECK_INT(cd_hull_approx_make(&plate, &hull, NULL, 0, NULL), CD_OK);
        for (int i = 0; i < 4; ++i) {
            static const double height[4] = {1.49, 1.51, 2.0, 8.0};
            test_note("side %d, height %g", side, height[i]);
            REALS(pose.position)[side / 2] = (cd_real)((side % 2 ? 1 : -1) * height[i]);
            CHECK_INT(cd_test_hull_hull_approx(&plate, &tips, &pose), i == 0);
            REALS(pose.position)[side / 2] = (cd_real)((side % 2 ? -1 : 1) * height[i]);
            CHECK_INT(cd_test_hull_hull_approx(&tips, &plate, &pose), i == 0);
        }
        cd_hull_approx_destroy(&plate);
        cd_hull_destroy(&hull);
    }
    cd_hull_approx_destroy(&tips);
}

/* All vertices are below a stored plane by more than the rounding of its numbers, and not by much more. */
static void planes_are_moved_out(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[24], off = cd_vec3_scale(gen_point(&g), 8);
        cd_hull hull;
        cd_hull_approx a;
        cd_hull_parts h;
        for (int k = 0; k < 24; ++k) p[k] = cd_vec3_add(gen_point(&g), off);
        CHECK_INT(cd_hull3_build(&hull, p, 24, NULL), CD_OK);
        CHECK_INT(ASK("judge", cd_hull_approx_make(&a, &hull, NULL, 0, NULL)), CD_OK);
        h = cd_hull_get_parts(&hull);
        test_note("");
        test_note_reals("points", &p[0].x, 72);
        for (uint32_t f = 0; f < a.plane_count; ++f) {
            const cd_plane *q = &a.planes[f];
            double most = 0, size = 0;
            for (uint32_t k = 0; k < h.vertex_count; ++k) {
                cd_vec3 v = h.vertices[k];
                double above = (double)q->n.x * (double)v.x + (double)q->n.y * (double)v.y +
                               (double)q->n.z * (double)v.z - (double)q->d;
                size = fmax(size, fabs((double)v.x) + fabs((double)v.y) + fabs((double)v.z));
                most = k == 0 ? above : fmax(most, above);
            }
            CHECK(most <= -2 * (double)CD_REAL_EPSILON * size &&
                  most >= -16 * (double)CD_REAL_EPSILON * size);
        }
        cd_hull_approx_destroy(&a);
        cd_hull_destroy(&hull);
    }
}

/* Memory with NaN behind each block. */
static void *padded_alloc(void *user, size_t size, size_t align) {
    unsigned char *p = (unsigned char *)malloc(size + 256);
    (void)user;
    (void)align;
    if (p) memset(p, 0xFF, size + 256);
    return p;
}

static void padded_free(void *user, void *p, size_t size) {
    (void)user;
    (void)size;
    free(p);
}

/* A face parts the boxes, of which the balls around them overlap: of that one vertex or ball too many would know nothing. */
static void nothing_behind_the_last_is_looked_at(void) {
    cd_vec3 v[2][8];
    cd_hull hull[2];
    cd_hull_approx a[2];
    cd_allocator padded;
    memset(&padded, 0, sizeof padded);
    padded.alloc = padded_alloc;
    padded.free = padded_free;
    for (int b = 0; b < 2; ++b) {
        for (int i = 0; i < 8; ++i)
            v[b][i] = cd_vec3_make((cd_real)((i & 1 ? 1 : -1) + b * 2.5), (cd_real)(i & 2 ? 1 : -1),
                                   (cd_real)(i & 4 ? 1 : -1));
        CHECK_INT(cd_hull3_build(&hull[b], v[b], 8, NULL), CD_OK);
        CHECK_INT(cd_hull_approx_make(&a[b], &hull[b], NULL, 0, &padded), CD_OK);
    }
    CHECK(!ASK("exact", cd_test_hull_hull_approx(&a[0], &a[1], NULL)));
    CHECK(!ASK("swap", cd_test_hull_hull_approx(&a[1], &a[0], NULL)));
    for (int b = 0; b < 2; ++b) {
        cd_hull_approx_destroy(&a[b]);
        cd_hull_destroy(&hull[b]);
    }
}

static void bad_input_and_memory(void) {
    cd_hull none, hull;
    cd_hull_approx a;
    cd_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cd_sphere s = {{0, 0, 0}, -1};
    test_memory memory;
    cd_allocator allocator = test_allocator(&memory);
    cd_status status = CD_OUT_OF_MEMORY;
    memset(&none, 0, sizeof none);
    CHECK_INT(ASK("bad", cd_hull_approx_make(&a, &none, NULL, 0, NULL)), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_hull3_build(&hull, v, 4, NULL), CD_OK);
    CHECK_INT(ASK("bad", cd_hull_approx_make(&a, &hull, &s, 1, NULL)), CD_INVALID_ARGUMENT);
    s.radius = 2;
    CHECK_INT(ASK("bad", cd_hull_approx_make(&a, &hull, &s, 0, NULL)), CD_INVALID_ARGUMENT);
    for (long k = 0; k < 10 && status == CD_OUT_OF_MEMORY; ++k) {
        memset(&memory, 0, sizeof memory);
        memory.allowed = k;
        status = ASK("bad", cd_hull_approx_make(&a, &hull, &s, 1, &allocator));
        CHECK(status == CD_OK || (memory.live == 0 && !a.planes && !a.spheres));
        ASK("bad", cd_hull_approx_destroy(&a));
        CHECK_INT(memory.live, 0);
    }
    CHECK_INT(status, CD_OK);
    cd_hull_destroy(&hull);
    v[0].x = v[1].y = v[2].z = CD_REAL_MAX;
    CHECK_INT(cd_hull3_build(&hull, v, 4, NULL), CD_OK);
    CHECK_INT(ASK("bad", cd_hull_approx_make(&a, &hull, NULL, 0, NULL)), CD_TOO_LARGE);
    CHECK(!a.planes);
    cd_hull_destroy(&hull);
}

void suite_hull_approx(void) {
    RUN(never_apart_when_they_meet);
    RUN(boxes);
    RUN(one_face_alone_parts);
    RUN(planes_are_moved_out);
    RUN(nothing_behind_the_last_is_looked_at);
    RUN(bad_input_and_memory);
}
