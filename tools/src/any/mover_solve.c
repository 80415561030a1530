#include "any/mover_solve.h"

/* The optimum is that of a problem of three unknowns: a wall that the best point so far breaks bears the new one, so that it is looked for on
 * that wall among the walls before it, and there again on a line. */

typedef struct cdi_walls {
    const cdi_wall *wall;
    cdi_v3 wish;
    double room; /* for rounding */
} cdi_walls;

#define CDI_WALLS_LEVEL 1e-10 /* the sine of an angle below which two planes count as parallel */

static double cdi_wall_lack(const cdi_walls *w, size_t i, cdi_v3 x) {
    return w->wall[i].least - cdi_v3_dot(w->wall[i].n, x);
}

static bool cdi_wall_holds(const cdi_walls *w, size_t i, cdi_v3 x) {
    return cdi_wall_lack(w, i, x) <= w->room;
}

static cdi_v3 cdi_wall_project(const cdi_wall *w, cdi_v3 x) {
    double square = cdi_v3_sqlength(w->n);
    return cdi_v3_along(x, w->n, (w->least - cdi_v3_dot(w->n, x)) / square);
}

/* On the line where walls i and j meet, among those before j. */
static bool cdi_walls_on_line(const cdi_walls *w, size_t i, size_t j, cdi_v3 *out) {
    cdi_v3 a = w->wall[i].n, b = w->wall[j].n, along = cdi_v3_cross(a, b), from, x;
    double square = cdi_v3_sqlength(along), low = -CDI_HUGE, high = CDI_HUGE, t;
    if (square <= CDI_WALLS_LEVEL * CDI_WALLS_LEVEL * cdi_v3_sqlength(a) * cdi_v3_sqlength(b)) return false;
    /* the point of both planes that is nearest to the origin */
    from = cdi_v3_add(cdi_v3_scale(cdi_v3_cross(b, along), w->wall[i].least / square),
                      cdi_v3_scale(cdi_v3_cross(along, a), w->wall[j].least / square));
    for (size_t k = 0; k < j; ++k) {
        double slope = cdi_v3_dot(w->wall[k].n, along), lack = cdi_wall_lack(w, k, from);
        double steep = cdi_v3_sqlength(w->wall[k].n) * square * CDI_WALLS_LEVEL * CDI_WALLS_LEVEL;
        if (slope * slope <= steep) {
            if (lack > w->room) return false;
        } else if (slope > 0.0) {
            low = cdi_max(low, lack / slope);
        } else {
            high = cdi_min(high, lack / slope);
        }
    }
    t = cdi_v3_dot(cdi_v3_sub(w->wish, from), along) / square;
    if (t < low) t = low;
    if (t > high) t = high;
    x = cdi_v3_along(from, along, t);
    if (t < low && (low - t) * cdi_sqrt(square) > w->room) return false;
    *out = x;
    return true;
}

/* On wall i, among those before it. */
static bool cdi_walls_on_plane(const cdi_walls *w, size_t i, cdi_v3 *out) {
    cdi_v3 x = cdi_wall_project(&w->wall[i], w->wish);
    for (size_t j = 0; j < i; ++j)
        if (!cdi_wall_holds(w, j, x) && !cdi_walls_on_line(w, i, j, &x)) return false;
    *out = x;
    return true;
}

static double cdi_walls_room(const cdi_wall *walls, size_t count, cdi_v3 wish) {
    double most = cdi_v3_max_abs(wish);
    for (size_t i = 0; i < count; ++i) most = cdi_max(most, cdi_abs(walls[i].least));
    return most * 1e-12;
}

CDI_FN bool cdi_walls_nearest(const cdi_wall *walls, size_t count, cdi_v3 wish, cdi_v3 *out) {
    cdi_walls w;
    cdi_v3 x = wish;
    w.wall = walls;
    w.wish = wish;
    w.room = cdi_walls_room(walls, count, wish);
    for (size_t i = 0; i < count; ++i) {
        if (cdi_wall_holds(&w, i, x)) continue;
        if (cdi_v3_is_zero(walls[i].n) || !cdi_walls_on_plane(&w, i, &x)) return false;
    }
    *out = x;
    return true;
}

CDI_FN cdi_v3 cdi_walls_compromise(const cdi_wall *walls, size_t count, cdi_v3 wish) {
    cdi_v3 x = wish;
    for (int round = 0; round < 64; ++round) {
        cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
        double broken = 0.0;
        for (size_t i = 0; i < count; ++i) {
            double lack = walls[i].least - cdi_v3_dot(walls[i].n, x);
            if (lack <= 0.0 || cdi_v3_is_zero(walls[i].n)) continue;
            sum = cdi_v3_along(sum, walls[i].n, lack / cdi_v3_sqlength(walls[i].n));
            broken += 1.0;
        }
        if (broken == 0.0) break;
        x = cdi_v3_along(x, sum, 1.0 / (broken + 1.0)); /* less than their mean: two might take turns */
    }
    return x;
}

#undef CDI_WALLS_LEVEL
