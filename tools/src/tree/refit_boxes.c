#include "tree/refit_boxes.h"

#define CDI_REFIT_PART 256u /* nodes: as many as stay in the cache */

typedef struct cdi_refit_job {
    const cdi_bvh *tree;
    cdi_framing framing;
} cdi_refit_job;

static cdi_bvh_node *cdi_wide_to_write(const cdi_bvh *tree, uint32_t number) {
    return (cdi_bvh_node *)tree->nodes + number;
}
static cdi_bvh_quantised_node *cdi_quantised_to_write(const cdi_bvh *tree, uint32_t number) {
    return (cdi_bvh_quantised_node *)tree->nodes + number;
}
static cdi_bvh_binary_node *cdi_binary_to_write(const cdi_bvh *tree, uint32_t number) {
    return (cdi_bvh_binary_node *)tree->nodes + number;
}

/* ---- leaves ---- */

/* Numbers and their negatives, as a cdi_box has them. */
static void cdi_store_box(cdi_box *out, cdi_quad lo, cdi_quad hi) {
    cdi_quad_store(out->v, lo);
    cdi_quad_store(out->v + 4, cdi_quad_mul(hi, cdi_quad_all(-1)));
}

static cdi_box cdi_triangles_box(const cdi_bvh_triangle *t, uint32_t count) {
    cdi_quad lo = cdi_quad_load(t->v), hi = lo;
    cdi_box box;
    for (const cdi_bvh_triangle *end = t + count; t < end; ++t) {
        cdi_quad a = cdi_quad_load(t->v), b = cdi_quad_load(t->v + 3), c;
        c = cdi_quad_point((const unsigned char *)(t->v + 6));
        lo = cdi_quad_min(lo, cdi_quad_min(a, cdi_quad_min(b, c)));
        hi = cdi_quad_max(hi, cdi_quad_max(a, cdi_quad_max(b, c)));
    }
    cdi_store_box(&box, lo, hi);
    return box;
}

static cdi_box cdi_indexed_box(const cdi_bvh_indexed *t, uint32_t count, const cd_vec3 *corners) {
    cdi_quad lo = cdi_quad_point((const unsigned char *)&corners[t->corner[0]]), hi = lo;
    cdi_box box;
    for (const cdi_bvh_indexed *end = t + count; t < end; ++t) {
        for (int k = 0; k < 3; ++k) {
            cdi_quad p = cdi_quad_point((const unsigned char *)&corners[t->corner[k]]);
            lo = cdi_quad_min(lo, p);
            hi = cdi_quad_max(hi, p);
        }
    }
    cdi_store_box(&box, lo, hi);
    return box;
}

/* The box of items that follow each other. */
static cdi_box cdi_items_box(const cdi_bvh *tree, uint32_t first, uint32_t count) {
    cdi_box box = cdi_box_empty();
    cdi_source s;
    if (tree->item == CD_BVH_TRIANGLES)
        return cdi_triangles_box((const cdi_bvh_triangle *)tree->items + first, count);
    if (tree->item == CDI_ITEM_INDEXED)
        return cdi_indexed_box((const cdi_bvh_indexed *)tree->items + first, count, tree->corners);
    cdi_clear(&s, sizeof s);
    s.kind = tree->item;
    s.tree = tree;
    for (uint32_t i = first; i < first + count; ++i) {
        cd_aabb read = cd_aabb_empty();
        cdi_box one;
        (void)cdi_source_box(&s, i, &read);
        one = cdi_box_of_aabb(read);
        cdi_box_grow(&box, &one);
    }
    return box;
}

static void cdi_refit_wide_leaves(const cdi_refit_job *job, uint32_t number) {
    cdi_bvh_node *node = cdi_wide_to_write(job->tree, number);
    for (uint32_t i = 0; i < 8; ++i) {
        float lo[3], hi[3];
        cdi_box box;
        if (!node->count[i]) continue;
        box = cdi_items_box(job->tree, node->child[i], node->count[i]);
        cdi_frame_box(&job->framing, &box, lo, hi);
        for (int k = 0; k < 3; ++k) {
            node->lo[k][i] = lo[k];
            node->hi[k][i] = hi[k];
        }
    }
}

static void cdi_refit_quantised_leaves(const cdi_refit_job *job, uint32_t number) {
    cdi_bvh_quantised_node *node = cdi_quantised_to_write(job->tree, number);
    uint32_t item = node->item;
    for (uint32_t i = 0; i < 8; ++i) {
        float lo[3], hi[3];
        cdi_box box;
        if (!node->count[i]) continue;
        box = cdi_items_box(job->tree, item, node->count[i]);
        item += node->count[i];
        cdi_frame_box(&job->framing, &box, lo, hi);
        for (int k = 0; k < 3; ++k) {
            node->lo[k][i] = cdi_quantise_down(lo[k]);
            node->hi[k][i] = cdi_quantise_up(hi[k]);
        }
    }
}

static void cdi_refit_binary_leaf(const cdi_refit_job *job, uint32_t number) {
    cdi_bvh_binary_node *node = cdi_binary_to_write(job->tree, number);
    cdi_box box;
    if (!node->count) return;
    box = cdi_items_box(job->tree, node->next, node->count);
    cdi_frame_box(&job->framing, &box, node->lo, node->hi);
}

/* ---- inner nodes: their children are done ---- */

/* The box around all lanes: three low sides, three high ones. Rows 6 and 7 of a node are no sides, and come along for nothing. */
static void cdi_join_lanes(const cdi_bvh_node *node, float lo[8], float hi[8]) {
    const float *row = cdi_node_row(node, 0);
    uint32_t width = cdi_lowest_bit(node->lanes + 1u);
    cdi_f8 column[4], least, most;
    cdi_f8_columns(row, 8, column);
    least = most = column[0];
    for (uint32_t i = 1; i < width; ++i) {
        if (i == 4) cdi_f8_columns(row + 4, 8, column);
        least = cdi_f8_min(column[i & 3u], least);
        most = cdi_f8_max(column[i & 3u], most);
    }
    cdi_f8_store(lo, least);
    cdi_f8_store(hi, most);
}

static void cdi_refit_wide_inner(const cdi_bvh *tree, uint32_t number) {
    cdi_bvh_node *node = cdi_wide_to_write(tree, number);
    uint32_t width = cdi_lowest_bit(node->lanes + 1u);
    for (uint32_t i = 0; i < width; ++i) {
        float lo[8], hi[8];
        if (node->count[i]) continue;
        cdi_join_lanes(cdi_wide_to_write(tree, node->child[i]), lo, hi);
        for (int k = 0; k < 3; ++k) {
            node->lo[k][i] = lo[k];
            node->hi[k][i] = hi[3 + k];
        }
    }
}

static void cdi_join_quantised(const cdi_bvh_quantised_node *child, cdi_bvh_quantised_node *out,
                               uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
        uint16_t lo = child->lo[k][0], hi = child->hi[k][0];
        for (uint32_t i = 1; i < 8 && (child->lanes >> i & 1u); ++i) {
            lo = child->lo[k][i] < lo ? child->lo[k][i] : lo;
            hi = child->hi[k][i] > hi ? child->hi[k][i] : hi;
        }
        out->lo[k][lane] = lo;
        out->hi[k][lane] = hi;
    }
}

static void cdi_refit_quantised_inner(const cdi_bvh *tree, uint32_t number) {
    cdi_bvh_quantised_node *node = cdi_quantised_to_write(tree, number);
    uint32_t child = node->child;
    for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
        if (node->count[i] == 0) cdi_join_quantised(cdi_quantised_to_write(tree, child++), node, i);
    }
}

static void cdi_refit_binary_inner(const cdi_bvh *tree, uint32_t number) {
    cdi_bvh_binary_node *node = cdi_binary_to_write(tree, number);
    const cdi_bvh_binary_node *l = node + 1, *r = node + (node->next - number);
    if (node->count) return;
    for (int k = 0; k < 3; ++k) {
        node->lo[k] = l->lo[k] < r->lo[k] ? l->lo[k] : r->lo[k];
        node->hi[k] = l->hi[k] > r->hi[k] ? l->hi[k] : r->hi[k];
    }
}

/* ---- the cost ---- */

static double cdi_float_area(float x, float y, float z) {
    return (double)x * (double)y + (double)y * (double)z + (double)z * (double)x;
}

/* The surfaces of the lanes of a node, each as often as it has items; 0 for those not in use. */
static void cdi_weigh_lanes(const cdi_bvh_node *node, float area[8], float cost[8]) {
    cdi_f8 x = cdi_f8_sub(cdi_f8_load(node->hi[0]), cdi_f8_load(node->lo[0]));
    cdi_f8 y = cdi_f8_sub(cdi_f8_load(node->hi[1]), cdi_f8_load(node->lo[1]));
    cdi_f8 z = cdi_f8_sub(cdi_f8_load(node->hi[2]), cdi_f8_load(node->lo[2]));
    cdi_f8 xyz = cdi_f8_add(cdi_f8_add(cdi_f8_mul(x, y), cdi_f8_mul(y, z)), cdi_f8_mul(z, x));
    cdi_f8_store(area, xyz);
    cdi_f8_store(cost, cdi_f8_mul(xyz, cdi_f8_max(cdi_f8_load_u8(node->count), cdi_f8_all(1.0f))));
}

CDI_FN double cdi_lanes_cost(const cdi_bvh_node *node) {
    float area[8], cost[8];
    double sum = 0.0;
    cdi_weigh_lanes(node, area, cost);
    for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) sum += (double)cost[i];
    return sum;
}

static double cdi_binary_cost(const cdi_bvh_binary_node *n) {
    double area = cdi_float_area(n->hi[0] - n->lo[0], n->hi[1] - n->lo[1], n->hi[2] - n->lo[2]);
    return area * (n->count ? (double)n->count : 1.0);
}

/* What a node adds to the sum of surfaces. A root of a binary tree that is no leaf is nobody's lane. */
static double cdi_node_cost(const cdi_bvh *tree, uint32_t number) {
    const cdi_bvh_binary_node *n;
    cdi_bvh_node scratch;
    if (tree->layout != CD_BVH_BINARY) return cdi_lanes_cost(cdi_bvh_at(tree, number, &scratch));
    n = cdi_binary_to_write(tree, number);
    return number || n->count ? cdi_binary_cost(n) : 0.0;
}

CDI_FN double cdi_node_area(const cdi_bvh_node *node) {
    float lo[8], hi[8];
    cdi_join_lanes(node, lo, hi);
    return cdi_float_area(hi[3] - lo[0], hi[4] - lo[1], hi[5] - lo[2]);
}

/* Over the root's surface. */
static double cdi_cost_of_sum(const cdi_bvh *tree, double sum) {
    cdi_bvh_node scratch;
    double root = cdi_node_area(cdi_bvh_at(tree, 0, &scratch));
    return 1.0 + (root > 0.0 ? sum / root : 0.0);
}

CDI_FN double cdi_tree_cost(const cdi_bvh *tree) {
    double sum = 0.0;
    for (uint32_t n = tree->header->node_count; n-- > 0;) sum += cdi_node_cost(tree, n);
    return cdi_cost_of_sum(tree, sum);
}

/* ---- what nodes cost when they were built ---- */

static float *cdi_kept_cost(const cdi_bvh *tree, uint32_t number) {
    return tree->layout == CD_BVH_WIDE ? &cdi_wide_to_write(tree, number)->built_cost
                                       : &cdi_quantised_to_write(tree, number)->built_cost;
}

CDI_FN double cdi_built_cost(const cdi_bvh *tree, uint32_t number) {
    return (double)*cdi_kept_cost(tree, number);
}

CDI_FN double cdi_own_cost(const cdi_bvh *tree, uint32_t number) {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node = cdi_bvh_at(tree, number, &scratch);
    double all = cdi_node_area(node), sum = 0.0;
    float area[8], cost[8];
    cdi_weigh_lanes(node, area, cost);
    for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
        sum += (double)cost[i];
        if (!node->count[i]) sum += (double)area[i] * cdi_built_cost(tree, node->child[i]);
    }
    return all > 0.0 ? sum / all : 1.0;
}

CDI_FN void cdi_keep_costs(const cdi_bvh *tree) {
    for (uint32_t n = tree->header->node_count; n-- > 0;) {
        float *kept = cdi_kept_cost(tree, n);
        if (!(*kept > 0.0f)) *kept = (float)cdi_own_cost(tree, n);
    }
}

/* ---- the whole ---- */

static uint32_t cdi_refit_end(const cdi_bvh *tree, uint32_t part) {
    uint32_t count = tree->header->node_count;
    return count - part * CDI_REFIT_PART < CDI_REFIT_PART ? count : (part + 1) * CDI_REFIT_PART;
}

static void cdi_refit_leaves(void *ctx, uint32_t part) {
    const cdi_refit_job *job = (const cdi_refit_job *)ctx;
    uint32_t end = cdi_refit_end(job->tree, part);
    for (uint32_t n = part * CDI_REFIT_PART; n < end; ++n) {
        switch (job->tree->layout) {
        case CD_BVH_WIDE: cdi_refit_wide_leaves(job, n); break;
        case CD_BVH_BINARY: cdi_refit_binary_leaf(job, n); break;
        default: cdi_refit_quantised_leaves(job, n); break;
        }
    }
}

/* Adds what the nodes of a part cost to the sum. */
static double cdi_refit_inner(const cdi_bvh *tree, uint32_t part, double sum) {
    for (uint32_t n = cdi_refit_end(tree, part); n-- > part * CDI_REFIT_PART;) {
        switch (tree->layout) {
        case CD_BVH_WIDE: cdi_refit_wide_inner(tree, n); break;
        case CD_BVH_BINARY: cdi_refit_binary_inner(tree, n); break;
        default: cdi_refit_quantised_inner(tree, n); break;
        }
        sum += cdi_node_cost(tree, n);
    }
    return sum;
}

CDI_FN double cdi_refit_boxes(const cdi_bvh *tree, const cd_executor *executor) {
    uint32_t count = tree->header->node_count, parts = (count - 1) / CDI_REFIT_PART + 1;
    double sum = 0.0;
    cdi_refit_job job;
    job.tree = tree;
    job.framing = cdi_framing_of(&tree->header->frame);
    if (executor->run) executor->run(executor->user, parts, cdi_refit_leaves, &job);
    while (parts-- > 0) {
        if (!executor->run) cdi_refit_leaves(&job, parts);
        sum = cdi_refit_inner(tree, parts, sum);
    }
    return cdi_cost_of_sum(tree, sum);
}

#undef CDI_REFIT_PART
