#include "tree/planes.h"

#include "core/eigen.h"

enum { CDI_PLANES_MOST = 63 };

/* ---- axes ---- */

/* What items are told apart along: the x, y or z of their middles, or (axis 3) any direction. For the latter, places are
 * measured about the middle of the middles' box, scaled so that its longest side is about 1: halves of coordinates are
 * taken, and nothing overflows. */
typedef struct cdi_axis {
    int number;
    double scale;
    cdi_v3 dir, middle; /* `middle` halved */
} cdi_axis;

static cdi_v3 cdi_half_middle(const cdi_box *b) {
    return cdi_v3_make(0.5 * (double)cdi_box_middle(b, 0), 0.5 * (double)cdi_box_middle(b, 1),
                       0.5 * (double)cdi_box_middle(b, 2));
}

/* Half a side of a box. */
static double cdi_half_side(const cdi_box *b, int k) {
    return -0.5 * (double)b->v[4 + k] - 0.5 * (double)b->v[k];
}

static int cdi_longest_side(const cdi_box *b) {
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
        if (cdi_half_side(b, k) > cdi_half_side(b, longest)) longest = k;
    }
    return longest;
}

static cdi_axis cdi_axis_begin(const cdi_range *r) {
    cdi_axis a;
    a.number = cdi_longest_side(&r->middles);
    a.scale = cdi_exp2i(-cdi_exponent(cdi_half_side(&r->middles, a.number)));
    a.middle = cdi_half_middle(&r->middles);
    a.dir = cdi_v3_make(1.0, 0.0, 0.0);
    return a;
}

/* The middle of a box, seen from the middle of all. */
static cdi_v3 cdi_axis_local(const cdi_axis *a, const cdi_box *b) {
    return cdi_v3_scale(cdi_v3_sub(cdi_half_middle(b), a->middle), a->scale);
}

static double cdi_axis_place(const cdi_axis *a, const cdi_box *b) {
    if (a->number < 3) return (double)cdi_box_middle(b, a->number);
    return cdi_v3_dot(a->dir, cdi_axis_local(a, b));
}

/* The next of x, y, z along which the middles differ. */
static int cdi_next_world_axis(const cdi_range *r) {
    int k = (int)(r->depth % 3);
    for (int i = 0; i < 2 && !(cdi_half_side(&r->middles, k) > 0.0); ++i) k = (k + 1) % 3;
    return k;
}

/* Covariance of the middles as `axis` sees them, about their mean. */
static cd_mat3 cdi_middles_covariance(const cdi_builder *b, const cdi_range *r, const cdi_axis *axis) {
    cdi_v3 c[3], mean = cdi_v3_make(0.0, 0.0, 0.0);
    double share = 1.0 / (double)r->count;
    cd_mat3 m;
    for (int k = 0; k < 3; ++k) c[k] = mean;
    for (uint32_t i = r->first; i < r->first + r->count; ++i)
        mean = cdi_v3_along(mean, cdi_axis_local(axis, &b->box[i]), share);
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        cdi_v3 d = cdi_v3_sub(cdi_axis_local(axis, &b->box[i]), mean);
        for (int k = 0; k < 3; ++k) c[k] = cdi_v3_along(c[k], d, share * cdi_v3_get(d, k));
        CDI_COUNT(build);
    }
    for (int k = 0; k < 3; ++k) {
        cd_vec3 column = cdi_v3_round(c[k]);
        m.col[k] = column;
    }
    return m;
}

static int cdi_variance_axis(const cd_mat3 *m) {
    cd_real x = m->col[0].x, y = m->col[1].y, z = m->col[2].z;
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* The item whose middle is farthest from a place as `axis` sees it; of several, the one of smallest index. */
static cdi_v3 cdi_farthest_middle(const cdi_builder *b, const cdi_range *r, const cdi_axis *axis,
                                  cdi_v3 from) {
    double most = -1.0;
    uint32_t index = 0;
    cdi_v3 best = from;
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        cdi_v3 p = cdi_axis_local(axis, &b->box[i]);
        double d = cdi_v3_sqlength(cdi_v3_sub(p, from));
        CDI_COUNT(build);
        if (d < most || (d == most && b->order[i] > index)) continue;
        most = d;
        index = b->order[i];
        best = p;
    }
    return best;
}

/* `dir` becomes the axis, unless there is none. */
static void cdi_axis_turn(cdi_axis *a, cdi_v3 dir) {
    if (cdi_v3_is_zero(dir) || !cdi_v3_finite(dir)) return;
    a->number = 3;
    a->dir = dir;
}

static cdi_axis cdi_choose_axis(const cdi_builder *b, const cdi_range *r) {
    cdi_axis a = cdi_axis_begin(r);
    cd_mat3 m;
    cd_eigen e;
    cdi_v3 p, q;
    switch (b->options->axis) {
    case CD_BVH_AXIS_WORLD: a.number = cdi_next_world_axis(r); break;
    case CD_BVH_AXIS_VARIANCE:
        m = cdi_middles_covariance(b, r, &a);
        a.number = cdi_variance_axis(&m);
        break;
    case CD_BVH_AXIS_PRINCIPAL:
        m = cdi_middles_covariance(b, r, &a);
        if (cd_eigen_jacobi(&m, &e)) cdi_axis_turn(&a, cdi_v3_of(e.vector.col[0]));
        break;
    case CD_BVH_AXIS_FARTHEST:
        p = cdi_farthest_middle(b, r, &a, cdi_v3_make(0.0, 0.0, 0.0));
        q = cdi_farthest_middle(b, r, &a, p);
        cdi_axis_turn(&a, cdi_v3_unit(cdi_v3_sub(q, p)));
        break;
    default: break;
    }
    return a;
}

/* ---- the median ---- */

/* The item in place i comes before the one in place j: by place on the axis, equal ones by index. */
static bool cdi_item_precedes(const cdi_builder *b, const cdi_axis *a, uint32_t i, uint32_t j) {
    double p = cdi_axis_place(a, &b->box[i]), q = cdi_axis_place(a, &b->box[j]);
    return p < q || (p == q && b->order[i] < b->order[j]);
}

/* Brings one item to the place it has in order, those before it before, and gives that place (Lomuto). */
static uint32_t cdi_part_about(cdi_builder *b, const cdi_axis *a, uint32_t first, uint32_t end,
                               uint32_t pivot) {
    uint32_t place = first;
    cdi_exchange_items(b, pivot, end - 1);
    for (uint32_t i = first; i < end - 1; ++i) {
        CDI_COUNT(build);
        if (!cdi_item_precedes(b, a, i, end - 1)) continue;
        if (i != place) cdi_exchange_items(b, i, place);
        ++place;
    }
    cdi_exchange_items(b, place, end - 1);
    return place;
}

/* Lets the item in place first + root sink in the heap of `count` items from `first` on. */
static void cdi_item_sink(cdi_builder *b, const cdi_axis *a, uint32_t first, uint32_t root, uint32_t count) {
    while (root < count / 2) {
        uint32_t child = 2 * root + 1;
        if (child + 1 < count && cdi_item_precedes(b, a, first + child, first + child + 1)) ++child;
        if (!cdi_item_precedes(b, a, first + root, first + child)) return;
        cdi_exchange_items(b, first + root, first + child);
        root = child;
        CDI_COUNT(build);
    }
}

static void cdi_sort_along(cdi_builder *b, const cdi_axis *a, uint32_t first, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) cdi_item_sink(b, a, first, i, count);
    while (count-- > 1) {
        cdi_exchange_items(b, first, first + count);
        cdi_item_sink(b, a, first, 0, count);
    }
}

/* Brings the item of place `rank` there, smaller ones before it (Hoare's selection, about items taken at random); what is
 * left when that took too long is sorted. */
static void cdi_select_item(cdi_builder *b, const cdi_axis *a, const cdi_range *r, uint32_t rank) {
    uint32_t first = r->first, end = r->first + r->count, random = r->count;
    uint64_t patience = 4 * (uint64_t)r->count;
    while (end - first > 1) {
        uint32_t place;
        if (patience < end - first) {
            cdi_sort_along(b, a, first, end - first);
            return;
        }
        patience -= end - first;
        random = random * 1664525u + 1013904223u;
        place = first + (uint32_t)((uint64_t)random * (end - first) >> 32);
        place = cdi_part_about(b, a, first, end, place);
        if (place == rank) return;
        if (place < rank) {
            first = place + 1;
        } else {
            end = place;
        }
    }
}

static void cdi_cut_median(cdi_builder *b, const cdi_axis *a, const cdi_range *r, cdi_range *left,
                           cdi_range *right) {
    left->count = r->count / 2;
    right->first = r->first + left->count;
    right->count = r->count - left->count;
    cdi_select_item(b, a, r, right->first);
    cdi_range_measure(b, left);
    cdi_range_measure(b, right);
}

CDI_FN void cdi_cut_at_median(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right) {
    cdi_axis a = cdi_axis_begin(r);
    cdi_cut_median(b, &a, r, left, right);
}

/* ---- planes ---- */

/* An item goes left when (place - start) * scale is below `at`. */
typedef struct cdi_plane_cut {
    cdi_axis axis;
    double start, scale, at;
} cdi_plane_cut;

static bool cdi_goes_left(const cdi_plane_cut *c, const cdi_box *box) {
    return (cdi_axis_place(&c->axis, box) - c->start) * c->scale < c->at;
}

/* The mean of the places, less `start`: near the items, lest it be lost beside their places. */
static double cdi_mean_place(const cdi_builder *b, const cdi_range *r, const cdi_axis *a, double start) {
    double mean = 0.0, share = 1.0 / (double)r->count;
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        mean += (cdi_axis_place(a, &b->box[i]) - start) * share;
        CDI_COUNT(build);
    }
    return mean;
}

/* The least and the greatest place. */
static void cdi_place_bounds(const cdi_builder *b, const cdi_range *r, const cdi_axis *a, double *lo,
                             double *hi) {
    *lo = CDI_HUGE;
    *hi = -CDI_HUGE;
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        double place = cdi_axis_place(a, &b->box[i]);
        *lo = cdi_min(place, *lo);
        *hi = cdi_max(place, *hi);
        CDI_COUNT(build);
    }
}

typedef struct cdi_plane_slab {
    cdi_box box;
    uint32_t count;
} cdi_plane_slab;

/* How many planes before the end cost least, of those with items on both sides; `slabs` of them none. */
static uint32_t cdi_cheapest_plane(const cdi_plane_slab *slab, uint32_t slabs) {
    double rest[CDI_PLANES_MOST + 1], least = CDI_HUGE;
    uint32_t count = 0, best = slabs;
    cdi_box box = cdi_box_empty();
    for (uint32_t i = slabs - 1; i > 0; --i) {
        cdi_box_grow(&box, &slab[i].box);
        count += slab[i].count;
        rest[i] = count ? cdi_box_area(&box) * (double)count : CDI_HUGE;
    }
    box = cdi_box_empty();
    count = 0;
    for (uint32_t i = 1; i < slabs; ++i) {
        cdi_box_grow(&box, &slab[i - 1].box);
        count += slab[i - 1].count;
        if (count && cdi_box_area(&box) * (double)count + rest[i] < least) {
            least = cdi_box_area(&box) * (double)count + rest[i];
            best = i;
        }
    }
    return best;
}

/* Evenly spaced planes cut the places in slabs. */
static void cdi_try_candidates(const cdi_builder *b, const cdi_range *r, cdi_plane_cut *c, double lo,
                               double hi) {
    cdi_plane_slab slab[CDI_PLANES_MOST + 1];
    uint32_t planes = b->options->candidates ? b->options->candidates : 7, slabs;
    if (planes > CDI_PLANES_MOST) planes = CDI_PLANES_MOST;
    slabs = planes + 1;
    c->start = lo;
    c->scale = hi - lo > 0.0 ? (double)slabs / (hi - lo) : 0.0;
    for (uint32_t i = 0; i < slabs; ++i) {
        slab[i].box = cdi_box_empty();
        slab[i].count = 0;
    }
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        double place = (cdi_axis_place(&c->axis, &b->box[i]) - lo) * c->scale;
        uint32_t k = (uint32_t)cdi_clamp(place, 0.0, (double)planes);
        cdi_box_grow(&slab[k].box, &b->box[i]);
        ++slab[k].count;
        CDI_COUNT(build);
    }
    c->at = (double)cdi_cheapest_plane(slab, slabs);
}

static cdi_plane_cut cdi_choose_plane(const cdi_builder *b, const cdi_range *r) {
    cdi_plane_cut c;
    double lo, hi;
    c.axis = cdi_choose_axis(b, r);
    c.start = 0.0;
    c.scale = 1.0;
    switch (b->options->method) {
    case CD_BVH_OBJECT_MEAN:
        c.start = cdi_axis_place(&c.axis, &b->box[r->first]);
        c.at = cdi_mean_place(b, r, &c.axis, c.start);
        break;
    case CD_BVH_BOX_MIDDLE: c.at = cdi_axis_place(&c.axis, &r->box); break;
    case CD_BVH_SPATIAL_MEDIAN:
        cdi_place_bounds(b, r, &c.axis, &lo, &hi);
        c.at = 0.5 * lo + 0.5 * hi;
        break;
    case CD_BVH_CANDIDATES:
        cdi_place_bounds(b, r, &c.axis, &lo, &hi);
        cdi_try_candidates(b, r, &c, lo, hi);
        break;
    default: c.at = -CDI_HUGE; break; /* the object median needs none */
    }
    return c;
}

/* Orders the run by the plane, and measures both sides on the way. */
static void cdi_part_by_plane(cdi_builder *b, const cdi_plane_cut *c, const cdi_range *r, cdi_range *left,
                              cdi_range *right) {
    uint32_t i = r->first, end = r->first + r->count;
    left->box = left->middles = right->box = right->middles = cdi_box_empty();
    while (i < end) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        bool goes_left = cdi_goes_left(c, &b->box[i]);
        cdi_range *side = goes_left ? left : right;
        cdi_box_grow(&side->box, &b->box[i]);
        cdi_box_grow(&side->middles, &middle);
        if (goes_left) {
            ++i;
        } else {
            cdi_exchange_items(b, i, --end);
        }
        CDI_COUNT(build);
    }
    left->count = end - r->first;
    right->first = end;
    right->count = r->count - left->count;
}

CDI_FN bool cdi_cut_by_plane(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right) {
    cdi_builder *b = (cdi_builder *)ctx;
    cdi_plane_cut c;
    if (cdi_range_is_leaf(b, r)) {
        cdi_write_leaf(b, r);
        return false;
    }
    if (r->depth >= CDI_COST_DEPTH || !(cdi_half_side(&r->middles, cdi_longest_side(&r->middles)) > 0.0)) {
        cdi_halve_range(b, r, left, right);
        return true;
    }
    c = cdi_choose_plane(b, r);
    left->count = right->count = 0;
    if (b->options->method != CD_BVH_OBJECT_MEDIAN) cdi_part_by_plane(b, &c, r, left, right);
    if (left->count == 0 || right->count == 0) cdi_cut_median(b, &c.axis, r, left, right);
    return true;
}
