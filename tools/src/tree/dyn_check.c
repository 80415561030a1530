#include "tree/dyn_check.h"

/* ---- ids ---- */

static bool cdi_dyn_id_is_sound(const cd_dyntree *t, uint32_t id) {
    uint32_t place = t->place[id];
    const cdi_bvh_node *n;
    if (place & CDI_DYN_FREE) return (place & ~CDI_DYN_FREE) <= t->place_count;
    if (place >> 3 >= t->node_count) return false;
    n = cdi_dyn_node(t, place >> 3);
    return n->height == 0 && (n->lanes >> (place & 7u) & 1u) && cdi_dyn_item(t, place)->index == id;
}

/* Are all ids objects or in the list of free ones? */
static bool cdi_dyn_ids_are_sound(const cd_dyntree *t) {
    uint32_t used = 0, unused = 0;
    if (t->place_count > t->place_room || t->free_id > t->place_count) return false;
    for (uint32_t i = 0; i < t->place_count; ++i) {
        if (!cdi_dyn_id_is_sound(t, i)) return false;
        used += !(t->place[i] & CDI_DYN_FREE);
    }
    for (uint32_t next = t->free_id; next; next = t->place[next - 1] & ~CDI_DYN_FREE) {
        if (next > t->place_count || !(t->place[next - 1] & CDI_DYN_FREE)) return false;
        if (++unused > t->place_count) return false;
    }
    return used == t->count && used + unused == t->place_count;
}

/* ---- nodes ---- */

static bool cdi_dyn_free_nodes_are_sound(const cd_dyntree *t) {
    uint32_t count = 0;
    for (uint32_t next = t->free_node; next; ++count) {
        const cdi_bvh_node *n;
        if (next > t->node_count || count >= t->free_nodes) return false;
        n = cdi_dyn_node(t, next - 1);
        for (int i = 0; i < 8; ++i) {
            if (n->count[i]) return false;
        }
        if (n->lanes) return false;
        next = n->parent;
    }
    return count == t->free_nodes;
}

/* What a walk has met. */
typedef struct cdi_dyn_check {
    const cd_dyntree *t;
    uint32_t nodes, objects;
    double lo[3], hi[3];
} cdi_dyn_check;

/* Is the object's box in its lane's, and those of the bounds? */
static bool cdi_dyn_object_is_sound(cdi_dyn_check *c, uint32_t number, uint32_t lane) {
    const cd_dyntree *t = c->t;
    const cdi_bvh_node *n = cdi_dyn_node(t, number);
    const cdi_bvh_box *item = cdi_dyn_item(t, 8 * number + lane);
    const cdi_frame *f = &cdi_dyn_header(t)->frame;
    cdi_v3 lo = cdi_v3_of(item->box.min), hi = cdi_v3_of(item->box.max);
    ++c->objects;
    if (n->child[lane] != 8 * number + lane || n->count[lane] != 1) return false;
    if (!cd_aabb_is_valid(item->box)) return false;
    if (!cdi_dyn_has(t, item->index) || t->place[item->index] != 8 * number + lane) return false;
    for (int k = 0; k < 3; ++k) {
        double a = cdi_v3_get(lo, k), b = cdi_v3_get(hi, k);
        if (!((double)n->lo[k][lane] <= cdi_frame_in(f, k, a))) return false;
        if (!((double)n->hi[k][lane] >= cdi_frame_in(f, k, b))) return false;
        c->lo[k] = cdi_min(c->lo[k], a);
        c->hi[k] = cdi_max(c->hi[k], b);
    }
    return true;
}

/* Does the child know its parent, and its lane's box and marks agree with it? */
static bool cdi_dyn_child_is_sound(const cd_dyntree *t, uint32_t number, uint32_t lane) {
    const cdi_bvh_node *n = cdi_dyn_node(t, number), *child;
    cdi_dyn_box own = cdi_dyn_lane(n, lane), bounds;
    if (n->count[lane] || n->child[lane] >= t->node_count) return false;
    child = cdi_dyn_node(t, n->child[lane]);
    if (child->parent != 8 * number + lane || child->height + 1 != n->height) return false;
    if (cdi_dyn_width(child) < CDI_DYN_LEAST) return false;
    bounds = cdi_dyn_bounds(child);
    return cdi_dyn_equal(&own, &bounds) && (n->moved >> lane & 1u) == (child->moved != 0);
}

static bool cdi_dyn_node_is_sound(cdi_dyn_check *c, uint32_t number) {
    const cdi_bvh_node *n = cdi_dyn_node(c->t, number);
    uint32_t width = cdi_dyn_width(n);
    ++c->nodes;
    if (n->lanes == 0 || n->lanes > 255 || (n->lanes & (n->lanes + 1u)) || (n->moved & ~n->lanes))
        return false;
    if (number == 0 && n->height && width < 2) return false;
    for (uint32_t i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (i >= width ? n->lo[k][i] != 2.0f || n->hi[k][i] != -2.0f
                           : !(n->lo[k][i] >= -1.1f && n->lo[k][i] <= n->hi[k][i] && n->hi[k][i] <= 1.1f))
                return false;
        }
        if (i >= width && (n->count[i] || n->child[i])) return false;
        if (i >= width) continue;
        if (!(n->height ? cdi_dyn_child_is_sound(c->t, number, i) : cdi_dyn_object_is_sound(c, number, i)))
            return false;
    }
    return true;
}

/* All nodes, depth first: no more than there are. */
static bool cdi_dyn_walk_is_sound(cdi_dyn_check *c) {
    uint32_t todo[CDI_BVH_STACK], count = 1, most = c->t->node_count - c->t->free_nodes;
    todo[0] = 0;
    if (cdi_dyn_node(c->t, 0)->parent != CD_NONE || cdi_dyn_node(c->t, 0)->height > 19) return false;
    while (count > 0) {
        uint32_t number = todo[--count], width;
        const cdi_bvh_node *n = cdi_dyn_node(c->t, number);
        if (c->nodes >= most || !cdi_dyn_node_is_sound(c, number)) return false;
        width = n->height ? cdi_dyn_width(n) : 0;
        for (uint32_t i = width; i-- > 0;) todo[count++] = n->child[i];
    }
    return c->nodes == most && c->objects == c->t->count;
}

static bool cdi_dyn_nodes_are_sound(const cd_dyntree *t) {
    const cdi_bvh_header *h = cdi_dyn_header(t);
    cdi_dyn_check c;
    cdi_clear(&c, sizeof c);
    c.t = t;
    for (int k = 0; k < 3; ++k) {
        c.lo[k] = CDI_HUGE;
        c.hi[k] = -CDI_HUGE;
    }
    if (!cdi_dyn_walk_is_sound(&c)) return false;
    for (int k = 0; k < 3; ++k) {
        if (c.lo[k] != h->lo[k] || c.hi[k] != h->hi[k]) return false;
    }
    return true;
}

/* ---- the whole ---- */

static bool cdi_dyn_header_is_sound(const cd_dyntree *t) {
    const cdi_bvh_header *h = cdi_dyn_header(t);
    if (h->node_count != t->node_room || h->item_count != 8 * t->node_room) return false;
    if (t->node_count > t->node_room || t->free_nodes > t->node_count) return false;
    if (h->object_count != t->count || h->source_count != t->place_count) return false;
    return !t->count || (h->dynamic == t->node_count && h->depth == cdi_dyn_node(t, 0)->height + 1);
}

/* The header comes first: by it is known where nodes, items and masks lie. */
CDI_FN bool cdi_dyn_is_sound(const cd_dyntree *t) {
    if (t->bvh.owned) return false;
    if (!t->block) return !t->count && !t->node_count && !t->bvh.block && cdi_dyn_ids_are_sound(t);
    if (!cdi_dyn_header_is_sound(t) || t->bvh.block != (t->count ? t->block : NULL)) return false;
    if (!cdi_dyn_ids_are_sound(t)) return false;
    if (!t->count) return t->node_count == 0 && t->free_node == 0 && t->free_nodes == 0;
    return cdi_dyn_free_nodes_are_sound(t) && cdi_dyn_nodes_are_sound(t);
}
