#include "query/closest.h"
#include "core/expansion.h"
#include "query/closest3d.h"

static cd_vec3 cdi_nan3(void) {
    cd_real nan = (cd_real)cdi_nan();
    return cd_vec3_make(nan, nan, nan);
}

/* ---- plane ---- */

/* n . p - d with the errors of the products; in a float build these are 0. */
static double cdi_compensated_height(cdi_v3 n, cdi_v3 p, double d) {
    double term[3], tail[3], sum, rest, lost;
    cdi_two_product(n.x, p.x, &term[0], &tail[0]);
    cdi_two_product(n.y, p.y, &term[1], &tail[1]);
    cdi_two_product(n.z, p.z, &term[2], &tail[2]);
    lost = tail[0] + tail[1] + tail[2];
    cdi_two_diff(term[0], d, &sum, &rest);
    lost += rest;
    for (int i = 1; i < 3; ++i) {
        cdi_two_sum(sum, term[i], &sum, &rest);
        lost += rest;
    }
    return sum + lost;
}

/* The plane's equation by a power of two, so that |n| is near 1. */
static cdi_v3 cdi_tame_plane(cd_plane plane, double *d) {
    cdi_v3 n = cdi_v3_of(plane.n);
    int shift = -cdi_exponent(cdi_v3_max_abs(n));
    *d = cdi_scale2((double)plane.d, shift);
    return cdi_v3_make(cdi_scale2(n.x, shift), cdi_scale2(n.y, shift), cdi_scale2(n.z, shift));
}

CDI_FN double cdi_plane_height(cd_plane plane, cdi_v3 p, cdi_v3 *normal) {
    double d, height;
    *normal = cdi_tame_plane(plane, &d);
    height = cdi_compensated_height(*normal, p, d);
    if (height == height) return height;
    p = cdi_v3_scale(p, 6.2230152778611417e-61); /* 2^-200: a product had left the range */
    height = cdi_compensated_height(*normal, p, d * 6.2230152778611417e-61) * 1.6069380442589903e60;
    return height == height ? height : d > 0.0 ? -CDI_HUGE : CDI_HUGE;
}

CD_API cd_vec3 cd_closest_pt_point_plane(cd_vec3 p, cd_plane plane) {
    cdi_v3 n, q = cdi_v3_of(p);
    double height;
    if (!cdi_v3_finite(q) || !cd_plane_is_valid(&plane)) return cdi_nan3();
    height = cdi_plane_height(plane, q, &n);
    return cdi_v3_round(cdi_v3_along(q, n, -cdi_clamp(height, -CDI_HUGE, CDI_HUGE) / cdi_v3_sqlength(n)));
}

CD_API cd_real cd_dist_point_plane(cd_vec3 p, cd_plane plane) {
    cdi_v3 n, q = cdi_v3_of(p);
    double height;
    if (!cdi_v3_finite(q) || !cd_plane_is_valid(&plane)) return cdi_nan3().x;
    height = cdi_plane_height(plane, q, &n);
    return (cd_real)(height / cdi_v3_length(n));
}

/* ---- segment ---- */

CDI_FN cdi_v3 cdi_near_segment(cdi_v3 p, cdi_v3 a, cdi_v3 b, double *t) {
    cdi_v3 ab = cdi_v3_sub(b, a);
    double along = cdi_v3_dot(cdi_v3_sub(p, a), ab), length = cdi_v3_sqlength(ab);
    *t = 0.0;
    if (!(along > 0.0)) return a;
    *t = 1.0;
    if (along >= length) return b;
    *t = along / length;
    return cdi_v3_along(a, ab, *t);
}

CD_API cd_vec3 cd_closest_pt_point_segment(cd_vec3 p, const cd_segment *s) {
    double t;
    if (!cd_vec3_is_valid(p) || !cd_segment_is_valid(s)) return cdi_nan3();
    return cdi_v3_round(cdi_near_segment(cdi_v3_of(p), cdi_v3_of(s->a), cdi_v3_of(s->b), &t));
}

CD_API cd_real cd_sqdist_point_segment(cd_vec3 p, const cd_segment *s) {
    double t;
    cdi_v3 q = cdi_v3_of(p);
    if (!cd_vec3_is_valid(p) || !cd_segment_is_valid(s)) return cdi_nan3().x;
    return (cd_real)cdi_v3_sqlength(cdi_v3_sub(cdi_near_segment(q, cdi_v3_of(s->a), cdi_v3_of(s->b), &t), q));
}

/* ---- boxes ---- */

static bool cdi_box_asked_rightly(cd_vec3 p, cd_aabb b) {
    return cd_vec3_is_valid(p) && cd_aabb_is_valid(b);
}

CD_API cd_vec3 cd_closest_pt_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cdi_box_asked_rightly(p, b)) return cdi_nan3();
    return cd_vec3_min(cd_vec3_max(p, b.min), b.max);
}

CDI_FN double cdi_sqdist_box(cdi_v3 p, cdi_v3 lo, cdi_v3 hi) {
    double x = cdi_max(cdi_max(lo.x - p.x, p.x - hi.x), 0.0);
    double y = cdi_max(cdi_max(lo.y - p.y, p.y - hi.y), 0.0);
    double z = cdi_max(cdi_max(lo.z - p.z, p.z - hi.z), 0.0);
    return x * x + y * y + z * z;
}

CD_API cd_real cd_sqdist_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cdi_box_asked_rightly(p, b)) return cdi_nan3().x;
    return (cd_real)cdi_sqdist_box(cdi_v3_of(p), cdi_v3_of(b.min), cdi_v3_of(b.max));
}

/* The point of the box nearest to p, in the box's frame. */
static cdi_v3 cdi_near_obb_local(const cdi_obb *b, cdi_v3 p) {
    cdi_v3 q = cdi_obb_local(b, p);
    return cdi_v3_make(cdi_clamp(q.x, -b->half[0], b->half[0]), cdi_clamp(q.y, -b->half[1], b->half[1]),
                       cdi_clamp(q.z, -b->half[2], b->half[2]));
}

CD_API cd_vec3 cd_closest_pt_point_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    if (!cd_vec3_is_valid(p) || !cdi_obb_finite(&d)) return cdi_nan3();
    return cdi_v3_round(cdi_obb_world(&d, cdi_near_obb_local(&d, cdi_v3_of(p))));
}

CD_API cd_real cd_sqdist_point_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_make(d.half[0], d.half[1], d.half[2]);
    if (!cd_vec3_is_valid(p) || !cdi_obb_finite(&d)) return cdi_nan3().x;
    return (cd_real)cdi_sqdist_box(cdi_obb_local(&d, cdi_v3_of(p)), cdi_v3_neg(half), half);
}

/* ---- triangle ----
 * The Voronoi regions are told apart by the planes through the edges along the normal. The book's six dot products
 * (5.1.5) cancel on needles; these planes do not, since the normal is good there. */

static cdi_near cdi_near_tri_edge(cdi_v3 p, const cdi_tri *t, uint32_t i) {
    uint32_t j = i == 2 ? 0 : i + 1;
    double s, weight[3] = {0.0, 0.0, 0.0};
    cdi_near r;
    r.point = cdi_near_segment(p, t->v[i], t->v[j], &s);
    r.sqdist = cdi_v3_sqlength(cdi_v3_sub(r.point, p));
    r.feature = s <= 0.0 ? CD_FEATURE(1u, i) : s >= 1.0 ? CD_FEATURE(1u, j) : CD_FEATURE(2u, i);
    weight[i] = 1.0 - s;
    weight[j] = s;
    r.u = weight[1];
    r.v = weight[2];
    return r;
}

/* How far p is inside the plane through edge i along the normal, times the edge's length; and how much of that may be
 * rounding. */
static double cdi_edge_side(cdi_v3 p, const cdi_tri *t, cdi_v3 n, uint32_t i, double *noise) {
    cdi_v3 a = t->v[i], b = t->v[(i + 1) % 3], x = cdi_cross_at(a, b, p);
    double size = cdi_v3_max_abs(cdi_v3_sub(b, a)) * cdi_v3_max_abs(cdi_v3_sub(p, a));
#ifdef COLLIDE_DOUBLE
    *noise = 1e-30 * size + 2e-15 * cdi_v3_max_abs(x);
#else
    *noise = 5e-15 * size;
#endif
    return cdi_v3_dot(n, x);
}

/* How high p is above the plane: from the corner nearest to it, since what is rounded grows with the distance. */
static double cdi_height_at_corner(cdi_v3 p, const cdi_tri *t, cdi_v3 n) {
    cdi_v3 nearest = cdi_v3_sub(p, t->v[0]);
    for (int i = 1; i < 3; ++i) {
        cdi_v3 d = cdi_v3_sub(p, t->v[i]);
        if (cdi_v3_max_abs(d) < cdi_v3_max_abs(nearest)) nearest = d;
    }
    return cdi_v3_dot(n, nearest);
}

/* The foot of the perpendicular: once more from where the first step ended, as what that was too long or too short is a height there. */
static cdi_v3 cdi_foot_in_plane(cdi_v3 p, const cdi_tri *t, cdi_v3 n, double height) {
    cdi_v3 q = cdi_v3_along(p, n, -height);
    double rest = cdi_height_at_corner(q, t, n);
    return cdi_abs(rest) < cdi_abs(height) ? cdi_v3_along(q, n, -rest) : q;
}

/* What rounding did to the weights of a needle is along it: they are made to lead as far from the first corner as the point is. */
static void cdi_weights_along(const cdi_tri *t, cdi_near *r) {
    cdi_v3 a = t->v[0], ab = cdi_v3_sub(t->v[1], a), ac = cdi_v3_sub(t->v[2], a);
    cdi_v3 way = cdi_v3_along(cdi_v3_scale(ab, r->u), ac, r->v);
    double by = cdi_v3_dot(cdi_v3_sub(r->point, a), way) / cdi_v3_sqlength(way);
    if (!(by > 0.5 && by < 2.0)) return; /* a product that had left the range */
    by = cdi_min(by, 1.0 / (r->u + r->v));
    r->u *= by;
    r->v *= by;
}

/* The weights of a point that is as good as on an edge, from the edge nearest to it: areas beside it would be noise. */
static void cdi_weights_on_edge(const cdi_tri *t, cdi_near *r) {
    double least = cdi_infinity();
    for (uint32_t i = 0; i < 3; ++i) {
        cdi_near s = cdi_near_tri_edge(r->point, t, i);
        if (!(s.sqdist < least)) continue;
        least = s.sqdist;
        r->u = s.u;
        r->v = s.v;
    }
}

/* That foot, where it is inside all edges. Beyond the tip of a needle it may only seem to be, by no more than the noise: there it is outside
 * the bounding box. */
static bool cdi_near_tri_face(cdi_v3 p, const cdi_tri *t, cdi_v3 n, const double side[3],
                              const double noise[3], cdi_near *r) {
    double height = cdi_height_at_corner(p, t, n), all = side[0] + side[1] + side[2], size;
    bool sure = side[0] > noise[0] && side[1] > noise[1] && side[2] > noise[2];
    cdi_v3 q, lo, hi, in;
    if (!(side[0] > 0.0 && side[1] > 0.0 && side[2] > 0.0)) return false;
    q = cdi_foot_in_plane(p, t, n, height);
    cdi_tri_bounds(t, &lo, &hi);
    in = cdi_v3_make(cdi_clamp(q.x, lo.x, hi.x), cdi_clamp(q.y, lo.y, hi.y), cdi_clamp(q.z, lo.z, hi.z));
    size = cdi_max(cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)), cdi_v3_max_abs(p));
    if (!sure && !(cdi_v3_max_abs(cdi_v3_sub(q, in)) <= 1e-15 * size)) return false;
    r->point = in;
    r->sqdist = height * height;
    r->u = side[2] / all;
    r->v = side[0] / all;
    r->feature = CD_FEATURE(3u, 0u);
    if (!sure)
        cdi_weights_on_edge(t, r);
    else if (noise[0] + noise[1] + noise[2] > 1e-9 * all)
        cdi_weights_along(t, r);
    return true;
}

/* |p - a|^2 - |p - b|^2, also where all digits of the two are the same because p is far away. */
static double cdi_farther_by(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    return cdi_v3_dot(cdi_v3_add(cdi_v3_sub(p, a), cdi_v3_sub(p, b)), cdi_v3_sub(b, a));
}

static double cdi_near_weight(const cdi_near *r, uint32_t corner) {
    return corner == 0 ? 1.0 - r->u - r->v : corner == 1 ? r->u : r->v;
}

/* How much nearer to p than the corner is its foot on the edge to another one, in squares. */
static double cdi_foot_nearer_by(cdi_v3 p, cdi_v3 corner, cdi_v3 other) {
    cdi_v3 edge = cdi_v3_sub(other, corner);
    double way = cdi_v3_dot(cdi_v3_sub(p, corner), edge) / cdi_v3_length(edge);
    return way > 0.0 ? way * way : 0.0;
}

/* How much farther r, the foot on edge k, is than s, that on edge i > k, in squares. Beside the corner that they share they are as far but for
 * what rounding has done to their places. */
static double cdi_foot_farther_by(cdi_v3 p, const cdi_tri *t, const cdi_near *r, uint32_t k,
                                  const cdi_near *s, uint32_t i) {
    uint32_t corner = i - k == 1 ? i : k, r_end = corner == k ? k + 1 : k,
             s_end = corner == i ? (i + 1) % 3 : i;
    if (cdi_near_weight(r, corner) < 0.5 || cdi_near_weight(s, corner) < 0.5)
        return cdi_farther_by(p, r->point, s->point);
    return cdi_foot_nearer_by(p, t->v[corner], t->v[s_end]) -
           cdi_foot_nearer_by(p, t->v[corner], t->v[r_end]);
}

/* The nearest point of the edges that p is not clearly inside of; one of them holds it. A foot in the inside of an edge
 * that p is clearly outside of is the nearest point, since the edge's line bounds the triangle: it goes before all corners. */
static void cdi_near_tri_edges(cdi_v3 p, const cdi_tri *t, const double side[3], const double noise[3],
                               cdi_near *r) {
    bool found = false, on_edge = false;
    uint32_t edge = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        cdi_near s = cdi_near_tri_edge(p, t, i);
        bool inside = CD_FEATURE_KIND(s.feature) == 2u, sure = inside && side[i] < -noise[i];
        double farther;
        if (side[i] > noise[i] || (on_edge && !inside)) continue;
        if (cdi_v3_is_zero(cdi_v3_sub(t->v[i], t->v[(i + 1) % 3]))) continue; /* on others, too */
        farther = found ? cdi_foot_farther_by(p, t, r, edge, &s, i) : 1.0;
        if ((sure && !on_edge) || farther > 0.0 || (farther == 0.0 && s.feature < r->feature)) {
            *r = s;
            edge = i;
        }
        found = true;
        on_edge = on_edge || sure;
    }
    if (!found) *r = cdi_near_tri_edge(p, t, 0);
}

/* ---- the straight way ----
 * The signs of p's sides in the plane, as the book's (5.1.5) but from the normal, one cross product with which gives all
 * three. Where the angle at the first corner is not small, the sides are good to some digits less than all, times the
 * distance of p: enough for a point of the interface's floats. Doubles need all digits for the inside of the face, and a
 * side beyond doubt. What is in doubt goes the careful way. */
#ifdef COLLIDE_DOUBLE
#define CDI_PLAIN_SINE 1e-4 /* its square */
#define CDI_PLAIN_FACE 0
/* Products of four lengths stay in range, with differences of all numbers of the domain but the very least, so that no scale
 * changes the way; and `doubt` is what a side may be off, whatever the digits lost to the sine. */
static bool cdi_plain_range(cdi_v3 ab, cdi_v3 ac, cdi_v3 ap, cdi_v3 n, double *doubt) {
    double size = cdi_max(cdi_v3_max_abs(ab), cdi_v3_max_abs(ac)), height = cdi_v3_max_abs(ap);
    *doubt = 1e-12 * (size * height * cdi_v3_max_abs(n));
    return size > 1e-72 && size < 1e72 && height > 1e-72 && height < 1e72;
}
#else
#define CDI_PLAIN_SINE 1e-6
#define CDI_PLAIN_FACE 1
static bool cdi_plain_range(cdi_v3 ab, cdi_v3 ac, cdi_v3 ap, cdi_v3 n, double *doubt) {
    (void)ab, (void)ac, (void)ap, (void)n;
    *doubt = 0.0;
    return true;
}
#endif

static void cdi_near_at_corner(cdi_near *r, cdi_v3 p, const cdi_tri *t, uint32_t i) {
    r->point = t->v[i];
    r->sqdist = cdi_v3_sqlength(cdi_v3_sub(p, r->point));
    r->u = i == 1 ? 1.0 : 0.0;
    r->v = i == 2 ? 1.0 : 0.0;
    r->feature = CD_FEATURE(1u, i);
}

/* At s of the way `along` from a. */
static void cdi_near_on_edge(cdi_near *r, cdi_v3 p, cdi_v3 a, cdi_v3 along, double s, uint32_t i) {
    r->point = cdi_v3_along(a, along, s);
    r->sqdist = cdi_v3_sqlength(cdi_v3_sub(p, r->point));
    r->u = i == 0 ? s : i == 1 ? 1.0 - s : 0.0;
    r->v = i == 0 ? 0.0 : s;
    r->feature = CD_FEATURE(2u, i);
}

/* Outside of some edge: its own region if the foot is within, else a corner's. False where rounding leaves a gap between
 * the regions. */
static bool cdi_near_outside_plain(cdi_v3 p, const cdi_tri *t, cdi_v3 ab, cdi_v3 ac, cdi_v3 ap,
                                   const double side[3], cdi_near *r) {
    cdi_v3 bc = cdi_v3_sub(t->v[2], t->v[1]);
    double on_ab = cdi_v3_dot(ab, ap), on_ac = cdi_v3_dot(ac, ap),
           on_bc = cdi_v3_dot(bc, cdi_v3_sub(p, t->v[1]));
    double ab2 = cdi_v3_sqlength(ab), ac2 = cdi_v3_sqlength(ac), bc2 = cdi_v3_sqlength(bc);
    if (side[0] <= 0.0 && on_ab > 0.0 && on_ab < ab2)
        cdi_near_on_edge(r, p, t->v[0], ab, on_ab / ab2, 0);
    else if (side[1] <= 0.0 && on_bc > 0.0 && on_bc < bc2)
        cdi_near_on_edge(r, p, t->v[1], bc, on_bc / bc2, 1);
    else if (side[2] <= 0.0 && on_ac > 0.0 && on_ac < ac2)
        cdi_near_on_edge(r, p, t->v[0], ac, on_ac / ac2, 2);
    else if (on_ab <= 0.0 && on_ac <= 0.0)
        cdi_near_at_corner(r, p, t, 0);
    else if (on_ab >= ab2 && on_bc <= 0.0)
        cdi_near_at_corner(r, p, t, 1);
    else if (on_ac >= ac2 && on_bc >= bc2)
        cdi_near_at_corner(r, p, t, 2);
    else
        return false;
    return true;
}

static bool cdi_near_tri_plain(cdi_v3 p, const cdi_tri *t, cdi_near *r) {
    cdi_v3 ab = cdi_v3_sub(t->v[1], t->v[0]), ac = cdi_v3_sub(t->v[2], t->v[0]), ap = cdi_v3_sub(p, t->v[0]);
    cdi_v3 n = cdi_v3_cross(ab, ac), m = cdi_v3_cross(ap, n);
    double square = cdi_v3_sqlength(n), side[3], height, doubt;
    if (!cdi_plain_range(ab, ac, ap, n, &doubt)) return false;
    if (!(square > CDI_PLAIN_SINE * (cdi_v3_sqlength(ab) * cdi_v3_sqlength(ac)))) return false;
    side[0] = cdi_v3_dot(ab, m);
    side[2] = 0.0 - cdi_v3_dot(ac, m);
    side[1] = square - side[0] - side[2];
    for (int i = 0; i < 3 && doubt > 0.0; ++i) {
        if (cdi_abs(side[i]) <= doubt) return false;
    }
    if (!(side[0] > 0.0 && side[1] > 0.0 && side[2] > 0.0))
        return cdi_near_outside_plain(p, t, ab, ac, ap, side, r);
    if (!CDI_PLAIN_FACE) return false;
    height = cdi_v3_dot(n, ap);
    r->point = cdi_v3_along(p, n, -(height / square));
    r->sqdist = height * height / square;
    r->u = side[2] / square;
    r->v = side[0] / square;
    r->feature = CD_FEATURE(3u, 0u);
    return true;
}

#undef CDI_PLAIN_SINE
#undef CDI_PLAIN_FACE

/* Good to all digits: where the plain product has some to spare but is not, a point far from the needle's tip would be off by more
 * than the noise of its sides. */
static cdi_v3 cdi_careful_normal(const cdi_tri *t) {
#ifdef COLLIDE_DOUBLE
    return cdi_tri_normal(t);
#else
    return cdi_v3_normalize(cdi_accurate_normal(t->v[0], t->v[1], t->v[2]));
#endif
}

static CDI_COLD void cdi_near_tri_careful(cdi_v3 p, const cdi_tri *t, cdi_near *r) {
    cdi_v3 n = cdi_careful_normal(t);
    double side[3], noise[3];
    for (uint32_t i = 0; i < 3; ++i) side[i] = cdi_edge_side(p, t, n, i, &noise[i]); /* all 0 without area */
    if (!cdi_near_tri_face(p, t, n, side, noise, r)) cdi_near_tri_edges(p, t, side, noise, r);
}

CDI_FN cdi_near cdi_near_triangle(cdi_v3 p, const cdi_tri *t) {
    cdi_v3 lo, hi;
    cdi_near r = {t->v[0], CDI_HUGE, 0.0, 0.0, CD_FEATURE(1u, 0u)};
    if (!cdi_near_tri_plain(p, t, &r)) cdi_near_tri_careful(p, t, &r);
    cdi_tri_bounds(t, &lo, &hi);
    r.sqdist = cdi_max(r.sqdist, cdi_sqdist_box(p, lo, hi));
    return r;
}

static bool cdi_triangle_asked_rightly(cd_vec3 p, const cd_triangle *t) {
    return cdi_no_excess(cdi_excess(p) | cdi_excess(t->a) | cdi_excess(t->b) | cdi_excess(t->c));
}

CD_API cd_vec3 cd_closest_pt_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cdi_triangle_asked_rightly(p, t)) return cdi_nan3();
    return cdi_v3_round(cdi_near_triangle(cdi_v3_of(p), &d).point);
}

CD_API cd_real cd_sqdist_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cdi_triangle_asked_rightly(p, t)) return cdi_nan3().x;
    return (cd_real)cdi_near_triangle(cdi_v3_of(p), &d).sqdist;
}

CD_API cd_closest cd_closest_pts_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    cd_closest r;
    cdi_near q;
    cdi_clear(&r, sizeof r);
    r.sqdist = cdi_nan3().x;
    if (!cdi_triangle_asked_rightly(p, t)) return r;
    q = cdi_near_triangle(cdi_v3_of(p), &d);
    r.a = p;
    r.b = cdi_v3_round(q.point);
    r.sqdist = (cd_real)q.sqdist;
    r.s = (cd_real)q.u;
    r.t = (cd_real)q.v;
    r.feature_b = q.feature;
    return r;
}
