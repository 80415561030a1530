#include "any/shape_distance.h"
#include "any/known_distance.h"
#include "any/parts.h"
#include "any/plain.h"
#include "convex/apart3d.h"
#include "query/triangle_triangle3d.h"
#include "query/triangle_triangle.h"
#include "tree/bvh_apart.h"
#include "tree/bvh_pairs_kernel.h"

/* ---- what can be asked ---- */

#define CDI_CALLS_OF_TWO CD_CALL_CAST_RAY /* the first that is of one shape */

static bool cdi_type_has_mass(uint32_t type) {
    return type != CD_SHAPE_HALFSPACE && type != CD_SHAPE_HEIGHTS && type != CD_SHAPE_SUPPORT;
}

CD_API cd_status cd_shape_can(uint32_t call, uint32_t type_a, uint32_t type_b) {
    bool a_flat = type_a == CD_SHAPE_HALFSPACE, can = true;
    if (call >= CD_SHAPE_CALLS || type_a == CD_SHAPE_NOTHING || type_a >= CD_SHAPE_TYPES)
        return CD_INVALID_ARGUMENT;
    if (call < CDI_CALLS_OF_TWO && (type_b == CD_SHAPE_NOTHING || type_b >= CD_SHAPE_TYPES))
        return CD_INVALID_ARGUMENT;
    switch (call) {
    case CD_CALL_DISTANCE:
    case CD_CALL_CLOSEST:
    case CD_CALL_COLLIDE:
    case CD_CALL_TIME_OF_IMPACT: can = !a_flat || type_b != CD_SHAPE_HALFSPACE; break;
    case CD_CALL_SWEEP:
    case CD_CALL_SUPPORT: can = !a_flat; break;
    case CD_CALL_MASS: can = cdi_type_has_mass(type_a); break;
    default: break;
    }
    return can ? CD_OK : CD_UNSUPPORTED;
}

/* ---- the query ---- */

/* Two parts by their places, and by what is told of them. */
typedef struct cdi_pair_place {
    cd_part_pair parts;
    uint32_t item_a, item_b;
} cdi_pair_place;

/* The parts of one shape are gone through, and with each those of the other that are near it. */
typedef struct cdi_pairs_query {
    const cd_shape *a, *b;
    const cd_shape_options *options;
    cdi_pose b_at, a_at;        /* of B in A's frame, and of A in B's; */
    bool posed;                 /* else the frames are one */
    bool b_first;               /* B's parts are gone through */
    bool test, common;          /* whether they meet; a point of both */
    cdi_parts_aim outer, inner; /* what is looked for: the limit of both is that of the best so far */
    double most;                /* nor what is farther than this, to begin with */
    cd_cache *cache;            /* of two that are convex */
    const cdi_shape_part *part_a, *part_b;
    cdi_couple couple; /* of these, where they are convex */
    cdi_v3 n_a, n_b;   /* the planes of half-spaces, in A's frame, n.x <= d */
    double d_a, d_b;
    cdi_v3 way; /* the normal of some pair so far, or zero */
    bool found;
    cd_status status; /* CD_OK, or what ended it */
    cd_separation best;
    cdi_pair_place place;
    cdi_pair_place recalled; /* a pair to be looked at again; only where it is */
    cdi_v3 point;            /* of both, where that is asked for */
} cdi_pairs_query;

/* Two of one part each? */
static bool cdi_pairs_single(const cdi_pairs_query *q) {
    return !cdi_shape_has_parts(q->a) && !cdi_shape_has_parts(q->b);
}

static const cdi_pose *cdi_place_of(const cdi_pairs_query *q, bool of_b) {
    return of_b && q->posed ? &q->b_at : NULL;
}

/* A part comes up: false where it cannot be asked. */
static bool cdi_pairs_take(cdi_pairs_query *q, const cdi_shape_part *p, bool of_b) {
    const cdi_pose *at = cdi_place_of(q, of_b);
    bool valid;
    if (of_b) {
        q->part_b = p;
    } else {
        q->part_a = p;
    }
    if (p->unsupported) {
        q->status = CD_UNSUPPORTED;
        return false;
    }
    if (p->halfspace) {
        valid = cdi_shape_part_plane(p, at, of_b ? &q->n_b : &q->n_a, of_b ? &q->d_b : &q->d_a);
    } else {
        valid = cdi_shape_part_open(p, at, of_b ? &q->couple.b : &q->couple.a);
    }
    if (!valid) q->status = CD_INVALID_ARGUMENT;
    return valid;
}

/* ---- half-spaces ---- */

#ifdef COLLIDE_DOUBLE
#define CDI_HALFSPACES_FACE 1e-12
#else
#define CDI_HALFSPACES_FACE 1e-6
#endif

/* Where a body comes deepest into a half-space: how far from its plane, along the unit normal; the vertex there. */
static double cdi_body_over_plane(const cdi_convex *body, cdi_v3 n, double d, cdi_v3 *u, cdi_v3 *p,
                                  uint32_t *vertex) {
    double length = cdi_v3_norm(n);
    *u = cdi_v3_unit(n);
    *vertex = CD_NONE;
    *p = cdi_convex_farthest(body, cdi_v3_neg(*u), vertex);
    *p = cdi_v3_along(*p, *u, 0.0 - body->radius);
    return cdi_v3_dot(*u, *p) - d / length;
}

static double cdi_halfspace_blur(const cdi_convex *body, cdi_v3 n, double d) {
    return CDI_GJK_ROUNDING * 4.0 * (body->reach + body->radius + cdi_abs(d) / cdi_v3_norm(n));
}

/* The clearance of the couple's body and a half-space, whose normal leads to the body. */
static void cdi_halfspace_clear(const cdi_pairs_query *q, cdi_clearance *c) {
    bool of_a = q->part_a->halfspace;
    const cdi_convex *body = of_a ? &q->couple.b : &q->couple.a;
    cdi_v3 n = of_a ? q->n_a : q->n_b, u, p, foot;
    double d = of_a ? q->d_a : q->d_b, blur = cdi_halfspace_blur(body, n, d);
    uint32_t vertex, feature;
    c->upper = cdi_body_over_plane(body, n, d, &u, &p, &vertex);
    c->lower = c->upper - blur;
    foot = cdi_v3_along(p, u, 0.0 - c->upper);
    feature = cdi_convex_feature(body, &vertex, 1);
    c->normal = of_a ? u : cdi_v3_neg(u);
    c->a = of_a ? foot : p;
    c->b = of_a ? p : foot;
    c->feature_a = of_a ? CD_FEATURE(CD_FEATURE_FACE, 0u) : feature;
    c->feature_b = of_a ? feature : CD_FEATURE(CD_FEATURE_FACE, 0u);
    c->iterations = 1;
}

/* How far the planes of two half-spaces are apart that face each other; false where these do not. */
static bool cdi_halfspaces_clear(const cdi_pairs_query *q, cdi_clearance *c) {
    cdi_v3 u = cdi_v3_unit(q->n_a), v = cdi_v3_unit(q->n_b), away = cdi_v3_add(u, v);
    double p = q->d_a / cdi_v3_norm(q->n_a), r = q->d_b / cdi_v3_norm(q->n_b);
    if (!(cdi_v3_max_abs(away) <= CDI_HALFSPACES_FACE)) return false;
    c->upper = (0.0 - r) - p;
    c->lower = c->upper - CDI_GJK_ROUNDING * 4.0 * (cdi_abs(p) + cdi_abs(r));
    c->normal = u;
    c->a = cdi_v3_scale(u, p);
    c->b = cdi_v3_scale(u, 0.0 - r);
    c->feature_a = c->feature_b = CD_FEATURE(CD_FEATURE_FACE, 0u);
    c->iterations = 1;
    return true;
}

/* Both kinds; false where they meet without end. */
static bool cdi_flat_clear(const cdi_pairs_query *q, cdi_clearance *c) {
    if (q->part_a->halfspace && q->part_b->halfspace) return cdi_halfspaces_clear(q, c);
    cdi_halfspace_clear(q, c);
    return true;
}

static void cdi_flat_round(const cdi_clearance *c, cd_separation *out) {
    double gap = c->upper - c->lower;
    out->status = CD_OK;
    out->distance = cdi_real_of(c->upper);
    gap += cdi_abs(c->upper - (double)out->distance);
    out->gap = cdi_real_of(gap);
    if ((double)out->gap < gap) out->gap = cdi_real_of((double)cdi_next_real(out->gap, true));
    out->normal = cdi_v3_round(c->normal);
    out->a = cd_vec3_make(cdi_real_of(c->a.x), cdi_real_of(c->a.y), cdi_real_of(c->a.z));
    out->b = cd_vec3_make(cdi_real_of(c->b.x), cdi_real_of(c->b.y), cdi_real_of(c->b.z));
    out->feature_a = c->feature_a;
    out->feature_b = c->feature_b;
    out->iterations = c->iterations;
}

static void cdi_flat_query(const cdi_pairs_query *q, cd_separation *out) {
    cdi_clearance c;
    cdi_separation_of_nothing(out);
    out->status = CD_UNSUPPORTED;
    if (cdi_flat_clear(q, &c)) cdi_flat_round(&c, out);
}

/* ---- planes ----
 *
 * What is found of one pair's way apart tells of others, too: all that is beyond a plane before the part of the outer shape is as far away as
 * from the plane. */

/* How far the body reaches along a unit vector, at most. */
static double cdi_body_reach(const cdi_convex *body, cdi_v3 n) {
    uint32_t vertex = CD_NONE;
    cdi_v3 p = cdi_convex_farthest(body, n, &vertex);
    double room = 1e-14;
#ifndef COLLIDE_DOUBLE
    if (body->support->kind == CD_SUPPORT_USER) room = 4.8e-7; /* it is asked along a rounded direction */
#endif
    return cdi_v3_dot(n, p) + body->radius + room * (body->reach + body->radius);
}

/* n.x <= d of A's frame, for the parts that are gone through within. */
static void cdi_pairs_plane(cdi_pairs_query *q, cdi_v3 n, double d) {
    if (!q->b_first && q->posed) {
        d -= cdi_v3_dot(n, q->b_at.position);
        n = cdi_m3_tmul_v3(&q->b_at.rotation, n);
    }
    q->inner.n = n;
    q->inner.d = d;
    ++q->inner.turn;
}

/* The way from A to B is about this. */
static void cdi_pairs_turn(cdi_pairs_query *q, cdi_v3 normal) {
    const cdi_shape_part *outer = q->b_first ? q->part_b : q->part_a;
    cdi_v3 n = cdi_v3_unit(q->b_first ? cdi_v3_neg(normal) : normal);
    if (cdi_pairs_single(q) || outer->halfspace) return;
    cdi_pairs_plane(q, n, cdi_body_reach(q->b_first ? &q->couple.b : &q->couple.a, n));
    q->way = normal;
}

/* A part of the outer shape begins: a half-space has its own plane. */
static void cdi_pairs_face(cdi_pairs_query *q) {
    const cdi_shape_part *outer = q->b_first ? q->part_b : q->part_a;
    cdi_v3 n = q->b_first ? q->n_b : q->n_a;
    if (outer->halfspace) {
        double length = cdi_v3_norm(n);
        cdi_pairs_plane(q, cdi_v3_unit(n), (q->b_first ? q->d_b : q->d_a) / length);
    } else if (!cdi_v3_is_zero(q->way)) {
        cdi_pairs_turn(q, q->way);
    } else {
        q->inner.n = cdi_v3_make(0.0, 0.0, 0.0);
    }
}

/* ---- one pair ---- */

#define CDI_PAIRS_LEAST 1.1754943508222875e-38 /* what stands for a limit of 0 or less */

static bool cdi_pairs_flat(const cdi_pairs_query *q) {
    return q->part_a->halfspace || q->part_b->halfspace;
}

static void cdi_pair_query(cdi_pairs_query *q, cd_separation *out) {
    cd_separation_options o;
    if (cdi_pairs_flat(q)) {
        cdi_flat_query(q, out);
        return;
    }
    o.max_iterations = q->options->max_iterations;
    o.tolerance = q->options->tolerance;
    o.max_distance =
        q->inner.limit < (double)CD_REAL_MAX ? cdi_real_of(cdi_max(q->inner.limit, CDI_PAIRS_LEAST)) : 0;
    if (cdi_couple_join(&q->couple)) {
        cdi_couple_query(&q->couple, &o, q->inner.limit, q->cache, out);
    } else {
        cdi_separation_of_nothing(out);
    }
}

/* Does the second pair come before the first: nearer, or as near and of smaller numbers? */
static bool cdi_pair_before(const cdi_pairs_query *q, cd_real distance, const cd_part *a, const cd_part *b) {
    const cd_part_pair *old = &q->place.parts;
    if (!q->found || distance != q->best.distance) return !q->found || distance < q->best.distance;
    if (a->child != old->a.child) return a->child < old->a.child;
    if (a->index != old->a.index) return a->index < old->a.index;
    if (b->child != old->b.child) return b->child < old->b.child;
    return b->index < old->b.index;
}

static void cdi_pairs_keep(cdi_pairs_query *q) {
    q->found = true;
    q->place.parts.a = q->part_a->part;
    q->place.parts.b = q->part_b->part;
    q->place.item_a = q->part_a->item;
    q->place.item_b = q->part_b->item;
}

/* A distance as a limit: nothing that may be as near is beyond it. */
static double cdi_limit_of(const cd_separation *s) {
    double d = (double)s->distance;
    return d + cdi_abs(d) * 4.0 * (double)CD_REAL_EPSILON + 4.0 * (double)s->gap;
}

static bool cdi_pair_measure(cdi_pairs_query *q) {
    cd_separation s;
    cdi_pair_query(q, &s);
    if (s.status == CD_INVALID_ARGUMENT || s.status == CD_UNSUPPORTED) {
        q->status = s.status;
        return false;
    }
    if ((double)s.distance > q->most || !cdi_pair_before(q, s.distance, &q->part_a->part, &q->part_b->part))
        return true;
    q->best = s;
    q->inner.limit = q->outer.limit = cdi_min(q->inner.limit, cdi_limit_of(&s));
    cdi_pairs_keep(q);
    cdi_pairs_turn(q, cdi_v3_of(s.normal));
    return true;
}

/* ---- do two parts meet? ---- */

static bool cdi_part_is_triangle(const cdi_shape_part *p) {
    return p->store.type == CD_SHAPE_TRIANGLE && p->store.radius == 0 &&
           !(p->store.scale.x != 0 && p->store.scale.x != 1) &&
           !(p->store.scale.y != 0 && p->store.scale.y != 1) &&
           !(p->store.scale.z != 0 && p->store.scale.z != 1);
}

static cd_triangle cdi_triangle_placed(const cdi_convex *body, const cdi_shape_part *p) {
    cd_triangle t = p->store.u.triangle;
    if (!body->posed) return t;
    t.a = cdi_pose_point_round(&body->pose, t.a);
    t.b = cdi_pose_point_round(&body->pose, t.b);
    t.c = cdi_pose_point_round(&body->pose, t.c);
    return t;
}

static bool cdi_triangles_meet(const cdi_pairs_query *q) {
    cd_triangle a = cdi_triangle_placed(&q->couple.a, q->part_a),
                b = cdi_triangle_placed(&q->couple.b, q->part_b);
    return cd_test_triangle_triangle(&a, &b);
}

static bool cdi_flat_meets(const cdi_pairs_query *q) {
    cdi_clearance c;
    return !cdi_flat_clear(q, &c) || c.lower <= q->most;
}

static bool cdi_pair_meets(cdi_pairs_query *q) {
    cdi_v3 way;
    if (cdi_pairs_flat(q)) return cdi_flat_meets(q);
    if (q->most == 0.0 && cdi_part_is_triangle(q->part_a) && cdi_part_is_triangle(q->part_b))
        return cdi_triangles_meet(q);
    if (!cdi_couple_join(&q->couple)) return false;
    if (cdi_couple_test(&q->couple, q->most, q->cache, &way)) return true;
    cdi_pairs_turn(q, way);
    return false;
}

static bool cdi_pair_test(cdi_pairs_query *q) {
    if (!cdi_pair_meets(q)) return true;
    cdi_pairs_keep(q);
    return false;
}

/* ---- a point of both ---- */

/* What two stretches of a line have in common, about its middle. */
static double cdi_common_middle(double lo, double hi, double from, double to) {
    double least = cdi_max(lo, from), most = cdi_min(hi, to);
    return least + 0.5 * (most - least);
}

/* Of two bodies that meet: on the way between the cores, which their roundings share. */
static void cdi_couple_common(const cdi_couple *pair, cdi_v3 *out) {
    cdi_v3 a, b, way;
    double length, at, p = pair->a.radius, r = pair->b.radius;
    cdi_couple_cores(pair, &a, &b);
    way = cdi_v3_sub(b, a);
    length = cdi_v3_norm(way);
    *out = a;
    if (length == 0.0) return;
    at = cdi_common_middle(0.0 - p, p, length - r, length + r);
    *out = cdi_v3_along(a, cdi_v3_unit(way), at);
}

static void cdi_flat_common(const cdi_pairs_query *q, cdi_v3 *out) {
    cdi_clearance c;
    *out = cdi_v3_make(0.0, 0.0, 0.0);
    if (!cdi_flat_clear(q, &c)) return;
    *out = q->part_a->halfspace ? c.b : c.a;
}

static bool cdi_pair_common(cdi_pairs_query *q) {
    if (cdi_pairs_flat(q)) {
        cdi_flat_common(q, &q->point);
    } else if (cdi_couple_join(&q->couple)) {
        cdi_couple_common(&q->couple, &q->point);
    }
    return false;
}

/* ---- all pairs ---- */

/* False ends the query. */
static bool cdi_pairs_meet_pair(cdi_pairs_query *q) {
    const cd_shape_options *o = q->options;
    if (q->common) return cdi_pair_common(q);
    if (o->filter && !o->filter(o->user, &q->part_a->part, &q->part_b->part)) return true;
    return q->test ? cdi_pair_test(q) : cdi_pair_measure(q);
}

static bool cdi_pairs_inner(void *user, const cdi_shape_part *p) {
    cdi_pairs_query *q = (cdi_pairs_query *)user;
    return cdi_pairs_take(q, p, !q->b_first) && cdi_pairs_meet_pair(q);
}

static uint32_t cdi_pairs_ignore(const cdi_pairs_query *q, bool of_b) {
    return of_b ? q->options->ignore_b : q->options->ignore_a;
}

static bool cdi_pairs_outer(void *user, const cdi_shape_part *p) {
    cdi_pairs_query *q = (cdi_pairs_query *)user;
    bool of_b = q->b_first;
    const cdi_pose *at = !q->posed ? NULL : of_b ? &q->b_at : &q->a_at;
    cd_aabb box;
    if (!cdi_pairs_take(q, p, of_b)) return false;
    cdi_pairs_face(q);
    box = cdi_shape_part_bounds_at(p, at);
    return cdi_parts_aimed(of_b ? q->a : q->b, box, &q->inner, cdi_pairs_ignore(q, !of_b), cdi_pairs_inner,
                           q);
}

/* The box of a shape in the other's frame. */
static cd_aabb cdi_pairs_box(const cdi_pairs_query *q, bool of_b, const cd_transform *b_in_a) {
    cd_transform back;
    if (of_b || !b_in_a) return cd_shape_aabb(of_b ? q->b : q->a, b_in_a);
    back = cd_transform_inverse(b_in_a);
    return cd_shape_aabb(q->a, &back);
}

/* The pair of two places, if there is one that may be looked at. */
static bool cdi_recall_inner(void *user, const cdi_shape_part *p) {
    cdi_pairs_query *q = (cdi_pairs_query *)user;
    if (!(p->layers & q->options->ignore_b) && cdi_pairs_take(q, p, true)) cdi_pairs_meet_pair(q);
    return false;
}

static bool cdi_recall_outer(void *user, const cdi_shape_part *p) {
    cdi_pairs_query *q = (cdi_pairs_query *)user;
    if ((p->layers & q->options->ignore_a) || !cdi_pairs_take(q, p, false)) return false;
    cdi_parts_find(q->b, q->recalled.parts.b.child, q->recalled.item_b, cdi_recall_inner, q);
    return false;
}

static void cdi_pairs_recall_place(cdi_pairs_query *q) {
    cdi_parts_find(q->a, q->recalled.parts.a.child, q->recalled.item_a, cdi_recall_outer, q);
}

/* ---- caches: the pair that was best ---- */

#define CDI_CACHE_PAIR 0x52494150u /* "PAIR" */

static bool cdi_cache_read_pair(cdi_pairs_query *q, const cd_cache *cache) {
    if (cache->words[0] != CDI_CACHE_PAIR) return false;
    q->recalled.parts.a.child = cache->words[1];
    q->recalled.item_a = cache->words[2];
    q->recalled.parts.b.child = cache->words[3];
    q->recalled.item_b = cache->words[4];
    return true;
}

static void cdi_cache_write_pair(const cdi_pairs_query *q, cd_cache *cache) {
    cdi_clear(cache, sizeof *cache);
    if (!q->found) return;
    cache->words[0] = CDI_CACHE_PAIR;
    cache->words[1] = q->place.parts.a.child;
    cache->words[2] = q->place.item_a;
    cache->words[3] = q->place.parts.b.child;
    cache->words[4] = q->place.item_b;
}

/* ---- opening ---- */

static const cd_shape_options *cdi_shape_options_of(const cd_shape_options *o) {
    static const cd_shape_options none = {0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL};
    return o ? o : &none;
}

/* Children are looked at as they are met. */
static bool cdi_shape_is_ready(const cd_shape *s) {
    return s && s->type == CD_SHAPE_COMPOUND ? cdi_shape_is_askable(s) : cd_shape_is_valid(s);
}

static uint64_t cdi_parts_count(const cd_shape *s) {
    if (!cdi_shape_has_parts(s)) return 1;
    if (s->type == CD_SHAPE_COMPOUND) return s->u.compound->count;
    return s->type == CD_SHAPE_CLASS ? 8u : cd_bvh_count(s->u.mesh.tree); /* a guess */
}

static bool cdi_pairs_begin_query(cdi_pairs_query *q, const cd_shape *a, const cd_shape *b,
                                  const cd_transform *b_in_a, const cd_shape_options *options) {
    q->a = a;
    q->b = b;
    q->options = cdi_shape_options_of(options);
    q->posed = b_in_a != NULL;
    q->test = q->common = q->found = false;
    q->cache = NULL;
    q->way = cdi_v3_make(0.0, 0.0, 0.0);
    q->status = CD_INVALID_ARGUMENT;
    if (!cdi_shape_is_ready(a) || !cdi_shape_is_ready(b)) return false;
    if (b_in_a) {
        if (!cd_transform_is_valid(b_in_a)) return false;
        q->b_at = cdi_pose_of(b_in_a);
        q->a_at = cdi_pose_inverse(&q->b_at);
    }
    q->b_first = cdi_parts_count(b) < cdi_parts_count(a);
    q->status = CD_OK;
    return true;
}

static void cdi_pairs_limit(cdi_pairs_query *q, double most) {
    q->most = most;
    q->inner.limit = cdi_min(most + most * 4.0 * (double)CD_REAL_EPSILON, CDI_HUGE);
    q->outer.limit = q->inner.limit;
    q->inner.turn = q->outer.turn = 0;
    q->inner.listed = q->outer.listed = false;
    q->inner.n = q->outer.n = cdi_v3_make(0.0, 0.0, 0.0);
}

/* By a closed form; false where there is none. */
static bool cdi_pairs_known(cdi_pairs_query *q) {
    const cd_shape_options *o = q->options;
    cd_part_pair *parts = &q->place.parts;
    cdi_clearance c;
    if (!cdi_known_clearance(q->a, q->b, q->posed ? &q->b_at : NULL, &c)) return false;
    cdi_part_of_one(&parts->a, q->a);
    cdi_part_of_one(&parts->b, q->b);
    q->place.item_a = q->place.item_b = 0;
    if (o->filter && !o->filter(o->user, &parts->a, &parts->b)) return true;
    cdi_flat_round(&c, &q->best);
    q->found = q->test ? c.lower <= q->most : (double)q->best.distance <= q->most;
    return true;
}

static void cdi_pairs_of_bodies(cdi_pairs_query *q) {
    cdi_shape_part a, b;
    cdi_part_of_shape(&a, q->a);
    cdi_part_of_shape(&b, q->b);
    cdi_part_finish(&a);
    cdi_part_finish(&b);
    if (cdi_pairs_take(q, &a, false) && cdi_pairs_take(q, &b, true)) cdi_pairs_meet_pair(q);
}

static void cdi_pairs_of_two(cdi_pairs_query *q, cd_cache *cache) {
    q->cache = cache;
    if ((q->a->layers & q->options->ignore_a) || (q->b->layers & q->options->ignore_b)) return;
    if (!cdi_pairs_known(q)) cdi_pairs_of_bodies(q);
}

static void cdi_pairs_all(cdi_pairs_query *q, const cd_transform *b_in_a) {
    bool of_b = q->b_first;
    cd_aabb box = cdi_pairs_box(q, !of_b, b_in_a);
    cdi_parts_aimed(of_b ? q->b : q->a, box, &q->outer, cdi_pairs_ignore(q, of_b), cdi_pairs_outer, q);
}

/* ---- two surfaces, neither scaled nor rounded, by their trees ---- */

static bool cdi_shape_is_surface(const cd_shape *s) {
    bool plain = s->scale.x == s->scale.y && s->scale.y == s->scale.z && (s->scale.x == 0 || s->scale.x == 1);
    return (s->type == CD_SHAPE_MESH || s->type == CD_SHAPE_HEIGHTS) && plain && s->radius == 0;
}

/* What is told of a triangle, by its index. */
static cd_part cdi_surface_part(const cd_shape *s, uint32_t index) {
    cd_part p;
    cdi_part_of_mesh(&p, s, index);
    return p;
}

static bool cdi_surface_filter(void *user, cd_pair pair) {
    const cdi_pairs_query *q = (const cdi_pairs_query *)user;
    cd_part a = cdi_surface_part(q->a, pair.a), b = cdi_surface_part(q->b, pair.b);
    return q->options->filter(q->options->user, &a, &b);
}

static cd_bvh_pair_options cdi_surface_options(cdi_pairs_query *q) {
    cd_bvh_pair_options o;
    cdi_clear(&o, sizeof o);
    o.ignore_a = q->options->ignore_a;
    o.ignore_b = q->options->ignore_b;
    if (q->options->filter) o.filter = cdi_surface_filter;
    o.user = q;
    return o;
}

/* Two surfaces in each other: of all pairs of triangles that meet the deepest, by closed form. */
typedef struct cdi_deep_surfaces {
    const cdi_pairs_query *query;
    cdi_pair_walk walk;
    double depth; /* of the best; below 0 before there is one */
    cd_pair pair;
    uint32_t item_a, item_b;
} cdi_deep_surfaces;

/* Of equally deep ones that of the smallest index of A, then of B. */
static bool cdi_deep_surfaces_pair(void *user, uint32_t item_a, uint32_t item_b, cd_pair pair) {
    cdi_deep_surfaces *d = (cdi_deep_surfaces *)user;
    const cdi_pairs_query *q = d->query;
    cdi_tri a = cdi_bvh_tri(&d->walk.a, item_a), b = cdi_bvh_tri(&d->walk.b, item_b);
    double depth;
    for (int i = 0; i < 3 && q->posed; ++i) {
        cdi_v3 at = cdi_pose_point(&q->b_at, b.v[i]);
        b.v[i] = at;
    }
    depth = cdi_tri_depth(&a, &b, d->depth);
    if (depth < d->depth) return true;
    if (depth == d->depth && (pair.a > d->pair.a || (pair.a == d->pair.a && pair.b > d->pair.b))) return true;
    d->depth = depth;
    d->pair = pair;
    d->item_a = item_a;
    d->item_b = item_b;
    return true;
}

/* Where some pair meets. */
static void cdi_surfaces_deepest(cdi_pairs_query *q, const cd_transform *b_in_a,
                                 const cd_bvh_pair_options *o) {
    cdi_deep_surfaces d;
    d.query = q;
    d.depth = -CDI_HUGE;
    d.pair.a = d.pair.b = CD_NONE;
    d.item_a = q->recalled.item_a;
    d.item_b = q->recalled.item_b;
    if (!cdi_pairs_open(&d.walk, q->a->u.mesh.tree, q->b->u.mesh.tree, b_in_a, 0.0, o)) return;
    d.walk.visit_items = cdi_deep_surfaces_pair;
    d.walk.user = &d;
    CDI_RUN(cdi_pairs_run, (&d.walk));
    q->recalled.item_a = d.item_a;
    q->recalled.item_b = d.item_b;
}

static void cdi_surfaces_measure(cdi_pairs_query *q, const cd_transform *b_in_a, cd_pair last) {
    cd_bvh_pair_options o = cdi_surface_options(q);
    cd_real most = cdi_real_of(q->inner.limit);
    cd_closest c;
    if (!cd_bvh_closest_bvh_again(q->a->u.mesh.tree, q->b->u.mesh.tree, b_in_a, most, &o, &last, &c)) return;
    q->recalled.parts.a.child = q->recalled.parts.b.child = CD_NONE;
    q->recalled.item_a = last.a;
    q->recalled.item_b = last.b;
    if (c.sqdist == 0) cdi_surfaces_deepest(q, b_in_a, &o);
    cdi_pairs_recall_place(q);
}

static void cdi_surfaces_test(cdi_pairs_query *q, const cd_transform *b_in_a, cd_pair last) {
    cd_bvh_pair_options o = cdi_surface_options(q);
    const cd_bvh *a = q->a->u.mesh.tree, *b = q->b->u.mesh.tree;
    cd_pair pair;
    q->found = q->most == 0.0
                   ? cd_bvh_test_bvh_again(a, b, b_in_a, &o, &last, &pair)
                   : cd_bvh_test_within_again(a, b, b_in_a, cdi_real_of(q->most), &o, &last, &pair);
    if (!q->found) return;
    q->place.parts.a = cdi_surface_part(q->a, pair.a);
    q->place.parts.b = cdi_surface_part(q->b, pair.b);
    q->place.item_a = last.a;
    q->place.item_b = last.b;
}

static void cdi_surfaces_all(cdi_pairs_query *q, const cd_transform *b_in_a, bool recalled) {
    cd_pair last;
    last.a = recalled ? q->recalled.item_a : CD_NONE;
    last.b = recalled ? q->recalled.item_b : CD_NONE;
    if ((q->a->layers & q->options->ignore_a) || (q->b->layers & q->options->ignore_b)) return;
    if (q->test) {
        cdi_surfaces_test(q, b_in_a, last);
    } else {
        cdi_surfaces_measure(q, b_in_a, last);
    }
}

static void cdi_pairs_go(cdi_pairs_query *q, const cd_transform *b_in_a, cd_cache *cache) {
    bool recalled = false;
    if (cdi_pairs_single(q)) {
        cdi_pairs_of_two(q, cache);
        return;
    }
    if (cache) recalled = cdi_cache_read_pair(q, cache);
    if (cdi_shape_is_surface(q->a) && cdi_shape_is_surface(q->b)) {
        cdi_surfaces_all(q, b_in_a, recalled);
    } else {
        if (recalled) cdi_pairs_recall_place(q);
        if (q->status == CD_OK && !(q->test && q->found)) cdi_pairs_all(q, b_in_a);
    }
    if (cache) cdi_cache_write_pair(q, cache);
}

/* ---- the calls ---- */

static cd_part cdi_part_none(void) {
    cd_part p;
    cdi_clear(&p, sizeof p);
    p.child = p.index = CD_NONE;
    return p;
}

static void cdi_separation_far(cd_separation *out, double most) {
    cdi_clear(out, sizeof *out);
    out->status = CD_OK;
    out->distance = cdi_real_of(most);
    out->feature_a = out->feature_b = CD_FEATURE_NONE;
}

static void cdi_pairs_answer(cdi_pairs_query *q, cd_part_pair *parts) {
    if (q->status != CD_OK) {
        cdi_separation_of_nothing(&q->best);
        q->best.status = q->status;
        q->found = false;
    } else if (!q->found) {
        cdi_separation_far(&q->best, q->most);
    }
    if (!parts) return;
    if (q->found) {
        *parts = q->place.parts;
    } else {
        parts->a = parts->b = cdi_part_none();
    }
}

static void cdi_shape_query(cdi_pairs_query *q, const cd_shape *a, const cd_shape *b,
                            const cd_transform *b_in_a, const cd_shape_options *options, cd_cache *cache,
                            cd_part_pair *parts) {
    if (cdi_pairs_begin_query(q, a, b, b_in_a, options)) {
        double most = (double)q->options->max_distance;
        cdi_pairs_limit(q, most > 0.0 ? cdi_min(most, (double)CD_REAL_MAX) : (double)CD_REAL_MAX);
        cdi_pairs_go(q, b_in_a, cache);
    }
    cdi_pairs_answer(q, parts);
}

CD_API cd_separation cd_shape_distance(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                                       const cd_shape_options *options, cd_cache *cache,
                                       cd_part_pair *parts) {
    cdi_pairs_query q;
    cdi_shape_query(&q, a, b, b_in_a, options, cache, parts);
    return q.best;
}

/* Of shapes that meet, a point of both takes the place of the two. */
static void cdi_closest_answer(cdi_pairs_query *q, cd_closest *out) {
    double d = (double)q->best.distance;
    cdi_clear(out, sizeof *out);
    out->a = q->best.a;
    out->b = q->best.b;
    out->sqdist = cdi_real_of(d * d);
    out->feature_a = q->best.feature_a;
    out->feature_b = q->best.feature_b;
    out->index_a = q->place.parts.a.index;
    out->index_b = q->place.parts.b.index;
    if (d > 0.0) return;
    q->common = true;
    q->point = cdi_v3_of(q->best.a);
    q->recalled = q->place;
    cdi_pairs_recall_place(q);
    if (cdi_v3_fits(q->point)) out->a = cdi_v3_round(q->point);
    out->b = out->a;
    out->sqdist = 0;
}

CD_API bool cd_shape_closest(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                             const cd_shape_options *options, cd_closest *out, cd_part_pair *parts) {
    cdi_pairs_query q;
    cd_part_pair names;
    cdi_shape_query(&q, a, b, b_in_a, options, NULL, &names);
    if (!q.found) return false;
    if (parts) *parts = names;
    if (out) cdi_closest_answer(&q, out);
    return true;
}

CD_API bool cd_shape_test(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                          const cd_shape_options *options, cd_cache *cache, cd_part_pair *parts) {
    cdi_pairs_query q;
    double within = options ? (double)options->distance : 0.0;
    if (!cdi_pairs_begin_query(&q, a, b, b_in_a, options)) return false;
    if (!(within >= 0.0)) return false;
    q.test = true;
    cdi_pairs_limit(&q, cdi_min(within, (double)CD_REAL_MAX));
    cdi_pairs_go(&q, b_in_a, cache);
    if (q.found && parts) *parts = q.place.parts;
    return q.found;
}

CD_API void cd_shape_distances(const cd_shape_pair *pairs, size_t count, const cd_shape_options *options,
                               cd_cache *caches, cd_separation *out, cd_part_pair *parts) {
    for (size_t i = 0; i < count; ++i) {
        cdi_pairs_query q;
        cdi_shape_query(&q, pairs[i].a, pairs[i].b, pairs[i].b_in_a, options, caches ? caches + i : NULL,
                        parts ? parts + i : NULL);
        out[i] = q.best;
    }
}

CD_API size_t cd_shape_tests(const cd_shape_pair *pairs, size_t count, const cd_shape_options *options,
                             cd_cache *caches, bool *out) {
    size_t met = 0;
    for (size_t i = 0; i < count; ++i) {
        bool meets =
            cd_shape_test(pairs[i].a, pairs[i].b, pairs[i].b_in_a, options, caches ? caches + i : NULL, NULL);
        if (out) out[i] = meets;
        met += meets ? 1u : 0u;
    }
    return met;
}

#undef CDI_CALLS_OF_TWO
#undef CDI_HALFSPACES_FACE
#undef CDI_CACHE_PAIR
#undef CDI_PAIRS_LEAST
