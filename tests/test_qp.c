/* The distance of polytopes by quadratic programming: boxes in closed form, hulls against all pairs of their faces, corners and
 * edges, duality, bodies without end and without points, GJK, and nonsense. */
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define MARGIN 2e-12
#else
#define MARGIN 1e-6
#endif

static cd_plane plane_of(double x, double y, double z, double d) {
    cd_plane p;
    p.n = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    p.d = (cd_real)d;
    return p;
}

static double dot(cd_vec3 a, cd_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* ---- what every answer keeps ---- */

static double largest_of(const cd_separation *r) {
    double a = fmax(fmax(fabs((double)r->a.x), fabs((double)r->a.y)), fabs((double)r->a.z));
    double b = fmax(fmax(fabs((double)r->b.x), fabs((double)r->b.y)), fabs((double)r->b.z));
    return fmax(a, b);
}

static double extent_of(const cd_separation *r) {
    return largest_of(r) + (double)r->distance;
}

static void keeps_its_word(const cd_separation *r) {
    double margin = 4 * CD_REAL_EPSILON * extent_of(r) + 1e-300;
    CHECK(r->status == CD_OK);
    CHECK(r->distance >= 0 && r->gap >= 0);
    CHECK_NEAR(dot(r->normal, r->normal), 1, 8 * CD_REAL_EPSILON);
    for (int k = 0; k < 3; ++k) {
        double way = (double)(&r->b.x)[k] - (double)(&r->a.x)[k];
        CHECK_NEAR(way, (double)r->distance * (double)(&r->normal.x)[k], margin);
    }
}

/* ---- boxes ---- */

static void box_planes(const double lo[3], const double hi[3], cd_plane out[6]) {
    for (int k = 0; k < 3; ++k) {
        double n[3] = {0, 0, 0};
        n[k] = 3;
        out[2 * k] = plane_of(n[0], n[1], n[2], 3 * hi[k]);
        n[k] = -1;
        out[2 * k + 1] = plane_of(n[0], n[1], n[2], -lo[k]);
    }
}

static void boxes(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(3000); i < times; ++i) {
        double lo[2][3], hi[2][3], square = 0;
        cd_plane p[2][6];
        cd_separation r;
        for (int b = 0; b < 2; ++b) {
            for (int k = 0; k < 3; ++k) {
                int from = test_int(&rng, -4, 4), width = test_int(&rng, 0, 3);
                lo[b][k] = from;
                hi[b][k] = from + width;
            }
            box_planes(lo[b], hi[b], p[b]);
        }
        for (int k = 0; k < 3; ++k) {
            double gap = fmax(fmax(lo[0][k] - hi[1][k], lo[1][k] - hi[0][k]), 0);
            square += gap * gap;
        }
        test_note("box %d", (int)i);
        r = ASK("exact", cd_qp_distance(p[0], 6, p[1], 6, NULL, NULL));
        keeps_its_word(&r);
        CHECK_NEAR(r.distance, sqrt(square), 4 * CD_REAL_EPSILON * 8);
        CHECK(fabs((double)r.distance - sqrt(square)) <= (double)r.gap);
        CHECK((double)r.gap < 1e-5);
    }
}

/* ---- hulls ---- */

typedef struct body {
    hulls_cloud cloud;
    cd_hull hull;
} body;

static body body_of(test_rng *rng, int n, double size, int kind) {
    body b;
    b.cloud.points = NULL;
    b.cloud.count = 0;
    b.cloud.rng = rng;
    for (int i = 0; i < n; ++i) {
        double x[3], length = 0;
        for (int k = 0; k < 3; ++k) {
            x[k] = kind == 1 ? test_int(rng, -2, 2) : test_range(rng, -1, 1);
            length += x[k] * x[k];
        }
        length = kind == 2 && length > 0 ? sqrt(length) : 1;
        if (kind == 3) x[0] *= 1e-3, x[1] *= 30;
        if (kind == 4) x[2] *= 1e-4;
        if (kind == 5) x[2] = 0;
        hulls_cloud_add(&b.cloud, size * x[0] / length, size * x[1] / length, size * x[2] / length);
    }
    CHECK_INT(cd_hull3_build(&b.hull, b.cloud.points, b.cloud.count, NULL), CD_OK);
    return b;
}

static void body_free(body *b) {
    cd_hull_destroy(&b->hull);
    hulls_cloud_free(&b->cloud);
}

/* All corners, in A's frame; the pose in double. */
static void corners_of(const cd_hull_parts *h, const cd_transform *pose, double *out) {
    for (uint32_t i = 0; i < h->vertex_count; ++i) {
        double v[3], q[4], t[3], u[3], norm;
        to_doubles(&h->vertices[i].x, v, 3);
        if (pose) {
            to_doubles(&pose->rotation.x, q, 4);
            norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
            for (int k = 0; k < 3; ++k) {
                int l = (k + 1) % 3, m = (k + 2) % 3;
                t[k] = 2 / norm * (q[l] * v[m] - q[m] * v[l]);
            }
            for (int k = 0; k < 3; ++k) {
                int l = (k + 1) % 3, m = (k + 2) % 3;
                u[k] = v[k] + q[3] * t[k] + (q[l] * t[m] - q[m] * t[l]) + (double)(&pose->position.x)[k];
            }
            memcpy(v, u, sizeof v);
        }
        memcpy(out + 3 * i, v, sizeof v);
    }
}

static int face_of(const cd_hull_parts *h, const double *corners, uint32_t f, double *out) {
    int count = 0;
    if (h->dimension < 2) {
        memcpy(out, corners, 3 * h->vertex_count * sizeof *out);
        return (int)h->vertex_count;
    }
    for (uint32_t i = 0; i < h->faces[f].count; ++i, ++count)
        memcpy(out + 3 * i, corners + 3 * h->half_edges[h->faces[f].first + i].origin, 3 * sizeof *out);
    return count;
}

/* Is a point behind all faces? */
static bool is_inside(const cd_hull_parts *h, const double *corners, const double p[3]) {
    if (h->dimension < 3) return false;
    for (uint32_t f = 0; f < h->face_count; ++f) {
        const double *a = corners + 3 * h->half_edges[h->faces[f].first].origin;
        const double *b = corners + 3 * h->half_edges[h->faces[f].first + 1].origin;
        const double *c = corners + 3 * h->half_edges[h->faces[f].first + 2].origin;
        if (hulls_side(a, b, c, p) < 0) return false;
    }
    return true;
}

static double *room(const cd_hull_parts *h) {
    return (double *)malloc((h->vertex_count + 1) * 3 * sizeof(double));
}

static double reference(const cd_hull *a, const cd_hull *b, const cd_transform *pose) {
    cd_hull_parts p = cd_hull_get_parts(a), q = cd_hull_get_parts(b);
    double *u = room(&p), *v = room(&q), *f = room(&p), *g = room(&q), least = INFINITY;
    corners_of(&p, NULL, u);
    corners_of(&q, pose, v);
    for (uint32_t i = 0; i < p.face_count || i == 0; ++i) {
        int m = face_of(&p, u, i, f);
        for (uint32_t k = 0; k < q.face_count || k == 0; ++k) {
            int n = face_of(&q, v, k, g);
            least = fmin(least, oracle_polygon_polygon(f, m, g, n));
        }
    }
    if (is_inside(&p, u, v) || is_inside(&q, v, u)) least = 0;
    free(u);
    free(v);
    free(f);
    free(g);
    return least;
}

/* How far a point is outside of the planes, as they are. */
static double outside(const cd_hull *hull, cd_vec3 x) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    double most = 0;
    for (uint32_t i = 0; i < h.face_count; ++i)
        most = fmax(most, dot(h.faces[i].plane.n, x) - (double)h.faces[i].plane.d);
    return most;
}

static void compare(const body *a, const body *b, const cd_transform *pose, double extent) {
    cd_separation r = ASK("judge", cd_qp_distance_hulls(&a->hull, &b->hull, pose, NULL));
    double want = reference(&a->hull, &b->hull, pose);
    keeps_its_word(&r);
    CHECK_NEAR(r.distance, want, MARGIN * extent);
    CHECK(fabs((double)r.distance - want) <= (double)r.gap + MARGIN * 0.1 * extent);
    CHECK(outside(&a->hull, r.a) <= MARGIN * extent);
}

static void hulls_of_all_sizes(void) {
    test_rng rng = test_random();
    int apart = 0, meet = 0;
    for (long i = 0, times = test_times(8); i < times; ++i) {
        int n = test_int(&rng, 1, 9), m = test_int(&rng, 1, 9), k = (int)i % 5, l = test_int(&rng, 0, 4);
        double size = test_int(&rng, 0, 3) ? 1 : 20;
        body a = body_of(&rng, n, 1, k), b = body_of(&rng, m, size, l);
        cd_transform pose = gen_pose(&rng, 4);
        test_note("%d: %d corners of kind %d, %d of kind %d", (int)i, n, k, m, l);
        compare(&a, &b, test_int(&rng, 0, 3) ? &pose : NULL, 8 + 30 * size);
        (void)(reference(&a.hull, &b.hull, &pose) > 0 ? ++apart : ++meet);
        body_free(&a);
        body_free(&b);
    }
    CHECK_SEEN(apart + meet > 0);
}

/* By another road: GJK. Larger hulls, near each other, nearly touching, far off, of very different sizes. */
static void agrees_with_gjk(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(300); i < times; ++i) {
        int n = test_int(&rng, 4, 60), k = (int)i % 5, l = test_int(&rng, 0, 4), e = test_int(&rng, -12, 12);
        double size = ldexp(1, e), extent = 40 + 40 * size;
        body a = body_of(&rng, n, 1, k), b = body_of(&rng, n, size, l);
        cd_support s = cd_support_of_hull(&a.hull), t = cd_support_of_hull(&b.hull);
        cd_transform pose = gen_pose(&rng, test_int(&rng, 0, 1) ? 3 : 1.5 * (1 + size));
        cd_separation r = ASK("forms", cd_qp_distance_hulls(&a.hull, &b.hull, &pose, NULL));
        cd_separation g = cd_gjk_distance(&s, &t, &pose, NULL, NULL);
        test_note("%d: %d corners of kinds %d and %d, size 2^%d", (int)i, n, k, l, e);
        keeps_its_word(&r);
        /* corners of thin bodies are only known as well as their planes tell */
        CHECK_NEAR(r.distance, g.distance, fmax(MARGIN * extent, (double)r.gap));
        CHECK_NEAR(r.gap, 0, fmax(MARGIN, 1e-7) * extent);
        CHECK(fabs((double)r.distance - (double)g.distance) <= (double)r.gap + (double)g.gap);
        body_free(&a);
        body_free(&b);
    }
}

/* Flat hulls, threads and points: their planes are made up. */
static void flat_hulls_agree_with_gjk(void) {
    test_rng rng = test_random();
    int flat = 0, apart = 0;
    for (long i = 0, times = test_times(300); i < times; ++i) {
        int n = test_int(&rng, 1, 12), m = test_int(&rng, 1, 12), l = test_int(&rng, 0, 2);
        body a = body_of(&rng, n, 1, 5), b = body_of(&rng, m, 1, l == 0 ? 5 : l);
        cd_support s = cd_support_of_hull(&a.hull), t = cd_support_of_hull(&b.hull);
        cd_transform pose = gen_pose(&rng, test_int(&rng, 0, 1) ? 3 : 0.5);
        const cd_transform *at = test_int(&rng, 0, 3) ? &pose : NULL;
        bool swapped = test_int(&rng, 0, 1) != 0;
        cd_separation r, g;
        test_note("%d: %d corners in a plane, %d of kind %d%s", (int)i, n, m, l, swapped ? ", swapped" : "");
        r = swapped ? cd_qp_distance_hulls(&b.hull, &a.hull, at, NULL)
                    : cd_qp_distance_hulls(&a.hull, &b.hull, at, NULL);
        g = swapped ? cd_gjk_distance(&t, &s, at, NULL, NULL) : cd_gjk_distance(&s, &t, at, NULL, NULL);
        keeps_its_word(&r);
        CHECK_NEAR(r.distance, g.distance, fmax(MARGIN * 100, (double)r.gap));
        CHECK_NEAR(r.gap, 0, fmax(MARGIN, 1e-7) * 100);
        flat += cd_hull_get_parts(&a.hull).dimension == 2;
        apart += r.distance > 0;
        body_free(&a);
        body_free(&b);
    }
    CHECK_SEEN(flat > 0 && apart > 0);
}

/* Of a few corners: squeezed to leaves and needles, sheared, far from the origin, or of any size. */
static cd_hull strange_hull(test_rng *rng, bool any) {
    static const gen_kind tame[4] = {GEN_UNIT, GEN_UNIT, GEN_GRID, GEN_FAR};
    gen g = gen_begin(rng, any ? (gen_kind)test_int(rng, 0, GEN_KINDS - 1) : tame[test_int(rng, 0, 3)]);
    int n = test_int(rng, 1, 12), how = test_int(rng, 0, 7);
    cd_real e = (cd_real)ldexp(1, -test_int(rng, 0, any ? 40 : 10)), off = test_int(rng, 0, 3) ? 0 : 1000;
    cd_vec3 p[12];
    cd_hull hull;
    for (int k = 0; k < n; ++k) {
        cd_vec3 q = gen_point(&g);
        if (how >= 1 && how <= 4) q.z *= e;
        if (how == 2) q.y *= e;
        if (how == 3) q.z += q.x;
        if (how == 4) q.x += off, q.z += q.y - q.x;
        p[k] = q;
    }
    CHECK_INT(cd_hull3_build(&hull, p, (size_t)n, NULL), CD_OK);
    return hull;
}

/* What it says of its own error holds, however few steps it may take. Of hulls so thin that doubles cannot tell their planes apart
 * nothing is asked but numbers. */
static void strange_hulls(void) {
    test_rng rng = test_random();
    for (long i = 0, all = test_times(5000); i < all; ++i) {
        bool any = i % 3 == 0;
        cd_hull a = strange_hull(&rng, any), b = strange_hull(&rng, any);
        cd_support s = cd_support_of_hull(&a), t = cd_support_of_hull(&b);
        cd_transform pose = gen_pose(&rng, test_int(&rng, 0, 1) ? 3 : 0.3);
        const cd_transform *at = test_int(&rng, 0, 2) ? &pose : NULL;
        cd_separation_options o;
        cd_separation r, g;
        memset(&o, 0, sizeof o);
        if (i % 4 == 0) o.max_iterations = (uint32_t)test_int(&rng, 1, 12);
        r = cd_qp_distance_hulls(&a, &b, at, &o);
        g = cd_gjk_distance(&s, &t, at, NULL, NULL);
        test_note("%ld: status %d, distance %g, gap %g, by GJK %g", i, (int)r.status, (double)r.distance,
                  (double)r.gap, (double)g.distance);
        CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
        CHECK(r.distance >= 0 && r.gap >= 0);
        CHECK_NEAR(dot(r.normal, r.normal), 1, 8 * CD_REAL_EPSILON);
        if (g.distance >= 0 && !any)
            CHECK(fabs((double)r.distance - (double)g.distance) <=
                  (double)r.gap + (double)g.gap + 4 * CD_REAL_EPSILON * extent_of(&r));
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
}

/* Planes and hulls give the same. */
static void planes_of_hulls(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(100); i < times; ++i) {
        body a = body_of(&rng, 20, 1, 2), b = body_of(&rng, 20, 1, 2);
        cd_hull_parts p = cd_hull_get_parts(&a.hull), q = cd_hull_get_parts(&b.hull);
        cd_transform pose = gen_pose(&rng, 4);
        cd_plane *planes = (cd_plane *)malloc((p.face_count + q.face_count) * sizeof *planes);
        cd_separation r, s;
        for (uint32_t k = 0; k < p.face_count; ++k) planes[k] = p.faces[k].plane;
        for (uint32_t k = 0; k < q.face_count; ++k) planes[p.face_count + k] = q.faces[k].plane;
        r = ASK("forms",
                cd_qp_distance(planes, p.face_count, planes + p.face_count, q.face_count, &pose, NULL));
        s = cd_qp_distance_hulls(&a.hull, &b.hull, &pose, NULL);
        keeps_its_word(&r);
        CHECK_NEAR(r.distance, s.distance, 400 * CD_REAL_EPSILON);
        free(planes);
        body_free(&a);
        body_free(&b);
    }
}

/* ---- without end, without points ---- */

/* A plane beyond all numbers, by its normal's length, changes nothing but the gap, which is one still. */
static void planes_out_of_range(void) {
    double most = sizeof(cd_real) == 8 ? 305 : 35;
    for (int i = 0; i < 12; ++i) {
        static const double from[3] = {-1, -1, -1}, to[3] = {1, 1, 1}, at[3] = {4, -1, -1},
                            end[3] = {6, 1, 1};
        double size = pow(10, most * (i / 4 + 1) / 3), n[3] = {0, 0, 0};
        cd_plane p[2][7];
        cd_separation r;
        int side = i & 1;
        box_planes(from, to, p[0]);
        box_planes(at, end, p[1]);
        n[1] = i & 2 ? 1 / size : -1 / size;
        p[side][6] = plane_of(n[0], n[1], n[2], size);
        test_note("%d ", i);
        r = ASK("exact", cd_qp_distance(p[0], side ? 6 : 7, p[1], side ? 7 : 6, NULL, NULL));
        CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
        CHECK_NEAR(r.distance, 3, 8 * (double)CD_REAL_EPSILON);
        CHECK(r.gap >= 0);
    }
}

/* Bodies that meet, of planes two of which are all but the same: the way to their common point goes by planes held and let go, where one
 * body may hold none for a while, and in some 10 steps, seldom more than 18. */
static void planes_in_pairs(void) {
    static const double a[4] = {1, 0, 0, -1};
    static const double b[4][6] = {
        {-1, 1, -1, -2, 0, 0}, {-1, 1, -1, -2, -2, 2}, {-2, 2, 1, 0, 0, 0}, {0, 1, 2, 3, 0, 0}};
    int many = 0;
    for (int i = 0; i < 400; ++i) {
        cd_plane p = plane_of(a[0], a[1], a[2], a[3]), q[4];
        double by = ldexp((i & 1 ? -1 : 1) * (1 + 0.002 * i), -10 - 2 * (i % 7));
        cd_separation r;
        for (int k = 0; k < 4; ++k)
            q[k] = plane_of(b[k][0] + b[k][4] * by, b[k][1], b[k][2], b[k][3] + b[k][5] * by);
        test_note("%d ", i);
        r = ASK("exact", cd_qp_distance(&p, 1, q, 4, NULL, NULL));
        CHECK_INT(r.status, CD_OK);
        CHECK_NEAR(r.distance, 0, 1e-9);
        many += r.iterations > 18;
        r = ASK("swap", cd_qp_distance(q, 4, &p, 1, NULL, NULL));
        CHECK_INT(r.status, CD_OK);
        CHECK_NEAR(r.distance, 0, 1e-9);
        many += r.iterations > 18;
    }
    CHECK(many < 50);
}

/* A body without thickness is of planes back to back. A point held on one of them moves along it, and by rounding toward the other as well,
 * which must not stop it: none can be held on both. */
static void planes_back_to_back(void) {
    static const double slab[4][4] = {
        {802, -470, 990, -5}, {613, -630, 982, -3}, {944, 649, 932, -7}, {-796, 460, -847, -8}};
    static const double more[4][4] = {{0}, {765, -465, -426, 8}, {845, -843, 368, 9}, {0}};
    static const double other[4][3][4] = {{{-491, 739, 448, 4}, {523, 45, 614, -8}, {-680, -667, -150, 3}},
                                          {{-977, 353, 641, 0}, {-400, 409, -75, -2}, {0}},
                                          {{-912, 529, -705, 2}, {-882, -85, 247, -4}, {-843, 749, -212, -3}},
                                          {{670, -690, 156, -5}, {0}, {0}}};
    for (int i = 0; i < 4; ++i) {
        const double *s = slab[i], *m = more[i];
        cd_plane p[3], q[3];
        cd_separation r;
        p[0] = plane_of(s[0], s[1], s[2], s[3]);
        p[1] = plane_of(-s[0], -s[1], -s[2], -s[3]);
        p[2] = plane_of(m[0], m[1], m[2], m[3]);
        for (int k = 0; k < 3; ++k)
            q[k] = plane_of(other[i][k][0], other[i][k][1], other[i][k][2], other[i][k][3]);
        test_note("%d ", i);
        r = ASK("exact", cd_qp_distance(p, 3, q, 3, NULL, NULL));
        keeps_its_word(&r);
        CHECK_NEAR(r.distance, 0, 1e-9);
    }
}

/* A polygon and a segment above its edge: the same with made up planes. */
static void a_polygon_met_from_its_back(void) {
    static const double corner[6][2] = {
        {-0x1.337692b022d58p-2, -0x1.0ca6965fe3a9cp-1}, {-0x1.a5f69eb7018aep-1, 0x1.07c3f1f5787fp-1},
        {-0x1.a25572e4287d4p-1, 0x1.5182777563c22p-1},  {0x1.6ae44a0c1c1c4p-2, -0x1.bbd1126e8aaf6p-1},
        {0x1.88196e9744c88p-1, -0x1.5c7ca7f2d767ep-1},  {0x1.6b91ef7fb3bd6p-1, 0x1.2395056b7a4c8p-1}};
    static const double end[2][2] = {{0x1.4ada8a763b1dep-1, -0x1.fb1da8d902a42p-1},
                                     {0x1.66ba7d36d2884p-1, 0x1.709cc9824d9e4p-2}};
    static const double at[7] = {0x1.50238ce33ba35p-5,  -0x1.daa8108be7f3p-1, -0x1.5ec0d0ad9c62ep-2,
                                 -0x1.2c954c2399b08p-3, 0x1.6313446e21944p-2, 0x1.305758b0d7f6p-4,
                                 -0x1.8b49723f3e7d6p-2};
    cd_vec3 p[6], q[2];
    cd_transform pose;
    cd_hull a, b;
    cd_separation r;
    for (int i = 0; i < 6; ++i) p[i] = cd_vec3_make((cd_real)corner[i][0], (cd_real)corner[i][1], 0);
    for (int i = 0; i < 2; ++i) q[i] = cd_vec3_make((cd_real)end[i][0], (cd_real)end[i][1], 0);
    for (int i = 0; i < 7; ++i) REALS(pose)[i] = (cd_real)at[i];
    CHECK_INT(cd_hull3_build(&a, q, 2, NULL), CD_OK);
    CHECK_INT(cd_hull3_build(&b, p, 6, NULL), CD_OK);
    r = ASK("judge", cd_qp_distance_hulls(&a, &b, &pose, NULL));
    keeps_its_word(&r);
    CHECK_NEAR(r.distance, 0.0075833660148730, 16 * CD_REAL_EPSILON);
    CHECK(r.gap < 1e-6);
    cd_hull_destroy(&a);
    cd_hull_destroy(&b);
}

/* Leaves, whose planes meet at angles with squares near the rounding of doubles: more than is promised, of these very ones. */
static void leaves_agree_with_gjk(void) {
    for (int i = 0; i < 2000; ++i) {
        cd_vec3 p[5], q[8];
        cd_transform pose = cd_transform_identity();
        cd_support s, t;
        cd_hull a, b;
        cd_separation r, g;
        int n = i / 2;
        double thickness = ldexp(1, i & 1 ? -24 : -27);
        for (int k = 0; k < 4; ++k) REALS(pose)[k] = (cd_real)((k + 1) / sqrt(30));
        pose.position = cd_vec3_make((cd_real)(n % 9 - 4), (cd_real)(n % 8 - 4), (cd_real)(n % 5 - 2));
        for (int k = 0; k < 5; ++k) {
            int x = (k * 7 + n * (k + 1)) % 11 - 5, y = (k * 5 + n * (k * k + 3)) % 13 - 6,
                z = (k * 3 + n * (2 * k + 1)) % 7 - 3;
            p[k] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)(z * thickness));
        }
        for (int k = 0; k < 8; ++k)
            q[k] = cd_vec3_make((cd_real)(k & 1), (cd_real)(k >> 1 & 1), (cd_real)(k >> 2));
        CHECK_INT(cd_hull3_build(&a, q, 8, NULL), CD_OK);
        CHECK_INT(cd_hull3_build(&b, p, 5, NULL), CD_OK);
        s = cd_support_of_hull(&a);
        t = cd_support_of_hull(&b);
        test_note("%d ", i);
        r = cd_qp_distance_hulls(&a, &b, &pose, NULL);
        g = cd_gjk_distance(&s, &t, &pose, NULL, NULL);
        if (i & 1) CHECK_INT(r.status, CD_OK);
        CHECK_NEAR(r.distance, g.distance, i & 1 ? 1e-5 : 1e-3);
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
}

/* A point and a leaf whose planes doubles hardly tell apart: numbers grow without end there, and let go of nothing that is not held. */
static void a_leaf_beyond_doubles(void) {
    static const int corner[5][3] = {
        {0, 0, -32}, {0, 2048, -64}, {1536, 2112, -47}, {1536, 2048, -47}, {1408, 2048, -64}};
    cd_vec3 p[5], origin = cd_vec3_make(0, 0, 0);
    cd_transform pose = cd_transform_identity();
    cd_hull a, b;
    cd_separation r;
    for (int i = 0; i < 5; ++i)
        p[i] = cd_vec3_make((cd_real)corner[i][0], (cd_real)corner[i][1], (cd_real)ldexp(corner[i][2], -36));
    pose.rotation.y = (cd_real)-0.5625;
    pose.rotation.z = (cd_real)-0.25;
    CHECK_INT(cd_hull3_build(&a, &origin, 1, NULL), CD_OK);
    CHECK_INT(cd_hull3_build(&b, p, 5, NULL), CD_OK);
    r = cd_qp_distance_hulls(&a, &b, &pose, NULL);
    test_note("status %d, distance %g, gap %g", (int)r.status, (double)r.distance, (double)r.gap);
    CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
    CHECK(r.distance >= 0 && r.gap >= 0 && r.distance <= r.gap + (cd_real)1e-9);
    cd_hull_destroy(&a);
    cd_hull_destroy(&b);
}

/* The least volume that the normals of three planes through a point span; 1 where there are no three. */
static double corner_volume(const cd_hull *hull, cd_vec3 x) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    cd_vec3 n[80];
    double least = 1;
    int count = 0;
    for (uint32_t i = 0; i < h.face_count && count < 80; ++i) {
        cd_plane p = h.faces[i].plane;
        if (fabs(dot(p.n, x) - (double)p.d) <= 1e-12 + 2 * (double)CD_REAL_EPSILON) n[count++] = p.n;
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            for (int l = 0; l < k; ++l) least = fmin(least, fabs(dot(cd_vec3_cross(n[i], n[k]), n[l])));
        }
    }
    return least;
}

/* Hulls of merged faces are by their own planes, behind which all corners are, however their first corners lie. */
static void merged_hulls_are_their_planes(void) {
    test_rng rng = test_random();
    cd_hull_options o;
    long merged = 0, all = 10 + test_times(90);
    memset(&o, 0, sizeof o);
    o.merge_distance = (cd_real)0.05;
    for (long n = all; n > 0; --n) {
        cd_hull h[2];
        cd_plane planes[2][80];
        cd_hull_parts q[2];
        cd_transform pose = gen_pose(&rng, 4);
        cd_separation one, two;
        double flat = 0, bound;
        for (int b = 0; b < 2; ++b) {
            cd_vec3 p[40];
            for (int i = 0; i < 40; ++i) {
                for (int k = 0; k < 3; ++k) REALS(p[i])[k] = (cd_real)test_range(&rng, -1, 1);
                REALS(p[i])[i % 3] = (cd_real)((i & 1 ? 1 : -1) * (1 + 0.02 * test_range(&rng, -1, 1)));
            }
            CHECK_INT(cd_hull3_build(&h[b], p, 40, &o), CD_OK);
            q[b] = cd_hull_get_parts(&h[b]);
            flat = fmax(flat, (double)q[b].flatness);
            merged += q[b].flatness > 0;
            for (uint32_t i = 0; i < q[b].face_count && i < 80; ++i) planes[b][i] = q[b].faces[i].plane;
        }
        test_note_reals("pose", REALS(pose), 7);
        one = ASK("forms", cd_qp_distance_hulls(&h[0], &h[1], &pose, NULL));
        two = cd_qp_distance(planes[0], q[0].face_count, planes[1], q[1].face_count, &pose, NULL);
        CHECK_NEAR(one.distance, two.distance, 64 * (double)CD_REAL_EPSILON);
        keeps_its_word(&one);
        /* where many planes meet, the point is known as well as the three that it is held on tell */
        bound = 1e-13 * largest_of(&one) / corner_volume(&h[0], one.a) + 2 * (double)CD_REAL_EPSILON;
        CHECK(outside(&h[0], one.a) <= bound);
        cd_hull_destroy(&h[0]);
        cd_hull_destroy(&h[1]);
    }
    CHECK(merged > all);
}

static void unbounded_and_empty(void) {
    cd_plane up = plane_of(0, 0, 1, 0), down = plane_of(0, 0, -2, -6), never = plane_of(0, 0, 0, -1), always;
    cd_plane wedge[2] = {plane_of(1, 0, 1, 0), plane_of(-1, 0, 1, 0)},
             none[2] = {plane_of(0, 0, 1, 0), plane_of(0, 0, -1, -1)};
    cd_plane flat[2] = {plane_of(0, 0, 1, 5), plane_of(0, 0, -1, -5)}, tilted = plane_of(0, 1, -1, -3);
    cd_separation r = cd_qp_distance(&up, 1, &down, 1, NULL, NULL);
    always = plane_of(0, 0, 0, 1);
    keeps_its_word(&r);
    CHECK_NEAR(r.distance, 3, 1e-6);
    CHECK_INT(r.feature_a, CD_FEATURE(CD_FEATURE_FACE, 0u));
    r = cd_qp_distance(wedge, 2, &down, 1, NULL, NULL);
    keeps_its_word(&r);
    CHECK_NEAR(r.distance, 3, 1e-6);
    CHECK_NEAR(r.a.x, 0, 1e-6);
    r = cd_qp_distance(&up, 1, flat, 2, NULL, NULL);
    keeps_its_word(&r);
    CHECK_NEAR(r.distance, 5, 1e-6);
    r = cd_qp_distance(&up, 1, &tilted, 1, NULL, NULL);
    keeps_its_word(&r);
    CHECK_NEAR(r.distance, 0, 1e-6);
    r = cd_qp_distance(&always, 1, &up, 1, NULL, NULL);
    keeps_its_word(&r);
    CHECK(r.distance == 0);
    r = cd_qp_distance(NULL, 0, NULL, 0, NULL, NULL);
    keeps_its_word(&r);
    CHECK(r.distance == 0);
    CHECK_INT(cd_qp_distance(none, 2, &up, 1, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_qp_distance(&up, 1, none, 2, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_qp_distance(&up, 1, &never, 1, NULL, NULL).status, CD_INVALID_ARGUMENT);
}

/* Many planes through one point: no endless steps. */
static void apex_of_many_planes(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(60); i < times; ++i) {
        cd_plane p[2][64];
        int n = test_int(&rng, 3, 64);
        double height = test_range(&rng, 0.5, 3);
        cd_separation r;
        for (int k = 0; k < n; ++k) {
            double x = test_int(&rng, -8, 8), y = test_int(&rng, -8, 8);
            p[0][k] = plane_of(x, y, 8, 0);
            p[1][k] = plane_of(y, x, -8, -8 * (double)(cd_real)height);
        }
        test_note("%d planes, height %g", n, height);
        r = cd_qp_distance(p[0], (size_t)n, p[1], (size_t)n, NULL, NULL);
        CHECK(r.iterations < 300);
        CHECK(r.distance <= (cd_real)height * (1 + CD_REAL_EPSILON));
        keeps_its_word(&r);
    }
}

/* Powers of two change nothing. */
static void scale_does_not_matter(void) {
    test_rng rng = test_random();
#ifdef COLLIDE_DOUBLE
    static const int exponents[] = {-600, -330, -20, 20, 330, 500};
#else
    static const int exponents[] = {-60, -20, 20, 60, 90};
#endif
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i) {
        double lo[2][3] = {{-1, -1, -1}, {2, 2, -0.25}}, hi[2][3] = {{1, 1, 1}, {3, 3, 0.5}},
               s = ldexp(1, exponents[i]);
        cd_plane p[2][6];
        cd_separation r;
        for (int b = 0; b < 2; ++b) {
            for (int k = 0; k < 3; ++k) lo[b][k] *= s, hi[b][k] *= s;
            box_planes(lo[b], hi[b], p[b]);
        }
        test_note("2^%d", exponents[i]);
        r = ASK("scale", cd_qp_distance(p[0], 6, p[1], 6, NULL, NULL));
        CHECK_NEAR((double)r.distance / s, sqrt(2.0), 1e-6);
        CHECK((double)r.gap < 1e-5 * s);
    }
    (void)rng;
}

/* Planes of which one is far: the others are not scaled, and the reciprocal of what they are apart leaves the range of doubles. */
static void a_way_without_reciprocal(void) {
    double tiny = ldexp(1, sizeof(cd_real) == 4 ? -149 : -1074);
    cd_plane low = plane_of(1, 0, 0, 3 * tiny), high[2];
    cd_separation r;
    high[0] = plane_of(-1, 0, 0, -5 * tiny);
    high[1] = plane_of(0, 1, 0, 1);
    r = cd_qp_distance(&low, 1, high, 2, NULL, NULL);
    CHECK(r.status == CD_OK && r.gap >= 0);
    CHECK_VEC(r.normal, cd_vec3_make(1, 0, 0), 0);
    CHECK_SAME((double)r.distance, 2 * tiny);
}

static void nonsense(void) {
    cd_plane up = plane_of(0, 0, 1, 0), bad = plane_of(NAN, 0, 1, 0), endless = plane_of(0, 0, 1, INFINITY);
    cd_separation_options o;
    cd_transform pose = cd_transform_identity();
    cd_hull none;
    cd_separation r = cd_qp_distance(&up, 1, &bad, 1, NULL, NULL);
    memset(&none, 0, sizeof none);
    memset(&o, 0, sizeof o);
    CHECK_INT(r.status, CD_INVALID_ARGUMENT);
    CHECK(isnan((double)r.distance));
    CHECK_INT(cd_qp_distance(&endless, 1, &up, 1, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_qp_distance(NULL, 1, &up, 1, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_qp_distance(&up, 1, NULL, 1, NULL, NULL).status, CD_INVALID_ARGUMENT);
    if (sizeof(size_t) > 4)
        CHECK_INT(cd_qp_distance(&up, (size_t)CD_NONE, &up, 1, NULL, NULL).status, CD_TOO_LARGE);
    pose.position.x = (cd_real)NAN;
    CHECK_INT(cd_qp_distance(&up, 1, &up, 1, &pose, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_qp_distance_hulls(&none, &none, NULL, NULL).status, CD_INVALID_ARGUMENT);
    o.max_iterations = 1;
    bad = plane_of(0, 1, -1, -3);
    r = cd_qp_distance(&up, 1, &bad, 1, NULL, &o);
    CHECK(r.status == CD_NOT_CONVERGED && r.distance <= r.gap);
}

void suite_qp(void) {
    RUN(boxes);
    RUN(hulls_of_all_sizes);
    RUN(agrees_with_gjk);
    RUN(flat_hulls_agree_with_gjk);
    RUN(strange_hulls);
    RUN(planes_of_hulls);
    RUN(planes_in_pairs);
    RUN(planes_back_to_back);
    RUN(a_polygon_met_from_its_back);
    RUN(leaves_agree_with_gjk);
    RUN(a_leaf_beyond_doubles);
    RUN(merged_hulls_are_their_planes);
    RUN(planes_out_of_range);
    RUN(unbounded_and_empty);
    RUN(apex_of_many_planes);
    RUN(scale_does_not_matter);
    RUN(a_way_without_reciprocal);
    RUN(nonsense);
}
