#include "query/ray3d.h"
#include "tree/bvh_cast.h"
#include "tree/bvh_node.h"

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

/* A child to be looked at, and where the ray enters its box. */
typedef struct cdi_ray_step {
    float enter;
    uint32_t child, count;
} cdi_ray_step;

/* What is done with the triangles of a leaf: lowers `*t_max` when nothing farther matters; false ends the walk. */
typedef bool (*cdi_ray_leaf_fn)(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                                double *t_max);

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
    return cdi_f8_le(in, out) & node->lanes;
}

/* Pushes the children that were met so that the nearest comes off first; of equal ones the lower lane. */
CDI_INLINE uint32_t cdi_push_sorted(cdi_ray_step *stack, uint32_t top, const cdi_bvh_node *node,
                                    uint32_t mask, const float enter[8]) {
    uint32_t bottom = top;
    while (mask) {
        uint32_t lane = cdi_lowest_bit(mask), at = top++;
        mask &= mask - 1;
        for (; at > bottom && stack[at - 1].enter <= enter[lane]; --at) stack[at] = stack[at - 1];
        stack[at].enter = enter[lane];
        stack[at].child = node->child[lane];
        stack[at].count = node->count[lane];
    }
    return top;
}

/* All leaves that the ray meets at t up to `t_max`, roughly in order. Answers false when a leaf ended the walk. */
CDI_INLINE bool cdi_ray_walk(const cdi_bvh *tree, const cdi_ray *r, double t_max, cdi_ray_leaf_fn leaf,
                             void *ctx) {
    cdi_ray_step stack[CDI_BVH_STACK];
    float enter[8], limit;
    cdi_frame_ray f;
    uint32_t top = 1;
    if (!cdi_frame_ray_begin(&f, tree, r)) return true;
    limit = cdi_frame_ray_limit(&f, t_max);
    stack[0].enter = 0.0f;
    stack[0].child = stack[0].count = 0;
    while (top > 0) {
        cdi_ray_step at = stack[--top];
        if (at.enter > limit) continue;
        if (at.count == 0) {
            const cdi_bvh_node *node = &tree->nodes[at.child];
            uint32_t mask = cdi_ray_enters(&f, node, limit, enter);
            CDI_COUNT(node);
            top = cdi_push_sorted(stack, top, node, mask, enter);
        } else {
            double before = t_max;
            if (!leaf(ctx, r, tree->triangles + at.child, at.count, &t_max)) return false;
            if (t_max < before) limit = cdi_frame_ray_limit(&f, t_max);
        }
    }
    return true;
}

/* ---- the nearest hit ---- */

/* What a leaf is told, and what was found. */
typedef struct cdi_nearest {
    const cd_cast_options *options;
    uint32_t flags;
    const cdi_bvh_triangle *best;
    cdi_tri_hit hit;
} cdi_nearest;

static bool cdi_passes(const cd_cast_options *options, uint32_t index) {
    return !options || !options->filter || options->filter(options->user, index);
}

CDI_INLINE bool cdi_nearest_leaf(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                                 double *t_max) {
    cdi_nearest *n = (cdi_nearest *)ctx;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_tri_hit h;
        CDI_COUNT(triangle);
        if (!cdi_ray_tri(r, &tri, n->flags, *t_max, &h)) continue;
        if (n->best && h.t == n->hit.t && t[i].index > n->best->index) continue;
        if (!cdi_passes(n->options, t[i].index)) continue;
        n->best = &t[i];
        n->hit = h;
        *t_max = h.t;
    }
    return true;
}

/* The cast made ready; false when nothing can be hit. */
static bool cdi_bvh_cast_begin(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                               const cd_cast_options *options, cdi_bvh *t, cdi_cast *c, cdi_ray *ray) {
    return cdi_bvh_open(t, tree) && cdi_cast_begin(c, r, t_max, options) && cdi_ray_prepare(ray, c);
}

CD_API bool cd_bvh_cast_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit) {
    cdi_bvh t;
    cdi_cast c;
    cdi_ray ray;
    cdi_nearest n;
    cdi_tri tri;
    if (!cdi_bvh_cast_begin(tree, r, t_max, options, &t, &c, &ray)) return false;
    n.options = options;
    n.flags = c.flags;
    n.best = NULL;
    cdi_ray_walk(&t, &ray, c.t_max, cdi_nearest_leaf, &n);
    if (!n.best) return false;
    tri = cdi_bvh_tri(n.best);
    return cdi_tri_hit_write(hit, &n.hit, &tri, &ray, n.best->index);
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

CDI_INLINE bool cdi_any_leaf(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                             double *t_max) {
    const cdi_nearest *n = (const cdi_nearest *)ctx;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_tri_hit h;
        CDI_COUNT(triangle);
        if (cdi_ray_tri(r, &tri, n->flags, *t_max, &h) && cdi_passes(n->options, t[i].index)) return false;
    }
    return true;
}

CD_API bool cd_bvh_test_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options) {
    cdi_bvh t;
    cdi_cast c;
    cdi_ray ray;
    cdi_nearest n;
    if (!cdi_bvh_cast_begin(tree, r, t_max, options, &t, &c, &ray)) return false;
    n.options = options;
    n.flags = c.flags;
    n.best = NULL;
    return !cdi_ray_walk(&t, &ray, c.t_max, cdi_any_leaf, &n);
}

/* ---- all hits ---- */

/* The nearest `room` hits so far, as a heap with the farthest on top. */
typedef struct cdi_all_hits {
    cdi_nearest base;
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

CDI_INLINE bool cdi_all_leaf(void *ctx, const cdi_ray *r, const cdi_bvh_triangle *t, uint32_t count,
                             double *t_max) {
    cdi_all_hits *all = (cdi_all_hits *)ctx;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_tri tri = cdi_bvh_tri(&t[i]);
        cdi_tri_hit h;
        cd_hit hit;
        CDI_COUNT(triangle);
        if (!cdi_ray_tri(r, &tri, all->base.flags, *t_max, &h) || !cdi_passes(all->base.options, t[i].index))
            continue;
        if (!cdi_tri_hit_write(&hit, &h, &tri, r, t[i].index)) continue;
        ++all->found;
        hit.depth = (cd_real)(h.t - (double)hit.t);
        cdi_keep_hit(all, &hit);
    }
    return true;
}

CD_API size_t cd_bvh_cast_ray_all(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, cd_hit *hits, size_t capacity) {
    cdi_bvh t;
    cdi_cast c;
    cdi_ray ray;
    cdi_all_hits all;
    if (!cdi_bvh_cast_begin(tree, r, t_max, options, &t, &c, &ray)) return 0;
    all.base.options = options;
    all.base.flags = c.flags;
    all.base.best = NULL;
    all.hits = hits;
    all.room = hits ? capacity : 0;
    all.kept = all.found = 0;
    cdi_ray_walk(&t, &ray, c.t_max, cdi_all_leaf, &all);
    cdi_sort_hits(all.hits, all.kept);
    cdi_clear_depths(all.hits, all.kept);
    return all.found;
}

#undef CDI_SLACK
#undef CDI_STILL
#undef CDI_WIDEN
