#include "tree/sweep_kernel.h"
#include "tree/bvh_walk.h"
#include "tree/ray_lanes.h"

/* What parts by no more than this is as good as zero: below it products lose digits. */
#define CDI_WAY_TINY  1e-30f
#define CDI_WAY_LOST  1e-36f /* more than a square of a short axis loses by underflow */
#define CDI_WAY_TURNS 8
#define CDI_WAY_FILL  8u /* so many are tested together, if the walk has not to wait for them */

typedef struct cdi_f8x3 {
    cdi_f8 x, y, z;
} cdi_f8x3;

CDI_INLINE cdi_f8x3 cdi_f8x3_all(const float v[3]) {
    cdi_f8x3 r;
    r.x = cdi_f8_all(v[0]);
    r.y = cdi_f8_all(v[1]);
    r.z = cdi_f8_all(v[2]);
    return r;
}
CDI_INLINE cdi_f8x3 cdi_f8x3_add(cdi_f8x3 a, cdi_f8x3 b) {
    a.x = cdi_f8_add(a.x, b.x);
    a.y = cdi_f8_add(a.y, b.y);
    a.z = cdi_f8_add(a.z, b.z);
    return a;
}
CDI_INLINE cdi_f8x3 cdi_f8x3_sub(cdi_f8x3 a, cdi_f8x3 b) {
    a.x = cdi_f8_sub(a.x, b.x);
    a.y = cdi_f8_sub(a.y, b.y);
    a.z = cdi_f8_sub(a.z, b.z);
    return a;
}
CDI_INLINE cdi_f8x3 cdi_f8x3_along(cdi_f8x3 a, cdi_f8x3 b, cdi_f8 by) {
    a.x = cdi_f8_add(a.x, cdi_f8_mul(b.x, by));
    a.y = cdi_f8_add(a.y, cdi_f8_mul(b.y, by));
    a.z = cdi_f8_add(a.z, cdi_f8_mul(b.z, by));
    return a;
}
CDI_INLINE cdi_f8 cdi_f8x3_dot(cdi_f8x3 a, cdi_f8x3 b) {
    return cdi_f8_add(cdi_f8_add(cdi_f8_mul(a.x, b.x), cdi_f8_mul(a.y, b.y)), cdi_f8_mul(a.z, b.z));
}
CDI_INLINE cdi_f8x3 cdi_f8x3_cross(cdi_f8x3 a, cdi_f8x3 b) {
    cdi_f8x3 r;
    r.x = cdi_f8_sub(cdi_f8_mul(a.y, b.z), cdi_f8_mul(a.z, b.y));
    r.y = cdi_f8_sub(cdi_f8_mul(a.z, b.x), cdi_f8_mul(a.x, b.z));
    r.z = cdi_f8_sub(cdi_f8_mul(a.x, b.y), cdi_f8_mul(a.y, b.x));
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_clamp(cdi_f8 x, float lo, float hi) {
    return cdi_f8_min(cdi_f8_max(x, cdi_f8_all(lo)), cdi_f8_all(hi));
}

/* ---- the volume along an axis of each lane ---- */

/* How far it reaches from its centre, at most, with the slack: along n, and against it. */
typedef struct cdi_way_reach {
    cdi_f8 hi, lo, noise; /* noise: what a speed along n is worth */
} cdi_way_reach;

CDI_INLINE void cdi_way_points(const cdi_sweep_way *w, cdi_f8x3 n, cdi_way_reach *r) {
    cdi_f8 hi = cdi_f8_all(-1e30f), lo = cdi_f8_all(1e30f);
    for (uint32_t i = 0; i < w->points; ++i) {
        float p[3];
        cdi_f8 at;
        p[0] = w->point[0][i], p[1] = w->point[1][i], p[2] = w->point[2][i];
        at = cdi_f8x3_dot(n, cdi_f8x3_all(p));
        hi = cdi_f8_max(hi, at);
        lo = cdi_f8_min(lo, at);
    }
    r->hi = cdi_f8_add(r->hi, hi);
    r->lo = cdi_f8_sub(r->lo, lo);
}

CDI_INLINE cdi_way_reach cdi_way_reach_of(const cdi_sweep_way *w, cdi_f8x3 n) {
    cdi_f8 span = cdi_f8_add(cdi_f8_add(cdi_f8_abs(n.x), cdi_f8_abs(n.y)), cdi_f8_abs(n.z));
    cdi_way_reach r;
    r.noise = cdi_f8_mul(span, cdi_f8_all(CDI_WAY_NOISE));
    r.hi = cdi_f8_mul(span, cdi_f8_all(w->slack));
    if (w->radius > 0.0f) {
        cdi_f8 square = cdi_f8_add(cdi_f8x3_dot(n, n), cdi_f8_all(CDI_WAY_LOST));
        r.hi = cdi_f8_add(r.hi, cdi_f8_mul(cdi_f8_sqrt(square), cdi_f8_all(w->radius)));
    }
    for (uint32_t i = 0; i < w->sides; ++i)
        r.hi = cdi_f8_add(r.hi, cdi_f8_abs(cdi_f8x3_dot(n, cdi_f8x3_all(w->side[i]))));
    r.lo = r.hi;
    if (w->points) cdi_way_points(w, n, &r);
    return r;
}

/* What is found about eight things: by how much an axis parts them from all of the volume's way, and from when on they may
 * be met. */
typedef struct cdi_way_lanes {
    cdi_f8 apart, from;
} cdi_way_lanes;

/* Which are not apart yet. */
CDI_INLINE uint32_t cdi_way_left(const cdi_way_lanes *l) {
    return ~cdi_f8_le(cdi_f8_all(CDI_WAY_TINY), l->apart);
}

/* Things that are between lo and hi along n. */
CDI_INLINE void cdi_way_try(const cdi_sweep_way *w, cdi_f8x3 n, cdi_f8 lo, cdi_f8 hi, cdi_f8 end,
                            cdi_way_lanes *l) {
    cdi_way_reach reach = cdi_way_reach_of(w, n);
    cdi_f8 zero = cdi_f8_all(0.0f), at = cdi_f8x3_dot(n, cdi_f8x3_all(w->at));
    cdi_f8 speed = cdi_f8x3_dot(n, cdi_f8x3_all(w->way)), move = cdi_f8_mul(speed, end);
    cdi_f8 over = cdi_f8_sub(lo, cdi_f8_add(at, reach.hi)), under = cdi_f8_sub(cdi_f8_sub(at, reach.lo), hi);
    l->apart = cdi_f8_max(l->apart, cdi_f8_sub(over, cdi_f8_max(move, zero)));
    l->apart = cdi_f8_max(l->apart, cdi_f8_add(under, cdi_f8_min(move, zero)));
    over = cdi_f8_sub(cdi_f8_max(over, under), cdi_f8_all(CDI_WAY_TINY));
    over = cdi_f8_mul(over, cdi_f8_all(0.999999f));
    l->from = cdi_f8_max(cdi_f8_div(over, cdi_f8_add(cdi_f8_abs(speed), reach.noise)), l->from);
}

/* When, up to `end`, the centre is nearest to m. */
CDI_INLINE cdi_f8 cdi_way_time(const cdi_sweep_way *w, cdi_f8x3 m, float end) {
    cdi_f8 along = cdi_f8x3_dot(cdi_f8x3_sub(m, cdi_f8x3_all(w->at)), cdi_f8x3_all(w->way));
    return cdi_f8_clamp(cdi_f8_mul(along, cdi_f8_all(w->inverse)), 0.0f, end);
}

/* Of the core at that time, about what is nearest to m. */
CDI_INLINE cdi_f8x3 cdi_way_nearest(const cdi_sweep_way *w, cdi_f8x3 m, cdi_f8 time) {
    cdi_f8x3 p = cdi_f8x3_along(cdi_f8x3_all(w->at), cdi_f8x3_all(w->way), time);
    m = cdi_f8x3_sub(m, p);
    for (uint32_t i = 0; i < w->sides; ++i) {
        cdi_f8x3 side = cdi_f8x3_all(w->side[i]);
        cdi_f8 along = cdi_f8_mul(cdi_f8x3_dot(m, side), cdi_f8_all(w->side_inverse[i]));
        p = cdi_f8x3_along(p, side, cdi_f8_clamp(along, -1.0f, 1.0f));
    }
    return p;
}

/* ---- boxes ---- */

CDI_INLINE cdi_f8 cdi_way_rows(const cdi_bvh_node *node, const float n[3], const uint32_t side[3]) {
    cdi_f8 r = cdi_f8_mul(cdi_f8_load(cdi_node_row(node, side[0])), cdi_f8_all(n[0]));
    r = cdi_f8_add(r, cdi_f8_mul(cdi_f8_load(cdi_node_row(node, side[1])), cdi_f8_all(n[1])));
    return cdi_f8_add(r, cdi_f8_mul(cdi_f8_load(cdi_node_row(node, side[2])), cdi_f8_all(n[2])));
}

/* Along one of the axes that are the same for all. */
CDI_INLINE void cdi_way_try_axis(const cdi_way_axis *x, cdi_f8 lo, cdi_f8 hi, float end, cdi_way_lanes *l) {
    cdi_f8 over = cdi_f8_sub(lo, cdi_f8_all(x->hi));
    l->apart = cdi_f8_max(l->apart, cdi_f8_sub(over, cdi_f8_all(x->speed * end)));
    l->apart = cdi_f8_max(l->apart, cdi_f8_sub(cdi_f8_all(x->lo), hi));
    l->from = cdi_f8_max(l->from, cdi_f8_mul(over, cdi_f8_all(x->inverse)));
}

/* Along the way between the two where they are about nearest. */
CDI_INLINE void cdi_way_try_box(const cdi_sweep_way *w, const cdi_bvh_node *node, float end,
                                cdi_way_lanes *l) {
    cdi_f8 lo[3], hi[3], half = cdi_f8_all(0.5f);
    cdi_f8x3 m, p, q, n;
    for (int k = 0; k < 3; ++k) {
        lo[k] = cdi_f8_load(node->lo[k]);
        hi[k] = cdi_f8_load(node->hi[k]);
    }
    m.x = cdi_f8_mul(cdi_f8_add(lo[0], hi[0]), half);
    m.y = cdi_f8_mul(cdi_f8_add(lo[1], hi[1]), half);
    m.z = cdi_f8_mul(cdi_f8_add(lo[2], hi[2]), half);
    p = cdi_way_nearest(w, m, cdi_way_time(w, m, end));
    q.x = cdi_f8_min(cdi_f8_max(p.x, lo[0]), hi[0]);
    q.y = cdi_f8_min(cdi_f8_max(p.y, lo[1]), hi[1]);
    q.z = cdi_f8_min(cdi_f8_max(p.z, lo[2]), hi[2]);
    n = cdi_f8x3_sub(q, p);
    cdi_way_try(w, n, cdi_f8x3_dot(n, q), cdi_f8_all(1e30f), cdi_f8_all(end), l);
}

CDI_INLINE uint32_t cdi_way_enters(const cdi_sweep_way *w, const cdi_bvh_node *node, float limit,
                                   float enter[8]) {
    uint32_t mask = cdi_ray_enters(&w->frame, node, limit, enter) & node->lanes;
    float end = limit < w->cap ? limit : w->cap;
    cdi_way_lanes l;
    if (!w->sharp || !mask) return mask;
    l.apart = cdi_f8_all(0.0f);
    l.from = cdi_f8_load(enter);
    for (uint32_t i = 0; i < w->box_axes; ++i) {
        const cdi_way_axis *x = &w->axis[i];
        cdi_way_try_axis(x, cdi_way_rows(node, x->n, x->first_side), cdi_way_rows(node, x->n, x->last_side),
                         end, &l);
    }
    cdi_way_try_box(w, node, end, &l);
    cdi_f8_store(enter, l.from);
    return mask & cdi_way_left(&l);
}

/* ---- triangles ---- */

typedef struct cdi_way_batch {
    cdi_f8x3 v[3];
    uint32_t count;
} cdi_way_batch;

/* Up to eight items, in the frame; unused lanes repeat the last. */
CDI_INLINE void cdi_way_load(const cdi_sweep_way *w, const cdi_bvh *tree, const uint32_t *item,
                             cdi_way_batch *b) {
    float v[9][8];
    cdi_f8 at[9];
    for (uint32_t i = 0; i < 8; ++i) {
        cd_triangle t = cdi_bvh_triangle_of(tree, item[i < b->count ? i : b->count - 1]);
        v[0][i] = (float)(t.a.x - w->origin[0]), v[1][i] = (float)(t.a.y - w->origin[1]);
        v[2][i] = (float)(t.a.z - w->origin[2]), v[3][i] = (float)(t.b.x - w->origin[0]);
        v[4][i] = (float)(t.b.y - w->origin[1]), v[5][i] = (float)(t.b.z - w->origin[2]);
        v[6][i] = (float)(t.c.x - w->origin[0]), v[7][i] = (float)(t.c.y - w->origin[1]);
        v[8][i] = (float)(t.c.z - w->origin[2]);
    }
    for (int k = 0; k < 9; ++k)
        at[k] = cdi_f8_add(cdi_f8_mul(cdi_f8_load(v[k]), cdi_f8_all(w->scale)), cdi_f8_all(w->shift[k % 3]));
    for (int k = 0; k < 3; ++k) {
        b->v[k].x = at[3 * k];
        b->v[k].y = at[3 * k + 1];
        b->v[k].z = at[3 * k + 2];
    }
}

/* From where to where the triangles are along n. */
CDI_INLINE void cdi_way_extent(const cdi_way_batch *b, cdi_f8x3 n, cdi_f8 *lo, cdi_f8 *hi) {
    cdi_f8 x = cdi_f8x3_dot(n, b->v[0]), y = cdi_f8x3_dot(n, b->v[1]), z = cdi_f8x3_dot(n, b->v[2]);
    *lo = cdi_f8_min(cdi_f8_min(x, y), z);
    *hi = cdi_f8_max(cdi_f8_max(x, y), z);
}

CDI_INLINE cdi_f8x3 cdi_way_middle(const cdi_way_batch *b) {
    cdi_f8 third = cdi_f8_all(0.333333333f);
    cdi_f8x3 m = cdi_f8x3_add(cdi_f8x3_add(b->v[0], b->v[1]), b->v[2]);
    m.x = cdi_f8_mul(m.x, third);
    m.y = cdi_f8_mul(m.y, third);
    m.z = cdi_f8_mul(m.z, third);
    return m;
}

/* Of the edges, the way to p is the shortest from there. */
CDI_INLINE cdi_f8x3 cdi_way_border(const cdi_way_batch *b, cdi_f8x3 p) {
    cdi_f8x3 best = b->v[0];
    cdi_f8 least = cdi_f8_all(1e30f);
    for (int i = 0; i < 3; ++i) {
        cdi_f8x3 e = cdi_f8x3_sub(b->v[i == 2 ? 0 : i + 1], b->v[i]), q = cdi_f8x3_sub(p, b->v[i]);
        cdi_f8 square = cdi_f8_add(cdi_f8x3_dot(e, e), cdi_f8_all(1e-30f)), closer;
        q = cdi_f8x3_along(b->v[i], e, cdi_f8_clamp(cdi_f8_div(cdi_f8x3_dot(q, e), square), 0.0f, 1.0f));
        e = cdi_f8x3_sub(q, p);
        square = cdi_f8x3_dot(e, e);
        closer = cdi_f8_sub(least, square);
        best.x = cdi_f8_pick(closer, q.x, best.x);
        best.y = cdi_f8_pick(closer, q.y, best.y);
        best.z = cdi_f8_pick(closer, q.z, best.z);
        least = cdi_f8_min(least, square);
    }
    return best;
}

CDI_INLINE void cdi_way_try_triangles(const cdi_sweep_way *w, const cdi_way_batch *b, cdi_f8x3 n, float end,
                                      cdi_way_lanes *l) {
    cdi_f8 lo, hi;
    cdi_way_extent(b, n, &lo, &hi);
    cdi_way_try(w, n, lo, hi, cdi_f8_all(end), l);
}

/* Along the way between the two where they are about nearest: to the middle first, and then to what of the border is nearest
 * there. */
CDI_INLINE cdi_f8x3 cdi_way_try_border(const cdi_sweep_way *w, const cdi_way_batch *b, float end,
                                       cdi_way_lanes *l) {
    cdi_f8x3 q = cdi_way_middle(b);
    q = cdi_way_border(b, cdi_way_nearest(w, q, cdi_way_time(w, q, end)));
    q = cdi_f8x3_sub(q, cdi_way_nearest(w, q, cdi_way_time(w, q, end)));
    cdi_way_try_triangles(w, b, q, end, l);
    return q;
}

CDI_INLINE cdi_f8x3 cdi_f8x3_pick(cdi_f8 s, cdi_f8x3 a, cdi_f8x3 b) {
    a.x = cdi_f8_pick(s, a.x, b.x);
    a.y = cdi_f8_pick(s, a.y, b.y);
    a.z = cdi_f8_pick(s, a.z, b.z);
    return a;
}

/* From what of the points' way is farthest along n to what of the triangle is least. */
CDI_INLINE cdi_f8x3 cdi_way_between(const cdi_sweep_way *w, const cdi_way_batch *b, cdi_f8x3 n, float end) {
    cdi_f8x3 way = cdi_f8x3_all(w->way), most = cdi_f8x3_all(w->at), least = b->v[0];
    cdi_f8 hi = cdi_f8_all(-1e30f), lo = cdi_f8x3_dot(n, least), at;
    cdi_f8x3 point = most;
    for (uint32_t i = 0; i < w->points; ++i) {
        float p[3];
        cdi_f8x3 v;
        p[0] = w->point[0][i], p[1] = w->point[1][i], p[2] = w->point[2][i];
        v = cdi_f8x3_all(p);
        at = cdi_f8x3_dot(n, v);
        point = cdi_f8x3_pick(cdi_f8_sub(at, hi), v, point);
        hi = cdi_f8_max(hi, at);
    }
    for (int k = 1; k < 3; ++k) {
        at = cdi_f8x3_dot(n, b->v[k]);
        least = cdi_f8x3_pick(cdi_f8_sub(lo, at), b->v[k], least);
        lo = cdi_f8_min(lo, at);
    }
    at = cdi_f8_pick(cdi_f8x3_dot(n, way), cdi_f8_all(end), cdi_f8_all(0.0f));
    return cdi_f8x3_sub(least, cdi_f8x3_along(cdi_f8x3_add(most, point), way, at));
}

/* Turns n, where it does not part them, so that it has the other sign along the way between the farthest: that leads to an axis
 * that does, if there is one (Chung and Wang). */
CDI_INLINE void cdi_way_chase(const cdi_sweep_way *w, const cdi_way_batch *b, cdi_f8x3 n, float end,
                              cdi_way_lanes *l) {
    for (int i = 0; i < CDI_WAY_TURNS; ++i) {
        cdi_f8x3 s = cdi_way_between(w, b, n, end);
        cdi_f8 along = cdi_f8x3_dot(n, s), square = cdi_f8_add(cdi_f8x3_dot(s, s), cdi_f8_all(1e-30f));
        cdi_f8 span = cdi_f8_add(cdi_f8_add(cdi_f8_abs(n.x), cdi_f8_abs(n.y)), cdi_f8_abs(n.z));
        l->apart = cdi_f8_max(l->apart, cdi_f8_sub(along, cdi_f8_mul(span, cdi_f8_all(w->slack))));
        along = cdi_f8_min(along, cdi_f8_all(0.0f));
        n = cdi_f8x3_along(n, s, cdi_f8_div(cdi_f8_mul(along, cdi_f8_all(-2.0f)), square));
    }
}

/* Those that may be met by `limit`, and from when on. */
CDI_INLINE uint32_t cdi_way_meets(const cdi_sweep_way *w, const cdi_way_batch *b, float limit,
                                  float from[8]) {
    float end = limit < w->cap ? limit : w->cap;
    uint32_t used = (1u << b->count) - 1u;
    cdi_f8 lo, hi;
    cdi_f8x3 q;
    cdi_way_lanes l;
    l.apart = l.from = cdi_f8_all(0.0f);
    for (uint32_t i = 0; i < w->axes; ++i) {
        cdi_way_extent(b, cdi_f8x3_all(w->axis[i].n), &lo, &hi);
        cdi_way_try_axis(&w->axis[i], lo, hi, end, &l);
    }
    if (!(cdi_way_left(&l) & used)) return 0;
    q = cdi_f8x3_cross(cdi_f8x3_sub(b->v[1], b->v[0]), cdi_f8x3_sub(b->v[2], b->v[0]));
    cdi_way_try_triangles(w, b, q, end, &l);
    if (!(cdi_way_left(&l) & used)) return 0;
    q = cdi_way_try_border(w, b, end, &l);
    if (w->points && (cdi_way_left(&l) & used)) cdi_way_chase(w, b, q, end, &l);
    cdi_f8_store(from, l.from);
    return cdi_way_left(&l) & used;
}

/* ---- the walk ----
 * Triangles that have been come to wait until the walk is as far as the least bound of their time. */

#define CDI_WAY_WAITING 128u

typedef struct cdi_way_queue {
    uint32_t item[CDI_WAY_WAITING];
    float from[CDI_WAY_WAITING];
    uint32_t count, tested; /* the first so many have been tested with the limit of now */
} cdi_way_queue;

/* Drops those of the next eight that are not met by the limit. */
static void cdi_way_test(const cdi_sweep_way *w, const cdi_bvh *tree, float limit, cdi_way_queue *q) {
    uint32_t first = q->tested, left = q->count - first, mask, keep = first, end;
    float from[8];
    cdi_way_batch b;
    b.count = left < 8 ? left : 8;
    end = first + b.count;
    for (uint32_t i = 0; i < b.count; ++i) CDI_COUNT(triangle);
    cdi_way_load(w, tree, q->item + first, &b);
    mask = cdi_way_meets(w, &b, limit, from);
    for (; mask; mask &= mask - 1) {
        uint32_t lane = cdi_lowest_bit(mask);
        if (from[lane] > limit) continue;
        q->item[keep] = q->item[first + lane];
        q->from[keep++] = from[lane] > q->from[first + lane] ? from[lane] : q->from[first + lane];
    }
    q->tested = keep;
    for (; end < q->count; ++end, ++keep) {
        q->item[keep] = q->item[end];
        q->from[keep] = q->from[end];
    }
    q->count = keep;
}

static uint32_t cdi_way_least(const cdi_way_queue *q) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < q->count; ++i) {
        if (q->from[i] < q->from[best]) best = i;
    }
    return best;
}

/* Sweeps those that may be met by `until`; false ends the walk. */
static bool cdi_way_flush(const cdi_sweep_way *w, const cdi_bvh *tree, cdi_way_queue *q, float until,
                          float *limit) {
    while (q->count) {
        uint32_t best = cdi_way_least(q);
        float before = *limit;
        if (q->from[best] > *limit) q->count = q->tested = 0;
        if (q->from[best] > until || !q->count) break;
        if (q->tested < q->count) {
            cdi_way_test(w, tree, *limit, q);
            continue;
        }
        if (!w->meet(w->mover, tree, q->item[best], limit)) return false;
        q->item[best] = q->item[--q->count];
        q->from[best] = q->from[q->count];
        q->tested = *limit < before ? 0 : q->count;
    }
    return true;
}

/* A leaf that is come to at `bound`. */
static bool cdi_way_leaf(const cdi_sweep_way *w, const cdi_bvh *tree, const cdi_walk_step *leaf,
                         cdi_way_queue *q, float *limit) {
    if (!w->sharp || !cdi_bvh_is_triangles(tree)) {
        for (uint32_t i = 0; i < leaf->count; ++i) {
            if (!w->meet(w->mover, tree, leaf->child + i, limit)) return false;
        }
        return true;
    }
    if (q->count + leaf->count > CDI_WAY_WAITING && !cdi_way_flush(w, tree, q, 1e30f, limit)) return false;
    for (uint32_t i = 0; i < leaf->count; ++i) {
        q->item[q->count] = leaf->child + i;
        q->from[q->count++] = leaf->bound;
    }
    return true;
}

CDI_HOT void cdi_way_walk_in(const cdi_sweep_way *w, const cdi_bvh *tree, uint32_t layout, float limit) {
    cdi_walk_step stack[CDI_BVH_STACK], at;
    cdi_bvh_node scratch;
    cdi_way_queue q;
    float bound[8];
    size_t item_size = cdi_bvh_item_size(tree->item);
    uint32_t top = 0;
    at.bound = 0.0f;
    at.child = at.count = q.count = q.tested = 0;
    for (;;) {
        bool full = q.count - q.tested >= CDI_WAY_FILL || q.tested == q.count;
        if (full && !cdi_way_flush(w, tree, &q, at.bound, &limit)) return;
        if (!(at.bound > limit)) {
            if (at.count == 0) {
                const cdi_bvh_node *node = cdi_bvh_at_in(tree, layout, at.child, &scratch);
                uint32_t mask = cdi_way_enters(w, node, limit, bound), bottom = top;
                CDI_COUNT(node);
                if (mask) {
                    at = cdi_push_sorted(stack, &top, node, mask, bound);
                    cdi_fetch_steps(tree, layout, item_size, stack + bottom, top - bottom);
                    continue;
                }
            } else if (!cdi_way_leaf(w, tree, &at, &q, &limit)) {
                return;
            }
        }
        if (top == 0) break;
        at = stack[--top];
    }
    cdi_way_flush(w, tree, &q, 1e30f, &limit);
}

CDI_FN void cdi_sweep_way_walk(const cdi_sweep_way *w, const cdi_bvh *tree, float limit) {
    cdi_way_walk_in(w, tree, tree->layout, limit);
}

#undef CDI_WAY_TINY
#undef CDI_WAY_LOST
#undef CDI_WAY_WAITING
#undef CDI_WAY_FILL
#undef CDI_WAY_TURNS
