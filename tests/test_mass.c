/* Mass properties against exact rationals: the integrals over a polyhedron are polynomials of its corners. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference: tetrahedra between the triangles and a point, without rounding ---- */

typedef struct body {
    const cd_vec3 *v;
    const uint32_t *t; /* NULL: the corners one after another */
    uint32_t triangles;
} body;

typedef struct integrals {
    exact one, x[3], xx[3][3]; /* times 6, 24 and 120; of a surface times 2, 6 and 24 */
    bool shell;
} integrals;

static void corner_of(const body *b, uint32_t triangle, int k, double out[3]) {
    to_doubles(&b->v[b->t ? b->t[3 * triangle + (uint32_t)k] : 3 * triangle + (uint32_t)k].x, out, 3);
}

/* Twice the area, the nearest double. */
static exact area_of(const exact3 p[3]) {
    exact3 n = exact3_cross(exact3_sub(p[1], p[0]), exact3_sub(p[2], p[0]));
    return exact_from(ratio_sqrt(ratio_make(exact3_dot(n, n), exact_from(1))));
}

static integrals exact_integrals(const body *b, const double o[3], bool shell) {
    integrals s;
    memset(&s, 0, sizeof s);
    s.shell = shell;
    for (uint32_t i = 0; i < b->triangles; ++i) {
        exact3 p[3], sum;
        exact det;
        for (int k = 0; k < 3; ++k) {
            double corner[3];
            corner_of(b, i, k, corner);
            p[k] = exact3_sub(exact3_from(corner), exact3_from(o));
        }
        det = shell ? area_of(p) : exact3_triple(p[0], p[1], p[2]);
        sum = exact3_add(exact3_add(p[0], p[1]), p[2]);
        s.one = exact_add(s.one, det);
        for (int r = 0; r < 3; ++r) {
            s.x[r] = exact_add(s.x[r], exact_mul(det, sum.c[r]));
            for (int c = 0; c < 3; ++c) {
                exact q = exact_mul(sum.c[r], sum.c[c]);
                for (int k = 0; k < 3; ++k) q = exact_add(q, exact_mul(p[k].c[r], p[k].c[c]));
                s.xx[r][c] = exact_add(s.xx[r][c], exact_mul(det, q));
            }
        }
    }
    return s;
}

/* About the centre: xx / 120 - x x^T / (96 one), as (4 one xx - 5 x x^T) over 480 one; of a surface
 * xx / 24 - x x^T / (18 one), as (3 one xx - 4 x x^T) over 72 one. */
static exact spread_of(const integrals *s, int r, int c) {
    double corners = s->shell ? 3 : 4;
    return exact_sub(exact_mul(exact_from(corners), exact_mul(s->one, s->xx[r][c])),
                     exact_mul(exact_from(corners + 1), exact_mul(s->x[r], s->x[c])));
}

static void bounds_of(const body *b, double lo[3], double hi[3]) {
    for (int k = 0; k < 3; ++k) lo[k] = DBL_MAX, hi[k] = -DBL_MAX;
    for (uint32_t i = 0; i < 3 * b->triangles; ++i) {
        double p[3];
        corner_of(b, i / 3, (int)(i % 3), p);
        for (int k = 0; k < 3; ++k) lo[k] = fmin(lo[k], p[k]), hi[k] = fmax(hi[k], p[k]);
    }
}

/* The exact numbers, rounded to doubles. False without volume. */
static bool exact_mass(const body *b, const double o[3], bool shell, cd_mass *out) {
    exact_pool pool = exact_begin();
    integrals s = exact_integrals(b, o, shell);
    bool has_volume = s.one.sign != 0;
    memset(out, 0, sizeof *out);
    if (has_volume) {
        exact corners = exact_mul(exact_from(shell ? 3 : 4), s.one);
        exact scale = exact_mul(exact_from(shell ? 72 : 480), s.one);
        out->mass = ratio_to_double(ratio_make(s.one, exact_from(shell ? 2 : 6)));
        for (int r = 0; r < 3; ++r) {
            int i = (r + 1) % 3, j = (r + 2) % 3;
            exact c = exact_add(exact_mul(corners, exact_from(o[r])), s.x[r]);
            exact moment = exact_add(spread_of(&s, i, i), spread_of(&s, j, j));
            out->center[r] = ratio_to_double(ratio_make(c, corners));
            out->inertia[r][r] = ratio_to_double(ratio_make(moment, scale));
            out->inertia[i][j] = out->inertia[j][i] =
                -ratio_to_double(ratio_make(spread_of(&s, i, j), scale));
        }
    }
    exact_end(pool);
    return has_volume;
}

/* ---- the promise ---- */

static double unit_of(double x) {
    return nextafter(fabs(x), HUGE_VAL) - fabs(x);
}

/* Of the library's domain, the results of the smallest bodies are denormal: one of their units is allowed, too. */
static void check_number(double got, double want, double units, double margin) {
    CHECK_NEAR(got, want, units * unit_of(want) + margin + 1e-322);
}

static void check_promise(const body *b, const cd_mass *got, const cd_mass *want) {
    double lo[3], hi[3], size[3], n = b->triangles, part = n * (n + 8) * ldexp(1, -98), box;
    bounds_of(b, lo, hi);
    for (int k = 0; k < 3; ++k) size[k] = hi[k] - lo[k];
    box = size[0] * size[1] * size[2];
    check_number(got->mass, want->mass, 1, part * box);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double most = fmax(size[j], size[k]);
        check_number(got->center[i], want->center[i], 1, part * size[i] * fabs(box / want->mass));
        check_number(got->inertia[i][i], want->inertia[i][i], 1, part * box * most * most);
        check_number(got->inertia[i][j], want->inertia[i][j], 1, part * box * size[i] * size[j]);
        CHECK(got->inertia[i][j] == got->inertia[j][i]);
    }
}

static cd_mass mass_of(const body *b, bool shell) {
    uint32_t corners = b->t ? 0 : 3 * b->triangles;
    cd_mesh_view view;
    cd_mass m;
    for (uint32_t i = 0; b->t && i < 3 * b->triangles; ++i)
        if (b->t[i] >= corners) corners = b->t[i] + 1;
    view = cd_mesh_view_make(b->v, corners, b->t, b->triangles);
    CHECK_INT(shell ? cd_mass_properties_shell(&view, &m) : ASK("judge", cd_mass_properties(&view, &m)),
              CD_OK);
    return m;
}

static bool is_zero_body(const cd_mass *m) {
    bool zero = m->mass == 0;
    for (int i = 0; i < 9; ++i) zero = zero && m->inertia[i / 3][i % 3] == 0;
    return zero;
}

/* False when it has no volume, which is checked too. */
static bool check_body(const body *b) {
    static const double origin[3] = {0, 0, 0};
    cd_mass got = mass_of(b, false), want;
    if (!exact_mass(b, origin, false, &want)) {
        cd_mass surface = mass_of(b, true);
        CHECK(is_zero_body(&got));
        for (int k = 0; k < 3; ++k) CHECK(got.center[k] == surface.center[k]);
        return false;
    }
    /* What may count as none, by the same promise. */
    if (is_zero_body(&got)) {
        double lo[3], hi[3], n = b->triangles;
        bounds_of(b, lo, hi);
        CHECK_NEAR(0, want.mass,
                   n * (n + 8) * ldexp(1, -98) * (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]) +
                       1e-322);
        return false;
    }
    check_promise(b, &got, &want);
    return true;
}

/* ---- bodies ---- */

static const uint32_t tetra_faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
static const uint32_t box_faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static body body_of(const cd_vec3 *v, const uint32_t *t, uint32_t triangles) {
    body b;
    b.v = v;
    b.t = t;
    b.triangles = triangles;
    return b;
}

static void same_mass(const cd_mass *a, const cd_mass *b) {
    CHECK(!memcmp(a, b, sizeof *a));
}

static void tetrahedra(void) {
    test_rng rng = test_random();
    long solid = 0, flat = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 v[4];
        body b = body_of(v, tetra_faces, 4);
        cd_mass m, shape;
        bool good;
        for (int k = 0; k < 4; ++k) v[k] = gen_point(&g);
        test_note("");
        test_note_reals("v", REALS(v), 12);
        good = check_body(&b);
        ++*(good ? &solid : &flat);
        m = mass_of(&b, false);
        shape = ASK("judge", cd_mass_from_tetrahedron(v[0], v[1], v[2], v[3]));
        if (m.mass < 0) m = ASK("judge", cd_mass_scale(&m, -1));
        same_mass(&shape, &m);
        CHECK(good == ASK("judge", cd_mass_is_valid(&m)));
    }
    CHECK_SEEN(solid > 0 && flat > 0);
}

static void boxes(void) {
    static const double origin[3] = {0, 0, 0};
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb box = gen_aabb(&g);
        cd_vec3 v[8];
        body b = body_of(v, box_faces, 12);
        cd_mass got, want, m;
        for (int k = 0; k < 8; ++k)
            v[k] = cd_vec3_make(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
                                k & 4 ? box.max.z : box.min.z);
        test_note("");
        test_note_reals("box", REALS(box), 6);
        if (!check_body(&b) || !exact_mass(&b, origin, false, &want)) continue;
        m = mass_of(&b, false);
        got = ASK("judge", cd_mass_from_aabb(box));
        check_number(got.mass, want.mass, 6, 0);
        for (int k = 0; k < 3; ++k) {
            check_number(got.center[k], want.center[k], 1, 0);
            check_number(got.inertia[k][k], want.inertia[k][k], 7, 0);
            CHECK(m.inertia[k][(k + 1) % 3] == 0 && got.inertia[k][(k + 1) % 3] == 0);
        }
    }
}

/* A cube whose corners are exact, as far away as that goes: no digit is lost. */
static void cubes_far_away(void) {
    double limit = sizeof(cd_real) == 4 ? 8e6 : 4e15;
    for (double place = 1; place < limit; place *= 10) {
        for (int sign = -1; sign <= 1; sign += 2) {
            cd_vec3 v[8];
            body b = body_of(v, box_faces, 12);
            cd_mass m;
            for (int k = 0; k < 8; ++k)
                v[k] = cd_vec3_make((cd_real)(sign * place + (k & 1)), (cd_real)(place + (k >> 1 & 1)),
                                    (cd_real)(-place + (k >> 2)));
            m = mass_of(&b, false);
            CHECK(m.mass == 1);
            CHECK(m.center[0] == sign * place + 0.5 && m.center[1] == place + 0.5 &&
                  m.center[2] == 0.5 - place);
            for (int k = 0; k < 9; ++k)
                CHECK_NEAR(m.inertia[k / 3][k % 3], k % 4 ? 0 : 1.0 / 6, k % 4 ? 0 : 6e-17);
        }
    }
}

/* Bumpy balls, turned, squeezed, scaled and moved: their corners are rounded by that, and are what counts. */
static void balls(void) {
    test_rng rng = test_random();
    for (long i = test_times(90); i > 0; --i) {
        gen_mesh mesh = gen_mesh_ball(test_int(&rng, 1, 4), test_range(&rng, 0, 0.9), &rng);
        body b = body_of(mesh.vertices, mesh.indices, mesh.triangle_count);
        cd_transform pose = gen_pose(&rng, test_int(&rng, 0, 1) ? 0 : 1e4);
        double scale = ldexp(1, test_int(&rng, -40, 30)), squeeze = ldexp(1, -test_int(&rng, 0, 12));
        test_note("ball of %d triangles, scale %a, squeeze %a", (int)b.triangles, scale, squeeze);
        for (uint32_t k = 0; k < mesh.vertex_count; ++k) {
            cd_vec3 *p = &mesh.vertices[k];
            p->z = (cd_real)((double)p->z * squeeze);
            *p = cd_vec3_scale(cd_transform_point(&pose, *p), (cd_real)scale);
        }
        CHECK(check_body(&b));
        gen_mesh_free(&mesh);
    }
}

/* A crumpled ball, partly inside out: its integral of x^2 is below 0, that of y^2 above, and they nearly cancel in a moment. */
static void spreads_that_cancel(void) {
    static const int at[8][3] = {{0, 2801, 546},   {662, 571, 0},  {762, 627, 43},    {770, 1596, 355},
                                 {1671, 188, 133}, {1791, 0, 104}, {2783, 1781, 924}, {3733, 2324, 1339}};
    static const uint32_t faces[36] = {3, 7, 6, 3, 0, 7, 3, 2, 0, 3, 1, 2, 3, 5, 1, 3, 6, 5,
                                       1, 5, 4, 1, 4, 2, 6, 7, 4, 6, 4, 5, 0, 2, 4, 0, 4, 7};
    cd_vec3 v[8];
    body b;
    for (int k = 0; k < 8; ++k) v[k] = cd_vec3_make((cd_real)at[k][0], (cd_real)at[k][1], (cd_real)at[k][2]);
    b = body_of(v, faces, 12);
    CHECK(check_body(&b));
}

/* A ball of millions of its own size away from a speck: the centre moves, the digits stay. */
static void bodies_far_apart(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        cd_vec3 v[8];
        uint32_t t[24];
        body b = body_of(v, t, 8);
        double far = ldexp(1, test_int(&rng, 0, sizeof(cd_real) == 4 ? 20 : 48));
        for (int k = 0; k < 24; ++k) t[k] = tetra_faces[k % 12] + (k < 12 ? 0u : 4u);
        for (int k = 0; k < 8; ++k) {
            double x = test_range(&rng, -1, 1), y = test_range(&rng, -1, 1), z = test_range(&rng, -1, 1);
            double at = k < 4 ? 0 : far;
            v[k] = cd_vec3_make((cd_real)(x + at), (cd_real)(y - at), (cd_real)(z + at));
        }
        for (int k = 0; k < 2; ++k) { /* both the right way round */
            double d[12];
            cd_vec3 swap = v[4 * k];
            to_doubles(&v[4 * k].x, d, 12);
            if (oracle_orient3d(d, d + 3, d + 6, d + 9) >= 0) continue;
            v[4 * k] = v[4 * k + 1];
            v[4 * k + 1] = swap;
        }
        test_note("");
        test_note_reals("v", REALS(v), 24);
        check_body(&b);
    }
}

/* An open mesh is closed by triangles to the middle of its bounds. */
static void open_meshes(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 v[6];
        body b = body_of(v, NULL, 2);
        double lo[3], hi[3], middle[3];
        cd_mass got, want;
        for (int k = 0; k < 6; ++k) v[k] = gen_point(&g);
        bounds_of(&b, lo, hi);
        for (int k = 0; k < 3; ++k) middle[k] = 0.5 * lo[k] + 0.5 * hi[k];
        got = mass_of(&b, false);
        exact_mass(&b, middle, false, &want);
        CHECK_NEAR(got.mass, want.mass, unit_of(want.mass));
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(got.center[k], want.center[k], 1e-12 * (1 + fabs(want.center[k])));
    }
}

/* ---- surfaces ---- */

static void surfaces(void) {
    static const double origin[3] = {0, 0, 0};
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 v[12];
        body b = body_of(v, NULL, (uint32_t)test_int(&rng, 1, 4));
        double lo[3], hi[3], extent = 0;
        cd_mass m, want;
        for (int k = 0; k < 12; ++k) v[k] = gen_point(&g);
        if (!test_int(&rng, 0, 3)) /* flat along an axis */
            for (int k = 0; k < 12; ++k) v[k].y = v[0].y;
        test_note("%d triangles", (int)b.triangles);
        test_note_reals("v", REALS(v), 36);
        bounds_of(&b, lo, hi);
        for (int k = 0; k < 3; ++k) extent = fmax(extent, hi[k] - lo[k]);
        m = mass_of(&b, true);
        if (!exact_mass(&b, origin, true, &want)) {
            CHECK(is_zero_body(&m));
            continue;
        }
        CHECK_NEAR(m.mass, want.mass, 4 * unit_of(want.mass));
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(m.center[k], want.center[k], unit_of(want.center[k]) + 4 * unit_of(extent));
        for (int k = 0; k < 9; ++k)
            CHECK_NEAR(m.inertia[k / 3][k % 3], want.inertia[k / 3][k % 3],
                       4 * unit_of(want.mass * extent * extent) + 1e-322);
    }
}

static void surfaces_by_hand(void) {
    static const cd_vec3 cube[8] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0},
                                    {0, 0, 2}, {2, 0, 2}, {0, 2, 2}, {2, 2, 2}};
    static const cd_vec3 line[3] = {{1, 1, 1}, {2, 3, 1}, {4, 7, 1}};
    static const cd_vec3 flat[3] = {{0, 0, 5}, {3, 0, 5}, {0, 3, 5}};
    body b = body_of(cube, box_faces, 12);
    cd_mass m = mass_of(&b, true);
    CHECK(m.mass == 24 && m.center[0] == 1 && m.center[1] == 1 && m.center[2] == 1);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(m.inertia[k][k], 40.0 / 3 + 40.0 / 3, 1e-14);
    b = body_of(line, NULL, 1); /* neither volume nor area: the middle of the bounds */
    m = mass_of(&b, true);
    CHECK(is_zero_body(&m) && m.center[0] == 2.5 && m.center[1] == 4 && m.center[2] == 1);
    m = mass_of(&b, false);
    CHECK(is_zero_body(&m) && m.center[0] == 2.5 && m.center[1] == 4 && m.center[2] == 1);
    b = body_of(flat, NULL, 1); /* no volume: the centre of the surface */
    m = mass_of(&b, false);
    CHECK(is_zero_body(&m));
    CHECK_NEAR(m.center[0], 1, 3e-16);
    CHECK_NEAR(m.center[1], 1, 3e-16);
    CHECK(m.center[2] == 5 && !cd_mass_is_valid(&m));
    m = mass_of(&b, true);
    CHECK_NEAR(m.mass, 4.5, 1e-15);
}

/* Without volume: the centre of the surface, of the ends, of the point; neither that of the bounds nor of the vertices. */
static void flat_hulls(void) {
    static const double flat[5][2] = {{0, 0}, {6, 0}, {0, 6}, {2, 1}, {1, 1}};
    for (int axis = 0; axis < 3; ++axis) {
        cd_vec3 p[5];
        cd_hull hull;
        cd_mass m;
        for (int i = 0; i < 5; ++i) {
            cd_real *x = REALS(p[i]);
            x[axis] = 5;
            x[(axis + 1) % 3] = (cd_real)flat[i][0];
            x[(axis + 2) % 3] = (cd_real)flat[i][1];
        }
        for (size_t n = 1; n <= 5; n += n == 3 ? 2 : 1) {
            double want = n == 1 ? 0 : n == 2 ? 3 : 2;
            CHECK_INT(cd_hull3_build(&hull, p, n, NULL), CD_OK);
            m = ASK("exact", cd_mass_from_hull(&hull));
            CHECK(is_zero_body(&m));
            CHECK_NEAR(m.center[axis], 5, 1e-15);
            CHECK_NEAR(m.center[(axis + 1) % 3], want, 1e-15);
            CHECK_NEAR(m.center[(axis + 2) % 3], n < 3 ? 0 : 2, 1e-15);
            cd_hull_destroy(&hull);
        }
    }
}

/* ---- shapes ---- */

static void balls_and_turned_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(2250); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s = gen_sphere(&g);
        cd_obb box = gen_obb(&g);
        double r = (double)s.radius, volume = 4 * 3.14159265358979323846 / 3 * r * r * r, most = 0;
        double h[3], axis[3][3];
        cd_mass m = ASK("judge", cd_mass_from_sphere(s));
        check_number(m.mass, volume, 9, 0);
        for (int k = 0; k < 3; ++k) check_number(m.inertia[k][k], 0.4 * volume * r * r, 12, 0);
        if (r > 0) CHECK(m.center[0] == (double)s.center.x && m.inertia[0][1] == 0);
        to_doubles(&box.half.x, h, 3);
        for (int k = 0; k < 3; ++k) to_doubles(&box.axes.col[k].x, axis[k], 3);
        volume = 8 * h[0] * h[1] * h[2];
        m = ASK("judge", cd_mass_from_obb(&box));
        check_number(m.mass, volume, 6, 0);
        for (int k = 0; k < 3; ++k) most = fmax(most, volume * h[k] * h[k]);
        for (int k = 0; k < 9; ++k) { /* sum of the moments times axis axis^T */
            double want = 0;
            for (int a = 0; a < 3; ++a) {
                double y = h[(a + 1) % 3], z = h[(a + 2) % 3];
                want += volume / 3 * (y * y + z * z) * axis[a][k / 3] * axis[a][k % 3];
            }
            CHECK_NEAR(m.inertia[k / 3][k % 3], want, 16 * DBL_EPSILON * most + 1e-320);
        }
    }
}

static void shapes_that_are_none(void) {
    cd_sphere s = {{0, 0, 0}, -1};
    cd_obb box;
    cd_mass m = cd_mass_from_sphere(s), zero;
    cd_vec3 o = {0, 0, 0}, bad = {(cd_real)NAN, 0, 0};
    memset(&zero, 0, sizeof zero);
    same_mass(&m, &zero);
    s.radius = (cd_real)NAN;
    m = cd_mass_from_sphere(s);
    same_mass(&m, &zero);
    m = cd_mass_from_aabb(cd_aabb_empty());
    same_mass(&m, &zero);
    m = cd_mass_from_tetrahedron(o, bad, o, o);
    same_mass(&m, &zero);
    memset(&box, 0, sizeof box);
    box.half.x = (cd_real)INFINITY;
    m = cd_mass_from_obb(&box);
    same_mass(&m, &zero);
}

/* ---- bodies put together, moved, asked ---- */

static void near_mass(const cd_mass *a, const cd_mass *b, double size, double margin) {
    double mass = fabs(b->mass);
    CHECK_NEAR(a->mass, b->mass, margin * mass);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(a->center[k], b->center[k], margin * size);
    for (int k = 0; k < 9; ++k)
        CHECK_NEAR(a->inertia[k / 3][k % 3], b->inertia[k / 3][k % 3], margin * mass * size * size);
}

/* A box is the sum of its two halves; what is taken away again leaves the other. */
static void parts_make_a_whole(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        double scale = ldexp(1, test_int(&rng, -20, 20));
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_aabb whole = gen_aabb(&g), a, b;
        int axis = test_int(&rng, 0, 2);
        cd_mass wm, am, bm, sum, back;
        whole.max = cd_vec3_scale(cd_vec3_add(whole.max, cd_vec3_make(1, 1, 1)), (cd_real)scale);
        whole.min = cd_vec3_scale(whole.min, (cd_real)scale);
        a = b = whole;
        (&a.max.x)[axis] = (&b.min.x)[axis] =
            (cd_real)(0.7 * (double)(&whole.min.x)[axis] + 0.3 * (double)(&whole.max.x)[axis]);
        wm = cd_mass_from_aabb(whole);
        am = cd_mass_from_aabb(a);
        bm = cd_mass_from_aabb(b);
        sum = ASK("judge", cd_mass_add(&am, &bm));
        near_mass(&sum, &wm, 4 * scale, 1e-14);
        sum = ASK("judge", cd_mass_add(&bm, &am));
        near_mass(&sum, &wm, 4 * scale, 1e-14);
        back = ASK("judge", cd_mass_scale(&am, -1));
        back = ASK("judge", cd_mass_add(&sum, &back));
        near_mass(&back, &bm, 4 * scale, 1e-13);
        sum = ASK("judge", cd_mass_scale(&wm, 80 / wm.mass));
        CHECK_NEAR(sum.mass, 80, 1e-13);
        CHECK(ASK("judge", cd_mass_is_valid(&sum)) &&
              !ASK("judge", cd_mass_is_valid(&back)) == !(back.mass > 0));
    }
}

static void masses_that_cancel(void) {
    cd_sphere one = {{1, 2, 3}, 1}, two = {{3, 2, 3}, 1};
    cd_mass a = cd_mass_from_sphere(one), b = cd_mass_from_sphere(two), zero, m;
    memset(&zero, 0, sizeof zero);
    b = cd_mass_scale(&b, -1);
    m = cd_mass_add(&a, &b);
    CHECK(m.mass == 0 && m.center[0] == 1 && m.center[1] == 2 && m.center[2] == 3);
    CHECK(m.inertia[0][0] == 0);
    CHECK_NEAR(m.inertia[1][1], -4 * a.mass, 1e-14);
    m = cd_mass_add(&a, &zero);
    same_mass(&m, &a);
    m = cd_mass_add(&zero, &a);
    same_mass(&m, &a);
    m = cd_mass_add(&zero, &zero);
    same_mass(&m, &zero);
    CHECK(!cd_mass_is_valid(&b) && !cd_mass_is_valid(&zero));
}

/* Moving the body or its properties comes to the same; so does asking about another point or going there. */
static void moved_bodies(void) {
    test_rng rng = test_random();
    for (long i = test_times(2250); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb box = gen_obb(&g), moved;
        cd_transform pose = gen_pose(&rng, 4);
        cd_mass m, went, want, about;
        double d[3];
        cd_vec3 p = gen_point(&g);
        cd_mat3 at;
        box.half = cd_vec3_add(box.half, cd_vec3_make((cd_real)0.1, (cd_real)0.1, (cd_real)0.1));
        m = ASK("judge", cd_mass_from_obb(&box));
        moved = cd_obb_transform(&box, &pose);
        went = ASK("forms", cd_mass_transform(&m, &pose));
        want = ASK("judge", cd_mass_from_obb(&moved));
        near_mass(&went, &want, 16, 64 * (double)CD_REAL_EPSILON);
        CHECK(cd_mass_is_valid(&went));
        at = ASK("forms", cd_mass_inertia_at(&m, p));
        about = m;
        for (int k = 0; k < 3; ++k) d[k] = m.center[k] - (double)(&p.x)[k];
        for (int r = 0; r < 9; ++r) {
            double square = r % 4 ? 0 : d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            about.inertia[r / 3][r % 3] += m.mass * (square - d[r / 3] * d[r % 3]);
            CHECK_NEAR((&at.col[r / 3].x)[r % 3], about.inertia[r / 3][r % 3],
                       8 * (double)CD_REAL_EPSILON * m.mass * 64);
        }
    }
}

static void principal_axes(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        int e = test_int(&rng, -150, 150);
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb box = gen_obb(&g);
        cd_mass m = cd_mass_from_obb(&box);
        double moment[3], same[3], trace = 0;
        cd_mat3 axes, r;
        m = cd_mass_scale(&m, ldexp(1, e));
        CHECK(ASK("judge", cd_mass_principal(&m, moment, &axes)));
        CHECK(moment[0] >= moment[1] && moment[1] >= moment[2]);
        CHECK(cd_mat3_is_rotation(&axes, 8 * CD_REAL_EPSILON));
        for (int k = 0; k < 3; ++k) trace += moment[k] - m.inertia[k][k];
        CHECK_NEAR(trace, 0, ldexp(moment[0], -42));
        for (int k = 0; k < 9; ++k) { /* put together again */
            double sum = 0;
            for (int a = 0; a < 3; ++a)
                sum += moment[a] * (double)(&axes.col[a].x)[k / 3] * (double)(&axes.col[a].x)[k % 3];
            CHECK_NEAR(sum, m.inertia[k / 3][k % 3], 32 * (double)CD_REAL_EPSILON * moment[0]);
        }
        CHECK(ASK("judge", cd_mass_principal(&m, NULL, &r)) && !memcmp(&r, &axes, sizeof r));
        CHECK(ASK("judge", cd_mass_principal(&m, same, NULL)) && !memcmp(same, moment, sizeof same));
        m.inertia[1][2] = NAN;
        CHECK(!ASK("judge", cd_mass_principal(&m, same, &r)) && !memcmp(same, moment, sizeof same));
    }
}

/* The moments of a box are known: those of the float build are as good as those of the double one. */
static void principal_moments_of_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        double h[3] = {3, 2, 1}, want[3], moment[3];
        cd_transform turn = gen_pose(&rng, 0);
        cd_aabb box;
        cd_mass m;
        for (int k = 0; k < 3; ++k) h[k] = (double)(cd_real)(h[k] + test_range(&rng, -0.4, 0.4));
        if (test_int(&rng, 0, 1))
            h[1] = (double)(cd_real)(h[0] * (1 - ldexp(test_unit(&rng), -test_int(&rng, 2, 40))));
        box.max = cd_vec3_make((cd_real)h[0], (cd_real)h[1], (cd_real)h[2]);
        box.min = cd_vec3_neg(box.max);
        for (int k = 0; k < 3; ++k) {
            double a = h[k == 2 ? 1 : 0], b = h[k == 0 ? 1 : 2]; /* 0: about z, 1: about y, 2: about x */
            want[k] = 8 * h[0] * h[1] * h[2] / 3 * (a * a + b * b);
        }
        m = cd_mass_from_aabb(box);
        m = cd_mass_transform(&m, &turn);
        CHECK(cd_mass_principal(&m, moment, NULL));
        CHECK(moment[0] >= moment[1] && moment[1] >= moment[2]);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(moment[k], want[k], ldexp(want[0], -42));
    }
}

/* ---- input ---- */

static void bad_meshes(void) {
    cd_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t t[12];
    cd_mesh_view mesh;
    cd_mass m, zero;
    memset(&zero, 0, sizeof zero);
    memcpy(t, tetra_faces, sizeof t);
    mesh = cd_mesh_view_make(v, 4, t, 4);
    CHECK_INT(ASK("exact", cd_mass_properties(&mesh, &m)), CD_OK);
    CHECK_NEAR(m.mass, -1.0 / 6, 1e-16); /* inside out */
    CHECK(m.inertia[0][0] < 0 && m.center[0] == 0.25);
    t[5] = 4;
    CHECK_INT(ASK("bad", cd_mass_properties(&mesh, &m)), CD_INVALID_ARGUMENT);
    same_mass(&m, &zero);
    CHECK_INT(cd_mass_properties_shell(&mesh, &m), CD_INVALID_ARGUMENT);
    t[5] = tetra_faces[5];
    v[2].y = (cd_real)NAN;
    CHECK_INT(ASK("bad", cd_mass_properties(&mesh, &m)), CD_INVALID_ARGUMENT);
    v[2].y = (cd_real)INFINITY;
    CHECK_INT(ASK("bad", cd_mass_properties(&mesh, &m)), CD_INVALID_ARGUMENT);
    same_mass(&m, &zero);
    mesh = cd_mesh_view_make(NULL, 0, NULL, 0);
    CHECK_INT(ASK("exact", cd_mass_properties(&mesh, &m)), CD_OK);
    same_mass(&m, &zero);
    CHECK_INT(cd_mass_properties_shell(&mesh, &m), CD_OK);
    mesh.position_format = 9;
    CHECK_INT(ASK("bad", cd_mass_properties(&mesh, &m)), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_mass_properties_shell(&mesh, &m), CD_INVALID_ARGUMENT);
}

/* Any finite numbers: numbers come out, or CD_TOO_LARGE and zero. */
static void any_finite_numbers(void) {
    test_rng rng = test_random();
    long large = 0;
    for (long i = test_times(6000); i > 0; --i) {
        cd_vec3 v[4];
        cd_mesh_view mesh = cd_mesh_view_make(v, 4, tetra_faces, 4);
        for (int shell = 0; shell < 2; ++shell) {
            cd_mass m;
            cd_status s;
            bool finite = true;
            for (int k = 0; k < 12; ++k) REALS(v)[k] = gen_any_real(&rng);
            test_note("");
            test_note_reals("v", REALS(v), 12);
            s = shell ? ASK("bad", cd_mass_properties_shell(&mesh, &m))
                      : ASK("bad", cd_mass_properties(&mesh, &m));
            for (int k = 0; k < 13; ++k) finite = finite && isfinite(((double *)(void *)&m)[k]);
            CHECK(finite && (s == CD_OK || (s == CD_TOO_LARGE && is_zero_body(&m))));
            large += s == CD_TOO_LARGE;
        }
    }
    CHECK_SEEN(sizeof(cd_real) == 4 ? large == 0 : large > 0);
}

/* Powers of two change no digit. */
static void scales(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        int e = test_int(&rng, -20, 20);
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_FAR);
        cd_vec3 v[4];
        body b = body_of(v, tetra_faces, 4);
        for (int shell = 0; shell < 2; ++shell) {
            cd_mass m, n;
            for (int k = 0; k < 4; ++k) v[k] = gen_point(&g);
            m = mass_of(&b, shell);
            for (int k = 0; k < 4; ++k) v[k] = cd_vec3_scale(v[k], (cd_real)ldexp(1, e));
            n = mass_of(&b, shell);
            CHECK(n.mass == ldexp(m.mass, e * (shell ? 2 : 3)));
            for (int k = 0; k < 3; ++k) CHECK(n.center[k] == ldexp(m.center[k], e));
            for (int k = 0; k < 9; ++k)
                CHECK(n.inertia[k / 3][k % 3] == ldexp(m.inertia[k / 3][k % 3], e * (shell ? 4 : 5)));
        }
    }
}

/* The order of the triangles does not matter: the sums are right to the last digit in any. */
static void many_triangles(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(test_is_tiny() ? 20 : 60, 0.2, &rng);
    body b = body_of(ball.vertices, ball.indices, ball.triangle_count);
    cd_mass m = mass_of(&b, false), again;
    for (uint32_t i = 0; i < ball.triangle_count / 2; ++i) {
        uint32_t j = ball.triangle_count - 1 - i, keep[3];
        memcpy(keep, ball.indices + 3 * i, sizeof keep);
        memcpy(ball.indices + 3 * i, ball.indices + 3 * j, sizeof keep);
        memcpy(ball.indices + 3 * j, keep, sizeof keep);
    }
    again = mass_of(&b, false);
    same_mass(&m, &again);
    gen_mesh_free(&ball);
}

void suite_mass(void) {
    RUN(tetrahedra);
    RUN(boxes);
    RUN(cubes_far_away);
    RUN(balls);
    RUN(spreads_that_cancel);
    RUN(bodies_far_apart);
    RUN(open_meshes);
    RUN(surfaces);
    RUN(surfaces_by_hand);
    RUN(flat_hulls);
    RUN(balls_and_turned_boxes);
    RUN(shapes_that_are_none);
    RUN(parts_make_a_whole);
    RUN(masses_that_cancel);
    RUN(moved_bodies);
    RUN(principal_axes);
    RUN(principal_moments_of_boxes);
    RUN(bad_meshes);
    RUN(any_finite_numbers);
    RUN(scales);
    RUN(many_triangles);
}
