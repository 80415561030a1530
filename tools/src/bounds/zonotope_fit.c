#include "bounds/zonotope_fit.h"
#include "bounds/fit_points.h"
#include "core/expansion.h"
#include "shape/volume3d.h"
#include "shape/zonotope3d.h"

enum { CDI_ZONOTOPE_PAIRS = CD_ZONOTOPE_MAX_DIRECTIONS * (CD_ZONOTOPE_MAX_DIRECTIONS - 1) / 2 };

typedef struct cdi_zonotope_fit {
    cdi_tame_points points;
    cdi_v3 center; /* as stored, scaled like the points */
    cdi_v3 direction[CD_ZONOTOPE_MAX_DIRECTIONS];
    double length[CD_ZONOTOPE_MAX_DIRECTIONS];
    int n, pairs;
    cdi_v3 normal[CDI_ZONOTOPE_PAIRS];
    double reach[CDI_ZONOTOPE_PAIRS]; /* of the points along the normal */
} cdi_zonotope_fit;

/* ---- lengths ---- */

static bool cdi_take_directions(cdi_zonotope_fit *f, const cd_vec3 *directions, uint32_t count) {
    static const signed char own[CD_ZONOTOPE_DIRECTIONS][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 1},
                                                               {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
    f->n = directions ? (int)count : CD_ZONOTOPE_DIRECTIONS;
    for (int i = 0; i < f->n; ++i) {
        cdi_v3 d = directions ? cdi_v3_of(directions[i]) : cdi_v3_make(own[i][0], own[i][1], own[i][2]);
        if (!cdi_v3_finite(d) || cdi_v3_is_zero(d)) return false;
        f->direction[i] = cdi_v3_normalize(d);
    }
    return true;
}

/* The normals of all pairs; false when the directions do not span space. */
static bool cdi_take_normals(cdi_zonotope_fit *f) {
    bool spans = false;
    f->pairs = 0;
    for (int i = 0; i < f->n; ++i) {
        for (int j = 0; j < i; ++j) {
            cdi_v3 n = cdi_v3_cross(f->direction[j], f->direction[i]);
            if (cdi_v3_max_abs(n) < 1e-12) continue;
            f->normal[f->pairs] = cdi_v3_normalize(n);
            for (int k = 0; k < f->n; ++k)
                spans = spans || cdi_abs(cdi_v3_dot(f->direction[k], f->normal[f->pairs])) > 1e-12;
            ++f->pairs;
        }
    }
    return spans;
}

static void cdi_take_reaches(cdi_zonotope_fit *f) {
    for (int k = 0; k < f->pairs; ++k) f->reach[k] = 0.0;
    for (size_t i = 0; i < f->points.count; ++i) {
        cdi_v3 d = cdi_v3_sub(cdi_tame_point(&f->points, i), f->center);
        for (int k = 0; k < f->pairs; ++k)
            f->reach[k] = cdi_max(f->reach[k], cdi_abs(cdi_v3_dot(f->normal[k], d)));
    }
}

static double cdi_share(const cdi_zonotope_fit *f, int pair, int i) {
    double x = cdi_abs(cdi_v3_dot(f->normal[pair], f->direction[i]));
    return x > 1e-12 ? x : 0.0;
}

/* As short as the others let direction i be. */
static double cdi_shortest(const cdi_zonotope_fit *f, int i) {
    double least = 0.0;
    for (int k = 0; k < f->pairs; ++k) {
        double rest = f->reach[k], share = cdi_share(f, k, i);
        for (int j = 0; j < f->n; ++j)
            if (j != i) rest -= f->length[j] * cdi_share(f, k, j);
        if (share > 0.0) least = cdi_max(least, rest / share);
    }
    return least;
}

/* In proportion to `start`, as short as that allows; then each as short as the others let it be. */
static void cdi_lengths_from(cdi_zonotope_fit *f, const double *start) {
    double scale = 0.0;
    for (int k = 0; k < f->pairs; ++k) {
        double sum = 0.0;
        for (int j = 0; j < f->n; ++j) sum += start[j] * cdi_share(f, k, j);
        if (sum > 0.0) scale = cdi_max(scale, f->reach[k] / sum);
    }
    for (int i = 0; i < f->n; ++i) f->length[i] = scale * start[i];
    for (int i = f->n - 1; i >= 0; --i) f->length[i] = cdi_shortest(f, i);
}

/* An eighth of the volume. */
static double cdi_fit_volume(const cdi_zonotope_fit *f) {
    double sum = 0.0;
    for (int i = 0; i < f->n; ++i) {
        for (int j = 0; j < i; ++j) {
            cdi_v3 n = cdi_v3_cross(f->direction[i], f->direction[j]);
            for (int k = 0; k < j; ++k)
                sum += cdi_abs(cdi_v3_dot(n, f->direction[k])) * f->length[i] * f->length[j] * f->length[k];
        }
    }
    return sum;
}

/* 1 for the first three directions that span space, 0 for the others. */
static void cdi_first_three(const cdi_zonotope_fit *f, double *start) {
    cdi_v3 a = f->direction[0], n = cdi_v3_make(0.0, 0.0, 0.0);
    int found = 1;
    start[0] = 1.0;
    for (int i = 1; i < f->n; ++i) {
        cdi_v3 cross = cdi_v3_cross(a, f->direction[i]);
        bool takes = found == 1   ? cdi_v3_max_abs(cross) > 1e-6
                     : found == 2 ? cdi_abs(cdi_v3_dot(n, f->direction[i])) > 1e-6
                                  : false;
        start[i] = takes ? 1.0 : 0.0;
        if (!takes) continue;
        if (found++ == 1) n = cross;
    }
    if (found < 3)
        for (int i = 0; i < f->n; ++i) start[i] = 1.0;
}

static void cdi_choose_lengths(cdi_zonotope_fit *f) {
    double start[CD_ZONOTOPE_MAX_DIRECTIONS], box[CD_ZONOTOPE_MAX_DIRECTIONS], volume;
    cdi_first_three(f, start);
    cdi_lengths_from(f, start);
    volume = cdi_fit_volume(f);
    for (int i = 0; i < f->n; ++i) {
        box[i] = f->length[i];
        start[i] = 1.0;
    }
    cdi_lengths_from(f, start);
    if (cdi_fit_volume(f) <= volume) return;
    for (int i = 0; i < f->n; ++i) f->length[i] = box[i];
}

/* ---- the stored zonotope ---- */

static bool cdi_store_generators(const cdi_zonotope_fit *f, double grow, cd_vec3 *generators) {
    for (int i = 0; i < f->n; ++i) {
        cdi_v3 g = cdi_v3_scale2(cdi_v3_scale(f->direction[i], f->length[i] * grow), -f->points.shift);
        if (!(cdi_v3_max_abs(g) <= (double)CD_REAL_MAX)) return false;
        generators[i] = cdi_v3_round(g);
    }
    return true;
}

/* The normals of the stored generators, and how far they reach, less all rounding; false when some have no good normal: then
 * nothing can be said without exact arithmetic. */
static bool cdi_take_stored(cdi_zonotope_fit *f, const cd_vec3 *generators) {
    bool spans = false;
    f->pairs = 0;
    for (int i = 0; i < f->n; ++i) {
        for (int j = 0; j < i; ++j) {
            cdi_v3 a = cdi_v3_scale2(cdi_v3_of(generators[j]), f->points.shift);
            cdi_v3 b = cdi_v3_scale2(cdi_v3_of(generators[i]), f->points.shift), n = cdi_v3_cross(a, b);
            double error = 1e-15 * cdi_v3_max_abs(a) * cdi_v3_max_abs(b), sum = 0.0;
            if (cdi_v3_is_zero(a) || cdi_v3_is_zero(b)) continue;
            if (!(error > 1e-280)) return false;
            for (int k = 0; k < f->n; ++k) {
                cdi_v3 g = cdi_v3_scale2(cdi_v3_of(generators[k]), f->points.shift);
                double x = cdi_abs(cdi_v3_dot(n, g));
                sum += x;
                sum -= 4.0 * error * cdi_v3_max_abs(g);
                spans = spans || x > 8.0 * error * cdi_v3_max_abs(g);
            }
            f->normal[f->pairs] = n;
            f->reach[f->pairs++] = sum - 8.0 * error * 4.0; /* a point is within 4 of the centre */
        }
    }
    return spans;
}

static bool cdi_all_held(cdi_zonotope_fit *f, const cd_zonotope *z) {
    cdi_zonotope d = cdi_zonotope_of(z, NULL);
    bool good = cdi_take_stored(f, z->generators);
    for (size_t i = 0; i < f->points.count; ++i) {
        cdi_v3 w = cdi_v3_sub(cdi_tame_point(&f->points, i), f->center);
        bool inside = good;
        for (int k = 0; inside && k < f->pairs; ++k)
            inside = cdi_abs(cdi_v3_dot(f->normal[k], w)) <= f->reach[k];
        if (!inside && !cdi_zonotope_holds(&d, d.center, cdi_v3_of(f->points.points[i]))) return false;
    }
    return true;
}

static void cdi_store_center(cdi_zonotope_fit *f, cd_zonotope *out) {
    cd_aabb b = cd_aabb_from_points(f->points.points, f->points.count);
    cdi_v3 lo = cdi_v3_scale2(cdi_v3_of(b.min), f->points.shift);
    cdi_v3 size = cdi_v3_sub(cdi_v3_scale2(cdi_v3_of(b.max), f->points.shift), lo);
    out->center = cdi_v3_round(cdi_v3_scale2(cdi_v3_along(lo, size, 0.5), -f->points.shift));
    f->center = cdi_v3_scale2(cdi_v3_of(out->center), f->points.shift);
}

static cd_status cdi_fit_zonotope(cdi_zonotope_fit *f, cd_vec3 *generators, cd_zonotope *out) {
    cdi_store_center(f, out);
    cdi_take_reaches(f);
    cdi_choose_lengths(f);
    out->generators = generators;
    out->count = (uint32_t)f->n;
    for (int round = 2; round <= 30; ++round) {
        if (!cdi_store_generators(f, 1.0 + cdi_exp2i(round) * (double)CD_REAL_EPSILON, generators))
            return CD_TOO_LARGE;
        if (cdi_all_held(f, out)) return CD_OK;
    }
    return CD_NOT_CONVERGED;
}

CD_API cd_status cd_zonotope_from_points(const cd_vec3 *points, size_t count, const cd_vec3 *directions,
                                         uint32_t direction_count, cd_vec3 *generators, cd_zonotope *out) {
    cdi_zonotope_fit f;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (direction_count > CD_ZONOTOPE_MAX_DIRECTIONS) return CD_TOO_LARGE;
    if (!cdi_tame_begin(&f.points, points, count)) return CD_INVALID_ARGUMENT;
    if (!cdi_take_directions(&f, directions, direction_count) || !cdi_take_normals(&f))
        return CD_INVALID_ARGUMENT;
    status = cdi_fit_zonotope(&f, generators, out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

/* ---- two zonotopes ---- */

/* (a + b) / 2, rounded; what that takes away is added to `lost`. */
static double cdi_half_sum(double a, double b, double *lost) {
    double x = 0.5 * a, y = 0.5 * b, sum, rest;
    cd_real stored;
    if (x + x != a || y + y != b) *lost += 1e-323; /* the last bit of a denormal number */
    cdi_two_sum(x, y, &sum, &rest);
    stored = (cd_real)sum;
    *lost += cdi_abs(rest) + cdi_abs(sum - (double)stored);
    return (double)stored;
}

static cd_vec3 cdi_half_sums(cdi_v3 a, cdi_v3 b, double lost[3]) {
    double x = cdi_half_sum(a.x, b.x, &lost[0]), y = cdi_half_sum(a.y, b.y, &lost[1]);
    return cdi_v3_round(cdi_v3_make(x, y, cdi_half_sum(a.z, b.z, &lost[2])));
}

static cd_real cdi_lost_up(double lost) {
    return lost > 0.0 ? -cdi_round_down(-lost * (1.0 + 1e-10) - 1e-322, 0.0) : 0;
}

CD_API cd_zonotope cd_merge_zonotope_zonotope(const cd_zonotope *a, const cd_zonotope *b,
                                              cd_vec3 *generators) {
    cd_zonotope r;
    double lost[3] = {0.0, 0.0, 0.0};
    uint32_t common, n = 0;
    cdi_clear(&r, sizeof r);
    if (!cd_zonotope_is_valid(a) || !cd_zonotope_is_valid(b)) return r;
    common = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < common; ++i) {
        cdi_v3 g = cdi_v3_of(a->generators[i]), h = cdi_v3_of(b->generators[i]);
        if (cdi_v3_dot(g, h) < 0.0) h = cdi_v3_neg(h);
        generators[n++] = cdi_half_sums(g, h, lost);
        generators[n++] = cdi_half_sums(g, cdi_v3_neg(h), lost);
    }
    for (uint32_t i = common; i < a->count; ++i) generators[n++] = a->generators[i];
    for (uint32_t i = common; i < b->count; ++i) generators[n++] = b->generators[i];
    r.center = cdi_half_sums(cdi_v3_of(a->center), cdi_v3_of(b->center), lost);
    generators[n++] = cdi_half_sums(cdi_v3_of(a->center), cdi_v3_neg(cdi_v3_of(b->center)), lost);
    generators[n++] = cd_vec3_make(cdi_lost_up(lost[0]), 0, 0);
    generators[n++] = cd_vec3_make(0, cdi_lost_up(lost[1]), 0);
    generators[n++] = cd_vec3_make(0, 0, cdi_lost_up(lost[2]));
    r.generators = generators;
    r.count = n;
    if (!cd_zonotope_is_valid(&r)) cdi_clear(&r, sizeof r);
    return r;
}
