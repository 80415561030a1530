#include "tree/dyn_pairs.h"
#include "query/test.h"

#define CDI_DYN_LEVELS 24u

/* Two nodes of one height, and which of their lanes are still to be looked into: bit 8 i + j for lane i of a and j of b. */
typedef struct cdi_dyn_two {
    uint32_t a, b;
    uint64_t todo;
} cdi_dyn_two;

typedef struct cdi_dyn_pair_walk {
    const cd_dyntree *t;
    uint32_t ignored;
    const cd_bvh_pair_options *options;
    cd_visit_pair_fn visit;
    void *user;
} cdi_dyn_pair_walk;

/* The lanes that a box meets; of those that are not in use none. */
CDI_INLINE uint32_t cdi_dyn_lanes_met(const cdi_bvh_node *n, const cdi_bvh_node *of, uint32_t lane) {
    uint32_t met = n->lanes;
    for (int k = 0; k < 3; ++k) {
        met &= cdi_f8_le(cdi_f8_load(n->lo[k]), cdi_f8_all(of->hi[k][lane]));
        met &= cdi_f8_le(cdi_f8_all(of->lo[k][lane]), cdi_f8_load(n->hi[k]));
    }
    return met;
}

/* All lanes of two nodes that meet, where something moved; of one node each two once, and each lane with itself where
 * it is a node. */
static uint64_t cdi_dyn_lanes_meeting(const cd_dyntree *t, uint32_t a, uint32_t b) {
    const cdi_bvh_node *n = cdi_dyn_node(t, a), *m = cdi_dyn_node(t, b);
    uint32_t width = cdi_dyn_width(n), above = n->height ? 255u : 254u;
    uint64_t todo = 0;
    for (uint32_t i = 0; i < width; ++i) {
        uint32_t met = cdi_dyn_lanes_met(m, n, i);
        if (!(n->moved >> i & 1u)) met &= m->moved;
        if (a == b) met &= above << i;
        todo |= (uint64_t)met << 8 * i;
    }
    return todo;
}

static bool cdi_dyn_hidden(const cdi_dyn_pair_walk *w, uint32_t place) {
    return (*cdi_dyn_mask(w->t, place) & w->ignored) != 0;
}

/* Two objects whose fat boxes meet. */
static bool cdi_dyn_decide(const cdi_dyn_pair_walk *w, uint32_t p, uint32_t q) {
    const cdi_bvh_box *a = cdi_dyn_item(w->t, p), *b = cdi_dyn_item(w->t, q);
    cd_pair pair;
    if (!cd_test_aabb_aabb(a->box, b->box) || cdi_dyn_hidden(w, p) || cdi_dyn_hidden(w, q)) return true;
    pair.a = a->index < b->index ? a->index : b->index;
    pair.b = a->index < b->index ? b->index : a->index;
    if (w->options && w->options->filter && !w->options->filter(w->options->user, pair)) return true;
    return w->visit(w->user, pair);
}

static bool cdi_dyn_walk_moved(const cdi_dyn_pair_walk *w) {
    cdi_dyn_two path[CDI_DYN_LEVELS], *at = path;
    at->a = at->b = 0;
    at->todo = cdi_dyn_lanes_meeting(w->t, 0, 0);
    for (;;) {
        const cdi_bvh_node *n = cdi_dyn_node(w->t, at->a), *m = cdi_dyn_node(w->t, at->b);
        uint32_t bit;
        if (!at->todo) {
            if (at == path) return true;
            --at;
            continue;
        }
        bit = cdi_lowest_bit64(at->todo);
        at->todo &= at->todo - 1;
        if (n->height == 0) {
            if (!cdi_dyn_decide(w, n->child[bit >> 3], m->child[bit & 7u])) return false;
            continue;
        }
        ++at;
        at->a = n->child[bit >> 3];
        at->b = m->child[bit & 7u];
        at->todo = cdi_dyn_lanes_meeting(w->t, at->a, at->b);
    }
}

CDI_FN bool cdi_dyn_visit_moved(const cd_dyntree *t, const cd_bvh_pair_options *options,
                                cd_visit_pair_fn visit, void *user) {
    cdi_dyn_pair_walk w;
    if (!t->count) return true;
    w.t = t;
    w.ignored = options ? options->ignore_a | options->ignore_b : 0;
    w.options = options;
    w.visit = visit;
    w.user = user;
    return cdi_dyn_walk_moved(&w);
}

CDI_FN bool cdi_dyn_all_moved(const cd_dyntree *t) {
    for (uint32_t i = 0; i < t->node_count; ++i) {
        if (cdi_dyn_node(t, i)->moved != cdi_dyn_node(t, i)->lanes) return false;
    }
    return true;
}

/* Down where there are marks, and no farther. */
CDI_FN void cdi_dyn_forget_moves(cd_dyntree *t) {
    uint32_t todo[CDI_BVH_STACK], count = 1;
    todo[0] = 0;
    while (count > 0) {
        cdi_bvh_node *n = cdi_dyn_node(t, todo[--count]);
        for (uint32_t moved = n->height ? n->moved : 0; moved; moved &= moved - 1u)
            todo[count++] = n->child[cdi_lowest_bit(moved)];
        n->moved = 0;
    }
}

#undef CDI_DYN_LEVELS
