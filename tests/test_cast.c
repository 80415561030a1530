/* Rays, lines and segments against planes, spheres, boxes and triangles. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* Within a few units in the last place, or of the least number there is. */
static bool near_number(double got, double want, double units) {
    return got == want || fabs(got - want) <= units * EPS * fabs(want) + 1e-44;
}

/* A ray in trouble with the triangle: through a corner or an edge, in its plane, from its surface. */
static cd_ray ray_at_triangle(gen *g, const cd_triangle *t) {
    const cd_vec3 *v = &t->a;
    cd_vec3 from = gen_point(g), to = gen_point(g);
    cd_ray r;
    switch (test_int(g->rng, 0, 5)) {
    case 0: to = v[test_int(g->rng, 0, 2)]; break;
    case 1: to = cd_vec3_lerp(v[0], v[1], (cd_real)0.5); break;
    case 2: to = cd_vec3_lerp(v[1], v[2], (cd_real)test_unit(g->rng)); break;
    case 3:
        from = v[0];
        to = cd_vec3_lerp(v[1], v[2], (cd_real)test_unit(g->rng));
        break; /* in the plane */
    case 4: from = cd_vec3_lerp(v[0], v[1], (cd_real)test_unit(g->rng)); break;
    default: break;
    }
    r = cd_ray_through(from, to);
    if (!test_int(g->rng, 0, 4)) r.dir.x = 0;
    if (!test_int(g->rng, 0, 4)) r.dir.z = 0;
    return r;
}

static cd_triangle hard_triangle(gen *g) {
    cd_triangle t = gen_triangle(g);
    if (!test_int(g->rng, 0, 3)) { /* a needle, of any thickness down to none */
        cd_vec3 c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(g->rng, -1, 2));
        t.c = cd_vec3_lerp(c, t.c, (cd_real)ldexp(1.0, -test_int(g->rng, 1, 60)));
    }
    if (!test_int(g->rng, 0, 9)) t.b = t.a;
    return t;
}

/* ---- triangles ---- */

static uint32_t feature_of(int zeros) {
    switch (zeros) {
    case 6: return CD_FEATURE(1u, 0);
    case 5: return CD_FEATURE(1u, 1);
    case 3: return CD_FEATURE(1u, 2);
    case 4: return CD_FEATURE(2u, 0);
    case 1: return CD_FEATURE(2u, 1);
    case 2: return CD_FEATURE(2u, 2);
    default: return CD_FEATURE(3u, 0);
    }
}

/* The sine of the angle between a direction and a triangle's plane. */
static double slope(const double d[3], const double t[9]) {
    long double e[3], f[3], n[3], nn = 0, nd = 0, dd = 0;
    for (int k = 0; k < 3; ++k) {
        e[k] = (long double)t[3 + k] - t[k];
        f[k] = (long double)t[6 + k] - t[k];
    }
    for (int k = 0; k < 3; ++k) {
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        nn += n[k] * n[k];
        nd += n[k] * d[k];
        dd += (long double)d[k] * d[k];
    }
    return fabs((double)(nd / sqrtl(nn * dd))) + 1e-30;
}

static void triangles_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(100000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle t = hard_triangle(&g);
        cd_ray r = ray_at_triangle(&g, &t);
        bool whole = test_int(&rng, 0, 3) == 0, got;
        double d[15];
        oracle_crossing want;
        cd_line l;
        cd_hit h;
        if (r.dir.x == 0 && r.dir.y == 0 && r.dir.z == 0) continue;
        memset(&h, 0, sizeof h);
        h.index = 12345;
        l.origin = r.origin;
        l.dir = r.dir;
        to_doubles(REALS(r), d, 6);
        to_doubles(REALS(t), d + 6, 9);
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("t", REALS(t), 9);
        want = oracle_ray_triangle(d, d + 3, d + 6, whole);
        if (!want.parallel_or_degenerate && fabs(want.t) > (double)CD_REAL_MAX) continue;
        got = whole ? ASK("exact", cd_cast_line_triangle(&l, &t, NULL, &h))
                    : ASK("exact", cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &h));
        CHECK_INT(got, !want.parallel_or_degenerate && want.hit);
        if (!got) {
            CHECK_INT(h.index, 12345);
            continue;
        }
        ++hits;
        CHECK_INT(h.feature, feature_of(want.zero_weights));
        CHECK_INT(h.flags & 2u, want.t == 0.0 && !whole ? 2u : 0u);
        CHECK(h.index == 0 && h.depth == 0 && fabs((double)cd_vec3_length(h.normal) - 1.0) <= 4 * EPS);
        if (want.t != 0.0) CHECK((double)cd_vec3_dot(h.normal, cd_vec3_normalize(r.dir)) <= 2 * EPS);
        if (g.kind == GEN_GRID) { /* well conditioned: all numbers are right */
            double unit = fmax(1.0, 1.0 / (double)cd_vec3_length(r.dir)); /* of length, in t */
            CHECK_ULPS(h.t, want.t, 8, unit + fabs(want.t));
            double slack = 4 * EPS * (1.0 + 16.0 / (double)cd_triangle_area(&t) / slope(d + 3, d + 6));
            CHECK_NEAR(h.u, want.u, slack);
            CHECK_NEAR(h.v, want.v, slack);
            CHECK_VEC(h.point,
                      cd_vec3_make((cd_real)want.point[0], (cd_real)want.point[1], (cd_real)want.point[2]),
                      16 * EPS);
        }
    }
    CHECK_SEEN(hits > times / 10);
}

/* t is good where the ray does not graze the plane; it is always in the range of the bounding box. */
static void triangle_parameters(void) {
    test_rng rng = test_random();
    double digits = sizeof(cd_real) == 4 ? 1e-8 : 16 * 2.3e-16;
    for (long i = test_times(50000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : test_int(&rng, 0, 1) ? GEN_SCALE : GEN_FAR);
        cd_triangle t = hard_triangle(&g);
        cd_ray r = ray_at_triangle(&g, &t);
        double d[15], scale;
        oracle_crossing want;
        cd_hit h;
        if (!ASK("exact", cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &h))) continue;
        to_doubles(REALS(r), d, 6);
        to_doubles(REALS(t), d + 6, 9);
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("t", REALS(t), 9);
        want = oracle_ray_triangle(d, d + 3, d + 6, false);
        scale = fmax(largest(d, 3), largest(d + 6, 9)) / largest(d + 3, 3);
        scale /= slope(d + 3, d + 6);
        CHECK_NEAR(h.t, want.t, digits * scale + 2 * EPS * fabs(want.t));
        CHECK_VEC(h.point,
                  cd_vec3_make((cd_real)want.point[0], (cd_real)want.point[1], (cd_real)want.point[2]),
                  digits * scale * largest(d + 3, 3) + 4 * EPS * fmax(largest(d, 3), largest(d + 6, 9)));
    }
}

static void segments_against_triangles_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle t = hard_triangle(&g);
        cd_ray r = ray_at_triangle(&g, &t);
        cd_segment s;
        double d[15];
        int from, to;
        bool coplanar, want;
        cd_hit h;
        s.a = r.origin;
        s.b = test_int(&rng, 0, 1) ? cd_vec3_add(r.origin, r.dir) : gen_point(&g);
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(t), d + 6, 9);
        from = oracle_orient3d(d + 6, d + 9, d + 12, d);
        to = oracle_orient3d(d + 6, d + 9, d + 12, d + 3);
        coplanar = from == 0 && to == 0;
        want = !coplanar && oracle_segment_triangle(d, d + 6);
        test_note("");
        test_note_reals("s", REALS(s), 6);
        test_note_reals("t", REALS(t), 9);
        CHECK_INT(ASK("exact", cd_cast_segment_triangle(&s, &t, NULL, &h)), want);
        if (want) CHECK(h.t >= 0 && h.t <= 1 && (from != 0 || h.t == 0) && (to != 0 || h.t == 1));
    }
}

/* Six ways to write a triangle, one answer; and culling takes away just the side it names. */
/* A segment that begins later, before the triangle, in it, and behind it. */
static void segments_that_begin_later(void) {
    cd_triangle t = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    cd_segment s = {{(cd_real)0.5, (cd_real)0.5, 2}, {(cd_real)0.5, (cd_real)0.5, -2}};
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    for (int k = 0; k <= 8; ++k) {
        cd_hit h;
        o.t_min = (cd_real)(k / 8.0);
        for (int start = 0; start < 3; ++start) {
            bool got;
            o.flags = start == 0   ? 0u
                      : start == 1 ? (uint32_t)CD_CAST_START_IGNORE
                                   : (uint32_t)CD_CAST_START_LEAVING;
            test_note("from %d / 8, start %d", k, start);
            got = ASK("exact", cd_cast_segment_triangle(&s, &t, &o, &h));
            if (!CHECK_INT(got, k < 4 || (k == 4 && start == 0)) || !got) continue;
            CHECK_SAME(h.t, 0.5);
            CHECK_INT((h.flags & CD_HIT_START) != 0, k == 4);
        }
    }
}

static void order_and_culling(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_ULP : GEN_UNIT);
        cd_triangle t = hard_triangle(&g), back = t;
        cd_ray r = ray_at_triangle(&g, &t);
        cd_cast_options cull_back, cull_front;
        cd_hit h, b;
        bool hit = cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &h);
        memset(&cull_back, 0, sizeof cull_back);
        cull_front = cull_back;
        cull_back.flags = CD_CAST_CULL_BACK;
        cull_front.flags = CD_CAST_CULL_FRONT;
        back.b = t.c;
        back.c = t.b;
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("t", REALS(t), 9);
        CHECK_INT(ASK("order", cd_cast_ray_triangle(&r, CD_REAL_MAX, &back, NULL, &b)), hit);
        if (hit) {
            bool from_back = (h.flags & 1u) != 0;
            CHECK((b.flags & 1u) != (h.flags & 1u));
            CHECK_INT(ASK("order", cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, &cull_back, NULL)), !from_back);
            CHECK_INT(ASK("order", cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, &cull_front, NULL)), from_back);
            CHECK_VEC(b.normal, h.normal, 0);
        }
    }
}

/* A ray that begins exactly on a triangle hits it at 0, unless told to ignore that: no shadows of a surface on itself. */
static void starts_on_a_surface(void) {
    cd_triangle t = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    cd_ray r = {{1, 1, 0}, {0, 0, 1}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_triangle(&r, 5, &t, &o, &h) && h.t == 0 && (h.flags & 2u));
    o.flags = CD_CAST_START_IGNORE;
    CHECK(!cd_cast_ray_triangle(&r, 5, &t, &o, &h));
    r.origin.z = -1;
    CHECK(cd_cast_ray_triangle(&r, 5, &t, &o, &h) && h.t == 1 && !(h.flags & 2u));
    CHECK(cd_cast_ray_triangle(&r, 1, &t, &o, &h) && !cd_cast_ray_triangle(&r, (cd_real)0.999, &t, &o, &h));
    o.flags = 0;
    o.t_min = (cd_real)1.001;
    CHECK(!cd_cast_ray_triangle(&r, 5, &t, &o, &h));
}

/* Every ray from inside a closed mesh, aimed at corners and middles of edges, hits. */
static void closed_meshes_are_watertight(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        gen_mesh m = gen_mesh_ball(test_int(&rng, 1, 4), 0.2, &rng);
        cd_transform pose = gen_pose(&rng, ldexp(1.0, test_int(&rng, -3, 12)));
        cd_vec3 origin = pose.position;
        for (uint32_t v = 0; v < m.vertex_count; ++v)
            m.vertices[v] = cd_transform_point(&pose, m.vertices[v]);
        for (uint32_t k = 0; k < 3 * m.triangle_count; k += 1 + (uint32_t)test_int(&rng, 0, 5)) {
            cd_vec3 a = m.vertices[m.indices[k]], b = m.vertices[m.indices[k / 3 * 3 + (k + 1) % 3]];
            cd_ray r = cd_ray_through(origin, test_int(&rng, 0, 1) ? a : cd_vec3_lerp(a, b, (cd_real)0.5));
            bool hit = false;
            for (uint32_t j = 0; j < m.triangle_count && !hit; ++j) {
                cd_triangle t = gen_mesh_triangle(&m, j);
                hit = ASK("forms", cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, NULL));
            }
            test_note("");
            test_note_reals("ray", REALS(r), 6);
            CHECK(hit);
        }
        gen_mesh_free(&m);
    }
}

/* ---- boxes ---- */

static cd_ray ray_at_box(gen *g, cd_aabb b) {
    cd_vec3 from = gen_point(g), to = gen_point(g);
    cd_ray r;
    for (int k = 0; k < 3; ++k) {
        if (test_int(g->rng, 0, 1)) REALS(to)[k] = test_int(g->rng, 0, 1) ? REALS(b)[k] : REALS(b.max)[k];
        if (!test_int(g->rng, 0, 3)) REALS(from)[k] = test_int(g->rng, 0, 1) ? REALS(b)[k] : REALS(b.max)[k];
    }
    r = cd_ray_through(from, to);
    if (!test_int(g->rng, 0, 4)) r.dir.y = 0;
    return r;
}

static void boxes_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(60000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_ray r = ray_at_box(&g, b);
        double d[12];
        oracle_span want;
        cd_cast_options exit_only;
        cd_hit h, e;
        bool hit;
        memset(&exit_only, 0, sizeof exit_only);
        exit_only.flags = CD_CAST_CULL_FRONT;
        to_doubles(REALS(r), d, 6);
        to_doubles(REALS(b), d + 6, 6);
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("box", REALS(b), 6);
        want = oracle_ray_box(d, d + 3, d + 6, d + 9);
        if (want.hit_line && want.t_in > (double)CD_REAL_MAX) continue;
        hit = ASK("exact", cd_cast_ray_aabb(&r, CD_REAL_MAX, b, NULL, &h));
        CHECK_INT(hit, want.hit_ray);
        if (!hit) continue;
        ++hits;
        CHECK_INT((h.flags & 2u) != 0, want.t_in <= 0.0);
        CHECK(near_number((double)h.t, fmax(want.t_in, 0.0), 2));
        CHECK(cd_test_point_aabb(h.point, b) || want.t_in < 0.0);
        CHECK_NEAR(cd_vec3_length(h.normal), 1.0, 4 * EPS);
        if (want.t_out < (double)CD_REAL_MAX &&
            ASK("exact", cd_cast_ray_aabb(&r, CD_REAL_MAX, b, &exit_only, &e))) {
            CHECK(near_number((double)e.t, want.t_out, 2));
            CHECK((e.flags & 1u) && cd_test_point_aabb(e.point, b));
        }
    }
    CHECK_SEEN(hits > times / 5);
}

static void box_faces_and_starts(void) {
    cd_aabb b = {{-1, -2, -3}, {1, 2, 3}};
    cd_ray r = {{-5, 0, 0}, {2, 0, 0}}, inside = {{(cd_real)0.5, 0, 0}, {1, 0, 0}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_aabb(&r, 10, b, NULL, &h) && h.t == 2 && h.feature == CD_FEATURE(3u, 0));
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    CHECK_VEC(h.point, cd_vec3_make(-1, 0, 0), 0);
    CHECK(!cd_cast_ray_aabb(&r, (cd_real)1.999, b, NULL, &h) && cd_cast_ray_aabb(&r, 2, b, NULL, &h));
    CHECK(cd_cast_ray_aabb(&inside, 10, b, &o, &h) && h.t == 0 && (h.flags & 2u) && h.depth == 0);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0); /* against the motion */
    o.flags = CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_aabb(&inside, 10, b, &o, &h) && h.depth == (cd_real)0.5 &&
          h.feature == CD_FEATURE(3u, 1));
    CHECK_VEC(h.normal, cd_vec3_make(1, 0, 0), 0); /* the nearest way out */
    o.flags = CD_CAST_START_IGNORE;
    CHECK(!cd_cast_ray_aabb(&inside, 10, b, &o, &h));
    o.flags = CD_CAST_START_LEAVING;
    CHECK(!cd_cast_ray_aabb(&inside, 10, b, &o, &h));
    inside.dir.x = -1;
    CHECK(cd_cast_ray_aabb(&inside, 10, b, &o, &h) && h.t == 0);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(cd_cast_ray_aabb(&inside, 10, b, &o, &h) && h.t == (cd_real)1.5 && h.feature == CD_FEATURE(3u, 0));
    CHECK_VEC(h.normal, cd_vec3_make(1, 0, 0), 0); /* on the side the ray comes from */
    o.flags = 0;
    o.t_min = 3;
    CHECK(cd_cast_ray_aabb(&r, 10, b, &o, &h) && h.t == 3 && (h.flags & 2u) && !h.depth);
    CHECK_VEC(h.point, cd_vec3_make(1, 0, 0), 0);
    r.dir = cd_vec3_make(0, 0, 0);
    CHECK(!cd_cast_ray_aabb(&r, 10, b, NULL, &h));
    r.origin = cd_vec3_make(1, 2, 3);
    CHECK(cd_cast_ray_aabb(&r, 10, b, NULL, &h) && h.t == 0 && cd_vec3_length(h.normal) == 1);
    CHECK(!cd_cast_ray_aabb(&r, 10, cd_aabb_empty(), NULL, &h));
}

static void oriented_boxes_turn_with_their_rays(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_aabb b = gen_aabb(&g);
        cd_obb o = cd_obb_from_aabb(b);
        cd_ray r = ray_at_box(&g, b), turned;
        cd_transform pose = gen_pose(&rng, 2.0);
        cd_hit h, k;
        bool hit = cd_cast_ray_aabb(&r, CD_REAL_MAX, b, NULL, &h);
        turned.origin = cd_transform_point(&pose, r.origin);
        turned.dir = cd_transform_vector(&pose, r.dir);
        o = cd_obb_transform(&o, &pose);
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("box", REALS(b), 6);
        if (ASK("motion", cd_cast_ray_obb(&turned, CD_REAL_MAX, &o, NULL, &k)) != hit)
            continue; /* grazing: sizes are compared below */
        if (!hit || h.t < (cd_real)1e-3 || h.feature != k.feature) continue;
        if (fabs((double)cd_vec3_dot(h.normal, cd_vec3_normalize(r.dir))) < 0.1) continue;
        CHECK_NEAR(k.t * cd_vec3_length(r.dir), h.t * cd_vec3_length(r.dir), 1000 * EPS);
        CHECK_VEC(k.point, cd_transform_point(&pose, h.point), 1000 * EPS);
        CHECK_VEC(k.normal, cd_transform_vector(&pose, h.normal), 16 * EPS);
    }
}

/* ---- spheres ---- */

/* The squared distance of the line's nearest point in [t_min, ...) to the centre tells, in exact arithmetic. */
static double nearest_distance(const cd_ray *r, cd_vec3 c) {
    double o[3], d[3], m[3], dd = 0.0, od = 0.0, at, sum = 0.0;
    to_doubles(REALS(*r), o, 3);
    to_doubles(REALS(r->dir), d, 3);
    to_doubles(REALS(c), m, 3);
    for (int k = 0; k < 3; ++k) {
        dd += d[k] * d[k];
        od += (m[k] - o[k]) * d[k];
    }
    at = dd > 0 ? fmax(od / dd, 0.0) : 0.0;
    for (int k = 0; k < 3; ++k) sum += (o[k] + at * d[k] - m[k]) * (o[k] + at * d[k] - m[k]);
    return sqrt(sum);
}

static void spheres(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(50000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : test_int(&rng, 0, 1) ? GEN_SCALE : GEN_FAR);
        cd_sphere s = gen_sphere(&g);
        cd_ray r;
        double size, gap;
        cd_cast_options exit_only;
        cd_hit h, e;
        bool hit;
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        if (test_int(&rng, 0, 1))
            r.dir = cd_vec3_sub(cd_vec3_along(s.center, gen_direction(&g), (cd_real)0.2), r.origin);
        if (!test_int(&rng, 0, 3)) r.origin = cd_vec3_along(r.origin, r.dir, -1000);
        if (r.dir.x == 0 && r.dir.y == 0 && r.dir.z == 0) continue;
        memset(&exit_only, 0, sizeof exit_only);
        exit_only.flags = CD_CAST_CULL_FRONT;
        size = (double)cd_vec3_dist(r.origin, s.center) + (double)s.radius;
        gap = nearest_distance(&r, s.center) - (double)s.radius;
        hit = ASK("judge", cd_cast_ray_sphere(&r, CD_REAL_MAX, s, NULL, &h));
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("s", REALS(s), 4);
        if (fabs(gap) > 16 * 2.3e-16 * size) CHECK_INT(hit, gap < 0);
        if (!hit) continue;
        ++hits;
        CHECK_NEAR(cd_vec3_length(h.normal), 1.0, 4 * EPS);
        if (!(h.flags & 2u)) {
            double room = 8 * EPS * (size + (double)cd_vec3_length(s.center));
            CHECK_NEAR(cd_vec3_dist(h.point, s.center), s.radius, room);
            CHECK((double)cd_vec3_dot(h.normal, cd_vec3_normalize(r.dir)) <= 1e-3);
        }
        CHECK(ASK("judge", cd_cast_ray_sphere(&r, CD_REAL_MAX, s, &exit_only, &e)) && e.t >= h.t);
    }
    CHECK(hits > 100);
}

static void sphere_starts_and_ends(void) {
    cd_sphere s = {{0, 0, 0}, 2}, point = {{3, 0, 0}, 0};
    cd_ray r = {{-5, 0, 0}, {3, 0, 0}}, in = {{1, 0, 0}, {1, 0, 0}}, tangent = {{-5, 2, 0}, {1, 0, 0}},
           center = {{0, 0, 0}, {0, 0, 0}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_sphere(&r, 1, s, NULL, &h) && h.t == 1);
    CHECK_VEC(h.point, cd_vec3_make(-2, 0, 0), 0);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    CHECK(cd_cast_ray_sphere(&tangent, 9, s, NULL, &h) && h.t == 5);
    CHECK(cd_cast_ray_sphere(&in, 9, s, NULL, &h) && h.t == 0 && (h.flags & 2u));
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    o.flags = CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_sphere(&in, 9, s, &o, &h) && h.depth == 1);
    CHECK_VEC(h.normal, cd_vec3_make(1, 0, 0), 0);
    o.flags = CD_CAST_START_LEAVING;
    CHECK(!cd_cast_ray_sphere(&in, 9, s, &o, &h));
    in.dir.x = -1;
    CHECK(cd_cast_ray_sphere(&in, 9, s, &o, &h));
    CHECK(cd_cast_ray_sphere(&center, 9, s, NULL, &h) && h.t == 0 && cd_vec3_length(h.normal) == 1);
    r.dir.x = 1;
    CHECK(cd_cast_ray_sphere(&r, 9, point, NULL, &h) && h.t == 8);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    s.radius = -1;
    CHECK(!cd_cast_ray_sphere(&r, 9, s, NULL, &h));
}

/* ERRATA 5.3.2: b^2 - c cancels far away; the distance of the line does not. */
static void sphere_of_the_errata(void) {
    cd_sphere s = {{0, 0, 0}, (cd_real)0.1};
    cd_ray r = {{(cd_real)0.2, 0, (cd_real)-1e4}, {0, 0, 1}},
           half = {{(cd_real)0.05, 0, (cd_real)-1e4}, {0, 0, (cd_real)0.5}};
    cd_hit h;
    CHECK(!cd_cast_ray_sphere(&r, CD_REAL_MAX, s, NULL, &h));
    CHECK(cd_cast_ray_sphere(&half, CD_REAL_MAX, s, NULL, &h));
    CHECK_NEAR(h.t, 2 * (1e4 - 0.0866025403784), 1e4 * 4 * EPS);
}

/* ---- planes ---- */

static void planes(void) {
    cd_plane p = {{0, 0, 2}, 6}; /* z = 3 */
    cd_ray down = {{1, 1, 9}, {0, 0, -2}}, up = {{1, 1, 0}, {0, 0, 1}}, along = {{1, 1, 1}, {1, 0, 0}},
           on = {{1, 1, 3}, {1, 0, 0}};
    cd_segment s = {{0, 0, 0}, {0, 0, 4}}, short_one = {{0, 0, 0}, {0, 0, (cd_real)2.9}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_plane(&down, 9, p, NULL, &h) && h.t == 3 && !h.flags);
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, 1), 0);
    CHECK(cd_cast_ray_plane(&up, 9, p, NULL, &h) && h.t == 3 && (h.flags & 1u));
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, -1), 0);
    CHECK(!cd_cast_ray_plane(&up, 2, p, NULL, &h) && !cd_cast_ray_plane(&along, 9, p, NULL, &h));
    CHECK(cd_cast_ray_plane(&on, 9, p, NULL, &h) && h.t == 0 && (h.flags & 2u) &&
          cd_vec3_length(h.normal) == 1);
    o.flags = CD_CAST_CULL_BACK;
    CHECK(!cd_cast_ray_plane(&up, 9, p, &o, &h) && cd_cast_ray_plane(&down, 9, p, &o, &h));
    CHECK(cd_cast_segment_plane(&s, p, NULL, &h) && h.t == (cd_real)0.75 &&
          !cd_cast_segment_plane(&short_one, p, NULL, &h));
    p.n.z = 0;
    CHECK(!cd_cast_ray_plane(&up, 9, p, NULL, &h));
}

/* In the domain, but where the ray meets the plane no float goes. */
static void a_plane_beyond_all_floats(void) {
    cd_plane p = {{0, 0, 1}, (cd_real)1099511627776.0};
    cd_ray r = {{0, 0, 0}, {(cd_real)1099511627776.0, 0, (cd_real)1.3877787807814457e-17}}; /* 2^40, 2^-56 */
    cd_hit h;
    bool fits = sizeof(cd_real) == 8;
    CHECK_INT(cd_cast_ray_plane(&r, CD_REAL_MAX, p, NULL, &h), fits);
    if (fits) CHECK_NEAR(h.point.x, ldexp(1.0, 136), 0);
}

/* ---- bad numbers: no hit, or a hit with sound numbers; never anything but sound numbers for finite input ---- */

static void bad_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(100000); i > 0; --i) {
        cd_real x[16];
        cd_ray r;
        cd_segment s;
        cd_triangle t;
        cd_sphere ball;
        cd_aabb b;
        cd_obb o;
        cd_plane p;
        cd_hit h[8];
        bool hit[8], finite = true;
        for (int k = 0; k < 16; ++k) {
            x[k] = test_int(&rng, 0, 2) ? (cd_real)test_int(&rng, -2, 2)
                                        : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            finite = finite && isfinite((double)x[k]);
        }
        memcpy(&r, x, sizeof r);
        memcpy(&s, x, sizeof s);
        memcpy(&t, x + 6, sizeof t);
        memcpy(&ball, x + 6, sizeof ball);
        memcpy(&b, x + 6, sizeof b);
        memcpy(&p, x + 6, sizeof p);
        o = cd_obb_from_aabb(cd_aabb_empty());
        o.center = t.a;
        o.half = t.b;
        test_note("");
        test_note_reals("x", x, 16);
        hit[0] = ASK("bad", cd_cast_ray_triangle(&r, x[15], &t, NULL, &h[0]));
        hit[1] = ASK("bad", cd_cast_segment_triangle(&s, &t, NULL, &h[1]));
        hit[2] = ASK("bad", cd_cast_ray_sphere(&r, x[15], ball, NULL, &h[2]));
        hit[3] = ASK("bad", cd_cast_ray_aabb(&r, x[15], b, NULL, &h[3]));
        hit[4] = ASK("bad", cd_cast_ray_obb(&r, x[15], &o, NULL, &h[4]));
        hit[5] = ASK("bad", cd_cast_ray_plane(&r, x[15], p, NULL, &h[5]));
        hit[6] = ASK("bad", cd_cast_segment_plane(&s, p, NULL, &h[6]));
        hit[7] = ASK("bad", cd_cast_line_triangle((cd_line *)&r, &t, NULL, &h[7]));
        for (int k = 0; k < 8; ++k) {
            if (!hit[k]) continue;
            CHECK(!isnan((double)h[k].t) && !isnan((double)h[k].point.x) && !isnan((double)h[k].u) &&
                  cd_vec3_is_valid(h[k].normal));
            CHECK(!(h[k].normal.x == 0 && h[k].normal.y == 0 && h[k].normal.z == 0));
        }
    }
}

/* What is told is rounded to the nearest: one number up it is found again. */
static void found_again_just_beyond_what_was_told(void) {
    test_rng rng = test_random();
    for (long left = test_times(20000); left > 0; --left) {
        double c[12];
        cd_triangle t;
        cd_sphere s;
        cd_aabb b = {{-1, -1, -1}, {1, 1, 1}};
        cd_ray r;
        cd_hit hit, again;
        for (int k = 0; k < 12; ++k) c[k] = test_range(&rng, -1, 1);
        t.a = cd_vec3_make((cd_real)c[0], (cd_real)c[1], (cd_real)c[2]);
        t.b = cd_vec3_make((cd_real)c[3], (cd_real)c[4], (cd_real)c[5]);
        t.c = cd_vec3_make((cd_real)c[6], (cd_real)c[7], (cd_real)c[8]);
        s.center = t.a;
        s.radius = (cd_real)0.75;
        r.origin = cd_vec3_make((cd_real)(4 * c[9]), (cd_real)(4 * c[10]), 3);
        r.dir = cd_vec3_sub(cd_vec3_scale(cd_vec3_add(cd_vec3_add(t.a, t.b), t.c), (cd_real)0.3), r.origin);
        test_note_reals("triangle", &t.a.x, 9);
        test_note_reals("ray", &r.origin.x, 6);
        if (cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &hit))
            CHECK(cd_cast_ray_triangle(&r, cd_next_up(hit.t), &t, NULL, &again) && again.t == hit.t);
        if (cd_cast_ray_sphere(&r, CD_REAL_MAX, s, NULL, &hit))
            CHECK(cd_cast_ray_sphere(&r, cd_next_up(hit.t), s, NULL, &again) && again.t == hit.t);
        if (cd_cast_ray_aabb(&r, CD_REAL_MAX, b, NULL, &hit))
            CHECK(cd_cast_ray_aabb(&r, cd_next_up(hit.t), b, NULL, &again) && again.t == hit.t);
    }
}

void suite_cast(void) {
    RUN(found_again_just_beyond_what_was_told);
    RUN(triangles_exactly);
    RUN(triangle_parameters);
    RUN(segments_against_triangles_exactly);
    RUN(segments_that_begin_later);
    RUN(order_and_culling);
    RUN(starts_on_a_surface);
    RUN(closed_meshes_are_watertight);
    RUN(boxes_exactly);
    RUN(box_faces_and_starts);
    RUN(oriented_boxes_turn_with_their_rays);
    RUN(spheres);
    RUN(sphere_starts_and_ends);
    RUN(sphere_of_the_errata);
    RUN(planes);
    RUN(a_plane_beyond_all_floats);
    RUN(bad_numbers);
}
