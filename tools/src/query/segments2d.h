#pragma once
/* segments2d: two segments in the plane (Ericson 5.1.9.1).
 *
 * Either may be a point. Closed sets: touching counts, and so does a common stretch of segments on one line. The answers do
 * not depend on which comes first, nor on the direction of either. NaN or infinity in: false. Segments of the integer grid,
 * of more bits, are in core/integer. */

#include "core/vec.h"

/// The common points of two segments in the plane: one, or the two ends of a stretch.
typedef struct cd_segment_cut {
    uint32_t count;    ///< 1 for a point, 2 for a stretch
    cd_vec2 points[2]; ///< from left to right, of points straight above each other from below
} cd_segment_cut;

/// Do the segments from a to b and from c to d meet? Class: exact.
CD_API bool cd_test_2d_segment_segment(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d);

/// The common points of the segments from a to b and from c to d; false, with `out` untouched, when there are none.
///
/// Whether they meet is exact, and so is each point that is an end of one of the two. The point where they cross in their
/// insides is rounded, within 2 units in the last place of the largest coordinate, also where they are nearly parallel,
/// and lies in the bounding boxes of both.
CD_API bool cd_intersect_2d_segment_segment(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d, cd_segment_cut *out);
