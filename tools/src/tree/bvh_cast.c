#include "query/ray3d.h"
#include "tree/bvh_cast.h"
#include "tree/bvh_walk.h"

/* ---- a ray in the frame of a tree ----
 *
 * The frame holds the tree in [-1, 1]. The ray is cut where it comes near that cube, and its direction scaled by a power
 * of two so that its largest component is in [1, 2): tau = (t * 2^power) - start runs from 0 to a few units inside the
 * cube. The cut point is off by a known error, so every axis has two origins, one rounded up for the planes' low sides
 * and one down for the high ones; then the only error left in a slab is a relative one of three roundings, which
 * CDI_SLACK covers. No infinity or NaN comes up: an axis along which the ray hardly moves gets an interval wide enough
 * to hold all of its movement. */
typedef struct cdi_frame_ray {
    float low_origin[3], high_origin[3]; /* subtracted from the low and the high sides of boxes */
    float inverse[3];
    int near_high[3]; /* the direction is negative: high sides come first */
    double start;     /* where the ray was cut, in tau */
    int power;
} cdi_frame_ray;

#define CDI_SLACK 1.0000005f             /* above (1 + 2^-24)^4 */
#define CDI_STILL 9.094947017729282e-13  /* 2^-40: less movement than this counts as none ... */
#define CDI_WIDEN 1.4551915228366852e-11 /* ... and the interval is widened by 2^-36 */

/* Where the ray is inside the cube of half side `side`, in units of tau; false when it misses it for certain. */
static bool cdi_clip_to_cube(const double o[3], const double d[3], double side, double *in, double *out) {
    *in = -CDI_HUGE;
    *out = CDI_HUGE;
    for (int k = 0; k < 3; ++k) {
        double p, q;
        if (d[k] == 0.0) {
            if (!(cdi_abs(o[k]) <= side)) return false;
            continue;
        }
        p = (-side - o[k]) / d[k];
        q = (side - o[k]) / d[k];
        *in = cdi_max(cdi_min(p, q), *in);
        *out = cdi_min(cdi_max(p, q), *out);
    }
    return *in - cdi_abs(*in) * 1e-14 <= *out + cdi_abs(*out) * 1e-14;
}

/* False when the ray misses the tree. */
static bool cdi_frame_ray_begin(cdi_frame_ray *f, const cdi_bvh *tree, const cdi_ray *r) {
    const cdi_frame *frame = &tree->header->frame;
    int shift = -cdi_exponent(r->dir[r->axis[2]]);
    double o[3], d[3], in, out;
    f->power = -shift - frame->exponent;
    for (int k = 0; k < 3; ++k) {
        o[k] = cdi_frame_in(frame, k, r->origin[k]);
        d[k] = cdi_scale2(r->dir[k], shift);
    }
    if (!cdi_clip_to_cube(o, d, 1.01, &in, &out)) return false;
    f->start = cdi_max(cdi_scale2(r->t_min, f->power), in);
    for (int k = 0; k < 3; ++k) {
        double way = f->start * d[k], at = o[k] + way;
        double error = 1e-15 * (cdi_abs(o[k]) + cdi_abs(way)) + 1e-30;
        bool still = cdi_abs(d[k]) < CDI_STILL;
        if (still) error += CDI_WIDEN + 8.0 * cdi_abs(d[k]);
        f->low_origin[k] = cdi_float_up(at + error);
        f->high_origin[k] = cdi_float_down(at - error);
        f->inverse[k] = (float)(still ? 1.0 / CDI_STILL : 1.0 / d[k]);
        f->near_high[k] = !still && d[k] < 0.0;
    }
    return true;
}

/* An upper bound of tau for a t. */
static float cdi_frame_ray_limit(const cdi_frame_ray *f, double t) {
    double end = cdi_scale2(t, f->power), tau = end - f->start;
    tau += 1e-14 * (cdi_abs(end) + cdi_abs(f->start));
    return tau < 0.0 ? -1.0f : cdi_float_up(cdi_min(tau, 1e20)) * CDI_SLACK;
}

/* ---- the walk ---- */

/* Where the ray enters the eight boxes; a bit for each that it meets no later than `limit`. */
CDI_INLINE uint32_t cdi_ray_enters(const cdi_frame_ray *f, const cdi_bvh_node *node, float limit,
                                   float enter[8]) {
    cdi_f8 in = cdi_f8_all(0.0f), out = cdi_f8_all(limit);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 inverse = cdi_f8_all(f->inverse[k]);
        cdi_f8 low = cdi_f8_mul(cdi_f8_sub(cdi_f8_load(node->lo[k]), cdi_f8_all(f->low_origin[k])), inverse);
        cdi_f8 high =
            cdi_f8_mul(cdi_f8_sub(cdi_f8_load(node->hi[k]), cdi_f8_all(f->high_origin[k])), inverse);
        in = cdi_f8_max(in, f->near_high[k] ? high : low);
        out = cdi_f8_min(out, cdi_f8_mul(f->near_high[k] ? low : high, cdi_f8_all(CDI_SLACK)));
    }
    cdi_f8_store(enter, in);
    return cdi_f8_le(in, out);
}

/* A cast under way: the ray, what is asked, and what a leaf does with a hit. */
typedef struct cdi_ray_walk {
    cdi_frame_ray frame;
    cdi_ray ray;
    double t_max; /* of what matters still */
    uint32_t flags;
    const cd_cast_options *options;
} cdi_ray_walk;

CDI_INLINE uint32_t cdi_ray_bounds(const void *q, const cdi_bvh_node *node, float limit, float enter[8]) {
    return cdi_ray_enters(&((const cdi_ray_walk *)q)->frame, node, limit, enter);
}

/* All leaves that the ray meets at t up to t_max, roughly in order. Answers false when a leaf ended the walk. */
CDI_INLINE bool cdi_ray_walk_run(const cdi_bvh *tree, cdi_ray_walk *w, cdi_nearest_fn leaf) {
    if (!cdi_frame_ray_begin(&w->frame, tree, &w->ray)) return true;
    return cdi_walk_nearest(tree, w, cdi_frame_ray_limit(&w->frame, w->t_max), cdi_ray_bounds, leaf);
}

/* Is item i passed over? Asked about hits only. */
static bool cdi_ray_sees(const cdi_bvh *tree, uint32_t i, uint32_t index, const cd_cast_options *o) {
    if (!o) return true;
    return !cdi_bvh_ignores(tree, i, o->ignore_mask) && (!o->filter || o->filter(o->user, index));
}

/* ---- the nearest hit ---- */

typedef struct cdi_nearest {
    cdi_ray_walk walk;
    uint32_t item, index; /* of the best; CD_NONE: nothing yet */
    cdi_tri_hit hit;
} cdi_nearest;

CDI_INLINE bool cdi_nearest_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_nearest *n = (cdi_nearest *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_bvh_tri(tree, i);
        uint32_t index;
        cdi_tri_hit h;
        CDI_COUNT(triangle);
        if (!cdi_ray_tri(&n->walk.ray, &tri, n->walk.flags, n->walk.t_max, &h)) continue;
        index = cdi_bvh_index(tree, i);
        if (n->item != CD_NONE && h.t == n->hit.t && index > n->index) continue;
        if (!cdi_ray_sees(tree, i, index, n->walk.options)) continue;
        n->item = i;
        n->index = index;
        n->hit = h;
        if (h.t < n->walk.t_max) *limit = cdi_frame_ray_limit(&n->walk.frame, h.t);
        n->walk.t_max = h.t;
    }
    return true;
}

/* The cast made ready; false when nothing can be hit. */
static bool cdi_ray_walk_begin(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                               const cd_cast_options *options, cdi_bvh *t, cdi_ray_walk *w) {
    cdi_cast c;
    if (!cdi_bvh_open(t, tree) || !cdi_cast_begin(&c, r, t_max, options) || !cdi_ray_prepare(&w->ray, &c))
        return false;
    w->options = options;
    w->flags = c.flags;
    w->t_max = c.t_max;
    return cdi_bvh_is_triangles(t);
}

CD_API bool cd_bvh_cast_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit) {
    cdi_bvh t;
    cdi_nearest n;
    cdi_tri tri;
    if (!cdi_ray_walk_begin(tree, r, t_max, options, &t, &n.walk)) return false;
    n.item = n.index = CD_NONE;
    cdi_ray_walk_run(&t, &n.walk, cdi_nearest_leaf);
    if (n.item == CD_NONE) return false;
    tri = cdi_bvh_tri(&t, n.item);
    return cdi_tri_hit_write(hit, &n.hit, &tri, &n.walk.ray, n.index);
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

CDI_INLINE bool cdi_any_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    const cdi_ray_walk *w = (const cdi_ray_walk *)q;
    (void)limit;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_bvh_tri(tree, i);
        cdi_tri_hit h;
        CDI_COUNT(triangle);
        if (cdi_ray_tri(&w->ray, &tri, w->flags, w->t_max, &h) &&
            cdi_ray_sees(tree, i, cdi_bvh_index(tree, i), w->options))
            return false;
    }
    return true;
}

CD_API bool cd_bvh_test_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options) {
    cdi_bvh t;
    cdi_ray_walk w;
    return cdi_ray_walk_begin(tree, r, t_max, options, &t, &w) && !cdi_ray_walk_run(&t, &w, cdi_any_leaf);
}

/* ---- all hits ---- */

/* The nearest `room` hits so far, as a heap with the farthest on top. */
typedef struct cdi_all_hits {
    cdi_ray_walk walk;
    cd_hit *hits;
    size_t room, kept, found;
} cdi_all_hits;

/* Is a farther than b? While hits are in the heap, `depth` holds what rounding took from t. */
static bool cdi_hit_after(const cd_hit *a, const cd_hit *b) {
    if (a->t != b->t) return a->t > b->t;
    return a->depth > b->depth || (a->depth == b->depth && a->index > b->index);
}

static void cdi_hit_sink(cd_hit *heap, size_t count, size_t i) {
    cd_hit moved = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count) break;
        if (child + 1 < count && cdi_hit_after(&heap[child + 1], &heap[child])) ++child;
        if (!cdi_hit_after(&heap[child], &moved)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static void cdi_hit_rise(cd_hit *heap, size_t i) {
    cd_hit moved = heap[i];
    while (i > 0 && cdi_hit_after(&moved, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = moved;
}

static void cdi_keep_hit(cdi_all_hits *all, const cd_hit *hit) {
    if (all->kept < all->room) {
        all->hits[all->kept] = *hit;
        cdi_hit_rise(all->hits, all->kept++);
    } else if (all->room && cdi_hit_after(&all->hits[0], hit)) {
        all->hits[0] = *hit;
        cdi_hit_sink(all->hits, all->kept, 0);
    }
}

/* A heap with the farthest on top, put in rising order. */
static void cdi_sort_hits(cd_hit *heap, size_t count) {
    while (count > 1) {
        cd_hit farthest = heap[0];
        heap[0] = heap[--count];
        heap[count] = farthest;
        cdi_hit_sink(heap, count, 0);
    }
}

static void cdi_clear_depths(cd_hit *hits, size_t count) {
    for (size_t i = 0; i < count; ++i) hits[i].depth = 0;
}

CDI_INLINE bool cdi_all_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_all_hits *all = (cdi_all_hits *)q;
    const cdi_ray_walk *w = &all->walk;
    (void)limit;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_bvh_tri(tree, i);
        uint32_t index = cdi_bvh_index(tree, i);
        cdi_tri_hit h;
        cd_hit hit;
        CDI_COUNT(triangle);
        if (!cdi_ray_tri(&w->ray, &tri, w->flags, w->t_max, &h) || !cdi_ray_sees(tree, i, index, w->options))
            continue;
        if (!cdi_tri_hit_write(&hit, &h, &tri, &w->ray, index)) continue;
        ++all->found;
        hit.depth = (cd_real)(h.t - (double)hit.t);
        cdi_keep_hit(all, &hit);
    }
    return true;
}

CD_API size_t cd_bvh_cast_ray_all(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, cd_hit *hits, size_t capacity) {
    cdi_bvh t;
    cdi_all_hits all;
    if (!cdi_ray_walk_begin(tree, r, t_max, options, &t, &all.walk)) return 0;
    all.hits = hits;
    all.room = hits ? capacity : 0;
    all.kept = all.found = 0;
    cdi_ray_walk_run(&t, &all.walk, cdi_all_leaf);
    cdi_sort_hits(all.hits, all.kept);
    cdi_clear_depths(all.hits, all.kept);
    return all.found;
}

#undef CDI_SLACK
#undef CDI_STILL
#undef CDI_WIDEN
