#include "tree/topdown.h"

#include "tree/planes.h"
#include "tree/swept.h"

enum { CDI_BINS = 16 };

/* The middles' box cut in bins along each axis, and the items in each. */
typedef struct cdi_bins {
    cdi_box box[3][CDI_BINS];
    uint32_t count[3][CDI_BINS], bins;
    cd_real start[4], scale[4]; /* from a middle to a bin; scale 0: all are in one */
} cdi_bins;

/* Items whose bin on `axis` is below `bin` go left; axis -1: no cost tells where to cut. */
typedef struct cdi_bin_cut {
    int axis;
    uint32_t bin, uneven;
    double cost;
} cdi_bin_cut;

/* A little less than all bins, so that rounding leads no middle beyond the last one. An axis too long or too short to be
 * scaled is not cut. */
static cd_real cdi_bin_scale(uint32_t bins, cd_real extent) {
    cd_real most = (cd_real)(int32_t)bins * (1 - 8 * CD_REAL_EPSILON), scale = extent > 0 ? most / extent : 0;
    return extent <= CD_REAL_MAX && scale <= CD_REAL_MAX ? scale : 0;
}

/* Few items need few bins. */
static void cdi_bins_begin(cdi_bins *s, const cdi_range *r) {
    const cdi_box none = cdi_box_empty();
    cdi_clear(s->count, sizeof s->count);
    s->bins = r->count < 64 ? 8 : CDI_BINS;
    s->start[3] = s->scale[3] = 0;
    for (int k = 0; k < 3; ++k) {
        s->start[k] = r->middles.v[k];
        s->scale[k] = cdi_bin_scale(s->bins, -r->middles.v[4 + k] - r->middles.v[k]);
        for (uint32_t i = 0; i < s->bins; ++i) s->box[k][i] = none;
    }
}

static void cdi_fill_bins(cdi_bins *s, const cdi_builder *b, const cdi_range *r) {
    const cd_real half = (cd_real)0.5;
    cd_real start[4], scale[4];
    cdi_copy(start, s->start, sizeof start);
    cdi_copy(scale, s->scale, sizeof scale);
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        const cdi_box *box = &b->box[i];
        cd_real x[4];
        for (int k = 0; k < 4; ++k) x[k] = (half * box->v[k] - half * box->v[4 + k] - start[k]) * scale[k];
        for (int k = 0; k < 3; ++k) {
            int32_t bin = scale[k] > 0 ? (int32_t)x[k] : 0;
            cdi_box_grow(&s->box[k][bin], box);
            ++s->count[k][bin];
        }
        CDI_COUNT(build);
    }
}

/* Sweeps the bins of one axis from the right, then from the left, and keeps the cheapest place to cut; of equal ones, the
 * most even. */
static void cdi_sweep_bins(const cdi_bins *s, int axis, uint32_t all, cdi_bin_cut *best) {
    const uint32_t *in = s->count[axis];
    double rest[CDI_BINS + 1], cost;
    uint32_t count = 0, uneven;
    cdi_box box = cdi_box_empty();
    rest[s->bins] = 0.0;
    for (uint32_t i = s->bins - 1; i > 0; --i) {
        rest[i] = rest[i + 1];
        if (in[i] == 0) continue;
        cdi_box_grow(&box, &s->box[axis][i]);
        count += in[i];
        rest[i] = cdi_box_area(&box) * (double)(int32_t)count;
    }
    box = cdi_box_empty();
    count = 0;
    for (uint32_t i = 1; i < s->bins; ++i) {
        if (in[i - 1] == 0) continue;
        cdi_box_grow(&box, &s->box[axis][i - 1]);
        count += in[i - 1];
        if (count == all) return;
        uneven = count < all - count ? all - 2 * count : 2 * count - all;
        cost = cdi_box_area(&box) * (double)(int32_t)count + rest[i];
        if (cost < best->cost || (cost == best->cost && uneven < best->uneven)) {
            best->cost = cost;
            best->axis = axis;
            best->bin = i;
            best->uneven = uneven;
        }
    }
}

static cdi_bin_cut cdi_choose_bin(cdi_bins *s, const cdi_builder *b, const cdi_range *r) {
    cdi_bin_cut best;
    best.axis = -1;
    best.bin = 0;
    best.uneven = r->count;
    best.cost = CDI_HUGE;
    cdi_bins_begin(s, r);
    cdi_fill_bins(s, b, r);
    for (int k = 0; k < 3; ++k) {
        if (s->scale[k] > 0) cdi_sweep_bins(s, k, r->count, &best);
    }
    return best;
}

/* Orders the run by the bins, and measures both sides on the way. */
static void cdi_part_bins(cdi_builder *b, const cdi_bins *s, const cdi_bin_cut *cut, const cdi_range *r,
                          cdi_range *left, cdi_range *right) {
    uint32_t i = r->first, end = r->first + r->count;
    const cd_real start = s->start[cut->axis], scale = s->scale[cut->axis], at = (cd_real)cut->bin;
    left->box = left->middles = right->box = right->middles = cdi_box_empty();
    while (i < end) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        bool goes_left = (middle.v[cut->axis] - start) * scale < at;
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

static bool cdi_told_apart(const cdi_range *r) {
    const cd_real *m = r->middles.v;
    return m[0] < -m[4] || m[1] < -m[5] || m[2] < -m[6];
}

static bool cdi_cut_by_bins(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right) {
    cdi_builder *b = (cdi_builder *)ctx;
    cdi_bins bins;
    cdi_bin_cut cut;
    if (cdi_range_is_leaf(b, r)) {
        cdi_write_leaf(b, r);
        return false;
    }
    if (r->depth >= CDI_COST_DEPTH || !cdi_told_apart(r)) {
        cdi_halve_range(b, r, left, right);
        return true;
    }
    cut = cdi_choose_bin(&bins, b, r);
    if (cut.axis >= 0) {
        cdi_part_bins(b, &bins, &cut, r, left, right);
    } else {
        cdi_cut_at_median(b, r, left, right);
    }
    return true;
}

CDI_FN cd_status cdi_build_topdown(cdi_builder *b) {
    cdi_range all;
    uint32_t method = b->options->method;
    bool planes = method >= CD_BVH_OBJECT_MEDIAN && method <= CD_BVH_CANDIDATES;
    if (method == CD_BVH_SAH_SWEPT) return cdi_build_swept(b);
    all.first = 0;
    all.count = b->count;
    cdi_range_measure(b, &all);
    return cdi_build_by_cuts(b, &all, planes ? cdi_cut_by_plane : cdi_cut_by_bins, b, 0.05) ? CD_OK
                                                                                            : CD_CANCELLED;
}
