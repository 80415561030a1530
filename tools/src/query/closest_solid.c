#include "query/closest_solid.h"
#include "query/flat3d.h"
#include "query/polygon.h"
#include "shape/voronoi.h"

/* A point that is nearest so far, of a figure made of triangles. */
typedef struct cdi_front {
    cdi_near near_point;
    bool outside; /* p is in front of a triangle */
} cdi_front;

static cd_closest cdi_closest_to(cd_vec3 p, cd_vec3 q, cd_real sqdist, uint32_t feature) {
    cd_closest r;
    cdi_clear(&r, sizeof r);
    r.a = p;
    r.b = q;
    r.sqdist = sqdist;
    r.feature_b = feature;
    return r;
}

static cd_closest cdi_closest_to_near(cd_vec3 p, const cdi_near *q) {
    return cdi_closest_to(p, cdi_v3_round(q->point), (cd_real)q->sqdist, q->feature);
}

static cd_vec3 cdi_nearest_point(const cd_closest *r) {
    return r->sqdist == r->sqdist ? r->b : cdi_no_point();
}

/* The nearest point of a triangle whose corners and edges have these features in the figure. */
static void cdi_nearest_keep(cdi_near *best, cdi_v3 p, const cdi_tri *t, const uint32_t vertex[3],
                             const uint32_t edge[3], uint32_t face) {
    cdi_near q = cdi_near_triangle(p, t);
    uint32_t i = CD_FEATURE_INDEX(q.feature), kind = CD_FEATURE_KIND(q.feature);
    q.feature = kind == CD_FEATURE_VERTEX ? vertex[i] : kind == CD_FEATURE_EDGE ? edge[i] : face;
    if (q.sqdist < best->sqdist) *best = q;
}

static cdi_near cdi_near_nothing(void) {
    cdi_near r;
    cdi_clear(&r, sizeof r);
    r.sqdist = cdi_infinity();
    return r;
}

/* ---- planes, boxes, spheres ---- */

CD_API cd_closest cd_closest_pts_point_plane(cd_vec3 p, cd_plane plane) {
    cdi_v3 n, q = cdi_v3_of(p);
    double height;
    if (!cdi_v3_finite(q) || !cd_plane_is_valid(&plane)) return cdi_closest_none();
    height = cdi_plane_height(plane, q, &n);
    return cdi_closest_to(p, cd_closest_pt_point_plane(p, plane),
                          (cd_real)(height * height / cdi_v3_sqlength(n)), CD_FEATURE(3u, 0u));
}

CD_API cd_closest cd_closest_pts_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cd_vec3_is_valid(p) || !cd_aabb_is_valid(b)) return cdi_closest_none();
    return cdi_closest_to(p, cd_closest_pt_point_aabb(p, b), cd_sqdist_point_aabb(p, b),
                          cd_voronoi_region_aabb(p, b));
}

CD_API cd_closest cd_closest_pts_point_obb(cd_vec3 p, const cd_obb *b) {
    if (!cd_vec3_is_valid(p) || !cd_obb_is_valid(b)) return cdi_closest_none();
    return cdi_closest_to(p, cd_closest_pt_point_obb(p, b), cd_sqdist_point_obb(p, b),
                          cd_voronoi_region_obb(p, b));
}

CD_API cd_real cd_dist_point_sphere(cd_vec3 p, cd_sphere s) {
    if (!cd_vec3_is_valid(p) || !cd_sphere_is_valid(s)) return cdi_no_point().x;
    return (cd_real)(cdi_v3_length(cdi_v3_sub(cdi_v3_of(p), cdi_v3_of(s.center))) - (double)s.radius);
}

/* From a box: the distance outside, less that to the nearest side inside. */
static cd_real cdi_dist_box(cdi_v3 p, cdi_v3 lo, cdi_v3 hi) {
    double x = cdi_max(lo.x - p.x, p.x - hi.x), y = cdi_max(lo.y - p.y, p.y - hi.y),
           z = cdi_max(lo.z - p.z, p.z - hi.z), most = cdi_max(cdi_max(x, y), z);
    if (most <= 0.0) return (cd_real)most;
    return (cd_real)cdi_v3_length(cdi_v3_make(cdi_max(x, 0.0), cdi_max(y, 0.0), cdi_max(z, 0.0)));
}

CD_API cd_real cd_dist_point_aabb(cd_vec3 p, cd_aabb b) {
    if (!cd_vec3_is_valid(p) || !cd_aabb_is_valid(b)) return cdi_no_point().x;
    return cdi_dist_box(cdi_v3_of(p), cdi_v3_of(b.min), cdi_v3_of(b.max));
}

CD_API cd_real cd_dist_point_obb(cd_vec3 p, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_of(b->half);
    if (!cd_vec3_is_valid(p) || !cd_obb_is_valid(b)) return cdi_no_point().x;
    return cdi_dist_box(cdi_obb_local(&d, cdi_v3_of(p)), cdi_v3_neg(half), half);
}

/* ---- rectangles ---- */

/* Where q is along e, the part along g taken away: the edges need not be quite perpendicular. */
static double cdi_rect_parameter(cdi_v3 q, cdi_v3 e, cdi_v3 g) {
    double gg = cdi_v3_sqlength(g), ee;
    if (gg > 0.0) {
        e = cdi_v3_across(e, g, gg);
        q = cdi_v3_across(q, g, gg);
    }
    ee = cdi_v3_sqlength(e);
    return ee > 0.0 ? cdi_clamp(cdi_v3_dot(q, e) / ee, 0.0, 1.0) : 0.0;
}

CD_API cd_closest cd_closest_pts_point_rect(cd_vec3 p, const cd_rect *r) {
    double most = cdi_max(cdi_v3_max_abs(cdi_v3_of(p)), cdi_v3_max_abs(cdi_v3_of(r->a)));
    int shift = cdi_tame_shift(cdi_max(most, cdi_most_of_two(r->edge[0], r->edge[1])));
    cdi_flat f = cdi_flat_of_point(p, shift), g = cdi_flat_of_rect(r, shift);
    cdi_bridge gap;
    cdi_v3 on, e, h;
    cd_closest out;
    if (!cd_vec3_is_valid(p) || !cd_rect_is_valid(r)) return cdi_closest_none();
    gap = cdi_near_flats(&f, &g, CDI_HUGE);
    on = cdi_v3_sub(gap.b, g.v[0]);
    e = cdi_v3_sub(g.v[1], g.v[0]);
    h = cdi_v3_sub(g.v[3], g.v[0]);
    gap.s = cdi_rect_parameter(on, e, h);
    gap.t = cdi_rect_parameter(on, h, e);
    out = cdi_closest_of(&gap, shift);
    out.a = p;
    out.feature_b = gap.feature_b;
    return out;
}

CD_API cd_vec3 cd_closest_pt_point_rect(cd_vec3 p, const cd_rect *r) {
    cd_closest c = cd_closest_pts_point_rect(p, r);
    return cdi_nearest_point(&c);
}
CD_API cd_real cd_sqdist_point_rect(cd_vec3 p, const cd_rect *r) {
    return cd_closest_pts_point_rect(p, r).sqdist;
}

/* ---- polygons ---- */

/* The fan's triangle i: an edge between two triangles belongs to the face. */
static void cdi_nearest_in_fan(cdi_near *best, cdi_v3 p, const cd_vec3 *polygon, size_t count, size_t i) {
    cd_triangle t = cd_polygon_triangle(polygon, count, i);
    cdi_tri d = cdi_tri_of(&t);
    uint32_t last = (uint32_t)count - 1, face = CD_FEATURE(3u, 0u), vertex[3], edge[3];
    for (uint32_t k = 0; k < 3; ++k) {
        uint32_t v = k == 0 ? 0 : (uint32_t)i + k;
        vertex[k] = CD_FEATURE(1u, v < last ? v : last);
    }
    edge[0] = i == 0 ? CD_FEATURE(2u, 0u) : face;
    edge[1] = CD_FEATURE(2u, (uint32_t)i + 1);
    edge[2] = i + 2 >= count - 1 ? CD_FEATURE(2u, last) : face;
    if (count < 3) edge[1] = edge[2] = edge[0]; /* there and back */
    cdi_nearest_keep(best, p, &d, vertex, edge, face);
}

CD_API cd_closest cd_closest_pts_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count) {
    size_t triangles = cd_polygon_triangle_count(count);
    cdi_near best = cdi_near_nothing();
    if (!cd_vec3_is_valid(p) || count == 0 || count > 0x3FFFFFFFu) return cdi_closest_none();
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(polygon[i])) return cdi_closest_none();
    }
    for (size_t i = 0; i < triangles; ++i) cdi_nearest_in_fan(&best, cdi_v3_of(p), polygon, count, i);
    return cdi_closest_to_near(p, &best);
}

CD_API cd_vec3 cd_closest_pt_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count) {
    cd_closest r = cd_closest_pts_point_polygon(p, polygon, count);
    return cdi_nearest_point(&r);
}
CD_API cd_real cd_sqdist_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count) {
    return cd_closest_pts_point_polygon(p, polygon, count).sqdist;
}

CD_API cd_closest cd_closest_pts_point_quad(cd_vec3 p, const cd_quad *q) {
    cd_vec3 v[4];
    v[0] = q->a;
    v[1] = q->b;
    v[2] = q->c;
    v[3] = q->d;
    return cd_closest_pts_point_polygon(p, v, 4);
}

CD_API cd_vec3 cd_closest_pt_point_quad(cd_vec3 p, const cd_quad *q) {
    cd_closest r = cd_closest_pts_point_quad(p, q);
    return cdi_nearest_point(&r);
}
CD_API cd_real cd_sqdist_point_quad(cd_vec3 p, const cd_quad *q) {
    return cd_closest_pts_point_quad(p, q).sqdist;
}

/* ---- bodies of triangles ----
 * A point outside is in front of a triangle, and nearest to one of those that it is in front of. A point inside is in front
 * of none, and is on those whose plane it is in. */

static void cdi_nearest_front(cdi_front *best, cdi_v3 p, const cdi_tri *t, const uint32_t vertex[3],
                              const uint32_t edge[3], uint32_t face) {
    double side = cdi_orient3d(t->v[0], t->v[1], t->v[2], p); /* below 0 in front */
    if (side > 0.0) return;
    best->outside = best->outside || side < 0.0;
    cdi_nearest_keep(&best->near_point, p, t, vertex, edge, face);
}

/* Of a solid body: p itself when it is not outside. */
static cd_closest cdi_closest_to_solid(cd_vec3 p, const cdi_front *best, bool solid) {
    cd_closest r = cdi_closest_to_near(p, &best->near_point);
    if (solid && !best->outside) return cdi_closest_to(p, p, 0, best->near_point.feature);
    if (solid && !(r.sqdist > 0)) r.sqdist = cdi_next_real(0, true); /* too small for its square */
    return r;
}

/* ---- tetrahedra ---- */

/* Face i, opposite corner i, counter-clockwise from outside where orient3d of the corners is below 0. */
static const uint8_t cdi_tetrahedron_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
static const uint8_t cdi_tetrahedron_edge[4][4] = {{0, 0, 2, 3}, {0, 0, 1, 4}, {2, 1, 0, 5}, {3, 4, 5, 0}};

/* The corners of face i with their features; `turned` for a tetrahedron of the other orientation. */
static cdi_tri cdi_tetrahedron_side(const cdi_v3 v[4], uint32_t i, bool turned, uint32_t vertex[3],
                                    uint32_t edge[3]) {
    uint32_t k[3];
    cdi_tri t;
    for (int j = 0; j < 3; ++j) k[j] = cdi_tetrahedron_face[i][turned ? 2 - j : j];
    for (int j = 0; j < 3; ++j) {
        t.v[j] = v[k[j]];
        vertex[j] = CD_FEATURE(1u, k[j]);
        edge[j] = CD_FEATURE(2u, (uint32_t)cdi_tetrahedron_edge[k[j]][k[(j + 1) % 3]]);
    }
    return t;
}

static void cdi_tetrahedron_corners(const cd_tetrahedron *t, cdi_v3 v[4]) {
    v[0] = cdi_v3_of(t->a);
    v[1] = cdi_v3_of(t->b);
    v[2] = cdi_v3_of(t->c);
    v[3] = cdi_v3_of(t->d);
}

/* All faces when it is flat. */
static cdi_front cdi_near_tetrahedron(cdi_v3 p, const cdi_v3 v[4], double volume) {
    uint32_t vertex[3], edge[3];
    cdi_front best;
    best.near_point = cdi_near_nothing();
    best.outside = false;
    for (uint32_t i = 0; i < 4; ++i) {
        cdi_tri t = cdi_tetrahedron_side(v, i, volume > 0.0, vertex, edge);
        if (volume == 0.0) {
            cdi_nearest_keep(&best.near_point, p, &t, vertex, edge, CD_FEATURE(3u, i));
        } else {
            cdi_nearest_front(&best, p, &t, vertex, edge, CD_FEATURE(3u, i));
        }
    }
    return best;
}

CD_API cd_closest cd_closest_pts_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t) {
    cdi_v3 v[4];
    double volume;
    cdi_front best;
    if (!cd_vec3_is_valid(p) || !cd_tetrahedron_is_valid(t)) return cdi_closest_none();
    cdi_tetrahedron_corners(t, v);
    volume = cdi_orient3d(v[0], v[1], v[2], v[3]);
    best = cdi_near_tetrahedron(cdi_v3_of(p), v, volume);
    return cdi_closest_to_solid(p, &best, volume != 0.0);
}

CD_API cd_vec3 cd_closest_pt_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t) {
    cd_closest r = cd_closest_pts_point_tetrahedron(p, t);
    return cdi_nearest_point(&r);
}
CD_API cd_real cd_sqdist_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t) {
    return cd_closest_pts_point_tetrahedron(p, t).sqdist;
}

/* The least distance to the planes of the faces. */
static double cdi_tetrahedron_depth(cdi_v3 p, const cdi_v3 v[4]) {
    uint32_t vertex[3], edge[3];
    double depth = CDI_HUGE;
    for (uint32_t i = 0; i < 4; ++i) {
        cdi_tri t = cdi_tetrahedron_side(v, i, false, vertex, edge);
        depth = cdi_min(depth, cdi_abs(cdi_v3_dot(cdi_tri_normal(&t), cdi_v3_sub(p, t.v[0]))));
    }
    return depth;
}

CD_API cd_real cd_dist_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t) {
    cdi_v3 v[4], q = cdi_v3_of(p);
    double volume;
    cdi_front best;
    if (!cd_vec3_is_valid(p) || !cd_tetrahedron_is_valid(t)) return cdi_no_point().x;
    cdi_tetrahedron_corners(t, v);
    volume = cdi_orient3d(v[0], v[1], v[2], v[3]);
    best = cdi_near_tetrahedron(q, v, volume);
    if (volume == 0.0 || best.outside) return (cd_real)cdi_sqrt(best.near_point.sqdist);
    return (cd_real)-cdi_tetrahedron_depth(q, v);
}

/* ---- hulls ---- */

/* How far p is in front of a face's plane. */
static double cdi_hull_height(const cd_plane *plane, cdi_v3 p) {
    return cdi_v3_dot(cdi_v3_of(plane->n), p) - (double)plane->d;
}

/* How much of such a height may be rounding: of the normal, which is known to 1e-14 in doubles, over the way from p to the corner that
 * the plane goes through, which may be any of the face; of d, and of the products. */
static double cdi_hull_slack(const cd_hull_parts *h, cdi_v3 p) {
    double size = cdi_v3_max_abs(p) + (double)h->reach;
    return (12.0 * (double)CD_REAL_EPSILON + 3e-14) * size + (double)h->flatness;
}

/* The triangle from a face's first corner to its half-edge i. */
static void cdi_nearest_in_face(cdi_front *best, cdi_v3 p, const cd_hull_parts *h, uint32_t face,
                                uint32_t i) {
    const cd_hull_face *f = &h->faces[face];
    uint32_t half[3], vertex[3], edge[3];
    cdi_tri t;
    half[0] = f->first;
    half[1] = f->first + i;
    half[2] = f->first + i + 1;
    for (int k = 0; k < 3; ++k) {
        const cd_half_edge *e = &h->half_edges[half[k]];
        t.v[k] = cdi_v3_of(h->vertices[e->origin]);
        vertex[k] = CD_FEATURE(1u, e->origin);
        edge[k] = CD_FEATURE(2u, half[k] < e->twin ? half[k] : e->twin);
    }
    if (i > 1) edge[0] = CD_FEATURE(3u, face);
    if (i + 2 < f->count) edge[2] = CD_FEATURE(3u, face);
    if (h->dimension == 3) {
        cdi_nearest_front(best, p, &t, vertex, edge, CD_FEATURE(3u, face));
    } else {
        cdi_nearest_keep(&best->near_point, p, &t, vertex, edge, CD_FEATURE(3u, face));
    }
}

/* Faces that p is behind, and those whose plane is farther than the best point, are passed over. */
static void cdi_near_hull_face(cdi_front *best, cdi_v3 p, const cd_hull_parts *h, uint32_t face,
                               double slack) {
    double least = cdi_hull_height(&h->faces[face].plane, p) - slack;
    if (h->dimension == 3 &&
        (least < -2.0 * slack || (least > 0.0 && least * least > best->near_point.sqdist)))
        return;
    for (uint32_t i = 1; i + 1 < h->faces[face].count; ++i) cdi_nearest_in_face(best, p, h, face, i);
}

/* The face whose plane p is farthest in front of: a good one to begin with. */
static uint32_t cdi_hull_foremost(const cd_hull_parts *h, cdi_v3 p, double *height) {
    uint32_t foremost = 0;
    *height = -CDI_HUGE;
    for (uint32_t i = 0; i < h->face_count; ++i) {
        double x = cdi_hull_height(&h->faces[i].plane, p);
        if (!(x > *height)) continue;
        *height = x;
        foremost = i;
    }
    return foremost;
}

static cdi_front cdi_near_hull(cdi_v3 p, const cd_hull_parts *h, double *height) {
    uint32_t foremost = cdi_hull_foremost(h, p, height);
    double slack = cdi_hull_slack(h, p);
    cdi_front best;
    best.near_point = cdi_near_nothing();
    best.outside = false;
    cdi_near_hull_face(&best, p, h, foremost, slack);
    for (uint32_t i = 0; i < h->face_count; ++i) {
        if (i != foremost) cdi_near_hull_face(&best, p, h, i, slack);
    }
    return best;
}

/* A segment or a point, as a polygon of its one or two vertices. */
static cd_closest cdi_closest_thin_hull(cd_vec3 p, const cd_hull_parts *h) {
    return cd_closest_pts_point_polygon(p, h->vertices, h->dimension < 0 ? 0 : h->vertex_count);
}

CD_API cd_closest cd_closest_pts_point_hull(cd_vec3 p, const cd_hull *hull) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    cdi_front best;
    double height;
    if (!cd_vec3_is_valid(p)) return cdi_closest_none();
    if (h.dimension < 2) return cdi_closest_thin_hull(p, &h);
    best = cdi_near_hull(cdi_v3_of(p), &h, &height);
    return cdi_closest_to_solid(p, &best, h.dimension == 3);
}

CD_API cd_vec3 cd_closest_pt_point_hull(cd_vec3 p, const cd_hull *hull) {
    cd_closest r = cd_closest_pts_point_hull(p, hull);
    return cdi_nearest_point(&r);
}
CD_API cd_real cd_sqdist_point_hull(cd_vec3 p, const cd_hull *hull) {
    return cd_closest_pts_point_hull(p, hull).sqdist;
}

CD_API cd_real cd_dist_point_hull(cd_vec3 p, const cd_hull *hull) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    cdi_front best;
    double height;
    if (!cd_vec3_is_valid(p) || h.dimension < 0) return cdi_no_point().x;
    if (h.dimension < 2) return (cd_real)cdi_sqrt((double)cdi_closest_thin_hull(p, &h).sqdist);
    best = cdi_near_hull(cdi_v3_of(p), &h, &height);
    if (h.dimension == 2 || best.outside) return (cd_real)cdi_sqrt(best.near_point.sqdist);
    return (cd_real)cdi_min(height, 0.0);
}
