#include "hull/quickhull.h"
#include "hull/sums3d.h"

/* ---- heights ---- */

static cdi_v3 cdi_qh_about(const cdi_qh *q, uint32_t point) {
    const cdi_cloud_point *p = &q->cloud->point[point];
    return cdi_v3_make(p->x, p->y, p->z);
}

CDI_FN cdi_v3 cdi_qh_at(const cdi_qh *q, uint32_t point, cdi_v3 *low) {
    const cdi_cloud_input *in = &q->cloud->input;
    uint32_t source = q->cloud->point[point].source;
    *low = point == q->apex ? q->apex_low : cdi_v3_make(0.0, 0.0, 0.0);
    if (point == q->apex) return q->apex_at;
    if (in->low) *low = in->low[source];
    return cdi_cloud_input_at(in, source);
}

/* Minus det [a-p; b-p; c-p]: positive in front of a counter-clockwise a, b, c. */
static double cdi_qh_exact_height(const cdi_qh *q, const uint32_t v[3], uint32_t point) {
    cdi_v3 high[4], low[4];
    bool plain = true;
    for (int i = 0; i < 4; ++i) {
        high[i] = cdi_qh_at(q, i < 3 ? v[i] : point, &low[i]);
        plain = plain && cdi_v3_is_zero(low[i]);
    }
    if (plain) return -cdi_orient3d(high[0], high[1], high[2], high[3]);
    return -cdi_orient3d_sums(high, low);
}

CDI_FN double cdi_qh_height(const cdi_qh *q, const cdi_qh_face *f, uint32_t point) {
    const cdi_cloud_point *p = &q->cloud->point[point];
    double height = f->n.x * p->x + f->n.y * p->y + f->n.z * p->z - f->d;
    return cdi_abs(height) > f->error ? height : cdi_qh_exact_height(q, f->vertex, point);
}

/* The normal of a triangle, the sums of the magnitudes of its terms, and errors of it that come from its corners. */
typedef struct cdi_qh_normal {
    cdi_v3 at, n, size, wrong;
} cdi_qh_normal;

static cdi_qh_normal cdi_qh_normal_of(const cdi_qh *q, const uint32_t vertex[3]) {
    const cdi_v3 reach = q->cloud->reach, slack = q->cloud->slack;
    cdi_v3 a = cdi_qh_about(q, vertex[0]);
    cdi_v3 u = cdi_v3_sub(cdi_qh_about(q, vertex[1]), a), v = cdi_v3_sub(cdi_qh_about(q, vertex[2]), a);
    cdi_v3 mu = cdi_v3_make(cdi_abs(u.x), cdi_abs(u.y), cdi_abs(u.z));
    cdi_v3 mv = cdi_v3_make(cdi_abs(v.x), cdi_abs(v.y), cdi_abs(v.z));
    cdi_v3 off = cdi_v3_add(cdi_v3_scale(slack, 2.1), cdi_v3_scale(reach, 6e-16));
    cdi_v3 sum = cdi_v3_add(cdi_v3_add(mu, mv), off);
    cdi_qh_normal r;
    r.at = a;
    r.n = cdi_v3_cross(u, v);
    r.size = cdi_v3_make(mu.y * mv.z + mu.z * mv.y, mu.z * mv.x + mu.x * mv.z, mu.x * mv.y + mu.y * mv.x);
    r.wrong = cdi_v3_make(off.y * sum.z + off.z * sum.y, off.z * sum.x + off.x * sum.z,
                          off.x * sum.y + off.y * sum.x);
    r.wrong = cdi_v3_add(r.wrong, cdi_v3_make(1e-300, 1e-300, 1e-300));
    return r;
}

/* The plane of a face about the middle of the cloud, and a bound of the error of heights above it.
 *
 * A coordinate is off by `slack` and by half a unit in its last place, a difference of two by a bit more than twice that:
 * `off`. That gives the error of each component of n, which counts twice the reach of the cloud; the products of
 * n . p and n . a are rounded as well. The constants are generous by a third; 1e-300 covers what underflows. */
static void cdi_qh_plane(const cdi_qh *q, cdi_qh_face *f) {
    const cdi_v3 reach = q->cloud->reach, slack = q->cloud->slack;
    cdi_qh_normal n = cdi_qh_normal_of(q, f->vertex);
    f->n = n.n;
    f->d = cdi_v3_dot(n.n, n.at);
    f->error = 2.7 * cdi_v3_dot(n.wrong, reach) + 2.7 * cdi_v3_dot(n.size, slack) +
               4e-15 * cdi_v3_dot(n.size, reach) + 1e-300;
}

/* The error of heights has that of each component times a reach in it. */
CDI_FN bool cdi_qh_normal_is_within(const cdi_qh *q, const cdi_qh_face *f, double most) {
    const cdi_v3 reach = q->cloud->reach;
    double least = cdi_min(cdi_min(reach.x, reach.y), reach.z), size = cdi_v3_max_abs(f->n);
    cdi_qh_normal n;
    if (!(size < CDI_HUGE)) return false;
    if (f->error < most * size * least) return true;
    n = cdi_qh_normal_of(q, f->vertex);
    return 1.4 * cdi_v3_max_abs(n.wrong) + 6e-16 * cdi_v3_max_abs(n.size) < most * size;
}

/* ---- memory ---- */

static bool cdi_qh_grow(cdi_qh *q) {
    uint32_t room = q->room ? 2 * q->room : 64;
    cdi_qh grown = *q;
    grown.face = (cdi_qh_face *)cdi_alloc(q->allocator, room, sizeof *q->face);
    grown.visible = (uint32_t *)cdi_alloc(q->allocator, 2 * (size_t)room, sizeof *q->visible);
    if (!grown.face || !grown.visible) {
        cdi_free(q->allocator, grown.face, room, sizeof *q->face);
        cdi_free(q->allocator, grown.visible, 2 * (size_t)room, sizeof *q->visible);
        return false;
    }
    grown.horizon = grown.visible + room;
    if (q->face) cdi_copy(grown.face, q->face, q->face_count * sizeof *q->face);
    cdi_free(q->allocator, q->face, q->room, sizeof *q->face);
    cdi_free(q->allocator, q->visible, 2 * (size_t)q->room, sizeof *q->visible);
    grown.room = room;
    *q = grown;
    return true;
}

CDI_FN void cdi_qh_free(cdi_qh *q) {
    uint32_t points = q->cloud ? q->cloud->room : 0;
    cdi_free(q->allocator, q->face, q->room, sizeof *q->face);
    cdi_free(q->allocator, q->visible, 2 * (size_t)q->room, sizeof *q->visible);
    cdi_free(q->allocator, q->start, points, sizeof *q->start);
    cdi_free(q->allocator, q->where, points, sizeof *q->where);
    cdi_clear(q, sizeof *q);
}

CDI_FN uint32_t cdi_qh_take_face(cdi_qh *q) {
    uint32_t f = q->free_face;
    if (f == CD_NONE) return q->face_count++;
    q->free_face = q->face[f].next;
    return f;
}

CDI_FN void cdi_qh_give_face(cdi_qh *q, uint32_t f) {
    q->face[f].vertex[0] = CD_NONE;
    q->face[f].next = q->free_face;
    q->free_face = f;
}

/* ---- faces and their points ---- */

CDI_FN void cdi_qh_set_face(const cdi_qh *q, cdi_qh_face *f, uint32_t a, uint32_t b, uint32_t c) {
    f->vertex[0] = a;
    f->vertex[1] = b;
    f->vertex[2] = c;
    f->points = f->eye = CD_NONE;
    f->height = 0.0;
    f->seen = 0;
    cdi_qh_plane(q, f);
    if (q->rule) f->scale = q->rule->scale(q, f);
}

CDI_FN void cdi_qh_join(cdi_qh *q, uint32_t g, uint32_t h) {
    q->face[g >> 2].twin[g & 3u] = h;
    q->face[h >> 2].twin[h & 3u] = g;
}

static void cdi_qh_list(cdi_qh *q, uint32_t point, uint32_t face, double height) {
    cdi_qh_face *f = &q->face[face];
    if (!(height >= 0.0)) height = 0.0;
    if (f->eye == CD_NONE || height > f->height || (height == f->height && point < f->eye)) {
        f->height = height;
        f->eye = point;
    }
    q->cloud->point[point].next = f->points;
    f->points = point;
    if (q->where) q->where[point] = face;
}

/* The face that the point is highest above, and how high; CD_NONE when it is above none. */
static uint32_t cdi_qh_highest(const cdi_qh *q, uint32_t point, const uint32_t *faces, uint32_t count,
                               double *most) {
    uint32_t best = CD_NONE;
    *most = -1.0;
    for (uint32_t i = 0; i < count; ++i) {
        const cdi_qh_face *f = &q->face[faces[i]];
        double height = cdi_qh_height(q, f, point);
        if (height <= 0.0 || height * f->scale <= *most) continue;
        *most = height * f->scale;
        best = faces[i];
    }
    return best;
}

/* Puts the point into the list of the first of the faces that it is in front of; where there is none it is inside. */
CDI_FN void cdi_qh_assign(cdi_qh *q, uint32_t point, const uint32_t *faces, uint32_t count) {
    uint32_t i = 0, best;
    double height = 0.0;
    if (q->rule) {
        best = cdi_qh_highest(q, point, faces, count, &height);
        if (best != CD_NONE) cdi_qh_list(q, point, best, q->rule->worth(q, &q->face[best], point, height));
        return;
    }
    while (i < count && (height = cdi_qh_height(q, &q->face[faces[i]], point)) <= 0.0) ++i;
    q->work += i + 1;
    if (i < count) {
        cdi_qh_list(q, point, faces[i], height);
    } else {
        ++q->settled;
        if (q->where) q->where[point] = CD_NONE;
    }
}

static void cdi_qh_await(cdi_qh *q, uint32_t id) {
    cdi_qh_face *f = &q->face[id];
    if (f->points == CD_NONE || q->rule) return; /* under a rule the user keeps order */
    f->previous = CD_NONE;
    f->next = q->pending;
    if (q->pending != CD_NONE) q->face[q->pending].previous = id;
    q->pending = id;
}

static void cdi_qh_await_no_more(cdi_qh *q, const cdi_qh_face *f) {
    if (f->points == CD_NONE || q->rule) return;
    if (f->next != CD_NONE) q->face[f->next].previous = f->previous;
    if (f->previous == CD_NONE) {
        q->pending = f->next;
    } else {
        q->face[f->previous].next = f->next;
    }
}

/* ---- one more point ---- */

static bool cdi_qh_sees(cdi_qh *q, uint32_t point, uint32_t face) {
    cdi_qh_face *f = &q->face[face];
    if (f->seen >> 1 != q->insertion) {
        f->seen = q->insertion << 1;
        if (cdi_qh_height(q, f, point) > 0.0) {
            f->seen |= 1u;
            q->visible[q->visible_count++] = face;
        }
    }
    return (f->seen & 1u) != 0;
}

/* All faces that the point sees, from one of them, and the half-edges on the far side of the horizon. */
static void cdi_qh_find_horizon(cdi_qh *q, uint32_t point, uint32_t face) {
    ++q->insertion;
    q->visible_count = q->horizon_count = 0;
    q->face[face].seen = q->insertion << 1 | 1u;
    q->visible[q->visible_count++] = face;
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            uint32_t beyond = q->face[q->visible[i]].twin[k];
            if (!cdi_qh_sees(q, point, beyond >> 2)) q->horizon[q->horizon_count++] = beyond;
        }
    }
    q->work += 3 * (uint64_t)q->visible_count;
}

/* Frees the visible faces; their lists remain in q->visible. */
static void cdi_qh_remove_visible(cdi_qh *q) {
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        uint32_t id = q->visible[i];
        cdi_qh_await_no_more(q, &q->face[id]);
        q->visible[i] = q->face[id].points;
        cdi_qh_give_face(q, id);
    }
}

/* A fan of new faces from the horizon to the point; they replace the half-edges in q->horizon. */
static void cdi_qh_make_cone(cdi_qh *q, uint32_t point) {
    for (uint32_t i = 0; i < q->horizon_count; ++i) {
        uint32_t beyond = q->horizon[i], id = cdi_qh_take_face(q);
        uint32_t a = cdi_qh_origin(q, cdi_qh_after(beyond)), b = cdi_qh_origin(q, beyond);
        cdi_qh_set_face(q, &q->face[id], a, b, point);
        cdi_qh_join(q, 4 * id, beyond);
        q->start[a] = id;
        q->horizon[i] = id;
    }
    for (uint32_t i = 0; i < q->horizon_count; ++i) {
        uint32_t id = q->horizon[i], neighbour = q->start[q->face[id].vertex[1]];
        cdi_qh_join(q, 4 * id + 1, 4 * neighbour + 2);
    }
}

/* The points of the faces that went go to the new ones. */
static void cdi_qh_hand_over(cdi_qh *q, uint32_t inserted) {
    for (uint32_t i = 0; i < q->visible_count; ++i) {
        for (uint32_t point = q->visible[i], next; point != CD_NONE; point = next) {
            next = q->cloud->point[point].next;
            if (point != inserted) cdi_qh_assign(q, point, q->horizon, q->horizon_count);
        }
    }
    for (uint32_t i = 0; i < q->horizon_count; ++i) cdi_qh_await(q, q->horizon[i]);
}

/* A hull of v points has at most 2 v - 4 faces: one point more, two faces more. */
CDI_FN bool cdi_qh_insert(cdi_qh *q, uint32_t point, uint32_t face) {
    if (q->room - q->face_count < 2 && !cdi_qh_grow(q)) return false;
    cdi_qh_find_horizon(q, point, face);
    cdi_qh_remove_visible(q);
    cdi_qh_make_cone(q, point);
    cdi_qh_hand_over(q, point);
    if (q->where) q->where[point] = CD_NONE;
    ++q->settled;
    CDI_COUNT(build);
    return true;
}

/* ---- the first simplex ---- */

/* Two points far apart; false when there is only one. */
static bool cdi_qh_first_edge(cdi_qh *q) {
    uint32_t extreme[6] = {0, 0, 0, 0, 0, 0};
    double most = -1.0;
    for (uint32_t i = 1; i < q->cloud->count; ++i) {
        cdi_v3 p = cdi_qh_about(q, i);
        for (int k = 0; k < 3; ++k) {
            double x = cdi_v3_get(p, k);
            if (x < cdi_v3_get(cdi_qh_about(q, extreme[2 * k]), k)) extreme[2 * k] = i;
            if (x > cdi_v3_get(cdi_qh_about(q, extreme[2 * k + 1]), k)) extreme[2 * k + 1] = i;
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < i; ++j) {
            double length =
                cdi_v3_length(cdi_v3_sub(cdi_qh_about(q, extreme[i]), cdi_qh_about(q, extreme[j])));
            if (extreme[i] == extreme[j] || length <= most) continue;
            most = length;
            q->corner[0] = extreme[j];
            q->corner[1] = extreme[i];
        }
    }
    if (most < 0.0 && q->cloud->count > 1) { /* all the same about the middle */
        q->corner[0] = 0;
        q->corner[1] = 1;
    }
    return q->cloud->count > 1;
}

/* A normal component of the plane through the two corners and the point, with the exact sign. */
static double cdi_qh_shadow(const cdi_qh *q, uint32_t point, int axis) {
    cdi_v3 high[3], low[3];
    for (int i = 0; i < 3; ++i) high[i] = cdi_qh_at(q, i < 2 ? q->corner[i] : point, &low[i]);
    return cdi_orient2d_sums(high, low, axis);
}

static bool cdi_qh_is_off_line(const cdi_qh *q, uint32_t point) {
    return cdi_qh_shadow(q, point, 0) != 0.0 || cdi_qh_shadow(q, point, 1) != 0.0 ||
           cdi_qh_shadow(q, point, 2) != 0.0;
}

/* A third corner far from the line of the two; false when all are on it. */
static bool cdi_qh_first_triangle(cdi_qh *q) {
    cdi_v3 a = cdi_qh_about(q, q->corner[0]);
    cdi_v3 along = cdi_v3_normalize(cdi_v3_sub(cdi_qh_about(q, q->corner[1]), a));
    double most = -1.0;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        cdi_v3 off = cdi_v3_cross(along, cdi_v3_sub(cdi_qh_about(q, i), a));
        double distance = cdi_abs(off.x) + cdi_abs(off.y) + cdi_abs(off.z);
        if (distance > most) {
            most = distance;
            q->corner[2] = i;
        }
    }
    if (most >= 0.0 && cdi_qh_is_off_line(q, q->corner[2])) return true;
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        q->corner[2] = i;
        if (cdi_qh_is_off_line(q, i)) return true;
    }
    return false;
}

/* A fourth corner far from the plane of the three, which are turned so that it is behind; false when all are on it. */
static bool cdi_qh_first_tetrahedron(cdi_qh *q) {
    cdi_qh_face base;
    double most = 0.0;
    cdi_clear(&base, sizeof base);
    for (int k = 0; k < 3; ++k) base.vertex[k] = q->corner[k];
    cdi_qh_plane(q, &base);
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        double height = cdi_qh_height(q, &base, i);
        if (cdi_abs(height) <= cdi_abs(most)) continue;
        most = height;
        q->corner[3] = i;
    }
    if (most > 0.0) {
        q->corner[1] = base.vertex[2];
        q->corner[2] = base.vertex[1];
    }
    return most != 0.0;
}

/* For points in a plane: a point off it, along an axis that is not in the plane: exactly so from one of them. Points that
 * differ in `low` alone have no reach, but slack. */
static void cdi_qh_add_apex(cdi_qh *q) {
    cdi_cloud *c = q->cloud;
    cdi_cloud_point *apex = &c->point[c->count];
    int axis = 0;
    cdi_v3 low, at = cdi_qh_at(q, q->corner[0], &low), reach = c->reach;
    double step = cdi_v3_max_abs(cdi_v3_add(reach, c->slack)), about[3], furthest[3];
    while (axis < 2 && cdi_qh_shadow(q, q->corner[2], axis) == 0.0) ++axis;
    cdi_v3_store(about, at);
    step = cdi_min(cdi_max(step, 0.5 * cdi_abs(about[axis])), CDI_HUGE);
    about[axis] += about[axis] > 0.0 ? -step : step;
    q->apex = c->count;
    q->apex_at = cdi_v3_make(about[0], about[1], about[2]);
    q->apex_low = low;
    cdi_v3_store(about, cdi_v3_sub(q->apex_at, c->middle));
    cdi_v3_store(furthest, reach);
    furthest[axis] = cdi_max(furthest[axis], cdi_abs(about[axis]));
    c->reach = cdi_v3_make(furthest[0], furthest[1], furthest[2]);
    apex->x = about[0];
    apex->y = about[1];
    apex->z = about[2];
    apex->source = CD_NONE;
    q->corner[3] = q->apex;
}

/* The ends of points in a line. */
static void cdi_qh_find_ends(cdi_qh *q) {
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        if (i == 0 || cdi_cloud_before(q->cloud, i, q->corner[0])) q->corner[0] = i;
        if (i == 0 || cdi_cloud_before(q->cloud, q->corner[1], i)) q->corner[1] = i;
    }
}

/* The corners of the first simplex, turned so that its faces are as in cdi_qh_first_faces; sets the dimension. */
static void cdi_qh_first_simplex(cdi_qh *q) {
    q->dimension = q->cloud->count == 0           ? -1
                   : !cdi_qh_first_edge(q)        ? 0
                   : !cdi_qh_first_triangle(q)    ? 1
                   : !cdi_qh_first_tetrahedron(q) ? 2
                                                  : 3;
    if (q->dimension == 1) cdi_qh_find_ends(q);
    if (q->dimension == 2) {
        cdi_qh_add_apex(q);
        if (cdi_qh_exact_height(q, q->corner, q->apex) > 0.0) {
            uint32_t t = q->corner[1];
            q->corner[1] = q->corner[2];
            q->corner[2] = t;
        }
    }
}

static void cdi_qh_first_faces(cdi_qh *q) {
    static const unsigned char corners[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
    uint32_t faces[4];
    for (uint32_t i = 0; i < 4; ++i) {
        faces[i] = cdi_qh_take_face(q);
        cdi_qh_set_face(q, &q->face[i], q->corner[corners[i][0]], q->corner[corners[i][1]],
                        q->corner[corners[i][2]]);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        cdi_qh_join(q, k, 4 * (k + 1));
        cdi_qh_join(q, 4 * (k + 1) + 1, 4 * ((k + 2) % 3 + 1) + 2);
    }
    for (uint32_t i = 0; i < q->cloud->count; ++i) {
        if (i != q->corner[0] && i != q->corner[1] && i != q->corner[2] && i != q->corner[3])
            cdi_qh_assign(q, i, faces, 4);
    }
    for (uint32_t i = 0; i < 4; ++i) cdi_qh_await(q, i);
}

/* ---- the whole ---- */

CDI_FN bool cdi_qh_tell_progress(const cdi_qh *q, double done) {
    const cd_executor *e = q->executor;
    return !e || !e->progress || e->progress(e->user, (float)done);
}

static bool cdi_qh_goes_on(const cdi_qh *q) {
    if ((q->insertion & 1023u) != 1023u) return true;
    return cdi_qh_tell_progress(q, 0.9 * (double)q->settled / (double)q->cloud->count);
}

CDI_FN uint64_t cdi_qh_allowance(uint32_t count) {
    return 64u * (uint64_t)count * (uint64_t)(cdi_exponent((double)count) + 1);
}

/* A one-to-one map of the numbers below 2^bits, which are mixed well. */
static uint32_t cdi_qh_shuffle(uint32_t i, int bits) {
    uint32_t mask = 0xFFFFFFFFu >> (32 - bits);
    for (int round = 0; round < 3; ++round) {
        i = (i * 0x9E3779B1u + 0x7F4A7C15u) & mask;
        i ^= i >> (bits / 2 + 1);
    }
    return i;
}

/* Where the farthest points split the others badly, all that are left go in at random: that takes an expected n log n tests
 * for any input (Clarkson and Shor 1989). */
static cd_status cdi_qh_insert_at_random(cdi_qh *q) {
    uint32_t count = q->cloud->count;
    int bits = cdi_exponent((double)count) + 1;
    q->where = (uint32_t *)cdi_alloc(q->allocator, q->cloud->room, sizeof *q->where);
    if (!q->where) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; ++i) q->where[i] = CD_NONE;
    for (uint32_t f = q->pending; f != CD_NONE; f = q->face[f].next) {
        for (uint32_t p = q->face[f].points; p != CD_NONE; p = q->cloud->point[p].next) q->where[p] = f;
    }
    for (uint32_t i = 0; i >> bits == 0; ++i) {
        uint32_t point = cdi_qh_shuffle(i, bits);
        if (point >= count || q->where[point] == CD_NONE) continue;
        if (!cdi_qh_insert(q, point, q->where[point])) return CD_OUT_OF_MEMORY;
        if (!cdi_qh_goes_on(q)) return CD_CANCELLED;
    }
    return CD_OK;
}

CDI_FN cd_status cdi_qh_insert_all(cdi_qh *q, uint64_t allowance) {
    while (q->pending != CD_NONE) {
        if (q->work >= allowance) return cdi_qh_insert_at_random(q);
        if (!cdi_qh_insert(q, q->face[q->pending].eye, q->pending)) return CD_OUT_OF_MEMORY;
        if (!cdi_qh_goes_on(q)) return CD_CANCELLED;
    }
    return CD_OK;
}

CDI_FN cd_status cdi_qh_begin(cdi_qh *q, cdi_cloud *cloud, const cdi_qh_rule *rule,
                              const cd_allocator *allocator, const cd_executor *executor) {
    cdi_clear(q, sizeof *q);
    q->cloud = cloud;
    q->rule = rule;
    q->allocator = allocator;
    q->executor = executor;
    q->apex = q->free_face = q->pending = CD_NONE;
    cdi_qh_first_simplex(q);
    if (q->dimension < 2) return CD_OK;
    q->start = (uint32_t *)cdi_alloc(allocator, cloud->room, sizeof *q->start);
    if (!q->start || !cdi_qh_grow(q)) return CD_OUT_OF_MEMORY;
    cdi_qh_first_faces(q);
    return CD_OK;
}

CDI_FN cd_status cdi_qh_build(cdi_qh *q, cdi_cloud *cloud, const cd_allocator *allocator,
                              const cd_executor *executor) {
    cd_status status = cdi_qh_begin(q, cloud, NULL, allocator, executor);
    return status == CD_OK ? cdi_qh_insert_all(q, cdi_qh_allowance(cloud->count)) : status;
}

/* ---- where is a point? ---- */

static double cdi_qh_height_of(const cdi_qh *q, const cdi_qh_face *f, cdi_v3 at) {
    cdi_v3 p = cdi_v3_sub(at, q->cloud->middle), reach = q->cloud->reach, high[4], low[4];
    double height = cdi_v3_dot(f->n, p) - f->d;
    bool is_in_reach = cdi_abs(p.x) <= reach.x && cdi_abs(p.y) <= reach.y && cdi_abs(p.z) <= reach.z;
    if (is_in_reach && cdi_abs(height) > f->error) return height;
    for (int i = 0; i < 3; ++i) high[i] = cdi_qh_at(q, f->vertex[i], &low[i]);
    high[3] = at;
    low[3] = cdi_v3_make(0.0, 0.0, 0.0);
    return -cdi_orient3d_sums(high, low);
}

/* In dimension 2 a point of the pyramid that is off its base is outside. */
static int cdi_qh_locate_among_faces(const cdi_qh *q, cdi_v3 point) {
    int where = 1;
    for (uint32_t i = 0; i < q->face_count; ++i) {
        const cdi_qh_face *f = &q->face[i];
        bool is_base = f->vertex[0] != q->apex && f->vertex[1] != q->apex && f->vertex[2] != q->apex;
        double height;
        if (f->vertex[0] == CD_NONE) continue;
        height = cdi_qh_height_of(q, f, point);
        if (height > 0.0 || (q->dimension == 2 && is_base && height != 0.0)) return -1;
        if (height == 0.0) where = 0;
    }
    return where;
}

/* The sign of a coordinate of a cloud's point less that of a number. */
static int cdi_qh_beyond(const cdi_qh *q, uint32_t corner, cdi_v3 at, int axis) {
    cdi_v3 low, high = cdi_qh_at(q, corner, &low);
    int side = cdi_sign(cdi_v3_get(high, axis) - cdi_v3_get(at, axis));
    return side ? side : cdi_sign(cdi_v3_get(low, axis));
}

static int cdi_qh_locate_on_line(const cdi_qh *q, cdi_v3 point) {
    cdi_v3 high[3], low[3];
    for (int i = 0; i < 2; ++i) high[i] = cdi_qh_at(q, q->corner[q->dimension > 0 ? i : 0], &low[i]);
    high[2] = point;
    low[2] = cdi_v3_make(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) {
        int side = cdi_qh_beyond(q, q->corner[0], point, k);
        int other = q->dimension > 0 ? cdi_qh_beyond(q, q->corner[1], point, k) : side;
        if (side * other > 0 || cdi_orient2d_sums(high, low, k) != 0.0) return -1;
    }
    return 0;
}

CDI_FN int cdi_qh_locate(const cdi_qh *q, cdi_v3 point) {
    if (q->dimension < 0) return -1;
    return q->dimension < 2 ? cdi_qh_locate_on_line(q, point) : cdi_qh_locate_among_faces(q, point);
}
