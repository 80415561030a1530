#include "shape/obb_hold.h"

/* How much of the rounding of long or slanted axes gets into what is measured along their dual ones; infinite without volume.
 * The relative error of a dual axis is below 40 units times the cubes of both sizes. */
static double cdi_hold_loss(const cdi_hold *h, double det) {
    double a = 1.0, d = 1.0;
    for (int i = 0; i < 3; ++i) {
        a = cdi_max(cdi_v3_max_abs(h->axes.c[i]), a);
        d = cdi_max(cdi_v3_max_abs(h->dual.c[i]), d);
    }
    if (det == 0.0) return cdi_infinity();
    return a <= 1.01 && d <= 1.01 ? 1.0 : a * d * (1.0 + 12.0 * (a * a * a) * (d * d * d));
}

CDI_FN cdi_hold cdi_hold_begin(cdi_v3 center, const cdi_m3 *axes) {
    cdi_hold h;
    double det;
    h.center = center;
    h.axes = *axes;
    for (int i = 0; i < 3; ++i) h.dual.c[i] = cdi_v3_cross(axes->c[(i + 1) % 3], axes->c[(i + 2) % 3]);
    det = cdi_v3_dot(h.dual.c[0], axes->c[0]);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 n = h.dual.c[i];
        h.dual.c[i] = det != 0.0 ? cdi_v3_make(n.x / det, n.y / det, n.z / det) : axes->c[i];
    }
    h.loss = cdi_hold_loss(&h, det);
    h.half = cdi_v3_make(0.0, 0.0, 0.0);
    return h;
}

/* The body's reach from the centre in units of w. */
static double cdi_hold_reach(const cdi_obb *body, cdi_v3 d, cdi_v3 w) {
    double r = cdi_abs(cdi_v3_dot(d, w));
    for (int i = 0; i < 3; ++i) r += cdi_abs(cdi_v3_dot(body->axes.c[i], w)) * body->half[i];
    return r;
}

/* All that is rounded on the way, the dual axes included, is below 25 units of the last place of the sum of the lengths; and
 * below 20 of the smallest numbers. */
CDI_FN void cdi_hold_body(cdi_hold *h, const cdi_obb *body, double slack) {
    cdi_v3 d = cdi_v3_sub(body->center, h->center);
    double sum = cdi_abs(d.x) + cdi_abs(d.y) + cdi_abs(d.z), half[3], margin;
    for (int i = 0; i < 3; ++i)
        sum += body->half[i] *
               (cdi_abs(body->axes.c[i].x) + cdi_abs(body->axes.c[i].y) + cdi_abs(body->axes.c[i].z));
    margin = h->loss * (3e-15 * sum + 2.0 * slack);
    if (sum > 0.0) margin += h->loss * 1e-322;
    cdi_v3_store(half, h->half);
    for (int i = 0; i < 3; ++i) {
        double along = cdi_hold_reach(body, d, h->axes.c[i]), across = cdi_hold_reach(body, d, h->dual.c[i]);
        half[i] = cdi_max(half[i], cdi_max(along, across) + margin);
    }
    h->half = cdi_v3_make(half[0], half[1], half[2]);
}

CDI_FN void cdi_hold_point(cdi_hold *h, cdi_v3 p, double slack) {
    cdi_obb point;
    cdi_clear(&point, sizeof point);
    point.center = p;
    cdi_hold_body(h, &point, slack);
}

CDI_FN cd_real cdi_real_up(double x) {
    return x > (double)CD_REAL_MAX ? (cd_real)cdi_infinity() : 0 - cdi_round_down(0.0 - x, 0.0);
}

CDI_FN cd_vec3 cdi_hold_half(const cdi_hold *h) {
    return cd_vec3_make(cdi_real_up(h->half.x), cdi_real_up(h->half.y), cdi_real_up(h->half.z));
}
