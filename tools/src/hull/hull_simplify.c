#include "hull/directions.h"
#include "hull/hull_around.h"
#include "hull/hull_build.h"
#include "hull/hull_block.h"
#include "hull/hull_gap.h"
#include "hull/hull_simplify.h"
#include "hull/selection.h"

/* ---- copies and subsets ---- */

static cdi_hull_header *cdi_own_header(cd_hull *hull) {
    return (cdi_hull_header *)(void *)hull->block;
}

static cd_status cdi_hull_copy(cd_hull *out, const cd_hull *hull, const cd_allocator *allocator) {
    void *block = cdi_alloc(allocator, hull->bytes, 1);
    if (!block) return CD_OUT_OF_MEMORY;
    cdi_copy(block, hull->block, hull->bytes);
    out->block = block;
    out->bytes = hull->bytes;
    out->allocator = *allocator;
    out->owned = 1;
    cdi_own_header(out)->deviation = 0.0;
    return CD_OK;
}

/* The hull of some vertices, with the sources that these have, and how far it is from the whole. */
static cd_status cdi_hull_of_some(cd_hull *out, const cd_hull *hull, const uint32_t *chosen, uint32_t count,
                                  const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_hull_options o;
    cdi_hull_arrays a;
    cd_status status;
    cd_vec3 *points = (cd_vec3 *)cdi_alloc(allocator, count, sizeof *points);
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) points[i] = p.vertices[chosen[i]];
    cdi_clear(&o, sizeof o);
    o.allocator = *allocator;
    status = cd_hull3_build(out, points, count, &o);
    cdi_free(allocator, points, count, sizeof *points);
    if (status != CD_OK) return status;
    a = cdi_hull_open(cdi_own_header(out));
    for (uint32_t i = 0; i < cdi_own_header(out)->vertex_count; ++i)
        a.sources[i] = p.sources[chosen[a.sources[i]]];
    cdi_own_header(out)->deviation = cdi_gap_largest(out, hull);
    return CD_OK;
}

/* ---- which vertices may be chosen ---- */

/* The vertices farthest along these directions: of the body as it is, and as it looks when made round. */
static uint32_t cdi_choose_extreme(const cd_hull *hull, uint32_t n, uint32_t *candidates) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_round_frame frame = cdi_round_frame_of(hull);
    uint32_t count = 0, last = 0;
    for (uint32_t i = 0; i < 12 * n * n; ++i) {
        cdi_v3 u = cdi_cube_direction(i % (6 * n * n), n);
        uint32_t top = cdi_hull_climb(&p, last, i < 6 * n * n ? u : cdi_round_direction(&frame, u));
        if (count == 0 || top != last) candidates[count++] = top;
        last = top;
    }
    return count;
}

/* Of many vertices those; of few all. */
static uint32_t cdi_choose_candidates(const cd_hull *hull, uint32_t wanted, uint32_t *candidates) {
    uint32_t all = cd_hull_get_parts(hull).vertex_count, n = 8;
    while (6 * n * n < 24u * wanted && n < 1024) n *= 2;
    if (all > 24 * n * n) return cdi_choose_extreme(hull, n, candidates);
    for (uint32_t i = 0; i < all; ++i) candidates[i] = i;
    return all;
}

/* ---- inside ---- */

static cd_status cdi_select_among(const cd_hull *hull, const uint32_t *candidates, uint32_t count,
                                  const cdi_selection *how, const cd_allocator *allocator, uint32_t *chosen,
                                  uint32_t *chosen_count) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_cloud_input input;
    cd_status status;
    cd_vec3 *points = (cd_vec3 *)cdi_alloc(allocator, count, sizeof *points);
    *chosen_count = 0;
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) points[i] = p.vertices[candidates[i]];
    cdi_clear(&input, sizeof input);
    input.points = points;
    input.count = count;
    status = cdi_select(&input, how, allocator, chosen, chosen_count);
    cdi_free(allocator, points, count, sizeof *points);
    for (uint32_t i = 0; i < *chosen_count; ++i) chosen[i] = candidates[chosen[i]];
    return status == CD_UNSUPPORTED ? CD_OK : status;
}

/* Chooses exactly so many vertices of a body. Should fewer candidates do, or should they be in a plane, all are taken. */
static cd_status cdi_select_vertices(const cd_hull *hull, uint32_t wanted, const cd_allocator *allocator,
                                     uint32_t *candidates, uint32_t *chosen) {
    uint32_t all = cd_hull_get_parts(hull).vertex_count, count, n;
    cdi_selection how;
    cd_status status;
    cdi_clear(&how, sizeof how);
    how.kind = CDI_SELECT_NEAR;
    how.wanted = wanted;
    how.spare = wanted / 2 + 8;
    how.exchanges = wanted + 8;
    count = cdi_choose_candidates(hull, wanted, candidates);
    status = cdi_select_among(hull, candidates, count, &how, allocator, chosen, &n);
    if (status != CD_OK || n == wanted) return status;
    for (uint32_t i = 0; i < all; ++i) candidates[i] = i;
    how.spare = how.exchanges = 0;
    status = cdi_select_among(hull, candidates, all, &how, allocator, chosen, &n);
    return status == CD_OK && n < wanted ? CD_NOT_CONVERGED : status;
}

static cd_status cdi_simplify_body(cd_hull *out, const cd_hull *hull, uint32_t wanted,
                                   const cd_allocator *allocator) {
    uint32_t all = cd_hull_get_parts(hull).vertex_count;
    uint32_t *candidates, *chosen = (uint32_t *)cdi_alloc(allocator, 3 * (size_t)all, sizeof *chosen);
    cd_status status;
    if (!chosen) return CD_OUT_OF_MEMORY;
    candidates = chosen + all;
    status = cdi_select_vertices(hull, wanted, allocator, candidates, chosen);
    if (status == CD_OK) status = cdi_hull_of_some(out, hull, chosen, wanted, allocator);
    cdi_free(allocator, chosen, 3 * (size_t)all, sizeof *chosen);
    return status;
}

/* Keeps the better one of two hulls in `best`; one that has too many faces is no good. */
static bool cdi_keep_better(cd_hull *best, cd_hull *other, uint32_t max_faces) {
    bool fits = cdi_own_header(other)->face_count <= max_faces;
    if (fits && cdi_own_header(other)->deviation <= cdi_own_header(best)->deviation) {
        cd_hull t = *best;
        *best = *other;
        *other = t;
    }
    cd_hull_destroy(other);
    return fits;
}

/* Triangles alone allow for max_faces / 2 + 2 vertices; where faces are larger, more may do: bisection looks how many. */
static cd_status cdi_simplify_body_faces(cd_hull *out, const cd_hull *hull, uint32_t most, uint32_t max_faces,
                                         const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t fits = max_faces / 2 + 2, fails = (uint32_t)cdi_min(most, 2.0 * max_faces - 4.0) + 1;
    cd_status status;
    if (fits >= most) return cdi_simplify_body(out, hull, most, allocator);
    status = cdi_simplify_body(out, hull, fits, allocator);
    if (p.face_count == 2 * p.vertex_count - 4) return status;
    for (int i = 0; i < 8 && status == CD_OK && fails - fits > 1; ++i) {
        uint32_t half = fits + (fails - fits) / 2;
        cd_hull other;
        cdi_clear(&other, sizeof other);
        status = cdi_simplify_body(&other, hull, half, allocator);
        if (status != CD_OK) break;
        if (cdi_keep_better(out, &other, max_faces)) {
            fits = half;
        } else {
            fails = half;
        }
    }
    return status;
}

/* ---- in a plane ---- */

/* Stretches of a polygon's corners, from `first` to `last` around, with the corner farthest from the chord. */
typedef struct cdi_stretch {
    uint32_t first, last, farthest;
    double distance;
} cdi_stretch;

typedef struct cdi_polygon {
    cd_hull_parts parts;
    double scale;
    cdi_stretch *stretch;
    uint32_t count;
    cdi_heap heap;
} cdi_polygon;

static cdi_v3 cdi_polygon_corner(const cdi_polygon *g, uint32_t i) {
    cdi_v3 base = cdi_v3_of(g->parts.vertices[0]);
    uint32_t v = g->parts.half_edges[i % g->parts.vertex_count].origin;
    return cdi_v3_scale(cdi_v3_sub(cdi_v3_of(g->parts.vertices[v]), base), g->scale);
}

static void cdi_polygon_stretch(cdi_polygon *g, uint32_t slot, uint32_t first, uint32_t last) {
    cdi_stretch *s = &g->stretch[slot];
    cdi_v3 a = cdi_polygon_corner(g, first), b = cdi_polygon_corner(g, last);
    s->first = first;
    s->last = last;
    s->distance = -1.0;
    for (uint32_t i = first + 1; i < last; ++i) {
        cdi_v3 p = cdi_polygon_corner(g, i);
        double d = cdi_v3_length(cdi_v3_sub(p, cdi_gap_triangle(p, a, b, b)));
        if (d <= s->distance) continue;
        s->distance = d;
        s->farthest = i;
    }
    if (s->distance >= 0.0) cdi_heap_push(&g->heap, s->distance, slot);
}

/* The corner that is farthest from corner 0 and that itself make the first two stretches; the farthest corner from its chord
 * parts a stretch in two, until there are enough (Ramer 1972; Douglas and Peucker 1973). */
static void cdi_polygon_split(cdi_polygon *g, uint32_t wanted) {
    uint32_t n = g->parts.vertex_count, across;
    cdi_polygon_stretch(g, 0, 0, n);
    across = g->stretch[0].farthest;
    g->heap.count = 0;
    cdi_polygon_stretch(g, 0, 0, across);
    cdi_polygon_stretch(g, 1, across, n);
    for (g->count = 2; g->count < wanted && g->heap.count > 0; ++g->count) {
        cdi_stretch s = g->stretch[g->heap.item[0].id];
        uint32_t slot = g->heap.item[0].id;
        cdi_heap_pop(&g->heap);
        cdi_polygon_stretch(g, slot, s.first, s.farthest);
        cdi_polygon_stretch(g, g->count, s.farthest, s.last);
    }
}

static cd_status cdi_simplify_polygon(cd_hull *out, const cd_hull *hull, uint32_t wanted,
                                      const cd_allocator *allocator) {
    cdi_polygon g;
    cd_status status = CD_OUT_OF_MEMORY;
    uint32_t *chosen = (uint32_t *)cdi_alloc(allocator, wanted, sizeof *chosen);
    cdi_clear(&g, sizeof g);
    g.parts = cd_hull_get_parts(hull);
    g.scale = cdi_unit_scale(hull);
    g.heap.room = wanted + 1;
    g.heap.item = (cdi_heap_item *)cdi_alloc(allocator, g.heap.room, sizeof *g.heap.item);
    g.stretch = (cdi_stretch *)cdi_alloc(allocator, wanted, sizeof *g.stretch);
    if (chosen && g.heap.item && g.stretch) {
        cdi_polygon_split(&g, wanted);
        for (uint32_t i = 0; i < g.count; ++i) chosen[i] = g.parts.half_edges[g.stretch[i].first].origin;
        status = cdi_hull_of_some(out, hull, chosen, g.count, allocator);
    }
    cdi_free(allocator, chosen, wanted, sizeof *chosen);
    cdi_free(allocator, g.heap.item, g.heap.room, sizeof *g.heap.item);
    cdi_free(allocator, g.stretch, wanted, sizeof *g.stretch);
    return status;
}

/* ---- the whole ---- */

static bool cdi_simplify_options_fit(const cd_hull_simplify_options *o, int dimension) {
    uint32_t least = dimension == 3 ? 4u : dimension == 2 ? 3u : 0u;
    return o->flags == 0 && o->side <= CD_HULL_OUTER && (o->max_vertices == 0 || o->max_vertices >= least) &&
           (o->max_faces == 0 || dimension != 3 || o->max_faces >= least);
}

static bool cdi_is_within(uint32_t count, uint32_t most) {
    return most == 0 || count <= most;
}

static cd_status cdi_simplify_to(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *o) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t most = o->max_vertices ? (uint32_t)cdi_min(o->max_vertices, p.vertex_count) : p.vertex_count;
    if (p.dimension < 2 || (cdi_is_within(p.vertex_count, o->max_vertices) &&
                            (p.dimension == 2 || cdi_is_within(p.face_count, o->max_faces))))
        return p.dimension < 0 ? CD_OK : cdi_hull_copy(out, hull, &o->allocator);
    if (o->side == CD_HULL_OUTER && p.dimension == 2) return CD_UNSUPPORTED;
    if (o->side == CD_HULL_OUTER)
        return cdi_hull_around(out, hull, o->max_vertices ? o->max_vertices : CDI_HULL_MOST,
                               o->max_faces ? o->max_faces : CDI_HULL_MOST, &o->allocator);
    if (p.dimension == 2) return cdi_simplify_polygon(out, hull, most, &o->allocator);
    if (o->max_faces == 0) return cdi_simplify_body(out, hull, most, &o->allocator);
    return cdi_simplify_body_faces(out, hull, most, o->max_faces, &o->allocator);
}

CD_API cd_status cd_hull_simplify(cd_hull *out, const cd_hull *hull,
                                  const cd_hull_simplify_options *options) {
    cd_hull_simplify_options o;
    cd_hull result;
    cd_status status;
    cdi_clear(&o, sizeof o);
    cdi_clear(&result, sizeof result);
    if (options) o = *options;
    status = CD_INVALID_ARGUMENT;
    if (cdi_simplify_options_fit(&o, cd_hull_get_parts(hull).dimension))
        status = cdi_simplify_to(&result, hull, &o);
    if (status != CD_OK) cd_hull_destroy(&result);
    *out = result;
    return status;
}
