#include "hull/minkowski2.h"
#include "core/orient.h"
#include "shape/convexity.h"

/* ---- one polygon ---- */

/* The corners v, or -v where it is mirrored. */
typedef struct cdi_convex2 {
    const cd_vec2 *v;
    uint32_t count;
    bool mirrored, flat;
    uint32_t first, last; /* from left to right, of equal ones that with the smallest index */
} cdi_convex2;

static cdi_v2 cdi_convex2_point(const cdi_convex2 *c, uint32_t i) {
    cdi_v2 p = cdi_v2_of(c->v[i]);
    if (c->mirrored) {
        p.x = 0.0 - p.x;
        p.y = 0.0 - p.y;
    }
    return p;
}

/* The next corner around that differs; there is one. */
static uint32_t cdi_convex2_other(const cdi_convex2 *c, uint32_t i, bool back) {
    uint32_t j = i;
    do {
        j = back ? (j > 0 ? j : c->count) - 1 : j + 1 < c->count ? j + 1 : 0;
    } while (cdi_v2_same(cdi_v2_of(c->v[i]), cdi_v2_of(c->v[j])));
    return j;
}

/* False when a number is not finite. */
static bool cdi_convex2_find_ends(cdi_convex2 *c) {
    c->first = c->last = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        cdi_v2 p = cdi_convex2_point(c, i);
        if (!cdi_finite(p.x) || !cdi_finite(p.y)) return false;
        if (cdi_goes_up(p, cdi_convex2_point(c, c->first))) c->first = i;
        if (cdi_goes_up(cdi_convex2_point(c, c->last), p)) c->last = i;
    }
    return true;
}

/* Are all on the line through the ends? */
static bool cdi_convex2_is_flat(const cdi_convex2 *c) {
    cdi_v2 a = cdi_convex2_point(c, c->first), b = cdi_convex2_point(c, c->last);
    for (uint32_t i = 0; i < c->count; ++i) {
        cdi_v2 p = cdi_convex2_point(c, i);
        if (!cdi_v2_same(p, a) && !cdi_v2_same(p, b) && cdi_orient2d(a, b, p) != 0.0) return false;
    }
    return true;
}

/* Of a polygon with area: counter-clockwise? */
static bool cdi_convex2_turns_left(const cdi_convex2 *c) {
    cdi_v2 before = cdi_convex2_point(c, cdi_convex2_other(c, c->first, true));
    cdi_v2 after = cdi_convex2_point(c, cdi_convex2_other(c, c->first, false));
    return cdi_orient2d(before, cdi_convex2_point(c, c->first), after) > 0.0;
}

/* At least one corner. */
static bool cdi_convex2_check(cdi_convex2 *c) {
    if (!cdi_convex2_find_ends(c)) return false;
    c->flat = !cd_is_convex_polygon(c->v, c->count);
    return c->flat ? cdi_convex2_is_flat(c) : cdi_convex2_turns_left(c);
}

static cd_status cdi_convex2_make(cdi_convex2 *c, const cd_vec2 *v, size_t count, bool mirrored) {
    if (count >= 0xFFFFFFFFu) return CD_TOO_LARGE;
    c->v = v;
    c->count = (uint32_t)count;
    c->mirrored = mirrored;
    c->flat = true;
    c->first = c->last = 0;
    return count == 0 || cdi_convex2_check(c) ? CD_OK : CD_INVALID_ARGUMENT;
}

/* The extreme point after the extreme point i. */
static uint32_t cdi_convex2_next(const cdi_convex2 *c, uint32_t i) {
    uint32_t j, k;
    if (c->flat) return i == c->first ? c->last : c->first;
    k = cdi_convex2_other(c, i, false);
    do {
        j = k;
        k = cdi_convex2_other(c, j, false);
    } while (cdi_orient2d(cdi_convex2_point(c, i), cdi_convex2_point(c, j), cdi_convex2_point(c, k)) == 0.0);
    if (cdi_v2_same(cdi_v2_of(c->v[j]), cdi_v2_of(c->v[0]))) return 0; /* of a run across the end */
    return j;
}

/* ---- around both ---- */

/* Once around a polygon from its leftmost corner. */
typedef struct cdi_edge_walk {
    cdi_convex2 polygon;
    uint32_t at, next;
    bool done;
} cdi_edge_walk;

static void cdi_edge_walk_begin(cdi_edge_walk *w) {
    w->at = w->polygon.first;
    w->done = w->polygon.first == w->polygon.last;
    w->next = w->done ? w->at : cdi_convex2_next(&w->polygon, w->at);
}

static void cdi_edge_walk_advance(cdi_edge_walk *w) {
    w->at = w->next;
    w->done = w->at == w->polygon.first;
    if (!w->done) w->next = cdi_convex2_next(&w->polygon, w->at);
}

static cdi_v2 cdi_edge_walk_at(const cdi_edge_walk *w) {
    return cdi_convex2_point(&w->polygon, w->at);
}

static cdi_v2 cdi_edge_walk_next(const cdi_edge_walk *w) {
    return cdi_convex2_point(&w->polygon, w->next);
}

/* The boundary of the sum: at each corner, which edge comes next. */
typedef struct cdi_minkowski2 {
    cdi_edge_walk a, b;
} cdi_minkowski2;

static cd_status cdi_minkowski2_begin(cdi_minkowski2 *m, const cd_vec2 *a, size_t a_count, const cd_vec2 *b,
                                      size_t b_count, bool difference) {
    cd_status status = cdi_convex2_make(&m->a.polygon, a, a_count, false);
    if (status == CD_OK) status = cdi_convex2_make(&m->b.polygon, b, b_count, difference);
    if (status != CD_OK || a_count == 0 || b_count == 0) return status;
    cdi_edge_walk_begin(&m->a);
    cdi_edge_walk_begin(&m->b);
    return CD_OK;
}

static bool cdi_minkowski2_done(const cdi_minkowski2 *m) {
    return m->a.done && m->b.done;
}

/* Whose edge is next, counted counter-clockwise from straight down: that of a (1) or b (-1), or both (0), in parallel. Not
 * done. The two are less than half a turn apart, since the edge before the later one was no later than the other, and no
 * corner turns by more: the side tells. */
static int cdi_minkowski2_turn(const cdi_minkowski2 *m) {
    if (m->a.done || m->b.done) return m->b.done ? 1 : -1;
    return cdi_sign(cdi_orient_edges(cdi_edge_walk_at(&m->a), cdi_edge_walk_next(&m->a),
                                     cdi_edge_walk_at(&m->b), cdi_edge_walk_next(&m->b)));
}

static void cdi_minkowski2_advance(cdi_minkowski2 *m, int turn) {
    if (turn >= 0) cdi_edge_walk_advance(&m->a);
    if (turn <= 0) cdi_edge_walk_advance(&m->b);
}

/* ---- the sum and the difference ---- */

static cd_minkowski_corner2 cdi_minkowski2_corner(const cdi_minkowski2 *m) {
    cdi_v2 a = cdi_edge_walk_at(&m->a), b = cdi_edge_walk_at(&m->b);
    cd_minkowski_corner2 c;
    c.position = cd_vec2_make(cdi_real_of(a.x + b.x), cdi_real_of(a.y + b.y));
    c.a = m->a.at;
    c.b = m->b.at;
    return c;
}

static cd_status cdi_minkowski2_corners(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                        bool difference, cd_minkowski_corner2 *corners, size_t capacity,
                                        size_t *count) {
    cdi_minkowski2 m;
    cd_status status = cdi_minkowski2_begin(&m, a, a_count, b, b_count, difference);
    *count = 0;
    if (status != CD_OK || a_count == 0 || b_count == 0) return status;
    for (;;) {
        if (*count < capacity) corners[*count] = cdi_minkowski2_corner(&m);
        ++*count;
        if (!cdi_minkowski2_done(&m)) cdi_minkowski2_advance(&m, cdi_minkowski2_turn(&m));
        if (cdi_minkowski2_done(&m)) return CD_OK;
    }
}

CD_API cd_status cd_minkowski_sum2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                   cd_minkowski_corner2 *corners, size_t capacity, size_t *count) {
    return cdi_minkowski2_corners(a, a_count, b, b_count, false, corners, capacity, count);
}

CD_API cd_status cd_minkowski_difference2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                          cd_minkowski_corner2 *corners, size_t capacity, size_t *count) {
    return cdi_minkowski2_corners(a, a_count, b, b_count, true, corners, capacity, count);
}

/* ---- the origin ---- */

/* On which side of the edge that is next the origin lies: at the corner a - b of the difference the way to it is b - a. */
static int cdi_minkowski2_origin_side(const cdi_minkowski2 *m, int turn) {
    const cdi_edge_walk *w = turn >= 0 ? &m->a : &m->b;
    cdi_v2 b = cdi_v2_of(m->b.polygon.v[m->b.at]);
    return cdi_sign(cdi_orient_edges(cdi_edge_walk_at(w), cdi_edge_walk_next(w), cdi_edge_walk_at(&m->a), b));
}

/* Of a difference that is a point, or a segment whose line the origin is on: is the origin between its ends? */
static int cdi_minkowski2_between(const cdi_minkowski2 *m) {
    const cdi_convex2 *a = &m->a.polygon, *b = &m->b.polygon;
    return cdi_goes_up(cdi_v2_of(b->v[b->first]), cdi_v2_of(a->v[a->first])) ||
                   cdi_goes_up(cdi_v2_of(a->v[a->last]), cdi_v2_of(b->v[b->last]))
               ? -1
               : 0;
}

CD_API int cd_minkowski_locate_origin2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count) {
    cdi_minkowski2 m;
    uint64_t edges = 0;
    int least = 1;
    if (cdi_minkowski2_begin(&m, a, a_count, b, b_count, true) != CD_OK) return -1;
    if (a_count == 0 || b_count == 0) return -1;
    for (; !cdi_minkowski2_done(&m); ++edges) {
        int turn = cdi_minkowski2_turn(&m), side = cdi_minkowski2_origin_side(&m, turn);
        if (side < 0) return -1;
        if (side < least) least = side;
        cdi_minkowski2_advance(&m, turn);
    }
    return edges < 3 ? cdi_minkowski2_between(&m) : least;
}
