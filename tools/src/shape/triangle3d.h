#pragma once
/* triangle3d (internal): a triangle of doubles, and what is common to the routines on it. */

#include "core/orient.h"
#include "core/pose.h"
#include "shape/linear.h"

typedef struct cdi_tri {
    cdi_v3 v[3];
} cdi_tri;

CDI_INLINE cdi_tri cdi_tri_of(const cd_triangle *t) {
    cdi_tri r;
    r.v[0] = cdi_v3_of(t->a);
    r.v[1] = cdi_v3_of(t->b);
    r.v[2] = cdi_v3_of(t->c);
    return r;
}

CDI_INLINE bool cdi_tri_finite(const cdi_tri *t) {
    return cdi_v3_finite(t->v[0]) && cdi_v3_finite(t->v[1]) && cdi_v3_finite(t->v[2]);
}

CDI_INLINE void cdi_tri_bounds(const cdi_tri *t, cdi_v3 *lo, cdi_v3 *hi) {
    const cdi_v3 *v = t->v;
    *lo = cdi_v3_make(cdi_min(cdi_min(v[0].x, v[1].x), v[2].x), cdi_min(cdi_min(v[0].y, v[1].y), v[2].y),
                      cdi_min(cdi_min(v[0].z, v[1].z), v[2].z));
    *hi = cdi_v3_make(cdi_max(cdi_max(v[0].x, v[1].x), v[2].x), cdi_max(cdi_max(v[0].y, v[1].y), v[2].y),
                      cdi_max(cdi_max(v[0].z, v[1].z), v[2].z));
}

CDI_INLINE bool cdi_tri_bounds_meet(const cdi_tri *a, const cdi_tri *b) {
    cdi_v3 alo, ahi, blo, bhi;
    cdi_tri_bounds(a, &alo, &ahi);
    cdi_tri_bounds(b, &blo, &bhi);
    return alo.x <= bhi.x && blo.x <= ahi.x && alo.y <= bhi.y && blo.y <= ahi.y && alo.z <= bhi.z &&
           blo.z <= ahi.z;
}

/* (b - a) x (c - a), each component to about the last place of the largest, of the interface's numbers. */
CDI_FN cdi_v3 cdi_cross_at(cdi_v3 a, cdi_v3 b, cdi_v3 c);

/* How much of the product of the two edges' lengths has to be left of the cross product for it to be good. */
#ifdef COLLIDE_DOUBLE
#define CDI_CROSS_LEFT 1e-12
#else
#define CDI_CROSS_LEFT 1e-7
#endif

/* The normal, right also for needles, as long as twice the area, or unit; zero exactly when the corners are collinear. */
CDI_FN cdi_v3 cdi_tri_cross(const cdi_tri *t);
CDI_FN cdi_v3 cdi_tri_normal(const cdi_tri *t);

/* From where to where a triangle reaches along a vector. */
CDI_INLINE void cdi_tri_shade(const cdi_tri *t, cdi_v3 n, double *lo, double *hi) {
    double x = cdi_v3_dot(n, t->v[0]), y = cdi_v3_dot(n, t->v[1]), z = cdi_v3_dot(n, t->v[2]);
    *lo = cdi_min(cdi_min(x, y), z);
    *hi = cdi_max(cdi_max(x, y), z);
}
