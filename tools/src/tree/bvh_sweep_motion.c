#include "tree/bvh_sweep_motion.h"
#include "query/motion3d.h"
#include "tree/bvh_apart_kernel.h"
#include "tree/bvh_layout.h"
#include "tree/bvh_overlap.h"

/* Distances, after which the motion is looked at by planes, too: soon where nothing turns, as those are as good as exact then, else
 * before the default number of them is used up. */
enum { CDI_FLIGHT_STRAIGHT = 32, CDI_FLIGHT_TURNING = 512 };

/* Two trees in motion, the second one grown by a radius. */
typedef struct cdi_flight {
    const cd_bvh *a, *b;
    const cd_motion *motion_a, *motion_b;
    const cd_bvh_pair_options *pairs;
    cd_real reach_a, reach_b; /* how far points are from the axes of the turns */
    double radius, noise;
    double tolerance;
    int plain, asked; /* distances before planes count, and of all */
    bool led;         /* the distance is a lead on this way */
    cdi_posed_way way;
    cdi_pair_nearest last; /* the nearest pair of the time before */
} cdi_flight;

/* ---- the distance at a time ---- */

static cd_transform cdi_flight_relative(const cdi_flight *f, cd_real t) {
    cd_transform a = cd_motion_pose(f->motion_a, t), b = cd_motion_pose(f->motion_b, t);
    return cd_transform_relative(&a, &b);
}

/* The nearest pair, if it is no farther apart than `most`; the last one is the first to be tried. */
static bool cdi_flight_nearest(cdi_flight *f, cdi_pair_walk *w, double most) {
    cdi_pair_nearest best;
    cdi_clear(&best, sizeof best);
    best.sqdist = cdi_min(most * most, CDI_HUGE);
    best.pair.a = best.pair.b = CD_NONE;
    best.way = f->last.way = f->led ? &f->way : NULL;
    if (f->last.pair.a != CD_NONE) {
        cdi_posed a, b;
        cdi_posed_read(&a, &w->a, f->last.item_a, &w->place_a);
        cdi_posed_read(&b, &w->b, f->last.item_b, &w->place_b);
        f->last.sqdist = cdi_posed_sqdist(&a, &b, best.sqdist);
        if (best.way && f->last.sqdist <= best.sqdist)
            f->last.sqdist = cdi_posed_sqlead(&a, &b, best.way, f->last.sqdist);
        if (f->last.sqdist <= best.sqdist) best = f->last;
    }
    CDI_RUN(cdi_apart_run, (w, &best));
    if (best.pair.a == CD_NONE) return false;
    f->last = best;
    return true;
}

/* As seen from A, whose rotation `into` is taken back. */
static void cdi_flight_course(const cd_motion *m, cd_real t, cdi_v3 center, const cdi_m3 *into,
                              cdi_posed_course *out) {
    cdi_motion_rates rates = cdi_motion_rates_of(m, t >= (cd_real)0.5);
    cdi_v3 velocity = cdi_motion_velocity(m, (double)t);
    out->center = center;
    out->velocity = cdi_m3_mul_v3(into, velocity);
    out->spin = cdi_m3_mul_v3(into, cdi_v3_scale(rates.axis, rates.turn));
    out->turn = rates.turn * (1.0 + 1e-12);
}

static double cdi_flight_bend(const cd_motion *m, double reach, cd_real t) {
    cdi_motion_rates rates = cdi_motion_rates_of(m, t >= (cd_real)0.5);
    return (rates.turn * rates.turn * reach + rates.bend) * (1.0 + 1e-12);
}

static bool cdi_flight_is_of_halves(const cd_motion *m) {
    return m->kind == CD_MOTION_TURN_FIRST || m->kind == CD_MOTION_TURN_LAST;
}

/* How long a plane between the two will part them is known of every pair: far longer than until their distance is used up, where
 * things go along each other. */
static void cdi_flight_look(cdi_flight *f, cd_real t) {
    cdi_pose a = cdi_motion_at(f->motion_a, (double)t), b = cdi_motion_at(f->motion_b, (double)t);
    cdi_m3 into = cdi_m3_transpose(&a.rotation);
    cdi_posed_way *w = &f->way;
    cdi_flight_course(f->motion_a, t, cdi_v3_make(0.0, 0.0, 0.0), &into, &w->a);
    cdi_flight_course(f->motion_b, t, cdi_m3_mul_v3(&into, cdi_v3_sub(b.position, a.position)), &into, &w->b);
    w->speed = (double)cd_motion_relative_speed(f->motion_a, f->reach_a, f->motion_b, f->reach_b, t, 1);
    w->bend = cdi_flight_bend(f->motion_a, (double)f->reach_a, t) +
              cdi_flight_bend(f->motion_b, (double)f->reach_b, t);
    w->ahead = 1.125 * (1.0 - (double)t); /* beyond the end */
    if (t < (cd_real)0.5 && (cdi_flight_is_of_halves(f->motion_a) || cdi_flight_is_of_halves(f->motion_b)))
        w->ahead = 0.5 - (double)t;
    w->room = f->noise + f->radius;
    w->tolerance = f->tolerance;
    f->led = w->speed > 0.0 && w->speed <= (double)CD_REAL_MAX;
}

/* Farther apart than they can come in the time that is left is as good as that. */
static cd_real cdi_flight_distance(void *user, cd_real t) {
    cdi_flight *f = (cdi_flight *)user;
    cd_transform relative = cdi_flight_relative(f, t);
    double most = (double)cd_motion_relative_bound(f->motion_a, f->reach_a, f->motion_b, f->reach_b, t, 1);
    cdi_pair_walk w;
    if (++f->asked > f->plain) cdi_flight_look(f, t);
    if (!cd_transform_is_valid(&relative)) return (cd_real)cdi_nan();
    if (!cdi_pairs_open(&w, f->a, f->b, &relative, 0.0, f->pairs)) return CD_REAL_MAX;
    most = 1.0625 * (most + f->tolerance) + f->radius + 2.0 * f->noise;
    if (cdi_flight_nearest(f, &w, most)) most = cdi_sqrt(f->last.sqdist) * (1.0 - 1e-12);
    return cdi_round_down(cdi_min(most - f->radius - f->noise, (double)CD_REAL_MAX), 0.0);
}

static cd_real cdi_flight_speed(void *user, cd_real t0, cd_real t1) {
    const cdi_flight *f = (const cdi_flight *)user;
    if (f->led) return (cd_real)f->way.speed;
    return cd_motion_relative_speed(f->motion_a, f->reach_a, f->motion_b, f->reach_b, t0, t1);
}

/* ---- opening ---- */

/* The largest coordinates of a body and its poses, added up. */
static double cdi_flight_size(const cd_motion *m, cd_aabb bounds) {
    if (cd_aabb_is_empty(bounds)) return 0.0;
    return cdi_v3_max_abs(cdi_v3_of(m->from.position)) + cdi_v3_max_abs(cdi_v3_of(m->to.position)) +
           cdi_v3_max_abs(cdi_v3_of(bounds.min)) + cdi_v3_max_abs(cdi_v3_of(bounds.max));
}

static void cdi_flight_begin(cdi_flight *f, const cd_bvh *a, const cd_motion *motion_a, const cd_bvh *b,
                             cd_aabb bounds_b, const cd_motion *motion_b, const cd_bvh_pair_options *pairs,
                             const cd_halving_options *options) {
    cd_aabb bounds_a = cd_bvh_bounds(a);
    double size = cdi_flight_size(motion_a, bounds_a) + cdi_flight_size(motion_b, bounds_b);
    cdi_clear(f, sizeof *f);
    f->a = a;
    f->b = b;
    f->motion_a = motion_a;
    f->motion_b = motion_b;
    f->pairs = pairs;
    f->reach_a = cd_motion_reach(motion_a, bounds_a);
    f->reach_b = cd_motion_reach(motion_b, bounds_b);
    f->noise = (16.0 * (double)CD_REAL_EPSILON + 1e-10) * size;
    f->tolerance = options && options->tolerance > 0 ? (double)options->tolerance : 0.0;
    f->plain = motion_a->angle > 0.0 || motion_b->angle > 0.0 ? CDI_FLIGHT_TURNING : CDI_FLIGHT_STRAIGHT;
    f->last.pair.a = f->last.pair.b = CD_NONE;
}

static void cdi_flight_none(cd_closest *nearest) {
    if (!nearest) return;
    cdi_clear(nearest, sizeof *nearest);
    nearest->index_a = nearest->index_b = CD_NONE;
}

/* The nearest points at t, in the frame of the motions. */
static void cdi_flight_answer(cdi_flight *f, cd_real t, cd_closest *out) {
    cd_transform at = cd_motion_pose(f->motion_a, t), relative = cdi_flight_relative(f, t);
    cdi_pair_walk w;
    cdi_flight_none(out);
    if (f->last.pair.a == CD_NONE || !cdi_pairs_open(&w, f->a, f->b, &relative, 0.0, f->pairs) ||
        !cdi_flight_nearest(f, &w, CDI_HUGE))
        return;
    cdi_pairs_closest(&w, &f->last, out);
    out->a = cd_transform_point(&at, out->a);
    out->b = cd_transform_point(&at, out->b);
}

static cd_halving cdi_flight_run(cdi_flight *f, const cd_halving_options *options, cd_closest *nearest) {
    cd_halving r = cd_sweep_interval_halving(cdi_flight_distance, cdi_flight_speed, 0, f, options);
    if (f->led && r.gap > 0) { /* told was a lead */
        f->asked = 0;
        r.gap = (cd_real)cdi_clamp((double)cdi_flight_distance(f, r.t), 0.0, (double)r.gap);
    }
    f->led = false;
    if (!nearest) return r;
    cdi_flight_none(nearest);
    if (r.hit && r.status != CD_INVALID_ARGUMENT) cdi_flight_answer(f, r.t, nearest);
    return r;
}

CD_API cd_halving cd_bvh_sweep_bvh_motions(const cd_bvh *a, const cd_motion *motion_a, const cd_bvh *b,
                                           const cd_motion *motion_b, const cd_halving_options *options,
                                           const cd_bvh_pair_options *pairs, cd_closest *nearest) {
    cdi_flight f;
    cdi_flight_begin(&f, a, motion_a, b, cd_bvh_bounds(b), motion_b, pairs, options);
    return cdi_flight_run(&f, options, nearest);
}

/* ---- volumes ---- */

#define CDI_FLYER_MOST 12

/* A volume as a tree of one leaf: its core, or the surface of a box. */
typedef struct cdi_flyer {
    cdi_bvh_header header;
    cdi_bvh_node node;
    cdi_bvh_triangle item[CDI_FLYER_MOST];
    cd_bvh tree;
    cd_aabb bounds;
    double radius;
} cdi_flyer;

static void cdi_flyer_add(cdi_flyer *f, cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    cdi_bvh_triangle *t = &f->item[f->header.item_count];
    cd_triangle whole;
    whole.a = a;
    whole.b = b;
    whole.c = c;
    cdi_copy(t->v, &whole, sizeof t->v);
    t->index = 0;
    ++f->header.item_count;
    f->bounds = cd_merge_aabb_aabb(f->bounds, cd_aabb_from_points(&whole.a, 3));
}

/* Corner i is on the far side of axis k where bit k of i is set. */
static void cdi_flyer_add_box(cdi_flyer *f, const cd_obb *b) {
    static const uint8_t face[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                       {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
    cdi_obb box = cdi_obb_of(b);
    cd_vec3 corner[8];
    for (int i = 0; i < 8; ++i) {
        cdi_v3 p = cdi_obb_world(&box, cdi_v3_make(i & 1 ? box.half[0] : -box.half[0],
                                                   i & 2 ? box.half[1] : -box.half[1],
                                                   i & 4 ? box.half[2] : -box.half[2]));
        corner[i] = cdi_v3_round(p);
    }
    for (int i = 0; i < 6; ++i) {
        cdi_flyer_add(f, corner[face[i][0]], corner[face[i][1]], corner[face[i][2]]);
        cdi_flyer_add(f, corner[face[i][0]], corner[face[i][2]], corner[face[i][3]]);
    }
}

static bool cdi_flyer_fill(cdi_flyer *f, const cd_bvh_volume *v) {
    cd_obb box;
    switch (v->kind) {
    case CD_BVH_SPHERE:
        cdi_flyer_add(f, v->u.sphere.center, v->u.sphere.center, v->u.sphere.center);
        f->radius = (double)v->u.sphere.radius;
        return true;
    case CD_BVH_CAPSULE:
        cdi_flyer_add(f, v->u.capsule.a, v->u.capsule.b, v->u.capsule.b);
        f->radius = (double)v->u.capsule.radius;
        return true;
    case CD_BVH_TRIANGLE: cdi_flyer_add(f, v->u.triangle.a, v->u.triangle.b, v->u.triangle.c); return true;
    case CD_BVH_AABB:
        if (cd_aabb_is_empty(v->u.aabb)) return false;
        box = cd_obb_from_aabb(v->u.aabb);
        cdi_flyer_add_box(f, &box);
        return true;
    case CD_BVH_OBB: cdi_flyer_add_box(f, &v->u.obb); return true;
    default: return false;
    }
}

/* One leaf in the whole of the frame. */
static void cdi_flyer_close(cdi_flyer *f) {
    cdi_box bounds;
    cdi_v3 lo = cdi_v3_of(f->bounds.min), hi = cdi_v3_of(f->bounds.max);
    cdi_bvh_header *h = &f->header;
    cdi_v3_store(h->lo, lo);
    cdi_v3_store(h->hi, hi);
    cdi_clear(&bounds, sizeof bounds);
    for (int k = 0; k < 3; ++k) {
        bounds.v[k] = (cd_real)h->lo[k];
        bounds.v[4 + k] = -(cd_real)h->hi[k];
        for (int i = 0; i < 8; ++i) {
            f->node.lo[k][i] = -1.0f;
            f->node.hi[k][i] = 1.0f;
        }
    }
    h->node_count = h->depth = 1;
    h->layout = CD_BVH_WIDE;
    h->item = CD_BVH_TRIANGLES;
    h->frame = cdi_frame_of(&bounds);
    f->node.count[0] = (uint8_t)h->item_count;
    f->node.lanes = 1;
    f->tree.block = f;
}

static bool cdi_flyer_of(cdi_flyer *f, const cd_bvh_volume *v) {
    cdi_clear(f, sizeof *f);
    f->bounds = cd_aabb_empty();
    if (!cdi_flyer_fill(f, v) || !cd_aabb_is_valid(f->bounds)) return false;
    cdi_flyer_close(f);
    return true;
}

/* What a filter of the tree's primitives says of pairs. */
static bool cdi_flight_asks(void *user, cd_pair pair) {
    const cd_filter *filter = (const cd_filter *)user;
    return filter->filter(filter->user, pair.a);
}

/* A copy, as what is handed to callbacks is not const. */
static cd_bvh_pair_options cdi_flight_pairs(cd_filter *copy, const cd_filter *filter) {
    cd_bvh_pair_options o;
    cdi_clear(&o, sizeof o);
    cdi_clear(copy, sizeof *copy);
    if (!filter) return o;
    *copy = *filter;
    o.ignore_a = filter->ignore_mask;
    o.filter = filter->filter ? cdi_flight_asks : NULL;
    o.user = copy;
    return o;
}

/* A point of the core to one of the surface. */
static void cdi_flyer_surface(const cdi_flyer *f, cd_closest *c) {
    cdi_v3 a = cdi_v3_of(c->a), way = cdi_v3_sub(a, cdi_v3_of(c->b));
    double apart = cdi_v3_length(way);
    if (f->radius == 0.0 || c->index_a == CD_NONE) return;
    c->b = apart > f->radius ? cdi_v3_round(cdi_v3_along(cdi_v3_of(c->b), way, f->radius / apart)) : c->a;
    apart = cdi_max(apart - f->radius, 0.0);
    c->sqdist = cdi_real_or_infinity(apart * apart);
}

static bool cdi_flyer_takes(void *user, uint32_t index) {
    *(uint32_t *)user = index;
    return false;
}

/* A box that holds something when it starts, whatever its surface meets. */
static bool cdi_flyer_holds(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_motion *motion,
                            const cd_filter *filter, cd_real t, uint32_t *index) {
    cd_transform pose = cd_motion_pose(motion, t);
    cd_bvh_volume posed;
    if (volume->kind != CD_BVH_AABB && volume->kind != CD_BVH_OBB) return false;
    return cd_bvh_volume_transform(volume, &pose, 1, NULL, &posed) &&
           !cd_bvh_overlap(tree, &posed, filter, cdi_flyer_takes, index);
}

/* The first contact of the surface; t is the start where the inside is met there. */
static cd_halving cdi_flyer_run(cdi_flight *f, const cdi_flyer *flyer, const cd_halving_options *options,
                                bool holds, uint32_t index, cd_closest *nearest) {
    cd_halving r = cdi_flight_run(f, options, nearest);
    cd_real start = options && options->t_min > 0 ? options->t_min : 0;
    if (nearest) cdi_flyer_surface(flyer, nearest);
    if (!holds || r.status == CD_INVALID_ARGUMENT || (r.hit && r.t <= start)) return r;
    cdi_clear(&r, sizeof r);
    r.hit = true;
    r.t = start;
    cdi_flight_none(nearest);
    if (nearest) {
        cd_transform at = cd_motion_pose(f->motion_b, start);
        cd_vec3 middle = cd_vec3_lerp(flyer->bounds.min, flyer->bounds.max, (cd_real)0.5);
        nearest->index_a = index;
        nearest->index_b = 0;
        nearest->a = nearest->b = cd_transform_point(&at, middle);
    }
    return r;
}

CD_API cd_halving cd_bvh_sweep_motion(const cd_bvh *tree, const cd_bvh_volume *volume,
                                      const cd_motion *motion, const cd_halving_options *options,
                                      const cd_filter *filter, cd_closest *nearest) {
    cdi_flyer flyer;
    cdi_flight f;
    cd_filter copy;
    cd_bvh_pair_options pairs = cdi_flight_pairs(&copy, filter);
    cd_transform rest = cd_transform_identity();
    cd_motion still;
    cd_halving r;
    uint32_t index = 0;
    bool valid = cd_bvh_volume_is_valid(volume);
    cdi_clear(&r, sizeof r);
    cd_motion_make(CD_MOTION_LINEAR, &rest, &rest, &still);
    cdi_flight_none(nearest);
    r.hit = true;
    r.status = valid ? CD_UNSUPPORTED : CD_INVALID_ARGUMENT;
    if (!valid || !cdi_flyer_of(&flyer, volume)) return r;
    cdi_flight_begin(&f, tree, &still, &flyer.tree, flyer.bounds, motion, &pairs, options);
    f.radius = flyer.radius;
    valid = cdi_flyer_holds(tree, volume, motion, filter, options ? options->t_min : 0, &index);
    return cdi_flyer_run(&f, &flyer, options, valid, index, nearest);
}

#undef CDI_FLYER_MOST
