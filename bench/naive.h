/* naive: textbook forms in plain double, without tolerance or exactness. The benches show them beside the real ones,
 * and small meshes are searched with them triangle by triangle. */
#ifndef BENCH_NAIVE_H
#define BENCH_NAIVE_H

#include <math.h>

typedef struct naive_v3 {
    double x, y, z;
} naive_v3;

static inline naive_v3 naive_make(double x, double y, double z) {
    naive_v3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}
static inline naive_v3 naive_of(const float *p) {
    return naive_make((double)p[0], (double)p[1], (double)p[2]);
}
static inline naive_v3 naive_sub(naive_v3 a, naive_v3 b) {
    return naive_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline naive_v3 naive_along(naive_v3 a, naive_v3 d, double t) {
    return naive_make(a.x + d.x * t, a.y + d.y * t, a.z + d.z * t);
}
static inline double naive_dot(naive_v3 a, naive_v3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline naive_v3 naive_cross(naive_v3 a, naive_v3 b) {
    return naive_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* ---- ray and triangle: Moller and Trumbore ---- */

static inline int naive_ray_triangle(naive_v3 o, naive_v3 d, const naive_v3 tri[3], double *t) {
    naive_v3 e1 = naive_sub(tri[1], tri[0]), e2 = naive_sub(tri[2], tri[0]), s = naive_sub(o, tri[0]);
    naive_v3 p = naive_cross(d, e2), q = naive_cross(s, e1);
    double det = naive_dot(e1, p), inverse = 1.0 / det, u = naive_dot(s, p) * inverse;
    double v = naive_dot(d, q) * inverse;
    *t = naive_dot(e2, q) * inverse;
    return det != 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && *t >= 0.0;
}

/* ---- ray and box: slabs ---- */

static inline void naive_slab(double o, double d, double lo, double hi, double *in, double *out) {
    double inverse = 1.0 / d, p = (lo - o) * inverse, q = (hi - o) * inverse;
    double first = p < q ? p : q, last = p < q ? q : p;
    *in = first > *in ? first : *in;
    *out = last < *out ? last : *out;
}

static inline int naive_ray_box(naive_v3 o, naive_v3 d, naive_v3 lo, naive_v3 hi) {
    double in = 0.0, out = 1e300;
    naive_slab(o.x, d.x, lo.x, hi.x, &in, &out);
    naive_slab(o.y, d.y, lo.y, hi.y, &in, &out);
    naive_slab(o.z, d.z, lo.z, hi.z, &in, &out);
    return in <= out;
}

/* ---- two triangles: separating axes ---- */

/* Does the axis keep the two apart? The zero axis, of parallel edges, does not. */
static inline int naive_axis_separates(naive_v3 axis, const naive_v3 a[3], const naive_v3 b[3]) {
    double alo = 1e300, ahi = -1e300, blo = 1e300, bhi = -1e300;
    for (int i = 0; i < 3; ++i) {
        double s = naive_dot(axis, a[i]), t = naive_dot(axis, b[i]);
        alo = s < alo ? s : alo;
        ahi = s > ahi ? s : ahi;
        blo = t < blo ? t : blo;
        bhi = t > bhi ? t : bhi;
    }
    return ahi < blo || bhi < alo;
}

/* The two normals, the nine crosses of edges, and for coplanar triangles the six normals of edges in the plane. */
static inline int naive_triangle_triangle(const naive_v3 a[3], const naive_v3 b[3]) {
    naive_v3 ea[3], eb[3], na, nb;
    for (int i = 0; i < 3; ++i) {
        ea[i] = naive_sub(a[(i + 1) % 3], a[i]);
        eb[i] = naive_sub(b[(i + 1) % 3], b[i]);
    }
    na = naive_cross(ea[0], ea[1]);
    nb = naive_cross(eb[0], eb[1]);
    if (naive_axis_separates(na, a, b) || naive_axis_separates(nb, a, b)) return 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (naive_axis_separates(naive_cross(ea[i], eb[j]), a, b)) return 0;
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (naive_axis_separates(naive_cross(na, ea[i]), a, b)) return 0;
        if (naive_axis_separates(naive_cross(nb, eb[i]), a, b)) return 0;
    }
    return 1;
}

/* ---- the closest point of a triangle, by its Voronoi regions (Ericson 5.1.5) ---- */

static inline naive_v3 naive_closest_point(naive_v3 p, const naive_v3 t[3]) {
    naive_v3 ab = naive_sub(t[1], t[0]), ac = naive_sub(t[2], t[0]);
    naive_v3 ap = naive_sub(p, t[0]), bp = naive_sub(p, t[1]), cp = naive_sub(p, t[2]);
    double d1 = naive_dot(ab, ap), d2 = naive_dot(ac, ap), d3 = naive_dot(ab, bp), d4 = naive_dot(ac, bp);
    double d5 = naive_dot(ab, cp), d6 = naive_dot(ac, cp), va, vb, vc, sum;
    if (d1 <= 0.0 && d2 <= 0.0) return t[0];
    if (d3 >= 0.0 && d4 <= d3) return t[1];
    if (d6 >= 0.0 && d5 <= d6) return t[2];
    vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return naive_along(t[0], ab, d1 / (d1 - d3));
    vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return naive_along(t[0], ac, d2 / (d2 - d6));
    va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        return naive_along(t[1], naive_sub(t[2], t[1]), (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    sum = va + vb + vc;
    return naive_along(naive_along(t[0], ab, vb / sum), ac, vc / sum);
}

static inline double naive_sqdist(naive_v3 a, naive_v3 b) {
    naive_v3 d = naive_sub(a, b);
    return naive_dot(d, d);
}

#endif
