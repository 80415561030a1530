/* Fitted boxes against what they promise: each holds every point exactly, none is larger than the box along the axes of the
 * world, and that of least volume is smaller than all that were found in any other way. */
#include "gen.h"
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* ---- the fits ---- */

enum { FITS = 12, MIN_VOLUME = 3 };

static const char *const fit_names[FITS] = {"from_points", "from_hull", "barequet", "min_volume",
                                            "pca_all",     "pca_max",   "pca_min",  "refine",
                                            "brute_force", "optimize",  "mesh",     "inertia"};

/* The hull as a mesh: of the same outside as the points. */
static cd_status fit_mesh(int fit, const cd_hull *hull, cd_obb *out) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    size_t count = cd_hull_triangles(hull, NULL, 0);
    uint32_t *t = (uint32_t *)malloc(3 * count * sizeof *t + 1);
    cd_mesh_view mesh = cd_mesh_view_make(p.vertices, p.vertex_count, t, (uint32_t)count);
    cd_status status;
    cd_hull_triangles(hull, t, count);
    if (count == 0) {
        status = ASK("judge", cd_obb_from_hull(hull, out));
    } else {
        status = fit == 10 ? ASK("judge", cd_obb_from_mesh(&mesh, out))
                           : ASK("judge", cd_obb_from_inertia(&mesh, out));
    }
    free(t);
    return status;
}

static cd_status fit_box(int fit, const cd_vec3 *points, size_t count, const cd_hull *hull,
                         const cd_allocator *allocator, cd_obb *out) {
    static const cd_obb_search_options few = {5, 3, 3, 7};
    switch (fit) {
    case 0: return ASK("exact", cd_obb_from_points(points, count, out));
    case 1: return ASK("exact", cd_obb_from_hull(hull, out));
    case 2: return ASK("exact", cd_obb_barequet(points, count, out));
    case 3: return ASK("exact", cd_obb_min_volume(hull, allocator, out));
    case 4: return ASK("exact", cd_obb_pca(points, count, CD_PCA_ALL, allocator, out));
    case 5: return ASK("exact", cd_obb_pca(points, count, CD_PCA_MAX, allocator, out));
    case 6: return ASK("exact", cd_obb_pca(points, count, CD_PCA_MIN, allocator, out));
    case 7:
        cd_obb_from_points(points, count, out);
        return ASK("exact", cd_obb_refine(points, count, allocator, out));
    case 8: return ASK("exact", cd_obb_brute_force(points, count, &few, out));
    case 9: return ASK("exact", cd_obb_optimize(points, count, &few, out));
    default: return fit_mesh(fit, hull, out);
    }
}

/* ---- judging ---- */

static double volume_of(const cd_obb *b) {
    return 8.0 * (double)b->half.x * (double)b->half.y * (double)b->half.z;
}

static exact exact_abs(exact a) {
    return a.sign < 0 ? exact_negate(a) : a;
}

/* Both definitions, with exact numbers: the products with the axes, and the solution of axes * s = p - center by Cramer. */
static bool holds_exactly(const cd_obb *b, cd_vec3 point) {
    exact_pool pool = exact_begin();
    double c[3], h[3], p[3], a[9];
    exact3 axis[3], d;
    exact det;
    bool good = true;
    to_doubles(REALS(b->center), c, 3);
    to_doubles(REALS(b->half), h, 3);
    to_doubles(REALS(b->axes), a, 9);
    to_doubles(REALS(point), p, 3);
    for (int i = 0; i < 3; ++i) axis[i] = exact3_from(a + 3 * i);
    d = exact3_sub(exact3_from(p), exact3_from(c));
    det = exact_abs(exact3_triple(axis[0], axis[1], axis[2]));
    for (int i = 0; i < 3; ++i) {
        exact half = exact_from(h[i]);
        good = good && exact_compare(exact_abs(exact3_dot(axis[i], d)), half) <= 0;
        good = good && exact_compare(exact_abs(exact3_triple(d, axis[(i + 1) % 3], axis[(i + 2) % 3])),
                                     exact_mul(half, det)) <= 0;
    }
    exact_end(pool);
    return good;
}

/* Doubles are enough for points well inside. */
static bool holds(const cd_obb *b, cd_vec3 p) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        double along = 0.0;
        for (int k = 0; k < 3; ++k)
            along += (double)REALS(b->axes.col[i])[k] * ((double)REALS(p)[k] - (double)REALS(b->center)[k]);
        if (!(fabs(along) < 0.99 * (double)REALS(b->half)[i])) most = 1.0;
    }
    return most == 0.0 || holds_exactly(b, p);
}

/* How far the box reaches beyond the points along its axes, in units of the number type of the distance to the farthest point. */
static double slack_of(const cd_obb *b, const cd_vec3 *points, size_t count) {
    double reach[3] = {0, 0, 0}, farthest = 0.0, most = 0.0, size = 0.0;
    double side[3][2] = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    for (size_t n = 0; n < count; ++n) {
        double d[3], square = 0.0;
        for (int k = 0; k < 3; ++k) {
            d[k] = (double)REALS(points[n])[k] - (double)REALS(b->center)[k];
            square += d[k] * d[k];
            size = fmax(size, fabs((double)REALS(points[n])[k]));
        }
        farthest = fmax(farthest, sqrt(square));
        for (int i = 0; i < 3; ++i) {
            double along = 0.0;
            for (int k = 0; k < 3; ++k) along += (double)REALS(b->axes.col[i])[k] * d[k];
            reach[i] = fmax(reach[i], fabs(along));
            side[i][0] = fmin(side[i][0], along);
            side[i][1] = fmax(side[i][1], along);
        }
    }
    for (int i = 0; i < 3; ++i) {
        most = fmax(most, (double)REALS(b->half)[i] - reach[i]);
        most = fmax(most, reach[i] - 0.5 * (side[i][1] - side[i][0]) - size * EPS);
    }
    return farthest > 1e-30 ? most / (farthest * EPS) : most;
}

static double longest_half(const cd_obb *b) {
    return fmax(fmax((double)b->half.x, (double)b->half.y), (double)b->half.z);
}

/* The volume in cubes of a unit of length: in range also where doubles have no number for that of a box. */
static double volume_in(const cd_obb *b, double unit) {
    return 8.0 * ((double)b->half.x / unit) * ((double)b->half.y / unit) * ((double)b->half.z / unit);
}

static void check_fit(const cd_obb *b, const cd_vec3 *points, size_t count) {
    cd_obb world = cd_obb_from_aabb(cd_aabb_from_points(points, count));
    size_t missed = 0;
    double slack = slack_of(b, points, count), unit = fmax(longest_half(b), longest_half(&world));
    if (unit < 1) unit = 1;
    CHECK(ASK("judge", cd_obb_is_valid(b)));
    for (size_t i = 0; i < count; ++i) missed += !holds(b, points[i]);
    CHECK_INT(missed, 0);
    CHECK(volume_in(b, unit) <= volume_in(&world, unit) * (1 + 4 * EPS * (sizeof(cd_real) == 8)));
    CHECK(slack <= 64.0 || !isfinite(slack));
}

/* The least that the extents of the same axes can come to. Among denormals a stored number is off by up to the smallest one: the centre by
 * half of it a coordinate, so less than one along an axis, and each half is rounded up by less than another. */
static double volume_before_rounding(const cd_obb *b) {
    double least = 2 * (double)cd_next_up(0), volume = 8.0;
    for (int k = 0; k < 3; ++k) volume *= fmax((double)REALS(b->half)[k] - least, 0.0);
    return volume;
}

static void check_all_fits(const cd_vec3 *points, size_t count) {
    cd_obb box[FITS];
    double size = 0.0; /* a centre far off is rounded more */
    cd_hull hull;
    CHECK_INT(cd_hull3_build(&hull, points, count, NULL), CD_OK);
    for (int i = 0; i < FITS; ++i) { /* of a few points some kinds of clouds have none */
        CHECK_INT(fit_box(i, points, count, &hull, NULL, &box[i]), count ? CD_OK : CD_INVALID_ARGUMENT);
        if (count) check_fit(&box[i], points, count);
    }
    for (size_t i = 0; i < 3 * count; ++i) size = fmax(size, fabs((double)REALS(points[i / 3])[i % 3]));
    for (int i = 0; i < FITS; ++i) {
        double least = volume_of(&box[i]), got = volume_before_rounding(&box[MIN_VOLUME]);
        double h = fmax(fmax((double)box[i].half.x, (double)box[i].half.y), (double)box[i].half.z);
        double w = fmin(fmin((double)box[i].half.x, (double)box[i].half.y), (double)box[i].half.z);
        if (!isfinite(least) || least < 1e-250 || w < 1e-4 * h) continue; /* rounded axes cost much there */
        if (h > (double)CD_REAL_MAX / 16) continue; /* the least may be beyond the range */
        if (!CHECK(got <= least * (1 + 1e-8 + 100 * EPS * (h + size) / w)))
            test_note("%s is smaller by %g", fit_names[i], 1 - least / got);
    }
    cd_hull_destroy(&hull);
}

static void fits_hold_random_points(void) {
    test_rng rng = test_random();
    for (long n = test_times(300); n > 0; --n) {
        gen g = gen_begin(&rng, (gen_kind)(n % GEN_KINDS));
        cd_vec3 p[40];
        int count = test_int(&rng, 1, n % 3 ? 40 : 5);
        for (int i = 0; i < count; ++i) p[i] = gen_point(&g);
        test_note("kind %d, %d points", (int)(n % GEN_KINDS), count);
        if (count <= 5) test_note_reals("p", REALS(p), 3 * count);
        check_all_fits(p, (size_t)count);
    }
}

/* From one end of the range to the middle: the volume of the bounding box is 0 times what doubles have no number for. */
static void fits_hold_the_ends_of_the_range(void) {
    cd_vec3 p[2];
    p[0] = cd_vec3_make(0, -3 * cd_next_up(0), -CD_REAL_MAX);
    p[1] = cd_vec3_make(-CD_REAL_MAX, -CD_REAL_MAX, -CD_REAL_MAX);
    test_note_reals("p", &p[0].x, 6);
    check_all_fits(p, 2);
}

static void fits_hold_any_numbers(void) {
    test_rng rng = test_random();
    for (long n = test_times(200); n > 0; --n) {
        cd_vec3 p[6];
        int count = test_int(&rng, 1, 6);
        for (int i = 0; i < 3 * count; ++i) REALS(p)[i] = gen_any_real(&rng);
        for (int i = 1; i < count; ++i) {
            if (!test_int(&rng, 0, 2)) REALS(p[i])[test_int(&rng, 0, 2)] = gen_near(&rng, p[0].x);
            if (!cd_vec3_is_valid(p[i])) p[i] = p[0];
        }
        test_note("");
        test_note_reals("p", REALS(p), 3 * count);
        check_all_fits(p, (size_t)count);
    }
}

static void fits_hold_clouds(void) {
    test_rng rng = test_random();
    for (long n = test_times(60); n > 0; --n) {
        int kind = test_int(&rng, 0, hulls_kind_count - 1);
        hulls_cloud c = hulls_cloud_make(&rng, hulls_kinds[kind].name, test_int(&rng, 1, 120));
        hulls_cloud_note(&c, hulls_kinds[kind].name);
        check_all_fits(c.points, c.count);
        hulls_cloud_free(&c);
    }
}

static void fits_hold_very_many_points(void) {
    static const int some[] = {0, 2, 4, 5, 6, 7};
    static const gen_kind kinds[] = {GEN_UNIT, GEN_GRID, GEN_FAR};
    test_rng rng = test_random();
    size_t count = (size_t)test_times(10000);
    cd_vec3 *p = (cd_vec3 *)malloc(count * sizeof *p);
    for (int k = 0; k < 3; ++k) {
        gen g = gen_begin(&rng, kinds[k]);
        for (size_t i = 0; i < count; ++i) p[i] = gen_point(&g);
        for (size_t f = 0; f < sizeof some / sizeof some[0]; ++f) {
            cd_obb b;
            test_note("%s of kind %d", fit_names[some[f]], (int)kinds[k]);
            CHECK_INT(fit_box(some[f], p, count, NULL, NULL, &b), CD_OK);
            check_fit(&b, p, count);
        }
    }
    free(p);
}

/* ---- the least volume ---- */

static const double degree = 0.017453292519943295769;

static double along(const double axis[3], cd_vec3 p) {
    return axis[0] * (double)p.x + axis[1] * (double)p.y + axis[2] * (double)p.z;
}

/* How far points of the plane reach along (c, s). */
static double reach_along(double (*q)[2], int count, double c, double s) {
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        double x = c * q[i][0] + s * q[i][1];
        lo = x < lo ? x : lo;
        hi = x > hi ? x : hi;
    }
    return hi - lo;
}

/* The least volume of boxes with the first of three axes, of `turns` turns by steps from the other two. */
static double least_about(const cd_vec3 *p, int count, double axis[3][3], int turns, double step) {
    double q[12][2], first[12][2], least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        first[i][0] = along(axis[0], p[i]), first[i][1] = 0.0;
        q[i][0] = along(axis[1], p[i]), q[i][1] = along(axis[2], p[i]);
    }
    for (int i = 0; i < turns; ++i) {
        double c = cos(step * i), s = sin(step * i);
        least = fmin(least, reach_along(q, count, c, s) * reach_along(q, count, -s, c));
    }
    return least * reach_along(first, count, 1.0, 0.0);
}

/* The least volume of boxes of a grid of all orientations: one axis of each is no farther than 55 degrees from z. */
static double least_on_grid(const cd_vec3 *p, int count, int degrees) {
    double least = HUGE_VAL, step = degrees * degree;
    for (int i = 0; i * degrees < 55 + degrees; ++i) {
        double z = cos(step * i), r = sin(step * i);
        for (int k = 0; k * degrees < (i ? 360 : 1); ++k) {
            double c = cos(step * k), s = sin(step * k);
            double axis[3][3] = {{r * c, r * s, z}, {z * c, z * s, -r}, {-s, c, 0.0}};
            least = fmin(least, least_about(p, count, axis, 90 / degrees, step));
        }
    }
    return least;
}

/* The same for turns of the box about axes of its own, a few degrees each. */
static double least_beside(const cd_vec3 *p, int count, const cd_obb *b) {
    double least = HUGE_VAL;
    for (int i = 0; i < 121; ++i) {
        double y = degree * (i % 11 - 5), z = degree * (i / 11 - 5), axis[3][3];
        for (int k = 0; k < 3; ++k) {
            double u = (double)REALS(b->axes.col[0])[k], v = (double)REALS(b->axes.col[1])[k];
            double w = (double)REALS(b->axes.col[2])[k], t = cos(z) * u + sin(z) * v;
            double across = cos(z) * v - sin(z) * u;
            axis[0][k] = cos(y) * t - sin(y) * w;
            axis[1][k] = cos(5 * degree) * across - sin(5 * degree) * (sin(y) * t + cos(y) * w);
            axis[2][k] = sin(5 * degree) * across + cos(5 * degree) * (sin(y) * t + cos(y) * w);
        }
        least = fmin(least, least_about(p, count, axis, 11, degree));
    }
    return least;
}

/* One in twenty against the full grid of one degree, the others against one of six, and all against one beside the result. */
static void min_volume_beats_a_grid(void) {
    test_rng rng = test_random();
    long fine = test_times(20) / 20;
    for (long n = test_times(20); n > 0; --n) {
        cd_vec3 p[12];
        int count = test_int(&rng, 4, 12), degrees = n <= fine ? 1 : 6;
        double margin = 1 + 1e-8 + 100 * EPS;
        cd_hull hull;
        cd_obb b;
        for (int i = 0; i < count; ++i) {
            gen g = gen_begin(&rng, n % 2 ? GEN_UNIT : GEN_GRID);
            p[i] = gen_point(&g);
        }
        test_note("");
        test_note_reals("p", REALS(p), 3 * count);
        CHECK_INT(cd_hull3_build(&hull, p, (size_t)count, NULL), CD_OK);
        CHECK_INT(cd_obb_min_volume(&hull, NULL, &b), CD_OK);
        if (cd_hull_get_parts(&hull).dimension == 3) {
            CHECK(volume_of(&b) <= least_on_grid(p, count, degrees) * margin + 100 * EPS);
            CHECK(volume_of(&b) <= least_beside(p, count, &b) * margin + 100 * EPS);
        }
        cd_hull_destroy(&hull);
    }
}

/* The cube around a regular tetrahedron, sqrt(1/2) of its edges: no box is smaller. */
static void min_volume_of_known_bodies(void) {
    test_rng rng = test_random();
    for (long n = test_times(50); n > 0; --n) {
        cd_transform pose = gen_pose(&rng, 3.0);
        cd_vec3 half = cd_vec3_make((cd_real)test_range(&rng, 0.1, 2), (cd_real)test_range(&rng, 0.1, 2),
                                    (cd_real)test_range(&rng, 0.1, 2)),
                v[8];
        cd_obb unit = cd_obb_from_aabb(cd_aabb_empty()), b;
        cd_hull hull;
        int count = n % 2 ? 8 : 4;
        unit.half = n % 2 ? half : cd_vec3_make(1, 1, 1);
        unit = cd_obb_transform(&unit, &pose);
        cd_obb_to_vertices(&unit, v);
        if (count == 4) v[1] = v[3], v[2] = v[5], v[3] = v[6];
        test_note_reals("v", REALS(v), 3 * count);
        CHECK_INT(cd_hull3_build(&hull, v, (size_t)count, NULL), CD_OK);
        CHECK_INT(cd_obb_min_volume(&hull, NULL, &b), CD_OK);
        CHECK_NEAR(volume_of(&b) / volume_of(&unit), 1.0, 2000 * EPS);
        cd_hull_destroy(&hull);
    }
}

/* ---- statistics ---- */

/* Corners of a box many times over, and points inside, turn the box of the points but not that of the hull. */
static void surfaces_do_not_see_density(void) {
    cd_aabb box = {{-3, -2, -1}, {3, 2, 1}};
    cd_obb world = cd_obb_from_aabb(box), b;
    cd_vec3 p[200];
    cd_hull hull;
    cd_obb_to_vertices(&world, p);
    for (int i = 8; i < 200; ++i) p[i] = i < 150 ? p[0] : cd_vec3_scale(p[7], (cd_real)0.9);
    CHECK_INT(cd_hull3_build(&hull, p, 200, NULL), CD_OK);
    CHECK_INT(cd_obb_from_hull(&hull, &b), CD_OK);
    CHECK_NEAR(volume_of(&b), 48.0, 48 * 8 * EPS);
    CHECK_NEAR((double)b.half.x, 3.0, 8 * EPS);
    CHECK_NEAR((double)b.half.z, 1.0, 8 * EPS);
    CHECK_INT(cd_obb_from_points(p, 200, &b), CD_OK);
    CHECK_NEAR(volume_of(&b), 48.0, 48 * 8 * EPS); /* that of the axes of the world */
    cd_hull_destroy(&hull);
}

static void solids_have_their_axes(void) {
    test_rng rng = test_random();
    for (int n = 0; n < 10; ++n) {
        static const uint32_t t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
        cd_transform pose = gen_pose(&rng, 3.0);
        cd_obb unit = cd_obb_from_aabb(cd_aabb_empty()), b, c;
        cd_vec3 v[9];
        cd_mesh_view mesh = cd_mesh_view_make(v, 9, t, 12);
        unit.half = cd_vec3_make(3, 2, 1);
        unit = cd_obb_transform(&unit, &pose);
        cd_obb_to_vertices(&unit, v);
        v[8] = cd_vec3_make(100, 100, 100); /* in no triangle */
        CHECK_INT(ASK("judge", cd_obb_from_inertia(&mesh, &b)), CD_OK);
        CHECK_INT(ASK("judge", cd_obb_from_mesh(&mesh, &c)), CD_OK);
        CHECK_NEAR(volume_of(&b), 48.0, 48 * 400 * EPS);
        CHECK_NEAR(volume_of(&c), 48.0, 48 * 400 * EPS);
        check_fit(&b, v, 8);
    }
}

/* Each of these is best across its own axis; refining never loses. */
static void rectangles_across_axes_gain(void) {
    test_rng rng = test_random();
    for (long n = test_times(50); n > 0; --n) {
        hulls_cloud c = hulls_cloud_make(&rng, hulls_kinds[0].name, 60);
        cd_obb all, some, refined;
        CHECK_INT(cd_obb_pca(c.points, c.count, CD_PCA_ALL, NULL, &all), CD_OK);
        for (int k = CD_PCA_MAX; k <= CD_PCA_MIN; ++k) {
            CHECK_INT(cd_obb_pca(c.points, c.count, (cd_pca_axes)k, NULL, &some), CD_OK);
            CHECK(volume_of(&some) <= volume_of(&all) * (1 + 64 * EPS) + EPS * EPS);
            refined = some;
            CHECK_INT(cd_obb_refine(c.points, c.count, NULL, &refined), CD_OK);
            CHECK(volume_of(&refined) <= volume_of(&some) * (1 + 64 * EPS) + EPS * EPS);
        }
        hulls_cloud_free(&c);
    }
}

/* ---- flat things ---- */

/* In a line, in a plane, turned or along axes; and one point many times. */
static void flat_things_are_flat(void) {
    test_rng rng = test_random();
    for (long n = test_times(100); n > 0; --n) {
        int dimension = (int)(n % 3);
        bool along_axes = n % 2 == 0;
        cd_transform pose = gen_pose(&rng, along_axes ? 0.0 : 2.0);
        cd_vec3 p[30];
        cd_hull hull;
        if (along_axes) pose.rotation = cd_quat_identity();
        for (int i = 0; i < 30; ++i) {
            double x = test_range(&rng, -1, 1), y = test_range(&rng, -1, 1);
            p[i] = cd_vec3_make((cd_real)(dimension > 0 ? x : 0.7), (cd_real)(dimension > 1 ? y : 0.3), 0);
            p[i] = cd_transform_point(&pose, p[i]);
        }
        test_note("dimension %d", dimension);
        test_note_reals("p", REALS(p), 90);
        CHECK_INT(cd_hull3_build(&hull, p, 30, NULL), CD_OK);
        for (int i = 0; i < FITS; ++i) {
            double h[3], t;
            cd_obb b;
            CHECK_INT(fit_box(i, p, 30, &hull, NULL, &b), CD_OK);
            check_fit(&b, p, 30);
            to_doubles(REALS(b.half), h, 3);
            for (int k = 0; k < 3; ++k) {
                int next = (k + 1) % 3;
                if (k < 2 && h[k] < h[next]) t = h[k], h[k] = h[next], h[next] = t;
                if (k == 1 && h[0] < h[1]) t = h[0], h[0] = h[1], h[1] = t;
            }
            for (int k = dimension; k < 3; ++k) {
                if (!CHECK(h[k] <= (along_axes ? 0.0 : 64 * EPS))) test_note("%s: %a", fit_names[i], h[k]);
            }
        }
        cd_hull_destroy(&hull);
    }
}

/* ---- bad input, memory ---- */

static void bad_input_is_refused(void) {
    cd_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t t[3] = {0, 1, 9};
    cd_mesh_view none = cd_mesh_view_make(NULL, 0, NULL, 0), wrong = cd_mesh_view_make(p, 4, t, 1);
    cd_obb_search_options o;
    cd_hull hull, empty;
    cd_obb b;
    memset(&empty, 0, sizeof empty);
    memset(&o, 0, sizeof o);
    CHECK_INT(cd_hull3_build(&hull, p, 4, NULL), CD_OK);
    for (int i = 0; i < 10; ++i) {
        bool of_hull = i == 1 || i == 3;
        CHECK_INT(fit_box(i, NULL, 0, &empty, NULL, &b), CD_INVALID_ARGUMENT);
        CHECK(volume_of(&b) == 0 && b.axes.col[0].x == 0);
        for (int k = 0; k < 12 && !of_hull; ++k) {
            cd_real keep = REALS(p)[k];
            REALS(p)[k] = (cd_real)(k % 2 ? NAN : -INFINITY);
            CHECK_INT(fit_box(i, p, 4, &hull, NULL, &b), CD_INVALID_ARGUMENT);
            CHECK(b.axes.col[0].x == 0);
            REALS(p)[k] = keep;
        }
    }
    CHECK_INT(ASK("bad", cd_obb_from_mesh(&none, &b)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_obb_from_inertia(&wrong, &b)), CD_INVALID_ARGUMENT);
    o.steps = 1;
    CHECK_INT(cd_obb_brute_force(p, 4, &o, &b), CD_INVALID_ARGUMENT);
    o.steps = 2000000;
    CHECK_INT(cd_obb_optimize(p, 4, &o, &b), CD_INVALID_ARGUMENT);
    o.steps = 0;
    o.rounds = 65;
    CHECK_INT(cd_obb_brute_force(p, 4, &o, &b), CD_INVALID_ARGUMENT);
    cd_hull_destroy(&hull);
}

void suite_obb_fit(void) {
    RUN(fits_hold_random_points);
    RUN(fits_hold_the_ends_of_the_range);
    RUN(fits_hold_any_numbers);
    RUN(fits_hold_clouds);
    RUN(fits_hold_very_many_points);
    RUN(min_volume_beats_a_grid);
    RUN(min_volume_of_known_bodies);
    RUN(surfaces_do_not_see_density);
    RUN(solids_have_their_axes);
    RUN(rectangles_across_axes_gain);
    RUN(flat_things_are_flat);
    RUN(bad_input_is_refused);
}
