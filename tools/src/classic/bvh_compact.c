#include "classic/bvh_compact.h"

#ifndef COLLIDE_NO_CLASSIC

#include "query/cast.h"
#include "query/test.h"
#include "tree/bvh_build.h"
#include "tree/fans.h"

#define CDI_COMPACT_NODE  10u
#define CDI_COMPACT_MOST  0x4000000u              /* items */
#define CDI_COMPACT_DEPTH (CDI_BINARY_DEPTH + 6u) /* leaves of 64 are halved six times more */

/* A box as it is read from the tree: the planes toward smaller numbers, then those toward larger. */
typedef struct cdi_compact_box {
    double at[6];
} cdi_compact_box;

/* A node, its items and its box. */
typedef struct cdi_compact_part {
    uint32_t node, first, count,
        slot; /* the slot is that of the canonical tree; CD_NONE within a leaf of it */
    cdi_compact_box box;
} cdi_compact_part;

/* Plane k of a box, moved inward by q 256th of the box. It stays finite, and for 0 it is the plane itself. */
static double cdi_compact_plane(const cdi_compact_box *box, int k, uint32_t q) {
    double part = (double)q * 0.00390625;
    return box->at[k] * (1.0 - part) + box->at[k < 3 ? k + 3 : k - 3] * part;
}

static cdi_compact_box cdi_compact_box_of(cd_aabb b) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    cdi_compact_box p;
    for (int k = 0; k < 3; ++k) {
        p.at[k] = cdi_v3_get(lo, k);
        p.at[k + 3] = cdi_v3_get(hi, k);
    }
    return p;
}

/* The two children of a part with two items or more. */
static void cdi_compact_children(const unsigned char *nodes, const cdi_compact_part *p,
                                 cdi_compact_part *left, cdi_compact_part *right) {
    const unsigned char *n = nodes + (size_t)p->node * CDI_COMPACT_NODE;
    uint32_t word = n[0] | (uint32_t)n[1] << 8 | (uint32_t)n[2] << 16 | (uint32_t)n[3] << 24;
    *left = *right = *p;
    left->count = word & (CDI_COMPACT_MOST - 1u);
    left->node = p->node + 1;
    right->count = p->count - left->count;
    right->first = p->first + left->count;
    right->node = p->node + left->count;
    for (int k = 0; k < 6; ++k) {
        double plane = cdi_compact_plane(&p->box, k, n[4 + k]);
        if (word >> (26 + k) & 1u) {
            left->box.at[k] = plane;
        } else {
            right->box.at[k] = plane;
        }
    }
}

/* ---- building ---- */

/* The true box of a part, and its slot where it is a node of the canonical tree. */
static cdi_compact_box cdi_compact_true_box(const cdi_builder *b, const cdi_compact_part *p) {
    cdi_box box = cdi_box_empty();
    cdi_compact_box planes;
    for (uint32_t i = p->first; i < p->first + p->count && p->slot == CD_NONE; ++i)
        cdi_box_grow(&box, &b->box[i]);
    if (p->slot != CD_NONE) box = b->node[p->slot].box;
    for (int k = 0; k < 3; ++k) {
        planes.at[k] = (double)box.v[k];
        planes.at[k + 3] = -(double)box.v[4 + k];
    }
    return planes;
}

/* How far inward plane k may go without cutting off `plane`. */
static uint32_t cdi_compact_quantise(const cdi_compact_box *box, int k, double plane) {
    uint32_t q = 0;
    for (uint32_t step = 128; step > 0; step /= 2) {
        double at = cdi_compact_plane(box, k, q + step);
        if (k < 3 ? at <= plane : at >= plane) q += step;
    }
    return q;
}

/* Splits a part as the canonical tree does, or in halves within a leaf of it; the boxes are not known yet. */
static void cdi_compact_split(const cdi_builder *b, cdi_compact_part *p, cdi_compact_part *left,
                              cdi_compact_part *right) {
    if (p->slot != CD_NONE && b->node[p->slot].count) p->slot = CD_NONE;
    *left = *right = *p;
    left->count = p->count / 2;
    if (p->slot != CD_NONE) {
        left->slot = p->slot + 1;
        right->slot = b->node[p->slot].next;
        left->count = cdi_first_item(b, right->slot) - p->first;
    }
    right->first += left->count;
    right->count -= left->count;
}

/* Writes a part's node: of each plane, the child that comes closer to it has it, and the other one's is told. */
static void cdi_compact_write(const cdi_builder *b, cdi_compact_part *p, unsigned char *n) {
    cdi_compact_part left, right;
    cdi_compact_box l, r;
    uint32_t word;
    cdi_compact_split(b, p, &left, &right);
    l = cdi_compact_true_box(b, &left);
    r = cdi_compact_true_box(b, &right);
    word = left.count;
    for (int k = 0; k < 6; ++k) {
        bool left_told = k < 3 ? l.at[k] > r.at[k] : l.at[k] < r.at[k];
        word |= (uint32_t)left_told << (26 + k);
        n[4 + k] = (unsigned char)cdi_compact_quantise(&p->box, k, left_told ? l.at[k] : r.at[k]);
    }
    for (int k = 0; k < 4; ++k) n[k] = (unsigned char)(word >> 8 * k);
}

static void cdi_compact_fill(const cdi_builder *b, const cd_aabb *bounds, unsigned char *nodes) {
    cdi_compact_part todo[CDI_COMPACT_DEPTH], at, left, right;
    uint32_t count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    todo[0].count = b->count;
    todo[0].box = cdi_compact_box_of(*bounds);
    while (count > 0) {
        at = todo[--count];
        while (at.count > 1) {
            cdi_compact_part l, r;
            cdi_compact_write(b, &at, nodes + (size_t)at.node * CDI_COMPACT_NODE);
            cdi_compact_split(b, &at, &l, &r);
            cdi_compact_children(nodes, &at, &left, &right);
            left.slot = l.slot;
            right.slot = r.slot;
            todo[count++] = right;
            at = left;
        }
    }
}

static cd_status cdi_compact_take(cdi_builder *b, cd_bvh_compact *out) {
    size_t bytes = b->count * sizeof(uint32_t) + (size_t)(b->count - 1) * CDI_COMPACT_NODE;
    uint32_t *index = (uint32_t *)cdi_alloc(&b->allocator, bytes, 1);
    if (!index) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < b->count; ++i) index[i] = cdi_bvh_index(b->source.tree, b->order[i]);
    out->index = index;
    out->node = (const unsigned char *)(index + b->count);
    out->count = b->count;
    out->bytes = bytes;
    out->allocator = b->allocator;
    cdi_compact_fill(b, &out->box, (unsigned char *)(index + b->count));
    return CD_OK;
}

CD_API cd_status cd_bvh_compact_build(cd_bvh_compact *out, const cd_bvh *tree,
                                      const cd_allocator *allocator) {
    cd_bvh_options options;
    cdi_builder b;
    cdi_bvh t;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!cdi_bvh_open(&t, tree)) return CD_OK;
    if (t.header->dynamic) return CD_UNSUPPORTED;
    if (t.header->item_count > CDI_COMPACT_MOST) return CD_TOO_LARGE;
    cdi_clear(&options, sizeof options);
    if (allocator) options.allocator = *allocator;
    cdi_begin_follow(&b, &t, &options);
    if (!cdi_builder_take(&b, b.count)) return CD_OUT_OF_MEMORY;
    status = cdi_follow_tree(&b);
    if (status == CD_OK) {
        cdi_compact_part root;
        cdi_compact_box all;
        cdi_clear(&root, sizeof root);
        all = cdi_compact_true_box(&b, &root);
        out->box.min = cdi_v3_round(cdi_v3_make(all.at[0], all.at[1], all.at[2]));
        out->box.max = cdi_v3_round(cdi_v3_make(all.at[3], all.at[4], all.at[5]));
        status = cdi_compact_take(&b, out);
    }
    cdi_builder_give_back(&b, b.count);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

CD_API void cd_bvh_compact_destroy(cd_bvh_compact *tree) {
    cdi_free(&tree->allocator, (void *)tree->index, tree->bytes, 1);
    cdi_clear(tree, sizeof *tree);
}

/* ---- queries ---- */

/* May the query meet a box? Does it meet an item's own? */
typedef struct cdi_compact_query {
    bool (*may_meet)(const struct cdi_compact_query *q, const cdi_compact_box *box);
    bool (*meets)(const struct cdi_compact_query *q, cd_aabb box);
    cd_aabb box;
    cdi_compact_box planes;
    const cd_ray *ray;
    cd_real t_max;
    cdi_v3 origin, dir;
} cdi_compact_query;

static bool cdi_compact_visit(const cd_bvh_compact *t, const cdi_compact_query *q, const cd_aabb *boxes,
                              cd_visit_fn visit, void *user) {
    cdi_compact_part todo[CDI_COMPACT_DEPTH], at, left;
    uint32_t count = 1;
    if (t->count == 0) return true;
    cdi_clear(&todo[0], sizeof todo[0]);
    todo[0].count = t->count;
    todo[0].box = cdi_compact_box_of(t->box);
    while (count > 0) {
        at = todo[--count];
        if (!q->may_meet(q, &at.box)) continue;
        if (at.count == 1) {
            uint32_t index = t->index[at.first];
            if ((!boxes || q->meets(q, boxes[index])) && !visit(user, index)) return false;
        } else {
            cdi_compact_children(t->node, &at, &left, &todo[count++]);
            todo[count++] = left;
        }
    }
    return true;
}

static bool cdi_compact_box_may_meet(const cdi_compact_query *q, const cdi_compact_box *box) {
    for (int k = 0; k < 3; ++k) {
        if (!(q->planes.at[k] <= box->at[k + 3] && box->at[k] <= q->planes.at[k + 3])) return false;
    }
    return true;
}

static bool cdi_compact_box_meets(const cdi_compact_query *q, cd_aabb box) {
    return cd_test_aabb_aabb(q->box, box);
}

CD_API bool cd_bvh_compact_overlap_aabb(const cd_bvh_compact *tree, cd_aabb box, const cd_aabb *boxes,
                                        cd_visit_fn visit, void *user) {
    cdi_compact_query q;
    cdi_clear(&q, sizeof q);
    q.may_meet = cdi_compact_box_may_meet;
    q.meets = cdi_compact_box_meets;
    q.box = box;
    q.planes = cdi_compact_box_of(box);
    return cd_aabb_is_empty(box) || cdi_compact_visit(tree, &q, boxes, visit, user);
}

/* When a ray comes to a plane; halves where the way there has no number. */
static double cdi_compact_time(double at, double o, double d) {
    double way = at - o, t = cdi_finite(way) ? way / d : (0.5 * at - 0.5 * o) / d * 2.0;
    return cdi_clamp(t, -CDI_HUGE, CDI_HUGE);
}

/* Slabs, each wider than its rounding: t is off by less than 2^-51 of itself. */
static bool cdi_compact_ray_may_meet(const cdi_compact_query *q, const cdi_compact_box *box) {
    double from = 0.0, to = (double)q->t_max;
    for (int k = 0; k < 3; ++k) {
        double o = cdi_v3_get(q->origin, k), d = cdi_v3_get(q->dir, k), in, out;
        if (d == 0.0) {
            if (o < box->at[k] || o > box->at[k + 3]) return false;
            continue;
        }
        in = cdi_compact_time(box->at[d > 0.0 ? k : k + 3], o, d);
        out = cdi_compact_time(box->at[d > 0.0 ? k + 3 : k], o, d);
        from = cdi_max(from, in - (cdi_abs(in) * (4.0 * (double)CD_REAL_EPSILON) + 1e-300));
        to = cdi_min(to, out + (cdi_abs(out) * (4.0 * (double)CD_REAL_EPSILON) + 1e-300));
    }
    return from <= to;
}

static bool cdi_compact_ray_meets(const cdi_compact_query *q, cd_aabb box) {
    return cd_cast_ray_aabb(q->ray, q->t_max, box, NULL, NULL);
}

CD_API bool cd_bvh_compact_overlap_ray(const cd_bvh_compact *tree, const cd_ray *r, cd_real t_max,
                                       const cd_aabb *boxes, cd_visit_fn visit, void *user) {
    cdi_compact_query q;
    cdi_clear(&q, sizeof q);
    q.may_meet = cdi_compact_ray_may_meet;
    q.meets = cdi_compact_ray_meets;
    q.ray = r;
    q.t_max = t_max;
    q.origin = cdi_v3_of(r->origin);
    q.dir = cdi_v3_of(r->dir);
    if (!cdi_v3_finite(q.origin) || !cdi_v3_finite(q.dir) || !(t_max >= 0)) return true;
    return cdi_compact_visit(tree, &q, boxes, visit, user);
}

#undef CDI_COMPACT_NODE
#undef CDI_COMPACT_MOST
#undef CDI_COMPACT_DEPTH

#endif
