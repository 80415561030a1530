#include "any/shape_bounds.h"
#include "any/parts.h"
#include "core/twofold.h"
#include "shape/volume3d.h"

/* ---- boxes of doubles ---- */

typedef struct cdi_bounds3d {
    cdi_v3 lo, hi;
    bool some;
} cdi_bounds3d;

static cdi_bounds3d cdi_bounds_of_box(cd_aabb box) {
    cdi_bounds3d b;
    b.lo = cdi_v3_of(box.min);
    b.hi = cdi_v3_of(box.max);
    b.some = !cd_aabb_is_empty(box);
    return b;
}

static void cdi_bounds_add(cdi_bounds3d *b, const cdi_bounds3d *other) {
    if (!other->some) return;
    if (!b->some) {
        *b = *other;
        return;
    }
    b->lo = cdi_v3_make(cdi_min(b->lo.x, other->lo.x), cdi_min(b->lo.y, other->lo.y),
                        cdi_min(b->lo.z, other->lo.z));
    b->hi = cdi_v3_make(cdi_max(b->hi.x, other->hi.x), cdi_max(b->hi.y, other->hi.y),
                        cdi_max(b->hi.z, other->hi.z));
}

/* x - grow rounded down, within the range. */
static cd_real cdi_bound_below(double x, double grow) {
    double sum, rest;
    cd_real r;
    cdi_two_sum(x, 0.0 - grow, &sum, &rest);
    if (!(sum > -(double)CD_REAL_MAX)) return -CD_REAL_MAX;
    r = cdi_round_down(sum, rest);
    return r < CD_REAL_MAX ? r : CD_REAL_MAX;
}

static cd_aabb cdi_bounds_round(const cdi_bounds3d *b, double grow) {
    cd_aabb r;
    r.min = cd_vec3_make(cdi_bound_below(b->lo.x, grow), cdi_bound_below(b->lo.y, grow),
                         cdi_bound_below(b->lo.z, grow));
    r.max = cd_vec3_make(-cdi_bound_below(0.0 - b->hi.x, grow), -cdi_bound_below(0.0 - b->hi.y, grow),
                         -cdi_bound_below(0.0 - b->hi.z, grow));
    return r;
}

static cd_aabb cdi_aabb_of_all(void) {
    cd_aabb b;
    b.min = cd_vec3_make(-CD_REAL_MAX, -CD_REAL_MAX, -CD_REAL_MAX);
    b.max = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    return b;
}

/* ---- of what is convex ---- */

/* Are the farthest points those of the shape itself? */
static bool cdi_convex_is_exact(const cdi_convex *body) {
    switch (body->support->kind) {
    case CD_SUPPORT_POINT:
    case CD_SUPPORT_POINTS:
    case CD_SUPPORT_AABB:
    case CD_SUPPORT_HULL:
    case CD_SUPPORT_DK: return !body->posed && !body->stretched;
    default: return false;
    }
}

static double cdi_convex_bound(const cdi_convex *body, int axis, double side) {
    double d[3] = {0.0, 0.0, 0.0};
    uint32_t vertex = CD_NONE;
    d[axis] = side;
    return cdi_v3_get(cdi_convex_farthest(body, cdi_v3_make(d[0], d[1], d[2]), &vertex), axis);
}

/* Of the core, wider by what is rounded. */
static void cdi_convex_bounds(const cdi_convex *body, cdi_bounds3d *b) {
    double slack = cdi_convex_is_exact(body) ? 0.0 : 3.5527136788005009e-15 * body->reach; /* 2^-48 */
    cdi_v3 room = cdi_v3_make(slack, slack, slack);
    b->lo = cdi_v3_make(cdi_convex_bound(body, 0, -1.0), cdi_convex_bound(body, 1, -1.0),
                        cdi_convex_bound(body, 2, -1.0));
    b->hi = cdi_v3_make(cdi_convex_bound(body, 0, 1.0), cdi_convex_bound(body, 1, 1.0),
                        cdi_convex_bound(body, 2, 1.0));
    b->lo = cdi_v3_sub(b->lo, room);
    b->hi = cdi_v3_add(b->hi, room);
    b->some = true;
}

static cd_aabb cdi_shape_box_of_convex(const cd_shape *s, const cdi_pose *pose) {
    cd_support support = cd_shape_as_support(s);
    cdi_convex body;
    cdi_bounds3d b;
    if (!cdi_convex_open(&body, &support, NULL)) return cd_aabb_empty();
    if (pose) cdi_convex_place(&body, pose);
    cdi_convex_bounds(&body, &b);
    if (s->radius > 0) body.radius *= 1.0 + (double)CD_REAL_EPSILON; /* it may be a sum that was rounded */
    return cdi_bounds_round(&b, body.radius);
}

/* ---- of what has parts ---- */

/* A box, stretched, rounded, and posed. */
static cd_aabb cdi_box_of_box(cd_aabb box, const cd_shape *s, const cdi_pose *pose) {
    cd_shape b = cd_shape_of_aabb(box);
    if (cd_aabb_is_empty(box)) return cd_aabb_empty();
    b.scale = s->scale;
    b.radius = s->radius;
    return cdi_shape_box_of_convex(&b, pose);
}

/* Of the child in the frame of its compound, or, with `outer`, where that stands there. */
static cd_aabb cdi_box_of_child(const cd_placed_shape *child, const cdi_pose *outer);

static cd_aabb cdi_box_of_children(const cd_shape *s, const cdi_pose *pose) {
    const cd_compound *c = s->u.compound;
    bool stretched = !(s->scale.x == 0 && s->scale.y == 0 && s->scale.z == 0);
    cdi_bounds3d all = cdi_bounds_of_box(cd_aabb_empty());
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_aabb box = cdi_box_of_child(&c->children[i], stretched ? NULL : pose);
        cdi_bounds3d b;
        if (c->children[i].shape->type == CD_SHAPE_HALFSPACE) return cdi_aabb_of_all();
        b = cdi_bounds_of_box(box);
        cdi_bounds_add(&all, &b);
    }
    if (!all.some) return cd_aabb_empty();
    if (stretched) return cdi_box_of_box(cdi_bounds_round(&all, 0.0), s, pose);
    return cdi_bounds_round(&all, (double)s->radius);
}

/* Is valid. */
static cd_aabb cdi_box_of_shape(const cd_shape *s, const cdi_pose *pose) {
    switch (s->type) {
    case CD_SHAPE_HALFSPACE: return cdi_aabb_of_all();
    case CD_SHAPE_MESH:
    case CD_SHAPE_HEIGHTS: return cdi_box_of_box(cd_bvh_bounds(s->u.mesh.tree), s, pose);
    case CD_SHAPE_CLASS: return cdi_box_of_box(s->u.custom.table->bounds(s->u.custom.object), s, pose);
    case CD_SHAPE_COMPOUND: return cdi_box_of_children(s, pose);
    default: return cdi_shape_box_of_convex(s, pose);
    }
}

static cd_aabb cdi_box_of_child(const cd_placed_shape *child, const cdi_pose *outer) {
    cdi_pose own = cdi_pose_of(&child->pose), at = own;
    if (outer) {
        at.rotation = cdi_m3_mul(&outer->rotation, &own.rotation);
        at.position = cdi_pose_point(outer, own.position);
    }
    return cdi_box_of_shape(child->shape, &at);
}

CD_API cd_aabb cd_shape_aabb(const cd_shape *s, const cd_transform *pose) {
    cdi_pose at;
    if (pose && !cd_transform_is_valid(pose)) return cd_aabb_empty();
    if (pose) at = cdi_pose_of(pose);
    if (cd_shape_is_convex(s) && cdi_finite((double)s->offset))
        return cdi_shape_box_of_convex(s, pose ? &at : NULL);
    return cd_shape_is_valid(s) ? cdi_box_of_shape(s, pose ? &at : NULL) : cd_aabb_empty();
}

/* ---- the farthest point ---- */

typedef struct cdi_farthest_part {
    cdi_parts_aim aim; /* its plane is across the direction */
    cdi_v3 point;
    double most;
    bool found, boundless;
} cdi_farthest_part;

static bool cdi_part_farthest(void *user, const cdi_shape_part *part) {
    cdi_farthest_part *f = (cdi_farthest_part *)user;
    cdi_v3 dir = cdi_v3_neg(f->aim.n), p;
    uint32_t vertex = CD_NONE;
    cdi_convex body;
    double x;
    if (part->halfspace) f->boundless = true;
    if (f->boundless) return false;
    if (!cdi_shape_part_open(part, NULL, &body)) return true;
    p = cdi_v3_along(cdi_convex_farthest(&body, dir, &vertex), dir, body.radius);
    x = cdi_v3_dot(p, dir);
    if (f->found && !(x > f->most)) return true;
    f->found = true;
    f->most = x;
    f->point = p;
    f->aim.limit = 0.0 - x;
    return true;
}

CD_API bool cd_shape_support(const cd_shape *s, cd_vec3 dir, cd_vec3 *out) {
    cdi_farthest_part f;
    cdi_v3 unit = cdi_v3_unit(cdi_v3_of(dir));
    cd_vec3 p;
    if (!cd_vec3_is_valid(dir) || cdi_v3_is_zero(unit) || !cd_shape_is_valid(s)) return false;
    cdi_clear(&f, sizeof f);
    f.aim.n = cdi_v3_neg(unit);
    f.aim.limit = CDI_HUGE;
    (void)cdi_parts_aimed(s, cdi_aabb_of_all(), &f.aim, 0, cdi_part_farthest, &f);
    if (!f.found || f.boundless || !cdi_v3_fits(f.point)) return false;
    p = cdi_v3_round(f.point);
    if (out) *out = p;
    return true;
}
