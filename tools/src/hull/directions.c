#include "hull/directions.h"

CDI_FN double cdi_unit_scale(const cd_hull *hull) {
    cd_aabb box = cd_hull_bounds(hull);
    double size = cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(box.max), cdi_v3_of(box.min)));
    return cdi_exp2i(-cdi_exponent(size));
}

static void cdi_add_spread(double c[6], cdi_v3 v) {
    c[0] += v.x * v.x;
    c[1] += v.y * v.x;
    c[2] += v.y * v.y;
    c[3] += v.z * v.x;
    c[4] += v.z * v.y;
    c[5] += v.z * v.z;
}

CDI_FN cdi_round_frame cdi_round_frame_of(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_v3 center = cdi_v3_of(p.center);
    double scale = cdi_unit_scale(hull), share = 1.0 / (double)p.vertex_count;
    double c[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, least;
    cdi_round_frame f;
    for (uint32_t i = 0; i < p.vertex_count; ++i)
        cdi_add_spread(c, cdi_v3_scale(cdi_v3_sub(cdi_v3_of(p.vertices[i]), center), scale));
    for (int k = 0; k < 6; ++k) c[k] *= share;
    least = 1e-24 * (c[0] + c[2] + c[5]);
    f.l[0] = cdi_sqrt(cdi_max(c[0], least));
    f.l[1] = c[1] / f.l[0];
    f.l[2] = cdi_sqrt(cdi_max(c[2] - f.l[1] * f.l[1], least));
    f.l[3] = c[3] / f.l[0];
    f.l[4] = (c[4] - f.l[3] * f.l[1]) / f.l[2];
    f.l[5] = cdi_sqrt(cdi_max(c[5] - f.l[3] * f.l[3] - f.l[4] * f.l[4], least));
    return f;
}

CDI_FN cdi_v3 cdi_round_direction(const cdi_round_frame *f, cdi_v3 u) {
    double z = u.z / f->l[5], y = (u.y - f->l[4] * z) / f->l[2],
           x = (u.x - f->l[1] * y - f->l[3] * z) / f->l[0];
    return cdi_v3_normalize(cdi_v3_make(x, y, z));
}

CDI_FN cdi_v3 cdi_cube_direction(uint32_t i, uint32_t n) {
    double u[3];
    uint32_t side = i / (n * n), row = i / n % n, column = i % n;
    if (row % 2) column = n - 1 - column; /* there and back, so that the next is near */
    u[side % 3] = side < 3 ? 1.0 : -1.0;
    u[(side + 1) % 3] = (2.0 * row + 1.0) / n - 1.0;
    u[(side + 2) % 3] = (2.0 * column + 1.0) / n - 1.0;
    return cdi_v3_make(u[0], u[1], u[2]);
}
