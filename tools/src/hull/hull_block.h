#pragma once
/* hull_block (internal): the layout of a hull's block.
 *
 * header | rows | vertices | faces | sources | outgoing | half-edges | neighbour starts | neighbours; the last two only where there are
 * many vertices. Rows and neighbours tell nothing new: they are for fast answers, and are checked against the rest. */

#include "core/memory.h"
#include "core/vec3d.h"
#include "hull/hull.h"

#define CDI_HULL_MAGIC         0x4C4C5548u /* "HULL" */
#define CDI_HULL_MAGIC_SWAPPED 0x48554C4Cu
#define CDI_HULL_VERSION       2u
#define CDI_HULL_MOST          0x10000000u /* points */
#define CDI_HULL_MANY          64u         /* vertices, from which on walks are faster than looking at all */

typedef struct cdi_hull_header {
    uint32_t magic, version, real_size;
    int32_t dimension;
    uint32_t vertex_count, half_edge_count, face_count, unused;
    uint64_t bytes;
    double flatness, deviation, center[3], reach;
    uint32_t unused_too[10];
} cdi_hull_header;

/* A block with room for so many parts, its header filled in but for the numbers at its end, the rest not cleared; NULL when
 * there is no memory. */
CDI_FN cdi_hull_header *cdi_hull_take_block(const cd_allocator *allocator, int dimension,
                                            uint32_t vertex_count, uint32_t half_edge_count,
                                            uint32_t face_count);

/* The parts in a block; `out` points into it and may be written through while the hull is being made. */
typedef struct cdi_hull_arrays {
    cd_real *rows;
    cd_vec3 *vertices;
    cd_hull_face *faces;
    uint32_t *sources, *outgoing;
    cd_half_edge *half_edges;
    uint32_t *starts, *neighbours; /* NULL where there are few vertices */
} cdi_hull_arrays;
CDI_INLINE uint32_t cdi_hull_row_count(uint32_t vertices) {
    return vertices / 8 + (vertices % 8 != 0);
}

CDI_INLINE bool cdi_hull_has_neighbours(uint32_t vertices) {
    return vertices >= CDI_HULL_MANY;
}
CDI_INLINE cdi_hull_arrays cdi_hull_open(const cdi_hull_header *header) {
    cdi_hull_arrays a;
    a.rows = (cd_real *)(void *)((unsigned char *)header + sizeof *header);
    a.vertices = (cd_vec3 *)(void *)(a.rows + (size_t)24 * cdi_hull_row_count(header->vertex_count));
    a.faces = (cd_hull_face *)(void *)(a.vertices + header->vertex_count);
    a.sources = (uint32_t *)(void *)(a.faces + header->face_count);
    a.outgoing = a.sources + header->vertex_count;
    a.half_edges = (cd_half_edge *)(void *)(a.outgoing + header->vertex_count);
    a.starts = a.neighbours = NULL;
    if (!cdi_hull_has_neighbours(header->vertex_count)) return a;
    a.starts = (uint32_t *)(void *)(a.half_edges + header->half_edge_count);
    a.neighbours = a.starts + header->vertex_count + 1;
    return a;
}

/* The parts that farthest points ask for; the others stay as they are. */
CDI_INLINE void cdi_hull_get_heights(const cdi_hull_header *h, cd_hull_parts *p) {
    cdi_hull_arrays a = cdi_hull_open(h);
    p->dimension = h->dimension;
    p->vertex_count = h->vertex_count;
    p->vertices = a.vertices;
    p->flatness = h->flatness > 0.0 ? 1 : 0; /* whether there is any */
    p->reach = (cd_real)h->reach;
    p->rows = a.rows;
    p->row_count = cdi_hull_row_count(h->vertex_count);
    p->neighbour_starts = a.starts;
    p->neighbours = a.neighbours;
}

/* The least number of the interface not below x; at most the largest. */
CDI_FN cd_real cdi_hull_round_up(double x);

/* The last of a build: moves the faces' planes out where a vertex of theirs is in front, sets the center, rows, neighbours and the owner.
 * The vertices stay as they are from then on. */
CDI_FN void cdi_hull_finish(cd_hull *out, cdi_hull_header *header, const cd_allocator *allocator);
