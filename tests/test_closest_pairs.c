/* Closest points of lines, rays, segments, triangles, rectangles and boxes, and segments in the plane, against exact
 * arithmetic; how long things are safe, against motion. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static gen any_scene(test_rng *rng) {
    return gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
}

static double dist3(cd_vec3 p, cd_vec3 q) {
    double x = (double)p.x - (double)q.x, y = (double)p.y - (double)q.y, z = (double)p.z - (double)q.z;
    return hypot(hypot(x, y), z);
}

static void note_two(const void *a, int m, const void *b, int n) {
    test_note("");
    test_note_reals("a", (const cd_real *)a, m);
    test_note_reals("b", (const cd_real *)b, n);
}

/* ---- lines, rays and segments as exact courses ---- */

typedef enum course_kind { COURSE_LINE, COURSE_RAY, COURSE_SEGMENT, COURSE_POINT } course_kind;

/* v: origin and direction, or the ends. */
typedef struct course {
    course_kind kind;
    double v[6];
} course;

static course course_of(course_kind kind, const void *numbers) {
    course c;
    c.kind = kind;
    to_doubles((const cd_real *)numbers, c.v, kind == COURSE_POINT ? 3 : 6);
    if (kind == COURSE_POINT) memcpy(c.v + 3, c.v, 3 * sizeof *c.v);
    return c;
}

static exact3 course_dir(const course *c) {
    exact3 d = exact3_from(c->v + 3);
    return c->kind == COURSE_LINE || c->kind == COURSE_RAY ? d : exact3_sub(d, exact3_from(c->v));
}

/* Is num / den, den > 0, a parameter of the course? */
static bool course_has(const course *c, exact num, exact den) {
    return (c->kind == COURSE_LINE || num.sign >= 0) &&
           (c->kind != COURSE_SEGMENT || exact_compare(num, den) <= 0);
}

static ratio square_of(exact3 v) {
    return ratio_make(exact3_dot(v, v), exact_from(1));
}

/* Squared distance of a point and a course. */
static ratio exact_point_course(exact3 p, const course *c) {
    exact3 d = course_dir(c), w = exact3_sub(p, exact3_from(c->v)), x;
    exact dd = exact3_dot(d, d), along = exact3_dot(w, d);
    if (dd.sign == 0 || (along.sign <= 0 && c->kind != COURSE_LINE)) return square_of(w);
    if (c->kind == COURSE_SEGMENT && exact_compare(along, dd) >= 0)
        return square_of(exact3_sub(p, exact3_from(c->v + 3)));
    x = exact3_cross(w, d);
    return ratio_make(exact3_dot(x, x), dd);
}

static void keep_least(ratio *best, ratio r) {
    if (ratio_compare(r, *best) < 0) *best = r;
}

static double exact_course_course(const course *a, const course *b) {
    exact_pool pool = exact_begin();
    exact3 u = course_dir(a), v = course_dir(b), n = exact3_cross(u, v);
    exact3 from = exact3_sub(exact3_from(b->v), exact3_from(a->v));
    exact nn = exact3_dot(n, n), h = exact3_dot(from, n);
    ratio best = exact_point_course(exact3_from(a->v), b);
    double distance;
    keep_least(&best, exact_point_course(exact3_from(b->v), a));
    if (a->kind == COURSE_SEGMENT) keep_least(&best, exact_point_course(exact3_from(a->v + 3), b));
    if (b->kind == COURSE_SEGMENT) keep_least(&best, exact_point_course(exact3_from(b->v + 3), a));
    if (nn.sign > 0 && course_has(a, exact3_dot(exact3_cross(from, v), n), nn) &&
        course_has(b, exact3_dot(exact3_cross(from, u), n), nn))
        keep_least(&best, ratio_make(exact_mul(h, h), nn));
    distance = ratio_sqrt(best);
    exact_end(pool);
    return distance;
}

static double exact_from_course(cd_vec3 p, const course *c) {
    exact_pool pool = exact_begin();
    double d[3], distance;
    to_doubles(REALS(p), d, 3);
    distance = ratio_sqrt(exact_point_course(exact3_from(d), c));
    exact_end(pool);
    return distance;
}

/* The point at the parameter. */
static cd_vec3 course_at(const course *c, cd_real t) {
    double p[3];
    for (int k = 0; k < 3; ++k) {
        double way =
            c->kind == COURSE_SEGMENT || c->kind == COURSE_POINT ? c->v[3 + k] - c->v[k] : c->v[3 + k];
        p[k] = c->v[k] + (double)t * way;
    }
    return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
}

static bool parameter_fits(const course *c, cd_real t, uint32_t feature) {
    if (c->kind == COURSE_POINT) return t == 0 && feature == CD_FEATURE_NONE;
    if (c->kind == COURSE_LINE) return feature == CD_FEATURE(2u, 0u);
    if (t < 0 || (c->kind == COURSE_SEGMENT && t > 1)) return false;
    if (feature == CD_FEATURE(1u, 0u)) return t == 0;
    return feature == CD_FEATURE(2u, 0u) ||
           (feature == CD_FEATURE(1u, 1u) && c->kind == COURSE_SEGMENT && t == 1);
}

/* The points on their courses and as far apart as those nearest to each other: of the largest number met. */
static void check_courses(const cd_closest *r, const course *a, const course *b) {
    double want = exact_course_course(a, b), margin, size = fmax(largest(a->v, 6), largest(b->v, 6)), at[6];
    to_doubles(REALS(r->a), at, 3);
    to_doubles(REALS(r->b), at + 3, 3);
    size = fmax(size, largest(at, 6));
    margin = 4 * EPS * size;
    if (!(size < 1e37)) return; /* out of the range of floats */
    CHECK_NEAR(sqrt((double)r->sqdist), want, margin);
    CHECK(r->sqdist >= 0);
    CHECK(exact_from_course(r->a, a) <= margin);
    CHECK(exact_from_course(r->b, b) <= margin);
    CHECK_NEAR(dist3(r->a, r->b), want, margin);
    CHECK(parameter_fits(a, r->s, r->feature_a) && parameter_fits(b, r->t, r->feature_b));
    if (fabs((double)r->s) < 1e30) CHECK_VEC(course_at(a, r->s), r->a, margin);
    if (fabs((double)r->t) < 1e30) CHECK_VEC(course_at(b, r->t), r->b, margin);
}

/* Six numbers, in trouble with those of another course: parallel, nearly so, crossing it. */
static void trouble(gen *g, course_kind kind, cd_vec3 v[2], course_kind other_kind, const cd_vec3 other[2]) {
    bool dir = kind == COURSE_LINE || kind == COURSE_RAY;
    cd_vec3 along = other_kind == COURSE_SEGMENT ? cd_vec3_sub(other[1], other[0]) : other[1], on;
    cd_real tiny = (cd_real)ldexp(1.0, -test_int(g->rng, 5, 40));
    v[0] = gen_point(g);
    v[1] = gen_direction(g);
    on = cd_vec3_along(other[0], along, (cd_real)test_range(g->rng, -1, 2));
    switch (test_int(g->rng, 0, 8)) {
    case 0: v[1] = cd_vec3_scale(along, (cd_real)test_int(g->rng, -2, 2)); break;
    case 1: v[1] = cd_vec3_along(along, v[1], tiny); break;
    case 2: v[0] = on; break;
    case 3:
        v[0] = on;
        v[1] = cd_vec3_along(along, v[1], tiny);
        break;
    case 4: v[0] = cd_vec3_sub(on, v[1]); break;
    default: break;
    }
    if (kind == COURSE_LINE && v[1].x == 0 && v[1].y == 0 && v[1].z == 0) v[1] = cd_vec3_make(1, 0, 0);
    if (!dir) v[1] = cd_vec3_add(v[0], v[1]);
}

static cd_closest closest_courses(course_kind i, const cd_vec3 *a, course_kind j, const cd_vec3 *b) {
    cd_line l = {a[0], a[1]}, m = {b[0], b[1]};
    cd_ray r = {a[0], a[1]}, q = {b[0], b[1]};
    cd_segment t = {b[0], b[1]};
    if (i == COURSE_POINT)
        return j == COURSE_LINE  ? ASK("exact", cd_closest_pts_point_line(a[0], &m))
               : j == COURSE_RAY ? ASK("exact", cd_closest_pts_point_ray(a[0], &q))
                                 : ASK("exact", cd_closest_pts_point_segment(a[0], &t));
    if (i == COURSE_LINE)
        return j == COURSE_LINE  ? ASK("exact", cd_closest_pts_line_line(&l, &m))
               : j == COURSE_RAY ? ASK("exact", cd_closest_pts_line_ray(&l, &q))
                                 : ASK("exact", cd_closest_pts_line_segment(&l, &t));
    return j == COURSE_RAY ? ASK("exact", cd_closest_pts_ray_ray(&r, &q))
                           : ASK("exact", cd_closest_pts_ray_segment(&r, &t));
}

static cd_real sqdist_courses(course_kind i, const cd_vec3 *a, course_kind j, const cd_vec3 *b) {
    cd_line l = {a[0], a[1]}, m = {b[0], b[1]};
    cd_ray r = {a[0], a[1]}, q = {b[0], b[1]};
    cd_segment t = {b[0], b[1]};
    if (i == COURSE_POINT)
        return j == COURSE_LINE  ? ASK("forms", cd_sqdist_point_line(a[0], &m))
               : j == COURSE_RAY ? ASK("forms", cd_sqdist_point_ray(a[0], &q))
                                 : ASK("forms", cd_sqdist_point_segment(a[0], &t));
    if (i == COURSE_LINE)
        return j == COURSE_LINE  ? ASK("forms", cd_sqdist_line_line(&l, &m))
               : j == COURSE_RAY ? ASK("forms", cd_sqdist_line_ray(&l, &q))
                                 : ASK("forms", cd_sqdist_line_segment(&l, &t));
    return j == COURSE_RAY ? ASK("forms", cd_sqdist_ray_ray(&r, &q))
                           : ASK("forms", cd_sqdist_ray_segment(&r, &t));
}

static void courses(void) {
    static const course_kind pairs[8][2] = {{COURSE_LINE, COURSE_LINE},    {COURSE_LINE, COURSE_RAY},
                                            {COURSE_LINE, COURSE_SEGMENT}, {COURSE_RAY, COURSE_RAY},
                                            {COURSE_RAY, COURSE_SEGMENT},  {COURSE_POINT, COURSE_LINE},
                                            {COURSE_POINT, COURSE_RAY},    {COURSE_POINT, COURSE_SEGMENT}};
    test_rng rng = test_random();
    for (long i = test_times(18000); i > 0; --i) {
        gen g = any_scene(&rng);
        const course_kind *kind = pairs[test_int(&rng, 0, 7)];
        cd_vec3 b[2], a[2];
        course u, v;
        cd_closest r;
        b[0] = gen_point(&g);
        b[1] = kind[1] == COURSE_SEGMENT ? gen_point(&g) : gen_direction(&g);
        trouble(&g, kind[0], a, kind[1], b);
        note_two(a, 6, b, 6);
        u = course_of(kind[0], a);
        v = course_of(kind[1], b);
        r = closest_courses(kind[0], a, kind[1], b);
        check_courses(&r, &u, &v);
        if (kind[0] == COURSE_POINT) CHECK_VEC(r.a, a[0], 0);
        if (kind[0] != COURSE_POINT || kind[1] != COURSE_SEGMENT)
            CHECK_SAME(sqdist_courses(kind[0], a, kind[1], b), r.sqdist);
        if (kind[0] == kind[1]) {
            r = closest_courses(kind[1], b, kind[0], a);
            check_courses(&r, &v, &u);
        }
    }
}

/* Times a power of two: the same bits, scaled. */
static void powers_of_two(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        int e = test_int(&rng, -40, 40);
        cd_real two = (cd_real)ldexp(1.0, e);
        cd_triangle a = gen_triangle(&g), b = gen_triangle_near(&g, &a), c = a, d = b;
        cd_segment s = gen_segment(&g), t = s;
        cd_closest q, r;
        for (int k = 0; k < 9; ++k) {
            REALS(c)[k] *= two;
            REALS(d)[k] *= two;
            if (k < 6) REALS(t)[k] *= two;
        }
        note_two(&a, 9, &b, 9);
        q = cd_closest_pts_triangle_triangle(&a, &b);
        r = ASK("scale", cd_closest_pts_triangle_triangle(&c, &d));
        CHECK_VEC(r.a, cd_vec3_scale(q.a, two), 0);
        CHECK_VEC(r.b, cd_vec3_scale(q.b, two), 0);
        CHECK(r.feature_a == q.feature_a && r.feature_b == q.feature_b);
        q = cd_closest_pts_segment_triangle(&s, &a);
        r = ASK("scale", cd_closest_pts_segment_triangle(&t, &c));
        CHECK_VEC(r.b, cd_vec3_scale(q.b, two), 0);
        CHECK_SAME(r.s, q.s);
    }
}

/* Places and directions times powers of two of their own, far beyond where squares stay in range: the parameters follow, to
 * the bit. */
static void parameters_of_any_size(void) {
    test_rng rng = test_random();
    int most = sizeof(cd_real) == 4 ? 20 : 600;
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        int place = test_int(&rng, -most, most), e = test_int(&rng, -most / 2, most / 2),
            f = test_int(&rng, -most / 2, most / 2);
        cd_vec3 a[2], b[2], c[2], d[2];
        for (int k = 0; k < 2; ++k) {
            a[k] = gen_point(&g);
            b[k] = gen_point(&g);
            c[k] = cd_vec3_scale(a[k], (cd_real)ldexp(1.0, k ? e : place));
            d[k] = cd_vec3_scale(b[k], (cd_real)ldexp(1.0, k ? f : place));
        }
        note_two(a, 6, b, 6);
        for (int k = 0; k < 3; ++k) {
            course_kind one = k ? COURSE_LINE : COURSE_POINT, other = k == 2 ? COURSE_LINE : COURSE_RAY;
            cd_closest q = closest_courses(one, a, other, b), r = closest_courses(one, c, other, d);
            CHECK_SAME(r.t, (cd_real)ldexp((double)q.t, place - f));
            if (k) CHECK_SAME(r.s, (cd_real)ldexp((double)q.s, place - e));
            CHECK(r.feature_a == q.feature_a && r.feature_b == q.feature_b);
        }
    }
}

/* ---- triangles ---- */

/* Does the point lie on this feature of the polygon? CD_FEATURE_NONE says nothing. */
static bool lies_on(cd_vec3 p, uint32_t feature, const double *v, int count, double margin) {
    uint32_t i = CD_FEATURE_INDEX(feature), j = (i + 1) % (uint32_t)count;
    double d[3], edge[6];
    to_doubles(REALS(p), d, 3);
    memcpy(edge, v + 3 * i, 3 * sizeof *v);
    memcpy(edge + 3, v + 3 * j, 3 * sizeof *v);
    switch (CD_FEATURE_KIND(feature)) {
    case CD_FEATURE_VERTEX: return oracle_polygon_polygon(d, 1, edge, 1) <= margin;
    case CD_FEATURE_EDGE: return oracle_polygon_polygon(d, 1, edge, 2) <= margin;
    default: return oracle_polygon_polygon(d, 1, v, count) <= margin;
    }
}

/* Against brute force; the points on the figures and on the features, and one point just when they meet. */
static void check_flats(const cd_closest *r, const double *a, int m, const double *b, int n, double margin) {
    double want = oracle_polygon_polygon(a, m, b, n);
    CHECK_NEAR(sqrt((double)r->sqdist), want, margin);
    CHECK_NEAR(dist3(r->a, r->b), want, margin);
    CHECK(lies_on(r->a, r->feature_a, a, m, margin) && lies_on(r->b, r->feature_b, b, n, margin));
}

static void check_meeting(const cd_closest *r, bool meet) {
    CHECK_INT(r->sqdist == 0, meet);
    CHECK(r->sqdist >= 0);
    CHECK_INT(r->feature_a == CD_FEATURE_NONE, meet);
    CHECK_INT(r->feature_b == CD_FEATURE_NONE, meet);
    if (meet) CHECK_VEC(r->a, r->b, 0);
}

static void triangles(void) {
    test_rng rng = test_random();
    long times = test_times(700), met = 0, tied = 0;
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_triangle a = gen_triangle(&g), b = gen_triangle_near(&g, &a);
        cd_closest r, back;
        double d[18], margin;
        if (!test_int(&rng, 0, 5)) b = gen_triangle(&g);
        if (!test_int(&rng, 0, 5)) a.c = cd_vec3_along(a.a, a.c, (cd_real)1e-6);
        note_two(&a, 9, &b, 9);
        to_doubles(REALS(a), d, 9);
        to_doubles(REALS(b), d + 9, 9);
        margin = 4 * EPS * largest(d, 18);
        r = ASK("exact", cd_closest_pts_triangle_triangle(&a, &b));
        back = ASK("swap", cd_closest_pts_triangle_triangle(&b, &a));
        check_meeting(&r, oracle_triangle_triangle(d, d + 9));
        check_flats(&r, d, 3, d + 9, 3, margin);
        check_flats(&back, d + 9, 3, d, 3, margin);
        CHECK(r.s == 0 && r.t == 0);
        CHECK_SAME(ASK("forms", cd_sqdist_triangle_triangle(&a, &b)), r.sqdist);
        CHECK_NEAR(sqrt((double)back.sqdist), sqrt((double)r.sqdist), margin);
        /* The first of the corners, but of two that are all but level in x rounding chooses: seldom. */
        if (r.sqdist == 0 && dist3(back.a, r.a) > margin) {
            CHECK_NEAR((double)back.a.x, (double)r.a.x, margin);
            ++tied;
        }
        met += r.sqdist == 0;
    }
    CHECK(tied <= 1 + times / 1000);
    CHECK_SEEN(met > times / 20 && met < times / 20 * 19);
}

static cd_segment segment_at_triangle(gen *g, const cd_triangle *t) {
    cd_segment s = gen_segment(g);
    cd_real u = (cd_real)test_range(g->rng, -1, 2), v = (cd_real)test_range(g->rng, -1, 2);
    cd_vec3 on = cd_vec3_lerp(cd_vec3_lerp(t->a, t->b, u), t->c, v);
    switch (test_int(g->rng, 0, 6)) {
    case 0: s.a = on; break;
    case 1: s.b = cd_vec3_along(on, cd_vec3_sub(on, s.a), (cd_real)test_unit(g->rng)); break;
    case 2: s.b = s.a; break;
    case 3: s.b = cd_vec3_add(s.a, cd_vec3_sub(t->c, on)); break;
    case 4:
        s.a = t->b;
        s.b = on;
        break;
    default: break;
    }
    return s;
}

/* Seen from far away, triangles that share a corner are equally near where it is nearest, whichever edges lead to it: what looks for the
 * first of equals among them relies on that. */
static void corners_that_triangles_share(void) {
    test_rng rng = test_random();
    int shared = 0;
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        double away = pow(10.0, test_range(&rng, 1.0, 11.0));
        cd_vec3 corner = gen_point(&g), off = gen_point(&g);
        cd_triangle other, t;
        cd_closest first, r;
        off = cd_vec3_scale(off, (cd_real)away);
        other.a = cd_vec3_add(gen_point(&g), off);
        other.b = other.c = other.a; /* a point, or an edge */
        if (test_int(&rng, 0, 1)) other.c = cd_vec3_add(gen_point(&g), off);
        for (int k = 0; k < 8; ++k) {
            cd_vec3 *v[3];
            v[0] = &t.a, v[1] = &t.b, v[2] = &t.c;
            for (int n = 0; n < 3; ++n) *v[n] = gen_point(&g);
            *v[k % 3] = corner;
            if (k > 3) *v[(k + 1) % 3] = corner;
            r = cd_closest_pts_triangle_triangle(&t, &other);
            if (memcmp(&r.a, &corner, sizeof r.a) || r.feature_b >> 30 != 1 ||
                (k > 0 && memcmp(&r.b, &first.b, sizeof r.b)))
                break;
            if (k == 0) first = r;
            CHECK_SAME(r.sqdist, first.sqdist);
            ++shared;
        }
    }
    CHECK_SEEN(shared > 100);
}

static void segments_and_triangles(void) {
    test_rng rng = test_random();
    long times = test_times(1000), met = 0;
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_triangle t = gen_triangle(&g);
        cd_segment s = segment_at_triangle(&g, &t);
        cd_closest r;
        double d[15], margin;
        if (!test_int(&rng, 0, 5)) t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(&rng, -1, 2));
        note_two(&s, 6, &t, 9);
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(t), d + 6, 9);
        margin = 4 * EPS * largest(d, 15);
        r = ASK("exact", cd_closest_pts_segment_triangle(&s, &t));
        check_meeting(&r, oracle_segment_triangle(d, d + 6));
        check_flats(&r, d, 2, d + 6, 3, margin);
        CHECK(r.s >= 0 && r.s <= 1 && r.t == 0);
        CHECK_VEC(cd_vec3_lerp(s.a, s.b, r.s), r.a, margin);
        CHECK_SAME(ASK("forms", cd_sqdist_segment_triangle(&s, &t)), r.sqdist);
        met += r.sqdist == 0;
    }
    CHECK_SEEN(met > times / 20 && met < times / 20 * 19);
}

/* A triangle's distance from a course: its corners and, apart from the inside, its edges; where it is met, 0. */
static double exact_course_triangle(const course *c, const double t[9], bool hit) {
    double least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        course edge;
        edge.kind = COURSE_SEGMENT;
        memcpy(edge.v, t + 3 * i, 3 * sizeof *t);
        memcpy(edge.v + 3, t + 3 * ((i + 1) % 3), 3 * sizeof *t);
        least = fmin(least, exact_course_course(c, &edge));
    }
    if (c->kind == COURSE_RAY) least = fmin(least, oracle_point_triangle(c->v, t).distance);
    return hit ? 0 : least;
}

/* A ray without length, high above a face: what the step down is too long by is as much above the plane. */
static void a_ray_that_is_a_point(void) {
    cd_ray r = {{1, -1, (cd_real)-0x1.fffffffffffffp-1}, {0, 0, 0}};
    cd_triangle t = {{0, 2, 2}, {-2, 2, 0}, {-2, 0, 2}};
    cd_closest got = cd_closest_pts_ray_triangle(&r, &t);
    double d[9];
    to_doubles(REALS(t), d, 9);
    CHECK_INT(got.feature_b, CD_FEATURE(3u, 0u));
    CHECK(lies_on(got.b, got.feature_b, d, 3, 4 * EPS * 2));
}

static void rays_and_triangles(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_triangle t = gen_triangle(&g);
        cd_segment s = segment_at_triangle(&g, &t);
        cd_ray ray = {s.a, cd_vec3_sub(s.b, s.a)};
        cd_line line = {ray.origin, ray.dir};
        bool whole = test_int(&rng, 0, 1) && cd_line_is_valid(&line);
        course c = course_of(whole ? COURSE_LINE : COURSE_RAY, &ray);
        oracle_crossing hit;
        cd_closest r = whole ? ASK("exact", cd_closest_pts_line_triangle(&line, &t))
                             : cd_closest_pts_ray_triangle(&ray, &t);
        double d[9], at[3], margin, want;
        note_two(&ray, 6, &t, 9);
        to_doubles(REALS(t), d, 9);
        to_doubles(REALS(r.a), at, 3);
        margin = 4 * EPS * fmax(largest(at, 3), fmax(largest(c.v, 6), largest(d, 9)));
        if (!(margin < 1e30)) continue;
        hit = oracle_ray_triangle(c.v, c.v + 3, d, whole);
        want = exact_course_triangle(&c, d, !hit.parallel_or_degenerate && hit.hit);
        CHECK_NEAR(sqrt((double)r.sqdist), want, margin);
        CHECK_NEAR(dist3(r.a, r.b), want, margin);
        CHECK(exact_from_course(r.a, &c) <= margin && lies_on(r.b, r.feature_b, d, 3, margin));
        if (!hit.parallel_or_degenerate && hit.hit) CHECK(r.sqdist == 0 && r.feature_b == CD_FEATURE_NONE);
        CHECK_SAME(whole ? ASK("forms", cd_sqdist_line_triangle(&line, &t))
                         : ASK("forms", cd_sqdist_ray_triangle(&ray, &t)),
                   r.sqdist);
    }
}

/* ---- rectangles and boxes ---- */

static void corners_of(const cd_rect *r, double v[12]) {
    for (int k = 0; k < 3; ++k) {
        double a = (double)REALS(r->a)[k], e = (double)REALS(r->edge[0])[k], f = (double)REALS(r->edge[1])[k];
        v[k] = a;
        v[3 + k] = a + e;
        v[6 + k] = a + (e + f);
        v[9 + k] = a + f;
    }
}

static cd_rect gen_rect(gen *g, double v[12]) {
    cd_obb b = gen_obb(g);
    cd_rect r;
    r.a = b.center;
    r.edge[0] = cd_vec3_scale(b.axes.col[0], 2 * b.half.x);
    r.edge[1] = cd_vec3_scale(b.axes.col[1], 2 * b.half.y);
    if (!test_int(g->rng, 0, 7)) r.edge[0] = cd_vec3_make(0, 0, 0);
    if (!test_int(g->rng, 0, 7) || !cd_rect_is_valid(&r)) r.edge[1] = cd_vec3_make(0, 0, 0);
    corners_of(&r, v);
    return r;
}

/* Points high above rectangles: what the step down is too long by is as much above the plane, and the distance too much by that. */
static void points_high_above_rectangles(void) {
    static const cd_vec3 points[] = {{-2, -1, -2},
                                     {(cd_real)-0x1.0000000000002p+1, 0, (cd_real)-0x1.fffffffffffffp+0}};
    static const cd_rect rects[] = {
        {{2, -1, 1},
         {{(cd_real)-0x1.ad4d72bc2fefp+0, (cd_real)0x1.d9280cd37591ap-2, (cd_real)0x1.f9600cd7000c6p-1},
          {(cd_real)-0x1.efe9340cb2d5p-4, (cd_real)0x1.b89de83c7c07p+0, (cd_real)-0x1.02ebd012dc5a2p+0}}},
        {{2, 2, 1},
         {{(cd_real)-0x1.72d3e57a69589p+0, (cd_real)0x1.16b8452c7bc76p-5, (cd_real)0x1.60ec6504b4e18p+0},
          {(cd_real)0x1.fd7997976c75p-2, (cd_real)-0x1.f5cbf43a23c55p+1, (cd_real)0x1.3d327913f822ap-1}}},
    };
    for (int i = 0; i < 2; ++i) {
        cd_closest got = cd_closest_pts_point_rect(points[i], &rects[i]);
        double p[3], v[12];
        to_doubles(REALS(points[i]), p, 3);
        corners_of(&rects[i], v);
        CHECK_INT(got.feature_b, CD_FEATURE(3u, 0u));
        check_flats(&got, p, 1, v, 4, 4 * EPS * fmax(largest(p, 3), largest(v, 12)));
    }
}

static void rectangles(void) {
    test_rng rng = test_random();
    for (long i = test_times(700); i > 0; --i) {
        gen g = any_scene(&rng);
        double v[12], d[6], margin;
        cd_rect rect = gen_rect(&g, v);
        cd_segment s = gen_segment(&g);
        cd_vec3 p, on;
        cd_closest r;
        if (!test_int(&rng, 0, 3)) s.b = cd_vec3_along(rect.a, rect.edge[0], (cd_real)test_unit(&rng));
        if (!test_int(&rng, 0, 5)) s.b = cd_vec3_add(s.a, rect.edge[0]);
        p = s.a;
        note_two(&s, 6, &rect, 9);
        to_doubles(REALS(s), d, 6);
        margin = 4 * EPS * fmax(largest(v, 12), largest(d, 6));
        r = ASK("exact", cd_closest_pts_segment_rect(&s, &rect));
        check_flats(&r, d, 2, v, 4, margin);
        CHECK(r.s >= 0 && r.s <= 1);
        CHECK_VEC(cd_vec3_lerp(s.a, s.b, r.s), r.a, margin);
        CHECK_SAME(ASK("forms", cd_sqdist_segment_rect(&s, &rect)), r.sqdist);
        r = ASK("exact", cd_closest_pts_point_rect(p, &rect));
        check_flats(&r, d, 1, v, 4, margin);
        CHECK_SAME(ASK("forms", cd_sqdist_point_rect(p, &rect)), r.sqdist);
        CHECK_VEC(ASK("forms", cd_closest_pt_point_rect(p, &rect)), r.b, 0);
        on = cd_vec3_along(cd_vec3_along(rect.a, rect.edge[0], r.s), rect.edge[1], r.t);
        CHECK(r.s >= 0 && r.s <= 1 && r.t >= 0 && r.t <= 1);
        CHECK_VEC(on, r.b, 8 * margin);
    }
}

/* The distance of segment and box by its twelve edges, and the ends. */
static double exact_segment_box(const double s[6], const double box[6]) {
    double least = INFINITY;
    for (int e = 0; e < 12; ++e) {
        int axis = e / 4, other[2] = {(axis + 1) % 3, (axis + 2) % 3};
        double edge[6];
        edge[axis] = box[axis];
        edge[3 + axis] = box[3 + axis];
        for (int k = 0; k < 2; ++k)
            edge[other[k]] = edge[3 + other[k]] = box[other[k] + ((e >> k) & 1 ? 3 : 0)];
        least = fmin(least, oracle_segment_segment(s, edge).distance);
    }
    for (int end = 0; end < 2; ++end) {
        long double sum = 0;
        for (int k = 0; k < 3; ++k) {
            double x = s[3 * end + k];
            long double out = (long double)x - (long double)fmin(fmax(x, box[k]), box[3 + k]);
            sum += out * out;
        }
        least = fmin(least, (double)sqrtl(sum));
    }
    return least;
}

static void boxes(void) {
    test_rng rng = test_random();
    long times = test_times(1200), met = 0;
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_aabb b = gen_aabb(&g);
        cd_segment s = gen_segment(&g);
        cd_obb o = cd_obb_from_aabb(b);
        cd_closest r;
        cd_real tiny = (cd_real)ldexp(1.0, -test_int(&rng, 5, 40));
        double d[12], t[9], margin, want;
        int axis = test_int(&rng, 0, 2);
        bool meet;
        if (!test_int(&rng, 0, 3)) REALS(s.a)[axis] = REALS(b.max)[axis];
        if (!test_int(&rng, 0, 3)) REALS(s.b)[axis] = REALS(s.a)[axis] + tiny * REALS(b.max)[axis];
        note_two(&s, 6, &b, 6);
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(b), d + 6, 6);
        memcpy(t, d, sizeof d / 2);
        memcpy(t + 6, d + 3, 3 * sizeof *d);
        margin = 4 * EPS * largest(d, 12);
        meet = oracle_triangle_box(t, d + 6, d + 9);
        want = meet ? 0 : exact_segment_box(d, d + 6);
        r = ASK("exact", cd_closest_pts_segment_aabb(&s, b));
        CHECK_INT(r.sqdist == 0, meet);
        CHECK_NEAR(sqrt((double)r.sqdist), want, margin);
        CHECK_NEAR(dist3(r.a, r.b), want, margin);
        CHECK(cd_test_point_aabb(r.b, b) &&
              oracle_point_segment((double[3]){(double)r.a.x, (double)r.a.y, (double)r.a.z}, d).distance <=
                  margin);
        CHECK(r.s >= 0 && r.s <= 1 && r.t == 0);
        CHECK_SAME(ASK("forms", cd_sqdist_segment_aabb(&s, b)), r.sqdist);
        met += meet;
        r = ASK("exact", cd_closest_pts_segment_obb(&s, &o));
        CHECK_NEAR(sqrt((double)r.sqdist), want, 3 * margin);
        CHECK_NEAR(dist3(r.a, r.b), want, 3 * margin);
        CHECK_SAME(ASK("forms", cd_sqdist_segment_obb(&s, &o)), r.sqdist);
    }
    CHECK_SEEN(met > times / 20 && met < times / 20 * 19);
}

/* The nearest of the six faces, as polygons. */
static void oriented_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb b = gen_obb(&g);
        cd_segment s = gen_segment(&g);
        double d[6], least = INFINITY;
        cd_closest r = ASK("exact", cd_closest_pts_segment_obb(&s, &b));
        to_doubles(REALS(s), d, 6);
        note_two(&s, 6, &b, 15);
        for (int f = 0; f < 6; ++f) {
            static const int turn[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
            int axis = f / 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
            double v[12];
            for (int c = 0; c < 4; ++c) {
                for (int k = 0; k < 3; ++k) {
                    v[3 * c + k] =
                        (double)REALS(b.center)[k] +
                        (f % 2 ? 1 : -1) * (double)REALS(b.half)[axis] * (double)REALS(b.axes.col[axis])[k] +
                        turn[c][0] * (double)REALS(b.half)[u] * (double)REALS(b.axes.col[u])[k] +
                        turn[c][1] * (double)REALS(b.half)[w] * (double)REALS(b.axes.col[w])[k];
                }
            }
            least = fmin(least, oracle_polygon_polygon(d, 2, v, 4));
        }
        if (cd_test_point_obb(s.a, &b) || cd_test_point_obb(s.b, &b)) least = 0;
        CHECK_NEAR(sqrt((double)r.sqdist), least, 16 * EPS);
        CHECK_NEAR(dist3(r.a, r.b), least, 16 * EPS);
    }
}

/* ---- segments in the plane ---- */

static int turn(cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    double p[6];
    to_doubles(REALS(a), p, 2);
    to_doubles(REALS(b), p + 2, 2);
    to_doubles(REALS(c), p + 4, 2);
    return oracle_orient2d(p, p + 2, p + 4);
}

static bool in_box(cd_vec2 p, cd_vec2 a, cd_vec2 b) {
    return fmin((double)a.x, (double)b.x) <= (double)p.x && (double)p.x <= fmax((double)a.x, (double)b.x) &&
           fmin((double)a.y, (double)b.y) <= (double)p.y && (double)p.y <= fmax((double)a.y, (double)b.y);
}

static bool on_segment(cd_vec2 p, cd_vec2 a, cd_vec2 b) {
    return turn(a, b, p) == 0 && in_box(p, a, b);
}

static bool planar_meet(const cd_vec2 v[4]) {
    if (on_segment(v[0], v[2], v[3]) || on_segment(v[1], v[2], v[3]) || on_segment(v[2], v[0], v[1]) ||
        on_segment(v[3], v[0], v[1]))
        return true;
    return turn(v[0], v[1], v[2]) * turn(v[0], v[1], v[3]) < 0 &&
           turn(v[2], v[3], v[0]) * turn(v[2], v[3], v[1]) < 0;
}

/* Where the lines of the two cross: a + (b - a) from / (from - to). */
static void exact_crossing(const cd_vec2 v[4], double out[2]) {
    exact_pool pool = exact_begin();
    exact x[4], y[4], from, to, dx, dy;
    for (int i = 0; i < 4; ++i) {
        x[i] = exact_from((double)v[i].x);
        y[i] = exact_from((double)v[i].y);
    }
    dx = exact_sub(x[3], x[2]);
    dy = exact_sub(y[3], y[2]);
    from = exact_sub(exact_mul(dx, exact_sub(y[0], y[2])), exact_mul(dy, exact_sub(x[0], x[2])));
    to = exact_sub(exact_mul(dx, exact_sub(y[1], y[2])), exact_mul(dy, exact_sub(x[1], x[2])));
    to = exact_sub(from, to);
    out[0] = ratio_to_double(
        ratio_make(exact_add(exact_mul(x[0], to), exact_mul(from, exact_sub(x[1], x[0]))), to));
    out[1] = ratio_to_double(
        ratio_make(exact_add(exact_mul(y[0], to), exact_mul(from, exact_sub(y[1], y[0]))), to));
    exact_end(pool);
}

static void gen_planar(gen *g, cd_vec2 v[4]) {
    cd_vec3 p[3];
    for (int i = 0; i < 4; ++i) {
        cd_vec3 q = gen_point(g);
        v[i] = cd_vec2_make(q.x, q.y);
    }
    switch (test_int(g->rng, 0, 5)) {
    case 0:
        gen_collinear(g, p);
        for (int i = 0; i < 3; ++i) v[i] = cd_vec2_make(p[i].x, p[i].y);
        break;
    case 1: v[test_int(g->rng, 0, 3)] = v[test_int(g->rng, 0, 3)]; break;
    case 2:
        gen_collinear(g, p);
        for (int i = 0; i < 3; ++i) v[i] = cd_vec2_make(p[i].x, p[i].y);
        v[3] = v[test_int(g->rng, 0, 2)];
        break;
    case 3:
        v[2].x = v[0].x + (v[1].x - v[0].x) / 2;
        v[2].y = v[0].y + (v[1].y - v[0].y) / 2;
        v[3].x = gen_near(g->rng, v[1].x);
        v[3].y = gen_near(g->rng, v[1].y);
        break;
    default: break;
    }
}

static void check_cut(const cd_vec2 v[4], const cd_segment_cut *cut) {
    bool line = turn(v[0], v[1], v[2]) == 0 && turn(v[0], v[1], v[3]) == 0 && turn(v[2], v[3], v[0]) == 0 &&
                turn(v[2], v[3], v[1]) == 0,
         end = false;
    double d[8], at[2], margin;
    to_doubles(REALS(v[0]), d, 8);
    margin = 2 * EPS * largest(d, 8);
    CHECK_INT(cut->count == 2,
              line && (cut->points[0].x != cut->points[1].x || cut->points[0].y != cut->points[1].y));
    for (uint32_t i = 0; i < cut->count; ++i) {
        for (int k = 0; k < 4; ++k) {
            int other = k < 2 ? 2 : 0;
            end = end || on_segment(v[k], v[other], v[other + 1]);
            if (line && on_segment(v[k], v[other], v[other + 1])) {
                CHECK(in_box(v[k], cut->points[0], cut->points[cut->count - 1]));
            }
        }
        CHECK(in_box(cut->points[i], v[0], v[1]) && in_box(cut->points[i], v[2], v[3]));
        if (end) CHECK(on_segment(cut->points[i], v[0], v[1]) && on_segment(cut->points[i], v[2], v[3]));
    }
    if (line || end) return;
    exact_crossing(v, at);
    CHECK_NEAR(cut->points[0].x, at[0], margin);
    CHECK_NEAR(cut->points[0].y, at[1], margin);
}

static void planar_segments(void) {
    test_rng rng = test_random();
    long times = test_times(6000), met = 0, shared = 0;
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_vec2 v[4], w[4];
        cd_segment_cut cut, back;
        bool want;
        gen_planar(&g, v);
        w[0] = v[3];
        w[1] = v[2];
        w[2] = v[0];
        w[3] = v[1];
        note_two(v, 4, v + 2, 4);
        want = planar_meet(v);
        CHECK_INT(ASK("exact", cd_test_2d_segment_segment(v[0], v[1], v[2], v[3])), want);
        CHECK_INT(ASK("swap", cd_test_2d_segment_segment(w[0], w[1], w[2], w[3])), want);
        memset(&cut, 0, sizeof cut);
        memset(&back, 0, sizeof back);
        CHECK_INT(ASK("exact", cd_intersect_2d_segment_segment(v[0], v[1], v[2], v[3], &cut)), want);
        CHECK_INT(ASK("swap", cd_intersect_2d_segment_segment(w[0], w[1], w[2], w[3], &back)), want);
        CHECK_INT(cut.count, back.count);
        for (uint32_t k = 0; k < cut.count; ++k)
            CHECK(cut.points[k].x == back.points[k].x && cut.points[k].y == back.points[k].y);
        if (want) check_cut(v, &cut);
        met += want;
        shared += cut.count == 2;
    }
    CHECK_SEEN(met > times / 20 && met < times / 20 * 19 && shared > times / 200);
}

/* ---- safe ---- */

static void safe_times(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_real now = (cd_real)test_range(&rng, -9, 9), distance = gen_any_real(&rng),
                speed = gen_any_real(&rng), t;
        exact_pool pool = exact_begin();
        if (test_int(&rng, 0, 1)) distance = (cd_real)test_range(&rng, 0, 1);
        if (test_int(&rng, 0, 1)) speed = (cd_real)test_range(&rng, 0, 1);
        t = ASK("exact", cd_safe_until(now, distance, speed));
        test_note("now %a distance %a speed %a", (double)now, (double)distance, (double)speed);
        if (!(distance > 0) || !(speed >= 0)) {
            CHECK_SAME(t, now);
        } else if (speed == 0) {
            CHECK(isinf((double)t));
        } else {
            double exactly = (double)distance / (double)speed;
            CHECK(exact_compare(exact_mul(exact_sub(exact_from((double)t), exact_from((double)now)),
                                          exact_from((double)speed)),
                                exact_from((double)distance)) <= 0);
            CHECK(t >= now || (double)t >= (double)now - 4 * EPS * 9);
            if (exactly < 1e30) CHECK_ULPS(t, (double)now + exactly, 4, 9 + exactly);
        }
        exact_end(pool);
    }
    CHECK_SAME(ASK("bad", cd_safe_until(1, (cd_real)NAN, 1)), 1);
    CHECK_SAME(ASK("bad", cd_safe_until(1, 1, (cd_real)NAN)), 1);
    CHECK_SAME(ASK("bad", cd_safe_until(1, 0, 0)), 1);
    CHECK(isinf((double)ASK("bad", cd_safe_until(1, 1, 0))));
    CHECK(isnan((double)ASK("bad", cd_safe_until((cd_real)NAN, 1, 1))));
}

/* |change of the position| + radius times the chord of the turn; what the three axes move, squared, sums up to twice the square of
 * the chord. */
static long double exact_motion(const cd_transform *a, const cd_transform *b, cd_real radius) {
    long double chords = 0, shift = 0;
    for (int k = 0; k < 3; ++k) {
        cd_vec3 axis = cd_vec3_make(k == 0, k == 1, k == 2);
        long double p[3], q[3], by = (long double)REALS(b->position)[k] - (long double)REALS(a->position)[k];
        gen_rotate(a->rotation, axis, p);
        gen_rotate(b->rotation, axis, q);
        for (int i = 0; i < 3; ++i) chords += (q[i] - p[i]) * (q[i] - p[i]);
        shift += by * by;
    }
    return sqrtl(shift) + (long double)radius * sqrtl(chords / 2);
}

/* No point within the radius moves farther than the bound, which is what it is said to be, rounded up. */
static void safe_motions(void) {
    test_rng rng = test_random();
    cd_transform same = gen_pose(&rng, 1.0), bad = same;
    for (long i = test_times(1800); i > 0; --i) {
        cd_transform a = gen_pose(&rng, 1.0), b = gen_pose(&rng, 1.0);
        cd_real radius = (cd_real)test_unit(&rng), bound;
        double most = 0.0;
        long double want;
        if (test_int(&rng, 0, 1)) {
            b.rotation = cd_quat_nlerp(a.rotation, b.rotation, (cd_real)ldexp(1.0, -test_int(&rng, 0, 30)));
            b.position = cd_vec3_along(a.position, b.position, (cd_real)ldexp(1.0, -test_int(&rng, 0, 30)));
        }
        bound = ASK("exact", cd_safe_motion(&a, &b, radius));
        test_note("radius %a", (double)radius);
        test_note_reals("a", REALS(a), 7);
        test_note_reals("b", REALS(b), 7);
        for (int k = 0; k < 20; ++k) {
            cd_vec3 p = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                                     (cd_real)test_range(&rng, -1, 1));
            p = cd_vec3_scale(cd_vec3_normalize(p), radius * (cd_real)(1 - 4 * EPS));
            most = fmax(most, dist3(cd_transform_point(&a, p), cd_transform_point(&b, p)));
        }
        CHECK(most <= (double)bound + 4 * EPS); /* the points are rounded */
        want = exact_motion(&a, &b, radius);
        CHECK((long double)bound >= want);
        CHECK((long double)bound <= want + EPS * want + 32 * DBL_EPSILON * (want + (long double)radius));
    }
    CHECK_SAME(ASK("bad", cd_safe_motion(&same, &same, 5)), 0);
    bad.position.x = (cd_real)NAN;
    CHECK(isinf((double)ASK("bad", cd_safe_motion(&same, &bad, 1))) &&
          isinf((double)ASK("bad", cd_safe_motion(&same, &same, -1))));
}

/* Balls that wander: while the mark holds they are apart, and most looks are spared. */
static void safe_steps(void) {
    enum { BALLS = 12 };
    test_rng rng = test_random();
    cd_vec3 at[BALLS], drift[BALLS];
    cd_safe way[BALLS];
    double mark[BALLS][BALLS];
    long looks = 0, pairs = 0, touches = 0;
    memset(way, 0, sizeof way);
    memset(mark, 0, sizeof mark);
    for (int i = 0; i < BALLS; ++i) {
        at[i] = cd_vec3_make((cd_real)test_range(&rng, -5, 5), (cd_real)test_range(&rng, -5, 5), 0);
        drift[i] = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1), 0);
    }
    for (long step = test_times(2000) + 300; step > 0; --step) {
        for (int i = 0; i < BALLS; ++i) {
            cd_vec3 before = at[i];
            at[i] = cd_vec3_along(at[i], drift[i], (cd_real)0.01);
            if (fabs((double)at[i].x) > 5) drift[i].x = -drift[i].x;
            if (fabs((double)at[i].y) > 5) drift[i].y = -drift[i].y;
            ASK("judge", cd_safe_advance(&way[i], (cd_real)(dist3(before, at[i]) * 1.000001)));
        }
        for (int i = 0; i < BALLS; ++i) {
            for (int j = 0; j < i; ++j) {
                double left = dist3(at[i], at[j]) - 0.5;
                ++pairs;
                touches += left <= 0;
                if (ASK("judge", cd_safe_holds(&way[i], &way[j], mark[i][j]))) {
                    CHECK(left > 0);
                    continue;
                }
                ++looks;
                mark[i][j] = ASK("judge", cd_safe_mark(&way[i], &way[j], (cd_real)(left * 0.999999)));
                CHECK_INT(ASK("judge", cd_safe_holds(&way[i], &way[j], mark[i][j])), left > 0);
            }
        }
    }
    CHECK(looks < pairs / 10);
    CHECK_SEEN(touches > 0);
    ASK("bad", cd_safe_advance(&way[0], (cd_real)NAN));
    CHECK(!ASK("bad", cd_safe_holds(&way[0], &way[1], 1e300)) &&
          ASK("bad", cd_safe_mark(&way[0], &way[1], 1)) == 0);
}

/* What is true of numbers that are nearly too large, and of quaternions of any length. */
static void safe_extremes(void) {
    cd_real most = CD_REAL_MAX, t = ASK("bad", cd_safe_until(most / 2, most / 4, 1));
    double sum = (double)(most / 2) + (double)(most / 4);
    cd_safe a = {1e308}, b = {0};
    cd_transform p, q;
    CHECK((double)t <= sum && (double)t > 0.99 * sum);
    CHECK(ASK("bad", cd_safe_mark(&a, &b, 1)) <= 1e308 && !(ASK("bad", cd_safe_holds(&a, &b, 1e308))));
    ASK("bad", cd_safe_advance(&a, 1));
    CHECK(a.way > 1e308);
    b.way = 1.5e308;
    CHECK(!ASK("bad", cd_safe_holds(&a, &b, 1.7976931348623157e308)));
    memset(&p, 0, sizeof p);
    q = p;
    for (int i = 1; i < 100; ++i) { /* half a turn about x, a way of 2 */
        cd_real tiny = (cd_real)ldexp(1.0, -i * (sizeof tiny == 8 ? 10 : 1));
        p.rotation.w = tiny;
        q.rotation.x = i & 1 ? tiny : 1 / tiny;
        CHECK_NEAR(ASK("bad", cd_safe_motion(&p, &q, 1)), 2, 1e-6);
        CHECK_SAME(ASK("bad", cd_safe_motion(&p, &p, 1)), 0);
    }
}

/* ---- faults that were found ---- */

/* Lines at right angles, 1 apart, nearest at (3, 0, 0) and (3, 0, 1), with directions of any length. */
static void any_direction(void) {
    int top = sizeof(cd_real) == 8 ? 1000 : 120;
    for (int e = -top; e <= top; e += top / 40) {
        cd_real length = (cd_real)ldexp(1.0, e), other = (cd_real)ldexp(1.0, -e);
        cd_line l = {{1, 0, 0}, {0, 0, 0}}, m = {{3, 7, 1}, {0, 0, 0}};
        cd_ray r = {{1, 0, 0}, {0, 0, 0}};
        cd_segment s = {{3, 7, 1}, {3, -7, 1}};
        cd_closest c;
        l.dir.x = r.dir.x = length;
        for (int k = 0; k < 2; ++k) {
            m.dir.y = k ? length : other;
            c = cd_closest_pts_line_line(&l, &m);
            test_note("2^%d", e);
            CHECK(c.sqdist == 1 && c.a.x == 3 && c.b.y == 0 && c.b.z == 1);
            CHECK(c.s == 2 * other && c.t == -7 / m.dir.y);
        }
        c = cd_closest_pts_ray_segment(&r, &s);
        CHECK(c.sqdist == 1 && c.a.x == 3 && c.b.y == 0 && c.s == 2 * other && c.t == (cd_real)0.5);
        c = cd_closest_pts_point_ray(s.a, &r);
        CHECK(c.sqdist == 50 && c.b.x == 3 && c.t == 2 * other && c.feature_b == CD_FEATURE(2u, 0u));
    }
}

/* Rays and lines that are in the triangle's plane, or pass its edge or corner nearer than rounding can tell. */
static void exact_verdicts(void) {
    test_rng rng = test_random();
    long near_misses = 0;
    for (long i = test_times(2000); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_triangle t = gen_triangle(&g);
        cd_vec3 on = cd_vec3_along(t.a, cd_vec3_sub(t.b, t.a), (cd_real)test_unit(&rng));
        cd_vec3 dir = test_int(&rng, 0, 1) ? gen_direction(&g) : cd_vec3_sub(t.c, on);
        cd_ray r;
        cd_line l;
        cd_closest c, d;
        if (test_int(&rng, 0, 1)) on = cd_vec3_sub(on, dir);
        r.origin = l.origin = on;
        r.dir = l.dir = dir;
        if (!cd_line_is_valid(&l)) continue;
        c = ASK("forms", cd_closest_pts_ray_triangle(&r, &t));
        d = ASK("forms", cd_closest_pts_line_triangle(&l, &t));
        test_note("");
        test_note_reals("triangle", REALS(t), 9);
        test_note_reals("ray", REALS(r), 6);
        CHECK_INT(c.sqdist == 0, cd_test_ray_triangle(&r, &t));
        CHECK_INT(d.sqdist == 0, cd_test_line_triangle(&l, &t));
        CHECK((c.sqdist == 0) == (c.feature_b == CD_FEATURE_NONE));
        CHECK((d.sqdist == 0) == (d.feature_b == CD_FEATURE_NONE));
        CHECK(c.sqdist > 0 || (c.a.x == c.b.x && c.a.y == c.b.y && c.a.z == c.b.z));
        near_misses += c.sqdist > 0 && (double)c.sqdist < 1e-9 * ((double)dir.x * (double)dir.x +
                                                                  (double)dir.y * (double)dir.y +
                                                                  (double)dir.z * (double)dir.z);
    }
    CHECK_SEEN(near_misses > 0);
}

/* High above the tip of a needle that is thinner than heights are rounded, beyond it. */
static void beyond_the_tip_of_a_needle(void) {
    test_rng rng = test_random();
    for (int i = 0; i < 600; ++i) {
        double turn = 6.25 * test_unit(&rng), c = cos(turn), s = sin(turn), thin = ldexp(1, -50 - i / 3 % 20);
        double high = 1 + test_unit(&rng), beyond = 0.25 + test_unit(&rng), want;
        cd_triangle t = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        cd_segment up = {{0, 0, 0}, {0, 0, 0}};
        cd_real *end = &t.b.x, *mid = &t.c.x, *p = &up.a.x, *q = &up.b.x;
        int x = i % 3, y = (x + 1) % 3, z = (x + 2) % 3; /* along x */
        end[x] = 1;
        mid[x] = (cd_real)test_unit(&rng);
        mid[y] = (cd_real)(thin * c);
        mid[z] = (cd_real)(thin * s);
        p[x] = q[x] = (cd_real)(1 + beyond);
        p[y] = (cd_real)(-high * s);
        p[z] = (cd_real)(high * c);
        q[y] = 2 * p[y];
        q[z] = 2 * p[z];
        want = beyond * beyond + high * high;
        note_two(&t, 9, &up, 6);
        CHECK_NEAR(cd_sqdist_segment_triangle(&up, &t), want, 64 * EPS * want);
    }
}

/* It meets the box beyond its start, which is a few units in the last place outside. */
static void from_right_beside_a_box(void) {
    cd_aabb b = {{-1, -1, -1}, {1, 1, 1}};
    for (int i = 0; i < 6; ++i) {
        cd_real side = (cd_real)(i & 1 ? -1 : 1);
        cd_segment s = {{0, 0, 0}, {0, 0, 0}};
        *(i < 2 ? &s.a.x : i < 4 ? &s.a.y : &s.a.z) = side * (cd_real)(1 + 4 * EPS);
        *(i < 2 ? &s.b.x : i < 4 ? &s.b.y : &s.b.z) = -side;
        CHECK(cd_closest_pts_segment_aabb(&s, b).s > 0);
    }
}

/* A segment along a needle, all in one plane: where they cross hangs on the last digits. */
static void along_a_needle(void) {
#ifdef COLLIDE_DOUBLE
    cd_triangle t = {{0, 0.99999999999999933, -2}, {0, -1, -1}, {0, 1, -1.9999999999999996}};
    cd_segment s = {{0, -0.44119249021566348, -1.2794037548921684},
                    {0, -0.19171466168575588, -1.4041426691571217}};
    cd_closest c = cd_closest_pts_segment_triangle(&s, &t);
    course on = course_of(COURSE_SEGMENT, &s);
    CHECK(c.sqdist == 0 && exact_from_course(c.a, &on) <= 8 * EPS);
#endif
}

/* ---- degenerate ---- */

static void bad_numbers(void) {
    cd_real nan = (cd_real)NAN;
    cd_line l = {{0, 0, 0}, {0, 0, 0}}, m = {{0, 0, 1}, {1, 0, 0}};
    cd_ray r = {{0, 0, 0}, {0, 0, 0}}, bad = {{nan, 0, 0}, {1, 0, 0}};
    cd_segment s = {{0, 3, 1}, {0, 3, 1}};
    cd_triangle t = {{0, 0, 0}, {1, 0, 0}, {0, nan, 0}};
    cd_closest c = ASK("bad", cd_closest_pts_line_line(&l, &m));
    CHECK(isnan((double)c.sqdist) && c.feature_a == 0 && c.a.x == 0);
    CHECK(isnan((double)ASK("bad", cd_sqdist_ray_segment(&bad, &s))) &&
          isnan((double)ASK("bad", cd_closest_pt_point_line(s.a, &l)).x));
    CHECK(isnan((double)ASK("bad", cd_sqdist_segment_triangle(&s, &t))) &&
          isnan((double)ASK("bad", cd_sqdist_line_triangle(&l, &t))));
    CHECK(isnan((double)ASK("bad", cd_sqdist_segment_aabb(&s, cd_aabb_empty()))));
    c = ASK("bad", cd_closest_pts_ray_segment(&r, &s)); /* two points */
    CHECK(c.sqdist == 10 && c.s == 0 && c.t == 0 && c.feature_a == CD_FEATURE(1u, 0u));
    c = ASK("bad", cd_closest_pts_line_segment(&m, &s));
    CHECK(c.sqdist == 9 && c.a.z == 1);
}

void suite_closest_pairs(void) {
    RUN(courses);
    RUN(powers_of_two);
    RUN(parameters_of_any_size);
    RUN(triangles);
    RUN(corners_that_triangles_share);
    RUN(segments_and_triangles);
    RUN(a_ray_that_is_a_point);
    RUN(rays_and_triangles);
    RUN(points_high_above_rectangles);
    RUN(rectangles);
    RUN(boxes);
    RUN(oriented_boxes);
    RUN(planar_segments);
    RUN(safe_times);
    RUN(safe_motions);
    RUN(safe_steps);
    RUN(safe_extremes);
    RUN(any_direction);
    RUN(exact_verdicts);
    RUN(beyond_the_tip_of_a_needle);
    RUN(from_right_beside_a_box);
    RUN(along_a_needle);
    RUN(bad_numbers);
}
