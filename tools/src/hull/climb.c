#include "hull/climb.h"
#include "shape/side3d.h"

/* A vertex and how far along the direction it is, with a bound of that number's rounding. */
typedef struct cdi_along {
    uint32_t vertex;
    cdi_v3 at;
    double x, error;
} cdi_along;

typedef struct cdi_slope {
    const cd_hull_parts *hull;
    cdi_v3 direction;
    double unit; /* of rounding, for coordinates of sum 1 */
} cdi_slope;

static cdi_slope cdi_slope_of(const cd_hull_parts *hull, cdi_v3 direction) {
    cdi_slope s;
    s.hull = hull;
    s.direction = direction;
    s.unit = 4.5e-16 * cdi_v3_max_abs(direction);
    return s;
}

static cdi_along cdi_along_of(const cdi_slope *s, uint32_t vertex) {
    cdi_along a;
    a.vertex = vertex;
    a.at = cdi_v3_of(s->hull->vertices[vertex]);
    a.x = cdi_v3_dot(s->direction, a.at);
    a.error = s->unit * (cdi_abs(a.at.x) + cdi_abs(a.at.y) + cdi_abs(a.at.z)) + 1e-300;
    return a;
}

/* Is a farther than b? By exact products where the rounded ones cannot tell. */
static bool cdi_is_farther(const cdi_slope *s, const cdi_along *a, const cdi_along *b) {
    double way = a->x - b->x;
    int side;
    if (cdi_abs(way) > a->error + b->error) return way > 0.0;
    side = cdi_height_sign(s->direction, b->at, 0.0, a->at);
    if (side != 0) return side > 0;
    return a->at.x != b->at.x   ? a->at.x > b->at.x
           : a->at.y != b->at.y ? a->at.y > b->at.y
                                : a->at.z > b->at.z;
}

/* The farthest of a vertex and its neighbours. */
static cdi_along cdi_step_up(const cdi_slope *s, const cdi_along *from) {
    uint32_t first = s->hull->outgoing[from->vertex], e = first;
    cdi_along best = *from;
    do {
        uint32_t twin = s->hull->half_edges[e].twin;
        cdi_along other = cdi_along_of(s, s->hull->half_edges[twin].origin);
        if (cdi_is_farther(s, &other, &best)) best = other;
        e = cd_hull_next(s->hull, twin);
    } while (e != first);
    return best;
}

CDI_FN bool cdi_hull_has_slopes(const cd_hull_parts *hull) {
    return hull->flatness == 0 && hull->dimension >= 2;
}

CDI_FN uint32_t cdi_farthest_of_all(const cd_hull_parts *hull, cdi_v3 direction) {
    cdi_slope s = cdi_slope_of(hull, direction);
    cdi_along best = cdi_along_of(&s, 0);
    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        cdi_along other = cdi_along_of(&s, i);
        if (cdi_is_farther(&s, &other, &best)) best = other;
    }
    return best.vertex;
}

CDI_FN uint32_t cdi_farthest_uphill(const cd_hull_parts *hull, cdi_v3 direction, uint32_t from,
                                    uint32_t *steps) {
    cdi_slope s = cdi_slope_of(hull, direction);
    cdi_along top;
    if (!cdi_hull_has_slopes(hull)) {
        *steps += hull->vertex_count;
        return cdi_farthest_of_all(hull, direction);
    }
    top = cdi_along_of(&s, from < hull->vertex_count ? from : 0);
    for (uint32_t i = 0; i < hull->vertex_count; ++i) {
        cdi_along higher = cdi_step_up(&s, &top);
        ++*steps;
        if (higher.vertex == top.vertex) break;
        top = higher;
    }
    return top.vertex;
}
