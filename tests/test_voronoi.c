/* Voronoi regions against the conditions that a nearest point fulfils, in exact arithmetic. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

enum { MOST_POINTS = 24, MOST_FACES = 48 };

/* A body: corners, edges and faces, each with its number; the smallest first. */
typedef struct body {
    cd_vec3 v[MOST_POINTS];
    int points, edges, faces;
    int edge[3 * MOST_FACES][2], face[MOST_FACES][3];
    uint32_t edge_number[3 * MOST_FACES], face_number[MOST_FACES];
} body;

typedef struct exact_body {
    exact3 v[MOST_POINTS], p;
    int points;
} exact_body;

/* Is a + num / den the nearest point to p, that is (p-q) . (w-q) <= 0 for all corners w? */
static bool is_nearest(const exact_body *b, exact3 a, exact3 num, exact den) {
    exact3 pq = exact3_sub(exact3_scale(exact3_sub(b->p, a), den), num);
    for (int i = 0; i < b->points; ++i) {
        exact3 wq = exact3_sub(exact3_scale(exact3_sub(b->v[i], a), den), num);
        if (exact3_dot(pq, wq).sign > 0) return false;
    }
    return true;
}

static bool edge_owns(const exact_body *b, int i, int j) {
    exact3 d = exact3_sub(b->v[j], b->v[i]);
    exact s = exact3_dot(exact3_sub(b->p, b->v[i]), d), l = exact3_dot(d, d);
    return s.sign > 0 && exact_compare(s, l) < 0 && is_nearest(b, b->v[i], exact3_scale(d, s), l);
}

static bool face_owns(const exact_body *b, const int f[3]) {
    exact3 a = b->v[f[0]], n = exact3_cross(exact3_sub(b->v[f[1]], a), exact3_sub(b->v[f[2]], a)), foot;
    exact l = exact3_dot(n, n), h = exact3_dot(n, exact3_sub(b->p, a));
    if (exact3_is_zero(n)) return false;
    foot = exact3_sub(exact3_scale(exact3_sub(b->p, a), l), exact3_scale(n, h)); /* l (q - a) */
    for (int k = 0; k < 3; ++k) {
        exact3 from = b->v[f[k]], d = exact3_sub(b->v[f[(k + 1) % 3]], from);
        exact3 in = exact3_sub(foot, exact3_scale(exact3_sub(from, a), l));
        if (exact3_triple(n, d, in).sign <= 0) return false;
    }
    return is_nearest(b, a, foot, l);
}

static uint32_t owner(const body *b, cd_vec3 p) {
    exact_pool pool = exact_begin();
    exact_body e;
    double d[3];
    uint32_t found = CD_FEATURE_NONE;
    exact3 zero;
    e.points = b->points;
    for (int i = 0; i < b->points; ++i) {
        to_doubles(&b->v[i].x, d, 3);
        e.v[i] = exact3_from(d);
    }
    to_doubles(&p.x, d, 3);
    e.p = exact3_from(d);
    zero = exact3_sub(e.p, e.p);
    for (int i = 0; !found && i < b->points; ++i) {
        if (is_nearest(&e, e.v[i], zero, exact_from(1.0))) found = CD_FEATURE(1u, (uint32_t)i);
    }
    for (int i = 0; !found && i < b->edges; ++i) {
        if (edge_owns(&e, b->edge[i][0], b->edge[i][1])) found = CD_FEATURE(2u, b->edge_number[i]);
    }
    for (int i = 0; !found && i < b->faces; ++i) {
        if (face_owns(&e, b->face[i])) found = CD_FEATURE(3u, b->face_number[i]);
    }
    exact_end(pool);
    return found;
}

/* A point in trouble with the body: on the line of two of its points, in the plane of three, or any. */
static cd_vec3 hard_point(gen *g, const cd_vec3 *v, int count) {
    cd_vec3 a = v[test_int(g->rng, 0, count - 1)], b = v[test_int(g->rng, 0, count - 1)];
    cd_vec3 c = v[test_int(g->rng, 0, count - 1)], p = gen_point(g);
    switch (test_int(g->rng, 0, 6)) {
    case 0: return a;
    case 1: return cd_vec3_lerp(a, b, (cd_real)test_range(g->rng, -1, 2));
    case 2: return cd_vec3_lerp(a, b, (cd_real)(0.5 * test_int(g->rng, -1, 3)));
    case 3: return cd_vec3_lerp(cd_vec3_lerp(a, b, (cd_real)0.5), c, (cd_real)test_unit(g->rng));
    case 4: return cd_vec3_scale(p, 100);
    default: return p;
    }
}

/* Degenerate ones among them: points in one place, in line or in a plane. */
static void hard_points(gen *g, cd_vec3 *v, int count) {
    for (int i = 0; i < count; ++i) v[i] = gen_point(g);
    for (int i = 1; i < count; ++i) {
        if (test_int(g->rng, 0, 5)) continue;
        v[i] = test_int(g->rng, 0, 1) ? v[i - 1]
                                      : cd_vec3_lerp(v[0], v[i - 1], (cd_real)test_range(g->rng, -1, 2));
    }
    if (count > 3 && !test_int(g->rng, 0, 3)) v[3] = cd_vec3_add(v[0], cd_vec3_sub(v[1], v[2]));
}

static void segments_and_triangles(void) {
    static const uint32_t kinds[7] = {CD_FEATURE(1u, 0), CD_FEATURE(1u, 1), CD_FEATURE(1u, 2),
                                      CD_FEATURE(2u, 0), CD_FEATURE(2u, 1), CD_FEATURE(2u, 2),
                                      CD_FEATURE(3u, 0)};
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 v[3], p;
        cd_triangle t;
        cd_segment s;
        double d[12];
        uint32_t feature;
        hard_points(&g, v, 3);
        p = hard_point(&g, v, 3);
        memcpy(&t, v, sizeof t);
        memcpy(&s, v, sizeof s);
        to_doubles(REALS(t), d, 9);
        to_doubles(REALS(p), d + 9, 3);
        test_note("");
        test_note_reals("t", REALS(t), 9);
        test_note_reals("p", REALS(p), 3);
        feature = ASK("exact", cd_voronoi_region_triangle(p, &t));
        CHECK_INT(feature, kinds[oracle_point_triangle(d + 9, d).feature]);
        CHECK_INT(ASK("exact", cd_voronoi_region_segment(p, &s)),
                  kinds[oracle_point_segment(d + 9, d).feature]);
        if (g.kind == GEN_GRID ||
            g.kind == GEN_UNIT) { /* where nothing is near a boundary the closest point agrees */
            cd_closest c = cd_closest_pts_point_triangle(p, &t);
            double u = (double)c.s, w = (double)c.t, least = fmin(fmin(u, w), 1.0 - u - w);
            if (CD_FEATURE_KIND(c.feature_b) == 3u && least > 0.01) CHECK_INT(feature, c.feature_b);
            if (CD_FEATURE_KIND(feature) == 3u && least > 0.01) CHECK_INT(c.feature_b, feature);
        }
    }
}

/* Points on the planes and lines of small whole numbers, most of them on the boundary of some region. */
static void tetrahedra(void) {
    static const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    test_rng rng = test_random();
    long inside = 0;
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body b;
        cd_vec3 p;
        uint32_t feature;
        memset(&b, 0, sizeof b);
        b.points = b.faces = 4;
        b.edges = 6;
        for (int k = 0; k < 6; ++k) {
            b.edge[k][0] = edges[k][0];
            b.edge[k][1] = edges[k][1];
            b.edge_number[k] = (uint32_t)k;
        }
        for (int k = 0; k < 4; ++k) {
            for (int j = 0; j < 3; ++j) b.face[k][j] = (k + 1 + j) % 4;
            b.face_number[k] = (uint32_t)k;
        }
        hard_points(&g, b.v, 4);
        p = hard_point(&g, b.v, 4);
        test_note("");
        test_note_reals("v", REALS(b.v), 12);
        test_note_reals("p", REALS(p), 3);
        feature = ASK("exact", cd_voronoi_region_tetrahedron(p, b.v[0], b.v[1], b.v[2], b.v[3]));
        CHECK_INT(feature, owner(&b, p));
        inside += feature == CD_FEATURE_NONE;
    }
    CHECK(inside > 0);
}

/* The point on the box that the feature stands for is the closest one. */
static void boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb box = gen_aabb(&g);
        cd_vec3 ends[2], p, corner[8];
        cd_obb o = cd_obb_from_aabb(box);
        uint32_t feature, index;
        int free_axes = 0;
        ends[0] = box.min;
        ends[1] = box.max;
        p = hard_point(&g, ends, 2);
        test_note("");
        test_note_reals("box", REALS(box), 6);
        test_note_reals("p", REALS(p), 3);
        feature = ASK("exact", cd_voronoi_region_aabb(p, box));
        index = CD_FEATURE_INDEX(feature);
        for (int k = 0; k < 3; ++k) {
            double x = (double)REALS(p)[k], lo = (double)REALS(box.min)[k], hi = (double)REALS(box.max)[k];
            bool between = lo < x && x<hi, up = x> lo;
            uint32_t bit;
            free_axes += between;
            switch (CD_FEATURE_KIND(feature)) {
            case CD_FEATURE_VERTEX: bit = index >> k & 1u; break;
            case CD_FEATURE_EDGE:
                CHECK((index / 4 == (uint32_t)k) == between);
                bit = (k == 0 || (k == 1 && index / 4 == 0)) ? index & 1u : index >> 1 & 1u;
                break;
            case CD_FEATURE_FACE:
                CHECK((index / 2 != (uint32_t)k) == between);
                bit = index & 1u;
                break;
            default: CHECK(between); bit = 0;
            }
            if (!between) CHECK_INT(bit, up);
        }
        CHECK_INT(CD_FEATURE_KIND(feature), free_axes == 3 ? 0 : free_axes + 1);
        if (g.kind != GEN_GRID) continue;
        CHECK_INT(ASK("exact", cd_voronoi_region_obb(p, &o)),
                  feature); /* whole and half numbers: the boxes are the same */
        cd_obb_to_vertices(&o, corner);
        if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX)
            CHECK_VEC(corner[index], cd_closest_pt_point_aabb(p, box), 0);
    }
}

static int height_sign(const double axis[3], const double c[3], const double p[3], double s) {
    exact_pool pool = exact_begin();
    int sign = exact_compare(exact3_dot(exact3_from(axis), exact3_sub(exact3_from(p), exact3_from(c))),
                             exact_from(s));
    exact_end(pool);
    return sign;
}

static void oriented_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb o = gen_obb(&g);
        cd_vec3 corner[8], p;
        double c[3], q[3], axis[3];
        uint32_t feature, bits = 0, outside = 0;
        cd_obb_to_vertices(&o, corner);
        p = hard_point(&g, corner, 8);
        test_note("");
        test_note_reals("o", REALS(o), 15);
        test_note_reals("p", REALS(p), 3);
        to_doubles(REALS(o.center), c, 3);
        to_doubles(REALS(p), q, 3);
        for (int k = 0; k < 3; ++k) {
            double half = (double)REALS(o.half)[k];
            to_doubles(REALS(o.axes.col[k]), axis, 3);
            if (height_sign(axis, c, q, -half) <= 0) {
                ++outside;
            } else if (height_sign(axis, c, q, half) >= 0) {
                ++outside;
                bits |= 1u << k;
            }
        }
        feature = ASK("judge", cd_voronoi_region_obb(p, &o));
        CHECK_INT(CD_FEATURE_KIND(feature), outside ? 4 - outside : 0);
        if (outside == 3) CHECK_INT(CD_FEATURE_INDEX(feature), bits);
        if (outside == 1 && bits) CHECK_INT(1u << (CD_FEATURE_INDEX(feature) / 2), bits);
    }
}

/* ---- convex bodies ---- */

static void add_face(body *b, uint32_t *triangles, int i, int j, int k) {
    int f = b->faces++, corner[3];
    corner[0] = i, corner[1] = j, corner[2] = k;
    for (int n = 0; n < 3; ++n) {
        b->face[f][n] = corner[n];
        triangles[3 * f + n] = (uint32_t)corner[n];
        b->edge[b->edges][0] = corner[n];
        b->edge[b->edges][1] = corner[(n + 1) % 3];
        b->edge_number[b->edges] = (uint32_t)b->edges;
        ++b->edges;
    }
    b->face_number[f] = (uint32_t)f;
}

/* The hull of points in general position; false when four lie in a plane. */
static bool hull_of(body *b, uint32_t *triangles) {
    double d[MOST_POINTS][3];
    b->edges = b->faces = 0;
    for (int i = 0; i < b->points; ++i) to_doubles(REALS(b->v[i]), d[i], 3);
    for (int i = 0; i < b->points; ++i) {
        for (int j = i + 1; j < b->points; ++j) {
            for (int k = j + 1; k < b->points; ++k) {
                int side[3] = {0, 0, 0};
                for (int w = 0; w < b->points; ++w) {
                    if (w == i || w == j || w == k) continue;
                    ++side[1 + oracle_orient3d(d[i], d[j], d[k], d[w])];
                }
                if (side[1]) return false;
                if (side[0] && side[2]) continue;
                if (b->faces == MOST_FACES) return false;
                if (side[2]) {
                    add_face(b, triangles, i, j, k);
                } else {
                    add_face(b, triangles, i, k, j);
                }
            }
        }
    }
    return b->faces > 3;
}

/* A box, its sides in two or, with a point in the middle, four triangles. */
static void box_body(gen *g, body *b, uint32_t *triangles) {
    static const int side[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    cd_obb o;
    memset(&o, 0, sizeof o);
    o.axes = cd_mat3_identity();
    for (int k = 0; k < 3; ++k) REALS(o.half)[k] = (cd_real)test_int(g->rng, 1, 2);
    memset(b, 0, sizeof *b);
    cd_obb_to_vertices(&o, b->v);
    b->points = 8;
    for (int s = 0; s < 6; ++s) {
        const int *q = side[s];
        if (test_int(g->rng, 0, 1)) {
            add_face(b, triangles, q[0], q[1], q[2]);
            add_face(b, triangles, q[0], q[2], q[3]);
        } else {
            int m = b->points++;
            b->v[m] = cd_vec3_lerp(b->v[q[0]], b->v[q[2]], (cd_real)0.5);
            for (int k = 0; k < 4; ++k) add_face(b, triangles, q[k], q[(k + 1) % 4], m);
        }
    }
}

/* The same, without the points inside. */
static bool hull_of_corners(body *b, uint32_t *triangles) {
    bool corner[MOST_POINTS] = {false};
    int kept = 0;
    if (!hull_of(b, triangles)) return false;
    for (int i = 0; i < 3 * b->faces; ++i) corner[triangles[i]] = true;
    for (int i = 0; i < b->points; ++i) {
        if (corner[i]) b->v[kept++] = b->v[i];
    }
    b->points = kept;
    return hull_of(b, triangles);
}

static void convex_bodies(void) {
    test_rng rng = test_random();
    for (long i = test_times(600); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body b;
        uint32_t triangles[3 * MOST_FACES];
        memset(&b, 0, sizeof b);
        if (test_int(&rng, 0, 1)) {
            g = gen_begin(&rng, GEN_GRID);
            box_body(&g, &b, triangles);
        } else {
            b.points = test_int(&rng, 4, 9);
            for (int k = 0; k < b.points; ++k) b.v[k] = gen_point(&g);
            if (!hull_of_corners(&b, triangles)) continue;
        }
        for (int k = 0; k < 6; ++k) {
            cd_vec3 p = hard_point(&g, b.v, b.points);
            test_note("kind %d, %d points, %d faces ", (int)g.kind, b.points, b.faces);
            test_note_reals("v", REALS(b.v), 3 * b.points);
            test_note_reals("p", REALS(p), 3);
            CHECK_INT(ASK("judge",
                          cd_voronoi_region_polyhedron(p, b.v, (size_t)b.points, triangles, (size_t)b.faces)),
                      owner(&b, p));
        }
    }
}

static void bad_numbers(void) {
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, wrong[3] = {0, 1, 4};
    for (int k = 0; k < 15; ++k) {
        cd_vec3 v[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 2, 2}};
        cd_triangle t;
        cd_segment s;
        cd_aabb b;
        cd_obb o = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}};
        CHECK_INT(cd_voronoi_region_polyhedron(v[4], v, 4, faces, 4), CD_FEATURE(3u, 2));
        CHECK_INT(cd_voronoi_region_obb(v[4], &o), CD_FEATURE(1u, 7));
        CHECK_INT(cd_voronoi_region_polyhedron(v[4], v, 4, faces, 0), CD_FEATURE_NONE);
        CHECK_INT(cd_voronoi_region_polyhedron(v[4], v, 4, wrong, 1), CD_FEATURE_NONE);
        REALS(o)[k] = k % 2 ? (cd_real)NAN : (cd_real)INFINITY;
        CHECK_INT(cd_voronoi_region_obb(v[4], &o), CD_FEATURE_NONE);
        REALS(v)[k] = k % 2 ? (cd_real)NAN : (cd_real)INFINITY;
        t.a = v[1], t.b = v[2], t.c = v[3];
        s.a = v[2], s.b = v[3];
        b.min = v[2], b.max = v[3];
        CHECK_INT(cd_voronoi_region_polyhedron(v[4], v, 4, faces, 4), CD_FEATURE_NONE);
        CHECK_INT(cd_voronoi_region_tetrahedron(v[4], v[0], v[1], v[2], v[3]), CD_FEATURE_NONE);
        if (k >= 3) CHECK_INT(cd_voronoi_region_triangle(v[4], &t), CD_FEATURE_NONE);
        if (k >= 6) CHECK_INT(cd_voronoi_region_segment(v[4], &s), CD_FEATURE_NONE);
        CHECK_INT(cd_voronoi_region_aabb(v[4], b), CD_FEATURE_NONE);
    }
    {
        cd_obb o = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, -1, 1}};
        CHECK_INT(cd_voronoi_region_obb(o.center, &o), CD_FEATURE_NONE);
        CHECK_INT(cd_voronoi_region_aabb(o.center, cd_aabb_empty()), CD_FEATURE_NONE);
    }
}

/* All finite numbers, not only those of the domain. */
static void any_finite_numbers(void) {
    static const uint32_t kinds[7] = {CD_FEATURE(1u, 0), CD_FEATURE(1u, 1), CD_FEATURE(1u, 2),
                                      CD_FEATURE(2u, 0), CD_FEATURE(2u, 1), CD_FEATURE(2u, 2),
                                      CD_FEATURE(3u, 0)};
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_real x[12];
        double d[12];
        cd_triangle t;
        cd_vec3 p;
        for (int k = 0; k < 12; ++k) {
            do {
                x[k] = i % 2 && test_int(&rng, 0, 1)
                           ? (cd_real)test_range(&rng, -2, 2)
                           : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            } while (!isfinite((double)x[k]));
        }
        memcpy(&t, x, sizeof t);
        memcpy(&p, x + 9, sizeof p);
        to_doubles(x, d, 12);
        test_note("");
        test_note_reals("x", x, 12);
        CHECK_INT(cd_voronoi_region_triangle(p, &t), kinds[oracle_point_triangle(d + 9, d).feature]);
    }
}

void suite_voronoi(void) {
    RUN(segments_and_triangles);
    RUN(tetrahedra);
    RUN(boxes);
    RUN(oriented_boxes);
    RUN(convex_bodies);
    RUN(bad_numbers);
    RUN(any_finite_numbers);
}
