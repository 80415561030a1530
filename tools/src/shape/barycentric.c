#include "shape/barycentric.h"
#include "shape/side3d.h"
#include "shape/triangle3d.h"

/* The weight of corner i is n . x / n . n, with the normal n and x = (v[j]-p) x (v[k]-p) of the two other corners. As
 * parts of the lengths |n| |x| and of the product of the two edges in x, with u = 2^-53:
 * float: x is off by 16 u of that product, n by 1.5e-8;
 * double: x and n by u each, and x by 1e-30 of that product; the dot product adds 3 u. */
#ifdef COLLIDE_DOUBLE
#define CDI_WEIGHT_NOISE     1e-30
#define CDI_WEIGHT_BOUND     6.661338147750939e-16
#define CDI_WEIGHT_TOLERANCE 1.7763568394002505e-15
#else
#define CDI_WEIGHT_NOISE     1.7763568394002505e-15
#define CDI_WEIGHT_BOUND     2e-8
#define CDI_WEIGHT_TOLERANCE 1e-7
#endif

/* The quotient, within two units in the last place; both are first brought near 1 by a power of two. */
static double cdi_exact_ratio(cdi_exact num, cdi_exact den) {
    int shift = den.low + den.n;
    num.low -= shift;
    den.low -= shift;
    return cdi_exact_to_double(num) / cdi_exact_to_double(den);
}

static CDI_COLD void cdi_weights_exact(const cdi_tri *t, cdi_v3 p, double w[3]) {
    uint32_t limbs[CDI_EDGE_LIMBS + CDI_EDGE_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_EDGE_LIMBS + CDI_EDGE_ROOM);
    const cdi_v3 *v = t->v;
    cdi_exact den = cdi_exact_edge(&arena, v[0], v[1], v[2], v[2]);
    int mark = arena.used;
    for (int i = 0; i < 3; ++i) {
        w[i] = cdi_exact_ratio(cdi_exact_edge(&arena, v[(i + 1) % 3], v[(i + 2) % 3], v[i], p), den);
        arena.used = mark;
    }
}

/* False when they may be off by more than they should. */
static bool cdi_weights_fast(const cdi_tri *t, cdi_v3 n, cdi_v3 p, double w[3]) {
    double square = cdi_v3_sqlength(n), length = cdi_sqrt(square), error = 0.0, largest = 0.0;
    if (!(square > 1e-290 && square < 1e290)) return false;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 b = t->v[(i + 1) % 3], c = t->v[(i + 2) % 3], x = cdi_cross_at(p, b, c);
        double size = cdi_v3_max_abs(cdi_v3_sub(b, p)) * cdi_v3_max_abs(cdi_v3_sub(c, p));
        double off = CDI_WEIGHT_NOISE * size + CDI_WEIGHT_BOUND * cdi_sqrt(cdi_v3_sqlength(x));
        double dot = cdi_v3_dot(n, x);
        if (!(off * length < 1e290)) return false;
        error = cdi_max(error, off * length);
        largest = cdi_max(largest, cdi_abs(dot));
        w[i] = dot / square;
    }
    return error <= CDI_WEIGHT_TOLERANCE * largest;
}

/* n is not 0, and all is finite. */
static cd_vec3 cdi_weights(const cdi_tri *t, cdi_v3 n, cdi_v3 p) {
    double w[3];
    if (!cdi_weights_fast(t, n, p, w)) cdi_weights_exact(t, p, w);
    return cd_vec3_make(cdi_real_of(w[0]), cdi_real_of(w[1]), cdi_real_of(w[2]));
}

#undef CDI_WEIGHT_NOISE
#undef CDI_WEIGHT_BOUND
#undef CDI_WEIGHT_TOLERANCE

/* The normal; false when there is none, or something is not finite. */
static bool cdi_weights_normal(const cdi_tri *t, cdi_v3 p, cdi_v3 *n) {
    if (!cdi_tri_finite(t) || !cdi_v3_finite(p)) return false;
    *n = cdi_tri_cross(t);
    return !cdi_v3_is_zero(*n);
}

static bool cdi_weights_checked(const cdi_tri *t, cdi_v3 p, cd_vec3 *out) {
    cdi_v3 n;
    if (!cdi_weights_normal(t, p, &n)) return false;
    if (out) *out = cdi_weights(t, n, p);
    return true;
}

CD_API bool cd_barycentric(const cd_triangle *t, cd_vec3 p, cd_vec3 *out) {
    cdi_tri d = cdi_tri_of(t);
    return cdi_weights_checked(&d, cdi_v3_of(p), out);
}

/* The shadow along an axis, in the plane z = 0. */
static cdi_v3 cdi_v3_flatten(cdi_v3 v, int axis) {
    cdi_v2 s = cdi_v3_drop(v, axis);
    return cdi_v3_make(s.x, s.y, 0.0);
}

static int cdi_largest_axis(cdi_v3 n) {
    double x = cdi_abs(n.x), y = cdi_abs(n.y), z = cdi_abs(n.z);
    if (x >= y && x >= z) return 0;
    return y >= z ? 1 : 2;
}

CD_API bool cd_barycentric_projected(const cd_triangle *t, cd_vec3 p, cd_vec3 *out) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 n, q = cdi_v3_of(p);
    int axis;
    if (!cdi_weights_normal(&d, q, &n)) return false;
    axis = cdi_largest_axis(n);
    for (int i = 0; i < 3; ++i) d.v[i] = cdi_v3_flatten(d.v[i], axis);
    return cdi_weights_checked(&d, cdi_v3_flatten(q, axis), out);
}

static cdi_v3 cdi_v3_of_vec2(cd_vec2 v) {
    return cdi_v3_make((double)v.x, (double)v.y, 0.0);
}

CD_API bool cd_barycentric2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 p, cd_vec3 *out) {
    cdi_tri d;
    d.v[0] = cdi_v3_of_vec2(a);
    d.v[1] = cdi_v3_of_vec2(b);
    d.v[2] = cdi_v3_of_vec2(c);
    return cdi_weights_checked(&d, cdi_v3_of_vec2(p), out);
}
