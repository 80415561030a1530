/* Moving hulls of every dimension against the reference of moving bodies: triangles, boxes, spheres; options and bad input. */
#include "gen.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

enum { TRIANGLE, AABB, OBB, SPHERE, TO_HULL, KINDS };

typedef struct scene {
    int kind;
    cd_hull hull;
    sweep_body body, other;
    cd_triangle triangle;
    cd_aabb aabb;
    cd_obb obb;
    cd_sphere sphere;
    cd_vec3 motion;
} scene;

/* Points in any position: all, or in a plane, in a line, or one. */
static void draw_hull(gen *g, scene *s) {
    cd_vec3 p[SWEEP_CORNERS];
    int count = test_int(g->rng, 1, SWEEP_CORNERS), flat = test_int(g->rng, 0, 3);
    if (test_int(g->rng, 0, 3)) count = test_int(g->rng, 4, SWEEP_CORNERS);
    for (int i = 0; i < count; ++i) {
        p[i] = gen_point(g);
        if (flat == 1) p[i].z = p[0].z;
        if (flat == 2 && !test_int(g->rng, 0, 1)) p[i].x = p[0].x;
    }
    if (flat == 3)
        count = count > 3 && test_int(g->rng, 0, 2) ? count : test_int(g->rng, 1, count < 3 ? count : 3);
    if (cd_hull3_build(&s->hull, p, (size_t)count, NULL) != CD_OK) memset(&s->hull, 0, sizeof s->hull);
    s->body = sweep_of_hull(&s->hull);
}

static void draw_other(gen *g, scene *s) {
    s->triangle = gen_triangle(g);
    s->aabb = gen_aabb(g);
    s->obb = gen_obb(g);
    s->sphere = gen_sphere(g);
    if (!test_int(g->rng, 0, 3)) s->sphere.radius = 0;
    if (!test_int(g->rng, 0, 9)) s->triangle.c = s->triangle.b;
    s->other = s->kind == TRIANGLE ? sweep_of_triangle(&s->triangle)
               : s->kind == AABB   ? sweep_of_aabb(s->aabb)
               : s->kind == OBB    ? sweep_of_obb(&s->obb)
                                   : sweep_of_sphere(s->sphere);
}

static bool sweep(const scene *s, cd_vec3 motion, const cd_cast_options *o, cd_hit *hit) {
    memset(hit, 0, sizeof *hit);
    switch (s->kind) {
    case TRIANGLE: return ASK("judge", cd_sweep_hull_triangle(&s->hull, motion, &s->triangle, o, hit));
    case AABB: return ASK("judge", cd_sweep_hull_aabb(&s->hull, motion, s->aabb, o, hit));
    case OBB: return ASK("judge", cd_sweep_hull_obb(&s->hull, motion, &s->obb, o, hit));
    case SPHERE: return ASK("judge", cd_sweep_hull_sphere(&s->hull, motion, s->sphere, o, hit));
    default: return ASK("judge", cd_sweep_sphere_hull(s->sphere, motion, &s->hull, o, hit));
    }
}

static scene draw(test_rng *rng, gen_kind kind) {
    gen g = gen_begin(rng, kind);
    scene s;
    cd_hull_parts parts;
    memset(&s, 0, sizeof s);
    s.kind = test_int(rng, 0, KINDS - 1);
    draw_hull(&g, &s);
    draw_other(&g, &s);
    s.motion = gen_direction(&g);
    if (!test_int(rng, 0, 29)) s.motion = cd_vec3_make(0, 0, 0);
    parts = cd_hull_get_parts(&s.hull);
    test_note("kind %d, dimension %d ", s.kind, (int)parts.dimension);
    test_note_reals("hull", (const cd_real *)(const void *)parts.vertices, 3 * (int)parts.vertex_count);
    test_note_reals("triangle", REALS(s.triangle), 9);
    test_note_reals("aabb", REALS(s.aabb), 6);
    test_note_reals("obb", REALS(s.obb), 15);
    test_note_reals("sphere", REALS(s.sphere), 4);
    test_note_reals("motion", REALS(s.motion), 3);
    return s;
}

static void judge(const scene *s, bool got, const cd_hit *hit) {
    if (s->kind == TO_HULL)
        sweep_judge(&s->other, s->motion, &s->body, got, hit);
    else
        sweep_judge(&s->body, s->motion, &s->other, got, hit);
}

static gen_kind kind_of(long i) {
    return (gen_kind)(i % GEN_KINDS);
}

static void hulls_meet_as_the_reference(void) {
    test_rng rng = test_random();
    long hits = 0, starts = 0, all = test_times(2000);
    for (long i = 0; i < all; ++i) {
        scene s = draw(&rng, kind_of(i));
        cd_hit hit;
        bool got = sweep(&s, s.motion, NULL, &hit);
        if (kind_of(i) != GEN_WIDE || s.kind < SPHERE)
            judge(
                &s, got,
                &hit); /* spheres meet each face as sharply as that is small: the reference only as the hull is */
        CHECK_INT(sweep(&s, s.motion, NULL, &hit), got);
        hits += got;
        starts += got && (hit.flags & CD_HIT_START);
        cd_hull_destroy(&s.hull);
    }
    CHECK_SEEN(hits > all / 20 && starts > 0 && hits < all);
}

static cd_real any_size(test_rng *rng) {
    if (test_int(rng, 0, 3) == 0) return 0;
    return (cd_real)ldexp(test_range(rng, -1, 1), test_int(rng, -60, 60));
}

/* Of each eight the corners of the hull and of the triangle, and the motion: what keeps them apart is what of the gap is across an edge of the
 * triangle, then across one of the hull, then the gap. */
static const double needles[24][3] = {{-0x1.191902p+33, -0x1.a0918cp+41, -0x1.a89facp-45},
                                      {0x1.c93f4ep-51, -0x1.3fe6e4p+54, 0},
                                      {0, 0x1.033334p-57, -0x1.e582acp-1},
                                      {0, 0x1.033334p-57, -0x1.e582acp-1},
                                      {-0x1.a121bep-38, 0x1.d3d02p+34, 0x1.23672ep+38},
                                      {0, 0x1.b5b546p+25, -0x1.2d6e38p+50},
                                      {-0x1.c07756p-51, 0x1.998754p+23, -0x1.9274bp+49},
                                      {0x1.f0f15ep-47, 0x1.3436ecp+43, -0x1.9c9f8cp-11},
                                      {0, -0x1.680caap+53, 0x1.842722p-61},
                                      {0, -0x1.f178c2p+25, -0x1.12561p+53},
                                      {0, -0x1.73298ep-53, -0x1.ffc556p+43},
                                      {0x1.c2ea64p-17, 0, -0x1.630b2ap+15},
                                      {0, -0x1.e85a58p+4, -0x1.0cb59ap-36},
                                      {0, 0x1.219a96p+23, -0x1.17ff1p-15},
                                      {0x1.f65cb4p-51, -0x1.576b46p-23, 0},
                                      {0x1.b7275p-55, 0, 0x1.a9a314p-48},
                                      {0x1.1e044ee781d38p+36, -0x1.1a6c9638be9ep-50, 0},
                                      {0x1.2d4a975d7919cp+19, -0x1.75be856cde8b6p+15, 0x1.5cd91ae0f9ecp+2},
                                      {0x1.12dd5dd4cf39p+51, -0x1.dc617a2ee0958p+29, 0x1.0ed3ec6c364ap-6},
                                      {0x1.12dd5dd4cf39p+51, -0x1.dc617a2ee0958p+29, 0x1.0ed3ec6c364ap-6},
                                      {-0x1.eb752c2d4db42p+56, 0x1.33c802ce97b2p+18, 0x1.aca7c6cb84204p+45},
                                      {0x1.5d7f362d27688p+15, 0, 0},
                                      {-0x1.66b6606e430f4p-6, -0x1.b0a6b6fd3784p-45, -0x1.6e8dc2d8c56a2p-49},
                                      {0x1.09775ed2f7abp+24, 0x1.549ee96660e3cp-32, 0}};

/* Coordinates of any size, most of them next to nothing beside others: such needles, grown by the slack, meet where their tips are yet far
 * apart. */
static void needles_meet_as_the_reference(void) {
    test_rng rng = test_random();
    for (long i = 0; i < 3 + test_times(1000); ++i) {
        scene s;
        cd_vec3 p[6];
        cd_hull_parts parts;
        cd_hit hit;
        int count = i < 3 ? 4 : test_int(&rng, 2, 6);
        cd_real x[12];
        bool got;
        memset(&s, 0, sizeof s);
        s.kind = i % 4 < 3 ? TRIANGLE : AABB;
        for (int k = 0; k < 3 * count; ++k)
            REALS(p)[k] = i < 3 ? (cd_real)needles[8 * i + k / 3][k % 3] : any_size(&rng);
        for (int k = 0; k < 12; ++k)
            x[k] = i < 3 ? (cd_real)needles[8 * i + 4 + k / 3][k % 3] : any_size(&rng);
        memcpy(&s.triangle, x, sizeof s.triangle);
        memcpy(&s.motion, x + 9, sizeof s.motion);
        s.aabb.min = cd_vec3_min(s.triangle.a, s.triangle.b);
        s.aabb.max = cd_vec3_max(s.triangle.a, s.triangle.b);
        if (cd_hull3_build(&s.hull, p, (size_t)count, NULL) != CD_OK) continue;
        parts = cd_hull_get_parts(&s.hull);
        s.body = sweep_of_polygon(parts.vertices, (int)parts.vertex_count);
        s.other = s.kind == TRIANGLE ? sweep_of_triangle(&s.triangle) : sweep_of_aabb(s.aabb);
        test_note("kind %d, dimension %d ", s.kind, (int)parts.dimension);
        test_note_reals("hull", (const cd_real *)(const void *)parts.vertices, 3 * (int)parts.vertex_count);
        test_note_reals("triangle or box", x, 9);
        test_note_reals("motion", REALS(s.motion), 3);
        got = sweep(&s, s.motion, NULL, &hit);
        judge(&s, got, &hit);
        cd_hull_destroy(&s.hull);
    }
}

/* ---- options: a hull that is a box, and what is met by the way ---- */

static bool box_in_contact(const scene *s, double t) {
    cd_triangle at = s->triangle;
    cd_real *x = (cd_real *)(void *)&at;
    for (int i = 0; i < 9; ++i) x[i] = (cd_real)((double)x[i] - t * (double)REALS(s->motion)[i % 3]);
    return cd_test_triangle_hull(&at, &s->hull);
}

static void draw_box(test_rng *rng, scene *s) {
    cd_vec3 corner[8];
    for (int i = 0; i < 3; ++i) {
        REALS(s->aabb.min)[i] = (cd_real)test_int(rng, -8, 0);
        REALS(s->aabb.max)[i] = REALS(s->aabb.min)[i] + (cd_real)test_int(rng, 0, 8);
        REALS(s->motion)[i] = (cd_real)test_int(rng, -16, 16);
    }
    for (int i = 0; i < 9; ++i) REALS(s->triangle)[i] = (cd_real)test_int(rng, -12, 12);
    for (int i = 0; i < 8; ++i)
        corner[i] = cd_vec3_make(i & 1 ? s->aabb.max.x : s->aabb.min.x, i & 2 ? s->aabb.max.y : s->aabb.min.y,
                                 i & 4 ? s->aabb.max.z : s->aabb.min.z);
    if (test_int(rng, 0, 1))
        s->motion = cd_vec3_sub(s->triangle.a, corner[test_int(rng, 0, 7)]); /* it gets there */
    s->obb = cd_obb_from_aabb(s->aabb);
    CHECK_INT(cd_hull3_build(&s->hull, corner, 8, NULL), CD_OK);
}

/* Within the plane of a triangle that has one? On the grid that is exact. */
static bool is_in_plane(const cd_triangle *t, cd_vec3 motion) {
    cd_vec3 n = cd_vec3_cross(cd_vec3_sub(t->b, t->a), cd_vec3_sub(t->c, t->a));
    return cd_vec3_sqlength(n) > 0 && cd_vec3_dot(n, motion) == 0;
}

/* On a grid touching is exact, so that both start in contact, or neither, and have the same side of it. */
static void boxes_as_hulls_have_the_same_options(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(2000);
    for (long i = 0; i < all; ++i) {
        scene s;
        cd_cast_options o;
        cd_hit a, b;
        bool hit;
        memset(&s, 0, sizeof s);
        memset(&o, 0, sizeof o);
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        draw_box(&rng, &s);
        o.flags =
            (uint32_t)test_int(&rng, 0, 31) & ~(uint32_t)CD_CAST_START_LEAVING; /* of two ways out, either */
        if (is_in_plane(&s.triangle, s.motion)) /* met from the side of a way out: of two, either */
            o.flags &= ~(uint32_t)(CD_CAST_CULL_BACK | CD_CAST_CULL_FRONT);
        o.t_min = (cd_real)test_int(&rng, -1, 4) / 4;
        test_note("flags %u, t_min %g ", o.flags, (double)o.t_min);
        test_note_reals("aabb", REALS(s.aabb), 6);
        test_note_reals("triangle", REALS(s.triangle), 9);
        test_note_reals("motion", REALS(s.motion), 3);
        hit = cd_sweep_obb_triangle(&s.obb, s.motion, &s.triangle, &o, &b);
        CHECK_INT(ASK("forms", cd_sweep_hull_triangle(&s.hull, s.motion, &s.triangle, &o, &a)), hit);
        CHECK_NEAR(a.t, b.t, 1e-8 + 4 * (double)CD_REAL_EPSILON);
        CHECK_INT(a.flags & CD_HIT_START, b.flags & CD_HIT_START);
        CHECK_NEAR(a.depth, b.depth, 1e-8 + 64 * (double)CD_REAL_EPSILON + 1e-11);
        if (hit && !(a.flags & CD_HIT_START)) hits += a.t > o.t_min;
        o.flags = 0;
        if (o.t_min < 0) o.t_min = 0;
        hit = ASK("forms", cd_sweep_hull_triangle(&s.hull, s.motion, &s.triangle, &o, &a));
        CHECK_INT(hit && (a.flags & CD_HIT_START), box_in_contact(&s, (double)o.t_min));
        for (int k = 0; k <= 16; ++k) {
            double t = k / 16.0;
            if (t >= (double)o.t_min && (!hit || t < (double)a.t - 1e-3)) CHECK(!box_in_contact(&s, t));
        }
        cd_hull_destroy(&s.hull);
    }
    CHECK_SEEN(hits > all / 50);
}

static cd_vec3 scaled(cd_vec3 v, int e) {
    return cd_vec3_make((cd_real)ldexp((double)v.x, e), (cd_real)ldexp((double)v.y, e),
                        (cd_real)ldexp((double)v.z, e));
}

/* Where two graze, their times may differ by far more than the excess: each is asked for what is promised of it. */
static long judge_one(const sweep_body *moving, cd_vec3 motion, sweep_body other, bool got,
                      const cd_hit *hit) {
    sweep_judge(moving, motion, &other, got, hit);
    return got && hit->t > 0;
}

/* A hull of one point, or of two, meets boxes and triangles as a ball or a capsule without a radius does. */
static void the_least_of_hulls(void) {
    test_rng rng = test_random();
    long met = 0, all = test_times(1000);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_FAR);
        cd_capsule c = {gen_point(&g), gen_point(&g), 0};
        cd_vec3 p[2], motion = gen_direction(&g);
        int points = 1 + (int)(i / 2 % 2);
        cd_aabb box = gen_aabb(&g);
        cd_triangle t = gen_triangle(&g);
        cd_hull hull;
        sweep_body body, core;
        cd_hit hit;
        bool got;
        p[0] = c.a;
        p[1] = c.b;
        if (points == 1) c.b = c.a;
        test_note("points %d", points);
        test_note_reals("capsule", REALS(c), 7);
        test_note_reals("motion", REALS(motion), 3);
        test_note_reals("box", REALS(box), 6);
        test_note_reals("triangle", REALS(t), 9);
        if (cd_hull3_build(&hull, p, (size_t)points, NULL) != CD_OK) continue;
        body = sweep_of_hull(&hull);
        core = sweep_of_capsule(&c);
        got = ASK("judge", cd_sweep_hull_aabb(&hull, motion, box, NULL, &hit));
        met += judge_one(&body, motion, sweep_of_aabb(box), got, &hit);
        got = ASK("judge", cd_sweep_capsule_aabb(&c, motion, box, NULL, &hit));
        met += judge_one(&core, motion, sweep_of_aabb(box), got, &hit);
        got = ASK("judge", cd_sweep_hull_triangle(&hull, motion, &t, NULL, &hit));
        met += judge_one(&body, motion, sweep_of_triangle(&t), got, &hit);
        got = ASK("judge", cd_sweep_capsule_triangle(&c, motion, &t, NULL, &hit));
        met += judge_one(&core, motion, sweep_of_triangle(&t), got, &hit);
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(met > all / 4);
}

/* A point that moves at the middle of an edge, or a corner, of a hull of any size: but for the excess the normal parts it from all of the hull. */
static void points_meet_edges_and_corners(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_vec3 p[8], q, way = cd_vec3_make(0, 0, 0);
        cd_real kept[7] = {0, 0, 0, 0, 0, 0, 0};
        bool met = false;
        uint32_t half = 0;
        int whole = test_int(&rng, 0, 1);
        for (int k = 0; k < 8; ++k) p[k] = gen_point(&g);
        for (int k = 0; k < 3; ++k) REALS(way)[k] = (cd_real)test_int(&rng, -3, 3);
        test_note("");
        test_note_reals("points", REALS(p), 24);
        test_note_reals("way", REALS(way), 3);
        for (int e = 0; e > -20; e -= 9) {
            cd_vec3 small[8];
            cd_hull hull;
            cd_hull_parts h;
            cd_sphere s;
            cd_hit hit;
            for (int k = 0; k < 8; ++k) small[k] = scaled(p[k], e);
            CHECK_INT(cd_hull3_build(&hull, small, 8, NULL), CD_OK);
            h = cd_hull_get_parts(&hull);
            if (h.dimension == 3) {
                if (e == 0) half = (uint32_t)test_int(&rng, 0, (int)h.half_edge_count - 1);
                q = h.vertices[h.half_edges[half].origin];
                if (!whole)
                    q = cd_vec3_lerp(q, h.vertices[h.half_edges[cd_hull_next(&h, half)].origin],
                                     (cd_real)0.5);
                s.center = cd_vec3_add(q, scaled(way, e));
                s.radius = 0;
                memset(&hit, 0, sizeof hit);
                if (e == 0)
                    met = cd_sweep_sphere_hull(s, cd_vec3_scale(scaled(way, e), -2), &hull, NULL, &hit);
                else
                    CHECK_INT(ASK("scale", cd_sweep_sphere_hull(s, cd_vec3_scale(scaled(way, e), -2), &hull,
                                                                NULL, &hit)),
                              met);
                for (uint32_t k = 0; met && !(hit.flags & CD_HIT_START) && k < h.vertex_count; ++k)
                    CHECK(ldexp((double)cd_vec3_dot(hit.normal, cd_vec3_sub(h.vertices[k], hit.point)), -e) <=
                          64 * (double)CD_REAL_EPSILON + 1e-11);
                hit.point = scaled(hit.point, -e);
                if (e == 0) memcpy(kept, &hit.t, sizeof kept);
                CHECK(memcmp(kept, &hit.t, sizeof kept) == 0);
            }
            cd_hull_destroy(&hull);
        }
    }
}

/* Hulls of one and two points on their way through a triangle, and past it. */
static void points_and_segments_as_hulls(void) {
    for (int i = 0; i < 24; ++i) {
        int k = i % 3, u = (k + 1) % 3, w = (k + 2) % 3, points = 1 + i / 3 % 2, side = i / 6 % 2 ? 1 : -1;
        bool past = i >= 12;
        cd_vec3 p[2], motion = cd_vec3_make(0, 0, 0);
        cd_triangle t;
        cd_hull hull;
        cd_hit hit;
        memset(p, 0, sizeof p);
        memset(&t, 0, sizeof t);
        (&t.a.x)[u] = -2;
        (&t.b.x)[u] = 2;
        (&t.c.x)[w] = 2;
        for (int j = 0; j < 2; ++j) {
            REALS(p[j])[k] = (cd_real)(side * (3 + j));
            REALS(p[j])[u] = (cd_real)(j * 0.25);
            REALS(p[j])[w] = (cd_real)(past ? 2.5 : 0.5);
        }
        REALS(motion)[k] = (cd_real)(-side * 8);
        test_note("axis %d, points %d, side %d, past %d", k, points, side, past);
        CHECK_INT(cd_hull3_build(&hull, p, (size_t)points, NULL), CD_OK);
        if (CHECK_INT(ASK("exact", cd_sweep_hull_triangle(&hull, motion, &t, NULL, &hit)), !past) && !past) {
            CHECK_NEAR(hit.t, 0.375, 1e-6);
            CHECK_NEAR(REALS(hit.normal)[k], side, 1e-6);
        }
        cd_hull_destroy(&hull);
    }
}

/* Where the numbers of points along a direction of the plane begin and end. */
static void shadow(const int (*p)[2], int count, const int along[2], int *lo, int *hi) {
    *lo = 1 << 20;
    *hi = -*lo;
    for (int i = 0; i < count; ++i) {
        int x = p[i][0] * along[1] - p[i][1] * along[0];
        if (x < *lo) *lo = x;
        if (x > *hi) *hi = x;
    }
}

/* A segment as a hull moves in the plane of a triangle that is a segment: by whole numbers in the plane, wherever that lies, they
 * meet or do not, as what is swept and the segment do across each of their sides. */
static void segments_in_a_plane(void) {
    test_rng rng = test_random();
    long seen[2] = {0, 0}, times = 60 + test_times(3000);
    for (long n = times; n > 0; --n) {
        int e[3][3], swept[4][2], still[2][2], side[3][2], parted = -9999;
        cd_vec3 at[6], motion;
        cd_hull hull;
        cd_triangle t;
        cd_hit hit;
        for (int i = 0; i < 9; ++i) e[i / 3][i % 3] = test_int(&rng, -4, 4);
        if (e[0][0] * e[1][1] == e[0][1] * e[1][0] && e[0][0] * e[1][2] == e[0][2] * e[1][0]) continue;
        for (int k = 0; k < 2; ++k) {
            swept[0][k] = test_int(&rng, -5, 5);
            swept[1][k] = test_int(&rng, -5, 5);
            side[2][k] = test_int(&rng, -6, 6);
            still[0][k] = test_int(&rng, -5, 5);
            still[1][k] = test_int(&rng, -5, 5);
            side[0][k] = swept[1][k] - swept[0][k];
            side[1][k] = still[1][k] - still[0][k];
            for (int i = 0; i < 2; ++i) swept[2 + i][k] = swept[i][k] + side[2][k];
        }
        for (int i = 0; i < 3; ++i) {
            int lo, hi, from, to;
            shadow((const int(*)[2])swept, 4, side[i], &lo, &hi);
            shadow((const int(*)[2])still, 2, side[i], &from, &to);
            if (side[i][0] == 0 && side[i][1] == 0) parted = 0;
            if (parted != 0 && from - hi > parted) parted = from - hi;
            if (parted != 0 && lo - to > parted) parted = lo - to;
        }
        if (parted == 0) continue; /* they touch, or one of them is a point */
        for (int i = 0; i < 4; ++i) {
            const int *p = i < 2 ? swept[i] : still[i - 2];
            at[i] = cd_vec3_make((cd_real)(e[2][0] + p[0] * e[0][0] + p[1] * e[1][0]),
                                 (cd_real)(e[2][1] + p[0] * e[0][1] + p[1] * e[1][1]),
                                 (cd_real)(e[2][2] + p[0] * e[0][2] + p[1] * e[1][2]));
        }
        motion = cd_vec3_make((cd_real)(side[2][0] * e[0][0] + side[2][1] * e[1][0]),
                              (cd_real)(side[2][0] * e[0][1] + side[2][1] * e[1][1]),
                              (cd_real)(side[2][0] * e[0][2] + side[2][1] * e[1][2]));
        t.a = at[2];
        t.b = at[3];
        t.c = at[2 + test_int(&rng, 0, 1)];
        test_note("");
        test_note_reals("ends", REALS(at[0]), 12);
        test_note_reals("motion", &motion.x, 3);
        if (!CHECK_INT(cd_hull3_build(&hull, at, 2, NULL), CD_OK)) continue;
        CHECK_INT(ASK("exact", cd_sweep_hull_triangle(&hull, motion, &t, NULL, &hit)), parted < 0);
        ++seen[parted < 0];
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(seen[0] > times / 20 && seen[1] > times / 20);
}

/* The centre of a ball without a radius comes to be on the hull, mostly on an edge or a corner: the normal is one that parts the two. */
static void points_meet_hulls(void) {
    test_rng rng = test_random();
    int hits = 0;
    for (int i = 0; i < 500; ++i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_sphere s = {{0, 0, 0}, 0};
        cd_vec3 p[10], motion;
        cd_hull hull;
        cd_hit hit;
        for (int k = 0; k < 10; ++k) p[k] = gen_point(&g);
        if (cd_hull3_build(&hull, p, 10, NULL) != CD_OK) continue;
        s.center = cd_vec3_scale(gen_point(&g), 4);
        motion = cd_vec3_scale(cd_vec3_sub(cd_vec3_lerp(p[0], p[1], (cd_real)(i % 3 * 0.5)), s.center), 2);
        test_note_reals("hull", &p[0].x, 30);
        test_note_reals("center, motion", &s.center.x, 3);
        test_note_reals("", &motion.x, 3);
        if (CHECK(cd_sweep_sphere_hull(s, motion, &hull, NULL, &hit)) && !(hit.flags & CD_HIT_START)) {
            cd_support body = cd_support_of_hull(&hull);
            cd_vec3 end = cd_support_farthest(&body, hit.normal);
            CHECK_NEAR(cd_vec3_length(hit.normal), 1, 1e-6);
            CHECK((double)cd_vec3_dot(hit.normal, cd_vec3_sub(end, hit.point)) <=
                  (sizeof(cd_real) == 4 ? 1e-5 : 1e-10));
            CHECK(cd_vec3_dot(hit.normal, motion) <= 0);
            ++hits;
        }
        cd_hull_destroy(&hull);
    }
    CHECK(hits > 300);
}

#ifdef COLLIDE_DOUBLE
/* A ball that starts with its centre in a hull, or on it, meets it, whatever needles are among the faces: also such as have no area in
 * differences that are rounded, or in products of them. */
static void a_start_under_needles(void) {
    static const cd_vec3 corner[12] = {{-1, -2, -0x1.ffffffffffffep+0},
                                       {0, -2, -0x1.ffffffffffffep+0},
                                       {0, -1, -2},
                                       {-0x1.fffffffffffffp-1, -1, 1},
                                       {-0x1.ffffffffffffep-1, -1, 1},
                                       {-0x1.ffffffffffffep-1, 1, 0},
                                       {-1, 2, 0x1.0000000000001p+0},
                                       {-0x1.0000000000001p+0, 2, 0x1.0000000000001p+1},
                                       {2, 0, 2},
                                       {2, 1, -2},
                                       {0x1.ffffffffffffep-1, 2, 0x1.0000000000002p+0},
                                       {1, 0x1.0000000000001p+1, 2}};
    static const cd_vec3 thin[5] = {{0x1p-20, 0x2p-20, -0x2p-20},
                                    {0x3p-1074, -0x2p-1074, -0x2p-20},
                                    {0x3p-1074, 0x2p-1074, -0x2p-20},
                                    {0x1p-20, 0, 0x2p-20},
                                    {0x2p-20, 0, -0x2p-20}};
    for (int i = 0; i < 2; ++i) {
        cd_sphere s = {{-1, -1, -0x1.0000000000001p+0}, 1};
        cd_vec3 still = {0, 0, 0};
        sweep_body ball, body;
        cd_hull hull;
        cd_hit hit;
        bool got;
        if (i == 1) s.center = cd_vec3_make(0x1p-20, 0x1p-21, -0x1p-20);
        if (!CHECK_INT(cd_hull3_build(&hull, i ? thin : corner, i ? 5 : 12, NULL), CD_OK)) continue;
        ball = sweep_of_sphere(s);
        body = sweep_of_hull(&hull);
        test_note("%d", i);
        got = cd_sweep_sphere_hull(s, still, &hull, NULL, &hit);
        sweep_judge(&ball, still, &body, got, &hit);
        CHECK(got && (hit.flags & CD_HIT_START));
        got = cd_sweep_hull_sphere(&hull, still, s, NULL, &hit);
        sweep_judge(&body, still, &ball, got, &hit);
        CHECK(got && (hit.flags & CD_HIT_START));
        cd_hull_destroy(&hull);
    }
}

/* A centre in a hull is under two faces whose planes differ in the last digit alone: that which is named has the point. */
static void a_start_under_faces_in_a_plane(void) {
    static const cd_vec3 corner[9] = {{-2, -1, -2}, {-0x1.0000000000002p+1, -2, 1}, {-1, 2, 0},
                                      {1, -2, -2},  {2, 0, -0x1.ffffffffffffep+0},  {1, -2, 1},
                                      {1, 0, 2},    {0x1.fffffffffffffp-1, 2, 0},   {2, 2, -1}};
    cd_sphere s = {{1, 0, 1}, 1};
    cd_vec3 motion = {-3, 1, 0x1p-53};
    sweep_body body;
    cd_hull hull;
    cd_hit hit;
    if (!CHECK_INT(cd_hull3_build(&hull, corner, 9, NULL), CD_OK)) return;
    body = sweep_of_hull(&hull);
    test_note("");
    CHECK(cd_sweep_sphere_hull(s, motion, &hull, NULL, &hit) && (hit.flags & CD_HIT_START));
    sweep_judge_feature(&body, &hit, 1e-14);
    cd_hull_destroy(&hull);
}

/* The edge that a ball meets is the border of a face that is as near: point and normal are both the face's. */
static void a_ball_over_a_face_beside_its_edge(void) {
    static const cd_vec3 corner[12] = {{0x1.35a8a44ac12a5p+25, 0x1.88210383e81e3p+25, 0x1.c07745c5e113bp+25},
                                       {0x1.35a8a44ac12a5p+25, 0x1.8821039eaeadep+25, 0x1.c07745b26bcc1p+25},
                                       {0x1.35a8a44ac12a5p+25, 0x1.8821038453dbap+25, 0x1.c07745f2157cep+25},
                                       {0x1.35a8a462d1438p+25, 0x1.882103ad47322p+25, 0x1.c07745a42ad8fp+25},
                                       {0x1.35a8a474de6ap+25, 0x1.882103727d9e3p+25, 0x1.c07745dc8b16bp+25},
                                       {0x1.35a8a44ac12a5p+25, 0x1.882103c7679fep+25, 0x1.c0774646c5b59p+25},
                                       {0x1.35a8a4910289ep+25, 0x1.8821038b2cf58p+25, 0x1.c0774613464f9p+25},
                                       {0x1.35a8a47d15b02p+25, 0x1.8821039338c1ep+25, 0x1.c0774666fa0eep+25},
                                       {0x1.35a8a44ac12a5p+25, 0x1.882104096404fp+25, 0x1.c07745fd8cf39p+25},
                                       {0x1.35a8a44ac12a5p+25, 0x1.88210401d1844p+25, 0x1.c077465070dd6p+25},
                                       {0x1.35a8a4c13100fp+25, 0x1.882103f3eb43ep+25, 0x1.c077459b64cc1p+25},
                                       {0x1.35a8a4f2060f1p+25, 0x1.88210425309a7p+25, 0x1.c07745d2f66b3p+25}};
    cd_sphere s = {{0x1.35a8a494e422ep+25, 0x1.8821035eb4d4ep+25, 0x1.c07745fda8106p+25}, 0x1.29ea4f89586p-3};
    cd_vec3 motion = {-0x1.a8eb8d8p-1, 0x1.b297cdp-2, 0x1.412c8ap-3}, center, touching;
    cd_hull hull;
    cd_hit hit;
    if (!CHECK_INT(cd_hull3_build(&hull, corner, 12, NULL), CD_OK)) return;
    CHECK(cd_sweep_sphere_hull(s, motion, &hull, NULL, &hit));
    CHECK_INT(CD_FEATURE_KIND(hit.feature), CD_FEATURE_FACE);
    center = cd_vec3_along(s.center, motion, hit.t);
    touching = cd_vec3_along(hit.point, hit.normal, s.radius);
    CHECK_NEAR(cd_vec3_dist(center, touching), 0, 1e-4);
    cd_hull_destroy(&hull);
}
#endif

/* A ball meets a flat hull at a corner that is in line with the next but for rounding: the normal is from there, or from the edge beside
 * it, and none of the face. */
static void a_ball_beside_edges_in_line(void) {
    cd_real up = (cd_real)0x1.000004p+0;
    cd_vec3 corner[7] = {{-2, -1, up},
                         {(cd_real)-0x1.000004p+1, 0, up},
                         {-2, 1, up},
                         {(cd_real)-0x1.000004p+0, (cd_real)0x1.fffffcp+0, up},
                         {2, -2, up},
                         {2, 2, up},
                         {(cd_real)0x1.000004p+1, 2, up}};
    cd_sphere s = {{-2, 1, (cd_real)-0x1.000002p+1}, 2};
    cd_vec3 motion = {(cd_real)0x1.fffff8p-1, (cd_real)0x1p-24, -4}, back = cd_vec3_neg(motion);
    for (int solid = 0; solid < 2; ++solid) {
        cd_vec3 p[14];
        cd_hull hull;
        sweep_body ball = sweep_of_sphere(s), body;
        cd_hit hit;
        bool got;
        for (int i = 0; i < 14; ++i) p[i] = cd_vec3_add(corner[i % 7], cd_vec3_make(0, 0, i < 7 ? 0 : 2));
        if (!CHECK_INT(cd_hull3_build(&hull, p, solid ? 14 : 7, NULL), CD_OK)) continue;
        body = sweep_of_hull(&hull);
        test_note("solid %d", solid);
        got = cd_sweep_hull_sphere(&hull, motion, s, NULL, &hit);
        CHECK(got && !(hit.flags & CD_HIT_START));
        sweep_judge(&body, motion, &ball, got, &hit);
        got = cd_sweep_sphere_hull(s, back, &hull, NULL, &hit);
        CHECK(got && CD_FEATURE_KIND(hit.feature) != CD_FEATURE_FACE);
        sweep_judge(&ball, back, &body, got, &hit);
        cd_hull_destroy(&hull);
    }
}

void suite_sweep_hull(void) {
    RUN(hulls_meet_as_the_reference);
    RUN(needles_meet_as_the_reference);
    RUN(boxes_as_hulls_have_the_same_options);
    RUN(points_meet_edges_and_corners);
    RUN(the_least_of_hulls);
    RUN(points_and_segments_as_hulls);
    RUN(segments_in_a_plane);
    RUN(a_ball_beside_edges_in_line);
    RUN(points_meet_hulls);
#ifdef COLLIDE_DOUBLE
    RUN(a_ball_over_a_face_beside_its_edge);
    RUN(a_start_under_needles);
    RUN(a_start_under_faces_in_a_plane);
#endif
}
