#include "core/memory.h"
#include "tree/bvh_build.h"
#include "tree/bvh_node.h"

#define CDI_BINS       16
#define CDI_COST_DEPTH 64u /* levels split by cost; halving adds at most 29 */
#define CDI_TASKS      64u /* parts that may be built side by side */
#define CDI_TASK_LEAST 4096u

/* A box as eight numbers: min, 0, -max, 0. Two are merged by one minimum of each. */
typedef struct cdi_box {
    cd_real v[8];
} cdi_box;

CDI_INLINE void cdi_box_grow(cdi_box *b, const cdi_box *other) {
    for (int i = 0; i < 8; ++i) b->v[i] = b->v[i] < other->v[i] ? b->v[i] : other->v[i];
}

static cdi_box cdi_box_empty(void) {
    cdi_box b;
    for (int i = 0; i < 8; ++i) b.v[i] = CD_REAL_MAX;
    return b;
}

/* Half the surface; 0 for an empty box. */
static double cdi_box_area(const cdi_box *b) {
    double x = -(double)b->v[4] - (double)b->v[0], y = -(double)b->v[5] - (double)b->v[1];
    double z = -(double)b->v[6] - (double)b->v[2];
    return x < 0.0 ? 0.0 : x * y + y * z + z * x;
}

/* The middle of a box on an axis; a point as a box is (p, 0, -p, 0). */
CDI_INLINE cd_real cdi_box_middle(const cdi_box *b, int axis) {
    cd_real half = (cd_real)0.5;
    return half * b->v[axis] - half * b->v[4 + axis];
}

CDI_INLINE cdi_box cdi_box_of_middle(const cdi_box *b) {
    cdi_box c;
    for (int k = 0; k < 3; ++k) {
        c.v[k] = cdi_box_middle(b, k);
        c.v[4 + k] = -c.v[k];
    }
    c.v[3] = c.v[7] = 0;
    return c;
}

/* ---- the binary tree: the subtree of n triangles takes the 2n - 1 slots from its root on ---- */

/* A leaf has count > 0 and its first triangle in `next`; an inner node has its left child in the next slot and its right
 * one in slot `next`. */
typedef struct cdi_binary_node {
    cdi_box box;
    uint32_t next, count;
} cdi_binary_node;

/* A run of triangles to be made a subtree. */
typedef struct cdi_range {
    uint32_t first, count, slot, depth;
    cdi_box box, middles;
} cdi_range;

typedef struct cdi_builder {
    const cd_mesh_view *mesh;
    cd_allocator allocator;
    cd_executor executor;
    uint32_t count, leaf_size;
    cdi_box *box; /* of each triangle, in the order of the leaves to be */
    uint32_t *index;
    cdi_binary_node *node;
    cdi_range task[CDI_TASKS];
    uint32_t task_count;
} cdi_builder;

static void cdi_range_measure(const cdi_builder *b, cdi_range *r) {
    r->box = r->middles = cdi_box_empty();
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        cdi_box_grow(&r->box, &b->box[i]);
        cdi_box_grow(&r->middles, &middle);
        CDI_COUNT(build);
    }
}

/* ---- the choice of a split ---- */

typedef struct cdi_bin {
    cdi_box box;
    uint32_t count;
} cdi_bin;

/* From the middle of a box to a bin number, axis by axis. */
typedef struct cdi_binning {
    cd_real start[3], scale[3];
} cdi_binning;

static cdi_binning cdi_binning_of(const cdi_range *r) {
    cdi_binning m;
    for (int k = 0; k < 3; ++k) {
        cd_real extent = -r->middles.v[4 + k] - r->middles.v[k];
        m.start[k] = r->middles.v[k];
        m.scale[k] = extent > 0 ? (cd_real)CDI_BINS / extent : 0;
    }
    return m;
}

CDI_INLINE uint32_t cdi_bin_of(const cdi_binning *m, const cdi_box *b, int axis) {
    cd_real x = (cdi_box_middle(b, axis) - m->start[axis]) * m->scale[axis];
    return x > 0 ? (x < CDI_BINS - 1 ? (uint32_t)x : CDI_BINS - 1) : 0;
}

/* Triangles whose bin on `axis` is below `bin` go left; axis -1: no split by cost is worth while or possible. */
typedef struct cdi_bin_split {
    int axis;
    uint32_t bin;
    double cost;
} cdi_bin_split;

static void cdi_fill_bins(const cdi_builder *b, const cdi_range *r, const cdi_binning *m,
                          cdi_bin bins[3][CDI_BINS]) {
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < CDI_BINS; ++i) {
            bins[k][i].box = cdi_box_empty();
            bins[k][i].count = 0;
        }
    }
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        const cdi_box *box = &b->box[i];
        for (int k = 0; k < 3; ++k) {
            cdi_bin *bin = &bins[k][cdi_bin_of(m, box, k)];
            cdi_box_grow(&bin->box, box);
            ++bin->count;
        }
        CDI_COUNT(build);
    }
}

/* Sweeps the bins of one axis from the right, then from the left, and keeps the cheapest place to cut. */
static void cdi_sweep_bins(const cdi_bin *bins, int axis, cdi_bin_split *best) {
    double right_cost[CDI_BINS];
    cdi_box box = cdi_box_empty();
    uint32_t count = 0;
    for (int i = CDI_BINS - 1; i > 0; --i) {
        cdi_box_grow(&box, &bins[i].box);
        count += bins[i].count;
        right_cost[i] = count ? cdi_box_area(&box) * (double)count : -1.0;
    }
    box = cdi_box_empty();
    count = 0;
    for (int i = 1; i < CDI_BINS; ++i) {
        double cost;
        cdi_box_grow(&box, &bins[i - 1].box);
        count += bins[i - 1].count;
        if (count == 0 || right_cost[i] < 0.0) continue;
        cost = cdi_box_area(&box) * (double)count + right_cost[i];
        if (cost < best->cost) {
            best->cost = cost;
            best->axis = axis;
            best->bin = (uint32_t)i;
        }
    }
}

static cdi_bin_split cdi_choose_split(const cdi_builder *b, const cdi_range *r, const cdi_binning *m) {
    cdi_bin bins[3][CDI_BINS];
    cdi_bin_split best;
    best.axis = -1;
    best.bin = 0;
    best.cost = CDI_HUGE;
    cdi_fill_bins(b, r, m, bins);
    for (int k = 0; k < 3; ++k) {
        if (m->scale[k] > 0) cdi_sweep_bins(bins[k], k, &best);
    }
    return best;
}

/* ---- splitting ---- */

static void cdi_exchange(cdi_builder *b, uint32_t i, uint32_t j) {
    cdi_box box = b->box[i];
    uint32_t index = b->index[i];
    b->box[i] = b->box[j];
    b->box[j] = box;
    b->index[i] = b->index[j];
    b->index[j] = index;
}

/* Orders the run by the split, and measures both sides on the way. */
static void cdi_partition(cdi_builder *b, const cdi_bin_split *s, const cdi_binning *m, cdi_range *left,
                          cdi_range *right) {
    uint32_t i = left->first, end = right->first + right->count;
    left->box = left->middles = right->box = right->middles = cdi_box_empty();
    while (i < end) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        bool goes_left = cdi_bin_of(m, &b->box[i], s->axis) < s->bin;
        cdi_range *side = goes_left ? left : right;
        cdi_box_grow(&side->box, &b->box[i]);
        cdi_box_grow(&side->middles, &middle);
        if (goes_left) {
            ++i;
        } else {
            cdi_exchange(b, i, --end);
        }
        CDI_COUNT(build);
    }
    right->count += right->first - end;
    right->first = end;
    left->count = end - left->first;
}

static void cdi_write_leaf(cdi_builder *b, const cdi_range *r) {
    cdi_binary_node *node = &b->node[r->slot];
    node->box = r->box;
    node->next = r->first;
    node->count = r->count;
}

/* Splits a run in two, or makes it a leaf (false). */
static bool cdi_split_range(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right) {
    cdi_binning m = cdi_binning_of(r);
    cdi_bin_split split;
    bool told_apart = m.scale[0] > 0 || m.scale[1] > 0 || m.scale[2] > 0;
    if (r->count <= b->leaf_size) {
        cdi_write_leaf(b, r);
        return false;
    }
    split.axis = -1;
    if (told_apart && r->depth < CDI_COST_DEPTH) split = cdi_choose_split(b, r, &m);
    *left = *right = *r;
    left->depth = right->depth = r->depth + 1;
    if (split.axis >= 0) {
        right->first = r->first + r->count;
        right->count = 0;
        cdi_partition(b, &split, &m, left, right);
    } else {
        left->count = r->count / 2;
        right->first = r->first + left->count;
        right->count = r->count - left->count;
        cdi_range_measure(b, left);
        cdi_range_measure(b, right);
    }
    left->slot = r->slot + 1;
    right->slot = r->slot + 2 * left->count;
    b->node[r->slot].box = r->box;
    b->node[r->slot].next = right->slot;
    b->node[r->slot].count = 0;
    return true;
}

/* The whole subtree of a run. */
static void cdi_build_range(cdi_builder *b, const cdi_range *run) {
    cdi_range todo[CDI_BVH_DEPTH + 1], right;
    uint32_t count = 0;
    todo[count++] = *run;
    while (count > 0) {
        cdi_range at = todo[count - 1], left;
        --count;
        while (cdi_split_range(b, &at, &left, &right)) {
            todo[count++] = right;
            at = left;
        }
    }
}

static void cdi_build_task(void *ctx, uint32_t i) {
    cdi_builder *b = (cdi_builder *)ctx;
    cdi_build_range(b, &b->task[i]);
}

static bool cdi_tell_progress(const cdi_builder *b, double done) {
    return !b->executor.progress || b->executor.progress(b->executor.user, (float)done);
}

/* Splits the largest run until there are enough for all threads. What is split does not depend on the executor. */
static bool cdi_build_top(cdi_builder *b) {
    while (b->task_count < CDI_TASKS) {
        uint32_t largest = 0;
        cdi_range left, right;
        for (uint32_t i = 1; i < b->task_count; ++i) {
            if (b->task[i].count > b->task[largest].count) largest = i;
        }
        if (b->task[largest].count < CDI_TASK_LEAST) break;
        if (!cdi_split_range(b, &b->task[largest], &left, &right)) break;
        b->task[largest] = left;
        b->task[b->task_count++] = right;
        if (!cdi_tell_progress(b, 0.05 + 0.35 * (double)b->task_count / CDI_TASKS)) return false;
    }
    return true;
}

static bool cdi_build_binary(cdi_builder *b) {
    cdi_range *all = &b->task[0];
    all->first = all->slot = all->depth = 0;
    all->count = b->count;
    cdi_range_measure(b, all);
    b->task_count = 1;
    if (!cdi_build_top(b)) return false;
    if (b->executor.run) {
        b->executor.run(b->executor.user, b->task_count, cdi_build_task, b);
    } else {
        for (uint32_t i = 0; i < b->task_count; ++i) {
            cdi_build_task(b, i);
            if (!cdi_tell_progress(b, 0.4 + 0.4 * (double)(i + 1) / (double)b->task_count)) return false;
        }
    }
    return cdi_tell_progress(b, 0.8);
}

/* ---- reading the mesh ---- */

static bool cdi_read_triangle(const cd_mesh_view *mesh, uint32_t i, cdi_box *box) {
    cd_triangle t;
    cd_aabb bounds;
    if (!cd_mesh_triangle(mesh, i, &t) || !cd_triangle_is_valid(&t)) return false;
    bounds.min = cd_vec3_min(t.a, cd_vec3_min(t.b, t.c));
    bounds.max = cd_vec3_max(t.a, cd_vec3_max(t.b, t.c));
    box->v[0] = bounds.min.x;
    box->v[1] = bounds.min.y;
    box->v[2] = bounds.min.z;
    box->v[4] = -bounds.max.x;
    box->v[5] = -bounds.max.y;
    box->v[6] = -bounds.max.z;
    box->v[3] = box->v[7] = 0;
    return true;
}

static cd_status cdi_read_mesh(cdi_builder *b, bool skip) {
    for (uint32_t i = 0; i < b->mesh->triangle_count; ++i) {
        if (cdi_read_triangle(b->mesh, i, &b->box[b->count])) {
            b->index[b->count++] = i;
        } else if (!skip) {
            return CD_INVALID_ARGUMENT;
        }
        if ((i & 0xFFFFFu) == 0xFFFFFu && !cdi_tell_progress(b, 0.0)) return CD_CANCELLED;
    }
    return cdi_tell_progress(b, 0.05) ? CD_OK : CD_CANCELLED;
}

/* ---- from the binary tree to nodes of eight children ---- */

/* Opens the child with the largest box until there are eight or all are leaves; they stay in order. */
static uint32_t cdi_gather_children(const cdi_builder *b, uint32_t slot, uint32_t child[8]) {
    uint32_t count = 1;
    child[0] = slot;
    while (count < 8) {
        uint32_t widest = 8;
        double area = -1.0;
        for (uint32_t i = 0; i < count; ++i) {
            const cdi_binary_node *n = &b->node[child[i]];
            if (n->count == 0 && cdi_box_area(&n->box) > area) {
                area = cdi_box_area(&n->box);
                widest = i;
            }
        }
        if (widest == 8) break;
        for (uint32_t i = count; i > widest + 1; --i) child[i] = child[i - 1];
        child[widest + 1] = b->node[child[widest]].next;
        ++child[widest];
        ++count;
    }
    return count;
}

static void cdi_write_lane(const cdi_frame *f, const cdi_box *box, cdi_bvh_node *node, uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
        node->lo[k][lane] = cdi_float_down(cdi_frame_in(f, k, (double)box->v[k]));
        node->hi[k][lane] = cdi_float_up(cdi_frame_in(f, k, -(double)box->v[4 + k]));
    }
}

/* A binary subtree to become a node, and where its number is to be put. */
typedef struct cdi_collapse_step {
    uint32_t slot, parent, lane, depth;
} cdi_collapse_step;

/* Numbers the wide nodes depth first, and writes them unless `nodes` is NULL. Returns how many. */
static uint32_t cdi_collapse(const cdi_builder *b, const cdi_frame *f, cdi_bvh_node *nodes, uint32_t *depth) {
    cdi_collapse_step todo[CDI_BVH_STACK];
    uint32_t todo_count = 1, count = 0;
    cdi_clear(&todo[0], sizeof todo[0]);
    *depth = 0;
    while (todo_count > 0) {
        cdi_collapse_step at = todo[--todo_count];
        uint32_t child[8], number = count++, width = cdi_gather_children(b, at.slot, child);
        if (*depth < at.depth + 1) *depth = at.depth + 1;
        if (nodes) {
            cdi_clear(&nodes[number], sizeof *nodes);
            nodes[number].lanes = (1u << width) - 1u;
            if (number) nodes[at.parent].child[at.lane] = number;
        }
        for (uint32_t i = width; i-- > 0;) {
            const cdi_binary_node *n = &b->node[child[i]];
            if (nodes) {
                cdi_write_lane(f, &n->box, &nodes[number], i);
                nodes[number].count[i] = (uint8_t)n->count;
                if (n->count) nodes[number].child[i] = n->next;
            }
            if (n->count == 0) {
                cdi_collapse_step *next = &todo[todo_count++];
                next->slot = child[i];
                next->parent = number;
                next->lane = i;
                next->depth = at.depth + 1;
            }
        }
    }
    return count;
}

/* ---- the block ---- */

static cdi_frame cdi_frame_of(const cdi_box *bounds) {
    double half = 0.0;
    cdi_frame f;
    cdi_clear(&f, sizeof f);
    for (int k = 0; k < 3; ++k) {
        double lo = (double)bounds->v[k], hi = -(double)bounds->v[4 + k];
        f.origin[k] = 0.5 * lo + 0.5 * hi;
        half = cdi_max(half, cdi_max(hi - f.origin[k], f.origin[k] - lo));
    }
    f.exponent = half > 0.0 ? cdi_exponent(half) + 1 : 0;
    return f;
}

static void cdi_write_triangles(const cdi_builder *b, cdi_bvh_triangle *out) {
    for (uint32_t i = 0; i < b->count; ++i) {
        cd_triangle t;
        cdi_clear(&out[i], sizeof out[i]);
        if (!cd_mesh_triangle(b->mesh, b->index[i], &t)) continue; /* cannot be: it was read before */
        cdi_copy(out[i].v, &t.a, 3 * sizeof(cd_real));
        cdi_copy(out[i].v + 3, &t.b, 3 * sizeof(cd_real));
        cdi_copy(out[i].v + 6, &t.c, 3 * sizeof(cd_real));
        out[i].index = b->index[i];
    }
}

static cd_status cdi_write_block(const cdi_builder *b, cd_bvh *out) {
    cdi_bvh_header h;
    uint64_t bytes;
    unsigned char *block;
    cdi_clear(&h, sizeof h);
    h.magic = CDI_BVH_MAGIC;
    h.version = CDI_BVH_VERSION;
    h.real_size = (uint32_t)sizeof(cd_real);
    h.mesh_count = b->mesh->triangle_count;
    h.triangle_count = b->count;
    h.skipped_count = h.mesh_count - h.triangle_count;
    if (b->count) {
        const cdi_box *bounds = &b->node[0].box;
        h.frame = cdi_frame_of(bounds);
        for (int k = 0; k < 3; ++k) {
            h.lo[k] = (double)bounds->v[k];
            h.hi[k] = -(double)bounds->v[4 + k];
        }
        h.node_count = cdi_collapse(b, &h.frame, NULL, &h.depth);
    }
    bytes = sizeof h + (uint64_t)h.node_count * sizeof(cdi_bvh_node) +
            (uint64_t)b->count * sizeof(cdi_bvh_triangle);
    h.bytes = bytes;
    if (bytes > SIZE_MAX) return CD_TOO_LARGE;
    block = (unsigned char *)cdi_alloc(&b->allocator, (size_t)bytes, 1);
    if (!block) return CD_OUT_OF_MEMORY;
    cdi_copy(block, &h, sizeof h);
    if (b->count) {
        cdi_bvh_node *nodes = (cdi_bvh_node *)(void *)(block + sizeof h);
        cdi_collapse(b, &h.frame, nodes, &h.depth);
        cdi_write_triangles(b, (cdi_bvh_triangle *)(void *)(nodes + h.node_count));
    }
    out->block = block;
    out->bytes = (size_t)bytes;
    out->allocator = b->allocator;
    out->owned = 1;
    return CD_OK;
}

/* ---- the whole ---- */

static cd_status cdi_build(cdi_builder *b, cd_bvh *out, bool skip) {
    cd_status status = cdi_read_mesh(b, skip);
    if (status != CD_OK) return status;
    if (b->count && !cdi_build_binary(b)) return CD_CANCELLED;
    status = cdi_write_block(b, out);
    if (status == CD_OK && !cdi_tell_progress(b, 1.0)) {
        cd_bvh_destroy(out);
        status = CD_CANCELLED;
    }
    return status;
}

CD_API cd_status cd_bvh_build_mesh(cd_bvh *out, const cd_mesh_view *mesh, const cd_bvh_options *options) {
    cdi_builder b;
    uint32_t n = mesh->triangle_count;
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_clear(out, sizeof *out);
    cdi_clear(&b, sizeof b);
    b.mesh = mesh;
    b.leaf_size = 4;
    if (options) {
        b.allocator = options->allocator;
        b.executor = options->executor;
        if (options->leaf_size) b.leaf_size = options->leaf_size;
    }
    if (!cd_mesh_view_is_valid(mesh) || b.leaf_size > CDI_BVH_LEAF_MAX) return CD_INVALID_ARGUMENT;
    if (n > CDI_BVH_MOST) return CD_TOO_LARGE;
    b.box = (cdi_box *)cdi_alloc(&b.allocator, n, sizeof *b.box);
    b.index = (uint32_t *)cdi_alloc(&b.allocator, n, sizeof *b.index);
    b.node = (cdi_binary_node *)cdi_alloc(&b.allocator, 2 * (size_t)n, sizeof *b.node);
    if (n == 0 || (b.box && b.index && b.node)) {
        status = cdi_build(&b, out, options && (options->flags & CD_BVH_SKIP_INVALID));
    }
    cdi_free(&b.allocator, b.node, 2 * (size_t)n, sizeof *b.node);
    cdi_free(&b.allocator, b.index, n, sizeof *b.index);
    cdi_free(&b.allocator, b.box, n, sizeof *b.box);
    return status;
}

#undef CDI_BINS
#undef CDI_COST_DEPTH
#undef CDI_TASKS
#undef CDI_TASK_LEAST
