#include "shape/side3d.h"

/* Bounds of the rounding error relative to the sum of the terms' magnitudes, u = 2^-53. A dot product of differences: two
 * u for these, one for the product, two for the sums, rounded up to 8 u. A product of cross products: four u for each of
 * the two, three for the rest, rounded up to 16 u. A product that underflows is off by less than CDI_SIDE_UNDERFLOW. */
#define CDI_SIDE_LEAST     1e-280
#define CDI_SIDE_UNDERFLOW 1e-250
#define CDI_ALONG_BOUND    8.881784197001252e-16
#define CDI_EDGE_BOUND     1.7763568394002505e-15

CDI_FN void cdi_exact_vector(cdi_arena *arena, cdi_v3 a, cdi_v3 b, cdi_exact *out) {
    out[0] = cdi_exact_diff(arena, a.x, b.x);
    out[1] = cdi_exact_diff(arena, a.y, b.y);
    out[2] = cdi_exact_diff(arena, a.z, b.z);
}

CDI_FN cdi_exact cdi_exact_dot(cdi_arena *arena, const cdi_exact *a, const cdi_exact *b) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_mul(arena, a[0], b[0]);
    for (int i = 1; i < 3; ++i) {
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, a[i], b[i])));
    }
    return sum;
}

static CDI_COLD int cdi_along_sign_exact(cdi_v3 a, cdi_v3 b, cdi_v3 p) {
    uint32_t limbs[14 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 14 * CDI_EXACT_LIMBS);
    cdi_exact ab[3], ap[3];
    if (!cdi_v3_finite(a) || !cdi_v3_finite(b) || !cdi_v3_finite(p)) return 0;
    cdi_exact_vector(&arena, b, a, ab);
    cdi_exact_vector(&arena, p, a, ap);
    return cdi_exact_dot(&arena, ab, ap).sign;
}

CDI_FN int cdi_along_sign(cdi_v3 a, cdi_v3 b, cdi_v3 p) {
    cdi_v3 ab = cdi_v3_sub(b, a), ap = cdi_v3_sub(p, a);
    double x = ab.x * ap.x, y = ab.y * ap.y, z = ab.z * ap.z, dot = x + y + z;
    double error = CDI_ALONG_BOUND * (cdi_abs(x) + cdi_abs(y) + cdi_abs(z)) + CDI_SIDE_LEAST;
    if (dot > error || -dot > error) return cdi_sign(dot);
    return cdi_along_sign_exact(a, b, p);
}

static CDI_COLD int cdi_height_sign_exact(cdi_v3 d, cdi_v3 o, double s, cdi_v3 p) {
    uint32_t limbs[16 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 16 * CDI_EXACT_LIMBS);
    cdi_exact n[3], op[3], dot;
    if (!cdi_v3_finite(d) || !cdi_v3_finite(o) || !cdi_v3_finite(p) || !cdi_finite(s)) return 0;
    cdi_exact_vector(&arena, d, cdi_v3_make(0.0, 0.0, 0.0), n);
    cdi_exact_vector(&arena, p, o, op);
    dot = cdi_exact_dot(&arena, n, op);
    return cdi_exact_sub(&arena, dot, cdi_exact_of(&arena, s)).sign;
}

CDI_FN int cdi_height_sign(cdi_v3 d, cdi_v3 o, double s, cdi_v3 p) {
    cdi_v3 op = cdi_v3_sub(p, o);
    double x = d.x * op.x, y = d.y * op.y, z = d.z * op.z, height = x + y + z - s;
    double size = cdi_abs(x) + cdi_abs(y) + cdi_abs(z) + cdi_abs(s);
    double error = CDI_ALONG_BOUND * size + CDI_SIDE_LEAST;
    if (height > error || -height > error) return cdi_sign(height);
    return cdi_height_sign_exact(d, o, s, p);
}

CDI_FN cdi_exact cdi_exact_edge(cdi_arena *arena, cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p) {
    int start = arena->used, mark;
    cdi_exact ab[3], ac[3], ap[3], sum = cdi_exact_of(arena, 0.0);
    cdi_exact_vector(arena, b, a, ab);
    cdi_exact_vector(arena, c, a, ac);
    cdi_exact_vector(arena, p, a, ap);
    mark = arena->used;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        cdi_exact n = cdi_exact_det2(arena, ab[i], ab[j], ac[i], ac[j]);
        cdi_exact x = cdi_exact_det2(arena, ab[i], ab[j], ap[i], ap[j]);
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, n, x)));
    }
    return cdi_exact_keep(arena, start, sum);
}

static CDI_COLD int cdi_edge_sign_exact(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p) {
    uint32_t limbs[CDI_EDGE_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_EDGE_ROOM);
    if (!cdi_v3_finite(a) || !cdi_v3_finite(b) || !cdi_v3_finite(c) || !cdi_v3_finite(p)) return 0;
    return cdi_exact_edge(&arena, a, b, c, p).sign;
}

/* The sizes of the terms of each component of a x b. */
static cdi_v3 cdi_cross_sizes(cdi_v3 a, cdi_v3 b) {
    cdi_v3 s;
    s.x = cdi_abs(a.y * b.z) + cdi_abs(a.z * b.y) + CDI_SIDE_UNDERFLOW;
    s.y = cdi_abs(a.z * b.x) + cdi_abs(a.x * b.z) + CDI_SIDE_UNDERFLOW;
    s.z = cdi_abs(a.x * b.y) + cdi_abs(a.y * b.x) + CDI_SIDE_UNDERFLOW;
    return s;
}

CDI_FN int cdi_edge_sign(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 p) {
    cdi_v3 ab = cdi_v3_sub(b, a), ac = cdi_v3_sub(c, a), ap = cdi_v3_sub(p, a);
    double dot = cdi_v3_dot(cdi_v3_cross(ab, ac), cdi_v3_cross(ab, ap));
    double size = cdi_v3_dot(cdi_cross_sizes(ab, ac), cdi_cross_sizes(ab, ap));
    double error = CDI_EDGE_BOUND * size + CDI_SIDE_LEAST;
    if (dot > error || -dot > error) return cdi_sign(dot);
    return cdi_edge_sign_exact(a, b, c, p);
}

#undef CDI_SIDE_LEAST
#undef CDI_SIDE_UNDERFLOW
#undef CDI_ALONG_BOUND
#undef CDI_EDGE_BOUND
