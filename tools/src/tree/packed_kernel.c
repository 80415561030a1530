#include "tree/packed_kernel.h"
#include "query/ray_four.h"

/* ---- nodes ----
 *
 * Plane n of a node is met at (origin + n step - o) / d, with the ray's o and d on the axis. With origin = 2 start - 3 it is
 * taken as n (step / d) + (start (2 / d) + (-3 - o) / d): two operations for eight planes instead of four. step / d is exact up
 * to the rounding that 1 / d has already. With |o| < 1.02 where anything can be met, |origin| <= 1 and n step < 2.1, what
 * comes of the other roundings is below 17 2^-24 / d; planes are moved outward by more than that. The last sum's is relative,
 * as are those that CDI_SLACK covers. */

#define CDI_PACKED_PAD 1.3e-6f

/* The ray's planes: with their four numbers beside those of a node. */
typedef struct cdi_packed_ray {
    float inverse[4], twice[4], first[4], last[4]; /* from [1] on: 1 / d, 2 / d, (-3 - o) / d */
    uint32_t first_side[3], last_side[3];
} cdi_packed_ray;

static cdi_packed_ray cdi_packed_ray_of(const cdi_frame_ray *f) {
    cdi_packed_ray r;
    r.inverse[0] = r.twice[0] = r.first[0] = r.last[0] = 0.0f;
    for (int k = 0; k < 3; ++k) {
        float inverse = f->inverse[k], pad = inverse < 0.0f ? -CDI_PACKED_PAD : CDI_PACKED_PAD;
        r.inverse[k + 1] = inverse;
        r.twice[k + 1] = 2.0f * inverse;
        r.first[k + 1] = (-3.0f - (f->first_origin[k] + pad)) * inverse;
        r.last[k + 1] = (-3.0f - (f->last_origin[k] - pad)) * inverse;
        r.first_side[k] = f->first_side[k];
        r.last_side[k] = f->last_side[k];
    }
    return r;
}

/* Of a node and a ray: planes are met at n step + first or last. */
#ifdef CDI_AVX

typedef struct cdi_packed_head {
    __m128 step, first, last;
    uint32_t lanes;
} cdi_packed_head;

CDI_INLINE cdi_packed_head cdi_packed_head_of(const cdi_packed_ray *r, const cdi_bvh_packed_node *n) {
    __m128i place = _mm_loadu_si128((const __m128i *)(const void *)&n->counts);
    __m128i digits = _mm_and_si128(place, _mm_set1_epi32(0x7FFFFF));
    __m128 start = _mm_castsi128_ps(_mm_or_si128(digits, _mm_set1_epi32(0x3F800000)));
    __m128 step = _mm_castsi128_ps(_mm_and_si128(place, _mm_set1_epi32(0x7F800000)));
    cdi_packed_head h;
    start = _mm_mul_ps(start, _mm_loadu_ps(r->twice));
    h.step = _mm_mul_ps(step, _mm_loadu_ps(r->inverse));
    h.first = _mm_add_ps(start, _mm_loadu_ps(r->first));
    h.last = _mm_add_ps(start, _mm_loadu_ps(r->last));
    h.lanes = cdi_packed_lanes((uint32_t)_mm_movemask_ps(_mm_castsi128_ps(place)) >> 1);
    return h;
}

#ifdef CDI_AVX2
#define CDI_PACKED_SPREAD(v, k)                                                                              \
    _mm256_permutevar8x32_ps(_mm256_castps128_ps256(v), _mm256_set1_epi32((k) + 1))
#else
CDI_INLINE cdi_f8 cdi_packed_twice(__m128 v) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(v), v, 1);
}
#define CDI_PACKED_SPREAD(v, k)                                                                              \
    cdi_packed_twice(_mm_shuffle_ps(v, v, _MM_SHUFFLE((k) + 1, (k) + 1, (k) + 1, (k) + 1)))
#endif

#else

typedef struct cdi_packed_head {
    float step[3], first[3], last[3];
    uint32_t lanes;
} cdi_packed_head;

CDI_INLINE cdi_packed_head cdi_packed_head_of(const cdi_packed_ray *r, const cdi_bvh_packed_node *n) {
    cdi_packed_head h;
    for (int k = 0; k < 3; ++k) {
        float start = cdi_packed_start(n->place[k]) * r->twice[k + 1];
        h.step[k] = cdi_packed_step(n->place[k]) * r->inverse[k + 1];
        h.first[k] = start + r->first[k + 1];
        h.last[k] = start + r->last[k + 1];
    }
    h.lanes = cdi_packed_node_lanes(n);
    return h;
}

#define CDI_PACKED_SPREAD(v, k) cdi_f8_all((v)[k])

#endif

CDI_INLINE cdi_f8 cdi_packed_planes(const uint8_t *lines, cdi_f8 step, cdi_f8 from) {
    return cdi_f8_add(cdi_f8_mul(cdi_f8_load_u8(lines), step), from);
}

/* Where the ray enters the eight boxes; a bit for each that it meets no later than `limit`. */
CDI_HOT uint32_t cdi_packed_enters(const cdi_packed_ray *r, const cdi_bvh_packed_node *n, float limit,
                                   float enter[8]) {
    cdi_packed_head h = cdi_packed_head_of(r, n);
    const uint8_t *lines = n->lo[0];
    cdi_f8 x = CDI_PACKED_SPREAD(h.step, 0), y = CDI_PACKED_SPREAD(h.step, 1),
           z = CDI_PACKED_SPREAD(h.step, 2);
    cdi_f8 in = cdi_packed_planes(lines + r->first_side[0], x, CDI_PACKED_SPREAD(h.first, 0));
    cdi_f8 out = cdi_packed_planes(lines + r->last_side[0], x, CDI_PACKED_SPREAD(h.last, 0));
    in = cdi_f8_max(in, cdi_packed_planes(lines + r->first_side[1], y, CDI_PACKED_SPREAD(h.first, 1)));
    out = cdi_f8_min(out, cdi_packed_planes(lines + r->last_side[1], y, CDI_PACKED_SPREAD(h.last, 1)));
    in = cdi_f8_max(in, cdi_packed_planes(lines + r->first_side[2], z, CDI_PACKED_SPREAD(h.first, 2)));
    out = cdi_f8_min(out, cdi_packed_planes(lines + r->last_side[2], z, CDI_PACKED_SPREAD(h.last, 2)));
    in = cdi_f8_max(in, cdi_f8_all(0.0f));
    out = cdi_f8_min(out, cdi_f8_all(limit));
    cdi_f8_store(enter, in);
    return cdi_f8_le(in, cdi_f8_mul(out, cdi_f8_all(CDI_SLACK))) & h.lanes;
}

/* A byte for each lane: how many items it has; how many items and how many nodes come before it. */
typedef struct cdi_packed_lanes_of {
    uint64_t count, items, nodes;
} cdi_packed_lanes_of;

CDI_INLINE cdi_packed_lanes_of cdi_packed_count(uint32_t counts) {
    const uint64_t one = 0x0101010101010101u;
    cdi_packed_lanes_of l;
    uint64_t c = counts, is_node;
    c = (c | c << 16) & 0x0000FFFF0000FFFFu;
    c = (c | c << 8) & 0x00FF00FF00FF00FFu;
    c = (c | c << 4) & 0x0F0F0F0F0F0F0F0Fu;
    is_node = ((c + 127u * one) >> 7 & one) ^ one;
    l.count = c;
    l.items = c * one << 8;
    l.nodes = is_node * one << 8;
    return l;
}

/* ---- leaves ---- */

#ifdef CDI_AVX

#ifdef COLLIDE_DOUBLE

/* How the coordinates of a cluster's corners are read. */
typedef const cdi_bvh_cluster *cdi_unpacking;

CDI_INLINE cdi_unpacking cdi_unpacking_of(const cdi_bvh_cluster *c) {
    return c;
}

CDI_INLINE __m256d cdi_unpack_corner(const cdi_unpacking *u, const unsigned char *at) {
    cd_vec3 v = cdi_packed_corner(*u, at);
    return _mm256_set_pd(0.0, v.z, v.y, v.x);
}

#else

/* How the coordinates of a cluster's corners are read: which bytes they are of, and which are floats as they stand. */
typedef struct cdi_unpacking {
    __m128i bytes;
    __m128 whole, least, step;
} cdi_unpacking;

/* The bytes of a coordinate within a corner, where it begins at `at`. */
CDI_INLINE int cdi_unpacking_bytes(uint32_t at, uint32_t size) {
    uint32_t beyond = size < 4 ? 0x80808080u << (8 * size) : 0;
    return (int)((0x03020100u + at * 0x01010101u) | beyond);
}

CDI_INLINE cdi_unpacking cdi_unpacking_of(const cdi_bvh_cluster *c) {
    uint32_t x = c->size[0], y = c->size[1], z = c->size[2];
    __m128i size = _mm_set_epi32(0, (int)z, (int)y, (int)x);
    cdi_unpacking u;
    u.bytes = _mm_set_epi32(-1, cdi_unpacking_bytes(x + y, z), cdi_unpacking_bytes(x, y),
                            cdi_unpacking_bytes(0, x));
    u.whole = _mm_castsi128_ps(_mm_cmpeq_epi32(size, _mm_set1_epi32(4)));
    u.least = _mm_loadu_ps(c->least);
    u.step = _mm_loadu_ps(c->step);
    return u;
}

CDI_INLINE __m256d cdi_unpack_corner(const cdi_unpacking *u, const unsigned char *at) {
    __m128i n = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), u->bytes);
    __m128 v = _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(n), u->step), u->least);
    return _mm256_cvtps_pd(_mm_blendv_ps(v, _mm_castsi128_ps(n), u->whole));
}

#endif

/* The same corner of four triangles, turned to columns; `number` is that of each triangle's. */
CDI_INLINE void cdi_unpack_four(const cdi_unpacking *u, const unsigned char *corners, uint32_t stride,
                                const unsigned char *const number[4], int corner, cdi_d4 out[3]) {
    __m256d a = cdi_unpack_corner(u, corners + number[0][corner] * stride);
    __m256d b = cdi_unpack_corner(u, corners + number[1][corner] * stride);
    __m256d c = cdi_unpack_corner(u, corners + number[2][corner] * stride);
    __m256d d = cdi_unpack_corner(u, corners + number[3][corner] * stride);
    __m256d xz = _mm256_unpacklo_pd(a, b), zz = _mm256_unpacklo_pd(c, d), y = _mm256_unpackhi_pd(a, b);
    out[0] = _mm256_permute2f128_pd(xz, zz, 0x20);
    out[1] = _mm256_permute2f128_pd(y, _mm256_unpackhi_pd(c, d), 0x20);
    out[2] = _mm256_permute2f128_pd(xz, zz, 0x31);
}

/* Four at a time. */
CDI_HOT bool cdi_packed_leaf(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                             float *limit, cdi_ray_item_fn item) {
    const cdi_bvh_cluster *c = cdi_bvh_cluster_of(tree, first);
    const unsigned char *data = cdi_cluster_bytes(tree, c), *corners = data + cdi_cluster_corners(c);
    const unsigned char *own = data + 3 * (size_t)(first % CDI_PACKED_ITEMS);
    uint32_t stride = cdi_cluster_stride(c);
    cdi_unpacking u = cdi_unpacking_of(c);
    const unsigned char *number[4];
    cdi_d4 n[9];
    cdi_four_met met;
    cdi_ray_look look;
    for (uint32_t i = 0; i < count; i += 4) {
        uint32_t left = count - i, bits;
        met.sure = 0;
        for (uint32_t k = 0; k < 4; ++k) number[k] = own + 3 * (i + (k < left ? k : 0));
        cdi_unpack_four(&u, corners, stride, number, 0, n);
        cdi_unpack_four(&u, corners, stride, number, 1, n + 3);
        cdi_unpack_four(&u, corners, stride, number, 2, n + 6);
        bits = cdi_ray_meets_four(&q->ray, n, q->t_max, &met) & (left < 4 ? (1u << left) - 1u : 15u);
        for (; bits; bits &= bits - 1u) {
            uint32_t lane = cdi_lowest_bit(bits);
            for (int k = 0; k < 3; ++k) {
                look.side[k] = met.side[k][lane];
                look.z[k] = met.z[k][lane];
            }
            look.sure = (met.sure >> lane & 1u) != 0;
            if (!item(q, tree, first + i + lane, &look, limit)) return false;
        }
    }
    return true;
}

#else

/* In shorter registers one after another is sooner done. */
CDI_HOT bool cdi_packed_leaf(cdi_ray_query *q, const cdi_bvh *tree, uint32_t first, uint32_t count,
                             float *limit, cdi_ray_item_fn item) {
    const cdi_bvh_cluster *c = cdi_bvh_cluster_of(tree, first);
    const unsigned char *data = cdi_cluster_bytes(tree, c);
    for (uint32_t i = first; i < first + count; ++i) {
        cd_triangle t = cdi_packed_triangle(c, data, i % CDI_PACKED_ITEMS);
        cdi_ray_look look;
        if (cdi_ray_look_at_row(&q->ray, &t.a.x, &look) && !item(q, tree, i, &look, limit)) return false;
    }
    return true;
}

#endif

/* ---- the walk ---- */

/* A child that waits, as one number: where the ray enters it, as the bits of a float that is not negative, rounded down by
 * four bits; in these how many items it has, 0 for a node; in the lower half its number. */
typedef uint64_t cdi_packed_wait;

CDI_INLINE cdi_packed_wait cdi_packed_child(const cdi_bvh_packed_node *n, const cdi_packed_lanes_of *l,
                                            const float enter[8], uint32_t lane) {
    uint32_t items = n->item + (uint32_t)(l->items >> (8 * lane) & 255u), bound;
    uint32_t nodes = n->child + (uint32_t)(l->nodes >> (8 * lane) & 255u);
    uint32_t count = (uint32_t)(l->count >> (8 * lane) & 255u);
    cdi_copy(&bound, &enter[lane], sizeof bound);
    return (uint64_t)((bound & ~15u) | count) << 32 | (count ? items : nodes);
}

/* All that are met but the nearest are pushed, the nextthest first; answers with that one. */
CDI_HOT cdi_packed_wait cdi_packed_push(cdi_packed_wait **top, const cdi_bvh_packed_node *n, uint32_t mask,
                                        const float enter[8]) {
    cdi_packed_lanes_of lanes = cdi_packed_count(n->counts);
    cdi_packed_wait *bottom = *top, *end = bottom, *at;
    cdi_packed_wait nearest = cdi_packed_child(n, &lanes, enter, cdi_lowest_bit(mask));
    for (mask &= mask - 1u; mask; mask &= mask - 1u) {
        cdi_packed_wait s = cdi_packed_child(n, &lanes, enter, cdi_lowest_bit(mask));
        cdi_packed_wait next = s < nearest ? nearest : s;
        nearest = s < nearest ? s : nearest;
        for (at = end++; at > bottom && at[-1] < next; --at) at[0] = at[-1];
        *at = next;
    }
    *top = end;
    return nearest;
}

CDI_FN bool cdi_packed_cast(const cdi_bvh *tree, cdi_ray_query *q, cdi_ray_item_fn item) {
    cdi_packed_wait stack[CDI_BVH_STACK], *top = stack, at = 0;
    cdi_packed_ray ray = cdi_packed_ray_of(&q->frame);
    float enter[8], limit = cdi_frame_ray_limit(&q->frame, q->t_max);
    for (;;) {
        uint32_t count = (uint32_t)(at >> 32) & 15u, child = (uint32_t)at;
        if (!count) {
            const cdi_bvh_packed_node *n = (const cdi_bvh_packed_node *)tree->nodes + child;
            uint32_t mask = cdi_packed_enters(&ray, n, limit, enter);
            CDI_COUNT(node);
            if (mask) {
                at = cdi_packed_push(&top, n, mask, enter);
                continue;
            }
        } else if (!cdi_packed_leaf(q, tree, child, count, &limit, item)) {
            return false;
        }
        do {
            if (top == stack) return true;
            at = *--top;
        } while (cdi_float_of_bits((uint32_t)(at >> 32) & ~15u) > limit);
    }
}

#undef CDI_PACKED_PAD
#undef CDI_PACKED_SPREAD
