#include "core/orient.h"
#include "hull/facets.h"

/* A group is a set of triangles that make one face; an edge between two groups is a border. Of the border's corners those
 * with a rank are vertices of the hull: a run of borders from one to the next is one edge. */
typedef struct cdi_facets {
    cdi_qh *q;
    uint32_t group_count, vertex_count, border_count;
    uint32_t *rank;  /* of each point: its number as a vertex, or CD_NONE */
    uint32_t *place; /* of each half-edge that starts an edge: its number in the hull */
    uint32_t *
        face; /* of each group: its number in the hull, or CD_NONE; where a face is known by one of its triangles... */
    uint32_t *triangle; /* ...that is the largest */
} cdi_facets;

static uint32_t cdi_facets_group(const cdi_facets *s, uint32_t half_edge) {
    return s->q->face[half_edge >> 2].group;
}

static bool cdi_is_border(const cdi_facets *s, uint32_t half_edge) {
    return cdi_facets_group(s, half_edge) != cdi_facets_group(s, cdi_qh_twin(s->q, half_edge));
}

/* ---- groups ---- */

static double cdi_normal_size(const cdi_qh_face *f) {
    return cdi_v3_max_abs(f->n);
}

static void cdi_facets_add(cdi_facets *s, uint32_t face, uint32_t group) {
    cdi_qh *q = s->q;
    q->face[face].group = group;
    q->visible[q->visible_count++] = face;
    if (cdi_normal_size(&q->face[face]) > cdi_normal_size(&q->face[s->triangle[group]]))
        s->triangle[group] = face;
}

/* The corner of the face across a half-edge that is not on it. */
static uint32_t cdi_opposite(const cdi_qh *q, uint32_t half_edge) {
    return cdi_qh_origin(q, cdi_qh_before(cdi_qh_twin(q, half_edge)));
}

/* All that is coplanar around a face, exactly. */
static void cdi_group_coplanar(cdi_facets *s, uint32_t face) {
    cdi_qh *q = s->q;
    uint32_t group = s->group_count++;
    s->triangle[group] = face;
    q->visible_count = 0;
    cdi_facets_add(s, face, group);
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t h = 4 * q->visible[i], k = 0; k < 3; ++k) {
            uint32_t across = cdi_qh_twin(q, h + k) >> 2;
            if (q->face[across].group != CD_NONE) continue;
            if (cdi_qh_height(q, &q->face[h >> 2], cdi_opposite(q, h + k)) == 0.0)
                cdi_facets_add(s, across, group);
        }
    }
}

static void cdi_group_all(cdi_facets *s) {
    for (uint32_t f = 0; f < s->q->face_count; ++f) {
        const cdi_qh_face *face = &s->q->face[f];
        if (face->vertex[0] != CD_NONE && face->group == CD_NONE) cdi_group_coplanar(s, f);
    }
}

/* ---- walking along borders ---- */

/* The border after (before) this one around its group. */
static uint32_t cdi_next_border(const cdi_facets *s, uint32_t half_edge) {
    uint32_t h = cdi_qh_after(half_edge);
    while (!cdi_is_border(s, h)) h = cdi_qh_after(cdi_qh_twin(s->q, h));
    return h;
}
/* The next border out of the same point, counter-clockwise. */
static uint32_t cdi_turn_border(const cdi_facets *s, uint32_t half_edge) {
    uint32_t h = half_edge;
    do {
        h = cdi_qh_twin(s->q, cdi_qh_before(h));
    } while (!cdi_is_border(s, h));
    return h;
}

/* The last border of the edge that starts with this one. */
static uint32_t cdi_edge_end(const cdi_facets *s, uint32_t half_edge) {
    uint32_t h = half_edge, next = cdi_next_border(s, h);
    while (s->rank[cdi_qh_origin(s->q, next)] == CD_NONE) {
        h = next;
        next = cdi_next_border(s, h);
    }
    return h;
}

static uint32_t cdi_end_rank(const cdi_facets *s, uint32_t half_edge) {
    return s->rank[cdi_qh_origin(s->q, cdi_qh_twin(s->q, cdi_edge_end(s, half_edge)))];
}

/* ---- vertices ---- */

/* Vertices are where three or more faces meet. Afterwards q->start has a border out of each. */
static void cdi_rank_vertices(cdi_facets *s) {
    cdi_qh *q = s->q;
    uint32_t points = q->cloud->count + (q->apex != CD_NONE);
    for (uint32_t i = 0; i < points; ++i) q->start[i] = 0;
    for (uint32_t f = 0; f < q->face_count; ++f) {
        if (q->face[f].vertex[0] == CD_NONE) continue;
        for (uint32_t k = 0; k < 3; ++k) q->start[q->face[f].vertex[k]] += cdi_is_border(s, 4 * f + k);
    }
    for (uint32_t i = 0; i < points; ++i) {
        bool is_vertex = q->start[i] >= 3;
        if (is_vertex) s->border_count += q->start[i];
        s->rank[i] = is_vertex ? s->vertex_count++ : CD_NONE;
    }
    for (uint32_t f = 0; f < q->face_count; ++f) {
        if (q->face[f].vertex[0] == CD_NONE) continue;
        for (uint32_t k = 0; k < 3; ++k) {
            if (cdi_is_border(s, 4 * f + k)) q->start[q->face[f].vertex[k]] = 4 * f + k;
        }
    }
}

static void cdi_write_vertices(const cdi_facets *s, const cdi_hull_arrays *to) {
    const cdi_qh *q = s->q;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        uint32_t source = q->cloud->point[i].source, rank = s->rank[i];
        cdi_v3 at;
        if (rank == CD_NONE) continue;
        at = cdi_cloud_input_at(&q->cloud->input, source);
        to->vertices[rank] =
            cdi_v3_round(cdi_v3_make(at.x + 0.0, at.y + 0.0, at.z + 0.0)); /* no negative zeros */
        to->sources[rank] = source;
        to->outgoing[rank] = CD_NONE;
    }
}

/* ---- normals ---- */

/* The normal of a group, outward, of any length: that of its largest triangle, computed again where rounding got at it. */
static cdi_v3 cdi_group_normal(const cdi_facets *s, uint32_t group) {
    const cdi_qh *q = s->q;
    const cdi_qh_face *f = &q->face[s->triangle[group]];
    const double most = sizeof(cd_real) == 4 ? 1e-9 : 1e-14;
    double size = cdi_normal_size(f) * cdi_v3_max_abs(q->cloud->reach);
    cdi_v3 corner[3];
    if (f->error < most * size && size < CDI_HUGE) return f->n;
    for (int k = 0; k < 3; ++k)
        corner[k] = cdi_cloud_input_at(&q->cloud->input, q->cloud->point[f->vertex[k]].source);
    return cdi_accurate_normal(corner[0], corner[1], corner[2]);
}

/* ---- the order ---- */

/* Of the edges out of a vertex, the one to the neighbour with the smallest number. */
static uint32_t cdi_first_edge(const cdi_facets *s, uint32_t some) {
    uint32_t best = some, best_rank = cdi_end_rank(s, some);
    for (uint32_t h = cdi_turn_border(s, some); h != some; h = cdi_turn_border(s, h)) {
        uint32_t rank = cdi_end_rank(s, h);
        if (rank < best_rank) {
            best = h;
            best_rank = rank;
        }
    }
    return best;
}

/* Numbers the half-edges of a face from this one on. */
static void cdi_write_loop(const cdi_facets *s, const cdi_hull_arrays *to, uint32_t first, uint32_t face,
                           uint32_t *count) {
    uint32_t h = first;
    to->faces[face].first = *count;
    do {
        uint32_t rank = s->rank[cdi_qh_origin(s->q, h)];
        to->half_edges[*count].origin = rank;
        to->half_edges[*count].face = face;
        if (to->outgoing[rank] == CD_NONE) to->outgoing[rank] = *count;
        s->place[h] = (*count)++;
        h = cdi_next_border(s, cdi_edge_end(s, h));
    } while (h != first);
    to->faces[face].count = *count - to->faces[face].first;
}

/* Faces are numbered as they come up when the vertices are gone through and each is gone around. */
static void cdi_write_faces(const cdi_facets *s, const cdi_hull_arrays *to) {
    const cdi_qh *q = s->q;
    uint32_t faces = 0, half_edges = 0;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        uint32_t first, h;
        if (s->rank[i] == CD_NONE) continue;
        first = h = cdi_first_edge(s, q->start[i]);
        do {
            uint32_t group = cdi_facets_group(s, h);
            if (s->face[group] == CD_NONE) {
                to->faces[faces].plane.n = cdi_v3_round(cdi_v3_normalize(cdi_group_normal(s, group)));
                s->face[group] = faces;
                cdi_write_loop(s, to, h, faces++, &half_edges);
            }
            h = cdi_turn_border(s, h);
        } while (h != first);
    }
}

static void cdi_write_twins(const cdi_facets *s, const cdi_hull_arrays *to) {
    const cdi_qh *q = s->q;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        uint32_t first = q->start[i], h = first;
        if (s->rank[i] == CD_NONE) continue;
        do {
            to->half_edges[s->place[h]].twin = s->place[cdi_qh_twin(q, cdi_edge_end(s, h))];
            h = cdi_turn_border(s, h);
        } while (h != first);
    }
}

static cd_status cdi_write_body(cd_hull *out, const cdi_facets *s) {
    const cd_allocator *allocator = s->q->allocator;
    cdi_hull_header *header =
        cdi_hull_take_block(allocator, 3, s->vertex_count, s->border_count, s->group_count);
    cdi_hull_arrays to;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_write_vertices(s, &to);
    cdi_write_faces(s, &to);
    cdi_write_twins(s, &to);
    cdi_hull_finish(out, header, allocator);
    return CD_OK;
}

/* ---- flat hulls: the base of a pyramid, twice ---- */

static bool cdi_touches_apex(const cdi_qh *q, uint32_t face) {
    const uint32_t *v = q->face[face].vertex;
    return v[0] == q->apex || v[1] == q->apex || v[2] == q->apex;
}

/* The border of the base at its vertex with the smallest number. */
static uint32_t cdi_base_start(const cdi_facets *s) {
    uint32_t point = 0, h;
    while (s->rank[point] == CD_NONE) ++point;
    h = s->q->start[point];
    while (cdi_touches_apex(s->q, h >> 2)) h = cdi_turn_border(s, h);
    return h;
}

static cd_status cdi_write_flat(cd_hull *out, cdi_facets *s) {
    const cdi_qh *q = s->q;
    uint32_t n = s->vertex_count - 1, start, h; /* without the apex, whose number is the last */
    cdi_hull_header *header = cdi_hull_take_block(q->allocator, 2, n, 2 * n, 2);
    cdi_hull_arrays to;
    cdi_v3 normal;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_write_vertices(s, &to);
    start = h = cdi_base_start(s);
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t rank = s->rank[cdi_qh_origin(q, h)], back = n + (n - i) % n;
        to.half_edges[i].origin = to.half_edges[back].origin = rank;
        to.half_edges[i].face = 0;
        to.half_edges[back].face = 1;
        to.half_edges[i].twin = n + (n - 1 - i);
        to.half_edges[n + (n - 1 - i)].twin = i;
        to.outgoing[rank] = i;
        h = cdi_next_border(s, cdi_edge_end(s, h));
    }
    normal = cdi_v3_normalize(cdi_group_normal(s, cdi_facets_group(s, start)));
    to.faces[0].plane.n = cdi_v3_round(normal);
    to.faces[1].plane.n = cdi_v3_round(cdi_v3_neg(normal));
    to.faces[0].first = 0;
    to.faces[1].first = n;
    to.faces[0].count = to.faces[1].count = n;
    cdi_hull_finish(out, header, q->allocator);
    return CD_OK;
}

/* ---- segments and points ---- */

static cd_status cdi_write_thin(cd_hull *out, cdi_qh *q) {
    uint32_t n = (uint32_t)q->dimension + 1;
    cdi_hull_header *header = cdi_hull_take_block(q->allocator, q->dimension, n, n == 2 ? 2u : 0u, 0);
    cdi_hull_arrays to;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t source = q->cloud->point[q->corner[i]].source;
        cdi_v3 at = cdi_cloud_input_at(&q->cloud->input, source);
        to.vertices[i] = cdi_v3_round(cdi_v3_make(at.x + 0.0, at.y + 0.0, at.z + 0.0));
        to.sources[i] = source;
        to.outgoing[i] = n == 2 ? i : CD_NONE;
        if (n < 2) continue;
        to.half_edges[i].origin = i;
        to.half_edges[i].twin = 1 - i;
        to.half_edges[i].face = CD_NONE;
    }
    cdi_hull_finish(out, header, q->allocator);
    return CD_OK;
}

/* ---- the whole ---- */

static bool cdi_facets_begin(cdi_facets *s, cdi_qh *q) {
    cdi_clear(s, sizeof *s);
    s->q = q;
    s->rank = (uint32_t *)cdi_alloc(q->allocator, q->cloud->room, sizeof(uint32_t));
    s->place = (uint32_t *)cdi_alloc(q->allocator, 6 * (size_t)q->face_count, sizeof(uint32_t));
    if (!s->rank || !s->place) return false;
    s->face = s->place + 4 * (size_t)q->face_count;
    s->triangle = s->face + q->face_count;
    for (uint32_t i = 0; i < q->face_count; ++i) s->face[i] = CD_NONE;
    return true;
}

static void cdi_facets_end(cdi_facets *s) {
    cdi_free(s->q->allocator, s->rank, s->q->cloud->room, sizeof(uint32_t));
    cdi_free(s->q->allocator, s->place, 6 * (size_t)s->q->face_count, sizeof(uint32_t));
}

CDI_FN cd_status cdi_facets_write(cd_hull *out, cdi_qh *q) {
    cdi_facets s;
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_clear(out, sizeof *out);
    if (q->dimension < 2) return q->dimension < 0 ? CD_OK : cdi_write_thin(out, q);
    if (cdi_facets_begin(&s, q)) {
        cdi_group_all(&s);
        cdi_rank_vertices(&s);
        status = q->dimension == 2 ? cdi_write_flat(out, &s) : cdi_write_body(out, &s);
    }
    cdi_facets_end(&s);
    return status;
}
