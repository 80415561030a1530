#include "hull/hull_gap.h"

/* ---- a triangle ---- */

static cdi_v3 cdi_gap_segment(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    cdi_v3 along = cdi_v3_sub(b, a);
    double length = cdi_v3_sqlength(along), t = cdi_v3_dot(cdi_v3_sub(p, a), along);
    if (t <= 0.0 || length <= 0.0) return a;
    return t >= length ? b : cdi_v3_along(a, along, t / length);
}

static cdi_v3 cdi_nearer(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    return cdi_v3_sqlength(cdi_v3_sub(p, b)) < cdi_v3_sqlength(cdi_v3_sub(p, a)) ? b : a;
}

CDI_FN cdi_v3 cdi_gap_triangle(cdi_v3 p, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_v3 u = cdi_v3_sub(b, a), v = cdi_v3_sub(c, a), q = cdi_v3_sub(p, a), n = cdi_v3_cross(u, v);
    double s = cdi_v3_dot(cdi_v3_cross(q, v), n), t = cdi_v3_dot(cdi_v3_cross(u, q), n);
    double whole = cdi_v3_sqlength(n);
    if (s >= 0.0 && t >= 0.0 && s + t <= whole && whole > 0.0)
        return cdi_v3_along(cdi_v3_along(a, u, s / whole), v, t / whole);
    return cdi_nearer(p, cdi_nearer(p, cdi_gap_segment(p, a, b), cdi_gap_segment(p, b, c)),
                      cdi_gap_segment(p, c, a));
}

/* ---- a hull ---- */

static cdi_v3 cdi_gap_scaled(const cdi_hull_gap *g, cdi_v3 p) {
    cdi_v3 v = cdi_v3_sub(p, g->base);
    return cdi_v3_make(cdi_scale2(v.x, g->exponent), cdi_scale2(v.y, g->exponent),
                       cdi_scale2(v.z, g->exponent));
}

static cdi_v3 cdi_gap_place(const cdi_hull_gap *g, cd_vec3 p) {
    return cdi_gap_scaled(g, cdi_v3_of(p));
}

static cdi_v3 cdi_gap_vertex(const cdi_hull_gap *g, uint32_t vertex) {
    return cdi_gap_place(g, g->parts.vertices[vertex]);
}

static double cdi_gap_extent(const cd_hull *hull, cdi_v3 base) {
    cd_aabb box = cd_hull_bounds(hull);
    return cdi_max(cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(box.min), base)),
                   cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(box.max), base)));
}

CDI_FN cdi_hull_gap cdi_gap_begin(const cd_hull *hull, const cd_hull *other) {
    cdi_hull_gap g;
    double extent;
    cdi_clear(&g, sizeof g);
    g.parts = cd_hull_get_parts(hull);
    g.tolerance = 1e-14;
    g.steps = 64;
    g.base = cdi_v3_of(g.parts.vertices[0]);
    extent = cdi_max(cdi_gap_extent(hull, g.base), cdi_gap_extent(other, g.base));
    g.exponent = extent > 0.0 ? -cdi_exponent(extent) : 0;
    g.size = cdi_scale2(extent, g.exponent);
    return g;
}

CDI_FN cdi_v3 cdi_hull_mean(const cd_hull_parts *p) {
    cdi_v3 base = cdi_v3_of(p->vertices[0]), sum = cdi_v3_make(0.0, 0.0, 0.0);
    double share = 1.0 / (double)p->vertex_count;
    for (uint32_t i = 1; i < p->vertex_count; ++i)
        sum = cdi_v3_along(sum, cdi_v3_sub(cdi_v3_of(p->vertices[i]), base), share);
    return cdi_v3_add(base, sum);
}

/* The top of a convex body is the only one. */
CDI_FN uint32_t cdi_hull_climb(const cd_hull_parts *p, uint32_t vertex, cdi_v3 d) {
    cdi_v3 base = cdi_v3_of(p->vertices[vertex]);
    double most = 0.0;
    for (bool higher = true; higher;) {
        uint32_t first = p->outgoing[vertex], h = first;
        higher = false;
        do {
            uint32_t to = p->half_edges[p->half_edges[h].twin].origin;
            double height = cdi_v3_dot(d, cdi_v3_sub(cdi_v3_of(p->vertices[to]), base));
            if (height > most) {
                most = height;
                vertex = to;
                higher = true;
            }
            h = p->half_edges[cd_hull_previous(p, h)].twin;
        } while (h != first);
    }
    return vertex;
}

static cdi_v3 cdi_gap_nearest(const cdi_hull_gap *g, const uint32_t corner[3], cdi_v3 p) {
    return cdi_gap_triangle(p, cdi_gap_vertex(g, corner[0]), cdi_gap_vertex(g, corner[1]),
                            cdi_gap_vertex(g, corner[2]));
}

/* Of the triangles of the new vertex and two of the old ones, the one nearest to p; false when none is nearer than `x`.
 * For p outside, the best one holds the point of all four's tetrahedron that is nearest (Gilbert, Johnson and Keerthi 1988). */
static bool cdi_gap_advance(cdi_hull_gap *g, uint32_t vertex, cdi_v3 p, cdi_v3 *x, double *squared) {
    uint32_t best = 3;
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t corner[3] = {vertex, g->corner[(i + 1) % 3], g->corner[(i + 2) % 3]};
        cdi_v3 at = cdi_gap_nearest(g, corner, p);
        double d = cdi_v3_sqlength(cdi_v3_sub(p, at));
        if (d >= *squared) continue;
        *squared = d;
        *x = at;
        best = i;
    }
    if (best < 3) g->corner[best] = vertex;
    return best < 3;
}

/* The squared distance of p, scaled, or a number not above `enough`. Every step ends with a point of the hull, so that the
 * answer errs upwards only; the limit of steps is never met in practice. */
static double cdi_gap_squared(cdi_hull_gap *g, cdi_v3 p, double enough, cdi_v3 *away) {
    cdi_v3 x = cdi_gap_nearest(g, g->corner, p);
    double squared = cdi_v3_sqlength(cdi_v3_sub(p, x));
    for (int step = 0; step < g->steps && squared > enough; ++step) {
        cdi_v3 d = cdi_v3_sub(p, x);
        uint32_t vertex = cdi_hull_climb(&g->parts, g->corner[0], d);
        if (cdi_v3_dot(d, cdi_v3_sub(cdi_gap_vertex(g, vertex), x)) <= g->tolerance * squared) break;
        if (!cdi_gap_advance(g, vertex, p, &x, &squared)) break;
    }
    *away = cdi_v3_sub(p, x);
    return squared;
}

/* The search begins at what is about foremost that way. */
static double cdi_gap_from_top(cdi_hull_gap *g, cdi_v3 p, double enough, cdi_v3 *away) {
    uint32_t top = cdi_hull_climb(&g->parts, g->corner[0], cdi_v3_sub(p, cdi_v3_of(g->parts.center)));
    for (int k = 0; k < 3; ++k) g->corner[k] = top;
    return cdi_gap_squared(g, cdi_gap_scaled(g, p), enough, away);
}

CDI_FN double cdi_gap_reach(cdi_hull_gap *g, cdi_v3 p, cdi_v3 *away) {
    double squared = cdi_gap_from_top(g, p, 0.0, away);
    *away = cdi_v3_normalize(*away);
    return cdi_sqrt(squared);
}

CDI_FN bool cdi_gap_is_within(cdi_hull_gap *g, cdi_v3 p, double most) {
    double limit = cdi_scale2(most, g->exponent);
    cdi_v3 away;
    return cdi_gap_from_top(g, p, limit * limit, &away) <= limit * limit;
}

/* A scaled length, with all that rounding may have taken from it, as a number of the interface. */
static double cdi_gap_round_up(const cdi_hull_gap *g, double length) {
    double whole = cdi_scale2(length * (1.0 + 1e-14) + 1e-14 * g->size, -g->exponent);
    cd_real r;
    if (!(whole < (double)CD_REAL_MAX)) return (double)CD_REAL_MAX;
    r = (cd_real)whole;
    return (double)((double)r < whole ? cdi_next_real(r, true) : r);
}

CDI_FN double cdi_gap_largest(const cd_hull *hull, const cd_hull *other) {
    cd_hull_parts p = cd_hull_get_parts(other);
    cdi_hull_gap g = cdi_gap_begin(hull, other);
    double most = 0.0;
    cdi_v3 away;
    for (uint32_t i = 0; i < p.vertex_count; ++i)
        most = cdi_max(most, cdi_gap_squared(&g, cdi_gap_place(&g, p.vertices[i]), most, &away));
    return cdi_gap_round_up(&g, cdi_sqrt(most));
}
