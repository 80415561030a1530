#include "mesh/euler.h"
#include "core/memory.h"
#include "shape/polyhedron3d.h"

CD_API const char *cd_mesh_defect_text(uint32_t defect) {
    switch (defect) {
    case CD_MESH_SOUND: return "the mesh is a closed surface with a consistent front";
    case CD_MESH_BAD_INDEX: return "a triangle has an index out of range";
    case CD_MESH_DEGENERATE: return "a triangle has a corner twice";
    case CD_MESH_EDGE_CROWDED: return "more than two triangles share an edge";
    case CD_MESH_EDGE_TURNED: return "the fronts of the two triangles at an edge are on opposite sides";
    case CD_MESH_VERTEX_PINCHED: return "the triangles at a vertex hang together in no single fan";
    case CD_MESH_OPEN: return "an edge has one triangle only";
    case CD_MESH_UNUSED: return "no triangle uses a vertex";
    default: return "unknown defect";
    }
}

/* ---- forests: element i points to its parent, the root of a set, its smallest element, to itself ----
 * With sides, the lowest bit of an entry tells whether the element is on the other side than its parent. */

static uint32_t cdi_forest_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void cdi_forest_join(uint32_t *parent, uint32_t i, uint32_t j) {
    i = cdi_forest_root(parent, i);
    j = cdi_forest_root(parent, j);
    if (i < j) parent[j] = i;
    if (j < i) parent[i] = j;
}

static void cdi_forest_begin(uint32_t *parent, uint32_t count, uint32_t step) {
    for (uint32_t i = 0; i < count; ++i) parent[i] = i * step;
}

/* 2 root + (1 on the other side than the root). */
static uint32_t cdi_sided_root(uint32_t *parent, uint32_t i) {
    uint32_t side = 0;
    while (parent[i] >> 1 != i) {
        uint32_t up = parent[i] >> 1;
        parent[i] = parent[up] ^ (parent[i] & 1u);
        side ^= parent[i] & 1u;
        i = parent[i] >> 1;
    }
    return 2 * i + side;
}

/* Says that the two are on opposite sides, or on one; false when that contradicts what was said before. */
static bool cdi_sided_join(uint32_t *parent, uint32_t i, uint32_t j, bool opposite) {
    uint32_t a = cdi_sided_root(parent, i), b = cdi_sided_root(parent, j);
    uint32_t side = (a ^ b ^ (opposite ? 1u : 0u)) & 1u;
    if (a >> 1 == b >> 1) return side == 0;
    if (a < b) {
        parent[b >> 1] = (a & ~1u) | side;
    } else {
        parent[a >> 1] = (b & ~1u) | side;
    }
    return true;
}

/* ---- counting ---- */

enum { CDI_EULER_WORDS = 17 }; /* of memory for each triangle */

/* A corner has the number of the half-edge that starts there. */
typedef struct cdi_euler_work {
    cdi_poly body;     /* the triangles that are counted */
    uint32_t *indices; /* theirs */
    uint32_t *number;  /* of each, in the mesh */
    uint32_t *order;   /* half-edges by edges */
    uint32_t *fan;     /* a forest of corners: those of one fan */
    uint32_t *loop;    /* a forest of open half-edges: those of one boundary curve */
    uint32_t *piece;   /* a forest of triangles with sides */
    uint32_t *scratch; /* as many as half-edges and vertices, and one more */
    cd_euler *out;
} cdi_euler_work;

/* Counts a defect; of the worst kind, the one with the smallest number is named. */
static void cdi_euler_note(cd_euler *out, cd_mesh_defect defect, uint32_t *count, uint32_t feature) {
    ++*count;
    if (out->defect != CD_MESH_SOUND && out->defect < (uint32_t)defect) return;
    if (out->defect == (uint32_t)defect && out->feature < feature) return;
    out->defect = (uint32_t)defect;
    out->feature = feature;
}

static bool cdi_euler_in_range(const uint32_t k[3], uint32_t vertex_count) {
    return k[0] < vertex_count && k[1] < vertex_count && k[2] < vertex_count;
}

static void cdi_euler_read(cdi_euler_work *w, const cd_mesh_view *mesh) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        uint32_t k[3];
        cd_mesh_indices(mesh, i, k);
        if (!cdi_euler_in_range(k, mesh->vertex_count)) {
            cdi_euler_note(w->out, CD_MESH_BAD_INDEX, &w->out->bad_indices, CD_FEATURE(CD_FEATURE_FACE, i));
        } else if (k[0] == k[1] || k[1] == k[2] || k[2] == k[0]) {
            cdi_euler_note(w->out, CD_MESH_DEGENERATE, &w->out->degenerate, CD_FEATURE(CD_FEATURE_FACE, i));
        } else {
            cdi_copy(w->indices + 3 * (size_t)n, k, sizeof k);
            w->number[n++] = i;
        }
    }
    w->body.triangles = w->indices;
    w->body.vertex_count = mesh->vertex_count;
    w->body.triangle_count = w->out->faces = n;
}

static uint32_t cdi_euler_edge_feature(const cdi_euler_work *w, uint32_t h) {
    return CD_FEATURE(CD_FEATURE_EDGE, 3 * w->number[h / 3] + h % 3);
}

/* Joins the fans at both ends of two half-edges of one edge, and their triangles. */
static bool cdi_euler_cross(cdi_euler_work *w, uint32_t g, uint32_t h, bool turned) {
    uint32_t from = turned ? h : cdi_half_edge_next(h), to = turned ? cdi_half_edge_next(h) : h;
    cdi_forest_join(w->fan, g, from);
    cdi_forest_join(w->fan, cdi_half_edge_next(g), to);
    return cdi_sided_join(w->piece, g / 3, h / 3, turned);
}

/* The half-edges order[i ... end - 1] are an edge of one triangle or two. */
static void cdi_euler_edge(cdi_euler_work *w, uint32_t i, uint32_t end) {
    uint32_t g = w->order[i], h = w->order[end - 1], feature = cdi_euler_edge_feature(w, g);
    bool turned = cdi_half_edge_start(&w->body, g) == cdi_half_edge_start(&w->body, h);
    if (end - i == 1) {
        cdi_euler_note(w->out, CD_MESH_OPEN, &w->out->open, feature);
        return;
    }
    if (turned) cdi_euler_note(w->out, CD_MESH_EDGE_TURNED, &w->out->turned, feature);
    if (!cdi_euler_cross(w, g, h, turned)) w->out->orientable = false;
}

static void cdi_euler_crowded_edge(cdi_euler_work *w, uint32_t i, uint32_t end) {
    uint32_t g = w->order[i];
    cdi_euler_note(w->out, CD_MESH_EDGE_CROWDED, &w->out->crowded, cdi_euler_edge_feature(w, g));
    for (++i; i < end; ++i) {
        uint32_t h = w->order[i];
        cdi_euler_cross(w, g, h, cdi_half_edge_start(&w->body, g) == cdi_half_edge_start(&w->body, h));
    }
}

/* Crowded edges last: they hold pieces together, but do not tell which side their triangles are on. */
static void cdi_euler_edges(cdi_euler_work *w) {
    uint32_t count = 3 * w->body.triangle_count;
    cdi_order_half_edges(&w->body, w->order, w->scratch);
    cdi_forest_begin(w->fan, count, 1);
    cdi_forest_begin(w->piece, w->body.triangle_count, 2);
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        if (end - i <= 2) cdi_euler_edge(w, i, end);
        ++w->out->edges;
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        if (end - i > 2) cdi_euler_crowded_edge(w, i, end);
    }
}

/* Roots of fans at each vertex; scratch gets their number. */
static void cdi_euler_vertices(cdi_euler_work *w) {
    uint32_t *fans = w->scratch;
    cdi_clear(fans, ((size_t)w->body.vertex_count + 1) * sizeof *fans);
    for (uint32_t h = 0; h < 3 * w->body.triangle_count; ++h) {
        if (w->fan[h] == h) ++fans[w->indices[h]];
    }
    for (uint32_t v = 0; v < w->body.vertex_count; ++v) {
        uint32_t feature = CD_FEATURE(CD_FEATURE_VERTEX, v);
        w->out->fans += fans[v];
        w->out->vertices += fans[v] > 0;
        if (fans[v] > 1) cdi_euler_note(w->out, CD_MESH_VERTEX_PINCHED, &w->out->pinched, feature);
        if (fans[v] == 0) cdi_euler_note(w->out, CD_MESH_UNUSED, &w->out->unused, feature);
    }
}

/* Open half-edge h ends at the fan of this corner: it is joined with the one that did so before, kept in scratch. */
static void cdi_euler_loop_end(cdi_euler_work *w, uint32_t h, uint32_t corner) {
    uint32_t *before = &w->scratch[cdi_forest_root(w->fan, corner)];
    if (*before == CD_NONE) {
        *before = h;
    } else {
        cdi_forest_join(w->loop, *before, h);
    }
}

static void cdi_euler_loops(cdi_euler_work *w) {
    uint32_t count = 3 * w->body.triangle_count;
    cdi_forest_begin(w->loop, count, 1);
    for (uint32_t h = 0; h < count; ++h) w->scratch[h] = CD_NONE;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        if (end - i != 1) continue;
        cdi_euler_loop_end(w, w->order[i], w->order[i]);
        cdi_euler_loop_end(w, w->order[i], cdi_half_edge_next(w->order[i]));
    }
    for (uint32_t i = 0, end; i < count; i = end) {
        end = cdi_edge_end(&w->body, w->order, i);
        w->out->loops += end - i == 1 && w->loop[w->order[i]] == w->order[i];
    }
}

/* g = s - (V - E + F + h) / 2, with the fans for V. */
static void cdi_euler_sum_up(cdi_euler_work *w) {
    cd_euler *out = w->out;
    int32_t split = (int32_t)out->fans - (int32_t)out->edges + (int32_t)out->faces;
    for (uint32_t i = 0; i < out->faces; ++i) out->pieces += w->piece[i] >> 1 == i;
    out->characteristic = split - (int32_t)(out->fans - out->vertices);
    out->genus = -1;
    if (out->crowded == 0 && out->orientable)
        out->genus = (int32_t)out->pieces - (split + (int32_t)out->loops) / 2;
}

static void cdi_euler_count(cdi_euler_work *w, const cd_mesh_view *mesh, uint32_t *memory) {
    size_t n = mesh->triangle_count;
    w->indices = memory;
    w->number = memory + 3 * n;
    w->order = memory + 4 * n;
    w->fan = memory + 7 * n;
    w->loop = memory + 10 * n;
    w->piece = memory + 13 * n;
    w->scratch = memory + 14 * n;
    w->out->orientable = true;
    cdi_euler_read(w, mesh);
    cdi_euler_edges(w);
    cdi_euler_loops(w);
    cdi_euler_vertices(w);
    cdi_euler_sum_up(w);
}

CD_API cd_status cd_mesh_euler(const cd_mesh_view *mesh, const cd_allocator *allocator, cd_euler *out) {
    cdi_euler_work w;
    size_t count = (size_t)mesh->triangle_count + mesh->vertex_count / CDI_EULER_WORDS + 1;
    uint32_t *memory;
    cdi_clear(out, sizeof *out);
    cdi_clear(&w, sizeof w);
    if (!cd_mesh_view_is_valid(mesh)) return CD_INVALID_ARGUMENT;
    if (!cdi_poly_make(&w.body, NULL, mesh->vertex_count, NULL, mesh->triangle_count)) return CD_TOO_LARGE;
    memory = (uint32_t *)cdi_alloc(allocator, count, CDI_EULER_WORDS * sizeof *memory);
    if (!memory) return CD_OUT_OF_MEMORY;
    w.out = out;
    cdi_euler_count(&w, mesh, memory);
    cdi_free(allocator, memory, count, CDI_EULER_WORDS * sizeof *memory);
    return CD_OK;
}
