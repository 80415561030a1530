#include "any/part.h"
#include "any/plain.h"
#include "core/expansion.h"
#include "query/sweep3d.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"

/* ---- boxes ---- */

static cdi_v3 cdi_v3_tamed(cdi_v3 a, double unknown) {
    double most = CDI_BOX_WIDE;
    a.x = a.x == a.x ? cdi_clamp(a.x, -most, most) : unknown;
    a.y = a.y == a.y ? cdi_clamp(a.y, -most, most) : unknown;
    a.z = a.z == a.z ? cdi_clamp(a.z, -most, most) : unknown;
    return a;
}

CDI_FN void cdi_wide_box_tame(cdi_wide_box *b) {
    b->lo = cdi_v3_tamed(b->lo, -CDI_BOX_WIDE);
    b->hi = cdi_v3_tamed(b->hi, CDI_BOX_WIDE);
}

CDI_FN cd_aabb cdi_wide_box_round(const cdi_wide_box *b) {
    cd_aabb r;
    r.min = cd_vec3_make(cdi_round_down(b->lo.x, 0.0), cdi_round_down(b->lo.y, 0.0),
                         cdi_round_down(b->lo.z, 0.0));
    r.max = cd_vec3_make(-cdi_round_down(-b->hi.x, 0.0), -cdi_round_down(-b->hi.y, 0.0),
                         -cdi_round_down(-b->hi.z, 0.0));
    return r;
}

static double cdi_real_blur(double x) {
    return cdi_abs(x) * 4.0 * (double)CD_REAL_EPSILON;
}

CDI_FN cd_aabb cdi_aabb_grown(cd_aabb b, double by) {
    cdi_wide_box r = cdi_wide_box_of(b);
    cdi_v3 lo = r.lo, hi = r.hi;
    if (cd_aabb_is_empty(b)) return b;
    cdi_wide_box_grow(&r, cdi_max(by, 0.0) * 1.000001);
    r.lo = cdi_v3_sub(r.lo, cdi_v3_make(cdi_real_blur(lo.x), cdi_real_blur(lo.y), cdi_real_blur(lo.z)));
    r.hi = cdi_v3_add(r.hi, cdi_v3_make(cdi_real_blur(hi.x), cdi_real_blur(hi.y), cdi_real_blur(hi.z)));
    return cdi_wide_box_round(&r);
}

CDI_FN double cdi_wide_boxes_apart(const cdi_wide_box *a, const cdi_wide_box *b) {
    double x = cdi_max(a->lo.x - b->hi.x, b->lo.x - a->hi.x),
           y = cdi_max(a->lo.y - b->hi.y, b->lo.y - a->hi.y);
    double z = cdi_max(a->lo.z - b->hi.z, b->lo.z - a->hi.z), most = cdi_max(cdi_max(x, y), z);
    if (!(most > 0.0)) return most;
    return cdi_v3_norm(cdi_v3_make(cdi_max(x, 0.0), cdi_max(y, 0.0), cdi_max(z, 0.0)));
}

CDI_FN void cdi_wide_box_grow(cdi_wide_box *b, double by) {
    cdi_v3 way = cdi_v3_make(by, by, by);
    b->lo = cdi_v3_sub(b->lo, way);
    b->hi = cdi_v3_add(b->hi, way);
    cdi_wide_box_tame(b);
}

/* ---- scales ---- */

static cdi_v3 cdi_scale_of(const cd_shape *s) {
    return cdi_scale_is_none(s->scale) ? cdi_v3_make(1.0, 1.0, 1.0) : cdi_v3_of(s->scale);
}

static cdi_v3 cdi_v3_times(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

static cd_vec3 cdi_point_stretched(cd_vec3 p, cdi_v3 by) {
    return cdi_v3_round(cdi_v3_times(cdi_v3_of(p), by));
}

static void cdi_extent_unscaled(double lo, double hi, double by, double *out_lo, double *out_hi) {
    double p = lo / by, q = hi / by;
    *out_lo = cdi_min(p, q);
    *out_hi = cdi_max(p, q);
    *out_lo -= cdi_abs(*out_lo) * 1e-15;
    *out_hi += cdi_abs(*out_hi) * 1e-15;
}

/* What of the box is, in the frame before the stretch. */
CDI_FN void cdi_wide_box_unscale(cdi_wide_box *b, cdi_v3 by) {
    cdi_wide_box r;
    cdi_extent_unscaled(b->lo.x, b->hi.x, by.x, &r.lo.x, &r.hi.x);
    cdi_extent_unscaled(b->lo.y, b->hi.y, by.y, &r.lo.y, &r.hi.y);
    cdi_extent_unscaled(b->lo.z, b->hi.z, by.z, &r.lo.z, &r.hi.z);
    *b = r;
    cdi_wide_box_tame(b);
}

static double cdi_turned_half(const cdi_v3 *c, cdi_v3 half) {
    return cdi_abs(c->x) * half.x + cdi_abs(c->y) * half.y + cdi_abs(c->z) * half.z;
}

/* The box around it in the frame that stands at a pose. */
CDI_FN void cdi_wide_box_unpose(cdi_wide_box *b, const cdi_pose *pose) {
    const cdi_v3 *c = pose->rotation.c;
    cdi_v3 middle = cdi_v3_add(cdi_v3_scale(b->lo, 0.5), cdi_v3_scale(b->hi, 0.5));
    cdi_v3 half = cdi_v3_sub(cdi_v3_scale(b->hi, 0.5), cdi_v3_scale(b->lo, 0.5));
    cdi_v3 at = cdi_m3_tmul_v3(&pose->rotation, cdi_v3_sub(middle, pose->position));
    double size = cdi_v3_max_abs(middle) + cdi_v3_max_abs(half) + cdi_v3_max_abs(pose->position);
    cdi_v3 wide =
        cdi_v3_make(cdi_turned_half(&c[0], half), cdi_turned_half(&c[1], half), cdi_turned_half(&c[2], half));
    b->lo = cdi_v3_sub(at, wide);
    b->hi = cdi_v3_add(at, wide);
    cdi_wide_box_grow(b, size * 1e-14);
}

/* ---- a part ---- */

static void cdi_part_fail(cdi_shape_part *p) {
    cdi_clear(&p->store, sizeof p->store);
    p->halfspace = p->triangle = false;
    p->unsupported = true;
}

static bool cdi_turn_is_none(const cd_transform *t) {
    return t->rotation.x == 0 && t->rotation.y == 0 && t->rotation.z == 0;
}

static cd_vec3 cdi_axis_posed(const cdi_pose *pose, cd_vec3 v) {
    return cdi_v3_round(cdi_m3_mul_v3(&pose->rotation, cdi_v3_of(v)));
}

static cd_mat3 cdi_axes_posed(const cdi_pose *pose, const cd_mat3 *axes) {
    cd_mat3 r;
    for (int k = 0; k < 3; ++k) r.col[k] = cdi_axis_posed(pose, axes->col[k]);
    return r;
}

/* Corners, however they are scaled. */
static void cdi_corners_settle(cd_shape *s, const cdi_pose *pose, cd_vec3 *corners, int count) {
    cdi_v3 by = cdi_scale_of(s);
    for (int i = 0; i < count; ++i) {
        cdi_v3 p = cdi_pose_point(pose, cdi_v3_times(cdi_v3_of(corners[i]), by));
        corners[i] = cdi_v3_round(p);
    }
    s->scale = cd_vec3_make(1, 1, 1);
}

/* n.x <= d of what is displaced by the pose. */
static cd_plane cdi_halfspace_posed(const cd_plane *h, const cdi_pose *pose) {
    cd_plane r;
    cdi_v3 n = cdi_m3_mul_v3(&pose->rotation, cdi_v3_of(h->n));
    r.n = cdi_v3_round(n);
    r.d = cdi_real_or_infinity((double)h->d + cdi_v3_dot(n, pose->position));
    return r;
}

/* What is told by points and axes, brought to where it is posed. */
static bool cdi_solid_settle(cd_shape *s, const cdi_pose *pose) {
    cd_vec3 *p = (cd_vec3 *)(void *)&s->u;
    if (s->type == CD_SHAPE_AABB) {
        cd_obb box = cd_obb_from_aabb(s->u.aabb);
        s->type = CD_SHAPE_OBB;
        s->u.obb = box;
    }
    switch (s->type) {
    case CD_SHAPE_CYLINDER: /* these begin with two points */
    case CD_SHAPE_CONE: p[1] = cdi_pose_point_round(pose, p[1]); break;
    case CD_SHAPE_DISC: s->u.disc.normal = cdi_axis_posed(pose, s->u.disc.normal); break;
    case CD_SHAPE_OBB: s->u.obb.axes = cdi_axes_posed(pose, &s->u.obb.axes); break;
    case CD_SHAPE_ELLIPSOID: s->u.ellipsoid.axes = cdi_axes_posed(pose, &s->u.ellipsoid.axes); break;
    case CD_SHAPE_SPHERE: break;
    default: return false;
    }
    p[0] = cdi_pose_point_round(pose, p[0]); /* all others with one */
    return true;
}

/* Makes the pose the shape's own; false where it cannot be. */
static bool cdi_part_settle(cdi_shape_part *p) {
    cdi_pose pose = cdi_pose_of(&p->pose);
    cd_shape *s = &p->store;
    p->posed = false;
    p->pose = cd_transform_identity();
    switch (s->type) {
    case CD_SHAPE_POINT: cdi_corners_settle(s, &pose, &s->u.point, 1); return true;
    case CD_SHAPE_SEGMENT: cdi_corners_settle(s, &pose, &s->u.segment.a, 2); return true;
    case CD_SHAPE_TRIANGLE: cdi_corners_settle(s, &pose, &s->u.triangle.a, 3); return true;
    case CD_SHAPE_TETRAHEDRON: cdi_corners_settle(s, &pose, &s->u.tetrahedron.a, 4); return true;
    case CD_SHAPE_HALFSPACE: s->u.halfspace = cdi_halfspace_posed(&s->u.halfspace, &pose); return true;
    default: return cdi_scale_is_none(s->scale) && cdi_solid_settle(s, &pose);
    }
}

/* A half-space's own scale and radius go into its plane. */
static void cdi_halfspace_stretch(cd_plane *h, cdi_v3 by) {
    cdi_v3 n = cdi_v3_of(h->n);
    h->n = cdi_v3_round(cdi_v3_make(n.x / by.x, n.y / by.y, n.z / by.z));
}

static void cdi_halfspace_grow(cd_plane *h, cd_real radius) {
    if (radius != 0)
        h->d = cdi_real_or_infinity((double)h->d + (double)radius * cdi_v3_norm(cdi_v3_of(h->n)));
}

/* The part in the frame of what is stretched as a whole. */
static void cdi_part_stretch(cdi_shape_part *p, cd_vec3 scale) {
    cdi_v3 by = cdi_v3_of(scale);
    cd_shape stretched;
    bool even = by.x == by.y && by.y == by.z;
    if (cdi_scale_is_none(scale) || p->unsupported) return;
    if (by.x * by.y * by.z < 0.0) p->mirrored = !p->mirrored;
    if (p->posed && !even && !cdi_turn_is_none(&p->pose) && !cdi_part_settle(p)) {
        cdi_part_fail(p);
        return;
    }
    p->pose.position = cdi_point_stretched(p->pose.position, by);
    if (p->halfspace) {
        cdi_halfspace_stretch(&p->store.u.halfspace, by);
    } else if (cd_shape_scaled(&p->store, scale, &stretched) == CD_OK) {
        p->store = stretched;
    } else {
        cdi_part_fail(p);
    }
}

/* The part as one of the shape that it is in, as a class or a child, but for the numbers. */
CDI_FN void cdi_part_join(cdi_shape_part *p, const cd_shape *whole) {
    cdi_part_stretch(p, whole->scale);
    p->layers |= whole->layers;
    p->part.offset += whole->offset;
    if (p->halfspace) {
        cdi_halfspace_grow(&p->store.u.halfspace, whole->radius);
    } else {
        p->store.radius = cdi_lengths_sum(p->store.radius, whole->radius);
    }
}

CDI_FN void cdi_part_place(cdi_shape_part *p, const cd_transform *pose) {
    cd_transform at = *pose;
    if (p->posed) at = cd_transform_mul(pose, &p->pose);
    p->pose = at;
    p->posed = true;
}

static void cdi_part_begin(cdi_shape_part *p, const cd_shape *s) {
    p->store = *s;
    p->pose = cd_transform_identity();
    p->posed = p->triangle = p->mirrored = p->unsupported = false;
    p->halfspace = s->type == CD_SHAPE_HALFSPACE;
    p->layers = s->layers;
    p->item = 0;
    p->part.user = s->user;
    p->part.material = s->material;
    p->part.child = CD_NONE;
    p->part.index = 0;
    p->part.offset = s->offset;
}

/* A part of one piece. */
CDI_FN void cdi_part_of_shape(cdi_shape_part *p, const cd_shape *s) {
    cdi_part_begin(p, s);
    if (p->halfspace && !(s->radius >= 0)) {
        p->halfspace = false;
        cdi_part_fail(p);
    } else if (p->halfspace) {
        cdi_halfspace_stretch(&p->store.u.halfspace, cdi_scale_of(s));
        cdi_halfspace_grow(&p->store.u.halfspace, s->radius);
    } else if (!cd_shape_is_convex(s)) {
        cdi_part_fail(p);
    } else {
        p->mirrored = ((s->scale.x < 0) != (s->scale.y < 0)) != (s->scale.z < 0);
    }
}

/* Triangle i of a tree. */
CDI_FN void cdi_part_of_item(cdi_shape_part *p, const cd_shape *s, const cdi_bvh *tree, uint32_t i) {
    cdi_v3 by = cdi_scale_of(s);
    cd_triangle t = cdi_bvh_triangle_of(tree, i);
    uint32_t index = cdi_bvh_index(tree, i);
    cdi_part_begin(p, s);
    p->store.type = CD_SHAPE_TRIANGLE;
    p->store.u.triangle.a = cdi_point_stretched(t.a, by);
    p->store.u.triangle.b = cdi_point_stretched(t.b, by);
    p->store.u.triangle.c = cdi_point_stretched(t.c, by);
    p->store.scale = cd_vec3_make(1, 1, 1);
    p->triangle = true;
    p->mirrored = by.x * by.y * by.z < 0.0;
    p->item = i;
    p->part.index = index;
    if (tree->masks) p->layers |= cdi_bvh_mask(tree, i);
    p->part.material = cdi_shape_material(s, index);
}

CDI_FN void cdi_part_finish(cdi_shape_part *p) {
    if (p->halfspace || p->unsupported) {
        cdi_clear(&p->support, sizeof p->support);
        p->support.kind = CD_SUPPORT_NOTHING;
    } else {
        p->support = cd_shape_as_support(&p->store);
    }
}

CDI_FN void cdi_parts_copy(cdi_shape_part *to, const cdi_shape_part *from) {
    *to = *from;
    if (to->support.kind != CD_SUPPORT_NOTHING) to->support = cd_shape_as_support(&to->store);
}

/* ---- bounds ---- */

static double cdi_reach_along(const cdi_convex *body, int axis, double side) {
    uint32_t vertex = CD_NONE;
    cdi_v3 dir = cdi_v3_make(axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0);
    return cdi_v3_get(cdi_convex_farthest(body, dir, &vertex), axis);
}

static cdi_pose cdi_pose_after(const cdi_pose *outer, const cdi_pose *inner) {
    cdi_pose r;
    r.rotation = cdi_m3_mul(&outer->rotation, &inner->rotation);
    r.position = cdi_pose_point(outer, inner->position);
    return r;
}

/* The part's pose in the frame in which its shape stands at `outer`; false where there is none. */
static bool cdi_part_pose_at(const cdi_shape_part *p, const cdi_pose *outer, cdi_pose *out) {
    cdi_pose own;
    if (!p->posed) {
        if (outer) *out = *outer;
        return outer != NULL;
    }
    own = cdi_pose_of(&p->pose);
    *out = outer ? cdi_pose_after(outer, &own) : own;
    return true;
}

CDI_FN bool cdi_shape_part_open(const cdi_shape_part *part, const cdi_pose *outer, cdi_convex *out) {
    cdi_pose at;
    if (part->halfspace || part->unsupported || (part->posed && !cd_transform_is_valid(&part->pose)))
        return false;
    if (!cdi_convex_open(out, &part->support, NULL)) return false;
    if (cdi_part_pose_at(part, outer, &at)) cdi_convex_place(out, &at);
    return cdi_finite(out->reach);
}

CDI_FN bool cdi_shape_part_plane(const cdi_shape_part *part, const cdi_pose *outer, cdi_v3 *n, double *d) {
    cdi_pose at;
    *n = cdi_v3_of(part->store.u.halfspace.n);
    *d = (double)part->store.u.halfspace.d;
    if (cdi_part_pose_at(part, outer, &at)) {
        *n = cdi_m3_mul_v3(&at.rotation, *n);
        *d += cdi_v3_dot(*n, at.position);
    }
    return cdi_v3_finite(*n) && !cdi_v3_is_zero(*n) && cdi_finite(*d);
}

/* False where it is not valid. */
CDI_FN bool cdi_part_box(const cdi_shape_part *p, const cdi_pose *outer, cdi_wide_box *out) {
    cdi_convex body;
    *out = cdi_wide_box_all();
    if (p->halfspace) return true;
    if (!cdi_shape_part_open(p, outer, &body)) return false;
    out->lo = cdi_v3_make(cdi_reach_along(&body, 0, -1.0), cdi_reach_along(&body, 1, -1.0),
                          cdi_reach_along(&body, 2, -1.0));
    out->hi = cdi_v3_make(cdi_reach_along(&body, 0, 1.0), cdi_reach_along(&body, 1, 1.0),
                          cdi_reach_along(&body, 2, 1.0));
    cdi_wide_box_grow(out, body.radius + (body.reach + body.radius) * 1e-14);
    return true;
}

CDI_FN cd_aabb cdi_shape_part_bounds_at(const cdi_shape_part *part, const cdi_pose *outer) {
    cdi_wide_box box;
    return cdi_part_box(part, outer, &box) ? cdi_wide_box_round(&box) : cd_aabb_empty();
}

CDI_FN cd_aabb cdi_shape_part_bounds(const cdi_shape_part *part) {
    return cdi_shape_part_bounds_at(part, NULL);
}

CDI_FN cdi_v3 cdi_shape_part_front(const cdi_shape_part *p) {
    const cd_shape *s = &p->store;
    cdi_v3 n = cdi_v3_make(0.0, 0.0, 0.0), by = cdi_scale_of(s);
    if (s->type == CD_SHAPE_TRIANGLE) n = cdi_triangle_front(&s->u.triangle);
    if (s->type == CD_SHAPE_POLYGON) n = cdi_polygon_front(s->u.points, s->count);
    if (s->type == CD_SHAPE_DISC) n = cdi_v3_of(s->u.disc.normal);
    n = cdi_v3_make(n.x / by.x, n.y / by.y, n.z / by.z);
    return cdi_shape_is_turned(s, p->mirrored) ? cdi_v3_neg(n) : n;
}
