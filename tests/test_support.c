/* Farthest points of hulls against all vertices, compared exactly; of all other bodies against closed forms of how far they reach. */
#include "parts.h"

#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cdi_v3 vector(double x, double y, double z) {
    cdi_v3 v = {x, y, z};
    return v;
}

/* One draw after another. */
static cdi_v3 any_vector(test_rng *rng) {
    cdi_v3 v;
    v.x = test_range(rng, -1, 1);
    v.y = test_range(rng, -1, 1);
    v.z = test_range(rng, -1, 1);
    return v;
}

static double dot(cdi_v3 a, cdi_v3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static cdi_v3 cross(cdi_v3 a, cdi_v3 b) {
    return vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static cdi_v3 times(cdi_v3 a, double s) {
    return vector(a.x * s, a.y * s, a.z * s);
}

static cdi_v3 plus(cdi_v3 a, cdi_v3 b) {
    return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static double size_of(cdi_v3 a) {
    return fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z));
}

static double length_of(cdi_v3 a) {
    double size = size_of(a);
    if (size == 0) return 0;
    a = times(a, 1 / size);
    return size * sqrt(dot(a, a));
}

static cdi_v3 of_real(cd_vec3 v) {
    return vector((double)v.x, (double)v.y, (double)v.z);
}

static cd_vec3 to_real(cdi_v3 v) {
    return cdi_v3_round(v);
}

static cd_sphere ball_of(cd_vec3 center, cd_real radius) {
    cd_sphere s;
    s.center = center;
    s.radius = radius;
    return s;
}

/* ---- hulls: the one rule ---- */

static int exact_way(cdi_v3 d, cdi_v3 a, cdi_v3 b) {
    exact_pool pool = exact_begin();
    const double u[3] = {d.x, d.y, d.z}, v[3] = {a.x, a.y, a.z}, w[3] = {b.x, b.y, b.z};
    exact3 way = exact3_sub(exact3_from(v), exact3_from(w));
    int sign = exact3_dot(exact3_from(u), way).sign;
    exact_end(pool);
    return sign;
}

static bool is_farther(cdi_v3 d, cdi_v3 a, cdi_v3 b) {
    double x = dot(d, a), y = dot(d, b);
    double terms = fabs(d.x) * (fabs(a.x) + fabs(b.x)) + fabs(d.y) * (fabs(a.y) + fabs(b.y)) +
                   fabs(d.z) * (fabs(a.z) + fabs(b.z));
    int sign;
    if (terms < 1e300 && fabs(x - y) > 1e-14 * terms + 1e-290) return x > y;
    sign = exact_way(d, a, b);
    if (sign) return sign > 0;
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

static uint32_t brute(const cd_hull_parts *h, cdi_v3 d) {
    uint32_t best = 0;
    for (uint32_t v = 1; v < h->vertex_count; ++v) {
        if (is_farther(d, of_real(h->vertices[v]), of_real(h->vertices[best]))) best = v;
    }
    return best;
}

/* However it is asked for. */
static void check_hull(const cd_hull *hull, cdi_v3 d, test_rng *rng) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    uint32_t want = brute(&h, d), steps = 0, hint = (uint32_t)test_int(rng, 0, (int)h.vertex_count - 1);
    const cd_real note[3] = {(cd_real)d.x, (cd_real)d.y, (cd_real)d.z};
    cd_vec3 rounded = to_real(d);
    test_note("%u vertices, flatness %a, ", h.vertex_count, (double)h.flatness);
    test_note_reals("direction", note, 3);
    CHECK_INT(cdi_farthest_of_all(&h, d), want);
    CHECK_INT(cdi_farthest_from(&h, d, CD_NONE, &steps), want);
    CHECK_INT(cdi_farthest_from(&h, d, hint, &steps), want);
    CHECK_INT(cdi_farthest_from(&h, d, want, &steps), want);
    CHECK_INT(cdi_farthest_from(&h, d, h.vertex_count, &steps), want);
    if (!cd_vec3_is_valid(rounded)) return;
    want = cd_hull_support(hull, rounded);
    if (of_real(rounded).x == d.x && of_real(rounded).y == d.y && of_real(rounded).z == d.z)
        CHECK_INT(want, brute(&h, d));
    CHECK_INT(ASK("forms", cd_hull_support_from(hull, rounded, hint)), want);
    CHECK_INT(ASK("forms", cd_hull_support_from(hull, rounded, 0xFFFFFFF0u)), want);
}

/* Random, along axes, at right angles to edges and faces, tiny and huge, nearly so, zero. */
static cdi_v3 direction_for(const cd_hull_parts *h, gen *g) {
    test_rng *rng = g->rng;
    uint32_t last = h->vertex_count - 1;
    int i = test_int(rng, 0, (int)last), j = test_int(rng, 0, (int)last), k = test_int(rng, 0, (int)last);
    cdi_v3 a = of_real(h->vertices[i]), b = of_real(h->vertices[j]), c = of_real(h->vertices[k]), d;
    int kind = test_int(rng, 0, 9);
    switch (kind) {
    case 0: return of_real(gen_direction(g));
    case 1: d = cross(plus(b, times(a, -1)), plus(c, times(a, -1))); break;
    case 2:
        d = h->face_count ? of_real(h->faces[test_int(rng, 0, (int)h->face_count - 1)].plane.n)
                          : any_vector(rng);
        break;
    case 3: d = cross(plus(b, times(a, -1)), any_vector(rng)); break;
    case 4: d = plus(a, times(of_real(h->center), -1)); break;
    case 5: d = times(any_vector(rng), pow(2, test_int(rng, -500, 500))); break;
    case 6:
        d.x = (double)gen_any_real(rng);
        d.y = (double)gen_any_real(rng);
        d.z = (double)gen_any_real(rng);
        break;
    case 7:
        i = test_int(rng, 0, 26);
        d = vector(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        break;
    case 8:
        i = test_int(rng, 0, 26);
        d = plus(vector(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1), times(any_vector(rng), 1e-9));
        break;
    default: d = any_vector(rng);
    }
    return isfinite(d.x) && isfinite(d.y) && isfinite(d.z) ? d : vector(0, 0, 0);
}

static cd_hull hull_of(const cd_vec3 *points, size_t count, double merge) {
    cd_hull_options o;
    cd_hull hull;
    memset(&o, 0, sizeof o);
    o.merge_distance = (cd_real)merge;
    if (cd_hull3_build(&hull, points, count, &o) != CD_OK) abort();
    return hull;
}

static void hulls_give_the_farthest_vertex(void) {
    test_rng rng = test_random();
    int large = 0, merged = 0;
    for (long left = test_times(400); left > 0; --left) {
        const char *name = hulls_kinds[test_int(&rng, 0, hulls_kind_count - 1)].name;
        static const int sizes[8] = {1, 6, 9, 20, 80, 100, 150, 300};
        hulls_cloud c = hulls_cloud_make(&rng, name, sizes[test_int(&rng, 0, test_is_small() ? 5 : 7)]);
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_hull hull = hull_of(c.points, c.count, left % 3 ? 0 : 0.05);
        cd_hull_parts h = cd_hull_get_parts(&hull);
        large += h.neighbours && h.flatness == 0;
        merged += h.flatness > 0;
        for (int i = 0; i < 8 && h.vertex_count; ++i) check_hull(&hull, direction_for(&h, &g), &rng);
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
    CHECK_SEEN(large > 0 && merged > 0);
}

/* Two caps with so many corners each; turned, scaled along the axis and moved. */
static cd_hull prism_of(int sides, double height, int axis, double turn, double move) {
    cd_vec3 *p = (cd_vec3 *)malloc((size_t)sides * 2 * sizeof *p);
    cd_hull hull;
    if (!p) abort();
    for (int i = 0; i < 2 * sides; ++i) {
        double angle = 6.283185307179586 * (i / 2) / sides + turn;
        cd_real v[3];
        v[axis] = (cd_real)(i % 2 ? height : 0);
        v[(axis + 1) % 3] = (cd_real)(cos(angle) + move);
        v[(axis + 2) % 3] = (cd_real)(sin(angle) - move);
        p[i] = cd_vec3_make(v[0], v[1], v[2]);
    }
    hull = hull_of(p, (size_t)(2 * sides), 0);
    free(p);
    return hull;
}

/* Flat caps, where every vertex is as far: no walk ends before the one. */
static void plains_are_no_traps(void) {
    test_rng rng = test_random();
    static const double heights[4] = {1, 1e-6, 1e6, 0};
    for (long left = test_times(40); left > 0; --left) {
        int sides = test_is_small() ? 40 : test_int(&rng, 0, 3) ? test_int(&rng, 3, 90) : 1000;
        int axis = test_int(&rng, 0, 2);
        cd_hull hull = prism_of(sides, heights[left % 4], axis, left % 2 ? 0 : 0.3, left % 3 ? 0 : 100);
        cd_hull_parts h = cd_hull_get_parts(&hull);
        gen g = gen_begin(&rng, GEN_UNIT);
        for (int side = -1; side < 2; side += 2) {
            double d[3] = {0, 0, 0};
            d[axis] = side;
            check_hull(&hull, vector(d[0], d[1], d[2]), &rng);
            check_hull(&hull, times(vector(d[0], d[1], d[2]), 1e-280), &rng);
            d[(axis + 1) % 3] = test_range(&rng, -1e-15, 1e-15);
            d[(axis + 2) % 3] = test_range(&rng, -1e-15, 1e-15);
            check_hull(&hull, vector(d[0], d[1], d[2]), &rng);
        }
        check_hull(&hull, vector(0, 0, 0), &rng);
        check_hull(&hull, direction_for(&h, &g), &rng);
        cd_hull_destroy(&hull);
    }
}

/* A ball of many vertices; hints near and far keep walks short. */
static void walks_are_short(void) {
    test_rng rng = test_random();
    int count = test_is_small() ? 300 : 3000;
    cd_vec3 *p = (cd_vec3 *)malloc((size_t)count * sizeof *p);
    uint32_t hint = CD_NONE, cold = 0, warm = 0, lost = 0, times_asked = 0;
    cdi_v3 d = vector(1, 0, 0);
    cd_hull hull;
    cd_hull_parts h;
    if (!p) abort();
    for (int i = 0; i < count; ++i) {
        cdi_v3 v = any_vector(&rng);
        double size = length_of(v);
        p[i] = to_real(times(v, size > 0 ? 1 / size : 0));
    }
    hull = hull_of(p, (size_t)count, 0);
    h = cd_hull_get_parts(&hull);
    for (long left = test_times(100); left >= 0; --left, ++times_asked) {
        uint32_t want = brute(&h, d);
        CHECK_INT(cdi_farthest_from(&h, d, CD_NONE, &cold), want);
        CHECK_INT(cdi_farthest_from(&h, d, hint, &warm), want);
        CHECK_INT(cdi_farthest_from(&h, d, brute(&h, times(d, -1)), &lost), want);
        hint = want;
        d = plus(d, times(any_vector(&rng), 0.03));
    }
    test_note("%u cold, %u warm, %u lost, %u times", cold, warm, lost, times_asked);
    CHECK(cold < 12 * times_asked && warm < 5 * times_asked + 20 && lost < 22 * times_asked);
    cd_hull_destroy(&hull);
    free(p);
}

static void rows_and_neighbours_are_the_hull(void) {
    test_rng rng = test_random();
    static const int sizes[9] = {4, 9, 33, 63, 64, 127, 129, 131, 138};
    for (int i = 0; i < 9; ++i) {
        hulls_cloud c = hulls_cloud_make(&rng, "on a sphere", sizes[i]);
        cd_hull hull = hull_of(c.points, c.count, 0);
        cd_hull_parts h = cd_hull_get_parts(&hull);
        double reach = 0;
        CHECK_INT(h.row_count, (h.vertex_count + 7) / 8);
        CHECK_INT(h.neighbours != NULL, h.vertex_count >= 64);
        for (uint32_t k = 0; k < 8 * h.row_count; ++k) {
            uint32_t r = k / 8, v = k % 8 * h.row_count + r;
            cd_vec3 p = h.vertices[v < h.vertex_count ? v : h.vertex_count - 1];
            const cd_real *row = h.rows + (size_t)24 * r + k % 8;
            CHECK(row[0] == p.x && row[8] == p.y && row[16] == p.z);
            reach = fmax(reach, size_of(of_real(p)));
        }
        CHECK_SAME(h.reach, reach);
        for (uint32_t e = 0; h.neighbours && e < h.half_edge_count; ++e) {
            uint32_t v = h.half_edges[e].origin, found = 0;
            for (uint32_t k = h.neighbour_starts[v]; k < h.neighbour_starts[v + 1]; ++k)
                found += h.neighbours[k] == h.half_edges[h.half_edges[e].twin].origin;
            CHECK_INT(found, 1);
        }
        if (h.neighbours) CHECK_INT(h.neighbour_starts[h.vertex_count], h.half_edge_count);
        for (uint32_t v = 0; v < h.vertex_count; ++v) { /* each is the farthest of a sphere its own way */
            CHECK_INT(cd_hull_support(&hull, h.vertices[v]), brute(&h, of_real(h.vertices[v])));
            CHECK_INT(cd_hull_support_from(&hull, h.vertices[v], v ? 0u : CD_NONE),
                      brute(&h, of_real(h.vertices[v])));
        }
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

/* Every part of the rows and lists changed in turn: the hull is refused, or (a zero with the other sign) the same. */
static void damaged_rows_and_lists_are_refused(void) {
    test_rng rng = test_random();
    hulls_cloud c = hulls_cloud_make(&rng, "on a sphere", 70);
    cd_hull hull = hull_of(c.points, c.count, 0), view;
    cd_hull_parts h = cd_hull_get_parts(&hull);
    unsigned char *copy = test_block(hull.bytes);
    const unsigned char *block = (const unsigned char *)hull.block;
    size_t row_bytes = (size_t)24 * h.row_count * sizeof(cd_real), refused = 0, times_tried = 0;
    size_t lists =
        h.neighbours ? (size_t)((const unsigned char *)(const void *)h.neighbour_starts - block) : hull.bytes;
    if (!copy) abort();
    memcpy(copy, block, hull.bytes);
    CHECK_SEEN(h.neighbours != NULL);
    for (size_t n = (size_t)((const unsigned char *)(const void *)h.rows - block); n < hull.bytes; ++n) {
        if (n >= row_bytes + 128 && n < lists) continue;
        if (test_is_small() && n % 16) continue;
        copy[n] = (unsigned char)(copy[n] ^ 1u << test_int(&rng, 0, 7));
        ++times_tried;
        refused += cd_hull_view(&view, copy, hull.bytes) == CD_CORRUPT;
        copy[n] = block[n];
    }
    CHECK_INT(refused, times_tried);
    CHECK_INT(cd_hull_view(&view, copy, hull.bytes), CD_OK);
    CHECK_INT(cd_hull_support(&view, cd_vec3_make(1, 2, 3)), cd_hull_support(&hull, cd_vec3_make(1, 2, 3)));
    test_block_free(copy);
    cd_hull_destroy(&hull);
    hulls_cloud_free(&c);
}

/* ---- all bodies ---- */

/* The shapes that supports point at. */
typedef struct bodies {
    cd_vec3 points[12];
    cd_aabb aabb;
    cd_obb obb;
    cd_rect rect;
    cd_lozenge lozenge;
    cd_disc disc;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_capsule capsule;
    cd_tapered_capsule tapered;
    cd_kdop_set set;
    cd_kdop dop;
    cd_kdop_body slabs;
    cd_hull hull;
} bodies;

enum { KINDS = 18, TAPERED = 16, SLABS = 17 };

/* For tests of functions: the farthest of the twelve points. */
static uint32_t farthest_by_function(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const cd_vec3 *p = (const cd_vec3 *)user;
    uint32_t best = 0;
    (void)hint;
    for (uint32_t i = 1; i < 12; ++i) {
        if (dot(of_real(dir), of_real(p[i])) > dot(of_real(dir), of_real(p[best]))) best = i;
    }
    *out = p[best];
    return best;
}

static cd_vec3 scaled_point(test_rng *rng, double scale) {
    cdi_v3 v = times(any_vector(rng), scale);
    if (test_int(rng, 0, 5) == 0) v.x = 0;
    if (test_int(rng, 0, 5) == 0) v.y = 0;
    return to_real(v);
}

static cd_real scaled_length(test_rng *rng, double scale) {
    static const double factors[6] = {1, 1, 0, 1e-6, 1e-3, 1};
    double x = scale * factors[test_int(rng, 0, 5)];
    return (cd_real)(x * test_unit(rng));
}

static cd_mat3 any_axes(test_rng *rng) {
    static const cd_mat3 straight = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return test_int(rng, 0, 2) ? cd_quat_to_mat3(gen_quat(rng)) : straight;
}

/* Of three points a k-DOP may be flat, or less. */
static void fill_slabs(bodies *b, int kind) {
    static const uint32_t k[3] = {6, 14, 18};
    b->set = cd_kdop_set_standard(k[kind]);
    CHECK_INT(cd_kdop_from_points(b->points, kind ? 12 : 3, &b->set, &b->dop), CD_OK);
    b->slabs.dop = &b->dop;
    b->slabs.set = &b->set;
}

static void fill_bodies(bodies *b, test_rng *rng) {
    double scale = pow(10, test_int(rng, 0, 3) ? 0 : test_int(rng, -25, 25));
    cd_vec3 p;
    for (int i = 0; i < 12; ++i) b->points[i] = scaled_point(rng, scale);
    b->aabb.min = b->points[0];
    p.x = scaled_length(rng, scale);
    p.y = scaled_length(rng, scale);
    p.z = scaled_length(rng, scale);
    b->aabb.max = cd_vec3_add(b->aabb.min, p);
    b->obb.center = b->points[1];
    b->obb.axes = any_axes(rng);
    b->obb.half = p;
    b->rect.a = b->points[2];
    b->rect.edge[0] = cd_vec3_scale(b->obb.axes.col[0], p.y);
    b->rect.edge[1] = cd_vec3_scale(b->obb.axes.col[1], p.z);
    b->lozenge.a = b->rect.a;
    b->lozenge.edge[0] = b->rect.edge[0];
    b->lozenge.edge[1] = b->rect.edge[1];
    b->lozenge.radius = p.x;
    b->disc.center = b->points[3];
    b->disc.normal = cd_vec3_add(any_axes(rng).col[2], cd_vec3_make(0, 0, 0));
    b->disc.radius = p.x;
    b->cylinder.a = b->points[4];
    b->cylinder.b = b->points[5];
    b->cylinder.radius = p.y;
    b->cone.apex = b->points[6];
    b->cone.base = b->points[7];
    b->cone.radius = p.z;
    b->ellipsoid.center = b->points[8];
    b->ellipsoid.axes = b->obb.axes;
    b->ellipsoid.half = p;
    b->capsule.a = b->points[0];
    b->capsule.b = b->points[1];
    b->capsule.radius = p.z;
    b->tapered.a = b->points[9];
    b->tapered.b = b->points[10];
    b->tapered.radius_a = p.x;
    b->tapered.radius_b = p.y;
    fill_slabs(b, test_int(rng, 0, 2));
    b->hull = hull_of(b->points, 12, 0);
}

static cd_support support_of_kind(const bodies *b, int kind) {
    switch (kind) {
    case 0: return cd_support_of_point(b->points[0]);
    case 1: return cd_support_of_points(b->points, 12);
    case 2: return cd_support_of_segment((const cd_segment *)(const void *)b->points);
    case 3: return cd_support_of_triangle((const cd_triangle *)(const void *)b->points);
    case 4: return cd_support_of_tetrahedron((const cd_tetrahedron *)(const void *)b->points);
    case 5: return cd_support_of_aabb(&b->aabb);
    case 6: return cd_support_of_obb(&b->obb);
    case 7: return cd_support_of_rect(&b->rect);
    case 8: return cd_support_of_lozenge(&b->lozenge);
    case 9: return cd_support_of_disc(&b->disc);
    case 10: return cd_support_of_cylinder(&b->cylinder);
    case 11: return cd_support_of_cone(&b->cone);
    case 12: return cd_support_of_ellipsoid(&b->ellipsoid);
    case 13: return cd_support_of_capsule(&b->capsule);
    case 14: return cd_support_of_hull(&b->hull);
    case TAPERED: return cd_support_of_tapered_capsule(&b->tapered);
    case SLABS: return cd_support_of_kdop(&b->slabs);
    default: return cd_support_of_function(farthest_by_function, b->points, b->points[0], 0);
    }
}

static double reach_of_points(const cd_vec3 *p, int n, cdi_v3 d) {
    double most = -INFINITY;
    for (int i = 0; i < n; ++i) most = fmax(most, dot(d, of_real(p[i])));
    return most;
}

/* How far the circle of radius 1 about an axis reaches. */
static double reach_of_rim(cdi_v3 axis, cdi_v3 d) {
    double length = length_of(axis);
    return length > 0 ? length_of(cross(times(axis, 1 / length), d)) : 0;
}

/* The most of all corners of a k-DOP: where three of its planes meet and no slab leaves it out, but for rounding. */
static double reach_of_slabs(const bodies *b, cdi_v3 d) {
    const uint32_t count = 2 * b->set.count;
    double most = -INFINITY, size = 0;
    for (uint32_t i = 0; i < b->set.count; ++i)
        size = fmax(size, fmax(fabs((double)b->dop.min[i]), fabs((double)b->dop.max[i])));
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = i / 2 * 2 + 2; j < count; ++j)
            for (uint32_t k = j / 2 * 2 + 2; k < count; ++k) {
                const uint32_t at[3] = {i, j, k};
                cdi_v3 n[3], p;
                double e[3], det;
                bool in = true;
                for (int m = 0; m < 3; ++m) {
                    n[m] = of_real(b->set.axis[at[m] / 2]);
                    e[m] = (double)(at[m] % 2 ? b->dop.max[at[m] / 2] : b->dop.min[at[m] / 2]);
                }
                det = dot(n[0], cross(n[1], n[2]));
                if (fabs(det) < 1e-6) continue;
                p = plus(times(cross(n[1], n[2]), e[0] / det), times(cross(n[2], n[0]), e[1] / det));
                p = plus(p, times(cross(n[0], n[1]), e[2] / det));
                for (uint32_t m = 0; m < b->set.count && in; ++m) {
                    double x = dot(of_real(b->set.axis[m]), p), few = 1e-14 * size;
                    in = x >= (double)b->dop.min[m] - few && x <= (double)b->dop.max[m] + few;
                }
                if (in) most = fmax(most, dot(d, p));
            }
    return most;
}

/* How far the core reaches along a direction: the support function, by closed forms. */
static double reach_of_kind(const bodies *b, int kind, cdi_v3 d) {
    double sum, rim;
    switch (kind) {
    case 0: return dot(d, of_real(b->points[0]));
    case 2:
    case 13: return reach_of_points(b->points, 2, d);
    case 3: return reach_of_points(b->points, 3, d);
    case 4: return reach_of_points(b->points, 4, d);
    case 5:
        return fmax(d.x * (double)b->aabb.min.x, d.x * (double)b->aabb.max.x) +
               fmax(d.y * (double)b->aabb.min.y, d.y * (double)b->aabb.max.y) +
               fmax(d.z * (double)b->aabb.min.z, d.z * (double)b->aabb.max.z);
    case 6:
        return dot(d, of_real(b->obb.center)) +
               fabs(dot(d, of_real(b->obb.axes.col[0]))) * (double)b->obb.half.x +
               fabs(dot(d, of_real(b->obb.axes.col[1]))) * (double)b->obb.half.y +
               fabs(dot(d, of_real(b->obb.axes.col[2]))) * (double)b->obb.half.z;
    case 7:
    case 8:
        return dot(d, of_real(b->rect.a)) + fmax(0, dot(d, of_real(b->rect.edge[0]))) +
               fmax(0, dot(d, of_real(b->rect.edge[1])));
    case 9:
        return dot(d, of_real(b->disc.center)) +
               (double)b->disc.radius * reach_of_rim(of_real(b->disc.normal), d);
    case 10:
        rim = reach_of_rim(plus(of_real(b->cylinder.b), times(of_real(b->cylinder.a), -1)), d);
        sum = fmax(dot(d, of_real(b->cylinder.a)), dot(d, of_real(b->cylinder.b)));
        return sum + (double)b->cylinder.radius * rim;
    case 11:
        rim = reach_of_rim(plus(of_real(b->cone.base), times(of_real(b->cone.apex), -1)), d);
        return fmax(dot(d, of_real(b->cone.apex)),
                    dot(d, of_real(b->cone.base)) + (double)b->cone.radius * rim);
    case 12:
        return dot(d, of_real(b->ellipsoid.center)) +
               length_of(vector(dot(d, of_real(b->ellipsoid.axes.col[0])) * (double)b->ellipsoid.half.x,
                                dot(d, of_real(b->ellipsoid.axes.col[1])) * (double)b->ellipsoid.half.y,
                                dot(d, of_real(b->ellipsoid.axes.col[2])) * (double)b->ellipsoid.half.z));
    case TAPERED: /* without the smaller ball */
        sum = (double)b->tapered.radius_a - (double)b->tapered.radius_b;
        return fmax(dot(d, of_real(b->tapered.a)) + fmax(sum, 0) * length_of(d),
                    dot(d, of_real(b->tapered.b)) + fmax(-sum, 0) * length_of(d));
    case SLABS: return reach_of_slabs(b, d);
    default: return reach_of_points(b->points, 12, d);
    }
}

/* Random, along axes of the world and of the shapes, and nearly so. */
static cdi_v3 direction_of(const bodies *b, test_rng *rng) {
    int kind = test_int(rng, 0, 5), k = test_int(rng, 0, 2), i;
    cdi_v3 d = any_vector(rng);
    if (kind == 1) {
        i = test_int(rng, 0, 26);
        d = vector(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    }
    if (kind == 2) d = of_real(b->obb.axes.col[k]);
    if (kind == 3) d = plus(of_real(b->cylinder.b), times(of_real(b->cylinder.a), -1));
    if (kind == 4) d = plus(of_real(b->cone.base), times(of_real(b->cone.apex), -1));
    if (kind == 5) d = of_real(b->disc.normal);
    if (size_of(d) == 0) return vector(0, 0, 1);
    d = times(d, (test_int(rng, 0, 1) ? 1 : -1) / size_of(d));
    if (test_int(rng, 0, 1)) d = plus(d, times(any_vector(rng), pow(10, test_int(rng, -18, -5))));
    return d;
}

/* The point reaches as far as the core does, and no farther along any other direction. */
static void check_core(const bodies *b, int kind, const cdi_convex *body, cdi_v3 d, test_rng *rng) {
    uint32_t vertex = (uint32_t)test_next(rng);
    cdi_v3 p = cdi_convex_farthest(body, d, &vertex), q;
    double margin = 4e-15 * body->own + 1e-300;
    test_note("kind %d, direction %a %a %a", kind, d.x, d.y, d.z);
    CHECK_NEAR(dot(p, d), reach_of_kind(b, kind, d), margin * (fabs(d.x) + fabs(d.y) + fabs(d.z)));
    CHECK(size_of(p) <= body->own * (1 + 1e-15));
    for (int i = 0; i < 4; ++i) {
        cdi_v3 e = i == 0 ? times(d, -1) : direction_of(b, rng);
        double most = reach_of_kind(b, kind, e) + margin * (fabs(e.x) + fabs(e.y) + fabs(e.z));
        if (!CHECK(dot(p, e) <= most)) test_note("along %a %a %a", e.x, e.y, e.z);
    }
    if (vertex == CD_NONE || kind == 15) return;
    CHECK(cdi_convex_vertex(body, vertex, &q) && q.x == p.x && q.y == p.y && q.z == p.z);
    CHECK_INT(cdi_convex_feature(body, &vertex, 1),
              body->support->kind == CD_SUPPORT_POINT && body->radius > 0
                  ? CD_FEATURE(CD_FEATURE_FACE, 0u)
                  : CD_FEATURE(CD_FEATURE_VERTEX, vertex));
}

/* The same along a direction of another length, and in another frame. */
static void check_posed(const cd_support *s, const cdi_convex *body, cdi_v3 d, test_rng *rng) {
    cd_transform pose = gen_pose(rng, 3);
    cdi_v3 still, moved;
    uint32_t v = CD_NONE, w = CD_NONE;
    cdi_convex posed;
    cdi_couple pair, other;
    double scale = pow(2, test_int(rng, -300, 300)), span;
    still = cdi_convex_farthest(body, times(d, scale), &v);
    CHECK_NEAR(dot(still, d), dot(cdi_convex_farthest(body, d, &w), d),
               8e-15 * body->own * (fabs(d.x) + fabs(d.y) + fabs(d.z)));
    if (!CHECK(cdi_convex_open(&posed, s, &pose))) return;
    v = w = CD_NONE;
    d = cdi_m3_mul_v3(&posed.pose.rotation, d);
    moved = cdi_convex_farthest(&posed, d, &v);
    CHECK(size_of(moved) <= posed.reach * (1 + 1e-15));
    still = cdi_convex_farthest(body, cdi_m3_tmul_v3(&posed.pose.rotation, d), &w);
    CHECK(v == w);
    still = cdi_pose_point(&posed.pose, still);
    CHECK(still.x == moved.x && still.y == moved.y && still.z == moved.z);
    if (cdi_convex_vertex(&posed, v, &still)) CHECK(still.x == moved.x && still.y == moved.y);
    CHECK(cdi_couple_open(&pair, s, s, &pose));
    memset(&other, 0, sizeof other);
    CHECK(cdi_couple_open(&other, s, s, NULL));
    cdi_couple_move(&other, &pair.b.pose);
    CHECK_SAME(pair.scale, other.scale);
    span = fmax(body->reach, posed.reach);
    CHECK_SAME(pair.scale, span);
    CHECK_SAME(pair.rounded, 2 * body->radius);
    {
        cdi_tip t, u;
        t.vertex_a = t.vertex_b = CD_NONE;
        u.vertex_a = 5;
        u.vertex_b = 0xFFFFFFF0u;
        cdi_couple_least(&pair, d, &t);
        cdi_couple_least(&other, d, &u);
        CHECK(t.w.x == u.w.x && t.w.y == u.w.y && t.w.z == u.w.z && t.vertex_a == u.vertex_a);
        CHECK(t.w.x == t.b.x - t.a.x && t.b.x == u.b.x && t.vertex_b == u.vertex_b);
        u.b = cdi_convex_farthest(&pair.b, times(d, -1), &u.vertex_b);
        CHECK(t.b.x == u.b.x && t.b.y == u.b.y && t.b.z == u.b.z);
    }
}

static void check_public(const cd_support *s, const cdi_convex *body, cdi_v3 d) {
    uint32_t vertex = CD_NONE;
    cd_vec3 dir = to_real(d);
    cdi_v3 p, got, unit;
    double length = length_of(of_real(dir)), margin = body->own + body->radius;
    if (length == 0 || !cd_vec3_is_valid(dir)) return;
    unit = times(of_real(dir), 1 / length);
    p = plus(cdi_convex_farthest(body, of_real(dir), &vertex), times(unit, body->radius));
    got = of_real(cd_support_farthest(s, dir));
    CHECK(size_of(plus(p, times(got, -1))) <= ((double)CD_REAL_EPSILON + 1e-14) * margin + 1e-44);
}

/* Not left out by a compiler that has doubles made floats and doubles again side by side. */
static void roundings_happen(void) {
    test_rng rng = test_random();
    for (long left = test_times(100); left > 0; --left) {
        cdi_v3 v = vector(test_range(&rng, -1, 1), 0, 0), r;
        volatile cd_real x = (cd_real)v.x, y;
        v.y = test_range(&rng, -1, 1);
        y = (cd_real)v.y;
        r = of_real(cdi_v3_round(v));
        CHECK(r.x == (double)x && r.y == (double)y);
    }
}

/* Which routine support_of_kind takes. */
static const char *maker_of(int kind) {
    static const char *const makers[] = {
        "cd_support_of_point",     "cd_support_of_points",      "cd_support_of_segment",
        "cd_support_of_triangle",  "cd_support_of_tetrahedron", "cd_support_of_aabb",
        "cd_support_of_obb",       "cd_support_of_rect",        "cd_support_of_lozenge",
        "cd_support_of_disc",      "cd_support_of_cylinder",    "cd_support_of_cone",
        "cd_support_of_ellipsoid", "cd_support_of_capsule",     "cd_support_of_hull",
    };
    return kind == TAPERED ? "cd_support_of_tapered_capsule"
           : kind == SLABS ? "cd_support_of_kdop"
           : kind < 15     ? makers[kind]
                           : "cd_support_of_function";
}

static void bodies_reach_as_far_as_they_should(void) {
    test_rng rng = test_random();
    for (long left = test_times(400); left > 0; --left) {
        bodies b;
        fill_bodies(&b, &rng);
        for (int kind = 0; kind < KINDS; ++kind) {
            cd_support s = support_of_kind(&b, kind);
            cdi_convex body;
            cdi_v3 d = direction_of(&b, &rng);
            bool exists = true;
            if (kind == 10) exists = cd_cylinder_is_valid(&b.cylinder);
            if (kind == 11) exists = cd_cone_is_valid(&b.cone);
            CHECK_INT(cd_support_is_valid(&s), exists);
            if (!cdi_convex_open(&body, &s, NULL)) continue;
            test_asked("judge", maker_of(kind));
            check_core(&b, kind, &body, d, &rng);
            check_posed(&s, &body, d, &rng);
            check_public(&s, &body, d);
        }
        cd_hull_destroy(&b.hull);
    }
}

/* ---- stretched ---- */

static cd_vec3 any_stretch(test_rng *rng, int kind) {
    cd_real f[3];
    for (int k = 0; k < 3; ++k) {
        double x = kind == 0 ? pow(2, test_int(rng, -2, 2)) : test_range(rng, 0.1, 4);
        f[k] = (cd_real)(test_int(rng, 0, 1) ? x : -x);
    }
    return cd_vec3_make(f[0], f[1], f[2]);
}

/* The core stretched by S reaches as far along d as the core does along S d. */
static void check_stretched(const bodies *b, int kind, const cd_support *plain, cd_vec3 by, cdi_v3 d,
                            test_rng *rng) {
    cd_support s = ASK("judge", cd_support_scaled(plain, by));
    cdi_v3 factor = of_real(by), e = vector(d.x * factor.x, d.y * factor.y, d.z * factor.z), p;
    cdi_convex body;
    uint32_t vertex = CD_NONE;
    double margin;
    test_note("kind %d, direction %a %a %a", kind, d.x, d.y, d.z);
    test_note_reals("stretched", &by.x, 3);
    CHECK(ASK("judge", cd_support_is_valid(&s)) && s.radius == plain->radius);
    if (!CHECK(cdi_convex_open(&body, &s, NULL))) return;
    p = cdi_convex_farthest(&body, d, &vertex);
    margin = 8e-15 * body.own + 1e-300;
    CHECK_NEAR(dot(p, d), reach_of_kind(b, kind, e), margin * (fabs(d.x) + fabs(d.y) + fabs(d.z)));
    CHECK(size_of(p) <= body.own * (1 + 1e-15));
    if (vertex != CD_NONE && kind != 15) {
        cdi_v3 q;
        CHECK(cdi_convex_vertex(&body, vertex, &q) && q.x == p.x && q.y == p.y && q.z == p.z);
    }
    check_posed(&s, &body, d, rng);
    check_public(&s, &body, d);
}

static void stretched_bodies_reach_as_far_as_they_should(void) {
    test_rng rng = test_random();
    for (long left = test_times(200); left > 0; --left) {
        bodies b;
        fill_bodies(&b, &rng);
        for (int kind = 0; kind < KINDS; ++kind) {
            cd_support s = support_of_kind(&b, kind), twice, once;
            cdi_v3 d = direction_of(&b, &rng);
            cd_vec3 by = any_stretch(&rng, (int)(left % 3)), more = any_stretch(&rng, 0), both, p, q;
            if (!cd_support_is_valid(&s)) continue;
            check_stretched(&b, kind, &s, by, d, &rng);
            both = cd_vec3_make(by.x * more.x, by.y * more.y, by.z * more.z);
            once = ASK("forms", cd_support_scaled(&s, both)); /* powers of two: no rounding */
            twice = ASK("forms", cd_support_scaled(&s, by));
            twice = ASK("forms", cd_support_scaled(&twice, more));
            p = cd_support_farthest(&once, to_real(d));
            q = cd_support_farthest(&twice, to_real(d));
            CHECK(p.x == q.x && p.y == q.y && p.z == q.z);
        }
        cd_hull_destroy(&b.hull);
    }
}

/* Very small and very large images of a hull have the same farthest vertices. */
static void stretched_by_any_size(void) {
    test_rng rng = test_random();
    for (long left = test_times(200); left > 0; --left) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 points[12], d = gen_direction(&g), p, q;
        cd_hull hull;
        cd_support s;
        double size = ldexp(1, left % 2 ? 110 : -110);
        for (int i = 0; i < 12; ++i) points[i] = gen_point(&g);
        CHECK_INT(cd_hull3_build(&hull, points, 12, NULL), CD_OK);
        s = cd_support_of_hull(&hull);
        p = cd_support_farthest(&s, d);
        s = cd_support_scaled(&s, cd_vec3_make((cd_real)size, (cd_real)size, (cd_real)size));
        q = cd_support_farthest(&s, d);
        test_note_reals("direction", &d.x, 3);
        CHECK(q.x == (cd_real)(size * (double)p.x) && q.y == (cd_real)(size * (double)p.y) &&
              q.z == (cd_real)(size * (double)p.z));
        cd_hull_destroy(&hull);
    }
}

static void what_cannot_be_stretched(void) {
    const cd_real bad[4] = {0, (cd_real)NAN, (cd_real)INFINITY, -(cd_real)INFINITY};
    cd_vec3 dir = cd_vec3_make(1, 2, 3);
    cd_support s = cd_support_of_sphere(ball_of(dir, 1)), r;
    for (int i = 0; i < 12; ++i) {
        cd_vec3 by = cd_vec3_make(2, -1, 3);
        (&by.x)[i % 3] = bad[i / 3];
        r = ASK("bad", cd_support_scaled(&s, by));
        CHECK_INT(r.kind, CD_SUPPORT_NOTHING);
        CHECK(!ASK("bad", cd_support_is_valid(&r)) && isnan((double)cd_support_farthest(&r, dir).x));
    }
    r = s;
    for (int i = 0; i < 3; ++i) { /* leaves the range on the way down, or up */
        cd_support next = cd_support_scaled(&r, cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX));
        r = next;
    }
    CHECK(!cd_support_is_valid(&r));
    r = ASK("exact",
            cd_support_scaled(&s, cd_vec3_make(-1, 1, 2))); /* a point is moved, its rounding stays round */
    CHECK_SAME(cd_support_farthest(&r, cd_vec3_make(-1, 0, 0)).x, -2);
    CHECK_SAME(cd_support_farthest(&r, cd_vec3_make(0, 0, 1)).z, 7);
}

/* ---- features ---- */

/* Is a corner of the box, by its bits, on this feature? As feature.h has it. */
static bool box_has(uint32_t corner, uint32_t kind, uint32_t index) {
    uint32_t bit[3] = {corner & 1u, corner >> 1 & 1u, corner >> 2};
    uint32_t axis, low, high;
    if (kind == CD_FEATURE_VERTEX) return corner == index;
    if (kind == CD_FEATURE_FACE) return bit[index / 2] == index % 2;
    axis = index / 4;
    low = axis == 0 ? 1 : 0;
    high = axis == 2 ? 1 : 2;
    return bit[low] == (index & 1u) && bit[high] == (index >> 1 & 1u);
}

/* The features of simplices and rectangles: bits of their corners. */
static const uint32_t simplex_edges[5][6] = {
    {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}, {3, 6, 5, 0, 0, 0}, {3, 6, 5, 9, 10, 12}};
static const uint32_t simplex_faces[5][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {7, 0, 0, 0}, {14, 13, 11, 7}};

/* The least feature of a kind of body that holds all vertices of the set. */
static uint32_t least_feature(int kind, uint32_t set) {
    static const uint32_t counts[3][3] = {{8, 12, 6}, {4, 4, 1}, {4, 6, 4}};
    for (uint32_t f = 1; f < 4; ++f) {
        uint32_t count = kind < 2 ? counts[kind][f - 1] : 6;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t on = 0;
            for (uint32_t c = 0; c < 8; ++c) {
                if (kind == 0) on |= (uint32_t)box_has(c, f, i) << c;
            }
            if (kind == 1) on = f == 1 ? 1u << i : f == 2 ? (1u << i | 1u << (i + 1) % 4) : 15;
            if (kind >= 2)
                on = f == 1 ? 1u << i : f == 2 ? simplex_edges[kind][i] : i < 4 ? simplex_faces[kind][i] : 0;
            if ((set & ~on) == 0) return CD_FEATURE(f, i);
        }
    }
    return CD_FEATURE_NONE;
}

/* All sets of vertices, in any order and with some twice. */
static void check_features(const cd_support *s, int kind, uint32_t corners, test_rng *rng) {
    cdi_convex body;
    if (!CHECK(cdi_convex_open(&body, s, NULL))) return;
    for (uint32_t set = 1; set < 1u << corners; ++set) {
        uint32_t list[6], count = 0, bits = 0;
        for (uint32_t i = 0; i < corners && count < 5; ++i)
            if (set >> i & 1u) list[count++] = i, bits |= 1u << i;
        if (count > 4) continue;
        list[count] = list[test_int(rng, 0, (int)count - 1)];
        for (uint32_t i = count; i > 0; --i) {
            uint32_t j = (uint32_t)test_int(rng, 0, (int)i), keep = list[j];
            list[j] = list[i];
            list[i] = keep;
        }
        test_note("kind %d, vertices %x", kind, bits);
        CHECK_INT(cdi_convex_feature(&body, list, (int)count + 1), least_feature(kind, bits));
    }
}

static void features_of_small_bodies(void) {
    test_rng rng = test_random();
    bodies b;
    cd_support s;
    cdi_convex body;
    uint32_t none = CD_NONE, two[2] = {0, 1}, nine = 9;
    memset(&b, 0, sizeof b);
    fill_bodies(&b, &rng);
    for (int kind = 5; kind < 7; ++kind) {
        s = support_of_kind(&b, kind);
        check_features(&s, 0, 8, &rng);
    }
    s = support_of_kind(&b, 7);
    check_features(&s, 1, 4, &rng);
    for (int kind = 2; kind < 5; ++kind) {
        s = support_of_kind(&b, kind);
        check_features(&s, kind, (uint32_t)kind, &rng);
    }
    s = support_of_kind(&b, 1);
    CHECK(cdi_convex_open(&body, &s, NULL));
    CHECK_INT(cdi_convex_feature(&body, &nine, 1), CD_FEATURE(CD_FEATURE_VERTEX, 9u));
    CHECK_INT(cdi_convex_feature(&body, two, 2), CD_FEATURE_NONE);
    s = support_of_kind(&b, 12);
    CHECK(cdi_convex_open(&body, &s, NULL));
    CHECK_INT(cdi_convex_feature(&body, &none, 1), CD_FEATURE_NONE);
    s = support_of_kind(&b, 15);
    CHECK(cdi_convex_open(&body, &s, NULL));
    CHECK_INT(cdi_convex_feature(&body, two, 1), CD_FEATURE_NONE);
    s = cd_support_of_sphere(ball_of(b.points[0], 1));
    CHECK(cdi_convex_open(&body, &s, NULL));
    CHECK_INT(cdi_convex_feature(&body, two, 1), CD_FEATURE(CD_FEATURE_FACE, 0u));
    cd_hull_destroy(&b.hull);
}

/* By going through all edges and faces. */
static uint32_t feature_of_hull(const cd_hull_parts *h, const uint32_t *v, int count) {
    bool one = true;
    for (int i = 1; i < count; ++i) one = one && v[i] == v[0];
    if (one) return CD_FEATURE(CD_FEATURE_VERTEX, v[0]);
    for (uint32_t e = 0; e < h->half_edge_count; ++e) {
        uint32_t a = h->half_edges[e].origin, b = h->half_edges[h->half_edges[e].twin].origin;
        bool on = true;
        for (int i = 0; i < count; ++i) on = on && (v[i] == a || v[i] == b);
        if (on) return CD_FEATURE(CD_FEATURE_EDGE, e);
    }
    for (uint32_t f = 0; f < h->face_count; ++f) {
        int on = 0;
        for (int i = 0; i < count; ++i) {
            bool found = false;
            for (uint32_t e = 0; e < h->faces[f].count; ++e)
                found = found || h->half_edges[h->faces[f].first + e].origin == v[i];
            on += found;
        }
        if (on == count) return CD_FEATURE(CD_FEATURE_FACE, f);
    }
    return CD_FEATURE_NONE;
}

/* Merged hulls may have several edges between two vertices. */
static bool same_feature(const cd_hull_parts *h, uint32_t f, uint32_t g) {
    const cd_half_edge *e, *o;
    if (f == g || CD_FEATURE_KIND(f) != CD_FEATURE_EDGE || CD_FEATURE_KIND(g) != CD_FEATURE_EDGE)
        return f == g;
    e = &h->half_edges[CD_FEATURE_INDEX(f)];
    o = &h->half_edges[CD_FEATURE_INDEX(g)];
    if (e->origin != o->origin) o = &h->half_edges[o->twin];
    return e->origin == o->origin && h->half_edges[e->twin].origin == h->half_edges[o->twin].origin;
}

static void features_of_hulls(void) {
    test_rng rng = test_random();
    int seen[4] = {0, 0, 0, 0};
    for (long left = test_times(100); left > 0; --left) {
        hulls_cloud c = hulls_cloud_make(&rng, hulls_kinds[left % hulls_kind_count].name, 12);
        cd_hull hull = hull_of(c.points, c.count, left % 2 ? 0 : 0.1);
        cd_hull_parts h = cd_hull_get_parts(&hull);
        cd_support s = cd_support_of_hull(&hull);
        cdi_convex body;
        CHECK_INT(cdi_convex_open(&body, &s, NULL), h.vertex_count > 0);
        for (int i = 0; i < 20 && h.vertex_count; ++i) {
            uint32_t v[4], want;
            int count = test_int(&rng, 1, 4);
            uint32_t face = h.face_count ? (uint32_t)test_int(&rng, 0, (int)h.face_count - 1) : 0;
            for (int k = 0; k < count; ++k) {
                v[k] = (uint32_t)test_int(&rng, 0, (int)h.vertex_count - 1);
                if (i % 2 && h.face_count)
                    v[k] = h.half_edges[h.faces[face].first + v[k] % h.faces[face].count].origin;
            }
            want = feature_of_hull(&h, v, count);
            ++seen[CD_FEATURE_KIND(want)];
            CHECK(same_feature(&h, cdi_convex_feature(&body, v, count), want));
        }
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
    CHECK_SEEN(seen[0] && seen[1] && seen[2] && seen[3]);
}

/* ---- what is not valid ---- */

static uint32_t nowhere(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    (void)dir;
    out->x = *(const cd_real *)user;
    return hint;
}

static void what_is_not_valid(void) {
    test_rng rng = test_random();
    const cd_real nan = (cd_real)NAN;
    cd_vec3 x = cd_vec3_make(1, 0, 0), zero = cd_vec3_make(0, 0, 0);
    cd_support s, other;
    bodies b;
    cd_hull none;
    memset(&s, 0, sizeof s);
    memset(&none, 0, sizeof none);
    fill_bodies(&b, &rng);
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    CHECK(isnan((double)cd_support_farthest(&s, x).x));
    s = ASK("bad", cd_support_of_hull(&none));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    CHECK(isnan((double)cd_support_farthest(&s, x).x));
    other = cd_support_of_point(zero);
    CHECK_INT(cd_convex_distance(&s, &other, NULL, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_hull3_build(&none, &x, 1, NULL),
              CD_OK); /* one that is given back while a support points to it */
    s = cd_support_of_hull(&none);
    CHECK_SAME(cd_support_farthest(&s, x).x, 1);
    cd_hull_destroy(&none);
    CHECK(!cd_support_is_valid(&s) && isnan((double)cd_support_farthest(&s, x).x));
    s = ASK("bad", cd_support_of_points(NULL, 0));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    s = ASK("bad", cd_support_of_function(NULL, NULL, zero, 0));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    s = cd_support_of_point(cd_vec3_make(0, nan, 0));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    s = cd_support_of_sphere(ball_of(zero, -1));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    s = ASK("exact", cd_support_of_sphere(ball_of(x, 2)));
    CHECK_SAME(cd_support_farthest(&s, x).x, 3);
    CHECK_SAME(cd_support_farthest(&s, zero).x, 1);
    CHECK(isnan((double)cd_support_farthest(&s, cd_vec3_make(nan, 0, 0)).x));
    s = ASK("exact", cd_support_rounded(&s, 1));
    CHECK_SAME(cd_support_farthest(&s, x).x, 4);
    s = ASK("bad", cd_support_rounded(&s, -1));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    s = ASK("bad", cd_support_rounded(&s, nan));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    for (int kind = 0; kind < 14; ++kind) {
        cd_real *numbers = REALS(b);
        size_t count = offsetof(bodies, hull) / sizeof(cd_real);
        bool valid;
        s = support_of_kind(&b, kind);
        valid = cd_support_is_valid(&s);
        for (size_t i = 0; i < count; ++i) { /* of its own numbers, each matters; of others, none */
            const unsigned char *at = (const unsigned char *)(const void *)&numbers[i];
            const unsigned char *shape = (const unsigned char *)s.shape;
            static const size_t sizes[14] = {0,
                                             12 * sizeof(cd_vec3),
                                             sizeof(cd_segment),
                                             sizeof(cd_triangle),
                                             sizeof(cd_tetrahedron),
                                             sizeof(cd_aabb),
                                             sizeof(cd_obb),
                                             sizeof(cd_rect),
                                             sizeof(cd_rect),
                                             sizeof(cd_disc),
                                             sizeof(cd_cylinder),
                                             sizeof(cd_cone),
                                             sizeof(cd_ellipsoid),
                                             2 * sizeof(cd_vec3)};
            bool own = shape && at >= shape && at < shape + sizes[kind];
            cd_real keep = numbers[i];
            numbers[i] = nan;
            test_note("kind %d, number %u", kind, (unsigned)i);
            CHECK_INT(ASK("bad", cd_support_is_valid(&s)), valid && !own);
            numbers[i] = keep;
        }
    }
    {
        cd_real bad[3] = {nan, (cd_real)INFINITY, -(cd_real)INFINITY};
        for (int i = 0; i < 3; ++i) { /* the center is taken instead */
            s = cd_support_of_function(nowhere, &bad[i], cd_vec3_make(1, 2, 3), 1);
            CHECK(ASK("bad", cd_support_is_valid(&s)));
            CHECK_SAME(cd_support_farthest(&s, x).x, 2);
        }
    }
    cd_hull_destroy(&b.hull);
}

/* ---- what functions of the caller are handed ---- */

/* Its points have numbers that are not their places, and it knows which it has returned. */
typedef struct numbered {
    cd_vec3 p[12];
    bool told[12], plain; /* plain: it has no vertices */
    long wrong, hints;
} numbered;

static uint32_t farthest_numbered(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    numbered *n = (numbered *)(uintptr_t)user;
    uint32_t i = farthest_by_function(n->p, dir, 0, out);
    bool fine =
        hint >= 1000 && (hint - 1000) % 7 == 0 && (hint - 1000) / 7 < 12 && n->told[(hint - 1000) / 7];
    n->wrong += hint != CD_NONE && !fine;
    n->hints += fine;
    if (n->plain) return CD_NONE;
    n->told[i] = true;
    return 1000 + 7 * i;
}

/* Every query hints at numbers that the function has returned, or at none. */
static void hints_are_what_was_returned(void) {
    test_rng rng = test_random();
    long hints = 0;
    for (long times = 12 + test_times(188); times > 0; --times) {
        numbered n[2];
        cd_support s[2];
        cd_shape shape[2], ground;
        cd_plane plane = {{0, 0, 1}, -3};
        cd_transform pose = gen_pose(&rng, test_int(&rng, 0, 1) ? 0.5 : 3), to = gen_pose(&rng, 3);
        cd_motion go, still;
        cd_manifold m[4];
        cd_separation d;
        cd_cache cache;
        cd_hit hit;
        cd_ray r;
        memset(n, 0, sizeof n);
        for (int b = 0; b < 2; ++b) {
            for (int i = 0; i < 12; ++i) n[b].p[i] = to_real(any_vector(&rng));
            n[b].plain = times % 4 == 0;
            s[b] = cd_support_of_function(farthest_numbered, &n[b], n[b].p[0], (cd_real)(b ? 0.125 : 0));
            shape[b] = cd_shape_of_support(&s[b]);
        }
        test_note("%ld ", times);
        memset(&cache, 0, sizeof cache);
        for (int i = 0; i < 3; ++i) d = cd_convex_distance(&s[0], &s[1], &pose, NULL, i ? &cache : NULL);
        CHECK(d.status != CD_INVALID_ARGUMENT && n[0].wrong == 0 && n[1].wrong == 0);
        (void)cd_gjk_test(&s[0], &s[1], &pose, NULL);
        (void)cd_collide_convex(&s[0], &s[1], &pose, NULL, NULL, m);
        CHECK(n[0].wrong == 0 && n[1].wrong == 0);
        (void)cd_gjk_sweep(&s[0], pose.position, &s[1], &pose, NULL, &hit);
        r.origin = cd_vec3_make(3, 3, 3);
        r.dir = cd_vec3_make(-3, (cd_real)-3.25, (cd_real)-2.75);
        (void)cd_gjk_raycast(&r, 4, &s[0], NULL, &hit);
        CHECK(n[0].wrong == 0 && n[1].wrong == 0);
        CHECK_INT(cd_motion_make(CD_MOTION_SCREW, &pose, &to, &go), CD_OK);
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &pose, &pose, &still), CD_OK);
        (void)cd_time_of_impact(&s[0], &go, &s[1], &still, NULL);
        CHECK(n[0].wrong == 0 && n[1].wrong == 0);
        ground = cd_shape_of_halfspace(&plane);
        (void)cd_shape_time_of_impact(&shape[0], &go, &ground, &still, NULL, NULL);
        CHECK(n[0].wrong == 0 && n[1].wrong == 0);
        (void)cd_shape_distance(&shape[0], &ground, &pose, NULL, NULL, NULL);
        (void)cd_shape_collide(&shape[0], &shape[1], &pose, NULL, NULL, m, 4);
        (void)cd_shape_collide(&shape[0], &ground, &pose, NULL, NULL, m, 4);
        CHECK(n[0].wrong == 0 && n[1].wrong == 0);
        hints += n[0].hints + n[1].hints;
    }
    CHECK(hints > 0);
}

/* ---- the last word on tips ---- */

/* Of vertices a few, or none; of points few. */
static cdi_tip few_tips(test_rng *rng, bool numbered) {
    cdi_tip t;
    t.a = vector(test_int(rng, -1, 1), test_int(rng, -1, 1), test_int(rng, -1, 1));
    t.b = vector(test_int(rng, -1, 1), test_int(rng, -1, 1), test_int(rng, -1, 1));
    t.w = plus(t.b, times(t.a, -1));
    t.vertex_a = numbered ? (uint32_t)test_int(rng, 0, 2) : CD_NONE;
    t.vertex_b = numbered ? (uint32_t)test_int(rng, 0, 2) : CD_NONE;
    return t;
}

/* Each is the other one when A and B are swapped, or both are the same: no order of them is that of the swapped. */
static bool tips_are_alike(const cdi_tip *s, const cdi_tip *t) {
    uint32_t least = s->vertex_a < s->vertex_b ? s->vertex_a : s->vertex_b, sum = s->vertex_a + s->vertex_b;
    bool apart = size_of(plus(s->w, times(t->w, -1))) > 0 && size_of(plus(s->w, t->w)) > 0;
    if (sum != t->vertex_a + t->vertex_b || (least != t->vertex_a && least != t->vertex_b)) return false;
    return !apart && size_of(plus(plus(s->a, s->b), times(plus(t->a, t->b), -1))) == 0;
}

/* Seen in a plane across the axis in which both bodies are their own images. */
static cdi_tip mirrored_tip(const cdi_tip *t, int axis) {
    cdi_tip m = *t;
    (&m.a.x)[axis] = (&t->b.x)[axis];
    (&m.b.x)[axis] = (&t->a.x)[axis];
    m.w = plus(m.b, times(m.a, -1));
    return m;
}

static bool same_vector(cdi_v3 a, cdi_v3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Tips in any order, and with A and B swapped, give the same: of the swapped all directions are the opposite ones. */
static void tips_in_any_order(void) {
    static const int order[6][3] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {2, 1, 0}};
    test_rng rng = test_random();
    long seen = 0, all = test_times(5000);
    for (long i = 0; i < all; ++i) {
        int count = 2 + (int)(i % 2);
        cdi_v3 hint = any_vector(&rng), v[12], normal[12];
        cdi_tip tip[3], sorted[12][3];
        double weight[12][3] = {{0}};
        bool alike = false;
        for (int k = 0; k < 3; ++k) {
            tip[k] = k && test_int(&rng, 0, 1) ? mirrored_tip(&tip[k - 1], test_int(&rng, 0, 2))
                                               : few_tips(&rng, i % 3 == 0);
            for (int j = 0; j < k && k < count; ++j) alike = alike || tips_are_alike(&tip[j], &tip[k]);
        }
        if (alike) continue;
        ++seen;
        for (int k = 0; k < (count == 2 ? 4 : 12); ++k) {
            double sign = k % 2 ? -1 : 1;
            for (int j = 0; j < count; ++j) {
                const cdi_tip *from = &tip[order[k / 2][j]];
                sorted[k][j] = *from;
                if (sign > 0) continue;
                sorted[k][j].a = from->b;
                sorted[k][j].b = from->a;
                sorted[k][j].w = plus(from->a, times(from->b, -1));
                sorted[k][j].vertex_a = from->vertex_b;
                sorted[k][j].vertex_b = from->vertex_a;
            }
            normal[k] = times(hint, sign);
            cdi_tips_settle(2, sorted[k], weight[k], count, &v[k], &normal[k]);
            for (int j = 0; j < count; ++j) {
                CHECK(same_vector(sorted[k][j].w, times(sorted[0][j].w, sign)));
                CHECK_INT(sign > 0 ? sorted[k][j].vertex_a : sorted[k][j].vertex_b, sorted[0][j].vertex_a);
                CHECK(weight[k][j] == weight[0][j]);
            }
            CHECK(count == 2 || dot(normal[0], hint) >= 0);
            CHECK(same_vector(v[k], times(v[0], sign)) && same_vector(normal[k], times(normal[0], sign)));
        }
    }
    CHECK_SEEN(seen > all / 10);
}

void suite_support(void) {
    RUN(hulls_give_the_farthest_vertex);
    RUN(plains_are_no_traps);
    RUN(walks_are_short);
    RUN(rows_and_neighbours_are_the_hull);
    RUN(damaged_rows_and_lists_are_refused);
    RUN(roundings_happen);
    RUN(bodies_reach_as_far_as_they_should);
    RUN(stretched_bodies_reach_as_far_as_they_should);
    RUN(stretched_by_any_size);
    RUN(what_cannot_be_stretched);
    RUN(features_of_small_bodies);
    RUN(features_of_hulls);
    RUN(what_is_not_valid);
    RUN(hints_are_what_was_returned);
    RUN(tips_in_any_order);
}
