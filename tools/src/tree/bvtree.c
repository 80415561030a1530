#include "tree/bvtree.h"
#include "core/memory.h"
#include "tree/bvtree_node.h"
#include "tree/overlap_query.h"
#include "tree/ray_query.h"

CD_API void cd_bvtree_destroy(cd_bvtree *tree) {
    if (tree->owned) cdi_free(&tree->allocator, (void *)tree->block, tree->bytes, 1);
    cdi_clear(tree, sizeof *tree);
}

/* ---- checking ---- */

static uint64_t cdi_bvtree_bytes(const cdi_bvh_header *h) {
    return sizeof *h + (uint64_t)h->node_count * cdi_volume_node_size(h->volume, h->slab_count) +
           (uint64_t)h->item_count * sizeof(cdi_bvh_triangle) +
           (h->has_masks ? (uint64_t)h->item_count * sizeof(uint32_t) : 0);
}

static bool cdi_bvtree_kind_fits(const cdi_bvh_header *h) {
    uint32_t n = h->slab_count;
    if (h->volume != CD_BVTREE_KDOPS) return h->volume <= CD_BVTREE_KDOPS && n == 0;
    return n == 3 || n == 7 || n == 9 || n == 13;
}

static bool cdi_bvtree_header_fits(const cdi_bvh_header *h, size_t size) {
    bool empty = h->item_count == 0;
    if (h->dynamic || h->object_count) return false;
    if (h->layout != CDI_LAYOUT_VOLUMES || h->item != CD_BVH_TRIANGLES || h->has_masks > 1) return false;
    if (!cdi_bvtree_kind_fits(h) || h->corner_count || h->cluster_count || h->cluster_bytes) return false;
    if (cdi_bvtree_bytes(h) != h->bytes || h->bytes != size || empty != (h->node_count == 0)) return false;
    if (h->item_count > CDI_BVH_MOST || h->skipped_count > h->source_count) return false;
    if (h->item_count != h->source_count - h->skipped_count || h->depth > CDI_BVH_DEPTH) return false;
    if (empty ? h->depth || h->has_masks : h->depth == 0) return false;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite(h->frame.origin[i]) || !cdi_finite(h->lo[i]) || !cdi_finite(h->hi[i])) return false;
        if (h->lo[i] > h->hi[i]) return false;
    }
    return h->frame.exponent >= -1100 && h->frame.exponent <= 1100;
}

/* A walk over a tree that is not trusted: the nodes on the way, each with its next child and the one after its last, and how many
 * nodes and triangles have been met. */
typedef struct cdi_bvtree_check {
    const cdi_bvtree *tree;
    uint32_t node[CDI_BVH_DEPTH + 1], next[CDI_BVH_DEPTH + 1], end[CDI_BVH_DEPTH + 1];
    uint32_t length, nodes, items, waiting;
} cdi_bvtree_check;

/* Is the triangle in all volumes on the way? */
static bool cdi_check_triangle(const cdi_bvtree_check *c, uint32_t item) {
    const cdi_bvtree *t = c->tree;
    const cdi_bvh_header *h = t->items.header;
    cdi_tri tri = cdi_bvh_tri(&t->items, item);
    if (cdi_bvh_index(&t->items, item) >= h->source_count || !cdi_tri_finite(&tri)) return false;
    for (int i = 0; i < 3; ++i) {
        const cdi_frame *f = &h->frame;
        cdi_v3 p = cdi_v3_make(cdi_frame_in(f, 0, tri.v[i].x), cdi_frame_in(f, 1, tri.v[i].y),
                               cdi_frame_in(f, 2, tri.v[i].z));
        if (!(cdi_v3_max_abs(p) <= 1.0) || !cdi_bvh_bounds_hold(h, tri.v[i])) return false;
        for (uint32_t k = 0; k < c->length; ++k) {
            if (!t->ops->holds(t, cdi_bvtree_volume(t, c->node[k]), p)) return false;
        }
    }
    return true;
}

/* Goes down to node `number`: a leaf is done at once. */
static bool cdi_check_node(cdi_bvtree_check *c, uint32_t number) {
    const cdi_bvtree *t = c->tree;
    const cdi_bvh_header *h = t->items.header;
    cdi_bvtree_links l = cdi_bvtree_links_of(t, number);
    uint32_t count = cdi_links_count(l), at = c->length++;
    if (at >= h->depth || !t->ops->sane(t, cdi_bvtree_volume(t, number))) return false;
    c->node[at] = number;
    c->next[at] = c->end[at] = 0;
    if (cdi_links_is_leaf(l)) {
        if (count == 0 || count > CDI_BVH_LEAF_MAX || l.first != c->items) return false;
        if (count > h->item_count - c->items) return false;
        c->items += count;
        for (uint32_t i = 0; i < count; ++i) {
            if (!cdi_check_triangle(c, l.first + i)) return false;
        }
        return true;
    }
    if (count < 2 || count > CDI_BVTREE_CHILDREN || l.first != c->nodes) return false;
    if (count > h->node_count - c->nodes) return false;
    c->nodes += count;
    c->waiting += count - 1;
    if (c->waiting > CDI_BVH_WAITING) return false;
    c->next[at] = l.first;
    c->end[at] = l.first + count;
    return true;
}

static bool cdi_bvtree_is_sound(const cdi_bvtree *tree) {
    cdi_bvtree_check c;
    c.tree = tree;
    c.length = c.items = c.waiting = 0;
    c.nodes = 1;
    if (!cdi_check_node(&c, 0)) return false;
    while (c.length > 0) {
        uint32_t at = c.length - 1;
        if (c.next[at] == c.end[at]) {
            cdi_bvtree_links l = cdi_bvtree_links_of(tree, c.node[at]);
            if (!cdi_links_is_leaf(l)) c.waiting -= l.count - 1;
            --c.length;
        } else if (!cdi_check_node(&c, c.next[at]++)) {
            return false;
        }
    }
    return c.nodes == tree->items.header->node_count && c.items == tree->items.header->item_count;
}

CD_API cd_status cd_bvtree_validate(const cd_bvtree *tree) {
    cdi_bvtree t;
    if (!tree->block) return tree->bytes == 0 ? CD_OK : CD_CORRUPT;
    if (tree->bytes < sizeof(cdi_bvh_header)) return CD_CORRUPT;
    if (!cdi_bvtree_header_fits((const cdi_bvh_header *)tree->block, tree->bytes)) return CD_CORRUPT;
    return !cdi_bvtree_open(&t, tree) || cdi_bvtree_is_sound(&t) ? CD_OK : CD_CORRUPT;
}

CD_API cd_status cd_bvtree_view(cd_bvtree *out, const void *bytes, size_t size) {
    cd_status status = cdi_block_status(bytes, size, CDI_BVTREE_MAGIC, CDI_BVTREE_VERSION);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->block = bytes;
    out->bytes = size;
    status = cd_bvtree_validate(out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

/* ---- facts ---- */

CD_API cd_aabb cd_bvtree_bounds(const cd_bvtree *tree) {
    const cdi_bvh_header *h = (const cdi_bvh_header *)tree->block;
    return h && h->node_count ? cdi_header_bounds(h) : cd_aabb_empty();
}

CD_API uint32_t cd_bvtree_count(const cd_bvtree *tree) {
    return tree->block ? ((const cdi_bvh_header *)tree->block)->item_count : 0;
}

CD_API uint32_t cd_bvtree_node_count(const cd_bvtree *tree) {
    return tree->block ? ((const cdi_bvh_header *)tree->block)->node_count : 0;
}

CD_API uint32_t cd_bvtree_get_kind(const cd_bvtree *tree) {
    return tree->block ? ((const cdi_bvh_header *)tree->block)->volume : 0;
}

CD_API uint32_t cd_bvtree_get_k(const cd_bvtree *tree) {
    return tree->block ? 2 * ((const cdi_bvh_header *)tree->block)->slab_count : 0;
}

/* ---- volumes ---- */

/* May the volume of a node meet what is asked? */
static bool cdi_volume_may_meet(const cdi_bvtree *t, const float *v, const cdi_overlap *o, bool sphere) {
    const double room = CDI_VOLUME_ROOM;
    double range[2];
    if (sphere) {
        cdi_v3 middle = cdi_v3_make(0.5 * ((double)o->point.low[0] + (double)o->point.high[0]),
                                    0.5 * ((double)o->point.low[1] + (double)o->point.high[1]),
                                    0.5 * ((double)o->point.low[2] + (double)o->point.high[2]));
        double off = 1e-6 * cdi_v3_max_abs(middle);
        double gap = cdi_sqrt(t->ops->sqdist(t, v, middle)) * (1.0 - 1e-12) - off - room;
        if (gap > 0.0 && gap * gap > (double)o->sqradius) return false;
    }
    for (int k = 0; k < 3; ++k) {
        float n[3] = {0, 0, 0};
        n[k] = 1;
        t->ops->heights(t, v, n, range);
        if (range[0] - room > (double)o->hi[k] || range[1] + room < (double)o->lo[k]) return false;
    }
    for (uint32_t i = 0; i < o->layer_count; ++i) {
        const cdi_overlap_layer *l = &o->layer[i];
        t->ops->heights(t, v, l->n, range);
        if (range[0] - room > (double)l->most || range[1] + room < (double)l->least) return false;
    }
    return true;
}

CD_API bool cd_bvtree_overlap(const cd_bvtree *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                              cd_visit_fn visit, void *user) {
    uint32_t stack[CDI_BVTREE_STACK], top = 0;
    cdi_bvtree t;
    cdi_overlap o;
    bool sphere;
    if (!cdi_bvtree_open(&t, tree) || !cdi_overlap_begin(&o, &t.items, volume)) return true;
    o.filter = filter;
    o.visit = visit;
    o.user = user;
    sphere = volume->kind == CD_BVH_SPHERE && o.sqradius < 1e30f;
    stack[top++] = 0;
    while (top > 0) {
        uint32_t number = stack[--top], count;
        cdi_bvtree_links l;
        CDI_COUNT(node);
        if (!cdi_volume_may_meet(&t, cdi_bvtree_volume(&t, number), &o, sphere)) continue;
        l = cdi_bvtree_links_of(&t, number);
        count = cdi_links_count(l);
        if (!cdi_links_is_leaf(l)) {
            for (uint32_t i = count; i-- > 0;) stack[top++] = l.first + i;
        } else if (!cdi_overlap_items(&o, &t.items, l.first, l.first + count - 1, false)) {
            return false;
        }
    }
    return true;
}

static bool cdi_bvtree_visit_none(void *user, uint32_t index) {
    (void)user;
    (void)index;
    return false;
}

CD_API bool cd_bvtree_test_overlap(const cd_bvtree *tree, const cd_bvh_volume *volume,
                                   const cd_filter *filter) {
    return !cd_bvtree_overlap(tree, volume, filter, cdi_bvtree_visit_none, NULL);
}

/* ---- the nearest first ---- */

typedef struct cdi_bvtree_step {
    float bound;
    uint32_t number;
} cdi_bvtree_step;

/* A lower bound for a node; false when it does not count. */
typedef bool (*cdi_bvtree_bound_fn)(const cdi_bvtree *t, const void *with, uint32_t number, float *bound);

/* Puts a node among the last of the stack, from `bottom` on: the nearest on top, of equal ones the first. */
static void cdi_step_insert(cdi_bvtree_step *stack, uint32_t bottom, uint32_t at, cdi_bvtree_step step) {
    for (; at > bottom && stack[at - 1].bound <= step.bound; --at) stack[at] = stack[at - 1];
    stack[at] = step;
}

static bool cdi_bvtree_walk(const cdi_bvtree *t, const void *with, void *q, float limit,
                            cdi_bvtree_bound_fn bound, cdi_nearest_fn items) {
    cdi_bvtree_step stack[CDI_BVTREE_STACK], step;
    uint32_t top = 0;
    step.number = 0;
    CDI_COUNT(node);
    if (!bound(t, with, 0, &step.bound)) return true;
    stack[top++] = step;
    while (top > 0) {
        cdi_bvtree_step at = stack[--top];
        cdi_bvtree_links l = cdi_bvtree_links_of(t, at.number);
        uint32_t count = cdi_links_count(l), bottom = top;
        if (at.bound > limit) continue;
        if (cdi_links_is_leaf(l)) {
            if (!items(q, &t->items, l.first, count, &limit)) return false;
            continue;
        }
        for (uint32_t i = 0; i < count; ++i) {
            step.number = l.first + i;
            CDI_COUNT(node);
            if (bound(t, with, step.number, &step.bound) && step.bound <= limit)
                cdi_step_insert(stack, bottom, top++, step);
        }
    }
    return true;
}

/* ---- rays ---- */

static bool cdi_bvtree_ray_bound(const cdi_bvtree *t, const void *with, uint32_t number, float *bound) {
    double tau;
    if (!t->ops->enter(t, cdi_bvtree_volume(t, number), (const cdi_volume_ray *)with, &tau)) return false;
    *bound = tau > 0.0 ? cdi_float_down(cdi_min(tau, 1e20)) : 0.0f;
    return true;
}

/* The ray of a query where its frame has cut it. */
static cdi_volume_ray cdi_volume_ray_of(const cdi_bvtree *t, const cdi_ray_query *q) {
    const cdi_frame *f = &t->items.header->frame;
    double most = cdi_v3_max_abs(q->cast.d), at[3], way[3], off[3];
    int shift = most > 0.0 ? -cdi_exponent(most) : 0;
    cdi_volume_ray r;
    for (int k = 0; k < 3; ++k) {
        double o = cdi_scale2(cdi_v3_get(q->cast.o, k) - f->origin[k], -f->exponent), go;
        way[k] = cdi_scale2(cdi_v3_get(q->cast.d, k), shift);
        go = q->frame.start * way[k];
        at[k] = o + go;
        off[k] = CDI_OFF * (cdi_abs(o) + cdi_abs(go) + 1.0);
    }
    r.at = cdi_v3_make(at[0], at[1], at[2]);
    r.way = cdi_v3_make(way[0], way[1], way[2]);
    r.off = cdi_v3_make(off[0], off[1], off[2]);
    return r;
}

static bool cdi_bvtree_walk_ray(const void *with, const cdi_bvh *tree, void *q, float limit,
                                cdi_nearest_fn items) {
    const cdi_bvtree *t = (const cdi_bvtree *)(const void *)tree;
    cdi_volume_ray ray = cdi_volume_ray_of(t, (const cdi_ray_query *)q);
    (void)with;
    return cdi_bvtree_walk(t, &ray, q, limit, cdi_bvtree_ray_bound, items);
}

CD_API bool cd_bvtree_cast_ray(const cd_bvtree *tree, const cd_ray *r, cd_real t_max,
                               const cd_cast_options *options, cd_hit *hit) {
    cdi_bvtree t;
    return cdi_bvtree_open(&t, tree) &&
           cdi_cast_ray_by(cdi_bvtree_walk_ray, &t.items, r, t_max, options, hit);
}

CD_API bool cd_bvtree_test_ray(const cd_bvtree *tree, const cd_ray *r, cd_real t_max,
                               const cd_cast_options *options) {
    cdi_bvtree t;
    return cdi_bvtree_open(&t, tree) && cdi_test_ray_by(cdi_bvtree_walk_ray, &t.items, r, t_max, options);
}

/* ---- the nearest ---- */

/* A point in the frame, as far as it can be told: what is beyond 1e18 is put there. */
static bool cdi_bvtree_point_bound(const cdi_bvtree *t, const void *with, uint32_t number, float *bound) {
    const cdi_v3 *p = (const cdi_v3 *)with;
    double off = 1e-12 + 1e-15 * cdi_v3_max_abs(*p);
    double distance = cdi_sqrt(t->ops->sqdist(t, cdi_bvtree_volume(t, number), *p)) * (1.0 - 1e-12) - off;
    *bound = distance > 0.0 ? cdi_float_down(distance * distance) : 0.0f;
    return true;
}

static bool cdi_bvtree_walk_near(const void *with, const cdi_bvh *tree, void *q, float limit,
                                 cdi_nearest_fn items) {
    const cdi_bvtree *t = (const cdi_bvtree *)(const void *)tree;
    const cdi_frame *f = &tree->header->frame;
    double at[3];
    cdi_v3 p;
    for (int k = 0; k < 3; ++k)
        at[k] = cdi_clamp(cdi_frame_in(f, k, cdi_v3_get(*(const cdi_v3 *)with, k)), -1e18, 1e18);
    p = cdi_v3_make(at[0], at[1], at[2]);
    return cdi_bvtree_walk(t, &p, q, limit, cdi_bvtree_point_bound, items);
}

CD_API bool cd_bvtree_closest(const cd_bvtree *tree, cd_vec3 p, cd_real max_distance, const cd_filter *filter,
                              cd_closest *out) {
    cdi_bvtree t;
    return cdi_bvtree_open(&t, tree) &&
           cdi_near_by(cdi_bvtree_walk_near, &t.items, p, max_distance, filter, out);
}
