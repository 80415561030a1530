#include "core/memory.h"
#include "tree/bvh_node.h"

/* The layout is the same on every machine. */
typedef char cdi_bvh_header_is_192_bytes[sizeof(cdi_bvh_header) == 192 ? 1 : -1];
typedef char cdi_bvh_node_is_256_bytes[sizeof(cdi_bvh_node) == 256 ? 1 : -1];
typedef char cdi_bvh_triangle_has_no_gap[sizeof(cdi_bvh_triangle) == 10 * sizeof(cd_real) ? 1 : -1];

CD_API void cd_bvh_destroy(cd_bvh *tree) {
    if (tree->owned) cdi_free(&tree->allocator, (void *)tree->block, tree->bytes, 1);
    cdi_clear(tree, sizeof *tree);
}

/* ---- checking ---- */

static bool cdi_bvh_header_fits(const cdi_bvh_header *h, size_t size) {
    uint64_t bytes = sizeof *h + (uint64_t)h->node_count * sizeof(cdi_bvh_node) +
                     (uint64_t)h->triangle_count * sizeof(cdi_bvh_triangle);
    bool empty = h->triangle_count == 0;
    if (bytes != h->bytes || bytes != size || empty != (h->node_count == 0)) return false;
    if (h->triangle_count > CDI_BVH_MOST || h->skipped_count > h->mesh_count) return false;
    if (h->triangle_count != h->mesh_count - h->skipped_count || h->depth > CDI_BVH_DEPTH) return false;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite(h->frame.origin[i]) || !cdi_finite(h->lo[i]) || !cdi_finite(h->hi[i])) return false;
    }
    return h->frame.exponent >= -1100 && h->frame.exponent <= 1100;
}

/* Are the lanes filled from 0 up, with finite boxes, and are the rest zero? */
static bool cdi_bvh_node_is_tidy(const cdi_bvh_node *node) {
    bool used_before = true;
    for (uint32_t i = 0; i < 8; ++i) {
        bool used = (node->lanes >> i & 1u) != 0;
        if (used && !used_before) return false;
        if (!used && (node->count[i] != 0 || node->child[i] != 0)) return false;
        if (used && node->count[i] > CDI_BVH_LEAF_MAX) return false;
        for (int k = 0; k < 3; ++k) {
            if (!(node->lo[k][i] >= -2.0f && node->hi[k][i] <= 2.0f && node->lo[k][i] <= node->hi[k][i]))
                return false;
        }
        used_before = used;
    }
    return node->lanes != 0 && node->lanes < 256;
}

static bool cdi_lane_inside_lane(const cdi_bvh_node *node, uint32_t i, const cdi_bvh_node *parent,
                                 uint32_t lane) {
    for (int k = 0; k < 3; ++k) {
        if (node->lo[k][i] < parent->lo[k][lane] || node->hi[k][i] > parent->hi[k][lane]) return false;
    }
    return true;
}

static bool cdi_triangle_inside_lane(const cdi_bvh *tree, uint32_t t, const cdi_bvh_node *node,
                                     uint32_t lane) {
    cdi_tri tri = cdi_bvh_tri(&tree->triangles[t]);
    if (tree->triangles[t].index >= tree->header->mesh_count || !cdi_tri_finite(&tri)) return false;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double x = cdi_frame_in(&tree->header->frame, k, cdi_v3_get(tri.v[i], k));
            if (!((double)node->lo[k][lane] <= x && x <= (double)node->hi[k][lane])) return false;
        }
    }
    return true;
}

/* Where the walk is: a node and the next lane to look at. */
typedef struct cdi_bvh_step {
    uint32_t node, lane;
} cdi_bvh_step;

/* Walks the tree depth first: every node and triangle has to come up with the next number. */
static bool cdi_bvh_is_sound(const cdi_bvh *tree) {
    cdi_bvh_step path[CDI_BVH_DEPTH];
    uint32_t length = 1, nodes = 1, triangles = 0, deepest = 1;
    path[0].node = path[0].lane = 0;
    if (!cdi_bvh_node_is_tidy(&tree->nodes[0])) return false;
    while (length > 0) {
        cdi_bvh_step *at = &path[length - 1];
        const cdi_bvh_node *node = &tree->nodes[at->node];
        uint32_t lane = at->lane++, child;
        if (lane == 8 || !(node->lanes >> lane & 1u)) {
            --length;
            continue;
        }
        child = node->child[lane];
        if (node->count[lane] == 0) {
            if (child != nodes || nodes >= tree->header->node_count || length == CDI_BVH_DEPTH) return false;
            if (!cdi_bvh_node_is_tidy(&tree->nodes[child])) return false;
            for (uint32_t i = 0; i < 8 && (tree->nodes[child].lanes >> i & 1u); ++i) {
                if (!cdi_lane_inside_lane(&tree->nodes[child], i, node, lane)) return false;
            }
            ++nodes;
            path[length].node = child;
            path[length++].lane = 0;
            deepest = deepest > length ? deepest : length;
        } else {
            uint32_t count = node->count[lane];
            if (child != triangles || count > tree->header->triangle_count - triangles) return false;
            for (uint32_t i = 0; i < count; ++i) {
                if (!cdi_triangle_inside_lane(tree, child + i, node, lane)) return false;
            }
            triangles += count;
        }
    }
    return nodes == tree->header->node_count && triangles == tree->header->triangle_count &&
           deepest == tree->header->depth;
}

CD_API cd_status cd_bvh_validate(const cd_bvh *tree) {
    cdi_bvh t;
    if (!tree->block) return tree->bytes == 0 ? CD_OK : CD_CORRUPT;
    if (tree->bytes < sizeof(cdi_bvh_header)) return CD_CORRUPT;
    if (!cdi_bvh_header_fits((const cdi_bvh_header *)tree->block, tree->bytes)) return CD_CORRUPT;
    return !cdi_bvh_open(&t, tree) || cdi_bvh_is_sound(&t) ? CD_OK : CD_CORRUPT;
}

CD_API cd_status cd_bvh_view(cd_bvh *out, const void *bytes, size_t size) {
    const cdi_bvh_header *h = (const cdi_bvh_header *)bytes;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof *h) return CD_CORRUPT;
    if (h->magic != CDI_BVH_MAGIC)
        return h->magic == 0x43425648u ? CD_UNSUPPORTED : CD_CORRUPT; /* swapped bytes */
    if (h->version != CDI_BVH_VERSION || h->real_size != sizeof(cd_real)) return CD_UNSUPPORTED;
    out->block = bytes;
    out->bytes = size;
    status = cd_bvh_validate(out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

/* ---- facts ---- */

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
    double root, sum = 0.0;
    cdi_clear(&s, sizeof s);
    s.bytes = tree->bytes;
    if (tree->block) s.skipped_count = ((const cdi_bvh_header *)tree->block)->skipped_count;
    if (!cdi_bvh_open(&t, tree)) return s;
    s.triangle_count = t.header->triangle_count;
    s.node_count = t.header->node_count;
    s.depth = t.header->depth;
    root = cdi_node_area(&t.nodes[0]);
    for (uint32_t n = 0; n < s.node_count; ++n) {
        for (uint32_t i = 0; i < 8 && (t.nodes[n].lanes >> i & 1u); ++i) {
            uint32_t count = t.nodes[n].count[i];
            if (count) ++s.leaf_count;
            sum += cdi_lane_area(&t.nodes[n], i) * (count ? (double)count : 1.0);
        }
    }
    s.cost = 1.0 + (root > 0.0 ? sum / root : 0.0);
    return s;
}

CD_API cd_aabb cd_bvh_bounds(const cd_bvh *tree) {
    cd_aabb b = cd_aabb_empty();
    cdi_bvh t;
    if (!cdi_bvh_open(&t, tree)) return b;
    b.min = cdi_v3_round(cdi_v3_make(t.header->lo[0], t.header->lo[1], t.header->lo[2]));
    b.max = cdi_v3_round(cdi_v3_make(t.header->hi[0], t.header->hi[1], t.header->hi[2]));
    return b;
}
