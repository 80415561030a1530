#pragma once
/* polyhedron (internal): hulls, boxes, triangles and the like in one form: corners, faces, edges. */

#include "convex/body.h"

/* What a polyhedron is made of: corners, faces, edges with the two faces beside them. Small ones have corners of their own,
 * of doubles, and the parts of a table; `name` is what the shape calls a corner. */
typedef struct cdi_polyhedron {
    cd_hull_parts parts; /* of a hull; else without vertices */
    bool few;
    uint32_t kind; /* of cd_support_kind; POINTS are rings of corners, or a tetrahedron */
    uint32_t name[8];
    cdi_v3 corner[8]; /* in the frame below */
    cdi_v3 stretch;   /* of a hull's vertices; else corners are stretched already */
    cdi_v3 center;    /* middle of the bounds: the origin of the frame, in which all is times `scale` */
    double scale;
    double size;   /* no coordinate in the frame is larger, before scaling */
    double mirror; /* -1 where the corners of faces go around the other way */
    bool stretched;
} cdi_polyhedron;

/* Two of them. */
typedef struct cdi_polyhedra {
    cdi_polyhedron body[2];
    cdi_m3 turn; /* from the frame of B to that of A */
    cdi_v3 way;  /* from the middle of A to that of B, in A's frame, scaled */
    double size; /* of all, scaled: rounding errors are below it times 2^-48 */
    int shift;   /* the scale is 2^shift */
} cdi_polyhedra;

/* CD_OK; CD_INVALID_ARGUMENT for what is not valid, CD_UNSUPPORTED for what is no polyhedron, is rounded, or has four corners in a
 * plane or more than four without being a hull. */
CDI_FN cd_status cdi_polyhedron_of_support(cdi_polyhedron *out, const cd_support *s);
CDI_FN bool cdi_polyhedron_of_hull(cdi_polyhedron *out, const cd_hull *hull);
CDI_FN bool cdi_polyhedron_of_obb(cdi_polyhedron *out, const cd_obb *b);

/* Both are in `p`: makes them ready. `reach` is the largest coordinate of what else is in play, or 0. False for a pose that is not
 * valid. */
CDI_FN bool cdi_polyhedra_pose(cdi_polyhedra *p, const cd_transform *b_in_a, double reach);

CDI_INLINE cdi_v3 cdi_polyhedron_vertex(const cdi_polyhedron *p, uint32_t i) {
    if (p->few) return p->corner[i];
    return cdi_v3_scale(cdi_v3_sub(cdi_stretched(cdi_v3_of(p->parts.vertices[i]), p->stretch), p->center),
                        p->scale);
}

/* The vertex at the end of a half-edge, and the one that comes before it in its face; that of no face is its own end. */
CDI_INLINE uint32_t cdi_polyhedron_end(const cdi_polyhedron *p, uint32_t half) {
    return p->parts.half_edges[p->parts.half_edges[half].twin].origin;
}
CDI_FN uint32_t cdi_polyhedron_before(const cdi_polyhedron *p, uint32_t half);

/* The normal of a face, of any length, outward, to the last places; zero where it has no area. */
CDI_FN cdi_v3 cdi_polyhedron_normal(const cdi_polyhedron *p, uint32_t face);

/* The farthest vertex along a direction of its frame, from a hint. */
CDI_FN uint32_t cdi_polyhedron_farthest(const cdi_polyhedron *p, cdi_v3 dir, uint32_t from);

/* CD_FEATURE numbers, as the shape calls them. */
CDI_FN uint32_t cdi_polyhedron_vertex_feature(const cdi_polyhedron *p, uint32_t vertex);
CDI_FN uint32_t cdi_polyhedron_edge_feature(const cdi_polyhedron *p, uint32_t half);
CDI_FN uint32_t cdi_polyhedron_face_feature(const cdi_polyhedron *p, uint32_t face);

/* The number of a box's edge: from two corners that differ in one bit. */
CDI_INLINE uint32_t cdi_box_edge(uint32_t a, uint32_t b) {
    uint32_t axis = (a ^ b) >> 1, low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    return CD_FEATURE(CD_FEATURE_EDGE, 4 * axis + (a >> low & 1u) + 2 * (a >> high & 1u));
}

/* From the frame of B to that of A, and back. */
CDI_INLINE cdi_v3 cdi_polyhedra_across(const cdi_polyhedra *p, int from, cdi_v3 q) {
    if (from == 1) return cdi_v3_add(cdi_m3_mul_v3(&p->turn, q), p->way);
    return cdi_m3_tmul_v3(&p->turn, cdi_v3_sub(q, p->way));
}
CDI_INLINE cdi_v3 cdi_polyhedra_turn(const cdi_polyhedra *p, int from, cdi_v3 dir) {
    return from == 1 ? cdi_m3_mul_v3(&p->turn, dir) : cdi_m3_tmul_v3(&p->turn, dir);
}

/* The power of two that makes the largest of all numbers about 1, where products of six of them could leave the range; else 0. */
CDI_INLINE int cdi_polyhedra_shift(double most) {
    int e = cdi_exponent(most);
    return e > 60 || e < -60 ? -e : 0;
}
