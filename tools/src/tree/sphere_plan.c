#include "tree/sphere_plan.h"
#include "tree/linear.h"

/* ---- triangles ---- */

static cdi_plan_frame cdi_plan_frame_of(const cdi_box *all) {
    cdi_plan_frame f;
    double half = 0.0, c[3];
    for (int k = 0; k < 3; ++k) {
        double lo = 0.5 * (double)all->v[k], hi = -0.5 * (double)all->v[4 + k];
        c[k] = lo + hi;
        half = cdi_max(half, hi - lo);
    }
    f.center = cdi_v3_make(c[0], c[1], c[2]);
    f.scale = half > 0.0 ? cdi_min(1.0 / half, CDI_HUGE) : 0.0;
    return f;
}

static void cdi_plan_store(float out[3], cdi_v3 v) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void cdi_plan_read(const cdi_plan_frame *f, const cd_triangle *t, cdi_plan_item *out) {
    cdi_v3 a = cdi_plan_point(f, t->a), b = cdi_plan_point(f, t->b), c = cdi_plan_point(f, t->c), m, n;
    double most;
    cdi_plan_store(out->middle, cdi_v3_scale(cdi_v3_add(cdi_v3_add(a, b), c), 1.0 / 3.0));
    m = cdi_plan_middle(out);
    most = cdi_max(cdi_v3_sqlength(cdi_v3_sub(a, m)), cdi_v3_sqlength(cdi_v3_sub(b, m)));
    most = cdi_max(most, cdi_v3_sqlength(cdi_v3_sub(c, m)));
    out->radius = (float)cdi_sqrt(most);
    n = cdi_v3_cross(cdi_v3_sub(b, a), cdi_v3_sub(c, a));
    out->weight = (float)(0.5 * cdi_v3_norm(n));
    cdi_plan_store(out->normal, cdi_v3_unit(n));
}

CDI_FN cd_status cdi_plan_begin(cdi_plan *p, cdi_builder *b) {
    cdi_clear(p, sizeof *p);
    p->b = b;
    p->frame = cdi_plan_frame_of(&b->node[0].box);
    p->item = (cdi_plan_item *)cdi_alloc(&b->allocator, b->count, sizeof *p->item);
    p->node = (cdi_plan_node *)cdi_alloc(&b->allocator, 2 * (size_t)b->count, sizeof *p->node);
    if (!p->item || !p->node) {
        cdi_plan_end(p);
        return CD_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < b->count; ++i) {
        cd_triangle t = cdi_source_triangle(&b->source, b->order[i]);
        cdi_plan_read(&p->frame, &t, &p->item[i]);
        p->item[i].index = b->order[i];
    }
    return CD_OK;
}

CDI_FN void cdi_plan_end(cdi_plan *p) {
    cdi_free(&p->b->allocator, p->item, p->b->count, sizeof *p->item);
    cdi_free(&p->b->allocator, p->node, 2 * (size_t)p->b->count, sizeof *p->node);
    p->item = NULL;
    p->node = NULL;
}

/* ---- along a curve ---- */

static uint64_t cdi_plan_code(const cdi_plan_item *item) {
    const double steps = (double)CDI_CODE_STEPS;
    uint64_t code = 0;
    for (int k = 0; k < 3; ++k) {
        double at = ((double)item->middle[k] + 1.0) * 0.5 * steps;
        at = cdi_clamp(at, 0.0, steps - 1.0);
        code |= cdi_spread_bits((uint64_t)(int64_t)at) << k;
    }
    return code;
}

/* The items and codes as the keys stand; the old items are given back. False when there is no memory. */
static bool cdi_plan_reorder(cdi_plan *p, const cdi_item_key *sorted, uint64_t *code) {
    uint32_t n = p->b->count;
    cdi_plan_item *moved = (cdi_plan_item *)cdi_alloc(&p->b->allocator, n, sizeof *moved);
    if (!moved) return false;
    for (uint32_t i = 0; i < n; ++i) {
        moved[i] = p->item[sorted[i].item];
        code[i] = sorted[i].code;
    }
    cdi_free(&p->b->allocator, p->item, n, sizeof *p->item);
    p->item = moved;
    return true;
}

CDI_FN cd_status cdi_plan_sort(cdi_plan *p, uint64_t *code) {
    uint32_t n = p->b->count;
    cdi_item_key *keys = (cdi_item_key *)cdi_alloc(&p->b->allocator, 2 * (size_t)n, sizeof *keys), *sorted;
    cd_status status;
    if (!keys) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < n; ++i) {
        keys[i].code = cdi_plan_code(&p->item[i]);
        keys[i].item = i;
    }
    sorted = cdi_sort_items(p->b, keys, n, CDI_CODE_BITS, 0.1, 0.2, &status);
    if (sorted && !cdi_plan_reorder(p, sorted, code)) status = CD_OUT_OF_MEMORY;
    cdi_free(&p->b->allocator, keys, 2 * (size_t)n, sizeof *keys);
    return status;
}

/* ---- halves ---- */

/* The axis on which the middles reach farthest, and their mean there. */
static int cdi_plan_axis(const cdi_plan_item *item, uint32_t count, double *mean) {
    cdi_v3 lo = cdi_plan_middle(item), hi = lo, sum = cdi_v3_make(0.0, 0.0, 0.0), way;
    double all = 0.0;
    int axis;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_v3 m = cdi_plan_middle(&item[i]);
        lo = cdi_v3_make(cdi_min(lo.x, m.x), cdi_min(lo.y, m.y), cdi_min(lo.z, m.z));
        hi = cdi_v3_make(cdi_max(hi.x, m.x), cdi_max(hi.y, m.y), cdi_max(hi.z, m.z));
        sum = cdi_v3_along(sum, m, (double)item[i].weight);
        all += (double)item[i].weight;
    }
    way = cdi_v3_sub(hi, lo);
    axis = way.x >= way.y && way.x >= way.z ? 0 : way.y >= way.z ? 1 : 2;
    *mean = cdi_v3_get(sum, axis) / all;
    return axis;
}

CDI_FN bool cdi_plan_halve(cdi_plan_item *item, uint32_t count, uint32_t end[2]) {
    double mean;
    int axis = cdi_plan_axis(item, count, &mean);
    uint32_t below = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_plan_item at = item[i];
        if (!((double)at.middle[axis] < mean)) continue;
        item[i] = item[below];
        item[below++] = at;
    }
    end[0] = below;
    end[1] = count;
    return below > 0 && below < count;
}

/* ---- nodes ---- */

/* A node that waits: which level it is on, and how many others wait beside the way to it. */
typedef struct cdi_plan_wait {
    uint32_t node, depth, beside;
} cdi_plan_wait;

typedef struct cdi_plan_stack {
    cdi_plan_wait wait[CDI_BVH_STACK + CDI_PLAN_CHILDREN];
    uint32_t count;
} cdi_plan_stack;

static uint32_t cdi_plan_equal_parts(uint32_t count, uint32_t leaf_size, uint32_t most,
                                     uint32_t end[CDI_PLAN_CHILDREN]) {
    uint32_t parts = (count - 1) / leaf_size + 1;
    if (parts > most) parts = most;
    for (uint32_t i = 0; i < parts; ++i) end[i] = (uint32_t)((uint64_t)count * (i + 1) / parts);
    return parts;
}

/* May the node have eight children, so that each of them can still be halved to single triangles? */
static bool cdi_plan_is_free(const cdi_plan_wait *at, uint32_t count) {
    uint32_t halvings = 0;
    while (halvings < 32 && (count - 1) >> halvings > 0) ++halvings;
    return at->depth + 1 + halvings <= CDI_BVH_DEPTH &&
           at->beside + CDI_PLAN_CHILDREN - 1 + halvings <= CDI_BVH_WAITING;
}

static void cdi_plan_open(cdi_plan *p, cdi_plan_stack *s, const cdi_plan_wait *at, const uint32_t *end,
                          uint32_t parts) {
    cdi_plan_node *node = &p->node[at->node];
    node->child = p->node_count;
    node->child_count = parts;
    for (uint32_t i = 0; i < parts; ++i) {
        cdi_plan_node *child = &p->node[p->node_count++];
        uint32_t from = i ? end[i - 1] : 0;
        cdi_clear(child, sizeof *child);
        child->first = node->first + from;
        child->count = end[i] - from;
    }
    for (uint32_t i = parts; i-- > 0;) {
        cdi_plan_wait *child = &s->wait[s->count++];
        child->node = node->child + i;
        child->depth = at->depth + 1;
        child->beside = at->beside + parts - 1;
    }
}

static void cdi_plan_step(cdi_plan *p, cdi_plan_stack *s, cdi_plan_cut_fn cut, void *ctx) {
    cdi_plan_wait at = s->wait[--s->count];
    const cdi_plan_node *node = &p->node[at.node];
    uint32_t end[CDI_PLAN_CHILDREN], parts = 0;
    bool is_free = cdi_plan_is_free(&at, node->count);
    if (at.depth > p->depth) p->depth = at.depth;
    if (node->count <= p->b->leaf_size) return;
    if (is_free) parts = cut(ctx, p->item + node->first, node->count, end);
    if (parts < 2)
        parts = cdi_plan_equal_parts(node->count, p->b->leaf_size, is_free ? CDI_PLAN_CHILDREN : 2u, end);
    cdi_plan_open(p, s, &at, end, parts);
}

CDI_FN cd_status cdi_plan_cut(cdi_plan *p, cdi_plan_cut_fn cut, void *ctx) {
    double share = 0.2 / (double)p->b->count;
    cdi_plan_stack s;
    cdi_clear(&s.wait[0], sizeof s.wait[0]);
    s.wait[0].depth = 1;
    s.count = 1;
    cdi_clear(&p->node[0], sizeof p->node[0]);
    p->node[0].count = p->b->count;
    p->node_count = 1;
    for (uint32_t steps = 0; s.count > 0; ++steps) {
        if (steps % 4096 == 0 && !cdi_tell_progress(p->b, 0.2 + share * (double)p->node_count))
            return CD_CANCELLED;
        cdi_plan_step(p, &s, cut, ctx);
    }
    for (uint32_t i = 0; i < p->b->count; ++i) p->b->order[i] = p->item[i].index;
    return CD_OK;
}
