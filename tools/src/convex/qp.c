#include "convex/qp.h"
#include "core/orient.h"
#include "core/pose.h"

/* ---- the rows n . x <= d, in A's frame ---- */

typedef struct cdi_qp_row {
    cdi_v3 n; /* its largest component is 1 to 2; or all are 0 */
    double d;
    uint32_t index;
} cdi_qp_row;

/* A body, the point of it in hand, and the planes that it is held on; `dual[i]` is perpendicular to all of them but i. */
typedef struct cdi_qp_side {
    const cd_plane *planes;
    cd_hull_parts hull; /* without planes */
    uint32_t count;
    bool posed;
    cdi_pose pose;
    int shift; /* all lengths are taken times 2^-shift */
    cdi_v3 x;
    cdi_qp_row row[3];
    cdi_v3 dual[3];
    double force[3]; /* in projections */
    int held;
    double noise; /* of a projection: what is rounded away on the way from where it began */
} cdi_qp_side;

static cdi_qp_row cdi_qp_row_of(cdi_v3 n, double d, uint32_t index) {
    cdi_qp_row r;
    double size = cdi_v3_max_abs(n);
    int e = size > 0.0 ? -cdi_exponent(size) : 0;
    r.n = cdi_v3_scale2(n, e);
    r.d = e == 0 ? d : cdi_scale2(d, e);
    r.d = cdi_clamp(r.d, -1e300, 1e300);
    r.index = index;
    return r;
}

static cdi_v3 cdi_qp_turn(const cdi_qp_side *s, cdi_v3 n) {
    return s->posed ? cdi_m3_mul_v3(&s->pose.rotation, n) : n;
}

/* A plane with a normal (of the body's frame, not 0) through a point of the body's frame. */
static cdi_qp_row cdi_qp_row_through(const cdi_qp_side *s, cdi_v3 n, cdi_v3 at, uint32_t index) {
    cdi_v3 turned = cdi_v3_scale2(n, -cdi_exponent(cdi_v3_max_abs(n)));
    at = cdi_v3_scale2(at, -s->shift);
    turned = cdi_qp_turn(s, turned);
    if (s->posed) at = cdi_pose_point(&s->pose, at);
    return cdi_qp_row_of(turned, cdi_v3_dot(turned, at), index);
}

static cdi_qp_row cdi_qp_row_of_plane(const cdi_qp_side *s, const cd_plane *p, uint32_t index) {
    cdi_qp_row r = cdi_qp_row_of(cdi_v3_of(p->n), (double)p->d, index);
    r.d = cdi_scale2(r.d, -s->shift);
    if (!s->posed) return r;
    r.n = cdi_qp_turn(s, r.n);
    r.d += cdi_v3_dot(r.n, s->pose.position);
    return r;
}

static cdi_v3 cdi_qp_corner(const cdi_qp_side *s, uint32_t half_edge) {
    return cdi_v3_of(s->hull.vertices[s->hull.half_edges[half_edge].origin]);
}

/* The normal of a face by its first three corners, scaled so that nothing overflows. */
static cdi_v3 cdi_qp_normal(const cdi_qp_side *s, const cd_hull_face *f) {
    int e = -s->shift;
    cdi_v3 a = cdi_v3_scale2(cdi_qp_corner(s, f->first), e);
    cdi_v3 b = cdi_v3_scale2(cdi_qp_corner(s, f->first + 1), e);
    cdi_v3 c = cdi_v3_scale2(cdi_qp_corner(s, f->first + 2), e);
    cdi_v3 n = cdi_sharp_cross(cdi_v3_sub(b, a), cdi_v3_sub(c, a));
    return cdi_v3_is_zero(n) ? cdi_v3_of(f->plane.n) : n;
}

/* Of a polygon: its front, its back, then its sides. */
static cdi_qp_row cdi_qp_row_of_polygon(const cdi_qp_side *s, uint32_t index) {
    cdi_v3 n = cdi_qp_normal(s, &s->hull.faces[0]), a, b, side;
    if (index < 2) return cdi_qp_row_through(s, index ? cdi_v3_neg(n) : n, cdi_qp_corner(s, 0), index);
    a = cdi_qp_corner(s, index - 2);
    b = cdi_qp_corner(s, cd_hull_next(&s->hull, index - 2));
    n = cdi_v3_unit(n);
    side = cdi_v3_cross(cdi_v3_sub(cdi_v3_scale(b, 0.5), cdi_v3_scale(a, 0.5)), n);
    return cdi_qp_row_through(s, side, a, index);
}

/* Of a segment or a point: a box of no width. */
static cdi_qp_row cdi_qp_row_of_thread(const cdi_qp_side *s, uint32_t index) {
    cdi_v3 a = cdi_v3_of(s->hull.vertices[0]), b = cdi_v3_of(s->hull.vertices[s->hull.vertex_count - 1]);
    cdi_v3 axis[3];
    axis[0] = cdi_v3_unit(cdi_v3_sub(cdi_v3_scale(b, 0.5), cdi_v3_scale(a, 0.5)));
    if (cdi_v3_is_zero(axis[0])) axis[0] = cdi_v3_make(1.0, 0.0, 0.0);
    axis[1] = cdi_across(axis[0]);
    axis[2] = cdi_v3_cross(axis[0], axis[1]);
    if (index & 1u) return cdi_qp_row_through(s, cdi_v3_neg(axis[index / 2]), a, index);
    return cdi_qp_row_through(s, axis[index / 2], index == 0 ? b : a, index);
}

static cdi_qp_row cdi_qp_row_of_hull(const cdi_qp_side *s, uint32_t index) {
    const cd_hull_face *f = s->hull.faces + index;
    if (s->hull.dimension < 2) return cdi_qp_row_of_thread(s, index);
    if (s->hull.dimension == 2) return cdi_qp_row_of_polygon(s, index);
    if (s->hull.flatness > 0) return cdi_qp_row_of_plane(s, &f->plane, index);
    return cdi_qp_row_through(s, cdi_qp_normal(s, f), cdi_qp_corner(s, f->first), index);
}

static cdi_qp_row cdi_qp_get_row(const cdi_qp_side *s, uint32_t index) {
    return s->planes ? cdi_qp_row_of_plane(s, &s->planes[index], index) : cdi_qp_row_of_hull(s, index);
}

/* ---- the planes that a point is held on ---- */

static void cdi_qp_find_duals(cdi_qp_side *s) {
    const cdi_qp_row *r = s->row;
    if (s->held == 1) s->dual[0] = cdi_v3_scale(r[0].n, 1.0 / cdi_v3_sqlength(r[0].n));
    if (s->held == 2) {
        cdi_v3 n = cdi_sharp_cross(r[0].n, r[1].n);
        double square = cdi_v3_sqlength(n);
        s->dual[0] = cdi_v3_scale(cdi_v3_cross(r[1].n, n), 1.0 / square);
        s->dual[1] = cdi_v3_scale(cdi_v3_cross(n, r[0].n), 1.0 / square);
    }
    if (s->held == 3) {
        double det;
        for (int i = 0; i < 3; ++i) s->dual[i] = cdi_sharp_cross(r[(i + 1) % 3].n, r[(i + 2) % 3].n);
        det = cdi_v3_dot(r[0].n, s->dual[0]);
        for (int i = 0; i < 3; ++i) s->dual[i] = cdi_v3_scale(s->dual[i], 1.0 / det);
    }
}

static bool cdi_qp_holds(const cdi_qp_side *s, uint32_t index) {
    for (int i = 0; i < s->held; ++i) {
        if (s->row[i].index == index) return true;
    }
    return false;
}

static void cdi_qp_hold(cdi_qp_side *s, const cdi_qp_row *row, double force) {
    s->row[s->held] = *row;
    s->force[s->held++] = force;
    cdi_qp_find_duals(s);
}

static void cdi_qp_let_go(cdi_qp_side *s, int i) {
    for (--s->held; i < s->held; ++i) {
        s->row[i] = s->row[i + 1];
        s->force[i] = s->force[i + 1];
    }
    cdi_qp_find_duals(s);
}

/* The part of v along all planes; 0 where it is but rounding. */
static cdi_v3 cdi_qp_free_part(const cdi_qp_side *s, cdi_v3 v) {
    cdi_v3 n, part = cdi_v3_make(0.0, 0.0, 0.0);
    if (s->held == 0) return v;
    if (s->held == 1) part = cdi_v3_along(v, s->row[0].n, 0.0 - cdi_v3_dot(s->dual[0], v));
    if (s->held == 2) {
        n = cdi_v3_unit(cdi_sharp_cross(s->row[0].n, s->row[1].n));
        part = cdi_v3_scale(n, cdi_v3_dot(n, v));
    }
    if (cdi_v3_sqlength(part) > 1e-28 * cdi_v3_sqlength(v)) return part;
    return cdi_v3_make(0.0, 0.0, 0.0);
}

/* Back onto the planes, which rounding has led off. */
static void cdi_qp_settle(cdi_qp_side *s) {
    cdi_v3 x = s->x;
    for (int i = 0; i < s->held; ++i)
        x = cdi_v3_along(x, s->dual[i], s->row[i].d - cdi_v3_dot(s->row[i].n, s->x));
    s->x = x;
}

/* By how much x is outside of a row, and what rounding may make of that. */
static double cdi_qp_excess(const cdi_qp_row *r, cdi_v3 x, double *noise) {
    *noise = 4e-15 * (cdi_abs(r->n.x * x.x) + cdi_abs(r->n.y * x.y) + cdi_abs(r->n.z * x.z) + cdi_abs(r->d));
    return cdi_v3_dot(r->n, x) - r->d;
}

/* ---- the nearest point of a body (Goldfarb and Idnani) ---- */

/* The row that is broken most; false when none is. */
static bool cdi_qp_most_broken(const cdi_qp_side *s, cdi_qp_row *out) {
    double most = 0.0;
    for (uint32_t i = 0; i < s->count; ++i) {
        cdi_qp_row r = cdi_qp_get_row(s, i);
        double noise, excess = cdi_qp_excess(&r, s->x, &noise);
        if (excess <= noise + s->noise || excess <= most || cdi_qp_holds(s, i)) continue;
        most = excess;
        *out = r;
    }
    return most > 0.0;
}

/* Moves onto the row, planes that come to push no more let go. False when no point is behind the row and all of them. */
static bool cdi_qp_meet(cdi_qp_side *s, const cdi_qp_row *row) {
    double force = 0.0;
    for (;;) {
        cdi_v3 way = cdi_qp_free_part(s, row->n);
        /* as much as way . n, whose rounding leaves nothing of it where the plane is all but along those held */
        double along = cdi_v3_sqlength(way), most = CDI_HUGE, whole = CDI_HUGE, share[3];
        int first = -1;
        bool arrives; /* numbers without end neither arrive nor let go of what is not held */
        for (int i = 0; i < s->held; ++i) {
            share[i] = cdi_v3_dot(s->dual[i], row->n);
            if (!(share[i] > 1e-15) || s->force[i] >= most * share[i]) continue;
            most = s->force[i] / share[i];
            first = i;
        }
        if (along > 0.0) whole = cdi_min((cdi_v3_dot(row->n, s->x) - row->d) / along, CDI_HUGE);
        if (!(whole < CDI_HUGE) && first < 0) return false;
        arrives = whole < CDI_HUGE && !(most < whole);
        if (arrives) most = whole;
        if (whole < CDI_HUGE) s->x = cdi_v3_along(s->x, way, 0.0 - most);
        for (int i = 0; i < s->held; ++i) s->force[i] = cdi_max(s->force[i] - most * share[i], 0.0);
        force += most;
        if (arrives) break;
        cdi_qp_let_go(s, first);
    }
    cdi_qp_hold(s, row, force);
    cdi_qp_settle(s);
    return true;
}

/* Moves to the body's point nearest to `from`; false when it has none. */
static bool cdi_qp_project(cdi_qp_side *s, cdi_v3 from, uint32_t *steps, uint32_t most) {
    cdi_qp_row row;
    s->x = from;
    s->noise = 1e-15 * cdi_v3_max_abs(from);
    s->held = 0;
    while (*steps < most && cdi_qp_most_broken(s, &row)) {
        ++*steps;
        if (cdi_v3_is_zero(row.n) || !cdi_qp_meet(s, &row)) return false;
    }
    return true;
}

/* ---- both bodies ---- */

typedef struct cdi_qp {
    cdi_qp_side side[2];
    cdi_v3 move[2]; /* to where the distance is least on the planes held */
    cdi_v3 rest;    /* what the way from A to B would be there */
    double reach;   /* of the planes about the origin */
    uint32_t steps, most;
} cdi_qp;

/* Unit vectors along the planes, perpendicular to each other; 3 of them are the axes. */
static int cdi_qp_directions(const cdi_qp_side *s, cdi_v3 out[2]) {
    if (s->held == 1) {
        cdi_v3 n = cdi_v3_unit(s->row[0].n);
        out[0] = cdi_across(n);
        out[1] = cdi_v3_cross(n, out[0]);
    }
    if (s->held == 2) out[0] = cdi_v3_unit(cdi_sharp_cross(s->row[0].n, s->row[1].n));
    return 3 - s->held;
}

/* Columns made perpendicular one by one, the longest first (Gram and Schmidt); `part[k][i]`: of column i along q[k]. */
typedef struct cdi_qp_columns {
    cdi_v3 column[4], left[4], q[3];
    double part[3][4];
    int count, rank, order[3];
} cdi_qp_columns;

static bool cdi_qp_next_column(cdi_qp_columns *c) {
    int longest = 0;
    double most = -1.0;
    for (int i = 0; i < c->count; ++i) {
        double square = cdi_v3_sqlength(c->left[i]);
        if (square > most) most = square, longest = i;
    }
    if (!(most > 1e-30)) return false;
    c->q[c->rank] = cdi_v3_unit(c->left[longest]);
    for (int k = 0; k < c->rank; ++k) /* once more, for what cancelled */
        c->q[c->rank] = cdi_v3_along(c->q[c->rank], c->q[k], 0.0 - cdi_v3_dot(c->q[k], c->q[c->rank]));
    c->q[c->rank] = cdi_v3_unit(c->q[c->rank]);
    c->order[c->rank] = longest;
    for (int i = 0; i < c->count; ++i) {
        double along = cdi_v3_dot(c->q[c->rank], c->left[i]);
        c->part[c->rank][i] = along;
        c->left[i] = cdi_v3_along(c->left[i], c->q[c->rank], 0.0 - along);
    }
    c->left[longest] = cdi_v3_make(0.0, 0.0, 0.0);
    ++c->rank;
    return true;
}

/* What is left of w across all columns. */
static cdi_v3 cdi_qp_across(const cdi_qp_columns *c, cdi_v3 w) {
    cdi_v3 n;
    if (c->rank == 0) return w;
    if (c->rank == 1) return cdi_v3_along(w, c->q[0], 0.0 - cdi_v3_dot(c->q[0], w));
    if (c->rank == 3) return cdi_v3_make(0.0, 0.0, 0.0);
    n = cdi_v3_unit(cdi_v3_cross(c->q[0], c->q[1]));
    return cdi_v3_scale(n, cdi_v3_dot(n, w));
}

/* The factors of the columns whose sum takes the rest off w. */
static void cdi_qp_factors(const cdi_qp_columns *c, cdi_v3 w, double factor[4]) {
    for (int i = 0; i < 4; ++i) factor[i] = 0.0;
    for (int k = c->rank; k-- > 0;) {
        double x = 0.0 - cdi_v3_dot(c->q[k], w);
        for (int i = k + 1; i < c->rank; ++i) x -= c->part[k][c->order[i]] * factor[c->order[i]];
        factor[c->order[k]] = x / c->part[k][c->order[k]];
    }
}

/* Along the planes of both: the moves after which the way from A to B is what is perpendicular to all that can be moved. */
static void cdi_qp_find_moves(cdi_qp *p) {
    cdi_v3 w = cdi_v3_sub(p->side[1].x, p->side[0].x), own[2][2];
    cdi_qp_columns c;
    double factor[4];
    int dim[2];
    for (int k = 0; k < 2; ++k) dim[k] = cdi_qp_directions(&p->side[k], own[k]);
    p->move[0] = p->move[1] = p->rest = cdi_v3_make(0.0, 0.0, 0.0);
    if (dim[0] == 3 || dim[1] == 3) {
        int mover = dim[0] == 3 ? 0 : 1;
        p->move[mover] = mover == 0 ? w : cdi_v3_neg(w);
        return;
    }
    cdi_clear(&c, sizeof c);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < dim[k]; ++i) c.column[c.count++] = k == 0 ? cdi_v3_neg(own[k][i]) : own[k][i];
    }
    for (int i = 0; i < c.count; ++i) c.left[i] = c.column[i];
    while (c.rank < 3 && cdi_qp_next_column(&c)) continue;
    cdi_qp_factors(&c, w, factor);
    for (int i = 0; i < c.count; ++i) {
        int k = i < dim[0] ? 0 : 1;
        p->move[k] = cdi_v3_along(p->move[k], own[k][k == 0 ? i : i - dim[0]], factor[i]);
    }
    p->rest = cdi_qp_across(&c, w);
}

/* How much of the move, up to all, there is before a plane is met; that plane. One whose normal those held make up is not met: its
 * speed is rounding, and no point can be held on all of them. */
static double cdi_qp_clear_way(const cdi_qp_side *s, cdi_v3 move, double whole, cdi_qp_row *met) {
    double size = cdi_v3_max_abs(move);
    if (size == 0.0) return whole;
    for (uint32_t i = 0; i < s->count; ++i) {
        cdi_qp_row r = cdi_qp_get_row(s, i);
        double speed = cdi_v3_dot(r.n, move), room = r.d - cdi_v3_dot(r.n, s->x);
        if (!(speed > 1e-15 * size) || room >= whole * speed || cdi_qp_holds(s, i)) continue;
        if (cdi_v3_is_zero(cdi_qp_free_part(s, r.n))) continue;
        whole = cdi_max(room, 0.0) / speed;
        *met = r;
    }
    return whole;
}

static void cdi_qp_advance(cdi_qp *p) {
    cdi_qp_row met[2];
    double first = cdi_qp_clear_way(&p->side[0], p->move[0], 1.0, &met[0]);
    double part = cdi_qp_clear_way(&p->side[1], p->move[1], first, &met[1]);
    for (int k = 0; k < 2; ++k) p->side[k].x = cdi_v3_along(p->side[k].x, p->move[k], part);
    if (part < first) {
        cdi_qp_hold(&p->side[1], &met[1], 0.0);
    } else if (first < 1.0) {
        cdi_qp_hold(&p->side[0], &met[0], 0.0);
    }
    for (int k = 0; k < 2; ++k) cdi_qp_settle(&p->side[k]);
}

/* Lets go the plane that pulls most; false when none does. */
static bool cdi_qp_release(cdi_qp *p, cdi_v3 n) {
    int side = -1, which = 0;
    double most = 1e-14;
    for (int k = 0; k < 2; ++k) {
        const cdi_qp_side *s = &p->side[k];
        cdi_v3 push = k == 0 ? n : cdi_v3_neg(n);
        for (int i = 0; i < s->held; ++i) {
            double pull = 0.0 - cdi_v3_dot(s->dual[i], push) / cdi_v3_norm(s->dual[i]);
            if (pull > most) most = pull, side = k, which = i;
        }
    }
    if (side >= 0) cdi_qp_let_go(&p->side[side], which);
    return side >= 0;
}

static double cdi_qp_scale(const cdi_qp *p) {
    return cdi_v3_max_abs(p->side[0].x) + cdi_v3_max_abs(p->side[1].x);
}

static cdi_v3 cdi_qp_way(const cdi_qp *p) {
    return cdi_v3_sub(p->side[1].x, p->side[0].x);
}

/* Of a way of some length, whose reciprocal may leave the range. */
static cdi_v3 cdi_qp_direction(cdi_v3 way, double length) {
    return length > 1e-300 ? cdi_v3_scale(way, 1.0 / length) : cdi_v3_unit(way);
}

/* The point of each that is nearest to that of the other. Where both are, they are the answer, however many planes meet there. */
static void cdi_qp_project_both(cdi_qp *p) {
    for (int k = 0; k < 2; ++k) cdi_qp_project(&p->side[k], p->side[1 - k].x, &p->steps, p->most);
}

/* False when the steps are used up. Where many planes meet in a point, and changes of the planes held make no way, both points are
 * projected anew: that makes way, or shows that there is none. */
static bool cdi_qp_descend(cdi_qp *p) {
    double least = CDI_HUGE;
    uint32_t idle = 0, stuck = 0;
    for (; p->steps < p->most; ++p->steps) {
        cdi_v3 w = cdi_qp_way(p);
        double length = cdi_v3_norm(w), noise = 2e-16 * cdi_qp_scale(p);
        if (length <= noise) return true;
        idle = length < least - noise ? 0 : idle + 1;
        if (idle == 0) stuck = 0;
        least = cdi_min(least, length);
        cdi_qp_find_moves(p);
        if (idle > 8) {
            if (++stuck > 4) return true;
            cdi_qp_project_both(p);
            idle = 1;
        } else if (length - cdi_v3_norm(p->rest) > noise) {
            cdi_qp_advance(p);
        } else if (!cdi_qp_release(p, cdi_qp_direction(w, length))) {
            return true;
        }
    }
    return false;
}

/* ---- the answer ---- */

/* By how much the planes are broken at most. */
static double cdi_qp_violation(const cdi_qp_side *s) {
    double most = 0.0;
    for (uint32_t i = 0; i < s->count; ++i) {
        cdi_qp_row r = cdi_qp_get_row(s, i);
        most = cdi_max(most, cdi_v3_dot(r.n, s->x) - r.d);
    }
    return most;
}

/* No point of the body is farther along n than this: by the planes held, and what they leave of n times the reach. `weight` grows by the
 * planes' factors: by as much an error of a plane counts. */
static double cdi_qp_farthest(const cdi_qp_side *s, cdi_v3 n, double reach, double *weight) {
    double sum = 0.0, share;
    cdi_v3 left = n;
    for (int i = 0; i < s->held; ++i) {
        share = cdi_max(cdi_v3_dot(s->dual[i], n), 0.0);
        left = cdi_v3_along(left, s->row[i].n, 0.0 - share);
        sum += share * s->row[i].d;
        *weight += share;
    }
    return sum + cdi_v3_norm(left) * reach;
}

/* The normal, toward B, of the plane with the least room. */
static cdi_v3 cdi_qp_nearest_plane(const cdi_qp *p) {
    double least = CDI_HUGE;
    cdi_v3 n = cdi_v3_make(1.0, 0.0, 0.0);
    for (int k = 0; k < 2; ++k) {
        for (uint32_t i = 0; i < p->side[k].count; ++i) {
            cdi_qp_row r = cdi_qp_get_row(&p->side[k], i);
            double length = cdi_v3_norm(r.n), room = (r.d - cdi_v3_dot(r.n, p->side[k].x)) / length;
            if (!(room < least) || length == 0.0) continue;
            least = room;
            n = cdi_v3_scale(r.n, (k == 0 ? 1.0 : -1.0) / length);
        }
    }
    return n;
}

static uint32_t cdi_qp_feature(const cdi_qp_side *s) {
    bool is_face = s->held == 1 && (s->planes || s->hull.dimension > 1) &&
                   (s->planes || s->hull.dimension == 3 || s->row[0].index < 2);
    return is_face ? CD_FEATURE(CD_FEATURE_FACE, s->row[0].index) : (uint32_t)CD_FEATURE_NONE;
}

/* Where the steps were used up, points may be outside of their bodies: then the answer may be off by as much as any two points of the bodies
 * are apart at most. Of planes no such bound is known. */
static cd_real cdi_qp_gap_of_all(const cdi_qp *p, double length) {
    if (p->side[0].planes || p->side[1].planes) return CD_REAL_MAX;
    return cdi_real_of(cdi_scale2(length + 3.5 * p->reach, p->side[0].shift));
}

static bool cdi_qp_is_outside(const cdi_qp *p) {
    cdi_qp_row row;
    return cdi_qp_most_broken(&p->side[0], &row) || cdi_qp_most_broken(&p->side[1], &row);
}

static cd_separation cdi_qp_answer(const cdi_qp *p, bool converged) {
    cd_separation r;
    int shift = p->side[0].shift;
    cdi_v3 w = cdi_v3_sub(p->side[1].x, p->side[0].x), n;
    double length = cdi_v3_norm(w), lower = 0.0, weight = 2.0, gap, reach = p->reach + cdi_qp_scale(p);
    bool apart = length > 4e-16 * cdi_qp_scale(p);
    cdi_clear(&r, sizeof r);
    n = apart ? cdi_qp_direction(w, length) : cdi_qp_nearest_plane(p);
    if (apart)
        lower = 0.0 - cdi_qp_farthest(&p->side[0], n, reach, &weight) -
                cdi_qp_farthest(&p->side[1], cdi_v3_neg(n), reach, &weight);
    gap = cdi_max(length - lower, lower - length);
    if (length < gap) gap = length;
    for (int k = 0; k < 2; ++k) gap += weight * cdi_qp_violation(&p->side[k]);
    gap += 1e-15 * weight * reach + (double)CD_REAL_EPSILON * length;
    r.status = converged && gap <= reach / 1048576.0 ? CD_OK : CD_NOT_CONVERGED;
    r.distance = cdi_real_of(apart ? cdi_scale2(length, shift) : 0.0);
    r.gap = cdi_real_of(cdi_scale2(gap * (1.0 + (double)CD_REAL_EPSILON), shift));
    if (!converged && cdi_qp_is_outside(p)) r.gap = cdi_qp_gap_of_all(p, length);
    r.normal = cdi_v3_round(n);
    r.a = cd_vec3_make(cdi_real_of(cdi_scale2(p->side[0].x.x, shift)),
                       cdi_real_of(cdi_scale2(p->side[0].x.y, shift)),
                       cdi_real_of(cdi_scale2(p->side[0].x.z, shift)));
    r.b = cd_vec3_make(cdi_real_of(cdi_scale2(p->side[1].x.x, shift)),
                       cdi_real_of(cdi_scale2(p->side[1].x.y, shift)),
                       cdi_real_of(cdi_scale2(p->side[1].x.z, shift)));
    r.feature_a = cdi_qp_feature(&p->side[0]);
    r.feature_b = cdi_qp_feature(&p->side[1]);
    r.iterations = p->steps;
    return r;
}

static cd_separation cdi_qp_none(cd_status status) {
    cd_separation r;
    cd_vec3 nowhere;
    cdi_clear(&r, sizeof r);
    r.status = status;
    r.distance = r.gap = (cd_real)cdi_nan();
    nowhere = cdi_no_point();
    r.normal = nowhere;
    r.a = nowhere;
    r.b = nowhere;
    return r;
}

/* ---- the whole ---- */

/* No point of a body was found, or none of numbers. A hull has some, so that is rounding: each is taken for its center, which is so much off. */
static cd_separation cdi_qp_without_point(const cdi_qp *p, int side) {
    const cdi_qp_side *a = &p->side[0], *b = &p->side[1];
    cd_separation r = cdi_qp_none(CD_INVALID_ARGUMENT);
    cdi_v3 from, to, way;
    double length;
    if (p->side[side].planes) return r;
    from = cdi_v3_scale2(cdi_v3_of(a->hull.center), -a->shift);
    to = cdi_v3_scale2(cdi_v3_of(b->hull.center), -b->shift);
    if (b->posed) to = cdi_pose_point(&b->pose, to);
    from = cdi_v3_scale2(from, a->shift);
    to = cdi_v3_scale2(to, a->shift);
    way = cdi_v3_sub(to, from);
    length = cdi_v3_norm(way);
    cdi_clear(&r, sizeof r);
    r.status = CD_NOT_CONVERGED;
    r.distance = r.gap = cdi_real_of(length);
    r.normal = cdi_v3_round(length > 0.0 ? cdi_v3_unit(way) : cdi_v3_make(1.0, 0.0, 0.0));
    r.a = cdi_v3_round(from);
    r.b = cdi_v3_round(to);
    r.iterations = p->steps;
    return r;
}

/* The nearest points of each to those of the other, some times in turn, and then down. */
static cd_separation cdi_qp_solve(cdi_qp *p) {
    bool converged;
    if (!cdi_qp_project(&p->side[1], cdi_v3_make(0.0, 0.0, 0.0), &p->steps, p->most))
        return cdi_qp_without_point(p, 1);
    for (int i = 0; i < 5; ++i) {
        if (!cdi_qp_project(&p->side[i & 1], p->side[1 - (i & 1)].x, &p->steps, p->most))
            return cdi_qp_without_point(p, i & 1);
    }
    converged = cdi_qp_descend(p);
    if (!cdi_v3_finite(p->side[0].x) || !cdi_v3_finite(p->side[1].x)) return cdi_qp_without_point(p, 0);
    return cdi_qp_answer(p, converged);
}

/* Bodies of a size whose squares leave the range are scaled to about 1. */
static void cdi_qp_choose_scale(cdi_qp *p, double reach) {
    bool moderate = reach < 1e100 && (reach > 1e-100 || reach == 0.0);
    int shift = moderate ? 0 : cdi_exponent(reach);
    for (int k = 0; k < 2; ++k) p->side[k].shift = shift;
    p->side[1].pose.position = cdi_v3_scale2(p->side[1].pose.position, -shift);
    p->reach = moderate ? reach : cdi_scale2(reach, -shift);
}

/* The reach: how far planes or vertices are from the origin, those of B as they are moved. */
static double cdi_qp_reach(const cdi_qp_side *s) {
    double most = 0.0;
    for (uint32_t i = 0; s->planes && i < s->count; ++i) {
        cdi_qp_row r = cdi_qp_row_of(cdi_v3_of(s->planes[i].n), (double)s->planes[i].d, i);
        if (!cdi_v3_is_zero(r.n)) most = cdi_max(most, cdi_abs(r.d));
    }
    for (uint32_t i = 0; !s->planes && i < s->hull.vertex_count; ++i)
        most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(s->hull.vertices[i])));
    return s->posed ? 1.75 * most + cdi_v3_max_abs(s->pose.position) : most;
}

static bool cdi_qp_side_is_valid(const cdi_qp_side *s) {
    cdi_real_bits excess = 0;
    for (uint32_t i = 0; s->planes && i < s->count; ++i)
        excess |= cdi_excess(s->planes[i].n) | cdi_excess_of(s->planes[i].d);
    return cdi_no_excess(excess);
}

static cd_separation cdi_qp_run(cdi_qp *p, const cd_transform *b_in_a, const cd_separation_options *options) {
    if (b_in_a && !cd_transform_is_valid(b_in_a)) return cdi_qp_none(CD_INVALID_ARGUMENT);
    if (!cdi_qp_side_is_valid(&p->side[0]) || !cdi_qp_side_is_valid(&p->side[1]))
        return cdi_qp_none(CD_INVALID_ARGUMENT);
    p->side[1].posed = b_in_a != NULL;
    if (b_in_a) p->side[1].pose = cdi_pose_of(b_in_a);
    p->most = options && options->max_iterations ? options->max_iterations : 512;
    cdi_qp_choose_scale(p, cdi_max(cdi_qp_reach(&p->side[0]), cdi_qp_reach(&p->side[1])));
    return cdi_qp_solve(p);
}

CD_API cd_separation cd_qp_distance(const cd_plane *a, size_t a_count, const cd_plane *b, size_t b_count,
                                    const cd_transform *b_in_a, const cd_separation_options *options) {
    cdi_qp p;
    if ((!a && a_count) || (!b && b_count)) return cdi_qp_none(CD_INVALID_ARGUMENT);
    if (a_count >= CD_NONE || b_count >= CD_NONE) return cdi_qp_none(CD_TOO_LARGE);
    cdi_clear(&p, sizeof p);
    p.side[0].planes = a;
    p.side[0].count = (uint32_t)a_count;
    p.side[1].planes = b;
    p.side[1].count = (uint32_t)b_count;
    return cdi_qp_run(&p, b_in_a, options);
}

static bool cdi_qp_open_hull(cdi_qp_side *s, const cd_hull *hull) {
    s->hull = cd_hull_get_parts(hull);
    s->count = s->hull.dimension < 2    ? 6
               : s->hull.dimension == 2 ? 2 + s->hull.vertex_count
                                        : s->hull.face_count;
    return s->hull.vertex_count > 0;
}

CD_API cd_separation cd_qp_distance_hulls(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                          const cd_separation_options *options) {
    cdi_qp p;
    cdi_clear(&p, sizeof p);
    if (!cdi_qp_open_hull(&p.side[0], a) || !cdi_qp_open_hull(&p.side[1], b))
        return cdi_qp_none(CD_INVALID_ARGUMENT);
    return cdi_qp_run(&p, b_in_a, options);
}
