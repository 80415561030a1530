#include "shape/planar.h"
#include "core/expansion.h"
#include "core/orient.h"
#include "shape/volume3d.h"

static cd_vec2 cdi_vec2_round(double x, double y) {
    return cd_vec2_make((cd_real)x, (cd_real)y);
}

/* Unit, (1, 0) for zero; exact along the axes. */
static cdi_v2 cdi_turn2_of(const cd_transform2 *t) {
    cdi_v3 u = cdi_v3_normalize(cdi_v3_make((double)t->rotation.x, (double)t->rotation.y, 0.0));
    cdi_v2 r;
    r.x = cdi_v3_is_zero(u) ? 1.0 : u.x;
    r.y = u.y;
    return r;
}

static cd_vec2 cdi_turned(cdi_v2 turn, cd_vec2 v, double x, double y) {
    cdi_v2 p = cdi_v2_of(v);
    return cdi_vec2_round((turn.x * p.x - turn.y * p.y) + x, (turn.y * p.x + turn.x * p.y) + y);
}

CD_API cd_vec2 cd_transform2_point(const cd_transform2 *t, cd_vec2 p) {
    return cdi_turned(cdi_turn2_of(t), p, (double)t->position.x, (double)t->position.y);
}

CD_API bool cd_transform2_is_valid(const cd_transform2 *t) {
    return cd_vec2_is_valid(t->rotation) && cd_vec2_is_valid(t->position);
}

/* x as an area: infinite beyond the largest number. */
static cd_real cdi_area_of(double x) {
    return x > (double)CD_REAL_MAX ? (cd_real)cdi_infinity() : (cd_real)x;
}

/* ---- circles ---- */

CD_API bool cd_circle_is_valid(cd_circle c) {
    return cd_vec2_is_valid(c.center) && cdi_finite((double)c.radius) && c.radius >= 0;
}

CD_API cd_real cd_circle_area(cd_circle c) {
    double r = (double)c.radius;
    return r < 0.0 ? 0 : cdi_area_of(3.14159265358979323846 * r * r);
}

CD_API cd_circle cd_circle_transform(cd_circle c, const cd_transform2 *pose) {
    c.center = cd_transform2_point(pose, c.center);
    return c;
}

CD_API cd_vec2 cd_circle_support(cd_circle c, cd_vec2 direction) {
    cdi_v3 u = cdi_v3_normalize(cdi_v3_make((double)direction.x, (double)direction.y, 0.0));
    double r = (double)c.radius;
    if (cdi_v3_is_zero(u)) return c.center;
    return cdi_vec2_round((double)c.center.x + r * u.x, (double)c.center.y + r * u.y);
}

/* ---- axis-aligned rectangles ---- */

CD_API cd_aabb2 cd_aabb2_empty(void) {
    cd_aabb2 b;
    b.min = cd_vec2_make(CD_REAL_MAX, CD_REAL_MAX);
    b.max = cd_vec2_neg(b.min);
    return b;
}

CD_API bool cd_aabb2_is_empty(cd_aabb2 b) {
    return b.min.x > b.max.x || b.min.y > b.max.y;
}

CD_API bool cd_aabb2_is_valid(cd_aabb2 b) {
    return cd_vec2_is_valid(b.min) && cd_vec2_is_valid(b.max) && !cd_aabb2_is_empty(b);
}

/* The second is kept where the first is NaN, or equal. */
static cd_vec2 cdi_vec2_min(cd_vec2 a, cd_vec2 b) {
    return cd_vec2_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y);
}
static cd_vec2 cdi_vec2_max(cd_vec2 a, cd_vec2 b) {
    return cd_vec2_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y);
}

CD_API cd_aabb2 cd_aabb2_from_points(const cd_vec2 *points, size_t count) {
    cd_aabb2 b = cd_aabb2_empty();
    for (size_t i = 0; i < count; ++i) {
        b.min = cdi_vec2_min(points[i], b.min);
        b.max = cdi_vec2_max(points[i], b.max);
    }
    return b;
}

/* The rectangle x +- ex, y +- ey, rounded outward. */
static cd_aabb2 cdi_aabb2_around(cd_vec2 c, double ex, double ey) {
    double x = (double)c.x, y = (double)c.y;
    cd_aabb2 b;
    if (!cd_vec2_is_valid(c) || !(ex >= 0.0 && ey >= 0.0)) return cd_aabb2_empty();
    b.min = cd_vec2_make(cdi_diff_down(x, ex), cdi_diff_down(y, ey));
    b.max = cd_vec2_make(cdi_sum_up(x, ex), cdi_sum_up(y, ey));
    return b;
}

CD_API cd_aabb2 cd_aabb2_from_circle(cd_circle c) {
    return cdi_aabb2_around(c.center, (double)c.radius, (double)c.radius);
}

/* Two products and a sum are off by 3 units of 2^-53; below the normal numbers by as many of the least. */
static double cdi_extent_up(double a, double b, double c, double d) {
    double e = cdi_abs(a) * b + cdi_abs(c) * d;
    return e == 0.0 && (a == 0.0 || b == 0.0) && (c == 0.0 || d == 0.0)
               ? 0.0
               : e + (8.881784197001252e-16 * e + 2e-323);
}

CD_API cd_aabb2 cd_aabb2_from_obb2(const cd_obb2 *b) {
    cdi_v2 u = cdi_v2_of(b->axis), h = cdi_v2_of(b->half);
    if (!(h.x >= 0.0 && h.y >= 0.0)) return cd_aabb2_empty();
    return cdi_aabb2_around(b->center, cdi_extent_up(u.x, h.x, u.y, h.y), cdi_extent_up(u.y, h.x, u.x, h.y));
}

CD_API cd_aabb2 cd_merge_aabb2_aabb2(cd_aabb2 a, cd_aabb2 b) {
    a.min = cdi_vec2_min(a.min, b.min);
    a.max = cdi_vec2_max(a.max, b.max);
    return a;
}

CD_API cd_aabb2 cd_aabb2_intersect(cd_aabb2 a, cd_aabb2 b) {
    a.min = cdi_vec2_max(a.min, b.min);
    a.max = cdi_vec2_min(a.max, b.max);
    return a;
}

CD_API cd_real cd_aabb2_area(cd_aabb2 b) {
    double x = (double)b.max.x - (double)b.min.x, y = (double)b.max.y - (double)b.min.y;
    if (cd_aabb2_is_empty(b)) return 0;
    if (cdi_finite(x) && cdi_finite(y)) return cdi_area_of(x * y);
    x = 0.5 * (double)b.max.x - 0.5 * (double)b.min.x; /* widths beyond the largest number */
    y = 0.5 * (double)b.max.y - 0.5 * (double)b.min.y;
    return cdi_area_of(4.0 * (x * y));
}

CD_API cd_vec2 cd_aabb2_support(cd_aabb2 b, cd_vec2 direction) {
    return cd_vec2_make(direction.x > 0 ? b.max.x : b.min.x, direction.y > 0 ? b.max.y : b.min.y);
}

/* The least of a x + b y + at over the rectangle, rounded down; exact for quarter turns, of which one factor is 0 and the other
 * 1 or -1. */
static cd_real cdi_least_turned(double a, double b, double at, cdi_v2 lo, cdi_v2 hi, bool quarter) {
    double x = a > 0.0 ? a * lo.x : a * hi.x, y = b > 0.0 ? b * lo.y : b * hi.y;
    double size = cdi_max(cdi_abs(lo.x), cdi_abs(hi.x)) + cdi_max(cdi_abs(lo.y), cdi_abs(hi.y));
    if (quarter) return cdi_diff_down(a == 0.0 ? y : x, -at);
    return cdi_round_down((x + y + at) - (1.8e-15 * size + 4.5e-16 * cdi_abs(at) + 2e-323), -1.0);
}

CD_API cd_aabb2 cd_aabb2_transform(cd_aabb2 b, const cd_transform2 *pose) {
    cdi_v2 lo = cdi_v2_of(b.min), hi = cdi_v2_of(b.max), u = cdi_turn2_of(pose),
           at = cdi_v2_of(pose->position);
    bool q = pose->rotation.x == 0 || pose->rotation.y == 0;
    if (!cd_aabb2_is_valid(b) || !cd_transform2_is_valid(pose)) return cd_aabb2_empty();
    b.min = cd_vec2_make(cdi_least_turned(u.x, -u.y, at.x, lo, hi, q),
                         cdi_least_turned(u.y, u.x, at.y, lo, hi, q));
    b.max = cd_vec2_make(-cdi_least_turned(-u.x, u.y, -at.x, lo, hi, q),
                         -cdi_least_turned(-u.y, -u.x, -at.y, lo, hi, q));
    return b;
}

/* ---- oriented rectangles ---- */

CD_API bool cd_obb2_is_valid(const cd_obb2 *b) {
    double x = (double)b->axis.x, y = (double)b->axis.y, off = x * x + y * y - 1.0;
    return cd_vec2_is_valid(b->center) && cd_vec2_is_valid(b->half) && b->half.x >= 0 && b->half.y >= 0 &&
           off <= 2e-3 && off >= -2e-3;
}

CD_API cd_real cd_obb2_area(const cd_obb2 *b) {
    return cdi_area_of(4.0 * ((double)b->half.x * (double)b->half.y));
}

CD_API cd_obb2 cd_obb2_from_aabb2(cd_aabb2 b) {
    cd_aabb flat;
    cd_obb solid;
    cd_obb2 r;
    flat.min = cd_vec3_make(b.min.x, b.min.y, 0);
    flat.max = cd_vec3_make(b.max.x, b.max.y, 0);
    solid = cd_obb_from_aabb(flat);
    r.center = cd_vec2_make(solid.center.x, solid.center.y);
    r.axis = cd_vec2_make(1, 0);
    r.half = cd_vec2_make(solid.half.x, solid.half.y);
    return r;
}

CD_API cd_obb2 cd_obb2_transform(const cd_obb2 *b, const cd_transform2 *pose) {
    cd_obb2 r = *b;
    r.center = cd_transform2_point(pose, b->center);
    r.axis = cdi_turned(cdi_turn2_of(pose), b->axis, 0.0, 0.0);
    return r;
}

static cd_vec2 cdi_obb2_corner(const cd_obb2 *b, bool right, bool up) {
    cdi_v2 c = cdi_v2_of(b->center), u = cdi_v2_of(b->axis), h = cdi_v2_of(b->half);
    double s = right ? h.x : -h.x, t = up ? h.y : -h.y;
    return cdi_vec2_round(c.x + (u.x * s - u.y * t), c.y + (u.y * s + u.x * t));
}

CD_API void cd_obb2_to_vertices(const cd_obb2 *b, cd_vec2 out[4]) {
    for (int i = 0; i < 4; ++i) out[i] = cdi_obb2_corner(b, i == 1 || i == 2, i >= 2);
}

CD_API cd_vec2 cd_obb2_support(const cd_obb2 *b, cd_vec2 direction) {
    double x = (double)b->axis.x, y = (double)b->axis.y, dx = (double)direction.x, dy = (double)direction.y;
    if (cdi_max(cdi_abs(dx), cdi_abs(dy)) < 1e-200) { /* no product may vanish */
        dx = cdi_scale2(dx, 600);
        dy = cdi_scale2(dy, 600);
    }
    return cdi_obb2_corner(b, x * dx + y * dy > 0.0, x * dy - y * dx > 0.0);
}
