#pragma once
/* apart3d (internal): the signed distance of two convex bodies in double: by GJK, and where the cores meet by EPA. */

#include "convex/epa3d.h"
#include "convex/gjk3d.h"

/* What the last face of a deep pair was made of, for the next time; or the direction that parted one. */
typedef struct cdi_apart_hint {
    cdi_gjk gjk;  /* where GJK begins: see cdi_gjk_run */
    cdi_tip face[3];
    int count; /* of the face's tips, which are right as they stand: 0 for none, or 3 */
} cdi_apart_hint;

/* Comes with where to begin (all zero: anywhere), leaves with what it ended with: one of `gjk` and `face` has a count. The limits are those
 * of the cores, `touch` of no meaning. False where a limit was met: the bounds hold. */
CDI_FN bool cdi_convex_apart(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_apart_hint *hint, cdi_apart *out);
