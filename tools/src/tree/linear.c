#include "tree/linear.h"

#include "tree/cutting.h"
#include "tree/keys.h"

/* A step for each digit of a coarser curve: with the number of an item it fits 64 bits. */
enum { CDI_STEP_BITS = 11, CDI_STEPS = 1 << CDI_STEP_BITS };

/* From a middle to steps along the axes: the longest side of the middles' box has 2^21 of them. */
typedef struct cdi_curve {
    double start[3], scale;
} cdi_curve;

/* Halves are taken, so that nothing overflows. */
static cdi_curve cdi_curve_around(const cdi_box *middles) {
    double longest = 0.0;
    cdi_curve c;
    for (int k = 0; k < 3; ++k) {
        c.start[k] = 0.5 * (double)middles->v[k];
        longest = cdi_max(longest, -0.5 * (double)middles->v[4 + k] - c.start[k]);
    }
    c.scale = longest > 0.0 ? cdi_min((double)CDI_CODE_STEPS / longest, CDI_HUGE) : 0.0;
    return c;
}

static uint64_t cdi_curve_code_of(const cdi_curve *c, const cdi_box *item) {
    uint64_t code = 0;
    for (int k = 0; k < 3; ++k) {
        double step = (0.5 * (double)cdi_box_middle(item, k) - c->start[k]) * c->scale;
        code |= cdi_spread_bits((uint64_t)cdi_clamp(step, 0.0, (double)(CDI_CODE_STEPS - 1))) << (2 - k);
    }
    return code;
}

CDI_FN void cdi_fill_codes(const cdi_builder *b, cdi_item_key *keys) {
    cdi_range all;
    cdi_curve c;
    all.first = 0;
    all.count = b->count;
    cdi_range_measure(b, &all);
    c = cdi_curve_around(&all.middles);
    for (uint32_t i = 0; i < b->count; ++i) {
        keys[i].code = cdi_curve_code_of(&c, &b->box[i]);
        keys[i].item = i;
        keys[i].unused = 0;
    }
}

/* ---- a builder along the curve ---- */

/* A key is an item's place on a coarser curve, and below it, in `item_bits`, its number: no two are the same. Runs have
 * their keys in order, or in the other half of `key` room to sort them. */
typedef struct cdi_linear {
    cdi_builder *b;
    uint64_t *key, *room;
    int item_bits;
} cdi_linear;

/* From middles to steps along the axes. */
typedef struct cdi_curve_steps {
    cdi_quad start, scale;
} cdi_curve_steps;

static cdi_curve_steps cdi_steps_between(const cd_real lo[4], const cd_real hi[4]) {
    double half = 0.0, scale;
    cdi_curve_steps s;
    for (int k = 0; k < 3; ++k) half = cdi_max(half, 0.5 * (double)hi[k] - 0.5 * (double)lo[k]);
    scale = half > 0.0 ? cdi_min(0.5 * (double)CDI_STEPS / half, (double)CD_REAL_MAX) : 0.0;
    s.start = cdi_quad_load(lo);
    s.scale = cdi_quad_all((cd_real)scale);
    return s;
}

static uint64_t cdi_key_of(const cdi_linear *l, const cdi_curve_steps *s, uint32_t item) {
    cdi_quad at = cdi_quad_mul(cdi_quad_sub(cdi_box_middles(&l->b->box[item]), s->start), s->scale);
    uint64_t code;
    int32_t step[4];
    cdi_quad_to_ints(step, cdi_quad_min(at, cdi_quad_all(CDI_STEPS - 1)));
    code = cdi_spread_bits((uint64_t)step[0]) << 2 | cdi_spread_bits((uint64_t)step[1]) << 1 |
           cdi_spread_bits((uint64_t)step[2]);
    CDI_COUNT(build);
    return code << l->item_bits | item;
}

static uint32_t cdi_item_of_key(const cdi_linear *l, uint64_t key) {
    return (uint32_t)(key & (((uint64_t)1 << l->item_bits) - 1));
}
static uint64_t cdi_code_of_key(const cdi_linear *l, uint64_t key) {
    return key >> l->item_bits;
}

/* ---- runs at one place ---- */

/* Merges two neighbouring runs of keys. */
static void cdi_merge_keys(const uint64_t *from, uint32_t middle, uint32_t end, uint64_t *to) {
    uint32_t i = 0, j = middle;
    while (i < middle || j < end) {
        bool first = j >= end || (i < middle && from[i] < from[j]);
        *to++ = first ? from[i++] : from[j++];
        CDI_COUNT(build);
    }
}

static void cdi_sort_run_keys(uint64_t *key, uint64_t *room, uint32_t count) {
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * width) {
            uint32_t left = count - i, middle = left < width ? left : width;
            cdi_merge_keys(key + i, middle, left < 2 * width ? left : 2 * width, room + i);
        }
        cdi_copy(key, room, count * sizeof *key);
    }
}

/* Gives a run a curve of its own; false when its items still cannot be told apart. */
static bool cdi_refine_run(const cdi_linear *l, const cdi_range *r) {
    uint64_t *key = l->key + r->first;
    cdi_quad least, greatest;
    cd_real lo[4], hi[4];
    cdi_curve_steps s;
    least = greatest = cdi_box_middles(&l->b->box[cdi_item_of_key(l, key[0])]);
    for (uint32_t i = 1; i < r->count; ++i) {
        cdi_quad middle = cdi_box_middles(&l->b->box[cdi_item_of_key(l, key[i])]);
        least = cdi_quad_min(middle, least);
        greatest = cdi_quad_max(middle, greatest);
    }
    cdi_quad_store(lo, least);
    cdi_quad_store(hi, greatest);
    if (!(lo[0] < hi[0] || lo[1] < hi[1] || lo[2] < hi[2])) return false;
    s = cdi_steps_between(lo, hi);
    for (uint32_t i = 0; i < r->count; ++i) key[i] = cdi_key_of(l, &s, cdi_item_of_key(l, key[i]));
    cdi_sort_run_keys(key, l->room + r->first, r->count);
    return cdi_code_of_key(l, key[0]) != cdi_code_of_key(l, key[r->count - 1]);
}

/* ---- cutting ---- */

/* The first key in a run that has the highest bit in which the first one and the last differ. */
static uint32_t cdi_code_split(const cdi_linear *l, uint32_t first, uint32_t last) {
    const uint64_t *key = l->key;
    uint64_t differs = cdi_code_of_key(l, key[first]) ^ cdi_code_of_key(l, key[last]);
    int bit = cdi_exponent((double)(int64_t)differs) + l->item_bits;
    uint32_t ones = 0;
    while (last - first > 16) {
        uint32_t middle = first + (last - first) / 2;
        if (key[middle] >> bit & 1u) {
            last = middle;
        } else {
            first = middle;
        }
    }
    for (uint32_t i = first; i <= last; ++i) ones += (uint32_t)(key[i] >> bit & 1u);
    return last + 1 - ones;
}

/* The box of a run, from where its items are. */
static void cdi_bound_run(const cdi_linear *l, cdi_range *r) {
    const uint64_t *key = l->key + r->first;
    r->box = l->b->box[cdi_item_of_key(l, key[0])];
    for (uint32_t i = 1; i < r->count; ++i) cdi_box_grow(&r->box, &l->b->box[cdi_item_of_key(l, key[i])]);
    CDI_COUNT(build);
}

/* Soon the boxes of these few items are wanted. */
static void cdi_fetch_run(const cdi_linear *l, const cdi_range *r) {
    for (uint32_t i = r->first; i < r->first + r->count; ++i)
        CDI_PREFETCH(&l->b->box[cdi_item_of_key(l, l->key[i])]);
}

static bool cdi_cut_codes(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right) {
    const cdi_linear *l = (const cdi_linear *)ctx;
    uint32_t last = r->first + r->count - 1, cut = r->first + r->count / 2;
    if (r->count <= l->b->leaf_size || (l->b->options->leaf_extent > 0 && r->count <= CDI_BVH_LEAF_MAX)) {
        cdi_bound_run(l, left);
        if (cdi_range_is_leaf(l->b, left)) {
            cdi_write_leaf(l->b, left);
            return false;
        }
    }
    if (r->count <= 16) cdi_fetch_run(l, r);
    if (r->depth < CDI_COST_DEPTH &&
        (cdi_code_of_key(l, l->key[r->first]) != cdi_code_of_key(l, l->key[last]) || cdi_refine_run(l, r)))
        cut = cdi_code_split(l, r->first, last);
    left->count = cut - r->first;
    right->first = cut;
    right->count = r->count - left->count;
    return true;
}

/* ---- the whole ---- */

typedef struct cdi_key_filling {
    const cdi_linear *l;
    cdi_curve_steps steps;
} cdi_key_filling;

static void cdi_fill_keys_of_part(void *ctx, uint32_t part) {
    const cdi_key_filling *f = (const cdi_key_filling *)ctx;
    uint32_t end = cdi_part_end(part, f->l->b->count);
    for (uint32_t i = part * CDI_PART; i < end; ++i) f->l->key[i] = cdi_key_of(f->l, &f->steps, i);
}

static bool cdi_fill_keys(cdi_linear *l) {
    cdi_key_filling f;
    cd_real lo[4], hi[4];
    cdi_bound_middles(l->b->box, l->b->count, lo, hi);
    f.l = l;
    f.steps = cdi_steps_between(lo, hi);
    return cdi_run_tasks(l->b, cdi_part_count(l->b->count), cdi_fill_keys_of_part, &f, 0.05, 0.1);
}

/* The items' indices in the order of their keys; and their boxes too, where something comes after this. */
static cd_status cdi_follow_keys(cdi_linear *l) {
    cdi_builder *b = l->b;
    uint32_t *order = (uint32_t *)(void *)l->room;
    bool boxes = b->options->optimise > 0;
    for (uint32_t i = 0; i < b->count; ++i) {
        uint32_t item = cdi_item_of_key(l, l->key[i]);
        order[i] = boxes ? item : b->order[item];
    }
    if (boxes) return cdi_reorder(b, order) ? CD_OK : CD_OUT_OF_MEMORY;
    cdi_copy(b->order, order, b->count * sizeof *order);
    return CD_OK;
}

static cd_status cdi_build_along(cdi_linear *l, uint64_t *keys) {
    cdi_range all;
    cd_status status;
    cdi_clear(&all, sizeof all);
    l->key = keys;
    if (!cdi_fill_keys(l)) return CD_CANCELLED;
    l->key = cdi_sort_codes(l->b, keys, l->b->count, l->item_bits, l->item_bits + 3 * CDI_STEP_BITS, 0.1, 0.4,
                            &status);
    if (!l->key) return status;
    l->room = l->key == keys ? keys + l->b->count : keys;
    if (!cdi_build_by_cuts(l->b, &all, cdi_cut_codes, l, 0.4)) return CD_CANCELLED;
    return cdi_follow_keys(l);
}

CDI_FN cd_status cdi_build_linear(cdi_builder *b) {
    size_t room = 2 * (size_t)b->count;
    uint64_t *keys = (uint64_t *)cdi_alloc(&b->allocator, room, sizeof *keys);
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_linear l;
    l.b = b;
    l.item_bits = cdi_exponent((double)b->count) + 1;
    if (keys) status = cdi_build_along(&l, keys);
    cdi_free(&b->allocator, keys, room, sizeof *keys);
    return status;
}
