#include "query/closest3d.h"
#include "tree/bvh_closest.h"
#include "tree/bvh_distance.h"
#include "tree/bvh_walk.h"

/* The search for the nearest item. */
typedef struct cdi_near_best {
    cdi_v3 p;
    cdi_frame_point point;
    const cd_filter *filter;
    double sqdist;
    uint32_t index;
    cdi_near near_point;
} cdi_near_best;

static uint32_t cdi_near_bounds(const void *q, const cdi_bvh_node *node, float limit, float bound[8]) {
    cdi_f8 sqdist = cdi_sqdist_boxes(&((const cdi_near_best *)q)->point, node);
    cdi_f8_store(bound, sqdist);
    return cdi_f8_le(sqdist, cdi_f8_all(limit));
}

static bool cdi_near_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_near_best *best = (cdi_near_best *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_bvh_tri(tree, i);
        cdi_near n = cdi_near_triangle(best->p, &tri);
        uint32_t index = cdi_bvh_index(tree, i);
        CDI_COUNT(triangle);
        if (n.sqdist > best->sqdist || (n.sqdist == best->sqdist && index > best->index)) continue;
        if (!cdi_bvh_sees(tree, i, index, best->filter)) continue;
        best->sqdist = n.sqdist;
        best->index = index;
        best->near_point = n;
        *limit = cdi_frame_sqdist(&tree->header->frame, n.sqdist);
    }
    return true;
}

static void cdi_closest_write(cd_closest *out, cd_vec3 p, const cdi_near_best *best) {
    if (!out) return;
    cdi_clear(out, sizeof *out);
    out->a = p;
    out->b = cdi_v3_round(best->near_point.point);
    out->sqdist = (cd_real)best->sqdist;
    out->s = (cd_real)best->near_point.u;
    out->t = (cd_real)best->near_point.v;
    out->feature_b = best->near_point.feature;
    out->index_b = best->index;
}

CD_API bool cd_bvh_closest(const cd_bvh *tree, cd_vec3 p, cd_real max_distance, const cd_filter *filter,
                           cd_closest *out) {
    double most = (double)max_distance;
    cdi_near_best best;
    cdi_bvh t;
    cdi_clear(&best, sizeof best);
    best.p = cdi_v3_of(p);
    best.filter = filter;
    best.sqdist = cdi_min(most * most, CDI_HUGE);
    best.index = CD_NONE;
    if (!cdi_bvh_open(&t, tree) || !cdi_v3_finite(best.p) || !(most >= 0.0)) return false;
    if (!cdi_bvh_is_triangles(&t)) return false;
    best.point = cdi_frame_point_of(&t.header->frame, best.p);
    cdi_walk_nearest(&t, &best, cdi_frame_sqdist(&t.header->frame, best.sqdist), cdi_near_bounds,
                     cdi_near_leaf);
    if (best.index == CD_NONE) return false;
    cdi_closest_write(out, p, &best);
    return true;
}
