#include "tree/insertion.h"
#include "tree/keys.h"
#include "tree/reinsertion.h"

/* ---- from the canonical tree to a linked one ---- */

/* A subtree to be linked: of the canonical node `slot`, or of a part of a leaf (CD_NONE). */
typedef struct cdi_unlinked {
    uint32_t slot, first, count;
    uint32_t parent; /* CD_NONE: none */
} cdi_unlinked;

/* The node of `at` below its parent, with the first child to go on with in `at`, the other in `right`; false for an
 * item. */
static bool cdi_link_canonical(cdi_links *l, cdi_unlinked *at, cdi_unlinked *right) {
    const cdi_binary_node *node = at->slot == CD_NONE ? NULL : &l->b->node[at->slot];
    uint32_t number;
    if (node && node->count) {
        at->slot = CD_NONE;
        at->first = node->next;
        at->count = node->count;
    }
    number = at->slot == CD_NONE && at->count == 1 ? at->first : l->used++;
    l->link[number].parent = at->parent;
    if (at->parent == CD_NONE) {
        l->root = number;
    } else if (l->link[at->parent].left == CD_NONE) {
        l->link[at->parent].left = number;
    } else {
        l->link[at->parent].right = number;
    }
    if (cdi_link_is_item(l, number)) return false;
    l->link[number].left = CD_NONE;
    l->link[number].whole = 0;
    at->parent = number;
    *right = *at;
    if (at->slot != CD_NONE) {
        right->slot = node->next;
        ++at->slot;
    } else {
        at->count /= 2;
        right->first += at->count;
        right->count -= at->count;
    }
    return true;
}

/* Parents have lower numbers than their children, among the nodes that are no items. */
static void cdi_link_all(cdi_links *l) {
    cdi_unlinked todo[CDI_BINARY_DEPTH + 8], at;
    uint32_t count = 0;
    cdi_clear(&todo[0], sizeof todo[0]);
    todo[count++].parent = CD_NONE;
    while (count > 0) {
        at = todo[--count];
        while (cdi_link_canonical(l, &at, &todo[count])) ++count;
    }
    for (uint32_t i = l->used; i-- > l->b->count;) {
        uint32_t parent = l->link[i].parent;
        cdi_link_join(l, i, l->link[i].left, l->link[i].right);
        l->link[i].parent = parent;
    }
}

/* What is inside of a leaf stays there. */
static void cdi_close_leaves(cdi_links *l) {
    for (uint32_t i = l->b->count; i < l->used; ++i) {
        cdi_link *node = &l->link[i];
        if (node->parent != CD_NONE && l->link[node->parent].whole) node->whole = 2;
    }
    for (uint32_t i = 0; i < l->b->count; ++i) {
        uint32_t parent = l->link[i].parent;
        l->link[i].whole = parent != CD_NONE && l->link[parent].whole ? 2 : 1;
    }
}

/* ---- moving ---- */

/* What the place of `node`, a sibling of `sibling`, has added to the sum of areas. */
static double cdi_cost_of_place(const cdi_links *l, uint32_t node, uint32_t sibling) {
    const cdi_box *box = &l->link[node].box;
    double cost = cdi_joint_measure(l, &l->link[sibling].box, box);
    for (uint32_t at = l->link[sibling].parent; at != CD_NONE; at = l->link[at].parent) {
        cost += cdi_joint_measure(l, &l->link[at].box, box) - cdi_box_measure(l, &l->link[at].box);
    }
    return cost;
}

/* Takes a node out and puts it at the best place, which may be where it was; the root and its children's parent go along.
 * Moves that gain next to nothing are not made: they may be rounding. */
static bool cdi_reinsert(cdi_links *l, uint32_t node) {
    uint32_t parent = l->link[node].parent, sibling;
    cdi_nest best;
    if (parent == CD_NONE) return false;
    sibling = l->link[parent].left == node ? l->link[parent].right : l->link[parent].left;
    cdi_link_replace(l, parent, sibling);
    cdi_link_refit(l, l->link[sibling].parent);
    best.node = sibling;
    best.cost = cdi_cost_of_place(l, node, sibling) * 0.999999;
    cdi_find_place(l, &l->link[node].box, l->link[node].height, &best);
    cdi_link_insert(l, best.node, node, parent);
    return best.node != sibling;
}

/* ---- passes ---- */

/* The nodes that may move, as keys: those with the largest boxes come first when they are sorted. */
static uint32_t cdi_list_moves(const cdi_links *l, cdi_item_key *moves) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->used; ++i) {
        if (l->link[i].whole == 2) continue;
        moves[count].code = ~cdi_bits(cdi_box_measure(l, &l->link[i].box));
        moves[count].unused = 0;
        moves[count++].item = i;
    }
    return count;
}

/* One pass over all, and how many moved. */
static cd_status cdi_reinsert_all(cdi_links *l, cdi_item_key *moves, uint32_t pass, uint32_t *moved) {
    uint32_t count = cdi_list_moves(l, moves);
    double step = 0.05 / (double)l->b->options->optimise, from = 0.8 + step * (double)pass;
    cd_status status;
    moves = cdi_sort_items(l->b, moves, count, 64, from, from, &status);
    if (!moves) return status;
    *moved = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (cdi_reinsert(l, moves[i].item)) ++*moved;
        if ((i & 0xFFFu) == 0 && !cdi_tell_progress(l->b, from + step * (double)i / (double)count))
            return CD_CANCELLED;
    }
    return CD_OK;
}

static cd_status cdi_optimise_links(cdi_links *l, cdi_item_key *moves) {
    uint32_t moved = 1;
    cd_status status = CD_OK;
    cdi_link_all(l);
    cdi_links_sum(l);
    cdi_close_leaves(l);
    for (uint32_t pass = 0; pass < l->b->options->optimise && moved > 0 && status == CD_OK; ++pass)
        status = cdi_reinsert_all(l, moves, pass, &moved);
    if (status != CD_OK) return status;
    cdi_links_write(l);
    return cdi_tell_progress(l->b, 0.85) ? CD_OK : CD_CANCELLED;
}

CDI_FN cd_status cdi_optimise(cdi_builder *b) {
    size_t most = 2 * (2 * (size_t)b->count - 1);
    cdi_item_key *moves = (cdi_item_key *)cdi_alloc(&b->allocator, most, sizeof *moves);
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_links l;
    if (cdi_links_begin(&l, b) && moves) status = cdi_optimise_links(&l, moves);
    cdi_links_end(&l);
    cdi_free(&b->allocator, moves, most, sizeof *moves);
    return status;
}
