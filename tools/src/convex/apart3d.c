#include "convex/apart3d.h"
#include "convex/deep3d.h"

/* A gap of this times the scale is no failure. */
#ifdef COLLIDE_DOUBLE
#define CDI_APART_CONVERGED CDI_GJK_CONVERGED
#else
#define CDI_APART_CONVERGED 1.4901161193847656e-8 /* 2^-26 */
#endif

/* ---- deep ---- */

/* The point of B - A that is nearest to the origin where it has no inside: of one of the corners' triangles. */
static void cdi_depth_of_flat(const cdi_couple *pair, const cdi_tip *tips, int count, cdi_depth *depth) {
    double nearest = CDI_HUGE;
    int first = count > 3 ? 0 : 3;
    depth->count = count < 3 ? count : 3;
    for (int skip = first; skip < 4; ++skip) {
        cdi_tip t[3];
        double weight[3];
        cdi_v3 v, n = depth->axis;
        int used = 0;
        for (int i = 0; i < count; ++i)
            if (i != skip || count < 4) t[used++] = tips[i];
        cdi_tips_settle(pair->scale, t, weight, used, &v, &n);
        if (skip > first && !(cdi_v3_norm(v) < nearest)) continue; /* what has no length is taken as it is */
        nearest = cdi_v3_norm(v);
        for (int i = 0; i < used; ++i) {
            depth->tip[i] = t[i];
            depth->weight[i] = weight[i];
        }
    }
}

/* Both witness points are moved evenly, so that they are what the distance says apart. */
static void cdi_apart_align(cdi_clearance *out, double distance) {
    cdi_v3 off = cdi_v3_sub(cdi_v3_scale(out->normal, distance), cdi_v3_sub(out->b, out->a));
    out->a = cdi_v3_along(out->a, off, -0.5);
    out->b = cdi_v3_along(out->b, off, 0.5);
}

static double cdi_apart_off(const cdi_clearance *c, cdi_v3 way) {
    return cdi_v3_norm(cdi_v3_sub(cdi_v3_sub(c->b, c->a), way));
}

/* The couple without its radii, B moved by -way. */
static void cdi_apart_moved(const cdi_couple *pair, cdi_v3 way, cdi_couple *out) {
    cd_transform identity = cd_transform_identity();
    cdi_pose pose = pair->b.posed ? pair->b.pose : cdi_pose_of(&identity);
    *out = *pair;
    out->a.radius = out->b.radius = out->rounded = 0.0;
    pose.position = cdi_v3_sub(pose.position, way);
    cdi_couple_move(out, &pose);
}

/* Where the corners found do not bear the point of the boundary that is nearest to the origin, as of faces that are all but needles: the
 * points where the cores touch after the way out. Answers how far apart they are then, for sure, along `*normal`: a way that is the least ends
 * where they touch, and so this one was longer. */
static CDI_COLD double cdi_apart_bear(const cdi_couple *pair, cdi_v3 way, cdi_v3 *normal,
                                      cdi_clearance *out) {
    cdi_gjk_limits limits = cdi_gjk_limits_of(NULL, 0.0);
    cdi_couple moved;
    cdi_clearance c;
    cdi_gjk gjk;
    cdi_apart_moved(pair, way, &moved);
    gjk.count = 0;
    gjk.axis = out->normal;
    cdi_gjk_run(&moved, &limits, &gjk);
    cdi_clearance_of_gjk(&moved, &gjk, &c);
    c.b = cdi_v3_add(c.b, way);
    *normal = gjk.axis;
    if (!(cdi_apart_off(&c, way) < cdi_apart_off(out, way))) return gjk.lower;
    out->a = c.a;
    out->b = c.b;
    out->feature_a = c.feature_a;
    out->feature_b = c.feature_b;
    return gjk.lower;
}

/* The depth as a signed distance; `most`: the cores are proven not to be farther apart than this. False, where a face that was all but a needle
 * had another plane than it should: then along `*normal` the way out is shorter than what seemed proven. */
static bool cdi_apart_of_depth(const cdi_couple *pair, const cdi_depth *depth, double most, cdi_v3 *normal,
                               cdi_clearance *out) {
    double lower = 0.0 - depth->upper, upper = most, left = 0.0;
    cdi_v3 way = cdi_v3_scale(depth->axis, depth->upper);
    if (depth->count == 3 && depth->lower > 0.0) upper = cdi_min(most, 0.0 - depth->lower);
    cdi_clearance_of_tips(pair, depth->tip, depth->weight, depth->count, cdi_v3_neg(depth->axis), lower,
                          lower, out);
    out->a = cdi_v3_along(out->a, out->normal, 0.0 - pair->a.radius); /* of the cores */
    out->b = cdi_v3_along(out->b, out->normal, pair->b.radius);
    if (cdi_apart_off(out, way) > depth->tolerance) left = cdi_apart_bear(pair, way, normal, out);
    out->a = cdi_v3_along(out->a, out->normal, pair->a.radius);
    out->b = cdi_v3_along(out->b, out->normal, 0.0 - pair->b.radius);
    cdi_apart_align(out, out->upper);
    out->upper = cdi_max(upper - pair->rounded, out->lower);
    out->iterations = depth->iterations;
    return !(left > depth->tolerance);
}

#define CDI_APART_ROUNDED 5.684341886080802e-14 /* 2^-44: of the scale; polytopes of any shape come as near */

static bool cdi_apart_is_near(const cdi_clearance *out, double tolerance) {
    return out->upper - out->lower <= 1.01 * tolerance;
}

static bool cdi_apart_is_deep_enough(const cdi_couple *pair, const cdi_clearance *out,
                                     const cdi_depth *depth) {
    return cdi_apart_is_near(out, cdi_max(depth->tolerance, CDI_APART_ROUNDED * pair->scale));
}

/* Where the polytope did not prove enough, and was not told to stop; `most` is an upper bound of the signed distance. */
static CDI_COLD void cdi_apart_prove(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_depth *depth,
                                     double *most) {
    if (depth->upper - depth->lower <= 1.01 * depth->tolerance || limits->iterations > 0) return;
    if (depth->count < 3 || depth->upper <= limits->shallow) return;
    if (cdi_deep_prove(pair, 0.5 * depth->tolerance, depth)) *most = cdi_min(*most, 0.0 - depth->lower);
}

/* The depth told; where that shows that it was none, once more, from the shorter way out, and with bounds over all directions. With a budget of
 * its own: where the first search was ended for a way that was none, this one may well come to its end. So a query takes no more farthest points
 * than the 15500 of epa.h: of a face that is known and shows nothing 401, GJK 200, EPA 401, twice 6880 for all directions, twice 230 to
 * bear a way, and some for the bodies' sizes. */
static void cdi_apart_tell(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_depth *depth,
                           double most, cdi_clearance *out) {
    cdi_v3 normal = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_tip tip;
    double upper;
    if (cdi_apart_of_depth(pair, depth, most, &normal, out)) return;
    tip.vertex_a = tip.vertex_b = CD_NONE;
    cdi_couple_least(pair, normal, &tip);
    upper = 0.0 - cdi_v3_dot(normal, tip.w);
    if (!(upper < depth->upper && upper > 0.0)) return;
    depth->upper = upper;
    depth->axis = cdi_v3_neg(normal);
    depth->lower = 0.0;
    if (limits->iterations == 0 && cdi_deep_prove(pair, 0.5 * depth->tolerance, depth))
        most = cdi_min(most, 0.0 - depth->lower);
    (void)cdi_apart_of_depth(pair, depth, most, &normal, out);
}

/* Where GJK ended without parting the cores. */
static bool cdi_apart_deep(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_apart_hint *hint,
                           cdi_clearance *out) {
    const cdi_gjk *gjk = &hint->gjk;
    double most = gjk->upper;
    cdi_depth depth;
    depth.axis = cdi_v3_neg(gjk->axis);
    depth.upper = gjk->lower > -CDI_HUGE ? 0.0 - gjk->lower : CDI_HUGE;
    depth.count = 0;
    depth.lower = depth.tolerance = 0.0;
    depth.iterations = 0;
    if (depth.upper > limits->shallow)
        cdi_epa_run(pair, gjk->tip, gjk->count, limits->tolerance, limits->shallow, limits->iterations,
                    &depth);
    cdi_apart_prove(pair, limits, &depth, &most);
    hint->deep = true;
    hint->count = depth.count;
    for (int i = 0; i < depth.count; ++i) hint->face[i] = depth.tip[i];
    if (depth.count < 3) cdi_depth_of_flat(pair, gjk->tip, gjk->count, &depth);
    cdi_apart_tell(pair, limits, &depth, most, out);
    out->iterations += gjk->iterations;
    return cdi_apart_is_deep_enough(pair, out, &depth);
}

/* Where the last face of a pair is known: false when that does not show them to be deep. */
static bool cdi_apart_deep_again(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_apart_hint *hint,
                                 bool *near_enough, cdi_clearance *out) {
    double most = 0.0;
    cdi_depth depth;
    depth.axis = cdi_v3_make(0.0, 0.0, 0.0);
    depth.upper = CDI_HUGE;
    cdi_epa_run(pair, hint->face, 3, limits->tolerance, 0.0, limits->iterations, &depth);
    hint->gjk.axis = cdi_v3_neg(depth.axis);
    hint->gjk.iterations = depth.iterations;
    if (depth.count < 3 || depth.lower <= 0.0) return false;
    cdi_apart_prove(pair, limits, &depth, &most);
    hint->deep = true;
    for (int i = 0; i < 3; ++i) hint->face[i] = depth.tip[i];
    cdi_apart_tell(pair, limits, &depth, most, out);
    *near_enough = cdi_apart_is_deep_enough(pair, out, &depth);
    return true;
}

/* ---- both ---- */

CDI_FN bool cdi_convex_apart(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_apart_hint *hint,
                             cdi_clearance *out) {
    cdi_gjk *gjk = &hint->gjk;
    uint32_t before = 0;
    if (hint->count == 3) {
        bool near_enough;
        if (cdi_apart_deep_again(pair, limits, hint, &near_enough, out)) return near_enough;
        before = gjk->iterations;
        gjk->count = 0;
    }
    hint->count = 0;
    hint->deep = false;
    cdi_gjk_run(pair, limits, gjk);
    gjk->iterations += before;
    if (gjk->end == CDI_GJK_INSIDE || gjk->lower <= 0.0) return cdi_apart_deep(pair, limits, hint, out);
    cdi_clearance_of_gjk(pair, gjk, out);
    return gjk->lower > limits->enough ||
           cdi_apart_is_near(out, cdi_max(limits->tolerance, cdi_max(CDI_APART_CONVERGED * pair->scale,
                                                                     4.0 * cdi_couple_rounding(pair))));
}

/* ---- the query ---- */

#define CDI_CACHE_DEEP 0xFFFFFFFFu /* a tip that is none: the three before it are of a face */

static void cdi_cache_read_face(const cdi_couple *pair, const cd_cache *cache, cdi_apart_hint *hint) {
    for (int i = 0; i < 3; ++i)
        if (!cdi_cache_tip(pair, cache->words + 2 * i, &hint->face[i])) return;
    hint->count = 3;
}

static void cdi_cache_write_face(const cdi_couple *pair, const cdi_apart_hint *hint, cd_cache *cache) {
    cdi_gjk face = hint->gjk;
    for (int i = 0; i < 3; ++i) face.tip[i] = hint->face[i];
    face.count = 3;
    cdi_cache_write(pair, &face, cache);
    if (cache->words[0] == 0 && cache->words[1] == 0) return;
    cache->words[6] = 0;
    cache->words[7] = CDI_CACHE_DEEP;
}

static void cdi_apart_hint_of(const cdi_couple *pair, const cd_cache *cache, cdi_apart_hint *hint) {
    hint->gjk.count = hint->count = 0;
    hint->gjk.axis = cdi_v3_make(0.0, 0.0, 0.0);
    if (!cache) return;
    if (cache->words[6] == 0 && cache->words[7] == CDI_CACHE_DEEP) cdi_cache_read_face(pair, cache, hint);
    if (hint->count == 0) cdi_cache_read(pair, cache, &hint->gjk);
}

CDI_FN bool cdi_apart_cached(const cdi_couple *pair, const cdi_gjk_limits *limits, cd_cache *cache,
                             cdi_apart_hint *hint, cdi_clearance *out) {
    bool converged;
    cdi_apart_hint_of(pair, cache, hint);
    converged = cdi_convex_apart(pair, limits, hint, out);
    if (cache && hint->count == 3) cdi_cache_write_face(pair, hint, cache);
    if (cache && hint->count == 0) cdi_cache_write(pair, &hint->gjk, cache);
    if (hint->deep) { /* what is told is what parts them */
        double width = out->upper - out->lower;
        out->upper = out->lower;
        out->lower -= width;
    }
    return converged;
}

CDI_FN void cdi_couple_query(const cdi_couple *pair, const cd_separation_options *options, double least,
                             cd_cache *cache, cd_separation *out) {
    cdi_gjk_limits limits = cdi_gjk_limits_of(options, pair->rounded);
    cdi_apart_hint hint;
    cdi_clearance c;
    bool converged;
    limits.shallow = cdi_max(0.0 - least - pair->rounded, -CDI_HUGE);
    converged = cdi_apart_cached(pair, &limits, cache, &hint, &c);
    cdi_separation_of(pair, &c, converged, out);
}

CDI_FN void cdi_convex_query(const cd_convex_pair *p, const cd_separation_options *options, cd_cache *cache,
                             cd_separation *out) {
    cdi_couple pair;
    if (cdi_couple_open(&pair, p->a, p->b, p->b_in_a)) {
        cdi_couple_query(&pair, options, CDI_HUGE, cache, out);
    } else {
        cdi_separation_of_nothing(out);
    }
}

#undef CDI_CACHE_DEEP
#undef CDI_APART_ROUNDED
#undef CDI_APART_CONVERGED
