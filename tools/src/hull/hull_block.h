#pragma once
/* hull_block (internal): the layout of a hull's block.
 *
 * header | vertices | faces | sources | outgoing | half-edges */

#include "core/memory.h"
#include "core/vec3d.h"
#include "hull/hull.h"

#define CDI_HULL_MAGIC         0x4C4C5548u /* "HULL" */
#define CDI_HULL_MAGIC_SWAPPED 0x48554C4Cu
#define CDI_HULL_VERSION       1u
#define CDI_HULL_MOST          0x10000000u /* points */

typedef struct cdi_hull_header {
    uint32_t magic, version, real_size;
    int32_t dimension;
    uint32_t vertex_count, half_edge_count, face_count, unused;
    uint64_t bytes;
    double flatness, deviation, center[3];
    uint32_t unused_too[12];
} cdi_hull_header;

/* A block with room for so many parts, its header filled in but for the numbers at its end, the rest not cleared; NULL when
 * there is no memory. */
CDI_FN cdi_hull_header *cdi_hull_take_block(const cd_allocator *allocator, int dimension,
                                            uint32_t vertex_count, uint32_t half_edge_count,
                                            uint32_t face_count);

/* The parts in a block; `out` points into it and may be written through while the hull is being made. */
typedef struct cdi_hull_arrays {
    cd_vec3 *vertices;
    cd_hull_face *faces;
    uint32_t *sources, *outgoing;
    cd_half_edge *half_edges;
} cdi_hull_arrays;
CDI_FN cdi_hull_arrays cdi_hull_open(const cdi_hull_header *header);

/* The least number of the interface not below x; at most the largest. */
CDI_FN cd_real cdi_hull_round_up(double x);

/* The last of a build: moves the faces' planes out where a vertex of theirs is in front, sets the center and the owner. */
CDI_FN void cdi_hull_finish(cd_hull *out, cdi_hull_header *header, const cd_allocator *allocator);
