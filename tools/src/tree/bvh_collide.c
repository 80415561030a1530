#include "query/triangle_triangle3d.h"
#include "tree/bvh_collide.h"
#include "tree/bvh_node.h"

/* ---- boxes of one tree in the frame of the other ---- */

/* From a tree's frame into the other's: x -> turn x + shift, and how much a box has to grow there, axis by axis, to make
 * up for all rounding: of the transformed corners, and of this computation. */
typedef struct cdi_frame_map {
    cdi_m3 turn, abs_turn;
    cdi_v3 shift;
    double grow[3];
} cdi_frame_map;

/* The bounds of one lane's box on the other side. */
typedef struct cdi_mapped {
    float lo[3], hi[3];
} cdi_mapped;

static cdi_mapped cdi_map_lane(const cdi_frame_map *m, const cdi_bvh_node *node, uint32_t lane) {
    double c[3], h[3];
    cdi_v3 center, half;
    cdi_mapped r;
    for (int k = 0; k < 3; ++k) {
        c[k] = 0.5 * ((double)node->hi[k][lane] + (double)node->lo[k][lane]);
        h[k] = 0.5 * ((double)node->hi[k][lane] - (double)node->lo[k][lane]);
    }
    center = cdi_v3_add(cdi_m3_mul_v3(&m->turn, cdi_v3_make(c[0], c[1], c[2])), m->shift);
    half = cdi_m3_mul_v3(&m->abs_turn, cdi_v3_make(h[0], h[1], h[2]));
    for (int k = 0; k < 3; ++k) {
        double e = cdi_v3_get(half, k) + m->grow[k];
        r.lo[k] = cdi_float_down(cdi_v3_get(center, k) - e);
        r.hi[k] = cdi_float_up(cdi_v3_get(center, k) + e);
    }
    return r;
}

/* Which lanes of the other tree's node it meets. */
static uint32_t cdi_mapped_meets(const cdi_mapped *b, const cdi_bvh_node *node) {
    uint32_t mask = node->lanes;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(b->hi[k]));
        mask &= cdi_f8_le(cdi_f8_all(b->lo[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

static void cdi_frame_map_finish(cdi_frame_map *m) {
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = m->turn.c[i];
        m->abs_turn.c[i] = cdi_v3_make(cdi_abs(c.x), cdi_abs(c.y), cdi_abs(c.z));
    }
}

/* The largest coordinate, axis by axis, that a corner of b takes in a's frame. */
static cdi_v3 cdi_reach(const cdi_bvh_header *b, const cdi_pose *pose) {
    cdi_v3 lo = cdi_v3_make(b->lo[0], b->lo[1], b->lo[2]), hi = cdi_v3_make(b->hi[0], b->hi[1], b->hi[2]);
    cdi_v3 most = cdi_v3_make(cdi_max(cdi_abs(lo.x), cdi_abs(hi.x)), cdi_max(cdi_abs(lo.y), cdi_abs(hi.y)),
                              cdi_max(cdi_abs(lo.z), cdi_abs(hi.z)));
    cdi_v3 r = cdi_v3_make(cdi_abs(pose->position.x), cdi_abs(pose->position.y), cdi_abs(pose->position.z));
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = pose->rotation.c[i];
        r = cdi_v3_along(r, cdi_v3_make(cdi_abs(c.x), cdi_abs(c.y), cdi_abs(c.z)), cdi_v3_get(most, i));
    }
    return r;
}

/* b's frame in a's. With a point y = (x - origin_b) 2^-eb and the pose R x + p, the other frame's coordinate is
 * (R (y 2^eb + origin_b) + p - origin_a) 2^-ea. */
static void cdi_map_b_to_a(const cdi_bvh_header *a, const cdi_bvh_header *b, const cdi_pose *pose,
                           cdi_frame_map *m) {
    cdi_v3 reach = cdi_reach(b, pose);
    cdi_v3 origin =
        cdi_pose_point(pose, cdi_v3_make(b->frame.origin[0], b->frame.origin[1], b->frame.origin[2]));
    double shift[3];
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = pose->rotation.c[i];
        int e = b->frame.exponent - a->frame.exponent;
        m->turn.c[i] = cdi_v3_make(cdi_scale2(c.x, e), cdi_scale2(c.y, e), cdi_scale2(c.z, e));
        shift[i] = cdi_frame_in(&a->frame, i, cdi_v3_get(origin, i));
        m->grow[i] = cdi_scale2(((double)CD_REAL_EPSILON + 1e-14) *
                                    (cdi_v3_get(reach, i) + cdi_abs(a->frame.origin[i])),
                                -a->frame.exponent);
    }
    m->shift = cdi_v3_make(shift[0], shift[1], shift[2]);
    cdi_frame_map_finish(m);
}

/* The other way: R^T (x - p). The box is grown in a's frame first; rotated, it grows by at most the sum. */
static void cdi_map_a_to_b(const cdi_bvh_header *a, const cdi_bvh_header *b, const cdi_pose *pose,
                           const cdi_frame_map *to_a, cdi_frame_map *m) {
    cdi_m3 back = cdi_m3_transpose(&pose->rotation);
    cdi_v3 origin = cdi_v3_make(a->frame.origin[0], a->frame.origin[1], a->frame.origin[2]), grow;
    double shift[3], e_abs;
    int e = a->frame.exponent - b->frame.exponent;
    origin = cdi_m3_mul_v3(&back, cdi_v3_sub(origin, pose->position));
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = back.c[i];
        m->turn.c[i] = cdi_v3_make(cdi_scale2(c.x, e), cdi_scale2(c.y, e), cdi_scale2(c.z, e));
        shift[i] = cdi_frame_in(&b->frame, i, cdi_v3_get(origin, i));
    }
    m->shift = cdi_v3_make(shift[0], shift[1], shift[2]);
    cdi_frame_map_finish(m);
    grow = cdi_m3_mul_v3(&m->abs_turn, cdi_v3_make(to_a->grow[0], to_a->grow[1], to_a->grow[2]));
    for (int i = 0; i < 3; ++i) {
        e_abs = cdi_abs(b->frame.origin[i]) + cdi_abs(a->frame.origin[0]) + cdi_abs(a->frame.origin[1]) +
                cdi_abs(a->frame.origin[2]) + cdi_abs(pose->position.x) + cdi_abs(pose->position.y) +
                cdi_abs(pose->position.z);
        m->grow[i] = 1.5 * cdi_v3_get(grow, i) + cdi_scale2(1e-14 * e_abs, -b->frame.exponent) +
                     1e-14 * cdi_scale2(1.0, e);
    }
}

/* ---- the walk ---- */

/* A pair of nodes (or of single lanes of nodes: leaves), and which pairs of their lanes are still to be done: bit
 * 8 * (lane of b) + (lane of a). */
typedef struct cdi_pair_step {
    uint64_t todo;
    uint32_t a, b;
} cdi_pair_step;

typedef struct cdi_pair_walk {
    cdi_bvh a, b;
    cdi_frame_map to_a, to_b;
    cdi_pose pose;
    bool posed;
    cd_visit_pair_fn visit;
    void *user;
    uint32_t held_first, held_count; /* the leaf of b that is held, transformed */
    cdi_tri held[CDI_BVH_LEAF_MAX];
} cdi_pair_walk;

/* The pairs of lanes whose boxes meet along the axes of both frames. */
static uint64_t cdi_lanes_meet(const cdi_pair_walk *w, const cdi_bvh_node *a, uint32_t lanes_a,
                               const cdi_bvh_node *b, uint32_t lanes_b) {
    uint64_t meet = 0;
    uint32_t mask_a = 0, mask;
    CDI_COUNT(node);
    for (mask = lanes_b; mask; mask &= mask - 1) {
        uint32_t lane = cdi_lowest_bit(mask), met;
        cdi_mapped box = cdi_map_lane(&w->to_a, b, lane);
        met = cdi_mapped_meets(&box, a) & lanes_a;
        meet |= (uint64_t)met << (8 * lane);
        mask_a |= met;
    }
    for (mask = mask_a; mask; mask &= mask - 1) {
        uint32_t lane = cdi_lowest_bit(mask), met;
        cdi_mapped box = cdi_map_lane(&w->to_b, a, lane);
        met = cdi_mapped_meets(&box, b);
        for (uint32_t i = 0; i < 8; ++i) {
            if (!(met >> i & 1u)) meet &= ~((uint64_t)1 << (8 * i + lane));
        }
    }
    return meet;
}

/* The triangles of a leaf of b, in a's frame. */
static void cdi_hold_leaf(cdi_pair_walk *w, uint32_t first, uint32_t count) {
    if (w->held_count && w->held_first == first) return;
    w->held_first = first;
    w->held_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        cd_triangle t = cdi_bvh_triangle_of(&w->b, first + i);
        if (w->posed) {
            t.a = cdi_pose_point_round(&w->pose, t.a);
            t.b = cdi_pose_point_round(&w->pose, t.b);
            t.c = cdi_pose_point_round(&w->pose, t.c);
        }
        w->held[i].v[0] = cdi_v3_of(t.a);
        w->held[i].v[1] = cdi_v3_of(t.b);
        w->held[i].v[2] = cdi_v3_of(t.c);
    }
}

/* All pairs of two leaves; false when the visitor stopped. */
static bool cdi_leaf_pairs(cdi_pair_walk *w, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                           uint32_t count_b) {
    cdi_hold_leaf(w, first_b, count_b);
    for (uint32_t i = 0; i < count_a; ++i) {
        cdi_tri a = cdi_bvh_tri(&w->a, first_a + i);
        for (uint32_t j = 0; j < count_b; ++j) {
            cd_pair pair;
            CDI_COUNT(triangle);
            if (!cdi_tri_bounds_meet(&a, &w->held[j]) || !cdi_test_tri_tri(&a, &w->held[j])) continue;
            pair.a = cdi_bvh_index(&w->a, first_a + i);
            pair.b = cdi_bvh_index(&w->b, first_b + j);
            if (!w->visit(w->user, pair)) return false;
        }
    }
    return true;
}

static bool cdi_pair_walk_run(cdi_pair_walk *w) {
    cdi_pair_step path[2 * CDI_BVH_DEPTH];
    cdi_bvh_node scratch_a, scratch_b;
    const cdi_bvh_node *a = cdi_bvh_at(&w->a, 0, &scratch_a), *b = cdi_bvh_at(&w->b, 0, &scratch_b);
    uint32_t length = 1;
    path[0].a = path[0].b = 0;
    path[0].todo = cdi_lanes_meet(w, a, a->lanes, b, b->lanes);
    while (length > 0) {
        cdi_pair_step *at = &path[length - 1], *next = &path[length];
        uint32_t bit, i, j, lanes_a, lanes_b;
        bool leaf_a, leaf_b;
        if (at->todo == 0) {
            --length;
            continue;
        }
        bit = cdi_lowest_bit64(at->todo);
        at->todo &= at->todo - 1;
        i = bit & 7u;
        j = bit >> 3;
        a = cdi_bvh_at(&w->a, at->a, &scratch_a);
        b = cdi_bvh_at(&w->b, at->b, &scratch_b);
        leaf_a = a->count[i] != 0;
        leaf_b = b->count[j] != 0;
        if (leaf_a && leaf_b) {
            if (!cdi_leaf_pairs(w, a->child[i], a->count[i], b->child[j], b->count[j])) return false;
            continue;
        }
        /* a leaf stays behind as one lane of its node, while the other side is descended */
        next->a = leaf_a ? at->a : a->child[i];
        next->b = leaf_b ? at->b : b->child[j];
        a = cdi_bvh_at(&w->a, next->a, &scratch_a);
        b = cdi_bvh_at(&w->b, next->b, &scratch_b);
        lanes_a = leaf_a ? 1u << i : a->lanes;
        lanes_b = leaf_b ? 1u << j : b->lanes;
        next->todo = cdi_lanes_meet(w, a, lanes_a, b, lanes_b);
        ++length;
    }
    return true;
}

CD_API bool cd_bvh_traverse_pairs(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  cd_visit_pair_fn visit, void *user) {
    cdi_pair_walk w;
    cd_transform identity = cd_transform_identity();
    if (!cdi_bvh_open(&w.a, a) || !cdi_bvh_open(&w.b, b)) return true;
    if (!cdi_bvh_is_triangles(&w.a) || !cdi_bvh_is_triangles(&w.b)) return true;
    if (b_in_a && !cd_transform_is_valid(b_in_a)) return true;
    w.posed = b_in_a != NULL;
    w.pose = cdi_pose_of(b_in_a ? b_in_a : &identity);
    w.visit = visit;
    w.user = user;
    w.held_first = w.held_count = 0;
    cdi_map_b_to_a(w.a.header, w.b.header, &w.pose, &w.to_a);
    cdi_map_a_to_b(w.a.header, w.b.header, &w.pose, &w.to_a, &w.to_b);
    return cdi_pair_walk_run(&w);
}

/* ---- answers in an array, and the first only ---- */

typedef struct cdi_pair_list {
    cd_pair *pairs;
    size_t capacity, count;
} cdi_pair_list;

static bool cdi_pair_append(void *user, cd_pair pair) {
    cdi_pair_list *list = (cdi_pair_list *)user;
    if (list->count < list->capacity) list->pairs[list->count] = pair;
    ++list->count;
    return true;
}

CD_API size_t cd_bvh_collide(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pairs,
                             size_t capacity) {
    cdi_pair_list list;
    list.pairs = pairs;
    list.capacity = pairs ? capacity : 0;
    list.count = 0;
    cd_bvh_traverse_pairs(a, b, b_in_a, cdi_pair_append, &list);
    return list.count;
}

static bool cdi_pair_first(void *user, cd_pair pair) {
    if (user) *(cd_pair *)user = pair;
    return false;
}

CD_API bool cd_bvh_test_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pair) {
    return !cd_bvh_traverse_pairs(a, b, b_in_a, cdi_pair_first, pair);
}
