#include "core/simd.h"
#include "query/triangle_triangle3d.h"

/* ---- triangles in one plane, degenerate ones in any position ---- */

/* Is the hull of three points strictly on the outer side of the edge p q of a triangle that turns as `turn` says? */
static bool cdi_edge_misses(cdi_v2 p, cdi_v2 q, double turn, const cdi_v2 other[3]) {
    double s[3];
    for (int i = 0; i < 3; ++i) s[i] = cdi_orient2d(p, q, other[i]);
    return (turn >= 0.0 && s[0] < 0.0 && s[1] < 0.0 && s[2] < 0.0) ||
           (turn <= 0.0 && s[0] > 0.0 && s[1] > 0.0 && s[2] > 0.0);
}

static bool cdi_edges_miss(const cdi_v2 t[3], const cdi_v2 other[3]) {
    double turn = cdi_orient2d(t[0], t[1], t[2]);
    return cdi_edge_misses(t[0], t[1], turn, other) || cdi_edge_misses(t[1], t[2], turn, other) ||
           cdi_edge_misses(t[2], t[0], turn, other);
}

static void cdi_shadow(const cdi_tri *t, int axis, cdi_v2 out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = cdi_v3_drop(t->v[i], axis);
}

static bool cdi_shadows_meet(const cdi_tri *a, const cdi_tri *b, int axis) {
    cdi_v2 p[3], q[3];
    cdi_shadow(a, axis, p);
    cdi_shadow(b, axis, q);
    return !cdi_edges_miss(p, q) && !cdi_edges_miss(q, p);
}

/* Two hulls of three points each, all six in one plane. They meet in space when all their shadows meet, since along
 * some axis the plane (or the line that holds them) is seen without being folded; two shadows miss each other when
 * an edge of one, or for hulls on one line their bounds, separates them. */
static CDI_COLD bool cdi_test_tri_tri_coplanar(const cdi_tri *a, const cdi_tri *b) {
    if (!cdi_tri_finite(a) || !cdi_tri_finite(b) || !cdi_tri_bounds_meet(a, b)) return false;
    return cdi_shadows_meet(a, b, 0) && cdi_shadows_meet(a, b, 1) && cdi_shadows_meet(a, b, 2);
}

/* The ends of a triangle without area: its first and last corner in lexicographic order. */
static bool cdi_v3_before(cdi_v3 a, cdi_v3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

static void cdi_tri_ends(const cdi_tri *t, cdi_v3 *p, cdi_v3 *q) {
    *p = *q = t->v[0];
    for (int i = 1; i < 3; ++i) {
        if (cdi_v3_before(t->v[i], *p)) *p = t->v[i];
        if (cdi_v3_before(*q, t->v[i])) *q = t->v[i];
    }
}

/* ---- the general case ---- */

static void cdi_plane_sides(const cdi_tri *plane, const cdi_tri *t, double side[3]) {
    for (int i = 0; i < 3; ++i) side[i] = cdi_orient3d(plane->v[0], plane->v[1], plane->v[2], t->v[i]);
}

static bool cdi_all_on_one_side(const double s[3]) {
    return (s[0] > 0.0 && s[1] > 0.0 && s[2] > 0.0) || (s[0] < 0.0 && s[1] < 0.0 && s[2] < 0.0);
}

static bool cdi_all_zero(const double s[3]) {
    return s[0] == 0.0 && s[1] == 0.0 && s[2] == 0.0;
}

/* Segment against triangle with area, from the sides of the segment's ends, not both 0: the line passes all three
 * edges on one side. */
static bool cdi_crosses(cdi_v3 p, cdi_v3 q, const cdi_tri *t) {
    double a = cdi_orient3d(p, q, t->v[0], t->v[1]);
    double b = cdi_orient3d(p, q, t->v[1], t->v[2]);
    double c = cdi_orient3d(p, q, t->v[2], t->v[0]);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}

static bool cdi_test_segment_tri(cdi_v3 p, cdi_v3 q, const cdi_tri *t) {
    double sp = cdi_orient3d(t->v[0], t->v[1], t->v[2], p), sq = cdi_orient3d(t->v[0], t->v[1], t->v[2], q);
    cdi_tri s;
    if ((sp > 0.0 && sq > 0.0) || (sp < 0.0 && sq < 0.0)) return false;
    if (sp != 0.0 || sq != 0.0) return cdi_crosses(p, q, t);
    s.v[0] = p;
    s.v[1] = s.v[2] = q;
    return cdi_test_tri_tri_coplanar(&s, t);
}

static bool cdi_has_area(const cdi_tri *t) {
    return !cdi_v3_is_zero(cdi_exact_normal(t->v[0], t->v[1], t->v[2]));
}

/* The axis along which a plane with this normal is seen largest. */
static int cdi_widest_axis(cdi_v3 n) {
    double x = cdi_abs(n.x), y = cdi_abs(n.y), z = cdi_abs(n.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* All of b's corners were found on a's plane, or all of a's on b's: one plane, or one or both without area. */
static CDI_COLD bool cdi_test_tri_tri_special(const cdi_tri *a, const cdi_tri *b) {
    cdi_v3 n = cdi_exact_normal(a->v[0], a->v[1], a->v[2]), p, q, r, s;
    bool area_a = !cdi_v3_is_zero(n), area_b = cdi_has_area(b);
    if (!cdi_tri_finite(a) || !cdi_tri_finite(b)) return false;
    if (area_a && area_b) return cdi_tri_bounds_meet(a, b) && cdi_shadows_meet(a, b, cdi_widest_axis(n));
    cdi_tri_ends(a, &p, &q);
    cdi_tri_ends(b, &r, &s);
    if (area_b) return cdi_test_segment_tri(p, q, b);
    if (area_a) return cdi_test_segment_tri(r, s, a);
    return cdi_orient3d(p, q, r, s) == 0.0 && cdi_test_tri_tri_coplanar(a, b);
}

/* Sets of corners of a triangle as bits: every second one, since pairs of triangles are compared at once. */
enum { CDI_CORNER_0 = 1, CDI_CORNER_1 = 4, CDI_CORNER_2 = 16, CDI_CORNERS = 21 };

/* Those above a plane; the ones on it count as below when any is above, else as above. */
static unsigned cdi_above(unsigned positive, unsigned negative) {
    return positive ? positive : CDI_CORNERS ^ negative;
}

/* The corner from which both edges cross the other's plane, or reach it: alone above or below. There is one whenever the
 * sides are neither all of one sign nor all 0. `flip`: it is below. */
static int cdi_alone(unsigned above, bool *flip) {
    static const unsigned char corner[22] = {0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0,
                                             0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0};
    *flip = (above & (above - 1u)) != 0; /* two are above */
    return corner[above];
}

static unsigned cdi_above_sides(const double s[3]) {
    unsigned positive = 0, negative = 0;
    for (int i = 0; i < 3; ++i) {
        positive |= (unsigned)(s[i] > 0.0) << 2 * i;
        negative |= (unsigned)(s[i] < 0.0) << 2 * i;
    }
    return cdi_above(positive, negative);
}

static void cdi_rotate_corners(cdi_tri *t, int first) {
    cdi_tri r = *t;
    for (int i = 0; i < 3; ++i) t->v[i] = r.v[(first + i) % 3];
}

static void cdi_reverse_corners(cdi_tri *t) {
    cdi_v3 swap = t->v[1];
    t->v[1] = t->v[2];
    t->v[2] = swap;
}

typedef enum cdi_meeting { CDI_APART, CDI_SPECIAL, CDI_ON_LINE } cdi_meeting;

/* The two planes against the corners. On CDI_ON_LINE both triangles meet the common line of the planes, and are turned
 * so that corner 0 of each is alone on the side from which the other is seen clockwise. */
static cdi_meeting cdi_meet_planes(cdi_tri *a, cdi_tri *b) {
    double sa[3], sb[3];
    bool flip_a, flip_b;
    cdi_plane_sides(a, b, sb);
    if (cdi_all_on_one_side(sb)) return CDI_APART;
    cdi_plane_sides(b, a, sa);
    if (cdi_all_on_one_side(sa)) return CDI_APART;
    if (cdi_all_zero(sa) || cdi_all_zero(sb)) return CDI_SPECIAL;
    cdi_rotate_corners(a, cdi_alone(cdi_above_sides(sa), &flip_b));
    cdi_rotate_corners(b, cdi_alone(cdi_above_sides(sb), &flip_a));
    if (flip_a) cdi_reverse_corners(a); /* turns a's plane over, and with it the sides of b's corners */
    if (flip_b) cdi_reverse_corners(b);
    return CDI_ON_LINE;
}

/* With I_i the point where edge 0 i of a crosses b's plane, and J_j that of edge 0 j of b and a's plane: the order
 * of I_i and J_j along the common line. a's interval runs from I_1 to I_2, b's from J_2 to J_1. */
static double cdi_line_order(const cdi_tri *a, int i, const cdi_tri *b, int j) {
    return cdi_orient3d(a->v[0], a->v[i], b->v[0], b->v[j]);
}

static bool cdi_intervals_meet(const cdi_tri *a, const cdi_tri *b) {
    return cdi_line_order(a, 1, b, 1) <= 0.0 && cdi_line_order(a, 2, b, 2) >= 0.0;
}

static CDI_COLD bool cdi_test_tri_tri_exact(const cdi_tri *a, const cdi_tri *b) {
    cdi_tri p = *a, q = *b;
    cdi_meeting meeting = cdi_meet_planes(&p, &q);
    if (meeting == CDI_SPECIAL) return cdi_test_tri_tri_special(a, b);
    return meeting == CDI_ON_LINE && cdi_intervals_meet(&p, &q);
}

/* ---- the same in plain doubles, both planes at once, with bounds of the error ---- */

typedef enum cdi_guess { CDI_MISS, CDI_MEET, CDI_DOUBT, CDI_IN_PLANE } cdi_guess;

/* Two vectors at once. */
typedef struct cdi_v3x2 {
    cdi_d2 x, y, z;
} cdi_v3x2;

CDI_INLINE cdi_v3x2 cdi_v3x2_of(cdi_v3 a, cdi_v3 b) {
    cdi_v3x2 r;
    r.x = cdi_d2_of(a.x, b.x);
    r.y = cdi_d2_of(a.y, b.y);
    r.z = cdi_d2_of(a.z, b.z);
    return r;
}
CDI_INLINE cdi_v3x2 cdi_v3x2_sub(cdi_v3x2 a, cdi_v3x2 b) {
    a.x = cdi_d2_sub(a.x, b.x);
    a.y = cdi_d2_sub(a.y, b.y);
    a.z = cdi_d2_sub(a.z, b.z);
    return a;
}
CDI_INLINE cdi_v3x2 cdi_v3x2_cross(cdi_v3x2 a, cdi_v3x2 b) {
    cdi_v3x2 r;
    r.x = cdi_d2_sub(cdi_d2_mul(a.y, b.z), cdi_d2_mul(a.z, b.y));
    r.y = cdi_d2_sub(cdi_d2_mul(a.z, b.x), cdi_d2_mul(a.x, b.z));
    r.z = cdi_d2_sub(cdi_d2_mul(a.x, b.y), cdi_d2_mul(a.y, b.x));
    return r;
}
CDI_INLINE cdi_d2 cdi_v3x2_dot(cdi_v3x2 a, cdi_v3x2 b) {
    return cdi_d2_add(cdi_d2_add(cdi_d2_mul(a.x, b.x), cdi_d2_mul(a.y, b.y)), cdi_d2_mul(a.z, b.z));
}
CDI_INLINE cdi_d2 cdi_v3x2_max_abs(cdi_v3x2 a) {
    return cdi_d2_max(cdi_d2_max(cdi_d2_abs(a.x), cdi_d2_abs(a.y)), cdi_d2_abs(a.z));
}

/* Six terms of a determinant, each a product of three rounded differences: (7 + 56 u) u of their sum (Shewchuk 1997). The
 * second number is above what underflow can do. */
#define CDI_TRI_BOUND 4.67e-15
#define CDI_TRI_LEAST 1e-280

/* A bound of the error of e x f . g, as |e|, |f| <= area / |f|, |e| and |g| <= height. */
CDI_INLINE cdi_d2 cdi_error_of(cdi_d2 area, cdi_d2 height) {
    cdi_d2 least = cdi_d2_of(CDI_TRI_LEAST, CDI_TRI_LEAST), bound = cdi_d2_of(CDI_TRI_BOUND, CDI_TRI_BOUND);
    return cdi_d2_add(cdi_d2_mul(cdi_d2_add(cdi_d2_mul(bound, area), least), height), least);
}

/* Both triangles' sets from pairs of bits for each corner: those of b in every second bit from the first, those of a from the
 * second. */
CDI_INLINE unsigned cdi_corner_set(unsigned corner_0, unsigned corner_1, unsigned corner_2) {
    return corner_0 | corner_1 << 2 | corner_2 << 4;
}

typedef struct cdi_plane_guess {
    unsigned above, below; /* as cdi_corner_set */
    double size_a, size_b,
        reach; /* the largest coordinate of an edge, and of a difference of corners of the two */
} cdi_plane_guess;

CDI_INLINE cdi_plane_guess cdi_guess_planes(const cdi_tri *a, const cdi_tri *b, cdi_d2 slack) {
    cdi_v3x2 own = cdi_v3x2_of(a->v[0], b->v[0]);
    cdi_v3x2 e = cdi_v3x2_sub(cdi_v3x2_of(a->v[1], b->v[1]), own);
    cdi_v3x2 f = cdi_v3x2_sub(cdi_v3x2_of(a->v[2], b->v[2]), own), n = cdi_v3x2_cross(e, f);
    cdi_v3x2 to_0 = cdi_v3x2_sub(cdi_v3x2_of(b->v[0], a->v[0]), own);
    cdi_v3x2 to_1 = cdi_v3x2_sub(cdi_v3x2_of(b->v[1], a->v[1]), own);
    cdi_v3x2 to_2 = cdi_v3x2_sub(cdi_v3x2_of(b->v[2], a->v[2]), own);
    cdi_d2 side_0 = cdi_v3x2_dot(n, to_0), side_1 = cdi_v3x2_dot(n, to_1), side_2 = cdi_v3x2_dot(n, to_2);
    cdi_d2 size = cdi_d2_max(cdi_v3x2_max_abs(e), cdi_v3x2_max_abs(f)), height, error, low;
    double sizes[2], heights[2];
    cdi_plane_guess g;
    height = cdi_d2_max(cdi_d2_max(cdi_v3x2_max_abs(to_0), cdi_v3x2_max_abs(to_1)), cdi_v3x2_max_abs(to_2));
    error = cdi_d2_mul(slack, cdi_error_of(cdi_d2_mul(size, size), height));
    low = cdi_d2_sub(cdi_d2_of(0.0, 0.0), error);
    g.above =
        cdi_corner_set(cdi_d2_less(error, side_0), cdi_d2_less(error, side_1), cdi_d2_less(error, side_2));
    g.below = cdi_corner_set(cdi_d2_less(side_0, low), cdi_d2_less(side_1, low), cdi_d2_less(side_2, low));
    cdi_d2_store(sizes, size);
    cdi_d2_store(heights, height);
    g.size_a = sizes[0];
    g.size_b = sizes[1];
    g.reach = heights[0] + sizes[0];
    return g;
}

/* The ends of the intervals against each other, as cdi_intervals_meet: corner i[0] of a and j[0] of b are alone. */
CDI_INLINE cdi_guess cdi_guess_intervals(const cdi_tri *a, const unsigned char i[3], const cdi_tri *b,
                                         const unsigned char j[3], const cdi_plane_guess *g, cdi_d2 slack) {
    cdi_v3x2 own_a = cdi_v3x2_of(a->v[i[0]], a->v[i[0]]), own_b = cdi_v3x2_of(b->v[j[0]], b->v[j[0]]);
    cdi_v3x2 e = cdi_v3x2_sub(cdi_v3x2_of(a->v[i[1]], a->v[i[2]]), own_a);
    cdi_v3x2 f = cdi_v3x2_sub(cdi_v3x2_of(b->v[j[1]], b->v[j[2]]), own_b);
    cdi_d2 order = cdi_v3x2_dot(cdi_v3x2_cross(cdi_v3x2_sub(own_b, own_a), f), e);
    double area = 4.0 * g->size_a * g->size_b;
    cdi_d2 error = cdi_d2_mul(slack, cdi_error_of(cdi_d2_of(area, area), cdi_d2_of(g->reach, g->reach)));
    unsigned above = cdi_d2_less(error, order);
    unsigned below = cdi_d2_less(order, cdi_d2_sub(cdi_d2_of(0.0, 0.0), error));
    if ((below & 1u) | (above & 2u)) return CDI_MISS;
    return (above & 1u) + (below & 2u) == 3u ? CDI_MEET : CDI_DOUBT;
}

/* With `slack` 0 for numbers that are evaluated without rounding, else 1. Sides are positive above here, where they are
 * negative in cdi_plane_sides; so the two ends of the interval change places. */
CDI_INLINE cdi_guess cdi_guess_tri_tri(const cdi_tri *a, const cdi_tri *b, double slack) {
    static const unsigned char turn[3][2][3] = {
        {{0, 2, 1}, {0, 1, 2}}, {{1, 0, 2}, {1, 2, 0}}, {{2, 1, 0}, {2, 0, 1}}};
    cdi_plane_guess g = cdi_guess_planes(a, b, cdi_d2_of(slack, slack));
    unsigned above_b = g.above & CDI_CORNERS, above_a = g.above >> 1 & CDI_CORNERS;
    unsigned below_b = g.below & CDI_CORNERS, below_a = g.below >> 1 & CDI_CORNERS;
    bool flip_a, flip_b;
    int first_a, first_b;
    cdi_guess guess;
    if ((unsigned)(above_b == CDI_CORNERS) | (unsigned)(below_b == CDI_CORNERS) |
        (unsigned)(above_a == CDI_CORNERS) | (unsigned)(below_a == CDI_CORNERS))
        return CDI_MISS;
    if ((g.above | g.below) != 63u) {
        if (slack > 0.0) return CDI_DOUBT;
        if ((above_a | below_a) == 0u || (above_b | below_b) == 0u) return CDI_IN_PLANE;
    }
    first_a = cdi_alone(cdi_above(above_a, below_a), &flip_b);
    first_b = cdi_alone(cdi_above(above_b, below_b), &flip_a);
    guess =
        cdi_guess_intervals(a, turn[first_a][flip_a], b, turn[first_b][flip_b], &g, cdi_d2_of(slack, slack));
    return guess == CDI_DOUBT && slack <= 0.0 ? CDI_MEET : guess;
}

/* Are all coordinates multiples of one power of two, of at most 15 bits? Then every determinant of three of their differences
 * is evaluated without rounding. So it is on grids, and in much that people draw, where touching abounds. */
static bool cdi_tris_have_few_bits(const cdi_tri *a, const cdi_tri *b) {
    double most = 0.0, unit, rest = 0.0;
    for (int i = 0; i < 3; ++i)
        most = cdi_max(most, cdi_max(cdi_v3_max_abs(a->v[i]), cdi_v3_max_abs(b->v[i])));
    if (!(most > 1e-60 && most < 1e60)) return false;
    unit = 1.5 * cdi_exp2i(cdi_exponent(most) + 53 - 15); /* a sum with it is rounded to the power of two */
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = a->v[i], q = b->v[i];
        rest += cdi_abs((p.x + unit) - unit - p.x) + cdi_abs((p.y + unit) - unit - p.y) +
                cdi_abs((p.z + unit) - unit - p.z);
        rest += cdi_abs((q.x + unit) - unit - q.x) + cdi_abs((q.y + unit) - unit - q.y) +
                cdi_abs((q.z + unit) - unit - q.z);
    }
    return rest == 0.0;
}

static bool cdi_tris_share_a_corner(const cdi_tri *a, const cdi_tri *b) {
    unsigned same = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            cdi_v3 p = a->v[i], q = b->v[j];
            same |= (unsigned)(p.x == q.x) & (unsigned)(p.y == q.y) & (unsigned)(p.z == q.z);
        }
    }
    return same != 0;
}

static bool cdi_test_tri_tri_doubt(const cdi_tri *a, const cdi_tri *b) {
    cdi_guess guess = CDI_DOUBT;
    if (cdi_tris_share_a_corner(a, b)) return cdi_tri_finite(a) && cdi_tri_finite(b);
    if (cdi_tris_have_few_bits(a, b)) guess = cdi_guess_tri_tri(a, b, 0.0);
    if (guess == CDI_IN_PLANE) return cdi_test_tri_tri_special(a, b);
    return guess == CDI_DOUBT ? cdi_test_tri_tri_exact(a, b) : guess == CDI_MEET;
}

CDI_FN bool cdi_test_tri_tri(const cdi_tri *a, const cdi_tri *b) {
    cdi_guess guess = cdi_guess_tri_tri(a, b, 1.0);
    return guess == CDI_DOUBT ? cdi_test_tri_tri_doubt(a, b) : guess == CDI_MEET;
}

CD_API bool cd_test_triangle_triangle(const cd_triangle *a, const cd_triangle *b) {
    cdi_tri p = cdi_tri_of(a), q = cdi_tri_of(b);
    return cdi_test_tri_tri(&p, &q);
}

CD_API bool cd_test_segment_triangle(const cd_segment *s, const cd_triangle *t) {
    cdi_tri a, b = cdi_tri_of(t);
    a.v[0] = cdi_v3_of(s->a);
    a.v[1] = a.v[2] = cdi_v3_of(s->b);
    return cdi_test_tri_tri(&a, &b);
}

/* ---- where they meet ---- */

/* The point of an edge where a linear function with these values at the ends is 0: from the nearer end p on,
 * p + (q - p) from / (from - to), with half of q - p, which cannot overflow. */
static cdi_v3 cdi_zero_on_edge(cdi_v3 p, cdi_v3 q, double from, double to) {
    cdi_v3 half;
    if (cdi_abs(from) > cdi_abs(to)) {
        cdi_v3 swap = p;
        double value = from;
        p = q;
        q = swap;
        from = to;
        to = value;
    }
    if (from == 0.0) return p;
    half = cdi_v3_sub(cdi_v3_scale(q, 0.5), cdi_v3_scale(p, 0.5));
    return cdi_v3_along(p, half, 2.0 * (from / (from - to)));
}

static void cdi_swap_if_after(cdi_v3 *a, cdi_v3 *b) {
    if (cdi_v3_before(*b, *a)) {
        cdi_v3 swap = *a;
        *a = *b;
        *b = swap;
    }
}

/* The point where an edge crosses a triangle's plane, from the corners in an order of their own, so that every
 * caller gets the same bits. */
static cdi_v3 cdi_edge_plane_point(cdi_v3 p, cdi_v3 q, const cdi_tri *t) {
    cdi_tri s = *t;
    cdi_swap_if_after(&p, &q);
    cdi_swap_if_after(&s.v[0], &s.v[1]);
    cdi_swap_if_after(&s.v[1], &s.v[2]);
    cdi_swap_if_after(&s.v[0], &s.v[1]);
    return cdi_zero_on_edge(p, q, cdi_orient3d_accurate(s.v[0], s.v[1], s.v[2], p),
                            cdi_orient3d_accurate(s.v[0], s.v[1], s.v[2], q));
}

/* The later (order > 0: x is later) of two points on a line; of equal ones the first lexicographically. */
static cdi_v3 cdi_later(cdi_v3 x, cdi_v3 y, double order) {
    if (order == 0.0) return cdi_v3_before(x, y) ? x : y;
    return order > 0.0 ? x : y;
}

static void cdi_cut_add(cd_triangle_cut *cut, cdi_v3 p) {
    cd_vec3 r = cdi_v3_round(p);
    for (uint32_t i = 0; i < cut->count; ++i) {
        cd_vec3 q = cut->points[i];
        if (q.x == r.x && q.y == r.y && q.z == r.z) return;
    }
    if (cut->count < 6) cut->points[cut->count++] = r;
}

/* The common part of the intervals [I_1, I_2] and [J_2, J_1]: one point where an end of one is an end of the other, which may
 * be rounded differently on the two edges. */
static void cdi_cut_line(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    cdi_v3 i1 = cdi_edge_plane_point(a->v[0], a->v[1], b), i2 = cdi_edge_plane_point(a->v[0], a->v[2], b);
    cdi_v3 j1 = cdi_edge_plane_point(b->v[0], b->v[1], a), j2 = cdi_edge_plane_point(b->v[0], b->v[2], a);
    cdi_v3 start = cdi_later(i1, j2, cdi_line_order(a, 1, b, 2));
    cdi_v3 end = cdi_later(i2, j1, -cdi_line_order(a, 2, b, 1));
    cdi_swap_if_after(&start, &end);
    cdi_cut_add(cut, start);
    if (cdi_line_order(a, 1, b, 1) != 0.0 && cdi_line_order(a, 2, b, 2) != 0.0) cdi_cut_add(cut, end);
}

/* An axis along which the plane of both is seen without being folded; -1 when all corners are on one line. */
static int cdi_common_axis(const cdi_tri *a, const cdi_tri *b) {
    cdi_v3 p, q, n = cdi_exact_normal(a->v[0], a->v[1], a->v[2]);
    if (cdi_v3_is_zero(n)) n = cdi_exact_normal(b->v[0], b->v[1], b->v[2]);
    cdi_tri_ends(a, &p, &q);
    for (int i = 0; i < 3 && cdi_v3_is_zero(n); ++i) n = cdi_exact_normal(p, q, b->v[i]);
    if (cdi_v3_is_zero(n)) return -1;
    return cdi_widest_axis(n);
}

/* The corners of a that lie in b; both in one plane. */
static void cdi_cut_corners(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    for (int i = 0; i < 3; ++i) {
        cdi_tri p;
        p.v[0] = p.v[1] = p.v[2] = a->v[i];
        if (cdi_test_tri_tri_coplanar(&p, b)) cdi_cut_add(cut, a->v[i]);
    }
}

/* The point where two edges cross inside both, if they do. */
static void cdi_cut_crossing(cdi_v3 p, cdi_v3 q, cdi_v3 r, cdi_v3 s, int axis, cd_triangle_cut *cut) {
    cdi_v2 p2, q2, r2, s2;
    double from, to, r_side, s_side;
    cdi_swap_if_after(&p, &q);
    cdi_swap_if_after(&r, &s);
    p2 = cdi_v3_drop(p, axis);
    q2 = cdi_v3_drop(q, axis);
    r2 = cdi_v3_drop(r, axis);
    s2 = cdi_v3_drop(s, axis);
    from = cdi_orient2d(r2, s2, p2);
    to = cdi_orient2d(r2, s2, q2);
    r_side = cdi_orient2d(p2, q2, r2);
    s_side = cdi_orient2d(p2, q2, s2);
    if (from * cdi_sign(to) >= 0.0 || r_side * cdi_sign(s_side) >= 0.0) return;
    from = cdi_orient2d_accurate(r2, s2, p2); /* edges that are all but parallel */
    to = cdi_orient2d_accurate(r2, s2, q2);
    cdi_cut_add(cut, cdi_zero_on_edge(p, q, from, to));
}

/* A number that grows with the angle of (x, y), from 0 to 4. */
static double cdi_pseudo_angle(double x, double y) {
    double sum = cdi_abs(x) + cdi_abs(y);
    if (sum == 0.0) return 0.0;
    return y >= 0.0 ? 1.0 - x / sum : 3.0 + x / sum;
}

/* Put in order about the middle, counter-clockwise in the shadow along `axis`, or clockwise. */
static void cdi_cut_sort(cd_triangle_cut *cut, int axis, bool clockwise) {
    cdi_v3 middle = cdi_v3_make(0.0, 0.0, 0.0);
    double angle[6];
    for (uint32_t i = 0; i < cut->count; ++i) {
        middle = cdi_v3_along(middle, cdi_v3_of(cut->points[i]), 1.0 / (double)cut->count);
    }
    for (uint32_t i = 0; i < cut->count; ++i) {
        cdi_v2 d = cdi_v3_drop(cdi_v3_sub(cdi_v3_of(cut->points[i]), middle), axis);
        double own = cdi_pseudo_angle(d.x, clockwise ? -d.y : d.y);
        cd_vec3 p = cut->points[i];
        uint32_t j = i;
        for (; j > 0 && angle[j - 1] > own; --j) {
            angle[j] = angle[j - 1];
            cut->points[j] = cut->points[j - 1];
        }
        angle[j] = own;
        cut->points[j] = p;
    }
}

static void cdi_cut_plane(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    int axis = cdi_common_axis(a, b);
    cdi_cut_corners(a, b, cut);
    cdi_cut_corners(b, a, cut);
    if (axis < 0) return;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            cdi_cut_crossing(a->v[i], a->v[(i + 1) % 3], b->v[j], b->v[(j + 1) % 3], axis, cut);
        }
    }
    if (cut->count > 2) {
        cdi_v3 n = cdi_exact_normal(a->v[0], a->v[1], a->v[2]);
        if (cdi_v3_is_zero(n)) n = cdi_exact_normal(b->v[0], b->v[1], b->v[2]);
        cdi_cut_sort(cut, axis, cdi_v3_get(n, axis) < 0.0);
    }
}

/* A triangle without area as the segment between its ends. */
static cdi_tri cdi_tri_as_segment(const cdi_tri *t) {
    cdi_tri s = *t;
    if (cdi_has_area(t)) return s;
    cdi_tri_ends(t, &s.v[0], &s.v[1]);
    s.v[2] = s.v[1];
    return s;
}

/* One of the two is a segment that crosses the other's plane, or both are segments or points, or in one plane. */
static void cdi_cut_special(const cdi_tri *a, const cdi_tri *b, cd_triangle_cut *cut) {
    cdi_v3 p, q;
    double sp, sq;
    if (!cdi_has_area(a)) {
        const cdi_tri *swap = a;
        a = b;
        b = swap;
    }
    cdi_tri_ends(b, &p, &q);
    sp = cdi_orient3d(a->v[0], a->v[1], a->v[2], p);
    sq = cdi_orient3d(a->v[0], a->v[1], a->v[2], q);
    if (cdi_has_area(a) && !cdi_has_area(b) && (sp != 0.0 || sq != 0.0)) {
        cdi_cut_add(cut, cdi_edge_plane_point(p, q, a));
    } else {
        cdi_tri s = cdi_tri_as_segment(a), t = cdi_tri_as_segment(b);
        cut->coplanar = 1;
        cdi_cut_plane(&s, &t, cut);
    }
}

CD_API bool cd_intersect_triangle_triangle(const cd_triangle *a, const cd_triangle *b, cd_triangle_cut *out) {
    cdi_tri first = cdi_tri_of(a), second = cdi_tri_of(b), p = first, q = second;
    cdi_meeting meeting = cdi_meet_planes(&p, &q);
    cd_triangle_cut cut;
    cdi_clear(&cut, sizeof cut);
    if (meeting == CDI_APART) return false;
    if (meeting == CDI_SPECIAL) {
        if (!cdi_test_tri_tri_special(&first, &second)) return false;
        cdi_cut_special(&first, &second, &cut);
    } else {
        if (!cdi_intervals_meet(&p, &q)) return false;
        cdi_cut_line(&p, &q, &cut);
    }
    if (cut.count == 0) return false; /* far outside the domain */
    if (out) *out = cut;
    return true;
}

/* ---- how deep they are in each other ---- */

/* The way along an axis, if that is shorter; false where it is short enough. */
static bool cdi_tri_depth_along(const cdi_tri *a, const cdi_tri *b, cdi_v3 n, double enough, double *least) {
    double length = cdi_v3_norm(n), a_lo, a_hi, b_lo, b_hi;
    if (!(length > 0.0)) return true;
    cdi_tri_shade(a, n, &a_lo, &a_hi);
    cdi_tri_shade(b, n, &b_lo, &b_hi);
    *least = cdi_min(*least, cdi_min(a_hi - b_lo, b_hi - a_lo) / length);
    return !(*least < enough);
}

CDI_FN double cdi_tri_depth(const cdi_tri *a, const cdi_tri *b, double enough) {
    double least = CDI_HUGE;
    bool more = cdi_tri_depth_along(a, b, cdi_tri_cross(a), enough, &least) &&
                cdi_tri_depth_along(a, b, cdi_tri_cross(b), enough, &least);
    for (int i = 0; i < 9 && more; ++i) {
        cdi_v3 e = cdi_v3_sub(a->v[(i + 1) % 3], a->v[i % 3]);
        cdi_v3 f = cdi_v3_sub(b->v[(i / 3 + 1) % 3], b->v[i / 3]);
        more = cdi_tri_depth_along(a, b, cdi_v3_cross(e, f), enough, &least);
    }
    return least < CDI_HUGE ? least : 0.0; /* all on one line */
}

#undef CDI_TRI_BOUND
#undef CDI_TRI_LEAST
