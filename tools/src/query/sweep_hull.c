#include "query/sweep_hull.h"
#include "core/orient.h"
#include "hull/climb.h"
#include "query/flat3d.h"
#include "query/polygon.h"
#include "query/sweep3d.h"
#include "query/sweep_box3d.h"
#include "query/sweep_flat.h"
#include "query/sweep_many3d.h"

/* ---- the hull and what it meets, in the frame of the hull's middle at the start ---- */

typedef struct cdi_hull_sweep {
    const cd_hull_parts *hull;
    cdi_hull_memory *memory;     /* or NULL */
    cdi_v3 middle, motion, from; /* `from`: where the frame's origin is */
    cdi_target_body b;
    double most, slack, end;
    int shift;      /* all lengths are times 2^shift */
    double in, out; /* the two overlap from some time to another */
    bool later;     /* .. not from the start on */
    cdi_v3 last;    /* the axis, from hull to target, along which they came to overlap last */
    double last_gap, last_speed;
    cdi_v3
        exit; /* away from the target by the least way, `depth`; `exit_leaves`: over a face that the motion is not against */
    double depth;
    bool exit_leaves;
} cdi_hull_sweep;

static bool cdi_hull_open_parts(const cd_hull *hull, cd_hull_parts *parts) {
    if (!hull) return false;
    *parts = cd_hull_get_parts(hull);
    return parts->dimension >= 0 && parts->vertex_count > 0;
}

static cdi_v3 cdi_hull_sweep_corner(const cdi_hull_sweep *s, uint32_t vertex) {
    return cdi_v3_sub(cdi_v3_scale2(cdi_v3_of(s->hull->vertices[vertex]), s->shift), s->middle);
}

/* `most` is the largest coordinate of what is met, which is still to be put in. */
static void cdi_hull_sweep_begin(cdi_hull_sweep *s, const cdi_cast *c, const cd_hull_parts *hull,
                                 cd_aabb bounds, double most) {
    cdi_v3 lo = cdi_v3_of(bounds.min), hi = cdi_v3_of(bounds.max);
    most = cdi_max(cdi_max(most, cdi_v3_max_abs(c->d)), cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)));
    s->hull = hull;
    s->memory = NULL;
    s->shift = cdi_tame_shift(most);
    s->motion = cdi_v3_scale2(c->d, s->shift);
    s->middle = cdi_v3_scale2(cdi_v3_add(cdi_v3_scale(lo, 0.5), cdi_v3_scale(hi, 0.5)), s->shift);
    s->from = cdi_v3_along(s->middle, s->motion, c->t_min);
    s->most = cdi_scale2(most, s->shift);
    s->slack = cdi_sweep_slack(s->most);
    s->end = c->t_max - c->t_min;
    s->in = 0.0;
    s->out = s->depth = CDI_HUGE;
    s->later = s->exit_leaves = false;
    s->last = s->exit = cdi_v3_make(1.0, 0.0, 0.0);
    s->last_gap = s->last_speed = 0.0;
}

/* ---- one axis: a unit vector n from the hull to the target, the way between them less the slack, and the speed ---- */

typedef struct cdi_hull_axis {
    cdi_v3 n;
    double gap, speed;
    bool face;
} cdi_hull_axis;

static double cdi_hull_axis_depth(const cdi_hull_sweep *s, const cdi_hull_axis *x) {
    return -x->gap - s->slack;
}

/* Shorter, beyond rounding; of equal ones one that the motion takes, so that what lies at two faces can slide along either. */
static bool cdi_hull_axis_is_exit(const cdi_hull_sweep *s, const cdi_hull_axis *x) {
    double depth = cdi_hull_axis_depth(s, x);
    if (s->later || x->gap > 0.0) return false;
    if (depth < s->depth - 2.0 * s->slack) return true;
    return x->face && x->speed <= 0.0 && !s->exit_leaves && depth <= s->depth + 2.0 * s->slack;
}

/* Would anything change, if this were true? A smaller gap changes less. */
static bool cdi_hull_axis_matters(const cdi_hull_sweep *s, const cdi_hull_axis *x) {
    if (x->gap > 0.0) return !s->later || !(x->gap <= s->in * x->speed);
    return (x->speed < 0.0 && x->gap > s->out * x->speed) || cdi_hull_axis_is_exit(s, x);
}

static void cdi_hull_axis_enter(cdi_hull_sweep *s, const cdi_hull_axis *x) {
    double in = x->gap / x->speed;
    if (s->later && in <= s->in) return;
    if (!s->later || s->last_gap - in * s->last_speed < -s->slack) {
        s->last = x->n;
        s->last_gap = x->gap;
        s->last_speed = x->speed;
    }
    s->later = true;
    s->in = in;
}

/* False when the two never meet. */
static bool cdi_hull_axis_take(cdi_hull_sweep *s, const cdi_hull_axis *x) {
    if (x->gap > 0.0) {
        if (!(x->speed > 0.0)) return false;
        cdi_hull_axis_enter(s, x);
    } else {
        if (x->speed < 0.0) s->out = cdi_min(s->out, x->gap / x->speed);
        if (cdi_hull_axis_is_exit(s, x)) {
            s->exit = x->n;
            s->depth = cdi_hull_axis_depth(s, x);
            s->exit_leaves = x->face && x->speed <= 0.0;
        }
    }
    return s->in <= s->out && s->in <= s->end;
}

/* How far the corners of a triangle reach: those that are as good as level, which is common there, take no deciding. */
static double cdi_hull_sweep_reach_few(const cdi_hull_sweep *s, cdi_v3 n, uint32_t *vertex) {
    double most = -CDI_HUGE;
    for (uint32_t i = 0; i < s->hull->vertex_count; ++i) {
        double at = cdi_v3_dot(n, cdi_hull_sweep_corner(s, i));
        if (at > most) *vertex = i;
        most = cdi_max(most, at);
    }
    return most;
}

/* How far the hull reaches along n, and which vertex of it. */
static double cdi_hull_sweep_reach(const cdi_hull_sweep *s, cdi_v3 n, uint32_t *vertex) {
    uint32_t steps = 0;
    if (s->hull->vertex_count <= 3) return cdi_hull_sweep_reach_few(s, n, vertex);
    *vertex = cdi_farthest_from(s->hull, n, *vertex, &steps);
    return cdi_v3_dot(n, cdi_hull_sweep_corner(s, *vertex));
}

/* The same where it may be known: CD_NONE for not yet; or NULL. */
static double cdi_hull_sweep_reach_kept(const cdi_hull_sweep *s, cdi_v3 n, uint32_t vertex, uint32_t *kept) {
    double reach;
    if (kept && *kept != CD_NONE) return cdi_v3_dot(n, cdi_hull_sweep_corner(s, *kept));
    reach = cdi_hull_sweep_reach(s, n, &vertex);
    if (kept) *kept = vertex;
    return reach;
}

/* The axis n, of any length; a vertex that is about the farthest along it. An axis of no length tells nothing. */
static bool cdi_hull_sweep_along_kept(cdi_hull_sweep *s, cdi_v3 n, uint32_t vertex, bool face,
                                      uint32_t *kept) {
    double norm = cdi_v3_norm(n), low, high;
    cdi_hull_axis x;
    if (!(norm > 1e-200)) return true;
    x.n = cdi_v3_scale(n, 1.0 / norm);
    x.face = face;
    x.speed = cdi_v3_dot(s->motion, x.n);
    cdi_target_extent(&s->b, x.n, &low, &high);
    low -= s->slack;
    x.gap = low - cdi_v3_dot(x.n, cdi_hull_sweep_corner(s, vertex));
    if (!cdi_hull_axis_matters(s, &x)) return true;
    x.gap = low - cdi_hull_sweep_reach_kept(s, x.n, vertex, kept);
    return cdi_hull_axis_take(s, &x);
}

static bool cdi_hull_sweep_along(cdi_hull_sweep *s, cdi_v3 n, uint32_t vertex, bool face) {
    return cdi_hull_sweep_along_kept(s, n, vertex, face, NULL);
}

/* Both ways, first against the motion. */
static bool cdi_hull_sweep_both(cdi_hull_sweep *s, cdi_v3 n, bool face) {
    if (cdi_v3_dot(s->motion, n) < 0.0) n = cdi_v3_neg(n);
    return cdi_hull_sweep_along(s, n, 0, face) && cdi_hull_sweep_along(s, cdi_v3_neg(n), 0, face);
}

/* ---- all axes ---- */

/* (b - a) x (q - p). In a needle the rounding of the differences alone turns it by more than the slack allows. */
static cdi_v3 cdi_hull_cross(cdi_v3 a, cdi_v3 b, cdi_v3 p, cdi_v3 q) {
    cdi_v3 e = cdi_v3_sub(b, a), f = cdi_v3_sub(q, p), n = cdi_edges_cross(e, f);
    if (cdi_v3_max_abs(n) >= 0.015625 * cdi_v3_max_abs(e) * cdi_v3_max_abs(f)) return n;
    return cdi_accurate_cross(a, b, p, q);
}

static cdi_v3 cdi_hull_vertex(const cdi_hull_sweep *s, uint32_t vertex) {
    return cdi_v3_scale2(cdi_v3_of(s->hull->vertices[vertex]), s->shift);
}

static cdi_v3 cdi_hull_course(const cd_hull_parts *h, uint32_t from, uint32_t to) {
    return cdi_v3_sub(cdi_v3_of(h->vertices[to]), cdi_v3_of(h->vertices[from]));
}

static uint32_t cdi_hull_corner_of(const cd_hull_parts *h, const cd_hull_face *f, uint32_t i) {
    return h->half_edges[f->first + (i < f->count ? i : i - f->count)].origin;
}

/* The normal of a face, to the last place; those of faces are rounded. Of merged faces no three corners tell. */
static cdi_v3 cdi_hull_face_normal(const cdi_hull_sweep *s, uint32_t face) {
    const cd_hull_parts *h = s->hull;
    const cd_hull_face *f = &h->faces[face];
    uint32_t a = cdi_hull_corner_of(h, f, 0), b = cdi_hull_corner_of(h, f, 1),
             c = cdi_hull_corner_of(h, f, 2);
    if (h->flatness > 0) return cdi_v3_of(f->plane.n);
    return cdi_hull_cross(cdi_hull_vertex(s, a), cdi_hull_vertex(s, b), cdi_hull_vertex(s, a),
                          cdi_hull_vertex(s, c));
}

static cdi_v3 cdi_hull_face_normal_kept(const cdi_hull_sweep *s, uint32_t face) {
    cdi_hull_memory *m = face < CDI_HULL_KEPT ? s->memory : NULL;
    if (!m) return cdi_hull_face_normal(s, face);
    if (!m->known[face]) m->normal[face] = cdi_hull_face_normal(s, face);
    m->known[face] = true;
    return m->normal[face];
}

/* The planes that bound the hull, by their number: a body's faces; a polygon's two faces, and its edges' normals in its plane; of
 * a segment its ends and four sides, of a point six. False when there are no more. */
static bool cdi_hull_bound(const cdi_hull_sweep *s, uint32_t i, cdi_v3 *n, uint32_t *vertex) {
    const cd_hull_parts *h = s->hull;
    cdi_v3 axis[3];
    *vertex = 0;
    if (i < h->face_count) {
        *n = cdi_hull_face_normal_kept(s, i);
        *vertex = h->half_edges[h->faces[i].first].origin;
        return true;
    }
    if (h->dimension == 2) {
        const cd_hull_face *f = &h->faces[0];
        uint32_t k = i - h->face_count, to;
        if (k >= f->count) return false;
        *vertex = cdi_hull_corner_of(h, f, k);
        to = cdi_hull_corner_of(h, f, k + 1);
        *n = cdi_v3_cross(cdi_v3_scale2(cdi_hull_course(h, *vertex, to), s->shift),
                          cdi_v3_unit(cdi_hull_face_normal(s, 0)));
        return true;
    }
    if (h->dimension > 2 || i >= 6) return false;
    axis[0] = h->dimension == 1 ? cdi_v3_unit(cdi_v3_scale2(cdi_hull_course(h, 0, 1), s->shift))
                                : cdi_v3_make(1.0, 0.0, 0.0);
    axis[1] = cdi_across(axis[0]);
    axis[2] = cdi_v3_cross(axis[0], axis[1]);
    *n = i % 2 ? cdi_v3_neg(axis[i / 2]) : axis[i / 2];
    return true;
}

static bool cdi_hull_sweep_faces(cdi_hull_sweep *s, const cdi_v3 *normal, int normals) {
    cdi_v3 n;
    uint32_t vertex;
    for (int i = 0; i < normals; ++i) {
        if (!cdi_hull_sweep_both(s, normal[i], true)) return false;
    }
    for (uint32_t i = 0; cdi_hull_bound(s, i, &n, &vertex); ++i) {
        uint32_t *kept = s->memory && i < CDI_HULL_KEPT ? &s->memory->along[i] : NULL;
        if (!cdi_hull_sweep_along_kept(s, n, vertex, s->hull->dimension > 1, kept)) return false;
    }
    return true;
}

/* Within the plane of n: where a flat hull and a flat target are in one plane, their borders keep them apart. */
static bool cdi_hull_sweep_in_plane(cdi_hull_sweep *s, cdi_v3 n, const cdi_v3 *edge, int edges) {
    n = cdi_v3_unit(n);
    for (int i = 0; i < edges; ++i) {
        if (!cdi_hull_sweep_both(s, cdi_v3_cross(n, edge[i]), false)) return false;
    }
    return true;
}

/* Across an edge of the hull and edge k of the target. */
static cdi_v3 cdi_hull_across(const cdi_hull_sweep *s, uint32_t from, uint32_t to, int k) {
    cdi_v3 a = cdi_hull_vertex(s, from), b = cdi_hull_vertex(s, to);
    if (s->b.is_box) return cdi_hull_cross(a, b, cdi_v3_make(0.0, 0.0, 0.0), s->b.box.axes.c[k]);
    return cdi_hull_cross(a, b, s->b.tri.v[k], s->b.tri.v[(k + 1) % 3]);
}

static bool cdi_hull_sweep_flats(cdi_hull_sweep *s, const cdi_v3 edge[3], cdi_v3 n) {
    cdi_v3 line[4], any;
    int first = 0;
    if (s->hull->dimension > 2 || s->b.is_box) return true;
    for (int i = 0; i < 3; ++i) {
        line[i] = edge[i];
        if (cdi_v3_max_abs(edge[i]) > cdi_v3_max_abs(edge[first])) first = i;
    }
    line[3] = cdi_v3_make(0.0, 0.0, 0.0);
    if (s->hull->dimension == 2) return cdi_hull_sweep_in_plane(s, cdi_hull_face_normal(s, 0), line, 3);
    if (s->hull->dimension == 1) line[3] = cdi_v3_scale2(cdi_hull_course(s->hull, 0, 1), s->shift);
    if (!(cdi_v3_norm(n) > 1e-200)) {
        any = cdi_v3_unit(edge[first]);
        if (cdi_v3_is_zero(any)) return true;
        n = cdi_across(any);
        if (!cdi_hull_sweep_both(s, any, false) || !cdi_hull_sweep_both(s, n, false) ||
            !cdi_hull_sweep_both(s, cdi_v3_cross(any, n), false))
            return false;
        if (s->hull->dimension == 1) n = cdi_hull_across(s, 0, 1, first);
    }
    return cdi_hull_sweep_in_plane(s, n, line, 4);
}

/* An edge of the hull, and a corner of the face on each side of it. */
typedef struct cdi_hull_edge {
    uint32_t vertex, to;
    cdi_v3 beside[2];
    double size;
} cdi_hull_edge;

static cdi_hull_edge cdi_hull_edge_of(const cdi_hull_sweep *s, uint32_t half) {
    const cd_hull_parts *h = s->hull;
    uint32_t twin = h->half_edges[half].twin;
    cdi_hull_edge e;
    e.vertex = h->half_edges[half].origin;
    e.to = h->half_edges[twin].origin;
    e.size = cdi_v3_max_abs(cdi_v3_scale2(cdi_hull_course(h, e.vertex, e.to), s->shift));
    for (int i = 0; i < 2; ++i) {
        uint32_t to = h->half_edges[half].origin;
        if (h->dimension > 1) to = h->half_edges[cd_hull_previous(h, i ? twin : half)].origin;
        e.beside[i] = cdi_v3_scale2(cdi_hull_course(h, e.vertex, to), s->shift);
        e.size = cdi_max(e.size, cdi_v3_max_abs(e.beside[i]));
    }
    return e;
}

/* Across an edge of the hull and edge k of the target, whose corner beside it is `other`, where both can be the farthest ones. */
static bool cdi_hull_sweep_across(cdi_hull_sweep *s, const cdi_hull_edge *e, int k, cdi_v3 other) {
    cdi_v3 n = cdi_hull_across(s, e->vertex, e->to, k);
    double norm = cdi_v3_norm(n), noise = norm * e->size * 1e-12, x, y, z, far_noise;
    if (!(norm > 1e-200)) return true;
    x = cdi_v3_dot(n, e->beside[0]);
    y = cdi_v3_dot(n, e->beside[1]);
    z = cdi_v3_dot(n, other);
    far_noise = norm * cdi_v3_max_abs(other) * 1e-12;
    if (x <= noise && y <= noise && z >= -far_noise && !cdi_hull_sweep_along(s, n, e->vertex, false))
        return false;
    return !(x >= -noise && y >= -noise && z <= far_noise) ||
           cdi_hull_sweep_along(s, cdi_v3_neg(n), e->vertex, false);
}

static bool cdi_hull_sweep_edges(cdi_hull_sweep *s, const cdi_v3 edge[3]) {
    cdi_v3 none = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < s->hull->half_edge_count; ++i) {
        cdi_hull_edge e;
        if (s->hull->half_edges[i].twin < i) continue;
        e = cdi_hull_edge_of(s, i);
        for (int k = 0; k < 3; ++k) { /* of a triangle, the edge before ends in the other corner */
            cdi_v3 other = s->b.is_box ? none : cdi_v3_neg(edge[(k + 2) % 3]);
            if (!cdi_hull_sweep_across(s, &e, k, other)) return false;
        }
    }
    return true;
}

static bool cdi_hull_sweep_axes(cdi_hull_sweep *s) {
    cdi_v3 edge[3], normal[3];
    int normals;
    cdi_target_edges(&s->b, edge);
    normals = cdi_target_normals(&s->b, edge, normal);
    if (!s->b.is_box) normal[0] = cdi_hull_cross(s->b.tri.v[0], s->b.tri.v[1], s->b.tri.v[1], s->b.tri.v[2]);
    return cdi_hull_sweep_faces(s, normal, normals) && cdi_hull_sweep_flats(s, edge, normal[0]) &&
           cdi_hull_sweep_edges(s, edge);
}

/* ---- the contact ---- */

/* Is the facet on the inside of the plane through a vertex, by more than all rounding? The farthest vertex, which takes long to
 * find where several are as good as level, then clips nothing. */
static bool cdi_hull_facet_is_under(const cdi_hull_sweep *s, cdi_v3 way, const cdi_facet *f, cdi_v3 n,
                                    uint32_t vertex) {
    double most = cdi_v3_dot(n, cdi_v3_add(way, cdi_hull_sweep_corner(s, vertex))) - 1e-13 * s->most;
    for (int i = 0; i < f->count; ++i) {
        if (!(cdi_v3_dot(n, f->p[i]) < most)) return false;
    }
    return true;
}

/* The middle of what of the facet is in the hull, grown, when that has moved by `way`. */
static bool cdi_hull_facet_shared(const cdi_hull_sweep *s, cdi_v3 way, cdi_facet f, double grown,
                                  cdi_v3 *middle) {
    cdi_v3 n;
    uint32_t vertex;
    for (uint32_t i = 0; f.count > 0 && cdi_hull_bound(s, i, &n, &vertex); ++i) {
        uint32_t *kept = s->memory && i < CDI_HULL_KEPT ? &s->memory->clip[i] : NULL;
        n = cdi_v3_unit(n);
        if (cdi_v3_is_zero(n) || cdi_hull_facet_is_under(s, way, &f, n, vertex)) continue;
        cdi_facet_clip(&f, n, cdi_v3_dot(n, way) + cdi_hull_sweep_reach_kept(s, n, vertex, kept) + grown);
    }
    if (f.count > 0) *middle = cdi_facet_middle(&f);
    return f.count > 0;
}

/* The same of any face of the target. */
static bool cdi_hull_surface_shared(const cdi_hull_sweep *s, cdi_v3 way, double grown, cdi_v3 *middle) {
    cdi_facet f;
    if (!s->b.is_box) {
        cdi_triangle_facet(&s->b.tri, way, CDI_HUGE, &f);
        return cdi_hull_facet_shared(s, way, f, grown, middle);
    }
    for (int i = 0; i < 6; ++i) {
        cdi_v3 n = s->b.box.axes.c[i / 2];
        cdi_box_facet(&s->b.box, i % 2 ? n : cdi_v3_neg(n), 0.01 * s->most, &f);
        if (cdi_hull_facet_shared(s, way, f, grown, middle)) return true;
    }
    return false;
}

/* ---- the nearest points, where the bounds of a sharp hull, grown, hold what is far from it ---- */

/* Triangle i of the fan of a face; of a hull without faces, all of it. */
static cdi_flat cdi_hull_piece(const cdi_hull_sweep *s, uint32_t face, uint32_t i, cdi_v3 way) {
    const cd_hull_parts *h = s->hull;
    cdi_flat f;
    f.count = h->face_count ? 3 : h->dimension + 1;
    for (uint32_t k = 0; k < 3; ++k) {
        uint32_t vertex = k < h->vertex_count ? k : 0;
        cdi_v3 p;
        if (h->face_count) vertex = cdi_hull_corner_of(h, &h->faces[face], k ? i + k : 0);
        p = cdi_v3_add(cdi_hull_sweep_corner(s, vertex), way);
        f.v[k] = p;
    }
    f.v[3] = f.v[0];
    return f;
}

/* Piece i of the target: the triangle, or a face of the box. */
static cdi_flat cdi_hull_target_piece(const cdi_hull_sweep *s, int i) {
    cdi_facet facet;
    cdi_flat f;
    cdi_v3 n = s->b.box.axes.c[i / 2];
    f.count = s->b.is_box ? 4 : 3;
    if (s->b.is_box) cdi_box_facet(&s->b.box, i % 2 ? n : cdi_v3_neg(n), CDI_HUGE, &facet);
    for (int k = 0; k < f.count; ++k) f.v[k] = s->b.is_box ? facet.p[k] : s->b.tri.v[k];
    if (!s->b.is_box) f.v[3] = f.v[0];
    return f;
}

static void cdi_hull_nearer(const cdi_hull_sweep *s, const cdi_flat *piece, cdi_bridge *best) {
    for (int i = 0; i < (s->b.is_box ? 6 : 1); ++i) {
        cdi_flat other = cdi_hull_target_piece(s, i);
        cdi_bridge b = cdi_near_flats(piece, &other, CDI_HUGE);
        if (b.sqdist < best->sqdist) *best = b;
    }
}

static cdi_bridge cdi_hull_nearest(const cdi_hull_sweep *s, cdi_v3 way) {
    cdi_flat piece = cdi_hull_piece(s, 0, 0, way);
    cdi_bridge best;
    best.sqdist = CDI_HUGE;
    best.b = s->b.is_box ? s->b.box.center : s->b.tri.v[0];
    best.between = cdi_v3_make(0.0, 0.0, 0.0);
    if (!s->hull->face_count) cdi_hull_nearer(s, &piece, &best);
    for (uint32_t face = 0; face < s->hull->face_count; ++face) {
        for (uint32_t i = 0; i + 2 < s->hull->faces[face].count; ++i) {
            piece = cdi_hull_piece(s, face, i, way);
            cdi_hull_nearer(s, &piece, &best);
        }
    }
    return best;
}

/* Is p as good as on or in the hull that has moved by `way`? */
static bool cdi_hull_has(const cdi_hull_sweep *s, cdi_v3 way, cdi_v3 p) {
    double reach = 2.0 * s->slack;
    cdi_v3 n;
    uint32_t vertex;
    bool inside = s->hull->dimension > 2;
    for (uint32_t i = 0; inside && cdi_hull_bound(s, i, &n, &vertex); ++i)
        inside = cdi_v3_dot(n, cdi_v3_sub(cdi_v3_sub(p, way), cdi_hull_sweep_corner(s, vertex))) <=
                 -s->slack * cdi_v3_norm(n); /* else the surface is near, if it is inside at all */
    if (inside) return true;
    for (uint32_t face = 0; face < s->hull->face_count; ++face) {
        for (uint32_t i = 0; i + 2 < s->hull->faces[face].count; ++i) {
            cdi_flat f = cdi_hull_piece(s, face, i, way);
            cdi_tri t;
            for (int k = 0; k < 3; ++k) t.v[k] = f.v[k];
            if (cdi_v3_sqlength(cdi_v3_sub(cdi_near_triangle(p, &t).point, p)) <= reach * reach) return true;
        }
    }
    return s->hull->face_count == 0;
}

static bool cdi_hull_in_box(const cdi_hull_sweep *s, cdi_v3 p) {
    cdi_v3 normal[3], edge[3];
    double low, high;
    cdi_target_edges(&s->b, edge);
    cdi_target_normals(&s->b, edge, normal);
    for (int i = 0; i < 3; ++i) {
        cdi_target_extent(&s->b, normal[i], &low, &high);
        if (!(cdi_v3_dot(normal[i], p) >= low && cdi_v3_dot(normal[i], p) <= high)) return false;
    }
    return true;
}

/* The facet first; after a start deep inside, the rest of the surface, or of it nothing: the hull is all inside. False where
 * none of that is found. */
static bool cdi_hull_contact(const cdi_hull_sweep *s, cdi_v3 way, cdi_impact *met) {
    cdi_facet f;
    cdi_target_facet(&s->b, met->normal, 2.0 * s->slack, &f);
    met->feature = f.feature;
    if ((cdi_hull_facet_shared(s, way, f, 2.0 * s->slack, &met->point) ||
         cdi_hull_surface_shared(s, way, 2.0 * s->slack, &met->point)) &&
        cdi_hull_has(s, way, met->point))
        return true;
    met->point = cdi_v3_add(way, cdi_hull_sweep_corner(s, 0));
    return s->b.is_box && cdi_hull_in_box(s, met->point);
}

/* What of n is across an edge. */
static bool cdi_hull_sweep_beside(cdi_hull_sweep *s, cdi_v3 n, cdi_v3 edge) {
    cdi_v3 e = cdi_v3_unit(edge);
    for (int i = 0; i < 2; ++i) n = cdi_v3_along(n, e, -cdi_v3_dot(n, e));
    return cdi_hull_sweep_along(s, n, 0, false);
}

/* The two, grown by the slack along every axis, meet where they are sharp while their tips are yet far apart: then the way
 * between these is one more axis, and so is what of it is across an edge, which for needles has more digits. True where it
 * leads on. */
static bool cdi_hull_sweep_on(cdi_hull_sweep *s, cdi_v3 way, cdi_impact *met, bool *meets) {
    cdi_bridge gap = cdi_hull_nearest(s, way);
    double in = s->in;
    bool later = s->later;
    cdi_v3 edge[3];
    met->point = gap.b;
    if (gap.sqdist <= 4.0 * s->slack * s->slack) return false;
    cdi_target_edges(&s->b, edge);
    *meets = cdi_hull_sweep_along(s, gap.between, 0, false);
    for (int i = 0; *meets && i < 3; ++i) *meets = cdi_hull_sweep_beside(s, gap.between, edge[i]);
    for (uint32_t i = 0; *meets && i < s->hull->half_edge_count; ++i) {
        cdi_v3 e = cdi_hull_vertex(s, s->hull->half_edges[i].origin);
        uint32_t twin = s->hull->half_edges[i].twin;
        if (twin < i) continue;
        e = cdi_v3_sub(cdi_hull_vertex(s, s->hull->half_edges[twin].origin), e);
        *meets = cdi_hull_sweep_beside(s, gap.between, e);
    }
    return *meets && (s->in > in || s->later != later);
}

/* The target is in. */
static cdi_meets cdi_hull_sweep_run(cdi_hull_sweep *s, const cdi_cast *c, cdi_impact *met) {
    double time;
    bool meets = cdi_hull_sweep_axes(s), on = meets;
    cdi_impact_begin(met);
    for (int i = 0; on && i < 32; ++i) {
        cdi_v3 way;
        time = s->later ? s->in : 0.0;
        way = cdi_v3_scale(s->motion, time);
        met->normal = cdi_v3_neg(s->later ? s->last : s->exit);
        on = !cdi_hull_contact(s, way, met) && cdi_hull_sweep_on(s, way, met, &meets);
    }
    if (!meets) return CDI_MEETS_NEVER;
    time = s->later ? s->in : 0.0;
    if (!s->later) met->depth = cdi_scale2(s->depth, -s->shift);
    if (!s->b.is_box) cdi_impact_weights(&s->b.tri, met);
    met->point = cdi_v3_scale2(cdi_v3_add(met->point, s->from), -s->shift);
    met->t = cdi_min(c->t_min + time, c->t_max);
    return s->later ? CDI_MEETS_LATER : CDI_MEETS_AT_START;
}

/* ---- triangles and boxes ---- */

static bool cdi_hull_passes_by(const cdi_cast *c, double o_lo, double o_hi, double d, double lo, double hi,
                               double slack) {
    double first = d * c->t_min, last = d * c->t_max;
    return o_lo + cdi_min(first, last) > hi + slack || o_hi + cdi_max(first, last) < lo - slack;
}

/* The box around the whole motion against that of what is met. */
static bool cdi_hull_passes_box(const cdi_cast *c, cd_aabb hull, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 a = cdi_v3_of(hull.min), b = cdi_v3_of(hull.max);
    double most = cdi_max(cdi_max(cdi_v3_max_abs(a), cdi_v3_max_abs(b)),
                          cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)));
    double slack = 16.0 * cdi_sweep_slack(cdi_max(most, cdi_v3_max_abs(c->d)));
    return cdi_hull_passes_by(c, a.x, b.x, c->d.x, lo.x, hi.x, slack) ||
           cdi_hull_passes_by(c, a.y, b.y, c->d.y, lo.y, hi.y, slack) ||
           cdi_hull_passes_by(c, a.z, b.z, c->d.z, lo.z, hi.z, slack);
}

static void cdi_hull_memory_begin(cdi_hull_memory *m, int shift) {
    m->shift = shift;
    for (uint32_t i = 0; i < CDI_HULL_KEPT; ++i) {
        m->along[i] = m->clip[i] = CD_NONE;
        m->known[i] = false;
    }
}

CDI_FN cdi_meets cdi_sweep_parts_triangle(const cdi_cast *c, const cd_hull_parts *hull, cd_aabb bounds,
                                          const cd_triangle *t, cdi_hull_memory *memory, cdi_impact *met) {
    cdi_tri d = cdi_tri_of(t);
    cdi_hull_sweep s;
    cdi_v3 lo, hi;
    cdi_tri_bounds(&d, &lo, &hi);
    if (!cdi_no_excess(cdi_excess(t->a) | cdi_excess(t->b) | cdi_excess(t->c)) ||
        cdi_hull_passes_box(c, bounds, lo, hi))
        return CDI_MEETS_NEVER;
    cdi_hull_sweep_begin(&s, c, hull, bounds, cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)));
    if (memory && memory->shift != s.shift) cdi_hull_memory_begin(memory, s.shift);
    s.memory = memory;
    s.b.is_box = false;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = cdi_v3_sub(cdi_v3_scale2(d.v[i], s.shift), s.from);
        s.b.tri.v[i] = v;
    }
    return cdi_hull_sweep_run(&s, c, met);
}

CDI_FN bool cdi_hulls_course_begin(cdi_hulls_course *m, const cd_hull *hull, cd_vec3 motion,
                                   const cd_cast_options *options) {
    if (!cdi_hull_open_parts(hull, &m->parts) ||
        !cdi_sweep_begin(&m->c, m->parts.vertices[0], motion, options))
        return false;
    m->bounds = cd_hull_bounds(hull);
    m->memory = NULL;
    return true;
}

CDI_FN void cdi_hulls_course_until(cdi_hulls_course *m, double t) {
    m->c.t_max = cdi_min(t, 1.0);
}

CDI_FN bool cdi_hulls_course_triangle(cdi_hulls_course *m, const cd_triangle *t, cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets = cdi_sweep_parts_triangle(&m->c, &m->parts, m->bounds, t, m->memory, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(&m->c, meets, &met, cdi_triangle_front(t), hit);
}

CD_API bool cd_sweep_hull_triangle(const cd_hull *hull, cd_vec3 motion, const cd_triangle *t,
                                   const cd_cast_options *options, cd_hit *hit) {
    cdi_hulls_course m;
    return cdi_hulls_course_begin(&m, hull, motion, options) && cdi_hulls_course_triangle(&m, t, hit);
}

CDI_FN bool cdi_sweep_parts_box(const cdi_cast *c, const cd_hull_parts *hull, cd_aabb bounds,
                                const cdi_obb *b, cd_hit *hit) {
    cdi_hull_sweep s;
    cdi_impact met;
    cdi_meets meets;
    cdi_hull_sweep_begin(&s, c, hull, bounds, cdi_obb_top(b));
    s.b.is_box = true;
    s.b.box = cdi_obb_scale2(b, s.shift);
    s.b.box.center = cdi_v3_sub(s.b.box.center, s.from);
    meets = cdi_hull_sweep_run(&s, c, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

static bool cdi_sweep_hull_box(const cd_hull *hull, cd_vec3 motion, const cdi_obb *b,
                               const cd_cast_options *options, cd_hit *hit) {
    cd_hull_parts parts;
    cdi_cast c;
    return cdi_hull_open_parts(hull, &parts) && cdi_sweep_begin(&c, parts.vertices[0], motion, options) &&
           cdi_sweep_parts_box(&c, &parts, cd_hull_bounds(hull), b, hit);
}

CD_API bool cd_sweep_hull_aabb(const cd_hull *hull, cd_vec3 motion, cd_aabb b, const cd_cast_options *options,
                               cd_hit *hit) {
    cdi_obb box;
    return cdi_any_box_of_aabb(b, &box) && cdi_sweep_hull_box(hull, motion, &box, options, hit);
}

CD_API bool cd_sweep_hull_obb(const cd_hull *hull, cd_vec3 motion, const cd_obb *b,
                              const cd_cast_options *options, cd_hit *hit) {
    cdi_obb box;
    return cdi_any_box_of_obb(b, &box) && cdi_sweep_hull_box(hull, motion, &box, options, hit);
}

/* ---- spheres ---- */

/* A feature of triangle i of a face's fan as one of the hull. */
static uint32_t cdi_hull_fan_feature(const cd_hull_parts *h, uint32_t face, uint32_t feature, size_t i) {
    const cd_hull_face *f = &h->faces[face];
    uint32_t half, k;
    feature = cdi_fan_feature(feature, i, f->count);
    k = f->first + CD_FEATURE_INDEX(feature);
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX) return CD_FEATURE(1u, h->half_edges[k].origin);
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_FACE) return CD_FEATURE(3u, face);
    half = h->half_edges[k].twin;
    return CD_FEATURE(2u, half < k ? half : k);
}

/* The first contact with the triangles of a face. */
static cdi_meets cdi_sweep_ball_face(const cdi_cast *c, double radius, const cd_hull_parts *h, uint32_t face,
                                     cdi_meets meets, cdi_impact *met) {
    const cd_hull_face *f = &h->faces[face];
    cdi_flat flat;
    flat.count = 3;
    flat.v[0] = cdi_v3_of(h->vertices[cdi_hull_corner_of(h, f, 0)]);
    for (uint32_t i = 0; i + 2 < f->count; ++i) {
        cdi_impact here;
        cdi_meets meets_here;
        flat.v[1] = cdi_v3_of(h->vertices[cdi_hull_corner_of(h, f, i + 1)]);
        flat.v[2] = cdi_v3_of(h->vertices[cdi_hull_corner_of(h, f, i + 2)]);
        meets_here = cdi_sweep_rounded(c, &flat, radius, CDI_HUGE, &here);
        if (meets_here == CDI_MEETS_NEVER) continue;
        here.feature = cdi_hull_fan_feature(h, face, here.feature, i);
        meets = cdi_sweep_first(meets, met, meets_here, &here);
    }
    return meets;
}

/* How far p is over the plane of a face, whose unit normal is *n: 0 or less only where it is not over it, without rounding. A face whose
 * area is beyond numbers tells nothing. */
static double cdi_hull_face_height(const cd_hull_parts *h, uint32_t face, cdi_v3 p, cdi_v3 *n) {
    const cd_hull_face *f = &h->faces[face];
    uint32_t a = cdi_hull_corner_of(h, f, 0), b = cdi_hull_corner_of(h, f, 1),
             c = cdi_hull_corner_of(h, f, 2);
    cdi_v3 v[3] = {cdi_v3_of(h->vertices[a]), cdi_v3_of(h->vertices[b]), cdi_v3_of(h->vertices[c])}, from;
    double height;
    int shift;
    *n = cdi_v3_of(f->plane.n);
    if (h->flatness > 0) return cdi_v3_dot(*n, p) - (double)f->plane.d;
    shift = cdi_tame_shift(
        cdi_max(cdi_v3_max_abs(cdi_hull_course(h, a, b)), cdi_v3_max_abs(cdi_hull_course(h, a, c))));
    from = cdi_v3_scale2(v[0], shift);
    *n = cdi_v3_unit(cdi_hull_cross(from, cdi_v3_scale2(v[1], shift), from, cdi_v3_scale2(v[2], shift)));
    if (cdi_v3_is_zero(*n)) return -CDI_HUGE;
    height = cdi_v3_dot(*n, cdi_v3_sub(p, v[0]));
    return cdi_orient3d(v[0], v[1], v[2], p) >= 0.0 ? cdi_min(height, 0.0)
                                                    : cdi_max(height, 4.94065645841246544e-324);
}

/* What of a face is nearest to p: lengths are times 2^shift, the feature is the hull's. */
static cdi_near cdi_hull_face_near(const cd_hull_parts *h, uint32_t face, cdi_v3 p, int shift) {
    const cd_hull_face *f = &h->faces[face];
    cdi_near best;
    cdi_clear(&best, sizeof best);
    best.sqdist = CDI_HUGE;
    for (uint32_t i = 0; i + 2 < f->count; ++i) {
        cdi_near here;
        cdi_tri t;
        for (uint32_t k = 0; k < 3; ++k) {
            cdi_v3 v = cdi_v3_of(h->vertices[cdi_hull_corner_of(h, f, k ? i + k : 0)]);
            t.v[k] = cdi_v3_scale2(v, shift);
        }
        here = cdi_near_triangle(p, &t);
        if (!(here.sqdist < best.sqdist)) continue;
        best = here;
        best.feature = cdi_hull_fan_feature(h, face, here.feature, i);
    }
    return best;
}

/* The same of all faces, and on which. */
static cdi_near cdi_hull_surface_near(const cd_hull_parts *h, cdi_v3 p, int shift, uint32_t *at) {
    cdi_near best;
    cdi_clear(&best, sizeof best);
    best.sqdist = CDI_HUGE;
    for (uint32_t face = 0; face < h->face_count; ++face) {
        cdi_near here = cdi_hull_face_near(h, face, p, shift);
        if (!(here.sqdist < best.sqdist)) continue;
        best = here;
        *at = face;
    }
    return best;
}

/* The largest coordinate of the sphere's centre and motion and of the hull. */
static double cdi_ball_hull_most(const cdi_cast *c, double radius, const cd_hull_parts *h) {
    double most = cdi_max(cdi_max(cdi_v3_max_abs(c->o), cdi_v3_max_abs(c->d)), radius);
    for (uint32_t i = 0; i < h->vertex_count; ++i)
        most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(h->vertices[i])));
    return most;
}

/* The face that p is on, which is on the plane of this one: of planes that are all but one, rounding tells which is the nearer. */
static uint32_t cdi_hull_face_at(const cdi_cast *c, double radius, const cd_hull_parts *h, uint32_t face,
                                 cdi_v3 p) {
    double most = cdi_ball_hull_most(c, radius, h), slack;
    int shift = cdi_tame_shift(most);
    slack = cdi_sweep_slack(cdi_scale2(most, shift));
    p = cdi_v3_scale2(p, shift);
    if (cdi_hull_face_near(h, face, p, shift).sqdist > slack * slack)
        cdi_hull_surface_near(h, p, shift, &face);
    return face;
}

/* The centre begins under all faces: the nearest of these. */
static bool cdi_hull_holds_start(const cdi_cast *c, double radius, const cd_hull_parts *h, cdi_impact *met) {
    cdi_v3 p = cdi_v3_along(c->o, c->d, c->t_min), n;
    double height, top = -CDI_HUGE;
    uint32_t face = 0;
    for (uint32_t i = 0; i < h->face_count; ++i) {
        height = cdi_hull_face_height(h, i, p, &n);
        if (height > 0.0) return false;
        if (!(height > top)) continue;
        top = height;
        met->normal = n;
        face = i;
    }
    met->t = c->t_min;
    met->point = cdi_v3_along(p, met->normal, -top);
    met->feature = CD_FEATURE(3u, cdi_hull_face_at(c, radius, h, face, met->point));
    met->depth = radius - top;
    return true;
}

/* The normal of the face that p is over, of such as are as high but for `level` that best against the motion. */
static cdi_v3 cdi_hull_top_normal(const cdi_cast *c, const cd_hull_parts *h, cdi_v3 p, double level) {
    double top = -CDI_HUGE;
    cdi_v3 best = cdi_v3_make(0.0, 0.0, 0.0), n;
    for (uint32_t i = 0; i < h->face_count; ++i) {
        double height = cdi_hull_face_height(h, i, p, &n);
        if (height < top - level) continue;
        if (height <= top + level && cdi_v3_dot(n, c->d) >= cdi_v3_dot(best, c->d)) continue;
        best = n;
        top = cdi_max(height, top);
    }
    return best;
}

/* The way to the centre from a triangle may lead into the hull, as what is met is beside the nearest of another one, by less than the
 * slack: then that one is met. Where the centre is as good as on the hull, the normal is that of the face it is over. */
static void cdi_hull_mend_normal(const cdi_cast *c, double radius, const cd_hull_parts *h, cdi_impact *met) {
    double most = cdi_ball_hull_most(c, radius, h), margin = 16.0 * cdi_sweep_slack(most), scaled;
    cdi_v3 p = cdi_v3_along(c->o, c->d, met->t), n;
    cdi_v3 end = cdi_v3_of(h->vertices[cdi_farthest_of_all(h, met->normal)]);
    int shift = cdi_tame_shift(most);
    cdi_v3 q = cdi_v3_scale2(p, shift);
    uint32_t face = 0;
    cdi_near at;
    if (cdi_v3_dot(met->normal, cdi_v3_sub(end, met->point)) <= margin) return;
    at = cdi_hull_surface_near(h, q, shift, &face);
    scaled = cdi_scale2(margin, shift);
    if (at.sqdist <= scaled * scaled) {
        met->normal = cdi_hull_top_normal(c, h, p, radius > margin ? 0.0 : margin);
        return;
    }
    met->point = cdi_v3_scale2(at.point, -shift);
    met->feature = at.feature;
    met->normal = cdi_v3_unit(cdi_v3_sub(q, at.point));
    if (CD_FEATURE_KIND(at.feature) != CD_FEATURE_FACE) return;
    if (cdi_hull_face_height(h, face, p, &n) < 0.0) n = cdi_v3_neg(n);
    if (!cdi_v3_is_zero(n)) met->normal = n;
}

static cdi_meets cdi_sweep_ball_hull(const cdi_cast *c, double radius, const cd_hull_parts *h,
                                     cdi_impact *met) {
    cdi_meets meets = CDI_MEETS_NEVER;
    cdi_flat flat;
    cdi_impact_begin(met);
    met->point = met->normal = cdi_v3_make(0.0, 0.0, 0.0);
    if (h->dimension < 2) {
        flat = h->dimension < 1 ? cdi_flat_of_point(h->vertices[0], 0)
                                : cdi_flat_of_segment(h->vertices[0], h->vertices[1], 0);
        return cdi_sweep_rounded(c, &flat, radius, CDI_HUGE, met);
    }
    if (h->dimension > 2 && cdi_hull_holds_start(c, radius, h, met)) return CDI_MEETS_AT_START;
    for (uint32_t i = 0; i < (h->dimension > 2 ? h->face_count : 1); ++i)
        meets = cdi_sweep_ball_face(c, radius, h, i, meets, met);
    if (meets != CDI_MEETS_NEVER) cdi_hull_mend_normal(c, radius, h, met);
    return meets;
}

CD_API bool cd_sweep_sphere_hull(cd_sphere s, cd_vec3 motion, const cd_hull *hull,
                                 const cd_cast_options *options, cd_hit *hit) {
    cd_hull_parts parts;
    cdi_cast c;
    cdi_impact met;
    cdi_meets meets;
    if (!cdi_hull_open_parts(hull, &parts) || !cd_sphere_is_valid(s) ||
        !cdi_sweep_begin(&c, s.center, motion, options))
        return false;
    meets = cdi_sweep_ball_hull(&c, (double)s.radius, &parts, &met);
    met.u = met.v = 0.0;
    return cdi_sweep_answer(&c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CD_API bool cd_sweep_hull_sphere(const cd_hull *hull, cd_vec3 motion, cd_sphere s,
                                 const cd_cast_options *options, cd_hit *hit) {
    cd_hull_parts parts;
    cdi_cast c, other;
    cdi_impact met;
    cdi_meets meets;
    if (!cdi_hull_open_parts(hull, &parts) || !cd_sphere_is_valid(s) ||
        !cdi_sweep_begin(&c, parts.vertices[0], motion, options))
        return false;
    other = c;
    cdi_sweep_other(&other, s.center);
    meets = cdi_sweep_ball_hull(&other, (double)s.radius, &parts, &met);
    if (meets == CDI_MEETS_NEVER) return false;
    cdi_impact_other(&other, &met);
    met.point = cdi_onto_round(met.point, cdi_v3_of(s.center), (double)s.radius);
    met.feature = CD_FEATURE(3u, 0u);
    met.u = met.v = 0.0;
    return cdi_sweep_answer(&c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}
