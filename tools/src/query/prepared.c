#include "query/prepared.h"
#include "query/ray3d.h"

/* ---- there and back ---- */

CD_API bool cd_ray_prepare(const cd_ray *r, cd_real t_max, const cd_cast_options *options,
                           cd_prepared_ray *out) {
    cdi_cast c;
    cdi_ray ray;
    cdi_clear(out, sizeof *out);
    if (!cdi_cast_begin(&c, r, t_max, options)) return false;
    cdi_clear(&ray, sizeof ray);
    out->ready = 1;
    if (!cdi_ray_prepare(&ray, &c)) ray.kx = ray.ky = ray.kz = 0; /* no direction */
    for (int i = 0; i < 3; ++i) {
        double size = cdi_abs(ray.inv[i]);
        out->origin[i] = cdi_v3_get(c.o, i);
        out->dir[i] = cdi_v3_get(c.d, i);
        out->inverse[i] = ray.inv[i];
        if (out->dir[i] != 0.0 && !(size > 1e-290 && size < 1e290)) out->ready = 2;
    }
    out->shear[0] = ray.sx;
    out->shear[1] = ray.sy;
    out->shear[2] = ray.sz;
    out->axis[0] = (uint32_t)ray.kx;
    out->axis[1] = (uint32_t)ray.ky;
    out->axis[2] = (uint32_t)ray.kz;
    out->t_min = c.t_min;
    out->t_max = c.t_max;
    out->flags = c.flags;
    return true;
}

/* As cdi_cast_begin made it; false where there is nothing to cast. */
static bool cdi_cast_begin_prepared(cdi_cast *c, const cd_prepared_ray *r) {
    cdi_clear(c, sizeof *c);
    c->o = cdi_v3_make(r->origin[0], r->origin[1], r->origin[2]);
    c->d = cdi_v3_make(r->dir[0], r->dir[1], r->dir[2]);
    c->t_min = c->base = r->t_min;
    c->t_max = r->t_max;
    c->flags = r->flags;
    return r->ready != 0 && r->t_min <= r->t_max;
}

/* As cdi_ray_prepare made it. */
CDI_INLINE cdi_ray cdi_ray_of_prepared(const cd_prepared_ray *r) {
    cdi_ray ray;
    for (int i = 0; i < 3; ++i) {
        ray.o[i] = r->origin[i];
        ray.d[i] = r->dir[i];
        ray.inv[i] = r->inverse[i];
    }
    ray.kx = (int)r->axis[0];
    ray.ky = (int)r->axis[1];
    ray.kz = (int)r->axis[2];
    ray.sx = r->shear[0];
    ray.sy = r->shear[1];
    ray.sz = r->shear[2];
    ray.origin = cdi_v3_make(r->origin[0], r->origin[1], r->origin[2]);
    ray.dir = cdi_v3_make(r->dir[0], r->dir[1], r->dir[2]);
    ray.t_min = r->t_min;
    return ray;
}

/* ---- triangles ---- */

CD_API bool cd_cast_prepared_triangle(const cd_prepared_ray *r, const cd_triangle *t, cd_hit *hit) {
    cdi_tri d = cdi_tri_of(t);
    cdi_ray ray = cdi_ray_of_prepared(r);
    cdi_tri_hit h;
    if (r->ready == 0 || !(r->t_min <= r->t_max) || r->shear[2] == 0.0) return false;
    return cdi_ray_tri(&ray, &d, r->flags, r->t_max, &h) && cdi_tri_hit_write(hit, &h, &d, &ray, 0);
}

/* ---- boxes ---- */

/* By reciprocals, each t being good to 3 roundings: does the ray miss the box for certain (-1), meet it for certain (1), or
 * is it too close to call? */
static int cdi_guess_box(const cd_prepared_ray *r, const cd_aabb *box) {
    double lo[3], hi[3], in = -CDI_HUGE, out = CDI_HUGE, slack;
    if (r->ready != 1) return r->ready == 0 ? -1 : 0;
    cdi_v3_store(lo, cdi_v3_of(box->min));
    cdi_v3_store(hi, cdi_v3_of(box->max));
    for (int i = 0; i < 3; ++i) {
        double o = r->origin[i], p, q;
        if (r->dir[i] == 0.0) {
            if (!(lo[i] <= o && o <= hi[i])) return -1;
            continue;
        }
        p = (lo[i] - o) * r->inverse[i];
        q = (hi[i] - o) * r->inverse[i];
        in = cdi_max(cdi_min(p, q), in);
        out = cdi_min(cdi_max(p, q), out);
    }
    slack = 1e-15 * (cdi_min(cdi_abs(in), 1e300) + cdi_min(cdi_abs(out), 1e300)) + 1e-300;
    if (in > out + slack || out < r->t_min - slack || in > r->t_max + slack) return -1;
    return in < out - slack && out > r->t_min + slack && in < r->t_max - slack ? 1 : 0;
}

CD_API bool cd_cast_prepared_aabb(const cd_prepared_ray *r, cd_aabb box, cd_hit *hit) {
    cdi_cast c;
    return cdi_guess_box(r, &box) >= 0 && cdi_cast_begin_prepared(&c, r) && cdi_cast_aabb(&c, box, hit);
}

CD_API bool cd_test_prepared_aabb(const cd_prepared_ray *r, cd_aabb box, cd_real *t_in, cd_real *t_out) {
    cdi_cast c;
    cdi_span span;
    int guess = cdi_guess_box(r, &box);
    if (guess < 0 || !cd_aabb_is_valid(box) || !cdi_cast_begin_prepared(&c, r)) return false;
    if (guess > 0 && !t_in && !t_out) return true;
    if (!cdi_line_box(c.o, c.d, cdi_v3_of(box.min), cdi_v3_of(box.max), &span)) return false;
    if (!(span.out >= c.t_min && span.in <= c.t_max)) return false;
    if (t_in) *t_in = (cd_real)cdi_max(span.in, c.t_min);
    if (t_out) *t_out = (cd_real)cdi_min(span.out, c.t_max);
    return true;
}
