#pragma once
/* shape_impact: when do any two shapes that move and turn first touch? (Ericson 5.5.1, 9.5.7) */

#include "any/options.h"

/// The first contact of two shapes in any motion, as cd_time_of_impact: the least of their parts'.
///
/// Read of the options: max_iterations, distance, tolerance, t_min, masks, filter. `parts` (may be NULL) are the two that touch; without a hit
/// their child and index are CD_NONE. Of equal t the smallest child and index of B counts, then of A. Of half-spaces the planes turn with
/// them. Two half-spaces, and shapes with such parts: CD_UNSUPPORTED. `iterations` are those of all pairs.
/// Class: conservative, as cd_time_of_impact for each pair of parts: bit for bit where both are of one piece. Cost: the time is cut into
/// up to 16 spans, so that in each only parts are asked that may come together in it; the first that has a contact is the last. Two meshes without scale
/// and radius, and without an options->distance, are led to where they meet by cd_bvh_sweep_bvh_motions. Stack, measured (gcc -O2, floats): 19 KiB for
/// convex shapes, 24 for meshes, 27 for compounds, with doubles 30; besides that of classes.
CD_API cd_impact cd_shape_time_of_impact(const cd_shape *a, const cd_motion *motion_a, const cd_shape *b,
                                         const cd_motion *motion_b, const cd_shape_options *options,
                                         cd_part_pair *parts);
