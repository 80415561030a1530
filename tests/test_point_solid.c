/* Points against triangles, half-spaces and meshes: exact rays toward random points, and solid angles. */
#include "gen.h"
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- triangles ---- */

static void doubles_of(const cd_triangle *t, double d[9]) {
    cd_triangle copy = *t;
    to_doubles(REALS(copy), d, 9);
}

/* A point is a segment without length. */
static bool on_triangle(cd_vec3 p, const cd_triangle *t) {
    double s[6], d[9];
    to_doubles(REALS(p), s, 3);
    to_doubles(REALS(p), s + 3, 3);
    doubles_of(t, d);
    return oracle_segment_triangle(s, d);
}

static cd_vec3 corner_of(const cd_triangle *t, int i) {
    return i == 0 ? t->a : i == 1 ? t->b : t->c;
}

/* A corner, the middle of an edge or any point of the triangle up to rounding, or one beside it. */
static cd_vec3 point_near(gen *g, const cd_triangle *t) {
    cd_vec3 a = corner_of(t, test_int(g->rng, 0, 2)), b = corner_of(t, test_int(g->rng, 0, 2));
    cd_vec3 p = gen_point(g);
    switch (test_int(g->rng, 0, 6)) {
    case 0: return a;
    case 1: return cd_vec3_lerp(a, b, (cd_real)0.5);
    case 2: return cd_vec3_lerp(a, b, (cd_real)test_range(g->rng, -0.2, 1.2));
    case 3: return cd_vec3_lerp(cd_vec3_lerp(t->a, t->b, (cd_real)0.5), t->c, (cd_real)test_unit(g->rng));
    case 4: return cd_vec3_make(a.x, a.y, p.z); /* its ray goes through a corner */
    case 5: return cd_vec3_make(b.x, a.y, p.z);
    default: return p;
    }
}

static void triangles(void) {
    test_rng rng = test_random();
    int seen[2] = {0, 0};
    for (long i = test_times(15000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle t = gen_triangle(&g);
        cd_vec3 p;
        bool on;
        if (test_int(&rng, 0, 5) == 0)
            t.c = test_int(&rng, 0, 1) ? t.a : cd_vec3_lerp(t.a, t.b, (cd_real)0.5);
        p = point_near(&g, &t);
        on = on_triangle(p, &t);
        ++seen[on];
        test_note("");
        test_note_reals("p", REALS(p), 3);
        test_note_reals("t", REALS(t), 9);
        CHECK_INT(ASK("exact", cd_locate_point_triangle(p, &t)), on ? 0 : -1);
        p.y = (cd_real)NAN;
        CHECK_INT(ASK("exact", cd_locate_point_triangle(p, &t)), -1);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0);
}

/* ---- half-spaces ---- */

static int side_of(cd_plane h, cd_vec3 p) {
    exact_pool pool = exact_begin();
    exact sum = exact_negate(exact_from((double)h.d));
    for (int i = 0; i < 3; ++i)
        sum = exact_add(sum, exact_mul(exact_from((double)REALS(h.n)[i]), exact_from((double)REALS(p)[i])));
    exact_end(pool);
    return sum.sign;
}

static void half_spaces(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(15000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p = gen_point(&g);
        cd_plane h[6];
        int count = test_int(&rng, 0, 6), most = -1;
        for (int k = 0; k < count; ++k) {
            h[k].n = gen_direction(&g);
            h[k].d = test_int(&rng, 0, 1) ? cd_vec3_dot(h[k].n, p) : cd_vec3_dot(h[k].n, gen_point(&g));
            if (side_of(h[k], p) > 0 && test_int(&rng, 0, 3)) { /* the other way */
                h[k].n = cd_vec3_neg(h[k].n);
                h[k].d = -h[k].d;
            }
            most = side_of(h[k], p) > most ? side_of(h[k], p) : most;
        }
        ++seen[1 - most];
        test_note("");
        test_note_reals("p", REALS(p), 3);
        test_note_reals("h", REALS(h), 4 * count);
        CHECK_INT(ASK("exact", cd_locate_point_halfspaces(p, h, (size_t)count)), -most);
        CHECK_INT(ASK("exact", cd_test_point_halfspaces(p, h, (size_t)count)), most <= 0);
        if (count == 0) continue;
        h[count - 1].n = cd_vec3_make(0, 0, 0);
        CHECK_INT(ASK("exact", cd_locate_point_halfspaces(p, h, (size_t)count)), -1);
        p.z = (cd_real)INFINITY;
        CHECK_INT(ASK("exact", cd_locate_point_halfspaces(p, h, 0)), -1);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* ---- meshes: the reference ---- */

static bool has_no_area(const double t[9]) {
    exact_pool pool = exact_begin();
    exact3 a = exact3_from(t), ab = exact3_sub(exact3_from(t + 3), a), ac = exact3_sub(exact3_from(t + 6), a);
    bool none = exact3_is_zero(exact3_cross(ab, ac));
    exact_end(pool);
    return none;
}

/* One triangle against the ray from p through q: adds 1 where it leaves by the front, -1 by the back. False when it
 * meets an edge. det (q - p, a - p, b - p) tells on which side of the edge the ray passes. */
static bool try_triangle(const double p[3], const double q[3], const double t[9], int *winding) {
    int side[3], height;
    for (int i = 0; i < 3; ++i) side[i] = hulls_side(q, t + 3 * i, t + 3 * ((i + 1) % 3), p);
    if (side[0] * side[1] < 0 || side[1] * side[2] < 0 || side[2] * side[0] < 0) return true;
    if (side[0] == 0 || side[1] == 0 || side[2] == 0) return has_no_area(t);
    height = hulls_side(t, t + 3, t + 6, p);
    if (height * side[0] > 0) *winding += side[0];
    return true;
}

static bool try_ray(const double p[3], const double q[3], const gen_mesh *m, int *winding) {
    *winding = 0;
    for (uint32_t i = 0; i < m->triangle_count; ++i) {
        cd_triangle t = gen_mesh_triangle(m, i);
        double d[9];
        doubles_of(&t, d);
        if (!try_triangle(p, q, d, winding)) return false;
    }
    return true;
}

/* True on a triangle. Otherwise how often the mesh surrounds p. */
static bool reference(test_rng *rng, cd_vec3 p, const gen_mesh *m, int *winding) {
    double d[3], q[3], size = 0;
    for (uint32_t i = 0; i < m->triangle_count; ++i) {
        cd_triangle t = gen_mesh_triangle(m, i);
        if (on_triangle(p, &t)) return true;
    }
    to_doubles(REALS(p), d, 3);
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        double v[3];
        to_doubles(REALS(m->vertices[i]), v, 3);
        size = fmax(size, largest(v, 3));
    }
    size = fmax(size, largest(d, 3));
    for (;;) {
        for (int k = 0; k < 3; ++k) q[k] = d[k] + size * test_range(rng, -1, 1);
        if (try_ray(d, q, m, winding)) return false;
    }
}

/* ---- meshes ---- */

static void note_mesh(const gen_mesh *m, cd_vec3 p) {
    test_note("%d triangles ", (int)m->triangle_count);
    test_note_reals("p", REALS(p), 3);
    if (m->vertex_count < 30) test_note_reals("v", REALS(m->vertices[0]), 3 * (int)m->vertex_count);
}

static void check_point(test_rng *rng, const gen_mesh *m, cd_vec3 p, int seen[3]) {
    cd_mesh_view view = gen_mesh_view(m);
    int winding = 0, got = -77, odd, around;
    bool on = reference(rng, p, m, &winding);
    odd = on ? 0 : winding % 2 ? 1 : -1;
    around = on ? 0 : winding ? 1 : -1;
    ++seen[odd + 1];
    note_mesh(m, p);
    CHECK_INT(ASK("exact", cd_locate_point_mesh(p, &view, CD_FILL_EVEN_ODD)), odd);
    CHECK_INT(ASK("exact", cd_locate_point_mesh(p, &view, CD_FILL_NON_ZERO)), around);
    CHECK_INT(ASK("exact", cd_test_point_mesh(p, &view, CD_FILL_NON_ZERO)), around >= 0);
    CHECK_INT(ASK("exact", cd_winding_point_mesh(p, &view, &got)), !on);
    CHECK_INT(got, on ? -77 : winding);
}

/* The surface of a cube of n^3 cells, its corners thrown anywhere: closed all the same. */
static gen_mesh thrown(gen *g, int n) {
    gen_mesh m = gen_mesh_ball(n, 0.0, g->rng);
    for (uint32_t i = 0; i < m.vertex_count; ++i) {
        m.vertices[i] =
            i > 0 && test_int(g->rng, 0, 5) == 0 ? m.vertices[test_int(g->rng, 0, (int)i - 1)] : gen_point(g);
    }
    return m;
}

static cd_vec3 point_near_mesh(gen *g, const gen_mesh *m) {
    cd_triangle t = gen_mesh_triangle(m, (uint32_t)test_int(g->rng, 0, (int)m->triangle_count - 1));
    return point_near(g, &t);
}

static void tangled_meshes(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(400); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        gen_mesh m = thrown(&g, test_int(&rng, 1, 2));
        for (int k = 0; k < 5; ++k) check_point(&rng, &m, point_near_mesh(&g, &m), seen);
        gen_mesh_free(&m);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* Cubes and balls, with dents. */
static void proper_meshes(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        gen_mesh m = gen_mesh_ball(test_int(&rng, 1, 4), test_int(&rng, 0, 2) * 0.3, &rng);
        for (int k = 0; k < 6; ++k) check_point(&rng, &m, point_near_mesh(&g, &m), seen);
        check_point(&rng, &m, cd_vec3_make(0, 0, 0), seen); /* below a corner */
        gen_mesh_free(&m);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* Boxes of cells fill a box: a point inside of it is in one cell, or on several. */
static void cells_of_a_grid(void) {
    test_rng rng = test_random();
    gen_mesh cube = gen_mesh_ball(1, 0.0, &rng);
    for (uint32_t i = 0; i < cube.vertex_count; ++i) {
        cd_vec3 *v = &cube.vertices[i];
        *v = cd_vec3_make(v->x > 0 ? 2 : 0, v->y > 0 ? 2 : 0, v->z > 0 ? 2 : 0);
    }
    for (int x = -1; x <= 3; ++x) {
        for (int y = -1; y <= 3; ++y) {
            for (int z = -1; z <= 3; ++z) {
                cd_vec3 p = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
                cd_mesh_view view = gen_mesh_view(&cube);
                int wide = abs(x - 1) > abs(y - 1) ? abs(x - 1) : abs(y - 1);
                int level = wide > abs(z - 1) ? wide : abs(z - 1), want = level == 0   ? 1
                                                                          : level == 1 ? 0
                                                                                       : -1;
                int corners = (abs(x - 1) == 1) + (abs(y - 1) == 1) + (abs(z - 1) == 1);
                double number = want == 0 ? 1.0 / (1 << corners) : want > 0;
                note_mesh(&cube, p);
                CHECK_INT(cd_locate_point_mesh(p, &view, CD_FILL_EVEN_ODD), want);
                CHECK_INT(cd_locate_point_mesh(p, &view, CD_FILL_NON_ZERO), want);
                CHECK_NEAR(cd_winding_number_mesh(p, &view), number, 1e-7);
                if (sizeof(cd_real) == 8) CHECK_NEAR(cd_winding_number_mesh(p, &view), number, 1e-14);
            }
        }
    }
    gen_mesh_free(&cube);
}

static void batches_agree(void) {
    test_rng rng = test_random();
    for (long i = test_times(30); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        gen_mesh m = thrown(&g, 2);
        cd_mesh_view view = gen_mesh_view(&m);
        cd_vec3 p[130];
        int8_t out[131];
        for (int k = 0; k < 130; ++k) p[k] = point_near_mesh(&g, &m);
        p[70].z = (cd_real)NAN;
        out[130] = 55;
        ASK("loop", cd_locate_points_mesh(p, 130, &view, CD_FILL_NON_ZERO, out));
        for (int k = 0; k < 130; ++k)
            CHECK_INT(out[k], ASK("loop", cd_locate_point_mesh(p[k], &view, CD_FILL_NON_ZERO)));
        CHECK_INT(out[130], 55);
        gen_mesh_free(&m);
    }
}

static void bad_meshes(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(1, 0.0, &rng);
    cd_mesh_view view = gen_mesh_view(&m), bad = view;
    cd_vec3 o = cd_vec3_make(0, 0, 0), nan = cd_vec3_make(0, (cd_real)NAN, 0);
    int8_t out = 7;
    CHECK_INT(cd_locate_point_mesh(o, &view, CD_FILL_EVEN_ODD), 1);
    CHECK_INT(cd_locate_point_mesh(nan, &view, CD_FILL_EVEN_ODD), -1);
    CHECK(isnan((double)cd_winding_number_mesh(nan, &view)));
    CHECK(cd_winding_point_mesh(o, &view, NULL) && !cd_winding_point_mesh(nan, &view, NULL));
    CHECK(cd_test_point_mesh_winding(o, &view, (cd_real)0.5));
    CHECK(!cd_test_point_mesh_winding(nan, &view, (cd_real)0.5));
    m.vertices[5].z = (cd_real)INFINITY;
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(cd_locate_point_mesh(o, &view, CD_FILL_NON_ZERO), -1);
        CHECK(!cd_winding_point_mesh(o, &view, NULL));
        CHECK(isnan((double)cd_winding_number_mesh(o, &view)));
        cd_locate_points_mesh(&o, 1, &view, CD_FILL_EVEN_ODD, &out);
        CHECK_INT(out, -1);
        m.vertices[5].z = (cd_real)0.5;
        view.vertex_count = 7; /* an index out of range; then a view that cannot be read */
        if (i == 1) view.index_format = 9;
    }
    bad.triangle_count = 0;
    CHECK_INT(cd_locate_point_mesh(o, &bad, CD_FILL_EVEN_ODD), -1);
    CHECK_SAME(cd_winding_number_mesh(o, &bad), 0);
    gen_mesh_free(&m);
}

/* ---- winding numbers ---- */

/* The distance to the nearest edge as a part of the largest distance to one of its ends; at most that to the nearest triangle,
 * whose sides the reference cannot tell apart up close. */
static double clearance(const double p[3], const double (*t)[9], size_t count) {
    double least = 1;
    for (size_t i = 0; i < 3 * count; ++i) {
        double s[6], most = 0;
        memcpy(s, t[i / 3] + 3 * (i % 3), 3 * sizeof *s);
        memcpy(s + 3, t[i / 3] + 3 * ((i + 1) % 3), 3 * sizeof *s);
        for (int k = 0; k < 2; ++k) {
            double x = s[3 * k] - p[0], y = s[3 * k + 1] - p[1], z = s[3 * k + 2] - p[2];
            most = fmax(most, sqrt(x * x + y * y + z * z));
        }
        if (most > 0) least = fmin(least, oracle_point_segment(p, s).distance / most);
        if (most > 0) least = fmin(least, oracle_point_triangle(p, t[i / 3]).distance / most);
    }
    return least;
}

/* Triangles in no order, and closed meshes with some of them taken away. */
static void open_meshes(void) {
    test_rng rng = test_random();
    static double t[200][9];
    int compared = 0;
    for (long i = test_times(400); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        gen_mesh m = test_int(&rng, 0, 1) ? thrown(&g, 1) : gen_mesh_ball(2, 0.3, &rng);
        cd_mesh_view view = gen_mesh_view(&m);
        cd_vec3 p = point_near_mesh(&g, &m);
        double d[3], h, got, unit = sizeof(cd_real) == 8 ? 0 : 1e-7;
        bool on = false;
        view.triangle_count = m.triangle_count = (uint32_t)test_int(&rng, 1, (int)m.triangle_count);
        to_doubles(REALS(p), d, 3);
        for (uint32_t k = 0; k < m.triangle_count; ++k) {
            cd_triangle tri = gen_mesh_triangle(&m, k);
            doubles_of(&tri, t[k]);
            on = on || on_triangle(p, &tri);
        }
        h = clearance(d, (const double(*)[9])t, m.triangle_count);
        note_mesh(&m, p);
        got = (double)cd_winding_number_mesh(p, &view);
        CHECK(fabs(got) <= 0.5 * m.triangle_count + 1e-6);
        if (!on && h > 1e-6) {
            ++compared;
            CHECK_NEAR(got, oracle_winding_number(d, (const double(*)[9])t, m.triangle_count),
                       5e-15 * m.triangle_count / h + unit * (1 + fabs(got)));
        }
        gen_mesh_free(&m);
    }
    CHECK_SEEN(compared > 0);
}

/* Closed: a whole number, however near the point is to a face. */
static void closed_meshes_give_whole_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(2100); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        gen_mesh m = gen_mesh_ball(test_int(&rng, 1, 3), 0.2, &rng);
        cd_mesh_view view = gen_mesh_view(&m);
        cd_triangle t = gen_mesh_triangle(&m, (uint32_t)test_int(&rng, 0, (int)m.triangle_count - 1));
        cd_vec3 p =
            cd_vec3_lerp(cd_vec3_lerp(t.a, t.b, (cd_real)0.5), t.c, (cd_real)test_range(&rng, 0.2, 0.8));
        int winding, steps = test_int(&rng, -3, 3);
        for (; steps != 0; steps += steps < 0 ? 1 : -1) p.x = gen_near(&rng, p.x);
        if (test_int(&rng, 0, 1)) p = gen_point(&g);
        note_mesh(&m, p);
        if (cd_winding_point_mesh(p, &view, &winding)) {
            CHECK_NEAR(ASK("judge", cd_winding_number_mesh(p, &view)), winding, 1e-6);
            CHECK_INT(ASK("judge", cd_test_point_mesh_winding(p, &view, (cd_real)0.5)), winding > 0);
        }
        gen_mesh_free(&m);
    }
}

/* Many times around: a box in itself, n times. */
static void many_times_around(void) {
    test_rng rng = test_random();
    gen_mesh one = gen_mesh_ball(1, 0.0, &rng), m = one;
    cd_vec3 o = cd_vec3_make((cd_real)0.1, (cd_real)0.2, (cd_real)-0.05);
    int winding;
    m.triangle_count = 50 * one.triangle_count;
    m.indices = (uint32_t *)malloc(3 * (size_t)m.triangle_count * sizeof *m.indices);
    if (!m.indices) abort();
    for (int way = 0; way < 2; ++way) {
        cd_mesh_view view = gen_mesh_view(&m);
        for (uint32_t i = 0; i < 3 * m.triangle_count; ++i) {
            uint32_t k = i % (3 * one.triangle_count);
            m.indices[i] = one.indices[way ? 3 * (k / 3) + 2 - k % 3 : k];
        }
        CHECK(cd_winding_point_mesh(o, &view, &winding));
        CHECK_INT(winding, way ? -50 : 50);
        CHECK_NEAR(cd_winding_number_mesh(o, &view), winding, sizeof(cd_real) == 8 ? 1e-11 : 1e-5);
        CHECK_INT(cd_locate_point_mesh(o, &view, CD_FILL_EVEN_ODD), -1);
        CHECK_INT(cd_locate_point_mesh(o, &view, CD_FILL_NON_ZERO), 1);
    }
    free(m.indices);
    gen_mesh_free(&one);
}

/* Close over the middle of a triangle half of all is in sight, on the side where the point is, however close that is. */
static void check_close_to_a_triangle(int far_off, int tiny) {
    double size = ldexp(1, far_off);
    uint32_t corner[3] = {0, 1, 2};
    for (int k = 0; k < 3; ++k) {
        cd_vec3 v[3], p = cd_vec3_make(0, 0, 0);
        cd_mesh_view view = cd_mesh_view_make(v, 3, corner, 1);
        memset(v, 0, sizeof v);
        for (int i = 0; i < 3; ++i) {
            (&v[i].x)[(k + 1) % 3] = (cd_real)(i == 0 ? size : -size);
            (&v[i].x)[(k + 2) % 3] = (cd_real)(size * (i == 0 ? 0 : i == 1 ? 1 : -1));
        }
        for (int e = tiny; e < far_off - 20; e += (far_off - tiny) / 8) {
            test_note("axis %d, height 2^%d", k, e);
            (&p.x)[k] = (cd_real)ldexp(1, e);
            CHECK_NEAR(ASK("judge", cd_winding_number_mesh(p, &view)), -0.5, 1e-3);
            (&p.x)[k] = (cd_real)-ldexp(1, e);
            CHECK_NEAR(ASK("judge", cd_winding_number_mesh(p, &view)), 0.5, 1e-3);
        }
    }
}

static void close_to_a_large_triangle(void) {
    bool is_float = sizeof(cd_real) == 4;
    check_close_to_a_triangle(is_float ? 40 : 240, is_float ? -149 : -1074);
    check_close_to_a_triangle(is_float ? 60 : 300, is_float ? -60 : -300); /* scaled, of doubles */
}

void suite_point_solid(void) {
    RUN(close_to_a_large_triangle);
    RUN(triangles);
    RUN(half_spaces);
    RUN(tangled_meshes);
    RUN(proper_meshes);
    RUN(cells_of_a_grid);
    RUN(batches_agree);
    RUN(bad_meshes);
    RUN(open_meshes);
    RUN(closed_meshes_give_whole_numbers);
    RUN(many_times_around);
}
