#include "query/kdop.h"
#include "core/orient.h"
#include "query/cast3d.h"
#include "shape/kdop3d.h"

/* ---- points and slabs ---- */

static bool cdi_slab_holds(cd_vec3 n, cd_real lo, cd_real hi, cdi_v3 p) {
    cdi_v3 d = cdi_v3_of(n);
    if (!cdi_finite((double)lo) || !cdi_finite((double)hi) || !cdi_v3_finite(d)) return false;
    return cdi_plane_side(d, (double)lo, p) >= 0 && cdi_plane_side(d, (double)hi, p) <= 0;
}

CD_API bool cd_test_point_slabs(cd_vec3 p, const cd_slab *slabs, size_t count) {
    if (!cd_vec3_is_valid(p)) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_slab_holds(slabs[i].n, slabs[i].min, slabs[i].max, cdi_v3_of(p))) return false;
    }
    return true;
}

CD_API bool cd_test_slabs_slabs(const cd_slab *a, const cd_slab *b, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!(a[i].min <= b[i].max && b[i].min <= a[i].max && a[i].min <= a[i].max && b[i].min <= b[i].max))
            return false;
    }
    return true;
}

CD_API bool cd_test_point_kdop(cd_vec3 p, const cd_kdop *dop, const cd_kdop_set *set) {
    if (!cd_vec3_is_valid(p) || dop->count != set->count || dop->count == 0 || dop->count > CD_KDOP_AXES)
        return false;
    for (uint32_t i = 0; i < dop->count; ++i) {
        if (!cdi_slab_holds(set->axis[i], dop->min[i], dop->max[i], cdi_v3_of(p))) return false;
    }
    return true;
}

/* ---- k-DOPs against each other ---- */

CD_API bool cd_test_kdop_kdop(const cd_kdop *a, const cd_kdop *b) {
    uint32_t count = a->count;
    if (count != b->count || count == 0 || count > CD_KDOP_AXES) return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (!(a->min[i] <= b->max[i] && b->min[i] <= a->max[i])) return false;
    }
    return a->min[0] <= a->max[0] && b->min[0] <= b->max[0]; /* not cd_kdop_empty */
}

CD_API bool cd_test_kdop_kdop_cached(const cd_kdop *a, const cd_kdop *b, uint32_t *witness) {
    uint32_t w = *witness;
    if (w < a->count && w < b->count && w < CD_KDOP_AXES &&
        !(a->min[w] <= b->max[w] && b->min[w] <= a->max[w])) {
        return false;
    }
    if (cd_test_kdop_kdop(a, b)) return true;
    for (w = 0; w < a->count && w < b->count && w < CD_KDOP_AXES; ++w) {
        if (a->min[w] <= b->max[w] && b->min[w] <= a->max[w]) continue;
        *witness = w;
        break;
    }
    return false;
}

/* ---- k-DOPs against others ---- */

static bool cdi_kdop_reaches(const cd_kdop *dop, const cd_kdop_set *set, cdi_v3 n, double d) {
    cdi_kdop_program p;
    cdi_lp_answer a;
    if (!cdi_kdop_begin(&p, dop, set)) return false;
    p.side[p.count].n = n;
    p.side[p.count++].d = d;
    return cdi_kdop_solve(&p, cdi_v3_make(0.0, 0.0, 0.0), &a);
}

CD_API bool cd_test_kdop_halfspace(const cd_kdop *dop, const cd_kdop_set *set, cd_plane plane) {
    return cd_plane_is_valid(&plane) && cdi_kdop_reaches(dop, set, cdi_v3_of(plane.n), (double)plane.d);
}

CD_API bool cd_test_kdop_plane(const cd_kdop *dop, const cd_kdop_set *set, cd_plane plane) {
    return cd_test_kdop_halfspace(dop, set, plane) &&
           cdi_kdop_reaches(dop, set, cdi_v3_neg(cdi_v3_of(plane.n)), 0.0 - (double)plane.d);
}

/* The k-DOP of the other shape is beyond the range: nothing can be said against their meeting. */
static bool cdi_kdop_meets(const cd_kdop *dop, const cd_kdop_set *set, const cd_kdop *other,
                           cd_status status) {
    if (status == CD_TOO_LARGE) return cd_kdop_is_valid(dop, set);
    return status == CD_OK && dop->count == set->count && cd_test_kdop_kdop(dop, other);
}

CD_API bool cd_test_sphere_kdop(cd_sphere s, const cd_kdop *dop, const cd_kdop_set *set) {
    cd_kdop other;
    cd_status status = cd_kdop_from_sphere(s, set, &other);
    return cdi_kdop_meets(dop, set, &other, status);
}

CD_API bool cd_test_kdop_aabb(const cd_kdop *dop, const cd_kdop_set *set, cd_aabb b) {
    cd_kdop other;
    cd_status status = cd_kdop_from_aabb(b, set, &other);
    return cdi_kdop_meets(dop, set, &other, status);
}

CD_API bool cd_test_kdop_obb(const cd_kdop *dop, const cd_kdop_set *set, const cd_obb *b) {
    cd_kdop other;
    cd_status status = cd_kdop_from_obb(b, set, &other);
    return cdi_kdop_meets(dop, set, &other, status);
}

CD_API bool cd_test_triangle_kdop(const cd_triangle *t, const cd_kdop *dop, const cd_kdop_set *set) {
    cd_kdop other;
    cd_vec3 corner[3];
    cd_status status;
    corner[0] = t->a;
    corner[1] = t->b;
    corner[2] = t->c;
    status = cd_kdop_from_points(corner, 3, set, &other);
    return cdi_kdop_meets(dop, set, &other, status);
}

/* ---- rays ---- */

/* Narrows the span to one slab; false when the line misses it. */
static bool cdi_span_in_slab(const cdi_cast *c, const cd_slab *s, int number, cdi_span *span) {
    cdi_v3 n = cdi_v3_of(s->n);
    double speed = cdi_v3_dot(n, c->d), from = cdi_v3_dot(n, c->o), in, out;
    int back = speed < 0.0;
    if (speed == 0.0) return cdi_slab_holds(s->n, s->min, s->max, c->o);
    in = ((double)(back ? s->max : s->min) - from) / speed;
    out = ((double)(back ? s->min : s->max) - from) / speed;
    if (in > span->in) {
        span->in = in;
        span->face_in = 2 * number + back;
    }
    if (out < span->out) {
        span->out = out;
        span->face_out = 2 * number + !back;
    }
    return span->in <= span->out;
}

static cdi_side cdi_face_of_slabs(const cd_slab *slabs, int face) {
    const cd_slab *s = &slabs[face / 2];
    return cdi_slab_side(s->n, s->min, s->max, face % 2 != 0);
}

static int cdi_nearest_slab_face(const cd_slab *slabs, int count, cdi_v3 p, double *depth) {
    int face = 0;
    *depth = CDI_HUGE;
    for (int i = 0; i < 2 * count; ++i) {
        cdi_side s = cdi_face_of_slabs(slabs, i);
        double way = cdi_side_depth(&s, p);
        if (way < *depth) {
            *depth = way;
            face = i;
        }
    }
    return face;
}

static bool cdi_cast_slabs_at(const cdi_cast *c, const cd_slab *slabs, int count, const cdi_span *span,
                              cd_hit *hit) {
    cdi_contact contact = cdi_cast_solid(c, span);
    cdi_side s;
    cdi_v3 n, p;
    double t, depth;
    int face;
    if (contact == CDI_CONTACT_NONE) return false;
    if (contact == CDI_CONTACT_START) {
        face = cdi_nearest_slab_face(slabs, count, cdi_v3_along(c->o, c->d, c->t_min), &depth);
        n = cdi_v3_normalize(cdi_face_of_slabs(slabs, face).n);
        return cdi_hit_start(c, n, depth, (uint32_t)face, hit);
    }
    face = contact == CDI_CONTACT_IN ? span->face_in : span->face_out;
    t = contact == CDI_CONTACT_IN ? span->in : span->out;
    s = cdi_face_of_slabs(slabs, face);
    n = cdi_v3_normalize(s.n);
    p = cdi_v3_along(c->o, c->d, t);
    p = cdi_v3_along(p, n, cdi_side_depth(&s, p)); /* onto the plane */
    return cdi_hit_write(hit, t, p, contact == CDI_CONTACT_IN ? n : cdi_v3_neg(n), (uint32_t)face,
                         cdi_contact_flags(c, contact, t));
}

static bool cdi_cast_slabs(const cdi_cast *c, const cd_slab *slabs, size_t count, cd_hit *hit) {
    cdi_span span;
    if (count == 0 || count > 0x0FFFFFFFu || !cd_slabs_is_valid(slabs, count)) return false;
    span.in = -CDI_HUGE;
    span.out = CDI_HUGE;
    span.face_in = span.face_out = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_span_in_slab(c, &slabs[i], (int)i, &span)) return false;
    }
    return cdi_cast_slabs_at(c, slabs, (int)count, &span, hit);
}

CD_API bool cd_cast_ray_slabs(const cd_ray *r, cd_real t_max, const cd_slab *slabs, size_t count,
                              const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin(&c, r, t_max, options) && cdi_cast_slabs(&c, slabs, count, hit);
}

CD_API bool cd_cast_segment_slabs(const cd_segment *s, const cd_slab *slabs, size_t count,
                                  const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin_segment(&c, s, options) && cdi_cast_slabs(&c, slabs, count, hit);
}

CD_API bool cd_cast_line_slabs(const cd_line *l, const cd_slab *slabs, size_t count,
                               const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin_line(&c, l, options) && cdi_cast_slabs(&c, slabs, count, hit);
}

CD_API bool cd_cast_ray_kdop(const cd_ray *r, cd_real t_max, const cd_kdop *dop, const cd_kdop_set *set,
                             const cd_cast_options *options, cd_hit *hit) {
    cd_slab slabs[CD_KDOP_AXES];
    return cd_cast_ray_slabs(r, t_max, slabs, cd_slabs_from_kdop(dop, set, slabs), options, hit);
}

CD_API bool cd_cast_segment_kdop(const cd_segment *s, const cd_kdop *dop, const cd_kdop_set *set,
                                 const cd_cast_options *options, cd_hit *hit) {
    cd_slab slabs[CD_KDOP_AXES];
    return cd_cast_segment_slabs(s, slabs, cd_slabs_from_kdop(dop, set, slabs), options, hit);
}

CD_API bool cd_cast_line_kdop(const cd_line *l, const cd_kdop *dop, const cd_kdop_set *set,
                              const cd_cast_options *options, cd_hit *hit) {
    cd_slab slabs[CD_KDOP_AXES];
    return cd_cast_line_slabs(l, slabs, cd_slabs_from_kdop(dop, set, slabs), options, hit);
}
