#include "any/shape_impact.h"
#include "any/pairing.h"
#include "any/plain.h"
#include "convex/time_of_impact3d.h"
#include "query/motion3d.h"
#include "tree/bvh_sweep_motion.h"

typedef struct cdi_shape_impact {
    cdi_pairing pairing; /* first: what its calls are handed */
    const cd_motion *a, *b;
    const cd_shape_options *options; /* the caller's, or NULL */
    cd_impact_options each;          /* for one pair: t_min is where the span begins */
    double until;                    /* where it ends, or what is the best so far */
    cdi_pose a_in_b, b_in_a;         /* in the middle of the span */
    double grow, always;             /* how much nearer any points come from there */
    uint32_t iterations;
    cd_status failed;
    cd_impact best; /* where it hits */
    cd_part_pair parts;
} cdi_shape_impact;

/* ---- spans of time ---- */

/* How far the two are apart for certain, is what they have been nearer before or come nearer later. */
static bool cdi_impact_region(const cdi_shape_impact *q, cd_aabb box, const cdi_pose *frame,
                              cdi_box_way *out) {
    if (!cdi_box_way_begin(out, box, cdi_v3_make(0.0, 0.0, 0.0), 0.0, &q->always)) return false;
    cdi_box_way_grow(out, q->grow);
    cdi_box_way_unpose(out, frame);
    return true;
}

static bool cdi_impact_region_in_b(const cdi_pairing *p, cd_aabb box, cdi_box_way *out) {
    const cdi_shape_impact *q = (const cdi_shape_impact *)(const void *)p;
    return cdi_impact_region(q, box, &q->b_in_a, out);
}

static bool cdi_impact_region_in_a(const cdi_pairing *p, cd_aabb box, cdi_box_way *out) {
    const cdi_shape_impact *q = (const cdi_shape_impact *)(const void *)p;
    return cdi_impact_region(q, box, &q->a_in_b, out);
}

/* Of the bodies: how far they reach from what they turn about, half the size of the smaller, the largest coordinate of all. */
typedef struct cdi_impact_reach {
    cd_real a, b;
    double size, numbers;
} cdi_impact_reach;

/* Of what has an end: half-spaces are asked wherever they are. */
static cd_aabb cdi_shape_bounded(const cd_shape *s) {
    const cd_compound *c = s->type == CD_SHAPE_COMPOUND ? s->u.compound : NULL;
    cd_aabb box = cd_aabb_empty();
    if (s->type == CD_SHAPE_HALFSPACE) return box;
    if (!c || !cdi_shape_is_plain(s)) return cd_shape_aabb(s, NULL);
    if (c->tree.block) return cd_bvh_bounds(&c->tree);
    for (uint32_t i = 0; i < c->count; ++i) {
        const cd_shape *child = c->children[i].shape;
        if (child && child->type != CD_SHAPE_HALFSPACE)
            box = cd_merge_aabb_aabb(box, cd_shape_aabb(child, &c->children[i].pose));
    }
    return box;
}

static double cdi_half_of_box(cd_aabb b) {
    cdi_v3 lo = cdi_v3_scale(cdi_v3_of(b.min), 0.5), hi = cdi_v3_scale(cdi_v3_of(b.max), 0.5);
    return cd_aabb_is_empty(b) ? 0.0 : cdi_v3_max_abs(cdi_v3_sub(hi, lo));
}

static double cdi_most_of_box(cd_aabb b) {
    if (cd_aabb_is_empty(b)) return 0.0;
    return cdi_max(cdi_v3_max_abs(cdi_v3_of(b.min)), cdi_v3_max_abs(cdi_v3_of(b.max)));
}

static double cdi_most_of_motion(const cd_motion *m) {
    return cdi_max(cdi_v3_max_abs(cdi_v3_of(m->from.position)), cdi_v3_max_abs(cdi_v3_of(m->to.position)));
}

static void cdi_impact_measure(const cdi_shape_impact *q, cdi_impact_reach *out) {
    cd_aabb a = cdi_shape_bounded(q->pairing.a), b = cdi_shape_bounded(q->pairing.b);
    out->a = cd_motion_reach(q->a, a);
    out->b = cd_motion_reach(q->b, b);
    out->size = cdi_min(cdi_half_of_box(a), cdi_half_of_box(b));
    out->numbers =
        cdi_most_of_box(a) + cdi_most_of_box(b) + cdi_most_of_motion(q->a) + cdi_most_of_motion(q->b);
}

static double cdi_impact_nearing(const cdi_shape_impact *q, const cdi_impact_reach *r, cd_real t0,
                                 cd_real t1) {
    return (double)cd_motion_relative_bound(q->a, r->a, q->b, r->b, t0, t1);
}

#define CDI_IMPACT_SPANS 16

/* So many that in each of them the two come no nearer than their size, or about. */
static int cdi_impact_spans(const cdi_shape_impact *q, const cdi_impact_reach *r) {
    double way = cdi_impact_nearing(q, r, q->each.t_min, 1), size = r->size;
    if (!(size > 0.0) || !(way < 1e300)) return 1;
    return way < size * CDI_IMPACT_SPANS ? 1 + (int)(way / size) : CDI_IMPACT_SPANS;
}

/* From t0 to t1. */
static void cdi_impact_enter(cdi_shape_impact *q, const cdi_impact_reach *r, cd_real t0, cd_real t1) {
    cd_real middle = (cd_real)(0.5 * (double)t0 + 0.5 * (double)t1);
    cdi_pose a = cdi_motion_at(q->a, (double)middle), b = cdi_motion_at(q->b, (double)middle);
    double before = cdi_impact_nearing(q, r, t0, middle), after = cdi_impact_nearing(q, r, middle, t1);
    q->each.t_min = t0;
    q->until = (double)t1;
    q->b_in_a = cdi_pose_in(&a, &b);
    q->a_in_b = cdi_pose_in(&b, &a);
    q->grow =
        cdi_max(before, after) + (double)q->each.distance + (double)q->each.tolerance + 1e-9 * r->numbers;
}

/* ---- two parts ---- */

static bool cdi_shape_impact_is_better(const cdi_shape_impact *q, const cd_impact *r, const cd_part *a,
                                       const cd_part *b) {
    int order;
    if (!q->best.hit || r->t != q->best.t) return !q->best.hit || r->t < q->best.t;
    order = cdi_parts_order(b, &q->parts.b);
    return order ? order < 0 : cdi_parts_order(a, &q->parts.a) < 0;
}

/* Nothing is earlier than what begins in contact. */
static bool cdi_shape_impact_is_settled(const cdi_shape_impact *q, const cd_part *a, const cd_part *b) {
    cd_impact earliest = q->best;
    earliest.t = q->each.t_min;
    return q->best.hit && !cdi_shape_impact_is_better(q, &earliest, a, b);
}

static void cdi_shape_impact_take(cdi_shape_impact *q, const cd_impact *r, const cd_part *a,
                                  const cd_part *b) {
    q->iterations += r->iterations;
    if (!r->hit) {
        if (r->status != CD_OK) q->failed = r->status;
        return;
    }
    if (!cdi_shape_impact_is_better(q, r, a, b)) return;
    q->best = *r;
    q->parts.a = *a;
    q->parts.b = *b;
    q->until = cdi_min((double)cdi_next_real(r->t, true), q->until);
}

/* The plane of a half-space in the frame that moves. */
static cdi_v3 cdi_impact_plane(const cdi_shape_part *p, const cdi_pose *pose, double *d) {
    cdi_v3 n = cdi_v3_of(p->store.u.halfspace.n);
    *d = (double)p->store.u.halfspace.d;
    if (!pose) return n;
    n = cdi_m3_mul_v3(&pose->rotation, n);
    *d += cdi_v3_dot(n, pose->position);
    return n;
}

/* As seen from the other one. */
static cd_impact cdi_impact_turned(cd_impact r) {
    cd_vec3 point = r.a;
    uint32_t feature = r.feature_a;
    r.a = r.b;
    r.b = point;
    r.feature_a = r.feature_b;
    r.feature_b = feature;
    r.normal = cdi_v3_round(cdi_v3_neg(cdi_v3_of(r.normal)));
    return r;
}

static cd_impact cdi_impact_on_ground(const cdi_shape_impact *q, const cdi_moving *body,
                                      const cdi_shape_part *ground, const cdi_pose *pose,
                                      const cd_motion *motion) {
    double d;
    cdi_v3 n = cdi_impact_plane(ground, pose, &d);
    return cdi_impact_with_plane(body, n, d, motion, &q->each, q->until);
}

static void cdi_shape_impact_parts(cdi_pairing *p, const cdi_shape_part *a, const cdi_shape_part *b) {
    cdi_shape_impact *q = (cdi_shape_impact *)(void *)p;
    const cd_shape_options *o = q->options;
    cdi_pose store_a, store_b;
    cdi_moving first, second;
    cd_impact r;
    if (a->unsupported || b->unsupported || (a->halfspace && b->halfspace)) {
        q->failed = CD_UNSUPPORTED;
        return;
    }
    if (cdi_shape_impact_is_settled(q, &a->part, &b->part)) return;
    if (o && o->filter && !o->filter(o->user, &a->part, &b->part)) return;
    first.support = &a->support;
    first.place = cdi_part_pose_of(a, NULL, &store_a);
    first.motion = q->a;
    second.support = &b->support;
    second.place = cdi_part_pose_of(b, NULL, &store_b);
    second.motion = q->b;
    if (b->halfspace) {
        r = cdi_impact_on_ground(q, &first, b, second.place, q->b);
    } else if (a->halfspace) {
        cd_impact seen = cdi_impact_on_ground(q, &second, a, first.place, q->a);
        r = cdi_impact_turned(seen);
    } else {
        r = cdi_impact_of(&first, &second, &q->each, q->until);
    }
    cdi_shape_impact_take(q, &r, &a->part, &b->part);
}

/* ---- two meshes ---- */

static bool cdi_shape_impact_filter(void *user, cd_pair pair) {
    const cdi_shape_impact *q = (const cdi_shape_impact *)user;
    const cdi_pairing *p = &q->pairing;
    cd_part a, b;
    cdi_part_of_tree(&a, p->a, p->child_a, pair.a);
    cdi_part_of_tree(&b, p->b, p->child_b, pair.b);
    return q->options->filter(q->options->user, &a, &b);
}

/* Up to when they are apart for certain, by both trees: a little too early; false where they never meet. */
static bool cdi_shape_impact_ahead(cdi_shape_impact *q, cd_real from, cd_real *t) {
    const cdi_pairing *p = &q->pairing;
    cd_halving_options o;
    cd_bvh_pair_options pairs;
    cd_halving h;
    cdi_clear(&o, sizeof o);
    cdi_clear(&pairs, sizeof pairs);
    o.tolerance = q->each.tolerance;
    o.t_min = from;
    pairs.ignore_a = p->ignore_a;
    pairs.ignore_b = p->ignore_b;
    if (q->options && q->options->filter) {
        pairs.filter = cdi_shape_impact_filter;
        pairs.user = q;
    }
    h = cd_bvh_sweep_bvh_motions(p->a->u.mesh.tree, q->a, p->b->u.mesh.tree, q->b, &o, &pairs, NULL);
    *t = h.t;
    return h.hit;
}

static bool cdi_shape_impact_is_of_trees(const cdi_shape_impact *q) {
    const cd_shape *a = q->pairing.a, *b = q->pairing.b;
    if ((a->layers & q->pairing.ignore_a) || (b->layers & q->pairing.ignore_b)) return false; /* no pairs */
    return !(q->each.distance > 0) && cdi_shape_is_tree(a) && cdi_shape_is_plain(a) && cdi_shape_is_tree(b) &&
           cdi_shape_is_plain(b);
}

#define CDI_IMPACT_LEAST_SPAN 0.0009765625 /* 2^-10 */

/* The triangles are asked where the trees tell to, and in longer and longer spans where those graze. */
static void cdi_shape_impact_trees(cdi_shape_impact *q) {
    cdi_impact_reach reach;
    cd_real t0 = q->each.t_min, t1;
    cdi_impact_measure(q, &reach);
    for (double span = CDI_IMPACT_LEAST_SPAN; !q->best.hit && q->failed == CD_OK; span *= 2.0, t0 = t1) {
        if (!cdi_shape_impact_ahead(q, t0, &t0)) return;
        t1 = (cd_real)cdi_min((double)t0 + span, 1.0);
        cdi_impact_enter(q, &reach, t0, t1);
        cdi_pairing_run(&q->pairing);
        if (!(t1 < 1)) return;
    }
}

#undef CDI_IMPACT_LEAST_SPAN

/* Trees are not asked about children. */
static bool cdi_shape_impact_pair(cdi_pairing *p) {
    (void)p;
    return false;
}

/* ---- the question ---- */

/* Until there is a contact. */
static void cdi_shape_impact_march(cdi_shape_impact *q) {
    cdi_impact_reach reach;
    cd_real first = q->each.t_min, t0 = first, t1;
    int spans = 1;
    bool single = !cdi_shape_has_parts(q->pairing.a) && !cdi_shape_has_parts(q->pairing.b);
    if (!single) {
        cdi_impact_measure(q, &reach);
        spans = cdi_impact_spans(q, &reach);
    }
    for (int i = 1; i <= spans && !q->best.hit && q->failed == CD_OK; ++i, t0 = t1) {
        double part = (double)i / (double)spans;
        t1 = i == spans ? 1 : (cd_real)((double)first + (1.0 - (double)first) * part);
        if (single) {
            q->until = 1.0;
        } else {
            cdi_impact_enter(q, &reach, t0, t1);
        }
        cdi_pairing_run(&q->pairing);
    }
}

/* Children are looked at when they are met. */
static bool cdi_shape_may_move(const cd_shape *s) {
    return s && s->type == CD_SHAPE_COMPOUND ? cdi_shape_is_askable(s) : cd_shape_is_valid(s);
}

static cd_status cdi_shape_impact_open(cdi_shape_impact *q, const cd_shape *a, const cd_motion *motion_a,
                                       const cd_shape *b, const cd_motion *motion_b,
                                       const cd_shape_options *o) {
    cdi_clear(q, sizeof *q);
    q->pairing.a = a;
    q->pairing.b = b;
    q->pairing.to_a = cdi_impact_region_in_a;
    q->pairing.to_b = cdi_impact_region_in_b;
    q->pairing.pair = cdi_shape_impact_pair;
    q->pairing.parts = cdi_shape_impact_parts;
    q->pairing.child_a = q->pairing.child_b = CD_NONE;
    q->a = motion_a;
    q->b = motion_b;
    q->options = o;
    q->always = q->until = 1.0;
    q->parts.a.child = q->parts.a.index = q->parts.b.child = q->parts.b.index = CD_NONE;
    if (o) {
        q->pairing.ignore_a = o->ignore_a;
        q->pairing.ignore_b = o->ignore_b;
        q->each.max_iterations = o->max_iterations;
        q->each.distance = o->distance;
        q->each.tolerance = o->tolerance;
        q->each.t_min = o->t_min < 0 ? 0 : o->t_min;
    }
    if (!cdi_impact_is_sound(motion_a, motion_b, &q->each)) return CD_INVALID_ARGUMENT;
    if (!cdi_shape_may_move(a) || !cdi_shape_may_move(b)) return CD_INVALID_ARGUMENT;
    return a->type == CD_SHAPE_HALFSPACE && b->type == CD_SHAPE_HALFSPACE ? CD_UNSUPPORTED : CD_OK;
}

CD_API cd_impact cd_shape_time_of_impact(const cd_shape *a, const cd_motion *motion_a, const cd_shape *b,
                                         const cd_motion *motion_b, const cd_shape_options *options,
                                         cd_part_pair *parts) {
    cdi_shape_impact q;
    cd_impact r;
    q.failed = cdi_shape_impact_open(&q, a, motion_a, b, motion_b, options);
    if (q.failed == CD_OK) {
        if (cdi_shape_impact_is_of_trees(&q)) {
            cdi_shape_impact_trees(&q);
        } else {
            cdi_shape_impact_march(&q);
        }
    }
    cdi_clear(&r, sizeof r);
    if (q.failed == CD_OK) {
        r = q.best;
        if (!r.hit) r.t = 1;
        r.iterations = q.iterations;
    }
    r.status = q.failed == CD_OK ? r.status : q.failed;
    if (parts) *parts = q.parts;
    return r;
}

#undef CDI_IMPACT_SPANS
