#include "hull/selection.h"
#include "hull/hull_gap.h"

enum { CDI_LINK = 32 }; /* vertices with more neighbours than this are not taken away */

static const double CDI_UNBOUNDED = 1e100;

/* What happens when a vertex is taken away: its neighbours, around it, and the triangles that close the gap. */
typedef struct cdi_cap {
    uint32_t link[CDI_LINK],
        outside[CDI_LINK]; /* outside[i]: the half-edge on the far side from link i to i + 1 */
    uint32_t star[CDI_LINK];
    uint32_t ear[CDI_LINK]; /* where each triangle was cut off from what was left of the link */
    cdi_qh_face face[CDI_LINK];
    uint32_t degree, count;
} cdi_cap;

typedef struct cdi_pick {
    const cdi_selection *how;
    cdi_cloud cloud;
    cdi_qh_rule rule;
    cdi_qh q;
    cdi_heap faces, vertices; /* items that hold no more are left in, and passed over later */
    uint32_t *out;            /* of each point: a half-edge that starts there, or CD_NONE */
    double *cost;             /* of each vertex, to take it away; below 0: not asked yet, or impossible */
    uint32_t face_count, vertex_count; /* of the hull in hand */
    cdi_cap cap;
} cdi_pick;

/* ---- how far ---- */

static cdi_v3 cdi_pick_at(const cdi_qh *q, uint32_t point) {
    const cdi_cloud_point *p = &q->cloud->point[point];
    return cdi_v3_make(p->x, p->y, p->z);
}

static double cdi_near_scale(const cdi_qh *q, const cdi_qh_face *f) {
    (void)q;
    return 1.0 / cdi_max(cdi_v3_length(f->n), 1e-300);
}

static double cdi_near_worth(const cdi_qh *q, const cdi_qh_face *f, uint32_t point, double scaled_height) {
    cdi_v3 p = cdi_pick_at(q, point);
    cdi_v3 x = cdi_gap_triangle(p, cdi_pick_at(q, f->vertex[0]), cdi_pick_at(q, f->vertex[1]),
                                cdi_pick_at(q, f->vertex[2]));
    return cdi_max(scaled_height, cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(p, x))));
}

/* The plane of a face is w . y = 1 for a corner w of the body; where the origin is in front of it there is no such corner. */
static double cdi_dual_scale(const cdi_qh *q, const cdi_qh_face *f) {
    double e = f->d + cdi_v3_dot(f->n, q->cloud->middle), least = 1e-9 * cdi_v3_length(f->n);
    return e > least ? 1.0 / e : CDI_UNBOUNDED / cdi_max(cdi_v3_length(f->n), 1e-300);
}

static double cdi_dual_worth(const cdi_qh *q, const cdi_qh_face *f, uint32_t point, double scaled_height) {
    const double *weight = (const double *)q->rule->user;
    (void)f;
    return scaled_height * weight[q->cloud->point[point].source];
}

/* ---- the heap ---- */

static bool cdi_item_before(cdi_heap_item a, cdi_heap_item b) {
    return a.key > b.key || (a.key == b.key && a.id < b.id);
}

static void cdi_heap_sink(cdi_heap *h, uint32_t root) {
    cdi_heap_item item = h->item[root];
    for (uint32_t child; (child = 2 * root + 1) < h->count; root = child) {
        if (child + 1 < h->count && cdi_item_before(h->item[child + 1], h->item[child])) ++child;
        if (!cdi_item_before(h->item[child], item)) break;
        h->item[root] = h->item[child];
    }
    h->item[root] = item;
}

CDI_FN void cdi_heap_pop(cdi_heap *h) {
    h->item[0] = h->item[--h->count];
    if (h->count > 0) cdi_heap_sink(h, 0);
}

CDI_FN void cdi_heap_push(cdi_heap *h, double key, uint32_t id) {
    uint32_t at = h->count;
    cdi_heap_item item;
    if (at == h->room) return;
    ++h->count;
    item.key = key;
    item.id = id;
    item.unused = 0;
    for (uint32_t up; at > 0 && cdi_item_before(item, h->item[up = (at - 1) / 2]); at = up)
        h->item[at] = h->item[up];
    h->item[at] = item;
}

/* ---- the farthest point ---- */

static bool cdi_pick_face_waits(const cdi_pick *s, uint32_t f) {
    return s->q.face[f].vertex[0] != CD_NONE && s->q.face[f].points != CD_NONE;
}

static void cdi_pick_await_all(cdi_pick *s) {
    s->faces.count = 0;
    for (uint32_t f = 0; f < s->q.face_count; ++f) {
        if (cdi_pick_face_waits(s, f)) cdi_heap_push(&s->faces, s->q.face[f].height, f);
    }
}

static void cdi_pick_await(cdi_pick *s, uint32_t f) {
    if (!cdi_pick_face_waits(s, f)) return;
    if (s->faces.count == s->faces.room) {
        cdi_pick_await_all(s); /* which has f */
    } else {
        cdi_heap_push(&s->faces, s->q.face[f].height, f);
    }
}

/* The face with the farthest point, or CD_NONE. */
static uint32_t cdi_pick_farthest(cdi_pick *s) {
    while (s->faces.count > 0) {
        cdi_heap_item top = s->faces.item[0];
        if (cdi_pick_face_waits(s, top.id) && s->q.face[top.id].height == top.key) return top.id;
        cdi_heap_pop(&s->faces);
    }
    return CD_NONE;
}

/* Points in convex position stay vertices; others may vanish below a new one, and their half-edge is then no more theirs. */
static bool cdi_pick_is_vertex(const cdi_pick *s, uint32_t point) {
    uint32_t h = s->out[point];
    return h != CD_NONE && s->q.face[h >> 2].vertex[0] != CD_NONE && cdi_qh_origin(&s->q, h) == point;
}

static void cdi_pick_count(cdi_pick *s, uint32_t faces) {
    s->face_count = faces;
    s->vertex_count = faces / 2 + 2;
}

static void cdi_pick_touch(cdi_pick *s, uint32_t f) {
    for (uint32_t k = 0; k < 3; ++k) s->out[s->q.face[f].vertex[k]] = 4 * f + k;
}

static bool cdi_pick_insert(cdi_pick *s, uint32_t face) {
    if (!cdi_qh_insert(&s->q, s->q.face[face].eye, face)) return false;
    for (uint32_t i = 0; i < s->q.horizon_count; ++i) cdi_pick_touch(s, s->q.horizon[i]);
    for (uint32_t i = 0; i < s->q.horizon_count; ++i) cdi_pick_await(s, s->q.horizon[i]);
    cdi_pick_count(s, s->face_count + s->q.horizon_count - s->q.visible_count);
    return true;
}

/* ---- what a vertex is worth ---- */

/* The faces around a vertex; false when there are too many. */
static bool cdi_cap_open(cdi_pick *s, uint32_t vertex) {
    cdi_cap *c = &s->cap;
    uint32_t first = s->out[vertex], h = first;
    c->degree = c->count = 0;
    do {
        if (c->degree == CDI_LINK) return false;
        c->star[c->degree] = h >> 2;
        c->link[c->degree] = cdi_qh_origin(&s->q, cdi_qh_after(h));
        c->outside[c->degree++] = cdi_qh_twin(&s->q, cdi_qh_after(h));
        h = cdi_qh_twin(&s->q, cdi_qh_before(h));
    } while (h != first);
    return true;
}

/* Is nothing of the link in front of the face? `flat`: is all of it in its plane? */
static bool cdi_cap_is_below(const cdi_pick *s, const cdi_qh_face *f, bool *flat) {
    *flat = true;
    for (uint32_t i = 0; i < s->cap.degree; ++i) {
        uint32_t v = s->cap.link[i];
        double height;
        if (v == f->vertex[0] || v == f->vertex[1] || v == f->vertex[2]) continue;
        height = cdi_qh_height(&s->q, f, v);
        if (height > 0.0) return false;
        *flat = *flat && height == 0.0;
    }
    return true;
}

/* Is the triangle one of the hull of the others? Where all of the link is in its plane, the vertex tells which way is out:
 * not when it is in the plane, too, or when the triangle has no area. And something has to be left below. */
static bool cdi_cap_is_outside(const cdi_pick *s, const cdi_qh_face *f, uint32_t vertex) {
    bool flat;
    if (!cdi_cap_is_below(s, f, &flat)) return false;
    return !flat || (s->cap.degree + 1 < s->vertex_count && cdi_qh_height(&s->q, f, vertex) > 0.0);
}

/* Cuts one ear off what is left of the link: a triangle of the hull of the others. */
static bool cdi_cap_cut_ear(cdi_pick *s, uint32_t vertex, uint32_t *left, uint32_t count) {
    cdi_cap *c = &s->cap;
    cdi_qh_face *f = &c->face[c->count];
    for (uint32_t i = 0; i < count; ++i) {
        cdi_qh_set_face(&s->q, f, left[(i + count - 1) % count], left[i], left[(i + 1) % count]);
        if (!cdi_cap_is_outside(s, f, vertex)) continue;
        c->ear[c->count++] = i;
        for (uint32_t k = i + 1; k < count; ++k) left[k - 1] = left[k];
        return true;
    }
    return false;
}

/* The hull without the vertex, near it; false when there are too many neighbours, or nothing with a volume remains. */
static bool cdi_cap_close(cdi_pick *s, uint32_t vertex) {
    uint32_t left[CDI_LINK];
    if (s->vertex_count <= 4 || !cdi_cap_open(s, vertex)) return false;
    cdi_copy(left, s->cap.link, sizeof left);
    for (uint32_t count = s->cap.degree; count >= 3; --count) {
        if (!cdi_cap_cut_ear(s, vertex, left, count)) return false;
    }
    return true;
}

/* How far a point is from the gap's triangles; 0 when it is in front of none. */
static double cdi_cap_worth(const cdi_pick *s, uint32_t point) {
    const cdi_qh_face *best = NULL;
    double most = 0.0;
    for (uint32_t i = 0; i < s->cap.count; ++i) {
        const cdi_qh_face *f = &s->cap.face[i];
        double height = cdi_qh_height(&s->q, f, point) * f->scale;
        if (height <= most) continue;
        most = height;
        best = f;
    }
    return best ? s->rule.worth(&s->q, best, point, most) : 0.0;
}

static double cdi_cap_cost(cdi_pick *s, uint32_t vertex) {
    double most = cdi_cap_worth(s, vertex);
    for (uint32_t i = 0; i < s->cap.degree; ++i) {
        for (uint32_t p = s->q.face[s->cap.star[i]].points; p != CD_NONE; p = s->cloud.point[p].next)
            most = cdi_max(most, cdi_cap_worth(s, p));
    }
    return most;
}

static bool cdi_cap_is_bounded(const cdi_pick *s) {
    for (uint32_t i = 0; i < s->cap.count; ++i) {
        const cdi_qh_face *f = &s->cap.face[i];
        if (f->d + cdi_v3_dot(f->n, s->cloud.middle) <= 1e-9 * cdi_v3_length(f->n)) return false;
    }
    return true;
}

static void cdi_pick_price(cdi_pick *s, uint32_t vertex) {
    s->cost[vertex] = -1.0;
    if (!cdi_cap_close(s, vertex) || (s->how->kind == CDI_SELECT_DUAL && !cdi_cap_is_bounded(s))) return;
    s->cost[vertex] = cdi_cap_cost(s, vertex);
    if (s->vertices.count < s->vertices.room) {
        cdi_heap_push(&s->vertices, -s->cost[vertex], vertex);
    } else {
        s->vertices.count = 0;
        for (uint32_t v = 0; v < s->cloud.count; ++v) {
            if (cdi_pick_is_vertex(s, v) && s->cost[v] >= 0.0) cdi_heap_push(&s->vertices, -s->cost[v], v);
        }
    }
}

static void cdi_pick_price_all(cdi_pick *s) {
    s->vertices.count = 0;
    for (uint32_t v = 0; v < s->cloud.count; ++v) s->cost[v] = -1.0;
    for (uint32_t v = 0; v < s->cloud.count; ++v) {
        if (cdi_pick_is_vertex(s, v)) cdi_pick_price(s, v);
    }
}

/* The vertex that is cheapest to take away, or CD_NONE. */
static uint32_t cdi_pick_cheapest(cdi_pick *s) {
    while (s->vertices.count > 0) {
        cdi_heap_item top = s->vertices.item[0];
        if (cdi_pick_is_vertex(s, top.id) && s->cost[top.id] == -top.key) return top.id;
        cdi_heap_pop(&s->vertices);
    }
    return CD_NONE;
}

/* ---- taking a vertex away ---- */

/* The new faces take the place of the star: room is there, they are two fewer. Their numbers go to `s->q.horizon`. */
static void cdi_cap_join(cdi_pick *s) {
    cdi_cap *c = &s->cap;
    uint32_t beyond[CDI_LINK], count = c->degree;
    cdi_copy(beyond, c->outside, sizeof beyond);
    for (uint32_t e = 0; e < c->count; ++e, --count) {
        uint32_t id = cdi_qh_take_face(&s->q), i = c->ear[e], before = (i + count - 1) % count;
        s->q.face[id] = c->face[e];
        s->q.horizon[e] = id;
        cdi_qh_join(&s->q, 4 * id, beyond[before]);
        cdi_qh_join(&s->q, 4 * id + 1, beyond[i]);
        if (count == 3) {
            cdi_qh_join(&s->q, 4 * id + 2, beyond[(i + 1) % count]);
            return;
        }
        beyond[before] = 4 * id + 2;
        for (uint32_t k = i + 1; k < count; ++k) beyond[k - 1] = beyond[k];
    }
}

/* A point goes to one of the new faces or to a neighbour of theirs; where it sees none of them, which is rare, it is
 * forgotten. */
static void cdi_cap_hand_over(cdi_pick *s, uint32_t list, const uint32_t *faces, uint32_t count) {
    for (uint32_t p = list, next; p != CD_NONE; p = next) {
        next = s->cloud.point[p].next;
        cdi_qh_assign(&s->q, p, faces, count);
    }
}

/* Takes away a vertex whose gap is closed by the cap. */
static void cdi_pick_remove(cdi_pick *s, uint32_t vertex) {
    cdi_cap *c = &s->cap;
    uint32_t lists[CDI_LINK], faces[2 * CDI_LINK], count = 0;
    for (uint32_t i = 0; i < c->degree; ++i) {
        lists[i] = s->q.face[c->star[i]].points;
        s->q.face[c->star[i]].points = CD_NONE;
        cdi_qh_give_face(&s->q, c->star[i]);
    }
    cdi_cap_join(s);
    cdi_pick_count(s, s->face_count - 2);
    s->out[vertex] = CD_NONE;
    for (uint32_t i = 0; i < c->count; ++i) {
        cdi_pick_touch(s, s->q.horizon[i]);
        faces[count++] = s->q.horizon[i];
    }
    for (uint32_t i = 0; i < c->degree; ++i) faces[count++] = c->outside[i] >> 2;
    s->cloud.point[vertex].next = CD_NONE;
    cdi_cap_hand_over(s, vertex, faces, count);
    for (uint32_t i = 0; i < c->degree; ++i) cdi_cap_hand_over(s, lists[i], faces, count);
    for (uint32_t i = 0; i < count; ++i) cdi_pick_await(s, faces[i]);
}

/* After an insertion: the prices of the vertex and its neighbours. */
static void cdi_pick_price_around(cdi_pick *s, uint32_t vertex) {
    uint32_t link[CDI_LINK], degree;
    if (!cdi_cap_open(s, vertex)) return;
    degree = s->cap.degree;
    cdi_copy(link, s->cap.link, sizeof link);
    for (uint32_t i = 0; i < degree; ++i) cdi_pick_price(s, link[i]);
    cdi_pick_price(s, vertex);
}

/* False, with nothing changed, where the vertex cannot be taken away. */
static bool cdi_pick_drop(cdi_pick *s, uint32_t vertex) {
    uint32_t link[CDI_LINK], degree;
    s->cost[vertex] = -1.0;
    if (!cdi_cap_close(s, vertex)) return false;
    degree = s->cap.degree;
    cdi_copy(link, s->cap.link, sizeof link);
    cdi_pick_remove(s, vertex);
    for (uint32_t i = 0; i < degree; ++i) cdi_pick_price(s, link[i]);
    return true;
}

/* ---- the plan ---- */

/* Dual: the planes chosen so far leave a way to infinity through the face. */
static bool cdi_pick_is_unbounded(const cdi_pick *s, uint32_t face) {
    return s->how->kind == CDI_SELECT_DUAL && s->q.face[face].height >= CDI_UNBOUNDED * 1e-20;
}

static cd_status cdi_pick_grow(cdi_pick *s, uint32_t count) {
    cdi_pick_await_all(s);
    for (uint32_t f = 0; f < s->q.face_count; ++f) cdi_pick_touch(s, f);
    for (;;) {
        uint32_t face = cdi_pick_farthest(s);
        if (face == CD_NONE) return CD_OK;
        if (s->vertex_count >= count && !cdi_pick_is_unbounded(s, face)) return CD_OK;
        if (!cdi_pick_insert(s, face)) return CD_OUT_OF_MEMORY;
    }
}

static void cdi_pick_shrink(cdi_pick *s, uint32_t count) {
    while (s->vertex_count > count) {
        uint32_t vertex = cdi_pick_cheapest(s);
        if (vertex == CD_NONE) return;
        (void)cdi_pick_drop(s, vertex);
    }
}

/* The farthest point comes in for the vertex that is then cheapest, while all errors made are smaller than that mended. */
static cd_status cdi_pick_exchange(cdi_pick *s, uint32_t count) {
    for (uint32_t i = 0; i < s->how->exchanges && s->vertex_count == count; ++i) {
        uint32_t face = cdi_pick_farthest(s), point, vertex;
        double error;
        if (face == CD_NONE) return CD_OK;
        error = s->q.face[face].height;
        point = s->q.face[face].eye;
        if (!cdi_pick_insert(s, face)) return CD_OUT_OF_MEMORY;
        cdi_pick_price_around(s, point);
        if (s->vertex_count <= count) continue;
        vertex = cdi_pick_cheapest(s);
        if (vertex == CD_NONE || s->cost[vertex] >= error) vertex = point;
        if (!cdi_pick_drop(s, vertex)) cdi_pick_shrink(s, count);
        if (vertex == point) return CD_OK;
    }
    return CD_OK;
}

static bool cdi_pick_take(cdi_pick *s, const cd_allocator *allocator) {
    uint32_t most = (uint32_t)cdi_min((double)s->cloud.count, (double)s->how->wanted + (double)s->how->spare);
    s->faces.room = s->vertices.room = (uint32_t)cdi_min(16.0 * most + 256.0, 4e9);
    s->faces.item = (cdi_heap_item *)cdi_alloc(allocator, s->faces.room, sizeof(cdi_heap_item));
    s->vertices.item = (cdi_heap_item *)cdi_alloc(allocator, s->vertices.room, sizeof(cdi_heap_item));
    s->out = (uint32_t *)cdi_alloc(allocator, s->cloud.room, sizeof *s->out);
    s->cost = (double *)cdi_alloc(allocator, s->cloud.room, sizeof *s->cost);
    if (!s->faces.item || !s->vertices.item || !s->out || !s->cost) return false;
    for (uint32_t i = 0; i < s->cloud.room; ++i) {
        s->out[i] = CD_NONE;
        s->cost[i] = -1.0;
    }
    return true;
}

static void cdi_pick_give(cdi_pick *s, const cd_allocator *allocator) {
    cdi_free(allocator, s->faces.item, s->faces.room, sizeof(cdi_heap_item));
    cdi_free(allocator, s->vertices.item, s->vertices.room, sizeof(cdi_heap_item));
    cdi_free(allocator, s->out, s->cloud.room, sizeof *s->out);
    cdi_free(allocator, s->cost, s->cloud.room, sizeof *s->cost);
}

static cd_status cdi_pick_run(cdi_pick *s, const cd_allocator *allocator) {
    uint32_t wanted = s->how->wanted;
    cd_status status = cdi_qh_begin(&s->q, &s->cloud, &s->rule, allocator, NULL);
    if (status != CD_OK) return status;
    if (s->q.dimension < 3) return CD_UNSUPPORTED;
    if (!cdi_pick_take(s, allocator)) return CD_OUT_OF_MEMORY;
    cdi_pick_count(s, 4);
    status = cdi_pick_grow(s, wanted + s->how->spare);
    if (status != CD_OK || (s->vertex_count <= wanted && s->how->exchanges == 0)) return status;
    cdi_pick_price_all(s);
    cdi_pick_shrink(s, wanted);
    return cdi_pick_exchange(s, wanted);
}

static void cdi_pick_write(const cdi_pick *s, uint32_t *chosen, uint32_t *count) {
    *count = 0;
    for (uint32_t i = 0; i < s->cloud.count && *count < s->how->wanted; ++i) {
        if (cdi_pick_is_vertex(s, i)) chosen[(*count)++] = s->cloud.point[i].source;
    }
    if (s->vertex_count > s->how->wanted) *count = 0;
}

CDI_FN cd_status cdi_select(const cdi_cloud_input *input, const cdi_selection *how,
                            const cd_allocator *allocator, uint32_t *chosen, uint32_t *count) {
    cdi_pick s;
    cd_status status;
    cdi_clear(&s, sizeof s);
    s.how = how;
    s.rule.scale = how->kind == CDI_SELECT_DUAL ? cdi_dual_scale : cdi_near_scale;
    s.rule.worth = how->kind == CDI_SELECT_DUAL ? cdi_dual_worth : cdi_near_worth;
    s.rule.user = how->weight;
    status = cdi_cloud_arrange(&s.cloud, input, NULL, input->count, allocator);
    if (status == CD_OK) {
        status = cdi_pick_run(&s, allocator);
        if (status == CD_OK) cdi_pick_write(&s, chosen, count);
        cdi_pick_give(&s, allocator);
        cdi_qh_free(&s.q);
    }
    cdi_cloud_free(&s.cloud, allocator);
    return status;
}
