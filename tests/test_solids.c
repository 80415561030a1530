/* Polygons in space, tetrahedra and hulls against everything that they have a test with. */
#include "gen.h"
#include "hulls.h"
#include "oracle.h"
#include <math.h>

/* ---- the reference ----
 *
 * Two sets of points in space can be parted by a plane when any five of them can (Kirchberger). So their hulls meet when a
 * segment of the one meets a triangle of the other, or a point of the one is in a tetrahedron of the other. */

enum { MOST = 8 };

typedef struct cloud {
    double p[MOST][3];
    int n;
} cloud;

static cloud cloud_of(const cd_vec3 *v, int n) {
    cloud c;
    c.n = n < 3 ? 3 : n;
    for (int i = 0; i < c.n; ++i) to_doubles(&v[i < n ? i : n - 1].x, c.p[i], 3);
    return c;
}

static bool oracle_says(const double *p, const double *q, const double *a, const double *b, const double *c) {
    double s[6], t[9];
    for (int k = 0; k < 3; ++k) {
        s[k] = p[k], s[3 + k] = q[k];
        t[k] = a[k], t[3 + k] = b[k], t[6 + k] = c[k];
    }
    return oracle_segment_triangle(s, t);
}

static bool segment_meets(const double *p, const double *q, const double *a, const double *b,
                          const double *c) {
    int from = hulls_side(a, b, c, p), to = hulls_side(a, b, c, q), u, v, w;
    if (from * to > 0) return false;
    if (from == 0 && to == 0) return oracle_says(p, q, a, b, c);
    u = hulls_side(p, q, a, b);
    v = hulls_side(p, q, b, c);
    w = hulls_side(p, q, c, a);
    return u * v >= 0 && v * w >= 0 && w * u >= 0;
}

/* A flat one holds no point, as its triangles do. */
static bool tetrahedron_holds(const double *a, const double *b, const double *c, const double *d,
                              const double *p) {
    int s = hulls_side(a, b, c, d);
    return s != 0 && s * hulls_side(a, b, c, p) >= 0 && s * hulls_side(b, a, d, p) >= 0 &&
           s * hulls_side(c, b, d, p) >= 0 && s * hulls_side(a, c, d, p) >= 0;
}

/* The triangles of a against the segments of b, the tetrahedra against the points. */
static bool half_meets(const cloud *a, const cloud *b) {
    for (int i = 0; i < a->n; ++i) {
        for (int j = i + 1; j < a->n; ++j) {
            for (int k = j + 1; k < a->n; ++k) {
                for (int u = 0; u < b->n; ++u) {
                    for (int v = u + 1; v < b->n; ++v) {
                        if (segment_meets(b->p[u], b->p[v], a->p[i], a->p[j], a->p[k])) return true;
                    }
                    for (int l = k + 1; l < a->n; ++l) {
                        if (tetrahedron_holds(a->p[i], a->p[j], a->p[k], a->p[l], b->p[u])) return true;
                    }
                }
            }
        }
    }
    return false;
}

static bool boxes_are_apart(const cloud *a, const cloud *b) {
    for (int k = 0; k < 3; ++k) {
        double alo = a->p[0][k], ahi = alo, blo = b->p[0][k], bhi = blo;
        for (int i = 1; i < a->n; ++i) alo = fmin(alo, a->p[i][k]), ahi = fmax(ahi, a->p[i][k]);
        for (int i = 1; i < b->n; ++i) blo = fmin(blo, b->p[i][k]), bhi = fmax(bhi, b->p[i][k]);
        if (ahi < blo || bhi < alo) return true;
    }
    return false;
}

/* Is a plane through three points of a between the two, or on a? Then the rest need not be asked. */
static bool face_parts(const cloud *a, const cloud *b) {
    for (int i = 0; i < a->n; ++i) {
        for (int j = i + 1; j < a->n; ++j) {
            for (int k = j + 1; k < a->n; ++k) {
                int side = hulls_side(a->p[i], a->p[j], a->p[k], b->p[0]);
                bool parts = side != 0;
                for (int l = 1; l < b->n && parts; ++l)
                    parts = side * hulls_side(a->p[i], a->p[j], a->p[k], b->p[l]) > 0;
                for (int l = 0; l < a->n && parts; ++l)
                    parts = side * hulls_side(a->p[i], a->p[j], a->p[k], a->p[l]) <= 0;
                if (parts) return true;
            }
        }
    }
    return false;
}

static bool clouds_meet(const cloud *a, const cloud *b) {
    return !boxes_are_apart(a, b) && !face_parts(a, b) && !face_parts(b, a) &&
           (half_meets(a, b) || half_meets(b, a));
}

static bool cloud_holds(const cloud *a, const cd_vec3 *p) {
    cloud b = cloud_of(p, 1);
    return clouds_meet(a, &b);
}

/* Is there a plane through three of its points with all others on one side of it, not all on it, that holds p? */
static bool is_on_boundary(const cloud *a, const double *p) {
    bool flat = true;
    for (int i = 0; i < a->n; ++i) {
        for (int j = i + 1; j < a->n; ++j) {
            for (int k = j + 1; k < a->n; ++k) {
                int least = 0, most = 0;
                for (int l = 0; l < a->n; ++l) {
                    int side = hulls_side(a->p[i], a->p[j], a->p[k], a->p[l]);
                    least = side < least ? side : least;
                    most = side > most ? side : most;
                }
                flat = flat && least == 0 && most == 0;
                if (least + most != 0 && hulls_side(a->p[i], a->p[j], a->p[k], p) == 0) return true;
            }
        }
    }
    return flat;
}

/* ---- things of all kinds ---- */

typedef enum thing_kind { POINT, SEGMENT, TRIANGLE, POLYGON, TETRAHEDRON, BOX, HULL, KINDS } thing_kind;

typedef struct thing {
    thing_kind kind;
    cd_vec3 v[MOST];
    int count;
    cd_hull hull;
} thing;

static cd_segment segment_of(const thing *t) {
    cd_segment s;
    s.a = t->v[0];
    s.b = t->v[1];
    return s;
}
static cd_triangle triangle_of(const thing *t) {
    cd_triangle r;
    r.a = t->v[0];
    r.b = t->v[1];
    r.c = t->v[2];
    return r;
}
static cd_tetrahedron tetrahedron_of(const thing *t) {
    cd_tetrahedron r;
    r.a = t->v[0];
    r.b = t->v[1];
    r.c = t->v[2];
    r.d = t->v[3];
    return r;
}
static cd_aabb box_of(const thing *t) {
    cd_aabb b;
    b.min = t->v[0];
    b.max = t->v[7];
    return b;
}

static const cd_vec3 *pick(test_rng *rng, const thing *t) {
    return &t->v[test_int(rng, 0, t->count - 1)];
}

/* A corner of t, or a point between two or three of them. */
static cd_vec3 point_of(test_rng *rng, const thing *t) {
    cd_vec3 p = *pick(rng, t);
    for (int i = test_int(rng, 0, 2); i > 0; --i) p = cd_vec3_lerp(p, *pick(rng, t), (cd_real)0.5);
    return p;
}

/* Corners of the box of the first two. */
static void make_box(thing *t) {
    cd_vec3 lo = cd_vec3_min(t->v[0], t->v[1]), hi = cd_vec3_max(t->v[0], t->v[1]);
    for (int i = 0; i < 8; ++i)
        t->v[i] = cd_vec3_make(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z);
}

static void shuffle(test_rng *rng, cd_vec3 *v, int n) {
    for (int i = n - 1; i > 0; --i) {
        int j = test_int(rng, 0, i);
        cd_vec3 swap = v[i];
        v[i] = v[j];
        v[j] = swap;
    }
}

static cd_hull hull_of(const cd_vec3 *v, int n) {
    cd_hull h;
    CHECK_INT(cd_hull3_build(&h, v, (size_t)n, NULL), CD_OK);
    return h;
}

/* A thing of a kind; with `other` often at it, or small and inside it. */
static thing draw(gen *g, thing_kind is, const thing *other) {
    static const int most[KINDS] = {1, 2, 3, 5, 4, 8, 7};
    thing t;
    bool is_small = other && test_int(g->rng, 0, 7) == 0;
    t.kind = is;
    t.count = is == POLYGON || is == HULL ? test_int(g->rng, 1, most[is]) : most[is];
    for (int i = 0; i < t.count; ++i) {
        t.v[i] = gen_point(g);
        if (i > 0 && test_int(g->rng, 0, 11) == 0) t.v[i] = t.v[i - 1];
        if (i > 1 && test_int(g->rng, 0, 11) == 0) t.v[i] = cd_vec3_lerp(t.v[i - 1], t.v[i - 2], 2);
        if (other && test_int(g->rng, 0, 5) == 0) t.v[i] = point_of(g->rng, other);
        if (is_small) {
            cd_vec3 p = cd_vec3_lerp(other->v[0], other->v[other->count - 1], (cd_real)0.5);
            p = cd_vec3_lerp(p, other->v[other->count / 2], (cd_real)0.375);
            t.v[i] = cd_vec3_lerp(p, t.v[i], (cd_real)0.03125);
        }
    }
    if (is == BOX) make_box(&t);
    t.hull.block = NULL;
    if (is == HULL) t.hull = hull_of(t.v, t.count);
    return t;
}

static void drop(thing *t) {
    if (t->kind == HULL) cd_hull_destroy(&t->hull);
}

static bool want(const thing *a, const thing *b) {
    size_t parts = a->kind == POLYGON ? cd_polygon_triangle_count((size_t)a->count) : 1;
    if (a->kind != POLYGON && b->kind == POLYGON) return want(b, a);
    for (size_t i = 0; i < parts; ++i) {
        cd_triangle f = a->kind == POLYGON ? cd_polygon_triangle(a->v, (size_t)a->count, i) : triangle_of(a);
        cloud c = a->kind == POLYGON ? cloud_of(&f.a, 3) : cloud_of(a->v, a->count), d;
        if (b->kind == POLYGON) {
            thing t = *b, u = *b;
            t.kind = TRIANGLE;
            t.count = 3;
            t.v[0] = f.a, t.v[1] = f.b, t.v[2] = f.c;
            if (want(&u, &t)) return true;
            continue;
        }
        d = cloud_of(b->v, b->count);
        if (clouds_meet(&c, &d)) return true;
    }
    return false;
}

/* The library's answer; -1 where it has no test of the two in this order. */
static int polygon_answer(const thing *a, const thing *b) {
    size_t n = (size_t)a->count;
    cd_segment s = segment_of(b);
    cd_triangle f = triangle_of(b);
    cd_tetrahedron t = tetrahedron_of(b);
    switch (b->kind) {
    case POINT: return ASK("exact", cd_test_point_polygon(b->v[0], a->v, n));
    case SEGMENT: return ASK("exact", cd_test_segment_polygon(&s, a->v, n));
    case TRIANGLE: return ASK("exact", cd_test_polygon_triangle(a->v, n, &f));
    case POLYGON: return ASK("exact", cd_test_polygon_polygon(a->v, n, b->v, (size_t)b->count));
    case TETRAHEDRON: return ASK("exact", cd_test_polygon_tetrahedron(a->v, n, &t));
    case BOX: return ASK("exact", cd_test_polygon_aabb(a->v, n, box_of(b)));
    default: return ASK("exact", cd_test_polygon_hull(a->v, n, &b->hull));
    }
}
static int tetrahedron_answer(const thing *a, const thing *b) {
    cd_tetrahedron t = tetrahedron_of(a), u = tetrahedron_of(b);
    cd_segment s = segment_of(b);
    cd_triangle f = triangle_of(b);
    switch (b->kind) {
    case POINT: return ASK("exact", cd_test_point_tetrahedron(b->v[0], &t));
    case SEGMENT: return ASK("exact", cd_test_segment_tetrahedron(&s, &t));
    case TRIANGLE: return ASK("exact", cd_test_triangle_tetrahedron(&f, &t));
    case TETRAHEDRON: return ASK("exact", cd_test_tetrahedron_tetrahedron(&t, &u));
    case BOX: return ASK("exact", cd_test_tetrahedron_aabb(&t, box_of(b)));
    case HULL: return ASK("exact", cd_test_tetrahedron_hull(&t, &b->hull));
    default: return -1;
    }
}
static int hull_answer(const thing *a, const thing *b) {
    cd_segment s = segment_of(b);
    cd_triangle f = triangle_of(b);
    switch (b->kind) {
    case POINT: return ASK("exact", cd_test_point_hull(b->v[0], &a->hull));
    case SEGMENT: return ASK("exact", cd_test_segment_hull(&s, &a->hull));
    case TRIANGLE: return ASK("exact", cd_test_triangle_hull(&f, &a->hull));
    case BOX: return ASK("exact", cd_test_aabb_hull(box_of(b), &a->hull));
    case HULL: return ASK("exact", cd_test_hull_hull(&a->hull, &b->hull));
    default: return -1;
    }
}
static int answer(const thing *a, const thing *b) {
    int r = a->kind == POLYGON       ? polygon_answer(a, b)
            : a->kind == TETRAHEDRON ? tetrahedron_answer(a, b)
            : a->kind == HULL        ? hull_answer(a, b)
                                     : -1;
    return r >= 0 ? r : answer(b, a);
}

static void note(const thing *a, const thing *b) {
    test_note("kinds %d %d ", (int)a->kind, (int)b->kind);
    test_note_reals("a", &a->v[0].x, 3 * a->count);
    test_note_reals("b", &b->v[0].x, 3 * b->count);
}

/* ---- all pairs ---- */

static void pairs_exactly(void) {
    test_rng rng = test_random();
    long times = test_times(20000), hits = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing_kind first = (thing_kind)(POLYGON + (test_int(&rng, 0, 3) ? test_int(&rng, 0, 1) : 3)), second;
        thing a = draw(&g, first, NULL), b;
        bool meet;
        second = (thing_kind)test_int(&rng, 0, HULL);
        b = draw(&g, second, &a);
        note(&a, &b);
        meet = want(&a, &b);
        hits += meet;
        CHECK_INT(answer(&a, &b), meet);
        if (first == second) CHECK_INT(answer(&b, &a), meet);
        if (first == TETRAHEDRON) {
            shuffle(&rng, a.v, 4);
            CHECK_INT(answer(&a, &b), meet);
        }
        drop(&a);
        drop(&b);
    }
    CHECK_SEEN(hits > times / 5 && hits < times - times / 5);
}

/* All finite numbers, also where products leave the range. */
static void pairs_of_all_sizes(void) {
    test_rng rng = test_random();
    for (long i = test_times(600); i > 0; --i) {
        thing t[2];
        for (int k = 0; k < 2; ++k) {
            thing_kind is = k ? (thing_kind)test_int(&rng, 0, BOX) : TETRAHEDRON;
            t[k].kind = is;
            t[k].count = is == POINT ? 1 : is == SEGMENT ? 2 : is == TRIANGLE ? 3 : is == BOX ? 8 : 4;
            for (int j = 0; j < 3 * t[k].count; ++j) {
                cd_real x = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
                (&t[k].v[0].x)[j] = x - x == 0 ? x : 0;
            }
            if (is == BOX) make_box(&t[k]);
        }
        note(&t[0], &t[1]);
        CHECK_INT(answer(&t[0], &t[1]), want(&t[0], &t[1]));
    }
}

static void points_located(void) {
    test_rng rng = test_random();
    long seen[3] = {0, 0, 0};
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, 0, 2) ? TETRAHEDRON : HULL, NULL), b = draw(&g, POINT, &a);
        cd_tetrahedron t = tetrahedron_of(&a);
        cloud c = cloud_of(a.v, a.count), p = cloud_of(b.v, 1);
        int where = !cloud_holds(&c, b.v) ? -1 : is_on_boundary(&c, p.p[0]) ? 0 : 1;
        note(&a, &b);
        ++seen[where + 1];
        CHECK_INT(a.kind == HULL ? ASK("exact", cd_locate_point_hull(b.v[0], &a.hull))
                                 : ASK("exact", cd_locate_point_tetrahedron(b.v[0], &t)),
                  where);
        drop(&a);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* ---- rays ---- */

static bool ray_answer(const cd_ray *r, const thing *a) {
    cd_tetrahedron t = tetrahedron_of(a);
    return a->kind == POLYGON       ? ASK("exact", cd_test_ray_polygon(r, a->v, (size_t)a->count))
           : a->kind == TETRAHEDRON ? ASK("exact", cd_test_ray_tetrahedron(r, &t))
                                    : ASK("exact", cd_test_ray_hull(r, &a->hull));
}

/* Of small whole numbers: far along the ray is a point that is exact, too. */
static void rays_on_the_grid(void) {
    test_rng rng = test_random();
    long times = test_times(10000), hits = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        static const thing_kind kinds[3] = {POLYGON, TETRAHEDRON, HULL};
        thing a = draw(&g, kinds[test_int(&rng, 0, 2)], NULL), b = draw(&g, SEGMENT, &a);
        cd_ray r;
        bool meet;
        r.origin = b.v[0];
        r.dir = cd_vec3_sub(b.v[1], b.v[0]);
        if (test_int(&rng, 0, 1)) r.dir = cd_vec3_neg(r.dir);
        b.v[1] = cd_vec3_add(r.origin, cd_vec3_scale(r.dir, 1024));
        note(&a, &b);
        meet = want(&a, &b);
        hits += meet;
        CHECK_INT(ray_answer(&r, &a), meet);
        drop(&a);
    }
    CHECK_SEEN(hits > times / 5 && hits < times - times / 5);
}

/* A ray enters a body that is not flat through a triangle that it is not parallel to, or begins inside. */
static void rays_anywhere(void) {
    test_rng rng = test_random();
    long times = test_times(6000), hits = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, 0, 2) ? TETRAHEDRON : HULL, NULL), b = draw(&g, SEGMENT, &a);
        cloud c = cloud_of(a.v, a.count);
        cd_ray r;
        double o[3], d[3];
        bool meet = cloud_holds(&c, &b.v[0]), flat = true;
        r.origin = b.v[0];
        r.dir = cd_vec3_sub(b.v[1], b.v[0]);
        to_doubles(&r.origin.x, o, 3);
        to_doubles(&r.dir.x, d, 3);
        for (int j = 0; j < c.n; ++j) {
            for (int k = j + 1; k < c.n; ++k) {
                for (int l = k + 1; l < c.n; ++l) {
                    double t[9];
                    for (int m = 0; m < 3; ++m) t[m] = c.p[j][m], t[3 + m] = c.p[k][m], t[6 + m] = c.p[l][m];
                    meet = meet || oracle_ray_triangle(o, d, t, false).hit;
                    for (int m = 0; flat && m < c.n; ++m) flat = !hulls_side(c.p[j], c.p[k], c.p[l], c.p[m]);
                }
            }
        }
        note(&a, &b);
        if (!flat) CHECK_INT(ray_answer(&r, &a), meet);
        if (meet) CHECK(ray_answer(&r, &a));
        hits += meet;
        drop(&a);
    }
    CHECK_SEEN(hits > times / 5 && hits < times - times / 5);
}

/* ---- planes ---- */

static int height(cd_plane plane, const double *p) {
    exact_pool pool = exact_begin();
    double n[3];
    int sign;
    to_doubles(&plane.n.x, n, 3);
    sign = exact_compare(exact3_dot(exact3_from(n), exact3_from(p)), exact_from((double)plane.d));
    exact_end(pool);
    return sign;
}

static void planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(6000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, 0, 1) ? TETRAHEDRON : HULL, NULL);
        cd_tetrahedron t = tetrahedron_of(&a);
        cloud c = cloud_of(a.v, a.count);
        cd_plane plane;
        bool behind = false, front = false;
        plane.n = gen_direction(&g);
        plane.d = test_int(&rng, 0, 1) ? gen_coordinate(&g, 0) : cd_vec3_dot(plane.n, point_of(&rng, &a));
        if (!cd_plane_is_valid(&plane)) plane.d = 0;
        for (int k = 0; k < c.n; ++k) {
            behind = behind || height(plane, c.p[k]) <= 0;
            front = front || height(plane, c.p[k]) >= 0;
        }
        note(&a, &a);
        test_note_reals("plane", &plane.n.x, 4);
        CHECK_INT(a.kind == HULL ? ASK("exact", cd_test_hull_plane(&a.hull, plane))
                                 : cd_test_tetrahedron_plane(&t, plane),
                  behind && front);
        CHECK_INT(a.kind == HULL ? ASK("exact", cd_test_hull_halfspace(&a.hull, plane))
                                 : ASK("exact", cd_test_tetrahedron_halfspace(&t, plane)),
                  behind);
        drop(&a);
    }
}

/* Planes of all finite numbers, also where products leave the range. */
static void planes_of_all_sizes(void) {
    test_rng rng = test_random();
    for (long i = test_times(600); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, 0, 1) ? TETRAHEDRON : HULL, NULL);
        cd_tetrahedron t = tetrahedron_of(&a);
        cloud c = cloud_of(a.v, a.count);
        cd_plane plane;
        bool behind = false, front = false, is_plane;
        for (int k = 0; k < 4; ++k) {
            cd_real x = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            REALS(plane)[k] = x - x == 0 ? x : 0;
        }
        if (test_int(&rng, 0, 1)) plane.d = 0;
        is_plane = cd_plane_is_valid(&plane);
        for (int k = 0; k < c.n; ++k) {
            behind = behind || height(plane, c.p[k]) <= 0;
            front = front || height(plane, c.p[k]) >= 0;
        }
        note(&a, &a);
        test_note_reals("plane", &plane.n.x, 4);
        CHECK_INT(a.kind == HULL ? ASK("exact", cd_test_hull_plane(&a.hull, plane))
                                 : cd_test_tetrahedron_plane(&t, plane),
                  is_plane && behind && front);
        CHECK_INT(a.kind == HULL ? ASK("exact", cd_test_hull_halfspace(&a.hull, plane))
                                 : ASK("exact", cd_test_tetrahedron_halfspace(&t, plane)),
                  is_plane && behind);
        drop(&a);
    }
}

/* ---- round things, within their tolerance ---- */

/* From a point to the hull of points: 0 inside, else to the nearest triangle of three of them. */
static double point_distance(const cloud *c, const cd_vec3 *p) {
    double best = HUGE_VAL, d[3], t[9];
    if (cloud_holds(c, p)) return 0;
    to_doubles(&p->x, d, 3);
    for (int j = 0; j < c->n; ++j) {
        for (int k = j + 1; k < c->n; ++k) {
            for (int l = k + 1; l < c->n; ++l) {
                for (int m = 0; m < 3; ++m) t[m] = c->p[j][m], t[3 + m] = c->p[k][m], t[6 + m] = c->p[l][m];
                best = fmin(best, oracle_point_triangle(d, t).distance);
            }
        }
    }
    return best;
}

/* From a segment, whose first end is as far as `first`: 0 where they meet, else between an end and a triangle or the segment and
 * an edge. */
static double segment_distance(const cloud *c, const cd_segment *s, double first) {
    cloud ends = cloud_of(&s->a, 2);
    double best, d[6], e[6];
    if (clouds_meet(c, &ends)) return 0;
    best = fmin(first, point_distance(c, &s->b));
    to_doubles(&s->a.x, d, 3);
    to_doubles(&s->b.x, d + 3, 3);
    for (int j = 0; j < c->n; ++j) {
        for (int k = j + 1; k < c->n; ++k) {
            for (int m = 0; m < 3; ++m) e[m] = c->p[j][m], e[3 + m] = c->p[k][m];
            best = fmin(best, oracle_segment_segment(d, e).distance);
        }
    }
    return best;
}

static void spheres_and_capsules(void) {
    test_rng rng = test_random();
    long times = test_times(1500), hits = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, 0, 3) ? TETRAHEDRON : HULL, NULL), b = draw(&g, SEGMENT, &a);
        cd_tetrahedron t = tetrahedron_of(&a);
        cloud c = cloud_of(a.v, a.count);
        cd_segment s = segment_of(&b);
        cd_sphere ball;
        cd_capsule bar;
        double first, gap, error;
        ball.center = bar.a = s.a;
        bar.b = s.b;
        ball.radius = bar.radius = gen_length(&g);
        note(&a, &b);
        test_note_reals("radius", &ball.radius, 1);
        error = 1e-14 * (fmax(largest(&c.p[0][0], 3 * c.n),
                              (double)cd_vec3_length(s.a) + (double)cd_vec3_length(s.b)) +
                         (double)ball.radius);
        first = point_distance(&c, &s.a);
        gap = first - (double)ball.radius;
        hits += gap < 0;
        if (fabs(gap) > error)
            CHECK_INT(a.kind == HULL ? ASK("judge", cd_test_sphere_hull(ball, &a.hull))
                                     : ASK("judge", cd_test_sphere_tetrahedron(ball, &t)),
                      gap < 0);
        gap = segment_distance(&c, &s, first) - (double)ball.radius;
        if (fabs(gap) > error)
            CHECK_INT(a.kind == HULL ? ASK("judge", cd_test_capsule_hull(&bar, &a.hull))
                                     : ASK("judge", cd_test_capsule_tetrahedron(&bar, &t)),
                      gap < 0);
        drop(&a);
    }
    CHECK_SEEN(hits > times / 10 && hits < times - times / 10);
}

/* The box made a little smaller and a little larger. */
static void oriented_boxes(void) {
    test_rng rng = test_random();
    long times = test_times(2500), hits = 0, misses = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, 1) ? GEN_UNIT : GEN_SCALE);
        thing a = draw(&g, test_int(&rng, 0, 3) ? TETRAHEDRON : HULL, NULL), b = a;
        cd_tetrahedron t = tetrahedron_of(&a);
        cloud c = cloud_of(a.v, a.count);
        cd_obb box = gen_obb(&g);
        cd_vec3 half = box.half;
        double size =
            largest(&c.p[0][0], 3 * c.n) + (double)cd_vec3_length(half) + (double)cd_vec3_length(box.center);
        cd_real room = (cd_real)(1e-6 * size);
        bool meet = a.kind == HULL ? ASK("exact", cd_test_obb_hull(&box, &a.hull))
                                   : cd_test_tetrahedron_obb(&t, &box);
        b.kind = POINT; /* its corners */
        b.count = 8;
        note(&a, &a);
        test_note_reals("box", REALS(box), 15);
        box.half = cd_vec3_add(half, cd_vec3_make(room, room, room));
        cd_obb_to_vertices(&box, b.v);
        if (meet) CHECK(want(&a, &b));
        box.half = cd_vec3_max(cd_vec3_make(0, 0, 0), cd_vec3_sub(half, cd_vec3_make(room, room, room)));
        cd_obb_to_vertices(&box, b.v);
        if (!meet && box.half.x > 0 && box.half.y > 0 && box.half.z > 0) CHECK(!want(&a, &b));
        hits += meet;
        misses += !meet;
        drop(&a);
    }
    CHECK_SEEN(hits > times / 10 && misses > times / 10);
}

/* ---- large and hollow hulls ---- */

static cd_vec3 in_cube(test_rng *rng) {
    cd_vec3 p;
    p.x = (cd_real)test_range(rng, -1.1, 1.1);
    p.y = (cd_real)test_range(rng, -1.1, 1.1);
    p.z = (cd_real)test_range(rng, -1.1, 1.1);
    return p;
}

static cd_hull ball_hull(test_rng *rng, int n, double merge) {
    cd_hull_options options = {0};
    cd_vec3 v[400];
    cd_hull h;
    for (int i = 0; i < n; ++i) {
        v[i] = cd_vec3_normalize(in_cube(rng));
    }
    options.merge_distance = (cd_real)merge;
    CHECK_INT(cd_hull3_build(&h, v, (size_t)n, &options), CD_OK);
    return h;
}

static double height_over(const cd_hull_parts *p, cd_vec3 q) {
    double most = -HUGE_VAL;
    for (uint32_t f = 0; f < p->face_count; ++f)
        most = fmax(most, (double)cd_vec3_dot(p->faces[f].plane.n, q) - (double)p->faces[f].plane.d);
    return most;
}

static void large_hulls(void) {
    test_rng rng = test_random();
    for (long i = test_times(40); i > 0; --i) {
        cd_hull h = ball_hull(&rng, 400, test_int(&rng, 0, 1) ? 0 : 0.05);
        cd_hull_parts p = cd_hull_get_parts(&h);
        double slack = 3 * (double)p.flatness + 1e-5;
        for (int k = 0; k < 200; ++k) {
            cd_segment s;
            cd_ray r;
            double from, to;
            int a, b;
            s.a = in_cube(&rng);
            s.b = in_cube(&rng);
            a = cd_locate_point_hull(s.a, &h);
            b = cd_locate_point_hull(s.b, &h);
            from = height_over(&p, s.a);
            to = height_over(&p, s.b);
            if (fabs(from) > slack) CHECK_INT(a, from < 0 ? 1 : -1);
            if (fabs(to) > slack) CHECK_INT(b, to < 0 ? 1 : -1);
            if (a >= 0 || b >= 0) CHECK(cd_test_segment_hull(&s, &h));
            r.origin = s.a;
            r.dir = cd_vec3_sub(s.b, s.a);
            if (cd_test_segment_hull(&s, &h)) CHECK(cd_test_ray_hull(&r, &h));
            r.origin = p.center;
            CHECK(cd_test_ray_hull(&r, &h));
            r.origin = cd_vec3_scale(r.dir, 9);
            if (cd_vec3_length(r.dir) > (cd_real)0.5) CHECK(!cd_test_ray_hull(&r, &h));
        }
        cd_hull_destroy(&h);
    }
}

/* ---- by hand ---- */

static void touching(void) {
    static const cd_vec3 corner[8] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0},
                                      {0, 0, 2}, {2, 0, 2}, {0, 2, 2}, {2, 2, 2}};
    cd_hull cube = hull_of(corner, 8), square = hull_of(corner, 4), line = hull_of(corner, 2),
            dot = hull_of(corner, 1);
    cd_tetrahedron t = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                   u = {{1, 1, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    cd_triangle inside = {{(cd_real)0.5, 1, 1}, {1, (cd_real)0.5, 1}, {1, 1, (cd_real)0.5}};
    cd_ray along = {{-1, 0, 0}, {1, 0, 0}}, off = {{-1, 0, -1}, {1, 0, 0}}, still = {{1, 1, 1}, {0, 0, 0}};
    cd_sphere ball = {{1, 1, 1}, (cd_real)0.125};
    cd_plane top = {{0, 0, 4}, 8}, above = {{0, 0, -1}, -3};
    CHECK_INT(cd_locate_point_hull(cd_vec3_make(1, 1, 1), &cube), 1);
    CHECK_INT(cd_locate_point_hull(cd_vec3_make(1, 1, 2), &cube), 0);
    CHECK_INT(cd_locate_point_hull(cd_vec3_make(1, 0, 0), &cube), 0);
    CHECK_INT(cd_locate_point_hull(cd_vec3_make(1, 1, 3), &cube), -1);
    CHECK_INT(cd_locate_point_hull(cd_vec3_make(1, 1, 0), &square), 0);
    CHECK_INT(cd_locate_point_hull(cd_vec3_make(1, 1, 1), &square), -1);
    CHECK(cd_test_point_hull(cd_vec3_make(1, 0, 0), &line) &&
          !cd_test_point_hull(cd_vec3_make(1, 1, 0), &line));
    CHECK(cd_test_point_hull(corner[0], &dot) && !cd_test_point_hull(corner[1], &dot));
    CHECK(cd_test_triangle_hull(&inside, &cube) && cd_test_sphere_hull(ball, &cube));
    CHECK(cd_test_tetrahedron_hull(&t, &cube) && cd_test_tetrahedron_hull(&u, &cube));
    CHECK(cd_test_ray_hull(&along, &cube) && cd_test_ray_hull(&along, &square) &&
          cd_test_ray_hull(&along, &line) && cd_test_ray_hull(&along, &dot) &&
          cd_test_ray_tetrahedron(&along, &t) && !cd_test_ray_hull(&off, &cube));
    CHECK(cd_test_ray_hull(&still, &cube) && !cd_test_ray_hull(&still, &square));
    CHECK(!cd_test_tetrahedron_tetrahedron(&t, &u));
    u.a = cd_vec3_make((cd_real)0.25, (cd_real)0.25, (cd_real)0.5); /* on the face across */
    CHECK(cd_test_tetrahedron_tetrahedron(&t, &u) && cd_test_tetrahedron_tetrahedron(&u, &t));
    CHECK(cd_test_hull_plane(&cube, top) && !cd_test_hull_plane(&cube, above) &&
          !cd_test_hull_halfspace(&cube, above) &&
          cd_test_hull_plane(&dot, cd_plane_from_point_normal(corner[0], corner[7])));
    cd_hull_destroy(&cube);
    cd_hull_destroy(&square);
    cd_hull_destroy(&line);
    cd_hull_destroy(&dot);
}

/* NaN and infinity in each number; and nothing at all. */
static void bad_numbers(void) {
    cd_vec3 v[4] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    cd_hull hull = hull_of(v, 4), none = {0};
    cd_tetrahedron t = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    for (int i = 0; i < 24; ++i) {
        cd_real bad = i % 2 ? (cd_real)NAN : (cd_real)HUGE_VAL;
        cd_tetrahedron u = t;
        cd_sphere s = {{0, 0, 0}, 1};
        cd_capsule c = {{0, 0, 0}, {1, 0, 0}, 1};
        cd_ray r = {{0, 0, 0}, {1, 1, 1}};
        cd_aabb b = {{0, 0, 0}, {1, 1, 1}};
        cd_triangle f = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        cd_obb o = cd_obb_from_aabb(b);
        cd_plane plane = {{1, 0, 0}, 0};
        REALS(u)[i / 2] = bad;
        CHECK(!ASK("bad", cd_test_tetrahedron_tetrahedron(&t, &u)) &&
              !cd_test_tetrahedron_tetrahedron(&u, &t) && !ASK("bad", cd_test_tetrahedron_hull(&u, &hull)) &&
              !cd_test_point_tetrahedron(v[0], &u) && !ASK("bad", cd_test_polygon_tetrahedron(v, 4, &u)) &&
              !cd_test_tetrahedron_plane(&u, plane) && !ASK("bad", cd_test_polygon_polygon(v, 4, &u.a, 4)) &&
              !cd_test_polygon_hull(&u.a, 4, &hull));
        REALS(f)[i / 2 % 9] = bad;
        REALS(r)[i / 2 % 6] = bad;
        REALS(s)[i / 2 % 4] = bad;
        REALS(c)[i / 2 % 7] = bad;
        REALS(b)[i / 2 % 6] = bad;
        REALS(plane)[i / 2 % 4] = bad;
        o.center.x = bad;
        CHECK(!ASK("bad", cd_test_triangle_hull(&f, &hull)) && !cd_test_ray_hull(&r, &hull) &&
              !ASK("bad", cd_test_sphere_hull(s, &hull)) && !cd_test_capsule_hull(&c, &hull) &&
              !ASK("bad", cd_test_aabb_hull(b, &hull)) && !cd_test_obb_hull(&o, &hull) &&
              !ASK("bad", cd_test_hull_plane(&hull, plane)) && !cd_test_hull_halfspace(&hull, plane));
        CHECK(!ASK("bad", cd_test_triangle_tetrahedron(&f, &t)) && !cd_test_ray_tetrahedron(&r, &t) &&
              !ASK("bad", cd_test_sphere_tetrahedron(s, &t)) && !cd_test_tetrahedron_obb(&t, &o));
    }
    CHECK(!ASK("bad", cd_test_tetrahedron_hull(&t, &none)) && !cd_test_point_hull(v[0], &none) &&
          !ASK("bad", cd_test_polygon_hull(v, 4, &none)) && !cd_test_polygon_hull(NULL, 0, &hull) &&
          !ASK("bad", cd_test_polygon_tetrahedron(NULL, 0, &t)) && !cd_test_point_polygon(v[0], NULL, 0) &&
          !ASK("bad", cd_test_polygon_polygon(NULL, 0, NULL, 0)) &&
          !ASK("bad", cd_test_hull_plane(&none, cd_plane_from_point_normal(v[0], v[1]))));
    cd_hull_destroy(&hull);
}

void suite_solids(void) {
    RUN(pairs_exactly);
    RUN(pairs_of_all_sizes);
    RUN(points_located);
    RUN(rays_on_the_grid);
    RUN(rays_anywhere);
    RUN(planes);
    RUN(planes_of_all_sizes);
    RUN(spheres_and_capsules);
    RUN(oriented_boxes);
    RUN(large_hulls);
    RUN(touching);
    RUN(bad_numbers);
}
