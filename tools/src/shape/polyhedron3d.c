#include "shape/polyhedron3d.h"

/* The smaller or the larger end. */
static uint32_t cdi_half_edge_key(const cdi_poly *b, uint32_t h, bool larger) {
    uint32_t i = cdi_half_edge_start(b, h), j = cdi_half_edge_end(b, h);
    return (i > j) == larger ? i : j;
}

/* Half-edges by one of their ends, those of one end in the order they came. */
static void cdi_sort_half_edges(const cdi_poly *b, const uint32_t *from, uint32_t *to, uint32_t *place,
                                bool larger) {
    uint32_t count = 3 * b->triangle_count;
    cdi_clear(place, ((size_t)b->vertex_count + 1) * sizeof *place);
    for (uint32_t i = 0; i < count; ++i) ++place[cdi_half_edge_key(b, from[i], larger) + 1];
    for (uint32_t i = 1; i < b->vertex_count; ++i) place[i] += place[i - 1];
    for (uint32_t i = 0; i < count; ++i) to[place[cdi_half_edge_key(b, from[i], larger)]++] = from[i];
}

CDI_FN void cdi_order_half_edges(const cdi_poly *b, uint32_t *order, uint32_t *work) {
    uint32_t count = 3 * b->triangle_count, *place = work + count;
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    cdi_sort_half_edges(b, order, work, place, true);
    cdi_sort_half_edges(b, work, order, place, false);
}

CDI_FN uint32_t cdi_edge_end(const cdi_poly *b, const uint32_t *order, uint32_t i) {
    uint32_t low = cdi_half_edge_key(b, order[i], false), high = cdi_half_edge_key(b, order[i], true);
    for (++i; i < 3 * b->triangle_count; ++i) {
        if (cdi_half_edge_key(b, order[i], false) != low) break;
        if (cdi_half_edge_key(b, order[i], true) != high) break;
    }
    return i;
}
