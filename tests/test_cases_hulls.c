/* The stored answers of the real cases of convex bodies, clouds of points and polygons, checked exactly where that is
 * cheap: a direction proves how far two bodies are apart at least, or how deep they overlap at most. */
#include "cases.h"
#include "hulls.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 128, MOST_FACETS = 128, MOST_EXACT_HULL = 24 };

/* ---- convex bodies: the hull of some points, or a cylinder, rounded by a radius ---- */

typedef struct body {
    exact3 point[MOST_POINTS];
    double rounded[MOST_POINTS][3]; /* the same, as doubles */
    int count;
    double radius, cylinder; /* the radius of a cylinder's caps, whose axis the points are; else 0 */
} body;

static void add_point(body *b, exact3 p) {
    if (!CHECK(b->count < MOST_POINTS)) return;
    for (int k = 0; k < 3; ++k) b->rounded[b->count][k] = exact_to_double(p.c[k]);
    b->point[b->count++] = p;
}

static void add_numbers(body *b, const json *value) {
    double p[3];
    if (json_reals(value, p, 3) == 3) add_point(b, exact3_from(p));
}

static void add_box(body *b, const json *box) {
    double center[3], half[3], axes[9];
    json_reals(json_get(box, "center"), center, 3);
    json_reals(json_get(box, "half"), half, 3);
    json_reals(json_get(box, "axes"), axes, 9);
    for (int i = 0; i < 8; ++i) {
        exact3 p = exact3_from(center);
        for (int k = 0; k < 3; ++k)
            p = exact3_add(
                p, exact3_scale(exact3_from(axes + 3 * k), exact_from(i >> k & 1 ? half[k] : -half[k])));
        add_point(b, p);
    }
}

static void read_body(const json *one, const char *name, body *b) {
    const json *shape = json_get(json_get(one, "input"), name), *points = json_get(shape, "points");
    double radius = json_real(shape, "radius");
    b->count = 0;
    b->radius = radius == radius ? radius : 0;
    b->cylinder = 0;
    if (json_is(shape, "type", "box")) add_box(b, shape);
    for (const json *p = points ? points->child : NULL; p; p = p->next) add_numbers(b, p);
    add_numbers(b, json_get(shape, "center") && !b->count ? json_get(shape, "center") : NULL);
    add_numbers(b, json_get(shape, "p"));
    add_numbers(b, json_get(shape, "q"));
    if (!json_is(shape, "type", "cylinder")) return;
    b->cylinder = b->radius;
    b->radius = 0;
}

static double body_size(const body *b) {
    double size = b->radius + b->cylinder;
    for (int i = 0; i < b->count; ++i) {
        for (int k = 0; k < 3; ++k) size = fmax(size, fabs(b->rounded[i][k]));
    }
    return size;
}

/* The least or the largest n . p. */
static exact extreme(const body *b, exact3 n, int side) {
    exact best = exact3_dot(b->point[0], n);
    for (int i = 1; i < b->count; ++i) {
        exact x = exact3_dot(b->point[i], n);
        if (exact_compare(x, best) == side) best = x;
    }
    return best;
}

/* How far b begins beyond the end of a along n, which need not be unit; below 0 the overlap. */
static exact gap_of(const body *a, const body *b, exact3 n) {
    return exact_sub(extreme(b, n, -1), extreme(a, n, 1));
}

static double length_along(exact gap, exact3 n) {
    double length = ratio_sqrt(ratio_make(exact_mul(gap, gap), exact3_dot(n, n)));
    return gap.sign < 0 ? -length : length;
}

/* What the caps of a cylinder reach beyond its axis along n. */
static double cap_reach(const body *b, const double n[3]) {
    double axis[3], dot = 0, axis2 = 0, n2 = 0;
    if (!(b->cylinder > 0)) return 0;
    for (int k = 0; k < 3; ++k) {
        axis[k] = b->rounded[1][k] - b->rounded[0][k];
        dot += axis[k] * n[k];
        axis2 += axis[k] * axis[k];
        n2 += n[k] * n[k];
    }
    return b->cylinder * sqrt(fmax(0, 1 - dot * dot / (axis2 * n2)));
}

/* The distance of p to the nearest triangle of three of the body's points; it is 0 on the surface. */
static double distance_to_surface(const body *b, const double p[3]) {
    double least = INFINITY, t[9];
    for (int i = 0; i < b->count; ++i) {
        for (int k = i; k < b->count; ++k) {
            for (int l = k; l < b->count; ++l) {
                if (b->count > 2 && (l == k || k == i)) continue;
                memcpy(t, b->rounded[i], sizeof b->rounded[i]);
                memcpy(t + 3, b->rounded[k], sizeof b->rounded[k]);
                memcpy(t + 6, b->rounded[l], sizeof b->rounded[l]);
                least = fmin(least, oracle_point_triangle(p, t).distance);
                if (least == 0) return 0;
            }
        }
    }
    return least;
}

/* Points on the rounded bodies are as far apart as these. */
static void check_rounded_witnesses(const json *expected, double size) {
    double p[3], q[3], sum = 0, distance = fabs(json_real(expected, "signed_distance"));
    if (json_reals(json_get(expected, "witness_a"), p, 3) != 3) return;
    if (json_reals(json_get(expected, "witness_b"), q, 3) != 3) return;
    for (int k = 0; k < 3; ++k) sum += (q[k] - p[k]) * (q[k] - p[k]);
    CHECK_NEAR(sqrt(sum), distance, 8 * DBL_EPSILON * size);
}

/* The stored points prove that the bodies are no farther apart than they say. */
static void check_witnesses(const json *expected, const body *a, const body *b, double distance,
                            double size) {
    double p[3], q[3], sum = 0;
    if (json_reals(json_get(expected, "core_witness_a"), p, 3) != 3) return;
    if (json_reals(json_get(expected, "core_witness_b"), q, 3) != 3) return;
    for (int k = 0; k < 3; ++k) sum += (q[k] - p[k]) * (q[k] - p[k]);
    CHECK_NEAR(sqrt(sum), distance, 4 * DBL_EPSILON * size);
    if (a->count <= 8) CHECK(distance_to_surface(a, p) <= 4 * DBL_EPSILON * size);
    if (b->count <= 8) CHECK(distance_to_surface(b, q) <= 4 * DBL_EPSILON * size);
}

/* The cores: no farther apart than the distance along any direction, nor less deep than the depth. The stored normal
 * is rounded, so along it they are so up to rounding. */
static void check_cores(const json *expected, const body *a, const body *b, exact3 n, double size) {
    const json *apart = json_get(expected, "core_d2"), *deep = json_get(expected, "core_depth2");
    exact gap = gap_of(a, b, n);
    ratio along = ratio_make(exact_mul(gap, gap), exact3_dot(n, n));
    if (apart) {
        ratio squared = json_ratio(apart);
        double distance = ratio_sqrt(squared);
        CHECK_SAME(distance, json_real(expected, "core_distance"));
        CHECK(gap.sign <= 0 || ratio_compare(along, squared) <= 0);
        CHECK_NEAR(length_along(gap, n), distance, 8 * DBL_EPSILON * size);
        check_witnesses(expected, a, b, distance, size);
    }
    if (deep) {
        ratio squared = json_ratio(deep);
        double depth = ratio_sqrt(squared);
        CHECK_SAME(depth, json_real(expected, "core_depth"));
        CHECK(gap.sign <= 0 && ratio_compare(along, squared) >= 0);
        CHECK_INT(json_true(expected, "core_touching"), depth == 0);
        CHECK_NEAR(length_along(gap, n), -depth, 8 * DBL_EPSILON * size);
    }
}

static void check_convex(const json *one, const json *expected) {
    static body a, b;
    double normal[3], want = json_real(expected, "signed_distance"), size, got, margin;
    double accuracy = json_real(expected, "accuracy"), sum;
    exact3 n;
    read_body(one, "a", &a);
    read_body(one, "b", &b);
    size = body_size(&a) + body_size(&b);
    CHECK_INT(json_reals(json_get(expected, "normal_a_to_b"), normal, 3), 3);
    if (!(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2] > 0)) return;
    n = exact3_from(normal);
    sum = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    CHECK_NEAR(sum, 1, 8 * DBL_EPSILON);
    if (!(a.cylinder > 0 || b.cylinder > 0)) check_cores(expected, &a, &b, n, size);
    check_rounded_witnesses(expected, size);
    got = length_along(gap_of(&a, &b, n), n) - a.radius - b.radius - cap_reach(&a, normal) -
          cap_reach(&b, normal);
    margin = accuracy == accuracy ? accuracy : 8 * DBL_EPSILON;
    CHECK_NEAR(got, want, margin * size);
    if (!cases_is(one, "near")) CHECK_INT(json_true(expected, "overlap"), want <= 0);
}

static void convex_pairs(void) {
    cases_each("gjk_distance", check_convex);
    cases_each("gjk_penetration", check_convex);
    cases_each("gjk_cylinder", check_convex);
    cases_each("obb_obb", check_convex);
    cases_each("box_box_manifold", check_convex);
}

/* The gap along one of the six directions of the axes when a has moved by v t. */
static double axis_gap(const body *a, const body *b, const double v[3], double t, int axis) {
    double n[3] = {0, 0, 0}, gap;
    n[axis % 3] = axis < 3 ? 1 : -1;
    gap = exact_to_double(gap_of(a, b, exact3_from(n)));
    return gap - t * v[axis % 3] * n[axis % 3] - a->radius - b->radius;
}

static double largest_axis_gap(const body *a, const body *b, const double v[3], double t) {
    double best = axis_gap(a, b, v, t, 0);
    for (int i = 1; i < 6; ++i) best = fmax(best, axis_gap(a, b, v, t, i));
    return best;
}

/* One direction keeps them apart from the start to the end. */
static bool axis_parts(const body *a, const body *b, const double v[3], double t_max) {
    for (int i = 0; i < 6; ++i) {
        if (axis_gap(a, b, v, 0, i) > 0 && axis_gap(a, b, v, t_max, i) > 0) return true;
    }
    return false;
}

/* Two balls, one moving: they touch at the stored time; and what lies between them at first. */
static void check_balls(const body *a, const body *b, const double v[3], double toi, double initial) {
    double radius = a->radius + b->radius, distance[2];
    for (int step = 0; step < 2; ++step) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            sum += pow(a->rounded[0][k] + (step ? toi : 0) * v[k] - b->rounded[0][k], 2);
        distance[step] = sqrt(sum) - radius;
    }
    CHECK_NEAR(distance[0], initial, 8 * DBL_EPSILON * (fabs(distance[0]) + radius));
    if (toi > 0) CHECK_NEAR(distance[1], 0, 1e-13 * (fabs(distance[0]) + radius));
}

/* In all these cases a direction of the axes shows the miss, or where the gap ends. */
static void check_sweep(const json *one, const json *expected) {
    static body a, b;
    const json *text = json_get(expected, "toi_exact");
    double v[3], toi = json_real(expected, "toi"), t_max = json_real(json_get(one, "input"), "t_max"), size;
    double initial = json_real(expected, "initial_distance");
    CHECK_INT(json_true(expected, "hit"), toi >= 0);
    if (!cases_is(one, "convex_sweep_toi")) return;
    read_body(one, "a", &a);
    read_body(one, "b", &b);
    cases_doubles(one, "velocity_a", v, 3);
    size = body_size(&a) + body_size(&b) + fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
    if (a.count == 1 && b.count == 1) check_balls(&a, &b, v, toi, initial);
    CHECK_INT(json_true(expected, "hit"), toi >= 0 && toi <= t_max);
    CHECK(largest_axis_gap(&a, &b, v, 0) <= initial + 8 * DBL_EPSILON * size);
    if (text && text->type == JSON_STRING) CHECK_SAME(ratio_to_double(json_ratio(text)), toi);
    if (!json_true(expected, "hit")) CHECK(axis_parts(&a, &b, v, t_max));
    if (toi > 0) CHECK_NEAR(largest_axis_gap(&a, &b, v, toi), 0, 8 * DBL_EPSILON * size);
}

static void sweeps(void) {
    cases_each("toi_sweep", check_sweep);
}

/* ---- clouds of points ---- */

typedef struct cloud {
    exact3 *point;
    double *numbers;
    int count;
} cloud;

static exact3 edge(const cloud *c, int i, int k) {
    return exact3_sub(c->point[k], c->point[i]);
}

static int side(const cloud *c, int i, int k, int l, int m) {
    return exact3_triple(edge(c, i, k), edge(c, i, l), edge(c, i, m)).sign;
}

/* Up to four points that span all the others: finds each in turn. Returns the dimension. */
static int dimension_of(const cloud *c, int corner[4]) {
    int found = 0;
    corner[0] = 0;
    for (int i = 1; i < c->count && found < 3; ++i) {
        exact_pool pool = exact_begin();
        bool is_new;
        if (found == 0) is_new = !exact3_is_zero(edge(c, 0, i));
        if (found == 1) is_new = !exact3_is_zero(exact3_cross(edge(c, 0, corner[1]), edge(c, 0, i)));
        if (found == 2) is_new = side(c, 0, corner[1], corner[2], i) != 0;
        exact_end(pool);
        if (is_new) corner[++found] = i, i = 0;
    }
    return found;
}

static bool same_point(const cloud *c, int i, int k) {
    for (int n = 0; n < 3; ++n) {
        if (c->numbers[3 * i + n] != c->numbers[3 * k + n]) return false;
    }
    return true;
}

/* Bits of the points equal to point i. */
static uint32_t twins(const cloud *c, int i) {
    uint32_t bits = 0;
    for (int k = 0; k < c->count; ++k) bits |= (uint32_t)same_point(c, i, k) << k;
    return bits;
}

/* The points on the plane of i, k, l when all others are on one side; else 0. */
static uint32_t facet_of(const cloud *c, int i, int k, int l) {
    uint32_t bits = 0;
    int all = 0;
    exact3 normal = exact3_cross(edge(c, i, k), edge(c, i, l));
    if (exact3_is_zero(normal)) return 0;
    for (int m = 0; m < c->count; ++m) {
        int s = exact3_dot(normal, edge(c, i, m)).sign;
        if (s == 0) bits |= 1u << m;
        if (s * all < 0) return 0;
        if (s) all = s;
    }
    return bits;
}

static int find_facets(const cloud *c, uint32_t facet[MOST_FACETS]) {
    int count = 0;
    for (int i = 0; i < c->count; ++i) {
        for (int k = i + 1; k < c->count; ++k) {
            for (int l = k + 1; l < c->count; ++l) {
                exact_pool pool = exact_begin();
                uint32_t bits = facet_of(c, i, k, l);
                int at = 0;
                while (at < count && facet[at] != bits) ++at;
                if (bits && at == count && CHECK(count < MOST_FACETS)) facet[count++] = bits;
                exact_end(pool);
            }
        }
    }
    return count;
}

/* A point is a corner when the facets it is on have it alone in common; of equal points the first counts. */
static uint32_t find_corners(const cloud *c, const uint32_t *facet, int facets) {
    uint32_t corners = 0;
    for (int i = 0; i < c->count; ++i) {
        uint32_t common = 0xFFFFFFFFu, equal = twins(c, i);
        for (int f = 0; f < facets; ++f) {
            if (facet[f] >> i & 1) common &= facet[f];
        }
        if (common == equal && !(equal & ((1u << i) - 1))) corners |= 1u << i;
    }
    return corners;
}

/* Six times the volume: tetrahedra from a corner over every edge of every facet and one corner of the facet. */
static exact volume_of(const cloud *c, const uint32_t *facet, int facets, uint32_t corners) {
    exact sum = exact_from(0);
    for (int f = 0; f < facets; ++f) {
        int first = 0;
        while (!((facet[f] & corners) >> first & 1)) ++first;
        for (int i = 0; i < c->count; ++i) {
            for (int k = i + 1; k < c->count; ++k) {
                uint32_t both = 1u << i | 1u << k;
                int shared = 0;
                exact volume;
                for (int g = 0; g < facets; ++g) shared += (facet[g] & both) == both;
                if ((facet[f] & corners & both) != both || shared < 2) continue;
                volume = exact3_triple(edge(c, 0, i), edge(c, 0, k), edge(c, 0, first));
                sum = exact_add(sum, volume.sign < 0 ? exact_negate(volume) : volume);
            }
        }
    }
    return sum;
}

static void check_solid(const cloud *c, const json *expected) {
    uint32_t facet[MOST_FACETS], corners, want = 0;
    double index[MOST_EXACT_HULL];
    int facets = find_facets(c, facet),
        n = json_reals(json_get(expected, "extreme_vertex_indices"), index, MOST_EXACT_HULL);
    ratio volume = json_ratio(json_get(expected, "volume_times_6_exact"));
    corners = find_corners(c, facet, facets);
    for (int i = 0; i < n && i < MOST_EXACT_HULL; ++i) want |= 1u << (int)index[i];
    CHECK_INT(facets, (int)json_real(expected, "merged_facet_count"));
    CHECK_INT(corners, want);
    CHECK_INT(ratio_compare(ratio_make(volume_of(c, facet, facets, corners), exact_power(0)), volume), 0);
}

enum { MOST_CLOUD = 4000 };

static cloud read_cloud(const json *one) {
    static exact3 point[MOST_CLOUD];
    static double numbers[3 * MOST_CLOUD];
    cloud c;
    c.point = point;
    c.numbers = numbers;
    c.count = cases_doubles(one, "points", numbers, 3 * MOST_CLOUD) / 3;
    CHECK(c.count <= MOST_CLOUD);
    for (int i = 0; i < c.count; ++i) point[i] = exact3_from(numbers + 3 * i);
    return c;
}

static int distinct_points(const cloud *c) {
    int distinct = 0;
    for (int i = 0; i < c->count; ++i) {
        int k = 0;
        while (k < i && !same_point(c, i, k)) ++k;
        distinct += k == i;
    }
    return distinct;
}

/* The library's hull, against the stored answer: the same corners, by the first of equal points, and as many faces. */
static void check_built_hull(const cloud *c, const json *expected) {
    static bool wanted[MOST_CLOUD];
    static double index[MOST_CLOUD];
    cd_vec3 *points = (cd_vec3 *)malloc((size_t)c->count * sizeof *points);
    const json *indices = json_get(expected, "extreme_vertex_indices");
    int n = json_reals(indices, index, MOST_CLOUD), dimension = (int)json_real(expected, "dimension");
    cd_hull hull;
    cd_hull_parts h;
    for (int i = 0; i < c->count; ++i) {
        const double *p = c->numbers + 3 * i;
        points[i] = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
        wanted[i] = false;
    }
    for (int i = 0; i < n; ++i) wanted[(int)index[i]] = true;
    CHECK_INT(cd_hull3_build(&hull, points, (size_t)c->count, NULL), CD_OK);
    h = cd_hull_get_parts(&hull);
    hulls_judge(&hull, points, (size_t)c->count, 1e5);
    CHECK_INT(h.dimension, dimension);
    CHECK_INT(h.vertex_count, (int)json_real(expected, "extreme_vertex_count"));
    CHECK_INT(h.face_count, dimension == 2 ? 2 : (int)json_real(expected, "merged_facet_count"));
    for (uint32_t v = 0; v < h.vertex_count; ++v) CHECK(wanted[h.sources[v]]);
    cd_hull_destroy(&hull);
    free(points);
}

static void check_hull(const json *one, const json *expected) {
    cloud c = read_cloud(one);
    int corner[4], dimension = dimension_of(&c, corner);
    ratio six = json_ratio(json_get(expected, "volume_times_6_exact"));
    double volume = ratio_to_double(ratio_make(six.num, exact_mul(six.den, exact_from(6))));
    CHECK_INT(dimension, (int)json_real(expected, "dimension"));
    CHECK_INT(distinct_points(&c), (int)json_real(expected, "distinct_points"));
    CHECK_INT(json_length(json_get(expected, "extreme_vertex_indices")),
              (int)json_real(expected, "extreme_vertex_count"));
    if (dimension == 3 && c.count <= MOST_EXACT_HULL) check_solid(&c, expected);
    CHECK_NEAR(json_real(expected, "volume"), volume, 2 * DBL_EPSILON * volume); /* it was rounded twice */
    CHECK_INT(dimension == 3, volume > 0);
    CHECK_INT(dimension == 3, json_real(expected, "merged_facet_count") > 0);
    if (dimension < 2) CHECK_INT(json_length(json_get(expected, "extreme_vertex_indices")), dimension + 1);
    check_built_hull(&c, expected);
}

static void hulls(void) {
    cases_each("convex_hull", check_hull);
}

/* ---- smallest spheres ---- */

/* The squared radius of the smallest sphere through two, three or four points, when there is one. */
static bool circumradius2(const cloud *c, const int *at, int n, ratio *out) {
    exact3 a = edge(c, at[0], at[1]), b, d, bd, sum;
    exact a2 = exact3_dot(a, a), b2, d2, four = exact_from(4), den;
    if (n == 2) {
        *out = ratio_make(a2, four);
        return true;
    }
    b = edge(c, at[0], at[2]);
    b2 = exact3_dot(b, b);
    bd = exact3_cross(a, b);
    if (n == 3) { /* (a b |a - b| / (2 |a x b|))^2 */
        exact3 ab = exact3_sub(a, b);
        den = exact_mul(four, exact3_dot(bd, bd));
        if (den.sign) *out = ratio_make(exact_mul(exact_mul(a2, b2), exact3_dot(ab, ab)), den);
        return den.sign != 0;
    }
    d = edge(c, at[0], at[3]);
    d2 = exact3_dot(d, d);
    sum = exact3_scale(exact3_cross(b, d), a2);
    sum = exact3_add(sum, exact3_scale(exact3_cross(d, a), b2));
    sum = exact3_add(sum, exact3_scale(bd, d2));
    den = exact3_triple(a, b, d);
    den = exact_mul(four, exact_mul(den, den));
    if (den.sign) *out = ratio_make(exact3_dot(sum, sum), den);
    return den.sign != 0;
}

/* Do some n of the points have just this smallest sphere through them? Tries them all. */
static bool some_have_radius(const cloud *c, const int *on, int count, int n, int at[4], int taken, int from,
                             ratio want) {
    exact_pool pool = exact_begin();
    bool found = false;
    ratio r;
    if (taken == n) {
        found = circumradius2(c, at, n, &r) && ratio_compare(r, want) == 0;
        exact_end(pool);
        return found;
    }
    for (int i = from; i < count && !found; ++i) {
        at[taken] = on[i];
        found = some_have_radius(c, on, count, n, at, taken + 1, i + 1, want);
    }
    return found;
}

/* The library's sphere holds all and is no larger than 4 units in the last place of the largest coordinate more. */
static void check_built_sphere(const cloud *c, double radius) {
    cd_vec3 *points = (cd_vec3 *)malloc((size_t)c->count * sizeof *points);
    double size = largest(c->numbers, 3 * c->count);
    cd_sphere s;
    for (int i = 0; i < c->count; ++i) {
        const double *p = c->numbers + 3 * i;
        points[i] = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    }
    CHECK_INT(ASK(cases_family(), cd_sphere_welzl(points, (size_t)c->count, &s)), CD_OK);
    for (int i = 0; i < c->count; ++i) CHECK(cd_test_point_sphere(points[i], s));
    CHECK_NEAR(s.radius, radius, 4 * (double)CD_REAL_EPSILON * size);
    free(points);
}

static void check_sphere(const json *one, const json *expected) {
    cloud c = read_cloud(one);
    double center[3], radius = json_real(expected, "radius"), size = radius;
    int on[64], count = 0, at[4], support = (int)json_real(expected, "support_count");
    ratio squared = json_ratio(json_get(expected, "radius2_exact"));
    CHECK_SAME(ratio_sqrt(squared), radius);
    json_reals(json_get(expected, "center"), center, 3);
    for (int k = 0; k < 3; ++k) size = fmax(size, fabs(center[k]));
    for (int i = 0; i < c.count; ++i) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += pow(c.numbers[3 * i + k] - center[k], 2);
        CHECK(sqrt(sum) <= radius + 8 * DBL_EPSILON * size);
        if (sqrt(sum) >= radius - 8 * DBL_EPSILON * size && count < 64) on[count++] = i;
    }
    CHECK(count >= (int)json_real(expected, "points_exactly_on_sphere"));
    if (support >= 2) CHECK(some_have_radius(&c, on, count, support, at, 0, 0, squared));
    check_built_sphere(&c, radius);
}

static void smallest_spheres(void) {
    cases_each("min_sphere", check_sphere);
}

/* ---- polygons ---- */

enum { MOST_CORNERS = 1024 };

typedef struct polygon {
    double corner[MOST_CORNERS][2];
    int next[MOST_CORNERS]; /* in its ring */
    int count;
} polygon;

/* Twice the area of the ring from corner `first` on, without sign. */
static exact ring_area(const polygon *p, int first) {
    exact sum = exact_from(0);
    for (int i = first; i < p->count; ++i) {
        const double *a = p->corner[i], *b = p->corner[p->next[i]];
        sum = exact_add(sum, exact_sub(exact_mul(exact_from(a[0]), exact_from(b[1])),
                                       exact_mul(exact_from(a[1]), exact_from(b[0]))));
    }
    return sum.sign < 0 ? exact_negate(sum) : sum;
}

static void add_ring(polygon *p, const json *ring) {
    int first = p->count, n = json_length(ring);
    if (!CHECK(first + n <= MOST_CORNERS)) return;
    json_reals(ring, p->corner[first], 2 * n);
    for (int i = 0; i < n; ++i) p->next[first + i] = i + 1 < n ? first + i + 1 : first;
    p->count += n;
}

static bool boxes_apart(const double *a, const double *b, const double *c, const double *d) {
    for (int k = 0; k < 2; ++k) {
        if (fmax(a[k], b[k]) < fmin(c[k], d[k]) || fmax(c[k], d[k]) < fmin(a[k], b[k])) return true;
    }
    return false;
}

/* Edges that cross in a point inside of both. */
static int proper_crossings(const polygon *p) {
    int count = 0;
    for (int i = 0; i < p->count; ++i) {
        const double *a = p->corner[i], *b = p->corner[p->next[i]];
        for (int k = i + 1; k < p->count; ++k) {
            const double *c = p->corner[k], *d = p->corner[p->next[k]];
            if (boxes_apart(a, b, c, d)) continue;
            count += oracle_orient2d(a, b, c) * oracle_orient2d(a, b, d) < 0 &&
                     oracle_orient2d(c, d, a) * oracle_orient2d(c, d, b) < 0;
        }
    }
    return count;
}

/* Corners at which an edge turns back on the one before it; two edges in all do it once. */
static int folds(const polygon *p) {
    int count = 0;
    for (int i = 0; i < p->count; ++i) {
        int n = p->next[i], after = p->next[n];
        const double *a = p->corner[i], *b = p->corner[n], *c = p->corner[after];
        exact_pool pool = exact_begin();
        exact dot = exact_from(0);
        for (int k = 0; k < 2; ++k)
            dot = exact_add(dot, exact_mul(exact_sub(exact_from(b[k]), exact_from(a[k])),
                                           exact_sub(exact_from(c[k]), exact_from(b[k]))));
        count += dot.sign < 0 && oracle_orient2d(a, b, c) == 0 && !(after == i && n < i);
        exact_end(pool);
    }
    return count;
}

static void check_polygon(const json *one, const json *expected) {
    static polygon p;
    const json *rings = json_get(json_get(one, "input"), "rings"),
               *area = json_get(expected, "ring_area_times_2");
    double crossings = json_real(expected, "proper_crossings"),
           folded = json_real(expected, "folded_adjacent_edges");
    const json *valid = json_get(expected, "valid_simple_input");
    exact sum = exact_from(0);
    p.count = 0;
    CHECK_INT(json_length(rings), json_length(area));
    area = area->child;
    for (const json *ring = rings->child; ring; ring = ring->next, area = area->next) {
        int first = p.count;
        exact twice;
        add_ring(&p, ring);
        twice = ring_area(&p, first);
        CHECK_INT(ratio_compare(ratio_make(twice, exact_power(0)), json_ratio(area)), 0);
        sum = ring == rings->child ? twice : exact_sub(sum, twice);
    }
    CHECK_INT(p.count, (int)json_real(expected, "vertices"));
    CHECK_SAME(exact_to_double(exact_mul(sum, exact_power(-1))),
               json_real(expected, "area_outer_minus_holes"));
    if (crossings == crossings) CHECK_INT(proper_crossings(&p), (int)crossings);
    if (folded == folded) CHECK_INT(folds(&p), (int)folded);
    if (valid->type != JSON_NULL) CHECK_INT(valid->type == JSON_TRUE, crossings == 0 && folded == 0);
}

static void polygons(void) {
    cases_each("triangulation", check_polygon);
}

void suite_cases_hulls(void) {
    RUN(convex_pairs);
    RUN(sweeps);
    RUN(hulls);
    RUN(smallest_spheres);
    RUN(polygons);
}
