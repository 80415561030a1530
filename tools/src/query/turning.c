#include "query/turning.h"
#include "core/angle.h"

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
CDI_FN void cdi_turning_triangle(cdi_turning *s, cdi_v3 p, const cdi_tri *triangle) {
    cdi_tri t = *triangle;
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

CDI_FN double cdi_turning_number(const cdi_turning *s) {
    const double turn = 6.283185307179586;
    return (double)s->around + cdi_turning_angle(s->x, s->y) / turn;
}
