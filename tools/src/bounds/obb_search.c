#include "bounds/obb_search.h"
#include "bounds/obb_axes.h"

/* ---- iterated projection ---- */

/* Extents in local coordinates: smaller by more than rounding errors? */
static bool cdi_extents_gain(const cdi_extents *a, const cdi_extents *b) {
    double p[3], q[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = a->hi[k] - a->lo[k];
        q[k] = (b->hi[k] - b->lo[k]) * (1.0 - 2.0 * (double)CD_REAL_EPSILON);
    }
    return cdi_is_smaller(p, q);
}

CDI_FN void cdi_fit_refine(const cdi_fit *f, cdi_fit_shadow *s, cdi_m3 *axes) {
    cdi_extents best = cdi_fit_extents(f, axes);
    int axis = 0, idle = 0;
    for (int i = 0; i < 512 && idle < 3; ++i, axis = (axis + 1) % 3) {
        cdi_m3 next = cdi_fit_across(f, s, axes->c[axis]);
        cdi_extents e = cdi_fit_extents(f, &next);
        ++idle;
        if (!cdi_extents_gain(&e, &best)) continue;
        best = e;
        *axes = next;
        axis = 0; /* the axis that was used is the first one now */
        idle = 1;
    }
}

/* Then the box along the axes of the world would be given, and could be made smaller. */
static bool cdi_bounds_are_smaller(const cdi_fit *f, const cdi_m3 *axes) {
    cdi_m3 world = cdi_fit_identity();
    cdi_extents a = cdi_fit_extents(f, &world), b = cdi_fit_extents(f, axes);
    return cdi_extents_gain(&a, &b);
}

CD_API cd_status cd_obb_refine(const cd_vec3 *points, size_t count, const cd_allocator *allocator,
                               cd_obb *box) {
    cdi_m3 axes = cdi_m3_of(&box->axes);
    cdi_fit_shadow shadow;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, points, count);
    cdi_clear(box, sizeof *box);
    if (status == CD_OK) status = cdi_fit_shadow_take(&shadow, count, allocator);
    if (status != CD_OK) return status;
    axes = cdi_fit_frame(axes.c[0], axes.c[1]);
    cdi_fit_refine(&f, &shadow, &axes);
    if (cdi_bounds_are_smaller(&f, &axes)) {
        axes = cdi_fit_identity();
        cdi_fit_refine(&f, &shadow, &axes);
    }
    cdi_fit_shadow_free(&shadow, allocator);
    cdi_fit_finish(&f, &axes, box);
    return CD_OK;
}

/* ---- trying orientations ---- */

/* The best orientation so far, and the points at its six sides. */
typedef struct cdi_obb_search {
    const cdi_fit *fit;
    cdi_m3 axes;
    double volume;
    cdi_v3 outer[6];
} cdi_obb_search;

/* Takes the axes if their box is smaller; true if so. The outer points often show that it cannot be. */
static bool cdi_obb_search_try(cdi_obb_search *s, const cdi_m3 *axes) {
    cdi_extents e = cdi_extents_none();
    double volume;
    CDI_COUNT(obb_tried);
    for (int i = 0; i < 6; ++i) cdi_extents_add(&e, axes, s->outer[i]);
    if (cdi_extents_volume(&e) >= s->volume) return false;
    CDI_COUNT(obb_measured);
    for (size_t i = 0; i < s->fit->count; ++i) {
        cdi_extents_add(&e, axes, cdi_fit_local(s->fit, i));
        if (i % 64 == 63 && cdi_extents_volume(&e) >= s->volume) return false;
    }
    volume = cdi_extents_volume(&e);
    if (!(volume < s->volume)) return false;
    s->volume = volume;
    s->axes = *axes;
    return true;
}

static void cdi_obb_search_find_outer(cdi_obb_search *s) {
    cdi_extents e = cdi_extents_none(), before;
    for (size_t i = 0; i < s->fit->count; ++i) {
        cdi_v3 p = cdi_fit_local(s->fit, i);
        before = e;
        cdi_extents_add(&e, &s->axes, p);
        for (int k = 0; k < 3; ++k) {
            if (e.lo[k] < before.lo[k]) s->outer[2 * k] = p;
            if (e.hi[k] > before.hi[k]) s->outer[2 * k + 1] = p;
        }
    }
}

static void cdi_obb_search_begin(cdi_obb_search *s, const cdi_fit *f, const cdi_m3 *axes) {
    cdi_extents e = cdi_fit_extents(f, axes);
    s->fit = f;
    s->axes = *axes;
    s->volume = cdi_extents_volume(&e);
    cdi_obb_search_find_outer(s);
}

/* The rotation by an axis times tan(angle / 2) (Rodrigues' vector; Cayley), after the given one. */
static cdi_m3 cdi_frame_turned(const cdi_m3 *axes, cdi_v3 turn) {
    double square = cdi_v3_sqlength(turn), share = 2.0 / (1.0 + square);
    cdi_m3 m;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = axes->c[i], w = cdi_v3_cross(turn, v);
        m.c[i] = cdi_v3_along(v, cdi_v3_add(w, cdi_v3_cross(turn, w)), share);
    }
    return cdi_fit_frame(m.c[0], m.c[1]);
}

static bool cdi_obb_search_options_of(const cd_obb_search_options *options, uint32_t steps,
                                      cd_obb_search_options *o) {
    cdi_clear(o, sizeof *o);
    if (options) *o = *options;
    if (o->steps == 0) o->steps = steps;
    if (o->rounds == 0) o->rounds = 8;
    if (o->starts == 0) o->starts = 8;
    return o->rounds <= 64 && o->starts <= 4096;
}

/* ---- the grid ---- */

/* One round: a grid of turns around the best orientation so far, as far as `reach` along each direction. */
static void cdi_obb_search_grid(cdi_obb_search *s, int steps, double reach) {
    cdi_m3 middle = s->axes;
    double step = 2.0 * reach / (double)(steps - 1);
    bool better = false;
    for (int i = 0; i < steps * steps * steps; ++i) {
        int x = i % steps, y = i / steps % steps, z = i / steps / steps;
        cdi_v3 turn = cdi_v3_make((double)x, (double)y, (double)z);
        cdi_m3 axes =
            cdi_frame_turned(&middle, cdi_v3_along(cdi_v3_make(-reach, -reach, -reach), turn, step));
        better = cdi_obb_search_try(s, &axes) || better;
    }
    if (better) cdi_obb_search_find_outer(s);
}

CD_API cd_status cd_obb_brute_force(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                    cd_obb *out) {
    double reach = 0.41421356237309503; /* sqrt(2) - 1 */
    cd_obb_search_options o;
    cdi_obb_search s;
    cdi_m3 axes;
    cdi_fit f;
    bool good = cdi_obb_search_options_of(options, 8, &o) && o.steps >= 2 && o.steps <= 256;
    cd_status status = good ? cdi_fit_points(&f, points, count) : CD_INVALID_ARGUMENT;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    axes = cdi_fit_pca(&f);
    cdi_obb_search_begin(&s, &f, &axes);
    for (uint32_t i = 0; i < o.rounds; ++i) {
        cdi_obb_search_grid(&s, (int)o.steps, reach);
        reach *= cdi_min(2.5 / (double)(o.steps - 1), 0.75);
    }
    cdi_fit_finish(&f, &s.axes, out);
    return CD_OK;
}

/* ---- random turns ---- */

/* In -1...1 (splitmix64). */
static double cdi_random_next(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(int64_t)(z >> 11) * 2.220446049250313e-16 - 1.0; /* 2^-52 */
}

static cdi_v3 cdi_random_turn(uint64_t *state, double reach) {
    double x = cdi_random_next(state), y = cdi_random_next(state), z = cdi_random_next(state);
    return cdi_v3_make(reach * x, reach * y, reach * z);
}

/* From one start: turns, each smaller than the last one that did not help. */
static void cdi_obb_search_walk(cdi_obb_search *s, uint32_t steps, uint64_t *state) {
    double reach = 0.41421356237309503;
    for (uint32_t i = 0; i < steps && reach > 1e-9; ++i) {
        cdi_m3 axes = cdi_frame_turned(&s->axes, cdi_random_turn(state, reach));
        if (cdi_obb_search_try(s, &axes)) {
            cdi_obb_search_find_outer(s);
        } else {
            reach *= 0.93;
        }
    }
}

CD_API cd_status cd_obb_optimize(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                 cd_obb *out) {
    cdi_obb_search best, s;
    cd_obb_search_options o;
    uint64_t state;
    cdi_m3 axes;
    cdi_fit f;
    bool good = cdi_obb_search_options_of(options, 200, &o) && o.steps <= 1000000;
    cd_status status = good ? cdi_fit_points(&f, points, count) : CD_INVALID_ARGUMENT;
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    state = o.seed;
    axes = cdi_fit_pca(&f);
    for (uint32_t i = 0; i < o.starts; ++i) {
        if (i == 1) axes = cdi_fit_identity();
        if (i > 1) axes = cdi_frame_turned(&axes, cdi_random_turn(&state, 1.0));
        cdi_obb_search_begin(&s, &f, &axes);
        cdi_obb_search_walk(&s, o.steps, &state);
        if (i == 0 || s.volume < best.volume) best = s;
    }
    cdi_fit_finish(&f, &best.axes, out);
    return CD_OK;
}
