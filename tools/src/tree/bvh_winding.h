#pragma once
/* bvh_winding: the generalised winding number of any triangles in a tree, quickly; what is inside; signed distances.
 *
 * The winding number (see cd_winding_number_mesh) tells how often a surface surrounds a point; it needs no closed mesh: holes,
 * overlaps, pieces within pieces and triangles without neighbours are fine, but fronts have to look outward. A block
 * beside the tree knows for each run of triangles below a node what it looks like from afar: its directed area and first
 * moments of it. A query takes that for what is far enough away, and the triangles themselves for what is not.
 * All errors are bounded: a number comes with the accuracy asked for, and inside or outside is decided as by the full sum
 * over all triangles.
 *
 * Like a tree, the block has no pointers: it can be copied, written to a file and mapped back; queries only read, take no
 * memory and may run on many threads at once. It goes with the tree it was built from, or a copy of that. 64 bytes
 * for each node and leaf, about 50 bytes a triangle.
 *
 * Source: Barill, Dickson, Schmidt, Levin and Jacobson 2018, "Fast winding numbers for soups and clouds"; the bounds are
 * this library's. */

#include "tree/bvh.h"

/// What the winding numbers of a tree's triangles need; the zero object goes with an empty tree.
typedef struct cd_bvh_winding {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_bvh_winding_destroy gives the block back, 0 in a view
} cd_bvh_winding;

/// Makes the block for a tree over triangles, in any layout.
///
/// `allocator` may be NULL. CD_INVALID_ARGUMENT: the tree is over something else. CD_OUT_OF_MEMORY. `out` is zero
/// on failure and for an empty tree. Cost: linear; takes 128 bytes a node for the time of the call.
CD_API cd_status cd_bvh_winding_build(cd_bvh_winding *out, const cd_bvh *tree, const cd_allocator *allocator);

/// Gives the memory back; the zero object or a view may be destroyed too.
CD_API void cd_bvh_winding_destroy(cd_bvh_winding *w);

/// A block in bytes that were another one's, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// CD_CORRUPT for what is no such block, CD_UNSUPPORTED for one of another version or byte order, CD_INVALID_ARGUMENT
/// for a bad alignment. No bytes make a query read outside; false ones make its numbers false.
CD_API cd_status cd_bvh_winding_view(cd_bvh_winding *out, const void *bytes, size_t size);

/// The winding number at `p`, off by at most `accuracy` from cd_winding_number_mesh, but for that one's rounding.
///
/// Below about 1e-5, and for 0 or less and NaN, it is the full sum. NaN for NaN or infinity in p, and for a block that is not
/// of this tree. 0 for an empty tree. Class: tolerant. Cost: never more than seven full sums, which are linear. Errors of
/// clusters are added up as if none made good for another, and the binary layout has fewer clusters to choose from:
/// of 70 thousand triangles, 0.01 takes a tenth of the full sum (binary: a fifth) in the box of a closed mesh, in that of a
/// soup of separate triangles four tenths (two thirds); to tell inside from outside, cd_bvh_test_point_inside takes a
/// five hundredth (a hundredth), in the soup a fiftieth (a twentieth).
CD_API cd_real cd_bvh_winding_number(const cd_bvh_winding *w, const cd_bvh *tree, cd_vec3 p,
                                     cd_real accuracy);

/// Is the winding number at `p` at least `threshold`? 0.5 is the middle between outside and inside.
///
/// It is worked out until the answer is certain, so that it is that of the full sum, but for that one's rounding. False for
/// what cd_bvh_winding_number says NaN for, and NaN for the threshold. Cost: about logarithmic for
/// the surface of a body, linear where the number is the threshold, as 0.5 on the faces of a closed mesh.
CD_API bool cd_bvh_test_point_inside(const cd_bvh_winding *w, const cd_bvh *tree, cd_vec3 p,
                                     cd_real threshold);

/// The signed distance to the tree's triangles: below 0 where the winding number is at least 0.5, up to `max_distance`.
///
/// True with the nearest point in `out` (as cd_bvh_closest, which it is for distances; may be NULL), the rounded distance
/// in `distance`. False, with `out` untouched, when all is farther than `max_distance`: `distance` is then that with the
/// sign, as for an empty tree, which is far outside. False with NaN in `distance` where cd_bvh_winding_number says NaN,
/// for NaN or a negative number in `max_distance`. On the surface: 0, without a sign.
///
/// Where the mesh is not closed, inside is what it surrounds for more than the half, and the sign changes without the
/// distance being 0 along a surface that closes its holes. With all fronts inward all is outside.
CD_API bool cd_bvh_signed_distance(const cd_bvh_winding *w, const cd_bvh *tree, cd_vec3 p,
                                   cd_real max_distance, cd_closest *out, cd_real *distance);

/// cd_bvh_signed_distance for `count` points, as those of a grid, bit for bit. Returns how many are within
/// `max_distance`. `out` may be NULL; `out[i].index_b` is CD_NONE and the rest zero where point i is not.
CD_API size_t cd_bvh_signed_distances(const cd_bvh_winding *w, const cd_bvh *tree, const cd_vec3 *points,
                                      size_t count, cd_real max_distance, cd_closest *out,
                                      cd_real *distances);
