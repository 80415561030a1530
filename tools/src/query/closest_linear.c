#include "query/closest_linear.h"
#include "query/flat3d.h"

static cdi_course cdi_course_line(const cd_line *l) {
    return cdi_course_of_ray(cdi_v3_of(l->origin), cdi_v3_of(l->dir), true);
}
static cdi_course cdi_course_ray(const cd_ray *r) {
    return cdi_course_of_ray(cdi_v3_of(r->origin), cdi_v3_of(r->dir), false);
}
static cdi_course cdi_course_segment(const cd_segment *s) {
    return cdi_course_of_segment(cdi_v3_of(s->a), cdi_v3_of(s->b));
}

static bool cdi_course_ends(const cdi_course *c) {
    return c->hi == 1.0 && cdi_v3_is_zero(cdi_v3_sub(c->from, c->start));
}

static double cdi_course_most(const cdi_course *c) {
    double most = cdi_v3_max_abs(c->start);
    return cdi_course_ends(c) ? cdi_max(most, cdi_v3_max_abs(c->to)) : most;
}

/* Times 2^shift, and a direction such that its squares stay in range. Parameters then are to be multiplied by 2 to the power
 * returned. */
static int cdi_course_tame(cdi_course *c, int shift) {
    cdi_v3 start = cdi_v3_scale2(c->start, shift);
    bool ends = cdi_course_ends(c);
    double length = cdi_v3_max_abs(c->to);
    int own = ends ? shift : length > 0.0 ? cdi_tame_shift(length) : 0;
    if (shift == 0 && own == 0) return 0;
    c->to = cdi_v3_scale2(c->to, own);
    *c = ends ? cdi_course_of_segment(start, c->to) : cdi_course_of_ray(start, c->to, c->lo < 0.0);
    return own - shift;
}

static uint32_t cdi_course_feature(const cdi_course *c, double t) {
    if (c->lo == 0.0 && t <= 0.0) return CD_FEATURE(1u, 0u);
    return c->hi == 1.0 && t >= 1.0 ? CD_FEATURE(1u, 1u) : CD_FEATURE(2u, 0u);
}

/* ---- with a point ---- */

/* The second foot is for the last digits of a point far along, which floats have not got. */
#ifdef COLLIDE_DOUBLE
#define CDI_FEET 2
#else
#define CDI_FEET 1
#endif
static cdi_bridge cdi_near_course(cdi_v3 p, const cdi_course *c) {
    cdi_v3 along = cdi_v3_sub(c->to, c->from), from = cdi_v3_sub(c->start, p);
    cdi_bridge r;
    cdi_clear(&r, sizeof r);
    r.a = p;
    for (int i = 0; i < CDI_FEET; ++i)
        r.t = cdi_foot(c, r.t, cdi_v3_neg(cdi_v3_along(from, along, r.t)), along);
    r.b = cdi_course_point(c, r.t);
    r.sqdist = cdi_v3_sqlength(cdi_v3_sub(r.b, p));
    return r;
}

static cd_closest cdi_closest_point_course(cd_vec3 p, cdi_course c) {
    cdi_v3 q = cdi_v3_of(p);
    int shift = cdi_tame_shift(cdi_max(cdi_v3_max_abs(q), cdi_course_most(&c)));
    int unit = cdi_course_tame(&c, shift);
    cdi_bridge gap;
    cd_closest r;
    gap = cdi_near_course(cdi_v3_scale2(q, shift), &c);
    r = cdi_closest_of(&gap, shift);
    r.a = p;
    r.t = (cd_real)cdi_scale2(gap.t, unit);
    r.feature_b = cdi_course_feature(&c, gap.t);
    return r;
}

/* The point of the answer, NaN where there is none. */
static cd_vec3 cdi_closest_b(const cd_closest *r) {
    return r->sqdist == r->sqdist ? r->b : cdi_no_point();
}

CD_API cd_closest cd_closest_pts_point_line(cd_vec3 p, const cd_line *l) {
    if (!cd_vec3_is_valid(p) || !cd_line_is_valid(l)) return cdi_closest_none();
    return cdi_closest_point_course(p, cdi_course_line(l));
}

CD_API cd_closest cd_closest_pts_point_ray(cd_vec3 p, const cd_ray *r) {
    if (!cd_vec3_is_valid(p) || !cd_ray_is_valid(r)) return cdi_closest_none();
    return cdi_closest_point_course(p, cdi_course_ray(r));
}

CD_API cd_closest cd_closest_pts_point_segment(cd_vec3 p, const cd_segment *s) {
    if (!cd_vec3_is_valid(p) || !cd_segment_is_valid(s)) return cdi_closest_none();
    return cdi_closest_point_course(p, cdi_course_segment(s));
}

CD_API cd_vec3 cd_closest_pt_point_line(cd_vec3 p, const cd_line *l) {
    cd_closest r = cd_closest_pts_point_line(p, l);
    return cdi_closest_b(&r);
}
CD_API cd_real cd_sqdist_point_line(cd_vec3 p, const cd_line *l) {
    return cd_closest_pts_point_line(p, l).sqdist;
}

CD_API cd_vec3 cd_closest_pt_point_ray(cd_vec3 p, const cd_ray *r) {
    cd_closest c = cd_closest_pts_point_ray(p, r);
    return cdi_closest_b(&c);
}
CD_API cd_real cd_sqdist_point_ray(cd_vec3 p, const cd_ray *r) {
    return cd_closest_pts_point_ray(p, r).sqdist;
}

/* ---- with each other ---- */

static cd_closest cdi_closest_courses(cdi_course s, cdi_course t) {
    int shift = cdi_tame_shift(cdi_max(cdi_course_most(&s), cdi_course_most(&t)));
    int unit_s = cdi_course_tame(&s, shift), unit_t = cdi_course_tame(&t, shift);
    cdi_bridge gap = cdi_near_courses(&s, &t);
    cd_closest r = cdi_closest_of(&gap, shift);
    r.s = (cd_real)cdi_scale2(gap.s, unit_s);
    r.t = (cd_real)cdi_scale2(gap.t, unit_t);
    r.feature_a = cdi_course_feature(&s, gap.s);
    r.feature_b = cdi_course_feature(&t, gap.t);
    return r;
}

CD_API cd_closest cd_closest_pts_line_line(const cd_line *a, const cd_line *b) {
    if (!cd_line_is_valid(a) || !cd_line_is_valid(b)) return cdi_closest_none();
    return cdi_closest_courses(cdi_course_line(a), cdi_course_line(b));
}

CD_API cd_closest cd_closest_pts_line_ray(const cd_line *l, const cd_ray *r) {
    if (!cd_line_is_valid(l) || !cd_ray_is_valid(r)) return cdi_closest_none();
    return cdi_closest_courses(cdi_course_line(l), cdi_course_ray(r));
}

CD_API cd_closest cd_closest_pts_line_segment(const cd_line *l, const cd_segment *s) {
    if (!cd_line_is_valid(l) || !cd_segment_is_valid(s)) return cdi_closest_none();
    return cdi_closest_courses(cdi_course_line(l), cdi_course_segment(s));
}

CD_API cd_closest cd_closest_pts_ray_ray(const cd_ray *a, const cd_ray *b) {
    if (!cd_ray_is_valid(a) || !cd_ray_is_valid(b)) return cdi_closest_none();
    return cdi_closest_courses(cdi_course_ray(a), cdi_course_ray(b));
}

CD_API cd_closest cd_closest_pts_ray_segment(const cd_ray *r, const cd_segment *s) {
    if (!cd_ray_is_valid(r) || !cd_segment_is_valid(s)) return cdi_closest_none();
    return cdi_closest_courses(cdi_course_ray(r), cdi_course_segment(s));
}

CD_API cd_real cd_sqdist_line_line(const cd_line *a, const cd_line *b) {
    return cd_closest_pts_line_line(a, b).sqdist;
}
CD_API cd_real cd_sqdist_line_ray(const cd_line *l, const cd_ray *r) {
    return cd_closest_pts_line_ray(l, r).sqdist;
}
CD_API cd_real cd_sqdist_line_segment(const cd_line *l, const cd_segment *s) {
    return cd_closest_pts_line_segment(l, s).sqdist;
}
CD_API cd_real cd_sqdist_ray_ray(const cd_ray *a, const cd_ray *b) {
    return cd_closest_pts_ray_ray(a, b).sqdist;
}
CD_API cd_real cd_sqdist_ray_segment(const cd_ray *r, const cd_segment *s) {
    return cd_closest_pts_ray_segment(r, s).sqdist;
}

#undef CDI_FEET
