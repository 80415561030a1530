#include "tree/bvh_sweep.h"
#include "query/sweep3d.h"
#include "query/sweep_box.h"
#include "query/sweep_capsule.h"
#include "query/sweep_hull.h"
#include "query/sweep_many3d.h"
#include "query/sweep_sphere.h"
#include "tree/bvh_ray.h"
#include "tree/bvh_walk.h"

/* A sweep under way. */
typedef struct cdi_bvh_mover {
    cdi_frame_ray frame;
    double origin[3], half[3],
        inverse[3];      /* the same in the caller's frame; inverse: 0 where it does not move */
    double first, until; /* what comes later than `until` does not matter */
    bool blunt;          /* numbers too large for that */
    const cd_bvh_volume *volume;
    cd_vec3 motion;
    const cd_cast_options *options;
    cd_hit best;
    bool found, any; /* any: the first found will do */
    union {          /* against triangles, what is the same for all */
        cdi_ball_course balls;
        cdi_rod_course rods;
        cdi_box_course boxes;
    } many;
} cdi_bvh_mover;

/* ---- the volume's box in the frame of the tree ---- */

static cd_aabb cdi_bvh_mover_box(const cd_bvh_volume *v) {
    switch (v->kind) {
    case CD_BVH_AABB: return v->u.aabb;
    case CD_BVH_SPHERE: return cd_aabb_from_sphere(v->u.sphere);
    case CD_BVH_CAPSULE: return cd_aabb_from_capsule(&v->u.capsule);
    case CD_BVH_OBB: return cd_aabb_from_obb(&v->u.obb);
    case CD_BVH_HULL: return v->u.hull ? cd_hull_bounds(v->u.hull) : cd_aabb_empty();
    default: return cd_aabb_empty();
    }
}

static double cdi_bvh_most(const cdi_bvh *tree) {
    double most = 0.0;
    for (int k = 0; k < 3; ++k)
        most = cdi_max(most, cdi_max(cdi_abs(tree->header->lo[k]), cdi_abs(tree->header->hi[k])));
    return most;
}

/* A contact may be told of before the two touch, by the excess of query/sweep.h: the box is grown by far more than that. */
#define CDI_MOVER_MARGIN 1.4551915228366852e-11 /* 2^-36 */

/* False when it misses the tree. */
static bool cdi_bvh_mover_aim(cdi_bvh_mover *m, const cdi_bvh *tree, const cdi_cast *c, cd_aabb box) {
    cdi_v3 lo = cdi_v3_of(box.min), hi = cdi_v3_of(box.max);
    double dir[3], most, margin, unit = cdi_scale2(1.0, tree->header->frame.exponent);
    cdi_v3_store(m->origin, cdi_v3_add(cdi_v3_scale(lo, 0.5), cdi_v3_scale(hi, 0.5)));
    cdi_v3_store(m->half, cdi_v3_sub(cdi_v3_scale(hi, 0.5), cdi_v3_scale(lo, 0.5)));
    cdi_v3_store(dir, c->d);
    most = cdi_max(cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)),
                   cdi_max(cdi_bvh_most(tree), cdi_v3_max_abs(c->d)));
    margin = most * CDI_MOVER_MARGIN + 1e-290; /* whose reciprocal is a number */
    m->first = c->t_min;
    m->until = 1.0;
    m->blunt = !(most < 1e290) || !(most < 1e30 * unit);
    if (m->blunt) {
        cdi_frame_ray_blunt(&m->frame);
        return true;
    }
    for (int k = 0; k < 3; ++k) {
        bool still = cdi_abs(dir[k]) <= 0.0625 * margin; /* within the margin all the way */
        m->half[k] += margin;
        m->inverse[k] = still ? 0.0 : 1.0 / dir[k];
        if (cdi_v3_max_abs(c->d) <= 0.0625 * margin) dir[k] = 0.0;
    }
    return cdi_frame_ray_aim(&m->frame, &tree->header->frame, m->origin, dir, m->half, c->t_min);
}

#undef CDI_MOVER_MARGIN

/* Does it come to one primitive's box in time? The margin is more than all rounding. */
static bool cdi_mover_comes_to(const cdi_bvh_mover *m, cd_aabb b) {
    cdi_v3 from = cdi_v3_of(b.min), to = cdi_v3_of(b.max);
    double lo[3], hi[3], in = m->first, out = m->until;
    if (m->blunt) return true;
    cdi_v3_store(lo, from);
    cdi_v3_store(hi, to);
    for (int k = 0; k < 3; ++k) {
        double x = lo[k] - m->half[k] - m->origin[k], y = hi[k] + m->half[k] - m->origin[k];
        if (m->inverse[k] == 0.0) {
            if (x > 0.0 || y < 0.0) return false;
            continue;
        }
        x *= m->inverse[k];
        y *= m->inverse[k];
        in = cdi_max(in, cdi_min(x, y));
        out = cdi_min(out, cdi_max(x, y));
    }
    return in <= out;
}

/* ---- one primitive ---- */

static bool cdi_mover_begin_triangles(cdi_bvh_mover *m) {
    const cd_bvh_volume *v = m->volume;
    switch (v->kind) {
    case CD_BVH_AABB: return cdi_box_course_begin_aabb(&m->many.boxes, v->u.aabb, m->motion, m->options);
    case CD_BVH_SPHERE: return cdi_ball_course_begin(&m->many.balls, v->u.sphere, m->motion, m->options);
    case CD_BVH_CAPSULE: return cdi_rod_course_begin(&m->many.rods, &v->u.capsule, m->motion, m->options);
    case CD_BVH_OBB: return cdi_box_course_begin_obb(&m->many.boxes, &v->u.obb, m->motion, m->options);
    default: return v->kind == CD_BVH_HULL;
    }
}

static bool cdi_mover_meets_triangle(cdi_bvh_mover *m, const cd_triangle *t, cd_hit *hit) {
    const cd_bvh_volume *v = m->volume;
    switch (v->kind) {
    case CD_BVH_SPHERE: return cdi_ball_course_triangle(&m->many.balls, t, hit);
    case CD_BVH_CAPSULE: return cdi_rod_course_triangle(&m->many.rods, t, hit);
    case CD_BVH_HULL: return cd_sweep_hull_triangle(v->u.hull, m->motion, t, m->options, hit);
    default: return cdi_box_course_triangle(&m->many.boxes, t, hit);
    }
}

/* What comes later than t does not matter. */
static void cdi_mover_until(cdi_bvh_mover *m, double t) {
    switch (m->volume->kind) {
    case CD_BVH_SPHERE: cdi_ball_course_until(&m->many.balls, t); break;
    case CD_BVH_CAPSULE: cdi_rod_course_until(&m->many.rods, t); break;
    case CD_BVH_HULL: break;
    default: cdi_box_course_until(&m->many.boxes, t);
    }
}

CDI_FN bool cdi_sweep_volume_aabb(const cd_bvh_volume *v, cd_vec3 motion, cd_aabb b,
                                  const cd_cast_options *options, cd_hit *hit) {
    switch (v->kind) {
    case CD_BVH_AABB: return cd_sweep_aabb_aabb(v->u.aabb, motion, b, options, hit);
    case CD_BVH_SPHERE: return cd_sweep_sphere_aabb(v->u.sphere, motion, b, options, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_aabb(&v->u.capsule, motion, b, options, hit);
    case CD_BVH_OBB: return cd_sweep_obb_aabb(&v->u.obb, motion, b, options, hit);
    case CD_BVH_HULL: return cd_sweep_hull_aabb(v->u.hull, motion, b, options, hit);
    default: return false;
    }
}

static bool cdi_mover_meets_point(const cdi_bvh_mover *m, cd_vec3 p, cd_hit *hit) {
    const cd_bvh_volume *v = m->volume;
    cd_sphere s;
    s.center = p;
    s.radius = 0;
    switch (v->kind) {
    case CD_BVH_AABB: return cd_sweep_aabb_sphere(v->u.aabb, m->motion, s, m->options, hit);
    case CD_BVH_SPHERE: return cd_sweep_sphere_sphere(v->u.sphere, m->motion, s, m->options, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_sphere(&v->u.capsule, m->motion, s, m->options, hit);
    case CD_BVH_OBB: return cd_sweep_obb_sphere(&v->u.obb, m->motion, s, m->options, hit);
    case CD_BVH_HULL: return cd_sweep_hull_sphere(v->u.hull, m->motion, s, m->options, hit);
    default: return false;
    }
}

static bool cdi_mover_meets(cdi_bvh_mover *m, const cdi_bvh *tree, uint32_t i, uint32_t index, cd_hit *hit) {
    cd_triangle t;
    cd_aabb box;
    if (tree->item == CD_BVH_POINTS) {
        box.min = box.max = cdi_bvh_point_of(tree, i);
        return cdi_mover_comes_to(m, box) && cdi_mover_meets_point(m, box.min, hit);
    }
    if (tree->item == CD_BVH_BOXES) {
        box = cdi_bvh_box_of(tree, i);
        if (!cdi_mover_comes_to(m, box)) return false;
        if (tree->custom && tree->custom->sweep)
            return tree->custom->sweep(tree->custom->user, index, m->volume, m->motion, m->options, hit);
        return cdi_sweep_volume_aabb(m->volume, m->motion, box, m->options, hit);
    }
    t = cdi_bvh_triangle_of(tree, i);
    if (m->volume->kind != CD_BVH_HULL) return cdi_mover_meets_triangle(m, &t, hit); /* has such a test */
    box.min = cd_vec3_min(cd_vec3_min(t.a, t.b), t.c);
    box.max = cd_vec3_max(cd_vec3_max(t.a, t.b), t.c);
    return cdi_mover_comes_to(m, box) && cdi_mover_meets_triangle(m, &t, hit);
}

/* ---- the walk ---- */

static bool cdi_mover_sees(const cdi_bvh *tree, uint32_t i, uint32_t index, const cd_cast_options *o) {
    return !o || (!cdi_bvh_ignores(tree, i, o->ignore_mask) && (!o->filter || o->filter(o->user, index)));
}

CDI_INLINE uint32_t cdi_mover_bounds(const void *q, const cdi_bvh_node *node, float limit, float enter[8]) {
    return cdi_ray_enters(&((const cdi_bvh_mover *)q)->frame, node, limit, enter);
}

/* Hits are compared as they are told: t is rounded down, so that one as early may be a step later before. */
static void cdi_mover_narrow(cdi_bvh_mover *m, const cdi_bvh *tree, float *limit) {
    double t = (double)cdi_next_real(m->best.t, true);
    m->until = t;
    *limit = cdi_frame_ray_limit(&m->frame, t);
    if (cdi_bvh_is_triangles(tree)) cdi_mover_until(m, t);
}

CDI_INLINE bool cdi_mover_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_bvh_mover *m = (cdi_bvh_mover *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        cd_hit here;
        uint32_t index = cdi_bvh_index(tree, i);
        CDI_COUNT(triangle);
        if (!cdi_mover_meets(m, tree, i, index, &here) || !(here.t <= 1)) continue;
        if (m->found && (here.t > m->best.t || (here.t == m->best.t && index > m->best.index))) continue;
        if (!cdi_mover_sees(tree, i, index, m->options)) continue;
        m->found = true;
        m->best = here;
        m->best.index = index;
        if (m->any) return false;
        cdi_mover_narrow(m, tree, limit);
    }
    return true;
}

static bool cdi_bvh_mover_run(const cd_bvh *tree, const cd_bvh_volume *volume, cd_vec3 motion,
                              const cd_cast_options *options, bool any, cdi_bvh_mover *m) {
    cdi_bvh t;
    cdi_cast c;
    cd_aabb box = cdi_bvh_mover_box(volume);
    m->volume = volume;
    m->motion = motion;
    m->options = options;
    m->found = false;
    m->any = any;
    if (!cdi_bvh_open(&t, tree) || cd_aabb_is_empty(box) ||
        !cdi_sweep_begin(&c, cd_vec3_make(0, 0, 0), motion, options) || !cdi_bvh_mover_aim(m, &t, &c, box) ||
        (cdi_bvh_is_triangles(&t) && !cdi_mover_begin_triangles(m)))
        return false;
    cdi_walk_nearest(&t, m, cdi_frame_ray_limit(&m->frame, 1.0), cdi_mover_bounds, cdi_mover_leaf);
    return m->found;
}

CD_API bool cd_bvh_sweep(const cd_bvh *tree, const cd_bvh_volume *volume, cd_vec3 motion,
                         const cd_cast_options *options, cd_hit *hit) {
    cdi_bvh_mover m;
    if (!cdi_bvh_mover_run(tree, volume, motion, options, false, &m)) return false;
    if (hit) *hit = m.best;
    return true;
}

CD_API bool cd_bvh_test_sweep(const cd_bvh *tree, const cd_bvh_volume *volume, cd_vec3 motion,
                              const cd_cast_options *options) {
    cdi_bvh_mover m;
    return cdi_bvh_mover_run(tree, volume, motion, options, true, &m);
}

CD_API size_t cd_bvh_sweeps(const cd_bvh *tree, const cd_bvh_volume *volumes, const cd_vec3 *motions,
                            size_t count, const cd_cast_options *options, cd_hit *hits) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        cd_hit hit;
        cdi_clear(&hit, sizeof hit);
        hit.index = CD_NONE;
        if (cd_bvh_sweep(tree, &volumes[i], motions[i], options, &hit)) ++found;
        if (hits) hits[i] = hit;
    }
    return found;
}

CD_API bool cd_bvh_sweep_sphere(const cd_bvh *tree, cd_sphere s, cd_vec3 motion,
                                const cd_cast_options *options, cd_hit *hit) {
    cd_bvh_volume v = cd_bvh_volume_sphere(s);
    return cd_bvh_sweep(tree, &v, motion, options, hit);
}

CD_API bool cd_bvh_sweep_capsule(const cd_bvh *tree, const cd_capsule *c, cd_vec3 motion,
                                 const cd_cast_options *options, cd_hit *hit) {
    cd_bvh_volume v = cd_bvh_volume_capsule(c);
    return cd_bvh_sweep(tree, &v, motion, options, hit);
}

CD_API bool cd_bvh_sweep_aabb(const cd_bvh *tree, cd_aabb b, cd_vec3 motion, const cd_cast_options *options,
                              cd_hit *hit) {
    cd_bvh_volume v = cd_bvh_volume_aabb(b);
    return cd_bvh_sweep(tree, &v, motion, options, hit);
}

CD_API bool cd_bvh_sweep_obb(const cd_bvh *tree, const cd_obb *b, cd_vec3 motion,
                             const cd_cast_options *options, cd_hit *hit) {
    cd_bvh_volume v = cd_bvh_volume_obb(b);
    return cd_bvh_sweep(tree, &v, motion, options, hit);
}

CD_API bool cd_bvh_sweep_hull(const cd_bvh *tree, const cd_hull *h, cd_vec3 motion,
                              const cd_cast_options *options, cd_hit *hit) {
    cd_bvh_volume v = cd_bvh_volume_hull(h);
    return cd_bvh_sweep(tree, &v, motion, options, hit);
}
