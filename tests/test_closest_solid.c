/* The point of a polygon, tetrahedron, hull or box nearest to a point, against exact arithmetic over its triangles. */
#include "gen.h"
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static double dist3(cd_vec3 p, cd_vec3 q) {
    double x = (double)p.x - (double)q.x, y = (double)p.y - (double)q.y, z = (double)p.z - (double)q.z;
    return hypot(hypot(x, y), z);
}

static double exact_to_triangle(cd_vec3 p, const cd_triangle *t) {
    double d[12];
    to_doubles(REALS(p), d, 3);
    to_doubles(REALS(*t), d + 3, 9);
    return oracle_point_triangle(d, d + 3).distance;
}

static cd_triangle triangle_of(cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    cd_triangle t;
    t.a = a;
    t.b = b;
    t.c = c;
    return t;
}

/* How far p is from the hull of the one to three points. */
static double exact_to_points(cd_vec3 p, cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    cd_triangle t = triangle_of(a, b, c);
    return exact_to_triangle(p, &t);
}

/* A point at, near or away from the points of a body. */
static cd_vec3 point_near(gen *g, const cd_vec3 *v, int count) {
    cd_vec3 a = v[test_int(g->rng, 0, count - 1)], b = v[test_int(g->rng, 0, count - 1)];
    cd_vec3 c = v[test_int(g->rng, 0, count - 1)], p = gen_point(g);
    switch (test_int(g->rng, 0, 7)) {
    case 0: return a;
    case 1: return cd_vec3_lerp(a, b, (cd_real)test_range(g->rng, -1, 2));
    case 2:
        return cd_vec3_lerp(cd_vec3_lerp(a, b, (cd_real)test_unit(g->rng)), c, (cd_real)test_unit(g->rng));
    case 3: return cd_vec3_lerp(cd_vec3_lerp(a, b, (cd_real)0.5), c, (cd_real)test_range(g->rng, -1, 2));
    case 4:
        return cd_vec3_lerp(cd_vec3_lerp(a, b, (cd_real)0.5), cd_vec3_lerp(c, p, (cd_real)0.25),
                            (cd_real)0.5);
    default: return p;
    }
}

static double size_of(cd_vec3 p, const cd_vec3 *v, int count) {
    double d[3 * 64 + 3];
    to_doubles(REALS(p), d, 3);
    to_doubles(&v->x, d + 3, 3 * count);
    return largest(d, 3 * count + 3);
}

/* ---- polygons ---- */

static void polygons(void) {
    test_rng rng = test_random();
    for (long i = test_times(2400); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        int count = test_int(&rng, 1, 6);
        cd_vec3 v[6], c = gen_point(&g), e = gen_direction(&g), f = gen_direction(&g), p;
        cd_closest r;
        double want = INFINITY, margin;
        for (int k = 0; k < count; ++k) {
            double turn = 6.283185307179586 * k / count;
            v[k] = cd_vec3_along(cd_vec3_along(c, e, (cd_real)cos(turn)), f, (cd_real)sin(turn));
        }
        p = point_near(&g, v, count);
        test_note("");
        test_note_reals("v", &v->x, 3 * count);
        test_note_reals("p", REALS(p), 3);
        margin = 4 * EPS * size_of(p, v, count);
        for (int k = 0; k < count; ++k) {
            int next = k + 1 < count ? k + 1 : count - 1;
            want = fmin(want, exact_to_points(p, v[0], v[k], v[next]));
        }
        r = ASK("exact", cd_closest_pts_point_polygon(p, v, (size_t)count));
        CHECK_NEAR(sqrt((double)r.sqdist), want, margin);
        CHECK_NEAR(dist3(p, r.b), want, margin);
        CHECK_VEC(ASK("forms", cd_closest_pt_point_polygon(p, v, (size_t)count)), r.b, 0);
        CHECK_SAME(ASK("forms", cd_sqdist_point_polygon(p, v, (size_t)count)), r.sqdist);
        if (CD_FEATURE_KIND(r.feature_b) == CD_FEATURE_VERTEX) {
            CHECK(CD_FEATURE_INDEX(r.feature_b) < (uint32_t)count);
            CHECK_VEC(r.b, v[CD_FEATURE_INDEX(r.feature_b)], 0);
        } else if (CD_FEATURE_KIND(r.feature_b) == CD_FEATURE_EDGE) {
            uint32_t k = CD_FEATURE_INDEX(r.feature_b), next = (k + 1) % (uint32_t)count;
            CHECK(k < (uint32_t)count && exact_to_points(r.b, v[k], v[next], v[next]) <= margin);
        } else {
            CHECK(r.feature_b == CD_FEATURE(3u, 0u) && count > 2);
        }
        if (count == 4) {
            cd_quad q = {v[0], v[1], v[2], v[3]};
            cd_closest s = ASK("forms", cd_closest_pts_point_quad(p, &q));
            CHECK(!memcmp(&s, &r, sizeof s));
            CHECK_VEC(ASK("forms", cd_closest_pt_point_quad(p, &q)), r.b, 0);
            CHECK_SAME(ASK("forms", cd_sqdist_point_quad(p, &q)), r.sqdist);
        }
    }
    CHECK(isnan((double)ASK("forms", cd_sqdist_point_polygon(cd_vec3_make(0, 0, 0), NULL, 0))));
}

/* ---- tetrahedra ---- */

static int side_of(const cd_vec3 *v, cd_vec3 p, int i, int j, int k) {
    double d[12];
    to_doubles(REALS(v[i]), d, 3);
    to_doubles(REALS(v[j]), d + 3, 3);
    to_doubles(REALS(v[k]), d + 6, 3);
    to_doubles(REALS(p), d + 9, 3);
    return oracle_orient3d(d, d + 3, d + 6, d + 9);
}

static void tetrahedra(void) {
    static const int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    test_rng rng = test_random();
    long times = test_times(2200), held = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 v[4], p;
        cd_tetrahedron t;
        cd_closest r;
        double want = INFINITY, margin, depth;
        bool inside = true, flat;
        uint32_t f, region;
        for (int k = 0; k < 4; ++k) v[k] = gen_point(&g);
        if (!test_int(&rng, 0, 7)) gen_coplanar(&g, v);
        if (!test_int(&rng, 0, 9)) v[3] = v[test_int(&rng, 0, 2)];
        p = point_near(&g, v, 4);
        t.a = v[0];
        t.b = v[1];
        t.c = v[2];
        t.d = v[3];
        test_note("");
        test_note_reals("t", REALS(t), 12);
        test_note_reals("p", REALS(p), 3);
        margin = 4 * EPS * size_of(p, v, 4);
        flat = side_of(v, v[3], 0, 1, 2) == 0;
        for (int k = 0; k < 4; ++k) {
            const int *c = face[k];
            if (side_of(v, p, c[0], c[1], c[2]) * side_of(v, v[k], c[0], c[1], c[2]) < 0) inside = false;
            want = fmin(want, exact_to_points(p, v[c[0]], v[c[1]], v[c[2]]));
        }
        depth = want;
        inside = inside && !flat;
        if (inside) want = 0;
        held += inside;
        r = ASK("exact", cd_closest_pts_point_tetrahedron(p, &t));
        if (!flat) CHECK_INT(r.sqdist == 0, inside);
        if (inside) CHECK_VEC(r.b, p, 0);
        CHECK_NEAR(sqrt((double)r.sqdist), want, margin);
        CHECK_NEAR(dist3(p, r.b), want, margin);
        CHECK_VEC(ASK("exact", cd_closest_pt_point_tetrahedron(p, &t)), r.b, 0);
        CHECK_SAME(ASK("exact", cd_sqdist_point_tetrahedron(p, &t)), r.sqdist);
        CHECK_NEAR(ASK("exact", cd_dist_point_tetrahedron(p, &t)), inside ? -depth : want, margin);
        f = CD_FEATURE_INDEX(r.feature_b);
        region = cd_voronoi_region_tetrahedron(p, t.a, t.b, t.c, t.d);
        switch (CD_FEATURE_KIND(r.feature_b)) {
        case CD_FEATURE_VERTEX: CHECK(f < 4 && exact_to_points(r.b, v[f], v[f], v[f]) <= margin); break;
        case CD_FEATURE_EDGE:
            CHECK(f < 6 && exact_to_points(r.b, v[edge[f][0]], v[edge[f][1]], v[edge[f][1]]) <= margin);
            break;
        case CD_FEATURE_FACE:
            CHECK(f < 4 && exact_to_points(r.b, v[face[f][0]], v[face[f][1]], v[face[f][2]]) <= margin);
            break;
        default: CHECK(inside && region == CD_FEATURE_NONE);
        }
        /* a flat one has its faces twice over */
        if (g.kind == GEN_UNIT && !flat && want > 1e-3 && CD_FEATURE_KIND(region) == CD_FEATURE_FACE) {
            f = CD_FEATURE_INDEX(region); /* beside an edge it may be either */
            CHECK(r.feature_b == region ||
                  exact_to_points(r.b, v[face[f][0]], v[face[f][1]], v[face[f][2]]) <= margin);
        }
    }
    CHECK_SEEN(held > times / 50 && held < times / 2);
}

/* ---- hulls ---- */

static bool feature_holds(const cd_hull_parts *h, cd_vec3 p, uint32_t feature, double margin) {
    uint32_t i = CD_FEATURE_INDEX(feature), n;
    switch (CD_FEATURE_KIND(feature)) {
    case CD_FEATURE_VERTEX: return i < h->vertex_count && dist3(p, h->vertices[i]) <= margin;
    case CD_FEATURE_EDGE:
        if (h->dimension < 2) return i == 0;
        n = h->half_edges[h->half_edges[i].twin].origin;
        return i < h->half_edges[i].twin && exact_to_points(p, h->vertices[h->half_edges[i].origin],
                                                            h->vertices[n], h->vertices[n]) <= margin;
    default: return i < h->face_count;
    }
}

static void check_hull_at(const cd_hull *hull, cd_vec3 p) {
    uint32_t triangles[3 * 64];
    cd_hull_parts h = cd_hull_get_parts(hull);
    size_t count = cd_hull_triangles(hull, triangles, 64);
    double want = INFINITY, margin = 4 * EPS * size_of(p, h.vertices, (int)h.vertex_count), depth;
    bool inside = h.dimension == 3;
    cd_closest r;
    if (!CHECK(count <= 64)) return;
    for (size_t i = 0; i < count; ++i) {
        const uint32_t *t = triangles + 3 * i;
        want = fmin(want, exact_to_points(p, h.vertices[t[0]], h.vertices[t[1]], h.vertices[t[2]]));
        if (side_of(h.vertices, p, (int)t[0], (int)t[1], (int)t[2]) < 0) inside = false;
    }
    if (h.dimension < 2) want = exact_to_points(p, h.vertices[0], h.vertices[h.dimension], h.vertices[0]);
    depth = want;
    if (inside) want = 0;
    test_note_reals("p", REALS(p), 3);
    r = ASK("exact", cd_closest_pts_point_hull(p, hull));
    if (h.dimension == 3) CHECK_INT(r.sqdist == 0, inside);
    if (inside) CHECK_VEC(r.b, p, 0);
    CHECK_NEAR(sqrt((double)r.sqdist), want, margin);
    CHECK_NEAR(dist3(p, r.b), want, margin);
    CHECK_VEC(ASK("exact", cd_closest_pt_point_hull(p, hull)), r.b, 0);
    CHECK_SAME(ASK("exact", cd_sqdist_point_hull(p, hull)), r.sqdist);
    CHECK_NEAR(ASK("exact", cd_dist_point_hull(p, hull)), inside ? -depth : want, 2 * margin);
    CHECK(r.feature_b == CD_FEATURE_NONE ? inside : feature_holds(&h, r.b, r.feature_b, margin));
}

static void check_hull(gen *g, const cd_hull *hull) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    check_hull_at(hull, point_near(g, h.vertices, (int)h.vertex_count));
}

/* Beside a plane that is near the origin, and its corners are not: its rounding is that of the corners, of any of them. */
static void hulls_far_from_the_origin(void) {
    static const double body[2][5][3] = {
        {{0x1.dcd51565958ap+14, -0x1.804204e1d56cap+61, -0x1.866461b4aba2cp+40},
         {0x1.cffbd66c4298p+126, 0x1.29ad7ba355c06p-96, -0x1.515aeac3487c8p+149},
         {0x1.a59bdebdd714cp+99, 0x1.6251141d3f07cp+156, -0x1.4936242e07298p+112},
         {0x1.cb2f90f28a3ep+23, 0x1.38e2f22a5bafcp+65, -0x1.53c69d9a425f2p+190},
         {0x1.5308d59a87696p-137, -0x1.2b0db2200921ep-106, -0x1.77c0179c5604p-44}},
        {{0x1.0e40a3d290428p+175, -0x1.a85b73ebebe24p-93, -0x1.ef2520fa080c2p+148},
         {-0x1.dbfc953f21a9p+103, -0x1.1d1fd803d0b04p+8, 0x1.c0d564823a8fp+70},
         {-0x1.f0a5f81809af8p+81, 0x1.96d2b64fcd068p-159, -0x1.2edad954e5e14p+7},
         {0x1.9f87dbd10e1c2p-22, 0x1.38e76f3a00378p+127, 0x1.ab2b32494bd28p+132},
         {-0x1.e8cc8fe16f531p+101, 0x1.d1250e3dc961p+126, 0x1.3d8080a238be6p+132}}};
    if (sizeof(cd_real) == 4) return; /* beyond its range */
    for (int n = 0; n < 2; ++n) {
        cd_vec3 v[5]; /* the last is the point */
        cd_hull hull;
        for (int i = 0; i < 5; ++i)
            v[i] = cd_vec3_make((cd_real)body[n][i][0], (cd_real)body[n][i][1], (cd_real)body[n][i][2]);
        test_note("body %d ", n);
        if (!CHECK_INT(cd_hull3_build(&hull, v, 4, NULL), CD_OK)) continue;
        check_hull_at(&hull, v[4]);
        cd_hull_destroy(&hull);
    }
}

static void hulls(void) {
    test_rng rng = test_random();
    for (long i = test_times(525); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 v[24];
        cd_hull hull;
        int count = test_int(&rng, 1, 24);
        for (int k = 0; k < count; ++k) v[k] = gen_point(&g);
        if (!test_int(&rng, 0, 5))
            for (int k = 0; k < count; ++k) v[k].z = 1;
        if (!test_int(&rng, 0, 9))
            for (int k = 0; k < count; ++k)
                v[k] = cd_vec3_make((cd_real)test_int(&rng, 0, 1), (cd_real)test_int(&rng, 0, 1),
                                    (cd_real)test_int(&rng, 0, 1));
        test_note("");
        test_note_reals("v", &v->x, 3 * count);
        if (!CHECK_INT(cd_hull3_build(&hull, v, (size_t)count, NULL), CD_OK)) continue;
        for (int k = 0; k < 4; ++k) check_hull(&g, &hull);
        cd_hull_destroy(&hull);
    }
}

/* ---- boxes, spheres, planes ---- */

/* Far above a flat dome, where the rounding of the planes is more than what one face is farther than the next: no vertex is farther
 * along the way from the closest point than that point, which makes it the one. */
static void points_far_from_hulls(void) {
    test_rng rng = test_random();
    enum { CORNERS = 60 };
    for (long i = 12 + test_times(100); i > 0; --i) {
        cd_vec3 corner[CORNERS];
        cd_hull hull;
        double bend = ldexp(1.0, -test_int(&rng, 9, 11));
        for (int k = 0; k < CORNERS; ++k) {
            double x = test_range(&rng, -0.5, 0.5), y = test_range(&rng, -0.5, 0.5);
            corner[k] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)(-bend * (x * x + y * y)));
        }
        corner[0].z = -1;
        if (!CHECK_INT(cd_hull3_build(&hull, corner, CORNERS, NULL), CD_OK)) continue;
        for (int n = 0; n < 60; ++n) {
            double away = ldexp(test_range(&rng, 1, 2), test_int(&rng, 9, 12)), most = -1e300;
            double x = test_range(&rng, -0.4, 0.4), y = test_range(&rng, -0.4, 0.4);
            cd_vec3 p, c;
            p = cd_vec3_make((cd_real)(x + away * 2 * bend * x), (cd_real)(y + away * 2 * bend * y),
                             (cd_real)away);
            c = cd_closest_pt_point_hull(p, &hull);
            for (int k = 0; k < CORNERS; ++k) {
                double along = 0;
                for (int a = 0; a < 3; ++a)
                    along += ((double)REALS(p)[a] - (double)REALS(c)[a]) *
                             ((double)REALS(corner[k])[a] - (double)REALS(c)[a]);
                most = fmax(most, along);
            }
            test_note("bend %g ", bend);
            test_note_reals("p", &p.x, 3);
            test_note_reals("c", &c.x, 3);
            CHECK_NEAR(fmax(most, 0), 0, (sizeof(cd_real) == 4 ? 4 * (double)CD_REAL_EPSILON : 1e-7) * away);
        }
        cd_hull_destroy(&hull);
    }
}

static void boxes_and_spheres(void) {
    test_rng rng = test_random();
    for (long i = test_times(2250); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_sphere s = gen_sphere(&g);
        cd_obb o = cd_obb_from_aabb(b);
        cd_vec3 n = gen_direction(&g), corner[2], p;
        cd_plane plane = {n, (cd_real)test_range(&rng, -1, 1)};
        double d[6], depth = INFINITY, want, margin;
        cd_closest r;
        corner[0] = b.min;
        corner[1] = b.max;
        p = point_near(&g, corner, 2);
        to_doubles(REALS(b), d, 6);
        test_note("");
        test_note_reals("b", REALS(b), 6);
        test_note_reals("p", REALS(p), 3);
        margin = 4 * EPS * size_of(p, corner, 2);
        r = ASK("forms", cd_closest_pts_point_aabb(p, b));
        CHECK_VEC(r.b, cd_closest_pt_point_aabb(p, b), 0);
        CHECK_SAME(r.sqdist, cd_sqdist_point_aabb(p, b));
        CHECK_INT(r.feature_b, cd_voronoi_region_aabb(p, b));
        for (int k = 0; k < 3; ++k) {
            double x = (double)REALS(p)[k];
            depth = fmin(depth, fmin(x - d[k], d[3 + k] - x));
        }
        want = depth >= 0 ? -depth : dist3(p, r.b);
        CHECK_NEAR(ASK("judge", cd_dist_point_aabb(p, b)), want, margin);
        CHECK_NEAR(ASK("judge", cd_dist_point_obb(p, &o)), want, 2 * margin);
        r = ASK("forms", cd_closest_pts_point_obb(p, &o));
        CHECK_VEC(r.b, cd_closest_pt_point_obb(p, &o), 0);
        CHECK_SAME(r.sqdist, cd_sqdist_point_obb(p, &o));
        want = dist3(p, s.center);
        CHECK_ULPS(ASK("judge", cd_dist_point_sphere(p, s)), want - (double)s.radius, 4,
                   want + (double)s.radius);
        r = ASK("forms", cd_closest_pts_point_plane(p, plane));
        CHECK_VEC(r.b, cd_closest_pt_point_plane(p, plane), 0);
        CHECK_ULPS(sqrt((double)r.sqdist), fabs((double)cd_dist_point_plane(p, plane)), 8,
                   fabs((double)cd_dist_point_plane(p, plane)));
        CHECK_INT(r.feature_b, CD_FEATURE(3u, 0u));
    }
}

static void bad_numbers(void) {
    cd_vec3 p = {1, 2, 3}, bad = {(cd_real)NAN, 0, 0};
    cd_tetrahedron t = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, (cd_real)INFINITY, 1}};
    cd_hull empty;
    cd_sphere s = {{0, 0, 0}, -1};
    cd_closest r;
    memset(&empty, 0, sizeof empty);
    r = ASK("bad", cd_closest_pts_point_hull(p, &empty));
    CHECK(isnan((double)r.sqdist) && r.b.x == 0 && r.feature_b == 0);
    CHECK(isnan((double)ASK("bad", cd_closest_pt_point_hull(p, &empty)).x) &&
          isnan((double)ASK("bad", cd_dist_point_hull(p, &empty))));
    CHECK(isnan((double)ASK("bad", cd_sqdist_point_tetrahedron(p, &t))) &&
          isnan((double)ASK("bad", cd_dist_point_tetrahedron(p, &t))));
    CHECK(isnan((double)ASK("bad", cd_closest_pt_point_polygon(bad, &p, 1)).x) &&
          isnan((double)ASK("bad", cd_sqdist_point_polygon(p, &bad, 1))));
    CHECK(isnan((double)ASK("bad", cd_dist_point_sphere(p, s))) &&
          isnan((double)cd_dist_point_aabb(p, cd_aabb_empty())));
}

void suite_closest_solid(void) {
    RUN(polygons);
    RUN(tetrahedra);
    RUN(hulls);
    RUN(hulls_far_from_the_origin);
    RUN(points_far_from_hulls);
    RUN(boxes_and_spheres);
    RUN(bad_numbers);
}
