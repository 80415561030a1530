#include "core/memory.h"
#include "tree/bvh_build.h"
#include "tree/bvh_layout.h"
#include "tree/bvh_stats.h"
#include "tree/bvh_walk.h"
#include "tree/fans.h"

/* ---- measures of boxes ---- */

/* The sides of a box; negative for none. */
typedef struct cdi_sides {
    double x, y, z;
} cdi_sides;

static double cdi_sides_area(cdi_sides s) {
    return s.x * s.y + s.y * s.z + s.z * s.x;
}

static double cdi_sides_volume(cdi_sides s) {
    return s.x * s.y * s.z;
}

/* The sides of what lanes i and j have in common. */
static cdi_sides cdi_common_sides(const cdi_bvh_node *node, uint32_t i, uint32_t j) {
    double d[3];
    cdi_sides s;
    for (int k = 0; k < 3; ++k) {
        double lo = cdi_max((double)node->lo[k][i], (double)node->lo[k][j]);
        d[k] = cdi_min((double)node->hi[k][i], (double)node->hi[k][j]) - lo;
    }
    s.x = d[0];
    s.y = d[1];
    s.z = d[2];
    return s;
}

/* The sides of the box around all lanes. */
static cdi_sides cdi_node_sides(const cdi_bvh_node *node) {
    cdi_bvh_node all;
    cdi_clear(&all, sizeof all);
    for (int k = 0; k < 3; ++k) {
        all.lo[k][0] = node->lo[k][0];
        all.hi[k][0] = node->hi[k][0];
        for (uint32_t i = 1; i < 8 && (node->lanes >> i & 1u); ++i) {
            if (node->lo[k][i] < all.lo[k][0]) all.lo[k][0] = node->lo[k][i];
            if (node->hi[k][i] > all.hi[k][0]) all.hi[k][0] = node->hi[k][i];
        }
    }
    return cdi_common_sides(&all, 0, 0);
}

/* ---- the walk ---- */

/* A node on the way down, and the next lane. */
typedef struct cdi_stats_step {
    uint32_t node, lane;
} cdi_stats_step;

/* The sums over all nodes, before they are divided. */
typedef struct cdi_stats_sums {
    double area, node_area, volume, overlap, leaf_depth;
} cdi_stats_sums;

/* The surfaces of what each two lanes have in common. */
static double cdi_lane_overlap(const cdi_bvh_node *node) {
    double overlap = 0.0;
    for (uint32_t i = 1; i < 8 && (node->lanes >> i & 1u); ++i) {
        for (uint32_t j = 0; j < i; ++j) {
            cdi_sides s = cdi_common_sides(node, i, j);
            if (s.x >= 0.0 && s.y >= 0.0 && s.z >= 0.0) overlap += cdi_sides_area(s);
        }
    }
    return overlap;
}

/* Takes a node's lanes into the sums, where the node is `depth` from the root, itself included. */
static void cdi_stats_of_lanes(const cdi_bvh *t, const cdi_bvh_node *node, uint32_t depth, cd_bvh_stats *s,
                               cdi_stats_sums *sums) {
    uint32_t below = t->layout == CD_BVH_BINARY && t->header->node_count > 1 ? depth + 1 : depth;
    for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
        cdi_sides sides = cdi_common_sides(node, i, i);
        double count = node->count[i] ? (double)node->count[i] : 1.0;
        sums->area += cdi_sides_area(sides) * count;
        sums->volume += cdi_sides_volume(sides) * count;
        if (node->count[i]) {
            ++s->leaf_count;
            sums->leaf_depth += (double)below;
            if (node->count[i] > s->leaf_most) s->leaf_most = node->count[i];
        } else {
            sums->node_area += cdi_sides_area(sides);
        }
    }
    sums->overlap += cdi_lane_overlap(node);
}

/* Depth first, so that the depth of leaves is known. */
static void cdi_stats_walk(const cdi_bvh *t, cd_bvh_stats *s, cdi_stats_sums *sums) {
    cdi_stats_step path[CDI_BVH_DEPTH];
    cdi_bvh_node scratch;
    uint32_t length = 1;
    path[0].node = path[0].lane = 0;
    while (length > 0) {
        cdi_stats_step *at = &path[length - 1];
        const cdi_bvh_node *node = cdi_bvh_at(t, at->node, &scratch);
        uint32_t lane = at->lane++;
        if (lane == 0) {
            s->node_count += t->header->dynamic != 0; /* others are in use all */
            cdi_stats_of_lanes(t, node, length, s, sums);
        }
        if (lane == 8 || !(node->lanes >> lane & 1u)) {
            --length;
        } else if (!node->count[lane]) {
            path[length].node = node->child[lane];
            path[length++].lane = 0;
        }
    }
}

CD_API cd_bvh_stats cd_bvh_get_stats(const cd_bvh *tree) {
    cdi_stats_sums sums;
    cdi_bvh_node scratch;
    cdi_sides root;
    cd_bvh_stats s;
    cdi_bvh t;
    double area, volume;
    cdi_clear(&s, sizeof s);
    cdi_clear(&sums, sizeof sums);
    s.bytes = tree->bytes;
    if (tree->block) s.skipped_count = ((const cdi_bvh_header *)tree->block)->skipped_count;
    if (!cdi_bvh_open(&t, tree)) return s;
    s.primitive_count = cd_bvh_count(tree);
    s.node_count = t.header->dynamic ? 0 : t.header->node_count;
    s.depth = t.header->depth;
    cdi_stats_walk(&t, &s, &sums);
    root = cdi_node_sides(cdi_bvh_at(&t, 0, &scratch));
    area = cdi_sides_area(root);
    volume = cdi_sides_volume(root);
    s.leaf_depth = sums.leaf_depth / (double)s.leaf_count;
    s.cost = 1.0 + (area > 0.0 ? sums.area / area : 0.0);
    s.cost_nodes = 1.0 + (area > 0.0 ? sums.node_area / area : 0.0);
    s.cost_point = 1.0 + (volume > 0.0 ? sums.volume / volume : 0.0);
    s.overlap = area > 0.0 ? sums.overlap / area : 0.0;
    return s;
}

/* ---- the worst query ---- */

/* A box of the frame, and what it costs. */
typedef struct cdi_cost_query {
    float lo[3], hi[3];
    double *cost;
} cdi_cost_query;

/* One more visit; which lanes does the box meet? */
static uint32_t cdi_cost_lanes(const void *query, const cdi_bvh_node *node) {
    const cdi_cost_query *q = (const cdi_cost_query *)query;
    uint32_t mask = 0;
    for (int i = 0; i < 8; ++i) {
        bool meets = true;
        for (int k = 0; k < 3; ++k) meets = meets && q->lo[k] <= node->hi[k][i] && node->lo[k][i] <= q->hi[k];
        mask |= (uint32_t)meets << i;
    }
    *q->cost += 1.0;
    return mask;
}

static bool cdi_cost_items(void *query, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    (void)tree;
    (void)first;
    *((const cdi_cost_query *)query)->cost += (double)count;
    return true;
}

/* What the middle of a lane's box costs, or the whole box. */
static double cdi_lane_cost(const cdi_bvh *t, const cdi_bvh_node *node, uint32_t lane, bool whole) {
    cdi_cost_query q;
    double cost = 0.0;
    q.cost = &cost;
    for (int k = 0; k < 3; ++k) {
        float middle = 0.5f * (node->lo[k][lane] + node->hi[k][lane]);
        q.lo[k] = whole ? node->lo[k][lane] : middle;
        q.hi[k] = whole ? node->hi[k][lane] : middle;
    }
    (void)cdi_walk_meeting(t, &q, cdi_cost_lanes, cdi_cost_items);
    return cost;
}

static void cdi_try_leaf(const cdi_bvh *t, const cdi_bvh_node *node, uint32_t lane, cd_bvh_worst *w) {
    double cost = cdi_lane_cost(t, node, lane, false);
    ++w->tried;
    w->mean += cost;
    w->bound = cdi_max(w->bound, cdi_lane_cost(t, node, lane, true));
    if (cost <= w->worst) return;
    w->worst = cost;
    w->index = cdi_bvh_index(t, node->child[lane]);
}

CD_API cd_bvh_worst cd_bvh_get_worst(const cd_bvh *tree, uint32_t most) {
    uint32_t leaves = cd_bvh_get_stats(tree).leaf_count, number = 0, nodes;
    uint32_t step = most && leaves > most ? leaves / most : 1;
    cd_bvh_worst w;
    cdi_bvh_node scratch;
    cdi_bvh t;
    cdi_clear(&w, sizeof w);
    w.index = CD_NONE;
    if (!cdi_bvh_open(&t, tree)) return w;
    nodes = t.header->dynamic ? t.header->dynamic : t.header->node_count;
    for (uint32_t n = 0; n < nodes; ++n) {
        const cdi_bvh_node *node;
        if (!cdi_node_has_lanes(&t, n)) continue;
        node = cdi_bvh_at(&t, n, &scratch);
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
            if (node->count[i] && number++ % step == 0) cdi_try_leaf(&t, node, i, &w);
        }
    }
    w.mean /= (double)w.tried;
    return w;
}

/* ---- degrees ---- */

/* The natural logarithm of a positive number: 2^e m with m about 1, and the series of the inverse hyperbolic tangent. */
static double cdi_log(double x) {
    int e = cdi_exponent(x);
    double m = cdi_scale2(x, -e), t, square, sum = 0.0;
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++e;
    }
    t = (m - 1.0) / (m + 1.0);
    square = t * t;
    for (int k = 21; k > 0; k -= 2) sum = sum * square + 1.0 / (double)k;
    return (double)e * 0.6931471805599453 + 2.0 * t * sum;
}

CD_API cd_bvh_degree cd_bvh_degree_cost(double degree, double leaves) {
    cd_bvh_degree d;
    cdi_clear(&d, sizeof d);
    if (!(degree > 1.0 && leaves >= 1.0 && cdi_finite(degree) && cdi_finite(leaves))) return d;
    d.inner_nodes = (leaves - 1.0) / (degree - 1.0);
    d.height = cdi_log(leaves) / cdi_log(degree);
    d.one = degree * d.height;
    d.pair = degree * d.one;
    return d;
}

/* A binary subtree to become a node. */
typedef struct cdi_collapse_step {
    uint32_t slot, depth;
} cdi_collapse_step;

static void cdi_collapse_binary(const cdi_builder *b, uint32_t degree, cd_bvh_collapsed *out) {
    cdi_collapse_step todo[(CDI_DEGREE_MOST - 1) * CDI_BINARY_DEPTH + 1];
    double root = cdi_box_area(&b->node[0].box), sum = 0.0;
    uint32_t todo_count = 1;
    todo[0].slot = 0;
    todo[0].depth = 1;
    while (todo_count > 0) {
        cdi_collapse_step at = todo[--todo_count];
        uint32_t child[CDI_DEGREE_MOST], width = cdi_gather_children(b, at.slot, child, degree);
        ++out->node_count;
        if (at.depth > out->depth) out->depth = at.depth;
        out->tests += cdi_box_area(&b->node[at.slot].box) * (double)width;
        for (uint32_t i = width; i-- > 0;) {
            const cdi_binary_node *n = &b->node[child[i]];
            sum += cdi_box_area(&n->box) * (n->count ? (double)n->count : 1.0);
            out->leaf_count += n->count != 0;
            if (n->count) continue;
            todo[todo_count].slot = child[i];
            todo[todo_count++].depth = at.depth + 1;
        }
    }
    out->cost = 1.0 + (root > 0.0 ? sum / root : 0.0);
    out->tests = root > 0.0 ? out->tests / root : 0.0;
}

CD_API cd_status cd_bvh_collapse(const cd_bvh *tree, uint32_t degree, const cd_allocator *allocator,
                                 cd_bvh_collapsed *out) {
    cd_bvh_options options;
    cdi_builder b;
    cdi_bvh t;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (degree < 2 || degree > CDI_DEGREE_MOST) return CD_INVALID_ARGUMENT;
    if (!cdi_bvh_open(&t, tree)) return CD_OK;
    if (t.header->dynamic) return CD_UNSUPPORTED;
    cdi_clear(&options, sizeof options);
    if (allocator) options.allocator = *allocator;
    cdi_begin_follow(&b, &t, &options);
    if (!cdi_builder_take(&b, b.count)) return CD_OUT_OF_MEMORY;
    status = cdi_follow_tree(&b);
    if (status == CD_OK) cdi_collapse_binary(&b, degree, out);
    cdi_builder_give_back(&b, b.count);
    return status;
}
