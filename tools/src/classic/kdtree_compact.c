#include "classic/kdtree_compact.h"

#ifndef COLLIDE_NO_CLASSIC

#include "core/memory.h"
#include "core/vec3d.h"
#include "query/test.h"

#define CDI_KD_MAGIC   0x434B4443u /* CDKC */
#define CDI_KD_VERSION 1u
#define CDI_KD_DEPTH   64u         /* nodes on a path */
#define CDI_KD_BLOCKS  320u        /* subtrees that wait: sixteen for each that a path goes through */
#define CDI_KD_MOST    0x4000000u  /* items */
#define CDI_KD_SPARE   3u          /* so often an item may be in a list more than once */
#define CDI_KD_BUILD   136u        /* bytes an item */
#define CDI_KD_LINE    16u         /* words */
#define CDI_KD_LEAF    3u          /* in the lowest bits; alone it is the leaf without items */
#define CDI_KD_LIST    0x80000000u /* a list begins, with so many items */

/* header | nodes | lists, each a list word and the items; the first list is the one without items. */
typedef struct cdi_kd_header {
    uint32_t magic, version, words, list_words;
    uint32_t levels; /* of the topmost subtree */
    uint32_t items, nodes, entries, depth;
    uint32_t zero[7];
} cdi_kd_header;

typedef struct cdi_kd {
    const cdi_kd_header *header;
    const uint32_t *word, *list;
} cdi_kd;

static bool cdi_kd_open(cdi_kd *t, const cd_kdtree_compact *tree) {
    t->header = (const cdi_kd_header *)tree->block;
    t->word = t->list = NULL;
    if (!tree->block) return false;
    t->word = (const uint32_t *)(const void *)(t->header + 1);
    t->list = t->word + t->header->words;
    return true;
}

/* ---- nodes ---- */

static bool cdi_kd_is_leaf(uint32_t word) {
    return (word & 3u) == CDI_KD_LEAF;
}

static float cdi_kd_float(uint32_t bits) {
    float f;
    cdi_copy(&f, &bits, sizeof f);
    return f;
}

/* Where the plane of an inner node is. */
static double cdi_kd_plane(uint32_t word) {
    return (double)cdi_kd_float(word & ~3u);
}

/* A node: node `index` of the subtree at a word, breadth first. */
typedef struct cdi_kd_node {
    uint32_t block, levels, index;
} cdi_kd_node;

/* The words of a subtree: nodes and link; a single leaf has no link. */
static uint32_t cdi_kd_words(uint32_t levels) {
    return levels == 1 ? 1u : 1u << levels;
}

/* How many nodes of the bottom row before `index` have children. */
static uint32_t cdi_kd_parents_before(const uint32_t *block, uint32_t levels, uint32_t index) {
    uint32_t parents = 0;
    for (uint32_t i = (1u << (levels - 1)) - 1u; i < index; ++i) parents += !cdi_kd_is_leaf(block[i]);
    return parents;
}

/* From an inner node to its left or right child. */
static void cdi_kd_go(const cdi_kd *t, cdi_kd_node *at, uint32_t right) {
    const uint32_t *block = t->word + at->block;
    uint32_t nodes = (1u << at->levels) - 1u, below = 2 * at->index + 1 + right, rank, link;
    if (below < nodes) {
        at->index = below;
        return;
    }
    rank = 2 * cdi_kd_parents_before(block, at->levels, at->index) + right;
    link = block[nodes];
    at->levels = (link & 3u) + 1;
    at->block = (link & ~3u) + rank * cdi_kd_words(at->levels);
    at->index = 0;
}

static uint32_t cdi_kd_word(const cdi_kd *t, const cdi_kd_node *at) {
    return t->word[at->block + at->index];
}

static void cdi_kd_root(const cdi_kd *t, cdi_kd_node *root) {
    root->block = root->index = 0;
    root->levels = t->header->levels;
}

/* Where an array of subtrees may begin, so that none lies in two lines and links count in fours. */
static uint32_t cdi_kd_aligned(uint32_t words, uint32_t levels) {
    uint32_t step = levels < 3 ? 4u : 1u << levels;
    return (words + step - 1) & ~(step - 1);
}

/* ---- building: the binary tree ---- */

/* Nodes in preorder, the left child next; the items of nodes that wait are a stack of runs, the topmost being the next. */
typedef struct cdi_kd_builder {
    const cd_aabb *boxes;
    double *key;
    uint32_t *word, *right, *stack, *run, *list;
    unsigned char *height;
    uint32_t leaf_size, nodes, top, list_words, entries, depth;
} cdi_kd_builder;

/* A run on the stack, and how many of its items may yet be put on both sides of planes below it; whose right child it is. */
typedef struct cdi_kd_run {
    uint32_t count, spare, depth, parent;
} cdi_kd_run;

typedef struct cdi_kd_cut {
    int axis;
    uint32_t word, left, right;
} cdi_kd_cut;

static double cdi_kd_get(cd_vec3 v, int axis) {
    return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z);
}

static double cdi_kd_middle(cd_aabb b, int axis) {
    return 0.5 * cdi_kd_get(b.min, axis) + 0.5 * cdi_kd_get(b.max, axis);
}

/* Puts the smallest keys first, so that key[k] is where sorting would put it. No more than 64 rounds: then it is about there. */
static void cdi_kd_select(double *key, uint32_t count, uint32_t k) {
    uint32_t lo = 0, hi = count - 1;
    for (int round = 0; round < 64 && lo < hi; ++round) {
        double pivot = key[lo + (hi - lo) / 2];
        uint32_t i = lo, j = hi;
        for (;;) {
            double swap;
            while (key[i] < pivot) ++i;
            while (key[j] > pivot) --j;
            if (i >= j) break;
            swap = key[i];
            key[i++] = key[j];
            key[j--] = swap;
        }
        if (key[j] > pivot) --j; /* they met on one of the upper side */
        if (k <= j) {
            hi = j;
        } else {
            lo = j + 1;
        }
    }
}

/* A float with two bits to spare, if there is one above `below` and not above `at`. */
static uint32_t cdi_kd_between(double below, double at) {
    const double most = 3.4028230607370965e38;
    float f = cdi_nearest_float(cdi_clamp(0.5 * below + 0.5 * at, -most, most));
    uint32_t bits;
    cdi_copy(&bits, &f, sizeof bits);
    bits &= ~3u;
    if (f > 0.0f && (double)cdi_kd_float(bits) <= below && (bits & 0x7FFFFFFCu) < 0x7F7FFFFCu) bits += 4;
    if (f < 0.0f && (double)cdi_kd_float(bits) > at && (bits & 0x7FFFFFFCu) < 0x7F7FFFFCu) bits += 4;
    return bits;
}

/* Between the lower half of the middles and the upper one, which begins where the median's equals do. */
static uint32_t cdi_kd_median(cdi_kd_builder *b, const uint32_t *items, uint32_t count, int axis) {
    double at, below = -CDI_HUGE, above = CDI_HUGE;
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) b->key[i] = cdi_kd_middle(b->boxes[items[i]], axis);
    cdi_kd_select(b->key, count, count / 2);
    at = b->key[count / 2];
    for (uint32_t i = 0; i < count; ++i) {
        double key = b->key[i];
        any = any || key < at;
        if (key < at && key > below) below = key;
        if (key > at && key < above) above = key;
    }
    return any ? cdi_kd_between(below, at) : cdi_kd_between(at, above);
}

/* Which sides of a plane a box reaches. */
static bool cdi_kd_reaches_left(cd_aabb box, int axis, double plane) {
    return cdi_kd_get(box.min, axis) < plane;
}
static bool cdi_kd_reaches_right(cd_aabb box, int axis, double plane) {
    return cdi_kd_get(box.max, axis) >= plane;
}

/* Can a run be cut across an axis? Both sides have to be smaller, and few items on both. */
static bool cdi_kd_cut_across(cdi_kd_builder *b, const uint32_t *items, const cdi_kd_run *run, int axis,
                              cdi_kd_cut *out) {
    uint32_t bits = cdi_kd_median(b, items, run->count, axis), twice;
    double plane = cdi_kd_plane(bits);
    out->axis = axis;
    out->word = bits | (uint32_t)axis;
    out->left = out->right = 0;
    for (uint32_t i = 0; i < run->count; ++i) {
        cd_aabb box = b->boxes[items[i]];
        out->left += cdi_kd_reaches_left(box, axis, plane);
        out->right += cdi_kd_reaches_right(box, axis, plane);
    }
    twice = out->left + out->right - run->count;
    return out->left < run->count && out->right < run->count && twice <= run->spare &&
           twice <= run->count / 2;
}

/* How far the middles reach along the axes; the axes by that. */
static void cdi_kd_order_axes(const cdi_kd_builder *b, const uint32_t *items, uint32_t count, int order[3]) {
    double reach[3];
    for (int k = 0; k < 3; ++k) {
        double lo = CDI_HUGE, hi = -CDI_HUGE;
        for (uint32_t i = 0; i < count; ++i) {
            double m = cdi_kd_middle(b->boxes[items[i]], k);
            lo = cdi_min(lo, m);
            hi = cdi_max(hi, m);
        }
        reach[k] = 0.5 * hi - 0.5 * lo;
        order[k] = k;
    }
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2 - i; ++k) {
            int swap = order[k];
            if (!(reach[order[k]] < reach[order[k + 1]])) continue;
            order[k] = order[k + 1];
            order[k + 1] = swap;
        }
    }
}

static bool cdi_kd_find_cut(cdi_kd_builder *b, const uint32_t *items, const cdi_kd_run *run,
                            cdi_kd_cut *out) {
    int order[3];
    if (run->count <= b->leaf_size || run->depth == CDI_KD_DEPTH) return false;
    cdi_kd_order_axes(b, items, run->count, order);
    for (int i = 0; i < 3; ++i) {
        if (cdi_kd_cut_across(b, items, run, order[i], out)) return true;
    }
    return false;
}

static uint32_t cdi_kd_write_list(cdi_kd_builder *b, const uint32_t *items, uint32_t count) {
    uint32_t leaf = b->list_words;
    b->list[b->list_words++] = CDI_KD_LIST | count;
    cdi_copy(b->list + b->list_words, items, count * sizeof *items);
    b->list_words += count;
    b->entries += count;
    return leaf << 2 | CDI_KD_LEAF;
}

/* Takes the topmost run off the stack and puts the items of its right side there, then those of its left one. */
static void cdi_kd_part(cdi_kd_builder *b, const cdi_kd_run *run, const cdi_kd_cut *cut) {
    double plane = cdi_kd_plane(cut->word);
    b->top -= run->count;
    cdi_copy(b->run, b->stack + b->top, run->count * sizeof *b->run);
    for (uint32_t i = 0; i < run->count; ++i) {
        if (cdi_kd_reaches_right(b->boxes[b->run[i]], cut->axis, plane)) b->stack[b->top++] = b->run[i];
    }
    for (uint32_t i = 0; i < run->count; ++i) {
        if (cdi_kd_reaches_left(b->boxes[b->run[i]], cut->axis, plane)) b->stack[b->top++] = b->run[i];
    }
}

/* What is left of the spare ones goes to both sides by their counts. */
static void cdi_kd_children(const cdi_kd_run *run, const cdi_kd_cut *cut, uint32_t node, cdi_kd_run *left,
                            cdi_kd_run *right) {
    uint32_t both = cut->left + cut->right, spare = run->spare - (both - run->count);
    left->count = cut->left;
    left->spare = (uint32_t)((uint64_t)spare * cut->left / both);
    left->depth = run->depth + 1;
    left->parent = CD_NONE;
    right->count = cut->right;
    right->spare = spare - left->spare;
    right->depth = run->depth + 1;
    right->parent = node;
}

static void cdi_kd_grow(cdi_kd_builder *b, uint32_t count) {
    cdi_kd_run todo[CDI_KD_DEPTH + 1];
    uint32_t waiting = 1;
    todo[0].count = count;
    todo[0].spare = CDI_KD_SPARE * count;
    todo[0].depth = 1;
    todo[0].parent = CD_NONE;
    for (b->top = 0; b->top < count; ++b->top) b->stack[b->top] = b->top;
    while (waiting > 0) {
        cdi_kd_run run = todo[--waiting];
        const uint32_t *items = b->stack + (b->top - run.count);
        uint32_t node = b->nodes++;
        cdi_kd_cut cut;
        if (run.parent != CD_NONE) b->right[run.parent] = node;
        if (run.depth > b->depth) b->depth = run.depth;
        if (cdi_kd_find_cut(b, items, &run, &cut)) {
            b->word[node] = cut.word;
            cdi_kd_part(b, &run, &cut);
            cdi_kd_children(&run, &cut, node, &todo[waiting + 1], &todo[waiting]);
            waiting += 2;
        } else {
            b->word[node] = cdi_kd_write_list(b, items, run.count);
            b->top -= run.count;
        }
    }
    for (uint32_t i = b->nodes; i-- > 0;) {
        uint32_t left = 0, right = 0;
        if (!cdi_kd_is_leaf(b->word[i])) {
            left = b->height[i + 1];
            right = b->height[b->right[i]];
        }
        b->height[i] = (unsigned char)(1 + (left > right ? left : right));
    }
}

/* ---- building: from the binary tree to lines ---- */

/* A subtree that waits for its turn. */
typedef struct cdi_kd_block {
    uint32_t at, levels, depth, node; /* `node` of the binary tree */
} cdi_kd_block;

/* The fifteen nodes at most of a subtree, breadth first; CD_NONE below leaves. */
static void cdi_kd_gather(const cdi_kd_builder *b, uint32_t root, uint32_t levels, uint32_t node[15]) {
    uint32_t nodes = (1u << levels) - 1u;
    node[0] = root;
    for (uint32_t i = 0; 2 * i + 2 < nodes; ++i) {
        bool inner = node[i] != CD_NONE && !cdi_kd_is_leaf(b->word[node[i]]);
        node[2 * i + 1] = inner ? node[i] + 1 : CD_NONE;
        node[2 * i + 2] = inner ? b->right[node[i]] : CD_NONE;
    }
}

/* The subtrees below one, from left to right: at most sixteen. */
static uint32_t cdi_kd_below(const cdi_kd_builder *b, uint32_t levels, const uint32_t node[15],
                             uint32_t child[16]) {
    uint32_t count = 0;
    for (uint32_t i = (1u << (levels - 1)) - 1u; i < (1u << levels) - 1u; ++i) {
        if (node[i] == CD_NONE || cdi_kd_is_leaf(b->word[node[i]])) continue;
        child[count++] = node[i] + 1;
        child[count++] = b->right[node[i]];
    }
    return count;
}

/* How many nodes the topmost levels of a subtree have. */
static uint32_t cdi_kd_nodes_in(const cdi_kd_builder *b, uint32_t root, uint32_t levels) {
    uint32_t node[15], count = 0;
    cdi_kd_gather(b, root, levels, node);
    for (uint32_t i = 0; i < (1u << levels) - 1u; ++i) count += node[i] != CD_NONE;
    return count;
}

/* How many levels subtrees side by side get: one, where all are leaves; else as many of two, three and four as leave
 * the least of the words unused, four of equal ones. */
static uint32_t cdi_kd_levels(const cdi_kd_builder *b, const uint32_t *node, uint32_t count) {
    uint32_t best = 1, best_nodes = 1, highest = 1;
    for (uint32_t i = 0; i < count; ++i) {
        if (b->height[node[i]] > highest) highest = b->height[node[i]];
    }
    for (uint32_t levels = highest < 4 ? highest : 4; levels > 1; --levels) {
        uint32_t nodes = 0;
        for (uint32_t i = 0; i < count; ++i) nodes += cdi_kd_nodes_in(b, node[i], levels);
        if (best > 1 && nodes * cdi_kd_words(best) <= best_nodes * cdi_kd_words(levels)) continue;
        best = levels;
        best_nodes = nodes;
    }
    return best;
}

/* Lays all subtrees out, depth first, those below one side by side, the topmost of so many levels; returns how many words it took.
 * Without `words` it only counts. */
static uint32_t cdi_kd_lay_out(const cdi_kd_builder *b, uint32_t top_levels, uint32_t *words) {
    cdi_kd_block todo[CDI_KD_BLOCKS], block;
    uint32_t waiting = 1, used, node[15], child[16];
    todo[0].at = todo[0].node = todo[0].depth = 0;
    todo[0].levels = top_levels;
    used = cdi_kd_words(todo[0].levels);
    while (waiting > 0) {
        uint32_t below, levels, nodes;
        block = todo[--waiting];
        nodes = (1u << block.levels) - 1u;
        cdi_kd_gather(b, block.node, block.levels, node);
        for (uint32_t i = 0; words && i < nodes; ++i)
            words[block.at + i] = node[i] == CD_NONE ? CDI_KD_LEAF : b->word[node[i]];
        if (block.levels == 1) continue;
        below = cdi_kd_below(b, block.levels, node, child);
        levels = cdi_kd_levels(b, child, below);
        if (below > 0) used = cdi_kd_aligned(used, levels);
        if (words) words[block.at + nodes] = below > 0 ? used | (levels - 1) : 0;
        for (uint32_t i = below; i-- > 0;) {
            todo[waiting].at = used + i * cdi_kd_words(levels);
            todo[waiting].levels = levels;
            todo[waiting].depth = block.depth + block.levels;
            todo[waiting++].node = child[i];
        }
        used += below * cdi_kd_words(levels);
    }
    return (used + CDI_KD_LINE - 1) & ~(CDI_KD_LINE - 1);
}

/* ---- building: the block ---- */

/* Memory for a build over so many items: in four lists each at most, so that there are no more leaves than that. */
static unsigned char *cdi_kd_take(cdi_kd_builder *b, const cd_allocator *allocator, size_t count) {
    unsigned char *memory = (unsigned char *)cdi_alloc(allocator, count, CDI_KD_BUILD);
    if (!memory) return NULL;
    b->key = (double *)(void *)memory;
    b->word = (uint32_t *)(void *)(b->key + count);
    b->right = b->word + 8 * count;
    b->stack = b->right + 8 * count;
    b->run = b->stack + 4 * count;
    b->list = b->run + count;
    b->height = (unsigned char *)(b->list + 9 * count);
    return memory;
}

/* Where the topmost subtree ends decides where all others do: the number of levels that takes the fewest words. */
static uint32_t cdi_kd_top_levels(const cdi_kd_builder *b, uint32_t *words) {
    uint32_t most = b->height[0] < 4 ? b->height[0] : 4, best = most;
    *words = cdi_kd_lay_out(b, most, NULL);
    for (uint32_t levels = most; levels-- > 2;) {
        uint32_t needed = cdi_kd_lay_out(b, levels, NULL);
        if (needed >= *words) continue;
        *words = needed;
        best = levels;
    }
    return best;
}

static cd_status cdi_kd_store(cd_kdtree_compact *out, const cdi_kd_builder *b, uint32_t count) {
    uint32_t words, levels = cdi_kd_top_levels(b, &words);
    size_t bytes = sizeof(cdi_kd_header) + ((size_t)words + b->list_words) * sizeof(uint32_t);
    cdi_kd_header *h = (cdi_kd_header *)cdi_alloc(&out->allocator, bytes, 1);
    uint32_t *word;
    if (!h) return CD_OUT_OF_MEMORY;
    cdi_clear(h, sizeof *h);
    h->magic = CDI_KD_MAGIC;
    h->version = CDI_KD_VERSION;
    h->words = words;
    h->list_words = b->list_words;
    h->levels = levels;
    h->items = count;
    h->nodes = b->nodes;
    h->entries = b->entries;
    h->depth = b->depth;
    word = (uint32_t *)(void *)(h + 1);
    for (uint32_t i = 0; i < words; ++i) word[i] = CDI_KD_LEAF;
    cdi_kd_lay_out(b, levels, word);
    cdi_copy(word + words, b->list, b->list_words * sizeof(uint32_t));
    out->block = h;
    out->bytes = bytes;
    out->owned = 1;
    return CD_OK;
}

/* Not empty, and without NaN. */
static bool cdi_kd_holds_something(cd_aabb b) {
    return b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z;
}

static bool cdi_kd_box_is_sound(cd_aabb b) {
    return cdi_v3_finite(cdi_v3_of(b.min)) && cdi_v3_finite(cdi_v3_of(b.max)) && cdi_kd_holds_something(b);
}

CD_API cd_status cd_kdtree_compact_build(cd_kdtree_compact *out, const cd_aabb *boxes, uint32_t count,
                                         uint32_t leaf_size, const cd_allocator *allocator) {
    cdi_kd_builder b;
    unsigned char *memory;
    cd_status status;
    cdi_clear(out, sizeof *out);
    for (uint32_t i = 0; i < count; ++i) {
        if (!cdi_kd_box_is_sound(boxes[i])) return CD_INVALID_ARGUMENT;
    }
    if (count > CDI_KD_MOST) return CD_TOO_LARGE;
    if (count == 0) return CD_OK;
    cdi_clear(&b, sizeof b);
    memory = cdi_kd_take(&b, allocator, count);
    if (!memory) return CD_OUT_OF_MEMORY;
    b.boxes = boxes;
    b.leaf_size = leaf_size ? leaf_size : 4;
    b.list[b.list_words++] = CDI_KD_LIST;
    cdi_kd_grow(&b, count);
    if (allocator) out->allocator = *allocator;
    status = cdi_kd_store(out, &b, count);
    cdi_free(allocator, memory, count, CDI_KD_BUILD);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

CD_API void cd_kdtree_compact_destroy(cd_kdtree_compact *tree) {
    if (tree->owned) cdi_free(&tree->allocator, (void *)tree->block, tree->bytes, 1);
    cdi_clear(tree, sizeof *tree);
}

/* ---- checking ---- */

/* One list after another, of items that there are. */
static bool cdi_kd_lists_are_sound(const cdi_kd *t) {
    uint32_t words = t->header->list_words, i = 0, entries = 0;
    if (words == 0 || t->list[0] != CDI_KD_LIST) return false;
    while (i < words) {
        uint32_t count = t->list[i] & ~CDI_KD_LIST;
        if (!(t->list[i] & CDI_KD_LIST) || count > words - 1 - i) return false;
        for (uint32_t k = 1; k <= count; ++k) {
            if (t->list[i + k] >= t->header->items || t->list[i + k] >= CDI_KD_LIST) return false;
        }
        i += 1 + count;
        entries += count;
    }
    return entries == t->header->entries;
}

/* A node as such: a plane that is a number, a list that begins there; below leaves there is nothing. */
static bool cdi_kd_node_is_sound(const cdi_kd *t, const uint32_t *block, uint32_t i) {
    uint32_t word = block[i];
    if (i > 0 && cdi_kd_is_leaf(block[(i - 1) / 2]) && word != CDI_KD_LEAF) return false;
    if (cdi_kd_is_leaf(word)) return word >> 2 < t->header->list_words && (t->list[word >> 2] & CDI_KD_LIST);
    return (word & 0x7F800000u) != 0x7F800000u;
}

/* The nodes of a subtree, and how many of them there are, whose parent is a node. */
static bool cdi_kd_block_is_sound(const cdi_kd *t, const cdi_kd_block *b, uint32_t *nodes) {
    const uint32_t *block = t->word + b->at;
    for (uint32_t i = 0; i < (1u << b->levels) - 1u; ++i) {
        uint32_t depth = b->depth + 1;
        for (uint32_t k = i; k > 0; k = (k - 1) / 2) ++depth;
        if (!cdi_kd_node_is_sound(t, block, i)) return false;
        if (i > 0 && cdi_kd_is_leaf(block[(i - 1) / 2])) continue;
        ++*nodes;
        if (depth > t->header->depth || (b->levels == 1 && !cdi_kd_is_leaf(block[i]))) return false;
    }
    return true;
}

/* Goes through the subtrees in the order in which they are laid out: each array of them has to be where the last one ended. */
static bool cdi_kd_words_are_sound(const cdi_kd *t) {
    cdi_kd_block todo[CDI_KD_BLOCKS], b;
    uint32_t waiting = 1, nodes = 0, used = cdi_kd_words(t->header->levels), words = t->header->words;
    todo[0].at = todo[0].depth = 0;
    todo[0].levels = t->header->levels;
    if (used > words) return false;
    while (waiting > 0) {
        uint32_t last, link, levels, below, size;
        b = todo[--waiting];
        last = (1u << b.levels) - 1u;
        if (!cdi_kd_block_is_sound(t, &b, &nodes)) return false;
        if (b.levels == 1) continue;
        link = t->word[b.at + last];
        levels = (link & 3u) + 1;
        size = cdi_kd_words(levels);
        below = 2 * cdi_kd_parents_before(t->word + b.at, b.levels, last);
        if (below == 0 && link != 0) return false;
        if (below == 0) continue;
        used = cdi_kd_aligned(used, levels);
        if ((link & ~3u) != used || used > words || below * size > words - used) return false;
        for (uint32_t i = below; i-- > 0;) {
            todo[waiting].at = used + i * size;
            todo[waiting].levels = levels;
            todo[waiting++].depth = b.depth + b.levels;
        }
        used += below * size;
    }
    return nodes == t->header->nodes && ((used + CDI_KD_LINE - 1) & ~(CDI_KD_LINE - 1)) == words;
}

static bool cdi_kd_is_sound(const cdi_kd *t, size_t size) {
    const cdi_kd_header *h = t->header;
    uint64_t words = (uint64_t)h->words + h->list_words;
    if (h->levels < 1 || h->levels > 4 || h->depth < 1 || h->depth > CDI_KD_DEPTH || h->words % CDI_KD_LINE)
        return false;
    if (size < sizeof *h || (size - sizeof *h) % 4 || words != (size - sizeof *h) / 4) return false;
    return h->words < CDI_KD_LIST && h->list_words < CDI_KD_LIST / 2 && cdi_kd_lists_are_sound(t) &&
           cdi_kd_words_are_sound(t);
}

CD_API cd_status cd_kdtree_compact_view(cd_kdtree_compact *out, const void *bytes, size_t size) {
    const uint32_t *h = (const uint32_t *)bytes;
    cdi_kd t;
    cdi_clear(out, sizeof *out);
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof(cdi_kd_header)) return CD_CORRUPT;
    if (h[0] == 0x43444B43u || (h[0] == CDI_KD_MAGIC && h[1] != CDI_KD_VERSION)) return CD_UNSUPPORTED;
    if (h[0] != CDI_KD_MAGIC) return CD_CORRUPT;
    out->block = bytes;
    out->bytes = size;
    cdi_kd_open(&t, out);
    if (cdi_kd_is_sound(&t, size)) return CD_OK;
    cdi_clear(out, sizeof *out);
    return CD_CORRUPT;
}

CD_API cd_kdtree_compact_facts cd_kdtree_compact_get_facts(const cd_kdtree_compact *tree) {
    cd_kdtree_compact_facts f;
    cdi_kd t;
    cdi_clear(&f, sizeof f);
    if (!cdi_kd_open(&t, tree)) return f;
    f.items = t.header->items;
    f.nodes = t.header->nodes;
    f.leaves = f.nodes / 2 + 1;
    f.entries = t.header->entries;
    f.depth = t.header->depth;
    f.node_bytes = (size_t)t.header->words * sizeof(uint32_t);
    f.total_bytes = tree->bytes;
    return f;
}

/* ---- queries: leaves ---- */

CD_API uint32_t cd_kdtree_compact_leaf_at(const cd_kdtree_compact *tree, cd_vec3 p) {
    cdi_kd t;
    cdi_kd_node at;
    uint32_t word;
    if (!cdi_kd_open(&t, tree) || !(p.x == p.x && p.y == p.y && p.z == p.z)) return 0;
    cdi_kd_root(&t, &at);
    for (word = cdi_kd_word(&t, &at); !cdi_kd_is_leaf(word); word = cdi_kd_word(&t, &at))
        cdi_kd_go(&t, &at, cdi_kd_get(p, (int)(word & 3u)) >= cdi_kd_plane(word));
    return word >> 2;
}

CD_API const uint32_t *cd_kdtree_compact_items(const cd_kdtree_compact *tree, uint32_t leaf,
                                               uint32_t *count) {
    cdi_kd t;
    *count = 0;
    if (!cdi_kd_open(&t, tree) || leaf >= t.header->list_words || !(t.list[leaf] & CDI_KD_LIST)) return NULL;
    *count = t.list[leaf] & ~CDI_KD_LIST;
    return *count ? t.list + leaf + 1 : NULL;
}

CD_API bool cd_kdtree_compact_visit_leaves(const cd_kdtree_compact *tree, cd_aabb box, cd_visit_fn visit,
                                           void *user) {
    cdi_kd_node todo[CDI_KD_DEPTH + 1];
    uint32_t waiting = 1;
    cdi_kd t;
    if (!cdi_kd_open(&t, tree) || !cdi_kd_holds_something(box)) return true;
    cdi_kd_root(&t, &todo[0]);
    while (waiting > 0) {
        cdi_kd_node at = todo[--waiting];
        uint32_t word = cdi_kd_word(&t, &at);
        int axis = (int)(word & 3u);
        if (cdi_kd_is_leaf(word)) {
            if (word != CDI_KD_LEAF && !visit(user, word >> 2)) return false;
            continue;
        }
        if (cdi_kd_reaches_right(box, axis, cdi_kd_plane(word))) {
            todo[waiting] = at;
            cdi_kd_go(&t, &todo[waiting++], 1);
        }
        if (cdi_kd_reaches_left(box, axis, cdi_kd_plane(word))) {
            todo[waiting] = at;
            cdi_kd_go(&t, &todo[waiting++], 0);
        }
    }
    return true;
}

/* ---- queries: items that meet a box ---- */

typedef struct cdi_kd_overlap {
    const cd_kdtree_compact *tree;
    const cd_aabb *boxes;
    cd_aabb box;
    cd_visit_fn visit;
    void *user;
} cdi_kd_overlap;

static bool cdi_kd_overlap_leaf(void *user, uint32_t leaf) {
    const cdi_kd_overlap *q = (const cdi_kd_overlap *)user;
    uint32_t count;
    const uint32_t *item = cd_kdtree_compact_items(q->tree, leaf, &count);
    for (uint32_t i = 0; i < count; ++i) {
        cd_aabb box = q->boxes[item[i]];
        cd_vec3 least;
        if (!cd_test_aabb_aabb(box, q->box)) continue;
        least = cd_vec3_max(box.min, q->box.min);
        if (cd_kdtree_compact_leaf_at(q->tree, least) != leaf) continue;
        if (!q->visit(q->user, item[i])) return false;
    }
    return true;
}

CD_API bool cd_kdtree_compact_overlap_aabb(const cd_kdtree_compact *tree, cd_aabb box, const cd_aabb *boxes,
                                           cd_visit_fn visit, void *user) {
    cdi_kd_overlap q;
    q.tree = tree;
    q.boxes = boxes;
    q.box = box;
    q.visit = visit;
    q.user = user;
    return cd_kdtree_compact_visit_leaves(tree, box, cdi_kd_overlap_leaf, &q);
}

/* ---- queries: the nearest item ---- */

/* A cell, and how far it is from the point along each axis at least. */
typedef struct cdi_kd_cell {
    cdi_kd_node node;
    double off[3];
} cdi_kd_cell;

static double cdi_kd_square(const double off[3]) {
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
}

static double cdi_kd_off(double p, double lo, double hi) {
    return p < lo ? lo - p : p > hi ? p - hi : 0.0;
}

typedef struct cdi_kd_near {
    double square;
    uint32_t index;
} cdi_kd_near;

static void cdi_kd_nearest_of_leaf(const cdi_kd *t, uint32_t leaf, cd_vec3 p, const cd_aabb *boxes,
                                   cdi_kd_near *best) {
    uint32_t count = t->list[leaf] & ~CDI_KD_LIST;
    for (uint32_t i = 1; i <= count; ++i) {
        uint32_t item = t->list[leaf + i];
        cd_aabb b = boxes[item];
        double off[3], square;
        for (int k = 0; k < 3; ++k)
            off[k] = cdi_kd_off(cdi_kd_get(p, k), cdi_kd_get(b.min, k), cdi_kd_get(b.max, k));
        square = cdi_kd_square(off);
        if (best->index == CD_NONE || square < best->square ||
            (square == best->square && item < best->index)) {
            best->square = square;
            best->index = item;
        }
    }
}

CD_API uint32_t cd_kdtree_compact_nearest(const cd_kdtree_compact *tree, cd_vec3 p, const cd_aabb *boxes,
                                          double *sqdist) {
    cdi_kd_cell todo[CDI_KD_DEPTH + 1];
    cdi_kd_near best;
    uint32_t waiting = 1;
    cdi_kd t;
    best.square = 0.0;
    best.index = CD_NONE;
    if (!cdi_kd_open(&t, tree) || !cdi_v3_finite(cdi_v3_of(p))) return CD_NONE;
    cdi_clear(&todo[0], sizeof todo[0]);
    cdi_kd_root(&t, &todo[0].node);
    while (waiting > 0) {
        cdi_kd_cell at = todo[--waiting], far_side;
        uint32_t word = cdi_kd_word(&t, &at.node), right, axis = word & 3u;
        double way;
        if (best.index != CD_NONE && cdi_kd_square(at.off) > best.square) continue;
        if (cdi_kd_is_leaf(word)) {
            cdi_kd_nearest_of_leaf(&t, word >> 2, p, boxes, &best);
            continue;
        }
        way = cdi_kd_get(p, (int)axis) - cdi_kd_plane(word);
        right = way >= 0.0;
        far_side = at;
        cdi_kd_go(&t, &far_side.node, 1 - right);
        far_side.off[axis] = cdi_abs(way);
        cdi_kd_go(&t, &at.node, right);
        todo[waiting++] = far_side;
        todo[waiting++] = at;
    }
    if (best.index != CD_NONE && sqdist) *sqdist = best.square;
    return best.index;
}

/* ---- queries: rays ---- */

/* A cell, and when the ray is in it. */
typedef struct cdi_kd_span {
    cdi_kd_node node;
    double from, to;
} cdi_kd_span;

typedef struct cdi_kd_cast {
    const cd_ray *ray;
    cd_kdtree_cast_fn cast;
    void *user;
    cd_hit best;
    cd_real t_max;
    bool found;
} cdi_kd_cast;

/* Where a hit is known others are asked for a little farther: casts compare before they round, and what rounds to the same t is as near. */
static void cdi_kd_cast_leaf(const cdi_kd *t, uint32_t leaf, cdi_kd_cast *q) {
    uint32_t count = t->list[leaf] & ~CDI_KD_LIST;
    for (uint32_t i = 1; i <= count; ++i) {
        uint32_t item = t->list[leaf + i];
        cd_real until = q->found ? cdi_next_real(q->t_max, true) : q->t_max;
        cd_hit h;
        cdi_clear(&h, sizeof h);
        if (!q->cast(q->user, item, q->ray, until, &h)) continue;
        if (!(h.t <= q->t_max) || (q->found && h.t == q->t_max && item >= q->best.index)) continue;
        h.index = item;
        q->best = h;
        q->t_max = h.t;
        q->found = true;
    }
}

/* The cell on the plane's near side, which comes first, and the one behind; each is widened by more than rounding. */
static void cdi_kd_part_ray(const cdi_kd *t, const cdi_kd_span *at, const cd_ray *r, cdi_kd_span *near_side,
                            cdi_kd_span *far_side) {
    uint32_t word = cdi_kd_word(t, &at->node), axis = word & 3u;
    double o = cdi_kd_get(r->origin, (int)axis), d = cdi_kd_get(r->dir, (int)axis),
           plane = cdi_kd_plane(word);
    uint32_t right = d == 0.0 ? o >= plane : d < 0.0;
    *near_side = *far_side = *at;
    cdi_kd_go(t, &near_side->node, right);
    cdi_kd_go(t, &far_side->node, 1 - right);
    if (d == 0.0) {
        far_side->to = -1.0; /* never */
    } else {
        double way = plane - o, time, wide;
        time = cdi_finite(way) ? way / d : (0.5 * plane - 0.5 * o) / d * 2.0;
        time = cdi_clamp(time, -CDI_HUGE, CDI_HUGE);
        wide = cdi_abs(time) * (16.0 * (double)CD_REAL_EPSILON) + 1e-300;
        near_side->to = cdi_min(at->to, time + wide);
        far_side->from = cdi_max(at->from, time - wide);
    }
}

CD_API bool cd_kdtree_compact_cast_ray(const cd_kdtree_compact *tree, const cd_ray *r, cd_real t_max,
                                       cd_kdtree_cast_fn cast, void *user, cd_hit *hit) {
    cdi_kd_span todo[CDI_KD_DEPTH + 1];
    uint32_t waiting = 1;
    cdi_kd_cast q;
    cdi_kd t;
    if (!cdi_kd_open(&t, tree) || !cdi_v3_finite(cdi_v3_of(r->origin)) || !cdi_v3_finite(cdi_v3_of(r->dir)) ||
        !(t_max >= 0))
        return false;
    cdi_clear(&q, sizeof q);
    q.ray = r;
    q.cast = cast;
    q.user = user;
    q.t_max = t_max;
    cdi_kd_root(&t, &todo[0].node);
    todo[0].from = 0.0;
    todo[0].to = (double)t_max;
    while (waiting > 0) {
        cdi_kd_span at = todo[--waiting], near_side, far_side;
        uint32_t word = cdi_kd_word(&t, &at.node);
        if (!(at.from <= at.to) || at.from > (double)q.t_max) continue;
        if (cdi_kd_is_leaf(word)) {
            cdi_kd_cast_leaf(&t, word >> 2, &q);
            continue;
        }
        cdi_kd_part_ray(&t, &at, r, &near_side, &far_side);
        todo[waiting++] = far_side;
        todo[waiting++] = near_side;
    }
    if (q.found && hit) *hit = q.best;
    return q.found;
}

#undef CDI_KD_MAGIC
#undef CDI_KD_VERSION
#undef CDI_KD_DEPTH
#undef CDI_KD_BLOCKS
#undef CDI_KD_MOST
#undef CDI_KD_LINE
#undef CDI_KD_BUILD
#undef CDI_KD_SPARE
#undef CDI_KD_LEAF
#undef CDI_KD_LIST

#endif
