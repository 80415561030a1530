#include "tree/insertion.h"

#define CDI_HOPES  64u  /* nodes that are remembered */
#define CDI_VISITS 256u /* nodes that are looked at */
#define CDI_ROUNDS 24u

/* ---- branch and bound ---- */

/* A node whose places may be best: `added` is what the boxes above it grow. */
typedef struct cdi_hope {
    double added;
    uint32_t node, depth;
} cdi_hope;

/* A heap, the least added first. A new hope that has no room is given up. */
typedef struct cdi_hopes {
    cdi_hope hope[CDI_HOPES];
    uint32_t count;
} cdi_hopes;

static void cdi_hope_add(cdi_hopes *q, cdi_hope hope) {
    uint32_t at = q->count;
    if (q->count == CDI_HOPES) return;
    ++q->count;
    for (; at > 0 && hope.added < q->hope[(at - 1) / 2].added; at = (at - 1) / 2) {
        q->hope[at] = q->hope[(at - 1) / 2];
    }
    q->hope[at] = hope;
}

static cdi_hope cdi_hope_take(cdi_hopes *q) {
    cdi_hope taken = q->hope[0], moved = q->hope[--q->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < q->count; at = child) {
        if (child + 1 < q->count && q->hope[child + 1].added < q->hope[child].added) ++child;
        if (moved.added <= q->hope[child].added) break;
        q->hope[at] = q->hope[child];
    }
    q->hope[at] = moved;
    return taken;
}

static bool cdi_place_is_shallow(const cdi_links *l, const cdi_hope *at, uint32_t height) {
    uint32_t below = l->link[at->node].height > height ? l->link[at->node].height : height;
    return at->depth + 1 + below < CDI_BINARY_DEPTH;
}

CDI_FN void cdi_find_place(const cdi_links *l, const cdi_box *box, uint32_t height, cdi_nest *best) {
    double own = cdi_box_measure(l, box);
    cdi_hopes q;
    cdi_hope at;
    q.count = 0;
    at.added = 0.0;
    at.node = l->root;
    at.depth = 0;
    cdi_hope_add(&q, at);
    for (uint32_t visits = 0; visits < CDI_VISITS && q.count > 0; ++visits) {
        const cdi_link *node;
        double joint;
        at = cdi_hope_take(&q);
        if (at.added + own >= best->cost) break;
        node = &l->link[at.node];
        joint = cdi_joint_measure(l, &node->box, box);
        if (at.added + joint < best->cost && cdi_place_is_shallow(l, &at, height)) {
            best->cost = at.added + joint;
            best->node = at.node;
        }
        at.added += joint - cdi_box_measure(l, &node->box);
        if (cdi_link_is_item(l, at.node) || node->whole || at.added + own >= best->cost) continue;
        ++at.depth;
        at.node = node->left;
        cdi_hope_add(&q, at);
        at.node = node->right;
        cdi_hope_add(&q, at);
    }
}

CDI_FN void cdi_link_insert(cdi_links *l, uint32_t place, uint32_t node, uint32_t parent) {
    uint32_t above = l->link[place].parent;
    cdi_link_replace(l, place, parent);
    cdi_link_join(l, parent, place, node);
    l->link[parent].parent = above;
    cdi_link_refit(l, above);
}

/* ---- the builder ---- */

/* Where all places below are as good, as in a heap of equal boxes, down to where the tree is least high: n items then
 * make it log n high. */
static uint32_t cdi_lowest_place(const cdi_links *l, uint32_t place, const cdi_box *box) {
    double joint = cdi_joint_measure(l, &l->link[place].box, box);
    while (!cdi_link_is_item(l, place)) {
        const cdi_link *node = &l->link[place];
        uint32_t left = node->left, right = node->right;
        uint32_t next = l->link[right].height < l->link[left].height ? right : left;
        double added = joint - cdi_box_measure(l, &node->box);
        double below = cdi_joint_measure(l, &l->link[next].box, box);
        if (added > 0.0 || below < joint || below > joint) break;
        place = next;
    }
    return place;
}

static void cdi_insert_item(cdi_links *l, uint32_t item) {
    cdi_nest best;
    const cdi_box *box = &l->link[item].box;
    best.node = CD_NONE;
    best.cost = cdi_infinity();
    cdi_find_place(l, box, 0, &best);
    if (best.node == CD_NONE) best.node = l->root;
    cdi_link_insert(l, cdi_lowest_place(l, best.node, box), item, l->used++);
}

/* The round in which an item comes: each but the last has about half as many as the next. */
static uint32_t cdi_insertion_round(uint32_t item) {
    uint64_t z = (item + (uint64_t)1) * 0x9E3779B97F4A7C15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return cdi_lowest_bit64((z ^ (z >> 31)) | (uint64_t)1 << (CDI_ROUNDS - 1));
}

static bool cdi_insert_all(cdi_links *l) {
    uint32_t n = l->b->count, inserted = 0;
    for (uint32_t round = CDI_ROUNDS; round-- > 0;) {
        for (uint32_t i = 0; i < n; ++i) {
            if (cdi_insertion_round(i) != round) continue;
            if (inserted) {
                cdi_insert_item(l, i);
            } else {
                l->root = i;
            }
            if ((++inserted & 0xFFFu) == 0 && !cdi_tell_progress(l->b, 0.1 + 0.65 * inserted / n))
                return false;
        }
    }
    return true;
}

CDI_FN cd_status cdi_build_inserted(cdi_builder *b) {
    cdi_links l;
    cd_status status = cdi_links_begin(&l, b) ? cdi_links_sort(&l) : CD_OUT_OF_MEMORY;
    if (status == CD_OK && !cdi_insert_all(&l)) status = CD_CANCELLED;
    if (status == CD_OK) {
        cdi_links_write(&l);
        status = cdi_tell_progress(b, 0.8) ? CD_OK : CD_CANCELLED;
    }
    cdi_links_end(&l);
    return status;
}

#undef CDI_HOPES
#undef CDI_VISITS
#undef CDI_ROUNDS
