/* Rectangles of least area: both functions against each other and against every edge of a hull found by trying all pairs. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

typedef cd_status (*rect_fn)(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                             cd_obb2 *out);
static const rect_fn rect_fns[2] = {cd_min_area_rect, cd_min_area_rect_calipers};
static const char *const rect_names[2] = {"cd_min_area_rect", "cd_min_area_rect_calipers"};

static double area_of(const cd_obb2 *r) {
    return 4.0 * (double)r->half.x * (double)r->half.y;
}

static exact exact_abs2(exact a) {
    return a.sign < 0 ? exact_negate(a) : a;
}

/* center + axis s + perp(axis) t = p has the solution of the products with the axes over the square of the axis. */
static bool rect_holds_exactly(const cd_obb2 *r, cd_vec2 point) {
    exact_pool pool = exact_begin();
    exact ax = exact_from((double)r->axis.x), ay = exact_from((double)r->axis.y), square, x, y, s, t;
    exact hx = exact_from((double)r->half.x), hy = exact_from((double)r->half.y);
    bool good;
    x = exact_sub(exact_from((double)point.x), exact_from((double)r->center.x));
    y = exact_sub(exact_from((double)point.y), exact_from((double)r->center.y));
    square = exact_add(exact_mul(ax, ax), exact_mul(ay, ay));
    s = exact_abs2(exact_add(exact_mul(ax, x), exact_mul(ay, y)));
    t = exact_abs2(exact_sub(exact_mul(ax, y), exact_mul(ay, x)));
    good = exact_compare(s, hx) <= 0 && exact_compare(t, hy) <= 0 &&
           exact_compare(s, exact_mul(hx, square)) <= 0 && exact_compare(t, exact_mul(hy, square)) <= 0;
    exact_end(pool);
    return good;
}

/* The area along the direction from point a to point b; infinite when they are the same. */
static double area_along(const cd_vec2 *p, int count, int a, int b) {
    double dx = (double)p[b].x - (double)p[a].x, dy = (double)p[b].y - (double)p[a].y, length = hypot(dx, dy);
    double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
    if (length == 0.0) return HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        double x = (double)p[i].x - (double)p[0].x, y = (double)p[i].y - (double)p[0].y;
        double along[2] = {(dx * x + dy * y) / length, (dx * y - dy * x) / length};
        for (int k = 0; k < 2; ++k) {
            lo[k] = fmin(lo[k], along[k]);
            hi[k] = fmax(hi[k], along[k]);
        }
    }
    return (hi[0] - lo[0]) * (hi[1] - lo[1]);
}

/* Edges of the hull are among all pairs, and no rectangle is smaller than the least: so that is it. */
static void check_rects(const cd_vec2 *p, int count) {
    double least = HUGE_VAL, size = 0.0;
    cd_obb2 r[2];
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) least = fmin(least, area_along(p, count, i, k));
        size = fmax(size, hypot((double)p[i].x - (double)p[0].x, (double)p[i].y - (double)p[0].y));
    }
    if (least == HUGE_VAL) least = 0.0; /* all equal */
    for (int f = 0; f < 2; ++f) {
        double reach = fabs((double)p[0].x) + fabs((double)p[0].y) + size;
        test_asked("judge", rect_names[f]);
        CHECK_INT(rect_fns[f](p, (size_t)count, NULL, &r[f]), CD_OK);
        for (int i = 0; i < count; ++i) CHECK(rect_holds_exactly(&r[f], p[i]));
        if (isfinite(least) && reach < 1e150 && reach > 1e-150)
            CHECK_NEAR(area_of(&r[f]), least, 64 * EPS * least + 64 * EPS * size * reach);
    }
    if (isfinite(area_of(&r[0])))
        CHECK_ULPS(area_of(&r[0]), area_of(&r[1]), 16, area_of(&r[0]) + size * size);
}

static void both_find_the_least(void) {
    test_rng rng = test_random();
    for (long n = test_times(3000); n > 0; --n) {
        gen g = gen_begin(&rng, (gen_kind)(n % GEN_KINDS));
        cd_vec2 p[24];
        int count = test_int(&rng, 1, n % 2 ? 5 : 24);
        for (int i = 0; i < count; ++i) {
            cd_vec3 v = gen_point(&g);
            p[i] = i > 0 && test_int(&rng, 0, 5) == 0 ? p[i - 1] : cd_vec2_make(v.x, v.y);
        }
        test_note("kind %d", (int)(n % GEN_KINDS));
        test_note_reals("p", REALS(p), 2 * count);
        check_rects(p, count);
    }
}

static void any_numbers_are_held(void) {
    test_rng rng = test_random();
    for (long n = test_times(3000); n > 0; --n) {
        cd_vec2 p[6];
        int count = test_int(&rng, 1, 6);
        for (int i = 0; i < 2 * count; ++i) {
            do {
                REALS(p)[i] = gen_any_real(&rng);
            } while (!isfinite((double)REALS(p)[i]));
        }
        test_note("");
        test_note_reals("p", REALS(p), 2 * count);
        for (int f = 0; f < 2; ++f) {
            cd_obb2 r;
            CHECK_INT(rect_fns[f](p, (size_t)count, NULL, &r), CD_OK);
            for (int i = 0; i < count; ++i) CHECK(rect_holds_exactly(&r, p[i]));
        }
    }
}

/* Ten times the corners, ten times the steps. */
static void calipers_are_linear(void) {
    enum { MOST = 20000 };
    cd_vec2 *p = (cd_vec2 *)malloc(MOST * sizeof *p);
    for (int count = 200; count <= MOST; count *= 10) {
        cd_obb2 r;
        size_t corners = (size_t)count;
        uint32_t *hull = (uint32_t *)malloc(MOST * sizeof *hull);
        for (int i = 0; i < count; ++i)
            p[i] = cd_vec2_make((cd_real)(3 * cos(i * 6.283185307179586 / count)),
                                (cd_real)sin(i * 6.283185307179586 / count));
        CHECK_INT(cd_hull2_andrew(p, corners, hull, &corners), CD_OK);
        memset(&test_counted, 0, sizeof test_counted);
        CHECK_INT(cd_min_area_rect_calipers(p, (size_t)count, NULL, &r), CD_OK);
        CHECK(test_counted.rect > 3 * corners && test_counted.rect <= 8 * corners);
        CHECK_NEAR(area_of(&r), 12.0, 1e-2);
        free(hull);
    }
    free(p);
}

static void bad_rects_are_refused(void) {
    cd_vec2 p[3] = {{0, 0}, {2, 0}, {0, 1}};
    for (int f = 0; f < 2; ++f) {
        cd_obb2 r;
        for (long allowed = 0; allowed <= 1; ++allowed) {
            test_memory memory = {allowed, 0, 0};
            cd_allocator allocator = test_allocator(&memory);
            CHECK_INT(rect_fns[f](p, 3, &allocator, &r), allowed ? CD_OK : CD_OUT_OF_MEMORY);
            CHECK_INT(memory.live, 0);
        }
        CHECK_NEAR(area_of(&r), 2.0, 8 * EPS);
        CHECK_INT(rect_fns[f](NULL, 0, NULL, &r), CD_INVALID_ARGUMENT);
        CHECK(area_of(&r) == 0 && r.axis.x == 0);
        p[1].y = (cd_real)NAN;
        CHECK_INT(rect_fns[f](p, 3, NULL, &r), CD_INVALID_ARGUMENT);
        p[1].y = (cd_real)-INFINITY;
        CHECK_INT(rect_fns[f](p, 3, NULL, &r), CD_INVALID_ARGUMENT);
        p[1].y = 0;
    }
}

void suite_rect_min(void) {
    RUN(both_find_the_least);
    RUN(any_numbers_are_held);
    RUN(calipers_are_linear);
    RUN(bad_rects_are_refused);
}
