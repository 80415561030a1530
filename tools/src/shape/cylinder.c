#include "shape/cylinder.h"
#include "core/exact.h"
#include "core/expansion.h"
#include "core/orient.h"
#include "shape/cylinder3d.h"
#include "shape/side3d.h"
#include "shape/volume3d.h"

#define CDI_PI 3.141592653589793

/* ---- in double ---- */

static bool cdi_frustum_make(cdi_frustum *f, cdi_v3 a, cdi_v3 b, double r0, double r1) {
    f->end[0] = a;
    f->end[1] = b;
    f->d = cdi_v3_sub(cdi_v3_scale(b, 0.5), cdi_v3_scale(a, 0.5)); /* halves stay in range */
    f->h = 2.0 * cdi_v3_norm(f->d);
    if (f->h < 1e300) {
        f->d = cdi_v3_sub(b, a);
        f->h = cdi_v3_norm(f->d);
    }
    f->length = f->h;
    f->r[0] = r0;
    f->r[1] = r1;
    if (!cdi_v3_finite(a) || !cdi_v3_finite(b) || !cdi_finite(r1) || !(r1 >= 0.0)) return false;
    if (f->length > 0.0) {
        f->u = cdi_v3_unit(f->d);
        return true;
    }
    f->d = f->u = cdi_v3_make(0.0, 0.0, 1.0);
    f->length = 1.0;
    return r1 == 0.0;
}

CDI_FN bool cdi_frustum_of_cylinder(cdi_frustum *f, const cd_cylinder *c) {
    return cdi_frustum_make(f, cdi_v3_of(c->a), cdi_v3_of(c->b), (double)c->radius, (double)c->radius);
}

CDI_FN bool cdi_frustum_of_cone(cdi_frustum *f, const cd_cone *c) {
    return cdi_frustum_make(f, cdi_v3_of(c->apex), cdi_v3_of(c->base), 0.0, (double)c->radius);
}

CDI_FN bool cdi_frustum_of_disc(cdi_frustum *f, const cd_disc *c) {
    cdi_v3 n = cdi_v3_of(c->normal);
    int shift = -cdi_exponent(cdi_v3_max_abs(n));
    f->end[0] = f->end[1] = cdi_v3_of(c->center);
    f->d = cdi_v3_make(cdi_scale2(n.x, shift), cdi_scale2(n.y, shift), cdi_scale2(n.z, shift)); /* near 1 */
    f->u = cdi_v3_normalize(f->d);
    f->length = cdi_v3_length(f->d);
    f->h = 0.0;
    f->r[0] = f->r[1] = (double)c->radius;
    return cdi_v3_finite(f->end[0]) && cdi_v3_finite(n) && !cdi_v3_is_zero(n) && cdi_finite(f->r[0]) &&
           f->r[0] >= 0.0;
}

/* ---- exactly ----
 * All signs are those of polynomials in v . v, d . d and v . d, since |v x d|^2 = (v . v) (d . d) - (v . d)^2. The bounds of
 * the rounding errors are relative to the terms' magnitudes, u = 2^-53: a dot product of differences takes two u for these, one
 * for the product and two for the sums, rounded up to 8 u; the square of a cross product 11 u of the sizes of its components
 * times these, and 16 u^2 of the squares of the sizes. */

enum { CDI_ROUND_ROOM = 64 * CDI_EXACT_LIMBS };
#define CDI_ROUND_DOT    8.881784197001252e-16
#define CDI_ROUND_SQUARE 2e-15
#define CDI_ROUND_NOISE  1e-30
#define CDI_ROUND_LEAST  1e-250
#define CDI_ROUND_MORE   1e-300 /* beside a square that may have vanished, and is multiplied yet */

/* |v x d|^2 and a bound of its error. */
static double cdi_square_of_cross(cdi_v3 v, cdi_v3 d, double *error) {
    cdi_v3 c = cdi_v3_cross(v, d);
    double size[3], x[3], square = 0.0;
    cdi_v3_store(x, c);
    size[0] = cdi_abs(v.y * d.z) + cdi_abs(v.z * d.y);
    size[1] = cdi_abs(v.z * d.x) + cdi_abs(v.x * d.z);
    size[2] = cdi_abs(v.x * d.y) + cdi_abs(v.y * d.x);
    *error = CDI_ROUND_MORE;
    for (int i = 0; i < 3; ++i) {
        double s = size[i] + CDI_ROUND_LEAST;
        square += x[i] * x[i];
        *error += CDI_ROUND_SQUARE * s * cdi_abs(x[i]) + CDI_ROUND_NOISE * s * s;
    }
    return square;
}

/* v . v, d . d, v . d and the squared cross product, without rounding. */
typedef struct cdi_gram {
    cdi_exact dd, vd, cross;
} cdi_gram;

static cdi_gram cdi_gram_of(cdi_arena *arena, cdi_axis3d v, cdi_axis3d d) {
    cdi_exact a[3], b[3], vv;
    cdi_gram g;
    int mark;
    cdi_exact_vector(arena, v.to, v.from, a);
    cdi_exact_vector(arena, d.to, d.from, b);
    vv = cdi_exact_dot(arena, a, a);
    g.dd = cdi_exact_dot(arena, b, b);
    g.vd = cdi_exact_dot(arena, a, b);
    mark = arena->used;
    vv = cdi_exact_mul(arena, vv, g.dd);
    vv = cdi_exact_sub(arena, vv, cdi_exact_mul(arena, g.vd, g.vd));
    g.cross = cdi_exact_keep(arena, mark, vv);
    return g;
}

static CDI_COLD int cdi_beside_axis_exact(cdi_v3 o, cdi_axis3d axis, double r, cdi_v3 p) {
    uint32_t limbs[CDI_ROUND_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_ROUND_ROOM);
    cdi_gram g = cdi_gram_of(&arena, cdi_axis_of(o, p), axis);
    cdi_exact right = cdi_exact_mul(&arena, cdi_exact_square(&arena, cdi_exact_of(&arena, r)), g.dd);
    return cdi_exact_sub(&arena, g.cross, right).sign;
}

CDI_FN int cdi_beside_axis(cdi_v3 o, cdi_axis3d axis, double r, cdi_v3 p) {
    cdi_v3 d = cdi_v3_sub(axis.to, axis.from);
    double error, left = cdi_square_of_cross(cdi_v3_sub(p, o), d, &error), dd = cdi_v3_sqlength(d);
    double right = r * r * dd;
    error += CDI_ROUND_DOT * (r * r + CDI_ROUND_MORE) * dd + CDI_ROUND_LEAST;
    if (cdi_abs(left - right) > error) return left > right ? 1 : -1;
    return cdi_beside_axis_exact(o, axis, r, p);
}

static CDI_COLD int cdi_beside_cone_exact(cdi_v3 apex, cdi_v3 base, double r, cdi_v3 p) {
    uint32_t limbs[CDI_ROUND_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_ROUND_ROOM);
    cdi_gram g = cdi_gram_of(&arena, cdi_axis_of(apex, p), cdi_axis_of(apex, base));
    cdi_exact left = cdi_exact_mul(&arena, g.cross, g.dd), right = cdi_exact_mul(&arena, g.vd, g.vd);
    right = cdi_exact_mul(&arena, cdi_exact_square(&arena, cdi_exact_of(&arena, r)), right);
    return cdi_exact_sub(&arena, left, right).sign;
}

CDI_FN int cdi_beside_cone(cdi_v3 apex, cdi_v3 base, double r, cdi_v3 p) {
    cdi_v3 q = cdi_v3_sub(p, apex), d = cdi_v3_sub(base, apex);
    double error, cross = cdi_square_of_cross(q, d, &error), dd = cdi_v3_sqlength(d), dot = cdi_v3_dot(q, d);
    double left = cross * dd, right = r * r * dot * dot, rr = r * r + CDI_ROUND_MORE;
    double off =
        CDI_ROUND_DOT * (cdi_abs(q.x * d.x) + cdi_abs(q.y * d.y) + cdi_abs(q.z * d.z)) + CDI_ROUND_MORE;
    error = 1.1 * error * dd + CDI_ROUND_DOT * (left + rr * dot * dot);
    error += rr * (2.1 * cdi_abs(dot) * off + 1.1 * off * off) + CDI_ROUND_LEAST;
    if (cdi_abs(left - right) > error) return left > right ? 1 : -1;
    return cdi_beside_cone_exact(apex, base, r, p);
}

/* (n . c - d)^2 |axis|^2 against r^2 |n x axis|^2 */
static CDI_COLD bool cdi_rim_reaches_exact(cdi_v3 n, double d, cdi_v3 c, cdi_axis3d axis, double r) {
    uint32_t limbs[CDI_ROUND_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_ROUND_ROOM);
    cdi_v3 zero = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_gram g = cdi_gram_of(&arena, cdi_axis_of(zero, n), axis);
    cdi_exact a[3], b[3], height, left;
    if (g.dd.sign == 0) return false; /* a point, which is above */
    cdi_exact_vector(&arena, n, zero, a);
    cdi_exact_vector(&arena, c, zero, b);
    height = cdi_exact_sub(&arena, cdi_exact_dot(&arena, a, b), cdi_exact_of(&arena, d));
    left = cdi_exact_mul(&arena, cdi_exact_mul(&arena, height, height), g.dd);
    return cdi_exact_sub(&arena, left,
                         cdi_exact_mul(&arena, cdi_exact_square(&arena, cdi_exact_of(&arena, r)), g.cross))
               .sign <= 0;
}

CDI_FN bool cdi_rim_reaches(cdi_v3 n, double d, cdi_v3 c, cdi_axis3d axis, double r) {
    cdi_v3 u = cdi_v3_sub(axis.to, axis.from);
    double error, cross = cdi_square_of_cross(n, u, &error), uu = cdi_v3_sqlength(u), height, off, left,
                  right, rr;
    if (cdi_plane_side(n, d, c) <= 0) return true;
    height = cdi_v3_dot(n, c) - d;
    off = CDI_ROUND_DOT * (cdi_abs(n.x * c.x) + cdi_abs(n.y * c.y) + cdi_abs(n.z * c.z) + cdi_abs(d)) +
          CDI_ROUND_MORE;
    left = height * height * uu;
    right = r * r * cross;
    rr = r * r + CDI_ROUND_MORE;
    error = 1.1 * rr * error + CDI_ROUND_DOT * (left + rr * cross);
    error += 1.1 * uu * (2.0 * cdi_abs(height) * off + off * off + CDI_ROUND_MORE) + CDI_ROUND_LEAST;
    if (cdi_abs(left - right) > error) return left < right;
    return cdi_rim_reaches_exact(n, d, c, axis, r);
}

#undef CDI_ROUND_DOT
#undef CDI_ROUND_SQUARE
#undef CDI_ROUND_NOISE
#undef CDI_ROUND_LEAST
#undef CDI_ROUND_MORE

CDI_FN bool cdi_in_cylinder(cdi_v3 p, cdi_v3 a, cdi_v3 b, double r) {
    if (cdi_along_sign(a, b, p) < 0 || cdi_along_sign(b, a, p) < 0) return false;
    if (cdi_v3_is_zero(cdi_v3_sub(b, a))) return cdi_v3_is_zero(cdi_v3_sub(p, a)); /* a point */
    return cdi_beside_axis(a, cdi_axis_of(a, b), r, p) <= 0;
}

CDI_FN bool cdi_in_cone(cdi_v3 p, cdi_v3 apex, cdi_v3 base, double r) {
    if (cdi_along_sign(apex, base, p) < 0 || cdi_along_sign(base, apex, p) < 0) return false;
    if (cdi_v3_is_zero(cdi_v3_sub(base, apex))) return cdi_v3_is_zero(cdi_v3_sub(p, apex));
    return cdi_beside_cone(apex, base, r, p) <= 0;
}

/* ---- validity, measures, motion ---- */

CD_API bool cd_cylinder_is_valid(const cd_cylinder *c) {
    cdi_frustum f;
    return cdi_frustum_of_cylinder(&f, c);
}

CD_API bool cd_cone_is_valid(const cd_cone *c) {
    cdi_frustum f;
    return cdi_frustum_of_cone(&f, c);
}

CD_API bool cd_disc_is_valid(const cd_disc *d) {
    cdi_frustum f;
    return cdi_frustum_of_disc(&f, d);
}

/* Is there anything to measure? If not, what it measures: 0, or NaN where a number is not finite. */
static bool cdi_round_measure(const cdi_frustum *f, cd_real *none) {
    bool finite = cdi_v3_finite(f->end[0]) && cdi_v3_finite(f->end[1]) && cdi_finite(f->r[1]);
    *none = finite ? (cd_real)0 : (cd_real)cdi_nan();
    return finite && f->r[1] > 0.0;
}

CD_API cd_real cd_cylinder_volume(const cd_cylinder *c) {
    cdi_frustum f;
    cd_real none;
    cdi_frustum_of_cylinder(&f, c);
    return cdi_round_measure(&f, &none) ? cdi_real_or_infinity(CDI_PI * f.r[1] * (f.r[1] * f.h)) : none;
}

CD_API cd_real cd_cone_volume(const cd_cone *c) {
    cdi_frustum f;
    cd_real none;
    cdi_frustum_of_cone(&f, c);
    return cdi_round_measure(&f, &none) ? cdi_real_or_infinity(CDI_PI * f.r[1] * (f.r[1] * f.h) / 3.0) : none;
}

CD_API cd_real cd_cylinder_surface_area(const cd_cylinder *c) {
    cdi_frustum f;
    cd_real none;
    cdi_frustum_of_cylinder(&f, c);
    return cdi_round_measure(&f, &none) ? cdi_real_or_infinity(2.0 * CDI_PI * f.r[1] * (f.h + f.r[1])) : none;
}

CD_API cd_real cd_cone_surface_area(const cd_cone *c) {
    cdi_frustum f;
    cd_real none;
    double slant;
    cdi_frustum_of_cone(&f, c);
    if (!cdi_round_measure(&f, &none)) return none;
    slant = cdi_v3_length(cdi_v3_make(f.h, f.r[1], 0.0));
    return cdi_real_or_infinity(CDI_PI * f.r[1] * (f.r[1] + slant));
}

CD_API cd_real cd_disc_area(const cd_disc *d) {
    cdi_frustum f;
    cd_real none;
    cdi_frustum_of_disc(&f, d);
    return cdi_round_measure(&f, &none) ? cdi_real_or_infinity(CDI_PI * f.r[1] * f.r[1]) : none;
}

CD_API cd_cylinder cd_cylinder_transform(const cd_cylinder *c, const cd_transform *pose) {
    cd_cylinder r = *c;
    r.a = cd_transform_point(pose, c->a);
    r.b = cd_transform_point(pose, c->b);
    return r;
}

CD_API cd_cone cd_cone_transform(const cd_cone *c, const cd_transform *pose) {
    cd_cone r = *c;
    r.apex = cd_transform_point(pose, c->apex);
    r.base = cd_transform_point(pose, c->base);
    return r;
}

CD_API cd_disc cd_disc_transform(const cd_disc *d, const cd_transform *pose) {
    cd_disc r = *d;
    r.center = cd_transform_point(pose, d->center);
    r.normal = cd_transform_vector(pose, d->normal);
    return r;
}

/* ---- extents ---- */

/* The end that reaches farther, and its rim in the direction of the part of dir across the axis. */
static cd_vec3 cdi_frustum_support(const cdi_frustum *f, bool valid, cd_vec3 dir) {
    cdi_v3 v = cdi_v3_normalize(cdi_v3_of(dir)), across;
    cd_real nan = (cd_real)cdi_nan();
    double along, reach;
    int end;
    if (!valid || !cd_vec3_is_valid(dir)) return cd_vec3_make(nan, nan, nan);
    across = cdi_v3_cross(cdi_v3_cross(f->u, v), f->u);
    along = cdi_v3_dot(v, f->u);
    reach = cdi_v3_length(across);
    end = f->h * along + f->r[1] * reach > f->r[0] * reach;
    return cdi_v3_round(cdi_v3_along(f->end[end], cdi_v3_normalize(across), f->r[end]));
}

CD_API cd_vec3 cd_cylinder_support(const cd_cylinder *c, cd_vec3 dir) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cylinder(&f, c);
    return cdi_frustum_support(&f, valid, dir);
}

CD_API cd_vec3 cd_cone_support(const cd_cone *c, cd_vec3 dir) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cone(&f, c);
    return cdi_frustum_support(&f, valid, dir);
}

CD_API cd_vec3 cd_disc_support(const cd_disc *d, cd_vec3 dir) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_disc(&f, d);
    return cdi_frustum_support(&f, valid, dir);
}

CDI_FN double cdi_rim_reach(cdi_v3 u, int i) {
    double x = cdi_v3_get(u, (i + 1) % 3), y = cdi_v3_get(u, (i + 2) % 3);
    if (x == 0.0 && y == 0.0) return 0.0;
    return cdi_v3_get(u, i) == 0.0 ? 1.0 : cdi_sqrt(x * x + y * y) * (1.0 + 8.881784197001252e-16);
}

/* The least c - r of the two ends, rounded down. */
static cd_real cdi_ends_down(const cdi_frustum *f, int axis, double sign) {
    double reach = cdi_rim_reach(f->u, axis);
    cd_real least = CD_REAL_MAX;
    for (int i = 0; i < 2; ++i) {
        cdi_two x = cdi_two_of_diff(sign * cdi_v3_get(f->end[i], axis), f->r[i] * reach);
        cd_real r = cdi_round_down(x.hi, x.lo);
        if (r < least) least = r;
    }
    return least;
}

static cd_aabb cdi_frustum_bounds(const cdi_frustum *f) {
    cd_aabb b;
    b.min = cd_vec3_make(cdi_ends_down(f, 0, 1.0), cdi_ends_down(f, 1, 1.0), cdi_ends_down(f, 2, 1.0));
    b.max = cd_vec3_make(-cdi_ends_down(f, 0, -1.0), -cdi_ends_down(f, 1, -1.0), -cdi_ends_down(f, 2, -1.0));
    return b;
}

CD_API cd_aabb cd_aabb_from_cylinder(const cd_cylinder *c) {
    cdi_frustum f;
    return cdi_frustum_of_cylinder(&f, c) ? cdi_frustum_bounds(&f) : cd_aabb_empty();
}

CD_API cd_aabb cd_aabb_from_cone(const cd_cone *c) {
    cdi_frustum f;
    return cdi_frustum_of_cone(&f, c) ? cdi_frustum_bounds(&f) : cd_aabb_empty();
}

CD_API cd_aabb cd_aabb_from_disc(const cd_disc *d) {
    cdi_frustum f;
    return cdi_frustum_of_disc(&f, d) ? cdi_frustum_bounds(&f) : cd_aabb_empty();
}

#undef CDI_PI
