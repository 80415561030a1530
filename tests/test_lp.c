/* Linear programs against all corners of a huge box, in exact arithmetic; bases, rays and proofs against the same. */
#include "parts.h"

#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { DIM = 4, MANY = 24 };

/* A program of few rows: normals, right sides, objective. The same for every dimension. */
typedef struct program {
    int dim, count;
    int far; /* the box of the oracle: half a side is 2^far; 0 for 2^240 */
    double n[MANY][DIM], d[MANY], goal[DIM];
} program;

/* ---- the oracle: the rows and a huge box, all corners by Cramer's rule ---- */

typedef struct corner {
    exact num[DIM], den; /* den > 0 */
} corner;

typedef struct oracle_lp {
    bool feasible, unbounded, inner; /* inner: each row has slack somewhere */
    bool settled;                    /* the best point, least in x, y, ..., is not on the box */
    double best[DIM];
} oracle_lp;

static exact minor(exact (*m)[DIM], int n, unsigned columns) {
    exact sum = exact_from(n == 0 ? 1.0 : 0.0);
    int odd = 0;
    for (int j = 0; n > 0 && j < DIM; ++j) {
        if (!(columns >> j & 1u)) continue;
        if (m[0][j].sign != 0) {
            exact term = exact_mul(m[0][j], minor(m + 1, n - 1, columns & ~(1u << j)));
            sum = odd ? exact_sub(sum, term) : exact_add(sum, term);
        }
        odd = !odd;
    }
    return sum;
}

static bool solve(int dim, exact n[DIM][DIM], const exact d[DIM], corner *c) {
    unsigned all = (1u << dim) - 1u;
    c->den = minor(n, dim, all);
    if (c->den.sign == 0) return false;
    for (int j = 0; j < dim; ++j) {
        exact m[DIM][DIM];
        for (int i = 0; i < dim; ++i) {
            for (int k = 0; k < dim; ++k) m[i][k] = k == j ? d[i] : n[i][k];
        }
        c->num[j] = minor(m, dim, all);
    }
    for (int j = 0; j < dim && c->den.sign < 0; ++j) c->num[j] = exact_negate(c->num[j]);
    if (c->den.sign < 0) c->den = exact_negate(c->den);
    return true;
}

static exact dot(int dim, const exact *a, const exact *b) {
    exact sum = exact_from(0.0);
    for (int k = 0; k < dim; ++k) sum = exact_add(sum, exact_mul(a[k], b[k]));
    return sum;
}

/* The rows of a program with those of the box behind. */
typedef struct boxed {
    int dim, count;
    exact n[MANY + 2 * DIM][DIM], d[MANY + 2 * DIM];
} boxed;

static void box_in(const program *p, exact half, bool rays, boxed *b) {
    b->dim = p->dim;
    b->count = p->count;
    for (int i = 0; i < p->count; ++i) {
        for (int k = 0; k < p->dim; ++k) b->n[i][k] = exact_from(p->n[i][k]);
        b->d[i] = exact_from(rays ? 0.0 : p->d[i]);
    }
    for (int i = 0; i < 2 * p->dim; ++i) {
        for (int k = 0; k < p->dim; ++k)
            b->n[b->count][k] = exact_from(k != i / 2 ? 0.0 : i % 2 ? 1.0 : -1.0);
        b->d[b->count++] = half;
    }
}

/* The sign of n . x - d. */
static int slack(const boxed *b, int i, const corner *c) {
    return exact_compare(dot(b->dim, b->n[i], c->num), exact_mul(b->d[i], c->den));
}

/* Is a better than b: farther along the goal, then less in x, y, ...? */
static bool better(int dim, const exact *goal, const corner *a, const corner *b) {
    int order =
        ratio_compare(ratio_make(dot(dim, goal, a->num), a->den), ratio_make(dot(dim, goal, b->num), b->den));
    for (int k = 0; order == 0 && k < dim; ++k) {
        order = ratio_compare(ratio_make(b->num[k], b->den), ratio_make(a->num[k], a->den));
    }
    return order > 0;
}

/* The best corner of the boxed rows; `loose` learns which rows have slack at some corner. */
static bool best_corner(const boxed *b, const double *goal, corner *best, bool *loose) {
    int pick[DIM];
    bool found = false;
    exact g[DIM];
    for (int k = 0; k < b->dim; ++k) g[k] = exact_from(goal[k]);
    for (int k = 0; k < b->dim; ++k) pick[k] = k;
    for (int at = 0; at >= 0;) {
        exact n[DIM][DIM], d[DIM];
        corner c;
        bool in = true;
        for (int i = 0; i < b->dim; ++i) {
            memcpy(n[i], b->n[pick[i]], sizeof n[i]);
            d[i] = b->d[pick[i]];
        }
        if (solve(b->dim, n, d, &c)) {
            for (int i = 0; i < b->count && in; ++i) in = slack(b, i, &c) <= 0;
            for (int i = 0; i < b->count && in && loose; ++i) loose[i] = loose[i] || slack(b, i, &c) < 0;
            if (in && (!found || better(b->dim, g, &c, best))) *best = c;
            found = found || in;
        }
        at = b->dim - 1;
        while (at >= 0 && pick[at] == b->count - b->dim + at) --at;
        if (at < 0) break;
        ++pick[at];
        for (int i = at + 1; i < b->dim; ++i) pick[i] = pick[i - 1] + 1;
    }
    return found;
}

static oracle_lp oracle_solve(const program *p) {
    exact_pool pool = exact_begin();
    oracle_lp r;
    bool loose[MANY + 2 * DIM] = {false};
    boxed b;
    corner c;
    memset(&r, 0, sizeof r);
    box_in(p, exact_power(p->far ? p->far : 240), false, &b);
    r.feasible = best_corner(&b, p->goal, &c, loose);
    if (r.feasible) {
        r.inner = r.settled = true;
        for (int i = 0; i < p->count; ++i) r.inner = r.inner && loose[i];
        for (int i = p->count; i < b.count; ++i) r.settled = r.settled && slack(&b, i, &c) < 0;
        for (int k = 0; k < p->dim; ++k) r.best[k] = ratio_to_double(ratio_make(c.num[k], c.den));
        box_in(p, exact_from(1.0), true, &b);
        best_corner(&b, p->goal, &c, NULL);
        for (int k = 0; k < p->dim; ++k) r.unbounded = r.unbounded || c.num[k].sign != 0;
        if (r.unbounded) {
            exact g[DIM];
            for (int k = 0; k < p->dim; ++k) g[k] = exact_from(p->goal[k]);
            r.unbounded = dot(p->dim, g, c.num).sign > 0;
        }
    }
    exact_end(pool);
    return r;
}

/* ---- the library's side, its vertex taken over exactly ---- */

static void load(cdi_lp *lp, const program *p) {
    cdi_lp_begin(lp, p->dim, p->goal, (size_t)p->count, NULL);
    for (int i = 0; i < p->count; ++i) {
        double c[DIM + 1];
        memcpy(c, p->n[i], sizeof p->n[i]);
        c[p->dim] = p->d[i];
        cdi_lp_add(lp, c, (uint32_t)i);
    }
}

static corner corner_of(int dim, const cdi_lp_vertex *v, bool far) {
    exact n[DIM][DIM], d[DIM];
    corner c;
    for (int i = 0; i < dim; ++i) {
        for (int k = 0; k < dim; ++k) n[i][k] = exact_from(v->row[i].c[k]);
        d[i] = exact_from(far ? v->row[i].beyond : v->row[i].c[dim]);
    }
    memset(&c, 0, sizeof c);
    CHECK(solve(dim, n, d, &c));
    return c;
}

/* The rows of a basis alone, as a program. */
static program part_of(const program *p, const uint32_t *basis, uint32_t count) {
    program q = *p;
    q.count = (int)count;
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(q.n[i], p->n[basis[i]], sizeof q.n[i]);
        q.d[i] = p->d[basis[i]];
    }
    return q;
}

/* Factors of the basis' normals that give the goal are >= 0: the program of its rows alone, all d = 0, is not unbounded. */
static bool spans_goal(const program *p, const cdi_lp_answer *a) {
    program q = part_of(p, a->basis, a->basis_count);
    for (int i = 0; i < q.count; ++i) q.d[i] = 0.0;
    return !oracle_solve(&q).unbounded;
}

/* The exact point of the answer is feasible, on the basis' planes, and its ray, if any, leads on for ever. */
static void check_vertex(const program *p, const cdi_lp_answer *a) {
    exact_pool pool = exact_begin();
    cdi_lp lp;
    cdi_lp_vertex v;
    corner c;
    boxed b;
    load(&lp, p);
    CHECK(cdi_lp_best(&lp, &v));
    box_in(p, exact_from(0.0), true, &b);
    if (a->verdict == CD_LP_UNBOUNDED) {
        exact g[DIM];
        c = corner_of(p->dim, &v, true);
        for (int i = 0; i < p->count; ++i) CHECK(slack(&b, i, &c) <= 0);
        for (uint32_t i = 0; i < a->basis_count; ++i) CHECK_INT(slack(&b, (int)a->basis[i], &c), 0);
        for (int k = 0; k < p->dim; ++k) g[k] = exact_from(p->goal[k]);
        CHECK(dot(p->dim, g, c.num).sign > 0);
        for (int k = 0; k < p->dim; ++k) {
            double want = ratio_to_double(ratio_make(c.num[k], c.den));
            CHECK_NEAR(a->ray[k], want, 4.5e-16 * fabs(want));
        }
    }
    if (v.beyond) cdi_lp_pull_back(&lp, &v);
    c = corner_of(p->dim, &v, false);
    box_in(p, exact_from(0.0), false, &b);
    for (int i = 0; i < p->count; ++i) CHECK(slack(&b, i, &c) <= 0);
    for (uint32_t i = 0; i < a->basis_count; ++i) {
        if (a->verdict == CD_LP_OPTIMAL) CHECK_INT(slack(&b, (int)a->basis[i], &c), 0);
    }
    for (int k = 0; k < p->dim; ++k) {
        double want = ratio_to_double(ratio_make(c.num[k], c.den));
        CHECK_NEAR(a->point[k], want, 4.5e-16 * fabs(want));
    }
    exact_end(pool);
}

static void note_program(const program *p) {
    test_note("dim %d, %d rows", p->dim, p->count);
    for (int i = 0; i <= p->count; ++i) {
        cd_real x[DIM + 1];
        for (int k = 0; k < p->dim; ++k) x[k] = (cd_real)(i < p->count ? p->n[i][k] : p->goal[k]);
        x[p->dim] = (cd_real)(i < p->count ? p->d[i] : 0.0);
        test_note_reals(i < p->count ? "row" : "goal", x, p->dim + (i < p->count));
    }
}

/* The whole answer of a small program against the oracle. */
static cdi_lp_answer check_program(const program *p) {
    oracle_lp want = oracle_solve(p);
    cdi_lp_answer a;
    cdi_lp lp;
    note_program(p);
    load(&lp, p);
    cdi_lp_solve(&lp, &a);
    CHECK_INT(a.verdict, !want.feasible   ? CD_LP_INFEASIBLE
                         : want.unbounded ? CD_LP_UNBOUNDED
                                          : CD_LP_OPTIMAL);
    CHECK(a.basis_count <= (uint32_t)p->dim + (a.verdict == CD_LP_INFEASIBLE));
    if (a.verdict == CD_LP_INFEASIBLE) {
        program q = part_of(p, a.basis, a.basis_count);
        CHECK(!oracle_solve(&q).feasible);
        return a;
    }
    check_vertex(p, &a);
    if (a.verdict != CD_LP_OPTIMAL) return a;
    CHECK(spans_goal(p, &a));
    for (int k = 0; k < p->dim && want.settled; ++k)
        CHECK_NEAR(a.point[k], want.best[k], 4.5e-16 * fabs(want.best[k]));
    return a;
}

/* The public call on the same numbers gives the same. */
static void check_public(const program *p, const cdi_lp_answer *a) {
    cd_halfspace2 h2[MANY];
    cd_plane h3[MANY];
    cd_lp2 r2;
    cd_lp3 r3;
    for (int i = 0; i < p->count; ++i) {
        h2[i].n = cd_vec2_make((cd_real)p->n[i][0], (cd_real)p->n[i][1]);
        h3[i].n = cd_vec3_make(h2[i].n.x, h2[i].n.y, (cd_real)p->n[i][2]);
        h2[i].d = h3[i].d = (cd_real)p->d[i];
    }
    if (p->dim == 2) {
        CHECK_INT(
            ASK("exact", cd_lp_seidel2(h2, (size_t)p->count,
                                       cd_vec2_make((cd_real)p->goal[0], (cd_real)p->goal[1]), NULL, &r2)),
            CD_OK);
        CHECK_INT(r2.verdict, a->verdict);
        CHECK_INT(r2.basis_count, a->basis_count);
        for (uint32_t i = 0; i < r2.basis_count; ++i) CHECK_INT(r2.basis[i], a->basis[i]);
        CHECK_NEAR(r2.point.x, a->point[0], EPS * fabs(a->point[0]));
        CHECK_NEAR(r2.ray.y, a->ray[1], EPS);
    } else {
        cd_vec3 goal = cd_vec3_make((cd_real)p->goal[0], (cd_real)p->goal[1], (cd_real)p->goal[2]);
        CHECK_INT(ASK("exact", cd_lp_seidel3(h3, (size_t)p->count, goal, NULL, &r3)), CD_OK);
        CHECK_INT(r3.verdict, a->verdict);
        CHECK_INT(r3.basis_count, a->basis_count);
        for (uint32_t i = 0; i < r3.basis_count; ++i) CHECK_INT(r3.basis[i], a->basis[i]);
        CHECK_NEAR(r3.point.z, a->point[2], EPS * fabs(a->point[2]));
        CHECK_NEAR(r3.ray.x, a->ray[0], EPS);
    }
}

/* ---- inputs ---- */

/* Small whole numbers: parallel, equal, redundant and tangent rows abound, and rows without normal. */
static program draw_grid(test_rng *rng, int dim, int most) {
    program p;
    int reach = test_int(rng, 1, 2), lift = test_int(rng, 0, 3);
    memset(&p, 0, sizeof p);
    p.dim = dim;
    p.count = test_int(rng, 0, most);
    for (int i = 0; i < p.count; ++i) {
        for (int k = 0; k < dim; ++k) p.n[i][k] = test_int(rng, -reach, reach);
        p.d[i] = test_int(rng, test_int(rng, 0, 1) ? 0 : -lift, lift);
    }
    for (int k = 0; k < dim; ++k) p.goal[k] = test_int(rng, -reach, reach);
    return p;
}

/* Numbers of any kind; planes through few points, so that many meet in one; now and then a goal along a normal. */
static program draw_reals(test_rng *rng, int dim, int most) {
    program p;
    gen g = gen_begin(rng, (gen_kind)test_int(rng, 0, 3) == GEN_WIDE ? GEN_ULP : GEN_UNIT);
    double point[DIM];
    bool around = test_int(rng, 0, 1) == 1, through = test_int(rng, 0, 1) == 1;
    memset(&p, 0, sizeof p);
    p.dim = dim;
    p.count = test_int(rng, 1, most);
    for (int k = 0; k < dim; ++k) point[k] = (double)gen_coordinate(&g, k % 3);
    for (int i = 0; i < p.count; ++i) {
        double d = 0.0;
        for (int k = 0; k < dim; ++k) {
            p.n[i][k] = (double)gen_coordinate(&g, k % 3);
            d += p.n[i][k] * point[k];
        }
        if (!through) d = (double)gen_coordinate(&g, 0);
        p.d[i] = (double)(cd_real)(around ? fabs(d) : d);
    }
    for (int k = 0; k < dim; ++k) p.goal[k] = (double)gen_coordinate(&g, k % 3);
    if (test_int(rng, 0, 3) == 0) memcpy(p.goal, p.n[0], sizeof p.goal);
    return p;
}

/* ---- cases ---- */

static void plane_programs_by_brute_force(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(2000); i > 0; --i) {
        program p = test_int(&rng, 0, 1) ? draw_grid(&rng, 2, 8) : draw_reals(&rng, 2, 8);
        cdi_lp_answer a = check_program(&p);
        check_public(&p, &a);
        ++seen[a.verdict];
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

static void space_programs_by_brute_force(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(400); i > 0; --i) {
        program p = test_int(&rng, 0, 1) ? draw_grid(&rng, 3, 8) : draw_reals(&rng, 3, 8);
        cdi_lp_answer a = check_program(&p);
        check_public(&p, &a);
        ++seen[a.verdict];
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

static void four_variables_by_brute_force(void) {
    test_rng rng = test_random();
    for (long i = test_times(40); i > 0; --i) {
        program p = test_int(&rng, 0, 1) ? draw_grid(&rng, 4, 6) : draw_reals(&rng, 4, 6);
        check_program(&p);
    }
}

/* Any finite numbers, denormal and huge ones among them. */
static void any_finite_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        program p = draw_grid(&rng, test_int(&rng, 2, 3), 5);
        cdi_lp_answer a;
        cdi_lp lp;
        oracle_lp want;
        p.far = 12000;
        for (int r = 0; r < p.count; ++r) {
            for (int k = 0; k <= p.dim; ++k) {
                double x = gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
                double *to = k < p.dim ? &p.n[r][k] : &p.d[r];
                if (test_int(&rng, 0, 2) == 0 && isfinite(x)) *to = x;
                if (test_int(&rng, 0, 2) == 0) *to = ldexp(*to, test_int(&rng, -1074, 900));
                if (!isfinite(*to)) *to = 1.0;
            }
        }
        note_program(&p);
        want = oracle_solve(&p);
        load(&lp, &p);
        cdi_lp_solve(&lp, &a);
        CHECK_INT(a.verdict, !want.feasible   ? CD_LP_INFEASIBLE
                             : want.unbounded ? CD_LP_UNBOUNDED
                                              : CD_LP_OPTIMAL);
        for (int k = 0; k < p.dim; ++k) {
            CHECK(isfinite(a.point[k]) && isfinite(a.ray[k]));
            if (want.settled && !want.unbounded && a.verdict == CD_LP_OPTIMAL &&
                fabs(want.best[k]) > 1e-300 && isfinite(want.best[k])) {
                CHECK_NEAR(a.point[k], want.best[k], 4.5e-16 * fabs(want.best[k]));
            }
        }
    }
}

/* Rows times powers of two, each its own, and space times one: the same verdict and basis. */
static void powers_of_two_change_nothing(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        program p = test_int(&rng, 0, 1) ? draw_grid(&rng, 3, 12) : draw_reals(&rng, 3, 12), q = p;
        int space = test_int(&rng, -20, 20);
        cdi_lp lp;
        cdi_lp_answer a, b;
        for (int r = 0; r < p.count; ++r) {
            int e = test_int(&rng, -20, 20);
            for (int k = 0; k < p.dim; ++k) q.n[r][k] = ldexp(p.n[r][k], e);
            q.d[r] = ldexp(p.d[r], e + space);
        }
        note_program(&p);
        load(&lp, &p);
        cdi_lp_solve(&lp, &a);
        load(&lp, &q);
        cdi_lp_solve(&lp, &b);
        CHECK_INT(a.verdict, b.verdict);
        CHECK_INT(a.basis_count, b.basis_count);
        CHECK(memcmp(a.basis, b.basis, sizeof a.basis) == 0);
        for (int k = 0; k < p.dim; ++k) CHECK_SAME(ldexp(a.point[k], space), b.point[k]);
    }
}

/* ---- many rows ---- */

typedef enum crowd { AROUND, GRID, CIRCLE, TANGENT, CUT, OPEN, CROWDS } crowd;

/* Many half-spaces: about a ball; on a grid (many through one point); tangent to a cylinder in order of angle; tangent
 * to a ball; the same with two that exclude each other; all open to one side. */
static cd_plane *draw_crowd(test_rng *rng, crowd kind, size_t n) {
    cd_plane *h = (cd_plane *)malloc(n * sizeof *h);
    for (size_t i = 0; i < n; ++i) {
        double v[3], length = 0.0, turn = 6.283185307179586 * (double)i / (double)n;
        for (int k = 0; k < 3; ++k) v[k] = test_range(rng, -1, 1);
        for (int k = 0; k < 3; ++k) length += v[k] * v[k];
        h[i].d = (cd_real)(kind == AROUND ? test_range(rng, 1, 2) : 1.0);
        for (int k = 0; k < 3 && kind == GRID; ++k) v[k] = test_int(rng, -3, 3);
        if (kind == GRID) h[i].d = (cd_real)test_int(rng, 1, 3);
        if (kind == CIRCLE) v[0] = cos(turn), v[1] = sin(turn), v[2] = (double)(i % 3) - 1.0;
        for (int k = 0; k < 3 && (kind == TANGENT || kind == CUT); ++k) v[k] /= sqrt(length);
        if (kind == OPEN) v[0] = -fabs(v[0]);
        h[i].n = cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]);
    }
    if (kind == CUT) {
        size_t a = (size_t)(test_unit(rng) * (double)n), b = (a + 1 + n / 3) % n;
        h[b].n = cd_vec3_neg(h[a].n);
        h[a].d = (cd_real)-0.25;
        h[b].d = (cd_real)0.125;
    }
    return h;
}

/* Its proof, all rows at its exact point, and the effort. */
static void check_crowd(const cd_plane *h, size_t n, cd_vec3 goal, crowd kind) {
    program p;
    cdi_lp lp;
    cdi_lp_answer a;
    cdi_lp_vertex v;
    double g[3] = {(double)goal.x, (double)goal.y, (double)goal.z};
    memset(&p, 0, sizeof p);
    p.dim = 3;
    memcpy(p.goal, g, sizeof g);
    cdi_lp_begin(&lp, 3, g, n, NULL);
    for (size_t i = 0; i < n; ++i) {
        double c[4] = {(double)h[i].n.x, (double)h[i].n.y, (double)h[i].n.z, (double)h[i].d};
        cdi_lp_add(&lp, c, (uint32_t)i);
    }
    cdi_lp_solve(&lp, &a);
    p.count = (int)a.basis_count;
    for (uint32_t i = 0; i < a.basis_count; ++i) {
        for (int k = 0; k < 3; ++k) p.n[i][k] = (double)REALS(h[a.basis[i]])[k];
        p.d[i] = (double)h[a.basis[i]].d;
        a.basis[i] = i;
    }
    if (kind != OPEN) CHECK_INT(a.verdict, kind == CUT ? CD_LP_INFEASIBLE : CD_LP_OPTIMAL);
    if (a.verdict == CD_LP_INFEASIBLE) {
        CHECK(!oracle_solve(&p).feasible);
    } else {
        exact_pool pool = exact_begin();
        corner c;
        CHECK(cdi_lp_best(&lp, &v));
        if (a.verdict == CD_LP_OPTIMAL) CHECK(spans_goal(&p, &a));
        if (v.beyond) cdi_lp_pull_back(&lp, &v);
        c = corner_of(3, &v, false);
        for (size_t i = 0; i < n; ++i) {
            exact_pool inner = exact_begin();
            exact row[3], d = exact_mul(exact_from((double)h[i].d), c.den);
            for (int k = 0; k < 3; ++k) row[k] = exact_from((double)REALS(h[i])[k]);
            CHECK(exact_compare(dot(3, row, c.num), d) <= 0);
            exact_end(inner);
        }
        exact_end(pool);
    }
    cdi_lp_end(&lp, NULL);
}

static void many_rows(void) {
    test_rng rng = test_random();
    for (long i = test_times(40); i > 0; --i) {
        crowd kind = (crowd)test_int(&rng, 0, CROWDS - 1);
        size_t n = (size_t)test_int(&rng, 100, 3000);
        cd_plane *h = draw_crowd(&rng, kind, n);
        double x = test_range(&rng, -1, 1), y = test_range(&rng, -1, 1);
        test_note("crowd %d of %d", (int)kind, (int)n);
        check_crowd(h, n, cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)(i % 3 ? 0.5 : 0.0)), kind);
        free(h);
    }
}

/* Rows looked at, for each row given: the same for a thousand and for as many as there is time for. */
static void the_effort_is_linear(void) {
    test_rng rng = test_random();
    size_t most = (size_t)(test_times(100) >= 10000 ? 2000000 : test_times(100) >= 100 ? 100000 : 10000);
    size_t least = test_is_small() ? 200 : 1000;
    if (sizeof(cd_real) == 8) most /= 10; /* the exact arithmetic of doubles takes its time */
    if (test_is_small()) most = least;
    for (int kind = 0; kind < CROWDS; ++kind) {
        for (size_t n = least; n <= most; n *= 10) {
            cd_plane *h = draw_crowd(&rng, (crowd)kind, n);
            cd_halfspace2 *g = (cd_halfspace2 *)malloc(n * sizeof *g);
            cd_lp3 r;
            cd_lp2 q;
            cd_interior3 in;
            double each;
            for (size_t i = 0; i < n; ++i) {
                g[i].n = cd_vec2_make(h[i].n.x, h[i].n.y);
                g[i].d = h[i].d;
            }
            test_counted.halfspace = 0;
            CHECK_INT(cd_lp_seidel3(h, n, cd_vec3_make(1, (cd_real)0.5, (cd_real)0.25), NULL, &r), CD_OK);
            each = (double)test_counted.halfspace / (double)n;
            test_note("crowd %d of %d in space: %g", kind, (int)n, each);
            CHECK(each < 100.0);
            test_counted.halfspace = 0;
            CHECK_INT(cd_lp_seidel2(g, n, cd_vec2_make(1, (cd_real)0.5), NULL, &q), CD_OK);
            each = (double)test_counted.halfspace / (double)n;
            test_note("crowd %d of %d in the plane: %g", kind, (int)n, each);
            CHECK(each < 40.0);
            if (kind == CUT) CHECK_INT(r.verdict, CD_LP_INFEASIBLE);
            test_counted.halfspace = 0;
            CHECK_INT(cd_halfspaces_interior_point(h, n, NULL, &in), CD_OK);
            each = (double)test_counted.halfspace / (double)n;
            test_note("crowd %d of %d, interior: %g", kind, (int)n, each);
            CHECK(each < 1000.0);
            CHECK_INT(in.verdict, kind == CUT ? CD_INTERIOR_EMPTY : CD_INTERIOR_FOUND);
            free(h);
            free(g);
        }
    }
}

/* ---- interior points ---- */

/* Rows (n, |n|) <= d, as the library rounds |n|. */
static program ball_program(const program *p) {
    program q = *p;
    double reach = 0.0;
    q.dim = p->dim + 1;
    q.count = 0;
    for (int i = 0; i < p->count; ++i) {
        double length = cdi_v3_length(cdi_v3_make(p->n[i][0], p->n[i][1], p->dim == 3 ? p->n[i][2] : 0.0));
        if (length == 0.0) continue;
        memcpy(q.n[q.count], p->n[i], sizeof p->n[i]);
        q.n[q.count][p->dim] = length;
        q.d[q.count++] = p->d[i];
        if (fabs(p->d[i]) / length > reach) reach = fabs(p->d[i]) / length;
    }
    memset(q.n[q.count], 0, sizeof q.n[0]);
    q.n[q.count][p->dim] = 1.0;
    q.d[q.count++] = reach > 0.0 ? reach : 1.0;
    memset(q.goal, 0, sizeof q.goal);
    q.goal[p->dim] = 1.0;
    return q;
}

static bool strictly_inside(const program *p, const double *x) {
    exact_pool pool = exact_begin();
    bool in = true;
    for (int i = 0; i < p->count; ++i) {
        exact n[DIM], at[DIM];
        for (int k = 0; k < p->dim; ++k) n[k] = exact_from(p->n[i][k]);
        for (int k = 0; k < p->dim; ++k) at[k] = exact_from(x[k]);
        in = in && (exact_compare(dot(p->dim, n, at), exact_from(p->d[i])) < 0 ||
                    cdi_v3_is_zero(cdi_v3_make(p->n[i][0], p->n[i][1], p->n[i][2])));
    }
    exact_end(pool);
    return in;
}

/* Both forms of the call as one. */
static cd_interior3 interior_of(const program *p) {
    cd_halfspace2 h2[MANY];
    cd_plane h3[MANY];
    cd_interior2 r2;
    cd_interior3 r3;
    for (int i = 0; i < p->count; ++i) {
        h2[i].n = cd_vec2_make((cd_real)p->n[i][0], (cd_real)p->n[i][1]);
        h3[i].n = cd_vec3_make(h2[i].n.x, h2[i].n.y, (cd_real)p->n[i][2]);
        h2[i].d = h3[i].d = (cd_real)p->d[i];
    }
    if (p->dim == 3) {
        CHECK_INT(ASK("exact", cd_halfspaces_interior_point(h3, (size_t)p->count, NULL, &r3)), CD_OK);
        return r3;
    }
    CHECK_INT(ASK("exact", cd_halfplanes_interior_point(h2, (size_t)p->count, NULL, &r2)), CD_OK);
    r3.verdict = r2.verdict;
    r3.point = cd_vec3_make(r2.point.x, r2.point.y, 0);
    r3.margin = r2.margin;
    return r3;
}

static void interior_points_are_inside(void) {
    test_rng rng = test_random();
    int seen[4] = {0, 0, 0, 0};
    for (long i = test_times(600); i > 0; --i) {
        program p = test_int(&rng, 0, 1) ? draw_grid(&rng, test_int(&rng, 2, 3), 7)
                                         : draw_reals(&rng, test_int(&rng, 2, 3), 7);
        oracle_lp want = oracle_solve(&p);
        cd_interior3 got = interior_of(&p);
        double x[3];
        bool in;
        x[0] = (double)got.point.x;
        x[1] = (double)got.point.y;
        x[2] = (double)got.point.z;
        note_program(&p);
        in = strictly_inside(&p, x);
        ++seen[got.verdict];
        /* rows without normal, d = 0, have no slack and take nothing away */
        for (int r = 0; r < p.count; ++r) {
            if (p.d[r] == 0.0 && p.n[r][0] == 0.0 && p.n[r][1] == 0.0 && p.n[r][2] == 0.0) p.d[r] = 1.0;
        }
        want = oracle_solve(&p);
        CHECK_INT(got.verdict, !want.feasible ? CD_INTERIOR_EMPTY
                               : !want.inner  ? CD_INTERIOR_FLAT
                               : in           ? CD_INTERIOR_FOUND
                                              : CD_INTERIOR_THIN);
        if (p.dim == 2 || i % 8 == 0) {
            program q = ball_program(&p);
            want = oracle_solve(&q);
            if (got.margin > -CD_REAL_MAX)
                CHECK_NEAR(got.margin, want.best[p.dim], fmax(EPS, 1e-15) * fabs(want.best[p.dim]));
        }
    }
    CHECK_SEEN(seen[CD_INTERIOR_FOUND] > 0 && seen[CD_INTERIOR_FLAT] > 0 && seen[CD_INTERIOR_EMPTY] > 0);
}

/* Slabs between planes whose right sides are neighbouring numbers, by normals of whole lengths: whether the point as rounded is inside. */
static void slabs_of_one_step(void) {
    static const double lengths[6] = {1, 3, 7, 10, 4294967295.0, 1000000007.0};
    test_rng rng = test_random();
    int seen[4] = {0, 0, 0, 0};
    for (int i = 0; i < 240; ++i) {
        double length = (double)(cd_real)lengths[i % 6], x[3];
        cd_real side = (cd_real)test_range(&rng, 1, 8);
        program p;
        cd_interior3 got;
        int axis = i / 6 % 2;
        memset(&p, 0, sizeof p);
        p.dim = 2 + i / 12 % 2;
        p.count = 2;
        p.n[0][axis] = length;
        p.n[1][axis] = -length;
        p.d[0] = (double)side;
        p.d[1] = -(double)cdi_next_real(side, false);
        note_program(&p);
        got = interior_of(&p);
        x[0] = (double)got.point.x;
        x[1] = (double)got.point.y;
        x[2] = (double)got.point.z;
        CHECK_INT(got.verdict, strictly_inside(&p, x) ? CD_INTERIOR_FOUND : CD_INTERIOR_THIN);
        ++seen[got.verdict];
    }
    CHECK(seen[CD_INTERIOR_FOUND] > 0 && seen[CD_INTERIOR_THIN] > 0);
}

static void interiors_of_known_bodies(void) {
    cd_plane box[6], wedge[3] = {{{0, 0, 1}, 0}, {{0, 0, -1}, 0}, {{1, 0, 0}, 1}};
    cd_interior3 r;
    cd_interior2 q;
    cd_halfspace2 half = {{3, 4}, 10};
    for (int i = 0; i < 6; ++i) {
        double n[3] = {0, 0, 0};
        n[i / 2] = i % 2 ? 1 : -1;
        box[i].n = cd_vec3_make((cd_real)n[0], (cd_real)n[1], (cd_real)n[2]);
        box[i].d = (cd_real)(i % 2 ? 3 : 1);
    }
    ASK("exact", cd_halfspaces_interior_point(box, 6, NULL, &r)); /* [-1, 3]^3 */
    CHECK_INT(r.verdict, CD_INTERIOR_FOUND);
    CHECK_VEC(r.point, cd_vec3_make(1, 1, 1), 0);
    CHECK_SAME(r.margin, 2);
    ASK("exact", cd_halfspaces_interior_point(wedge, 3, NULL, &r));
    CHECK_INT(r.verdict, CD_INTERIOR_FLAT);
    CHECK_SAME(r.margin, 0);
    CHECK_SAME(r.point.z, 0);
    wedge[1].d = -1;
    ASK("exact", cd_halfspaces_interior_point(wedge, 3, NULL, &r)); /* z <= 0 and z >= 1 */
    CHECK_INT(r.verdict, CD_INTERIOR_EMPTY);
    CHECK_SAME(r.margin, -0.5);
    ASK("exact", cd_halfplanes_interior_point(&half, 1, NULL, &q));
    CHECK_INT(q.verdict, CD_INTERIOR_FOUND);
    CHECK_SAME(q.margin, 2); /* as far inside as its line is from the origin */
    ASK("exact", cd_halfspaces_interior_point(NULL, 0, NULL, &r));
    CHECK_INT(r.verdict, CD_INTERIOR_FOUND);
    CHECK_SAME(r.margin, 1);
#ifdef COLLIDE_DOUBLE
    { /* a margin below the smallest number is not 0 */
        cd_halfspace2 tiny[2] = {{{1e300, 0}, 1e-300}, {{-1e300, 0}, 1e-300}};
        ASK("exact", cd_halfplanes_interior_point(tiny, 2, NULL, &q));
        CHECK_INT(q.verdict, CD_INTERIOR_FOUND);
        CHECK(q.margin > 0);
    }
#endif
    { /* between two neighbouring numbers there is room, but no number */
        cd_halfspace2 thin[2] = {{{1, 0}, 0}, {{-1, 0}, -1}};
        thin[0].d = (cd_real)1 + CD_REAL_EPSILON;
        ASK("exact", cd_halfplanes_interior_point(thin, 2, NULL, &q));
        CHECK_INT(q.verdict, CD_INTERIOR_THIN);
        CHECK(q.margin > 0);
    }
}

/* Coordinates below the smallest number are neither 0 nor anything else. */
static void coordinates_next_to_nothing(void) {
    for (int i = 0; i < 4; ++i) {
        double s = i & 1 ? -1 : 1, t = i & 2 ? -1 : 1;
        double big = sizeof(cd_real) == 4 ? 1e38 : 1e300, tiny = sizeof(cd_real) == 4 ? 1e-38 : 1e-300;
        cd_halfspace2 two[2] = {{{0, 0}, 0}, {{0, 1}, 3}};
        cd_plane three[3] = {{{0, 0, 0}, 0}, {{0, 1, 0}, 3}, {{0, 0, 1}, 4}};
        cd_lp2 r2;
        cd_lp3 r3;
        two[0].n.x = three[0].n.x = (cd_real)(s * big);
        two[0].d = three[0].d = (cd_real)(t * tiny);
        CHECK_INT(ASK("exact", cd_lp_seidel2(two, 2, cd_vec2_make((cd_real)s, 1), NULL, &r2)), CD_OK);
        CHECK_INT(ASK("exact", cd_lp_seidel3(three, 3, cd_vec3_make((cd_real)s, 1, 1), NULL, &r3)), CD_OK);
        CHECK(r2.verdict == CD_LP_OPTIMAL && r3.verdict == CD_LP_OPTIMAL);
        CHECK(r2.point.y == 3 && r3.point.y == 3 && r3.point.z == 4);
        CHECK(fabs((double)r2.point.x) <= tiny && fabs((double)r3.point.x) <= tiny);
        if (sizeof(cd_real) == 8) CHECK((double)r2.point.x * s * t > 0 && (double)r3.point.x * s * t > 0);
    }
}

/* ---- proofs ---- */

/* All but one of some half-spaces have a point in common: the basis names them all, whatever others there are. */
static void all_are_needed_for_a_proof(void) {
    cd_halfspace2 two[5] = {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, -1}, {{1, 0}, 3}, {{0, 1}, 3}};
    cd_plane three[6] = {{{-1, 0, 0}, 0}, {{0, -1, 0}, 0}, {{0, 0, -1}, 0},
                         {{1, 1, 1}, -1}, {{1, 0, 0}, 3},  {{0, 1, 0}, 3}};
    for (int turn = 0; turn < 6; ++turn) {
        cd_plane space = three[turn % 6];
        cd_halfspace2 plane = two[turn % 5];
        cd_lp2 r2;
        cd_lp3 r3;
        int seen = 0, wanted = 0;
        three[turn % 6] = three[0];
        three[0] = space;
        two[turn % 5] = two[0];
        two[0] = plane;
        memset(&r2, 77, sizeof r2);
        memset(&r3, 77, sizeof r3);
        CHECK_INT(cd_lp_seidel2(two, 5, cd_vec2_make(1, 2), NULL, &r2), CD_OK);
        CHECK(r2.verdict == CD_LP_INFEASIBLE && r2.point.x == 0 && r2.ray.y == 0);
        CHECK_INT(r2.basis_count, 3);
        for (int i = 0; i < 3; ++i) seen |= 1 << (r2.basis[i] & 15u);
        for (int i = 0; i < 5; ++i) wanted |= (two[i].d < 1) << i;
        CHECK_INT(seen, wanted);
        CHECK_INT(cd_lp_seidel3(three, 6, cd_vec3_make(1, 2, 3), NULL, &r3), CD_OK);
        CHECK(r3.verdict == CD_LP_INFEASIBLE && r3.point.x == 0 && r3.ray.z == 0);
        CHECK_INT(r3.basis_count, 4);
        seen = wanted = 0;
        for (int i = 0; i < 4; ++i) seen |= 1 << (r3.basis[i] & 15u);
        for (int i = 0; i < 6; ++i) wanted |= (three[i].d < 1) << i;
        CHECK_INT(seen, wanted);
    }
}

/* ---- arguments ---- */

static void memory_and_arguments(void) {
    test_rng rng = test_random();
    test_memory memory = {100, 0, 0};
    cd_allocator allocator = test_allocator(&memory);
    cd_plane *h = draw_crowd(&rng, AROUND, 500), *copy = draw_crowd(&rng, AROUND, 500);
    cd_vec3 goal = cd_vec3_make(1, 2, 3);
    cd_lp3 r, zero;
    cd_interior3 in;
    memcpy(copy, h, 500 * sizeof *h);
    memset(&zero, 0, sizeof zero);
    CHECK_INT(cd_lp_seidel3(h, 500, goal, &allocator, &r), CD_OK);
    CHECK_INT(ASK("exact", cd_halfspaces_interior_point(h, 500, &allocator, &in)), CD_OK);
    CHECK(memcmp(h, copy, 500 * sizeof *h) == 0);
    CHECK_INT(memory.live, 0);
    memory.allowed = 0;
    CHECK_INT(cd_lp_seidel3(h, 500, goal, &allocator, &r), CD_OUT_OF_MEMORY);
    CHECK(memcmp(&r, &zero, sizeof r) == 0);
    CHECK_INT(ASK("bad", cd_halfspaces_interior_point(h, 500, &allocator, &in)), CD_OUT_OF_MEMORY);
    CHECK_INT(cd_lp_seidel3(h, 32, goal, &allocator, NULL), CD_OK);
    CHECK_INT(cd_halfspaces_interior_point(h, 32, &allocator, NULL), CD_OK);
    h[7].n.y = (cd_real)NAN;
    CHECK_INT(cd_lp_seidel3(h, 32, goal, NULL, &r), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_lp_seidel3(h, 7, cd_vec3_make(0, (cd_real)INFINITY, 0), NULL, &r), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_lp_seidel3(NULL, 7, goal, NULL, &r), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_lp_seidel3(NULL, 0, goal, NULL, &r), CD_OK);
    CHECK_INT(r.verdict, CD_LP_UNBOUNDED);
    CHECK_VEC(r.ray, cd_vec3_make(1, 1, 1), 0);
    CHECK_INT(cd_lp_seidel3(NULL, 0, cd_vec3_make(0, 0, 0), NULL, &r), CD_OK);
    CHECK_INT(r.verdict, CD_LP_OPTIMAL);
    if (sizeof(size_t) > 4) CHECK_INT(cd_lp_seidel3(h, (size_t)0xFFFFFFFFu, goal, NULL, &r), CD_TOO_LARGE);
    free(h);
    free(copy);
}

/* Of a k-DOP: more corners than there can be, as rounding might part some: fewer are kept, and each is near one of them. */
static void corners_of_kdops_beyond_the_most(void) {
    cd_vec3 out[CD_KDOP_VERTICES];
    cdi_kdop_corners c;
    c.out = out;
    c.count = 0;
    c.apart = 1e-9;
    for (int i = 0; i < 1000; ++i) cdi_kdop_corner(&c, cdi_v3_make(i % 10, i / 10 % 10, i / 100));
    CHECK(c.count > 1 && c.count <= CD_KDOP_VERTICES);
    for (int i = 0; i < 1000; ++i) {
        double nearest = 1e9;
        for (uint32_t k = 0; k < c.count; ++k) {
            cdi_v3 d = cdi_v3_sub(cdi_v3_of(out[k]), cdi_v3_make(i % 10, i / 10 % 10, i / 100));
            nearest = fmin(nearest, cdi_v3_max_abs(d));
        }
        CHECK(nearest <= 2 * c.apart);
    }
    c.count = 0;
    c.apart = 0;
    for (int i = 0; i < 100; ++i) cdi_kdop_corner(&c, cdi_v3_make(0, 0, i * 1e-320));
    CHECK(c.count >= 1 && c.count <= CD_KDOP_VERTICES);
}

void suite_lp(void) {
    RUN(plane_programs_by_brute_force);
    RUN(space_programs_by_brute_force);
    RUN(four_variables_by_brute_force);
    RUN(any_finite_numbers);
    RUN(powers_of_two_change_nothing);
    RUN(many_rows);
    RUN(the_effort_is_linear);
    RUN(interior_points_are_inside);
    RUN(slabs_of_one_step);
    RUN(interiors_of_known_bodies);
    RUN(all_are_needed_for_a_proof);
    RUN(coordinates_next_to_nothing);
    RUN(memory_and_arguments);
    RUN(corners_of_kdops_beyond_the_most);
}
