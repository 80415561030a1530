#include "classic/vclip.h"

#ifndef COLLIDE_NO_CLASSIC

#include "convex/polyhedron.h"
#include "query/flat3d.h"

/* Both bodies, and at which features of theirs the walk is. What is a body's is in its own frame, and the other's feature is
 * brought there to be clipped, as in the paper. */
typedef struct cdi_vclip {
    cdi_polyhedra pair;
    uint32_t at[2]; /* CD_FEATURE numbers; an edge is one of its half-edges */
    uint32_t minima;
    double depth; /* when penetrating */
    double where; /* the parameter of the edge that penetrates */
} cdi_vclip;

typedef enum cdi_vclip_step {
    CDI_VCLIP_GO_ON,
    CDI_VCLIP_DONE,
    CDI_VCLIP_INSIDE,
    CDI_VCLIP_LOST
} cdi_vclip_step;

/* A plane of a Voronoi region: its value is positive on the region's side. The neighbour owns what is behind. */
typedef struct cdi_vclip_plane {
    cdi_v3 n, through;
    double side; /* 1 or -1, so that both neighbours compute the same value */
    uint32_t neighbour;
} cdi_vclip_plane;

/* Which part of an edge is in a region, and which neighbours cut it; CD_NONE for none. */
typedef struct cdi_vclip_part {
    cdi_v3 tail, head;
    double lo, hi;
    uint32_t lo_neighbour, hi_neighbour;
    bool simple; /* all of it is behind one plane, that of lo_neighbour */
    bool empty;
} cdi_vclip_part;

#define CDI_VCLIP_MINIMA 64 /* no walk leaves more local minima than this: each costs a look at all faces */

/* ---- features ---- */

static uint32_t cdi_vclip_kind(const cdi_vclip *w, int k) {
    return CD_FEATURE_KIND(w->at[k]);
}
static uint32_t cdi_vclip_index(const cdi_vclip *w, int k) {
    return CD_FEATURE_INDEX(w->at[k]);
}

static uint32_t cdi_vclip_edge(uint32_t half) {
    return CD_FEATURE(CD_FEATURE_EDGE, half);
}

/* A vertex of body k as seen from the other's frame. */
static cdi_v3 cdi_vclip_seen(const cdi_vclip *w, int k, uint32_t vertex) {
    cdi_v3 p = cdi_polyhedron_vertex(&w->pair.body[k], vertex);
    if (k == 1) return cdi_v3_add(cdi_m3_mul_v3(&w->pair.turn, p), w->pair.way);
    return cdi_m3_tmul_v3(&w->pair.turn, cdi_v3_sub(p, w->pair.way));
}

static void cdi_vclip_edge_seen(const cdi_vclip *w, int k, uint32_t half, cdi_vclip_part *out) {
    const cdi_polyhedron *p = &w->pair.body[k];
    out->tail = cdi_vclip_seen(w, k, p->parts.half_edges[half].origin);
    out->head = cdi_vclip_seen(w, k, cdi_polyhedron_end(p, half));
}

/* ---- Voronoi planes ---- */

/* VP(V, E): across the half-edge, through the vertex where it starts; positive on the vertex's side. */
static void cdi_vclip_vertex_plane(const cdi_polyhedron *p, uint32_t half, cdi_vclip_plane *out) {
    cdi_v3 end = cdi_polyhedron_vertex(p, cdi_polyhedron_end(p, half));
    out->through = cdi_polyhedron_vertex(p, p->parts.half_edges[half].origin);
    out->n = cdi_v3_sub(out->through, end);
    out->side = 1.0;
    out->neighbour = cdi_vclip_edge(half);
}

/* VP(F, E): through the half-edge, along the face's normal; positive on the face's side. */
static void cdi_vclip_face_plane(const cdi_polyhedron *p, uint32_t half, cdi_vclip_plane *out) {
    cdi_v3 end = cdi_polyhedron_vertex(p, cdi_polyhedron_end(p, half));
    out->through = cdi_polyhedron_vertex(p, p->parts.half_edges[half].origin);
    out->n =
        cdi_v3_cross(cdi_polyhedron_normal(p, p->parts.half_edges[half].face), cdi_v3_sub(end, out->through));
    out->side = 1.0;
    out->neighbour = cdi_vclip_edge(half);
}

static double cdi_vclip_value(const cdi_vclip_plane *plane, cdi_v3 x) {
    return plane->side * cdi_v3_dot(plane->n, cdi_v3_sub(x, plane->through));
}

/* The planes around a feature, one by one. */
typedef struct cdi_vclip_region {
    const cdi_polyhedron *body;
    uint32_t feature, half, left;
} cdi_vclip_region;

static cdi_vclip_region cdi_vclip_region_of(const cdi_polyhedron *p, uint32_t feature) {
    uint32_t i = CD_FEATURE_INDEX(feature);
    cdi_vclip_region r;
    r.body = p;
    r.feature = feature;
    r.half = i;
    switch (CD_FEATURE_KIND(feature)) {
    case CD_FEATURE_VERTEX:
        r.half = p->parts.outgoing[i];
        r.left = r.half == CD_NONE ? 0 : p->parts.half_edge_count;
        break;
    case CD_FEATURE_EDGE: r.left = p->parts.dimension < 2 ? 2 : 4; break; /* two vertices, then two faces */
    default:
        r.half = p->parts.faces[i].first;
        r.left = p->parts.faces[i].count;
        break;
    }
    return r;
}

static void cdi_vclip_edge_plane(cdi_vclip_region *r, cdi_vclip_plane *out) {
    const cd_half_edge *e = r->body->parts.half_edges;
    uint32_t half = r->half;
    if (r->left > 2 || r->body->parts.dimension < 2) {
        cdi_vclip_vertex_plane(r->body, half, out);
        out->neighbour = CD_FEATURE(CD_FEATURE_VERTEX, e[half].origin);
    } else {
        cdi_vclip_face_plane(r->body, half, out);
        out->neighbour = CD_FEATURE(CD_FEATURE_FACE, e[half].face);
    }
    out->side = -1.0;
    r->half = e[half].twin;
}

static bool cdi_vclip_next_plane(cdi_vclip_region *r, cdi_vclip_plane *out) {
    const cd_hull_parts *parts = &r->body->parts;
    if (r->left == 0) return false;
    switch (CD_FEATURE_KIND(r->feature)) {
    case CD_FEATURE_VERTEX:
        cdi_vclip_vertex_plane(r->body, r->half, out);
        r->half = cd_hull_next(parts, parts->half_edges[r->half].twin);
        r->left = r->half == parts->outgoing[CD_FEATURE_INDEX(r->feature)] ? 1 : r->left;
        break;
    case CD_FEATURE_EDGE: cdi_vclip_edge_plane(r, out); break;
    default: cdi_vclip_face_plane(r->body, r->half++, out); break;
    }
    --r->left;
    return true;
}

/* The height of a point above a face. */
static double cdi_vclip_height(const cdi_polyhedron *p, uint32_t face, cdi_v3 x) {
    cdi_v3 n = cdi_v3_unit(cdi_polyhedron_normal(p, face));
    uint32_t origin = p->parts.half_edges[p->parts.faces[face].first].origin;
    return cdi_v3_dot(n, cdi_v3_sub(x, cdi_polyhedron_vertex(p, origin)));
}

/* The first plane that a point is behind; false when it is in the region. */
static bool cdi_vclip_outside(const cdi_polyhedron *p, uint32_t feature, cdi_v3 x, uint32_t *neighbour) {
    cdi_vclip_region r = cdi_vclip_region_of(p, feature);
    cdi_vclip_plane plane;
    while (cdi_vclip_next_plane(&r, &plane)) {
        if (!(cdi_vclip_value(&plane, x) < 0.0)) continue;
        *neighbour = plane.neighbour;
        return true;
    }
    return false;
}

/* ---- clipping an edge (the paper's algorithm 1) ---- */

static cdi_v3 cdi_vclip_point(const cdi_vclip_part *e, double t) {
    return cdi_v3_along(e->tail, cdi_v3_sub(e->head, e->tail), t);
}

static void cdi_vclip_whole(cdi_vclip_part *e) {
    e->lo = 0.0;
    e->hi = 1.0;
    e->lo_neighbour = e->hi_neighbour = CD_NONE;
    e->simple = e->empty = false;
}

static void cdi_vclip_cut(cdi_vclip_part *e, const cdi_vclip_plane *plane) {
    double tail = cdi_vclip_value(plane, e->tail), head = cdi_vclip_value(plane, e->head), t;
    if (tail >= 0.0 && head >= 0.0) return;
    if (tail < 0.0 && head < 0.0) {
        e->lo_neighbour = e->hi_neighbour = plane->neighbour;
        e->simple = e->empty = true;
        return;
    }
    t = tail / (tail - head);
    if (tail < 0.0 && t > e->lo) {
        e->lo = t;
        e->lo_neighbour = plane->neighbour;
    } else if (head < 0.0 && t < e->hi) {
        e->hi = t;
        e->hi_neighbour = plane->neighbour;
    }
    e->empty = e->lo > e->hi;
}

/* Against as many of the next planes of a region. True when something of the edge is left. */
static bool cdi_vclip_clip(cdi_vclip_part *e, cdi_vclip_region *r, uint32_t planes) {
    cdi_vclip_plane plane;
    while (planes-- > 0 && !e->empty && cdi_vclip_next_plane(r, &plane)) cdi_vclip_cut(e, &plane);
    return !e->empty;
}

/* ---- is it nearer across a plane? (the paper's algorithm 2) ---- */

/* The sign of the derivative, along the edge, of the distance to a vertex or face. */
static double cdi_vclip_slope(const cdi_polyhedron *p, uint32_t feature, const cdi_vclip_part *e, double t) {
    cdi_v3 u = cdi_v3_sub(e->head, e->tail), x = cdi_vclip_point(e, t);
    uint32_t i = CD_FEATURE_INDEX(feature);
    double rise;
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX)
        return cdi_v3_dot(u, cdi_v3_sub(x, cdi_polyhedron_vertex(p, i)));
    rise = cdi_v3_dot(u, cdi_polyhedron_normal(p, i));
    return cdi_vclip_height(p, i, x) >= 0.0 ? rise : 0.0 - rise;
}

/* Where the edge leaves the region, a point is as far from the region's feature as from the neighbour: of an edge and its neighbour, the
 * latter tells the slope. */
static bool cdi_vclip_leaves(const cdi_polyhedron *p, uint32_t feature, const cdi_vclip_part *e,
                             uint32_t *neighbour) {
    bool edge = CD_FEATURE_KIND(feature) == CD_FEATURE_EDGE;
    uint32_t lo = e->lo_neighbour, hi = e->hi_neighbour;
    if (lo != CD_NONE && (e->simple || cdi_vclip_slope(p, edge ? lo : feature, e, e->lo) > 0.0)) {
        *neighbour = lo;
        return true;
    }
    if (hi == CD_NONE || !(cdi_vclip_slope(p, edge ? hi : feature, e, e->hi) < 0.0)) return false;
    *neighbour = hi;
    return true;
}

/* ---- the five states: each goes to a neighbour, or ends the walk ---- */

static cdi_vclip_step cdi_vclip_vertex_vertex(cdi_vclip *w) {
    for (int k = 0; k < 2; ++k) {
        cdi_v3 x = cdi_vclip_seen(w, 1 - k, cdi_vclip_index(w, 1 - k));
        if (cdi_vclip_outside(&w->pair.body[k], w->at[k], x, &w->at[k])) return CDI_VCLIP_GO_ON;
    }
    return CDI_VCLIP_DONE;
}

/* The vertex is of body v. */
static cdi_vclip_step cdi_vclip_vertex_edge(cdi_vclip *w, int v) {
    int k = 1 - v;
    cdi_v3 x = cdi_vclip_seen(w, v, cdi_vclip_index(w, v));
    cdi_vclip_region r = cdi_vclip_region_of(&w->pair.body[v], w->at[v]);
    cdi_vclip_part e;
    if (cdi_vclip_outside(&w->pair.body[k], w->at[k], x, &w->at[k])) return CDI_VCLIP_GO_ON;
    cdi_vclip_edge_seen(w, k, cdi_vclip_index(w, k), &e);
    cdi_vclip_whole(&e);
    (void)cdi_vclip_clip(&e, &r, r.left);
    return cdi_vclip_leaves(&w->pair.body[v], w->at[v], &e, &w->at[v]) ? CDI_VCLIP_GO_ON : CDI_VCLIP_DONE;
}

/* First by the planes of the vertices, then by those of the faces, too: beyond a vertex no face tells the distance. */
static cdi_vclip_step cdi_vclip_edge_edge(cdi_vclip *w) {
    for (int k = 0; k < 2; ++k) {
        cdi_vclip_region r = cdi_vclip_region_of(&w->pair.body[k], w->at[k]);
        cdi_vclip_part e;
        cdi_vclip_edge_seen(w, 1 - k, cdi_vclip_index(w, 1 - k), &e);
        cdi_vclip_whole(&e);
        for (int pass = 0; pass < 2; ++pass) {
            (void)cdi_vclip_clip(&e, &r, 2);
            if (cdi_vclip_leaves(&w->pair.body[k], w->at[k], &e, &w->at[k])) return CDI_VCLIP_GO_ON;
        }
    }
    return CDI_VCLIP_DONE;
}

/* The side of the face's prism that a point is farthest beyond. */
static bool cdi_vclip_beyond(const cdi_polyhedron *p, uint32_t face, cdi_v3 x, uint32_t *neighbour) {
    cdi_vclip_region r = cdi_vclip_region_of(p, face);
    cdi_vclip_plane plane;
    double most = 0.0;
    while (cdi_vclip_next_plane(&r, &plane)) {
        double value = cdi_vclip_value(&plane, x) / cdi_max(cdi_v3_norm(plane.n), 1e-300);
        if (!(value < most)) continue;
        most = value;
        *neighbour = plane.neighbour;
    }
    return most < 0.0;
}

/* An edge of the vertex that leads nearer to the face's plane, by the same products as the slope of an edge: heights compared could
 * contradict it, and walks go in circles. */
static bool cdi_vclip_descends(const cdi_vclip *w, int v, cdi_v3 x, double height, uint32_t *edge) {
    const cdi_polyhedron *p = &w->pair.body[v];
    cdi_v3 n = cdi_polyhedron_normal(&w->pair.body[1 - v], cdi_vclip_index(w, 1 - v));
    uint32_t first = p->parts.outgoing[cdi_vclip_index(w, v)], half = first;
    for (uint32_t i = 0; half != CD_NONE && i < p->parts.half_edge_count; ++i) {
        double rise = cdi_v3_dot(n, cdi_v3_sub(cdi_vclip_seen(w, v, cdi_polyhedron_end(p, half)), x));
        *edge = cdi_vclip_edge(half);
        if (height > 0.0 ? rise < 0.0 : height < 0.0 && rise > 0.0) return true;
        half = cd_hull_next(&p->parts, p->parts.half_edges[half].twin);
        if (half == first) break;
    }
    return false;
}

/* A vertex below a face, whose neighbours are lower: inside, or nearer to the face that it is highest above. */
static cdi_vclip_step cdi_vclip_local_minimum(cdi_vclip *w, int k, cdi_v3 x) {
    const cdi_polyhedron *p = &w->pair.body[k];
    double most = -CDI_HUGE;
    uint32_t best = cdi_vclip_index(w, k);
    if (w->minima++ == CDI_VCLIP_MINIMA) return CDI_VCLIP_LOST;
    for (uint32_t f = 0; f < p->parts.face_count; ++f) {
        double height = cdi_vclip_height(p, f, x);
        if (!(height > most)) continue;
        most = height;
        best = f;
    }
    w->at[k] = CD_FEATURE(CD_FEATURE_FACE, best);
    w->depth = 0.0 - most;
    return most <= 0.0 ? CDI_VCLIP_INSIDE : CDI_VCLIP_GO_ON;
}

static cdi_vclip_step cdi_vclip_vertex_face(cdi_vclip *w, int v) {
    int k = 1 - v;
    cdi_v3 x = cdi_vclip_seen(w, v, cdi_vclip_index(w, v));
    double height;
    uint32_t edge;
    if (cdi_vclip_beyond(&w->pair.body[k], w->at[k], x, &w->at[k])) return CDI_VCLIP_GO_ON;
    height = cdi_vclip_height(&w->pair.body[k], cdi_vclip_index(w, k), x);
    if (cdi_vclip_descends(w, v, x, height, &edge)) {
        w->at[v] = edge;
        return CDI_VCLIP_GO_ON;
    }
    return height > 0.0 ? CDI_VCLIP_DONE : cdi_vclip_local_minimum(w, k, x);
}

/* The edge or vertex of a face that is nearest to an edge outside of its prism. The paper walks around the face; here all of its edges
 * are looked at, as such a walk may end where another edge is nearer. */
static uint32_t cdi_vclip_around(const cdi_polyhedron *p, uint32_t face, const cdi_vclip_part *e) {
    const cd_hull_face *f = &p->parts.faces[face];
    uint32_t best = f->first;
    double least = CDI_HUGE, t = 0.0;
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t half = f->first + i, end = cdi_polyhedron_end(p, half);
        cdi_bridge gap =
            cdi_near_segments(e->tail, e->head, cdi_polyhedron_vertex(p, p->parts.half_edges[half].origin),
                              cdi_polyhedron_vertex(p, end));
        if (!(gap.sqdist < least)) continue;
        least = gap.sqdist;
        best = half;
        t = gap.t;
    }
    if (t <= 0.0) return CD_FEATURE(CD_FEATURE_VERTEX, p->parts.half_edges[best].origin);
    return t >= 1.0 ? CD_FEATURE(CD_FEATURE_VERTEX, cdi_polyhedron_end(p, best)) : cdi_vclip_edge(best);
}

/* The edge is of body v. It crosses the face, or is nearest to it at an end of the part that is in its prism. */
static cdi_vclip_step cdi_vclip_edge_face(cdi_vclip *w, int v) {
    int k = 1 - v;
    const cdi_polyhedron *p = &w->pair.body[k];
    cdi_vclip_region r = cdi_vclip_region_of(p, w->at[k]);
    uint32_t face = cdi_vclip_index(w, k), half = cdi_vclip_index(w, v), to;
    double lo, hi;
    bool at_lo;
    cdi_vclip_part e;
    cdi_vclip_edge_seen(w, v, half, &e);
    cdi_vclip_whole(&e);
    if (!cdi_vclip_clip(&e, &r, r.left)) {
        w->at[k] = cdi_vclip_around(p, face, &e);
        return CDI_VCLIP_GO_ON;
    }
    lo = cdi_vclip_height(p, face, cdi_vclip_point(&e, e.lo));
    hi = cdi_vclip_height(p, face, cdi_vclip_point(&e, e.hi));
    if ((lo <= 0.0 && hi >= 0.0) || (lo >= 0.0 && hi <= 0.0)) {
        w->where = lo < hi ? e.lo : e.hi;
        w->depth = 0.0 - cdi_min(lo, hi);
        return CDI_VCLIP_INSIDE;
    }
    at_lo = cdi_vclip_slope(p, w->at[k], &e, e.lo) >= 0.0;
    to = at_lo ? e.lo_neighbour : e.hi_neighbour;
    if (to != CD_NONE) {
        w->at[k] = to;
    } else {
        const cdi_polyhedron *q = &w->pair.body[v];
        to = at_lo ? q->parts.half_edges[half].origin : cdi_polyhedron_end(q, half);
        w->at[v] = CD_FEATURE(CD_FEATURE_VERTEX, to);
    }
    return CDI_VCLIP_GO_ON;
}

static cdi_vclip_step cdi_vclip_state(cdi_vclip *w) {
    uint32_t a = cdi_vclip_kind(w, 0), b = cdi_vclip_kind(w, 1);
    int low = a <= b ? 0 : 1; /* the one of the lower dimension */
    if (a == CD_FEATURE_FACE && b == CD_FEATURE_FACE) return CDI_VCLIP_LOST; /* handed in: see below */
    if (a == CD_FEATURE_VERTEX && b == CD_FEATURE_VERTEX) return cdi_vclip_vertex_vertex(w);
    if (a == CD_FEATURE_EDGE && b == CD_FEATURE_EDGE) return cdi_vclip_edge_edge(w);
    if (a == CD_FEATURE_FACE || b == CD_FEATURE_FACE)
        return cdi_vclip_kind(w, low) == CD_FEATURE_VERTEX ? cdi_vclip_vertex_face(w, low)
                                                           : cdi_vclip_edge_face(w, low);
    return cdi_vclip_vertex_edge(w, low);
}

/* ---- where it begins, and what is said in the end ---- */

static uint32_t cdi_vclip_start(const cdi_polyhedron *p, uint32_t feature) {
    uint32_t i = CD_FEATURE_INDEX(feature), kind = CD_FEATURE_KIND(feature);
    bool held = (kind == CD_FEATURE_VERTEX && i < p->parts.vertex_count) ||
                (kind == CD_FEATURE_EDGE && i < p->parts.half_edge_count) ||
                (kind == CD_FEATURE_FACE && i < p->parts.face_count);
    return held ? feature : CD_FEATURE(CD_FEATURE_VERTEX, 0);
}

static void cdi_vclip_begin(cdi_vclip *w, const cd_vclip_features *hint) {
    w->minima = 0;
    w->depth = w->where = 0.0;
    w->at[0] = cdi_vclip_start(&w->pair.body[0], hint ? hint->a : 0);
    w->at[1] = cdi_vclip_start(&w->pair.body[1], hint ? hint->b : 0);
    if (cdi_vclip_kind(w, 0) == CD_FEATURE_FACE && cdi_vclip_kind(w, 1) == CD_FEATURE_FACE)
        w->at[0] = cdi_vclip_start(&w->pair.body[0], 0); /* there is no state of two faces */
}

static uint32_t cdi_vclip_name(const cdi_vclip *w, int k) {
    if (cdi_vclip_kind(w, k) != CD_FEATURE_EDGE) return w->at[k];
    return cdi_polyhedron_edge_feature(&w->pair.body[k], cdi_vclip_index(w, k));
}

/* The ends of body k's edge, or its vertex twice, in the frame of A. */
static void cdi_vclip_ends(const cdi_vclip *w, int k, cdi_v3 out[2]) {
    const cdi_polyhedron *p = &w->pair.body[k];
    uint32_t i = cdi_vclip_index(w, k), vertex[2];
    bool edge = cdi_vclip_kind(w, k) == CD_FEATURE_EDGE;
    vertex[0] = edge ? p->parts.half_edges[i].origin : i;
    vertex[1] = edge ? cdi_polyhedron_end(p, i) : i;
    for (int j = 0; j < 2; ++j) {
        cdi_v3 x = k == 1 ? cdi_vclip_seen(w, 1, vertex[j]) : cdi_polyhedron_vertex(p, vertex[j]);
        out[j] = x;
    }
}

/* The point of body 1 - k that matters to a face of body k, and its foot on the face's plane; `normal` from A to B. */
static double cdi_vclip_foot(const cdi_vclip *w, int k, cdi_v3 point[2], cdi_v3 *normal) {
    const cdi_polyhedron *p = &w->pair.body[k];
    uint32_t face = cdi_vclip_index(w, k);
    uint32_t corner = p->parts.half_edges[p->parts.faces[face].first].origin;
    cdi_v3 end[2], n = cdi_v3_unit(cdi_polyhedron_normal(p, face)), on = cdi_polyhedron_vertex(p, corner), x;
    double height;
    cdi_vclip_ends(w, 1 - k, end);
    if (k == 1) {
        n = cdi_m3_mul_v3(&w->pair.turn, n);
        on = cdi_vclip_seen(w, 1, corner);
    }
    x = cdi_v3_along(end[0], cdi_v3_sub(end[1], end[0]), w->where);
    height = cdi_v3_dot(n, cdi_v3_sub(x, on));
    point[1 - k] = x;
    x = cdi_v3_along(x, n, 0.0 - height);
    point[k] = x;
    *normal = k == 0 ? n : cdi_v3_neg(n);
    return height;
}

/* The nearest points of the features at hand, in the scaled frame of A. */
static double cdi_vclip_points(const cdi_vclip *w, cdi_v3 point[2], cdi_v3 *normal) {
    cdi_v3 a[2], b[2];
    cdi_bridge gap;
    double length;
    if (cdi_vclip_kind(w, 0) == CD_FEATURE_FACE) return cdi_vclip_foot(w, 0, point, normal);
    if (cdi_vclip_kind(w, 1) == CD_FEATURE_FACE) return cdi_vclip_foot(w, 1, point, normal);
    cdi_vclip_ends(w, 0, a);
    cdi_vclip_ends(w, 1, b);
    gap = cdi_near_segments(a[0], a[1], b[0], b[1]);
    point[0] = gap.a;
    point[1] = gap.b;
    length = cdi_v3_norm(gap.between);
    *normal = length > 0.0 ? cdi_v3_unit(gap.between) : cdi_v3_unit(w->pair.way);
    if (cdi_v3_is_zero(*normal)) *normal = cdi_v3_make(1.0, 0.0, 0.0);
    return length;
}

static void cdi_vclip_answer(const cdi_vclip *w, cdi_vclip_step end, cd_vclip_report *out) {
    cdi_v3 point[2], normal, center = w->pair.body[0].center;
    double distance = cdi_vclip_points(w, point, &normal);
    int back = -w->pair.shift;
    out->penetrating = end == CDI_VCLIP_INSIDE;
    if (out->penetrating) distance = 0.0 - w->depth;
    out->status = end == CDI_VCLIP_DONE || end == CDI_VCLIP_INSIDE ? CD_OK : CD_NOT_CONVERGED;
    out->distance = cdi_real_of(cdi_scale2(distance, back));
    out->normal = cdi_v3_round(normal);
    out->a = cdi_v3_round(cdi_v3_add(cdi_v3_scale2(point[0], back), center));
    out->b = cdi_v3_round(cdi_v3_add(cdi_v3_scale2(point[1], back), center));
    out->feature_a = cdi_vclip_name(w, 0);
    out->feature_b = cdi_vclip_name(w, 1);
    out->minima = w->minima;
}

static uint32_t cdi_vclip_limit(const cdi_vclip *w, uint32_t asked) {
    uint32_t all = 100 + w->pair.body[0].parts.vertex_count + w->pair.body[1].parts.vertex_count;
    if (asked > 0) return asked;
    return all < 16384 ? all : 16384;
}

static void cdi_vclip_nothing(cd_vclip_report *out) {
    cdi_clear(out, sizeof *out);
    out->status = CD_INVALID_ARGUMENT;
    out->distance = (cd_real)cdi_nan();
    out->normal = cdi_no_point();
    out->a = out->normal;
    out->b = out->normal;
}

CD_API cd_vclip_report cd_vclip(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                uint32_t max_iterations, cd_vclip_features *features) {
    cdi_vclip w;
    cd_vclip_report out;
    cdi_vclip_step step = CDI_VCLIP_GO_ON;
    uint32_t limit;
    cdi_vclip_nothing(&out);
    if (!cdi_polyhedron_of_hull(&w.pair.body[0], a) || !cdi_polyhedron_of_hull(&w.pair.body[1], b))
        return out;
    if (!cdi_polyhedra_pose(&w.pair, b_in_a, 0.0)) return out;
    cdi_vclip_begin(&w, features);
    limit = cdi_vclip_limit(&w, max_iterations);
    for (; step == CDI_VCLIP_GO_ON && out.iterations < limit; ++out.iterations) step = cdi_vclip_state(&w);
    cdi_vclip_answer(&w, step, &out);
    if (features) {
        features->a = out.feature_a;
        features->b = out.feature_b;
    }
    return out;
}

#undef CDI_VCLIP_MINIMA

#endif
