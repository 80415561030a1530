#include "convex/body.h"
#include "convex/dk3d.h"
#include "hull/climb.h"
#include "hull/look.h"
#include "shape/ellipsoid3d.h"
#include "shape/kdop3d.h"

/* ---- what the core is ---- */

static bool cdi_convex_of_points(cdi_convex *out, const cd_support *s) {
    const cd_vec3 *p = (const cd_vec3 *)s->shape;
    cdi_real_bits excess = 0;
    cd_real most = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        cd_real x = p[i].x < 0 ? -p[i].x : p[i].x, y = p[i].y < 0 ? -p[i].y : p[i].y;
        cd_real z = p[i].z < 0 ? -p[i].z : p[i].z;
        excess |= cdi_excess(p[i]);
        most = x > most ? x : most;
        most = y > most ? y : most;
        most = z > most ? z : most;
    }
    out->own = (double)most;
    return s->count > 0 && cdi_no_excess(excess);
}

static bool cdi_convex_of_hull(cdi_convex *out, const cd_support *s) {
    const cdi_hull_header *header = (const cdi_hull_header *)((const cd_hull *)s->shape)->block;
    if (!header) return false;
    cdi_hull_get_heights(header, &out->hull);
    out->own = (double)out->hull.reach;
    out->blur = cdi_hull_blur(&out->hull);
    out->slopes = out->hull.neighbours && cdi_hull_has_slopes(&out->hull);
    return true;
}

/* The largest coordinate of the image of the cube [-1, 1]^3 about a point. */
static double cdi_map_reach(cdi_v3 middle, const cdi_m3 *m) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        double far_out = cdi_abs(cdi_v3_get(middle, i));
        for (int k = 0; k < 3; ++k) far_out += cdi_abs(cdi_v3_get(m->c[k], i));
        most = cdi_max(far_out, most);
    }
    return most;
}

static bool cdi_convex_of_dk(cdi_convex *out, const cd_support *s) {
    out->dk = cd_dk_hierarchy_get_parts((const cd_dk_hierarchy *)s->shape);
    out->own = (double)out->dk.reach;
    return out->dk.vertex_count > 0;
}

/* The image of the cube [-1, 1]^3. */
static bool cdi_convex_of_box(cdi_convex *out, const cd_obb *b) {
    cdi_obb o = cdi_obb_of(b);
    out->middle = o.center;
    for (int k = 0; k < 3; ++k) out->map.c[k] = cdi_v3_scale(o.axes.c[k], o.half[k]);
    out->own = cdi_map_reach(out->middle, &out->map);
    return cd_obb_is_valid(b);
}

static bool cdi_convex_of_aabb(cdi_convex *out, const cd_aabb *b) {
    out->own = cdi_max(cdi_v3_max_abs(cdi_v3_of(b->min)), cdi_v3_max_abs(cdi_v3_of(b->max)));
    return cdi_no_excess(cdi_excess(b->min) | cdi_excess(b->max)) && b->min.x <= b->max.x &&
           b->min.y <= b->max.y && b->min.z <= b->max.z;
}

/* The image of the square [0, 1]^2: of one of half the size, about its middle. */
static double cdi_square_reach(cdi_v3 a, const cdi_m3 *m) {
    cdi_v3 middle = cdi_v3_along(a, cdi_v3_add(m->c[0], m->c[1]), 0.5);
    cdi_m3 half = *m;
    for (int k = 0; k < 3; ++k) half.c[k] = cdi_v3_scale(m->c[k], 0.5);
    return cdi_map_reach(middle, &half);
}

static bool cdi_convex_of_rect(cdi_convex *out, const cd_rect *r) {
    out->middle = cdi_v3_of(r->a);
    out->map.c[0] = cdi_v3_of(r->edge[0]);
    out->map.c[1] = cdi_v3_of(r->edge[1]);
    out->map.c[2] = cdi_v3_make(0.0, 0.0, 0.0);
    out->own = cdi_square_reach(out->middle, &out->map);
    return cdi_no_excess(cdi_excess(r->a) | cdi_excess(r->edge[0]) | cdi_excess(r->edge[1]));
}

static bool cdi_convex_of_ellipsoid(cdi_convex *out, const cd_ellipsoid *e) {
    out->middle = cdi_v3_of(e->center);
    out->map = cdi_ellipsoid_map(e);
    out->own = cdi_map_reach(out->middle, &out->map);
    return cd_ellipsoid_is_valid(e);
}

static bool cdi_convex_of_frustum(cdi_convex *out, bool valid) {
    const cdi_frustum *f = &out->frustum;
    out->own = cdi_max(cdi_v3_max_abs(f->end[0]), cdi_v3_max_abs(f->end[1])) + cdi_max(f->r[0], f->r[1]);
    return valid;
}

/* Along one of the axes, either way. */
static cdi_v3 cdi_axis_out(int side) {
    double d = side & 1 ? 1.0 : -1.0;
    return cdi_v3_make(side / 2 == 0 ? d : 0.0, side / 2 == 1 ? d : 0.0, side / 2 == 2 ? d : 0.0);
}

/* The center where the caller's function says no number. */
static cdi_v3 cdi_farthest_of_user(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    cd_vec3 p = b->support->center;
    dir = cdi_v3_scale(dir, cdi_exp2i(-cdi_exponent(cdi_v3_max_abs(dir))));
    *vertex = b->support->fn(b->support->shape, cdi_v3_round(dir), *vertex, &p);
    if (cdi_no_excess(cdi_excess(p))) return cdi_v3_of(p);
    *vertex = CD_NONE;
    return b->center;
}

/* Its bounds: the farthest points along the axes. */
static bool cdi_convex_of_user(cdi_convex *out) {
    if (!out->support->fn) return false;
    for (int side = 0; side < 6; ++side) {
        uint32_t vertex = CD_NONE;
        cdi_v3 p = cdi_farthest_of_user(out, cdi_axis_out(side), &vertex);
        out->own = cdi_max(cdi_v3_max_abs(p), out->own);
    }
    return true;
}

/* The smaller ball is a point, the larger one has what its radius is more. */
static bool cdi_convex_of_tapered(cdi_convex *out, const cd_tapered_capsule *c) {
    cdi_frustum *f = &out->frustum;
    bool a_more = c->radius_a >= c->radius_b;
    f->end[0] = cdi_v3_of(a_more ? c->b : c->a);
    f->end[1] = cdi_v3_of(a_more ? c->a : c->b);
    f->r[0] = 0.0;
    f->r[1] = cdi_abs((double)c->radius_a - (double)c->radius_b);
    return cdi_convex_of_frustum(out, cd_tapered_capsule_is_valid(c));
}

static cdi_v3 cdi_point_of_program(const cdi_lp_answer *a) {
    return cdi_v3_make(a->point[0], a->point[1], a->point[2]);
}

/* One that is empty has no farthest points. Slabs need not touch it, so they do not tell how far it reaches. */
static bool cdi_convex_of_kdop(cdi_convex *out, const cd_kdop_body *k) {
    cdi_kdop_program p;
    if (!cdi_kdop_begin(&p, k->dop, k->set)) return false;
    out->own = 0.0;
    for (int side = 0; side < 6; ++side) {
        cdi_lp_answer a;
        cdi_v3 point;
        if (!cdi_kdop_solve(&p, cdi_axis_out(side), &a)) return false;
        point = cdi_point_of_program(&a);
        out->own = cdi_max(cdi_v3_max_abs(point), out->own);
    }
    return true;
}

static bool cdi_convex_of_core(cdi_convex *out, const cd_support *s) {
    cdi_frustum *f = &out->frustum;
    out->own = cdi_v3_max_abs(out->center);
    switch (s->kind) {
    case CD_SUPPORT_USER: return cdi_convex_of_user(out);
    case CD_SUPPORT_POINT: return true;
    case CD_SUPPORT_POINTS: return cdi_convex_of_points(out, s);
    case CD_SUPPORT_HULL: return cdi_convex_of_hull(out, s);
    case CD_SUPPORT_DK: return cdi_convex_of_dk(out, s);
    case CD_SUPPORT_AABB: return cdi_convex_of_aabb(out, (const cd_aabb *)s->shape);
    case CD_SUPPORT_OBB: return cdi_convex_of_box(out, (const cd_obb *)s->shape);
    case CD_SUPPORT_RECT: return cdi_convex_of_rect(out, (const cd_rect *)s->shape);
    case CD_SUPPORT_ELLIPSOID: return cdi_convex_of_ellipsoid(out, (const cd_ellipsoid *)s->shape);
    case CD_SUPPORT_CYLINDER:
        return cdi_convex_of_frustum(out, cdi_frustum_of_cylinder(f, (const cd_cylinder *)s->shape));
    case CD_SUPPORT_CONE:
        return cdi_convex_of_frustum(out, cdi_frustum_of_cone(f, (const cd_cone *)s->shape));
    case CD_SUPPORT_DISC:
        return cdi_convex_of_frustum(out, cdi_frustum_of_disc(f, (const cd_disc *)s->shape));
    case CD_SUPPORT_TAPERED: return cdi_convex_of_tapered(out, (const cd_tapered_capsule *)s->shape);
    case CD_SUPPORT_KDOP: return cdi_convex_of_kdop(out, (const cd_kdop_body *)s->shape);
    default: return false;
    }
}

/* How many a core has. */
static uint32_t cdi_vertex_count_of(const cdi_convex *b) {
    switch (b->support->kind) {
    case CD_SUPPORT_POINT: return 1;
    case CD_SUPPORT_POINTS: return b->support->count;
    case CD_SUPPORT_AABB:
    case CD_SUPPORT_OBB: return 8;
    case CD_SUPPORT_RECT: return 4;
    case CD_SUPPORT_HULL: return b->hull.vertex_count;
    case CD_SUPPORT_DK: return b->dk.hull_vertex_count;
    default: return 0;
    }
}

/* A turn takes a coordinate to no more than sqrt(3) of the largest. */
static void cdi_convex_posed(cdi_convex *body) {
    body->posed = true;
    body->reach = body->own * 1.75 + cdi_v3_max_abs(body->pose.position);
}

static cdi_real_bits cdi_pose_excess(const cd_transform *t) {
    const cd_quat *q = &t->rotation;
    return cdi_excess(t->position) | cdi_excess_of(q->x) | cdi_excess_of(q->y) | cdi_excess_of(q->z) |
           cdi_excess_of(q->w);
}

CDI_FN bool cdi_stretch_of(const cd_support *s, cdi_v3 *by, bool *valid) {
    *by = cdi_v3_of(s->scale);
    *valid = true;
    if (cdi_v3_is_zero(*by)) return false;
    *valid = cdi_no_excess(cdi_excess(s->scale)) && by->x != 0.0 && by->y != 0.0 && by->z != 0.0;
    return *valid && !(by->x == 1.0 && by->y == 1.0 && by->z == 1.0);
}

/* The largest coordinate, by the farthest points along the axes where the factors differ. */
static CDI_COLD double cdi_stretched_reach(const cdi_convex *b) {
    double x = cdi_abs(b->stretch.x), y = cdi_abs(b->stretch.y), z = cdi_abs(b->stretch.z), most = 0.0;
    if (x == y && y == z) return b->own * x;
    for (int side = 0; side < 6; ++side) {
        uint32_t vertex = CD_NONE;
        cdi_v3 p = cdi_convex_farthest(b, cdi_axis_out(side), &vertex);
        most = cdi_max(cdi_abs(cdi_v3_get(p, side / 2)), most);
    }
    return most;
}

static CDI_COLD bool cdi_convex_stretch(cdi_convex *out, const cd_support *s) {
    bool valid;
    out->stretched = cdi_stretch_of(s, &out->stretch, &valid);
    if (!out->stretched) return valid;
    out->direct = false;
    out->own = cdi_stretched_reach(out);
    return true;
}

CDI_FN bool cdi_convex_open(cdi_convex *out, const cd_support *s, const cd_transform *pose) {
    cdi_real_bits excess = cdi_excess(s->center) | cdi_excess_of(s->radius);
    if (pose) excess |= cdi_pose_excess(pose);
    if (!cdi_no_excess(excess) || !(s->radius >= 0)) return false;
    out->support = s;
    out->center = cdi_v3_of(s->center);
    out->radius = (double)s->radius;
    out->posed = out->slopes = out->stretched = false;
    if (!cdi_convex_of_core(out, s)) return false;
    out->direct = s->kind == CD_SUPPORT_HULL;
    if (!(s->scale.x == 0 && s->scale.y == 0 && s->scale.z == 0) && !cdi_convex_stretch(out, s)) return false;
    out->vertex_count = cdi_vertex_count_of(out);
    out->reach = out->own;
    if (pose) {
        cdi_pose_put(&out->pose, pose);
        cdi_convex_posed(out);
    }
    return cdi_finite(out->reach);
}

CDI_FN void cdi_convex_place(cdi_convex *body, const cdi_pose *pose) {
    body->pose = *pose;
    cdi_convex_posed(body);
}

/* ---- two ---- */

static void cdi_couple_measure(cdi_couple *pair) {
    pair->scale = cdi_max(pair->a.reach, pair->b.reach);
}

CDI_FN bool cdi_couple_join(cdi_couple *pair) {
    cdi_couple_measure(pair);
    pair->rounded = pair->a.radius + pair->b.radius;
    return cdi_finite(pair->scale + pair->rounded);
}

CDI_FN bool cdi_couple_open(cdi_couple *out, const cd_support *a, const cd_support *b,
                            const cd_transform *b_in_a) {
    if (!cdi_convex_open(&out->a, a, NULL) || !cdi_convex_open(&out->b, b, b_in_a)) return false;
    return cdi_couple_join(out);
}

CDI_FN bool cdi_couple_open_posed(cdi_couple *out, const cd_support *a, const cdi_pose *a_pose,
                                  const cd_support *b, const cdi_pose *b_pose) {
    cd_transform same;
    cdi_clear(&same, sizeof same);
    if (!cdi_convex_open(&out->a, a, NULL) || !cdi_convex_open(&out->b, b, &same)) return false;
    if (a_pose) cdi_convex_place(&out->a, a_pose);
    if (b_pose) cdi_convex_place(&out->b, b_pose);
    return cdi_couple_join(out);
}

CDI_FN void cdi_couple_move(cdi_couple *pair, const cdi_pose *b_in_a) {
    cdi_convex_place(&pair->b, b_in_a);
    cdi_couple_measure(pair);
}

/* ---- vertices by number ---- */

/* The bits of the number are the sides. */
CDI_INLINE cdi_v3 cdi_box_vertex(const cdi_convex *b, uint32_t vertex) {
    cdi_v3 p = b->middle;
    for (int k = 0; k < 3; ++k) p = cdi_v3_along(p, b->map.c[k], (vertex >> k & 1u) ? 1.0 : -1.0);
    return p;
}

CDI_INLINE cdi_v3 cdi_aabb_vertex(const cdi_convex *b, uint32_t vertex) {
    const cd_aabb *box = (const cd_aabb *)b->support->shape;
    return cdi_v3_make((double)(vertex & 1u ? box->max.x : box->min.x),
                       (double)(vertex & 2u ? box->max.y : box->min.y),
                       (double)(vertex & 4u ? box->max.z : box->min.z));
}

/* Around: along the first edge, then along the second. */
CDI_INLINE cdi_v3 cdi_rect_vertex(const cdi_convex *b, uint32_t vertex) {
    cdi_v3 p = cdi_v3_along(b->middle, b->map.c[0], vertex == 1 || vertex == 2 ? 1.0 : 0.0);
    return cdi_v3_along(p, b->map.c[1], vertex >= 2 ? 1.0 : 0.0);
}

/* What is no corner of the hull is never farthest, and stands for the first one. */
static cdi_v3 cdi_dk_vertex(const cdi_convex *b, uint32_t vertex) {
    uint32_t place = b->dk.places[vertex];
    return cdi_v3_of(b->dk.vertices[place == CD_NONE ? 0 : place]);
}

static cdi_v3 cdi_core_vertex(const cdi_convex *b, uint32_t vertex) {
    switch (b->support->kind) {
    case CD_SUPPORT_POINTS: return cdi_v3_of(((const cd_vec3 *)b->support->shape)[vertex]);
    case CD_SUPPORT_AABB: return cdi_aabb_vertex(b, vertex);
    case CD_SUPPORT_OBB: return cdi_box_vertex(b, vertex);
    case CD_SUPPORT_RECT: return cdi_rect_vertex(b, vertex);
    case CD_SUPPORT_DK: return cdi_dk_vertex(b, vertex);
    default: return b->center;
    }
}

CDI_FN bool cdi_convex_vertex(const cdi_convex *b, uint32_t vertex, cdi_v3 *out) {
    if (vertex >= b->vertex_count) return false;
    *out = b->support->kind == CD_SUPPORT_HULL ? cdi_v3_of(b->hull.vertices[vertex])
                                               : cdi_core_vertex(b, vertex);
    if (b->stretched) *out = cdi_stretched(*out, b->stretch);
    if (b->posed) *out = cdi_pose_point(&b->pose, *out);
    return true;
}

/* ---- the farthest point ---- */

static cdi_v3 cdi_farthest_point_of(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    const cd_vec3 *p = (const cd_vec3 *)b->support->shape;
    uint32_t best = 0;
    double most = cdi_v3_dot(dir, cdi_v3_of(p[0]));
    for (uint32_t i = 1; i < b->support->count; ++i) {
        double x = cdi_v3_dot(dir, cdi_v3_of(p[i]));
        best = x > most ? i : best;
        most = x > most ? x : most;
    }
    *vertex = best;
    return cdi_v3_of(p[best]);
}

/* A side without extent is the lower one, so that corners that are equal have one number. */
CDI_INLINE cdi_v3 cdi_farthest_of_box(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    const cdi_v3 *c = b->map.c;
    *vertex = (uint32_t)(cdi_v3_dot(dir, c[0]) > 0.0) | (uint32_t)(cdi_v3_dot(dir, c[1]) > 0.0) << 1 |
              (uint32_t)(cdi_v3_dot(dir, c[2]) > 0.0) << 2;
    return cdi_box_vertex(b, *vertex);
}

CDI_INLINE cdi_v3 cdi_farthest_of_aabb(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    const cd_aabb *box = (const cd_aabb *)b->support->shape;
    uint32_t x = dir.x > 0.0 && box->max.x > box->min.x, y = dir.y > 0.0 && box->max.y > box->min.y;
    uint32_t z = dir.z > 0.0 && box->max.z > box->min.z;
    *vertex = x | y << 1 | z << 2;
    return cdi_aabb_vertex(b, *vertex);
}

static cdi_v3 cdi_farthest_of_rect(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    bool i = cdi_v3_dot(dir, b->map.c[0]) > 0.0, j = cdi_v3_dot(dir, b->map.c[1]) > 0.0;
    *vertex = j ? (i ? 2u : 3u) : (i ? 1u : 0u);
    return cdi_rect_vertex(b, *vertex);
}

static cdi_v3 cdi_farthest_of_ball_image(const cdi_convex *b, cdi_v3 dir) {
    return cdi_v3_add(b->middle, cdi_m3_mul_v3(&b->map, cdi_v3_unit(cdi_m3_tmul_v3(&b->map, dir))));
}

/* The part of a direction across a unit axis, as a unit vector. What rounding leaves of it along the axis is taken out again, which hardly
 * shortens it where that is little; where it leaves nearly nothing across, any point of the end is as far: zero. */
static cdi_v3 cdi_unit_across(cdi_v3 dir, cdi_v3 u) {
    cdi_v3 out = cdi_v3_unit(cdi_v3_along(dir, u, 0.0 - cdi_v3_dot(dir, u)));
    double slant = cdi_v3_dot(out, u);
    if (cdi_abs(slant) > 0.5) return cdi_v3_make(0.0, 0.0, 0.0);
    out = cdi_v3_along(out, u, 0.0 - slant);
    return cdi_abs(slant) < 1e-9 ? out : cdi_v3_unit(out);
}

static cdi_v3 cdi_farthest_of_frustum(const cdi_frustum *f, cdi_v3 dir) {
    cdi_v3 out = cdi_unit_across(dir, f->u);
    cdi_v3 p = cdi_v3_along(f->end[0], out, f->r[0]), q = cdi_v3_along(f->end[1], out, f->r[1]);
    return cdi_v3_dot(dir, cdi_v3_sub(p, q)) >= 0.0 ? p : q;
}

static cdi_v3 cdi_farthest_of_tapered(const cdi_frustum *f, cdi_v3 dir) {
    cdi_v3 p = f->end[0], q = cdi_v3_along(f->end[1], cdi_v3_unit(dir), f->r[1]);
    return cdi_v3_dot(dir, cdi_v3_sub(p, q)) > 0.0 ? p : q;
}

/* Where the answer is one corner; of several that are as far always the same. */
static cdi_v3 cdi_farthest_of_kdop(const cdi_convex *b, cdi_v3 dir) {
    const cd_kdop_body *k = (const cd_kdop_body *)b->support->shape;
    cdi_kdop_program p;
    cdi_lp_answer a;
    p.count = cdi_kdop_sides(k->dop, k->set, p.side);
    if (!cdi_kdop_solve(&p, dir, &a)) return b->center;
    return cdi_point_of_program(&a);
}

/* A direction of about the `size` |x| + |y| + |z|. */
CDI_HOT cdi_v3 cdi_farthest_of_hull(const cdi_convex *b, cdi_v3 dir, double size, uint32_t *vertex) {
    const cd_hull_parts *hull = &b->hull;
    if (b->slopes && (*vertex < hull->vertex_count || hull->vertex_count >= CDI_HULL_MORE)) {
        *vertex = cdi_farthest_climbed(hull, dir, *vertex);
    } else if (hull->row_count == 1 && b->blur > 0.0) {
        *vertex = cdi_farthest_of_row(hull, dir, size * b->blur);
    } else {
        *vertex = cdi_farthest_seen(hull, dir, size * b->blur);
    }
    return cdi_v3_of(hull->vertices[*vertex]);
}

static cdi_v3 cdi_farthest_of_dk(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    uint32_t steps = 0, place = cdi_dk_farthest(&b->dk, dir, &steps);
    *vertex = b->dk.numbers[place];
    return cdi_v3_of(b->dk.vertices[place]);
}

/* In the body's frame. */
static cdi_v3 cdi_farthest_of_core(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    switch (b->support->kind) {
    case CD_SUPPORT_USER: return cdi_farthest_of_user(b, dir, vertex);
    case CD_SUPPORT_POINT: *vertex = 0; return b->center;
    case CD_SUPPORT_POINTS: return cdi_farthest_point_of(b, dir, vertex);
    case CD_SUPPORT_DK: return cdi_farthest_of_dk(b, dir, vertex);
    case CD_SUPPORT_AABB: return cdi_farthest_of_aabb(b, dir, vertex);
    case CD_SUPPORT_OBB: return cdi_farthest_of_box(b, dir, vertex);
    case CD_SUPPORT_RECT: return cdi_farthest_of_rect(b, dir, vertex);
    case CD_SUPPORT_ELLIPSOID: *vertex = CD_NONE; return cdi_farthest_of_ball_image(b, dir);
    case CD_SUPPORT_TAPERED: *vertex = CD_NONE; return cdi_farthest_of_tapered(&b->frustum, dir);
    case CD_SUPPORT_KDOP: *vertex = CD_NONE; return cdi_farthest_of_kdop(b, dir);
    default: *vertex = CD_NONE; return cdi_farthest_of_frustum(&b->frustum, dir);
    }
}

CDI_INLINE double cdi_direction_size(cdi_v3 dir) {
    return cdi_abs(dir.x) + cdi_abs(dir.y) + cdi_abs(dir.z);
}

/* Brought near length 1; a direction for what is none. */
static CDI_COLD cdi_v3 cdi_direction_tamed(cdi_v3 dir) {
    if (cdi_v3_is_zero(dir) || !cdi_v3_finite(dir)) return cdi_v3_make(1.0, 0.0, 0.0);
    return cdi_v3_scale2(dir, -cdi_exponent(cdi_v3_max_abs(dir)));
}

/* Of a stretched core: the farthest along n is the image of the farthest along the normal that the stretching makes n of. */
static CDI_COLD cdi_v3 cdi_convex_farthest_stretched(const cdi_convex *body, cdi_v3 dir, uint32_t *vertex) {
    cdi_v3 p;
    double size;
    if (body->posed) dir = cdi_m3_tmul_v3(&body->pose.rotation, dir);
    dir = cdi_stretched(dir, body->stretch);
    size = cdi_direction_size(dir);
    if (!(size > 1e-6 && size < 1e6)) {
        dir = cdi_direction_tamed(dir);
        size = cdi_direction_size(dir);
    }
    p = body->support->kind == CD_SUPPORT_HULL ? cdi_farthest_of_hull(body, dir, size, vertex)
                                               : cdi_farthest_of_core(body, dir, vertex);
    p = cdi_stretched(p, body->stretch);
    return body->posed ? cdi_pose_point(&body->pose, p) : p;
}

static cdi_v3 cdi_convex_farthest_of_any(const cdi_convex *body, cdi_v3 dir, uint32_t *vertex) {
    if (body->stretched) return cdi_convex_farthest_stretched(body, dir, vertex);
    if (!body->posed) return cdi_farthest_of_core(body, dir, vertex);
    return cdi_pose_point(&body->pose,
                          cdi_farthest_of_core(body, cdi_m3_tmul_v3(&body->pose.rotation, dir), vertex));
}

/* Of a tame direction; hulls without a call. */
CDI_HOT cdi_v3 cdi_convex_farthest_here(const cdi_convex *body, cdi_v3 dir, double size, uint32_t *vertex) {
    cdi_v3 p;
    if (!body->direct) return cdi_convex_farthest_of_any(body, dir, vertex);
    if (body->posed) dir = cdi_m3_tmul_v3(&body->pose.rotation, dir);
    p = cdi_farthest_of_hull(body, dir, size, vertex);
    return body->posed ? cdi_pose_point(&body->pose, p) : p;
}

CDI_FN cdi_v3 cdi_convex_farthest(const cdi_convex *body, cdi_v3 dir, uint32_t *vertex) {
    double size = cdi_direction_size(dir);
    if (!(size > 1e-6 && size < 1e6)) {
        dir = cdi_direction_tamed(dir);
        size = cdi_direction_size(dir);
    }
    return cdi_convex_farthest_here(body, dir, size, vertex);
}

CDI_FN void cdi_couple_least(const cdi_couple *pair, cdi_v3 dir, cdi_tip *out) {
    cdi_couple_least_along(pair, &dir, out);
}

/* A pointer, as copies of what was just written are slow. */
CDI_FN void cdi_couple_least_along(const cdi_couple *pair, const cdi_v3 *way, cdi_tip *out) {
    cdi_v3 dir = *way, a, b;
    double size = cdi_direction_size(dir);
    if (!(size > 1e-6 && size < 1e6)) {
        dir = cdi_direction_tamed(dir);
        size = cdi_direction_size(dir);
    }
    a = cdi_convex_farthest_here(&pair->a, dir, size, &out->vertex_a);
    b = cdi_convex_farthest_here(&pair->b, cdi_v3_neg(dir), size, &out->vertex_b);
    out->a = a;
    out->b = b;
    out->w = cdi_v3_sub(b, a);
}

/* ---- features ---- */

/* The numbers, each once; false where one is no vertex. */
static bool cdi_vertices_once(const cdi_convex *b, const uint32_t *vertices, int count, uint32_t once[4],
                              int *number) {
    uint32_t most = b->vertex_count;
    *number = 0;
    for (int i = 0; i < count; ++i) {
        uint32_t seen = 0;
        for (int k = 0; k < *number; ++k) seen |= once[k] == vertices[i] ? 1u : 0u;
        if (vertices[i] >= most || (*number == 4 && !seen)) return false;
        if (*number < 4) once[*number] = vertices[i];
        *number += seen ? 0 : 1;
    }
    return *number > 0;
}

/* The sides that all of some corners share. */
static uint32_t cdi_feature_of_box(const uint32_t *vertices, int count) {
    uint32_t all = vertices[0], any = vertices[0], low, high;
    for (int i = 1; i < count; ++i) all &= vertices[i], any |= vertices[i];
    switch (all ^ any) {
    case 0: return CD_FEATURE(CD_FEATURE_VERTEX, all);
    case 6: return CD_FEATURE(CD_FEATURE_FACE, all & 1u);
    case 5: return CD_FEATURE(CD_FEATURE_FACE, 2 + (all >> 1 & 1u));
    case 3: return CD_FEATURE(CD_FEATURE_FACE, 4 + (all >> 2 & 1u));
    case 1: low = all >> 1 & 1u, high = all >> 2; return CD_FEATURE(CD_FEATURE_EDGE, low + 2 * high);
    case 2: low = all & 1u, high = all >> 2; return CD_FEATURE(CD_FEATURE_EDGE, 4 + low + 2 * high);
    case 4: low = all & 1u, high = all >> 1; return CD_FEATURE(CD_FEATURE_EDGE, 8 + low + 2 * high);
    default: return CD_FEATURE_NONE;
    }
}

/* Of triangles, and of rectangles with n = 4: of corners as bits. */
static uint32_t cdi_feature_of_polygon(uint32_t corners, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        if (corners == (1u << i | 1u << (i + 1) % n)) return CD_FEATURE(CD_FEATURE_EDGE, i);
    }
    return CD_FEATURE(CD_FEATURE_FACE, 0u);
}

static uint32_t cdi_feature_of_tetrahedron(uint32_t corners, int count) {
    if (count == 4) return CD_FEATURE_NONE;
    if (count == 3) return CD_FEATURE(CD_FEATURE_FACE, cdi_lowest_bit(~corners));
    if (corners >= 8) return CD_FEATURE(CD_FEATURE_EDGE, 3 + cdi_lowest_bit(corners));
    return cdi_feature_of_polygon(corners, 3);
}

/* At least two of at most four. */
static uint32_t cdi_feature_of_simplex(uint32_t size, const uint32_t *vertices, int count) {
    uint32_t corners = 0;
    for (int i = 0; i < count; ++i) corners |= 1u << vertices[i];
    if (size == 2) return CD_FEATURE(CD_FEATURE_EDGE, 0u);
    return size == 3 ? cdi_feature_of_polygon(corners, 3) : cdi_feature_of_tetrahedron(corners, count);
}

/* Of a triangle, the ends of the half-edges after and before that from the first vertex are enough. */
static bool cdi_triangle_has(uint32_t u, uint32_t w, const uint32_t *vertices, int number) {
    uint32_t i = vertices[1], j = vertices[number - 1];
    return number <= 3 && (((u ^ i) | (w ^ j)) == 0 || ((u ^ j) | (w ^ i)) == 0);
}

static bool cdi_face_has(const cd_half_edge *side, uint32_t count, const uint32_t *vertices, int number) {
    for (int i = 1; i < number; ++i) {
        uint32_t k = 0;
        while (k < count && side[k].origin != vertices[i]) ++k;
        if (k == count) return false;
    }
    return true;
}

static uint32_t cdi_feature_of_edge(const cd_half_edge *sides, uint32_t e) {
    uint32_t twin = sides[e].twin;
    return CD_FEATURE(CD_FEATURE_EDGE, e < twin ? e : twin);
}

/* The edge from the first to the second, or the face of all with the smallest number: the faces around the first are asked for the others.
 * Two faces that share more than an edge are there only where some were merged that are not quite flat. */
static uint32_t cdi_feature_of_hull(const cd_hull *hull, const uint32_t *vertices, int count) {
    const cdi_hull_header *header = (const cdi_hull_header *)hull->block;
    cdi_hull_arrays p = cdi_hull_open(header);
    uint32_t first = p.outgoing[vertices[0]], e = first, found = CD_NONE;
    bool triangles = header->half_edge_count == 3 * header->face_count; /* then where they are is known */
    if (header->dimension == 1) return CD_FEATURE(CD_FEATURE_EDGE, 0u);
    do {
        uint32_t face = triangles ? e / 3 : p.half_edges[e].face;
        uint32_t start = triangles ? 3 * face : p.faces[face].first,
                 sides = triangles ? 3 : p.faces[face].count;
        uint32_t after = e + 1 < start + sides ? e + 1 : start,
                 before = e > start ? e - 1 : start + sides - 1;
        uint32_t u = p.half_edges[after].origin, w = p.half_edges[before].origin;
        if (count == 2 && u == vertices[1]) return cdi_feature_of_edge(p.half_edges, e);
        if (count == 2 && w == vertices[1]) return cdi_feature_of_edge(p.half_edges, before);
        if (face < found && (sides == 3 ? cdi_triangle_has(u, w, vertices, count)
                                        : cdi_face_has(p.half_edges + start, sides, vertices, count))) {
            if (header->flatness <= 0.0) return CD_FEATURE(CD_FEATURE_FACE, face);
            found = face;
        }
        e = p.half_edges[before].twin;
    } while (e != first);
    return found == CD_NONE ? (uint32_t)CD_FEATURE_NONE : CD_FEATURE(CD_FEATURE_FACE, found);
}

CDI_FN uint32_t cdi_convex_feature(const cdi_convex *b, const uint32_t *vertices, int count) {
    const cd_support *s = b->support;
    uint32_t once[4], corners = 0;
    if (!cdi_vertices_once(b, vertices, count, once, &count)) return CD_FEATURE_NONE;
    if (s->kind == CD_SUPPORT_POINT && s->radius > 0) return CD_FEATURE(CD_FEATURE_FACE, 0u);
    if (count == 1) return CD_FEATURE(CD_FEATURE_VERTEX, once[0]);
    for (int i = 0; i < count; ++i) corners |= 1u << (once[i] & 7u);
    switch (s->kind) {
    case CD_SUPPORT_AABB:
    case CD_SUPPORT_OBB: return cdi_feature_of_box(once, count);
    case CD_SUPPORT_RECT: return cdi_feature_of_polygon(corners, 4);
    case CD_SUPPORT_HULL: return cdi_feature_of_hull((const cd_hull *)s->shape, once, count);
    case CD_SUPPORT_POINTS:
        return s->count <= 4 ? cdi_feature_of_simplex(s->count, once, count) : (uint32_t)CD_FEATURE_NONE;
    default: return CD_FEATURE_NONE;
    }
}

CDI_FN cdi_v3 cdi_convex_face_normal(const cdi_convex *body, const cd_hull_face *face) {
    cdi_v3 n = cdi_v3_of(face->plane.n);
    if (body->stretched) {
        const cdi_v3 *by = &body->stretch;
        n = cdi_v3_unit(cdi_v3_make(n.x * (by->y * by->z), n.y * (by->z * by->x), n.z * (by->x * by->y)));
        n = cdi_v3_scale(n, cdi_stretch_sign(*by));
    }
    return body->posed ? cdi_m3_mul_v3(&body->pose.rotation, n) : n;
}

/* How far a point is from a face: above or below it, or beyond the edge that it is farthest beyond. */
static double cdi_beyond_face(const cdi_convex *body, const cdi_hull_arrays *hull, uint32_t face, cdi_v3 p) {
    const cd_hull_face *f = &hull->faces[face];
    cdi_v3 n = cdi_convex_face_normal(body, f), from, to;
    double sign = body->stretched ? cdi_stretch_sign(body->stretch) : 1.0, off;
    cdi_convex_vertex(body, hull->half_edges[f->first + f->count - 1].origin, &from);
    off = cdi_abs(cdi_v3_dot(n, cdi_v3_sub(p, from)));
    for (uint32_t e = f->first; e < f->first + f->count; ++e, from = to) {
        cdi_convex_vertex(body, hull->half_edges[e].origin, &to);
        off = cdi_max(
            off, sign * cdi_v3_dot(cdi_v3_cross(cdi_v3_unit(cdi_v3_sub(to, from)), n), cdi_v3_sub(p, from)));
    }
    return off;
}

/* The face that a point is on, but for rounding and what faces are uneven: the nearest; of such as are as near the first. */
static CDI_COLD uint32_t cdi_face_at(const cdi_convex *body, cdi_v3 p) {
    const cdi_hull_header *header = (const cdi_hull_header *)((const cd_hull *)body->support->shape)->block;
    cdi_hull_arrays hull = cdi_hull_open(header);
    double stretch = body->stretched ? cdi_v3_max_abs(body->stretch) : 1.0;
    double least = CDI_CONVEX_FLAT * body->reach + header->flatness * stretch;
    uint32_t found = CD_FEATURE_NONE;
    for (uint32_t i = 0; i < header->face_count; ++i) {
        double off = cdi_beyond_face(body, &hull, i, p);
        if (off < least) least = off, found = CD_FEATURE(CD_FEATURE_FACE, i);
    }
    return found;
}

CDI_FN uint32_t cdi_convex_feature_at(const cdi_convex *b, const uint32_t *vertices, int count, cdi_v3 p) {
    uint32_t feature = cdi_convex_feature(b, vertices, count);
    return feature == CD_FEATURE_NONE && b->support->kind == CD_SUPPORT_HULL ? cdi_face_at(b, p) : feature;
}
