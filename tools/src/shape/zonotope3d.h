#pragma once
/* zonotope3d (internal): a zonotope of doubles, the directions of its faces, and the exact test of a point.
 *
 * The normals of the faces are cross products of two directions, the generators and, for a zonotope that is flat, a segment
 * or a point, some that fill space together with them; these count as segments without length. */

#include "core/vec3d.h"
#include "shape/zonotope.h"

typedef struct cdi_zonotope {
    cdi_v3 center;
    const cd_vec3 *of[2]; /* the generators are those of one list, then those of another */
    uint32_t count[2], generators, directions;
    cdi_v3 extra[3];
} cdi_zonotope;

/* `other` may be NULL: its generators are added, its centre is not looked at. Valid ones. */
CDI_FN cdi_zonotope cdi_zonotope_of(const cd_zonotope *z, const cd_zonotope *other);

CDI_INLINE cdi_v3 cdi_zonotope_direction(const cdi_zonotope *z, uint32_t i) {
    if (i < z->count[0]) return cdi_v3_of(z->of[0][i]);
    if (i < z->generators) return cdi_v3_of(z->of[1][i - z->count[0]]);
    return z->extra[i - z->generators];
}

/* How far it reaches along n from its centre: the sum of |n . generator|. */
CDI_FN double cdi_zonotope_reach(const cdi_zonotope *z, cdi_v3 n);

/* Is to - from a sum of the generators with factors in -1...1? Exact. */
CDI_FN bool cdi_zonotope_holds(const cdi_zonotope *z, cdi_v3 from, cdi_v3 to);
