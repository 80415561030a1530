#include "query/ray3d.h"

CDI_FN bool cdi_ray_prepare(cdi_ray *r, const cdi_cast *c) {
    const double *d = r->dir;
    uint32_t x, y, z = 0;
    r->t_min = c->t_min;
    cdi_v3_store(r->origin, c->o);
    cdi_v3_store(r->dir, c->d);
    if (cdi_v3_is_zero(c->d)) return false;
    for (uint32_t i = 0; i < 3; ++i) {
        r->inverse[i] = d[i] != 0.0 ? 1.0 / d[i] : 0.0;
        if (cdi_abs(d[i]) > cdi_abs(d[z])) z = i;
    }
    x = (z + (d[z] < 0.0 ? 2u : 1u)) % 3u; /* keeps the handedness of the sheared frame */
    y = 3u - z - x;
    r->axis[0] = x;
    r->axis[1] = y;
    r->axis[2] = z;
    r->shear[0] = d[x] / d[z];
    r->shear[1] = d[y] / d[z];
    r->shear[2] = r->inverse[z];
    return true;
}

/* ---- which side of the three edges the line passes ---- */

/* The weights of the corners, up to a common factor: the products det [d; c-o; b-o], det [d; a-o; c-o] and
 * det [d; b-o; a-o]. All >= 0: the line meets the front; all <= 0: the back. */
typedef struct cdi_edge_sides {
    double a, b, c;
} cdi_edge_sides;

static bool cdi_sides_agree(const cdi_edge_sides *s) {
    return (s->a >= 0.0 && s->b >= 0.0 && s->c >= 0.0) || (s->a <= 0.0 && s->b <= 0.0 && s->c <= 0.0);
}

/* The signs exactly; on a hit also the values, which near an edge or for a needle were mostly rounding. */
static CDI_COLD bool cdi_sides_exact(const cdi_ray *r, const cdi_tri *t, cdi_edge_sides *s) {
    if (!cdi_tri_finite(t)) return false;
    s->a = cdi_orient_line(cdi_ray_origin(r), cdi_ray_dir(r), t->v[2], t->v[1]);
    s->b = cdi_orient_line(cdi_ray_origin(r), cdi_ray_dir(r), t->v[0], t->v[2]);
    s->c = cdi_orient_line(cdi_ray_origin(r), cdi_ray_dir(r), t->v[1], t->v[0]);
    if (!cdi_sides_agree(s) || (s->a == 0.0 && s->b == 0.0 && s->c == 0.0))
        return false; /* all 0: in the plane */
    s->a = cdi_orient_line_exact(cdi_ray_origin(r), cdi_ray_dir(r), t->v[2], t->v[1]);
    s->b = cdi_orient_line_exact(cdi_ray_origin(r), cdi_ray_dir(r), t->v[0], t->v[2]);
    s->c = cdi_orient_line_exact(cdi_ray_origin(r), cdi_ray_dir(r), t->v[1], t->v[0]);
    return true;
}

static cdi_sheared cdi_shear_corner(const cdi_ray *r, cdi_v3 p) {
    double q[3];
    q[0] = p.x - r->origin[0];
    q[1] = p.y - r->origin[1];
    q[2] = p.z - r->origin[2];
    return cdi_shear(r, q[r->axis[0]], q[r->axis[1]], q[r->axis[2]]);
}

/* ---- how far along the ray ---- */

/* Is the plane met behind the origin (-1), at it (0), ahead of it (+1)? Exact. */
static int cdi_side_of_origin(const cdi_ray *r, const cdi_tri *t, bool back) {
    int below = cdi_sign(cdi_orient3d(t->v[0], t->v[1], t->v[2], cdi_ray_origin(r)));
    return back ? below : -below;
}

/* The features by which weights are 0: two of them a vertex, one the edge across. */
static uint32_t cdi_feature_of_sides(const cdi_edge_sides *s) {
    if (s->b == 0.0 && s->c == 0.0) return CD_FEATURE(1u, 0u);
    if (s->c == 0.0 && s->a == 0.0) return CD_FEATURE(1u, 1u);
    if (s->a == 0.0 && s->b == 0.0) return CD_FEATURE(1u, 2u);
    if (s->c == 0.0) return CD_FEATURE(2u, 0u);
    if (s->a == 0.0) return CD_FEATURE(2u, 1u);
    if (s->b == 0.0) return CD_FEATURE(2u, 2u);
    return CD_FEATURE(3u, 0u);
}

/* The weights made a hit; false where culled. */
static bool cdi_hit_from_sides(const cdi_edge_sides *s, uint32_t flags, cdi_tri_hit *hit) {
    double sum = s->a + s->b + s->c;
    if (!cdi_finite(sum)) return false; /* far outside the domain */
    if (flags & (sum < 0.0 ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) return false;
    hit->u = s->b / sum;
    hit->v = s->c / sum;
    hit->feature = cdi_feature_of_sides(s);
    hit->flags = sum < 0.0 ? (uint32_t)CD_HIT_BACK : 0u;
    return true;
}

CDI_FN bool cdi_tri_hit_of_sides(const double sides[3], uint32_t flags, cdi_tri_hit *hit) {
    cdi_edge_sides s;
    s.a = sides[0], s.b = sides[1], s.c = sides[2];
    return cdi_hit_from_sides(&s, flags, hit);
}

/* The hit of a line whose sides agree: `sure` by their bound, else by exact signs. */
static bool cdi_ray_tri_hit(const cdi_ray *r, const cdi_tri *t, const double z[3], cdi_edge_sides *s,
                            bool sure, uint32_t flags, double t_max, cdi_tri_hit *hit) {
    bool ahead = z[0] * r->shear[2] > 0.0 && z[1] * r->shear[2] > 0.0 && z[2] * r->shear[2] > 0.0;
    int side = 1;
    cdi_tri_hit h;
    if (!sure && !cdi_sides_exact(r, t, s)) return false;
    if (!cdi_hit_from_sides(s, flags, &h)) return false;
    /* The depths by their weights are good only when the weights are exact. */
    h.t = sure ? cdi_plane_parameter(r, cdi_tri_cross(t), t->v[0])
               : (s->a * z[0] + s->b * z[1] + s->c * z[2]) / (s->a + s->b + s->c) * r->shear[2];
    h.t = cdi_round_parameter(cdi_clamp_to_bounds(r, t, h.t));
    if (!ahead) {
        side = cdi_side_of_origin(r, t, (h.flags & (uint32_t)CD_HIT_BACK) != 0);
        if (side < 0 && r->t_min >= 0.0) return false;
        if (side != 0 && h.t != h.t) return false; /* beyond what can be written */
        h.t = side == 0 ? 0.0 : side < 0 ? cdi_min(h.t, 0.0) : cdi_max(h.t, 0.0);
    }
    if (!(h.t >= r->t_min && h.t <= t_max)) return false;
    if (h.t == r->t_min && (side == 0 || r->t_min != 0.0)) {
        if (flags & (CD_CAST_START_IGNORE | CD_CAST_START_LEAVING)) return false;
        h.flags |= (uint32_t)CD_HIT_START;
    }
    *hit = h;
    return true;
}

CDI_FN bool cdi_ray_tri(const cdi_ray *r, const cdi_tri *t, uint32_t flags, double t_max, cdi_tri_hit *hit) {
    cdi_ray_look l;
    cdi_edge_sides s;
    if (!cdi_ray_look_at(cdi_shear_corner(r, t->v[0]), cdi_shear_corner(r, t->v[1]),
                         cdi_shear_corner(r, t->v[2]), &l))
        return false;
    s.a = l.side[0], s.b = l.side[1], s.c = l.side[2];
    return cdi_ray_tri_hit(r, t, l.z, &s, l.sure, flags, t_max, hit);
}

CDI_FN bool cdi_ray_tri_met(const cdi_ray *r, const cdi_tri *t, const double sides[3], const double z[3],
                            uint32_t flags, double t_max, cdi_tri_hit *hit) {
    cdi_edge_sides s;
    s.a = sides[0], s.b = sides[1], s.c = sides[2];
    return cdi_ray_tri_hit(r, t, z, &s, true, flags, t_max, hit);
}

/* ---- the public forms ---- */

CDI_FN bool cdi_tri_hit_write(cd_hit *out, const cdi_tri_hit *h, const cdi_tri *t, const cdi_ray *r,
                              uint32_t index) {
    cdi_v3 n = cdi_v3_unit(cdi_tri_cross(t)), p = cdi_v3_along(cdi_ray_origin(r), cdi_ray_dir(r), h->t);
    if (cdi_v3_is_zero(n) || !cdi_v3_finite(p) || !cdi_finite3(h->t, h->u, h->v)) return false;
    if (!out) return true;
    cdi_clear(out, sizeof *out);
    out->t = (cd_real)h->t;
    out->point = cdi_v3_round(p);
    out->normal = cdi_v3_round((h->flags & (uint32_t)CD_HIT_BACK) ? cdi_v3_neg(n) : n);
    out->u = (cd_real)h->u;
    out->v = (cd_real)h->v;
    out->feature = h->feature;
    out->index = index;
    out->flags = h->flags;
    return true;
}

/* The cast of a ray or line that was made ready. */
static bool cdi_cast_tri(const cdi_cast *c, const cd_triangle *t, cd_hit *hit) {
    cdi_tri d = cdi_tri_of(t);
    cdi_ray r;
    cdi_tri_hit h;
    if (cdi_line_misses(c->o, c->d, &d)) return false;
    if (!cdi_ray_prepare(&r, c) || !cdi_ray_tri(&r, &d, c->flags, c->t_max, &h)) return false;
    return cdi_tri_hit_write(hit, &h, &d, &r, 0);
}

CD_API bool cd_cast_ray_triangle(const cd_ray *r, cd_real t_max, const cd_triangle *t,
                                 const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin(&c, r, t_max, options) && cdi_cast_tri(&c, t, hit);
}

CD_API bool cd_cast_line_triangle(const cd_line *l, const cd_triangle *t, const cd_cast_options *options,
                                  cd_hit *hit) {
    cdi_cast c;
    return cdi_cast_begin_line(&c, l, options) && cdi_cast_tri(&c, t, hit);
}

/* The same three products for the line through two points. */
static void cdi_segment_sides(cdi_v3 p, cdi_v3 q, const cdi_tri *t, cdi_edge_sides *s) {
    s->a = cdi_orient3d_accurate(q, t->v[2], t->v[1], p);
    s->b = cdi_orient3d_accurate(q, t->v[0], t->v[2], p);
    s->c = cdi_orient3d_accurate(q, t->v[1], t->v[0], p);
}

CD_API bool cd_cast_segment_triangle(const cd_segment *s, const cd_triangle *t,
                                     const cd_cast_options *options, cd_hit *hit) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 p = cdi_v3_of(s->a), q = cdi_v3_of(s->b);
    double from = cdi_orient3d_accurate(d.v[0], d.v[1], d.v[2], p),
           to = cdi_orient3d_accurate(d.v[0], d.v[1], d.v[2], q);
    cdi_edge_sides sides;
    cdi_tri_hit h;
    cdi_ray r;
    if (!cd_segment_is_valid(s) || !cdi_tri_finite(&d)) return false;
    if ((from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || (from == 0.0 && to == 0.0)) return false;
    cdi_segment_sides(p, q, &d, &sides);
    if (!cdi_sides_agree(&sides) || !cdi_hit_from_sides(&sides, options ? options->flags : 0u, &h))
        return false;
    cdi_v3_store(r.origin, p);
    cdi_v3_store(r.dir, cdi_v3_sub(q, p));
    r.t_min = options ? (double)options->t_min : 0.0;
    h.t = from / (from - to);
    if (!(h.t >= r.t_min)) return false;
    if (from == 0.0 || (h.t == r.t_min && r.t_min > 0.0)) {
        if (options && (options->flags & (CD_CAST_START_IGNORE | CD_CAST_START_LEAVING))) return false;
        h.flags |= (uint32_t)CD_HIT_START;
    }
    return cdi_tri_hit_write(hit, &h, &d, &r, 0);
}
