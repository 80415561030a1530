#include "tree/bvh_apart_kernel.h"
#include "tree/bvh_map.h"
#include "tree/bvh_first_pairs.h"

typedef struct cdi_apart {
    cdi_pair_walk *w;
    float sqscale[2]; /* the square of the unit of a's frame, and of b's, in the larger one */
    const cdi_frame *unit;
    bool remote; /* bounds are distances beyond `base`, else squared */
    double base;
    float limit;
    cdi_v3 way;   /* from the nearest item of A to that of B, of length 1; 0 where there is none */
    double reach; /* what is farther than this along the way is farther than the best */
    cdi_pair_nearest *best;
    cdi_posed_block *held_a, *held_b; /* what was read last */
} cdi_apart;

/* Two trees that are thousands of times their sizes apart: floats would tell no box from the other, and squares hardly. What
 * is compared there is how much farther two boxes are apart than the two trees, in doubles. */
#define CDI_APART_REMOTE 20000.0

/* How far something is beyond the distance of the trees, as a float not above that. */
static float cdi_apart_beyond(const cdi_apart *s, double distance) {
    return cdi_float_down(cdi_max(distance * (1.0 - 1e-15) - s->base, 0.0));
}

/* With room for the rounding of distances: of heights over needles, too. */
static float cdi_apart_limit(const cdi_apart *s) {
    double d;
    if (s->remote) {
        d = cdi_sqrt(s->best->sqdist) * (1.0 + 5e-11) + 2e-11 * s->w->size;
        return cdi_float_up(cdi_scale2(d, -s->unit->exponent) - s->base);
    }
    d = cdi_scale2(cdi_scale2(s->best->sqdist, -s->unit->exponent), -s->unit->exponent);
    return d < 1e37 ? (float)(d * 1.000002 + 1e-30) : 1e38f;
}

CDI_INLINE cdi_f8 cdi_rows_sqgap(const cdi_box_rows *a, const float (*lo)[8], const float (*hi)[8], int k) {
    cdi_f8 d = cdi_f8_max(cdi_f8_sub(cdi_f8_load(a->lo[k]), cdi_f8_load(hi[k])),
                          cdi_f8_sub(cdi_f8_load(lo[k]), cdi_f8_load(a->hi[k])));
    d = cdi_f8_max(d, cdi_f8_all(0.0f));
    return cdi_f8_mul(d, d);
}

/* Squared distances of eight boxes to eight. */
CDI_INLINE cdi_f8 cdi_rows_sqdist(const cdi_box_rows *a, const float (*lo)[8], const float (*hi)[8]) {
    return cdi_f8_add(cdi_f8_add(cdi_rows_sqgap(a, lo, hi, 0), cdi_rows_sqgap(a, lo, hi, 1)),
                      cdi_rows_sqgap(a, lo, hi, 2));
}

/* ---- leaves ---- */

/* The way to the best pair is that of all others that are nearly as near: their gap along it bounds their distance far better
 * than boxes do. */
static void cdi_apart_head_for(cdi_apart *s, const cdi_posed *a, const cdi_posed *b) {
    cd_closest c;
    cdi_v3 way;
    double length;
    s->way = cdi_v3_make(0.0, 0.0, 0.0);
    if (a->kind > CDI_POSED_POINT || b->kind > CDI_POSED_POINT || s->best->sqdist == 0.0) return;
    cdi_posed_closest(a, b, s->best->sqdist, &c);
    way = cdi_v3_sub(cdi_v3_of(c.b), cdi_v3_of(c.a));
    length = cdi_v3_length(way);
    if (!(length > 1e-100 && length < 1e100)) return;
    s->way = cdi_v3_scale(way, 1.0 / length);
    s->reach = cdi_sqrt(s->best->sqdist) * (1.0 + 1e-9) + 2e-11 * s->w->size;
    for (int i = 0; i < 3; ++i) s->reach += 2e-11 * cdi_v3_max_abs(a->u.tri.v[i]);
}

/* The same for a pair that was the best before the walk. */
static void cdi_apart_head_for_best(cdi_apart *s) {
    cdi_posed a, b;
    cdi_posed_read(&a, &s->w->a, s->best->item_a, &s->w->place_a);
    cdi_posed_read(&b, &s->w->b, s->best->item_b, &s->w->place_b);
    cdi_apart_head_for(s, &a, &b);
}

/* Are two items farther apart than the best, by the planes across the way? */
static bool cdi_apart_is_beyond(const cdi_apart *s, const cdi_posed *a, const cdi_posed *b) {
    double top = -CDI_HUGE, bottom = CDI_HUGE;
    if (a->kind > CDI_POSED_POINT || b->kind > CDI_POSED_POINT) return false;
    for (int i = 0; i < 3; ++i) {
        top = cdi_max(top, cdi_v3_dot(s->way, a->u.tri.v[i]));
        bottom = cdi_min(bottom, cdi_v3_dot(s->way, b->u.tri.v[i]));
    }
    return bottom - top > s->reach;
}

/* What is not farther than the best: it is nearer, or comes first of equals. */
static void cdi_apart_try(cdi_apart *s, const cdi_posed *a, const cdi_posed *b) {
    cdi_pair_walk *w = s->w;
    double sqdist;
    cd_pair pair;
    bool is_first;
    pair.a = cdi_bvh_index(&w->a, a->item);
    pair.b = cdi_bvh_index(&w->b, b->item);
    is_first = pair.a < s->best->pair.a || (pair.a == s->best->pair.a && pair.b < s->best->pair.b);
    if (s->best->sqdist == 0.0 && !is_first) return;
    if (cdi_apart_is_beyond(s, a, b)) return;
    CDI_COUNT(triangle);
    sqdist = cdi_posed_sqdist(a, b, s->best->sqdist);
    if (s->best->way && sqdist <= s->best->sqdist) sqdist = cdi_posed_sqlead(a, b, s->best->way, sqdist);
    if (!(sqdist < s->best->sqdist || (sqdist == s->best->sqdist && is_first))) return;
    if (!cdi_pairs_sees(w, a->item, b->item, pair)) return;
    s->best->sqdist = sqdist;
    s->best->pair = pair;
    s->best->item_a = a->item;
    s->best->item_b = b->item;
    s->limit = cdi_apart_limit(s);
    cdi_apart_head_for(s, a, b);
}

/* The boxes of a block, in the unit. */
typedef struct cdi_apart_rows {
    double lo[3][8], hi[3][8];
} cdi_apart_rows;

static void cdi_apart_rows_of(const cdi_apart *s, const cdi_posed_block *held, cdi_apart_rows *out) {
    int half = -s->unit->exponent / 2;
    double first = cdi_exp2i(half), second = cdi_exp2i(-s->unit->exponent - half);
    for (int k = 0; k < 3; ++k) {
        for (uint32_t i = 0; i < held->count; ++i) {
            out->lo[k][i] = (double)held->lo[k][i] * first * second;
            out->hi[k][i] = (double)held->hi[k][i] * first * second;
        }
    }
}

/* Along one axis: the squared distance of a's box to four of b's; a gap that counts is large beside `room`. */
CDI_INLINE cdi_d4 cdi_apart_sqgap(const cdi_apart_rows *a, uint32_t i, const cdi_apart_rows *b, uint32_t j,
                                  int k, cdi_d4 room) {
    cdi_d4 gap = cdi_d4_max(cdi_d4_sub(cdi_d4_all(a->lo[k][i]), cdi_d4_load(b->hi[k] + j)),
                            cdi_d4_sub(cdi_d4_load(b->lo[k] + j), cdi_d4_all(a->hi[k][i])));
    gap = cdi_d4_max(cdi_d4_sub(gap, room), cdi_d4_all(0.0));
    gap = cdi_d4_min(gap, cdi_d4_all(1e150));
    return cdi_d4_mul(gap, gap);
}

/* A lower bound of the distance of two items, from the squared distance of their boxes. */
static float cdi_apart_bound(const cdi_apart *s, double sqgap) {
    return s->remote ? cdi_apart_beyond(s, cdi_sqrt(sqgap)) : (float)cdi_min(sqgap, 1e37);
}

/* Lower bounds for a's item i and all of b's. */
static void cdi_apart_bound_all(const cdi_apart *s, const cdi_apart_rows *a, uint32_t i,
                                const cdi_apart_rows *b, float bound[8]) {
    cdi_d4 room = cdi_d4_all(s->remote ? 0.0 : 4.8e-7);
    for (uint32_t j = 0; j < s->held_b->count; j += 4) {
        double sum[4];
        cdi_d4_store(sum, cdi_d4_add(cdi_d4_add(cdi_apart_sqgap(a, i, b, j, 0, room),
                                                cdi_apart_sqgap(a, i, b, j, 1, room)),
                                     cdi_apart_sqgap(a, i, b, j, 2, room)));
        for (uint32_t k = 0; k < 4; ++k) bound[j + k] = cdi_apart_bound(s, sum[k]);
    }
}

/* A pair of items of two blocks: 8 times that of a, and that of b. */
typedef struct cdi_apart_pair {
    float bound;
    uint32_t items;
} cdi_apart_pair;

/* The pairs of the blocks that are held and may count. */
static uint32_t cdi_apart_pairs(const cdi_apart *s, cdi_apart_pair out[65]) {
    cdi_apart_rows a, b;
    uint32_t count = 0;
    cdi_clear(&b, sizeof b);
    cdi_apart_rows_of(s, s->held_a, &a);
    cdi_apart_rows_of(s, s->held_b, &b);
    for (uint32_t i = 0; i < s->held_a->count; ++i) {
        float bound[8];
        cdi_apart_bound_all(s, &a, i, &b, bound);
        for (uint32_t j = 0; j < s->held_b->count; ++j) {
            out[count].bound = bound[j];
            out[count].items = 8 * i + j;
            count += bound[j] <= s->limit;
        }
    }
    return count;
}

/* The pairs of the blocks that are held, the nearest boxes first. */
static void cdi_apart_blocks(cdi_apart *s) {
    cdi_apart_pair pair[65];
    uint32_t count = cdi_apart_pairs(s, pair);
    while (count > 0) {
        uint32_t best = 0, items;
        for (uint32_t i = 1; i < count; ++i) {
            if (pair[i].bound < pair[best].bound ||
                (pair[i].bound == pair[best].bound && pair[i].items < pair[best].items))
                best = i;
        }
        if (!(pair[best].bound <= s->limit)) return;
        items = pair[best].items;
        pair[best] = pair[--count];
        cdi_apart_try(s, &s->held_a->item[items >> 3], &s->held_b->item[items & 7u]);
    }
}

static bool cdi_apart_leaves(void *query, const cdi_lane_box *a, const cdi_lane_box *b) {
    cdi_apart *s = (cdi_apart *)query;
    for (uint32_t j = 0; j < b->count; j += 8) {
        cdi_posed_hold(s->w, s->held_b, true, b->child + j, b->count - j);
        for (uint32_t i = 0; i < a->count; i += 8) {
            cdi_posed_hold(s->w, s->held_a, false, a->child + i, a->count - i);
            cdi_apart_blocks(s);
        }
    }
    return true;
}

/* ---- nodes ---- */

/* Lower bounds of the distances of a node's boxes, of tree b if `of_b`, to a box of the other tree. */
static cdi_f8 cdi_apart_bounds(const cdi_apart *s, const cdi_bvh_node *node, bool of_b,
                               const cdi_box_rows *box) {
    const cdi_frame_map *there = of_b ? &s->w->to_b : &s->w->to_a;
    const cdi_frame_map *back = of_b ? &s->w->to_a : &s->w->to_b;
    cdi_f8 sqdist = cdi_f8_all(0.0f), other;
    cdi_box_rows moved;
    if (there->useful) {
        cdi_map_rows(there, box->lo, box->hi, &moved);
        sqdist = cdi_f8_mul(cdi_rows_sqdist(&moved, node->lo, node->hi), cdi_f8_all(s->sqscale[of_b]));
    }
    if (back->useful) {
        cdi_map_rows(back, node->lo, node->hi, &moved);
        other = cdi_f8_mul(cdi_rows_sqdist(&moved, box->lo, box->hi), cdi_f8_all(s->sqscale[!of_b]));
        sqdist = cdi_f8_max(sqdist, other);
    }
    return sqdist;
}

/* A box in A's axes from A's origin on, in the unit. */
typedef struct cdi_apart_span {
    double lo[3], hi[3];
} cdi_apart_span;

static cdi_apart_span cdi_apart_span_a(const cdi_apart *s, const float (*lo)[8], const float (*hi)[8],
                                       uint32_t lane) {
    int e = s->w->a.header->frame.exponent - s->unit->exponent;
    cdi_apart_span r;
    for (int k = 0; k < 3; ++k) {
        r.lo[k] = cdi_scale2((double)lo[k][lane], e);
        r.hi[k] = cdi_scale2((double)hi[k][lane], e);
    }
    return r;
}

static cdi_apart_span cdi_apart_span_b(const cdi_apart *s, const float (*lo)[8], const float (*hi)[8],
                                       uint32_t lane) {
    const cdi_frame *a = &s->w->a.header->frame, *b = &s->w->b.header->frame;
    const cdi_pose *pose = &s->w->place_b.pose;
    double at[3], half[3];
    cdi_v3 middle;
    cdi_apart_span r;
    for (int k = 0; k < 3; ++k) {
        at[k] = cdi_scale2(0.5 * ((double)lo[k][lane] + (double)hi[k][lane]), b->exponent) + b->origin[k];
        half[k] = cdi_scale2(0.5 * ((double)hi[k][lane] - (double)lo[k][lane]), b->exponent);
    }
    middle = cdi_pose_point(pose, cdi_v3_make(at[0], at[1], at[2]));
    for (int k = 0; k < 3; ++k) {
        double x = cdi_v3_get(middle, k) - a->origin[k], room = s->w->error;
        for (int i = 0; i < 3; ++i) room += cdi_abs(cdi_v3_get(pose->rotation.c[i], k)) * half[i];
        r.lo[k] = cdi_scale2(x - room, -s->unit->exponent);
        r.hi[k] = cdi_scale2(x + room, -s->unit->exponent);
    }
    return r;
}

/* A leaf of B by what its items have become. */
static cdi_apart_span cdi_apart_span_leaf(const cdi_apart *s, uint32_t first, uint32_t count) {
    const cdi_posed_block *held = s->held_b;
    cdi_apart_span r;
    cdi_posed_hold(s->w, s->held_b, true, first, count);
    for (int k = 0; k < 3; ++k) {
        double origin = s->w->a.header->frame.origin[k], lo = (double)held->lo[k][0],
               hi = (double)held->hi[k][0];
        for (uint32_t i = 1; i < held->count; ++i) {
            lo = cdi_min(lo, (double)held->lo[k][i]);
            hi = cdi_max(hi, (double)held->hi[k][i]);
        }
        r.lo[k] = cdi_scale2(lo - origin, -s->unit->exponent);
        r.hi[k] = cdi_scale2(hi - origin, -s->unit->exponent);
    }
    return r;
}

static double cdi_apart_span_gap(const cdi_apart_span *a, const cdi_apart_span *b) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double d = cdi_clamp(cdi_max(a->lo[k] - b->hi[k], b->lo[k] - a->hi[k]), 0.0, 1e150);
        sum += d * d;
    }
    return cdi_sqrt(sum);
}

/* cdi_apart_bounds of trees that are remote. */
static cdi_f8 cdi_apart_remote_bounds(const cdi_apart *s, const cdi_bvh_node *node, bool of_b,
                                      const cdi_lane_box *other) {
    cdi_apart_span there, here;
    float bound[8];
    if (of_b)
        there = cdi_apart_span_a(s, other->box.lo, other->box.hi, 0);
    else if (other->count > 0 && other->count <= 8)
        there = cdi_apart_span_leaf(s, other->child, other->count);
    else
        there = cdi_apart_span_b(s, other->box.lo, other->box.hi, 0);
    for (uint32_t i = 0; i < 8; ++i) {
        here = of_b ? cdi_apart_span_b(s, node->lo, node->hi, i) : cdi_apart_span_a(s, node->lo, node->hi, i);
        bound[i] = cdi_apart_beyond(s, cdi_apart_span_gap(&here, &there));
    }
    return cdi_f8_load(bound);
}

static cdi_f8 cdi_apart_lanes(const void *query, const cdi_bvh_node *node, bool of_b,
                              const cdi_lane_box *other) {
    const cdi_apart *s = (const cdi_apart *)query;
    return s->remote ? cdi_apart_remote_bounds(s, node, of_b, other)
                     : cdi_apart_bounds(s, node, of_b, &other->box);
}

/* The larger frame's unit, and the squares of both in it. */
static void cdi_apart_units(cdi_apart *s) {
    const cdi_frame *a = &s->w->a.header->frame, *b = &s->w->b.header->frame;
    int e = b->exponent - a->exponent;
    s->unit = e > 0 ? b : a;
    s->sqscale[0] = (float)cdi_exp2i(e > 0 ? -2 * e : 0);
    s->sqscale[1] = (float)cdi_exp2i(e < 0 ? 2 * e : 0);
}

/* The distance of the two trees, and whether it is so large beside them that it is left out of all others. */
static void cdi_apart_measure(cdi_apart *s) {
    cdi_apart_span a, b;
    cdi_box_rows all;
    const cdi_box_rows *whole = &all;
    for (int k = 0; k < 3; ++k) {
        all.lo[k][0] = -1.0f;
        all.hi[k][0] = 1.0f;
    }
    a = cdi_apart_span_a(s, whole->lo, whole->hi, 0);
    b = cdi_apart_span_b(s, whole->lo, whole->hi, 0);
    s->base = cdi_apart_span_gap(&a, &b) * (1.0 - 1e-12);
    s->remote = s->base > CDI_APART_REMOTE && s->base < 1e140;
}

CDI_FN void cdi_apart_run(cdi_pair_walk *w, cdi_pair_nearest *best) {
    cdi_posed_block held_a, held_b;
    cdi_apart s;
    held_a.first = held_a.count = held_b.first = held_b.count = 0;
    s.w = w;
    s.best = best;
    s.held_a = &held_a;
    s.held_b = &held_b;
    s.way = cdi_v3_make(0.0, 0.0, 0.0);
    s.reach = 0.0;
    cdi_apart_units(&s);
    cdi_apart_measure(&s);
    s.limit = cdi_apart_limit(&s);
    if (best->pair.a != CD_NONE) cdi_apart_head_for_best(&s);
    cdi_walk_first_pairs(w, &s, &s.limit, s.remote ? 1e30f : w->b_size, cdi_apart_lanes, cdi_apart_leaves);
}

#undef CDI_APART_REMOTE
