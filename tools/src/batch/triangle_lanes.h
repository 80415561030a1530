#pragma once
/* triangle_lanes (internal): do two triangles meet? one pair in each lane, by an error bound: what it does not know for
 * sure is left to the test of two. */

#include "core/lanes.h"

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

/* NaN or huge where one of them is: a bound may be NaN where all heights are 0. */
CDI_INLINE cdi_lanes cdi_height_sum(const cdi_height_lanes *h) {
    cdi_lanes sum =
        cdi_lanes_add(cdi_lanes_add(cdi_lanes_abs(h->a), cdi_lanes_abs(h->b)), cdi_lanes_abs(h->c));
    return cdi_lanes_add(cdi_lanes_add(sum, h->error), cdi_lanes_add(h->size, h->reach));
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
