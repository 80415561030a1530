#pragma once
/* side3d (internal): on which side of the planes through corners and edges a point lies, with the exact sign. */

#include "core/exact.h"
#include "core/vec3d.h"

/* Room for the limbs of cdi_exact_edge, and its result. */
enum { CDI_EDGE_ROOM = 27 * CDI_EXACT_LIMBS, CDI_EDGE_LIMBS = 4 * CDI_EXACT_LIMBS + 4 };

/* a - b and a dot product of three numbers each, without rounding; finite input. (Pointers: GCC 11 takes the size of an array in
 * such parameters for that of another one.) */
CDI_FN void cdi_exact_vector(cdi_arena *arena, cdi_v3 a, cdi_v3 b, cdi_exact *out);
CDI_FN cdi_exact cdi_exact_dot(cdi_arena *arena, const cdi_exact *a, const cdi_exact *b);

/* The sign of (b-a) . (p-a): 1 when p is, from a, toward b. 0 when anything is not finite. */
CDI_FN int cdi_along_sign(cdi_v3 a, cdi_v3 b, cdi_v3 p);

/* The sign of ((b-a) x (c-a)) . ((b-a) x (p-a)): 1 when p is on c's side of the plane through a and b that is
 * perpendicular to the triangle. 0 when the triangle has no area, or anything is not finite. */
CDI_FN int cdi_edge_sign(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p);

/* The same number without rounding; finite input. For p = c it is the square of the normal. */
CDI_FN cdi_exact cdi_exact_edge(cdi_arena *arena, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p);

/* The sign of d . (p-o) - s. 0 when anything is not finite. */
CDI_FN int cdi_height_sign(cdi_v3 d, cdi_v3 o, double s, cdi_v3 p);
