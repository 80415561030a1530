#pragma once
/* hull_simplify: a hull with fewer vertices or faces. */

#include "hull/hull.h"

/// On which side of the hull the result lies.
typedef enum cd_hull_side {
    CD_HULL_INNER = 0, ///< inside: the hull of some of its vertices
    CD_HULL_OUTER = 1  ///< around it
} cd_hull_side;

/// Options of a simplification; the zero object limits nothing.
typedef struct cd_hull_simplify_options {
    uint32_t flags;        ///< 0
    uint32_t side;         ///< of `cd_hull_side`
    uint32_t max_vertices; ///< 0: any number
    uint32_t max_faces;    ///< 0: any number; of no meaning in dimension 2
    cd_allocator allocator;
} cd_hull_simplify_options;

/// todo
CD_API cd_status cd_hull_simplify(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *options);
