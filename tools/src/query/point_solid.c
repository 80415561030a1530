#include "query/point_solid.h"
#include "core/angle.h"
#include "query/crossing3d.h"
#include "query/locate.h"

/* ---- triangles ---- */

CD_API int cd_locate_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 at = cdi_v3_of(p);
    if (!cdi_v3_finite(at) || !cdi_tri_finite(&d)) return -1;
    return cdi_tri_holds(&d, at) ? 0 : -1;
}

/* ---- half-spaces ---- */

CD_API int cd_locate_point_halfspaces(cd_vec3 p, const cd_plane *planes, size_t count) {
    int least = cd_vec3_is_valid(p) ? 1 : -1;
    for (size_t i = 0; i < count && least >= 0; ++i) {
        int side = cd_locate_point_plane(p, planes[i]);
        if (side < least) least = side;
    }
    return least;
}

CD_API bool cd_test_point_halfspaces(cd_vec3 p, const cd_plane *planes, size_t count) {
    return cd_locate_point_halfspaces(p, planes, count) >= 0;
}

/* ---- closed meshes ---- */

/* Triangle i in doubles; false when an index is out of range or a corner is not finite. */
static bool cdi_mesh_tri(const cd_mesh_view *mesh, uint32_t i, cdi_tri *out) {
    cd_triangle t;
    if (!cd_mesh_triangle(mesh, i, &t)) return false;
    *out = cdi_tri_of(&t);
    return cdi_tri_finite(out);
}

/* All triangles against the points; false for a bad mesh. */
static bool cdi_probe_mesh(cdi_probe *q, size_t count, const cd_mesh_view *mesh) {
    if (!cd_mesh_view_is_valid(mesh)) return false;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cdi_tri t;
        cdi_v3 lo, hi;
        if (!cdi_mesh_tri(mesh, i, &t)) return false;
        cdi_tri_bounds(&t, &lo, &hi);
        for (size_t k = 0; k < count; ++k) cdi_probe_triangle(&q[k], &t, &lo, &hi);
    }
    return true;
}

static int cdi_probe_verdict(const cdi_probe *q, cd_fill_rule fill) {
    return cdi_v3_finite(q->p) ? cdi_rounds_verdict(&q->around, fill) : -1;
}

CD_API int cd_locate_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, cd_fill_rule fill) {
    cdi_probe q = cdi_probe_of(p);
    return cdi_probe_mesh(&q, 1, mesh) ? cdi_probe_verdict(&q, fill) : -1;
}

CD_API bool cd_test_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, cd_fill_rule fill) {
    return cd_locate_point_mesh(p, mesh, fill) >= 0;
}

CD_API bool cd_winding_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, int *out) {
    cdi_probe q = cdi_probe_of(p);
    if (!cdi_v3_finite(q.p) || !cdi_probe_mesh(&q, 1, mesh) || q.around.on) return false;
    if (out) *out = cdi_rounds_number(&q.around);
    return true;
}

#define CDI_PROBES 64

CD_API void cd_locate_points_mesh(const cd_vec3 *points, size_t count, const cd_mesh_view *mesh,
                                  cd_fill_rule fill, int8_t *out) {
    cdi_probe q[CDI_PROBES];
    for (size_t begin = 0, n; begin < count; begin += n) {
        bool good;
        n = count - begin < CDI_PROBES ? count - begin : CDI_PROBES;
        for (size_t k = 0; k < n; ++k) q[k] = cdi_probe_of(points[begin + k]);
        good = cdi_probe_mesh(q, n, mesh);
        for (size_t k = 0; k < n; ++k) out[begin + k] = (int8_t)(good ? cdi_probe_verdict(&q[k], fill) : -1);
    }
}

#undef CDI_PROBES

/* ---- the generalised winding number ----
 * Half a solid angle is the angle of a vector (x, y) of the plane. Angles are added by turning one vector by all of them,
 * one after another, and counting how often it comes around: one arc tangent for the whole mesh. */

/* The angle of (x, y), from above -pi to pi, and 2 pi times `around`. */
typedef struct cdi_turning {
    double x, y;
    int64_t around;
} cdi_turning;

static double cdi_turning_part(double a, double b, double c, double d) {
    return a * d - b * c;
}

/* Turns by the angle of the unit vector (x, y). Two angles of 0...pi together are beyond pi when the sum points down, or
 * when both were beyond pi / 2; two of -pi...0 are beyond -pi when it points up, or straight back. */
static void cdi_turning_add(cdi_turning *s, double x, double y) {
    double re = cdi_turning_part(s->x, s->y, y, x), im = cdi_turning_part(s->x, s->y, 0.0 - x, y);
    if (s->y >= 0.0 && y >= 0.0 && (im < 0.0 || (s->x < 0.0 && x < 0.0))) ++s->around;
    if (s->y < 0.0 && y < 0.0 && (im > 0.0 || (im == 0.0 && re < 0.0))) --s->around;
    s->x = re;
    s->y = im;
}

/* The same for a vector of any length, with y not 0: where it is lost beside x, its sign is kept. */
static void cdi_turning_toward(cdi_turning *s, double x, double y) {
    double size = cdi_max(cdi_abs(x), cdi_abs(y)), side = y > 0.0 ? 1e-300 : -1e-300;
    x /= size;
    y /= size;
    size = cdi_sqrt(x * x + y * y);
    x /= size;
    y /= size;
    cdi_turning_add(s, x, y == 0.0 ? side : y);
}

/* The angle of a vector that is not zero, -pi...pi. */
static double cdi_turning_angle(double x, double y) {
    const double quarter = 1.5707963267948966;
    double length = cdi_sqrt(x * x + y * y), c = cdi_abs(x) / length, s = cdi_abs(y) / length;
    double angle = s <= c ? cdi_angle_of(s, c) : quarter - cdi_angle_of(c, s);
    if (x < 0.0) angle = 2.0 * quarter - angle;
    return y < 0.0 ? -angle : angle;
}

#ifdef COLLIDE_DOUBLE
/* Point and triangle by a power of two, where products of three lengths could leave the range. */
static void cdi_turning_scale(cdi_v3 *p, cdi_tri *t) {
    double most = cdi_v3_max_abs(*p);
    int e;
    for (int i = 0; i < 3; ++i) most = cdi_max(most, cdi_v3_max_abs(t->v[i]));
    e = cdi_exponent(most);
    if (e >= -250 && e <= 250) return;
    *p = cdi_v3_scale2(*p, -e);
    for (int i = 0; i < 3; ++i) t->v[i] = cdi_v3_scale2(t->v[i], -e);
}
#endif

/* Van Oosterom and Strackee: with a, b, c the corners from the point, the tangent of half the angle is det (a, b, c) over
 * |a| |b| |c| + (a.b) |c| + (b.c) |a| + (c.a) |b|. Not beyond the point itself: a triangle that it lies in the plane of. */
static void cdi_turning_triangle(cdi_turning *s, cdi_v3 p, cdi_tri t) {
    cdi_v3 a, b, c;
    double la, lb, lc, x, y;
#ifdef COLLIDE_DOUBLE
    cdi_turning_scale(&p, &t);
#endif
    y = cdi_orient3d(t.v[0], t.v[1], t.v[2], p);
    if (y == 0.0) return;
    a = cdi_v3_sub(t.v[0], p);
    b = cdi_v3_sub(t.v[1], p);
    c = cdi_v3_sub(t.v[2], p);
    la = cdi_sqrt(cdi_v3_sqlength(a));
    lb = cdi_sqrt(cdi_v3_sqlength(b));
    lc = cdi_sqrt(cdi_v3_sqlength(c));
    x = la * lb * lc + cdi_v3_dot(a, b) * lc + cdi_v3_dot(b, c) * la + cdi_v3_dot(c, a) * lb;
    cdi_turning_toward(s, x, y);
}

CD_API cd_real cd_winding_number_mesh(cd_vec3 p, const cd_mesh_view *mesh) {
    const double turn = 6.283185307179586;
    cdi_v3 at = cdi_v3_of(p);
    cdi_turning s;
    s.x = 1.0;
    s.y = 0.0;
    s.around = 0;
    if (!cdi_v3_finite(at) || !cd_mesh_view_is_valid(mesh)) return (cd_real)cdi_nan();
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cdi_tri t;
        if (!cdi_mesh_tri(mesh, i, &t)) return (cd_real)cdi_nan();
        cdi_turning_triangle(&s, at, t);
    }
    return (cd_real)((double)s.around + cdi_turning_angle(s.x, s.y) / turn);
}

CD_API bool cd_test_point_mesh_winding(cd_vec3 p, const cd_mesh_view *mesh, cd_real threshold) {
    return cd_winding_number_mesh(p, mesh) >= threshold;
}
