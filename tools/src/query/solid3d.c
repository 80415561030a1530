#include "query/solid3d.h"
#include "query/crossing3d.h"
#include "query/ray3d.h"
#include "query/swept.h"
#include "query/test.h"
#include "query/triangle_triangle3d.h"
#include "shape/side3d.h"
#include "shape/volume3d.h"

/* ---- surfaces ---- */

static cdi_solid cdi_solid_of_corners(const cd_vec3 *vertices, size_t count) {
    cdi_solid s;
    cdi_clear(&s, sizeof s);
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(vertices[i])) return s;
    }
    s.vertices = vertices;
    s.vertex_count = count;
    s.face_count = count > 0;
    return s;
}

CDI_FN cdi_solid cdi_solid_of_polygon(const cd_vec3 *polygon, size_t count) {
    return cdi_solid_of_corners(polygon, count);
}

/* Counter-clockwise from outside for a positive orient3d, else all the other way, which does as well. */
static const cd_half_edge cdi_tetrahedron_edges[12] = {{0, 5, 0},  {1, 6, 0}, {2, 9, 0}, {0, 11, 1},
                                                       {3, 7, 1},  {1, 0, 1}, {2, 1, 2}, {1, 4, 2},
                                                       {3, 10, 2}, {0, 2, 3}, {2, 8, 3}, {3, 3, 3}};
static const cd_hull_face cdi_tetrahedron_faces[4] = {
    {{{0, 0, 0}, 0}, 0, 3}, {{{0, 0, 0}, 0}, 3, 3}, {{{0, 0, 0}, 0}, 6, 3}, {{{0, 0, 0}, 0}, 9, 3}};

CDI_FN cdi_solid cdi_solid_of_tetrahedron(const cd_tetrahedron *t, cd_vec3 corner[4]) {
    cdi_solid s;
    corner[0] = t->a;
    corner[1] = t->b;
    corner[2] = t->c;
    corner[3] = t->d;
    s = cdi_solid_of_corners(corner, 4);
    if (s.vertex_count == 0) return s;
    s.half_edges = cdi_tetrahedron_edges;
    s.faces = cdi_tetrahedron_faces;
    s.face_count = 4;
    s.closed = true;
    return s;
}

/* The two sides of an exactly flat hull are one, points and segments have none. */
CDI_FN cdi_solid cdi_solid_of_hull(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_solid s;
    cdi_clear(&s, sizeof s);
    s.vertices = p.vertices;
    s.vertex_count = p.vertex_count;
    s.half_edges = p.face_count > 0 ? p.half_edges : NULL;
    s.faces = p.faces;
    s.face_count = p.face_count == 0                     ? p.vertex_count > 0
                   : p.dimension == 2 && p.flatness == 0 ? 1
                                                         : p.face_count;
    s.closed = p.dimension == 3;
    return s;
}

/* A place in the surface: triangle i of a face. */
typedef struct cdi_fan_place {
    size_t face, i;
} cdi_fan_place;

static cdi_fan_place cdi_first_place(void) {
    cdi_fan_place at;
    at.face = at.i = 0;
    return at;
}

/* The triangle of the place, which moves on; false behind the last. */
static bool cdi_next_triangle(const cdi_solid *s, cdi_fan_place *at, cd_triangle *t) {
    for (; at->face < s->face_count; ++at->face, at->i = 0) {
        const cd_half_edge *e;
        if (!s->half_edges) {
            if (at->i >= cd_polygon_triangle_count(s->vertex_count)) continue;
            *t = cd_polygon_triangle(s->vertices, s->vertex_count, at->i++);
            return true;
        }
        if (at->i + 2 >= s->faces[at->face].count) continue;
        e = s->half_edges + s->faces[at->face].first;
        t->a = s->vertices[e[0].origin];
        t->b = s->vertices[e[at->i + 1].origin];
        t->c = s->vertices[e[at->i + 2].origin];
        ++at->i;
        return true;
    }
    return false;
}

static cd_aabb cdi_triangle_box(const cd_triangle *t) {
    cd_aabb b;
    b.min = cd_vec3_min(cd_vec3_min(t->a, t->b), t->c);
    b.max = cd_vec3_max(cd_vec3_max(t->a, t->b), t->c);
    return b;
}

/* Neither is empty. */
static bool cdi_boxes_meet(const cd_aabb *a, const cd_aabb *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/* ---- points ---- */

CDI_FN int cdi_locate_in_solid(const cdi_solid *s, cd_vec3 p) {
    cd_aabb bounds = cd_aabb_from_points(s->vertices, s->vertex_count);
    cdi_fan_place at = cdi_first_place();
    cdi_probe q = cdi_probe_of(p);
    cd_triangle t;
    if (!cd_vec3_is_valid(p) || !cd_test_point_aabb(p, bounds)) return -1;
    while (!q.around.on && cdi_next_triangle(s, &at, &t)) {
        cdi_tri d = cdi_tri_of(&t);
        cdi_v3 lo, hi;
        cdi_tri_bounds(&d, &lo, &hi);
        cdi_probe_triangle(&q, &d, &lo, &hi);
    }
    if (q.around.on) return 0;
    return s->closed ? cdi_rounds_verdict(&q.around, CD_FILL_NON_ZERO) : -1;
}

/* ---- rays ---- */

static bool cdi_signs_agree(const int s[3]) {
    return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
}

/* In the shadow along an axis: are the corners all on one side of the ray's line, or is the ray outside of an edge and not
 * on the way to it? `across` is d x axis, so that its products are those of the shadows' cross products. */
static bool cdi_shadows_miss(cdi_v3 o, cdi_v3 across, const cdi_tri *t, int axis) {
    double turn =
        cdi_orient2d(cdi_v3_drop(t->v[0], axis), cdi_v3_drop(t->v[1], axis), cdi_v3_drop(t->v[2], axis));
    int side[3];
    for (int i = 0; i < 3; ++i) side[i] = cdi_height_sign(across, o, 0.0, t->v[i]);
    if (cdi_signs_agree(side)) return true;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = t->v[i], q = t->v[(i + 1) % 3];
        double out = cdi_orient2d(cdi_v3_drop(p, axis), cdi_v3_drop(q, axis), cdi_v3_drop(o, axis));
        int toward = out == 0.0 ? 0 : cdi_height_sign(across, p, 0.0, q);
        if ((turn >= 0.0 && out < 0.0 && toward <= 0) || (turn <= 0.0 && out > 0.0 && toward >= 0))
            return true;
    }
    return false;
}

/* Ray and corners in one plane: they meet when all their shadows do, since along some axis the plane is seen without being
 * folded, and on one line when not all corners are behind. */
static CDI_COLD bool cdi_ray_meets_coplanar(cdi_v3 o, cdi_v3 d, const cdi_tri *t) {
    int ahead[3];
    for (int i = 0; i < 3; ++i) ahead[i] = cdi_height_sign(d, o, 0.0, t->v[i]);
    if (ahead[0] < 0 && cdi_signs_agree(ahead)) return false;
    return !cdi_shadows_miss(o, cdi_v3_make(0.0, d.z, -d.y), t, 0) &&
           !cdi_shadows_miss(o, cdi_v3_make(-d.z, 0.0, d.x), t, 1) &&
           !cdi_shadows_miss(o, cdi_v3_make(d.y, -d.x, 0.0), t, 2);
}

CDI_FN bool cdi_ray_meets_tri(cdi_v3 o, cdi_v3 d, const cdi_tri *t) {
    int below, turns = 0;
    if (cdi_line_misses(o, d, t)) return false;
    if (cdi_v3_is_zero(d)) return cdi_tri_holds(t, o);
    for (int i = 0; i < 3; ++i) {
        double side = cdi_orient_line(o, d, t->v[(i + 1) % 3], t->v[i]);
        turns |= side > 0.0 ? 1 : side < 0.0 ? 2 : 0;
    }
    if (turns == 3) return false;
    if (turns == 0) return cdi_ray_meets_coplanar(o, d, t);
    below = cdi_sign(cdi_orient3d(t->v[0], t->v[1], t->v[2], o));
    return turns == 2 ? below >= 0 : below <= 0;
}

/* ---- what solids are tested against ---- */

static bool cdi_meets_ray(const void *shape, const cd_triangle *t) {
    const cd_ray *r = (const cd_ray *)shape;
    cdi_tri d = cdi_tri_of(t);
    return cdi_ray_meets_tri(cdi_v3_of(r->origin), cdi_v3_of(r->dir), &d);
}
/* First what most triangles are told by: the line passes them, or both ends are on one side. */
static bool cdi_meets_segment(const void *shape, const cd_triangle *t) {
    const cd_segment *s = (const cd_segment *)shape;
    cdi_v3 p = cdi_v3_of(s->a), q = cdi_v3_of(s->b);
    cdi_tri d = cdi_tri_of(t);
    int from;
    if (cdi_line_misses(p, cdi_v3_sub(q, p), &d)) return false;
    from = cdi_sign(cdi_orient3d(d.v[0], d.v[1], d.v[2], p));
    if (from != 0 && from == cdi_sign(cdi_orient3d(d.v[0], d.v[1], d.v[2], q))) return false;
    return cd_test_segment_triangle(s, t);
}
static bool cdi_meets_triangle(const void *shape, const cd_triangle *t) {
    return cd_test_triangle_triangle((const cd_triangle *)shape, t);
}
static bool cdi_meets_sphere(const void *shape, const cd_triangle *t) {
    return cd_test_sphere_triangle(*(const cd_sphere *)shape, t);
}
static bool cdi_meets_capsule(const void *shape, const cd_triangle *t) {
    return cd_test_capsule_triangle((const cd_capsule *)shape, t);
}
static bool cdi_meets_aabb(const void *shape, const cd_triangle *t) {
    return cd_test_triangle_aabb(t, *(const cd_aabb *)shape);
}
static bool cdi_meets_obb(const void *shape, const cd_triangle *t) {
    return cd_test_triangle_obb(t, (const cd_obb *)shape);
}

static cdi_target cdi_target_make(cd_test_triangle_fn test, const void *shape, cd_aabb box, cd_vec3 point) {
    cdi_target x;
    x.test = test;
    x.shape = shape;
    x.box = box;
    x.point = point;
    return x;
}

/* Where a ray gets to along one axis. */
static void cdi_ray_span(cd_real o, cd_real d, cd_real *lo, cd_real *hi) {
    cd_real all = (cd_real)cdi_infinity();
    *lo = d < 0 ? -all : o;
    *hi = d > 0 ? all : o;
}

CDI_FN cdi_target cdi_target_ray(const cd_ray *r) {
    cd_aabb box = cd_aabb_empty();
    if (cd_ray_is_valid(r)) {
        cdi_ray_span(r->origin.x, r->dir.x, &box.min.x, &box.max.x);
        cdi_ray_span(r->origin.y, r->dir.y, &box.min.y, &box.max.y);
        cdi_ray_span(r->origin.z, r->dir.z, &box.min.z, &box.max.z);
    }
    return cdi_target_make(cdi_meets_ray, r, box, r->origin);
}

CDI_FN cdi_target cdi_target_segment(const cd_segment *s) {
    cd_aabb box = cd_aabb_empty();
    if (cd_segment_is_valid(s)) {
        box.min = cd_vec3_min(s->a, s->b);
        box.max = cd_vec3_max(s->a, s->b);
    }
    return cdi_target_make(cdi_meets_segment, s, box, s->a);
}

CDI_FN cdi_target cdi_target_triangle(const cd_triangle *t) {
    cd_aabb box = cd_triangle_is_valid(t) ? cdi_triangle_box(t) : cd_aabb_empty();
    return cdi_target_make(cdi_meets_triangle, t, box, t->a);
}

CDI_FN cdi_target cdi_target_sphere(const cd_sphere *s) {
    cd_aabb box = cd_sphere_is_valid(*s) ? cd_aabb_from_sphere(*s) : cd_aabb_empty();
    return cdi_target_make(cdi_meets_sphere, s, box, s->center);
}

CDI_FN cdi_target cdi_target_capsule(const cd_capsule *c) {
    cd_aabb box = cd_capsule_is_valid(c) ? cd_aabb_from_capsule(c) : cd_aabb_empty();
    return cdi_target_make(cdi_meets_capsule, c, box, c->a);
}

CDI_FN cdi_target cdi_target_aabb(const cd_aabb *b) {
    return cdi_target_make(cdi_meets_aabb, b, cd_aabb_is_valid(*b) ? *b : cd_aabb_empty(), b->min);
}

/* With room for axes that are not quite unit and perpendicular. */
CDI_FN cdi_target cdi_target_obb(const cd_obb *b) {
    cdi_target x = cdi_target_make(cdi_meets_obb, b, cd_aabb_empty(), b->center);
    cdi_obb d = cdi_obb_of(b);
    if (cdi_obb_finite(&d) && b->half.x >= 0 && b->half.y >= 0 && b->half.z >= 0) {
        cd_real room = (cd_real)0.02 * (b->half.x + b->half.y + b->half.z);
        cd_vec3 wide = cd_vec3_make(room, room, room);
        x.box = cd_aabb_from_obb(b);
        x.box.min = cd_vec3_sub(x.box.min, wide);
        x.box.max = cd_vec3_add(x.box.max, wide);
    }
    return x;
}

/* ---- meeting ---- */

static bool cdi_surface_meets(const cdi_solid *s, const cdi_target *x) {
    cdi_fan_place at = cdi_first_place();
    cd_triangle t;
    while (cdi_next_triangle(s, &at, &t)) {
        cd_aabb box = cdi_triangle_box(&t);
        if (cdi_boxes_meet(&box, &x->box) && x->test(x->shape, &t)) return true;
    }
    return false;
}

CDI_FN bool cdi_solid_meets(const cdi_solid *s, const cdi_target *x) {
    cd_aabb bounds = cd_aabb_from_points(s->vertices, s->vertex_count);
    if (!cd_test_aabb_aabb(bounds, x->box)) return false;
    return cdi_surface_meets(s, x) || (s->closed && cdi_locate_in_solid(s, x->point) >= 0);
}

static bool cdi_meets_surface(const void *shape, const cd_triangle *t) {
    cdi_target x = cdi_target_triangle(t);
    return cdi_surface_meets((const cdi_solid *)shape, &x);
}

CDI_FN bool cdi_solids_meet(const cdi_solid *a, const cdi_solid *b) {
    cd_aabb bounds = cd_aabb_from_points(b->vertices, b->vertex_count);
    cdi_target x;
    if (a->vertex_count == 0 || b->vertex_count == 0) return false;
    x = cdi_target_make(cdi_meets_surface, b, bounds, b->vertices[0]);
    return cdi_solid_meets(a, &x) || (b->closed && cdi_locate_in_solid(b, a->vertices[0]) >= 0);
}
