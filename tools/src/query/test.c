#include "core/orient.h"
#include "query/closest3d.h"
#include "query/locate.h"
#include "query/test.h"
#include "query/triangle_box.h"

/* A squared distance within r^2, for r >= 0; false for NaN. */
static bool cdi_within(double sqdist, cd_real radius) {
    return sqdist <= (double)radius * (double)radius;
}

/* Is some point of the box no farther than r from c? Exact. */
static bool cdi_box_near(cdi_v3 c, cdi_v3 lo, cdi_v3 hi, cdi_diff r) {
    cdi_diff d[3];
    for (int i = 0; i < 3; ++i) {
        double x = cdi_v3_get(c, i);
        d[i] = cdi_diff_of(x, cdi_clamp(x, cdi_v3_get(lo, i), cdi_v3_get(hi, i)));
    }
    return cdi_compare_squares(d, r) <= 0;
}

CD_API bool cd_test_point_sphere(cd_vec3 p, cd_sphere s) {
    cdi_v3 q = cdi_v3_of(p);
    if (!cd_vec3_is_valid(p) || !cd_sphere_is_valid(s)) return false;
    return cdi_box_near(cdi_v3_of(s.center), q, q, cdi_diff_of((double)s.radius, 0.0));
}

CD_API bool cd_test_point_obb(cd_vec3 p, const cd_obb *b) {
    return cd_locate_point_obb(p, b) >= 0;
}

CD_API bool cd_test_sphere_sphere(cd_sphere a, cd_sphere b) {
    cdi_v3 c = cdi_v3_of(b.center);
    if (!cd_sphere_is_valid(a) || !cd_sphere_is_valid(b)) return false;
    return cdi_box_near(cdi_v3_of(a.center), c, c, cdi_diff_of((double)a.radius, -(double)b.radius));
}

CD_API bool cd_test_sphere_aabb(cd_sphere s, cd_aabb b) {
    if (!cd_sphere_is_valid(s) || !cd_aabb_is_valid(b)) return false;
    return cdi_box_near(cdi_v3_of(s.center), cdi_v3_of(b.min), cdi_v3_of(b.max),
                        cdi_diff_of((double)s.radius, 0.0));
}

CD_API bool cd_test_sphere_obb(cd_sphere s, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_make(d.half[0], d.half[1], d.half[2]);
    if (!cd_sphere_is_valid(s) || !cdi_obb_finite(&d)) return false;
    return cdi_within(cdi_sqdist_box(cdi_obb_local(&d, cdi_v3_of(s.center)), cdi_v3_neg(half), half),
                      s.radius);
}

CD_API bool cd_test_sphere_triangle(cd_sphere s, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cd_sphere_is_valid(s) || !cdi_tri_finite(&d)) return false;
    return cdi_within(cdi_near_triangle(cdi_v3_of(s.center), &d).sqdist, s.radius);
}

/* ---- triangle against box ----
 * The thirteen axes of the separating-axis test are read as predicates: the box's faces are comparisons, the
 * triangle's plane is orient3d of the two extreme corners of the box, and the nine crosses of edges are, in the
 * shadow along each axis, orient2d of a triangle's edge and the extreme corner of a rectangle. So every decision is
 * exact. */

static bool cdi_tri_plane_misses_box(const cdi_tri *t, cdi_v3 n, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 least = cdi_v3_make(n.x > 0.0 ? lo.x : hi.x, n.y > 0.0 ? lo.y : hi.y, n.z > 0.0 ? lo.z : hi.z);
    cdi_v3 most = cdi_v3_make(n.x > 0.0 ? hi.x : lo.x, n.y > 0.0 ? hi.y : lo.y, n.z > 0.0 ? hi.z : lo.z);
    if (cdi_v3_is_zero(n)) return false;
    return cdi_orient3d(t->v[0], t->v[1], t->v[2], least) < 0.0 ||
           cdi_orient3d(t->v[0], t->v[1], t->v[2], most) > 0.0;
}

/* Is the rectangle strictly outside the edge p q of a triangle that turns as `turn` says (0: outside on either side)? */
static bool cdi_edge_misses_rectangle(cdi_v2 p, cdi_v2 q, double turn, cdi_v2 lo, cdi_v2 hi) {
    cdi_v2 most, least; /* the corners farthest to the left and to the right of the edge */
    most.x = p.y > q.y ? hi.x : lo.x;
    least.x = p.y > q.y ? lo.x : hi.x;
    most.y = q.x > p.x ? hi.y : lo.y;
    least.y = q.x > p.x ? lo.y : hi.y;
    return (turn >= 0.0 && cdi_orient2d(p, q, most) < 0.0) ||
           (turn <= 0.0 && cdi_orient2d(p, q, least) > 0.0);
}

CDI_FN bool cdi_test_tri_box(const cdi_tri *t, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 tlo, thi, n;
    cdi_tri_bounds(t, &tlo, &thi);
    if (!(tlo.x <= hi.x && lo.x <= thi.x && tlo.y <= hi.y && lo.y <= thi.y && tlo.z <= hi.z &&
          lo.z <= thi.z)) {
        return false;
    }
    n = cdi_exact_normal(t->v[0], t->v[1], t->v[2]);
    if (cdi_tri_plane_misses_box(t, n, lo, hi)) return false;
    for (int axis = 0; axis < 3; ++axis) {
        cdi_v2 l = cdi_v3_drop(lo, axis), h = cdi_v3_drop(hi, axis);
        for (int i = 0; i < 3; ++i) {
            cdi_v2 p = cdi_v3_drop(t->v[i], axis), q = cdi_v3_drop(t->v[(i + 1) % 3], axis);
            if (cdi_edge_misses_rectangle(p, q, cdi_v3_get(n, axis), l, h)) return false;
        }
    }
    return true;
}

CD_API bool cd_test_triangle_aabb(const cd_triangle *t, cd_aabb b) {
    cdi_tri d = cdi_tri_of(t);
    if (!cdi_tri_finite(&d) || !cd_aabb_is_valid(b)) return false;
    return cdi_test_tri_box(&d, cdi_v3_of(b.min), cdi_v3_of(b.max));
}

CD_API bool cd_test_triangle_obb(const cd_triangle *t, const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 half = cdi_v3_make(box.half[0], box.half[1], box.half[2]);
    if (!cdi_tri_finite(&d) || !cdi_obb_finite(&box) || !(half.x >= 0.0 && half.y >= 0.0 && half.z >= 0.0))
        return false;
    for (int i = 0; i < 3; ++i) d.v[i] = cdi_obb_local(&box, d.v[i]);
    return cdi_test_tri_box(&d, cdi_v3_neg(half), half);
}
