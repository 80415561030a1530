#include "convex/sat3d.h"
#include "query/sweep_box3d.h"

/* A vertex of the other body that bounds what each face says; any will do, so faces may share a place. */
enum { CDI_SAT_SEEN = 256, CDI_SAT_CHUNK = 24 };

typedef struct cdi_sat_search {
    const cdi_polyhedra *p;
    cdi_sat3d_sat *best;
    const cdi_sat_wish *wish;
    uint32_t last; /* the vertex that was the farthest for the face before */
    bool over;
    uint32_t seen[2][CDI_SAT_SEEN];
} cdi_sat_search;

/* ---- one axis ---- */

/* What a unit direction of the frame of a side, out of that body, says: the farthest vertices begin as hints. */
static double cdi_sat_measure(const cdi_polyhedra *p, int side, cdi_v3 n, uint32_t top[2]) {
    const cdi_polyhedron *own = &p->body[side], *other = &p->body[1 - side];
    cdi_v3 q;
    top[side] = cdi_polyhedron_farthest(own, n, top[side]);
    top[1 - side] = cdi_polyhedron_farthest(other, cdi_polyhedra_turn(p, side, cdi_v3_neg(n)), top[1 - side]);
    q = cdi_polyhedra_across(p, 1 - side, cdi_polyhedron_vertex(other, top[1 - side]));
    return cdi_v3_dot(n, cdi_v3_sub(q, cdi_polyhedron_vertex(own, top[side])));
}

static void cdi_sat_take(cdi_sat_search *s, int side, cdi_v3 n, double separation, uint32_t kind,
                         const uint32_t part[2], const uint32_t top[2]) {
    cdi_sat3d_sat *best = s->best;
    best->separation = separation;
    best->normal = side ? cdi_polyhedra_turn(s->p, 1, cdi_v3_neg(n)) : n;
    best->kind = kind;
    for (int i = 0; i < 2; ++i) {
        best->part[i] = part[i] == CD_NONE ? top[i] : part[i];
        best->top[i] = top[i];
        best->beyond[i] = 0;
    }
    s->over = separation > s->wish->enough;
}

/* How much worse a face may be: where the wish is for one that the motion leads away from, as good as equal. */
static double cdi_sat_allowance(const cdi_sat_search *s) {
    bool leaves = cdi_v3_dot(s->wish->motion, s->best->normal) <= 0.0;
    return leaves ? 0.0 : 2.0 * cdi_sat_slack(s->p);
}

static bool cdi_sat_is_better(const cdi_sat_search *s, int side, cdi_v3 n, double separation, double margin) {
    double best = s->best->separation, along;
    if (s->best->kind == CD_SAT_NONE || separation > best + margin) return true;
    if (margin > 0.0 || separation < best - cdi_sat_allowance(s)) return false;
    along = cdi_v3_dot(s->wish->motion, side ? cdi_polyhedra_turn(s->p, 1, cdi_v3_neg(n)) : n);
    return along <= 0.0 && cdi_sat_allowance(s) > 0.0;
}

/* Measures an axis and takes it where it is better by a margin. */
static bool cdi_sat_try(cdi_sat_search *s, int side, cdi_v3 n, double margin, uint32_t kind,
                        const uint32_t part[2], uint32_t top[2]) {
    double separation = cdi_sat_measure(s->p, side, n, top);
    ++s->best->tried;
    if (!cdi_sat_is_better(s, side, n, separation, margin)) return false;
    cdi_sat_take(s, side, n, separation, kind, part, top);
    return true;
}

/* ---- faces ---- */

static void cdi_sat_face(cdi_sat_search *s, int side, uint32_t face) {
    const cdi_polyhedron *own = &s->p->body[side], *other = &s->p->body[1 - side];
    cdi_v3 n = cdi_polyhedron_normal(own, face), q;
    double square = cdi_v3_sqlength(n);
    uint32_t part[2], top[2];
    if (!(square > 0.0)) return;
    top[side] = own->parts.half_edges[own->parts.faces[face].first].origin;
    top[1 - side] = s->last;
    q = cdi_polyhedra_across(s->p, 1 - side, cdi_polyhedron_vertex(other, s->last));
    q = cdi_v3_sub(q, cdi_polyhedron_vertex(own, top[side]));
    s->seen[side][face % CDI_SAT_SEEN] = s->last;
    if (s->best->kind != CD_SAT_NONE &&
        cdi_sat_is_below(cdi_v3_dot(n, q), square, s->best->separation - cdi_sat_allowance(s)))
        return;
    part[side] = face;
    part[1 - side] = CD_NONE;
    cdi_sat_try(s, side, cdi_v3_scale(n, 1.0 / cdi_sqrt(square)), 0.0,
                side ? (uint32_t)CD_SAT_FACE_B : (uint32_t)CD_SAT_FACE_A, part, top);
    s->last = top[1 - side];
    s->seen[side][face % CDI_SAT_SEEN] = s->last;
}

static void cdi_sat_faces(cdi_sat_search *s, int side) {
    s->last = 0;
    if (s->best->kind != CD_SAT_NONE) s->last = s->best->top[1 - side];
    for (uint32_t i = 0; i < s->p->body[side].parts.face_count && !s->over; ++i) cdi_sat_face(s, side, i);
}

/* ---- edges ---- */

/* An edge and a corner of the face on each side of it, relative to where it starts; in the frame of A. Of corners that are not in
 * a plane any will do: the arc is that of the edge's triangle in the convex hull, or longer. */
typedef struct cdi_sat_edge {
    cdi_v3 from, course, beside[2];
    double length; /* squared */
    double size[2];
    uint32_t half, beyond;
} cdi_sat_edge;

/* The corner of a half-edge's face that comes so many after its origin. */
static uint32_t cdi_sat_corner(const cdi_polyhedron *b, uint32_t half, uint32_t steps) {
    const cd_hull_face *f = &b->parts.faces[b->parts.half_edges[half].face];
    return b->parts.half_edges[f->first + (half - f->first + steps) % f->count].origin;
}

static void cdi_sat_edge_of(const cdi_polyhedra *p, int side, uint32_t half, uint32_t beyond,
                            cdi_sat_edge *e) {
    const cdi_polyhedron *b = &p->body[side];
    const cd_half_edge *h = b->parts.half_edges;
    uint32_t to = beyond ? cdi_sat_corner(b, half, 1 + beyond) : cdi_polyhedron_end(b, half);
    cdi_v3 at = cdi_polyhedron_vertex(b, h[half].origin);
    e->half = half;
    e->beyond = beyond;
    e->from = side ? cdi_polyhedra_across(p, 1, at) : at;
    e->course = cdi_v3_sub(cdi_polyhedron_vertex(b, to), at);
    for (int i = 0; i < 2; ++i) {
        uint32_t k =
            i && beyond ? cdi_sat_corner(b, half, 1) : cdi_polyhedron_before(b, i ? h[half].twin : half);
        cdi_v3 beside = cdi_v3_sub(cdi_polyhedron_vertex(b, k), at);
        e->beside[i] = side ? cdi_polyhedra_turn(p, 1, beside) : beside;
        e->size[i] = cdi_v3_sqlength(beside);
    }
    if (side) e->course = cdi_polyhedra_turn(p, 1, e->course);
    e->length = cdi_v3_sqlength(e->course);
}

/* How far any normal of the arc of an edge can part the bodies, from two of its ends' vertices: is that not enough? The planes of
 * faces are rounded, so with some room. */
static bool cdi_sat_edge_is_out(const cdi_sat_search *s, int side, uint32_t half) {
    const cdi_polyhedron *own = &s->p->body[side], *other = &s->p->body[1 - side];
    const cd_half_edge *h = own->parts.half_edges;
    uint32_t face[2];
    cdi_v3 n[2], at = cdi_polyhedron_vertex(own, h[half].origin);
    double least = CDI_HUGE, room = s->p->size * (8.0 * (double)CD_REAL_EPSILON), most = s->best->separation;
    double cosine;
    if (own->few || own->stretched || own->parts.dimension < 3 || own->parts.flatness > 0) return false;
    face[0] = h[half].face;
    face[1] = h[h[half].twin].face;
    n[0] = cdi_v3_of(own->parts.faces[face[0]].plane.n);
    n[1] = cdi_v3_of(own->parts.faces[face[1]].plane.n);
    for (int i = 0; i < 2; ++i) {
        cdi_v3 q = cdi_polyhedron_vertex(other, s->seen[side][face[i] % CDI_SAT_SEEN]);
        q = cdi_v3_sub(cdi_polyhedra_across(s->p, 1 - side, q), at);
        least = cdi_min(least, cdi_max(cdi_v3_dot(n[0], q), cdi_v3_dot(n[1], q)));
    }
    least += room;
    if (least <= 0.0) return least <= most;
    cosine =
        0.5 + 0.5 * cdi_v3_dot(n[0], n[1]) - 16.0 * (double)CD_REAL_EPSILON; /* squared, of half the angle */
    return most > 0.0 && cosine > 0.0 && least * least <= most * most * cosine;
}

/* Is n, times a sign, a normal along the arc of an edge? */
static bool cdi_sat_on_arc(const cdi_sat_edge *e, double x, double y, double square) {
    return (x <= 0.0 || x * x <= 1e-26 * square * e->size[0]) &&
           (y <= 0.0 || y * y <= 1e-26 * square * e->size[1]);
}

/* Across an edge of each, where their arcs cross, one of them mirrored: the axis is one of a face of the sum. */
static void cdi_sat_pair(cdi_sat_search *s, const cdi_sat_edge *a, const cdi_sat_edge *b) {
    cdi_v3 n = cdi_v3_cross(a->course, b->course);
    double x = cdi_v3_dot(n, a->beside[0]), y = cdi_v3_dot(n, a->beside[1]);
    double z, w, square, way;
    bool out, in;
    uint32_t part[2], top[2];
    square = cdi_v3_sqlength(n);
    out = cdi_sat_on_arc(a, x, y, square);
    in = cdi_sat_on_arc(a, -x, -y, square);
    if (!out && !in) return;
    z = cdi_v3_dot(n, b->beside[0]);
    w = cdi_v3_dot(n, b->beside[1]);
    out = out && cdi_sat_on_arc(b, -z, -w, square);
    in = in && cdi_sat_on_arc(b, z, w, square);
    if ((!out && !in) || square <= 1e-26 * a->length * b->length)
        return; /* as good as parallel: faces tell */
    way = cdi_v3_dot(n, cdi_v3_sub(b->from, a->from));
    for (int i = 0; i < 2; ++i) {
        if (!(i ? in : out)) continue;
        if (cdi_sat_is_below(i ? -way : way, square, s->best->separation + s->wish->margin) &&
            s->best->kind != CD_SAT_NONE)
            continue;
        part[0] = a->half;
        part[1] = b->half;
        top[0] = s->p->body[0].parts.half_edges[a->half].origin;
        top[1] = s->p->body[1].parts.half_edges[b->half].origin;
        if (cdi_sat_try(s, 0, cdi_v3_scale(n, (i ? -1.0 : 1.0) / cdi_sqrt(square)), s->wish->margin,
                        CD_SAT_EDGES, part, top)) {
            s->best->beyond[0] = a->beyond;
            s->best->beyond[1] = b->beyond;
        }
    }
}

/* Are the corners of a face out of any plane by more than the numbers of an interface are rounded? */
static bool cdi_sat_is_bent(const cdi_polyhedra *p, const cdi_polyhedron *b, uint32_t face) {
    cdi_v3 n = cdi_v3_unit(cdi_polyhedron_normal(b, face));
    double lo = CDI_HUGE, hi = -CDI_HUGE;
    for (uint32_t i = 0; i < b->parts.faces[face].count; ++i) {
        double x = cdi_v3_dot(n, cdi_polyhedron_vertex(b, cdi_sat_corner(b, b->parts.faces[face].first, i)));
        lo = cdi_min(lo, x);
        hi = cdi_max(hi, x);
    }
    return hi - lo > p->size * (8.0 * (double)CD_REAL_EPSILON);
}

/* How far beyond the end of a half-edge its diagonals lead, each of them told from one of its ends. */
static uint32_t cdi_sat_most_beyond(const cdi_polyhedra *p, int side, uint32_t half) {
    const cdi_polyhedron *b = &p->body[side];
    const cd_hull_face *f;
    uint32_t i;
    if (b->few || b->parts.dimension < 3 || !(b->parts.flatness > 0)) return 0;
    f = &b->parts.faces[b->parts.half_edges[half].face];
    i = half - f->first;
    if (f->count < 4 || i + 2 >= f->count || !cdi_sat_is_bent(p, b, b->parts.half_edges[half].face)) return 0;
    return f->count - 2 - i - (i == 0);
}

/* The steepest way up from a diagonal to some of the corners, from one that comes so many after a half-edge to before another. */
static double cdi_sat_steepest(const cdi_polyhedron *b, uint32_t half, uint32_t from, uint32_t to, cdi_v3 up,
                               cdi_v3 aside) {
    cdi_v3 at = cdi_polyhedron_vertex(b, b->parts.half_edges[half].origin);
    double most = -CDI_HUGE;
    for (uint32_t i = from; i < to; ++i) {
        cdi_v3 q = cdi_v3_sub(cdi_polyhedron_vertex(b, cdi_sat_corner(b, half, i)), at);
        double off = cdi_abs(cdi_v3_dot(aside, q));
        most = cdi_max(most, cdi_v3_dot(up, q) / cdi_max(off, 1e-300));
    }
    return most;
}

/* Is a diagonal an edge of the convex hull of its face's corners: do they lie below a plane through it? */
static bool cdi_sat_is_ridge(const cdi_polyhedron *b, uint32_t half, uint32_t beyond) {
    const cd_hull_face *f = &b->parts.faces[b->parts.half_edges[half].face];
    cdi_v3 n = cdi_v3_unit(cdi_polyhedron_normal(b, b->parts.half_edges[half].face));
    cdi_v3 at = cdi_polyhedron_vertex(b, b->parts.half_edges[half].origin);
    cdi_v3 course =
        cdi_v3_unit(cdi_v3_sub(cdi_polyhedron_vertex(b, cdi_sat_corner(b, half, 1 + beyond)), at));
    cdi_v3 aside = cdi_v3_cross(n, course), up = cdi_v3_cross(course, aside);
    return cdi_sat_steepest(b, half, 1, 1 + beyond, up, aside) +
               cdi_sat_steepest(b, half, 2 + beyond, f->count, up, aside) <=
           1e-9;
}

/* A half-edge and a diagonal from it: where a walk over all edges of a body is. */
typedef struct cdi_sat_walk {
    uint32_t half, beyond, most;
} cdi_sat_walk;

/* The next edge of a walk that may tell; false at the end. */
static bool cdi_sat_walk_on(const cdi_sat_search *s, int side, cdi_sat_walk *w, cdi_sat_edge *e) {
    const cd_hull_parts *parts = &s->p->body[side].parts;
    for (;;) {
        uint32_t half = w->half;
        if (w->beyond < w->most) {
            if (!cdi_sat_is_ridge(&s->p->body[side], half, ++w->beyond)) continue;
            cdi_sat_edge_of(s->p, side, half, w->beyond, e);
            return true;
        }
        half = ++w->half;
        if (half >= parts->half_edge_count) return false;
        w->beyond = 0;
        w->most = cdi_sat_most_beyond(s->p, side, half);
        if (parts->half_edges[half].twin < half || cdi_sat_edge_is_out(s, side, half)) continue;
        cdi_sat_edge_of(s->p, side, half, 0, e);
        return true;
    }
}

static cdi_sat_walk cdi_sat_walk_begin(void) {
    cdi_sat_walk w;
    w.half = CD_NONE; /* before the first */
    w.beyond = w.most = 0;
    return w;
}

/* The edges of B in portions that the stack has room for. */
static void cdi_sat_edges(cdi_sat_search *s) {
    cdi_sat_walk walk = cdi_sat_walk_begin();
    cdi_sat_edge other[CDI_SAT_CHUNK], e;
    int count = CDI_SAT_CHUNK;
    while (count == CDI_SAT_CHUNK && !s->over) {
        cdi_sat_walk through = cdi_sat_walk_begin();
        for (count = 0; count < CDI_SAT_CHUNK && cdi_sat_walk_on(s, 1, &walk, &other[count]);) ++count;
        while (count && !s->over && cdi_sat_walk_on(s, 0, &through, &e))
            for (int k = 0; k < count; ++k) cdi_sat_pair(s, &e, &other[k]);
    }
}

/* ---- flat things: where both are in one plane, on one line or points, their sum has borders ---- */

static void cdi_sat_border(cdi_sat_search *s, cdi_v3 n) {
    uint32_t part[2], top[2];
    double square;
    n = cdi_v3_scale(n, 1.0 / cdi_max(cdi_v3_max_abs(n), 1e-300));
    square = cdi_v3_sqlength(n);
    part[0] = part[1] = CD_NONE;
    for (int i = 0; i < 2 && square > 0.25 && !s->over; ++i) {
        top[0] = s->best->top[0];
        top[1] = s->best->top[1];
        cdi_sat_try(s, 0, cdi_v3_scale(n, (i ? -1.0 : 1.0) / cdi_sqrt(square)), s->wish->margin,
                    CD_SAT_BORDER, part, top);
    }
}

/* The border of what lies in a plane: across its edges. */
static void cdi_sat_in_plane(cdi_sat_search *s, cdi_v3 normal) {
    cdi_sat_edge e;
    for (int side = 0; side < 2; ++side) {
        const cd_hull_parts *h = &s->p->body[side].parts;
        for (uint32_t i = 0; i < h->half_edge_count && !s->over; ++i) {
            if (h->half_edges[i].twin < i) continue;
            cdi_sat_edge_of(s->p, side, i, 0, &e);
            cdi_sat_border(s, cdi_v3_cross(normal, cdi_v3_unit(e.course)));
        }
    }
}

static cdi_v3 cdi_sat_line(const cdi_sat_search *s, int side) {
    cdi_sat_edge e;
    if (s->p->body[side].parts.dimension != 1) return cdi_v3_make(0.0, 0.0, 0.0);
    cdi_sat_edge_of(s->p, side, 0, 0, &e);
    return cdi_v3_unit(e.course);
}

/* From a vertex of one to one of the other; of that, what is across the lines. */
static void cdi_sat_on_line(cdi_sat_search *s) {
    cdi_v3 u = cdi_sat_line(s, 0), v = cdi_sat_line(s, 1), across = cdi_v3_cross(u, v), way;
    way = cdi_polyhedra_across(s->p, 1, cdi_polyhedron_vertex(&s->p->body[1], 0));
    way = cdi_v3_unit(cdi_v3_sub(way, cdi_polyhedron_vertex(&s->p->body[0], 0)));
    cdi_sat_border(s, way);
    cdi_sat_border(s, u);
    cdi_sat_border(s, v);
    cdi_sat_border(s, cdi_v3_along(way, u, -cdi_v3_dot(way, u)));
    cdi_sat_border(s, cdi_v3_along(way, v, -cdi_v3_dot(way, v)));
    cdi_sat_border(s, cdi_across(cdi_v3_is_zero(u) ? v : u));
    if (cdi_v3_max_abs(across) > 1e-13) cdi_sat_in_plane(s, cdi_v3_unit(across));
}

static void cdi_sat_flats(cdi_sat_search *s) {
    const cdi_polyhedron *a = &s->p->body[0], *b = &s->p->body[1];
    if (a->parts.dimension > 2 || b->parts.dimension > 2) return;
    if (a->parts.dimension < 2 && b->parts.dimension < 2) {
        cdi_sat_on_line(s);
    } else {
        if (a->parts.dimension == 2) cdi_sat_in_plane(s, cdi_v3_unit(cdi_polyhedron_normal(a, 0)));
        if (b->parts.dimension == 2 && !s->over)
            cdi_sat_in_plane(s, cdi_polyhedra_turn(s->p, 1, cdi_v3_unit(cdi_polyhedron_normal(b, 0))));
    }
}

/* Bodies so thin for their size that no face and no pair of edges has a normal: any axis is better than none. */
static void cdi_sat_last_resort(cdi_sat_search *s) {
    if (s->best->kind != CD_SAT_NONE) return;
    cdi_sat_border(s, cdi_v3_make(1.0, 0.0, 0.0));
    cdi_sat_border(s, cdi_v3_make(0.0, 1.0, 0.0));
    cdi_sat_border(s, cdi_v3_make(0.0, 0.0, 1.0));
}

/* ---- all ---- */

/* Two half-edges by their numbers, or diagonals. */
static void cdi_sat_again_edges(cdi_sat_search *s, const cdi_sat3d_sat *was) {
    cdi_sat_edge e[2];
    for (int i = 0; i < 2; ++i) {
        uint32_t beyond = was->beyond[i];
        if (beyond > 0 && beyond > cdi_sat_most_beyond(s->p, i, was->part[i])) beyond = 0;
        cdi_sat_edge_of(s->p, i, was->part[i], beyond, &e[i]);
    }
    cdi_sat_pair(s, &e[0], &e[1]);
}

/* The axis that was the best one before. */
static void cdi_sat_again(cdi_sat_search *s) {
    const cd_hull_parts *a = &s->p->body[0].parts, *b = &s->p->body[1].parts;
    cdi_sat3d_sat was = *s->best;
    s->best->kind = CD_SAT_NONE;
    for (int i = 0; i < 2; ++i) {
        if (was.top[i] >= s->p->body[i].parts.vertex_count) s->best->top[i] = was.top[i] = 0;
        s->best->part[i] = s->best->top[i];
    }
    if (was.kind == CD_SAT_FACE_A && was.part[0] < a->face_count) {
        s->last = was.top[1];
        cdi_sat_face(s, 0, was.part[0]);
    } else if (was.kind == CD_SAT_FACE_B && was.part[1] < b->face_count) {
        s->last = was.top[0];
        cdi_sat_face(s, 1, was.part[1]);
    } else if (was.kind == CD_SAT_EDGES && was.part[0] < a->half_edge_count &&
               was.part[1] < b->half_edge_count) {
        cdi_sat_again_edges(s, &was);
    }
}

CDI_FN void cdi_sat_run(const cdi_polyhedra *p, const cdi_sat_wish *wish, cdi_sat3d_sat *axis) {
    cdi_sat_search s;
    s.p = p;
    s.best = axis;
    s.wish = wish;
    s.over = false;
    for (int i = 0; i < CDI_SAT_SEEN; ++i) s.seen[0][i] = s.seen[1][i] = 0;
    cdi_sat_again(&s);
    for (int side = 0; side < 2 && !s.over; ++side) cdi_sat_faces(&s, side);
    if (!s.over) cdi_sat_edges(&s);
    if (!s.over) cdi_sat_flats(&s);
    if (!s.over) cdi_sat_last_resort(&s);
}

/* ---- where ---- */

/* A half-edge from a vertex of a body of dimension 2 or 3. */
static uint32_t cdi_sat_from(const cdi_polyhedron *b, uint32_t vertex) {
    uint32_t i = 0;
    if (!b->few) return b->parts.outgoing[vertex];
    while (b->parts.half_edges[i].origin != vertex) ++i;
    return i;
}

/* How many corners of a face are as far along n as its farthest vertex. */
static double cdi_sat_level(const cdi_polyhedron *b, uint32_t face, cdi_v3 n, double most) {
    const cd_hull_face *f = &b->parts.faces[face];
    double level = 0.0;
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t v = b->parts.half_edges[f->first + i].origin;
        if (cdi_v3_dot(n, cdi_polyhedron_vertex(b, v)) >= most) level += 1.0;
    }
    return level;
}

/* Of the faces at a vertex the one that lies along n by most corners; of these the one whose normal is best along it. */
static uint32_t cdi_sat_face_along(const cdi_polyhedron *b, uint32_t vertex, cdi_v3 n, double room) {
    uint32_t first = cdi_sat_from(b, vertex), half = first, best = CD_NONE;
    double most = -CDI_HUGE, top = cdi_v3_dot(n, cdi_polyhedron_vertex(b, vertex)) - room;
    do {
        uint32_t face = b->parts.half_edges[half].face;
        double x = cdi_v3_dot(n, cdi_v3_unit(cdi_polyhedron_normal(b, face)));
        x += 4.0 * cdi_sat_level(b, face, n, top);
        if (x > most) most = x, best = face;
        half = b->parts.half_edges[cd_hull_previous(&b->parts, half)].twin;
    } while (half != first);
    return best;
}

/* Some corners of a face: its first, and `count` - 1 from number `from` on. Of what has no faces: of its vertices. */
typedef struct cdi_sat_part {
    const cdi_polyhedron *body;
    const cd_hull_face *face;
    uint32_t whole, from, count;
} cdi_sat_part;

static cdi_sat_part cdi_sat_part_of(const cdi_polyhedron *b, uint32_t face) {
    cdi_sat_part s;
    s.body = b;
    s.face = face == CD_NONE ? NULL : &b->parts.faces[face];
    s.whole = s.face ? s.face->count : b->parts.vertex_count;
    s.from = s.count = 0;
    return s;
}

/* The next part of a fan of such, each of `most` corners at most; false after the last, and where there is a point only. */
static bool cdi_sat_part_next(cdi_sat_part *s, uint32_t most) {
    uint32_t from = s->count ? s->from + s->count - 2 : 1, left = s->whole - from + 1;
    if (from + 1 >= s->whole && (s->count || s->whole < 2)) return false;
    s->from = from;
    s->count = left < most ? left : most;
    return true;
}

static cdi_v3 cdi_sat_part_corner(const cdi_sat_part *s, uint32_t i) {
    uint32_t k = i == 0 ? 0 : s->from + i - 1;
    return cdi_polyhedron_vertex(s->body, s->face ? s->body->parts.half_edges[s->face->first + k].origin : k);
}

/* What of body `side` may lie on a face of the other: the face at its farthest vertex along n, or all of a segment. */
static cdi_sat_part cdi_sat_facing(const cdi_polyhedra *p, int side, uint32_t top, cdi_v3 n) {
    const cdi_polyhedron *b = &p->body[side];
    return cdi_sat_part_of(b,
                           b->parts.face_count ? cdi_sat_face_along(b, top, n, cdi_sat_slack(p)) : CD_NONE);
}

/* What of a part of body `side` is over one of the other, in the frame of that. */
static bool cdi_sat_over(const cdi_polyhedra *p, int side, const cdi_sat_part *above, const cdi_sat_part *on,
                         cdi_v3 n, double room, cdi_facet *f) {
    f->count = (int)above->count;
    for (int k = 0; k < f->count; ++k) {
        cdi_v3 q = cdi_polyhedra_across(p, side, cdi_sat_part_corner(above, (uint32_t)k));
        f->p[k] = q;
    }
    for (uint32_t k = 0; k < on->count && f->count > 0; ++k) {
        cdi_v3 from = cdi_sat_part_corner(on, k), to = cdi_sat_part_corner(on, k + 1 < on->count ? k + 1 : 0);
        cdi_v3 out = cdi_v3_unit(cdi_v3_scale(cdi_v3_cross(cdi_v3_sub(to, from), n), on->body->mirror));
        cdi_facet_clip(f, out, cdi_v3_dot(out, from) + room);
    }
    return f->count > 0;
}

/* The middle of what is as good as lowest. */
static cdi_v3 cdi_sat_lowest(const cdi_facet *f, cdi_v3 n, double room) {
    cdi_facet low;
    double least = CDI_HUGE;
    for (int i = 0; i < f->count; ++i) least = cdi_min(least, cdi_v3_dot(n, f->p[i]));
    low.count = 0;
    for (int i = 0; i < f->count; ++i) {
        cdi_v3 q = f->p[i];
        if (cdi_v3_dot(n, q) <= least + room) low.p[low.count++] = q;
    }
    return cdi_facet_middle(&low);
}

/* Of a face: the point of the other body, in the frame of the face's body. Faces with more corners than there is room for are gone through by
 * parts. */
static cdi_v3 cdi_sat_face_point(const cdi_polyhedra *p, int side, const cdi_sat3d_sat *axis, double room) {
    cdi_v3 n = side ? cdi_polyhedra_turn(p, 0, cdi_v3_neg(axis->normal)) : axis->normal;
    uint32_t top = axis->top[1 - side];
    cdi_sat_part on = cdi_sat_part_of(&p->body[side], axis->part[side]);
    cdi_sat_part above = cdi_sat_facing(p, 1 - side, top, cdi_polyhedra_turn(p, side, cdi_v3_neg(n)));
    uint32_t most = CDI_FACET_ROOM;
    cdi_v3 best = cdi_polyhedra_across(p, 1 - side, cdi_polyhedron_vertex(&p->body[1 - side], top));
    double low = cdi_v3_dot(n, best) + room, least = CDI_HUGE;
    if (above.whole + on.whole > most) most /= 2;
    while (cdi_sat_part_next(&above, most)) {
        cdi_sat_part under = on;
        while (least > low && cdi_sat_part_next(&under, most)) {
            cdi_facet f;
            cdi_v3 q;
            if (!cdi_sat_over(p, 1 - side, &above, &under, n, room, &f)) continue;
            q = cdi_sat_lowest(&f, n, room);
            if (cdi_v3_dot(n, q) < least) least = cdi_v3_dot(n, q), best = q;
        }
    }
    return best;
}

/* The point on the edge of A that is nearest to the line of the edge of B. */
static cdi_v3 cdi_sat_edge_point(const cdi_polyhedra *p, const cdi_sat3d_sat *axis) {
    cdi_sat_edge a, b;
    cdi_v3 m;
    double under;
    cdi_sat_edge_of(p, 0, axis->part[0], axis->beyond[0], &a);
    cdi_sat_edge_of(p, 1, axis->part[1], axis->beyond[1], &b);
    m = cdi_v3_cross(b.course, axis->normal);
    under = cdi_v3_dot(m, a.course);
    if (under == 0.0) return a.from;
    return cdi_v3_along(a.from, a.course,
                        cdi_clamp(cdi_v3_dot(m, cdi_v3_sub(b.from, a.from)) / under, 0.0, 1.0));
}

/* The corners of a body that are as far along n as its farthest, seen along a line: the first and the last of them; in A's frame. */
typedef struct cdi_sat_span {
    cdi_v3 first, last;
    double from, to;
} cdi_sat_span;

static cdi_sat_span cdi_sat_span_of(const cdi_polyhedra *p, int side, cdi_v3 n, cdi_v3 line, double room) {
    const cdi_polyhedron *b = &p->body[side];
    double most = -CDI_HUGE;
    cdi_sat_span s;
    s.first = s.last = cdi_v3_make(0.0, 0.0, 0.0);
    s.from = CDI_HUGE;
    s.to = -CDI_HUGE;
    for (int turn = 0; turn < 2; ++turn) {
        for (uint32_t i = 0; i < b->parts.vertex_count; ++i) {
            cdi_v3 q = cdi_polyhedron_vertex(b, i);
            double x, at;
            if (side) q = cdi_polyhedra_across(p, 1, q);
            x = cdi_v3_dot(n, q);
            at = cdi_v3_dot(line, q);
            if (turn == 0) most = cdi_max(most, x);
            if (turn == 0 || x < most - room) continue;
            if (at < s.from) s.from = at, s.first = q;
            if (at > s.to) s.to = at, s.last = q;
        }
    }
    return s;
}

/* The direction in which the corners at a border are farthest from each other; zero where there is one only. */
static cdi_v3 cdi_sat_border_line(const cdi_polyhedra *p, cdi_v3 n, double room) {
    cdi_v3 line = cdi_across(n), way = cdi_v3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 4; ++i) {
        cdi_sat_span s = cdi_sat_span_of(p, i % 2, i % 2 ? cdi_v3_neg(n) : n, line, room);
        cdi_v3 to = cdi_v3_sub(s.last, s.first);
        if (cdi_v3_sqlength(to) > cdi_v3_sqlength(way)) way = to;
        if (i == 1) line = cdi_v3_cross(n, line);
    }
    return cdi_v3_unit(way);
}

/* At a border: of B, in the middle of what both have there. */
static cdi_v3 cdi_sat_border_point(const cdi_polyhedra *p, const cdi_sat3d_sat *axis, double room) {
    cdi_v3 n = axis->normal, line = cdi_sat_border_line(p, n, room);
    cdi_sat_span a = cdi_sat_span_of(p, 0, n, line, room), b;
    double at;
    b = cdi_sat_span_of(p, 1, cdi_v3_neg(n), line, room);
    at = 0.5 * (cdi_max(a.from, b.from) + cdi_min(a.to, b.to));
    if (!(b.to > b.from)) return b.first;
    at = cdi_clamp((at - b.from) / (b.to - b.from), 0.0, 1.0);
    return cdi_v3_along(b.first, cdi_v3_sub(b.last, b.first), at);
}

CDI_FN void cdi_sat_points(const cdi_polyhedra *p, const cdi_sat3d_sat *axis, double room, cdi_v3 *a,
                           cdi_v3 *b) {
    cdi_v3 way = cdi_v3_scale(axis->normal, axis->separation);
    if (axis->kind == CD_SAT_FACE_B) {
        cdi_v3 q = cdi_sat_face_point(p, 1, axis, room);
        *a = cdi_polyhedra_across(p, 1, q);
    } else if (axis->kind == CD_SAT_EDGES) {
        *a = cdi_sat_edge_point(p, axis);
    } else {
        *b = axis->kind == CD_SAT_FACE_A ? cdi_sat_face_point(p, 0, axis, room)
                                         : cdi_sat_border_point(p, axis, room);
        *a = cdi_v3_sub(*b, way);
    }
    *b = cdi_v3_add(*a, way);
    *a = cdi_v3_add(cdi_v3_scale2(*a, -p->shift), p->body[0].center);
    *b = cdi_v3_add(cdi_v3_scale2(*b, -p->shift), p->body[0].center);
}

CDI_FN uint32_t cdi_sat_feature(const cdi_polyhedra *p, const cdi_sat3d_sat *axis, int side) {
    const cdi_polyhedron *b = &p->body[side];
    uint32_t part = axis->part[side];
    if (axis->kind == (side ? (uint32_t)CD_SAT_FACE_B : (uint32_t)CD_SAT_FACE_A))
        return cdi_polyhedron_face_feature(b, part);
    if (axis->kind == CD_SAT_EDGES && axis->beyond[side] > 0)
        return cdi_polyhedron_face_feature(b, b->parts.half_edges[part].face);
    if (axis->kind == CD_SAT_EDGES) return cdi_polyhedron_edge_feature(b, part);
    return cdi_polyhedron_vertex_feature(b, part);
}
