#pragma once
/* heights_block (internal): height fields as a layout of trees.
 *
 * header | the field | masks of the materials, if any | bounds | samples | lanes of nodes | blocks | materials, if any
 *
 * Cells come in blocks of two by two, numbered row by row: a byte each, in its low bits which of the four cells are there, in
 * its high ones which are cut from b to c. A block is a leaf: item 8 n + i is triangle i of those that are there in block n.
 *
 * Nodes are numbered from the root down, level by level, each level row by row. A node has up to eight lanes, 8 x 1, 4 x 2, 2 x 4 or 1 x 8 of the
 * nodes or blocks below, as it comes nearest to a square. Of each node a byte tells which of these have anything below
 * them, and another whether all have all they could; the lanes that queries see are these, closed up. `bounds` has
 * for each of a node's lanes the lowest and the highest sample below, exactly: so nothing of a level but that above a change ever changes. */

#include "core/memory.h"
#include "core/scalar.h"
#include "shape/linear.h"

#define CDI_HEIGHTS_LEVELS 12u
#define CDI_HEIGHTS_CELLS  0x10000000u

/* One level of nodes; sizes as powers of two. */
typedef struct cdi_heights_level {
    uint32_t first, width, height;     /* nodes: the first one's number, how many in a row, how many rows */
    uint32_t below_first, below_width; /* what lanes are: the first one's number, how many in a row */
    uint32_t below_height;
    uint32_t across, down;   /* lanes of a node */
    uint32_t size_x, size_y; /* cells of a lane */
} cdi_heights_level;

enum { CDI_SAMPLES_U8 = 0, CDI_SAMPLES_U16 = 1, CDI_SAMPLES_REAL = 2 };

typedef struct cdi_height_field {
    /* as it was given */
    double origin[3], spacing[2], scale, bias;
    uint32_t format, columns, rows, up, cut, skips, has_materials, has_masks;
    /* what follows from that */
    uint64_t bytes, bounds, samples, lanes, blocks, materials; /* places in bytes, from the field on */
    double height_scale, height_origin; /* of a kept sample: height_origin + height_scale (sample - bias) */
    uint32_t kept, sample_size, axis[3], turned; /* axis: of columns, of rows, up; turned: the triangles */
    uint32_t cells_x, cells_y, blocks_x, blocks_y, level_count, node_count;
    cdi_heights_level level[CDI_HEIGHTS_LEVELS];
    /* what follows from the samples */
    uint32_t triangles, is_plain;              /* is_plain: the floats below are to be used */
    uint32_t first_cell[2], end_cell[2];       /* around the cells that are there */
    double lane_origin, lane_scale[2];         /* a height -> the frame, if not plain */
    float along[2], grid_low[2], grid_high[2]; /* of the frame: along * cell + low or high */
    float base, rise, low, high;               /* rise * (sample - base) + low or high */
} cdi_height_field;

/* ---- places ---- */

CDI_INLINE const unsigned char *cdi_heights_at_byte(const cdi_height_field *g, uint64_t place) {
    return (const unsigned char *)g + (size_t)place;
}

/* Of lanes, which column and which row of a node they are in, by how many columns there are. */
CDI_INLINE const float *cdi_lane_columns(uint32_t across) {
    static const float column[4][8] = {{0, 0, 0, 0, 0, 0, 0, 0},
                                       {0, 1, 0, 1, 0, 1, 0, 1},
                                       {0, 1, 2, 3, 0, 1, 2, 3},
                                       {0, 1, 2, 3, 4, 5, 6, 7}};
    return column[across];
}
CDI_INLINE const float *cdi_lane_rows(uint32_t across) {
    static const float row[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                    {0, 0, 1, 1, 2, 2, 3, 3},
                                    {0, 0, 0, 0, 1, 1, 1, 1},
                                    {0, 0, 0, 0, 0, 0, 0, 0}};
    return row[across];
}

/* The materials' masks, if any. */
CDI_INLINE const uint32_t *cdi_heights_masks(const cdi_height_field *g) {
    return g->has_masks ? (const uint32_t *)(const void *)(g + 1) : NULL;
}

/* A kept sample, from an array of them. */
CDI_INLINE double cdi_heights_number(const cdi_height_field *g, const unsigned char *from, size_t i) {
    switch (g->kept) {
    case CDI_SAMPLES_U8: return (double)from[i];
    case CDI_SAMPLES_U16: return (double)((const uint16_t *)(const void *)from)[i];
    default: return (double)((const cd_real *)(const void *)from)[i];
    }
}

/* What is kept of a sample as a height. */
CDI_INLINE double cdi_heights_height(const cdi_height_field *g, double sample) {
    return (double)cdi_real_or_infinity(g->height_origin + g->height_scale * (sample - g->bias));
}

CDI_INLINE double cdi_heights_grid(const cdi_height_field *g, int way, uint32_t number) {
    double along = (double)(int32_t)number * g->spacing[way];
    return (double)cdi_real_or_infinity(g->origin[g->axis[way]] + along);
}

/* ---- items ---- */

/* Where an item is. */
typedef struct cdi_heights_item {
    uint32_t column, row, half, cut;
} cdi_heights_item;

CDI_FN bool cdi_heights_has(const cdi_height_field *g, uint32_t item);
CDI_FN cdi_heights_item cdi_heights_find(const cdi_height_field *g, uint32_t item);
CDI_FN uint32_t cdi_heights_index(const cdi_height_field *g, uint32_t item);
CDI_FN uint32_t cdi_heights_mask(const cdi_height_field *g, uint32_t item);
CDI_FN cd_triangle cdi_heights_triangle_of(const cdi_height_field *g, uint32_t item);

/* How many of four cells are there. */
CDI_INLINE uint32_t cdi_heights_count(uint32_t block) {
    return (uint32_t)(0x4332322132212110u >> 4 * (block & 15u)) & 7u;
}

/* Which corners of a cell a triangle has: 0 to 3 for a, b, c, d. */
CDI_FN void cdi_heights_corners(const cdi_height_field *g, const cdi_heights_item *at, uint32_t corner[3]);

/* A triangle of a cell, there or not, and a corner of the grid. */
CDI_FN cd_vec3 cdi_heights_corner(const cdi_height_field *g, uint32_t column, uint32_t row);
CDI_FN cd_triangle cdi_heights_half(const cdi_height_field *g, const cdi_heights_item *at);
