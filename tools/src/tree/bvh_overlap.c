#include "query/closest3d.h"
#include "query/triangle_box.h"
#include "tree/bvh_distance.h"
#include "tree/bvh_overlap.h"

/* A volume as the walk asks it: which of a node's boxes may it meet, and does it meet a triangle? */
typedef struct cdi_volume {
    uint32_t (*meets_boxes)(const struct cdi_volume *v, const cdi_bvh_node *node);
    bool (*meets_triangle)(const struct cdi_volume *v, const cdi_tri *t);
    float lo[3], hi[3]; /* a box in the tree's frame */
    cdi_frame_point point;
    float sqradius;
    cdi_v3 a, b; /* the box, or a sphere's centre, as the caller gave it */
    double radius;
} cdi_volume;

/* Visits the triangles in the order of the leaves. */
CDI_INLINE bool cdi_overlap_walk(const cdi_bvh *tree, const cdi_volume *v, cd_visit_fn visit, void *user) {
    struct {
        uint32_t node, mask;
    } path[CDI_BVH_DEPTH];
    uint32_t length = 1;
    path[0].node = 0;
    path[0].mask = v->meets_boxes(v, &tree->nodes[0]) & tree->nodes[0].lanes;
    CDI_COUNT(node);
    while (length > 0) {
        const cdi_bvh_node *node = &tree->nodes[path[length - 1].node];
        uint32_t mask = path[length - 1].mask, lane, child;
        if (!mask) {
            --length;
            continue;
        }
        lane = cdi_lowest_bit(mask);
        path[length - 1].mask = mask & (mask - 1);
        child = node->child[lane];
        if (node->count[lane] == 0) {
            path[length].node = child;
            path[length++].mask = v->meets_boxes(v, &tree->nodes[child]) & tree->nodes[child].lanes;
            CDI_COUNT(node);
            continue;
        }
        for (uint32_t i = child; i < child + node->count[lane]; ++i) {
            cdi_tri tri = cdi_bvh_tri(&tree->triangles[i]);
            CDI_COUNT(triangle);
            if (v->meets_triangle(v, &tri) && !visit(user, tree->triangles[i].index)) return false;
        }
    }
    return true;
}

/* ---- box ---- */

static uint32_t cdi_box_meets_boxes(const cdi_volume *v, const cdi_bvh_node *node) {
    uint32_t mask = 255;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(v->hi[k]));
        mask &= cdi_f8_le(cdi_f8_all(v->lo[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

static bool cdi_box_meets_triangle(const cdi_volume *v, const cdi_tri *t) {
    return cdi_test_tri_box(t, v->a, v->b);
}

CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, cd_visit_fn visit, void *user) {
    cdi_bvh t;
    cdi_volume v;
    if (!cdi_bvh_open(&t, tree) || !cd_aabb_is_valid(box)) return true;
    cdi_clear(&v, sizeof v);
    v.meets_boxes = cdi_box_meets_boxes;
    v.meets_triangle = cdi_box_meets_triangle;
    v.a = cdi_v3_of(box.min);
    v.b = cdi_v3_of(box.max);
    for (int k = 0; k < 3; ++k) {
        v.lo[k] = cdi_float_down(cdi_frame_in(&t.header->frame, k, cdi_v3_get(v.a, k)));
        v.hi[k] = cdi_float_up(cdi_frame_in(&t.header->frame, k, cdi_v3_get(v.b, k)));
    }
    return cdi_overlap_walk(&t, &v, visit, user);
}

/* ---- sphere ---- */

static uint32_t cdi_sphere_meets_boxes(const cdi_volume *v, const cdi_bvh_node *node) {
    return cdi_f8_le(cdi_sqdist_boxes(&v->point, node), cdi_f8_all(v->sqradius));
}

static bool cdi_sphere_meets_triangle(const cdi_volume *v, const cdi_tri *t) {
    return cdi_near_triangle(v->a, t).sqdist <= v->radius * v->radius;
}

CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, cd_visit_fn visit, void *user) {
    cdi_bvh t;
    cdi_volume v;
    if (!cdi_bvh_open(&t, tree) || !cd_sphere_is_valid(sphere)) return true;
    cdi_clear(&v, sizeof v);
    v.meets_boxes = cdi_sphere_meets_boxes;
    v.meets_triangle = cdi_sphere_meets_triangle;
    v.a = cdi_v3_of(sphere.center);
    v.radius = (double)sphere.radius;
    v.point = cdi_frame_point_of(&t.header->frame, v.a);
    v.sqradius = cdi_frame_sqdist(&t.header->frame, v.radius * v.radius);
    return cdi_overlap_walk(&t, &v, visit, user);
}
