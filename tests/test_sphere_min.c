/* The smallest spheres, against an exact search over all supports of four, three, two points and one. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 7, MANY = 400 };

/* ---- the reference ---- */

typedef struct best_ball {
    ratio squared; /* of the radius */
    int at[4], n;
    double center[3];
} best_ball;

/* The ball through the n points at `at`, when its centre is in their hull: the square of its radius, and where its centre is
 * from the first, over `den`. */
static bool ball_through(const exact3 *p, const int *at, int n, ratio *squared, exact3 *offset, exact *den) {
    exact one = exact_power(0), two = exact_from(2), s[3], a2, b2, c2, ab;
    exact3 d[3], g[3];
    for (int i = 0; i + 1 < n; ++i) d[i] = exact3_sub(p[at[i + 1]], p[at[0]]);
    if (n == 1) {
        *offset = exact3_sub(p[at[0]], p[at[0]]);
        *den = one;
        *squared = ratio_make(exact_from(0), one);
        return true;
    }
    a2 = exact3_dot(d[0], d[0]);
    if (n == 2) {
        *offset = d[0];
        *den = two;
        *squared = ratio_make(a2, exact_from(4));
        return true;
    }
    b2 = exact3_dot(d[1], d[1]);
    if (n == 3) {
        exact3 normal = exact3_cross(d[0], d[1]);
        ab = exact3_dot(d[0], d[1]);
        *den = exact_mul(two, exact3_dot(normal, normal));
        s[0] = exact_mul(b2, exact_sub(a2, ab));
        s[1] = exact_mul(a2, exact_sub(b2, ab));
        *offset = exact3_add(exact3_scale(d[0], s[0]), exact3_scale(d[1], s[1]));
        s[2] = exact_sub(*den, exact_add(s[0], s[1]));
    } else {
        exact det = exact3_triple(d[0], d[1], d[2]), rest;
        c2 = exact3_dot(d[2], d[2]);
        g[0] = exact3_cross(d[1], d[2]);
        g[1] = exact3_cross(d[2], d[0]);
        g[2] = exact3_cross(d[0], d[1]);
        *offset =
            exact3_add(exact3_scale(g[0], a2), exact3_add(exact3_scale(g[1], b2), exact3_scale(g[2], c2)));
        rest = exact_mul(two, exact_mul(det, det));
        for (int i = 0; i < 3; ++i) {
            s[i] = exact3_dot(*offset, g[i]);
            rest = exact_sub(rest, s[i]);
        }
        if (rest.sign < 0) return false;
        *offset = exact3_scale(*offset, det);
        *den = exact_mul(two, exact_mul(det, det));
    }
    if (den->sign == 0 || s[0].sign < 0 || s[1].sign < 0 || s[2].sign < 0) return false;
    *squared = ratio_make(exact3_dot(*offset, *offset), exact_mul(*den, *den));
    return true;
}

/* Of all such balls the largest is the smallest that holds all. */
static void search_from(const exact3 *p, int count, int *at, int n, int from, best_ball *best) {
    exact3 offset;
    exact den;
    ratio squared;
    if (n > 0 && ball_through(p, at, n, &squared, &offset, &den) &&
        (best->n == 0 || ratio_compare(squared, best->squared) > 0)) {
        best->squared = squared;
        best->n = n;
        for (int i = 0; i < n; ++i) best->at[i] = at[i];
        for (int k = 0; k < 3; ++k)
            best->center[k] =
                ratio_to_double(ratio_make(exact_add(exact_mul(p[at[0]].c[k], den), offset.c[k]), den));
    }
    for (int i = from; i < count && n < 4; ++i) {
        at[n] = i;
        search_from(p, count, at, n + 1, i + 1, best);
    }
}

static best_ball search_all(const double (*points)[3], int count) {
    exact3 p[FEW];
    best_ball best;
    int at[4];
    best.n = 0;
    for (int i = 0; i < count; ++i) p[i] = exact3_from(points[i]);
    search_from(p, count, at, 0, 0, &best);
    return best;
}

/* For more points: the same search over a support and the farthest point, until the farthest is in it; never too large. */
static best_ball search_active(const double (*points)[3], int count) {
    double active[FEW][3];
    int index[FEW], n = 1;
    best_ball best;
    index[0] = 0;
    for (int round = 0;; ++round) {
        double most = -1;
        int farthest = 0;
        bool known = false;
        for (int i = 0; i < n; ++i) memcpy(active[i], points[index[i]], sizeof active[i]);
        best = search_all((const double(*)[3])active, n);
        for (int i = 0; i < best.n; ++i) best.at[i] = index[best.at[i]];
        for (int i = 0; i < count; ++i) {
            double x = points[i][0] - best.center[0], y = points[i][1] - best.center[1],
                   z = points[i][2] - best.center[2], d = x * x + y * y + z * z;
            if (d > most) {
                most = d;
                farthest = i;
            }
        }
        for (int i = 0; i < best.n; ++i) known = known || best.at[i] == farthest;
        if (known || round == 60) return best;
        for (int i = 0; i < best.n; ++i) index[i] = best.at[i];
        n = best.n;
        index[n++] = farthest;
    }
}

/* ---- judging ---- */

static bool holds(const double center[3], double radius, const double p[3], double r) {
    exact3 d = exact3_sub(exact3_from(p), exact3_from(center));
    exact gap = exact_sub(exact_from(radius), exact_from(r));
    return gap.sign >= 0 && exact_compare(exact3_dot(d, d), exact_mul(gap, gap)) <= 0;
}

static double ulp_of(double x) {
#ifdef COLLIDE_DOUBLE
    return nextafter(x, HUGE_VAL) - x;
#else
    return (double)nextafterf((float)x, HUGE_VALF) - x;
#endif
}

static void check_min_sphere(const cd_vec3 *points, int count) {
    double p[MANY][3], center[3], largest_number = 0, radius, least;
    exact_pool pool = exact_begin();
    best_ball best;
    cd_sphere s, again;
    test_note("");
    if (count <= FEW) test_note_reals("points", &points->x, 3 * count);
    CHECK_INT(ASK("judge", cd_sphere_welzl(points, (size_t)count, &s)), CD_OK);
    to_doubles(&points->x, p[0], 3 * count);
    to_doubles(&s.center.x, center, 3);
    radius = (double)s.radius;
    for (int i = 0; i < count; ++i) {
        CHECK(holds(center, radius, p[i], 0));
        CHECK(cd_test_point_sphere(points[i], s));
        largest_number = fmax(largest_number, largest(p[i], 3));
    }
    best =
        count <= FEW ? search_all((const double(*)[3])p, count) : search_active((const double(*)[3])p, count);
    least = ratio_sqrt(best.squared);
    CHECK(radius <= least + 4 * ulp_of(largest_number));
    CHECK_INT(ASK("judge", cd_sphere_welzl(points, (size_t)count, &again)), CD_OK);
    CHECK(memcmp(&s, &again, sizeof s) == 0);
    exact_end(pool);
}

static void few_points(void) {
    test_rng rng = test_random();

    for (long i = test_times(600); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[FEW];
        int n = test_int(&rng, 1, FEW);
        for (int k = 0; k < n; ++k)
            p[k] = k && test_int(&rng, 0, 9) == 0 ? p[test_int(&rng, 0, k - 1)] : gen_point(&g);
        check_min_sphere(p, n);
    }
}

static void points_in_special_position(void) {
    test_rng rng = test_random();

    for (long i = test_times(400); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[FEW];
        cd_vec2 flat[4];
        switch (test_int(&rng, 0, 4)) {
        case 0:
            gen_collinear(&g, p);
            check_min_sphere(p, 3);
            break;
        case 1:
            gen_coplanar(&g, p);
            check_min_sphere(p, 4);
            break;
        case 2:
            gen_cocircular(&g, flat);
            for (int k = 0; k < 4; ++k) p[k] = cd_vec3_make(flat[k].x, flat[k].y, flat[0].x);
            check_min_sphere(p, 4);
            break;
        case 3:
            gen_cospherical(&g, p);
            check_min_sphere(p, 5);
            break;
        default: gen_ulp_grid(&g, p, FEW); check_min_sphere(p, FEW);
        }
    }
}

static void many_points(void) {
    test_rng rng = test_random();

    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        static cd_vec3 p[MANY];
        int n = test_int(&rng, 8, MANY), kind = test_int(&rng, 0, 3);
        for (int k = 0; k < n; ++k) {
            p[k] = gen_point(&g);
            if (kind == 1) p[k] = cd_vec3_normalize(p[k]);
            if (kind == 2) p[k].z = p[0].z;
            if (kind == 3) p[k] = cd_vec3_along(p[0], cd_vec3_sub(p[k % 2], p[0]), (cd_real)test_unit(&rng));
        }
        check_min_sphere(p, n);
    }
}

/* ---- spheres ---- */

/* The point of a sphere that is farthest from another. */
static cd_vec3 farthest_from(const double center[3], const double p[4]) {
    double d[3], length = 0;
    cd_vec3 out;
    for (int k = 0; k < 3; ++k) length = fmax(length, fabs(d[k] = p[k] - center[k]));
    if (length > 0) {
        double scale = length;
        for (int k = 0; k < 3; ++k) d[k] /= scale;
        length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    for (int k = 0; k < 3; ++k) REALS(out)[k] = (cd_real)(length > 0 ? p[k] + p[3] * (d[k] / length) : p[k]);
    return out;
}

/* One that holds all, or almost: by units of the way between the centres, and the radius by its square, it is not known where it is touched. */
static bool all_but_held(const cd_sphere *spheres, int count, double radius, double unit) {
    for (int i = 0; i < count; ++i) {
        double way = radius - (double)spheres[i].radius;
        if (way <= 4 * unit || way * way <= 4 * unit * radius) return true;
    }
    return false;
}

/* No reference but the two that prove each other: all are inside, and the smallest sphere of points of theirs, where they touch
 * it, and where two alone would, is as large. */
static void check_sphere_of_spheres(const cd_sphere *spheres, int count) {
    double center[3], size = 0, radius, p[FEW][4];
    cd_sphere s, inner;
    cd_vec3 touch[FEW * FEW];
    int n = 0, held = 0;
    test_note("");
    test_note_reals("spheres", &spheres->center.x, 4 * count);
    CHECK_INT(ASK("judge", cd_sphere_of_spheres(spheres, (size_t)count, &s)), CD_OK);
    to_doubles(&s.center.x, center, 3);
    radius = (double)s.radius;
    for (int i = 0; i < count; ++i) {
        exact_pool pool;
        to_doubles(&spheres[i].center.x, p[n], 4);
        if (p[n][3] < 0) continue;
        pool = exact_begin();
        CHECK(holds(center, radius, p[n], p[n][3]));
        exact_end(pool);
        size = fmax(size, largest(p[n++], 4));
    }
    if (n == 0) {
        CHECK(s.radius == -1);
        return;
    }
    for (int i = 0; i < n; ++i) {
        touch[held++] = farthest_from(center, p[i]);
        for (int k = 0; k < n; ++k)
            if (k != i) touch[held++] = farthest_from(p[k], p[i]);
    }
    CHECK_INT(cd_sphere_welzl(touch, (size_t)held, &inner), CD_OK);
    if (fabs((double)inner.radius - radius) > (sizeof(cd_real) == 4 ? 8 : 64) * ulp_of(size))
        CHECK((double)inner.radius <= radius + 8 * ulp_of(size) &&
              all_but_held(spheres, count, radius, ulp_of(size)));
}

static void spheres(void) {
    test_rng rng = test_random();
    for (long i = test_times(2560); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s[FEW], merged;
        int n = test_int(&rng, 1, FEW);
        for (int k = 0; k < n; ++k) {
            s[k] = gen_sphere(&g);
            if (test_int(&rng, 0, 3) == 0) s[k].radius /= 16;
            if (test_int(&rng, 0, 9) == 0) s[k].radius = -1;
        }
        check_sphere_of_spheres(s, n);
        if (n < 2) continue;
        merged = ASK("judge", cd_merge_sphere_sphere(s[0], s[1]));
        for (int k = 0; k < 2; ++k) {
            double a[4], b[4];
            exact_pool pool = exact_begin();
            to_doubles(&merged.center.x, a, 4);
            to_doubles(&s[k].center.x, b, 4);
            CHECK(b[3] < 0 || holds(a, a[3], b, b[3]));
            exact_end(pool);
        }
        merged = ASK("judge", cd_sphere_add_point(s[0], s[1].center));
        CHECK(cd_test_point_sphere(s[1].center, merged));
    }
}

static void bad_input(void) {
    cd_vec3 p[3] = {{0, 0, 0}, {1, 2, 3}, {0, 1, 0}};
    cd_sphere s = {{1, 1, 1}, 1}, t;
    CHECK_INT(cd_sphere_welzl(NULL, 0, &s), CD_OK);
    CHECK(s.radius == -1 && s.center.x == 0);
    CHECK_INT(cd_sphere_of_spheres(NULL, 0, &s), CD_OK);
    CHECK(s.radius == -1);
    p[1].y = (cd_real)NAN;
    s.radius = 1;
    CHECK_INT(cd_sphere_welzl(p, 3, &s), CD_INVALID_ARGUMENT);
    CHECK(s.radius == 0);
    p[1].y = (cd_real)INFINITY;
    CHECK_INT(cd_sphere_welzl(p, 3, &s), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_sphere_welzl(p, (size_t)-1, &s), CD_INVALID_ARGUMENT);
    p[0] = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    p[1] = cd_vec3_neg(p[0]);
    CHECK_INT(cd_sphere_welzl(p, 2, &s), CD_TOO_LARGE);
    CHECK(s.radius == 0);
    p[0] = cd_vec3_make(CD_REAL_MAX, 0, 0);
    p[1] = cd_vec3_neg(p[0]);
    CHECK_INT(cd_sphere_welzl(p, 2, &s), CD_OK);
    CHECK(s.radius == CD_REAL_MAX && s.center.x == 0);
    s.center = cd_vec3_make(0, 0, 0);
    s.radius = 2;
    t = s;
    t.radius = -1;
    CHECK(cd_merge_sphere_sphere(s, t).radius == 2 && cd_merge_sphere_sphere(t, s).radius == 2);
    t.radius = 1;
    CHECK(cd_merge_sphere_sphere(s, t).radius == 2 && cd_merge_sphere_sphere(t, s).radius == 2);
    t.center.x = 3;
    CHECK(cd_merge_sphere_sphere(s, t).radius == 3 && cd_merge_sphere_sphere(s, t).center.x == 1);
    t.center.x = (cd_real)NAN;
    CHECK(!cd_sphere_is_valid(cd_merge_sphere_sphere(s, t)));
}

/* Numbers of any size: the sphere holds all, or says that it cannot. */
static void any_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_vec3 p[FEW];
        cd_sphere s;
        cd_status status;
        int n = test_int(&rng, 1, FEW);
        for (int k = 0; k < 3 * n; ++k) REALS(p[k / 3])
        [k % 3] = k > 3 && test_int(&rng, 0, 1) ? REALS(p[k / 3 - 1])[k % 3] : gen_any_real(&rng);
        test_note("");
        test_note_reals("points", &p->x, 3 * n);
        status = ASK("bad", cd_sphere_welzl(p, (size_t)n, &s));
        CHECK(status == CD_OK || status == CD_TOO_LARGE);
        for (int k = 0; k < n && status == CD_OK; ++k) CHECK(cd_test_point_sphere(p[k], s));
    }
}

/* On a circle but for 1e-7: the weights of four points decide, and an exchange gains less than a double shows. All but the first need the
 * exchanges with twice the digits to end with a smaller ball. */
static void almost_flat(void) {
    static const int count[5] = {5, 5, 5, 6, 7};
    static const double at[5][FEW][3] = {
        {{0.5613391056960423, -0.8275858918664379, -4.620874511886868e-08},
         {0.06590365281170402, -0.9978259911157227, -6.382641225429016e-08},
         {-0.7653440086420553, 0.6436214325484427, 1.2585773991679353e-09},
         {0.9523937429172364, 0.30487072416369687, -5.972116585547908e-08},
         {0.9225070397929733, -0.3859802605476161, -7.625811828318937e-10}},
        {{-0.9972212926447718, 0.07449626497944015, 5.962142812711186e-08},
         {0.9706410335853339, -0.24053270862897405, -6.092165169766111e-08},
         {-0.4848140337524807, 0.8746172606784337, -3.9551111967630335e-08},
         {-0.9968607740186934, 0.07917447330326695, 4.547495454514899e-08},
         {-0.162446962608845, 0.9867172768017987, 5.181573943529851e-08}},
        {{0.6583162611012645, -0.752741456523853, -1.1178278432654505e-08},
         {-0.9703146594568193, 0.24184594609626273, -2.0685651964840886e-08},
         {0.01241782551345675, 0.9999228958322324, -6.231597844575644e-09},
         {-0.3026339873412901, 0.9531068511483429, 4.6303168248178974e-08},
         {0.7873590700382308, -0.6164946835363079, 1.528192507276123e-08}},
        {{-0.6386834796685787, 0.7694695658688744, 4.7914048489445194e-08},
         {-0.6598300962250165, -0.751414828251135, 5.400665682036481e-08},
         {-0.4949686220520541, -0.8689108488124031, 1.3273654261561196e-08},
         {0.310779669182019, 0.9504819815352172, 4.199892610208887e-08},
         {0.9634986670160096, 0.2677131275420974, -5.310012811274769e-08},
         {-0.6214760008291939, 0.7834332009771815, -1.911140108698469e-08}},
        {{0.952537732832078, 0.3044205438716724, 8.648543441614262e-09},
         {0.2808718075554563, 0.9597452931484117, 1.781161395645053e-08},
         {-0.8914618581180503, -0.4530957465268385, -1.8126442636049873e-08},
         {-0.5167461393516983, -0.8561386730344069, 1.6488407387510988e-08},
         {0.15791862030296136, -0.9874521301620697, 1.1153498229709733e-08},
         {0.9506103562885255, -0.3103867756799618, -2.488365282640546e-08},
         {-0.13216095575776252, 0.9912282692564792, -1.4400620840674956e-08}}};
    for (int k = 0; k < 5; ++k) {
        cd_vec3 p[FEW];
        for (int i = 0; i < 3 * count[k]; ++i) REALS(p[i / 3])[i % 3] = (cd_real)at[k][i / 3][i % 3];
        check_min_sphere(p, count[k]);
    }
}

/* Four points on the unit sphere, its support, and a fifth a little outside, which no sample shows: with it, each of the subsets of the four
 * makes the new support. The others are in the middle. */
static void exchanges_of_every_kind(void) {
    enum { COUNT = 64 }; /* of which a sample takes every other, from the second on */
    static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    test_rng rng = test_random();
    for (long n = 14 + test_times(100); n > 0; --n) {
        cd_transform turn = cd_transform_identity();
        cd_vec3 p[COUNT], way = cd_vec3_make(0, 0, 0);
        int subset = (int)(n % 14) + 1;
        turn.rotation = gen_quat(&rng);
        for (int i = 0; i < COUNT; ++i) p[i] = cd_vec3_make(0, 0, 0);
        for (int i = 0; i < 4; ++i) {
            cd_vec3 c;
            for (int k = 0; k < 3; ++k) REALS(c)[k] = (cd_real)(corner[i][k] + test_range(&rng, -0.1, 0.1));
            c = cd_transform_point(&turn, cd_vec3_normalize(c));
            p[i == 0 ? 0 : 2 * i - 1] = c;
            if (subset >> i & 1) way = cd_vec3_sub(way, c);
        }
        p[2] = cd_vec3_scale(cd_vec3_normalize(way), (cd_real)test_range(&rng, 1.01, 1.1));
        check_min_sphere(p, COUNT);
        {
            cd_sphere one[COUNT], got;
            for (int i = 0; i < COUNT; ++i) one[i].center = p[i], one[i].radius = 0;
            one[2].radius = 4; /* holds all */
            CHECK_INT(ASK("judge", cd_sphere_of_spheres(one, COUNT, &got)), CD_OK);
            CHECK(memcmp(&got, &one[2], sizeof got) == 0);
        }
    }
}

/* Spheres that touch the unit sphere from inside, their centres in a plane but for 1e-3 and 1e-5 of it: the bound is right only with the
 * weights that go with the distances. */
static void almost_flat_spheres(void) {
    static const int count[2] = {6, 7};
    static const double at[2][7][4] = {
        {{-0.869406230605449, -0.11250729239615304, -0.0003120952214529769, 0.12334431955224537},
         {0.16143542304356412, 0.07955920260388574, -0.00016943020747354186, 0.8200247482601681},
         {0.47135273236350905, 0.29973624990138703, 3.826173873018643e-05, 0.44141677497847015},
         {-0.4086617496792631, 0.02765743945444039, 0.00017812753895928541, 0.5904033797288937},
         {-0.6659450465484775, -0.4731381689292013, 0.0001705961201042259, 0.18308962485278213},
         {-0.01768647711541746, -0.3284894386921347, -0.0004015402036960691, 0.6710345245476924}},
        {{0.1883896770261526, -0.12786443433508005, 1.0462333013882389e-06, 0.7723160436505403},
         {-0.7412860105597744, 0.059308300533591526, 7.717753517771178e-06, 0.2563452252399824},
         {-0.14420049844217414, -0.29771905803622717, -6.155856727654212e-06, 0.6691973075882779},
         {-0.027986131910529368, -0.20346947958163086, 1.2494141254570384e-06, 0.7946148673781516},
         {-0.45196751290968346, -0.023725734924844415, 4.879185388128806e-06, 0.547410182121498},
         {0.24709439750444492, -0.13311592534465294, 1.10845741386726e-06, 0.7193302815413176},
         {0.04741126184557921, 0.5463637433586375, 7.660418062029096e-06, 0.45158303466674726}}};
    for (int k = 0; k < 2; ++k) {
        cd_sphere spheres[7], s;
        double center[3];
        exact_pool pool = exact_begin();
        for (int i = 0; i < 4 * count[k]; ++i) REALS(spheres)[i] = (cd_real)at[k][i / 4][i % 4];
        test_note_reals("spheres", REALS(spheres), 4 * count[k]);
        CHECK_INT(ASK("judge", cd_sphere_of_spheres(spheres, (size_t)count[k], &s)), CD_OK);
        to_doubles(&s.center.x, center, 3);
        for (int i = 0; i < count[k]; ++i) {
            double p[4];
            to_doubles(&spheres[i].center.x, p, 4);
            CHECK(holds(center, (double)s.radius, p, p[3]));
        }
        CHECK_NEAR((double)s.radius, 1, 12 * ulp_of(1));
        exact_end(pool);
    }
}

void suite_sphere_min(void) {
    RUN(few_points);
    RUN(almost_flat);
    RUN(exchanges_of_every_kind);
    RUN(almost_flat_spheres);
    RUN(points_in_special_position);
    RUN(many_points);
    RUN(spheres);
    RUN(bad_input);
    RUN(any_numbers);
}
