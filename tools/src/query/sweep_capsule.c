#include "query/sweep_capsule.h"
#include "query/flat3d.h"
#include "query/polygon.h"
#include "query/sweep3d.h"
#include "query/sweep_box3d.h"
#include "query/sweep_flat.h"
#include "query/sweep_many3d.h"

/* Less than this share of the lengths it is a product of, a triple product may have any sign. */
#define CDI_ROD_NOISE 1.4210854715202004e-14 /* 2^-46 */

static void cdi_rod_of(cdi_rod *r, const cdi_cast *cast, const cd_capsule *c) {
    r->c = *cast;
    r->s = cdi_v3_sub(cdi_v3_of(c->b), cdi_v3_of(c->a));
    r->w = cdi_v3_neg(r->s);
    r->origin = cdi_v3_make(0.0, 0.0, 0.0);
    r->radius = (double)c->radius;
    r->most = cdi_max(cdi_capsule_most(c), cdi_v3_max_abs(r->c.d));
    r->own = r->slack = 0.0;
    r->reach = r->radius;
    r->last = CDI_HUGE;
}

static bool cdi_rod_begin(cdi_rod *r, const cd_capsule *c, cd_vec3 motion, const cd_cast_options *options) {
    cdi_cast cast;
    if (!cd_capsule_is_valid(c) || !cdi_sweep_begin(&cast, c->a, motion, options)) return false;
    cdi_rod_of(r, &cast, c);
    return true;
}

/* The same relative to a point of F, whose largest coordinate is `most` and whose radius is `own`. */
static cdi_rod cdi_rod_from(const cdi_rod *rod, cdi_v3 origin, double most, double own) {
    cdi_rod r = *rod;
    r.c.o = cdi_v3_sub(r.c.o, origin);
    r.origin = origin;
    r.most = cdi_max(r.most, cdi_max(most, own));
    r.own = own;
    r.slack = cdi_sweep_slack(r.most);
    r.reach = r.radius + own + r.slack;
    return r;
}

static cdi_v3 cdi_rod_at(const cdi_rod *r, double t) {
    return cdi_v3_along(r->c.o, r->c.d, t);
}

/* The rod with its end a at x. */
static cdi_flat cdi_rod_flat(const cdi_rod *r, cdi_v3 x) {
    cdi_flat f;
    f.v[0] = f.v[2] = f.v[3] = x;
    f.v[1] = cdi_v3_add(x, r->s);
    f.count = 2;
    return f;
}

/* ---- what is at rest ---- */

/* A box seen from its centre, as its axes span it. */
typedef struct cdi_crate {
    cdi_v3 axis[3], normal[3]; /* as given; unit, of the faces on the positive sides */
    double half[3], height[3]; /* in units of the axis; of the faces */
} cdi_crate;

static cdi_crate cdi_crate_of(const cdi_obb *b) {
    cdi_crate k;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 n = cdi_v3_unit(cdi_v3_cross(b->axes.c[(i + 1) % 3], b->axes.c[(i + 2) % 3]));
        double along = cdi_v3_dot(n, b->axes.c[i]);
        k.axis[i] = b->axes.c[i];
        k.half[i] = b->half[i];
        k.normal[i] = along < 0.0 ? cdi_v3_neg(n) : n;
        k.height[i] = cdi_abs(along) * b->half[i];
    }
    return k;
}

/* The face on one side of an axis. */
static cdi_flat cdi_crate_face(const cdi_crate *k, int i, double side) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    cdi_v3 c = cdi_v3_scale(k->axis[i], side * k->half[i]), e = cdi_v3_scale(k->axis[j], k->half[j]),
           g = cdi_v3_scale(k->axis[l], k->half[l]);
    cdi_flat f;
    f.v[0] = cdi_v3_sub(cdi_v3_sub(c, e), g);
    f.v[1] = cdi_v3_sub(cdi_v3_add(c, e), g);
    f.v[2] = cdi_v3_add(cdi_v3_add(c, e), g);
    f.v[3] = cdi_v3_add(cdi_v3_sub(c, e), g);
    f.count = 4;
    return f;
}

/* A point, a segment or the fan of a polygon, by its corners; or a box. */
typedef struct cdi_still {
    const cd_vec3 *v;
    size_t count;
    const cdi_crate *crate;
} cdi_still;

static cdi_still cdi_still_of(const cd_vec3 *v, size_t count) {
    cdi_still b;
    b.v = v;
    b.count = count;
    b.crate = NULL;
    return b;
}

/* Corner i, counted around. */
static cdi_v3 cdi_rod_corner(const cdi_rod *r, const cdi_still *b, size_t i) {
    return cdi_v3_sub(cdi_v3_of(b->v[i < b->count ? i : i - b->count]), r->origin);
}

/* The pieces of a figure by its corners: itself, or the triangles of the fan. */
static cdi_flat cdi_rod_piece(const cdi_rod *r, const cdi_still *b, size_t i) {
    size_t other = b->count > 1 ? i + 1 : 0, third = b->count > 2 ? i + 2 : 0;
    cdi_flat f;
    f.v[0] = f.v[3] = cdi_rod_corner(r, b, 0);
    f.v[1] = cdi_rod_corner(r, b, other);
    f.v[2] = cdi_rod_corner(r, b, third);
    f.count = b->count > 2 ? 3 : (int)b->count;
    return f;
}

/* How far the rod at x and the figure are apart along n, times its length. */
static double cdi_gap_along(const cdi_rod *r, const cdi_still *b, cdi_v3 x, cdi_v3 n) {
    double most = 0.0;
    for (int i = 0; b->crate && i < 3; ++i)
        most += cdi_abs(cdi_v3_dot(n, b->crate->axis[i])) * b->crate->half[i];
    for (size_t i = 0; i < b->count; ++i) {
        double at = cdi_v3_dot(n, cdi_rod_corner(r, b, i));
        most = i == 0 ? at : cdi_max(most, at);
    }
    return cdi_v3_dot(n, x) + cdi_min(cdi_v3_dot(n, r->s), 0.0) - most;
}

/* ---- the normal of the nearest surface ---- */

/* A unit normal, and how far rod and figure are apart along it: below 0, how deep they are in each other. */
typedef struct cdi_parting {
    cdi_v3 normal;
    double gap;
} cdi_parting;

/* Keeps a normal n, of any length, that parts by `gap` times it, if that is more; of two that are as good the one against the
 * motion. */
static void cdi_parting_try(const cdi_rod *r, cdi_parting *best, cdi_v3 n, double gap) {
    double length = cdi_v3_norm(n);
    if (!(length > 0.0)) return;
    n = cdi_v3_scale(n, 1.0 / length);
    gap /= length;
    if (gap < best->gap - r->slack) return;
    if (gap <= best->gap + r->slack && cdi_v3_dot(n, r->c.d) >= cdi_v3_dot(best->normal, r->c.d)) return;
    best->normal = n;
    best->gap = gap;
}

static cdi_parting cdi_parting_none(void) {
    cdi_parting e;
    e.normal = cdi_v3_make(0.0, 0.0, 0.0);
    e.gap = -CDI_HUGE;
    return e;
}

/* Neither rod nor figure are wider than a line: any normal across it, best against the motion. */
static cdi_v3 cdi_parting_across(const cdi_rod *r, cdi_v3 along) {
    cdi_v3 u = cdi_v3_unit(along), n = cdi_v3_unit(cdi_v3_neg(r->c.d));
    if (cdi_v3_is_zero(u)) return cdi_v3_is_zero(n) ? cdi_v3_make(1.0, 0.0, 0.0) : n;
    n = cdi_v3_across(n, u, 1.0);
    return cdi_v3_norm(n) > 1e-6 ? cdi_v3_unit(n) : cdi_across(u);
}

/* The mean of the corners, and the normal of the polygon as long as twice its area (Newell). */
static void cdi_polygon_frame(const cdi_rod *r, const cdi_still *b, cdi_v3 *mean, cdi_v3 *normal) {
    *mean = *normal = cdi_v3_make(0.0, 0.0, 0.0);
    for (size_t i = 0; i < b->count; ++i) {
        cdi_v3 p = cdi_rod_corner(r, b, i);
        *mean = cdi_v3_along(*mean, p, 1.0 / cdi_number_of(b->count));
        *normal = cdi_v3_add(*normal, cdi_v3_cross(p, cdi_rod_corner(r, b, i + 1)));
    }
}

/* The sum of polygon and rod has two copies of the polygon for faces, and a parallelogram an edge. */
static cdi_parting cdi_flat_exit(const cdi_rod *r, const cdi_still *b, cdi_v3 x) {
    cdi_parting best = cdi_parting_none();
    cdi_v3 mean, n;
    cdi_polygon_frame(r, b, &mean, &n);
    cdi_parting_try(r, &best, n, cdi_gap_along(r, b, x, n));
    n = cdi_v3_neg(n);
    cdi_parting_try(r, &best, n, cdi_gap_along(r, b, x, n));
    for (size_t i = 0; i < b->count; ++i) {
        cdi_v3 p = cdi_rod_corner(r, b, i), e = cdi_v3_sub(cdi_rod_corner(r, b, i + 1), p);
        double side, noise;
        n = cdi_v3_cross(e, r->s);
        side = cdi_v3_dot(n, cdi_v3_sub(mean, p));
        noise = CDI_ROD_NOISE * r->most * cdi_v3_norm(n);
        if (side <= noise) cdi_parting_try(r, &best, n, cdi_v3_dot(n, cdi_v3_sub(x, p)));
        n = cdi_v3_neg(n);
        if (side >= -noise) cdi_parting_try(r, &best, n, cdi_v3_dot(n, cdi_v3_sub(x, p)));
    }
    return best;
}

static void cdi_crate_try(const cdi_rod *r, const cdi_still *b, cdi_v3 x, cdi_v3 n, cdi_parting *best) {
    cdi_parting_try(r, best, n, cdi_gap_along(r, b, x, n));
    n = cdi_v3_neg(n);
    cdi_parting_try(r, best, n, cdi_gap_along(r, b, x, n));
}

/* The separating axes of a box and a segment: apart exactly when one of them parts. */
static cdi_parting cdi_crate_exit(const cdi_rod *r, const cdi_still *b, cdi_v3 x) {
    cdi_parting best = cdi_parting_none();
    for (int i = 0; i < 3; ++i) cdi_crate_try(r, b, x, b->crate->normal[i], &best);
    for (int i = 0; i < 3; ++i) cdi_crate_try(r, b, x, cdi_v3_cross(b->crate->axis[i], r->s), &best);
    return best;
}

/* Of a figure that is no wider than a line: along it, or zero. */
static cdi_v3 cdi_still_along(const cdi_rod *r, const cdi_still *b) {
    cdi_v3 along = cdi_v3_make(0.0, 0.0, 0.0);
    for (size_t i = 1; i < b->count; ++i) {
        cdi_v3 way = cdi_v3_sub(cdi_rod_corner(r, b, i), cdi_rod_corner(r, b, 0));
        if (cdi_v3_max_abs(way) > cdi_v3_max_abs(along)) along = way;
    }
    return along;
}

static cdi_parting cdi_rod_exit(const cdi_rod *r, const cdi_still *b, cdi_v3 x) {
    cdi_parting best = b->crate ? cdi_crate_exit(r, b, x) : cdi_flat_exit(r, b, x);
    if (cdi_v3_is_zero(best.normal))
        best.normal = cdi_parting_across(r, cdi_v3_is_zero(r->s) ? cdi_still_along(r, b) : r->s);
    best.gap = cdi_gap_along(r, b, x, best.normal);
    return best;
}

/* ---- the first contact with the sum ---- */

/* The first contact so far, with one of the faces of the sum. */
typedef struct cdi_first {
    bool found;
    double t;
    cdi_v3 normal;
} cdi_first;

static cdi_first cdi_first_none(void) {
    cdi_first first;
    first.found = false;
    first.t = CDI_HUGE;
    first.normal = cdi_v3_make(0.0, 0.0, 0.0);
    return first;
}

static void cdi_first_flat(const cdi_rod *r, const cdi_flat *f, cdi_first *first) {
    cdi_cast c = r->c;
    cdi_impact met;
    c.t_max = cdi_min(first->t, c.t_max);
    if (cdi_sweep_flat(&c, f, r->radius + r->own, r->slack, &met) == CDI_MEETS_NEVER || !(met.t < first->t))
        return;
    first->found = true;
    first->t = met.t;
    first->normal = met.normal;
}

/* The parallelogram over the edge from p to p + e: the edge and its copy. */
static cdi_flat cdi_sum_side(const cdi_rod *r, cdi_v3 p, cdi_v3 e) {
    cdi_flat f;
    f.v[0] = p;
    f.v[1] = cdi_v3_add(p, e);
    f.v[2] = cdi_v3_add(f.v[1], r->w);
    f.v[3] = cdi_v3_add(p, r->w);
    f.count = 4;
    return f;
}

/* Which copies of a face may be met, the one where it is (bit 0) and the one moved by w (bit 1), when the normal's products with
 * the motion and with w are these and `noise` is what they are worth: a face on the outside, not turned away from the motion. */
static int cdi_sum_copies(double along_d, double noise_d, double along_w, double noise_w) {
    int copies = 0;
    if (along_d <= noise_d) copies |= (along_w <= noise_w ? 1 : 0) | (along_w >= -noise_w ? 2 : 0);
    if (along_d >= -noise_d) copies |= (along_w >= -noise_w ? 1 : 0) | (along_w <= noise_w ? 2 : 0);
    return copies;
}

static void cdi_first_caps(const cdi_rod *r, const cdi_flat *f, cdi_first *first) {
    cdi_v3 e = cdi_v3_sub(f->v[1], f->v[0]), g = cdi_v3_sub(f->v[2], f->v[0]), n = cdi_v3_cross(e, g);
    double noise = CDI_ROD_NOISE * cdi_v3_norm(e) * cdi_v3_norm(g);
    int copies = cdi_sum_copies(cdi_v3_dot(n, r->c.d), noise * cdi_v3_norm(r->c.d), cdi_v3_dot(n, r->w),
                                noise * cdi_v3_norm(r->w));
    cdi_flat moved = *f;
    if (copies & 1) cdi_first_flat(r, f, first);
    for (int i = 0; i < f->count; ++i) moved.v[i] = cdi_v3_add(f->v[i], r->w);
    if (copies & 2) cdi_first_flat(r, &moved, first);
}

/* Is the side over edge e on the far side from where the motion comes? `inward` leads to the third corner. */
static bool cdi_side_is_behind(const cdi_rod *r, cdi_v3 e, cdi_v3 inward) {
    cdi_v3 n = cdi_v3_cross(e, r->w);
    double noise = CDI_ROD_NOISE * cdi_v3_norm(e) * cdi_v3_norm(r->w), side = cdi_v3_dot(n, inward);
    double speed = cdi_v3_dot(n, r->c.d), noise_d = noise * cdi_v3_norm(r->c.d);
    noise *= cdi_v3_norm(inward);
    return side > noise ? speed < -noise_d : side < -noise ? speed > noise_d : false;
}

static void cdi_first_prism(const cdi_rod *r, const cdi_flat *f, cdi_first *first) {
    cdi_first_caps(r, f, first);
    if (cdi_v3_is_zero(r->w)) return;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = f->v[i], e = cdi_v3_sub(f->v[(i + 1) % 3], p), inward = cdi_v3_sub(f->v[(i + 2) % 3], p);
        cdi_flat side = cdi_sum_side(r, p, e);
        if (!cdi_side_is_behind(r, e, inward)) cdi_first_flat(r, &side, first);
    }
}

/* A point, a segment or a triangle. */
static void cdi_first_piece(const cdi_rod *r, const cdi_flat *f, cdi_first *first) {
    cdi_flat sum;
    if (f->count == 3) {
        cdi_first_prism(r, f, first);
        return;
    }
    sum = cdi_sum_side(r, f->v[0], f->count == 2 ? cdi_v3_sub(f->v[1], f->v[0]) : r->w);
    if (f->count == 1) sum.count = 2;
    cdi_first_flat(r, &sum, first);
}

/* The face of the box on one side, of the normal n times `side`: which of its copies are on the outside of the sum? */
static void cdi_first_face(const cdi_rod *r, const cdi_crate *k, int i, double side, cdi_first *first) {
    cdi_v3 n = cdi_v3_scale(k->normal[i], side);
    double noise = CDI_ROD_NOISE * cdi_v3_norm(r->w), along = cdi_v3_dot(n, r->w);
    cdi_flat f = cdi_crate_face(k, i, side);
    if (cdi_v3_dot(n, r->c.d) > CDI_ROD_NOISE * cdi_v3_norm(r->c.d)) return;
    if (along <= noise) cdi_first_flat(r, &f, first);
    if (!(along >= -noise) || cdi_v3_is_zero(r->w)) return;
    for (int j = 0; j < 4; ++j) f.v[j] = cdi_v3_add(f.v[j], r->w);
    cdi_first_flat(r, &f, first);
}

/* The parallelogram over edge `side` (bits for the other two axes) of axis i, if it is on the outside of the sum and not turned
 * away from the motion. */
static void cdi_first_edge(const cdi_rod *r, const cdi_crate *k, int i, int side, cdi_first *first) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    double sj = side & 1 ? 1.0 : -1.0, sl = side & 2 ? 1.0 : -1.0;
    cdi_v3 n = cdi_v3_cross(k->axis[i], r->w), e = cdi_v3_scale(k->axis[i], k->half[i]);
    double noise = CDI_ROD_NOISE * cdi_v3_norm(k->axis[i]) * cdi_v3_norm(r->w), speed = cdi_v3_dot(n, r->c.d);
    double on_j = sj * cdi_v3_dot(n, k->axis[j]), on_l = sl * cdi_v3_dot(n, k->axis[l]);
    double noise_j = noise * cdi_v3_norm(k->axis[j]), noise_l = noise * cdi_v3_norm(k->axis[l]);
    bool out = on_j >= -noise_j && on_l >= -noise_l && speed <= noise * cdi_v3_norm(r->c.d);
    bool back = on_j <= noise_j && on_l <= noise_l && speed >= -noise * cdi_v3_norm(r->c.d);
    cdi_v3 corner = cdi_v3_along(cdi_v3_scale(k->axis[j], sj * k->half[j]), k->axis[l], sl * k->half[l]);
    cdi_flat f = cdi_sum_side(r, cdi_v3_sub(corner, e), cdi_v3_scale(e, 2.0));
    if (out || back) cdi_first_flat(r, &f, first);
}

static void cdi_first_crate(const cdi_rod *r, const cdi_crate *k, cdi_first *first) {
    for (int i = 0; i < 6; ++i) cdi_first_face(r, k, i / 2, i & 1 ? 1.0 : -1.0, first);
    for (int i = 0; i < 12 && !cdi_v3_is_zero(r->w); ++i) cdi_first_edge(r, k, i / 4, i % 4, first);
}

/* ---- where they touch ---- */

/* A stretch of the rod. */
typedef struct cdi_rod_part {
    double lo, hi;
} cdi_rod_part;

/* Cuts away where the rod, of these heights at its two ends, is above `limit`. */
static void cdi_rod_part_cut(cdi_rod_part *s, double from, double to, double limit) {
    double at;
    if (from <= limit && to <= limit) return;
    if (from > limit && to > limit) {
        s->hi = -1.0;
        return;
    }
    at = (limit - from) / (to - from);
    if (to > from)
        s->hi = cdi_min(s->hi, at);
    else
        s->lo = cdi_max(s->lo, at);
}

/* The same between two parallel planes. */
static void cdi_rod_part_between(cdi_rod_part *s, double from, double to, double limit) {
    cdi_rod_part_cut(s, from, to, limit);
    cdi_rod_part_cut(s, -from, -to, limit);
}

/* Cuts what lies outside of the faces away. */
static cdi_rod_part cdi_crate_shared(const cdi_rod *r, const cdi_crate *k, cdi_v3 p) {
    cdi_v3 q = cdi_v3_add(p, r->s);
    cdi_rod_part s;
    s.lo = 0.0;
    s.hi = 1.0;
    for (int i = 0; i < 3 && s.lo <= s.hi; ++i)
        cdi_rod_part_between(&s, cdi_v3_dot(k->normal[i], p), cdi_v3_dot(k->normal[i], q),
                             k->height[i] + 0.75 * r->slack);
    return s;
}

/* What of the rod, moved onto the piece so that its ends are p and q, lies on the piece but for rounding. */
static cdi_rod_part cdi_rod_shared(const cdi_rod *r, const cdi_flat *f, cdi_v3 p, cdi_v3 q) {
    cdi_v3 n = cdi_v3_make(0.0, 0.0, 0.0), a = f->v[0];
    double limit = 0.75 * r->slack;
    cdi_rod_part s;
    s.lo = 0.0;
    s.hi = f->count == 3 ? 1.0 : -1.0;
    if (f->count == 3) n = cdi_v3_unit(cdi_v3_cross(cdi_v3_sub(f->v[1], a), cdi_v3_sub(f->v[2], a)));
    if (cdi_v3_is_zero(n)) s.hi = -1.0;
    cdi_rod_part_between(&s, cdi_v3_dot(n, cdi_v3_sub(p, a)), cdi_v3_dot(n, cdi_v3_sub(q, a)), limit);
    for (int i = 0; i < 3 && s.lo <= s.hi; ++i) {
        cdi_v3 v = f->v[i], out = cdi_v3_unit(cdi_v3_cross(cdi_v3_sub(f->v[(i + 1) % 3], v), n));
        cdi_rod_part_cut(&s, cdi_v3_dot(out, cdi_v3_sub(p, v)), cdi_v3_dot(out, cdi_v3_sub(q, v)), limit);
    }
    return s;
}

/* Parallel segments: the middle of the part of f beside the rod. */
static bool cdi_rod_beside(const cdi_rod *r, const cdi_flat *f, cdi_v3 p, cdi_v3 q, cdi_v3 *middle) {
    cdi_v3 u = cdi_v3_unit(cdi_v3_sub(f->v[1], f->v[0])), o = cdi_v3_sub(p, f->v[0]), way = cdi_v3_sub(q, p);
    double length = cdi_v3_norm(cdi_v3_sub(f->v[1], f->v[0])), from = cdi_v3_dot(o, u),
           to = from + cdi_v3_dot(way, u);
    if (cdi_v3_norm(cdi_v3_across(o, u, 1.0)) > 0.75 * r->slack ||
        cdi_v3_norm(cdi_v3_across(way, u, 1.0)) > 0.75 * r->slack)
        return false;
    *middle = cdi_v3_along(f->v[0], u, 0.5 * (cdi_clamp(from, 0.0, length) + cdi_clamp(to, 0.0, length)));
    return true;
}

/* ---- the nearest points ---- */

/* Inside of the box: the middle of what is inside. */
static cdi_bridge cdi_crate_near(const cdi_rod *r, const cdi_still *b, cdi_v3 x) {
    cdi_flat rod = cdi_rod_flat(r, x);
    cdi_parting e = cdi_crate_exit(r, b, x);
    cdi_bridge best;
    cdi_clear(&best, sizeof best);
    best.sqdist = CDI_HUGE;
    if (e.gap > 2.0 * r->reach) return best;
    if (e.gap <= 0.0) {
        cdi_rod_part s = cdi_crate_shared(r, b->crate, x);
        best.sqdist = 0.0;
        best.a = cdi_v3_along(x, r->s, 0.5 * (s.lo + s.hi));
        if (s.lo <= s.hi) return best;
        best.sqdist = CDI_HUGE;
    }
    for (int i = 0; i < 6; ++i) {
        cdi_flat face = cdi_crate_face(b->crate, i / 2, i & 1 ? 1.0 : -1.0);
        cdi_bridge gap = cdi_near_flats(&face, &rod, CDI_HUGE);
        if (gap.sqdist < best.sqdist) best = gap;
    }
    return best;
}

/* From the figure to the rod at x; `at`: the piece. What is farther than in reach may be CDI_HUGE away. */
static cdi_bridge cdi_rod_near(const cdi_rod *r, const cdi_still *b, cdi_v3 x, size_t *at) {
    size_t pieces = cd_polygon_triangle_count(b->count);
    cdi_flat rod = cdi_rod_flat(r, x);
    cdi_bridge best;
    *at = 0;
    if (b->crate) return cdi_crate_near(r, b, x);
    cdi_clear(&best, sizeof best);
    best.sqdist = CDI_HUGE;
    for (size_t i = 0; i < pieces; ++i) {
        cdi_flat f = cdi_rod_piece(r, b, i);
        cdi_bridge gap = cdi_near_flats(&f, &rod, 2.0 * r->reach);
        if (!(gap.sqdist < best.sqdist)) continue;
        best = gap;
        *at = i;
    }
    return best;
}

/* Keeps the direction of `way` when the two are farther apart along it. True when that is as far as `way` is long, but for the
 * slack: then it is the way between the nearest points. */
static bool cdi_parting_is(const cdi_rod *r, const cdi_still *b, cdi_v3 x, cdi_v3 way, cdi_parting *best) {
    cdi_parting e;
    e.normal = cdi_v3_unit(way);
    if (cdi_v3_is_zero(e.normal)) return false;
    e.gap = cdi_gap_along(r, b, x, e.normal);
    if (e.gap > best->gap) *best = e;
    return e.gap >= cdi_v3_norm(way) - r->slack;
}

/* Edge i, of three, of piece `at`; of a box, along an axis. */
static cdi_v3 cdi_still_edge(const cdi_rod *r, const cdi_still *b, size_t at, int i) {
    cdi_flat f;
    if (b->crate) return b->crate->axis[i];
    f = cdi_rod_piece(r, b, at);
    return cdi_v3_sub(f.v[(i + 1) % 3], f.v[i]);
}

/* The same of what of `way` is across a rod or an edge: places along what is long are rounded by more than a short way is worth. */
static void cdi_parting_beside(const cdi_rod *r, const cdi_still *b, cdi_v3 x, cdi_v3 way, cdi_v3 along,
                               cdi_parting *best) {
    cdi_v3 u = cdi_v3_unit(along);
    way = cdi_v3_unit(cdi_v3_across(way, u, 1.0));
    cdi_parting_is(r, b, x, cdi_v3_across(way, u, 1.0), best);
}

/* The normal at the nearest points when the rod is at x, where `way` may be the way between them: else what parts them best. A way no
 * longer than the slack has no direction. */
static cdi_parting cdi_rod_normal(const cdi_rod *r, const cdi_still *b, cdi_v3 x, cdi_v3 way) {
    cdi_parting best = cdi_parting_none(), other;
    size_t at;
    if (cdi_parting_is(r, b, x, way, &best)) return best;
    way = cdi_rod_near(r, b, x, &at).between;
    if (cdi_parting_is(r, b, x, way, &best)) return best;
    cdi_parting_beside(r, b, x, way, r->s, &best);
    for (int i = 0; i < 3; ++i) cdi_parting_beside(r, b, x, way, cdi_still_edge(r, b, at, i), &best);
    other = cdi_rod_exit(r, b, x);
    return best.gap > other.gap + (best.gap > r->slack ? 0.0 : r->slack) ? best : other;
}

/* Puts the contact on the piece: the middle of what they share. */
static cdi_v3 cdi_flat_touch(const cdi_rod *r, const cdi_flat *f, cdi_v3 x, cdi_v3 normal) {
    cdi_v3 p = cdi_v3_along(x, normal, -r->reach), q = cdi_v3_add(p, r->s), middle;
    cdi_flat moved = cdi_rod_flat(r, x);
    cdi_rod_part s;
    if (f->count == 2 && cdi_rod_beside(r, f, p, q, &middle)) return middle;
    s = cdi_rod_shared(r, f, p, q);
    if (s.lo <= s.hi) return cdi_v3_along(p, r->s, 0.5 * (s.lo + s.hi));
    return cdi_near_flats(f, &moved, CDI_HUGE).a;
}

/* The rod moved onto the box by `way`. */
static cdi_v3 cdi_crate_touch(const cdi_rod *r, const cdi_still *b, cdi_v3 x, cdi_v3 way) {
    cdi_v3 p = cdi_v3_sub(x, way);
    cdi_rod_part s = cdi_crate_shared(r, b->crate, p);
    if (s.lo <= s.hi) return cdi_v3_along(p, r->s, 0.5 * (s.lo + s.hi));
    return cdi_crate_near(r, b, x).a;
}

/* -1, 0 or 1: the side on which `at` is on the face, but for rounding; of a flat box that of the normal. */
static int cdi_crate_side(const cdi_rod *r, double at, double height, double along) {
    double near_by = 0.75 * r->slack;
    bool above = at >= height - near_by, below = at <= near_by - height;
    if (above && below) return along >= 0.0 ? 1 : -1;
    return above ? 1 : below ? -1 : 0;
}

/* The feature of a box on these sides. */
static uint32_t cdi_crate_feature(const int side[3]) {
    uint32_t bit[3], on = 0;
    for (int i = 0; i < 3; ++i) {
        bit[i] = side[i] > 0;
        on += side[i] != 0;
    }
    if (on == 3) return CD_FEATURE(1u, bit[0] + 2 * bit[1] + 4 * bit[2]);
    for (int i = 0; i < 3; ++i) {
        if (on == 1 && side[i] != 0) return CD_FEATURE(3u, 2 * (uint32_t)i + bit[i]);
        if (on == 2 && side[i] == 0)
            return CD_FEATURE(2u, 4 * (uint32_t)i + bit[i == 0] + 2 * bit[i == 2 ? 1 : 2]);
    }
    return CD_FEATURE_NONE;
}

/* The contact at p: put on the box. */
static void cdi_crate_met(const cdi_rod *r, const cdi_crate *k, cdi_v3 p, cdi_impact *met) {
    cdi_v3 x = r->origin;
    int side[3];
    for (int i = 0; i < 3; ++i) {
        double height = k->height[i], at = cdi_clamp(cdi_v3_dot(k->normal[i], p), -height, height);
        side[i] = cdi_crate_side(r, at, height, cdi_v3_dot(met->normal, k->normal[i]));
        if (side[i]) at = height * (double)side[i];
        x = cdi_v3_along(x, k->axis[i], height > 0.0 ? k->half[i] * (at / height) : 0.0);
    }
    met->point = x;
    met->u = met->v = 0.0;
    met->feature = cdi_crate_feature(side);
}

/* The feature of the piece that p is on, but for rounding. */
static uint32_t cdi_piece_feature(const cdi_rod *r, const cdi_flat *f, cdi_v3 p) {
    double limit = r->slack * r->slack, t;
    for (int i = 0; i < f->count; ++i) {
        if (cdi_v3_sqlength(cdi_v3_sub(p, f->v[i])) <= limit) return CD_FEATURE(1u, (uint32_t)i);
    }
    for (int i = 0; i < (f->count == 3 ? 3 : f->count - 1); ++i) {
        cdi_v3 q = cdi_near_segment(p, f->v[i], f->v[(i + 1) % f->count], &t);
        if (cdi_v3_sqlength(cdi_v3_sub(p, q)) <= limit) return CD_FEATURE(2u, (uint32_t)i);
    }
    return CD_FEATURE(3u, 0u);
}

/* The contact at p, of the piece. */
static void cdi_rod_met(const cdi_rod *r, const cdi_flat *f, cdi_v3 p, cdi_impact *met) {
    met->u = met->v = 0.0;
    if (f->count == 3) {
        cdi_tri t;
        cdi_near q;
        for (int i = 0; i < 3; ++i) t.v[i] = f->v[i];
        q = cdi_near_triangle(p, &t);
        p = q.point;
        met->u = q.u;
        met->v = q.v;
    }
    met->feature = cdi_piece_feature(r, f, p);
    met->point = cdi_v3_add(cdi_v3_along(p, met->normal, r->own), r->origin);
}

/* The contact at p, on the piece `at`. */
static void cdi_still_met(const cdi_rod *r, const cdi_still *b, size_t at, cdi_v3 p, cdi_impact *met) {
    cdi_flat f;
    if (b->crate) {
        cdi_crate_met(r, b->crate, p, met);
        return;
    }
    f = cdi_rod_piece(r, b, at);
    cdi_rod_met(r, &f, p, met);
    met->feature = cdi_fan_feature(met->feature, at, b->count);
}

/* ---- the sweep ---- */

static bool cdi_rod_starts(const cdi_rod *r, const cdi_still *b, cdi_impact *met) {
    cdi_v3 x = cdi_rod_at(r, r->c.t_min);
    size_t at;
    cdi_bridge gap = cdi_rod_near(r, b, x, &at);
    cdi_parting e;
    if (!(gap.sqdist <= r->reach * r->reach)) return false;
    e = cdi_rod_normal(r, b, x, gap.between);
    if (e.gap > r->reach) return false; /* a needle, about which the nearest points were wrong */
    met->t = r->c.t_min;
    met->normal = e.normal;
    met->depth = r->reach - e.gap;
    if (b->crate) gap.a = cdi_crate_touch(r, b, x, cdi_v3_scale(e.normal, e.gap));
    cdi_still_met(r, b, at, gap.a, met);
    return true;
}

/* The first contact, and with which piece. */
static cdi_first cdi_rod_first(const cdi_rod *r, const cdi_still *b, size_t *at) {
    size_t pieces = cd_polygon_triangle_count(b->count);
    cdi_first first = cdi_first_none();
    *at = 0;
    if (cdi_v3_is_zero(r->c.d)) return first;
    if (b->crate) cdi_first_crate(r, b->crate, &first);
    for (size_t i = 0; i < pieces; ++i) {
        double before = first.t;
        cdi_flat f = cdi_rod_piece(r, b, i);
        cdi_first_piece(r, &f, &first);
        if (first.t < before) *at = i;
    }
    return first;
}

/* Apart when it starts. Of what has a radius the contact turns with the normal, which is that of the nearest points, not of what was met,
 * perhaps a slack too soon. */
static cdi_meets cdi_rod_later(const cdi_rod *r, const cdi_still *b, cdi_impact *met) {
    size_t at;
    cdi_first first = cdi_rod_first(r, b, &at);
    cdi_flat f;
    cdi_v3 x, p, way;
    if (!first.found || first.t >= r->last) return CDI_MEETS_NEVER;
    x = cdi_rod_at(r, first.t);
    way = cdi_v3_scale(first.normal, r->own > r->slack ? 0.0 : r->reach);
    met->t = first.t;
    met->depth = 0.0;
    met->normal = cdi_rod_normal(r, b, x, way).normal;
    if (b->crate) {
        p = cdi_crate_touch(r, b, x, cdi_v3_scale(met->normal, r->reach));
    } else {
        f = cdi_rod_piece(r, b, at);
        p = cdi_flat_touch(r, &f, x, met->normal);
    }
    cdi_still_met(r, b, at, p, met);
    return CDI_MEETS_LATER;
}

static cdi_meets cdi_rod_meets(const cdi_rod *r, const cdi_still *b, cdi_impact *met) {
    return cdi_rod_starts(r, b, met) ? CDI_MEETS_AT_START : cdi_rod_later(r, b, met);
}

CD_API bool cd_sweep_capsule_sphere(const cd_capsule *c, cd_vec3 motion, cd_sphere s,
                                    const cd_cast_options *options, cd_hit *hit) {
    cdi_rod rod;
    cdi_impact met;
    cdi_v3 o = cdi_v3_of(s.center);
    cdi_still b = cdi_still_of(&s.center, 1);
    cdi_meets meets;
    if (!cd_sphere_is_valid(s) || !cdi_rod_begin(&rod, c, motion, options)) return false;
    rod = cdi_rod_from(&rod, o, cdi_v3_max_abs(o), (double)s.radius);
    meets = cdi_rod_meets(&rod, &b, &met);
    met.feature = CD_FEATURE(3u, 0u);
    return cdi_sweep_answer(&rod.c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CD_API bool cd_sweep_capsule_capsule(const cd_capsule *c, cd_vec3 motion, const cd_capsule *target,
                                     const cd_cast_options *options, cd_hit *hit) {
    cdi_rod rod;
    cdi_impact met;
    cd_vec3 core[2];
    cdi_still b;
    cdi_meets meets;
    if (!cd_capsule_is_valid(target) || !cdi_rod_begin(&rod, c, motion, options)) return false;
    core[0] = target->a;
    core[1] = target->b;
    b = cdi_still_of(core, 2);
    rod = cdi_rod_from(&rod, cdi_v3_of(core[0]), cdi_capsule_most(target), (double)target->radius);
    meets = cdi_rod_meets(&rod, &b, &met);
    return cdi_sweep_answer(&rod.c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

/* ---- triangles ---- */

#define CDI_AIM_MARGIN 16.0 /* slacks: more than a sweep is ever early */

static cdi_aim cdi_aim_of(const cdi_rod *r, bool many) {
    double square = cdi_v3_sqlength(r->s);
    cdi_aim a;
    a.o = cdi_rod_at(r, r->c.t_min);
    a.s = r->s;
    a.way = cdi_v3_scale(r->c.d, r->c.t_max - r->c.t_min);
    a.across = cdi_v3_cross(r->c.d, r->s);
    a.many = many;
    a.inverse = square > 1e-280 ? 1.0 / square : 0.0;
    return a;
}

static double cdi_least_of_three(double x, double y, double z) {
    return cdi_min(cdi_min(x, y), z);
}

/* Does the axis n part the triangle p, seen from a.o, from the rod's way by more than `reach`? */
static bool cdi_aim_parts(const cdi_aim *a, const cdi_v3 p[3], cdi_v3 n, double reach) {
    double x = cdi_v3_dot(n, p[0]), y = cdi_v3_dot(n, p[1]), z = cdi_v3_dot(n, p[2]);
    double rod = cdi_v3_dot(n, a->s), way = cdi_v3_dot(n, a->way), square = cdi_v3_sqlength(n);
    double over = cdi_least_of_three(x, y, z) - (cdi_max(rod, 0.0) + cdi_max(way, 0.0));
    double under = cdi_min(rod, 0.0) + cdi_min(way, 0.0) + cdi_least_of_three(-x, -y, -z);
    double gap = cdi_max(over, under);
    return gap > 0.0 && gap * gap > reach * reach * square && square > 1e-280;
}

/* The axis from the rod, at the end of its way, to the nearest corner. */
static cdi_v3 cdi_aim_corner(const cdi_aim *a, const cdi_v3 p[3]) {
    cdi_v3 best = cdi_v3_make(0.0, 0.0, 0.0);
    double least = CDI_HUGE;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 from = cdi_v3_sub(p[i], a->way);
        double square;
        from = cdi_v3_along(from, a->s, -cdi_clamp(cdi_v3_dot(from, a->s) * a->inverse, 0.0, 1.0));
        square = cdi_v3_sqlength(from);
        if (square < least) best = from;
        least = cdi_min(square, least);
    }
    return best;
}

/* The axis from the triangle to an end of the rod. */
static cdi_v3 cdi_aim_end(const cdi_v3 p[3], cdi_v3 end) {
    cdi_tri t;
    for (int i = 0; i < 3; ++i) t.v[i] = p[i];
    return cdi_v3_sub(end, cdi_near_triangle(end, &t).point);
}

/* Is the triangle surely out of the rod's way? */
static bool cdi_aim_misses(const cdi_aim *a, const cdi_v3 p[3], double reach) {
    cdi_v3 e[3];
    if (cdi_aim_parts(a, p, cdi_aim_corner(a, p), reach) || cdi_aim_parts(a, p, a->across, reach))
        return true;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 edge = cdi_v3_sub(p[i == 2 ? 0 : i + 1], p[i]);
        e[i] = edge;
    }
    if (cdi_aim_parts(a, p, cdi_v3_cross(e[0], e[1]), reach)) return true;
    for (int i = 0; i < 3; ++i) {
        if (cdi_aim_parts(a, p, cdi_v3_cross(e[i], a->s), reach) ||
            cdi_aim_parts(a, p, cdi_v3_cross(e[i], a->way), reach))
            return true;
    }
    return cdi_aim_parts(a, p, cdi_aim_end(p, a->way), reach) ||
           cdi_aim_parts(a, p, cdi_aim_end(p, cdi_v3_add(a->way, a->s)), reach);
}

/* False when bounds tell that nothing comes near. */
static bool cdi_aim_passes_bounds(const cdi_aim *a, cdi_v3 lo, cdi_v3 hi, double reach) {
    cdi_v3 o = a->o, d = a->way, s = a->s;
    return o.x + cdi_min(s.x, 0.0) + cdi_min(d.x, 0.0) - reach <= hi.x &&
           o.x + cdi_max(s.x, 0.0) + cdi_max(d.x, 0.0) + reach >= lo.x &&
           o.y + cdi_min(s.y, 0.0) + cdi_min(d.y, 0.0) - reach <= hi.y &&
           o.y + cdi_max(s.y, 0.0) + cdi_max(d.y, 0.0) + reach >= lo.y &&
           o.z + cdi_min(s.z, 0.0) + cdi_min(d.z, 0.0) - reach <= hi.z &&
           o.z + cdi_max(s.z, 0.0) + cdi_max(d.z, 0.0) + reach >= lo.z;
}

/* The rod when it starts, over the triangle's plane; all times the length of the normal, which is on the rod's side. */
typedef struct cdi_over {
    cdi_v3 normal;
    double turn;                 /* 1 where the corners go round the normal counter-clockwise, else -1 */
    double length, limit, noise; /* of the normal; the height that is in reach; what heights are worth */
    double height, speed, along; /* of the lower end, along the motion, from end to end */
    bool sharp;                  /* are the corners in the plane that the normal says? */
} cdi_over;

/* r is seen from the first corner. */
static cdi_over cdi_over_of(const cdi_rod *r, const cdi_flat *f) {
    cdi_over o;
    cdi_v3 n = cdi_v3_cross(f->v[1], f->v[2]);
    double height = cdi_v3_dot(n, cdi_rod_at(r, r->c.t_min)), along = cdi_v3_dot(n, r->s);
    o.turn = height + 0.5 * along < 0.0 ? -1.0 : 1.0;
    o.normal = cdi_v3_scale(n, o.turn);
    o.length = cdi_sqrt(cdi_v3_sqlength(n));
    o.along = o.turn * along;
    o.height = o.turn * height + cdi_min(o.along, 0.0);
    o.speed = o.turn * cdi_v3_dot(n, r->c.d);
    o.limit = r->reach * o.length;
    o.sharp = cdi_abs(cdi_v3_dot(n, f->v[1])) < 0.0625 * r->slack * o.length &&
              cdi_abs(cdi_v3_dot(n, f->v[2])) < 0.0625 * r->slack * o.length;
    o.noise = CDI_ROD_NOISE * r->most * cdi_v3_max_abs(f->v[1]) * cdi_v3_max_abs(f->v[2]);
    return o;
}

/* Is p over the inside of the face, beyond doubt? */
static bool cdi_over_inside(const cdi_rod *r, const cdi_flat *f, const cdi_over *o, cdi_v3 p,
                            cdi_impact *met) {
    double weight[3], share = 1.0 / (o->length * o->length);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = f->v[i], e = cdi_v3_sub(f->v[i == 2 ? 0 : i + 1], v);
        double in = o->turn * cdi_v3_dot(cdi_v3_cross(o->normal, e), cdi_v3_sub(p, v));
        double span = cdi_abs(e.x) + cdi_abs(e.y) + cdi_abs(e.z);
        if (!(in > 0.0625 * r->slack * span * o->length)) return false;
        weight[i] = in * share;
    }
    met->u = weight[2];
    met->v = weight[0];
    return true;
}

/* The plane is met by an end of the rod inside of the triangle: nothing can be met before. Apart when it starts. */
static bool cdi_rod_meets_face(const cdi_rod *r, const cdi_flat *f, const cdi_over *o, double t,
                               cdi_impact *met) {
    cdi_v3 x = cdi_rod_at(r, t), p = o->along < 0.0 ? cdi_v3_add(x, r->s) : x;
    if (!cdi_over_inside(r, f, o, p, met)) return false;
    met->t = t;
    met->depth = 0.0;
    met->normal = cdi_v3_scale(o->normal, 1.0 / o->length);
    met->feature = CD_FEATURE(3u, 0u);
    met->point = cdi_v3_add(cdi_v3_along(p, met->normal, -r->reach), r->origin);
    if (cdi_abs(o->along) <= 0.75 * r->slack * o->length)
        cdi_rod_met(r, f, cdi_flat_touch(r, f, x, met->normal), met);
    return true;
}

static bool cdi_triangle_fits(const cd_triangle *t) {
    return cdi_no_excess(cdi_excess(t->a) | cdi_excess(t->b) | cdi_excess(t->c));
}

/* A contact after the aim's way may be given as none. */
static cdi_meets cdi_rod_triangle(const cdi_rod *rod, const cdi_aim *aim, const cd_triangle *t,
                                  cdi_impact *met) {
    cdi_tri tri = cdi_tri_of(t);
    cdi_v3 p[3], lo, hi;
    cdi_rod r;
    cdi_flat f;
    cdi_over o;
    cd_vec3 corner[3];
    cdi_still b;
    double most, at, reach;
    cdi_tri_bounds(&tri, &lo, &hi);
    most = cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi));
    reach = rod->radius + CDI_AIM_MARGIN * cdi_sweep_slack(cdi_max(rod->most, most));
    if (!cdi_aim_passes_bounds(aim, lo, hi, reach)) return CDI_MEETS_NEVER;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 from = cdi_v3_sub(tri.v[i], aim->o);
        p[i] = from;
    }
    if ((aim->many && cdi_aim_misses(aim, p, reach)) || !cdi_triangle_fits(t)) return CDI_MEETS_NEVER;
    f.count = 3;
    f.v[0] = f.v[3] = cdi_v3_make(0.0, 0.0, 0.0);
    f.v[1] = cdi_v3_sub(tri.v[1], tri.v[0]);
    f.v[2] = cdi_v3_sub(tri.v[2], tri.v[0]);
    r = cdi_rod_from(rod, tri.v[0], most, 0.0);
    corner[0] = t->a;
    corner[1] = t->b;
    corner[2] = t->c;
    b = cdi_still_of(corner, 3);
    o = cdi_over_of(&r, &f);
    if (!(o.height > o.limit + o.noise)) {
        cdi_aim start = *aim;
        start.way = cdi_v3_make(0.0, 0.0, 0.0);
        return cdi_aim_parts(&start, p, r.c.d, reach) ? cdi_rod_later(&r, &b, met)
                                                      : cdi_rod_meets(&r, &b, met);
    }
    if (o.height + cdi_min(o.speed, 0.0) * (r.c.t_max - r.c.t_min) > o.limit + o.noise)
        return CDI_MEETS_NEVER;
    at = r.c.t_min + (o.height - o.limit) / -o.speed;
    if (o.sharp && at <= r.c.t_max && cdi_rod_meets_face(&r, &f, &o, at, met)) return CDI_MEETS_LATER;
    return cdi_rod_later(&r, &b, met);
}

CD_API bool cd_sweep_capsule_triangle(const cd_capsule *c, cd_vec3 motion, const cd_triangle *t,
                                      const cd_cast_options *options, cd_hit *hit) {
    cdi_rod rod;
    cdi_aim aim;
    cdi_impact met;
    cdi_meets meets;
    if (!cdi_rod_begin(&rod, c, motion, options)) return false;
    aim = cdi_aim_of(&rod, false);
    meets = cdi_rod_triangle(&rod, &aim, t, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(&rod.c, meets, &met, cdi_triangle_front(t), hit);
}

CDI_FN bool cdi_rod_course_begin(cdi_rod_course *m, const cd_capsule *c, cd_vec3 motion,
                                 const cd_cast_options *options) {
    if (!cdi_rod_begin(&m->rod, c, motion, options)) return false;
    m->aim = cdi_aim_of(&m->rod, true);
    return true;
}

CDI_FN void cdi_rod_course_until(cdi_rod_course *m, double t) {
    m->rod.last = t;
    m->aim.way = cdi_v3_scale(m->rod.c.d, cdi_max(t - m->rod.c.t_min, 0.0));
}

CDI_FN bool cdi_rod_course_triangle(const cdi_rod_course *m, const cd_triangle *t, cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets = cdi_rod_triangle(&m->rod, &m->aim, t, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(&m->rod.c, meets, &met, cdi_triangle_front(t), hit);
}

CD_API bool cd_sweep_capsule_triangles(const cd_capsule *c, cd_vec3 motion, const cd_triangle *t,
                                       size_t count, const cd_cast_options *options, cd_hit *hit) {
    cdi_rod_course many;
    cd_hit best, other;
    bool found = false;
    if (!cdi_rod_course_begin(&many, c, motion, options)) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_rod_course_triangle(&many, &t[i], &other) || (found && !(other.t < best.t))) continue;
        if (options && options->filter && !options->filter(options->user, (uint32_t)i)) continue;
        best = other;
        best.index = (uint32_t)i;
        found = true;
        cdi_rod_course_until(&many, (double)best.t);
    }
    if (found && hit) *hit = best;
    return found;
}

/* ---- polygons ---- */

CD_API bool cd_sweep_capsule_polygon(const cd_capsule *c, cd_vec3 motion, const cd_vec3 *polygon,
                                     size_t count, const cd_cast_options *options, cd_hit *hit) {
    cdi_rod rod;
    cdi_impact met;
    cdi_meets meets;
    cdi_still b = cdi_still_of(polygon, count);
    double most = 0.0;
    if (count == 0 || !cdi_rod_begin(&rod, c, motion, options)) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(polygon[i])) return false;
        most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(polygon[i])));
    }
    rod = cdi_rod_from(&rod, cdi_v3_of(polygon[0]), most, 0.0);
    meets = cdi_rod_meets(&rod, &b, &met);
    if (meets == CDI_MEETS_NEVER) return false;
    met.u = met.v = 0.0;
    return cdi_sweep_answer(&rod.c, meets, &met, cdi_polygon_front(polygon, count), hit);
}

/* ---- boxes ---- */

CDI_FN cdi_meets cdi_sweep_rod_box(const cdi_cast *c, const cd_capsule *capsule, const cdi_obb *b,
                                   double most, cdi_impact *met) {
    cdi_rod rod;
    cdi_crate k = cdi_crate_of(b);
    cdi_still still = cdi_still_of(NULL, 0);
    cdi_rod_of(&rod, c, capsule);
    rod = cdi_rod_from(&rod, b->center, most, 0.0);
    still.crate = &k;
    return cdi_rod_meets(&rod, &still, met);
}

/* The sweep against the box, whose largest coordinate is `most`. */
static bool cdi_rod_box(const cd_capsule *c, cd_vec3 motion, const cdi_obb *b, double most,
                        const cd_cast_options *options, cd_hit *hit) {
    cdi_cast cast;
    cdi_impact met;
    cdi_meets meets;
    if (!cd_capsule_is_valid(c) || !cdi_sweep_begin(&cast, c->a, motion, options)) return false;
    meets = cdi_sweep_rod_box(&cast, c, b, most, &met);
    return cdi_sweep_answer(&cast, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CD_API bool cd_sweep_capsule_aabb(const cd_capsule *c, cd_vec3 motion, cd_aabb b,
                                  const cd_cast_options *options, cd_hit *hit) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max), half = cdi_half_diff(hi, lo);
    cdi_obb box;
    if (!cd_aabb_is_valid(b)) return false;
    box.center = cdi_v3_add(cdi_v3_scale(lo, 0.5), cdi_v3_scale(hi, 0.5));
    box.axes.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    box.axes.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    box.axes.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    cdi_v3_store(box.half, half);
    return cdi_rod_box(c, motion, &box, cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)), options, hit);
}

CD_API bool cd_sweep_capsule_obb(const cd_capsule *c, cd_vec3 motion, const cd_obb *b,
                                 const cd_cast_options *options, cd_hit *hit) {
    cdi_obb box = cdi_obb_of(b);
    cdi_v3 reach = cdi_v3_make(cdi_abs(box.center.x), cdi_abs(box.center.y), cdi_abs(box.center.z));
    if (!cdi_obb_finite(&box) || !(box.half[0] >= 0.0 && box.half[1] >= 0.0 && box.half[2] >= 0.0))
        return false;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 axis = box.axes.c[i];
        reach =
            cdi_v3_along(reach, cdi_v3_make(cdi_abs(axis.x), cdi_abs(axis.y), cdi_abs(axis.z)), box.half[i]);
    }
    return cdi_rod_box(c, motion, &box, cdi_v3_max_abs(reach), options, hit);
}

#undef CDI_AIM_MARGIN
#undef CDI_ROD_NOISE
