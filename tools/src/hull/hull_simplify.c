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

/* Its sources are places in `chosen`. */
static cd_status cdi_hull_of_chosen(cd_hull *out, const cd_hull *hull, const uint32_t *chosen, uint32_t count,
                                    const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_hull_options o;
    cd_status status;
    cd_vec3 *points = (cd_vec3 *)cdi_alloc(allocator, count, sizeof *points);
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) points[i] = p.vertices[chosen[i]];
    cdi_clear(&o, sizeof o);
    o.allocator = *allocator;
    status = cd_hull3_build(out, points, count, &o);
    cdi_free(allocator, points, count, sizeof *points);
    return status;
}

/* The hull of some vertices, with the sources that these have, and how far it is from the whole. */
static cd_status cdi_hull_of_some(cd_hull *out, const cd_hull *hull, const uint32_t *chosen, uint32_t count,
                                  const cd_allocator *allocator) {
    const uint32_t *sources = cd_hull_get_parts(hull).sources;
    cd_status status = cdi_hull_of_chosen(out, hull, chosen, count, allocator);
    cdi_hull_header *header = cdi_own_header(out);
    cdi_hull_arrays a;
    if (status != CD_OK) return status;
    a = cdi_hull_open(header);
    for (uint32_t i = 0; i < header->vertex_count; ++i) a.sources[i] = sources[chosen[a.sources[i]]];
    header->deviation = cdi_gap_largest(out, hull);
    return CD_OK;
}

/* The exact hull of the vertices, where the hull has merged faces or rounded vertices. */
static cd_status cdi_hull_made_exact(cd_hull *out, const cd_hull *hull, const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_hull_options o;
    cd_status status;
    cdi_hull_arrays a;
    cdi_clear(&o, sizeof o);
    o.allocator = *allocator;
    status = cd_hull3_build(out, p.vertices, p.vertex_count, &o);
    if (status != CD_OK) return status;
    a = cdi_hull_open(cdi_own_header(out));
    for (uint32_t i = 0; i < cdi_own_header(out)->vertex_count; ++i) a.sources[i] = p.sources[a.sources[i]];
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
    while (6 * n * n < 24.0 * wanted && n < 1024) n *= 2;
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

/* ---- chosen vertices move to where they are needed ---- */

/* How far the hull reaches beyond each face of a smaller one; the largest is returned. */
static double cdi_measure_faces(const cd_hull_parts *s, const cd_hull_parts *p, const uint32_t *chosen,
                                double scale, double *beyond) {
    double most = 0.0;
    for (uint32_t f = 0; f < s->face_count; ++f) {
        uint32_t corner = s->half_edges[s->faces[f].first].origin, from = chosen[s->sources[corner]];
        cdi_v3 n = cdi_v3_of(s->faces[f].plane.n);
        cdi_v3 top = cdi_v3_of(p->vertices[cdi_hull_climb(p, from, n)]);
        beyond[f] = cdi_v3_dot(n, cdi_v3_sub(top, cdi_v3_of(s->vertices[corner]))) * scale;
        most = cdi_max(most, beyond[f]);
    }
    return most;
}

/* The mean of the normals around a vertex, made unit. */
static cdi_v3 cdi_vertex_normal(const cd_hull_parts *p, uint32_t vertex) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    uint32_t first = p->outgoing[vertex], h = first;
    do {
        sum = cdi_v3_add(sum, cdi_v3_of(p->faces[p->half_edges[h].face].plane.n));
        h = p->half_edges[cd_hull_previous(p, h)].twin;
    } while (h != first);
    return cdi_v3_normalize(sum);
}

/* Where a vertex with the normal n is drawn to: some way to the normals around it, mostly to those whose faces miss most. */
static cdi_v3 cdi_pull(const cd_hull_parts *s, uint32_t vertex, cdi_v3 n, const double *beyond, double most,
                       double strength) {
    cdi_v3 sum = n;
    uint32_t first = s->outgoing[vertex], h = first;
    do {
        uint32_t f = s->half_edges[h].face;
        double weight = cdi_max(beyond[f] / most, 0.0);
        weight *= weight;
        weight *= weight;
        sum = cdi_v3_along(sum, cdi_v3_sub(cdi_v3_of(s->faces[f].plane.n), n), strength * weight);
        h = s->half_edges[cd_hull_previous(s, h)].twin;
    } while (h != first);
    return sum;
}

typedef struct cdi_relaxation {
    const cd_hull *hull;
    cd_hull_parts parts;
    const cd_allocator *allocator;
    double scale;
    uint32_t count;
    uint32_t *chosen, *best, *taken; /* taken: for each vertex, whether it is chosen */
    double *beyond;                  /* for each face */
    double least;                    /* the smallest error so far, that of `best` */
} cdi_relaxation;

/* One step: all vertices move to the top of the hull along their pull, one by one, where that is not taken. As Lloyd's
 * method for the centres of cells, but for the largest error instead of the mean one. */
static cd_status cdi_relax_once(cdi_relaxation *r, double strength) {
    cd_hull hull;
    cd_hull_parts s;
    double most;
    cd_status status = cdi_hull_of_chosen(&hull, r->hull, r->chosen, r->count, r->allocator);
    if (status != CD_OK) return status;
    s = cd_hull_get_parts(&hull);
    most = s.dimension == 3 ? cdi_measure_faces(&s, &r->parts, r->chosen, r->scale, r->beyond) : CDI_HUGE;
    if (most < r->least && s.vertex_count == r->count) {
        r->least = most;
        cdi_copy(r->best, r->chosen, r->count * sizeof *r->best);
    }
    for (uint32_t v = 0; v < s.vertex_count && s.dimension == 3 && most > 0.0; ++v) {
        uint32_t slot = s.sources[v], from = r->chosen[slot];
        cdi_v3 n = cdi_vertex_normal(&r->parts, from);
        uint32_t to = cdi_hull_climb(&r->parts, from, cdi_pull(&s, v, n, r->beyond, most, strength));
        if (r->taken[to]) continue;
        r->taken[from] = 0;
        r->taken[to] = 1;
        r->chosen[slot] = to;
    }
    cd_hull_destroy(&hull);
    return CD_OK;
}

/* Improves a choice by steps that become smaller, fewer for many vertices; where that does not help it is left as it is. `taken` has room for all vertices. */
static cd_status cdi_relax(const cd_hull *hull, uint32_t *chosen, uint32_t count, uint32_t *taken,
                           const cd_allocator *allocator) {
    cdi_relaxation r;
    cd_status status = CD_OUT_OF_MEMORY;
    uint32_t steps = (uint32_t)cdi_min(48.0, 8192.0 / (double)count);
    cdi_clear(&r, sizeof r);
    r.hull = hull;
    r.parts = cd_hull_get_parts(hull);
    r.allocator = allocator;
    r.scale = cdi_unit_scale(hull);
    r.count = count;
    r.chosen = chosen;
    r.taken = taken;
    r.least = CDI_HUGE;
    r.best = (uint32_t *)cdi_alloc(allocator, count, sizeof *r.best);
    r.beyond = (double *)cdi_alloc(allocator, 2 * (size_t)count, sizeof *r.beyond);
    cdi_clear(taken, r.parts.vertex_count * sizeof *taken);
    for (uint32_t i = 0; i < count; ++i) taken[chosen[i]] = 1;
    if (r.best && r.beyond) {
        cdi_copy(r.best, chosen, count * sizeof *chosen);
        status = CD_OK;
        for (uint32_t i = 0; i < steps && status == CD_OK; ++i)
            status = cdi_relax_once(&r, 0.02 + 0.4 * (1.0 - (double)i / (double)steps));
        cdi_copy(chosen, r.best, count * sizeof *chosen);
    }
    cdi_free(allocator, r.best, count, sizeof *r.best);
    cdi_free(allocator, r.beyond, 2 * (size_t)count, sizeof *r.beyond);
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

/* What the choice comes to, and what it comes to after it was relaxed: the better one. */
static cd_status cdi_simplify_body(cd_hull *out, const cd_hull *hull, uint32_t wanted,
                                   const cd_allocator *allocator) {
    uint32_t all = cd_hull_get_parts(hull).vertex_count;
    uint32_t *candidates, *chosen = (uint32_t *)cdi_alloc(allocator, 2 * (size_t)all, sizeof *chosen);
    cd_hull relaxed;
    cd_status status;
    if (!chosen) return CD_OUT_OF_MEMORY;
    cdi_clear(&relaxed, sizeof relaxed);
    candidates = chosen + all;
    status = cdi_select_vertices(hull, wanted, allocator, candidates, chosen);
    if (status == CD_OK) status = cdi_hull_of_some(out, hull, chosen, wanted, allocator);
    if (status == CD_OK) status = cdi_relax(hull, chosen, wanted, candidates, allocator);
    if (status == CD_OK) status = cdi_hull_of_some(&relaxed, hull, chosen, wanted, allocator);
    if (status == CD_OK) (void)cdi_keep_better(out, &relaxed, CD_NONE);
    if (status != CD_OK) cd_hull_destroy(out);
    cdi_free(allocator, chosen, 2 * (size_t)all, sizeof *chosen);
    return status;
}

/* Triangles alone allow for max_faces / 2 + 2 vertices; where faces are larger, more may do: bisection looks how many. */
static cd_status cdi_simplify_body_faces(cd_hull *out, const cd_hull *hull, uint32_t most, uint32_t max_faces,
                                         const cd_allocator *allocator) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t fits = max_faces / 2 + 2, fails = (uint32_t)cdi_min(most, 2.0 * max_faces - 4.0) + 1;
    cd_status status;
    if (fits >= most) return cdi_simplify_body(out, hull, most, allocator);
    status = cdi_simplify_body(out, hull, fits, allocator);
    if (status != CD_OK || p.face_count == 2 * p.vertex_count - 4) return status;
    for (int i = 0; i < 8 && fails - fits > 1; ++i) {
        uint32_t half = fits + (fails - fits) / 2;
        cd_hull other;
        cdi_clear(&other, sizeof other);
        status = cdi_simplify_body(&other, hull, half, allocator);
        if (status != CD_OK && status != CD_NOT_CONVERGED) return status;
        if (status == CD_OK && cdi_keep_better(out, &other, max_faces)) {
            fits = half;
        } else {
            fails = half;
        }
    }
    return CD_OK;
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
    cdi_v3 corner =
        cdi_v3_scale(cdi_v3_of(g->parts.vertices[v]), g->scale); /* first, for the largest numbers */
    return cdi_v3_sub(corner, cdi_v3_scale(base, g->scale));
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
        status =
            g.count < wanted ? CD_NOT_CONVERGED : cdi_hull_of_some(out, hull, chosen, g.count, allocator);
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

static bool cdi_is_within_budget(const cd_hull_parts *p, const cd_hull_simplify_options *o) {
    return p->dimension < 2 || (cdi_is_within(p->vertex_count, o->max_vertices) &&
                                (p->dimension == 2 || cdi_is_within(p->face_count, o->max_faces)));
}

/* An exact hull. */
static cd_status cdi_simplify_to(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *o) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t most = o->max_vertices ? (uint32_t)cdi_min(o->max_vertices, p.vertex_count) : p.vertex_count;
    if (cdi_is_within_budget(&p, o)) return p.dimension < 0 ? CD_OK : cdi_hull_copy(out, hull, &o->allocator);
    if (o->side == CD_HULL_OUTER && p.dimension == 2) return CD_UNSUPPORTED;
    if (o->side == CD_HULL_OUTER)
        return cdi_hull_around(out, hull, o->max_vertices ? o->max_vertices : CDI_HULL_MOST,
                               o->max_faces ? o->max_faces : CDI_HULL_MOST, &o->allocator);
    if (p.dimension == 2) return cdi_simplify_polygon(out, hull, most, &o->allocator);
    if (o->max_faces == 0) return cdi_simplify_body(out, hull, most, &o->allocator);
    return cdi_simplify_body_faces(out, hull, most, o->max_faces, &o->allocator);
}

static cd_status cdi_simplify_any(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *o) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_hull exact;
    cd_status status;
    if (cdi_is_within_budget(&p, o) || p.flatness == 0) return cdi_simplify_to(out, hull, o);
    cdi_clear(&exact, sizeof exact);
    status = cdi_hull_made_exact(&exact, hull, &o->allocator);
    if (status == CD_OK) status = cdi_simplify_to(out, &exact, o);
    cd_hull_destroy(&exact);
    return status;
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
        status = cdi_simplify_any(&result, hull, &o);
    if (status != CD_OK) cd_hull_destroy(&result);
    *out = result;
    return status;
}
