#include "tree/sphere_octree.h"

typedef struct cdi_octree {
    const cdi_plan_item *item;
    const uint64_t *code;
} cdi_octree;

/* The first of a run's places beyond those that begin like `head`, up to the bits below `shift`. */
static uint32_t cdi_octant_end(const uint64_t *code, uint32_t from, uint32_t count, uint64_t head,
                               int shift) {
    while (from < count) {
        uint32_t middle = from + (count - from) / 2;
        if (code[middle] >> shift > head) {
            count = middle;
        } else {
            from = middle + 1;
        }
    }
    return from;
}

/* The octants of the smallest cube around a run. */
static uint32_t cdi_cut_octants(void *ctx, cdi_plan_item *item, uint32_t count,
                                uint32_t end[CDI_PLAN_CHILDREN]) {
    const cdi_octree *o = (const cdi_octree *)ctx;
    const uint64_t *code = o->code + (item - o->item);
    uint64_t differ = code[0] ^ code[count - 1];
    uint32_t parts = 0, at = 0;
    int shift = 0;
    if (differ == 0) return 0;
    while (differ >> shift > 7) shift += 3;
    while (at < count) {
        at = cdi_octant_end(code, at, count, code[at] >> shift, shift);
        end[parts++] = at;
    }
    return parts;
}

CDI_FN cd_status cdi_plan_octree(cdi_plan *p) {
    cdi_octree o;
    uint64_t *code = (uint64_t *)cdi_alloc(&p->b->allocator, p->b->count, sizeof *code);
    cd_status status = code ? cdi_plan_sort(p, code) : CD_OUT_OF_MEMORY;
    o.item = p->item;
    o.code = code;
    if (status == CD_OK) status = cdi_plan_cut(p, cdi_cut_octants, &o);
    cdi_free(&p->b->allocator, code, p->b->count, sizeof *code);
    return status;
}
