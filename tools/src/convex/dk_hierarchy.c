#include "convex/dk_hierarchy.h"
#include "convex/dk3d.h"
#include "core/memory.h"
#include "core/orient.h"
#include "hull/hull_build.h"
#include "shape/side3d.h"

/* The block: header | vertices | ends of levels | numbers | places | first links | links. */
#define CDI_DK_MAGIC         0x4B444344u /* "DCDK" */
#define CDI_DK_MAGIC_SWAPPED 0x4443444Bu
#define CDI_DK_VERSION       1u
#define CDI_DK_MOST          0x10000000u /* vertices */

enum {
    CDI_DK_DEGREE = 8, /* of what is taken out; more than half of all vertices have no more neighbours */
    /* No level is taken down further. It is more than CDI_DK_DEGREE + 2, so that no level is flat: a body of which all but vertices
     * without a common edge lie in a plane has one vertex at most on each side, whose neighbours are all the others. */
    CDI_DK_BASE = 12,
    CDI_DK_LEVELS = 512 /* at least one vertex in 18 goes each time: 2^28 takes no more than 300 */
};

typedef struct cdi_dk_header {
    uint32_t magic, version, real_size, vertex_count;
    uint32_t level_count, link_count, hull_vertex_count, unused;
    uint64_t bytes;
    double reach, center[3];
    uint32_t unused_too[14];
} cdi_dk_header;

typedef char cdi_dk_header_is_128_bytes[sizeof(cdi_dk_header) == 128 ? 1 : -1];

/* ---- the block ---- */

/* `h` has all counts. */
static uint64_t cdi_dk_bytes(const cdi_dk_header *h) {
    uint64_t words = (uint64_t)h->level_count + h->vertex_count + h->hull_vertex_count + h->vertex_count + 1 +
                     h->link_count;
    return sizeof *h + h->vertex_count * (uint64_t)sizeof(cd_vec3) + 4 * words;
}

CD_API cd_dk_parts cd_dk_hierarchy_get_parts(const cd_dk_hierarchy *hierarchy) {
    const cdi_dk_header *h = (const cdi_dk_header *)hierarchy->block;
    cd_dk_parts p;
    cdi_clear(&p, sizeof p);
    if (!h) return p;
    p.vertex_count = h->vertex_count;
    p.level_count = h->level_count;
    p.link_count = h->link_count;
    p.hull_vertex_count = h->hull_vertex_count;
    p.vertices = (const cd_vec3 *)(const void *)(h + 1);
    p.level_ends = (const uint32_t *)(const void *)(p.vertices + h->vertex_count);
    p.numbers = p.level_ends + h->level_count;
    p.places = p.numbers + h->vertex_count;
    p.first_links = p.places + h->hull_vertex_count;
    p.links = p.first_links + h->vertex_count + 1;
    p.reach = (cd_real)h->reach;
    p.center = cdi_v3_round(cdi_v3_make(h->center[0], h->center[1], h->center[2]));
    return p;
}

CD_API void cd_dk_hierarchy_destroy(cd_dk_hierarchy *hierarchy) {
    if (hierarchy->owned) cdi_free(&hierarchy->allocator, (void *)hierarchy->block, hierarchy->bytes, 1);
    cdi_clear(hierarchy, sizeof *hierarchy);
}

/* ---- the farthest vertex ---- */

/* Is vertex a, at `at`, farther than b? By exact products where the rounded ones cannot tell, as in hull/climb. */
static bool cdi_dk_is_farther(cdi_v3 d, double error, cdi_v3 a, cdi_v3 b) {
    double way = cdi_v3_dot(d, a) - cdi_v3_dot(d, b);
    int side;
    if (cdi_abs(way) > error) return way > 0.0;
    side = cdi_height_sign(d, b, 0.0, a);
    if (side != 0) return side > 0;
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

/* In a list of links the coarser levels come first: the first vertex that is farther is the farthest of its level, and the only
 * one of it. */
CDI_FN uint32_t cdi_dk_farthest(const cd_dk_parts *p, cdi_v3 d, uint32_t *steps) {
    double error = 9e-16 * ((cdi_abs(d.x) + cdi_abs(d.y) + cdi_abs(d.z)) * (double)p->reach) + 1e-300;
    uint32_t top = 0, base = p->level_ends[0], looked = base, link, end;
    cdi_v3 at = cdi_v3_of(p->vertices[0]);
    for (uint32_t i = 1; i < base; ++i) {
        cdi_v3 other = cdi_v3_of(p->vertices[i]);
        if (cdi_dk_is_farther(d, error, other, at)) top = i, at = other;
    }
    link = p->first_links[top];
    end = p->first_links[top + 1];
    for (; link < end; ++looked) {
        uint32_t next = p->links[link++];
        cdi_v3 other = cdi_v3_of(p->vertices[next]);
        if (!cdi_dk_is_farther(d, error, other, at)) continue;
        top = next, at = other;
        link = p->first_links[top];
        end = p->first_links[top + 1];
    }
    *steps += looked;
    return top;
}

CD_API uint32_t cd_dk_hierarchy_support(const cd_dk_hierarchy *hierarchy, cd_vec3 direction) {
    cd_dk_parts p = cd_dk_hierarchy_get_parts(hierarchy);
    uint32_t steps = 0;
    if (p.vertex_count == 0) return CD_NONE;
    if (!cd_vec3_is_valid(direction)) return 0;
    return p.numbers[cdi_dk_farthest(&p, cdi_v3_of(direction), &steps)];
}

/* ---- taking the hull down ----
 * A surface of triangles; half-edge 3 t + k runs from corner k of triangle t to the next. */

typedef struct cdi_dk_work {
    const cd_allocator *allocator;
    cd_hull exact; /* of a hull with merged faces; or empty */
    cd_hull_parts hull;
    uint32_t count, triangle_count;
    uint32_t *origin, *twin; /* of half-edges */
    uint32_t *out;           /* of each vertex a half-edge; in dimension 2 the next vertex */
    uint32_t *back;          /* ... and the one before */
    uint32_t *barred;        /* the pass in which it has to stay */
    uint32_t *alive;         /* what is left, in the hull's order */
    uint32_t *order;         /* what is gone, in that order */
    uint32_t *rings;         /* of each that is gone, CDI_DK_DEGREE places for neighbours along edges */
    uint32_t left, gone, level_count;
    uint32_t level_end[CDI_DK_LEVELS]; /* sizes, the finest first */
} cdi_dk_work;

static bool cdi_dk_take_memory(cdi_dk_work *w) {
    size_t n = w->count, t = w->triangle_count;
    w->origin = t ? (uint32_t *)cdi_alloc(w->allocator, 6 * t, sizeof *w->origin) : NULL;
    if (t && !w->origin) return false;
    w->twin = t ? w->origin + 3 * t : NULL;
    w->out = (uint32_t *)cdi_alloc(w->allocator, (5 + CDI_DK_DEGREE) * n, sizeof *w->out);
    if (!w->out) return false;
    w->back = w->out + n;
    w->barred = w->back + n;
    w->alive = w->barred + n;
    w->order = w->alive + n;
    w->rings = w->order + n;
    cdi_clear(w->barred, n * sizeof *w->barred);
    for (uint32_t i = 0; i < w->count; ++i) w->alive[i] = i;
    return true;
}

static void cdi_dk_give_memory(cdi_dk_work *w) {
    cdi_free(w->allocator, w->origin, 6 * (size_t)w->triangle_count, sizeof *w->origin);
    cdi_free(w->allocator, w->out, (5 + CDI_DK_DEGREE) * (size_t)w->count, sizeof *w->out);
    cd_hull_destroy(&w->exact);
}

CDI_INLINE uint32_t cdi_dk_after(uint32_t half_edge) {
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}
CDI_INLINE uint32_t cdi_dk_before(uint32_t half_edge) {
    return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
}

static void cdi_dk_join(cdi_dk_work *w, uint32_t e, uint32_t f) {
    w->twin[e] = f;
    w->twin[f] = e;
}

static void cdi_dk_set_triangle(cdi_dk_work *w, uint32_t t, uint32_t a, uint32_t b, uint32_t c) {
    w->origin[3 * t] = a;
    w->origin[3 * t + 1] = b;
    w->origin[3 * t + 2] = c;
    w->out[a] = 3 * t;
    w->out[b] = 3 * t + 1;
    w->out[c] = 3 * t + 2;
}

/* A fan of triangles; `side[e]` is the half-edge of the surface that lies along half-edge e of the hull. */
static uint32_t cdi_dk_fan(cdi_dk_work *w, const cd_hull_face *f, uint32_t t, uint32_t *side) {
    const cd_half_edge *e = w->hull.half_edges + f->first;
    side[f->first] = 3 * t;
    for (uint32_t i = 2; i < f->count; ++i, ++t) {
        cdi_dk_set_triangle(w, t, e[0].origin, e[i - 1].origin, e[i].origin);
        side[f->first + i - 1] = 3 * t + 1;
        if (i + 1 < f->count) cdi_dk_join(w, 3 * t + 2, 3 * t + 3);
    }
    side[f->first + f->count - 1] = 3 * t - 1;
    return t;
}

/* The half-edges of a body are fewer than six to a vertex: there is room in `rings`. */
static void cdi_dk_triangulate(cdi_dk_work *w) {
    uint32_t t = 0, *side = w->rings;
    for (uint32_t f = 0; f < w->hull.face_count; ++f) t = cdi_dk_fan(w, &w->hull.faces[f], t, side);
    for (uint32_t e = 0; e < w->hull.half_edge_count; ++e)
        w->twin[side[e]] = side[w->hull.half_edges[e].twin];
}

/* ---- one vertex out ---- */

/* A vertex, its neighbours counter-clockwise, and beyond the edge from each to the next the half-edge back. */
typedef struct cdi_dk_hole {
    uint32_t vertex, count, free_count;
    uint32_t ring[CDI_DK_DEGREE], outer[CDI_DK_DEGREE], free_triangle[CDI_DK_DEGREE];
} cdi_dk_hole;

static cdi_v3 cdi_dk_at(const cdi_dk_work *w, uint32_t vertex) {
    return cdi_v3_of(w->hull.vertices[vertex]);
}

/* False when it has too many neighbours, or one that is gone from this level already. */
static bool cdi_dk_find_hole(const cdi_dk_work *w, uint32_t vertex, cdi_dk_hole *hole) {
    uint32_t first = w->out[vertex], e = first;
    hole->vertex = vertex;
    hole->count = 0;
    do {
        uint32_t rim = cdi_dk_after(e);
        if (hole->count == CDI_DK_DEGREE) return false;
        hole->ring[hole->count] = w->origin[rim];
        hole->outer[hole->count] = w->twin[rim];
        hole->free_triangle[hole->count++] = e / 3;
        e = w->twin[cdi_dk_before(e)];
    } while (e != first);
    hole->free_count = hole->count;
    return true;
}

/* Is the edge to a neighbour one of the body, or does it lie within a face? */
static bool cdi_dk_is_edge(const cdi_dk_work *w, const cdi_dk_hole *h, uint32_t i) {
    uint32_t before = h->ring[i == 0 ? h->count - 1 : i - 1], after = h->ring[i + 1 == h->count ? 0 : i + 1];
    return cdi_orient3d(cdi_dk_at(w, h->vertex), cdi_dk_at(w, before), cdi_dk_at(w, h->ring[i]),
                        cdi_dk_at(w, after)) != 0.0;
}

/* The third corner of the triangle on the edge from i to j that has none of those between them in front. */
static uint32_t cdi_dk_third(const cdi_dk_work *w, const cdi_dk_hole *h, uint32_t i, uint32_t j) {
    cdi_v3 a = cdi_dk_at(w, h->ring[i]), b = cdi_dk_at(w, h->ring[j]), c = cdi_dk_at(w, h->ring[i + 1]);
    uint32_t best = i + 1;
    for (uint32_t k = i + 2; k < j; ++k) {
        cdi_v3 other = cdi_dk_at(w, h->ring[k]);
        if (cdi_orient3d(a, c, b, other) < 0.0) best = k, c = other;
    }
    return best;
}

/* The part of the hole from neighbour i to j; returns the half-edge from j to i. All the new faces have their corners among the
 * neighbours: the rest of the surface stays, and the hull of what is left has to close it. */
static uint32_t cdi_dk_fill(cdi_dk_work *w, cdi_dk_hole *h, uint32_t i, uint32_t j) {
    uint32_t k, t, beyond;
    if (j == i + 1) return h->outer[i];
    k = cdi_dk_third(w, h, i, j);
    t = h->free_triangle[--h->free_count];
    cdi_dk_set_triangle(w, t, h->ring[i], h->ring[k], h->ring[j]);
    beyond = cdi_dk_fill(w, h, i, k);
    cdi_dk_join(w, 3 * t, beyond);
    beyond = cdi_dk_fill(w, h, k, j);
    cdi_dk_join(w, 3 * t + 1, beyond);
    return 3 * t + 2;
}

/* Writes down the neighbour of the vertex that goes next. */
static void cdi_dk_note(cdi_dk_work *w, uint32_t *count, uint32_t neighbour) {
    w->rings[(size_t)CDI_DK_DEGREE * w->gone + (*count)++] = neighbour;
}

static void cdi_dk_take_out(cdi_dk_work *w, cdi_dk_hole *h) {
    uint32_t count = 0, closing;
    for (uint32_t i = 0; i < h->count; ++i) {
        if (cdi_dk_is_edge(w, h, i)) cdi_dk_note(w, &count, h->ring[i]);
        w->barred[h->ring[i]] = w->level_count;
    }
    closing = cdi_dk_fill(w, h, 0, h->count - 1);
    cdi_dk_join(w, closing, h->outer[h->count - 1]);
    w->back[w->gone] = count;
    w->order[w->gone++] = h->vertex;
}

static void cdi_dk_take_out_corner(cdi_dk_work *w, uint32_t vertex, uint32_t *before) {
    uint32_t count = 0, last = before[vertex], next = w->out[vertex];
    cdi_dk_note(w, &count, last);
    cdi_dk_note(w, &count, next);
    w->barred[last] = w->barred[next] = w->level_count;
    w->out[last] = next;
    before[next] = last;
    w->order[w->gone++] = vertex;
}

/* ---- one level after the other ---- */

/* In dimension 2 `origin` is not in use, and has the vertex before each. */
static bool cdi_dk_try(cdi_dk_work *w, uint32_t vertex) {
    cdi_dk_hole hole;
    if (w->barred[vertex] == w->level_count) return false;
    if (w->hull.dimension == 2) {
        w->back[w->gone] = 2;
        cdi_dk_take_out_corner(w, vertex, w->origin);
        return true;
    }
    if (!cdi_dk_find_hole(w, vertex, &hole)) return false;
    cdi_dk_take_out(w, &hole);
    return true;
}

static void cdi_dk_take_down(cdi_dk_work *w) {
    w->left = w->count;
    for (;;) {
        uint32_t left = 0;
        w->level_end[w->level_count++] = w->left;
        if (w->left <= CDI_DK_BASE || w->level_count == CDI_DK_LEVELS) return;
        for (uint32_t i = 0; i < w->left; ++i) {
            uint32_t vertex = w->alive[i];
            if (!cdi_dk_try(w, vertex)) w->alive[left++] = vertex;
        }
        w->left = left;
    }
}

/* A polygon's corners in order. */
static void cdi_dk_chain(cdi_dk_work *w) {
    const cd_half_edge *e = w->hull.half_edges;
    for (uint32_t i = 0; i < w->count; ++i) {
        uint32_t next = e[i + 1 < w->count ? i + 1 : 0].origin;
        w->out[e[i].origin] = next;
        w->origin[next] = e[i].origin;
    }
}

/* ---- writing the block ---- */

/* The finest vertices, which went first, come last. */
static void cdi_dk_number(const cdi_dk_work *w, const cd_dk_parts *p, uint32_t *place_of) {
    uint32_t *numbers = (uint32_t *)p->numbers, *places = (uint32_t *)p->places;
    cd_vec3 *vertices = (cd_vec3 *)p->vertices;
    for (uint32_t i = 0; i < w->left; ++i) numbers[i] = w->alive[i];
    for (uint32_t i = 0; i < w->gone; ++i) numbers[w->count - 1 - i] = w->order[i];
    for (uint32_t i = 0; i < p->hull_vertex_count; ++i) places[i] = CD_NONE;
    for (uint32_t i = 0; i < w->count; ++i) {
        uint32_t own = numbers[i];
        place_of[own] = i;
        vertices[i] = w->hull.vertices[own];
        if (w->exact.block) numbers[i] = w->hull.sources[own];
        places[numbers[i]] = i;
    }
    for (uint32_t i = 0; i < w->level_count; ++i)
        ((uint32_t *)p->level_ends)[i] = w->level_end[w->level_count - 1 - i];
}

/* Counts come to stand one place ahead, and then become sums; filling moves each to where the next one begins. */
static void cdi_dk_write_links(const cdi_dk_work *w, const cd_dk_parts *p, const uint32_t *place_of) {
    uint32_t *first = (uint32_t *)p->first_links, *links = (uint32_t *)p->links, sum = 0;
    for (uint32_t i = 0; i <= w->count; ++i) first[i] = 0;
    for (uint32_t i = 0; i < w->gone; ++i) {
        for (uint32_t k = 0; k < w->back[i]; ++k) ++first[place_of[w->rings[(size_t)CDI_DK_DEGREE * i + k]]];
    }
    for (uint32_t i = 0; i < w->count; ++i) {
        uint32_t count = first[i];
        first[i] = sum;
        sum += count;
    }
    for (uint32_t i = w->gone; i-- > 0;) {
        for (uint32_t k = 0; k < w->back[i]; ++k)
            links[first[place_of[w->rings[(size_t)CDI_DK_DEGREE * i + k]]]++] = w->count - 1 - i;
    }
    for (uint32_t i = w->count; i > 0; --i) first[i] = first[i - 1];
    first[0] = 0;
}

static void cdi_dk_write_header(const cdi_dk_work *w, uint32_t hull_vertex_count, cdi_dk_header *h) {
    cdi_clear(h, sizeof *h);
    h->magic = CDI_DK_MAGIC;
    h->version = CDI_DK_VERSION;
    h->real_size = (uint32_t)sizeof(cd_real);
    h->vertex_count = w->count;
    h->hull_vertex_count = hull_vertex_count;
    h->level_count = w->level_count;
    for (uint32_t i = 0; i < w->gone; ++i) h->link_count += w->back[i];
    for (uint32_t i = 0; i < w->count; ++i) h->reach = cdi_max(h->reach, cdi_v3_max_abs(cdi_dk_at(w, i)));
    cdi_v3_store(h->center, cdi_v3_of(w->hull.center));
    h->bytes = cdi_dk_bytes(h);
}

static cd_status cdi_dk_write(cdi_dk_work *w, uint32_t hull_vertex_count, cd_dk_hierarchy *out) {
    cdi_dk_header header, *block;
    cd_dk_parts p;
    cdi_dk_write_header(w, hull_vertex_count, &header);
    if ((size_t)header.bytes != header.bytes) return CD_OUT_OF_MEMORY;
    block = (cdi_dk_header *)cdi_alloc(w->allocator, (size_t)header.bytes, 1);
    if (!block) return CD_OUT_OF_MEMORY;
    *block = header;
    out->block = block;
    out->bytes = (size_t)header.bytes;
    if (w->allocator) out->allocator = *w->allocator;
    out->owned = 1;
    p = cd_dk_hierarchy_get_parts(out);
    cdi_dk_number(w, &p, w->out); /* which is not needed any more */
    cdi_dk_write_links(w, &p, w->out);
    return CD_OK;
}

static cd_status cdi_dk_make(cdi_dk_work *w, uint32_t hull_vertex_count, cd_dk_hierarchy *out) {
    for (uint32_t f = 0; f < w->hull.face_count; ++f) w->triangle_count += w->hull.faces[f].count - 2;
    w->count = w->hull.vertex_count;
    if (!cdi_dk_take_memory(w)) return CD_OUT_OF_MEMORY;
    if (w->hull.dimension == 3) cdi_dk_triangulate(w);
    if (w->hull.dimension == 2) cdi_dk_chain(w);
    cdi_dk_take_down(w);
    return cdi_dk_write(w, hull_vertex_count, out);
}

/* The hull, or the exact one of its vertices. */
static cd_status cdi_dk_read(cdi_dk_work *w, const cd_hull *hull) {
    cd_hull_options options;
    cd_status status;
    w->hull = cd_hull_get_parts(hull);
    if (w->hull.flatness == 0) return CD_OK;
    cdi_clear(&options, sizeof options);
    if (w->allocator) options.allocator = *w->allocator;
    status = cd_hull3_build(&w->exact, w->hull.vertices, w->hull.vertex_count, &options);
    w->hull = cd_hull_get_parts(&w->exact);
    return status;
}

CD_API cd_status cd_dk_hierarchy_build(cd_dk_hierarchy *out, const cd_hull *hull,
                                       const cd_allocator *allocator) {
    uint32_t count = cd_hull_get_parts(hull).vertex_count;
    cdi_dk_work w;
    cd_status status;
    cdi_clear(out, sizeof *out);
    cdi_clear(&w, sizeof w);
    if (count == 0) return CD_OK;
    if (count > CDI_DK_MOST) return CD_TOO_LARGE;
    w.allocator = allocator;
    status = cdi_dk_read(&w, hull);
    if (status == CD_OK) status = cdi_dk_make(&w, count, out);
    cdi_dk_give_memory(&w);
    return status;
}

/* ---- checking ---- */

static bool cdi_dk_header_fits(const cdi_dk_header *h, size_t size) {
    if (h->vertex_count == 0 || h->vertex_count > CDI_DK_MOST || h->hull_vertex_count < h->vertex_count ||
        h->hull_vertex_count > CDI_DK_MOST || h->level_count == 0 || h->level_count > h->vertex_count)
        return false;
    if (h->bytes != size || h->bytes != cdi_dk_bytes(h)) return false;
    return h->reach >= 0.0 && h->reach <= (double)CD_REAL_MAX &&
           cdi_v3_fits(cdi_v3_make(h->center[0], h->center[1], h->center[2]));
}

static bool cdi_dk_levels_are_sound(const cd_dk_parts *p) {
    if (p->level_ends[0] == 0) return false;
    for (uint32_t i = 1; i < p->level_count; ++i) {
        if (p->level_ends[i] <= p->level_ends[i - 1]) return false;
    }
    return p->level_ends[p->level_count - 1] == p->vertex_count;
}

/* Each vertex has a number of its own, and place and number belong to each other. */
static bool cdi_dk_numbers_are_sound(const cd_dk_parts *p) {
    uint32_t placed = 0;
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        if (p->numbers[i] >= p->hull_vertex_count || p->places[p->numbers[i]] != i) return false;
    }
    for (uint32_t i = 0; i < p->hull_vertex_count; ++i) placed += p->places[i] != CD_NONE;
    return placed == p->vertex_count;
}

static bool cdi_dk_vertices_are_sound(const cd_dk_parts *p) {
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        if (!cd_vec3_is_valid(p->vertices[i])) return false;
        if (cdi_v3_max_abs(cdi_v3_of(p->vertices[i])) > (double)p->reach) return false;
    }
    return true;
}

/* Links of a vertex lead to finer levels, and rise. */
static bool cdi_dk_links_are_sound(const cd_dk_parts *p) {
    uint32_t level = 0;
    if (p->first_links[0] != 0 || p->first_links[p->vertex_count] != p->link_count) return false;
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        uint32_t least, first = p->first_links[i], end = p->first_links[i + 1];
        if (end < first || end > p->link_count) return false;
        level += i == p->level_ends[level];
        least = p->level_ends[level];
        for (uint32_t k = first; k < end; ++k) {
            if (p->links[k] < least || p->links[k] >= p->vertex_count) return false;
            least = p->links[k] + 1;
        }
    }
    return true;
}

CD_API cd_status cd_dk_hierarchy_validate(const cd_dk_hierarchy *hierarchy) {
    const cdi_dk_header *h = (const cdi_dk_header *)hierarchy->block;
    cd_dk_parts p;
    if (!h) return hierarchy->bytes == 0 ? CD_OK : CD_CORRUPT;
    if (hierarchy->bytes < sizeof *h || !cdi_dk_header_fits(h, hierarchy->bytes)) return CD_CORRUPT;
    p = cd_dk_hierarchy_get_parts(hierarchy);
    return cdi_dk_levels_are_sound(&p) && cdi_dk_numbers_are_sound(&p) && cdi_dk_vertices_are_sound(&p) &&
                   cdi_dk_links_are_sound(&p)
               ? CD_OK
               : CD_CORRUPT;
}

CD_API cd_status cd_dk_hierarchy_view(cd_dk_hierarchy *out, const void *bytes, size_t size) {
    const cdi_dk_header *h = (const cdi_dk_header *)bytes;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof *h) return CD_CORRUPT;
    if (h->magic != CDI_DK_MAGIC) return h->magic == CDI_DK_MAGIC_SWAPPED ? CD_UNSUPPORTED : CD_CORRUPT;
    if (h->version != CDI_DK_VERSION || h->real_size != sizeof(cd_real)) return CD_UNSUPPORTED;
    out->block = bytes;
    out->bytes = size;
    status = cd_dk_hierarchy_validate(out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

#undef CDI_DK_MAGIC
#undef CDI_DK_MAGIC_SWAPPED
#undef CDI_DK_VERSION
#undef CDI_DK_MOST
