#pragma once
/* aabb: do axis-aligned boxes of all forms meet, do they meet planes, and which triangles of a mesh do they meet (Ericson
 * 4.2.1, 5.2.3, 4.1)?
 *
 * Closed sets: touching counts. Class of all: exact, on the numbers as they are stored. NaN or infinity in, but where a
 * routine allows it, and empty boxes: false. */

#include "shape/aabb_forms.h"
#include "shape/mesh_view.h"

/// Which axis a test of two boxes looks at first, second and last.
///
/// The axis on which things lie beside each other most comes first: in a flat world whose up is y, y comes last.
typedef enum cd_axis_order {
    CD_AXES_XYZ = 0,
    CD_AXES_XZY = 1,
    CD_AXES_YXZ = 2,
    CD_AXES_YZX = 3,
    CD_AXES_ZXY = 4,
    CD_AXES_ZYX = 5
} cd_axis_order;

/// cd_test_aabb_aabb with the axes in another order, of `cd_axis_order`: the same answer, other time. Other numbers are
/// CD_AXES_XYZ.
CD_API bool cd_test_aabb_aabb_order(cd_aabb a, cd_aabb b, uint32_t order);

/// Do two boxes by corner and widths meet? Without rounding or overflow on the way; infinite widths are fine.
CD_API bool cd_test_aabb_aabb_mw(const cd_aabb_mw *a, const cd_aabb_mw *b);

/// Do two boxes by centre and half widths meet? Without rounding or overflow on the way.
CD_API bool cd_test_aabb_aabb_cr(const cd_aabb_cr *a, const cd_aabb_cr *b);

/// Do two boxes of the integer grid meet?
CD_API bool cd_test_aabb_aabb_int(const cd_aabb_int *a, const cd_aabb_int *b);

/// Do two boxes of the integer grid by corner and widths meet? Range: all numbers. One comparison an axis.
///
/// Sums of 32-bit numbers go into 64 bits: in 32 the form of the book fails from widths of 2^30 on.
CD_API bool cd_test_aabb_aabb_mw_int(const cd_aabb_mw_int *a, const cd_aabb_mw_int *b);

/// Do two boxes of the integer grid by centre and half widths meet? Range: all numbers. One comparison an axis.
CD_API bool cd_test_aabb_aabb_cr_int(const cd_aabb_cr_int *a, const cd_aabb_cr_int *b);

/// Do two quantised boxes of one frame meet?
CD_API bool cd_test_aabb_aabb_q16(const cd_aabb_q16 *a, const cd_aabb_q16 *b);

/// Do two quantised boxes of one frame meet?
CD_API bool cd_test_aabb_aabb_q8(const cd_aabb_q8 *a, const cd_aabb_q8 *b);

/// Does the box meet the plane, whose normal may have any length but zero (5.2.3)?
CD_API bool cd_test_aabb_plane(cd_aabb b, cd_plane plane);

/// Does the box meet the half-space behind the plane, n . x <= d?
CD_API bool cd_test_aabb_halfspace(cd_aabb b, cd_plane plane);

/// The triangles of a mesh that meet a box, as their numbers in rising order. For what two things can touch in, the box is
/// cd_aabb_intersect of theirs.
///
/// Returns how many there are, and fills at most `capacity` (`out` may be NULL with 0). A triangle with an index out of range or
/// a corner that is not finite meets nothing; a mesh that is not valid has none. Cost: linear.
CD_API size_t cd_mesh_overlap_aabb(const cd_mesh_view *mesh, cd_aabb b, uint32_t *out, size_t capacity);
