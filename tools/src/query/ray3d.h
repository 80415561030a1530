#pragma once
/* ray3d (internal): a ray made ready for many triangles, in double. */

#include "query/cast3d.h"
#include "query/prepared.h"
#include "shape/triangle3d.h"

/* Of it the test takes the ray, the inverse, the shear, which takes the ray to the z axis, the axes, and t_min. */
typedef cd_prepared_ray cdi_ray;

CDI_INLINE cdi_v3 cdi_ray_origin(const cdi_ray *r) {
    return cdi_v3_make(r->origin[0], r->origin[1], r->origin[2]);
}
CDI_INLINE cdi_v3 cdi_ray_dir(const cdi_ray *r) {
    return cdi_v3_make(r->dir[0], r->dir[1], r->dir[2]);
}

/* Fills what the test takes; false for a zero direction, which hits no triangle and has no more than the ray and t_min. */
CDI_FN bool cdi_ray_prepare(cdi_ray *r, const cdi_cast *c);

/* Where a ray meets a triangle; `t` in double, so that near hits are told apart before rounding. */
typedef struct cdi_tri_hit {
    double t, u, v;
    uint32_t feature, flags;
} cdi_tri_hit;

/* The hit with t in [r->t_min, t_max], by the culling flags of cd_cast_flag; `hit` is untouched when false. */
CDI_FN bool cdi_ray_tri(const cdi_ray *r, const cdi_tri *t, uint32_t flags, double t_max, cdi_tri_hit *hit);

/* The same where it is known that the line meets the triangle: its weights `sides` and the depths of the corners are those
 * that cdi_ray_look_at or cdi_ray_meets_four found. */
CDI_FN bool cdi_ray_tri_met(const cdi_ray *r, const cdi_tri *t, const double sides[3], const double z[3],
                            uint32_t flags, double t_max, cdi_tri_hit *hit);

/* The public form; false, with `out` untouched, where the numbers left the range, far outside the domain. */
CDI_FN bool cdi_tri_hit_write(cd_hit *out, const cdi_tri_hit *h, const cdi_tri *t, const cdi_ray *r,
                              uint32_t index);

/* ---- how far along the ray ---- */

/* t put into the range in which the line is inside the triangle's bounding box. */
CDI_INLINE double cdi_clamp_to_bounds(const cdi_ray *r, const cdi_tri *t, double at) {
    double lo[3], hi[3], in = -CDI_HUGE, out = CDI_HUGE;
    cdi_v3 lo3, hi3;
    cdi_tri_bounds(t, &lo3, &hi3);
    cdi_v3_store(lo, lo3);
    cdi_v3_store(hi, hi3);
    for (int i = 0; i < 3; ++i) {
        double p, q;
        if (r->dir[i] == 0.0) continue;
        p = (lo[i] - r->origin[i]) * r->inverse[i];
        q = (hi[i] - r->origin[i]) * r->inverse[i];
        in = cdi_max(cdi_min(p, q), in);
        out = cdi_min(cdi_max(p, q), out);
    }
    return cdi_max(cdi_min(at, out), in);
}

/* Where the ray crosses the plane with that normal through p. */
CDI_INLINE double cdi_plane_parameter(const cdi_ray *r, cdi_v3 n, cdi_v3 p) {
    return cdi_v3_dot(n, cdi_v3_sub(p, cdi_ray_origin(r))) / cdi_v3_dot(n, cdi_ray_dir(r));
}

/* To the sum of two numbers of the interface's type, which is how a list of hits keeps it. */
CDI_INLINE double cdi_round_parameter(double t) {
    cd_real high = (cd_real)t, low = (cd_real)(t - (double)high);
    return (double)high + (double)low;
}

/* What the t of all corners has to be beyond for their triangle's to be above t_max: that one is rounded, where it is
 * tiny by more than in proportion. */
CDI_INLINE double cdi_surely_beyond(double t_max) {
#ifdef COLLIDE_DOUBLE
    const double least = 1e-290;
#else
    const double least = 1e-44;
#endif
    return cdi_max(t_max, 0.0) * (1.0 + 1e-13) + least;
}

/* Weights whose signs agree made a hit, all but t; false where culled. */
CDI_FN bool cdi_tri_hit_of_sides(const double sides[3], uint32_t flags, cdi_tri_hit *hit);

/* ---- a sure miss, which is soon told ---- */

#define CDI_PASS_BOUND 8e-15
#define CDI_PASS_LEAST 1e-290 /* above what underflow takes in the domain */
#define CDI_PASS_MOST  1e290  /* below it no product overflows */

/* Is one of three numbers above a bound, and one below the opposite? A corner that is not a number leaves two such weights,
 * and no answer. */
CDI_INLINE bool cdi_sides_differ(double a, double b, double c, double bound) {
    double least = cdi_min(cdi_min(a, b), c), most = cdi_max(cdi_max(a, b), c);
    return ((unsigned)(most > bound) & (unsigned)(least < -bound) &
            (unsigned)(bound <= CDI_PASS_BOUND * CDI_PASS_MOST)) != 0;
}

/* Does the line o + t d surely miss the triangle? Finite numbers; d may be off by its rounding. The three products as they stand,
 * without a ray made ready: one triangle is done sooner. With u = 2^-53, m the largest coordinate relative to the origin and k
 * the largest of the direction, they are off by at most 60 u k m^2, where d is rounded too. */
CDI_HOT bool cdi_line_misses(cdi_v3 o, cdi_v3 d, const cdi_tri *t) {
    cdi_v3 a = cdi_v3_sub(t->v[0], o), b = cdi_v3_sub(t->v[1], o), c = cdi_v3_sub(t->v[2], o);
    cdi_v3 across = cdi_v3_cross(d, a);
    double of_a = cdi_v3_dot(d, cdi_v3_cross(c, b)), of_b = cdi_v3_dot(across, c),
           of_c = -cdi_v3_dot(across, b);
    double m = cdi_max(cdi_max(cdi_v3_max_abs(a), cdi_v3_max_abs(b)), cdi_v3_max_abs(c));
    double bound = CDI_PASS_BOUND * (m * m * cdi_v3_max_abs(d)) + CDI_PASS_LEAST;
    return cdi_sides_differ(of_a, of_b, of_c, bound);
}

/* ---- a triangle's three products with a ray made ready ---- */

/* A corner relative to the origin, and sheared so that the ray is the z axis. */
typedef struct cdi_sheared {
    double x, y, z, size;
} cdi_sheared;

/* Of the corner relative to the origin, by the ray's axes. */
CDI_HOT cdi_sheared cdi_shear(const cdi_ray *r, double x, double y, double z) {
    cdi_sheared s;
    s.x = x - r->shear[0] * z;
    s.y = y - r->shear[1] * z;
    s.z = z;
    s.size = cdi_max(cdi_max(cdi_abs(x), cdi_abs(y)), cdi_abs(z));
    return s;
}

/* The weights of the corners, their depths, and whether all the signs are certain and alike. */
typedef struct cdi_ray_look {
    double side[3], z[3];
    bool sure;
} cdi_ray_look;

CDI_INLINE bool cdi_all_above(double a, double b, double c, double bound) {
    return ((unsigned)(a > bound) & (unsigned)(b > bound) & (unsigned)(c > bound)) != 0;
}

/* False for a sure miss.
 *
 * With u = 2^-53 and m the largest coordinate relative to the origin, a sheared coordinate is off by at most 6 u m,
 * and a product of two minus a product of two by at most 64 u m^2: CDI_PASS_BOUND m^2. */
CDI_HOT bool cdi_ray_look_at(cdi_sheared a, cdi_sheared b, cdi_sheared c, cdi_ray_look *l) {
    double of_a = c.x * b.y - c.y * b.x, of_b = a.x * c.y - a.y * c.x, of_c = b.x * a.y - b.y * a.x;
    double m = cdi_max(cdi_max(a.size, b.size), c.size), bound = CDI_PASS_BOUND * (m * m) + CDI_PASS_LEAST;
    if (cdi_sides_differ(of_a, of_b, of_c, bound)) return false;
    l->side[0] = of_a, l->side[1] = of_b, l->side[2] = of_c;
    l->z[0] = a.z, l->z[1] = b.z, l->z[2] = c.z;
    l->sure = cdi_all_above(of_a, of_b, of_c, bound) || cdi_all_above(-of_a, -of_b, -of_c, bound);
    return true;
}

/* The same for nine coordinates as they lie in memory, which are read by the ray's axes. */
CDI_HOT bool cdi_ray_look_at_row(const cdi_ray *r, const cd_real *v, cdi_ray_look *l) {
    const cd_real *x = v + r->axis[0], *y = v + r->axis[1], *z = v + r->axis[2];
    double ox = r->origin[r->axis[0]], oy = r->origin[r->axis[1]], oz = r->origin[r->axis[2]];
    cdi_sheared a = cdi_shear(r, (double)x[0] - ox, (double)y[0] - oy, (double)z[0] - oz),
                b = cdi_shear(r, (double)x[3] - ox, (double)y[3] - oy, (double)z[3] - oz),
                c = cdi_shear(r, (double)x[6] - ox, (double)y[6] - oy, (double)z[6] - oz);
    return cdi_ray_look_at(a, b, c, l);
}
