#include "query/closest3d.h"
#include "tree/bvh_closest.h"
#include "tree/bvh_distance.h"

/* A child to be looked at, and a lower bound of its squared distance. */
typedef struct cdi_near_step {
    float sqdist;
    uint32_t child, count;
} cdi_near_step;

/* The best so far. */
typedef struct cdi_near_best {
    double sqdist;
    uint32_t index;
    cdi_near near_point;
} cdi_near_best;

static bool cdi_near_leaf(cdi_v3 p, const cdi_bvh_triangle *t, uint32_t count, cd_filter_fn filter,
                          void *user, cdi_near_best *best) {
    bool better = false;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_near n = cdi_near_triangle(p, &tri);
        CDI_COUNT(triangle);
        if (n.sqdist > best->sqdist || (n.sqdist == best->sqdist && t[i].index > best->index)) continue;
        if (filter && !filter(user, t[i].index)) continue;
        best->sqdist = n.sqdist;
        best->index = t[i].index;
        best->near_point = n;
        better = true;
    }
    return better;
}

/* Pushes the boxes no farther than `limit` so that the nearest comes off first; of equal ones the lower lane. */
static uint32_t cdi_push_near(cdi_near_step *stack, uint32_t top, const cdi_bvh_node *node,
                              const cdi_frame_point *p, float limit) {
    cdi_f8 sqdist = cdi_sqdist_boxes(p, node);
    uint32_t mask = cdi_f8_le(sqdist, cdi_f8_all(limit)) & node->lanes, bottom = top;
    float d[8];
    cdi_f8_store(d, sqdist);
    CDI_COUNT(node);
    while (mask) {
        uint32_t lane = cdi_lowest_bit(mask), at = top++;
        mask &= mask - 1;
        for (; at > bottom && stack[at - 1].sqdist <= d[lane]; --at) stack[at] = stack[at - 1];
        stack[at].sqdist = d[lane];
        stack[at].child = node->child[lane];
        stack[at].count = node->count[lane];
    }
    return top;
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

CD_API bool cd_bvh_closest(const cd_bvh *tree, cd_vec3 p, cd_real max_distance, cd_filter_fn filter,
                           void *user, cd_closest *out) {
    cdi_near_step stack[CDI_BVH_STACK];
    cdi_v3 q = cdi_v3_of(p);
    double most = (double)max_distance;
    cdi_frame_point point;
    cdi_near_best best;
    cdi_bvh t;
    float limit;
    uint32_t top = 1;
    if (!cdi_bvh_open(&t, tree) || !cdi_v3_finite(q) || !(most >= 0.0)) return false;
    cdi_clear(&best, sizeof best);
    best.sqdist = cdi_min(most * most, CDI_HUGE);
    best.index = CD_NONE;
    point = cdi_frame_point_of(&t.header->frame, q);
    limit = cdi_frame_sqdist(&t.header->frame, best.sqdist);
    stack[0].sqdist = 0.0f;
    stack[0].child = stack[0].count = 0;
    while (top > 0) {
        cdi_near_step at = stack[--top];
        if (at.sqdist > limit) continue;
        if (at.count == 0) {
            top = cdi_push_near(stack, top, &t.nodes[at.child], &point, limit);
        } else if (cdi_near_leaf(q, t.triangles + at.child, at.count, filter, user, &best)) {
            limit = cdi_frame_sqdist(&t.header->frame, best.sqdist);
        }
    }
    if (best.index == CD_NONE) return false;
    cdi_closest_write(out, p, &best);
    return true;
}
