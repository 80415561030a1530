#include "core/expansion.h"
#include "query/cast3d.h"
#include "query/closest3d.h"
#include "shape/volume3d.h"

CDI_FN bool cdi_cast_begin(cdi_cast *c, const cd_ray *r, cd_real t_max, const cd_cast_options *options) {
    c->o = cdi_v3_of(r->origin);
    c->d = cdi_v3_of(r->dir);
    c->t_min = options ? (double)options->t_min : 0.0;
    c->t_max = cdi_min((double)CD_REAL_MAX, (double)t_max); /* the second where it is NaN */
    c->flags = options ? options->flags : 0;
    c->is_line = c->is_segment = false;
    c->base = c->t_min;
    c->to = c->o;
    return cdi_v3_finite(c->o) && cdi_v3_finite(c->d) && cdi_finite(c->t_min) && c->t_min <= c->t_max;
}

CDI_FN bool cdi_cast_begin_segment(cdi_cast *c, const cd_segment *s, const cd_cast_options *options) {
    cd_ray r;
    r.origin = s->a;
    r.dir = s->b;
    if (!cdi_cast_begin(c, &r, 1, options)) return false;
    c->is_segment = true;
    c->to = c->d;
    c->d = cdi_v3_sub(c->to, c->o); /* in double, where no ray could hold it */
    c->t_min = c->base = cdi_max(c->t_min, 0.0);
    return cdi_v3_finite(c->d);
}

CDI_FN bool cdi_cast_begin_line(cdi_cast *c, const cd_line *l, const cd_cast_options *options) {
    cd_ray r;
    r.origin = l->origin;
    r.dir = l->dir;
    if (!cdi_cast_begin(c, &r, CD_REAL_MAX, NULL) || cdi_v3_is_zero(c->d)) return false;
    c->is_line = true;
    c->t_min = -c->t_max;
    c->flags = options ? options->flags : 0u;
    return true;
}

/* ---- plane ---- */

/* How fast the height over the plane grows; a segment's by the heights of its ends, so that an end on the plane is at 1. */
static double cdi_plane_speed(const cdi_cast *c, cd_plane plane, cdi_v3 normal) {
    if (!c->is_segment) return cdi_v3_dot(normal, c->d);
    return cdi_plane_height(plane, c->to, &normal) - cdi_plane_height(plane, c->o, &normal);
}

static bool cdi_cast_plane(const cdi_cast *c, cd_plane plane, cd_hit *hit) {
    cdi_v3 n, o = cdi_v3_along(c->o, c->d, c->base);
    double height = -cdi_plane_height(plane, o, &n), speed = cdi_plane_speed(c, plane, n), t = c->base;
    bool back = speed > 0.0 || (speed == 0.0 && height < 0.0);
    uint32_t flags = back ? (uint32_t)CD_HIT_BACK : 0u;
    if (!cd_plane_is_valid(&plane) || (c->is_line && speed == 0.0)) return false;
    if (c->flags & (back ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) return false;
    if (height == 0.0 && !c->is_line) {
        if (c->flags & (CD_CAST_START_IGNORE | CD_CAST_START_LEAVING)) return false;
        flags |= (uint32_t)CD_HIT_START;
    } else {
        if (speed == 0.0) return false;
        t = c->base + height / speed;
        if (!(t >= c->t_min && t <= c->t_max)) return false;
    }
    n = cdi_v3_unit(n);
    return cdi_hit_write(hit, t, cdi_v3_along(c->o, c->d, t), back ? cdi_v3_neg(n) : n, 0, flags);
}

CDI_CASTS(plane, cd_plane, plane);

/* ---- solids in general ---- */

CDI_FN cdi_contact cdi_cast_solid(const cdi_cast *c, const cdi_span *span) {
    if (!(span->out >= c->t_min && span->in <= c->t_max)) return CDI_CONTACT_NONE;
    if (c->flags & CD_CAST_CULL_FRONT) {
        if ((c->flags & CD_CAST_CULL_BACK) || span->out > c->t_max || span->out == CDI_HUGE)
            return CDI_CONTACT_NONE;
        if (span->out == c->t_min && (c->flags & (CD_CAST_START_IGNORE | CD_CAST_START_LEAVING)))
            return CDI_CONTACT_NONE;
        return CDI_CONTACT_OUT;
    }
    if (span->in > c->t_min) return CDI_CONTACT_IN;
    if (c->is_line || (c->flags & CD_CAST_START_IGNORE)) return CDI_CONTACT_NONE;
    return span->in == c->t_min && span->in > -CDI_HUGE ? CDI_CONTACT_IN : CDI_CONTACT_START;
}

CDI_FN uint32_t cdi_contact_flags(const cdi_cast *c, cdi_contact contact, double t) {
    return (contact == CDI_CONTACT_OUT ? (uint32_t)CD_HIT_BACK : 0u) |
           (t == c->t_min && !c->is_line ? (uint32_t)CD_HIT_START : 0u);
}

CDI_FN bool cdi_hit_start(const cdi_cast *c, cdi_v3 out, double depth, uint32_t face, cd_hit *hit) {
    cdi_v3 against = cdi_v3_unit(cdi_v3_neg(c->d));
    bool wants_depth = (c->flags & CD_CAST_START_DEPTH) != 0;
    if ((c->flags & CD_CAST_START_LEAVING) && cdi_v3_dot(out, c->d) >= 0.0) return false;
    if (wants_depth || cdi_v3_is_zero(against)) against = out;
    if (!cdi_hit_write(hit, c->t_min, cdi_v3_along(c->o, c->d, c->t_min), against, face,
                       (uint32_t)CD_HIT_START)) {
        return false;
    }
    if (hit && !wants_depth) hit->feature = 0;
    if (hit && wants_depth) hit->depth = (cd_real)cdi_max(depth, 0.0);
    return true;
}

/* ---- sphere ---- */

static bool cdi_cast_sphere(const cdi_cast *c, cd_sphere s, cd_hit *hit) {
    cdi_span span;
    cdi_contact contact;
    cdi_v3 from_center, normal;
    double radius = (double)s.radius, t;
    if (!cd_sphere_is_valid(s)) return false;
    from_center = cdi_v3_sub(c->o, cdi_v3_of(s.center));
    if (!cdi_line_sphere(from_center, c->d, radius, &span)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    t = contact == CDI_CONTACT_IN ? span.in : contact == CDI_CONTACT_OUT ? span.out : c->t_min;
    from_center = cdi_v3_along(from_center, c->d, t);
    normal = cdi_v3_unit(from_center);
    if (cdi_v3_is_zero(normal)) normal = cdi_v3_unit(cdi_v3_neg(c->d)); /* at the very centre, or radius 0 */
    if (cdi_v3_is_zero(normal)) normal = cdi_v3_make(1.0, 0.0, 0.0);
    if (contact == CDI_CONTACT_START)
        return cdi_hit_start(c, normal, radius - cdi_v3_norm(from_center), 0, hit);
    return cdi_hit_write(hit, t, cdi_v3_along(cdi_v3_of(s.center), normal, radius),
                         contact == CDI_CONTACT_IN ? normal : cdi_v3_neg(normal), 0,
                         cdi_contact_flags(c, contact, t));
}

CDI_CASTS(sphere, cd_sphere, sphere);

/* ---- boxes ---- */

/* One axis of the slab test, in units the exact test can come back to. */
typedef struct cdi_slab {
    double near_side, far_side; /* the planes in the order the line meets them */
    double o;
    cdi_diff d; /* the direction: of a segment, the difference of its ends without rounding */
    bool back;  /* d < 0 */
} cdi_slab;

/* Does the line enter slab a no later than it leaves slab b? Exact: (near_a - o_a) / d_a <= (far_b - o_b) / d_b. */
static CDI_COLD bool cdi_enters_before(const cdi_slab *a, const cdi_slab *b) {
    cdi_diff m[2][2];
    double det;
    m[0][0] = cdi_diff_of(a->near_side, a->o);
    m[0][1] = cdi_diff_of(b->far_side, b->o);
    m[1][0] = a->d;
    m[1][1] = b->d;
    det = cdi_det2_exact(m);
    return a->back == b->back ? det <= 0.0 : det >= 0.0;
}

static CDI_COLD bool cdi_slabs_meet(const cdi_slab *slab, int count) {
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            if (i != j && !cdi_enters_before(&slab[i], &slab[j])) return false;
        }
    }
    return true;
}

/* Where the line meets a plane of the slab. By rounding a segment that ends just short of it might reach it at 1, and a line
 * that begins a denormal number beside it at 0: that is told from ending and beginning on it, so that all comparisons with 0
 * and 1 are exact. */
CDI_INLINE double cdi_slab_at(const cdi_slab *s, double side, double d, const cdi_v3 *to) {
    double t = (side - s->o) / d;
    if (t == 0.0 && side != s->o)
        t = (side < s->o) == s->back ? 4.9406564584124654e-324 : -4.9406564584124654e-324;
    if (to && t == 1.0 && s->d.a != side && (s->d.a < side) != s->back) t += 2.220446049250313e-16;
    return t;
}

/* A box in a frame of its own, the ray taken there. */
typedef struct cdi_boxed {
    double lo[3], hi[3];
    cdi_v3 o, d;
    const cdi_v3 *to; /* the end of a segment that begins in o; NULL for a line */
} cdi_boxed;

CDI_INLINE cdi_boxed cdi_boxed_of(cdi_v3 o, cdi_v3 d, cdi_v3 lo, cdi_v3 hi) {
    cdi_boxed b;
    b.o = o;
    b.d = d;
    b.to = NULL;
    cdi_v3_store(b.lo, lo);
    cdi_v3_store(b.hi, hi);
    return b;
}

static bool cdi_line_boxed(const cdi_boxed *b, cdi_span *span) {
    double slack;
    cdi_slab slab[3];
    int count = 0;
    span->in = -CDI_HUGE;
    span->out = CDI_HUGE;
    span->face_in = span->face_out = 0;
    for (int i = 0; i < 3; ++i) {
        double o = cdi_v3_get(b->o, i), d = cdi_v3_get(b->d, i), in, out;
        int back = d < 0.0;
        cdi_slab s;
        if (d == 0.0) {
            if (!(b->lo[i] <= o && o <= b->hi[i])) return false;
            continue;
        }
        s.near_side = back ? b->hi[i] : b->lo[i];
        s.far_side = back ? b->lo[i] : b->hi[i];
        s.o = o;
        s.d = b->to ? cdi_diff_of(cdi_v3_get(*b->to, i), o) : cdi_diff_of(d, 0.0);
        s.back = back != 0;
        slab[count++] = s;
        in = cdi_slab_at(&s, s.near_side, d, b->to);
        out = cdi_slab_at(&s, s.far_side, d, b->to);
        if (in > span->in) {
            span->in = in;
            span->face_in = 2 * i + back;
        }
        if (out < span->out) {
            span->out = out;
            span->face_out = 2 * i + !back;
        }
    }
    slack = 1e-15 * cdi_abs(span->in) + 1e-15 * cdi_abs(span->out);
    if (span->in > span->out + slack) return false;
    if (span->in < span->out - slack) return true;
    if (!cdi_slabs_meet(slab, count)) return false;
    if (span->in > span->out) span->in = span->out;
    return true;
}

CDI_FN bool cdi_line_box(cdi_v3 o, cdi_v3 d, cdi_v3 lo, cdi_v3 hi, cdi_span *span) {
    cdi_boxed b = cdi_boxed_of(o, d, lo, hi);
    return cdi_line_boxed(&b, span);
}

/* The nearest face to a point inside, and the way to it. */
static int cdi_nearest_face(const cdi_boxed *b, cdi_v3 p, double *depth) {
    int face = 0;
    *depth = CDI_HUGE;
    for (int i = 0; i < 6; ++i) {
        double x = cdi_v3_get(p, i / 2), way = i & 1 ? b->hi[i / 2] - x : x - b->lo[i / 2];
        if (way < *depth) {
            *depth = way;
            face = i;
        }
    }
    return face;
}

/* A point of the face: the ray's point, put on the face's plane and inside the face's edges. */
static cdi_v3 cdi_on_face(const cdi_boxed *b, int face, double t) {
    double p[3];
    cdi_v3_store(p, cdi_v3_along(b->o, b->d, t));
    for (int i = 0; i < 3; ++i) p[i] = cdi_clamp(p[i], b->lo[i], b->hi[i]);
    p[face / 2] = face & 1 ? b->hi[face / 2] : b->lo[face / 2];
    return cdi_v3_make(p[0], p[1], p[2]);
}

CDI_HOT void cdi_clip_roughly(double o, double d, double lo, double hi, double *in, double *out) {
    double inverse, p, q;
    if (!(cdi_abs(d) > 1e-290 && cdi_abs(d) < 1e290)) return; /* an inverse without all digits */
    inverse = 1.0 / d;
    p = (lo - o) * inverse;
    q = (hi - o) * inverse;
    *in = cdi_max(cdi_min(p, q), *in);
    *out = cdi_min(cdi_max(p, q), *out);
}

/* Does the ray surely miss the box? The slabs by inverses, which are sooner done and off by three roundings. */
CDI_HOT bool cdi_box_missed(const cdi_cast *c, cdi_v3 o, cdi_v3 d, cdi_v3 lo, cdi_v3 hi) {
    double in = c->t_min, out = c->t_max;
    cdi_clip_roughly(o.x, d.x, lo.x, hi.x, &in, &out);
    cdi_clip_roughly(o.y, d.y, lo.y, hi.y, &in, &out);
    cdi_clip_roughly(o.z, d.z, lo.z, hi.z, &in, &out);
    return in > out + (2e-15 * (cdi_abs(in) + cdi_abs(out)) + 1e-290);
}

/* The outward unit normal of a face. */
static cdi_v3 cdi_box_normal(const cdi_obb *frame, int face) {
    int axis = face / 2;
    cdi_v3 n = frame ? cdi_v3_unit(frame->axes.c[axis])
                     : cdi_v3_make(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
    return face & 1 ? n : cdi_v3_neg(n);
}

/* The cast in the box's frame; `frame` takes normals and points back, and is NULL for the world's own. */
static bool cdi_cast_box(const cdi_cast *c, const cdi_boxed *b, const cdi_obb *frame, cd_hit *hit) {
    cdi_v3 n, p;
    cdi_span span;
    cdi_contact contact;
    double t = 0.0, depth = 0.0;
    int face;
    if (!cdi_line_boxed(b, &span)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    if (contact == CDI_CONTACT_START) {
        face = cdi_nearest_face(b, cdi_v3_along(b->o, b->d, c->t_min), &depth);
    } else {
        face = contact == CDI_CONTACT_IN ? span.face_in : span.face_out;
        t = contact == CDI_CONTACT_IN ? span.in : span.out;
    }
    n = cdi_box_normal(frame, face);
    if (contact == CDI_CONTACT_START) return cdi_hit_start(c, n, depth, (uint32_t)face, hit);
    p = cdi_on_face(b, face, t);
    return cdi_hit_write(hit, t, frame ? cdi_obb_world(frame, p) : p,
                         contact == CDI_CONTACT_IN ? n : cdi_v3_neg(n), (uint32_t)face,
                         cdi_contact_flags(c, contact, t));
}

CDI_FN bool cdi_cast_aabb(const cdi_cast *c, cd_aabb b, cd_hit *hit) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    cdi_boxed box;
    if (cdi_box_missed(c, c->o, c->d, lo, hi) || !cd_aabb_is_valid(b)) return false;
    box = cdi_boxed_of(c->o, c->d, lo, hi);
    box.to = c->is_segment ? &c->to : NULL;
    return cdi_cast_box(c, &box, NULL, hit);
}

static bool cdi_cast_obb(const cdi_cast *c, const cd_obb *b, cd_hit *hit) {
    cdi_obb frame = cdi_obb_of(b);
    cdi_v3 hi = cdi_v3_make(frame.half[0], frame.half[1], frame.half[2]),
           lo = cdi_v3_make(-hi.x, -hi.y, -hi.z), o = cdi_obb_local(&frame, c->o),
           d = cdi_m3_tmul_v3(&frame.axes, c->d);
    cdi_boxed box;
    if (cdi_box_missed(c, o, d, lo, hi) || !cdi_obb_finite(&frame)) return false;
    if (!(hi.x >= 0.0 && hi.y >= 0.0 && hi.z >= 0.0)) return false;
    box = cdi_boxed_of(o, d, lo, hi);
    return cdi_cast_box(c, &box, &frame, hit);
}

CDI_CASTS(aabb, cd_aabb, box);
CDI_CASTS(obb, const cd_obb *, box);
