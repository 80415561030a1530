#include "core/memory.h"
#include "tree/bvh_node.h"
#include "tree/bvh_stats.h"

static double cdi_lane_area(const cdi_bvh_node *node, uint32_t i) {
    double x = (double)node->hi[0][i] - (double)node->lo[0][i];
    double y = (double)node->hi[1][i] - (double)node->lo[1][i];
    double z = (double)node->hi[2][i] - (double)node->lo[2][i];
    return x * y + y * z + z * x;
}

/* The area of the box around all lanes. */
static double cdi_node_area(const cdi_bvh_node *node) {
    double d[3];
    for (int k = 0; k < 3; ++k) {
        float lo = node->lo[k][0], hi = node->hi[k][0];
        for (uint32_t i = 1; i < 8 && (node->lanes >> i & 1u); ++i) {
            lo = node->lo[k][i] < lo ? node->lo[k][i] : lo;
            hi = node->hi[k][i] > hi ? node->hi[k][i] : hi;
        }
        d[k] = (double)hi - (double)lo;
    }
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

CD_API cd_bvh_stats cd_bvh_get_stats(const cd_bvh *tree) {
    cd_bvh_stats s;
    cdi_bvh t;
    cdi_bvh_node scratch;
    double root, sum = 0.0;
    cdi_clear(&s, sizeof s);
    s.bytes = tree->bytes;
    if (tree->block) s.skipped_count = ((const cdi_bvh_header *)tree->block)->skipped_count;
    if (!cdi_bvh_open(&t, tree)) return s;
    s.primitive_count = t.header->item_count;
    s.node_count = t.header->node_count;
    s.depth = t.header->depth;
    root = cdi_node_area(cdi_bvh_at(&t, 0, &scratch));
    for (uint32_t n = 0; n < s.node_count; ++n) {
        const cdi_bvh_node *node;
        if (!cdi_node_has_lanes(&t, n)) continue;
        node = cdi_bvh_at(&t, n, &scratch);
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
            uint32_t count = node->count[i];
            if (count) ++s.leaf_count;
            sum += cdi_lane_area(node, i) * (count ? (double)count : 1.0);
        }
    }
    s.cost = 1.0 + (root > 0.0 ? sum / root : 0.0);
    return s;
}
