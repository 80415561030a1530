#include "hull/groups.h"
#include "hull/sums3d.h"

enum { CDI_GROUP_BYTES = 4 * sizeof(uint32_t) + 1 }; /* for each triangle */

static bool cdi_is_triangle(const cdi_qh_face *f) {
    return f->vertex[0] != CD_NONE; /* not a free place */
}

/* Where a point is, rounded to double. */
static cdi_v3 cdi_groups_at(const cdi_groups *g, uint32_t point) {
    cdi_v3 low;
    return cdi_qh_at(g->q, point, &low);
}

/* ---- walking along borders ---- */

CDI_FN uint32_t cdi_next_border(const cdi_groups *g, uint32_t border) {
    uint32_t h = cdi_qh_after(border);
    while (!cdi_is_border(g, h)) h = cdi_qh_after(cdi_qh_twin(g->q, h));
    return h;
}

CDI_FN uint32_t cdi_turn_border(const cdi_groups *g, uint32_t border) {
    uint32_t h = border;
    do {
        h = cdi_qh_twin(g->q, cdi_qh_before(h));
    } while (!cdi_is_border(g, h));
    return h;
}

CDI_FN uint32_t cdi_border_run(const cdi_groups *g, uint32_t border, uint32_t *next) {
    uint32_t h = border;
    *next = cdi_next_border(g, h);
    while (g->rank[cdi_qh_origin(g->q, *next)] == CD_NONE) {
        h = *next;
        *next = cdi_next_border(g, h);
    }
    return h;
}

/* ---- planes ---- */

static double cdi_normal_size(const cdi_qh_face *f) {
    return cdi_v3_max_abs(f->n);
}

/* That of the seed; computed again where rounding got at it. */
CDI_FN cdi_v3 cdi_group_normal(const cdi_groups *g, uint32_t group) {
    const cdi_qh_face *f = &g->q->face[g->seed[group]];
    const double most = sizeof(cd_real) == 4 ? 1e-9 : 1e-14;
    cdi_v3 high[3], low[3];
    if (cdi_qh_normal_is_within(g->q, f, most)) return f->n;
    for (int k = 0; k < 3; ++k) high[k] = cdi_qh_at(g->q, f->vertex[k], &low[k]);
    return cdi_normal_sums(high, low);
}

CDI_FN double cdi_group_offset(const cdi_groups *g, uint32_t group, cdi_v3 normal) {
    const cdi_qh_face *f = &g->q->face[g->seed[group]];
    double most = -CDI_HUGE;
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_v3_dot(normal, cdi_groups_at(g, f->vertex[k])));
    return most;
}

/* ---- coplanar triangles ---- */

static void cdi_group_add(cdi_groups *g, uint32_t face, uint32_t group) {
    cdi_qh *q = g->q;
    g->group[face] = group;
    q->face[face].next = g->number[group];
    g->number[group] = face;
    q->visible[q->visible_count++] = face;
    if (cdi_normal_size(&q->face[face]) > cdi_normal_size(&q->face[g->seed[group]])) g->seed[group] = face;
}

/* The corner of the face across a half-edge that is not on it. */
static uint32_t cdi_opposite(const cdi_qh *q, uint32_t half_edge) {
    return cdi_qh_origin(q, cdi_qh_before(cdi_qh_twin(q, half_edge)));
}

/* All that is coplanar around a face, exactly. */
static void cdi_group_coplanar(cdi_groups *g, uint32_t face) {
    cdi_qh *q = g->q;
    uint32_t group = g->count++;
    g->seed[group] = face;
    g->number[group] = CD_NONE;
    q->visible_count = 0;
    cdi_group_add(g, face, group);
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t h = 4 * q->visible[i], k = 0; k < 3; ++k) {
            uint32_t across = cdi_qh_twin(q, h + k) >> 2;
            if (g->group[across] != CD_NONE) continue;
            if (cdi_qh_height(q, &q->face[h >> 2], cdi_opposite(q, h + k)) == 0.0)
                cdi_group_add(g, across, group);
        }
    }
}

static void cdi_group_all_coplanar(cdi_groups *g) {
    for (uint32_t f = 0; f < g->q->face_count; ++f) {
        if (cdi_is_triangle(&g->q->face[f]) && g->group[f] == CD_NONE) cdi_group_coplanar(g, f);
    }
    g->room = g->count;
}

/* ---- nearly coplanar groups ----
 *
 * From the largest triangles on, each takes the groups around it that stay in the layer under its plane, which no point of the
 * hull is in front of. What was taken is a disk, or is given back. `mark` is the number of the taker. */

typedef struct cdi_layer {
    cdi_v3 n; /* unit */
    double top, depth;
    double deepest; /* of the points in it */
} cdi_layer;

static cdi_layer cdi_layer_under(const cdi_groups *g, uint32_t group, double depth) {
    cdi_layer s;
    s.n = cdi_v3_normalize(cdi_group_normal(g, group));
    s.top = cdi_group_offset(g, group, s.n);
    s.depth = depth;
    s.deepest = 0.0;
    return s;
}

static bool cdi_layer_has(cdi_layer *s, const cdi_groups *g, uint32_t group) {
    cdi_v3 n = cdi_v3_normalize(cdi_group_normal(g, group));
    double deepest = s->deepest;
    if (!(cdi_v3_dot(n, s->n) > 0.5)) return false;
    for (uint32_t f = g->number[group]; f != CD_NONE; f = g->q->face[f].next) {
        for (int k = 0; k < 3; ++k) {
            double under = s->top - cdi_v3_dot(s->n, cdi_groups_at(g, g->q->face[f].vertex[k]));
            if (!(under <= s->depth)) return false;
            deepest = cdi_max(deepest, under);
        }
    }
    s->deepest = deepest;
    return true;
}

/* Appends the coplanar triangles of `group` to those taken. */
static void cdi_take_group(cdi_groups *g, uint32_t group, uint32_t taker) {
    cdi_qh *q = g->q;
    for (uint32_t f = g->number[group]; f != CD_NONE; f = q->face[f].next) {
        q->face[f].seen = group; /* to give it back */
        g->group[f] = taker;
        q->visible[q->visible_count++] = f;
    }
    g->mark[group] = taker;
}

static void cdi_give_groups_back(cdi_groups *g, uint32_t taker) {
    cdi_qh *q = g->q;
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        uint32_t f = q->visible[i], own = q->face[f].seen;
        g->group[f] = own;
        if (own != taker) g->mark[own] = CD_NONE;
    }
}

/* Counts a point of the taken triangles: of new ones, and of borders out of each. q->start: 2 taker + 1, plus 1 when it has one. */
static bool cdi_count_point(cdi_qh *q, uint32_t point, uint32_t taker, bool border, int64_t *points) {
    uint32_t *mark = &q->start[point];
    if (*mark >> 1 != taker + 1) {
        *mark = (taker + 1) << 1;
        ++*points;
    }
    if (border && (*mark & 1u)) return false;
    *mark |= border;
    return true;
}

/* Are the taken triangles a disk whose border meets each point once? V - E + F = 1. */
static bool cdi_is_disk(const cdi_groups *g, uint32_t taker) {
    cdi_qh *q = g->q;
    int64_t points = 0, sides = 0, borders = 0;
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t h = 4 * q->visible[i] + k;
            bool border = cdi_group_of(g, cdi_qh_twin(q, h)) != taker;
            if (!cdi_count_point(q, cdi_qh_origin(q, h), taker, border, &points)) return false;
            ++sides;
            borders += border;
        }
    }
    return points - (sides + borders) / 2 + (int64_t)q->visible_count == 1;
}

/* Above the rounding of depths, and above 0: what was merged is not known to be coplanar. */
static double cdi_depth_error(const cdi_cloud *c) {
    return 8e-16 * cdi_v3_max_abs(c->middle) + 8e-16 * cdi_v3_max_abs(c->reach) + 5e-324;
}

static void cdi_take_around(cdi_groups *g, uint32_t taker, double distance) {
    cdi_qh *q = g->q;
    cdi_layer layer = cdi_layer_under(g, taker, distance);
    uint32_t taken = 0;
    q->visible_count = 0;
    cdi_take_group(g, taker, taker);
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t across = g->group[cdi_qh_twin(q, 4 * q->visible[i] + k) >> 2];
            if (g->mark[across] != CD_NONE || !cdi_layer_has(&layer, g, across)) continue;
            cdi_take_group(g, across, taker);
            ++taken;
        }
    }
    if (taken == 0) return;
    if (cdi_is_disk(g, taker)) {
        g->count -= taken;
        g->flatness = cdi_max(g->flatness, layer.deepest + cdi_depth_error(q->cloud));
    } else {
        cdi_give_groups_back(g, taker);
    }
}

/* The numbers of the groups by the size of their seed's normal, in powers of two, the largest first, in q->horizon. */
static void cdi_order_by_size(const cdi_groups *g, uint32_t *order) {
    uint32_t start[2110], sum = 0;
    cdi_clear(start, sizeof start);
    for (uint32_t i = 0; i < g->room; ++i)
        ++start[1024 - cdi_exponent(cdi_normal_size(&g->q->face[g->seed[i]]))];
    for (int e = 0; e < 2110; ++e) {
        uint32_t n = start[e];
        start[e] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < g->room; ++i)
        order[start[1024 - cdi_exponent(cdi_normal_size(&g->q->face[g->seed[i]]))]++] = i;
}

static void cdi_merge_groups(cdi_groups *g, double distance) {
    cdi_qh *q = g->q;
    for (uint32_t i = 0; i < q->cloud->room; ++i) q->start[i] = 0;
    cdi_order_by_size(g, q->horizon);
    for (uint32_t i = 0; i < g->room; ++i) {
        if (g->mark[q->horizon[i]] == CD_NONE) cdi_take_around(g, q->horizon[i], distance);
    }
}

/* ---- vertices ---- */

static uint32_t cdi_point_count(const cdi_qh *q) {
    return q->cloud->count + (q->apex != CD_NONE);
}

/* Runs `act` for each border. */
#define CDI_EACH_BORDER(g, h, act)                                                                           \
    for (uint32_t f = 0; f < (g)->q->face_count; ++f) {                                                      \
        for (uint32_t h = 4 * f; (h & 3u) < 3; ++h) {                                                        \
            if (cdi_is_border(g, h)) {                                                                       \
                act;                                                                                         \
            }                                                                                                \
        }                                                                                                    \
    }

static void cdi_mark_borders(cdi_groups *g) {
    for (uint32_t f = 0; f < g->q->face_count; ++f) {
        unsigned bits = 0;
        for (uint32_t k = 0; k < 3 && g->group[f] != CD_NONE; ++k)
            bits |= (unsigned)(g->group[f] != cdi_group_of(g, g->q->face[f].twin[k])) << k;
        g->border[f] = (unsigned char)bits;
    }
}

/* Where three or more faces meet; afterwards q->start has a border out of each point on one. */
static void cdi_find_corners(cdi_groups *g) {
    cdi_qh *q = g->q;
    for (uint32_t i = 0; i < cdi_point_count(q); ++i) g->rank[i] = 0;
    CDI_EACH_BORDER(g, h, {
        ++g->rank[cdi_qh_origin(q, h)];
        q->start[cdi_qh_origin(q, h)] = h;
    })
    for (uint32_t i = 0; i < cdi_point_count(q); ++i) g->rank[i] = g->rank[i] >= 3 ? 0 : CD_NONE;
}

/* The corners of the group to the left of a border. */
static uint32_t cdi_corner_count(const cdi_groups *g, uint32_t border) {
    uint32_t h = border, count = 0;
    do {
        count += g->rank[cdi_qh_origin(g->q, h)] != CD_NONE;
        h = cdi_next_border(g, h);
    } while (h != border);
    return count;
}

static void cdi_make_all_corners(const cdi_groups *g, uint32_t border) {
    uint32_t h = border;
    do {
        g->rank[cdi_qh_origin(g->q, h)] = 0;
        h = cdi_next_border(g, h);
    } while (h != border);
}

static void cdi_clear_numbers(cdi_groups *g) {
    for (uint32_t i = 0; i < g->room; ++i) g->number[i] = CD_NONE;
}

/* A face with fewer than three corners keeps all of its points. */
static void cdi_keep_three_corners(cdi_groups *g) {
    cdi_clear_numbers(g);
    CDI_EACH_BORDER(g, h, {
        if (g->number[cdi_group_of(g, h)] == CD_NONE) {
            g->number[cdi_group_of(g, h)] = 0;
            if (cdi_corner_count(g, h) < 3) cdi_make_all_corners(g, h);
        }
    })
}

static double cdi_distance_to_chord(cdi_v3 p, cdi_v3 a, cdi_v3 b) {
    cdi_v3 ab = cdi_v3_sub(b, a), ap = cdi_v3_sub(p, a);
    double square = cdi_v3_sqlength(ab),
           t = square > 0.0 ? cdi_clamp(cdi_v3_dot(ap, ab) / square, 0.0, 1.0) : 0.0;
    return cdi_v3_length(cdi_v3_along(ap, ab, -t));
}

/* Of the points between the ends of an edge the one farthest from it, if farther than `distance`; notes how far the others
 * are. */
static uint32_t cdi_farthest_from_chord(cdi_groups *g, uint32_t border, double distance) {
    uint32_t next, last = cdi_border_run(g, border, &next), best = CD_NONE;
    cdi_v3 a = cdi_groups_at(g, cdi_qh_origin(g->q, border));
    cdi_v3 b = cdi_groups_at(g, cdi_qh_origin(g->q, cdi_qh_twin(g->q, last)));
    double most = 0.0;
    for (uint32_t h = border; h != last;) {
        double far_off;
        h = cdi_next_border(g, h);
        far_off = cdi_distance_to_chord(cdi_groups_at(g, cdi_qh_origin(g->q, h)), a, b);
        if (!(far_off <= CDI_HUGE)) far_off = CDI_HUGE; /* NaN: beyond the range */
        if (far_off > most) {
            most = far_off;
            best = cdi_qh_origin(g->q, h);
        }
    }
    if (most > distance) return best;
    g->flatness = cdi_max(g->flatness, most);
    return CD_NONE;
}

/* The run of borders from a point with a rank to the next one: pieces are split until all are straight. */
static void cdi_straighten_run(cdi_groups *g, uint32_t border, double distance) {
    uint32_t next, at = border, end;
    cdi_border_run(g, border, &next);
    end = next;
    while (at != end) {
        uint32_t keep = cdi_farthest_from_chord(g, at, distance);
        if (keep != CD_NONE) {
            g->rank[keep] = 0;
        } else {
            cdi_border_run(g, at, &next);
            at = next;
        }
    }
}

/* Points with two edges are kept only as far as the edge needs them (Ramer 1972; Douglas and Peucker 1973). */
static void cdi_straighten_edges(cdi_groups *g, double distance) {
    CDI_EACH_BORDER(g, h, {
        if (g->rank[cdi_qh_origin(g->q, h)] != CD_NONE) cdi_straighten_run(g, h, distance);
    })
}

static void cdi_number_vertices(cdi_groups *g) {
    for (uint32_t i = 0; i < cdi_point_count(g->q); ++i) {
        if (g->rank[i] != CD_NONE) g->rank[i] = g->vertex_count++;
    }
}

/* ---- the whole ---- */

CDI_FN bool cdi_groups_make(cdi_groups *g, cdi_qh *q, double distance) {
    cdi_clear(g, sizeof *g);
    g->q = q;
    g->rank = (uint32_t *)cdi_alloc(q->allocator, q->cloud->room, sizeof(uint32_t));
    g->group = (uint32_t *)cdi_alloc(q->allocator, q->face_count, CDI_GROUP_BYTES);
    if (!g->rank || !g->group) return false;
    g->seed = g->group + q->face_count;
    g->number = g->seed + q->face_count;
    g->mark = g->number + q->face_count;
    g->border = (unsigned char *)(g->mark + q->face_count);
    for (uint32_t i = 0; i < q->face_count; ++i) g->group[i] = g->mark[i] = CD_NONE;
    cdi_group_all_coplanar(g);
    if (distance > 0.0) cdi_merge_groups(g, distance);
    cdi_mark_borders(g);
    cdi_find_corners(g);
    if (g->flatness > 0.0) {
        cdi_keep_three_corners(g);
        cdi_straighten_edges(g, distance);
    }
    cdi_number_vertices(g);
    cdi_clear_numbers(g);
    return true;
}

CDI_FN void cdi_groups_free(cdi_groups *g) {
    cdi_free(g->q->allocator, g->rank, g->q->cloud->room, sizeof(uint32_t));
    cdi_free(g->q->allocator, g->group, g->q->face_count, CDI_GROUP_BYTES);
}

#undef CDI_EACH_BORDER
