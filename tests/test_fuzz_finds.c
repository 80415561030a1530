/* What fuzzing found: each input as it was, made small, and what has to hold of it. */
#include "oracle.h"
#include "test.h"
#include <math.h>
#include <string.h>

/* One corner is NaN in one coordinate: there is neither a normal nor a plane, though one component of the cross product is a number. */
static void plane_of_a_corner_that_is_none(void) {
    cd_triangle t = {{1, -1, 0}, {0, 1, 0}, {1, 1, 0}};
    for (int k = 0; k < 9; ++k) {
        cd_triangle bad = t;
        cd_vec3 n = {5, 6, 7};
        cd_plane p = {{5, 6, 7}, 8};
        REALS(bad)[k] = (cd_real)(k % 2 ? NAN : INFINITY);
        CHECK(!cd_triangle_normal(&bad, &n) && n.x == 5 && n.z == 7);
        CHECK(!cd_plane_from_triangle(&bad, &p) && p.n.x == 5 && p.d == 8);
        CHECK(!cd_plane_from_points(bad.a, bad.b, bad.c, &p) && p.n.x == 5 && p.d == 8);
    }
    CHECK(cd_triangle_normal(&t, NULL) && cd_plane_from_triangle(&t, NULL));
}

/* The nearest point of a triangle of which one corner is far off, to the digits that doubles leave at its place. The point found was over
 * the face, by all three edges, and outside the bounding box: nothing was near, and the distance infinite. */
static void needle_that_is_near(void) {
    static const cd_triangle found = {
        {(cd_real)-0x1.709c14p+45, (cd_real)-0x1.709c14p+45, (cd_real)-0x1.40c38ep+41},
        {(cd_real)0x1.92a1d2p-33, (cd_real)0x1.3cfc62p-10, (cd_real)0x1.92a1d2p-33},
        {(cd_real)0x1.b2bae6p+23, (cd_real)-0x1.105e3cp-49, (cd_real)-0x1.dadf0cp-12}};
    test_rng rng = test_random();
    long times = test_times(3000);
    for (long k = 0; k < 3 * times; ++k) {
        cd_triangle t = found, turned;
        cd_vec3 p = cd_vec3_make((cd_real)-0x1.62b48ap-36, (cd_real)-0x1.ac12b6p+3, (cd_real)0x1.aece28p-19);
        cd_closest near;
        double x[9], w[3], truth, margin, size = 0;
        if (k >= 3) {
            double place = ldexp(1.0, test_int(&rng, 20, 45)), width = ldexp(1.0, test_int(&rng, 0, 24));
            for (int i = 0; i < 9; ++i)
                REALS(t)[i] = (cd_real)(test_range(&rng, -1, 1) * (i < 3 ? place : width));
            for (int i = 0; i < 3; ++i) {
                double a = REALS(t)[i], b = REALS(t)[3 + i], c = REALS(t)[6 + i];
                double s = ldexp(1.0, -test_int(&rng, 20, 60)), u = 0.25 + 0.125 * (double)(k % 5);
                REALS(p)[i] = (cd_real)(b + (c - b) * u + s * (a - b) + test_range(&rng, -1, 1));
            }
        }
        for (int i = 0; i < 9; ++i) REALS(turned)[i] = REALS(t)[(i + 3 * (k % 3)) % 9];
        for (int i = 0; i < 9; ++i) x[i] = (double)REALS(turned)[i];
        for (int i = 0; i < 3; ++i) w[i] = (double)REALS(p)[i];
        for (int i = 0; i < 9; ++i) size = fmax(size, fabs(x[i]));
        test_note("");
        test_note_reals("triangle", REALS(turned), 9);
        test_note_reals("p", REALS(p), 3);
        truth = oracle_point_triangle(w, x).distance;
        /* In floats, angles down to 1/1000 go the plain way, whose products of doubles are good to a thousand times less there. */
        margin = 4 * (double)CD_REAL_EPSILON * truth + (k < 3 || sizeof(cd_real) == 8 ? 1e-15 : 2e-13) * size;
        near = cd_closest_pts_point_triangle(p, &turned);
        CHECK_NEAR(sqrt((double)near.sqdist), truth, margin);
        CHECK_NEAR(cd_vec3_dist(p, near.b), truth,
                   2 * margin + 8 * (double)CD_REAL_EPSILON * (fabs(w[0]) + fabs(w[1]) + fabs(w[2])));
        CHECK_NEAR(sqrt((double)cd_sqdist_point_triangle(p, &turned)), truth, margin);
    }
}

/* Rays from the end of the range at triangles about the origin, of any size, alone and beside one that moves the middle of the tree
 * away from the ray: how far it is to there is beyond the range of doubles, in their own units and in the tree's. */
static void rays_from_the_end_of_the_range(void) {
    const cd_real end = CD_REAL_MAX, beside = (cd_real)((double)CD_REAL_MAX * 1e-5);
    int met = 0;
    for (int e = -140; e <= 120; e += 20) {
        cd_real s = (cd_real)ldexp(1, sizeof(cd_real) == 8 ? 7 * e : e);
        cd_vec3 p[6];
        cd_triangle t;
        cd_ray r;
        cd_hit want;
        bool hits;
        p[0] = cd_vec3_make(-s, -s, s / 2);
        p[1] = cd_vec3_make(s, -s, s / 2);
        p[2] = cd_vec3_make(0, s, -s / 2);
        for (int i = 3; i < 6; ++i)
            p[i] = cd_vec3_make((cd_real)(i - 4) * end, (cd_real)(i % 2) * beside, beside);
        memcpy(&t, p, sizeof t);
        r.origin = cd_vec3_make(0, -end, -end);
        r.dir = cd_vec3_make(0, beside, beside);
        hits =
            cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &want); /* which need not be, beyond the domain */
        met += hits;
        for (uint32_t k = 0; k < 8; ++k) {
            cd_mesh_view view = cd_mesh_view_make(p, k < 4 ? 3 : 6, NULL, k < 4 ? 1 : 2);
            cd_bvh_options o;
            cd_bvh tree;
            cd_hit hit;
            memset(&o, 0, sizeof o);
            o.layout = k % 4;
            test_note("size 2^%d, tree %u", e, (unsigned)k);
            CHECK_INT(cd_bvh_build_mesh(&tree, &view, &o), CD_OK);
            CHECK_INT(cd_bvh_cast_ray(&tree, &r, CD_REAL_MAX, NULL, &hit), hits);
            if (hits) CHECK(hit.index == 0 && hit.t == want.t);
            cd_bvh_destroy(&tree);
        }
    }
    CHECK(met > 7);
}

/* Directions of a turned set, where three that were in a plane are so but for rounding, and a point that is exactly on both planes of
 * four such slabs: it is all of the body, and only planes that are nearly dependent meet there. No corner was found, and the
 * k-DOP of the moved corners was empty. Other turns and points of whole numbers are tried beside it. */
static void flat_between_turned_planes(void) {
    static const cd_real axes[39] = {
        (cd_real)-0x1.cc2458p-2, (cd_real)-0x1.5b725cp-1, (cd_real)-0x1.2979eap-1, (cd_real)0x1.c07bbap-1,
        (cd_real)-0x1.d98d94p-2, (cd_real)-0x1.193e2ep-3, (cd_real)-0x1.676c5p-3,  (cd_real)-0x1.242accp-1,
        (cd_real)0x1.9abdbcp-1,  (cd_real)0x1.011cf6p-2,  (cd_real)-0x1.b631f8p+0, (cd_real)0x1.57a22ap-4,
        (cd_real)0x1.3444a2p-1,  (cd_real)-0x1.240e5cp-1, (cd_real)-0x1.85439ap+0, (cd_real)-0x1.80347ep+0,
        (cd_real)-0x1.92d65ep-1, (cd_real)0x1.6f26bap-2,  (cd_real)-0x1.26596ap+0, (cd_real)0x1.6afe7p-2,
        (cd_real)-0x1.3ef40ep+0, (cd_real)0x1.b4d31ep-2,  (cd_real)-0x1.241c94p+0, (cd_real)-0x1.6fc976p-1,
        (cd_real)-0x1.5346f4p+0, (cd_real)-0x1.baae4cp-3, (cd_real)-0x1.c654bep-2, (cd_real)-0x1.3fed4p-1,
        (cd_real)-0x1.3fce94p+0, (cd_real)0x1.c50f44p-3,  (cd_real)-0x1.186e3p-2,  (cd_real)-0x1.ba3c8ep-4,
        (cd_real)-0x1.621bd4p+0, (cd_real)0x1.66a0a6p-1,  (cd_real)-0x1.0878cap+0, (cd_real)0x1.546e3p-1,
        (cd_real)0x1.0d2b68p+0,  (cd_real)0x1.bb200cp-4,  (cd_real)-0x1.e10d48p-1};
    test_rng rng = test_random();
    for (long k = test_times(3000); k >= 0; --k) {
        cd_kdop_set set;
        cd_kdop dop, moved;
        cd_vec3 p = cd_vec3_make(-1, -2, 2), v[CD_KDOP_VERTICES];
        cd_transform pose = {
            {(cd_real)0x1.18e3bep-2, (cd_real)0x1.a5a0ep-1, (cd_real)-0x1.d8887cp-2, (cd_real)-0x1.77ce0cp-3},
            {(cd_real)0x1.04f9bap+3, (cd_real)-0x1.103686p+2, (cd_real)0x1.244d36p+3}};
        uint32_t count;
        memset(&set, 0, sizeof set);
        set.count = 13;
        memcpy(set.axis, axes, sizeof axes);
        if (k > 0) {
            cd_quat q;
            for (int i = 0; i < 4; ++i) REALS(q)[i] = (cd_real)test_range(&rng, -1, 1);
            q = cd_quat_normalize(q);
            set = cd_kdop_set_standard(26);
            set = cd_kdop_set_rotate(&set, q);
            for (int i = 0; i < 3; ++i) REALS(p)[i] = (cd_real)test_int(&rng, -2, 2);
        }
        CHECK_INT(cd_kdop_from_points(&p, 1, &set, &dop), CD_OK);
        test_note_reals("axes", &set.axis[0].x, 39);
        test_note_reals("p", &p.x, 3);
        count = ASK("exact", cd_kdop_vertices(&dop, &set, v));
        CHECK(count > 0);
        CHECK_INT(ASK("exact", cd_kdop_tumble(v, count, &set, &pose, &moved)), CD_OK);
        CHECK(cd_test_point_kdop(cd_transform_point(&pose, p), &moved, &set));
    }
}

void suite_fuzz_finds(void) {
    RUN(rays_from_the_end_of_the_range);
    RUN(flat_between_turned_planes);
    RUN(needle_that_is_near);
    RUN(plane_of_a_corner_that_is_none);
}
