#pragma once
/* shape_cast: rays and moving shapes against any shape; when two in motion first touch (Ericson 5.5, 9.5.7). */

#include "any/options.h"

/// The first hit of a ray with a shape; false, with `hit` and `part` untouched, when there is none.
///
/// Solids, half-spaces and triangles as query/cast has them, options and starts too; hit->index is the triangle or the child (or a class's part), `part` (NULL: not
/// wanted) tells all. options->ignore_mask is asked about layers, and about a tree's own masks; the filter about hit->index. Class: as the cast of that kind; of those without one, cd_gjk_raycast.
CD_API bool cd_shape_cast_ray(const cd_shape *s, const cd_ray *r, cd_real t_max,
                              const cd_cast_options *options, cd_hit *hit, cd_part *part);

/// cd_shape_cast_ray on many rays, bit for bit. Returns how many hit; `hits[i].index` is CD_NONE and the rest zero where ray i does not.
CD_API size_t cd_shape_cast_rays(const cd_shape *s, const cd_ray *rays, const cd_real *t_max, size_t count,
                                 const cd_cast_options *options, cd_hit *hits, cd_part *parts);

/// The first contact of A, moving by `motion` from where it is, with B at rest; as query/sweep has it.
///
/// A may be anything but a half-space. hit->index is of B, and so is options->filter; options->ignore_mask is asked about layers of B's parts. `parts` (may be NULL) are the
/// two that touch. Class: conservative, as cd_gjk_sweep for each pair of parts: t is the least of theirs.
CD_API bool cd_shape_sweep(const cd_shape *a, cd_vec3 motion, const cd_shape *b, const cd_transform *b_in_a,
                           const cd_cast_options *options, cd_hit *hit, cd_part_pair *parts);

/// The first contact of two shapes in any motion, as cd_time_of_impact: the least of their parts'.
///
/// Read of the options: max_iterations, distance, tolerance, t_min, masks, filter. Two half-spaces: CD_UNSUPPORTED. Class: conservative.
CD_API cd_impact cd_shape_time_of_impact(const cd_shape *a, const cd_motion *motion_a, const cd_shape *b,
                                         const cd_motion *motion_b, const cd_shape_options *options,
                                         cd_part_pair *parts);
