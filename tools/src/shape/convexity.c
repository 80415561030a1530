#include "shape/convexity.h"
#include "core/exact.h"
#include "core/memory.h"
#include "shape/polyhedron3d.h"
#include "shape/side3d.h"
#include "shape/triangle3d.h"

/* ---- quadrilateral ---- */

CD_API bool cd_is_convex_quad(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    cdi_v3 p = cdi_v3_of(a), q = cdi_v3_of(b), r = cdi_v3_of(c), s = cdi_v3_of(d);
    return cdi_edge_sign(q, s, p, r) < 0 && cdi_edge_sign(p, r, q, s) < 0;
}

/* ---- polygon ----
 * A closed line that turns to one side only is the boundary of a convex polygon when it turns around once, that is, when
 * its direction changes twice between the half of all directions that goes up (right, or straight up) and the other. */

/* A polygon of the plane, or the shadow of one along an axis. */
typedef struct cdi_ring {
    const cd_vec2 *flat;
    const cd_vec3 *space;
    size_t count;
    int axis;
} cdi_ring;

static cdi_v2 cdi_ring_point(const cdi_ring *r, size_t i) {
    return r->flat ? cdi_v2_of(r->flat[i]) : cdi_v3_drop(cdi_v3_of(r->space[i]), r->axis);
}

/* The last corner that differs from the first; false when all are one. */
static bool cdi_ring_before_first(const cdi_ring *r, cdi_v2 *out) {
    cdi_v2 first = cdi_ring_point(r, 0);
    for (size_t i = r->count; i-- > 1;) {
        *out = cdi_ring_point(r, i);
        if (!cdi_v2_same(*out, first)) return true;
    }
    return false;
}

/* Finite corners, at least one. */
static bool cdi_ring_is_convex(const cdi_ring *r) {
    cdi_v2 before, at = cdi_ring_point(r, 0);
    int turn = 0, changes = 0;
    bool up;
    if (!cdi_ring_before_first(r, &before)) return false;
    up = cdi_goes_up(before, at);
    for (size_t i = 1; i <= r->count; ++i) {
        cdi_v2 next = cdi_ring_point(r, i == r->count ? 0 : i);
        int side;
        if (cdi_v2_same(next, at)) continue;
        side = cdi_sign(cdi_orient2d(before, at, next));
        if (side * turn < 0) return false;
        if (side != 0) turn = side;
        if (cdi_goes_up(at, next) != up) {
            if (side == 0 || ++changes > 2) return false; /* back on itself, or around again */
            up = !up;
        }
        before = at;
        at = next;
    }
    return turn != 0;
}

CD_API bool cd_is_convex_polygon(const cd_vec2 *v, size_t count) {
    cdi_ring r;
    if (count < 3) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_finite((double)v[i].x) || !cdi_finite((double)v[i].y)) return false;
    }
    r.flat = v;
    r.space = NULL;
    r.count = count;
    r.axis = 2;
    return cdi_ring_is_convex(&r);
}

/* The axis on which the normal of the first corners that are not in line is largest; -1 when all are. */
static int cdi_ring_axis(const cd_vec3 *v, size_t count) {
    cdi_v3 a = cdi_v3_of(v[0]), b = a;
    for (size_t i = 1; i < count; ++i) {
        cdi_v3 c = cdi_v3_of(v[i]), n;
        double most;
        if (cdi_v3_is_zero(cdi_v3_sub(b, a))) b = c;
        n = cdi_exact_normal(a, b, c);
        most = cdi_v3_max_abs(n);
        if (most > 0.0) return cdi_abs(n.x) == most ? 0 : cdi_abs(n.y) == most ? 1 : 2;
    }
    return -1;
}

CD_API bool cd_is_convex_polygon3(const cd_vec3 *v, size_t count) {
    cdi_ring r;
    if (count < 3) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(v[i])) return false;
    }
    r.flat = NULL;
    r.space = v;
    r.count = count;
    r.axis = cdi_ring_axis(v, count);
    return r.axis >= 0 && cdi_ring_is_convex(&r);
}

/* ---- polyhedron ----
 * Let o be strictly behind the planes of all triangles. Seen from o, the triangles cover the sphere of directions, two
 * neighbours never on the same side of their edge, so that every direction but those of the corners is covered equally
 * often; by the direction of one ray, once. Then the body is the set where a function is at most 1 that grows evenly along
 * rays from o and is linear on the cone of each triangle; it is convex across the edges, so along almost every line, so
 * everywhere. */

static bool cdi_flawed(cd_convexity *out, cd_convexity_flaw flaw, uint32_t feature) {
    if (out) {
        out->flaw = (uint32_t)flaw;
        out->feature = feature;
    }
    return false;
}

static bool cdi_check_faces(const cdi_poly *b, cd_convexity *out) {
    cdi_v3 v[3];
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        if (!cdi_poly_triangle_is_valid(b, i))
            return cdi_flawed(out, CD_CONVEXITY_INPUT, CD_FEATURE(CD_FEATURE_FACE, i));
    }
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        cdi_poly_corners(b, i, v);
        if (cdi_v3_is_zero(cdi_exact_normal(v[0], v[1], v[2])))
            return cdi_flawed(out, CD_CONVEXITY_DEGENERATE, CD_FEATURE(CD_FEATURE_FACE, i));
    }
    return true;
}

/* For each half-edge the one that runs back along it, its own number where there is none or more than one. `twin` has
 * room for all, `work` for twice as many and one more than there are vertices. */
static void cdi_find_twins(const cdi_poly *b, uint32_t *twin, uint32_t *work) {
    uint32_t count = 3 * b->triangle_count, *order = work;
    cdi_order_half_edges(b, order, work + count);
    for (uint32_t i = 0; i < count; ++i) twin[i] = i;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(b, order, i);
        if (end - i != 2 || cdi_half_edge_start(b, order[i]) == cdi_half_edge_start(b, order[i + 1]))
            continue;
        twin[order[i]] = order[i + 1];
        twin[order[i + 1]] = order[i];
    }
}

/* Convex, or flat with the triangles on opposite sides. */
static bool cdi_edge_is_convex(const cdi_poly *b, uint32_t h, uint32_t twin) {
    uint32_t next = cdi_half_edge_next(h);
    cdi_v3 from = cdi_poly_corner(b, h), to = cdi_poly_corner(b, next);
    cdi_v3 left = cdi_poly_corner(b, cdi_half_edge_next(next));
    cdi_v3 right = cdi_poly_corner(b, cdi_half_edge_next(cdi_half_edge_next(twin)));
    double side = cdi_orient3d(from, to, left, right);
    return side > 0.0 || (side == 0.0 && cdi_edge_sign(from, to, left, right) < 0);
}

static bool cdi_check_edges_with(const cdi_poly *b, uint32_t *twin, uint32_t *work, cd_convexity *out) {
    cdi_find_twins(b, twin, work);
    for (uint32_t h = 0; h < 3 * b->triangle_count; ++h) {
        if (twin[h] == h) return cdi_flawed(out, CD_CONVEXITY_OPEN, CD_FEATURE(CD_FEATURE_EDGE, h));
    }
    for (uint32_t h = 0; h < 3 * b->triangle_count; ++h) {
        if (twin[h] > h && !cdi_edge_is_convex(b, h, twin[h]))
            return cdi_flawed(out, CD_CONVEXITY_REFLEX, CD_FEATURE(CD_FEATURE_EDGE, h));
    }
    return true;
}

static bool cdi_check_edges(const cdi_poly *b, const cd_allocator *allocator, cd_convexity *out) {
    size_t edges = 3 * (size_t)b->triangle_count, count = 3 * edges + b->vertex_count + 1;
    uint32_t *memory = (uint32_t *)cdi_alloc(allocator, count, sizeof *memory);
    bool good;
    if (!memory) return cdi_flawed(out, CD_CONVEXITY_MEMORY, CD_FEATURE_NONE);
    good = cdi_check_edges_with(b, memory, memory + edges, out);
    cdi_free(allocator, memory, count, sizeof *memory);
    return good;
}

/* The centre of a tetrahedron of four corners of the body, which doubles need not hold: the corners, and about what the
 * centre is apart from the first; no corner is farther from it than `spread` on any axis. */
typedef struct cdi_body_kernel {
    cdi_v3 w[4], offset;
    double spread;
} cdi_body_kernel;

static bool cdi_find_kernel(const cdi_poly *b, cdi_body_kernel *k, cd_convexity *out) {
    uint32_t h = 3, count = 3 * b->triangle_count;
    cdi_poly_corners(b, 0, k->w);
    while (h < count && cdi_orient3d(k->w[0], k->w[1], k->w[2], cdi_poly_corner(b, h)) == 0.0) ++h;
    if (h == count) return cdi_flawed(out, CD_CONVEXITY_FLAT, CD_FEATURE_NONE);
    k->w[3] = cdi_poly_corner(b, h);
    k->offset = cdi_v3_make(0.0, 0.0, 0.0);
    k->spread = 0.0;
    for (int i = 1; i < 4; ++i) {
        cdi_v3 d = cdi_v3_sub(k->w[i], k->w[0]);
        k->offset = cdi_v3_along(k->offset, d, 0.25);
        k->spread = cdi_max(k->spread, cdi_v3_max_abs(d));
    }
    return true;
}

/* No corner of the tetrahedron is in front of a triangle: its centre is strictly behind all. */
static bool cdi_check_kernel(const cdi_poly *b, const cdi_body_kernel *k, cd_convexity *out) {
    cdi_v3 v[3];
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        cdi_poly_corners(b, i, v);
        for (int j = 0; j < 4; ++j) {
            if (cdi_orient3d(v[0], v[1], v[2], k->w[j]) < 0.0)
                return cdi_flawed(out, CD_CONVEXITY_INSIDE_OUT, CD_FEATURE(CD_FEATURE_FACE, i));
        }
    }
    return true;
}

/* 4 x less the sum of the corners' coordinates. */
static cdi_exact cdi_exact_from_kernel(cdi_arena *arena, double x, const cdi_body_kernel *k, int axis) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_mul(arena, cdi_exact_of(arena, 4.0), cdi_exact_of(arena, x));
    for (int i = 0; i < 4; ++i) {
        cdi_exact w = cdi_exact_of(arena, cdi_v3_get(k->w[i], axis));
        sum = cdi_exact_keep(arena, mark, cdi_exact_sub(arena, sum, w));
    }
    return sum;
}

/* The sign of component `axis` of (x-o) x (y-o), with the centre o. */
static CDI_COLD int cdi_body_kernel_cross_exact(const cdi_body_kernel *k, cdi_v3 x, cdi_v3 y, int axis) {
    uint32_t limbs[12 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 12 * CDI_EXACT_LIMBS);
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    cdi_exact xi = cdi_exact_from_kernel(&arena, cdi_v3_get(x, i), k, i);
    cdi_exact xj = cdi_exact_from_kernel(&arena, cdi_v3_get(x, j), k, j);
    cdi_exact yi = cdi_exact_from_kernel(&arena, cdi_v3_get(y, i), k, i);
    cdi_exact yj = cdi_exact_from_kernel(&arena, cdi_v3_get(y, j), k, j);
    return cdi_exact_det2(&arena, xi, xj, yi, yj).sign;
}

/* On which side of the plane through o, x and y the ray from o runs that goes along z, turned toward x by next to nothing
 * and toward y by next to nothing of that. It is in the plane only if o, x and y are in line. */
static int cdi_body_kernel_ray_side(const cdi_body_kernel *k, cdi_v3 x, cdi_v3 y) {
    static const int order[3] = {2, 0, 1};
    cdi_v3 from_x = cdi_v3_sub(x, k->w[0]), from_y = cdi_v3_sub(y, k->w[0]), cross;
    double error =
        7.105427357601002e-15 * (cdi_v3_max_abs(from_x) + k->spread) * (cdi_v3_max_abs(from_y) + k->spread) +
        1e-280; /* 64 u; each difference is off by 4 u */
    cross = cdi_v3_cross(cdi_v3_sub(from_x, k->offset), cdi_v3_sub(from_y, k->offset));
    for (int i = 0; i < 3; ++i) {
        double c = cdi_v3_get(cross, order[i]);
        int side = cdi_abs(c) > error ? cdi_sign(c) : cdi_body_kernel_cross_exact(k, x, y, order[i]);
        if (side != 0) return side;
    }
    return 0;
}

/* How many triangles the ray meets, up to 2. */
static int cdi_body_kernel_covers(const cdi_poly *b, const cdi_body_kernel *k) {
    int covers = 0;
    for (uint32_t i = 0; i < b->triangle_count && covers < 2; ++i) {
        cdi_v3 v[3];
        cdi_poly_corners(b, i, v);
        covers += cdi_body_kernel_ray_side(k, v[0], v[1]) > 0 &&
                  cdi_body_kernel_ray_side(k, v[1], v[2]) > 0 && cdi_body_kernel_ray_side(k, v[2], v[0]) > 0;
    }
    return covers;
}

CD_API bool cd_is_convex_polyhedron(const cd_vec3 *vertices, size_t vertex_count, const uint32_t *triangles,
                                    size_t triangle_count, const cd_allocator *allocator, cd_convexity *out) {
    cdi_poly b;
    cdi_body_kernel k;
    if (!cdi_poly_make(&b, vertices, vertex_count, triangles, triangle_count))
        return cdi_flawed(out, CD_CONVEXITY_MEMORY, CD_FEATURE_NONE);
    if (triangle_count == 0) return cdi_flawed(out, CD_CONVEXITY_FLAT, CD_FEATURE_NONE);
    if (!cdi_check_faces(&b, out) || !cdi_check_edges(&b, allocator, out)) return false;
    if (!cdi_find_kernel(&b, &k, out) || !cdi_check_kernel(&b, &k, out)) return false;
    return cdi_body_kernel_covers(&b, &k) == 1 || cdi_flawed(out, CD_CONVEXITY_MULTIPLE, CD_FEATURE_NONE);
}
