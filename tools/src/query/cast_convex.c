#include "query/cast_convex.h"
#include "query/ray3d.h"
#include "shape/side3d.h"
#include "shape/slab3d.h"

/* Planes that stand in an array of their own, or in the faces of a hull. */
typedef struct cdi_planes {
    const void *first;
    size_t stride, count;
} cdi_planes;

static const cd_plane *cdi_plane_at(const cdi_planes *p, size_t i) {
    return (const cd_plane *)(const void *)((const unsigned char *)p->first + i * p->stride);
}

static cdi_planes cdi_planes_of(const void *first, size_t stride, size_t count) {
    cdi_planes p;
    p.first = first;
    p.stride = stride;
    p.count = count;
    return p;
}

static cdi_side cdi_side_of_plane(const cd_plane *p) {
    cdi_side s;
    s.n = cdi_v3_of(p->n);
    s.d = (double)p->d;
    return s;
}

/* ---- where the line crosses one plane ----
 * t = (d - n . o) / (n . dir). A sum of three products and a number is off by at most 4 u of the terms' magnitudes, u = 2^-53,
 * and one more where dir is a rounded difference: 8 u. */

#define CDI_CLIP_BOUND 8.881784197001252e-16
#define CDI_CLIP_LEAST 1e-290

/* The line o + t (to - from): a segment's own ends, or the direction and zero. */
typedef struct cdi_clip_line {
    cdi_v3 o, d, from, to;
    bool ends; /* at t = 1 */
} cdi_clip_line;

typedef struct cdi_clip_cut {
    cdi_side side;
    double t, error;
    int speed; /* the sign of n . dir: below 0 the line enters */
    int ahead; /* that of d - n . o: below 0 the origin is outside */
    int face;
} cdi_clip_cut;

static cdi_clip_line cdi_clip_line_of(const cdi_cast *c) {
    cdi_clip_line l;
    l.o = c->o;
    l.d = c->d;
    l.ends = c->is_segment;
    l.from = c->is_segment ? c->o : cdi_v3_make(0.0, 0.0, 0.0);
    l.to = c->is_segment ? c->to : c->d;
    return l;
}

static double cdi_dot_size(cdi_v3 a, cdi_v3 b) {
    return cdi_abs(a.x * b.x) + cdi_abs(a.y * b.y) + cdi_abs(a.z * b.z);
}

/* A parameter put where it is known to be: before, at, or after an end of the line. */
static double cdi_clip_beside(double t, double end, double step, int side) {
    if (side == 0) return end;
    return side > 0 ? cdi_max(t, end + step) : cdi_min(t, end - step);
}

static cdi_clip_cut cdi_clip_of(const cdi_clip_line *l, cdi_side s, int face) {
    double speed = cdi_v3_dot(s.n, l->d), height = s.d - cdi_v3_dot(s.n, l->o), rest;
    double off = CDI_CLIP_BOUND * cdi_dot_size(s.n, l->d) + CDI_CLIP_LEAST;
    double error = CDI_CLIP_BOUND * (cdi_dot_size(s.n, l->o) + cdi_abs(s.d)) + CDI_CLIP_LEAST;
    cdi_clip_cut c;
    c.side = s;
    c.face = face;
    c.speed = cdi_abs(speed) > off ? cdi_sign(speed) : cdi_height_sign(s.n, l->from, 0.0, l->to);
    c.ahead = cdi_abs(height) > error ? cdi_sign(height) : -cdi_plane_side(s.n, s.d, l->o);
    c.t = height / speed;
    rest = cdi_abs(speed) - off;
    c.error = rest > off ? 1.1 * (error + cdi_abs(c.t) * off) / rest : CDI_HUGE;
    if (!cdi_finite(c.t)) c.t = CDI_HUGE * (double)(c.ahead * c.speed);
    c.t = cdi_clip_beside(c.t, 0.0, 1e-300, c.ahead * c.speed);
    if (l->ends) c.t = cdi_clip_beside(c.t, 1.0, 2.3e-16, cdi_plane_side(s.n, s.d, l->to) * -c.speed);
    return c;
}

enum { CDI_CLIP_ROOM = 32 * CDI_EXACT_LIMBS };

/* d - n . o and n . dir, without rounding. */
static void cdi_exact_cut(cdi_arena *arena, const cdi_clip_line *l, cdi_side s, cdi_exact *height,
                          cdi_exact *speed) {
    cdi_v3 zero = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_exact n[3], o[3], d[3];
    int mark = arena->used;
    cdi_exact_vector(arena, s.n, zero, n);
    cdi_exact_vector(arena, l->o, zero, o);
    *height = cdi_exact_sub(arena, cdi_exact_of(arena, s.d), cdi_exact_dot(arena, n, o));
    *height = cdi_exact_keep(arena, mark, *height);
    mark = arena->used;
    cdi_exact_vector(arena, s.n, zero, n);
    cdi_exact_vector(arena, l->to, l->from, d);
    *speed = cdi_exact_dot(arena, n, d);
    *speed = cdi_exact_keep(arena, mark, *speed);
}

static CDI_COLD int cdi_clip_order_exact(const cdi_clip_line *l, const cdi_clip_cut *a,
                                         const cdi_clip_cut *b) {
    uint32_t limbs[CDI_CLIP_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_CLIP_ROOM);
    cdi_exact h[2], v[2], left, right;
    cdi_exact_cut(&arena, l, a->side, &h[0], &v[0]);
    cdi_exact_cut(&arena, l, b->side, &h[1], &v[1]);
    left = cdi_exact_mul(&arena, h[0], v[1]);
    right = cdi_exact_mul(&arena, h[1], v[0]);
    return cdi_exact_sub(&arena, left, right).sign * a->speed * b->speed;
}

/* The sign of a's t less b's: exact. */
static int cdi_clip_order(const cdi_clip_line *l, const cdi_clip_cut *a, const cdi_clip_cut *b) {
    double apart = a->t - b->t;
    int side = a->ahead * a->speed, other = b->ahead * b->speed; /* of the origin */
    if (side != other || side == 0) return (side > other) - (side < other);
    if (cdi_abs(apart) > 1.1 * (a->error + b->error) + 1e-15 * cdi_abs(apart)) return apart > 0.0 ? 1 : -1;
    return cdi_clip_order_exact(l, a, b);
}

#undef CDI_CLIP_BOUND
#undef CDI_CLIP_LEAST

/* ---- the line inside all half-spaces ---- */

static bool cdi_span_in_planes(const cdi_clip_line *l, const cdi_planes *planes, cdi_span *span) {
    cdi_clip_cut in, out;
    in.face = out.face = -1;
    for (size_t i = 0; i < planes->count; ++i) {
        const cd_plane *p = cdi_plane_at(planes, i);
        cdi_clip_cut cut = cdi_clip_of(l, cdi_side_of_plane(p), (int)i);
        if (!cd_plane_is_valid(p) || (cut.speed == 0 && cut.ahead < 0)) return false;
        if (cut.speed < 0 && (in.face < 0 || cdi_clip_order(l, &cut, &in) > 0)) in = cut;
        if (cut.speed > 0 && (out.face < 0 || cdi_clip_order(l, &cut, &out) < 0)) out = cut;
    }
    span->face_in = in.face;
    span->face_out = out.face;
    span->in = in.face < 0 ? -CDI_HUGE : in.t;
    span->out = out.face < 0 ? CDI_HUGE : out.t;
    if (in.face < 0 || out.face < 0) return true;
    if (cdi_clip_order(l, &in, &out) > 0) return false;
    if (span->in > span->out) span->in = span->out;
    return true;
}

/* The face nearest to a point inside, and the way to it. */
static size_t cdi_nearest_plane(const cdi_planes *planes, cdi_v3 p, double *depth) {
    size_t face = 0;
    *depth = CDI_HUGE;
    for (size_t i = 0; i < planes->count; ++i) {
        cdi_side s = cdi_side_of_plane(cdi_plane_at(planes, i));
        double way = cdi_side_depth(&s, p);
        if (way < *depth) {
            *depth = way;
            face = i;
        }
    }
    return face;
}

static bool cdi_start_in_planes(const cdi_cast *c, const cdi_planes *planes, cd_hit *hit) {
    double depth;
    size_t face = cdi_nearest_plane(planes, cdi_v3_along(c->o, c->d, c->t_min), &depth);
    cdi_v3 n = cdi_v3_normalize(cdi_side_of_plane(cdi_plane_at(planes, face)).n);
    return cdi_hit_start(c, n, depth, (uint32_t)face, hit);
}

static bool cdi_hit_in_planes(const cdi_cast *c, const cdi_planes *planes, const cdi_span *span,
                              cd_hit *hit) {
    cdi_contact contact = cdi_cast_solid(c, span);
    bool leaves = contact == CDI_CONTACT_OUT;
    double t = leaves ? span->out : span->in;
    cdi_side s;
    cdi_v3 n, p;
    int face = leaves ? span->face_out : span->face_in;
    if (contact == CDI_CONTACT_NONE) return false;
    if (contact == CDI_CONTACT_START) return cdi_start_in_planes(c, planes, hit);
    if (face < 0) return false; /* without an end */
    s = cdi_side_of_plane(cdi_plane_at(planes, (size_t)face));
    n = cdi_v3_normalize(s.n);
    p = cdi_v3_along(c->o, c->d, t);
    p = cdi_v3_along(p, n, cdi_side_depth(&s, p)); /* onto the plane */
    return cdi_hit_write(hit, t, p, leaves ? cdi_v3_neg(n) : n, (uint32_t)face,
                         cdi_contact_flags(c, contact, t));
}

static bool cdi_cast_planes(const cdi_cast *c, const cd_plane *planes, size_t count, cd_hit *hit) {
    cdi_planes list = cdi_planes_of(planes, sizeof *planes, count);
    cdi_clip_line line = cdi_clip_line_of(c);
    cdi_span span;
    if (count == 0 || count > 0x3FFFFFFFu || !cdi_span_in_planes(&line, &list, &span)) return false;
    return cdi_hit_in_planes(c, &list, &span, hit);
}

CD_API bool cd_cast_ray_planes(const cd_ray *r, cd_real t_max, const cd_plane *planes, size_t count,
                               const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin(&c, r, t_max, options) && cdi_cast_planes(&c, planes, count, hit);
}

CD_API bool cd_cast_segment_planes(const cd_segment *s, const cd_plane *planes, size_t count,
                                   const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin_segment(&c, s, options) && cdi_cast_planes(&c, planes, count, hit);
}

CD_API bool cd_cast_line_planes(const cd_line *l, const cd_plane *planes, size_t count,
                                const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin_line(&c, l, options) && cdi_cast_planes(&c, planes, count, hit);
}

/* ---- hulls ---- */

/* A front is where the line enters, a back where it leaves. */
static void cdi_span_at_face(cdi_span *span, const cdi_tri_hit *h, int face) {
    if (h->flags & (uint32_t)CD_HIT_BACK) {
        if (span->face_out >= 0 && h->t <= span->out) return;
        span->out = h->t;
        span->face_out = face;
    } else {
        if (span->face_in >= 0 && h->t >= span->in) return;
        span->in = h->t;
        span->face_in = face;
    }
}

/* ---- which triangles the line can meet ----
 * Sheared so that the line is the z axis, corners are on one side of it or the other in four directions: a bit for each side of
 * each, set where a corner is there for certain. What has a bit in all its corners is missed. With u = 2^-53 and m the largest
 * coordinate relative to the origin, a sheared coordinate is off by at most 6 u m, and the sum of two by 16 u m. */

#define CDI_BESIDE_BOUND 2e-15
#define CDI_BESIDE_LEAST 1e-290

CDI_INLINE unsigned cdi_certain_sides(double x, double bound) {
    return (unsigned)(x > bound) | (unsigned)(x < -bound) << 1;
}

static unsigned cdi_beside_line(const cdi_ray *r, const cd_vec3 *p) {
    double q[3], x, y, bound;
    cdi_v3_store(q, cdi_v3_sub(cdi_v3_of(*p), cdi_ray_origin(r)));
    bound =
        CDI_BESIDE_BOUND * cdi_max(cdi_max(cdi_abs(q[0]), cdi_abs(q[1])), cdi_abs(q[2])) + CDI_BESIDE_LEAST;
    x = q[r->axis[0]] - r->shear[0] * q[r->axis[2]];
    y = q[r->axis[1]] - r->shear[1] * q[r->axis[2]];
    return cdi_certain_sides(x, bound) | cdi_certain_sides(y, bound) << 2 |
           cdi_certain_sides(x + y, bound) << 4 | cdi_certain_sides(x - y, bound) << 6;
}

#undef CDI_BESIDE_BOUND
#undef CDI_BESIDE_LEAST

enum { CDI_BESIDE_KEPT = 256 };

/* The hull seen from the line; of the first vertices, which belong to six triangles on the average, the bits are kept. */
typedef struct cdi_hull_view {
    const cdi_ray *ray;
    cd_hull_parts parts;
    unsigned char beside[CDI_BESIDE_KEPT];
} cdi_hull_view;

/* False where the line misses the whole hull. */
static bool cdi_hull_view_begin(cdi_hull_view *h, const cdi_ray *r, const cd_hull_parts *p) {
    uint32_t kept = p->vertex_count < CDI_BESIDE_KEPT ? p->vertex_count : (uint32_t)CDI_BESIDE_KEPT;
    unsigned all = 255;
    h->ray = r;
    h->parts = *p;
    for (uint32_t i = 0; i < kept; ++i) {
        h->beside[i] = (unsigned char)cdi_beside_line(r, &p->vertices[i]);
        all &= h->beside[i];
    }
    for (uint32_t i = kept; all != 0 && i < p->vertex_count; ++i) all &= cdi_beside_line(r, &p->vertices[i]);
    return all == 0;
}

static unsigned cdi_vertex_beside(const cdi_hull_view *h, uint32_t vertex) {
    return vertex < CDI_BESIDE_KEPT ? h->beside[vertex] : cdi_beside_line(h->ray, &h->parts.vertices[vertex]);
}

static void cdi_span_at_triangle(const cdi_hull_view *h, const cd_half_edge *first, const cd_half_edge *edge,
                                 int face, cdi_span *span) {
    cdi_tri t;
    cdi_tri_hit hit;
    t.v[0] = cdi_v3_of(h->parts.vertices[first->origin]);
    t.v[1] = cdi_v3_of(h->parts.vertices[edge[0].origin]);
    t.v[2] = cdi_v3_of(h->parts.vertices[edge[1].origin]);
    if (cdi_ray_tri(h->ray, &t, 0, CDI_HUGE, &hit)) cdi_span_at_face(span, &hit, face);
}

static void cdi_span_of_face(const cdi_hull_view *h, uint32_t face, cdi_span *span) {
    const cd_hull_face *f = &h->parts.faces[face];
    const cd_half_edge *edge = h->parts.half_edges + f->first;
    unsigned first = cdi_vertex_beside(h, edge[0].origin), last = cdi_vertex_beside(h, edge[1].origin), next;
    for (uint32_t k = 2; k < f->count; ++k, last = next) {
        next = cdi_vertex_beside(h, edge[k].origin);
        if ((first & last & next) == 0) cdi_span_at_triangle(h, edge, edge + k - 1, (int)face, span);
    }
}

/* Without a front the line begins inside, for the numbers of triangles behind the origin are left out. */
static bool cdi_span_in_hull(const cdi_ray *r, const cd_hull_parts *p, cdi_span *span) {
    cdi_hull_view h;
    if (!cdi_hull_view_begin(&h, r, p)) return false;
    span->in = -CDI_HUGE;
    span->face_in = span->face_out = -1;
    for (uint32_t i = 0; i < p->face_count; ++i) cdi_span_of_face(&h, i, span);
    if (span->face_out < 0) {
        span->out = span->in;
        span->face_out = span->face_in;
    }
    return span->face_out >= 0;
}

/* A point is inside when a ray from it, across a face, meets no front, or one where it begins. */
static bool cdi_in_hull(cdi_cast c, const cd_hull_parts *p) {
    cdi_v3 n = cdi_v3_of(p->faces[0].plane.n);
    double x = cdi_abs(n.x), y = cdi_abs(n.y), z = cdi_abs(n.z);
    cdi_span span;
    cdi_ray r;
    bool x_most = x >= y && x >= z;
    c.d = cdi_v3_make(x_most ? 1.0 : 0.0, !x_most && y >= z ? 1.0 : 0.0, !x_most && y < z ? 1.0 : 0.0);
    c.t_min = 0.0;
    return cdi_ray_prepare(&r, &c) && cdi_span_in_hull(&r, p, &span) && (span.face_in < 0 || span.in == 0.0);
}

static bool cdi_cast_hull(const cdi_cast *c, const cd_hull *hull, cd_hit *hit) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_planes planes = cdi_planes_of(p.faces, sizeof *p.faces, p.face_count);
    cdi_span span;
    cdi_ray r;
    if (p.face_count == 0) return false;
    if (cdi_ray_prepare(&r, c)) {
        if (!cdi_span_in_hull(&r, &p, &span)) return false;
    } else {
        if (!cdi_in_hull(*c, &p)) return false;
        span.in = -CDI_HUGE;
        span.out = CDI_HUGE;
        span.face_in = span.face_out = -1;
    }
    return cdi_hit_in_planes(c, &planes, &span, hit);
}

CDI_CASTS(hull, const cd_hull *, hull);
