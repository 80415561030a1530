#pragma once
/* mesh_view: how a triangle mesh of the caller is read, where it lies and as it lies. */

#include "shape/linear.h"
#include "shape/volume.h"

/// How positions are stored.
typedef enum cd_position_format {
    CD_POSITION_REAL = 0, ///< three `cd_real`
    CD_POSITION_F32 = 1,  ///< three floats
    CD_POSITION_F64 = 2   ///< three doubles, rounded once in a float build
} cd_position_format;

/// How indices are stored.
typedef enum cd_index_format { CD_INDEX_U32 = 0, CD_INDEX_U16 = 1 } cd_index_format;

/// A mesh in the caller's memory; nothing is copied.
///
/// Positions are `stride` bytes apart (0: tightly packed) and need no alignment. Three indices make a triangle, its
/// front where they turn counter-clockwise; triangles are `index_stride` bytes apart (0: tightly packed). Without
/// indices (NULL) the positions 3i, 3i + 1, 3i + 2 make triangle i.
typedef struct cd_mesh_view {
    const void *positions;
    uint32_t stride, position_format, vertex_count;
    const void *indices;
    uint32_t index_stride, index_format, triangle_count;
} cd_mesh_view;

/// A view of packed positions and 32-bit indices.
CD_API cd_mesh_view cd_mesh_view_make(const cd_vec3 *positions, uint32_t vertex_count,
                                      const uint32_t *indices, uint32_t triangle_count);

/// Position `i`, rounded to the number type of the interface; `i` below the vertex count.
CD_API cd_vec3 cd_mesh_position(const cd_mesh_view *mesh, uint32_t i);

/// The corners of triangle `i` (below the triangle count); false, with `out` untouched, when one of its indices is
/// out of range.
CD_API bool cd_mesh_triangle(const cd_mesh_view *mesh, uint32_t i, cd_triangle *out);

/// The three indices of triangle `i` (below the triangle count), as they stand, unchecked.
CD_API void cd_mesh_indices(const cd_mesh_view *mesh, uint32_t i, uint32_t out[3]);

/// Can the view be read at all: known formats, no missing pointer, strides large enough, no more triangles without
/// indices than positions? The indices and positions themselves are not looked at.
CD_API bool cd_mesh_view_is_valid(const cd_mesh_view *mesh);
