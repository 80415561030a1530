#include "query/test_linear.h"
#include "query/piece3d.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"

/* ---- segments, rays and lines ---- */

/* The box around it, infinite where it has no end. */
static void cdi_piece_bounds(const cdi_piece *s, cdi_v3 *lo, cdi_v3 *hi) {
    double from[3], to[3], least[3], most[3];
    cdi_v3_store(from, s->d.from);
    cdi_v3_store(to, s->d.to);
    cdi_v3_store(least, s->o);
    cdi_v3_store(most, s->o);
    for (int i = 0; i < 3; ++i) {
        if (s->reach == CDI_REACH_END) {
            least[i] = cdi_min(from[i], to[i]);
            most[i] = cdi_max(from[i], to[i]);
            continue;
        }
        if (to[i] > 0.0 || (s->reach == CDI_REACH_BOTH && to[i] < 0.0)) most[i] = cdi_infinity();
        if (to[i] < 0.0 || (s->reach == CDI_REACH_BOTH && to[i] > 0.0)) least[i] = -cdi_infinity();
    }
    *lo = cdi_v3_make(least[0], least[1], least[2]);
    *hi = cdi_v3_make(most[0], most[1], most[2]);
}

static bool cdi_bounds_meet(cdi_v3 alo, cdi_v3 ahi, cdi_v3 blo, cdi_v3 bhi) {
    return alo.x <= bhi.x && blo.x <= ahi.x && alo.y <= bhi.y && blo.y <= ahi.y && alo.z <= bhi.z &&
           blo.z <= ahi.z;
}

static bool cdi_piece_bounds_meet(const cdi_piece *a, const cdi_piece *b) {
    cdi_v3 alo, ahi, blo, bhi;
    cdi_piece_bounds(a, &alo, &ahi);
    cdi_piece_bounds(b, &blo, &bhi);
    return cdi_bounds_meet(alo, ahi, blo, bhi);
}

/* In the shadow along an axis: on which side of the line of `s` is p? */
static int cdi_shadow_side(const cdi_piece *s, cdi_v3 p, int axis) {
    return cdi_sign(cdi_orient_edges(cdi_v3_drop(s->d.from, axis), cdi_v3_drop(s->d.to, axis),
                                     cdi_v3_drop(s->o, axis), cdi_v3_drop(p, axis)));
}

/* Does the shadow of s cross the line of the shadow of `line` between the ends of s? `turn` is the sign of the cross product of
 * their directions, not 0. */
static bool cdi_shadow_crosses(const cdi_piece *s, const cdi_piece *line, int turn, int axis) {
    if (s->reach != CDI_REACH_BOTH && cdi_shadow_side(line, s->o, axis) * turn < 0) return false;
    return s->reach != CDI_REACH_END || cdi_shadow_side(line, s->d.to, axis) * turn <= 0;
}

/* Do the shadows meet, of things whose bounds do? */
static bool cdi_pieces_shadows_meet(const cdi_piece *a, const cdi_piece *b, int axis) {
    int turn = cdi_sign(cdi_orient_edges(cdi_v3_drop(a->d.from, axis), cdi_v3_drop(a->d.to, axis),
                                         cdi_v3_drop(b->d.from, axis), cdi_v3_drop(b->d.to, axis)));
    if (turn == 0) return cdi_shadow_side(a, b->o, axis) == 0 && cdi_shadow_side(b, a->o, axis) == 0;
    return cdi_shadow_crosses(a, b, turn, axis) && cdi_shadow_crosses(b, a, -turn, axis);
}

CDI_FN bool cdi_pieces_meet(const cdi_piece *a, const cdi_piece *b) {
    cdi_edge3d between;
    between.from = a->o;
    between.to = b->o;
    if (!cdi_piece_bounds_meet(a, b) || cdi_orient_edges3d(&a->d, &b->d, &between) != 0.0) return false;
    return cdi_pieces_shadows_meet(a, b, 0) && cdi_pieces_shadows_meet(a, b, 1) && cdi_pieces_shadows_meet(a, b, 2);
}

/* ---- triangles ---- */

/* In the shadow along an axis: does p lie strictly to one side of an edge, and to the other of another? */
static bool cdi_shadow_outside(cdi_v3 p, const cdi_tri *t, int axis) {
    bool left = false, right = false;
    for (int i = 0; i < 3; ++i) {
        double side = cdi_orient2d(cdi_v3_drop(t->v[i], axis), cdi_v3_drop(t->v[(i + 1) % 3], axis),
                                   cdi_v3_drop(p, axis));
        left = left || side > 0.0;
        right = right || side < 0.0;
    }
    return left && right;
}

static bool cdi_point_on_triangle(cdi_v3 p, const cdi_tri *t) {
    cdi_v3 lo, hi;
    cdi_tri_bounds(t, &lo, &hi);
    if (!cdi_bounds_meet(p, p, lo, hi) || cdi_orient3d(t->v[0], t->v[1], t->v[2], p) != 0.0) return false;
    return !cdi_shadow_outside(p, t, 0) && !cdi_shadow_outside(p, t, 1) && !cdi_shadow_outside(p, t, 2);
}

/* Line or ray and triangle in one plane. */
static CDI_COLD bool cdi_piece_meets_coplanar(const cdi_piece *s, const cdi_tri *t) {
    for (int i = 0; i < 3; ++i) {
        cdi_piece edge = cdi_piece_between(t->v[i], t->v[(i + 1) % 3]);
        if (cdi_pieces_meet(s, &edge)) return true;
    }
    return s->reach != CDI_REACH_BOTH && cdi_point_on_triangle(s->o, t);
}

/* A line or ray: the line passes its edges all on one side, and the origin is not beyond the plane. */
static bool cdi_piece_meets_triangle(const cdi_piece *s, const cdi_tri *t) {
    bool left = false, right = false;
    for (int i = 0; i < 3; ++i) {
        double side = cdi_orient_line(s->o, s->d.to, t->v[(i + 1) % 3], t->v[i]);
        left = left || side > 0.0;
        right = right || side < 0.0;
    }
    if (left && right) return false;
    if (!left && !right) return cdi_piece_meets_coplanar(s, t);
    if (s->reach == CDI_REACH_BOTH) return true;
    return cdi_sign(cdi_orient3d(t->v[0], t->v[1], t->v[2], s->o)) * (left ? 1 : -1) <= 0;
}

/* ---- boxes ---- */

/* The cross product is off by 6 u of the magnitudes met, the rectangle's by 4 u; a product that underflows by less than
 * CDI_CROSS_LEAST. */
#define CDI_CROSS_BOUND 1.7763568394002505e-15
#define CDI_CROSS_LEAST 1e-290

/* Is the shadow of the box along an axis strictly on one side of the line's? */
static bool cdi_line_misses_rectangle(const cdi_piece *s, cdi_v3 lo, cdi_v3 hi, int axis) {
    cdi_v2 from = cdi_v3_drop(s->d.from, axis), to = cdi_v3_drop(s->d.to, axis), o = cdi_v3_drop(s->o, axis);
    cdi_v2 l = cdi_v3_drop(lo, axis), h = cdi_v3_drop(hi, axis), least,
           most; /* the corners farthest right and left of it */
    if (cdi_v2_same(from, to)) return false;
    most.x = to.y > from.y ? l.x : h.x;
    least.x = to.y > from.y ? h.x : l.x;
    most.y = to.x > from.x ? h.y : l.y;
    least.y = to.x > from.x ? l.y : h.y;
    return cdi_orient_edges(from, to, o, most) < 0.0 || cdi_orient_edges(from, to, o, least) > 0.0;
}

/* Does it, whose bounds meet the box, meet the box? False where something is not finite. */
static CDI_COLD bool cdi_piece_crosses_box(cdi_piece s, cdi_v3 lo, cdi_v3 hi) {
    return cdi_v3_finite(s.d.from) && cdi_v3_finite(s.d.to) && cdi_v3_finite(s.o) && cdi_v3_finite(lo) &&
           cdi_v3_finite(hi) && !cdi_line_misses_rectangle(&s, lo, hi, 0) &&
           !cdi_line_misses_rectangle(&s, lo, hi, 1) && !cdi_line_misses_rectangle(&s, lo, hi, 2);
}

/* The same in double, in the plane of two axes: 1 for a miss, -1 for none, 0 when rounding does not tell, as in all that is not
 * finite. With the direction d, the way c from o to the box's middle, its widths h (both doubled) and the numbers s that c was
 * made of: the box is missed when |c x d| is more than h_i |d_j| + h_j |d_i|. */
CDI_INLINE int cdi_shadow_missed(double ci, double cj, double di, double dj, double hi, double hj, double si,
                              double sj) {
    double gap = cdi_abs(ci * dj - cj * di) - (hi * cdi_abs(dj) + hj * cdi_abs(di));
    double error = CDI_CROSS_BOUND * (si * cdi_abs(dj) + sj * cdi_abs(di)) + CDI_CROSS_LEAST;
    return (gap > error) - (gap < -error);
}

/* Does the line o + t d meet the box (1) or not (-1)? 0 when doubles cannot tell. */
CDI_INLINE int cdi_line_crosses_surely(cdi_v3 o, cdi_v3 d, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 c = cdi_v3_make((lo.x + hi.x) - 2.0 * o.x, (lo.y + hi.y) - 2.0 * o.y, (lo.z + hi.z) - 2.0 * o.z);
    cdi_v3 s = cdi_v3_make(cdi_abs(lo.x) + cdi_abs(hi.x) + 2.0 * cdi_abs(o.x),
                           cdi_abs(lo.y) + cdi_abs(hi.y) + 2.0 * cdi_abs(o.y),
                           cdi_abs(lo.z) + cdi_abs(hi.z) + 2.0 * cdi_abs(o.z));
    cdi_v3 h = cdi_v3_sub(hi, lo);
    int x = cdi_shadow_missed(c.y, c.z, d.y, d.z, h.y, h.z, s.y, s.z);
    int y = cdi_shadow_missed(c.z, c.x, d.z, d.x, h.z, h.x, s.z, s.x);
    int z = cdi_shadow_missed(c.x, c.y, d.x, d.y, h.x, h.y, s.x, s.y);
    if (x > 0 || y > 0 || z > 0) return -1;
    return x + y + z == -3;
}

/* On one axis: is something of the segment, ray or line in the slab? */
CDI_INLINE bool cdi_segment_in_slab(double a, double b, double lo, double hi) {
    return cdi_min(a, b) <= hi && lo <= cdi_max(a, b) && lo <= hi;
}
CDI_INLINE bool cdi_ray_in_slab(double o, double d, double lo, double hi, bool whole) {
    double least = d < 0.0 || (whole && d > 0.0) ? -cdi_infinity() : o;
    double most = d > 0.0 || (whole && d < 0.0) ? cdi_infinity() : o;
    return least <= hi && lo <= most && lo <= hi;
}

CD_API bool cd_test_segment_aabb(const cd_segment *s, cd_aabb b) {
    cdi_v3 p = cdi_v3_of(s->a), q = cdi_v3_of(s->b), lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    int sure;
    if (!cdi_segment_in_slab(p.x, q.x, lo.x, hi.x) || !cdi_segment_in_slab(p.y, q.y, lo.y, hi.y) ||
        !cdi_segment_in_slab(p.z, q.z, lo.z, hi.z))
        return false;
    sure = cdi_line_crosses_surely(p, cdi_v3_sub(q, p), lo, hi);
    return sure != 0 ? sure > 0 : cdi_piece_crosses_box(cdi_piece_between(p, q), lo, hi);
}

/* A ray, or the `whole` line, and a box; false where something is not finite. */
CDI_INLINE bool cdi_ray_meets_box(cdi_v3 o, cdi_v3 d, cdi_v3 lo, cdi_v3 hi, bool whole) {
    int sure;
    if (!cdi_ray_in_slab(o.x, d.x, lo.x, hi.x, whole) || !cdi_ray_in_slab(o.y, d.y, lo.y, hi.y, whole) ||
        !cdi_ray_in_slab(o.z, d.z, lo.z, hi.z, whole))
        return false;
    sure = cdi_line_crosses_surely(o, d, lo, hi);
    return sure != 0 ? sure > 0 : cdi_piece_crosses_box(cdi_piece_along(o, d, CDI_REACH_ONWARD), lo, hi);
}

CD_API bool cd_test_ray_aabb(const cd_ray *r, cd_aabb b) {
    return cdi_ray_meets_box(cdi_v3_of(r->origin), cdi_v3_of(r->dir), cdi_v3_of(b.min), cdi_v3_of(b.max),
                             false);
}

CD_API bool cd_test_line_aabb(const cd_line *l, cd_aabb b) {
    cdi_v3 d = cdi_v3_of(l->dir);
    return !cdi_v3_is_zero(d) &&
           cdi_ray_meets_box(cdi_v3_of(l->origin), d, cdi_v3_of(b.min), cdi_v3_of(b.max), true);
}

CD_API bool cd_test_ray_obb(const cd_ray *r, const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_make(box.half[0], box.half[1], box.half[2]),
           o = cdi_obb_local(&box, cdi_v3_of(r->origin));
    return cd_ray_is_valid(r) && cdi_obb_finite(&box) &&
           cdi_ray_meets_box(o, cdi_m3_tmul_v3(&box.axes, cdi_v3_of(r->dir)), cdi_v3_neg(half), half, false);
}

/* ---- planes ---- */

/* The side of a plane, n . p - d: exact. */
static int cdi_side_of(cd_plane plane, cd_vec3 p) {
    return cdi_plane_side(cdi_v3_of(plane.n), (double)plane.d, cdi_v3_of(p));
}

/* On which sides of a plane do points lie: do they meet it, or the half-space behind it? */
static bool cdi_points_meet_plane(const cd_vec3 *p, int count, cd_plane plane, bool solid) {
    bool front = false, behind = false;
    for (int i = 0; i < count; ++i) {
        int side = cdi_side_of(plane, p[i]);
        front = front || side >= 0;
        behind = behind || side <= 0;
    }
    return behind && (solid || front);
}

static bool cdi_ray_meets_plane(const cd_ray *r, cd_plane plane, bool solid) {
    int side, toward;
    if (!cd_ray_is_valid(r) || !cd_plane_is_valid(&plane)) return false;
    side = cdi_side_of(plane, r->origin);
    plane.d = 0;
    toward = cdi_side_of(plane, r->dir);
    return side == 0 || (solid && side < 0) || side * toward < 0;
}

static bool cdi_segment_meets_plane(const cd_segment *s, cd_plane plane, bool solid) {
    cd_vec3 p[2];
    p[0] = s->a;
    p[1] = s->b;
    return cd_segment_is_valid(s) && cd_plane_is_valid(&plane) && cdi_points_meet_plane(p, 2, plane, solid);
}

static bool cdi_triangle_meets_plane(const cd_triangle *t, cd_plane plane, bool solid) {
    cd_vec3 p[3];
    p[0] = t->a;
    p[1] = t->b;
    p[2] = t->c;
    return cd_triangle_is_valid(t) && cd_plane_is_valid(&plane) && cdi_points_meet_plane(p, 3, plane, solid);
}

/* The sign of a d - b c. */
static int cdi_sign_of_minor(double a, double b, double c, double d) {
    cdi_v2 o, p, q;
    o.x = o.y = 0.0;
    p.x = a;
    p.y = b;
    q.x = c;
    q.y = d;
    return cdi_sign(cdi_orient_edges(o, p, o, q));
}

static bool cdi_exactly_parallel(cdi_v3 n, cdi_v3 m) {
    return cdi_sign_of_minor(n.x, n.y, m.x, m.y) == 0 && cdi_sign_of_minor(n.y, n.z, m.y, m.z) == 0 &&
           cdi_sign_of_minor(n.z, n.x, m.z, m.x) == 0;
}

/* For parallel planes, b's normal being k times a's: the sign of k a.d - b.d, which tells on which side of b all of a lies;
 * `turn` is the sign of k. */
static int cdi_plane_beyond(cdi_v3 n, double d, cdi_v3 m, double e, int *turn) {
    int axis = n.x != 0.0 ? 0 : n.y != 0.0 ? 1 : 2;
    double x = cdi_v3_get(n, axis), y = cdi_v3_get(m, axis);
    *turn = (x > 0.0) == (y > 0.0) ? 1 : -1;
    return cdi_sign_of_minor(y, e, x, d) * (x > 0.0 ? 1 : -1);
}

/* Do a plane (or, if `first`, the half-space behind it) and another (if `second`) meet? */
static bool cdi_flats_meet(cd_plane a, cd_plane b, bool first, bool second) {
    cdi_v3 n = cdi_v3_of(a.n), m = cdi_v3_of(b.n);
    int beyond, turn;
    if (!cd_plane_is_valid(&a) || !cd_plane_is_valid(&b)) return false;
    if (!cdi_exactly_parallel(n, m)) return true;
    beyond = cdi_plane_beyond(n, (double)a.d, m, (double)b.d, &turn);
    return beyond == 0 || (second && beyond < 0) || (first && second && turn > 0);
}

/* ---- the interface ---- */

static bool cdi_on_piece(cd_vec3 p, const cdi_piece *s) {
    cdi_v3 q = cdi_v3_of(p);
    cdi_piece point = cdi_piece_between(q, q);
    return cdi_pieces_meet(&point, s);
}

CD_API bool cd_test_point_point(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_is_valid(a) && a.x == b.x && a.y == b.y && a.z == b.z;
}

CD_API bool cd_test_point_ray(cd_vec3 p, const cd_ray *r) {
    cdi_piece s = cdi_piece_of_ray(r);
    return cd_vec3_is_valid(p) && cd_ray_is_valid(r) && cdi_on_piece(p, &s);
}

CD_API bool cd_test_point_segment(cd_vec3 p, const cd_segment *s) {
    cdi_piece t = cdi_piece_of_segment(s);
    return cd_vec3_is_valid(p) && cd_segment_is_valid(s) && cdi_on_piece(p, &t);
}

CD_API bool cd_test_point_plane(cd_vec3 p, cd_plane plane) {
    return cd_vec3_is_valid(p) && cd_plane_is_valid(&plane) && cdi_side_of(plane, p) == 0;
}

CD_API bool cd_test_point_halfspace(cd_vec3 p, cd_plane plane) {
    return cd_vec3_is_valid(p) && cd_plane_is_valid(&plane) && cdi_side_of(plane, p) <= 0;
}

CD_API bool cd_test_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    return cd_vec3_is_valid(p) && cdi_tri_finite(&d) && cdi_point_on_triangle(cdi_v3_of(p), &d);
}

CD_API bool cd_test_ray_ray(const cd_ray *a, const cd_ray *b) {
    cdi_piece s = cdi_piece_of_ray(a), t = cdi_piece_of_ray(b);
    return cd_ray_is_valid(a) && cd_ray_is_valid(b) && cdi_pieces_meet(&s, &t);
}

CD_API bool cd_test_ray_segment(const cd_ray *r, const cd_segment *s) {
    cdi_piece a = cdi_piece_of_ray(r), b = cdi_piece_of_segment(s);
    return cd_ray_is_valid(r) && cd_segment_is_valid(s) && cdi_pieces_meet(&a, &b);
}

CD_API bool cd_test_ray_plane(const cd_ray *r, cd_plane plane) {
    return cdi_ray_meets_plane(r, plane, false);
}
CD_API bool cd_test_ray_halfspace(const cd_ray *r, cd_plane plane) {
    return cdi_ray_meets_plane(r, plane, true);
}

CD_API bool cd_test_ray_triangle(const cd_ray *r, const cd_triangle *t) {
    cdi_piece s = cdi_piece_of_ray(r);
    cdi_tri d = cdi_tri_of(t);
    return cd_ray_is_valid(r) && cdi_tri_finite(&d) && cdi_piece_meets_triangle(&s, &d);
}

static cdi_piece cdi_piece_of_line(const cd_line *l) {
    return cdi_piece_along(cdi_v3_of(l->origin), cdi_v3_of(l->dir), CDI_REACH_BOTH);
}

CD_API bool cd_test_line_triangle(const cd_line *l, const cd_triangle *t) {
    cdi_piece s = cdi_piece_of_line(l);
    cdi_tri d = cdi_tri_of(t);
    return cd_line_is_valid(l) && cdi_tri_finite(&d) && cdi_piece_meets_triangle(&s, &d);
}

CD_API bool cd_test_segment_segment(const cd_segment *s, const cd_segment *t) {
    cdi_piece a = cdi_piece_of_segment(s), b = cdi_piece_of_segment(t);
    return cd_segment_is_valid(s) && cd_segment_is_valid(t) && cdi_pieces_meet(&a, &b);
}

CD_API bool cd_test_segment_plane(const cd_segment *s, cd_plane plane) {
    return cdi_segment_meets_plane(s, plane, false);
}
CD_API bool cd_test_segment_halfspace(const cd_segment *s, cd_plane plane) {
    return cdi_segment_meets_plane(s, plane, true);
}

CD_API bool cd_test_plane_plane(cd_plane a, cd_plane b) {
    return cdi_flats_meet(a, b, false, false);
}
CD_API bool cd_test_plane_halfspace(cd_plane a, cd_plane b) {
    return cdi_flats_meet(a, b, false, true);
}
CD_API bool cd_test_halfspace_halfspace(cd_plane a, cd_plane b) {
    return cdi_flats_meet(a, b, true, true);
}

CD_API bool cd_test_triangle_plane(const cd_triangle *t, cd_plane plane) {
    return cdi_triangle_meets_plane(t, plane, false);
}
CD_API bool cd_test_triangle_halfspace(const cd_triangle *t, cd_plane plane) {
    return cdi_triangle_meets_plane(t, plane, true);
}

#undef CDI_CROSS_BOUND
#undef CDI_CROSS_LEAST
