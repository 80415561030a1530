#pragma once
/* shape_sweep: moving shapes against any shape at rest (Ericson 5.5, 9.5.7). */

#include "any/options.h"

/// The first contact of A, moving by `motion` from where it is, with B at rest; as query/sweep has it.
///
/// A may be anything but a half-space. hit->index is of B: the triangle, or of a class the part; of a compound the child; else 0. So is what
/// options->filter is asked about, where there is a hit that would be the answer; options->ignore_mask is asked about the layers of B's parts, and
/// about a tree's own masks. Starts and culling are of each pair of parts. Triangles, polygons and discs of B have two sides, as long as they have no
/// radius. `parts` (may be NULL) are the two that touch. Of equal t the smallest child and index of B counts, then of A; of two meshes first
/// those of A.
/// Class: conservative, as cd_gjk_sweep: t is the least of those of the pairs of parts, never late, and none is missed; what is left of the way is at most
/// what is said there. Where the two are in one frame and the library has a sweep for two types, the answer is that sweep's to the bit,
/// as long as there is no scale, nor a radius that the type does not have itself; of meshes that of cd_bvh_sweep; not of half-spaces, which are
/// met by one foremost point of the other, also where a whole edge or face is foremost. Two meshes without scale and radius: as
/// cd_bvh_sweep_bvh, with B's corners rounded once where it is posed (children's poses joined, and rounded once, too).
/// NaN or infinity in, and not valid: false. Stack, measured (gcc -O2, floats): 10 KiB for convex shapes, 17 for
/// meshes, 18 for compounds, with doubles 20; besides that of classes.
CD_API bool cd_shape_sweep(const cd_shape *a, cd_vec3 motion, const cd_shape *b, const cd_transform *b_in_a,
                           const cd_cast_options *options, cd_hit *hit, cd_part_pair *parts);
