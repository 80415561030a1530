#include "core/memory.h"
#include "tree/bvh_node.h"

/* The layout is the same on every machine. */
typedef char cdi_bvh_header_is_192_bytes[sizeof(cdi_bvh_header) == 192 ? 1 : -1];
typedef char cdi_bvh_node_is_256_bytes[sizeof(cdi_bvh_node) == 256 ? 1 : -1];
typedef char cdi_bvh_binary_node_is_32_bytes[sizeof(cdi_bvh_binary_node) == 32 ? 1 : -1];
typedef char cdi_bvh_quantised_node_is_128_bytes[sizeof(cdi_bvh_quantised_node) == 128 ? 1 : -1];
typedef char cdi_bvh_packed_node_is_72_bytes[sizeof(cdi_bvh_packed_node) == 72 ? 1 : -1];
typedef char cdi_bvh_cluster_has_no_gap[sizeof(cdi_bvh_cluster) == 6 * sizeof(cd_real) + 24 ? 1 : -1];
typedef char cdi_bvh_triangle_has_no_gap[sizeof(cdi_bvh_triangle) == 10 * sizeof(cd_real) ? 1 : -1];
typedef char cdi_bvh_box_has_no_gap[sizeof(cdi_bvh_box) == 7 * sizeof(cd_real) ? 1 : -1];
typedef char cdi_bvh_point_has_no_gap[sizeof(cdi_bvh_point) == 4 * sizeof(cd_real) ? 1 : -1];

CD_API void cd_bvh_destroy(cd_bvh *tree) {
    if (tree->owned) cdi_free(&tree->allocator, (void *)tree->block, tree->bytes, 1);
    cdi_clear(tree, sizeof *tree);
}

/* ---- checking: the header ---- */

CDI_FN uint64_t cdi_bvh_bytes(const cdi_bvh_header *h) {
    if (h->layout == CD_BVH_HEIGHTS) return h->bytes; /* told, and checked, by the field */
    return sizeof *h + (uint64_t)h->node_count * cdi_bvh_node_size(h->layout) +
           (uint64_t)h->item_count * cdi_bvh_item_size(h->item) +
           (uint64_t)h->corner_count * sizeof(cd_vec3) +
           (uint64_t)h->cluster_count * sizeof(cdi_bvh_cluster) + 8 * (uint64_t)h->cluster_bytes +
           (h->has_masks ? (uint64_t)h->item_count * sizeof(uint32_t) : 0);
}

static bool cdi_bvh_header_fits(const cdi_bvh_header *h, size_t size) {
    bool empty = h->item_count == 0;
    if (h->dynamic || h->object_count) return false;
    if (h->layout > CD_BVH_HEIGHTS || h->item > CDI_ITEM_HEIGHTS || h->has_masks > 1) return false;
    if ((h->layout == CD_BVH_COMPACT) != (h->item == CDI_ITEM_PACKED)) return false;
    if ((h->layout == CD_BVH_HEIGHTS) != (h->item == CDI_ITEM_HEIGHTS)) return false;
    if (h->item != CDI_ITEM_PACKED ? h->cluster_count || h->cluster_bytes
                                   : h->cluster_count > CDI_PACKED_CLUSTERS)
        return false;
    if (cdi_bvh_bytes(h) != h->bytes || h->bytes != size || empty != (h->node_count == 0)) return false;
    if (h->item_count > CDI_BVH_MOST || h->skipped_count > h->source_count) return false;
    if (h->item_count != h->source_count - h->skipped_count || h->depth > CDI_BVH_DEPTH) return false;
    if (empty ? h->depth || h->has_masks : h->depth == 0) return false;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite(h->frame.origin[i]) || !cdi_finite(h->lo[i]) || !cdi_finite(h->hi[i])) return false;
        if (h->lo[i] > h->hi[i]) return false;
    }
    return h->frame.exponent >= -1100 && h->frame.exponent <= 1100;
}

/* ---- checking: nodes ---- */

/* A walk over a tree that is not trusted: how many nodes and items have been met, each with the next number. */
typedef struct cdi_bvh_check {
    const cdi_bvh *tree;
    uint32_t nodes, items, next; /* `next`: the number of the next item, of the compact layout */
} cdi_bvh_check;

/* Do the lanes of a node of eight rise from 0 up, and are the rest zero? */
static bool cdi_lanes_are_tidy(uint32_t lanes, const uint8_t count[8]) {
    if (lanes == 0 || lanes > 255 || (lanes & (lanes + 1u))) return false;
    for (uint32_t i = 0; i < 8; ++i) {
        if (count[i] > CDI_BVH_LEAF_MAX || (count[i] && !(lanes >> i & 1u))) return false;
    }
    return true;
}

static bool cdi_boxes_are_sane(const cdi_bvh_node *node) {
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 8; ++i) {
            if (!(node->lo[k][i] >= -2.0f && node->hi[k][i] <= 2.0f && node->lo[k][i] <= node->hi[k][i]))
                return false;
        }
    }
    return true;
}

/* Takes the next `nodes` and `items` numbers; false when there are not so many. */
static bool cdi_check_take(cdi_bvh_check *c, uint32_t nodes, uint32_t items) {
    const cdi_bvh_header *h = c->tree->header;
    if (nodes > h->node_count - c->nodes || items > h->item_count - c->items) return false;
    c->nodes += nodes;
    c->items += items;
    return true;
}

static bool cdi_quantised_is_sound(cdi_bvh_check *c, const cdi_bvh_quantised_node *n) {
    uint32_t nodes = 0, items = 0;
    if (!cdi_lanes_are_tidy(n->lanes, n->count) || n->child != c->nodes || n->item != c->items) return false;
    for (uint32_t i = 0; i < 8 && (n->lanes >> i & 1u); ++i) {
        nodes += n->count[i] == 0;
        items += n->count[i];
    }
    return cdi_check_take(c, nodes, items);
}

static bool cdi_packed_is_sound(cdi_bvh_check *c, const cdi_bvh_packed_node *n) {
    uint32_t nodes = 0, items = 0, next = c->next, counts = n->counts, lanes = cdi_packed_node_lanes(n);
    for (; lanes; lanes >>= 1, counts >>= 4) {
        if ((counts & 15u) > CDI_PACKED_LEAF) return false;
        nodes += (counts & 15u) == 0;
        items += counts & 15u;
    }
    if (counts || n->child != c->nodes || n->item != (items ? next : 0)) return false;
    if (!cdi_check_take(c, nodes, items)) return false;
    if (!items) return true;
    if (next % CDI_PACKED_ITEMS + items > cdi_bvh_cluster_of(c->tree, next)->items) return false;
    c->next = cdi_bvh_next_item(c->tree, next + items - 1);
    return true;
}

/* May node `number` be read, with its children? */
static bool cdi_node_is_sound(cdi_bvh_check *c, uint32_t number) {
    const cdi_bvh *t = c->tree;
    if (t->layout == CD_BVH_WIDE) {
        const cdi_bvh_node *n = (const cdi_bvh_node *)t->nodes + number;
        return cdi_lanes_are_tidy(n->lanes, n->count);
    }
    if (t->layout == CD_BVH_BINARY) {
        const cdi_bvh_binary_node *n = (const cdi_bvh_binary_node *)t->nodes + number, *child;
        if (n->count) return number == 0 && t->header->node_count == 1 && n->count <= CDI_BVH_LEAF_MAX;
        if (n->next <= number + 1 || n->next >= t->header->node_count) return false;
        child = n + 1;
        if (child->count > CDI_BVH_LEAF_MAX) return false;
        child += n->next - number - 1;
        return child->count <= CDI_BVH_LEAF_MAX;
    }
    if (t->layout == CD_BVH_COMPACT)
        return cdi_packed_is_sound(c, (const cdi_bvh_packed_node *)t->nodes + number);
    return cdi_quantised_is_sound(c, (const cdi_bvh_quantised_node *)t->nodes + number);
}

/* Has the child in `lane` the numbers that are next? */
static bool cdi_lane_is_next(cdi_bvh_check *c, uint32_t number, const cdi_bvh_node *node, uint32_t lane) {
    uint32_t count = node->count[lane];
    if (c->tree->layout == CD_BVH_WIDE) {
        if (node->child[lane] != (count ? c->items : c->nodes)) return false;
        return cdi_check_take(c, count == 0, count);
    }
    if (c->tree->layout == CD_BVH_BINARY) {
        const cdi_bvh_binary_node *n = (const cdi_bvh_binary_node *)c->tree->nodes + number;
        if (count && node->child[lane] != c->items) return false;
        if (n->count) return cdi_check_take(c, 0, count);
        return (lane ? n->next : number + 1) == c->nodes && cdi_check_take(c, 1, count);
    }
    return true; /* they were taken with their parent */
}

static bool cdi_lane_inside_lane(const cdi_bvh_node *node, uint32_t i, const cdi_bvh_node *parent,
                                 uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
        if (node->lo[k][i] < parent->lo[k][lane] || node->hi[k][i] > parent->hi[k][lane]) return false;
    }
    return true;
}

/* ---- checking: items ---- */

static bool cdi_point_inside_lane(const cdi_bvh *tree, cd_vec3 p, const cdi_bvh_node *node, uint32_t lane) {
    cdi_v3 q = cdi_v3_of(p);
    if (!cdi_v3_finite(q) || !cdi_bvh_bounds_hold(tree->header, q)) return false;
    for (int k = 0; k < 3; ++k) {
        double x = cdi_frame_in(&tree->header->frame, k, cdi_v3_get(q, k));
        if (!((double)node->lo[k][lane] <= x && x <= (double)node->hi[k][lane])) return false;
    }
    return true;
}

/* Have corners got their numbers where they are first used, and are these all the corners? Then all numbers are below their
 * count. */
static bool cdi_corners_are_sound(const cdi_bvh *tree) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < tree->header->item_count && tree->item == CDI_ITEM_INDEXED; ++i) {
        const cdi_bvh_indexed *item = (const cdi_bvh_indexed *)tree->items + i;
        for (int k = 0; k < 3; ++k) {
            if (item->corner[k] > next) return false;
            next += item->corner[k] == next;
        }
    }
    return next == tree->header->corner_count;
}

/* Has the cluster the place and the length that it says, and have its corners their numbers where they are first used? Then all
 * that is read of it is its own. `offset` and `first` are those of the next one. */
static bool cdi_cluster_is_sound(const cdi_bvh *tree, const cdi_bvh_cluster *c, uint64_t *offset,
                                 uint64_t *first) {
    const unsigned char *number;
    uint32_t next = 0;
    if (c->first != *first || c->offset != *offset || c->items == 0 || c->items > CDI_PACKED_ITEMS)
        return false;
    if (c->corners > CDI_PACKED_CORNERS || c->index_bits > 32) return false;
    for (int k = 0; k < 3; ++k) {
        if (c->size[k] > sizeof(cd_real)) return false;
    }
    *offset += cdi_cluster_length(c);
    *first += c->items;
    if (*offset > tree->header->cluster_bytes || *first > tree->header->item_count) return false;
    number = cdi_cluster_bytes(tree, c);
    for (uint32_t i = 0; i < 3u * c->items; ++i) {
        if (number[i] > next) return false;
        next += number[i] == next;
    }
    return next == c->corners;
}

static bool cdi_clusters_are_sound(const cdi_bvh *tree) {
    uint64_t offset = 0, first = 0;
    const cdi_bvh_cluster *c = (const cdi_bvh_cluster *)tree->items;
    if (tree->item != CDI_ITEM_PACKED) return true;
    for (uint32_t i = 0; i < tree->header->cluster_count; ++i) {
        if (!cdi_cluster_is_sound(tree, &c[i], &offset, &first)) return false;
    }
    return offset == tree->header->cluster_bytes && first == tree->header->item_count;
}

static bool cdi_item_inside_lane(const cdi_bvh *tree, uint32_t i, const cdi_bvh_node *node, uint32_t lane) {
    cd_triangle t;
    cd_aabb box;
    if (cdi_bvh_index(tree, i) >= tree->header->source_count) return false;
    if (tree->item == CD_BVH_POINTS)
        return cdi_point_inside_lane(tree, cdi_bvh_point_of(tree, i), node, lane);
    if (tree->item == CD_BVH_BOXES) {
        box = cdi_bvh_box_of(tree, i);
        return cd_aabb_is_valid(box) && cdi_point_inside_lane(tree, box.min, node, lane) &&
               cdi_point_inside_lane(tree, box.max, node, lane);
    }
    t = cdi_bvh_triangle_of(tree, i);
    return cdi_point_inside_lane(tree, t.a, node, lane) && cdi_point_inside_lane(tree, t.b, node, lane) &&
           cdi_point_inside_lane(tree, t.c, node, lane);
}

/* ---- checking: the whole ---- */

/* Where the walk is: a node and the next lane to look at; what waits in a walk that comes to it. */
typedef struct cdi_bvh_step {
    uint32_t node, lane, waiting;
} cdi_bvh_step;

/* Node `number`, below `lane` of `parent` unless it is the root: can it be read, and are its boxes inside? */
static const cdi_bvh_node *cdi_check_enter(cdi_bvh_check *c, uint32_t number, const cdi_bvh_node *parent,
                                           uint32_t lane, cdi_bvh_node *scratch) {
    const cdi_bvh_node *node;
    if (!cdi_node_is_sound(c, number)) return NULL;
    node = cdi_bvh_at(c->tree, number, scratch);
    if (!cdi_boxes_are_sane(node)) return NULL;
    for (uint32_t i = 0; parent && i < 8 && (node->lanes >> i & 1u); ++i) {
        if (!cdi_lane_inside_lane(node, i, parent, lane)) return NULL;
    }
    return node;
}

/* Walks the tree depth first: every node and item has to come up with the next number. */
static bool cdi_bvh_is_sound(const cdi_bvh *tree) {
    cdi_bvh_step path[CDI_BVH_DEPTH + 1];
    cdi_bvh_node scratch, below;
    cdi_bvh_check c;
    uint32_t length = 1;
    c.tree = tree;
    c.nodes = 1;
    c.items = c.next = 0;
    path[0].node = path[0].lane = path[0].waiting = 0;
    if (!cdi_corners_are_sound(tree) || !cdi_clusters_are_sound(tree) ||
        !cdi_check_enter(&c, 0, NULL, 0, &scratch))
        return false;
    while (length > 0) {
        cdi_bvh_step *at = &path[length - 1];
        const cdi_bvh_node *node = cdi_bvh_at(tree, at->node, &scratch);
        uint32_t lane = at->lane++, child;
        if (lane == 8 || !(node->lanes >> lane & 1u)) {
            --length;
            continue;
        }
        child = node->child[lane];
        if (!cdi_lane_is_next(&c, at->node, node, lane)) return false;
        for (uint32_t i = 0; i < node->count[lane]; ++i) {
            if (!cdi_item_inside_lane(tree, child + i, node, lane)) return false;
        }
        if (node->count[lane]) continue;
        if (length >= tree->header->depth || !cdi_check_enter(&c, child, node, lane, &below)) return false;
        path[length].waiting = at->waiting + cdi_lowest_bit(node->lanes + 1u) - 1u;
        if (path[length].waiting > CDI_BVH_WAITING) return false;
        path[length].node = child;
        path[length++].lane = 0;
    }
    return c.nodes == tree->header->node_count && c.items == tree->header->item_count;
}

CD_API cd_status cd_bvh_validate(const cd_bvh *tree) {
    cdi_bvh t;
    if (!tree->block) return tree->bytes == 0 ? CD_OK : CD_CORRUPT;
    if (tree->bytes < sizeof(cdi_bvh_header)) return CD_CORRUPT;
    if (!cdi_bvh_header_fits((const cdi_bvh_header *)tree->block, tree->bytes)) return CD_CORRUPT;
    if (((const cdi_bvh_header *)tree->block)->layout == CD_BVH_HEIGHTS)
        return cdi_heights_is_sound((const cdi_bvh_header *)tree->block, tree->bytes) ? CD_OK : CD_CORRUPT;
    return !cdi_bvh_open(&t, tree) || cdi_bvh_is_sound(&t) ? CD_OK : CD_CORRUPT;
}

static uint32_t cdi_swapped(uint32_t x) {
    return x << 24 | (x & 0xFF00u) << 8 | (x >> 8 & 0xFF00u) | x >> 24;
}

CDI_FN cd_status cdi_block_status(const void *bytes, size_t size, uint32_t magic, uint32_t version) {
    const cdi_bvh_header *h = (const cdi_bvh_header *)bytes;
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof *h) return CD_CORRUPT;
    if (h->magic != magic) return h->magic == cdi_swapped(magic) ? CD_UNSUPPORTED : CD_CORRUPT;
    return h->version == version && h->real_size == sizeof(cd_real) ? CD_OK : CD_UNSUPPORTED;
}

CD_API cd_status cd_bvh_view(cd_bvh *out, const void *bytes, size_t size) {
    cd_status status = cdi_block_status(bytes, size, CDI_BVH_MAGIC, CDI_BVH_VERSION);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->block = bytes;
    out->bytes = size;
    status = cd_bvh_validate(out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

/* ---- facts ---- */

CDI_FN cd_aabb cdi_header_bounds(const cdi_bvh_header *h) {
    cd_aabb b;
    b.min = cdi_v3_round(cdi_v3_make(h->lo[0], h->lo[1], h->lo[2]));
    b.max = cdi_v3_round(cdi_v3_make(h->hi[0], h->hi[1], h->hi[2]));
    return b;
}

CD_API cd_aabb cd_bvh_bounds(const cd_bvh *tree) {
    cdi_bvh t;
    return cdi_bvh_open(&t, tree) ? cdi_header_bounds(t.header) : cd_aabb_empty();
}

CD_API uint32_t cd_bvh_count(const cd_bvh *tree) {
    const cdi_bvh_header *h = (const cdi_bvh_header *)tree->block;
    if (!h) return 0;
    return h->dynamic ? h->object_count : h->item_count;
}

CD_API uint32_t cd_bvh_get_kind(const cd_bvh *tree) {
    uint32_t item = tree->block ? ((const cdi_bvh_header *)tree->block)->item : 0;
    return item >= CDI_ITEM_INDEXED ? (uint32_t)CD_BVH_TRIANGLES : item;
}

CD_API uint32_t cd_bvh_get_layout(const cd_bvh *tree) {
    return tree->block ? ((const cdi_bvh_header *)tree->block)->layout : 0;
}
