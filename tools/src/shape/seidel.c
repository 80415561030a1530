#include "shape/seidel.h"
#include "core/exact.h"
#include "core/memory.h"

/* A determinant of five rows takes fourteen roundings at most, each of 2^-53 of the sum of the terms' magnitudes. */
#define CDI_LP_BOUND 4e-15
#define CDI_LP_LIMBS (28 * CDI_EXACT_LIMBS)

typedef double (*cdi_lp_matrix)[CDI_LP_DIM + 1];

/* ---- determinants ---- */

/* A value and the sum of the magnitudes of its terms. */
typedef struct cdi_lp_sum {
    double value, size;
} cdi_lp_sum;

/* The minors of the last rows of n, for each set of at most n of the columns as a mask: expanded by their first row. */
static void cdi_lp_minors(cdi_lp_matrix m, int n, int columns, cdi_lp_sum *out) {
    static const unsigned char size_of[32] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                              1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5};
    out[0].value = out[0].size = 1.0;
    for (unsigned set = 1; set < 1u << columns; ++set) {
        cdi_lp_sum sum = {0.0, 0.0};
        double sign = 1.0;
        const double *row;
        if (size_of[set] > n) continue;
        row = m[n - size_of[set]];
        for (int j = 0; j < columns; ++j) {
            const cdi_lp_sum *rest = &out[set & ~(1u << j)];
            if (!(set >> j & 1u)) continue;
            sum.value += sign * row[j] * rest->value;
            sum.size += cdi_abs(row[j]) * rest->size;
            sign = -sign;
        }
        out[set] = sum;
    }
}

/* The determinant of the first n rows in the columns of a mask, expanded by the first row. */
static cdi_exact cdi_lp_minor_exact(cdi_arena *arena, cdi_lp_matrix m, int n, unsigned columns) {
    cdi_exact sum = cdi_exact_of(arena, n == 0 ? 1.0 : 0.0);
    int mark = arena->used, odd = 0;
    for (int j = 0; n > 0 && j <= CDI_LP_DIM; ++j) {
        if (!(columns >> j & 1u)) continue;
        if (m[0][j] != 0.0) {
            cdi_exact rest = cdi_lp_minor_exact(arena, m + 1, n - 1, columns & ~(1u << j));
            rest = cdi_exact_mul(arena, cdi_exact_of(arena, odd ? -m[0][j] : m[0][j]), rest);
            sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, rest));
        }
        odd = !odd;
    }
    return sum;
}

static CDI_COLD int cdi_lp_sign_exact(cdi_lp_matrix m, int n) {
    uint32_t limbs[CDI_LP_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, CDI_LP_LIMBS);
    return cdi_lp_minor_exact(&arena, m, n, (1u << n) - 1u).sign;
}

/* The sign that the value is sure to have; 2 when it is not. */
CDI_INLINE int cdi_lp_sure(const cdi_lp *lp, double value, double size) {
    double error = CDI_LP_BOUND * size;
    if (!lp->filter) return 2;
    return value > error ? 1 : -value > error ? -1 : size == 0.0 ? 0 : 2;
}

static int cdi_lp_sign(const cdi_lp *lp, cdi_lp_matrix m, int n) {
    cdi_lp_sum minor[1 << CDI_LP_DIM], *det = &minor[(1u << n) - 1u];
    int sign;
    cdi_lp_minors(m, n, n, minor);
    sign = cdi_lp_sure(lp, det->value, det->size);
    return sign == 2 ? cdi_lp_sign_exact(m, n) : sign;
}

/* ---- rows ---- */

static cdi_lp_row cdi_lp_row_zero(void) {
    cdi_lp_row r;
    for (int j = 0; j <= CDI_LP_DIM; ++j) r.c[j] = 0.0;
    r.beyond = 0.0;
    r.index = CD_NONE;
    return r;
}

/* sign * x[axis] <= M */
static cdi_lp_row cdi_lp_row_box(int axis, int sign) {
    cdi_lp_row r = cdi_lp_row_zero();
    r.c[axis] = (double)sign;
    r.beyond = 1.0;
    return r;
}

CDI_FN cdi_lp_row cdi_lp_row_of(const cdi_lp *lp, const double *c, uint32_t index) {
    cdi_lp_row r = cdi_lp_row_zero();
    for (int j = 0; j <= lp->dim; ++j) r.c[j] = c[j];
    r.index = index;
    return r;
}

/* The rows in their order: those of the box, then the given ones. */
static cdi_lp_row cdi_lp_row_at(const cdi_lp *lp, size_t i) {
    const double *c;
    if (i < 2u * (size_t)lp->dim) return cdi_lp_row_box((int)(i / 2), i % 2 ? 1 : -1);
    c = lp->rows + (i - 2u * (size_t)lp->dim) * (size_t)lp->stride;
    return cdi_lp_row_of(lp, c, (uint32_t)c[lp->dim + 1]);
}

static void cdi_lp_put(double *to, const double *from, int n) {
    for (int j = 0; j < n; ++j) to[j] = from[j];
}

/* The sign of the determinant of dim - 1 normals and one more. */
static int cdi_lp_sign_of(const cdi_lp *lp, const cdi_lp_row *rows, const double *last) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    for (int i = 0; i < lp->dim - 1; ++i) cdi_lp_put(m[i], rows[i].c, lp->dim);
    cdi_lp_put(m[lp->dim - 1], last, lp->dim);
    return cdi_lp_sign(lp, m, lp->dim);
}

/* ---- vertices ---- */

/* The vertex's rows with the factors of M (part 0) or the rest on the right. */
static void cdi_lp_fill(const cdi_lp *lp, const cdi_lp_vertex *v, int part, cdi_lp_matrix m) {
    for (int i = 0; i < lp->dim; ++i) {
        cdi_lp_put(m[i], v->row[i].c, lp->dim);
        m[i][lp->dim] = part == 0 ? v->row[i].beyond : v->row[i].c[lp->dim];
    }
}

/* From its rows: the determinant of one more row below is expanded by that row, and signed. */
static void cdi_lp_vertex_make(const cdi_lp *lp, cdi_lp_vertex *v) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    int dim = lp->dim;
    unsigned all = (2u << dim) - 1u;
    v->beyond = false;
    for (int i = 0; i < dim; ++i) v->beyond = v->beyond || v->row[i].beyond != 0.0;
    cdi_lp_fill(lp, v, 1, m);
    v->side = cdi_lp_sign(lp, m, dim);
    CDI_ASSERT(v->side != 0);
    for (int part = 0; part < 2; ++part) {
        cdi_lp_sum minor[2 << CDI_LP_DIM];
        cdi_lp_fill(lp, v, part, m);
        cdi_lp_minors(m, dim, dim + 1, minor);
        for (int j = 0; j <= dim; ++j) {
            const cdi_lp_sum *x = &minor[all & ~(1u << j)];
            v->x[part][j] = (dim + j) % 2 == (v->side > 0) ? x->value : -x->value;
            v->size[part][j] = x->size;
        }
    }
}

/* The vertex's own rows, which are what is doubtful most often, and copies of them are on it. */
static CDI_COLD int cdi_lp_slack_exact(const cdi_lp *lp, const cdi_lp_vertex *v, const double *n,
                                       double right, int part) {
    double m[CDI_LP_DIM + 1][CDI_LP_DIM + 1];
    cdi_lp_fill(lp, v, part, m);
    for (int i = 0; i < lp->dim; ++i) {
        bool same = m[i][lp->dim] == right;
        for (int k = 0; k < lp->dim; ++k) same = same && m[i][k] == n[k];
        if (same) return 0;
    }
    cdi_lp_put(m[lp->dim], n, lp->dim);
    m[lp->dim][lp->dim] = right;
    return -v->side * cdi_lp_sign_exact(m, lp->dim + 1);
}

/* The sign of n . x - right at the vertex, in one of its parts. */
CDI_INLINE int cdi_lp_slack(const cdi_lp *lp, const cdi_lp_vertex *v, const double *n, double right,
                            int part) {
    const double *x = v->x[part], *size = v->size[part];
    double value = right * x[lp->dim], sum = cdi_abs(right) * size[lp->dim];
    int sign;
    for (int j = 0; j < lp->dim; ++j) {
        value += n[j] * x[j];
        sum += cdi_abs(n[j]) * size[j];
    }
    sign = cdi_lp_sure(lp, value, sum);
    return sign == 2 ? cdi_lp_slack_exact(lp, v, n, right, part) : sign;
}

/* Row i against the vertex. */
CDI_INLINE bool cdi_lp_violated(const cdi_lp *lp, const cdi_lp_vertex *v, size_t i) {
    size_t box = 2u * (size_t)lp->dim;
    const double *c;
    CDI_COUNT(halfspace);
    if (i < box) {
        cdi_lp_row r = cdi_lp_row_box((int)(i / 2), i % 2 ? 1 : -1);
        int sign = cdi_lp_slack(lp, v, r.c, 1.0, 0);
        return sign == 0 ? cdi_lp_slack(lp, v, r.c, 0.0, 1) > 0 : sign > 0;
    }
    c = lp->rows + (i - box) * (size_t)lp->stride;
    if (v->beyond) {
        int sign = cdi_lp_slack(lp, v, c, 0.0, 0);
        if (sign != 0) return sign > 0;
    }
    return cdi_lp_slack(lp, v, c, c[lp->dim], 1) > 0;
}

/* ---- the algorithm ---- */

/* The sign of the objective along the line of dim - 1 rows, of which it is never 0: that of det [rows; objective]. */
static int cdi_lp_rise(const cdi_lp *lp, const cdi_lp_row *rows) {
    int sign = cdi_lp_sign_of(lp, rows, lp->goal);
    for (int k = 0; sign == 0 && k < lp->dim; ++k) {
        sign = cdi_lp_sign_of(lp, rows, cdi_lp_row_box(k, -1).c);
    }
    return sign;
}

/* The first set of axes, as a mask, that complete the fixed rows; 0 when the rows depend on each other. */
static unsigned cdi_lp_axes(const cdi_lp *lp, int fixed) {
    for (unsigned axes = 1; axes < 1u << lp->dim; ++axes) {
        double m[CDI_LP_DIM][CDI_LP_DIM + 1];
        int n = fixed;
        for (int k = 0; k < lp->dim; ++k) n += (int)(axes >> k & 1u);
        if (n != lp->dim) continue;
        for (int i = 0; i < fixed; ++i) cdi_lp_put(m[i], lp->fixed[i].c, lp->dim);
        n = fixed;
        for (int k = 0; k < lp->dim; ++k) {
            if (axes >> k & 1u) cdi_lp_put(m[n++], cdi_lp_row_box(k, 1).c, lp->dim);
        }
        if (cdi_lp_sign(lp, m, lp->dim) != 0) return axes;
    }
    return 0;
}

/* The best vertex on the planes of the fixed rows as to one row of the box for each axis of a complete set. */
static bool cdi_lp_start(const cdi_lp *lp, int fixed, cdi_lp_vertex *v) {
    unsigned axes = cdi_lp_axes(lp, fixed);
    int at = fixed;
    if (axes == 0) return false;
    for (int i = 0; i < fixed; ++i) v->row[i] = lp->fixed[i];
    for (int a = 0; a < lp->dim; ++a) {
        cdi_lp_row line[CDI_LP_DIM]; /* all but axis a */
        int n = fixed;
        if (!(axes >> a & 1u)) continue;
        for (int i = 0; i < fixed; ++i) line[i] = lp->fixed[i];
        for (int b = 0; b < lp->dim; ++b) {
            if (b != a && axes >> b & 1u) line[n++] = cdi_lp_row_box(b, 1);
        }
        v->row[at++] =
            cdi_lp_row_box(a, cdi_lp_rise(lp, line) * cdi_lp_sign_of(lp, line, cdi_lp_row_box(a, 1).c));
    }
    cdi_lp_vertex_make(lp, v);
    return true;
}

/* Infeasible: the fixed rows, and up to two more, have no point in common. */
static bool cdi_lp_refute(cdi_lp *lp, int fixed, const cdi_lp_row *a, const cdi_lp_row *b) {
    lp->proof_count = 0;
    for (int i = 0; i < fixed && i < CDI_LP_DIM; ++i) lp->proof[lp->proof_count++] = lp->fixed[i];
    if (a) lp->proof[lp->proof_count++] = *a;
    if (b) lp->proof[lp->proof_count++] = *b;
    return false;
}

/* A row violated where the line meets its bound so far: a nearer bound, or one from the other side. */
static bool cdi_lp_shorten(cdi_lp *lp, cdi_lp_vertex *v, size_t i) {
    int last = lp->dim - 1, sign;
    cdi_lp_row r = cdi_lp_row_at(lp, i);
    sign = cdi_lp_sign_of(lp, lp->fixed, r.c);
    if (sign != v->side) return cdi_lp_refute(lp, last, &r, sign == 0 ? NULL : &v->row[last]);
    v->row[last] = r;
    cdi_lp_vertex_make(lp, v);
    return true;
}

/* One variable: the nearest bound ahead, then whether those from behind leave room for it. */
static bool cdi_lp_on_line(cdi_lp *lp, size_t count, cdi_lp_vertex *v) {
    size_t nearest = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_lp_violated(lp, v, i)) continue;
        if (!cdi_lp_shorten(lp, v, i)) return false;
        nearest = i;
    }
    for (size_t i = 0; i < nearest; ++i) {
        if (cdi_lp_violated(lp, v, i)) return cdi_lp_shorten(lp, v, i);
    }
    return true;
}

/* The best vertex of the first `count` rows on the planes of the fixed ones. */
static bool cdi_lp_on(cdi_lp *lp, int fixed, size_t count, cdi_lp_vertex *v) {
    if (!cdi_lp_start(lp, fixed, v)) return cdi_lp_refute(lp, fixed, NULL, NULL);
    if (fixed == lp->dim - 1) return cdi_lp_on_line(lp, count, v);
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_lp_violated(lp, v, i)) continue;
        lp->fixed[fixed] = cdi_lp_row_at(lp, i);
        if (!cdi_lp_on(lp, fixed + 1, i, v)) return false;
    }
    return true;
}

CDI_FN bool cdi_lp_best(cdi_lp *lp, cdi_lp_vertex *v) {
    if (lp->never != CD_NONE) {
        cdi_lp_row r = cdi_lp_row_zero();
        r.index = lp->never;
        return cdi_lp_refute(lp, 0, &r, NULL);
    }
    return cdi_lp_on(lp, 0, lp->count + 2u * (size_t)lp->dim, v);
}

/* ---- a guess ---- */

enum { CDI_LP_STEPS = 8 };

/* The sign of the factor of a vertex's row where the objective is made of its normals. */
static int cdi_lp_factor(const cdi_lp *lp, const cdi_lp_vertex *v, int row) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    int sign;
    cdi_lp_fill(lp, v, 1, m);
    cdi_lp_put(m[row], lp->goal, lp->dim);
    sign = cdi_lp_sign(lp, m, lp->dim);
    for (int k = 0; sign == 0 && k < lp->dim; ++k) {
        cdi_lp_put(m[row], cdi_lp_row_box(k, -1).c, lp->dim);
        sign = cdi_lp_sign(lp, m, lp->dim);
    }
    return sign * v->side;
}

/* Are all factors above 0? Then no point where the vertex's rows hold is better. */
static bool cdi_lp_bounds(const cdi_lp *lp, cdi_lp_vertex *v) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    cdi_lp_fill(lp, v, 1, m);
    v->side = cdi_lp_sign(lp, m, lp->dim);
    if (v->side == 0) return false;
    for (int i = 0; i < lp->dim; ++i) {
        if (cdi_lp_factor(lp, v, i) <= 0) return false;
    }
    return true;
}

/* A row in place of one of the vertex's; false when there is no such vertex. */
static bool cdi_lp_exchange(const cdi_lp *lp, cdi_lp_vertex *v, const cdi_lp_row *in) {
    for (int i = 0; i < lp->dim; ++i) {
        cdi_lp_row out = v->row[i];
        v->row[i] = *in;
        if (cdi_lp_bounds(lp, v)) return true;
        v->row[i] = out;
    }
    return false;
}

/* The dual simplex method: from a vertex that bounds the program to one where all rows hold, if that takes few steps. */
static bool cdi_lp_descend(const cdi_lp *lp, cdi_lp_vertex *v) {
    size_t box = 2u * (size_t)lp->dim;
    bool good = lp->never == CD_NONE && cdi_lp_bounds(lp, v);
    for (int steps = 0; good && steps < CDI_LP_STEPS; ++steps) {
        size_t i = box;
        cdi_lp_row in;
        cdi_lp_vertex_make(lp, v);
        while (i < box + lp->count && !cdi_lp_violated(lp, v, i)) ++i;
        if (i == box + lp->count) return true;
        in = cdi_lp_row_at(lp, i);
        good = cdi_lp_exchange(lp, v, &in);
    }
    return false;
}

/* ---- the answer ---- */

/* The nearest double, up to two units in its last place; never infinite, and 0 only where the number is. */
static double cdi_lp_ratio(cdi_exact num, cdi_exact den) {
    int e = 32 * (num.low + num.n - den.low - den.n);
    double r;
    if (num.sign == 0) return 0.0;
    num.low = -num.n;
    den.low = -den.n; /* both between 2^-32 and 1 */
    r = cdi_scale2(cdi_exact_to_double(num) / cdi_exact_to_double(den), e);
    if (r == 0.0) return num.sign == den.sign ? 4.9406564584124654e-324 : -4.9406564584124654e-324;
    return cdi_clamp(r, -CDI_HUGE, CDI_HUGE);
}

/* One part of the vertex's coordinates, by Cramer's rule. */
static void cdi_lp_coordinates(const cdi_lp *lp, const cdi_lp_vertex *v, int part, double *out) {
    double m[CDI_LP_DIM][CDI_LP_DIM + 1];
    uint32_t limbs[CDI_LP_LIMBS];
    int dim = lp->dim;
    unsigned all = (2u << dim) - 1u;
    cdi_lp_fill(lp, v, part, m);
    for (int j = 0; j < dim; ++j) {
        cdi_arena arena = cdi_arena_on(limbs, CDI_LP_LIMBS);
        cdi_exact den = cdi_lp_minor_exact(&arena, m, dim, all >> 1);
        cdi_exact num = cdi_lp_minor_exact(&arena, m, dim, all & ~(1u << j));
        /* the right side stands last, dim - 1 - j columns too late */
        out[j] = cdi_lp_ratio((dim - 1 - j) % 2 ? cdi_exact_neg(num) : num, den);
    }
}

/* Does a row of the box hold the objective back? Its factor is det [the normals with the objective in its place] over
 * that of the normals. */
static bool cdi_lp_unbounded(const cdi_lp *lp, const cdi_lp_vertex *v) {
    for (int r = 0; r < lp->dim; ++r) {
        double m[CDI_LP_DIM][CDI_LP_DIM + 1];
        if (v->row[r].beyond == 0.0) continue;
        cdi_lp_fill(lp, v, 1, m);
        cdi_lp_put(m[r], lp->goal, lp->dim);
        if (cdi_lp_sign(lp, m, lp->dim) * v->side > 0) return true;
    }
    return false;
}

/* The rows of the box give way to their differences, which make a line with the others, and to the first row that the line meets. */
CDI_FN void cdi_lp_pull_back(cdi_lp *lp, cdi_lp_vertex *v) {
    size_t box = 2u * (size_t)lp->dim;
    cdi_lp_row first = cdi_lp_row_zero();
    int n = 0, out;
    bool met = false;
    for (int i = 0; i < lp->dim; ++i) {
        cdi_lp_row r = v->row[i];
        if (r.beyond != 0.0 && first.beyond == 0.0) {
            first = r;
            continue;
        }
        for (int j = 0; r.beyond != 0.0 && j < lp->dim; ++j) r.c[j] -= first.c[j];
        r.beyond = 0.0;
        lp->fixed[n++] = r;
    }
    for (int i = 0; i < n; ++i) v->row[i] = lp->fixed[i];
    first.beyond = 0.0;
    v->row[n] = first;
    cdi_lp_vertex_make(lp, v);
    out = v->side; /* of a row that grows with M */
    for (size_t i = box; i < box + lp->count; ++i) {
        cdi_lp_row r = cdi_lp_row_at(lp, i);
        if (met ? !cdi_lp_violated(lp, v, i) : cdi_lp_sign_of(lp, lp->fixed, r.c) != -out) continue;
        v->row[n] = r;
        cdi_lp_vertex_make(lp, v);
        met = true;
    }
}

static void cdi_lp_list(cdi_lp_answer *out, const cdi_lp_row *rows, int count) {
    for (int i = 0; i < count; ++i) {
        if (rows[i].index != CD_NONE) out->basis[out->basis_count++] = rows[i].index;
    }
}

CDI_FN void cdi_lp_solve(cdi_lp *lp, cdi_lp_answer *out) {
    cdi_lp_vertex v;
    cdi_clear(out, sizeof *out);
    if (!cdi_lp_best(lp, &v)) {
        out->verdict = CD_LP_INFEASIBLE;
        cdi_lp_list(out, lp->proof, lp->proof_count);
        return;
    }
    cdi_lp_list(out, v.row, lp->dim);
    if (v.beyond) {
        if (cdi_lp_unbounded(lp, &v)) {
            out->verdict = CD_LP_UNBOUNDED;
            cdi_lp_coordinates(lp, &v, 0, out->ray);
        }
        cdi_lp_pull_back(lp, &v);
    }
    cdi_lp_coordinates(lp, &v, 1, out->point);
}

CDI_FN void cdi_lp_solve_guessed(cdi_lp *lp, cdi_lp_vertex *v, cdi_lp_answer *out) {
    if (!cdi_lp_descend(lp, v)) {
        cdi_lp_solve(lp, out);
        return;
    }
    cdi_clear(out, sizeof *out);
    cdi_lp_list(out, v->row, lp->dim);
    cdi_lp_coordinates(lp, v, 1, out->point);
}

CDI_FN bool cdi_lp_inside(const cdi_lp *lp, int dim, const double *point) {
    cdi_lp at = *lp; /* a program of fewer variables on the same rows */
    cdi_lp_vertex v;
    at.dim = dim;
    if (lp->never != CD_NONE) return false;
    for (int k = 0; k < dim; ++k) {
        double size = cdi_abs(point[k]);
        v.row[k] = cdi_lp_row_box(k, 1);
        v.row[k].beyond = 0.0;
        v.row[k].c[dim] = point[k];
        at.filter = at.filter && (size == 0.0 || (size >= lp->least && size <= lp->most));
    }
    cdi_lp_vertex_make(&at, &v);
    for (size_t i = 0; i < lp->count; ++i) {
        const double *c = lp->rows + i * (size_t)lp->stride;
        if (c[lp->dim + 1] == (double)CD_NONE) continue;
        if (cdi_lp_slack(&at, &v, c, c[lp->dim], 1) >= 0) return false;
    }
    return true;
}

/* ---- the rows in random order ---- */

static void cdi_lp_note_size(cdi_lp *lp, double x) {
    double size = cdi_abs(x);
    if (size != 0.0 && !(size >= lp->least && size <= lp->most)) lp->filter = false;
}

CDI_FN bool cdi_lp_begin(cdi_lp *lp, int dim, const double *goal, size_t room,
                         const cd_allocator *allocator) {
    lp->dim = dim;
    lp->stride = dim + 2;
    lp->count = 0;
    lp->room = room;
    lp->random = 1991;
    lp->most =
        cdi_exp2i(800 / (dim + 1)); /* a product of dim + 1 of them, its last bits thrice lost: 2^-960 */
    lp->least = 1.0 / lp->most;
    lp->filter = true;
    lp->never = CD_NONE;
    lp->proof_count = 0;
    for (int j = 0; j < dim; ++j) {
        lp->goal[j] = goal[j];
        cdi_lp_note_size(lp, goal[j]);
    }
    lp->rows = lp->own;
    if (room > CDI_LP_SMALL) {
        lp->rows = (double *)cdi_alloc(allocator, room, (size_t)lp->stride * sizeof(double));
    }
    return lp->rows != NULL;
}

CDI_FN void cdi_lp_end(cdi_lp *lp, const cd_allocator *allocator) {
    if (lp->room > CDI_LP_SMALL) cdi_free(allocator, lp->rows, lp->room, (size_t)lp->stride * sizeof(double));
}

/* One of 0 ... last, by splitmix64. */
static size_t cdi_lp_random(cdi_lp *lp, size_t last) {
    uint64_t x = lp->random += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (size_t)((x >> 32) * ((uint64_t)last + 1u) >> 32);
}

CDI_FN void cdi_lp_add(cdi_lp *lp, const double *c, uint32_t index) {
    double *to = lp->rows + lp->count * (size_t)lp->stride, *other;
    bool zero = true;
    for (int j = 0; j < lp->dim; ++j) zero = zero && c[j] == 0.0;
    if (zero) {
        if (c[lp->dim] < 0.0 && lp->never == CD_NONE) lp->never = index;
        return;
    }
    CDI_ASSERT(lp->count < lp->room);
    for (int j = 0; j <= lp->dim; ++j) cdi_lp_note_size(lp, c[j]);
    other = lp->rows + cdi_lp_random(lp, lp->count++) * (size_t)lp->stride;
    if (other != to) cdi_lp_put(to, other, lp->stride);
    cdi_lp_put(other, c, lp->dim + 1);
    other[lp->dim + 1] = (double)index;
}

#undef CDI_LP_BOUND
#undef CDI_LP_LIMBS
