#include "convex/front.h"
#include "convex/polyhedron.h"
#include "core/platform.h"
#include "hull/hull_block.h"

/* A face is taken where the cosine of its normal and the direction is at least this, else an edge, else the corner. */
#define CDI_FRONT_SIDEWAYS 0.03125

/* ---- what fronts are made of ---- */

static void cdi_foremost_begin(cdi_foremost *out, const cdi_convex *body, cdi_v3 dir) {
    out->count = 0;
    out->rim = false;
    out->face = CD_FEATURE(CD_FEATURE_FACE, 0u);
    out->normal = dir;
    out->round = body->radius;
    out->soft = body->radius;
    out->barrel = 0.0;
}

static void cdi_foremost_put(cdi_foremost *out, cdi_v3 p, uint32_t vertex, uint32_t edge) {
    out->corner[out->count] = p;
    out->vertex[out->count] = vertex;
    out->edge[out->count++] = edge;
}

static void cdi_foremost_point(cdi_foremost *out, cdi_v3 p, uint32_t vertex) {
    out->count = 0;
    cdi_foremost_put(out, p, vertex, vertex);
}

/* What of a direction is across an edge; its length is the cosine of it and the unit vector that it makes. */
static cdi_v3 cdi_foremost_across(cdi_v3 dir, cdi_v3 edge) {
    cdi_v3 u = cdi_v3_unit(edge);
    return cdi_v3_along(dir, u, 0.0 - cdi_v3_dot(dir, u));
}

/* A segment, or the end that is farther where it is seen from that. */
static void cdi_foremost_segment(cdi_foremost *out, cdi_v3 dir, cdi_v3 p, uint32_t vp, cdi_v3 q, uint32_t vq,
                                 uint32_t edge) {
    cdi_v3 d = cdi_v3_sub(q, p), m = cdi_foremost_across(dir, d);
    double level = cdi_v3_norm(m);
    if (cdi_v3_is_zero(d) || !(level >= CDI_FRONT_SIDEWAYS)) {
        bool second = cdi_v3_dot(dir, d) > 0.0;
        cdi_foremost_point(out, second ? q : p, second ? vq : vp);
        return;
    }
    out->count = 0;
    out->normal = cdi_v3_scale(m, 1.0 / level);
    cdi_foremost_put(out, p, vp, edge);
    cdi_foremost_put(out, q, vq, edge);
}

/* Out to the rounded surface. */
static void cdi_foremost_swell(cdi_foremost *out, double radius) {
    for (int i = 0; i < out->count && radius > 0.0; ++i) {
        cdi_v3 p = cdi_v3_along(out->corner[i], out->normal, radius);
        out->corner[i] = p;
    }
}

/* ---- boxes and rectangles ----
 * The corner of bit i is at the far end of edge i. */

static uint32_t cdi_block_number(uint32_t bits, bool box) {
    return box ? bits : bits ^ bits >> 1;
}

static uint32_t cdi_block_edge(uint32_t a, uint32_t b, bool box) {
    if (box) return cdi_box_edge(a, b);
    a = cdi_block_number(a, false);
    b = cdi_block_number(b, false);
    return CD_FEATURE(CD_FEATURE_EDGE, (a + 1) % 4 == b ? a : b);
}

static cdi_v3 cdi_block_corner(cdi_v3 low, const cdi_v3 edge[3], uint32_t bits) {
    for (int k = 0; k < 3; ++k)
        if (bits >> k & 1u) low = cdi_v3_add(low, edge[k]);
    return low;
}

static void cdi_block_put(cdi_foremost *out, cdi_v3 low, const cdi_v3 edge[3], uint32_t bits, uint32_t next,
                          bool box) {
    cdi_foremost_put(out, cdi_block_corner(low, edge, bits),
                     CD_FEATURE(CD_FEATURE_VERTEX, cdi_block_number(bits, box)),
                     cdi_block_edge(bits, next, box));
}

/* A side of a block: across edge k. */
typedef struct cdi_block_side {
    cdi_v3 n; /* outward where the farthest corner is */
    double length, cosine;
    bool flat;
    int k;
} cdi_block_side;

static cdi_block_side cdi_block_side_of(const cdi_v3 edge[3], int k, uint32_t near_by, cdi_v3 dir) {
    cdi_block_side s;
    double g, x;
    s.n = cdi_v3_cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
    s.length = cdi_v3_norm(s.n);
    g = cdi_v3_dot(s.n, edge[k]);
    s.flat = g == 0.0;
    s.k = k;
    x = cdi_v3_dot(s.n, dir);
    if (s.flat ? x < 0.0 : (g > 0.0) != (near_by >> k & 1u)) {
        s.n = cdi_v3_neg(s.n);
        x = 0.0 - x;
    }
    s.cosine = s.length > 0.0 ? x / s.length : -2.0;
    return s;
}

static void cdi_block_face(cdi_v3 low, const cdi_v3 edge[3], bool box, uint32_t near_by,
                           const cdi_block_side *side, cdi_foremost *out) {
    uint32_t i = 1u << (side->k + 1) % 3, j = 1u << (side->k + 2) % 3, base = near_by & 1u << side->k;
    cdi_block_put(out, low, edge, base, base | i, box);
    cdi_block_put(out, low, edge, base | i, base | i | j, box);
    cdi_block_put(out, low, edge, base | i | j, base | j, box);
    cdi_block_put(out, low, edge, base | j, base, box);
    if (box) out->face = CD_FEATURE(CD_FEATURE_FACE, 2u * (uint32_t)side->k + (base ? 1u : 0u));
    out->normal = cdi_v3_scale(side->n, 1.0 / side->length);
}

/* The edge at the farthest corner that is most nearly across the direction. */
static void cdi_block_segment(cdi_v3 low, const cdi_v3 edge[3], bool box, uint32_t near_by, cdi_v3 dir,
                              cdi_foremost *out) {
    double best = CDI_HUGE;
    uint32_t bit = 0, a;
    for (int k = 0; k < 3; ++k) {
        double slope = cdi_abs(cdi_v3_dot(cdi_v3_unit(edge[k]), dir));
        if (!cdi_v3_is_zero(edge[k]) && slope < best) best = slope, bit = 1u << k;
    }
    a = near_by & ~bit;
    cdi_foremost_segment(
        out, dir, cdi_block_corner(low, edge, a), CD_FEATURE(CD_FEATURE_VERTEX, cdi_block_number(a, box)),
        cdi_block_corner(low, edge, a | bit), CD_FEATURE(CD_FEATURE_VERTEX, cdi_block_number(a | bit, box)),
        bit ? cdi_block_edge(a, a | bit, box) : 0);
}

static void cdi_block_front(cdi_v3 low, const cdi_v3 edge[3], bool box, cdi_v3 dir, cdi_foremost *out) {
    cdi_block_side best;
    uint32_t near_by = 0;
    for (int k = 0; k < 3; ++k) near_by |= cdi_v3_dot(dir, edge[k]) > 0.0 ? 1u << k : 0u;
    best = cdi_block_side_of(edge, 0, near_by, dir);
    for (int k = 1; k < 3; ++k) {
        cdi_block_side s = cdi_block_side_of(edge, k, near_by, dir);
        if (s.cosine > best.cosine) best = s;
    }
    if (best.cosine >= CDI_FRONT_SIDEWAYS) {
        cdi_block_face(low, edge, box, best.flat ? near_by & ~(1u << best.k) : near_by, &best, out);
    } else {
        cdi_block_segment(low, edge, box, near_by, dir, out);
    }
}

static void cdi_foremost_of_body_block(const cdi_convex *body, cdi_v3 dir, cdi_foremost *out) {
    bool box = body->support->kind != CD_SUPPORT_RECT;
    cdi_v3 low, edge[3];
    edge[2] = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_convex_vertex(body, 0, &low);
    for (int k = 0; k < (box ? 3 : 2); ++k) {
        cdi_v3 end;
        cdi_convex_vertex(body, cdi_block_number(1u << k, box), &end);
        end = cdi_v3_sub(end, low);
        edge[k] = end;
    }
    cdi_block_front(low, edge, box, dir, out);
}

/* ---- points ---- */

#define CDI_POINTS_THIN                                                                                      \
    2.3283064365386963e-10 /* 2^-32: of faces and edges that have no direction but of rounding */

/* Points of a core with their numbers. */
typedef struct cdi_foremost_points {
    int count;
    cdi_v3 p[CDI_FRONT_CORNERS];
    uint32_t number[CDI_FRONT_CORNERS];
} cdi_foremost_points;

/* The name of the edge between two points. Of clouds: as of a polygon whose corners are in order, else by where it begins. */
static uint32_t cdi_points_edge(const cdi_convex *body, uint32_t a, uint32_t b) {
    uint32_t ends[2], n = body->support->count;
    ends[0] = a;
    ends[1] = b;
    if (body->support->kind != CD_SUPPORT_POINTS) return CD_FEATURE(CD_FEATURE_EDGE, a & 0x3FFFFFFFu);
    if (n <= 4) return cdi_convex_feature(body, ends, 2);
    if ((a + 1) % n == b) return CD_FEATURE(CD_FEATURE_EDGE, a);
    if ((b + 1) % n == a) return CD_FEATURE(CD_FEATURE_EDGE, b);
    return CD_FEATURE(CD_FEATURE_EDGE, n + a);
}

static uint32_t cdi_points_vertex(const cdi_convex *body, uint32_t a) {
    if (body->support->kind == CD_SUPPORT_POINT && body->radius > 0.0) return CD_FEATURE(CD_FEATURE_FACE, 0u);
    return CD_FEATURE(CD_FEATURE_VERTEX, a & 0x3FFFFFFFu);
}

/* Is q to the right of the way from `from` to `to` as seen against m, or on it and farther? */
static bool cdi_points_beyond(cdi_v3 from, cdi_v3 to, cdi_v3 q, cdi_v3 m) {
    cdi_v3 d = cdi_v3_sub(to, from), e = cdi_v3_sub(q, from);
    double turn = cdi_v3_dot(cdi_v3_cross(d, e), m);
    return turn < 0.0 || (turn == 0.0 && cdi_v3_sqlength(e) > cdi_v3_sqlength(d));
}

/* Their convex hull as seen along m, counter-clockwise as seen against it: what is wrapped around them. */
static void cdi_points_ring(const cdi_convex *body, const cdi_foremost_points *s, cdi_v3 m,
                            cdi_foremost *out) {
    cdi_v3 t = cdi_across(m);
    int first = 0, at;
    for (int i = 1; i < s->count; ++i)
        if (cdi_v3_dot(t, s->p[i]) < cdi_v3_dot(t, s->p[first])) first = i;
    for (int i = 0; i < s->count; ++i) /* of several as far the first one around */
        if (cdi_v3_dot(t, s->p[i]) == cdi_v3_dot(t, s->p[first]) &&
            cdi_v3_dot(cdi_v3_cross(m, t), s->p[i]) > cdi_v3_dot(cdi_v3_cross(m, t), s->p[first]))
            first = i;
    out->count = 0;
    at = first;
    do {
        int next = at == 0 ? 1 : 0;
        for (int i = 0; i < s->count; ++i)
            if (i != at && i != next && cdi_points_beyond(s->p[at], s->p[next], s->p[i], m)) next = i;
        cdi_foremost_put(out, s->p[at], cdi_points_vertex(body, s->number[at]),
                         cdi_points_edge(body, s->number[at], s->number[next]));
        at = next;
    } while (at != first && out->count < s->count);
}

/* The most level of the edges from point `v` to another, but for those that are mere rounding. */
static void cdi_points_segment(const cdi_convex *body, const cdi_foremost_points *s, int v, cdi_v3 dir,
                               cdi_foremost *out) {
    double best = CDI_HUGE, least = 0.0;
    int other = v, low;
    for (int i = 0; i < s->count; ++i)
        least = cdi_max(least, CDI_POINTS_THIN * cdi_v3_norm(cdi_v3_sub(s->p[i], s->p[v])));
    for (int i = 0; i < s->count; ++i) {
        cdi_v3 d = cdi_v3_sub(s->p[i], s->p[v]);
        double slope = cdi_abs(cdi_v3_dot(cdi_v3_unit(d), dir));
        if (cdi_v3_norm(d) > least && slope < best) best = slope, other = i;
    }
    low = s->number[other] < s->number[v] ? other : v;
    other = low == v ? other : v;
    cdi_foremost_segment(out, dir, s->p[low], cdi_points_vertex(body, s->number[low]), s->p[other],
                         cdi_points_vertex(body, s->number[other]),
                         cdi_points_edge(body, s->number[low], s->number[other]));
}

/* The face of two points and `v` of three or four, its normal outward; the cosine with the direction, and whether the fourth is in its plane. */
typedef struct cdi_points_face {
    cdi_v3 n;
    double cosine;
    int i, j;
    bool flat;
} cdi_points_face;

static cdi_points_face cdi_points_face_of(const cdi_foremost_points *s, int v, int i, int j, cdi_v3 dir) {
    cdi_points_face f;
    cdi_v3 d = cdi_v3_sub(s->p[i], s->p[v]), e = cdi_v3_sub(s->p[j], s->p[v]), rest;
    double length, side = 0.0;
    f.n = cdi_v3_cross(d, e);
    f.i = i;
    f.j = j;
    length = cdi_v3_norm(f.n);
    rest = cdi_v3_sub(s->p[s->count == 4 ? 6 - v - i - j : v], s->p[v]);
    side = cdi_v3_dot(f.n, rest);
    f.flat = cdi_abs(side) <= 9.0949470177292824e-13 * length * cdi_v3_norm(rest);
    if (f.flat ? cdi_v3_dot(f.n, dir) < 0.0 : side > 0.0) f.n = cdi_v3_neg(f.n);
    f.cosine =
        length > CDI_POINTS_THIN * (cdi_v3_norm(d) * cdi_v3_norm(e)) ? cdi_v3_dot(f.n, dir) / length : -2.0;
    f.n = cdi_v3_scale(f.n, length > 0.0 ? 1.0 / length : 0.0);
    return f;
}

static void cdi_points_take(cdi_foremost_points *s, int i, int j, int k) {
    cdi_foremost_points t = *s;
    s->count = 3;
    s->p[0] = t.p[i], s->number[0] = t.number[i];
    s->p[1] = t.p[j], s->number[1] = t.number[j];
    s->p[2] = t.p[k], s->number[2] = t.number[k];
}

/* Three or four points. */
static void cdi_foremost_of_few(const cdi_convex *body, cdi_foremost_points *s, int v, cdi_v3 dir,
                                cdi_foremost *out) {
    cdi_points_face best;
    cdi_clear(&best, sizeof best);
    best.cosine = -2.0;
    for (int i = 0; i < s->count; ++i) {
        for (int j = i + 1; j < s->count; ++j) {
            cdi_points_face f;
            if (i == v || j == v) continue;
            f = cdi_points_face_of(s, v, i, j, dir);
            if (f.cosine > best.cosine) best = f;
        }
    }
    if (!(best.cosine >= CDI_FRONT_SIDEWAYS)) {
        cdi_points_segment(body, s, v, dir, out);
        return;
    }
    out->normal = best.n;
    if (s->count == 4 && !best.flat) {
        out->face = CD_FEATURE(CD_FEATURE_FACE, s->number[6 - v - best.i - best.j]);
        cdi_points_take(s, v, best.i, best.j);
    }
    cdi_points_ring(body, s, best.n, out);
}

static void cdi_foremost_of_points(const cdi_convex *body, cdi_v3 dir, cdi_foremost *out) {
    cdi_foremost_points s;
    int v = 0;
    s.count = (int)body->support->count;
    for (int i = 0; i < s.count; ++i) {
        s.number[i] = (uint32_t)i;
        cdi_convex_vertex(body, (uint32_t)i, &s.p[i]);
        if (cdi_v3_dot(s.p[i], dir) > cdi_v3_dot(s.p[v], dir)) v = i;
    }
    if (s.count > 2) {
        cdi_foremost_of_few(body, &s, v, dir, out);
    } else if (s.count == 2) {
        cdi_points_segment(body, &s, v, dir, out);
    } else {
        cdi_foremost_point(out, s.p[0], cdi_points_vertex(body, 0));
    }
}

/* ---- clouds, k-DOPs, bodies of the caller's: the farthest points in a few directions around the one ---- */

#define CDI_PROBE_TILT     0.0625
#define CDI_PROBE_ROUGH    16.0
#define CDI_PROBE_MANY     1024u /* above it, all are not looked at */
#define CDI_PROBE_DIAGONAL 0.70710678118654752

/* A direction of the body's own frame that is far from `dir`, across it: so that probes are the same where little has moved. */
static cdi_v3 cdi_probe_axis(const cdi_convex *body, cdi_v3 dir) {
    cdi_v3 best = cdi_v3_make(0.0, 0.0, 0.0);
    double least = CDI_HUGE;
    for (int k = 0; k < 3; ++k) {
        cdi_v3 axis = cdi_v3_make(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
        if (body->posed) axis = body->pose.rotation.c[k];
        if (cdi_abs(cdi_v3_dot(axis, dir)) + 0.125 * k < least) {
            least = cdi_abs(cdi_v3_dot(axis, dir)) + 0.125 * k;
            best = axis;
        }
    }
    return cdi_v3_unit(cdi_v3_along(best, dir, 0.0 - cdi_v3_dot(best, dir)));
}

/* Adds a point unless it is there. */
static void cdi_probe_add(cdi_foremost_points *s, cdi_v3 p, uint32_t number, double flat) {
    for (int i = 0; i < s->count; ++i)
        if (cdi_v3_max_abs(cdi_v3_sub(s->p[i], p)) <= flat) return;
    s->p[s->count] = p;
    s->number[s->count++] = number;
}

/* Curved bodies' corners have no numbers: those of their places. */
static void cdi_probe_run(const cdi_convex *body, cdi_v3 dir, uint32_t vertex, double flat,
                          cdi_foremost_points *s) {
    static const double way[9] = {0.0,
                                  1.0,
                                  CDI_PROBE_DIAGONAL,
                                  0.0,
                                  -CDI_PROBE_DIAGONAL,
                                  -1.0,
                                  -CDI_PROBE_DIAGONAL,
                                  0.0,
                                  CDI_PROBE_DIAGONAL};
    cdi_v3 t = cdi_probe_axis(body, dir), w = cdi_v3_cross(dir, t);
    s->count = 0;
    for (int i = 0; i < 9; ++i) {
        double x = way[i], y = i == 0 ? 0.0 : way[(i + 5) % 8 + 1];
        cdi_v3 d = cdi_v3_along(cdi_v3_along(dir, t, CDI_PROBE_TILT * x), w, CDI_PROBE_TILT * y), p;
        p = cdi_convex_farthest(body, d, &vertex);
        cdi_probe_add(s, p, vertex != CD_NONE ? vertex : (uint32_t)i, flat);
    }
}

/* Is the core nowhere beyond the plane through a point? */
static bool cdi_probe_holds(const cdi_convex *body, cdi_v3 p, cdi_v3 m, double flat) {
    uint32_t vertex = CD_NONE;
    cdi_v3 q = cdi_convex_farthest(body, m, &vertex);
    return cdi_v3_dot(m, cdi_v3_sub(q, p)) <= flat;
}

/* The point that the plane across m meets first when it is turned about point 0: among the others, at most `not` left out; `axis`, where not
 * zero, is that of the turning. -1: none. */
static int cdi_probe_turned(const cdi_foremost_points *s, cdi_v3 m, cdi_v3 axis, int skip) {
    double best = -CDI_HUGE;
    int found = -1;
    for (int i = 1; i < s->count; ++i) {
        cdi_v3 d = cdi_v3_sub(s->p[i], s->p[0]);
        double h = cdi_v3_dot(m, d);
        cdi_v3 level = cdi_v3_along(d, m, 0.0 - h);
        double across = cdi_v3_is_zero(axis)
                            ? cdi_v3_norm(level)
                            : cdi_v3_norm(cdi_v3_along(level, axis, 0.0 - cdi_v3_dot(axis, level)));
        if (i == skip || !(across > 1e-6 * cdi_v3_norm(d))) continue;
        if (h / across > best) best = h / across, found = i;
    }
    return found;
}

/* A plane of three points that may be near each other: another of those that are about in it, as far apart as they are. False where the
 * body is beyond it. */
static bool cdi_probe_settle(const cdi_convex *body, const cdi_foremost_points *s, cdi_v3 dir, double flat,
                             cdi_v3 *m) {
    cdi_v3 first = cdi_v3_make(0.0, 0.0, 0.0), best = first;
    for (int round = 0; round < 2; ++round) {
        for (int i = 1; i < s->count; ++i) {
            cdi_v3 d = cdi_v3_sub(s->p[i], s->p[0]), n = cdi_v3_cross(first, d);
            if (!(cdi_abs(cdi_v3_dot(*m, d)) <= CDI_PROBE_ROUGH * flat)) continue;
            if (round == 0 && cdi_v3_norm(d) > cdi_v3_norm(first)) first = d;
            if (round == 1 && cdi_v3_norm(n) > cdi_v3_norm(best)) best = n;
        }
    }
    if (cdi_v3_is_zero(best)) return false;
    *m = cdi_v3_unit(cdi_v3_dot(best, dir) < 0.0 ? cdi_v3_neg(best) : best);
    return cdi_probe_holds(body, s->p[0], *m, flat);
}

/* The plane of three of the points that is nearest to the direction; false where the body is beyond it. */
static bool cdi_probe_plane(const cdi_convex *body, const cdi_foremost_points *s, int first, cdi_v3 dir,
                            double flat, cdi_v3 *m) {
    cdi_v3 edge = cdi_v3_sub(s->p[first], s->p[0]);
    int second = cdi_probe_turned(s, cdi_v3_unit(cdi_foremost_across(dir, edge)), cdi_v3_unit(edge), first);
    if (second < 0) return false;
    *m = cdi_v3_unit(cdi_v3_cross(edge, cdi_v3_sub(s->p[second], s->p[0])));
    if (cdi_v3_dot(*m, dir) < 0.0) *m = cdi_v3_neg(*m);
    return cdi_v3_dot(*m, dir) >= CDI_FRONT_SIDEWAYS && cdi_probe_settle(body, s, dir, flat, m);
}

/* Leaves what is in the plane. */
static void cdi_probe_level(cdi_foremost_points *s, cdi_v3 m, double flat) {
    int count = 0;
    for (int i = 0; i < s->count; ++i) {
        if (cdi_abs(cdi_v3_dot(m, cdi_v3_sub(s->p[i], s->p[0]))) > 2.0 * flat) continue;
        s->p[count] = s->p[i];
        s->number[count++] = s->number[i];
    }
    s->count = count;
}

/* All of a cloud's points in a plane, where there is room for them. */
static void cdi_probe_all(const cdi_convex *body, cdi_v3 m, double flat, cdi_foremost_points *s) {
    cdi_foremost_points all;
    all.count = 0;
    for (uint32_t i = 0; i < body->vertex_count; ++i) {
        cdi_v3 p;
        if (body->support->kind == CD_SUPPORT_DK && body->dk.places[i] == CD_NONE) continue;
        cdi_convex_vertex(body, i, &p);
        if (cdi_abs(cdi_v3_dot(m, cdi_v3_sub(p, s->p[0]))) > 2.0 * flat) continue;
        if (all.count == CDI_FRONT_CORNERS) return;
        cdi_probe_add(&all, p, i, flat);
    }
    *s = all;
}

static void cdi_foremost_of_probes(const cdi_convex *body, cdi_v3 dir, uint32_t vertex, cdi_foremost *out) {
    double flat = CDI_CONVEX_FLAT * body->own;
    cdi_foremost_points s;
    cdi_v3 m, level;
    int first;
    cdi_probe_run(body, dir, vertex, flat, &s);
    cdi_foremost_point(out, s.p[0], cdi_points_vertex(body, s.number[0]));
    first = cdi_probe_turned(&s, dir, cdi_v3_make(0.0, 0.0, 0.0), 0);
    if (first < 0) return;
    level = cdi_foremost_across(dir, cdi_v3_sub(s.p[first], s.p[0]));
    if (cdi_probe_plane(body, &s, first, dir, flat, &m)) {
        cdi_probe_level(&s, m, flat);
        if (body->vertex_count > 0 && body->vertex_count <= CDI_PROBE_MANY) cdi_probe_all(body, m, flat, &s);
        cdi_points_ring(body, &s, m, out);
        out->normal = m;
    } else if (cdi_probe_holds(body, s.p[0], cdi_v3_unit(level), flat)) {
        s.p[1] = s.p[first], s.number[1] = s.number[first];
        s.count = 2;
        cdi_points_segment(body, &s, 0, dir, out);
    }
}

/* ---- hulls ---- */

static void cdi_hull_front_put(const cdi_convex *body, const cd_half_edge *halves, uint32_t e,
                               cdi_foremost *out) {
    uint32_t twin = halves[e].twin, v = halves[e].origin;
    cdi_v3 p;
    cdi_convex_vertex(body, v, &p);
    cdi_foremost_put(out, p, CD_FEATURE(CD_FEATURE_VERTEX, v),
                     CD_FEATURE(CD_FEATURE_EDGE, e < twin ? e : twin));
}

/* Of a face with many corners those that reach farthest along directions spread evenly in its plane. */
static void cdi_hull_front_some(const cdi_convex *body, const cd_half_edge *halves, const cd_hull_face *face,
                                cdi_v3 m, cdi_foremost *out) {
    static const double turn[6][2] = {{1.0, 0.0},
                                      {0.96592582628906829, 0.25881904510252076},
                                      {0.86602540378443865, 0.5},
                                      {0.70710678118654752, 0.70710678118654752},
                                      {0.5, 0.86602540378443865},
                                      {0.25881904510252076, 0.96592582628906829}};
    uint32_t last = CD_NONE, begin = CD_NONE;
    cdi_v3 p, q, t, w;
    cdi_convex_vertex(body, halves[face->first].origin, &p);
    cdi_convex_vertex(body, halves[face->first + 1].origin, &q);
    t = cdi_v3_unit(cdi_v3_sub(q, p));
    w = cdi_v3_cross(m, t);
    for (int i = 0; i < CDI_FRONT_CORNERS; ++i) {
        double x = i / 6 % 2 ? 0.0 - turn[i % 6][1] : turn[i % 6][0],
               y = i / 6 % 2 ? turn[i % 6][0] : turn[i % 6][1];
        cdi_v3 d = cdi_v3_add(cdi_v3_scale(t, i < 12 ? x : 0.0 - x), cdi_v3_scale(w, i < 12 ? y : 0.0 - y));
        double most = -CDI_HUGE;
        uint32_t e = face->first;
        for (uint32_t k = face->first; k < face->first + face->count; ++k) {
            cdi_convex_vertex(body, halves[k].origin, &p);
            if (cdi_v3_dot(d, p) > most) most = cdi_v3_dot(d, p), e = k;
        }
        if (e != last && e != begin) cdi_hull_front_put(body, halves, e, out);
        if (i == 0) begin = e;
        last = e;
    }
}

static void cdi_hull_front_face(const cdi_convex *body, const cdi_hull_arrays *hull, uint32_t face, cdi_v3 m,
                                cdi_foremost *out) {
    const cd_hull_face *f = &hull->faces[face];
    out->normal = m;
    out->face = CD_FEATURE(CD_FEATURE_FACE, face);
    if (f->count > CDI_FRONT_CORNERS) {
        cdi_hull_front_some(body, hull->half_edges, f, m, out);
        return;
    }
    for (uint32_t e = f->first; e < f->first + f->count; ++e)
        cdi_hull_front_put(body, hull->half_edges, e, out);
}

/* An edge from a vertex. */
static void cdi_hull_front_edge(const cdi_convex *body, const cd_half_edge *halves, uint32_t e, cdi_v3 dir,
                                cdi_foremost *out) {
    uint32_t twin = halves[e].twin, low = e < twin ? e : twin, v = halves[low].origin,
             w = halves[halves[low].twin].origin;
    cdi_v3 p, q;
    cdi_convex_vertex(body, v, &p);
    cdi_convex_vertex(body, w, &q);
    cdi_foremost_segment(out, dir, p, CD_FEATURE(CD_FEATURE_VERTEX, v), q, CD_FEATURE(CD_FEATURE_VERTEX, w),
                         CD_FEATURE(CD_FEATURE_EDGE, low));
}

/* What is best around a vertex: the face nearest to the direction, the edge most level. */
typedef struct cdi_hull_best {
    uint32_t face, edge;
    cdi_v3 normal;
    double cosine, slope;
} cdi_hull_best;

static void cdi_hull_front_look(const cdi_convex *body, const cdi_hull_arrays *hull, uint32_t e, cdi_v3 dir,
                                bool faces, cdi_hull_best *best) {
    const cd_half_edge *halves = hull->half_edges;
    if (faces) {
        cdi_v3 n = cdi_convex_face_normal(body, &hull->faces[halves[e].face]);
        double cosine = cdi_v3_dot(n, dir);
        if (cosine > best->cosine || (cosine == best->cosine && halves[e].face < best->face)) {
            best->cosine = cosine;
            best->normal = n;
            best->face = halves[e].face;
        }
    } else {
        cdi_v3 p, q;
        double slope;
        cdi_convex_vertex(body, halves[e].origin, &p);
        cdi_convex_vertex(body, halves[halves[e].twin].origin, &q);
        slope = cdi_abs(cdi_v3_dot(cdi_v3_unit(cdi_v3_sub(q, p)), dir));
        if (slope < best->slope) best->slope = slope, best->edge = e;
    }
}

/* Around vertex v. */
static void cdi_hull_front_around(const cdi_convex *body, const cdi_hull_arrays *hull, uint32_t v, cdi_v3 dir,
                                  bool faces, cdi_hull_best *best) {
    uint32_t e = hull->outgoing[v];
    best->cosine = -2.0;
    best->slope = 2.0;
    best->face = best->edge = CD_NONE;
    do {
        const cd_hull_face *f = &hull->faces[hull->half_edges[e].face];
        cdi_hull_front_look(body, hull, e, dir, faces, best);
        e = hull->half_edges[e > f->first ? e - 1 : f->first + f->count - 1].twin;
    } while (e != hull->outgoing[v]);
}

static void cdi_foremost_of_hull(const cdi_convex *body, cdi_v3 dir, uint32_t vertex, cdi_foremost *out) {
    const cdi_hull_header *header = (const cdi_hull_header *)((const cd_hull *)body->support->shape)->block;
    cdi_hull_arrays hull = cdi_hull_open(header);
    cdi_hull_best best;
    cdi_v3 p = cdi_convex_farthest(body, dir, &vertex);
    if (header->dimension == 1) {
        cdi_hull_front_edge(body, hull.half_edges, 0, dir, out);
        return;
    }
    cdi_foremost_point(out, p, CD_FEATURE(CD_FEATURE_VERTEX, vertex));
    if (header->dimension < 1) return;
    cdi_hull_front_around(body, &hull, vertex, dir, true, &best);
    if (best.cosine >= CDI_FRONT_SIDEWAYS) {
        out->count = 0;
        cdi_hull_front_face(body, &hull, best.face, best.normal, out);
        return;
    }
    cdi_hull_front_around(body, &hull, vertex, dir, false, &best);
    if (best.edge != CD_NONE) cdi_hull_front_edge(body, hull.half_edges, best.edge, dir, out);
}

/* ---- cylinders, cones, discs, tapered capsules ---- */

/* From the core's own frame. */
static cdi_v3 cdi_bulge_place(const cdi_convex *body, cdi_v3 p) {
    if (body->stretched) p = cdi_stretched(p, body->stretch);
    return body->posed ? cdi_pose_point(&body->pose, p) : p;
}

/* The direction as the core's own frame has it. */
static cdi_v3 cdi_bulge_direction(const cdi_convex *body, cdi_v3 dir) {
    if (body->posed) dir = cdi_m3_tmul_v3(&body->pose.rotation, dir);
    return body->stretched ? cdi_stretched(dir, body->stretch) : dir;
}

/* A normal of the core's own frame, as that of A has it, unit. */
static cdi_v3 cdi_bulge_normal(const cdi_convex *body, cdi_v3 n) {
    if (body->stretched) n = cdi_v3_make(n.x / body->stretch.x, n.y / body->stretch.y, n.z / body->stretch.z);
    n = cdi_v3_unit(n);
    return body->posed ? cdi_m3_mul_v3(&body->pose.rotation, n) : n;
}

/* A cap: eight places. */
static void cdi_foremost_of_cap(const cdi_convex *body, int end, cdi_v3 normal, cdi_foremost *out) {
    const cdi_frustum *f = &body->frustum;
    cdi_v3 e = cdi_across(f->u), g = cdi_v3_cross(f->u, e);
    double r = f->r[end], d = r * CDI_PROBE_DIAGONAL;
    uint32_t first = f->h > 0.0 ? 8u * (uint32_t)end : 0u;
    for (uint32_t i = 0; i < 8; ++i) {
        double x = i % 4 == 2 ? 0.0 : (i % 2 ? d : r) * (i > 2 && i < 6 ? -1.0 : 1.0);
        double y = i % 4 == 0 ? 0.0 : (i % 2 ? d : r) * (i > 4 ? -1.0 : 1.0);
        cdi_v3 p = cdi_v3_along(cdi_v3_along(f->end[end], e, x), g, y);
        cdi_foremost_put(out, cdi_bulge_place(body, p), CD_FEATURE(CD_FEATURE_VERTEX, first + i),
                         CD_FEATURE(CD_FEATURE_EDGE, first + i));
    }
    out->rim = true;
    out->normal = normal;
    out->round = r + body->radius;
}

/* The line of the side that faces the direction, from end to end. */
static void cdi_foremost_of_side(const cdi_convex *body, cdi_v3 out_of, cdi_v3 dir, cdi_foremost *out) {
    const cdi_frustum *f = &body->frustum;
    cdi_v3 p = cdi_bulge_place(body, cdi_v3_along(f->end[0], out_of, f->r[0]));
    cdi_v3 q = cdi_bulge_place(body, cdi_v3_along(f->end[1], out_of, f->r[1]));
    cdi_foremost_segment(out, dir, p, CD_FEATURE(CD_FEATURE_VERTEX, 16u), q,
                         CD_FEATURE(CD_FEATURE_VERTEX, 17u), CD_FEATURE(CD_FEATURE_EDGE, 16u));
    out->round = cdi_max(f->r[0], f->r[1]) + body->radius;
    if (out->count < 2) return;
    if (body->stretched) {
        cdi_v3 g = cdi_v3_along(f->end[1], out_of, f->r[1]);
        g = cdi_v3_sub(g, cdi_v3_along(f->end[0], out_of, f->r[0]));
        out->normal = cdi_bulge_normal(body, cdi_foremost_across(cdi_bulge_direction(body, dir), g));
    } else if (f->r[0] == f->r[1]) {
        out->barrel = f->r[0];
    }
}

static void cdi_foremost_of_frustum(const cdi_convex *body, cdi_v3 dir, cdi_foremost *out) {
    const cdi_frustum *f = &body->frustum;
    cdi_v3 local = cdi_bulge_direction(body, dir), side, normal;
    double along = cdi_v3_dot(local, f->u), cap = -2.0;
    int end = along > 0.0 ? 1 : 0;
    side = cdi_v3_unit(cdi_v3_along(local, f->u, 0.0 - along));
    normal = cdi_bulge_normal(body, end ? f->u : cdi_v3_neg(f->u));
    if (f->r[end] > 0.0) cap = cdi_v3_dot(normal, dir);
    out->round = 0.0;
    if (f->h > 0.0) cdi_foremost_of_side(body, side, dir, out);
    if (out->count == 2 && cdi_v3_dot(out->normal, dir) >= cap) return;
    if (cap >= CDI_FRONT_SIDEWAYS) {
        out->count = 0;
        out->barrel = 0.0;
        cdi_foremost_of_cap(body, end, normal, out);
    } else if (out->count == 0) {
        cdi_foremost_point(out, cdi_bulge_place(body, cdi_v3_along(f->end[end], side, f->r[end])),
                           CD_FEATURE(CD_FEATURE_FACE, 0u));
        out->round = f->r[end] + body->radius;
    }
}

/* A point and a ball: the line that touches both, where there is one. */
static void cdi_foremost_of_tapered(const cdi_convex *body, cdi_v3 dir, cdi_foremost *out) {
    const cdi_frustum *f = &body->frustum;
    cdi_v3 p = cdi_bulge_place(body, f->end[0]), q = cdi_bulge_place(body, f->end[1]), axis, m;
    double length = cdi_v3_norm(cdi_v3_sub(q, p)), sine = f->r[1] / length;
    uint32_t vertex = CD_NONE;
    cdi_v3 far_off = cdi_convex_farthest(body, dir, &vertex);
    if (length > 0.0 && sine < 1.0 && !body->stretched) {
        axis = cdi_v3_unit(cdi_v3_sub(q, p));
        m = cdi_v3_unit(cdi_foremost_across(dir, axis));
        m = cdi_v3_along(cdi_v3_scale(m, cdi_sqrt(1.0 - sine * sine)), axis, 0.0 - sine);
        cdi_foremost_segment(out, dir, p, CD_FEATURE(CD_FEATURE_VERTEX, 16u), cdi_v3_along(q, m, f->r[1]),
                             CD_FEATURE(CD_FEATURE_VERTEX, 17u), CD_FEATURE(CD_FEATURE_EDGE, 16u));
        if (out->count == 2) out->normal = m;
        out->round = f->r[1] + body->radius;
    }
    if (out->count == 2 && cdi_v3_dot(out->normal, dir) >= CDI_FRONT_SIDEWAYS) return;
    out->normal = dir;
    cdi_foremost_point(out, far_off, CD_FEATURE(CD_FEATURE_FACE, 0u));
}

/* ---- all ---- */

static void cdi_foremost_of_core(const cdi_convex *body, cdi_v3 dir, uint32_t vertex, cdi_foremost *out) {
    switch (body->support->kind) {
    case CD_SUPPORT_AABB:
    case CD_SUPPORT_OBB:
    case CD_SUPPORT_RECT: cdi_foremost_of_body_block(body, dir, out); return;
    case CD_SUPPORT_HULL: cdi_foremost_of_hull(body, dir, vertex, out); return;
    case CD_SUPPORT_DISC:
    case CD_SUPPORT_CYLINDER:
    case CD_SUPPORT_CONE: cdi_foremost_of_frustum(body, dir, out); return;
    case CD_SUPPORT_TAPERED: cdi_foremost_of_tapered(body, dir, out); return;
    case CD_SUPPORT_POINT:
        cdi_foremost_point(out, cdi_bulge_place(body, body->center), cdi_points_vertex(body, 0));
        return;
    case CD_SUPPORT_ELLIPSOID:
        cdi_foremost_point(out, cdi_convex_farthest(body, dir, &vertex), CD_FEATURE(CD_FEATURE_FACE, 0u));
        out->soft = body->own;
        return;
    case CD_SUPPORT_POINTS:
        if (body->support->count <= 4) {
            cdi_foremost_of_points(body, dir, out);
            return;
        }
        break;
    default: break;
    }
    cdi_foremost_of_probes(body, dir, vertex, out);
}

/* Is a line of its side that of a cylinder, all along as far from its axis? */
static bool cdi_front_is_straight(const cdi_convex *body) {
    switch (body->support->kind) {
    case CD_SUPPORT_CONE:
    case CD_SUPPORT_TAPERED: return false;
    case CD_SUPPORT_CYLINDER: return !body->stretched;
    default: return true;
    }
}

CDI_FN void cdi_foremost_of(const cdi_convex *body, cdi_v3 dir, uint32_t vertex, cdi_foremost *out) {
    cdi_foremost_begin(out, body, dir);
    cdi_foremost_of_core(body, dir, vertex, out);
    if (cdi_front_is_straight(body)) out->barrel += body->radius;
    if (out->count != 2) out->barrel = 0.0;
    cdi_foremost_swell(out, body->radius);
    if (out->count == 1) out->round = 0.0; /* it is the farthest */
}

#undef CDI_FRONT_SIDEWAYS
#undef CDI_POINTS_THIN
#undef CDI_PROBE_TILT
#undef CDI_PROBE_DIAGONAL
#undef CDI_PROBE_MANY
#undef CDI_PROBE_ROUGH
