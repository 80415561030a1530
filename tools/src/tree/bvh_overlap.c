#include "query/closest3d.h"
#include "query/triangle_box.h"
#include "tree/bvh_distance.h"
#include "tree/bvh_overlap.h"
#include "tree/bvh_walk.h"

/* A volume as the walk asks it. */
typedef struct cdi_overlap {
    bool (*meets)(const struct cdi_overlap *o, const cdi_bvh *tree, uint32_t i);
    const cd_filter *filter;
    cd_visit_fn visit;
    void *user;
    float lo[3], hi[3]; /* a box in the tree's frame */
    cdi_frame_point point;
    float sqradius;
    cdi_v3 a, b; /* the box, or a sphere's centre, as the caller gave it */
    double radius;
} cdi_overlap;

static bool cdi_overlap_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    const cdi_overlap *o = (const cdi_overlap *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        uint32_t index = cdi_bvh_index(tree, i);
        CDI_COUNT(triangle);
        if (o->meets(o, tree, i) && cdi_bvh_sees(tree, i, index, o->filter) && !o->visit(o->user, index))
            return false;
    }
    return true;
}

/* ---- box ---- */

static uint32_t cdi_box_meets_boxes(const void *q, const cdi_bvh_node *node) {
    const cdi_overlap *o = (const cdi_overlap *)q;
    uint32_t mask = 255;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(o->hi[k]));
        mask &= cdi_f8_le(cdi_f8_all(o->lo[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

static bool cdi_box_meets_item(const cdi_overlap *o, const cdi_bvh *tree, uint32_t i) {
    cdi_tri t = cdi_bvh_tri(tree, i);
    return cdi_test_tri_box(&t, o->a, o->b);
}

CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, const cd_filter *filter, cd_visit_fn visit,
                                void *user) {
    cdi_bvh t;
    cdi_overlap o;
    if (!cdi_bvh_open(&t, tree) || !cd_aabb_is_valid(box) || !cdi_bvh_is_triangles(&t)) return true;
    cdi_clear(&o, sizeof o);
    o.meets = cdi_box_meets_item;
    o.filter = filter;
    o.visit = visit;
    o.user = user;
    o.a = cdi_v3_of(box.min);
    o.b = cdi_v3_of(box.max);
    for (int k = 0; k < 3; ++k) {
        o.lo[k] = cdi_float_down(cdi_frame_in(&t.header->frame, k, cdi_v3_get(o.a, k)));
        o.hi[k] = cdi_float_up(cdi_frame_in(&t.header->frame, k, cdi_v3_get(o.b, k)));
    }
    return cdi_walk_meeting(&t, &o, cdi_box_meets_boxes, cdi_overlap_items);
}

/* ---- sphere ---- */

static uint32_t cdi_sphere_meets_boxes(const void *q, const cdi_bvh_node *node) {
    const cdi_overlap *o = (const cdi_overlap *)q;
    return cdi_f8_le(cdi_sqdist_boxes(&o->point, node), cdi_f8_all(o->sqradius));
}

static bool cdi_sphere_meets_item(const cdi_overlap *o, const cdi_bvh *tree, uint32_t i) {
    cdi_tri t = cdi_bvh_tri(tree, i);
    return cdi_near_triangle(o->a, &t).sqdist <= o->radius * o->radius;
}

CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, const cd_filter *filter,
                                  cd_visit_fn visit, void *user) {
    cdi_bvh t;
    cdi_overlap o;
    if (!cdi_bvh_open(&t, tree) || !cd_sphere_is_valid(sphere) || !cdi_bvh_is_triangles(&t)) return true;
    cdi_clear(&o, sizeof o);
    o.meets = cdi_sphere_meets_item;
    o.filter = filter;
    o.visit = visit;
    o.user = user;
    o.a = cdi_v3_of(sphere.center);
    o.radius = (double)sphere.radius;
    o.point = cdi_frame_point_of(&t.header->frame, o.a);
    o.sqradius = cdi_frame_sqdist(&t.header->frame, o.radius * o.radius);
    return cdi_walk_meeting(&t, &o, cdi_sphere_meets_boxes, cdi_overlap_items);
}

CD_API bool cd_bvh_overlap(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                           cd_visit_fn visit, void *user) {
    if (volume->kind == CD_BVH_AABB) return cd_bvh_overlap_aabb(tree, volume->u.aabb, filter, visit, user);
    if (volume->kind == CD_BVH_SPHERE)
        return cd_bvh_overlap_sphere(tree, volume->u.sphere, filter, visit, user);
    return true;
}
