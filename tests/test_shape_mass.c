/* Masses of shapes. What is cut in two by a plane through it has the mass of both parts less that of the cut, however it is rounded: that takes
 * tetrahedra, hulls, k-DOPs, polygons and boxes down to balls, without any other reference. Round bodies are cut into many slices whose radius
 * is found by a search; ellipsoids are integrated over their normals; what is stretched has integrals that are mapped. */
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;
#define PI 3.14159265358979323846264338327950288L

/* ---- integrals of 1, x and x x^T about the origin ---- */

typedef struct sums {
    real m, x[3], xx[3][3];
} sums;

static sums sums_of(const cd_mass *m) {
    sums s;
    real half = ((real)m->inertia[0][0] + (real)m->inertia[1][1] + (real)m->inertia[2][2]) / 2;
    s.m = (real)m->mass;
    for (int i = 0; i < 3; ++i) {
        s.x[i] = s.m * (real)m->center[i];
        for (int k = 0; k < 3; ++k)
            s.xx[i][k] = (i == k ? half : 0) - (real)m->inertia[i][k] + s.x[i] * (real)m->center[k];
    }
    return s;
}

static sums mass_sums(const cd_shape *s) {
    cd_mass m;
    memset(&m, 0, sizeof m);
    CHECK_INT(cd_shape_mass(s, 1, &m), CD_OK);
    return sums_of(&m);
}

static void add(sums *to, const sums *s, real factor) {
    to->m += factor * s->m;
    for (int i = 0; i < 3; ++i) {
        to->x[i] += factor * s->x[i];
        for (int k = 0; k < 3; ++k) to->xx[i][k] += factor * s->xx[i][k];
    }
}

/* Of what is mapped by the scale. */
static sums stretched(const sums *s, cd_vec3 by) {
    real f[3] = {(real)by.x, (real)by.y, (real)by.z}, det = fabsl(f[0] * f[1] * f[2]);
    sums r = *s;
    r.m *= det;
    for (int i = 0; i < 3; ++i) {
        r.x[i] *= det * f[i];
        for (int k = 0; k < 3; ++k) r.xx[i][k] *= det * f[i] * f[k];
    }
    return r;
}

/* Of a mass about its center, diagonal there. */
static sums sums_about(real m, const real c[3], const real spread[3]) {
    sums s;
    s.m = m;
    for (int i = 0; i < 3; ++i) {
        s.x[i] = m * c[i];
        for (int k = 0; k < 3; ++k) s.xx[i][k] = m * c[i] * c[k] + (i == k ? spread[i] : 0);
    }
    return s;
}

static bool same(const sums *got, const sums *want, double off) {
    real size = fabsl(want->m), far = 0;
    bool held = CHECK_NEAR(got->m, want->m, off * (double)size);
    for (int k = 0; k < 3; ++k) far += want->xx[k][k];
    for (int i = 0; i < 3; ++i) {
        held = CHECK_NEAR(got->x[i], want->x[i], off * (double)sqrtl(size * far)) && held;
        for (int k = 0; k < 3; ++k)
            held = CHECK_NEAR(got->xx[i][k], want->xx[i][k], off * (double)far) && held;
    }
    return held;
}

/* ---- drawing ---- */

static cd_vec3 whole(test_rng *rng, int step) {
    cd_vec3 p;
    p.x = (cd_real)(step * test_int(rng, -4, 4));
    p.y = (cd_real)(step * test_int(rng, -4, 4));
    p.z = (cd_real)(step * test_int(rng, -4, 4));
    return p;
}

static cd_vec3 middle(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_scale(cd_vec3_add(a, b), (cd_real)0.5);
}

static cd_vec3 factors(test_rng *rng) {
    static const double f[6] = {1, 2, -1, 0.5, -0.25, 3};
    cd_vec3 by;
    by.x = (cd_real)f[test_int(rng, 0, 5)];
    by.y = (cd_real)f[test_int(rng, 0, 5)];
    by.z = (cd_real)f[test_int(rng, 0, 5)];
    return by;
}

/* How all parts of a cut are stretched and rounded. */
typedef struct form {
    cd_vec3 scale;
    cd_real radius;
} form;

static form form_of(test_rng *rng) {
    form f;
    f.scale = cd_vec3_make(0, 0, 0);
    if (test_int(rng, 0, 1)) f.scale = factors(rng);
    f.radius = (cd_real)(test_int(rng, 0, 3) ? test_range(rng, 0.01, 3) : 0);
    return f;
}

static sums formed(cd_shape s, const form *f) {
    s.scale = f->scale;
    s.radius += f->radius;
    return mass_sums(&s);
}

/* Whole - left - right + cut is nothing. */
static void check_cut(const sums *all, const sums *left, const sums *right, const sums *cut, double off) {
    sums t = *left;
    add(&t, right, 1);
    add(&t, cut, -1);
    same(&t, all, off);
}

static const double fine = 1e-11;

/* ---- cuts ---- */

static cd_shape segment_of(cd_vec3 a, cd_vec3 b) {
    cd_segment s;
    s.a = a;
    s.b = b;
    return cd_shape_of_segment(&s);
}

static cd_shape triangle_of(cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    cd_triangle t;
    t.a = a;
    t.b = b;
    t.c = c;
    return cd_shape_of_triangle(&t);
}

static cd_shape tetrahedron_of(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    cd_tetrahedron t;
    t.a = a;
    t.b = b;
    t.c = c;
    t.d = d;
    return cd_shape_of_tetrahedron(&t);
}

/* A ball by hand, then segments, triangles and tetrahedra, each cut through the middle of an edge. */
static void simplices_in_two(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        cd_vec3 p[4], m;
        form f = form_of(&rng);
        sums all, left, right, cut;
        real c[3], r = (real)f.radius, v = 4 * PI / 3 * r * r * r, spread[3];
        for (int k = 0; k < 4; ++k) p[k] = whole(&rng, 2);
        m = middle(p[0], p[1]);
        test_note("cut");
        test_note_reals("p", &p[0].x, 12);
        test_note_reals("form", &f.scale.x, 4);
        cut = formed(cd_shape_of_point(m), &f);
        for (int k = 0; k < 3; ++k) {
            double by = (double)(&f.scale.x)[k];
            c[k] = (real)((double)(&m.x)[k] * (by == 0 ? 1 : by));
            spread[k] = v * r * r / 5;
        }
        all = sums_about(v, c, spread);
        same(&cut, &all, fine);
        all = formed(segment_of(p[0], p[1]), &f);
        left = formed(segment_of(p[0], m), &f);
        right = formed(segment_of(m, p[1]), &f);
        check_cut(&all, &left, &right, &cut, fine);
        all = formed(triangle_of(p[0], p[1], p[2]), &f);
        left = formed(triangle_of(p[0], m, p[2]), &f);
        right = formed(triangle_of(p[2], m, p[1]), &f);
        cut = formed(segment_of(m, p[2]), &f);
        check_cut(&all, &left, &right, &cut, fine);
        all = formed(tetrahedron_of(p[0], p[1], p[2], p[3]), &f);
        left = formed(tetrahedron_of(p[0], m, p[2], p[3]), &f);
        right = formed(tetrahedron_of(m, p[1], p[3], p[2]), &f);
        cut = formed(triangle_of(p[3], m, p[2]), &f);
        check_cut(&all, &left, &right, &cut, fine);
    }
}

/* Corners of a polygon of whole numbers, in order around. */
static int polygon_of(test_rng *rng, cd_vec3 *p) {
    static const int xy[12][2] = {{6, 0},  {5, 3},   {3, 5},   {0, 6},  {-3, 5}, {-5, 3},
                                  {-6, 0}, {-5, -3}, {-3, -5}, {0, -6}, {3, -5}, {5, -3}};
    int count = 0, tilt = test_int(rng, -2, 2);
    for (int i = 0; i < 12; ++i) {
        if (count + 12 - i > 4 && test_int(rng, 0, 2) == 0) continue;
        p[count++] = cd_vec3_make((cd_real)xy[i][0], (cd_real)xy[i][1], (cd_real)(tilt * xy[i][0]));
    }
    return count;
}

static void polygons_in_two(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i > 0; --i) {
        cd_vec3 p[12], left[12], right[12];
        int n = polygon_of(&rng, p), k = test_int(&rng, 2, n - 2), a = 0, b = 0;
        form f = form_of(&rng);
        sums s[4];
        for (int j = 0; j <= k; ++j) left[a++] = p[j];
        for (int j = k; j <= n; ++j) right[b++] = p[j % n];
        test_note("polygon");
        test_note_reals("p", &p[0].x, 3 * n);
        test_note_reals("form", &f.scale.x, 4);
        s[0] = formed(cd_shape_of_polygon(p, (uint32_t)n), &f);
        s[1] = formed(cd_shape_of_polygon(left, (uint32_t)a), &f);
        s[2] = formed(cd_shape_of_polygon(right, (uint32_t)b), &f);
        s[3] = formed(segment_of(p[0], p[k]), &f);
        check_cut(&s[0], &s[1], &s[2], &s[3], fine);
    }
}

static cd_hull hull_over(const cd_vec3 *p, int n, cd_vec3 apex) {
    cd_vec3 all[13];
    cd_hull h;
    for (int i = 0; i < n; ++i) all[i] = p[i];
    all[n] = apex;
    CHECK_INT(cd_hull3_build(&h, all, (size_t)n + 1, NULL), CD_OK);
    return h;
}

/* A pyramid, cut through its apex and a diagonal. */
static void hulls_in_two(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        cd_vec3 p[12], side[12], apex = whole(&rng, 2);
        int n = polygon_of(&rng, p), k = test_int(&rng, 2, n - 2), count = 0;
        form f = form_of(&rng);
        cd_hull h[3];
        sums s[4];
        apex.z += apex.z < 0 ? -40 : 40;
        test_note("pyramid");
        test_note_reals("p", &p[0].x, 3 * n);
        test_note_reals("apex", &apex.x, 3);
        test_note_reals("form", &f.scale.x, 4);
        h[0] = hull_over(p, n, apex);
        for (int j = 0; j <= k; ++j) side[count++] = p[j];
        h[1] = hull_over(side, count, apex);
        count = 0;
        for (int j = k; j <= n; ++j) side[count++] = p[j % n];
        h[2] = hull_over(side, count, apex);
        for (int j = 0; j < 3; ++j) s[j] = formed(cd_shape_of_hull(&h[j]), &f);
        s[3] = formed(triangle_of(apex, p[0], p[k]), &f);
        check_cut(&s[0], &s[1], &s[2], &s[3], fine);
        for (int j = 0; j < 3; ++j) cd_hull_destroy(&h[j]);
    }
}

/* Cut across an axis of the set; that with k = 6 is a box. */
static void kdops_in_two(void) {
    static const uint32_t ks[8] = {6, 8, 12, 14, 18, 20, 26, 26};
    test_rng rng = test_random();
    for (long i = test_times(60); i > 0; --i) {
        cd_kdop_set set = cd_kdop_set_standard(ks[i % 8]);
        cd_kdop d[4];
        cd_vec3 p[8];
        form f = form_of(&rng);
        sums s[4];
        uint32_t axis;
        cd_real at;
        if (i % 8 == 7) {
            cd_quat q = gen_quat(&rng);
            set = cd_kdop_set_rotate(&set, q);
        }
        for (int k = 0; k < 8; ++k) p[k] = whole(&rng, 4);
        CHECK_INT(cd_kdop_from_points(p, 8, &set, &d[0]), CD_OK);
        axis = (uint32_t)test_int(&rng, 0, (int)set.count - 1);
        for (uint32_t k = 0; k < set.count; ++k) {
            d[0].min[k] -= 1;
            if (test_int(&rng, 0, 2) == 0) d[0].max[k] += 2;
        }
        CHECK(cd_kdop_tighten(&d[0], &set));
        at = (d[0].min[axis] + d[0].max[axis]) / 2;
        d[1] = d[2] = d[3] = d[0];
        d[1].max[axis] = d[2].min[axis] = d[3].min[axis] = d[3].max[axis] = at;
        test_note("k-DOP %u, axis %u", (unsigned)ks[i % 8], (unsigned)axis);
        test_note_reals("min", d[0].min, (int)d[0].count);
        test_note_reals("max", d[0].max, (int)d[0].count);
        test_note_reals("form", &f.scale.x, 4);
        for (int k = 0; k < 4; ++k) s[k] = formed(cd_shape_of_kdop(&d[k], &set), &f);
        check_cut(&s[0], &s[1], &s[2], &s[3], i % 8 == 7 ? 1e-6 : 1e-10);
        if (i % 8 == 0) {
            cd_aabb b;
            b.min = cd_vec3_make(d[0].min[0], d[0].min[1], d[0].min[2]);
            b.max = cd_vec3_make(d[0].max[0], d[0].max[1], d[0].max[2]);
            s[1] = formed(cd_shape_of_aabb(b), &f);
            same(&s[0], &s[1], fine);
        }
    }
}

/* A box in parts: itself, slabs, quarters of cylinders, and a ball. */
static sums rounded_box(const real h[3], real r, const real c[3]) {
    real ball = 4 * PI / 3 * r * r * r, spread[3], at[3];
    sums s, all;
    for (int k = 0; k < 3; ++k) spread[k] = 8 * h[0] * h[1] * h[2] * h[k] * h[k] / 3;
    all = sums_about(8 * h[0] * h[1] * h[2], c, spread);
    for (int k = 0; k < 6; ++k) { /* slabs */
        int a = k / 2, b = (a + 1) % 3, d = (a + 2) % 3;
        real v = 4 * h[b] * h[d] * r;
        memcpy(at, c, sizeof at);
        at[a] += (k % 2 ? 1 : -1) * (h[a] + r / 2);
        spread[a] = v * r * r / 12;
        spread[b] = v * h[b] * h[b] / 3;
        spread[d] = v * h[d] * h[d] / 3;
        s = sums_about(v, at, spread);
        add(&all, &s, 1);
    }
    for (int k = 0; k < 12; ++k) { /* quarters: their middle is 4 r / (3 pi) off both planes */
        int a = k / 4, b = (a + 1) % 3, d = (a + 2) % 3;
        real v = 2 * h[a] * PI * r * r / 4, off = 4 * r / (3 * PI);
        memcpy(at, c, sizeof at);
        at[b] += (k & 1 ? 1 : -1) * (h[b] + off);
        at[d] += (k & 2 ? 1 : -1) * (h[d] + off);
        spread[a] = v * h[a] * h[a] / 3;
        spread[b] = spread[d] = v * (r * r / 4 - off * off);
        s = sums_about(v, at, spread);
        real mixed = v * (k & 1 ? 1 : -1) * (k & 2 ? 1 : -1) * (r * r / (2 * PI) - off * off);
        s.xx[b][d] += mixed;
        s.xx[d][b] += mixed;
        add(&all, &s, 1);
    }
    for (int k = 0; k < 8; ++k) { /* eighths: 3 r / 8 off */
        real v = ball / 8, side[3];
        for (int i = 0; i < 3; ++i) {
            side[i] = k >> i & 1 ? 1 : -1;
            at[i] = c[i] + side[i] * (h[i] + 3 * r / 8);
            spread[i] = v * (r * r / 5 - 9 * r * r / 64);
        }
        s = sums_about(v, at, spread);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                if (i != j) s.xx[i][j] += v * side[i] * side[j] * (2 * r * r / (5 * PI) - 9 * r * r / 64);
        add(&all, &s, 1);
    }
    return all;
}

static void boxes_by_hand(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        cd_vec3 p = whole(&rng, 1), half, by = factors(&rng);
        cd_aabb b;
        cd_obb o;
        cd_lozenge l;
        real h[3], c[3], r;
        cd_shape s;
        sums got, want;
        form f;
        half.x = (cd_real)(test_int(&rng, 0, 8) * 0.25);
        half.y = (cd_real)(test_int(&rng, 0, 8) * 0.25);
        half.z = (cd_real)(test_int(&rng, 0, 8) * 0.25);
        f.radius = (cd_real)test_range(&rng, 0.1, 3);
        f.scale = by;
        b.min = cd_vec3_sub(p, half);
        b.max = cd_vec3_add(p, half);
        for (int k = 0; k < 3; ++k) {
            h[k] = (real)fabs((double)(&half.x)[k] * (double)(&by.x)[k]);
            c[k] = (real)((double)(&p.x)[k] * (double)(&by.x)[k]);
        }
        r = (real)f.radius;
        test_note("box");
        test_note_reals("box", &b.min.x, 6);
        test_note_reals("form", &f.scale.x, 4);
        want = rounded_box(h, r, c);
        got = formed(cd_shape_of_aabb(b), &f);
        same(&got, &want, fine);
        o = cd_obb_from_aabb(b);
        o.axes.col[0] = cd_vec3_neg(o.axes.col[0]);
        o.axes.col[1] = cd_vec3_neg(o.axes.col[1]);
        got = formed(cd_shape_of_obb(&o), &f);
        same(&got, &want, fine);
        if (half.x > 0 && half.y > 0) {
            l.a = cd_vec3_make(b.min.x, b.min.y, p.z);
            l.edge[0] = cd_vec3_make(2 * half.x, 0, 0);
            l.edge[1] = cd_vec3_make(0, 2 * half.y, 0);
            l.radius = f.radius;
            h[2] = 0;
            want = rounded_box(h, r, c);
            s = cd_shape_of_lozenge(&l);
            s.scale = by;
            got = mass_sums(&s);
            same(&got, &want, fine);
        }
    }
}

/* ---- round bodies, in slices ---- */

/* How far the profile reaches along (cos t, sin t): of two discs in the plane with rims of their own, or balls, rounded. */
typedef struct profile {
    real s[2], z[2], ball[2], half[2], round; /* half: of an ellipse about the first point */
} profile;

static real profile_reach(const profile *p, real c, real d) {
    real most = -HUGE_VALL;
    for (int k = 0; k < 2; ++k) most = fmaxl(most, p->s[k] * c + p->z[k] * d + p->ball[k]);
    if (p->half[0] > 0)
        most = p->z[0] * d + sqrtl(p->half[0] * p->half[0] * c * c + p->half[1] * p->half[1] * d * d);
    return most + p->round;
}

/* The radius at a height: the least of (reach - z sin t) / cos t, which has one least value. */
static real profile_radius(const profile *p, real z) {
    real lo = -PI / 2, hi = PI / 2, best = HUGE_VALL;
    for (int i = 0; i < 40; ++i) {
        real a = lo + (hi - lo) * 0.382L, b = lo + (hi - lo) * 0.618L;
        real x = (profile_reach(p, cosl(a), sinl(a)) - z * sinl(a)) / cosl(a);
        real y = (profile_reach(p, cosl(b), sinl(b)) - z * sinl(b)) / cosl(b);
        best = fminl(best, fminl(x, y));
        if (x < y)
            hi = b;
        else
            lo = a;
    }
    return fmaxl(best, 0);
}

/* About the z axis; heights by cosines, as the ends are round. */
static sums slices(const profile *p, int n) {
    real top = profile_reach(p, 0, 1), low = -profile_reach(p, 0, -1), h = (top - low) / 2,
         mid = (top + low) / 2;
    sums s;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < n; ++i) {
        real t = PI * (i + 0.5L) / n, z = mid - h * cosl(t), r = profile_radius(p, z);
        real v = PI * r * r * h * sinl(t) * PI / n;
        s.m += v;
        s.x[2] += v * z;
        s.xx[2][2] += v * z * z;
        s.xx[0][0] += v * r * r / 4;
        s.xx[1][1] += v * r * r / 4;
    }
    return s;
}

static void round_bodies_in_slices(void) {
    test_rng rng = test_random();
    int n = test_is_small() ? 200 : 300;
    for (long i = test_times(30); i > 0; --i) {
        cd_real r[2], round = (cd_real)(test_int(&rng, 0, 3) ? test_range(&rng, 0.05, 2) : 0), h;
        cd_vec3 a = cd_vec3_make(0, 0, -1), b;
        cd_shape s[5];
        profile p[5];
        r[0] = (cd_real)test_range(&rng, 0.1, 2);
        r[1] = (cd_real)(test_int(&rng, 0, 3) ? test_range(&rng, 0.1, 2) : 0);
        h = (cd_real)test_range(&rng, 0.05, 4);
        b = cd_vec3_make(0, 0, h - 1);
        memset(p, 0, sizeof p);
        for (int k = 0; k < 5; ++k) {
            p[k].z[0] = -1;
            p[k].z[1] = (real)b.z;
            p[k].round = (real)round;
        }
        {
            cd_cylinder c;
            cd_cone cone;
            cd_tapered_capsule t;
            cd_ellipsoid e;
            cd_disc d;
            c.a = a, c.b = b, c.radius = r[0];
            cone.apex = b, cone.base = a, cone.radius = r[0];
            t.a = a, t.b = b, t.radius_a = r[0], t.radius_b = r[1];
            d.center = a, d.normal = cd_vec3_make(0, 0, -3), d.radius = r[0];
            e.center = a, e.axes = cd_mat3_identity(), e.half = cd_vec3_make(r[0], r[0], h);
            s[0] = cd_shape_of_cylinder(&c);
            s[1] = cd_shape_of_cone(&cone);
            s[2] = cd_shape_of_tapered_capsule(&t);
            s[3] = cd_shape_of_disc(&d);
            s[4] = cd_shape_of_ellipsoid(&e);
        }
        p[0].s[0] = p[0].s[1] = p[1].s[0] = p[3].s[0] = p[3].s[1] = (real)r[0];
        p[2].ball[0] = (real)r[0], p[2].ball[1] = (real)r[1];
        p[3].z[1] = -1;
        p[4].half[0] = (real)r[0], p[4].half[1] = (real)h;
        for (int k = 0; k < 5; ++k) {
            sums got, want = slices(&p[k], n);
            s[k].radius = round;
            test_note("round body %d", k);
            test_note_reals("r", r, 2);
            test_note_reals("h", &h, 1);
            test_note_reals("round", &round, 1);
            got = mass_sums(&s[k]);
            if (k != 3 || round > 0) same(&got, &want, 2e-4);
        }
    }
}

/* Sharp in other directions: a cylinder, cut; a tapered capsule seen from its other end; the rounding's own share. */
static void round_bodies_in_two(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        cd_vec3 a = whole(&rng, 2), b = whole(&rng, 2), m = middle(a, b);
        cd_cylinder c;
        cd_disc d;
        cd_tapered_capsule t, u;
        form f = form_of(&rng);
        sums s[4];
        if (a.x == b.x && a.y == b.y && a.z == b.z) continue;
        if (f.radius > 0) f.scale.y = f.scale.z = f.scale.x;
        c.a = a, c.b = b, c.radius = (cd_real)test_range(&rng, 0, 3);
        d.center = m, d.normal = cd_vec3_sub(b, a), d.radius = c.radius;
        test_note("cylinder");
        test_note_reals("c", &c.a.x, 7);
        test_note_reals("form", &f.scale.x, 4);
        s[0] = formed(cd_shape_of_cylinder(&c), &f);
        c.b = m;
        s[1] = formed(cd_shape_of_cylinder(&c), &f);
        c.a = m, c.b = b;
        s[2] = formed(cd_shape_of_cylinder(&c), &f);
        s[3] = formed(cd_shape_of_disc(&d), &f);
        check_cut(&s[0], &s[1], &s[2], &s[3], fine);
        t.a = u.b = a, t.b = u.a = b;
        t.radius_a = u.radius_b = (cd_real)test_range(&rng, 0, 3);
        t.radius_b = u.radius_a = (cd_real)test_range(&rng, 0, 3);
        f.scale = cd_vec3_make(0, 0, 0);
        s[0] = formed(cd_shape_of_tapered_capsule(&t), &f);
        s[1] = formed(cd_shape_of_tapered_capsule(&u), &f);
        same(&s[0], &s[1], fine);
        CHECK_NEAR(s[0].m, f.radius > 0 ? s[0].m : (real)cd_tapered_capsule_volume(&t),
                   (double)s[0].m * (4 * (double)CD_REAL_EPSILON + 1e-14));
        t.radius_a += f.radius, t.radius_b += f.radius;
        CHECK_NEAR(s[0].m, (real)cd_tapered_capsule_volume(&t),
                   (double)s[0].m * (8 * (double)CD_REAL_EPSILON + 1e-14));
    }
}

/* ---- ellipsoids, by their normals ---- */

/* The surface with the normal n is at x + r n; its area, as the radii of curvature say, is the determinant of the second derivative of how
 * far it reaches, in the plane across n. */
static void layer(sums *s, const real h[3], real r, const real n[3], real weight) {
    real q[3], reach = 0, x[3], u[3], v[3], d[2][2], least = 2, area, off = 0;
    int k = 0;
    for (int i = 0; i < 3; ++i) reach += h[i] * h[i] * n[i] * n[i];
    reach = sqrtl(reach);
    for (int i = 0; i < 3; ++i) {
        q[i] = h[i] * h[i] * n[i] / reach;
        x[i] = q[i] + r * n[i];
        off += x[i] * n[i];
        if (fabsl(n[i]) < least) least = fabsl(n[i]), k = i;
    }
    for (int i = 0; i < 3; ++i) u[i] = (i == k) - n[k] * n[i];
    least = sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int i = 0; i < 3; ++i) u[i] /= least;
    for (int i = 0; i < 3; ++i) v[i] = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const real *a = i ? v : u, *b = j ? v : u;
            real sum = 0, aq = 0, bq = 0;
            for (int c = 0; c < 3; ++c) {
                sum += h[c] * h[c] * a[c] * b[c];
                aq += a[c] * q[c];
                bq += b[c] * q[c];
            }
            d[i][j] = (sum - aq * bq) / reach + (i == j ? r : 0);
        }
    area = weight * (d[0][0] * d[1][1] - d[0][1] * d[1][0]);
    s->m += area * off / 3;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) s->xx[i][j] += area * off * x[i] * x[j] / 5;
}

/* Legendre's polynomial at x, and its derivative. */
static real legendre(int n, real x, real *slope) {
    real was = 1, p = x;
    for (int k = 2; k <= n; ++k) {
        real next = ((2 * k - 1) * x * p - (k - 1) * was) / k;
        was = p;
        p = next;
    }
    *slope = n * (x * p - was) / (x * x - 1);
    return p;
}

/* By Gauss' rule of m points in z. */
static sums egg(const real h[3], real r, int m) {
    sums s;
    memset(&s, 0, sizeof s);
    for (int i = 1; i <= m; ++i) {
        real z = cosl(PI * (i - 0.25L) / (m + 0.5L)), slope, flat;
        for (int k = 0; k < 8; ++k) z -= legendre(m, z, &slope) / slope;
        (void)legendre(m, z, &slope);
        flat = sqrtl(1 - z * z);
        for (int k = 0; k < 2 * m; ++k) {
            real t = PI * (k + 0.5L) / m, n[3];
            n[0] = flat * cosl(t);
            n[1] = flat * sinl(t);
            n[2] = z;
            layer(&s, h, r, n, 2 / ((1 - z * z) * slope * slope) * PI / m);
        }
    }
    return s;
}

static void ellipsoids_by_normals(void) {
    test_rng rng = test_random();
    for (long i = test_times(10); i > 0; --i) {
        cd_ellipsoid e;
        cd_shape s;
        real h[3], r, c[3] = {0, 0, 0}, spread[3], v;
        sums got, want;
        cd_vec3 by = factors(&rng);
        e.center = cd_vec3_make(0, 0, 0);
        e.axes = cd_mat3_identity();
        for (int k = 0; k < 3; ++k) {
            (&e.half.x)[k] = (cd_real)test_range(&rng, 0.5, 2);
            h[k] = (real)(&e.half.x)[k];
        }
        s = cd_shape_of_ellipsoid(&e);
        s.radius = (cd_real)test_range(&rng, 0.01, 2);
        r = (real)s.radius;
        test_note("ellipsoid");
        test_note_reals("half", &e.half.x, 3);
        test_note_reals("r", &s.radius, 1);
        got = mass_sums(&s);
        want = egg(h, r, 48);
        same(&got, &want, 1e-8);
        s.radius = 0; /* stretched, and in any frame */
        s.scale = by;
        got = mass_sums(&s);
        v = 4 * PI / 3;
        for (int k = 0; k < 3; ++k) v *= h[k] *= fabsl((real)(&by.x)[k]);
        for (int k = 0; k < 3; ++k) spread[k] = v * h[k] * h[k] / 5;
        want = sums_about(v, c, spread);
        same(&got, &want, fine);
    }
}

/* From needles to plates, rounded by far less and far more: between what is simpler. */
static void ellipsoids_of_all_forms(void) {
    static const double flats[5] = {1, 1e-2, 1e-4, 1e-7, 0};
    for (int i = 0; i < 25; i += test_is_tiny() ? 6 : 1) {
        cd_ellipsoid e;
        cd_disc d;
        cd_shape s, o;
        double f = flats[i % 5], r = pow(2, 3 * (i / 5) - 9);
        sums got, want;
        e.center = cd_vec3_make(1, 2, 3);
        e.axes = cd_mat3_identity();
        e.half = cd_vec3_make(1, 1, (cd_real)f);
        d.center = e.center;
        d.normal = cd_vec3_make(0, 0, 1);
        d.radius = 1;
        s = cd_shape_of_ellipsoid(&e);
        s.radius = (cd_real)r;
        o = f < 1 ? cd_shape_of_disc(&d) : cd_shape_of_point(e.center);
        o.radius = f < 1 ? s.radius : s.radius + 1;
        test_note("flat %g, radius %g", f, r);
        got = mass_sums(&s);
        want = mass_sums(&o);
        if (f == 1)
            same(&got, &want, 1e-12);
        else if (f <= 1e-7)
            same(&got, &want, 4 * f / fmin(r, 1) + 1e-12);
        else
            CHECK(got.m > want.m && got.m < want.m * (real)(1 + 8 * f / fmin(r, 1)));
        e.half = cd_vec3_make((cd_real)f, (cd_real)f, 1);
        s = cd_shape_of_ellipsoid(&e);
        s.radius = (cd_real)r;
        o = segment_of(cd_vec3_make(1, 2, 2), cd_vec3_make(1, 2, 4));
        o.radius = s.radius;
        got = mass_sums(&s);
        want = mass_sums(&o);
        if (f <= 1e-7) same(&got, &want, 40 * f / fmin(r, 1) + 1e-12);
    }
}

/* ---- what is stretched ---- */

static void stretched_is_mapped(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 by = factors(&rng), p[12];
        cd_cylinder c;
        cd_cone cone;
        cd_tapered_capsule t;
        cd_obb o = gen_obb(&g);
        cd_ellipsoid e;
        cd_hull h;
        cd_shape s[6];
        c.a = gen_point(&g), c.b = gen_point(&g), c.radius = gen_length(&g);
        cone.apex = c.a, cone.base = c.b, cone.radius = c.radius;
        t.a = c.a, t.b = c.b, t.radius_a = c.radius, t.radius_b = 0;
        e.center = o.center, e.axes = o.axes, e.half = o.half;
        for (int k = 0; k < 12; ++k) p[k] = gen_point(&g);
        CHECK_INT(cd_hull3_build(&h, p, 12, NULL), CD_OK);
        s[0] = cd_shape_of_cylinder(&c);
        s[1] = cd_shape_of_cone(&cone);
        s[2] = cd_shape_of_tapered_capsule(&t);
        s[3] = cd_shape_of_obb(&o);
        s[4] = cd_shape_of_ellipsoid(&e);
        s[5] = cd_shape_of_hull(&h);
        for (int k = 0; k < 6; ++k) {
            sums was = mass_sums(&s[k]), want = stretched(&was, by), got;
            cd_shape scaled;
            test_note("stretched %d", k);
            test_note_reals("by", &by.x, 3);
            test_note_reals("p", &p[0].x, 36);
            s[k].scale = by;
            got = mass_sums(&s[k]);
            same(&got, &want, 1e-11);
            s[k].scale = cd_vec3_make(0, 0, 0);
            CHECK_INT(ASK("judge", cd_shape_scaled(&s[k], by, &scaled)), CD_OK);
            got = mass_sums(&scaled);
            same(&got, &want, 1e-11 + 16 * (double)CD_REAL_EPSILON);
        }
        cd_hull_destroy(&h);
    }
}

/* ---- meshes, compounds, classes ---- */

static void meshes_in_all_layouts(void) {
    static const uint32_t layouts[4] = {CD_BVH_WIDE, CD_BVH_BINARY, CD_BVH_QUANTISED, CD_BVH_COMPACT};
    test_rng rng = test_random();
    gen_mesh mesh = gen_mesh_ball(test_is_small() ? 3 : 6, 0.4, &rng);
    cd_mesh_view view = gen_mesh_view(&mesh);
    cd_mass m;
    sums plain, got, want;
    CHECK_INT(cd_mass_properties(&view, &m), CD_OK);
    plain = sums_of(&m);
    for (int i = 0; i < 4; ++i) {
        cd_bvh_options o;
        cd_bvh tree;
        cd_shape s;
        cd_vec3 by = factors(&rng);
        memset(&o, 0, sizeof o);
        o.layout = layouts[i];
        CHECK_INT(cd_bvh_build_mesh(&tree, &view, &o), CD_OK);
        s = cd_shape_of_mesh(&tree, NULL);
        got = mass_sums(&s);
        same(&got, &plain, 1e-13);
        s.scale = by;
        want = stretched(&plain, by);
        got = mass_sums(&s);
        same(&got, &want, 1e-13);
        s.radius = 1;
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_UNSUPPORTED);
        cd_bvh_destroy(&tree);
    }
    gen_mesh_free(&mesh);
}

static cd_status class_mass(void *object, cd_mass *out) {
    return cd_shape_mass((const cd_shape *)object, 1, out);
}
static cd_aabb class_bounds(void *object) {
    return cd_shape_aabb((const cd_shape *)object, NULL);
}
static bool class_parts(void *object, cd_aabb box, cd_emit_part_fn emit, void *context) {
    (void)box;
    return emit(context, (const cd_shape *)object, NULL, 0);
}

static void compounds_are_sums(void) {
    static const cd_shape_class with = {class_bounds, class_parts, class_mass},
                                without = {class_bounds, class_parts, NULL};
    test_rng rng = test_random();
    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_shape child[3], whole_one, same_one;
        cd_placed_shape placed[3];
        cd_compound c;
        cd_sphere ball;
        cd_mass m;
        sums got, want, part;
        cd_vec3 by = factors(&rng);
        memset(&want, 0, sizeof want);
        child[0] = cd_shape_of_aabb(gen_aabb(&g));
        ball.center = gen_point(&g), ball.radius = gen_length(&g);
        child[1] = cd_shape_of_sphere(ball);
        child[2] = cd_shape_of_class(&with, &child[0]);
        for (int k = 0; k < 3; ++k) {
            placed[k].shape = &child[k];
            placed[k].pose = gen_pose(&rng, 2);
            CHECK_INT(cd_shape_mass(&child[k], 1, &m), CD_OK);
            m = cd_mass_transform(&m, &placed[k].pose);
            part = sums_of(&m);
            add(&want, &part, 1);
        }
        test_note("compound");
        test_note_reals("box", REALS(child[0].u.aabb), 6);
        test_note_reals("ball", REALS(ball), 4);
        test_note_reals("by", REALS(by), 3);
        for (int k = 0; k < 3; ++k) test_note_reals("pose", REALS(placed[k].pose), 7);
        c = cd_compound_of(placed, 3);
        whole_one = cd_shape_of_compound(&c);
        got = mass_sums(&whole_one);
        same(&got, &want, 1e-12);
        whole_one.scale = by;
        want = stretched(&want, by);
        got = mass_sums(&whole_one);
        same(&got, &want, 1e-12);
        CHECK_INT(cd_shape_mass(&whole_one, 2.5, &m), CD_OK);
        CHECK_NEAR(m.mass, 2.5 * (double)want.m, 2.5e-12 * (double)want.m);
        same_one = cd_shape_of_class(&without, &child[0]);
        CHECK_INT(cd_shape_mass(&same_one, 1, &m), CD_UNSUPPORTED);
        placed[1].shape = &same_one;
        CHECK_INT(cd_shape_mass(&whole_one, 1, &m), CD_UNSUPPORTED);
        CHECK(m.mass == 0 && m.center[0] == 0);
    }
}

/* Coordinates times 3, rounded to floats, would lose part of a thin box. */
static void thin_children_of_stretched_compounds(void) {
    cd_aabb box = {{(cd_real)-0x1.dc741p-1, (cd_real)0x1.5c2a94p-1, (cd_real)0x1.c162aap-2},
                   {(cd_real)-0x1.91d2aap-2, (cd_real)0x1.6e5446p-1, (cd_real)0x1.e5b15cp-1}};
    cd_shape child = cd_shape_of_aabb(box), whole;
    cd_placed_shape placed;
    cd_compound c;
    sums got, want = mass_sums(&child);
    placed.shape = &child;
    placed.pose = cd_transform_identity();
    c = cd_compound_of(&placed, 1);
    whole = cd_shape_of_compound(&c);
    whole.scale = cd_vec3_make(3, 3, 3);
    want = stretched(&want, whole.scale);
    got = mass_sums(&whole);
    same(&got, &want, 1e-13);
}

/* A compound of one child is that child, displaced; stretched, and then rounded, as well. */
static void compounds_stretched_and_rounded(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 at = gen_point(&g), by = factors(&rng), p[4];
        cd_shape child = cd_shape_of_aabb(gen_aabb(&g)), single, whole;
        cd_placed_shape placed;
        cd_compound c;
        cd_mass m;
        sums got, want;
        if (i % 4 > 1) by.y = by.x, by.z = -by.x;
        if (i % 3 == 0) {
            for (int k = 0; k < 4; ++k) p[k] = gen_point(&g);
            child = tetrahedron_of(p[0], p[1], p[2], p[3]);
        }
        single = child;
        if (i % 3 == 1) { /* the ball is stretched before it is rounded */
            cd_sphere ball;
            cd_ellipsoid e;
            ball.center = e.center = gen_point(&g), ball.radius = gen_length(&g);
            e.axes = cd_mat3_identity(), e.half = cd_vec3_make(ball.radius, ball.radius, ball.radius);
            child = cd_shape_of_sphere(ball);
            single = cd_shape_of_ellipsoid(&e);
        }
        placed.shape = &child;
        placed.pose = cd_transform_identity();
        placed.pose.position = at;
        c = cd_compound_of(&placed, 1);
        whole = cd_shape_of_compound(&c);
        single.scale = whole.scale = by;
        single.radius = whole.radius = (cd_real)(i % 2 ? test_range(&rng, 0.01, 3) : 0);
        test_note("type %s", cd_shape_type_name(child.type));
        test_note_reals("numbers", REALS(single.u), 15);
        test_note_reals("at", REALS(at), 3);
        test_note_reals("by", REALS(by), 3);
        test_note_reals("radius", &whole.radius, 1);
        CHECK_INT(cd_shape_mass(&single, 1, &m), CD_OK);
        for (int k = 0; k < 3; ++k) m.center[k] += (double)REALS(at)[k] * (double)REALS(by)[k];
        want = sums_of(&m);
        got = mass_sums(&whole);
        same(&got, &want, 1e-12);
    }
}

static void flat_and_thin_ones(void) {
    cd_vec3 p[4] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}}, q[5];
    cd_triangle t = {{0, 0, 0}, {3, 0, 0}, {0, 3, 3}};
    cd_disc d = {{1, 2, 3}, {0, 0, 1}, 2};
    {
        cd_shape s = cd_shape_of_polygon(p, 4);
        cd_mass m;
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK(m.mass == 0 && m.inertia[0][0] == 0);
        CHECK_NEAR(m.center[0], 2, 1e-15), CHECK_NEAR(m.center[1], 2, 1e-15);
        s = cd_shape_of_triangle(&t);
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK(m.mass == 0);
        CHECK_NEAR(m.center[0], 1, 1e-15), CHECK_NEAR(m.center[2], 1, 1e-15);
        s.scale = cd_vec3_make(2, 1, -3);
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK_NEAR(m.center[0], 2, 1e-15), CHECK_NEAR(m.center[2], -3, 1e-15);
        s = cd_shape_of_disc(&d);
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK(m.mass == 0 && m.center[2] == 3);
        s = segment_of(p[0], p[1]);
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK(m.mass == 0 && m.center[0] == 2);
        s = tetrahedron_of(p[0], p[2], p[1], p[3]); /* in a plane, and not in order */
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK(m.mass == 0);
        CHECK_NEAR(m.center[0], 2, 1e-15), CHECK_NEAR(m.center[1], 2, 1e-15);
        s.radius = 1;
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK_NEAR(m.mass, 32 + 8 * 3.14159265358979 + 4.18879020478639, 1e-12);
        t.a = p[0], t.b = p[1], t.c = cd_vec3_make(2, (cd_real)0.0009765625, 0); /* a needle is no thread */
        s = cd_shape_of_triangle(&t);
        s.radius = 1;
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK_NEAR(m.mass,
                   4 * (double)t.c.y + (2 + hypot(2, (double)t.c.y)) * 3.14159265358979324 +
                       4.18879020478639098,
                   1e-13);
        for (int i = 0; i < 5; ++i) q[i] = cd_vec3_make((cd_real)i, 0, 0); /* on a line */
        s = cd_shape_of_polygon(q, 5);
        s.radius = 1;
        CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
        CHECK_NEAR(m.mass, 4 * 3.14159265358979 + 4.18879020478639, 1e-12);
    }
}

/* Four corners in a plane, in any order: a quadrilateral, or one is in the triangle of the others, on its edge, or a corner of it again. */
static void four_in_a_plane(void) {
    static const cd_vec3 around[4] = {{1, 1, 1}, {7, 1, 7}, {8, 4, 5}, {1, 5, -3}};
    static const cd_vec3 fourth[4] = {{1, 5, -3}, {6, 2, 5}, {4, 1, 4}, {7, 1, 7}};
    for (int i = 0; i < 4; ++i) {
        cd_shape want = cd_shape_of_polygon(around, i ? 3 : 4);
        want.radius = (cd_real)0.5;
        for (int order = 0; order < 24; ++order) {
            cd_vec3 v[4] = {around[0], around[1], around[2], fourth[i]};
            cd_shape s;
            sums a, b;
            int left = order;
            for (int k = 4; k > 1; left /= k--) {
                cd_vec3 last = v[k - 1];
                v[k - 1] = v[left % k];
                v[left % k] = last;
            }
            test_note("fourth %d, order %d", i, order);
            s = tetrahedron_of(v[0], v[1], v[2], v[3]);
            s.radius = (cd_real)0.5;
            s.scale.x = s.scale.y = s.scale.z = want.scale.x = want.scale.y = want.scale.z =
                (cd_real)(order % 2 ? 0.0625 : 1);
            a = mass_sums(&s);
            b = mass_sums(&want);
            same(&a, &b, 1e-12);
        }
    }
}

static void has(const cd_shape *s, double mass, double x, double y, double z) {
    cd_mass m;
    CHECK_INT(cd_shape_mass(s, 1, &m), CD_OK);
    CHECK_NEAR(m.mass, mass, 1e-12 * (1 + mass));
    CHECK_NEAR(m.center[0], x, 1e-12 * (1 + fabs(x)));
    CHECK_NEAR(m.center[1], y, 1e-12 * (1 + fabs(y)));
    CHECK_NEAR(m.center[2], z, 1e-12 * (1 + fabs(z)));
}

/* A shape of no size at all, or of a length only: with a radius it is a ball, or a capsule; without one it has no mass. */
static void balls_and_capsules_in_disguise(void) {
    const double pi = (double)PI, ball = 4.0 / 3.0 * pi * 8, capsule = ball + 6 * pi * 4;
    cd_vec3 p[2] = {{1, 2, 3}, {1, 8, 3}};
    cd_ellipsoid e;
    cd_rect r;
    cd_support of;
    cd_shape s;
    cd_hull thread;
    memset(&e, 0, sizeof e);
    memset(&r, 0, sizeof r);
    e.center = p[0];
    e.axes = cd_mat3_identity();
    s = cd_shape_of_ellipsoid(&e);
    has(&s, 0, 1, 2, 3);
    s.radius = 2;
    has(&s, ball, 1, 2, 3);
    of = cd_support_of_points(p, 1);
    s = cd_shape_of_support(&of);
    has(&s, 0, 1, 2, 3);
    s.radius = 2;
    has(&s, ball, 1, 2, 3);
    r.a = p[0];
    for (int i = 0; i < 3; ++i) {
        r.edge[0] = cd_vec3_make(0, (cd_real)(i == 1 ? 6 : 0), 0);
        r.edge[1] = cd_vec3_make(0, (cd_real)(i == 2 ? 6 : 0), 0);
        of = cd_support_of_rect(&r);
        s = cd_shape_of_support(&of);
        has(&s, 0, 1, i ? 5 : 2, 3);
        s.radius = 2;
        has(&s, i ? capsule : ball, 1, i ? 5 : 2, 3);
    }
    for (size_t n = 1; n <= 2; ++n) {
        CHECK_INT(cd_hull3_build(&thread, p, n, NULL), CD_OK);
        s = cd_shape_of_hull(&thread);
        has(&s, 0, 1, n == 2 ? 5 : 2, 3);
        s.radius = 2;
        has(&s, n == 2 ? capsule : ball, 1, n == 2 ? 5 : 2, 3);
        cd_hull_destroy(&thread);
    }
}

/* Flat hulls and flat meshes that are stretched; boxes; k-DOPs with slabs that are the same, or of which only an edge is left. */
static void stretched_flat_ones_and_boxes(void) {
    cd_vec3 p[4] = {{1, 1, 5}, {3, 1, 5}, {3, 5, 5}, {1, 5, 5}};
    uint32_t both[12] = {0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2};
    cd_mesh_view view = cd_mesh_view_make(p, 4, both, 4);
    cd_bvh tree;
    cd_hull hull;
    cd_aabb box = {{1, 1, 1}, {3, 5, 2}};
    cd_shape s;
    cd_kdop_set set;
    cd_kdop dop;
    cd_mass m;
    const double pi = (double)PI;
    CHECK_INT(cd_hull3_build(&hull, p, 4, NULL), CD_OK);
    s = cd_shape_of_hull(&hull);
    has(&s, 0, 2, 3, 5);
    s.scale = cd_vec3_make(2, -3, 4);
    has(&s, 0, 4, -9, 20);
    cd_hull_destroy(&hull);
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    s = cd_shape_of_mesh(&tree, NULL);
    has(&s, 0, 2, 3, 5);
    s.scale = cd_vec3_make(2, -3, 4);
    has(&s, 0, 4, -9, 20);
    cd_bvh_destroy(&tree);
    s = cd_shape_of_aabb(box);
    s.scale = cd_vec3_make(2, -3, 4);
    has(&s, 8 * 24, 4, -9, 6);
    CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
    CHECK_NEAR(m.inertia[0][0], 8.0 * 24 / 12 * (12 * 12 + 4 * 4), 1e-9);
    CHECK_NEAR(m.inertia[1][1], 8.0 * 24 / 12 * (4 * 4 + 4 * 4), 1e-9);
    memset(&set, 0, sizeof set);
    set.count = 5;
    set.axis[0].x = set.axis[1].y = set.axis[2].z = 1;
    set.axis[3].x = -2, set.axis[4].y = 1;
    CHECK_INT(cd_kdop_from_aabb(box, &set, &dop), CD_OK);
    s = cd_shape_of_kdop(&dop, &set);
    has(&s, 8, 2, 3, 1.5);
    s.radius = (cd_real)0.5;
    has(&s, 8 + 28 * 0.5 + pi * (2 + 4 + 1) * 0.25 + 4.0 / 3.0 * pi * 0.125, 2, 3, 1.5);
    set.axis[3] =
        cd_vec3_make(1, (cd_real)0.0625, 0); /* planes through edges, little turned from the sides */
    set.axis[4] = cd_vec3_make(0, (cd_real)-0.03125, 1);
    CHECK_INT(cd_kdop_from_aabb(box, &set, &dop), CD_OK);
    has(&s, 8 + 28 * 0.5 + pi * (2 + 4 + 1) * 0.25 + 4.0 / 3.0 * pi * 0.125, 2, 3, 1.5);
}

/* A compound that is stretched unevenly, and then rounded: where a child is not turned it has the mass of itself stretched and rounded. */
static void children_stretched_unevenly_and_rounded(void) {
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_shape child = cd_shape_of_aabb(box), whole;
    cd_placed_shape placed;
    cd_compound list;
    cd_mass m;
    const double a = 2, b = 4, c = 6, r = 0.5, pi = (double)PI;
    placed.shape = &child;
    placed.pose = cd_transform_identity();
    placed.pose.position = cd_vec3_make(3, 4, 5);
    list = cd_compound_of(&placed, 1);
    whole = cd_shape_of_compound(&list);
    whole.scale = cd_vec3_make(1, 2, 3);
    whole.radius = (cd_real)r;
    has(&whole,
        a * b * c + 2 * (a * b + b * c + c * a) * r + pi * (a + b + c) * r * r + 4.0 / 3.0 * pi * r * r * r,
        3, 8, 15);
    child.radius = (cd_real)r;
    CHECK_INT(cd_shape_mass(&whole, 1, &m), CD_UNSUPPORTED);
    child.radius = 0;
    child.scale = cd_vec3_make(1, CD_REAL_MAX, 1);
    CHECK_INT(cd_shape_mass(&whole, 1, &m), CD_TOO_LARGE);
    child.scale = cd_vec3_make(cd_next_up(0), 1, 1);
    whole.scale.x = (cd_real)0.25;
    CHECK_INT(cd_shape_mass(&whole, 1, &m), CD_TOO_LARGE);
    child.scale = cd_vec3_make(0, 0, 0);
    placed.pose.rotation.x = placed.pose.rotation.w;
    CHECK_INT(cd_shape_mass(&whole, 1, &m), CD_UNSUPPORTED);
    child = cd_shape_of_point(cd_vec3_make(1, 2, 3)); /* a quarter turn about x */
    whole.scale.x = 1;
    has(&whole, 4.0 / 3.0 * pi * r * r * r, 4, 2, 21);
}

static void what_has_none(void) {
    cd_plane plane = {{0, 0, 1}, 0};
    cd_sphere ball = {{0, 0, 0}, 1};
    cd_shape s = cd_shape_of_halfspace(&plane);
    cd_cylinder c = {{0, 0, 0}, {0, 0, 1}, 1};
    cd_vec3 five[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    cd_support loose = cd_support_of_points(five, 5);
    cd_mass m;
    CHECK_INT(cd_shape_mass(&s, 1, &m), CD_UNSUPPORTED);
    s = cd_shape_of_sphere(ball);
    CHECK_INT(cd_shape_mass(&s, -1, &m), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_shape_mass(&s, NAN, &m), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_shape_mass(&s, INFINITY, &m), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_shape_mass(&s, 0, &m), CD_OK);
    CHECK(m.mass == 0);
    s.radius = -1;
    CHECK_INT(cd_shape_mass(&s, 1, &m), CD_INVALID_ARGUMENT);
    s = cd_shape_of_support(&loose);
    CHECK_INT(cd_shape_mass(&s, 1, &m), CD_UNSUPPORTED);
    s = cd_shape_of_cylinder(&c);
    s.scale = cd_vec3_make(1, 2, 1);
    CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
    s.radius = 1;
    CHECK_INT(cd_shape_mass(&s, 1, &m), CD_UNSUPPORTED);
    CHECK(m.mass == 0);
    s.scale = cd_vec3_make(2, -2, 2);
    CHECK_INT(cd_shape_mass(&s, 1, &m), CD_OK);
}

void suite_shape_mass(void) {
    RUN(simplices_in_two);
    RUN(polygons_in_two);
    RUN(hulls_in_two);
    RUN(kdops_in_two);
    RUN(boxes_by_hand);
    RUN(round_bodies_in_slices);
    RUN(round_bodies_in_two);
    RUN(ellipsoids_by_normals);
    RUN(ellipsoids_of_all_forms);
    RUN(stretched_is_mapped);
    RUN(meshes_in_all_layouts);
    RUN(compounds_are_sums);
    RUN(thin_children_of_stretched_compounds);
    RUN(compounds_stretched_and_rounded);
    RUN(flat_and_thin_ones);
    RUN(four_in_a_plane);
    RUN(balls_and_capsules_in_disguise);
    RUN(stretched_flat_ones_and_boxes);
    RUN(children_stretched_unevenly_and_rounded);
    RUN(what_has_none);
}
