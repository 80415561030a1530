#include "shape/ellipsoid.h"
#include "core/pose.h"
#include "shape/ellipsoid3d.h"
#include "shape/shell3d.h"

CD_API bool cd_ellipsoid_is_valid(const cd_ellipsoid *e) {
    return cd_vec3_is_valid(e->center) && cd_vec3_is_valid(e->half) && e->half.x >= 0 && e->half.y >= 0 &&
           e->half.z >= 0 && cd_mat3_is_rotation(&e->axes, 0);
}

/* The half lengths, longest first. */
static void cdi_sorted_half(const cd_ellipsoid *e, double h[3]) {
    cdi_v3_store(h, cdi_v3_of(e->half));
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < 2; ++i) {
            double most = cdi_max(h[i], h[i + 1]);
            h[i + 1] = cdi_min(h[i], h[i + 1]);
            h[i] = most;
        }
    }
}

CD_API cd_real cd_ellipsoid_volume(const cd_ellipsoid *e) {
    double h[3];
    if (!cd_ellipsoid_is_valid(e)) return 0;
    cdi_sorted_half(e, h);
    return (cd_real)(4.1887902047863909846 * (h[0] * h[2]) *
                     h[1]); /* the product that leaves the range last */
}

/* ---- surface ---- */

/* Carlson's R_F and R_D of x, y, z, one duplication after another until their series have all digits. */
static void cdi_carlson(double x, double y, double z, double *rf, double *rd) {
    double a = (x + y + z) / 3.0, d = (x + y + 3.0 * z) / 5.0, power = 1.0, sum = 0.0, p, q, r, e2, e3;
    for (int i = 0; i < 60; ++i) {
        double sx = cdi_sqrt(x), sy = cdi_sqrt(y), sz = cdi_sqrt(z), lambda = sx * sy + sx * sz + sy * sz;
        double spread = cdi_max(cdi_max(cdi_abs(a - x), cdi_abs(a - y)), cdi_abs(a - z));
        if (spread < 1e-3 * a) break;
        sum += power / (sz * (z + lambda));
        power *= 0.25;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
        a = 0.25 * (a + lambda);
        d = 0.25 * (d + lambda);
    }
    p = (a - x) / a;
    q = (a - y) / a;
    r = -(p + q);
    e2 = p * q - r * r;
    e3 = p * q * r;
    *rf = (1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0) / cdi_sqrt(a);
    p = (d - x) / d;
    q = (d - y) / d;
    r = -(p + q) / 3.0;
    e2 = p * q - 6.0 * r * r;
    e3 = (3.0 * p * q - 8.0 * r * r) * r;
    *rd = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 9.0 * (p * q - r * r) * r * r / 22.0;
    *rd += 3.0 * p * q * r * r * r / 26.0 - 9.0 * e2 * e3 / 52.0;
    *rd = power * *rd / (d * cdi_sqrt(d)) + 3.0 * sum;
}

/* 4 pi a b R_G(1, (c/b)^2, (c/a)^2): the middle argument taken for the one that stands out. */
CD_API cd_real cd_ellipsoid_surface_area(const cd_ellipsoid *e) {
    double h[3], z, y, rf, rd, twice;
    if (!cd_ellipsoid_is_valid(e)) return 0;
    cdi_sorted_half(e, h);
    if (h[1] == 0.0) return 0;
    z = h[2] / h[1];
    y = h[2] / h[0];
    if (z < 1e-150) return (cd_real)(6.2831853071795864769 * h[0] * h[1]);
    z *= z;
    y *= y;
    cdi_carlson(1.0, y, z, &rf, &rd);
    twice = z * rf + (1.0 - z) * (z - y) * rd / 3.0 + h[1] / h[0];
    return (cd_real)(6.2831853071795864769 * h[1] * twice * h[0]);
}

/* ---- moved, and its extents ---- */

CD_API cd_ellipsoid cd_ellipsoid_transform(const cd_ellipsoid *e, const cd_transform *pose) {
    cd_ellipsoid r;
    r.center = cd_transform_point(pose, e->center);
    r.half = e->half;
    for (int i = 0; i < 3; ++i) r.axes.col[i] = cd_transform_vector(pose, e->axes.col[i]);
    return r;
}

CD_API cd_vec3 cd_ellipsoid_support(const cd_ellipsoid *e, cd_vec3 dir) {
    cdi_m3 map = cdi_ellipsoid_map(e);
    cdi_v3 w = cdi_v3_normalize(cdi_v3_of(dir)), c = cdi_v3_of(e->center);
    if (!cd_vec3_is_valid(dir) || cdi_v3_is_zero(w)) return e->center;
    w = cdi_v3_normalize(cdi_m3_tmul_v3(&map, w));
    return cdi_v3_round(cdi_v3_add(c, cdi_m3_mul_v3(&map, w)));
}

CD_API cd_aabb cd_aabb_from_ellipsoid(const cd_ellipsoid *e) {
    cdi_m3 map = cdi_ellipsoid_map(e), rows = cdi_m3_transpose(&map);
    double extent[3];
    for (int i = 0; i < 3; ++i) {
        extent[i] = cdi_v3_length(rows.c[i]);
        if (extent[i] > 0.0) extent[i] += extent[i] * 1.7763568394002505e-15 + 1e-322; /* 16 u */
    }
    return cdi_aabb_around(cdi_v3_of(e->center), cdi_v3_make(extent[0], extent[1], extent[2]));
}

/* ---- principal axes ---- */

CDI_FN cdi_m3 cdi_ellipsoid_map(const cd_ellipsoid *e) {
    cdi_m3 m = cdi_m3_of(&e->axes);
    for (int i = 0; i < 3; ++i) m.c[i] = cdi_v3_scale(m.c[i], cdi_v3_get(cdi_v3_of(e->half), i));
    return m;
}

/* Turns two columns until they are perpendicular; false when they were. */
static bool cdi_turn_columns(cdi_v3 *p, cdi_v3 *q) {
    double pp = cdi_v3_sqlength(*p), qq = cdi_v3_sqlength(*q), pq = cdi_v3_dot(*p, *q), cot2, t, c;
    cdi_v3 old = *p;
    if (!(cdi_abs(pq) > 2.220446049250313e-16 * cdi_sqrt(pp) * cdi_sqrt(qq))) return false;
    cot2 = (qq - pp) / (2.0 * pq);
    t = 1.0 / (cdi_abs(cot2) + cdi_sqrt(cot2 * cot2 + 1.0));
    if (cot2 < 0.0) t = -t;
    c = 1.0 / cdi_sqrt(t * t + 1.0);
    *p = cdi_v3_scale(cdi_v3_along(old, *q, -t), c);
    *q = cdi_v3_scale(cdi_v3_along(*q, old, t), c);
    return true;
}

static void cdi_sort_columns(cdi_m3 *f, double half[3]) {
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < 2; ++i) {
            cdi_v3 c = f->c[i];
            double h = half[i];
            if (half[i] >= half[i + 1]) continue;
            f->c[i] = f->c[i + 1];
            f->c[i + 1] = c;
            half[i] = half[i + 1];
            half[i + 1] = h;
        }
    }
}

/* Unit columns for the lengths they had; what is too short to have a direction follows from the rest. */
static void cdi_complete_axes(cdi_m3 *f, const double half[3]) {
    double least = half[0] * 1e-100;
    f->c[0] = half[0] > 0.0 ? cdi_v3_normalize(f->c[0]) : cdi_v3_make(1.0, 0.0, 0.0);
    f->c[1] = half[1] > least ? cdi_v3_normalize(f->c[1]) : cdi_across(f->c[0]);
    f->c[1] = cdi_v3_normalize(cdi_v3_along(f->c[1], f->c[0], -cdi_v3_dot(f->c[1], f->c[0])));
    f->c[2] = cdi_v3_cross(f->c[0], f->c[1]);
}

CDI_FN void cdi_map_axes(const cdi_m3 *map, cdi_m3 *axes, double half[3]) {
    cdi_m3 f = *map;
    double most = cdi_max(cdi_max(cdi_v3_max_abs(f.c[0]), cdi_v3_max_abs(f.c[1])), cdi_v3_max_abs(f.c[2]));
    int shift = most > 0.0 ? -cdi_exponent(most) : 0;
    bool turned = true;
    for (int i = 0; i < 3; ++i) {
        f.c[i] = cdi_v3_make(cdi_scale2(f.c[i].x, shift), cdi_scale2(f.c[i].y, shift),
                             cdi_scale2(f.c[i].z, shift));
    }
    for (int sweep = 0; sweep < 16 && turned; ++sweep) {
        turned = cdi_turn_columns(&f.c[0], &f.c[1]);
        turned = cdi_turn_columns(&f.c[0], &f.c[2]) || turned;
        turned = cdi_turn_columns(&f.c[1], &f.c[2]) || turned;
    }
    for (int i = 0; i < 3; ++i) half[i] = cdi_v3_length(f.c[i]);
    cdi_sort_columns(&f, half);
    cdi_complete_axes(&f, half);
    for (int i = 0; i < 3; ++i) half[i] = cdi_scale2(half[i], -shift);
    *axes = f;
}

CDI_FN cdi_obb cdi_ellipsoid_of(const cd_ellipsoid *e) {
    cdi_m3 map = cdi_ellipsoid_map(e);
    cdi_obb b;
    b.center = cdi_v3_of(e->center);
    cdi_map_axes(&map, &b.axes, b.half);
    return b;
}

/* ---- the nearest point ----
 * With z_i = y_i / e_i and w_i = (e_n / e_i)^2, e_n the shortest half length, the nearest point is e_i q_i with
 * q_i = z_i / (1 - w_i + sigma w_i) and |q| = 1, sigma > 0 (Eberly, "Distance from a point to an ellipsoid"; sigma measured
 * from the pole, so that points near the middle plane keep their digits). 1 / |q| is a concave function of sigma, a power
 * mean of linear ones: Newton's method from below the root stays below it and cannot stray. */

typedef struct cdi_secular {
    double z[3], w[3], rest[3]; /* rest = 1 - w */
    int n;
} cdi_secular;

/* |q|^2, and the sum of q^2 w / (1 - w + sigma w). */
static double cdi_secular_at(const cdi_secular *f, double sigma, double q[3], double *slope) {
    double sum = 0.0;
    *slope = 0.0;
    for (int i = 0; i < f->n; ++i) {
        double den = f->rest[i] + sigma * f->w[i];
        q[i] = f->z[i] == 0.0 ? 0.0 : f->z[i] / den;
        sum += q[i] * q[i];
        if (q[i] != 0.0) *slope += q[i] * q[i] * (f->w[i] / den);
    }
    return sum;
}

static void cdi_secular_root(const cdi_secular *f, double q[3]) {
    double sigma = 0.0, slope, sum;
    for (int i = 0; i < f->n; ++i) sigma = cdi_max(sigma, (f->z[i] - f->rest[i]) / f->w[i]);
    for (int i = 0; i < 64; ++i) {
        double step, size;
        sum = cdi_secular_at(f, sigma, q, &slope);
        size = cdi_sqrt(sum);
        step = (size - 1.0) * (sum / slope);
        if (!(step > 1e-16 * sigma)) break;
        sigma += step;
    }
    sum = cdi_sqrt(cdi_secular_at(f, sigma, q, &slope));
    for (int i = 0; i < f->n; ++i) q[i] /= sum;
}

static void cdi_secular_make(cdi_secular *f, const double e[3], const double y[3], int n) {
    f->n = n;
    for (int i = 0; i < n; ++i) {
        double ratio = e[n - 1] / e[i];
        f->z[i] = cdi_min(y[i] / e[i], 1e120);
        f->w[i] = ratio * ratio;
        f->rest[i] = (1.0 - ratio) * (1.0 + ratio);
    }
}

/* Straight above the middle plane: the point of the surface with sigma = 0, when there is one. */
static bool cdi_near_above(const cdi_secular *f, double q[3]) {
    double sum = 0.0;
    int last = f->n - 1;
    if (f->z[last] != 0.0) return false;
    for (int i = 0; i < last; ++i) {
        q[i] = f->z[i] == 0.0 ? 0.0 : f->z[i] / f->rest[i]; /* infinite for a circle: none then */
        sum += q[i] * q[i];
    }
    if (!(sum < 1.0)) return false;
    q[last] = cdi_sqrt(1.0 - sum);
    return true;
}

/* y >= 0, and 0 on axes that are flat. */
static void cdi_near_octant(const double e[3], const double y[3], bool solid, double x[3]) {
    cdi_secular f;
    double q[3] = {0.0, 0.0, 0.0}, inside = 0.0;
    int n = 3;
    while (n > 0 && e[n - 1] <= 1e-60 * e[0]) { /* flat: its surface is all of it */
        --n;
        solid = true;
    }
    x[0] = x[1] = x[2] = 0.0;
    for (int i = 0; i < n; ++i) inside += y[i] / e[i] * (y[i] / e[i]);
    if (solid && (n == 0 || inside <= 1.0)) {
        for (int i = 0; i < n; ++i) x[i] = y[i];
        return;
    }
    for (;; --n) {
        cdi_secular_make(&f, e, y, n);
        if (cdi_near_above(&f, q)) break;
        if (f.z[n - 1] != 0.0) {
            cdi_secular_root(&f, q);
            break;
        }
    }
    for (int i = 0; i < n; ++i) x[i] = e[i] * q[i];
}

CDI_FN cdi_v3 cdi_near_ellipsoid(const cdi_obb *b, cdi_v3 p, bool solid) {
    double y[3], e[3], up[3], x[3], most = cdi_max(cdi_v3_max_abs(p), b->half[0]);
    int shift = most > 0.0 ? -cdi_exponent(most) : 0;
    cdi_v3_store(y, p);
    for (int i = 0; i < 3; ++i) {
        e[i] = cdi_scale2(b->half[i], shift);
        up[i] = cdi_abs(cdi_scale2(y[i], shift));
    }
    cdi_near_octant(e, up, solid, x);
    for (int i = 0; i < 3; ++i) {
        x[i] = cdi_scale2(x[i], -shift);
        if (y[i] < 0.0) x[i] = 0.0 - x[i];
    }
    return cdi_v3_make(x[0], x[1], x[2]);
}

/* ---- the farthest point from the origin ----
 * The point center + axes e s with |s| = 1 and (m - e_i^2) s_i = e_i y_i, where y is the centre in the ellipsoid's frame and
 * m >= e_0^2 (More and Sorensen 1983). In units of e_0^2, m = 1 + sigma. */

CDI_FN cdi_v3 cdi_farthest_of_ellipsoid(const cdi_obb *b) {
    double y[3], s[3], sigma = 0.0, sum, slope, e0 = b->half[0];
    cdi_v3_store(y, cdi_m3_tmul_v3(&b->axes, b->center));
    if (!(e0 > 1e-280 * cdi_v3_max_abs(b->center))) return b->center; /* quotients would be infinite */
    for (int step = 0; step < 64; ++step) {
        double size, move;
        sum = slope = 0.0;
        for (int i = 0; i < 3; ++i) {
            double r = b->half[i] / e0, gap = (1.0 - r) * (1.0 + r) + sigma, top = r * (y[i] / e0);
            if (step == 0) sigma = cdi_max(sigma, cdi_abs(top) - (1.0 - r) * (1.0 + r));
            gap = cdi_max(gap, 1e-300);
            s[i] = top == 0.0 ? 0.0 : top / gap;
            sum += s[i] * s[i];
            slope += s[i] * s[i] / gap;
        }
        if (step == 0) continue; /* now sigma is where no term is above 1 */
        if (!(sum > 1.0)) break;
        size = cdi_sqrt(sum);
        move = (size - 1.0) * (sum / slope);
        if (!(move > 1e-16 * sigma)) break;
        sigma += move;
    }
    if (sum < 1.0) s[0] += (s[0] < 0.0 ? -1.0 : 1.0) * (cdi_sqrt(s[0] * s[0] + (1.0 - sum)) - cdi_abs(s[0]));
    return cdi_obb_world(b, cdi_v3_make(s[0] * e0, s[1] * b->half[1], s[2] * b->half[2]));
}
