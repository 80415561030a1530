#include "any/shape_cast.h"
#include "any/along.h"
#include "any/plain.h"
#include "convex/body.h"
#include "convex/gjk_cast.h"
#include "query/cast_convex.h"
#include "query/cast_round.h"
#include "query/cast_triangle.h"
#include "query/ellipsoid.h"
#include "query/kdop.h"
#include "query/polygon.h"
#include "query/sweep3d.h"
#include "query/swept_cast.h"
#include "shape/volume3d.h"
#include "tree/bvh_cast.h"

/* ---- one convex shape ---- */

static cdi_v3 cdi_v3_over(cdi_v3 v, cdi_v3 by) {
    return cdi_v3_make(v.x / by.x, v.y / by.y, v.z / by.z);
}

/* The ray as it is seen before the stretch. */
static cd_ray cdi_ray_unstretched(const cd_ray *r, cdi_v3 by) {
    cd_ray own;
    own.origin = cdi_v3_round(cdi_v3_over(cdi_v3_of(r->origin), by));
    own.dir = cdi_v3_round(cdi_v3_over(cdi_v3_of(r->dir), by));
    return own;
}

/* What was hit is flat, so that there is no depth; sides stay what they are. */
static void cdi_hit_stretched(cd_hit *hit, cdi_v3 by) {
    hit->point = cdi_v3_round(cdi_stretched(cdi_v3_of(hit->point), by));
    hit->normal = cdi_v3_round(cdi_v3_normalize(cdi_v3_over(cdi_v3_of(hit->normal), by)));
}

/* The nearest of the fan's triangles, of equal ones the first. */
static bool cdi_cast_ray_fan(const cd_ray *r, cd_real t_max, const cd_shape *s, const cd_cast_options *o,
                             cd_hit *hit) {
    size_t count = s->count, triangles = count < 3 ? 0 : cd_polygon_triangle_count(count);
    bool found = false;
    for (size_t i = 0; i < triangles; ++i) {
        cd_triangle t = cd_polygon_triangle(s->u.points, count, i);
        cd_hit here;
        if (!cd_cast_ray_triangle(r, t_max, &t, o, &here) || (found && here.t >= hit->t)) continue;
        found = true;
        *hit = here;
        hit->u = hit->v = 0;
        hit->feature = cdi_fan_feature(here.feature, i, count);
    }
    return found;
}

static bool cdi_cast_ray_flat(const cd_ray *r, cd_real t_max, const cd_shape *s, const cd_cast_options *o,
                              cd_hit *hit) {
    if (s->type == CD_SHAPE_TRIANGLE) return cd_cast_ray_triangle(r, t_max, &s->u.triangle, o, hit);
    if (s->type == CD_SHAPE_DISC) return cd_cast_ray_disc(r, t_max, &s->u.disc, o, hit);
    return cdi_cast_ray_fan(r, t_max, s, o, hit);
}

static bool cdi_cast_ray_stretched(const cd_ray *r, cd_real t_max, const cd_shape *s,
                                   const cd_cast_options *o, cd_hit *hit) {
    cdi_v3 by = cdi_v3_of(s->scale);
    cd_ray own = cdi_ray_unstretched(r, by);
    if (!cdi_cast_ray_flat(&own, t_max, s, o, hit)) return false;
    cdi_hit_stretched(hit, by);
    return cd_vec3_is_valid(hit->point);
}

/* By the support: anything. */
static bool cdi_cast_ray_body(const cd_ray *r, cd_real t_max, const cd_shape *s, const cd_cast_options *o,
                              cd_hit *hit) {
    cd_support body = cd_shape_as_support(s);
    return cd_gjk_raycast(r, t_max, &body, o, hit);
}

static bool cdi_cast_ray_rounded(const cd_ray *r, cd_real t_max, const cd_shape *s, const cd_cast_options *o,
                                 cd_hit *hit) {
    cd_sphere ball;
    cd_capsule rod;
    cd_lozenge lozenge;
    if (s->radius == 0 && (s->type == CD_SHAPE_POINT || s->type == CD_SHAPE_SEGMENT))
        return cdi_cast_ray_body(r, t_max, s, o, hit); /* thin as they are, they are not to be missed */
    if (cdi_shape_as_ball(s, &ball)) return cd_cast_ray_sphere(r, t_max, ball, o, hit);
    if (cdi_shape_as_rod(s, &rod)) return cd_cast_ray_capsule(r, t_max, &rod, o, hit);
    if (cdi_shape_as_lozenge(s, &lozenge)) return cd_cast_ray_lozenge(r, t_max, &lozenge, o, hit);
    return cdi_cast_ray_body(r, t_max, s, o, hit);
}

static bool cdi_cast_ray_plain(const cd_ray *r, cd_real t_max, const cd_shape *s, const cd_cast_options *o,
                               cd_hit *hit) {
    switch (s->type) {
    case CD_SHAPE_AABB: return cd_cast_ray_aabb(r, t_max, s->u.aabb, o, hit);
    case CD_SHAPE_OBB: return cd_cast_ray_obb(r, t_max, &s->u.obb, o, hit);
    case CD_SHAPE_CYLINDER: return cd_cast_ray_cylinder(r, t_max, &s->u.cylinder, o, hit);
    case CD_SHAPE_CONE: return cd_cast_ray_cone(r, t_max, &s->u.cone, o, hit);
    case CD_SHAPE_ELLIPSOID: return cd_cast_ray_ellipsoid(r, t_max, &s->u.ellipsoid, o, hit);
    case CD_SHAPE_HULL: return cd_cast_ray_hull(r, t_max, s->u.hull, o, hit);
    case CD_SHAPE_KDOP: return cd_cast_ray_kdop(r, t_max, s->u.kdop.dop, s->u.kdop.set, o, hit);
    default: return cdi_cast_ray_rounded(r, t_max, s, o, hit);
    }
}

static bool cdi_cast_ray_convex(const cd_ray *r, cd_real t_max, const cd_shape *s, const cd_cast_options *o,
                                cd_hit *hit) {
    bool stretched = cdi_shape_is_stretched(s);
    if (!(s->radius >= 0)) return false;
    if (cdi_shape_is_flat(s))
        return stretched ? cdi_cast_ray_stretched(r, t_max, s, o, hit)
                         : cdi_cast_ray_flat(r, t_max, s, o, hit);
    return cdi_shape_is_plain(s) ? cdi_cast_ray_plain(r, t_max, s, o, hit)
                                 : cdi_cast_ray_rounded(r, t_max, s, o, hit);
}

/* ---- frames ---- */

static cd_ray cdi_ray_within(const cd_ray *r, const cd_transform *pose) {
    cd_ray own;
    own.origin = cd_transform_inverse_point(pose, r->origin);
    own.dir = cd_transform_inverse_vector(pose, r->dir);
    return own;
}

/* ---- a ray under way ---- */

typedef struct cdi_shape_ray {
    const cd_ray *ray;
    cd_real t_max;
    const cd_cast_options *options; /* the caller's */
    cd_cast_options each;           /* for one part: without the filter */
    bool found;
    cd_hit hit;
    cd_part part;
} cdi_shape_ray;

/* What is later does not matter; of what is as late, what has the smaller number does. */
static cd_real cdi_shape_ray_until(const cdi_shape_ray *q) {
    cd_real after;
    if (!q->found) return q->t_max;
    after = cdi_next_real(q->hit.t, true);
    return after < q->t_max ? after : q->t_max;
}

static bool cdi_part_before(const cd_part *a, const cd_part *b) {
    return a->child != b->child ? a->child < b->child : a->index < b->index;
}

/* Told by the filter, where it would be the answer. */
static void cdi_shape_ray_take(cdi_shape_ray *q, const cd_hit *hit, const cd_part *part) {
    const cd_cast_options *o = q->options;
    if (q->found && !(hit->t < q->hit.t) && !(hit->t == q->hit.t && cdi_part_before(part, &q->part))) return;
    if (o && o->filter && !o->filter(o->user, hit->index)) return;
    q->found = true;
    q->hit = *hit;
    q->part = *part;
}

/* ---- parts one by one ---- */

/* Front and back change places. */
static void cdi_sides_swapped(cd_cast_options *o) {
    uint32_t back = o->flags & CD_CAST_CULL_BACK, front = o->flags & CD_CAST_CULL_FRONT;
    o->flags &= ~(uint32_t)(CD_CAST_CULL_BACK | CD_CAST_CULL_FRONT);
    if (back) o->flags |= CD_CAST_CULL_FRONT;
    if (front) o->flags |= CD_CAST_CULL_BACK;
}

/* In the frame of the part. */
static bool cdi_cast_ray_part(const cd_ray *r, cd_real t_max, const cdi_shape_part *p,
                              const cd_cast_options *options, cd_hit *hit) {
    cd_cast_options o = *options;
    bool turned = cdi_shape_is_flat(&p->store) && cdi_shape_is_turned(&p->store, p->mirrored);
    if (p->halfspace) return cd_cast_ray_planes(r, t_max, &p->store.u.halfspace, 1, &o, hit);
    if (turned) cdi_sides_swapped(&o);
    if (!cdi_cast_ray_convex(r, t_max, &p->store, &o, hit)) return false;
    if (turned) hit->flags ^= (uint32_t)CD_HIT_BACK;
    return true;
}

static bool cdi_shape_ray_part(void *user, const cdi_shape_part *p) {
    cdi_shape_ray *q = (cdi_shape_ray *)user;
    cd_ray own = *q->ray;
    cd_hit hit;
    bool got;
    if (p->unsupported) return true;
    if (p->posed) own = cdi_ray_within(q->ray, &p->pose);
    got = cdi_cast_ray_part(&own, cdi_shape_ray_until(q), p, &q->each, &hit);
    if (!got || (p->posed && !cdi_hit_posed(&hit, &p->pose))) return true;
    hit.index = p->part.child == CD_NONE ? p->part.index : p->part.child;
    cdi_shape_ray_take(q, &hit, &p->part);
    return true;
}

/* From where on, up to where it goes on an axis; 0 times infinity is nowhere. */
static void cdi_ray_extent(double o, double d, double t0, double t1, cd_real *lo, cd_real *hi) {
    double p = o + (d == 0.0 ? 0.0 : d * t0), q = o + (d == 0.0 ? 0.0 : d * t1);
    double off = (cdi_abs(o) + cdi_abs(d * t0)) * 1e-11;
    *lo = cdi_round_down(cdi_min(p, q) - off, 0.0);
    *hi = -cdi_round_down(0.0 - (cdi_max(p, q) + off), 0.0);
}

static cd_aabb cdi_ray_bounds_of(const cdi_cast *c) {
    cd_aabb b;
    cdi_ray_extent(c->o.x, c->d.x, c->t_min, c->t_max, &b.min.x, &b.max.x);
    cdi_ray_extent(c->o.y, c->d.y, c->t_min, c->t_max, &b.min.y, &b.max.y);
    cdi_ray_extent(c->o.z, c->d.z, c->t_min, c->t_max, &b.min.z, &b.max.z);
    return b;
}

static void cdi_shape_ray_parts(cdi_shape_ray *q, const cd_shape *s) {
    cdi_cast c;
    if (!cdi_cast_begin(&c, q->ray, q->t_max, &q->each)) return;
    cdi_parts_in(s, cdi_ray_bounds_of(&c), q->each.ignore_mask, cdi_shape_ray_part, q);
}

/* ---- meshes ---- */

static bool cdi_cast_ray_mesh(const cd_ray *r, cd_real t_max, const cd_shape *s, const cd_cast_options *o,
                              cd_hit *hit) {
    cdi_v3 by = cdi_v3_of(s->scale);
    cd_ray own;
    if (!cdi_shape_is_stretched(s)) return cd_bvh_cast_ray(s->u.mesh.tree, r, t_max, o, hit);
    own = cdi_ray_unstretched(r, by);
    if (!cd_bvh_cast_ray(s->u.mesh.tree, &own, t_max, o, hit)) return false;
    cdi_hit_stretched(hit, by);
    return cd_vec3_is_valid(hit->point);
}

/* ---- compounds ---- */

static void cdi_shape_ray_mesh_child(cdi_shape_ray *q, const cd_shape *whole, uint32_t number) {
    const cd_placed_shape *child = &whole->u.compound->children[number];
    cd_ray own = cdi_ray_within(q->ray, &child->pose);
    cd_hit hit;
    cd_part part;
    if (child->shape->layers & q->each.ignore_mask) return;
    if (!cdi_cast_ray_mesh(&own, cdi_shape_ray_until(q), child->shape, &q->each, &hit)) return;
    if (!cdi_hit_posed(&hit, &child->pose)) return;
    cdi_part_of_mesh(&part, child->shape, hit.index);
    part.child = hit.index = number;
    part.offset += whole->offset;
    cdi_shape_ray_take(q, &hit, &part);
}

/* One of a single piece is asked whatever its box. */
static void cdi_shape_ray_child(cdi_shape_ray *q, const cd_shape *whole, uint32_t number) {
    const cd_shape *s = whole->u.compound->children[number].shape;
    cdi_cast c;
    if (!s) return;
    if (cdi_shape_is_tree(s) && cdi_shape_is_plain(whole)) {
        cdi_shape_ray_mesh_child(q, whole, number);
    } else if (!cdi_shape_has_parts(s)) {
        if (!(s->layers & q->each.ignore_mask)) cdi_parts_find(whole, number, 0, cdi_shape_ray_part, q);
    } else if (cdi_cast_begin(&c, q->ray, cdi_shape_ray_until(q), &q->each)) {
        cdi_parts_of_child(whole, number, cdi_ray_bounds_of(&c), q->each.ignore_mask, cdi_shape_ray_part, q);
    }
}

/* Rounding may take the ray as far from its way, in a child's frame. */
static double cdi_ray_slop(const cdi_v3 o, const cd_shape *whole) {
    cd_aabb box = cd_bvh_bounds(&whole->u.compound->tree);
    double most = cdi_max(cdi_v3_max_abs(cdi_v3_of(box.min)), cdi_v3_max_abs(cdi_v3_of(box.max)));
    if (cdi_shape_is_stretched(whole)) most *= cdi_v3_max_abs(cdi_v3_of(whole->scale));
    return 32.0 * (double)CD_REAL_EPSILON * (most + cdi_v3_max_abs(o));
}

typedef struct cdi_children_ray {
    cdi_shape_ray *ray;
    const cd_shape *whole;
    double until;
} cdi_children_ray;

static void cdi_cast_ray_at_child(void *user, uint32_t child) {
    cdi_children_ray *c = (cdi_children_ray *)user;
    cdi_shape_ray_child(c->ray, c->whole, child);
    c->until = (double)cdi_shape_ray_until(c->ray);
}

static void cdi_shape_ray_by_tree(cdi_shape_ray *q, const cd_shape *whole) {
    cdi_children_ray children;
    cdi_box_way way;
    cdi_cast c;
    cd_aabb point;
    if (!cdi_cast_begin(&c, q->ray, q->t_max, &q->each)) return;
    children.ray = q;
    children.whole = whole;
    children.until = c.t_max;
    point.min = point.max = q->ray->origin;
    if (!cdi_box_way_begin(&way, point, c.d, c.t_min, &children.until)) return;
    cdi_box_way_grow(&way, cdi_ray_slop(c.o, whole));
    cdi_children_along(whole, &way, q->each.ignore_mask, cdi_cast_ray_at_child, &children);
}

static void cdi_shape_ray_compound(cdi_shape_ray *q, const cd_shape *whole) {
    const cd_compound *c = whole->u.compound;
    if (c && c->tree.block) cdi_shape_ray_by_tree(q, whole);
    for (uint32_t i = 0; c && !c->tree.block && i < c->count; ++i) cdi_shape_ray_child(q, whole, i);
}

/* ---- the question ---- */

static void cdi_shape_ray_ask(cdi_shape_ray *q, const cd_shape *s) {
    cd_hit hit;
    cd_part part;
    cdi_clear(&part, sizeof part);
    if (cd_shape_is_convex(s)) {
        if (!cdi_cast_ray_convex(q->ray, q->t_max, s, &q->each, &hit)) return;
        part.user = s->user;
        part.material = s->material;
        part.child = CD_NONE;
        part.offset = s->offset;
        cdi_shape_ray_take(q, &hit, &part);
    } else if (cdi_shape_is_tree(s)) {
        if (!cdi_cast_ray_mesh(q->ray, q->t_max, s, q->options, &q->hit)) return;
        q->found = true;
        cdi_part_of_mesh(&q->part, s, q->hit.index);
    } else if (s->type == CD_SHAPE_COMPOUND) {
        cdi_shape_ray_compound(q, s);
    } else {
        cdi_shape_ray_parts(q, s);
    }
}

CD_API bool cd_shape_cast_ray(const cd_shape *s, const cd_ray *r, cd_real t_max,
                              const cd_cast_options *options, cd_hit *hit, cd_part *part) {
    cdi_shape_ray q;
    cdi_cast c;
    cdi_clear(&q, sizeof q);
    if (options) q.each = *options;
    q.each.filter = NULL;
    q.each.user = NULL;
    q.ray = r;
    q.t_max = t_max;
    q.options = options;
    if (!cdi_shape_is_askable(s) || (s->layers & q.each.ignore_mask)) return false;
    if (!cdi_cast_begin(&c, r, t_max, options)) return false;
    cdi_shape_ray_ask(&q, s);
    if (q.found && hit) *hit = q.hit;
    if (q.found && part) *part = q.part;
    return q.found;
}

CD_API size_t cd_shape_cast_rays(const cd_shape *s, const cd_ray *rays, const cd_real *t_max, size_t count,
                                 const cd_cast_options *options, cd_hit *hits, cd_part *parts) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        cd_hit hit;
        cd_part part;
        cdi_clear(&hit, sizeof hit);
        cdi_clear(&part, sizeof part);
        hit.index = CD_NONE;
        part.child = part.index = CD_NONE;
        if (cd_shape_cast_ray(s, &rays[i], t_max ? t_max[i] : CD_REAL_MAX, options, &hit, &part)) ++found;
        if (hits) hits[i] = hit;
        if (parts) parts[i] = part;
    }
    return found;
}
