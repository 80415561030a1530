#include "core/vec3d.h"
#include "shape/seidel.h"

/* A half-plane or half-space as doubles: the normal, then d. */
static void cdi_lp_read2(const cd_halfspace2 *h, double c[3]) {
    c[0] = (double)h->n.x;
    c[1] = (double)h->n.y;
    c[2] = (double)h->d;
}

static void cdi_lp_read3(const cd_plane *h, double c[4]) {
    c[0] = (double)h->n.x;
    c[1] = (double)h->n.y;
    c[2] = (double)h->n.z;
    c[3] = (double)h->d;
}

static cd_vec2 cdi_lp_vec2(const double *x) {
    return cd_vec2_make(cdi_real_of(x[0]), cdi_real_of(x[1]));
}

static cd_vec3 cdi_lp_vec3(const double *x) {
    return cd_vec3_make(cdi_real_of(x[0]), cdi_real_of(x[1]), cdi_real_of(x[2]));
}

/* The caller's half-planes or half-spaces, one of the two. */
typedef struct cdi_lp_input {
    const cd_halfspace2 *two;
    const cd_plane *three;
    size_t count;
    int dim;
} cdi_lp_input;

static void cdi_lp_read(const cdi_lp_input *in, size_t i, double *c) {
    if (in->dim == 2) {
        cdi_lp_read2(&in->two[i], c);
    } else {
        cdi_lp_read3(&in->three[i], c);
    }
}

static cdi_lp_input cdi_lp_input_of(const cd_halfspace2 *two, const cd_plane *three, size_t count, int dim) {
    cdi_lp_input in;
    in.two = two;
    in.three = three;
    in.count = count;
    in.dim = dim;
    return in;
}

static cd_status cdi_lp_check(const cdi_lp_input *in) {
    if (in->count > 0 && !in->two && !in->three) return CD_INVALID_ARGUMENT;
    if (in->count >= CD_NONE) return CD_TOO_LARGE;
    for (size_t i = 0; i < in->count; ++i) {
        double c[4];
        cdi_lp_read(in, i, c);
        if (!cdi_finite3(c[0], c[1], c[2])) return CD_INVALID_ARGUMENT;
        if (in->dim == 3 && !cdi_finite(c[3])) return CD_INVALID_ARGUMENT;
    }
    return CD_OK;
}

/* ---- linear programs ---- */

static cd_status cdi_lp_optimize(const cdi_lp_input *in, const double *goal, const cd_allocator *allocator,
                                 cdi_lp_answer *answer) {
    cdi_lp lp;
    cd_status status = cdi_lp_check(in);
    if (status != CD_OK) return status;
    for (int k = 0; k < in->dim; ++k) {
        if (!cdi_finite(goal[k])) return CD_INVALID_ARGUMENT;
    }
    if (!cdi_lp_begin(&lp, in->dim, goal, in->count, allocator)) return CD_OUT_OF_MEMORY;
    for (size_t i = 0; i < in->count; ++i) {
        double c[4];
        cdi_lp_read(in, i, c);
        cdi_lp_add(&lp, c, (uint32_t)i);
    }
    cdi_lp_solve(&lp, answer);
    cdi_lp_end(&lp, allocator);
    return CD_OK;
}

CD_API cd_status cd_lp_seidel2(const cd_halfspace2 *halfspaces, size_t count, cd_vec2 direction,
                               const cd_allocator *allocator, cd_lp2 *out) {
    cdi_lp_input in = cdi_lp_input_of(halfspaces, NULL, count, 2);
    cdi_lp_answer answer;
    cd_status status;
    double goal[2];
    goal[0] = (double)direction.x;
    goal[1] = (double)direction.y;
    status = cdi_lp_optimize(&in, goal, allocator, &answer);
    if (!out) return status;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->verdict = answer.verdict;
    out->point = cdi_lp_vec2(answer.point);
    out->ray = cdi_lp_vec2(answer.ray);
    out->basis_count = answer.basis_count;
    for (uint32_t i = 0; i < answer.basis_count; ++i) out->basis[i] = answer.basis[i];
    return CD_OK;
}

CD_API cd_status cd_lp_seidel3(const cd_plane *halfspaces, size_t count, cd_vec3 direction,
                               const cd_allocator *allocator, cd_lp3 *out) {
    cdi_lp_input in = cdi_lp_input_of(NULL, halfspaces, count, 3);
    cdi_lp_answer answer;
    cd_status status;
    double goal[3];
    cdi_v3_store(goal, cdi_v3_of(direction));
    status = cdi_lp_optimize(&in, goal, allocator, &answer);
    if (!out) return status;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->verdict = answer.verdict;
    out->point = cdi_lp_vec3(answer.point);
    out->ray = cdi_lp_vec3(answer.ray);
    out->basis_count = answer.basis_count;
    for (uint32_t i = 0; i < answer.basis_count; ++i) out->basis[i] = answer.basis[i];
    return CD_OK;
}

/* ---- interior points ---- */

typedef struct cdi_lp_ball {
    cd_interior verdict;
    double center[3], margin;
} cdi_lp_ball;

/* n . x + |n| r <= d: a ball of radius r about x fits in. `reach`: the largest distance of a boundary from the origin. */
static void cdi_lp_add_balls(cdi_lp *lp, const cdi_lp_input *in, double *reach) {
    for (size_t i = 0; i < in->count; ++i) {
        double c[5], d, length;
        c[2] = 0.0;
        cdi_lp_read(in, i, c);
        d = c[in->dim];
        length = cdi_v3_length(cdi_v3_make(c[0], c[1], in->dim == 3 ? c[2] : 0.0));
        c[in->dim] = cdi_min(length, CDI_HUGE);
        c[in->dim + 1] = d;
        cdi_lp_add(lp, c, (uint32_t)i);
        if (length > 0.0) *reach = cdi_max(*reach, cdi_abs(d) / length);
    }
}

/* The largest ball, its radius bounded by one more row. */
static void cdi_lp_inscribe(cdi_lp *lp, const cdi_lp_input *in, cdi_lp_ball *ball) {
    cdi_lp_answer answer;
    double c[5] = {0.0, 0.0, 0.0, 0.0, 0.0}, reach = 0.0;
    cdi_lp_add_balls(lp, in, &reach);
    c[in->dim] = 1.0;
    c[in->dim + 1] = reach > 0.0 ? cdi_min(reach, CDI_HUGE) : 1.0;
    cdi_lp_add(lp, c, CD_NONE);
    cdi_lp_solve(lp, &answer);
    ball->verdict = CD_INTERIOR_EMPTY;
    ball->margin = -(double)CD_REAL_MAX;
    if (answer.verdict == CD_LP_INFEASIBLE) return;
    ball->margin = answer.point[in->dim];
    if (ball->margin < 0.0) return;
    for (int k = 0; k < in->dim; ++k) ball->center[k] = (double)cdi_real_of(answer.point[k]);
    ball->verdict = ball->margin == 0.0                        ? CD_INTERIOR_FLAT
                    : cdi_lp_inside(lp, in->dim, ball->center) ? CD_INTERIOR_FOUND
                                                               : CD_INTERIOR_THIN;
}

static cd_status cdi_lp_interior(const cdi_lp_input *in, const cd_allocator *allocator, cdi_lp_ball *ball) {
    cdi_lp lp;
    double goal[4] = {0.0, 0.0, 0.0, 0.0};
    cd_status status = cdi_lp_check(in);
    cdi_clear(ball, sizeof *ball);
    if (status != CD_OK) return status;
    goal[in->dim] = 1.0;
    if (!cdi_lp_begin(&lp, in->dim + 1, goal, in->count + 1, allocator)) return CD_OUT_OF_MEMORY;
    cdi_lp_inscribe(&lp, in, ball);
    cdi_lp_end(&lp, allocator);
    return CD_OK;
}

CD_API cd_status cd_halfplanes_interior_point(const cd_halfspace2 *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior2 *out) {
    cdi_lp_input in = cdi_lp_input_of(halfspaces, NULL, count, 2);
    cdi_lp_ball ball;
    cd_status status = cdi_lp_interior(&in, allocator, &ball);
    if (!out) return status;
    out->verdict = ball.verdict;
    out->point = cdi_lp_vec2(ball.center);
    out->margin = cdi_real_of(ball.margin);
    return status;
}

CD_API cd_status cd_halfspaces_interior_point(const cd_plane *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior3 *out) {
    cdi_lp_input in = cdi_lp_input_of(NULL, halfspaces, count, 3);
    cdi_lp_ball ball;
    cd_status status = cdi_lp_interior(&in, allocator, &ball);
    if (!out) return status;
    out->verdict = ball.verdict;
    out->point = cdi_lp_vec3(ball.center);
    out->margin = cdi_real_of(ball.margin);
    return status;
}
