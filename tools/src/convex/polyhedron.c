#include "convex/polyhedron.h"
#include "core/orient.h"
#include "hull/climb.h"
#include "query/solid3d.h"
#include "query/sweep_box3d.h"
#include "shape/volume3d.h"

/* ---- tables ---- */

/* A box: corner i is on the positive side of axis k where bit k is set; face 2 k and 2 k + 1 are on the two sides of axis k. */
static const cd_half_edge cdi_box_halves[24] = {
    {4, 23, 0}, {6, 12, 0}, {2, 19, 0}, {0, 10, 0}, {1, 17, 1}, {3, 14, 1}, {7, 21, 1}, {5, 8, 1},
    {1, 7, 2},  {5, 20, 2}, {4, 3, 2},  {0, 18, 2}, {2, 1, 3},  {6, 22, 3}, {7, 5, 3},  {3, 16, 3},
    {2, 15, 4}, {3, 4, 4},  {1, 11, 4}, {0, 2, 4},  {4, 9, 5},  {5, 6, 5},  {7, 13, 5}, {6, 0, 5}};
static const cd_hull_face cdi_box_sides[6] = {{{{0, 0, 0}, 0}, 0, 4},  {{{0, 0, 0}, 0}, 4, 4},
                                              {{{0, 0, 0}, 0}, 8, 4},  {{{0, 0, 0}, 0}, 12, 4},
                                              {{{0, 0, 0}, 0}, 16, 4}, {{{0, 0, 0}, 0}, 20, 4}};
static const cd_half_edge cdi_ring3_halves[6] = {{0, 5, 0}, {1, 4, 0}, {2, 3, 0},
                                                 {0, 2, 1}, {2, 1, 1}, {1, 0, 1}};
static const cd_hull_face cdi_ring3_sides[2] = {{{{0, 0, 0}, 0}, 0, 3}, {{{0, 0, 0}, 0}, 3, 3}};
static const cd_half_edge cdi_ring4_halves[8] = {{0, 7, 0}, {1, 6, 0}, {2, 5, 0}, {3, 4, 0},
                                                 {0, 3, 1}, {3, 2, 1}, {2, 1, 1}, {1, 0, 1}};
static const cd_hull_face cdi_ring4_sides[2] = {{{{0, 0, 0}, 0}, 0, 4}, {{{0, 0, 0}, 0}, 4, 4}};
static const cd_half_edge cdi_rod_halves[2] = {{0, 1, CD_NONE}, {1, 0, CD_NONE}};

static void cdi_polyhedron_table(cdi_polyhedron *p, int dimension, uint32_t vertices,
                                 const cd_half_edge *halves, uint32_t half_count, const cd_hull_face *faces,
                                 uint32_t face_count) {
    p->parts.dimension = dimension;
    p->parts.vertex_count = vertices;
    p->parts.half_edges = halves;
    p->parts.half_edge_count = half_count;
    p->parts.faces = faces;
    p->parts.face_count = face_count;
}

/* Up to four corners around a polygon, or less than one. */
static void cdi_polyhedron_ring(cdi_polyhedron *p, uint32_t corners) {
    switch (corners) {
    case 4: cdi_polyhedron_table(p, 2, 4, cdi_ring4_halves, 8, cdi_ring4_sides, 2); return;
    case 3: cdi_polyhedron_table(p, 2, 3, cdi_ring3_halves, 6, cdi_ring3_sides, 2); return;
    case 2: cdi_polyhedron_table(p, 1, 2, cdi_rod_halves, 2, NULL, 0); return;
    default: cdi_polyhedron_table(p, 0, 1, NULL, 0, NULL, 0); return;
    }
}

/* ---- bodies ---- */

static void cdi_polyhedron_begin(cdi_polyhedron *out, uint32_t kind) {
    cdi_clear(out, sizeof *out);
    out->kind = kind;
    out->scale = out->mirror = 1.0;
    out->stretch = cdi_v3_make(1.0, 1.0, 1.0);
    out->few = true;
}

/* Corners as they are in the shape: they are moved into the frame, whose origin is the middle of their bounds. */
static void cdi_polyhedron_settle(cdi_polyhedron *p) {
    cdi_v3 lo = p->corner[0], hi = p->corner[0];
    for (uint32_t i = 1; i < p->parts.vertex_count; ++i) {
        cdi_v3 c = p->corner[i];
        lo = cdi_v3_make(cdi_min(lo.x, c.x), cdi_min(lo.y, c.y), cdi_min(lo.z, c.z));
        hi = cdi_v3_make(cdi_max(hi.x, c.x), cdi_max(hi.y, c.y), cdi_max(hi.z, c.z));
    }
    p->center = cdi_v3_add(cdi_v3_scale(lo, 0.5), cdi_v3_scale(hi, 0.5));
    p->size = cdi_v3_max_abs(cdi_v3_sub(cdi_v3_scale(hi, 0.5), cdi_v3_scale(lo, 0.5)));
    for (uint32_t i = 0; i < p->parts.vertex_count; ++i) {
        cdi_v3 c = cdi_v3_sub(p->corner[i], p->center);
        p->corner[i] = c;
    }
}

static bool cdi_polyhedron_of_stretched_hull(cdi_polyhedron *out, const cd_hull *hull, const cdi_v3 *by) {
    cdi_v3 lo, hi;
    cd_aabb bounds;
    cdi_polyhedron_begin(out, CD_SUPPORT_HULL);
    if (!hull) return false;
    out->few = false;
    out->parts = cd_hull_get_parts(hull);
    if (out->parts.vertex_count == 0) return false;
    bounds = cd_hull_bounds(hull);
    lo = cdi_v3_scale(cdi_v3_of(bounds.min), 0.5);
    hi = cdi_v3_scale(cdi_v3_of(bounds.max), 0.5);
    if (by) {
        out->stretched = true;
        out->stretch = *by;
        out->mirror = cdi_stretch_sign(*by);
    }
    out->center = cdi_stretched(cdi_v3_add(lo, hi), out->stretch);
    out->size = cdi_v3_max_abs(cdi_stretched(cdi_v3_sub(hi, lo), out->stretch));
    return true;
}

CDI_FN bool cdi_polyhedron_of_hull(cdi_polyhedron *out, const cd_hull *hull) {
    return cdi_polyhedron_of_stretched_hull(out, hull, NULL);
}

/* The axes of a box that have an extent; those without are left out. */
static int cdi_polyhedron_box_axes(const cdi_obb *o, int axis[3]) {
    int count = 0;
    for (int k = 0; k < 3; ++k)
        if (o->half[k] > 0.0) axis[count++] = k;
    return count;
}

/* The number of corner i of what is left of a box. */
static uint32_t cdi_box_name(const int axis[3], int count, uint32_t i) {
    uint32_t name = 0;
    if (count == 2) i = i ^ i >> 1; /* around */
    for (int k = 0; k < count; ++k) name |= (i >> k & 1u) << axis[k];
    return name;
}

static cdi_v3 cdi_box_corner(const cdi_obb *o, uint32_t name) {
    cdi_v3 p = cdi_v3_make(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k)
        p = cdi_v3_along(p, o->axes.c[k], (name >> k & 1u) ? o->half[k] : -o->half[k]);
    return p;
}

/* A box whose axes are of any kind. */
static void cdi_polyhedron_of_frame(cdi_polyhedron *out, const cdi_obb *o) {
    int axis[3], count = cdi_polyhedron_box_axes(o, axis);
    cdi_polyhedron_begin(out, CD_SUPPORT_OBB);
    if (count == 3) {
        cdi_polyhedron_table(out, 3, 8, cdi_box_halves, 24, cdi_box_sides, 6);
    } else {
        cdi_polyhedron_ring(out, 1u << count);
    }
    for (uint32_t i = 0; i < out->parts.vertex_count; ++i) {
        cdi_v3 p = cdi_box_corner(o, out->name[i] = cdi_box_name(axis, count, i));
        out->corner[i] = p;
        out->size = cdi_max(out->size, cdi_v3_max_abs(p));
    }
    out->center = o->center;
    if (cdi_v3_dot(cdi_v3_cross(o->axes.c[0], o->axes.c[1]), o->axes.c[2]) < 0.0) out->mirror = -1.0;
}

CDI_FN bool cdi_polyhedron_of_obb(cdi_polyhedron *out, const cd_obb *b) {
    cdi_obb o = cdi_obb_of(b);
    cdi_polyhedron_of_frame(out, &o);
    return cd_obb_is_valid(b);
}

static bool cdi_polyhedron_of_stretched_obb(cdi_polyhedron *out, const cd_obb *b, cdi_v3 by) {
    cdi_obb o = cdi_obb_of(b);
    for (int k = 0; k < 3; ++k) {
        cdi_v3 axis = cdi_stretched(o.axes.c[k], by);
        o.axes.c[k] = axis;
    }
    o.center = cdi_stretched(o.center, by);
    cdi_polyhedron_of_frame(out, &o);
    return cd_obb_is_valid(b);
}

static bool cdi_polyhedron_of_aabb(cdi_polyhedron *out, const cd_aabb *b, cdi_v3 by) {
    cdi_v3 lo = cdi_v3_scale(cdi_v3_of(b->min), 0.5), hi = cdi_v3_scale(cdi_v3_of(b->max), 0.5);
    cd_obb unit = cd_obb_from_aabb(*b);
    cdi_v3 middle = cdi_v3_add(lo, hi), half = cdi_v3_sub(hi, lo);
    if (!cd_aabb_is_valid(*b)) return false;
    unit.half = cd_vec3_make(half.x > 0.0, half.y > 0.0, half.z > 0.0);
    unit.center = cd_vec3_make(0, 0, 0);
    if (!cdi_polyhedron_of_obb(out, &unit)) return false;
    for (uint32_t i = 0; i < out->parts.vertex_count; ++i) {
        cdi_v3 p = out->corner[i];
        p = cdi_stretched(cdi_stretched(p, half), by);
        out->corner[i] = p;
    }
    out->center = cdi_stretched(middle, by);
    out->size = cdi_v3_max_abs(cdi_stretched(half, by));
    out->mirror = cdi_stretch_sign(by);
    return true;
}

/* Three corners: those of a needle without area are its two ends. */
static uint32_t cdi_ring_corners(cdi_polyhedron *p) {
    uint32_t first = 0;
    double most = -1.0;
    cdi_v3 n = cdi_accurate_normal(p->corner[0], p->corner[1], p->corner[2]);
    if (cdi_v3_max_abs(n) > 0.0) return 3;
    for (uint32_t i = 0; i < 3; ++i) {
        double length = cdi_v3_max_abs(cdi_v3_sub(p->corner[(i + 1) % 3], p->corner[i]));
        if (length > most) most = length, first = i;
    }
    p->name[0] = first;
    p->name[1] = (first + 1) % 3;
    return 2;
}

static cd_status cdi_polyhedron_tetrahedron(cdi_polyhedron *p, const cd_vec3 *points) {
    cd_tetrahedron t;
    cd_vec3 corner[4];
    cdi_solid s;
    double side;
    t.a = points[0];
    t.b = points[1];
    t.c = points[2];
    t.d = points[3];
    s = cdi_solid_of_tetrahedron(&t, corner);
    cdi_polyhedron_table(p, 3, 4, s.half_edges, 12, s.faces, 4);
    side = cdi_orient3d(p->corner[0], p->corner[1], p->corner[2], p->corner[3]);
    if (side < 0.0) p->mirror = -1.0;
    return side != 0.0 ? CD_OK : CD_UNSUPPORTED;
}

static cd_status cdi_polyhedron_of_points(cdi_polyhedron *out, const cd_vec3 *points, uint32_t count,
                                          cdi_v3 by) {
    cd_status status = CD_OK;
    cdi_v3 given[4];
    cdi_polyhedron_begin(out, CD_SUPPORT_POINTS);
    if (count == 0 || count > 4) return count ? CD_UNSUPPORTED : CD_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(points[i])) return CD_INVALID_ARGUMENT;
        out->name[i] = i;
        given[i] = cdi_stretched(cdi_v3_of(points[i]), by);
        out->corner[i] = given[i];
    }
    if (count == 4) status = cdi_polyhedron_tetrahedron(out, points);
    if (count == 3) count = cdi_ring_corners(out);
    if (count < 4) {
        if (count == 2 && cdi_v3_is_zero(cdi_v3_sub(given[out->name[0]], given[out->name[1]]))) count = 1;
        cdi_polyhedron_ring(out, count);
        for (uint32_t i = 0; i < count; ++i) {
            cdi_v3 p = given[out->name[i]];
            out->corner[i] = p;
        }
    }
    cdi_polyhedron_settle(out);
    return status;
}

static bool cdi_polyhedron_of_rect(cdi_polyhedron *out, const cd_rect *r, cdi_v3 by) {
    cdi_v3 a = cdi_stretched(cdi_v3_of(r->a), by), u = cdi_stretched(cdi_v3_of(r->edge[0]), by);
    cdi_v3 v = cdi_stretched(cdi_v3_of(r->edge[1]), by);
    bool thick = !cdi_v3_is_zero(u), wide = !cdi_v3_is_zero(v);
    cdi_polyhedron_begin(out, CD_SUPPORT_RECT);
    if (!cdi_v3_finite(a) || !cdi_v3_finite(u) || !cdi_v3_finite(v)) return false;
    for (uint32_t i = 0; i < 4; ++i) out->name[i] = i;
    out->corner[0] = a;
    out->corner[1] = thick ? cdi_v3_add(a, u) : cdi_v3_add(a, v);
    out->corner[2] = cdi_v3_add(out->corner[1], v);
    out->corner[3] = cdi_v3_add(a, v);
    if (!thick) out->name[1] = 3;
    cdi_polyhedron_ring(out, thick && wide ? 4 : thick || wide ? 2 : 1);
    cdi_polyhedron_settle(out);
    return true;
}

CDI_FN cd_status cdi_polyhedron_of_support(cdi_polyhedron *out, const cd_support *s) {
    const cd_hull *hull = (const cd_hull *)s->shape;
    bool fine = false, stretched;
    cdi_v3 by;
    if (!cd_support_is_valid(s)) return CD_INVALID_ARGUMENT;
    if (s->radius > 0) return CD_UNSUPPORTED;
    stretched = cdi_stretch_of(s, &by, &fine);
    if (!stretched) by = cdi_v3_make(1.0, 1.0, 1.0);
    switch (s->kind) {
    case CD_SUPPORT_POINT: return cdi_polyhedron_of_points(out, &s->center, 1, by);
    case CD_SUPPORT_POINTS: return cdi_polyhedron_of_points(out, (const cd_vec3 *)s->shape, s->count, by);
    case CD_SUPPORT_AABB: fine = cdi_polyhedron_of_aabb(out, (const cd_aabb *)s->shape, by); break;
    case CD_SUPPORT_OBB:
        fine = stretched ? cdi_polyhedron_of_stretched_obb(out, (const cd_obb *)s->shape, by)
                         : cdi_polyhedron_of_obb(out, (const cd_obb *)s->shape);
        break;
    case CD_SUPPORT_RECT: fine = cdi_polyhedron_of_rect(out, (const cd_rect *)s->shape, by); break;
    case CD_SUPPORT_HULL: fine = cdi_polyhedron_of_stretched_hull(out, hull, stretched ? &by : NULL); break;
    default: return CD_UNSUPPORTED;
    }
    return fine ? CD_OK : CD_INVALID_ARGUMENT;
}

/* ---- two of them ---- */

static void cdi_polyhedron_scale(cdi_polyhedron *p, int shift) {
    if (shift == 0) return;
    p->scale = cdi_exp2i(shift);
    for (uint32_t i = 0; p->few && i < p->parts.vertex_count; ++i) {
        cdi_v3 c = cdi_v3_scale2(p->corner[i], shift);
        p->corner[i] = c;
    }
}

CDI_FN bool cdi_polyhedra_pose(cdi_polyhedra *p, const cd_transform *b_in_a, double reach) {
    cdi_v3 at = p->body[1].center;
    double most;
    p->turn.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    p->turn.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    p->turn.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    if (b_in_a) {
        cdi_pose pose = cdi_pose_of(b_in_a);
        if (!cd_transform_is_valid(b_in_a)) return false;
        p->turn = pose.rotation;
        at = cdi_pose_point(&pose, at);
    }
    p->way = cdi_v3_sub(at, p->body[0].center);
    most = cdi_max(cdi_max(p->body[0].size, p->body[1].size), cdi_max(cdi_v3_max_abs(p->way), reach));
    if (!cdi_finite(most)) return false;
    p->shift = cdi_polyhedra_shift(most);
    p->size = cdi_scale2(most, p->shift);
    p->way = cdi_v3_scale2(p->way, p->shift);
    cdi_polyhedron_scale(&p->body[0], p->shift);
    cdi_polyhedron_scale(&p->body[1], p->shift);
    return true;
}

/* ---- what they are made of ---- */

CDI_FN uint32_t cdi_polyhedron_before(const cdi_polyhedron *p, uint32_t half) {
    if (p->parts.dimension < 2) return p->parts.half_edges[half].origin;
    return p->parts.half_edges[cd_hull_previous(&p->parts, half)].origin;
}

static cdi_v3 cdi_polyhedron_merged_normal(const cdi_polyhedron *p, const cd_hull_face *f) {
    cdi_v3 s = p->stretch, n = cdi_v3_of(f->plane.n);
    if (!p->stretched) return n;
    n = cdi_stretched(n, cdi_v3_make(s.y * s.z, s.z * s.x, s.x * s.y));
    return cdi_v3_scale(n, p->mirror);
}

CDI_FN cdi_v3 cdi_polyhedron_normal(const cdi_polyhedron *p, uint32_t face) {
    const cd_hull_face *f = &p->parts.faces[face];
    const cd_half_edge *e = p->parts.half_edges + f->first;
    cdi_v3 a, b, c, u, v, n;
    if (p->parts.flatness > 0) return cdi_polyhedron_merged_normal(p, f); /* no three corners tell */
    a = cdi_polyhedron_vertex(p, e[0].origin);
    b = cdi_polyhedron_vertex(p, e[1].origin);
    c = cdi_polyhedron_vertex(p, e[2].origin);
    u = cdi_v3_sub(b, a);
    v = cdi_v3_sub(c, a);
    n = cdi_v3_cross(u, v);
    if (cdi_v3_max_abs(n) < 0.015625 * cdi_v3_max_abs(u) * cdi_v3_max_abs(v))
        n = cdi_accurate_cross(a, b, a, c);
    return cdi_v3_scale(n, p->mirror);
}

static uint32_t cdi_polyhedron_farthest_few(const cdi_polyhedron *p, cdi_v3 dir) {
    uint32_t best = 0;
    double most = cdi_v3_dot(dir, p->corner[0]);
    for (uint32_t i = 1; i < p->parts.vertex_count; ++i) {
        double x = cdi_v3_dot(dir, p->corner[i]);
        if (x > most) most = x, best = i;
    }
    return best;
}

CDI_FN uint32_t cdi_polyhedron_farthest(const cdi_polyhedron *p, cdi_v3 dir, uint32_t from) {
    uint32_t steps = 0;
    if (p->few) return cdi_polyhedron_farthest_few(p, dir);
    if (p->stretched) dir = cdi_stretched(dir, p->stretch);
    return cdi_farthest_from(&p->parts, dir, from, &steps);
}

/* ---- what the shapes call it ---- */

CDI_FN uint32_t cdi_polyhedron_vertex_feature(const cdi_polyhedron *p, uint32_t vertex) {
    return CD_FEATURE(CD_FEATURE_VERTEX, p->few ? p->name[vertex] : vertex);
}

CDI_FN uint32_t cdi_polyhedron_edge_feature(const cdi_polyhedron *p, uint32_t half) {
    uint32_t twin = p->parts.half_edges[half].twin, a, b, n;
    if (!p->few) return CD_FEATURE(CD_FEATURE_EDGE, half < twin ? half : twin);
    a = p->name[p->parts.half_edges[half].origin];
    b = p->name[p->parts.half_edges[twin].origin];
    if (p->kind == CD_SUPPORT_OBB) return cdi_box_edge(a, b);
    if (p->parts.dimension == 3 && (a == 3 || b == 3))
        return CD_FEATURE(CD_FEATURE_EDGE, 3 + (a == 3 ? b : a));
    n = p->kind == CD_SUPPORT_RECT ? 4 : 3;
    return CD_FEATURE(CD_FEATURE_EDGE, (a + 1) % n == b ? a : b);
}

CDI_FN uint32_t cdi_polyhedron_face_feature(const cdi_polyhedron *p, uint32_t face) {
    const cd_half_edge *e;
    uint32_t sum = 0, axis = 0;
    if (!p->few) return CD_FEATURE(CD_FEATURE_FACE, face);
    e = p->parts.half_edges + p->parts.faces[face].first;
    for (uint32_t i = 0; i < 3; ++i) sum += p->name[e[i].origin];
    if (p->kind == CD_SUPPORT_POINTS)
        return CD_FEATURE(CD_FEATURE_FACE, p->parts.dimension == 3 ? 6 - sum : 0);
    if (p->kind == CD_SUPPORT_RECT) return CD_FEATURE(CD_FEATURE_FACE, 0);
    if (p->parts.dimension == 3) return CD_FEATURE(CD_FEATURE_FACE, face);
    sum = p->name[0] | p->name[1] | p->name[2] | p->name[3]; /* a flat box: the axis that it lacks */
    while (sum >> axis & 1u) ++axis;
    return CD_FEATURE(CD_FEATURE_FACE, 2 * axis + ((face == 0) == (axis != 1) ? 1u : 0u));
}
