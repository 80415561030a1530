#include "any/shape_sweep.h"
#include "any/pairing.h"
#include "any/plain.h"
#include "convex/gjk_cast3d.h"
#include "query/closest3d.h"
#include "query/sweep_box.h"
#include "query/sweep_capsule.h"
#include "query/sweep_ellipsoid.h"
#include "query/sweep_hull.h"
#include "query/sweep_sphere.h"
#include "query/sweep_triangle.h"
#include "tree/bvh_sweep.h"
#include "tree/bvh_sweep_bvh.h"

/* ---- pairs that have a sweep of their own ---- */

/* A shape as what these take: of type CD_SHAPE_SPHERE the ball, CD_SHAPE_CAPSULE the rod; CD_SHAPE_NOTHING: none of them. */
typedef struct cdi_known {
    uint32_t type;
    cd_sphere ball;
    cd_capsule rod;
    const cd_shape *shape;
} cdi_known;

static void cdi_known_of(cdi_known *k, const cd_shape *s) {
    k->shape = s;
    k->type = cdi_shape_is_plain(s) ? s->type : (uint32_t)CD_SHAPE_NOTHING;
    if (cdi_shape_as_ball(s, &k->ball)) k->type = CD_SHAPE_SPHERE;
    if (cdi_shape_as_rod(s, &k->rod)) k->type = CD_SHAPE_CAPSULE;
}

/* What is asked; `known`: such a pair has one. */
typedef struct cdi_known_sweep {
    cd_vec3 motion;
    const cd_cast_options *options;
    cd_hit *hit;
    bool known;
} cdi_known_sweep;

#define CDI_SWEEP_KNOWN(mover, other, target)                                                                \
    return cd_sweep_##mover##_##other(a, k->motion, target, k->options, k->hit)

#define CDI_SWEEPS_KNOWN(mover, argument)                                                                    \
    static bool cdi_sweep_known_##mover(cdi_known_sweep *k, argument, const cdi_known *b) {                  \
        switch (b->type) {                                                                                   \
        case CD_SHAPE_SPHERE: CDI_SWEEP_KNOWN(mover, sphere, b->ball);                                       \
        case CD_SHAPE_CAPSULE: CDI_SWEEP_KNOWN(mover, capsule, &b->rod);                                     \
        case CD_SHAPE_TRIANGLE: CDI_SWEEP_KNOWN(mover, triangle, &b->shape->u.triangle);                     \
        case CD_SHAPE_AABB: CDI_SWEEP_KNOWN(mover, aabb, b->shape->u.aabb);                                  \
        case CD_SHAPE_OBB: CDI_SWEEP_KNOWN(mover, obb, &b->shape->u.obb);                                    \
        case CD_SHAPE_POLYGON:                                                                               \
            return cd_sweep_##mover##_polygon(a, k->motion, b->shape->u.points, b->shape->count, k->options, \
                                              k->hit);                                                       \
        default: k->known = false; return false;                                                             \
        }                                                                                                    \
    }                                                                                                        \
    struct cdi_known /* takes the semicolon */

CDI_SWEEPS_KNOWN(sphere, cd_sphere a);
CDI_SWEEPS_KNOWN(capsule, const cd_capsule *a);
CDI_SWEEPS_KNOWN(aabb, cd_aabb a);
CDI_SWEEPS_KNOWN(obb, const cd_obb *a);

static bool cdi_sweep_known_ellipsoid(cdi_known_sweep *k, const cd_ellipsoid *a, const cdi_known *b) {
    switch (b->type) {
    case CD_SHAPE_SPHERE: CDI_SWEEP_KNOWN(ellipsoid, sphere, b->ball);
    case CD_SHAPE_TRIANGLE: CDI_SWEEP_KNOWN(ellipsoid, triangle, &b->shape->u.triangle);
    case CD_SHAPE_AABB: CDI_SWEEP_KNOWN(ellipsoid, aabb, b->shape->u.aabb);
    case CD_SHAPE_OBB: CDI_SWEEP_KNOWN(ellipsoid, obb, &b->shape->u.obb);
    case CD_SHAPE_POLYGON:
        return cd_sweep_ellipsoid_polygon(a, k->motion, b->shape->u.points, b->shape->count, k->options,
                                          k->hit);
    default: k->known = false; return false;
    }
}

static bool cdi_sweep_known_hull(cdi_known_sweep *k, const cd_hull *a, const cdi_known *b) {
    switch (b->type) {
    case CD_SHAPE_SPHERE: CDI_SWEEP_KNOWN(hull, sphere, b->ball);
    case CD_SHAPE_TRIANGLE: CDI_SWEEP_KNOWN(hull, triangle, &b->shape->u.triangle);
    case CD_SHAPE_AABB: CDI_SWEEP_KNOWN(hull, aabb, b->shape->u.aabb);
    case CD_SHAPE_OBB: CDI_SWEEP_KNOWN(hull, obb, &b->shape->u.obb);
    default: k->known = false; return false;
    }
}

static bool cdi_sweep_known_triangle(cdi_known_sweep *k, const cd_triangle *a, const cdi_known *b) {
    switch (b->type) {
    case CD_SHAPE_TRIANGLE: CDI_SWEEP_KNOWN(triangle, triangle, &b->shape->u.triangle);
    case CD_SHAPE_AABB: CDI_SWEEP_KNOWN(triangle, aabb, b->shape->u.aabb);
    case CD_SHAPE_OBB: CDI_SWEEP_KNOWN(triangle, obb, &b->shape->u.obb);
    default: k->known = false; return false;
    }
}

#undef CDI_SWEEPS_KNOWN
#undef CDI_SWEEP_KNOWN

static bool cdi_sweep_known(cdi_known_sweep *k, const cd_shape *first, const cd_shape *second) {
    cdi_known a, b;
    cdi_known_of(&a, first);
    cdi_known_of(&b, second);
    k->known = true;
    switch (a.type) {
    case CD_SHAPE_SPHERE:
        if (b.type == CD_SHAPE_HULL)
            return cd_sweep_sphere_hull(a.ball, k->motion, second->u.hull, k->options, k->hit);
        return cdi_sweep_known_sphere(k, a.ball, &b);
    case CD_SHAPE_CAPSULE: return cdi_sweep_known_capsule(k, &a.rod, &b);
    case CD_SHAPE_AABB: return cdi_sweep_known_aabb(k, first->u.aabb, &b);
    case CD_SHAPE_OBB: return cdi_sweep_known_obb(k, &first->u.obb, &b);
    case CD_SHAPE_ELLIPSOID: return cdi_sweep_known_ellipsoid(k, &first->u.ellipsoid, &b);
    case CD_SHAPE_HULL: return cdi_sweep_known_hull(k, first->u.hull, &b);
    case CD_SHAPE_TRIANGLE: return cdi_sweep_known_triangle(k, &first->u.triangle, &b);
    default: k->known = false; return false;
    }
}

/* ---- a sweep under way ---- */

typedef struct cdi_shape_sweep {
    cdi_pairing pairing;        /* first: what its calls are handed */
    const cd_transform *b_in_a; /* NULL where it changes nothing */
    cdi_pose pose;              /* the same */
    cd_vec3 motion;
    const cd_cast_options *options; /* the caller's */
    cd_cast_options each;           /* for one pair: without the filter */
    cdi_cast cast;                  /* of the motion; what comes after its t_max does not matter any more */
    bool found;
    cd_hit hit;
    cd_part_pair parts;
} cdi_shape_sweep;

static bool cdi_shape_sweep_is_better(const cdi_shape_sweep *q, const cd_hit *hit, const cd_part *a,
                                      const cd_part *b) {
    int order;
    if (!q->found || hit->t != q->hit.t) return !q->found || hit->t < q->hit.t;
    order = cdi_parts_order(b, &q->parts.b);
    return order ? order < 0 : cdi_parts_order(a, &q->parts.a) < 0;
}

/* Nothing is earlier than what begins in contact. */
static bool cdi_shape_sweep_is_settled(const cdi_shape_sweep *q, const cd_part *a, const cd_part *b) {
    cd_hit earliest = q->hit;
    earliest.t = cdi_nearest_real(q->cast.t_min);
    return q->found && !cdi_shape_sweep_is_better(q, &earliest, a, b);
}

/* A hit whose index is not told yet. Times are compared as they are told: rounded down, so that one as early may be a step later
 * before. */
static void cdi_shape_sweep_take(cdi_shape_sweep *q, cd_hit *hit, const cd_part *a, const cd_part *b) {
    const cd_cast_options *o = q->options;
    hit->index = b->child == CD_NONE ? b->index : b->child;
    if (!cdi_shape_sweep_is_better(q, hit, a, b)) return;
    if (o && o->filter && !o->filter(o->user, hit->index)) return;
    q->found = true;
    q->hit = *hit;
    q->parts.a = *a;
    q->parts.b = *b;
    q->cast.t_max = cdi_min((double)cdi_next_real(hit->t, true), 1.0);
}

/* ---- two parts ---- */

static cdi_v3 cdi_scale_or_one(const cd_shape *s) {
    return cdi_shape_is_stretched(s) ? cdi_v3_of(s->scale) : cdi_v3_make(1.0, 1.0, 1.0);
}

/* The normal of a front, in the frame that the part is posed in; zero for a solid. */
static cdi_v3 cdi_sweep_side(const cdi_shape_part *p, const cdi_pose *pose) {
    cdi_v3 n = cdi_v3_make(0.0, 0.0, 0.0);
    if (cdi_shape_is_flat(&p->store)) n = cdi_shape_part_front(p);
    return pose ? cdi_m3_mul_v3(&pose->rotation, n) : n;
}

/* The weights of a triangle's corners at the point that was hit. */
static void cdi_hit_weights(cd_hit *hit, const cdi_shape_part *p, const cdi_pose *pose) {
    cdi_v3 by = cdi_scale_or_one(&p->store), at = cdi_v3_of(hit->point);
    cdi_tri t;
    cdi_near near_by;
    if (p->store.type != CD_SHAPE_TRIANGLE || p->store.radius != 0) return;
    t = cdi_tri_of(&p->store.u.triangle);
    for (int i = 0; i < 3; ++i) t.v[i] = cdi_stretched(t.v[i], by);
    if (pose) at = cdi_m3_tmul_v3(&pose->rotation, cdi_v3_sub(at, pose->position));
    near_by = cdi_near_triangle(at, &t);
    hit->u = (cd_real)near_by.u;
    hit->v = (cd_real)near_by.v;
}

/* The plane of a half-space: n.x = d, n unit. */
typedef struct cdi_ground {
    cdi_v3 n;
    double d, most;
} cdi_ground;

static cdi_ground cdi_ground_of(const cdi_shape_part *p, const cdi_pose *pose) {
    cdi_v3 n = cdi_v3_of(p->store.u.halfspace.n);
    double length = cdi_v3_length(n);
    cdi_ground g;
    g.n = cdi_v3_normalize(n);
    g.d = (double)p->store.u.halfspace.d / length;
    g.most = 0.0;
    if (!pose) return g;
    g.n = cdi_m3_mul_v3(&pose->rotation, g.n);
    g.d += cdi_v3_dot(g.n, pose->position);
    g.most = cdi_v3_max_abs(pose->position);
    return g;
}

/* The body's foremost point, `way` from the center of its rounding, comes down on the plane. */
static cdi_meets cdi_sweep_to_ground(const cdi_cast *c, const cdi_convex *body, const cdi_ground *g,
                                     uint32_t *vertex, cdi_impact *met) {
    double most = cdi_max(cdi_max(body->reach + body->radius, cdi_v3_max_abs(c->d)), g->most);
    double slack = 1.5 * cdi_sweep_slack(most), speed = cdi_v3_dot(g->n, c->d), height;
    cdi_v3 p;
    *vertex = CD_NONE;
    p = cdi_convex_farthest(body, cdi_v3_neg(g->n), vertex);
    p = cdi_v3_along(p, g->n, 0.0 - body->radius);
    if (body->support->kind == CD_SUPPORT_USER) slack = cdi_max(slack, 2.0 * (double)CD_REAL_EPSILON * most);
    height = cdi_v3_dot(g->n, p) - g->d + c->t_min * speed;
    cdi_clear(met, sizeof *met);
    met->t = c->t_min;
    met->normal = g->n;
    met->feature = CD_FEATURE(CD_FEATURE_FACE, 0u);
    met->depth = 0.0 - height;
    if (height > slack) {
        if (!(speed < 0.0)) return CDI_MEETS_NEVER;
        met->t += (height - slack) / -speed;
    }
    p = cdi_v3_along(p, c->d, met->t);
    met->point = cdi_v3_along(p, g->n, g->d - cdi_v3_dot(g->n, p));
    return height > slack ? CDI_MEETS_LATER : CDI_MEETS_AT_START;
}

/* `body_feature`, which may be NULL, takes that of the foremost point. */
static bool cdi_ground_meets(const cdi_cast *c, const cdi_shape_part *body, const cdi_pose *body_pose,
                             const cdi_ground *g, cdi_meets *meets, cdi_impact *met, uint32_t *body_feature) {
    cdi_convex convex;
    uint32_t vertex;
    if (!cdi_convex_open(&convex, &body->support, NULL)) return false;
    if (body_pose) cdi_convex_place(&convex, body_pose);
    *meets = cdi_sweep_to_ground(c, &convex, g, &vertex, met);
    if (body_feature) *body_feature = cdi_convex_feature(&convex, &vertex, 1);
    return true;
}

/* A comes down on a half-space. */
static bool cdi_sweep_on_ground(const cdi_shape_sweep *q, const cdi_shape_part *a, const cdi_pose *at,
                                const cdi_shape_part *b, const cdi_pose *bt, cd_hit *hit) {
    cdi_ground g = cdi_ground_of(b, bt);
    cdi_impact met;
    cdi_meets meets;
    return cd_plane_is_valid(&b->store.u.halfspace) &&
           cdi_ground_meets(&q->cast, a, at, &g, &meets, &met, NULL) &&
           cdi_sweep_answer(&q->cast, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

/* A half-space of A's comes up to B: as seen from it B moves the other way. */
static bool cdi_sweep_of_ground(const cdi_shape_sweep *q, const cdi_shape_part *a, const cdi_pose *at,
                                const cdi_shape_part *b, const cdi_pose *bt, cd_hit *hit) {
    cdi_ground g = cdi_ground_of(a, at);
    cdi_cast other = q->cast;
    cdi_impact met;
    cdi_meets meets;
    uint32_t feature;
    cdi_sweep_other(&other, cd_vec3_make(0, 0, 0));
    if (!cd_plane_is_valid(&a->store.u.halfspace) ||
        !cdi_ground_meets(&other, b, bt, &g, &meets, &met, &feature))
        return false;
    cdi_impact_other(&other, &met);
    met.feature = feature;
    return cdi_sweep_answer(&q->cast, meets, &met, cdi_sweep_side(b, bt), hit);
}

static bool cdi_sweep_convex(const cdi_shape_sweep *q, const cdi_shape_part *a, const cdi_pose *at,
                             const cdi_shape_part *b, const cdi_pose *bt, cd_hit *hit) {
    cdi_known_sweep k;
    bool got;
    k.motion = q->motion;
    k.options = &q->each;
    k.hit = hit;
    k.known = false;
    got = !at && !bt && !b->mirrored && cdi_sweep_known(&k, &a->store, &b->store);
    if (k.known) return got;
    if (!cdi_gjk_sweep_posed(&q->cast, &a->support, at, &b->support, bt, cdi_sweep_side(b, bt), hit))
        return false;
    cdi_hit_weights(hit, b, bt);
    return true;
}

static void cdi_shape_sweep_parts(cdi_pairing *pairing, const cdi_shape_part *a, const cdi_shape_part *b) {
    cdi_shape_sweep *q = (cdi_shape_sweep *)(void *)pairing;
    cdi_pose store_a, store_b;
    const cdi_pose *at = cdi_part_pose_of(a, NULL, &store_a);
    const cdi_pose *bt = cdi_part_pose_of(b, q->b_in_a ? &q->pose : NULL, &store_b);
    cd_hit hit;
    bool got;
    if (a->unsupported || b->unsupported || (a->halfspace && b->halfspace)) return;
    if (cdi_shape_sweep_is_settled(q, &a->part, &b->part)) return;
    got = b->halfspace   ? cdi_sweep_on_ground(q, a, at, b, bt, &hit)
          : a->halfspace ? cdi_sweep_of_ground(q, a, at, b, bt, &hit)
                         : cdi_sweep_convex(q, a, at, b, bt, &hit);
    if (got) cdi_shape_sweep_take(q, &hit, &a->part, &b->part);
}

/* ---- ways ---- */

/* The way of a box of A's frame, in the frame of B; false where it is empty. */
static bool cdi_shape_sweep_way(const cdi_pairing *pairing, cd_aabb box, cdi_box_way *out) {
    const cdi_shape_sweep *q = (const cdi_shape_sweep *)(const void *)pairing;
    if (!cdi_box_way_begin(out, box, q->cast.d, q->cast.t_min, &q->cast.t_max)) return false;
    if (q->b_in_a) cdi_box_way_unpose(out, &q->pose);
    return true;
}

/* The other way around: of a box of B's frame, in the frame of A, which is at rest then. */
static bool cdi_shape_sweep_back(const cdi_pairing *pairing, cd_aabb box, cdi_box_way *out) {
    const cdi_shape_sweep *q = (const cdi_shape_sweep *)(const void *)pairing;
    cdi_v3 back = cdi_v3_neg(q->cast.d);
    cdi_pose a_in_b;
    if (!q->b_in_a) return cdi_box_way_begin(out, box, back, q->cast.t_min, &q->cast.t_max);
    a_in_b.rotation = cdi_m3_transpose(&q->pose.rotation);
    a_in_b.position = cdi_v3_neg(cdi_m3_mul_v3(&a_in_b.rotation, q->pose.position));
    back = cdi_m3_mul_v3(&a_in_b.rotation, back);
    if (!cdi_box_way_begin(out, box, back, q->cast.t_min, &q->cast.t_max)) return false;
    cdi_box_way_unpose(out, &a_in_b);
    return true;
}

/* ---- trees, by the queries of their own ---- */

/* Before a filter is asked: what it would be asked about. */
static bool cdi_shape_sweep_filter(void *user, cd_pair pair) {
    const cdi_shape_sweep *q = (const cdi_shape_sweep *)user;
    uint32_t child = q->pairing.child_b;
    return q->options->filter(q->options->user, child == CD_NONE ? pair.b : child);
}

/* B in the frame of a child of A's. */
static cd_transform cdi_shape_sweep_relative(const cdi_shape_sweep *q, const cd_transform *a,
                                             const cd_transform *b) {
    cd_transform r = q->b_in_a ? *q->b_in_a : cd_transform_identity();
    if (b) r = cd_transform_mul(&r, b);
    return a ? cd_transform_relative(a, &r) : r;
}

static void cdi_shape_sweep_trees(cdi_shape_sweep *q) {
    const cdi_pairing *p = &q->pairing;
    const cd_transform *at = cdi_child_pose(p->a, p->child_a), *bt = cdi_child_pose(p->b, p->child_b);
    cd_transform relative = cdi_shape_sweep_relative(q, at, bt);
    cd_vec3 motion = at ? cd_transform_inverse_vector(at, q->motion) : q->motion;
    cd_bvh_pair_sweep_options o;
    cd_hit hit;
    cd_pair pair;
    cd_part a, b;
    cdi_clear(&o, sizeof o);
    o.flags = q->each.flags;
    o.t_min = q->each.t_min;
    o.t_max = cdi_nearest_real(q->cast.t_max);
    o.pairs.ignore_b = p->ignore_b;
    if (q->options && q->options->filter) {
        o.pairs.filter = cdi_shape_sweep_filter;
        o.pairs.user = q;
    }
    if (!cd_bvh_sweep_bvh(cdi_shape_child(p->a, p->child_a)->u.mesh.tree, motion,
                          cdi_shape_child(p->b, p->child_b)->u.mesh.tree,
                          at || bt || q->b_in_a ? &relative : NULL, cd_vec3_make(0, 0, 0), &o, &hit, &pair))
        return;
    if (at && !cdi_hit_posed(&hit, at)) return;
    cdi_part_of_tree(&a, p->a, p->child_a, pair.a);
    cdi_part_of_tree(&b, p->b, p->child_b, pair.b);
    cdi_shape_sweep_take(q, &hit, &a, &b);
}

/* What can be moved through a tree. */
static bool cdi_shape_as_volume(const cd_shape *s, cd_bvh_volume *out) {
    cdi_known k;
    cdi_known_of(&k, s);
    switch (k.type) {
    case CD_SHAPE_SPHERE: *out = cd_bvh_volume_sphere(k.ball); return true;
    case CD_SHAPE_CAPSULE: *out = cd_bvh_volume_capsule(&k.rod); return true;
    case CD_SHAPE_AABB: *out = cd_bvh_volume_aabb(s->u.aabb); return true;
    case CD_SHAPE_OBB: *out = cd_bvh_volume_obb(&s->u.obb); return true;
    case CD_SHAPE_HULL: *out = cd_bvh_volume_hull(s->u.hull); return true;
    default: return false;
    }
}

/* A volume that is no child, in the tree's own frame. */
static bool cdi_shape_sweep_volume(cdi_shape_sweep *q) {
    const cdi_pairing *p = &q->pairing;
    cd_cast_options o = q->each;
    cd_bvh_volume volume;
    cd_hit hit;
    cd_part a, b;
    if (p->child_a != CD_NONE || q->b_in_a || cdi_child_pose(p->b, p->child_b)) return false;
    if (!cdi_shape_as_volume(p->a, &volume)) return false;
    if (q->options && p->child_b == CD_NONE) o = *q->options;
    if (!cd_bvh_sweep(cdi_shape_child(p->b, p->child_b)->u.mesh.tree, &volume, q->motion, &o, &hit))
        return true;
    cdi_part_of_one(&a, p->a);
    cdi_part_of_tree(&b, p->b, p->child_b, hit.index);
    cdi_shape_sweep_take(q, &hit, &a, &b);
    return true;
}

static bool cdi_shape_sweep_pair(cdi_pairing *p) {
    cdi_shape_sweep *q = (cdi_shape_sweep *)(void *)p;
    if (!cdi_child_is_tree(p->b, p->child_b)) return false;
    if (!cdi_child_is_tree(p->a, p->child_a)) return cdi_shape_sweep_volume(q);
    cdi_shape_sweep_trees(q);
    return true;
}

/* ---- the question ---- */

static bool cdi_shape_sweep_open(cdi_shape_sweep *q, cd_vec3 motion, const cd_transform *b_in_a,
                                 const cd_cast_options *options) {
    cdi_clear(q, sizeof *q);
    if (options) q->each = *options;
    q->each.filter = NULL;
    q->each.user = NULL;
    q->options = options;
    q->motion = motion;
    q->pairing.ignore_b = q->each.ignore_mask;
    q->pairing.to_b = cdi_shape_sweep_way;
    q->pairing.to_a = cdi_shape_sweep_back;
    q->pairing.pair = cdi_shape_sweep_pair;
    q->pairing.parts = cdi_shape_sweep_parts;
    if (b_in_a && !cd_transform_is_valid(b_in_a)) return false;
    q->b_in_a = b_in_a && !cdi_transform_is_none(b_in_a) ? b_in_a : NULL;
    if (q->b_in_a) q->pose = cdi_pose_of(b_in_a);
    return cdi_sweep_begin(&q->cast, cd_vec3_make(0, 0, 0), motion, options);
}

CD_API bool cd_shape_sweep(const cd_shape *a, cd_vec3 motion, const cd_shape *b, const cd_transform *b_in_a,
                           const cd_cast_options *options, cd_hit *hit, cd_part_pair *parts) {
    cdi_shape_sweep q;
    if (!cdi_shape_is_askable(a) || !cdi_shape_is_askable(b)) return false;
    if (a->type == CD_SHAPE_HALFSPACE || !cdi_shape_sweep_open(&q, motion, b_in_a, options)) return false;
    q.pairing.a = a;
    q.pairing.b = b;
    cdi_pairing_run(&q.pairing);
    if (q.found && hit) *hit = q.hit;
    if (q.found && parts) *parts = q.parts;
    return q.found;
}
