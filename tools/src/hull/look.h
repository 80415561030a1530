#pragma once
/* look (internal): the vertices of a hull looked at in rows of eight.
 *
 * Lanes of the interface's numbers only say which vertices cannot be the farthest along a direction. */

#include "core/lanes.h"
#include "hull/hull_block.h"

/* The direction in lanes, and what is known of the farthest so far. */
typedef struct cdi_look {
    const cd_hull_parts *hull;
    cdi_v3 direction;
    cdi_lanes d[3];
    cd_real margin; /* a vertex that is less than the top by more than this is not the farthest */
    cd_real top, x; /* the largest in lanes, and that of `best` */
    uint32_t best;
} cdi_look;

/* False where numbers are so large, or the direction so short or long, that lanes might leave their range. */
CDI_HOT bool cdi_look_begin(cdi_look *s, const cd_hull_parts *hull, cdi_v3 d) {
    double size = cdi_v3_max_abs(d);
    if (!(size > 1e-250 && size < 1e250 && hull->reach < CDI_LANE_HUGE)) return false;
    s->hull = hull;
    s->direction = d;
    if (size < 1e-6 || size > 1e6) d = cdi_v3_scale(d, cdi_exp2i(-cdi_exponent(size)));
    s->d[0] = cdi_lanes_all((cd_real)d.x);
    s->d[1] = cdi_lanes_all((cd_real)d.y);
    s->d[2] = cdi_lanes_all((cd_real)d.z);
    s->best = CD_NONE;
    s->top = s->x = -CD_REAL_MAX;
    /* four roundings of each term, for both vertices, and those of the margin */
    size = (cdi_abs(d.x) + cdi_abs(d.y)) + cdi_abs(d.z);
    s->margin = (cd_real)(12.0 * (double)CDI_LANE_U * (size * (double)hull->reach)) + 4 * CDI_LANE_TINY;
    return true;
}

CDI_HOT cdi_lanes cdi_look_lanes(const cdi_look *s, const cd_real *row) {
    cdi_lanes x = cdi_lanes_mul(s->d[0], cdi_lanes_load(row));
    cdi_lanes y = cdi_lanes_mul(s->d[1], cdi_lanes_load(row + 8));
    cdi_lanes z = cdi_lanes_mul(s->d[2], cdi_lanes_load(row + 16));
    return cdi_lanes_add(cdi_lanes_add(x, y), z);
}

CDI_INLINE cd_real cdi_larger_of(cd_real a, cd_real b) {
    return a > b ? a : b;
}

CDI_HOT cd_real cdi_largest_lane(cdi_lanes a) {
    cd_real x[CDI_LANES], y, z;
    cdi_lanes_store(x, a);
    y = cdi_larger_of(cdi_larger_of(x[0], x[1]), cdi_larger_of(x[2], x[3]));
    if (CDI_LANES == 4) return y;
    z = cdi_larger_of(cdi_larger_of(x[CDI_LANES - 1], x[CDI_LANES - 2]),
                      cdi_larger_of(x[CDI_LANES - 3], x[CDI_LANES - 4]));
    return cdi_larger_of(y, z);
}

/* The most rows that are looked at together: a bit for each vertex. */
#define CDI_LOOK_ROWS 8u

/* How far the vertices of up to eight rows are along the direction, and the most in each lane. */
CDI_HOT cdi_lanes cdi_look_measure(const cdi_look *s, const cd_real *row, size_t stride, uint32_t rows,
                                   cd_real *along) {
    cdi_lanes top = cdi_lanes_all(-CD_REAL_MAX);
    for (uint32_t r = 0; r < rows; ++r, row += stride, along += 8) {
        for (int i = 0; i < 8; i += CDI_LANES) {
            cdi_lanes x = cdi_look_lanes(s, row + i);
            cdi_lanes_store(along + i, x);
            top = cdi_lanes_max(top, x);
        }
    }
    return top;
}

/* Those that are at least at `least`. */
CDI_HOT uint64_t cdi_look_above(const cd_real *along, uint32_t rows, cd_real least) {
    cdi_lanes all = cdi_lanes_all(least);
    uint64_t found = 0;
    for (uint32_t r = rows; r-- > 0;) {
        uint32_t mask = cdi_lanes_le(all, cdi_lanes_load(along + 8 * r));
        if (CDI_LANES == 4) mask |= cdi_lanes_le(all, cdi_lanes_load(along + 8 * r + 8 - CDI_LANES)) << 4;
        found = found << 8 | mask;
    }
    return found;
}

CDI_HOT uint32_t cdi_look_vertex(const cd_hull_parts *hull, uint32_t row, uint32_t bit) {
    uint32_t vertex = (bit & 7u) * hull->row_count + row + (bit >> 3);
    return vertex < hull->vertex_count ? vertex : hull->vertex_count - 1;
}

/* ---- as far as any, but for rounding ----
 *
 * For walks over bodies that make do with the rounding of doubles: of all vertices the first of those whose dot product in doubles is the
 * largest. So the vertex is the same whatever the lanes are. */

/* For lanes, times the size |x| + |y| + |z| of a direction turned by any rotation: as `margin`, with sqrt(3) for the turn. 0 where lanes
 * might leave their range. */
CDI_INLINE double cdi_hull_blur(const cd_hull_parts *hull) {
    return hull->reach < CDI_LANE_HUGE ? 21.0 * (double)CDI_LANE_U * (double)hull->reach : 0.0;
}

typedef struct cdi_glance {
    cdi_v3 direction;
    double most;
    uint32_t best;
} cdi_glance;

CDI_HOT cdi_glance cdi_glance_of(cdi_v3 direction) {
    cdi_glance g;
    g.direction = direction;
    g.most = -CDI_HUGE;
    g.best = 0;
    return g;
}

CDI_HOT void cdi_glance_try(cdi_glance *g, const cd_hull_parts *hull, uint32_t vertex) {
    double x = cdi_v3_dot(g->direction, cdi_v3_of(hull->vertices[vertex]));
    if (!(x > g->most || (x == g->most && vertex < g->best))) return;
    g->most = x;
    g->best = vertex;
}

/* Of a direction of a size from 1e-6 to 1e6. */
CDI_HOT void cdi_look_open(cdi_look *s, const cd_hull_parts *hull, cdi_v3 d, double margin) {
    s->hull = hull;
    s->d[0] = cdi_lanes_all((cd_real)d.x);
    s->d[1] = cdi_lanes_all((cd_real)d.y);
    s->d[2] = cdi_lanes_all((cd_real)d.z);
    s->margin = (cd_real)margin + 4 * CDI_LANE_TINY;
    s->top = -CD_REAL_MAX;
}

/* Of hulls of up to eight vertices. */
CDI_HOT uint32_t cdi_farthest_of_row(const cd_hull_parts *hull, cdi_v3 direction, double margin) {
    cdi_look s;
    cdi_glance g;
    cd_real along[8];
    uint32_t found;
    cdi_lanes top;
    cdi_look_open(&s, hull, direction, margin);
    top = cdi_look_measure(&s, hull->rows, 24, 1, along);
    found = (uint32_t)cdi_look_above(along, 1, cdi_largest_lane(top) - s.margin);
    if ((found & (found - 1)) == 0) return cdi_look_vertex(hull, 0, cdi_lowest_bit(found));
    g = cdi_glance_of(direction);
    for (; found; found &= found - 1)
        cdi_glance_try(&g, hull, cdi_look_vertex(hull, 0, cdi_lowest_bit(found)));
    return g.best;
}

/* Of all others, and without a margin of any whatever. */
CDI_FN uint32_t cdi_farthest_seen(const cd_hull_parts *hull, cdi_v3 direction, double margin);

/* By walking, from a hint or without. As far as any up to the rounding of differences from vertices to their neighbours. */
CDI_FN uint32_t cdi_farthest_climbed(const cd_hull_parts *hull, cdi_v3 direction, uint32_t hint);

/* Without a hint, looking at all is the faster way for a little more vertices. */
enum { CDI_HULL_MORE = 2 * CDI_HULL_MANY };
