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
    return cdi_v3_finite(c->o) && cdi_v3_finite(c->d) && cdi_finite(c->t_min) && c->t_min <= c->t_max;
}

CDI_FN bool cdi_hit_write(cd_hit *hit, double t, cdi_v3 point, cdi_v3 normal, uint32_t face, uint32_t flags) {
    if (!cdi_finite(t) || !cdi_v3_finite(point) || !cdi_v3_finite(normal) || cdi_v3_is_zero(normal))
        return false;
    if (!hit) return true;
    cdi_clear(hit, sizeof *hit);
    hit->t = (cd_real)t;
    hit->point = cdi_v3_round(point);
    hit->normal = cdi_v3_round(normal);
    hit->feature = CD_FEATURE(3u, face);
    hit->flags = flags;
    return true;
}

/* ---- plane ---- */

static bool cdi_cast_plane(const cdi_cast *c, cd_plane plane, cd_hit *hit) {
    cdi_v3 n, o = cdi_v3_along(c->o, c->d, c->t_min);
    double height = -cdi_plane_height(plane, o, &n), speed = cdi_v3_dot(n, c->d), t = c->t_min;
    bool back = speed > 0.0 || (speed == 0.0 && height < 0.0);
    uint32_t flags = back ? (uint32_t)CD_HIT_BACK : 0u;
    if (!cd_plane_is_valid(&plane)) return false;
    if (c->flags & (back ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) return false;
    if (height == 0.0) {
        if (c->flags & CD_CAST_START_IGNORE) return false;
        if ((c->flags & CD_CAST_START_LEAVING) && speed != 0.0) return false;
        flags |= (uint32_t)CD_HIT_START;
    } else {
        if (speed == 0.0) return false;
        t = c->t_min + height / speed;
        if (!(t >= c->t_min && t <= c->t_max)) return false;
    }
    n = cdi_v3_normalize(n);
    return cdi_hit_write(hit, t, cdi_v3_along(c->o, c->d, t), back ? cdi_v3_neg(n) : n, 0, flags);
}

CD_API bool cd_cast_ray_plane(const cd_ray *r, cd_real t_max, cd_plane plane, const cd_cast_options *options,
                              cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin(&c, r, t_max, options) && cdi_cast_plane(&c, plane, hit);
}

CD_API bool cd_cast_segment_plane(const cd_segment *s, cd_plane plane, const cd_cast_options *options,
                                  cd_hit *hit) {
    cdi_cast c;
    cd_ray r;
    r.origin = s->a;
    r.dir = s->b;
    if (!cdi_cast_begin(&c, &r, 1, options)) return false;
    c.d = cdi_v3_sub(c.d, c.o); /* in double, not rounded */
    return cdi_cast_plane(&c, plane, hit);
}

/* ---- solids in general ---- */

CDI_FN cdi_contact cdi_cast_solid(const cdi_cast *c, const cdi_span *span) {
    if (!(span->out >= c->t_min && span->in <= c->t_max)) return CDI_CONTACT_NONE;
    if (c->flags & CD_CAST_CULL_FRONT) {
        if ((c->flags & CD_CAST_CULL_BACK) || span->out > c->t_max) return CDI_CONTACT_NONE;
        return CDI_CONTACT_OUT;
    }
    if (span->in >= c->t_min) return CDI_CONTACT_IN;
    return c->flags & CD_CAST_START_IGNORE ? CDI_CONTACT_NONE : CDI_CONTACT_START;
}

CDI_FN bool cdi_hit_start(const cdi_cast *c, cdi_v3 out, double depth, uint32_t face, cd_hit *hit) {
    cdi_v3 against = cdi_v3_normalize(cdi_v3_neg(c->d));
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

/* Half a chord to each side of the point nearest to the centre. */
CDI_FN bool cdi_line_sphere(cdi_v3 o, cdi_v3 d, double radius, cdi_span *span) {
    double dd = cdi_v3_sqlength(d), middle, half;
    cdi_v3 nearest;
    span->face_in = span->face_out = 0;
    if (dd == 0.0) {
        span->in = -CDI_HUGE;
        span->out = CDI_HUGE;
        return cdi_v3_sqlength(o) <= radius * radius;
    }
    middle = -cdi_v3_dot(o, d) / dd;
    nearest = cdi_v3_along(o, d, middle);
    half = radius * radius - cdi_v3_sqlength(nearest);
    if (!(half >= 0.0)) return false;
    half = cdi_sqrt(half / dd);
    span->in = middle - half;
    span->out = middle + half;
    return true;
}

CD_API bool cd_cast_ray_sphere(const cd_ray *r, cd_real t_max, cd_sphere s, const cd_cast_options *options,
                               cd_hit *hit) {
    cdi_cast c;
    cdi_span span;
    cdi_contact contact;
    cdi_v3 from_center, normal;
    double radius = (double)s.radius, t;
    if (!cdi_cast_begin(&c, r, t_max, options) || !cd_sphere_is_valid(s)) return false;
    from_center = cdi_v3_sub(c.o, cdi_v3_of(s.center));
    if (!cdi_line_sphere(from_center, c.d, radius, &span)) return false;
    contact = cdi_cast_solid(&c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    t = contact == CDI_CONTACT_IN ? span.in : contact == CDI_CONTACT_OUT ? span.out : c.t_min;
    from_center = cdi_v3_along(from_center, c.d, t);
    normal = cdi_v3_normalize(from_center);
    if (cdi_v3_is_zero(normal))
        normal = cdi_v3_normalize(cdi_v3_neg(c.d)); /* at the very centre, or radius 0 */
    if (cdi_v3_is_zero(normal)) normal = cdi_v3_make(1.0, 0.0, 0.0);
    if (contact == CDI_CONTACT_START)
        return cdi_hit_start(&c, normal, radius - cdi_v3_length(from_center), 0, hit);
    return cdi_hit_write(hit, t, cdi_v3_along(cdi_v3_of(s.center), normal, radius),
                         contact == CDI_CONTACT_IN ? normal : cdi_v3_neg(normal), 0,
                         contact == CDI_CONTACT_IN ? 0u : (uint32_t)CD_HIT_BACK);
}

/* ---- boxes ---- */

/* One axis of the slab test, in units the exact test can come back to. */
typedef struct cdi_slab {
    double near_side, far_side; /* the planes in the order the line meets them */
    double o, d;
} cdi_slab;

/* Does the line enter slab a no later than it leaves slab b? Exact: (near_a - o_a) / d_a <= (far_b - o_b) / d_b. */
static CDI_COLD bool cdi_enters_before(const cdi_slab *a, const cdi_slab *b) {
    cdi_diff m[2][2];
    double det;
    m[0][0] = cdi_diff_of(a->near_side, a->o);
    m[0][1] = cdi_diff_of(b->far_side, b->o);
    m[1][0] = cdi_diff_of(a->d, 0.0);
    m[1][1] = cdi_diff_of(b->d, 0.0);
    det = cdi_det2_exact(m);
    return (a->d < 0.0) == (b->d < 0.0) ? det <= 0.0 : det >= 0.0;
}

static CDI_COLD bool cdi_slabs_meet(const cdi_slab *slab, int count) {
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            if (i != j && !cdi_enters_before(&slab[i], &slab[j])) return false;
        }
    }
    return true;
}

CDI_FN bool cdi_line_box(cdi_v3 o3, cdi_v3 d3, cdi_v3 lo3, cdi_v3 hi3, cdi_span *span) {
    double o[3], d[3], lo[3], hi[3], slack;
    cdi_slab slab[3];
    int count = 0;
    cdi_v3_store(o, o3);
    cdi_v3_store(d, d3);
    cdi_v3_store(lo, lo3);
    cdi_v3_store(hi, hi3);
    span->in = -CDI_HUGE;
    span->out = CDI_HUGE;
    span->face_in = span->face_out = 0;
    for (int i = 0; i < 3; ++i) {
        int back = d[i] < 0.0;
        cdi_slab s;
        double in, out;
        if (d[i] == 0.0) {
            if (!(lo[i] <= o[i] && o[i] <= hi[i])) return false;
            continue;
        }
        s.near_side = back ? hi[i] : lo[i];
        s.far_side = back ? lo[i] : hi[i];
        s.o = o[i];
        s.d = d[i];
        slab[count++] = s;
        in = (s.near_side - o[i]) / d[i];
        out = (s.far_side - o[i]) / d[i];
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

/* A box in a frame of its own, the ray taken there. */
typedef struct cdi_boxed {
    double lo[3], hi[3];
    cdi_v3 o, d;
} cdi_boxed;

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

/* Does the ray surely miss the box? The slabs by inverses, which are sooner done and off by three roundings. */
static bool cdi_box_missed(const cdi_cast *c, const cdi_boxed *b) {
    double in = c->t_min, out = c->t_max;
    for (int i = 0; i < 3; ++i) {
        double o = cdi_v3_get(b->o, i), d = cdi_v3_get(b->d, i), inverse, p, q;
        if (!(cdi_abs(d) > 1e-290 && cdi_abs(d) < 1e290)) continue; /* an inverse without all digits */
        inverse = 1.0 / d;
        p = (b->lo[i] - o) * inverse;
        q = (b->hi[i] - o) * inverse;
        in = cdi_max(cdi_min(p, q), in);
        out = cdi_min(cdi_max(p, q), out);
    }
    return in > out + (2e-15 * (cdi_abs(in) + cdi_abs(out)) + 1e-290);
}

/* The cast in the box's frame; `frame` takes normals and points back. */
static bool cdi_cast_box(const cdi_cast *c, const cdi_boxed *b, const cdi_obb *frame, cd_hit *hit) {
    cdi_v3 lo = cdi_v3_make(b->lo[0], b->lo[1], b->lo[2]), hi = cdi_v3_make(b->hi[0], b->hi[1], b->hi[2]), n;
    cdi_span span;
    cdi_contact contact;
    double t = 0.0, depth = 0.0;
    int face;
    if (cdi_box_missed(c, b) || !cdi_line_box(b->o, b->d, lo, hi, &span)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    if (contact == CDI_CONTACT_START) {
        face = cdi_nearest_face(b, cdi_v3_along(b->o, b->d, c->t_min), &depth);
    } else {
        face = contact == CDI_CONTACT_IN ? span.face_in : span.face_out;
        t = contact == CDI_CONTACT_IN ? span.in : span.out;
    }
    n = cdi_v3_normalize(frame->axes.c[face / 2]);
    if (!(face & 1)) n = cdi_v3_neg(n);
    if (contact == CDI_CONTACT_START) return cdi_hit_start(c, n, depth, (uint32_t)face, hit);
    return cdi_hit_write(hit, t, cdi_obb_world(frame, cdi_on_face(b, face, t)),
                         contact == CDI_CONTACT_IN ? n : cdi_v3_neg(n), (uint32_t)face,
                         contact == CDI_CONTACT_IN ? 0u : (uint32_t)CD_HIT_BACK);
}

CD_API bool cd_cast_ray_aabb(const cd_ray *r, cd_real t_max, cd_aabb b, const cd_cast_options *options,
                             cd_hit *hit) {
    cdi_cast c;
    cdi_boxed box;
    cdi_obb world;
    cd_obb unit;
    if (!cdi_cast_begin(&c, r, t_max, options) || !cd_aabb_is_valid(b)) return false;
    cdi_clear(&unit, sizeof unit);
    unit.axes = cd_mat3_identity();
    world = cdi_obb_of(&unit);
    cdi_v3_store(box.lo, cdi_v3_of(b.min));
    cdi_v3_store(box.hi, cdi_v3_of(b.max));
    box.o = c.o;
    box.d = c.d;
    return cdi_cast_box(&c, &box, &world, hit);
}

CD_API bool cd_cast_ray_obb(const cd_ray *r, cd_real t_max, const cd_obb *b, const cd_cast_options *options,
                            cd_hit *hit) {
    cdi_cast c;
    cdi_boxed box;
    cdi_obb d = cdi_obb_of(b);
    if (!cdi_cast_begin(&c, r, t_max, options) || !cdi_obb_finite(&d)) return false;
    for (int i = 0; i < 3; ++i) {
        if (!(d.half[i] >= 0.0)) return false;
        box.lo[i] = -d.half[i];
        box.hi[i] = d.half[i];
    }
    box.o = cdi_obb_local(&d, c.o);
    box.d = cdi_m3_tmul_v3(&d.axes, c.d);
    return cdi_cast_box(&c, &box, &d, hit);
}
