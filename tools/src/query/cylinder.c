#include "query/cylinder.h"
#include "core/orient.h"
#include "core/twofold.h"
#include "query/cast3d.h"
#include "shape/cylinder3d.h"
#include "shape/side3d.h"

/* ---- points, exactly ---- */

CD_API bool cd_test_point_cylinder(cd_vec3 p, const cd_cylinder *c) {
    if (!cd_cylinder_is_valid(c) || !cd_vec3_is_valid(p)) return false;
    return cdi_in_cylinder(cdi_v3_of(p), cdi_v3_of(c->a), cdi_v3_of(c->b), (double)c->radius);
}

CD_API bool cd_test_point_cone(cd_vec3 p, const cd_cone *c) {
    if (!cd_cone_is_valid(c) || !cd_vec3_is_valid(p)) return false;
    return cdi_in_cone(cdi_v3_of(p), cdi_v3_of(c->apex), cdi_v3_of(c->base), (double)c->radius);
}

CD_API bool cd_test_point_disc(cd_vec3 p, const cd_disc *d) {
    cdi_diff x[3];
    if (!cd_disc_is_valid(d) || !cd_vec3_is_valid(p)) return false;
    if (cdi_height_sign(cdi_v3_of(d->normal), cdi_v3_of(d->center), 0.0, cdi_v3_of(p)) != 0) return false;
    x[0] = cdi_diff_of((double)p.x, (double)d->center.x);
    x[1] = cdi_diff_of((double)p.y, (double)d->center.y);
    x[2] = cdi_diff_of((double)p.z, (double)d->center.z);
    return cdi_compare_squares(x, cdi_diff_of((double)d->radius, 0.0)) <= 0;
}

/* ---- planes, exactly ---- */

static cd_plane cdi_plane_turned(cd_plane plane) {
    plane.n = cd_vec3_neg(plane.n);
    plane.d = -plane.d;
    return plane;
}

/* Does the disc of radius r about either end reach the half-space? */
static bool cdi_ends_reach(cd_plane plane, cdi_axis3d axis, double r0, double r1) {
    cdi_v3 n = cdi_v3_of(plane.n);
    return cdi_rim_reaches(n, (double)plane.d, axis.from, axis, r0) ||
           cdi_rim_reaches(n, (double)plane.d, axis.to, axis, r1);
}

CD_API bool cd_test_cylinder_halfspace(const cd_cylinder *c, cd_plane plane) {
    if (!cd_cylinder_is_valid(c) || !cd_plane_is_valid(&plane)) return false;
    return cdi_ends_reach(plane, cdi_axis_of(cdi_v3_of(c->a), cdi_v3_of(c->b)), (double)c->radius,
                          (double)c->radius);
}

CD_API bool cd_test_cone_halfspace(const cd_cone *c, cd_plane plane) {
    if (!cd_cone_is_valid(c) || !cd_plane_is_valid(&plane)) return false;
    return cdi_ends_reach(plane, cdi_axis_of(cdi_v3_of(c->apex), cdi_v3_of(c->base)), 0.0, (double)c->radius);
}

CD_API bool cd_test_disc_halfspace(const cd_disc *d, cd_plane plane) {
    cdi_axis3d axis = cdi_axis_of(cdi_v3_make(0.0, 0.0, 0.0), cdi_v3_of(d->normal));
    if (!cd_disc_is_valid(d) || !cd_plane_is_valid(&plane)) return false;
    return cdi_rim_reaches(cdi_v3_of(plane.n), (double)plane.d, cdi_v3_of(d->center), axis,
                           (double)d->radius);
}

CD_API bool cd_test_cylinder_plane(const cd_cylinder *c, cd_plane plane) {
    return cd_test_cylinder_halfspace(c, plane) && cd_test_cylinder_halfspace(c, cdi_plane_turned(plane));
}

CD_API bool cd_test_cone_plane(const cd_cone *c, cd_plane plane) {
    return cd_test_cone_halfspace(c, plane) && cd_test_cone_halfspace(c, cdi_plane_turned(plane));
}

CD_API bool cd_test_disc_plane(const cd_disc *d, cd_plane plane) {
    return cd_test_disc_halfspace(d, plane) && cd_test_disc_halfspace(d, cdi_plane_turned(plane));
}

/* ---- closest points ---- */

/* A point by its height over end[0] as a fraction of the axis, and what it is off the axis. */
typedef struct cdi_about_axis {
    double t, distance;
    cdi_v3 off;
} cdi_about_axis;

#ifdef COLLIDE_DOUBLE
/* In numbers of two doubles, so that all is good to the last place. */
static cdi_about_axis cdi_about(const cdi_frustum *f, cdi_v3 p, bool flat) {
    double a[3], b[3], x[3], w[3];
    cdi_two q[3], d[3], qd = cdi_two_of(0.0), dd = qd, t;
    cdi_about_axis r;
    cdi_v3_store(a, f->end[0]);
    cdi_v3_store(b, flat ? f->d : f->end[1]);
    cdi_v3_store(x, p);
    for (int i = 0; i < 3; ++i) {
        q[i] = cdi_two_of_diff(x[i], a[i]);
        d[i] = flat ? cdi_two_of(b[i]) : cdi_two_of_diff(b[i], a[i]);
        qd = cdi_two_add(qd, cdi_two_mul(q[i], d[i]));
        dd = cdi_two_add(dd, cdi_two_mul(d[i], d[i]));
    }
    t = dd.hi > 0.0 ? cdi_two_div(qd, dd) : cdi_two_of(0.0);
    for (int i = 0; i < 3; ++i) w[i] = cdi_two_sub(q[i], cdi_two_mul(t, d[i])).hi;
    r.t = t.hi;
    r.off = cdi_v3_make(w[0], w[1], w[2]);
    r.distance = cdi_v3_length(r.off);
    return r;
}
#else
static cdi_about_axis cdi_about(const cdi_frustum *f, cdi_v3 p, bool flat) {
    cdi_v3 q = cdi_v3_sub(p, f->end[0]);
    cdi_about_axis r;
    (void)flat;
    r.t = cdi_v3_dot(q, f->d) / cdi_v3_sqlength(f->d);
    r.off = cdi_v3_along(q, f->d, -r.t);
    r.distance = cdi_v3_length(r.off);
    return r;
}
#endif

/* The point at fraction t of the axis, reckoned from the nearer end, and `share` of the way off it. */
static cdi_v3 cdi_about_point(const cdi_frustum *f, const cdi_about_axis *at, double t, double share) {
    cdi_v3 foot = t <= 0.5 ? cdi_v3_along(f->end[0], f->d, t) : cdi_v3_along(f->end[1], f->d, t - 1.0);
    return cdi_v3_along(foot, at->off, share);
}

/* A nearest point and its squared distance. */
typedef struct cdi_round_near {
    cdi_v3 point;
    double sqdist;
} cdi_round_near;

static cdi_round_near cdi_near_at(const cdi_frustum *f, const cdi_about_axis *at, double t, double distance) {
    cdi_round_near n;
    double x = (at->t - t) * f->length, y = at->distance - distance;
    n.point = cdi_about_point(f, at, t, at->distance > 0.0 ? distance / at->distance : 0.0);
    n.sqdist = x * x + y * y;
    return n;
}

static cdi_round_near cdi_near_inside(cdi_v3 p) {
    cdi_round_near n;
    n.point = p;
    n.sqdist = 0.0;
    return n;
}

static cdi_round_near cdi_near_cylinder(const cdi_frustum *f, cdi_v3 p) {
    cdi_about_axis at = cdi_about(f, p, false);
    double t = cdi_clamp(at.t, 0.0, f->h > 0.0 ? 1.0 : 0.0), distance = cdi_min(at.distance, f->r[1]);
    if (t == at.t && distance == at.distance) return cdi_near_inside(p);
    return cdi_near_at(f, &at, t, distance);
}

static cdi_round_near cdi_near_disc(const cdi_frustum *f, cdi_v3 p) {
    cdi_about_axis at = cdi_about(f, p, true);
    return cdi_near_at(f, &at, 0.0, cdi_min(at.distance, f->r[1]));
}

/* Across the axis the cone is a triangle: behind its base, inside, or nearest to the slanted side. */
static cdi_round_near cdi_near_cone(const cdi_frustum *f, cdi_v3 p) {
    cdi_about_axis at = cdi_about(f, p, false);
    double r = f->r[1], x = at.t * f->length, s;
    if (!(f->h > 0.0)) return cdi_near_at(f, &at, 0.0, 0.0);
    if (at.t >= 1.0) return cdi_near_at(f, &at, 1.0, cdi_min(at.distance, r));
    if (at.t >= 0.0 && at.distance <= r * at.t) return cdi_near_inside(p);
    s = (x * f->h + at.distance * r) / (f->h * f->h + r * r);
    s = cdi_clamp(s, 0.0, 1.0);
    return cdi_near_at(f, &at, s, s * r);
}

typedef cdi_round_near cdi_near_fn(const cdi_frustum *f, cdi_v3 p);

#ifdef COLLIDE_DOUBLE
/* Numbers whose squares or fourth powers could leave the range are brought near 1 by a power of two. */
static cdi_round_near cdi_near_tame(cdi_near_fn *near_fn, const cdi_frustum *f, cdi_v3 p) {
    double size = cdi_max(cdi_max(cdi_v3_max_abs(f->end[0]), cdi_v3_max_abs(f->end[1])), cdi_v3_max_abs(p));
    cdi_frustum g = *f;
    cdi_round_near n;
    int e;
    size = cdi_max(size, f->r[1]);
    if (size == 0.0 || (size > 1e-70 && size < 1e70)) return near_fn(f, p);
    e = -cdi_exponent(size);
    for (int i = 0; i < 2; ++i) {
        g.end[i] = cdi_v3_scale2(f->end[i], e);
        g.r[i] = cdi_scale2(f->r[i], e);
    }
    if (f->h > 0.0) {
        g.d = cdi_v3_sub(g.end[1], g.end[0]);
        g.h = g.length = cdi_v3_length(g.d);
    }
    n = near_fn(&g, cdi_v3_scale2(p, e));
    n.point = cdi_v3_scale2(n.point, -e);
    n.sqdist = cdi_scale2(cdi_scale2(n.sqdist, -e), -e);
    return n;
}
#else
static cdi_round_near cdi_near_tame(cdi_near_fn *near_fn, const cdi_frustum *f, cdi_v3 p) {
    return near_fn(f, p);
}
#endif

static cd_vec3 cdi_closest_of_round(cdi_near_fn *near_fn, const cdi_frustum *f, bool valid, cd_vec3 p) {
    cd_real nan = (cd_real)cdi_nan();
    if (!valid || !cd_vec3_is_valid(p)) return cd_vec3_make(nan, nan, nan);
    return cdi_v3_round(cdi_near_tame(near_fn, f, cdi_v3_of(p)).point);
}

static cd_real cdi_sqdist_of(cdi_near_fn *near_fn, const cdi_frustum *f, bool valid, cd_vec3 p) {
    if (!valid || !cd_vec3_is_valid(p)) return (cd_real)cdi_nan();
    return cdi_real_or_infinity(cdi_near_tame(near_fn, f, cdi_v3_of(p)).sqdist);
}

static bool cdi_sphere_meets(cdi_near_fn *near_fn, const cdi_frustum *f, bool valid, cd_sphere s) {
    double r = (double)s.radius;
    if (!valid || !cd_sphere_is_valid(s)) return false;
    return cdi_near_tame(near_fn, f, cdi_v3_of(s.center)).sqdist <= r * r;
}

CD_API cd_vec3 cd_closest_pt_point_cylinder(cd_vec3 p, const cd_cylinder *c) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cylinder(&f, c);
    return cdi_closest_of_round(cdi_near_cylinder, &f, valid, p);
}

CD_API cd_vec3 cd_closest_pt_point_cone(cd_vec3 p, const cd_cone *c) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cone(&f, c);
    return cdi_closest_of_round(cdi_near_cone, &f, valid, p);
}

CD_API cd_vec3 cd_closest_pt_point_disc(cd_vec3 p, const cd_disc *d) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_disc(&f, d);
    return cdi_closest_of_round(cdi_near_disc, &f, valid, p);
}

CD_API cd_real cd_sqdist_point_cylinder(cd_vec3 p, const cd_cylinder *c) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cylinder(&f, c);
    return cdi_sqdist_of(cdi_near_cylinder, &f, valid, p);
}

CD_API cd_real cd_sqdist_point_cone(cd_vec3 p, const cd_cone *c) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cone(&f, c);
    return cdi_sqdist_of(cdi_near_cone, &f, valid, p);
}

CD_API cd_real cd_sqdist_point_disc(cd_vec3 p, const cd_disc *d) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_disc(&f, d);
    return cdi_sqdist_of(cdi_near_disc, &f, valid, p);
}

CD_API bool cd_test_sphere_cylinder(cd_sphere s, const cd_cylinder *c) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cylinder(&f, c);
    return cdi_sphere_meets(cdi_near_cylinder, &f, valid, s);
}

CD_API bool cd_test_sphere_cone(cd_sphere s, const cd_cone *c) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_cone(&f, c);
    return cdi_sphere_meets(cdi_near_cone, &f, valid, s);
}

CD_API bool cd_test_sphere_disc(cd_sphere s, const cd_disc *d) {
    cdi_frustum f;
    bool valid = cdi_frustum_of_disc(&f, d);
    return cdi_sphere_meets(cdi_near_disc, &f, valid, s);
}

/* ---- boxes ----
 * Where the axis misses the box, some edge of the part of the box between the planes of the ends is as near to it as any of its
 * points: seen along the axis of a cylinder that part is a convex polygon without the axis inside; seen from the apex of a cone
 * likewise. All segments between corners, edges or not, are asked. */

/* A corner of the part: its height, and what it is off the axis, on two axes across. */
typedef struct cdi_corner {
    double x, y, z;
} cdi_corner;

typedef struct cdi_clip {
    cdi_corner corner[8], kept[32];
    int count;
    double lo, hi; /* heights of the planes, moved apart by the error */
} cdi_clip;

static void cdi_clip_corners(cdi_clip *clip, const cdi_frustum *f, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 e = cdi_across(f->u), g = cdi_v3_cross(f->u, e);
    for (int i = 0; i < 8; ++i) {
        cdi_v3 p = cdi_v3_make(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z);
        cdi_corner *c = &clip->corner[i];
        p = cdi_v3_sub(p, f->end[0]);
        c->x = cdi_v3_dot(p, f->u);
        c->y = cdi_v3_dot(p, e);
        c->z = cdi_v3_dot(p, g);
        if (c->x >= clip->lo && c->x <= clip->hi) clip->kept[clip->count++] = *c;
    }
}

/* Where the edge crosses the plane of height x. */
static void cdi_clip_edge(cdi_clip *clip, const cdi_corner *a, const cdi_corner *b, double x) {
    double s = (x - a->x) / (b->x - a->x);
    cdi_corner *c = &clip->kept[clip->count];
    if (!((a->x < x && b->x > x) || (a->x > x && b->x < x))) return;
    c->x = x;
    c->y = a->y + s * (b->y - a->y);
    c->z = a->z + s * (b->z - a->z);
    ++clip->count;
}

/* Twelve edges, each crossing each plane once at most: with the corners never more than 8 + 2 * 12 points. */
static void cdi_clip_box(cdi_clip *clip, const cdi_frustum *f, cdi_v3 lo, cdi_v3 hi, double slack) {
    clip->count = 0;
    clip->lo = -slack;
    clip->hi = f->h + slack;
    cdi_clip_corners(clip, f, lo, hi);
    for (int i = 0; i < 8; ++i) {
        for (int k = 1; k < 8; k += k) {
            if (i & k) continue;
            cdi_clip_edge(clip, &clip->corner[i], &clip->corner[i + k], clip->lo);
            cdi_clip_edge(clip, &clip->corner[i], &clip->corner[i + k], clip->hi);
        }
    }
}

/* Does the segment come within r + slope x of the axis? The point of it where y^2 + z^2 - (r + slope x)^2 is least. */
static bool cdi_segment_near_axis(const cdi_corner *a, const cdi_corner *b, double r, double slope) {
    double dy = b->y - a->y, dz = b->z - a->z, ra = r + slope * a->x, dr = slope * (b->x - a->x);
    double square = dy * dy + dz * dz - dr * dr, half = a->y * dy + a->z * dz - ra * dr, s, y, z;
    if (!(square > 0.0) || !(half < 0.0) || half + square <= 0.0) return false; /* least at an end */
    s = -half / square;
    y = a->y + s * dy;
    z = a->z + s * dz;
    r = ra + s * dr;
    return r >= 0.0 && y * y + z * z <= r * r;
}

static bool cdi_clip_near_axis(const cdi_clip *clip, double r, double slope) {
    for (int i = 0; i < clip->count; ++i) {
        const cdi_corner *c = &clip->kept[i];
        double reach = r + slope * c->x;
        if (c->y * c->y + c->z * c->z <= reach * reach) return true;
    }
    for (int i = 1; i < clip->count; ++i) {
        for (int k = 0; k < i; ++k) {
            if (cdi_segment_near_axis(&clip->kept[i], &clip->kept[k], r, slope)) return true;
        }
    }
    return false;
}

/* Does the axis, longer by the error at both ends, meet the box? */
static bool cdi_axis_meets_box(const cdi_frustum *f, cdi_v3 lo, cdi_v3 hi, double slack) {
    cdi_span span;
    return cdi_line_box(f->end[0], f->u, lo, hi, &span) && span.in <= f->h + slack && span.out >= -slack;
}

static bool cdi_frustum_meets_box(const cdi_frustum *f, cd_aabb bounds, cd_aabb b) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    double size = cdi_max(cdi_v3_max_abs(f->end[0]), cdi_v3_max_abs(f->end[1])), slack, slope;
    cdi_clip clip;
    if (!cd_aabb_is_valid(b)) return false;
    if (bounds.min.x > b.max.x || bounds.min.y > b.max.y || bounds.min.z > b.max.z) return false;
    if (b.min.x > bounds.max.x || b.min.y > bounds.max.y || b.min.z > bounds.max.z) return false;
    size = cdi_max(cdi_max(size, f->r[1]), cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)));
    slack = 5e-15 * size;
    if (cdi_axis_meets_box(f, lo, hi, slack)) return true;
    slope = f->h > 0.0 ? (f->r[1] - f->r[0]) / f->h : 0.0;
    cdi_clip_box(&clip, f, lo, hi, slack);
    return cdi_clip_near_axis(&clip, f->r[0] + slack * (1.0 + 2.0 * slope), slope);
}

CD_API bool cd_test_cylinder_aabb(const cd_cylinder *c, cd_aabb b) {
    cdi_frustum f;
    return cdi_frustum_of_cylinder(&f, c) && cdi_frustum_meets_box(&f, cd_aabb_from_cylinder(c), b);
}

CD_API bool cd_test_cone_aabb(const cd_cone *c, cd_aabb b) {
    cdi_frustum f;
    return cdi_frustum_of_cone(&f, c) && cdi_frustum_meets_box(&f, cd_aabb_from_cone(c), b);
}

CD_API bool cd_test_disc_aabb(const cd_disc *d, cd_aabb b) {
    cdi_frustum f;
    return cdi_frustum_of_disc(&f, d) && cdi_frustum_meets_box(&f, cd_aabb_from_disc(d), b);
}

/* ---- two discs ---- */

/* Where the other plane cuts the disc: half the length of the chord, whose middle is `away` from the centre; below 0 where it
 * misses. */
static double cdi_half_chord(double r, double away) {
    return away <= r ? cdi_sqrt((r - away) * (r + away)) : -1.0;
}

CD_API bool cd_test_disc_disc(const cd_disc *a, const cd_disc *b) {
    cdi_frustum f, g;
    cdi_v3 c, line;
    double sine, slack, half_a, half_b, reach;
    if (!cdi_frustum_of_disc(&f, a) || !cdi_frustum_of_disc(&g, b)) return false;
    c = cdi_v3_sub(g.end[0], f.end[0]);
    reach = f.r[0] + g.r[0];
    slack = 5e-15 * cdi_max(cdi_max(cdi_v3_max_abs(f.end[0]), cdi_v3_max_abs(g.end[0])), reach);
    line = cdi_v3_cross(f.u, g.u);
    sine = cdi_v3_length(line);
    if (cdi_v3_length(c) > reach + slack) return false;
    if (sine < 1e-12) return cdi_abs(cdi_v3_dot(c, f.u)) <= slack + sine * reach;
    half_a = cdi_half_chord(f.r[0], cdi_max(cdi_abs(cdi_v3_dot(c, g.u)) - slack, 0.0) / sine);
    half_b = cdi_half_chord(g.r[0], cdi_max(cdi_abs(cdi_v3_dot(c, f.u)) - slack, 0.0) / sine);
    if (half_a < 0.0 || half_b < 0.0) return false;
    return cdi_abs(cdi_v3_dot(c, line)) - slack <= (half_a + half_b) * sine;
}
