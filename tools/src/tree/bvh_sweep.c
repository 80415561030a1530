#include "tree/bvh_sweep.h"
#include "query/sweep3d.h"
#include "query/sweep_box.h"
#include "query/sweep_capsule.h"
#include "query/sweep_hull.h"
#include "query/sweep_many3d.h"
#include "query/sweep_sphere.h"
#include "hull/hull.h"
#include "tree/sweep_kernel.h"

/* A sweep under way. */
typedef struct cdi_bvh_mover {
    cdi_sweep_way way;
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
        cdi_hulls_course hulls;
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

/* ---- the volume in the frame, for the kernel ---- */

/* What the kernel is told, in doubles and in the caller's lengths. */
typedef struct cdi_bvh_body {
    cdi_v3 center, side[3];
    double radius;
    uint32_t sides;
    cd_hull_parts hull; /* of hulls with few points */
} cdi_bvh_body;

static void cdi_bvh_body_box(cdi_bvh_body *b, const cdi_obb *box) {
    b->center = box->center;
    b->sides = 3;
    for (int i = 0; i < 3; ++i) b->side[i] = cdi_v3_scale(box->axes.c[i], box->half[i]);
}

static void cdi_bvh_body_hull(cdi_bvh_body *b, const cd_hull *hull, cd_aabb bounds) {
    cdi_obb box;
    cdi_any_box_of_aabb(bounds, &box);
    cdi_bvh_body_box(b, &box);
    b->hull = cd_hull_get_parts(hull);
    if (b->hull.vertex_count > CDI_WAY_POINTS) b->hull.vertex_count = 0;
    if (b->hull.vertex_count) b->sides = 0;
}

static void cdi_bvh_body_of(cdi_bvh_body *b, const cd_bvh_volume *v, cd_aabb bounds) {
    cdi_obb box;
    cdi_v3 p, q;
    cdi_clear(b, sizeof *b);
    switch (v->kind) {
    case CD_BVH_SPHERE:
        b->center = cdi_v3_of(v->u.sphere.center);
        b->radius = (double)v->u.sphere.radius;
        break;
    case CD_BVH_CAPSULE:
        p = cdi_v3_scale(cdi_v3_of(v->u.capsule.a), 0.5);
        q = cdi_v3_scale(cdi_v3_of(v->u.capsule.b), 0.5);
        b->center = cdi_v3_add(p, q);
        b->side[0] = cdi_v3_sub(q, p);
        b->radius = (double)v->u.capsule.radius;
        b->sides = 1;
        break;
    case CD_BVH_OBB:
        cdi_any_box_of_obb(&v->u.obb, &box);
        cdi_bvh_body_box(b, &box);
        break;
    case CD_BVH_HULL: cdi_bvh_body_hull(b, v->u.hull, bounds); break;
    default: cdi_any_box_of_aabb(bounds, &box); cdi_bvh_body_box(b, &box);
    }
}

static void cdi_floats_of(float out[3], cdi_v3 v) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static cdi_v3 cdi_v3_of_floats(const float v[3]) {
    return cdi_v3_make((double)v[0], (double)v[1], (double)v[2]);
}

/* How far the core reaches from its centre along n, and against it. */
static void cdi_sweep_way_reach(const cdi_sweep_way *w, cdi_v3 n, double *lo, double *hi) {
    *lo = *hi = 0.0;
    for (uint32_t i = 0; i < w->sides; ++i) *hi += cdi_abs(cdi_v3_dot(n, cdi_v3_of_floats(w->side[i])));
    *lo = -*hi;
    for (uint32_t i = 0; i < w->points; ++i) {
        double x = n.x * (double)w->point[0][i] + n.y * (double)w->point[1][i] + n.z * (double)w->point[2][i];
        *hi = i == 0 ? x : cdi_max(*hi, x);
        *lo = i == 0 ? x : cdi_min(*lo, x);
    }
}

/* One more axis n, if it is one: products that should be about 1 and are less than 1e-3 may be nothing but rounding. */
static void cdi_sweep_way_axis(cdi_sweep_way *w, cdi_v3 n, bool for_boxes) {
    cdi_way_axis *x = &w->axis[w->axes];
    double most = cdi_v3_max_abs(n), lo, hi, at, span, speed;
    if (!(most > 1e-3)) return;
    n = cdi_v3_scale(n, 1.0 / most);
    if (cdi_v3_dot(n, cdi_v3_of_floats(w->way)) < 0.0) n = cdi_v3_neg(n);
    cdi_floats_of(x->n, n);
    n = cdi_v3_of_floats(x->n);
    span = cdi_abs(n.x) + cdi_abs(n.y) + cdi_abs(n.z);
    at = cdi_v3_dot(n, cdi_v3_of_floats(w->at));
    speed = cdi_v3_dot(n, cdi_v3_of_floats(w->way));
    cdi_sweep_way_reach(w, n, &lo, &hi);
    hi += at + (double)w->radius * cdi_v3_norm(n) + (double)w->slack * span;
    lo += at - (double)w->radius * cdi_v3_norm(n) - (double)w->slack * span;
    x->lo = (float)lo;
    x->hi = (float)hi;
    x->speed = (float)cdi_max(speed, 0.0);
    x->inverse = (float)(0.999999 / (cdi_max(speed, 0.0) + (double)CDI_WAY_NOISE * span));
    for (int k = 0; k < 3; ++k) {
        x->first_side[k] = cdi_node_side(k, x->n[k] < 0.0f);
        x->last_side[k] = cdi_node_side(k, !(x->n[k] < 0.0f));
    }
    ++w->axes;
    if (for_boxes) w->box_axes = w->axes;
}

static cdi_v3 cdi_v3_one(cdi_v3 v) {
    double most = cdi_v3_max_abs(v);
    return most > 0.0 ? cdi_v3_scale(v, 1.0 / most) : v;
}

static cdi_v3 cdi_way_unit(int k) {
    return cdi_v3_make(k == 0, k == 1, k == 2);
}

/* Those of a segment: across the plane in which it moves, along the motion in it, and across itself. */
static void cdi_sweep_way_rod_axes(cdi_sweep_way *w, cdi_v3 d) {
    cdi_v3 s = cdi_v3_one(cdi_v3_of_floats(w->side[0])), n = cdi_v3_cross(d, s);
    cdi_sweep_way_axis(w, n, true);
    cdi_sweep_way_axis(w, cdi_v3_cross(n, s), true);
    cdi_sweep_way_axis(w, cdi_v3_cross(n, d), true);
}

/* Those of a box: of its faces, and of its outline seen along the motion. */
static void cdi_sweep_way_box_axes(cdi_sweep_way *w, cdi_v3 d, const cdi_bvh_body *b) {
    cdi_v3 side[3];
    for (int i = 0; i < 3; ++i) side[i] = cdi_v3_one(b->side[i]);
    for (int i = 0; i < 3; ++i)
        cdi_sweep_way_axis(w, cdi_v3_cross(side[(i + 1) % 3], side[(i + 2) % 3]), true);
    for (int i = 0; i < 3; ++i) cdi_sweep_way_axis(w, cdi_v3_cross(d, side[i]), true);
}

/* Those of a hull: about the motion, on all sides. */
static void cdi_sweep_way_hull_axes(cdi_sweep_way *w, cdi_v3 d) {
    cdi_v3 p = cdi_across(cdi_v3_unit(d)), q = cdi_v3_unit(cdi_v3_cross(d, p));
    cdi_sweep_way_axis(w, p, true);
    cdi_sweep_way_axis(w, q, true);
    cdi_sweep_way_axis(w, cdi_v3_add(p, q), true);
    cdi_sweep_way_axis(w, cdi_v3_sub(p, q), true);
    for (int k = 0; k < 3; ++k) cdi_sweep_way_axis(w, cdi_way_unit(k), false);
}

static void cdi_sweep_way_points(cdi_sweep_way *w, const cdi_bvh_body *b, double unit) {
    w->points = b->hull.vertex_count;
    for (uint32_t i = 0; i < w->points; ++i) {
        cdi_v3 p = cdi_v3_scale(cdi_v3_sub(cdi_v3_of(b->hull.vertices[i]), b->center), unit);
        w->point[0][i] = (float)p.x;
        w->point[1][i] = (float)p.y;
        w->point[2][i] = (float)p.z;
    }
}

/* Items are measured from a point of the caller's numbers about where the frame's is, the rest is added when they are small. */
static void cdi_sweep_way_items(cdi_sweep_way *w, const cdi_frame *f, double unit) {
    w->scale = (float)unit;
    for (int k = 0; k < 3; ++k) {
        w->origin[k] = (cd_real)f->origin[k];
        w->shift[k] = (float)(((double)w->origin[k] - f->origin[k]) * unit);
    }
}

/* The motion in the frame is d for a tau of 1. Every number is within `side`, or a few times that on the way out: what is measured along an axis n is off by far less than
 * 2^-18 times that and the sum of |n|. */
static void cdi_sweep_way_body(cdi_sweep_way *w, const cdi_bvh_body *b, const cdi_frame *f, cdi_v3 d,
                               double margin, double side) {
    double unit = cdi_scale2(1.0, -f->exponent), square = cdi_v3_sqlength(d);
    cdi_v3 at = cdi_v3_sub(b->center, cdi_v3_make(f->origin[0], f->origin[1], f->origin[2]));
    cdi_floats_of(w->at, cdi_v3_along(cdi_v3_scale(at, unit), d, w->frame.start));
    cdi_floats_of(w->way, d);
    w->inverse = square > 0.0 ? (float)(1.0 / square) : 0.0f;
    w->cap = (float)(2.1 * side + 1.0);
    w->radius = (float)(b->radius * unit);
    w->slack = (float)(side * 3.8e-6 + 8.0 * margin * unit);
    w->sides = b->sides;
    for (uint32_t i = 0; i < b->sides; ++i) {
        cdi_v3 s = cdi_v3_scale(b->side[i], unit);
        double whole = cdi_v3_sqlength(s);
        cdi_floats_of(w->side[i], s);
        w->side_inverse[i] = whole > 1e-30 ? (float)(1.0 / whole) : 0.0f;
    }
    cdi_sweep_way_points(w, b, unit);
    cdi_sweep_way_items(w, f, unit);
}

/* Is there more to say than the box? Of a box along the axes there is not enough. */
static void cdi_sweep_way_sharpen(cdi_sweep_way *w, const cd_bvh_volume *v, cd_aabb bounds,
                                  const cdi_frame *f, const double dir[3], double margin, double reach) {
    double most = cdi_max(cdi_max(cdi_abs(dir[0]), cdi_abs(dir[1])), cdi_abs(dir[2]));
    double unit = cdi_scale2(1.0, -f->exponent), side = 1.01 + reach * unit;
    cdi_v3 d = cdi_v3_scale2(cdi_v3_make(dir[0], dir[1], dir[2]), most > 0.0 ? -cdi_exponent(most) : 0);
    cdi_bvh_body b;
    w->axes = w->box_axes = 0;
    w->sharp = v->kind != CD_BVH_AABB && f->exponent > -100 && f->exponent < 100 && side < 1e4 &&
               margin * unit < 1e-3;
    if (!w->sharp) return;
    cdi_bvh_body_of(&b, v, bounds);
    cdi_sweep_way_body(w, &b, f, d, margin, side);
    cdi_sweep_way_axis(w, d, true);
    if (v->kind == CD_BVH_HULL)
        cdi_sweep_way_hull_axes(w, d);
    else if (w->sides == 1)
        cdi_sweep_way_rod_axes(w, d);
    else if (w->sides == 3)
        cdi_sweep_way_box_axes(w, d, &b);
}

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
    m->way.sharp = false;
    if (m->blunt) {
        cdi_frame_ray_blunt(&m->way.frame);
        return true;
    }
    for (int k = 0; k < 3; ++k) {
        bool still = cdi_abs(dir[k]) <= 0.0625 * margin; /* within the margin all the way */
        m->half[k] += margin;
        m->inverse[k] = still ? 0.0 : 1.0 / dir[k];
        if (cdi_v3_max_abs(c->d) <= 0.0625 * margin) dir[k] = 0.0;
    }
    if (!cdi_frame_ray_aim(&m->way.frame, &tree->header->frame, m->origin, dir, m->half, c->t_min))
        return false;
    cdi_sweep_way_sharpen(&m->way, m->volume, box, &tree->header->frame, dir, margin,
                          cdi_max(cdi_max(m->half[0], m->half[1]), m->half[2]));
    return true;
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
    case CD_BVH_CAPSULE:
        if (!cdi_rod_course_begin(&m->many.rods, &v->u.capsule, m->motion, m->options)) return false;
        m->many.rods.aim.many = !m->way.sharp;
        return true;
    case CD_BVH_OBB: return cdi_box_course_begin_obb(&m->many.boxes, &v->u.obb, m->motion, m->options);
    case CD_BVH_HULL: return cdi_hulls_course_begin(&m->many.hulls, v->u.hull, m->motion, m->options);
    default: return false;
    }
}

static bool cdi_mover_meets_triangle(cdi_bvh_mover *m, const cd_triangle *t, cd_hit *hit) {
    const cd_bvh_volume *v = m->volume;
    switch (v->kind) {
    case CD_BVH_SPHERE: return cdi_ball_course_triangle(&m->many.balls, t, hit);
    case CD_BVH_CAPSULE: return cdi_rod_course_triangle(&m->many.rods, t, hit);
    case CD_BVH_HULL: return cdi_hulls_course_triangle(&m->many.hulls, t, hit);
    default: return cdi_box_course_triangle(&m->many.boxes, t, hit);
    }
}

/* What comes later than t does not matter. */
static void cdi_mover_until(cdi_bvh_mover *m, double t) {
    switch (m->volume->kind) {
    case CD_BVH_SPHERE:
        if (!m->way.sharp)
            cdi_ball_course_until(&m->many.balls, t); /* else what is left is better met at once */
        break;
    case CD_BVH_CAPSULE: cdi_rod_course_until(&m->many.rods, t); break;
    case CD_BVH_HULL: cdi_hulls_course_until(&m->many.hulls, t); break;
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

/* Hits are compared as they are told: t is rounded down, so that one as early may be a step later before. */
static void cdi_mover_narrow(cdi_bvh_mover *m, const cdi_bvh *tree, float *limit) {
    double t = (double)cdi_next_real(m->best.t, true);
    m->until = t;
    *limit = cdi_frame_ray_limit(&m->way.frame, t);
    if (cdi_bvh_is_triangles(tree)) cdi_mover_until(m, t);
}

/* One item; false when nothing else matters. */
static bool cdi_mover_take(void *mover, const cdi_bvh *tree, uint32_t i, float *limit) {
    cdi_bvh_mover *m = (cdi_bvh_mover *)mover;
    cd_hit here;
    uint32_t index = cdi_bvh_index(tree, i);
    CDI_COUNT(sweep);
    if (!cdi_mover_meets(m, tree, i, index, &here) || !(here.t <= 1)) return true;
    if (m->found && (here.t > m->best.t || (here.t == m->best.t && index > m->best.index))) return true;
    if (!cdi_mover_sees(tree, i, index, m->options)) return true;
    m->found = true;
    m->best = here;
    m->best.index = index;
    if (m->any) return false;
    cdi_mover_narrow(m, tree, limit);
    return true;
}

/* Apart, as only hulls need so much of the stack. */
static CDI_COLD void cdi_mover_walk_hull(cdi_bvh_mover *m, const cdi_bvh *t, float limit) {
    cdi_hull_memory memory;
    memory.shift = INT32_MIN;
    m->many.hulls.memory = &memory;
    CDI_RUN(cdi_sweep_way_walk, (&m->way, t, limit));
    m->many.hulls.memory = NULL;
}

static bool cdi_bvh_mover_run(const cd_bvh *tree, const cd_bvh_volume *volume, cd_vec3 motion,
                              const cd_cast_options *options, bool any, cdi_bvh_mover *m) {
    cdi_bvh t;
    cdi_cast c;
    cd_aabb box = cdi_bvh_mover_box(volume);
    float limit;
    m->volume = volume;
    m->motion = motion;
    m->options = options;
    m->found = false;
    m->any = any;
    if (!cdi_bvh_open(&t, tree) || cd_aabb_is_empty(box) ||
        !cdi_sweep_begin(&c, cd_vec3_make(0, 0, 0), motion, options) || !cdi_bvh_mover_aim(m, &t, &c, box) ||
        (cdi_bvh_is_triangles(&t) && !cdi_mover_begin_triangles(m)))
        return false;
    m->way.mover = m;
    m->way.meet = cdi_mover_take;
    limit = cdi_frame_ray_limit(&m->way.frame, 1.0);
    if (volume->kind == CD_BVH_HULL && cdi_bvh_is_triangles(&t))
        cdi_mover_walk_hull(m, &t, limit);
    else
        CDI_RUN(cdi_sweep_way_walk, (&m->way, &t, limit));
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
