#pragma once
/* solid_contact: where the surfaces of two bodies cross, region by region; how far their overlap reaches along a direction.
 *
 * Surfaces cross along curves: each pair of triangles that meet has a piece of one, and the pieces join exactly, at points that depend on the same edge and
 * triangle. Pieces that hang together are a region: one closed curve, mostly, around a place where the one body goes into the other,
 * or, where faces lie on each other, a patch of these. A bolt through a plate has two. */

#include "any/solid.h"

/// A piece of the crossing of two surfaces: what two triangles have in common.
typedef struct cd_solid_piece {
    cd_pair pair; ///< the triangles
    /// the ends of the segment, in A's frame: A is on its right and B on its left as seen from outside of both; of a face two corners
    cd_vec3 a, b;
    /// of no unit length, from A to B: the unit normals of A's triangle less that of B's; zero where these are alike
    cd_vec3 normal;
    cd_real area; ///< of a face; else 0
    cd_aabb box;  ///< around it
    /// 1: a point; 2: a segment; more: the triangles are in one plane, and this is a face of so many corners
    uint32_t points;
    uint32_t region;   ///< written by cd_solid_regions
    uint32_t links[2]; ///< of cd_solid_regions alone
} cd_solid_piece;

/// The pieces of all pairs of triangles that meet; returns how many, and writes the first `capacity`, in the order of cd_bvh_collide.
///
/// Read of the options: pairs. None for what is not valid. Class: which pairs is exact; points as cd_intersect_triangle_triangle.
CD_API size_t cd_solid_curve(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                             const cd_solid_options *options, cd_solid_piece *pieces, size_t capacity);

/// A region in which surfaces cross.
typedef struct cd_solid_region {
    uint32_t first, count; ///< its pieces
    cd_vec3 center;        ///< of its segments by length, or of its faces' boxes by area
    cd_vec3 normal;        ///< unit, from A to B: across the curve, or of the faces
    cd_real depth;         ///< how far the overlap reaches along the normal
    cd_real length;        ///< of its segments
    cd_real area;          ///< that the curve goes around, as seen along the normal
    cd_real face_area;     ///< of faces
    cd_aabb box;           ///< around all
} cd_solid_region;

/// Groups pieces to regions: returns how many there are, and writes the first `capacity`, ordered by their smallest pairs.
///
/// `pieces`: `count` of them, all that cd_solid_curve has; they are put in order, region by region, by pairs. Pieces of a region share an end, or a triangle
/// and a place, where one is a face or a point. `normal` is that of the plane which the curve goes around with the largest area, from A to B;
/// where it does not go around much it is the mean of those of its pieces. `depth` is measured along a few lines across the curve, through its center and beside some of its pieces: the longest stretch of one
/// that is in both bodies, near the curve; so it is from below, and 0 for bodies that touch. Of a duct through a wall it is how thick the wall is, which is mostly what is
/// asked for; how far the duct has to go to be out of it tells cd_solid_depth. Read of the options: max_iterations: how many lines, 0 for 9; `options`
/// may be NULL. Cost: count times its logarithm, and each line a few rays and points against both. No memory.
CD_API size_t cd_solid_regions(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                               const cd_solid_options *options, cd_solid_piece *pieces, size_t count,
                               cd_solid_region *regions, size_t capacity);

/// How far the overlap reaches along a direction (unit or not): from the least to the largest dot product of its points with the unit vector; its thickness
/// is `to - from`. False, with nothing written, where the bodies do not overlap, and for what is not valid.
///
/// All of it counts, in however many pieces it may be. For a wall and the axis of a duct through it that is where the wall begins and ends.
/// Read of the options: pairs. Class: tolerant, some units in the last place of the coordinates. Cost: all pairs that meet, and corners of each mesh in the other.
CD_API bool cd_solid_extent(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                            cd_vec3 direction, const cd_solid_options *options, cd_real *from, cd_real *to);
