#include "tree/ray_kernel.h"
#include "tree/ray_lanes.h"

/* How small the sum of a triangle's weights, which is the product of its normal with the ray, may be beside the product of its
 * edges: the sum is good to a tenth of it, and CDI_CROSS_LEFT is a thirtieth of what is left. */
#define CDI_PLAIN_EDGE_ON 1e-4

/* A triangle that may be met: the weights of its corners c, a and b, the depths of a, b and c, and what is certain. */
typedef struct cdi_plain_seen {
    double side[4], z[4];
    cdi_d4 t;         /* the depths as t */
    bool sure, ahead; /* the signs of the weights; are all corners ahead of the origin? */
} cdi_plain_seen;

/* ---- the ray beside a triangle ---- */

/* The ray as the test of triangles takes it. */
typedef struct cdi_plain_ray {
    cdi_d4 x, y, z; /* its origin, by its own axes */
    cdi_d4 shear_x, shear_y, scale;
    cdi_d4 above, below;         /* what a weight has to be beyond to be sure of its sign */
    cdi_d4 beyond;               /* what t all corners have to be beyond to be too far */
    cdi_d4 origin, dir, inverse; /* by x, y and z */
    const cdi_ray *ray;
    uint32_t axis[3];
    bool is_along;  /* some axis: no t is told then */
    bool is_direct; /* made ready here */
} cdi_plain_ray;

/* The bound of cdi_ray_look_at for all triangles of the tree at once: with m the largest coordinate of any of them, and
 * some more, so that what is sure here is sure there. Too large a one is infinite, and nothing is sure. */
CDI_HOT void cdi_plain_ray_bound(cdi_plain_ray *p, double m) {
    double bound = CDI_PASS_BOUND * (m * m) * 1.000001 + CDI_PASS_LEAST;
    if (!(bound <= CDI_PASS_BOUND * CDI_PASS_MOST)) bound = cdi_infinity();
    p->above = cdi_d4_all(bound);
    p->below = cdi_d4_all(-bound);
}

CDI_INLINE double cdi_plain_reach(const cdi_bvh *tree, const double o[3]) {
    double m = 0.0;
    for (int k = 0; k < 3; ++k)
        m = cdi_max(m, cdi_max(tree->header->hi[k] - o[k], o[k] - tree->header->lo[k]));
    return m;
}

/* The ray's own axes. */
CDI_HOT void cdi_plain_ray_turn(cdi_plain_ray *p, const double o[3], const double shear[3],
                                const uint32_t axis[3]) {
    for (int i = 0; i < 3; ++i) p->axis[i] = axis[i];
    p->x = cdi_d4_all(o[axis[0]]);
    p->y = cdi_d4_all(o[axis[1]]);
    p->z = cdi_d4_all(o[axis[2]]);
    p->shear_x = cdi_d4_all(shear[0]);
    p->shear_y = cdi_d4_all(shear[1]);
    p->scale = cdi_d4_all(shear[2]);
}

/* Of a ray that was made ready elsewhere. */
CDI_HOT void cdi_plain_ray_of(cdi_plain_ray *p, const cdi_bvh *tree, const cdi_ray *r) {
    cdi_plain_ray_turn(p, r->origin, r->shear, r->axis);
    cdi_plain_ray_bound(p, cdi_plain_reach(tree, r->origin));
    p->origin = cdi_d4_make(r->origin[0], r->origin[1], r->origin[2], 0.0);
    p->dir = cdi_d4_make(r->dir[0], r->dir[1], r->dir[2], 0.0);
    p->inverse = cdi_d4_make(r->inverse[0], r->inverse[1], r->inverse[2], 0.0);
    p->is_along = (r->dir[0] == 0.0) | (r->dir[1] == 0.0) | (r->dir[2] == 0.0);
}

#ifdef CDI_AVX

/* May the ray meet the triangle in time? The same products as those of cdi_ray_look_at, the three corners side by
 * side. */
CDI_HOT bool cdi_plain_look(const cdi_plain_ray *p, const cd_real *v, cdi_plain_seen *seen) {
    cdi_d4 z = cdi_d4_sub(cdi_d4_three(v + p->axis[2], 3, 0), p->z);
    cdi_d4 x = cdi_d4_sub(cdi_d4_sub(cdi_d4_three(v + p->axis[0], 3, 0), p->x), cdi_d4_mul(p->shear_x, z));
    cdi_d4 y = cdi_d4_sub(cdi_d4_sub(cdi_d4_three(v + p->axis[1], 3, 0), p->y), cdi_d4_mul(p->shear_y, z));
    cdi_d4 side = cdi_d4_sub(cdi_d4_mul(cdi_d4_turned(x), y), cdi_d4_mul(cdi_d4_turned(y), x));
    cdi_d4 t = cdi_d4_mul(z, p->scale);
    uint32_t positive = cdi_d4_le(p->above, side) & 7u, negative = cdi_d4_le(side, p->below) & 7u;
    uint32_t late = cdi_d4_le(p->beyond, t) & 7u, behind = cdi_d4_le(t, cdi_d4_all(0.0)) & 7u;
    if (((positive != 0) & (negative != 0)) | (late == 7u)) return false;
    seen->sure = (positive == 7u) | (negative == 7u);
    seen->ahead = behind == 0;
    seen->t = t;
    cdi_d4_store(seen->side, side);
    cdi_d4_store(seen->z, z);
    return true;
}

#else /* in shorter registers it is sooner done one corner after another */

CDI_HOT bool cdi_plain_look(const cdi_plain_ray *p, const cd_real *v, cdi_plain_seen *seen) {
    cdi_ray_look l;
    if (!cdi_ray_look_at_row(p->ray, v, &l)) return false;
    for (int k = 0; k < 3; ++k) {
        seen->side[(k + 1) % 3] = l.side[k];
        seen->z[k] = l.z[k];
    }
    seen->t = cdi_d4_mul(cdi_d4_make(l.z[0], l.z[1], l.z[2], 0.0), p->scale);
    seen->sure = l.sure;
    seen->ahead = (cdi_d4_le(seen->t, cdi_d4_all(0.0)) & 7u) == 0;
    return (cdi_d4_le(p->beyond, seen->t) & 7u) != 7u;
}

#endif

/* ---- a triangle that is met for certain ---- */

/* What is known of a hit before all of it is needed. */
typedef enum cdi_told { CDI_TOLD_MISS, CDI_TOLD_HIT, CDI_TOLD_NOTHING } cdi_told;

/* t of the plane, put into the triangle's bounds: cdi_plane_parameter and cdi_clamp_to_bounds side by side, with the same
 * roundings. Nothing is told of a triangle seen edge on, or near to a needle, for which the normal takes more than
 * a plain product. */
CDI_HOT bool cdi_plain_time(const cdi_plain_ray *p, const cd_real *v, double weights, double *t) {
    cdi_d4 c[3], e, f, n, in, out, zero = cdi_d4_all(0.0);
    double plane[2], span[2], size[2];
    cdi_d4_corners(v, c);
    e = cdi_d4_sub(c[1], c[0]);
    f = cdi_d4_sub(c[2], c[0]);
    n = cdi_d4_turned(cdi_d4_sub(cdi_d4_mul(e, cdi_d4_turned(f)), cdi_d4_mul(cdi_d4_turned(e), f)));
    in = cdi_d4_mul(cdi_d4_sub(cdi_d4_min(cdi_d4_min(c[0], c[1]), c[2]), p->origin), p->inverse);
    out = cdi_d4_mul(cdi_d4_sub(cdi_d4_max(cdi_d4_max(c[0], c[1]), c[2]), p->origin), p->inverse);
    cdi_d4_sums(cdi_d4_mul(n, cdi_d4_sub(c[0], p->origin)), cdi_d4_mul(n, p->dir), plane);
    cdi_d4_minima(cdi_d4_max(in, out), cdi_d4_sub(zero, cdi_d4_min(in, out)), span);
    cdi_d4_minima(cdi_d4_sub(zero, cdi_d4_abs(e)), cdi_d4_sub(zero, cdi_d4_abs(f)), size);
    *t = cdi_round_parameter(cdi_max(cdi_min(plane[0] / plane[1], span[0]), -span[1]));
    return cdi_abs(weights) > CDI_PLAIN_EDGE_ON * (size[0] * size[1]);
}

/* Where the weights are sure and all corners ahead: t, as cdi_ray_tri_met has it. */
CDI_HOT cdi_told cdi_tell_hit(const cdi_ray_query *q, const cdi_plain_ray *p, const cd_real *v,
                              const cdi_plain_seen *l, double *t) {
#ifdef COLLIDE_DOUBLE
    (void)q, (void)p, (void)v, (void)l, (void)t; /* there normals take more than that */
    return CDI_TOLD_NOTHING;
#else
    double sum = l->side[1] + l->side[2] + l->side[0];
    if ((p->is_along | (!l->sure) | (!l->ahead)) || !cdi_plain_time(p, v, sum, t)) return CDI_TOLD_NOTHING;
    if (q->cast.flags & (sum < 0.0 ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) return CDI_TOLD_MISS;
    if (*t == q->ray.t_min) return CDI_TOLD_NOTHING;
    return *t > q->ray.t_min && *t <= q->t_max ? CDI_TOLD_HIT : CDI_TOLD_MISS;
#endif
}

static CDI_COLD bool cdi_plain_ask(const cdi_ray_query *q, const cd_real *v, const cdi_plain_seen *look,
                                   cdi_tri_hit *out) {
    double side[3];
    cdi_tri t, *tri = &t;
    for (int k = 0; k < 3; ++k)
        t.v[k] = cdi_v3_make((double)v[3 * k], (double)v[3 * k + 1], (double)v[3 * k + 2]);
    side[0] = look->side[1], side[1] = look->side[2], side[2] = look->side[0];
    if (look->sure ? !cdi_ray_tri_met(&q->ray, tri, side, look->z, q->cast.flags, q->t_max, out)
                   : !cdi_ray_tri(&q->ray, tri, q->cast.flags, q->t_max, out))
        return false;
#ifdef COLLIDE_DOUBLE
    return cdi_tri_hit_write(NULL, out, tri, &q->ray, 0); /* floats do not leave the range of double */
#else
    return true;
#endif
}

/* A miss, a hit of which t alone is known, or one that is in `asked`, as nothing was told at once. */
CDI_HOT cdi_told cdi_plain_item(const cdi_ray_query *q, const cdi_plain_ray *p, const cd_real *v,
                                const cdi_plain_seen *look, double *t, cdi_tri_hit *asked) {
    cdi_told told = cdi_tell_hit(q, p, v, look, t);
    if (told != CDI_TOLD_NOTHING) return told;
    if (!cdi_plain_ask(q, v, look, asked)) return CDI_TOLD_MISS;
    *t = asked->t;
    return CDI_TOLD_NOTHING;
}

/* ---- what a hit is good for ---- */

/* Answers false when the walk may end. */
typedef bool (*cdi_plain_fn)(cdi_ray_query *q, const cdi_plain_ray *p, const cdi_bvh *tree, uint32_t i,
                             const cdi_plain_seen *look, float *limit);

/* cdi_frame_ray_limit, and for most rays, whose tau is t, a shorter one: no t is below 0, the rounding to a float takes 6e-8 of it,
 * and CDI_SLACK wants 5e-7. */
CDI_HOT float cdi_plain_limit(const cdi_plain_ray *p, const cdi_ray_query *q, double t) {
    return p->is_direct ? (float)cdi_min(t * 1.0000008 + 2.0 * CDI_OFF, 1e20)
                        : cdi_frame_ray_limit(&q->frame, t);
}

/* What was not asked for is not there to be copied. */
CDI_HOT void cdi_plain_keep(cdi_item_hit *best, const cdi_plain_seen *look, cdi_told told,
                            const cdi_tri_hit *asked) {
    best->is_sides = told == CDI_TOLD_HIT;
    best->side[0] = look->side[1], best->side[1] = look->side[2], best->side[2] = look->side[0];
    if (told != CDI_TOLD_HIT) best->tri = *asked;
    best->tri.t = best->t;
}

CDI_HOT bool cdi_plain_nearer(cdi_ray_query *q, const cdi_plain_ray *p, const cdi_bvh *tree, uint32_t i,
                              const cdi_plain_seen *look, float *limit) {
    const cdi_bvh_triangle *row = (const cdi_bvh_triangle *)tree->items + i;
    bool first = q->best.item == CD_NONE;
    double t = 0.0;
    cdi_tri_hit asked;
    cdi_told told;
    if (i == q->best.item) return true;
    told = cdi_plain_item(q, p, row->v, look, &t, &asked);
    if (told == CDI_TOLD_MISS || (!first && t == q->best.t && row->index > q->best.index)) return true;
    if (!cdi_ray_sees(tree, i, row->index, q->options)) return true;
    q->best.t = q->t_max = t;
    q->best.item = i;
    q->best.index = row->index;
    cdi_plain_keep(&q->best, look, told, &asked);
    *limit = cdi_plain_limit(p, q, t);
    return true;
}

/* Is there a hit for certain, whatever t is? It lies between the depths of the corners but for a few roundings, as it is put into the
 * triangle's bounds. */
CDI_HOT bool cdi_plain_is_certain(const cdi_ray_query *q, const cdi_plain_seen *look) {
#ifdef COLLIDE_DOUBLE
    (void)q, (void)look; /* there a hit may be beyond what can be written */
    return false;
#else
    cdi_d4 least = cdi_d4_all(q->ray.t_min * (1.0 + 1e-12) + 1e-37);
    cdi_d4 most = cdi_d4_all(q->t_max * (1.0 - 1e-12) - 1e-37);
    return look->sure & look->ahead & (q->ray.t_min >= 0.0) & (q->cast.flags == 0) &
           ((cdi_d4_le(least, look->t) & cdi_d4_le(look->t, most) & 7u) == 7u);
#endif
}

CDI_HOT bool cdi_plain_found(cdi_ray_query *q, const cdi_plain_ray *p, const cdi_bvh *tree, uint32_t i,
                             const cdi_plain_seen *look, float *limit) {
    const cdi_bvh_triangle *row = (const cdi_bvh_triangle *)tree->items + i;
    cdi_tri_hit asked;
    double t;
    (void)limit;
    if (!cdi_plain_is_certain(q, look) && cdi_plain_item(q, p, row->v, look, &t, &asked) == CDI_TOLD_MISS)
        return true;
    if (!cdi_ray_sees(tree, i, row->index, q->options)) return true;
    q->best.item = i;
    return false;
}

/* ---- leaves ---- */

CDI_HOT bool cdi_plain_leaf(cdi_ray_query *q, cdi_plain_ray *p, const cdi_bvh *tree, uint32_t first,
                            uint32_t count, float *limit, cdi_plain_fn item) {
    const cdi_bvh_triangle *t = (const cdi_bvh_triangle *)tree->items;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_plain_seen seen;
        CDI_COUNT(triangle);
        if (!cdi_plain_look(p, t[i].v, &seen)) continue;
        if (!item(q, p, tree, i, &seen, limit)) return false;
        p->beyond = cdi_d4_all(cdi_surely_beyond(q->t_max));
    }
    return true;
}

/* ---- the walk ---- */

/* A child: where the ray enters it, as the bits of a float that is not negative, and below these eight times its parent's
 * number and its lane. Compared as a whole, as whole numbers are, they come in the order in which they are met. */
typedef uint64_t cdi_plain_step;

CDI_INLINE cdi_plain_step cdi_plain_step_of(const uint32_t bound[8], uint32_t number, uint32_t lane) {
    return (uint64_t)bound[lane] << 32 | (number << 3 | lane);
}

/* Puts one more among those from `bottom` up to `end`, of which the nearest is the last. */
CDI_HOT void cdi_plain_insert(const cdi_plain_step *bottom, cdi_plain_step *end, cdi_plain_step step) {
    for (; end > bottom && end[-1] < step; --end) *end = end[-1];
    *end = step;
}

/* What waits is fetched meanwhile. */
CDI_HOT void cdi_plain_fetch(const cdi_bvh *tree, const cdi_bvh_node *node, uint32_t lane) {
    const char *at = node->count[lane]
                         ? (const char *)((const cdi_bvh_triangle *)tree->items + node->child[lane])
                         : (const char *)((const cdi_bvh_node *)tree->nodes + node->child[lane]);
    CDI_PREFETCH(at);
    CDI_PREFETCH(at + 64);
    CDI_PREFETCH(at + 128);
    CDI_PREFETCH(at + 192);
}

/* Answers with the nearest of the children in `mask`, and pushes the others. */
CDI_HOT cdi_plain_step cdi_plain_push(const cdi_bvh *tree, cdi_plain_step **top, const uint32_t bound[8],
                                      uint32_t number, uint32_t mask) {
    const cdi_bvh_node *node = (const cdi_bvh_node *)tree->nodes + number;
    cdi_plain_step nearest = cdi_plain_step_of(bound, number, cdi_lowest_bit(mask)), *bottom = *top;
    for (mask &= mask - 1u; mask; mask &= mask - 1u) {
        cdi_plain_step other = cdi_plain_step_of(bound, number, cdi_lowest_bit(mask));
        cdi_plain_step farther;
        cdi_plain_fetch(tree, node, cdi_lowest_bit(mask));
        farther = other < nearest ? nearest : other;
        nearest = other < nearest ? other : nearest;
        cdi_plain_insert(bottom, (*top)++, farther);
    }
    return nearest;
}

/* cdi_frame_ray in registers. */
typedef struct cdi_plain_slabs {
    cdi_f8 first[3], last[3], inverse[3], inverse_last[3], from; /* the latter with the slack */
    uint32_t first_side[3], last_side[3];
} cdi_plain_slabs;

CDI_HOT void cdi_plain_slabs_begin(cdi_plain_slabs *s, const cdi_frame_ray *f) {
    for (int k = 0; k < 3; ++k) {
        s->first[k] = cdi_f8_all(f->first_origin[k]);
        s->last[k] = cdi_f8_all(f->last_origin[k]);
        s->inverse[k] = cdi_f8_all(f->inverse[k]);
        s->inverse_last[k] = cdi_f8_all(f->inverse[k] * CDI_SLACK);
        s->first_side[k] = f->first_side[k];
        s->last_side[k] = f->last_side[k];
    }
    s->from = cdi_f8_all(f->from);
}

/* As cdi_ray_enters. */
CDI_HOT uint32_t cdi_plain_enters(const cdi_plain_slabs *s, const cdi_bvh_node *node, float limit,
                                  uint32_t enter[8]) {
    cdi_f8 in[3], out[3];
    float bound[8];
    for (int k = 0; k < 3; ++k) {
        in[k] = cdi_f8_mul(cdi_f8_sub(cdi_f8_load(cdi_node_row(node, s->first_side[k])), s->first[k]),
                           s->inverse[k]);
        out[k] = cdi_f8_mul(cdi_f8_sub(cdi_f8_load(cdi_node_row(node, s->last_side[k])), s->last[k]),
                            s->inverse_last[k]);
    }
    in[0] = cdi_f8_max(cdi_f8_max(in[0], in[1]), cdi_f8_max(in[2], s->from));
    out[0] = cdi_f8_min(cdi_f8_min(out[0], out[1]), cdi_f8_min(out[2], cdi_f8_all(limit)));
    cdi_f8_store(bound, in[0]);
    cdi_copy(enter, bound, sizeof bound);
    return cdi_f8_le(in[0], out[0]) & node->lanes;
}

CDI_HOT bool cdi_plain_walk(const cdi_bvh *tree, cdi_ray_query *q, cdi_plain_ray *ray, cdi_plain_fn item) {
    cdi_plain_step stack[CDI_BVH_STACK], *top = stack, step = 0;
    const cdi_bvh_node *nodes = (const cdi_bvh_node *)tree->nodes;
    float limit = cdi_plain_limit(ray, q, q->t_max);
    uint32_t bound[8], child = 0, count = 0;
    cdi_plain_slabs slabs;
    cdi_plain_slabs_begin(&slabs, &q->frame);
    ray->beyond = cdi_d4_all(cdi_surely_beyond(q->t_max));
    for (;;) {
        while (count == 0) {
            const cdi_bvh_node *node = nodes + child;
            uint32_t mask = cdi_plain_enters(&slabs, node, limit, bound), lane, rest = mask & (mask - 1u);
            CDI_COUNT(node);
            if (!mask) goto next;
            lane = cdi_lowest_bit(mask);
            if (rest) {
                uint32_t other = cdi_lowest_bit(rest);
                cdi_plain_fetch(tree, node, lane);
                cdi_plain_fetch(tree, node, other);
                if (!(rest & (rest - 1u))) {
                    cdi_plain_step a = cdi_plain_step_of(bound, child, lane),
                                   b = cdi_plain_step_of(bound, child, other);
                    *top++ = a < b ? b : a;
                    lane = a < b ? lane : other;
                } else {
                    lane = (uint32_t)cdi_plain_push(tree, &top, bound, child, mask) & 7u;
                }
            }
            child = node->child[lane];
            count = node->count[lane];
        }
        if (!cdi_plain_leaf(q, ray, tree, child, count, &limit, item)) return true;
    next:
        do {
            uint32_t bits;
            float enter;
            if (top == stack) return false;
            step = *--top;
            bits = (uint32_t)(step >> 32);
            cdi_copy(&enter, &bits, sizeof enter);
            if (enter <= limit) break;
        } while (true);
        child = nodes[(uint32_t)step >> 3].child[step & 7u];
        count = nodes[(uint32_t)step >> 3].count[step & 7u];
    }
}

/* ---- the ray ---- */

/* x, y and z of the sheared frame as cdi_ray_prepare chooses them, without a jump: nothing foretells which way a ray goes. */
CDI_HOT void cdi_plain_axes(const double d[3], uint32_t axis[3]) {
    double a = cdi_abs(d[0]), b = cdi_abs(d[1]), c = cdi_abs(d[2]);
    uint32_t y_longer = b > a, z_longest = (uint32_t)(c > a) & (uint32_t)(c > b);
    uint32_t z = (y_longer & (z_longest ^ 1u)) | z_longest << 1, x = z + 1u + (uint32_t)(d[z] < 0.0);
    x -= 3u * (uint32_t)(x >= 3u);
    axis[0] = x;
    axis[1] = 3u - z - x;
    axis[2] = z;
}

/* Most rays are made ready here: the slabs, and of cd_ray_prepare what triangles take, in `p` and for those that are left to
 * others also in the query. */
CDI_HOT bool cdi_plain_aim(cdi_ray_query *q, const cdi_bvh *tree, cdi_plain_ray *p) {
    cdi_ray *r = &q->ray;
    double o[4], d[4], inverse[4], scale = cdi_exp2i(tree->header->frame.exponent);
    double t_min = q->options ? (double)q->options->t_min : 0.0;
    p->origin = cdi_d4_three(&q->given->origin.x, 1, 0);
    p->dir = cdi_d4_three(&q->given->dir.x, 1, 1);
    p->inverse = cdi_d4_div(cdi_d4_all(1.0), p->dir);
    if (!(t_min >= 0.0 && t_min <= 1e18) ||
        !cdi_frame_ray_direct(&q->frame, &tree->header->frame, p->origin, p->inverse, t_min))
        return false;
    cdi_d4_store(o, p->origin);
    cdi_d4_store(d, p->dir);
    cdi_d4_store(inverse, p->inverse);
    q->t_max = cdi_min((double)CD_REAL_MAX, (double)q->given_max);
    q->cast.flags = q->options ? q->options->flags : 0u;
    r->t_min = t_min;
    for (int k = 0; k < 3; ++k) {
        r->origin[k] = o[k];
        r->dir[k] = d[k];
        r->inverse[k] = inverse[k];
    }
    cdi_plain_axes(d, r->axis);
    r->shear[0] = d[r->axis[0]] / d[r->axis[2]];
    r->shear[1] = d[r->axis[1]] / d[r->axis[2]];
    r->shear[2] = inverse[r->axis[2]];
    cdi_plain_ray_turn(p, o, r->shear, r->axis);
    cdi_plain_ray_bound(p, (CDI_DIRECT_MOST + 1.0) * scale);
    p->is_along = false;
    return true;
}

CDI_HOT cdi_plain cdi_plain_cast(const cdi_bvh *tree, cdi_ray_query *q, bool ready, cdi_plain_fn item) {
    cdi_plain_ray ray;
    ray.ray = &q->ray;
    ray.is_direct = !ready;
    if (ready) {
        cdi_plain_ray_of(&ray, tree, &q->ray);
    } else if (!cdi_plain_aim(q, tree, &ray)) {
        return CDI_PLAIN_NOT_READY;
    }
    if (!(q->ray.t_min <= q->t_max)) return CDI_PLAIN_MISS;
    cdi_plain_walk(tree, q, &ray, item);
    return q->best.item == CD_NONE ? CDI_PLAIN_MISS : CDI_PLAIN_HIT;
}

CDI_FN cdi_plain cdi_plain_nearest(const cdi_bvh *tree, cdi_ray_query *q, bool ready) {
    return cdi_plain_cast(tree, q, ready, cdi_plain_nearer);
}

CDI_FN cdi_plain cdi_plain_any(const cdi_bvh *tree, cdi_ray_query *q, bool ready) {
    return cdi_plain_cast(tree, q, ready, cdi_plain_found);
}

#undef CDI_PLAIN_EDGE_ON
