/* Minkowski sums and differences of hulls against their definition, on exact numbers: every sum of two points is on or
 * behind every face of the result, and the result has nothing but vertices that are needed. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define NEXT          nextafter
#define NORMAL_MARGIN 4e-14
#else
#define NEXT          nextafterf
#define NORMAL_MARGIN 3e-7
#endif

enum { MOST = 24 };

/* Points and their hull. */
typedef struct body {
    cd_vec3 v[MOST];
    int count;
    cd_hull hull;
} body;

static void build(body *b) {
    CHECK_INT(cd_hull3_build(&b->hull, b->v, (size_t)b->count, NULL), CD_OK);
}

static void drop(body *a, body *b) {
    cd_hull_destroy(&a->hull);
    cd_hull_destroy(&b->hull);
}

/* ---- the reference ---- */

/* The points of a hull, mirrored or not, and its sum with another one. */
typedef struct exact_body {
    exact3 *v;
    uint32_t count;
} exact_body;

static exact_body exact_body_of(const cd_hull *hull, bool mirrored) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    exact_body b;
    b.v = (exact3 *)malloc((p.vertex_count + 1) * sizeof *b.v);
    b.count = p.vertex_count;
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        double d[3];
        to_doubles(&p.vertices[i].x, d, 3);
        b.v[i] = exact3_from(d);
        if (mirrored) b.v[i] = exact3_scale(b.v[i], exact_from(-1));
    }
    return b;
}

static exact support(const exact_body *b, exact3 n) {
    exact most = exact3_dot(n, b->v[0]);
    for (uint32_t i = 1; i < b->count; ++i) {
        exact x = exact3_dot(n, b->v[i]);
        if (exact_compare(x, most) > 0) most = x;
    }
    return most;
}

/* The largest of n . (a + b), less n . at. */
static int beyond(const exact_body *a, const exact_body *b, exact3 n, exact3 at) {
    return exact_compare(exact_add(support(a, n), support(b, n)), exact3_dot(n, at));
}

/* The dimension of the sum: that of its edges' span. */
static int dimension_of(const exact_body *a, const exact_body *b) {
    exact3 e, n, *d = (exact3 *)malloc((a->count + b->count) * sizeof *d);
    int rank = 0;
    uint32_t count = 0;
    for (uint32_t i = 1; i < a->count; ++i) d[count++] = exact3_sub(a->v[i], a->v[0]);
    for (uint32_t i = 1; i < b->count; ++i) d[count++] = exact3_sub(b->v[i], b->v[0]);
    for (uint32_t i = 0; i < count && rank < 1; ++i) {
        e = d[i];
        rank = !exact3_is_zero(e);
    }
    for (uint32_t i = 0; i < count && rank == 1; ++i) {
        n = exact3_cross(e, d[i]);
        rank += !exact3_is_zero(n);
    }
    for (uint32_t i = 0; i < count && rank == 2; ++i) rank += exact3_dot(n, d[i]).sign != 0;
    free(d);
    return rank;
}

/* ---- a result against the reference ---- */

typedef struct result {
    cd_hull_parts parts;
    exact_body a, b;
    exact3 *at; /* the vertices before they were rounded */
} result;

/* Brings a vector to about unit size. */
static void to_unit(exact3 n, double out[3]) {
    int top = -100000;
    double length;
    for (int k = 0; k < 3; ++k) {
        if (n.c[k].sign && n.c[k].low + n.c[k].length > top) top = n.c[k].low + n.c[k].length;
    }
    for (int k = 0; k < 3; ++k) out[k] = exact_to_double(exact_mul(n.c[k], exact_power(-32 * top)));
    length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (int k = 0; k < 3; ++k) out[k] /= length;
}

static bool check_vertices(const result *r, const cd_hull *b) {
    double moved = 0;
    bool fine = true;
    for (uint32_t i = 0; i < r->parts.vertex_count; ++i) {
        cd_minkowski_pair pair = ASK("exact", cd_minkowski_pair_of(r->parts.sources[i], b));
        const cd_real *v = &r->parts.vertices[i].x;
        double square = 0;
        if (!CHECK(pair.a < r->a.count && pair.b < r->b.count)) return false;
        r->at[i] = exact3_add(r->a.v[pair.a], r->b.v[pair.b]);
        for (int k = 0; k < 3; ++k) {
            double off = exact_to_double(exact_sub(r->at[i].c[k], exact_from((double)v[k])));
            fine = CHECK_SAME(v[k], (cd_real)exact_to_double(r->at[i].c[k])) && fine;
            fine = CHECK(v[k] != 0 || !signbit((double)v[k])) && fine;
            square = hypot(square, off);
        }
        moved = fmax(moved, square);
    }
    CHECK((moved == 0) == (r->parts.flatness == 0) && (moved == 0) == (r->parts.deviation == 0));
    return CHECK(moved <= (double)r->parts.deviation &&
                 (double)r->parts.deviation <= moved * (1 + 2e-7) + (double)NEXT(0, 1) * 2) &&
           fine;
}

static exact3 corner_of(const result *r, const cd_hull_face *f, uint32_t i) {
    return r->at[r->parts.half_edges[f->first + i % f->count].origin];
}

/* A face: nothing is in front, its corners are in its plane, and it turns to the left at each, around once. */
static bool check_face(const result *r, const cd_hull_face *f) {
    exact3 o = corner_of(r, f, 0);
    exact3 n = exact3_cross(exact3_sub(corner_of(r, f, 1), o), exact3_sub(corner_of(r, f, 2), o));
    double unit[3];
    bool fine = CHECK(!exact3_is_zero(n)) && CHECK_INT(beyond(&r->a, &r->b, n, o), 0);
    if (!fine) return false;
    for (uint32_t i = 0; i < f->count && fine; ++i) {
        exact3 p = corner_of(r, f, i), q = corner_of(r, f, i + 1), e = exact3_sub(q, p);
        fine = CHECK(exact3_dot(n, exact3_sub(p, o)).sign == 0);
        if (r->parts.dimension == 2) fine = CHECK_INT(beyond(&r->a, &r->b, exact3_cross(e, n), p), 0) && fine;
        for (uint32_t j = 0; j < f->count; ++j) {
            exact3 t = exact3_cross(e, exact3_sub(corner_of(r, f, j), p));
            bool is_end = j == i || j == (i + 1) % f->count;
            fine = CHECK(exact3_dot(n, t).sign == (is_end ? 0 : 1)) && fine;
        }
    }
    to_unit(n, unit);
    for (int k = 0; k < 3; ++k) CHECK_NEAR((&f->plane.n.x)[k], unit[k], NORMAL_MARGIN);
    return fine;
}

/* But for the rounding of its plane, no vertex is farther outside of a face than the hull's flatness, nor one of the face's
 * farther behind. */
static bool check_planes(const result *r) {
    double size = 0, flatness = (double)r->parts.flatness;
    bool fine = true;
    for (uint32_t v = 0; v < 3 * r->parts.vertex_count; ++v)
        size = fmax(size, fabs((double)(&r->parts.vertices[0].x)[v]));
    for (uint32_t i = 0; i < r->parts.face_count && fine; ++i) {
        const cd_hull_face *f = &r->parts.faces[i];
        double n[3], margin = 4 * NORMAL_MARGIN * size;
        to_doubles(&f->plane.n.x, n, 3);
        for (uint32_t v = 0; v < r->parts.vertex_count + f->count; ++v) {
            bool is_corner = v >= r->parts.vertex_count;
            uint32_t k = is_corner ? r->parts.half_edges[f->first + v - r->parts.vertex_count].origin : v;
            cd_vec3 p = r->parts.vertices[k];
            double height = n[0] * (double)p.x + n[1] * (double)p.y + n[2] * (double)p.z - (double)f->plane.d;
            fine = CHECK(height <= flatness + margin && (!is_corner || height >= -flatness - margin)) && fine;
        }
    }
    return fine;
}

/* Neighbours are not coplanar. */
static bool check_edges(const result *r) {
    bool fine = true;
    for (uint32_t i = 0; i < r->parts.half_edge_count && fine; ++i) {
        const cd_half_edge *h = &r->parts.half_edges[i];
        const cd_hull_face *f = &r->parts.faces[h->face],
                           *g = &r->parts.faces[r->parts.half_edges[h->twin].face];
        exact3 o = corner_of(r, f, 0);
        exact3 n = exact3_cross(exact3_sub(corner_of(r, f, 1), o), exact3_sub(corner_of(r, f, 2), o));
        bool is_flat = true;
        for (uint32_t k = 0; k < g->count; ++k)
            is_flat = is_flat && exact3_dot(n, exact3_sub(corner_of(r, g, k), o)).sign == 0;
        fine = CHECK(!is_flat);
    }
    return fine;
}

static bool check_segment(const result *r) {
    exact3 p = r->at[0], e = exact3_sub(r->at[1], p);
    return CHECK(!exact3_is_zero(e)) && CHECK_INT(beyond(&r->a, &r->b, e, r->at[1]), 0) &&
           CHECK_INT(beyond(&r->a, &r->b, exact3_scale(e, exact_from(-1)), p), 0);
}

static bool check_parts(const result *r) {
    bool fine = CHECK_INT(r->parts.dimension, dimension_of(&r->a, &r->b));
    if (fine && r->parts.dimension == 1) fine = check_segment(r);
    for (uint32_t f = 0; f < r->parts.face_count && fine; ++f) fine = check_face(r, &r->parts.faces[f]);
    if (fine && r->parts.dimension == 3) fine = check_edges(r);
    if (fine) fine = check_planes(r);
    return fine;
}

/* The sum (difference) of two hulls of which none is empty. */
static bool check_hull(const cd_hull *out, const cd_hull *a, const cd_hull *b, bool mirrored) {
    exact_pool pool = exact_begin();
    result r;
    bool fine;
    r.parts = cd_hull_get_parts(out);
    r.a = exact_body_of(a, false);
    r.b = exact_body_of(b, mirrored);
    r.at = (exact3 *)malloc((r.parts.vertex_count + 1) * sizeof *r.at);
    fine = CHECK_INT(cd_hull_validate(out), CD_OK) && check_vertices(&r, b) && check_parts(&r);
    free(r.at);
    free(r.a.v);
    free(r.b.v);
    exact_end(pool);
    return fine;
}

/* ---- where the origin is ---- */

/* All differences of two points of a body, each once. */
static void directions_of(const exact_body *b, exact3 *to, int *count) {
    for (uint32_t i = 0; i < b->count; ++i) {
        for (uint32_t j = 0; j < i; ++j) to[(*count)++] = exact3_sub(b->v[i], b->v[j]);
    }
}

/* The lesser of the sign found up to now and that of the support of a + b, along n and against it. */
static int lesser_support(const exact_body *a, const exact_body *b, exact3 n, int least) {
    for (int i = 0; i < 2 && !exact3_is_zero(n); ++i) {
        int sign = exact_add(support(a, n), support(b, n)).sign;
        if (sign < least) least = sign;
        n = exact3_scale(n, exact_from(-1));
    }
    return least;
}

/* The faces of the sum are among the planes of any two directions; below dimension 3 the edges' normals in the plane, and
 * the directions themselves, are tried too. */
static int locate(const exact_body *a, const exact_body *b) {
    exact3 *e = (exact3 *)malloc(1000 * sizeof *e), n[2];
    int count = 0, where = 1, dimension = dimension_of(a, b);
    n[0] = exact3_add(a->v[0], b->v[0]);
    if (dimension == 0) where = exact3_is_zero(n[0]) ? 0 : -1;
    directions_of(a, e, &count);
    directions_of(b, e, &count);
    for (int i = 0; i < count && where >= 0; ++i) {
        for (int j = 0; j < i && where >= 0; ++j) {
            exact_pool pool = exact_begin();
            exact3 normal = exact3_cross(e[i], e[j]);
            where = lesser_support(a, b, normal, where);
            if (dimension == 2) {
                where = lesser_support(a, b, exact3_cross(e[i], normal), where);
                where = lesser_support(a, b, exact3_cross(e[j], normal), where);
            }
            exact_end(pool);
        }
        if (dimension == 1) {
            where = lesser_support(a, b, e[i], where);
            where = lesser_support(a, b, exact3_cross(e[i], exact3_cross(e[i], n[0])), where);
        }
    }
    if (dimension < 3 && where > 0) where = 0;
    free(e);
    return where;
}

static int expected_where(const cd_hull *a, const cd_hull *b) {
    exact_pool pool = exact_begin();
    exact_body x = exact_body_of(a, false), y = exact_body_of(b, true);
    int where = locate(&x, &y);
    free(x.v);
    free(y.v);
    exact_end(pool);
    return where;
}

static long seen_where[3], seen_dimension[4];

static void check_where(const cd_hull *a, const cd_hull *b) {
    int where = 7, back = 7, want = expected_where(a, b);
    CHECK_INT(ASK("exact", cd_minkowski_locate_origin3(&where, a, b, NULL)), CD_OK);
    CHECK_INT(ASK("exact", cd_minkowski_locate_origin3(&back, b, a, NULL)), CD_OK);
    CHECK_INT(where, want);
    CHECK_INT(back, want);
    ++seen_where[want + 1];
}

static void check_pair(const body *a, const body *b) {
    cd_hull out;
    test_note("");
    test_note_reals("a", &a->v[0].x, 3 * a->count);
    test_note_reals("b", &b->v[0].x, 3 * b->count);
    CHECK_INT(ASK("exact", cd_minkowski_sum3(&out, &a->hull, &b->hull, NULL)), CD_OK);
    check_hull(&out, &a->hull, &b->hull, false);
    ++seen_dimension[cd_hull_get_parts(&out).dimension & 3];
    cd_hull_destroy(&out);
    CHECK_INT(ASK("exact", cd_minkowski_difference3(&out, &a->hull, &b->hull, NULL)), CD_OK);
    check_hull(&out, &a->hull, &b->hull, true);
    cd_hull_destroy(&out);
}

/* ---- inputs ---- */

/* Points of a kind; often in a plane, in a line, or all the same. */
static void draw(gen *g, body *b, int most) {
    static const int dimension[8] = {0, 1, 2, 2, 3, 3, 3, 3};
    int d = dimension[test_int(g->rng, 0, 7)], axis = test_int(g->rng, 0, 2);
    b->count = test_int(g->rng, 1, most);
    for (int i = 0; i < b->count; ++i) {
        b->v[i] = gen_point(g);
        if (d == 0) b->v[i] = b->v[0];
        for (int k = 0; k < 3; ++k) {
            if ((d == 1 && k != axis) || (d == 2 && k == axis)) REALS(b->v[i])[k] = REALS(b->v[0])[k];
        }
    }
}

/* A small step, of one unit in the last place or of none. */
static void nudge(test_rng *rng, body *b) {
    cd_real *x = &REALS(b->v)[test_int(rng, 0, 3 * b->count - 1)];
    *x = NEXT(*x, (cd_real)(test_int(rng, 0, 1) ? 1e30 : -1e30));
}

/* The other body in some relation to the first: on its own, a copy, shifted onto a point of it, mirrored, nearly the same. */
static void draw_beside(gen *g, const body *a, body *b, int most) {
    int relation = test_int(g->rng, 0, 5);
    draw(g, b, most);
    if (relation == 1) {
        b->count = a->count < most ? a->count : most;
        memcpy(b->v, a->v, (size_t)b->count * sizeof *b->v);
    }
    if (relation == 2) {
        cd_vec3 shift =
            cd_vec3_sub(a->v[test_int(g->rng, 0, a->count - 1)], b->v[test_int(g->rng, 0, b->count - 1)]);
        for (int i = 0; i < b->count; ++i) b->v[i] = cd_vec3_add(b->v[i], shift);
    }
    if (relation == 3) {
        cd_vec3 shift = cd_vec3_sub(a->v[0], a->v[a->count - 1]);
        b->count = a->count < most ? a->count : most;
        for (int i = 0; i < b->count; ++i) b->v[i] = cd_vec3_add(a->v[i], shift);
    }
    if (relation == 4) {
        int i = test_int(g->rng, 0, b->count - 1), j = test_int(g->rng, 0, a->count - 1);
        b->v[i] = cd_vec3_lerp(a->v[j], a->v[a->count - 1], (cd_real)0.5);
    }
    if (relation > 0 && test_int(g->rng, 0, 2) == 0) nudge(g->rng, b);
}

static void sums_of_all_kinds(void) {
    test_rng rng = test_random();
    for (long i = test_times(2500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body a, b;
        draw(&g, &a, test_int(&rng, 1, 12));
        draw_beside(&g, &a, &b, test_int(&rng, 1, 12));
        build(&a);
        build(&b);
        check_pair(&a, &b);
        drop(&a, &b);
    }
    for (int d = 0; d < 4; ++d) CHECK_SEEN(seen_dimension[d] > 0);
}

static void origin_of_all_kinds(void) {
    test_rng rng = test_random();
    for (long i = test_times(1200); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body a, b;
        draw(&g, &a, 5);
        draw_beside(&g, &a, &b, 5);
        test_note("");
        test_note_reals("a", &a.v[0].x, 3 * a.count);
        test_note_reals("b", &b.v[0].x, 3 * b.count);
        build(&a);
        build(&b);
        check_where(&a.hull, &b.hull);
        drop(&a, &b);
    }
    for (int w = 0; w < 3; ++w) CHECK_SEEN(seen_where[w] > 0);
}

/* Whole numbers plus tiny ones: the sums are no doubles, and differ from points in special position beyond them. */
static void grids_and_dust(void) {
    test_rng rng = test_random();
    for (long i = test_times(1200); i > 0; --i) {
        double dust = ldexp(1.0, test_int(&rng, -90, -20));
        body a, b;
        a.count = test_int(&rng, 1, 8);
        b.count = test_int(&rng, 1, 8);
        for (int k = 0; k < 3 * a.count; ++k) REALS(a.v)[k] = (cd_real)test_int(&rng, -1, 1);
        for (int k = 0; k < 3 * b.count; ++k) REALS(b.v)
        [k] = (cd_real)(dust * (test_int(&rng, 0, 3) ? test_int(&rng, -1, 1) : test_unit(&rng)));
        if (test_int(&rng, 0, 3) == 0) b.v[0] = cd_vec3_make(1, -1, 0);
        build(&a);
        build(&b);
        check_pair(&a, &b);
        drop(&a, &b);
    }
}

/* Any finite numbers, up to both ends of the type: right, or refused because a sum is beyond them. */
static void any_finite_numbers(void) {
    test_rng rng = test_random();
    long refused = 0, built = 0;
    for (long i = test_times(600); i > 0; --i) {
        body a, b;
        cd_hull out;
        cd_status status;
        double most = 0;
        a.count = test_int(&rng, 1, 5);
        b.count = test_int(&rng, 1, 5);
        for (int k = 0; k < 3 * a.count; ++k) REALS(a.v)[k] = gen_any_real(&rng);
        for (int k = 0; k < 3 * b.count; ++k) {
            REALS(b.v)[k] = gen_any_real(&rng);
            if (test_int(&rng, 0, 1)) REALS(b.v)[k] = REALS(a.v)[k % (3 * a.count)];
        }
        test_note("");
        test_note_reals("a", &a.v[0].x, 3 * a.count);
        test_note_reals("b", &b.v[0].x, 3 * b.count);
        build(&a);
        build(&b);
        for (int k = 0; k < 3 * a.count; ++k) {
            for (int j = k % 3; j < 3 * b.count; j += 3)
                most = fmax(most, fabs((double)REALS(a.v)[k] + (double)REALS(b.v)[j]));
        }
        status = ASK("bad", cd_minkowski_sum3(&out, &a.hull, &b.hull, NULL));
        if (CHECK_INT(status, most > (double)(CD_REAL_MAX / 2) ? CD_TOO_LARGE : CD_OK) && status == CD_OK) {
            check_hull(&out, &a.hull, &b.hull, false);
            ++built;
        } else {
            ++refused;
            CHECK(out.block == NULL);
        }
        cd_hull_destroy(&out);
        if (a.count < 5 && b.count < 5) {
            int where = 7;
            status = ASK("bad", cd_minkowski_locate_origin3(&where, &a.hull, &b.hull, NULL));
            if (status == CD_OK) CHECK_INT(where, expected_where(&a.hull, &b.hull));
            if (status != CD_OK) CHECK(status == CD_TOO_LARGE && where == -1 && sizeof(cd_real) == 8);
        }
        drop(&a, &b);
    }
    CHECK_SEEN(refused > 0 && built > 0);
}

/* ---- by hand ---- */

static body box_at(cd_real x, cd_real y, cd_real z, cd_real size) {
    body b;
    b.count = 8;
    for (int i = 0; i < 8; ++i)
        b.v[i] = cd_vec3_make(x + (i & 1 ? size : 0), y + (i & 2 ? size : 0), z + (i & 4 ? size : 0));
    build(&b);
    return b;
}

static body points(int count, const cd_real *numbers) {
    body b;
    b.count = count;
    memcpy(b.v, numbers, 3 * (size_t)count * sizeof *numbers);
    build(&b);
    return b;
}

static void check_counts(const body *a, const body *b, int dimension, uint32_t vertices, uint32_t faces) {
    cd_hull out;
    cd_hull_parts p;
    check_pair(a, b);
    CHECK_INT(cd_minkowski_sum3(&out, &a->hull, &b->hull, NULL), CD_OK);
    p = cd_hull_get_parts(&out);
    CHECK_INT(p.dimension, dimension);
    CHECK_INT(p.vertex_count, vertices);
    CHECK_INT(p.face_count, faces);
    cd_hull_destroy(&out);
}

static void sums_by_hand(void) {
    static const cd_real along_x[] = {0, 0, 0, 1, 0, 0}, along_y[] = {1, 1, 1, 1, 3, 1},
                         slanted[] = {0, 0, 0, 1, 2, 3};
    static const cd_real square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
                         upright[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    static const cd_real turned[] = {0, 0, 5, 1, 1, 5, -1, 1, 5, 0, 2, 5},
                         simplex[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const cd_real opposite[] = {0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1};
    body box = box_at(-1, -1, -1, 2), small = box_at(5, 6, 7, 1), x = points(2, along_x),
         y = points(2, along_y);
    body s = points(2, slanted), q = points(4, square), u = points(4, upright), t = points(4, turned);
    body simp = points(4, simplex), opp = points(4, opposite), p = points(1, slanted);
    check_counts(&box, &small, 3, 8, 6);
    check_counts(&box, &box, 3, 8, 6);
    check_counts(&box, &p, 3, 8, 6);
    check_counts(&p, &box, 3, 8, 6);
    check_counts(&box, &x, 3, 8, 6);
    check_counts(&box, &s, 3, 14, 12);
    check_counts(&p, &p, 0, 1, 0);
    check_counts(&x, &p, 1, 2, 0);
    check_counts(&x, &x, 1, 2, 0);
    check_counts(&x, &y, 2, 4, 2);
    check_counts(&q, &q, 2, 4, 2);
    check_counts(&q, &x, 2, 4, 2);
    check_counts(&q, &t, 2, 8, 2);
    check_counts(&q, &u, 3, 8, 6);
    check_counts(&q, &s, 3, 8, 6);
    check_counts(&simp, &simp, 3, 4, 4);
    check_counts(&simp, &opp, 3, 12, 14);
    check_counts(&simp, &q, 3, 9, 7);
    drop(&box, &small);
    drop(&x, &y);
    drop(&s, &q);
    drop(&u, &t);
    drop(&simp, &opp);
    cd_hull_destroy(&p.hull);
}

/* Polygons in the plane x + 2^69 y = 2^9, whose sums with b have y that are no doubles. In each the helper
 * point off the plane that the builder takes, half of x away, falls into the plane again if only the rounded y counts. */
static void flat_sums_in_steep_planes(void) {
    const double e = ldexp(1.0, -69);
    for (int i = 0; i < 64; ++i) {
        static const int corner[4] = {0, 1, 2, 3};
        body a, b;
        a.count = i < 32 ? 3 : 4;
        for (int k = 0; k < a.count; ++k) {
            int dx = (i >> (k % 3) & 1) * (k == 2 ? -1 : 1) + (k == 3);
            a.v[k] = cd_vec3_make((cd_real)(1024 + dx), (cd_real)(-e * (512 + dx)),
                                  (cd_real)(corner[k] * corner[k]));
        }
        b.count = 1;
        b.v[0] = cd_vec3_make(0, 1, 0);
        build(&a);
        build(&b);
        check_pair(&a, &b);
        drop(&a, &b);
    }
}

/* A polygon so small that its sums with a point are all the same but for what no double holds; in each of the planes of the
 * axes, in which the third coordinate is 0. */
static void flat_sums_of_dust(void) {
    const cd_real tiny = (cd_real)ldexp(1.0, -82);
    for (int axis = 0; axis < 3; ++axis) {
        body a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        a.count = 4;
        b.count = 1;
        for (int k = 0; k < 4; ++k) {
            REALS(a.v[k])[(axis + 1) % 3] = (k & 1) ? tiny : -tiny;
            REALS(a.v[k])[(axis + 2) % 3] = (k & 2) ? tiny : -tiny;
        }
        REALS(b.v[0])[(axis + 1) % 3] = REALS(b.v[0])[(axis + 2) % 3] = 1;
        build(&a);
        build(&b);
        check_counts(&a, &b, 2, 4, 2);
        drop(&a, &b);
    }
}

/* The zonotope of n segments in general position has n (n - 1) + 2 vertices and n (n - 1) faces. */
static void zonotopes(void) {
    static const cd_real direction[6][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},
                                            {3, 5, 7}, {-4, 2, 9}, {6, -5, 1}};
    cd_vec3 origin = {0, 0, 0};
    cd_hull sum;
    CHECK_INT(cd_hull3_build(&sum, &origin, 1, NULL), CD_OK);
    for (uint32_t n = 1; n <= 6; ++n) {
        body s;
        cd_hull next;
        s.count = 2;
        s.v[0] = origin;
        memcpy(&s.v[1], direction[n - 1], sizeof s.v[1]);
        build(&s);
        CHECK_INT(cd_minkowski_sum3(&next, &sum, &s.hull, NULL), CD_OK);
        check_hull(&next, &sum, &s.hull, false);
        CHECK_INT(cd_hull_get_parts(&next).vertex_count, n * (n - 1) + 2);
        if (n > 2) CHECK_INT(cd_hull_get_parts(&next).face_count, n * (n - 1));
        cd_hull_destroy(&sum);
        cd_hull_destroy(&s.hull);
        sum = next;
    }
    cd_hull_destroy(&sum);
}

/* Boxes that touch at a corner, an edge, a face; and apart, or overlapping, by one unit in the last place. */
static void touching_and_one_ulp(void) {
    body a = box_at(1, 1, 1, 1);
    const cd_real to[3] = {0, 2, 4};
    for (int i = 0; i < 27; i += test_is_small() ? 4 : 1) {
        const cd_real at[3] = {to[i % 3] / 2 * 1, to[i / 3 % 3] / 2, to[i / 9] / 2};
        for (int step = -1; step < 2; ++step) {
            body b = box_at(at[0], at[1], at[2], 1);
            int inside = 1, touching = 0, where, want;
            for (int k = 0; k < 3; ++k) {
                if (at[k] == 1) continue; /* the same place */
                for (int v = 0; v < 8; ++v) {
                    cd_real *c = &REALS(b.v[v])[k];
                    if (step) *c = NEXT(*c, (step > 0) == (at[k] > 1) ? (cd_real)9 : (cd_real)-9);
                }
                touching |= step == 0;
                inside &= step < 0;
            }
            cd_hull_destroy(&b.hull);
            build(&b);
            want = i == 13 || inside ? 1 : touching ? 0 : -1;
            CHECK_INT(cd_minkowski_locate_origin3(&where, &a.hull, &b.hull, NULL), CD_OK);
            CHECK_INT(where, want);
            CHECK_INT(expected_where(&a.hull, &b.hull), want);
            cd_hull_destroy(&b.hull);
        }
    }
    cd_hull_destroy(&a.hull);
}

static void differences_with_itself(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body a;
        int where;
        draw(&g, &a, 12);
        build(&a);
        CHECK_INT(cd_minkowski_locate_origin3(&where, &a.hull, &a.hull, NULL), CD_OK);
        CHECK_INT(where, cd_hull_get_parts(&a.hull).dimension == 3);
        cd_hull_destroy(&a.hull);
    }
}

/* ---- large ones, and results as operands ---- */

static cd_hull ball(test_rng *rng, int count, double squeeze) {
    cd_vec3 *v = (cd_vec3 *)malloc((size_t)count * sizeof *v);
    cd_hull hull;
    for (int i = 0; i < count; ++i) {
        double z = test_range(rng, -1, 1), angle = test_range(rng, 0, 6.3), r = sqrt(1 - z * z);
        v[i] = cd_vec3_make((cd_real)(r * cos(angle)), (cd_real)(r * sin(angle)), (cd_real)(squeeze * z));
    }
    CHECK_INT(cd_hull3_build(&hull, v, (size_t)count, NULL), CD_OK);
    free(v);
    return hull;
}

static void balls(void) {
    test_rng rng = test_random();
    for (long i = test_times(12); i > 0; --i) {
        cd_hull a = ball(&rng, test_int(&rng, 4, 60), 1),
                b = ball(&rng, test_int(&rng, 4, 60), test_unit(&rng)), out;
        CHECK_INT(cd_minkowski_sum3(&out, &a, &b, NULL), CD_OK);
        check_hull(&out, &a, &b, false);
        cd_hull_destroy(&out);
        CHECK_INT(cd_minkowski_difference3(&out, &a, &a, NULL), CD_OK);
        check_hull(&out, &a, &a, true);
        cd_hull_destroy(&out);
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
}

/* A sum with rounded vertices is an operand like any other: it stands for the hull of its vertices. */
static void sums_of_sums(void) {
    test_rng rng = test_random();
    long rounded = 0;
    for (long i = test_times(300); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body a, b;
        cd_hull sum, more;
        draw(&g, &a, 6);
        draw_beside(&g, &a, &b, 6);
        build(&a);
        build(&b);
        CHECK_INT(cd_minkowski_sum3(&sum, &a.hull, &b.hull, NULL), CD_OK);
        rounded += cd_hull_get_parts(&sum).flatness > 0;
        CHECK_INT(cd_minkowski_sum3(&more, &sum, &b.hull, NULL), CD_OK);
        check_hull(&more, &sum, &b.hull, false);
        cd_hull_destroy(&more);
        CHECK_INT(cd_minkowski_difference3(&more, &a.hull, &sum, NULL), CD_OK);
        check_hull(&more, &a.hull, &sum, true);
        cd_hull_destroy(&more);
        cd_hull_destroy(&sum);
        drop(&a, &b);
    }
    CHECK_SEEN(rounded > 0);
}

/* So is a hull with merged faces. */
static void sums_of_merged_hulls(void) {
    test_rng rng = test_random();
    long merged = 0;
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_hull_options o;
        body a, b;
        cd_hull sum;
        a.count = test_int(&rng, 4, MOST);
        for (int k = 0; k < a.count; ++k) a.v[k] = gen_point(&g);
        draw(&g, &b, 6);
        build(&b);
        memset(&o, 0, sizeof o);
        o.merge_distance = (cd_real)(test_unit(&rng) * (double)cd_vec3_dist(a.v[0], a.v[1]));
        test_note("merge_distance = %a", (double)o.merge_distance);
        test_note_reals("a", &a.v[0].x, 3 * a.count);
        test_note_reals("b", &b.v[0].x, 3 * b.count);
        if (!isfinite((double)o.merge_distance)) o.merge_distance = 1;
        CHECK_INT(cd_hull3_build(&a.hull, a.v, (size_t)a.count, &o), CD_OK);
        merged += cd_hull_get_parts(&a.hull).flatness > 0;
        CHECK_INT(cd_minkowski_sum3(&sum, &a.hull, &b.hull, NULL), CD_OK);
        check_hull(&sum, &a.hull, &b.hull, false);
        cd_hull_destroy(&sum);
        CHECK_INT(cd_minkowski_difference3(&sum, &b.hull, &a.hull, NULL), CD_OK);
        check_hull(&sum, &b.hull, &a.hull, true);
        cd_hull_destroy(&sum);
        drop(&a, &b);
    }
    CHECK_SEEN(merged > 0);
}

/* A copy of the bytes is the same hull; rounded ones pass the validator, too. */
static void results_can_be_viewed(void) {
    test_rng rng = test_random();
    cd_hull a = ball(&rng, 20, 1), b = ball(&rng, 20, 1), out, view;
    void *copy;
    CHECK_INT(cd_minkowski_sum3(&out, &a, &b, NULL), CD_OK);
    copy = test_block(out.bytes);
    memcpy(copy, out.block, out.bytes);
    CHECK_INT(cd_hull_view(&view, copy, out.bytes), CD_OK);
    CHECK(check_hull(&view, &a, &b, false));
    test_block_free(copy);
    cd_hull_destroy(&out);
    cd_hull_destroy(&a);
    cd_hull_destroy(&b);
}

/* ---- bad input, memory, cancelling ---- */

static void empty_operands(void) {
    body a = box_at(0, 0, 0, 1);
    cd_hull none, out;
    int where;
    memset(&none, 0, sizeof none);
    for (int i = 0; i < 3; ++i) {
        const cd_hull *x = i == 1 ? &a.hull : &none, *y = i == 2 ? &a.hull : &none;
        memset(&out, 7, sizeof out);
        CHECK_INT(cd_minkowski_sum3(&out, x, y, NULL), CD_OK);
        CHECK(out.block == NULL && out.bytes == 0);
        CHECK_INT(cd_minkowski_difference3(&out, x, y, NULL), CD_OK);
        CHECK(out.block == NULL);
        where = 7;
        CHECK_INT(cd_minkowski_locate_origin3(&where, x, y, NULL), CD_OK);
        CHECK_INT(where, -1);
    }
    CHECK(ASK("bad", cd_minkowski_pair_of(3, &none)).a == CD_NONE &&
          ASK("bad", cd_minkowski_pair_of(CD_NONE, &a.hull)).b == CD_NONE);
    CHECK(ASK("exact", cd_minkowski_pair_of(19, &a.hull)).a == 2 &&
          ASK("exact", cd_minkowski_pair_of(19, &a.hull)).b == 3);
    cd_hull_destroy(&a.hull);
}

static bool stop(void *user, float done) {
    CHECK(done >= 0 && done <= 1);
    return --*(int *)user > 0;
}

static void can_be_cancelled(void) {
    test_rng rng = test_random();
    cd_hull a = ball(&rng, 500, 1), b = ball(&rng, 500, 1), out;
    cd_hull_options o;
    cd_status status = CD_CANCELLED;
    test_memory memory = {1000, 0, 0};
    memset(&o, 0, sizeof o);
    o.allocator = test_allocator(&memory);
    for (int k = 1; k < 100 && status == CD_CANCELLED; ++k) {
        int left = k;
        o.executor.user = &left;
        o.executor.progress = stop;
        status = cd_minkowski_sum3(&out, &a, &b, &o);
        CHECK(status == CD_OK || (status == CD_CANCELLED && out.block == NULL));
        CHECK(status == CD_OK || left == 0);
        CHECK_INT(memory.live, status == CD_OK);
    }
    CHECK_INT(status, CD_OK);
    cd_hull_destroy(&out);
    CHECK_INT(memory.live, 0);
    cd_hull_destroy(&a);
    cd_hull_destroy(&b);
}

/* Too many pairs to be numbered: two polygons of 2^16 corners on a parabola. */
static void too_many_pairs(void) {
    uint32_t n = 65536;
    cd_vec3 *v;
    cd_hull a, out;
    int where = 7;
    if (test_is_tiny()) {
        test_skip("it takes too long here");
        return;
    }
    v = (cd_vec3 *)malloc(n * sizeof *v);
    for (uint32_t i = 0; i < n; ++i) {
        double x = (double)i / 4096;
        v[i] = cd_vec3_make((cd_real)x, (cd_real)exp(x), 0);
    }
    CHECK_INT(cd_hull3_build(&a, v, n, NULL), CD_OK);
    if (cd_hull_get_parts(&a).vertex_count == n) {
        CHECK_INT(cd_minkowski_sum3(&out, &a, &a, NULL), CD_TOO_LARGE);
        CHECK(out.block == NULL);
        CHECK_INT(cd_minkowski_locate_origin3(&where, &a, &a, NULL), CD_TOO_LARGE);
        CHECK_INT(where, -1);
    } else {
        CHECK(sizeof(cd_real) == 4);
    }
    cd_hull_destroy(&a);
    free(v);
}

void suite_minkowski3(void) {
    RUN(sums_of_all_kinds);
    RUN(origin_of_all_kinds);
    RUN(grids_and_dust);
    RUN(any_finite_numbers);
    RUN(sums_by_hand);
    RUN(flat_sums_in_steep_planes);
    RUN(flat_sums_of_dust);
    RUN(zonotopes);
    RUN(touching_and_one_ulp);
    RUN(differences_with_itself);
    RUN(balls);
    RUN(sums_of_sums);
    RUN(sums_of_merged_hulls);
    RUN(results_can_be_viewed);
    RUN(empty_operands);
    RUN(can_be_cancelled);
    RUN(too_many_pairs);
}
