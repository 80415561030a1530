#include "convex/patch.h"
#include "core/platform.h"

/* ---- fronts seen along the normal ---- */

/* The least way that coordinates can be told apart by, as a part of them. */
#ifdef COLLIDE_DOUBLE
#define CDI_PATCH_SLACK 7.1054273576010019e-15 /* 2^-47 */
#define CDI_PATCH_TILT  4.547473508864641e-13  /* 2^-41: depths, as a part of how far the fronts reach */
#else
#define CDI_PATCH_SLACK 1.1920928955078125e-7 /* 2^-23 */
#define CDI_PATCH_TILT  4.76837158203125e-7   /* 2^-21 */
#endif
#define CDI_PATCH_BLUR 5.6843418860808015e-14 /* 2^-44 */
#define CDI_PATCH_NEAR 0.03125                /* 2^-5 */

/* A front as seen along the normal: x and y across it, h along it. */
typedef struct cdi_outline {
    const cdi_foremost *front;
    int edges; /* 0 of a point, 1 of a segment */
    cdi_v3 at; /* the face's height above the origin, and how it changes with x and y */
    double x[CDI_FRONT_CORNERS + 1], y[CDI_FRONT_CORNERS + 1],
        h[CDI_FRONT_CORNERS + 1];                                              /* the first one twice */
    double nx[CDI_FRONT_CORNERS], ny[CDI_FRONT_CORNERS], c[CDI_FRONT_CORNERS]; /* of edges: inward, unit */
    double length[CDI_FRONT_CORNERS];
    uint32_t inside[CDI_FRONT_CORNERS +
                    1]; /* of each corner: for which edges of the other it is on the inner side */
} cdi_outline;

/* Both, and what is being made of them. */
typedef struct cdi_overlay {
    cdi_outline side[2];
    double zone; /* nearer than this to a corner or edge a point is named by it */
    cdi_contact_patch *patch;
} cdi_overlay;

static void cdi_outline_corners(const cdi_overlay *m, cdi_outline *s, double *area) {
    const cdi_contact_patch *p = m->patch;
    int n = s->front->count;
    double twice = 0.0;
    for (int i = 0; i < n; ++i) {
        cdi_v3 d = cdi_v3_sub(s->front->corner[i], p->origin);
        s->x[i] = cdi_v3_dot(p->u, d);
        s->y[i] = cdi_v3_dot(p->v, d);
        s->h[i] = cdi_v3_dot(p->wish.normal, d);
    }
    s->x[n] = s->x[0], s->y[n] = s->y[0], s->h[n] = s->h[0];
    for (int i = 0; i < n; ++i)
        twice +=
            (s->x[i] - s->x[0]) * (s->y[i + 1] - s->y[0]) - (s->x[i + 1] - s->x[0]) * (s->y[i] - s->y[0]);
    *area = twice;
}

static void cdi_outline_edges(cdi_outline *s, double sign) {
    for (int i = 0; i < s->edges; ++i) {
        double dx = s->x[i + 1] - s->x[i], dy = s->y[i + 1] - s->y[i];
        double length = cdi_sqrt(dx * dx + dy * dy), by = length > 0.0 ? sign / length : 0.0;
        s->length[i] = length;
        s->nx[i] = 0.0 - dy * by;
        s->ny[i] = dx * by;
        s->c[i] = length > 0.0 ? s->nx[i] * s->x[i] + s->ny[i] * s->y[i]
                               : -CDI_HUGE; /* nothing is beyond a point */
    }
}

/* The plane of a face: h = at.z + at.x x + at.y y. */
static void cdi_outline_plane(const cdi_contact_patch *p, cdi_outline *s) {
    cdi_v3 n = s->front->normal;
    double up = cdi_v3_dot(n, p->wish.normal);
    double gx = 0.0 - cdi_v3_dot(n, p->u) / up, gy = 0.0 - cdi_v3_dot(n, p->v) / up;
    s->at = cdi_v3_make(gx, gy, s->h[0] - gx * s->x[0] - gy * s->y[0]);
}

static void cdi_outline_of(const cdi_overlay *m, const cdi_foremost *front, cdi_outline *s) {
    double area;
    s->front = front;
    cdi_outline_corners(m, s, &area);
    s->edges = front->count > 2 ? front->count : front->count - 1;
    if (front->count > 2 && !(area < 0.0 || area > 0.0)) s->edges = 0; /* nothing to be over */
    cdi_outline_edges(s, area < 0.0 ? -1.0 : 1.0);
    if (s->edges > 2) cdi_outline_plane(m->patch, s);
}

/* No corner is farther from the origin. */
static double cdi_outline_extent(const cdi_outline *s) {
    double most = 0.0;
    for (int i = 0; i < s->front->count; ++i)
        most = cdi_max(most, cdi_max(cdi_max(cdi_abs(s->x[i]), cdi_abs(s->y[i])), cdi_abs(s->h[i])));
    return most;
}

static double cdi_outline_shortest(const cdi_outline *s) {
    double least = CDI_HUGE;
    for (int i = 0; i < s->edges; ++i)
        if (s->length[i] > 0.0) least = cdi_min(least, s->length[i]);
    return least;
}

/* ---- names that are remembered: 15 bits of each, none of them 0 ---- */

static uint32_t cdi_name_mark(uint32_t a, uint32_t b) {
    uint32_t h = a * 0x9E3779B1u;
    h = ((h ^ h >> 15) + b) * 0x85EBCA77u;
    h = (h ^ h >> 13) * 0xC2B2AE3Du;
    return (h >> 12) % 0x7FFFu + 1u;
}

static bool cdi_marks_have(uint64_t marks, uint32_t mark) {
    for (; marks; marks >>= 15)
        if ((marks & 0x7FFFu) == mark) return true;
    return false;
}

/* ---- points ---- */

static bool cdi_contact_point_same(const cdi_contact_point *s, const cdi_contact_point *t) {
    return s->feature_a == t->feature_a && s->feature_b == t->feature_b;
}

/* The one of that name; NULL: none. */
static cdi_contact_point *cdi_patch_named(cdi_contact_patch *p, const uint32_t name[2]) {
    for (int i = 0; i < p->count; ++i)
        if (p->point[i].feature_a == name[0] && p->point[i].feature_b == name[1]) return &p->point[i];
    return NULL;
}

/* Takes a point in. Where there is one of its name, the deeper one stays. Where all are asked for, one that is
 * elsewhere takes its other name, `name[2]` and `name[3]`. */
static void cdi_patch_take(cdi_contact_patch *p, cdi_contact_point *t, const uint32_t name[4]) {
    cdi_contact_point *same = cdi_patch_named(p, name);
    double near_by = 4.0 * p->slack;
    t->feature_a = name[0];
    t->feature_b = name[1];
    if (same && p->wish.all && !(cdi_abs(t->x - same->x) <= near_by && cdi_abs(t->y - same->y) <= near_by)) {
        t->feature_a = name[2];
        t->feature_b = name[3];
        same = cdi_patch_named(p, name + 2);
    }
    if (same) {
        t->even |= same->even;
        if (t->distance < same->distance - p->slack) *same = *t;
        same->even = t->even;
    } else if (p->count < CDI_PATCH_POINTS) {
        p->point[p->count++] = *t;
    }
}

/* Is (x, y) that near to a corner? */
static bool cdi_outline_near(const cdi_outline *s, int i, double x, double y, double zone) {
    double dx = x - s->x[i], dy = y - s->y[i];
    return dx * dx + dy * dy <= zone * zone;
}

/* How far along edge i the foot of a point is, 0 to 1 on the edge. */
static double cdi_outline_foot(const cdi_outline *s, int i, double x, double y) {
    double dx = s->x[i + 1] - s->x[i], dy = s->y[i + 1] - s->y[i];
    return ((x - s->x[i]) * dx + (y - s->y[i]) * dy) / (s->length[i] * s->length[i]);
}

static double cdi_outline_height(const cdi_outline *s, double x, double y) {
    if (s->edges > 2) return s->at.z + s->at.x * x + s->at.y * y;
    if (s->edges < 1) return s->h[0];
    return s->h[0] + cdi_clamp(cdi_outline_foot(s, 0, x, y), 0.0, 1.0) * (s->h[1] - s->h[0]);
}

/* The height at a point that may be a hair outside, as far as edge k: there it is that of the edge, since a face that is nearly along the normal
 * rises far within a hair. */
static double cdi_outline_height_within(const cdi_outline *s, double x, double y, int k, double least) {
    double low = s->h[0], high = s->h[0];
    if (s->edges <= 2 || !(least < 0.0)) return cdi_outline_height(s, x, y);
    for (int i = 1; i < s->edges; ++i) {
        low = cdi_min(low, s->h[i]);
        high = cdi_max(high, s->h[i]);
    }
    return cdi_clamp(cdi_outline_height(s, x - least * s->nx[k], y - least * s->ny[k]), low, high);
}

/* On which sides of the other's edges corner i is, and the nearest edge. */
static double cdi_outline_sides(cdi_outline *s, const cdi_outline *other, int i, double slack, int *nearest) {
    uint32_t mask = 0;
    double least = CDI_HUGE;
    for (int k = 0; k < other->edges; ++k) {
        double d = other->nx[k] * s->x[i] + other->ny[k] * s->y[i] - other->c[k];
        mask |= d >= 0.0 - slack ? 1u << k : 0u;
        if (d < least) least = d, *nearest = k;
    }
    s->inside[i] = mask;
    return least;
}

/* Is a corner over a front that is no face? `off`: its signed distance from the segment's line. */
static bool cdi_outline_on_thin(const cdi_outline *s, double x, double y, double off, double slack) {
    double t;
    if (s->front->count > 2) return false;
    if (s->edges == 0) return cdi_outline_near(s, 0, x, y, slack);
    if (!(s->length[0] > slack)) return cdi_outline_near(s, 0, x, y, 2.0 * slack);
    t = cdi_outline_foot(s, 0, x, y) * s->length[0];
    return cdi_abs(off) <= slack && t >= 0.0 - slack && t <= s->length[0] + slack;
}

/* Where a point is: corner i of a side, over the other, whose edge k is nearest at the distance `least`; or where edge i of A crosses
 * edge k of B. */
typedef struct cdi_patch_place {
    bool corner;
    int side, i, k;
    double x, y, least;
} cdi_patch_place;

/* What it is made of. */
static void cdi_place_parts(const cdi_overlay *m, const cdi_patch_place *q, uint32_t name[2]) {
    const cdi_outline *s = &m->side[q->side], *o = &m->side[1 - q->side];
    name[q->side] = q->corner ? s->front->vertex[q->i] : s->front->edge[q->i];
    name[1 - q->side] = o->front->edge[q->k];
    if (q->corner && o->edges > 2) name[1 - q->side] = o->front->face;
    if (o->edges == 0) name[1 - q->side] = o->front->vertex[0];
}

/* What is near a place on one side: an edge as far as `to_edge` (CDI_HUGE: none is asked for), the square of how far its nearer end is, and the
 * edge `beside` it at that end; CD_NONE where it is farther than twice the zone. */
typedef struct cdi_place_side {
    double to_edge, to_corner;
    uint32_t part, edge, corner, beside;
} cdi_place_side;

static void cdi_place_side_of(const cdi_overlay *m, const cdi_patch_place *q, int side, uint32_t part,
                              cdi_place_side *out) {
    const cdi_outline *s = &m->side[side];
    int edge = side == q->side ? q->i : q->k, next = edge + 1 < s->front->count ? edge + 1 : 0;
    double dx, dy, ex, ey, far_off;
    out->part = part;
    out->to_edge = CDI_HUGE;
    out->beside = CD_NONE;
    if (q->corner && (side == q->side || s->edges == 0)) return;
    out->to_edge = q->corner && s->edges > 2 ? q->least : 0.0;
    if (out->to_edge > 2.0 * m->zone) return;
    dx = q->x - s->x[edge], dy = q->y - s->y[edge];
    ex = q->x - s->x[edge + 1], ey = q->y - s->y[edge + 1];
    out->to_corner = dx * dx + dy * dy;
    far_off = ex * ex + ey * ey;
    out->corner = s->front->vertex[far_off < out->to_corner ? next : edge];
    out->edge = q->corner && s->front->rim ? s->front->face
                                           : s->front->edge[edge]; /* rims have edges only where they cross */
    if (s->edges > 2 && !s->front->rim) {
        int beside = far_off < out->to_corner ? next : edge > 0 ? edge - 1 : s->edges - 1;
        double off = cdi_abs(s->nx[beside] * q->x + s->ny[beside] * q->y - s->c[beside]);
        if (off <= 2.0 * m->zone) out->beside = s->front->edge[beside];
    }
    out->to_corner = cdi_min(far_off, out->to_corner);
}

/* A corner no more than one zone away, or an edge no more than another. */
CDI_INLINE uint32_t cdi_place_near(const cdi_place_side *s, double edge, double corner) {
    if (!(s->to_edge <= edge)) return s->part;
    return s->to_corner <= corner * corner ? s->corner : s->edge;
}

/* A corner at a rim is over it or not by a hair. */
static void cdi_place_on_rim(const cdi_overlay *m, uint32_t name[2]) {
    for (int side = 0; side < 2; ++side)
        if (m->side[side].front->rim && CD_FEATURE_KIND(name[side]) == CD_FEATURE_EDGE &&
            CD_FEATURE_KIND(name[1 - side]) == CD_FEATURE_VERTEX)
            name[side] = m->side[side].front->face;
}

/* Takes a name, if it is remembered. */
static bool cdi_place_recall(const cdi_overlay *m, uint32_t a, uint32_t b, uint32_t name[4]) {
    uint32_t other[2];
    other[0] = a;
    other[1] = b;
    cdi_place_on_rim(m, other);
    if (!cdi_marks_have(m->patch->wish.memory, cdi_name_mark(other[0], other[1]))) return false;
    name[0] = other[0];
    name[1] = other[1];
    return true;
}

/* Points that move little keep the names that are remembered, where zones of twice or half the size give them. Of several of these the
 * narrowest is its own: the name of a corner that is wider may be that of another point, where two edges that meet at the corner both cross
 * another edge, one in its zone and one not. Between two edges of a corner either may have been the nearer one. */
static void cdi_place_again(const cdi_overlay *m, const cdi_place_side near_by[2], uint32_t name[4]) {
    double wide = 2.0 * m->zone, narrow = 0.5 * m->zone;
    uint32_t some[2][3];
    for (int side = 0; side < 2; ++side) {
        some[side][0] = cdi_place_near(&near_by[side], wide, wide);
        some[side][1] = cdi_place_near(&near_by[side], wide, narrow);
        some[side][2] = cdi_place_near(&near_by[side], narrow, narrow);
    }
    if (some[0][0] == some[0][2] && some[1][0] == some[1][2]) return;
    for (int k = 8; k >= 0; --k)
        if (cdi_place_recall(m, some[0][k / 3], some[1][k % 3], name)) return;
    for (int k = 2; k >= 0; --k) {
        if (near_by[0].beside != CD_NONE && cdi_place_recall(m, near_by[0].beside, some[1][k], name)) return;
        if (near_by[1].beside != CD_NONE && cdi_place_recall(m, some[0][k], near_by[1].beside, name)) return;
    }
}

/* The name of a place on each body, and that by what it is made of. */
static void cdi_place_names(const cdi_overlay *m, const cdi_patch_place *q, uint32_t name[4]) {
    cdi_place_side near_by[2];
    cdi_place_parts(m, q, name + 2);
    for (int side = 0; side < 2; ++side) {
        cdi_place_side_of(m, q, side, name[2 + side], &near_by[side]);
        name[side] = cdi_place_near(&near_by[side], m->zone, m->zone);
    }
    cdi_place_on_rim(m, name);
    if (m->patch->wish.memory) cdi_place_again(m, near_by, name);
}

/* A bit for each even place of a rim. */
static uint32_t cdi_place_even(const cdi_foremost *f, uint32_t name) {
    for (uint32_t i = 0; i < 8 && f->rim; i += 2)
        if (name == f->vertex[i]) return 1u << i / 2;
    return 0;
}

/* A point, with its height on A and on B. */
static void cdi_overlay_tell(const cdi_overlay *m, const cdi_patch_place *q, const double h[2]) {
    cdi_contact_patch *p = m->patch;
    uint32_t name[4];
    cdi_contact_point t;
    t.distance = cdi_max(h[1] - h[0], p->wish.least);
    if (!(t.distance <= p->wish.margin + p->slack)) return;
    t.x = q->x;
    t.y = q->y;
    t.a = cdi_v3_along(cdi_v3_along(p->origin, p->u, q->x), p->v, q->y);
    t.b = cdi_v3_along(t.a, p->wish.normal, h[0] + t.distance);
    t.a = cdi_v3_along(t.a, p->wish.normal, h[0]);
    cdi_place_names(m, q, name);
    t.even = cdi_place_even(m->side[0].front, name[0]) | cdi_place_even(m->side[1].front, name[1]) << 4;
    cdi_patch_take(p, &t, name);
}

/* The corners of one that are over the other. */
static void cdi_overlay_corners(cdi_overlay *m, int side) {
    cdi_outline *s = &m->side[side];
    const cdi_outline *other = &m->side[1 - side];
    double slack = m->patch->slack, h[2];
    uint32_t all = other->edges > 2 ? 0xFFFFFFFFu >> (32 - other->edges) : 1u;
    cdi_patch_place q;
    q.corner = true;
    q.side = side;
    for (q.i = 0; q.i < s->front->count; ++q.i) {
        q.x = s->x[q.i];
        q.y = s->y[q.i];
        q.k = 0;
        q.least = cdi_outline_sides(s, other, q.i, slack, &q.k);
        if (other->edges > 2 ? s->inside[q.i] != all : !cdi_outline_on_thin(other, q.x, q.y, q.least, slack))
            continue;
        h[side] = s->h[q.i];
        h[1 - side] = cdi_outline_height_within(other, q.x, q.y, q.k, q.least);
        cdi_overlay_tell(m, &q, h);
    }
    s->inside[s->front->count] = s->inside[0];
}

/* Where edge i of A crosses edge k of B, which it does. */
static void cdi_overlay_cross(const cdi_overlay *m, int i, int k) {
    const cdi_outline *a = &m->side[0], *b = &m->side[1];
    double from = b->nx[k] * a->x[i] + b->ny[k] * a->y[i] - b->c[k];
    double to = b->nx[k] * a->x[i + 1] + b->ny[k] * a->y[i + 1] - b->c[k];
    double t = from != to ? cdi_clamp(from / (from - to), 0.0, 1.0) : 0.5, h[2];
    cdi_patch_place q;
    q.corner = false;
    q.side = 0;
    q.i = i;
    q.k = k;
    q.least = 0.0;
    q.x = a->x[i] + t * (a->x[i + 1] - a->x[i]);
    q.y = a->y[i] + t * (a->y[i + 1] - a->y[i]);
    t = cdi_outline_foot(b, k, q.x, q.y);
    if (!(t >= 0.0 && t <= 1.0)) { /* as good as parallel, on each other: an end is as good */
        int end = t > 0.5 ? k + 1 : k;
        q.x = b->x[end];
        q.y = b->y[end];
    }
    t = cdi_clamp(cdi_outline_foot(a, i, q.x, q.y), 0.0, 1.0);
    h[0] = a->h[i] + t * (a->h[i + 1] - a->h[i]);
    h[1] = cdi_outline_height(b, q.x, q.y);
    cdi_overlay_tell(m, &q, h);
}

/* All edges whose ends are on both sides of each other. */
static void cdi_overlay_crossings(const cdi_overlay *m) {
    const cdi_outline *a = &m->side[0], *b = &m->side[1];
    for (int i = 0; i < a->edges; ++i) {
        uint32_t parted = a->inside[i] ^ a->inside[i + 1];
        for (; parted; parted &= parted - 1u) {
            int k = (int)cdi_lowest_bit(parted);
            if (((b->inside[k] ^ b->inside[k + 1]) >> i & 1u) != 0) cdi_overlay_cross(m, i, k);
        }
    }
}

/* ---- two lines side by side ----
 *
 * Two segments that are nearly parallel have an interval in common. Where they are those of round sides, they need not lie on each other: the
 * sides are nearest in between, and lower there. */

#define CDI_BESIDE_SINE 0.1

typedef struct cdi_beside {
    double ex, ey;         /* along both, unit */
    double from[2], to[2]; /* the ends of each along that, from the origin */
    int first[2];          /* which corner is at `from` */
} cdi_beside;

static bool cdi_beside_of(const cdi_overlay *m, cdi_beside *l) {
    const cdi_outline *a = &m->side[0], *b = &m->side[1];
    double ax = a->ny[0], ay = 0.0 - a->nx[0], bx = b->ny[0], by = 0.0 - b->nx[0], length;
    double sign = ax * bx + ay * by < 0.0 ? -1.0 : 1.0;
    if (!(a->length[0] > 0.0 && b->length[0] > 0.0 && cdi_abs(ax * by - ay * bx) <= CDI_BESIDE_SINE))
        return false;
    l->ex = ax + sign * bx;
    l->ey = ay + sign * by;
    length = cdi_sqrt(l->ex * l->ex + l->ey * l->ey);
    l->ex /= length;
    l->ey /= length;
    for (int side = 0; side < 2; ++side) {
        const cdi_outline *s = &m->side[side];
        double p = l->ex * s->x[0] + l->ey * s->y[0], q = l->ex * s->x[1] + l->ey * s->y[1];
        l->first[side] = p <= q ? 0 : 1;
        l->from[side] = cdi_min(p, q);
        l->to[side] = cdi_max(p, q);
    }
    return true;
}

/* The distance of a point from the line of a segment, to its left. */
static double cdi_beside_off(const cdi_outline *s, double x, double y) {
    return s->nx[0] * x + s->ny[0] * y - s->c[0];
}

/* By how much a round side is lower beside its line than on it, across itself. */
static double cdi_beside_drop(const cdi_outline *s, double x, double y) {
    double r = s->front->barrel, w = cdi_beside_off(s, x, y);
    return r > 0.0 ? w * w / (r + cdi_sqrt(cdi_max(r * r - w * w, 0.0))) : 0.0;
}

/* Its height there: along the normal the way is longer. */
static double cdi_beside_height(const cdi_overlay *m, int side, double x, double y) {
    const cdi_outline *s = &m->side[side];
    double up = cdi_v3_dot(s->front->normal, m->patch->wish.normal);
    return s->h[0] + cdi_outline_foot(s, 0, x, y) * (s->h[1] - s->h[0]) - cdi_beside_drop(s, x, y) / up;
}

/* How far along its axis the point of a round side is that is seen there, from 0 to the length. */
static double cdi_beside_axial(const cdi_overlay *m, const cdi_outline *s, double x, double y) {
    const cdi_contact_patch *p = m->patch;
    double slope =
        cdi_v3_dot(s->front->normal, p->u) * s->ny[0] - cdi_v3_dot(s->front->normal, p->v) * s->nx[0];
    return cdi_outline_foot(s, 0, x, y) * s->length[0] + cdi_beside_drop(s, x, y) * slope;
}

/* Back onto a side where the point is beyond its ends, along the line of a side that is not round, or its own. */
static void cdi_beside_back(const cdi_overlay *m, const cdi_outline *s, const cdi_outline *o,
                            cdi_patch_place *q) {
    double t = cdi_beside_axial(m, s, q->x, q->y), back = cdi_clamp(t, 0.0, s->length[0]) - t;
    const cdi_outline *way = o->front->barrel > 0.0 ? s : o;
    back /= way->ny[0] * s->ny[0] + way->nx[0] * s->nx[0];
    q->x += back * way->ny[0];
    q->y -= back * way->nx[0];
}

/* A point at the end of a segment: beside it on the way to the other, as far as their radii ask for. */
static void cdi_beside_end(const cdi_overlay *m, int side, int end) {
    const cdi_outline *s = &m->side[side], *o = &m->side[1 - side];
    double radii = s->front->barrel + o->front->barrel, part = radii > 0.0 ? s->front->barrel / radii : 0.5,
           h[2];
    double off = cdi_beside_off(o, s->x[end], s->y[end]);
    cdi_patch_place q;
    if (!(cdi_abs(off) <= cdi_max(0.5 * radii, m->patch->slack))) return;
    off /= 0.0 - (s->nx[0] * o->nx[0] + s->ny[0] * o->ny[0]); /* along its own normal, to the other's line */
    q.corner = true;
    q.side = side;
    q.i = end;
    q.k = 0;
    q.x = s->x[end] + part * off * s->nx[0];
    q.y = s->y[end] + part * off * s->ny[0];
    q.least = 0.0;
    cdi_beside_back(m, s, o, &q);
    cdi_beside_back(m, o, s, &q);
    h[0] = cdi_beside_height(m, 0, q.x, q.y);
    h[1] = cdi_beside_height(m, 1, q.x, q.y);
    cdi_overlay_tell(m, &q, h);
}

/* Both ends of what the two have in common. False where they are no segments side by side. */
static bool cdi_overlay_beside(const cdi_overlay *m) {
    cdi_beside l;
    int side;
    if (m->side[0].edges != 1 || m->side[1].edges != 1 || !cdi_beside_of(m, &l)) return false;
    if (cdi_max(l.from[0], l.from[1]) > cdi_min(l.to[0], l.to[1]) + m->patch->slack) return true;
    side = l.from[0] >= l.from[1] ? 0 : 1;
    cdi_beside_end(m, side, l.first[side]);
    side = l.to[0] <= l.to[1] ? 0 : 1;
    cdi_beside_end(m, side, 1 - l.first[side]);
    return true;
}

/* ---- all ---- */

/* How well a point may slide across the normal without leaving the surface. */
static double cdi_foremost_slides(const cdi_foremost *f, cdi_v3 out) {
    if (f->count > 2 && cdi_v3_sqlength(cdi_v3_sub(f->normal, out)) <= 1e-14) return CDI_HUGE;
    return f->soft;
}

static double cdi_patch_slides(const cdi_foremost *a, const cdi_foremost *b, cdi_v3 normal) {
    double s = cdi_foremost_slides(a, normal), t = cdi_foremost_slides(b, cdi_v3_neg(normal));
    return s > t ? 1.0 : s < t ? 0.0 : 0.5;
}

static void cdi_patch_begin(const cdi_foremost *a, const cdi_foremost *b, const cdi_patch_wish *wish,
                            cdi_contact_patch *p) {
    p->wish = *wish;
    p->u = cdi_across(wish->normal);
    p->v = cdi_v3_cross(wish->normal, p->u);
    p->slack = CDI_PATCH_SLACK * wish->scale;
    p->round = cdi_max(a->round, b->round);
    p->slides = cdi_patch_slides(a, b, wish->normal);
    p->lines = a->count == 2 && b->count == 2;
    p->count = 0;
}

CDI_FN void cdi_patch_of(const cdi_foremost *a, const cdi_foremost *b, const cdi_patch_wish *wish,
                         cdi_contact_patch *out) {
    cdi_overlay m;
    cdi_patch_begin(a, b, wish, out);
    m.patch = out;
    out->origin = a->corner[0];
    cdi_outline_of(&m, a, &m.side[0]);
    cdi_outline_of(&m, b, &m.side[1]);
    out->blur = CDI_PATCH_BLUR * wish->scale +
                CDI_PATCH_TILT * cdi_max(cdi_outline_extent(&m.side[0]), cdi_outline_extent(&m.side[1]));
    m.zone = CDI_PATCH_NEAR * cdi_min(cdi_outline_shortest(&m.side[0]), cdi_outline_shortest(&m.side[1]));
    m.zone = cdi_max(m.zone < CDI_HUGE * CDI_PATCH_NEAR ? m.zone : 0.0, out->slack);
    if (cdi_overlay_beside(&m) && a->barrel + b->barrel > 0.0) return;
    cdi_overlay_corners(&m, 0);
    cdi_overlay_corners(&m, 1);
    cdi_overlay_crossings(&m);
}

static double cdi_patch_least(const cdi_contact_patch *p, int *at) {
    double least = CDI_HUGE;
    for (int i = 0; i < p->count; ++i)
        if (p->point[i].distance < least) least = p->point[i].distance, *at = i;
    return least;
}

/* Two points that are all but along the normal, so that they are. */
static void cdi_patch_slide(const cdi_contact_patch *p, cdi_contact_point *t) {
    cdi_v3 off = cdi_v3_along(cdi_v3_sub(t->b, t->a), p->wish.normal, 0.0 - t->distance);
    t->a = cdi_v3_along(t->a, off, p->slides);
    t->b = cdi_v3_along(t->b, off, p->slides - 1.0);
}

CDI_FN void cdi_patch_deepest(cdi_contact_patch *p, const cdi_contact_point *deepest) {
    cdi_contact_point t = *deepest;
    int place = -1;
    double nearest = p->lines ? 0.0 : 0.64 * p->round * p->round;
    if (cdi_patch_least(p, &place) <= t.distance + p->blur) return;
    cdi_patch_slide(p, &t);
    place = -1;
    for (int i = 0; i < p->count; ++i) {
        cdi_v3 d = cdi_v3_sub(p->point[i].a, t.a);
        double x = cdi_v3_dot(p->u, d), y = cdi_v3_dot(p->v, d), square = x * x + y * y;
        if (cdi_contact_point_same(&p->point[i], &t)) square = -1.0;
        if (square < nearest) nearest = square, place = i;
    }
    if (place >= 0) {
        t.feature_a = p->point[place].feature_a;
        t.feature_b = p->point[place].feature_b;
        t.even = p->point[place].even;
    } else if (p->count < CDI_PATCH_POINTS) {
        place = p->count++;
    } else {
        place = 0;
    }
    t.x = cdi_v3_dot(p->u, cdi_v3_sub(t.a, p->origin));
    t.y = cdi_v3_dot(p->v, cdi_v3_sub(t.a, p->origin));
    p->point[place] = t;
}

/* ---- four of them ---- */

typedef struct cdi_spot {
    double x, y, distance;
} cdi_spot;

/* Twice the area of a triangle, signed. */
static double cdi_spot_turn(const cdi_spot *a, const cdi_spot *b, const cdi_spot *c) {
    return (b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y);
}

static double cdi_spots_apart(const cdi_spot *a, const cdi_spot *b) {
    return (b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y);
}

/* Twice the area of the hull of four: the most that two diagonals, or a triangle, make. */
static double cdi_spots_area(const cdi_spot s[4]) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double dx = s[j].x - s[k].x, dy = s[j].y - s[k].y, ex = s[3].x - s[i].x, ey = s[3].y - s[i].y;
        most = cdi_max(most, cdi_abs(dx * ey - dy * ex));
        most = cdi_max(most, cdi_abs(cdi_spot_turn(&s[j], &s[k], &s[3])));
    }
    return cdi_max(most, cdi_abs(cdi_spot_turn(&s[0], &s[1], &s[2])));
}

/* How points are looked at, so that one text serves for those that are kept in two forms. */
typedef struct cdi_spots {
    const cdi_contact_point *touch;
    const cd_contact *contact;
    uint32_t count;
    cdi_v3 u, v, origin;
} cdi_spots;

CDI_INLINE cdi_spot cdi_spots_get(const cdi_spots *s, uint32_t i) {
    cdi_spot p;
    if (s->touch) {
        p.x = s->touch[i].x;
        p.y = s->touch[i].y;
        p.distance = s->touch[i].distance;
    } else {
        cdi_v3 d = cdi_v3_sub(cdi_v3_of(s->contact[i].a), s->origin);
        p.x = cdi_v3_dot(s->u, d);
        p.y = cdi_v3_dot(s->v, d);
        p.distance = (double)s->contact[i].distance;
    }
    return p;
}

/* Depths as near as this, by how far the points spread, are equal. */
#ifdef COLLIDE_DOUBLE
#define CDI_SPOTS_LEVEL 9.0949470177292824e-13 /* 2^-40 */
#else
#define CDI_SPOTS_LEVEL 9.5367431640625e-7 /* 2^-20 */
#endif

/* The deepest; of those that are as deep the farthest from the middle of all. */
static uint32_t cdi_spots_deepest(const cdi_spots *s) {
    cdi_spot middle, p;
    double least = CDI_HUGE, spread = 0.0, most = -1.0;
    uint32_t found = 0;
    middle.x = middle.y = 0.0;
    for (uint32_t i = 0; i < s->count; ++i) {
        p = cdi_spots_get(s, i);
        middle.x += p.x / (double)s->count;
        middle.y += p.y / (double)s->count;
        least = cdi_min(p.distance, least);
    }
    for (uint32_t i = 0; i < s->count; ++i) {
        p = cdi_spots_get(s, i);
        spread = cdi_max(spread, cdi_spots_apart(&middle, &p));
    }
    spread = CDI_SPOTS_LEVEL * cdi_sqrt(spread);
    for (uint32_t i = 0; i < s->count; ++i) {
        p = cdi_spots_get(s, i);
        if (p.distance <= least + spread && cdi_spots_apart(&middle, &p) > most) {
            most = cdi_spots_apart(&middle, &p);
            found = i;
        }
    }
    return found;
}

/* Twice the area of the polygon of three and a fourth, whichever way around is the largest. */
CDI_INLINE double cdi_spots_fourth(const cdi_spot s[3], const cdi_spot *p) {
    double a = (s[1].x - s[0].x) * (p->y - s[2].y) - (p->x - s[2].x) * (s[1].y - s[0].y);
    double b = (s[2].x - s[1].x) * (p->y - s[0].y) - (p->x - s[0].x) * (s[2].y - s[1].y);
    double c = (s[0].x - s[2].x) * (p->y - s[1].y) - (p->x - s[1].x) * (s[0].y - s[2].y);
    return cdi_max(cdi_max(cdi_abs(a), cdi_abs(b)), cdi_abs(c));
}

/* The one that makes the largest polygon with the first `have` of `four`; false where none adds to it. */
static bool cdi_spots_next(const cdi_spots *s, int have, cdi_spot four[4], uint32_t index[4]) {
    double most = have > 1 ? CDI_SPOTS_LEVEL * cdi_spots_apart(&four[0], &four[1]) : 0.0;
    bool found = false;
    if (have == 3) most += cdi_abs(cdi_spot_turn(&four[0], &four[1], &four[2]));
    for (uint32_t i = 0; i < s->count; ++i) {
        cdi_spot p = cdi_spots_get(s, i);
        double gain = have == 1   ? cdi_spots_apart(&four[0], &p)
                      : have == 2 ? cdi_abs(cdi_spot_turn(&four[0], &four[1], &p))
                                  : cdi_spots_fourth(four, &p);
        if (gain > most) {
            most = gain;
            four[have] = p;
            index[have] = i;
            found = true;
        }
    }
    return found;
}

/* Of those of a line the deepest and an end are known: the other end, where that is another one. */
static int cdi_spots_line(const cdi_spots *s, uint32_t index[4], cdi_spot four[4]) {
    double most = (1.0 + CDI_SPOTS_LEVEL) * cdi_spots_apart(&four[0], &four[1]);
    int have = 2;
    for (uint32_t i = 0; i < s->count; ++i) {
        cdi_spot p = cdi_spots_get(s, i);
        if (cdi_spots_apart(&four[1], &p) <= most) continue;
        most = cdi_spots_apart(&four[1], &p);
        index[2] = i;
        four[2] = p;
        have = 3;
    }
    return have;
}

/* Each but the deepest gives way to one that makes the polygon larger. */
static void cdi_spots_better(const cdi_spots *s, uint32_t index[4], cdi_spot four[4]) {
    double most = cdi_spots_area(four) * (1.0 + CDI_SPOTS_LEVEL);
    for (int k = 1; k < 4; ++k) {
        cdi_spot rest[3];
        for (int i = 0; i < 3; ++i) rest[i] = four[i < k ? i : i + 1];
        for (uint32_t i = 0; i < s->count; ++i) {
            cdi_spot p = cdi_spots_get(s, i);
            double area = cdi_spots_fourth(rest, &p);
            if (!(area > most)) continue;
            most = area;
            index[k] = i;
            four[k] = p;
        }
    }
}

/* Up to four, of which `first` is one; returns how many. */
static int cdi_spots_choose(const cdi_spots *s, uint32_t first, uint32_t index[4], cdi_spot four[4]) {
    int have = 1;
    index[0] = first;
    four[0] = cdi_spots_get(s, index[0]);
    while (have < 4 && cdi_spots_next(s, have, four, index)) ++have;
    if (have == 4) cdi_spots_better(s, index, four);
    return have == 2 ? cdi_spots_line(s, index, four) : have;
}

#define CDI_SPOTS_ROCK 0.00390625 /* 2^-8 */

/* ---- the choice of before ---- */

static uint64_t cdi_patch_marks(const cdi_contact_patch *p) {
    uint64_t marks = 0;
    for (int i = 0; i < p->count; ++i)
        marks = marks << 15 | cdi_name_mark(p->point[i].feature_a, p->point[i].feature_b);
    return marks;
}

/* The points that were kept before; returns how many. */
static int cdi_patch_recall(const cdi_contact_patch *p, uint64_t marks, uint32_t index[4]) {
    int have = 0;
    for (int i = 0; i < p->count && have < 4; ++i)
        if (cdi_marks_have(marks, cdi_name_mark(p->point[i].feature_a, p->point[i].feature_b)))
            index[have++] = (uint32_t)i;
    return have;
}

/* The deepest takes the place of the one of four that costs the least. */
static void cdi_spots_replace(cdi_spot four[4], uint32_t index[4], const cdi_spot *with, uint32_t deepest) {
    double best = -1.0;
    int place = 0;
    for (int i = 0; i < 4; ++i) {
        cdi_spot out = four[i];
        double area;
        four[i] = *with;
        area = cdi_spots_area(four);
        four[i] = out;
        if (area > best) best = area, place = i;
    }
    four[place] = *with;
    index[place] = deepest;
}

/* Four with those of before, where the deepest is not deeper than they by more than what a body at rest may rock; else it is one of them. */
static int cdi_spots_again(const cdi_spots *s, uint32_t deepest, int have, uint32_t index[4],
                           cdi_spot four[4]) {
    double least = CDI_HUGE, spread = 0.0;
    cdi_spot with = cdi_spots_get(s, deepest);
    for (int i = 0; i < have; ++i) {
        cdi_spot p = cdi_spots_get(s, index[i]);
        four[i] = p;
        least = cdi_min(least, p.distance);
        spread = cdi_max(spread, cdi_spots_apart(&four[0], &p));
    }
    if (!(least <= with.distance + CDI_SPOTS_ROCK * cdi_sqrt(spread))) {
        if (have == 4) {
            cdi_spots_replace(four, index, &with, deepest);
        } else {
            four[have] = with;
            index[have++] = deepest;
        }
    }
    while (have < 4 && cdi_spots_next(s, have, four, index)) ++have;
    return have;
}

/* ---- reducing ---- */

static void cdi_sort_four(uint32_t *index, int count) {
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && index[k] < index[k - 1]; --k) {
            uint32_t t = index[k];
            index[k] = index[k - 1];
            index[k - 1] = t;
        }
}

CDI_FN void cdi_patch_stand(cdi_contact_patch *p) {
    uint32_t all = 0, side;
    int count = 0;
    for (int i = 0; i < p->count; ++i) all |= p->point[i].even;
    side = (all & 15u) == 15u ? 15u : (all & 240u) == 240u ? 240u : 0u;
    for (int i = 0; i < p->count && side; ++i) { /* not where others were chosen before */
        uint32_t mark = cdi_name_mark(p->point[i].feature_a, p->point[i].feature_b);
        if (!(p->point[i].even & side) && cdi_marks_have(p->wish.memory, mark)) return;
    }
    for (int i = 0; i < p->count && side; ++i)
        if (p->point[i].even & side) p->point[count++] = p->point[i];
    if (side) p->count = count;
}

/* Twice the area of a box around them. */
static double cdi_spots_box(const cdi_spots *s) {
    cdi_spot lo = cdi_spots_get(s, 0), hi = lo;
    for (uint32_t i = 1; i < s->count; ++i) {
        cdi_spot p = cdi_spots_get(s, i);
        lo.x = cdi_min(lo.x, p.x), hi.x = cdi_max(hi.x, p.x);
        lo.y = cdi_min(lo.y, p.y), hi.y = cdi_max(hi.y, p.y);
    }
    return 2.0 * (hi.x - lo.x) * (hi.y - lo.y);
}

/* Which four of more: those of before where they span half of what others would; which is so where they span half of a box around all. */
static int cdi_patch_four(const cdi_contact_patch *p, uint64_t memory, uint32_t index[4]) {
    cdi_spots s;
    cdi_spot four[4], other[4];
    uint32_t before[4];
    int have, again;
    s.touch = p->point;
    s.contact = NULL;
    s.count = (uint32_t)p->count;
    again = cdi_patch_recall(p, memory, before);
    if (again == 0) return cdi_spots_choose(&s, cdi_spots_deepest(&s), index, four);
    again = cdi_spots_again(&s, cdi_spots_deepest(&s), again, before, other);
    if (again < 4 || cdi_spots_area(other) < 0.5 * cdi_spots_box(&s)) {
        have = cdi_spots_choose(&s, cdi_spots_deepest(&s), index, four);
        if (again < have || (have == 4 && cdi_spots_area(other) < 0.5 * cdi_spots_area(four))) return have;
    }
    for (int i = 0; i < again; ++i) index[i] = before[i];
    return again;
}

CDI_FN void cdi_patch_keep(cdi_contact_patch *p, uint64_t *memory) {
    uint32_t index[4];
    if (p->count > CD_MANIFOLD_POINTS) {
        int have = cdi_patch_four(p, *memory, index);
        cdi_sort_four(index, have);
        for (int i = 0; i < have; ++i) p->point[i] = p->point[index[i]];
        p->count = have;
    }
    *memory = cdi_patch_marks(p);
}

/* What is kept moves to the front: each index is at least its place, as they rise. */
static void cdi_contacts_pick(cd_contact *points, uint32_t *index, int have) {
    cdi_sort_four(index, have);
    for (int i = 0; i < have; ++i) points[i] = points[index[i]];
}

static bool cdi_contact_same(const cd_contact *s, const cd_contact *t) {
    return s->a.x == t->a.x && s->a.y == t->a.y && s->a.z == t->a.z && s->distance == t->distance;
}

/* Without those whose place an earlier one has. */
static uint32_t cdi_contacts_once(cd_contact *points, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = 0;
        while (k < kept && !cdi_contact_same(&points[k], &points[i])) ++k;
        if (k == kept) points[kept++] = points[i];
    }
    return kept;
}

CDI_FN uint32_t cdi_contacts_reduce(cd_contact *points, uint32_t count, cdi_v3 normal, uint32_t first) {
    cdi_spots s;
    cdi_spot four[4];
    uint32_t index[4];
    int have;
    cdi_v3 n = cdi_v3_unit(normal);
    if (count <= CD_MANIFOLD_POINTS) return cdi_contacts_once(points, count);
    s.touch = NULL;
    s.contact = points;
    s.count = count;
    s.origin = cdi_v3_of(points[0].a);
    s.u = cdi_across(n);
    s.v = cdi_v3_cross(n, s.u);
    have = cdi_spots_choose(&s, first < count ? first : cdi_spots_deepest(&s), index, four);
    cdi_contacts_pick(points, index, have);
    return (uint32_t)have;
}

CD_API uint32_t cd_contacts_reduce(cd_contact *points, uint32_t count, cd_vec3 normal) {
    return cdi_contacts_reduce(points, count, cdi_v3_of(normal), CD_NONE);
}

/* ---- in order ---- */

static bool cdi_contact_point_less(const cdi_contact_point *s, const cdi_contact_point *t) {
    return s->feature_a != t->feature_a ? s->feature_a < t->feature_a : s->feature_b < t->feature_b;
}

/* Does (x, y) come before (z, w) on the way around from the x axis? */
static bool cdi_around_before(double x, double y, double z, double w) {
    bool lower = y < 0.0 || (y == 0.0 && x < 0.0), other = w < 0.0 || (w == 0.0 && z < 0.0);
    return lower != other ? other : x * w - z * y > 0.0;
}

CDI_FN void cdi_patch_order(cdi_contact_patch *p) {
    cdi_contact_point t;
    double x = 0.0, y = 0.0;
    int first = 0;
    for (int i = 0; i < p->count; ++i) {
        x += p->point[i].x / p->count;
        y += p->point[i].y / p->count;
        if (cdi_contact_point_less(&p->point[i], &p->point[first])) first = i;
    }
    t = p->point[0], p->point[0] = p->point[first], p->point[first] = t;
    for (int i = 2; i < p->count; ++i) {
        double fx = p->point[0].x - x, fy = p->point[0].y - y; /* turned so that the first is on the x axis */
        int k = i;
        t = p->point[i];
        for (; k > 1; --k) {
            double tx = t.x - x, ty = t.y - y, qx = p->point[k - 1].x - x, qy = p->point[k - 1].y - y;
            if (!cdi_around_before(tx * fx + ty * fy, ty * fx - tx * fy, qx * fx + qy * fy,
                                   qy * fx - qx * fy))
                break;
            p->point[k] = p->point[k - 1];
        }
        p->point[k] = t;
    }
}

/* ---- what is told ---- */

static cd_vec3 cdi_contact_point_round(cdi_v3 p) {
    return cd_vec3_make(cdi_real_of(p.x), cdi_real_of(p.y), cdi_real_of(p.z));
}

CDI_FN void cdi_contact_point_write(const cdi_contact_point *t, cd_contact *out) {
    out->a = cdi_contact_point_round(t->a);
    out->b = cdi_contact_point_round(t->b);
    out->distance = cdi_real_of(t->distance);
    out->feature_a = t->feature_a;
    out->feature_b = t->feature_b;
}

CDI_FN void cdi_patch_write(const cdi_contact_patch *p, cd_manifold *out) {
    cdi_clear(out, sizeof *out);
    out->normal = cdi_v3_round(p->wish.normal);
    out->part_a.child = out->part_b.child = CD_NONE;
    if (p->count > CD_MANIFOLD_POINTS) return;
    out->count = (uint32_t)p->count;
    for (int i = 0; i < p->count; ++i) cdi_contact_point_write(&p->point[i], &out->points[i]);
}

/* ---- along any normal ---- */

/* The deepest point of what is curved: where its farthest point is over the other. */
static void cdi_patch_foremost(const cdi_couple *pair, cdi_contact_patch *p, int side,
                               const cdi_foremost *other) {
    const cdi_convex *body = side ? &pair->b : &pair->a;
    cdi_v3 dir = side ? cdi_v3_neg(p->wish.normal) : p->wish.normal;
    uint32_t vertex = CD_NONE;
    cdi_contact_patch only;
    cdi_foremost tip;
    int at = 0;
    cdi_v3 far_off = cdi_convex_farthest(body, dir, &vertex);
    tip.count = 1;
    tip.rim = false;
    tip.corner[0] = cdi_v3_along(far_off, dir, body->radius);
    tip.vertex[0] = tip.edge[0] = tip.face = CD_FEATURE(CD_FEATURE_FACE, 0u);
    tip.normal = dir;
    tip.round = 0.0;
    tip.barrel = 0.0;
    tip.soft = 0.0;
    cdi_patch_of(side ? other : &tip, side ? &tip : other, &p->wish, &only);
    if (only.count > 0 && cdi_patch_least(&only, &at) < CDI_HUGE) cdi_patch_deepest(p, &only.point[at]);
}

CDI_FN void cdi_patch_along(const cdi_couple *pair, cdi_v3 normal, double margin, cdi_contact_patch *out) {
    cdi_foremost a, b;
    cdi_patch_wish wish;
    wish.normal = normal;
    wish.margin = margin;
    wish.least = -CDI_HUGE;
    wish.all = false;
    wish.memory = 0;
    wish.scale = cdi_max(pair->scale, pair->rounded);
    cdi_foremost_of(&pair->a, normal, CD_NONE, &a);
    cdi_foremost_of(&pair->b, cdi_v3_neg(normal), CD_NONE, &b);
    cdi_patch_of(&a, &b, &wish, out);
    /* Of a rim there are all eight places, not four: one gives way only to what is near it. */
    out->round *= 0.5;
    if (a.round > 0.0 && a.count > 1) cdi_patch_foremost(pair, out, 0, &b);
    if (b.round > 0.0 && b.count > 1) cdi_patch_foremost(pair, out, 1, &a);
    cdi_patch_order(out);
}

#undef CDI_PATCH_SLACK
#undef CDI_PATCH_TILT
#undef CDI_PATCH_BLUR
#undef CDI_PATCH_NEAR
#undef CDI_BESIDE_SINE
#undef CDI_SPOTS_LEVEL
#undef CDI_SPOTS_ROCK
