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
    uint32_t width = cdi_dyn_width(n), bottom = s->count;
    float limit = cdi_dyn_limit(s), least = 2.0f;
    for (uint32_t i = 0; i < width; ++i) {
        float reach = cdi_dyn_lane_reach(s, n, i);
        if (reach > limit) continue;
        s->todo[s->count++] = n->child[i];
        if (reach < least) {
            least = reach;
            continue;
        }
        s->todo[s->count - 1] = s->todo[bottom];
        s->todo[bottom] = n->child[i];
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

CDI_FN void cdi_dyn_bounds_shrink(cd_dyntree *t, cd_aabb gone) {
    cdi_bvh_header *h = cdi_dyn_header(t);
    cdi_v3 lo = cdi_v3_of(gone.min), hi = cdi_v3_of(gone.max);
    cdi_dyn_extreme s;
    s.t = t;
    for (s.axis = 0; s.axis < 3; ++s.axis) {
        s.high = false;
        s.enough = h->lo[s.axis];
        if (cdi_v3_get(lo, s.axis) == s.enough) h->lo[s.axis] = cdi_dyn_find_extreme(&s) + 0.0;
        s.high = true;
        s.enough = -h->hi[s.axis];
        if (cdi_v3_get(hi, s.axis) == -s.enough) h->hi[s.axis] = -cdi_dyn_find_extreme(&s) + 0.0;
    }
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
        cdi_dyn_widen(t, box);
        (void)cdi_dyn_encode(t, box, motion, &own, &fat);
    }
    cdi_dyn_mark(t, place);
    lane = cdi_dyn_lane(cdi_dyn_node(t, number), place & 7u);
    if ((t->options.margin == 0 && !cdi_dyn_equal(&lane, &own)) || !cdi_dyn_holds(&lane, &own)) {
        if (cdi_dyn_may_stay(t, number, &fat) || !cdi_dyn_replace(t, place, &fat)) {
            cdi_dyn_set_lane(cdi_dyn_node(t, number), place & 7u, &fat);
            cdi_dyn_tell_all(t, number);
        }
    }
    cdi_dyn_bounds_shrink(t, was);
}
