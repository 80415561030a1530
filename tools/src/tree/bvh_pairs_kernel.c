#include "tree/bvh_pairs_kernel.h"
#include "batch/triangle_lanes.h"
#include "tree/bvh_map.h"

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

/* A pair that meets. */
static bool cdi_pair_found(const cdi_pair_walk *w, uint32_t item_a, uint32_t item_b) {
    cd_pair pair;
    pair.a = cdi_bvh_index(&w->a, item_a);
    pair.b = cdi_bvh_index(&w->b, item_b);
    if (w->same && pair.a > pair.b) {
        uint32_t swap = pair.a;
        pair.a = pair.b;
        pair.b = swap;
    }
    return !cdi_pairs_sees(w, item_a, item_b, pair) || w->visit(w->user, pair);
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
static bool cdi_leaf_pairs(const cdi_pair_walk *w, cdi_posed_block *held, uint32_t first_a, uint32_t count_a,
                           uint32_t first_b, uint32_t count_b) {
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

/* ---- leaves of triangles ---- */

/* Up to four triangles in A's frame, and their boxes: of A's each by itself, of B's in rows. A corner is three numbers and a
 * fourth. */
typedef struct cdi_tri_block {
    cd_real at[4][12], lo[4][4], hi[4][4];
    uint32_t first, count;
} cdi_tri_block;

/* How many of each are kept, within 16 KiB of stack for all. */
#ifdef COLLIDE_DOUBLE
enum { CDI_HELD_A = 2, CDI_HELD_B = 2 };
#else
enum { CDI_HELD_A = 4, CDI_HELD_B = 4 };
#endif

/* Pairs whose boxes meet wait until there are eight. */
typedef struct cdi_tri_leaves {
    cdi_pair_walk *w;
    double turn[3][4], shift[4]; /* b's pose, by columns */
    cd_real scale;
    uint32_t waiting, item_a[8], item_b[8];
    cd_real a[8][12], b[8][12];
    cdi_tri_block held_a[CDI_HELD_A], held_b[CDI_HELD_B];
} cdi_tri_leaves;

/* Small trees are scaled up, as far as they are from 1. Large ones are not scaled down, which might round. */
static void cdi_tri_leaves_open(cdi_tri_leaves *s, cdi_pair_walk *w) {
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
static bool cdi_tri_leaves_flush(cdi_tri_leaves *s) {
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
static bool cdi_tri_leaves_pairs(cdi_tri_leaves *s, const cdi_bvh_node *a, uint32_t i, const cdi_bvh_node *b,
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

/* ---- nodes ---- */

/* A pair of nodes (or of single lanes of nodes: leaves, and what waits), and which pairs of their lanes are still to be done:
 * bit 8 * (lane of b) + (lane of a). */
typedef struct cdi_pair_step {
    uint64_t todo;
    uint32_t a, b;
} cdi_pair_step;

typedef struct cdi_lanes_of {
    const cdi_bvh_node *node;
    uint32_t lanes;
} cdi_lanes_of;

CDI_INLINE cdi_f8 cdi_row_gap(const float *lo, const float *hi, float other_lo, float other_hi) {
    return cdi_f8_max(cdi_f8_sub(cdi_f8_load(lo), cdi_f8_all(other_hi)),
                      cdi_f8_sub(cdi_f8_all(other_lo), cdi_f8_load(hi)));
}

/* Along one axis: how deep eight boxes and one lie in each other. */
CDI_INLINE cdi_f8 cdi_row_depth(const float *lo, const float *hi, float other_lo, float other_hi) {
    return cdi_f8_min(cdi_f8_sub(cdi_f8_all(other_hi), cdi_f8_load(lo)),
                      cdi_f8_sub(cdi_f8_load(hi), cdi_f8_all(other_lo)));
}

/* Which of eight boxes meet one of other eight? */
CDI_INLINE uint32_t cdi_rows_meet(const float (*lo)[8], const float (*hi)[8], const float (*other_lo)[8],
                                  const float (*other_hi)[8], uint32_t lane) {
    cdi_f8 x = cdi_row_gap(lo[0], hi[0], other_lo[0][lane], other_hi[0][lane]);
    cdi_f8 y = cdi_row_gap(lo[1], hi[1], other_lo[1][lane], other_hi[1][lane]);
    cdi_f8 z = cdi_row_gap(lo[2], hi[2], other_lo[2][lane], other_hi[2][lane]);
    return cdi_f8_le(cdi_f8_max(cdi_f8_max(x, y), z), cdi_f8_all(0.0f));
}

static uint64_t cdi_all_lanes(uint32_t lanes_a, uint32_t lanes_b) {
    uint64_t all = 0;
    for (; lanes_b; lanes_b &= lanes_b - 1) all |= (uint64_t)lanes_a << (8 * cdi_lowest_bit(lanes_b));
    return all;
}

/* The same in one frame, for lanes of b and a. */
static uint64_t cdi_rows_pairs(const float (*a_lo)[8], const float (*a_hi)[8], uint32_t lanes_a,
                               const float (*b_lo)[8], const float (*b_hi)[8], uint32_t lanes_b) {
    uint64_t meet = 0;
    if ((lanes_a & (lanes_a - 1)) == 0) {
        uint32_t lane = cdi_lowest_bit(lanes_a);
        lanes_b &= cdi_rows_meet(b_lo, b_hi, a_lo, a_hi, lane);
        return cdi_all_lanes(lanes_a, lanes_b);
    }
    for (; lanes_b; lanes_b &= lanes_b - 1) {
        uint32_t lane = cdi_lowest_bit(lanes_b);
        uint64_t met = cdi_rows_meet(a_lo, a_hi, b_lo, b_hi, lane) & lanes_a;
        meet |= met << (8 * lane);
    }
    return meet;
}

/* The lanes of b in any pair. */
static uint32_t cdi_lanes_of_b(uint64_t pairs) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < 8; ++lane) lanes |= (uint32_t)((pairs >> 8 * lane & 255u) != 0) << lane;
    return lanes;
}

/* Of pairs of boxes in one frame the one that lies deepest in each other. */
static uint8_t cdi_deepest_pair(const float (*a_lo)[8], const float (*a_hi)[8], const float (*b_lo)[8],
                                const float (*b_hi)[8], uint64_t pairs) {
    uint8_t best = 0;
    float most = -1e30f;
    while (pairs) {
        uint32_t j = cdi_lowest_bit64(pairs) >> 3, lanes = (uint32_t)(pairs >> 8 * j) & 255u;
        cdi_f8 x = cdi_row_depth(a_lo[0], a_hi[0], b_lo[0][j], b_hi[0][j]);
        cdi_f8 y = cdi_row_depth(a_lo[1], a_hi[1], b_lo[1][j], b_hi[1][j]);
        cdi_f8 z = cdi_row_depth(a_lo[2], a_hi[2], b_lo[2][j], b_hi[2][j]);
        float depth[8];
        cdi_f8_store(depth, cdi_f8_min(cdi_f8_min(x, y), z));
        for (; lanes; lanes &= lanes - 1) {
            uint32_t i = cdi_lowest_bit(lanes);
            if (depth[i] > most) {
                most = depth[i];
                best = (uint8_t)(8 * j + i);
            }
        }
        pairs &= ~((uint64_t)255 << 8 * j);
    }
    return best;
}

/* The pairs of lanes whose boxes meet along the axes of both frames. */
static uint64_t cdi_lanes_meet(const cdi_pair_walk *w, cdi_lanes_of a, cdi_lanes_of b, uint8_t *deepest) {
    const cdi_bvh_node *m = a.node, *n = b.node;
    uint64_t meet = ~(uint64_t)0;
    cdi_box_rows rows;
    const cdi_box_rows *moved = &rows;
    CDI_COUNT(node);
    *deepest = 0;
    if (w->same) return cdi_rows_pairs(m->lo, m->hi, a.lanes, n->lo, n->hi, b.lanes);
    if (w->to_a.useful) {
        cdi_map_rows(&w->to_a, n->lo, n->hi, &rows);
        meet = cdi_rows_pairs(m->lo, m->hi, a.lanes, moved->lo, moved->hi, b.lanes);
        if (w->first && meet && !w->place_b.moved)
            *deepest = cdi_deepest_pair(m->lo, m->hi, moved->lo, moved->hi, meet);
        if (!meet || !w->place_b.moved) return meet;
        b.lanes = cdi_lanes_of_b(meet);
    }
    if (!w->to_b.useful) return meet & cdi_all_lanes(a.lanes, b.lanes);
    cdi_map_rows(&w->to_b, m->lo, m->hi, &rows);
    meet &= cdi_rows_pairs(moved->lo, moved->hi, a.lanes, n->lo, n->hi, b.lanes);
    if (w->first && meet) *deepest = cdi_deepest_pair(moved->lo, moved->hi, n->lo, n->hi, meet);
    return meet;
}

static float cdi_lane_longest(const cdi_bvh_node *n, uint32_t lane) {
    float most = 0.0f;
    for (int k = 0; k < 3; ++k) {
        float side = n->hi[k][lane] - n->lo[k][lane];
        most = side > most ? side : most;
    }
    return most;
}

/* Of two inner nodes: is a's descended into, is b's? */
static void cdi_descend(const cdi_pair_walk *w, uint32_t length, const cdi_bvh_node *a, uint32_t i,
                        const cdi_bvh_node *b, uint32_t j, bool *down_a, bool *down_b) {
    bool larger;
    switch (w->same ? 0u : w->rule) {
    case CD_BVH_A_FIRST: *down_b = false; break;
    case CD_BVH_B_FIRST: *down_a = false; break;
    case CD_BVH_LARGER_FIRST:
        larger = cdi_lane_longest(a, i) >= cdi_lane_longest(b, j) * w->b_size;
        *down_a = larger;
        *down_b = !larger;
        break;
    case CD_BVH_ALTERNATING:
        *down_a = (length & 1u) != 0;
        *down_b = !*down_a;
        break;
    default: break;
    }
}

/* A node that is read, and its number. */
typedef struct cdi_held_node {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node;
    uint32_t number;
} cdi_held_node;

static const cdi_bvh_node *cdi_hold_node(cdi_held_node *h, const cdi_bvh *tree, uint32_t number) {
    if (h->node && h->number == number) return h->node;
    h->number = number;
    h->node = cdi_bvh_at(tree, number, &h->scratch);
    return h->node;
}

/* The pairs of lanes to look at in two nodes; of one node with itself each once. */
static uint64_t cdi_pairs_todo(const cdi_pair_walk *w, const cdi_pair_step *at, cdi_lanes_of a,
                               cdi_lanes_of b, uint8_t *deepest) {
    uint64_t todo = cdi_lanes_meet(w, a, b, deepest);
    return w->same && at->a == at->b ? todo & 0xFF7F3F1F0F070301u : todo;
}

/* `leaves`: of triangles that meet; NULL for other things, and `held` for those. */
static bool cdi_pairs_descend(cdi_pair_walk *w, cdi_tri_leaves *leaves, cdi_posed_block *held) {
    cdi_pair_step path[2 * CDI_BVH_DEPTH];
    uint8_t deepest[2 * CDI_BVH_DEPTH]; /* of each step the pair that comes first, where one is enough */
    cdi_held_node held_a, held_b;
    cdi_lanes_of a, b;
    uint32_t length = 1;
    held_a.node = held_b.node = NULL;
    path[0].a = path[0].b = 0;
    a.node = cdi_hold_node(&held_a, &w->a, 0);
    b.node = cdi_hold_node(&held_b, &w->b, 0);
    a.lanes = a.node->lanes;
    b.lanes = b.node->lanes;
    path[0].todo = cdi_pairs_todo(w, &path[0], a, b, &deepest[0]);
    while (length > 0) {
        cdi_pair_step *at = &path[length - 1], *next = &path[length];
        uint32_t bit, i, j;
        bool down_a, down_b;
        if (at->todo == 0) {
            --length;
            continue;
        }
        bit = w->first && (at->todo >> deepest[length - 1] & 1u) ? deepest[length - 1]
                                                                 : cdi_lowest_bit64(at->todo);
        at->todo &= ~((uint64_t)1 << bit);
        i = bit & 7u;
        j = bit >> 3;
        a.node = cdi_hold_node(&held_a, &w->a, at->a);
        b.node = cdi_hold_node(&held_b, &w->b, at->b);
        down_a = a.node->count[i] == 0;
        down_b = b.node->count[j] == 0;
        if (!down_a && !down_b) {
            if (leaves ? !cdi_tri_leaves_pairs(leaves, a.node, i, b.node, j)
                       : !cdi_leaf_pairs(w, held, a.node->child[i], a.node->count[i], b.node->child[j],
                                         b.node->count[j]))
                return false;
            continue;
        }
        if (down_a && down_b) cdi_descend(w, length, a.node, i, b.node, j, &down_a, &down_b);
        /* what is not descended into stays behind as one lane of its node */
        next->a = down_a ? a.node->child[i] : at->a;
        next->b = down_b ? b.node->child[j] : at->b;
        a.node = cdi_hold_node(&held_a, &w->a, next->a);
        b.node = cdi_hold_node(&held_b, &w->b, next->b);
        a.lanes = down_a ? a.node->lanes : 1u << i;
        b.lanes = down_b ? b.node->lanes : 1u << j;
        next->todo = cdi_pairs_todo(w, next, a, b, &deepest[length]);
        ++length;
    }
    return true;
}

static bool cdi_pairs_of_triangles(cdi_pair_walk *w) {
    cdi_tri_leaves leaves;
    cdi_tri_leaves_open(&leaves, w);
    return cdi_pairs_descend(w, &leaves, NULL) && (leaves.waiting == 0 || cdi_tri_leaves_flush(&leaves));
}

static bool cdi_pairs_of_others(cdi_pair_walk *w) {
    cdi_posed_block held;
    held.first = held.count = 0;
    return cdi_pairs_descend(w, NULL, &held);
}

CDI_FN bool cdi_pairs_run(cdi_pair_walk *w) {
    if (w->pad == 0.0 && cdi_bvh_is_triangles(&w->a) && cdi_bvh_is_triangles(&w->b))
        return cdi_pairs_of_triangles(w);
    return cdi_pairs_of_others(w);
}
