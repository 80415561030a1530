/* The builders: every node of the canonical tree against its rule, worked out anew from the items below; the same bytes for
 * every executor; whatever may fail on the way. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 300 };

/* ---- a canonical tree ---- */

static cd_aabb item_boxes[ITEMS];

static void begin_tree(cdi_builder *b, const cd_bvh_options *o, uint32_t count) {
    memset(b, 0, sizeof *b);
    b->source.kind = CD_BVH_BOXES;
    b->source.count = count;
    b->source.boxes = item_boxes;
    b->options = o;
    b->allocator = o->allocator;
    b->executor = o->executor;
    b->leaf_size = o->leaf_size ? o->leaf_size : 4;
    b->box = (cdi_box *)cdi_alloc(&b->allocator, count, sizeof *b->box);
    b->order = (uint32_t *)cdi_alloc(&b->allocator, count, sizeof *b->order);
    b->node = (cdi_binary_node *)cdi_alloc(&b->allocator, 2 * (size_t)count, sizeof *b->node);
    for (uint32_t i = 0; i < count; ++i) {
        cdi_box box = cdi_box_of_aabb(item_boxes[i]);
        b->box[i] = box;
        b->order[i] = i;
    }
    b->count = count;
}

static void end_tree(cdi_builder *b) {
    size_t count = b->source.count;
    cdi_free(&b->allocator, b->node, 2 * count, sizeof *b->node);
    cdi_free(&b->allocator, b->order, count, sizeof *b->order);
    cdi_free(&b->allocator, b->box, count, sizeof *b->box);
}

/* ---- the items of a node, and numbers of them ---- */

typedef struct run {
    const cdi_builder *b;
    uint32_t first, count, left, depth; /* `left` of them are in the left child */
    cdi_box box, middles;
    cdi_box frame; /* of the curve */
} run;

static double lo_of(const cdi_box *b, int k) {
    return (double)b->v[k];
}
static double hi_of(const cdi_box *b, int k) {
    return -(double)b->v[4 + k];
}

static cdi_box box_of_items(const run *r, uint32_t from, uint32_t to) {
    cdi_box box = cdi_box_empty();
    for (uint32_t i = from; i < to; ++i) {
        for (int k = 0; k < 8; ++k) {
            if (r->b->box[i].v[k] < box.v[k]) box.v[k] = r->b->box[i].v[k];
        }
    }
    return box;
}

static double middle_of(const run *r, uint32_t i, int k) {
    return (double)(cd_real)(0.5 * lo_of(&r->b->box[i], k) + 0.5 * hi_of(&r->b->box[i], k));
}

static void measure(run *r) {
    r->box = box_of_items(r, r->first, r->first + r->count);
    r->middles = cdi_box_empty();
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            cd_real m = (cd_real)middle_of(r, i, k);
            if (m < r->middles.v[k]) r->middles.v[k] = m;
            if (-m < r->middles.v[4 + k]) r->middles.v[4 + k] = -m;
        }
    }
}

static double extent_on(const run *r, int k) {
    return 0.5 * hi_of(&r->middles, k) - 0.5 * lo_of(&r->middles, k);
}

static bool all_in_one_place(const run *r) {
    return !(extent_on(r, 0) > 0 || extent_on(r, 1) > 0 || extent_on(r, 2) > 0);
}

/* ---- axes ---- */

typedef struct axis {
    double dir[3];
    bool exact, known; /* one of x, y, z; no other is nearly as good */
} axis;

static axis world_axis(int k) {
    axis a = {{0, 0, 0}, true, true};
    a.dir[k] = 1;
    return a;
}

static int longest_of(const double x[3]) {
    return x[0] >= x[1] && x[0] >= x[2] ? 0 : x[1] >= x[2] ? 1 : 2;
}

static void moments_of(const run *r, double c[3][3]) {
    double mean[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        double from = lo_of(&r->middles, k); /* taken off first, lest digits be lost far from the origin */
        for (uint32_t i = 0; i < r->count; ++i) mean[k] += (middle_of(r, r->first + i, k) - from) / r->count;
    }
    for (int j = 0; j < 9; ++j) {
        c[j / 3][j % 3] = 0;
        for (uint32_t i = r->first; i < r->first + r->count; ++i) {
            double x = middle_of(r, i, j / 3) - lo_of(&r->middles, j / 3) - mean[j / 3];
            double y = middle_of(r, i, j % 3) - lo_of(&r->middles, j % 3) - mean[j % 3];
            c[j / 3][j % 3] += x * y / r->count;
        }
    }
}

static void normalise(double v[3]) {
    double s = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))), length;
    if (s == 0) return;
    for (int k = 0; k < 3; ++k) v[k] /= s;
    length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; ++k) v[k] /= length;
}

static axis axis_of_variance(const run *r) {
    double c[3][3], d[3];
    axis a;
    int best, second;
    moments_of(r, c);
    for (int k = 0; k < 3; ++k) d[k] = c[k][k];
    best = longest_of(d);
    a = world_axis(best);
    d[best] = -1;
    second = longest_of(d);
    a.known = c[second][second] < 0.999 * c[best][best];
    return a;
}

/* By powers of a matrix. */
static void draw_out(double c[3][3], double v[3]) {
    for (int times = 0; times < 60; ++times) {
        double from[3];
        normalise(v);
        memcpy(from, v, sizeof from);
        for (int k = 0; k < 3; ++k) v[k] = c[k][0] * from[0] + c[k][1] * from[1] + c[k][2] * from[2];
    }
    normalise(v);
}

/* Known when it is drawn out of two vectors alike. */
static axis principal_axis(const run *r) {
    double c[3][3], other[3] = {-0.3, 0.5, 1}, same = 0;
    axis a = {{1, 0.618, 0.37}, false, false};
    moments_of(r, c);
    draw_out(c, a.dir);
    draw_out(c, other);
    for (int k = 0; k < 3; ++k) same += a.dir[k] * other[k];
    a.known = fabs(same) > 1 - 1e-14;
    return a;
}

static double distance_to(const run *r, uint32_t i, const double from[3]) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += (middle_of(r, i, k) - from[k]) * (middle_of(r, i, k) - from[k]);
    return sqrt(sum);
}

/* Which middles may be taken for the farthest from a place that is known to within `off`? */
static uint32_t farthest_from(const run *r, const double from[3], double off, uint32_t *found) {
    double most = 0;
    uint32_t count = 0;
    for (uint32_t i = r->first; i < r->first + r->count; ++i) most = fmax(most, distance_to(r, i, from));
    for (uint32_t i = r->first; i < r->first + r->count; ++i)
        if (distance_to(r, i, from) >= most * (1 - 1e-14) - 2 * off) found[count++] = i;
    return count;
}

static axis axis_between(const run *r, uint32_t i, uint32_t j) {
    axis a = {{0, 0, 0}, false, true};
    for (int k = 0; k < 3; ++k) a.dir[k] = middle_of(r, j, k) - middle_of(r, i, k);
    normalise(a.dir);
    return a;
}

static axis axis_of(const run *r) {
    double extent[3];
    int k = (int)(r->depth % 3);
    for (int j = 0; j < 3; ++j) extent[j] = extent_on(r, j);
    switch (r->b->options->axis) {
    case CD_BVH_AXIS_VARIANCE: return axis_of_variance(r);
    case CD_BVH_AXIS_PRINCIPAL: return principal_axis(r);
    case CD_BVH_AXIS_LONGEST: return world_axis(longest_of(extent));
    default:
        while (!(extent[k] > 0)) k = (k + 1) % 3;
        return world_axis(k);
    }
}

/* ---- rules ---- */

/* Along x, y or z as it is; else from the middle of the middles, lest places far from the origin lose their digits. */
static double place_at(const run *r, const axis *a, const double p[3]) {
    double place = 0;
    for (int k = 0; k < 3; ++k) {
        double from = a->exact ? 0 : 0.5 * lo_of(&r->middles, k) + 0.5 * hi_of(&r->middles, k);
        place += a->dir[k] * (p[k] - from);
    }
    return place;
}

static double place_of(const run *r, const axis *a, uint32_t i) {
    double p[3];
    for (int k = 0; k < 3; ++k) p[k] = middle_of(r, i, k);
    return place_at(r, a, p);
}

typedef struct sides {
    double lo, left_most, right_least, hi; /* places */
    uint32_t left_index, right_index;      /* of the two in the middle */
} sides;

static sides sides_of(const run *r, const axis *a) {
    sides s = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, 0, 0};
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        double p = place_of(r, a, i);
        uint32_t index = r->b->order[i];
        s.lo = fmin(s.lo, p);
        s.hi = fmax(s.hi, p);
        if (i < r->first + r->left) {
            if (p > s.left_most || (p == s.left_most && index > s.left_index)) s.left_index = index;
            s.left_most = fmax(s.left_most, p);
        } else {
            if (p < s.right_least || (p == s.right_least && index < s.right_index)) s.right_index = index;
            s.right_least = fmin(s.right_least, p);
        }
    }
    return s;
}

static bool is_median(const run *r, const axis *a, const sides *s, double slack) {
    if (r->left != r->count / 2 || s->left_most > s->right_least + slack) return false;
    return !a->exact || s->left_most < s->right_least || s->left_index < s->right_index;
}

/* Cut at `at`, or, where that leaves a side empty, at the median. */
static bool is_cut_at(const run *r, const axis *a, const sides *s, double at, double slack) {
    if (s->left_most < at + slack && s->right_least >= at - slack) return true;
    return (s->lo >= at - slack || s->hi < at + slack) && is_median(r, a, s, slack);
}

/* Half the surface, of sides made smaller where there are very long ones, or longer. */
static double shrink = 1;
static double area_of(const cdi_box *b) {
    double s[3];
    if (shrink == 1) return cdi_box_area(b);
    for (int k = 0; k < 3; ++k) s[k] = (hi_of(b, k) - lo_of(b, k)) * shrink;
    return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

static double cost_of(const run *r) {
    cdi_box left = box_of_items(r, r->first, r->first + r->left);
    cdi_box right = box_of_items(r, r->first + r->left, r->first + r->count);
    return area_of(&left) * (double)r->left + area_of(&right) * (double)(r->count - r->left);
}

/* The cost when all whose number in `value` is below `at` go left; huge when a side is empty. */
static double cost_below(const run *r, const double *value, double at) {
    cdi_box side[2];
    double count[2] = {0, 0};
    side[0] = side[1] = cdi_box_empty();
    for (uint32_t i = 0; i < r->count; ++i) {
        int right = !(value[i] < at);
        cdi_box_grow(&side[right], &r->b->box[r->first + i]);
        ++count[right];
    }
    if (count[0] == 0 || count[1] == 0) return HUGE_VAL;
    return area_of(&side[0]) * count[0] + area_of(&side[1]) * count[1];
}

static double least_candidate(const run *r, const axis *a, const sides *s) {
    uint32_t slabs = (r->b->options->candidates ? r->b->options->candidates : 7) + 1;
    double value[ITEMS], least = HUGE_VAL;
    for (uint32_t i = 0; i < r->count; ++i)
        value[i] = (place_of(r, a, r->first + i) - s->lo) * ((double)slabs / (s->hi - s->lo));
    for (uint32_t j = 1; j < slabs; ++j) least = fmin(least, cost_below(r, value, (double)j));
    return least;
}

static double least_bin(const run *r) {
    cd_real bins = r->count < 12 ? 4 : r->count < 64 ? 8 : 16, scale;
    double least = HUGE_VAL, value[ITEMS];
    for (int k = 0; k < 3; ++k) {
        cd_real lo = r->middles.v[k], extent = -r->middles.v[4 + k] - lo;
        if (!(extent > 0)) continue;
        scale = bins * (1 - 8 * CD_REAL_EPSILON) / extent;
        for (uint32_t i = 0; i < r->count; ++i)
            value[i] = (double)(((cd_real)middle_of(r, r->first + i, k) - lo) * scale);
        for (int j = 1; j < (int)bins; ++j) least = fmin(least, cost_below(r, value, j));
    }
    return least;
}

/* Every cut of every order. An item's number is how many come before it. */
static double least_swept(const run *r) {
    double least = HUGE_VAL, value[ITEMS];
    for (int k = 0; k < 3; ++k) {
        if (!(extent_on(r, k) > 0)) continue;
        for (uint32_t i = 0; i < r->count; ++i) {
            value[i] = 0;
            for (uint32_t j = 0; j < r->count; ++j) {
                double p = middle_of(r, r->first + i, k), q = middle_of(r, r->first + j, k);
                value[i] += q < p || (q == p && r->b->order[r->first + j] < r->b->order[r->first + i]);
            }
        }
        for (uint32_t j = 1; j < r->count; ++j) least = fmin(least, cost_below(r, value, (double)j));
    }
    return least;
}

static double longest_side(const cdi_box *b) {
    double longest = 0;
    for (int k = 0; k < 3; ++k) longest = fmax(longest, hi_of(b, k) - lo_of(b, k));
    return longest;
}

/* Of all cuts between bins the cheapest, as far as costs of rounded numbers tell; at the median where no plane costs anything, or
 * what cannot be said. */
static bool is_cut_by_bins(const run *r) {
    double longest = longest_side(&r->box), least, cost, all, extent[3];
    axis a;
    sides s;
    bool kept;
    for (int k = 0; k < 3; ++k) extent[k] = extent_on(r, k);
    a = world_axis(longest_of(extent));
    s = sides_of(r, &a);
    if (!(longest <= (double)CD_REAL_MAX && 1 / longest <= (double)CD_REAL_MAX))
        return is_median(r, &a, &s, 0);
    shrink = 1 / longest * (longest == 1 ? 1 + 1e-15 : 1);
    least = least_bin(r);
    cost = cost_of(r);
    all = area_of(&r->box);
    kept = cost <= least * (1 + 8 * CD_REAL_EPSILON) + 1e-35 && least < CDI_HUGE;
    if (all < 2e-30 || least >= CDI_HUGE) kept = kept || is_median(r, &a, &s, 0);
    shrink = 1;
    return kept;
}

/* Morton's code of eleven steps, bit by bit. */
static uint64_t code_of(const cdi_box *middles, const cdi_box *box) {
    uint64_t code = 0, step[3];
    double half = 0;
    cd_real scale;
    for (int k = 0; k < 3; ++k) half = fmax(half, 0.5 * hi_of(middles, k) - 0.5 * lo_of(middles, k));
    scale = half > 0 ? (cd_real)fmin(1024 / half, (double)CD_REAL_MAX) : 0;
    for (int k = 0; k < 3; ++k) {
        cd_real m = (cd_real)(0.5 * lo_of(box, k) + 0.5 * hi_of(box, k));
        cd_real s = (m - middles->v[k]) * scale;
        step[k] = s > 2047 ? 2047 : (uint64_t)s;
    }
    for (int bit = 10; bit >= 0; --bit) {
        for (int k = 0; k < 3; ++k) code = code << 1 | (step[k] >> bit & 1);
    }
    return code;
}

static const cdi_box *whole_middles;

/* At the highest bit that changes, of a curve of their own where all are in one place on the one they were on. */
static bool is_cut_by_code(run *r) {
    const cdi_box *first = &r->b->box[r->first], *last = first + r->count - 1, *left = first + r->left - 1;
    uint64_t differ = code_of(&r->frame, first) ^ code_of(&r->frame, last), bit = 1;
    if (differ == 0) {
        if (all_in_one_place(r)) return r->left == r->count / 2;
        r->frame = r->middles;
        differ = code_of(&r->frame, first) ^ code_of(&r->frame, last);
        if (differ == 0) return r->left == r->count / 2;
    }
    while (differ >>= 1) bit *= 2;
    return !(code_of(&r->frame, left) & bit) && (code_of(&r->frame, left + 1) & bit);
}

static bool is_by_plane_across(const run *r, axis a) {
    sides s = sides_of(r, &a);
    double slack = a.exact ? 0 : 1e-5 * (s.hi - s.lo), at = 0, m[3];
    switch (r->b->options->method) {
    case CD_BVH_OBJECT_MEDIAN: return is_median(r, &a, &s, slack);
    case CD_BVH_OBJECT_MEAN:
        for (uint32_t i = r->first; i < r->first + r->count; ++i)
            at += (place_of(r, &a, i) - s.lo) / r->count;
        slack = 1e-5 * (s.hi - s.lo);
        s.left_most -= s.lo, s.right_least -= s.lo, s.hi -= s.lo, s.lo = 0;
        return is_cut_at(r, &a, &s, at, slack);
    case CD_BVH_SPATIAL_MEDIAN: return is_cut_at(r, &a, &s, 0.5 * s.lo + 0.5 * s.hi, slack);
    case CD_BVH_BOX_MIDDLE:
        for (int k = 0; k < 3; ++k)
            m[k] = (double)(cd_real)(0.5 * lo_of(&r->box, k) + 0.5 * hi_of(&r->box, k));
        return is_cut_at(r, &a, &s, place_at(r, &a, m), slack);
    default:
        if (!a.exact) return s.left_most <= s.right_least + slack;
        return cost_of(r) == least_candidate(r, &a, &s) ||
               (least_candidate(r, &a, &s) >= CDI_HUGE && is_median(r, &a, &s, slack));
    }
}

/* From the middle farthest from that of all to the one farthest from there. The middle of all is rounded: where two are about as
 * far from it, either may be the first. */
static bool is_by_farthest_plane(const run *r) {
    uint32_t first[ITEMS], second[ITEMS], firsts, seconds;
    double middle[3], at[3], off = 0;
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.5 * lo_of(&r->middles, k) + 0.5 * hi_of(&r->middles, k);
        off += (double)CD_REAL_EPSILON * fabs(middle[k]);
    }
    firsts = farthest_from(r, middle, off, first);
    for (uint32_t i = 0; i < firsts; ++i) {
        for (int k = 0; k < 3; ++k) at[k] = middle_of(r, first[i], k);
        seconds = farthest_from(r, at, 0, second);
        for (uint32_t j = 0; j < seconds; ++j)
            if (is_by_plane_across(r, axis_between(r, first[i], second[j]))) return true;
    }
    return false;
}

/* The principal axis may point either way. */
static bool is_by_plane(const run *r) {
    axis a;
    if (r->b->options->axis == CD_BVH_AXIS_FARTHEST) return is_by_farthest_plane(r);
    a = axis_of(r);
    if (!a.known || is_by_plane_across(r, a)) return true;
    for (int k = 0; k < 3; ++k) a.dir[k] = -a.dir[k];
    return r->b->options->axis == CD_BVH_AXIS_PRINCIPAL && is_by_plane_across(r, a);
}

static bool rule_is_kept(run *r) {
    uint32_t method = r->b->options->method;
    double least;
    if (r->depth >= CDI_COST_DEPTH) return r->left == r->count / 2;
    if (method == CD_BVH_LINEAR) return is_cut_by_code(r);
    if (all_in_one_place(r)) return r->left == r->count / 2;
    if (method > CD_BVH_SAH_SWEPT) return is_by_plane(r);
    if (method == CD_BVH_SAH_BINNED) return is_cut_by_bins(r);
    least = least_swept(r);
    return cost_of(r) == least || least >= CDI_HUGE;
}

static bool is_small_enough(const run *r) {
    double extent = (double)r->b->options->leaf_extent;
    bool small = extent > 0 && r->count <= 64;
    for (int k = 0; k < 3; ++k)
        small = small && 0.5 * hi_of(&r->box, k) - 0.5 * lo_of(&r->box, k) <= 0.5 * extent;
    return r->count <= r->b->leaf_size || small;
}

/* The subtree in `slot`, of the run's first, count and depth. Returns how many levels it has. */
static uint32_t check_subtree(run r, uint32_t slot) {
    const cdi_binary_node *n = &r.b->node[slot];
    run left = r, right = r;
    uint32_t a, b;
    measure(&r);
    if (!CHECK(!memcmp(n->box.v, r.box.v, 3 * sizeof(cd_real)) &&
               !memcmp(n->box.v + 4, r.box.v + 4, 3 * sizeof(cd_real))))
        return 0;
    CHECK_INT(n->count > 0, is_small_enough(&r));
    if (n->count) {
        CHECK(n->next == r.first && n->count == r.count);
        return 1;
    }
    if (!CHECK(n->next > slot + 1 && n->next < 2 * r.b->count)) return 0;
    r.left = cdi_first_item(r.b, n->next) - r.first;
    if (!CHECK(r.left > 0 && r.left < r.count && n->next <= slot + 2 * r.left)) return 0;
    CHECK(rule_is_kept(&r));
    left.frame = right.frame = r.frame;
    left.count = r.left;
    right.first = r.first + r.left;
    right.count = r.count - r.left;
    left.depth = right.depth = r.depth + 1;
    a = check_subtree(left, slot + 1);
    b = check_subtree(right, n->next);
    return 1 + (a > b ? a : b);
}

static void check_order(const cdi_builder *b) {
    bool met[ITEMS] = {false};
    for (uint32_t i = 0; i < b->count; ++i) {
        cdi_box box = cdi_box_of_aabb(item_boxes[b->order[i]]);
        CHECK(!met[b->order[i]] && !memcmp(&b->box[i], &box, sizeof box));
        met[b->order[i]] = true;
        if (b->options->method != CD_BVH_LINEAR || i == 0) continue;
        CHECK(code_of(whole_middles, &b->box[i - 1]) <= code_of(whole_middles, &b->box[i]));
    }
}

/* Boxes along a curve stay where they were, unless something else is to come. */
static void put_boxes_in_order(cdi_builder *b) {
    for (uint32_t i = 0; i < b->count; ++i) {
        cdi_box box = cdi_box_of_aabb(item_boxes[i]);
        CHECK(!memcmp(&b->box[i], &box, sizeof box));
    }
    for (uint32_t i = 0; i < b->count; ++i) {
        cdi_box box = cdi_box_of_aabb(item_boxes[b->order[i]]);
        b->box[i] = box;
    }
}

static void check_tree(const cd_bvh_options *o, uint32_t count) {
    cdi_builder b;
    run all;
    memset(&all, 0, sizeof all);
    begin_tree(&b, o, count);
    CHECK_INT(o->method == CD_BVH_LINEAR ? cdi_build_linear(&b) : cdi_build_topdown(&b), CD_OK);
    if (o->method == CD_BVH_LINEAR && !o->optimise) put_boxes_in_order(&b);
    all.b = &b;
    all.count = count;
    measure(&all);
    all.frame = all.middles;
    whole_middles = &all.middles;
    check_order(&b);
    CHECK(check_subtree(all, 0) <= CDI_BINARY_DEPTH);
    end_tree(&b);
}

/* Boxes, points, or few boxes many times. */
static void draw_items(test_rng *rng, uint32_t count) {
    gen g = gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
    int kind = test_int(rng, 0, 5), flat = test_int(rng, 0, 8);
    for (uint32_t i = 0; i < count; ++i) {
        item_boxes[i] = gen_aabb(&g);
        if (kind == 0) item_boxes[i].max = item_boxes[i].min;
        if (kind == 1 && i > 3) item_boxes[i] = item_boxes[test_int(rng, 0, 3)];
        if (flat < 3) (REALS(item_boxes[i].min))[flat] = (REALS(item_boxes[i].max))[flat] = 0;
    }
}

static void draw_options(test_rng *rng, cd_bvh_options *o) {
    memset(o, 0, sizeof *o);
    o->method = (uint32_t)test_int(rng, 0, 7);
    o->axis = (uint32_t)test_int(rng, 0, 4);
    o->leaf_size = (uint32_t)test_int(rng, 0, 5);
    o->layout = (uint32_t)test_int(rng, 0, 2);
    o->candidates = (uint32_t)test_int(rng, 0, 12);
}

static void every_node_keeps_its_rule(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        uint32_t count = (uint32_t)test_int(&rng, 1, test_int(&rng, 0, 9) ? 40 : ITEMS);
        cd_bvh_options o;
        draw_options(&rng, &o);
        draw_items(&rng, count);
        if (!test_int(&rng, 0, 4)) o.leaf_extent = (cd_real)test_range(&rng, 0, 1);
        o.optimise =
            (uint32_t)test_int(&rng, 0, 1); /* as a builder sees it: it is to leave the boxes in order */
        test_note("method %u axis %u leaf size %u candidates %u, %u items", (unsigned)o.method,
                  (unsigned)o.axis, (unsigned)o.leaf_size, (unsigned)o.candidates, (unsigned)count);
        check_tree(&o, count);
    }
}

/* ---- whole trees ---- */

static gen_named_mesh meshes[16];
static int mesh_count;

static void setup(void) {
    test_rng rng;
    rng.state = 7;
    mesh_count = gen_all_meshes(&rng, meshes);
}

static void teardown(void) {
    for (int m = 0; m < mesh_count; ++m) gen_mesh_free(&meshes[m].mesh);
}

static uint32_t largest_leaf(const cd_bvh *tree) {
    uint32_t largest_count = 0;
    cdi_bvh t;
    cdi_bvh_node scratch;
    memset(&t, 0, sizeof t);
    if (!CHECK(cdi_bvh_open(&t, tree))) return 0;
    for (uint32_t n = 0; n < t.header->node_count; ++n) {
        const cdi_bvh_node *node;
        if (t.layout == CD_BVH_BINARY && n > 0 && ((const cdi_bvh_binary_node *)t.nodes)[n].count) continue;
        node = cdi_bvh_at(&t, n, &scratch);
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i)
            largest_count = node->count[i] > largest_count ? node->count[i] : largest_count;
    }
    return largest_count;
}

static void trees_of_meshes_are_sound(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        const gen_named_mesh *m = &meshes[test_int(&rng, 0, mesh_count - 1)];
        cd_mesh_view view = gen_mesh_view(&m->mesh);
        static const uint32_t sizes[] = {0, 1, 13, 64};
        cd_bvh_options o;
        cd_bvh t;
        draw_options(&rng, &o);
        o.leaf_size = sizes[test_int(&rng, 0, 3)];
        test_note("%s, method %u axis %u leaf size %u", m->name, (unsigned)o.method, (unsigned)o.axis,
                  (unsigned)o.leaf_size);
        memset(&test_counted, 0, sizeof test_counted);
        CHECK_INT(ASK("judge", cd_bvh_build_mesh(&t, &view, &o)), CD_OK);
        CHECK(test_counted.build <= 400 * (uint64_t)m->mesh.triangle_count + 1000);
        CHECK_INT(ASK("judge", cd_bvh_validate(&t)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_get_stats(&t)).primitive_count, m->mesh.triangle_count);
        CHECK(ASK("judge", cd_bvh_get_stats(&t)).depth <= 80);
        CHECK(largest_leaf(&t) <= (o.leaf_size ? o.leaf_size : 4));
        cd_bvh_destroy(&t);
    }
}

/* Positions and indices that follow each other, said by strides or by none. */
static void strides_may_be_left_out(void) {
    for (int m = 0; m < mesh_count; m += 3) {
        cd_mesh_view view = gen_mesh_view(&meshes[m].mesh);
        cd_bvh a, b;
        CHECK_INT(cd_bvh_build_mesh(&a, &view, NULL), CD_OK);
        for (int left_out = 1; left_out < 4; ++left_out) {
            view.stride = left_out & 1 ? 0 : 3 * sizeof(cd_real);
            view.index_stride = left_out & 2 ? 0 : 3 * sizeof(uint32_t);
            test_note("%s, %d ", meshes[m].name, left_out);
            CHECK_INT(ASK("forms", cd_bvh_build_mesh(&b, &view, NULL)), CD_OK);
            CHECK(a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
            cd_bvh_destroy(&b);
        }
        cd_bvh_destroy(&a);
    }
}

/* Coordinates of every size, the largest and the least among them, in a few points or many, identical ones among them. */
static void hostile_items_do_no_harm(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        cd_vec3 p[ITEMS];
        uint32_t count = (uint32_t)test_int(&rng, 1, test_int(&rng, 0, 3) ? 12 : ITEMS);
        cd_bvh_options o;
        cd_bvh t;
        int kind = test_int(&rng, 0, 3);
        for (uint32_t k = 0; k < 3 * count; ++k) {
            cd_real x = gen_any_real(&rng);
            if (kind == 0) x = test_int(&rng, 0, 1) ? CD_REAL_MAX : -CD_REAL_MAX;
            if (kind == 1) x = (cd_real)test_int(&rng, -3, 3) * cdi_real_of_bits(1);
            if (kind == 2 && test_int(&rng, 0, 3)) x = 1;
            REALS(p[0])[k] = x;
        }
        draw_options(&rng, &o);
        test_note("kind %d method %u axis %u layout %u", kind, (unsigned)o.method, (unsigned)o.axis,
                  (unsigned)o.layout);
        memset(&test_counted, 0, sizeof test_counted);
        CHECK_INT(ASK("judge", cd_bvh_build_points(&t, p, count, &o)), CD_OK);
        CHECK(test_counted.build <= 2000 * (uint64_t)count);
        CHECK_INT(ASK("judge", cd_bvh_validate(&t)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_get_stats(&t)).primitive_count, count);
        cd_bvh_destroy(&t);
    }
}

/* Identical boxes, and boxes in a geometric series. */
static void no_build_is_quadratic(void) {
    const uint32_t n = (uint32_t)test_times(30000);
    cd_aabb *boxes = (cd_aabb *)malloc(n * sizeof *boxes);
    for (int series = 0; series < 2; ++series) {
        for (uint32_t i = 0; i < n; ++i) {
            cd_real x = series ? (cd_real)ldexp(1.0, -(int)(i % 120)) : 1;
            boxes[i].min = cd_vec3_make(0, 0, 0);
            boxes[i].max = cd_vec3_make(x, x * (cd_real)0.5, x);
        }
        for (uint32_t method = 0; method < 8; ++method) {
            cd_bvh_options o;
            cd_bvh t;
            memset(&o, 0, sizeof o);
            o.method = method;
            memset(&test_counted, 0, sizeof test_counted);
            CHECK_INT(ASK("judge", cd_bvh_build_boxes(&t, boxes, n, &o)), CD_OK);
            CHECK(test_counted.build <= 200 * (uint64_t)n);
            CHECK_INT(ASK("judge", cd_bvh_validate(&t)), CD_OK);
            CHECK(ASK("judge", cd_bvh_get_stats(&t)).depth <= 80);
            cd_bvh_destroy(&t);
        }
    }
    free(boxes);
}

/* So many items that parts of the tree are made one by one: each node above them holds both its children, too. */
static void the_top_of_large_trees_is_sound(void) {
    test_rng rng = test_random();
    const uint32_t n = 9000;
    uint32_t methods = test_is_small() ? 2 : 8;
    cd_vec3 *points = (cd_vec3 *)malloc(n * sizeof *points);
    for (uint32_t i = 0; points && i < n; ++i)
        points[i] = cd_vec3_make((cd_real)test_range(&rng, 1, 2), (cd_real)test_range(&rng, 3, 4),
                                 (cd_real)test_range(&rng, 5, 7));
    for (uint32_t k = 0; points && k < methods; ++k) {
        cd_bvh_options o;
        cd_bvh t;
        memset(&o, 0, sizeof o);
        o.method = (CD_BVH_LINEAR + 7 * k) % 8;
        o.layout = CD_BVH_BINARY;
        test_note("method %u ", (unsigned)o.method);
        CHECK_INT(cd_bvh_build_points(&t, points, n, &o), CD_OK);
        CHECK_INT(cd_bvh_validate(&t), CD_OK);
        for (int i = 0; i < 8; ++i) {
            cd_vec3 p = points[test_int(&rng, 0, (int)n - 1)];
            cd_closest c;
            memset(&c, 0, sizeof c);
            CHECK(cd_bvh_closest(&t, p, (cd_real)INFINITY, NULL, &c) && c.sqdist == 0);
        }
        cd_bvh_destroy(&t);
    }
    free(points);
}

/* ---- memory, threads, progress ---- */

/* Short runs make do with less of what takes long; what is left out changes with the seed. */
static bool is_short(void) {
    return test_times(10) < 10;
}

static void run_scrambled(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    ++*(int *)user;
    for (uint32_t i = 0, step = count % 7 ? 7 : 1, at = count / 2; i < count; ++i, at = (at + step) % count)
        task(ctx, at);
}

static void any_executor_gives_the_same_bytes(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(28, 0.1, &rng); /* more than one part for each method */
    cd_mesh_view v = gen_mesh_view(&m);
    uint32_t step = is_short() ? 3 : 1;
    for (uint32_t method = (uint32_t)test_int(&rng, 0, (int)step - 1); method < 8; method += step) {
        cd_bvh_options o;
        cd_bvh a, b;
        int runs = 0;
        memset(&o, 0, sizeof o);
        o.method = method;
        o.axis = method % 5;
        CHECK_INT(cd_bvh_build_mesh(&a, &v, &o), CD_OK);
        o.executor.user = &runs;
        o.executor.run = run_scrambled;
        CHECK_INT(ASK("forms", cd_bvh_build_mesh(&b, &v, &o)), CD_OK);
        CHECK(runs > 0 && a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
        cd_bvh_destroy(&a);
        cd_bvh_destroy(&b);
    }
    gen_mesh_free(&m);
}

typedef struct watcher {
    int calls, stop_at;
    float last;
    bool rising;
} watcher;

static bool watch(void *user, float done) {
    watcher *w = (watcher *)user;
    w->rising = w->rising && done >= w->last && done <= 1.0f;
    w->last = done;
    return ++w->calls != w->stop_at;
}

static void check_progress(const cd_mesh_view *view, uint32_t method) {
    int calls = 1;
    for (int stop = 0; stop <= calls; stop += !is_short() && stop < 30 ? 1 : 9) {
        test_memory f = {1000, 0, 0};
        watcher w = {0, stop, 0.0f, true};
        cd_bvh_options o;
        cd_bvh t;
        memset(&o, 0, sizeof o);
        o.method = method;
        o.allocator = test_allocator(&f);
        o.executor.user = &w;
        o.executor.progress = watch;
        CHECK_INT(ASK("bad", cd_bvh_build_mesh(&t, view, &o)), stop ? CD_CANCELLED : CD_OK);
        CHECK(w.rising && (stop || w.last == 1.0f));
        if (!stop) calls = w.calls;
        cd_bvh_destroy(&t);
        CHECK_INT(f.live, 0);
    }
    CHECK(calls > 2);
}

static void progress_rises_and_cancels(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(20, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    static const uint32_t methods[] = {CD_BVH_SAH_BINNED, CD_BVH_SAH_SWEPT, CD_BVH_OBJECT_MEAN,
                                       CD_BVH_LINEAR};
    for (int i = 0; i < 4; ++i) {
        test_note("method %u", (unsigned)methods[i]);
        check_progress(&v, methods[i]);
    }
    gen_mesh_free(&m);
}

void suite_bvh_builders(void) {
    setup();
    RUN(every_node_keeps_its_rule);
    RUN(trees_of_meshes_are_sound);
    RUN(strides_may_be_left_out);
    RUN(hostile_items_do_no_harm);
    RUN(no_build_is_quadratic);
    RUN(the_top_of_large_trees_is_sound);
    RUN(any_executor_gives_the_same_bytes);
    RUN(progress_rises_and_cancels);
    teardown();
}
