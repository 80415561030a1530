#pragma once
/* shape_cast: rays against any shape (Ericson 5.3). */

#include "any/options.h"

/// The first hit of a ray with a shape; false, with `hit` and `part` untouched, when there is none.
///
/// Solids, half-spaces and triangles as query/cast has them, options and starts too; polygons are fans of triangles. hit->index is the
/// triangle, or of a class the part; of a compound the child; else 0. `part` (NULL: not wanted) tells all. `t_max` may be infinite.
/// options->ignore_mask is asked about layers, and about a tree's own masks; the filter about hit->index, where there is a hit that would
/// be the answer. Of equal t the smallest child and index counts.
/// Class: as the cast of that kind, t and all bit for bit; as cd_gjk_raycast where there is none, or with a scale or a radius that the type
/// does not have itself. A ray is taken into the frame of a child, or of a mesh before it is stretched, and what is found there back, each
/// rounded once. NaN or infinity in, and not valid: false; of a compound children that are not valid are passed over. Stack, measured: 22 KiB,
/// with doubles 23, besides that of a class.
CD_API bool cd_shape_cast_ray(const cd_shape *s, const cd_ray *r, cd_real t_max,
                              const cd_cast_options *options, cd_hit *hit, cd_part *part);

/// cd_shape_cast_ray on many rays, bit for bit. Returns how many hit; `hits[i].index` is CD_NONE and the rest zero where ray i does not.
///
/// `t_max` may be NULL for rays without end; `hits` and `parts` may be NULL.
CD_API size_t cd_shape_cast_rays(const cd_shape *s, const cd_ray *rays, const cd_real *t_max, size_t count,
                                 const cd_cast_options *options, cd_hit *hits, cd_part *parts);
