#include "query/ray3d.h"
#include "query/ray_four.h"
#include "tree/bvh_cast.h"
#include "tree/bvh_volume.h"
#include "tree/bvh_walk.h"
#include "tree/heights_kernel.h"
#include "tree/packed_kernel.h"
#include "tree/ray_kernel.h"
#include "tree/ray_lanes.h"

/* More than rounding takes from the smallest numbers. */
#ifdef COLLIDE_DOUBLE
#define CDI_LEAST 1e-323
#else
#define CDI_LEAST 1e-44
#endif

/* False when the ray misses the tree. */
static bool cdi_frame_ray_begin(cdi_frame_ray *f, const cdi_bvh *tree, const cdi_cast *c) {
    double o[3], d[3];
    cdi_v3_store(o, c->o);
    cdi_v3_store(d, c->d);
    return cdi_frame_ray_aim(f, &tree->header->frame, o, d, NULL, c->t_min);
}

/* ---- a cast under way ---- */

CDI_INLINE uint32_t cdi_ray_bounds(const void *query, const cdi_bvh_node *node, float limit, float enter[8]) {
    return cdi_ray_enters(&((const cdi_ray_query *)query)->frame, node, limit, enter);
}

static bool cdi_ray_query_walk(const cdi_bvh *tree, cdi_ray_query *q, float limit, cdi_nearest_fn leaf) {
    if (q->walk) return q->walk(NULL, tree, q, limit, leaf);
    return cdi_walk_nearest_in(tree, tree->layout, q, limit, cdi_ray_bounds, leaf);
}

/* Is it a ray among plain triangles? In wide nodes these have a walk of their own. */
CDI_INLINE bool cdi_ray_is_plain(const cdi_ray_query *q, const cdi_bvh *tree) {
    return tree->item == CD_BVH_TRIANGLES && !q->segment;
}
CDI_INLINE bool cdi_ray_is_quick(const cdi_ray_query *q, const cdi_bvh *tree) {
    return tree->layout == CD_BVH_WIDE && cdi_ray_is_plain(q, tree);
}

/* Is it a ray in the compact layout, or in a height field? These have one, too. */
CDI_INLINE bool cdi_ray_is_packed(const cdi_ray_query *q, const cdi_bvh *tree) {
    if (tree->item == CDI_ITEM_HEIGHTS && !cdi_bvh_field(tree)->is_plain) return false;
    return tree->item >= CDI_ITEM_PACKED && !q->segment;
}
static bool cdi_ray_walk_packed(const cdi_bvh *tree, cdi_ray_query *q, cdi_ray_item_fn item) {
    if (tree->item == CDI_ITEM_HEIGHTS) return CDI_RUN(cdi_heights_cast, (tree, q, item));
    return CDI_RUN(cdi_packed_cast, (tree, q, item));
}

/* The end of a query before it is walked; false when nothing can be hit. */
static bool cdi_ray_query_open(cdi_ray_query *q, const cdi_bvh *tree) {
    bool ready = cdi_ray_prepare(&q->ray, &q->cast);
    if (tree->item == CD_BVH_POINTS || (cdi_bvh_is_triangles(tree) && !ready)) return false;
    q->t_max = q->cast.t_max;
    return cdi_frame_ray_begin(&q->frame, tree, &q->cast);
}

static bool cdi_ray_query_ready(cdi_ray_query *q, const cdi_bvh *tree) {
    return cdi_cast_begin(&q->cast, q->given, q->given_max, q->options) && cdi_ray_query_open(q, tree);
}

/* The question, not made ready yet. */
static void cdi_ray_query_set(cdi_ray_query *q, const cd_ray *r, cd_real t_max,
                              const cd_cast_options *options) {
    q->given = r;
    q->given_max = t_max;
    q->options = options;
    q->segment = NULL;
    q->walk = NULL;
    q->best.item = CD_NONE;
}

static bool cdi_ray_query_ask(cdi_ray_query *q, cdi_bvh *t, const cd_bvh *tree, const cd_ray *r,
                              cd_real t_max, const cd_cast_options *options) {
    cdi_ray_query_set(q, r, t_max, options);
    return cdi_bvh_open(t, tree);
}

static bool cdi_ray_query_begin(cdi_ray_query *q, cdi_bvh *t, const cd_bvh *tree, const cd_ray *r,
                                cd_real t_max, const cd_cast_options *options) {
    return cdi_ray_query_ask(q, t, tree, r, t_max, options) && cdi_ray_query_ready(q, t);
}

/* ---- one item ---- */

/* `look` is what was found already; NULL: nothing. */
CDI_HOT bool cdi_ray_tri_looked_at(const cdi_ray_query *q, const cdi_tri *tri, const cdi_ray_look *look,
                                   cdi_tri_hit *hit) {
    if (!look || !look->sure) return cdi_ray_tri(&q->ray, tri, q->cast.flags, q->t_max, hit);
    return cdi_ray_tri_met(&q->ray, tri, look->side, look->z, q->cast.flags, q->t_max, hit);
}

CDI_HOT bool cdi_cast_ray_at_tri(const cdi_ray_query *q, const cdi_bvh *tree, uint32_t i,
                                 const cdi_ray_look *look, cdi_item_hit *out) {
    cdi_tri tri = cdi_bvh_tri(tree, i);
    CDI_COUNT(triangle);
    out->is_sides = false;
    if (!cdi_ray_tri_looked_at(q, &tri, look, &out->tri)) return false;
    out->t = out->tri.t;
#ifdef COLLIDE_DOUBLE
    return cdi_tri_hit_write(NULL, &out->tri, &tri, &q->ray, 0); /* floats do not leave the range of double */
#else
    return true;
#endif
}

static void cdi_item_hit_write(const cdi_ray_query *q, const cdi_bvh *tree, cdi_item_hit *h, cd_hit *out) {
    if (cdi_bvh_is_triangles(tree) && !q->segment) {
        cdi_tri tri = cdi_bvh_tri(tree, h->item);
        if (h->is_sides) cdi_tri_hit_of_sides(h->side, 0, &h->tri);
        cdi_tri_hit_write(out, &h->tri, &tri, &q->ray, h->index);
    } else {
        *out = h->hit;
    }
    out->index = h->index;
}

static bool cdi_cast_segment_at_tri(const cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, cd_hit *hit) {
    cd_triangle t = cdi_bvh_triangle_of(tree, i);
    cdi_tri tri = cdi_tri_of(&t);
    CDI_COUNT(triangle);
    if (cdi_line_misses(q->cast.o, q->cast.d, &tri)) return false;
    return cd_cast_segment_triangle(q->segment, &t, q->options, hit);
}

static bool cdi_cast_at_box(const cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, cd_hit *hit) {
    const cd_bvh_custom *custom = tree->custom;
    if (!custom || !custom->cast_ray) return cdi_cast_aabb(&q->cast, cdi_bvh_box_of(tree, i), hit);
    cdi_clear(hit, sizeof *hit);
    return custom->cast_ray(custom->user, cdi_bvh_index(tree, i), q->given, q->given_max, q->options, hit) &&
           cdi_finite((double)hit->t);
}

/* What the call for one says about item i. */
CDI_HOT bool cdi_cast_at_item(const cdi_ray_query *q, const cdi_bvh *tree, uint32_t i,
                              const cdi_ray_look *look, cdi_item_hit *out) {
    bool hit;
    out->item = i;
    if (cdi_bvh_is_triangles(tree) && !q->segment) {
        hit = cdi_cast_ray_at_tri(q, tree, i, look, out);
    } else {
        hit = cdi_bvh_is_triangles(tree) ? cdi_cast_segment_at_tri(q, tree, i, &out->hit)
                                         : cdi_cast_at_box(q, tree, i, &out->hit);
        if (hit) out->t = (double)out->hit.t;
    }
    if (hit) out->index = cdi_bvh_index(tree, i);
    return hit;
}

/* ---- the items of a leaf ---- */

/* Which of up to four plain triangles from `first` on may the ray meet? */
CDI_HOT uint32_t cdi_ray_meets_items(const cdi_ray_query *q, const cdi_bvh *tree, uint32_t first,
                                     uint32_t count, cdi_four_met *met) {
    const cdi_bvh_triangle *t = (const cdi_bvh_triangle *)tree->items + first;
    const cd_real *row[4];
    cdi_d4 n[9], last[4];
    for (uint32_t i = 0; i < 4; ++i) row[i] = t[i < count ? i : 0].v;
    cdi_d4_from_rows(row, 0, n);
    cdi_d4_from_rows(row, 4, n + 4);
    cdi_d4_from_rows(row, 5, last);
    n[8] = last[3];
    return cdi_ray_meets_four(&q->ray, n, q->t_max, met) & ((1u << count) - 1u);
}

CDI_INLINE bool cdi_ray_leaf_each(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                                  float *limit, cdi_ray_item_fn item) {
    for (uint32_t i = first; i < first + count; ++i) {
        if (!item(q, tree, i, NULL, limit)) return false;
    }
    return true;
}

/* ---- the same for plain triangles and a ray ---- */

CDI_INLINE void cdi_four_look(const cdi_four_met *met, uint32_t number, cdi_ray_look *look) {
    for (int k = 0; k < 3; ++k) {
        look->side[k] = met->side[k][number];
        look->z[k] = met->z[k][number];
    }
    look->sure = (met->sure >> number & 1u) != 0;
}

/* Four at a time. */
CDI_INLINE bool cdi_ray_leaf_fours(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                                   float *limit, cdi_ray_item_fn item) {
    for (uint32_t end = first + count; first < end; first += 4) {
        uint32_t some = end - first < 4 ? end - first : 4, bits;
        cdi_four_met met;
        cdi_ray_look look;
        for (bits = cdi_ray_meets_items(q, tree, first, some, &met); bits; bits &= bits - 1u) {
            uint32_t number = cdi_lowest_bit(bits);
            cdi_four_look(&met, number, &look);
            if (!item(q, tree, first + number, &look, limit)) return false;
        }
    }
    return true;
}

/* One by one; most are missed, which is told here. */
CDI_HOT bool cdi_ray_leaf_rows(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                               float *limit, cdi_ray_item_fn item) {
    const cdi_bvh_triangle *t = (const cdi_bvh_triangle *)tree->items;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_ray_look look;
        if (!cdi_ray_look_at_row(&q->ray, t[i].v, &look)) {
            CDI_COUNT(triangle);
        } else if (!item(q, tree, i, &look, limit)) {
            return false;
        }
    }
    return true;
}

CDI_HOT bool cdi_ray_leaf_plain(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                                float *limit, cdi_ray_item_fn item) {
#ifdef CDI_AVX /* in shorter registers one after another is sooner done */
    if (count > 2) return cdi_ray_leaf_fours(q, tree, first, count, limit, item);
#endif
    return cdi_ray_leaf_rows(q, tree, first, count, limit, item);
}

/* ---- the nearest hit ---- */

/* Nothing beyond t counts any more. Where t was rounded, what is rounded to the same still does. */
static float cdi_ray_shorten(cdi_ray_query *q, const cdi_bvh *tree, double t) {
    if (cdi_bvh_is_triangles(tree) && !q->segment) {
        q->t_max = t;
    } else {
        t += 2.0 * (double)CD_REAL_EPSILON * cdi_abs(t) + CDI_LEAST;
    }
    return cdi_frame_ray_limit(&q->frame, t);
}

static bool cdi_nearest_item(cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                             float *limit) {
    cdi_item_hit h;
    bool first = q->best.item == CD_NONE;
    if (i == q->best.item || !cdi_cast_at_item(q, tree, i, look, &h)) return true;
    if (!first && (h.t > q->best.t || (h.t == q->best.t && h.index > q->best.index))) return true;
    if (!cdi_ray_sees(tree, i, h.index, q->options)) return true;
    if (first || h.t < q->best.t) *limit = cdi_ray_shorten(q, tree, h.t);
    q->best = h;
    return true;
}

static bool cdi_nearest_leaf(void *query, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_ray_query *q = (cdi_ray_query *)query;
    if (cdi_ray_is_plain(q, tree)) return cdi_ray_leaf_plain(q, tree, first, count, limit, cdi_nearest_item);
    return cdi_ray_leaf_each(q, tree, first, count, limit, cdi_nearest_item);
}

/* The hit that was found, if any. */
static bool cdi_cast_write(cdi_ray_query *q, const cdi_bvh *tree, cd_hit *hit) {
    if (q->best.item == CD_NONE) return false;
    if (!hit) return true;
    cdi_item_hit_write(q, tree, &q->best, hit);
    return true;
}

/* The walk of a query that is ready; first the item that may be hit again. */
static bool cdi_cast_nearest(cdi_ray_query *q, const cdi_bvh *tree, uint32_t *last, cd_hit *hit) {
    float limit = cdi_frame_ray_limit(&q->frame, q->t_max);
    if (last && cdi_bvh_has_item(tree, *last)) cdi_ray_leaf_each(q, tree, *last, 1, &limit, cdi_nearest_item);
    if (cdi_ray_is_quick(q, tree)) {
        CDI_RUN(cdi_plain_nearest, (tree, q, true));
    } else if (cdi_ray_is_packed(q, tree)) {
        cdi_ray_walk_packed(tree, q, cdi_nearest_item);
    } else {
        cdi_ray_query_walk(tree, q, limit, cdi_nearest_leaf);
    }
    if (last && q->best.item != CD_NONE) *last = q->best.item;
    return cdi_cast_write(q, tree, hit);
}

CD_API bool cd_bvh_cast_ray_again(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, uint32_t *last, cd_hit *hit) {
    cdi_bvh t;
    cdi_ray_query q;
    return cdi_ray_query_begin(&q, &t, tree, r, t_max, options) && cdi_cast_nearest(&q, &t, last, hit);
}

CD_API bool cd_bvh_cast_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit) {
    cdi_bvh t;
    cdi_ray_query q;
    cdi_plain told = CDI_PLAIN_NOT_READY;
    if (!cdi_ray_query_ask(&q, &t, tree, r, t_max, options)) return false;
    if (cdi_ray_is_quick(&q, &t)) told = CDI_RUN(cdi_plain_nearest, (&t, &q, false));
    if (told == CDI_PLAIN_NOT_READY)
        return cdi_ray_query_ready(&q, &t) && cdi_cast_nearest(&q, &t, NULL, hit);
    return told == CDI_PLAIN_HIT && cdi_cast_write(&q, &t, hit);
}

CD_API size_t cd_bvh_cast_rays(const cd_bvh *tree, const cd_ray *rays, const cd_real *t_max, size_t count,
                               const cd_cast_options *options, cd_hit *hits) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        cd_hit hit;
        cdi_clear(&hit, sizeof hit);
        hit.index = CD_NONE;
        if (cd_bvh_cast_ray(tree, &rays[i], t_max ? t_max[i] : CD_REAL_MAX, options, &hit)) ++found;
        if (hits) hits[i] = hit;
    }
    return found;
}

/* ---- any hit ---- */

static bool cdi_any_item(cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                         float *limit) {
    cdi_item_hit h;
    (void)limit;
    if (!cdi_cast_at_item(q, tree, i, look, &h) || !cdi_ray_sees(tree, i, h.index, q->options)) return true;
    q->best.item = i;
    return false;
}

static bool cdi_any_leaf(void *query, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_ray_query *q = (cdi_ray_query *)query;
    if (cdi_ray_is_plain(q, tree)) return cdi_ray_leaf_plain(q, tree, first, count, limit, cdi_any_item);
    return cdi_ray_leaf_each(q, tree, first, count, limit, cdi_any_item);
}

static bool cdi_cast_any(cdi_ray_query *q, const cdi_bvh *tree, uint32_t *last) {
    float limit = cdi_frame_ray_limit(&q->frame, q->t_max);
    if (last && cdi_bvh_has_item(tree, *last) && !cdi_ray_leaf_each(q, tree, *last, 1, &limit, cdi_any_item))
        return true;
    if (cdi_ray_is_quick(q, tree)    ? CDI_RUN(cdi_plain_any, (tree, q, true)) != CDI_PLAIN_HIT
        : cdi_ray_is_packed(q, tree) ? cdi_ray_walk_packed(tree, q, cdi_any_item)
                                     : cdi_ray_query_walk(tree, q, limit, cdi_any_leaf))
        return false;
    if (last) *last = q->best.item;
    return true;
}

CD_API bool cd_bvh_test_ray_again(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, uint32_t *last) {
    cdi_bvh t;
    cdi_ray_query q;
    return cdi_ray_query_begin(&q, &t, tree, r, t_max, options) && cdi_cast_any(&q, &t, last);
}

CD_API bool cd_bvh_test_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options) {
    cdi_bvh t;
    cdi_ray_query q;
    cdi_plain told = CDI_PLAIN_NOT_READY;
    if (!cdi_ray_query_ask(&q, &t, tree, r, t_max, options)) return false;
    if (cdi_ray_is_quick(&q, &t)) told = CDI_RUN(cdi_plain_any, (&t, &q, false));
    if (told == CDI_PLAIN_NOT_READY) return cdi_ray_query_ready(&q, &t) && cdi_cast_any(&q, &t, NULL);
    return told == CDI_PLAIN_HIT;
}

CD_API size_t cd_bvh_test_rays(const cd_bvh *tree, const cd_ray *rays, const cd_real *t_max, size_t count,
                               const cd_cast_options *options, bool *hits) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        bool hit = cd_bvh_test_ray(tree, &rays[i], t_max ? t_max[i] : CD_REAL_MAX, options);
        if (hits) hits[i] = hit;
        found += hit ? 1u : 0u;
    }
    return found;
}

/* ---- by another walk ---- */

CDI_FN bool cdi_cast_ray_by(cdi_walk_fn walk, const cdi_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit) {
    cdi_ray_query q;
    cdi_ray_query_set(&q, r, t_max, options);
    q.walk = walk;
    return cdi_ray_query_ready(&q, tree) && cdi_cast_nearest(&q, tree, NULL, hit);
}

CDI_FN bool cdi_test_ray_by(cdi_walk_fn walk, const cdi_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options) {
    cdi_ray_query q;
    cdi_ray_query_set(&q, r, t_max, options);
    q.walk = walk;
    return cdi_ray_query_ready(&q, tree) && cdi_cast_any(&q, tree, NULL);
}

/* ---- segments ---- */

/* Primitives of the caller's own know rays only: false, with the ray made, for a tree of these. */
static bool cdi_segment_query_begin(cdi_ray_query *q, cdi_bvh *t, const cd_bvh *tree, const cd_segment *s,
                                    const cd_cast_options *options, cd_ray *r) {
    r->origin = s->a;
    r->dir = cd_vec3_sub(s->b, s->a);
    if (tree->custom && tree->custom->cast_ray) return cdi_ray_query_begin(q, t, tree, r, 1, options);
    if (!cdi_bvh_open(t, tree) || !cdi_cast_begin_segment(&q->cast, s, options)) return false;
    q->segment = s;
    q->walk = NULL;
    q->options = options;
    q->best.item = CD_NONE;
    return cdi_ray_query_open(q, t);
}

CD_API bool cd_bvh_cast_segment(const cd_bvh *tree, const cd_segment *s, const cd_cast_options *options,
                                cd_hit *hit) {
    cdi_bvh t;
    cdi_ray_query q;
    cd_ray r;
    return cdi_segment_query_begin(&q, &t, tree, s, options, &r) && cdi_cast_nearest(&q, &t, NULL, hit);
}

CD_API bool cd_bvh_test_segment(const cd_bvh *tree, const cd_segment *s, const cd_cast_options *options) {
    cdi_bvh t;
    cdi_ray_query q;
    cd_ray r;
    return cdi_segment_query_begin(&q, &t, tree, s, options, &r) && cdi_cast_any(&q, &t, NULL);
}

/* ---- all hits ---- */

/* Is a farther than b? While hits of triangles are in the heap, `depth` holds what rounding took from t. */
static bool cdi_hit_after(const cdi_ray_query *q, const cd_hit *a, const cd_hit *b) {
    if (a->t != b->t) return a->t > b->t;
    if (q->keeps_rest && a->depth != b->depth) return a->depth > b->depth;
    return a->index > b->index;
}

static void cdi_hit_sink(const cdi_ray_query *q, size_t count, size_t i) {
    cd_hit *heap = q->hits, moved = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count) break;
        if (child + 1 < count && cdi_hit_after(q, &heap[child + 1], &heap[child])) ++child;
        if (!cdi_hit_after(q, &heap[child], &moved)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static void cdi_hit_rise(const cdi_ray_query *q, size_t i) {
    cd_hit *heap = q->hits, moved = heap[i];
    while (i > 0 && cdi_hit_after(q, &moved, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = moved;
}

static void cdi_keep_hit(cdi_ray_query *q, const cd_hit *hit) {
    if (q->kept < q->room) {
        q->hits[q->kept] = *hit;
        cdi_hit_rise(q, q->kept++);
    } else if (q->room && cdi_hit_after(q, &q->hits[0], hit)) {
        q->hits[0] = *hit;
        cdi_hit_sink(q, q->kept, 0);
    }
}

/* From a heap with the farthest on top to rising order. */
static void cdi_sort_hits(const cdi_ray_query *q) {
    for (size_t count = q->kept; count > 1;) {
        cd_hit farthest = q->hits[0];
        q->hits[0] = q->hits[--count];
        q->hits[count] = farthest;
        cdi_hit_sink(q, count, 0);
    }
    for (size_t i = 0; i < q->kept && q->keeps_rest; ++i) q->hits[i].depth = 0;
}

static bool cdi_all_item(cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                         float *limit) {
    cdi_item_hit h;
    cd_hit hit;
    (void)limit;
    if (!cdi_cast_at_item(q, tree, i, look, &h) || !cdi_ray_sees(tree, i, h.index, q->options)) return true;
    ++q->found;
    cdi_item_hit_write(q, tree, &h, &hit);
    if (q->keeps_rest) hit.depth = (cd_real)(h.t - (double)hit.t);
    cdi_keep_hit(q, &hit);
    return true;
}

static bool cdi_all_leaf(void *query, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_ray_query *q = (cdi_ray_query *)query;
    if (cdi_ray_is_plain(q, tree)) return cdi_ray_leaf_plain(q, tree, first, count, limit, cdi_all_item);
    return cdi_ray_leaf_each(q, tree, first, count, limit, cdi_all_item);
}

CD_API size_t cd_bvh_cast_ray_all(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, cd_hit *hits, size_t capacity) {
    cdi_bvh t;
    cdi_ray_query q;
    if (!cdi_ray_query_begin(&q, &t, tree, r, t_max, options)) return 0;
    q.hits = hits;
    q.room = hits ? capacity : 0;
    q.kept = q.found = 0;
    q.keeps_rest = cdi_bvh_is_triangles(&t);
    if (cdi_ray_is_packed(&q, &t)) {
        cdi_ray_walk_packed(&t, &q, cdi_all_item);
    } else {
        cdi_ray_query_walk(&t, &q, cdi_frame_ray_limit(&q.frame, q.t_max), cdi_all_leaf);
    }
    cdi_sort_hits(&q);
    return q.found;
}

#undef CDI_LEAST
