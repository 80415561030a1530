#include "convex/gjk.h"
#include "convex/gjk3d.h"

/* ---- what a cache holds ----
 *
 * Two words a corner: the numbers of its vertices plus one, so that CD_NONE, of a core that is one point, is 0. Where a core is
 * curved, or the caller's: a direction after two zeros, as whole numbers, the largest about 2^30. */

#define CDI_CACHE_ONE 1073741824.0 /* 2^30 */

CDI_FN bool cdi_cache_tip(const cdi_couple *pair, const uint32_t *words, cdi_tip *out) {
    if (words[0] == 0 && words[1] == 0) return false;
    out->vertex_a = words[0] - 1u;
    out->vertex_b = words[1] - 1u;
    if (!cdi_convex_vertex(&pair->a, out->vertex_a, &out->a)) return false;
    if (!cdi_convex_vertex(&pair->b, out->vertex_b, &out->b)) return false;
    out->w = cdi_v3_sub(out->b, out->a);
    return true;
}

static bool cdi_cache_has(const cdi_gjk *s, const cdi_tip *tip) {
    for (int i = 0; i < s->count; ++i) {
        cdi_v3 d = cdi_v3_sub(s->tip[i].w, tip->w);
        if (cdi_v3_is_zero(d)) return true;
    }
    return false;
}

/* A word as a whole number in [-2^31, 2^31). */
static double cdi_cache_number(uint32_t word) {
    return word < 0x80000000u ? (double)(int32_t)word : -1.0 - (double)(int32_t)~word;
}

CDI_FN void cdi_cache_read(const cdi_couple *pair, const cd_cache *cache, cdi_gjk *s) {
    const uint32_t *w = cache->words;
    if (w[0] == 0 && w[1] == 0)
        s->axis = cdi_v3_make(cdi_cache_number(w[2]), cdi_cache_number(w[3]), cdi_cache_number(w[4]));
    for (int i = 0; i < 4; ++i)
        if (cdi_cache_tip(pair, w + 2 * i, &s->tip[s->count]) && !cdi_cache_has(s, &s->tip[s->count]))
            ++s->count;
}

static uint32_t cdi_cache_word(double x) {
    return (uint32_t)(int32_t)(x * CDI_CACHE_ONE);
}

static bool cdi_cache_holds(const cdi_couple *pair, const cdi_tip *tip) {
    bool of_a = tip->vertex_a < pair->a.vertex_count, of_b = tip->vertex_b < pair->b.vertex_count;
    return of_a && of_b;
}

CDI_FN void cdi_cache_write(const cdi_couple *pair, const cdi_gjk *s, cd_cache *cache) {
    bool holds = true;
    cdi_clear(cache, sizeof *cache);
    for (int i = 0; i < s->count; ++i) holds = holds && cdi_cache_holds(pair, &s->tip[i]);
    for (int i = 0; i < s->count && holds; ++i) {
        cache->words[2 * i] = s->tip[i].vertex_a + 1u;
        cache->words[2 * i + 1] = s->tip[i].vertex_b + 1u;
    }
    if (holds) return;
    cache->words[2] = cdi_cache_word(s->axis.x);
    cache->words[3] = cdi_cache_word(s->axis.y);
    cache->words[4] = cdi_cache_word(s->axis.z);
}

/* ---- queries ---- */

static void cdi_gjk_query(const cdi_couple *pair, const cdi_gjk_limits *limits, cd_cache *cache, cdi_gjk *s) {
    s->count = 0;
    s->axis = cdi_v3_make(0.0, 0.0, 0.0);
    if (cache) cdi_cache_read(pair, cache, s);
    cdi_gjk_run(pair, limits, s);
    if (cache) cdi_cache_write(pair, s, cache);
}

CDI_FN cdi_gjk_limits cdi_gjk_limits_of(const cd_separation_options *o, double rounded) {
    cdi_gjk_limits l;
    l.enough = CDI_HUGE;
    l.touch = l.tolerance = 0.0;
    l.shallow = -CDI_HUGE;
    l.iterations = o ? o->max_iterations : 0;
    l.whole = false;
    if (o && o->max_distance > 0) l.enough = (double)o->max_distance + rounded;
    if (o && o->tolerance > 0) l.tolerance = (double)o->tolerance;
    return l;
}

/* Is the answer as close as was asked for? */
static bool cdi_gjk_converged(const cdi_couple *pair, const cdi_gjk_limits *l, const cdi_gjk *s) {
    double most =
        cdi_max(CDI_GJK_CONVERGED * pair->scale, cdi_max(4.0 * cdi_couple_rounding(pair), l->tolerance));
    return s->end == CDI_GJK_INSIDE || s->upper - s->lower <= most || s->lower > l->enough;
}

/* The distance. Where what the cache holds leads to an end too early, as curved bodies of odd proportions may have one, all begins anew. */
static bool cdi_gjk_measure(const cdi_couple *pair, const cdi_gjk_limits *limits, cd_cache *cache,
                            cdi_gjk *s) {
    uint32_t begun;
    cdi_gjk_query(pair, limits, cache, s);
    if (cdi_gjk_converged(pair, limits, s)) return true;
    if (!cache || limits->iterations > 0) return false;
    begun = s->iterations;
    cdi_clear(cache, sizeof *cache);
    cdi_gjk_query(pair, limits, cache, s);
    s->iterations += begun;
    return cdi_gjk_converged(pair, limits, s);
}

static void cdi_gjk_answer(const cd_convex_pair *p, const cd_separation_options *options, cd_cache *cache,
                           cd_separation *out) {
    cdi_couple pair;
    cdi_gjk_limits limits;
    cdi_clearance c;
    cdi_gjk s;
    bool converged;
    if (!cdi_couple_open(&pair, p->a, p->b, p->b_in_a)) {
        cdi_separation_of_nothing(out);
        return;
    }
    limits = cdi_gjk_limits_of(options, pair.rounded);
    converged = cdi_gjk_measure(&pair, &limits, cache, &s);
    cdi_clearance_of_gjk(&pair, &s, &c);
    if (s.upper < CDI_HUGE) c.lower = cdi_max(c.lower, 0.0 - pair.rounded);
    cdi_separation_of(&pair, &c, converged, out);
}

CD_API cd_separation cd_gjk_distance(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                     const cd_separation_options *options, cd_cache *cache) {
    cd_separation out;
    cd_convex_pair pair;
    pair.a = a;
    pair.b = b;
    pair.b_in_a = b_in_a;
    cdi_gjk_answer(&pair, options, cache, &out);
    return out;
}

CDI_FN bool cdi_couple_test(const cdi_couple *pair, double distance, cd_cache *cache, cdi_v3 *way) {
    cdi_gjk_limits limits = cdi_gjk_limits_of(NULL, 0.0);
    cdi_gjk s;
    limits.enough = pair->rounded + distance + 4.0 * cdi_couple_rounding(pair);
    limits.touch = pair->rounded + distance;
    cdi_gjk_query(pair, &limits, cache, &s);
    *way = s.axis;
    return !(s.lower > limits.enough);
}

CDI_FN void cdi_couple_cores(const cdi_couple *pair, cdi_v3 *a, cdi_v3 *b) {
    cdi_gjk_limits limits = cdi_gjk_limits_of(NULL, 0.0);
    cdi_clearance c;
    cdi_gjk s;
    cdi_gjk_query(pair, &limits, NULL, &s);
    cdi_clearance_of_gjk(pair, &s, &c);
    *a = cdi_v3_along(c.a, c.normal, 0.0 - pair->a.radius);
    *b = cdi_v3_along(c.b, c.normal, pair->b.radius);
}

CD_API bool cd_gjk_test(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                        cd_cache *cache) {
    cdi_couple pair;
    cdi_v3 way;
    return cdi_couple_open(&pair, a, b, b_in_a) && cdi_couple_test(&pair, 0.0, cache, &way);
}

CD_API void cd_gjk_distances(const cd_convex_pair *pairs, size_t count, const cd_separation_options *options,
                             cd_cache *caches, cd_separation *out) {
    for (size_t i = 0; i < count; ++i)
        cdi_gjk_answer(&pairs[i], options, caches ? caches + i : NULL, &out[i]);
}

CD_API size_t cd_gjk_tests(const cd_convex_pair *pairs, size_t count, cd_cache *caches, bool *out) {
    size_t met = 0;
    for (size_t i = 0; i < count; ++i) {
        bool meets = cd_gjk_test(pairs[i].a, pairs[i].b, pairs[i].b_in_a, caches ? caches + i : NULL);
        if (out) out[i] = meets;
        met += meets ? 1u : 0u;
    }
    return met;
}

#undef CDI_CACHE_ONE
