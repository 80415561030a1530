#include "tree/swept.h"

#include "tree/cutting.h"
#include "tree/keys.h"

/* A run is the same places of all three orders. */
typedef struct cdi_swept_build {
    cdi_builder *b;
    uint32_t *order[3]; /* items by their middle on each axis */
    uint32_t *spare;
    double *rest;         /* by place: what the items from there on cost as one side */
    unsigned char *right; /* by item: does it go to the right? */
} cdi_swept_build;

/* The items before `place` of the order on `axis` go left. */
typedef struct cdi_swept_cut {
    double cost;
    uint32_t place, uneven;
    int axis;
} cdi_swept_cut;

static bool cdi_swept_told_apart(const cdi_swept_build *s, const cdi_range *r, int axis) {
    const uint32_t *order = s->order[axis] + r->first;
    return cdi_box_middle(&s->b->box[order[0]], axis) < cdi_box_middle(&s->b->box[order[r->count - 1]], axis);
}

/* From the right, then from the left; of cuts with equal costs, the most even one. */
static void cdi_sweep_order(const cdi_swept_build *s, const cdi_range *r, int axis, cdi_swept_cut *best) {
    const uint32_t *order = s->order[axis];
    uint32_t end = r->first + r->count;
    cdi_box box = cdi_box_empty();
    for (uint32_t i = end - 1; i > r->first; --i) {
        cdi_box_grow(&box, &s->b->box[order[i]]);
        s->rest[i] = cdi_box_area(&box) * (double)(end - i);
    }
    box = cdi_box_empty();
    for (uint32_t i = r->first + 1; i < end; ++i) {
        uint32_t left = i - r->first, right = end - i, uneven = left < right ? right - left : left - right;
        double cost;
        cdi_box_grow(&box, &s->b->box[order[i - 1]]);
        cost = cdi_box_area(&box) * (double)left + s->rest[i];
        CDI_COUNT(build);
        if (cost < best->cost || (cost == best->cost && uneven < best->uneven)) {
            best->cost = cost;
            best->place = i;
            best->uneven = uneven;
            best->axis = axis;
        }
    }
}

/* What cannot be told apart, or is too deep, is halved. */
static cdi_swept_cut cdi_choose_cut(const cdi_swept_build *s, const cdi_range *r) {
    cdi_swept_cut best;
    best.cost = CDI_HUGE;
    best.place = r->first + r->count / 2;
    best.uneven = r->count;
    best.axis = 0;
    for (int k = 0; k < 3 && r->depth < CDI_COST_DEPTH; ++k) {
        if (cdi_swept_told_apart(s, r, k)) cdi_sweep_order(s, r, k, &best);
    }
    return best;
}

/* Tells each item its side, and measures the sides on the way. */
static void cdi_mark_sides(const cdi_swept_build *s, const cdi_range *r, const cdi_swept_cut *cut,
                           cdi_range *left, cdi_range *right) {
    left->box = right->box = cdi_box_empty();
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        uint32_t item = s->order[cut->axis][i];
        s->right[item] = i >= cut->place;
        cdi_box_grow(i < cut->place ? &left->box : &right->box, &s->b->box[item]);
    }
}

/* Parts one order by the marks; both sides stay sorted. */
static void cdi_part_order(const cdi_swept_build *s, const cdi_range *r, uint32_t *order) {
    uint32_t kept = r->first, moved = 0, *spare = s->spare + r->first;
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        uint32_t item = order[i];
        if (s->right[item]) {
            spare[moved++] = item;
        } else {
            order[kept++] = item;
        }
        CDI_COUNT(build);
    }
    cdi_copy(order + kept, spare, moved * sizeof *order);
}

static bool cdi_cut_swept(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right) {
    const cdi_swept_build *s = (const cdi_swept_build *)ctx;
    cdi_swept_cut cut;
    if (cdi_range_is_leaf(s->b, r)) {
        cdi_write_leaf(s->b, r);
        return false;
    }
    cut = cdi_choose_cut(s, r);
    cdi_mark_sides(s, r, &cut, left, right);
    for (int k = 0; k < 3; ++k) {
        if (k != cut.axis) cdi_part_order(s, r, s->order[k]);
    }
    left->count = cut.place - r->first;
    right->first = cut.place;
    right->count = r->count - left->count;
    return true;
}

/* ---- the three orders ---- */

static cd_status cdi_sort_axis(const cdi_swept_build *s, int axis, cdi_item_key *keys) {
    cd_status status;
    const cdi_item_key *sorted;
    double from = 0.05 + 0.1 * axis;
    for (uint32_t i = 0; i < s->b->count; ++i) {
        keys[i].code = cdi_code_of_real(cdi_box_middle(&s->b->box[i], axis));
        keys[i].item = i;
        keys[i].unused = 0;
    }
    sorted = cdi_sort_items(s->b, keys, s->b->count, 8 * (int)sizeof(cd_real), from, from + 0.1, &status);
    for (uint32_t i = 0; i < s->b->count && sorted; ++i) s->order[axis][i] = sorted[i].item;
    return status;
}

static cd_status cdi_sort_axes(const cdi_swept_build *s) {
    const cdi_builder *b = s->b;
    size_t room = 2 * (size_t)b->count;
    cdi_item_key *keys = (cdi_item_key *)cdi_alloc(&b->allocator, room, sizeof *keys);
    cd_status status = keys ? CD_OK : CD_OUT_OF_MEMORY;
    for (int k = 0; k < 3 && status == CD_OK; ++k) status = cdi_sort_axis(s, k, keys);
    cdi_free(&b->allocator, keys, room, sizeof *keys);
    return status;
}

static cd_status cdi_build_sorted(cdi_swept_build *s) {
    cdi_range all;
    cd_status status = cdi_sort_axes(s);
    if (status != CD_OK) return status;
    all.first = 0;
    all.count = s->b->count;
    cdi_range_measure(s->b, &all);
    if (!cdi_build_by_cuts(s->b, &all, cdi_cut_swept, s, 0.35)) return CD_CANCELLED;
    return cdi_reorder(s->b, s->order[0]) ? CD_OK : CD_OUT_OF_MEMORY;
}

CDI_FN cd_status cdi_build_swept(cdi_builder *b) {
    cdi_swept_build s;
    uint32_t *orders = (uint32_t *)cdi_alloc(&b->allocator, b->count, 4 * sizeof *orders);
    cd_status status = CD_OUT_OF_MEMORY;
    s.b = b;
    s.rest = (double *)cdi_alloc(&b->allocator, b->count, sizeof *s.rest);
    s.right = (unsigned char *)cdi_alloc(&b->allocator, b->count, 1);
    if (orders && s.rest && s.right) {
        for (int k = 0; k < 3; ++k) s.order[k] = orders + (size_t)k * b->count;
        s.spare = orders + 3 * (size_t)b->count;
        status = cdi_build_sorted(&s);
    }
    cdi_free(&b->allocator, s.right, b->count, 1);
    cdi_free(&b->allocator, s.rest, b->count, sizeof *s.rest);
    cdi_free(&b->allocator, orders, b->count, 4 * sizeof *orders);
    return status;
}
