#pragma once
/* crossing2d (internal): how often closed lines of the plane go around a point, and whether they pass through it.
 *
 * The edges are counted that cross the ray from the point to the right, those that go up as 1, those that go down as -1.
 * For that the point is moved to the right by next to nothing, and up by next to nothing of that: then it is on no edge and
 * at the height of no corner, and the count is right without special cases. It is even when the edges are even in number. */

#include "core/orient.h"
#include "query/point_polygon.h"

typedef struct cdi_rounds {
    int64_t winding;
    bool on;
} cdi_rounds;

/* 1 or -1 when the edge from a to b crosses the ray from p, moved as said; else 0. */
CDI_INLINE int cdi_crossing(cdi_v2 a, cdi_v2 b, cdi_v2 p) {
    bool up = a.y <= p.y;
    if (up == (b.y <= p.y) || (a.x <= p.x && b.x <= p.x)) return 0;
    if (!(a.x > p.x && b.x > p.x)) {
        double side = cdi_orient2d(a, b, p);
        if (up ? side <= 0.0 : side >= 0.0) return 0;
    }
    return up ? 1 : -1;
}

/* -1 outside, 0 on, 1 inside. */
CDI_INLINE int cdi_rounds_verdict(const cdi_rounds *c, cd_fill_rule fill) {
    if (c->on) return 0;
    return (fill == CD_FILL_NON_ZERO ? c->winding != 0 : c->winding % 2 != 0) ? 1 : -1;
}

/* For more than 2^31 times around, the nearest number there is. */
CDI_INLINE int cdi_rounds_number(const cdi_rounds *c) {
    return c->winding > INT32_MAX ? INT32_MAX : c->winding < -INT32_MAX ? -INT32_MAX : (int)c->winding;
}

/* Outside, on or inside the triangle, whichever way it turns; finite numbers. */
CDI_FN int cdi_locate_triangle2(cdi_v2 p, cdi_v2 a, cdi_v2 b, cdi_v2 c);
