#include "query/thick.h"
#include "query/closest3d.h"

static bool cdi_thick_is_valid(const cd_plane *plane, cd_real thickness) {
    return cd_plane_is_valid(plane) && thickness >= 0 && cdi_finite((double)thickness);
}

/* All is valid. */
static uint32_t cdi_thick_side(cd_vec3 p, cd_plane plane, cd_real thickness) {
    cdi_v3 n;
    double height = cdi_plane_height(plane, cdi_v3_of(p), &n), bound = (double)thickness * cdi_v3_norm(n);
    return height > bound ? (uint32_t)CD_SIDE_FRONT : height < -bound ? (uint32_t)CD_SIDE_BACK : 0u;
}

CD_API int cd_locate_point_thick_plane(cd_vec3 p, cd_plane plane, cd_real thickness) {
    uint32_t side;
    if (!cd_vec3_is_valid(p) || !cdi_thick_is_valid(&plane, thickness)) return -1;
    side = cdi_thick_side(p, plane, thickness);
    return side == CD_SIDE_FRONT ? -1 : side == CD_SIDE_BACK;
}

CD_API uint32_t cd_classify_polygon_plane(const cd_vec3 *polygon, size_t count, cd_plane plane,
                                          cd_real thickness) {
    uint32_t sides = CD_SIDE_ON;
    if (!cdi_thick_is_valid(&plane, thickness)) return CD_SIDE_ON;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(polygon[i])) return CD_SIDE_ON;
        sides |= cdi_thick_side(polygon[i], plane, thickness);
    }
    return sides;
}

CD_API uint32_t cd_classify_segment_plane(const cd_segment *s, cd_plane plane, cd_real thickness) {
    cd_vec3 p[2];
    p[0] = s->a;
    p[1] = s->b;
    return cd_classify_polygon_plane(p, 2, plane, thickness);
}

CD_API uint32_t cd_classify_triangle_plane(const cd_triangle *t, cd_plane plane, cd_real thickness) {
    cd_vec3 p[3];
    p[0] = t->a;
    p[1] = t->b;
    p[2] = t->c;
    return cd_classify_polygon_plane(p, 3, plane, thickness);
}

/* ---- cutting ---- */

/* Edges are cut from the end with the smaller x, then y, then z. */
static bool cdi_edge_is_turned(cd_vec3 a, cd_vec3 b) {
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

/* Between two numbers, from the nearer one. */
static double cdi_edge_between(double p, double q, double from, double to) {
    double under = from + to, x;
    x = from <= to ? p + (q - p) * (from / under) : q + (p - q) * (to / under);
    return cdi_clamp(x, cdi_min(p, q), cdi_max(p, q));
}

CD_API cd_vec3 cd_intersect_edge_plane(cd_vec3 a, cd_vec3 b, cd_plane plane) {
    cdi_v3 n, p, q;
    double from, to;
    int shift;
    if (!cd_vec3_is_valid(a) || !cd_vec3_is_valid(b) || !cd_plane_is_valid(&plane)) return cdi_no_point();
    p = cdi_v3_of(cdi_edge_is_turned(a, b) ? b : a);
    q = cdi_v3_of(cdi_edge_is_turned(a, b) ? a : b);
    from = cdi_plane_height(plane, p, &n);
    to = cdi_plane_height(plane, q, &n);
    if ((from >= 0.0 && to >= 0.0) || (from <= 0.0 && to <= 0.0))
        return cdi_v3_round(cdi_abs(from) <= cdi_abs(to) ? p : q);
    shift = -2 - cdi_exponent(cdi_max(cdi_abs(from), cdi_abs(to)));
    from = cdi_scale2(cdi_abs(from), shift);
    to = cdi_scale2(cdi_abs(to), shift);
    p = cdi_v3_scale(p, 0.5); /* differences stay in range */
    q = cdi_v3_scale(q, 0.5);
    n = cdi_v3_make(cdi_edge_between(p.x, q.x, from, to), cdi_edge_between(p.y, q.y, from, to),
                    cdi_edge_between(p.z, q.z, from, to));
    return cdi_v3_round(cdi_v3_scale(n, 2.0));
}

CD_API uint32_t cd_split_segment(const cd_segment *s, cd_plane plane, cd_real thickness, cd_segment *front,
                                 cd_segment *back) {
    uint32_t sides = cd_classify_segment_plane(s, plane, thickness);
    cd_segment f = *s, b = *s;
    if (sides == CD_SIDE_BOTH) {
        cd_vec3 cut = cd_intersect_edge_plane(s->a, s->b, plane);
        if (cdi_thick_side(s->a, plane, thickness) == CD_SIDE_FRONT) {
            f.b = b.a = cut;
        } else {
            f.a = b.b = cut;
        }
    }
    if (front && (sides & CD_SIDE_FRONT)) *front = f;
    if (back && (sides & CD_SIDE_BACK)) *back = b;
    return sides;
}

static void cdi_split_put(cd_split *out, uint32_t side, cd_vec3 p) {
    size_t *count = side == CD_SIDE_FRONT ? &out->front_count : &out->back_count;
    cd_vec3 *corners = side == CD_SIDE_FRONT ? out->front : out->back;
    if (corners && *count < out->capacity) corners[*count] = p;
    ++*count;
}

/* A corner, by its own side and those of its neighbours. */
static void cdi_split_corner(cd_split *out, cd_vec3 p, uint32_t before, uint32_t at, uint32_t after) {
    if (at == CD_SIDE_ON) at = before | after;
    if (at & CD_SIDE_FRONT) cdi_split_put(out, CD_SIDE_FRONT, p);
    if (at & CD_SIDE_BACK) cdi_split_put(out, CD_SIDE_BACK, p);
}

static void cdi_split_both(const cd_vec3 *polygon, size_t count, cd_plane plane, cd_real thickness,
                           cd_split *out) {
    uint32_t before = cdi_thick_side(polygon[count - 1], plane, thickness);
    uint32_t at = cdi_thick_side(polygon[0], plane, thickness);
    for (size_t i = 0; i < count; ++i) {
        cd_vec3 next = polygon[i + 1 < count ? i + 1 : 0];
        uint32_t after = cdi_thick_side(next, plane, thickness);
        cdi_split_corner(out, polygon[i], before, at, after);
        if ((at | after) == CD_SIDE_BOTH && at != CD_SIDE_ON && after != CD_SIDE_ON) {
            cd_vec3 cut = cd_intersect_edge_plane(polygon[i], next, plane);
            cdi_split_put(out, CD_SIDE_FRONT, cut);
            cdi_split_put(out, CD_SIDE_BACK, cut);
        }
        before = at;
        at = after;
    }
}

CD_API uint32_t cd_split_polygon(const cd_vec3 *polygon, size_t count, cd_plane plane, cd_real thickness,
                                 cd_split *out) {
    uint32_t sides = cd_classify_polygon_plane(polygon, count, plane, thickness);
    out->front_count = out->back_count = 0;
    if (sides == CD_SIDE_BOTH) {
        cdi_split_both(polygon, count, plane, thickness, out);
    } else if (sides != CD_SIDE_ON) {
        for (size_t i = 0; i < count; ++i) cdi_split_put(out, sides, polygon[i]);
    }
    return sides;
}

/* The fan of three or four corners. */
static uint32_t cdi_split_fan(const cd_vec3 *p, size_t count, cd_triangle out[2]) {
    uint32_t triangles = 0;
    for (size_t i = 0; i + 2 < count; ++i) {
        out[triangles].a = p[0];
        out[triangles].b = p[i + 1];
        out[triangles].c = p[i + 2];
        ++triangles;
    }
    return triangles;
}

CD_API uint32_t cd_split_triangle(const cd_triangle *t, cd_plane plane, cd_real thickness,
                                  cd_split_triangles *out) {
    cd_vec3 p[3], front[4], back[4];
    cd_split s;
    uint32_t sides;
    p[0] = t->a;
    p[1] = t->b;
    p[2] = t->c;
    s.front = front;
    s.back = back;
    s.capacity = 4;
    sides = cd_split_polygon(p, 3, plane, thickness, &s);
    cdi_clear(out, sizeof *out);
    out->front_count = cdi_split_fan(front, s.front_count, out->front);
    out->back_count = cdi_split_fan(back, s.back_count, out->back);
    return sides;
}
