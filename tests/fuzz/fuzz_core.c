/* The ground: predicates and whole numbers by exact arithmetic, intervals that hold what they must, poses that lead back. */
#include "fuzz.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

static int sign(double x) {
    return (x > 0) - (x < 0);
}

static bool is_exact(const fuzz *f) {
    return sizeof(cd_real) == 4 ? f->finite : f->tame;
}

static void predicates(fuzz *f) {
    cd_vec3 p[5];
    double x[5][3];
    bool near = test_int(f->rng, 0, 2) == 0;
    fuzz_points(f, p, 5);
    /* Points that lie in special position, or nearly so. */
    if (near) {
        gen g = gen_begin(f->rng, GEN_UNIT);
        gen_coplanar(&g, p);
        f->tame = f->finite = cd_vec3_is_valid(p[4]) && f->mood < FUZZ_WIDE;
    }
    for (int i = 0; i < 5; ++i) to_doubles(&p[i].x, x[i], 3);
    FUZZ_NOTE(p);
    if (!is_exact(f)) {
        cd_orient3d(p[0], p[1], p[2], p[3]);
        cd_insphere(p[0], p[1], p[2], p[3], p[4]);
        return;
    }
    CHECK_INT(sign(cd_orient3d(p[0], p[1], p[2], p[3])), oracle_orient3d(x[0], x[1], x[2], x[3]));
    CHECK_INT(sign(cd_orient2d(cd_vec2_make(p[0].x, p[0].y), cd_vec2_make(p[1].x, p[1].y),
                               cd_vec2_make(p[2].x, p[2].y))),
              oracle_orient2d(x[0], x[1], x[2]));
    if (!f->tame) return;
    CHECK_INT(sign(cd_incircle2d(cd_vec2_make(p[0].x, p[0].y), cd_vec2_make(p[1].x, p[1].y),
                                 cd_vec2_make(p[2].x, p[2].y), cd_vec2_make(p[3].x, p[3].y))),
              oracle_incircle(x[0], x[1], x[2], x[3]));
    CHECK_INT(sign(cd_insphere(p[0], p[1], p[2], p[3], p[4])), oracle_insphere(x[0], x[1], x[2], x[3], x[4]));
}

static int64_t whole(test_rng *r) {
    int how = test_int(r, 0, 5);
    uint64_t bits = test_next(r);
    if (how == 0) return test_int(r, -3, 3);
    if (how == 1) return INT64_MIN + test_int(r, 0, 3);
    if (how == 2) return INT64_MAX - test_int(r, 0, 3);
    bits >>= how == 3 ? test_int(r, 0, 63) : 0;
    return bits > INT64_MAX ? (int64_t)(bits - INT64_MAX - 1) - INT64_MAX - 1 : (int64_t)bits;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;

static wide wide_of(cd_int128 a) {
    return (wide)(int64_t)a.hi * ((wide)1 << 64) + (wide)a.lo;
}

static void whole_numbers(fuzz *f) {
    int64_t a = whole(f->rng), b = whole(f->rng), c = whole(f->rng), d = whole(f->rng);
    cd_int128 ab = cd_int128_mul_int64(a, b), cd = cd_int128_mul_int64(c, d);
    wide x = (wide)a * b, y = (wide)c * d;
    test_note("%lld %lld %lld %lld", (long long)a, (long long)b, (long long)c, (long long)d);
    CHECK(wide_of(ab) == x && wide_of(cd) == y);
    CHECK(wide_of(cd_int128_add(cd_int128_from_int64(a), cd_int128_from_int64(b))) == (wide)a + b);
    CHECK(wide_of(cd_int128_sub(cd_int128_from_int64(a), cd_int128_from_int64(b))) == (wide)a - b);
    CHECK_INT(cd_int128_compare(ab, cd), (x > y) - (x < y));
    CHECK_INT(cd_int128_sign(ab), (x > 0) - (x < 0));
    CHECK_SAME(cd_int128_to_double(ab), (double)x);
}
#else
static void whole_numbers(fuzz *f) {
    whole(f->rng);
}
#endif

/* The exact result is in the interval. */
static bool holds(cd_interval a, exact x) {
    double lo = (double)a.lo, hi = (double)a.hi;
    return (isinf(lo) || exact_compare(exact_from(lo), x) <= 0) &&
           (isinf(hi) || exact_compare(x, exact_from(hi)) <= 0);
}

static void intervals(fuzz *f) {
    cd_real x = fuzz_real(f), y = fuzz_real(f);
    cd_interval a = cd_interval_from_value(x), b = cd_interval_from_value(y), q;
    exact_pool pool;
    exact ex, ey;
    test_note_reals("x", &x, 1);
    test_note_reals("y", &y, 1);
    if (!isfinite((double)x) || !isfinite((double)y)) return;
    pool = exact_begin();
    ex = exact_from((double)x);
    ey = exact_from((double)y);
    CHECK(holds(cd_interval_add(a, b), exact_add(ex, ey)));
    CHECK(holds(cd_interval_sub(a, b), exact_sub(ex, ey)));
    CHECK(holds(cd_interval_mul(a, b), exact_mul(ex, ey)));
    CHECK(holds(cd_interval_sqr(a), exact_mul(ex, ex)));
    q = cd_interval_div(a, b);
    if (y != 0 && !isinf((double)q.lo) && !isinf((double)q.hi)) {
        int s = y > 0 ? 1 : -1; /* lo * y <= x <= hi * y, turned for y < 0 */
        CHECK(s * exact_compare(exact_mul(exact_from((double)q.lo), ey), ex) <= 0);
        CHECK(s * exact_compare(exact_mul(exact_from((double)q.hi), ey), ex) >= 0);
    }
    exact_end(pool);
}

static void poses(fuzz *f) {
    cd_transform a = fuzz_pose(f), b = fuzz_pose(f), ab = cd_transform_mul(&a, &b),
                 back = cd_transform_inverse(&a), rel;
    cd_vec3 p = fuzz_vec(f), q, s;
    double size = 0, margin;
    FUZZ_NOTE(a);
    FUZZ_NOTE(b);
    FUZZ_NOTE(p);
    if (!cd_transform_is_valid(&a) || !cd_transform_is_valid(&b) || !cd_vec3_is_valid(p)) return;
    for (int k = 0; k < 3; ++k)
        size = fmax(size, fmax(fabs((double)REALS(p)[k]),
                               fmax(fabs((double)REALS(a.position)[k]), fabs((double)REALS(b.position)[k]))));
    if (!f->tame || f->mood == FUZZ_BITS) return;
    margin = size * 32 * (double)CD_REAL_EPSILON;
    q = cd_transform_point(&a, p);
    s = cd_transform_inverse_point(&a, q);
    CHECK_VEC(s, p, margin);
    s = cd_transform_point(&back, q);
    CHECK_VEC(s, p, margin);
    q = cd_transform_point(&b, p);
    q = cd_transform_point(&a, q);
    s = cd_transform_point(&ab, p);
    CHECK_VEC(s, q, margin);
    rel = cd_transform_relative(&a, &ab);
    s = cd_transform_point(&rel, p);
    q = cd_transform_point(&b, p);
    CHECK_VEC(s, q, margin);
}

static void systems(fuzz *f) {
    cd_triangle rows = fuzz_triangle(f);
    cd_mat3 m = cd_mat3_from_columns(rows.a, rows.b, rows.c), inverse;
    cd_vec3 b = fuzz_vec(f), x;
    cd_eigen e;
    FUZZ_NOTE(m);
    FUZZ_NOTE(b);
    if (cd_solve3(&m, b, &x)) CHECK(!fuzz_has_nan(&x, sizeof x));
    if (cd_mat3_inverse(&m, &inverse)) CHECK(!fuzz_has_nan(&inverse, sizeof inverse));
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < i; ++k) REALS(m)[3 * i + k] = REALS(m)[3 * k + i];
    if (cd_eigen_jacobi(&m, &e)) CHECK(!fuzz_has_nan(&e, sizeof e));
    if (cd_eigen_cubic(&m, &e)) CHECK(!fuzz_has_nan(&e, sizeof e));
}

void fuzz_core(test_rng *r) {
    static void (*const what[5])(fuzz * f) = {predicates, whole_numbers, intervals, poses, systems};
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    test_note("");
    what[test_int(r, 0, 4)](&f);
}
