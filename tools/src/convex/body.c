#include "convex/body.h"
#include "convex/dk3d.h"
#include "shape/ellipsoid3d.h"

/* ---- what the core is ---- */

static bool cdi_convex_of_points(cdi_convex *out, const cd_support *s) {
    const cd_vec3 *p = (const cd_vec3 *)s->shape;
    cdi_real_bits excess = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        excess |= cdi_excess(p[i]);
        out->reach = cdi_max(cdi_v3_max_abs(cdi_v3_of(p[i])), out->reach);
    }
    return s->count > 0 && cdi_no_excess(excess);
}

static bool cdi_convex_of_hull(cdi_convex *out, const cd_support *s) {
    out->hull = cd_hull_get_parts((const cd_hull *)s->shape);
    for (uint32_t i = 0; i < out->hull.vertex_count; ++i)
        out->reach = cdi_max(cdi_v3_max_abs(cdi_v3_of(out->hull.vertices[i])), out->reach);
    return out->hull.vertex_count > 0;
}

static bool cdi_convex_of_dk(cdi_convex *out, const cd_support *s) {
    out->dk = cd_dk_hierarchy_get_parts((const cd_dk_hierarchy *)s->shape);
    out->reach = (double)out->dk.reach;
    return out->dk.vertex_count > 0;
}

/* The image of the cube [-1, 1]^3. */
static bool cdi_convex_of_box(cdi_convex *out, const cd_obb *b) {
    cdi_obb o = cdi_obb_of(b);
    out->middle = o.center;
    for (int k = 0; k < 3; ++k) out->map.c[k] = cdi_v3_scale(o.axes.c[k], o.half[k]);
    return cd_obb_is_valid(b);
}

static bool cdi_convex_of_aabb(cdi_convex *out, const cd_aabb *b) {
    cdi_v3 half = cdi_v3_sub(cdi_v3_scale(cdi_v3_of(b->max), 0.5), cdi_v3_scale(cdi_v3_of(b->min), 0.5));
    out->middle = cdi_v3_add(cdi_v3_scale(cdi_v3_of(b->max), 0.5), cdi_v3_scale(cdi_v3_of(b->min), 0.5));
    out->map.c[0].x = half.x;
    out->map.c[1].y = half.y;
    out->map.c[2].z = half.z;
    return cd_aabb_is_valid(*b);
}

static bool cdi_convex_of_rect(cdi_convex *out, const cd_rect *r) {
    for (int k = 0; k < 2; ++k) out->map.c[k] = cdi_v3_scale(cdi_v3_of(r->edge[k]), 0.5);
    out->middle = cdi_v3_add(cdi_v3_of(r->a), cdi_v3_add(out->map.c[0], out->map.c[1]));
    return cdi_v3_finite(out->middle);
}

static bool cdi_convex_of_ellipsoid(cdi_convex *out, const cd_ellipsoid *e) {
    out->middle = cdi_v3_of(e->center);
    out->map = cdi_ellipsoid_map(e);
    return cd_ellipsoid_is_valid(e);
}

static double cdi_convex_map_reach(const cdi_convex *b) {
    double reach = cdi_v3_max_abs(b->middle);
    for (int k = 0; k < 3; ++k) reach += cdi_v3_max_abs(b->map.c[k]);
    return reach;
}

static double cdi_frustum_reach(const cdi_frustum *f) {
    double ends = cdi_max(cdi_v3_max_abs(f->end[0]), cdi_v3_max_abs(f->end[1]));
    return ends + cdi_max(f->r[0], f->r[1]);
}

static bool cdi_convex_of_core(cdi_convex *out, const cd_support *s) {
    switch (s->kind) {
    case CD_SUPPORT_USER: return s->fn != NULL;
    case CD_SUPPORT_POINT: return true;
    case CD_SUPPORT_POINTS: return cdi_convex_of_points(out, s);
    case CD_SUPPORT_HULL: return cdi_convex_of_hull(out, s);
    case CD_SUPPORT_DK: return cdi_convex_of_dk(out, s);
    case CD_SUPPORT_AABB: return cdi_convex_of_aabb(out, (const cd_aabb *)s->shape);
    case CD_SUPPORT_OBB: return cdi_convex_of_box(out, (const cd_obb *)s->shape);
    case CD_SUPPORT_RECT: return cdi_convex_of_rect(out, (const cd_rect *)s->shape);
    case CD_SUPPORT_ELLIPSOID: return cdi_convex_of_ellipsoid(out, (const cd_ellipsoid *)s->shape);
    case CD_SUPPORT_CYLINDER: return cdi_frustum_of_cylinder(&out->frustum, (const cd_cylinder *)s->shape);
    case CD_SUPPORT_CONE: return cdi_frustum_of_cone(&out->frustum, (const cd_cone *)s->shape);
    case CD_SUPPORT_DISC: return cdi_frustum_of_disc(&out->frustum, (const cd_disc *)s->shape);
    default: return false;
    }
}

CDI_FN bool cdi_convex_open(cdi_convex *out, const cd_support *s, const cd_transform *pose) {
    cdi_clear(out, sizeof *out);
    out->support = s;
    out->center = cdi_v3_of(s->center);
    out->radius = (double)s->radius;
    if (!cdi_v3_finite(out->center) || !(out->radius >= 0.0 && cdi_finite(out->radius))) return false;
    if (pose && !cd_transform_is_valid(pose)) return false;
    if (!cdi_convex_of_core(out, s)) return false;
    out->reach = cdi_max(cdi_v3_max_abs(out->center), out->reach);
    out->reach = cdi_max(cdi_convex_map_reach(out), out->reach);
    out->reach = cdi_max(cdi_frustum_reach(&out->frustum), out->reach);
    out->posed = pose != NULL;
    if (pose) out->pose = cdi_pose_of(pose);
    if (pose) out->reach = out->reach * 1.75 + cdi_v3_max_abs(out->pose.position);
    return true;
}

CDI_FN bool cdi_couple_open(cdi_couple *out, const cd_support *a, const cd_support *b,
                            const cd_transform *b_in_a) {
    if (!cdi_convex_open(&out->a, a, NULL) || !cdi_convex_open(&out->b, b, b_in_a)) return false;
    out->scale = cdi_max(out->a.reach, out->b.reach);
    out->rounded = out->a.radius + out->b.radius;
    return true;
}

/* ---- the farthest point ---- */

static cdi_v3 cdi_farthest_point_of(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    const cd_vec3 *p = (const cd_vec3 *)b->support->shape;
    uint32_t best = 0;
    double most = cdi_v3_dot(dir, cdi_v3_of(p[0]));
    for (uint32_t i = 1; i < b->support->count; ++i) {
        double x = cdi_v3_dot(dir, cdi_v3_of(p[i]));
        if (x > most) most = x, best = i;
    }
    *vertex = best;
    return cdi_v3_of(p[best]);
}

/* Of a box or rectangle; the vertex's bits are the signs. */
static cdi_v3 cdi_box_vertex(const cdi_convex *b, uint32_t vertex) {
    cdi_v3 p = b->middle;
    for (int k = 0; k < 3; ++k) p = cdi_v3_along(p, b->map.c[k], (vertex >> k & 1u) ? 1.0 : -1.0);
    return p;
}

static cdi_v3 cdi_farthest_of_box(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    *vertex = 0;
    for (int k = 0; k < 3; ++k)
        if (cdi_v3_dot(dir, b->map.c[k]) > 0.0) *vertex |= 1u << k;
    return cdi_box_vertex(b, *vertex);
}

static cdi_v3 cdi_farthest_of_ball_image(const cdi_convex *b, cdi_v3 dir) {
    return cdi_v3_add(b->middle, cdi_m3_mul_v3(&b->map, cdi_v3_unit(cdi_m3_tmul_v3(&b->map, dir))));
}

static cdi_v3 cdi_farthest_of_frustum(const cdi_frustum *f, cdi_v3 dir) {
    cdi_v3 out = cdi_v3_unit(cdi_v3_along(dir, f->u, 0.0 - cdi_v3_dot(dir, f->u)));
    cdi_v3 p = cdi_v3_along(f->end[0], out, f->r[0]), q = cdi_v3_along(f->end[1], out, f->r[1]);
    return cdi_v3_dot(dir, cdi_v3_sub(p, q)) >= 0.0 ? p : q;
}

static cdi_v3 cdi_farthest_of_user(const cdi_convex *b, cdi_v3 dir, uint32_t *vertex) {
    double most = cdi_v3_max_abs(dir);
    cd_vec3 p = b->support->center;
    *vertex = b->support->fn(b->support->shape, cdi_v3_round(cdi_v3_scale(dir, 1.0 / most)), *vertex, &p);
    return cdi_v3_of(p);
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
    case CD_SUPPORT_POINTS: return cdi_farthest_point_of(b, dir, vertex);
    case CD_SUPPORT_HULL:
        *vertex = cd_hull_support((const cd_hull *)b->support->shape, cdi_v3_round(dir));
        return cdi_v3_of(b->hull.vertices[*vertex]);
    case CD_SUPPORT_DK: return cdi_farthest_of_dk(b, dir, vertex);
    case CD_SUPPORT_AABB:
    case CD_SUPPORT_OBB:
    case CD_SUPPORT_RECT: return cdi_farthest_of_box(b, dir, vertex);
    default: break;
    }
    *vertex = CD_NONE;
    if (b->support->kind == CD_SUPPORT_ELLIPSOID) return cdi_farthest_of_ball_image(b, dir);
    return b->support->kind == CD_SUPPORT_POINT ? b->center : cdi_farthest_of_frustum(&b->frustum, dir);
}

CDI_FN cdi_v3 cdi_convex_farthest(const cdi_convex *body, cdi_v3 dir, uint32_t *vertex) {
    if (!body->posed) return cdi_farthest_of_core(body, dir, vertex);
    return cdi_pose_point(&body->pose,
                          cdi_farthest_of_core(body, cdi_m3_tmul_v3(&body->pose.rotation, dir), vertex));
}

CDI_FN bool cdi_convex_vertex(const cdi_convex *b, uint32_t vertex, cdi_v3 *out) {
    const cd_support *s = b->support;
    if (s->kind == CD_SUPPORT_POINT) {
        *out = b->center;
    } else if (s->kind == CD_SUPPORT_POINTS && vertex < s->count) {
        *out = cdi_v3_of(((const cd_vec3 *)s->shape)[vertex]);
    } else if (s->kind == CD_SUPPORT_HULL && vertex < b->hull.vertex_count) {
        *out = cdi_v3_of(b->hull.vertices[vertex]);
    } else if (s->kind == CD_SUPPORT_DK && vertex < b->dk.hull_vertex_count &&
               b->dk.places[vertex] != CD_NONE) {
        *out = cdi_v3_of(b->dk.vertices[b->dk.places[vertex]]);
    } else if (s->kind >= CD_SUPPORT_AABB && s->kind <= CD_SUPPORT_RECT && vertex < 8) {
        *out = cdi_box_vertex(b, vertex);
    } else {
        return false;
    }
    if (b->posed) *out = cdi_pose_point(&b->pose, *out);
    return true;
}

CDI_FN uint32_t cdi_convex_feature(const cdi_convex *b, const uint32_t *vertices, int count) {
    (void)b;
    return count == 1 && vertices[0] != CD_NONE ? CD_FEATURE(CD_FEATURE_VERTEX, vertices[0]) : 0;
}

CDI_FN void cdi_couple_least(const cdi_couple *pair, cdi_v3 dir, cdi_tip *out) {
    out->a = cdi_convex_farthest(&pair->a, dir, &out->vertex_a);
    out->b = cdi_convex_farthest(&pair->b, cdi_v3_neg(dir), &out->vertex_b);
    out->w = cdi_v3_sub(out->b, out->a);
}

CDI_FN void cdi_couple_move(cdi_couple *pair, const cdi_pose *b_in_a) {
    pair->b.posed = true;
    pair->b.pose = *b_in_a;
}
