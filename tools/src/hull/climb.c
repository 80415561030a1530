#include "hull/climb.h"
#include "core/expansion.h"
#include "hull/hull_block.h"
#include "hull/look.h"
#include "shape/side3d.h"

/* A vertex and how far along the direction it is. */
typedef struct cdi_along {
    uint32_t vertex;
    cdi_v3 at;
    double x;
} cdi_along;

typedef struct cdi_slope {
    const cd_hull_parts *hull;
    cdi_v3 direction;
    double
        error; /* of the difference of two vertices' x, at most: eight roundings of u = 2^-53 each, and what underflows */
} cdi_slope;

static cdi_slope cdi_slope_of(const cd_hull_parts *hull, cdi_v3 d) {
    cdi_slope s;
    s.hull = hull;
    s.direction = d;
    s.error = 9e-16 * ((cdi_abs(d.x) + cdi_abs(d.y) + cdi_abs(d.z)) * (double)hull->reach) + 1e-300;
    return s;
}

static cdi_along cdi_along_of(const cdi_slope *s, uint32_t vertex) {
    cdi_along a;
    a.vertex = vertex;
    a.at = cdi_v3_of(s->hull->vertices[vertex]);
    a.x = cdi_v3_dot(s->direction, a.at);
    return a;
}

/* ---- which of two is farther ---- */

/* May the products be split? None near the ends of the range, but for zeros that are no underflow. */
static bool cdi_product_splits(double a, double b, double product) {
    return a == 0.0 || b == 0.0 || (cdi_abs(product) > 1e-250 && cdi_abs(product) < 1e250);
}

/* The sign of d . w from doubles and the errors of its products and sums, which leave 2^-100 of it or so; 2 when that cannot tell. */
static int cdi_sharp_dot_sign(cdi_v3 d, cdi_v3 w) {
    double p[3], q[3], s, t, e, f, rest, size = 0.0;
    const double a[3] = {d.x, d.y, d.z}, b[3] = {w.x, w.y, w.z};
    for (int k = 0; k < 3; ++k) {
        if (!cdi_product_splits(a[k], b[k], a[k] * b[k]) || !(cdi_abs(a[k]) < 1e250 && cdi_abs(b[k]) < 1e250))
            return 2;
        cdi_two_product(a[k], b[k], &p[k], &q[k]);
        size += cdi_abs(p[k]);
    }
    cdi_two_sum(p[0], p[1], &s, &e);
    cdi_two_sum(s, p[2], &t, &f);
    if (q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && e == 0.0) return t != 0.0 ? cdi_sign(t) : cdi_sign(f);
    rest = (e + f) + (q[0] + q[1] + q[2]);
    return cdi_abs(t + rest) > 1e-30 * size ? cdi_sign(t + rest) : 2;
}

/* The sign of d . (a - b), exactly. */
static CDI_COLD int cdi_way_sign(cdi_v3 d, cdi_v3 a, cdi_v3 b) {
    cdi_v3 w, tail;
    int sign = 2;
    cdi_two_diff(a.x, b.x, &w.x, &tail.x);
    cdi_two_diff(a.y, b.y, &w.y, &tail.y);
    cdi_two_diff(a.z, b.z, &w.z, &tail.z);
    if (cdi_v3_is_zero(tail)) sign = cdi_sharp_dot_sign(d, w);
    return sign == 2 ? cdi_height_sign(d, b, 0.0, a) : sign;
}

/* Is a farther than b? Exactly. */
static bool cdi_is_farther(const cdi_slope *s, const cdi_along *a, const cdi_along *b) {
    double way = a->x - b->x;
    int side;
    if (cdi_abs(way) > s->error) return way > 0.0;
    if (a->vertex == b->vertex) return false;
    side = cdi_way_sign(s->direction, a->at, b->at);
    if (side != 0) return side > 0;
    return a->at.x != b->at.x   ? a->at.x > b->at.x
           : a->at.y != b->at.y ? a->at.y > b->at.y
                                : a->at.z > b->at.z;
}

static CDI_COLD uint32_t cdi_farthest_one_by_one(const cd_hull_parts *hull, cdi_v3 direction) {
    cdi_slope s = cdi_slope_of(hull, direction);
    cdi_along best = cdi_along_of(&s, 0);
    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        cdi_along other = cdi_along_of(&s, i);
        if (cdi_is_farther(&s, &other, &best)) best = other;
    }
    return best.vertex;
}

/* ---- eight vertices at once ---- */

/* Is a farther than another one that may be the farthest, too? */
static CDI_COLD bool cdi_look_compare(const cdi_look *s, uint32_t vertex, uint32_t than) {
    cdi_slope slope = cdi_slope_of(s->hull, s->direction);
    cdi_along a = cdi_along_of(&slope, vertex), b = cdi_along_of(&slope, than);
    return cdi_is_farther(&slope, &a, &b);
}

CDI_HOT void cdi_look_rows(cdi_look *s, uint32_t first, uint32_t rows) {
    cd_real along[8 * CDI_LOOK_ROWS], least = s->top - s->margin;
    cdi_lanes top = cdi_look_measure(s, s->hull->rows + (size_t)24 * first, 24, rows, along);
    if (first > 0 && !cdi_lanes_le(cdi_lanes_all(least), top)) return;
    s->top = cdi_larger_of(s->top, cdi_largest_lane(top));
    least = s->top - s->margin;
    for (uint64_t found = cdi_look_above(along, rows, least); found; found &= found - 1) {
        uint32_t bit = cdi_lowest_bit64(found), vertex = cdi_look_vertex(s->hull, first, bit);
        if (s->x >= least && !cdi_look_compare(s, vertex, s->best)) continue;
        s->best = vertex;
        s->x = along[bit];
    }
}

CDI_FN uint32_t cdi_farthest_of_all(const cd_hull_parts *hull, cdi_v3 direction) {
    cdi_look s;
    if (!cdi_look_begin(&s, hull, direction)) return cdi_farthest_one_by_one(hull, direction);
    for (uint32_t first = 0; first < hull->row_count; first += CDI_LOOK_ROWS) {
        uint32_t left = hull->row_count - first;
        cdi_look_rows(&s, first, left < CDI_LOOK_ROWS ? left : CDI_LOOK_ROWS);
    }
    return s.best;
}

/* ---- uphill ---- */

CDI_FN bool cdi_hull_has_slopes(const cd_hull_parts *hull) {
    return hull->flatness == 0 && hull->dimension >= 2;
}

/* Where to begin: the highest, or nearly so, of some vertices from all over the hull, the more of them the larger it is. */
static uint32_t cdi_entry(const cd_hull_parts *hull, cdi_v3 direction) {
    cd_real along[8 * CDI_LOOK_ROWS];
    uint32_t rows = CDI_LOOK_ROWS, stride, best = 0;
    cdi_look s;
    if (!cdi_look_begin(&s, hull, direction)) return 0;
    while (rows < 64 && 4 * rows * rows < hull->row_count) rows *= 2;
    stride = hull->row_count / rows;
    for (uint32_t first = 0; first < rows; first += CDI_LOOK_ROWS) {
        const cd_real *row = hull->rows + (size_t)24 * stride * first;
        cd_real top = cdi_largest_lane(cdi_look_measure(&s, row, (size_t)24 * stride, CDI_LOOK_ROWS, along));
        if (top <= s.top) continue;
        s.top = top;
        best = cdi_lowest_bit64(cdi_look_above(along, CDI_LOOK_ROWS, top)) + 8 * first;
    }
    best = (best & 7u) * hull->row_count + stride * (best >> 3);
    return best < hull->vertex_count ? best : hull->vertex_count - 1;
}

/* A neighbour that is farther, if there is one, exactly. */
static CDI_COLD cdi_along cdi_step_up_exactly(const cdi_slope *s, const cdi_along *from) {
    uint32_t i = s->hull->neighbour_starts[from->vertex], end = s->hull->neighbour_starts[from->vertex + 1];
    cdi_along best = *from;
    for (; i < end; ++i) {
        cdi_along other = cdi_along_of(s, s->hull->neighbours[i]);
        if (cdi_is_farther(s, &other, &best)) best = other;
    }
    return best;
}

/* The same; where doubles can tell, which is nearly always, only by them. */
CDI_HOT cdi_along cdi_step_up(const cdi_slope *s, const cdi_along *from) {
    const uint32_t *n = s->hull->neighbours + s->hull->neighbour_starts[from->vertex];
    const uint32_t *end = s->hull->neighbours + s->hull->neighbour_starts[from->vertex + 1];
    uint32_t vertex = from->vertex;
    double most = -CDI_HUGE;
    for (; n < end; ++n) {
        double x = cdi_v3_dot(s->direction, cdi_v3_of(s->hull->vertices[*n]));
        vertex = x > most ? *n : vertex;
        most = x > most ? x : most;
    }
    if (most - from->x > s->error) return cdi_along_of(s, vertex);
    return from->x - most > s->error ? *from : cdi_step_up_exactly(s, from);
}

/* A walk of so many steps had no good hint. */
enum { CDI_CLIMB_LOST = 8 };

static uint32_t cdi_farthest_uphill(const cd_hull_parts *hull, cdi_v3 direction, uint32_t from,
                                    uint32_t *steps) {
    cdi_slope s = cdi_slope_of(hull, direction);
    bool hinted = from < hull->vertex_count;
    cdi_along top = cdi_along_of(&s, hinted ? from : cdi_entry(hull, direction)), up;
    for (uint32_t i = 0; i < hull->vertex_count; ++i) {
        up = cdi_step_up(&s, &top);
        ++*steps;
        if (up.vertex == top.vertex) break;
        top = up;
        if (!hinted || i != CDI_CLIMB_LOST) continue;
        up = cdi_along_of(&s, cdi_entry(hull, direction));
        if (cdi_is_farther(&s, &up, &top)) top = up;
    }
    return top.vertex;
}

CDI_FN uint32_t cdi_farthest_from(const cd_hull_parts *hull, cdi_v3 direction, uint32_t hint,
                                  uint32_t *steps) {
    if (hull->neighbours && cdi_hull_has_slopes(hull) &&
        (hint < hull->vertex_count || hull->vertex_count >= CDI_HULL_MORE))
        return cdi_farthest_uphill(hull, direction, hint, steps);
    *steps += hull->row_count;
    return cdi_farthest_of_all(hull, direction);
}

/* ---- as far as any, but for rounding ---- */

/* The first of those that doubles say are the farthest. */
static CDI_COLD uint32_t cdi_farthest_plainly(const cd_hull_parts *hull, cdi_v3 direction) {
    cdi_glance g = cdi_glance_of(direction);
    for (uint32_t i = 0; i < hull->vertex_count; ++i) cdi_glance_try(&g, hull, i);
    return g.best;
}

static void cdi_glance_rows(cdi_glance *g, cdi_look *s, uint32_t first, uint32_t rows) {
    cd_real along[8 * CDI_LOOK_ROWS];
    cdi_lanes top = cdi_look_measure(s, s->hull->rows + (size_t)24 * first, 24, rows, along);
    uint64_t found;
    if (first > 0 && !cdi_lanes_le(cdi_lanes_all(s->top - s->margin), top)) return;
    s->top = cdi_larger_of(s->top, cdi_largest_lane(top));
    for (found = cdi_look_above(along, rows, s->top - s->margin); found; found &= found - 1)
        cdi_glance_try(g, s->hull, cdi_look_vertex(s->hull, first, cdi_lowest_bit64(found)));
}

CDI_FN uint32_t cdi_farthest_seen(const cd_hull_parts *hull, cdi_v3 direction, double margin) {
    cdi_glance g = cdi_glance_of(direction);
    cdi_look s;
    if (!(margin > 0.0)) return cdi_farthest_plainly(hull, direction);
    cdi_look_open(&s, hull, direction, margin);
    for (uint32_t first = 0; first < hull->row_count; first += CDI_LOOK_ROWS) {
        uint32_t left = hull->row_count - first;
        cdi_glance_rows(&g, &s, first, left < CDI_LOOK_ROWS ? left : CDI_LOOK_ROWS);
    }
    return g.best;
}

/* The neighbour that is surely the farthest above; itself, where none is above. Of the edge's own length, not the hull's, is what rounding
 * may be: so the end is a top within some roundings, however flat the slopes; and the walk has one, as each step surely rises. */
CDI_HOT uint32_t cdi_step_surely(const cd_hull_parts *hull, cdi_v3 d, uint32_t from) {
    const uint32_t *n = hull->neighbours + hull->neighbour_starts[from];
    const uint32_t *end = hull->neighbours + hull->neighbour_starts[from + 1];
    cdi_v3 at = cdi_v3_of(hull->vertices[from]);
    uint32_t best = from;
    double most = 0.0;
    for (; n < end; ++n) {
        cdi_v3 e = cdi_v3_sub(cdi_v3_of(hull->vertices[*n]), at);
        double x = d.x * e.x, y = d.y * e.y, z = d.z * e.z, rise = x + y + z;
        if (!(rise > most) || rise <= 8.881784197001252e-16 * (cdi_abs(x) + cdi_abs(y) + cdi_abs(z)))
            continue;
        best = *n;
        most = rise;
    }
    return best;
}

CDI_FN uint32_t cdi_farthest_climbed(const cd_hull_parts *hull, cdi_v3 direction, uint32_t hint) {
    bool hinted = hint < hull->vertex_count;
    uint32_t top = hinted ? hint : cdi_entry(hull, direction), up;
    for (uint32_t i = 0; i < hull->vertex_count; ++i) {
        up = cdi_step_surely(hull, direction, top);
        if (up == top) break;
        top = up;
        if (!hinted || i != CDI_CLIMB_LOST) continue;
        up = cdi_entry(hull, direction);
        if (cdi_v3_dot(direction, cdi_v3_of(hull->vertices[up])) >
            cdi_v3_dot(direction, cdi_v3_of(hull->vertices[top])))
            top = up;
    }
    return top;
}
