/* Bodies that meshes bound, against each other: do they overlap, how far apart or how deep, how far to go along a direction to be free,
 * where surfaces cross. Judged by closed forms of boxes, by the supports of convex bodies, and by all triangles of both, one by one, with
 * full sums for what is inside. */
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- bodies ---- */

typedef struct body {
    gen_mesh mesh;
    cd_bvh tree;
    cd_bvh_winding winding;
    cd_solid solid;
    uint32_t piece[8]; /* a vertex of each piece */
    int pieces;
} body;

static gen_mesh mesh_begin(uint32_t vertices, uint32_t triangles) {
    gen_mesh m;
    m.vertex_count = vertices;
    m.triangle_count = triangles;
    m.vertices = (cd_vec3 *)malloc(vertices * sizeof *m.vertices);
    m.indices = (uint32_t *)malloc(3 * triangles * sizeof *m.indices);
    return m;
}

static gen_mesh mesh_box(double x0, double y0, double z0, double x1, double y1, double z1) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    gen_mesh m = mesh_begin(8, 12);
    for (int i = 0; i < 8; ++i)
        m.vertices[i] =
            cd_vec3_make((cd_real)(i & 1 ? x1 : x0), (cd_real)(i & 2 ? y1 : y0), (cd_real)(i & 4 ? z1 : z0));
    memcpy(m.indices, faces, sizeof faces);
    return m;
}

static void mesh_flip(gen_mesh *m) {
    for (uint32_t i = 0; i < m->triangle_count; ++i) {
        uint32_t b = m->indices[3 * i + 1];
        m->indices[3 * i + 1] = m->indices[3 * i + 2];
        m->indices[3 * i + 2] = b;
    }
}

static gen_mesh mesh_both(gen_mesh a, gen_mesh b) {
    gen_mesh m = mesh_begin(a.vertex_count + b.vertex_count, a.triangle_count + b.triangle_count);
    memcpy(m.vertices, a.vertices, a.vertex_count * sizeof *m.vertices);
    memcpy(m.vertices + a.vertex_count, b.vertices, b.vertex_count * sizeof *m.vertices);
    memcpy(m.indices, a.indices, 3 * a.triangle_count * sizeof *m.indices);
    for (uint32_t i = 0; i < 3 * b.triangle_count; ++i)
        m.indices[3 * a.triangle_count + i] = b.indices[i] + a.vertex_count;
    gen_mesh_free(&a);
    gen_mesh_free(&b);
    return m;
}

/* n around, n across, 2 n^2 triangles. */
static gen_mesh mesh_torus(int n, double radius, double tube) {
    gen_mesh m = mesh_begin((uint32_t)(n * n), (uint32_t)(2 * n * n));
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double u = 6.283185307179586 * i / n, v = 6.283185307179586 * j / n, r = radius + tube * cos(v);
            uint32_t a = (uint32_t)(i * n + j), b = (uint32_t)((i + 1) % n * n + j);
            uint32_t c = (uint32_t)(i * n + (j + 1) % n), d = (uint32_t)((i + 1) % n * n + (j + 1) % n);
            uint32_t *at = m.indices + 6 * a;
            m.vertices[a] =
                cd_vec3_make((cd_real)(r * cos(u)), (cd_real)(r * sin(u)), (cd_real)(tube * sin(v)));
            at[0] = a, at[1] = b, at[2] = d;
            at[3] = a, at[4] = d, at[5] = c;
        }
    }
    return m;
}

/* Extruded along y, an L in x and z: [0,2]x[0,1] and [0,1]x[0,2]. */
static gen_mesh mesh_l(void) {
    static const double c[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const uint32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    gen_mesh m = mesh_begin(12, 20);
    for (uint32_t i = 0; i < 6; ++i) {
        uint32_t j = (i + 1) % 6, *at = m.indices + 6 * i;
        m.vertices[i] = cd_vec3_make((cd_real)c[i][0], 0, (cd_real)c[i][1]);
        m.vertices[i + 6] = cd_vec3_make((cd_real)c[i][0], 1, (cd_real)c[i][1]);
        at[0] = i, at[1] = i + 6, at[2] = j;
        at[3] = j, at[4] = i + 6, at[5] = j + 6;
    }
    for (uint32_t i = 0; i < 4; ++i) {
        uint32_t *at = m.indices + 36 + 6 * i;
        at[0] = cap[i][0], at[1] = cap[i][1], at[2] = cap[i][2];
        at[3] = cap[i][0] + 6, at[4] = cap[i][2] + 6, at[5] = cap[i][1] + 6;
    }
    return m;
}

static void body_of(body *b, gen_mesh m, uint32_t layout) {
    cd_mesh_view view = gen_mesh_view(&m);
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    memset(b, 0, sizeof *b);
    o.layout = layout;
    b->mesh = m;
    if (cd_bvh_build_mesh(&b->tree, &view, &o) != CD_OK) abort();
    if (cd_bvh_winding_build(&b->winding, &b->tree, NULL) != CD_OK) abort();
    b->solid = cd_solid_of(&b->tree, &b->winding);
    b->pieces = 1;
}

static void body_free(body *b) {
    cd_bvh_winding_destroy(&b->winding);
    cd_bvh_destroy(&b->tree);
    gen_mesh_free(&b->mesh);
}

static body body_box(double x0, double y0, double z0, double x1, double y1, double z1) {
    body b;
    body_of(&b, mesh_box(x0, y0, z0, x1, y1, z1), 0);
    b.solid = cd_solid_of(NULL, NULL);
    return b;
}

/* A body in its place: the solid points into it. */
static const cd_solid *solid_of(body *b) {
    b->solid = cd_solid_of(&b->tree, &b->winding);
    return &b->solid;
}

static cd_transform moved(double x, double y, double z) {
    cd_transform t = cd_transform_identity();
    t.position = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    return t;
}

/* Shares of the size that numbers may be off. */
#define OFF ((sizeof(cd_real) == 4 ? 16 : 512) * (double)CD_REAL_EPSILON)

/* ---- the reference: all pairs, full sums ---- */

static cd_triangle posed(const gen_mesh *m, uint32_t i, const cd_transform *pose) {
    cd_triangle t = gen_mesh_triangle(m, i);
    return pose ? cd_triangle_transform(&t, pose) : t;
}

static bool slow_surfaces(const body *a, const body *b, const cd_transform *pose) {
    for (uint32_t i = 0; i < b->mesh.triangle_count; ++i) {
        cd_triangle u = posed(&b->mesh, i, pose);
        for (uint32_t j = 0; j < a->mesh.triangle_count; ++j) {
            cd_triangle t = gen_mesh_triangle(&a->mesh, j);
            if (cd_test_triangle_triangle(&t, &u)) return true;
        }
    }
    return false;
}

/* What is on the surface but for rounding is not. */
static bool slow_inside(const body *x, cd_vec3 p) {
    cd_mesh_view view = gen_mesh_view(&x->mesh);
    return cd_winding_number_mesh(p, &view) >= (cd_real)0.5 &&
           !cd_bvh_test_distance(&x->tree, p, (cd_real)OFF, NULL);
}

static bool slow_overlap(const body *a, const body *b, const cd_transform *pose) {
    cd_transform back = cd_transform_inverse(pose);
    if (slow_surfaces(a, b, pose)) return true;
    for (int i = 0; i < b->pieces; ++i) {
        if (slow_inside(a, cd_transform_point(pose, b->mesh.vertices[b->piece[i]]))) return true;
    }
    for (int i = 0; i < a->pieces; ++i) {
        if (slow_inside(b, cd_transform_point(&back, a->mesh.vertices[a->piece[i]]))) return true;
    }
    return false;
}

static cd_transform pose_along(const cd_transform *pose, cd_vec3 dir, double t) {
    cd_transform r = *pose;
    r.position = cd_vec3_make((cd_real)((double)r.position.x + t * (double)dir.x),
                              (cd_real)((double)r.position.y + t * (double)dir.y),
                              (cd_real)((double)r.position.z + t * (double)dir.z));
    return r;
}

static bool pose_is(const cd_transform *a, const cd_transform *b) {
    return memcmp(REALS(a->position), REALS(b->position), sizeof a->position) == 0 &&
           memcmp(REALS(a->rotation), REALS(b->rotation), sizeof a->rotation) == 0;
}

/* The way is right as far as samples tell: overlapping before its end, free there, and from `beyond` on. */
static void check_way(body *a, body *b, const cd_transform *pose, const cd_solid_way *w, int samples) {
    double size = 8.0, t = (double)w->t, beyond = (double)w->beyond;
    cd_transform at;
    CHECK_INT(w->status, CD_OK);
    if (!CHECK(w->t >= 0 && w->beyond >= w->t && w->beyond < CD_REAL_MAX)) return;
    CHECK(!slow_overlap(a, b, &w->b_in_a));
    CHECK(!ASK("judge", cd_solid_test(solid_of(a), solid_of(b), &w->b_in_a, NULL, NULL)));
    if (w->t <= 0) CHECK(pose_is(&w->b_in_a, pose));
    for (int i = 0; i < samples; ++i) {
        double s = t * (i + 0.5) / samples;
        at = pose_along(pose, w->direction, s);
        if (t > 1e-4 * size) CHECK(slow_overlap(a, b, &at));
        at = pose_along(pose, w->direction, beyond + 1e-5 * size + 4.0 * i / samples);
        CHECK(!slow_overlap(a, b, &at));
    }
    at = pose_along(pose, w->direction, t - 1e-4 * size);
    if (t > 2e-4 * size) CHECK(slow_overlap(a, b, &at));
    if (w->t > 0 && w->pair.a != CD_NONE) {
        CHECK_NEAR(cd_vec3_dot(w->normal, w->normal), 1, OFF);
        CHECK(cd_vec3_dot(w->normal, w->direction) > 0);
    }
}

/* ---- boxes: everything in closed form ---- */

static void boxes_along_axes(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        double lo[2][3], hi[2][3], want = 1e30, end;
        int axis = test_int(&rng, 0, 2), sign = test_int(&rng, 0, 1) ? 1 : -1;
        cd_vec3 dir = cd_vec3_make((cd_real)(axis == 0 ? sign * 3 : 0), (cd_real)(axis == 1 ? sign * 3 : 0),
                                   (cd_real)(axis == 2 ? sign * 3 : 0));
        body a, b;
        cd_solid_way w;
        bool overlap = true;
        for (int k = 0; k < 3; ++k) {
            for (int n = 0; n < 2; ++n) {
                lo[n][k] = test_int(&rng, -8, 7) / 4.0;
                hi[n][k] = lo[n][k] + test_int(&rng, 1, 8) / 4.0;
            }
            if (k != axis) overlap = overlap && lo[0][k] <= hi[1][k] && lo[1][k] <= hi[0][k];
        }
        a = body_box(lo[0][0], lo[0][1], lo[0][2], hi[0][0], hi[0][1], hi[0][2]);
        b = body_box(lo[1][0], lo[1][1], lo[1][2], hi[1][0], hi[1][1], hi[1][2]);
        end = sign > 0 ? hi[0][axis] - lo[1][axis] : hi[1][axis] - lo[0][axis];
        want = overlap && end >= 0 && lo[0][axis] <= hi[1][axis] && lo[1][axis] <= hi[0][axis] ? end : 0;
        w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, dir, NULL));
        test_note("axis %d sign %d", axis, sign);
        test_note_reals("a", REALS(a.mesh.vertices[0]), 24);
        test_note_reals("b", REALS(b.mesh.vertices[0]), 24);
        CHECK_INT(w.status, CD_OK);
        CHECK_NEAR(w.t, want, 4 * OFF);
        CHECK((double)w.t >= want);
        CHECK_NEAR(w.beyond, overlap && end >= 0 ? end : 0, 4 * OFF);
        CHECK_INT(cd_solid_test(solid_of(&a), solid_of(&b), NULL, NULL, NULL),
                  overlap && lo[0][axis] <= hi[1][axis] && lo[1][axis] <= hi[0][axis]);
        body_free(&a);
        body_free(&b);
    }
}

/* A duct through a wall: the way out is 0.55 or 0.75, the duct is 1.1 long, and the wall is 0.2 thick (ifc-lite PR 2536). */
static void duct_through_a_wall(void) {
    body wall = body_box(-2, -0.1, -2, 2, 0.1, 2), duct = body_box(-0.25, -0.45, -0.25, 0.25, 0.65, 0.25);
    const cd_solid *a = solid_of(&wall), *b = solid_of(&duct);
    cd_solid_way w;
    cd_solid_gap gap;
    cd_real from, to;
    static cd_solid_piece pieces[64];
    cd_solid_region regions[4];
    size_t count;
    w = ASK("judge", cd_solid_depth(a, b, NULL, cd_vec3_make(0, 5, 0), NULL));
    CHECK_NEAR(w.t, 0.55, OFF);
    CHECK_VEC(w.normal, cd_vec3_make(0, 1, 0), OFF);
    CHECK_NEAR(w.point.y, 0.1, OFF);
    w = ASK("judge", cd_solid_depth(a, b, NULL, cd_vec3_make(0, -1, 0), NULL));
    CHECK_NEAR(w.t, 0.75, OFF);
    w = ASK("judge", cd_solid_depth(a, b, NULL, cd_vec3_make(1, 0, 0), NULL));
    CHECK_NEAR(w.t, 2.25, 4 * OFF);
    w = cd_solid_depth_least(a, b, NULL, NULL, 0, NULL);
    CHECK_NEAR(w.t, 0.55, OFF);
    CHECK(ASK("judge", cd_solid_extent(a, b, NULL, cd_vec3_make(0, 2, 0), NULL, &from, &to)));
    CHECK_NEAR(from, -0.1, OFF);
    CHECK_NEAR(to, 0.1, OFF);
    CHECK(ASK("judge", cd_solid_extent(a, b, NULL, cd_vec3_make(0, 0, 1), NULL, &from, &to)));
    CHECK_NEAR(to - from, 0.5, OFF);
    gap = ASK("judge", cd_solid_clearance(a, b, NULL, NULL));
    CHECK_INT(gap.relation, CD_SOLID_CROSSING);
    CHECK_NEAR(gap.distance, -0.25, 0.005);
    CHECK((double)gap.gap <= 0.005);
    count = cd_solid_curve(a, b, NULL, NULL, pieces, 64);
    if (!CHECK(count > 0 && count <= 64)) return;
    CHECK_INT(cd_solid_regions(a, b, NULL, NULL, pieces, count, regions, 4), 2);
    for (int i = 0; i < 2; ++i) {
        double side = regions[i].center.y > 0 ? 1 : -1;
        CHECK_VEC(regions[i].center, cd_vec3_make(0, (cd_real)(0.1 * side), 0), OFF);
        CHECK_VEC(regions[i].normal, cd_vec3_make(0, (cd_real)side, 0), OFF);
        CHECK_NEAR(regions[i].length, 2, OFF);
        CHECK_NEAR(regions[i].area, 0.25, OFF);
        CHECK_NEAR(regions[i].depth, 0.2, OFF);
        CHECK_SAME(regions[i].face_area, 0);
    }
    CHECK_INT(regions[0].first, 0);
    CHECK_INT(regions[1].first, regions[0].count);
    CHECK_INT(regions[0].count + regions[1].count, count);
    body_free(&wall);
    body_free(&duct);
}

/* Bodies set side by side: touching, and no clash. */
static void touching_is_no_clash(void) {
    body a = body_box(0, 0, 0, 1, 1, 1), b = body_box(0.25, -0.25, 1, 1.25, 0.75, 2);
    cd_solid_options o;
    cd_solid_gap gap;
    cd_solid_way w;
    static cd_solid_piece pieces[64];
    cd_solid_region region;
    size_t count;
    memset(&o, 0, sizeof o);
    CHECK(cd_solid_test(solid_of(&a), solid_of(&b), NULL, NULL, NULL));
    gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), NULL, NULL));
    CHECK_INT(gap.status, CD_OK);
    CHECK_INT(gap.relation, CD_SOLID_TOUCHING);
    CHECK_NEAR(gap.distance, 0, OFF);
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(0, 0, 1), NULL));
    CHECK_NEAR(w.t, 0, OFF);
    CHECK(w.t > 0);
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(1, 0, 0), NULL));
    CHECK_NEAR(w.t, 0.75, OFF);
    o.tolerance = (cd_real)1e-4;
    for (int i = 0; i < 4; ++i) {
        static const double down[4] = {0, 0.00005, 0.0002, 0.02};
        cd_transform pose = moved(0, 0, -down[i]);
        gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &pose, &o));
        CHECK_INT(gap.status, CD_OK);
        CHECK_INT(gap.relation, down[i] < 1e-4 ? CD_SOLID_TOUCHING : CD_SOLID_CROSSING);
        w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &pose, cd_vec3_make(1, 0, 0), &o));
        if (down[i] < 1e-4) CHECK_SAME(w.t, 0);
        w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &pose, cd_vec3_make(0, 0, 1), &o));
        CHECK_NEAR(w.t, down[i] > 1e-4 ? down[i] - 1e-4 : 0, 1e-5);
    }
    gap.relation = 7;
    {
        cd_transform pose = moved(0, 0, 0.5);
        gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &pose, &o));
        CHECK_INT(gap.relation, CD_SOLID_APART);
        CHECK_NEAR(gap.distance, 0.5, OFF);
        CHECK_NEAR(gap.a.z, 1, OFF);
        CHECK_NEAR(gap.b.z, 1.5, OFF);
        o.max_distance = (cd_real)0.25;
        gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &pose, &o));
        CHECK_INT(gap.relation, CD_SOLID_APART);
        CHECK_NEAR(gap.distance, 0.25, 0);
        CHECK_INT(gap.pair.a, CD_NONE);
    }
    count = cd_solid_curve(solid_of(&a), solid_of(&b), NULL, NULL, pieces, 64);
    if (!CHECK(count > 0 && count <= 64)) return;
    CHECK_INT(cd_solid_regions(solid_of(&a), solid_of(&b), NULL, NULL, pieces, count, &region, 1), 1);
    CHECK_VEC(region.normal, cd_vec3_make(0, 0, 1), OFF);
    CHECK_NEAR(region.face_area, 0.5625, OFF);
    CHECK_VEC(region.center, cd_vec3_make((cd_real)0.625, (cd_real)0.375, 1), OFF);
    CHECK_NEAR(region.depth, 0, OFF);
    body_free(&a);
    body_free(&b);
}

/* A bar across the plane of s and d, whose section is a polygon, cut into triangles. */
static gen_mesh mesh_bar(const double (*section)[2], uint32_t n, const uint32_t (*cut)[3], double half,
                         const double s[3], const double d[3], const double w[3]) {
    gen_mesh m = mesh_begin(2 * n, 2 * n + 2 * (n - 2));
    uint32_t *at = m.indices;
    for (uint32_t i = 0; i < 2 * n; ++i) {
        const double *q = section[i % n];
        double out[3];
        for (int k = 0; k < 3; ++k) out[k] = q[0] * s[k] + q[1] * d[k] + (i < n ? -half : half) * w[k];
        m.vertices[i] = cd_vec3_make((cd_real)out[0], (cd_real)out[1], (cd_real)out[2]);
    }
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t j = (i + 1) % n;
        *at++ = i, *at++ = j, *at++ = n + j;
        *at++ = i, *at++ = n + j, *at++ = n + i;
    }
    for (uint32_t i = 0; i < n - 2; ++i) {
        *at++ = n + cut[i][0], *at++ = n + cut[i][1], *at++ = n + cut[i][2];
        *at++ = cut[i][0], *at++ = cut[i][2], *at++ = cut[i][1];
    }
    return m;
}

/* A bar sticks in the keel of a deep groove, and has no room beside: the least way out is up, in each of the 26 directions that the library
 * has to try, which no normal of the two has, and which is not found about another. */
static void grooves_in_all_directions(void) {
    static const double groove[10][2] = {{0, -25}, {20, -10}, {20, 5},  {1, 10},  {1, 0.6},
                                         {0, 0},   {-1, 0.6}, {-1, 10}, {-20, 5}, {-20, -10}};
    static const uint32_t groove_cut[8][3] = {{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4},
                                              {0, 5, 9}, {9, 5, 6}, {9, 6, 8}, {8, 6, 7}};
    static const double bar[6][2] = {{0, -0.1}, {0.999, 0.4994}, {0.999, 3},
                                     {0, 3.5},  {-0.999, 3},     {-0.999, 0.4994}};
    static const uint32_t bar_cut[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    for (int i = 0; i < 27; i += test_is_tiny() ? 4 : 1) {
        double d[3] = {i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0}, s[3] = {0.31, -0.53, 0.79}, w[3];
        double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), along = 0;
        body a, b;
        cd_solid_way way;
        if (size == 0) continue;
        for (int k = 0; k < 3; ++k) d[k] /= size, along += s[k] * d[k];
        for (int k = 0; k < 3; ++k) s[k] -= along * d[k];
        size = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        for (int k = 0; k < 3; ++k) s[k] /= size;
        for (int k = 0; k < 3; ++k) w[k] = s[(k + 1) % 3] * d[(k + 2) % 3] - s[(k + 2) % 3] * d[(k + 1) % 3];
        body_of(&a, mesh_bar(groove, 10, groove_cut, 30, s, d, w), 0);
        body_of(&b, mesh_bar(bar, 6, bar_cut, 2, s, d, w), 0);
        test_note("direction %d", i);
        way = cd_solid_depth_least(solid_of(&a), solid_of(&b), NULL, NULL, 0, NULL);
        CHECK_INT(way.status, CD_OK);
        CHECK_NEAR(way.t, 0.1, 1e-4);
        CHECK_VEC(way.direction, cd_vec3_make((cd_real)d[0], (cd_real)d[1], (cd_real)d[2]), 1e-2);
        body_free(&a);
        body_free(&b);
    }
}

/* A single piece that is a point is in its own middle, whatever comes after it; a face, however small, in that of its box. */
static void middles_of_regions(void) {
    body a = body_box(-1, -1, -1, 1, 1, 1), b = body_box(0.25, 0.25, 0.25, 2, 2, 2);
    static cd_solid_piece pieces[64];
    cd_solid_region region;
    size_t count = cd_solid_curve(solid_of(&a), solid_of(&b), NULL, NULL, pieces, 64);
    if (!CHECK(count > 2 && count <= 64)) return;
    for (uint32_t points = 1; points <= 3; points += 2) {
        for (int i = 0; i < 3; ++i) {
            cd_solid_piece *p = &pieces[i];
            p->points = points;
            p->area = (cd_real)(points == 3 ? 0.125 : 0);
            p->a = p->b = cd_vec3_make(1, (cd_real)(0.25 * i), 1);
            p->box.min = p->box.max = p->a;
            if (points == 3) p->box.max = cd_vec3_make((cd_real)1.5, 1, 1);
        }
        test_note("%u", points);
        CHECK_INT(cd_solid_regions(solid_of(&a), solid_of(&b), NULL, NULL, pieces, 1, &region, 1), 1);
        CHECK_VEC(region.center,
                  points == 1 ? cd_vec3_make(1, 0, 1) : cd_vec3_make((cd_real)1.25, (cd_real)0.5, 1), OFF);
        CHECK_NEAR(region.face_area, points == 1 ? 0 : 0.125, OFF);
    }
    body_free(&a);
    body_free(&b);
}

/* One within the other, in a hollow, and in pieces: no surfaces meet. */
static void nested_bodies(void) {
    body a = body_box(-1, -1, -1, 1, 1, 1), b = body_box(-0.5, 0, 0, 0, 0.25, 0.25), hollow, two;
    cd_solid_gap gap;
    cd_solid_way w;
    cd_pair pair = {7, 7};
    cd_real from, to;
    gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), NULL, NULL));
    CHECK_INT(gap.relation, CD_SOLID_B_IN_A);
    CHECK_NEAR(gap.distance, -1, 0.02);
    gap = ASK("judge", cd_solid_clearance(solid_of(&b), solid_of(&a), NULL, NULL));
    CHECK_INT(gap.relation, CD_SOLID_A_IN_B);
    CHECK(cd_solid_test(solid_of(&a), solid_of(&b), NULL, NULL, &pair));
    CHECK(pair.a == CD_NONE && pair.b == CD_NONE);
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(1, 0, 0), NULL));
    CHECK_NEAR(w.t, 1.5, OFF);
    w = ASK("judge", cd_solid_depth(solid_of(&b), solid_of(&a), NULL, cd_vec3_make(1, 0, 0), NULL));
    CHECK_NEAR(w.t, 1, OFF);
    w = cd_solid_depth_least(solid_of(&a), solid_of(&b), NULL, NULL, 0, NULL);
    CHECK_NEAR(w.t, 1, OFF);
    CHECK(ASK("judge",
              cd_solid_extent(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(1, 0, 0), NULL, &from, &to)));
    CHECK_NEAR(from, -0.5, OFF);
    CHECK_NEAR(to, 0, OFF);
    {
        gen_mesh inner = mesh_box(-0.75, -0.75, -0.75, 0.75, 0.75, 0.75);
        mesh_flip(&inner);
        body_of(&hollow, mesh_both(mesh_box(-1, -1, -1, 1, 1, 1), inner), 0);
    }
    gap = ASK("judge", cd_solid_clearance(solid_of(&hollow), solid_of(&b), NULL, NULL));
    CHECK_INT(gap.relation, CD_SOLID_APART);
    CHECK_NEAR(gap.distance, 0.25, OFF);
    CHECK(!cd_solid_test(solid_of(&hollow), solid_of(&b), NULL, NULL, NULL));
    w = ASK("judge", cd_solid_depth(solid_of(&hollow), solid_of(&b), NULL, cd_vec3_make(1, 0, 0), NULL));
    CHECK_SAME(w.t, 0);
    CHECK_NEAR(w.beyond, 1.5, OFF);
    { /* in the hollow's wall at first, then free in the hollow */
        cd_transform pose = moved(-0.35, 0, 0);
        w = ASK("judge", cd_solid_depth(solid_of(&hollow), solid_of(&b), &pose, cd_vec3_make(1, 0, 0), NULL));
        CHECK_NEAR(w.t, 0.1, 2 * OFF);
        CHECK_NEAR(w.beyond, 1.85, 2 * OFF);
        w = ASK("judge",
                cd_solid_depth(solid_of(&hollow), solid_of(&b), &pose, cd_vec3_make(-1, 0, 0), NULL));
        CHECK_NEAR(w.t, 0.65, 2 * OFF);
    }
    CHECK(!ASK("judge", cd_solid_extent(solid_of(&hollow), solid_of(&b), NULL, cd_vec3_make(1, 0, 0), NULL,
                                        &from, &to)));
    body_of(&two, mesh_both(mesh_box(3, 0, 0, 4, 1, 1), mesh_box(-0.2, -0.2, -0.2, 0.2, 0.2, 0.2)), 0);
    gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&two), NULL, NULL));
    CHECK_INT(gap.relation, CD_SOLID_B_IN_A);
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&two), NULL, cd_vec3_make(0, 0, 1), NULL));
    CHECK_NEAR(w.t, 1.2, OFF);
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&two), NULL, cd_vec3_make(-1, 0, 0), NULL));
    CHECK_NEAR(w.t, 1.2, OFF);
    CHECK_NEAR(w.beyond, 5, 4 * OFF);
    body_free(&a);
    body_free(&b);
    body_free(&hollow);
    body_free(&two);
}

/* A shaft in a ring: free at once where it is thin enough, then again held by the far side of the ring. */
static void ring_and_l(void) {
    body ring, shaft = body_box(-0.25, -0.25, -2, 0.25, 0.25, 2), l,
               box = body_box(0, 0.25, 0, 0.5, 0.75, 0.5);
    cd_solid_way w;
    body_of(&ring, mesh_torus(24, 1, 0.25), 0);
    w = ASK("judge", cd_solid_depth(solid_of(&ring), solid_of(&shaft), NULL, cd_vec3_make(1, 0, 0), NULL));
    CHECK_SAME(w.t, 0);
    CHECK_NEAR(w.beyond, 1.5, OFF);
    CHECK_INT(w.status, CD_OK);
    {
        cd_transform pose = moved(-1, 0, 0);
        w = ASK("judge",
                cd_solid_depth(solid_of(&ring), solid_of(&shaft), &pose, cd_vec3_make(1, 0, 0), NULL));
        check_way(&ring, &shaft, &pose, &w, 8);
        CHECK((double)w.t > 0.5 - OFF && (double)w.t < 0.6);
        CHECK_NEAR(w.beyond, 2.5, OFF);
    }
    body_of(&l, mesh_l(), 0);
    { /* in the long arm, above it the other way out */
        cd_transform pose = moved(1.25, 0, 0.75);
        w = ASK("judge", cd_solid_depth(solid_of(&l), solid_of(&box), &pose, cd_vec3_make(0, 0, 1), NULL));
        CHECK_NEAR(w.t, 0.25, OFF);
        w = ASK("judge", cd_solid_depth(solid_of(&l), solid_of(&box), &pose, cd_vec3_make(-1, 0, 0), NULL));
        CHECK_NEAR(w.t, 1.75, OFF);
        w = ASK("judge", cd_solid_depth(solid_of(&l), solid_of(&box), &pose, cd_vec3_make(-1, 0, 1), NULL));
        check_way(&l, &box, &pose, &w, 8);
        CHECK_NEAR(w.beyond, 1.25 * sqrt(2), 4 * OFF);
    }
    body_free(&ring);
    body_free(&shaft);
    body_free(&l);
    body_free(&box);
}

/* ---- convex bodies: the shortest way along a direction is the least over all planes that may part them ---- */

static gen_mesh mesh_convex(test_rng *rng) {
    gen_mesh m = mesh_box(-1, -1, -1, 1, 1, 1);
    double s[3], shear = test_range(rng, -0.5, 0.5), taper = test_range(rng, 0.2, 1.0);
    for (int k = 0; k < 3; ++k) s[k] = test_range(rng, 0.2, 1.0);
    for (int i = 0; i < 8;
         ++i) { /* a frustum, sheared: faces stay flat to the last places, or are two that are convex */
        cd_vec3 *v = &m.vertices[i];
        double x = (double)v->x, y = (double)v->y, z = (double)v->z, t = z > 0 ? taper : 1;
        *v = cd_vec3_make((cd_real)(s[0] * x * t + shear * z), (cd_real)(s[1] * y * t), (cd_real)(s[2] * z));
    }
    return m;
}

typedef struct vectors {
    double v[400][3];
    int count;
} vectors;

static void cross3(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void edges_of(const gen_mesh *m, const cd_transform *pose, vectors *out) {
    out->count = 0;
    for (uint32_t i = 0; i < m->triangle_count; ++i) {
        cd_triangle t = posed(m, i, pose);
        const cd_vec3 *v = &t.a;
        for (int k = 0; k < 3; ++k) {
            cd_vec3 p = v[k], q = v[(k + 1) % 3];
            double *e = out->v[out->count++];
            e[0] = (double)q.x - (double)p.x, e[1] = (double)q.y - (double)p.y,
            e[2] = (double)q.z - (double)p.z;
        }
    }
}

static double dot3(const double n[3], cd_vec3 p) {
    return n[0] * (double)p.x + n[1] * (double)p.y + n[2] * (double)p.z;
}

/* How far B has to go for the plane with that normal to part the two; infinite when it moves the other way. */
static double way_across(const double n[3], const body *a, const body *b, const cd_transform *pose,
                         const double dir[3]) {
    double most = -HUGE_VAL, least = HUGE_VAL, speed = n[0] * dir[0] + n[1] * dir[1] + n[2] * dir[2];
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(speed > 1e-9 * length)) return HUGE_VAL;
    for (uint32_t i = 0; i < a->mesh.vertex_count; ++i) most = fmax(most, dot3(n, a->mesh.vertices[i]));
    for (uint32_t i = 0; i < b->mesh.vertex_count; ++i)
        least = fmin(least, dot3(n, cd_transform_point(pose, b->mesh.vertices[i])));
    return (most - least) / speed;
}

static double convex_way(const body *a, const body *b, const cd_transform *pose, const double dir[3]) {
    static vectors e, f;
    double best = HUGE_VAL, n[3];
    edges_of(&a->mesh, NULL, &e);
    edges_of(&b->mesh, pose, &f);
    for (int i = 0; i < e.count; ++i) {
        for (int j = 0; j < f.count; ++j) {
            for (int way = 0; way < 3; ++way) {
                if (way == 0) cross3(e.v[i], f.v[j], n);
                if (way == 1) cross3(e.v[i], e.v[j < e.count ? j : 0], n);
                if (way == 2) cross3(f.v[i < f.count ? i : 0], f.v[j], n);
                best = fmin(best, way_across(n, a, b, pose, dir));
                for (int k = 0; k < 3; ++k) n[k] = -n[k];
                best = fmin(best, way_across(n, a, b, pose, dir));
            }
        }
    }
    return fmax(best, 0);
}

static void convex_bodies(void) {
    test_rng rng = test_random();
    for (long i = test_times(60); i > 0; --i) {
        body a, b;
        cd_transform pose = gen_pose(&rng, 0.7);
        cd_vec3 dir = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                                   (cd_real)test_range(&rng, 0.1, 1));
        cd_solid_way w;
        double d[3], length, want;
        body_of(&a, mesh_convex(&rng), (uint32_t)test_int(&rng, 0, 3));
        body_of(&b, mesh_convex(&rng), (uint32_t)test_int(&rng, 0, 3));
        length = sqrt((double)dir.x * (double)dir.x + (double)dir.y * (double)dir.y +
                      (double)dir.z * (double)dir.z);
        d[0] = (double)dir.x / length, d[1] = (double)dir.y / length, d[2] = (double)dir.z / length;
        test_note("%u triangles", a.mesh.triangle_count);
        test_note_reals("pose", REALS(pose), 7);
        test_note_reals("dir", REALS(dir), 3);
        w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &pose, dir, NULL));
        if (slow_overlap(&a, &b, &pose)) {
            want = convex_way(&a, &b, &pose, d);
            CHECK_NEAR(w.t, want, 64 * OFF);
            CHECK((double)w.t >= want - OFF); /* faces are flat but for the last places */
            CHECK_NEAR(w.beyond, want, 64 * OFF);
        } else {
            CHECK_SAME(w.t, 0);
        }
        body_free(&a);
        body_free(&b);
    }
}

/* Wedges with sharp edges, some of them deep in each other: no way out is shorter than the depth of the two as convex bodies, the one told
 * is hardly longer; and no point is deeper than the deepest, but for what is promised. */
/* Faces that graze an edge, looked at first, are put off: they take all the points there are while nothing deep is known. */
static void faces_that_graze_an_edge(void) {
    static const double turn[7] = {0.15350917570390757,  -0.19464133264407019, 0.78786868183624004,
                                   0.56374872486141636,  0.33056514856206565,  0.10093924818374533,
                                   -0.078936639476952397};
    static const double low[2][4] = {
        {-0.65434443226493455, 0.14056405809709727, 0.66921832077527932, 0.20989667590096275},
        {-0.20352517603048154, 0.71720327705108189, 0.76341163713553106, 0.68327822886951517}};
    static const double high[2][3] = {{-0.10946477600318444, 0.62324515017102167, 0.06287893835297248},
                                      {-0.40807253784425607, -0.10560556317634434, 0.077177674308245514}};
    body bodies[2];
    cd_transform pose;
    cd_solid_gap gap;
    for (int k = 0; k < 2; ++k) {
        gen_mesh m = mesh_box(low[k][0], -low[k][2], -low[k][3], low[k][1], low[k][2], low[k][3]);
        for (int v = 4; v < 8; ++v) {
            m.vertices[v].x = (cd_real)high[k][v & 1];
            m.vertices[v].y = (cd_real)(v & 2 ? high[k][2] : -high[k][2]);
        }
        body_of(&bodies[k], m, 0);
    }
    for (int k = 0; k < 7; ++k) REALS(pose)[k] = (cd_real)turn[k];
    gap = ASK("judge", cd_solid_clearance(solid_of(&bodies[0]), solid_of(&bodies[1]), &pose, NULL));
    CHECK_INT(gap.status, CD_OK);
    CHECK((double)gap.gap <= -(double)gap.distance / 60 + 16 * OFF);
    for (int k = 0; k < 2; ++k) body_free(&bodies[k]);
}

static void sharp_edges(void) {
    test_rng rng = test_random();
    for (long i = test_times(60); i > 0; --i) {
        body a, b;
        gen_mesh m[2];
        cd_support sa, sb;
        cd_separation s;
        cd_transform pose = gen_pose(&rng, 0.4);
        cd_solid_way w;
        cd_solid_gap gap;
        double depth, deepest = 0;
        for (int k = 0; k < 2; ++k) {
            cd_real sharp = (cd_real)test_range(&rng, 0.02, 0.5);
            m[k] = mesh_convex(&rng);
            for (int v = 4; v < 8; ++v) m[k].vertices[v].y = m[k].vertices[v].y * sharp;
        }
        body_of(&a, m[0], 0);
        body_of(&b, m[1], 0);
        sa = cd_support_of_points(a.mesh.vertices, 8);
        sb = cd_support_of_points(b.mesh.vertices, 8);
        s = cd_convex_distance(&sa, &sb, &pose, NULL, NULL);
        depth = fmax(0, -(double)s.distance);
        w = cd_solid_depth_least(solid_of(&a), solid_of(&b), &pose, NULL, 0, NULL);
        gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &pose, NULL));
        test_note_reals("pose", REALS(pose), 7);
        test_note_reals("a", REALS(a.mesh.vertices[0]), 24);
        test_note_reals("b", REALS(b.mesh.vertices[0]), 24);
        CHECK((double)w.t >= depth - (double)s.gap - OFF);
        if (depth > 0.01) CHECK((double)w.t <= 1.25 * depth);
        for (int k = 0; k < 400 && depth > 0; ++k) {
            const body *of = k % 2 ? &b : &a;
            body *in = k % 2 ? &a : &b;
            cd_transform back = cd_transform_inverse(&pose);
            cd_triangle t = gen_mesh_triangle(&of->mesh, (uint32_t)test_int(&rng, 0, 11));
            cd_vec3 p = cd_vec3_lerp(cd_vec3_lerp(t.a, t.b, (cd_real)test_unit(&rng)), t.c,
                                     k < 48 ? 0 : (cd_real)test_unit(&rng));
            cd_real distance;
            ASK("judge", cd_solid_signed_distance(solid_of(in), cd_transform_point(k % 2 ? &pose : &back, p),
                                                  CD_REAL_MAX, NULL, &distance));
            deepest = fmax(deepest, -(double)distance);
        }
        if (depth > 0) CHECK(deepest <= -(double)gap.distance + (double)gap.gap + OFF);
        CHECK((double)gap.gap <= -(double)gap.distance / 60 + 16 * OFF || gap.relation == CD_SOLID_APART);
        body_free(&a);
        body_free(&b);
    }
}

/* ---- any bodies: samples of the way, swapped, scaled ---- */

/* Of a kind, or of any below 0. */
static gen_mesh mesh_any(test_rng *rng, int kind) {
    gen_mesh other;
    switch (kind < 0 ? test_int(rng, 0, 5) : kind) {
    case 0: return gen_mesh_ball(test_int(rng, 1, 4), 0.3, rng);
    case 1: return mesh_torus(test_int(rng, 4, 9), 1, 0.4);
    case 2: return mesh_l();
    case 3:
        other = gen_mesh_ball(2, 0.0, rng);
        for (uint32_t i = 0; i < other.vertex_count; ++i)
            other.vertices[i] = cd_vec3_scale(other.vertices[i], (cd_real)0.5);
        mesh_flip(&other);
        return mesh_both(gen_mesh_ball(2, 0.1, rng), other);
    case 4:
        other = mesh_box(1.5, -0.5, -0.5, 2, 0.5, 0.5);
        return mesh_both(gen_mesh_ball(2, 0.1, rng), other);
    default: return mesh_box(-0.3, -0.2, -1, 0.3, 0.2, 1);
    }
}

static void find_pieces(body *b) {
    uint32_t n = b->mesh.vertex_count, *label = (uint32_t *)malloc(n * sizeof *label);
    for (uint32_t i = 0; i < n; ++i) label[i] = i;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < 3 * b->mesh.triangle_count; ++i) {
            uint32_t p = b->mesh.indices[i], q = b->mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
            uint32_t least = label[p] < label[q] ? label[p] : label[q];
            more = more || label[p] != least || label[q] != least;
            label[p] = label[q] = least;
        }
    }
    b->pieces = 0;
    for (uint32_t i = 0; i < n; ++i) {
        if (label[i] == i && b->pieces < 8) b->piece[b->pieces++] = i;
    }
    free(label);
}

static void any_bodies(void) {
    test_rng rng = test_random();
    long held = 0, sooner = 0, inside = 0, all = 0;
    for (long i = test_times(200); i > 0; --i) {
        body a, b;
        cd_transform pose = gen_pose(&rng, i % 4 ? 1.2 : 0.3), back;
        cd_vec3 dir = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                                   (cd_real)test_range(&rng, 0.1, 1)),
                other;
        cd_solid_way w, v;
        cd_solid_gap gap;
        if (i % 8 == 4) { /* in the wall of a hollow body, across which it goes */
            pose.position = cd_vec3_make((cd_real)-0.8, 0, 0);
            dir.x = 3;
        }
        body_of(&a, mesh_any(&rng, i % 8 == 4 ? 3 : (int)(i % 6)), (uint32_t)test_int(&rng, 0, 3));
        body_of(&b, mesh_any(&rng, -1), (uint32_t)test_int(&rng, 0, 3));
        find_pieces(&a);
        find_pieces(&b);
        if (i % 4 == 0) { /* small, and near the middle */
            for (uint32_t k = 0; k < b.mesh.vertex_count; ++k)
                b.mesh.vertices[k] = cd_vec3_scale(b.mesh.vertices[k], (cd_real)0.125);
            cd_bvh_winding_destroy(&b.winding);
            cd_bvh_destroy(&b.tree);
            body_of(&b, b.mesh, 0);
            find_pieces(&b);
        }
        test_note("%u and %u triangles", a.mesh.triangle_count, b.mesh.triangle_count);
        test_note_reals("pose", REALS(pose), 7);
        test_note_reals("dir", REALS(dir), 3);
        CHECK_INT(ASK("judge", cd_solid_test(solid_of(&a), solid_of(&b), &pose, NULL, NULL)),
                  slow_overlap(&a, &b, &pose));
        gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &pose, NULL));
        CHECK_INT(gap.status, CD_OK);
        CHECK_INT(gap.relation != CD_SOLID_APART, slow_overlap(&a, &b, &pose));
        if (gap.relation > CD_SOLID_CROSSING) ++inside;
        w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &pose, dir, NULL));
        check_way(&a, &b, &pose, &w, 12);
        ++all;
        if (w.t > 0) ++held;
        if (w.t > 0 && (double)w.beyond > (double)w.t + 1e-3) ++sooner;
        back = cd_transform_inverse(&pose);
        other = cd_vec3_scale(cd_transform_inverse_vector(&pose, dir), -1);
        v = ASK("judge", cd_solid_depth(solid_of(&b), solid_of(&a), &back, other, NULL));
        CHECK_NEAR(v.beyond, w.beyond, 2e4 * OFF);
        v = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &pose, cd_vec3_scale(dir, 4), NULL));
        CHECK_SAME(v.t, w.t);
        v = cd_solid_depth_least(solid_of(&a), solid_of(&b), &pose, NULL, 0, NULL);
        CHECK_INT(v.status, CD_OK);
        CHECK_INT(v.t > 0, gap.relation != CD_SOLID_APART);
        CHECK(!slow_overlap(&a, &b, &v.b_in_a));
        body_free(&a);
        body_free(&b);
    }
    CHECK_SEEN(held > all / 8 && sooner > 0);
    CHECK_SEEN(inside > 0);
}

static gen_mesh mesh_scaled(const gen_mesh *m, cd_real by) {
    gen_mesh r = mesh_begin(m->vertex_count, m->triangle_count);
    for (uint32_t i = 0; i < m->vertex_count; ++i) r.vertices[i] = cd_vec3_scale(m->vertices[i], by);
    memcpy(r.indices, m->indices, 3 * m->triangle_count * sizeof *r.indices);
    return r;
}

/* Whatever the layout, the same; times a power of two, the same times that. */
static void layouts_and_scales(void) {
    test_rng rng = test_random();
    for (long i = test_times(80); i > 0; --i) {
        body a, b, c, d;
        int e = test_int(&rng, -30, 30);
        cd_real by = (cd_real)ldexp(1, e), from = 0, to = 0, low = 0, high = 0;
        cd_transform pose = gen_pose(&rng, 1.2), far_off = pose;
        cd_vec3 dir = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1), 1);
        cd_solid_way w, v;
        cd_solid_gap gap, other;
        body_of(&a, mesh_any(&rng, -1), 0);
        body_of(&b, mesh_any(&rng, -1), 0);
        body_of(&c, mesh_scaled(&a.mesh, by), (uint32_t)test_int(&rng, 0, 3));
        body_of(&d, mesh_scaled(&b.mesh, by), (uint32_t)test_int(&rng, 0, 3));
        far_off.position = cd_vec3_scale(pose.position, by);
        test_note("2^%d", e);
        test_note_reals("pose", REALS(pose), 7);
        w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &pose, dir, NULL));
        v = ASK("judge", cd_solid_depth(solid_of(&c), solid_of(&d), &far_off, dir, NULL));
        CHECK_SAME(v.t, w.t * by);
        CHECK_SAME(v.beyond, w.beyond * by);
        gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &pose, NULL));
        other = ASK("judge", cd_solid_clearance(solid_of(&c), solid_of(&d), &far_off, NULL));
        CHECK_INT(other.relation, gap.relation);
        CHECK_NEAR((double)(other.distance / by), gap.distance, (double)gap.gap + OFF);
        CHECK_INT(
            ASK("judge", cd_solid_extent(solid_of(&a), solid_of(&b), &pose, dir, NULL, &from, &to)),
            ASK("judge", cd_solid_extent(solid_of(&c), solid_of(&d), &far_off, dir, NULL, &low, &high)));
        CHECK_SAME(low, from * by);
        CHECK_SAME(high, to * by);
        body_free(&a);
        body_free(&b);
        body_free(&c);
        body_free(&d);
    }
}

/* The least of many is the least of each. */
static void least_of_many(void) {
    test_rng rng = test_random();
    for (long i = test_times(40); i > 0; --i) {
        body a, b;
        cd_transform pose = gen_pose(&rng, 0.8);
        cd_vec3 dirs[12];
        cd_solid_way best, w;
        cd_real least = (cd_real)HUGE_VAL;
        body_of(&a, mesh_any(&rng, -1), 0);
        body_of(&b, mesh_any(&rng, -1), 2);
        for (int k = 0; k < 12; ++k)
            dirs[k] = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                                   (cd_real)test_range(&rng, -1, 1));
        dirs[3] = cd_vec3_make(0, 0, 0);
        for (int k = 0; k < 12; ++k) {
            if (k == 3) continue;
            w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &pose, dirs[k], NULL));
            if (w.t < least) least = w.t;
        }
        best = cd_solid_depth_least(solid_of(&a), solid_of(&b), &pose, dirs, 12, NULL);
        test_note_reals("pose", REALS(pose), 7);
        CHECK_INT(best.status, CD_OK);
        CHECK_SAME(best.t, least);
        CHECK(!cd_solid_test(solid_of(&a), solid_of(&b), &best.b_in_a, NULL, NULL));
        body_free(&a);
        body_free(&b);
    }
}

/* The deepest point against points strewn over both surfaces, and its own promise. */
static void deepest_points(void) {
    test_rng rng = test_random();
    long crossing = 0;
    for (long i = test_times(60); i > 0; --i) {
        body s[2];
        cd_transform pose = gen_pose(&rng, 0.9), back = cd_transform_inverse(&pose);
        cd_solid_gap gap;
        double most = 0, depth;
        body_of(&s[0], mesh_any(&rng, -1), 0);
        body_of(&s[1], mesh_any(&rng, -1), 1);
        gap = ASK("judge", cd_solid_clearance(solid_of(&s[0]), solid_of(&s[1]), &pose, NULL));
        if (gap.relation >= CD_SOLID_CROSSING) {
            for (int k = 0; k < 200; ++k) {
                const body *of = &s[k % 2];
                body *in = &s[1 - k % 2];
                cd_triangle t = gen_mesh_triangle(
                    &of->mesh, (uint32_t)test_int(&rng, 0, (int)of->mesh.triangle_count - 1));
                cd_vec3 p = cd_vec3_lerp(cd_vec3_lerp(t.a, t.b, (cd_real)test_unit(&rng)), t.c,
                                         (cd_real)test_unit(&rng));
                cd_real distance;
                p = cd_transform_point(k % 2 ? &pose : &back, p);
                ASK("judge", cd_solid_signed_distance(solid_of(in), p, CD_REAL_MAX, NULL, &distance));
                most = fmax(most, -(double)distance);
            }
            depth = -(double)gap.distance;
            test_note_reals("pose", REALS(pose), 7);
            CHECK(most <= depth + (double)gap.gap + OFF);
            CHECK_NEAR(cd_vec3_dist(gap.a, gap.b), depth, 4 * OFF);
            ++crossing;
        }
        body_free(&s[0]);
        body_free(&s[1]);
    }
    CHECK_SEEN(crossing > 3);
}

/* Curves close, regions part the pieces, and the extent holds what the curves reach. */
static void curves_and_regions(void) {
    test_rng rng = test_random();
    long seen = 0;
    for (long i = test_times(60); i > 0; --i) {
        body a, b;
        cd_transform pose = gen_pose(&rng, 0.9);
        cd_vec3 dir = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1), 1);
        size_t count, regions, again;
        cd_solid_piece *pieces;
        cd_solid_region *region;
        uint32_t first = 0;
        cd_real from, to;
        body_of(&a, mesh_any(&rng, -1), (uint32_t)test_int(&rng, 0, 3));
        body_of(&b, mesh_any(&rng, -1), (uint32_t)test_int(&rng, 0, 3));
        count = ASK("judge", cd_solid_curve(solid_of(&a), solid_of(&b), &pose, NULL, NULL, 0));
        CHECK_INT(count, cd_bvh_collide(&a.tree, &b.tree, &pose, NULL, NULL, 0));
        pieces = (cd_solid_piece *)calloc(count + 1, sizeof *pieces);
        region = (cd_solid_region *)calloc(count + 1, sizeof *region);
        again = ASK("judge", cd_solid_curve(solid_of(&a), solid_of(&b), &pose, NULL, pieces, count));
        CHECK_INT(again, count);
        regions = ASK(
            "judge", cd_solid_regions(solid_of(&a), solid_of(&b), &pose, NULL, pieces, count, region, count));
        CHECK_INT(regions > 0, count > 0);
        test_note_reals("pose", REALS(pose), 7);
        for (size_t k = 0; k < regions; ++k) {
            cd_vec3 sum = cd_vec3_make(0, 0, 0);
            CHECK_INT(region[k].first, first);
            CHECK_NEAR(cd_vec3_dot(region[k].normal, region[k].normal), 1, OFF);
            CHECK(region[k].depth >= 0);
            for (uint32_t n = first; n < first + region[k].count; ++n) {
                CHECK_INT(pieces[n].region, k);
                sum = cd_vec3_add(sum, cd_vec3_sub(pieces[n].b, pieces[n].a));
            }
            CHECK_VEC(sum, cd_vec3_make(0, 0, 0), 100 * OFF); /* closed */
            first += region[k].count;
        }
        CHECK_INT(first, count);
        if (ASK("judge", cd_solid_extent(solid_of(&a), solid_of(&b), &pose, dir, NULL, &from, &to))) {
            cd_vec3 unit = cd_vec3_normalize(dir);
            CHECK(from <= to);
            for (size_t k = 0; k < count; ++k) {
                double at = (double)cd_vec3_dot(unit, pieces[k].a);
                CHECK(at >= (double)from - OFF && at <= (double)to + OFF);
            }
            ++seen;
        } else {
            CHECK(!slow_overlap(&a, &b, &pose));
        }
        free(pieces);
        free(region);
        body_free(&a);
        body_free(&b);
    }
    CHECK_SEEN(seen > 3);
}

/* ---- height fields ---- */

static void height_fields(void) {
    cd_real samples[81];
    cd_height_view view;
    cd_bvh tree;
    cd_solid field;
    body box = body_box(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
    cd_solid_way w;
    cd_solid_gap gap;
    cd_transform pose;
    cd_real d, from, to;
    memset(&view, 0, sizeof view);
    for (int i = 0; i < 81; ++i) samples[i] = i == 40 ? 1 : 0; /* a peak in the middle, at (4, 4) */
    view.samples = samples;
    view.columns = view.rows = 9;
    if (cd_bvh_build_heights(&tree, &view, NULL) != CD_OK) abort();
    field = ASK("judge", cd_solid_of(&tree, NULL));
    CHECK(ASK("judge", cd_solid_is_valid(&field)));
    CHECK(ASK("judge", cd_solid_test_point(&field, cd_vec3_make(1, 1, -5))));
    CHECK(!ASK("judge", cd_solid_test_point(&field, cd_vec3_make(1, 1, (cd_real)0.5))));
    CHECK(!ASK("judge", cd_solid_test_point(&field, cd_vec3_make(-1, 1, -5))));
    CHECK(ASK("judge", cd_solid_signed_distance(&field, cd_vec3_make(1, 1, (cd_real)-0.5), 10, NULL, &d)));
    CHECK_NEAR(d, -0.5, OFF);
    pose = moved(1.5, 1.5, 0.25);
    CHECK(cd_solid_test(&field, solid_of(&box), &pose, NULL, NULL));
    w = ASK("judge", cd_solid_depth(&field, solid_of(&box), &pose, cd_vec3_make(0, 0, 1), NULL));
    CHECK_NEAR(w.t, 0.25, OFF);
    CHECK_VEC(w.normal, cd_vec3_make(0, 0, 1), OFF);
    w = ASK("judge", cd_solid_depth(&field, solid_of(&box), &pose, cd_vec3_make(0, 0, -1), NULL));
    CHECK_INT(w.status, CD_OK);
    CHECK(w.t > CD_REAL_MAX);
    w = ASK("judge", cd_solid_depth(&field, solid_of(&box), &pose, cd_vec3_make(-1, 0, 0), NULL));
    CHECK_NEAR(w.t, 2, 4 * OFF);
    w = ASK("judge", cd_solid_depth(solid_of(&box), &field, &pose, cd_vec3_make(0, 0, -1), NULL));
    CHECK(w.t >= 0);
    pose = moved(1.5, 1.5, -0.25);
    gap = cd_solid_clearance(&field, solid_of(&box), &pose, NULL);
    CHECK_INT(gap.relation, CD_SOLID_CROSSING);
    CHECK_NEAR(gap.distance, -0.75, OFF);
    pose = moved(4, 4, 0.75); /* in the peak */
    w = ASK("judge", cd_solid_depth(&field, solid_of(&box), &pose, cd_vec3_make(0, 0, 1), NULL));
    CHECK_NEAR(w.t, 0.75, OFF);
    pose = moved(2, 2, -3); /* wholly below */
    gap = ASK("judge", cd_solid_clearance(&field, solid_of(&box), &pose, NULL));
    CHECK_INT(gap.relation, CD_SOLID_B_IN_A);
    CHECK_NEAR(gap.distance, -3.5, 0.06);
    w = ASK("judge", cd_solid_depth(&field, solid_of(&box), &pose, cd_vec3_make(0, 0, 1), NULL));
    CHECK_NEAR(w.t, 3.5, 4 * OFF);
    w = ASK("judge", cd_solid_depth(&field, solid_of(&box), &pose, cd_vec3_make(0, -1, 0), NULL));
    CHECK_NEAR(w.t, 2.5, 64 * OFF);
    w = ASK("judge", cd_solid_depth(&field, solid_of(&box), &pose, cd_vec3_make(0, 0, -1), NULL));
    CHECK(w.t > CD_REAL_MAX);
    w = cd_solid_depth_least(&field, solid_of(&box), &pose, NULL, 0, NULL);
    CHECK_NEAR(w.t, 2.5, 64 * OFF);
    CHECK(ASK("judge",
              cd_solid_extent(&field, solid_of(&box), &pose, cd_vec3_make(0, 0, 1), NULL, &from, &to)));
    CHECK_NEAR(from, -3.5, 4 * OFF);
    CHECK_NEAR(to, -2.5, 4 * OFF);
    pose = moved(2, 2, 0.25); /* a part of it */
    CHECK(ASK("judge",
              cd_solid_extent(&field, solid_of(&box), &pose, cd_vec3_make(0, 0, 1), NULL, &from, &to)));
    CHECK_NEAR(from, -0.25, 4 * OFF);
    CHECK_NEAR(to, 0, 4 * OFF);
    pose = cd_transform_inverse(&pose);
    CHECK(ASK("judge",
              cd_solid_extent(solid_of(&box), &field, &pose, cd_vec3_make(0, 0, 1), NULL, &from, &to)));
    CHECK_NEAR(from, -0.5, 4 * OFF);
    CHECK_NEAR(to, -0.25, 4 * OFF);
    pose = moved(2, 2, -3);
    pose = cd_transform_inverse(&pose); /* the field is B, and goes down */
    w = ASK("judge", cd_solid_depth(solid_of(&box), &field, &pose, cd_vec3_make(0, 0, -1), NULL));
    CHECK_NEAR(w.t, 3.5, 4 * OFF);
    gap = ASK("judge", cd_solid_clearance(solid_of(&box), &field, &pose, NULL));
    CHECK_INT(gap.relation, CD_SOLID_A_IN_B);
    pose = moved(-2, 2, -3); /* beside it, below its height */
    CHECK(!cd_solid_test(&field, solid_of(&box), &pose, NULL, NULL));
    pose = moved(1, 1, 3);
    gap = ASK("judge", cd_solid_clearance(&field, solid_of(&box), &pose, NULL));
    CHECK_INT(gap.relation, CD_SOLID_APART);
    CHECK_NEAR(gap.distance, 2.5, OFF);
    cd_bvh_destroy(&tree);
    body_free(&box);
}

/* ---- bad input ---- */

static bool none_counts(void *user, cd_pair pair) {
    (void)user;
    (void)pair;
    return false;
}

/* Bolts through a plate are deepest amid their sides. However few points may be measured: no more are, the bolts are no deeper than is
 * said, and that the points were too few is said, too; whether the trees' leaves hold a few triangles or all. */
static void few_points_are_measured(void) {
    for (uint32_t all = 0; all < 2; ++all) {
        body s[2];
        cd_solid_options o;
        cd_bvh_options leaves;
        memset(&o, 0, sizeof o);
        memset(&leaves, 0, sizeof leaves);
        leaves.leaf_size = all ? 64 : 0;
        s[0] = body_box(-4, -4, -0.5, 4, 4, 0.5);
        body_of(&s[1],
                mesh_both(mesh_box(-2, 0, -0.75, -1.75, 0.25, 0.75), mesh_box(2, 0, -0.75, 2.25, 0.25, 0.75)),
                0);
        for (int k = 0; k < 2; ++k) {
            cd_mesh_view view = gen_mesh_view(&s[k].mesh);
            cd_bvh_winding_destroy(&s[k].winding);
            cd_bvh_destroy(&s[k].tree);
            CHECK_INT(cd_bvh_build_mesh(&s[k].tree, &view, &leaves), CD_OK);
            CHECK_INT(cd_bvh_winding_build(&s[k].winding, &s[k].tree, NULL), CD_OK);
        }
        for (uint32_t n = 0; n <= 256; n = n ? 2 * n : 1) {
            cd_solid_gap gap;
            o.max_iterations = n;
            test_note("%u points, leaves of %s", (unsigned)n, all ? "all" : "few");
            test_counted.node = 0;
            gap = cd_solid_clearance(solid_of(&s[0]), solid_of(&s[1]), NULL, &o);
            CHECK_INT(gap.status, n ? CD_NOT_CONVERGED : CD_OK);
            CHECK(-(double)gap.distance <= 0.5 + OFF);
            CHECK((double)gap.gap - (double)gap.distance >= 0.5 - OFF);
            CHECK(n == 0 || !all || test_counted.node <= 100 + 2 * n); /* a point takes two nodes */
        }
        body_free(&s[0]);
        body_free(&s[1]);
    }
}

/* The same where the bolt is far from the origin of its own frame: what is small is measured by the frame of the plate. */
static void bolts_from_far_away(void) {
    double away = ldexp(1, sizeof(cd_real) == 4 ? 10 : 40);
    body plate = body_box(-4, -4, -0.5, 4, 4, 0.5);
    body bolt = body_box(away - 0.125, away - 0.125, -0.75, away + 0.125, away + 0.125, 0.75);
    cd_transform pose = moved(-away, -away, 0);
    cd_solid_gap gap = cd_solid_clearance(solid_of(&plate), solid_of(&bolt), &pose, NULL);
    CHECK_INT(gap.status, CD_OK);
    CHECK_NEAR(gap.distance, -0.5, 0.02);
    CHECK((double)gap.gap < 0.02);
    body_free(&plate);
    body_free(&bolt);
}

/* A ball in a hollow that is hardly larger: each triangle has to be asked about, but not when a corner of it is known to be out. */
static void known_corners_are_not_asked_again(void) {
    test_rng rng = test_random();
    gen_mesh hole = gen_mesh_ball(8, 0.0, &rng), m = gen_mesh_ball(8, 0.0, &rng);
    body hollow, ball;
    for (uint32_t i = 0; i < hole.vertex_count; ++i)
        hole.vertices[i] = cd_vec3_scale(hole.vertices[i], (cd_real)1.0625);
    mesh_flip(&hole);
    body_of(&hollow, mesh_both(mesh_box(-2, -2, -2, 2, 2, 2), hole), 0);
    body_of(&ball, m, 0);
    test_counted.node = 0;
    CHECK(!cd_solid_test(solid_of(&hollow), solid_of(&ball), NULL, NULL, NULL));
    CHECK(test_counted.node < 16 * ball.mesh.triangle_count);
    body_free(&hollow);
    body_free(&ball);
}

static void bad_input(void) {
    body a = body_box(0, 0, 0, 1, 1, 1), b = body_box(0.5, 0.5, 0.5, 2, 2, 2);
    cd_bvh none;
    cd_bvh_winding no_winding;
    cd_solid nothing, surface, odd;
    cd_solid_options o;
    cd_transform nan = cd_transform_identity();
    cd_real bad = (cd_real)NAN, from = 7, to = 7;
    cd_solid_gap gap;
    cd_solid_way w;
    memset(&none, 0, sizeof none);
    memset(&no_winding, 0, sizeof no_winding);
    memset(&o, 0, sizeof o);
    nothing = ASK("judge", cd_solid_of(&none, &no_winding));
    nan.position.x = bad;
    CHECK(ASK("judge", cd_solid_is_valid(&nothing)));
    CHECK(!cd_solid_test(&nothing, solid_of(&a), NULL, NULL, NULL));
    w = ASK("judge", cd_solid_depth(&nothing, solid_of(&a), NULL, cd_vec3_make(1, 0, 0), NULL));
    CHECK_INT(w.status, CD_OK);
    CHECK_SAME(w.t, 0);
    gap = ASK("judge", cd_solid_clearance(&nothing, solid_of(&a), NULL, NULL));
    CHECK_INT(gap.relation, CD_SOLID_APART);
    CHECK(gap.distance > CD_REAL_MAX);
    odd = ASK("judge", cd_solid_of(&a.tree, &no_winding)); /* winding numbers of another tree */
    CHECK(!ASK("judge", cd_solid_is_valid(&odd)));
    CHECK_INT(ASK("judge", cd_solid_depth(&odd, solid_of(&a), NULL, cd_vec3_make(1, 0, 0), NULL)).status,
              CD_INVALID_ARGUMENT);
    surface = ASK("judge", cd_solid_of(&a.tree, NULL)); /* a surface alone */
    CHECK(ASK("judge", cd_solid_is_valid(&surface)));
    CHECK(
        !ASK("judge", cd_solid_test_point(&surface, cd_vec3_make((cd_real)0.5, (cd_real)0.5, (cd_real)0.5))));
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(0, 0, 0), NULL));
    CHECK_INT(w.status, CD_INVALID_ARGUMENT);
    CHECK(isnan((double)w.t));
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(1, bad, 0), NULL));
    CHECK_INT(w.status, CD_INVALID_ARGUMENT);
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), &nan, cd_vec3_make(1, 0, 0), NULL));
    CHECK_INT(w.status, CD_INVALID_ARGUMENT);
    CHECK(!cd_solid_test(solid_of(&a), solid_of(&b), &nan, NULL, NULL));
    CHECK(!ASK("judge",
               cd_solid_extent(solid_of(&a), solid_of(&b), &nan, cd_vec3_make(1, 0, 0), NULL, &from, &to)));
    CHECK(!ASK("judge",
               cd_solid_extent(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(0, 0, 0), NULL, &from, &to)));
    CHECK_SAME(from, 7);
    CHECK_INT(ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &nan, NULL)).status,
              CD_INVALID_ARGUMENT);
    o.tolerance = -1;
    CHECK_INT(ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), NULL, &o)).status,
              CD_INVALID_ARGUMENT);
    CHECK_INT(
        ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(1, 0, 0), &o)).status,
        CD_INVALID_ARGUMENT);
    o.tolerance = 0;
    w = cd_solid_depth_least(solid_of(&a), solid_of(&b), &nan, NULL, 0, NULL);
    CHECK_INT(w.status, CD_INVALID_ARGUMENT);
    o.pairs.filter = none_counts; /* no surfaces: what is inside counts nevertheless */
    CHECK_INT(cd_solid_curve(solid_of(&a), solid_of(&b), NULL, &o, NULL, 0), 0);
    CHECK(cd_solid_test(solid_of(&a), solid_of(&b), NULL, &o, NULL));
    memset(&o, 0, sizeof o);
    o.max_iterations = 1; /* too few walks: past everything, and it says so */
    w = ASK("judge", cd_solid_depth(solid_of(&a), solid_of(&b), NULL, cd_vec3_make(1, 0, 0), &o));
    CHECK_INT(w.status, CD_NOT_CONVERGED);
    CHECK_NEAR(w.t, 0.5, OFF);
    CHECK(!cd_solid_test(solid_of(&a), solid_of(&b), &w.b_in_a, NULL, NULL));
    gap = ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), NULL, &o));
    CHECK_INT(gap.status, CD_NOT_CONVERGED);
    CHECK((double)gap.gap - (double)gap.distance >= 0.5 - OFF);
    body_free(&a);
    body_free(&b);
}

/* A large block with one cavity: the only short way out leads into that, in whichever of the 26 directions it lies. */
static void every_direction_is_tried(void) {
    body b = body_box(-0.125, -0.125, -0.125, 0.125, 0.125, 0.125);
    for (int i = 0; i < 27; ++i) {
        int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1;
        double length = sqrt(x * x + y * y + z * z), c = 0.1875;
        gen_mesh hole = mesh_box(2 * x - c, 2 * y - c, 2 * z - c, 2 * x + c, 2 * y + c, 2 * z + c);
        cd_solid_way w;
        body a;
        mesh_flip(&hole);
        if (i == 13) {
            gen_mesh_free(&hole);
            continue;
        }
        body_of(&a, mesh_both(mesh_box(-8, -8, -8, 8, 8, 8), hole), 0);
        w = ASK("judge", cd_solid_depth_least(solid_of(&a), solid_of(&b), NULL, NULL, 0, NULL));
        CHECK_NEAR(w.t, length * (2 - 0.0625), OFF);
        CHECK_VEC(w.direction,
                  cd_vec3_make((cd_real)(x / length), (cd_real)(y / length), (cd_real)(z / length)), OFF);
        body_free(&a);
    }
    body_free(&b);
}

static double off_triangle(const body *b, uint32_t i, cd_vec3 p) {
    cd_triangle t;
    if (i >= b->mesh.triangle_count) return INFINITY;
    t = gen_mesh_triangle(&b->mesh, i);
    return sqrt((double)cd_sqdist_point_triangle(p, &t));
}

/* Whichever body the deepest point is of: it and the nearest one lie on the triangles that are told, and as far apart as is told. */
static void deepest_points_are_on_what_is_told(void) {
    body a = body_box(-1, -1, -1, 1, 1, 1), b = body_box(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
    test_rng rng = test_random();
    for (long n = 2 + test_times(40); n > 0; --n) {
        double way[3];
        cd_transform at = cd_transform_identity();
        cd_solid_gap gap;
        bool swapped = n % 2 != 0;
        for (int k = 0; k < 3; ++k) {
            way[k] = test_range(&rng, 0.6, 1.4) * (test_int(&rng, 0, 1) ? 1 : -1);
            REALS(at.position)[k] = (cd_real)way[k];
        }
        gap = swapped ? ASK("judge", cd_solid_clearance(solid_of(&b), solid_of(&a), &at, NULL))
                      : ASK("judge", cd_solid_clearance(solid_of(&a), solid_of(&b), &at, NULL));
        CHECK_INT(gap.relation, CD_SOLID_CROSSING);
        CHECK_NEAR(off_triangle(swapped ? &b : &a, gap.pair.a, gap.a), 0, OFF);
        CHECK_NEAR(off_triangle(swapped ? &a : &b, gap.pair.b, cd_vec3_sub(gap.b, at.position)), 0, OFF);
        CHECK_NEAR(cd_vec3_length(cd_vec3_sub(gap.a, gap.b)), -(double)gap.distance, OFF);
    }
    body_free(&a);
    body_free(&b);
}

/* Trees of which a leaf holds all: each triangle of it passes each of the other's. */
static void leaves_of_many(void) {
    body a = body_box(-1, -1, -1, 1, 1, 1), b = body_box(-0.5, -0.5, -0.5, 0.75, 0.75, 0.75);
    for (int i = 0; i < 12; ++i) {
        static const double want[6] = {1.5,  1.75, 1.5,
                                       1.75, 1.5,  1.75}; /* towards + and -, along x, y and z */
        const body *bodies[2];
        cd_bvh tree[2];
        cd_bvh_winding winding[2];
        cd_solid solid[2];
        cd_vec3 way = cd_vec3_make(0, 0, 0);
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        bodies[0] = &a;
        bodies[1] = &b;
        for (int k = 0; k < 2; ++k) {
            cd_mesh_view view = gen_mesh_view(&bodies[k]->mesh);
            o.leaf_size = k == i / 6 ? 64 : 0;
            CHECK_INT(cd_bvh_build_mesh(&tree[k], &view, &o), CD_OK);
            CHECK_INT(cd_bvh_winding_build(&winding[k], &tree[k], NULL), CD_OK);
            solid[k] = cd_solid_of(&tree[k], &winding[k]);
        }
        REALS(way)[i % 6 / 2] = (cd_real)(i % 2 ? -1 : 1);
        CHECK_NEAR(ASK("judge", cd_solid_depth(&solid[0], &solid[1], NULL, way, NULL)).t, want[i % 6], OFF);
        for (int k = 0; k < 2; ++k) {
            cd_bvh_winding_destroy(&winding[k]);
            cd_bvh_destroy(&tree[k]);
        }
    }
    body_free(&a);
    body_free(&b);
}

void suite_solid(void) {
    RUN(boxes_along_axes);
    RUN(duct_through_a_wall);
    RUN(touching_is_no_clash);
    RUN(grooves_in_all_directions);
    RUN(middles_of_regions);
    RUN(nested_bodies);
    RUN(ring_and_l);
    RUN(convex_bodies);
    RUN(sharp_edges);
    RUN(faces_that_graze_an_edge);
    RUN(any_bodies);
    RUN(layouts_and_scales);
    RUN(least_of_many);
    RUN(deepest_points);
    RUN(curves_and_regions);
    RUN(height_fields);
    RUN(every_direction_is_tried);
    RUN(leaves_of_many);
    RUN(deepest_points_are_on_what_is_told);
    RUN(few_points_are_measured);
    RUN(bolts_from_far_away);
    RUN(known_corners_are_not_asked_again);
    RUN(bad_input);
}
