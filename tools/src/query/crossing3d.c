#include "query/crossing3d.h"

/* In the plane, and in the shadow along each axis: one along which the triangle keeps its area is enough, and of one
 * without area three tell all. */
static bool cdi_shadows_hold(const cdi_tri *t, cdi_v3 p) {
    for (int axis = 0; axis < 3; ++axis) {
        cdi_v2 a = cdi_v3_drop(t->v[0], axis), b = cdi_v3_drop(t->v[1], axis);
        if (cdi_locate_triangle2(cdi_v3_drop(p, axis), a, b, cdi_v3_drop(t->v[2], axis)) < 0) return false;
    }
    return true;
}

CDI_FN bool cdi_tri_holds(const cdi_tri *t, cdi_v3 p) {
    return cdi_orient3d(t->v[0], t->v[1], t->v[2], p) == 0.0 && cdi_shadows_hold(t, p);
}

CDI_FN cdi_probe cdi_probe_of(cd_vec3 p) {
    cdi_probe q;
    q.p = cdi_v3_of(p);
    q.around.winding = 0;
    q.around.on = false;
    return q;
}

/* The ray meets the triangle where its shadow in the x y plane holds the point, unless the triangle lies below. Then it leaves
 * by the front when the shadow turns counter-clockwise. */
CDI_FN void cdi_probe_triangle(cdi_probe *q, const cdi_tri *t, const cdi_v3 *lo, const cdi_v3 *hi) {
    cdi_v3 p = q->p;
    cdi_v2 at, v[3];
    int turn, side;
    if (p.x < lo->x || p.x > hi->x || p.y < lo->y || p.y > hi->y || p.z > hi->z) return;
    at = cdi_v3_drop(p, 2);
    for (int i = 0; i < 3; ++i) v[i] = cdi_v3_drop(t->v[i], 2);
    turn = cdi_crossing(v[0], v[1], at) + cdi_crossing(v[1], v[2], at) + cdi_crossing(v[2], v[0], at);
    if (p.z < lo->z) {
        q->around.winding += turn;
        return;
    }
    side = cdi_sign(cdi_orient3d(t->v[0], t->v[1], t->v[2], p));
    if (side == 0) {
        if (cdi_shadows_hold(t, p)) q->around.on = true;
    } else if (side * turn > 0) {
        q->around.winding += turn;
    }
}
