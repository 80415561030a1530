#include "hull/hull2.h"
#include "core/orient.h"

/* A bound of the rounding error of two products of differences, relative to their magnitudes: (3 + 16 u) u, u = 2^-53,
 * rounded up to 4 u. A product that underflows is off by much less than CDI_HULL2_LEAST. */
#define CDI_HULL2_BOUND 4.440892098500627e-16
#define CDI_HULL2_LEAST 1e-280

/* In `hull`: not a corner. */
#define CDI_HULL2_DROPPED 0xFFFFFFFFu

/* Parts not larger than this are sorted by insertion. */
#define CDI_HULL2_SHORT 12

/* A stack of parts is never deeper: the smaller half is taken first, and it is no longer than half. */
#define CDI_HULL2_STACK 34

/* Work in progress: hull[0] is the leftmost point, hull[1]...hull[right-1] are below the line to the rightmost one, whose
 * place is hull[right], and hull[above] to the end are above it. */
typedef struct cdi_hull2 {
    const cd_vec2 *points;
    uint32_t *hull;
    uint32_t count, right, above;
} cdi_hull2;

/* The points hull[from]...hull[to-1], all to the right of the line from corner a to corner b: the hull may go on between
 * the two through some of them. */
typedef struct cdi_hull2_part {
    uint32_t from, to, a, b;
} cdi_hull2_part;

typedef struct cdi_hull2_stack {
    cdi_hull2_part part[CDI_HULL2_STACK];
    int count;
} cdi_hull2_stack;

static cdi_v2 cdi_hull2_point(const cdi_hull2 *h, uint32_t i) {
    return cdi_v2_of(h->points[i]);
}

static cdi_hull2_part cdi_hull2_part_of(uint32_t from, uint32_t to, uint32_t a, uint32_t b) {
    cdi_hull2_part p;
    p.from = from;
    p.to = to;
    p.a = a;
    p.b = b;
    return p;
}

static void cdi_hull2_push(cdi_hull2_stack *s, const cdi_hull2_part *p) {
    if (p->from == p->to) return;
    CDI_ASSERT(s->count < CDI_HULL2_STACK);
    s->part[s->count++] = *p;
}

/* Both halves of a part, the smaller on top. */
static void cdi_hull2_push_both(cdi_hull2_stack *s, const cdi_hull2_part *p, const cdi_hull2_part *q) {
    bool second = q->to - q->from > p->to - p->from;
    cdi_hull2_push(s, second ? q : p);
    cdi_hull2_push(s, second ? p : q);
}

/* A multiple of n log2 n that grows with n: how much work is thought normal. */
static uint64_t cdi_hull2_patience(uint32_t n) {
    uint64_t bits = 1;
    for (uint32_t rest = n; rest > 1; rest >>= 1) ++bits;
    return 2 * bits * n;
}

/* ---- which points are out of the question ---- */

/* Eight outer points, counter-clockwise, as found in double: left, left and low, low, ... Whichever they are, what is done with
 * them is right. */
enum { CDI_HULL2_OUTER = 8 };

/* Points strictly inside are not corners: in each quarter around them is an outer point. */
typedef struct cdi_hull2_box {
    cdi_v2 lo, hi;
} cdi_hull2_box;

/* The points between which all are in one direction. */
typedef struct cdi_hull2_range {
    double lo, hi;
    uint32_t least, most;
} cdi_hull2_range;

static cdi_hull2_range cdi_hull2_range_at(double x) {
    cdi_hull2_range r;
    r.lo = r.hi = x;
    r.least = r.most = 0;
    return r;
}

static void cdi_hull2_widen(cdi_hull2_range *r, double x, uint32_t i) {
    if (x > r->hi) {
        r->hi = x;
        r->most = i;
    } else if (x < r->lo) {
        r->lo = x;
        r->least = i;
    }
}

/* The outer points of at least one; the first and the fifth are the first and the last from left to right. False when a
 * number is not finite. */
static bool cdi_hull2_find_outer(const cd_vec2 *points, uint32_t count, uint32_t outer[CDI_HULL2_OUTER]) {
    cdi_v2 left = cdi_v2_of(points[0]), right = left;
    cdi_hull2_range y = cdi_hull2_range_at(left.y), sum = cdi_hull2_range_at(left.x + left.y),
                    difference = cdi_hull2_range_at(left.x - left.y);
    outer[0] = outer[4] = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_v2 p = cdi_v2_of(points[i]);
        if (!cdi_finite(p.x) || !cdi_finite(p.y)) return false;
        if (cdi_goes_up(p, left)) left = p, outer[0] = i;
        if (cdi_goes_up(right, p)) right = p, outer[4] = i;
        cdi_hull2_widen(&y, p.y, i);
        cdi_hull2_widen(&sum, p.x + p.y, i);
        cdi_hull2_widen(&difference, p.x - p.y, i);
    }
    outer[1] = sum.least;
    outer[2] = y.least;
    outer[3] = difference.most;
    outer[5] = sum.most;
    outer[6] = y.most;
    outer[7] = difference.least;
    return true;
}

static cdi_hull2_box cdi_hull2_inner_box(const cdi_v2 outer[CDI_HULL2_OUTER]) {
    cdi_hull2_box b;
    b.lo.x = cdi_max(outer[1].x, outer[7].x);
    b.lo.y = cdi_max(outer[1].y, outer[3].y);
    b.hi.x = cdi_min(outer[3].x, outer[5].x);
    b.hi.y = cdi_min(outer[5].y, outer[7].y);
    return b;
}

static bool cdi_hull2_in_box(const cdi_hull2_box *b, cdi_v2 p) {
    return p.x > b->lo.x && p.x < b->hi.x && p.y > b->lo.y && p.y < b->hi.y;
}

/* To the left of the line from a to b beyond doubt. */
static bool cdi_hull2_surely_left(cdi_v2 a, cdi_v2 b, cdi_v2 p) {
    double left = (b.x - a.x) * (p.y - a.y), right = (b.y - a.y) * (p.x - a.x);
    return left - right > CDI_HULL2_BOUND * (cdi_abs(left) + cdi_abs(right)) + CDI_HULL2_LEAST;
}

/* Is p, which is strictly beyond the line between the ends, strictly on this side of the five points? Then they go around it,
 * and it is no corner. */
static bool cdi_hull2_inside_chain(const cdi_v2 *outer, int first, cdi_v2 p) {
    for (int k = first; k < first + 4; ++k) {
        cdi_v2 a = outer[k], b = outer[(k + 1) % CDI_HULL2_OUTER];
        if (!cdi_v2_same(a, b) && !cdi_hull2_surely_left(a, b, p)) return false;
    }
    return true;
}

/* Positive where p is to the left of the line from a to b. */
static double cdi_hull2_side(cdi_v2 a, cdi_v2 b, cdi_v2 p) {
    CDI_COUNT(hull);
    return cdi_orient2d(a, b, p);
}

/* Parts the points that may be corners by the line through the ends. */
static void cdi_hull2_split_by_ends(cdi_hull2 *h, const uint32_t index[CDI_HULL2_OUTER]) {
    cdi_v2 outer[CDI_HULL2_OUTER];
    cdi_hull2_box box;
    uint32_t lower = 1, upper = h->count;
    for (int k = 0; k < CDI_HULL2_OUTER; ++k) outer[k] = cdi_hull2_point(h, index[k]);
    box = cdi_hull2_inner_box(outer);
    for (uint32_t i = 0; i < h->count; ++i) {
        cdi_v2 p = cdi_hull2_point(h, i);
        double side;
        if (cdi_hull2_in_box(&box, p)) continue;
        side = cdi_hull2_side(outer[0], outer[4], p);
        if (side == 0.0 || cdi_hull2_inside_chain(outer, side < 0.0 ? 0 : 4, p)) continue;
        h->hull[side < 0.0 ? lower++ : --upper] = i;
    }
    h->hull[0] = index[0];
    h->hull[lower] = index[4];
    h->right = lower;
    h->above = upper;
}

/* ---- sorting ---- */

/* From left to right (up) or back; equal points by their index. */
typedef struct cdi_hull2_order {
    const cd_vec2 *points;
    bool up;
} cdi_hull2_order;

static bool cdi_hull2_before(const cdi_hull2_order *o, uint32_t i, uint32_t j) {
    cd_vec2 a = o->points[i], b = o->points[j];
    CDI_COUNT(hull);
    if (a.x != b.x) return (a.x < b.x) == o->up;
    if (a.y != b.y) return (a.y < b.y) == o->up;
    return i < j;
}

static void cdi_hull2_insertion_sort(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        uint32_t x = a[i], j = i;
        for (; j > 0 && cdi_hull2_before(o, x, a[j - 1]); --j) a[j] = a[j - 1];
        a[j] = x;
    }
}

static void cdi_hull2_sift(const cdi_hull2_order *o, uint32_t *a, uint32_t root, uint32_t count) {
    uint32_t x = a[root];
    while (root < count / 2) {
        uint32_t child = 2 * root + 1;
        if (child + 1 < count && cdi_hull2_before(o, a[child], a[child + 1])) ++child;
        if (!cdi_hull2_before(o, x, a[child])) break;
        a[root] = a[child];
        root = child;
    }
    a[root] = x;
}

static void cdi_hull2_heap_sort(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) cdi_hull2_sift(o, a, i, count);
    for (uint32_t i = count; i-- > 1;) {
        uint32_t last = a[i];
        a[i] = a[0];
        a[0] = last;
        cdi_hull2_sift(o, a, 0, i);
    }
}

/* The one in the middle. */
static uint32_t cdi_hull2_median(const cdi_hull2_order *o, uint32_t x, uint32_t y, uint32_t z) {
    if (cdi_hull2_before(o, y, x)) {
        uint32_t t = x;
        x = y;
        y = t;
    }
    if (!cdi_hull2_before(o, z, y)) return y;
    return cdi_hull2_before(o, z, x) ? x : z;
}

/* Parts at least three into [0, result) and the rest, none in the first after one in the second, neither empty (Hoare). */
static uint32_t cdi_hull2_partition(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    uint32_t pivot = cdi_hull2_median(o, a[0], a[count / 2], a[count - 1]), i = 0, j = count - 1;
    for (;; ++i, --j) {
        uint32_t t;
        while (cdi_hull2_before(o, a[i], pivot)) ++i;
        while (cdi_hull2_before(o, pivot, a[j])) --j;
        if (i >= j) return i;
        t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

/* Quicksort; what is left when it took too long goes to heapsort. */
static void cdi_hull2_sort(const cdi_hull2_order *o, uint32_t *a, uint32_t count) {
    cdi_hull2_part all = cdi_hull2_part_of(0, count, 0, 0);
    cdi_hull2_stack stack;
    uint64_t work = 0, patience = cdi_hull2_patience(count);
    stack.count = 0;
    cdi_hull2_push(&stack, &all);
    while (stack.count > 0) {
        cdi_hull2_part p = stack.part[--stack.count], low = p, high = p;
        uint32_t size = p.to - p.from;
        work += size;
        if (size <= CDI_HULL2_SHORT) {
            cdi_hull2_insertion_sort(o, a + p.from, size);
        } else if (work > patience) {
            cdi_hull2_heap_sort(o, a + p.from, size);
        } else {
            low.to = high.from = p.from + cdi_hull2_partition(o, a + p.from, size);
            cdi_hull2_push_both(&stack, &low, &high);
        }
    }
}

/* ---- Andrew's algorithm ---- */

/* Keeps the corners of sorted points, and drops the others. */
static void cdi_hull2_walk(cdi_hull2 *h, const cdi_hull2_part *part) {
    uint32_t *hull = h->hull, from = part->from, top = from;
    for (uint32_t i = from; i <= part->to; ++i) {
        uint32_t index = i < part->to ? hull[i] : part->b;
        cdi_v2 p = cdi_hull2_point(h, index);
        if (top > from && cdi_v2_same(cdi_hull2_point(h, hull[top - 1]), p)) continue;
        while (top > from) {
            cdi_v2 before = cdi_hull2_point(h, top - from > 1 ? hull[top - 2] : part->a);
            if (cdi_hull2_side(before, cdi_hull2_point(h, hull[top - 1]), p) > 0.0) break;
            --top;
        }
        if (i < part->to) hull[top++] = index;
    }
    for (; top < part->to; ++top) hull[top] = CDI_HULL2_DROPPED;
}

static void cdi_hull2_finish_sorted(cdi_hull2 *h, const cdi_hull2_part *part) {
    cdi_hull2_order order;
    order.points = h->points;
    order.up = cdi_goes_up(cdi_hull2_point(h, part->a), cdi_hull2_point(h, part->b));
    cdi_hull2_sort(&order, h->hull + part->from, part->to - part->from);
    cdi_hull2_walk(h, part);
}

/* ---- Quickhull ---- */

/* How far p is to the right of the line from a to b, times their distance, and by how much that may be wrong. */
typedef struct cdi_hull2_height {
    double value, error;
} cdi_hull2_height;

static cdi_hull2_height cdi_hull2_height_of(cdi_v2 a, cdi_v2 b, cdi_v2 p) {
    double left = (b.y - a.y) * (p.x - a.x), right = (b.x - a.x) * (p.y - a.y);
    cdi_hull2_height h;
    CDI_COUNT(hull);
    h.value = left - right;
    h.error = CDI_HULL2_BOUND * (cdi_abs(left) + cdi_abs(right)) + CDI_HULL2_LEAST;
    return h;
}

/* Exactly; of equally far ones the first from left to right, of equal ones the one with the smaller index. */
static bool cdi_hull2_farther_exact(const cdi_hull2 *h, const cdi_hull2_part *part, uint32_t i,
                                    uint32_t best) {
    cdi_v2 p = cdi_hull2_point(h, i), q = cdi_hull2_point(h, best);
    double turn = cdi_orient_edges(cdi_hull2_point(h, part->a), cdi_hull2_point(h, part->b), q, p);
    CDI_COUNT(hull);
    if (turn != 0.0) return turn < 0.0;
    return cdi_goes_up(p, q) || (cdi_v2_same(p, q) && i < best);
}

/* Where in `hull` the farthest point of a part is; it is a corner. */
static uint32_t cdi_hull2_farthest(const cdi_hull2 *h, const cdi_hull2_part *part) {
    cdi_v2 a = cdi_hull2_point(h, part->a), b = cdi_hull2_point(h, part->b);
    uint32_t best = part->from;
    cdi_hull2_height most = cdi_hull2_height_of(a, b, cdi_hull2_point(h, h->hull[best]));
    for (uint32_t i = part->from + 1; i < part->to; ++i) {
        cdi_hull2_height x = cdi_hull2_height_of(a, b, cdi_hull2_point(h, h->hull[i]));
        double ahead = x.value - most.value, error = x.error + most.error;
        if (-ahead > error) continue;
        if (ahead > error || cdi_hull2_farther_exact(h, part, h->hull[i], h->hull[best])) {
            most = x;
            best = i;
        }
    }
    return best;
}

/* Takes the farthest point as a corner between the points outside the line to it and those outside the line from it, and
 * drops those inside both. */
static void cdi_hull2_split(cdi_hull2 *h, const cdi_hull2_part *part, cdi_hull2_part *first,
                            cdi_hull2_part *second) {
    uint32_t *hull = h->hull, place = cdi_hull2_farthest(h, part), corner = hull[place];
    uint32_t low = part->from, high = part->to;
    cdi_v2 a = cdi_hull2_point(h, part->a), b = cdi_hull2_point(h, part->b), c = cdi_hull2_point(h, corner);
    hull[place] = hull[low]; /* which is free from here on */
    for (uint32_t i = low + 1; i < high;) {
        uint32_t index = hull[i];
        cdi_v2 p = cdi_hull2_point(h, index);
        if (cdi_hull2_side(a, c, p) < 0.0) {
            hull[low++] = index;
            ++i;
        } else if (cdi_hull2_side(c, b, p) < 0.0) {
            hull[i] = hull[--high];
            hull[high] = index;
        } else {
            ++i;
        }
    }
    hull[low] = corner;
    for (uint32_t i = low + 1; i < high; ++i) hull[i] = CDI_HULL2_DROPPED;
    *first = cdi_hull2_part_of(part->from, low, part->a, corner);
    *second = cdi_hull2_part_of(high, part->to, corner, part->b);
}

/* A part may lose but one point at each split: when that has cost too much, the parts left are sorted. */
static void cdi_hull2_split_all(cdi_hull2 *h, const cdi_hull2_part *below, const cdi_hull2_part *above) {
    cdi_hull2_stack stack;
    uint64_t work = 0, patience = cdi_hull2_patience(below->to - below->from + above->to - above->from);
    stack.count = 0;
    cdi_hull2_push_both(&stack, below, above);
    while (stack.count > 0) {
        cdi_hull2_part part = stack.part[--stack.count], first, second;
        work += part.to - part.from;
        if (work > patience) {
            cdi_hull2_finish_sorted(h, &part);
        } else {
            cdi_hull2_split(h, &part, &first, &second);
            cdi_hull2_push_both(&stack, &first, &second);
        }
    }
}

/* ---- what both have in common ---- */

/* The corners without gaps; how many. */
static uint32_t cdi_hull2_close_up(cdi_hull2 *h) {
    uint32_t *hull = h->hull, n = 0;
    for (uint32_t i = 0; i <= h->right; ++i) {
        if (hull[i] != CDI_HULL2_DROPPED) hull[n++] = hull[i];
    }
    for (uint32_t i = h->above; i < h->count; ++i) {
        if (hull[i] != CDI_HULL2_DROPPED) hull[n++] = hull[i];
    }
    return n;
}

/* The hull of at least one finite point whose outer ones are known. */
static uint32_t cdi_hull2_run(cdi_hull2 *h, const uint32_t outer[CDI_HULL2_OUTER], bool quick) {
    cdi_hull2_part below, above;
    h->hull[0] = outer[0];
    if (cdi_v2_same(cdi_hull2_point(h, outer[0]), cdi_hull2_point(h, outer[4]))) return 1;
    cdi_hull2_split_by_ends(h, outer);
    below = cdi_hull2_part_of(1, h->right, outer[0], outer[4]);
    above = cdi_hull2_part_of(h->above, h->count, outer[4], outer[0]);
    if (quick) {
        cdi_hull2_split_all(h, &below, &above);
    } else {
        cdi_hull2_finish_sorted(h, &below);
        cdi_hull2_finish_sorted(h, &above);
    }
    return cdi_hull2_close_up(h);
}

static cd_status cdi_hull2_build(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count,
                                 bool quick) {
    cdi_hull2 h;
    uint32_t outer[CDI_HULL2_OUTER];
    *hull_count = 0;
    if (count >= 0xFFFFFFFFu) return CD_TOO_LARGE;
    if (count == 0) return CD_OK;
    h.points = points;
    h.hull = hull;
    h.count = (uint32_t)count;
    h.right = h.above = 0;
    if (!cdi_hull2_find_outer(points, h.count, outer)) return CD_INVALID_ARGUMENT;
    *hull_count = cdi_hull2_run(&h, outer, quick);
    return CD_OK;
}

CD_API cd_status cd_hull2_andrew(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count) {
    return cdi_hull2_build(points, count, hull, hull_count, false);
}

CD_API cd_status cd_hull2_quickhull(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count) {
    return cdi_hull2_build(points, count, hull, hull_count, true);
}

#undef CDI_HULL2_BOUND
#undef CDI_HULL2_LEAST
#undef CDI_HULL2_DROPPED
#undef CDI_HULL2_SHORT
#undef CDI_HULL2_STACK
