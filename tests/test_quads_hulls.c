/* Casts against quadrilaterals, half-spaces and hulls. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* ---- quadrilaterals ---- */

/* Flat and bent ones, parallelograms, and those without an area. */
static cd_quad gen_quad(gen *g) {
    cd_quad q;
    q.a = gen_point(g);
    q.b = gen_point(g);
    q.c = gen_point(g);
    q.d = gen_point(g);
    switch (test_int(g->rng, 0, 5)) {
    case 0:
    case 1: q.d = cd_vec3_add(q.a, cd_vec3_sub(q.c, q.b)); break;
    case 2: q.a.z = q.b.z = q.c.z = q.d.z; break;
    case 3: q.d = test_int(g->rng, 0, 1) ? q.c : q.a; break;
    default: break;
    }
    return q;
}

static cd_ray ray_at_quad(gen *g, const cd_quad *q) {
    const cd_vec3 *v = &q->a;
    cd_vec3 from = gen_point(g), to = gen_point(g);
    int i = test_int(g->rng, 0, 3);
    switch (test_int(g->rng, 0, 5)) {
    case 0: to = v[i]; break;
    case 1: to = cd_vec3_lerp(v[i], v[(i + 1) % 4], (cd_real)0.5); break;
    case 2: to = cd_vec3_lerp(v[0], v[2], (cd_real)0.5); break;
    case 3:
        to = cd_vec3_lerp(cd_vec3_lerp(v[0], v[2], (cd_real)test_unit(g->rng)), v[i], (cd_real)0.25);
        break;
    case 4: from = cd_vec3_lerp(v[0], v[2], (cd_real)test_unit(g->rng)); break;
    default: break;
    }
    return cd_ray_through(from, to);
}

static uint32_t quad_feature(int zeros, int half) {
    static const uint32_t vertex[2][3] = {{0, 1, 2}, {0, 2, 3}}, edge[2][3] = {{0, 1, 9}, {9, 2, 3}};
    uint32_t e = 9;
    if (zeros == 6) return CD_FEATURE(1u, vertex[half][0]);
    if (zeros == 5) return CD_FEATURE(1u, vertex[half][1]);
    if (zeros == 3) return CD_FEATURE(1u, vertex[half][2]);
    if (zeros == 4) e = edge[half][0];
    if (zeros == 1) e = edge[half][1];
    if (zeros == 2) e = edge[half][2];
    return e < 9 ? CD_FEATURE(2u, e) : CD_FEATURE(3u, (uint32_t)half);
}

/* The answer from the exact ones of the halves. */
typedef struct quad_truth {
    bool hit, both;
    int half;
    oracle_crossing at;
} quad_truth;

static quad_truth truth_of_quad(const double r[6], const double v[12], bool line) {
    quad_truth t;
    memset(&t, 0, sizeof t);
    for (int half = 0; half < 2; ++half) {
        double tri[9];
        oracle_crossing x;
        memcpy(tri, v, 3 * sizeof *v);
        memcpy(tri + 3, v + (half ? 6 : 3), 6 * sizeof *v);
        x = oracle_ray_triangle(r, r + 3, tri, line);
        if (x.parallel_or_degenerate || !x.hit) continue;
        if (t.hit) t.both = true;
        if (t.hit && !(x.t < t.at.t)) continue;
        t.hit = true;
        t.half = half;
        t.at = x;
    }
    return t;
}

/* A segment that begins on the surface says so, as a ray does. */
static void segments_that_begin_on_it(void) {
    cd_quad q = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    cd_triangle t = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}};
    cd_segment s = {{(cd_real)1.5, (cd_real)0.5, 0}, {(cd_real)1.5, (cd_real)0.5, -1}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_segment_triangle(&s, &t, &o, &h) && h.t == 0 && h.flags == CD_HIT_START);
    CHECK(cd_cast_segment_quad(&s, &q, &o, &h) && h.t == 0 && h.flags == CD_HIT_START);
    for (o.flags = CD_CAST_START_IGNORE; o.flags <= CD_CAST_START_LEAVING; o.flags *= 2) {
        CHECK(!cd_cast_segment_triangle(&s, &t, &o, &h));
        CHECK(!cd_cast_segment_quad(&s, &q, &o, &h));
    }
}

static void quads_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, halves = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_quad q = gen_quad(&g);
        cd_ray r = ray_at_quad(&g, &q);
        cd_line l;
        double d[18];
        bool line = test_int(&rng, 0, 2) == 0, got;
        quad_truth want;
        cd_hit h;
        if (!cd_quad_is_valid(&q) || cd_vec3_length(r.dir) == 0) continue;
        to_doubles(REALS(r), d, 6);
        to_doubles(REALS(q), d + 6, 12);
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("q", REALS(q), 12);
        want = truth_of_quad(d, d + 6, line);
        if (want.hit && fabs(want.at.t) > (double)CD_REAL_MAX) continue;
        l.origin = r.origin;
        l.dir = r.dir;
        memset(&h, 0, sizeof h);
        h.index = 77;
        got = line ? ASK("exact", cd_cast_line_quad(&l, &q, NULL, &h))
                   : cd_cast_ray_quad(&r, CD_REAL_MAX, &q, NULL, &h);
        CHECK_INT(got, want.hit);
        if (!got) {
            CHECK_INT(h.index, 77);
            continue;
        }
        ++hits;
        if (!want.both) {
            CHECK_INT(h.feature, quad_feature(want.at.zero_weights, want.half));
            halves += want.half;
        }
        if (g.kind == GEN_GRID &&
            !(want.both && h.feature != quad_feature(want.at.zero_weights, want.half))) {
            double u = want.half ? want.at.u : want.at.u + want.at.v;
            double v = want.half ? want.at.u + want.at.v : want.at.v;
            double slack = 1e-4;
            if (sizeof(cd_real) == 8) slack = 1e-12;
            CHECK_NEAR(h.t, want.at.t, slack * (1 + fabs(want.at.t)));
            CHECK_NEAR(h.u, u, slack);
            CHECK_NEAR(h.v, v, slack);
        }
    }
    CHECK_SEEN(hits > times / 10 && halves > times / 50);
}

static void quad_segments_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(8000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_quad q = gen_quad(&g);
        cd_ray r = ray_at_quad(&g, &q);
        cd_segment s;
        double d[6], v[12];
        bool want = false;
        s.a = r.origin;
        s.b = cd_vec3_add(r.origin, r.dir);
        if (!cd_quad_is_valid(&q) || !cd_segment_is_valid(&s)) continue;
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(q), v, 12);
        for (int half = 0; half < 2; ++half) {
            double tri[9];
            memcpy(tri, v, 3 * sizeof *v);
            memcpy(tri + 3, v + (half ? 6 : 3), 6 * sizeof *v);
            if (oracle_orient3d(tri, tri + 3, tri + 6, d) == 0 &&
                oracle_orient3d(tri, tri + 3, tri + 6, d + 3) == 0)
                continue;
            want = want || oracle_segment_triangle(d, tri);
        }
        test_note("");
        test_note_reals("s", REALS(s), 6);
        test_note_reals("q", REALS(q), 12);
        CHECK_INT(ASK("exact", cd_cast_segment_quad(&s, &q, NULL, NULL)), want);
    }
}

/* A unit square: what the halves, features and weights are, and all flags. */
static void one_square(void) {
    cd_quad q = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    cd_ray r = {{1, 3, 5}, {0, 0, -2}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_quad(&r, 9, &q, NULL, &h) && h.t == (cd_real)2.5 && h.feature == CD_FEATURE(3u, 1));
    CHECK(h.u == (cd_real)0.25 && h.v == (cd_real)0.75 && h.flags == 0);
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, 1), 0);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(!cd_cast_ray_quad(&r, 9, &q, &o, &h));
    r.origin = cd_vec3_make(3, 1, -5);
    r.dir.z = 2;
    CHECK(cd_cast_ray_quad(&r, 9, &q, &o, &h) && h.flags == CD_HIT_BACK && h.feature == CD_FEATURE(3u, 0));
    CHECK(h.u == (cd_real)0.75 && h.v == (cd_real)0.25);
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, -1), 0);
    o.flags = CD_CAST_CULL_BACK;
    CHECK(!cd_cast_ray_quad(&r, 9, &q, &o, &h) && !cd_cast_ray_quad(&r, 2, &q, NULL, &h));
    r.origin.y = 3; /* the diagonal */
    CHECK(cd_cast_ray_quad(&r, 9, &q, NULL, &h) && h.feature == CD_FEATURE(3u, 0) && h.u == h.v);
    r.origin.y = 4;
    CHECK(cd_cast_ray_quad(&r, 9, &q, NULL, &h) && h.feature == CD_FEATURE(2u, 2));
    CHECK(h.u == (cd_real)0.75 && h.v == 1);
    r.origin.x = 0;
    CHECK(cd_cast_ray_quad(&r, 9, &q, NULL, &h) && h.feature == CD_FEATURE(1u, 3) && h.u == 0 && h.v == 1);
    r.origin.z = 0;
    CHECK(cd_cast_ray_quad(&r, 9, &q, NULL, &h) && h.t == 0 && h.flags == (CD_HIT_BACK | CD_HIT_START));
    o.flags = CD_CAST_START_IGNORE;
    CHECK(!cd_cast_ray_quad(&r, 9, &q, &o, &h));
    o.flags = 0;
    o.t_min = 1;
    CHECK(!cd_cast_ray_quad(&r, 9, &q, &o, &h));
    /* bent upward along the diagonal: both halves, the nearer one */
    q.a.z = q.c.z = 2;
    r.origin = cd_vec3_make(8, 1, (cd_real)0.875);
    r.dir = cd_vec3_make(-1, 0, 0);
    CHECK(cd_cast_ray_quad(&r, 99, &q, NULL, &h) && CD_FEATURE_KIND(h.feature) == 3u);
    q.a.x = (cd_real)NAN;
    CHECK(!cd_cast_ray_quad(&r, 99, &q, NULL, &h));
}

/* ---- half-spaces ---- */

static void planes_of_box(cd_aabb b, cd_plane out[6]) {
    for (int i = 0; i < 6; ++i) {
        out[i].n = cd_vec3_make(0, 0, 0);
        REALS(out[i].n)[i / 2] = i & 1 ? (cd_real)2 : (cd_real)-1;
        out[i].d = i & 1 ? REALS(b)[3 + i / 2] * 2 : -REALS(b)[i / 2];
    }
}

/* The interval of t exactly: false when empty; the ends as fractions. */
static bool planes_truth(const cd_plane *p, int count, const double o[3], const double d[3], bool ray,
                         double *in, double *out) {
    exact_pool pool = exact_begin();
    ratio low = ratio_make(exact_from(0), exact_from(1)), high = low;
    bool has_low = ray, has_high = false, hit = true;
    *in = ray ? 0 : -INFINITY;
    *out = INFINITY;
    for (int i = 0; i < count && hit; ++i) {
        double n[3];
        exact height, speed;
        exact3 m;
        to_doubles(&p[i].n.x, n, 3);
        m = exact3_from(n);
        height = exact_sub(exact_from((double)p[i].d), exact3_dot(m, exact3_from(o)));
        speed = exact3_dot(m, exact3_from(d));
        if (speed.sign == 0) {
            hit = height.sign >= 0;
        } else {
            ratio t = ratio_make(height, speed);
            if (speed.sign < 0 && (!has_low || ratio_compare(t, low) > 0)) {
                low = t;
                has_low = true;
            }
            if (speed.sign > 0 && (!has_high || ratio_compare(t, high) < 0)) {
                high = t;
                has_high = true;
            }
        }
    }
    if (hit && has_low && has_high) hit = ratio_compare(low, high) <= 0;
    if (hit && has_low) *in = ratio_to_double(low);
    if (hit && has_high) *out = ratio_to_double(high);
    exact_end(pool);
    return hit;
}

static void planes_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(12000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_plane p[10];
        cd_aabb box = gen_aabb(&g);
        cd_vec3 aim = gen_point(&g);
        int count = 6 + test_int(&rng, 0, 4);
        cd_ray r;
        double d[6], in, out;
        bool want;
        cd_hit h;
        planes_of_box(box, p);
        for (int k = 6; k < count; ++k) { /* through the box, or a copy */
            cd_vec3 c = cd_vec3_lerp(box.min, box.max, (cd_real)0.75);
            p[k] = cd_plane_from_point_normal(c, gen_direction(&g));
            if (!test_int(&rng, 0, 3)) p[k] = p[test_int(&rng, 0, 5)];
        }
        if (test_int(&rng, 0, 1)) { /* at a corner or an edge */
            for (int k = 0; k < 3; ++k)
                if (test_int(&rng, 0, 3)) REALS(aim)[k] = REALS(box)[k + 3 * test_int(&rng, 0, 1)];
        }
        r = cd_ray_through(gen_point(&g), aim);
        if (!test_int(&rng, 0, 5)) r.origin = aim;
        if (!cd_ray_is_valid(&r)) continue;
        to_doubles(REALS(r), d, 6);
        for (int k = 0; k < count; ++k)
            if (!cd_plane_is_valid(&p[k])) p[k] = p[0];
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("planes", REALS(p[0]), 4 * count);
        want = planes_truth(p, count, d, d + 3, true, &in, &out);
        if (want && in > (double)CD_REAL_MAX) continue;
        CHECK_INT(ASK("exact", cd_cast_ray_planes(&r, CD_REAL_MAX, p, (size_t)count, NULL, &h)), want);
        if (want) {
            cd_vec3 n;
            ++hits;
            CHECK_NEAR(h.t, in, 2 * EPS * in + (g.kind == GEN_GRID || g.kind == GEN_UNIT ? 1e-9 : INFINITY));
            if (!(h.flags & CD_HIT_START)) {
                n = cd_vec3_normalize(p[CD_FEATURE_INDEX(h.feature)].n);
                CHECK(cd_vec3_dot(n, h.normal) >= 1 - 8 * (cd_real)EPS &&
                      (int)CD_FEATURE_INDEX(h.feature) < count);
            }
        }
        want = planes_truth(p, count, d, d + 3, false, &in, &out);
        if (d[3] == 0 && d[4] == 0 && d[5] == 0) want = false;
        if (!want || fabs(in) < (double)CD_REAL_MAX) {
            cd_line l;
            l.origin = r.origin;
            l.dir = r.dir;
            CHECK_INT(ASK("exact", cd_cast_line_planes(&l, p, (size_t)count, NULL, &h)), want);
        }
    }
    CHECK_SEEN(hits > times / 5);
}

/* A wedge whose two planes nearly are along the line, and are met at one time but for rounding, however long the direction is. */
static void planes_beside_long_directions(void) {
    test_rng rng = test_random();
    long hits = 0, times = 60 + test_times(4000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 way = gen_direction(&g), side = gen_direction(&g), aim;
        cd_plane p[2];
        cd_line l;
        cd_hit h;
        double d[6], in, out, slow = ldexp(1.0, -test_int(&rng, 8, sizeof(cd_real) == 4 ? 18 : 40));
        cd_real length = (cd_real)ldexp(1.0, test_int(&rng, 0, 3) * 30);
        bool want;
        l.origin = gen_point(&g);
        for (int k = 0; k < 2; ++k) {
            cd_vec3 n = cd_vec3_cross(way, side);
            side = cd_vec3_add(side, cd_vec3_scale(n, (cd_real)test_range(&rng, 0.1, 2)));
            p[k].n = cd_vec3_along(n, way, (cd_real)(k ? slow : -slow * test_range(&rng, 0.5, 1)));
        }
        aim = cd_vec3_along(l.origin, way, (cd_real)(test_range(&rng, -2, 2) / slow));
        for (int k = 0; k < 2; ++k) p[k].d = cd_vec3_dot(p[k].n, aim);
        l.dir = cd_vec3_scale(way, length);
        if (!cd_plane_is_valid(&p[0]) || !cd_plane_is_valid(&p[1])) continue;
        to_doubles(REALS(l), d, 6);
        test_note("");
        test_note_reals("line", REALS(l), 6);
        test_note_reals("planes", REALS(p[0]), 8);
        want = planes_truth(p, 2, d, d + 3, false, &in, &out);
        hits += want;
        CHECK_INT(ASK("exact", cd_cast_line_planes(&l, p, 2, NULL, &h)), want);
    }
    CHECK_SEEN(hits > times / 10 && hits < times - times / 10);
}

/* Segments that end on the surface, just before it, and just behind it. */
static void segments_end_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        cd_aabb b = {{-1, -1, -1}, {1, 1, 1}};
        cd_plane p[6];
        cd_segment s;
        int axis = test_int(&rng, 0, 2);
        cd_hit h;
        planes_of_box(b, p);
        s.a = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                           (cd_real)test_range(&rng, -1, 1));
        s.b = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                           (cd_real)test_range(&rng, -1, 1));
        REALS(s.a)[axis] = (cd_real)test_range(&rng, 1.5, 9);
        REALS(s.b)[axis] = 1;
        test_note("");
        test_note_reals("s", REALS(s), 6);
        CHECK(ASK("exact", cd_cast_segment_planes(&s, p, 6, NULL, &h)) && h.t == 1);
        REALS(s.b)[axis] = (cd_real)(1 + 2 * EPS);
        CHECK(!ASK("exact", cd_cast_segment_planes(&s, p, 6, NULL, &h)));
    }
}

/* ---- hulls, and all options of both: a box as planes and as a hull is the box ---- */

static cd_hull hull_of_box(cd_aabb b) {
    cd_vec3 v[8];
    cd_hull hull;
    for (int i = 0; i < 8; ++i)
        v[i] = cd_vec3_make(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z);
    cd_hull3_build(&hull, v, 8, NULL);
    return hull;
}

static void same_hit(bool got, bool want, const cd_hit *a, const cd_hit *b, double size) {
    CHECK_INT(got, want);
    if (!got || !want) return;
    CHECK_NEAR(a->t, b->t, 1e-6 * size);
    CHECK_VEC(a->point, b->point, 1e-5 * size);
    CHECK_INT(a->flags, b->flags);
    CHECK_NEAR(a->depth, b->depth, 1e-5 * size);
}

static void boxes_in_three_forms(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_aabb box = {{-1, -2, -3}, {2, 1, 2}};
        cd_plane p[6];
        cd_hull hull = hull_of_box(box);
        cd_cast_options o;
        cd_ray r;
        cd_hit h, b;
        bool want;
        memset(&o, 0, sizeof o);
        planes_of_box(box, p);
        r.origin = cd_vec3_make((cd_real)test_range(&rng, -4, 4), (cd_real)test_range(&rng, -4, 4),
                                (cd_real)test_range(&rng, -4, 4));
        r.dir = cd_vec3_make((cd_real)test_range(&rng, -4, 4), (cd_real)test_range(&rng, -4, 4),
                             (cd_real)test_range(&rng, -4, 4));
        if (test_int(&rng, 0, 9) == 0) r.dir = cd_vec3_make(0, 0, 0);
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        if (test_int(&rng, 0, 1)) o.t_min = (cd_real)test_unit(&rng);
        test_note("flags %u t_min %g", (unsigned)o.flags, (double)o.t_min);
        test_note_reals("ray", REALS(r), 6);
        want = cd_cast_ray_aabb(&r, 3, box, &o, &b);
        same_hit(ASK("forms", cd_cast_ray_planes(&r, 3, p, 6, &o, &h)), want, &h, &b, 4);
        same_hit(ASK("forms", cd_cast_ray_hull(&r, 3, &hull, &o, &h)), want, &h, &b, 4);
        cd_hull_destroy(&hull);
    }
}

static void hulls_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(3000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_FAR));
        cd_vec3 v[12];
        uint32_t corners[3 * 64];
        cd_hull hull;
        cd_hull_parts parts;
        cd_ray r;
        cd_line l;
        cd_hit h;
        double d[6], first = INFINITY, leave = -INFINITY;
        bool front = false, back = false;
        size_t count;
        for (int k = 0; k < 12; ++k) v[k] = gen_point(&g);
        if (!test_int(&rng, 0, 7)) /* flat */
            for (int k = 0; k < 12; ++k) v[k].z = v[0].z;
        if (cd_hull3_build(&hull, v, 12, NULL) != CD_OK) continue;
        parts = cd_hull_get_parts(&hull);
        if (parts.flatness > 0) { /* faces are not flat: compared with no truth here */
            cd_hull_destroy(&hull);
            continue;
        }
        r = cd_ray_through(gen_point(&g), test_int(&rng, 0, 1) ? v[test_int(&rng, 0, 11)] : gen_point(&g));
        if (!test_int(&rng, 0, 3)) r.origin = v[test_int(&rng, 0, 11)];
        if (!test_int(&rng, 0, 5)) r.origin = parts.center;
        l.origin = r.origin;
        l.dir = r.dir;
        to_doubles(REALS(r), d, 6);
        count = cd_hull_triangles(&hull, corners, 64);
        for (size_t k = 0; k < count; ++k) {
            double tri[9];
            oracle_crossing x;
            for (int j = 0; j < 3; ++j)
                to_doubles(REALS(parts.vertices[corners[3 * k + (size_t)j]]), tri + 3 * j, 3);
            x = oracle_ray_triangle(d, d + 3, tri, false);
            back = back || (!x.parallel_or_degenerate && x.hit);
            x = oracle_ray_triangle(d, d + 3, tri, true);
            if (x.parallel_or_degenerate || !x.hit) continue;
            front = true;
            first = fmin(first, x.t);
            leave = fmax(leave, x.t);
        }
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("v", REALS(v[0]), 36);
        if (cd_vec3_length(r.dir) > 0 && fabs(first) < (double)CD_REAL_MAX) {
            CHECK_INT(ASK("exact", cd_cast_line_hull(&l, &hull, NULL, &h)), front);
            if (front && (g.kind == GEN_GRID || g.kind == GEN_UNIT))
                CHECK_NEAR(h.t, first, 1e-6 * (1 + fabs(first)));
        }
        if (cd_vec3_length(r.dir) > 0 && leave < (double)CD_REAL_MAX) {
            bool got = ASK("exact", cd_cast_ray_hull(&r, CD_REAL_MAX, &hull, NULL, &h));
            CHECK_INT(got, back);
            hits += got;
            if (got && h.t > 0) CHECK(CD_FEATURE_INDEX(h.feature) < parts.face_count);
            if (got) CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * EPS);
        }
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(hits > times / 8);
}

/* Whole numbers, so that the difference of the ends is a direction without rounding: as the ray, up to t = 1. */
static void segments_at_hulls(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(4000);
    for (long i = times; i > 0; --i) {
        cd_vec3 v[12];
        cd_hull hull;
        cd_segment s;
        cd_ray r;
        cd_cast_options o;
        cd_hit got, want;
        bool hit;
        memset(&o, 0, sizeof o);
        memset(&got, 0, sizeof got);
        memset(&want, 0, sizeof want);
        for (int k = 0; k < 36; ++k) REALS(v[0])[k] = (cd_real)test_int(&rng, -3, 3);
        for (int k = 0; k < 6; ++k) REALS(s)[k] = (cd_real)test_int(&rng, -5, 5);
        if (i % 4 == 0) s.b = s.a;
        o.flags = (uint32_t)test_int(&rng, 0, 7);
        r.origin = s.a;
        r.dir = cd_vec3_sub(s.b, s.a);
        CHECK_INT(cd_hull3_build(&hull, v, (size_t)test_int(&rng, 1, 12), NULL), CD_OK);
        test_note("flags %u ", (unsigned)o.flags);
        test_note_reals("segment", REALS(s), 6);
        test_note_reals("v", REALS(v[0]), 36);
        hit = cd_cast_ray_hull(&r, 1, &hull, &o, &want);
        if (CHECK_INT(ASK("forms", cd_cast_segment_hull(&s, &hull, &o, &got)), hit) && hit) {
            CHECK(got.t == want.t && got.feature == want.feature && got.flags == want.flags);
            CHECK_VEC(got.point, want.point, 0);
            CHECK_VEC(got.normal, want.normal, 0);
        }
        hits += hit;
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(hits > times / 20);
}

/* More vertices than what is kept of them: the first front that the triangles one by one give. */
static void large_hulls(void) {
    enum { POINTS = 400, ROOM = 2 * POINTS };
    static cd_vec3 v[POINTS];
    static uint32_t corners[3 * ROOM];
    test_rng rng = test_random();
    cd_hull hull;
    cd_hull_parts parts;
    size_t count;
    int hits = 0;
    for (int k = 0; k < POINTS; ++k) {
        for (int j = 0; j < 3; ++j) REALS(v[k])[j] = (cd_real)test_int(&rng, -1000, 1000);
        v[k] = cd_vec3_normalize(v[k]);
    }
    CHECK(cd_hull3_build(&hull, v, POINTS, NULL) == CD_OK);
    parts = cd_hull_get_parts(&hull);
    count = cd_hull_triangles(&hull, corners, ROOM);
    CHECK(parts.vertex_count > 300 && count <= ROOM);
    for (int i = 0; i < 30; ++i) {
        cd_cast_options front;
        cd_line l;
        cd_hit h, one;
        cd_real t = CD_REAL_MAX;
        bool want = false;
        memset(&front, 0, sizeof front);
        front.flags = CD_CAST_CULL_BACK;
        for (int j = 0; j < 3; ++j) REALS(l.origin)[j] = (cd_real)test_int(&rng, -1000, 1000) / 500;
        l.dir = cd_vec3_sub(parts.vertices[test_int(&rng, 0, (int)parts.vertex_count - 1)], l.origin);
        if (i & 1) l.dir = cd_vec3_sub(cd_vec3_scale(v[i], (cd_real)0.5), l.origin); /* through the inside */
        for (size_t k = 0; k < count; ++k) {
            cd_triangle tri;
            tri.a = parts.vertices[corners[3 * k]];
            tri.b = parts.vertices[corners[3 * k + 1]];
            tri.c = parts.vertices[corners[3 * k + 2]];
            if (!cd_cast_line_triangle(&l, &tri, &front, &one)) continue;
            if (one.t < t) t = one.t;
            want = true;
        }
        CHECK_INT(cd_cast_line_hull(&l, &hull, NULL, &h), want);
        if (want) CHECK(h.t == t);
        hits += want;
    }
    CHECK(hits > 10);
    cd_hull_destroy(&hull);
}

/* Endless bodies, no planes, bad ones; hulls of every dimension; no direction. */
static void special_bodies(void) {
    cd_plane p[3] = {{{0, 0, 1}, 1}, {{0, 1, 0}, 1}, {{0, 0, 1}, 2}};
    cd_ray down = {{0, 0, 5}, {0, 0, -1}}, up = {{0, 0, -5}, {0, 0, 1}};
    cd_line l = {{0, 0, 5}, {0, 0, 1}};
    cd_vec3 v[4] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    cd_cast_options o;
    cd_hull hull;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_planes(&down, 9, p, 3, NULL, &h) && h.t == 4 && h.feature == CD_FEATURE(3u, 0));
    CHECK(cd_cast_ray_planes(&up, 9, p, 3, NULL, &h) && h.t == 0 && h.flags == CD_HIT_START);
    CHECK(!cd_cast_line_planes(&l, p, 3, NULL, &h)); /* comes from inside */
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(cd_cast_line_planes(&l, p, 3, &o, &h) && h.t == -4);
    CHECK(!cd_cast_ray_planes(&down, 9, p, 3, &o, &h)); /* never leaves */
    CHECK(!cd_cast_ray_planes(&down, 9, p, 0, NULL, &h) && !cd_cast_ray_planes(&down, 9, NULL, 0, NULL, &h));
    p[1].n.y = 0;
    CHECK(!cd_cast_ray_planes(&down, 9, p, 3, NULL, &h));
    /* a square */
    CHECK(cd_hull3_build(&hull, v, 4, NULL) == CD_OK);
    down.origin = cd_vec3_make(1, 1, 5);
    up.origin = cd_vec3_make(1, 3, -5);
    CHECK(cd_cast_ray_hull(&down, 9, &hull, NULL, &h) && h.t == 5 && h.normal.z == 1);
    CHECK(cd_cast_ray_hull(&up, 9, &hull, NULL, &h) && h.t == 5 && h.normal.z == -1);
    up.dir = cd_vec3_make(1, 0, 0);
    up.origin = cd_vec3_make(-1, 1, 0);
    CHECK(!cd_cast_ray_hull(&up, 9, &hull, NULL, &h)); /* along its plane */
    up.dir.x = 0;
    CHECK(!cd_cast_ray_hull(&up, 9, &hull, NULL, &h));
    up.origin.x = 1;
    CHECK(cd_cast_ray_hull(&up, 9, &hull, NULL, &h) && h.flags == CD_HIT_START);
    up.origin.z = 1;
    CHECK(!cd_cast_ray_hull(&up, 9, &hull, NULL, &h));
    cd_hull_destroy(&hull);
    CHECK(!cd_cast_ray_hull(&down, 9, &hull, NULL, &h)); /* the empty hull */
    for (size_t n = 1; n < 3; ++n) {
        CHECK(cd_hull3_build(&hull, v, n, NULL) == CD_OK && !cd_cast_ray_hull(&down, 9, &hull, NULL, &h));
        cd_hull_destroy(&hull);
    }
}

void suite_quads_hulls(void) {
    RUN(quads_exactly);
    RUN(segments_that_begin_on_it);
    RUN(quad_segments_exactly);
    RUN(one_square);
    RUN(planes_exactly);
    RUN(planes_beside_long_directions);
    RUN(segments_end_exactly);
    RUN(boxes_in_three_forms);
    RUN(hulls_exactly);
    RUN(segments_at_hulls);
    RUN(large_hulls);
    RUN(special_bodies);
}
