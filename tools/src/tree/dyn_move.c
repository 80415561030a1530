#include "tree/dyn_move.h"

/* ---- the bounds of all ---- */

CDI_FN void cdi_dyn_bounds_grow(cd_dyntree *t, cd_aabb box) {
    cdi_bvh_header *h = cdi_dyn_header(t);
    cdi_v3 lo = cdi_v3_of(box.min), hi = cdi_v3_of(box.max);
    for (int k = 0; k < 3; ++k) {
        h->lo[k] = cdi_min(h->lo[k], cdi_v3_get(lo, k) + 0.0);
        h->hi[k] = cdi_max(h->hi[k], cdi_v3_get(hi, k) + 0.0);
    }
}

/* A search for the object that reaches farthest on one side: numbers are turned about so that it is the lowest one. */
typedef struct cdi_dyn_extreme {
    const cd_dyntree *t;
    int axis;
    bool high;
    double best, enough;
    uint32_t todo[CDI_BVH_STACK], count;
} cdi_dyn_extreme;

/* No object of a lane beyond this is below the best. */
static float cdi_dyn_limit(const cdi_dyn_extreme *s) {
    const cdi_frame *f = &cdi_dyn_header(s->t)->frame;
    if (s->best == CDI_HUGE) return 2.0f;
    return s->high ? -cdi_float_up(cdi_frame_in(f, s->axis, -s->best))
                   : cdi_float_down(cdi_frame_in(f, s->axis, s->best));
}

static float cdi_dyn_lane_reach(const cdi_dyn_extreme *s, const cdi_bvh_node *n, uint32_t lane) {
    return s->high ? -n->hi[s->axis][lane] : n->lo[s->axis][lane];
}

static void cdi_dyn_meet_objects(cdi_dyn_extreme *s, uint32_t number) {
    const cdi_bvh_node *n = cdi_dyn_node(s->t, number);
    uint32_t width = cdi_dyn_width(n);
    for (uint32_t i = 0; i < width; ++i) {
        const cd_aabb *box = &cdi_dyn_item(s->t, 8 * number + i)->box;
        double reach =
            s->high ? -cdi_v3_get(cdi_v3_of(box->max), s->axis) : cdi_v3_get(cdi_v3_of(box->min), s->axis);
        s->best = cdi_min(s->best, reach);
    }
}

/* The farthest lane is looked at first. */
static void cdi_dyn_meet_nodes(cdi_dyn_extreme *s, const cdi_bvh_node *n) {
    uint32_t width = cdi_dyn_width(n);
    float limit = cdi_dyn_limit(s), least = 2.0f;
    for (uint32_t i = 0; i < width; ++i) {
        float reach = cdi_dyn_lane_reach(s, n, i);
        if (reach > limit) continue;
        s->todo[s->count++] = n->child[i];
        if (reach < least) {
            least = reach;
            continue;
        }
        s->todo[s->count - 1] = s->todo[s->count - 2];
        s->todo[s->count - 2] = n->child[i];
    }
}

/* The least of all; `enough` cannot be undercut. */
static double cdi_dyn_find_extreme(cdi_dyn_extreme *s) {
    s->best = CDI_HUGE;
    s->todo[0] = 0;
    s->count = 1;
    while (s->count > 0 && s->best > s->enough) {
        uint32_t number = s->todo[--s->count];
        const cdi_bvh_node *n = cdi_dyn_node(s->t, number);
        if (n->height) {
            cdi_dyn_meet_nodes(s, n);
        } else {
            cdi_dyn_meet_objects(s, number);
        }
    }
    return s->best;
}

/* Which sides of bounds a box reaches: bit k for the low one on an axis, 3 + k for the high one. */
static uint32_t cdi_dyn_sides(const double lo[3], const double hi[3], cd_aabb box) {
    uint32_t low = (uint32_t)((double)box.min.x == lo[0]) | (uint32_t)((double)box.min.y == lo[1]) << 1 |
                   (uint32_t)((double)box.min.z == lo[2]) << 2;
    uint32_t high = (uint32_t)((double)box.max.x == hi[0]) | (uint32_t)((double)box.max.y == hi[1]) << 1 |
                    (uint32_t)((double)box.max.z == hi[2]) << 2;
    return low | high << 3;
}

static void cdi_dyn_shrink_sides(cd_dyntree *t, uint32_t sides) {
    cdi_bvh_header *h = cdi_dyn_header(t);
    cdi_dyn_extreme s;
    s.t = t;
    for (s.axis = 0; s.axis < 3; ++s.axis) {
        s.high = false;
        s.enough = h->lo[s.axis];
        if (sides >> s.axis & 1u) h->lo[s.axis] = cdi_dyn_find_extreme(&s) + 0.0;
        s.high = true;
        s.enough = -h->hi[s.axis];
        if (sides >> s.axis & 8u) h->hi[s.axis] = -cdi_dyn_find_extreme(&s) + 0.0;
    }
}

CDI_FN void cdi_dyn_bounds_shrink(cd_dyntree *t, cd_aabb gone) {
    const cdi_bvh_header *h = cdi_dyn_header(t);
    uint32_t sides = cdi_dyn_sides(h->lo, h->hi, gone);
    if (sides) cdi_dyn_shrink_sides(t, sides);
}

/* ---- one object ---- */

static void cdi_dyn_mark(cd_dyntree *t, uint32_t place) {
    while (place != CD_NONE) {
        cdi_bvh_node *n = cdi_dyn_node(t, place >> 3);
        if (n->moved >> (place & 7u) & 1u) return;
        n->moved |= 1u << (place & 7u);
        place = n->parent;
    }
}

static bool cdi_dyn_holds(const cdi_dyn_box *outer, const cdi_dyn_box *inner) {
    bool holds = true;
    for (int k = 0; k < 3; ++k) holds = holds && outer->lo[k] <= inner->lo[k] && inner->hi[k] <= outer->hi[k];
    return holds;
}

/* Does the node stay about as small with that box in it? */
static bool cdi_dyn_may_stay(const cd_dyntree *t, uint32_t number, const cdi_dyn_box *fat) {
    cdi_dyn_box b = cdi_dyn_bounds(cdi_dyn_node(t, number));
    double area = cdi_dyn_area(&b);
    cdi_dyn_grow(&b, fat);
    return cdi_dyn_area(&b) <= 1.2 * area;
}

/* Takes the object out and puts it in again; where there is no memory for that, it stays. */
static bool cdi_dyn_replace(cd_dyntree *t, uint32_t place, const cdi_dyn_box *fat) {
    cdi_dyn_entry e;
    if (cdi_dyn_reserve(t, cdi_dyn_node(t, 0)->height + 2) != CD_OK) return false;
    e = cdi_dyn_get(t, place >> 3, place & 7u);
    e.box = *fat;
    cdi_dyn_remove(t, place);
    cdi_dyn_insert(t, 0, 0, &e);
    return true;
}

CDI_FN void cdi_dyn_move(cd_dyntree *t, uint32_t id, cd_aabb box, cd_vec3 motion) {
    uint32_t place = t->place[id], number = place >> 3;
    cd_aabb was = cdi_dyn_item(t, place)->box;
    cdi_dyn_box own, fat, lane;
    cdi_dyn_item(t, place)->box = box;
    cdi_dyn_bounds_grow(t, box);
    if (!cdi_dyn_encode(t, box, motion, &own, &fat)) {
        cdi_dyn_widen(t, box, motion);
        (void)cdi_dyn_encode(t, box, motion, &own, &fat);
    }
    cdi_dyn_mark(t, place);
    lane = cdi_dyn_lane(cdi_dyn_node(t, number), place & 7u);
    /* a box with neither margin nor motion is kept as it is */
    if ((cdi_dyn_equal(&fat, &own) && !cdi_dyn_equal(&lane, &own)) || !cdi_dyn_holds(&lane, &own)) {
        if (cdi_dyn_may_stay(t, number, &fat) || !cdi_dyn_replace(t, place, &fat)) {
            cdi_dyn_set_lane(cdi_dyn_node(t, number), place & 7u, &fat);
            cdi_dyn_tell_all(t, number);
        }
    }
    cdi_dyn_bounds_shrink(t, was);
}

/* ---- many objects ----
 *
 * The tree is gone through once, and takes each object's new box from where the caller has it: that array is much smaller than
 * the tree, so that there is less to wait for than on the way through the array. */

/* New boxes, or NULL: object ids[i] goes to boxes[i]; `rank` tells where an id is found, NULL: there. */
typedef struct cdi_dyn_moves {
    cd_dyntree *t;
    const uint32_t *rank;
    const cd_aabb *boxes;
    const cd_vec3 *motions;
    double lo[3], hi[3];   /* the bounds before */
    uint32_t count, sides; /* which of them the old boxes reached */
} cdi_dyn_moves;

/* Where the new box of an id is; CD_NONE where there is none. */
static uint32_t cdi_dyn_rank(const cdi_dyn_moves *m, uint32_t id) {
    if (m->rank) return m->rank[id];
    return id < m->count ? id : CD_NONE;
}

/* Writes an object's new box, and its lane where it has left the fat one. */
static void cdi_dyn_write_move(cdi_dyn_moves *m, cdi_bvh_node *n, uint32_t lane, cdi_bvh_box *item,
                               uint32_t rank) {
    cd_vec3 motion = cd_vec3_make(0, 0, 0);
    cdi_dyn_box own, fat, was;
    if (m->motions) motion = m->motions[rank];
    m->sides |= cdi_dyn_sides(m->lo, m->hi, item->box);
    item->box = m->boxes[rank];
    n->moved |= 1u << lane;
    if (!cdi_dyn_encode(m->t, item->box, motion, &own, &fat)) {
        cdi_dyn_widen(m->t, item->box, motion);
        (void)cdi_dyn_encode(m->t, item->box, motion, &own, &fat);
    }
    if (m->t->options.margin > 0 || m->motions) {
        was = cdi_dyn_lane(n, lane);
        if (cdi_dyn_holds(&was, &own)) return;
    }
    cdi_dyn_set_lane(n, lane, &fat);
}

static void cdi_dyn_move_leaf(cdi_dyn_moves *m, uint32_t number) {
    cdi_bvh_node *n = cdi_dyn_node(m->t, number);
    cdi_bvh_box *item = cdi_dyn_item(m->t, 8 * number);
    uint32_t width = cdi_dyn_width(n);
    for (uint32_t i = 0; i < width; ++i) {
        uint32_t rank = cdi_dyn_rank(m, item[i].index);
        if (rank != CD_NONE) cdi_dyn_write_move(m, n, i, &item[i], rank);
    }
}

/* Asks for what the children of a node hold. */
CDI_HOT void cdi_dyn_fetch_children(const cdi_dyn_moves *m, const cdi_bvh_node *n) {
    uint32_t width = cdi_dyn_width(n);
    for (uint32_t i = 0; i < width; ++i) {
        const char *item = (const char *)cdi_dyn_item(m->t, 8 * n->child[i]);
        const char *node = (const char *)cdi_dyn_node(m->t, n->child[i]);
        for (size_t k = 0; k < 8 * sizeof(cdi_bvh_box); k += 64) CDI_PREFETCH(item + k);
        for (size_t k = 0; k < sizeof *n; k += 64) CDI_PREFETCH(node + k);
    }
}

/* Asks for the new boxes of a leaf's objects. */
CDI_HOT void cdi_dyn_fetch_boxes(const cdi_dyn_moves *m, uint32_t number) {
    const cdi_bvh_box *item = cdi_dyn_item(m->t, 8 * number);
    uint32_t width = cdi_dyn_width(cdi_dyn_node(m->t, number));
    for (uint32_t i = 0; i < width; ++i) {
        uint32_t rank = cdi_dyn_rank(m, item[i].index);
        if (rank == CD_NONE) continue;
        CDI_PREFETCH(&m->boxes[rank]);
        CDI_PREFETCH((const char *)(&m->boxes[rank] + 1) - 1);
    }
}

/* Brings the lanes of a node up to date with its children. */
static void cdi_dyn_refit_lanes(cdi_dyn_moves *m, cdi_bvh_node *n) {
    uint32_t width = cdi_dyn_width(n);
    bool lowest = n->height == 1;
    if (lowest) cdi_dyn_fetch_children(m, n);
    for (uint32_t i = 0; i < width && lowest; ++i) cdi_dyn_fetch_boxes(m, n->child[i]);
    for (uint32_t i = 0; i < width; ++i) {
        const cdi_bvh_node *child = cdi_dyn_node(m->t, n->child[i]);
        cdi_dyn_box b;
        if (lowest) cdi_dyn_move_leaf(m, n->child[i]);
        b = cdi_dyn_bounds(child);
        cdi_dyn_set_lane(n, i, &b);
        n->moved |= (uint32_t)(child->moved != 0) << i;
    }
}

/* Depth first: a node when all below it are done. */
static void cdi_dyn_refit(cdi_dyn_moves *m) {
    struct {
        uint32_t node, lane;
    } path[24];
    uint32_t length = 1;
    path[0].node = path[0].lane = 0;
    if (!cdi_dyn_node(m->t, 0)->height) {
        cdi_dyn_move_leaf(m, 0);
        return;
    }
    while (length > 0) {
        cdi_bvh_node *n = cdi_dyn_node(m->t, path[length - 1].node);
        uint32_t lane = path[length - 1].lane++;
        if (n->height > 1 && lane < cdi_dyn_width(n)) {
            path[length].node = n->child[lane];
            path[length++].lane = 0;
            continue;
        }
        cdi_dyn_refit_lanes(m, n);
        --length;
    }
}

/* Where each id is found in the array, the last time; NULL without memory. */
static uint32_t *cdi_dyn_rank_ids(const cd_dyntree *t, const uint32_t *ids, uint32_t count) {
    uint32_t *rank = (uint32_t *)cdi_alloc(&t->options.allocator, t->place_count, sizeof *rank);
    for (uint32_t i = 0; rank && i < t->place_count; ++i) rank[i] = CD_NONE;
    for (uint32_t i = 0; rank && i < count; ++i) rank[ids[i]] = i;
    return rank;
}

CDI_FN bool cdi_dyn_move_many(cd_dyntree *t, const uint32_t *ids, const cd_aabb *boxes,
                              const cd_vec3 *motions, uint32_t count, cd_aabb all) {
    uint32_t *rank = ids ? cdi_dyn_rank_ids(t, ids, count) : NULL;
    cdi_bvh_header *h = cdi_dyn_header(t);
    cdi_dyn_moves m;
    if (ids && !rank) return false;
    cdi_copy(m.lo, h->lo, sizeof m.lo);
    cdi_copy(m.hi, h->hi, sizeof m.hi);
    cdi_dyn_bounds_grow(t, all);
    m.t = t;
    m.rank = rank;
    m.boxes = boxes;
    m.motions = motions;
    m.count = count;
    m.sides = 0;
    cdi_dyn_refit(&m);
    cdi_free(&t->options.allocator, rank, t->place_count, sizeof *rank);
    if (ids) m.sides |= cdi_dyn_sides(h->lo, h->hi, all); /* given twice, one box of an id does not count */
    cdi_dyn_shrink_sides(t, m.sides);
    return true;
}

/* ---- the tree made better ---- */

CDI_FN double cdi_dyn_cost(const cd_dyntree *t) {
    double cost = 0.0;
    for (uint32_t number = 0; number < t->node_count; ++number) {
        const cdi_bvh_node *n = cdi_dyn_node(t, number);
        uint32_t width = n->height ? cdi_dyn_width(n) : 0;
        for (uint32_t i = 0; i < width; ++i) {
            cdi_dyn_box b = cdi_dyn_lane(n, i);
            cost += cdi_dyn_area(&b);
        }
    }
    return cost;
}

/* How much smaller a node would be without one of its lanes, and which. */
static double cdi_dyn_worst_lane(const cdi_bvh_node *n, uint32_t *worst) {
    cdi_dyn_box all = cdi_dyn_bounds(n);
    uint32_t width = cdi_dyn_width(n);
    double area = cdi_dyn_area(&all), most = 0.0;
    *worst = 0;
    for (uint32_t i = 0; i < width; ++i) {
        cdi_dyn_box b = cdi_dyn_lane(n, i == 0 ? 1 : 0);
        for (uint32_t k = 0; k < width; ++k) {
            cdi_dyn_box other = cdi_dyn_lane(n, k);
            if (k != i) cdi_dyn_grow(&b, &other);
        }
        if (area - cdi_dyn_area(&b) <= most) continue;
        most = area - cdi_dyn_area(&b);
        *worst = i;
    }
    return most;
}

/* Of the next few nodes below the root, the place of the entry that makes its node larger than any other does; CD_NONE without
 * any. */
static uint32_t cdi_dyn_find_worst(cd_dyntree *t) {
    uint32_t place = CD_NONE, left = t->node_count < 8 ? t->node_count : 8;
    double most = 0.0;
    for (uint32_t seen = 0; seen < 2 * t->node_count && left; ++seen) {
        const cdi_bvh_node *n;
        uint32_t lane;
        double gain;
        t->next_node = t->next_node + 1 < t->node_count ? t->next_node + 1 : 0;
        n = cdi_dyn_node(t, t->next_node);
        if (!n->lanes || n->parent == CD_NONE) continue;
        --left;
        gain = cdi_dyn_worst_lane(n, &lane);
        if (gain <= most) continue;
        most = gain;
        place = 8 * t->next_node + lane;
    }
    return place;
}

CDI_FN cd_status cdi_dyn_improve(cd_dyntree *t) {
    uint32_t place = t->count ? cdi_dyn_find_worst(t) : CD_NONE, height;
    cdi_dyn_entry e;
    cd_status status;
    if (place == CD_NONE) return CD_OK;
    status = cdi_dyn_reserve(t, cdi_dyn_node(t, 0)->height + 2);
    if (status != CD_OK) return status;
    height = cdi_dyn_node(t, place >> 3)->height;
    e = cdi_dyn_get(t, place >> 3, place & 7u);
    cdi_dyn_remove(t, place);
    cdi_dyn_insert(t, 0, height, &e);
    return CD_OK;
}
