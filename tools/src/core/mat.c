#include "core/mat.h"
#include "core/cramer.h"

/* ---- 2x2 ---- */

CD_API cd_mat2 cd_mat2_from_columns(cd_vec2 x, cd_vec2 y) {
    cd_mat2 m;
    m.col[0] = x;
    m.col[1] = y;
    return m;
}

CD_API cd_mat2 cd_mat2_identity(void) {
    return cd_mat2_from_columns(cd_vec2_make(1, 0), cd_vec2_make(0, 1));
}

CD_API cd_vec2 cd_mat2_mul_vec(const cd_mat2 *m, cd_vec2 v) {
    cd_mat2 rows = cd_mat2_transpose(m);
    return cd_vec2_make(cd_vec2_dot(rows.col[0], v), cd_vec2_dot(rows.col[1], v));
}

CD_API cd_mat2 cd_mat2_mul(const cd_mat2 *a, const cd_mat2 *b) {
    return cd_mat2_from_columns(cd_mat2_mul_vec(a, b->col[0]), cd_mat2_mul_vec(a, b->col[1]));
}

CD_API cd_mat2 cd_mat2_transpose(const cd_mat2 *m) {
    return cd_mat2_from_columns(cd_vec2_make(m->col[0].x, m->col[1].x),
                                cd_vec2_make(m->col[0].y, m->col[1].y));
}

CD_API cd_real cd_mat2_determinant(const cd_mat2 *m) {
    return cd_vec2_cross(m->col[0], m->col[1]);
}

CD_API bool cd_mat2_inverse(const cd_mat2 *m, cd_mat2 *out) {
    cdi_m3 d = cdi_m3_of_mat2(m);
    cdi_cramer a;
    if (!cdi_cramer_of(&d, &a)) return false;
    d = cdi_cramer_inverse(&a);
    if (out) {
        *out = cd_mat2_from_columns(cd_vec2_make((cd_real)d.c[0].x, (cd_real)d.c[0].y),
                                    cd_vec2_make((cd_real)d.c[1].x, (cd_real)d.c[1].y));
    }
    return true;
}

/* ---- 3x3 ---- */

CD_API cd_mat3 cd_mat3_from_columns(cd_vec3 x, cd_vec3 y, cd_vec3 z) {
    cd_mat3 m;
    m.col[0] = x;
    m.col[1] = y;
    m.col[2] = z;
    return m;
}

CD_API cd_mat3 cd_mat3_identity(void) {
    return cd_mat3_from_columns(cd_vec3_make(1, 0, 0), cd_vec3_make(0, 1, 0), cd_vec3_make(0, 0, 1));
}

CD_API cd_mat3 cd_mat3_diagonal(cd_vec3 d) {
    return cd_mat3_from_columns(cd_vec3_make(d.x, 0, 0), cd_vec3_make(0, d.y, 0), cd_vec3_make(0, 0, d.z));
}

CD_API cd_mat3 cd_mat3_outer(cd_vec3 a, cd_vec3 b) {
    return cd_mat3_from_columns(cd_vec3_scale(a, b.x), cd_vec3_scale(a, b.y), cd_vec3_scale(a, b.z));
}

CD_API cd_mat3 cd_mat3_skew(cd_vec3 v) {
    return cd_mat3_from_columns(cd_vec3_make(0, v.z, -v.y), cd_vec3_make(-v.z, 0, v.x),
                                cd_vec3_make(v.y, -v.x, 0));
}

CD_API cd_mat3 cd_mat3_add(const cd_mat3 *a, const cd_mat3 *b) {
    return cd_mat3_from_columns(cd_vec3_add(a->col[0], b->col[0]), cd_vec3_add(a->col[1], b->col[1]),
                                cd_vec3_add(a->col[2], b->col[2]));
}

CD_API cd_mat3 cd_mat3_sub(const cd_mat3 *a, const cd_mat3 *b) {
    return cd_mat3_from_columns(cd_vec3_sub(a->col[0], b->col[0]), cd_vec3_sub(a->col[1], b->col[1]),
                                cd_vec3_sub(a->col[2], b->col[2]));
}

CD_API cd_mat3 cd_mat3_scale(const cd_mat3 *m, cd_real s) {
    return cd_mat3_from_columns(cd_vec3_scale(m->col[0], s), cd_vec3_scale(m->col[1], s),
                                cd_vec3_scale(m->col[2], s));
}

CD_API cd_vec3 cd_mat3_mul_vec(const cd_mat3 *m, cd_vec3 v) {
    cdi_m3 d = cdi_m3_of(m);
    return cdi_v3_round(cdi_m3_mul_v3(&d, cdi_v3_of(v)));
}

CD_API cd_vec3 cd_mat3_mul_vec_transposed(const cd_mat3 *m, cd_vec3 v) {
    cdi_m3 d = cdi_m3_of(m);
    return cdi_v3_round(cdi_m3_tmul_v3(&d, cdi_v3_of(v)));
}

CD_API cd_mat3 cd_mat3_mul(const cd_mat3 *a, const cd_mat3 *b) {
    cdi_m3 p = cdi_m3_of(a), q = cdi_m3_of(b), r = cdi_m3_mul(&p, &q);
    return cdi_m3_round(&r);
}

CD_API cd_mat3 cd_mat3_transpose(const cd_mat3 *m) {
    cdi_m3 d = cdi_m3_of(m), t = cdi_m3_transpose(&d);
    return cdi_m3_round(&t);
}

CD_API cd_real cd_mat3_trace(const cd_mat3 *m) {
    return (cd_real)((double)m->col[0].x + (double)m->col[1].y + (double)m->col[2].z);
}

CD_API cd_real cd_mat3_determinant(const cd_mat3 *m) {
    return cd_triple(m->col[0], m->col[1], m->col[2]);
}

CD_API bool cd_mat3_inverse(const cd_mat3 *m, cd_mat3 *out) {
    cdi_m3 d = cdi_m3_of(m);
    cdi_cramer a;
    if (!cdi_cramer_of(&d, &a)) return false;
    d = cdi_cramer_inverse(&a);
    if (out) *out = cdi_m3_round(&d);
    return true;
}

CD_API bool cd_mat3_is_valid(const cd_mat3 *m) {
    return cd_vec3_is_valid(m->col[0]) && cd_vec3_is_valid(m->col[1]) && cd_vec3_is_valid(m->col[2]);
}

CD_API bool cd_mat3_is_rotation(const cd_mat3 *m, cd_real tolerance) {
    cdi_m3 d = cdi_m3_of(m);
    double allowed = tolerance > 0 ? (double)tolerance : 1e-3;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            double error = cdi_v3_dot(d.c[i], d.c[j]) - (i == j ? 1.0 : 0.0);
            if (!(cdi_abs(error) <= allowed)) return false;
        }
    }
    return cdi_v3_dot(cdi_v3_cross(d.c[0], d.c[1]), d.c[2]) > 0.0;
}
