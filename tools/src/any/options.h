#pragma once
/* options: what all calls for two shapes share. */

#include "any/shape_bounds.h"

/// Bits of `cd_shape_options.flags`.
typedef enum cd_shape_flag {
    CD_SHAPE_KEEP_GHOSTS =
        1, ///< contacts with each part as if it were alone, also at edges that its neighbours hide
    CD_SHAPE_ONE_SIDED = 2 ///< contacts: triangles are met from their fronts only
} cd_shape_flag;

/// False to have a pair of parts passed over.
typedef bool (*cd_filter_parts_fn)(void *user, const cd_part *a, const cd_part *b);

/// Options of the calls for two shapes; the zero object is the default, and NULL stands for it. Each call says what it reads.
typedef struct cd_shape_options {
    uint32_t flags;          ///< of `cd_shape_flag`
    uint32_t max_iterations; ///< of each pair of convex parts; 0: no limit but each call's own
    cd_real max_distance; ///< distances and closest points: where above 0, what is farther is not looked at
    cd_real tolerance; ///< distances: as in cd_separation_options; times of impact: as in cd_impact_options
    cd_real margin;    ///< contacts: points no farther apart than this count, too
    cd_real distance;  ///< tests and times of impact: as near as this counts as touching
    cd_real t_min;     ///< times of impact: begin here
    uint32_t ignore_a; ///< parts of A that share a layer with it are passed over
    uint32_t ignore_b; ///< the same for B
    cd_filter_parts_fn filter; ///< asked about pairs of parts that may matter; may be NULL
    void *user;                ///< handed to `filter`
} cd_shape_options;

/// Two parts.
typedef struct cd_part_pair {
    cd_part a, b;
} cd_part_pair;
