#include "bounds/planar.h"
#include "core/orient.h"
#include "shape/volume3d.h"

/* ---- k-DOPs ---- */

CD_API uint32_t cd_kdop2_directions(uint32_t k, cd_vec2 out[CD_KDOP2_DIRECTIONS]) {
    static const int8_t all[CD_KDOP2_DIRECTIONS][2] = {{1, 0}, {0, 1}, {1, 1},  {1, -1},
                                                       {2, 1}, {1, 2}, {2, -1}, {1, -2}};
    if (k != 4 && k != 8 && k != 16) return 0;
    for (uint32_t i = 0; i < k / 2; ++i) out[i] = cd_vec2_make((cd_real)all[i][0], (cd_real)all[i][1]);
    return k / 2;
}

/* Is x y rounded nowhere, and away from the ends of the range? */
static bool cdi_is_exact_product(double x, double y) {
    double p, tail, size = cdi_abs(x * y);
    if (x == 0.0 || y == 0.0) return true;
    if (!(size > 1e-280 && size < 1e280 && cdi_abs(x) < 1e280 && cdi_abs(y) < 1e280)) return false;
    cdi_two_product(x, y, &p, &tail);
    return tail == 0.0;
}

/* u . p rounded down: exactly, where the products are exact. */
static cd_real cdi_dot2_down(cdi_v2 u, cdi_v2 p) {
    double a = u.x * p.x, b = u.y * p.y;
    if (cdi_is_exact_product(u.x, p.x) && cdi_is_exact_product(u.y, p.y)) return cdi_diff_down(a, -b);
    return cdi_round_down((a + b) - 1e-15 * (cdi_abs(a) + cdi_abs(b)), -1.0);
}

static bool cdi_all_finite2(const cd_vec2 *v, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec2_is_valid(v[i])) return false;
    }
    return true;
}

CD_API cd_status cd_kdop2_from_points(const cd_vec2 *points, size_t count, const cd_vec2 *directions,
                                      uint32_t direction_count, cd_kdop2 *out) {
    cdi_clear(out, sizeof *out);
    if (count == 0 || direction_count == 0 || direction_count > CD_KDOP2_DIRECTIONS ||
        !cdi_all_finite2(points, count) || !cdi_all_finite2(directions, direction_count)) {
        return CD_INVALID_ARGUMENT;
    }
    out->count = direction_count;
    for (uint32_t i = 0; i < direction_count; ++i) {
        cdi_v2 u = cdi_v2_of(directions[i]), back;
        back.x = -u.x;
        back.y = -u.y;
        out->min[i] = CD_REAL_MAX;
        out->max[i] = -CD_REAL_MAX;
        for (size_t k = 0; k < count; ++k) {
            cd_real lo = cdi_dot2_down(u, cdi_v2_of(points[k])),
                    hi = -cdi_dot2_down(back, cdi_v2_of(points[k]));
            if (lo < out->min[i]) out->min[i] = lo;
            if (hi > out->max[i]) out->max[i] = hi;
        }
    }
    return CD_OK;
}

CD_API cd_kdop2 cd_merge_kdop2_kdop2(const cd_kdop2 *a, const cd_kdop2 *b) {
    cd_kdop2 r;
    cdi_clear(&r, sizeof r);
    if (a->count != b->count || a->count > CD_KDOP2_DIRECTIONS) return r;
    r = *a;
    for (uint32_t i = 0; i < r.count; ++i) {
        if (b->min[i] < r.min[i]) r.min[i] = b->min[i];
        if (b->max[i] > r.max[i]) r.max[i] = b->max[i];
    }
    return r;
}

CD_API bool cd_test_2d_kdop_kdop(const cd_kdop2 *a, const cd_kdop2 *b) {
    if (a->count != b->count || a->count > CD_KDOP2_DIRECTIONS) return false;
    for (uint32_t i = 0; i < a->count; ++i) {
        if (!(a->min[i] <= b->max[i] && b->min[i] <= a->max[i] && a->min[i] <= a->max[i] &&
              b->min[i] <= b->max[i]))
            return false;
    }
    return a->count > 0;
}

CD_API bool cd_test_2d_point_kdop(cd_vec2 p, const cd_kdop2 *k, const cd_vec2 *directions) {
    cdi_v3 at = cdi_v3_make((double)p.x, (double)p.y, 0.0);
    if (!cd_vec2_is_valid(p) || k->count > CD_KDOP2_DIRECTIONS || !cdi_all_finite2(directions, k->count))
        return false;
    for (uint32_t i = 0; i < k->count; ++i) {
        cdi_v3 u = cdi_v3_make((double)directions[i].x, (double)directions[i].y, 0.0);
        if (!cdi_finite((double)k->min[i]) || !cdi_finite((double)k->max[i])) return false;
        if (cdi_plane_side(u, (double)k->min[i], at) < 0 || cdi_plane_side(u, (double)k->max[i], at) > 0)
            return false;
    }
    return k->count > 0;
}

/* ---- rectangles ---- */

/* Points of the interface, or of doubles that may be off by `slack`. */
typedef struct cdi_rect_input {
    const cd_vec2 *points;
    const cdi_v2 *doubles;
    size_t count;
    double slack;
    double unit; /* 1, or a quarter where sums could leave the range */
} cdi_rect_input;

static cdi_v2 cdi_rect_point(const cdi_rect_input *in, size_t i) {
    cdi_v2 p = in->points ? cdi_v2_of(in->points[i]) : in->doubles[i];
    p.x *= in->unit;
    p.y *= in->unit;
    return p;
}

static double cdi_rect_unit(cdi_rect_input *in) {
    double most = 0.0;
    in->unit = 1.0;
    for (size_t i = 0; i < in->count; ++i) {
        cdi_v2 p = cdi_rect_point(in, i);
        most = cdi_max(cdi_max(cdi_abs(p.x), cdi_abs(p.y)), most);
    }
    return most > 1e300 ? 0.25 : 1.0;
}

/* The middle of the points' shadows on u and on its perpendicular, in the plane. */
static cd_vec2 cdi_rect_middle(const cdi_rect_input *in, cdi_v2 u) {
    double lo[2], hi[2], s, t;
    lo[0] = lo[1] = CDI_HUGE;
    hi[0] = hi[1] = -CDI_HUGE;
    for (size_t i = 0; i < in->count; ++i) {
        cdi_v2 p = cdi_rect_point(in, i);
        double x = u.x * p.x + u.y * p.y, y = u.x * p.y - u.y * p.x;
        lo[0] = cdi_min(x, lo[0]);
        hi[0] = cdi_max(x, hi[0]);
        lo[1] = cdi_min(y, lo[1]);
        hi[1] = cdi_max(y, hi[1]);
    }
    s = 0.5 * lo[0] + 0.5 * hi[0];
    t = 0.5 * lo[1] + 0.5 * hi[1];
    return cd_vec2_make(cdi_real_of((u.x * s - u.y * t) / in->unit),
                        cdi_real_of((u.y * s + u.x * t) / in->unit));
}

/* How far the points reach from c along u, at most: with the rounding of two differences, two products and a sum. */
static double cdi_rect_reach(const cdi_rect_input *in, cdi_v2 c, double ux, double uy) {
    double most = 0.0;
    for (size_t i = 0; i < in->count; ++i) {
        cdi_v2 p = cdi_rect_point(in, i);
        double x = ux * (p.x - in->unit * c.x), y = uy * (p.y - in->unit * c.y);
        double reach = cdi_abs(x + y) + 4.5e-16 * (cdi_abs(x) + cdi_abs(y));
        most = reach > most || reach != reach ? reach : most;
    }
    return most / in->unit + in->slack;
}

/* The axis is as it is stored, of length l: a point that is x along it is at s = x / l^2. */
static cd_real cdi_rect_half(double reach, cdi_v2 u) {
    double square = u.x * u.x + u.y * u.y;
    if (square < 1.0) reach /= square;
    reach += 1e-15 * reach + 1e-323;
    return reach <= (double)CD_REAL_MAX ? -cdi_round_down(-reach, -1.0) : (cd_real)cdi_infinity();
}

static cd_status cdi_rect_fit(cdi_rect_input *in, cd_vec2 axis, cd_obb2 *out) {
    cdi_v2 c, u;
    cd_obb2 r;
    in->unit = cdi_rect_unit(in);
    r.axis = cd_vec2_normalize(axis);
    u = cdi_v2_of(r.axis);
    r.center = cdi_rect_middle(in, u);
    c = cdi_v2_of(r.center);
    r.half.x = cdi_rect_half(cdi_rect_reach(in, c, u.x, u.y), u);
    r.half.y = cdi_rect_half(cdi_rect_reach(in, c, -u.y, u.x), u);
    if (!cd_vec2_is_valid(r.center) || !cd_vec2_is_valid(r.half)) return CD_TOO_LARGE;
    *out = r;
    return CD_OK;
}

CD_API cd_status cd_obb2_from_points_along(const cd_vec2 *points, size_t count, cd_vec2 axis, cd_obb2 *out) {
    cdi_rect_input in;
    cdi_clear(out, sizeof *out);
    if (count == 0 || !cdi_all_finite2(points, count) || !cd_vec2_is_valid(axis) ||
        (axis.x == 0 && axis.y == 0))
        return CD_INVALID_ARGUMENT;
    in.points = points;
    in.doubles = NULL;
    in.count = count;
    in.slack = 0.0;
    return cdi_rect_fit(&in, axis, out);
}

static void cdi_rect_corner(const cd_obb2 *b, double s, double t, cdi_v2 *out) {
    cdi_v2 c = cdi_v2_of(b->center), u = cdi_v2_of(b->axis);
    out->x = c.x + (u.x * s - u.y * t);
    out->y = c.y + (u.y * s + u.x * t);
}

/* The corners in double, and what they may be off. Not in a loop: GCC 12 makes fused instructions of one that takes sums and
 * differences of products in turn, whatever it is told. */
static double cdi_rect_corners(const cd_obb2 *b, cdi_v2 out[4]) {
    cdi_v2 c = cdi_v2_of(b->center), h = cdi_v2_of(b->half);
    cdi_rect_corner(b, -h.x, -h.y, &out[0]);
    cdi_rect_corner(b, h.x, -h.y, &out[1]);
    cdi_rect_corner(b, -h.x, h.y, &out[2]);
    cdi_rect_corner(b, h.x, h.y, &out[3]);
    return (1e-15 * cdi_abs(c.x) + 1e-15 * cdi_abs(c.y)) + (1e-15 * h.x + 1e-15 * h.y) + 2e-323;
}

CD_API cd_status cd_merge_obb2_obb2(const cd_obb2 *a, const cd_obb2 *b, cd_obb2 *out) {
    cdi_v2 corner[8];
    cdi_rect_input in;
    cd_obb2 first, second;
    cd_status status, other;
    cdi_clear(out, sizeof *out);
    if (!cd_obb2_is_valid(a) || !cd_obb2_is_valid(b)) return CD_INVALID_ARGUMENT;
    in.points = NULL;
    in.doubles = corner;
    in.count = 8;
    in.slack = cdi_rect_corners(a, corner);
    in.slack += cdi_rect_corners(b, corner + 4);
    status = cdi_rect_fit(&in, a->axis, &first);
    other = cdi_rect_fit(&in, b->axis, &second);
    if (status != CD_OK && other != CD_OK) return CD_TOO_LARGE;
    if (status != CD_OK || (other == CD_OK && (double)second.half.x * (double)second.half.y <
                                                  (double)first.half.x * (double)first.half.y)) {
        first = second;
    }
    *out = first;
    return CD_OK;
}
