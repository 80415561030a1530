#include "query/shell.h"
#include "core/exact.h"
#include "core/orient.h"
#include "query/cast3d.h"
#include "query/closest3d.h"
#include "query/test.h"
#include "shape/shell3d.h"

/* ---- point ---- */

/* The sign of (p - center) . axis - cosine |p - center| |axis|, by whole numbers. */
static CDI_COLD int cdi_cone_sign_exact(cd_vec3 p, const cd_spherical_shell *s) {
    uint32_t limbs[40 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 40 * CDI_EXACT_LIMBS);
    cdi_exact dot = cdi_exact_of(&arena, 0.0), way = dot, length = dot,
              c = cdi_exact_of(&arena, (double)s->cos_angle);
    for (int i = 0; i < 3; ++i) {
        cdi_exact d =
            cdi_exact_diff(&arena, cdi_v3_get(cdi_v3_of(p), i), cdi_v3_get(cdi_v3_of(s->center), i));
        cdi_exact a = cdi_exact_of(&arena, cdi_v3_get(cdi_v3_of(s->axis), i));
        dot = cdi_exact_add(&arena, dot, cdi_exact_mul(&arena, d, a));
        way = cdi_exact_add(&arena, way, cdi_exact_mul(&arena, d, d));
        length = cdi_exact_add(&arena, length, cdi_exact_mul(&arena, a, a));
    }
    if (dot.sign != c.sign || c.sign == 0) return dot.sign - c.sign;
    c = cdi_exact_mul(&arena, cdi_exact_mul(&arena, c, c), cdi_exact_mul(&arena, way, length));
    return dot.sign * cdi_exact_sub(&arena, cdi_exact_mul(&arena, dot, dot), c).sign;
}

static bool cdi_in_shell_cone(cd_vec3 p, const cd_spherical_shell *s) {
    cdi_v3 a = cdi_v3_normalize(cdi_v3_of(s->axis));
    cdi_v3 d = cdi_v3_normalize(cdi_v3_sub(cdi_v3_of(p), cdi_v3_of(s->center)));
    double side = cdi_v3_dot(a, d) - (double)s->cos_angle;
    if (s->cos_angle == -1) return true;
    if (cdi_abs(side) > 1e-14) return side > 0.0;
    return cdi_cone_sign_exact(p, s) >= 0;
}

CD_API bool cd_test_point_spherical_shell(cd_vec3 p, const cd_spherical_shell *s) {
    cdi_diff d[3];
    cdi_v3 q = cdi_v3_of(p), c = cdi_v3_of(s->center);
    if (!cd_vec3_is_valid(p) || !cd_spherical_shell_is_valid(s)) return false;
    for (int i = 0; i < 3; ++i) d[i] = cdi_diff_of(cdi_v3_get(q, i), cdi_v3_get(c, i));
    if (cdi_compare_squares(d, cdi_diff_of((double)s->outer, 0.0)) > 0) return false;
    if (cdi_compare_squares(d, cdi_diff_of((double)s->inner, 0.0)) < 0) return false;
    if (q.x == c.x && q.y == c.y && q.z == c.z) return true;
    return cdi_in_shell_cone(p, s);
}

/* The point of the shell nearest to d, both from its centre: along d, or on the cone's edge in the half-plane of d. */
static cdi_v3 cdi_near_shell(const cdi_shell *s, cdi_v3 d) {
    cdi_v3 rim;
    double length = cdi_v3_length(d);
    if (length == 0.0) return cdi_v3_scale(s->axis, s->inner);
    if (cdi_shell_sees(s, d)) {
        if (length >= s->inner && length <= s->outer) return d;
        return cdi_v3_scale(cdi_v3_normalize(d), cdi_clamp(length, s->inner, s->outer));
    }
    rim = cdi_shell_rim(s, d);
    return cdi_v3_scale(rim, cdi_clamp(cdi_v3_dot(rim, d), s->inner, s->outer));
}

CD_API cd_vec3 cd_closest_pt_point_spherical_shell(cd_vec3 p, const cd_spherical_shell *s) {
    cdi_shell d = cdi_shell_of(s);
    cd_real nan = (cd_real)cdi_nan();
    if (!cd_vec3_is_valid(p) || !cd_spherical_shell_is_valid(s)) return cd_vec3_make(nan, nan, nan);
    if (cd_test_point_spherical_shell(p, s)) return p;
    return cdi_v3_round(cdi_v3_add(d.center, cdi_near_shell(&d, cdi_v3_sub(cdi_v3_of(p), d.center))));
}

static bool cdi_ball_meets_shell(const cdi_shell *s, cdi_v3 center, double radius) {
    cdi_v3 d = cdi_v3_sub(center, s->center);
    return cdi_v3_length(cdi_v3_sub(cdi_near_shell(s, d), d)) <= radius;
}

CD_API bool cd_test_sphere_spherical_shell(cd_sphere b, const cd_spherical_shell *s) {
    cdi_shell d = cdi_shell_of(s);
    if (!cd_sphere_is_valid(b) || !cd_spherical_shell_is_valid(s)) return false;
    return cd_test_point_spherical_shell(b.center, s) ||
           cdi_ball_meets_shell(&d, cdi_v3_of(b.center), (double)b.radius);
}

/* ---- plane: the shell is in one piece, so it is met when there are points on both sides ---- */

/* From where to where the shell reaches in front of the plane, in units of its normal. */
static bool cdi_shell_heights(const cd_spherical_shell *s, cd_plane plane, double *low, double *high) {
    cdi_shell d = cdi_shell_of(s);
    cdi_v3 n;
    double height;
    if (!cd_spherical_shell_is_valid(s) || !cd_plane_is_valid(&plane)) return false;
    height = cdi_plane_height(plane, d.center, &n);
    *high = height + cdi_v3_dot(n, cdi_shell_support(&d, n));
    *low = height + cdi_v3_dot(n, cdi_shell_support(&d, cdi_v3_neg(n)));
    return true;
}

CD_API bool cd_test_spherical_shell_plane(const cd_spherical_shell *s, cd_plane plane) {
    double low, high;
    return cdi_shell_heights(s, plane, &low, &high) && low <= 0.0 && high >= 0.0;
}

CD_API bool cd_test_spherical_shell_halfspace(const cd_spherical_shell *s, cd_plane plane) {
    double low, high;
    return cdi_shell_heights(s, plane, &low, &high) && low <= 0.0;
}

/* ---- box ---- */

CD_API bool cd_test_spherical_shell_aabb(const cd_spherical_shell *s, cd_aabb b) {
    cdi_shell d = cdi_shell_of(s);
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max), most, middle;
    double least;
    if (!cd_spherical_shell_is_valid(s) || !cd_aabb_is_valid(b)) return false;
    least = cdi_sqrt(cdi_sqdist_box(d.center, lo, hi));
    most = cdi_v3_make(cdi_max(hi.x - d.center.x, d.center.x - lo.x),
                       cdi_max(hi.y - d.center.y, d.center.y - lo.y),
                       cdi_max(hi.z - d.center.z, d.center.z - lo.z));
    if (least > d.outer * (1.0 + 1e-15) || cdi_v3_length(most) < d.inner * (1.0 - 1e-15)) return false;
    if (d.cosine <= -1.0) return true;
    if (!cd_test_aabb_aabb(cd_aabb_from_spherical_shell(s), b)) return false;
    middle = cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5);
    least = cdi_v3_length(cdi_v3_along(cdi_v3_scale(hi, 0.5), lo, -0.5));
    least += 1e-14 * (least + d.outer + cdi_v3_length(most));
    least += 1e-15 * (cdi_v3_max_abs(lo) + cdi_v3_max_abs(hi)); /* the middle is rounded where it is */
    return cdi_ball_meets_shell(&d, middle, least);
}

/* ---- two shells ---- */

/* Do the angles of two shells of one centre meet? The angle between the axes is at most the sum of theirs. */
static bool cdi_cones_meet(const cdi_shell *a, const cdi_shell *b) {
    double sum = a->cosine * b->cosine - a->sine * b->sine;
    if (a->cosine <= -b->cosine) return true; /* half a turn or more between them */
    return cdi_v3_dot(a->axis, b->axis) >= sum - 1.7763568394002505e-15;
}

/* A ball around a shell, from its centre: around the cap, or the shell all around. */
static double cdi_ball_of_shell(const cdi_shell *s, cdi_v3 *center) {
    double at = cdi_max(s->cosine, 0.0) * s->outer, way = at - s->inner * s->cosine;
    double rim = s->inner * s->sine, inner = cdi_sqrt(way * way + rim * rim);
    *center = cdi_v3_along(s->center, s->axis, at);
    return cdi_max(cdi_max(s->cosine > 0.0 ? s->sine * s->outer : s->outer, inner),
                   s->cosine > 0.0 ? s->outer - at : 0.0);
}

CD_API bool cd_test_spherical_shell_spherical_shell(const cd_spherical_shell *a,
                                                    const cd_spherical_shell *b) {
    cdi_shell p = cdi_shell_of(a), q = cdi_shell_of(b);
    cdi_diff d[3];
    cdi_v3 c;
    double radius, slack;
    if (!cd_spherical_shell_is_valid(a) || !cd_spherical_shell_is_valid(b)) return false;
    for (int i = 0; i < 3; ++i) d[i] = cdi_diff_of(cdi_v3_get(q.center, i), cdi_v3_get(p.center, i));
    if (cdi_compare_squares(d, cdi_diff_of(p.outer, -q.outer)) > 0) return false;
    if (p.inner > q.outer && cdi_compare_squares(d, cdi_diff_of(p.inner, q.outer)) < 0) return false;
    if (q.inner > p.outer && cdi_compare_squares(d, cdi_diff_of(q.inner, p.outer)) < 0) return false;
    if (p.cosine <= -1.0 && q.cosine <= -1.0) return true;
    c = cdi_v3_sub(q.center, p.center);
    if (cdi_v3_is_zero(c)) return cdi_cones_meet(&p, &q) || (p.inner == 0.0 && q.inner == 0.0);
    slack = 1e-14 * (p.outer + q.outer + cdi_v3_length(c)) +
            1e-15 * (cdi_v3_max_abs(p.center) + cdi_v3_max_abs(q.center));
    radius = cdi_ball_of_shell(&q, &c);
    if (!cdi_ball_meets_shell(&p, c, radius + slack)) return false;
    radius = cdi_ball_of_shell(&p, &c);
    return cdi_ball_meets_shell(&q, c, radius + slack);
}

/* ---- ray ----
 * Sets of a line are lists of closed pieces in order; those of a sphere, of what is not inside one, of a cone. */

typedef struct cdi_pieces {
    cdi_span span[4];
    int n;
} cdi_pieces;

static cdi_pieces cdi_no_pieces(void) {
    cdi_pieces p;
    cdi_clear(&p, sizeof p);
    return p;
}

static void cdi_add_piece(cdi_pieces *p, double in, double out, int face_in, int face_out) {
    cdi_span *s = &p->span[p->n];
    if (!(in <= out) || p->n == 4) return;
    s->in = in;
    s->out = out;
    s->face_in = face_in;
    s->face_out = face_out;
    ++p->n;
}

static cdi_pieces cdi_common_pieces(const cdi_pieces *a, const cdi_pieces *b) {
    cdi_pieces r = cdi_no_pieces();
    for (int i = 0; i < a->n; ++i) {
        for (int j = 0; j < b->n; ++j) {
            const cdi_span *s = &a->span[i], *t = &b->span[j];
            cdi_add_piece(&r, cdi_max(t->in, s->in), cdi_min(t->out, s->out),
                          t->in > s->in ? t->face_in : s->face_in,
                          t->out < s->out ? t->face_out : s->face_out);
        }
    }
    return r;
}

/* o is the point of the line nearest to the centre; the double cone about the axis is where (x . a)^2 >= k^2 x^2. */
static void cdi_line_nappe(cdi_v3 o, cdi_v3 d, cdi_v3 axis, double k, cdi_pieces *p) {
    double oa = cdi_v3_dot(o, axis), da = cdi_v3_dot(d, axis), kk = k * k;
    double a = da * da - kk * cdi_v3_sqlength(d), b = oa * da, c = oa * oa - kk * cdi_v3_sqlength(o);
    /* b^2 - a c, where o . d = 0: most of it cancels for wide cones */
    double disc = kk * (da * da * cdi_v3_sqlength(o) + cdi_v3_sqlength(d) * c), root, q, t[2];
    if (disc < 0.0 && a <= 0.0) return;
    root = cdi_sqrt(cdi_max(disc, 0.0));
    q = b > 0.0 ? -b - root : -b + root;
    if (a == 0.0 && q == 0.0) {
        if (oa >= 0.0 && c >= 0.0) /* along a line of the cone through its tip, or in a plane */
            cdi_add_piece(p, da > 0.0 ? 0.0 : -CDI_HUGE, da < 0.0 ? 0.0 : CDI_HUGE, 2, 2);
        return;
    }
    t[0] = a != 0.0 ? q / a : da > 0.0 ? CDI_HUGE : -CDI_HUGE;
    t[1] = q != 0.0 ? c / q : t[0];
    if (t[0] > t[1]) {
        double swap = t[0];
        t[0] = t[1];
        t[1] = swap;
    }
    if (a > 0.0) { /* the line passes through both nappes */
        if (da > 0.0) {
            cdi_add_piece(p, t[1], CDI_HUGE, 2, 2);
        } else {
            cdi_add_piece(p, -CDI_HUGE, t[0], 2, 2);
        }
    } else if (a == 0.0) { /* along a line of the cone */
        double at = t[0] > -CDI_HUGE && t[0] < CDI_HUGE ? t[0] : t[1];
        if (da > 0.0) cdi_add_piece(p, at, CDI_HUGE, 2, 2);
        if (da < 0.0) cdi_add_piece(p, -CDI_HUGE, at, 2, 2);
    } else if (oa + 0.5 * (t[0] + t[1]) * da >= 0.0) {
        cdi_add_piece(p, t[0], t[1], 2, 2);
    }
}

/* A wide cone is all but the inside of a narrow one about the opposite axis. */
static cdi_pieces cdi_line_cone(const cdi_shell *s, cdi_v3 o, cdi_v3 d) {
    cdi_pieces p = cdi_no_pieces(), not_in = p;
    if (s->cosine >= 0.0) {
        cdi_line_nappe(o, d, s->axis, s->cosine, &p);
        return p;
    }
    if (s->cosine > -1.0) cdi_line_nappe(o, d, cdi_v3_neg(s->axis), -s->cosine, &not_in);
    if (not_in.n == 0) {
        cdi_add_piece(&p, -CDI_HUGE, CDI_HUGE, 2, 2);
    } else {
        if (not_in.span[0].in > -CDI_HUGE) cdi_add_piece(&p, -CDI_HUGE, not_in.span[0].in, 2, 2);
        if (not_in.span[0].out < CDI_HUGE) cdi_add_piece(&p, not_in.span[0].out, CDI_HUGE, 2, 2);
    }
    return p;
}

/* All pieces; t counts from the point of the line nearest to the centre. */
static cdi_pieces cdi_line_shell(const cdi_shell *s, cdi_v3 o, cdi_v3 d) {
    cdi_pieces ball = cdi_no_pieces(), cone;
    cdi_span outer, inner;
    if (!cdi_line_sphere(o, d, s->outer, &outer)) return ball;
    if (s->inner > 0.0 && cdi_line_sphere(o, d, s->inner, &inner)) {
        cdi_add_piece(&ball, outer.in, inner.in, 0, 1);
        cdi_add_piece(&ball, inner.out, outer.out, 1, 0);
    } else {
        cdi_add_piece(&ball, outer.in, outer.out, 0, 0);
    }
    cone = cdi_line_cone(s, o, d);
    return cdi_common_pieces(&ball, &cone);
}

/* The outward unit normal of a face at x, from the centre. */
static cdi_v3 cdi_shell_normal(const cdi_shell *s, cdi_v3 x, int face) {
    cdi_v3 n = cdi_v3_normalize(x);
    if (cdi_v3_is_zero(n)) n = s->axis;
    if (face == 0) return n;
    if (face == 1) return cdi_v3_neg(n);
    return cdi_v3_along(cdi_v3_scale(cdi_shell_side(s, x), s->cosine), s->axis, -s->sine);
}

/* The nearest face to a point inside, and the way to it. */
static int cdi_shell_face(const cdi_shell *s, cdi_v3 x, double *depth) {
    double length = cdi_v3_length(x), way;
    int face = 0;
    *depth = s->outer - length;
    if (s->inner > 0.0 && length - s->inner < *depth) {
        *depth = length - s->inner;
        face = 1;
    }
    if (s->cosine > -1.0) {
        cdi_v3 rim = cdi_shell_rim(s, x);
        rim = cdi_v3_scale(rim, cdi_clamp(cdi_v3_dot(rim, x), s->inner, s->outer));
        way = cdi_v3_length(cdi_v3_sub(rim, x));
        if (way < *depth) {
            *depth = way;
            face = 2;
        }
    }
    return face;
}

/* A ray of no length asks about its origin alone. */
static cdi_pieces cdi_point_pieces(const cd_spherical_shell *s, cd_vec3 p) {
    cdi_pieces r = cdi_no_pieces();
    if (cd_test_point_spherical_shell(p, s)) cdi_add_piece(&r, -CDI_HUGE, CDI_HUGE, 0, 0);
    return r;
}

static bool cdi_cast_spherical_shell(const cdi_cast *c, const cd_spherical_shell *s, cd_hit *hit) {
    cdi_shell d = cdi_shell_of(s);
    cdi_pieces pieces;
    cdi_v3 o, from;
    double dd, middle = 0.0;
    if (!cd_spherical_shell_is_valid(s)) return false;
    from = o = cdi_v3_sub(c->o, d.center);
    dd = cdi_v3_sqlength(c->d);
    if (dd > 0.0) {
        middle = -cdi_v3_dot(o, c->d) / dd;
        from = cdi_v3_along(o, c->d, middle);
        pieces = cdi_line_shell(&d, from, c->d);
    } else {
        pieces = cdi_point_pieces(s, cdi_v3_round(c->o));
    }
    for (int i = 0; i < pieces.n; ++i) {
        cdi_span span = pieces.span[i];
        cdi_contact contact;
        double t, depth;
        int face;
        cdi_v3 n, x;
        span.in += middle;
        span.out += middle;
        contact = cdi_cast_solid(c, &span);
        if (contact == CDI_CONTACT_NONE) continue;
        if (contact == CDI_CONTACT_START) {
            x = cdi_v3_along(o, c->d, c->t_min);
            face = cdi_shell_face(&d, x, &depth);
            if (cdi_hit_start(c, cdi_shell_normal(&d, x, face), depth, (uint32_t)face, hit)) return true;
            continue;
        }
        t = contact == CDI_CONTACT_IN ? span.in : span.out;
        face = contact == CDI_CONTACT_IN ? span.face_in : span.face_out;
        x = cdi_v3_along(from, c->d, t - middle);
        n = cdi_shell_normal(&d, x, face);
        if (face < 2) x = cdi_v3_scale(cdi_v3_normalize(x), face ? d.inner : d.outer);
        if (contact == CDI_CONTACT_OUT) n = cdi_v3_neg(n);
        if (cdi_v3_dot(n, c->d) > 0.0)
            n = cdi_v3_normalize(cdi_v3_neg(c->d)); /* at the tip of the cone, or grazing */
        return cdi_hit_write(hit, t, cdi_v3_add(d.center, x), n, (uint32_t)face,
                             cdi_contact_flags(c, contact, t));
    }
    return false;
}

CDI_CASTS(spherical_shell, const cd_spherical_shell *, shell);
