#include "core/orient.h"
#include "hull/facets.h"
#include "hull/minkowski3.h"

/* An operand: exactly convex, and mirrored in the origin when it is taken away. */
typedef struct cdi_summand {
    cd_hull_parts parts;
    cd_hull made; /* in place of an operand that is only nearly convex, else empty */
    bool mirrored;
} cdi_summand;

/* The walk over the vertices of the sum. A vertex is known by its pair: the first one's vertex times the number of the
 * second one's, plus the second one's. */
typedef struct cdi_minkowski {
    cdi_summand side[2];
    const cd_hull_options *options;
    uint32_t *found, count, room; /* pairs in the order in which they were found */
    uint32_t *slot;               /* a hash table of them with 2 `room` places, free ones CD_NONE */
    cdi_v3 *high, *low;           /* the sums of the pairs, once all are found; room for `count` */
} cdi_minkowski;

/* ---- operands ---- */

static cdi_v3 cdi_summand_at(const cdi_summand *s, uint32_t vertex) {
    cdi_v3 v = cdi_v3_of(s->parts.vertices[vertex]);
    return s->mirrored ? cdi_v3_neg(v) : v;
}

static uint32_t cdi_summand_name(const cdi_summand *s, uint32_t vertex) {
    return s->made.block ? s->parts.sources[vertex] : vertex;
}

/* The vertex where a half-edge ends. */
static uint32_t cdi_summand_end(const cdi_summand *s, uint32_t half_edge) {
    return s->parts.half_edges[s->parts.half_edges[half_edge].twin].origin;
}

static cdi_edge3d cdi_summand_edge(const cdi_summand *s, uint32_t half_edge) {
    cdi_edge3d e;
    e.from = cdi_summand_at(s, s->parts.half_edges[half_edge].origin);
    e.to = cdi_summand_at(s, cdi_summand_end(s, half_edge));
    return e;
}

/* The half-edge that follows around the same vertex, and the one before. */
static uint32_t cdi_summand_turn(const cdi_summand *s, uint32_t half_edge) {
    return s->parts.half_edges[cd_hull_previous(&s->parts, half_edge)].twin;
}
static uint32_t cdi_summand_turn_back(const cdi_summand *s, uint32_t half_edge) {
    return cd_hull_next(&s->parts, s->parts.half_edges[half_edge].twin);
}

static cd_status cdi_summand_begin(cdi_summand *s, const cd_hull *hull, bool mirrored,
                                   const cd_hull_options *options) {
    cd_hull_options plain;
    cd_status status;
    s->mirrored = mirrored;
    s->parts = cd_hull_get_parts(hull);
    if (s->parts.dimension < 0 || ((const cdi_hull_header *)hull->block)->flatness == 0.0) return CD_OK;
    cdi_clear(&plain, sizeof plain);
    plain.allocator = options->allocator;
    plain.executor = options->executor;
    status = cd_hull3_build(&s->made, s->parts.vertices, s->parts.vertex_count, &plain);
    s->parts = cd_hull_get_parts(&s->made);
    return status;
}

/* The vertex that is the last one along x, of these along y, of these along z. */
static uint32_t cdi_summand_last(const cdi_summand *s) {
    uint32_t last = 0;
    for (uint32_t i = 1; i < s->parts.vertex_count; ++i) {
        cdi_v3 p = cdi_summand_at(s, i), q = cdi_summand_at(s, last);
        if (p.x != q.x ? p.x > q.x : p.y != q.y ? p.y > q.y : p.z > q.z) last = i;
    }
    return last;
}

/* ---- is an edge of a summand one of the sum? ----
 *
 * At a vertex of the sum its edges run along edges of the two vertices that it is made of: those that are extreme among
 * all. Seen along such an edge the others lie within less than half a turn. */

/* What is seen along an edge, up to now: nothing, one direction, or those from the right one to the left one. */
typedef struct cdi_fan {
    cdi_edge3d axis, right, left;
    int count;
} cdi_fan;

/* For parallel edges: 1 when they have the same direction, else -1. */
static int cdi_parallel_sign(const cdi_edge3d *a, const cdi_edge3d *b) {
    for (int k = 0; k < 3; ++k) {
        double from = cdi_v3_get(a->from, k), to = cdi_v3_get(a->to, k);
        if (from != to) return (from < to) == (cdi_v3_get(b->from, k) < cdi_v3_get(b->to, k)) ? 1 : -1;
    }
    return -1;
}

/* A component of the cross product of two edges. */
static double cdi_cross_edges(const cdi_edge3d *a, const cdi_edge3d *b, int axis) {
    return cdi_orient_edges(cdi_v3_drop(a->from, axis), cdi_v3_drop(a->to, axis), cdi_v3_drop(b->from, axis),
                            cdi_v3_drop(b->to, axis));
}

/* For f in the plane of the axis and another edge: on the same side of the axis, on the axis' line, or beyond? */
static int cdi_fan_side(const cdi_edge3d *axis, const cdi_edge3d *other, const cdi_edge3d *f) {
    for (int k = 0; k < 3; ++k) {
        int side = cdi_sign(cdi_cross_edges(axis, other, k));
        if (side) return side * cdi_sign(cdi_cross_edges(axis, f, k));
    }
    return 0;
}

/* How f was added to a fan. */
typedef enum cdi_fan_answer {
    CDI_FAN_BROKEN,  /* the axis is not extreme */
    CDI_FAN_ALONG,   /* f is parallel to the axis */
    CDI_FAN_EXTENDED /* f is another direction */
} cdi_fan_answer;

static cdi_fan_answer cdi_fan_along(const cdi_fan *fan, const cdi_edge3d *f) {
    return cdi_parallel_sign(&fan->axis, f) > 0 ? CDI_FAN_ALONG : CDI_FAN_BROKEN;
}

static cdi_fan_answer cdi_fan_first(cdi_fan *fan, const cdi_edge3d *f) {
    if (cdi_fan_side(&fan->axis, f, f) == 0) return cdi_fan_along(fan, f);
    fan->right = fan->left = *f;
    fan->count = 1;
    return CDI_FAN_EXTENDED;
}

static cdi_fan_answer cdi_fan_second(cdi_fan *fan, const cdi_edge3d *f) {
    double turn = cdi_orient_edges3d(&fan->axis, &fan->right, f);
    int side = turn == 0.0 ? cdi_fan_side(&fan->axis, &fan->right, f) : 1;
    if (side == 0) return cdi_fan_along(fan, f);
    if (side < 0) return CDI_FAN_BROKEN;
    if (turn > 0.0) fan->left = *f;
    if (turn < 0.0) fan->right = *f;
    if (turn != 0.0) fan->count = 2;
    return CDI_FAN_EXTENDED;
}

static cdi_fan_answer cdi_fan_add(cdi_fan *fan, const cdi_edge3d *f) {
    double right, left;
    if (fan->count == 0) return cdi_fan_first(fan, f);
    if (fan->count == 1) return cdi_fan_second(fan, f);
    right = cdi_orient_edges3d(&fan->axis, &fan->right, f);
    left = cdi_orient_edges3d(&fan->axis, f, &fan->left);
    if (right == 0.0 && left == 0.0) return cdi_fan_along(fan, f);
    if (right <= 0.0 && left <= 0.0) return CDI_FAN_BROKEN;
    if (left < 0.0) fan->left = *f;
    if (right < 0.0) fan->right = *f;
    return CDI_FAN_EXTENDED;
}

/* The edges of the axis' own vertex are seen between its two neighbours. */
static cdi_fan cdi_fan_of(const cdi_summand *s, uint32_t half_edge) {
    cdi_fan fan;
    uint32_t turn = cdi_summand_turn(s, half_edge), back = cdi_summand_turn_back(s, half_edge);
    fan.axis = cdi_summand_edge(s, half_edge);
    fan.count = 0;
    if (turn != half_edge) {
        cdi_edge3d e = cdi_summand_edge(s, turn);
        cdi_fan_add(&fan, &e);
    }
    if (back != half_edge && back != turn) {
        cdi_edge3d e = cdi_summand_edge(s, back);
        cdi_fan_add(&fan, &e);
    }
    return fan;
}

/* Is the half-edge of the first one an edge of the sum where its origin meets that of `*beside`, a half-edge of the second one
 * (CD_NONE when that is a point)? Then `end` becomes the vertex of the second one at its end, if that is another one.
 * Otherwise `*beside` becomes one that shows it, likely for the next half-edge as well. */
static bool cdi_is_edge_of_sum(const cdi_summand *one, uint32_t half_edge, const cdi_summand *two,
                               uint32_t *beside, uint32_t *end) {
    cdi_fan fan = cdi_fan_of(one, half_edge);
    uint32_t h = *beside;
    if (h == CD_NONE) return true;
    do {
        cdi_edge3d f = cdi_summand_edge(two, h);
        cdi_fan_answer answer = cdi_fan_add(&fan, &f);
        if (answer == CDI_FAN_ALONG) *end = cdi_summand_end(two, h);
        if (answer == CDI_FAN_BROKEN) {
            *beside = h;
            return false;
        }
        h = cdi_summand_turn(two, h);
    } while (h != *beside);
    return true;
}

/* ---- the pairs that were found ---- */

static uint32_t *cdi_minkowski_slot(const cdi_minkowski *m, uint32_t pair) {
    uint32_t mask = 2 * m->room - 1, i = pair * 0x9E3779B1u;
    for (i = (i ^ i >> 15) & mask; m->slot[i] != CD_NONE && m->slot[i] != pair;) i = (i + 1) & mask;
    return &m->slot[i];
}

static void cdi_minkowski_give(const cdi_minkowski *m, uint32_t *found, uint32_t *slot, uint32_t room) {
    cdi_free(&m->options->allocator, found, room, sizeof *found);
    cdi_free(&m->options->allocator, slot, 2 * (size_t)room, sizeof *slot);
}

static bool cdi_minkowski_grow(cdi_minkowski *m) {
    cdi_minkowski grown = *m;
    grown.room = m->room ? 2 * m->room : 64;
    grown.found = (uint32_t *)cdi_alloc(&m->options->allocator, grown.room, sizeof *m->found);
    grown.slot = (uint32_t *)cdi_alloc(&m->options->allocator, 2 * (size_t)grown.room, sizeof *m->slot);
    if (!grown.found || !grown.slot) {
        cdi_minkowski_give(m, grown.found, grown.slot, grown.room);
        return false;
    }
    for (uint32_t i = 0; i < 2 * grown.room; ++i) grown.slot[i] = CD_NONE;
    for (uint32_t i = 0; i < m->count; ++i) {
        grown.found[i] = m->found[i];
        *cdi_minkowski_slot(&grown, m->found[i]) = m->found[i];
    }
    cdi_minkowski_give(m, m->found, m->slot, m->room);
    *m = grown;
    return true;
}

static cd_status cdi_minkowski_add(cdi_minkowski *m, const uint32_t vertex[2]) {
    uint32_t pair = vertex[0] * m->side[1].parts.vertex_count + vertex[1], *slot;
    if (m->count == m->room && !cdi_minkowski_grow(m)) return CD_OUT_OF_MEMORY;
    slot = cdi_minkowski_slot(m, pair);
    if (*slot == pair) return CD_OK;
    if (m->count == CDI_HULL_MOST) return CD_TOO_LARGE;
    *slot = m->found[m->count++] = pair;
    return CD_OK;
}

/* ---- the walk ---- */

/* The ends of the edges of the sum at a vertex that run along edges of one side. */
static cd_status cdi_minkowski_leave(cdi_minkowski *m, const uint32_t vertex[2], int side) {
    const cdi_summand *one = &m->side[side], *two = &m->side[1 - side];
    uint32_t first = one->parts.outgoing[vertex[side]], h = first;
    uint32_t beside = two->parts.outgoing[vertex[1 - side]];
    cd_status status = CD_OK;
    if (first == CD_NONE) return CD_OK;
    do {
        uint32_t end[2];
        end[side] = cdi_summand_end(one, h);
        end[1 - side] = vertex[1 - side];
        if (cdi_is_edge_of_sum(one, h, two, &beside, &end[1 - side])) status = cdi_minkowski_add(m, end);
        h = cdi_summand_turn(one, h);
    } while (h != first && status == CD_OK);
    return status;
}

static bool cdi_minkowski_goes_on(const cdi_minkowski *m, uint32_t done) {
    const cd_executor *e = &m->options->executor;
    return !e->progress || (done & 1023u) != 1023u || e->progress(e->user, 0.0f);
}

/* All vertices of the sum, from one of them along its edges. */
static cd_status cdi_minkowski_walk(cdi_minkowski *m) {
    uint32_t vertex[2];
    cd_status status;
    vertex[0] = cdi_summand_last(&m->side[0]);
    vertex[1] = cdi_summand_last(&m->side[1]);
    status = cdi_minkowski_add(m, vertex);
    for (uint32_t i = 0; i < m->count && status == CD_OK; ++i) {
        vertex[0] = m->found[i] / m->side[1].parts.vertex_count;
        vertex[1] = m->found[i] % m->side[1].parts.vertex_count;
        status = cdi_minkowski_leave(m, vertex, 0);
        if (status == CD_OK) status = cdi_minkowski_leave(m, vertex, 1);
        if (status == CD_OK && !cdi_minkowski_goes_on(m, i)) status = CD_CANCELLED;
    }
    return status;
}

/* ---- the hull of the sums ---- */

static void cdi_exact_sum(double a, double b, double *high, double *low) {
    if (cdi_abs(a) >= cdi_abs(b)) {
        cdi_fast_two_sum(a, b, high, low);
    } else {
        cdi_fast_two_sum(b, a, high, low);
    }
    *high += 0.0; /* no negative zeros */
}

static bool cdi_minkowski_take_sums(cdi_minkowski *m) {
    const cd_allocator *allocator = &m->options->allocator;
    m->high = (cdi_v3 *)cdi_alloc(allocator, m->count, sizeof *m->high);
    m->low = (cdi_v3 *)cdi_alloc(allocator, m->count, sizeof *m->low);
    if (!m->high || !m->low) return false;
    for (uint32_t i = 0; i < m->count; ++i) {
        cdi_v3 a = cdi_summand_at(&m->side[0], m->found[i] / m->side[1].parts.vertex_count);
        cdi_v3 b = cdi_summand_at(&m->side[1], m->found[i] % m->side[1].parts.vertex_count);
        cdi_exact_sum(a.x, b.x, &m->high[i].x, &m->low[i].x);
        cdi_exact_sum(a.y, b.y, &m->high[i].y, &m->low[i].y);
        cdi_exact_sum(a.z, b.z, &m->high[i].z, &m->low[i].z);
    }
    return true;
}

static cdi_v3 cdi_sum_rounded_off(cdi_v3 high, cdi_v3 low, cd_vec3 rounded) {
    return cdi_v3_add(cdi_v3_sub(high, cdi_v3_of(rounded)), low);
}

/* Sources become pairs; flatness and deviation tell what the rounding of the vertices did. */
static void cdi_minkowski_name(const cdi_minkowski *m, cdi_hull_header *header, uint32_t b_count) {
    cdi_hull_arrays to = cdi_hull_open(header);
    uint32_t count = m->side[1].parts.vertex_count;
    double most = 0.0;
    CDI_ASSERT(header->vertex_count == m->count); /* the walk found vertices only */
    for (uint32_t i = 0; i < header->vertex_count; ++i) {
        uint32_t from = to.sources[i], pair = m->found[from];
        cdi_v3 off = cdi_sum_rounded_off(m->high[from], m->low[from], to.vertices[i]);
        most = cdi_max(most, cdi_v3_length(off));
        to.sources[i] = cdi_summand_name(&m->side[0], pair / count) * b_count +
                        cdi_summand_name(&m->side[1], pair % count);
    }
    if (most == 0.0) return;
    header->deviation = (double)cdi_next_real((cd_real)(most * (1.0 + 1e-15)), true);
    header->flatness = (double)cdi_next_real((cd_real)(2.0 * header->deviation), true);
}

static cd_status cdi_minkowski_write(const cdi_minkowski *m, cd_hull *out, cdi_qh *q, uint32_t b_count) {
    cd_status status = cdi_facets_write(out, q, 0.0);
    if (status == CD_OK) cdi_minkowski_name(m, (cdi_hull_header *)(void *)out->block, b_count);
    return status;
}

/* ---- all together ---- */

/* What is asked for: the hull, or where the origin is; the other one is NULL. */
typedef struct cdi_minkowski_goal {
    cd_hull *out;
    int *where;
} cdi_minkowski_goal;

/* Does the sum of the boxes fit between -most and most? And does it hold the origin? */
static bool cdi_minkowski_fits(const cdi_minkowski *m, double most, bool *holds_origin) {
    double lo[2][3], hi[2][3];
    bool fits = true;
    *holds_origin = true;
    for (int s = 0; s < 2; ++s) {
        for (uint32_t i = 0; i < m->side[s].parts.vertex_count; ++i) {
            cdi_v3 p = cdi_summand_at(&m->side[s], i);
            for (int k = 0; k < 3; ++k) {
                double x = cdi_v3_get(p, k);
                if (i == 0) lo[s][k] = hi[s][k] = x;
                lo[s][k] = cdi_min(lo[s][k], x);
                hi[s][k] = cdi_max(hi[s][k], x);
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        fits = fits && lo[0][k] + lo[1][k] >= -most && hi[0][k] + hi[1][k] <= most;
        if (lo[0][k] > -lo[1][k] || hi[0][k] < -hi[1][k]) *holds_origin = false;
    }
    return fits;
}

static cd_status cdi_minkowski_solve(cdi_minkowski *m, const cdi_minkowski_goal *goal, uint32_t b_count) {
    const cd_hull_options *o = m->options;
    cdi_cloud_input input;
    cdi_cloud cloud;
    cdi_qh q;
    cd_status status;
    if (!cdi_minkowski_take_sums(m)) return CD_OUT_OF_MEMORY;
    cdi_clear(&input, sizeof input);
    input.high = m->high;
    input.low = m->low;
    input.count = m->count;
    status = cdi_cloud_arrange(&cloud, &input, NULL, m->count, &o->allocator);
    if (status != CD_OK) return status;
    status = cdi_qh_build(&q, &cloud, &o->allocator, &o->executor);
    if (status == CD_OK && goal->where) *goal->where = cdi_qh_locate(&q, cdi_v3_make(0.0, 0.0, 0.0));
    if (status == CD_OK && goal->out) status = cdi_minkowski_write(m, goal->out, &q, b_count);
    cdi_qh_free(&q);
    cdi_cloud_free(&cloud, &o->allocator);
    return status;
}

static cd_status cdi_minkowski_of(cdi_minkowski *m, const cdi_minkowski_goal *goal, uint32_t b_count) {
    bool holds_origin;
    cd_status status;
    if (!cdi_minkowski_fits(m, 0.5 * (goal->out ? (double)CD_REAL_MAX : CDI_HUGE), &holds_origin))
        return goal->out || holds_origin ? CD_TOO_LARGE : CD_OK;
    if (!goal->out && !holds_origin) return CD_OK;
    status = cdi_minkowski_walk(m);
    return status == CD_OK ? cdi_minkowski_solve(m, goal, b_count) : status;
}

static void cdi_minkowski_free(cdi_minkowski *m) {
    const cd_allocator *allocator = &m->options->allocator;
    cdi_minkowski_give(m, m->found, m->slot, m->room);
    cdi_free(allocator, m->high, m->count, sizeof *m->high);
    cdi_free(allocator, m->low, m->count, sizeof *m->low);
    cd_hull_destroy(&m->side[0].made);
    cd_hull_destroy(&m->side[1].made);
}

static cd_status cdi_minkowski_run(const cdi_minkowski_goal *goal, const cd_hull *a, const cd_hull *b,
                                   bool mirrored, const cd_hull_options *options) {
    cd_hull_options o;
    cdi_minkowski m;
    uint32_t b_count = cd_hull_get_parts(b).vertex_count;
    cd_status status;
    cdi_clear(&o, sizeof o);
    cdi_clear(&m, sizeof m);
    if (options) o = *options;
    m.options = &o;
    if (cd_hull_get_parts(a).vertex_count * (uint64_t)b_count >= CD_NONE) return CD_TOO_LARGE;
    status = cdi_summand_begin(&m.side[0], a, false, &o);
    if (status == CD_OK) status = cdi_summand_begin(&m.side[1], b, mirrored, &o);
    if (status == CD_OK && m.side[0].parts.dimension >= 0 && m.side[1].parts.dimension >= 0)
        status = cdi_minkowski_of(&m, goal, b_count);
    cdi_minkowski_free(&m);
    return status;
}

/* ---- the interface ---- */

static cd_status cdi_minkowski_build(cd_hull *out, const cd_hull *a, const cd_hull *b, bool mirrored,
                                     const cd_hull_options *options) {
    cdi_minkowski_goal goal;
    cd_hull made;
    cd_status status;
    cdi_clear(&made, sizeof made);
    goal.out = &made;
    goal.where = NULL;
    status = cdi_minkowski_run(&goal, a, b, mirrored, options);
    *out = made;
    return status;
}

CD_API cd_status cd_minkowski_sum3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                   const cd_hull_options *options) {
    return cdi_minkowski_build(out, a, b, false, options);
}

CD_API cd_status cd_minkowski_difference3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                          const cd_hull_options *options) {
    return cdi_minkowski_build(out, a, b, true, options);
}

CD_API cd_minkowski_pair cd_minkowski_pair_of(uint32_t source, const cd_hull *b) {
    uint32_t count = cd_hull_get_parts(b).vertex_count;
    cd_minkowski_pair pair;
    pair.a = source == CD_NONE || count == 0 ? CD_NONE : source / count;
    pair.b = source == CD_NONE || count == 0 ? CD_NONE : source % count;
    return pair;
}

CD_API cd_status cd_minkowski_locate_origin3(int *where, const cd_hull *a, const cd_hull *b,
                                             const cd_hull_options *options) {
    cdi_minkowski_goal goal;
    cd_status status;
    int found = -1;
    goal.out = NULL;
    goal.where = &found;
    status = cdi_minkowski_run(&goal, a, b, true, options);
    *where = status == CD_OK ? found : -1;
    return status;
}
