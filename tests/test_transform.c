/* Quaternions and poses: against matrices of long double, and each other. */
#include "gen.h"
#include <math.h>

#define EPS ((double)CD_REAL_EPSILON)

static cd_vec3 rotated(cd_quat q, cd_vec3 v) {
    long double r[3];
    gen_rotate(q, v, r);
    return cd_vec3_make((cd_real)r[0], (cd_real)r[1], (cd_real)r[2]);
}

static void rotation_is_the_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, 1));
        cd_quat q = gen_quat(&rng);
        cd_vec3 v = gen_point(&g);
        cd_real factor = (cd_real)ldexp(1.0, test_int(&rng, -20, 20));
        cd_quat longer = q;
        cd_mat3 m = cd_quat_to_mat3(q);
        test_note("");
        test_note_reals("q", REALS(q), 4);
        test_note_reals("v", REALS(v), 3);
        CHECK_VEC(ASK("judge", cd_quat_rotate(q, v)), rotated(q, v), 8 * EPS);
        longer.x *= factor;
        longer.y *= factor;
        longer.z *= factor;
        longer.w *= factor;
        CHECK_VEC(ASK("judge", cd_quat_rotate(longer, v)), cd_quat_rotate(q, v), 0);
        CHECK_VEC(ASK("judge", cd_mat3_mul_vec(&m, v)), rotated(q, v), 8 * EPS);
        CHECK(ASK("judge", cd_mat3_is_rotation(&m, (cd_real)(8 * EPS))));
    }
}

/* Quarter and third turns, of any length: whole numbers, exactly. */
static void symmetries_of_the_cube(void) {
    test_rng rng = test_random();
    for (int code = 1; code < 81; ++code) {
        int c[4] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 % 3 - 1, code / 27 - 1}, n = 0;
        cd_real length = (cd_real)test_range(&rng, 0.1, 10.0);
        cd_quat q;
        cd_mat3 m;
        for (int k = 0; k < 4; ++k) {
            n += c[k] * c[k];
            REALS(q)[k] = (cd_real)c[k] * length;
        }
        if (n == 0 || n == 3) continue; /* three equal ones are no symmetry of the cube */
        m = cd_quat_to_mat3(q);
        for (int k = 0; k < 3; ++k) {
            cd_vec3 axis = cd_vec3_make(k == 0, k == 1, k == 2);
            CHECK_VEC(m.col[k], rotated(q, axis), 4 * EPS);
            for (int r = 0; r < 3; ++r)
                CHECK(fabs((double)REALS(m.col[k])[r]) == 1 || REALS(m.col[k])[r] == 0);
        }
    }
}

static void zero_is_the_identity(void) {
    cd_transform zero;
    cd_quat q;
    cd_vec3 p = cd_vec3_make(1, 2, 3);
    q.x = q.y = q.z = q.w = 0;
    zero.rotation = q;
    zero.position = cd_vec3_make(0, 0, 0);
    CHECK_VEC(cd_transform_point(&zero, p), p, 0);
    CHECK_VEC(cd_quat_rotate(q, p), p, 0);
    CHECK_SAME(cd_quat_normalize(q).w, 1);
    CHECK_SAME(cd_quat_mul(q, cd_quat_identity()).w, 1);
    CHECK_SAME(cd_transform_mul(&zero, &zero).rotation.w, 1);
}

static void from_axis_and_between_directions(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 a = gen_direction(&g), b = test_int(&rng, 0, 9) ? gen_direction(&g) : cd_vec3_neg(a);
        cd_vec3 turned = cd_quat_rotate(cd_quat_from_to(a, b), cd_vec3_normalize(a));
        test_note("");
        test_note_reals("a", REALS(a), 3);
        test_note_reals("b", REALS(b), 3);
        CHECK_VEC(turned, cd_vec3_normalize(b), 8 * EPS);
    }
    CHECK_VEC(cd_quat_rotate(cd_quat_from_axis(cd_vec3_make(0, 0, 5), (cd_real)0.7071067811865476,
                                               (cd_real)0.7071067811865476),
                             cd_vec3_make(1, 0, 0)),
              cd_vec3_make(0, 1, 0), 2 * EPS);
    CHECK_SAME(cd_quat_from_axis(cd_vec3_make(0, 0, 0), 1, 0).w, 1);
    CHECK_SAME(cd_quat_from_to(cd_vec3_make(0, 0, 0), cd_vec3_make(1, 0, 0)).w, 1);
    CHECK_SAME(cd_quat_from_to(cd_vec3_make((cd_real)NAN, 0, 0), cd_vec3_make(1, 0, 0)).w, 1);
}

static void from_matrices(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        cd_quat q = gen_quat(&rng), r;
        cd_mat3 m, n;
        if (!test_int(&rng, 0, 3)) q.w = 0; /* half turns: the other branches */
        if (!test_int(&rng, 0, 3)) q.x = 0;
        q = cd_quat_normalize(q);
        m = cd_quat_to_mat3(q);
        r = cd_quat_from_mat3(&m);
        n = cd_quat_to_mat3(r);
        test_note("");
        test_note_reals("q", REALS(q), 4);
        for (int c = 0; c < 3; ++c) CHECK_VEC(n.col[c], m.col[c], 8 * EPS);
    }
}

static void composition(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_transform a = gen_pose(&rng, 2.0), b = gen_pose(&rng, 2.0), ab = cd_transform_mul(&a, &b);
        cd_transform back = cd_transform_inverse(&a), rel = cd_transform_relative(&a, &ab);
        cd_vec3 p = gen_point(&g), q = cd_transform_point(&a, p);
        CHECK_VEC(cd_transform_point(&ab, p), cd_transform_point(&a, cd_transform_point(&b, p)), 32 * EPS);
        CHECK_VEC(cd_transform_inverse_point(&a, q), p, 32 * EPS);
        CHECK_VEC(cd_transform_point(&back, q), p, 32 * EPS);
        CHECK_VEC(cd_transform_point(&rel, p), cd_transform_point(&b, p), 32 * EPS);
        CHECK_VEC(cd_transform_inverse_vector(&a, cd_transform_vector(&a, p)), p, 16 * EPS);
        CHECK_VEC(cd_quat_rotate(cd_quat_mul(a.rotation, b.rotation), p),
                  cd_quat_rotate(a.rotation, cd_quat_rotate(b.rotation, p)), 32 * EPS);
        CHECK_VEC(cd_quat_rotate(cd_quat_conjugate(a.rotation), cd_quat_rotate(a.rotation, p)), p, 16 * EPS);
    }
}

static void many_points_are_the_single_ones(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_FAR);
    cd_transform t = gen_pose(&rng, 100.0);
    cd_vec3 p[64], q[64];
    for (int i = 0; i < 64; ++i) p[i] = gen_point(&g);
    cd_transform_points(&t, p, 64, q);
    for (int i = 0; i < 64; ++i) CHECK_VEC(q[i], cd_transform_point(&t, p[i]), 0);
    cd_transform_points(&t, p, 64, p);
    for (int i = 0; i < 64; ++i) CHECK_VEC(p[i], q[i], 0);
}

static void far_from_the_worlds_origin(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_world_pose a, b;
        cd_transform near_a = gen_pose(&rng, 1.0), near_b = gen_pose(&rng, 1.0), want, got;
        a.rotation = near_a.rotation;
        b.rotation = near_b.rotation;
        for (int k = 0; k < 3; ++k) { /* quarters are exact at this distance */
            const cd_real *pa = REALS(near_a.position), *pb = REALS(near_b.position);
            a.position[k] = 1e12 + floor((double)pa[k] * 4.0) / 4.0;
            b.position[k] = 1e12 + floor((double)pb[k] * 4.0) / 4.0;
        }
        got = ASK("forms", cd_relative(&a, &b));
        for (int k = 0; k < 3; ++k) {
            cd_real *pa = REALS(near_a.position), *pb = REALS(near_b.position);
            pa[k] = (cd_real)(a.position[k] - 1e12);
            pb[k] = (cd_real)(b.position[k] - 1e12);
        }
        want = cd_transform_relative(&near_a, &near_b);
        CHECK_VEC(got.position, want.position, 0);
        CHECK_SAME(got.rotation.w, want.rotation.w);
    }
}

/* ---- angles ---- */

static void rotate_about(cd_vec3 axis, long double radians, cd_vec3 v, long double out[3]) {
    long double x = axis.x, y = axis.y, z = axis.z, n = sqrtl(x * x + y * y + z * z);
    long double s = sinl(radians), c = cosl(radians), d;
    x /= n;
    y /= n;
    z /= n;
    d = (x * v.x + y * v.y + z * v.z) * (1 - c);
    out[0] = c * v.x + s * (y * v.z - z * v.y) + d * x;
    out[1] = c * v.y + s * (z * v.x - x * v.z) + d * y;
    out[2] = c * v.z + s * (x * v.y - y * v.x) + d * z;
}

static cd_quat negated(cd_quat q) {
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    q.w = -q.w;
    return q;
}

static double quat_dot(cd_quat a, cd_quat b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
           (double)a.w * (double)b.w;
}

/* The largest difference of two rotations' components, of either sign. */
static double quat_difference(cd_quat a, cd_quat b) {
    double worst = 0.0;
    if (quat_dot(a, b) < 0) b = negated(b);
    for (int i = 0; i < 4; ++i) { /* not fmax: GCC 12 for 64-bit Arm fails on it here */
        double difference = fabs((double)REALS(a)[i] - (double)REALS(b)[i]);
        if (!(difference <= worst)) worst = difference;
    }
    return worst;
}

/* Rodrigues' formula in long double. */
static void about_an_axis_by_an_angle(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1)), unit = gen_begin(&rng, GEN_UNIT);
        cd_vec3 axis = gen_direction(&g), v = gen_point(&unit);
        cd_real angle = (cd_real)(test_range(&rng, -1.0, 1.0) * ldexp(1.0, test_int(&rng, -20, 10)));
        cd_quat q = cd_quat_from_axis_angle(axis, angle), back = cd_quat_from_axis_angle(axis, -angle);
        cd_quat other = cd_quat_from_axis_angle(cd_vec3_neg(axis), -angle);
        cd_mat3 m = cd_mat3_from_axis_angle(axis, angle);
        long double want[3], half, length;
        test_note("");
        test_note_reals("axis", REALS(axis), 3);
        test_note_reals("angle", &angle, 1);
        half = (long double)angle / 2;
        length =
            sqrtl((long double)axis.x * axis.x + (long double)axis.y * axis.y + (long double)axis.z * axis.z);
        test_asked("judge", "cd_quat_from_axis_angle");
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(REALS(q)[k], (double)(sinl(half) * REALS(axis)[k] / length), 2 * EPS);
        CHECK_NEAR(q.w, (double)cosl(half), 2 * EPS);
        rotate_about(axis, (long double)angle, v, want);
        CHECK_VEC(cd_quat_rotate(q, v), cd_vec3_make((cd_real)want[0], (cd_real)want[1], (cd_real)want[2]),
                  6 * EPS);
        CHECK_VEC(cd_mat3_mul_vec(&m, v), cd_quat_rotate(q, v), 4 * EPS);
        CHECK(quat_difference(q, other) == 0 && quat_difference(back, cd_quat_conjugate(q)) == 0);
        CHECK_NEAR(quat_dot(q, q), 1.0, 4 * EPS);
        CHECK(quat_difference(cd_quat_mul(q, back), cd_quat_identity()) <= 4 * EPS);
        CHECK(ASK("judge", cd_mat3_is_rotation(&m, (cd_real)(5 * EPS))));
    }
    CHECK_SAME(cd_quat_from_axis_angle(cd_vec3_make(0, 0, 0), 1).w, 1);
    CHECK_SAME(cd_quat_from_axis_angle(cd_vec3_make(1, 0, 0), (cd_real)NAN).w, 1);
    CHECK_SAME(cd_quat_from_axis_angle(cd_vec3_make(1, 0, 0), (cd_real)INFINITY).w, 1);
    CHECK_SAME(cd_quat_from_axis(cd_vec3_make(1, 0, 0), 0, 0).w, 1);
    CHECK_SAME(cd_quat_from_axis_angle(cd_vec3_make(0, -3, 0), 0).w, 1);
}

/* ---- each routine by its definition ---- */

static void quaternions_by_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, 1));
        cd_quat a = gen_quat(&rng), b = gen_quat(&rng), r;
        cd_vec3 v = gen_point(&g), axis = gen_direction(&g), turned;
        cd_real by = (cd_real)ldexp(1.0, test_int(&rng, -20, 20)), s, c;
        cd_mat3 m;
        long double x = a.x, y = a.y, z = a.z, w = a.w, length = sqrtl(x * x + y * y + z * z + w * w);
        long double want[4], sum[3], half;
        bool bad = test_int(&rng, 0, 9) == 0;
        test_note("");
        test_note_reals("a", REALS(a), 4);
        test_note_reals("b", REALS(b), 4);
        test_note_reals("v", REALS(v), 3);
        test_note_reals("axis", REALS(axis), 3);
        r = ASK("exact", cd_quat_identity());
        CHECK(r.x == 0 && r.y == 0 && r.z == 0 && r.w == 1);
        r = ASK("exact", cd_quat_conjugate(a));
        CHECK(r.x == -a.x && r.y == -a.y && r.z == -a.z && r.w == a.w);
        r = ASK("judge", cd_quat_mul(a, b));
        want[0] = w * b.x + x * b.w + (y * b.z - z * b.y);
        want[1] = w * b.y + y * b.w + (z * b.x - x * b.z);
        want[2] = w * b.z + z * b.w + (x * b.y - y * b.x);
        want[3] = w * b.w - (x * b.x + y * b.y + z * b.z);
        for (int k = 0; k < 4; ++k) CHECK_NEAR(REALS(r)[k], (double)want[k], 4 * EPS);
        m = ASK("judge", cd_quat_to_mat3(a));
        for (int k = 0; k < 3; ++k) {
            cd_vec3 unit = cd_vec3_make(k == 0, k == 1, k == 2);
            gen_rotate(a, unit, sum);
            for (int j = 0; j < 3; ++j) CHECK_NEAR(REALS(m.col[k])[j], (double)sum[j], 4 * EPS);
        }
        m = ASK("judge", cd_mat3_from_axis_angle(axis, by));
        rotate_about(axis, (long double)by, v, sum);
        for (int j = 0; j < 3; ++j)
            CHECK_NEAR((double)REALS(m.col[0])[j] * (double)v.x + (double)REALS(m.col[1])[j] * (double)v.y +
                           (double)REALS(m.col[2])[j] * (double)v.z,
                       (double)sum[j], 24 * EPS);
        half = (long double)by;
        s = (cd_real)sinl(half);
        c = (cd_real)cosl(half);
        r = ASK("judge", cd_quat_from_axis(axis, s, c)); /* by twice that angle */
        rotate_about(axis, 2 * half, v, sum);
        gen_rotate(r, v, want);
        for (int j = 0; j < 3; ++j) CHECK_NEAR((double)want[j], (double)sum[j], 24 * EPS);
        r = a;
        for (int k = 0; k < 4; ++k) REALS(r)[k] *= by;
        r = ASK("judge", cd_quat_normalize(r));
        for (int k = 0; k < 4; ++k) CHECK_NEAR(REALS(r)[k], (double)(REALS(a)[k] / length), 2 * EPS);
        m = cd_quat_to_mat3(a);
        r = ASK("judge", cd_quat_from_mat3(&m));
        CHECK(quat_difference(r, a) <= 8 * EPS);
        r = ASK("judge", cd_quat_from_to(v, axis));
        if (cd_vec3_length(v) > 0) {
            gen_rotate(r, v, want);
            turned = cd_vec3_normalize(axis);
            for (int j = 0; j < 3; ++j)
                CHECK_NEAR((double)want[j], (double)REALS(turned)[j] * (double)cd_vec3_length(v), 32 * EPS);
            /* the shortest way: what is perpendicular to both stays where it is */
            turned = cd_vec3_cross(v, axis);
            if (cd_vec3_length(turned) > 0.01) {
                gen_rotate(r, turned, want);
                for (int j = 0; j < 3; ++j) CHECK_NEAR((double)want[j], (double)REALS(turned)[j], 4000 * EPS);
            }
        }
        if (bad) REALS(a)[test_int(&rng, 0, 3)] = (cd_real)(test_int(&rng, 0, 1) ? NAN : INFINITY);
        CHECK_INT(ASK(bad ? "bad" : "exact", cd_quat_is_valid(a)), !bad);
    }
}

/* R p + position in long double. */
static void move_wide(const cd_transform *t, cd_vec3 p, long double out[3]) {
    gen_rotate(t->rotation, p, out);
    for (int k = 0; k < 3; ++k) out[k] += REALS(t->position)[k];
}

static void check_wide(cd_vec3 got, const long double want[3], double margin) {
    for (int k = 0; k < 3; ++k) CHECK_NEAR(REALS(got)[k], (double)want[k], margin);
}

static void motions_by_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_transform a = gen_pose(&rng, 2.0), b = gen_pose(&rng, 2.0), r;
        cd_vec3 p = gen_point(&g), q, two[2];
        cd_transform2 flat;
        cd_vec2 f;
        long double want[3], angle = test_range(&rng, -4, 4);
        bool bad = test_int(&rng, 0, 9) == 0;
        test_note("");
        test_note_reals("a", REALS(a), 7);
        test_note_reals("b", REALS(b), 7);
        test_note_reals("p", REALS(p), 3);
        r = ASK("exact", cd_transform_identity());
        CHECK(r.rotation.w == 1 && r.rotation.x == 0 && r.rotation.y == 0 && r.rotation.z == 0);
        CHECK_VEC(r.position, cd_vec3_make(0, 0, 0), 0);
        q = ASK("judge", cd_transform_point(&a, p));
        move_wide(&a, p, want);
        check_wide(q, want, 16 * EPS);
        two[0] = q;
        two[1] = p;
        ASK("loop", cd_transform_points(&a, two, 2, two));
        CHECK_VEC(two[0], cd_transform_point(&a, q), 0);
        CHECK_VEC(two[1], q, 0);
        p = ASK("judge", cd_transform_inverse_point(&a, q));
        move_wide(&a, p, want);
        check_wide(q, want, 32 * EPS);
        q = ASK("judge", cd_transform_vector(&a, p));
        gen_rotate(a.rotation, p, want);
        check_wide(q, want, 16 * EPS);
        p = ASK("judge", cd_transform_inverse_vector(&a, q));
        gen_rotate(a.rotation, p, want);
        check_wide(q, want, 32 * EPS);
        r = ASK("judge", cd_transform_mul(&a, &b)); /* does b, then a */
        q = cd_transform_point(&b, p);
        move_wide(&a, q, want);
        check_wide(cd_transform_point(&r, p), want, 48 * EPS);
        r = ASK("judge", cd_transform_inverse(&a));
        q = cd_transform_point(&r, p);
        move_wide(&a, q, want);
        check_wide(p, want, 48 * EPS);
        r = ASK("judge", cd_transform_relative(&a, &b)); /* a after it is b */
        q = cd_transform_point(&r, p);
        move_wide(&a, q, want);
        check_wide(cd_transform_point(&b, p), want, 64 * EPS);
        flat.rotation.x = (cd_real)cosl(angle);
        flat.rotation.y = (cd_real)sinl(angle);
        flat.position = cd_vec2_make(b.position.x, b.position.y);
        f = ASK("judge", cd_transform2_point(&flat, cd_vec2_make(p.x, p.y)));
        CHECK_NEAR(f.x, (double)(cosl(angle) * p.x - sinl(angle) * p.y + b.position.x), 32 * EPS);
        CHECK_NEAR(f.y, (double)(sinl(angle) * p.x + cosl(angle) * p.y + b.position.y), 32 * EPS);
        if (bad) REALS(flat)[test_int(&rng, 0, 3)] = (cd_real)(test_int(&rng, 0, 1) ? NAN : -INFINITY);
        CHECK_INT(ASK(bad ? "bad" : "exact", cd_transform2_is_valid(&flat)), !bad);
        if (bad) REALS(a)[test_int(&rng, 0, 6)] = (cd_real)(test_int(&rng, 0, 1) ? NAN : -INFINITY);
        CHECK_INT(ASK(bad ? "bad" : "exact", cd_transform_is_valid(&a)), !bad);
    }
}

/* The definition in long double, by the angle between the two. */
static void slerp_wide(cd_quat a, cd_quat b, long double t, long double out[4]) {
    long double x[2][4], length[2] = {0, 0}, chord = 0, sum = 0, sign, angle;
    if (quat_dot(a, b) < 0) b = negated(b);
    for (int i = 0; i < 4; ++i) {
        x[0][i] = REALS(a)[i];
        x[1][i] = REALS(b)[i];
        for (int k = 0; k < 2; ++k) length[k] += x[k][i] * x[k][i];
    }
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 2; ++k) x[k][i] /= sqrtl(length[k]);
        chord += (x[1][i] - x[0][i]) * (x[1][i] - x[0][i]);
        sum += (x[1][i] + x[0][i]) * (x[1][i] + x[0][i]);
    }
    angle = 2 * atan2l(sqrtl(chord), sqrtl(sum));
    sign = angle == 0 ? 1 : 1 / sinl(angle);
    for (int i = 0; i < 4; ++i)
        out[i] = angle == 0 ? x[0][i] : sign * (sinl((1 - t) * angle) * x[0][i] + sinl(t * angle) * x[1][i]);
}

/* a turned further by t times the angle, about the axis of the step: exact but for rounding. */
static void between_two_rotations(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 axis = gen_direction(&g);
        cd_quat a = gen_quat(&rng), b, want, slerp, nlerp, half, b_flipped;
        double digits = test_range(&rng, -3.14, 3.14);
        long double wide[4];
        double angle = test_int(&rng, 0, 1)
                           ? digits
                           : digits * ldexp(1.0, -test_int(&rng, 1, sizeof(cd_real) == 4 ? 18 : 45));
        cd_real t = (cd_real)test_range(&rng, 0.0, 1.0);
        b = cd_quat_normalize(cd_quat_mul(cd_quat_from_axis_angle(axis, (cd_real)angle), a));
        want = cd_quat_normalize(
            cd_quat_mul(cd_quat_from_axis_angle(axis, (cd_real)((double)t * (double)(cd_real)angle)), a));
        slerp = cd_quat_slerp(a, b, t);
        nlerp = cd_quat_nlerp(a, b, t);
        b_flipped = negated(b);
        test_note("");
        test_note_reals("a", REALS(a), 4);
        test_note_reals("b", REALS(b), 4);
        test_note_reals("t", &t, 1);
        slerp_wide(a, b, (long double)t, wide);
        test_asked("judge", "cd_quat_slerp");
        for (int k = 0; k < 4; ++k) CHECK_NEAR(REALS(slerp)[k], (double)wide[k], 3 * EPS);
        /* near half a turn, rounding may move b, and with it the way there, by its units */
        CHECK(quat_difference(slerp, want) <= 8 * EPS);
        CHECK_NEAR(quat_dot(slerp, slerp), 1.0, 4 * EPS);
        test_asked("judge", "cd_quat_nlerp");
        CHECK_NEAR(quat_dot(nlerp, nlerp), 1.0, 4 * EPS);
        CHECK(quat_difference(nlerp, slerp) <= 0.08 * angle * angle * fabs(angle) + 4 * EPS);
        half = cd_quat_nlerp(a, b, (cd_real)0.5);
        CHECK(quat_difference(half, cd_quat_slerp(a, b, (cd_real)0.5)) <= 2 * EPS);
        CHECK(quat_difference(slerp, cd_quat_slerp(a, b_flipped, t)) <= (fabs(angle) < 3.13 ? 0 : 4 * EPS));
        CHECK(quat_difference(cd_quat_slerp(a, b, 0), a) <= 3 * EPS);
        CHECK(quat_difference(cd_quat_slerp(a, b, 1), b) <= 3 * EPS);
        CHECK(quat_difference(cd_quat_nlerp(a, b, 0), a) <= 3 * EPS);
        CHECK(quat_difference(cd_quat_nlerp(a, b, 1), b) <= 3 * EPS);
        CHECK(quat_difference(cd_quat_slerp(a, a, t), a) <= 3 * EPS);
    }
    CHECK_SAME(cd_quat_slerp(cd_quat_identity(), cd_quat_identity(), (cd_real)NAN).w, 1);
    CHECK_SAME(cd_quat_nlerp(cd_quat_identity(), cd_quat_identity(), (cd_real)INFINITY).w, 1);
}

static void round_trips(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_transform a = gen_pose(&rng, 2.0), inverse = cd_transform_inverse(&a),
                     one = cd_transform_mul(&a, &inverse);
        cd_transform again = cd_transform_inverse(&inverse);
        cd_mat3 m = cd_quat_to_mat3(a.rotation), turned = cd_mat3_transpose(&m), back;
        cd_vec3 p = gen_point(&g);
        CHECK(quat_difference(one.rotation, cd_quat_identity()) <= 4 * EPS);
        CHECK_VEC(one.position, cd_vec3_make(0, 0, 0), 32 * EPS);
        CHECK(quat_difference(again.rotation, a.rotation) == 0);
        CHECK_VEC(again.position, a.position, 32 * EPS);
        CHECK_VEC(cd_transform_inverse_point(&inverse, p), cd_transform_point(&a, p), 32 * EPS);
        CHECK(quat_difference(cd_quat_from_mat3(&m), a.rotation) <= 4 * EPS);
        if (CHECK(ASK("judge", cd_mat3_inverse(&m, &back)))) /* a rotation's inverse is its transpose */
            for (int c = 0; c < 3; ++c) CHECK_VEC(back.col[c], turned.col[c], 8 * EPS);
    }
}

/* The product of unit quaternions in long double. */
static void multiply_wide(long double a[4], cd_quat b) {
    long double x = a[0], y = a[1], z = a[2], w = a[3], length = 0;
    a[0] = w * b.x + x * b.w + (y * b.z - z * b.y);
    a[1] = w * b.y + y * b.w + (z * b.x - x * b.z);
    a[2] = w * b.z + z * b.w + (x * b.y - y * b.x);
    a[3] = w * b.w - (x * b.x + y * b.y + z * b.z);
    for (int i = 0; i < 4; ++i) length += a[i] * a[i];
    length = sqrtl(length);
    for (int i = 0; i < 4; ++i) a[i] /= length;
}

/* Every product may add its own rounding, no more: 2 units each, and rotations stay rotations. */
static void no_drift(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < 3; ++kind) { /* one step again and again; others; small ones */
        cd_transform step = gen_pose(&rng, 0.0), t = cd_transform_identity();
        cd_quat q = cd_quat_identity();
        long double wide[4] = {0, 0, 0, 1};
        long count = test_times(10000);
        cd_mat3 m;
        double worst[2] = {0.0, 0.0};
        for (long i = 1; i <= count; ++i) {
            if (kind == 1) step.rotation = gen_quat(&rng);
            if (kind == 2)
                step.rotation = cd_quat_from_axis_angle(cd_vec3_make(1, 2, (cd_real)i), (cd_real)1e-3);
            t = cd_transform_mul(&t, &step);
            q = cd_quat_normalize(cd_quat_mul(q, step.rotation));
            multiply_wide(wide, step.rotation);
            for (int k = 0; k < 4; ++k) {
                worst[0] = fmax(worst[0], (double)fabsl((long double)REALS(q)[k] - wide[k]) / (double)i);
                worst[1] =
                    fmax(worst[1], (double)fabsl((long double)REALS(t.rotation)[k] - wide[k]) / (double)i);
            }
        }
        test_note("kind %d, %ld products", kind, count);
        m = cd_quat_to_mat3(t.rotation);
        CHECK(cd_mat3_is_rotation(&m, (cd_real)(4 * EPS)));
        m = cd_quat_to_mat3(q);
        CHECK(cd_mat3_is_rotation(&m, (cd_real)(4 * EPS)));
        CHECK_NEAR(quat_dot(t.rotation, t.rotation), 1.0, 4 * EPS);
        CHECK_NEAR(quat_dot(q, q), 1.0, 4 * EPS);
        CHECK(worst[0] <= 2 * EPS && worst[1] <= 2 * EPS);
    }
}

void suite_transform(void) {
    RUN(rotation_is_the_definition);
    RUN(symmetries_of_the_cube);
    RUN(zero_is_the_identity);
    RUN(from_axis_and_between_directions);
    RUN(from_matrices);
    RUN(composition);
    RUN(many_points_are_the_single_ones);
    RUN(far_from_the_worlds_origin);
    RUN(about_an_axis_by_an_angle);
    RUN(quaternions_by_definition);
    RUN(motions_by_definition);
    RUN(between_two_rotations);
    RUN(round_trips);
    RUN(no_drift);
}
