#include "query/zonotope.h"
#include "core/orient.h"
#include "query/cast3d.h"
#include "query/closest3d.h"
#include "shape/zonotope3d.h"

/* ---- exact ---- */

CD_API bool cd_test_point_zonotope(cd_vec3 p, const cd_zonotope *z) {
    cdi_zonotope d;
    if (!cd_vec3_is_valid(p) || !cd_zonotope_is_valid(z)) return false;
    d = cdi_zonotope_of(z, NULL);
    return cdi_zonotope_holds(&d, d.center, cdi_v3_of(p));
}

CD_API bool cd_test_zonotope_zonotope(const cd_zonotope *a, const cd_zonotope *b) {
    cdi_zonotope d;
    if (!cd_zonotope_is_valid(a) || !cd_zonotope_is_valid(b)) return false;
    d = cdi_zonotope_of(a, b);
    return cdi_zonotope_holds(&d, d.center, cdi_v3_of(b->center));
}

CD_API bool cd_test_zonotope_obb(const cd_zonotope *z, const cd_obb *b) {
    cd_vec3 edge[3];
    cd_zonotope box;
    if (!cd_obb_is_valid(b)) return false;
    for (int i = 0; i < 3; ++i)
        edge[i] = cdi_v3_round(cdi_v3_scale(cdi_v3_of(b->axes.col[i]), cdi_v3_get(cdi_v3_of(b->half), i)));
    box.center = b->center;
    box.generators = edge;
    box.count = 3;
    return cd_test_zonotope_zonotope(z, &box);
}

CD_API bool cd_test_zonotope_aabb(const cd_zonotope *z, cd_aabb b) {
    cd_obb box = cd_obb_from_aabb(b);
    return cd_aabb_is_valid(b) && cd_test_zonotope_obb(z, &box);
}

/* ---- plane ---- */

static bool cdi_zonotope_heights(const cd_zonotope *z, cd_plane plane, double *height, double *reach) {
    cdi_v3 n;
    *reach = 0.0;
    if (!cd_zonotope_is_valid(z) || !cd_plane_is_valid(&plane)) return false;
    *height = cdi_plane_height(plane, cdi_v3_of(z->center), &n);
    for (uint32_t i = 0; i < z->count; ++i) *reach += cdi_abs(cdi_v3_dot(n, cdi_v3_of(z->generators[i])));
    return true;
}

CD_API bool cd_test_zonotope_plane(const cd_zonotope *z, cd_plane plane) {
    double height, reach;
    return cdi_zonotope_heights(z, plane, &height, &reach) && cdi_abs(height) <= reach;
}

CD_API bool cd_test_zonotope_halfspace(const cd_zonotope *z, cd_plane plane) {
    double height, reach;
    return cdi_zonotope_heights(z, plane, &height, &reach) && height <= reach;
}

/* ---- the nearest point ----
 * Each pair of generators spans two opposite parallelograms of the surface. Where other generators lie in their plane, the
 * face is made of several; lifting all generators by heights of no pattern decides on which side of each the others are, so
 * that they cover the face without gaps. */

static double cdi_zonotope_lift(uint32_t i) {
    uint32_t x = (i + 1u) * 2654435761u;
    x = (x ^ x >> 15) * 2246822507u;
    return (double)(x ^ x >> 13) * 2.3283064365386963e-10;
}

/* The same vector for a normal and its opposite, so that all pairs in a plane are lifted alike. */
static cdi_v3 cdi_one_side(cdi_v3 n) {
    double first = n.x != 0.0 ? n.x : n.y != 0.0 ? n.y : n.z;
    return first < 0.0 ? cdi_v3_neg(n) : n;
}

/* On which side of the parallelogram of i and j generator k is. */
static double cdi_facet_side(const cdi_zonotope *z, uint32_t i, uint32_t j, uint32_t k) {
    const cdi_v3 zero = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_v3 a = cdi_zonotope_direction(z, i), b = cdi_zonotope_direction(z, j),
           c = cdi_zonotope_direction(z, k);
    double side = cdi_orient3d(a, b, c, zero);
    if (side == 0.0) {
        cdi_v3 lift = cdi_v3_scale(cdi_v3_cross(b, c), cdi_zonotope_lift(i));
        lift = cdi_v3_along(lift, cdi_v3_cross(c, a), cdi_zonotope_lift(j));
        lift = cdi_v3_along(lift, cdi_v3_cross(a, b), cdi_zonotope_lift(k));
        side = cdi_v3_dot(cdi_one_side(cdi_exact_normal(zero, a, b)), lift);
    }
    return side < 0.0 ? -1.0 : 1.0;
}

/* The nearest point to p, which is from the centre, of the parallelogram about `at`. */
static cdi_near cdi_near_facet(cdi_v3 p, cdi_v3 at, cdi_v3 a, cdi_v3 b) {
    cdi_tri t;
    cdi_near n, m;
    t.v[0] = cdi_v3_add(cdi_v3_add(at, a), b);
    t.v[1] = cdi_v3_sub(cdi_v3_add(at, a), b);
    t.v[2] = cdi_v3_sub(cdi_v3_sub(at, a), b);
    n = cdi_near_triangle(p, &t);
    t.v[1] = cdi_v3_add(cdi_v3_sub(at, a), b);
    m = cdi_near_triangle(p, &t);
    return m.sqdist < n.sqdist ? m : n;
}

/* All generators in line: a segment. */
static cdi_v3 cdi_near_line(const cdi_zonotope *z, cdi_v3 p) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    double t;
    for (uint32_t i = 0; i < z->generators; ++i) {
        cdi_v3 g = cdi_zonotope_direction(z, i);
        sum = cdi_v3_along(sum, g, cdi_v3_dot(sum, g) < 0.0 ? -1.0 : 1.0);
    }
    return cdi_near_segment(p, cdi_v3_neg(sum), sum, &t);
}

static cdi_v3 cdi_near_zonotope(const cdi_zonotope *z, cdi_v3 p) {
    cdi_v3 nearest = p;
    double least = cdi_infinity();
    if (z->directions > z->generators + 1) return cdi_near_line(z, p);
    for (uint32_t j = 0; j < z->generators; ++j) {
        for (uint32_t i = 0; i < j; ++i) {
            cdi_v3 a = cdi_zonotope_direction(z, i), b = cdi_zonotope_direction(z, j);
            cdi_v3 at = cdi_v3_make(0.0, 0.0, 0.0);
            if (cdi_v3_is_zero(cdi_exact_normal(at, a, b))) continue;
            for (uint32_t k = 0; k < z->generators; ++k)
                if (k != i && k != j)
                    at = cdi_v3_along(at, cdi_zonotope_direction(z, k), cdi_facet_side(z, i, j, k));
            for (int side = 0; side < 2; ++side) {
                cdi_near n = cdi_near_facet(p, side ? cdi_v3_neg(at) : at, a, b);
                if (!(n.sqdist < least)) continue;
                least = n.sqdist;
                nearest = n.point;
            }
        }
    }
    return nearest;
}

CD_API cd_vec3 cd_closest_pt_point_zonotope(cd_vec3 p, const cd_zonotope *z) {
    cd_real nan = (cd_real)cdi_nan();
    cdi_zonotope d;
    if (!cd_vec3_is_valid(p) || !cd_zonotope_is_valid(z)) return cd_vec3_make(nan, nan, nan);
    d = cdi_zonotope_of(z, NULL);
    if (cdi_zonotope_holds(&d, d.center, cdi_v3_of(p))) return p;
    return cdi_v3_round(cdi_v3_add(d.center, cdi_near_zonotope(&d, cdi_v3_sub(cdi_v3_of(p), d.center))));
}

CD_API bool cd_test_sphere_zonotope(cd_sphere s, const cd_zonotope *z) {
    cdi_zonotope d;
    cdi_v3 p = cdi_v3_of(s.center);
    if (!cd_sphere_is_valid(s) || !cd_zonotope_is_valid(z)) return false;
    d = cdi_zonotope_of(z, NULL);
    if (cdi_zonotope_holds(&d, d.center, p)) return true;
    p = cdi_v3_sub(p, d.center);
    return cdi_v3_length(cdi_v3_sub(cdi_near_zonotope(&d, p), p)) <= (double)s.radius;
}

/* ---- separating axes ---- */

/* The sum of the largest components: no coordinate from the centre is larger. */
static double cdi_zonotope_size(const cdi_zonotope *z) {
    double size = 0.0;
    for (uint32_t i = 0; i < z->generators; ++i) size += cdi_v3_max_abs(cdi_zonotope_direction(z, i));
    return size;
}

typedef struct cdi_zonotope_polygon {
    const cd_vec3 *corners;
    size_t count;
    double size; /* of both, from the zonotope's centre */
} cdi_zonotope_polygon;

/* Does the axis, of any length, part them beyond the rounding of its own projections? */
static bool cdi_axis_parts(const cdi_zonotope *z, const cdi_zonotope_polygon *g, cdi_v3 axis) {
    double lo = CDI_HUGE, hi = -CDI_HUGE, reach = cdi_zonotope_reach(z, axis);
    double slack = 2e-15 * g->size * cdi_v3_max_abs(axis);
    for (size_t i = 0; i < g->count; ++i) {
        double h = cdi_v3_dot(axis, cdi_v3_sub(cdi_v3_of(g->corners[i]), z->center));
        lo = cdi_min(lo, h);
        hi = cdi_max(hi, h);
    }
    return lo > reach + slack || hi < -(reach + slack);
}

static bool cdi_faces_part(const cdi_zonotope *z, const cdi_zonotope_polygon *g) {
    for (uint32_t j = 0; j < z->directions; ++j) {
        for (uint32_t i = 0; i < j; ++i) {
            cdi_v3 n = cdi_v3_cross(cdi_zonotope_direction(z, i), cdi_zonotope_direction(z, j));
            if (cdi_axis_parts(z, g, n)) return true;
        }
    }
    return false;
}

static bool cdi_edge_crosses_part(const cdi_zonotope *z, const cdi_zonotope_polygon *g, cdi_v3 normal) {
    for (size_t i = 0; i < g->count; ++i) {
        cdi_v3 e = cdi_v3_sub(cdi_v3_of(g->corners[i + 1 < g->count ? i + 1 : 0]), cdi_v3_of(g->corners[i]));
        if (cdi_axis_parts(z, g, cdi_v3_cross(normal, e))) return true;
        for (uint32_t k = 0; k < z->directions; ++k)
            if (cdi_axis_parts(z, g, cdi_v3_cross(e, cdi_zonotope_direction(z, k)))) return true;
    }
    return false;
}

CD_API bool cd_test_polygon_zonotope(const cd_vec3 *corners, size_t count, const cd_zonotope *z) {
    cdi_zonotope d;
    cdi_zonotope_polygon g;
    cdi_v3 normal = cdi_v3_make(0.0, 0.0, 0.0);
    if (count == 0 || !cd_zonotope_is_valid(z)) return false;
    d = cdi_zonotope_of(z, NULL);
    g.corners = corners;
    g.count = count;
    g.size = cdi_zonotope_size(&d);
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(corners[i])) return false;
        g.size = cdi_max(g.size, cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(corners[i]), d.center)));
        if (i < 2) continue;
        normal = cdi_v3_add(normal, cdi_v3_cross(cdi_v3_sub(cdi_v3_of(corners[i - 1]), cdi_v3_of(corners[0])),
                                                 cdi_v3_sub(cdi_v3_of(corners[i]), cdi_v3_of(corners[0]))));
    }
    return !cdi_axis_parts(&d, &g, normal) && !cdi_faces_part(&d, &g) &&
           !cdi_edge_crosses_part(&d, &g, normal);
}

CD_API bool cd_test_triangle_zonotope(const cd_triangle *t, const cd_zonotope *z) {
    cd_vec3 v[3];
    v[0] = t->a;
    v[1] = t->b;
    v[2] = t->c;
    return cd_test_polygon_zonotope(v, 3, z);
}

/* ---- ray ---- */

/* Visits the slab of each pair of directions: its unit normal, half width, and number. */
typedef struct cdi_zonotope_slabs {
    const cdi_zonotope *z;
    uint32_t i, j;
    double slack;
    cdi_v3 n;
    double reach;
    int face;
} cdi_zonotope_slabs;

static bool cdi_next_slab(cdi_zonotope_slabs *s) {
    for (;;) {
        if (++s->i >= s->j) {
            s->i = 0;
            ++s->j;
        }
        if (s->j >= s->z->directions) return false;
        ++s->face;
        s->n = cdi_v3_cross(cdi_zonotope_direction(s->z, s->i), cdi_zonotope_direction(s->z, s->j));
        s->n = cdi_v3_normalize(s->n);
        if (cdi_v3_is_zero(s->n)) continue;
        s->reach = cdi_zonotope_reach(s->z, s->n) + s->slack;
        return true;
    }
}

static cdi_zonotope_slabs cdi_first_slab(const cdi_zonotope *z) {
    cdi_zonotope_slabs s;
    cdi_clear(&s, sizeof s);
    s.z = z;
    s.face = -1;
    s.slack = 1e-15 * cdi_zonotope_size(z);
    return s;
}

/* `normal`: of the face where it comes in, and where it goes out; outward. */
static bool cdi_line_zonotope(const cdi_zonotope *z, cdi_v3 o, cdi_v3 d, cdi_span *span, cdi_v3 normal[2]) {
    cdi_zonotope_slabs s = cdi_first_slab(z);
    span->in = -CDI_HUGE;
    span->out = CDI_HUGE;
    span->face_in = span->face_out = 0;
    while (cdi_next_slab(&s)) {
        double speed = cdi_v3_dot(s.n, d), height = cdi_v3_dot(s.n, o), in, out;
        int up = speed > 0.0;
        if (speed == 0.0) {
            if (cdi_abs(height) > s.reach) return false;
            continue;
        }
        in = ((up ? -s.reach : s.reach) - height) / speed;
        out = ((up ? s.reach : -s.reach) - height) / speed;
        if (in > span->in) {
            span->in = in;
            span->face_in = 2 * s.face + !up;
            normal[0] = up ? cdi_v3_neg(s.n) : s.n;
        }
        if (out < span->out) {
            span->out = out;
            span->face_out = 2 * s.face + up;
            normal[1] = up ? s.n : cdi_v3_neg(s.n);
        }
    }
    return span->in <= span->out;
}

/* The nearest face to a point inside. */
static int cdi_zonotope_face(const cdi_zonotope *z, cdi_v3 p, cdi_v3 *normal, double *depth) {
    cdi_zonotope_slabs s = cdi_first_slab(z);
    int face = 0;
    *depth = CDI_HUGE;
    *normal = cdi_v3_make(0.0, 0.0, 1.0);
    while (cdi_next_slab(&s)) {
        double height = cdi_v3_dot(s.n, p), way = s.reach - s.slack - cdi_abs(height);
        if (way >= *depth) continue;
        *depth = way;
        *normal = height < 0.0 ? cdi_v3_neg(s.n) : s.n;
        face = 2 * s.face + (height >= 0.0);
    }
    return face;
}

static bool cdi_cast_zonotope(const cdi_cast *c, const cd_zonotope *z, cd_hit *hit) {
    cdi_zonotope d;
    cdi_span span;
    cdi_contact contact;
    cdi_v3 o, normal[2], n;
    double depth;
    int face;
    if (!cd_zonotope_is_valid(z)) return false;
    d = cdi_zonotope_of(z, NULL);
    o = cdi_v3_sub(c->o, d.center);
    normal[0] = normal[1] = cdi_v3_make(0.0, 0.0, 1.0);
    if (!cdi_line_zonotope(&d, o, c->d, &span, normal)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    if (contact == CDI_CONTACT_START) {
        face = cdi_zonotope_face(&d, cdi_v3_along(o, c->d, c->t_min), &n, &depth);
        return cdi_hit_start(c, n, depth, (uint32_t)face, hit);
    }
    if (contact == CDI_CONTACT_IN)
        return cdi_hit_write(hit, span.in, cdi_v3_along(c->o, c->d, span.in), normal[0],
                             (uint32_t)span.face_in, cdi_contact_flags(c, contact, span.in));
    return cdi_hit_write(hit, span.out, cdi_v3_along(c->o, c->d, span.out), cdi_v3_neg(normal[1]),
                         (uint32_t)span.face_out, cdi_contact_flags(c, contact, span.out));
}

CDI_CASTS(zonotope, const cd_zonotope *, zonotope);
