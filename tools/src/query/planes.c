#include "query/planes.h"
#include "core/orient.h"
#include "core/twofold.h"

/* ---- determinants ---- */

/* Where a sum is this large a part of its terms, plain arithmetic is good enough: products of two numbers of a float build
 * are exact in double. */
#ifdef COLLIDE_DOUBLE
#define CDI_PLAIN2_ENOUGH 0.5
#define CDI_PLAIN3_ENOUGH 0.5
#else
#define CDI_PLAIN2_ENOUGH 0.0
#define CDI_PLAIN3_ENOUGH 1e-6
#endif
#define CDI_TWOFOLD_ENOUGH 1e-14
#define CDI_NO_UNDERFLOW   1e-200 /* terms above it have lost nothing */

static CDI_COLD double cdi_common_det2_exact(double a, double b, double c, double d) {
    cdi_diff m[2][2];
    m[0][0] = cdi_diff_of(a, 0.0);
    m[0][1] = cdi_diff_of(b, 0.0);
    m[1][0] = cdi_diff_of(c, 0.0);
    m[1][1] = cdi_diff_of(d, 0.0);
    return cdi_det2_exact(m);
}

/* a d - b c to its last places. */
static double cdi_common_det2(double a, double b, double c, double d) {
    double ad = a * d, bc = b * c, size = cdi_abs(ad) + cdi_abs(bc), det = ad - bc;
    if (cdi_abs(det) >= CDI_PLAIN2_ENOUGH * size && size > CDI_NO_UNDERFLOW) return det;
    if ((a == 0.0 || d == 0.0) && (b == 0.0 || c == 0.0)) return 0.0;
    return cdi_common_det2_exact(a, b, c, d);
}

/* a x b, each component to its last places. */
static cdi_v3 cdi_common_cross(cdi_v3 a, cdi_v3 b) {
    double x = cdi_common_det2(a.y, a.z, b.y, b.z);
    double y = cdi_common_det2(a.z, a.x, b.z, b.x);
    return cdi_v3_make(x, y, cdi_common_det2(a.x, a.y, b.x, b.y));
}

static CDI_COLD double cdi_common_det3_exact(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_diff m[3][3];
    for (int i = 0; i < 3; ++i) {
        m[0][i] = cdi_diff_of(cdi_v3_get(a, i), 0.0);
        m[1][i] = cdi_diff_of(cdi_v3_get(b, i), 0.0);
        m[2][i] = cdi_diff_of(cdi_v3_get(c, i), 0.0);
    }
    return cdi_det3_exact(m);
}

/* x (y w - z v), of plain numbers. */
static cdi_two cdi_two_term(double x, double y, double w, double z, double v) {
    cdi_two yw, zv;
    cdi_two_product(y, w, &yw.hi, &yw.lo);
    cdi_two_product(z, v, &zv.hi, &zv.lo);
    return cdi_two_mul(cdi_two_of(x), cdi_two_sub(yw, zv));
}

static double cdi_common_det3_twofold(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_two x = cdi_two_term(a.x, b.y, c.z, b.z, c.y), y = cdi_two_term(a.y, b.z, c.x, b.x, c.z);
    return cdi_two_add(cdi_two_add(x, y), cdi_two_term(a.z, b.x, c.y, b.y, c.x)).hi;
}

/* The determinant of three rows to its last places, however much cancels, with the exact sign. */
static double cdi_common_det3(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double x = b.y * c.z, xx = b.z * c.y, y = b.z * c.x, yy = b.x * c.z, z = b.x * c.y, zz = b.y * c.x;
    double size = (cdi_abs(x) + cdi_abs(xx)) * cdi_abs(a.x) + (cdi_abs(y) + cdi_abs(yy)) * cdi_abs(a.y) +
                  (cdi_abs(z) + cdi_abs(zz)) * cdi_abs(a.z);
    double det = a.x * (x - xx) + a.y * (y - yy) + a.z * (z - zz);
    if (!(size > CDI_NO_UNDERFLOW)) return cdi_common_det3_exact(a, b, c);
    if (cdi_abs(det) >= CDI_PLAIN3_ENOUGH * size) return det;
    det = cdi_common_det3_twofold(a, b, c);
    return cdi_abs(det) >= CDI_TWOFOLD_ENOUGH * size ? det : cdi_common_det3_exact(a, b, c);
}

/* ---- planes ----
 * Scaled by powers of two, each on its own and then the places of all together, so that the largest component of each normal
 * and the largest place are near 2^290: products of three stay in the range, and nothing is lost of the small ones, denormal
 * ones included, while no number is above that. */

#define CDI_COMMON_TOP 290

typedef struct cdi_common {
    cdi_v3 n[3];
    double d[3];
    int count, shift; /* the places have been divided by 2^shift */
} cdi_common;

static bool cdi_common_make(cdi_common *s, const cd_plane *const *planes, int count) {
    int e[3];
    s->count = count;
    s->shift = INT32_MIN;
    for (int i = 0; i < count; ++i) {
        if (!cd_plane_is_valid(planes[i])) return false;
        s->n[i] = cdi_v3_of(planes[i]->n);
        s->d[i] = (double)planes[i]->d;
        e[i] = cdi_exponent(cdi_v3_max_abs(s->n[i]));
        if (s->d[i] != 0.0 && cdi_exponent(s->d[i]) - e[i] > s->shift)
            s->shift = cdi_exponent(s->d[i]) - e[i];
    }
    if (s->shift == INT32_MIN) s->shift = 0;
    for (int i = 0; i < count; ++i) {
        s->n[i] = cdi_v3_scale2(s->n[i], CDI_COMMON_TOP - e[i]);
        s->d[i] = cdi_scale2(s->d[i], CDI_COMMON_TOP - e[i] - s->shift);
    }
    return true;
}

/* a / b in the scale of the caller, though the quotient itself may leave the range. */
static double cdi_common_quotient(const cdi_common *s, double a, double b) {
    int top = cdi_exponent(a), bottom = cdi_exponent(b);
    if (a == 0.0) return 0.0;
    return cdi_scale2(cdi_scale2(a, -top) / cdi_scale2(b, -bottom), top - bottom + s->shift);
}

static cdi_v3 cdi_common_quotients(const cdi_common *s, cdi_v3 a, double b) {
    double x = cdi_common_quotient(s, a.x, b), y = cdi_common_quotient(s, a.y, b);
    return cdi_v3_make(x, y, cdi_common_quotient(s, a.z, b));
}

static cd_vec3 cdi_vec3_or_infinity(cdi_v3 p) {
    return cd_vec3_make(cdi_real_or_infinity(p.x), cdi_real_or_infinity(p.y), cdi_real_or_infinity(p.z));
}

static cd_planes_common cdi_common_nothing(double sine) {
    cd_planes_common r;
    cdi_clear(&r, sizeof r);
    r.sine = (cd_real)(sine > 1.0 ? 1.0 : sine);
    return r;
}

static cd_planes_common cdi_common_some(cd_planes_kind kind, cdi_v3 point, cdi_v3 dir, double sine) {
    cd_planes_common r = cdi_common_nothing(sine);
    r.kind = (uint32_t)kind;
    r.line.origin = cdi_vec3_or_infinity(point);
    r.line.dir = cdi_v3_round(dir);
    return r;
}

/* ---- two ---- */

/* d n' - d' n, a vector in the plane of the normals: 0 when parallel planes are one. */
static cdi_v3 cdi_common_lean(const cdi_common *s, int i, int j) {
    cdi_v3 n = s->n[i], m = s->n[j];
    double x = cdi_common_det2(s->d[i], s->d[j], n.x, m.x), y = cdi_common_det2(s->d[i], s->d[j], n.y, m.y);
    return cdi_v3_make(x, y, cdi_common_det2(s->d[i], s->d[j], n.z, m.z));
}

/* The line of two planes that are not parallel, `along` the cross product of their normals, nearest to the origin at
 * lean x along / along^2. The two are perpendicular, so that nothing cancels. */
static cdi_v3 cdi_common_nearest(const cdi_common *s, int i, int j, cdi_v3 along) {
    cdi_v3 unit = cdi_v3_normalize(along), lean = cdi_common_lean(s, i, j);
    return cdi_common_quotients(s, cdi_v3_cross(lean, unit), cdi_v3_length(along));
}

static double cdi_common_sine(const cdi_common *s, int i, int j, cdi_v3 along) {
    return cdi_v3_length(along) / (cdi_v3_length(s->n[i]) * cdi_v3_length(s->n[j]));
}

/* One plane, as plane 0 has it. */
static cd_planes_common cdi_common_one(const cdi_common *s) {
    cdi_v3 unit = cdi_v3_normalize(s->n[0]);
    cdi_v3 point = cdi_common_quotients(s, cdi_v3_scale(unit, s->d[0]), cdi_v3_length(s->n[0]));
    return cdi_common_some(CD_PLANES_PLANE, point, unit, 0.0);
}

CD_API cd_planes_common cd_intersect_plane_plane(const cd_plane *a, const cd_plane *b) {
    const cd_plane *both[2];
    cdi_common s;
    cdi_v3 along;
    both[0] = a;
    both[1] = b;
    if (!cdi_common_make(&s, both, 2)) return cdi_common_nothing(cdi_nan());
    along = cdi_common_cross(s.n[0], s.n[1]);
    if (!cdi_v3_is_zero(along)) {
        return cdi_common_some(CD_PLANES_LINE, cdi_common_nearest(&s, 0, 1, along), cdi_v3_normalize(along),
                               cdi_common_sine(&s, 0, 1, along));
    }
    return cdi_v3_is_zero(cdi_common_lean(&s, 0, 1)) ? cdi_common_one(&s) : cdi_common_nothing(0.0);
}

/* ---- three ---- */

/* The determinant with the places in column `axis`. */
static double cdi_common_numerator(const cdi_common *s, int axis) {
    cdi_v3 row[3];
    for (int i = 0; i < 3; ++i) {
        row[i] = s->n[i];
        if (axis == 0) row[i].x = s->d[i];
        if (axis == 1) row[i].y = s->d[i];
        if (axis == 2) row[i].z = s->d[i];
    }
    return cdi_common_det3(row[0], row[1], row[2]);
}

/* The line of the two planes that are farthest from parallel, or the one plane, for three that are parallel to a line
 * and have a point in common. */
static cd_planes_common cdi_common_line_of_three(const cdi_common *s) {
    cdi_v3 best = cdi_v3_make(0.0, 0.0, 0.0);
    double most = 0.0;
    int first = 0;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 along = cdi_common_cross(s->n[i], s->n[(i + 1) % 3]);
        double sine = cdi_common_sine(s, i, (i + 1) % 3, along);
        if (cdi_v3_is_zero(along) || (sine <= most && !cdi_v3_is_zero(best))) continue;
        most = sine;
        first = i;
        best = along;
    }
    if (cdi_v3_is_zero(best)) return cdi_common_one(s);
    return cdi_common_some(CD_PLANES_LINE, cdi_common_nearest(s, first, (first + 1) % 3, best),
                           cdi_v3_normalize(best), 0.0);
}

/* For planes whose normals have determinant 0. If two are not parallel, a common point means that the places depend on each
 * other as the normals do: all determinants with them are 0. If all are parallel, they are 0 anyway, and each pair has to be
 * one. */
static bool cdi_common_agree(const cdi_common *s) {
    bool parallel = true;
    for (int i = 0; i < 3 && parallel; ++i)
        parallel = cdi_v3_is_zero(cdi_common_cross(s->n[i], s->n[(i + 1) % 3]));
    for (int i = 0; i < 3; ++i) {
        if (parallel ? !cdi_v3_is_zero(cdi_common_lean(s, i, (i + 1) % 3))
                     : cdi_common_numerator(s, i) != 0.0)
            return false;
    }
    return true;
}

CD_API cd_planes_common cd_intersect_planes3(const cd_plane *a, const cd_plane *b, const cd_plane *c) {
    const cd_plane *all[3];
    cdi_common s;
    cdi_v3 p;
    double det, lengths;
    all[0] = a;
    all[1] = b;
    all[2] = c;
    if (!cdi_common_make(&s, all, 3)) return cdi_common_nothing(cdi_nan());
    det = cdi_common_det3(s.n[0], s.n[1], s.n[2]);
    if (det == 0.0) return cdi_common_agree(&s) ? cdi_common_line_of_three(&s) : cdi_common_nothing(0.0);
    lengths = cdi_v3_length(s.n[0]) * cdi_v3_length(s.n[1]) * cdi_v3_length(s.n[2]);
    p.x = cdi_common_numerator(&s, 0);
    p.y = cdi_common_numerator(&s, 1);
    p.z = cdi_common_numerator(&s, 2);
    return cdi_common_some(CD_PLANES_POINT, cdi_common_quotients(&s, p, det), cdi_v3_make(0.0, 0.0, 0.0),
                           cdi_abs(det) / lengths);
}

#undef CDI_PLAIN2_ENOUGH
#undef CDI_PLAIN3_ENOUGH
#undef CDI_TWOFOLD_ENOUGH
#undef CDI_NO_UNDERFLOW
#undef CDI_COMMON_TOP
