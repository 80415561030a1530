#include "hull/facets.h"

/* What a hull is written from. */
typedef struct cdi_facets {
    cdi_groups g;
    uint32_t *place; /* of each half-edge that starts an edge: its number in the hull */
} cdi_facets;

/* ---- vertices ---- */

static void cdi_write_vertices(const cdi_facets *s, const cdi_hull_arrays *to) {
    const cdi_qh *q = s->g.q;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        uint32_t source = q->cloud->point[i].source, rank = s->g.rank[i];
        cdi_v3 at;
        if (rank == CD_NONE) continue;
        at = cdi_cloud_input_at(&q->cloud->input, source);
        to->vertices[rank] =
            cdi_v3_round(cdi_v3_make(at.x + 0.0, at.y + 0.0, at.z + 0.0)); /* no negative zeros */
        to->sources[rank] = source;
        to->outgoing[rank] = CD_NONE;
    }
}

/* ---- planes ---- */

static void cdi_write_plane(const cdi_facets *s, cd_plane *plane, uint32_t group, double sign) {
    cdi_v3 n = cdi_v3_scale(cdi_v3_normalize(cdi_group_normal(&s->g, group)), sign);
    plane->n = cdi_v3_round(cdi_v3_make(n.x + 0.0, n.y + 0.0, n.z + 0.0));
    plane->d =
        cdi_hull_round_up(sign * cdi_group_offset(&s->g, group, cdi_v3_scale(cdi_v3_of(plane->n), sign)));
}

/* ---- the order ---- */

/* Numbers the half-edges of a face from this border on. Their twins are borders yet. */
static void cdi_write_loop(const cdi_facets *s, const cdi_hull_arrays *to, uint32_t first, uint32_t face,
                           uint32_t *count) {
    const cdi_qh *q = s->g.q;
    uint32_t h = first, next;
    to->faces[face].first = *count;
    do {
        uint32_t rank = s->g.rank[cdi_qh_origin(q, h)];
        cd_half_edge *e = &to->half_edges[*count];
        e->origin = rank;
        e->face = face;
        e->twin = cdi_qh_twin(q, cdi_border_run(&s->g, h, &next));
        to->outgoing[rank] = *count;
        s->place[h] = (*count)++;
        h = next;
    } while (h != first);
    to->faces[face].count = *count - to->faces[face].first;
}

/* Faces are numbered as their triangles come up. The points' order is their own, and so is all that follows from it. */
static void cdi_write_faces(const cdi_facets *s, const cdi_hull_arrays *to) {
    const cdi_groups *g = &s->g;
    uint32_t faces = 0, half_edges = 0;
    for (uint32_t f = 0; f < g->q->face_count; ++f) {
        for (uint32_t h = 4 * f; (h & 3u) < 3; ++h) {
            uint32_t group = g->group[f];
            if (!cdi_is_border(g, h) || g->rank[cdi_qh_origin(g->q, h)] == CD_NONE) continue;
            if (g->number[group] != CD_NONE) continue;
            g->number[group] = faces;
            cdi_write_plane(s, &to->faces[faces].plane, group, 1.0);
            cdi_write_loop(s, to, h, faces++, &half_edges);
        }
    }
    for (uint32_t i = 0; i < half_edges; ++i) to->half_edges[i].twin = s->place[to->half_edges[i].twin];
}

static cd_status cdi_write_body(cd_hull *out, const cdi_facets *s) {
    uint32_t half_edges = 2 * (s->g.vertex_count + s->g.count - 2); /* Euler */
    const cd_allocator *allocator = s->g.q->allocator;
    cdi_hull_header *header = cdi_hull_take_block(allocator, 3, s->g.vertex_count, half_edges, s->g.count);
    cdi_hull_arrays to;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_write_vertices(s, &to);
    cdi_write_faces(s, &to);
    header->flatness = s->g.flatness;
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
    while (s->g.rank[point] == CD_NONE) ++point;
    h = s->g.q->start[point];
    while (cdi_touches_apex(s->g.q, h >> 2)) h = cdi_turn_border(&s->g, h);
    return h;
}

static cd_status cdi_write_flat(cd_hull *out, cdi_facets *s) {
    const cdi_qh *q = s->g.q;
    uint32_t n = s->g.vertex_count - 1, start, h, next; /* without the apex, whose number is the last */
    cdi_hull_header *header = cdi_hull_take_block(q->allocator, 2, n, 2 * n, 2);
    cdi_hull_arrays to;
    if (!header) return CD_OUT_OF_MEMORY;
    to = cdi_hull_open(header);
    cdi_write_vertices(s, &to);
    start = h = cdi_base_start(s);
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t rank = s->g.rank[cdi_qh_origin(q, h)], back = n + (n - i) % n;
        to.half_edges[i].origin = to.half_edges[back].origin = rank;
        to.half_edges[i].face = 0;
        to.half_edges[back].face = 1;
        to.half_edges[i].twin = n + (n - 1 - i);
        to.half_edges[n + (n - 1 - i)].twin = i;
        to.outgoing[rank] = i;
        cdi_border_run(&s->g, h, &next);
        h = next;
    }
    cdi_write_plane(s, &to.faces[0].plane, cdi_group_of(&s->g, start), 1.0);
    cdi_write_plane(s, &to.faces[1].plane, cdi_group_of(&s->g, start), -1.0);
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

CDI_FN cd_status cdi_facets_write(cd_hull *out, cdi_qh *q, double merge_distance) {
    cdi_facets s;
    cd_status status = CD_OUT_OF_MEMORY;
    size_t half_edges = 4 * (size_t)q->face_count;
    cdi_clear(out, sizeof *out);
    if (q->dimension < 2) return q->dimension < 0 ? CD_OK : cdi_write_thin(out, q);
    s.place = (uint32_t *)cdi_alloc(q->allocator, half_edges, sizeof *s.place);
    if (cdi_groups_make(&s.g, q, q->dimension == 2 ? 0.0 : merge_distance) && s.place)
        status = q->dimension == 2 ? cdi_write_flat(out, &s) : cdi_write_body(out, &s);
    cdi_groups_free(&s.g);
    cdi_free(q->allocator, s.place, half_edges, sizeof *s.place);
    return status;
}
