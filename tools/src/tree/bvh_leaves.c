#include "tree/bvh_leaves.h"
#include "core/lanes.h"

/* ---- any things ---- */

/* A box against eight, along one axis: how far they are apart. */
CDI_INLINE cdi_lanes cdi_real_gap(const cd_real *lo, const cd_real *hi, cd_real own_lo, cd_real own_hi) {
    return cdi_lanes_max(cdi_lanes_sub(cdi_lanes_load(lo), cdi_lanes_all(own_hi)),
                         cdi_lanes_sub(cdi_lanes_all(own_lo), cdi_lanes_load(hi)));
}

/* The items of the block whose boxes meet a box. */
static uint32_t cdi_block_meets(const cdi_posed_block *b, cd_vec3 lo, cd_vec3 hi) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < 8; i += CDI_LANES) {
        cdi_lanes x = cdi_real_gap(b->lo[0] + i, b->hi[0] + i, lo.x, hi.x);
        cdi_lanes y = cdi_real_gap(b->lo[1] + i, b->hi[1] + i, lo.y, hi.y);
        cdi_lanes z = cdi_real_gap(b->lo[2] + i, b->hi[2] + i, lo.z, hi.z);
        met |= cdi_lanes_le(cdi_lanes_max(cdi_lanes_max(x, y), z), cdi_lanes_all(0)) << i;
    }
    return met & 255u >> (8 - b->count);
}

/* One pair whose boxes meet. */
static bool cdi_pair_decide(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    CDI_COUNT(triangle);
    return !w->meets(w, a, b) || cdi_pair_found(w, a->item, b->item);
}

static cd_real cdi_least_real(cd_real a, cd_real b, cd_real c) {
    cd_real r = a < b ? a : b;
    return r < c ? r : c;
}
static cd_real cdi_most_real(cd_real a, cd_real b, cd_real c) {
    cd_real r = a > b ? a : b;
    return r > c ? r : c;
}

/* The bounding box of an item of a. */
static cd_aabb cdi_item_bounds(const cdi_bvh *tree, uint32_t item) {
    cd_triangle t;
    cd_aabb b;
    if (tree->item == CD_BVH_BOXES) return cdi_bvh_box_of(tree, item);
    if (!cdi_bvh_is_triangles(tree)) {
        b.min = b.max = cdi_bvh_point_of(tree, item);
        return b;
    }
    t = cdi_bvh_triangle_of(tree, item);
    b.min = cd_vec3_make(cdi_least_real(t.a.x, t.b.x, t.c.x), cdi_least_real(t.a.y, t.b.y, t.c.y),
                         cdi_least_real(t.a.z, t.b.z, t.c.z));
    b.max = cd_vec3_make(cdi_most_real(t.a.x, t.b.x, t.c.x), cdi_most_real(t.a.y, t.b.y, t.c.y),
                         cdi_most_real(t.a.z, t.b.z, t.c.z));
    return b;
}

/* An item of a against those of the block of b that may meet it. */
static bool cdi_item_pairs(const cdi_pair_walk *w, const cdi_posed_block *held, uint32_t item,
                           uint32_t may_meet) {
    cd_aabb box = cdi_item_bounds(&w->a, item);
    uint32_t met = cdi_block_meets(held, box.min, box.max) & may_meet;
    cdi_posed own;
    if (!met) return true;
    cdi_posed_read(&own, &w->a, item, &w->place_a);
    for (; met; met &= met - 1) {
        if (!cdi_pair_decide(w, &own, &held->item[cdi_lowest_bit(met)])) return false;
    }
    return true;
}

/* All pairs of two leaves; false when the visitor stopped. In one leaf, each once. */
static bool cdi_posed_leaves(const cdi_pair_walk *w, cdi_posed_block *held, uint32_t first_a,
                             uint32_t count_a, uint32_t first_b, uint32_t count_b) {
    for (uint32_t j = first_b; j < first_b + count_b; j += 8) {
        cdi_posed_hold(w, held, true, j, first_b + count_b - j);
        for (uint32_t i = first_a; i < first_a + count_a; ++i) {
            uint32_t may_meet = 255u;
            if (w->same && first_a == first_b) {
                if (i >= j + 7) break;
                if (i >= j) may_meet = 254u << (i - j);
            }
            if (!cdi_item_pairs(w, held, i, may_meet)) return false;
        }
    }
    return true;
}

/* ---- boxes in one frame ---- */

CDI_INLINE const cdi_bvh_box *cdi_box_items(const cdi_bvh *tree) {
    return (const cdi_bvh_box *)tree->items;
}

/* Do two meet? As cd_test_aabb_aabb, without a branch. */
CDI_INLINE bool cdi_boxes_touch(const cd_aabb *a, const cd_aabb *b) {
    uint32_t x = (uint32_t)(a->min.x <= b->max.x) & (uint32_t)(b->min.x <= a->max.x);
    uint32_t y = (uint32_t)(a->min.y <= b->max.y) & (uint32_t)(b->min.y <= a->max.y);
    uint32_t z = (uint32_t)(a->min.z <= b->max.z) & (uint32_t)(b->min.z <= a->max.z);
    return (x & y & z) != 0;
}

/* Leaves of one box each. */
static bool cdi_single_boxes(const cdi_pair_walk *w, const cdi_bvh_node *a, const cdi_bvh_node *b,
                             uint64_t pairs) {
    const cdi_bvh_box *of_a = cdi_box_items(&w->a), *of_b = cdi_box_items(&w->b);
    for (; pairs; pairs &= pairs - 1) {
        uint32_t bit = cdi_lowest_bit64(pairs), i = a->child[bit & 7u], j = b->child[bit >> 3];
        CDI_COUNT(triangle);
        if (!cdi_boxes_touch(&of_a[i].box, &of_b[j].box) || (w->same && i == j)) continue;
        if (!cdi_pair_found(w, i, j)) return false;
    }
    return true;
}

/* Boxes of b from item `first` on; where there are fewer than four, the last is repeated. */
static const cdi_box_block *cdi_hold_boxes(cdi_leaves *s, uint32_t lane, uint32_t first, uint32_t count) {
    const cdi_bvh_box *items = cdi_box_items(&s->w->b) + first;
    cdi_box_block *held = &s->u.boxes[lane];
    cdi_quad lo[4], hi[4];
    if (held->count == count && held->first == first) return held;
    held->first = first;
    held->count = count;
    for (uint32_t i = 0; i < 4; ++i) {
        const cd_real *box = &items[i < count ? i : count - 1].box.min.x;
        lo[i] = cdi_quad_load(box);
        hi[i] = cdi_quad_load(box + 2);
    }
    cdi_quad_turn(lo);
    cdi_quad_turn(hi);
    for (int k = 0; k < 3; ++k) {
        cdi_quad_store(held->lo[k], lo[k]);
        cdi_quad_store(held->hi[k], hi[k + 1]);
    }
    return held;
}

/* Along one axis: how far a box is apart from four. */
CDI_INLINE cdi_quad cdi_box_gap(const cdi_box_block *b, int k, cd_real lo, cd_real hi) {
    return cdi_quad_max(cdi_quad_sub(cdi_quad_load(b->lo[k]), cdi_quad_all(hi)),
                        cdi_quad_sub(cdi_quad_all(lo), cdi_quad_load(b->hi[k])));
}

/* Up to four boxes of a against those of a block: bit 4 i + j for a's box i and b's j. */
CDI_INLINE uint32_t cdi_boxes_meet_block(const cdi_bvh_box *a, uint32_t count, const cdi_box_block *b) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        const cd_aabb *box = &a[i < count ? i : count - 1].box;
        cdi_quad x = cdi_box_gap(b, 0, box->min.x, box->max.x), y = cdi_box_gap(b, 1, box->min.y, box->max.y),
                 z = cdi_box_gap(b, 2, box->min.z, box->max.z);
        met |= cdi_quad_le(cdi_quad_max(cdi_quad_max(x, y), z), cdi_quad_all(0)) << 4 * i;
    }
    return met & ((1u << 4 * count) - 1u) & ((1u << b->count) - 1u) * 0x1111u;
}

/* Up to four boxes of a from item `first` on against a block; in one and the same, each pair once. */
static bool cdi_box_block_pairs(const cdi_pair_walk *w, uint32_t first, uint32_t count,
                                const cdi_box_block *b, bool same) {
    uint32_t met = cdi_boxes_meet_block(cdi_box_items(&w->a) + first, count, b);
    if (same) met &= 0x08CEu;
    for (; met; met &= met - 1u) {
        uint32_t bit = cdi_lowest_bit(met);
        CDI_COUNT(triangle);
        if (!cdi_pair_found(w, first + (bit >> 2), b->first + (bit & 3u))) return false;
    }
    return true;
}

/* Two leaves of boxes: i and j are their lanes. */
static bool cdi_box_leaves(cdi_leaves *s, const cdi_bvh_node *a, uint32_t i, const cdi_bvh_node *b,
                           uint32_t j) {
    uint32_t first_a = a->child[i], end_a = first_a + a->count[i], first_b = b->child[j],
             end_b = first_b + b->count[j];
    bool same = s->w->same && first_a == first_b;
    for (uint32_t m = first_b; m < end_b; m += 4) {
        const cdi_box_block *held = cdi_hold_boxes(s, j, m, end_b - m < 4 ? end_b - m : 4);
        for (uint32_t k = first_a; k < end_a && !(same && k > m); k += 4) {
            if (!cdi_box_block_pairs(s->w, k, end_a - k < 4 ? end_a - k : 4, held, same && k == m))
                return false;
        }
    }
    return true;
}

/* Does any of a node's lanes hold several items? */
CDI_INLINE bool cdi_node_is_crowded(const cdi_bvh_node *node) {
    return (cdi_f8_le(cdi_f8_all(2.0f), cdi_f8_load_u8(node->count)) & node->lanes) != 0;
}

/* ---- all of them ---- */

CDI_FN void cdi_leaves_open(cdi_leaves *s, cdi_pair_walk *w) {
    bool exact = w->pad == 0.0 && cdi_bvh_is_triangles(&w->a) && cdi_bvh_is_triangles(&w->b);
    bool boxes = w->a.item == CD_BVH_BOXES && w->b.item == CD_BVH_BOXES;
    s->w = w;
    s->kind = CDI_LEAVES_POSED;
    if (exact) {
        s->kind = CDI_LEAVES_TRIANGLES;
        cdi_tri_leaves_open(&s->u.triangles, w);
    } else if (boxes && !w->place_b.moved && w->sqdistance == 0.0) {
        s->kind = CDI_LEAVES_BOXES;
        for (int i = 0; i < 8; ++i) s->u.boxes[i].count = 0;
    } else {
        s->u.posed.count = 0;
    }
}

static bool cdi_leaf_pair(cdi_leaves *s, const cdi_bvh_node *a, uint32_t i, const cdi_bvh_node *b,
                          uint32_t j) {
    switch (s->kind) {
    case CDI_LEAVES_TRIANGLES: return cdi_tri_leaves_pairs(&s->u.triangles, a, i, b, j);
    case CDI_LEAVES_BOXES: return cdi_box_leaves(s, a, i, b, j);
    default: return cdi_posed_leaves(s->w, &s->u.posed, a->child[i], a->count[i], b->child[j], b->count[j]);
    }
}

CDI_FN bool cdi_leaves_pairs(cdi_leaves *s, const cdi_bvh_node *a, const cdi_bvh_node *b, uint64_t pairs) {
    if (s->kind == CDI_LEAVES_BOXES && !cdi_node_is_crowded(a) && !cdi_node_is_crowded(b))
        return cdi_single_boxes(s->w, a, b, pairs);
    for (; pairs; pairs &= pairs - 1) {
        uint32_t bit = cdi_lowest_bit64(pairs);
        if (!cdi_leaf_pair(s, a, bit & 7u, b, bit >> 3)) return false;
    }
    return true;
}

CDI_FN bool cdi_leaves_close(cdi_leaves *s) {
    return s->kind != CDI_LEAVES_TRIANGLES || s->u.triangles.waiting == 0 ||
           cdi_tri_leaves_flush(&s->u.triangles);
}
