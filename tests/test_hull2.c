/* Convex hulls in the plane against gift wrapping with exact numbers, and their cost on inputs made against them. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define NEXT nextafter
#else
#define NEXT nextafterf
#endif

enum { MOST = 100, LARGE = 20000 };

typedef cd_status (*hull_function)(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count);
static const hull_function functions[2] = {cd_hull2_andrew, cd_hull2_quickhull};

/* ---- the reference ---- */

static bool same(cd_vec2 a, cd_vec2 b) {
    return a.x == b.x && a.y == b.y;
}

/* Is a before b from left to right? */
static bool before(cd_vec2 a, cd_vec2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static int turn_of(cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    double d[6];
    to_doubles(&a.x, d, 2);
    to_doubles(&b.x, d + 2, 2);
    to_doubles(&c.x, d + 4, 2);
    return oracle_orient2d(d, d + 2, d + 4);
}

/* Of points in line with p, all on one side of it: is b beyond a? */
static bool beyond(cd_vec2 p, cd_vec2 a, cd_vec2 b) {
    return before(p, a) ? before(a, b) : before(b, a);
}

/* Gift wrapping: the next corner after p is the one that has nothing to its right, the last of those in line. */
static uint32_t wrap_next(const cd_vec2 *v, size_t count, uint32_t p) {
    uint32_t next = p;
    for (uint32_t i = 0; i < count; ++i) {
        int turn;
        if (same(v[i], v[p])) continue;
        turn = next == p ? -1 : turn_of(v[p], v[next], v[i]);
        if (turn < 0 || (turn == 0 && beyond(v[p], v[next], v[i]))) next = i;
    }
    return next;
}

static size_t gift_wrap(const cd_vec2 *v, size_t count, uint32_t *hull) {
    uint32_t first = 0, p;
    size_t n = 0;
    if (count == 0) return 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (before(v[i], v[first])) first = i;
    }
    p = first;
    do {
        hull[n++] = p;
        p = wrap_next(v, count, p);
    } while (p != first && n < count);
    return n;
}

/* Both functions give the corners wanted, and stay in their room. */
static bool check_against(const cd_vec2 *v, size_t count, const uint32_t *want, size_t want_count) {
    uint32_t *hull = (uint32_t *)malloc((count + 1) * sizeof *hull);
    bool good = true;
    for (int f = 0; f < 2; ++f) {
        size_t n = 77;
        memset(hull, 0xEE, (count + 1) * sizeof *hull);
        test_asked("exact", f ? "cd_hull2_quickhull" : "cd_hull2_andrew");
        good &= CHECK_INT(functions[f](v, count, hull, &n), CD_OK);
        good &= CHECK_INT(n, want_count);
        for (size_t i = 0; good && i < n; ++i) good &= CHECK_INT(hull[i], want[i]);
        CHECK_INT(hull[count], 0xEEEEEEEEu);
    }
    free(hull);
    return good;
}

static size_t check_hull(const cd_vec2 *v, size_t count) {
    uint32_t want[MOST];
    size_t n = gift_wrap(v, count, want);
    test_note("%d points ", (int)count);
    test_note_reals("v", (const cd_real *)v, 2 * (int)count);
    check_against(v, count, want, n);
    return n;
}

/* ---- small inputs ---- */

static void by_hand(void) {
    static const cd_vec2 square[9] = {{1, 1}, {0, 0}, {2, 0}, {1, 0}, {2, 2}, {0, 2}, {2, 1}, {0, 1}, {1, 2}};
    static const uint32_t corners[4] = {1, 2, 4, 5};
    static const cd_vec2 line[5] = {{1, 2}, {3, 6}, {2, 4}, {0, 0}, {3, 6}};
    static const uint32_t ends[2] = {3, 1};
    static const cd_vec2 post[4] = {{5, 2}, {5, -1}, {5, 7}, {5, 2}};
    static const uint32_t feet[2] = {1, 2};
    static const cd_vec2 zeros[4] = {{0, 0}, {-0.0f, 0}, {0, -0.0f}, {-0.0f, -0.0f}};
    static const uint32_t zero = 0;
    check_against(square, 9, corners, 4);
    check_against(line, 5, ends, 2);
    check_against(post, 4, feet, 2);
    check_against(zeros, 4, &zero, 1);
    check_against(line, 1, &zero, 1);
    check_against(NULL, 0, NULL, 0);
}

static void bad_input(void) {
    static const double bad[3] = {NAN, INFINITY, -INFINITY};
    cd_vec2 v[5] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {(cd_real)0.5, (cd_real)0.5}};
    uint32_t hull[5];
    for (int f = 0; f < 2; ++f) {
        size_t n = 9;
        for (int k = 0; k < 30; ++k) {
            cd_real keep = REALS(v)[k % 10];
            REALS(v)[k % 10] = (cd_real)bad[k / 10];
            CHECK_INT(functions[f](v, 5, hull, &n), CD_INVALID_ARGUMENT);
            CHECK_INT(n, 0);
            REALS(v)[k % 10] = keep;
        }
        CHECK_INT(functions[f](v, 0xFFFFFFFFu, hull, &n), CD_TOO_LARGE);
        CHECK_INT(n, 0);
    }
}

static cd_vec2 flat_point(gen *g) {
    cd_vec3 p = gen_point(g);
    return cd_vec2_make(p.x, p.y);
}

static void points_of_all_kinds(void) {
    test_rng rng = test_random();
    long seen[4] = {0, 0, 0, 0};
    for (long i = test_times(6000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec2 v[MOST];
        size_t n = (size_t)test_int(&rng, 1, test_int(&rng, 0, 9) ? 9 : 60), corners;
        for (size_t k = 0; k < n; ++k) v[k] = flat_point(&g);
        if (n > 1 && test_int(&rng, 0, 1)) v[n - 1] = v[test_int(&rng, 0, (int)n - 2)];
        corners = check_hull(v, n);
        ++seen[corners < 4 ? corners : 0];
    }
    CHECK_SEEN(seen[0] && seen[1] && seen[2] && seen[3]);
}

/* In line or nearly so, in clumps of a few units in the last place. */
static void nearly_in_line(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_ULP : GEN_GRID);
        cd_vec2 v[MOST];
        cd_vec3 w[24];
        size_t n = 0;
        while (n < 9) {
            cd_vec3 p[3];
            gen_collinear(&g, p);
            for (int k = 0; k < 3; ++k) v[n++] = cd_vec2_make(p[k].x, p[k].y);
        }
        check_hull(v, n);
        gen_ulp_grid(&g, w, 24);
        for (n = 0; n < 24; ++n) v[n] = cd_vec2_make(w[n].x, w[n].y);
        check_hull(v, n);
        for (n = 0; n < 20; ++n) { /* between two points, as rounded */
            cd_real t = (cd_real)test_unit(&rng);
            v[n] = cd_vec2_make(w[0].x + t * (w[1].x - w[0].x), w[0].y + t * (w[1].y - w[0].y));
        }
        check_hull(v, n);
    }
}

static void any_finite_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_vec2 v[12];
        size_t n = (size_t)test_int(&rng, 1, 12);
        bool bad = test_int(&rng, 0, 1) == 1;
        for (size_t k = 0; k < 2 * n; ++k) {
            cd_real *x = &REALS(v)[k];
            do {
                *x =
                    bad ? (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)] : gen_any_real(&rng);
            } while (!isfinite((double)*x));
        }
        check_hull(v, n);
    }
}

/* Every set of points of a grid of three by three, in an order of its own. */
static void all_of_a_grid(void) {
    for (uint32_t set = 1; set < 512; ++set) {
        cd_vec2 v[9];
        size_t n = 0;
        for (uint32_t k = 0; k < 9; ++k) {
            uint32_t cell = (k * 4 + set) % 9;
            if (set >> cell & 1) v[n++] = cd_vec2_make((cd_real)(cell % 3), (cd_real)(cell / 3));
        }
        check_hull(v, n);
    }
}

/* ---- properties ---- */

/* Another order of the points gives the same corners; so does every point given again. */
static void order_does_not_matter(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec2 v[40], w[80];
        uint32_t hull[40], other[80];
        size_t count, again;
        for (int k = 0; k < 40; ++k) v[k] = flat_point(&g);
        for (int k = 0; k < 80; ++k) w[k] = v[k % 40];
        for (int k = 79; k > 0; --k) {
            int j = test_int(&rng, 0, k);
            cd_vec2 keep = w[k];
            w[k] = w[j];
            w[j] = keep;
        }
        for (int f = 0; f < 2; ++f) {
            functions[f](v, 40, hull, &count);
            functions[f](w, 80, other, &again);
            if (!CHECK_INT(again, count)) continue;
            for (size_t k = 0; k < count; ++k) {
                CHECK(same(v[hull[k]], w[other[k]]));
                for (uint32_t j = 0; j < other[k]; ++j) CHECK(!same(w[j], w[other[k]]));
            }
            CHECK(count < 3 || turn_of(v[hull[0]], v[hull[1]], v[hull[2]]) > 0);
        }
    }
}

/* ---- large inputs ----
 * Corners that turn, and nothing outside them: checked without a second hull. Points inside by far are taken on trust of
 * doubles; the rest is judged exactly. */

typedef struct cloud {
    const char *name;
    cd_vec2 v[LARGE];
    size_t count;
} cloud;

static bool all_inside(const cloud *c, const uint32_t *hull, size_t count) {
    for (size_t i = 0; i < c->count; ++i) {
        cd_vec2 p = c->v[i], a, b;
        size_t top = 0, lo, hi;
        while (top + 1 < count && before(c->v[hull[top]], c->v[hull[top + 1]])) ++top;
        for (lo = 0, hi = top; hi - lo > 1;) { /* the edge below p */
            size_t mid = (lo + hi) / 2;
            if (before(p, c->v[hull[mid]]))
                hi = mid;
            else
                lo = mid;
        }
        a = c->v[hull[lo]], b = c->v[hull[hi]];
        if (turn_of(a, b, p) < 0) return false;
        for (lo = top, hi = count; hi - lo > 1;) { /* the edge above it */
            size_t mid = (lo + hi) / 2;
            if (before(c->v[hull[mid]], p))
                hi = mid;
            else
                lo = mid;
        }
        a = c->v[hull[lo]], b = c->v[hull[hi % count]];
        if (turn_of(a, b, p) < 0) return false;
        if (before(p, c->v[hull[0]]) || before(c->v[hull[top]], p)) return false;
    }
    return true;
}

static bool is_strictly_convex(const cloud *c, const uint32_t *hull, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (turn_of(c->v[hull[i]], c->v[hull[(i + 1) % count]], c->v[hull[(i + 2) % count]]) <= 0)
            return false;
    }
    return true;
}

/* The hull of a cloud: by both, the same, right, and at the cost the documentation states. */
static void check_cloud(const cloud *c) {
    uint32_t *hull[2];
    size_t count[2];
    static const double factor[2] = {8, 16};
    for (int f = 0; f < 2; ++f) {
        double bound = (double)c->count * (log2((double)c->count) + 2);
        hull[f] = (uint32_t *)malloc(c->count * sizeof **hull);
        test_counted.hull = 0;
        CHECK_INT(functions[f](c->v, c->count, hull[f], &count[f]), CD_OK);
        test_note("%s, %d points", c->name, (int)c->count);
        CHECK((double)test_counted.hull <= factor[f] * bound);
    }
    CHECK_INT(count[0], count[1]);
    CHECK(memcmp(hull[0], hull[1], count[0] * sizeof **hull) == 0);
    if (count[0] > 2) CHECK(is_strictly_convex(c, hull[0], count[0]) && all_inside(c, hull[0], count[0]));
    free(hull[0]);
    free(hull[1]);
}

static void add_point(cloud *c, double x, double y) {
    c->v[c->count++] = cd_vec2_make((cd_real)x, (cd_real)y);
}

static void fill_disc(cloud *c, size_t count, test_rng *rng) {
    while (c->count < count) {
        double x = test_range(rng, -1, 1), y = test_range(rng, -1, 1);
        if (x * x + y * y <= 1) add_point(c, x, y);
    }
}

static void fill_circle(cloud *c, size_t count, test_rng *rng) {
    while (c->count < count) {
        double angle = test_range(rng, 0, 6.283185307179586);
        add_point(c, cos(angle), sin(angle));
    }
}

/* On a parabola, each twice as near to its end as the one before: each split of Quickhull takes one point off. */
static void fill_parabola(cloud *c, size_t count, test_rng *rng) {
    (void)rng;
    for (size_t i = 0; i < count; ++i) {
        int e = 60 - (int)(i % 130);
        add_point(c, ldexp(1.0, e), ldexp(1.0, 2 * e));
    }
}

/* The same with most points in a clump at that end. */
static void fill_clump(cloud *c, size_t count, test_rng *rng) {
    for (int e = 60; e > -60; --e) add_point(c, ldexp(1.0, e), ldexp(1.0, 2 * e));
    while (c->count < count) {
        double angle = test_range(rng, 0, 6.283185307179586);
        add_point(c, ldexp(1 + cos(angle), -62), ldexp(1 + sin(angle), -122));
    }
}

/* On the curve y = 1 / x, evenly in the exponent, both ways. */
static void fill_hyperbola(cloud *c, size_t count, test_rng *rng) {
    while (c->count < count) {
        double x = ldexp(test_range(rng, 1, 2), test_int(rng, -50, 50));
        add_point(c, x, 1 / x);
    }
}

/* An order in which the middle one of the first, the middle and the last is always one of the smallest, so that quicksort
 * takes off one or two at a time (McIlroy 1999): the partition is played through, and keys are given as it looks at them.
 * Without the two that come last, which are taken out as the ends of the hull. */
static void fill_median_killer(cloud *c, size_t count, test_rng *rng) {
    static uint32_t item[LARGE], key[LARGE];
    uint32_t n = (uint32_t)count - 2, from = 0, given = 0;
    (void)rng;
    for (uint32_t i = 0; i < n; ++i) item[i] = i, key[i] = n;
    for (; n - from > 12;) {
        uint32_t *a = item + from, size = n - from, i = 0, j = size - 1, pivot;
        if (key[a[j]] == n && (key[a[0]] == n || key[a[size / 2]] == n)) key[a[j]] = given++;
        if (key[a[0]] == n)
            key[a[0]] = given++;
        else if (key[a[size / 2]] == n)
            key[a[size / 2]] = given++;
        pivot = given - 1;
        for (;; ++i, --j) {
            uint32_t keep;
            while (key[a[i]] < pivot) ++i;
            while (key[a[j]] > pivot) --j;
            if (i >= j) break;
            keep = a[i], a[i] = a[j], a[j] = keep;
        }
        from += i;
    }
    for (; from < n; ++from) {
        if (key[item[from]] == n) key[item[from]] = given++;
    }
    for (uint32_t i = 0; i < count; ++i) {
        double x = (i < n ? key[i] + 1.0 : i == n ? 0.0 : n + 1.0) / 16384.0; /* below 2 */
        add_point(c, x, x * (x - (n + 1.0) / 16384.0));
    }
}

static void fill_organ_pipe(cloud *c, size_t count, test_rng *rng) {
    (void)rng;
    for (size_t i = 0; i < count; ++i) {
        double x = (double)(i < count / 2 ? i : count - i) / (double)count;
        add_point(c, x, x * x * (i % 2 ? 1 : -1));
    }
}

/* Rows and columns of whole numbers: most sides and distances are equal. */
static void fill_grid(cloud *c, size_t count, test_rng *rng) {
    size_t side = (size_t)sqrt((double)count);
    (void)rng;
    for (size_t i = 0; i < side * side; ++i) add_point(c, (double)(i % side), (double)(i / side));
}

static void fill_line(cloud *c, size_t count, test_rng *rng) {
    while (c->count < count) {
        double x = test_int(rng, -1000, 1000);
        add_point(c, x, 3 * x + 1);
    }
}

/* A line, as rounded. */
static void fill_rough_line(cloud *c, size_t count, test_rng *rng) {
    while (c->count < count) {
        double x = test_range(rng, -1, 1);
        add_point(c, x, x / 3);
    }
}

static void fill_few(cloud *c, size_t count, test_rng *rng) {
    while (c->count < count) add_point(c, test_int(rng, 0, 2), test_int(rng, 0, 1));
}

static void fill_two_columns(cloud *c, size_t count, test_rng *rng) {
    while (c->count < count) add_point(c, test_int(rng, 0, 1), test_range(rng, -1, 1));
}

static void large_inputs(void) {
    static const struct {
        const char *name;
        void (*fill)(cloud *c, size_t count, test_rng *rng);
    } shapes[] = {{"disc", fill_disc},
                  {"circle", fill_circle},
                  {"parabola", fill_parabola},
                  {"clump", fill_clump},
                  {"hyperbola", fill_hyperbola},
                  {"median killer", fill_median_killer},
                  {"organ pipe", fill_organ_pipe},
                  {"grid", fill_grid},
                  {"line", fill_line},
                  {"rough line", fill_rough_line},
                  {"few", fill_few},
                  {"two columns", fill_two_columns}};
    test_rng rng = test_random();
    cloud *c = (cloud *)malloc(sizeof *c);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        for (size_t count = 5; count <= LARGE; count = count * 3 / 2 + 1) {
            if (test_times(100) < 100 && count > LARGE / (test_is_small() ? 16 : 4)) break;
            c->name = shapes[s].name;
            c->count = 0;
            shapes[s].fill(c, count, &rng);
            check_cloud(c);
        }
    }
    free(c);
}

void suite_hull2(void) {
    RUN(by_hand);
    RUN(bad_input);
    RUN(points_of_all_kinds);
    RUN(nearly_in_line);
    RUN(any_finite_numbers);
    RUN(all_of_a_grid);
    RUN(order_does_not_matter);
    RUN(large_inputs);
}
