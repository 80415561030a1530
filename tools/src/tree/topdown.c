#include "tree/topdown.h"

#define CDI_BINS       16
#define CDI_TASKS      64u /* parts that may be built side by side */
#define CDI_TASK_LEAST 4096u

/* ---- the choice of a split ---- */

typedef struct cdi_bin {
    cdi_box box;
    uint32_t count;
} cdi_bin;

/* From the middle of a box to a bin number, axis by axis. */
typedef struct cdi_binning {
    cd_real start[3], scale[3];
} cdi_binning;

static cdi_binning cdi_binning_of(const cdi_range *r) {
    cdi_binning m;
    for (int k = 0; k < 3; ++k) {
        cd_real extent = -r->middles.v[4 + k] - r->middles.v[k];
        m.start[k] = r->middles.v[k];
        m.scale[k] = extent > 0 ? (cd_real)CDI_BINS / extent : 0;
    }
    return m;
}

CDI_INLINE uint32_t cdi_bin_of(const cdi_binning *m, const cdi_box *b, int axis) {
    cd_real x = (cdi_box_middle(b, axis) - m->start[axis]) * m->scale[axis];
    return x > 0 ? (x < CDI_BINS - 1 ? (uint32_t)x : CDI_BINS - 1) : 0;
}

/* Triangles whose bin on `axis` is below `bin` go left; axis -1: no split by cost is worth while or possible. */
typedef struct cdi_bin_split {
    int axis;
    uint32_t bin;
    double cost;
} cdi_bin_split;

static void cdi_fill_bins(const cdi_builder *b, const cdi_range *r, const cdi_binning *m,
                          cdi_bin bins[3][CDI_BINS]) {
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < CDI_BINS; ++i) {
            bins[k][i].box = cdi_box_empty();
            bins[k][i].count = 0;
        }
    }
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        const cdi_box *box = &b->box[i];
        for (int k = 0; k < 3; ++k) {
            cdi_bin *bin = &bins[k][cdi_bin_of(m, box, k)];
            cdi_box_grow(&bin->box, box);
            ++bin->count;
        }
        CDI_COUNT(build);
    }
}

/* Sweeps the bins of one axis from the right, then from the left, and keeps the cheapest place to cut. */
static void cdi_sweep_bins(const cdi_bin *bins, int axis, cdi_bin_split *best) {
    double right_cost[CDI_BINS];
    cdi_box box = cdi_box_empty();
    uint32_t count = 0;
    for (int i = CDI_BINS - 1; i > 0; --i) {
        cdi_box_grow(&box, &bins[i].box);
        count += bins[i].count;
        right_cost[i] = count ? cdi_box_area(&box) * (double)count : -1.0;
    }
    box = cdi_box_empty();
    count = 0;
    for (int i = 1; i < CDI_BINS; ++i) {
        double cost;
        cdi_box_grow(&box, &bins[i - 1].box);
        count += bins[i - 1].count;
        if (count == 0 || right_cost[i] < 0.0) continue;
        cost = cdi_box_area(&box) * (double)count + right_cost[i];
        if (cost < best->cost) {
            best->cost = cost;
            best->axis = axis;
            best->bin = (uint32_t)i;
        }
    }
}

static cdi_bin_split cdi_choose_split(const cdi_builder *b, const cdi_range *r, const cdi_binning *m) {
    cdi_bin bins[3][CDI_BINS];
    cdi_bin_split best;
    best.axis = -1;
    best.bin = 0;
    best.cost = CDI_HUGE;
    cdi_fill_bins(b, r, m, bins);
    for (int k = 0; k < 3; ++k) {
        if (m->scale[k] > 0) cdi_sweep_bins(bins[k], k, &best);
    }
    return best;
}

/* ---- splitting ---- */

static void cdi_exchange(cdi_builder *b, uint32_t i, uint32_t j) {
    cdi_box box = b->box[i];
    uint32_t index = b->order[i];
    b->box[i] = b->box[j];
    b->box[j] = box;
    b->order[i] = b->order[j];
    b->order[j] = index;
}

/* Orders the run by the split, and measures both sides on the way. */
static void cdi_partition(cdi_builder *b, const cdi_bin_split *s, const cdi_binning *m, cdi_range *left,
                          cdi_range *right) {
    uint32_t i = left->first, end = right->first + right->count;
    left->box = left->middles = right->box = right->middles = cdi_box_empty();
    while (i < end) {
        cdi_box middle = cdi_box_of_middle(&b->box[i]);
        bool goes_left = cdi_bin_of(m, &b->box[i], s->axis) < s->bin;
        cdi_range *side = goes_left ? left : right;
        cdi_box_grow(&side->box, &b->box[i]);
        cdi_box_grow(&side->middles, &middle);
        if (goes_left) {
            ++i;
        } else {
            cdi_exchange(b, i, --end);
        }
        CDI_COUNT(build);
    }
    right->count += right->first - end;
    right->first = end;
    left->count = end - left->first;
}

/* The parts of a build that may go on side by side. */
typedef struct cdi_topdown {
    cdi_builder *b;
    cdi_range task[CDI_TASKS];
    uint32_t task_count;
} cdi_topdown;

/* Splits a run in two, or makes it a leaf (false). */
static bool cdi_split_range(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right) {
    cdi_binning m = cdi_binning_of(r);
    cdi_bin_split split;
    bool told_apart = m.scale[0] > 0 || m.scale[1] > 0 || m.scale[2] > 0;
    if (r->count <= b->leaf_size) {
        cdi_write_leaf(b, r);
        return false;
    }
    split.axis = -1;
    if (told_apart && r->depth < CDI_COST_DEPTH) split = cdi_choose_split(b, r, &m);
    if (split.axis < 0) {
        cdi_halve_range(b, r, left, right);
        return true;
    }
    *left = *right = *r;
    right->first = r->first + r->count;
    right->count = 0;
    cdi_partition(b, &split, &m, left, right);
    cdi_write_inner(b, r, left, right);
    return true;
}

/* The whole subtree of a run. */
static void cdi_build_range(cdi_builder *b, const cdi_range *run) {
    cdi_range todo[CDI_BINARY_DEPTH + 1], right;
    uint32_t count = 0;
    todo[count++] = *run;
    while (count > 0) {
        cdi_range at = todo[count - 1], left;
        --count;
        while (cdi_split_range(b, &at, &left, &right)) {
            todo[count++] = right;
            at = left;
        }
    }
}

static void cdi_build_task(void *ctx, uint32_t i) {
    cdi_topdown *t = (cdi_topdown *)ctx;
    cdi_build_range(t->b, &t->task[i]);
}

/* Splits the largest run until there are enough for all threads. What is split does not depend on the executor. */
static bool cdi_build_top(cdi_topdown *b) {
    while (b->task_count < CDI_TASKS) {
        uint32_t largest = 0;
        cdi_range left, right;
        for (uint32_t i = 1; i < b->task_count; ++i) {
            if (b->task[i].count > b->task[largest].count) largest = i;
        }
        if (b->task[largest].count < CDI_TASK_LEAST) break;
        if (!cdi_split_range(b->b, &b->task[largest], &left, &right)) break;
        b->task[largest] = left;
        b->task[b->task_count++] = right;
        if (!cdi_tell_progress(b->b, 0.05 + 0.35 * (double)b->task_count / CDI_TASKS)) return false;
    }
    return true;
}

CDI_FN cd_status cdi_build_topdown(cdi_builder *b) {
    cdi_topdown t;
    t.b = b;
    t.task[0].first = t.task[0].slot = t.task[0].depth = 0;
    t.task[0].count = b->count;
    cdi_range_measure(b, &t.task[0]);
    t.task_count = 1;
    if (!cdi_build_top(&t)) return CD_CANCELLED;
    return cdi_run_tasks(b, t.task_count, cdi_build_task, &t, 0.4, 0.8) ? CD_OK : CD_CANCELLED;
}

#undef CDI_BINS
#undef CDI_TASKS
#undef CDI_TASK_LEAST
