#include "classic/fourier_motzkin.h"

#ifndef COLLIDE_NO_CLASSIC

#include "core/vec3d.h"

/* c[0] x + c[1] y + c[2] z <= c[3], and which of the given rows it is made of: four at most after two variables. */
typedef struct cdi_fm_row {
    double c[4];
    uint32_t from[4]; /* ascending, CD_NONE behind them */
} cdi_fm_row;

/* Rows in the caller's memory, level by level: each level has one variable less. */
typedef struct cdi_fm {
    cdi_fm_row *rows;
    size_t room, made;    /* `made` counts on when there is no room */
    size_t first[3], end; /* where each level's rows begin; a level ends where the next begins */
    int dimension;
    bool prune, contradiction;
} cdi_fm;

/* ---- how many ---- */

/* Of m rows: pairs of a lower and an upper bound, or as many as there were. */
static size_t cdi_fm_growth(size_t m) {
    size_t pairs = (m / 2) * (m - m / 2);
    return pairs > m ? pairs : m;
}

CD_API size_t cd_lp_fourier_motzkin_size(int dimension, size_t count) {
    const size_t most = (size_t)-1, square = (size_t)1 << (sizeof(size_t) * 4 - 1);
    size_t sum = count, level = count;
    for (int k = 1; k < dimension; ++k) {
        if (level >= square) return most;
        level = cdi_fm_growth(level);
        if (level > most - sum) return most;
        sum += level;
    }
    return sum > most / sizeof(cdi_fm_row) ? most : sum * sizeof(cdi_fm_row);
}

/* ---- rows ---- */

/* Times a power of two, so that products stay in range. */
static void cdi_fm_scale(cdi_fm_row *r) {
    double most = 0.0;
    int shift;
    for (int k = 0; k < 4; ++k) most = cdi_max(most, cdi_abs(r->c[k]));
    if (!(most > 0.0)) return;
    shift = 0 - cdi_exponent(most);
    for (int k = 0; k < 4; ++k) r->c[k] = cdi_scale2(r->c[k], shift);
}

/* A row without variables holds, or nothing does. */
static void cdi_fm_put(cdi_fm *s, cdi_fm_row *r) {
    if (r->c[0] == 0.0 && r->c[1] == 0.0 && r->c[2] == 0.0) {
        s->contradiction = s->contradiction || r->c[3] < 0.0;
        return;
    }
    cdi_fm_scale(r);
    if (s->made < s->room) s->rows[s->made] = *r;
    ++s->made;
}

/* The given rows of both; false when they are more than four, or than `most`. */
static bool cdi_fm_join(const cdi_fm_row *a, const cdi_fm_row *b, int most, cdi_fm_row *out) {
    int i = 0, j = 0, n = 0;
    for (;; ++n) {
        uint32_t p = i < 4 ? a->from[i] : CD_NONE, q = j < 4 ? b->from[j] : CD_NONE;
        uint32_t least = p < q ? p : q;
        if (n < 4) out->from[n] = least;
        if (least == CD_NONE) break;
        i += p == least;
        j += q == least;
    }
    for (int k = n; k < 4; ++k) out->from[k] = CD_NONE;
    return n <= most;
}

/* Every point has a variable between the two: up's bound above, low's below. */
static void cdi_fm_combine(cdi_fm *s, const cdi_fm_row *up, const cdi_fm_row *low, int variable) {
    cdi_fm_row r;
    double p = up->c[variable], q = 0.0 - low->c[variable];
    bool needed = cdi_fm_join(up, low, s->dimension - variable + 1, &r);
    if (s->prune && !needed) return; /* Kohler: k variables are gone, more than k + 1 rows */
    for (int k = 0; k < 4; ++k) r.c[k] = q * up->c[k] + p * low->c[k];
    r.c[variable] = 0.0;
    cdi_fm_put(s, &r);
}

/* ---- one variable less ---- */

/* Those that bound the variable make pairs, all others stay. Stops at a contradiction, or without room. */
static void cdi_fm_eliminate(cdi_fm *s, int variable) {
    size_t first = s->first[variable], end = s->made;
    if (variable > 0) s->first[variable - 1] = end;
    for (size_t i = first; i < end && variable > 0; ++i) {
        cdi_fm_row r = s->rows[i];
        if (r.c[variable] == 0.0) cdi_fm_put(s, &r);
        for (size_t j = first; j < end && r.c[variable] > 0.0; ++j) {
            if (s->rows[j].c[variable] < 0.0) cdi_fm_combine(s, &r, &s->rows[j], variable);
            if (s->contradiction || s->made > s->room) return;
        }
        if (s->made > s->room) return;
    }
}

/* The bounds of a variable, when those before it are chosen. */
static void cdi_fm_bounds(const cdi_fm *s, int variable, const double *x, double *lo, double *hi) {
    size_t end = variable > 0 ? s->first[variable - 1] : s->end;
    *lo = -CDI_HUGE;
    *hi = CDI_HUGE;
    for (size_t i = s->first[variable]; i < end; ++i) {
        const double *c = s->rows[i].c;
        double rest = c[3];
        for (int k = 0; k < variable; ++k) rest -= c[k] * x[k];
        if (c[variable] > 0.0) *hi = cdi_min(rest / c[variable], *hi);
        if (c[variable] < 0.0) *lo = cdi_max(rest / c[variable], *lo);
    }
}

/* In the middle; of one bound alone, 0 or twice as far as that. */
static double cdi_fm_choose(double lo, double hi) {
    if (lo > -CDI_HUGE && hi < CDI_HUGE) return 0.5 * lo + 0.5 * hi;
    if (lo > -CDI_HUGE) return lo < 0.0 ? 0.0 : 2.0 * lo;
    if (hi < CDI_HUGE) return hi > 0.0 ? 0.0 : 2.0 * hi;
    return 0.0;
}

/* From x on; that x has a value is the verdict, the others have one but for rounding. */
static bool cdi_fm_substitute(const cdi_fm *s, cd_vec3 *point) {
    double x[3] = {0.0, 0.0, 0.0}, lo, hi;
    for (int variable = 0; variable < s->dimension; ++variable) {
        cdi_fm_bounds(s, variable, x, &lo, &hi);
        if (variable == 0 && lo > hi) return false;
        x[variable] = cdi_clamp(cdi_fm_choose(lo, hi), -(double)CD_REAL_MAX, (double)CD_REAL_MAX);
    }
    *point = cd_vec3_make(cdi_real_of(x[0]), cdi_real_of(x[1]), cdi_real_of(x[2]));
    return true;
}

/* ---- the calls ---- */

static bool cdi_fm_begin(cdi_fm *s, int dimension, size_t count, uint32_t flags, void *memory, size_t bytes) {
    s->rows = (cdi_fm_row *)memory;
    s->room = memory ? bytes / sizeof(cdi_fm_row) : 0;
    s->made = s->end = 0;
    s->first[0] = s->first[1] = s->first[2] = 0;
    s->dimension = dimension;
    s->prune = (flags & CD_FOURIER_MOTZKIN_PRUNE) != 0;
    s->contradiction = false;
    return count < CD_NONE && (size_t)memory % sizeof(double) == 0;
}

static bool cdi_fm_give(cdi_fm *s, size_t index, cdi_v3 n, double d) {
    cdi_fm_row r;
    cdi_v3_store(r.c, n);
    r.c[3] = d;
    r.from[0] = (uint32_t)index;
    r.from[1] = r.from[2] = r.from[3] = CD_NONE;
    if (!cdi_v3_finite(n) || !cdi_finite(d)) return false;
    cdi_fm_put(s, &r);
    return true;
}

static void cdi_fm_solve(cdi_fm *s, cd_fourier_motzkin *out) {
    for (int variable = s->dimension - 1; variable > 0; --variable) {
        if (s->contradiction || s->made > s->room) break;
        cdi_fm_eliminate(s, variable);
    }
    s->end = s->made;
    out->rows = s->made;
    out->status = !s->contradiction && s->made > s->room ? CD_TOO_LARGE : CD_OK;
    if (s->contradiction || s->made > s->room) return;
    out->feasible = cdi_fm_substitute(s, &out->point) ? 1 : 0;
}

static cd_fourier_motzkin cdi_fm_nothing(void) {
    cd_fourier_motzkin out;
    cdi_clear(&out, sizeof out);
    out.status = CD_INVALID_ARGUMENT;
    out.point = cd_vec3_make(0, 0, 0);
    return out;
}

CD_API cd_fourier_motzkin cd_lp_fourier_motzkin2(const cd_halfspace2 *halfspaces, size_t count,
                                                 uint32_t flags, void *memory, size_t bytes) {
    cd_fourier_motzkin out = cdi_fm_nothing();
    cdi_fm s;
    if (!cdi_fm_begin(&s, 2, count, flags, memory, bytes)) return out;
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 n = cdi_v3_make((double)halfspaces[i].n.x, (double)halfspaces[i].n.y, 0.0);
        if (!cdi_fm_give(&s, i, n, (double)halfspaces[i].d)) return out;
    }
    cdi_fm_solve(&s, &out);
    return out;
}

CD_API cd_fourier_motzkin cd_lp_fourier_motzkin3(const cd_plane *halfspaces, size_t count, uint32_t flags,
                                                 void *memory, size_t bytes) {
    cd_fourier_motzkin out = cdi_fm_nothing();
    cdi_fm s;
    if (!cdi_fm_begin(&s, 3, count, flags, memory, bytes)) return out;
    for (size_t i = 0; i < count; ++i)
        if (!cdi_fm_give(&s, i, cdi_v3_of(halfspaces[i].n), (double)halfspaces[i].d)) return out;
    cdi_fm_solve(&s, &out);
    return out;
}

#endif
