#include "query/sweep_flat.h"

/* Edges shorter than this are points, beside anything that a slack can be of. */
#define CDI_ONTO_LEAST 1e-290

/* The motion from its start, and its first contact so far. */
typedef struct cdi_onto {
    const cdi_flat *f;
    cdi_v3 p, d, normal; /* the normal of the face on the side of p; zero without an area */
    double radius, slack;
    double height, speed; /* over the face */
    double last;          /* of the range of u in p + u d: the contact, once there is one */
    bool found;
    uint32_t feature;
} cdi_onto;

/* ---- balls and cylinders ----
 * With the point of the line nearest to the centre, half a chord on: a square root of a difference of squares that is good
 * however far the start is. The contact is (m . m - r^2) / (half chord - m . d), where nothing cancels. */

CDI_FN bool cdi_sweep_ball(cdi_v3 m, cdi_v3 d, double radius, double *u) {
    double rr = radius * radius, gap = cdi_v3_sqlength(m) - rr, md = cdi_v3_dot(m, d), mm_dd, dd, half, t;
    if (gap <= 0.0) {
        *u = 0.0;
        return true;
    }
    if (!(md < 0.0)) return false;
    dd = cdi_v3_sqlength(d);
    mm_dd = (gap + rr) * dd;
    if (mm_dd - md * md - rr * dd > 1e-14 * mm_dd) return false; /* surely past it */
    if (md + *u * dd < 0.0 && gap + *u * (2.0 * md + *u * dd) > 1e-14 * (gap + rr))
        return false; /* surely not yet there */
    half = rr - cdi_v3_sqlength(cdi_v3_along(m, d, -md / dd));
    if (!(half >= 0.0)) return false;
    t = gap / (cdi_sqrt(half * dd) - md);
    if (!(t <= *u)) return false;
    *u = t;
    return true;
}

static void cdi_onto_keep(cdi_onto *o, double u, uint32_t feature) {
    if (o->found && u >= o->last) return;
    o->found = true;
    o->last = u;
    o->feature = feature;
}

static int cdi_onto_next(const cdi_onto *o, int i) {
    return i + 1 < o->f->count ? i + 1 : 0;
}

static void cdi_onto_corner(cdi_onto *o, int i) {
    double u = o->last;
    if (cdi_sweep_ball(cdi_v3_sub(o->p, o->f->v[i]), o->d, o->radius + 1.5 * o->slack, &u))
        cdi_onto_keep(o, u, CD_FEATURE(1u, (uint32_t)i));
}

/* At least the length. */
static double cdi_onto_span(cdi_v3 e) {
    return cdi_abs(e.x) + cdi_abs(e.y) + cdi_abs(e.z);
}

/* The motion across the edge, which need not be right where it is slow: what it does from u = 0 to 1 is. The bits of the ends
 * that may be met instead. */
static uint32_t cdi_onto_edge(cdi_onto *o, int i) {
    int k = cdi_onto_next(o, i);
    cdi_v3 m = cdi_v3_sub(o->p, o->f->v[i]), e = cdi_v3_sub(o->f->v[k], o->f->v[i]);
    double ee = cdi_v3_sqlength(e), u = o->last, s = 0.0, margin = 2.0;
    if (ee > CDI_ONTO_LEAST) {
        double inverse = 1.0 / ee, from = cdi_v3_dot(m, e) * inverse, speed = cdi_v3_dot(o->d, e) * inverse;
        if (!cdi_sweep_ball(cdi_v3_along(m, e, -from), cdi_v3_along(o->d, e, -speed),
                            o->radius + 1.25 * o->slack, &u))
            return 0;
        s = from + speed * u;
        margin = 0.0625 * o->slack * cdi_onto_span(e) * inverse;
    }
    if (s >= margin && s <= 1.0 - margin) {
        cdi_onto_keep(o, u, CD_FEATURE(2u, (uint32_t)i));
        return 0;
    }
    return (s >= margin ? 0 : 1u << i) | (s <= 1.0 - margin ? 0 : 1u << k);
}

/* ---- the face ---- */

/* Unit, or zero without an area. The plain product is good when the corners are in the plane that it says. */
static cdi_v3 cdi_onto_normal(const cdi_flat *f, double slack) {
    cdi_v3 e = cdi_v3_sub(f->v[1], f->v[0]), g = cdi_v3_sub(f->v[f->count - 1], f->v[0]);
    return cdi_flat_normal(f, cdi_v3_unit(cdi_v3_cross(e, g)), 0.0625 * slack);
}

/* When the motion comes within the slab; false when it does not. */
static bool cdi_onto_enters(const cdi_onto *o, double *first) {
    double reach = o->radius + o->slack;
    *first = 0.0;
    if (!(o->height > reach)) return true;
    if (!(o->height + o->speed * o->last <= reach)) return false;
    *first = cdi_min((o->height - reach) / -o->speed, o->last);
    return true;
}

/* ... and is out of it again. */
static double cdi_onto_leaves(const cdi_onto *o) {
    double reach = o->radius + o->slack;
    if (o->speed < 0.0) return cdi_min((o->height + reach) / -o->speed, o->last);
    return o->speed > 0.0 ? cdi_min((reach - o->height) / o->speed, o->last) : o->last;
}

/* The sides of the face, with the normals in its plane inward: where the motion, within the slab, begins beside each. */
typedef struct cdi_onto_side {
    double at, margin;
    cdi_v3 in;
} cdi_onto_side;

/* `turn`: 1 where the corners go round the normal counter-clockwise. */
static cdi_onto_side cdi_onto_side_of(const cdi_onto *o, int i, cdi_v3 p, double turn) {
    cdi_v3 a = o->f->v[i], e = cdi_v3_sub(o->f->v[cdi_onto_next(o, i)], a);
    cdi_onto_side s;
    s.in = cdi_v3_cross(o->normal, e);
    s.at = turn * cdi_v3_dot(cdi_v3_sub(p, a), s.in);
    s.margin = 0.0625 * o->slack * cdi_onto_span(e);
    return s;
}

/* Bits of the edges that may be met first; none where the face is, or where nothing is. An edge that the whole motion is
 * inside of is not met, and what it is wholly outside of by more than the radius misses all. */
static uint32_t cdi_onto_sides(cdi_onto *o, double turn, double first) {
    double reach = o->radius + 2.0 * o->slack;
    cdi_v3 p = cdi_v3_along(o->p, o->d, first), way;
    cdi_onto_side side[4];
    bool inside = true;
    uint32_t edges = 0;
    for (int i = 0; i < o->f->count; ++i) {
        cdi_onto_side s = cdi_onto_side_of(o, i, p, turn);
        inside = inside && s.at >= s.margin;
        side[i] = s;
    }
    if (inside) {
        cdi_onto_keep(o, first, CD_FEATURE(3u, 0u));
        return 0;
    }
    way = cdi_v3_scale(o->d, turn * (cdi_onto_leaves(o) - first));
    for (int i = 0; i < o->f->count; ++i) {
        double at = side[i].at, end = at + cdi_v3_dot(way, side[i].in), best = cdi_max(at, end);
        if (best < 0.0 && best * best > reach * reach * cdi_v3_sqlength(side[i].in)) return 0;
        if (!(at >= side[i].margin && end >= side[i].margin)) edges |= 1u << i;
    }
    return edges;
}

/* The face as seen from the side of the start; false without an area. `turn` as of the sides. */
static bool cdi_onto_over(cdi_onto *o, double *turn) {
    *turn = 1.0;
    o->normal = cdi_onto_normal(o->f, o->slack);
    if (cdi_v3_is_zero(o->normal)) return false;
    o->height = cdi_v3_dot(o->normal, cdi_v3_sub(o->p, o->f->v[0]));
    o->speed = cdi_v3_dot(o->normal, o->d);
    if (o->height < 0.0 || (o->height == 0.0 && o->speed > 0.0)) {
        o->normal = cdi_v3_neg(o->normal);
        o->height = 0.0 - o->height;
        o->speed = 0.0 - o->speed;
        *turn = -1.0;
    }
    return true;
}

static uint32_t cdi_onto_face(cdi_onto *o) {
    double first, turn;
    if (o->f->count < 3) return 1u;
    if (!cdi_onto_over(o, &turn)) return 15u;
    return cdi_onto_enters(o, &first) ? cdi_onto_sides(o, turn, first) : 0u;
}

/* ---- where it is ---- */

/* What is nearest to a point: of two triangles, whose common edge, here face 1, is inside. */
static cdi_near cdi_onto_nearest(const cdi_flat *f, cdi_v3 p) {
    cdi_near r;
    cdi_tri t;
    for (int i = 0; i < 3; ++i) t.v[i] = f->v[i < f->count ? i : f->count - 1];
    if (f->count < 3) {
        double s;
        r.point = cdi_near_segment(p, t.v[0], t.v[1], &s);
        r.sqdist = cdi_v3_sqlength(cdi_v3_sub(p, r.point));
        r.u = r.v = 0.0;
        r.feature = cdi_segment_feature(s);
        return r;
    }
    r = cdi_near_triangle(p, &t);
    if (f->count == 4) {
        cdi_near other;
        uint32_t kind, index;
        t.v[1] = f->v[2];
        t.v[2] = f->v[3];
        other = cdi_near_triangle(p, &t);
        kind = CD_FEATURE_KIND(other.feature);
        index = CD_FEATURE_INDEX(other.feature);
        if (kind == 1u || (kind == 2u && index > 0)) other.feature += index > 0;
        if (other.feature == CD_FEATURE(2u, 0u)) other.feature = CD_FEATURE(3u, 1u);
        if (r.feature == CD_FEATURE(2u, 2u)) r.feature = CD_FEATURE(3u, 1u);
        if (other.sqdist < r.sqdist) r = other;
    }
    return r;
}

/* Is the motion all but along e, a unit vector, and all of the figure ahead of p, where it is met? */
static bool cdi_onto_is_end(const cdi_onto *o, cdi_v3 e, cdi_v3 p) {
    double along = cdi_v3_dot(o->d, e), turn = along < 0.0 ? -1.0 : 1.0;
    if (cdi_v3_max_abs(cdi_v3_along(o->d, e, -along)) > 1e-13 * cdi_v3_max_abs(o->d)) return false;
    for (int i = 0; i < o->f->count; ++i) {
        if (turn * cdi_v3_dot(cdi_v3_sub(o->f->v[i], p), e) < -2.0 * o->slack) return false;
    }
    return true;
}

/* Across a figure without an area, against the motion, when it is met at p; against the motion where that is along it and meets an end. */
static cdi_v3 cdi_onto_away(const cdi_onto *o, cdi_v3 p, bool moving) {
    const cdi_flat *f = o->f;
    cdi_v3 e = cdi_v3_make(0.0, 0.0, 0.0), back = cdi_v3_neg(o->d), across;
    for (int i = 1; i < f->count; ++i) {
        cdi_v3 other = cdi_v3_sub(f->v[i], f->v[0]);
        if (cdi_v3_max_abs(other) > cdi_v3_max_abs(e)) e = other;
    }
    e = cdi_v3_unit(e);
    if (moving && cdi_onto_is_end(o, e, p)) return cdi_v3_unit(back);
    across = cdi_v3_along(back, e, -cdi_v3_dot(back, e));
    if (cdi_v3_max_abs(across) > 4e-15 * cdi_v3_max_abs(back)) { /* more than rounding */
        across = cdi_v3_unit(across);
        return cdi_v3_unit(
            cdi_v3_along(across, e, -cdi_v3_dot(across, e))); /* what rounding left, taken away */
    }
    return cdi_v3_is_zero(e) ? cdi_v3_make(1.0, 0.0, 0.0) : cdi_across(e);
}

/* The normal of edge i in the plane, or `best` if the motion is more against that. */
static cdi_v3 cdi_onto_edge_normal(const cdi_onto *o, int i, cdi_v3 best) {
    const cdi_flat *f = o->f;
    cdi_v3 a = f->v[i], e = cdi_v3_sub(f->v[cdi_onto_next(o, i)], a), out;
    out = cdi_v3_unit(cdi_v3_cross(e, o->normal));
    if (cdi_v3_dot(out, cdi_v3_sub(f->v[(i + 2) % f->count], a)) > 0.0) out = cdi_v3_neg(out);
    return cdi_v3_dot(out, o->d) < cdi_v3_dot(best, o->d) ? out : best;
}

/* Where the point is on the figure, or so near that the way from there has no direction: of the normals of what is met that
 * most against the motion. */
static cdi_v3 cdi_onto_thin(const cdi_onto *o, const cdi_near *at, bool moving) {
    uint32_t kind = CD_FEATURE_KIND(at->feature);
    int i = (int)CD_FEATURE_INDEX(at->feature), before = i > 0 ? i - 1 : o->f->count - 1;
    cdi_v3 best = o->normal;
    if (cdi_v3_is_zero(o->normal)) return cdi_onto_away(o, at->point, moving);
    if (kind == 1u || kind == 2u) best = cdi_onto_edge_normal(o, i, best);
    if (kind == 1u) best = cdi_onto_edge_normal(o, before, best);
    return best;
}

/* All about the contact, where the point is at p. */
static void cdi_onto_at(const cdi_onto *o, cdi_v3 p, cdi_near at, bool moving, cdi_impact *met) {
    double distance = cdi_sqrt(at.sqdist);
    bool area = !cdi_v3_is_zero(o->normal);
    met->point = at.point;
    met->feature = CD_FEATURE_KIND(at.feature) == 3u ? CD_FEATURE(3u, 0u) : at.feature;
    met->u = o->f->count == 3 ? at.u : 0.0;
    met->v = o->f->count == 3 ? at.v : 0.0;
    met->depth = o->radius - distance;
    met->normal = cdi_v3_unit(cdi_v3_sub(p, at.point));
    if (area && at.feature == CD_FEATURE(3u, 0u))
        met->normal = o->normal;
    else if (distance <= 16.0 * o->slack) {
        met->normal = cdi_onto_thin(o, &at, moving);
        met->thin = true;
    }
}

/* What is nearest to p of the edge or corner that is met. */
static cdi_near cdi_onto_border(const cdi_onto *o, cdi_v3 p) {
    int i = (int)CD_FEATURE_INDEX(o->feature), k = cdi_onto_next(o, i);
    cdi_v3 a = o->f->v[i], e = cdi_v3_sub(o->f->v[k], a);
    double s = CD_FEATURE_KIND(o->feature) == 2u ? cdi_v3_dot(cdi_v3_sub(p, a), e) / cdi_v3_sqlength(e) : 0.0;
    cdi_near r;
    r.point = cdi_v3_along(a, e, s);
    r.sqdist = cdi_v3_sqlength(cdi_v3_sub(p, r.point));
    r.u = i == 1 ? 1.0 - s : k == 1 ? s : 0.0;
    r.v = i == 2 ? 1.0 - s : k == 2 ? s : 0.0;
    r.feature = o->feature;
    return r;
}

/* The figure is not beyond the point, seen from p: else another feature is as near, and that one has the right normal. */
static bool cdi_onto_is_nearest(const cdi_onto *o, cdi_v3 p, const cdi_near *at) {
    cdi_v3 n = cdi_v3_sub(p, at->point);
    double most = o->slack * o->slack * at->sqdist;
    for (int i = 0; i < o->f->count; ++i) {
        double beyond = cdi_v3_dot(n, cdi_v3_sub(o->f->v[i], at->point));
        if (beyond > 0.0 && beyond * beyond > most) return false;
    }
    return true;
}

static void cdi_onto_later(const cdi_onto *o, cdi_impact *met) {
    cdi_v3 p = cdi_v3_along(o->p, o->d, o->last);
    if (CD_FEATURE_KIND(o->feature) != 3u) {
        cdi_near at = cdi_onto_border(o, p);
        if (!cdi_onto_is_nearest(o, p, &at)) at = cdi_onto_nearest(o->f, p);
        cdi_onto_at(o, p, at, true, met);
        return;
    }
    met->feature = o->feature;
    met->normal = o->normal;
    met->point = cdi_v3_along(p, o->normal, -cdi_v3_dot(o->normal, cdi_v3_sub(p, o->f->v[0])));
    if (o->f->count == 3) {
        cdi_near at = cdi_onto_nearest(o->f, met->point);
        met->u = at.u;
        met->v = at.v;
    }
}

/* Surely short of the figure all the way: so it is at the end, on the axis from there to the middle, and farther before. */
static bool cdi_onto_short(const cdi_onto *o) {
    const cdi_flat *f = o->f;
    cdi_v3 end = cdi_v3_along(o->p, o->d, o->last), axis = cdi_v3_sub(f->v[0], end);
    double reach = o->radius + 2.0 * o->slack, least = CDI_HUGE;
    for (int i = 1; i < f->count; ++i) axis = cdi_v3_add(axis, cdi_v3_sub(f->v[i], end));
    for (int i = 0; i < f->count; ++i) least = cdi_min(cdi_v3_dot(axis, cdi_v3_sub(f->v[i], end)), least);
    return cdi_v3_dot(axis, o->d) >= 0.0 && least > 0.0 &&
           least * least > reach * reach * cdi_v3_sqlength(axis);
}

static cdi_onto cdi_onto_begin(const cdi_cast *c, const cdi_flat *f, double radius, double slack) {
    cdi_onto o;
    o.f = f;
    o.p = c->t_min > 0.0 ? cdi_v3_along(c->o, c->d, c->t_min) : c->o;
    o.d = c->d;
    o.normal = cdi_v3_make(0.0, 0.0, 0.0);
    o.radius = radius;
    o.height = o.speed = 0.0;
    o.slack = slack;
    o.last = c->t_max - c->t_min;
    o.found = false;
    o.feature = CD_FEATURE_NONE;
    return o;
}

/* Does no feature of the figure say a contact before `until`, wherever the motion goes from there? All that are told are within one and
 * a half slacks of the figure, some before the slab is entered: so surely passed is only what stays farther than two from the plane,
 * or keeps farther than that beside one side of the figure as long as it is nearer to the plane. */
static bool cdi_sweep_flat_passes(const cdi_cast *c, const cdi_flat *f, double radius, double slack,
                                  double until) {
    cdi_onto o = cdi_onto_begin(c, f, radius, slack);
    double first, turn, reach = radius + 2.0 * slack;
    cdi_v3 p, way;
    o.last = until - c->t_min;
    if (cdi_onto_short(&o)) return true;
    if (f->count < 3 || !cdi_onto_over(&o, &turn)) return false;
    o.radius += slack;
    if (!cdi_onto_enters(&o, &first)) return true;
    p = cdi_v3_along(o.p, o.d, first);
    way = cdi_v3_scale(o.d, turn * (cdi_onto_leaves(&o) - first));
    for (int i = 0; i < f->count; ++i) {
        cdi_onto_side side = cdi_onto_side_of(&o, i, p, turn);
        double best = cdi_max(side.at, side.at + cdi_v3_dot(way, side.in));
        if (best < 0.0 && best * best > reach * reach * cdi_v3_sqlength(side.in)) return true;
    }
    return false;
}

CDI_FN cdi_meets cdi_sweep_flat(const cdi_cast *c, const cdi_flat *f, double radius, double slack,
                                cdi_impact *met) {
    cdi_onto o = cdi_onto_begin(c, f, radius, slack);
    uint32_t edges, corners = 0;
    met->t = met->depth = met->u = met->v = 0.0;
    met->point = met->normal = cdi_v3_make(0.0, 0.0, 0.0);
    met->thin = false;
    if (c->t_max < 1.0 && cdi_onto_short(&o)) return CDI_MEETS_NEVER; /* others have been met before */
    edges = cdi_onto_face(&o);
    for (int i = 0; i < f->count; ++i) {
        if (edges >> i & 1u) corners |= cdi_onto_edge(&o, i);
    }
    for (int i = 0; i < f->count; ++i) {
        if (corners >> i & 1u) cdi_onto_corner(&o, i);
    }
    if (!o.found) return CDI_MEETS_NEVER;
    met->t = c->t_min + o.last;
    if (met->t > c->t_min) {
        cdi_onto_later(&o, met);
        return CDI_MEETS_LATER;
    }
    cdi_onto_at(&o, o.p, cdi_onto_nearest(f, o.p), false, met);
    return CDI_MEETS_AT_START;
}

static double cdi_cast_most(const cdi_cast *c, double radius) {
    return cdi_max(cdi_max(cdi_v3_max_abs(c->o), cdi_v3_max_abs(c->d)), radius);
}

static cdi_meets cdi_sweep_tame(const cdi_cast *c, const cdi_flat *f, double radius, double slack,
                                double until, cdi_impact *met) {
    if (until < c->t_max && cdi_sweep_flat_passes(c, f, radius, slack, until)) return CDI_MEETS_NEVER;
    return cdi_sweep_flat(c, f, radius, slack, met);
}

CDI_FN cdi_meets cdi_sweep_rounded(const cdi_cast *c, const cdi_flat *f, double radius, double until,
                                   cdi_impact *met) {
    double most = cdi_cast_most(c, radius), slack;
    cdi_cast scaled = *c;
    cdi_flat figure = *f;
    cdi_meets meets;
    int shift;
    for (int i = 0; i < f->count; ++i) most = cdi_max(cdi_v3_max_abs(f->v[i]), most);
    shift = cdi_tame_shift(most);
    slack = cdi_sweep_slack(cdi_scale2(most, shift));
    if (shift == 0) return cdi_sweep_tame(c, f, radius, slack, until, met);
    scaled.o = cdi_v3_scale2(c->o, shift);
    scaled.d = cdi_v3_scale2(c->d, shift);
    for (int i = 0; i < f->count; ++i) figure.v[i] = cdi_v3_scale2(f->v[i], shift);
    meets = cdi_sweep_tame(&scaled, &figure, cdi_scale2(radius, shift), slack, until, met);
    if (meets == CDI_MEETS_NEVER) return meets;
    met->point = cdi_v3_scale2(met->point, -shift);
    met->depth = cdi_scale2(met->depth, -shift);
    return meets;
}

#undef CDI_ONTO_LEAST
