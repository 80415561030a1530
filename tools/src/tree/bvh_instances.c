#include "bounds/aabb.h"
#include "core/memory.h"
#include "core/pose.h"
#include "core/tolerance.h"
#include "query/cast.h"
#include "query/closest.h"
#include "query/hull.h"
#include "tree/bvh_cast.h"
#include "tree/bvh_closest.h"
#include "tree/bvh_instances.h"
#include "tree/bvh_node.h"
#include "tree/bvh_overlap.h"
#include "tree/bvh_ray.h"
#include "tree/bvh_sweep.h"
#include "tree/bvh_walk.h"

/* ---- between the world and an instance ---- */

typedef struct cdi_instance_frame {
    cdi_pose pose;
    double scale;
} cdi_instance_frame;

static cdi_instance_frame cdi_instance_frame_of(const cd_bvh_instance *in) {
    cdi_instance_frame p;
    p.pose = cdi_pose_of(&in->pose);
    p.scale = in->scale == 0 ? 1.0 : (double)in->scale;
    return p;
}

static cd_vec3 cdi_vector_in(const cdi_instance_frame *p, cd_vec3 v) {
    return cdi_v3_round(cdi_v3_scale(cdi_m3_tmul_v3(&p->pose.rotation, cdi_v3_of(v)), 1.0 / p->scale));
}

static cd_vec3 cdi_point_in(const cdi_instance_frame *p, cd_vec3 x) {
    cdi_v3 d = cdi_v3_sub(cdi_v3_of(x), p->pose.position);
    return cdi_v3_round(cdi_v3_scale(cdi_m3_tmul_v3(&p->pose.rotation, d), 1.0 / p->scale));
}

static cd_vec3 cdi_point_out(const cdi_instance_frame *p, cd_vec3 x) {
    return cdi_v3_round(cdi_pose_point(&p->pose, cdi_v3_scale(cdi_v3_of(x), p->scale)));
}

/* A volume in an instance's frame, with room for its planes if it may have any; false for hulls, which would need more, and
 * invalid ones. */
static bool cdi_volume_in(const cd_bvh_instance *in, const cd_bvh_volume *v, cd_plane *planes,
                          cd_bvh_volume *out) {
    cdi_instance_frame p = cdi_instance_frame_of(in);
    cd_transform back;
    cdi_v3 origin = cdi_v3_scale(cdi_m3_tmul_v3(&p.pose.rotation, p.pose.position), -1.0 / p.scale);
    back.rotation = cd_quat_conjugate(in->pose.rotation);
    back.position = cdi_v3_round(origin);
    return cd_bvh_volume_transform(v, &back, (cd_real)(1.0 / p.scale), planes, out);
}

/* ---- building ---- */

/* Rounded outward. */
static cd_aabb cdi_aabb_scaled(cd_aabb b, double scale) {
    cd_vec3 lo = cdi_v3_round(cdi_v3_scale(cdi_v3_of(b.min), scale));
    cd_vec3 hi = cdi_v3_round(cdi_v3_scale(cdi_v3_of(b.max), scale));
    b.min = cd_vec3_make(cd_next_down(lo.x), cd_next_down(lo.y), cd_next_down(lo.z));
    b.max = cd_vec3_make(cd_next_up(hi.x), cd_next_up(hi.y), cd_next_up(hi.z));
    return b;
}

CD_API cd_aabb cd_bvh_instance_bounds(const cd_bvh_instance *instance) {
    cdi_instance_frame p = cdi_instance_frame_of(instance);
    cd_aabb b = cd_bvh_bounds(instance->tree);
    if (cd_aabb_is_empty(b)) return b;
    if (p.scale != 1.0) b = cdi_aabb_scaled(b, p.scale);
    return cd_aabb_transform(b, &instance->pose);
}

static bool cdi_instance_is_valid(const cd_bvh_instance *in) {
    return in->tree && in->scale >= 0 && in->scale <= CD_REAL_MAX && cd_transform_is_valid(&in->pose);
}

/* The boxes and masks of the instances; false when one is not valid. An empty one is a box nowhere: left out by
 * CD_BVH_SKIP_INVALID. */
static bool cdi_instances_read(cd_bvh_instances *out, const cd_bvh_instance *instances, cd_aabb *boxes,
                               uint32_t *masks) {
    for (uint32_t i = 0; i < out->count; ++i) {
        cd_aabb box;
        if (!cdi_instance_is_valid(&instances[i])) return false;
        box = cd_bvh_instance_bounds(&instances[i]);
        boxes[i] = box;
        if (cd_bvh_count(instances[i].tree) && !cd_aabb_is_valid(box)) return false;
        masks[i] = instances[i].mask;
        out->instance[i] = instances[i];
    }
    return true;
}

static cd_status cdi_instances_build_top(cd_bvh_instances *out, const cd_bvh_instance *instances,
                                         cd_aabb *boxes, uint32_t *masks, const cd_bvh_options *options) {
    cd_bvh_options o;
    cdi_clear(&o, sizeof o);
    if (options) o = *options;
    if (!cdi_instances_read(out, instances, boxes, masks)) return CD_INVALID_ARGUMENT;
    o.flags |= CD_BVH_SKIP_INVALID;
    o.masks = masks;
    return cd_bvh_build_boxes(&out->top, boxes, out->count, &o);
}

CD_API cd_status cd_bvh_instances_build(cd_bvh_instances *out, const cd_bvh_instance *instances,
                                        uint32_t count, const cd_bvh_options *options) {
    cd_status status = CD_OUT_OF_MEMORY;
    cd_aabb *boxes;
    uint32_t *masks;
    cdi_clear(out, sizeof *out);
    if (options) out->allocator = options->allocator;
    if (count == 0) return CD_OK;
    if (!instances) return CD_INVALID_ARGUMENT;
    out->count = count;
    out->instance = (cd_bvh_instance *)cdi_alloc(&out->allocator, count, sizeof *out->instance);
    boxes = (cd_aabb *)cdi_alloc(&out->allocator, count, sizeof *boxes);
    masks = (uint32_t *)cdi_alloc(&out->allocator, count, sizeof *masks);
    if (out->instance && boxes && masks)
        status = cdi_instances_build_top(out, instances, boxes, masks, options);
    cdi_free(&out->allocator, masks, count, sizeof *masks);
    cdi_free(&out->allocator, boxes, count, sizeof *boxes);
    if (status != CD_OK) cd_bvh_instances_destroy(out);
    return status;
}

CD_API void cd_bvh_instances_destroy(cd_bvh_instances *instances) {
    cd_bvh_destroy(&instances->top);
    cdi_free(&instances->allocator, instances->instance, instances->count, sizeof *instances->instance);
    cdi_clear(instances, sizeof *instances);
}

/* ---- queries: the top tree asks about each instance as about a primitive of the caller's own ----
 *
 * What an instance answers is never before its box: so the top tree leaves out nothing that a loop would not. */

typedef struct cdi_instance_query {
    const cd_bvh_instances *in;
    bool any; /* any hit will do */
} cdi_instance_query;

/* The options without what is of the instances. */
static cd_cast_options cdi_options_within(const cd_cast_options *options) {
    cd_cast_options o;
    cdi_clear(&o, sizeof o);
    if (options) {
        o.flags = options->flags;
        o.t_min = options->t_min;
    }
    return o;
}

static cd_ray cdi_ray_in(const cdi_instance_frame *p, const cd_ray *r) {
    cd_ray local;
    local.origin = cdi_point_in(p, r->origin);
    local.dir = cdi_vector_in(p, r->dir);
    return local;
}

/* A hit of an instance in the world, no earlier than its box at `t`. */
static void cdi_hit_out(const cdi_instance_frame *p, cd_hit *hit, cd_real t) {
    hit->t = hit->t < t ? t : hit->t;
    hit->point = cdi_point_out(p, hit->point);
    hit->normal = cdi_v3_round(cdi_m3_mul_v3(&p->pose.rotation, cdi_v3_of(hit->normal)));
    hit->depth = (cd_real)((double)hit->depth * p->scale);
}

static bool cdi_instance_cast(void *user, uint32_t index, const cd_ray *r, cd_real t_max,
                              const cd_cast_options *options, cd_hit *hit) {
    const cdi_instance_query *q = (const cdi_instance_query *)user;
    const cd_bvh_instance *in = &q->in->instance[index];
    cd_cast_options within = cdi_options_within(options), at_box = within;
    cdi_instance_frame p = cdi_instance_frame_of(in);
    cd_ray local = cdi_ray_in(&p, r);
    cd_hit box;
    at_box.flags = 0;
    if (!cd_cast_ray_aabb(r, t_max, cd_bvh_instance_bounds(in), &at_box, &box)) return false;
    if (q->any) {
        cdi_clear(hit, sizeof *hit);
        return cd_bvh_test_ray(in->tree, &local, t_max, &within);
    }
    if (!cd_bvh_cast_ray(in->tree, &local, t_max, &within, hit)) return false;
    cdi_hit_out(&p, hit, box.t);
    return true;
}

static cd_bvh cdi_instances_top(const cd_bvh_instances *in, cd_bvh_custom *custom, cdi_instance_query *q) {
    cd_bvh top = in->top;
    cdi_clear(custom, sizeof *custom);
    custom->user = q;
    q->in = in;
    q->any = false;
    top.custom = custom;
    return top;
}

CD_API bool cd_bvh_instances_cast_ray(const cd_bvh_instances *in, const cd_ray *r, cd_real t_max,
                                      const cd_cast_options *options, cd_hit *hit, uint32_t *instance) {
    cd_bvh_custom custom;
    cdi_instance_query q;
    cd_bvh top = cdi_instances_top(in, &custom, &q);
    cd_hit found;
    uint32_t which;
    custom.cast_ray = cdi_instance_cast;
    if (!cd_bvh_cast_ray(&top, r, t_max, options, &found)) return false;
    which = found.index;
    if (!cdi_instance_cast(&q, which, r, t_max, options, &found)) return false; /* cannot be */
    if (hit) *hit = found;
    if (instance) *instance = which;
    return true;
}

CD_API bool cd_bvh_instances_test_ray(const cd_bvh_instances *in, const cd_ray *r, cd_real t_max,
                                      const cd_cast_options *options) {
    cd_bvh_custom custom;
    cdi_instance_query q;
    cd_bvh top = cdi_instances_top(in, &custom, &q);
    q.any = true;
    custom.cast_ray = cdi_instance_cast;
    return cd_bvh_test_ray(&top, r, t_max, options);
}

CD_API size_t cd_bvh_instances_cast_rays(const cd_bvh_instances *in, const cd_ray *rays, const cd_real *t_max,
                                         size_t count, const cd_cast_options *options, cd_hit *hits,
                                         uint32_t *instances) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t which = CD_NONE;
        cd_hit hit;
        cdi_clear(&hit, sizeof hit);
        hit.index = CD_NONE;
        if (cd_bvh_instances_cast_ray(in, &rays[i], t_max ? t_max[i] : CD_REAL_MAX, options, &hit, &which))
            ++found;
        if (hits) hits[i] = hit;
        if (instances) instances[i] = which;
    }
    return found;
}

/* ---- overlap ---- */

typedef struct cdi_instance_overlap {
    const cd_bvh_instances *in;
    const cd_bvh_volume *volume;
    cd_visit_pair_fn visit;
    void *user;
    uint32_t instance;
} cdi_instance_overlap;

static bool cdi_instance_pair(void *user, uint32_t index) {
    const cdi_instance_overlap *q = (const cdi_instance_overlap *)user;
    cd_pair pair;
    pair.a = q->instance;
    pair.b = index;
    return q->visit(q->user, pair);
}

/* ---- overlap with a hull: it stays in the world, and what its bounds reach is taken there ---- */

typedef struct cdi_instance_hull {
    const cd_hull *hull;
    cdi_instance_frame frame;
    const cd_transform *pose;
    float lo[3], hi[3]; /* the hull's bounds in the tree's frame */
    cdi_instance_overlap *query;
} cdi_instance_hull;

static uint32_t cdi_hull_lanes(const void *q, const cdi_bvh_node *node) {
    const cdi_instance_hull *h = (const cdi_instance_hull *)q;
    uint32_t mask = 255;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(h->hi[k]));
        mask &= cdi_f8_le(cdi_f8_all(h->lo[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

static bool cdi_hull_meets_item(const cdi_instance_hull *h, const cdi_bvh *tree, uint32_t i) {
    cd_triangle t;
    cd_obb b;
    if (tree->item == CD_BVH_POINTS)
        return cd_test_point_hull(cdi_point_out(&h->frame, cdi_bvh_point_of(tree, i)), h->hull);
    if (tree->item == CD_BVH_BOXES) {
        b = cd_obb_from_aabb(cdi_aabb_scaled(cdi_bvh_box_of(tree, i), h->frame.scale));
        b = cd_obb_transform(&b, h->pose);
        return cd_test_obb_hull(&b, h->hull);
    }
    t = cdi_bvh_triangle_of(tree, i);
    t.a = cdi_point_out(&h->frame, t.a);
    t.b = cdi_point_out(&h->frame, t.b);
    t.c = cdi_point_out(&h->frame, t.c);
    return cd_test_triangle_hull(&t, h->hull);
}

static bool cdi_hull_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    cdi_instance_hull *h = (cdi_instance_hull *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        if (cdi_hull_meets_item(h, tree, i) && !cdi_instance_pair(h->query, cdi_bvh_index(tree, i)))
            return false;
    }
    return true;
}

/* The hull's bounds in the tree's frame, with room for what its items are rounded by on their way to the world. */
static void cdi_hull_bounds_in(cdi_instance_hull *h, const cd_bvh_instance *in, const cdi_frame *frame) {
    cd_bvh_volume v = cd_bvh_volume_hull(h->hull);
    cd_aabb reach = cd_bvh_volume_bounds(&v), world = cd_bvh_instance_bounds(in);
    cd_obb box = cd_obb_from_aabb(reach);
    double most = cdi_max(cdi_v3_max_abs(cdi_v3_of(world.min)), cdi_v3_max_abs(cdi_v3_of(world.max)));
    cdi_v3 c = cdi_v3_sub(cdi_v3_of(box.center), h->frame.pose.position), d = cdi_v3_of(box.half);
    most = cdi_max(most, cdi_v3_max_abs(h->frame.pose.position));
    most = cdi_max(most, cdi_max(cdi_v3_max_abs(cdi_v3_of(reach.min)), cdi_v3_max_abs(cdi_v3_of(reach.max))));
    for (int k = 0; k < 3; ++k) {
        cdi_v3 axis = h->frame.pose.rotation.c[k];
        double middle = cdi_v3_dot(axis, c) / h->frame.scale;
        double half = cdi_abs(axis.x) * d.x + cdi_abs(axis.y) * d.y + cdi_abs(axis.z) * d.z;
        half = (half + 64.0 * (double)CD_REAL_EPSILON * most) / h->frame.scale;
        h->lo[k] = cdi_float_down(cdi_frame_in(frame, k, middle - half));
        h->hi[k] = cdi_float_up(cdi_frame_in(frame, k, middle + half));
    }
}

static bool cdi_instance_meets_hull(cdi_instance_overlap *q, const cd_bvh_instance *in) {
    cdi_instance_hull h;
    cdi_bvh tree;
    if (!cdi_bvh_open(&tree, in->tree)) return true;
    h.hull = q->volume->u.hull;
    h.frame = cdi_instance_frame_of(in);
    h.pose = &in->pose;
    h.query = q;
    cdi_hull_bounds_in(&h, in, &tree.header->frame);
    return cdi_walk_meeting(&tree, &h, cdi_hull_lanes, cdi_hull_items);
}

/* On its own: the planes take a kilobyte of stack, which other volumes need for themselves. */
static CDI_COLD bool cdi_instance_meets_region(cdi_instance_overlap *q, const cd_bvh_instance *in) {
    cd_plane planes[CD_REGION_PLANES];
    cd_bvh_volume local;
    return !cdi_volume_in(in, q->volume, planes, &local) ||
           cd_bvh_overlap(in->tree, &local, NULL, cdi_instance_pair, q);
}

static bool cdi_instance_visit(void *user, uint32_t index) {
    cdi_instance_overlap *q = (cdi_instance_overlap *)user;
    const cd_bvh_instance *in = &q->in->instance[index];
    cd_bvh_volume local;
    q->instance = index;
    if (q->volume->kind == CD_BVH_HULL) return cdi_instance_meets_hull(q, in);
    if (q->volume->kind == CD_BVH_PLANES) return cdi_instance_meets_region(q, in);
    if (!cdi_volume_in(in, q->volume, NULL, &local)) return true;
    return cd_bvh_overlap(in->tree, &local, NULL, cdi_instance_pair, q);
}

CD_API bool cd_bvh_instances_overlap(const cd_bvh_instances *in, const cd_bvh_volume *volume,
                                     const cd_filter *filter, cd_visit_pair_fn visit, void *user) {
    cdi_instance_overlap q;
    q.in = in;
    q.volume = volume;
    q.visit = visit;
    q.user = user;
    q.instance = 0;
    return cd_bvh_overlap(&in->top, volume, filter, cdi_instance_visit, &q);
}

/* ---- closest ---- */

static bool cdi_instance_closest(void *user, uint32_t index, cd_vec3 p, cd_real max_distance,
                                 cd_closest *out) {
    const cdi_instance_query *q = (const cdi_instance_query *)user;
    const cd_bvh_instance *in = &q->in->instance[index];
    cdi_instance_frame place = cdi_instance_frame_of(in);
    cd_real box = cd_sqdist_point_aabb(p, cd_bvh_instance_bounds(in)),
            most = (cd_real)((double)max_distance / place.scale);
    cd_vec3 local = cdi_point_in(&place, p);
    if (!cd_bvh_closest(in->tree, local, most, NULL, out)) return false;
    out->a = p;
    out->b = cdi_point_out(&place, out->b);
    out->sqdist = (cd_real)((double)out->sqdist * place.scale * place.scale);
    if (out->sqdist < box) out->sqdist = box;
    return true;
}

CD_API bool cd_bvh_instances_closest(const cd_bvh_instances *in, cd_vec3 p, cd_real max_distance,
                                     const cd_filter *filter, cd_closest *out, uint32_t *instance) {
    cd_bvh_custom custom;
    cdi_instance_query q;
    cd_bvh top = cdi_instances_top(in, &custom, &q);
    cd_closest found;
    uint32_t which;
    custom.closest = cdi_instance_closest;
    if (!cd_bvh_closest(&top, p, max_distance, filter, &found)) return false;
    which = found.index_b;
    if (!cdi_instance_closest(&q, which, p, max_distance, &found)) return false; /* cannot be */
    if (out) *out = found;
    if (instance) *instance = which;
    return true;
}

/* ---- sweep ---- */

static bool cdi_instance_sweep(void *user, uint32_t index, const cd_bvh_volume *volume, cd_vec3 motion,
                               const cd_cast_options *options, cd_hit *hit) {
    const cdi_instance_query *q = (const cdi_instance_query *)user;
    const cd_bvh_instance *in = &q->in->instance[index];
    cd_cast_options within = cdi_options_within(options), at_box = within;
    cdi_instance_frame p = cdi_instance_frame_of(in);
    cd_bvh_volume local;
    cd_hit box;
    at_box.flags = 0;
    if (!cdi_volume_in(in, volume, NULL, &local)) return false;
    if (!cdi_sweep_volume_aabb(volume, motion, cd_bvh_instance_bounds(in), &at_box, &box)) return false;
    if (!cd_bvh_sweep(in->tree, &local, cdi_vector_in(&p, motion), &within, hit)) return false;
    cdi_hit_out(&p, hit, box.t);
    return true;
}

CD_API bool cd_bvh_instances_sweep(const cd_bvh_instances *in, const cd_bvh_volume *volume, cd_vec3 motion,
                                   const cd_cast_options *options, cd_hit *hit, uint32_t *instance) {
    cd_bvh_custom custom;
    cdi_instance_query q;
    cd_bvh top = cdi_instances_top(in, &custom, &q);
    cd_hit found;
    uint32_t which;
    custom.sweep = cdi_instance_sweep;
    if (!cd_bvh_sweep(&top, volume, motion, options, &found)) return false;
    which = found.index;
    if (!cdi_instance_sweep(&q, which, volume, motion, options, &found)) return false; /* cannot be */
    if (hit) *hit = found;
    if (instance) *instance = which;
    return true;
}
