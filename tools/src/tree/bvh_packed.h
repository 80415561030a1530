#pragma once
/* bvh_packed (internal): nodes and triangles of the compact layout.
 *
 * Nodes. A node has a box of its own, on a grid of 2^-22 of the tree's frame, and in it a grid of at most 256 lines on each
 * axis, a power of two apart, on which the boxes of its lanes lie, rounded outward. The box of a node is that of its lane in
 * the parent: as its grid is as fine or finer, that box lies on it, and no lane can reach out of it.
 *
 * Triangles stand in clusters of up to 512 that have up to 256 corners, each kept once. A triangle is three of their
 * numbers, a byte each. Nothing is lost: on an axis, coordinates are kept as cd_real, or, where that is shorter, in whole
 * steps from the least of them; a step is the largest power of two that all of them are multiples of, so that
 * least + number * step has no rounding at all. (-0 is kept as cd_real.) The caller's index is kept in as many bits as the
 * cluster's largest needs above its smallest.
 *
 * An item's number is 512 times that of its cluster and its place there; items of a leaf, and of all leaves of a node, follow
 * each other in one cluster. In the order of clusters they stand as the nodes do, in the order in which a walk meets them.
 *
 * The bytes of a cluster: three numbers of corners for each triangle | corners | indices, in bits from the lowest | at
 * least 16 bytes that are 0, up to a multiple of 8: so many may be read from anywhere. */

#include "core/memory.h"
#include "core/scalar.h"
#include "core/simd.h"
#include "shape/linear.h"

#define CDI_PACKED_LEAF     8u
#define CDI_PACKED_ITEMS    512u
#define CDI_PACKED_CORNERS  256u
#define CDI_PACKED_CLUSTERS 0x7FFFFFu
#define CDI_PACKED_MOST     0x10000000u /* items: two clusters in a row have 86 at least */
#define CDI_PACKED_GRID     4194304.0   /* 2^22 */

/* `place`: of each axis, in 23 bits n, where the box begins at n 2^-22 - 1; in 8 bits above e, where the lines are 2^(e - 127)
 * apart: so that few operations make floats of both. In the highest bits of the three one less than there are lanes. */
typedef struct cdi_bvh_packed_node {
    uint8_t lo[3][8], hi[3][8];
    uint32_t child,
        item; /* of the lanes that are nodes, the first; of the leaves, the first item (0 without leaves) */
    uint32_t counts; /* in four bits a lane, from the lowest: 0 for a node, else so many items */
    uint32_t place[3];
} cdi_bvh_packed_node;

typedef struct cdi_bvh_cluster {
    cd_real least[3], step[3];
    uint32_t first, offset, index; /* items before it; where its bytes begin, in eights; the smallest index */
    uint16_t items, corners;
    uint8_t size[3]; /* bytes a coordinate; that of cd_real for those kept as they are */
    uint8_t index_bits;
    uint8_t unused[4];
} cdi_bvh_cluster;

/* ---- nodes ---- */

CDI_INLINE float cdi_float_of_bits(uint32_t bits) {
    float x;
    cdi_copy(&x, &bits, sizeof x);
    return x;
}

CDI_INLINE float cdi_packed_step(uint32_t place) {
    return cdi_float_of_bits(place & 0x7F800000u);
}

/* Where the box begins, as 1 + n 2^-23. */
CDI_INLINE float cdi_packed_start(uint32_t place) {
    return cdi_float_of_bits((place & 0x7FFFFFu) | 0x3F800000u);
}

CDI_INLINE float cdi_packed_origin(uint32_t place) {
    return 2.0f * cdi_packed_start(place) - 3.0f;
}

/* From the highest bits of the three places. */
CDI_INLINE uint32_t cdi_packed_lanes(uint32_t bits) {
    return (2u << bits) - 1u;
}
CDI_INLINE uint32_t cdi_packed_node_lanes(const cdi_bvh_packed_node *n) {
    return cdi_packed_lanes(n->place[0] >> 31 | n->place[1] >> 31 << 1 | n->place[2] >> 31 << 2);
}

/* Eight lines as floats, without rounding. */
CDI_INLINE void cdi_packed_row(float out[8], const uint8_t line[8], cdi_f8 origin, cdi_f8 step) {
    cdi_f8_store(out, cdi_f8_add(cdi_f8_mul(cdi_f8_load_u8(line), step), origin));
}

/* ---- clusters ---- */

/* The bytes of one corner. */
CDI_INLINE uint32_t cdi_cluster_stride(const cdi_bvh_cluster *c) {
    return (uint32_t)c->size[0] + c->size[1] + c->size[2];
}

/* Where the corners begin, and the indices. */
CDI_INLINE size_t cdi_cluster_corners(const cdi_bvh_cluster *c) {
    return 3 * (size_t)c->items;
}
CDI_INLINE size_t cdi_cluster_indices(const cdi_bvh_cluster *c) {
    return cdi_cluster_corners(c) + (size_t)c->corners * cdi_cluster_stride(c);
}

/* The length in eights. */
CDI_INLINE uint32_t cdi_cluster_length(const cdi_bvh_cluster *c) {
    size_t bits = (size_t)c->items * c->index_bits;
    return (uint32_t)((cdi_cluster_indices(c) + (bits + 7) / 8 + 23) / 8);
}

/* The bytes from p on as a number, the lowest first. */
CDI_INLINE uint32_t cdi_bytes4(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
CDI_INLINE uint64_t cdi_bytes8(const unsigned char *p) {
    return cdi_bytes4(p) | (uint64_t)cdi_bytes4(p + 4) << 32;
}

/* A coordinate on an axis. */
CDI_INLINE cd_real cdi_packed_coordinate(const cdi_bvh_cluster *c, int axis, const unsigned char *p) {
    uint32_t size = c->size[axis];
#ifdef COLLIDE_DOUBLE
    uint64_t number = cdi_bytes8(p);
    int64_t steps = (int64_t)(number & (((uint64_t)1 << 8 * (size & 7u)) - 1u));
#else
    uint32_t number = cdi_bytes4(p);
    int32_t steps = (int32_t)(number & ((1u << 8 * (size & 3u)) - 1u));
#endif
    if (size == sizeof(cd_real)) return cdi_real_of_bits(number);
    return (cd_real)((double)c->least[axis] + (double)steps * (double)c->step[axis]);
}

CDI_INLINE cd_vec3 cdi_packed_corner(const cdi_bvh_cluster *c, const unsigned char *p) {
    return cd_vec3_make(cdi_packed_coordinate(c, 0, p), cdi_packed_coordinate(c, 1, p + c->size[0]),
                        cdi_packed_coordinate(c, 2, p + c->size[0] + c->size[1]));
}

/* Triangle `slot` of a cluster whose bytes are `data`. */
CDI_INLINE cd_triangle cdi_packed_triangle(const cdi_bvh_cluster *c, const unsigned char *data,
                                           uint32_t slot) {
    const unsigned char *number = data + 3 * (size_t)slot, *corners = data + cdi_cluster_corners(c);
    uint32_t stride = cdi_cluster_stride(c);
    cd_triangle t;
    t.a = cdi_packed_corner(c, corners + number[0] * stride);
    t.b = cdi_packed_corner(c, corners + number[1] * stride);
    t.c = cdi_packed_corner(c, corners + number[2] * stride);
    return t;
}

/* Its index in the caller's array. */
CDI_INLINE uint32_t cdi_packed_index(const cdi_bvh_cluster *c, const unsigned char *data, uint32_t slot) {
    size_t bit = (size_t)slot * c->index_bits;
    uint64_t bytes = cdi_bytes8(data + cdi_cluster_indices(c) + bit / 8);
    uint64_t mask = ((uint64_t)1 << c->index_bits) - 1u;
    return c->index + (uint32_t)(bytes >> (bit & 7u) & mask);
}
