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

/* The public form; false, with `out` untouched, where the numbers left the range, far outside the domain. */
CDI_FN bool cdi_tri_hit_write(cd_hit *out, const cdi_tri_hit *h, const cdi_tri *t, const cdi_ray *r,
                              uint32_t index);

/* ---- a sure miss, which is soon told ---- */

#define CDI_PASS_BOUND 8e-15
#define CDI_PASS_LEAST 1e-290 /* above what underflow takes in the domain */
#define CDI_PASS_MOST  1e290  /* below it no product overflows */

/* Signs of three numbers beyond a bound, without a branch. */
CDI_INLINE unsigned cdi_some_above(double a, double b, double c, double bound) {
    return (unsigned)(a > bound) | (unsigned)(b > bound) | (unsigned)(c > bound);
}
CDI_INLINE bool cdi_sides_differ(double a, double b, double c, double bound) {
    return (cdi_some_above(a, b, c, bound) & cdi_some_above(-a, -b, -c, bound) &
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
