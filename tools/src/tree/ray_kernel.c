#include "tree/ray_kernel.h"

/* ---- a triangle that is met for certain ---- */

/* What is known of a hit before all of it is needed. */
typedef enum cdi_told { CDI_TOLD_MISS, CDI_TOLD_HIT, CDI_TOLD_NOTHING } cdi_told;

/* Where the weights are sure and all corners ahead: t, as cdi_ray_tri_met has it. Nothing is told where that takes more than
 * the plain products. */
CDI_HOT cdi_told cdi_tell_hit(const cdi_ray_query *q, const cdi_tri *t, const cdi_ray_look *l, double *time) {
#ifdef COLLIDE_DOUBLE
    (void)q, (void)t, (void)l, (void)time;
    return CDI_TOLD_NOTHING;
#else
    const cdi_ray *r = &q->ray;
    cdi_v3 e = cdi_v3_sub(t->v[1], t->v[0]), f = cdi_v3_sub(t->v[2], t->v[0]), n = cdi_v3_cross(e, f);
    double sum = l->side[0] + l->side[1] + l->side[2], scale = r->shear[2];
    double least = cdi_min(cdi_min(l->z[0] * scale, l->z[1] * scale), l->z[2] * scale), at;
    bool plain = l->sure && least > 0.0 && cdi_finite(sum) &&
                 cdi_v3_max_abs(n) > CDI_CROSS_LEFT * (cdi_v3_max_abs(e) * cdi_v3_max_abs(f));
    if (!plain) return CDI_TOLD_NOTHING;
    if (q->cast.flags & (sum < 0.0 ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) return CDI_TOLD_MISS;
    at = cdi_round_parameter(cdi_clamp_to_bounds(r, t, cdi_plane_parameter(r, n, t->v[0])));
    if (at == r->t_min) return CDI_TOLD_NOTHING;
    *time = at;
    return at > r->t_min && at <= q->t_max ? CDI_TOLD_HIT : CDI_TOLD_MISS;
#endif
}

static CDI_COLD bool cdi_plain_ask(const cdi_ray_query *q, const cdi_tri *tri, const cdi_ray_look *look,
                                   cdi_item_hit *out) {
    if (look->sure ? !cdi_ray_tri_met(&q->ray, tri, look->side, look->z, q->cast.flags, q->t_max, &out->tri)
                   : !cdi_ray_tri(&q->ray, tri, q->cast.flags, q->t_max, &out->tri))
        return false;
    out->t = out->tri.t;
    out->is_sides = false;
#ifdef COLLIDE_DOUBLE
    return cdi_tri_hit_write(NULL, &out->tri, tri, &q->ray, 0); /* floats do not leave the range of double */
#else
    return true;
#endif
}

CDI_HOT bool cdi_plain_item(const cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                            cdi_item_hit *out) {
    const cdi_bvh_triangle *row = (const cdi_bvh_triangle *)tree->items + i;
    cdi_tri tri;
    cdi_told told;
    for (int k = 0; k < 3; ++k)
        tri.v[k] = cdi_v3_make((double)row->v[3 * k], (double)row->v[3 * k + 1], (double)row->v[3 * k + 2]);
    told = cdi_tell_hit(q, &tri, look, &out->t);
    if (told == CDI_TOLD_MISS || (told == CDI_TOLD_NOTHING && !cdi_plain_ask(q, &tri, look, out)))
        return false;
    if (told == CDI_TOLD_HIT) {
        out->is_sides = true;
        for (int k = 0; k < 3; ++k) out->side[k] = look->side[k];
        out->tri.t = out->t;
    }
    out->item = i;
    out->index = row->index;
    return true;
}

/* ---- what a hit is good for ---- */

/* Answers false when the walk may end. */
typedef bool (*cdi_plain_fn)(cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                             float *limit);

CDI_HOT bool cdi_plain_nearer(cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                              float *limit) {
    cdi_item_hit h;
    bool first = q->best.item == CD_NONE;
    if (i == q->best.item || !cdi_plain_item(q, tree, i, look, &h)) return true;
    if (!first && h.t == q->best.t && h.index > q->best.index) return true;
    if (!cdi_ray_sees(tree, i, h.index, q->options)) return true;
    q->best.t = q->t_max = h.t;
    q->best.item = i;
    q->best.index = h.index;
    q->best.is_sides = h.is_sides;
    for (int k = 0; k < 3; ++k) q->best.side[k] = h.side[k];
    q->best.tri = h.tri;
    *limit = cdi_frame_ray_limit(&q->frame, h.t);
    return true;
}

CDI_HOT bool cdi_plain_found(cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                             float *limit) {
    cdi_item_hit h;
    (void)limit;
    if (!cdi_plain_item(q, tree, i, look, &h) || !cdi_ray_sees(tree, i, h.index, q->options)) return true;
    q->best.item = i;
    return false;
}

/* ---- leaves ---- */

#ifdef CDI_AVX

CDI_INLINE void cdi_plain_look(const cdi_four_met *met, uint32_t number, cdi_ray_look *look) {
    for (int k = 0; k < 3; ++k) {
        look->side[k] = met->side[k][number];
        look->z[k] = met->z[k][number];
    }
    look->sure = (met->sure >> number & 1u) != 0;
}

/* Which of up to four triangles from `first` on may the ray meet? */
CDI_HOT uint32_t cdi_plain_four(const cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                                cdi_four_met *met) {
    const cdi_bvh_triangle *t = (const cdi_bvh_triangle *)tree->items + first;
    const cd_real *row[4];
    cdi_d4 n[9], last[4];
    for (uint32_t i = 0; i < 4; ++i) row[i] = t[i < count ? i : 0].v;
    cdi_d4_from_rows(row, 0, n);
    cdi_d4_from_rows(row, 4, n + 4);
    cdi_d4_from_rows(row, 5, last);
    n[8] = last[3];
    return cdi_ray_meets_four(&q->ray, n, q->t_max, met) & ((1u << count) - 1u);
}

/* Four at a time. */
CDI_HOT bool cdi_plain_leaf(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                            float *limit, cdi_plain_fn item) {
    for (uint32_t end = first + count; first < end; first += 4) {
        uint32_t some = end - first < 4 ? end - first : 4, bits;
        cdi_four_met met;
        cdi_ray_look look;
        for (bits = cdi_plain_four(q, tree, first, some, &met); bits; bits &= bits - 1u) {
            uint32_t number = cdi_lowest_bit(bits);
            cdi_plain_look(&met, number, &look);
            CDI_COUNT(triangle);
            if (!item(q, tree, first + number, &look, limit)) return false;
        }
    }
    return true;
}

#else /* in shorter registers one after another is sooner done */

CDI_HOT bool cdi_plain_leaf(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                            float *limit, cdi_plain_fn item) {
    const cdi_bvh_triangle *t = (const cdi_bvh_triangle *)tree->items;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_ray_look look;
        CDI_COUNT(triangle);
        if (cdi_ray_look_at_row(&q->ray, t[i].v, &look) && !item(q, tree, i, &look, limit)) return false;
    }
    return true;
}

#endif

/* ---- the walk ---- */

/* A child that waits. */
typedef struct cdi_plain_step {
    float bound;
    uint32_t child, count;
} cdi_plain_step;

CDI_INLINE cdi_plain_step cdi_plain_child(const cdi_bvh_node *node, const float bound[8], uint32_t lane) {
    cdi_plain_step s;
    s.bound = bound[lane];
    s.child = node->child[lane];
    s.count = node->count[lane];
    return s;
}

CDI_INLINE void cdi_plain_fetch(const cdi_bvh *tree, uint32_t child, uint32_t count) {
    const char *at = count ? (const char *)((const cdi_bvh_triangle *)tree->items + child)
                           : (const char *)((const cdi_bvh_node *)tree->nodes + child);
    CDI_PREFETCH(at);
    CDI_PREFETCH(at + 64);
    CDI_PREFETCH(at + 128);
    CDI_PREFETCH(at + 192);
}

/* Three and more: all but the nearest are pushed, the farthest first. */
CDI_INLINE cdi_plain_step cdi_plain_push(cdi_plain_step **top, const cdi_bvh_node *node, uint32_t mask,
                                         const float bound[8]) {
    cdi_plain_step *bottom = *top, *end = bottom, *at;
    for (; mask; mask &= mask - 1u) {
        cdi_plain_step s = cdi_plain_child(node, bound, cdi_lowest_bit(mask));
        for (at = end++; at > bottom && at[-1].bound <= s.bound; --at) at[0] = at[-1];
        *at = s;
    }
    *top = end - 1;
    return end[-1];
}

CDI_HOT bool cdi_plain_walk(const cdi_bvh *tree, cdi_ray_query *q, cdi_plain_fn item) {
    cdi_plain_step stack[CDI_BVH_STACK], *top = stack, at;
    float bound[8], limit = cdi_frame_ray_limit(&q->frame, q->t_max);
    at.child = at.count = 0;
    for (;;) {
        if (!at.count) {
            const cdi_bvh_node *node = (const cdi_bvh_node *)tree->nodes + at.child;
            uint32_t mask = cdi_ray_enters(&q->frame, node, limit, bound) & node->lanes,
                     rest = mask & (mask - 1u);
            CDI_COUNT(node);
            if (mask) {
                if (!rest) {
                    at = cdi_plain_child(node, bound, cdi_lowest_bit(mask));
                    continue;
                }
                if (!(rest & (rest - 1u))) {
                    cdi_plain_step a = cdi_plain_child(node, bound, cdi_lowest_bit(mask)),
                                   b = cdi_plain_child(node, bound, cdi_lowest_bit(rest));
                    if (b.bound < a.bound) {
                        *top++ = a;
                        at = b;
                    } else {
                        *top++ = b;
                        at = a;
                    }
                } else {
                    at = cdi_plain_push(&top, node, mask, bound);
                }
                continue;
            }
        } else if (!cdi_plain_leaf(q, tree, at.child, at.count, &limit, item)) {
            return true;
        }
        do {
            if (top == stack) return false;
            at = *--top;
        } while (at.bound > limit);
    }
}

CDI_FN void cdi_plain_nearest(const cdi_bvh *tree, cdi_ray_query *q) {
    cdi_plain_walk(tree, q, cdi_plain_nearer);
}

CDI_FN bool cdi_plain_any(const cdi_bvh *tree, cdi_ray_query *q) {
    return cdi_plain_walk(tree, q, cdi_plain_found);
}
