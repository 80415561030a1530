#pragma once
/* polyhedron3d (internal): a body of indexed triangles, in the caller's memory.
 *
 * Half-edge 3 i + k runs from corner k of triangle i to the next corner. */

#include "core/vec3d.h"

typedef struct cdi_poly {
    const cd_vec3 *vertices;
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} cdi_poly;

/* False when a count is too large for the numbers of features. */
CDI_INLINE bool cdi_poly_make(cdi_poly *b, const cd_vec3 *vertices, size_t vertex_count,
                              const uint32_t *triangles, size_t triangle_count) {
    if (vertex_count > 0x3FFFFFFFu || triangle_count > 0x3FFFFFFFu / 3) return false;
    b->vertices = vertices;
    b->triangles = triangles;
    b->vertex_count = (uint32_t)vertex_count;
    b->triangle_count = (uint32_t)triangle_count;
    return true;
}

CDI_INLINE uint32_t cdi_half_edge_next(uint32_t h) {
    return h % 3 == 2 ? h - 2 : h + 1;
}
CDI_INLINE uint32_t cdi_half_edge_start(const cdi_poly *b, uint32_t h) {
    return b->triangles[h];
}
CDI_INLINE uint32_t cdi_half_edge_end(const cdi_poly *b, uint32_t h) {
    return b->triangles[cdi_half_edge_next(h)];
}
CDI_INLINE cdi_v3 cdi_poly_vertex(const cdi_poly *b, uint32_t i) {
    return cdi_v3_of(b->vertices[i]);
}
/* Where half-edge h begins. */
CDI_INLINE cdi_v3 cdi_poly_corner(const cdi_poly *b, uint32_t h) {
    return cdi_poly_vertex(b, b->triangles[h]);
}
CDI_INLINE void cdi_poly_corners(const cdi_poly *b, uint32_t triangle, cdi_v3 out[3]) {
    for (uint32_t k = 0; k < 3; ++k) out[k] = cdi_poly_corner(b, 3 * triangle + k);
}

/* Indices in range and corners finite. */
CDI_INLINE bool cdi_poly_triangle_is_valid(const cdi_poly *b, uint32_t triangle) {
    for (uint32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
        if (b->triangles[h] >= b->vertex_count || !cdi_v3_finite(cdi_poly_corner(b, h))) return false;
    }
    return true;
}

/* Half-edges such that those of one edge, whichever way they run, follow each other by their numbers. `order` has room for
 * all, `work` for one more than all and the vertices. Indices in range. */
CDI_FN void cdi_order_half_edges(const cdi_poly *b, uint32_t *order, uint32_t *work);

/* Where in that order the half-edges of the edge end that begin at i. */
CDI_FN uint32_t cdi_edge_end(const cdi_poly *b, const uint32_t *order, uint32_t i);
