#pragma once
/* orient (internal): the predicates on doubles, as the exact routines use them. */

#include "core/expansion.h"
#include "core/predicate.h"
#include "core/vec3d.h"

typedef struct cdi_v2 {
    double x, y;
} cdi_v2;

CDI_INLINE cdi_v2 cdi_v2_of(cd_vec2 v) {
    cdi_v2 r;
    r.x = (double)v.x;
    r.y = (double)v.y;
    return r;
}
CDI_INLINE bool cdi_v2_same(cdi_v2 a, cdi_v2 b) {
    return a.x == b.x && a.y == b.y;
}
/* Is b to the right of a, or straight above it? The order of the plane from left to right. */
CDI_INLINE bool cdi_goes_up(cdi_v2 a, cdi_v2 b) {
    return b.x > a.x || (b.x == a.x && b.y > a.y);
}

/* The shadow of v along an axis on the plane of the other two, right-handed (y z, z x, x y). */
CDI_INLINE cdi_v2 cdi_v3_drop(cdi_v3 v, int axis) {
    cdi_v2 r;
    r.x = axis == 0 ? v.y : axis == 1 ? v.z : v.x;
    r.y = axis == 0 ? v.z : axis == 1 ? v.x : v.y;
    return r;
}

/* a b - c d, without cancellation: to a unit in the last place of itself. */
CDI_INLINE double cdi_sharp_difference(double a, double b, double c, double d) {
    double p, p_tail, q, q_tail, r, r_tail;
    cdi_two_product(a, b, &p, &p_tail);
    cdi_two_product(c, d, &q, &q_tail);
    cdi_two_diff(p, q, &r, &r_tail);
    return r + (r_tail + (p_tail - q_tail));
}

/* The cross product, whose direction is right for nearly parallel vectors, too. */
CDI_INLINE cdi_v3 cdi_sharp_cross(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(cdi_sharp_difference(a.y, b.z, a.z, b.y), cdi_sharp_difference(a.z, b.x, a.x, b.z),
                       cdi_sharp_difference(a.x, b.y, a.y, b.x));
}

CDI_FN double cdi_orient2d(cdi_v2 a, cdi_v2 b, cdi_v2 c);
CDI_FN double cdi_orient3d(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d);

/* (b-a) x (q-p): positive when the edge from p to q turns counter-clockwise from that from a to b. Exact sign. */
CDI_FN double cdi_orient_edges(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q);

/* The same, their values good to the last place of the interface's number type, however much cancels. */
CDI_FN double cdi_orient2d_accurate(cdi_v2 a, cdi_v2 b, cdi_v2 c);
CDI_FN double cdi_orient3d_accurate(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d);

/* det [d; p-o; q-o]: on which side the line from o along d passes the line from p to q. Exact sign; slower,
 * exact to the last place. */
CDI_FN double cdi_orient_line(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q);
CDI_FN double cdi_orient_line_exact(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q);

/* A vector from one point to another, without rounding, and the determinant of three with its exact sign. */
typedef struct cdi_edge3d {
    cdi_v3 from, to;
} cdi_edge3d;
CDI_FN double cdi_orient_edges3d(const cdi_edge3d *a, const cdi_edge3d *b, const cdi_edge3d *c);

/* The normal (b-a) x (c-a): each component with the exact sign, or (slow) each to its last place. */
CDI_FN cdi_v3 cdi_exact_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c);
CDI_FN cdi_v3 cdi_accurate_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* (b-a) x (q-p), each component to its last place, slow. */
CDI_FN cdi_v3 cdi_accurate_cross(cdi_v3 a, cdi_v3 b, cdi_v3 p, cdi_v3 q);

/* The sign of n . p - d, and that of x^2 + y^2 + z^2 - r^2 for differences: exact; 0 where a number is not finite. */
CDI_FN int cdi_plane_side(cdi_v3 n, double d, cdi_v3 p);
CDI_FN int cdi_compare_squares(const cdi_diff x[3], cdi_diff r);
