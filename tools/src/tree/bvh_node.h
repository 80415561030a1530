#pragma once
/* bvh_node (internal): a tree's block, and the frame its boxes are in.
 *
 * header | nodes | items, in the order of the leaves | corners, where the items are indexed triangles | masks, if any
 *
 * In the compact layout clusters stand for items, and their bytes for corners: see bvh_packed. In that of height fields all
 * after the header is a field: see heights_block.
 *
 * Every layout is read through cdi_bvh_at, which gives a node as up to eight lanes: child boxes in floats, and for each a
 * node or a run of items. Queries are written once over that.
 *
 * Nodes are numbered depth first: a walk over children in lane order meets nodes and items with rising numbers and
 * leaves none out; in the quantised and the compact layout they get their numbers all at once when the walk meets their parent. Corners are
 * numbered as the items first use them. That makes a block easy to check without memory. */

#include "core/simd.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"
#include "tree/bvh.h"
#include "tree/bvh_packed.h"
#include "tree/heights_block.h"

#define CDI_BVH_MAGIC    0x48564243u /* "CBVH" */
#define CDI_BVH_VERSION  2u
#define CDI_BVH_DEPTH    80u
#define CDI_BVH_LEAF_MAX 64u
#define CDI_BVH_MOST     0x20000000u /* items */
/* How many children wait, at most, in a walk that has come to a node: those beside it and beside its parents. The converters make
 * nodes of fewer than eight where a tree is so deep that it were more; with two it never is. */
#define CDI_BVH_WAITING 152u
#define CDI_BVH_STACK   (CDI_BVH_WAITING + 8u)

/* A frame scaled to a tree: x -> (x - origin) 2^-exponent takes its bounds into [-0.999, 0.999]. */
typedef struct cdi_frame {
    double origin[3];
    int32_t exponent;
    uint32_t unused;
} cdi_frame;

/* What an item is: `cd_bvh_kind`, indexed triangles, triangles in clusters: all those of the compact layout, and those of height
 * fields. */
#define CDI_ITEM_INDEXED 3u
#define CDI_ITEM_PACKED  4u
#define CDI_ITEM_HEIGHTS 5u

typedef struct cdi_bvh_header {
    uint32_t magic, version, real_size, depth;
    uint32_t node_count, item_count, skipped_count, source_count;
    uint64_t bytes;
    cdi_frame frame;
    double lo[3], hi[3]; /* the exact bounds, in the caller's own frame */
    uint32_t layout, item, corner_count, has_masks;
    uint32_t cluster_count, cluster_bytes; /* of the compact layout; the bytes in eights */
    uint32_t dynamic, object_count; /* 1 for a tree that changes, see dyn_nodes; how many items it has */
    double built_cost;           /* of a refitted tree: what it cost when it was last built; 0: not known */
    double built_surface;        /* ... the surfaces of its items over that of its box, of a sample of them */
    uint32_t volume, slab_count; /* of a tree of other volumes: see bvtree_node */
    uint32_t changes;            /* of a tree that changes: how often it did */
    uint32_t unused[3];
} cdi_bvh_header;

/* A node of the wide layout, and what every other is read as. Eight children: lanes in use, from 0 up, have a bit in
 * `lanes`; count[i] is 0 for a node child[i], else child[i] is the first of that many items. */
typedef struct cdi_bvh_node {
    float lo[3][8], hi[3][8];
    uint32_t child[8];
    uint8_t count[8];
    uint32_t lanes;
    uint32_t parent, height, moved; /* of trees that change, see dyn_nodes; 0 in others */
    float built_cost;               /* of a refitted tree: see refit_boxes; 0: not known */
    uint32_t unused[1];
} cdi_bvh_node;

/* Where in a node the eight low or high sides on an axis begin. */
CDI_INLINE uint32_t cdi_node_side(int axis, bool high) {
    return (uint32_t)axis * 8u + (high ? 24u : 0u);
}
CDI_INLINE const float *cdi_node_row(const cdi_bvh_node *node, uint32_t side) {
    return (const float *)(const void *)node + side;
}

/* A node of the binary layout, with its own box. A leaf has count > 0 and its first item in `next`; an inner node has its
 * left child in the next place and its right one in place `next`. A tree of one leaf is that leaf alone. */
typedef struct cdi_bvh_binary_node {
    float lo[3], hi[3];
    uint32_t next, count;
} cdi_bvh_binary_node;

/* A node of the quantised layout: q stands for q 2^-15 - 1. */
typedef struct cdi_bvh_quantised_node {
    uint16_t lo[3][8], hi[3][8];
    uint32_t child,
        item; /* of the lanes that are nodes, the first; of the leaves, the first item: all follow each other */
    uint8_t count[8];
    uint32_t lanes;
    float built_cost;
    uint32_t unused[2];
} cdi_bvh_quantised_node;

/* The items. */
typedef struct cdi_bvh_triangle {
    cd_real v[9];
    uint32_t index;
#ifdef COLLIDE_DOUBLE
    uint32_t unused;
#endif
} cdi_bvh_triangle;

typedef struct cdi_bvh_box {
    cd_aabb box;
    uint32_t index;
#ifdef COLLIDE_DOUBLE
    uint32_t unused;
#endif
} cdi_bvh_box;

typedef struct cdi_bvh_point {
    cd_vec3 p;
    uint32_t index;
#ifdef COLLIDE_DOUBLE
    uint32_t unused;
#endif
} cdi_bvh_point;

typedef struct cdi_bvh_indexed {
    uint32_t corner[3], index;
} cdi_bvh_indexed;

/* A tree opened for a query. */
typedef struct cdi_bvh {
    const cdi_bvh_header *header;
    const void *nodes;
    const void *items;
    const cd_vec3 *corners;      /* of indexed triangles */
    const unsigned char *packed; /* the bytes of clusters */
    const uint32_t *masks;       /* of the items, by their rank, or NULL; of a height field's materials */
    const struct cd_bvh_custom *custom;
    uint32_t layout, item;
} cdi_bvh;

CDI_INLINE size_t cdi_bvh_node_size(uint32_t layout) {
    return layout == CD_BVH_WIDE        ? sizeof(cdi_bvh_node)
           : layout == CD_BVH_BINARY    ? sizeof(cdi_bvh_binary_node)
           : layout == CD_BVH_QUANTISED ? sizeof(cdi_bvh_quantised_node)
                                        : sizeof(cdi_bvh_packed_node);
}

/* Clusters do not have items of one size. */
CDI_INLINE size_t cdi_bvh_item_size(uint32_t item) {
    return item == CD_BVH_TRIANGLES   ? sizeof(cdi_bvh_triangle)
           : item == CD_BVH_BOXES     ? sizeof(cdi_bvh_box)
           : item == CD_BVH_POINTS    ? sizeof(cdi_bvh_point)
           : item == CDI_ITEM_INDEXED ? sizeof(cdi_bvh_indexed)
                                      : 0;
}

/* How long a block with this header is. */
CDI_FN uint64_t cdi_bvh_bytes(const cdi_bvh_header *h);

/* Are these bytes a block of that kind, of this machine's order, this version and number type? */
CDI_FN cd_status cdi_block_status(const void *bytes, size_t size, uint32_t magic, uint32_t version);

/* The bounds that a header tells, rounded to the interface's numbers. */
CDI_FN cd_aabb cdi_header_bounds(const cdi_bvh_header *h);

/* Is a height field what a build of it would have written? Its block is `size` bytes long, and the header's own rules hold. */
CDI_FN bool cdi_heights_is_sound(const cdi_bvh_header *h, size_t size);

/* False for an empty tree. */
CDI_INLINE bool cdi_bvh_open(cdi_bvh *out, const cd_bvh *tree) {
    const unsigned char *at = (const unsigned char *)tree->block;
    const cdi_bvh_header *h = (const cdi_bvh_header *)tree->block;
    if (!at || h->node_count == 0) return false;
    out->header = h;
    out->layout = h->layout;
    out->item = h->item;
    out->custom = tree->custom;
    at += sizeof *h;
    if (h->layout == CD_BVH_HEIGHTS) {
        out->items = out->nodes = at;
        out->masks = cdi_heights_masks((const cdi_height_field *)out->items);
        return true;
    }
    out->nodes = at;
    at += h->node_count * cdi_bvh_node_size(h->layout);
    out->items = at;
    at += h->item_count * cdi_bvh_item_size(h->item) + h->cluster_count * sizeof(cdi_bvh_cluster);
    out->corners = (const cd_vec3 *)(const void *)at;
    out->packed = at;
    at += h->corner_count * sizeof(cd_vec3) + 8 * (size_t)h->cluster_bytes;
    out->masks = h->has_masks ? (const uint32_t *)(const void *)at : NULL;
    return true;
}

/* ---- nodes ---- */

/* The two children; of a leaf, which only the root may be, itself twice. The other lanes repeat the second. */
CDI_INLINE const cdi_bvh_node *cdi_binary_at(const cdi_bvh *tree, uint32_t number, cdi_bvh_node *out) {
    static const float second[8] = {0, 1, 1, 1, 1, 1, 1, 1};
    const cdi_bvh_binary_node *n = (const cdi_bvh_binary_node *)tree->nodes + number;
    uint32_t left = n->count ? number : number + 1, right = n->count ? number : n->next;
    const cdi_bvh_binary_node *l = n - number + left, *r = n - number + right;
    cdi_f8 pick = cdi_f8_load(second);
    for (int k = 0; k < 3; ++k) {
        cdi_f8_store(out->lo[k], cdi_f8_pick(pick, cdi_f8_all(r->lo[k]), cdi_f8_all(l->lo[k])));
        cdi_f8_store(out->hi[k], cdi_f8_pick(pick, cdi_f8_all(r->hi[k]), cdi_f8_all(l->hi[k])));
    }
    out->child[0] = l->count ? l->next : left;
    out->child[1] = r->count ? r->next : right;
    out->count[0] = (uint8_t)l->count;
    out->count[1] = (uint8_t)r->count;
    out->lanes = n->count ? 1 : 3;
    return out;
}

/* Eight numbers of 16 bits in the frame, without rounding. */
CDI_INLINE void cdi_quantised_row(float out[8], const uint16_t q[8]) {
    cdi_f8 scaled = cdi_f8_mul(cdi_f8_load_u16(q), cdi_f8_all(3.0517578125e-5f));
    cdi_f8_store(out, cdi_f8_sub(scaled, cdi_f8_all(1.0f)));
}

CDI_INLINE const cdi_bvh_node *cdi_quantised_at(const cdi_bvh *tree, uint32_t number, cdi_bvh_node *out) {
    const cdi_bvh_quantised_node *n = (const cdi_bvh_quantised_node *)tree->nodes + number;
    uint32_t child = n->child, item = n->item;
    for (int k = 0; k < 3; ++k) {
        cdi_quantised_row(out->lo[k], n->lo[k]);
        cdi_quantised_row(out->hi[k], n->hi[k]);
    }
    for (uint32_t i = 0; i < 8; ++i) {
        uint32_t count = n->count[i];
        out->count[i] = (uint8_t)count;
        out->child[i] = count ? item : child;
        item += count;
        child += count ? 0u : 1u;
    }
    out->lanes = n->lanes;
    return out;
}

CDI_INLINE const cdi_bvh_node *cdi_packed_at(const cdi_bvh *tree, uint32_t number, cdi_bvh_node *out) {
    const cdi_bvh_packed_node *n = (const cdi_bvh_packed_node *)tree->nodes + number;
    uint32_t child = n->child, item = n->item, counts = n->counts;
    for (int k = 0; k < 3; ++k) {
        cdi_f8 origin = cdi_f8_all(cdi_packed_origin(n->place[k]));
        cdi_f8 step = cdi_f8_all(cdi_packed_step(n->place[k]));
        cdi_packed_row(out->lo[k], n->lo[k], origin, step);
        cdi_packed_row(out->hi[k], n->hi[k], origin, step);
    }
    for (uint32_t i = 0; i < 8; ++i, counts >>= 4) {
        uint32_t count = counts & 15u;
        out->count[i] = (uint8_t)count;
        out->child[i] = count ? item : child;
        item += count;
        child += count ? 0u : 1u;
    }
    out->lanes = cdi_packed_node_lanes(n);
    return out;
}

/* Of a height field. */
CDI_FN const cdi_bvh_node *cdi_heights_at(const cdi_height_field *g, uint32_t number, cdi_bvh_node *out);

CDI_INLINE const cdi_height_field *cdi_bvh_field(const cdi_bvh *tree) {
    return (const cdi_height_field *)tree->items;
}

/* Node `number` of a tree of that layout as lanes: where it lies, or read into `scratch`. The root is number 0. */
CDI_INLINE const cdi_bvh_node *cdi_bvh_at_in(const cdi_bvh *tree, uint32_t layout, uint32_t number,
                                             cdi_bvh_node *scratch) {
    if (layout == CD_BVH_WIDE) return (const cdi_bvh_node *)tree->nodes + number;
    if (layout == CD_BVH_BINARY) return cdi_binary_at(tree, number, scratch);
    if (layout == CD_BVH_QUANTISED) return cdi_quantised_at(tree, number, scratch);
    return layout == CD_BVH_COMPACT ? cdi_packed_at(tree, number, scratch)
                                    : cdi_heights_at(cdi_bvh_field(tree), number, scratch);
}

CDI_INLINE const cdi_bvh_node *cdi_bvh_at(const cdi_bvh *tree, uint32_t number, cdi_bvh_node *scratch) {
    return cdi_bvh_at_in(tree, tree->layout, number, scratch);
}

/* Has the node children to be read? Of a binary tree the inner nodes have, and a root that is a leaf. */
CDI_INLINE bool cdi_node_has_lanes(const cdi_bvh *tree, uint32_t number) {
    return tree->layout != CD_BVH_BINARY || number == 0 ||
           ((const cdi_bvh_binary_node *)tree->nodes)[number].count == 0;
}

/* ---- items ----
 *
 * Items of one leaf have numbers that follow each other. Those of all leaves do, too, but for clusters and height fields. */

/* The cluster of item i, and its bytes. */
CDI_INLINE const cdi_bvh_cluster *cdi_bvh_cluster_of(const cdi_bvh *tree, uint32_t i) {
    return (const cdi_bvh_cluster *)tree->items + i / CDI_PACKED_ITEMS;
}
CDI_INLINE const unsigned char *cdi_cluster_bytes(const cdi_bvh *tree, const cdi_bvh_cluster *c) {
    return tree->packed + 8 * (size_t)c->offset;
}

/* Is there an item of that number? In a tree that changes, each lane of a lowest node has one. */
CDI_INLINE bool cdi_bvh_has_item(const cdi_bvh *tree, uint32_t i) {
    if (tree->header->dynamic)
        return i / 8 < tree->header->dynamic && ((const cdi_bvh_node *)tree->nodes)[i / 8].count[i % 8] != 0;
    if (tree->item == CDI_ITEM_HEIGHTS) return cdi_heights_has(cdi_bvh_field(tree), i);
    if (tree->item != CDI_ITEM_PACKED) return i < tree->header->item_count;
    return i / CDI_PACKED_ITEMS < tree->header->cluster_count &&
           i % CDI_PACKED_ITEMS < cdi_bvh_cluster_of(tree, i)->items;
}

/* The number of the item after item i in the order of the leaves; in height fields, in one leaf. */
CDI_INLINE uint32_t cdi_bvh_next_item(const cdi_bvh *tree, uint32_t i) {
    if (tree->item != CDI_ITEM_PACKED || i % CDI_PACKED_ITEMS + 1u < cdi_bvh_cluster_of(tree, i)->items)
        return i + 1;
    return (i / CDI_PACKED_ITEMS + 1) * CDI_PACKED_ITEMS;
}

/* How many items come before item i; not of height fields. */
CDI_INLINE uint32_t cdi_bvh_rank(const cdi_bvh *tree, uint32_t i) {
    if (tree->item != CDI_ITEM_PACKED) return i;
    return cdi_bvh_cluster_of(tree, i)->first + i % CDI_PACKED_ITEMS;
}

CDI_INLINE uint32_t cdi_cluster_index(const cdi_bvh *tree, uint32_t i) {
    const cdi_bvh_cluster *c = cdi_bvh_cluster_of(tree, i);
    return cdi_packed_index(c, cdi_cluster_bytes(tree, c), i % CDI_PACKED_ITEMS);
}

CDI_INLINE uint32_t cdi_bvh_index(const cdi_bvh *tree, uint32_t i) {
    switch (tree->item) {
    case CD_BVH_TRIANGLES: return ((const cdi_bvh_triangle *)tree->items)[i].index;
    case CD_BVH_BOXES: return ((const cdi_bvh_box *)tree->items)[i].index;
    case CD_BVH_POINTS: return ((const cdi_bvh_point *)tree->items)[i].index;
    case CDI_ITEM_INDEXED: return ((const cdi_bvh_indexed *)tree->items)[i].index;
    case CDI_ITEM_PACKED: return cdi_cluster_index(tree, i);
    default: return cdi_heights_index(cdi_bvh_field(tree), i);
    }
}

CDI_INLINE cd_triangle cdi_bvh_triangle_of(const cdi_bvh *tree, uint32_t i) {
    cd_triangle t;
    if (tree->item == CD_BVH_TRIANGLES) {
        const cd_real *v = ((const cdi_bvh_triangle *)tree->items)[i].v;
        t.a = cd_vec3_make(v[0], v[1], v[2]);
        t.b = cd_vec3_make(v[3], v[4], v[5]);
        t.c = cd_vec3_make(v[6], v[7], v[8]);
    } else if (tree->item == CDI_ITEM_PACKED) {
        const cdi_bvh_cluster *c = cdi_bvh_cluster_of(tree, i);
        t = cdi_packed_triangle(c, cdi_cluster_bytes(tree, c), i % CDI_PACKED_ITEMS);
    } else if (tree->item == CDI_ITEM_HEIGHTS) {
        t = cdi_heights_triangle_of(cdi_bvh_field(tree), i);
    } else {
        const uint32_t *corner = ((const cdi_bvh_indexed *)tree->items)[i].corner;
        t.a = tree->corners[corner[0]];
        t.b = tree->corners[corner[1]];
        t.c = tree->corners[corner[2]];
    }
    return t;
}

CDI_INLINE cdi_tri cdi_bvh_tri(const cdi_bvh *tree, uint32_t i) {
    cd_triangle t = cdi_bvh_triangle_of(tree, i);
    cdi_tri r;
    r.v[0] = cdi_v3_of(t.a);
    r.v[1] = cdi_v3_of(t.b);
    r.v[2] = cdi_v3_of(t.c);
    return r;
}

CDI_INLINE cd_aabb cdi_bvh_box_of(const cdi_bvh *tree, uint32_t i) {
    return ((const cdi_bvh_box *)tree->items)[i].box;
}

CDI_INLINE cd_vec3 cdi_bvh_point_of(const cdi_bvh *tree, uint32_t i) {
    return ((const cdi_bvh_point *)tree->items)[i].p;
}

CDI_INLINE bool cdi_bvh_is_triangles(const cdi_bvh *tree) {
    return tree->item == CD_BVH_TRIANGLES || tree->item >= CDI_ITEM_INDEXED;
}

/* The mask of item i, where the tree has any. */
CDI_INLINE uint32_t cdi_bvh_mask(const cdi_bvh *tree, uint32_t i) {
    if (tree->item == CDI_ITEM_HEIGHTS) return cdi_heights_mask(cdi_bvh_field(tree), i);
    return tree->masks[cdi_bvh_rank(tree, i)];
}

/* Is item i hidden by the mask? */
CDI_INLINE bool cdi_bvh_ignores(const cdi_bvh *tree, uint32_t i, uint32_t ignore_mask) {
    return ignore_mask && tree->masks && (cdi_bvh_mask(tree, i) & ignore_mask);
}

/* Does the query see item i, whose index in the caller's array is `index`? */
CDI_INLINE bool cdi_bvh_sees(const cdi_bvh *tree, uint32_t i, uint32_t index, const cd_filter *f) {
    if (!f) return true;
    if (cdi_bvh_ignores(tree, i, f->ignore_mask)) return false;
    return !f->filter || f->filter(f->user, index);
}

/* ---- the bounds, and the frame ---- */

/* Do the tree's bounds hold a corner of its own? */
CDI_INLINE bool cdi_bvh_bounds_hold(const cdi_bvh_header *h, cdi_v3 p) {
    return h->lo[0] <= p.x && p.x <= h->hi[0] && h->lo[1] <= p.y && p.y <= h->hi[1] && h->lo[2] <= p.z &&
           p.z <= h->hi[2];
}

/* A coordinate in the frame, off by at most 2^-52 of itself. */
CDI_INLINE double cdi_frame_in(const cdi_frame *f, int axis, double x) {
    return cdi_scale2(x - f->origin[axis], -f->exponent);
}

/* A float below (above) x and within two units in the last place of it, with room for the error above: a step down, and
 * then to the nearest. What is beyond 1e30 is put there, as far outside of [-1, 1] as any other number. */
CDI_INLINE float cdi_float_down(double x) {
    return (float)cdi_clamp(x - (cdi_abs(x) * 1.2e-7 + 1e-36), -1e30, 1e30);
}
CDI_INLINE float cdi_float_up(double x) {
    return (float)cdi_clamp(x + (cdi_abs(x) * 1.2e-7 + 1e-36), -1e30, 1e30);
}
