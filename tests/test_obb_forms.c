/* Oriented boxes written down in other ways: each holds what it is made from, exactly, and is not much larger. */
#include "parts.h"

#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* ---- exact bodies: a point over a common denominator, and the two readings of a box ---- */

typedef struct point {
    exact3 num;
    exact den; /* above 0 */
} point;

static exact3 exact_vec(cd_vec3 v) {
    double d[3];
    to_doubles(REALS(v), d, 3);
    return exact3_from(d);
}

/* center + sum of s_i axis[i] half_i over a common denominator. */
static point corner_of(exact3 center, const exact3 axis[3], const exact half[3], exact den, int c) {
    point p;
    p.den = den;
    p.num = exact3_scale(center, den);
    for (int k = 0; k < 3; ++k)
        p.num = exact3_add(p.num, exact3_scale(axis[k], c & (1 << k) ? half[k] : exact_negate(half[k])));
    return p;
}

static int compare_abs(exact a, exact b) {
    return exact_compare(a.sign < 0 ? exact_negate(a) : a, b.sign < 0 ? exact_negate(b) : b);
}

/* Inside by its slabs, |axis . (p - center)| <= half, and as center + axes s. The axes may have a denominator themselves. */
static bool is_held(point p, exact3 center, const exact3 axis[3], const exact half[3], exact axis_den) {
    exact3 d = exact3_sub(p.num, exact3_scale(center, p.den));
    exact det = exact3_triple(axis[0], axis[1], axis[2]);
    for (int i = 0; i < 3; ++i) {
        exact3 dual = exact3_cross(axis[(i + 1) % 3], axis[(i + 2) % 3]);
        if (compare_abs(exact3_dot(d, axis[i]), exact_mul(exact_mul(half[i], p.den), axis_den)) > 0)
            return false;
        /* s_i = dual . d axis_den / (det den) */
        if (compare_abs(exact_mul(exact3_dot(d, dual), axis_den), exact_mul(exact_mul(half[i], p.den), det)) >
            0)
            return false;
    }
    return true;
}

static void half_of(cd_vec3 half, exact out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = exact_from((double)REALS(half)[k]);
}

static bool box_holds(const cd_obb *b, point p) {
    exact3 axis[3];
    exact half[3];
    for (int k = 0; k < 3; ++k) axis[k] = exact_vec(b->axes.col[k]);
    half_of(b->half, half);
    return is_held(p, exact_vec(b->center), axis, half, exact_from(1.0));
}

static point box_corner(const cd_obb *b, int c) {
    exact3 axis[3];
    exact half[3];
    for (int k = 0; k < 3; ++k) axis[k] = exact_vec(b->axes.col[k]);
    half_of(b->half, half);
    return corner_of(exact_vec(b->center), axis, half, exact_from(1.0), c);
}

/* The rotation of a quaternion: entries over |q|^2. */
static exact quat_axes(cd_quat q, exact3 axis[3]) {
    exact c[4], n, one[3];
    exact xx, yy, zz, ww;
    c[0] = exact_from((double)q.x);
    c[1] = exact_from((double)q.y);
    c[2] = exact_from((double)q.z);
    c[3] = exact_from((double)q.w);
    xx = exact_mul(c[0], c[0]), yy = exact_mul(c[1], c[1]), zz = exact_mul(c[2], c[2]),
    ww = exact_mul(c[3], c[3]);
    n = exact_add(exact_add(xx, yy), exact_add(zz, ww));
    one[0] = exact_sub(exact_add(ww, xx), exact_add(yy, zz));
    one[1] = exact_sub(exact_add(ww, yy), exact_add(xx, zz));
    one[2] = exact_sub(exact_add(ww, zz), exact_add(xx, yy));
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        exact ij = exact_mul(c[i], c[j]), kw = exact_mul(c[k], c[3]), ik = exact_mul(c[i], c[k]),
              jw = exact_mul(c[j], c[3]);
        exact two = exact_from(2.0);
        axis[i].c[i] = one[i];
        axis[i].c[j] = exact_mul(two, exact_add(ij, kw));
        axis[i].c[k] = exact_mul(two, exact_sub(ik, jw));
    }
    return n;
}

static void check_size(const cd_obb *b, const cd_obb *from, double units) {
    double allowed =
        units * (EPS + 1e-15) * ((double)cd_vec3_length(from->center) + (double)cd_vec3_length(from->half));
    for (int k = 0; k < 3; ++k) {
        CHECK((double)REALS(b->half)[k] <= (double)REALS(from->half)[k] + allowed);
        CHECK(fabs((double)REALS(b->center)[k] - (double)REALS(from->center)[k]) <= allowed);
    }
}

static cd_obb some_box(test_rng *rng) {
    gen g = gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
    cd_obb b = gen_obb(&g);
    if (!test_int(rng, 0, 3)) REALS(b.half)[test_int(rng, 0, 2)] = 0;
    if (!test_int(rng, 0, 9)) b.half = cd_vec3_make(0, 0, 0);
    test_note("");
    test_note_reals("box", REALS(b), 15);
    return b;
}

static void quaternions(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        cd_obb b = some_box(&rng), back;
        cd_obb_quat q;
        exact_pool pool = exact_begin();
        exact3 axis[3];
        exact half[3], n;
        ASK("judge", cd_obb_to_quat(&b, &q));
        n = quat_axes(q.rotation, axis);
        half_of(q.half, half);
        for (int c = 0; c < 8; ++c) CHECK(is_held(box_corner(&b, c), exact_vec(q.center), axis, half, n));
        if (!test_int(&rng, 0, 3)) q.rotation.w *= 3; /* any length will do */
        n = quat_axes(q.rotation, axis);
        CHECK(ASK("judge", cd_obb_from_quat(&q, &back)));
        for (int c = 0; c < 8; ++c)
            CHECK(box_holds(&back,
                            corner_of(exact3_scale(exact_vec(q.center), exact_from(1.0)), axis, half, n, c)));
        CHECK(ASK("judge", cd_obb_is_valid(&back)));
        ASK("judge", cd_obb_to_quat(&b, &q));
        CHECK(ASK("judge", cd_obb_from_quat(&q, &back)));
        check_size(&back, &b, 32);
        exact_end(pool);
    }
}

static void twelve_numbers(void) {
    test_rng rng = test_random();
    CHECK_INT(sizeof(cd_obb12), 12 * sizeof(cd_real));
    for (long i = test_times(2100); i > 0; --i) {
        cd_obb b = some_box(&rng), back;
        cd_obb12 q;
        exact_pool pool = exact_begin();
        exact3 axis[3];
        exact half[3];
        ASK("judge", cd_obb_to_obb12(&b, &q));
        axis[0] = exact_vec(q.axis[0]);
        axis[1] = exact_vec(q.axis[1]);
        axis[2] = exact3_cross(axis[0], axis[1]);
        half_of(q.half, half);
        for (int c = 0; c < 8; ++c)
            CHECK(is_held(box_corner(&b, c), exact_vec(q.center), axis, half, exact_from(1.0)));
        CHECK(ASK("judge", cd_obb_from_obb12(&q, &back)));
        for (int c = 0; c < 8; ++c)
            CHECK(box_holds(&back, corner_of(exact_vec(q.center), axis, half, exact_from(1.0), c)));
        check_size(&back, &b, 32);
        exact_end(pool);
    }
}

static void corners(void) {
    test_rng rng = test_random();
    for (long i = test_times(2100); i > 0; --i) {
        cd_obb b = some_box(&rng), back;
        cd_vec3 v[8];
        exact_pool pool = exact_begin();
        cd_obb_corner q;
        cd_obb_to_vertices(&b, v);
        if (!test_int(&rng, 0, 3)) v[test_int(&rng, 0, 7)] = v[test_int(&rng, 0, 7)]; /* far from a box */
        CHECK(ASK("judge", cd_obb_from_vertices(v, &back)) && ASK("judge", cd_obb_is_valid(&back)));
        for (int c = 0; c < 8; ++c) {
            point p;
            p.num = exact_vec(v[c]);
            p.den = exact_from(1.0);
            CHECK(box_holds(&back, p));
        }
        cd_obb_to_vertices(&b, v);
        CHECK(ASK("judge", cd_obb_from_vertices(v, &back)));
        CHECK((double)back.half.x * (double)back.half.y * (double)back.half.z <=
              pow((double)cd_vec3_length(b.half) + 64 * EPS * (double)cd_vec3_length(b.center), 3));
        ASK("forms", cd_obb_to_corner(&b, &q));
        CHECK_VEC(q.corner, v[0], 0);
        CHECK(ASK("judge", cd_obb_from_corner(&q, &back)) && ASK("judge", cd_obb_is_valid(&back)));
        for (int c = 0; c < 8; ++c) {
            point p;
            p.num = exact_vec(q.corner);
            p.den = exact_from(1.0);
            for (int k = 0; k < 3; ++k)
                p.num = c & (1 << k) ? exact3_add(p.num, exact_vec(q.edge[k])) : p.num;
            CHECK(box_holds(&back, p));
        }
        exact_end(pool);
    }
}

/* A box whose edges are well above the rounding of its corners is found again, axis by axis. */
static void corners_give_the_same_box(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_SCALE);
        cd_obb b = gen_obb(&g), back;
        cd_obb_corner q;
        cd_vec3 v[8];
        for (int k = 0; k < 3; ++k) REALS(b.half)[k] += (cd_real)g.scale;
        cd_obb_to_vertices(&b, v);
        CHECK(cd_obb_from_vertices(v, &back));
        check_size(&back, &b, 32);
        for (int k = 0; k < 9; ++k)
            CHECK_NEAR((double)REALS(back.axes)[k], (double)REALS(b.axes)[k], 32 * EPS);
        cd_obb_to_corner(&b, &q);
        CHECK(cd_obb_from_corner(&q, &back));
        check_size(&back, &b, 32);
        for (int k = 0; k < 9; ++k)
            CHECK_NEAR((double)REALS(back.axes)[k], (double)REALS(b.axes)[k], 32 * EPS);
    }
}

/* The common point of three planes, by Cramer's rule. */
static point common_point(const cd_plane *a, const cd_plane *b, const cd_plane *c) {
    exact3 na = exact_vec(a->n), nb = exact_vec(b->n), nc = exact_vec(c->n);
    point p;
    p.den = exact3_triple(na, nb, nc);
    p.num = exact3_add(exact3_add(exact3_scale(exact3_cross(nb, nc), exact_from((double)a->d)),
                                  exact3_scale(exact3_cross(nc, na), exact_from((double)b->d))),
                       exact3_scale(exact3_cross(na, nb), exact_from((double)c->d)));
    if (p.den.sign < 0) {
        p.den = exact_negate(p.den);
        for (int k = 0; k < 3; ++k) p.num.c[k] = exact_negate(p.num.c[k]);
    }
    return p;
}

static void planes_and_slabs(void) {
    test_rng rng = test_random();
    for (long i = test_times(2100); i > 0; --i) {
        cd_obb b = some_box(&rng), back;
        cd_plane p[6];
        cd_slab s[3];
        exact_pool pool = exact_begin();
        cd_obb_to_planes(&b, p);
        CHECK(ASK("exact", cd_slabs_from_obb(&b, s)));
        test_asked("exact", "cd_obb_to_planes");
        for (int c = 0; c < 8; ++c) {
            exact3 corner = box_corner(&b, c).num;
            for (int k = 0; k < 6; ++k)
                CHECK(exact_compare(exact3_dot(exact_vec(p[k].n), corner), exact_from((double)p[k].d)) <= 0);
            for (int k = 0; k < 3; ++k) {
                exact at = exact3_dot(exact_vec(s[k].n), corner);
                CHECK(exact_compare(at, exact_from((double)s[k].min)) >= 0 &&
                      exact_compare(at, exact_from((double)s[k].max)) <= 0);
            }
        }
        if (test_int(&rng, 0, 1)) { /* normals of any length, a little aslant */
            for (int k = 0; k < 6; ++k) {
                cd_real by = (cd_real)ldexp(1.0, test_int(&rng, -20, 20));
                p[k].n = cd_vec3_scale(p[k].n, by);
                p[k].d *= by;
            }
        }
        CHECK(ASK("judge", cd_obb_from_planes(p, &back)) && ASK("judge", cd_obb_is_valid(&back)));
        for (int c = 0; c < 8; ++c)
            CHECK(box_holds(&back, common_point(&p[c & 1 ? 0 : 1], &p[c & 2 ? 2 : 3], &p[c & 4 ? 4 : 5])));
        check_size(&back, &b, 200);
        CHECK(ASK("judge", cd_obb_from_slabs(s, &back)) && ASK("judge", cd_obb_is_valid(&back)));
        check_size(&back, &b, 200);
        exact_end(pool);
    }
}

/* Of a few of the smallest numbers, where products vanish. */
static void planes_of_the_smallest_boxes(void) {
    test_rng rng = test_random();
    double least = sizeof(cd_real) == 4 ? 1e-45 : 5e-324;
    for (long i = 20 + test_times(500); i > 0; --i) {
        cd_obb b = some_box(&rng);
        cd_plane p[6];
        exact_pool pool = exact_begin();
        for (int k = 0; k < 3; ++k) {
            REALS(b.half)[k] = (cd_real)(test_int(&rng, 0, 12) * least);
            REALS(b.center)[k] = (cd_real)(test_int(&rng, -4, 4) * (i % 2) * least);
        }
        test_note("");
        test_note_reals("b", REALS(b), 15);
        ASK("judge", cd_obb_to_planes(&b, p));
        for (int c = 0; c < 8; ++c) {
            exact3 corner = box_corner(&b, c).num;
            for (int k = 0; k < 6; ++k)
                CHECK(exact_compare(exact3_dot(exact_vec(p[k].n), corner), exact_from((double)p[k].d)) <= 0);
        }
        exact_end(pool);
    }
}

/* One axis that is not unit is enough for a box to lose precision. */
static void axes_that_are_not_unit(void) {
    cdi_v3 zero = cdi_v3_make(0, 0, 0);
    for (int i = 0; i < 27; ++i) {
        static const double lengths[3] = {1, 5, 0.2};
        double a = lengths[i % 3], b = lengths[i / 3 % 3], c = lengths[i / 9];
        cdi_m3 axes;
        axes.c[0] = cdi_v3_make(a, 0, 0);
        axes.c[1] = cdi_v3_make(0, b, 0);
        axes.c[2] = cdi_v3_make(0, 0, c);
        test_note("%g %g %g", a, b, c);
        if (i == 0) CHECK_SAME(cdi_hold_begin(zero, &axes).loss, 1);
        if (i > 0) CHECK(cdi_hold_begin(zero, &axes).loss > 25);
        axes.c[i % 3] = axes.c[(i + 1) % 3];
        CHECK(cdi_hold_begin(zero, &axes).loss > (double)CD_REAL_MAX); /* no volume */
    }
}

static void measures(void) {
    cd_aabb box = {{-1, -2, -3}, {1, 2, 3}};
    cd_obb b = cd_obb_from_aabb(box);
    test_rng rng = test_random();
    CHECK_SAME(ASK("judge", cd_obb_volume(&b)), 48);
    CHECK_SAME(ASK("judge", cd_obb_surface_area(&b)), 88);
    CHECK_VEC(ASK("judge", cd_obb_support(&b, cd_vec3_make(1, -1, 0))), cd_vec3_make(1, -2, 3), 0);
    CHECK_VEC(ASK("judge", cd_obb_support(&b, cd_vec3_make(0, 0, -5))), cd_vec3_make(1, 2, -3), 0);
    CHECK_VEC(ASK("judge", cd_obb_support(&b, cd_vec3_make(0, (cd_real)NAN, -5))), cd_vec3_make(1, 2, 3), 0);
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 v[8], dir = gen_direction(&g), s;
        double best = -1e30;
        b = gen_obb(&g);
        s = ASK("judge", cd_obb_support(&b, dir));
        cd_obb_to_vertices(&b, v);
        for (int c = 0; c < 8; ++c) best = fmax(best, (double)cd_vec3_dot(v[c], dir));
        CHECK_ULPS((double)cd_vec3_dot(s, dir), best, 8, (double)cd_vec3_length(dir));
    }
}

static bool is_zero(const void *p, size_t size) {
    static const unsigned char nothing[256];
    return memcmp(p, nothing, size) == 0;
}

static void bad_input(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb b = cd_obb_from_aabb(unit), out;
    cd_vec3 v[8];
    cd_plane p[6], q[6];
    cd_slab s[3];
    cd_obb_corner c;
    cd_obb_quat r;
    cd_obb12 t;
    cd_obb_to_vertices(&b, v);
    cd_obb_to_planes(&b, p);
    for (int i = 0; i < 15; ++i) {
        out = b;
        REALS(out)[i] = (cd_real)NAN;
        cd_obb_to_planes(&out, q);
        CHECK(!ASK("bad", cd_slabs_from_obb(&out, s)));
        cd_obb_to_corner(&out, &c);
        cd_obb_to_quat(&out, &r);
        cd_obb_to_obb12(&out, &t);
        CHECK(is_zero(q, sizeof q) && is_zero(s, sizeof s) && is_zero(&c, sizeof c) &&
              is_zero(&r, sizeof r) && is_zero(&t, sizeof t));
    }
    v[3].y = (cd_real)INFINITY;
    CHECK(!cd_obb_from_vertices(v, &out) && is_zero(&out, sizeof out));
    memcpy(q, p, sizeof p);
    q[1].d = -2; /* behind x = 1 and in front of x = 2 */
    CHECK(!cd_obb_from_planes(q, &out) && is_zero(&out, sizeof out));
    memcpy(q, p, sizeof p);
    q[2].n = cd_vec3_make((cd_real)0.3, 1, 0);
    CHECK(!cd_obb_from_planes(q, &out));
    memcpy(q, p, sizeof p);
    q[2].n = cd_vec3_make(0, 0, 0);
    CHECK(!cd_obb_from_planes(q, &out));
    memset(&c, 0, sizeof c);
    CHECK(cd_obb_from_corner(&c, &out) && cd_obb_is_valid(&out) && cd_obb_volume(&out) == 0);
    c.edge[1].y = (cd_real)NAN;
    CHECK(!cd_obb_from_corner(&c, &out) && is_zero(&out, sizeof out));
    cd_obb_to_quat(&b, &r);
    r.half.y = -1;
    CHECK(!cd_obb_from_quat(&r, &out) && is_zero(&out, sizeof out));
    r.half.y = 1;
    r.rotation.z = (cd_real)NAN;
    CHECK(!cd_obb_from_quat(&r, &out));
    cd_obb_to_obb12(&b, &t);
    t.axis[1].z = (cd_real)INFINITY;
    CHECK(!cd_obb_from_obb12(&t, &out) && is_zero(&out, sizeof out));
}

/* Boxes as small as numbers get are boxes. */
static void boxes_of_next_to_nothing(void) {
    double step = ldexp(1, sizeof(cd_real) == 4 ? -149 : -1074);
    for (int i = 0; i < 64; ++i) {
        cd_obb out;
        cd_plane p[6];
        int size[3];
        for (int k = 0; k < 3; ++k) {
            size[k] = i >> 2 * k & 3;
            for (int side = 0; side < 2; ++side) {
                p[2 * k + side].n = cd_vec3_make(0, 0, 0);
                REALS(p[2 * k + side].n)[k] = side ? -1 : 1;
                p[2 * k + side].d = (cd_real)(size[k] * step);
            }
        }
        test_note("%d ", i);
        CHECK(ASK("exact", cd_obb_from_planes(p, &out)) && cd_obb_is_valid(&out));
        for (int k = 0; k < 3; ++k) {
            double x = 0;
            for (int c = 0; c < 3; ++c)
                x += fabs((double)REALS(out.axes.col[c])[k]) * (double)REALS(out.half)[c];
            CHECK(x >= size[k] * step && x <= (size[k] + 256) * step);
        }
    }
}

static void found_by_review(void) {
    cd_obb b = cd_obb_from_aabb(cd_aabb_empty());
    double big = sizeof(cd_real) == 4 ? 1e30 : 1e200;
    b.half = cd_vec3_make((cd_real)big, (cd_real)big, (cd_real)(1 / big));
    CHECK_NEAR((double)cd_obb_volume(&b) / big, 8.0, 1e-5);
    b.half.z = -1;
    CHECK(cd_obb_volume(&b) == 0);
    CHECK(cd_obb_surface_area(&b) == 0);
    /* the smallest numbers, turned */
    b.half = cd_vec3_make((cd_real)1e-322, (cd_real)1e-322, (cd_real)1e-322);
    b.axes.col[0] = cd_vec3_make((cd_real)0.6, (cd_real)0.8, 0);
    b.axes.col[1] = cd_vec3_make((cd_real)-0.8, (cd_real)0.6, 0);
    CHECK(cd_aabb_from_obb(&b).max.x >= (cd_real)1.38e-322);
}

void suite_obb_forms(void) {
    RUN(boxes_of_next_to_nothing);
    RUN(found_by_review);
    RUN(quaternions);
    RUN(twelve_numbers);
    RUN(corners);
    RUN(corners_give_the_same_box);
    RUN(planes_and_slabs);
    RUN(planes_of_the_smallest_boxes);
    RUN(axes_that_are_not_unit);
    RUN(measures);
    RUN(bad_input);
}
