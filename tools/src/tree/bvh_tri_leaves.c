#include "tree/bvh_tri_leaves.h"
#include "batch/triangle_lanes.h"

/* Small trees are scaled up, as far as they are from 1. Large ones are not scaled down, which might round. */
CDI_FN void cdi_tri_leaves_open(cdi_tri_leaves *s, cdi_pair_walk *w) {
    const cdi_pose *pose = &w->place_b.pose;
    int e = w->a.header->frame.exponent;
    s->w = w;
    s->waiting = 0;
    s->scale = (cd_real)cdi_exp2i(e < -100 ? 100 : e < 0 ? -e : 0);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) s->turn[i][k] = cdi_v3_get(pose->rotation.c[i], k);
        s->shift[k] = cdi_v3_get(pose->position, k);
    }
    s->turn[0][3] = s->turn[1][3] = s->turn[2][3] = s->shift[3] = 0.0;
    cdi_clear(s->a, sizeof s->a);
    cdi_clear(s->b, sizeof s->b);
    for (int i = 0; i < CDI_HELD_A; ++i) s->held_a[i].count = 0;
    for (int i = 0; i < CDI_HELD_B; ++i) s->held_b[i].count = 0;
}

/* The corners of a triangle as the tree has them, or unpacked. */
CDI_INLINE void cdi_corners_read(const cdi_bvh *tree, uint32_t item, cd_triangle *unpacked,
                                 const cd_real *corner[3]) {
    if (tree->item >= CDI_ITEM_PACKED) {
        *unpacked = cdi_bvh_triangle_of(tree, item);
        corner[0] = &unpacked->a.x, corner[1] = &unpacked->b.x, corner[2] = &unpacked->c.x;
    } else if (tree->item == CD_BVH_TRIANGLES) {
        const cd_real *v = ((const cdi_bvh_triangle *)tree->items)[item].v;
        for (int i = 0; i < 3; ++i) corner[i] = v + 3 * i;
    } else {
        const uint32_t *number = ((const cdi_bvh_indexed *)tree->items)[item].corner;
        for (int i = 0; i < 3; ++i) corner[i] = &tree->corners[number[i]].x;
    }
}

/* As cdi_pose_point_round, with the same roundings, three coordinates at once. */
CDI_INLINE cdi_quad cdi_corner_posed(const cdi_tri_leaves *s, const cd_real *p) {
    cdi_d4 x = cdi_d4_mul(cdi_d4_load(s->turn[0]), cdi_d4_all((double)p[0]));
    cdi_d4 y = cdi_d4_mul(cdi_d4_load(s->turn[1]), cdi_d4_all((double)p[1]));
    cdi_d4 z = cdi_d4_mul(cdi_d4_load(s->turn[2]), cdi_d4_all((double)p[2]));
    return cdi_quad_round(cdi_d4_add(cdi_d4_add(cdi_d4_add(x, y), z), cdi_d4_load(s->shift)));
}

/* Keeps a triangle, and its box. */
CDI_INLINE void cdi_block_keep(cdi_tri_block *held, uint32_t i, cdi_quad p, cdi_quad q, cdi_quad r) {
    cdi_quad_store(held->at[i], p);
    cdi_quad_store(held->at[i] + 4, q);
    cdi_quad_store(held->at[i] + 8, r);
    cdi_quad_store(held->lo[i], cdi_quad_min(cdi_quad_min(p, q), r));
    cdi_quad_store(held->hi[i], cdi_quad_max(cdi_quad_max(p, q), r));
}

/* Where there are fewer than four, the last is repeated. */
static void cdi_block_read(cdi_tri_block *held, const cdi_bvh *tree, const cdi_tri_leaves *posed) {
    for (uint32_t i = 0; i < 4; ++i) {
        const cd_real *v[3];
        cd_triangle unpacked;
        cdi_corners_read(tree, held->first + (i < held->count ? i : held->count - 1), &unpacked, v);
        if (posed)
            cdi_block_keep(held, i, cdi_corner_posed(posed, v[0]), cdi_corner_posed(posed, v[1]),
                           cdi_corner_posed(posed, v[2]));
        else
            cdi_block_keep(held, i, cdi_quad_point((const unsigned char *)(const void *)v[0]),
                           cdi_quad_point((const unsigned char *)(const void *)v[1]),
                           cdi_quad_point((const unsigned char *)(const void *)v[2]));
    }
}

CDI_INLINE void cdi_block_turn(cd_real rows[4][4]) {
    cdi_quad column[4];
    cdi_quad_columns(rows[0], 4, column);
    for (int k = 0; k < 3; ++k) cdi_quad_store(rows[k], column[k]);
}

static const cdi_tri_block *cdi_hold_a(cdi_tri_leaves *s, uint32_t lane, uint32_t first, uint32_t count) {
    cdi_tri_block *held = &s->held_a[lane % CDI_HELD_A];
    if (held->count == count && held->first == first) return held;
    held->first = first;
    held->count = count;
    cdi_block_read(held, &s->w->a, NULL);
    return held;
}

static const cdi_tri_block *cdi_hold_b(cdi_tri_leaves *s, uint32_t lane, uint32_t first, uint32_t count) {
    cdi_tri_block *held = &s->held_b[lane % CDI_HELD_B];
    if (held->count == count && held->first == first) return held;
    held->first = first;
    held->count = count;
    cdi_block_read(held, &s->w->b, s->w->place_b.moved ? s : NULL);
    cdi_block_turn(held->lo);
    cdi_block_turn(held->hi);
    return held;
}

/* Eight points in rows. */
CDI_INLINE cdi_point_lanes cdi_waiting_points(const cd_real *at, cdi_lanes scale) {
    cdi_lanes v[4];
    cdi_point_lanes p;
    cdi_lanes_columns(at, 12, v);
    p.x = cdi_lanes_mul(v[0], scale);
    p.y = cdi_lanes_mul(v[1], scale);
    p.z = cdi_lanes_mul(v[2], scale);
    return p;
}

CDI_INLINE cdi_corner_lanes cdi_waiting_corners(const cd_real *at, cdi_lanes scale) {
    cdi_corner_lanes t;
    t.a = cdi_waiting_points(at, scale);
    t.b = cdi_waiting_points(at + 4, scale);
    t.c = cdi_waiting_points(at + 8, scale);
    return t;
}

static CDI_COLD cdi_posed cdi_waiting_posed(const cd_real *at, uint32_t item) {
    cdi_posed p;
    cdi_clear(&p, sizeof p);
    p.kind = CDI_POSED_TRIANGLE;
    p.item = item;
    for (int i = 0; i < 3; ++i, at += 4)
        p.u.tri.v[i] = cdi_v3_make((double)at[0], (double)at[1], (double)at[2]);
    return p;
}

/* Of two triangles with a corner in common nothing is ever sure here, so that they too are left to `meets`. */
static CDI_COLD bool cdi_waiting_doubt(const cdi_tri_leaves *s, uint32_t i) {
    cdi_posed a = cdi_waiting_posed(s->a[i], s->item_a[i]), b = cdi_waiting_posed(s->b[i], s->item_b[i]);
    return s->w->meets(s->w, &a, &b);
}

/* The largest difference between a point and the nearest of three, in that measure: 0 where it is one of them. */
CDI_INLINE cdi_lanes cdi_nearest_corner(cdi_point_lanes p, const cdi_corner_lanes *t) {
    return cdi_lanes_least(cdi_point_lanes_size(cdi_point_lanes_sub(p, t->a)),
                           cdi_point_lanes_size(cdi_point_lanes_sub(p, t->b)),
                           cdi_point_lanes_size(cdi_point_lanes_sub(p, t->c)));
}

CDI_INLINE uint32_t cdi_corners_shared(const cdi_corner_lanes *a, const cdi_corner_lanes *b) {
    cdi_lanes least = cdi_lanes_least(cdi_nearest_corner(a->a, b), cdi_nearest_corner(a->b, b),
                                      cdi_nearest_corner(a->c, b));
    return cdi_lanes_le(least, cdi_lanes_all(0));
}

/* What is said of as many pairs as there are lanes, from number i on. */
static cdi_lane_verdicts cdi_tri_leaves_decide(const cdi_tri_leaves *s, uint32_t i) {
    cdi_lanes scale = cdi_lanes_all(s->scale);
    cdi_corner_lanes a = cdi_waiting_corners(s->a[i], scale), b = cdi_waiting_corners(s->b[i], scale);
    uint32_t all = (1u << CDI_LANES) - 1u, shared = 0;
    cdi_lane_verdicts v;
    if (s->w->sharing != CDI_SHARING_ASK) shared = cdi_corners_shared(&a, &b);
    v.meet = v.doubt = 0;
    if (shared != all) v = cdi_tris_meet(&a, &b, true);
    v.meet = ((v.meet & ~shared) | (s->w->sharing == CDI_SHARING_MEETS ? shared : 0u)) & all;
    v.doubt &= ~shared & all;
    return v;
}

/* Decides those that wait; false when the visitor stopped. */
CDI_FN bool cdi_tri_leaves_flush(cdi_tri_leaves *s) {
    uint32_t meet = 0, doubt = 0, todo, all = (1u << s->waiting) - 1u;
    for (uint32_t i = 0; i < s->waiting; i += CDI_LANES) {
        cdi_lane_verdicts v = cdi_tri_leaves_decide(s, i);
        meet |= v.meet << i;
        doubt |= v.doubt << i;
    }
    s->waiting = 0;
    for (todo = (meet | doubt) & all; todo; todo &= todo - 1u) {
        uint32_t i = cdi_lowest_bit(todo);
        if ((doubt >> i & 1u) && !cdi_waiting_doubt(s, i)) continue;
        if (!cdi_pair_found(s->w, s->item_a[i], s->item_b[i])) return false;
    }
    return true;
}

CDI_INLINE bool cdi_tri_leaves_push(cdi_tri_leaves *s, const cdi_tri_block *a, uint32_t i,
                                    const cdi_tri_block *b, uint32_t j) {
    uint32_t n = s->waiting++;
    CDI_COUNT(triangle);
    cdi_copy(s->a[n], a->at[i], sizeof s->a[n]);
    cdi_copy(s->b[n], b->at[j], sizeof s->b[n]);
    s->item_a[n] = a->first + i;
    s->item_b[n] = b->first + j;
    return n < 7 || cdi_tri_leaves_flush(s);
}

/* Along one axis: how far the box of a's triangle is apart from those of b. */
CDI_INLINE cdi_quad cdi_block_gap(const cdi_tri_block *a, uint32_t i, const cdi_tri_block *b, int k) {
    return cdi_quad_max(cdi_quad_sub(cdi_quad_load(b->lo[k]), cdi_quad_all(a->hi[i][k])),
                        cdi_quad_sub(cdi_quad_all(a->lo[i][k]), cdi_quad_load(b->hi[k])));
}

/* The pairs of two blocks whose boxes meet: bit 4 i + j for a's triangle i and b's j. */
CDI_INLINE uint32_t cdi_blocks_meet(const cdi_tri_block *a, const cdi_tri_block *b) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        cdi_quad x = cdi_block_gap(a, i, b, 0), y = cdi_block_gap(a, i, b, 1), z = cdi_block_gap(a, i, b, 2);
        met |= cdi_quad_le(cdi_quad_max(cdi_quad_max(x, y), z), cdi_quad_all(0)) << 4 * i;
    }
    return met & ((1u << 4 * a->count) - 1u) & ((1u << b->count) - 1u) * 0x1111u;
}

/* In one and the same block, each pair once. */
static bool cdi_block_pairs(cdi_tri_leaves *s, const cdi_tri_block *a, const cdi_tri_block *b, bool same) {
    uint32_t met = cdi_blocks_meet(a, b);
    if (same) met &= 0x08CEu;
    for (; met; met &= met - 1u) {
        uint32_t bit = cdi_lowest_bit(met);
        if (!cdi_tri_leaves_push(s, a, bit >> 2, b, bit & 3u)) return false;
    }
    return true;
}

/* Two leaves in lanes of their nodes: i, first and count of a's, j of b's. */
CDI_FN bool cdi_tri_leaves_pairs(cdi_tri_leaves *s, const cdi_bvh_node *a, uint32_t i, const cdi_bvh_node *b,
                                 uint32_t j) {
    uint32_t first_a = a->child[i], end_a = first_a + a->count[i], first_b = b->child[j],
             end_b = first_b + b->count[j];
    bool same = s->w->same && first_a == first_b;
    for (uint32_t m = first_b; m < end_b; m += 4) {
        const cdi_tri_block *of_b = cdi_hold_b(s, j, m, end_b - m < 4 ? end_b - m : 4);
        for (uint32_t k = first_a; k < end_a && !(same && k > m); k += 4) {
            const cdi_tri_block *of_a = cdi_hold_a(s, i, k, end_a - k < 4 ? end_a - k : 4);
            if (!cdi_block_pairs(s, of_a, of_b, same && k == m)) return false;
        }
    }
    return !(s->w->first && s->waiting) || cdi_tri_leaves_flush(s);
}
