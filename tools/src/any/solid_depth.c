#include "any/solid_depth.h"
#include "any/bulk.h"
#include "any/passage_kernel.h"
#include "query/flat3d.h"
#include "tree/bvh_sweep.h"

/* A question: B goes `length` along `unit`, so far that it is beyond A's box, while time goes from 0 to 1. */
typedef struct cdi_departure {
    const cd_solid *a, *b;
    const cd_transform *b_in_a;
    const cd_solid_options *options;
    const cd_bvh_pair_options *pairs;
    cdi_bulks bulks; /* at the start */
    cdi_v3 unit;
    double length, apart, most; /* apart: when the boxes part; most: ways that are longer do not matter */
    uint32_t left;              /* walks */
    bool meets;                 /* do surfaces meet at any time? */
    cdi_passage passage;
} cdi_departure;

/* ---- opening ---- */

/* A's box and B's, in A's frame. */
static void cdi_departure_boxes(const cdi_departure *d, double lo[2][3], double hi[2][3]) {
    const cdi_bvh_header *a = d->bulks.a.tree.header, *b = d->bulks.b.tree.header;
    const cdi_pose *pose = &d->bulks.b_in_a;
    cdi_v3 middle =
        cdi_pose_point(pose, cdi_v3_make(0.5 * b->lo[0] + 0.5 * b->hi[0], 0.5 * b->lo[1] + 0.5 * b->hi[1],
                                         0.5 * b->lo[2] + 0.5 * b->hi[2]));
    for (int k = 0; k < 3; ++k) {
        double half = d->bulks.margin;
        for (int i = 0; i < 3; ++i)
            half += cdi_abs(cdi_v3_get(pose->rotation.c[i], k)) * (0.5 * b->hi[i] - 0.5 * b->lo[i]);
        lo[0][k] = a->lo[k];
        hi[0][k] = a->hi[k];
        lo[1][k] = cdi_v3_get(middle, k) - half;
        hi[1][k] = cdi_v3_get(middle, k) + half;
    }
}

/* How far to go until the boxes part; infinite for a field's below. */
static double cdi_departure_apart(const cdi_departure *d) {
    double lo[2][3], hi[2][3], t = cdi_infinity();
    cdi_departure_boxes(d, lo, hi);
    for (int k = 0; k < 3; ++k) {
        double v = cdi_v3_get(d->unit, k), gap = v > 0.0 ? hi[0][k] - lo[1][k] : hi[1][k] - lo[0][k];
        if (v != 0.0) t = cdi_min(t, cdi_max(gap, 0.0) / cdi_abs(v));
    }
    return t;
}

/* The same for the one that lies below a field, which has no end downward: in the frame of that field. */
static double cdi_departure_from_field(const cdi_departure *d) {
    cdi_departure other;
    bool field_a = cdi_bulk_is_field(&d->bulks.a);
    const cdi_bulk *field = field_a ? &d->bulks.a : &d->bulks.b;
    int up;
    double v[3];
    other.bulks.a = *field;
    other.bulks.b = field_a ? d->bulks.b : d->bulks.a;
    other.bulks.b_in_a = field_a ? d->bulks.b_in_a : d->bulks.a_in_b;
    other.bulks.margin = d->bulks.margin;
    other.unit = field_a ? d->unit : cdi_v3_neg(cdi_m3_tmul_v3(&d->bulks.b_in_a.rotation, d->unit));
    up = (int)cdi_bvh_field(&field->tree)->axis[2];
    cdi_v3_store(v, other.unit);
    if (v[up] <= 0.0) v[up] = 0.0; /* downward it never ends */
    other.unit = cdi_v3_make(v[0], v[1], v[2]);
    return cdi_departure_apart(&other);
}

static cd_status cdi_departure_open(cdi_departure *d, const cd_solid *a, const cd_solid *b,
                                    const cd_transform *b_in_a, cd_vec3 direction,
                                    const cd_solid_options *options) {
    cdi_clear(d, sizeof *d);
    d->a = a;
    d->b = b;
    d->b_in_a = b_in_a;
    d->options = options;
    d->pairs = options ? &options->pairs : NULL;
    d->unit = cdi_v3_unit(cdi_v3_of(direction));
    d->left = options && options->max_iterations ? options->max_iterations : 4096u;
    d->most = cdi_infinity();
    if (!cd_vec3_is_valid(direction) || cdi_v3_is_zero(d->unit) || (options && !(options->tolerance >= 0)) ||
        cdi_bulks_open(&d->bulks, a, b, b_in_a) != CD_OK)
        return CD_INVALID_ARGUMENT;
    if (d->bulks.a.empty || d->bulks.b.empty) return CD_OK;
    d->length = d->apart = cdi_departure_apart(d);
    if (cdi_bulk_is_field(&d->bulks.a) || cdi_bulk_is_field(&d->bulks.b))
        d->apart = cdi_departure_from_field(d);
    d->length = d->length * 1.0001 + d->bulks.margin;
    if (!cdi_finite(d->length)) return CD_INVALID_ARGUMENT;
    d->meets =
        cdi_passage_open(&d->passage, a->tree, b->tree, b_in_a, cdi_v3_scale(d->unit, d->length), d->pairs);
    return CD_OK;
}

/* ---- on the way ---- */

/* Walks; false when there are none left. */
static bool cdi_departure_walk(cdi_departure *d) {
    if (d->left == 0) return false;
    --d->left;
    CDI_RUN(cdi_passage_run, (&d->passage));
    return true;
}

/* Goes from one span to the next as long as they hang together; from before all when `at` is below 0. */
static bool cdi_departure_chain(cdi_departure *d, double at) {
    double from;
    if (!d->meets) {
        d->passage.at = at;
        return true;
    }
    cdi_passage_aim(&d->passage, CDI_PASSAGE_CHAIN, at);
    do {
        from = d->passage.at;
        if (!cdi_departure_walk(d)) return false;
    } while (d->passage.at > from && d->passage.at * d->length < d->most);
    return true;
}

/* When the first span after `at` begins; infinite for none. */
static double cdi_departure_next(cdi_departure *d, double at) {
    cd_pair pair = d->passage.pair;
    uint32_t item_a = d->passage.item_a, item_b = d->passage.item_b;
    cdi_v3 normal = d->passage.normal;
    if (!d->meets) return cdi_infinity();
    cdi_passage_aim(&d->passage, CDI_PASSAGE_NEXT, at);
    if (!cdi_departure_walk(d)) return at;
    d->passage.pair = pair;
    d->passage.item_a = item_a;
    d->passage.item_b = item_b;
    d->passage.normal = normal;
    return d->passage.begin;
}

/* ---- a free place ---- */

typedef struct cdi_free_place {
    cd_real t;
    cd_transform pose;
} cdi_free_place;

static void cdi_free_place_at(const cdi_departure *d, double way, cdi_free_place *out) {
    out->t = cdi_nearest_real(way);
    if ((double)out->t < way) out->t = cdi_next_real(out->t, true);
    out->pose = cdi_pose_moved(d->b_in_a, cdi_v3_scale(d->unit, (double)out->t));
}

/* The first rounded pose at which no surfaces meet, before `until`; false when there is none. */
static bool cdi_departure_parts(const cdi_departure *d, double way, double until, cdi_free_place *out) {
    double more = 0.0, step = d->bulks.margin * (1.0 / 64.0);
    for (int i = 0; i < 200; ++i) {
        const cd_transform *pose = d->b_in_a;
        cdi_free_place_at(d, way + more, out);
        if (i > 0 && !((double)out->t < until)) return false;
        if (out->t > 0) pose = &out->pose;
        if (!cd_bvh_test_bvh(d->a->tree, d->b->tree, pose, d->pairs, NULL)) return true;
        more = more > 0.0 ? more * 2.0 : step > 0.0 ? step : 1e-300;
    }
    return false;
}

/* Is a piece of one inside the other at that pose? */
static bool cdi_departure_holds(const cdi_departure *d, const cd_transform *pose) {
    cdi_bulks s;
    if (cdi_bulks_open(&s, d->a, d->b, pose) != CD_OK) return false;
    return cdi_bulk_holds(&s.a, &s.b, &s.b_in_a, s.margin) || cdi_bulk_holds(&s.b, &s.a, &s.a_in_b, s.margin);
}

/* The first free place from `at` on: false when there is none, or none found in time. What comes next is looked for only where it matters. */
static bool cdi_departure_free(cdi_departure *d, double at, cdi_free_place *out) {
    while (cdi_departure_chain(d, at)) {
        double way = cdi_max(d->passage.at, 0.0) * d->length, next;
        bool parts;
        if (way >= d->most) return false;
        parts = cdi_departure_parts(d, way, way + d->bulks.margin, out);
        if (parts && !cdi_departure_holds(d, out->t > 0 ? &out->pose : d->b_in_a)) return true;
        next = cdi_departure_next(d, d->passage.at);
        if (!parts && cdi_departure_parts(d, way, next * d->length, out)) {
            parts = true;
            if (!cdi_departure_holds(d, &out->pose)) return true;
        }
        if (!(next <= 1.0)) { /* held by what is no surface: until the boxes have parted */
            d->passage.item_a = d->passage.item_b = CD_NONE;
            if (!parts || !cdi_finite(d->apart)) return false;
            cdi_free_place_at(d, cdi_max(d->apart, way) + d->bulks.margin, out);
            return true;
        }
        at = next;
    }
    return false;
}

/* ---- the answer ---- */

static cd_solid_way cdi_way_of(cd_status status, double t) {
    cd_solid_way w;
    cdi_clear(&w, sizeof w);
    w.status = status;
    w.t = w.beyond = cdi_real_or_infinity(t);
    w.pair.a = w.pair.b = CD_NONE;
    w.b_in_a = cd_transform_identity();
    return w;
}

/* Where the two that part last touch, and what parts them. */
static void cdi_way_contact(const cdi_departure *d, double time, cd_solid_way *out) {
    const cdi_passage *p = &d->passage;
    cdi_tri a, b;
    cdi_flat f, g;
    cdi_bridge gap;
    int shift;
    double most;
    if (p->item_a == CD_NONE) return;
    cdi_passage_triangles(p, p->item_a, p->item_b, time, &a, &b);
    most = 0.0;
    for (int i = 0; i < 3; ++i) most = cdi_max(most, cdi_max(cdi_v3_max_abs(a.v[i]), cdi_v3_max_abs(b.v[i])));
    shift = cdi_tame_shift(most);
    f.count = g.count = 3;
    for (int i = 0; i < 4; ++i) {
        cdi_v3 u = cdi_v3_scale2(a.v[i % 3], shift), v = cdi_v3_scale2(b.v[i % 3], shift);
        f.v[i] = u;
        g.v[i] = v;
    }
    gap = cdi_near_flats(&f, &g, CDI_HUGE);
    out->point = cdi_v3_round_back(gap.a, shift);
    out->normal = cdi_v3_round(cdi_v3_unit(p->normal));
    out->pair = p->pair;
}

/* The last end of all, where B is free for good; no walk is counted for it. */
static double cdi_departure_last(cdi_departure *d) {
    if (!d->meets) return 0.0;
    cdi_passage_aim(&d->passage, CDI_PASSAGE_LAST, -1.0);
    CDI_RUN(cdi_passage_run, (&d->passage));
    return cdi_max(d->passage.at, 0.0) * d->length;
}

static void cdi_departure_beyond(cdi_departure *d, cd_solid_way *out) {
    cdi_free_place place;
    double way = cdi_departure_last(d);
    out->beyond = out->t;
    if (way > (double)out->t && cdi_departure_parts(d, way, cdi_infinity(), &place)) out->beyond = place.t;
}

/* Past everything, where the walks did not suffice. */
static void cdi_departure_give_up(cdi_departure *d, cd_solid_way *out) {
    cdi_free_place place;
    double way = cdi_departure_last(d);
    cdi_way_contact(d, d->passage.at, out);
    out->status = CD_NOT_CONVERGED;
    if (!cdi_departure_parts(d, way, cdi_infinity(), &place)) cdi_free_place_at(d, d->length, &place);
    out->t = place.t;
    out->b_in_a = place.pose;
}

/* How deep the surfaces are in each other when B has gone that way, as far as it is more than the tolerance. */
static cdi_deep cdi_departure_deepest(const cdi_departure *d, double way, double tolerance, cdi_bulks *s) {
    cdi_deep deep;
    *s = d->bulks;
    cdi_bulks_move(s, cdi_v3_scale(d->unit, way));
    cdi_clear(&deep, sizeof deep);
    deep.slack = s->margin;
    deep.enough = tolerance;
    deep.left = 16384u;
    cdi_bulks_deepest(s, &deep);
    return deep;
}

/* The deepest point stays deeper than the tolerance until a ball of that radius around it meets the other's surface. */
static double cdi_departure_stays(const cdi_departure *d, const cdi_bulks *s, const cdi_deep *deep,
                                  double tolerance, double most) {
    const cdi_bulk *other = deep->of_b ? &s->a : &s->b;
    cdi_v3 unit = deep->of_b ? d->unit : cdi_v3_neg(cdi_m3_mul_v3(&s->a_in_b.rotation, d->unit));
    cd_sphere ball;
    cd_hit hit;
    double step = deep->depth - tolerance;
    ball.center = cdi_v3_round(deep->at);
    ball.radius = cdi_nearest_real(tolerance);
    if (!cd_bvh_sweep_sphere(other->solid->tree, ball, cdi_v3_round(cdi_v3_scale(unit, most)), NULL, &hit))
        return most;
    return cdi_max(step, (double)hit.t * most);
}

/* With a tolerance: each step is as long as the deepest point stays too deep, so that none comes past a free place. */
static void cdi_departure_tolerate(cdi_departure *d, double tolerance, cd_solid_way *out) {
    double way = 0.0, most = cdi_min((double)out->t, d->length);
    cdi_free_place place;
    for (int i = 0; i < 256 && way < most; ++i) {
        cdi_bulks s;
        cdi_deep deep = cdi_departure_deepest(d, way, tolerance, &s);
        ++out->iterations;
        if (!(deep.depth > tolerance) && !(deep.most > tolerance)) break;
        way += cdi_max(cdi_departure_stays(d, &s, &deep, tolerance, most - way), tolerance * (1.0 / 16.0));
        if (!(deep.depth > tolerance) || i == 255) way = most; /* not known, or never done */
    }
    if (!(way < most)) return;
    cdi_free_place_at(d, way, &place);
    out->t = place.t;
    out->b_in_a = place.pose;
    out->normal = cdi_v3_round(way > 0.0 ? d->unit : cdi_v3_make(0.0, 0.0, 0.0));
    out->pair.a = out->pair.b = CD_NONE;
}

static void cdi_departure_answer(cdi_departure *d, cd_solid_way *out) {
    cdi_free_place place;
    uint32_t left = d->left;
    bool is_free = cdi_departure_free(d, -1.0, &place);
    out->direction = cdi_v3_round(d->unit);
    out->iterations = left - d->left;
    if (is_free) {
        out->t = place.t;
        out->b_in_a = place.pose;
        if (place.t > 0)
            cdi_way_contact(d, d->passage.at, out);
        else if (d->b_in_a)
            out->b_in_a = *d->b_in_a;
    } else if (d->left == 0) {
        cdi_departure_give_up(d, out);
    } else {
        out->t = (cd_real)cdi_infinity();
        out->b_in_a = d->b_in_a ? *d->b_in_a : cd_transform_identity();
    }
    if (out->t > 0 && d->options && d->options->tolerance > 0)
        cdi_departure_tolerate(d, (double)d->options->tolerance, out);
}

CD_API cd_solid_way cd_solid_depth(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                                   cd_vec3 direction, const cd_solid_options *options) {
    cd_solid_way out = cdi_way_of(CD_OK, 0.0);
    cdi_departure d;
    if (cdi_departure_open(&d, a, b, b_in_a, direction, options) != CD_OK)
        return cdi_way_of(CD_INVALID_ARGUMENT, cdi_nan());
    cdi_departure_answer(&d, &out);
    out.beyond = out.t;
    if (out.t <= CD_REAL_MAX && d.meets) cdi_departure_beyond(&d, &out);
    return out;
}

/* ---- the best of many ---- */

static cd_vec3 cdi_departure_choice(size_t i) {
    static const int8_t all[26][3] = {
        {0, 0, 1},   {0, 0, -1},  {1, 0, 0},   {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},   {1, 1, 0},
        {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0},  {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},   {-1, 0, 1},
        {0, 1, 1},   {0, -1, -1}, {0, 1, -1},  {0, -1, 1}, {1, 1, 1},   {-1, -1, -1}, {1, 1, -1},
        {-1, -1, 1}, {1, -1, 1},  {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}};
    return cd_vec3_make((cd_real)all[i][0], (cd_real)all[i][1], (cd_real)all[i][2]);
}

/* Along one direction, where that is shorter. */
static bool cdi_departure_try(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                              cd_vec3 direction, const cd_solid_options *options, cd_solid_way *best,
                              uint32_t *iterations) {
    cdi_departure d;
    cd_solid_way way = cdi_way_of(CD_OK, 0.0);
    if (cdi_departure_open(&d, a, b, b_in_a, direction, options) != CD_OK) return false;
    if (best->t < CD_REAL_MAX && !(options && options->tolerance > 0)) d.most = (double)best->t;
    cdi_departure_answer(&d, &way);
    *iterations += way.iterations;
    if (!(way.t < best->t) && best->status != CD_INVALID_ARGUMENT) return false;
    way.beyond = (cd_real)cdi_infinity();
    *best = way;
    return true;
}

/* Directions around the best, nearer and nearer, and the normal across what parted the two last. */
static void cdi_departure_refine(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                                 const cd_solid_options *options, cd_solid_way *best, uint32_t *iterations) {
    static const double around[6][2] = {
        {1.0, 0.0},  {-0.5, 0.866025403784438647}, {-0.5, -0.866025403784438647},
        {-1.0, 0.0}, {0.5, -0.866025403784438647}, {0.5, 0.866025403784438647}};
    double angle = 0.4;
    for (int level = 0; level < 4; ++level, angle *= 0.5) {
        cdi_departure_try(a, b, b_in_a, best->normal, options, best, iterations);
        for (int i = 0; i < 6 && best->t > 0 && best->t <= CD_REAL_MAX; ++i) {
            cdi_v3 n = cdi_v3_of(best->direction), u = cdi_across(n), v = cdi_v3_cross(n, u);
            n = cdi_v3_along(n, u, angle * around[i][0]);
            n = cdi_v3_along(n, v, angle * around[i][1]);
            cdi_departure_try(a, b, b_in_a, cdi_v3_round(n), options, best, iterations);
        }
    }
}

CD_API cd_solid_way cd_solid_depth_least(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                                         const cd_vec3 *directions, size_t count,
                                         const cd_solid_options *options) {
    cd_solid_way best = cdi_way_of(CD_INVALID_ARGUMENT, cdi_nan());
    size_t all = count ? count : 26;
    uint32_t iterations = 0;
    for (size_t i = 0; i < all && !(best.t <= 0); ++i) {
        cd_vec3 direction = count ? directions[i] : cdi_departure_choice(i);
        cdi_departure_try(a, b, b_in_a, direction, options, &best, &iterations);
    }
    if (count == 0 && best.t > 0 && best.t <= CD_REAL_MAX)
        cdi_departure_refine(a, b, b_in_a, options, &best, &iterations);
    best.iterations = iterations;
    return best;
}
