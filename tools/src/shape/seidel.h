#pragma once
/* seidel (internal): linear programs of two to four variables, solved exactly.
 *
 * A row is n . x <= d + beyond M: M is larger than any number, and beyond is 1 in the rows of the box -M <= x <= M, 0 in all
 * others. Feasible programs have a vertex x = p + M q in the box. That a row is violated there is the sign of a
 * determinant that is linear in M: its factor of M decides, and where that is 0, the rest.
 * The objective is goal - t e0 - t^2 e1 - ... with t smaller than any number, so that the best vertex is the only one.
 * Why the bases prove the verdict: let v be the best vertex of some rows, h a row violated by v, and w the best vertex on
 * the plane of h, whose further rows span the objective up to a multiple of h's normal, with factors above 0. All of
 * these rows hold at v, which is better than w; so the factor of h is above 0 too. And where rows C have no point on the
 * plane of h, C is convex and holds v: all of C violates h. */

#include "core/platform.h"
#include "shape/lp.h"

enum { CDI_LP_DIM = 4, CDI_LP_ROW = CDI_LP_DIM + 2, CDI_LP_SMALL = 38 };

typedef struct cdi_lp_row {
    double c[CDI_LP_DIM + 1]; /* the normal, then d */
    double beyond;
    uint32_t index; /* the caller's; CD_NONE for others */
} cdi_lp_row;

/* Where `dim` independent rows meet. `x`: homogeneous coordinates such that a row is violated when its product with
 * them is above 0, [0] the factors of M, [1] the rest; `size` the sum of the magnitudes of their terms. */
typedef struct cdi_lp_vertex {
    cdi_lp_row row[CDI_LP_DIM];
    double x[2][CDI_LP_DIM + 1], size[2][CDI_LP_DIM + 1];
    int side;    /* the sign of the determinant of the normals */
    bool beyond; /* a row of the box is among them */
} cdi_lp_vertex;

typedef struct cdi_lp {
    int dim, stride; /* a stored row is the normal, d and the caller's index */
    size_t count, room;
    double *rows;
    uint64_t random;
    double least, most; /* magnitudes whose determinants neither overflow nor underflow */
    bool filter;        /* all numbers are among them */
    uint32_t never;     /* the first row that holds nowhere */
    double goal[CDI_LP_DIM];
    cdi_lp_row fixed[CDI_LP_DIM];     /* on whose planes the program is being solved */
    cdi_lp_row proof[CDI_LP_DIM + 1]; /* that it is infeasible */
    int proof_count;
    double own[CDI_LP_SMALL * CDI_LP_ROW];
} cdi_lp;

typedef struct cdi_lp_answer {
    cd_lp_verdict verdict;
    double point[CDI_LP_DIM], ray[CDI_LP_DIM];
    uint32_t basis[CDI_LP_DIM + 1], basis_count;
} cdi_lp_answer;

/* A program without rows, and room for `room` of them; false without memory. */
CDI_FN bool cdi_lp_begin(cdi_lp *lp, int dim, const double *goal, size_t room, const cd_allocator *allocator);
CDI_FN void cdi_lp_end(cdi_lp *lp, const cd_allocator *allocator);

/* One more row of finite numbers (the normal, then d), put at a random place. */
CDI_FN void cdi_lp_add(cdi_lp *lp, const double *c, uint32_t index);

/* The best vertex; false, with `proof`, when there is none. */
CDI_FN bool cdi_lp_best(cdi_lp *lp, cdi_lp_vertex *v);
/* Of a vertex p + M q beyond the rows: that with the smallest M that all rows allow, or with M = 0 when they allow all. */
CDI_FN void cdi_lp_pull_back(cdi_lp *lp, cdi_lp_vertex *v);
CDI_FN void cdi_lp_solve(cdi_lp *lp, cdi_lp_answer *out);

/* The same, and quicker where the rows of `v`, of given ones, are those of the best vertex, or few steps of the dual simplex method from
 * them. */
CDI_FN void cdi_lp_solve_guessed(cdi_lp *lp, cdi_lp_vertex *v, cdi_lp_answer *out);
CDI_FN cdi_lp_row cdi_lp_row_of(const cdi_lp *lp, const double *c, uint32_t index);

/* Do all rows hold strictly at a point of finite numbers? The first `dim` numbers of each row alone are looked at, as those
 * of the normal. */
CDI_FN bool cdi_lp_inside(const cdi_lp *lp, int dim, const double *point);
