#include "tree/bvh_closest.h"
#include "query/closest3d.h"
#include "query/closest_solid.h"
#include "tree/bvh_distance.h"
#include "tree/bvh_volume.h"
#include "tree/bvh_walk.h"

/* One that is found: kept in the caller's array, in place of the answer that it becomes. */
typedef struct cdi_near_key {
    double sqdist;
    uint32_t item, index;
} cdi_near_key;

typedef char cdi_near_key_fits[sizeof(cdi_near_key) <= sizeof(cd_closest) ? 1 : -1];

/* The search. `worst`: only what comes before it counts. */
typedef struct cdi_near_search {
    cd_vec3 at;
    cdi_v3 p;
    cdi_frame_point point;
    const cd_filter *filter;
    cd_real max_distance;
    cd_closest *heap; /* the `count` best so far, of at most k, the worst first */
    size_t k, count;
    cdi_near_key worst;
} cdi_near_search;

static bool cdi_near_key_before(const cdi_near_key *a, const cdi_near_key *b) {
    return a->sqdist < b->sqdist || (a->sqdist == b->sqdist && a->index < b->index);
}

/* ---- a heap of keys ---- */

static cdi_near_key cdi_near_key_get(const cd_closest *heap, size_t i) {
    cdi_near_key key;
    cdi_copy(&key, &heap[i], sizeof key);
    return key;
}

static void cdi_near_key_put(cd_closest *heap, size_t i, const cdi_near_key *key) {
    cdi_copy(&heap[i], key, sizeof *key);
}

/* Puts a key in at the end of the heap. */
static void cdi_near_key_rise(cd_closest *heap, size_t at, const cdi_near_key *key) {
    while (at > 0) {
        size_t parent = (at - 1) / 2;
        cdi_near_key above = cdi_near_key_get(heap, parent);
        if (!cdi_near_key_before(&above, key)) break;
        cdi_near_key_put(heap, at, &above);
        at = parent;
    }
    cdi_near_key_put(heap, at, key);
}

/* Puts a key in place of the first. */
static void cdi_near_key_sink(cd_closest *heap, size_t count, const cdi_near_key *key) {
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        cdi_near_key below = cdi_near_key_get(heap, child);
        if (child + 1 < count) {
            cdi_near_key right = cdi_near_key_get(heap, child + 1);
            if (cdi_near_key_before(&below, &right)) {
                below = right;
                ++child;
            }
        }
        if (!cdi_near_key_before(key, &below)) break;
        cdi_near_key_put(heap, at, &below);
        at = child;
    }
    cdi_near_key_put(heap, at, key);
}

static void cdi_near_keys_sort(cd_closest *heap, size_t count) {
    while (count > 1) {
        cdi_near_key last = cdi_near_key_get(heap, --count), first = cdi_near_key_get(heap, 0);
        cdi_near_key_sink(heap, count, &last);
        cdi_near_key_put(heap, count, &first);
    }
}

/* ---- one item ---- */

/* What a caller's own primitive is asked: a little more than the worst so far, lest rounding hides a tie. */
static cd_real cdi_near_reach(const cdi_near_search *s) {
    double reach = cdi_sqrt(s->worst.sqdist) * 1.000001 + 1e-30;
    return reach < (double)s->max_distance ? (cd_real)cdi_min(reach, (double)CD_REAL_MAX) : s->max_distance;
}

static bool cdi_near_custom(const struct cd_bvh_custom *custom, uint32_t index, cd_vec3 p, cd_real reach,
                            cd_closest *out) {
    cdi_clear(out, sizeof *out);
    if (!custom->closest(custom->user, index, p, reach, out)) return false;
    out->index_b = index;
    return true;
}

static bool cdi_near_is_custom(const cdi_bvh *tree) {
    return tree->item == CD_BVH_BOXES && tree->custom && tree->custom->closest;
}

/* Would cdi_near_triangle certainly answer with more? With w the ways from the corners to p and d their sum, rounded or not,
 * the triangle is beyond a plane across d at a distance of min (d.w) / |d|, and |d|^2 is the sum of the d.w; the dots and that
 * are right to some u |w|^2, with u = 2^-53 and |w| the longest. What is added to the square is for the answer's own error:
 *
 * - A point of a corner or an edge, whichever was chosen and wherever on it, is off the triangle by its rounding, at most
 *   e = 8 u (|p| + |w|): the square of D - e is more than D^2 - 1e-10 D^2 - 1e10 e^2, which is where |p| comes in.
 * - A foot in the face, straight way, where the sine at the corner is s > 1e-3: its weights of the edges from there are off by
 *   some u |w| / s^2 over the edge's length, so it is at most 1e-8 |w| outside: 1e-16 |w|^2 are missing in the square.
 * - A foot in the face, careful way: it is within 1e-14 |w| of all sides of the edges, hence at most 1e-5 |w| outside where
 *   the angle of the tip is above 2e-9. A sharper tip is a corner of the bounding box on some axis that goes with it, and
 *   beyond that the foot was not let be. Its height is off by some u |w|.
 *
 * Products must not underflow, which `least` tells; where they overflow, it is not beyond. */
static bool cdi_near_tri_beyond(cdi_v3 p, const cdi_tri *t, double sqdist) {
    cdi_v3 a = cdi_v3_sub(p, t->v[0]), b = cdi_v3_sub(p, t->v[1]), c = cdi_v3_sub(p, t->v[2]);
    cdi_v3 d = cdi_v3_add(cdi_v3_add(a, b), c);
    double x = cdi_v3_dot(d, a), y = cdi_v3_dot(d, b), z = cdi_v3_dot(d, c),
           least = cdi_min(cdi_min(x, y), z);
    double spread = cdi_v3_sqlength(a) + cdi_v3_sqlength(b) + cdi_v3_sqlength(c);
    double error = 1e-9 * spread + 1e-19 * cdi_v3_sqlength(p);
    return least > 1e-140 && least * least > (sqdist + error) * (x + y + z);
}

/* The squared distance of item i, before it is rounded; NaN for none. */
static double cdi_near_sqdist(const cdi_near_search *s, const cdi_bvh *tree, uint32_t i, uint32_t index) {
    cdi_tri tri;
    cd_aabb box;
    cd_closest own;
    if (tree->item == CD_BVH_POINTS)
        return cdi_v3_sqlength(cdi_v3_sub(cdi_v3_of(cdi_bvh_point_of(tree, i)), s->p));
    if (tree->item != CD_BVH_BOXES) {
        tri = cdi_bvh_tri(tree, i);
        if (cdi_near_tri_beyond(s->p, &tri, s->worst.sqdist)) return cdi_nan();
        CDI_COUNT(triangle);
        return cdi_near_triangle(s->p, &tri).sqdist;
    }
    if (!cdi_near_is_custom(tree)) {
        box = cdi_bvh_box_of(tree, i);
        return cdi_sqdist_box(s->p, cdi_v3_of(box.min), cdi_v3_of(box.max));
    }
    if (!cdi_near_custom(tree->custom, index, s->at, cdi_near_reach(s), &own)) return cdi_nan();
    return (double)own.sqdist;
}

/* The answer for a key. */
static cd_closest cdi_near_answer(const cdi_near_search *s, const cdi_bvh *tree, const cdi_near_key *key) {
    cd_closest r;
    cd_triangle t;
    if (cdi_bvh_is_triangles(tree)) {
        t = cdi_bvh_triangle_of(tree, key->item);
        r = cd_closest_pts_point_triangle(s->at, &t);
    } else if (tree->item == CD_BVH_POINTS) {
        cdi_clear(&r, sizeof r);
        r.a = s->at;
        r.b = cdi_bvh_point_of(tree, key->item);
        r.sqdist = (cd_real)key->sqdist;
        r.feature_b = CD_FEATURE(1u, 0u);
    } else if (!cdi_near_is_custom(tree)) {
        r = cd_closest_pts_point_aabb(s->at, cdi_bvh_box_of(tree, key->item));
    } else {
        cdi_near_custom(tree->custom, key->index, s->at, s->max_distance, &r);
    }
    r.index_b = key->index;
    return r;
}

/* ---- the walk ---- */

static uint32_t cdi_near_bounds(const void *q, const cdi_bvh_node *node, float limit, float bound[8]) {
    cdi_f8 sqdist = cdi_sqdist_boxes(&((const cdi_near_search *)q)->point, node);
    cdi_f8_store(bound, sqdist);
    return cdi_f8_le(sqdist, cdi_f8_all(limit));
}

static void cdi_near_keep(cdi_near_search *s, const cdi_near_key *key) {
    if (s->count < s->k) {
        cdi_near_key_rise(s->heap, s->count++, key);
    } else {
        cdi_near_key_sink(s->heap, s->k, key);
    }
    if (s->count == s->k) s->worst = cdi_near_key_get(s->heap, 0);
}

/* Item i: does it count? */
static bool cdi_near_item(cdi_near_search *s, const cdi_bvh *tree, uint32_t i, cdi_near_key *key) {
    key->item = i;
    key->index = cdi_bvh_index(tree, i);
    key->sqdist = cdi_near_sqdist(s, tree, i, key->index);
    return cdi_near_key_before(key, &s->worst) && cdi_bvh_sees(tree, i, key->index, s->filter);
}

static bool cdi_near_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_near_search *s = (cdi_near_search *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_near_key key;
        if (!cdi_near_item(s, tree, i, &key)) continue;
        cdi_near_keep(s, &key);
        *limit = cdi_frame_sqdist(&tree->header->frame, s->worst.sqdist);
    }
    return true;
}

static bool cdi_near_any(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_near_key key;
    (void)limit;
    for (uint32_t i = first; i < first + count; ++i) {
        if (cdi_near_item((cdi_near_search *)q, tree, i, &key)) return false;
    }
    return true;
}

/* ---- the whole ---- */

static bool cdi_near_ask(cdi_near_search *s, cd_vec3 p, cd_real max_distance, const cd_filter *filter) {
    double most = (double)max_distance;
    cdi_clear(s, sizeof *s);
    s->at = p;
    s->p = cdi_v3_of(p);
    s->filter = filter;
    s->max_distance = max_distance;
    s->worst.sqdist = cdi_min(most * most, CDI_HUGE);
    s->worst.index = CD_NONE;
    return cdi_v3_finite(s->p) && most >= 0.0;
}

static bool cdi_near_begin(cdi_near_search *s, cdi_bvh *t, const cd_bvh *tree, cd_vec3 p,
                           cd_real max_distance, const cd_filter *filter) {
    if (!cdi_near_ask(s, p, max_distance, filter) || !cdi_bvh_open(t, tree)) return false;
    s->point = cdi_frame_point_of(&t->header->frame, s->p);
    return true;
}

static float cdi_near_limit(const cdi_near_search *s, const cdi_bvh *t) {
    return cdi_frame_sqdist(&t->header->frame, s->worst.sqdist);
}

CDI_FN size_t cdi_bvh_near(const cd_bvh *tree, cd_vec3 p, size_t k, cd_real max_distance,
                           const cd_filter *filter, cd_closest *out, double *sqdist) {
    cdi_near_search s;
    cdi_bvh t;
    if (k == 0 || !cdi_near_begin(&s, &t, tree, p, max_distance, filter)) return 0;
    s.heap = out;
    s.k = k;
    cdi_walk_nearest(&t, &s, cdi_near_limit(&s, &t), cdi_near_bounds, cdi_near_leaf);
    cdi_near_keys_sort(out, s.count);
    *sqdist = s.count ? cdi_near_key_get(out, 0).sqdist : 0.0;
    for (size_t i = 0; i < s.count; ++i) {
        cdi_near_key key = cdi_near_key_get(out, i);
        cd_closest answer = cdi_near_answer(&s, &t, &key);
        out[i] = answer;
    }
    return s.count;
}

CDI_FN bool cdi_near_by(cdi_walk_fn walk, const cdi_bvh *tree, cd_vec3 p, cd_real max_distance,
                        const cd_filter *filter, cd_closest *out) {
    cdi_near_search s;
    cdi_near_key key;
    cd_closest found;
    if (!cdi_near_ask(&s, p, max_distance, filter)) return false;
    s.heap = &found;
    s.k = 1;
    walk(&s.p, tree, &s, cdi_near_limit(&s, tree), cdi_near_leaf);
    if (s.count == 0) return false;
    key = cdi_near_key_get(&found, 0);
    if (out) *out = cdi_near_answer(&s, tree, &key);
    return true;
}

CD_API size_t cd_bvh_closest_k(const cd_bvh *tree, cd_vec3 p, size_t k, cd_real max_distance,
                               const cd_filter *filter, cd_closest *out) {
    double sqdist;
    return cdi_bvh_near(tree, p, k, max_distance, filter, out, &sqdist);
}

CD_API bool cd_bvh_closest(const cd_bvh *tree, cd_vec3 p, cd_real max_distance, const cd_filter *filter,
                           cd_closest *out) {
    double sqdist;
    cd_closest found;
    if (!cdi_bvh_near(tree, p, 1, max_distance, filter, &found, &sqdist)) return false;
    if (out) *out = found;
    return true;
}

CD_API size_t cd_bvh_closest_points(const cd_bvh *tree, const cd_vec3 *points, const cd_real *max_distance,
                                    size_t count, const cd_filter *filter, cd_closest *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        cd_real most = max_distance ? max_distance[i] : (cd_real)cdi_infinity();
        bool any = cd_bvh_closest(tree, points[i], most, filter, out ? &out[i] : NULL);
        found += any ? 1u : 0u;
        if (any || !out) continue;
        cdi_clear(&out[i], sizeof out[i]);
        out[i].index_b = CD_NONE;
    }
    return found;
}

CD_API bool cd_bvh_test_distance(const cd_bvh *tree, cd_vec3 p, cd_real distance, const cd_filter *filter) {
    cdi_near_search s;
    cdi_bvh t;
    if (!cdi_near_begin(&s, &t, tree, p, distance, filter)) return false;
    return !cdi_walk_nearest(&t, &s, cdi_near_limit(&s, &t), cdi_near_bounds, cdi_near_any);
}
