/* Simplified hulls: budgets, inside-ness by exact rationals, deviations by support functions in many directions, and how good
 * they are beside subsets at random and the best that is known. */
#include "parts.h"

#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- bodies ---- */

enum { MOST = 400 };

typedef struct cloud {
    cd_vec3 point[MOST];
    size_t count;
} cloud;

static cd_vec3 on_sphere(test_rng *r) {
    for (;;) {
        double x = test_range(r, -1, 1), y = test_range(r, -1, 1), z = test_range(r, -1, 1),
               q = x * x + y * y + z * z;
        if (q > 1.0 || q < 0.01) continue;
        q = 1.0 / sqrt(q);
        return cd_vec3_make((cd_real)(x * q), (cd_real)(y * q), (cd_real)(z * q));
    }
}

static void add(cloud *c, double x, double y, double z) {
    c->point[c->count++] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static void add_bevelled_box(cloud *c, double bevel) {
    for (int i = 0; i < 24; ++i) {
        double p[3];
        for (int k = 0; k < 3; ++k) p[k] = (i >> k & 1 ? 1.0 : -1.0) * (k == i / 8 ? 1.0 : 1.0 - bevel);
        add(c, p[0], p[1], p[2]);
    }
}

static void add_cylinder(cloud *c, int sides) {
    for (int i = 0; i < 2 * sides; ++i) {
        double angle = 6.283185307179586 * (i / 2) / sides;
        add(c, floor(1024 * cos(angle)) / 1024, floor(1024 * sin(angle)) / 1024, i % 2 ? 1.0 : -1.0);
    }
}

enum { BODIES = 13 };

/* Bodies of a number: round, boxy, thin, tiny, huge, far away, or of any kind of points. */
static cloud body_of(int kind, test_rng *r) {
    cloud c;
    int n = test_int(r, 5, 120);
    double size[3] = {1.0, 1.0, 1.0}, place[3] = {0.0, 0.0, 0.0};
    c.count = 0;
    if (kind == 1) add_bevelled_box(&c, test_range(r, 0.01, 0.9));
    if (kind == 2) add_cylinder(&c, test_int(r, 5, 60));
    if (kind == 3) size[0] = 1e5;
    if (kind == 4) size[2] = 1e-5;
    if (kind == 5) size[0] = size[1] = size[2] = sizeof(cd_real) == 4 ? 0x1p50 : 0x1p190;
    if (kind == 6) size[0] = size[1] = size[2] = sizeof(cd_real) == 4 ? 0x1p-50 : 0x1p-190;
    if (kind == 7) place[0] = place[1] = 10000.0;
    if (kind == 12) add_cylinder(&c, test_int(r, 5, 60));
    for (size_t i = 0; kind == 12 && i < c.count; ++i) c.point[i].z = 3 * c.point[i].x;
    if (kind >= 8 && kind < 12) {
        static const gen_kind kinds[4] = {GEN_GRID, GEN_ULP, GEN_WIDE, GEN_FAR};
        gen g = gen_begin(r, kinds[kind - 8]);
        for (int i = 0; i < n; ++i) c.point[c.count++] = gen_point(&g);
    }
    if (kind == 1 || kind == 2 || kind >= 8) return c;
    for (int i = 0; i < n; ++i) {
        cd_vec3 p = on_sphere(r);
        add(&c, size[0] * (double)p.x + place[0], size[1] * (double)p.y + place[1],
            size[2] * (double)p.z + place[2]);
    }
    return c;
}

/* ---- judging ---- */

static double support(const cd_hull_parts *p, const double u[3]) {
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        double h = u[0] * (double)p->vertices[i].x + u[1] * (double)p->vertices[i].y +
                   u[2] * (double)p->vertices[i].z;
        most = h > most ? h : most;
    }
    return most;
}

static double reach_of(const cd_hull_parts *p) {
    double most = 0.0;
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        double v[3];
        to_doubles(REALS(p->vertices[i]), v, 3);
        most = fmax(most, largest(v, 3));
    }
    return most;
}

/* The support functions of the larger and the smaller one differ by no more than what the result says, in no direction the
 * wrong way. */
static void check_deviation(const cd_hull *smaller, const cd_hull *larger, double deviation, long directions,
                            test_rng *r) {
    cd_hull_parts s = cd_hull_get_parts(smaller), l = cd_hull_get_parts(larger);
    double slack = 1e-15 * reach_of(&l), worst = 0.0, least = 0.0;
    for (long i = -(long)s.face_count; i < directions; ++i) {
        cd_vec3 d = i < 0 ? s.faces[-i - 1].plane.n : on_sphere(r);
        double u[3], length, gap;
        to_doubles(REALS(d), u, 3);
        length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; ++k) u[k] /= length;
        gap = support(&l, u) - support(&s, u);
        worst = fmax(worst, gap);
        least = fmin(least, gap);
    }
    CHECK(worst <= deviation + slack);
    CHECK(least >= -slack);
}

static void real3(const cd_hull_parts *p, uint32_t v, double out[3]) {
    to_doubles((const cd_real *)(const void *)&p->vertices[v], out, 3);
}

/* Inside: every vertex is one of the hull's, with its source. */
static void check_subset(const cd_hull *result, const cd_hull *hull, const cd_vec3 *points) {
    cd_hull_parts r = cd_hull_get_parts(result), p = cd_hull_get_parts(hull);
    for (uint32_t i = 0; i < r.vertex_count; ++i) {
        uint32_t k = 0;
        while (k < p.vertex_count && p.sources[k] != r.sources[i]) ++k;
        if (!CHECK(k < p.vertex_count)) return;
        CHECK(!memcmp(&p.vertices[k], &r.vertices[i], sizeof(cd_vec3)));
        CHECK(cd_vec3_length(cd_vec3_sub(points[r.sources[i]], r.vertices[i])) <= 0);
    }
}

/* Around: no vertex of the hull is in front of a face of the exact hull of the result's vertices. */
static void check_around(const cd_hull *result, const cd_hull *hull) {
    cd_hull_parts r = cd_hull_get_parts(result), p = cd_hull_get_parts(hull), e;
    cd_hull exact;
    CHECK_INT(cd_hull3_build(&exact, r.vertices, r.vertex_count, NULL), CD_OK);
    e = cd_hull_get_parts(&exact);
    CHECK_INT(e.vertex_count, r.vertex_count);
    for (uint32_t f = 0; f < e.face_count; ++f) {
        double t[3][3], v[3];
        bool holds = true;
        for (uint32_t k = 0; k < 3; ++k) real3(&e, e.half_edges[e.faces[f].first + k].origin, t[k]);
        for (uint32_t i = 0; i < p.vertex_count && holds; ++i) {
            real3(&p, i, v);
            holds = oracle_orient3d(t[0], t[1], t[2], v) >= 0;
        }
        if (!CHECK(holds)) break;
    }
    for (uint32_t i = 0; i < r.vertex_count; ++i) CHECK(r.sources[i] == CD_NONE);
    cd_hull_destroy(&exact);
}

static cd_hull simplified(const cd_hull *hull, uint32_t side, uint32_t vertices, uint32_t faces) {
    cd_hull_simplify_options o;
    cd_hull result;
    memset(&o, 0, sizeof o);
    o.side = side;
    o.max_vertices = vertices;
    o.max_faces = faces;
    test_note("side %u, vertices %u of %u, faces %u of %u", side, vertices,
              cd_hull_get_parts(hull).vertex_count, faces, cd_hull_get_parts(hull).face_count);
    CHECK_INT(ASK("judge", cd_hull_simplify(&result, hull, &o)), CD_OK);
    CHECK_INT(cd_hull_validate(&result), CD_OK);
    return result;
}

static double deviation_of(const cd_hull *h) {
    return (double)cd_hull_get_parts(h).deviation;
}

static uint32_t some_budget(test_rng *r, uint32_t least, uint32_t count) {
    return (uint32_t)test_int(r, (int)least, test_int(r, (int)least, (int)(count > least ? count : least)));
}

/* ---- budgets, on all bodies ---- */

static void inner_hulls_keep_budgets(void) {
    test_rng r = test_random();
    int flat = 0;
    for (long i = 0; i < test_times(400); ++i) {
        cloud c = body_of((int)(i % BODIES), &r);
        cd_hull hull, s;
        cd_hull_parts p, q;
        uint32_t vertices, faces;
        CHECK_INT(cd_hull3_build(&hull, c.point, c.count, NULL), CD_OK);
        p = cd_hull_get_parts(&hull);
        vertices = some_budget(&r, p.dimension == 2 ? 3 : 4, p.vertex_count);
        faces = i % 3 == 0 ? some_budget(&r, 4, p.face_count) : 0;
        s = simplified(&hull, CD_HULL_INNER, vertices, faces);
        q = cd_hull_get_parts(&s);
        flat += p.dimension == 2 && vertices < p.vertex_count;
        CHECK_INT(q.dimension, p.dimension);
        if (faces == 0 || p.dimension < 3) {
            CHECK_INT(q.vertex_count, vertices < p.vertex_count ? vertices : p.vertex_count);
        } else {
            CHECK(q.vertex_count <= vertices && q.face_count <= faces);
        }
        if (q.vertex_count == p.vertex_count) CHECK(deviation_of(&s) <= 0.0 && s.block != hull.block);
        check_subset(&s, &hull, c.point);
        check_deviation(&s, &hull, deviation_of(&s), 100, &r);
        cd_hull_destroy(&s);
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(flat > 0);
}

static void outer_hulls_keep_budgets(void) {
    test_rng r = test_random();
    for (long i = 0; i < test_times(200); ++i) {
        cloud c = body_of((int)(i % BODIES), &r);
        cd_hull hull, s;
        cd_hull_parts p, q;
        uint32_t vertices, faces;
        CHECK_INT(cd_hull3_build(&hull, c.point, c.count, NULL), CD_OK);
        p = cd_hull_get_parts(&hull);
        vertices = i % 2 ? some_budget(&r, 4, p.vertex_count) : 0;
        faces = i % 2 == 0 || i % 3 == 0 ? some_budget(&r, 4, p.face_count) : 0;
        if (p.dimension == 3 && (p.vertex_count > vertices || p.face_count > faces)) {
            s = simplified(&hull, CD_HULL_OUTER, vertices, faces);
            q = cd_hull_get_parts(&s);
            CHECK_INT(q.dimension, 3);
            CHECK((vertices == 0 || q.vertex_count <= vertices) && (faces == 0 || q.face_count <= faces));
            if (deviation_of(&s) > 0.0) check_around(&s, &hull);
            check_deviation(&hull, &s, deviation_of(&s), 100, &r);
            cd_hull_destroy(&s);
        }
        cd_hull_destroy(&hull);
    }
}

/* ---- quality ---- */

static cd_hull sphere_of(uint32_t count, test_rng *r) {
    cd_vec3 *p = (cd_vec3 *)malloc(count * sizeof *p);
    cd_hull h;
    for (uint32_t i = 0; i < count; ++i) p[i] = on_sphere(r);
    CHECK_INT(cd_hull3_build(&h, p, count, NULL), CD_OK);
    free(p);
    return h;
}

/* The best hull of a few random subsets of the vertices. */
static double random_subset_deviation(const cd_hull *hull, uint32_t count, test_rng *r) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    double best = HUGE_VAL;
    cd_vec3 *some = (cd_vec3 *)malloc(count * sizeof *some);
    for (int round = 0; round < 5; ++round) {
        cd_hull h;
        for (uint32_t i = 0; i < count; ++i) some[i] = p.vertices[test_int(r, 0, (int)p.vertex_count - 1)];
        CHECK_INT(cd_hull3_build(&h, some, count, NULL), CD_OK);
        best = fmin(best, cdi_gap_largest(&h, hull));
        cd_hull_destroy(&h);
    }
    free(some);
    return best;
}

/* The best coverings of a sphere by 32 caps have a radius of 22.7 degrees (Hardin, Sloane and Smith), so that no 32 vertices
 * come nearer than 0.0774; around it no 32 planes than 1 / cos 22.7 - 1 = 0.0840. */
static void spheres_come_out_well(void) {
    test_rng r = test_random();
    cd_hull hull = sphere_of(1000, &r);
    cd_hull inner = simplified(&hull, CD_HULL_INNER, 32, 0), outer = simplified(&hull, CD_HULL_OUTER, 0, 32);
    CHECK(deviation_of(&inner) < 0.115);
    CHECK(deviation_of(&outer) < 0.125);
    CHECK(deviation_of(&inner) < 0.6 * random_subset_deviation(&hull, 32, &r));
    CHECK_INT(cd_hull_get_parts(&outer).face_count, 32);
    check_deviation(&inner, &hull, deviation_of(&inner), test_times(10000), &r);
    check_deviation(&hull, &outer, deviation_of(&outer), test_times(10000), &r);
    cd_hull_destroy(&inner);
    cd_hull_destroy(&outer);
    cd_hull_destroy(&hull);
}

/* More is better: never much worse than half the budget, and much better than an eighth. */
static void deviations_shrink_with_the_budget(void) {
    test_rng r = test_random();
    uint32_t count = test_is_tiny() ? 75 : test_is_small() ? 150 : 600;
    cd_hull hull = sphere_of(count, &r);
    for (uint32_t side = 0; side < 2; ++side) {
        double last = HUGE_VAL;
        for (uint32_t budget = 4; budget < count; budget *= 2) {
            cd_hull s = simplified(&hull, side, side ? 0 : budget, side ? budget : 0);
            CHECK(deviation_of(&s) < last);
            last = deviation_of(&s);
            cd_hull_destroy(&s);
        }
        CHECK(last < 12.0 / count);
    }
    cd_hull_destroy(&hull);
}

/* With six faces a box is found, exactly; four and five make a tetrahedron and a prism. */
static void few_faces_make_sense(void) {
    cloud c;
    cd_hull hull, s;
    static const double most[3] = {3.3, 1.7, 0.174};
    c.count = 0;
    add_bevelled_box(&c, 0.125);
    CHECK_INT(cd_hull3_build(&hull, c.point, c.count, NULL), CD_OK);
    for (uint32_t faces = 4; faces <= 6; ++faces) {
        s = simplified(&hull, CD_HULL_OUTER, 0, faces);
        CHECK_INT(cd_hull_get_parts(&s).face_count, faces);
        CHECK(deviation_of(&s) < most[faces - 4]);
        cd_hull_destroy(&s);
    }
    s = simplified(&hull, CD_HULL_OUTER, 8, 0);
    CHECK_INT(cd_hull_get_parts(&s).vertex_count, 8);
    cd_hull_destroy(&s);
    cd_hull_destroy(&hull);
}

/* ---- what it is made of ---- */

/* Through the middle of every square of a cube's sides, once, +x, +y and +z first; on a side each beside the one before. */
static void directions_of_a_cube(void) {
    for (uint32_t n = 1; n <= 5; ++n) {
        bool seen[6][5][5];
        cdi_v3 last = cdi_v3_make(0, 0, 0);
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < 6 * n * n; ++i) {
            cdi_v3 u = cdi_cube_direction(i, n), way = cdi_v3_sub(u, last);
            uint32_t side = i / (n * n), axis = side % 3;
            double sign = side < 3 ? 1 : -1;
            double row = (cdi_v3_get(u, (int)(axis + 1) % 3) + 1) * n / 2;
            double column = (cdi_v3_get(u, (int)(axis + 2) % 3) + 1) * n / 2;
            test_note("%u of %u", i, n);
            CHECK_SAME(cdi_v3_get(u, (int)axis), sign);
            if (!CHECK(row > 0 && row < n && column > 0 && column < n)) return;
            CHECK_NEAR(row - floor(row), 0.5, 1e-14);
            CHECK_NEAR(column - floor(column), 0.5, 1e-14);
            CHECK(!seen[side][(int)row][(int)column]);
            seen[side][(int)row][(int)column] = true;
            if (i % (n * n) != 0) CHECK_NEAR(cdi_v3_length(way), 2.0 / n, 1e-14);
            last = u;
        }
    }
}

/* From points about a box, with the way from it; nothing is written beside the state of the search. */
static void reaches_beyond_a_box(void) {
    struct {
        cdi_hull_gap gap;
        uint32_t guard[4];
    } s;
    test_rng r = test_random();
    cd_vec3 p[8];
    cd_hull hull;
    double half[3] = {1, 2, 3};
    for (int i = 0; i < 8; ++i)
        p[i] = cd_vec3_make((cd_real)(i & 1 ? 1 : -1), (cd_real)(i & 2 ? 2 : -2), (cd_real)(i & 4 ? 3 : -3));
    CHECK_INT(cd_hull3_build(&hull, p, 8, NULL), CD_OK);
    memset(&s, 77, sizeof s);
    s.gap = cdi_gap_begin(&hull, &hull);
    for (long i = 40 + test_times(400); i > 0; --i) {
        double at[3], off[3], length = 0, got;
        cdi_v3 away;
        for (int k = 0; k < 3; ++k) {
            at[k] = test_range(&r, -6, 6);
            off[k] = at[k] - fmax(-half[k], fmin(half[k], at[k]));
            length += off[k] * off[k];
        }
        length = sqrt(length);
        if (length < 0.01) continue;
        got = cdi_gap_reach(&s.gap, cdi_v3_make(at[0], at[1], at[2]), &away);
        test_note("(%g, %g, %g)", at[0], at[1], at[2]);
        CHECK_NEAR(ldexp(got, -s.gap.exponent), length, 1e-6 * length);
        CHECK_NEAR(away.x, off[0] / length, 1e-3);
        CHECK_NEAR(away.y, off[1] / length, 1e-3);
        CHECK_NEAR(away.z, off[2] / length, 1e-3);
        for (int k = 0; k < 4; ++k) CHECK_INT(s.guard[k], 0x4D4D4D4D);
    }
    cd_hull_destroy(&hull);
}

/* Any size of the domain gives the same hull, and the same deviation; beyond it the deviation is right. */
static void sizes_change_nothing(void) {
    test_rng r = test_random();
    cloud c = body_of(0, &r);
    cd_hull hull, first[2];
    int step = sizeof(cd_real) == 4 ? 18 : 65;
    for (int e = 0; e < 9; ++e) {
        int power = e < 7    ? (e % 2 ? -(e + 1) / 2 : e / 2) * step
                    : e == 7 ? -6 * step
                             : 6 * step; /* as it is first */
        cloud d = c;
        for (size_t i = 0; i < c.count; ++i) {
            for (int k = 0; k < 3; ++k)
                REALS(d.point[i])[k] = (cd_real)ldexp((double)REALS(c.point[i])[k], power);
        }
        CHECK_INT(cd_hull3_build(&hull, d.point, d.count, NULL), CD_OK);
        for (uint32_t side = 0; side < 2; ++side) {
            cd_hull s = simplified(&hull, side, side ? 0 : 5, side ? 7 : 0);
            cd_hull_parts p, q;
            if (side) check_deviation(&hull, &s, deviation_of(&s), 20, &r);
            if (!side) check_deviation(&s, &hull, deviation_of(&s), 20, &r);
            if (e == 0) first[side] = s;
            p = cd_hull_get_parts(&s);
            q = cd_hull_get_parts(&first[side]);
            if (e < 7) CHECK_SAME(ldexp((double)p.deviation, -power), q.deviation);
            if (e < 7 && CHECK_INT(p.vertex_count, q.vertex_count)) {
                for (uint32_t i = 0; i < 3 * p.vertex_count; ++i)
                    CHECK_SAME(ldexp((double)REALS(p.vertices[i / 3])[i % 3], -power),
                               REALS(q.vertices[i / 3])[i % 3]);
            }
            if (e > 0) cd_hull_destroy(&s);
        }
        cd_hull_destroy(&hull);
    }
    cd_hull_destroy(&first[0]);
    cd_hull_destroy(&first[1]);
}

/* ---- of few faces ---- */

/* Of a body and the tetrahedron whose faces touch it along every other diagonal: how far the corners are from the body. */
static double diagonal_deviation(const cd_hull *hull, double sign) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    double h[4], most = 0.0;
    for (int i = 0; i < 4; ++i) {
        double u[3] = {i < 2 ? sign : -sign, i % 3 ? -sign : sign, i % 2 ? -sign : sign};
        h[i] = support(&p, u);
    }
    for (int i = 0; i < 4; ++i) { /* where all but face i meet; the four normals sum up to zero */
        double sum = h[0] + h[1] + h[2] + h[3] - h[i], corner[3];
        for (int k = 0; k < 3; ++k) {
            double along = 0.0;
            for (int j = 0; j < 4; ++j) {
                double u[3] = {j < 2 ? sign : -sign, j % 3 ? -sign : sign, j % 2 ? -sign : sign};
                if (j != i) along += u[k] * h[j];
                if (j == i) along -= u[k] * sum;
            }
            corner[k] = 0.25 * along;
        }
        most =
            fmax(most, sqrt((double)cd_sqdist_point_hull(
                           cd_vec3_make((cd_real)corner[0], (cd_real)corner[1], (cd_real)corner[2]), hull)));
    }
    return most;
}

/* Tetrahedra are tried, too. */
static void four_faces_are_a_good_tetrahedron(void) {
    test_rng r = test_random();
    for (long i = 10 + test_times(100); i > 0; --i) {
        cloud c = body_of(0, &r);
        cd_hull hull, s;
        double stretch = test_range(&r, 1, 3), best;
        for (size_t k = 0; k < c.count; ++k) c.point[k].z *= (cd_real)stretch;
        CHECK_INT(cd_hull3_build(&hull, c.point, c.count, NULL), CD_OK);
        s = simplified(&hull, CD_HULL_OUTER, 0, 4);
        CHECK_INT(cd_hull_get_parts(&s).face_count, 4);
        best = fmin(diagonal_deviation(&hull, 1), diagonal_deviation(&hull, -1));
        CHECK(deviation_of(&s) <= best * (1 + 1e-5));
        cd_hull_destroy(&s);
        cd_hull_destroy(&hull);
    }
}

/* Boxes along the axes are tried, too: never farther than the corners of the bounds. */
static void six_faces_are_a_good_box(void) {
    test_rng r = test_random();
    for (long i = 10 + test_times(40); i > 0; --i) {
        cloud c = body_of(0, &r);
        cd_hull hull, s;
        double stretch = test_range(&r, 1, 3), best = 0;
        cd_aabb box;
        for (size_t k = 0; k < c.count; ++k) c.point[k].z *= (cd_real)stretch;
        if (i % 2 && c.count > 12) c.count = 12;
        CHECK_INT(cd_hull3_build(&hull, c.point, c.count, NULL), CD_OK);
        box = cd_hull_bounds(&hull);
        for (int k = 0; k < 8; ++k) {
            cd_vec3 corner = cd_vec3_make(k & 1 ? box.min.x : box.max.x, k & 2 ? box.min.y : box.max.y,
                                          k & 4 ? box.min.z : box.max.z);
            best = fmax(best, sqrt((double)cd_sqdist_point_hull(corner, &hull)));
        }
        s = simplified(&hull, CD_HULL_OUTER, 0, 6);
        CHECK(cd_hull_get_parts(&s).face_count <= 6);
        CHECK(deviation_of(&s) <= best * (1 + 1e-5));
        cd_hull_destroy(&s);
        cd_hull_destroy(&hull);
    }
}

/* ---- many vertices: a choice of them, along directions ---- */

static void check_both_sides(const cd_hull *hull, const cd_vec3 *points, uint32_t vertices, uint32_t faces,
                             double most, test_rng *r) {
    cd_hull inner = simplified(hull, CD_HULL_INNER, vertices, 0);
    cd_hull outer = simplified(hull, CD_HULL_OUTER, 0, faces);
    CHECK_INT(cd_hull_get_parts(&inner).vertex_count, vertices);
    CHECK(cd_hull_get_parts(&outer).face_count <= faces);
    check_subset(&inner, hull, points);
    if (vertices < faces) check_around(&outer, hull);
    check_deviation(&inner, hull, deviation_of(&inner), 100, r);
    check_deviation(hull, &outer, deviation_of(&outer), 100, r);
    CHECK(deviation_of(&inner) < most && deviation_of(&outer) < most);
    cd_hull_destroy(&inner);
    cd_hull_destroy(&outer);
}

/* A sphere; and a cap so flat, with three corners far out and one below, that hardly a direction sees more than these. */
static void of_many_vertices_some_are_looked_at(void) {
    enum { MANY = 1800, SIDE = 20 };
    test_rng r = test_random();
    cd_vec3 *p = (cd_vec3 *)malloc(MANY * sizeof *p);
    cd_hull hull;
    uint32_t count = 0;
    for (int i = 0; i < MANY; ++i) p[i] = on_sphere(&r);
    CHECK_INT(cd_hull3_build(&hull, p, MANY, NULL), CD_OK);
    CHECK(cd_hull_get_parts(&hull).vertex_count > 1536);
    check_both_sides(&hull, p, 16, 14, 0.45, &r);
    cd_hull_destroy(&hull);
    for (int i = -SIDE; i <= SIDE; ++i)
        for (int k = -SIDE; k <= SIDE; ++k)
            p[count++] = cd_vec3_make((cd_real)(i / 64.0), (cd_real)(k / 64.0),
                                      (cd_real)(-1e-4 * (i * i + k * k) / 4096));
    for (int i = 0; i < 3; ++i)
        p[count++] = cd_vec3_make((cd_real)(4 * (i - 1)), (cd_real)(i == 1 ? 5 : -3), (cd_real)-25e-4);
    p[count++] = cd_vec3_make(0, 0, -1);
    CHECK_INT(cd_hull3_build(&hull, p, count, NULL), CD_OK);
    CHECK_INT(cd_hull_get_parts(&hull).vertex_count, count);
    check_both_sides(&hull, p, 13, 14, 8, &r);
    cd_hull_destroy(&hull);
    free(p);
}

typedef struct memory_peak {
    size_t now, most;
} memory_peak;

static void *peak_alloc(void *user, size_t size, size_t align) {
    memory_peak *m = (memory_peak *)user;
    (void)align;
    m->now += size;
    m->most = m->now > m->most ? m->now : m->most;
    return test_block(size);
}

static void peak_free(void *user, void *p, size_t size) {
    ((memory_peak *)user)->now -= p ? size : 0;
    test_block_free(p);
}

/* The most memory that it takes to choose some of them. */
static size_t memory_to_choose(const cd_vec3 *p, size_t count, uint32_t wanted) {
    memory_peak m = {0, 0};
    cd_hull_simplify_options o;
    cd_hull hull, s;
    memset(&o, 0, sizeof o);
    o.max_vertices = wanted;
    o.allocator.user = &m;
    o.allocator.alloc = peak_alloc;
    o.allocator.free = peak_free;
    CHECK_INT(cd_hull3_build(&hull, p, count, NULL), CD_OK);
    CHECK_INT(cd_hull_simplify(&s, &hull, &o), CD_OK);
    cd_hull_destroy(&s);
    cd_hull_destroy(&hull);
    CHECK_INT(m.now, 0);
    return m.most;
}

/* Where there are so many that directions choose, fewer are left to choose from than where there are few enough for all: the work shrinks. */
static void of_many_vertices_not_all_are_weighed(void) {
    enum { MANY = 1800, FEW = 1500 };
    test_rng r = test_random();
    size_t few, many;
    cd_vec3 *p = (cd_vec3 *)malloc(MANY * sizeof *p);
    for (int i = 0; i < MANY; ++i) p[i] = on_sphere(&r);
    few = memory_to_choose(p, FEW, 16);
    many = memory_to_choose(p, MANY, 16);
    CHECK(many < few);
    free(p);
}

/* Where those that are missed least one by one are missed together, the one that is missed most comes back for another: of small bodies
 * it is the best choice there is. */
static void what_is_missed_comes_back(void) {
    static const struct {
        uint32_t count, wanted;
        int8_t p[14][3];
    } body[3] = {{10,
                  5,
                  {{-2, 2, 4},
                   {1, -2, 2},
                   {1, -2, -3},
                   {-3, -2, -4},
                   {3, -2, -1},
                   {0, 4, 3},
                   {1, -4, 3},
                   {-4, -4, -4},
                   {0, 4, 0},
                   {-4, -2, -1}}},
                 {12,
                  5,
                  {{3, -1, 2},
                   {-2, -1, 1},
                   {-3, 4, -3},
                   {-1, -3, 2},
                   {4, 4, 1},
                   {-2, -3, -2},
                   {-3, -2, 3},
                   {-2, -2, -3},
                   {3, -4, 0},
                   {1, 4, 0},
                   {-1, 2, -4},
                   {-4, -4, -4}}},
                 {14,
                  6,
                  {{-3, 4, 3},
                   {-3, -2, 0},
                   {2, 2, -4},
                   {4, -3, 1},
                   {1, 3, -2},
                   {2, -3, 3},
                   {3, 0, 3},
                   {4, 4, 0},
                   {-3, 4, 3},
                   {-2, 0, -2},
                   {-1, 3, 1},
                   {-2, 4, -1},
                   {-3, 1, -4},
                   {-4, 4, 4}}}};
    for (int i = 0; i < 3; ++i) {
        cd_vec3 p[14];
        cd_hull hull, s;
        cd_hull_parts all;
        double best = HUGE_VAL;
        for (uint32_t k = 0; k < body[i].count; ++k)
            p[k] = cd_vec3_make(body[i].p[k][0], body[i].p[k][1], body[i].p[k][2]);
        CHECK_INT(cd_hull3_build(&hull, p, body[i].count, NULL), CD_OK);
        all = cd_hull_get_parts(&hull);
        for (uint32_t set = 0; set < 1u << all.vertex_count; ++set) {
            cd_vec3 some[14];
            uint32_t n = 0;
            for (uint32_t k = 0; k < all.vertex_count; ++k)
                if (set >> k & 1) some[n++] = all.vertices[k];
            if (n != body[i].wanted) continue;
            CHECK_INT(cd_hull3_build(&s, some, n, NULL), CD_OK);
            if (cd_hull_get_parts(&s).dimension == 3) best = fmin(best, cdi_gap_largest(&s, &hull));
            cd_hull_destroy(&s);
        }
        s = simplified(&hull, CD_HULL_INNER, body[i].wanted, 0);
        CHECK(deviation_of(&s) <= best * (1 + 1e-5));
        cd_hull_destroy(&s);
        cd_hull_destroy(&hull);
    }
}

/* Two arcs askew: each point of one is a neighbour of many of the other. */
static void vertices_with_many_neighbours(void) {
    enum { MANY = 300 };
    test_rng r = test_random();
    cd_vec3 p[MANY];
    cd_hull hull, s;
    for (int i = 0; i < MANY; ++i) { /* in no order, for the farthest are taken first */
        double t = (double)i / MANY - 0.5, bulge = 1.0 - t * t;
        p[i] = i % 2 ? cd_vec3_make((cd_real)t, 0, (cd_real)bulge)
                     : cd_vec3_make(0, (cd_real)t, (cd_real)-bulge);
    }
    CHECK_INT(cd_hull3_build(&hull, p, MANY, NULL), CD_OK);
    CHECK_INT(cd_hull_get_parts(&hull).vertex_count, MANY);
    s = simplified(&hull, CD_HULL_INNER, 100, 0);
    CHECK_INT(cd_hull_get_parts(&s).vertex_count, 100);
    check_subset(&s, &hull, p);
    check_deviation(&s, &hull, deviation_of(&s), 100, &r);
    CHECK(deviation_of(&s) < 2e-3);
    cd_hull_destroy(&s);
    cd_hull_destroy(&hull);
}

/* So thin, or of so few units in the last place, that there may be no planes around them but those of their box, or of a corner of it
 * that is cut off. */
static void thin_hulls_and_tiny_ones_far_off(void) {
    test_rng r = test_random();
    double far_off = 1.0 / (double)CD_REAL_EPSILON; /* where the unit in the last place is 1 */
    for (int i = 0; i < 8; ++i) {
        uint32_t faces = i % 2 ? 4 : 6, vertices = i % 2 ? 4 : 8;
        cloud c;
        cd_hull hull, s;
        c.count = 0;
        for (int k = 0; k < 40; ++k) {
            cd_vec3 p = on_sphere(&r);
            double x = test_int(&r, 0, 3), y = test_int(&r, 0, 3), z = test_int(&r, 0, 3);
            if (i < 4) add(&c, (double)p.x, (double)p.y, 1e-25 * (double)p.z);
            if (i >= 4 && x + y + z < 9) add(&c, far_off + x, far_off + y, far_off + z);
        }
        CHECK_INT(cd_hull3_build(&hull, c.point, c.count, NULL), CD_OK);
        CHECK_INT(cd_hull_get_parts(&hull).dimension, 3);
        if (cd_hull_get_parts(&hull).face_count > faces) {
            s = simplified(&hull, CD_HULL_OUTER, vertices, faces);
            CHECK_INT(cd_hull_get_parts(&s).dimension, 3);
            CHECK(cd_hull_get_parts(&s).face_count <= faces &&
                  cd_hull_get_parts(&s).vertex_count <= vertices);
            check_around(&s, &hull);
            check_deviation(&hull, &s, deviation_of(&s), 100, &r);
            cd_hull_destroy(&s);
        }
        cd_hull_destroy(&hull);
    }
}

/* ---- what is copied, what is refused ---- */

static cd_status status_of(const cd_hull *hull, uint32_t flags, uint32_t side, uint32_t vertices,
                           uint32_t faces) {
    cd_hull_simplify_options o;
    cd_hull s;
    cd_status status;
    memset(&o, 0, sizeof o);
    o.flags = flags;
    o.side = side;
    o.max_vertices = vertices;
    o.max_faces = faces;
    memset(&s, 0x55, sizeof s);
    status = cd_hull_simplify(&s, hull, &o);
    CHECK(status == CD_OK || (s.block == NULL && s.bytes == 0 && s.owned == 0));
    cd_hull_destroy(&s);
    return status;
}

static void bad_arguments_are_refused(void) {
    test_rng r = test_random();
    cd_hull hull = sphere_of(50, &r), flat, none;
    cd_vec3 square[5] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {-1, (cd_real)0.5, 1}};
    memset(&none, 0, sizeof none);
    CHECK_INT(cd_hull3_build(&flat, square, 5, NULL), CD_OK);
    for (uint32_t side = 0; side < 2; ++side) {
        for (uint32_t n = 1; n < 4; ++n) {
            CHECK_INT(status_of(&hull, 0, side, n, 0), CD_INVALID_ARGUMENT);
            CHECK_INT(status_of(&hull, 0, side, 0, n), CD_INVALID_ARGUMENT);
        }
        CHECK_INT(status_of(&hull, 1, side, 8, 0), CD_INVALID_ARGUMENT);
        CHECK_INT(status_of(&flat, 0, side, 2, 0), CD_INVALID_ARGUMENT);
        CHECK_INT(status_of(&flat, 0, side, 4, 1), side ? CD_UNSUPPORTED : CD_OK);
        CHECK_INT(status_of(&flat, 0, side, 0, 1), CD_OK);
        CHECK_INT(status_of(&none, 0, side, 4, 4), CD_OK);
        CHECK_INT(status_of(&none, 0, side, 1, 1), CD_OK);
    }
    CHECK_INT(status_of(&hull, 0, 2, 8, 0), CD_INVALID_ARGUMENT);
    cd_hull_destroy(&flat);
    cd_hull_destroy(&hull);
}

static void small_hulls_are_copied(void) {
    test_rng r = test_random();
    cd_vec3 p[50];
    for (int i = 0; i < 50; ++i) p[i] = on_sphere(&r);
    for (size_t n = 1; n <= 50; n = n < 4 ? n + 1 : n + 46) {
        cd_hull hull, s, view;
        CHECK_INT(cd_hull3_build(&hull, p, n, NULL), CD_OK);
        CHECK_INT(cd_hull_view(&view, hull.block, hull.bytes), CD_OK);
        CHECK_INT(cd_hull_simplify(&s, &view, NULL), CD_OK);
        CHECK(s.bytes == hull.bytes && s.owned && !memcmp(s.block, hull.block, s.bytes));
        cd_hull_destroy(&s);
        cd_hull_destroy(&hull);
    }
}

/* ---- memory ---- */

static void starve(const cd_hull *hull, uint32_t side, uint32_t vertices, uint32_t faces) {
    cd_status status = CD_OUT_OF_MEMORY;
    for (long n = 0; n < 100000 && status == CD_OUT_OF_MEMORY; n += 1 + n / (test_is_tiny() ? 4 : 32)) {
        test_memory f = {n, 0, 0};
        cd_hull_simplify_options o;
        cd_hull s;
        memset(&o, 0, sizeof o);
        o.side = side;
        o.max_vertices = vertices;
        o.max_faces = faces;
        o.allocator = test_allocator(&f);
        status = cd_hull_simplify(&s, hull, &o);
        CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && s.block == NULL));
        CHECK(f.bytes == s.bytes && f.live == (status == CD_OK));
        cd_hull_destroy(&s);
        CHECK_INT(f.live, 0);
        CHECK_INT(f.bytes, 0);
    }
    CHECK_INT(status, CD_OK);
}

static void every_allocation_may_fail(void) {
    test_rng r = test_random();
    cd_hull hull = sphere_of(100, &r), flat;
    cloud c;
    c.count = 0;
    add_cylinder(&c, 20);
    for (size_t i = 0; i < c.count; ++i) c.point[i].z = 3;
    CHECK_INT(cd_hull3_build(&flat, c.point, c.count, NULL), CD_OK);
    starve(&flat, CD_HULL_INNER, 7, 0);
    starve(&hull, CD_HULL_INNER, 12, 0);
    starve(&hull, CD_HULL_INNER, 1000, 0);
    starve(&hull, CD_HULL_OUTER, 0, 6);
    starve(&hull, CD_HULL_OUTER, 16, 0);
    cd_hull_destroy(&hull);
    c.count = 0;
    add_cylinder(&c, 20);
    CHECK_INT(cd_hull3_build(&hull, c.point, c.count, NULL), CD_OK);
    starve(&hull, CD_HULL_INNER, 0, 12);
    cd_hull_destroy(&hull);
    cd_hull_destroy(&flat);
}

/* ---- numbers beyond the domain ---- */

static double largest_of(const cd_vec3 *p, int count) {
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        double v[3];
        to_doubles((const cd_real *)(const void *)&p[i], v, 3);
        most = fmax(most, largest(v, 3));
    }
    return most;
}

/* Whatever comes out is in order, or nothing does; the planes of faces near the largest numbers may be beyond them. */
static void no_number_breaks_it(void) {
    test_rng r = test_random();
    for (long i = 0; i < test_times(300); ++i) {
        cd_vec3 p[20];
        cd_hull hull, s;
        cd_hull_simplify_options o;
        cd_status status;
        for (int k = 0; k < 20; ++k)
            p[k] = cd_vec3_make(gen_any_real(&r), gen_any_real(&r), gen_any_real(&r));
        if (cd_hull3_build(&hull, p, 20, NULL) != CD_OK) continue;
        memset(&o, 0, sizeof o);
        o.side = (uint32_t)(i % 2);
        o.max_vertices = (uint32_t)test_int(&r, 4, 12);
        o.max_faces = i % 3 ? 0 : (uint32_t)test_int(&r, 4, 12);
        status = cd_hull_simplify(&s, &hull, &o);
        CHECK(status == CD_OK || status == CD_NOT_CONVERGED || (o.side && status == CD_UNSUPPORTED));
        if (largest_of(p, 20) < (double)CD_REAL_MAX / 64.0) CHECK_INT(cd_hull_validate(&s), CD_OK);
        CHECK(status != CD_OK || cd_hull_get_parts(&s).vertex_count <= o.max_vertices);
        cd_hull_destroy(&s);
        cd_hull_destroy(&hull);
    }
}

/* A sum whose vertices fall together when rounded: it is taken for the exact hull of what is left. */
static void rounded_sums_are_hulls_of_their_vertices(void) {
    static const cd_vec3 corner[4] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
    test_rng r = test_random();
    cd_vec3 p[300];
    cd_hull big, small_ball, sum;
    for (int i = 0; i < 300; ++i) p[i] = cd_vec3_scale(on_sphere(&r), (cd_real)1e-20);
    CHECK_INT(cd_hull3_build(&big, corner, 4, NULL), CD_OK);
    CHECK_INT(cd_hull3_build(&small_ball, p, 300, NULL), CD_OK);
    CHECK_INT(cd_minkowski_sum3(&sum, &big, &small_ball, NULL), CD_OK);
    CHECK(cd_hull_get_parts(&sum).vertex_count > 100);
    for (uint32_t side = CD_HULL_INNER; side <= CD_HULL_OUTER; ++side) {
        for (uint32_t most = 4; most <= 64; most *= 4) {
            cd_hull_simplify_options o;
            cd_hull s;
            memset(&o, 0, sizeof o);
            o.side = side;
            o.max_vertices = most;
            CHECK_INT(cd_hull_simplify(&s, &sum, &o), CD_OK);
            CHECK(cd_hull_get_parts(&s).vertex_count <= most);
            CHECK((double)cd_hull_get_parts(&s).deviation < 1e-5);
            cd_hull_destroy(&s);
        }
    }
    cd_hull_destroy(&sum);
    cd_hull_destroy(&small_ball);
    cd_hull_destroy(&big);
}

/* A polygon wider than the largest number. */
static void the_largest_polygons_keep_their_budget(void) {
    cd_real m = (cd_real)(0.8 * (double)CD_REAL_MAX), h = m / 2;
    cd_vec3 p[6];
    cd_hull_simplify_options o;
    cd_hull hull, s;
    for (int i = 0; i < 6; ++i)
        p[i] = cd_vec3_make(i % 3 == 2 ? 0
                            : i < 3    ? m
                                       : -m,
                            i % 3 == 0   ? h
                            : i % 3 == 1 ? -h
                            : i < 3      ? m
                                         : -m,
                            0);
    memset(&o, 0, sizeof o);
    o.max_vertices = 5;
    CHECK_INT(cd_hull3_build(&hull, p, 6, NULL), CD_OK);
    CHECK_INT(cd_hull_get_parts(&hull).vertex_count, 6);
    CHECK_INT(cd_hull_simplify(&s, &hull, &o), CD_OK);
    CHECK_INT(cd_hull_get_parts(&s).vertex_count, 5);
    cd_hull_destroy(&s);
    cd_hull_destroy(&hull);
}

void suite_hull_simplify(void) {
    RUN(inner_hulls_keep_budgets);
    RUN(outer_hulls_keep_budgets);
    RUN(spheres_come_out_well);
    RUN(deviations_shrink_with_the_budget);
    RUN(few_faces_make_sense);
    RUN(four_faces_are_a_good_tetrahedron);
    RUN(six_faces_are_a_good_box);
    RUN(directions_of_a_cube);
    RUN(reaches_beyond_a_box);
    RUN(sizes_change_nothing);
    RUN(of_many_vertices_some_are_looked_at);
    RUN(of_many_vertices_not_all_are_weighed);
    RUN(what_is_missed_comes_back);
    RUN(vertices_with_many_neighbours);
    RUN(thin_hulls_and_tiny_ones_far_off);
    RUN(bad_arguments_are_refused);
    RUN(small_hulls_are_copied);
    RUN(every_allocation_may_fail);
    RUN(no_number_breaks_it);
    RUN(rounded_sums_are_hulls_of_their_vertices);
    RUN(the_largest_polygons_keep_their_budget);
}
