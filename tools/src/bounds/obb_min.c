#include "bounds/obb_min.h"
#include "bounds/obb_axes.h"

/* A box is taken for no smaller when it is not by this share. */
#ifdef COLLIDE_DOUBLE
#define CDI_MIN_BOX_SHARE 1e-9
#else
#define CDI_MIN_BOX_SHARE 1e-7
#endif

/* An interval is halved this often at most, in all and one part of it: what is thinner than rounding errors never shows enough. */
#define CDI_MIN_BOX_PARTS 500
#define CDI_MIN_BOX_DEPTH 40

/* The normals of the planes that touch the hull along an edge: from one to the other on the shorter way. */
typedef struct cdi_arc {
    uint32_t from, to; /* normals */
    uint32_t vertex;   /* an end of the edge */
    uint32_t opposite; /* the farthest vertex from a plane in the middle */
} cdi_arc;

/* The hull in local coordinates, the arcs of its edges, and the best box so far. */
typedef struct cdi_min_box {
    cdi_v3 *vertex, *normal;
    cdi_arc *arc;
    double *from, *to;          /* the products of each normal with both ends of the arc in hand */
    uint32_t *first, *neighbor; /* the neighbours of vertex i: first[i] to first[i + 1] */
    uint32_t vertex_count, normal_count, arc_count;
    uint32_t parts;     /* that the interval in hand may still be halved into */
    uint32_t high, low; /* where to look first for the ends along the third axis */
    double volume;
    cdi_m3 axes;
} cdi_min_box;

/* ---- preparing ---- */

/* All arrays in one block; their number is bounded by that of the edges, each of which gives up to two arcs. */
typedef struct cdi_min_box_memory {
    double *block;
    size_t count;
} cdi_min_box_memory;

static bool cdi_min_box_take(cdi_min_box *m, const cd_hull_parts *p, const cd_allocator *allocator,
                             cdi_min_box_memory *memory) {
    size_t vertices = p->vertex_count, edges = p->half_edge_count / 2, normals = p->face_count + edges;
    size_t arcs = 2 * edges;
    memory->count = 3 * vertices + 5 * normals + 2 * arcs + (vertices + 2 * edges) / 2 + 1;
    memory->block = (double *)cdi_alloc(allocator, memory->count, sizeof(double));
    if (!memory->block) return false;
    m->vertex = (cdi_v3 *)(void *)memory->block;
    m->normal = m->vertex + vertices;
    m->from = (double *)(void *)(m->normal + normals);
    m->to = m->from + normals;
    m->arc = (cdi_arc *)(void *)(m->to + normals);
    m->first = (uint32_t *)(void *)(m->arc + arcs);
    m->neighbor = m->first + vertices + 1;
    m->vertex_count = p->vertex_count;
    m->normal_count = p->face_count;
    m->arc_count = 0;
    m->high = m->low = 0;
    return true;
}

static void cdi_min_box_find_neighbors(cdi_min_box *m, const cd_hull_parts *p) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        uint32_t e = p->outgoing[v];
        m->first[v] = n;
        do {
            m->neighbor[n++] = p->half_edges[p->half_edges[e].twin].origin;
            e = p->half_edges[cd_hull_previous(p, e)].twin;
        } while (e != p->outgoing[v]);
    }
    m->first[p->vertex_count] = n;
}

/* Of a face as a fan of triangles. */
static cdi_v3 cdi_min_box_face_normal(const cdi_min_box *m, const cd_hull_parts *p, const cd_hull_face *f) {
    const cd_half_edge *e = p->half_edges + f->first;
    cdi_v3 a = m->vertex[e[0].origin], sum = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 2; i < f->count; ++i) {
        cdi_v3 b = cdi_v3_sub(m->vertex[e[i - 1].origin], a), c = cdi_v3_sub(m->vertex[e[i].origin], a);
        sum = cdi_v3_add(sum, cdi_v3_cross(b, c));
    }
    sum = cdi_v3_normalize(sum);
    return cdi_v3_is_zero(sum) ? cdi_v3_of(f->plane.n) : sum;
}

/* The farthest vertex, by way of ever farther neighbours. */
static uint32_t cdi_min_box_climb(const cdi_min_box *m, cdi_v3 n, uint32_t v) {
    double most = cdi_v3_dot(n, m->vertex[v]);
    for (uint32_t i = m->first[v]; i < m->first[v + 1];) {
        double along = cdi_v3_dot(n, m->vertex[m->neighbor[i]]);
        if (along > most) {
            most = along;
            v = m->neighbor[i];
            i = m->first[v];
        } else {
            ++i;
        }
    }
    return v;
}

static void cdi_min_box_add_arc(cdi_min_box *m, uint32_t from, uint32_t to, uint32_t vertex) {
    cdi_arc *a = &m->arc[m->arc_count++];
    a->from = from;
    a->to = to;
    a->vertex = vertex;
    a->opposite = cdi_min_box_climb(m, cdi_v3_neg(cdi_v3_add(m->normal[from], m->normal[to])),
                                    m->arc_count > 1 ? a[-1].opposite : vertex);
}

/* An arc of more than a right angle is two: the middle is the sum of the directions in which its faces leave the edge. */
static void cdi_min_box_add_edge(cdi_min_box *m, const cd_half_edge *e, const cd_half_edge *twin) {
    cdi_v3 a = m->normal[e->face], b = m->normal[twin->face];
    cdi_v3 along = cdi_v3_normalize(cdi_v3_sub(m->vertex[twin->origin], m->vertex[e->origin]));
    uint32_t middle = m->normal_count;
    if (cdi_v3_dot(a, b) >= 0.0) {
        cdi_min_box_add_arc(m, e->face, twin->face, e->origin);
        return;
    }
    m->normal[middle] = cdi_v3_normalize(cdi_v3_add(cdi_v3_cross(along, a), cdi_v3_cross(b, along)));
    ++m->normal_count;
    cdi_min_box_add_arc(m, e->face, middle, e->origin);
    cdi_min_box_add_arc(m, middle, twin->face, e->origin);
}

static void cdi_min_box_prepare(cdi_min_box *m, const cdi_fit *f, const cd_hull_parts *p) {
    for (uint32_t i = 0; i < p->vertex_count; ++i) m->vertex[i] = cdi_fit_local(f, i);
    for (uint32_t i = 0; i < p->face_count; ++i) m->normal[i] = cdi_min_box_face_normal(m, p, &p->faces[i]);
    cdi_min_box_find_neighbors(m, p);
    for (uint32_t i = 0; i < p->half_edge_count; ++i) {
        const cd_half_edge *e = &p->half_edges[i];
        if (e->twin > i) cdi_min_box_add_edge(m, e, &p->half_edges[e->twin]);
    }
}

/* ---- the boxes on two edges ----
 * n1 = from1 + s (to1 - from1) and n2 = from2 + t (to2 - from2) are perpendicular where c[0] + c[1] s + c[2] t + c[3] s t = 0. */

typedef struct cdi_arc_pair {
    const cdi_arc *arc[2];
    double c[4];
} cdi_arc_pair;

/* A box on both edges; the third axis is across both. `d[i]` joins the vertices at its ends on axis i. */
typedef struct cdi_edge_box {
    double at[2]; /* s and t */
    double volume;
    cdi_m3 axes;
    cdi_v3 d[3];
} cdi_edge_box;

static cdi_v3 cdi_arc_normal(const cdi_min_box *m, const cdi_arc *a, double s) {
    return cdi_v3_normalize(cdi_v3_along(cdi_v3_scale(m->normal[a->from], 1.0 - s), m->normal[a->to], s));
}

static void cdi_edge_box_place(const cdi_min_box *m, const cdi_arc_pair *p, double s, double t,
                               cdi_edge_box *b) {
    b->at[0] = s;
    b->at[1] = t;
    b->axes = cdi_fit_frame(cdi_arc_normal(m, p->arc[0], s), cdi_arc_normal(m, p->arc[1], t));
}

static double cdi_edge_box_volume(const cdi_m3 *axes, const cdi_v3 d[3]) {
    double x = cdi_v3_dot(axes->c[0], d[0]), y = cdi_v3_dot(axes->c[1], d[1]),
           z = cdi_v3_dot(axes->c[2], d[2]);
    return x > 0.0 && y > 0.0 && z > 0.0 ? x * y * z : 0.0;
}

/* Asks all vertices: climbing may have been stopped by rounding errors among vertices next to each other. */
static void cdi_min_box_keep(cdi_min_box *m, const cdi_m3 *axes) {
    cdi_extents e = cdi_extents_none();
    double volume;
    for (uint32_t i = 0; i < m->vertex_count; ++i) cdi_extents_add(&e, axes, m->vertex[i]);
    volume = cdi_extents_volume(&e);
    if (!(volume < m->volume)) return;
    m->volume = volume;
    m->axes = *axes;
}

static void cdi_edge_box_measure(cdi_min_box *m, const cdi_arc_pair *p, cdi_edge_box *b) {
    for (int k = 0; k < 2; ++k) {
        uint32_t u = cdi_min_box_climb(m, b->axes.c[k], p->arc[k]->vertex);
        uint32_t v = cdi_min_box_climb(m, cdi_v3_neg(b->axes.c[k]), p->arc[k]->opposite);
        b->d[k] = cdi_v3_sub(m->vertex[u], m->vertex[v]);
    }
    m->high = cdi_min_box_climb(m, b->axes.c[2], m->high);
    m->low = cdi_min_box_climb(m, cdi_v3_neg(b->axes.c[2]), m->low);
    b->d[2] = cdi_v3_sub(m->vertex[m->high], m->vertex[m->low]);
    b->volume = cdi_edge_box_volume(&b->axes, b->d);
    CDI_COUNT(obb_measured);
    if (b->volume < m->volume) cdi_min_box_keep(m, &b->axes);
}

/* ---- an interval of them ---- */

/* The square of the largest angle between the axes, about. */
static double cdi_edge_box_turn(const cdi_edge_box *a, const cdi_edge_box *b) {
    double most = 0.0;
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_v3_sqlength(cdi_v3_sub(a->axes.c[k], b->axes.c[k])));
    return most;
}

/* How far the product of the three extents can fall below what its ends let expect, relative to it: an extent d . n changes along
 * the way by its second derivative, which |d| bounds. */
static double cdi_edge_box_sag(const cdi_edge_box *b, double turn) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double extent = cdi_v3_dot(b->axes.c[k], b->d[k]);
        if (!(extent > 0.0)) return 1.0;
        sum += cdi_v3_length(b->d[k]) / extent;
    }
    return 0.25 * turn * sum;
}

/* Between a and b the volume is at least that of either's vertices. One over the volume of the same vertices is about convex, so it is below
 * its chord; the lesser of both chords is largest where they cross: `where`, a share of the way. */
static double cdi_edge_box_bound(const cdi_edge_box *a, const cdi_edge_box *b, double *where) {
    double ab = cdi_edge_box_volume(&b->axes, a->d), ba = cdi_edge_box_volume(&a->axes, b->d);
    double pa, pb, qa, qb, gap, most;
    *where = 0.5;
    if (!(ab > 0.0 && ba > 0.0 && a->volume > 0.0 && b->volume > 0.0)) return 0.0;
    pa = 1.0 / a->volume, pb = 1.0 / ab; /* the vertices of a, at a and at b */
    qa = 1.0 / ba, qb = 1.0 / b->volume;
    most = cdi_max(pa, qb);
    gap = (qa - pa) + (pb - qb);
    if (gap > 1e-12 * most) {
        *where = cdi_clamp((qa - pa) / gap, 0.0, 1.0);
        most = cdi_max(most, pa + *where * (pb - pa));
    }
    return 1.0 / most;
}

/* The other parameter, where one of them is x. */
static double cdi_arc_pair_solve(const cdi_arc_pair *p, int given, double x, double lo, double hi) {
    double constant = p->c[0] + p->c[1 + given] * x, slope = p->c[2 - given] + p->c[3] * x;
    double y = slope != 0.0 ? -constant / slope : 0.5 * (lo + hi);
    return cdi_clamp(y, cdi_min(lo, hi), cdi_max(lo, hi));
}

/* A box between two, at a share of the way by the parameter that turns the box more. */
static void cdi_edge_box_between(const cdi_min_box *m, const cdi_arc_pair *p, const cdi_edge_box *a,
                                 const cdi_edge_box *b, double share, cdi_edge_box *out) {
    double turn0 = cdi_v3_sqlength(cdi_v3_sub(a->axes.c[0], b->axes.c[0]));
    double turn1 = cdi_v3_sqlength(cdi_v3_sub(a->axes.c[1], b->axes.c[1]));
    int k = turn0 >= turn1 ? 0 : 1;
    double x[2];
    x[k] = a->at[k] + share * (b->at[k] - a->at[k]);
    x[1 - k] = cdi_arc_pair_solve(p, k, x[k], a->at[1 - k], b->at[1 - k]);
    cdi_edge_box_place(m, p, x[0], x[1], out);
}

static void cdi_min_box_search(cdi_min_box *m, const cdi_arc_pair *p, const cdi_edge_box *a,
                               const cdi_edge_box *b, int depth) {
    double turn = cdi_edge_box_turn(a, b), where, bound = cdi_edge_box_bound(a, b, &where), sag;
    cdi_edge_box middle;
    sag = cdi_max(cdi_edge_box_sag(a, turn), cdi_edge_box_sag(b, turn));
    if (depth == 0 || m->parts == 0 || turn < 1e-28 ||
        bound * (1.0 - sag) >= m->volume * (1.0 - CDI_MIN_BOX_SHARE))
        return;
    --m->parts;
    where = turn > 0.01 ? 0.5 : cdi_clamp(where, 0.05, 0.95);
    cdi_edge_box_between(m, p, a, b, depth % 4 == 0 ? 0.5 : where, &middle);
    cdi_edge_box_measure(m, p, &middle);
    cdi_min_box_search(m, p, a, &middle, depth - 1);
    cdi_min_box_search(m, p, &middle, b, depth - 1);
}

/* ---- pairs of arcs ---- */

/* The point of the unit square where two parameters begin, before another: in the order of s, then of t. */
static bool cdi_arc_end_before(const double a[2], const double b[2]) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

/* Puts a point into its place among `n` in order, and returns how many there are then. */
static int cdi_arc_ends_add(double ends[4][2], int n, int k, double at_k, double at_other) {
    double end[2];
    int i = n;
    end[k] = at_k;
    end[1 - k] = at_other;
    for (int j = 0; j < n; ++j) {
        if (ends[j][0] == end[0] && ends[j][1] == end[1]) return n; /* a corner of the square, met twice */
    }
    for (; i > 0 && cdi_arc_end_before(end, ends[i - 1]); --i) cdi_copy(ends[i], ends[i - 1], sizeof end);
    cdi_copy(ends[i], end, sizeof end);
    return n + 1;
}

/* Where the curve of perpendicular normals meets the sides of the unit square, in order: at two points, or at four, which
 * belong together two by two. `corner[s][t]` are the products of the normals at its corners. */
static int cdi_arc_pair_ends(double corner[2][2], double ends[4][2]) {
    int n = 0;
    for (int side = 0; side < 4; ++side) {
        int k = side & 1, end = side >> 1; /* parameter k is at this end */
        double x = k == 0 ? corner[end][0] : corner[0][end], y = k == 0 ? corner[end][1] : corner[1][end];
        if ((x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0)) continue;
        n = cdi_arc_ends_add(ends, n, k, (double)end, x == y ? 0.5 : cdi_clamp(x / (x - y), 0.0, 1.0));
    }
    return n;
}

/* First one box in the middle: its vertices often show that none of the family is small enough. */
static void cdi_min_box_try_interval(cdi_min_box *m, const cdi_arc_pair *p, const double from[2],
                                     const double to[2]) {
    cdi_edge_box a, b, middle;
    double turn, least;
    cdi_edge_box_place(m, p, from[0], from[1], &a);
    cdi_edge_box_place(m, p, to[0], to[1], &b);
    turn = cdi_edge_box_turn(&a, &b);
    cdi_edge_box_between(m, p, &a, &b, 0.5, &middle);
    cdi_edge_box_measure(m, p, &middle);
    least = cdi_min(cdi_edge_box_volume(&a.axes, middle.d), cdi_edge_box_volume(&b.axes, middle.d));
    if (least * (1.0 - cdi_edge_box_sag(&middle, turn)) >= m->volume * (1.0 - CDI_MIN_BOX_SHARE)) return;
    cdi_edge_box_measure(m, p, &a);
    cdi_edge_box_measure(m, p, &b);
    m->parts = CDI_MIN_BOX_PARTS;
    cdi_min_box_search(m, p, &a, &middle, CDI_MIN_BOX_DEPTH);
    cdi_min_box_search(m, p, &middle, &b, CDI_MIN_BOX_DEPTH);
}

static void cdi_min_box_try_pair(cdi_min_box *m, const cdi_arc *first, const cdi_arc *second,
                                 double corner[2][2]) {
    cdi_arc_pair p;
    double ends[4][2];
    int n;
    p.arc[0] = first;
    p.arc[1] = second;
    p.c[0] = corner[0][0];
    p.c[1] = corner[1][0] - corner[0][0];
    p.c[2] = corner[0][1] - corner[0][0];
    p.c[3] = (corner[1][1] - corner[1][0]) - (corner[0][1] - corner[0][0]);
    n = cdi_arc_pair_ends(corner, ends);
    for (int i = 0; i + 1 < n; i += n == 4 ? 2 : 1) cdi_min_box_try_interval(m, &p, ends[i], ends[i + 1]);
}

static bool cdi_one_sign(double c[2][2]) {
    return ((c[0][0] > 0.0) & (c[0][1] > 0.0) & (c[1][0] > 0.0) & (c[1][1] > 0.0)) |
           ((c[0][0] < 0.0) & (c[0][1] < 0.0) & (c[1][0] < 0.0) & (c[1][1] < 0.0));
}

static void cdi_min_box_try_all(cdi_min_box *m) {
    for (uint32_t i = 0; i < m->arc_count; ++i) {
        const cdi_arc *a = &m->arc[i];
        for (uint32_t k = 0; k < m->normal_count; ++k) {
            m->from[k] = cdi_v3_dot(m->normal[a->from], m->normal[k]);
            m->to[k] = cdi_v3_dot(m->normal[a->to], m->normal[k]);
        }
        for (uint32_t k = i; k < m->arc_count; ++k) {
            const cdi_arc *b = &m->arc[k];
            double corner[2][2];
            corner[0][0] = m->from[b->from];
            corner[0][1] = m->from[b->to];
            corner[1][0] = m->to[b->from];
            corner[1][1] = m->to[b->to];
            if (!cdi_one_sign(corner)) cdi_min_box_try_pair(m, a, b, corner);
        }
    }
}

/* ---- the box ---- */

/* From the frame in `axes`, to the best one. */
static cd_status cdi_min_box_run(const cdi_fit *f, const cd_hull_parts *p, const cd_allocator *allocator,
                                 cdi_m3 *axes) {
    cdi_min_box_memory memory;
    cdi_min_box m;
    cdi_extents e = cdi_fit_extents(f, axes);
    if (!cdi_min_box_take(&m, p, allocator, &memory)) return CD_OUT_OF_MEMORY;
    m.volume = cdi_extents_volume(&e);
    m.axes = *axes;
    cdi_min_box_prepare(&m, f, p);
    cdi_min_box_try_all(&m);
    *axes = m.axes;
    cdi_free(allocator, memory.block, memory.count, sizeof(double));
    return CD_OK;
}

/* The axis to look along first: the normal of a flat hull, the direction of a segment. */
static cdi_m3 cdi_min_box_start(const cd_hull *hull, const cd_hull_parts *p, const cdi_fit *f) {
    cdi_m3 axes;
    if (p->dimension == 2) {
        const cd_half_edge *e = p->half_edges;
        cdi_v3 n =
            cdi_accurate_normal(cdi_v3_of(p->vertices[e[0].origin]), cdi_v3_of(p->vertices[e[1].origin]),
                                cdi_v3_of(p->vertices[e[2].origin]));
        return cdi_fit_frame(n, cdi_across(cdi_v3_normalize(n)));
    }
    if (p->dimension < 3 || !cdi_hull_frame(hull, &axes)) axes = cdi_fit_by_pairs(f);
    return axes;
}

static cd_status cdi_min_box_with(const cd_hull *hull, const cdi_fit *f, const cd_allocator *allocator,
                                  cdi_fit_shadow *shadow, cdi_m3 *axes) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_status status = CD_OK;
    *axes = cdi_min_box_start(hull, &p, f);
    if (p.dimension == 2) *axes = cdi_fit_across(f, shadow, axes->c[0]);
    if (p.dimension < 3) return CD_OK;
    cdi_fit_refine(f, shadow, axes);
    status = cdi_min_box_run(f, &p, allocator, axes);
    if (status == CD_OK) cdi_fit_refine(f, shadow, axes);
    return status;
}

CD_API cd_status cd_obb_min_volume(const cd_hull *hull, const cd_allocator *allocator, cd_obb *out) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_fit_shadow shadow;
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, p.vertices, p.vertex_count);
    cdi_clear(out, sizeof *out);
    if (status == CD_OK) status = cdi_fit_shadow_take(&shadow, p.vertex_count, allocator);
    if (status != CD_OK) return status;
    status = cdi_min_box_with(hull, &f, allocator, &shadow, &axes);
    cdi_fit_shadow_free(&shadow, allocator);
    if (status == CD_OK) cdi_fit_finish(&f, &axes, out);
    return status;
}

#undef CDI_MIN_BOX_SHARE
#undef CDI_MIN_BOX_PARTS
#undef CDI_MIN_BOX_DEPTH
