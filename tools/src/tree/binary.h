#pragma once
/* binary (internal): what every builder makes, and every layout is made from: one canonical array of binary nodes.
 *
 * The nodes stand in preorder: the left child follows its parent, the right one is in slot `next`. The subtree of n items
 * takes at most 2n - 1 slots from its root on; where leaves hold several items, slots between may stay unused. Leaves hold
 * runs of `order`, which rise in the order of the walk: a subtree's items are one run. No way from the root to a leaf has
 * more than CDI_BINARY_DEPTH nodes. */

#include "core/executor.h"
#include "core/lanes.h"
#include "core/memory.h"
#include "shape/mesh_view.h"
#include "tree/bvh_build.h"
#include "tree/bvh_node.h"

#define CDI_COST_DEPTH   48u /* levels a builder may split or join by its own rule; halving adds at most 29 */
#define CDI_BINARY_DEPTH 78u

/* A box as eight numbers: min, 0, -max, 0. Two are merged by one minimum of each. */
typedef struct cdi_box {
    cd_real v[8];
} cdi_box;

CDI_HOT void cdi_box_grow(cdi_box *b, const cdi_box *other) {
    for (int i = 0; i < 8; i += CDI_LANES)
        cdi_lanes_store(b->v + i, cdi_lanes_min(cdi_lanes_load(b->v + i), cdi_lanes_load(other->v + i)));
}

CDI_INLINE cdi_box cdi_box_empty(void) {
    cdi_box b;
    for (int i = 0; i < 8; ++i) b.v[i] = CD_REAL_MAX;
    return b;
}

CDI_INLINE cdi_box cdi_box_of_aabb(cd_aabb a) {
    cdi_box b;
    b.v[0] = a.min.x;
    b.v[1] = a.min.y;
    b.v[2] = a.min.z;
    b.v[4] = -a.max.x;
    b.v[5] = -a.max.y;
    b.v[6] = -a.max.z;
    b.v[3] = b.v[7] = 0;
    return b;
}

/* A side of a box, for areas: never so long that they overflow, whatever they are multiplied with here. */
CDI_INLINE double cdi_box_side(const cdi_box *b, int k) {
    double side = -(double)b->v[4 + k] - (double)b->v[k];
    return (double)CD_REAL_MAX < 1e145 || side < 1e145 ? side : 1e145;
}

/* Half the surface; 0 for an empty box. */
CDI_INLINE double cdi_box_area(const cdi_box *b) {
    double x = cdi_box_side(b, 0), y = cdi_box_side(b, 1), z = cdi_box_side(b, 2);
    return x < 0.0 ? 0.0 : x * y + y * z + z * x;
}

/* The middle of a box on an axis; a point as a box is (p, 0, -p, 0). */
CDI_INLINE cd_real cdi_box_middle(const cdi_box *b, int axis) {
    cd_real half = (cd_real)0.5;
    return half * b->v[axis] - half * b->v[4 + axis];
}

CDI_HOT cdi_box cdi_box_of_middle(const cdi_box *b) {
    cd_real half = (cd_real)0.5;
    cdi_box c;
    for (int i = 0; i < 4; ++i) {
        c.v[i] = half * b->v[i] - half * b->v[4 + i];
        c.v[4 + i] = half * b->v[4 + i] - half * b->v[i];
    }
    return c;
}

/* The middle in three lanes, by halves, which do not overflow; and of `count` > 0 boxes the least and the greatest. */
CDI_HOT cdi_quad cdi_box_middles(const cdi_box *box) {
    cdi_quad half = cdi_quad_all((cd_real)0.5);
    return cdi_quad_sub(cdi_quad_mul(half, cdi_quad_load(box->v)),
                        cdi_quad_mul(half, cdi_quad_load(box->v + 4)));
}
CDI_FN void cdi_bound_middles(const cdi_box *box, uint32_t count, cd_real lo[4], cd_real hi[4]);

/* A leaf has count > 0 and its first item in `next`; an inner node has its left child in the next slot and its right one
 * in slot `next`. */
typedef struct cdi_binary_node {
    cdi_box box;
    uint32_t next, count;
} cdi_binary_node;

/* What is built from; the items' boxes and indices are read once, and moved about by the builders. */
typedef struct cdi_source {
    uint32_t kind, count; /* of cd_bvh_kind */
    const cd_mesh_view *mesh;
    const cd_aabb *boxes;
    const cd_vec3 *points;
    const cdi_bvh *
        tree; /* or another tree, whose items are taken as they are; `kind` may be CDI_ITEM_INDEXED and above then */
} cdi_source;

CDI_INLINE cdi_source cdi_source_of(cd_bvh_kind kind, uint32_t count) {
    cdi_source s;
    cdi_clear(&s, sizeof s);
    s.kind = (uint32_t)kind;
    s.count = count;
    return s;
}

/* A mesh as most are: indices of 32 bits, positions that are numbers of the interface's. */
typedef struct cdi_plain_mesh {
    const unsigned char *positions, *indices;
    size_t stride, index_stride;
    uint32_t vertices;
} cdi_plain_mesh;

CDI_FN bool cdi_is_plain_mesh(const cdi_source *s);
CDI_FN cdi_plain_mesh cdi_plain_mesh_of(const cd_mesh_view *mesh);

CDI_HOT uint32_t cdi_plain_index(const cdi_plain_mesh *m, uint32_t triangle, uint32_t corner) {
    uint32_t index;
    cdi_copy(&index, m->indices + triangle * m->index_stride + corner * sizeof index, sizeof index);
    return index;
}
CDI_HOT const unsigned char *cdi_plain_corner(const cdi_plain_mesh *m, uint32_t i) {
    return m->positions + i * m->stride;
}
/* The box of a triangle; false where a corner is not finite or not there. */
CDI_HOT bool cdi_plain_box(const cdi_plain_mesh *m, uint32_t triangle, cdi_box *out) {
    uint32_t i = cdi_plain_index(m, triangle, 0), j = cdi_plain_index(m, triangle, 1),
             k = cdi_plain_index(m, triangle, 2);
    cdi_quad a, b, c, lo, hi, none;
    if (i >= m->vertices || j >= m->vertices || k >= m->vertices) return false;
    a = cdi_quad_point(cdi_plain_corner(m, i));
    b = cdi_quad_point(cdi_plain_corner(m, j));
    c = cdi_quad_point(cdi_plain_corner(m, k));
    lo = cdi_quad_min(a, cdi_quad_min(b, c));
    hi = cdi_quad_max(a, cdi_quad_max(b, c));
    none = cdi_quad_add(cdi_quad_add(cdi_quad_sub(a, a), cdi_quad_sub(b, b)), cdi_quad_sub(c, c));
    cdi_quad_store(out->v, lo);
    cdi_quad_store(out->v + 4, cdi_quad_mul(hi, cdi_quad_all(-1)));
    return cdi_quad_less(none, cdi_quad_all(1)) == 15; /* not where it is NaN */
}

/* The box of item i; false when the item cannot be in a tree. */
CDI_FN bool cdi_source_box(const cdi_source *s, uint32_t i, cd_aabb *box);

/* Triangle i, which was read before, and the index by which the caller knows an item. */
CDI_FN cd_triangle cdi_source_triangle(const cdi_source *s, uint32_t i);
CDI_FN uint32_t cdi_source_index(const cdi_source *s, uint32_t i);

/* A build under way. A method finds `count` items in `box` and `order`, and leaves them in the order of the leaves (the
 * boxes only where that is said), with
 * the canonical tree in `node`, which has room for 2 * count. */
typedef struct cdi_builder {
    cdi_source source;
    const cd_bvh_options *options; /* never NULL */
    cd_allocator allocator;
    cd_executor executor;
    uint32_t count, leaf_size; /* leaf_size is at least 1 */
    cdi_box *box;
    uint32_t *order; /* the item's index in the source */
    cdi_binary_node *node;
} cdi_builder;

/* Room for `count` items; false when there is no memory, and nothing is taken then. Where count is 0 nothing is, either. */
CDI_FN bool cdi_builder_take(cdi_builder *b, uint32_t count);
CDI_FN void cdi_builder_give_back(cdi_builder *b, uint32_t count);

/* Told from 0 to 1; false cancels. */
CDI_INLINE bool cdi_tell_progress(const cdi_builder *b, double done) {
    return !b->executor.progress || b->executor.progress(b->executor.user, (float)done);
}

/* Runs tasks by the executor, or one after another with progress from `from` to `to`; false when cancelled. */
CDI_FN bool cdi_run_tasks(const cdi_builder *b, uint32_t count, void (*task)(void *ctx, uint32_t i),
                          void *ctx, double from, double to);

/* ... for all of `count` things in parts, from part * CDI_PART to below cdi_part_end. */
#define CDI_PART 16384u
CDI_INLINE uint32_t cdi_part_end(uint32_t part, uint32_t count) {
    return count - part * CDI_PART < CDI_PART ? count : (part + 1) * CDI_PART;
}
CDI_INLINE uint32_t cdi_part_count(uint32_t count) {
    return count / CDI_PART + (count % CDI_PART != 0);
}

/* Puts item from[i] in place i, of all items; false when there is no memory. */
CDI_FN bool cdi_reorder(cdi_builder *b, const uint32_t *from);

/* A run of items to be made a subtree: `slot` is its root's. */
typedef struct cdi_range {
    uint32_t first, count, slot, depth;
    cdi_box box, middles; /* around the items, and around their middles */
} cdi_range;

/* Is a run to be a leaf: short enough, or, of a trimmed tree, small enough? Needs its box where leaf_extent is set. */
CDI_FN bool cdi_range_is_leaf(const cdi_builder *b, const cdi_range *r);

CDI_FN void cdi_range_measure(const cdi_builder *b, cdi_range *r);
CDI_FN void cdi_write_leaf(cdi_builder *b, const cdi_range *r);

/* Writes the node of `r`, whose items are split in `left` and `right`, and tells these their slots and depth. */
CDI_FN void cdi_write_inner(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right);

/* The two halves of a run as it stands, measured and written. */
CDI_FN void cdi_halve_range(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right);

/* The first item of a subtree. */
CDI_INLINE uint32_t cdi_first_item(const cdi_builder *b, uint32_t slot) {
    while (b->node[slot].count == 0) ++slot;
    return b->node[slot].next;
}

/* The subtree of a run, halved as the items stand: what is too deep or cannot be told apart. */
CDI_FN void cdi_build_halved(cdi_builder *b, const cdi_range *r);
