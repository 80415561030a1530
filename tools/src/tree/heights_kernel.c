#include "tree/heights_kernel.h"
#include "core/lanes.h"
#include "query/ray_four.h"
#include "tree/heights_lanes.h"

/* ---- nodes ----
 *
 * Side n of the cells is met at (n along + low - o) / d, with the ray's o and d on the axis. It is taken as
 * n (along / d) + (low - o) / d, and heights likewise: one operation for eight sides less. n along, low and o are within about 2 of the frame where
 * anything can be met, so that roundings come to less than 20 2^-24 / d; sides are moved outward by more. Where holes leave a part far from the
 * field's corner they are larger, and low and high are farther apart by as much. */

#define CDI_HEIGHTS_ROOM 2e-6f

/* The ray's sides: on the axes of columns and of rows, and up. */
typedef struct cdi_heights_ray {
    float along[3], first[3], last[3];
    bool back[3];
} cdi_heights_ray;

static cdi_heights_ray cdi_heights_ray_of(const cdi_height_field *g, const cdi_frame_ray *f) {
    cdi_heights_ray r;
    for (int i = 0; i < 3; ++i) {
        uint32_t k = g->axis[i];
        float inverse = f->inverse[k], room = inverse < 0.0f ? -CDI_HEIGHTS_ROOM : CDI_HEIGHTS_ROOM;
        float low = i < 2 ? g->grid_low[i] : g->low, high = i < 2 ? g->grid_high[i] : g->high;
        r.back[i] = f->first_side[k] == cdi_node_side((int)k, true);
        r.along[i] = (i < 2 ? g->along[i] : g->rise) * inverse;
        r.first[i] = ((r.back[i] ? high : low) - (f->first_origin[k] + room)) * inverse;
        r.last[i] = ((r.back[i] ? low : high) - (f->last_origin[k] - room)) * inverse;
    }
    return r;
}

/* A node or a block that waits: of the level below the last one, a block. */
typedef struct cdi_heights_wait {
    float bound;
    uint32_t level, x, y;
} cdi_heights_wait;

/* Of a node's lanes, on an axis of the grid, where the ray meets the sides that come first and last. */
CDI_HOT void cdi_heights_meets(const cdi_heights_ray *r, int way, const float lane[8], uint32_t from,
                               uint32_t size, uint32_t cells, cdi_f8 *in, cdi_f8 *out) {
    cdi_f8 length = cdi_f8_all((float)(int32_t)size), along = cdi_f8_all(r->along[way]);
    cdi_f8 low = cdi_f8_add(cdi_f8_all((float)(int32_t)from), cdi_f8_mul(cdi_f8_load(lane), length));
    cdi_f8 high = cdi_f8_min(cdi_f8_add(low, length), cdi_f8_all((float)(int32_t)cells));
    cdi_f8 first = cdi_f8_mul(r->back[way] ? high : low, along);
    cdi_f8 last = cdi_f8_mul(r->back[way] ? low : high, along);
    *in = cdi_f8_max(*in, cdi_f8_add(first, cdi_f8_all(r->first[way])));
    *out = cdi_f8_min(*out, cdi_f8_add(last, cdi_f8_all(r->last[way])));
}

/* Where the ray enters the lanes of a node; a bit for each that it meets no later than `limit`. */
CDI_HOT uint32_t cdi_heights_enters(const cdi_heights_ray *r, const cdi_height_field *g,
                                    const cdi_heights_wait *at, float limit, float enter[8]) {
    const cdi_heights_level *l = &g->level[at->level];
    uint32_t number = l->first + at->y * l->width + at->x, eight = 8 * g->sample_size;
    const unsigned char *bounds = cdi_heights_at_byte(g, g->bounds) + 2 * (size_t)number * eight;
    cdi_f8 in = cdi_f8_all(0.0f), out = cdi_f8_all(limit), rise = cdi_f8_all(r->along[2]), first, last;
    cdi_heights_meets(r, 0, cdi_lane_columns(l->across), at->x << (l->across + l->size_x), 1u << l->size_x,
                      g->cells_x, &in, &out);
    cdi_heights_meets(r, 1, cdi_lane_rows(l->across), at->y << (l->down + l->size_y), 1u << l->size_y,
                      g->cells_y, &in, &out);
    first = cdi_f8_mul(cdi_heights_eight(g, bounds + (r->back[2] ? eight : 0)), rise);
    last = cdi_f8_mul(cdi_heights_eight(g, bounds + (r->back[2] ? 0 : eight)), rise);
    in = cdi_f8_max(in, cdi_f8_add(first, cdi_f8_all(r->first[2])));
    out = cdi_f8_min(out, cdi_f8_add(last, cdi_f8_all(r->last[2])));
    cdi_f8_store(enter, in);
    return cdi_f8_le(in, cdi_f8_mul(out, cdi_f8_all(CDI_SLACK))) &
           cdi_heights_at_byte(g, g->lanes)[2 * (size_t)number];
}

/* All that are met but the nearest are pushed, the farthest first; answers with that one. */
CDI_HOT cdi_heights_wait cdi_heights_push(cdi_heights_wait **top, const cdi_height_field *g,
                                          cdi_heights_wait from, uint32_t mask, const float enter[8]) {
    const cdi_heights_level *l = &g->level[from.level];
    uint32_t across = (1u << l->across) - 1u, x = from.x << l->across, y = from.y << l->down;
    cdi_heights_wait *bottom = *top, *end = bottom, *at, nearest;
    nearest.bound = 1e30f;
    nearest.level = nearest.x = nearest.y = 0;
    for (bool any = false; mask; mask &= mask - 1u, any = true) {
        uint32_t lane = cdi_lowest_bit(mask);
        cdi_heights_wait s, next;
        s.bound = enter[lane];
        s.level = from.level + 1;
        s.x = x + (lane & across);
        s.y = y + (lane >> l->across);
        next = s.bound < nearest.bound ? nearest : s;
        if (s.bound < nearest.bound || !any) nearest = s;
        if (!any) continue;
        for (at = end++; at > bottom && at[-1].bound < next.bound; --at) at[0] = at[-1];
        *at = next;
    }
    *top = end;
    return nearest;
}

/* ---- blocks ---- */

/* A block's corners, three by three, but none that is not there. */
typedef struct cdi_heights_nine {
    double x[3], y[3], h[9];
} cdi_heights_nine;

CDI_HOT void cdi_heights_read_nine(const cdi_height_field *g, uint32_t x, uint32_t y, cdi_heights_nine *n) {
    const unsigned char *samples = cdi_heights_at_byte(g, g->samples);
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t column = 2 * x + i > g->cells_x ? g->cells_x : 2 * x + i;
        uint32_t row = 2 * y + i > g->cells_y ? g->cells_y : 2 * y + i;
        size_t first = (size_t)row * g->columns;
        n->x[i] = cdi_heights_grid(g, 0, column);
        n->y[i] = cdi_heights_grid(g, 1, row);
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t at = 2 * x + k > g->cells_x ? g->cells_x : 2 * x + k;
            n->h[3 * i + k] = cdi_heights_height(g, cdi_heights_number(g, samples, first + at));
        }
    }
}

/* One corner of the four cells: which of a, b, c, d. */
CDI_INLINE cdi_d4 cdi_nine_heights(const cdi_heights_nine *n, uint32_t corner) {
    const double *h = n->h + (corner & 1u) + 3 * (corner >> 1);
    return cdi_d4_make(h[0], h[1], h[3], h[4]);
}
CDI_INLINE cdi_d4 cdi_nine_columns(const cdi_heights_nine *n, uint32_t corner) {
    const double *x = n->x + (corner & 1u);
    return cdi_d4_make(x[0], x[1], x[0], x[1]);
}
CDI_INLINE cdi_d4 cdi_nine_rows(const cdi_heights_nine *n, uint32_t corner) {
    const double *y = n->y + (corner >> 1);
    return cdi_d4_make(y[0], y[0], y[1], y[1]);
}

/* Corner number `to` of four triangles: of each cell that is cut from b to c `cut`, of the others `whole`. */
CDI_HOT void cdi_nine_corner(const cdi_height_field *g, const cdi_heights_nine *n, cdi_d4 is_cut,
                             uint32_t whole, uint32_t cut, cdi_d4 out[3]) {
    cdi_d4 x = cdi_nine_columns(n, whole), y = cdi_nine_rows(n, whole), h = cdi_nine_heights(n, whole);
    if (whole != cut) {
        x = cdi_d4_pick(is_cut, cdi_nine_columns(n, cut), x);
        y = cdi_d4_pick(is_cut, cdi_nine_rows(n, cut), y);
        h = cdi_d4_pick(is_cut, cdi_nine_heights(n, cut), h);
    }
    out[g->axis[0]] = x;
    out[g->axis[1]] = y;
    out[g->axis[2]] = h;
}

/* The triangles of that half in all four cells. */
CDI_HOT void cdi_nine_halves(const cdi_height_field *g, const cdi_heights_nine *n, cdi_d4 is_cut,
                             uint32_t half, cdi_d4 v[9]) {
    uint32_t second = g->turned ? 6 : 3, third = 9 - second;
    cdi_nine_corner(g, n, is_cut, 0, half ? 1 : 0, v);
    cdi_nine_corner(g, n, is_cut, half ? 3 : 1, half ? 3 : 1, v + second);
    cdi_nine_corner(g, n, is_cut, half ? 2 : 3, 2, v + third);
}

CDI_HOT bool cdi_heights_block(cdi_ray_query *q, const cdi_bvh *tree, const cdi_height_field *g, uint32_t x,
                               uint32_t y, float *limit, cdi_ray_item_fn item) {
    uint32_t number = y * g->blocks_x + x, block = cdi_heights_at_byte(g, g->blocks)[number];
    uint32_t there = block & 15u;
    cdi_d4 is_cut = cdi_d4_make((double)(block >> 4 & 1u), (double)(block >> 5 & 1u),
                                (double)(block >> 6 & 1u), (double)(block >> 7 & 1u));
    cdi_heights_nine n;
    cdi_d4 v
        [9]; /* here, as g++ without optimising calls for its runtime where vectors of a loop live beside a call */
    cdi_four_met met;
    cdi_ray_look look;
    cdi_heights_read_nine(g, x, y, &n);
    for (uint32_t half = 0; half < 2; ++half) {
        uint32_t bits;
        met.sure = 0;
        cdi_nine_halves(g, &n, is_cut, half, v);
        bits = cdi_ray_meets_four(&q->ray, v, q->t_max, &met) & there;
        for (; bits; bits &= bits - 1u) {
            uint32_t cell = cdi_lowest_bit(bits), before = there & ((1u << cell) - 1u);
            for (int k = 0; k < 3; ++k) {
                look.side[k] = met.side[k][cell];
                look.z[k] = met.z[k][cell];
            }
            look.sure = (met.sure >> cell & 1u) != 0;
            if (!item(q, tree, 8 * number + 2 * cdi_heights_count(before) + half, &look, limit)) return false;
        }
    }
    return true;
}

/* ---- the walk ---- */

CDI_FN bool cdi_heights_cast(const cdi_bvh *tree, cdi_ray_query *q, cdi_ray_item_fn item) {
    const cdi_height_field *g = cdi_bvh_field(tree);
    cdi_heights_wait stack[7 * CDI_HEIGHTS_LEVELS + 1], *top = stack, at;
    cdi_heights_ray ray = cdi_heights_ray_of(g, &q->frame);
    float enter[8], limit = cdi_frame_ray_limit(&q->frame, q->t_max);
    at.bound = 0.0f;
    at.level = at.x = at.y = 0;
    for (;;) {
        if (at.level < g->level_count) {
            uint32_t mask = cdi_heights_enters(&ray, g, &at, limit, enter);
            CDI_COUNT(node);
            if (mask) {
                at = cdi_heights_push(&top, g, at, mask, enter);
                continue;
            }
        } else if (!cdi_heights_block(q, tree, g, at.x, at.y, &limit, item)) {
            return false;
        }
        do {
            if (top == stack) return true;
            at = *--top;
        } while (at.bound > limit);
    }
}

#undef CDI_HEIGHTS_ROOM
