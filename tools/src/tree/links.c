#include "tree/links.h"
#include "tree/linear.h"

/* ---- begin and end ---- */

static void cdi_links_make_leaves(cdi_links *l) {
    for (uint32_t i = 0; i < l->b->count; ++i) {
        cdi_link *leaf = &l->link[i];
        cdi_clear(leaf, sizeof *leaf);
        leaf->box = l->b->box[i];
        leaf->parent = CD_NONE;
    }
}

/* A length of the tree's, times 2^-52; halves do not overflow. */
static double cdi_links_tiny(const cdi_builder *b) {
    cdi_box all = cdi_box_empty();
    double sum = 0.0;
    for (uint32_t i = 0; i < b->count; ++i) cdi_box_grow(&all, &b->box[i]);
    for (int k = 0; k < 3; ++k) sum += -0.125 * (double)all.v[4 + k] - 0.125 * (double)all.v[k];
    return sum * 1.7763568394002505e-15;
}

CDI_FN bool cdi_links_begin(cdi_links *l, cdi_builder *b) {
    l->b = b;
    l->root = 0;
    l->used = b->count;
    l->tiny = cdi_links_tiny(b);
    l->link = (cdi_link *)cdi_alloc(&b->allocator, 2 * (size_t)b->count - 1, sizeof *l->link);
    if (l->link) cdi_links_make_leaves(l);
    return l->link != NULL;
}

CDI_FN void cdi_links_end(cdi_links *l) {
    cdi_free(&l->b->allocator, l->link, 2 * (size_t)l->b->count - 1, sizeof *l->link);
}

/* The leaves tell their places: the builder's items follow. */
static void cdi_links_place(cdi_links *l) {
    for (uint32_t i = 0; i < l->b->count; ++i) l->link[i].right = l->b->order[i];
    for (uint32_t i = 0; i < l->b->count; ++i) {
        const cdi_link *leaf = &l->link[i];
        l->b->order[leaf->left] = leaf->right;
        l->b->box[leaf->left] = leaf->box;
    }
}

CDI_FN cd_status cdi_links_sort(cdi_links *l) {
    uint32_t n = l->b->count;
    cdi_item_key *keys = (cdi_item_key *)cdi_alloc(&l->b->allocator, 2 * (size_t)n, sizeof *keys), *sorted;
    cd_status status;
    if (!keys) return CD_OUT_OF_MEMORY;
    cdi_fill_codes(l->b, keys);
    sorted = cdi_sort_items(l->b, keys, n, CDI_CODE_BITS, 0.05, 0.1, &status);
    for (uint32_t i = 0; i < n && sorted; ++i) l->link[sorted[i].item].left = i;
    if (sorted) {
        cdi_links_place(l);
        cdi_links_make_leaves(l);
    }
    cdi_free(&l->b->allocator, keys, 2 * (size_t)n, sizeof *keys);
    return status;
}

/* ---- changing ---- */

/* False when nothing changes. */
static bool cdi_link_update(cdi_links *l, cdi_link *node) {
    const cdi_link *left = &l->link[node->left], *right = &l->link[node->right];
    uint32_t height = (left->height > right->height ? left->height : right->height) + 1;
    bool same = height == node->height;
    cdi_box box = left->box;
    cdi_box_grow(&box, &right->box);
    for (int i = 0; i < 8; ++i) same = same && box.v[i] >= node->box.v[i] && box.v[i] <= node->box.v[i];
    node->box = box;
    node->height = height;
    CDI_COUNT(build);
    return !same;
}

CDI_FN void cdi_link_join(cdi_links *l, uint32_t node, uint32_t left, uint32_t right) {
    cdi_link *to = &l->link[node];
    to->left = left;
    to->right = right;
    to->parent = CD_NONE;
    to->whole = 0;
    to->height = 0;
    to->box = cdi_box_empty();
    l->link[left].parent = l->link[right].parent = node;
    cdi_link_update(l, to);
}

CDI_FN void cdi_link_refit(cdi_links *l, uint32_t node) {
    while (node != CD_NONE && cdi_link_update(l, &l->link[node])) node = l->link[node].parent;
}

CDI_FN void cdi_link_replace(cdi_links *l, uint32_t node, uint32_t with) {
    uint32_t parent = l->link[node].parent;
    l->link[with].parent = parent;
    if (parent == CD_NONE) {
        l->root = with;
    } else if (l->link[parent].left == node) {
        l->link[parent].left = with;
    } else {
        l->link[parent].right = with;
    }
}

/* ---- sums ---- */

/* The leftmost item below. */
static uint32_t cdi_link_first(const cdi_links *l, uint32_t node) {
    while (!cdi_link_is_item(l, node)) node = l->link[node].left;
    return node;
}

/* Children come before their parents, left before right; CD_NONE after the root. No stack: trees may be very deep. */
static uint32_t cdi_link_after(const cdi_links *l, uint32_t node) {
    uint32_t parent = l->link[node].parent;
    if (node == l->root) return CD_NONE;
    return l->link[parent].left == node ? cdi_link_first(l, l->link[parent].right) : parent;
}

/* Is a node of more items than leaves should have to be one nevertheless, in a trimmed tree? */
static bool cdi_link_is_short(const cdi_builder *b, const cdi_link *node) {
    cdi_range r;
    if (!(b->options->leaf_extent > 0) || node->count <= b->leaf_size) return false;
    r.first = r.slot = r.depth = 0;
    r.count = node->count;
    r.box = r.middles = node->box;
    return cdi_range_is_leaf(b, &r);
}

static void cdi_link_sum(const cdi_links *l, cdi_link *node) {
    const cdi_link *left = &l->link[node->left], *right = &l->link[node->right];
    double area = cdi_box_measure(l, &node->box), together, apart;
    node->count = left->count + right->count;
    node->height = (left->height > right->height ? left->height : right->height) + 1;
    together = area * (double)node->count;
    apart = area + (left->cost + right->cost);
    node->whole = cdi_link_is_short(l->b, node) || (node->count <= l->b->leaf_size && together <= apart);
    node->cost = node->whole ? together : apart;
}

CDI_FN void cdi_links_sum(cdi_links *l) {
    uint32_t place = 0;
    for (uint32_t at = cdi_link_first(l, l->root); at != CD_NONE; at = cdi_link_after(l, at)) {
        cdi_link *node = &l->link[at];
        if (cdi_link_is_item(l, at)) {
            node->count = node->whole = 1;
            node->height = 0;
            node->cost = cdi_box_measure(l, &node->box);
            node->left = place++;
        } else {
            cdi_link_sum(l, node);
        }
    }
}

/* ---- the canonical tree ---- */

/* A node to be written, or already written as `slot`. */
typedef struct cdi_link_step {
    uint32_t link, slot, first, depth;
} cdi_link_step;

static cdi_range cdi_range_of_link(const cdi_links *l, const cdi_link_step *at) {
    cdi_range r;
    r.first = at->first;
    r.count = l->link[at->link].count;
    r.slot = at->slot;
    r.depth = at->depth;
    r.box = r.middles = l->link[at->link].box;
    return r;
}

/* Halving adds so few levels that a node of the last level that is joined by cost always has room for it. */
static bool cdi_link_is_too_deep(const cdi_link *node, uint32_t depth) {
    return depth >= CDI_COST_DEPTH && depth + node->height >= CDI_BINARY_DEPTH;
}

/* Writes a node; true, with the children to go on with, when it is an inner one. */
static bool cdi_write_link(const cdi_links *l, const cdi_link_step *at, cdi_link_step *left,
                           cdi_link_step *right) {
    const cdi_link *node = &l->link[at->link];
    cdi_range r = cdi_range_of_link(l, at), a, b;
    if (node->whole) {
        cdi_write_leaf(l->b, &r);
        return false;
    }
    if (cdi_link_is_too_deep(node, at->depth)) {
        cdi_build_halved(l->b, &r);
        return false;
    }
    a.count = l->link[node->left].count;
    cdi_write_inner(l->b, &r, &a, &b);
    left->link = node->left;
    left->first = at->first;
    left->slot = a.slot;
    right->link = node->right;
    right->first = at->first + a.count;
    right->slot = b.slot;
    left->depth = right->depth = a.depth;
    return true;
}

CDI_FN void cdi_links_write(cdi_links *l) {
    cdi_link_step todo[CDI_BINARY_DEPTH + 1], at, left;
    uint32_t count = 0;
    cdi_links_sum(l);
    cdi_links_place(l);
    cdi_clear(&todo[0], sizeof todo[0]);
    todo[count++].link = l->root;
    while (count > 0) {
        at = todo[--count];
        while (cdi_write_link(l, &at, &left, &todo[count])) {
            at = left;
            ++count;
        }
    }
}
