#include "query/sweep_box.h"
#include "query/closest3d.h"
#include "query/flat3d.h"
#include "query/sweep3d.h"
#include "query/sweep_box3d.h"
#include "query/sweep_many3d.h"

/* ---- axes in motion ---- */

static void cdi_moving_axes_begin(cdi_moving_axes *w, double slack, double end) {
    w->count = w->faces = 0;
    w->last = -1;
    w->slack = slack;
    w->in = 0.0;
    w->out = CDI_HUGE;
    w->end = end;
}

/* The next one is there: false when it keeps them apart, or parts them before they overlap along another one. */
CDI_HOT bool cdi_moving_axes_add(cdi_moving_axes *w) {
    const cdi_moving_axis *x = &w->axis[w->count];
    double in = 0.0;
    if (x->lo > 0.0) {
        if (!(x->speed > 0.0)) return false;
        in = x->lo / x->speed;
    } else if (x->hi < 0.0) {
        if (!(x->speed < 0.0)) return false;
        in = x->hi / x->speed;
    }
    if (in > w->in || (w->last < 0 && (x->lo > 0.0 || x->hi < 0.0))) {
        w->in = in;
        w->last = w->count;
    }
    if (x->speed != 0.0) w->out = cdi_min(w->out, (x->speed > 0.0 ? x->hi : x->lo) / x->speed);
    ++w->count;
    return w->in <= w->out && w->in <= w->end;
}

/* Out of B: the moving box is on the low side of it while lo > 0. */
static cdi_v3 cdi_moving_axis_normal(const cdi_moving_axis *x, bool low) {
    return cdi_v3_scale(low ? cdi_v3_neg(x->n) : x->n, 1.0 / x->norm);
}

/* Does the axis come to overlap as good as when the last one does? So that at that time they are not beyond touching. */
static bool cdi_moving_axis_is_last(const cdi_moving_axes *w, const cdi_moving_axis *x) {
    double at = w->in * x->speed;
    double gap = x->lo > 0.0 ? x->lo - at : x->hi < 0.0 ? at - x->hi : -CDI_HUGE;
    return gap >= -w->slack * x->norm;
}

static cdi_v3 cdi_moving_axes_first_contact(const cdi_moving_axes *w) {
    int i = 0;
    while (i < w->last && !cdi_moving_axis_is_last(w, &w->axis[i])) ++i;
    return cdi_moving_axis_normal(&w->axis[i], w->axis[i].lo > 0.0);
}

/* ---- starts ---- */

/* A way out of an overlap. */
typedef struct cdi_escape {
    double depth;
    cdi_v3 normal;
    bool leaves; /* a face's, that the motion does not lead against */
} cdi_escape;

static cdi_escape cdi_moving_axis_escape(const cdi_moving_axes *w, const cdi_moving_axis *x, bool low,
                                         bool face) {
    cdi_escape e;
    e.depth = (low ? -x->lo : x->hi) / x->norm - w->slack;
    e.normal = cdi_moving_axis_normal(x, low);
    e.leaves = face && (low ? x->speed <= 0.0 : x->speed >= 0.0);
    return e;
}

/* Shorter, beyond rounding; of equal ones one that the motion takes, so that what lies at two faces can slide along either. */
static bool cdi_escape_is_better(const cdi_escape *e, const cdi_escape *than, double slack) {
    if (e->depth < than->depth - 2.0 * slack) return true;
    return e->leaves && !than->leaves && e->depth <= than->depth + 2.0 * slack;
}

static cdi_escape cdi_moving_axes_nearest_escape(const cdi_moving_axes *w) {
    cdi_escape best;
    best.depth = CDI_HUGE;
    best.normal = cdi_v3_make(1.0, 0.0, 0.0);
    best.leaves = false;
    for (int i = 0; i < 2 * w->count; ++i) {
        const cdi_moving_axis *x = &w->axis[i / 2];
        bool low = (i % 2 == 0) == (x->speed > 0.0); /* first the one against the motion */
        cdi_escape e = cdi_moving_axis_escape(w, x, low, i / 2 < w->faces);
        if (cdi_escape_is_better(&e, &best, w->slack)) best = e;
    }
    return best;
}

/* ---- what is met, in the frame of the moving box's centre at the start ---- */

/* Half of the box's extent along n, in units of its length. */
static double cdi_obb_reach(const cdi_obb *b, cdi_v3 n) {
    return cdi_abs(cdi_v3_dot(b->axes.c[0], n)) * b->half[0] +
           cdi_abs(cdi_v3_dot(b->axes.c[1], n)) * b->half[1] +
           cdi_abs(cdi_v3_dot(b->axes.c[2], n)) * b->half[2];
}

CDI_FN void cdi_target_extent(const cdi_target_body *b, cdi_v3 n, double *lo, double *hi) {
    double x, y, z;
    if (b->is_box) {
        x = cdi_v3_dot(b->box.center, n);
        y = cdi_obb_reach(&b->box, n);
        *lo = x - y;
        *hi = x + y;
    } else {
        x = cdi_v3_dot(b->tri.v[0], n);
        y = cdi_v3_dot(b->tri.v[1], n);
        z = cdi_v3_dot(b->tri.v[2], n);
        *lo = cdi_min(cdi_min(x, y), z);
        *hi = cdi_max(cdi_max(x, y), z);
    }
}

/* An axis of which nothing is left, where edges are parallel or have no length, tells nothing. */
static bool cdi_box_sweep_along(cdi_box_sweep *s, cdi_v3 n) {
    cdi_moving_axis *x = &s->axes.axis[s->axes.count];
    x->n = n;
    x->norm = cdi_v3_norm(n);
    if (!(x->norm > 1e-200)) return true;
    x->speed = cdi_v3_dot(s->motion, n);
    x->reach = cdi_obb_reach(&s->a, n) + s->axes.slack * x->norm;
    cdi_target_extent(&s->b, n, &x->lo, &x->hi);
    x->lo -= x->reach;
    x->hi += x->reach;
    return cdi_moving_axes_add(&s->axes);
}

CDI_FN cdi_v3 cdi_edges_cross(cdi_v3 a, cdi_v3 b) {
    cdi_v3 n = cdi_v3_cross(a, b);
    return cdi_v3_max_abs(n) >= 0.25 * cdi_v3_max_abs(a) * cdi_v3_max_abs(b) ? n : cdi_sharp_cross(a, b);
}

static void cdi_obb_sides(const cdi_obb *b, cdi_v3 side[3]) {
    for (int i = 0; i < 3; ++i) {
        cdi_v3 n = cdi_v3_cross(b->axes.c[(i + 1) % 3], b->axes.c[(i + 2) % 3]);
        side[i] = n;
    }
}

CDI_FN int cdi_target_normals(const cdi_target_body *b, const cdi_v3 edge[3], cdi_v3 normal[3]) {
    if (b->is_box) {
        cdi_obb_sides(&b->box, normal);
        return 3;
    }
    normal[0] = cdi_edges_cross(edge[0], edge[1]);
    return 1;
}

CDI_FN void cdi_target_edges(const cdi_target_body *b, cdi_v3 edge[3]) {
    for (int i = 0; i < 3; ++i) {
        cdi_v3 e = b->is_box ? b->box.axes.c[i] : cdi_v3_sub(b->tri.v[(i + 1) % 3], b->tri.v[i]);
        edge[i] = e;
    }
}

/* All axes; false when they never meet. */
static bool cdi_box_sweep_axes(cdi_box_sweep *s) {
    cdi_v3 edge[3], normal[3];
    int normals;
    cdi_target_edges(&s->b, edge);
    normals = cdi_target_normals(&s->b, edge, normal);
    for (int i = 0; i < normals; ++i) {
        if (!cdi_box_sweep_along(s, normal[i])) return false;
    }
    for (int i = 0; i < 3; ++i) {
        if (!cdi_box_sweep_along(s, s->side[i])) return false;
    }
    s->axes.faces = s->axes.count;
    for (int i = 0; i < 9; ++i) {
        if (!cdi_box_sweep_along(s, cdi_edges_cross(s->a.axes.c[i / 3], edge[i % 3]))) return false;
    }
    return true;
}

/* ---- what passes by ----
 * Most triangles of a mesh do. Measured along the box's sides it is one along the coordinate axes, whether these are
 * perpendicular or not, and every axis is a cross product or less (Akenine-Moller). The box is grown by twice what a contact
 * may leave between the two: nothing that the axes above would find is lost by any rounding here. */

static cdi_v3 cdi_box_sweep_local(const cdi_box_sweep *s, cdi_v3 p) {
    return cdi_v3_make(cdi_v3_dot(s->side[0], p), cdi_v3_dot(s->side[1], p), cdi_v3_dot(s->side[2], p));
}

/* Along one axis, for all times from in to out? The bound is for products that leave the range. */
CDI_HOT bool cdi_stays_apart(double lo, double hi, double reach, double speed, double in, double out) {
    double first = speed * in, last = speed * out;
    reach += 1e-300;
    return lo - reach > cdi_max(first, last) || hi + reach < cdi_min(first, last);
}

/* When they overlap along one side. */
CDI_HOT void cdi_narrow_time(double lo, double hi, double reach, double speed, double *in, double *out) {
    if (speed == 0.0) return;
    *in = cdi_max(*in, (speed > 0.0 ? lo - reach : hi + reach) / speed);
    *out = cdi_min(*out, (speed > 0.0 ? hi + reach : lo - reach) / speed);
}

/* Along the cross products of the edge from a and the sides; c is the other corner. */
CDI_HOT bool cdi_edge_stays_apart(cdi_v3 a, cdi_v3 edge, cdi_v3 c, cdi_v3 half, cdi_v3 motion, double in,
                                  double out) {
    cdi_v3 p = cdi_v3_cross(a, edge), q = cdi_v3_cross(c, edge), speed = cdi_v3_cross(motion, edge);
    double x = cdi_abs(edge.x), y = cdi_abs(edge.y), z = cdi_abs(edge.z);
    return cdi_stays_apart(cdi_min(p.x, q.x), cdi_max(p.x, q.x), half.y * z + half.z * y, speed.x, in, out) ||
           cdi_stays_apart(cdi_min(p.y, q.y), cdi_max(p.y, q.y), half.z * x + half.x * z, speed.y, in, out) ||
           cdi_stays_apart(cdi_min(p.z, q.z), cdi_max(p.z, q.z), half.x * y + half.y * x, speed.z, in, out);
}

/* Along a normal, of which rounding may have left anything: so each corner counts. */
CDI_HOT bool cdi_normal_stays_apart(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 n, cdi_v3 half, cdi_v3 motion,
                                    double in, double out) {
    double x = cdi_v3_dot(a, n), y = cdi_v3_dot(b, n), z = cdi_v3_dot(c, n);
    double reach = half.x * cdi_abs(n.x) + half.y * cdi_abs(n.y) + half.z * cdi_abs(n.z);
    return cdi_stays_apart(cdi_min(cdi_min(x, y), z), cdi_max(cdi_max(x, y), z), reach, cdi_v3_dot(motion, n),
                           in, out);
}

static bool cdi_box_sweep_passes_by(const cdi_box_sweep *s) {
    double in = 0.0, out = s->axes.end, grown = 4.0 * s->axes.slack;
    cdi_v3 a = cdi_box_sweep_local(s, s->b.tri.v[0]), b = cdi_box_sweep_local(s, s->b.tri.v[1]);
    cdi_v3 c = cdi_box_sweep_local(s, s->b.tri.v[2]), d = s->speed, half = s->half, ab, bc;
    cdi_v3 lo = cdi_v3_make(cdi_min(cdi_min(a.x, b.x), c.x), cdi_min(cdi_min(a.y, b.y), c.y),
                            cdi_min(cdi_min(a.z, b.z), c.z));
    cdi_v3 hi = cdi_v3_make(cdi_max(cdi_max(a.x, b.x), c.x), cdi_max(cdi_max(a.y, b.y), c.y),
                            cdi_max(cdi_max(a.z, b.z), c.z));
    half = cdi_v3_add(half, cdi_v3_make(grown, grown, grown));
    if (cdi_stays_apart(lo.x, hi.x, half.x, d.x, in, out) ||
        cdi_stays_apart(lo.y, hi.y, half.y, d.y, in, out) ||
        cdi_stays_apart(lo.z, hi.z, half.z, d.z, in, out))
        return true;
    cdi_narrow_time(lo.x, hi.x, half.x, d.x, &in, &out);
    cdi_narrow_time(lo.y, hi.y, half.y, d.y, &in, &out);
    cdi_narrow_time(lo.z, hi.z, half.z, d.z, &in, &out);
    ab = cdi_v3_sub(b, a);
    bc = cdi_v3_sub(c, b);
    return in > out || cdi_normal_stays_apart(a, b, c, cdi_v3_cross(ab, bc), half, d, in, out) ||
           cdi_edge_stays_apart(a, ab, c, half, d, in, out) ||
           cdi_edge_stays_apart(b, bc, a, half, d, in, out) ||
           cdi_edge_stays_apart(c, cdi_v3_sub(a, c), b, half, d, in, out);
}

/* ---- the part of a body that is farthest along a direction ---- */

/* A box's facet by what of it is level along the direction: no axis, one, or two. */
static uint32_t cdi_box_facet_feature(const bool level[3], const bool up[3], int levels) {
    uint32_t vertex = 0;
    for (int i = 2; i >= 0; --i) vertex = 2 * vertex + (uint32_t)up[i];
    if (levels == 0) return CD_FEATURE(1u, vertex);
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t low = i == 0 ? 1u : 0u, high = i == 2 ? 1u : 2u;
        if (levels == 1 && level[i])
            return CD_FEATURE(2u, 4 * i + (uint32_t)up[low] + 2 * (uint32_t)up[high]);
        if (levels == 2 && !level[i]) return CD_FEATURE(3u, 2 * i + (uint32_t)up[i]);
    }
    return 0; /* axes are perpendicular: not all are level */
}

/* The corners around it: one, two or four. */
static void cdi_facet_extend(cdi_facet *f, cdi_v3 by) {
    int n = f->count;
    for (int i = 0; i < n; ++i) {
        cdi_v3 p = f->p[i];
        f->p[i] = cdi_v3_sub(p, by);
        f->p[2 * n - 1 - i] = cdi_v3_add(p, by);
    }
    f->count = 2 * n;
}

CDI_FN void cdi_box_facet(const cdi_obb *b, cdi_v3 u, double level_below, cdi_facet *f) {
    bool level[3], up[3];
    int levels = 0;
    f->p[0] = b->center;
    f->count = 1;
    for (int i = 0; i < 3; ++i) {
        double along = cdi_v3_dot(b->axes.c[i], u);
        up[i] = !(along < 0.0);
        level[i] = cdi_abs(along) <= 0.5 && 2.0 * cdi_abs(along) * b->half[i] <= level_below;
        levels += level[i];
        if (!level[i]) f->p[0] = cdi_v3_along(f->p[0], b->axes.c[i], up[i] ? b->half[i] : -b->half[i]);
    }
    for (int i = 0; i < 3; ++i) {
        if (level[i]) cdi_facet_extend(f, cdi_v3_scale(b->axes.c[i], b->half[i]));
    }
    f->feature = cdi_box_facet_feature(level, up, levels);
}

static bool cdi_facet_has(const cdi_facet *f, cdi_v3 p) {
    for (int i = 0; i < f->count; ++i) {
        if (cdi_v3_is_zero(cdi_v3_sub(f->p[i], p))) return true;
    }
    return false;
}

/* Corners in one place count as the first of them. */
CDI_FN void cdi_triangle_facet(const cdi_tri *t, cdi_v3 u, double level_below, cdi_facet *f) {
    double along[3], most;
    uint32_t kept = 0;
    for (int i = 0; i < 3; ++i) along[i] = cdi_v3_dot(t->v[i], u);
    most = cdi_max(cdi_max(along[0], along[1]), along[2]);
    f->count = 0;
    for (int i = 0; i < 3; ++i) {
        if (along[i] < most - level_below || cdi_facet_has(f, t->v[i])) continue;
        f->p[f->count++] = t->v[i];
        kept |= 1u << i;
    }
    if (f->count == 1) f->feature = CD_FEATURE(1u, kept >> 1);
    if (f->count == 2) f->feature = CD_FEATURE(2u, kept == 3u ? 0u : kept == 6u ? 1u : 2u);
    if (f->count == 3) f->feature = CD_FEATURE(3u, 0u);
}

CDI_FN void cdi_target_facet(const cdi_target_body *b, cdi_v3 u, double level_below, cdi_facet *f) {
    if (b->is_box)
        cdi_box_facet(&b->box, u, level_below, f);
    else
        cdi_triangle_facet(&b->tri, u, level_below, f);
}

/* ---- what is shared ---- */

static void cdi_facet_put(cdi_facet *f, cdi_v3 p) {
    if (f->count > 0 && cdi_v3_is_zero(cdi_v3_sub(f->p[f->count - 1], p))) return;
    if (f->count < CDI_FACET_ROOM) f->p[f->count++] = p;
}

/* From the inner end, so that an edge is cut in the same place whichever way it is gone along. */
static cdi_v3 cdi_facet_cut(cdi_v3 in, double inner, cdi_v3 out, double outer) {
    return cdi_v3_along(in, cdi_v3_sub(out, in), inner / (inner - outer));
}

static bool cdi_facet_is_beyond(const cdi_facet *f, cdi_v3 n, double most) {
    for (int i = 0; i < f->count; ++i) {
        if (most - cdi_v3_dot(n, f->p[i]) < 0.0) return true;
    }
    return false;
}

/* What is left of it where n . p <= most (Sutherland and Hodgman). */
CDI_FN void cdi_facet_clip(cdi_facet *f, cdi_v3 n, double most) {
    cdi_facet all;
    if (!cdi_facet_is_beyond(f, n, most)) return;
    all = *f;
    f->count = 0;
    for (int i = 0; i < all.count; ++i) {
        cdi_v3 p = all.p[i], q = all.p[(i + 1) % all.count];
        double at_p = most - cdi_v3_dot(n, p), at_q = most - cdi_v3_dot(n, q);
        if (at_p >= 0.0) cdi_facet_put(f, p);
        if (at_p >= 0.0 && at_q < 0.0) cdi_facet_put(f, cdi_facet_cut(p, at_p, q, at_q));
        if (at_p < 0.0 && at_q >= 0.0) cdi_facet_put(f, cdi_facet_cut(q, at_q, p, at_p));
    }
    if (f->count > 1 && cdi_v3_is_zero(cdi_v3_sub(f->p[f->count - 1], f->p[0]))) --f->count;
}

CDI_FN cdi_v3 cdi_facet_middle(const cdi_facet *f) {
    cdi_v3 sum = f->p[0];
    for (int i = 1; i < f->count; ++i) sum = cdi_v3_add(sum, f->p[i]);
    return cdi_v3_scale(sum, 1.0 / (double)f->count);
}

/* The middle of what of the facet is in the moving box, grown, when its centre is at c. */
static bool cdi_facet_shared(const cdi_box_sweep *s, cdi_v3 c, cdi_facet f, double grown, cdi_v3 *middle) {
    for (int i = 0; i < 3 && f.count > 0; ++i) {
        double reach = cdi_obb_reach(&s->a, s->side[i]) + grown * cdi_v3_norm(s->side[i]);
        double at = cdi_v3_dot(s->side[i], c);
        cdi_facet_clip(&f, s->side[i], at + reach);
        if (f.count > 0) cdi_facet_clip(&f, cdi_v3_neg(s->side[i]), reach - at);
    }
    if (f.count > 0) *middle = cdi_facet_middle(&f);
    return f.count > 0;
}

/* The same of any face of the body. */
static bool cdi_surface_shared(const cdi_box_sweep *s, cdi_v3 c, double grown, cdi_v3 *middle) {
    cdi_facet f;
    if (!s->b.is_box) {
        cdi_triangle_facet(&s->b.tri, c, CDI_HUGE, &f);
        return cdi_facet_shared(s, c, f, grown, middle);
    }
    for (int i = 0; i < 6; ++i) {
        cdi_v3 n = s->b.box.axes.c[i / 2];
        cdi_box_facet(&s->b.box, i % 2 ? n : cdi_v3_neg(n), 0.01 * s->most, &f);
        if (cdi_facet_shared(s, c, f, grown, middle)) return true;
    }
    return false;
}

/* ---- the contact ---- */

/* The facet first; after a start deep inside, the rest of the surface, or of it nothing: the moving box is all inside. */
static void cdi_box_contact(const cdi_box_sweep *s, double time, cdi_impact *met) {
    cdi_v3 c = cdi_v3_scale(s->motion, time);
    double slack = s->axes.slack;
    cdi_facet f;
    cdi_target_facet(&s->b, met->normal, 2.0 * slack, &f);
    met->feature = f.feature;
    if (cdi_facet_shared(s, c, f, 2.0 * slack, &met->point)) return;
    if (cdi_surface_shared(s, c, 2.0 * slack, &met->point)) return;
    if (cdi_facet_shared(s, c, f, 16.0 * slack, &met->point)) return;
    met->point = s->b.is_box ? c : cdi_facet_middle(&f);
}

CDI_FN void cdi_impact_weights(const cdi_tri *t, cdi_impact *met) {
    cdi_near at = cdi_near_triangle(met->point, t);
    met->u = at.u;
    met->v = at.v;
}

/* The impact where it belongs. */
static void cdi_box_sweep_home(const cdi_box_sweep *s, const cdi_cast *c, double time, cdi_impact *met) {
    met->point = cdi_v3_scale2(cdi_v3_add(met->point, s->from), -s->shift);
    met->depth = cdi_scale2(met->depth, -s->shift);
    met->t = cdi_min(c->t_min + time, c->t_max);
}

/* ---- the core ---- */

CDI_FN void cdi_impact_begin(cdi_impact *met) {
    met->t = met->depth = met->u = met->v = 0.0;
    met->feature = 0;
}

static cdi_meets cdi_box_sweep_met(const cdi_box_sweep *s, const cdi_cast *c, cdi_impact *met) {
    bool later = s->axes.last >= 0;
    double time = later ? s->axes.in : 0.0;
    cdi_escape out;
    cdi_impact_begin(met);
    if (later) {
        met->normal = cdi_moving_axes_first_contact(&s->axes);
    } else {
        out = cdi_moving_axes_nearest_escape(&s->axes);
        met->normal = out.normal;
        met->depth = out.depth;
    }
    cdi_box_contact(s, time, met);
    if (!s->b.is_box) cdi_impact_weights(&s->b.tri, met);
    cdi_box_sweep_home(s, c, time, met);
    return later ? CDI_MEETS_LATER : CDI_MEETS_AT_START;
}

CDI_FN double cdi_obb_top(const cdi_obb *b) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        double x = cdi_abs(cdi_v3_get(b->center, i));
        for (int k = 0; k < 3; ++k) x += cdi_abs(cdi_v3_get(b->axes.c[k], i)) * b->half[k];
        most = cdi_max(most, x);
    }
    return most;
}

CDI_FN cdi_obb cdi_obb_scale2(const cdi_obb *b, int shift) {
    cdi_obb r = *b;
    if (shift == 0) return r;
    r.center = cdi_v3_scale2(b->center, shift);
    for (int i = 0; i < 3; ++i) r.half[i] = cdi_scale2(b->half[i], shift);
    return r;
}

/* The moving box, and the motion from the start on, where `most` is the largest coordinate of what is met. */
static void cdi_box_sweep_begin(cdi_box_sweep *s, const cdi_cast *c, const cdi_obb *a, double most) {
    s->top = cdi_max(cdi_obb_top(a), cdi_v3_max_abs(c->d));
    most = cdi_max(most, s->top);
    s->shift = cdi_tame_shift(most);
    s->a = cdi_obb_scale2(a, s->shift);
    s->motion = cdi_v3_scale2(c->d, s->shift);
    s->from = cdi_v3_along(s->a.center, s->motion, c->t_min);
    s->most = cdi_min(cdi_scale2(most, s->shift), CDI_HUGE);
    cdi_obb_sides(&s->a, s->side);
    s->half = cdi_v3_make(cdi_obb_reach(&s->a, s->side[0]), cdi_obb_reach(&s->a, s->side[1]),
                          cdi_obb_reach(&s->a, s->side[2]));
    s->speed = cdi_box_sweep_local(s, s->motion);
}

/* The same for another target; for most of them next to nothing. */
static void cdi_box_sweep_next(cdi_box_sweep *s, const cdi_cast *c, const cdi_obb *a, double most) {
    most = cdi_max(most, s->top);
    if (cdi_tame_shift(most) != s->shift)
        cdi_box_sweep_begin(s, c, a, most);
    else
        s->most = cdi_min(cdi_scale2(most, s->shift), CDI_HUGE);
}

static void cdi_box_sweep_no_axes(cdi_box_sweep *s, double end) {
    cdi_moving_axes_begin(&s->axes, cdi_sweep_slack(s->most), end);
}

static cdi_meets cdi_sweep_box_box(const cdi_cast *c, const cdi_obb *a, const cdi_obb *b, cdi_impact *met) {
    cdi_box_sweep s;
    cdi_box_sweep_begin(&s, c, a, cdi_obb_top(b));
    s.b.is_box = true;
    s.b.box = cdi_obb_scale2(b, s.shift);
    s.b.box.center = cdi_v3_sub(s.b.box.center, s.from);
    cdi_box_sweep_no_axes(&s, c->t_max - c->t_min);
    return cdi_box_sweep_axes(&s) ? cdi_box_sweep_met(&s, c, met) : CDI_MEETS_NEVER;
}

static void cdi_box_sweep_aim(cdi_box_sweep *s, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    s->b.is_box = false;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = cdi_v3_sub(cdi_v3_scale2(d.v[i], s->shift), s->from);
        s->b.tri.v[i] = v;
    }
}

/* By a sweep that has begun. */
static cdi_meets cdi_sweep_box_triangle(cdi_box_sweep *s, const cdi_cast *c, const cdi_obb *a,
                                        const cd_triangle *t, cdi_impact *met) {
    if (!cdi_no_excess(cdi_excess(t->a) | cdi_excess(t->b) | cdi_excess(t->c))) return CDI_MEETS_NEVER;
    cdi_box_sweep_next(s, c, a, cdi_max(cdi_most_of_two(t->a, t->b), cdi_v3_max_abs(cdi_v3_of(t->c))));
    cdi_box_sweep_aim(s, t);
    cdi_box_sweep_no_axes(s, c->t_max - c->t_min);
    if (cdi_box_sweep_passes_by(s) || !cdi_box_sweep_axes(s)) return CDI_MEETS_NEVER;
    return cdi_box_sweep_met(s, c, met);
}

/* ---- polygons: the fan's triangles ---- */

/* In the frame of the sweep. */
static cdi_v3 cdi_box_sweep_place(const cdi_box_sweep *s, cd_vec3 p) {
    return cdi_v3_sub(cdi_v3_scale2(cdi_v3_of(p), s->shift), s->from);
}

/* The way out of one triangle is made one out of all of the polygon. */
static void cdi_moving_axes_widen(cdi_box_sweep *s, const cd_vec3 *polygon, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_box_sweep_place(s, polygon[i]);
        for (int k = 0; k < s->axes.count; ++k) {
            cdi_moving_axis *x = &s->axes.axis[k];
            double at = cdi_v3_dot(p, x->n);
            x->lo = cdi_min(x->lo, at - x->reach);
            x->hi = cdi_max(x->hi, at + x->reach);
        }
    }
}

/* The largest coordinate of the corners; false when one is not finite. */
static bool cdi_polygon_most(const cd_vec3 *polygon, size_t count, double *most) {
    *most = 0.0;
    if (count == 0 || count > 0x3FFFFFFFu) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(polygon[i])) return false;
        *most = cdi_max(*most, cdi_v3_max_abs(cdi_v3_of(polygon[i])));
    }
    return true;
}

/* A normal against the motion, how far all of the polygon and the box are apart along it at `time`, and whose it is of the fan. */
typedef struct cdi_polygon_way {
    const cd_vec3 *polygon;
    size_t count, at;
    double time, gap;
    cdi_v3 normal;
} cdi_polygon_way;

/* Something below `least` where the gap is. */
static double cdi_polygon_gap(const cdi_box_sweep *s, const cdi_polygon_way *w, cdi_v3 n, double least) {
    double gap = w->time * cdi_v3_dot(n, s->motion) - cdi_obb_reach(&s->a, n), most = -CDI_HUGE;
    for (size_t i = 0; i < w->count && gap - most >= least; ++i)
        most = cdi_max(most, cdi_v3_dot(n, cdi_box_sweep_place(s, w->polygon[i])));
    return gap - most;
}

/* Keeps n, of any length, if it parts them better, and did so when they started. */
static void cdi_polygon_try(const cdi_box_sweep *s, size_t at, cdi_v3 n, cdi_polygon_way *best) {
    double slack = s->axes.slack, least = best->gap + slack, speed, gap;
    n = cdi_v3_unit(n);
    speed = cdi_v3_dot(n, s->motion);
    if (speed > 0.0) n = cdi_v3_neg(n);
    gap = cdi_polygon_gap(s, best, n, least);
    if (!(gap > least && gap + best->time * cdi_abs(speed) > slack)) return;
    best->gap = gap;
    best->normal = n;
    best->at = at;
}

/* The axes of one triangle of the fan. */
static void cdi_polygon_try_triangle(cdi_box_sweep *s, size_t at, cdi_polygon_way *best) {
    cd_triangle t = cd_polygon_triangle(best->polygon, best->count, at);
    cdi_v3 edge[3];
    cdi_box_sweep_aim(s, &t);
    cdi_target_edges(&s->b, edge);
    cdi_polygon_try(s, at, cdi_edges_cross(edge[0], edge[1]), best);
    for (int i = 0; i < 3; ++i) cdi_polygon_try(s, at, s->side[i], best);
    for (int i = 0; i < 9; ++i)
        cdi_polygon_try(s, at, cdi_edges_cross(s->a.axes.c[i / 3], edge[i % 3]), best);
}

/* Where triangle `at` of the fan is met in a corner it shares, its normal may lead into others, by more than rounding bends the polygon:
 * then it is that of any of them that parts all best. */
static void cdi_polygon_turn(cdi_box_sweep *s, const cdi_cast *c, size_t at, double bent, cdi_polygon_way *w,
                             cdi_impact *met) {
    size_t triangles = cd_polygon_triangle_count(w->count);
    cd_triangle t;
    w->normal = met->normal;
    w->gap = cdi_polygon_gap(s, w, met->normal, -CDI_HUGE);
    w->at = CD_NONE;
    if (w->gap >= -2.0 * s->axes.slack - bent) return;
    for (size_t i = 0; i < triangles; ++i) cdi_polygon_try_triangle(s, (at + i) % triangles, w);
    if (w->at == CD_NONE) return;
    t = cd_polygon_triangle(w->polygon, w->count, w->at);
    cdi_box_sweep_aim(s, &t);
    met->normal = w->normal;
    cdi_box_contact(s, w->time, met);
    cdi_box_sweep_home(s, c, w->time, met);
    met->feature = cdi_fan_feature(met->feature, w->at, w->count);
}

static cdi_meets cdi_sweep_box_polygon(const cdi_cast *c, const cdi_obb *a, const cd_vec3 *polygon,
                                       size_t count, double most, cdi_impact *met) {
    cdi_box_sweep s;
    cdi_meets meets = CDI_MEETS_NEVER;
    cdi_polygon_way way;
    size_t at = 0;
    double end = c->t_max - c->t_min;
    cdi_box_sweep_begin(&s, c, a, most);
    for (size_t i = 0; i < cd_polygon_triangle_count(count); ++i) {
        cd_triangle t = cd_polygon_triangle(polygon, count, i);
        cdi_box_sweep_aim(&s, &t);
        cdi_box_sweep_no_axes(&s, end);
        if (cdi_box_sweep_passes_by(&s) || !cdi_box_sweep_axes(&s) ||
            (meets == CDI_MEETS_LATER && s.axes.last >= 0 && !(s.axes.in < end)))
            continue;
        if (s.axes.last < 0) cdi_moving_axes_widen(&s, polygon, count);
        meets = cdi_box_sweep_met(&s, c, met);
        met->feature = cdi_fan_feature(met->feature, i, count);
        met->u = met->v = 0.0;
        if (meets == CDI_MEETS_AT_START) break;
        end = s.axes.in;
        at = i;
    }
    if (meets == CDI_MEETS_LATER && count > 3) {
        way.polygon = polygon;
        way.count = count;
        way.time = end;
        cdi_polygon_turn(&s, c, at, 2.0 * (double)CD_REAL_EPSILON * cdi_scale2(most, s.shift), &way, met);
    }
    return meets;
}

/* ---- two boxes along the axes ---- */

/* Along one axis B is met while lo <= speed time <= hi. */
CDI_HOT bool cdi_aabbs_axis(cdi_moving_axes *w, cdi_v3 n, double lo, double hi, double speed) {
    cdi_moving_axis *x = &w->axis[w->count];
    x->n = n;
    x->norm = 1.0;
    x->lo = lo - w->slack;
    x->hi = hi + w->slack;
    x->speed = speed;
    return cdi_moving_axes_add(w);
}

/* Do they stay apart along one axis? True where that is sure, before anything is asked of the numbers. */
CDI_HOT bool cdi_aabbs_pass_by(double lo, double hi, double speed, double slack) {
    return lo - slack > cdi_max(speed, 0.0) || hi + slack < cdi_min(speed, 0.0);
}

/* Each coordinate in the middle of the common part, but on B's side along the normal, as far as that goes. */
static double cdi_aabbs_shared(double a_lo, double a_hi, double b_lo, double b_hi, double normal) {
    double lo = cdi_max(a_lo, b_lo), hi = cdi_min(a_hi, b_hi);
    double at = normal > 0.0 ? b_hi : normal < 0.0 ? b_lo : 0.5 * lo + 0.5 * hi;
    if (normal == 0.0) return cdi_clamp(at, b_lo, b_hi);
    return lo <= hi ? cdi_clamp(at, lo, hi) : at;
}

static cdi_v3 cdi_aabbs_contact(cdi_v3 a_lo, cdi_v3 a_hi, cdi_v3 b_lo, cdi_v3 b_hi, cdi_v3 n) {
    return cdi_v3_make(cdi_aabbs_shared(a_lo.x, a_hi.x, b_lo.x, b_hi.x, n.x),
                       cdi_aabbs_shared(a_lo.y, a_hi.y, b_lo.y, b_hi.y, n.y),
                       cdi_aabbs_shared(a_lo.z, a_hi.z, b_lo.z, b_hi.z, n.z));
}

static uint32_t cdi_aabb_face(cdi_v3 n) {
    uint32_t axis = n.x != 0.0 ? 0u : n.y != 0.0 ? 1u : 2u;
    return CD_FEATURE(3u, 2 * axis + (uint32_t)(n.x + n.y + n.z > 0.0));
}

static cdi_meets cdi_aabbs_met(const cdi_cast *c, const cdi_moving_axes *w, cd_aabb a, cd_aabb b,
                               cdi_impact *met) {
    bool later = w->last >= 0;
    cdi_v3 by;
    cdi_escape out;
    cdi_impact_begin(met);
    met->t = later ? cdi_min(c->t_min + w->in, c->t_max) : c->t_min;
    if (later) {
        met->normal = cdi_moving_axes_first_contact(w);
    } else {
        out = cdi_moving_axes_nearest_escape(w);
        met->normal = out.normal;
        met->depth = out.depth;
    }
    by = cdi_v3_scale(c->d, met->t);
    met->point = cdi_aabbs_contact(cdi_v3_add(cdi_v3_of(a.min), by), cdi_v3_add(cdi_v3_of(a.max), by),
                                   cdi_v3_of(b.min), cdi_v3_of(b.max), met->normal);
    met->feature = cdi_aabb_face(met->normal);
    return later ? CDI_MEETS_LATER : CDI_MEETS_AT_START;
}

static cdi_meets cdi_sweep_aabbs(const cdi_cast *c, cd_aabb a, cd_aabb b, double slack, cdi_impact *met) {
    cdi_v3 at = cdi_v3_scale(c->d, c->t_min), d = c->d;
    cdi_v3 lo = cdi_v3_sub(cdi_v3_sub(cdi_v3_of(b.min), cdi_v3_of(a.max)), at);
    cdi_v3 hi = cdi_v3_sub(cdi_v3_sub(cdi_v3_of(b.max), cdi_v3_of(a.min)), at);
    cdi_moving_axes w;
    cdi_moving_axes_begin(&w, slack, c->t_max - c->t_min);
    w.faces = 3;
    if (!cdi_aabbs_axis(&w, cdi_v3_make(1.0, 0.0, 0.0), lo.x, hi.x, d.x) ||
        !cdi_aabbs_axis(&w, cdi_v3_make(0.0, 1.0, 0.0), lo.y, hi.y, d.y) ||
        !cdi_aabbs_axis(&w, cdi_v3_make(0.0, 0.0, 1.0), lo.z, hi.z, d.z))
        return CDI_MEETS_NEVER;
    return cdi_aabbs_met(c, &w, a, b, met);
}

static double cdi_aabbs_slack(cd_aabb a, cd_aabb b, cdi_v3 d) {
    double most = cdi_max(cdi_most_of_two(a.min, a.max), cdi_most_of_two(b.min, b.max));
    return cdi_sweep_slack(cdi_max(most, cdi_v3_max_abs(d)));
}

CDI_FN bool cdi_sweep_to_aabb(const cdi_cast *c, cd_aabb a, cd_aabb b, cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets;
    if (!cd_aabb_is_valid(a) || !cd_aabb_is_valid(b)) return false;
    meets = cdi_sweep_aabbs(c, a, b, cdi_aabbs_slack(a, b, c->d), &met);
    return cdi_sweep_answer(c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CD_API bool cd_sweep_aabb_aabb(cd_aabb a, cd_vec3 motion, cd_aabb b, const cd_cast_options *options,
                               cd_hit *hit) {
    cdi_cast c;
    cdi_v3 d = cdi_v3_of(motion), lo = cdi_v3_sub(cdi_v3_of(b.min), cdi_v3_of(a.max));
    cdi_v3 hi = cdi_v3_sub(cdi_v3_of(b.max), cdi_v3_of(a.min));
    double slack = cdi_aabbs_slack(a, b, d);
    if (cdi_aabbs_pass_by(lo.x, hi.x, d.x, slack) || cdi_aabbs_pass_by(lo.y, hi.y, d.y, slack) ||
        cdi_aabbs_pass_by(lo.z, hi.z, d.z, slack))
        return false;
    return cdi_sweep_begin(&c, a.min, motion, options) && cdi_sweep_to_aabb(&c, a, b, hit);
}

/* ---- the others, with any box as an oriented one ---- */

CDI_FN bool cdi_any_box_of_aabb(cd_aabb b, cdi_obb *out) {
    cdi_v3 lo = cdi_v3_scale(cdi_v3_of(b.min), 0.5), hi = cdi_v3_scale(cdi_v3_of(b.max), 0.5);
    out->center = cdi_v3_add(lo, hi);
    cdi_v3_store(out->half, cdi_v3_sub(hi, lo));
    out->axes.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    out->axes.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    out->axes.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    return cd_aabb_is_valid(b);
}

CDI_FN bool cdi_any_box_of_obb(const cd_obb *b, cdi_obb *out) {
    *out = cdi_obb_of(b);
    return cd_obb_is_valid(b);
}

CDI_FN bool cdi_sweep_to_box(const cdi_cast *c, const cdi_obb *a, const cdi_obb *b, cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets = cdi_sweep_box_box(c, a, b, &met);
    return cdi_sweep_answer(c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CDI_FN bool cdi_sweep_to_triangle(const cdi_cast *c, const cdi_obb *a, const cd_triangle *t, cd_hit *hit) {
    cdi_impact met;
    cdi_box_sweep s;
    cdi_meets meets;
    cdi_box_sweep_begin(&s, c, a, 0.0);
    meets = cdi_sweep_box_triangle(&s, c, a, t, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(c, meets, &met, cdi_triangle_front(t), hit);
}

static void cdi_box_course_begin(cdi_box_course *m, const cdi_cast *c, const cdi_obb *a) {
    m->c = *c;
    m->a = *a;
    cdi_box_sweep_begin(&m->s, c, a, 0.0);
}

CDI_FN bool cdi_box_course_begin_aabb(cdi_box_course *m, cd_aabb a, cd_vec3 motion,
                                      const cd_cast_options *options) {
    cdi_cast c;
    cdi_obb box;
    if (!cdi_sweep_begin(&c, a.min, motion, options) || !cdi_any_box_of_aabb(a, &box)) return false;
    cdi_box_course_begin(m, &c, &box);
    return true;
}

CDI_FN bool cdi_box_course_begin_obb(cdi_box_course *m, const cd_obb *a, cd_vec3 motion,
                                     const cd_cast_options *options) {
    cdi_cast c;
    cdi_obb box;
    if (!cdi_sweep_begin(&c, a->center, motion, options) || !cdi_any_box_of_obb(a, &box)) return false;
    cdi_box_course_begin(m, &c, &box);
    return true;
}

CDI_FN void cdi_box_course_until(cdi_box_course *m, double t) {
    m->c.t_max = cdi_min(t, 1.0);
}

/* `time`: before it is rounded. */
static bool cdi_box_course_try(cdi_box_course *m, const cd_triangle *t, double *time, cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets = cdi_sweep_box_triangle(&m->s, &m->c, &m->a, t, &met);
    if (meets == CDI_MEETS_NEVER) return false;
    *time = met.t;
    return cdi_sweep_answer(&m->c, meets, &met, cdi_triangle_front(t), hit);
}

CDI_FN bool cdi_box_course_triangle(cdi_box_course *m, const cd_triangle *t, cd_hit *hit) {
    double time;
    return cdi_box_course_try(m, t, &time, hit);
}

static bool cdi_sweep_to_triangles(cdi_box_course *m, const cd_triangle *t, size_t count,
                                   const cd_cast_options *options, cd_hit *hit) {
    cd_hit best, here;
    double time;
    bool found = false;
    for (size_t i = 0; i < count && i < CD_NONE; ++i) {
        if (!cdi_box_course_try(m, &t[i], &time, &here) || (found && time >= m->c.t_max)) continue;
        if (options && options->filter && !options->filter(options->user, (uint32_t)i)) continue;
        found = true;
        best = here;
        best.index = (uint32_t)i;
        m->c.t_max = time;
    }
    if (found && hit) *hit = best;
    return found;
}

static bool cdi_sweep_to_polygon(const cdi_cast *c, const cdi_obb *a, const cd_vec3 *polygon, size_t count,
                                 cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets;
    double most;
    if (!cdi_polygon_most(polygon, count, &most)) return false;
    meets = cdi_sweep_box_polygon(c, a, polygon, count, most, &met);
    return meets != CDI_MEETS_NEVER &&
           cdi_sweep_answer(c, meets, &met, cdi_polygon_front(polygon, count), hit);
}

/* ---- round things: these move, seen from the box ---- */

CDI_FN cdi_v3 cdi_onto_round(cdi_v3 p, cdi_v3 q, double radius) {
    cdi_v3 out = cdi_v3_sub(p, q);
    double away = cdi_v3_norm(out);
    return away > radius ? cdi_v3_along(q, out, radius / away) : p;
}

static bool cdi_sweep_to_sphere(const cdi_cast *c, const cdi_obb *a, cd_sphere s, cd_hit *hit) {
    cdi_cast other = *c;
    cdi_impact met;
    cdi_meets meets;
    if (!cd_sphere_is_valid(s)) return false;
    cdi_sweep_other(&other, s.center);
    meets = cdi_sweep_ball_box(&other, (double)s.radius, a, &met);
    if (meets == CDI_MEETS_NEVER) return false;
    cdi_impact_other(&other, &met);
    met.point = cdi_onto_round(met.point, cdi_v3_of(s.center), (double)s.radius);
    met.feature = CD_FEATURE(3u, 0u);
    return cdi_sweep_answer(c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

static bool cdi_sweep_to_capsule(const cdi_cast *c, const cdi_obb *a, const cd_capsule *b, cd_hit *hit) {
    cdi_cast other = *c;
    cdi_impact met;
    cdi_meets meets;
    cdi_v3 core;
    double t;
    if (!cd_capsule_is_valid(b)) return false;
    cdi_sweep_other(&other, b->a);
    meets = cdi_sweep_rod_box(&other, b, a, cdi_obb_top(a), &met);
    if (meets == CDI_MEETS_NEVER) return false;
    cdi_impact_other(&other, &met);
    core = cdi_near_segment(met.point, cdi_v3_of(b->a), cdi_v3_of(b->b), &t);
    met.point = cdi_onto_round(met.point, core, (double)b->radius);
    met.feature = cdi_segment_feature(t); /* that of the core */
    met.u = met.v = 0.0;
    return cdi_sweep_answer(c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

/* The sweeps of one form of box, `type`, which `center` is a corner or the centre of. */
#define CDI_BOX_SWEEPS(form, type, center)                                                                   \
    CD_API bool cd_sweep_##form##_triangle(type a, cd_vec3 motion, const cd_triangle *t,                     \
                                           const cd_cast_options *options, cd_hit *hit) {                    \
        cdi_cast c;                                                                                          \
        cdi_obb box;                                                                                         \
        return cdi_sweep_begin(&c, center, motion, options) && cdi_any_box_of_##form(a, &box) &&             \
               cdi_sweep_to_triangle(&c, &box, t, hit);                                                      \
    }                                                                                                        \
    CD_API bool cd_sweep_##form##_triangles(type a, cd_vec3 motion, const cd_triangle *t, size_t count,      \
                                            const cd_cast_options *options, cd_hit *hit) {                   \
        cdi_box_course m;                                                                                    \
        return cdi_box_course_begin_##form(&m, a, motion, options) &&                                        \
               cdi_sweep_to_triangles(&m, t, count, options, hit);                                           \
    }                                                                                                        \
    CD_API bool cd_sweep_##form##_polygon(type a, cd_vec3 motion, const cd_vec3 *polygon, size_t count,      \
                                          const cd_cast_options *options, cd_hit *hit) {                     \
        cdi_cast c;                                                                                          \
        cdi_obb box;                                                                                         \
        return cdi_sweep_begin(&c, center, motion, options) && cdi_any_box_of_##form(a, &box) &&             \
               cdi_sweep_to_polygon(&c, &box, polygon, count, hit);                                          \
    }                                                                                                        \
    CD_API bool cd_sweep_##form##_sphere(type a, cd_vec3 motion, cd_sphere s,                                \
                                         const cd_cast_options *options, cd_hit *hit) {                      \
        cdi_cast c;                                                                                          \
        cdi_obb box;                                                                                         \
        return cdi_sweep_begin(&c, center, motion, options) && cdi_any_box_of_##form(a, &box) &&             \
               cdi_sweep_to_sphere(&c, &box, s, hit);                                                        \
    }                                                                                                        \
    CD_API bool cd_sweep_##form##_capsule(type a, cd_vec3 motion, const cd_capsule *b,                       \
                                          const cd_cast_options *options, cd_hit *hit) {                     \
        cdi_cast c;                                                                                          \
        cdi_obb box;                                                                                         \
        return cdi_sweep_begin(&c, center, motion, options) && cdi_any_box_of_##form(a, &box) &&             \
               cdi_sweep_to_capsule(&c, &box, b, hit);                                                       \
    }                                                                                                        \
    struct cdi_cast /* takes the semicolon */

CDI_BOX_SWEEPS(aabb, cd_aabb, a.min);
CDI_BOX_SWEEPS(obb, const cd_obb *, a->center);

#define CDI_BOXES_SWEEP(form, type, center, other, other_type)                                               \
    CD_API bool cd_sweep_##form##_##other(type a, cd_vec3 motion, other_type b,                              \
                                          const cd_cast_options *options, cd_hit *hit) {                     \
        cdi_cast c;                                                                                          \
        cdi_obb box, target;                                                                                 \
        return cdi_sweep_begin(&c, center, motion, options) && cdi_any_box_of_##form(a, &box) &&             \
               cdi_any_box_of_##other(b, &target) && cdi_sweep_to_box(&c, &box, &target, hit);               \
    }                                                                                                        \
    struct cdi_cast /* takes the semicolon */

CDI_BOXES_SWEEP(aabb, cd_aabb, a.min, obb, const cd_obb *);
CDI_BOXES_SWEEP(obb, const cd_obb *, a->center, aabb, cd_aabb);
CDI_BOXES_SWEEP(obb, const cd_obb *, a->center, obb, const cd_obb *);

#undef CDI_BOX_SWEEPS
#undef CDI_BOXES_SWEEP
