#pragma once
/* ray_lanes (internal): one ray against as many triangles as a register has lanes: which may it meet?
 *
 * In the interface's numbers, with a bound of the error: what is left out is missed for certain. */

#include "core/lanes.h"
#include "query/ray3d.h"

/* Directions of other lengths get no filter, so that neither they nor their inverses lose digits to underflow. */
#ifdef COLLIDE_DOUBLE
#define CDI_LENGTH_LEAST 1e-150
#define CDI_LENGTH_MOST  1e150
#else
#define CDI_LENGTH_LEAST 1e-30
#define CDI_LENGTH_MOST  1e30
#endif

/* The ray made ready: the sheared frame of cdi_ray, in lanes. */
typedef struct cdi_ray_lanes {
    uint32_t axis[3];
    cdi_lanes o[3], shear[2], scale;
    bool sound; /* the filter may be asked */
} cdi_ray_lanes;

CDI_INLINE cdi_ray_lanes cdi_ray_lanes_of(const cdi_ray *r) {
    cdi_ray_lanes l;
    double length = cdi_abs(r->dir[r->axis[2]]);
    for (int k = 0; k < 3; ++k) {
        l.axis[k] = r->axis[k];
        l.o[k] = cdi_lanes_all((cd_real)r->origin[r->axis[k]]);
    }
    l.sound = length >= CDI_LENGTH_LEAST && length <= CDI_LENGTH_MOST;
    l.shear[0] = cdi_lanes_all((cd_real)r->shear[0]);
    l.shear[1] = cdi_lanes_all((cd_real)r->shear[1]);
    l.scale = cdi_lanes_all(l.sound ? (cd_real)r->shear[2] : 0);
    return l;
}

/* A range of t, widened by what the depths of corners may be off: three roundings. */
typedef struct cdi_depths {
    cdi_lanes first, last;
} cdi_depths;

CDI_INLINE cdi_depths cdi_depths_of(double t_min, double t_max) {
    const double slack = 8.0 * (double)CDI_LANE_U, tiny = (double)CDI_LANE_TINY;
    cdi_depths d;
    d.first = cdi_lanes_all(cdi_real_or_infinity(t_min - cdi_abs(t_min) * slack - tiny));
    d.last = cdi_lanes_all(cdi_real_or_infinity(t_max + cdi_abs(t_max) * slack + tiny));
    return d;
}

/* The corners relative to the origin, sheared. */
typedef struct cdi_sheared_lanes {
    cdi_lanes x, y, z;
} cdi_sheared_lanes;

/* One corner of each, by its coordinates on the ray's axes. */
CDI_INLINE cdi_sheared_lanes cdi_shear_lanes(const cdi_ray_lanes *r, cdi_lanes x, cdi_lanes y, cdi_lanes z) {
    cdi_sheared_lanes s;
    x = cdi_lanes_sub(x, r->o[0]);
    y = cdi_lanes_sub(y, r->o[1]);
    s.z = cdi_lanes_sub(z, r->o[2]);
    s.x = cdi_lanes_sub(x, cdi_lanes_mul(r->shear[0], s.z));
    s.y = cdi_lanes_sub(y, cdi_lanes_mul(r->shear[1], s.z));
    return s;
}

/* Bits of those whose three numbers have, beyond the bound, both signs. */
CDI_INLINE uint32_t cdi_signs_differ(cdi_lanes a, cdi_lanes b, cdi_lanes c, cdi_lanes bound) {
    cdi_lanes least = cdi_lanes_min(cdi_lanes_min(a, b), c), most = cdi_lanes_max(cdi_lanes_max(a, b), c);
    cdi_lanes both = cdi_lanes_min(most, cdi_lanes_sub(cdi_lanes_all(0), least));
    return cdi_lanes_le(bound, cdi_lanes_min(both, cdi_lanes_all(CDI_LANE_HUGE)));
}

/* Bits of those that the line may meet. With u half a unit in the last place, m the largest coordinate relative to the
 * origin and n the largest across the ray, sheared coordinates are off by at most 6 u m and the products by 32 u m n; and
 * m is at most n and the largest depth together. */
CDI_INLINE uint32_t cdi_line_meets8(const cdi_sheared_lanes *a, const cdi_sheared_lanes *b,
                                    const cdi_sheared_lanes *c) {
    cdi_lanes across = cdi_lanes_max(cdi_lanes_size(a->x, b->x, c->x), cdi_lanes_size(a->y, b->y, c->y));
    cdi_lanes all = cdi_lanes_add(across, cdi_lanes_size(a->z, b->z, c->z));
    cdi_lanes bound = cdi_lanes_mul(cdi_lanes_mul(all, across), cdi_lanes_all(40 * CDI_LANE_U));
    bound = cdi_lanes_add(bound, cdi_lanes_all(CDI_LANE_TINY));
    return ~cdi_signs_differ(cdi_lanes_cross(c->x, b->y, c->y, b->x), cdi_lanes_cross(a->x, c->y, a->y, c->x),
                             cdi_lanes_cross(b->x, a->y, b->y, a->x), bound);
}

/* Bits of those whose corners' depths allow a hit in the range. (Hits are inside the bounding box, however the ray grazes
 * the plane.) */
CDI_INLINE uint32_t cdi_depth_fits8(const cdi_ray_lanes *r, const cdi_depths *range, cdi_lanes a, cdi_lanes b,
                                    cdi_lanes c) {
    cdi_lanes least, most;
    a = cdi_lanes_mul(a, r->scale), b = cdi_lanes_mul(b, r->scale), c = cdi_lanes_mul(c, r->scale);
    least = cdi_lanes_min(cdi_lanes_min(a, b), c);
    most = cdi_lanes_max(cdi_lanes_max(a, b), c);
    return cdi_lanes_le(least, range->last) & cdi_lanes_le(range->first, most);
}

/* Bits of the triangles that the ray may meet in the range. */
CDI_INLINE uint32_t cdi_ray_meets_lanes(const cdi_ray_lanes *r, const cdi_depths *range,
                                        const cdi_sheared_lanes *a, const cdi_sheared_lanes *b,
                                        const cdi_sheared_lanes *c) {
    uint32_t meet = cdi_line_meets8(a, b, c) & ((1u << CDI_LANES) - 1u);
    if (meet) meet &= cdi_depth_fits8(r, range, a->z, b->z, c->z);
    return meet;
}
