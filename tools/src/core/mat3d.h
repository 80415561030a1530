#pragma once
/* mat3d (internal): 3x3 matrices of doubles. */

#include "core/mat.h"
#include "core/vec3d.h"

typedef struct cdi_m3 {
    cdi_v3 c[3]; /* columns */
} cdi_m3;

CDI_INLINE cdi_m3 cdi_m3_of(const cd_mat3 *m) {
    cdi_m3 r;
    for (int i = 0; i < 3; ++i) r.c[i] = cdi_v3_of(m->col[i]);
    return r;
}
CDI_INLINE cd_mat3 cdi_m3_round(const cdi_m3 *m) {
    cd_mat3 r;
    for (int i = 0; i < 3; ++i) r.col[i] = cdi_v3_round(m->c[i]);
    return r;
}
/* M v */
CDI_INLINE cdi_v3 cdi_m3_mul_v3(const cdi_m3 *m, cdi_v3 v) {
    return cdi_v3_make(m->c[0].x * v.x + m->c[1].x * v.y + m->c[2].x * v.z,
                       m->c[0].y * v.x + m->c[1].y * v.y + m->c[2].y * v.z,
                       m->c[0].z * v.x + m->c[1].z * v.y + m->c[2].z * v.z);
}
/* transposed M times v */
CDI_INLINE cdi_v3 cdi_m3_tmul_v3(const cdi_m3 *m, cdi_v3 v) {
    return cdi_v3_make(cdi_v3_dot(m->c[0], v), cdi_v3_dot(m->c[1], v), cdi_v3_dot(m->c[2], v));
}
CDI_INLINE cdi_m3 cdi_m3_transpose(const cdi_m3 *m) {
    cdi_m3 r;
    r.c[0] = cdi_v3_make(m->c[0].x, m->c[1].x, m->c[2].x);
    r.c[1] = cdi_v3_make(m->c[0].y, m->c[1].y, m->c[2].y);
    r.c[2] = cdi_v3_make(m->c[0].z, m->c[1].z, m->c[2].z);
    return r;
}
CDI_INLINE cdi_m3 cdi_m3_mul(const cdi_m3 *a, const cdi_m3 *b) {
    cdi_m3 r;
    for (int i = 0; i < 3; ++i) r.c[i] = cdi_m3_mul_v3(a, b->c[i]);
    return r;
}
