#pragma once
/* heights: height fields, as trees: all queries of cd_bvh answer as on a tree over the very mesh that the field stands for.
 *
 * A field is a grid of samples. Each cell between four of them is two triangles, or a hole. No triangle is stored: the block
 * holds the samples, a byte for two by two cells, the material of each cell where there are such, and above the cells, level
 * by level, the lowest and the highest sample below each lane of each node. Bytes a triangle in large fields: 0.95 with
 * samples of 8 bits, 1.75 with 16, 3.3 with floats, 6.5 with doubles; with materials 0.5 more.
 *
 * Places. Sample (column, row) lies at origin + column spacing[0] on the column's axis and at origin + row spacing[1] on the row's, and
 * its height is origin + scale sample on the axis that is up; each of these is computed in double and rounded once to cd_real. With z up
 * columns go along x and rows along y; with y up along x and z; with x up along y and z. The upper side is the front of all triangles.
 *
 * Triangles. The cell (column, row), counted from 0, lies between its own sample and that of (column + 1, row + 1). Its triangles have the indices
 * 2 (row (columns - 1) + column) and one more, whether there are holes or not: of (column, row) = a, (column + 1, row) = b,
 * (column, row + 1) = c and (column + 1, row + 1) = d these are, cut from a to d, first a b d and then a d c; cut from b to c,
 * first a b c and then b d c. With y up the last two of each three are swapped. In a hole there is nothing at all. */

#include "tree/bvh_build.h"

/// How samples are given.
typedef enum cd_height_format {
    CD_HEIGHT_REAL = 0, ///< `cd_real`
    CD_HEIGHT_U8 = 1,
    CD_HEIGHT_U16 = 2,
    CD_HEIGHT_I16 = 3,
    CD_HEIGHT_F32 =
        4, ///< floats; these, doubles and cd_real are kept as the heights that they stand for, in cd_real
    CD_HEIGHT_F64 = 5
} cd_height_format;

/// Which axis is up.
typedef enum cd_height_up { CD_HEIGHT_Z_UP = 0, CD_HEIGHT_Y_UP = 1, CD_HEIGHT_X_UP = 2 } cd_height_up;

/// How cells are cut in two; a, b, c, d as above.
typedef enum cd_height_cut {
    CD_HEIGHT_CUT_AD = 0,      ///< from a to d
    CD_HEIGHT_CUT_BC = 1,      ///< from b to c
    CD_HEIGHT_CUT_DIAMOND = 2, ///< from a to d where column + row is even, else from b to c
    CD_HEIGHT_CUT_ZIGZAG = 3,  ///< from a to d in even rows, else from b to c
    CD_HEIGHT_CUT_GIVEN = 4    ///< by `cuts`
} cd_height_cut;

/// The material of a cell that is a hole.
#define CD_HEIGHT_HOLE 255u

/// A height field in the caller's memory; what is 0 or NULL stands for the default.
typedef struct cd_height_view {
    const void *samples;
    uint32_t format;        ///< of `cd_height_format`
    uint32_t columns, rows; ///< of samples
    uint32_t row_stride;    ///< bytes from one row to the next, of samples; 0: packed
    uint32_t up;            ///< of `cd_height_up`
    uint32_t cut;           ///< of `cd_height_cut`
    /// for CD_HEIGHT_CUT_GIVEN: a bit for each cell, row by row, lowest first: 1 from b to c
    const uint8_t *cuts;
    /// a byte for each cell, row by row; CD_HEIGHT_HOLE: there is nothing; NULL: all are 0
    const uint8_t *materials;
    /// 256: what queries' `ignore_mask` is asked about for each material; NULL: none
    const uint32_t *material_masks;
    cd_vec3 origin;     ///< where the sample (0, 0) lies, and height 0
    cd_real spacing[2]; ///< between columns and between rows, above 0; 0 stands for 1
    cd_real scale;      ///< of samples; may be below 0; 0 stands for 1
} cd_height_view;

/// Makes a tree of a height field; it keeps what it needs.
///
/// Its layout is CD_BVH_HEIGHTS and its kind triangles. Of the options `flags` and `allocator` are read, and `masks` have to be
/// NULL; others are of no meaning. CD_INVALID_ARGUMENT: an unknown format, axis or cut, samples, cuts or spacing missing or
/// out of range, a place that is not finite, or, without CD_BVH_SKIP_INVALID, a corner of a cell that is not finite; with it such
/// cells are holes. CD_TOO_LARGE: more than 2^28 cells. CD_OUT_OF_MEMORY. Fields with fewer than two columns or two rows give an empty
/// tree. Cost: linear; besides the block nothing is allocated.
CD_API cd_status cd_bvh_build_heights(cd_bvh *out, const cd_height_view *view, const cd_bvh_options *options);

/// Replaces the samples of a region, in place; what comes of it is what a build of the whole gives, to the byte.
///
/// `samples`: w times h in the format of the build, rows `row_stride` bytes apart (0: packed). Holes stay; cells that were holes as a sample of
/// theirs was not finite may come back, and others may go, where the tree was built with CD_BVH_SKIP_INVALID.
/// CD_INVALID_ARGUMENT, and nothing is changed: not a height field of the caller's own memory (a view is only read), a region that is not inside, no samples, one that must not be
/// because it is not finite. Cost: the region and what is above it; where the lowest or highest sample of all changes, that has no further cost,
/// but where holes come or go, a byte for each four cells is looked at. No query may run meanwhile; what was made of
/// the tree, as winding numbers, is to be made anew.
CD_API cd_status cd_heights_update(cd_bvh *tree, uint32_t column, uint32_t row, uint32_t w, uint32_t h,
                                   const void *samples, uint32_t row_stride);

/// What a field is; all zero when the tree is none.
typedef struct cd_height_info {
    uint32_t columns, rows; ///< of samples
    uint32_t cells;         ///< (columns - 1) (rows - 1)
    uint32_t triangles;     ///< those that are there
    uint32_t up;            ///< of `cd_height_up`
} cd_height_info;

/// Tells what the field is.
CD_API cd_height_info cd_heights_get_info(const cd_bvh *tree);

/// A cell, and which of its two triangles.
typedef struct cd_height_cell {
    uint32_t column, row, half;
    uint32_t material; ///< CD_HEIGHT_HOLE: of a hole of the caller's
    uint32_t is_hole;  ///< 1 when there are no triangles, for whatever reason
} cd_height_cell;

/// The cell of a triangle, by the index that queries tell; false, with `out` untouched, when there is no such.
CD_API bool cd_heights_cell(const cd_bvh *tree, uint32_t index, cd_height_cell *out);

/// The material of a triangle's cell; CD_NONE where there is no such triangle.
CD_API uint32_t cd_heights_material(const cd_bvh *tree, uint32_t index);

/// A triangle by its index; false, with `out` untouched, in a hole and out of range.
CD_API bool cd_heights_triangle(const cd_bvh *tree, uint32_t index, cd_triangle *out);

/// The height of the field at a place (u, v), in coordinates along the column's and the row's axis; false, with nothing written, where there is
/// none.
///
/// `height` (may be NULL) is the coordinate on the axis that is up; `normal` (may be NULL) the unit normal of the triangle there, on
/// the upper side. On a line between cells the cell of smaller row and column is taken that is no hole. Class: tolerant, 4 ulp of the
/// largest of the three heights. Cost: constant.
CD_API bool cd_heights_height_at(const cd_bvh *tree, cd_real u, cd_real v, cd_real *height, cd_vec3 *normal);

/// Writes the mesh that the field stands for, and answers with how many triangles it has.
///
/// `positions` (NULL: not wanted) takes columns times rows places, row by row; `indices` three numbers of them for each triangle
/// that is there, in the order of their indices, and `index` those indices; both may be NULL.
CD_API uint32_t cd_heights_mesh(const cd_bvh *tree, cd_vec3 *positions, uint32_t *indices, uint32_t *index);
