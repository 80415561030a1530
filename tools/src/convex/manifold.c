#include "convex/manifold.h"
#include "convex/apart3d.h"
#include "convex/patch.h"
#include "core/platform.h"

/* ---- the cache ----
 * That of the distance, whose last tip is not there but for a simplex around the origin. In its place: a mark in the two high bits, which
 * the number of no corner has, and which points were kept. */

#define CDI_MANIFOLD_APART 2u
#define CDI_MANIFOLD_DEEP  3u
#define CDI_MANIFOLD_FACE  0xFFFFFFFFu /* of the distance: after 0, those before are of a deep pair */

/* Makes of it what the distance asks for; returns the memory. */
static uint64_t cdi_manifold_unpack(cd_cache *cache) {
    uint32_t mark = cache->words[6] >> 30;
    uint64_t memory = (uint64_t)(cache->words[6] & 0x3FFFFFFFu) << 32 | cache->words[7];
    if (mark != CDI_MANIFOLD_APART && mark != CDI_MANIFOLD_DEEP) return 0;
    cache->words[6] = 0;
    cache->words[7] = mark == CDI_MANIFOLD_DEEP ? CDI_MANIFOLD_FACE : 0u;
    return memory;
}

static void cdi_manifold_pack(cd_cache *cache, uint64_t memory) {
    uint32_t mark = cache->words[7] ? CDI_MANIFOLD_DEEP : CDI_MANIFOLD_APART;
    if (cache->words[6] != 0 || (cache->words[7] != 0 && cache->words[7] != CDI_MANIFOLD_FACE)) return;
    cache->words[6] = mark << 30 | ((uint32_t)(memory >> 32) & 0x3FFFFFFFu);
    cache->words[7] = (uint32_t)memory;
}

/* ---- the normal ---- */

/* What the distance says, in double. */
typedef struct cdi_manifold_way {
    cdi_clearance c;
    uint32_t vertex_a, vertex_b; /* hints for the foremost */
    double margin;
    uint64_t memory;
} cdi_manifold_way;

static double cdi_manifold_margin(const cd_collide_options *options) {
    return options && options->margin > 0 ? (double)options->margin : 0.0;
}

/* False where they are farther apart than the margin; by no more than rounding they may be. */
static bool cdi_manifold_find(const cdi_couple *pair, const cd_collide_options *options, cd_cache *cache,
                              cdi_manifold_way *out) {
    cdi_gjk_limits limits = cdi_gjk_limits_of(NULL, pair->rounded);
    cdi_apart_hint hint;
    double slack = 5.6843418860808015e-14 * cdi_max(pair->scale, pair->rounded); /* 2^-44 */
    const cdi_tip *tip = hint.face;
    out->margin = cdi_manifold_margin(options);
    limits.enough = out->margin + pair->rounded + 2.0 * slack;
    out->memory = cache ? cdi_manifold_unpack(cache) : 0;
    cdi_apart_cached(pair, &limits, cache, &hint, &out->c);
    if (cache) cdi_manifold_pack(cache, out->memory);
    if (!(out->c.upper <= out->margin + slack)) return false;
    if (!(cdi_v3_max_abs(out->c.normal) >= 0.5 && cdi_v3_sqlength(out->c.normal) <= 2.0))
        out->c.normal = cdi_v3_make(0.0, 0.0, 1.0); /* far out of the domain */
    if (hint.count < 3) tip = hint.gjk.tip;
    out->vertex_a = hint.count == 3 || hint.gjk.count > 0 ? tip->vertex_a : CD_NONE;
    out->vertex_b = hint.count == 3 || hint.gjk.count > 0 ? tip->vertex_b : CD_NONE;
    return true;
}

/* ---- the patch ---- */

/* What has no name lies on corners of no one part, as of two faces that are level but for rounding: on what is foremost. */
static uint32_t cdi_manifold_name(uint32_t feature, const cdi_foremost *front) {
    if (CD_FEATURE_KIND(feature) != CD_FEATURE_NONE) return feature;
    if (front->count > 2 || front->round > front->soft) return front->face; /* curved: face 0 */
    return front->count == 1 ? front->vertex[0] : front->edge[0];
}

/* The nearest or deepest points of both. */
static cdi_contact_point cdi_manifold_witness(const cdi_clearance *c, const cdi_foremost *a,
                                              const cdi_foremost *b) {
    cdi_contact_point t;
    t.a = c->a;
    t.b = c->b;
    t.distance = c->upper;
    t.x = t.y = 0.0;
    t.even = 0;
    t.feature_a = cdi_manifold_name(c->feature_a, a);
    t.feature_b = cdi_manifold_name(c->feature_b, b);
    return t;
}

static void cdi_manifold_patch(const cdi_couple *pair, const cdi_manifold_way *way, bool few,
                               cdi_contact_patch *out) {
    cdi_patch_wish wish;
    cdi_foremost a, b;
    cdi_contact_point witness;
    wish.normal = way->c.normal;
    wish.margin = way->margin;
    wish.least = way->c.upper;
    wish.all = !few;
    wish.memory = few ? way->memory : 0;
    wish.scale = cdi_max(pair->scale, pair->rounded);
    cdi_foremost_of(&pair->a, wish.normal, way->vertex_a, &a);
    cdi_foremost_of(&pair->b, cdi_v3_neg(wish.normal), way->vertex_b, &b);
    cdi_patch_of(&a, &b, &wish, out);
    /* the normal of a body that is asked in rounded directions is known no better, nor is how deep it is */
    if (pair->a.support->kind == CD_SUPPORT_USER || pair->b.support->kind == CD_SUPPORT_USER)
        out->blur = cdi_max(out->blur, way->c.upper - way->c.lower);
    if (few) cdi_patch_stand(out);
    witness = cdi_manifold_witness(&way->c, &a, &b);
    cdi_patch_deepest(out, &witness);
}

/* ---- queries ---- */

/* Who is told: `out`, or all by a visitor. */
typedef struct cdi_manifold_told {
    cd_manifold *out;
    cd_visit_contact_fn visit;
    void *user;
    bool all;
} cdi_manifold_told;

static size_t cdi_manifold_visit(const cdi_contact_patch *patch, const cdi_manifold_told *told) {
    cd_manifold whole;
    size_t count = 0;
    bool more = true;
    cdi_clear(&whole, sizeof whole);
    whole.normal = cdi_v3_round(patch->wish.normal);
    whole.part_a.child = whole.part_b.child = CD_NONE;
    for (int i = 0; i < patch->count && more; ++i) {
        cd_contact point;
        cdi_contact_point_write(&patch->point[i], &point);
        more = !told->visit || told->visit(told->user, &whole, &point);
        ++count;
    }
    return count;
}

/* Called from two places, so that its memory is not there while the distance is looked for. */
static size_t cdi_manifold_tell(const cdi_couple *pair, cdi_manifold_way *way, cd_cache *cache,
                                const cdi_manifold_told *told) {
    cdi_contact_patch patch;
    cdi_manifold_patch(pair, way, !told->all, &patch);
    if (patch.count == 0) return 0; /* far out of the domain */
    if (told->all) {
        cdi_patch_order(&patch);
        return cdi_manifold_visit(&patch, told);
    }
    cdi_patch_keep(&patch, &way->memory);
    cdi_patch_order(&patch);
    if (cache) {
        cdi_manifold_unpack(cache);
        cdi_manifold_pack(cache, way->memory);
    }
    if (told->out) cdi_patch_write(&patch, told->out);
    return 1;
}

CD_API bool cd_collide_convex(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                              const cd_collide_options *options, cd_cache *cache, cd_manifold *out) {
    cdi_couple pair;
    cdi_manifold_way way;
    cdi_manifold_told told;
    if (!cdi_couple_open(&pair, a, b, b_in_a) || !cdi_manifold_find(&pair, options, cache, &way))
        return false;
    cdi_clear(&told, sizeof told);
    told.out = out;
    return cdi_manifold_tell(&pair, &way, cache, &told) > 0;
}

CD_API size_t cd_collide_convex_all(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                    const cd_collide_options *options, cd_cache *cache,
                                    cd_visit_contact_fn visit, void *user) {
    cdi_couple pair;
    cdi_manifold_way way;
    cdi_manifold_told told;
    if (!cdi_couple_open(&pair, a, b, b_in_a) || !cdi_manifold_find(&pair, options, cache, &way)) return 0;
    told.out = NULL;
    told.visit = visit;
    told.user = user;
    told.all = true;
    return cdi_manifold_tell(&pair, &way, cache, &told);
}

CD_API bool cd_collide_hull_hull(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                 const cd_collide_options *options, cd_cache *cache, cd_manifold *out) {
    cd_support s, t;
    if (!a || !b) return false;
    s = cd_support_of_hull(a);
    t = cd_support_of_hull(b);
    return cd_collide_convex(&s, &t, b_in_a, options, cache, out);
}

#undef CDI_MANIFOLD_APART
#undef CDI_MANIFOLD_DEEP
#undef CDI_MANIFOLD_FACE
