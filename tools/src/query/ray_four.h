#pragma once
/* ray_four (internal): a ray made ready and four triangles at once. */

#include "core/simd.h"
#include "query/ray3d.h"

/* A corner of each, sheared as one of a single triangle is, bit for bit. */
typedef struct cdi_four_sheared {
    cdi_d4 x, y, z, size;
} cdi_four_sheared;

CDI_INLINE cdi_d4 cdi_d4_largest(cdi_d4 a, cdi_d4 b, cdi_d4 c) {
    return cdi_d4_max(cdi_d4_max(a, b), c);
}

CDI_INLINE cdi_four_sheared cdi_shear_four(const cdi_ray *r, const cdi_d4 corner[3]) {
    const uint32_t *axis = r->axis;
    cdi_d4 x = cdi_d4_sub(corner[axis[0]], cdi_d4_all(r->origin[axis[0]]));
    cdi_d4 y = cdi_d4_sub(corner[axis[1]], cdi_d4_all(r->origin[axis[1]]));
    cdi_four_sheared s;
    s.z = cdi_d4_sub(corner[axis[2]], cdi_d4_all(r->origin[axis[2]]));
    s.size = cdi_d4_largest(cdi_d4_abs(x), cdi_d4_abs(y), cdi_d4_abs(s.z));
    s.x = cdi_d4_sub(x, cdi_d4_mul(cdi_d4_all(r->shear[0]), s.z));
    s.y = cdi_d4_sub(y, cdi_d4_mul(cdi_d4_all(r->shear[1]), s.z));
    return s;
}

/* The weights of the corners, x y - z w, and the depths of the corners. */
typedef struct cdi_four_met {
    double side[3][4], z[3][4];
    uint32_t sure; /* bits of those that are met for certain */
} cdi_four_met;

CDI_INLINE cdi_d4 cdi_four_side(const cdi_four_sheared *p, const cdi_four_sheared *q) {
    return cdi_d4_sub(cdi_d4_mul(p->x, q->y), cdi_d4_mul(p->y, q->x));
}

/* Bits of those that are surely all beyond t. */
CDI_INLINE uint32_t cdi_four_beyond(const cdi_ray *r, cdi_d4 a, cdi_d4 b, cdi_d4 c, double t) {
    cdi_d4 scale = cdi_d4_all(r->shear[2]);
    a = cdi_d4_mul(a, scale);
    b = cdi_d4_mul(b, scale);
    c = cdi_d4_mul(c, scale);
    return cdi_d4_le(cdi_d4_all(cdi_surely_beyond(t)), cdi_d4_min(cdi_d4_min(a, b), c));
}

/* Of four triangles, nine columns of coordinates: bits of those that the line may meet with t up to t_max. */
CDI_INLINE uint32_t cdi_ray_meets_four(const cdi_ray *r, const cdi_d4 v[9], double t_max, cdi_four_met *met) {
    cdi_four_sheared a = cdi_shear_four(r, v), b = cdi_shear_four(r, v + 3), c = cdi_shear_four(r, v + 6);
    cdi_d4 m = cdi_d4_largest(a.size, b.size, c.size), zero = cdi_d4_all(0.0);
    cdi_d4 bound = cdi_d4_mul(cdi_d4_all(CDI_PASS_BOUND), cdi_d4_mul(m, m));
    cdi_d4 of_a = cdi_four_side(&c, &b), of_b = cdi_four_side(&a, &c), of_c = cdi_four_side(&b, &a);
    cdi_d4 least = cdi_d4_min(cdi_d4_min(of_a, of_b), of_c), most = cdi_d4_largest(of_a, of_b, of_c);
    uint32_t told, meet;
    bound = cdi_d4_add(bound, cdi_d4_all(CDI_PASS_LEAST));
    told = cdi_d4_le(bound, cdi_d4_all(CDI_PASS_BOUND * CDI_PASS_MOST));
    meet = ~told | cdi_d4_le(most, bound) | cdi_d4_le(cdi_d4_sub(zero, least), bound);
    meet &= 15u;
    if (meet) meet &= ~cdi_four_beyond(r, a.z, b.z, c.z, t_max);
    if (!meet) return 0;
    met->sure = told & ~(cdi_d4_le(least, bound) & cdi_d4_le(cdi_d4_sub(zero, most), bound));
    cdi_d4_store(met->side[0], of_a);
    cdi_d4_store(met->side[1], of_b);
    cdi_d4_store(met->side[2], of_c);
    cdi_d4_store(met->z[0], a.z);
    cdi_d4_store(met->z[1], b.z);
    cdi_d4_store(met->z[2], c.z);
    return meet;
}
