#include "hull/hull_around.h"
#include "core/eigen.h"
#include "core/orient.h"
#include "hull/directions.h"
#include "hull/hull_block.h"
#include "hull/hull_build.h"
#include "hull/hull_gap.h"
#include "hull/selection.h"

/* Half-spaces n . x <= e, n unit, with x about `center` and times `scale`, which touch the hull; each is also the point
 * L^T n / e: the polar dual, in the frame in which the hull is round. Corners of the common interior of some of them are the
 * planes of the hull of these points, and the body is bounded when the origin is inside. */
typedef struct cdi_around {
    const cd_hull *hull;
    cd_hull_parts parts;
    const cd_allocator *allocator;
    uint32_t max_vertices, max_faces;
    cdi_v3 center;
    double scale, step; /* step: what rounding a corner may move it by, scaled */
    cdi_round_frame frame;
    cdi_v3 *n, *dual;
    double *e;
    uint32_t *chosen; /* room for as many as there are half-spaces */
    uint32_t count, room, last;
    cd_hull best;
    cdi_v3 *
        kept; /* the normals of the half-spaces of `best`; then those drawn to, and a pull for each: 3 times the room */
    uint32_t kept_count;
} cdi_around;

/* ---- half-spaces ---- */

static cdi_v3 cdi_around_place(const cdi_around *a, uint32_t vertex) {
    return cdi_v3_scale(cdi_v3_sub(cdi_v3_of(a->parts.vertices[vertex]), a->center), a->scale);
}

/* The half-space with this outward normal that touches the hull; none is added where the hull is too thin. */
static void cdi_around_touch(cdi_around *a, cdi_v3 direction) {
    const double *l = a->frame.l;
    cdi_v3 n = cdi_v3_normalize(direction), d;
    double e;
    a->last = cdi_hull_climb(&a->parts, a->last, n);
    e = cdi_v3_dot(n, cdi_around_place(a, a->last));
    d = cdi_v3_make((l[0] * n.x + l[1] * n.y + l[3] * n.z) / e, (l[2] * n.y + l[4] * n.z) / e,
                    l[5] * n.z / e);
    if (!(e > 1e-14) || !cdi_finite(e) || !cdi_v3_finite(d) || a->count == a->room) return;
    a->n[a->count] = n;
    a->e[a->count] = e;
    a->dual[a->count++] = d;
}

/* Of the faces around a vertex the one that looks most along u. */
static uint32_t cdi_facing(const cd_hull_parts *p, uint32_t vertex, cdi_v3 u) {
    uint32_t first = p->outgoing[vertex], h = first, best = 0;
    double most = -CDI_HUGE;
    do {
        uint32_t f = p->half_edges[h].face;
        double along = cdi_v3_dot(u, cdi_v3_of(p->faces[f].plane.n));
        if (along > most) {
            most = along;
            best = f;
        }
        h = p->half_edges[cd_hull_previous(p, h)].twin;
    } while (h != first);
    return best;
}

/* The faces, all of them or those that face many directions, and 2 * 26 directions of boxes. */
static void cdi_around_take_faces(cdi_around *a, uint32_t n) {
    const cd_hull_parts *p = &a->parts;
    uint32_t vertex = 0, before = CD_NONE;
    if (p->face_count <= 24 * n * n) {
        for (uint32_t f = 0; f < p->face_count; ++f) {
            a->last = p->half_edges[p->faces[f].first].origin;
            cdi_around_touch(a, cdi_v3_of(p->faces[f].plane.n));
        }
        return;
    }
    for (uint32_t i = 0; i < 12 * n * n; ++i) {
        cdi_v3 u = cdi_cube_direction(i % (6 * n * n), n);
        uint32_t f;
        if (i >= 6 * n * n) u = cdi_round_direction(&a->frame, u);
        vertex = cdi_hull_climb(p, vertex, u);
        f = cdi_facing(p, vertex, u);
        if (f != before) cdi_around_touch(a, cdi_v3_of(p->faces[f].plane.n));
        before = f;
    }
}

static void cdi_around_take_boxes(cdi_around *a) {
    for (int i = 0; i < 27; ++i) {
        int z = i / 9 - 1, y = i / 3 % 3 - 1, x = i % 3 - 1;
        cdi_v3 u = cdi_v3_make(x, y, z);
        if (i == 13) continue;
        cdi_around_touch(a, u);
        cdi_around_touch(a, cdi_round_direction(&a->frame, u));
    }
}

/* ---- the corners of some half-spaces ---- */

/* The corners of the interior, one for each triangle of the dual; those at nearly the same place are one. */
typedef struct cdi_corners {
    cdi_cloud cloud;
    cdi_qh q;
    cdi_v3 *dual;       /* of the chosen, pushed out */
    cdi_v3 *at;         /* of each triangle */
    uint32_t *same;     /* of each triangle: an earlier one at the same place, or itself */
    uint32_t *rank;     /* of each triangle that stands for itself: its number in the result */
    uint32_t *place;    /* of each half-edge of the dual: that of the result */
    cd_vec3 *point;     /* rounded */
    uint32_t *triangle; /* of each point */
    uint32_t room, point_count, dual_count;
} cdi_corners;

static void cdi_corners_free(const cdi_around *a, cdi_corners *c) {
    cdi_free(a->allocator, c->dual, c->dual_count, sizeof *c->dual);
    cdi_free(a->allocator, c->at, c->room, sizeof *c->at);
    cdi_free(a->allocator, c->same, 7 * (size_t)c->room, sizeof *c->same);
    cdi_free(a->allocator, c->point, c->room, sizeof *c->point);
    c->q.allocator = a->allocator;
    cdi_qh_free(&c->q);
    cdi_cloud_free(&c->cloud, a->allocator);
}

static bool cdi_corners_take(const cdi_around *a, cdi_corners *c) {
    c->room = c->q.face_count;
    c->at = (cdi_v3 *)cdi_alloc(a->allocator, c->room, sizeof *c->at);
    c->same = (uint32_t *)cdi_alloc(a->allocator, 7 * (size_t)c->room, sizeof *c->same);
    c->point = (cd_vec3 *)cdi_alloc(a->allocator, c->room, sizeof *c->point);
    if (!c->at || !c->same || !c->point) return false;
    c->rank = c->same + c->room;
    c->triangle = c->rank + c->room;
    c->place = c->triangle + c->room;
    return true;
}

static cd_status cdi_corners_dual(const cdi_around *a, cdi_corners *c, uint32_t count, double margin) {
    cdi_cloud_input input;
    cd_status status;
    c->dual_count = count;
    c->dual = (cdi_v3 *)cdi_alloc(a->allocator, count, sizeof *c->dual);
    if (!c->dual) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = a->chosen[i];
        c->dual[i] = cdi_v3_scale(a->dual[k], a->e[k] / (a->e[k] + margin));
    }
    cdi_clear(&input, sizeof input);
    input.high = c->dual;
    input.count = count;
    status = cdi_cloud_arrange(&c->cloud, &input, NULL, count, a->allocator);
    if (status == CD_OK) status = cdi_qh_build(&c->q, &c->cloud, a->allocator, NULL);
    return status == CD_OK && c->q.dimension < 3 ? CD_UNSUPPORTED : status;
}

/* Where the corner of a dual triangle is; false when there is none. */
static bool cdi_corner_at(const cdi_around *a, const cdi_corners *c, const cdi_qh_face *f, cdi_v3 *at) {
    const double *l = a->frame.l;
    double e = f->d + cdi_v3_dot(f->n, c->cloud.middle);
    cdi_v3 w;
    if (e <= 1e-9 * cdi_v3_length(f->n)) return false;
    w = cdi_v3_scale(f->n, 1.0 / (e * a->scale));
    w = cdi_v3_make(l[0] * w.x, l[1] * w.x + l[2] * w.y, l[3] * w.x + l[4] * w.y + l[5] * w.z);
    *at = cdi_v3_add(a->center, w);
    return cdi_v3_finite(*at) && cdi_v3_max_abs(*at) <= (double)CD_REAL_MAX;
}

static uint32_t cdi_corner_root(cdi_corners *c, uint32_t t) {
    while (c->same[t] != t) t = c->same[t] = c->same[c->same[t]];
    return t;
}

/* Neighbours at the same place, up to rounding, become one. */
static void cdi_corners_weld(const cdi_around *a, cdi_corners *c, double margin) {
    double limit = cdi_max(8.0 * a->step, 0.5 * margin) / a->scale;
    for (uint32_t t = 0; t < c->room; ++t) c->same[t] = t;
    for (uint32_t t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] == CD_NONE) continue;
        for (int k = 0; k < 3; ++k) {
            uint32_t r = cdi_corner_root(c, t), u = cdi_corner_root(c, c->q.face[t].twin[k] >> 2);
            if (cdi_v3_max_abs(cdi_v3_sub(c->at[r], c->at[u])) > limit) continue;
            if (r < u) c->same[u] = r;
            if (u < r) c->same[r] = u;
        }
    }
}

static cd_status cdi_corners_find(const cdi_around *a, cdi_corners *c, uint32_t count, double margin) {
    cd_status status = cdi_corners_dual(a, c, count, margin);
    if (status != CD_OK) return status;
    if (!cdi_corners_take(a, c)) return CD_OUT_OF_MEMORY;
    for (uint32_t t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] != CD_NONE && !cdi_corner_at(a, c, &c->q.face[t], &c->at[t]))
            return CD_UNSUPPORTED;
    }
    cdi_corners_weld(a, c, margin);
    for (uint32_t t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] == CD_NONE || cdi_corner_root(c, t) != t) continue;
        c->triangle[c->point_count] = t;
        c->point[c->point_count++] = cdi_v3_round(c->at[t]);
    }
    return CD_OK;
}

/* ---- is the hull inside? ---- */

static cdi_v3 cdi_loop_corner(const cd_hull_parts *p, uint32_t face, uint32_t i) {
    return cdi_v3_of(p->vertices[p->half_edges[p->faces[face].first + i].origin]);
}

/* det [b-a; c-a; q-p], exact sign: how much higher q is than p above the triangle. The error in doubles is below 1e-14 of the
 * product of the largest components. */
static double cdi_rise(const cdi_v3 t[3], cdi_v3 p, cdi_v3 q) {
    cdi_v3 u = cdi_v3_sub(t[1], t[0]), v = cdi_v3_sub(t[2], t[0]), w = cdi_v3_sub(q, p);
    double rise = cdi_v3_dot(cdi_v3_cross(u, v), w);
    double noise = 1e-13 * cdi_v3_max_abs(u) * cdi_v3_max_abs(v) * cdi_v3_max_abs(w) + 1e-290;
    cdi_diff m[3][3];
    if (rise > noise || rise < -noise) return rise;
    for (int k = 0; k < 3; ++k) {
        m[0][k] = cdi_diff_of(cdi_v3_get(t[1], k), cdi_v3_get(t[0], k));
        m[1][k] = cdi_diff_of(cdi_v3_get(t[2], k), cdi_v3_get(t[0], k));
        m[2][k] = cdi_diff_of(cdi_v3_get(q, k), cdi_v3_get(p, k));
    }
    return cdi_det3_exact(m);
}

/* A neighbour of the vertex that is higher above the triangle, or the vertex. */
static uint32_t cdi_higher_neighbour(const cd_hull_parts *p, uint32_t vertex, const cdi_v3 t[3]) {
    uint32_t first = p->outgoing[vertex], h = first;
    do {
        uint32_t to = p->half_edges[p->half_edges[h].twin].origin;
        if (cdi_rise(t, cdi_v3_of(p->vertices[vertex]), cdi_v3_of(p->vertices[to])) > 0.0) return to;
        h = p->half_edges[cd_hull_previous(p, h)].twin;
    } while (h != first);
    return vertex;
}

/* Is no vertex of a body that is exactly convex in front of the triangle? One without higher neighbours is the highest. */
static bool cdi_face_holds_top(const cdi_v3 t[3], cdi_v3 n, const cd_hull_parts *inner, uint32_t *top) {
    uint32_t before = CD_NONE;
    *top = cdi_hull_climb(inner, *top, n);
    while (*top != before) {
        before = *top;
        *top = cdi_higher_neighbour(inner, before, t);
    }
    return cdi_orient3d(t[0], t[1], t[2], cdi_v3_of(inner->vertices[*top])) >= 0.0;
}

/* Of an inner one that is exactly convex. */
static bool cdi_hull_holds(const cd_hull *outer, const cd_hull *inner) {
    cd_hull_parts p = cd_hull_get_parts(outer), q = cd_hull_get_parts(inner);
    uint32_t top = 0;
    if (p.dimension != 3) return false;
    for (uint32_t f = 0; f < p.face_count; ++f) {
        cdi_v3 t[3];
        for (uint32_t k = 0; k < 3; ++k) t[k] = cdi_loop_corner(&p, f, k);
        if (!cdi_face_holds_top(t, cdi_v3_of(p.faces[f].plane.n), &q, &top)) return false;
    }
    return true;
}

/* ---- faces that are flat but for rounding ---- */

/* The half-edge g of the dual, in triangle t and to point i, is that of face i that starts at the corner of t. */
static uint32_t cdi_around_next(const cdi_corners *c, uint32_t g) {
    return cdi_qh_before(cdi_qh_twin(&c->q, g));
}

static bool cdi_around_is_edge(cdi_corners *c, uint32_t g) {
    return cdi_corner_root(c, g >> 2) != cdi_corner_root(c, cdi_qh_twin(&c->q, g) >> 2);
}

/* Numbers the edges of all faces; false when a face has fewer than three. */
static bool cdi_around_number(cdi_corners *c, uint32_t *faces, uint32_t *half_edges) {
    uint32_t t, k, count = 0;
    *faces = 0;
    for (uint32_t i = 0; i < 4 * c->room; ++i) c->place[i] = CD_NONE;
    for (uint32_t i = 0; i < c->cloud.room; ++i) c->q.start[i] = CD_NONE;
    for (t = 0; t < c->room; ++t) {
        if (c->q.face[t].vertex[0] == CD_NONE) continue;
        for (k = 0; k < 3; ++k) c->q.start[c->q.face[t].vertex[(k + 1) % 3]] = 4 * t + k;
    }
    for (uint32_t i = 0; i < c->cloud.count; ++i) {
        uint32_t g = c->q.start[i], first = count;
        if (g == CD_NONE) continue;
        do {
            if (cdi_around_is_edge(c, g)) c->place[g] = count++;
            g = cdi_around_next(c, g);
        } while (g != c->q.start[i]);
        if (count - first < 3) return false;
        ++*faces;
    }
    *half_edges = count;
    return true;
}

/* The corners in the order of the hull of the rounded points; false when not all of them are its vertices. */
static bool cdi_around_rank(cdi_corners *c, const cd_hull *flat) {
    cd_hull_parts p = cd_hull_get_parts(flat);
    if (p.vertex_count != c->point_count) return false;
    for (uint32_t v = 0; v < p.vertex_count; ++v) c->rank[c->triangle[p.sources[v]]] = v;
    return true;
}

static void cdi_around_write_faces(const cdi_around *a, cdi_corners *c, const cdi_hull_arrays *to) {
    uint32_t face = 0;
    for (uint32_t i = 0; i < c->cloud.count; ++i) {
        uint32_t g = c->q.start[i], count = 0;
        if (g == CD_NONE) continue;
        do {
            uint32_t at = c->place[g];
            if (at != CD_NONE) {
                if (count++ == 0) to->faces[face].first = at;
                to->half_edges[at].origin = c->rank[cdi_corner_root(c, g >> 2)];
                to->half_edges[at].face = face;
                to->half_edges[at].twin = c->place[cdi_qh_twin(&c->q, g)];
                to->outgoing[to->half_edges[at].origin] = at;
            }
            g = cdi_around_next(c, g);
        } while (g != c->q.start[i]);
        to->faces[face].count = count;
        to->faces[face].plane.d = -CD_REAL_MAX; /* cdi_hull_finish finds the vertices' */
        to->faces[face++].plane.n = cdi_v3_round(a->n[a->chosen[c->cloud.point[i].source]]);
    }
}

/* How far corners are behind the planes of their faces, at most, rounded up. */
static double cdi_flatness_of(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    double most = 0.0, size = 0.0;
    for (uint32_t f = 0; f < p.face_count; ++f) {
        for (uint32_t i = 0; i < p.faces[f].count; ++i) {
            cdi_v3 v = cdi_loop_corner(&p, f, i), n = cdi_v3_of(p.faces[f].plane.n);
            most = cdi_max(most, (double)p.faces[f].plane.d - cdi_v3_dot(n, v));
            size = cdi_max(size, cdi_v3_max_abs(v));
        }
    }
    return (most + 4e-15 * size) * (1.0 + 4.0 * (double)CD_REAL_EPSILON);
}

/* A hull with one polygon for each half-space; `flat` is the exact hull of its corners. CD_NOT_CONVERGED: some
 * corners are too near each other to be told apart after rounding. */
static cd_status cdi_around_write(cd_hull *out, const cdi_around *a, cdi_corners *c, const cd_hull *flat) {
    uint32_t faces, half_edges;
    cdi_hull_header *header;
    cdi_hull_arrays to;
    if (!cdi_around_rank(c, flat) || !cdi_around_number(c, &faces, &half_edges)) return CD_NOT_CONVERGED;
    if (c->point_count + faces != half_edges / 2 + 2) return CD_NOT_CONVERGED;
    header = cdi_hull_take_block(a->allocator, 3, c->point_count, half_edges, faces);
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_copy(to.vertices, cd_hull_get_parts(flat).vertices, c->point_count * sizeof(cd_vec3));
    for (uint32_t v = 0; v < c->point_count; ++v) to.sources[v] = CD_NONE;
    cdi_around_write_faces(a, c, &to);
    cdi_hull_finish(out, header, a->allocator);
    header->flatness = cdi_flatness_of(out);
    return cd_hull_validate(out) == CD_OK ? CD_OK : CD_NOT_CONVERGED;
}

/* ---- the interior of the chosen ---- */

static void cdi_forget_sources(const cd_hull *hull) {
    cdi_hull_header *header = (cdi_hull_header *)(void *)hull->block;
    cdi_hull_arrays to = cdi_hull_open(header);
    for (uint32_t v = 0; v < header->vertex_count; ++v) to.sources[v] = CD_NONE;
}

/* The exact hull of the corners where its faces are few enough, otherwise one with a polygon for each half-space. */
static cd_status cdi_around_finish(cd_hull *out, cdi_around *a, cdi_corners *c, cd_hull *flat) {
    cd_hull_parts p = cd_hull_get_parts(flat);
    if (p.vertex_count > a->max_vertices) return CD_UNSUPPORTED;
    if (p.face_count > a->max_faces) return cdi_around_write(out, a, c, flat);
    cdi_forget_sources(flat);
    *out = *flat;
    cdi_clear(flat, sizeof *flat);
    return CD_OK;
}

/* CD_NOT_CONVERGED: with this margin the hull is not inside, or corners are too near each other. CD_UNSUPPORTED: no body
 * within the budget. */
static cd_status cdi_around_try(cd_hull *out, cdi_around *a, uint32_t count, double margin) {
    cdi_corners c;
    cd_hull flat;
    cd_hull_options o;
    cd_status status;
    cdi_clear(&c, sizeof c);
    cdi_clear(&flat, sizeof flat);
    cdi_clear(&o, sizeof o);
    o.allocator = *a->allocator;
    status = cdi_corners_find(a, &c, count, margin);
    if (status == CD_OK) status = cd_hull3_build(&flat, c.point, c.point_count, &o);
    if (status == CD_OK && !cdi_hull_holds(&flat, a->hull)) status = CD_NOT_CONVERGED;
    if (status == CD_OK) status = cdi_around_finish(out, a, &c, &flat);
    cd_hull_destroy(&flat);
    cdi_corners_free(a, &c);
    if (status != CD_OK) cd_hull_destroy(out);
    return status;
}

/* The interior of the first `count` of the chosen, the planes pushed out as far as rounding asks for: a body pushed out by
 * m holds a ball of radius m about each point of the first one, so that corners may move by m. The margin grows until that is
 * more than what rounding does, and the hull is inside. The better one of this and `best` is kept. */
static cd_status cdi_around_consider(cdi_around *a, uint32_t count) {
    cd_status status = CD_NOT_CONVERGED;
    cd_hull hull;
    double margin = 0.0;
    cdi_clear(&hull, sizeof hull);
    while (status == CD_NOT_CONVERGED && margin < 1.0) {
        status = cdi_around_try(&hull, a, count, margin);
        margin = margin > 0.0 ? 8.0 * margin : 16.0 * a->step;
    }
    if (status != CD_OK) return status == CD_OUT_OF_MEMORY ? status : CD_OK;
    ((cdi_hull_header *)(void *)hull.block)->deviation = cdi_gap_largest(a->hull, &hull);
    if (!a->best.block || cd_hull_get_parts(&hull).deviation < cd_hull_get_parts(&a->best).deviation) {
        cd_hull_destroy(&a->best);
        a->best = hull;
        a->kept_count = count;
        for (uint32_t i = 0; i < count; ++i) a->kept[i] = a->n[a->chosen[i]];
    } else {
        cd_hull_destroy(&hull);
    }
    return CD_OK;
}

/* ---- which half-spaces ---- */

static cd_status cdi_around_select(cdi_around *a, uint32_t wanted) {
    cdi_cloud_input input;
    cdi_selection how;
    uint32_t count = 0;
    cd_status status;
    cdi_clear(&input, sizeof input);
    cdi_clear(&how, sizeof how);
    input.high = a->dual;
    input.count = a->count;
    how.kind = CDI_SELECT_DUAL;
    how.weight = a->e;
    how.wanted = wanted;
    how.spare = wanted / 2 + 8;
    how.exchanges = wanted + 8;
    status = cdi_select(&input, &how, a->allocator, a->chosen, &count);
    if (status != CD_OK) return status == CD_UNSUPPORTED ? CD_OK : status;
    return count >= 4 ? cdi_around_consider(a, count) : CD_OK;
}

/* The half-spaces along these directions, in the hull's axes or those of its round frame. */
static cd_status cdi_around_along(cdi_around *a, const cdi_v3 *directions, uint32_t count, bool round) {
    uint32_t first = a->count;
    cd_status status = CD_OK;
    for (uint32_t i = 0; i < count; ++i)
        cdi_around_touch(a, round ? cdi_round_direction(&a->frame, directions[i]) : directions[i]);
    for (uint32_t i = 0; i < count; ++i) a->chosen[i] = first + i;
    if (a->count == first + count) status = cdi_around_consider(a, count);
    a->count = first;
    return status;
}

/* The principal axes of a body whose covariance is L L^T. */
static void cdi_principal_axes(const cdi_round_frame *f, cdi_v3 axis[3]) {
    const double *l = f->l;
    cd_mat3 m;
    cd_eigen e;
    double xx = l[0] * l[0], xy = l[1] * l[0], yy = l[1] * l[1] + l[2] * l[2], xz = l[3] * l[0];
    double yz = l[3] * l[1] + l[4] * l[2], zz = l[3] * l[3] + l[4] * l[4] + l[5] * l[5];
    m.col[0] = cdi_v3_round(cdi_v3_make(xx, xy, xz));
    m.col[1] = cdi_v3_round(cdi_v3_make(xy, yy, yz));
    m.col[2] = cdi_v3_round(cdi_v3_make(xz, yz, zz));
    for (int k = 0; k < 3; ++k) axis[k] = cdi_v3_make(k == 0, k == 1, k == 2);
    if (!cd_eigen_jacobi(&m, &e)) return;
    for (int k = 0; k < 3; ++k) axis[k] = cdi_v3_of(e.vector.col[k]);
}

/* Boxes along the axes and along the principal ones. */
static cd_status cdi_around_boxes(cdi_around *a) {
    cdi_v3 box[6], axis[3];
    cd_status status;
    for (int k = 0; k < 6; ++k)
        box[k] = cdi_v3_make(k == 0   ? 1
                             : k == 3 ? -1
                                      : 0,
                             k == 1   ? 1
                             : k == 4 ? -1
                                      : 0,
                             k == 2   ? 1
                             : k == 5 ? -1
                                      : 0);
    status = cdi_around_along(a, box, 6, false);
    cdi_principal_axes(&a->frame, axis);
    for (int k = 0; k < 6; ++k) box[k] = k < 3 ? axis[k] : cdi_v3_neg(axis[k - 3]);
    return status == CD_OK ? cdi_around_along(a, box, 6, false) : status;
}

/* The tetrahedra whose faces look along every other diagonal of a cube, the directions scaled to the body. */
static cd_status cdi_around_tetrahedra(cdi_around *a) {
    cd_status status = CD_OK;
    for (int i = 0; i < 4 && status == CD_OK; ++i) {
        double s = i % 2 ? 1.0 : -1.0;
        cdi_v3 d[4] = {{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}};
        status = cdi_around_along(a, d, 4, i / 2 == 0);
    }
    return status;
}

/* Prisms with three sides along an axis of the round frame. */
static cd_status cdi_around_prisms(cdi_around *a) {
    cd_status status = CD_OK;
    for (int i = 0; i < 6 && status == CD_OK; ++i) {
        cdi_v3 d[5];
        double side[3][2] = {{1.0, 0.0}, {-0.5, 0.8660254037844386}, {-0.5, -0.8660254037844386}};
        for (int k = 0; k < 5; ++k) {
            double u[3], s = i < 3 ? 1.0 : -1.0;
            u[i % 3] = k == 3 ? 1.0 : k == 4 ? -1.0 : 0.0;
            u[(i + 1) % 3] = k < 3 ? s * side[k][0] : 0.0;
            u[(i + 2) % 3] = k < 3 ? side[k][1] : 0.0;
            d[k] = cdi_v3_make(u[0], u[1], u[2]);
        }
        status = cdi_around_along(a, d, 5, true);
    }
    return status;
}

/* Is nothing found yet, or what reaches beyond the hull by about its size, as a box would not? */
static bool cdi_around_is_wide(const cdi_around *a) {
    return !a->best.block || (double)cd_hull_get_parts(&a->best).deviation * a->scale > 1.0;
}

static cd_status cdi_around_all(cdi_around *a) {
    uint32_t wanted = (uint32_t)cdi_min((double)a->max_faces, (double)a->max_vertices / 2.0 + 2.0);
    cd_status status = CD_OK;
    for (uint32_t n = wanted; status == CD_OK && !a->best.block && n >= 4; n -= n / 4)
        status = cdi_around_select(a, n);
    if (status == CD_OK && wanted >= 6 && (wanted <= 12 || cdi_around_is_wide(a)))
        status = cdi_around_boxes(a);
    if (status == CD_OK && wanted >= 5 && (wanted == 5 || !a->best.block)) status = cdi_around_prisms(a);
    if (status == CD_OK && (wanted == 4 || !a->best.block)) status = cdi_around_tetrahedra(a);
    return status;
}

/* ---- half-spaces turn to where the body reaches too far ---- */

/* Only these half-spaces are left; false when some do not touch a body that is thick enough. */
static bool cdi_around_take_only(cdi_around *a, const cdi_v3 *normals, uint32_t count) {
    a->count = 0;
    for (uint32_t i = 0; i < count; ++i) cdi_around_touch(a, normals[i]);
    for (uint32_t i = 0; i < a->count; ++i) a->chosen[i] = i;
    return a->count == count;
}

/* How far the body reaches beyond the hull at most, and for each half-space the sum of its pulls to the corners on it, much
 * stronger to the farthest. Below 0: there is no body. */
static cd_status cdi_around_pulls(cdi_around *a, cdi_hull_gap *g, cdi_v3 *pull, double *most) {
    cdi_corners c;
    cd_status status;
    cdi_clear(&c, sizeof c);
    status = cdi_corners_find(a, &c, a->count, 0.0);
    *most = -1.0;
    for (uint32_t t = 0; t < c.room && status == CD_OK; ++t) {
        cdi_v3 away;
        double reach;
        if (c.q.face[t].vertex[0] == CD_NONE) continue;
        reach = cdi_gap_reach(g, c.at[t], &away);
        *most = cdi_max(*most, reach);
        c.q.face[t].height = reach; /* no more needed */
        c.at[t] = away;
    }
    for (uint32_t t = 0; t<c.room && * most> 0.0; ++t) {
        double weight = c.q.face[t].height / *most;
        weight *= weight;
        weight *= weight;
        if (c.q.face[t].vertex[0] == CD_NONE) continue;
        for (int k = 0; k < 3; ++k) {
            uint32_t i = c.cloud.point[c.q.face[t].vertex[k]].source;
            pull[i] = cdi_v3_along(pull[i], cdi_v3_sub(c.at[t], a->n[i]), weight);
        }
    }
    cdi_corners_free(a, &c);
    return status == CD_UNSUPPORTED ? CD_OK : status;
}

/* As vertices are relaxed inside: steps that become smaller, fewer for large hulls; the best body is considered. */
static cd_status cdi_around_relax(cdi_around *a) {
    uint32_t count = a->kept_count;
    double work =
        (double)count * cdi_sqrt((double)a->parts.vertex_count); /* of a step: a climb for each corner */
    uint32_t steps = (uint32_t)cdi_clamp(250000.0 / work, 1.0, 48.0);
    cdi_v3 *best = a->kept + a->room, *pull = best + a->room;
    cdi_hull_gap g = cdi_gap_begin(a->hull, a->hull);
    double least = CDI_HUGE, most;
    g.tolerance = 1e-2;
    g.steps = 8;
    if (!cdi_around_take_only(a, a->kept, count)) return CD_OK;
    for (uint32_t i = 0; i < steps; ++i) {
        double strength = 0.02 + 0.4 * (1.0 - (double)i / (double)steps);
        cd_status status;
        cdi_clear(pull, count * sizeof *pull);
        status = cdi_around_pulls(a, &g, pull, &most);
        if (status != CD_OK) return status;
        if (most < 0.0) break;
        if (most < least) {
            least = most;
            cdi_copy(best, a->n, count * sizeof *best);
        }
        for (uint32_t k = 0; k < count; ++k) pull[k] = cdi_v3_along(a->n[k], pull[k], strength);
        if (!cdi_around_take_only(a, pull, count)) break;
    }
    if (least >= CDI_HUGE || !cdi_around_take_only(a, best, count)) return CD_OK;
    return cdi_around_consider(a, count);
}

/* The exact hull of a few points around the hull. */
static cd_status cdi_around_plain(cdi_around *a, const cd_vec3 *points, uint32_t count) {
    cd_hull_options o;
    cd_status status;
    cdi_clear(&o, sizeof o);
    o.allocator = *a->allocator;
    status = cd_hull3_build(&a->best, points, count, &o);
    if (status != CD_OK) return status == CD_OUT_OF_MEMORY ? status : CD_NOT_CONVERGED;
    if (!cdi_hull_holds(&a->best, a->hull)) return CD_NOT_CONVERGED;
    cdi_forget_sources(&a->best);
    ((cdi_hull_header *)(void *)a->best.block)->deviation = cdi_gap_largest(a->hull, &a->best);
    return CD_OK;
}

/* For hulls so thin that nothing else is to be had: the bounding box, or a corner of it cut off by a plane behind it. */
static cd_status cdi_around_bounds(cdi_around *a) {
    cd_aabb box = cd_hull_bounds(a->hull);
    cd_vec3 corner[8];
    bool whole = a->max_faces >= 6 && a->max_vertices >= 8;
    for (int i = 0; i < 8; ++i)
        corner[i] = cd_vec3_make(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                 i & 4 ? box.max.z : box.min.z);
    if (whole) return cdi_around_plain(a, corner, 8);
    for (int i = 1; i < 4; ++i) corner[i] = box.min;
    corner[1].x += 4 * (box.max.x - box.min.x);
    corner[2].y += 4 * (box.max.y - box.min.y);
    corner[3].z += 4 * (box.max.z - box.min.z);
    return cdi_around_plain(a, corner, 4);
}

/* ---- the whole ---- */

static void cdi_around_measure(cdi_around *a) {
    cd_aabb box = cd_hull_bounds(a->hull);
    double most = cdi_max(cdi_v3_max_abs(cdi_v3_of(box.min)), cdi_v3_max_abs(cdi_v3_of(box.max)));
    a->parts = cd_hull_get_parts(a->hull);
    a->center = cdi_hull_mean(&a->parts);
    a->scale = cdi_unit_scale(a->hull);
    a->step = most * a->scale * (double)CD_REAL_EPSILON + 4e-16;
    a->frame = cdi_round_frame_of(a->hull);
}

static bool cdi_around_take(cdi_around *a, uint32_t room) {
    a->room = room;
    a->n = (cdi_v3 *)cdi_alloc(a->allocator, room, sizeof *a->n);
    a->dual = (cdi_v3 *)cdi_alloc(a->allocator, room, sizeof *a->dual);
    a->e = (double *)cdi_alloc(a->allocator, room, sizeof *a->e);
    a->chosen = (uint32_t *)cdi_alloc(a->allocator, room, sizeof *a->chosen);
    a->kept = (cdi_v3 *)cdi_alloc(a->allocator, 3 * (size_t)room, sizeof *a->kept);
    return a->kept && a->n && a->dual && a->e && a->chosen;
}

static void cdi_around_give(cdi_around *a) {
    cdi_free(a->allocator, a->n, a->room, sizeof *a->n);
    cdi_free(a->allocator, a->dual, a->room, sizeof *a->dual);
    cdi_free(a->allocator, a->e, a->room, sizeof *a->e);
    cdi_free(a->allocator, a->chosen, a->room, sizeof *a->chosen);
    cdi_free(a->allocator, a->kept, 3 * (size_t)a->room, sizeof *a->kept);
}

CDI_FN cd_status cdi_hull_around(cd_hull *out, const cd_hull *hull, uint32_t max_vertices, uint32_t max_faces,
                                 const cd_allocator *allocator) {
    cdi_around a;
    uint32_t n = 8;
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_clear(&a, sizeof a);
    a.hull = hull;
    a.allocator = allocator;
    a.max_vertices = max_vertices;
    a.max_faces = max_faces;
    cdi_around_measure(&a);
    while (6 * n * n < 24u * cdi_min((double)max_faces, max_vertices / 2.0 + 2.0) && n < 1024) n *= 2;
    if (cdi_around_take(&a, (uint32_t)cdi_min(24.0 * n * n, a.parts.face_count) + 64)) {
        cdi_around_take_faces(&a, n);
        cdi_around_take_boxes(&a);
        status = cdi_around_all(&a);
        if (status == CD_OK && a.best.block) status = cdi_around_relax(&a);
        if (status == CD_OK && !a.best.block) status = cdi_around_bounds(&a);
    }
    cdi_around_give(&a);
    if (status == CD_OK) {
        *out = a.best;
    } else {
        cd_hull_destroy(&a.best);
    }
    return status;
}
