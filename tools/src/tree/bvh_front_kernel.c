#include "tree/bvh_front_kernel.h"
#include "tree/bvh_leaves.h"
#include "tree/bvh_pair_nodes.h"

/* ---- a pair of nodes ---- */

#define CDI_FRONT_AWAY 1e30f /* lanes that are not in use */

/* How far eight boxes are from one of other eight, along the axis where that is most; below zero where they meet. */
CDI_INLINE cdi_f8 cdi_rows_apart(const float (*lo)[8], const float (*hi)[8], const float (*other_lo)[8],
                                 const float (*other_hi)[8], uint32_t lane) {
    cdi_f8 x = cdi_row_gap(lo[0], hi[0], other_lo[0][lane], other_hi[0][lane]);
    cdi_f8 y = cdi_row_gap(lo[1], hi[1], other_lo[1][lane], other_hi[1][lane]);
    cdi_f8 z = cdi_row_gap(lo[2], hi[2], other_lo[2][lane], other_hi[2][lane]);
    return cdi_f8_max(cdi_f8_max(x, y), z);
}

/* Boxes of both nodes in a's frame and in b's, as far as floats reach. */
typedef struct cdi_front_boxes {
    const float (*a_lo)[8], (*a_hi)[8], (*b_lo)[8], (*b_hi)[8];
} cdi_front_boxes;

typedef struct cdi_front_views {
    cdi_front_boxes in_a, in_b;
    bool has_a, has_b;
    cdi_box_rows back; /* boxes of a in b's frame */
} cdi_front_views;

static void cdi_front_look(const cdi_pair_walk *w, cdi_moved_node *moved, cdi_lanes_of a, cdi_lanes_of b,
                           cdi_front_views *out) {
    const cdi_box_rows *rows, *back = &out->back;
    out->in_a.a_lo = a.node->lo, out->in_a.a_hi = a.node->hi;
    out->in_a.b_lo = out->in_b.b_lo = b.node->lo, out->in_a.b_hi = out->in_b.b_hi = b.node->hi;
    out->in_b.a_lo = back->lo, out->in_b.a_hi = back->hi;
    out->has_a = w->same || w->to_a.useful;
    out->has_b = !w->same && w->to_b.useful && (w->place_b.moved || !out->has_a);
    if (!w->same && out->has_a) {
        rows = cdi_hold_moved(moved, &w->to_a, b);
        out->in_a.b_lo = rows->lo, out->in_a.b_hi = rows->hi;
    }
    if (out->has_b) cdi_map_rows(&w->to_b, a.node->lo, a.node->hi, &out->back);
}

/* What one lane of b is from all of a's, in the unit of a's frame. */
CDI_INLINE cdi_f8 cdi_front_gaps(const cdi_pair_walk *w, const cdi_front_views *v, uint32_t lane) {
    cdi_f8 gap = cdi_f8_all(0.0f), other;
    if (v->has_a) gap = cdi_rows_apart(v->in_a.a_lo, v->in_a.a_hi, v->in_a.b_lo, v->in_a.b_hi, lane);
    if (!v->has_b) return gap;
    other = cdi_rows_apart(v->in_b.a_lo, v->in_b.a_hi, v->in_b.b_lo, v->in_b.b_hi, lane);
    return cdi_f8_max(gap, cdi_f8_mul(other, cdi_f8_all(w->b_size)));
}

/* How far things may move until a pair of nodes is tested again: less than any lanes are apart that do not meet; and as far as the
 * deepest of those that do lie in each other, or none might come to be given up. */
static double cdi_front_until(const cdi_front_walk *f, cdi_f8 room, cdi_f8 depth) {
    float rooms[8], depths[8], least = CDI_FRONT_AWAY, most = -1.0f;
    double until;
    cdi_f8_store(rooms, room);
    cdi_f8_store(depths, depth);
    for (int i = 0; i < 8; ++i) {
        least = rooms[i] < least ? rooms[i] : least;
        most = depths[i] > most ? depths[i] : most;
    }
    if (most >= 0.0f && most < least) least = most;
    until = f->moved + (double)least * (1.0 - 1e-6) * f->unit;
    return cdi_max(cdi_min(until * (1.0 - 1e-14), 1e300), f->moved); /* while nothing moves it holds */
}

/* The pairs of lanes that meet, and how long that is known to hold. */
static uint64_t cdi_front_test(cdi_front_walk *f, cdi_moved_node *moved, cdi_lanes_of a, cdi_lanes_of b,
                               double *until) {
    float away[8];
    cdi_f8 unused, room = cdi_f8_all(CDI_FRONT_AWAY), depth = cdi_f8_all(-1.0f);
    cdi_front_views v;
    uint64_t met = 0;
    CDI_COUNT(node);
    ++f->tested;
    cdi_front_look(f->w, moved, a, b, &v);
    for (uint32_t i = 0; i < 8; ++i) away[i] = a.lanes >> i & 1u ? -CDI_FRONT_AWAY : CDI_FRONT_AWAY;
    unused = cdi_f8_load(away);
    for (uint32_t lanes = b.lanes; lanes; lanes &= lanes - 1) {
        uint32_t lane = cdi_lowest_bit(lanes);
        cdi_f8 gap = cdi_f8_max(cdi_front_gaps(f->w, &v, lane), unused);
        met |= (uint64_t)cdi_f8_le(gap, cdi_f8_all(0.0f)) << (8 * lane);
        room = cdi_f8_min(room, cdi_f8_pick(gap, gap, cdi_f8_all(CDI_FRONT_AWAY)));
        depth = cdi_f8_max(depth, cdi_f8_sub(cdi_f8_all(0.0f), gap));
    }
    *until = cdi_front_until(f, room, depth);
    return f->w->same && a.number == b.number ? met & CDI_PAIRS_ONCE : met;
}

#undef CDI_FRONT_AWAY

/* ---- the way ---- */

/* A step of the way: `todo` are pairs of nodes still to be entered; of the old entry's, `had` are still to be passed: the next is
 * number `next`, before `end`. */
typedef struct cdi_front_step {
    uint64_t todo, had;
    uint32_t a, b, entry, next, end;
    uint8_t lanes_a, lanes_b;
} cdi_front_step;

typedef struct cdi_front_path {
    cdi_front_walk *f;
    cdi_leaves *leaves;
    cdi_held_pair held;
    uint32_t length;
    cdi_front_step step[2 * CDI_BVH_DEPTH];
} cdi_front_path;

static bool cdi_front_is(const cdi_front_entry *e, const cdi_lanes_of *a, const cdi_lanes_of *b) {
    return e->a == a->number && e->b == b->number && e->lanes_a == a->lanes && e->lanes_b == b->lanes;
}

/* A new entry; without memory there is none. */
static void cdi_front_note(cdi_front_walk *f, const cdi_front_step *at, uint64_t met, double until) {
    cdi_front_entry *e;
    if (!cdi_front_room(&f->made, f->allocator)) return;
    e = &f->made.entries[f->made.count++];
    e->met = met;
    e->until = until;
    e->a = at->a;
    e->b = at->b;
    e->size = 1;
    e->lanes_a = at->lanes_a;
    e->lanes_b = at->lanes_b;
    e->unused = 0;
}

/* One step on: `old` is the entry that may be its own, or CD_NONE. */
static bool cdi_front_enter(cdi_front_path *p, cdi_lanes_of a, cdi_lanes_of b, uint32_t old) {
    cdi_front_walk *f = p->f;
    cdi_front_step *at = &p->step[p->length];
    const cdi_front_entry *e = old == CD_NONE ? NULL : &f->old.entries[old];
    uint64_t both = cdi_all_lanes(cdi_node_leaves(a.node), cdi_node_leaves(b.node)), met, pairs;
    double until;
    if (e && !cdi_front_is(e, &a, &b)) e = NULL;
    if (e && f->moved <= e->until)
        met = e->met & cdi_all_lanes(a.lanes, b.lanes), until = e->until;
    else
        met = cdi_front_test(f, &p->held.moved, a, b, &until);
    pairs = met & both;
    at->a = a.number;
    at->b = b.number;
    at->lanes_a = (uint8_t)a.lanes;
    at->lanes_b = (uint8_t)b.lanes;
    at->todo = met ^ pairs;
    at->had = e ? e->met & ~both : 0;
    at->next = old + 1;
    at->end = e ? old + e->size : 0;
    at->entry = f->made.count;
    cdi_front_note(f, at, met, until);
    p->length += at->todo != 0;
    return pairs == 0 || cdi_leaves_pairs(p->leaves, a.node, b.node, pairs);
}

static void cdi_front_lanes(cdi_front_path *p, const cdi_front_step *at, cdi_lanes_of *a, cdi_lanes_of *b) {
    a->number = at->a;
    b->number = at->b;
    a->lanes = at->lanes_a;
    b->lanes = at->lanes_b;
    a->node = cdi_hold_node(&p->held.a, &p->f->w->a, a->number);
    b->node = cdi_hold_node(&p->held.b, &p->f->w->b, b->number);
}

/* The old entry of a pair of lanes, or CD_NONE: those before it are passed. */
static uint32_t cdi_front_old(cdi_front_path *p, uint32_t bit) {
    cdi_front_step *at = &p->step[p->length - 1];
    while (at->had && at->next < at->end) {
        uint32_t first = cdi_lowest_bit64(at->had), entry = at->next;
        if (first > bit) break;
        at->had &= at->had - 1;
        at->next += p->f->old.entries[entry].size;
        if (first == bit) return entry;
    }
    return CD_NONE;
}

/* A step is done. */
static void cdi_front_close(cdi_front_path *p) {
    cdi_front_list *made = &p->f->made;
    uint32_t entry = p->step[--p->length].entry;
    if (!made->failed) made->entries[entry].size = made->count - entry;
}

/* One pair of lanes of the last step. */
static bool cdi_front_next(cdi_front_path *p) {
    cdi_front_step *at = &p->step[p->length - 1];
    uint32_t bit = cdi_lowest_bit64(at->todo), old = cdi_front_old(p, bit);
    cdi_lanes_of m, n, a, b;
    at->todo &= at->todo - 1;
    cdi_front_lanes(p, at, &m, &n);
    cdi_held_deeper(&p->held, p->f->w, p->length, &m, bit & 7u, &n, bit >> 3, &a, &b);
    return cdi_front_enter(p, a, b, old);
}

CDI_FN bool cdi_front_run(cdi_front_walk *f) {
    cdi_leaves leaves;
    cdi_front_path p;
    cdi_lanes_of a, b;
    cdi_leaves_open(&leaves, f->w);
    p.f = f;
    p.leaves = &leaves;
    p.length = 0;
    cdi_held_roots(&p.held, f->w, &a, &b);
    if (!cdi_front_enter(&p, a, b, f->old.count ? 0 : CD_NONE)) return false;
    while (p.length > 0) {
        if (p.step[p.length - 1].todo == 0)
            cdi_front_close(&p);
        else if (!cdi_front_next(&p))
            return false;
    }
    return cdi_leaves_close(&leaves);
}
