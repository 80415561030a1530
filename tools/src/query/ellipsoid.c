#include "query/ellipsoid.h"
#include "core/exact.h"
#include "query/cast3d.h"
#include "query/closest3d.h"
#include "query/ellipsoid3d.h"

/* ---- point ----
 * p is center + sum of y_i axis_i with y_i = n_i / D, where n_i is the determinant of the axes with p - center in place of
 * axis i, and D that of the axes. It is inside when the sum of (n_i / half_i)^2 is at most D^2. */

enum { CDI_ELLIPSOID_ROOM = 76 * CDI_EXACT_LIMBS };

/* The determinant of the axes, with p - center in place of axis `column`; -1 for none. */
static cdi_exact cdi_exact_axes(cdi_arena *arena, const cd_ellipsoid *e, cd_vec3 p, int column) {
    cdi_exact m[3][3];
    int mark = arena->used;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            m[i][j] = i == column ? cdi_exact_diff(arena, cdi_v3_get(cdi_v3_of(p), j),
                                                   cdi_v3_get(cdi_v3_of(e->center), j))
                                  : cdi_exact_of(arena, cdi_v3_get(cdi_v3_of(e->axes.col[i]), j));
        }
    }
    return cdi_exact_keep(arena, mark, cdi_exact_det3(arena, m));
}

/* The product of the squares of the half lengths that are not 0, but for one. */
static cdi_exact cdi_exact_halves(cdi_arena *arena, const cd_ellipsoid *e, int but) {
    int mark = arena->used;
    cdi_exact product = cdi_exact_of(arena, 1.0);
    for (int i = 0; i < 3; ++i) {
        double h = cdi_v3_get(cdi_v3_of(e->half), i);
        if (i == but || h == 0.0) continue;
        product = cdi_exact_mul(arena, product, cdi_exact_square(arena, cdi_exact_of(arena, h)));
        product = cdi_exact_keep(arena, mark, product);
    }
    return product;
}

static CDI_COLD bool cdi_point_in_ellipsoid_exact(cd_vec3 p, const cd_ellipsoid *e) {
    uint32_t limbs[CDI_ELLIPSOID_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_ELLIPSOID_ROOM);
    cdi_exact sum = cdi_exact_mul(&arena, cdi_exact_square(&arena, cdi_exact_axes(&arena, e, p, -1)),
                                  cdi_exact_halves(&arena, e, -1));
    sum = cdi_exact_keep(&arena, 0, sum);
    for (int i = 0; i < 3; ++i) {
        cdi_exact n = cdi_exact_axes(&arena, e, p, i);
        if (cdi_v3_get(cdi_v3_of(e->half), i) == 0.0) {
            if (n.sign != 0) return false;
            continue;
        }
        n = cdi_exact_mul(&arena, cdi_exact_square(&arena, n), cdi_exact_halves(&arena, e, i));
        sum = cdi_exact_keep(&arena, 0, cdi_exact_sub(&arena, sum, n));
    }
    return sum.sign >= 0;
}

CDI_FN cdi_level cdi_level_of(const cd_ellipsoid *e, int shift) {
    cdi_m3 a = cdi_m3_of(&e->axes);
    cdi_level l;
    double det;
    l.row[0] = cdi_v3_cross(a.c[1], a.c[2]);
    l.row[1] = cdi_v3_cross(a.c[2], a.c[0]);
    l.row[2] = cdi_v3_cross(a.c[0], a.c[1]);
    det = cdi_v3_dot(l.row[0], a.c[0]);
    for (int i = 0; i < 3; ++i) {
        l.row[i] = cdi_v3_scale(l.row[i], 1.0 / det);
        l.half[i] = cdi_scale2(cdi_v3_get(cdi_v3_of(e->half), i), shift);
    }
    l.center = cdi_v3_make(cdi_scale2((double)e->center.x, shift), cdi_scale2((double)e->center.y, shift),
                           cdi_scale2((double)e->center.z, shift));
    return l;
}

/* Rows of the inverse, differences and dot products take 24 roundings at most; a valid matrix is nearly orthonormal. */
CDI_FN cdi_v3 cdi_level_local(const cdi_level *l, cdi_v3 p, double *error) {
    cdi_v3 d = cdi_v3_sub(p, l->center);
    *error = 7.105427357601002e-15 * cdi_v3_max_abs(d) + 1e-300; /* 64 u */
    if (cdi_v3_is_zero(d)) *error = 0.0;
    return cdi_v3_make(cdi_v3_dot(l->row[0], d), cdi_v3_dot(l->row[1], d), cdi_v3_dot(l->row[2], d));
}

CDI_FN double cdi_level_at(const cdi_level *l, cdi_v3 p, double *error) {
    double slack, sum = 0.0;
    cdi_v3 y = cdi_level_local(l, p, &slack);
    *error = 0.0;
    if (slack == 0.0) return 0.0;
    for (int i = 0; i < 3; ++i) {
        double s = cdi_abs(cdi_v3_get(y, i)) / l->half[i], t = slack / l->half[i];
        sum += s * s;
        *error += 2.0 * s * t + t * t;
    }
    *error += 1e-15 * sum;
    return sum;
}

CD_API bool cd_test_point_ellipsoid(cd_vec3 p, const cd_ellipsoid *e) {
    cdi_level l;
    double level, error;
    if (!cd_vec3_is_valid(p) || !cd_ellipsoid_is_valid(e)) return false;
    l = cdi_level_of(e, 0);
    level = cdi_level_at(&l, cdi_v3_of(p), &error);
    if (level + error < 1.0) return true;
    if (level - error > 1.0) return false;
    return cdi_point_in_ellipsoid_exact(p, e);
}

/* ---- distance ---- */

static cd_vec3 cdi_closest_of_ellipsoid(cd_vec3 p, const cd_ellipsoid *e, bool solid) {
    cdi_obb b;
    if (!cd_vec3_is_valid(p) || !cd_ellipsoid_is_valid(e)) return cdi_no_point();
    b = cdi_ellipsoid_of(e);
    return cdi_v3_round(cdi_obb_world(&b, cdi_near_ellipsoid(&b, cdi_obb_local(&b, cdi_v3_of(p)), solid)));
}

CD_API cd_vec3 cd_closest_pt_point_ellipsoid(cd_vec3 p, const cd_ellipsoid *e) {
    if (cd_test_point_ellipsoid(p, e)) return p;
    return cdi_closest_of_ellipsoid(p, e, true);
}

CD_API cd_vec3 cd_closest_pt_point_ellipsoid_surface(cd_vec3 p, const cd_ellipsoid *e) {
    return cdi_closest_of_ellipsoid(p, e, false);
}

static double cdi_dist_ellipsoid(cdi_v3 p, const cd_ellipsoid *e) {
    cdi_obb b = cdi_ellipsoid_of(e);
    cdi_v3 y = cdi_obb_local(&b, p);
    return cdi_v3_length(cdi_v3_sub(y, cdi_near_ellipsoid(&b, y, true)));
}

CD_API cd_real cd_sqdist_point_ellipsoid(cd_vec3 p, const cd_ellipsoid *e) {
    double d;
    if (!cd_vec3_is_valid(p) || !cd_ellipsoid_is_valid(e)) return (cd_real)cdi_nan();
    d = cd_test_point_ellipsoid(p, e) ? 0.0 : cdi_dist_ellipsoid(cdi_v3_of(p), e);
    return (cd_real)(d * d);
}

CD_API bool cd_test_sphere_ellipsoid(cd_sphere s, const cd_ellipsoid *e) {
    if (!cd_sphere_is_valid(s) || !cd_ellipsoid_is_valid(e)) return false;
    return cd_test_point_ellipsoid(s.center, e) ||
           cdi_dist_ellipsoid(cdi_v3_of(s.center), e) <= (double)s.radius;
}

/* ---- plane ---- */

/* How far the centre is in front of the plane, and how far the ellipsoid reaches from it, in the same unit. */
static bool cdi_plane_reach(const cd_ellipsoid *e, cd_plane plane, double *height, double *reach) {
    cdi_m3 map = cdi_ellipsoid_map(e);
    cdi_v3 n;
    if (!cd_ellipsoid_is_valid(e) || !cd_plane_is_valid(&plane)) return false;
    *height = cdi_plane_height(plane, cdi_v3_of(e->center), &n);
    *reach = cdi_v3_length(cdi_m3_tmul_v3(&map, n));
    return true;
}

CD_API bool cd_test_ellipsoid_plane(const cd_ellipsoid *e, cd_plane plane) {
    double height, reach;
    return cdi_plane_reach(e, plane, &height, &reach) && cdi_abs(height) <= reach;
}

CD_API bool cd_test_ellipsoid_halfspace(const cd_ellipsoid *e, cd_plane plane) {
    double height, reach;
    return cdi_plane_reach(e, plane, &height, &reach) && height <= reach;
}

/* ---- scaled to the unit ball ---- */

/* `most`: how far what is tested reaches from the centre. */
static cdi_obb cdi_thick_ellipsoid(const cd_ellipsoid *e, double most) {
    cdi_obb b = cdi_ellipsoid_of(e);
    double least = cdi_max(b.half[0] * 9.3132257461547852e-10, most * 1.4210854715202004e-14);
    if (!(least > 0.0)) least = 1.0; /* a point, and it is there */
    for (int i = 0; i < 3; ++i) b.half[i] = cdi_max(b.half[i], least);
    return b;
}

static cdi_v3 cdi_to_ball(const cdi_obb *b, cdi_v3 p) {
    cdi_v3 y = cdi_obb_local(b, p);
    return cdi_v3_make(y.x / b->half[0], y.y / b->half[1], y.z / b->half[2]);
}

/* Does the triangle meet the unit ball? */
static bool cdi_meets_ball(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_tri t;
    t.v[0] = a;
    t.v[1] = b;
    t.v[2] = c;
    return cdi_near_triangle(cdi_v3_make(0.0, 0.0, 0.0), &t).sqdist <= 1.0;
}

static double cdi_reach_from(cdi_v3 p, const cd_ellipsoid *e) {
    return cdi_v3_max_abs(cdi_v3_sub(p, cdi_v3_of(e->center)));
}

CD_API bool cd_test_polygon_ellipsoid(const cd_vec3 *corners, size_t count, const cd_ellipsoid *e) {
    double most = 0.0;
    cdi_obb b;
    cdi_v3 first, last;
    if (count == 0 || !cd_ellipsoid_is_valid(e)) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(corners[i])) return false;
        most = cdi_max(most, cdi_reach_from(cdi_v3_of(corners[i]), e));
    }
    b = cdi_thick_ellipsoid(e, most);
    first = last = cdi_to_ball(&b, cdi_v3_of(corners[0]));
    if (count == 1) return cdi_meets_ball(first, first, first);
    for (size_t i = 1; i < count; ++i) {
        cdi_v3 p = cdi_to_ball(&b, cdi_v3_of(corners[i]));
        if (cdi_meets_ball(first, last, p)) return true;
        last = p;
    }
    return false;
}

CD_API bool cd_test_triangle_ellipsoid(const cd_triangle *t, const cd_ellipsoid *e) {
    cd_vec3 v[3];
    v[0] = t->a;
    v[1] = t->b;
    v[2] = t->c;
    return cd_test_polygon_ellipsoid(v, 3, e);
}

/* A box that does not hold the centre is met when one of its faces is. */
CD_API bool cd_test_ellipsoid_aabb(const cd_ellipsoid *e, cd_aabb box) {
    static const unsigned char face[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    cdi_v3 v[8], lo = cdi_v3_of(box.min), hi = cdi_v3_of(box.max), c = cdi_v3_of(e->center);
    cdi_obb b;
    if (!cd_ellipsoid_is_valid(e) || !cd_aabb_is_valid(box)) return false;
    if (cdi_sqdist_box(c, lo, hi) == 0.0) return true;
    b = cdi_thick_ellipsoid(e, cdi_max(cdi_reach_from(lo, e), cdi_reach_from(hi, e)));
    for (int i = 0; i < 8; ++i)
        v[i] = cdi_to_ball(&b, cdi_v3_make(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z));
    for (int i = 0; i < 6; ++i) {
        const unsigned char *f = face[i];
        if (cdi_meets_ball(v[f[0]], v[f[1]], v[f[2]]) || cdi_meets_ball(v[f[0]], v[f[2]], v[f[3]]))
            return true;
    }
    return false;
}

CDI_FN cdi_obb cdi_ellipsoid_in_ball(const cdi_obb *ball, const cd_ellipsoid *e) {
    cdi_m3 map = cdi_ellipsoid_map(e);
    cdi_obb r;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 y = cdi_m3_tmul_v3(&ball->axes, map.c[i]);
        map.c[i] = cdi_v3_make(y.x / ball->half[0], y.y / ball->half[1], y.z / ball->half[2]);
    }
    cdi_map_axes(&map, &r.axes, r.half);
    r.center = cdi_to_ball(ball, cdi_v3_of(e->center));
    return r;
}

static double cdi_roundness(const cdi_obb *b) {
    return b->half[0] > 0.0 ? b->half[2] / b->half[0] : 0.0;
}

CD_API bool cd_test_ellipsoid_ellipsoid(const cd_ellipsoid *a, const cd_ellipsoid *b) {
    cdi_obb p, q;
    double most;
    if (!cd_ellipsoid_is_valid(a) || !cd_ellipsoid_is_valid(b)) return false;
    p = cdi_ellipsoid_of(a);
    q = cdi_ellipsoid_of(b);
    if (cdi_roundness(&q) > cdi_roundness(&p)) {
        const cd_ellipsoid *t = a;
        a = b;
        b = t;
    }
    most = cdi_reach_from(cdi_v3_of(b->center), a);
    p = cdi_thick_ellipsoid(a, most);
    q = cdi_ellipsoid_in_ball(&p, b);
    q.center = cdi_obb_local(&q, cdi_v3_make(0.0, 0.0, 0.0)); /* the origin in its frame */
    return cdi_v3_sqlength(cdi_v3_sub(cdi_near_ellipsoid(&q, q.center, true), q.center)) <= 1.0;
}

/* ---- ray ---- */

/* Where the line o + t d of the ellipsoid's frame is inside: the flat axes first, which ask for one t, then the unit ball of
 * the others. */
static bool cdi_line_ellipsoid(const cdi_obb *b, cdi_v3 o, cdi_v3 d, cdi_span *span) {
    double p[3], v[3], t = 0.0;
    bool fixed = false;
    cdi_v3_store(p, o);
    cdi_v3_store(v, d);
    for (int i = 0; i < 3; ++i) {
        if (b->half[i] > 0.0) {
            p[i] /= b->half[i];
            v[i] /= b->half[i];
            continue;
        }
        if (v[i] != 0.0 && !fixed) {
            t = -p[i] / v[i];
            fixed = true;
        } else if (p[i] + t * v[i] != 0.0) {
            return false;
        }
        p[i] = v[i] = 0.0;
    }
    if (!fixed)
        return cdi_line_sphere(cdi_v3_make(p[0], p[1], p[2]), cdi_v3_make(v[0], v[1], v[2]), 1.0, span);
    span->in = span->out = t;
    span->face_in = span->face_out = 0;
    return cdi_v3_sqlength(cdi_v3_make(p[0] + t * v[0], p[1] + t * v[1], p[2] + t * v[2])) <= 1.0;
}

/* The outward unit normal at a point of the surface in the ellipsoid's frame; a flat one is met from the side of -d. */
static cdi_v3 cdi_ellipsoid_normal(const cdi_obb *b, cdi_v3 y, cdi_v3 d) {
    double n[3];
    for (int i = 2; i >= 0 && b->half[i] <= 1e-60 * b->half[0]; --i) {
        double side = cdi_v3_get(d, i);
        if (side != 0.0 || i == 0 || b->half[i - 1] > 1e-60 * b->half[0])
            return side > 0.0 ? cdi_v3_neg(b->axes.c[i]) : b->axes.c[i];
    }
    for (int i = 0; i < 3; ++i) n[i] = cdi_v3_get(y, i) / b->half[i] * (b->half[2] / b->half[i]);
    return cdi_v3_normalize(cdi_m3_mul_v3(&b->axes, cdi_v3_make(n[0], n[1], n[2])));
}

static bool cdi_cast_ellipsoid(const cdi_cast *c, const cd_ellipsoid *e, cd_hit *hit) {
    cdi_span span;
    cdi_contact contact;
    cdi_obb b;
    cdi_v3 o, d, y, n;
    if (!cd_ellipsoid_is_valid(e)) return false;
    b = cdi_ellipsoid_of(e);
    o = cdi_obb_local(&b, c->o);
    d = cdi_m3_tmul_v3(&b.axes, c->d);
    if (!cdi_line_ellipsoid(&b, o, d, &span)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    if (contact == CDI_CONTACT_START) {
        o = cdi_v3_along(o, d, c->t_min);
        y = cdi_near_ellipsoid(&b, o, false);
        return cdi_hit_start(c, cdi_ellipsoid_normal(&b, y, d), cdi_v3_length(cdi_v3_sub(y, o)), 0, hit);
    }
    y = cdi_v3_along(o, d, contact == CDI_CONTACT_IN ? span.in : span.out);
    y = cdi_near_ellipsoid(&b, y, false); /* onto the surface */
    n = cdi_ellipsoid_normal(&b, y, d);
    if (contact == CDI_CONTACT_IN)
        return cdi_hit_write(hit, span.in, cdi_obb_world(&b, y), n, 0,
                             cdi_contact_flags(c, contact, span.in));
    if (cdi_v3_dot(n, c->d) > 0.0) n = cdi_v3_neg(n); /* a flat one has its normal against the ray as it is */
    return cdi_hit_write(hit, span.out, cdi_obb_world(&b, y), n, 0, cdi_contact_flags(c, contact, span.out));
}

CDI_CASTS(ellipsoid, const cd_ellipsoid *, ellipsoid);
