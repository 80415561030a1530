#include "shape/voronoi.h"
#include "shape/polyhedron3d.h"
#include "shape/side3d.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"

/* ---- simplices ----
 * A point q of a convex hull is the nearest to p exactly when (p-q) . (w-q) <= 0 for every corner w. For q in the inside of
 * an edge this is the sign of a product of cross products, as the part of p-q along the edge is 0. */

static bool cdi_owned_by_corner(cdi_v3 p, const cdi_v3 *v, int count, int i) {
    for (int k = 0; k < count; ++k) {
        if (k != i && cdi_along_sign(v[i], v[k], p) > 0) return false;
    }
    return true;
}

/* Is the foot of the perpendicular strictly between a and b? */
static bool cdi_is_between(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    return cdi_along_sign(a, b, p) > 0 && cdi_along_sign(b, a, p) > 0;
}

static bool cdi_owned_by_edge(cdi_v3 p, const cdi_v3 *v, int count, int i, int j) {
    if (!cdi_is_between(p, v[i], v[j])) return false;
    for (int k = 0; k < count; ++k) {
        if (k != i && k != j && cdi_edge_sign(v[i], v[j], v[k], p) > 0) return false;
    }
    return true;
}

/* Is the foot strictly in the triangle, and p not on the side of `opposite`? */
static bool cdi_owned_by_face(cdi_v3 p, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 opposite) {
    return cdi_edge_sign(a, b, c, p) > 0 && cdi_edge_sign(b, c, a, p) > 0 && cdi_edge_sign(c, a, b, p) > 0 &&
           cdi_sign(cdi_orient3d(a, b, c, p)) * cdi_sign(cdi_orient3d(a, b, c, opposite)) <= 0;
}

/* The corner or edge that owns p; CD_FEATURE_NONE when a face or the inside does. */
static uint32_t cdi_simplex_rim(cdi_v3 p, const cdi_v3 *v, int count) {
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < count; ++i) {
        if (cdi_owned_by_corner(p, v, count, i)) return CD_FEATURE(CD_FEATURE_VERTEX, (uint32_t)i);
    }
    for (int i = 0; i < count * (count - 1) / 2; ++i) {
        if (cdi_owned_by_edge(p, v, count, edge[i][0], edge[i][1]))
            return CD_FEATURE(CD_FEATURE_EDGE, (uint32_t)i);
    }
    return CD_FEATURE_NONE;
}

static bool cdi_all_points_finite(const cdi_v3 *v, int count) {
    for (int i = 0; i < count; ++i) {
        if (!cdi_v3_finite(v[i])) return false;
    }
    return true;
}

CD_API uint32_t cd_voronoi_region_segment(cd_vec3 p, const cd_segment *s) {
    cdi_v3 v[3];
    v[0] = cdi_v3_of(s->a);
    v[1] = cdi_v3_of(s->b);
    v[2] = cdi_v3_of(p);
    if (!cdi_all_points_finite(v, 3)) return CD_FEATURE_NONE;
    return cdi_simplex_rim(v[2], v, 2);
}

/* Finite input. A triangle without area has no point that only its face could own. */
static uint32_t cdi_triangle_region(cdi_v3 p, const cdi_v3 v[3]) {
    uint32_t rim = cdi_simplex_rim(p, v, 3);
    return rim ? rim : CD_FEATURE(CD_FEATURE_FACE, 0u);
}

CD_API uint32_t cd_voronoi_region_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cd_vec3_is_valid(p) || !cdi_tri_finite(&d)) return CD_FEATURE_NONE;
    return cdi_triangle_region(cdi_v3_of(p), d.v);
}

CD_API uint32_t cd_voronoi_region_tetrahedron(cd_vec3 p, cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    cdi_v3 v[5];
    uint32_t rim;
    v[0] = cdi_v3_of(a);
    v[1] = cdi_v3_of(b);
    v[2] = cdi_v3_of(c);
    v[3] = cdi_v3_of(d);
    v[4] = cdi_v3_of(p);
    if (!cdi_all_points_finite(v, 5)) return CD_FEATURE_NONE;
    rim = cdi_simplex_rim(v[4], v, 4);
    if (rim) return rim;
    for (uint32_t i = 0; i < 4; ++i) {
        if (cdi_owned_by_face(v[4], v[(i + 1) % 4], v[(i + 2) % 4], v[(i + 3) % 4], v[i]))
            return CD_FEATURE(CD_FEATURE_FACE, i);
    }
    return CD_FEATURE_NONE;
}

/* ---- boxes ---- */

/* From the side of p on each axis: -1 or 1 on or beyond the end, 0 between. */
static uint32_t cdi_box_region(const int side[3]) {
    uint32_t up[3], outside = 0, axis = 0, low, high;
    for (uint32_t k = 0; k < 3; ++k) {
        up[k] = side[k] > 0;
        if (side[k] != 0) ++outside;
    }
    if (outside == 0) return CD_FEATURE_NONE;
    if (outside == 3) return CD_FEATURE(CD_FEATURE_VERTEX, up[0] | up[1] << 1 | up[2] << 2);
    while ((side[axis] != 0) != (outside == 1)) ++axis; /* the one that differs from the others */
    if (outside == 1) return CD_FEATURE(CD_FEATURE_FACE, 2 * axis + up[axis]);
    low = axis == 0 ? 1u : 0u;
    high = axis == 2 ? 1u : 2u;
    return CD_FEATURE(CD_FEATURE_EDGE, 4 * axis + up[low] + 2 * up[high]);
}

static int cdi_span_side(cd_real x, cd_real lo, cd_real hi) {
    return x <= lo ? -1 : x >= hi ? 1 : 0;
}

CD_API uint32_t cd_voronoi_region_aabb(cd_vec3 p, cd_aabb b) {
    int side[3];
    if (!cd_vec3_is_valid(p) || !cd_aabb_is_valid(b)) return CD_FEATURE_NONE;
    side[0] = cdi_span_side(p.x, b.min.x, b.max.x);
    side[1] = cdi_span_side(p.y, b.min.y, b.max.y);
    side[2] = cdi_span_side(p.z, b.min.z, b.max.z);
    return cdi_box_region(side);
}

CD_API uint32_t cd_voronoi_region_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 q = cdi_v3_of(p);
    int side[3];
    if (!cdi_v3_finite(q) || !cdi_obb_finite(&d)) return CD_FEATURE_NONE;
    for (int k = 0; k < 3; ++k) {
        if (d.half[k] < 0.0) return CD_FEATURE_NONE;
        if (cdi_height_sign(d.axes.c[k], d.center, -d.half[k], q) <= 0) {
            side[k] = -1;
        } else {
            side[k] = cdi_height_sign(d.axes.c[k], d.center, d.half[k], q) >= 0 ? 1 : 0;
        }
    }
    return cdi_box_region(side);
}

/* ---- convex bodies ----
 * Where the nearest point lies in the inside of a face, that triangle claims p with p not behind its plane, and this is
 * enough, since the plane bounds the body. Where it lies on an edge or corner, one of the triangles there that do not
 * have p behind them claims p with that edge or corner. Which of the claims is right is told by all corners of the body;
 * the nearest, by plain arithmetic, is asked first. */

/* The feature of a triangle that owns p, numbered as the body's; CD_FEATURE_NONE when p is behind the triangle. */
static uint32_t cdi_poly_claim(const cdi_poly *b, uint32_t triangle, cdi_v3 p) {
    cdi_v3 v[3];
    uint32_t f, i;
    cdi_poly_corners(b, triangle, v);
    if (cdi_orient3d(v[0], v[1], v[2], p) > 0.0) return CD_FEATURE_NONE;
    f = cdi_triangle_region(p, v);
    i = CD_FEATURE_INDEX(f);
    switch (CD_FEATURE_KIND(f)) {
    case CD_FEATURE_VERTEX: return CD_FEATURE(CD_FEATURE_VERTEX, b->triangles[3 * triangle + i]);
    case CD_FEATURE_EDGE: return CD_FEATURE(CD_FEATURE_EDGE, 3 * triangle + i);
    default: return CD_FEATURE(CD_FEATURE_FACE, triangle);
    }
}

/* Squared distance to a corner or to the line of an edge, about. */
static double cdi_claim_sqdist(const cdi_poly *b, uint32_t feature, cdi_v3 p) {
    uint32_t i = CD_FEATURE_INDEX(feature);
    cdi_v3 a, along, x;
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX)
        return cdi_v3_sqlength(cdi_v3_sub(p, cdi_poly_vertex(b, i)));
    a = cdi_poly_corner(b, i);
    along = cdi_v3_sub(cdi_poly_corner(b, cdi_half_edge_next(i)), a);
    x = cdi_v3_cross(along, cdi_v3_sub(p, a));
    return cdi_v3_sqlength(x) / cdi_v3_sqlength(along);
}

/* Does a claimed corner or edge own p, against all corners? */
static bool cdi_claim_holds(const cdi_poly *b, uint32_t feature, cdi_v3 p) {
    bool corner = CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX;
    uint32_t i = CD_FEATURE_INDEX(feature);
    cdi_v3 from = corner ? cdi_poly_vertex(b, i) : cdi_poly_corner(b, i);
    cdi_v3 to = corner ? from : cdi_poly_corner(b, cdi_half_edge_next(i));
    for (uint32_t h = 0; h < 3 * b->triangle_count; ++h) {
        cdi_v3 w = cdi_poly_corner(b, h);
        if ((corner ? cdi_along_sign(from, w, p) : cdi_edge_sign(from, to, w, p)) > 0) return false;
    }
    return true;
}

/* The smallest number of the feature: of an edge's two. */
static uint32_t cdi_claim_smallest(const cdi_poly *b, uint32_t feature) {
    uint32_t i = CD_FEATURE_INDEX(feature), start, end;
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX) return feature;
    start = cdi_half_edge_start(b, i);
    end = cdi_half_edge_end(b, i);
    for (uint32_t h = 0; h < i; ++h) {
        if (cdi_half_edge_start(b, h) == end && cdi_half_edge_end(b, h) == start)
            return CD_FEATURE(CD_FEATURE_EDGE, h);
    }
    return feature;
}

static bool cdi_poly_is_valid(const cdi_poly *b) {
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        if (!cdi_poly_triangle_is_valid(b, i)) return false;
    }
    return true;
}

/* The face that claims p, or of the other claims the nearest. */
static uint32_t cdi_poly_nearest_claim(const cdi_poly *b, cdi_v3 p) {
    uint32_t best = CD_FEATURE_NONE;
    double least = 0.0;
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        uint32_t claim = cdi_poly_claim(b, i, p);
        double sqdist;
        if (claim == CD_FEATURE_NONE) continue;
        if (CD_FEATURE_KIND(claim) == CD_FEATURE_FACE) return claim;
        sqdist = cdi_claim_sqdist(b, claim, p);
        if (best != CD_FEATURE_NONE && !(sqdist < least)) continue;
        best = claim;
        least = sqdist;
    }
    return best;
}

CD_API uint32_t cd_voronoi_region_polyhedron(cd_vec3 p, const cd_vec3 *vertices, size_t vertex_count,
                                             const uint32_t *triangles, size_t triangle_count) {
    cdi_v3 q = cdi_v3_of(p);
    cdi_poly b;
    uint32_t claim;
    if (!cdi_poly_make(&b, vertices, vertex_count, triangles, triangle_count)) return CD_FEATURE_NONE;
    if (!cdi_v3_finite(q) || !cdi_poly_is_valid(&b)) return CD_FEATURE_NONE;
    claim = cdi_poly_nearest_claim(&b, q);
    if (claim == CD_FEATURE_NONE || CD_FEATURE_KIND(claim) == CD_FEATURE_FACE) return claim;
    if (cdi_claim_holds(&b, claim, q)) return cdi_claim_smallest(&b, claim);
    for (uint32_t i = 0; i < b.triangle_count; ++i) { /* rounding had the wrong one nearest */
        claim = cdi_poly_claim(&b, i, q);
        if (claim != CD_FEATURE_NONE && cdi_claim_holds(&b, claim, q)) return cdi_claim_smallest(&b, claim);
    }
    return CD_FEATURE_NONE;
}
