#include "tree/bvh_pairs.h"

/* ---- from frame to frame ---- */

/* The largest magnitude, axis by axis, that a corner of b's bounds takes in a's frame. */
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

/* Beyond it nothing is met, and squares stay in range. */
static float cdi_map_float(double x) {
    return (float)cdi_clamp(x, -1e18, 1e18);
}

/* x -> (rotation (x 2^from + origin_from) + position - origin_to) 2^-to, and with it how much boxes have to grow: by `grow`, in
 * the frame they come to; by the rounding of ten operations on floats; and by what makes every gap that is left large beside
 * the rounding of exact coordinates. */
static void cdi_frame_map_make(cdi_frame_map *m, const cdi_frame *to, const cdi_frame *from,
                               const cdi_m3 *rotation, cdi_v3 origin, const double grow[3]) {
    int e = from->exponent - to->exponent;
    m->useful = e <= 50;
    for (int i = 0; i < 3; ++i) {
        double shift = cdi_frame_in(to, i, cdi_v3_get(origin, i)), sum = cdi_abs(shift);
        for (int k = 0; k < 3; ++k) {
            double t = cdi_scale2(cdi_v3_get(rotation->c[k], i), e);
            m->turn[i][k] = cdi_map_float(t);
            m->size[i][k] = cdi_map_float(cdi_abs(t));
            sum += cdi_abs(t);
        }
        m->useful = m->useful && cdi_finite(sum);
        m->shift[i] = cdi_map_float(shift);
        m->grow[i] = cdi_map_float(grow[i] + 9.6e-7 * sum + 4.8e-7); /* 2^-20, 2^-21 */
    }
}

/* What rounding makes of corners of b that are posed, in a's frame, axis by axis. */
static void cdi_pose_error(const cdi_pair_walk *w, double step, double out[3]) {
    cdi_v3 reach = cdi_reach(w->b.header, &w->place_b.pose);
    const cdi_frame *f = &w->a.header->frame;
    for (int i = 0; i < 3; ++i)
        out[i] = cdi_scale2(step * (cdi_v3_get(reach, i) + cdi_abs(f->origin[i])), -f->exponent);
}

/* R x + p into a's frame. */
static void cdi_map_to_a(cdi_pair_walk *w, double distance) {
    const cdi_frame *a = &w->a.header->frame, *b = &w->b.header->frame;
    const cdi_pose *pose = &w->place_b.pose;
    cdi_v3 origin = cdi_pose_point(pose, cdi_v3_make(b->origin[0], b->origin[1], b->origin[2]));
    double grow[3], reach = cdi_scale2(distance * 1.000001, -a->exponent);
    cdi_pose_error(w, 4.0 * (double)CD_REAL_EPSILON + 1e-14, grow);
    for (int i = 0; i < 3; ++i) grow[i] += reach;
    cdi_frame_map_make(&w->to_a, a, b, &pose->rotation, origin, grow);
    cdi_pose_error(w, 1e-14, w->pad);
    for (int i = 0; i < 3; ++i) w->pad[i] += reach + 4.8e-7;
}

/* The other way: R^T (x - p). The error of the pose turns along; as a length it is at most the sum. */
static void cdi_map_to_b(cdi_pair_walk *w, double distance) {
    const cdi_frame *a = &w->a.header->frame, *b = &w->b.header->frame;
    const cdi_pose *pose = &w->place_b.pose;
    cdi_m3 back = cdi_m3_transpose(&pose->rotation);
    cdi_v3 origin = cdi_v3_make(a->origin[0], a->origin[1], a->origin[2]);
    cdi_v3 size = cdi_reach(w->b.header, pose);
    double grow[3], all, step = 4.0 * (double)CD_REAL_EPSILON + 1e-14;
    all = size.x + size.y + size.z + cdi_abs(origin.x) + cdi_abs(origin.y) + cdi_abs(origin.z);
    origin = cdi_m3_mul_v3(&back, cdi_v3_sub(origin, pose->position));
    for (int i = 0; i < 3; ++i) {
        grow[i] = step * (all + cdi_abs(b->origin[i])) + distance * 1.000001;
        grow[i] = cdi_scale2(grow[i], -b->exponent);
    }
    cdi_frame_map_make(&w->to_b, b, a, &back, origin, grow);
}

CDI_FN cdi_box8 cdi_map_boxes(const cdi_frame_map *m, const cdi_box8 *b) {
    cdi_f8 c[3], h[3], half = cdi_f8_all(0.5f);
    cdi_box8 r;
    for (int k = 0; k < 3; ++k) {
        c[k] = cdi_f8_mul(half, cdi_f8_add(b->lo[k], b->hi[k]));
        h[k] = cdi_f8_mul(half, cdi_f8_sub(b->hi[k], b->lo[k]));
    }
    for (int i = 0; i < 3; ++i) {
        cdi_f8 at = cdi_f8_all(m->shift[i]), extent = cdi_f8_all(m->grow[i]);
        for (int k = 0; k < 3; ++k) {
            at = cdi_f8_add(at, cdi_f8_mul(cdi_f8_all(m->turn[i][k]), c[k]));
            extent = cdi_f8_add(extent, cdi_f8_mul(cdi_f8_all(m->size[i][k]), h[k]));
        }
        r.lo[i] = cdi_f8_sub(at, extent);
        r.hi[i] = cdi_f8_add(at, extent);
    }
    return r;
}

/* ---- opening ---- */

static bool cdi_posed_meets(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    (void)w;
    return cdi_posed_meet(a, b);
}

static bool cdi_posed_within(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    return cdi_posed_sqdist(a, b, w->sqdistance) <= w->sqdistance;
}

static void cdi_pairs_place(cdi_pair_walk *w, const cd_transform *b_in_a) {
    w->place_a.transform = cd_transform_identity();
    w->place_a.pose = cdi_pose_of(&w->place_a.transform);
    w->place_b = w->place_a;
    if (!b_in_a) return;
    w->place_b.transform = *b_in_a;
    w->place_b.pose = cdi_pose_of(b_in_a);
    w->place_b.moved = true;
}

CDI_FN bool cdi_pairs_open(cdi_pair_walk *w, const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                           double distance, const cd_bvh_pair_options *options) {
    int e;
    cdi_clear(w, sizeof *w);
    if (!cdi_bvh_open(&w->a, a) || !cdi_bvh_open(&w->b, b)) return false;
    if (!(distance >= 0.0) || (b_in_a && !cd_transform_is_valid(b_in_a))) return false;
    cdi_pairs_place(w, b_in_a);
    distance = cdi_min(distance, 1e300);
    cdi_map_to_a(w, distance);
    cdi_map_to_b(w, distance);
    e = w->a.header->frame.exponent;
    w->scale[0] = cdi_exp2i(-(e / 2));
    w->scale[1] = cdi_exp2i(-(e - e / 2));
    w->b_size = cdi_map_float(cdi_scale2(1.0, w->b.header->frame.exponent - e));
    w->options = options;
    w->rule = options ? options->rule : CD_BVH_BOTH;
    w->sqdistance = cdi_min(distance * distance, CDI_HUGE);
    w->meets = distance > 0.0 ? cdi_posed_within : cdi_posed_meets;
    return true;
}

CDI_FN bool cdi_pairs_sees(const cdi_pair_walk *w, uint32_t item_a, uint32_t item_b, cd_pair pair) {
    const cd_bvh_pair_options *o = w->options;
    if (!o) return true;
    if (cdi_bvh_ignores(&w->a, item_a, o->ignore_a) || cdi_bvh_ignores(&w->b, item_b, o->ignore_b))
        return false;
    return !o->filter || o->filter(o->user, pair);
}

/* ---- leaves ---- */

/* Grown by less than what floats near 1 lose; farther out nothing is near. */
static float cdi_posed_in(const cdi_pair_walk *w, int axis, double x, double grow) {
    double y = (x - w->a.header->frame.origin[axis]) * w->scale[0] * w->scale[1];
    return (float)cdi_clamp(y + grow, -1e18, 1e18);
}

static void cdi_posed_box(const cdi_pair_walk *w, cdi_posed_block *held, uint32_t lane, double share) {
    cdi_v3 lo, hi;
    cdi_posed_bounds(&held->item[lane], &lo, &hi);
    for (int k = 0; k < 3; ++k) {
        held->lo[k][lane] = cdi_posed_in(w, k, cdi_v3_get(lo, k), -share * w->pad[k]);
        held->hi[k][lane] = cdi_posed_in(w, k, cdi_v3_get(hi, k), share * w->pad[k]);
    }
}

CDI_FN void cdi_posed_hold(const cdi_pair_walk *w, cdi_posed_block *held, bool of_b, uint32_t first,
                           uint32_t count) {
    count = count < 8 ? count : 8;
    if (held->count == count && held->first == first) return;
    held->first = first;
    held->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_posed_read(&held->item[i], of_b ? &w->b : &w->a, first + i, of_b ? &w->place_b : &w->place_a);
        cdi_posed_box(w, held, i, of_b ? 1.0 : 0.0);
    }
}

CDI_INLINE uint32_t cdi_box8_meets(const cdi_box8 *a, const cdi_box8 *b) {
    cdi_f8 gap = cdi_f8_max(cdi_f8_max(cdi_box8_gap(a, b, 0), cdi_box8_gap(a, b, 1)), cdi_box8_gap(a, b, 2));
    return cdi_f8_le(gap, cdi_f8_all(0.0f));
}

/* One pair whose boxes meet. */
static bool cdi_pair_decide(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    cd_pair pair;
    CDI_COUNT(triangle);
    if (!w->meets(w, a, b)) return true;
    pair.a = cdi_bvh_index(&w->a, a->item);
    pair.b = cdi_bvh_index(&w->b, b->item);
    if (w->same && pair.a > pair.b) {
        uint32_t swap = pair.a;
        pair.a = pair.b;
        pair.b = swap;
    }
    return !cdi_pairs_sees(w, a->item, b->item, pair) || w->visit(w->user, pair);
}

/* All pairs of two blocks; of one with itself each once. */
static bool cdi_block_pairs(const cdi_pair_walk *w) {
    const cdi_posed_block *a = &w->held_a, *b = &w->held_b;
    cdi_box8 boxes = cdi_box8_load(b->lo, b->hi);
    uint32_t used = 255u >> (8 - b->count);
    for (uint32_t i = 0; i < a->count; ++i) {
        cdi_box8 one = cdi_box8_all(a->lo, a->hi, i);
        uint32_t met = cdi_box8_meets(&one, &boxes) & used;
        if (w->same && a->first == b->first) met &= 254u << i;
        for (; met; met &= met - 1) {
            if (!cdi_pair_decide(w, &a->item[i], &b->item[cdi_lowest_bit(met)])) return false;
        }
    }
    return true;
}

/* All pairs of two leaves; false when the visitor stopped. */
static bool cdi_leaf_pairs(cdi_pair_walk *w, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                           uint32_t count_b) {
    for (uint32_t j = 0; j < count_b; j += 8) {
        cdi_posed_hold(w, &w->held_b, true, first_b + j, count_b - j);
        for (uint32_t i = 0; i < count_a; i += 8) {
            if (w->same && first_a + i > first_b + j && first_a == first_b) break;
            cdi_posed_hold(w, &w->held_a, false, first_a + i, count_a - i);
            if (!cdi_block_pairs(w)) return false;
        }
    }
    return true;
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

/* The pairs of lanes whose boxes meet along the axes of both frames. */
static uint64_t cdi_lanes_meet(const cdi_pair_walk *w, cdi_lanes_of a, cdi_lanes_of b) {
    cdi_box8 own = cdi_box8_load(a.node->lo, a.node->hi), theirs = own, moved, one;
    float lo[3][8], hi[3][8];
    uint64_t meet = 0;
    bool is_mapped = false, back = w->place_b.moved && w->to_b.useful;
    CDI_COUNT(node);
    moved = cdi_box8_load(b.node->lo, b.node->hi);
    if (!w->same) moved = cdi_map_boxes(&w->to_a, &moved);
    for (int k = 0; k < 3; ++k) {
        cdi_f8_store(lo[k], moved.lo[k]);
        cdi_f8_store(hi[k], moved.hi[k]);
    }
    for (uint32_t rest = b.lanes; rest; rest &= rest - 1) {
        uint32_t lane = cdi_lowest_bit(rest), met = a.lanes;
        if (w->to_a.useful) {
            one = cdi_box8_all(lo, hi, lane);
            met &= cdi_box8_meets(&own, &one);
        }
        if (met && (back || !w->to_a.useful)) {
            if (!is_mapped) theirs = cdi_map_boxes(&w->to_b, &own);
            is_mapped = true;
            one = cdi_box8_all(b.node->lo, b.node->hi, lane);
            met &= cdi_box8_meets(&theirs, &one);
        }
        meet |= (uint64_t)met << (8 * lane);
    }
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
                               cdi_lanes_of b) {
    uint64_t todo = cdi_lanes_meet(w, a, b);
    return w->same && at->a == at->b ? todo & 0xFF7F3F1F0F070301u : todo;
}

CDI_FN bool cdi_pairs_run(cdi_pair_walk *w) {
    cdi_pair_step path[2 * CDI_BVH_DEPTH];
    cdi_held_node held_a, held_b;
    cdi_lanes_of a, b;
    uint32_t length = 1;
    held_a.node = held_b.node = NULL;
    path[0].a = path[0].b = 0;
    a.node = cdi_hold_node(&held_a, &w->a, 0);
    b.node = cdi_hold_node(&held_b, &w->b, 0);
    a.lanes = a.node->lanes;
    b.lanes = b.node->lanes;
    path[0].todo = cdi_pairs_todo(w, &path[0], a, b);
    while (length > 0) {
        cdi_pair_step *at = &path[length - 1], *next = &path[length];
        uint32_t bit, i, j;
        bool down_a, down_b;
        if (at->todo == 0) {
            --length;
            continue;
        }
        bit = cdi_lowest_bit64(at->todo);
        at->todo &= at->todo - 1;
        i = bit & 7u;
        j = bit >> 3;
        a.node = cdi_hold_node(&held_a, &w->a, at->a);
        b.node = cdi_hold_node(&held_b, &w->b, at->b);
        down_a = a.node->count[i] == 0;
        down_b = b.node->count[j] == 0;
        if (!down_a && !down_b) {
            if (!cdi_leaf_pairs(w, a.node->child[i], a.node->count[i], b.node->child[j], b.node->count[j]))
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
        next->todo = cdi_pairs_todo(w, next, a, b);
        ++length;
    }
    return true;
}

/* ---- visitors ---- */

CDI_FN bool cdi_pair_append(void *user, cd_pair pair) {
    cdi_pair_list *list = (cdi_pair_list *)user;
    if (list->count < list->capacity) list->pairs[list->count] = pair;
    ++list->count;
    return true;
}

CDI_FN bool cdi_pair_first(void *user, cd_pair pair) {
    if (user) *(cd_pair *)user = pair;
    return false;
}
