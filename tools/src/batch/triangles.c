#include "batch/triangles.h"
#include "batch/hits.h"
#include "core/lanes.h"
#include "query/triangle_triangle3d.h"

/* Bits of a coordinate with which a determinant of three differences is evaluated without rounding, 3 bits + 6 in all. */
#ifdef COLLIDE_DOUBLE
enum { CDI_FEW_BITS = 15, CDI_LANE_DIGITS = 53 };
#else
enum { CDI_FEW_BITS = 6, CDI_LANE_DIGITS = 24 };
#endif

CDI_INLINE cdi_lanes cdi_lanes_pick(cdi_lanes s, cdi_lanes a, cdi_lanes b) {
#ifdef COLLIDE_DOUBLE
    return cdi_d4_pick(s, a, b);
#else
    return cdi_f8_pick(s, a, b);
#endif
}

CDI_INLINE cdi_lanes cdi_lanes_neg(cdi_lanes a) {
    return cdi_lanes_sub(cdi_lanes_all(0), a);
}

/* ---- a point in each lane, a triangle in each lane ---- */

typedef struct cdi_point_lanes {
    cdi_lanes x, y, z;
} cdi_point_lanes;

typedef struct cdi_corner_lanes {
    cdi_point_lanes a, b, c;
} cdi_corner_lanes;

CDI_INLINE cdi_point_lanes cdi_point_lanes_sub(cdi_point_lanes a, cdi_point_lanes b) {
    a.x = cdi_lanes_sub(a.x, b.x);
    a.y = cdi_lanes_sub(a.y, b.y);
    a.z = cdi_lanes_sub(a.z, b.z);
    return a;
}

CDI_INLINE cdi_point_lanes cdi_point_lanes_cross(cdi_point_lanes a, cdi_point_lanes b) {
    cdi_point_lanes r;
    r.x = cdi_lanes_cross(a.y, b.z, a.z, b.y);
    r.y = cdi_lanes_cross(a.z, b.x, a.x, b.z);
    r.z = cdi_lanes_cross(a.x, b.y, a.y, b.x);
    return r;
}

CDI_INLINE cdi_lanes cdi_point_lanes_dot(cdi_point_lanes a, cdi_point_lanes b) {
    return cdi_lanes_add(cdi_lanes_add(cdi_lanes_mul(a.x, b.x), cdi_lanes_mul(a.y, b.y)),
                         cdi_lanes_mul(a.z, b.z));
}

CDI_INLINE cdi_lanes cdi_point_lanes_size(cdi_point_lanes a) {
    return cdi_lanes_size(a.x, a.y, a.z);
}

CDI_INLINE cdi_point_lanes cdi_point_lanes_pick(cdi_lanes s, cdi_point_lanes a, cdi_point_lanes b) {
    a.x = cdi_lanes_pick(s, a.x, b.x);
    a.y = cdi_lanes_pick(s, a.y, b.y);
    a.z = cdi_lanes_pick(s, a.z, b.z);
    return a;
}

CDI_INLINE cdi_lanes cdi_lanes_least(cdi_lanes a, cdi_lanes b, cdi_lanes c) {
    return cdi_lanes_min(cdi_lanes_min(a, b), c);
}

CDI_INLINE cdi_lanes cdi_lanes_most(cdi_lanes a, cdi_lanes b, cdi_lanes c) {
    return cdi_lanes_max(cdi_lanes_max(a, b), c);
}

/* A row of eight for each coordinate; times a power of two. */
CDI_INLINE cdi_point_lanes cdi_point_lanes_of(const cd_real *rows, cdi_lanes scale) {
    cdi_point_lanes r;
    r.x = cdi_lanes_mul(cdi_lanes_load(rows), scale);
    r.y = cdi_lanes_mul(cdi_lanes_load(rows + 8), scale);
    r.z = cdi_lanes_mul(cdi_lanes_load(rows + 16), scale);
    return r;
}

CDI_INLINE cdi_point_lanes cdi_point_lanes_all(cd_vec3 p, cd_real scale) {
    cdi_point_lanes r;
    r.x = cdi_lanes_all(p.x * scale);
    r.y = cdi_lanes_all(p.y * scale);
    r.z = cdi_lanes_all(p.z * scale);
    return r;
}

CDI_INLINE cdi_corner_lanes cdi_corner_lanes_all(const cd_triangle *t, cd_real scale) {
    cdi_corner_lanes r;
    r.a = cdi_point_lanes_all(t->a, scale);
    r.b = cdi_point_lanes_all(t->b, scale);
    r.c = cdi_point_lanes_all(t->c, scale);
    return r;
}

CDI_INLINE cdi_corner_lanes cdi_corner_lanes_of(const cd_real *rows, cd_real scale) {
    cdi_lanes factor = cdi_lanes_all(scale);
    cdi_corner_lanes r;
    r.a = cdi_point_lanes_of(rows, factor);
    r.b = cdi_point_lanes_of(rows + 24, factor);
    r.c = cdi_point_lanes_of(rows + 48, factor);
    return r;
}

/* The triangle for all, and the factor that brings its size to 1, so that nothing near it leaves the range of floats. */
typedef struct cdi_lone_triangle {
    cdi_tri tri;
    cdi_corner_lanes raw, corners; /* as it is, and scaled */
    cd_real scale;
    bool sound; /* the lanes may be asked */
} cdi_lone_triangle;

static cdi_lone_triangle cdi_lone_triangle_of(const cd_triangle *t) {
    cdi_lone_triangle r;
    double size;
    int e;
    r.tri = cdi_tri_of(t);
    size = cdi_max(cdi_v3_max_abs(cdi_v3_sub(r.tri.v[1], r.tri.v[0])),
                   cdi_v3_max_abs(cdi_v3_sub(r.tri.v[2], r.tri.v[0])));
    e = cdi_exponent(size);
    r.sound = size > 0.0 && e > -4 * CDI_LANE_DIGITS && e < 4 * CDI_LANE_DIGITS;
    r.scale = r.sound ? (cd_real)cdi_exp2i(-e) : 1;
    r.raw = cdi_corner_lanes_all(t, 1);
    r.corners = cdi_corner_lanes_all(t, r.scale);
    return r;
}

/* ---- the planes, and the ends of the intervals ---- */

/* A bit for each lane. */
typedef struct cdi_lane_verdicts {
    uint32_t meet, doubt;
} cdi_lane_verdicts;

/* Heights of a triangle's corners over a plane, with a bound of their error; the largest coordinate of an edge in the plane,
 * and of a way from its first corner. */
typedef struct cdi_height_lanes {
    cdi_lanes a, b, c, error, size, reach;
} cdi_height_lanes;

/* Six terms of three rounded differences each, as in the test of two; `rounded` is 0 where there is no rounding, else 1. */
CDI_INLINE cdi_lanes cdi_error_lanes(cdi_lanes area, cdi_lanes height, cdi_lanes rounded) {
    cdi_lanes tiny = cdi_lanes_all(CDI_LANE_TINY), bound = cdi_lanes_all((cd_real)42.5 * CDI_LANE_U);
    bound = cdi_lanes_add(cdi_lanes_mul(bound, area), tiny);
    return cdi_lanes_mul(rounded, cdi_lanes_add(cdi_lanes_mul(bound, height), tiny));
}

CDI_INLINE cdi_height_lanes cdi_height_lanes_of(const cdi_corner_lanes *plane, const cdi_corner_lanes *t,
                                                cdi_lanes rounded) {
    cdi_point_lanes e = cdi_point_lanes_sub(plane->b, plane->a), f = cdi_point_lanes_sub(plane->c, plane->a);
    cdi_point_lanes n = cdi_point_lanes_cross(e, f), to_a = cdi_point_lanes_sub(t->a, plane->a);
    cdi_point_lanes to_b = cdi_point_lanes_sub(t->b, plane->a), to_c = cdi_point_lanes_sub(t->c, plane->a);
    cdi_height_lanes h;
    h.a = cdi_point_lanes_dot(n, to_a);
    h.b = cdi_point_lanes_dot(n, to_b);
    h.c = cdi_point_lanes_dot(n, to_c);
    h.size = cdi_lanes_max(cdi_point_lanes_size(e), cdi_point_lanes_size(f));
    h.reach =
        cdi_lanes_most(cdi_point_lanes_size(to_a), cdi_point_lanes_size(to_b), cdi_point_lanes_size(to_c));
    h.error = cdi_error_lanes(cdi_lanes_mul(h.size, h.size), h.reach, rounded);
    return h;
}

/* a < b, where neither is NaN. */
CDI_INLINE uint32_t cdi_lanes_less(cdi_lanes a, cdi_lanes b) {
    return ~cdi_lanes_le(b, a);
}

CDI_INLINE uint32_t cdi_lanes_one_side(const cdi_height_lanes *h) {
    return cdi_lanes_less(h->error, cdi_lanes_least(h->a, h->b, h->c)) |
           cdi_lanes_less(cdi_lanes_most(h->a, h->b, h->c), cdi_lanes_neg(h->error));
}

/* Is the sign of every height known? Where nothing is rounded: are they not all 0? */
CDI_INLINE uint32_t cdi_sides_known(const cdi_height_lanes *h, bool rounded) {
    cdi_lanes a = cdi_lanes_abs(h->a), b = cdi_lanes_abs(h->b), c = cdi_lanes_abs(h->c);
    return cdi_lanes_less(h->error, rounded ? cdi_lanes_least(a, b, c) : cdi_lanes_most(a, b, c));
}

/* NaN or huge where one of them is. */
CDI_INLINE cdi_lanes cdi_height_sum(const cdi_height_lanes *h) {
    cdi_lanes sum =
        cdi_lanes_add(cdi_lanes_add(cdi_lanes_abs(h->a), cdi_lanes_abs(h->b)), cdi_lanes_abs(h->c));
    return cdi_lanes_add(sum, cdi_lanes_add(h->size, h->reach));
}

/* Turns t so that its first corner is alone above or below; positive where above. Where none is above, the corners on the
 * plane count as above, else as below. */
CDI_INLINE cdi_lanes cdi_turn_lanes(const cdi_height_lanes *h, cdi_corner_lanes *t) {
    cdi_lanes most = cdi_lanes_most(h->a, h->b, h->c), one = cdi_lanes_all(1), two, first, second;
    cdi_lanes sign = cdi_lanes_pick(most, one, cdi_lanes_neg(one));
    cdi_lanes a = cdi_lanes_mul(h->a, sign), b = cdi_lanes_mul(h->b, sign), c = cdi_lanes_mul(h->c, sign);
    cdi_point_lanes p = t->a, q = t->b, r = t->c;
    two = cdi_lanes_max(cdi_lanes_min(a, b), cdi_lanes_min(cdi_lanes_max(a, b), c)); /* are two above? */
    one = cdi_lanes_pick(two, cdi_lanes_neg(one), one);
    a = cdi_lanes_mul(a, one), b = cdi_lanes_mul(b, one),
    c = cdi_lanes_mul(c, one); /* the highest is alone */
    first = cdi_lanes_sub(a, cdi_lanes_max(b, c));
    second = cdi_lanes_sub(b, c);
    t->a = cdi_point_lanes_pick(first, p, cdi_point_lanes_pick(second, q, r));
    t->b = cdi_point_lanes_pick(first, q, cdi_point_lanes_pick(second, r, p));
    t->c = cdi_point_lanes_pick(first, r, cdi_point_lanes_pick(second, p, q));
    return cdi_lanes_mul(one, sign);
}

/* The order of the points where two edges meet the common line. */
CDI_INLINE cdi_lanes cdi_order_lanes(cdi_point_lanes e, cdi_point_lanes f, cdi_point_lanes way) {
    return cdi_point_lanes_dot(e, cdi_point_lanes_cross(way, f));
}

/* The ends of the intervals on the common line; `hb` are b's heights over a's plane. */
CDI_INLINE cdi_lane_verdicts cdi_intervals_lanes(cdi_corner_lanes a, cdi_corner_lanes b,
                                                 const cdi_height_lanes *ha, const cdi_height_lanes *hb,
                                                 bool rounded) {
    cdi_lanes side_b = cdi_turn_lanes(ha, &a), side_a = cdi_turn_lanes(hb, &b), start, end, error, area;
    cdi_point_lanes e = cdi_point_lanes_sub(a.b, a.a), f = cdi_point_lanes_sub(a.c, a.a);
    cdi_point_lanes g = cdi_point_lanes_sub(b.b, b.a), h = cdi_point_lanes_sub(b.c, b.a);
    cdi_point_lanes way = cdi_point_lanes_sub(b.a, a.a);
    cdi_lane_verdicts v;
    uint32_t sound, apart;
    start = cdi_order_lanes(cdi_point_lanes_pick(side_a, f, e), cdi_point_lanes_pick(side_b, h, g), way);
    end = cdi_order_lanes(cdi_point_lanes_pick(side_a, e, f), cdi_point_lanes_pick(side_b, g, h), way);
    area = cdi_lanes_mul(cdi_lanes_all(4), cdi_lanes_mul(hb->size, ha->size));
    error = cdi_error_lanes(area, cdi_lanes_add(hb->reach, hb->size), cdi_lanes_all(rounded));
    sound =
        cdi_lanes_le(cdi_lanes_add(cdi_lanes_abs(start), cdi_lanes_abs(end)), cdi_lanes_all(CDI_LANE_HUGE));
    apart = sound & (cdi_lanes_less(start, cdi_lanes_neg(error)) | cdi_lanes_less(error, end));
    v.meet = sound & ~apart;
    if (rounded) v.meet &= cdi_lanes_less(error, start) & cdi_lanes_less(end, cdi_lanes_neg(error));
    v.doubt = ~(apart | v.meet);
    return v;
}

CDI_INLINE cdi_lane_verdicts cdi_tris_meet(const cdi_corner_lanes *a, const cdi_corner_lanes *b,
                                           bool rounded) {
    cdi_lanes slack = cdi_lanes_all(rounded), huge = cdi_lanes_all(CDI_LANE_HUGE);
    cdi_height_lanes hb = cdi_height_lanes_of(a, b, slack), ha = cdi_height_lanes_of(b, a, slack);
    uint32_t sound = cdi_lanes_le(cdi_height_sum(&ha), huge) & cdi_lanes_le(cdi_height_sum(&hb), huge);
    uint32_t apart = sound & (cdi_lanes_one_side(&ha) | cdi_lanes_one_side(&hb)), cross;
    cdi_lane_verdicts v, w;
    cross = sound & ~apart & cdi_sides_known(&ha, rounded) & cdi_sides_known(&hb, rounded);
    v.meet = 0;
    v.doubt = ~(apart | cross);
    if (!(cross & ((1u << CDI_LANES) - 1u))) return v;
    w = cdi_intervals_lanes(*a, *b, &ha, &hb, rounded);
    v.meet = cross & w.meet;
    v.doubt |= cross & w.doubt;
    return v;
}

/* ---- blocks ---- */

CDI_INLINE cdi_lanes cdi_corner_lanes_size(const cdi_corner_lanes *t) {
    return cdi_lanes_most(cdi_point_lanes_size(t->a), cdi_point_lanes_size(t->b), cdi_point_lanes_size(t->c));
}

/* What is left beside multiples of a power of two. */
CDI_INLINE cdi_lanes cdi_left_over(cdi_lanes x, cdi_lanes unit) {
    return cdi_lanes_abs(cdi_lanes_sub(cdi_lanes_sub(cdi_lanes_add(x, unit), unit), x));
}

CDI_INLINE cdi_lanes cdi_point_left_over(cdi_point_lanes p, cdi_lanes unit) {
    return cdi_lanes_most(cdi_left_over(p.x, unit), cdi_left_over(p.y, unit), cdi_left_over(p.z, unit));
}

CDI_INLINE cdi_lanes cdi_corners_left_over(const cdi_corner_lanes *t, cdi_lanes unit) {
    return cdi_lanes_most(cdi_point_left_over(t->a, unit), cdi_point_left_over(t->b, unit),
                          cdi_point_left_over(t->c, unit));
}

/* The lanes in which all coordinates are multiples of one power of two by whole numbers of few bits. Not scaled: there small
 * ones may have become 0. */
static uint32_t cdi_lanes_few_bits(const cdi_corner_lanes *one, const cdi_corner_lanes *other) {
    cdi_lanes size = cdi_lanes_max(cdi_corner_lanes_size(one), cdi_corner_lanes_size(other)), unit, rest;
    cd_real lane[CDI_LANES];
    double most = 0.0;
    cdi_lanes_store(lane, size);
    for (int i = 0; i < CDI_LANES; ++i)
        most = (double)lane[i] > most ? (double)lane[i] : most; /* passes NaN over */
    if (!(most > 1e-25 && most < 1e25)) return 0;
    unit = cdi_lanes_all((cd_real)(1.5 * cdi_exp2i(cdi_exponent(most) + CDI_LANE_DIGITS - CDI_FEW_BITS)));
    rest = cdi_lanes_max(cdi_corners_left_over(one, unit), cdi_corners_left_over(other, unit));
    return cdi_lanes_le(rest, cdi_lanes_all(0)) & cdi_lanes_le(size, cdi_lanes_all((cd_real)most));
}

static cdi_lane_verdicts cdi_triangle_lanes(const cdi_lone_triangle *one, const cd_real *rows) {
    cdi_corner_lanes other = cdi_corner_lanes_of(rows, one->scale);
    cdi_lane_verdicts v = cdi_tris_meet(&one->corners, &other, true), w;
    cdi_corner_lanes raw;
    uint32_t sure;
    if (!(v.doubt & ((1u << CDI_LANES) - 1u))) return v;
    raw = cdi_corner_lanes_of(rows, 1);
    sure = v.doubt & cdi_lanes_few_bits(&one->raw, &raw);
    if (!(sure & ((1u << CDI_LANES) - 1u))) return v;
    w = cdi_tris_meet(&one->corners, &other, false);
    v.meet |= sure & w.meet;
    v.doubt &= ~sure | w.doubt;
    return v;
}

/* Those of up to eight triangles that meet the one. */
static uint32_t cdi_triangle_hits(const cdi_lone_triangle *one, const cd_triangle *many, size_t count) {
    uint32_t meet = 0, doubt = 255u, left = 255u >> (8 - count);
    cd_real rows[72];
    if (one->sound) {
        doubt = 0;
        cdi_to_rows((const cd_real *)many, 9, count, 0, rows);
        for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
            cdi_lane_verdicts v = cdi_triangle_lanes(one, rows + lane);
            meet |= (v.meet & ((1u << CDI_LANES) - 1u)) << lane;
            doubt |= (v.doubt & ((1u << CDI_LANES) - 1u)) << lane;
        }
    }
    for (doubt &= left; doubt; doubt &= doubt - 1u) {
        uint32_t i = cdi_lowest_bit(doubt);
        cdi_tri t = cdi_tri_of(&many[i]);
        meet |= (uint32_t)cdi_test_tri_tri(&one->tri, &t) << i;
    }
    return meet & left;
}

CD_API size_t cd_test_triangle_triangles(const cd_triangle *one, const cd_triangle *many, size_t count,
                                         uint32_t *hits, size_t capacity) {
    cdi_lone_triangle lone = cdi_lone_triangle_of(one);
    size_t found = 0;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        uint32_t met = cdi_triangle_hits(&lone, many + i, count - i < 8 ? count - i : 8);
        found = cdi_append_hits(met, i, hits, capacity, found);
    }
    return found;
}
