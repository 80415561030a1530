#include "tree/bins.h"

#include "tree/planes.h"

enum { CDI_BINS = 16, CDI_BINS_PAIRED = 64 };

/* The items of bin i of each axis. */
typedef struct cdi_bin {
    cdi_box box[3];
    int32_t count[4];
} cdi_bin;

/* From an item's middle to its bin on each axis; scale 0: all are in the first. */
typedef struct cdi_binning {
    cdi_quad start, scale;
    uint32_t bins;
} cdi_binning;

/* Items whose bin on `axis` is below `bin` go left; bin 0: no cost tells where to cut. */
typedef struct cdi_bin_cut {
    int axis;
    uint32_t bin;
} cdi_bin_cut;

/* ---- bins ---- */

CDI_HOT cdi_quad cdi_place_in_bins(const cdi_binning *s, const cdi_box *box) {
    return cdi_quad_mul(cdi_quad_sub(cdi_box_middles(box), s->start), s->scale);
}

/* A little less than all bins, so that rounding leads no middle beyond the last one. An axis too long or too short to be
 * scaled is not cut. */
static cd_real cdi_bin_scale(uint32_t bins, cd_real extent) {
    cd_real most = (cd_real)(int32_t)bins * (1 - 8 * CD_REAL_EPSILON), scale = extent > 0 ? most / extent : 0;
    return extent <= CD_REAL_MAX && scale <= CD_REAL_MAX ? scale : 0;
}

/* Few items need few bins. */
static uint32_t cdi_bins_for(uint32_t count) {
    return count < 12 ? 4 : count < 64 ? 8 : CDI_BINS;
}

static void cdi_binning_begin(cdi_binning *s, uint32_t count, const cd_real lo[4], const cd_real hi[4]) {
    cd_real scale[4];
    s->bins = cdi_bins_for(count);
    for (int k = 0; k < 3; ++k) scale[k] = cdi_bin_scale(s->bins, hi[k] - lo[k]);
    scale[3] = 0;
    s->start = cdi_quad_load(lo);
    s->scale = cdi_quad_load(scale);
}

static void cdi_clear_bins(cdi_bin *bin, uint32_t bins) {
    const cdi_quad none = cdi_quad_all(CD_REAL_MAX);
    for (uint32_t i = 0; i < bins; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            cdi_quad_store(bin[i].box[axis].v, none);
            cdi_quad_store(bin[i].box[axis].v + 4, none);
        }
        for (int k = 0; k < 4; ++k) bin[i].count[k] = 0;
    }
}

CDI_HOT void cdi_into_bin(cdi_bin *bin, int axis, cdi_quad lo, cdi_quad hi) {
    cd_real *v = bin->box[axis].v;
    cdi_quad_store(v, cdi_quad_min(lo, cdi_quad_load(v)));
    cdi_quad_store(v + 4, cdi_quad_min(hi, cdi_quad_load(v + 4)));
    ++bin->count[axis];
}

/* What is no number, where an axis is not cut, is in the first bin. */
CDI_HOT void cdi_into_bins(cdi_bin *bin, const cdi_binning *s, const cdi_box *box) {
    cdi_quad lo = cdi_quad_load(box->v), hi = cdi_quad_load(box->v + 4);
    int32_t at[4];
    cdi_quad_to_ints(at, cdi_quad_max(cdi_place_in_bins(s, box), cdi_quad_all(0)));
    cdi_into_bin(&bin[at[0]], 0, lo, hi);
    cdi_into_bin(&bin[at[1]], 1, lo, hi);
    cdi_into_bin(&bin[at[2]], 2, lo, hi);
    CDI_COUNT(build);
}

/* Neighbours often share a bin, and would wait for each other: every other item goes to `odd`. */
static void cdi_fill_bins(cdi_bin *bin, cdi_bin *odd, const cdi_binning *binning, const cdi_box *box,
                          uint32_t count) {
    const cdi_binning s = *binning;
    for (; count > 1; count -= 2, box += 2) {
        cdi_into_bins(bin, &s, box);
        cdi_into_bins(odd, &s, box + 1);
    }
    if (count) cdi_into_bins(bin, &s, box);
}

static void cdi_add_bins(cdi_bin *bin, const cdi_bin *more, uint32_t bins) {
    for (uint32_t i = 0; i < bins; ++i) {
        for (int k = 0; k < 3; ++k) {
            cdi_box_grow(&bin[i].box[k], &more[i].box[k]);
            bin[i].count[k] += more[i].count[k];
        }
    }
}

/* The bins of a run. */
static void cdi_bin_run(cdi_bin *bin, const cdi_binning *s, const cdi_builder *b, const cdi_range *r) {
    cdi_bin odd[CDI_BINS];
    bool two = r->count >= CDI_BINS_PAIRED;
    cdi_clear_bins(bin, s->bins);
    if (two) cdi_clear_bins(odd, s->bins);
    cdi_fill_bins(bin, two ? odd : bin, s, b->box + r->first, r->count);
    if (two) cdi_add_bins(bin, odd, s->bins);
}

/* ---- costs ---- */

/* Three boxes, one for each axis that may be cut, and how many items they hold. */
typedef struct cdi_swept_bins {
    cdi_quad lo[3], hi[3], count;
} cdi_swept_bins;

CDI_HOT void cdi_sweep_bins_begin(cdi_swept_bins *s) {
    const cdi_quad none = cdi_quad_all(CD_REAL_MAX);
    s->lo[0] = s->lo[1] = s->lo[2] = s->hi[0] = s->hi[1] = s->hi[2] = none;
    s->count = cdi_quad_all(0);
}

/* One more bin; the boxes' half surfaces times their counts, of sides times `scale`. NaN for an empty one. */
CDI_HOT cdi_quad cdi_sweep_bin(cdi_swept_bins *s, const cdi_bin *bin, cdi_quad scale) {
    cdi_quad side[4], area;
    s->lo[0] = cdi_quad_min(cdi_quad_load(bin->box[0].v), s->lo[0]);
    s->lo[1] = cdi_quad_min(cdi_quad_load(bin->box[1].v), s->lo[1]);
    s->lo[2] = cdi_quad_min(cdi_quad_load(bin->box[2].v), s->lo[2]);
    s->hi[0] = cdi_quad_min(cdi_quad_load(bin->box[0].v + 4), s->hi[0]);
    s->hi[1] = cdi_quad_min(cdi_quad_load(bin->box[1].v + 4), s->hi[1]);
    s->hi[2] = cdi_quad_min(cdi_quad_load(bin->box[2].v + 4), s->hi[2]);
    side[0] = cdi_quad_mul(cdi_quad_add(s->lo[0], s->hi[0]), scale);
    side[1] = cdi_quad_mul(cdi_quad_add(s->lo[1], s->hi[1]), scale);
    side[2] = cdi_quad_mul(cdi_quad_add(s->lo[2], s->hi[2]), scale);
    side[3] = side[2];
    cdi_quad_turn(side);
    s->count = cdi_quad_add(cdi_quad_from_ints(bin->count), s->count);
    area = cdi_quad_add(cdi_quad_mul(side[0], side[1]), cdi_quad_mul(side[1], side[2]));
    return cdi_quad_mul(cdi_quad_add(area, cdi_quad_mul(side[2], side[0])), s->count);
}

/* Sweeps the bins from the right, then from the left, and keeps the cheapest place to cut each axis. */
static void cdi_sweep_bins(const cdi_bin *bin, uint32_t bins, cdi_quad scale, cd_real least[4],
                           cd_real where[4]) {
    cdi_quad rest[CDI_BINS], best = cdi_quad_all(CD_REAL_MAX), at = cdi_quad_all(0);
    cdi_swept_bins s;
    cdi_sweep_bins_begin(&s);
    for (uint32_t i = bins - 1; i > 0; --i) {
        cdi_quad cost = cdi_sweep_bin(&s, &bin[i], scale);
        rest[i] = cost;
    }
    cdi_sweep_bins_begin(&s);
    for (uint32_t i = 1; i < bins; ++i) {
        cdi_quad cost = cdi_quad_add(cdi_sweep_bin(&s, &bin[i - 1], scale), rest[i]);
        at = cdi_quad_pick(cdi_quad_sub(best, cost), cdi_quad_all((cd_real)(int32_t)i), at);
        best = cdi_quad_min(cost, best);
    }
    cdi_quad_store(least, best);
    cdi_quad_store(where, at);
}

/* What brings the longest side of a box to 1; 0 where the box has no surface to speak of. */
static cd_real cdi_area_scale(const cdi_box *box) {
    double x = -(double)box->v[4] - (double)box->v[0], y = -(double)box->v[5] - (double)box->v[1],
           z = -(double)box->v[6] - (double)box->v[2];
    double longest = cdi_max(x, cdi_max(y, z)), scale = 1.0 / longest;
    if (!(longest <= (double)CD_REAL_MAX && scale <= (double)CD_REAL_MAX)) return 0;
    x *= scale, y *= scale, z *= scale;
    return x * y + y * z + z * x > 1e-30 ? (cd_real)scale : 0;
}

static cdi_bin_cut cdi_choose_bin(const cdi_bin *bin, uint32_t bins, const cdi_range *r) {
    cd_real least[4], where[4], scale = cdi_area_scale(&r->box);
    cdi_bin_cut best;
    best.axis = 0;
    best.bin = 0;
    if (!(scale > 0)) return best;
    cdi_sweep_bins(bin, bins, cdi_quad_all(scale), least, where);
    for (int k = 1; k < 3; ++k) {
        if (least[k] < least[best.axis]) best.axis = k;
    }
    best.bin = (uint32_t)where[best.axis];
    return best;
}

/* ---- cutting ---- */

/* Orders the run by the bins: those before `left` go left, and every item is put at its end, whether it stays there or not:
 * nothing is to be predicted. */
static uint32_t cdi_part_by_bins(cdi_builder *b, const cdi_binning *binning, const cdi_bin_cut *cut,
                                 const cdi_range *r) {
    uint32_t left = r->first, end = r->first + r->count;
    const cdi_binning s = *binning;
    cd_real below[4] = {-1, -1, -1, -1};
    cdi_quad at;
    below[cut->axis] = (cd_real)(int32_t)cut->bin;
    at = cdi_quad_load(below);
    for (uint32_t i = left; i < end; ++i) {
        cdi_quad lo = cdi_quad_load(b->box[i].v), hi = cdi_quad_load(b->box[i].v + 4);
        bool goes_left = cdi_quad_less(cdi_place_in_bins(&s, &b->box[i]), at) != 0;
        uint32_t index = b->order[i];
        b->box[i] = b->box[left];
        b->order[i] = b->order[left];
        cdi_quad_store(b->box[left].v, lo);
        cdi_quad_store(b->box[left].v + 4, hi);
        b->order[left] = index;
        left += goes_left;
        CDI_COUNT(build);
    }
    return left;
}

static void cdi_bound_bins(const cdi_bin *bin, uint32_t from, uint32_t to, int axis, cdi_box *out) {
    *out = bin[from].box[axis];
    while (++from < to) cdi_box_grow(out, &bin[from].box[axis]);
}

static bool cdi_cut_at_bin(cdi_builder *b, const cdi_range *r, const cd_real lo[4], const cd_real hi[4],
                           cdi_range *left, cdi_range *right) {
    cdi_bin bin[CDI_BINS];
    cdi_binning s;
    cdi_bin_cut cut;
    cdi_binning_begin(&s, r->count, lo, hi);
    cdi_bin_run(bin, &s, b, r);
    cut = cdi_choose_bin(bin, s.bins, r);
    if (cut.bin == 0) return false;
    right->first = cdi_part_by_bins(b, &s, &cut, r);
    left->count = right->first - r->first;
    right->count = r->count - left->count;
    cdi_bound_bins(bin, 0, cut.bin, cut.axis, &left->box);
    cdi_bound_bins(bin, cut.bin, s.bins, cut.axis, &right->box);
    return true;
}

CDI_FN bool cdi_cut_by_bins(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right) {
    cdi_builder *b = (cdi_builder *)ctx;
    cd_real lo[4], hi[4];
    if (cdi_range_is_leaf(b, r)) {
        cdi_write_leaf(b, r);
        return false;
    }
    cdi_bound_middles(b->box + r->first, r->count, lo, hi);
    if (r->depth >= CDI_COST_DEPTH || !(lo[0] < hi[0] || lo[1] < hi[1] || lo[2] < hi[2])) {
        cdi_halve_range(b, r, left, right);
    } else if (!cdi_cut_at_bin(b, r, lo, hi, left, right)) {
        cdi_range measured = *r;
        for (int k = 0; k < 3; ++k) {
            measured.middles.v[k] = lo[k];
            measured.middles.v[4 + k] = -hi[k];
        }
        cdi_cut_at_median(b, &measured, left, right);
    }
    return true;
}
