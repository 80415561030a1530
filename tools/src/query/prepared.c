#include "query/prepared.h"
#include "query/ray3d.h"

/* ---- there and back ---- */

CD_API bool cd_ray_prepare(const cd_ray *r, cd_real t_max, const cd_cast_options *options,
                           cd_prepared_ray *out) {
    cdi_cast c;
    cdi_clear(out, sizeof *out);
    if (!cdi_cast_begin(&c, r, t_max, options)) return false;
    cdi_ray_prepare(out, &c); /* without a direction there is nothing more */
    out->ready = 1;
    for (int i = 0; i < 3; ++i) {
        double size = cdi_abs(out->inverse[i]);
        if (out->dir[i] != 0.0 && !(size > 1e-290 && size < 1e290)) out->ready = 2;
    }
    out->t_max = c.t_max;
    out->flags = c.flags;
    return true;
}

/* As cdi_cast_begin made it; false where there is nothing to cast. */
static bool cdi_cast_begin_prepared(cdi_cast *c, const cd_prepared_ray *r) {
    cdi_clear(c, sizeof *c);
    c->o = cdi_ray_origin(r);
    c->d = cdi_ray_dir(r);
    c->t_min = c->base = r->t_min;
    c->t_max = r->t_max;
    c->flags = r->flags;
    return r->ready != 0 && r->t_min <= r->t_max;
}

/* ---- triangles ---- */

CD_API bool cd_cast_prepared_triangle(const cd_prepared_ray *r, const cd_triangle *t, cd_hit *hit) {
    cdi_tri d = cdi_tri_of(t);
    cdi_tri_hit h;
    if (r->ready == 0 || !(r->t_min <= r->t_max) || r->shear[2] == 0.0) return false;
    if (cdi_line_misses(cdi_ray_origin(r), cdi_ray_dir(r), &d)) return false;
    return cdi_ray_tri(r, &d, r->flags, r->t_max, &h) && cdi_tri_hit_write(hit, &h, &d, r, 0);
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
