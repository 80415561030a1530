/* The order in which numbers are drawn must not depend on the compiler: one draw in a call's arguments at most. */
#include "hulls.h"
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define REAL_EPSILON DBL_EPSILON
#define REAL_TINY    4.9406564584124654e-324
#define REAL_DIGITS  53
#define REAL_LOWEST  6.2230152778611417e-61 /* 2^-200 */
#define NEXT         nextafter
#else
#define REAL_EPSILON FLT_EPSILON
#define REAL_TINY    1.4012984643248171e-45
#define REAL_DIGITS  24
#define REAL_LOWEST  1.3877787807814457e-17 /* 2^-56 */
#define NEXT         nextafterf
#endif

static void *room_for(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    if (!p) abort();
    return p;
}

/* ---- predicates ---- */

static int sign_of(double x) {
    return (x > 0) - (x < 0);
}

/* No product of three such numbers leaves the range of doubles. */
static bool is_moderate(const double *u, int n) {
    for (int i = 0; i < n; ++i) {
        if (u[i] != 0 && !(fabs(u[i]) > 1e-90 && fabs(u[i]) < 1e90)) return false;
    }
    return true;
}

int hulls_turn(const double a[2], const double b[2], const double c[2]) {
    double u[4] = {b[0] - a[0], c[1] - a[1], b[1] - a[1], c[0] - a[0]}, p = u[0] * u[1], q = u[2] * u[3];
    bool is_certain = is_moderate(u, 4) && fabs(p - q) > 1e-14 * (fabs(p) + fabs(q));
    return is_certain ? sign_of(p - q) : oracle_orient2d(a, b, c);
}

static bool is_small_and_whole(const double p[3]) {
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(p[k]) < 10000) || p[k] != (double)(int)p[k]) return false;
    }
    return true;
}

int hulls_side(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double u[9], sum = 0, magnitudes = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = a[k] - d[k];
        u[3 + k] = b[k] - d[k];
        u[6 + k] = c[k] - d[k];
    }
    for (int k = 0; k < 3; ++k) {
        double p = u[3 + (k + 1) % 3] * u[6 + (k + 2) % 3], q = u[3 + (k + 2) % 3] * u[6 + (k + 1) % 3];
        sum += u[k] * (p - q);
        magnitudes += fabs(u[k]) * (fabs(p) + fabs(q));
    }
    if (is_moderate(u, 9) && (fabs(sum) > 1e-14 * magnitudes || magnitudes == 0)) return sign_of(sum);
    if (is_small_and_whole(a) && is_small_and_whole(b) && is_small_and_whole(c) && is_small_and_whole(d))
        return sign_of(sum); /* nothing was rounded */
    return oracle_orient3d(a, b, c, d);
}

/* Exactly in one line? */
static bool collinear(const double a[3], const double b[3], const double c[3]) {
    for (int k = 0; k < 3; ++k) {
        int u = k, v = (k + 1) % 3;
        double p[2] = {a[u], a[v]}, q[2] = {b[u], b[v]}, r[2] = {c[u], c[v]};
        if (hulls_turn(p, q, r)) return false;
    }
    return true;
}

/* ---- the hull in hand ---- */

typedef struct judge {
    cd_hull_parts h;
    const cd_vec3 *points;
    size_t count;
    double *point, *vertex; /* their coordinates */
    double size;            /* the largest of them */
} judge;

static double *as_doubles(const cd_vec3 *points, size_t count) {
    double *out = (double *)room_for(3 * count, sizeof *out);
    for (size_t i = 0; i < count; ++i) to_doubles(&points[i].x, out + 3 * i, 3);
    return out;
}

static judge judge_begin(const cd_hull *hull, const cd_vec3 *points, size_t count) {
    judge j;
    j.h = cd_hull_get_parts(hull);
    j.points = points;
    j.count = count;
    j.point = as_doubles(points, count);
    j.vertex = as_doubles(j.h.vertices, j.h.vertex_count);
    j.size = 0;
    for (size_t i = 0; i < 3 * (size_t)j.h.vertex_count; ++i) j.size = fmax(j.size, fabs(j.vertex[i]));
    return j;
}

static void judge_end(judge *j) {
    free(j->point);
    free(j->vertex);
}

static const double *corner(const judge *j, const cd_hull_face *f, uint32_t i) {
    return j->vertex + 3 * (size_t)j->h.half_edges[f->first + i % f->count].origin;
}

static const double *origin(const judge *j, uint32_t half_edge) {
    return j->vertex + 3 * (size_t)j->h.half_edges[half_edge].origin;
}

/* ---- links: everything else relies on them ---- */

static bool numbers_are_in_range(const cd_hull_parts *h) {
    bool good = true;
    for (uint32_t e = 0; e < h->half_edge_count && good; ++e) {
        const cd_half_edge *edge = &h->half_edges[e];
        good = edge->origin < h->vertex_count && edge->twin < h->half_edge_count &&
               (h->dimension > 1 ? edge->face < h->face_count : edge->face == CD_NONE);
    }
    for (uint32_t v = 0; v < h->vertex_count && good; ++v)
        good = h->dimension > 0 ? h->outgoing[v] < h->half_edge_count : h->outgoing[v] == CD_NONE;
    return CHECK(good);
}

/* The faces share out the half-edges. */
static bool faces_own_their_half_edges(const cd_hull_parts *h) {
    bool good = true;
    uint64_t sum = 0;
    for (uint32_t f = 0; f < h->face_count && good; ++f) {
        const cd_hull_face *face = &h->faces[f];
        sum += face->count;
        good = face->count >= 3 && face->first <= h->half_edge_count &&
               face->count <= h->half_edge_count - face->first;
        for (uint32_t i = 0; i < face->count && good; ++i) good = h->half_edges[face->first + i].face == f;
    }
    return CHECK(good) && CHECK_INT(sum, h->dimension < 2 ? 0 : h->half_edge_count);
}

static bool next_goes_around(const cd_hull_parts *h, uint32_t e) {
    uint32_t next = cd_hull_next(h, e), f = h->half_edges[e].face;
    if (f == CD_NONE) return next == h->half_edges[e].twin && cd_hull_previous(h, e) == next;
    f = h->faces[f].first + (e - h->faces[f].first + 1) % h->faces[f].count;
    return next == f && cd_hull_previous(h, next) == e;
}

static bool twins_are_twins(const cd_hull_parts *h) {
    bool good = true;
    test_asked("exact", "cd_hull_previous");
    test_asked("exact", "cd_hull_next");
    for (uint32_t e = 0; e < h->half_edge_count && good; ++e) {
        const cd_half_edge *edge = &h->half_edges[e], *twin = &h->half_edges[edge->twin];
        good = edge->twin != e && twin->twin == e && next_goes_around(h, e) &&
               twin->origin == h->half_edges[cd_hull_next(h, e)].origin &&
               (h->dimension < 2 || twin->face != edge->face);
    }
    return CHECK(good);
}

/* Around each vertex there is one ring of half-edges, of all that start there: nothing touches in a point only. */
static bool vertices_have_one_ring(const cd_hull_parts *h, uint32_t least) {
    bool good = true;
    uint64_t sum = 0;
    for (uint32_t v = 0; v < h->vertex_count && good; ++v) {
        uint32_t first = h->outgoing[v], e = first, n = 0;
        do {
            good = h->half_edges[e].origin == v;
            e = cd_hull_next(h, h->half_edges[e].twin);
            ++n;
        } while (good && e != first && n <= h->half_edge_count);
        good = good && e == first && n >= least;
        sum += n;
    }
    return CHECK(good) && CHECK_INT(sum, h->half_edge_count);
}

/* Every face can be reached from the first. */
static bool faces_hang_together(const cd_hull_parts *h) {
    uint32_t *queue = (uint32_t *)room_for(h->face_count, sizeof *queue), read = 0, written = 1;
    bool *seen = (bool *)room_for(h->face_count, sizeof *seen);
    seen[0] = true;
    while (read < written) {
        const cd_hull_face *f = &h->faces[queue[read++]];
        for (uint32_t i = 0; i < f->count; ++i) {
            uint32_t other = h->half_edges[h->half_edges[f->first + i].twin].face;
            if (seen[other]) continue;
            seen[other] = true;
            queue[written++] = other;
        }
    }
    free(queue);
    free(seen);
    return CHECK_INT(written, h->face_count);
}

/* `least`: so many faces meet at a vertex of a body. */
static bool links_hold(const cd_hull_parts *h, uint32_t least) {
    if (!numbers_are_in_range(h) || !faces_own_their_half_edges(h)) return false;
    if (h->dimension < 1) return CHECK_INT(h->half_edge_count, 0);
    if (!twins_are_twins(h) || !vertices_have_one_ring(h, h->dimension < 3 ? 1 : least)) return false;
    if (h->dimension == 1) return CHECK_INT(h->half_edge_count, 2);
    return faces_hang_together(h) &&
           CHECK_INT((long long)h->vertex_count + h->face_count - h->half_edge_count / 2, 2);
}

/* ---- vertices ---- */

/* Zeros are equal whatever their signs. */
static int compare_points(const double *a, const double *b) {
    for (int k = 0; k < 3; ++k) {
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    }
    return 0;
}

typedef struct numbered {
    const double *at;
    uint32_t number;
} numbered;

static int compare_numbered(const void *a, const void *b) {
    const numbered *p = (const numbered *)a, *q = (const numbered *)b;
    int order = compare_points(p->at, q->at);
    return order ? order : (p->number > q->number) - (p->number < q->number);
}

static bool is_finite_point(const double *p) {
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* The finite points in order; of equal ones only the first. */
static size_t sorted_points(const judge *j, numbered *out) {
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < j->count; ++i) {
        if (!is_finite_point(j->point + 3 * i)) continue;
        out[n].at = j->point + 3 * i;
        out[n++].number = (uint32_t)i;
    }
    qsort(out, n, sizeof *out, compare_numbered);
    for (size_t i = 0; i < n; ++i) {
        if (!kept || compare_points(out[kept - 1].at, out[i].at)) out[kept++] = out[i];
    }
    return kept;
}

static bool is_the_first_of(const judge *j, const numbered *sorted, size_t n, uint32_t v) {
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        int order = compare_points(sorted[middle].at, j->vertex + 3 * (size_t)v);
        if (order == 0) return sorted[middle].number == j->h.sources[v];
        if (order < 0) lo = middle + 1;
        if (order > 0) hi = middle;
    }
    return false;
}

/* Each vertex is the point that it says, and no two are the same one. */
static bool sources_are_right(const judge *j) {
    numbered *sorted = (numbered *)room_for(j->count, sizeof *sorted);
    bool *used = (bool *)room_for(j->count, sizeof *used), good = true;
    size_t n = sorted_points(j, sorted);
    for (uint32_t v = 0; v < j->h.vertex_count && good; ++v) {
        good = is_the_first_of(j, sorted, n, v) && !used[j->h.sources[v]];
        if (good) used[j->h.sources[v]] = true;
    }
    free(sorted);
    free(used);
    return CHECK(good);
}

static bool center_is_the_mean(const judge *j) {
    bool good = true;
    for (int k = 0; k < 3 && j->h.vertex_count; ++k) {
        double sum = 0, got = (double)REALS(j->h.center)[k];
        for (uint32_t v = 0; v < j->h.vertex_count; ++v)
            sum += j->vertex[3 * (size_t)v + (size_t)k] / j->h.vertex_count;
        good = good && (isinf(sum) ||
                        fabs(got - sum) <= 4 * REAL_EPSILON * j->size + REAL_TINY * (1 + j->h.vertex_count));
    }
    return CHECK(good);
}

static bool bounds_are_those_of_the_points(const cd_hull *hull, const judge *j) {
    cd_aabb got = ASK("loop", cd_hull_bounds(hull));
    double box[6] = {0, 0, 0, 0, 0, 0};
    bool good = true;
    size_t seen = 0;
    for (size_t i = 0; i < j->count; ++i) {
        if (!is_finite_point(j->point + 3 * i)) continue;
        for (int k = 0; k < 3; ++k) {
            double x = j->point[3 * i + (size_t)k];
            if (!seen || x < box[k]) box[k] = x;
            if (!seen || x > box[3 + k]) box[3 + k] = x;
        }
        ++seen;
    }
    if (!seen) return CHECK(cd_aabb_is_empty(got));
    for (int k = 0; k < 6; ++k) good = good && (double)REALS(got)[k] == box[k];
    return CHECK(good);
}

/* ---- faces ---- */

/* An axis along which the face is seen without being an edge only; -1 when the first corners are in one line. */
static int face_axis(const judge *j, const cd_hull_face *f, int *turn) {
    const double *a = corner(j, f, 0), *b = corner(j, f, 1), *c = corner(j, f, 2);
    int axis = 0, largest_first[3];
    for (int k = 1; k < 3; ++k) {
        if (fabs((double)(&f->plane.n.x)[k]) > fabs((double)(&f->plane.n.x)[axis])) axis = k;
    }
    for (int k = 0; k < 3; ++k) largest_first[k] = (axis + k) % 3;
    for (int k = 0; k < 3; ++k) {
        int u = (largest_first[k] + 1) % 3, v = (largest_first[k] + 2) % 3;
        double p[2] = {a[u], a[v]}, q[2] = {b[u], b[v]}, r[2] = {c[u], c[v]};
        *turn = hulls_turn(p, q, r);
        if (*turn) return largest_first[k];
    }
    return -1;
}

static int turn_along(int axis, const double *a, const double *b, const double *c) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double p[2] = {a[u], a[v]}, q[2] = {b[u], b[v]}, r[2] = {c[u], c[v]};
    return hulls_turn(p, q, r);
}

/* Exactly flat, and convex without a corner inside an edge: all turns and all triangles of the fan go the same way. */
static bool face_is_a_convex_polygon(const judge *j, const cd_hull_face *f) {
    int turn, axis = face_axis(j, f, &turn);
    const double *a = corner(j, f, 0), *b = corner(j, f, 1), *c = corner(j, f, 2);
    if (axis < 0) return false;
    for (uint32_t i = 1; i < f->count; ++i) {
        const double *p = corner(j, f, i), *q = corner(j, f, i + 1), *r = corner(j, f, i + 2);
        if (i > 2 && hulls_side(a, b, c, p)) return false;
        if (turn_along(axis, p, q, r) != turn) return false;
        if (i + 1 < f->count && turn_along(axis, a, p, q) != turn) return false;
    }
    return true;
}

static bool faces_are_convex_polygons(const judge *j) {
    bool good = true;
    for (uint32_t f = 0; f < j->h.face_count && good; ++f) good = face_is_a_convex_polygon(j, &j->h.faces[f]);
    return CHECK(good);
}

/* The face on the other side of an edge falls away behind this one: the two are not one plane either. */
static bool edges_are_convex(const judge *j) {
    bool good = true;
    for (uint32_t e = 0; e < j->h.half_edge_count && good; ++e) {
        uint32_t next = cd_hull_next(&j->h, e), after = cd_hull_next(&j->h, next);
        uint32_t other = cd_hull_previous(&j->h, j->h.half_edges[e].twin);
        good = hulls_side(origin(j, e), origin(j, next), origin(j, after), origin(j, other)) > 0;
    }
    return CHECK(good);
}

/* The finite points are all on the face or behind it. */
static bool all_are_behind(const judge *j, const cd_hull_face *f) {
    const double *a = corner(j, f, 0), *b = corner(j, f, 1), *c = corner(j, f, 2);
    for (size_t i = 0; i < j->count; ++i) {
        const double *p = j->point + 3 * i;
        int side = is_finite_point(p) ? hulls_side(a, b, c, p) : 0;
        if (side < 0 || (side && j->h.dimension == 2)) return false;
    }
    return true;
}

static bool points_are_behind(const judge *j, double work) {
    double share = (double)j->h.face_count * (double)j->count / work;
    uint32_t step = share > 1 ? (uint32_t)share + 1 : 1;
    bool good = true;
    for (uint32_t f = (uint32_t)j->count % step; f < j->h.face_count && good; f += step)
        good = all_are_behind(j, &j->h.faces[f]);
    return CHECK(good);
}

/* In a plane: all points on or to the left of the edges of the face. */
static bool points_are_within(const judge *j, const cd_hull_face *f, double work) {
    int turn, axis = face_axis(j, f, &turn);
    double share = (double)f->count * (double)j->count / work;
    uint32_t step = share > 1 ? (uint32_t)share + 1 : 1;
    bool good = axis >= 0;
    for (uint32_t i = 0; i < f->count && good; i += step) {
        for (size_t k = 0; k < j->count && good; ++k) {
            const double *p = j->point + 3 * k;
            good =
                !is_finite_point(p) || turn_along(axis, corner(j, f, i), corner(j, f, i + 1), p) * turn >= 0;
        }
    }
    return CHECK(good);
}

/* ---- planes ---- */

/* A component of the exact unit normal, rounded. */
static double unit_component(exact3 n, int k) {
    double x = ratio_sqrt(ratio_make(exact_mul(n.c[k], n.c[k]), exact3_dot(n, n)));
    return n.c[k].sign < 0 ? -x : x;
}

static double face_length(const judge *j, const cd_hull_face *f) {
    double most = 0;
    for (uint32_t i = 0; i < f->count; ++i) {
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(corner(j, f, i)[k] - corner(j, f, 0)[k]));
    }
    return 2 * most;
}

/* The largest error of a component of the normal; `uncertainty`: what becomes of corners that are moved by the rounding of
 * doubles of the body's size, which is the more the thinner the face is. */
static double normal_error(const judge *j, const cd_hull_face *f, double *uncertainty) {
    exact_pool pool = exact_begin();
    exact3 a = exact3_from(corner(j, f, 0)), n = exact3_cross(exact3_sub(exact3_from(corner(j, f, 1)), a),
                                                              exact3_sub(exact3_from(corner(j, f, 2)), a));
    double most = 0, length = face_length(j, f);
    for (int k = 0; k < 3; ++k) most = fmax(most, fabs((double)(&f->plane.n.x)[k] - unit_component(n, k)));
    *uncertainty = 8 * DBL_EPSILON * fmax(length, j->size) /
                   ratio_sqrt(ratio_make(exact3_dot(n, n), exact_power(0))) * length;
    exact_end(pool);
    return most;
}

/* How far the vertex is in front of the face's plane, and what the rounding of the plane's numbers may make of it: the
 * components of a unit normal are as good as those near 1. */
static double in_front(const cd_plane *plane, const double *p, double *rounding) {
    double sum = -(double)plane->d, size = fabs(sum);
    for (int k = 0; k < 3; ++k) {
        sum += (double)(&plane->n.x)[k] * p[k];
        size += fabs(p[k]);
    }
    *rounding = 4 * REAL_EPSILON * size + 4 * REAL_TINY;
    return sum;
}

/* The largest such rounding of a corner of the face: so far off the plane itself may be. */
static double corner_rounding(const judge *j, const cd_hull_face *f) {
    double most = 0, rounding;
    for (uint32_t i = 0; i < f->count; ++i) {
        in_front(&f->plane, corner(j, f, i), &rounding);
        most = fmax(most, rounding);
    }
    return most;
}

/* In units of what rounding explains: the most that one of the points is in front of the plane. */
static double front_error(const judge *j, const cd_hull_face *f, const double *points, size_t count) {
    double rounding, own = corner_rounding(j, f), error = 0;
    for (size_t i = 0; i < count; ++i) {
        double x = in_front(&f->plane, points + 3 * i, &rounding);
        error = fmax(error, x / (rounding + own));
    }
    return error;
}

/* The most that a corner is more than `flatness` behind. The plane may have been moved until all vertices are behind it. */
static double behind_error(const judge *j, const cd_hull_face *f, double flatness) {
    double rounding, most = 0, behind = 0, uncertainty;
    for (uint32_t v = 0; v < j->h.vertex_count; ++v) {
        in_front(&f->plane, j->vertex + 3 * (size_t)v, &rounding);
        most = fmax(most, rounding);
    }
    for (uint32_t i = 0; i < f->count; ++i)
        behind = fmax(behind, -flatness - in_front(&f->plane, corner(j, f, i), &rounding));
    if (behind > most) {
        normal_error(j, f, &uncertainty);
        most += uncertainty * face_length(j, f);
    }
    return behind / most;
}

static bool planes_support(const judge *j, double flatness, double work) {
    double share = (double)j->h.face_count * (double)j->h.vertex_count / work, most = 0;
    uint32_t step = share > 1 ? (uint32_t)share + 1 : 1;
    for (uint32_t f = 0; f < j->h.face_count; f += step)
        most = fmax(most, fmax(front_error(j, &j->h.faces[f], j->vertex, j->h.vertex_count),
                               behind_error(j, &j->h.faces[f], flatness)));
    return CHECK_NEAR(most, 0, 1);
}

static bool normals_are_right(const judge *j) {
    uint32_t step = j->h.face_count / 8 + 1;
    double most = 0, uncertainty;
    for (uint32_t f = 0; f < j->h.face_count; f += step) {
        double error = normal_error(j, &j->h.faces[f], &uncertainty);
        most = fmax(most, error / (2 * REAL_EPSILON + uncertainty));
    }
    return CHECK_NEAR(most, 0, 1);
}

/* Numbers in any case, of unit length; more is asked of coordinates of the library's domain only. */
static bool planes_are_planes(const judge *j) {
    bool good = true;
    for (uint32_t f = 0; f < j->h.face_count && good; ++f) {
        const cd_plane *plane = &j->h.faces[f].plane;
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += (double)(&plane->n.x)[k] * (double)(&plane->n.x)[k];
        good = fabs(sum - 1) <= 4 * REAL_EPSILON && !isnan((double)plane->d);
    }
    return CHECK(good);
}

static bool is_in_domain(const judge *j) {
    for (size_t i = 0; i < 3 * (size_t)j->h.vertex_count; ++i) {
        double x = fabs(j->vertex[i]);
        if (x != 0 && !(x >= REAL_LOWEST && x <= 1 / REAL_LOWEST)) return false;
    }
    return true;
}

static bool planes_are_right(const judge *j, double work) {
    if (!planes_are_planes(j)) return false;
    return !is_in_domain(j) || (normals_are_right(j) && planes_support(j, 0, work));
}

/* ---- triangles ---- */

/* The fans of all faces; no more than there is room for is written. */
static bool triangles_are_fans(const cd_hull *hull, const cd_hull_parts *h) {
    size_t count = ASK("judge", cd_hull_triangles(hull, NULL, 0)), room = count / 2, n = 0;
    uint32_t *all = (uint32_t *)room_for(3 * count, sizeof *all),
             *some = (uint32_t *)room_for(3 * count, sizeof *some);
    bool good = true;
    memset(some, 0x5A, 3 * count * sizeof *some);
    CHECK_INT(ASK("judge", cd_hull_triangles(hull, all, count + 1)), count);
    CHECK_INT(ASK("judge", cd_hull_triangles(hull, some, room)), count);
    CHECK(!memcmp(all, some, 3 * room * sizeof *all));
    for (size_t i = 3 * room; i < 3 * count && good; ++i) good = some[i] == 0x5A5A5A5Au;
    for (uint32_t f = 0; f < h->face_count && good; ++f) {
        const cd_half_edge *e = h->half_edges + h->faces[f].first;
        for (uint32_t i = 2; i < h->faces[f].count && good; ++i, ++n)
            good = n < count && all[3 * n] == e[0].origin && all[3 * n + 1] == e[i - 1].origin &&
                   all[3 * n + 2] == e[i].origin;
    }
    free(all);
    free(some);
    return CHECK(good) && CHECK_INT(n, count);
}

/* ---- the whole ---- */

static size_t finite_points(const judge *j) {
    size_t n = 0;
    for (size_t i = 0; i < j->count; ++i) n += is_finite_point(j->point + 3 * i);
    return n;
}

/* A segment or a point: all points in its line, between its ends. */
static bool line_holds_the_points(const judge *j) {
    const double *a = j->vertex, *b = j->vertex + 3 * (size_t)(j->h.vertex_count - 1);
    bool good = (j->h.dimension == 0) == !compare_points(a, b);
    for (size_t i = 0; i < j->count && good; ++i) {
        const double *p = j->point + 3 * i;
        if (!is_finite_point(p)) continue;
        good = collinear(a, b, p);
        for (int k = 0; k < 3; ++k) good = good && p[k] >= fmin(a[k], b[k]) && p[k] <= fmax(a[k], b[k]);
    }
    return CHECK(good);
}

static bool shape_is_the_hull(const judge *j, double work) {
    const cd_hull_parts *h = &j->h;
    if (h->dimension < 0) return CHECK_INT(finite_points(j), 0) && CHECK_INT(h->vertex_count, 0);
    if (h->dimension < 2) return CHECK_INT(h->vertex_count, h->dimension + 1) && line_holds_the_points(j);
    if (!faces_are_convex_polygons(j) || !points_are_behind(j, work)) return false;
    if (!planes_are_right(j, work)) return false;
    return h->dimension == 3 ? edges_are_convex(j)
                             : CHECK_INT(h->face_count, 2) && points_are_within(j, &h->faces[0], work);
}

bool hulls_judge(const cd_hull *hull, const cd_vec3 *points, size_t count, double work) {
    judge j = judge_begin(hull, points, count);
    bool good = CHECK(j.h.dimension >= -1 && j.h.dimension <= 3) && links_hold(&j.h, 3) &&
                sources_are_right(&j) && shape_is_the_hull(&j, work) && triangles_are_fans(hull, &j.h) &&
                center_is_the_mean(&j) && bounds_are_those_of_the_points(hull, &j) &&
                CHECK_SAME(j.h.flatness, 0) && CHECK_SAME(j.h.deviation, 0) &&
                CHECK_INT(ASK("judge", cd_hull_validate(hull)), CD_OK);
    judge_end(&j);
    return good;
}

static bool points_are_behind_planes(const judge *j) {
    double most = 0;
    for (uint32_t f = 0; f < j->h.face_count; ++f)
        most = fmax(most, front_error(j, &j->h.faces[f], j->point, j->count));
    return CHECK_NEAR(most, 0, 1);
}

static double farthest(const double *points, size_t count, const double d[3]) {
    double most = -INFINITY;
    for (size_t i = 0; i < count; ++i) {
        const double *p = points + 3 * i;
        most = fmax(most, p[0] * d[0] + p[1] * d[1] + p[2] * d[2]);
    }
    return most;
}

/* What was left out is not farther outside than `distance`: in directions of the faces, the edges and the vertices. */
static bool little_is_outside(const judge *j, double distance) {
    double most = 0;
    for (uint32_t e = 0; e < j->h.half_edge_count; ++e) {
        const cd_vec3 *n = &j->h.faces[j->h.half_edges[e].face].plane.n;
        const cd_vec3 *m = &j->h.faces[j->h.half_edges[j->h.half_edges[e].twin].face].plane.n;
        double d[3] = {(double)n->x + (double)m->x, (double)n->y + (double)m->y, (double)n->z + (double)m->z};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (length < 0.1) continue;
        for (int k = 0; k < 3; ++k) d[k] /= length;
        most = fmax(most, farthest(j->point, j->count, d) - farthest(j->vertex, j->h.vertex_count, d));
    }
    return CHECK(most <= distance);
}

bool hulls_judge_merged(const cd_hull *hull, const cd_vec3 *points, size_t count, double tolerance) {
    judge j = judge_begin(hull, points, count);
    double rounding = 8 * REAL_EPSILON * j.size, flatness = (double)j.h.flatness;
    bool good = links_hold(&j.h, 2) && sources_are_right(&j) && CHECK(flatness >= 0) &&
                CHECK(flatness <= (double)cd_next_up((cd_real)(tolerance + rounding))) &&
                triangles_are_fans(hull, &j.h) && CHECK((double)j.h.deviation >= 0) &&
                CHECK_INT(ASK("judge", cd_hull_validate(hull)), CD_OK) && planes_are_planes(&j);
    if (good && is_in_domain(&j) && j.h.dimension == 3)
        good = planes_support(&j, flatness, INFINITY) && points_are_behind_planes(&j) &&
               little_is_outside(&j, flatness + rounding);
    judge_end(&j);
    return good;
}

/* ---- comparing ---- */

bool hulls_same_topology(const cd_hull *a, const cd_hull *b) {
    cd_hull_parts p = cd_hull_get_parts(a), q = cd_hull_get_parts(b);
    if (p.dimension != q.dimension || p.vertex_count != q.vertex_count ||
        p.half_edge_count != q.half_edge_count || p.face_count != q.face_count)
        return false;
    if (p.half_edge_count && memcmp(p.half_edges, q.half_edges, p.half_edge_count * sizeof *p.half_edges))
        return false;
    return !p.vertex_count || !memcmp(p.outgoing, q.outgoing, p.vertex_count * sizeof *p.outgoing);
}

bool hulls_same(const cd_hull *a, const cd_hull *b) {
    cd_hull_parts p = cd_hull_get_parts(a), q = cd_hull_get_parts(b);
    if (!hulls_same_topology(a, b) || memcmp(&p.center, &q.center, sizeof p.center)) return false;
    if (p.vertex_count && memcmp(p.vertices, q.vertices, p.vertex_count * sizeof *p.vertices)) return false;
    return !p.face_count || !memcmp(p.faces, q.faces, p.face_count * sizeof *p.faces);
}

/* A face as the numbers of its points, from the smallest on. */
typedef struct number_list {
    const uint32_t *first;
    uint32_t count;
} number_list;

static int compare_lists(const void *a, const void *b) {
    const number_list *p = (const number_list *)a, *q = (const number_list *)b;
    for (uint32_t i = 0; i < p->count && i < q->count; ++i) {
        if (p->first[i] != q->first[i]) return p->first[i] < q->first[i] ? -1 : 1;
    }
    return (p->count > q->count) - (p->count < q->count);
}

static uint32_t point_of_corner(const cd_hull_parts *h, const cd_hull_face *f, uint32_t i,
                                const uint32_t *number) {
    uint32_t source = h->sources[h->half_edges[f->first + i % f->count].origin];
    return number ? number[source] : source;
}

static number_list *list_faces(const cd_hull_parts *h, uint32_t *numbers, const uint32_t *number,
                               bool reversed) {
    number_list *lists = (number_list *)room_for(h->face_count, sizeof *lists);
    for (uint32_t f = 0; f < h->face_count; ++f) {
        const cd_hull_face *face = &h->faces[f];
        uint32_t least = 0, n = face->count;
        for (uint32_t i = 1; i < n; ++i) {
            if (point_of_corner(h, face, i, number) < point_of_corner(h, face, least, number)) least = i;
        }
        lists[f].first = numbers + face->first;
        lists[f].count = n;
        for (uint32_t i = 0; i < n; ++i)
            numbers[face->first + i] = point_of_corner(h, face, reversed ? least + n - i : least + i, number);
    }
    qsort(lists, h->face_count, sizeof *lists, compare_lists);
    return lists;
}

bool hulls_same_faces(const cd_hull *a, const cd_hull *b, const uint32_t *number, bool reversed) {
    cd_hull_parts p = cd_hull_get_parts(a), q = cd_hull_get_parts(b);
    uint32_t *x = (uint32_t *)room_for(p.half_edge_count, sizeof *x);
    uint32_t *y = (uint32_t *)room_for(q.half_edge_count, sizeof *y);
    number_list *of_a = list_faces(&p, x, number, false), *of_b = list_faces(&q, y, NULL, reversed);
    bool same =
        p.dimension == q.dimension && p.vertex_count == q.vertex_count && p.face_count == q.face_count;
    for (uint32_t f = 0; f < p.face_count && same; ++f) same = !compare_lists(&of_a[f], &of_b[f]);
    free(of_a);
    free(of_b);
    free(x);
    free(y);
    return same;
}

/* ---- clouds ---- */

void hulls_cloud_add(hulls_cloud *c, double x, double y, double z) {
    if (!(c->count & (c->count - 1))) { /* a power of two: full */
        size_t room = c->count ? 2 * c->count : 1;
        c->points = (cd_vec3 *)realloc(c->points, room * sizeof *c->points);
        if (!c->points) abort();
    }
    c->points[c->count++] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static void add_point(hulls_cloud *c, cd_vec3 p) {
    hulls_cloud_add(c, (double)p.x, (double)p.y, (double)p.z);
}

void hulls_cloud_shuffle(hulls_cloud *c, uint32_t *number) {
    uint32_t *at = (uint32_t *)room_for(c->count, sizeof *at); /* which point is there */
    for (size_t i = 0; i < c->count; ++i) at[i] = (uint32_t)i;
    for (size_t i = c->count; i > 1; --i) {
        size_t k = (size_t)(test_next(c->rng) % i);
        cd_vec3 p = c->points[i - 1];
        uint32_t n = at[i - 1];
        c->points[i - 1] = c->points[k];
        c->points[k] = p;
        at[i - 1] = at[k];
        at[k] = n;
    }
    for (size_t i = 0; i < c->count && number; ++i) number[at[i]] = (uint32_t)i;
    free(at);
}

void hulls_cloud_free(hulls_cloud *c) {
    free(c->points);
    c->points = NULL;
    c->count = 0;
}

void hulls_cloud_note(const hulls_cloud *c, const char *name) {
    test_note("%s, %lu points", name, (unsigned long)c->count);
    if (c->count && c->count <= 16) test_note_reals("points", &c->points[0].x, 3 * (int)c->count);
}

static double even(hulls_cloud *c) {
    return test_range(c->rng, -1, 1);
}

static void in_cube(hulls_cloud *c, int n) {
    for (; n > 0; --n) {
        double x = even(c), y = even(c), z = even(c);
        hulls_cloud_add(c, x, y, z);
    }
}

static void round_cloud(hulls_cloud *c, int n, bool is_sphere) {
    while (n > 0) {
        double x = even(c), y = even(c), z = even(c), q = x * x + y * y + z * z;
        if (q > 1 || q < 1e-4) continue;
        q = is_sphere ? 1 / sqrt(q) : 1;
        hulls_cloud_add(c, x * q, y * q, z * q);
        --n;
    }
}

static void in_ball(hulls_cloud *c, int n) {
    round_cloud(c, n, false);
}

static void on_sphere(hulls_cloud *c, int n) {
    round_cloud(c, n, true);
}

static void of_kind(hulls_cloud *c, int n, gen_kind kind) {
    gen g = gen_begin(c->rng, kind);
    for (; n > 0; --n) add_point(c, gen_point(&g));
}

static void of_grid(hulls_cloud *c, int n) {
    of_kind(c, n, GEN_GRID);
}

static void of_grid_and_ulps(hulls_cloud *c, int n) {
    of_kind(c, n, GEN_ULP);
}

static void of_all_exponents(hulls_cloud *c, int n) {
    of_kind(c, n, GEN_WIDE);
}

static void of_one_scale(hulls_cloud *c, int n) {
    of_kind(c, n, GEN_SCALE);
}

static void far_off(hulls_cloud *c, int n) {
    of_kind(c, n, GEN_FAR);
}

static void of_ulps(hulls_cloud *c, int n) {
    gen g = gen_begin(c->rng, GEN_UNIT);
    cd_vec3 p[64];
    n = n < 64 ? n : 64;
    gen_ulp_grid(&g, p, n);
    for (int i = 0; i < n; ++i) add_point(c, p[i]);
}

/* Some coordinates one unit in the last place off; those of 0 are left, since its neighbours are denormal. */
static void jitter(hulls_cloud *c) {
    for (size_t i = 0; i < c->count; ++i) {
        cd_real *x = &(&c->points[i].x)[test_int(c->rng, 0, 2)];
        int step = test_int(c->rng, -1, 2);
        if (*x != 0 && step < 2 && step) *x = NEXT(*x, (cd_real)(step * 1e30));
    }
}

static void of_axis_plane(hulls_cloud *c, int n) {
    int axis = test_int(c->rng, 0, 2), at = test_int(c->rng, -3, 3), size = test_int(c->rng, 1, 9);
    for (; n > 0; --n) {
        double p[3];
        for (int k = 0; k < 3; ++k) p[k] = test_int(c->rng, -size, size);
        p[axis] = at;
        hulls_cloud_add(c, p[0], p[1], p[2]);
    }
}

static void of_skew_plane(hulls_cloud *c, int n) {
    int size = test_int(c->rng, 1, 30), a = test_int(c->rng, -3, 3), b = test_int(c->rng, -3, 3);
    double scale = ldexp(1, test_int(c->rng, -10, 10));
    for (; n > 0; --n) {
        double u = test_int(c->rng, -size, size), v = test_int(c->rng, -size, size);
        hulls_cloud_add(c, scale * (u + 2 * v + 1), scale * (a * u - v), scale * (u + b * v - 5));
    }
}

static void of_line(hulls_cloud *c, int n) {
    double way[3], start[3];
    int size = test_int(c->rng, 1, 40);
    for (int k = 0; k < 3; ++k) {
        way[k] = test_int(c->rng, -2, 2);
        start[k] = test_int(c->rng, -3, 3);
    }
    for (; n > 0; --n) {
        double t = test_int(c->rng, -size, size);
        hulls_cloud_add(c, start[0] + t * way[0], start[1] + t * way[1], start[2] + t * way[2]);
    }
}

static void near_axis_plane(hulls_cloud *c, int n) {
    of_axis_plane(c, n);
    jitter(c);
}

static void near_skew_plane(hulls_cloud *c, int n) {
    of_skew_plane(c, n);
    jitter(c);
}

static void near_line(hulls_cloud *c, int n) {
    of_line(c, n);
    jitter(c);
}

/* x^2 + y^2 + z^2 = 63^2 in whole numbers. */
static void of_whole_sphere(hulls_cloud *c, int n) {
    static const int triple[5][3] = {{7, 28, 56}, {28, 28, 49}, {18, 27, 54}, {63, 0, 0}, {21, 42, 42}};
    for (; n > 0; --n) {
        const int *t = triple[test_int(c->rng, 0, 4)];
        int turn = test_int(c->rng, 0, 2), flip = test_int(c->rng, 0, 1), signs = test_int(c->rng, 0, 7);
        double p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = t[(flip ? 3 - k + turn : k + turn) % 3];
            if (signs >> k & 1 && p[k] > 0) p[k] = -p[k];
        }
        hulls_cloud_add(c, p[0], p[1], p[2]);
    }
}

static void near_whole_sphere(hulls_cloud *c, int n) {
    of_whole_sphere(c, n);
    jitter(c);
}

static void of_lattice(hulls_cloud *c, int n) {
    int side = 1, x = test_int(c->rng, 1, 3), y = test_int(c->rng, 1, 3), z = test_int(c->rng, 1, 3);
    while (side * side * side < n) ++side;
    for (int i = 0; i < side * side * side; ++i)
        hulls_cloud_add(c, x * (i % side), y * (i / side % side), z * (i / side / side));
}

/* Of the surface of a box: on faces, edges and corners; with all corners, so that nothing else is extreme. */
static void on_box(hulls_cloud *c, int n) {
    for (int i = 0; i < 8; ++i) hulls_cloud_add(c, i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    for (; n > 8; --n) {
        double p[3];
        int at = test_int(c->rng, 1, 7), sides = test_int(c->rng, 0, 7);
        for (int k = 0; k < 3; ++k) {
            double x = even(c);
            p[k] = at >> k & 1 ? sides >> k & 1 ? 1 : -1 : x;
        }
        hulls_cloud_add(c, p[0], p[1], p[2]);
    }
}

static void add_ring(hulls_cloud *c, int n, double radius, double z) {
    for (int i = 0; i < n; ++i) {
        double angle = 6.283185307179586 * i / n;
        hulls_cloud_add(c, radius * cos(angle), radius * sin(angle), z);
    }
}

static void prism(hulls_cloud *c, int n) {
    add_ring(c, n / 2, 1, 0);
    add_ring(c, n / 2, 1, 1);
}

static void cylinder(hulls_cloud *c, int n) {
    for (int i = 0; i < 5; ++i) add_ring(c, n / 5, 1, i);
}

static void cone(hulls_cloud *c, int n) {
    add_ring(c, n - 1, 1, 0);
    hulls_cloud_add(c, 0, 0, 1);
}

static void bipyramid(hulls_cloud *c, int n) {
    cone(c, n - 1);
    hulls_cloud_add(c, 0, 0, -1);
}

/* Every two points of it are joined by an edge. */
static void moment_curve(hulls_cloud *c, int n) {
    n = n < 400 ? n : 400;
    for (int i = 0; i < n; ++i) {
        double t = i - n / 2;
        hulls_cloud_add(c, t, t * t, t * t * t);
    }
}

/* Each point is the farthest one from all that came before: few are done with at a time. */
static void exponential_paraboloid(hulls_cloud *c, int n) {
    for (int i = 0; i < n; ++i) {
        double x = ldexp(i & 1 ? 1 : -1, i / 4 % 40 - 20), y = ldexp(i & 2 ? 1.25 : -1.25, i / 160 % 40 - 20);
        hulls_cloud_add(c, x, y, x * x + y * y);
    }
}

static void helix(hulls_cloud *c, int n) {
    for (int i = 0; i < n; ++i) hulls_cloud_add(c, cos(0.1 * i), sin(0.1 * i), 0.01 * i);
}

static void needle(hulls_cloud *c, int n) {
    double width = ldexp(1, test_int(c->rng, -REAL_DIGITS, -10));
    int axis = test_int(c->rng, 0, 2);
    for (; n > 0; --n) {
        double p[3];
        for (int k = 0; k < 3; ++k) p[k] = even(c) * (k == axis ? 1 : width);
        hulls_cloud_add(c, p[0], p[1], p[2]);
    }
}

static void one_ulp_thick(hulls_cloud *c, int n) {
    cd_real low = (cd_real)test_range(c->rng, 1, 2), high = NEXT(low, 4);
    for (; n > 0; --n) {
        double x = even(c), y = even(c);
        hulls_cloud_add(c, x, y, (double)(test_int(c->rng, 0, 1) ? low : high));
    }
}

static void huge_numbers(hulls_cloud *c, int n) {
    double most = 0.5 * (double)CD_REAL_MAX; /* so that the distances of planes are numbers, too */
    for (; n > 0; --n) {
        double x = even(c) * most, y = even(c) * most, z = even(c) * most;
        hulls_cloud_add(c, x, y, test_int(c->rng, 0, 3) ? z : most);
    }
}

static void denormals(hulls_cloud *c, int n) {
    int size = test_int(c->rng, 1, 100);
    for (; n > 0; --n) {
        double x = test_int(c->rng, -size, size), y = test_int(c->rng, -size, size),
               z = test_int(c->rng, -size, size);
        hulls_cloud_add(c, x * REAL_TINY, y * REAL_TINY, z * REAL_TINY);
    }
}

static void any_numbers(hulls_cloud *c, int n) {
    for (; n > 0; --n) {
        double x = (double)gen_any_real(c->rng), y = (double)gen_any_real(c->rng),
               z = (double)gen_any_real(c->rng);
        hulls_cloud_add(c, x, y, z);
    }
}

/* Few points, each many times. */
static void repeated(hulls_cloud *c, int n) {
    int distinct = test_int(c->rng, 1, 9);
    in_cube(c, distinct < n ? distinct : n);
    while (c->count && (int)c->count < n) add_point(c, c->points[test_int(c->rng, 0, (int)c->count - 1)]);
}

static void zeros_of_both_signs(hulls_cloud *c, int n) {
    for (; n > 0; --n) {
        double p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = test_int(c->rng, -2, 1);
            if (p[k] < -1) p[k] = -0.0;
        }
        hulls_cloud_add(c, p[0], p[1], p[2]);
    }
}

/* Many points about the corners of a cube. */
static void clusters(hulls_cloud *c, int n) {
    for (; n > 0; --n) {
        double p[3];
        int at = test_int(c->rng, 0, 7);
        for (int k = 0; k < 3; ++k) p[k] = (at >> k & 1) + 1e-4 * even(c);
        hulls_cloud_add(c, p[0], p[1], p[2]);
    }
}

const struct hulls_kind hulls_kinds[] = {
    {"in a cube", in_cube},
    {"in a ball", in_ball},
    {"on a sphere", on_sphere},
    {"of a grid", of_grid},
    {"of a grid, some ulps off", of_grid_and_ulps},
    {"of all exponents", of_all_exponents},
    {"of one scale", of_one_scale},
    {"far off", far_off},
    {"of a grid of ulps", of_ulps},
    {"of a plane along axes", of_axis_plane},
    {"of a skew plane", of_skew_plane},
    {"of a line", of_line},
    {"near a plane along axes", near_axis_plane},
    {"near a skew plane", near_skew_plane},
    {"near a line", near_line},
    {"of a sphere of whole numbers", of_whole_sphere},
    {"near a sphere of whole numbers", near_whole_sphere},
    {"of a lattice", of_lattice},
    {"on a box", on_box},
    {"prism", prism},
    {"cylinder", cylinder},
    {"cone", cone},
    {"bipyramid", bipyramid},
    {"moment curve", moment_curve},
    {"exponential paraboloid", exponential_paraboloid},
    {"helix", helix},
    {"needle", needle},
    {"one ulp thick", one_ulp_thick},
    {"huge numbers", huge_numbers},
    {"denormals", denormals},
    {"any numbers", any_numbers},
    {"repeated", repeated},
    {"zeros of both signs", zeros_of_both_signs},
    {"clusters", clusters},
};
const int hulls_kind_count = (int)(sizeof hulls_kinds / sizeof hulls_kinds[0]);

hulls_cloud hulls_cloud_make(test_rng *rng, const char *kind, int n) {
    hulls_cloud c = {NULL, 0, NULL};
    int i = 0;
    c.rng = rng;
    while (i < hulls_kind_count && strcmp(hulls_kinds[i].name, kind)) ++i;
    if (i == hulls_kind_count) abort();
    hulls_kinds[i].fill(&c, n);
    return c;
}
