#include "any/parts.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"
#include "tree/bvh_distance.h"
#include "tree/bvh_walk.h"

/* ---- boxes ---- */

#define CDI_PARTS_AWAY 1e15 /* as good as farther out, in the frame of a tree; squares stay finite */

/* In doubles; any numbers, where bounds are not below each other it is empty. */
typedef struct cdi_wide_box {
    cdi_v3 lo, hi;
} cdi_wide_box;

static cdi_wide_box cdi_wide_box_of(cd_aabb b) {
    cdi_wide_box r;
    r.lo = cdi_v3_of(b.min);
    r.hi = cdi_v3_of(b.max);
    return r;
}

/* Not so large that what is done next overflows; as wide as can be for NaN. */
#define CDI_PARTS_WIDE 1e300

static cdi_v3 cdi_v3_tamed(cdi_v3 a, double unknown) {
    double most = CDI_PARTS_WIDE;
    a.x = a.x == a.x ? cdi_clamp(a.x, -most, most) : unknown;
    a.y = a.y == a.y ? cdi_clamp(a.y, -most, most) : unknown;
    a.z = a.z == a.z ? cdi_clamp(a.z, -most, most) : unknown;
    return a;
}

static void cdi_wide_box_tame(cdi_wide_box *b) {
    b->lo = cdi_v3_tamed(b->lo, -CDI_PARTS_WIDE);
    b->hi = cdi_v3_tamed(b->hi, CDI_PARTS_WIDE);
}

static cd_aabb cdi_wide_box_round(const cdi_wide_box *b) {
    cd_aabb r;
    r.min = cd_vec3_make(cdi_round_down(b->lo.x, 0.0), cdi_round_down(b->lo.y, 0.0),
                         cdi_round_down(b->lo.z, 0.0));
    r.max = cd_vec3_make(-cdi_round_down(-b->hi.x, 0.0), -cdi_round_down(-b->hi.y, 0.0),
                         -cdi_round_down(-b->hi.z, 0.0));
    return r;
}

static double cdi_wide_boxes_apart(const cdi_wide_box *a, const cdi_wide_box *b) {
    double x = cdi_max(a->lo.x - b->hi.x, b->lo.x - a->hi.x),
           y = cdi_max(a->lo.y - b->hi.y, b->lo.y - a->hi.y);
    double z = cdi_max(a->lo.z - b->hi.z, b->lo.z - a->hi.z), most = cdi_max(cdi_max(x, y), z);
    if (!(most > 0.0)) return most;
    return cdi_v3_norm(cdi_v3_make(cdi_max(x, 0.0), cdi_max(y, 0.0), cdi_max(z, 0.0)));
}

CDI_FN double cdi_boxes_apart(cd_aabb a, cd_aabb b) {
    cdi_wide_box p = cdi_wide_box_of(a), q = cdi_wide_box_of(b);
    return cdi_wide_boxes_apart(&p, &q);
}

static void cdi_wide_box_grow(cdi_wide_box *b, double by) {
    cdi_v3 way = cdi_v3_make(by, by, by);
    b->lo = cdi_v3_sub(b->lo, way);
    b->hi = cdi_v3_add(b->hi, way);
    cdi_wide_box_tame(b);
}

/* ---- scales ---- */

static bool cdi_scale_is_none(cd_vec3 s) {
    bool zero = s.x == 0 && s.y == 0 && s.z == 0, one = s.x == 1 && s.y == 1 && s.z == 1;
    return zero || one;
}

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
static void cdi_wide_box_unscale(cdi_wide_box *b, cdi_v3 by) {
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
static void cdi_wide_box_unpose(cdi_wide_box *b, const cdi_pose *pose) {
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
    for (int i = 0; i < count; ++i)
        corners[i] = cdi_v3_round(cdi_pose_point(pose, cdi_v3_times(cdi_v3_of(corners[i]), by)));
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
static void cdi_part_join(cdi_shape_part *p, const cd_shape *whole) {
    cdi_part_stretch(p, whole->scale);
    p->layers |= whole->layers;
    p->part.offset += whole->offset;
    if (p->halfspace) {
        cdi_halfspace_grow(&p->store.u.halfspace, whole->radius);
    } else {
        p->store.radius += whole->radius;
    }
}

static void cdi_part_place(cdi_shape_part *p, const cd_transform *pose) {
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
static void cdi_part_of_shape(cdi_shape_part *p, const cd_shape *s) {
    cdi_part_begin(p, s);
    if (p->halfspace) {
        cdi_halfspace_stretch(&p->store.u.halfspace, cdi_scale_of(s));
        cdi_halfspace_grow(&p->store.u.halfspace, s->radius);
    } else if (!cd_shape_is_convex(s)) {
        cdi_part_fail(p);
    } else {
        p->mirrored = ((s->scale.x < 0) != (s->scale.y < 0)) != (s->scale.z < 0);
    }
}

/* Triangle i of a tree. */
static void cdi_part_of_item(cdi_shape_part *p, const cd_shape *s, const cdi_bvh *tree, uint32_t i) {
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
    if (s->type == CD_SHAPE_HEIGHTS) {
        if (cdi_bvh_field(tree)->has_materials) p->part.material = cd_heights_material(s->u.mesh.tree, index);
    } else if (s->u.mesh.materials) {
        p->part.material = s->u.mesh.materials[index];
    }
}

CDI_FN void cdi_parts_copy(cdi_shape_part *to, const cdi_shape_part *from) {
    *to = *from;
    if (to->support.kind != CD_SUPPORT_NOTHING) to->support = cd_shape_as_support(&to->store);
}

CDI_FN const cd_transform *cdi_shape_part_pose(const cdi_shape_part *part, const cd_transform *outer,
                                               cd_transform *store) {
    if (!part->posed) return outer;
    *store = outer ? cd_transform_mul(outer, &part->pose) : part->pose;
    return store;
}

/* ---- bounds ---- */

static cdi_wide_box cdi_wide_box_all(void) {
    cdi_wide_box r;
    double most = (double)CD_REAL_MAX;
    r.lo = cdi_v3_make(-most, -most, -most);
    r.hi = cdi_v3_make(most, most, most);
    return r;
}

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
static bool cdi_part_box(const cdi_shape_part *p, const cdi_pose *outer, cdi_wide_box *out) {
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

/* ---- the search ---- */

/* What is asked of the whole shape. */
typedef struct cdi_parts_query {
    cdi_wide_box box;
    const cdi_parts_aim *aim; /* NULL: what meets the box, in the order of the tree */
    uint32_t ignore;
    cdi_shape_part_fn visit;
    void *user;
    const cd_shape *whole;
} cdi_parts_query;

/* A box that is looked for in a tree, whose triangles or children are x -> map x + shift in the frame of the query. */
typedef struct cdi_parts_box {
    const cdi_parts_query *query;
    cdi_wide_box box;   /* in the frame of what is looked at */
    double least, most; /* lengths in the frame of the query are from `least` to `most` times those here */
    double rounded;     /* by how much parts reach beyond what the tree holds, in the frame of the query */
    cdi_m3 map;
    cdi_v3 shift;
    uint32_t turn; /* of the plane */
    cdi_v3 n;      /* how high x is over the plane: n.x - d, in lengths of the query */
    double d;
    const cdi_frame *frame; /* of the tree; and there: */
    int unit;               /* lengths of the query are in units of 2^unit */
    float low[3], high[3];  /* the box, rounded outward */
    float apart, deep;      /* what makes lengths out of ways between boxes that are apart, and that meet */
    float side[3], over;    /* the plane's; no more than the height */
} cdi_parts_box;

static void cdi_search_begin(cdi_parts_box *s, const cdi_parts_query *q) {
    s->query = q;
    s->box = q->box;
    cdi_wide_box_tame(&s->box);
    s->least = s->most = 1.0;
    s->rounded = 0.0;
    s->map.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    s->map.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    s->map.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    s->shift = cdi_v3_make(0.0, 0.0, 0.0);
}

/* Into a frame in which things are rounded, */
static void cdi_search_round(cdi_parts_box *s, cd_real radius) {
    double r = (double)radius;
    cdi_wide_box_grow(&s->box, r);
    s->rounded += r * s->most;
}

/* ... one that is stretched to that of the search, */
static void cdi_search_unscale(cdi_parts_box *s, cd_vec3 scale) {
    cdi_v3 by = cdi_v3_of(scale);
    double x = cdi_abs(by.x), y = cdi_abs(by.y), z = cdi_abs(by.z);
    if (cdi_scale_is_none(scale)) return;
    cdi_wide_box_unscale(&s->box, by);
    s->least *= cdi_min(cdi_min(x, y), z);
    s->most *= cdi_max(cdi_max(x, y), z);
    for (int k = 0; k < 3; ++k) s->map.c[k] = cdi_v3_scale(s->map.c[k], cdi_v3_get(by, k));
}

/* ... or one that stands there at a pose. */
static void cdi_search_unpose(cdi_parts_box *s, const cd_transform *at) {
    cdi_pose pose = cdi_pose_of(at);
    cdi_wide_box_unpose(&s->box, &pose);
    s->shift = cdi_v3_add(s->shift, cdi_m3_mul_v3(&s->map, pose.position));
    s->map = cdi_m3_mul(&s->map, &pose.rotation);
}

static double cdi_search_limit(const cdi_parts_query *q) {
    return q->aim ? q->aim->limit : 0.0;
}

static bool cdi_search_has_plane(const cdi_parts_query *q) {
    return q->aim && !cdi_v3_is_zero(q->aim->n);
}

/* The plane in the frame of the search. */
static void cdi_search_turn(cdi_parts_box *s) {
    const cdi_parts_aim *aim = s->query->aim;
    s->turn = aim->turn;
    s->n = cdi_m3_tmul_v3(&s->map, aim->n);
    s->d = aim->d - cdi_v3_dot(aim->n, s->shift) + s->rounded;
    s->d += 1e-14 * (cdi_abs(aim->d) + 3.0 * cdi_v3_max_abs(s->shift) + s->rounded);
}

static void cdi_search_face(cdi_parts_box *s) {
    if (!cdi_search_has_plane(s->query)) {
        s->turn = 0;
        s->n = cdi_v3_make(0.0, 0.0, 0.0);
        s->d = cdi_infinity();
    } else if (s->turn != s->query->aim->turn || !(s->d < cdi_infinity())) {
        cdi_search_turn(s);
    }
}

/* Is a box, of the frame of the search, near enough? */
static bool cdi_search_reaches(const cdi_parts_box *s, const cdi_wide_box *b) {
    double d = cdi_wide_boxes_apart(&s->box, b), bound = d > 0.0 ? d * s->least : d * s->most;
    return !(bound - cdi_abs(bound) * 1e-14 > cdi_search_limit(s->query));
}

/* Is a corner of a triangle near enough to the plane? */
static bool cdi_search_under(const cdi_parts_box *s, const cdi_tri *t) {
    double a = cdi_v3_dot(s->n, t->v[0]), b = cdi_v3_dot(s->n, t->v[1]), c = cdi_v3_dot(s->n, t->v[2]);
    double least = cdi_min(cdi_min(a, b), c), size = cdi_abs(a) + cdi_abs(b) + cdi_abs(c);
    return !(least - s->d - 1e-14 * size > cdi_search_limit(s->query));
}

/* ---- in the frame of a tree ---- */

static double cdi_search_clamp(double x) {
    return cdi_clamp(x, -CDI_PARTS_AWAY, CDI_PARTS_AWAY);
}

/* The plane in the tree's frame, with room for what the lanes round. */
static void cdi_search_tilt(cdi_parts_box *s) {
    const cdi_frame *f = s->frame;
    cdi_v3 origin = cdi_v3_make(f->origin[0], f->origin[1], f->origin[2]);
    double sum = 0.0, over;
    cdi_search_face(s);
    for (int k = 0; k < 3; ++k) {
        double c = cdi_scale2(cdi_v3_get(s->n, k), f->exponent - s->unit);
        s->side[k] = (float)cdi_search_clamp(c);
        sum += cdi_abs(c);
    }
    over = cdi_v3_dot(s->n, origin) - s->d - 1e-14 * 3.0 * cdi_v3_max_abs(s->n) * cdi_v3_max_abs(origin);
    over = cdi_search_clamp(cdi_scale2(over, -s->unit));
    s->over = cdi_float_down(over - cdi_abs(over) * 1e-6 - sum * 1e-6);
}

static void cdi_search_open(cdi_parts_box *s, const cdi_bvh *tree) {
    const cdi_frame *f = &tree->header->frame;
    s->frame = f;
    s->unit = f->exponent + cdi_exponent(s->most);
    s->apart = (float)cdi_scale2(s->least * 0.999999, f->exponent - s->unit);
    s->deep = (float)cdi_scale2(s->most * 1.000001, f->exponent - s->unit);
    for (int k = 0; k < 3; ++k) {
        double lo = cdi_frame_in(f, k, cdi_v3_get(s->box.lo, k)),
               hi = cdi_frame_in(f, k, cdi_v3_get(s->box.hi, k));
        s->low[k] = cdi_float_down(cdi_search_clamp(lo));
        s->high[k] = cdi_float_up(cdi_search_clamp(hi));
    }
    s->d = cdi_infinity();
    cdi_search_tilt(s);
}

/* The limit in the unit of cdi_search_bounds, or more. */
static float cdi_search_frame_limit(const cdi_parts_box *s) {
    double limit = cdi_scale2(cdi_search_limit(s->query), -s->unit);
    return cdi_float_up(limit + cdi_abs(limit) * 2e-6);
}

/* How high the boxes are over the plane, at least. */
CDI_INLINE cdi_f8 cdi_search_heights(const cdi_parts_box *s, const cdi_bvh_node *node) {
    cdi_f8 sum = cdi_f8_all(s->over);
    for (int k = 0; k < 3; ++k) {
        const float *x = s->side[k] > 0.0f ? node->lo[k] : node->hi[k];
        sum = cdi_f8_add(sum, cdi_f8_mul(cdi_f8_load(x), cdi_f8_all(s->side[k])));
    }
    return sum;
}

/* Of each lane how far it is, or minus the way that parts it along an axis. */
static uint32_t cdi_search_bounds(const void *q, const cdi_bvh_node *node, float limit, float bound[8]) {
    const cdi_parts_box *s = (const cdi_parts_box *)q;
    cdi_f8 zero = cdi_f8_all(0.0f), sum = zero, most = cdi_f8_all(-1e30f), key;
    for (int k = 0; k < 3; ++k) {
        cdi_f8 below = cdi_f8_sub(cdi_f8_load(node->lo[k]), cdi_f8_all(s->high[k]));
        cdi_f8 above = cdi_f8_sub(cdi_f8_all(s->low[k]), cdi_f8_load(node->hi[k]));
        cdi_f8 gap = cdi_f8_max(below, above), d = cdi_f8_max(gap, zero);
        most = cdi_f8_max(most, gap);
        sum = cdi_f8_add(sum, cdi_f8_mul(d, d));
    }
    key = cdi_f8_mul(cdi_f8_min(most, zero), cdi_f8_all(s->deep)); /* this or the next is 0 */
    key = cdi_f8_add(key, cdi_f8_mul(cdi_f8_sqrt(sum), cdi_f8_all(s->apart)));
    key = cdi_f8_max(key, cdi_search_heights(s, node));
    cdi_f8_store(bound, key);
    return cdi_f8_le(key, cdi_f8_all(limit));
}

static uint32_t cdi_search_lanes(const void *q, const cdi_bvh_node *node) {
    const cdi_parts_box *s = (const cdi_parts_box *)q;
    uint32_t mask = 255;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(s->high[k]));
        mask &= cdi_f8_le(cdi_f8_all(s->low[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

/* One of each is compiled, for trees of triangles and for those over children: what is a leaf's own is a call. */
typedef struct cdi_parts_walk {
    cdi_parts_box search;
    cdi_items_fn items;
} cdi_parts_walk;

static bool cdi_walk_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    return ((const cdi_parts_walk *)q)->items(q, tree, first, count);
}

static bool cdi_walk_near_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_parts_walk *w = (cdi_parts_walk *)q;
    if (!w->items(q, tree, first, count)) return false;
    if (w->search.turn != w->search.query->aim->turn) cdi_search_tilt(&w->search);
    *limit = cdi_search_frame_limit(&w->search);
    return true;
}

static bool cdi_walk_near_parts(const cdi_bvh *tree, cdi_parts_walk *w) {
    return cdi_walk_nearest(tree, w, cdi_search_frame_limit(&w->search), cdi_search_bounds,
                            cdi_walk_near_leaf);
}

static bool cdi_walk_parts(const cdi_bvh *tree, cdi_parts_walk *w) {
    cdi_search_open(&w->search, tree);
    if (w->search.query->aim) return cdi_walk_near_parts(tree, w);
    return cdi_walk_meeting(tree, w, cdi_search_lanes, cdi_walk_leaf);
}

/* ---- one shape, alone or a child ---- */

typedef struct cdi_parts_one {
    cdi_parts_walk walk;
    const cd_shape *shape;
    const cd_placed_shape *child; /* NULL: alone */
    uint32_t number;
    cdi_shape_part part;
} cdi_parts_one;

/* A part of `shape` as one of the whole. */
static void cdi_one_finish(cdi_parts_one *o) {
    cdi_shape_part *p = &o->part;
    if (o->child) {
        cdi_part_place(p, &o->child->pose);
        cdi_part_join(p, o->walk.search.query->whole);
        p->part.child = o->number;
    }
    if (p->halfspace || p->unsupported) {
        cdi_clear(&p->support, sizeof p->support);
        p->support.kind = CD_SUPPORT_NOTHING;
    } else {
        p->support = cd_shape_as_support(&p->store);
    }
}

static bool cdi_one_visit(cdi_parts_one *o) {
    const cdi_parts_query *q = o->walk.search.query;
    cdi_one_finish(o);
    return (o->part.layers & q->ignore) || q->visit(q->user, &o->part);
}

/* How high the part is over the plane; false where it is not valid. */
static bool cdi_part_is_under(const cdi_shape_part *p, const cdi_parts_query *q) {
    cdi_convex body;
    uint32_t vertex = CD_NONE;
    double height;
    if (!cdi_search_has_plane(q) || p->halfspace || !cdi_shape_part_open(p, NULL, &body)) return true;
    height = cdi_v3_dot(q->aim->n, cdi_convex_farthest(&body, cdi_v3_neg(q->aim->n), &vertex)) - body.radius;
    return !(height - q->aim->d - 1e-14 * (body.reach + body.radius + cdi_abs(q->aim->d)) > q->aim->limit);
}

/* Where it is not clear that the part is near: what is not valid is shown as well. */
static bool cdi_one_visit_near(cdi_parts_one *o) {
    const cdi_parts_query *q = o->walk.search.query;
    cdi_parts_box whole;
    cdi_wide_box box;
    cdi_one_finish(o);
    cdi_search_begin(&whole, q);
    if (o->part.layers & q->ignore) return true;
    if (cdi_part_box(&o->part, NULL, &box) && !cdi_search_reaches(&whole, &box)) return true;
    return !cdi_part_is_under(&o->part, q) || q->visit(q->user, &o->part);
}

/* ---- triangles ---- */

/* Both boxes and, where a plane is known, the corners. */
static bool cdi_item_is_near(cdi_parts_box *s, const cdi_bvh *tree, uint32_t i) {
    cdi_tri t = cdi_bvh_tri(tree, i);
    cdi_wide_box box;
    cdi_tri_bounds(&t, &box.lo, &box.hi);
    if (!cdi_search_reaches(s, &box)) return false;
    if (!cdi_search_has_plane(s->query)) return true;
    cdi_search_face(s);
    return cdi_search_under(s, &t);
}

static bool cdi_one_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    cdi_parts_one *o = (cdi_parts_one *)q;
    uint32_t ignore = o->walk.search.query->ignore;
    for (uint32_t n = 0, i = first; n < count; ++n, i = cdi_bvh_next_item(tree, i)) {
        if (cdi_bvh_ignores(tree, i, ignore) || !cdi_item_is_near(&o->walk.search, tree, i)) continue;
        cdi_part_of_item(&o->part, o->shape, tree, i);
        if (!cdi_one_visit(o)) return false;
    }
    return true;
}

static bool cdi_one_open(const cd_shape *s, cdi_bvh *tree) {
    return s->u.mesh.tree && cdi_bvh_open(tree, s->u.mesh.tree) && cdi_bvh_is_triangles(tree);
}

static bool cdi_one_of_mesh(cdi_parts_one *o) {
    cdi_bvh tree;
    o->walk.items = cdi_one_items;
    return !cdi_one_open(o->shape, &tree) || cdi_walk_parts(&tree, &o->walk);
}

/* ---- classes ---- */

static void cdi_one_take(cdi_parts_one *o, const cd_shape *part, const cd_transform *pose, uint32_t index) {
    const cd_shape *s = o->shape;
    cdi_shape_part *p = &o->part;
    cdi_part_of_shape(p, part);
    if (pose) cdi_part_place(p, pose);
    cdi_part_join(p, s);
    p->item = p->part.index = index;
    p->part.user = s->user;
    if (p->part.material == 0) p->part.material = s->material;
}

static bool cdi_one_emitted(void *context, const cd_shape *part, const cd_transform *pose, uint32_t index) {
    cdi_parts_one *o = (cdi_parts_one *)context;
    cdi_one_take(o, part, pose, index);
    return cdi_one_visit_near(o);
}

static bool cdi_one_of_class(cdi_parts_one *o) {
    const cd_shape_class *table = o->shape->u.custom.table;
    cdi_parts_box *s = &o->walk.search;
    cdi_wide_box box = s->box;
    double limit = cdi_search_limit(s->query);
    if (!table || !table->parts) return true;
    if (limit > 0.0) cdi_wide_box_grow(&box, cdi_min(limit / s->least * 1.000001, CDI_PARTS_WIDE));
    return table->parts(o->shape->u.custom.object, cdi_wide_box_round(&box), cdi_one_emitted, o);
}

/* ---- any but compounds ---- */

static void cdi_one_place(cdi_parts_one *o) {
    cdi_parts_box *s = &o->walk.search;
    const cd_shape *whole = s->query->whole;
    cdi_search_begin(s, s->query);
    if (o->child) {
        cdi_search_round(s, whole->radius);
        cdi_search_unscale(s, whole->scale);
        cdi_search_unpose(s, &o->child->pose);
    }
    cdi_search_round(s, o->shape->radius);
    cdi_search_unscale(s, o->shape->scale);
}

static void cdi_one_begin(cdi_parts_one *o, const cdi_parts_query *q, const cd_shape *s,
                          const cd_placed_shape *child, uint32_t number) {
    o->walk.search.query = q;
    o->shape = s;
    o->child = child;
    o->number = number;
    if (cdi_shape_has_parts(s)) cdi_one_place(o);
}

/* `near_enough`: that is known of a child of one piece. */
static bool cdi_parts_of_one(const cdi_parts_query *q, const cd_shape *s, const cd_placed_shape *child,
                             uint32_t number, bool near_enough) {
    cdi_parts_one o;
    if (s->layers & q->ignore) return true;
    cdi_one_begin(&o, q, s, child, number);
    if (s->type == CD_SHAPE_MESH || s->type == CD_SHAPE_HEIGHTS) return cdi_one_of_mesh(&o);
    if (s->type == CD_SHAPE_CLASS) return cdi_one_of_class(&o);
    cdi_part_of_shape(&o.part, s);
    return near_enough ? cdi_one_visit(&o) : cdi_one_visit_near(&o);
}

/* ---- compounds ---- */

typedef struct cdi_parts_children {
    cdi_parts_walk walk;
    const cd_compound *compound;
} cdi_parts_children;

static bool cdi_child_visit(const cdi_parts_query *q, const cd_compound *c, uint32_t number,
                            bool near_enough) {
    const cd_placed_shape *child = &c->children[number];
    return !child->shape || cdi_parts_of_one(q, child->shape, child, number, near_enough);
}

static bool cdi_child_is_halfspace(const cd_compound *c, uint32_t number) {
    const cd_shape *s = c->children[number].shape;
    return s && s->type == CD_SHAPE_HALFSPACE;
}

static bool cdi_children_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    cdi_parts_children *w = (cdi_parts_children *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        uint32_t number = cdi_bvh_index(tree, i);
        cdi_wide_box box = cdi_wide_box_of(cdi_bvh_box_of(tree, i));
        if (number >= w->compound->count || !cdi_search_reaches(&w->walk.search, &box)) continue;
        if (cdi_child_is_halfspace(w->compound, number)) continue; /* has been visited */
        if (!cdi_child_visit(w->walk.search.query, w->compound, number, true)) return false;
    }
    return true;
}

static bool cdi_halfspaces_visit(const cdi_parts_query *q, const cd_compound *c) {
    for (uint32_t i = 0; i < c->count; ++i)
        if (cdi_child_is_halfspace(c, i) && !cdi_child_visit(q, c, i, true)) return false;
    return true;
}

/* What has no box has been left out of the tree. */
static bool cdi_children_by_tree(const cdi_parts_query *q, const cd_compound *c, const cdi_bvh *tree) {
    cdi_parts_children w;
    w.walk.items = cdi_children_items;
    w.compound = c;
    cdi_search_begin(&w.walk.search, q);
    cdi_search_round(&w.walk.search, q->whole->radius);
    cdi_search_unscale(&w.walk.search, q->whole->scale);
    if (tree->header->skipped_count && !cdi_halfspaces_visit(q, c)) return false;
    return cdi_walk_parts(tree, &w.walk);
}

static bool cdi_parts_of_children(const cdi_parts_query *q) {
    const cd_compound *c = q->whole->u.compound;
    cdi_bvh tree;
    if (!c || (q->whole->layers & q->ignore)) return true;
    if (cdi_bvh_open(&tree, &c->tree) && tree.item == CD_BVH_BOXES) return cdi_children_by_tree(q, c, &tree);
    for (uint32_t i = 0; i < c->count; ++i)
        if (!cdi_child_visit(q, c, i, false)) return false;
    return true;
}

/* ---- any shape ---- */

static bool cdi_parts_visit(const cd_shape *s, uint32_t child, cd_aabb box, const cdi_parts_aim *aim,
                            uint32_t ignore, cdi_shape_part_fn visit, void *user) {
    const cd_compound *c = s->type == CD_SHAPE_COMPOUND ? s->u.compound : NULL;
    cdi_parts_query q;
    if (cd_aabb_is_empty(box)) return true;
    q.box = cdi_wide_box_of(box);
    q.aim = aim;
    q.ignore = ignore;
    q.visit = visit;
    q.user = user;
    q.whole = s;
    if (s->type != CD_SHAPE_COMPOUND) return cdi_parts_of_one(&q, s, NULL, CD_NONE, true);
    if (child == CD_NONE) return cdi_parts_of_children(&q);
    if (!c || child >= c->count || (s->layers & ignore)) return true;
    return cdi_child_visit(&q, c, child, false);
}

CDI_FN bool cdi_parts_of_child(const cd_shape *s, uint32_t child, cd_aabb box, uint32_t ignore,
                               cdi_shape_part_fn visit, void *user) {
    return cdi_parts_visit(s, child, box, NULL, ignore, visit, user);
}

CDI_FN bool cdi_parts_in(const cd_shape *s, cd_aabb box, uint32_t ignore, cdi_shape_part_fn visit,
                         void *user) {
    return cdi_parts_visit(s, CD_NONE, box, NULL, ignore, visit, user);
}

CDI_FN bool cdi_parts_near(const cd_shape *s, cd_aabb box, const cdi_parts_aim *aim, uint32_t ignore,
                           cdi_shape_part_fn visit, void *user) {
    return cdi_parts_visit(s, CD_NONE, box, aim, ignore, visit, user);
}

/* ---- a part by its numbers ---- */

typedef struct cdi_parts_wanted {
    cdi_parts_one one;
    uint32_t item;
    bool found;
} cdi_parts_wanted;

static void cdi_wanted_show(cdi_parts_wanted *w) {
    const cdi_parts_query *q = w->one.walk.search.query;
    w->found = true;
    cdi_one_finish(&w->one);
    q->visit(q->user, &w->one.part);
}

static bool cdi_wanted_emitted(void *context, const cd_shape *part, const cd_transform *pose,
                               uint32_t index) {
    cdi_parts_wanted *w = (cdi_parts_wanted *)context;
    if (index != w->item) return true;
    cdi_one_take(&w->one, part, pose, index);
    cdi_wanted_show(w);
    return false;
}

static void cdi_wanted_of_class(cdi_parts_wanted *w) {
    const cd_shape *s = w->one.shape;
    const cd_shape_class *table = s->u.custom.table;
    cdi_wide_box all = cdi_wide_box_all();
    if (table && table->parts)
        table->parts(s->u.custom.object, cdi_wide_box_round(&all), cdi_wanted_emitted, w);
}

static void cdi_wanted_of_mesh(cdi_parts_wanted *w) {
    cdi_bvh tree;
    if (!cdi_one_open(w->one.shape, &tree) || !cdi_bvh_has_item(&tree, w->item)) return;
    cdi_part_of_item(&w->one.part, w->one.shape, &tree, w->item);
    cdi_wanted_show(w);
}

static void cdi_wanted_find(cdi_parts_wanted *w) {
    const cd_shape *s = w->one.shape;
    if (s->type == CD_SHAPE_MESH || s->type == CD_SHAPE_HEIGHTS) {
        cdi_wanted_of_mesh(w);
    } else if (s->type == CD_SHAPE_CLASS) {
        cdi_wanted_of_class(w);
    } else if (w->item == 0) {
        cdi_part_of_shape(&w->one.part, s);
        cdi_wanted_show(w);
    }
}

CDI_FN bool cdi_parts_find(const cd_shape *s, uint32_t child, uint32_t item, cdi_shape_part_fn visit,
                           void *user) {
    cdi_parts_wanted w;
    cdi_parts_query q;
    const cd_placed_shape *placed = NULL;
    if (s->type == CD_SHAPE_COMPOUND) {
        if (!s->u.compound || child >= s->u.compound->count) return false;
        placed = &s->u.compound->children[child];
        if (!placed->shape) return false;
    }
    q.box = cdi_wide_box_all();
    q.aim = NULL;
    q.ignore = 0;
    q.visit = visit;
    q.user = user;
    q.whole = s;
    cdi_one_begin(&w.one, &q, placed ? placed->shape : s, placed, child);
    w.item = item;
    w.found = false;
    if (placed || child == CD_NONE) cdi_wanted_find(&w);
    return w.found;
}

#undef CDI_PARTS_AWAY
#undef CDI_PARTS_WIDE
