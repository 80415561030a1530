#include "tree/linear.h"

#include "tree/cutting.h"
#include "tree/keys.h"

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

/* Items and keys brought in the order of the curve, from the item numbers in the keys. */
static cd_status cdi_follow_keys(cdi_builder *b, const cdi_item_key *keys) {
    uint32_t *from = (uint32_t *)cdi_alloc(&b->allocator, b->count, sizeof *from);
    bool done = false;
    if (from) {
        for (uint32_t i = 0; i < b->count; ++i) from[i] = keys[i].item;
        done = cdi_reorder(b, from);
        cdi_free(&b->allocator, from, b->count, sizeof *from);
    }
    return done ? CD_OK : CD_OUT_OF_MEMORY;
}

typedef struct cdi_linear {
    cdi_builder *b;
    const cdi_item_key *key;
} cdi_linear;

/* The first place in a run whose code has the highest bit in which the first code and the last differ. */
static uint32_t cdi_code_split(const cdi_item_key *key, uint32_t first, uint32_t last) {
    uint64_t differs = key[first].code ^ key[last].code;
    int bit = 0;
    while (differs >>= 1) ++bit;
    while (last - first > 1) {
        uint32_t middle = first + (last - first) / 2;
        if (key[middle].code >> bit & 1u) {
            last = middle;
        } else {
            first = middle;
        }
    }
    return last;
}

static bool cdi_cut_codes(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right) {
    const cdi_linear *l = (const cdi_linear *)ctx;
    uint32_t last = r->first + r->count - 1, cut = r->first + r->count / 2;
    if (r->count <= l->b->leaf_size || (l->b->options->leaf_extent > 0 && r->count <= CDI_BVH_LEAF_MAX)) {
        cdi_range_measure(l->b, left);
        if (cdi_range_is_leaf(l->b, left)) {
            cdi_write_leaf(l->b, left);
            return false;
        }
    }
    if (r->depth < CDI_COST_DEPTH && l->key[r->first].code != l->key[last].code)
        cut = cdi_code_split(l->key, r->first, last);
    left->count = cut - r->first;
    right->first = cut;
    right->count = r->count - left->count;
    return true;
}

static cd_status cdi_build_along(cdi_builder *b, cdi_item_key *keys) {
    cdi_range all;
    cdi_linear l;
    cd_status status;
    cdi_clear(&all, sizeof all);
    cdi_fill_codes(b, keys);
    l.b = b;
    l.key = cdi_sort_items(b, keys, b->count, CDI_CODE_BITS, 0.05, 0.4, &status);
    if (l.key) status = cdi_follow_keys(b, l.key);
    if (status != CD_OK) return status;
    return cdi_build_by_cuts(b, &all, cdi_cut_codes, &l, 0.4) ? CD_OK : CD_CANCELLED;
}

CDI_FN cd_status cdi_build_linear(cdi_builder *b) {
    size_t room = 2 * (size_t)b->count;
    cdi_item_key *keys = (cdi_item_key *)cdi_alloc(&b->allocator, room, sizeof *keys);
    cd_status status = keys ? cdi_build_along(b, keys) : CD_OUT_OF_MEMORY;
    cdi_free(&b->allocator, keys, room, sizeof *keys);
    return status;
}
