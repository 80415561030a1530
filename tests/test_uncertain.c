/* Tests with uncertain numbers: never wrong for any choice of them within the bounds. */
#include "gen.h"
#include <math.h>

static cd_interval around(cd_real x, cd_real by) {
    return cd_interval_make(x - by, x + by);
}

/* A number between the bounds, often one of them. */
static cd_real pick(test_rng *rng, cd_interval a) {
    int what = test_int(rng, 0, 3);
    cd_real x = (cd_real)test_range(rng, (double)a.lo, (double)a.hi);
    return what == 0 ? a.lo : what == 1 ? a.hi : x < a.lo ? a.lo : x > a.hi ? a.hi : x;
}

static cd_sphere pick_sphere(test_rng *rng, const cd_interval3 *c, cd_interval r) {
    cd_sphere s;
    s.center.x = pick(rng, c->x);
    s.center.y = pick(rng, c->y);
    s.center.z = pick(rng, c->z);
    s.radius = pick(rng, r);
    return s;
}

static cd_interval3 bounds_of(cd_vec3 p, cd_real by) {
    cd_interval3 c;
    c.x = around(p.x, by);
    c.y = around(p.y, by);
    c.z = around(p.z, by);
    return c;
}

static void spheres_within_bounds(void) {
    test_rng rng = test_random();
    int answers[3] = {0, 0, 0};
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_sphere s = gen_sphere(&g), r = gen_sphere(&g);
        cd_real by = test_int(&rng, 0, 1) ? 0 : (cd_real)test_range(&rng, 0, 0.3);
        cd_interval3 a = bounds_of(s.center, by), b = bounds_of(r.center, by);
        cd_interval p = around(s.radius, by), q = around(r.radius, by);
        cd_ternary answer;
        if (!test_int(&rng, 0, 3)) q = around(cd_vec3_dist(s.center, r.center) - s.radius, by);
        answer = ASK("samples", cd_test_sphere_sphere_interval(&a, p, &b, q));
        ++answers[answer + 1];
        test_note("");
        test_note_reals("a", REALS(a), 6);
        test_note_reals("b", REALS(b), 6);
        for (int k = 0; k < 20; ++k) {
            cd_sphere one = pick_sphere(&rng, &a, p), other = pick_sphere(&rng, &b, q);
            bool meet = cd_test_sphere_sphere(one, other);
            if (answer == CD_YES) CHECK(meet);
            if (answer == CD_NO) CHECK(!meet);
        }
        CHECK_INT(ASK("samples", cd_test_sphere_sphere_interval(&b, q, &a, p)), answer);
    }
    CHECK_SEEN(answers[0] > 0 && answers[1] > 0 && answers[2] > 0);
}

/* Without uncertainty, only spheres that all but touch are undecided. */
static void single_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_sphere s = gen_sphere(&g), r = gen_sphere(&g);
        cd_interval3 a = cd_interval3_from_vec3(s.center), b = cd_interval3_from_vec3(r.center);
        cd_ternary answer = cd_test_sphere_sphere_interval(&a, cd_interval_from_value(s.radius), &b,
                                                           cd_interval_from_value(r.radius));
        double gap = (double)cd_vec3_dist(s.center, r.center) - (double)s.radius - (double)r.radius;
        if (fabs(gap) > 1e-5) CHECK_INT(answer, gap > 0 ? CD_NO : CD_YES);
    }
}

static void odd_bounds(void) {
    cd_interval3 o = cd_interval3_from_vec3(cd_vec3_make(0, 0, 0)),
                 far_off = bounds_of(cd_vec3_make(9, 0, 0), 1), none = o;
    cd_interval one = cd_interval_from_value(1), any = cd_interval_make(-1, 1), nan = one,
                less = cd_interval_make(-2, -1);
    nan.lo = (cd_real)NAN;
    none.x.lo = 1;
    none.x.hi = 0;
    CHECK_INT(cd_test_sphere_sphere_interval(&o, one, &o, one), CD_YES);
    CHECK_INT(cd_test_sphere_sphere_interval(&o, one, &far_off, one), CD_NO);
    CHECK_INT(cd_test_sphere_sphere_interval(&o, cd_interval_from_value(7), &far_off, one), CD_MAYBE);
    CHECK_INT(cd_test_sphere_sphere_interval(&o, cd_interval_from_value(10), &far_off, one), CD_YES);
    CHECK_INT(cd_test_sphere_sphere_interval(&o, any, &o, one), CD_MAYBE);
    CHECK_INT(cd_test_sphere_sphere_interval(&o, less, &o, one), CD_NO);
    CHECK_INT(cd_test_sphere_sphere_interval(&o, nan, &o, one), CD_MAYBE);
    CHECK_INT(cd_test_sphere_sphere_interval(&none, one, &o, one), CD_MAYBE);
}

/* Whatever else is known: of a negative radius, or of a gap on another axis, too. */
static void empty_bounds(void) {
    cd_interval3 o = cd_interval3_from_vec3(cd_vec3_make(0, 0, 0));
    cd_interval one = cd_interval_from_value(1), less = cd_interval_from_value(-1);
    for (int k = 0; k < 3; ++k) {
        cd_interval3 none = o, far_off = o;
        REALS(none)[2 * k] = 1;
        REALS(none)[2 * k + 1] = 0;
        REALS(far_off)[2 * ((k + 1) % 3)] = REALS(far_off)[2 * ((k + 1) % 3) + 1] = 9;
        CHECK_INT(cd_test_sphere_sphere_interval(&none, one, &o, one), CD_MAYBE);
        CHECK_INT(cd_test_sphere_sphere_interval(&o, one, &none, one), CD_MAYBE);
        CHECK_INT(cd_test_sphere_sphere_interval(&none, less, &o, one), CD_MAYBE);
        CHECK_INT(cd_test_sphere_sphere_interval(&o, one, &none, less), CD_MAYBE);
        CHECK_INT(cd_test_sphere_sphere_interval(&none, one, &far_off, one), CD_MAYBE);
        CHECK_INT(cd_test_sphere_sphere_interval(&o, one, &far_off, one), CD_NO);
    }
}

void suite_uncertain(void) {
    RUN(spheres_within_bounds);
    RUN(single_numbers);
    RUN(odd_bounds);
    RUN(empty_bounds);
}
