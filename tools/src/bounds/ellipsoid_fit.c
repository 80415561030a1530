#include "bounds/ellipsoid_fit.h"
#include "bounds/fit_points.h"
#include "query/ellipsoid3d.h"

/* ---- the points ---- */

CDI_FN cdi_v3 cdi_tame_point(const cdi_tame_points *f, size_t i) {
    return cdi_v3_scale2(cdi_v3_of(f->points[i]), f->shift);
}

CDI_FN bool cdi_tame_begin(cdi_tame_points *f, const cd_vec3 *points, size_t count) {
    double most = 0.0;
    if (count == 0 || !points) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(points[i])) return false;
        most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(points[i])));
    }
    f->points = points;
    f->count = count;
    f->shift = most > 0.0 ? -cdi_exponent(most) - 1 : 0;
    return true;
}

/* The symmetric matrix of the products of d with itself, `weight` times, added. */
static void cdi_add_square(cdi_m3 *m, cdi_v3 d, double weight) {
    m->c[0] = cdi_v3_along(m->c[0], d, weight * d.x);
    m->c[1] = cdi_v3_along(m->c[1], d, weight * d.y);
    m->c[2] = cdi_v3_along(m->c[2], d, weight * d.z);
}

/* ---- a frame in which the points reach from -1 to 1 ---- */

typedef struct cdi_core_frame {
    cdi_v3 center;
    cdi_m3 axes;
    double reach[3]; /* 0: flat along this axis */
    int dim;         /* axes that are not */
} cdi_core_frame;

static cdi_v3 cdi_frame_local(const cdi_core_frame *f, cdi_v3 p) {
    cdi_v3 y = cdi_m3_tmul_v3(&f->axes, cdi_v3_sub(p, f->center));
    return cdi_v3_make(f->reach[0] > 0.0 ? y.x / f->reach[0] : 0.0,
                       f->reach[1] > 0.0 ? y.y / f->reach[1] : 0.0,
                       f->reach[2] > 0.0 ? y.z / f->reach[2] : 0.0);
}

/* A vector of the frame in the points' space. */
static cdi_v3 cdi_frame_world(const cdi_core_frame *f, cdi_v3 y) {
    return cdi_m3_mul_v3(&f->axes, cdi_v3_make(y.x * f->reach[0], y.y * f->reach[1], y.z * f->reach[2]));
}

/* `lo` and `hi`: the ends along the axes from `center`; which points they are. */
typedef struct cdi_fit_ends {
    double lo[3], hi[3];
    size_t at[6];
} cdi_fit_ends;

static void cdi_find_ends(const cdi_tame_points *f, const cdi_core_frame *frame, cdi_fit_ends *e) {
    for (int k = 0; k < 3; ++k) {
        e->lo[k] = CDI_HUGE;
        e->hi[k] = -CDI_HUGE;
    }
    for (size_t i = 0; i < f->count; ++i) {
        double y[3];
        cdi_v3_store(y, cdi_m3_tmul_v3(&frame->axes, cdi_v3_sub(cdi_tame_point(f, i), frame->center)));
        for (int k = 0; k < 3; ++k) {
            if (y[k] < e->lo[k]) {
                e->lo[k] = y[k];
                e->at[2 * k] = i;
            }
            if (y[k] > e->hi[k]) {
                e->hi[k] = y[k];
                e->at[2 * k + 1] = i;
            }
        }
    }
}

/* The least half length, in the size of what is held: what axes stored in floats are good to; for doubles much more than the
 * 64 units that containment asks for, which a flat ellipsoid would have to grow by in all directions. */
static double cdi_thinnest(void) {
    return cdi_max(32.0 * (double)CD_REAL_EPSILON, 9.094947017729282e-13);
}

/* The axes of the covariance about the middle of the extents along them. */
static void cdi_make_frame(const cdi_tame_points *f, cdi_core_frame *frame, cdi_fit_ends *ends) {
    cdi_v3 mean = cdi_v3_make(0.0, 0.0, 0.0), middle;
    cdi_m3 m;
    double share = 1.0 / cdi_number_of(f->count), values[3], most;
    for (size_t i = 0; i < f->count; ++i) mean = cdi_v3_along(mean, cdi_tame_point(f, i), share);
    m.c[0] = m.c[1] = m.c[2] = cdi_v3_make(0.0, 0.0, 0.0);
    for (size_t i = 0; i < f->count; ++i) cdi_add_square(&m, cdi_v3_sub(cdi_tame_point(f, i), mean), share);
    cdi_map_axes(&m, &frame->axes, values);
    frame->center = f->count == 1 ? cdi_tame_point(f, 0) : mean;
    cdi_find_ends(f, frame, ends);
    middle = cdi_v3_make(0.5 * (ends->lo[0] + ends->hi[0]), 0.5 * (ends->lo[1] + ends->hi[1]),
                         0.5 * (ends->lo[2] + ends->hi[2]));
    frame->center = cdi_v3_add(frame->center, cdi_m3_mul_v3(&frame->axes, middle));
    for (int k = 0; k < 3; ++k) frame->reach[k] = 0.5 * (ends->hi[k] - ends->lo[k]);
    most = cdi_max(cdi_max(frame->reach[0], frame->reach[1]), frame->reach[2]);
    frame->dim = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(frame->reach[k] > cdi_thinnest() * most)) frame->reach[k] = 0.0;
        frame->dim += frame->reach[k] > 0.0;
    }
}

/* ---- the stored ellipsoid ---- */

static cd_real cdi_up(double x) {
    return -cdi_round_down(-x, 0.0);
}

/* At least x 2^shift. */
static cd_real cdi_up_scaled(double x, int shift) {
    double r = cdi_scale2(x, shift);
    if (cdi_finite(r) && cdi_scale2(r, -shift) < x) r = cdi_next_double(r, true);
    return cdi_up(r);
}

static void cdi_set_half(cd_ellipsoid *e, const double half[3], int shift) {
    e->half = cd_vec3_make(cdi_up_scaled(half[0], shift), cdi_up_scaled(half[1], shift),
                           cdi_up_scaled(half[2], shift));
}

/* Centre and axes rounded; half lengths not yet. */
static void cdi_store_frame(cd_ellipsoid *e, cdi_v3 center, const cdi_m3 *axes, int shift) {
    e->center = cdi_v3_round(cdi_v3_scale2(center, shift));
    e->axes = cdi_m3_round(axes);
    e->half = cd_vec3_make(0, 0, 0);
}

/* Only where this is false may a point have no distance at all: it can get lost when huge ones are scaled beside it. */
static bool cdi_misses_center(const cdi_tame_points *f, const cd_ellipsoid *e, size_t i) {
    cd_vec3 p = f->points[i];
    return p.x != e->center.x || p.y != e->center.y || p.z != e->center.z;
}

/* Half lengths that reach all points along each axis, and no thinner than the axes are exact. */
static void cdi_reach_points(const cdi_tame_points *f, const cd_ellipsoid *e, double half[3]) {
    cdi_level l = cdi_level_of(e, f->shift);
    double floor_half = 0.0;
    for (size_t i = 0; i < f->count; ++i) {
        double error;
        cdi_v3 p = cdi_tame_point(f, i), y = cdi_level_local(&l, p, &error);
        if (error == 0.0 && cdi_misses_center(f, e, i)) error = 1e-300;
        for (int k = 0; k < 3; ++k) half[k] = cdi_max(half[k], cdi_abs(cdi_v3_get(y, k)) + error);
        floor_half = cdi_max(floor_half, cdi_v3_max_abs(cdi_v3_sub(p, l.center)));
    }
    floor_half *= cdi_thinnest();
    for (int k = 0; k < 3; ++k) half[k] = cdi_max(half[k], floor_half);
}

/* The largest level of a point, error included. */
static double cdi_top_level(const cdi_tame_points *f, const cd_ellipsoid *e) {
    cdi_level l = cdi_level_of(e, f->shift);
    double most = 0.0;
    for (size_t i = 0; i < f->count; ++i) {
        double error, level = cdi_level_at(&l, cdi_tame_point(f, i), &error);
        if (level + error == 0.0 && cdi_misses_center(f, e, i)) level = 1.0;
        most = cdi_max(most, level + error);
    }
    return most;
}

static cd_status cdi_finish_points(const cdi_tame_points *f, cdi_v3 center, const cdi_m3 *axes,
                                   double half[3], cd_ellipsoid *out) {
    double grow;
    cdi_store_frame(out, center, axes, -f->shift);
    cdi_reach_points(f, out, half);
    cdi_set_half(out, half, -f->shift);
    grow = cdi_sqrt(cdi_top_level(f, out)) * (1.0 + 1e-15);
    for (int k = 0; k < 3; ++k)
        half[k] = cdi_scale2((double)cdi_v3_get(cdi_v3_of(out->half), k), f->shift) * grow;
    for (int k = 0; k < 3; ++k) {
        if (cdi_scale2(half[k], -f->shift) <= (double)CD_REAL_MAX) continue;
        cdi_clear(out, sizeof *out);
        return CD_TOO_LARGE;
    }
    cdi_set_half(out, half, -f->shift);
    return CD_OK;
}

CD_API cd_status cd_ellipsoid_pca(const cd_vec3 *points, size_t count, cd_ellipsoid *out) {
    cdi_tame_points f;
    cdi_core_frame frame;
    cdi_fit_ends ends;
    cdi_clear(out, sizeof *out);
    if (!cdi_tame_begin(&f, points, count)) return CD_INVALID_ARGUMENT;
    cdi_make_frame(&f, &frame, &ends);
    return cdi_finish_points(&f, frame.center, &frame.axes, frame.reach, out);
}

/* ---- the least volume ----
 * The dual: weights u of the points, at least 0, sum 1, so that the determinant of their covariance S about their mean c is
 * as large as can be; (y - c)^T S^-1 (y - c) <= d is then the least ellipsoid of the d dimensions. For any weights no ellipsoid
 * around the points has less volume than that one, which may not hold them all: that is the bound. */

enum { CDI_FIT_CORE = 32, CDI_FIT_ACTIVE = 16, CDI_FIT_STEPS = 20 };

typedef struct cdi_fit_core {
    cdi_v3 y[CDI_FIT_CORE],
        x[CDI_FIT_CORE]; /* points; the same as the ellipsoid has them, as of a unit ball of S */
    double u[CDI_FIT_CORE], level[CDI_FIT_CORE];
    int n;
    cdi_core_frame frame;
    cdi_v3 c;
    cdi_m3 root; /* lower triangular G with G G^T = S; 1 on flat axes */
} cdi_fit_core;

/* Solves G x = y. */
static cdi_v3 cdi_lower_solve(const cdi_m3 *g, cdi_v3 y) {
    double x0 = y.x / g->c[0].x, x1 = (y.y - g->c[0].y * x0) / g->c[1].y;
    return cdi_v3_make(x0, x1, (y.z - g->c[0].z * x0 - g->c[1].z * x1) / g->c[2].z);
}

/* Cholesky, with the least shift that rounding asks for. */
static cdi_m3 cdi_cholesky(const cdi_m3 *s) {
    cdi_m3 g;
    double a = cdi_sqrt(s->c[0].x + 1e-14), b, c;
    g.c[0] = cdi_v3_make(a, s->c[0].y / a, s->c[0].z / a);
    b = cdi_sqrt(cdi_max(s->c[1].y - g.c[0].y * g.c[0].y, 0.0) + 1e-14);
    g.c[1] = cdi_v3_make(0.0, b, (s->c[1].z - g.c[0].y * g.c[0].z) / b);
    c = s->c[2].z - g.c[0].z * g.c[0].z - g.c[1].z * g.c[1].z;
    g.c[2] = cdi_v3_make(0.0, 0.0, cdi_sqrt(cdi_max(c, 0.0) + 1e-14));
    return g;
}

/* Answers the root of the determinant of S. */
static double cdi_core_shape(cdi_fit_core *k) {
    cdi_m3 s;
    cdi_v3 c = cdi_v3_make(0.0, 0.0, 0.0);
    s.c[0] = cdi_v3_make(k->frame.reach[0] > 0.0 ? 0.0 : 1.0, 0.0, 0.0);
    s.c[1] = cdi_v3_make(0.0, k->frame.reach[1] > 0.0 ? 0.0 : 1.0, 0.0);
    s.c[2] = cdi_v3_make(0.0, 0.0, k->frame.reach[2] > 0.0 ? 0.0 : 1.0);
    for (int i = 0; i < k->n; ++i) c = cdi_v3_along(c, k->y[i], k->u[i]);
    for (int i = 0; i < k->n; ++i) cdi_add_square(&s, cdi_v3_sub(k->y[i], c), k->u[i]);
    k->c = c;
    k->root = cdi_cholesky(&s);
    return k->root.c[0].x * k->root.c[1].y * k->root.c[2].z;
}

static double cdi_core_level(const cdi_fit_core *k, cdi_v3 y) {
    return cdi_v3_sqlength(cdi_lower_solve(&k->root, cdi_v3_sub(y, k->c)));
}

/* How far the exchange of weight from point j to point i goes: to where the determinant of S is largest on its way, which is
 * det S ((1 + step a) (1 - step b) + step^2 ab^2) with a, b, ab the products of the points, raised to one dimension more, by S^-1. `gain`: by
 * how much it grows, as a share. */
static double cdi_core_exchange(const cdi_fit_core *k, int i, int j, double *gain) {
    double a = 1.0 + k->level[i], b = 1.0 + k->level[j], ab = 1.0 + cdi_v3_dot(k->x[i], k->x[j]);
    double half = a * b - ab * ab;
    double step = a - b < 2.0 * half * k->u[j] ? (a - b) / (2.0 * half) : k->u[j];
    *gain = step * (a - b - step * half);
    return step;
}

/* The core's shape, and where its points are in it. */
static double cdi_core_levels(cdi_fit_core *k) {
    double size = cdi_core_shape(k);
    for (int i = 0; i < k->n; ++i) {
        k->x[i] = cdi_lower_solve(&k->root, cdi_v3_sub(k->y[i], k->c));
        k->level[i] = cdi_v3_sqlength(k->x[i]);
    }
    return size;
}

/* One exchange, to the outermost point from the one that gains the most by it; false when no point of the core is off by more than a share of
 * 1e-9. */
static bool cdi_core_step(cdi_fit_core *k) {
    double d = (double)k->frame.dim, least = d, step = 0.0, best = 0.0;
    int most = 0, from = 0;
    (void)cdi_core_levels(k);
    for (int i = 0; i < k->n; ++i) {
        if (k->level[i] > k->level[most]) most = i;
        if (k->u[i] > 0.0) least = cdi_min(least, k->level[i]);
    }
    if (k->level[most] - d <= 1e-9 * d && d - least <= 1e-9 * d) return false;
    for (int i = 0; i < k->n; ++i) {
        double gain, way;
        if (!(k->u[i] > 0.0) || !(k->level[i] < k->level[most])) continue;
        way = cdi_core_exchange(k, most, i, &gain);
        if (!(gain > best)) continue;
        best = gain;
        step = way;
        from = i;
    }
    if (!(step > 0.0)) return false;
    k->u[most] += step;
    k->u[from] -= step;
    return true;
}

/* The symmetric, positive matrix m, of which the lower half is given, becomes its Cholesky root. */
static void cdi_active_root(double m[][CDI_FIT_ACTIVE], int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = m[i][j];
            for (int l = 0; l < j; ++l) sum -= m[i][l] * m[j][l];
            m[i][j] = i == j ? cdi_sqrt(cdi_max(sum, 1e-14)) : sum / m[j][j];
        }
}

static void cdi_active_solve(double m[][CDI_FIT_ACTIVE], int n, double *x) {
    for (int i = 0; i < n; ++i) {
        for (int l = 0; l < i; ++l) x[i] -= m[i][l] * x[l];
        x[i] /= m[i][i];
    }
    for (int i = n; i-- > 0;) {
        for (int l = i + 1; l < n; ++l) x[i] -= m[l][i] * x[l];
        x[i] /= m[i][i];
    }
}

/* Newton's way for the weights of the points that have some, whose sum stays the same: log det S has the slope a in each weight, and in two of
 * them bends by -ab^2. False where these points are too many. */
static bool cdi_core_way(const cdi_fit_core *k, double way[CDI_FIT_CORE]) {
    double m[CDI_FIT_ACTIVE][CDI_FIT_ACTIVE], slope[CDI_FIT_ACTIVE], one[CDI_FIT_ACTIVE],
        sums[2] = {0.0, 0.0};
    int who[CDI_FIT_ACTIVE], n = 0;
    for (int i = 0; i < k->n; ++i) {
        way[i] = 0.0;
        if (!(k->u[i] > 0.0)) continue;
        if (n == CDI_FIT_ACTIVE) return false;
        who[n++] = i;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double ab = 1.0 + cdi_v3_dot(k->x[who[i]], k->x[who[j]]);
            m[i][j] = ab * ab;
        }
        slope[i] = 1.0 + k->level[who[i]];
        one[i] = 1.0;
    }
    cdi_active_root(m, n);
    cdi_active_solve(m, n, slope);
    cdi_active_solve(m, n, one);
    for (int i = 0; i < n; ++i) {
        sums[0] += slope[i];
        sums[1] += one[i];
    }
    for (int i = 0; i < n; ++i) way[who[i]] = slope[i] - sums[0] / sums[1] * one[i];
    return true;
}

/* One step of Newton's method, no farther than to where a weight is none; false, with nothing done, where it does not help. */
static bool cdi_core_newton(cdi_fit_core *k) {
    double way[CDI_FIT_CORE], before[CDI_FIT_CORE], size, most = 1.0;
    int last = -1;
    size = cdi_core_levels(k);
    if (!cdi_core_way(k, way)) return false;
    for (int i = 0; i < k->n; ++i) {
        before[i] = k->u[i];
        if (!(k->u[i] + most * way[i] < 0.0)) continue;
        most = 0.0 - k->u[i] / way[i];
        last = i;
    }
    for (int i = 0; i < k->n; ++i) k->u[i] = i == last ? 0.0 : cdi_max(k->u[i] + most * way[i], 0.0);
    if (cdi_core_shape(k) > size) return true;
    for (int i = 0; i < k->n; ++i) k->u[i] = before[i];
    return false;
}

/* Takes in a point, for the one with the least weight where there is no room. */
static void cdi_core_add(cdi_fit_core *k, cdi_v3 y) {
    int slot = 0;
    if (k->n < CDI_FIT_CORE) {
        slot = k->n++;
    } else {
        for (int i = 1; i < k->n; ++i) {
            if (k->u[i] < k->u[slot]) slot = i;
        }
        for (int i = 0; i < k->n; ++i) {
            if (i != slot) k->u[i] /= 1.0 - k->u[slot];
        }
    }
    k->y[slot] = y;
    k->u[slot] = 0.0;
}

/* The farthest points of what is to be held, by the core's ellipsoid, taken in; false when none is outside by a share of
 * 1e-7. */
typedef bool (*cdi_farthest_fn)(const void *user, cdi_fit_core *core);

/* Exchanges find the points that bear the ellipsoid; where there are one or two more than are needed, these alone would take thousands. */
static void cdi_core_solve(cdi_fit_core *k, cdi_farthest_fn take_farthest, const void *user) {
    for (int i = 0; i < k->n; ++i) k->u[i] = 1.0 / (double)k->n;
    for (int round = 0; round < 64; ++round) {
        for (int i = 0; i < CDI_FIT_STEPS && cdi_core_step(k); ++i) continue;
        for (int i = 0; i < CDI_FIT_ACTIVE && cdi_core_newton(k); ++i) continue;
        (void)cdi_core_shape(k);
        if (!take_farthest(user, k)) break;
    }
    (void)cdi_core_shape(k);
}

static bool cdi_is_outside(const cdi_fit_core *k, double level) {
    return level > (double)k->frame.dim * (1.0 + 1e-7);
}

static bool cdi_take_farthest_point(const void *user, cdi_fit_core *k) {
    const cdi_tame_points *f = (const cdi_tame_points *)user;
    double most = 0.0;
    cdi_v3 farthest = k->c;
    for (size_t i = 0; i < f->count; ++i) {
        cdi_v3 y = cdi_frame_local(&k->frame, cdi_tame_point(f, i));
        double level = cdi_core_level(k, y);
        if (level > most) {
            most = level;
            farthest = y;
        }
    }
    if (!cdi_is_outside(k, most)) return false;
    for (int i = 0; i < k->n; ++i) { /* known already: more steps are needed */
        if (cdi_v3_is_zero(cdi_v3_sub(k->y[i], farthest))) return true;
    }
    cdi_core_add(k, farthest);
    return true;
}

/* The ellipsoid of the core: centre, axes, half lengths. */
static cdi_v3 cdi_core_ellipsoid(const cdi_fit_core *k, cdi_m3 *axes, double half[3]) {
    cdi_m3 map;
    for (int i = 0; i < 3; ++i)
        map.c[i] = cdi_v3_scale(cdi_frame_world(&k->frame, k->root.c[i]), cdi_sqrt((double)k->frame.dim));
    cdi_map_axes(&map, axes, half);
    return cdi_v3_add(k->frame.center, cdi_frame_world(&k->frame, k->c));
}

/* 1 - bound / volume, of the dual and the stored half lengths; `bound` below by its own rounding. */
static double cdi_volume_gap(const double bound[3], const cd_ellipsoid *e, int shift) {
    double ratio = 1.0;
    for (int i = 0; i < 3; ++i) {
        double h = cdi_scale2(cdi_v3_get(cdi_v3_of(e->half), i), shift);
        ratio *= h > 0.0 ? bound[i] / h : 0.0;
    }
    return cdi_clamp(1.0 - ratio + 1e-12, 0.0, 1.0);
}

CD_API cd_status cd_ellipsoid_from_points(const cd_vec3 *points, size_t count, cd_ellipsoid *out,
                                          cd_real *gap) {
    cdi_tame_points f;
    cdi_fit_core k;
    cdi_fit_ends ends;
    cdi_m3 axes;
    double half[3], bound[3];
    cdi_v3 center;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (gap) *gap = 0;
    if (!cdi_tame_begin(&f, points, count)) return CD_INVALID_ARGUMENT;
    cdi_make_frame(&f, &k.frame, &ends);
    k.n = 6;
    for (int i = 0; i < 6; ++i) k.y[i] = cdi_frame_local(&k.frame, cdi_tame_point(&f, ends.at[i]));
    cdi_core_solve(&k, cdi_take_farthest_point, &f);
    center = cdi_core_ellipsoid(&k, &axes, half);
    for (int i = 0; i < 3; ++i) bound[i] = half[i];
    status = cdi_finish_points(&f, center, &axes, half, out);
    if (gap && status == CD_OK) *gap = (cd_real)cdi_volume_gap(bound, out, f.shift);
    return status;
}

/* ---- two ellipsoids ---- */

typedef struct cdi_fit_pair {
    cdi_obb e[2];
} cdi_fit_pair;

/* The ellipsoid in the frame's coordinates, seen from where the core's ellipsoid is the unit ball. */
static cdi_obb cdi_in_core(const cdi_fit_core *k, const cdi_obb *e) {
    cdi_m3 map;
    cdi_obb r;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 along = cdi_v3_add(k->frame.center, cdi_v3_scale(e->axes.c[i], e->half[i]));
        map.c[i] = cdi_lower_solve(&k->root, cdi_frame_local(&k->frame, along));
    }
    cdi_map_axes(&map, &r.axes, r.half);
    r.center = cdi_lower_solve(&k->root, cdi_v3_sub(cdi_frame_local(&k->frame, e->center), k->c));
    return r;
}

static bool cdi_take_farthest_of_pair(const void *user, cdi_fit_core *k) {
    const cdi_fit_pair *pair = (const cdi_fit_pair *)user;
    bool taken = false;
    cdi_fit_core old = *k;
    for (int i = 0; i < 2; ++i) {
        cdi_obb e = cdi_in_core(&old, &pair->e[i]);
        cdi_v3 x = cdi_farthest_of_ellipsoid(&e);
        if (!cdi_is_outside(&old, cdi_v3_sqlength(x))) continue;
        cdi_core_add(k, cdi_v3_add(cdi_m3_mul_v3(&old.root, x), old.c));
        taken = true;
    }
    return taken;
}

/* The ends of the axes of both, for the frame and the first core. */
static void cdi_pair_ends(const cdi_fit_pair *pair, cd_vec3 out[12]) {
    const double most = (double)CD_REAL_MAX; /* the ellipsoid around both may still be in range */
    for (int i = 0; i < 12; ++i) {
        const cdi_obb *e = &pair->e[i / 6];
        double h = e->half[i / 2 % 3];
        cdi_v3 p = cdi_v3_along(e->center, e->axes.c[i / 2 % 3], i & 1 ? h : -h);
        out[i] = cdi_v3_round(cdi_v3_make(cdi_clamp(p.x, -most, most), cdi_clamp(p.y, -most, most),
                                          cdi_clamp(p.z, -most, most)));
    }
}

/* What rounding may add to the square of a distance: axes and centre are good to 128 units of their size, which counts along
 * flat axes, where the ellipsoid of `map` reaches hardly anywhere itself. */
static double cdi_pair_error(const cdi_level *l, const cdi_m3 *map, cdi_v3 center, double size) {
    cdi_m3 rows = cdi_m3_transpose(map);
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double t = (1.4210854715202004e-14 * size + 1e-300) / l->half[k];
        double reach = cdi_abs(cdi_v3_get(center, k)) + cdi_v3_length(rows.c[k]);
        sum += (2.0 * reach + t) * t;
    }
    return sum;
}

/* The largest distance from the origin of a point of the two where the stored ellipsoid is the unit ball. */
static double cdi_top_of_pair(const cdi_fit_pair *pair, const cd_ellipsoid *stored, int shift) {
    cdi_level l = cdi_level_of(stored, shift);
    double most = 0.0, error;
    for (int i = 0; i < 2; ++i) {
        const cdi_obb *e = &pair->e[i];
        cdi_obb r;
        cdi_m3 map;
        cdi_v3 c = cdi_level_local(&l, e->center, &error);
        r.center = cdi_v3_make(c.x / l.half[0], c.y / l.half[1], c.z / l.half[2]);
        for (int k = 0; k < 3; ++k) {
            cdi_v3 a = cdi_v3_scale(e->axes.c[k], e->half[k]);
            map.c[k] = cdi_v3_make(cdi_v3_dot(l.row[0], a) / l.half[0], cdi_v3_dot(l.row[1], a) / l.half[1],
                                   cdi_v3_dot(l.row[2], a) / l.half[2]);
        }
        cdi_map_axes(&map, &r.axes, r.half);
        error =
            cdi_pair_error(&l, &map, r.center, cdi_v3_max_abs(cdi_v3_sub(e->center, l.center)) + e->half[0]);
        most = cdi_max(most, cdi_v3_sqlength(cdi_farthest_of_ellipsoid(&r)) + error);
    }
    return cdi_sqrt(most);
}

static double cdi_pair_size(const cdi_fit_pair *pair, cdi_v3 center) {
    double size = 0.0;
    for (int i = 0; i < 2; ++i)
        size = cdi_max(size, cdi_v3_max_abs(cdi_v3_sub(pair->e[i].center, center)) + pair->e[i].half[0]);
    return size;
}

static bool cdi_finish_pair(const cdi_fit_pair *pair, cdi_v3 center, const cdi_m3 *axes, double half[3],
                            int shift, cd_ellipsoid *out) {
    double least, grow;
    cdi_store_frame(out, center, axes, -shift);
    least = cdi_thinnest() * cdi_pair_size(pair, center);
    for (int k = 0; k < 3; ++k) half[k] = cdi_max(half[k], least);
    cdi_set_half(out, half, -shift);
    if (least == 0.0) return true; /* one point */
    grow = cdi_top_of_pair(pair, out, shift) * (1.0 + 1e-12);
    for (int k = 0; k < 3; ++k) {
        half[k] = cdi_scale2(cdi_v3_get(cdi_v3_of(out->half), k), shift) * grow;
        if (!(cdi_scale2(half[k], -shift) <= (double)CD_REAL_MAX)) return false;
    }
    cdi_set_half(out, half, -shift);
    return true;
}

CD_API cd_ellipsoid cd_merge_ellipsoid_ellipsoid(const cd_ellipsoid *a, const cd_ellipsoid *b) {
    cdi_fit_pair pair;
    cdi_tame_points f;
    cdi_fit_ends ends;
    cdi_fit_core k;
    cd_vec3 points[12];
    cd_ellipsoid out;
    cdi_m3 axes;
    double half[3];
    cdi_v3 center;
    cdi_clear(&out, sizeof out);
    if (!cd_ellipsoid_is_valid(a) || !cd_ellipsoid_is_valid(b)) return out;
    pair.e[0] = cdi_ellipsoid_of(a);
    pair.e[1] = cdi_ellipsoid_of(b);
    cdi_pair_ends(&pair, points);
    if (!cdi_tame_begin(&f, points, 12)) return out;
    for (int i = 0; i < 2; ++i) {
        pair.e[i].center = cdi_v3_scale2(pair.e[i].center, f.shift);
        for (int j = 0; j < 3; ++j) pair.e[i].half[j] = cdi_scale2(pair.e[i].half[j], f.shift);
    }
    cdi_make_frame(&f, &k.frame, &ends);
    k.n = 12;
    for (int i = 0; i < 12; ++i) k.y[i] = cdi_frame_local(&k.frame, cdi_tame_point(&f, (size_t)i));
    cdi_core_solve(&k, cdi_take_farthest_of_pair, &pair);
    center = cdi_core_ellipsoid(&k, &axes, half);
    if (!cdi_finish_pair(&pair, center, &axes, half, f.shift, &out)) cdi_clear(&out, sizeof out);
    return out;
}
