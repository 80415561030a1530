#pragma once
/* ray3d (internal): a ray made ready for many triangles, in double. */

#include "query/cast3d.h"
#include "query/cast_triangle.h"
#include "shape/triangle3d.h"

typedef struct cdi_ray {
    double o[3], d[3], inv[3]; /* inv: 1 / d, not used where d is 0 */
    int kx, ky, kz; /* kz: the axis the ray is longest in; kx, ky keep the handedness of the sheared frame */
    double sx, sy, sz; /* the shear that takes the ray to the z axis, and 1 / d[kz] */
    cdi_v3 origin, dir;
    double t_min;
} cdi_ray;

/* False for a zero direction, which hits no triangle. */
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

/* Does the line o + t d surely miss the triangle? Finite numbers; d may be off by its rounding. */
CDI_FN bool cdi_line_misses(cdi_v3 o, cdi_v3 d, const cdi_tri *t);
