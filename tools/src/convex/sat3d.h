#pragma once
/* sat3d (internal): the separating axis of two convex polyhedra, in double (Ericson 5.2.1).
 *
 * The signed distance of two convex bodies is the greatest of f(n) = least n . (b - a) over all directions n; for those that
 * overlap it is at a face of B - A: at the normal of a face of either, or across an edge of each where the arcs of both on the
 * ball of normals cross (Gregorius, "The separating axis test between convex polyhedra", 2013). So these are the axes that are
 * looked at. Faces that were merged and are not quite flat have edges of the convex hull of their corners inside of them, so there the
 * diagonals are looked at, too. What an axis says is measured on all of both bodies, so that any axis, however badly rounded, tells the truth. */

#include "convex/polyhedron.h"
#include "convex/sat.h"

/* An axis. */
typedef struct cdi_sat3d_sat {
    double separation; /* f of the normal */
    cdi_v3 normal;     /* unit, from A to B, in A's frame */
    uint32_t kind;     /* of cd_sat_kind */
    uint32_t part[2];  /* of A and of B: the face's number, a half-edge, or the farthest vertex */
    uint32_t top[2];   /* the farthest vertices */
    uint32_t beyond
        [2]; /* of a half-edge: how many corners of its face beyond its end the edge ends, as a diagonal does */
    uint32_t tried; /* how many axes were measured */
} cdi_sat3d_sat;

/* What is asked, in scaled lengths. */
typedef struct cdi_sat_wish {
    double enough; /* stop at a separation above this; CDI_HUGE: the greatest */
    double margin; /* by how much an edge has to be better than a face: above 0 */
    cdi_v3 motion; /* of faces that are as good as equal, one that this leads away from; zero: no matter */
} cdi_sat_wish;

/* The greatest separation, or the first that is found above what is enough. What *axis holds is tried first, where its numbers are in range;
 * zeroed: nothing. */
CDI_FN void cdi_sat_run(const cdi_polyhedra *p, const cdi_sat_wish *wish, cdi_sat3d_sat *axis);

/* Is x / |n| surely not above `most`, where the square of |n| is known? */
CDI_INLINE bool cdi_sat_is_below(double x, double square, double most) {
    if ((x > 0.0) != (most > 0.0)) return x <= 0.0;
    return x > 0.0 ? x * x <= most * most * square : x * x >= most * most * square;
}

/* A point of each where the axis was found, b - a = separation * normal; in A's frame as it was given, not scaled. What is as
 * near as `room` counts as level, and as over the face. */
CDI_FN void cdi_sat_points(const cdi_polyhedra *p, const cdi_sat3d_sat *axis, double room, cdi_v3 *a,
                           cdi_v3 *b);

/* CD_FEATURE numbers of what the axis goes by on A (0) or B (1). */
CDI_FN uint32_t cdi_sat_feature(const cdi_polyhedra *p, const cdi_sat3d_sat *axis, int side);

/* Below this a separation is rounding, scaled. */
CDI_INLINE double cdi_sat_slack(const cdi_polyhedra *p) {
    return p->size * 5.6843418860808015e-14; /* 2^-44 */
}
/* By how much an edge has to be better than a face: what the number type of the interface can tell. */
CDI_INLINE double cdi_sat_margin(double size) {
    return size * cdi_max(5.6843418860808015e-14, (double)CD_REAL_EPSILON);
}

CDI_INLINE cdi_sat_wish cdi_sat_wish_of(const cdi_polyhedra *p, double enough) {
    cdi_sat_wish w;
    w.enough = enough;
    w.margin = cdi_sat_margin(p->size);
    w.motion = cdi_v3_make(0.0, 0.0, 0.0);
    return w;
}
