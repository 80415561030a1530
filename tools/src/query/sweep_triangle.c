#include "query/sweep_triangle.h"
#include "query/sweep_tile.h"

/* ---- the triangle as a hull: a polygon of two faces, a segment, or a point ---- */

static void cdi_tile_polygon(cdi_tile *p) {
    static const cd_half_edge half_edges[6] = {{0, 3, 0}, {1, 5, 0}, {2, 4, 0},
                                               {1, 0, 1}, {0, 2, 1}, {2, 1, 1}};
    static const uint32_t outgoing[3] = {0, 1, 2};
    p->parts.dimension = 2;
    p->parts.vertex_count = 3;
    p->parts.half_edge_count = 6;
    p->parts.face_count = 2;
    p->parts.half_edges = half_edges;
    p->parts.outgoing = outgoing;
    p->parts.faces = p->face;
    p->face[0].first = 0;
    p->face[1].first = 3;
    p->face[0].count = p->face[1].count = 3;
}

/* Of three points on a line, those at its ends. */
static void cdi_tile_segment(cdi_tile *p, const cd_triangle *t, int axis) {
    static const cd_half_edge half_edges[2] = {{0, 1, CD_NONE}, {1, 0, CD_NONE}};
    static const uint32_t outgoing[2] = {0, 1};
    const cd_vec3 *v[3];
    v[0] = &t->a, v[1] = &t->b, v[2] = &t->c;
    for (int i = 0; i < 3; ++i) {
        double at = cdi_v3_get(cdi_v3_of(*v[i]), axis);
        if (i == 0 || at < cdi_v3_get(cdi_v3_of(p->corner[0]), axis)) p->corner[0] = *v[i];
        if (i == 0 || at > cdi_v3_get(cdi_v3_of(p->corner[1]), axis)) p->corner[1] = *v[i];
    }
    p->parts.dimension = 1;
    p->parts.vertex_count = p->parts.half_edge_count = 2;
    p->parts.half_edges = half_edges;
    p->parts.outgoing = outgoing;
}

CDI_FN bool cdi_tile_of(cdi_tile *p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 lo, hi, size;
    cdi_clear(p, sizeof *p);
    if (!cdi_tri_finite(&d)) return false;
    p->corner[0] = t->a;
    p->corner[1] = t->b;
    p->corner[2] = t->c;
    p->parts.vertices = p->corner;
    p->bounds = cd_aabb_from_points(p->corner, 3);
    cdi_tri_bounds(&d, &lo, &hi);
    size = cdi_v3_sub(hi, lo);
    if (!cdi_v3_is_zero(cdi_tri_cross(&d)))
        cdi_tile_polygon(p);
    else if (cdi_v3_is_zero(size))
        p->parts.vertex_count = 1;
    else
        cdi_tile_segment(p, t, size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2);
    return true;
}

/* ---- in motion ---- */

CDI_FN bool cdi_sweep_tile_triangle(const cdi_cast *c, const cdi_tile *p, const cd_triangle *t, cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets = cdi_sweep_parts_triangle(c, &p->parts, p->bounds, t, NULL, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(c, meets, &met, cdi_triangle_front(t), hit);
}

CDI_FN bool cdi_sweep_tile_box(const cdi_cast *c, const cdi_tile *p, const cdi_obb *b, cd_hit *hit) {
    return cdi_sweep_parts_box(c, &p->parts, p->bounds, b, hit);
}

static bool cdi_tile_begin(cdi_tile *p, cdi_cast *c, const cd_triangle *a, cd_vec3 motion,
                           const cd_cast_options *options) {
    return cdi_tile_of(p, a) && cdi_sweep_begin(c, a->a, motion, options);
}

CD_API bool cd_sweep_triangle_triangle(const cd_triangle *a, cd_vec3 motion, const cd_triangle *b,
                                       const cd_cast_options *options, cd_hit *hit) {
    cdi_tile p;
    cdi_cast c;
    return cdi_tile_begin(&p, &c, a, motion, options) && cdi_sweep_tile_triangle(&c, &p, b, hit);
}

CD_API bool cd_sweep_triangle_aabb(const cd_triangle *a, cd_vec3 motion, cd_aabb b,
                                   const cd_cast_options *options, cd_hit *hit) {
    cdi_tile p;
    cdi_cast c;
    cdi_obb box;
    return cdi_any_box_of_aabb(b, &box) && cdi_tile_begin(&p, &c, a, motion, options) &&
           cdi_sweep_tile_box(&c, &p, &box, hit);
}

CD_API bool cd_sweep_triangle_obb(const cd_triangle *a, cd_vec3 motion, const cd_obb *b,
                                  const cd_cast_options *options, cd_hit *hit) {
    cdi_tile p;
    cdi_cast c;
    cdi_obb box;
    return cdi_any_box_of_obb(b, &box) && cdi_tile_begin(&p, &c, a, motion, options) &&
           cdi_sweep_tile_box(&c, &p, &box, hit);
}
