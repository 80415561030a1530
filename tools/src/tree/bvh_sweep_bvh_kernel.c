#include "tree/bvh_sweep_bvh_kernel.h"
#include "tree/bvh_pair_spans.h"

/* ---- boxes: when do they meet? ---- */

/* Lower bounds of the times when a node's boxes, of tree b if `of_b`, meet a box of the other tree. */
CDI_INLINE cdi_f8 cdi_pair_sweep_bounds(const void *query, const cdi_bvh_node *node, bool of_b,
                                        const cdi_lane_box *other) {
    cdi_span_lanes span = cdi_pair_sweep_spans((const cdi_pair_sweep *)query, node, of_b, other);
    return cdi_f8_pick(cdi_f8_sub(span.in, span.out), cdi_f8_all(3e38f), span.in);
}

/* ---- items ---- */

/* Up to four items of a leaf, scaled, in rows; all lanes are filled. Of triangles the normals, between what
 * the corners are along them, and 1 over how fast A comes along them, and against them. */
typedef struct cdi_swept_items {
    uint32_t first, count;
    double lo[3][4], hi[3][4], v[9][4], n[3][4], n_lo[4], n_hi[4], up[4], down[4];
} cdi_swept_items;

#define CDI_SLOW 1e-300 /* as good as no motion */

static void cdi_swept_normal(const cdi_pair_sweep *s, cdi_swept_items *b, uint32_t i, const cdi_tri *t) {
    cdi_v3 n = cdi_v3_cross(cdi_v3_sub(t->v[1], t->v[0]), cdi_v3_sub(t->v[2], t->v[0]));
    double x = cdi_v3_dot(n, t->v[0]), y = cdi_v3_dot(n, t->v[1]), z = cdi_v3_dot(n, t->v[2]);
    double room = s->margin * (cdi_abs(n.x) + cdi_abs(n.y) + cdi_abs(n.z)), speed = cdi_v3_dot(n, s->way);
    b->n[0][i] = n.x, b->n[1][i] = n.y, b->n[2][i] = n.z;
    b->n_lo[i] = cdi_min(cdi_min(x, y), z) - room;
    b->n_hi[i] = cdi_max(cdi_max(x, y), z) + room;
    b->up[i] = 1.0 / cdi_max(speed, CDI_SLOW);
    b->down[i] = 1.0 / cdi_max(-speed, CDI_SLOW);
}

static void cdi_swept_lane(const cdi_pair_sweep *s, cdi_swept_items *b, uint32_t i, const cdi_posed *item) {
    cdi_v3 lo, hi;
    cdi_tri t;
    cdi_posed_bounds(item, &lo, &hi);
    lo = cdi_v3_scale2(lo, s->shift);
    hi = cdi_v3_scale2(hi, s->shift);
    for (int k = 0; k < 3; ++k) {
        b->lo[k][i] = cdi_v3_get(lo, k) - s->margin;
        b->hi[k][i] = cdi_v3_get(hi, k) + s->margin;
    }
    if (!s->flat) return;
    for (int k = 0; k < 3; ++k) {
        cdi_v3 p = cdi_v3_scale2(item->u.tri.v[k], s->shift);
        t.v[k] = p;
        b->v[3 * k][i] = p.x, b->v[3 * k + 1][i] = p.y, b->v[3 * k + 2][i] = p.z;
    }
    cdi_swept_normal(s, b, i, &t);
}

static void cdi_swept_hold(const cdi_pair_sweep *s, cdi_swept_items *b, bool of_b, uint32_t first,
                           uint32_t count) {
    cdi_posed item;
    count = count < 4 ? count : 4;
    if (b->count == count && b->first == first) return;
    b->first = first;
    b->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_posed_read(&item, of_b ? &s->w.b : &s->w.a, first + i, of_b ? &s->w.place_b : &s->w.place_a);
        cdi_swept_lane(s, b, i, &item);
    }
    for (uint32_t i = count; i < 4; ++i) cdi_swept_lane(s, b, i, &item);
}

/* ---- pairs of items: from when to when may they meet? ---- */

typedef struct cdi_span4 {
    cdi_d4 in, out;
} cdi_span4;

/* Along the axes of the frame: a's item i, and four of b's. */
CDI_INLINE void cdi_swept_boxes(const cdi_pair_sweep *s, const cdi_swept_items *a, uint32_t i,
                                const cdi_swept_items *b, cdi_span4 *span) {
    for (int k = 0; k < 3; ++k) {
        double speed = cdi_v3_get(s->way, k), up = 1.0 / cdi_max(speed, CDI_SLOW),
               down = 1.0 / cdi_max(-speed, CDI_SLOW);
        cdi_d4 under = cdi_d4_sub(cdi_d4_load(b->lo[k]), cdi_d4_all(a->hi[k][i]));
        cdi_d4 over = cdi_d4_sub(cdi_d4_all(a->lo[k][i]), cdi_d4_load(b->hi[k]));
        span->in = cdi_d4_max(span->in, cdi_d4_mul(under, cdi_d4_all(up)));
        span->in = cdi_d4_max(span->in, cdi_d4_mul(over, cdi_d4_all(down)));
        if (speed > CDI_SLOW) span->out = cdi_d4_min(span->out, cdi_d4_mul(over, cdi_d4_all(-up)));
        if (speed < -CDI_SLOW) span->out = cdi_d4_min(span->out, cdi_d4_mul(under, cdi_d4_all(-down)));
    }
}

CDI_INLINE cdi_d4 cdi_d4_along(const cdi_d4 n[3], cdi_d4 x, cdi_d4 y, cdi_d4 z) {
    return cdi_d4_add(cdi_d4_add(cdi_d4_mul(n[0], x), cdi_d4_mul(n[1], y)), cdi_d4_mul(n[2], z));
}

/* Along the normal of a's item. */
CDI_INLINE void cdi_swept_normal_a(const cdi_swept_items *a, uint32_t i, const cdi_swept_items *b,
                                   cdi_span4 *span) {
    cdi_d4 n[3], p[3], lo, hi;
    for (int k = 0; k < 3; ++k) n[k] = cdi_d4_all(a->n[k][i]);
    for (int k = 0; k < 3; ++k)
        p[k] = cdi_d4_along(n, cdi_d4_load(b->v[3 * k]), cdi_d4_load(b->v[3 * k + 1]),
                            cdi_d4_load(b->v[3 * k + 2]));
    lo = cdi_d4_min(cdi_d4_min(p[0], p[1]), p[2]);
    hi = cdi_d4_max(cdi_d4_max(p[0], p[1]), p[2]);
    lo = cdi_d4_mul(cdi_d4_sub(lo, cdi_d4_all(a->n_hi[i])), cdi_d4_all(a->up[i]));
    hi = cdi_d4_mul(cdi_d4_sub(cdi_d4_all(a->n_lo[i]), hi), cdi_d4_all(a->down[i]));
    span->in = cdi_d4_max(span->in, cdi_d4_max(lo, hi));
}

/* Along the normals of b's. */
CDI_INLINE void cdi_swept_normals_b(const cdi_swept_items *a, uint32_t i, const cdi_swept_items *b,
                                    cdi_span4 *span) {
    cdi_d4 n[3], p[3], lo, hi;
    for (int k = 0; k < 3; ++k) n[k] = cdi_d4_load(b->n[k]);
    for (int k = 0; k < 3; ++k)
        p[k] = cdi_d4_along(n, cdi_d4_all(a->v[3 * k][i]), cdi_d4_all(a->v[3 * k + 1][i]),
                            cdi_d4_all(a->v[3 * k + 2][i]));
    lo = cdi_d4_min(cdi_d4_min(p[0], p[1]), p[2]);
    hi = cdi_d4_max(cdi_d4_max(p[0], p[1]), p[2]);
    hi = cdi_d4_mul(cdi_d4_sub(cdi_d4_load(b->n_lo), hi), cdi_d4_load(b->up));
    lo = cdi_d4_mul(cdi_d4_sub(lo, cdi_d4_load(b->n_hi)), cdi_d4_load(b->down));
    span->in = cdi_d4_max(span->in, cdi_d4_max(lo, hi));
}

/* Pairs of two blocks: 4 times that of a, and that of b; CDI_REFINED where the bound is as good as it gets. */
#define CDI_REFINED 16u

typedef struct cdi_swept_pairs {
    double from[16];
    uint8_t items[16];
    uint32_t count;
} cdi_swept_pairs;

static void cdi_swept_four(const cdi_pair_sweep *s, const cdi_swept_items *a, uint32_t i,
                           const cdi_swept_items *b, cdi_swept_pairs *out) {
    cdi_span4 span;
    double from[4];
    uint32_t left = (1u << b->count) - 1u;
    span.in = cdi_d4_all(s->c.t_min);
    span.out = cdi_d4_all(s->c.t_max);
    if (!s->blunt) {
        cdi_swept_boxes(s, a, i, b, &span);
        left &= cdi_d4_le(span.in, span.out);
        if (!left) return;
        if (s->flat) {
            cdi_swept_normal_a(a, i, b, &span);
            cdi_swept_normals_b(a, i, b, &span);
        }
        left &= cdi_d4_le(span.in, span.out);
    }
    cdi_d4_store(from, span.in);
    for (; left; left &= left - 1) {
        uint32_t lane = cdi_lowest_bit(left);
        out->from[out->count] = from[lane];
        out->items[out->count++] = (uint8_t)(4 * i + lane);
    }
}

/* Does a plane across the last contact part the two until then? */
static bool cdi_swept_is_later(const cdi_pair_sweep *s, const cdi_tri *a, const cdi_tri *b) {
    cdi_v3 n = cdi_v3_of(s->best.normal);
    double low = CDI_HUGE, high = -CDI_HUGE, speed = -cdi_v3_dot(n, s->way);
    for (int i = 0; i < 3; ++i) {
        low = cdi_min(low, cdi_v3_dot(n, a->v[i]));
        high = cdi_max(high, cdi_v3_dot(n, b->v[i]));
    }
    low -= high + 2.0 * s->margin;
    return low > 0.0 && !(low <= speed * s->c.t_max);
}

/* Along an axis, from a, between lo and hi, to b: when do they begin and end to overlap? */
CDI_HOT void cdi_swept_axis(const cdi_pair_sweep *s, cdi_v3 n, double a_lo, double a_hi, double b_lo,
                            double b_hi, double *in, double *out) {
    double room = s->margin * (cdi_abs(n.x) + cdi_abs(n.y) + cdi_abs(n.z)), speed = cdi_v3_dot(n, s->way);
    double under = b_lo - a_hi - room, over = a_lo - b_hi - room, inverse;
    if (cdi_abs(speed) <= CDI_SLOW) {
        if (under > 0.0 || over > 0.0) *in = CDI_HUGE;
        return;
    }
    inverse = 1.0 / speed;
    *in = cdi_max(*in, inverse * (speed > 0.0 ? under : -over));
    *out = cdi_min(*out, inverse * (speed > 0.0 ? -over : under));
}

/* The same along all axes across an edge of the one and an edge of the other; false where they part the two in time. */
static bool cdi_swept_edges(const cdi_pair_sweep *s, const cdi_tri *a, const cdi_tri *b, double *in) {
    double out = s->c.t_max;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 e = cdi_v3_sub(a->v[(i + 1) % 3], a->v[i]);
        for (int j = 0; j < 3; ++j) {
            cdi_v3 n = cdi_v3_cross(e, cdi_v3_sub(b->v[(j + 1) % 3], b->v[j]));
            /* all corners: of edges that are nearly parallel n is rounding, and not across them */
            double p = cdi_v3_dot(n, a->v[0]), q = cdi_v3_dot(n, a->v[1]), r = cdi_v3_dot(n, a->v[2]);
            double x = cdi_v3_dot(n, b->v[0]), y = cdi_v3_dot(n, b->v[1]), z = cdi_v3_dot(n, b->v[2]);
            cdi_swept_axis(s, n, cdi_min(cdi_min(p, q), r), cdi_max(cdi_max(p, q), r),
                           cdi_min(cdi_min(x, y), z), cdi_max(cdi_max(x, y), z), in, &out);
            if (!(*in <= out)) return false;
        }
    }
    return true;
}

static cdi_tri cdi_swept_tri(const cdi_swept_items *b, uint32_t i) {
    cdi_tri t;
    for (int k = 0; k < 3; ++k) {
        cdi_v3 p = cdi_v3_make(b->v[3 * k][i], b->v[3 * k + 1][i], b->v[3 * k + 2][i]);
        t.v[k] = p;
    }
    return t;
}

/* A better bound from when on they may meet; false where they do not in time. */
static bool cdi_swept_refine(const cdi_pair_sweep *s, const cdi_swept_items *a, uint32_t i,
                             const cdi_swept_items *b, uint32_t j, double *from) {
    cdi_tri p, q;
    CDI_COUNT(triangle);
    if (!s->flat || s->blunt) return true;
    p = cdi_swept_tri(a, i);
    q = cdi_swept_tri(b, j);
    if (s->found && cdi_swept_is_later(s, &p, &q)) return false;
    return cdi_swept_edges(s, &p, &q, from);
}

static bool cdi_swept_try(cdi_pair_sweep *s, uint32_t a, uint32_t b, double from) {
    double until = s->c.t_max;
    if (!s->meet(s, a, b, from)) return false;
    if (s->c.t_max < until) s->limit = cdi_pair_sweep_limit(s, s->c.t_max);
    return true;
}

static uint32_t cdi_swept_first(const cdi_swept_pairs *p) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->count; ++i) {
        if (p->from[i] < p->from[best]) best = i;
    }
    return best;
}

/* The pairs of two blocks, the first ones first. */
static bool cdi_swept_blocks(cdi_pair_sweep *s, const cdi_swept_items *a, const cdi_swept_items *b) {
    cdi_swept_pairs p;
    p.count = 0;
    for (uint32_t i = 0; i < a->count; ++i) cdi_swept_four(s, a, i, b, &p);
    while (p.count > 0) {
        uint32_t best = cdi_swept_first(&p), i = p.items[best] >> 2 & 3u, j = p.items[best] & 3u;
        double from = p.from[best];
        if (from > s->c.t_max) return true;
        if (!(p.items[best] & CDI_REFINED) && cdi_swept_refine(s, a, i, b, j, &p.from[best])) {
            p.items[best] |= CDI_REFINED;
            continue;
        }
        if ((p.items[best] & CDI_REFINED) && !cdi_swept_try(s, a->first + i, b->first + j, from))
            return false;
        p.from[best] = p.from[--p.count];
        p.items[best] = p.items[p.count];
    }
    return true;
}

/* ---- the walk ---- */

typedef struct cdi_pair_sweep_query {
    cdi_pair_sweep *s;
    cdi_swept_items a, b; /* what was read last */
} cdi_pair_sweep_query;

static bool cdi_pair_sweep_leaves(void *query, const cdi_lane_box *a, const cdi_lane_box *b) {
    cdi_pair_sweep_query *q = (cdi_pair_sweep_query *)query;
    for (uint32_t j = 0; j < b->count; j += 4) {
        cdi_swept_hold(q->s, &q->b, true, b->child + j, b->count - j);
        for (uint32_t i = 0; i < a->count; i += 4) {
            cdi_swept_hold(q->s, &q->a, false, a->child + i, a->count - i);
            if (!cdi_swept_blocks(q->s, &q->a, &q->b)) return false;
        }
    }
    return true;
}

CDI_INLINE cdi_f8 cdi_pair_sweep_lanes(const void *query, const cdi_bvh_node *node, bool of_b,
                                       const cdi_lane_box *other) {
    return cdi_pair_sweep_bounds(((const cdi_pair_sweep_query *)query)->s, node, of_b, other);
}

CDI_FN void cdi_pair_sweep_run(cdi_pair_sweep *s) {
    cdi_pair_sweep_query q;
    q.s = s;
    q.a.first = q.a.count = q.b.first = q.b.count = 0;
    cdi_walk_first_pairs(&s->w, &q, &s->limit, s->w.b_size, cdi_pair_sweep_lanes, cdi_pair_sweep_leaves);
}

#undef CDI_SLOW
#undef CDI_REFINED
