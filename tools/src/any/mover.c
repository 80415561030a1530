#include "any/mover.h"
#include "any/mover_solve.h"
#include "any/shape_cast.h"
#include "any/shape_sweep.h"
#include "core/platform.h"

/* ---- planes ---- */

/* Filters of a mover are asked with the number that hits have: that of the child, or of the triangle. */
typedef struct cdi_walker_filter {
    cd_filter_fn filter;
    void *user;
} cdi_walker_filter;

static bool cdi_walker_part_passes(void *user, const cd_part *level, const cd_part *mover) {
    const cdi_walker_filter *f = (const cdi_walker_filter *)user;
    (void)mover;
    return f->filter(f->user, level->child != CD_NONE ? level->child : level->index);
}

static cd_mover_plane cdi_walker_plane_of(const cd_manifold *m) {
    cd_mover_plane p;
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < m->count; ++i)
        if (m->points[i].distance < m->points[deepest].distance) deepest = i;
    p.normal = m->normal;
    p.distance = m->points[deepest].distance;
    p.point = m->points[deepest].a;
    p.part = m->part_a;
    return p;
}

size_t cd_mover_planes(const cd_shape *level, const cd_shape *mover, const cd_transform *pose, cd_real reach,
                       const cd_mover_options *options, cd_mover_plane *out, size_t capacity) {
    cd_manifold found[CD_MOVER_PLANES];
    cd_shape_options o;
    cdi_walker_filter filter;
    size_t count, kept;
    cdi_clear(&o, sizeof o);
    o.margin = reach;
    if (options) {
        o.ignore_a = options->ignore_mask;
        filter.filter = options->filter;
        filter.user = options->user;
        if (options->filter) {
            o.filter = cdi_walker_part_passes;
            o.user = &filter;
        }
    }
    count = cd_shape_collide(level, mover, pose, &o, NULL, found, CD_MOVER_PLANES);
    kept = count < CD_MOVER_PLANES ? count : CD_MOVER_PLANES;
    for (size_t i = 0; i < kept && i < capacity; ++i) {
        cd_mover_plane p = cdi_walker_plane_of(&found[i]);
        out[i] = p;
    }
    return count;
}

/* ---- what planes allow ---- */

static size_t cdi_walls_of(const cd_mover_plane *planes, size_t count, double skin, cdi_wall *walls) {
    size_t n = count < CD_MOVER_PLANES ? count : CD_MOVER_PLANES;
    for (size_t i = 0; i < n; ++i) {
        walls[i].n = cdi_v3_of(planes[i].normal);
        walls[i].least = skin - (double)planes[i].distance;
    }
    return n;
}

cd_status cd_mover_solve(const cd_mover_plane *planes, size_t count, cd_vec3 wish, cd_real skin,
                         cd_vec3 *out) {
    cdi_wall walls[CD_MOVER_PLANES];
    cdi_v3 x = cdi_v3_of(wish);
    bool solved;
    *out = cd_vec3_make(0, 0, 0);
    if (count > CD_MOVER_PLANES) return CD_TOO_LARGE;
    count = cdi_walls_of(planes, count, (double)skin, walls);
    for (size_t i = 0; i < count; ++i)
        if (!cdi_v3_finite(walls[i].n) || !cdi_finite(walls[i].least)) return CD_INVALID_ARGUMENT;
    if (!cdi_v3_finite(x)) return CD_INVALID_ARGUMENT;
    solved = cdi_walls_nearest(walls, count, x, &x);
    if (!solved) x = cdi_walls_compromise(walls, count, x);
    if (!cdi_v3_fits(x)) return CD_NOT_CONVERGED;
    *out = cdi_v3_round(x);
    return solved ? CD_OK : CD_NOT_CONVERGED;
}

cd_vec3 cd_mover_clip(const cd_mover_plane *planes, size_t count, cd_real reach, cd_vec3 velocity) {
    cdi_wall walls[CD_MOVER_PLANES];
    cdi_v3 x = cdi_v3_of(velocity);
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < CD_MOVER_PLANES; ++i) {
        if (!(planes[i].distance <= reach) || !cd_vec3_is_valid(planes[i].normal)) continue;
        walls[kept].n = cdi_v3_of(planes[i].normal);
        walls[kept++].least = 0.0;
    }
    if (!cdi_v3_finite(x) || !cdi_walls_nearest(walls, kept, x, &x) || !cdi_v3_fits(x))
        return cd_vec3_make(0, 0, 0);
    return cdi_v3_round(x);
}

/* ---- a motion ---- */

typedef struct cdi_walker {
    const cd_shape *level, *shape;
    const cd_mover_options *options;
    cd_transform pose;
    cdi_v3 up; /* unit, or zero */
    double skin, step, floor;
    double sole; /* how high its lowest point is over its origin */
    cd_mover_plane plane[CD_MOVER_PLANES];
    bool ledge[CD_MOVER_PLANES]; /* an edge of ground, by the side of which it stands */
    size_t count;
    cdi_v3 ground;
    cd_part ground_part;
} cdi_walker;

static cdi_v3 cdi_walker_at(const cdi_walker *m) {
    return cdi_v3_of(m->pose.position);
}

static void cdi_walker_move(cdi_walker *m, cdi_v3 by) {
    m->pose.position = cdi_v3_round(cdi_v3_add(cdi_walker_at(m), by));
}

static double cdi_walker_sole(const cdi_walker *m) {
    cd_vec3 down = cdi_v3_round(cdi_v3_neg(m->up)), p;
    down = cd_transform_inverse_vector(&m->pose, down);
    if (!cd_shape_support(m->shape, down, &p)) return 0.0;
    p = cd_transform_vector(&m->pose, p);
    return cdi_v3_dot(cdi_v3_of(p), m->up);
}

static bool cdi_walker_open(cdi_walker *m, const cd_mover_options *o) {
    cd_aabb box = cd_shape_aabb(m->shape, NULL);
    cdi_v3 size = cdi_v3_sub(cdi_v3_of(box.max), cdi_v3_of(box.min));
    double most = cdi_v3_max_abs(size), length;
    m->skin = o->skin > 0 ? (double)o->skin : most * 0.01;
    m->step = o->step_height > 0 ? (double)o->step_height : 0.0;
    m->floor = o->least_floor > 0 ? (double)o->least_floor : 0.7;
    m->up = cdi_v3_of(o->up);
    length = cdi_sqrt(cdi_v3_sqlength(m->up));
    if (!cdi_finite(length) || !cdi_finite(most) || !cdi_finite(m->skin) || !cdi_finite(m->step))
        return false;
    if (length > 0.0) m->up = cdi_v3_scale(m->up, 1.0 / length);
    m->sole = cdi_walker_sole(m);
    m->ground = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_clear(&m->ground_part, sizeof m->ground_part);
    m->ground_part.child = CD_NONE;
    m->count = 0;
    return true;
}

static cdi_v3 cdi_walker_level(const cdi_walker *m, cdi_v3 v) {
    return cdi_v3_along(v, m->up, -cdi_v3_dot(v, m->up));
}

static cd_cast_options cdi_walker_casts(const cdi_walker *m) {
    cd_cast_options o;
    cdi_clear(&o, sizeof o);
    o.ignore_mask = m->options->ignore_mask;
    o.filter = m->options->filter;
    o.user = m->options->user;
    return o;
}

/* A round sole touches the edge of a step with a normal that is no floor's: is there floor behind the edge, not above what can be climbed? */
static bool cdi_walker_finds_ledge(const cdi_walker *m, const cd_mover_plane *plane, cdi_v3 *ground) {
    cdi_v3 n = cdi_v3_of(plane->normal), from = cdi_v3_of(plane->point), in = cdi_walker_level(m, n);
    double over = cdi_v3_dot(cdi_v3_sub(from, cdi_walker_at(m)), m->up) - m->sole;
    double length = cdi_sqrt(cdi_v3_sqlength(in));
    cd_cast_options o = cdi_walker_casts(m);
    cd_ray ray;
    cd_hit hit;
    if (!(cdi_v3_dot(n, m->up) > 0.05) || !(over <= m->step) || !(length > 0.0)) return false;
    from = cdi_v3_along(cdi_v3_along(from, in, -0.5 * m->skin / length), m->up, m->skin);
    ray.origin = cdi_v3_round(from);
    ray.dir = cdi_v3_round(cdi_v3_scale(m->up, -2.0 * m->skin));
    if (!cd_shape_cast_ray(m->level, &ray, 1, &o, &hit, NULL)) return false;
    *ground = cdi_v3_of(hit.normal);
    return cdi_v3_dot(*ground, m->up) >= m->floor;
}

/* The planes where it is, and what of them it stands on. */
static void cdi_walker_look(cdi_walker *m) {
    double best = 0.0;
    m->count = cd_mover_planes(m->level, m->shape, &m->pose, cdi_nearest_real(2.0 * m->skin), m->options,
                               m->plane, CD_MOVER_PLANES);
    if (m->count > CD_MOVER_PLANES) m->count = CD_MOVER_PLANES;
    m->ground = cdi_v3_make(0.0, 0.0, 0.0);
    for (size_t i = 0; i < m->count; ++i) {
        cdi_v3 n = cdi_v3_of(m->plane[i].normal);
        double rise = cdi_v3_dot(n, m->up);
        m->ledge[i] = rise < m->floor && cdi_walker_finds_ledge(m, &m->plane[i], &n);
        if ((rise < m->floor && !m->ledge[i]) || rise < best) continue;
        best = rise;
        m->ground = n;
        m->ground_part = m->plane[i].part;
    }
}

static bool cdi_walker_stands(const cdi_walker *m) {
    return !cdi_v3_is_zero(m->ground);
}

/* Out of what it overlaps, in each round no farther than some times the deepest: where walls that are too near are all but parallel, there
 * is room where they meet or end, but not here. False where it stays in something. */
static bool cdi_walker_push_out(cdi_walker *m) {
    for (int round = 0; round < 8; ++round) {
        cd_vec3 by;
        double most, length;
        cd_real least = CD_REAL_MAX;
        cdi_walker_look(m);
        for (size_t i = 0; i < m->count; ++i)
            if (m->plane[i].distance < least) least = m->plane[i].distance;
        if ((double)least >= 0.5 * m->skin) return true;
        if (cd_mover_solve(m->plane, m->count, cd_vec3_make(0, 0, 0), cdi_nearest_real(m->skin), &by) ==
            CD_INVALID_ARGUMENT)
            return false;
        most = 8.0 * (m->skin - (double)least);
        length = cdi_v3_norm(cdi_v3_of(by));
        cdi_walker_move(m, cdi_v3_scale(cdi_v3_of(by), length > most ? most / length : 1.0));
    }
    for (size_t i = 0; i < m->count; ++i)
        if (m->plane[i].distance < 0) return false;
    return true;
}

/* How far it may go along `way`, so that what is met is a skin away; true, with the normal, where something is. It is looked for as far again as
 * the way goes: so something neared at a glancing angle is not missed before half of the way to it is gone. */
static bool cdi_walker_reach(const cdi_walker *m, cdi_v3 way, double *far_off, cdi_v3 *normal) {
    double length = cdi_sqrt(cdi_v3_sqlength(way)), facing, whole;
    cd_transform level_at = cd_transform_inverse(&m->pose);
    cd_cast_options o = cdi_walker_casts(m);
    cd_hit hit;
    cd_vec3 motion, n;
    *far_off = length;
    if (!(length > 0.0)) return false;
    whole = 2.0 * length + m->skin;
    motion = cdi_v3_round(cdi_v3_scale(way, whole / length));
    motion = cd_transform_inverse_vector(&m->pose, motion);
    o.flags = CD_CAST_START_LEAVING;
    if (!cd_shape_sweep(m->shape, motion, m->level, &level_at, &o, &hit, NULL)) return false;
    n = cd_transform_vector(&m->pose, hit.normal);
    *normal = cdi_v3_of(n);
    facing = -cdi_v3_dot(*normal, way) / length;
    *far_off =
        cdi_clamp((double)hit.t * whole - (facing > 1e-3 ? m->skin / facing : 1e3 * m->skin), 0.0, length);
    return *far_off < length;
}

/* Goes as far as it may; what is left of the way stays in *way. True where something was met. */
static bool cdi_walker_go(cdi_walker *m, cdi_v3 *way, cdi_v3 *normal) {
    double far_off, length = cdi_sqrt(cdi_v3_sqlength(*way));
    bool met = cdi_walker_reach(m, *way, &far_off, normal);
    if (length > 0.0) {
        cdi_walker_move(m, cdi_v3_scale(*way, far_off / length));
        *way = cdi_v3_scale(*way, met ? 1.0 - far_off / length : 0.0);
    }
    return met;
}

/* Is there ground, and nothing too near? */
static bool cdi_walker_landed(cdi_walker *m) {
    cdi_walker_look(m);
    for (size_t i = 0; i < m->count; ++i)
        if ((double)m->plane[i].distance < 0.5 * m->skin) return false;
    return cdi_walker_stands(m);
}

static double cdi_walker_height(const cdi_walker *m, const cd_transform *from) {
    return cdi_v3_dot(cdi_v3_sub(cdi_walker_at(m), cdi_v3_of(from->position)), m->up);
}

/* Over a step: up, on, and down onto ground that is higher. False, and back where it was, when that leads nowhere. */
static bool cdi_walker_step(cdi_walker *m, cdi_v3 *way) {
    cd_transform before = m->pose;
    cdi_v3 on = cdi_walker_level(m, *way), left = on, rise = cdi_v3_scale(m->up, m->step), normal, drop;
    double risen;
    if (!(m->step > 0.0) || cdi_v3_sqlength(on) <= m->skin * m->skin * 1e-6) return false;
    cdi_walker_go(m, &rise, &normal);
    risen = cdi_walker_height(m, &before);
    cdi_walker_go(m, &left, &normal);
    drop = cdi_v3_scale(m->up, -(risen + m->skin));
    if (risen > 0.0 && cdi_v3_sqlength(left) < cdi_v3_sqlength(on) && cdi_walker_go(m, &drop, &normal) &&
        cdi_walker_height(m, &before) > m->skin && cdi_walker_landed(m)) {
        *way = left;
        return true;
    }
    m->pose = before;
    cdi_walker_look(m);
    return false;
}

/* Back to the ground that it stood on, or a step below. */
static void cdi_walker_let_down(cdi_walker *m) {
    cd_transform before = m->pose;
    cdi_v3 drop = cdi_v3_scale(m->up, -(m->step + m->skin)), normal;
    if (cdi_walker_go(m, &drop, &normal) && cdi_walker_landed(m)) return;
    m->pose = before;
    cdi_walker_look(m);
}

/* The way as the planes bend it; up to those that are farther away than the skin it may still come. What stands does not feel what draws it
 * down; what is too steep to stand on is a wall for it. */
static cdi_v3 cdi_walker_bend(cdi_walker *m, cdi_v3 way, cdi_v3 met, bool on_ground) {
    cdi_wall walls[CD_MOVER_PLANES + 1];
    size_t n = cdi_walls_of(m->plane, m->count, m->skin, walls);
    bool known = false;
    double down = cdi_v3_dot(m->ground, way);
    if (down < 0.0) way = cdi_v3_along(way, m->ground, -down / cdi_v3_sqlength(m->ground));
    for (size_t i = 0; i < n; ++i) {
        double rise = cdi_v3_dot(walls[i].n, m->up);
        cdi_v3 flat = cdi_walker_level(m, walls[i].n);
        walls[i].least = cdi_min(walls[i].least, 0.0);
        known = known || cdi_v3_dot(walls[i].n, met) > 0.99;
        if (on_ground && rise > 0.0 && rise < m->floor && !m->ledge[i] && cdi_v3_dot(flat, way) < 0.0)
            walls[i].n = flat;
    }
    if (!known) {
        walls[n].n = met;
        walls[n++].least = 0.0;
    }
    if (!cdi_walls_nearest(walls, n, way, &way)) way = cdi_v3_make(0.0, 0.0, 0.0);
    return way;
}

static void cdi_walker_run(cdi_walker *m, cdi_v3 motion, cd_mover_result *r) {
    uint32_t most = m->options->max_slides ? m->options->max_slides : 8;
    cdi_v3 way = motion, normal;
    bool stood = cdi_walker_stands(m);
    while (cdi_v3_sqlength(way) > m->skin * m->skin * 1e-12 && cdi_walker_go(m, &way, &normal)) {
        bool ground;
        if (r->slides++ == most) break;
        ground = cdi_v3_dot(normal, m->up) >= m->floor;
        cdi_walker_look(m);
        if (!ground && (stood || cdi_walker_stands(m)) && cdi_walker_step(m, &way)) {
            r->stepped = 1;
            continue;
        }
        way = cdi_walker_bend(m, way, normal, stood);
        if (cdi_v3_dot(way, motion) <= 0.0) way = cdi_v3_make(0.0, 0.0, 0.0);
    }
    r->left = cdi_v3_round(way);
    cdi_walker_look(m);
    if (stood && !cdi_walker_stands(m) && cdi_v3_dot(motion, m->up) <= 0.0) cdi_walker_let_down(m);
}

cd_mover_result cd_mover_slide(const cd_shape *level, const cd_shape *mover, const cd_transform *pose,
                               cd_vec3 motion, const cd_mover_options *options) {
    cd_mover_options none;
    cd_mover_result r;
    cdi_walker m;
    cdi_clear(&none, sizeof none);
    cdi_clear(&r, sizeof r);
    r.ground_part.child = CD_NONE;
    r.pose = *pose;
    r.status = CD_INVALID_ARGUMENT;
    m.level = level;
    m.shape = mover;
    m.pose = *pose;
    m.options = options ? options : &none;
    if (!cd_shape_is_valid(level) || !cd_shape_is_valid(mover) || !cd_transform_is_valid(pose) ||
        !cd_vec3_is_valid(motion) || !cdi_walker_open(&m, m.options))
        return r;
    r.status = CD_UNSUPPORTED;
    if (!cd_shape_is_convex(mover)) return r;
    r.status = cdi_walker_push_out(&m) ? CD_OK : CD_NOT_CONVERGED;
    cdi_walker_run(&m, cdi_v3_of(motion), &r);
    if (!cd_vec3_is_valid(m.pose.position) || !cd_vec3_is_valid(r.left) || !cdi_v3_finite(m.ground)) {
        r.left = motion; /* so large that it has no place to go to */
        r.status = CD_NOT_CONVERGED;
        return r;
    }
    r.pose = m.pose;
    r.ground = cdi_v3_round(m.ground);
    r.ground_part = m.ground_part;
    r.planes = (uint32_t)m.count;
    return r;
}
