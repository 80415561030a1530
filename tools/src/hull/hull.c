#include "core/orient.h"
#include "core/tolerance.h"
#include "hull/climb.h"
#include "hull/hull_block.h"

typedef char cdi_hull_header_is_128_bytes[sizeof(cdi_hull_header) == 128 ? 1 : -1];
typedef char cdi_hull_face_has_no_gap[sizeof(cd_hull_face) == 4 * sizeof(cd_real) + 8 ? 1 : -1];

/* ---- the block ---- */

static uint64_t cdi_hull_bytes(uint32_t vertices, uint32_t half_edges, uint32_t faces) {
    uint64_t lists = cdi_hull_has_neighbours(vertices) ? (uint64_t)vertices + 1 + half_edges : 0;
    return sizeof(cdi_hull_header) + cdi_hull_row_count(vertices) * (uint64_t)(24 * sizeof(cd_real)) +
           vertices * (uint64_t)(sizeof(cd_vec3) + 2 * sizeof(uint32_t)) +
           half_edges * (uint64_t)sizeof(cd_half_edge) + faces * (uint64_t)sizeof(cd_hull_face) +
           lists * sizeof(uint32_t);
}

CDI_FN cdi_hull_header *cdi_hull_take_block(const cd_allocator *allocator, int dimension,
                                            uint32_t vertex_count, uint32_t half_edge_count,
                                            uint32_t face_count) {
    uint64_t bytes = cdi_hull_bytes(vertex_count, half_edge_count, face_count);
    cdi_hull_header *h =
        (size_t)bytes == bytes ? (cdi_hull_header *)cdi_alloc(allocator, (size_t)bytes, 1) : NULL;
    if (!h) return NULL;
    cdi_clear(h, sizeof *h);
    h->magic = CDI_HULL_MAGIC;
    h->version = CDI_HULL_VERSION;
    h->real_size = (uint32_t)sizeof(cd_real);
    h->dimension = dimension;
    h->vertex_count = vertex_count;
    h->half_edge_count = half_edge_count;
    h->face_count = face_count;
    h->bytes = bytes;
    return h;
}

CDI_FN cd_real cdi_hull_round_up(double x) {
    const double most = (double)CD_REAL_MAX;
    cd_real r = (cd_real)cdi_clamp(x, -most, most);
    r = (double)r < x ? cdi_next_real(r, true) : r; /* which stays at the largest */
    return r + 0;                                   /* no negative zero */
}

/* None of a face's vertices is in front of its plane, as doubles multiply. */
static void cdi_hull_settle_plane(const cdi_hull_arrays *a, cd_hull_face *f) {
    cdi_v3 n = cdi_v3_of(f->plane.n);
    double most = (double)f->plane.d;
    for (uint32_t i = 0; i < f->count; ++i)
        most = cdi_max(most, cdi_v3_dot(n, cdi_v3_of(a->vertices[a->half_edges[f->first + i].origin])));
    f->plane.d = cdi_hull_round_up(most);
}

static void cdi_hull_find_center(cdi_hull_header *h, const cdi_hull_arrays *a) {
    double share = 1.0 / (double)h->vertex_count;
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < h->vertex_count; ++i) sum = cdi_v3_along(sum, cdi_v3_of(a->vertices[i]), share);
    cdi_v3_store(h->center, sum);
    for (int k = 0; k < 3; ++k)
        h->center[k] = cdi_clamp(h->center[k], -(double)CD_REAL_MAX, (double)CD_REAL_MAX);
}

/* Number i of row r; the last vertex where there are no more. */
static uint32_t cdi_hull_in_row(uint32_t vertex_count, uint32_t i, uint32_t r) {
    uint32_t v = i * cdi_hull_row_count(vertex_count) + r;
    return v < vertex_count ? v : vertex_count - 1;
}

/* So that every row, and every few rows, hold vertices from all over the hull. */
static void cdi_hull_write_rows(cdi_hull_header *h, const cdi_hull_arrays *a) {
    uint32_t rows = cdi_hull_row_count(h->vertex_count);
    h->reach = 0.0;
    for (uint32_t v = 0; v < h->vertex_count; ++v)
        h->reach = cdi_max(cdi_v3_max_abs(cdi_v3_of(a->vertices[v])), h->reach);
    for (uint32_t r = 0; r < rows; ++r) {
        cd_real *row = a->rows + (size_t)24 * r;
        for (uint32_t i = 0; i < 8; ++i) {
            cd_vec3 v = a->vertices[cdi_hull_in_row(h->vertex_count, i, r)];
            row[i] = v.x, row[8 + i] = v.y, row[16 + i] = v.z;
        }
    }
}

static void cdi_hull_write_neighbours(const cd_hull *hull, const cdi_hull_arrays *a) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    uint32_t count = 0;
    if (!a->starts) return;
    for (uint32_t v = 0; v < p.vertex_count; ++v) {
        uint32_t e = p.outgoing[v];
        a->starts[v] = count;
        do {
            uint32_t twin = p.half_edges[e].twin;
            a->neighbours[count++] = p.half_edges[twin].origin;
            e = cd_hull_next(&p, twin);
        } while (e != p.outgoing[v]);
    }
    a->starts[p.vertex_count] = count;
}

CDI_FN void cdi_hull_finish(cd_hull *out, cdi_hull_header *header, const cd_allocator *allocator) {
    cdi_hull_arrays a = cdi_hull_open(header);
    for (uint32_t i = 0; i < header->face_count; ++i) cdi_hull_settle_plane(&a, &a.faces[i]);
    cdi_hull_find_center(header, &a);
    cdi_hull_write_rows(header, &a);
    out->block = header;
    out->bytes = (size_t)header->bytes;
    out->allocator = *allocator;
    out->owned = 1;
    cdi_hull_write_neighbours(out, &a);
}

CD_API void cd_hull_destroy(cd_hull *hull) {
    if (hull->owned) cdi_free(&hull->allocator, (void *)hull->block, hull->bytes, 1);
    cdi_clear(hull, sizeof *hull);
}

/* ---- reading ---- */

CD_API cd_hull_parts cd_hull_get_parts(const cd_hull *hull) {
    const cdi_hull_header *h = (const cdi_hull_header *)hull->block;
    cd_hull_parts p;
    cdi_hull_arrays a;
    cdi_clear(&p, sizeof p);
    p.dimension = -1;
    if (!h) return p;
    a = cdi_hull_open(h);
    p.dimension = h->dimension;
    p.vertex_count = h->vertex_count;
    p.half_edge_count = h->half_edge_count;
    p.face_count = h->face_count;
    p.vertices = a.vertices;
    p.sources = a.sources;
    p.outgoing = a.outgoing;
    p.half_edges = a.half_edges;
    p.faces = a.faces;
    p.flatness = cdi_hull_round_up(h->flatness);
    p.deviation = cdi_hull_round_up(h->deviation);
    p.center = cdi_v3_round(cdi_v3_make(h->center[0], h->center[1], h->center[2]));
    p.reach = (cd_real)h->reach;
    p.rows = a.rows;
    p.row_count = cdi_hull_row_count(h->vertex_count);
    p.neighbour_starts = a.starts;
    p.neighbours = a.neighbours;
    return p;
}

CD_API uint32_t cd_hull_next(const cd_hull_parts *parts, uint32_t half_edge) {
    uint32_t face = parts->half_edges[half_edge].face;
    const cd_hull_face *f = &parts->faces[face == CD_NONE ? 0 : face];
    if (face == CD_NONE) return 1 - half_edge;
    return half_edge + 1 < f->first + f->count ? half_edge + 1 : f->first;
}

CD_API uint32_t cd_hull_previous(const cd_hull_parts *parts, uint32_t half_edge) {
    uint32_t face = parts->half_edges[half_edge].face;
    const cd_hull_face *f = &parts->faces[face == CD_NONE ? 0 : face];
    if (face == CD_NONE) return 1 - half_edge;
    return half_edge > f->first ? half_edge - 1 : f->first + f->count - 1;
}

CD_API size_t cd_hull_triangles(const cd_hull *hull, uint32_t *indices, size_t capacity) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    size_t count = 0;
    for (uint32_t f = 0; f < p.face_count; ++f) {
        const cd_half_edge *e = p.half_edges + p.faces[f].first;
        for (uint32_t i = 2; i < p.faces[f].count; ++i, ++count) {
            if (count >= capacity) continue;
            indices[3 * count] = e[0].origin;
            indices[3 * count + 1] = e[i - 1].origin;
            indices[3 * count + 2] = e[i].origin;
        }
    }
    return count;
}

CD_API uint32_t cd_hull_support_from(const cd_hull *hull, cd_vec3 direction, uint32_t hint) {
    cd_hull_parts p;
    uint32_t steps = 0;
    if (!hull->block) return CD_NONE;
    if (!cdi_no_excess(cdi_excess(direction))) return 0;
    cdi_hull_get_heights((const cdi_hull_header *)hull->block, &p);
    return cdi_farthest_from(&p, cdi_v3_of(direction), hint, &steps);
}

CD_API uint32_t cd_hull_support(const cd_hull *hull, cd_vec3 direction) {
    return cd_hull_support_from(hull, direction, CD_NONE);
}

CD_API cd_aabb cd_hull_bounds(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_aabb box = cd_aabb_empty();
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        box.min = cd_vec3_min(box.min, p.vertices[i]);
        box.max = cd_vec3_max(box.max, p.vertices[i]);
    }
    return box;
}

/* ---- checking ---- */

static bool cdi_hull_header_fits(const cdi_hull_header *h, size_t size) {
    uint32_t v = h->vertex_count, e = h->half_edge_count, f = h->face_count;
    if (h->bytes != size || h->bytes != cdi_hull_bytes(v, e, f)) return false;
    if (!cdi_finite3(h->center[0], h->center[1], h->center[2])) return false;
    if (!cdi_finite(h->flatness) || !cdi_finite(h->deviation) || h->flatness < 0.0 || h->deviation < 0.0)
        return false;
    switch (h->dimension) {
    case 0: return v == 1 && e == 0 && f == 0;
    case 1: return v == 2 && e == 2 && f == 0;
    case 2: return v >= 3 && e == 2 * (uint64_t)v && f == 2;
    case 3:
        return (h->flatness > 0.0 ? v >= 3 && f >= 2 : v >= 4 && f >= 4) && e % 2 == 0 &&
               (uint64_t)v + f == (uint64_t)e / 2 + 2;
    default: return false;
    }
}

/* About unit length, which a NaN is not. */
static bool cdi_plane_is_sound(const cd_plane *plane) {
    double square = cdi_v3_sqlength(cdi_v3_of(plane->n));
    return square > 0.999 && square < 1.001 && cd_is_finite(plane->d);
}

/* In dimension 2 each half-edge of the front has its twin on the back, and there are as many as vertices. */
static bool cdi_hull_sides_match(const cd_hull_parts *p) {
    if (p->faces[0].count != p->vertex_count) return false;
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        if (p->half_edges[i].twin < p->vertex_count) return false;
    }
    return true;
}

/* Faces take all half-edges one after the other. */
static bool cdi_hull_faces_are_sound(const cd_hull_parts *p) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < p->face_count; ++f) {
        const cd_hull_face *face = &p->faces[f];
        if (face->first != count || face->count < 3 || face->count > p->half_edge_count - count) return false;
        if (!cdi_plane_is_sound(&face->plane)) return false;
        for (uint32_t i = 0; i < face->count; ++i) {
            if (p->half_edges[count + i].face != f) return false;
        }
        count += face->count;
    }
    return p->face_count == 0 || count == p->half_edge_count;
}

static bool cdi_hull_half_edges_are_sound(const cd_hull_parts *p) {
    for (uint32_t i = 0; i < p->half_edge_count; ++i) {
        const cd_half_edge *e = &p->half_edges[i];
        if (e->origin >= p->vertex_count || e->twin >= p->half_edge_count || e->twin == i) return false;
        if (p->face_count == 0 && e->face != CD_NONE) return false;
        if (p->half_edges[e->twin].twin != i) return false;
    }
    for (uint32_t i = 0; i < p->half_edge_count; ++i) {
        if (p->half_edges[p->half_edges[i].twin].origin != p->half_edges[cd_hull_next(p, i)].origin)
            return false;
    }
    return true;
}

/* The half-edges out of each vertex make one circle. */
static bool cdi_hull_vertices_are_sound(const cd_hull_parts *p) {
    uint32_t met = 0;
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        uint32_t first = p->outgoing[v], e = first;
        if (!cd_vec3_is_valid(p->vertices[v])) return false;
        if (p->half_edge_count == 0) return first == CD_NONE;
        if (first >= p->half_edge_count || p->half_edges[first].origin != v) return false;
        do {
            ++met;
            e = p->half_edges[cd_hull_previous(p, e)].twin;
        } while (e != first);
    }
    return met == p->half_edge_count;
}

/* The rows are the vertices, and `reach` is theirs. */
static bool cdi_hull_rows_are_sound(const cdi_hull_header *h, const cd_hull_parts *p) {
    double reach = 0.0;
    for (uint32_t v = 0; v < p->vertex_count; ++v)
        reach = cdi_max(cdi_v3_max_abs(cdi_v3_of(p->vertices[v])), reach);
    for (uint32_t r = 0; r < p->row_count; ++r) {
        const cd_real *row = p->rows + (size_t)24 * r;
        for (uint32_t i = 0; i < 8; ++i) {
            cd_vec3 v = p->vertices[cdi_hull_in_row(p->vertex_count, i, r)];
            if (row[i] != v.x || row[8 + i] != v.y || row[16 + i] != v.z) return false;
        }
    }
    return h->reach == reach;
}

static bool cdi_hull_neighbours_are_sound(const cd_hull_parts *p) {
    uint32_t count = 0;
    if (!p->neighbours) return true;
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        uint32_t e = p->outgoing[v];
        if (p->neighbour_starts[v] != count) return false;
        do {
            uint32_t twin = p->half_edges[e].twin;
            if (p->neighbours[count++] != p->half_edges[twin].origin) return false;
            e = cd_hull_next(p, twin);
        } while (e != p->outgoing[v]);
    }
    return p->neighbour_starts[p->vertex_count] == count;
}

static cdi_v3 cdi_hull_corner(const cd_hull_parts *p, const cd_hull_face *f, uint32_t i) {
    return cdi_v3_of(p->vertices[p->half_edges[f->first + i % f->count].origin]);
}

/* The side of the plane of a face's first three corners: 1 in front, exactly. */
static int cdi_hull_side(const cd_hull_parts *p, const cd_hull_face *f, cdi_v3 at) {
    return -cdi_sign(
        cdi_orient3d(cdi_hull_corner(p, f, 0), cdi_hull_corner(p, f, 1), cdi_hull_corner(p, f, 2), at));
}

static bool cdi_rises(cdi_v2 a, cdi_v2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* A face is flat, and seen along an axis it turns one way at each corner, around once: from rising to falling one time. */
static bool cdi_hull_face_is_convex(const cd_hull_parts *p, const cd_hull_face *f) {
    cdi_v3 n = cdi_exact_normal(cdi_hull_corner(p, f, 0), cdi_hull_corner(p, f, 1), cdi_hull_corner(p, f, 2));
    int axis = n.x != 0.0 ? 0 : n.y != 0.0 ? 1 : 2, tops = 0;
    double up = cdi_v3_get(n, axis);
    if (up == 0.0) return false;
    for (uint32_t i = 0; i < f->count; ++i) {
        cdi_v2 a = cdi_v3_drop(cdi_hull_corner(p, f, i), axis),
               b = cdi_v3_drop(cdi_hull_corner(p, f, i + 1), axis);
        cdi_v2 c = cdi_v3_drop(cdi_hull_corner(p, f, i + 2), axis);
        double turn = cdi_orient2d(a, b, c);
        if (turn == 0.0 || (turn > 0.0) != (up > 0.0) || cdi_hull_side(p, f, cdi_hull_corner(p, f, i)) != 0)
            return false;
        tops += cdi_rises(a, b) && !cdi_rises(b, c);
    }
    return tops == 1;
}

/* Across each edge of the face the neighbour bends back. */
static bool cdi_hull_edges_are_convex(const cd_hull_parts *p, const cd_hull_face *f) {
    for (uint32_t e = f->first; e < f->first + f->count; ++e) {
        uint32_t beyond = cd_hull_previous(p, p->half_edges[e].twin);
        if (cdi_hull_side(p, f, cdi_v3_of(p->vertices[p->half_edges[beyond].origin])) >= 0) return false;
    }
    return true;
}

/* Convex at each edge, and around only once: nothing is in front of the first face, and it is in front of no other. */
static bool cdi_hull_is_convex(const cd_hull_parts *p) {
    const cd_hull_face *first = &p->faces[0];
    for (uint32_t v = 0; v < p->vertex_count; ++v) {
        if (cdi_hull_side(p, first, cdi_v3_of(p->vertices[v])) > 0) return false;
    }
    for (uint32_t i = 0; i < p->face_count; ++i) {
        const cd_hull_face *f = &p->faces[i];
        int least = 0;
        if (!cdi_hull_edges_are_convex(p, f) || !cdi_hull_face_is_convex(p, f)) return false;
        for (uint32_t k = 0; k < 3; ++k) {
            int side = cdi_hull_side(p, f, cdi_hull_corner(p, first, k));
            if (side > 0) return false;
            least = side < least ? side : least;
        }
        if (i > 0 && least == 0) return false;
    }
    return true;
}

static bool cdi_hull_is_sound(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    const cdi_hull_header *h = (const cdi_hull_header *)hull->block;
    if (!cdi_hull_faces_are_sound(&p) || !cdi_hull_half_edges_are_sound(&p) ||
        !cdi_hull_vertices_are_sound(&p) || !cdi_hull_rows_are_sound(h, &p) ||
        !cdi_hull_neighbours_are_sound(&p))
        return false;
    if (p.dimension == 2 && !cdi_hull_sides_match(&p)) return false;
    if (h->flatness > 0.0) return true;
    if (p.dimension == 1)
        return !cdi_v3_is_zero(cdi_v3_sub(cdi_v3_of(p.vertices[0]), cdi_v3_of(p.vertices[1])));
    if (p.dimension == 2) return cdi_hull_face_is_convex(&p, &p.faces[0]);
    return p.dimension == 0 || cdi_hull_is_convex(&p);
}

CD_API cd_status cd_hull_validate(const cd_hull *hull) {
    const cdi_hull_header *h = (const cdi_hull_header *)hull->block;
    if (!h) return hull->bytes == 0 ? CD_OK : CD_CORRUPT;
    if (hull->bytes < sizeof *h || !cdi_hull_header_fits(h, hull->bytes)) return CD_CORRUPT;
    return cdi_hull_is_sound(hull) ? CD_OK : CD_CORRUPT;
}

CD_API cd_status cd_hull_view(cd_hull *out, const void *bytes, size_t size) {
    const cdi_hull_header *h = (const cdi_hull_header *)bytes;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof *h) return CD_CORRUPT;
    if (h->magic != CDI_HULL_MAGIC) return h->magic == CDI_HULL_MAGIC_SWAPPED ? CD_UNSUPPORTED : CD_CORRUPT;
    if (h->version != CDI_HULL_VERSION || h->real_size != sizeof(cd_real)) return CD_UNSUPPORTED;
    out->block = bytes;
    out->bytes = size;
    status = cd_hull_validate(out);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}
