/* Conditions that decide alone: each of a decision's conditions is the one that makes the answer what it is. What `make mcdc`
 * found undecided: half-spaces that miss, widths that are none, options out of range, layers and filters of whole shapes. */
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static cd_vec3 at(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

/* The direction of axis k, or the vector with x there. */
static cd_vec3 along(int k, double x) {
    return at(k == 0 ? x : 0, k == 1 ? x : 0, k == 2 ? x : 0);
}

static cd_plane plane_of(int k, double x, double d) {
    cd_plane p;
    p.n = along(k, x);
    p.d = (cd_real)d;
    return p;
}

static cd_aabb cube(double x, double half) {
    cd_aabb b;
    b.min = at(x - half, -half, -half);
    b.max = at(x + half, half, half);
    return b;
}

/* ---- bodies as wide as -1...1 in all directions of axes, at planes ---- */

typedef struct round_things {
    cd_vec3 generators[3];
    cd_zonotope zonotope;
    cd_spherical_shell shell;
    cd_ellipsoid ellipsoid;
} round_things;

static void round_begin(round_things *r) {
    memset(r, 0, sizeof *r);
    for (int k = 0; k < 3; ++k) r->generators[k] = along(k, 1);
    r->zonotope.generators = r->generators;
    r->zonotope.count = 3;
    r->shell.axis = at(0, 0, 1);
    r->shell.inner = (cd_real)0.5;
    r->shell.outer = 1;
    r->shell.cos_angle = -1;
    r->ellipsoid.axes = cd_mat3_identity();
    r->ellipsoid.half = at(1, 1, 1);
}

static void check_planes(const round_things *r, cd_plane p, bool touches, bool reaches) {
    test_note_reals("plane", REALS(p), 4);
    CHECK_INT(ASK("exact", cd_test_zonotope_plane(&r->zonotope, p)), touches);
    CHECK_INT(ASK("exact", cd_test_zonotope_halfspace(&r->zonotope, p)), reaches);
    CHECK_INT(ASK("exact", cd_test_spherical_shell_plane(&r->shell, p)), touches);
    CHECK_INT(ASK("exact", cd_test_spherical_shell_halfspace(&r->shell, p)), reaches);
    CHECK_INT(ASK("exact", cd_test_ellipsoid_plane(&r->ellipsoid, p)), touches);
    CHECK_INT(ASK("exact", cd_test_ellipsoid_halfspace(&r->ellipsoid, p)), reaches);
}

static void planes_on_all_sides(void) {
    round_things r;
    round_begin(&r);
    for (int k = 0; k < 3; ++k) {
        for (int d = -4; d <= 4; ++d) {
            check_planes(&r, plane_of(k, 1, d / 2.0), abs(d) <= 2, d >= -2);
            check_planes(&r, plane_of(k, -2, d), abs(d) <= 2, d >= -2);
        }
    }
    check_planes(&r, plane_of(0, 0, 1), false, false); /* no plane */
    r.zonotope.center.y = r.shell.center.y = r.ellipsoid.center.y = (cd_real)NAN;
    check_planes(&r, plane_of(0, 1, 0), false, false);
}

/* ---- widths on one axis, the others being alike ---- */

static bool widths_meet(const int w[4]) {
    return w[0] <= w[1] && w[2] <= w[3] && w[0] <= w[3] && w[2] <= w[1];
}

static void check_boxes_of_codes(const int w[4], int k) {
    cd_aabb_q16 a, b;
    cd_aabb_q8 c, d;
    cd_aabb_int e, f;
    for (int i = 0; i < 3; ++i) {
        a.min[i] = b.min[i] = c.min[i] = d.min[i] = 0;
        a.max[i] = b.max[i] = c.max[i] = d.max[i] = 3;
        e.min[i] = f.min[i] = -1;
        e.max[i] = f.max[i] = 1;
    }
    a.min[k] = (uint16_t)w[0], a.max[k] = (uint16_t)w[1], b.min[k] = (uint16_t)w[2],
    b.max[k] = (uint16_t)w[3];
    c.min[k] = (uint8_t)w[0], c.max[k] = (uint8_t)w[1], d.min[k] = (uint8_t)w[2], d.max[k] = (uint8_t)w[3];
    e.min[k] = w[0], e.max[k] = w[1], f.min[k] = w[2], f.max[k] = w[3];
    CHECK_INT(ASK("exact", cd_test_aabb_aabb_q16(&a, &b)), widths_meet(w));
    CHECK_INT(ASK("exact", cd_test_aabb_aabb_q8(&c, &d)), widths_meet(w));
    CHECK_INT(ASK("exact", cd_test_aabb_aabb_int(&e, &f)), widths_meet(w));
}

static void check_slabs(const int w[4], int k) {
    cd_slab a[3], b[3];
    cd_kdop2 c, d;
    memset(&c, 0, sizeof c);
    d = c;
    for (int i = 0; i < 3; ++i) {
        a[i].n = b[i].n = along(i, 1);
        a[i].min = b[i].min = 0;
        a[i].max = b[i].max = 1;
        c.max[i] = d.max[i] = 1;
    }
    c.count = d.count = 3;
    a[k].min = c.min[k] = (cd_real)w[0], a[k].max = c.max[k] = (cd_real)w[1];
    b[k].min = d.min[k] = (cd_real)w[2], b[k].max = d.max[k] = (cd_real)w[3];
    CHECK_INT(ASK("exact", cd_test_slabs_slabs(a, b, 3)), widths_meet(w));
    CHECK_INT(ASK("exact", cd_test_2d_kdop_kdop(&c, &d)), widths_meet(w));
}

/* Of k-DOPs the first width tells whether they are empty. The witness may be anything, and is one where it is told. */
static void check_kdops(const int w[4], int k) {
    cd_kdop a, b;
    memset(&a, 0, sizeof a);
    a.count = 3;
    for (int i = 0; i < 3; ++i) a.max[i] = 1;
    b = a;
    a.min[k] = (cd_real)w[0], a.max[k] = (cd_real)w[1];
    b.min[k] = (cd_real)w[2], b.max[k] = (cd_real)w[3];
    if (k > 0 && (w[0] > w[1] || w[2] > w[3])) return;
    CHECK_INT(ASK("exact", cd_test_kdop_kdop(&a, &b)), widths_meet(w));
    for (uint32_t first = 0; first < 5; ++first) {
        uint32_t i = first == 4 ? CD_NONE : first;
        CHECK_INT(ASK("exact", cd_test_kdop_kdop_cached(&a, &b, &i)), widths_meet(w));
        if (w[0] > w[3] || w[2] > w[1]) CHECK_INT(i, k);
        i = first;
        b.count = 2; /* of another set */
        CHECK(!cd_test_kdop_kdop_cached(&a, &b, &i));
        b.count = 3;
    }
}

static void widths_of_all_orders(void) {
    for (int n = 0; n < 256; ++n) {
        int w[4];
        for (int i = 0; i < 4; ++i) w[i] = n >> 2 * i & 3;
        test_note("%d...%d and %d...%d", w[0], w[1], w[2], w[3]);
        for (int k = 0; k < 3; ++k) {
            check_boxes_of_codes(w, k);
            check_slabs(w, k);
            check_kdops(w, k);
        }
    }
}

static void boxes_with_one_number_missing(void) {
    for (int i = 0; i < 6; ++i) {
        cd_aabb b = cube(0, 1);
        REALS(b)[i] = (cd_real)NAN;
        test_note("number %d", i);
        CHECK(isnan((double)cd_aabb_volume(b)));
        CHECK(isnan((double)cd_aabb_surface_area(b)));
    }
}

/* ---- options out of range, one at a time ---- */

static cd_status built_with(const cd_bvh_options *o) {
    cd_aabb boxes[3];
    cd_bvh tree;
    cd_status status;
    for (int i = 0; i < 3; ++i) boxes[i] = cube(i, 0.25);
    memset(&tree, 0, sizeof tree);
    status = cd_bvh_build_boxes(&tree, boxes, 3, o);
    cd_bvh_destroy(&tree);
    return status;
}

static void options_out_of_range(void) {
    for (int i = 0; i < 10; ++i) {
        cd_bvh_options o;
        cd_status want = i < 2 ? CD_OK : CD_INVALID_ARGUMENT;
        memset(&o, 0, sizeof o);
        switch (i) {
        case 1: o.leaf_extent = CD_REAL_MAX; break;
        case 2: o.flags = 4; break;
        case 3: o.leaf_size = 65; break;
        case 4: o.method = 1000; break;
        case 5: o.layout = 1000; break;
        case 6: o.axis = 1000; break;
        case 7: o.leaf_extent = -1; break;
        case 8: o.leaf_extent = (cd_real)INFINITY; break;
        case 9: o.leaf_extent = (cd_real)NAN; break;
        default: break;
        }
        test_note("option %d", i);
        CHECK_INT(built_with(&o), want);
    }
}

/* ---- objects that have moved ---- */

typedef struct pairs_asked {
    uint32_t want[8][8]; /* how often */
    uint32_t parity;     /* pairs of an even sum only; 2: all */
    bool good;
} pairs_asked;

static bool pair_seen(void *user, cd_pair pair) {
    pairs_asked *p = (pairs_asked *)user;
    p->good = p->good && pair.a < pair.b && pair.b < 8 && p->want[pair.a][pair.b]-- == 1;
    return true;
}

static bool pair_is_let(void *user, cd_pair pair) {
    const pairs_asked *p = (const pairs_asked *)user;
    return p->parity == 2 || (pair.a + pair.b) % 2 == p->parity;
}

static void check_moved(const cd_dyntree *tree, uint32_t moved, uint32_t ignore_a, uint32_t ignore_b,
                        uint32_t parity) {
    uint32_t ignored = ignore_a | ignore_b, left = 0;
    cd_bvh_pair_options o;
    pairs_asked p;
    memset(&o, 0, sizeof o);
    memset(&p, 0, sizeof p);
    p.parity = parity;
    p.good = true;
    o.ignore_a = ignore_a;
    o.ignore_b = ignore_b;
    o.user = &p;
    if (parity <= 2) o.filter = pair_is_let;
    for (uint32_t a = 0; a < 8; ++a) {
        for (uint32_t b = a + 1; b < 8; ++b) {
            cd_pair pair;
            pair.a = a, pair.b = b;
            p.want[a][b] = ((moved >> a | moved >> b) & 1u) && !((1u << a | 1u << b) & ignored) &&
                           (parity > 2 || pair_is_let(&p, pair));
        }
    }
    test_note("moved %x, passed over %x and %x, parity %u", moved, ignore_a, ignore_b, parity);
    CHECK(ASK("loop", cd_dyntree_traverse_moved(tree, &o, pair_seen, &p)));
    for (int i = 0; i < 64; ++i) left += p.want[i / 8][i % 8];
    CHECK(p.good && left == 0);
}

/* Eight boxes in one place, of which some have moved, so that the tree goes where they are, and all. */
static void moved_pairs_heed_masks_and_filters(void) {
    static const uint32_t moves[4] = {0, 1u, 0x28u, 0xFFu};
    cd_dyntree tree;
    memset(&tree, 0, sizeof tree);
    for (uint32_t i = 0; i < 8; ++i) {
        uint32_t id;
        CHECK_INT(cd_dyntree_insert(&tree, cube(0.01 * (int)i, 1), 1u << i, &id), CD_OK);
        CHECK_INT(id, i);
    }
    for (int m = 0; m < 4; ++m) {
        cd_dyntree_forget_moves(&tree);
        for (uint32_t i = 0; i < 8; ++i) {
            cd_aabb to = cube(0.01 * (int)i + (m % 2 ? 5.0 : 0.0), 1); /* out of its fat box */
            if (moves[m] >> i & 1u) CHECK_INT(cd_dyntree_move(&tree, i, to, at(0, 0, 0)), CD_OK);
            if (moves[m] >> i & 1u)
                CHECK_INT(cd_dyntree_move(&tree, i, cube(0.01 * (int)i, 1), at(0, 0, 0)), CD_OK);
        }
        for (uint32_t parity = 0; parity < 4; ++parity) {
            check_moved(&tree, moves[m], 0, 0, parity);
            check_moved(&tree, moves[m], 1u, 0, parity);
            check_moved(&tree, moves[m], 0, 0x30u, parity);
            check_moved(&tree, moves[m], 0x80u, 0x08u, parity);
        }
    }
    cd_dyntree_destroy(&tree);
}

/* ---- quadrilaterals folded along their diagonal ---- */

static void folded_quads(void) {
    test_rng rng = test_random();
    cd_quad q;
    cd_triangle half[2];
    int met[4] = {0, 0, 0, 0};
    q.a = at(0, 0, 0);
    q.b = at(1, 1, 1);
    q.c = at(0, 2, 0);
    q.d = at(1, 1, -1);
    half[0].a = half[1].a = q.a;
    half[0].b = q.b;
    half[0].c = half[1].b = q.c;
    half[1].c = q.d;
    for (int i = 0; i < 60; ++i) {
        cd_ray r;
        cd_hit hit, h[2];
        bool is[2], side = i & 1;
        r.origin = at(test_range(&rng, -0.2, 1), test_range(&rng, 0.2, 1.8), side ? 4 : -4);
        if (i % 10 == 0) r.origin.x = 0; /* at the diagonal */
        r.dir = at(0, 0, side ? -1 : 1);
        for (int k = 0; k < 2; ++k) is[k] = cd_cast_ray_triangle(&r, 100, &half[k], NULL, &h[k]);
        test_note_reals("from", REALS(r.origin), 3);
        CHECK_INT(ASK("forms", cd_cast_ray_quad(&r, 100, &q, NULL, &hit)), is[0] || is[1]);
        ++met[is[0] + 2 * is[1]];
        if (is[0] && is[1]) CHECK_SAME(hit.t, fmin((double)h[0].t, (double)h[1].t));
        if (is[0] != is[1]) CHECK_SAME(hit.t, h[is[1]].t);
    }
    CHECK(met[0] > 0 && met[3] > 0);
}

/* ---- rays of no length in hulls ---- */

static void points_as_rays_in_hulls(void) {
    test_rng rng = test_random();
    for (long n = test_times(100); n > 0; --n) {
        cd_quat turn = gen_quat(&rng);
        cd_mat3 m = cd_quat_to_mat3(turn);
        cd_vec3 p[8];
        cd_hull hull;
        double size[3];
        for (int k = 0; k < 3; ++k) size[k] = test_range(&rng, 0.2, 2);
        for (int i = 0; i < 8; ++i) {
            cd_vec3 corner =
                at(i & 1 ? size[0] : -size[0], i & 2 ? size[1] : -size[1], i & 4 ? size[2] : -size[2]);
            p[i] = n % 4 ? cd_mat3_mul_vec(&m, corner) : corner;
        }
        CHECK_INT(cd_hull3_build(&hull, p, 8, NULL), CD_OK);
        for (int i = 0; i < 8; ++i) {
            cd_ray r;
            cd_hit hit;
            bool in;
            double far = test_range(&rng, 0, 2);
            r.origin = i ? cd_vec3_scale(p[i], (cd_real)far) : at(0, 0, 0);
            r.dir = at(0, 0, 0);
            if (fabs(far - 1) < 1e-3) continue;
            in = i == 0 || far < 1;
            test_note_reals("corners", REALS(p), 24);
            test_note_reals("from", REALS(r.origin), 3);
            CHECK_INT(ASK("samples", cd_cast_ray_hull(&r, 1, &hull, NULL, &hit)), in);
            if (in) CHECK_SAME(hit.t, 0);
        }
        cd_hull_destroy(&hull);
    }
}

/* ---- layers and filters of whole shapes ---- */

typedef struct two_asked {
    bool test, near;
    size_t contacts;
    double distance;
} two_asked;

static two_asked asked(const cd_shape *a, const cd_shape *b, const cd_transform *pose,
                       const cd_shape_options *o, cd_cache *cache) {
    two_asked r;
    cd_manifold m[4];
    cd_closest c;
    cd_separation s = cd_shape_distance(a, b, pose, o, cache, NULL);
    CHECK_INT(s.status, CD_OK);
    r.distance = (double)s.distance;
    r.test = cd_shape_test(a, b, pose, o, cache, NULL);
    r.near = cd_shape_closest(a, b, pose, o, &c, NULL);
    r.contacts = cd_shape_collide(a, b, pose, o, NULL, m, 4);
    return r;
}

static bool let_if(void *user, const cd_part *a, const cd_part *b) {
    (void)a;
    (void)b;
    return *(const bool *)user;
}

/* The answers are those without options, or there is nothing to be asked about; what a cache remembers of another question does
 * not count. */
static void check_layers(const cd_shape *a, const cd_shape *b, const cd_transform *pose) {
    two_asked free_of = asked(a, b, pose, NULL, NULL);
    CHECK(free_of.near);
    for (int i = 0; i < 7; ++i) {
        bool pass = i == 6, none = i == 1 || i == 3 || i == 5;
        cd_shape_options o;
        cd_cache cache;
        two_asked got;
        memset(&o, 0, sizeof o);
        memset(&cache, 0, sizeof cache);
        o.ignore_a = i == 1 ? 5u : i == 2 ? 2u : 0;
        o.ignore_b = i == 3 ? 6u : i == 4 ? 5u : 0;
        if (i > 4) o.filter = let_if, o.user = &pass;
        test_note("types %u and %u, options %d", a->type, b->type, i);
        for (int round = 0; round < 2; ++round) {
            if (round) (void)asked(a, b, pose, NULL, &cache);
            got = asked(a, b, pose, &o, &cache);
            CHECK_INT(got.test, !none && free_of.test);
            CHECK_INT(got.near, !none);
            CHECK_INT(got.contacts, none ? 0 : free_of.contacts);
            if (none) {
                CHECK_SAME(got.distance, CD_REAL_MAX);
            } else {
                CHECK_NEAR(got.distance, free_of.distance, 64 * EPS);
            }
        }
    }
}

/* Rays, sweeps and times of impact at shapes whose layers are passed over, on either side. */
static void check_moving(const cd_shape *a, const cd_shape *b) {
    cd_transform from = cd_transform_identity(), to = from;
    cd_motion way, rest;
    cd_ray r;
    from.position = at(-6, 0.1, 0.05);
    to.position = at(6, 0.1, 0.05);
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &way), CD_OK);
    to = cd_transform_identity();
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &to, &to, &rest), CD_OK);
    r.origin = at(-6, 0.1, 0.05);
    r.dir = at(12, 0, 0);
    to.position = at(6, 0, 0);
    for (uint32_t mask = 0; mask < 8; ++mask) {
        cd_cast_options c;
        cd_shape_options o;
        cd_hit hit;
        cd_impact got;
        memset(&c, 0, sizeof c);
        memset(&o, 0, sizeof o);
        c.ignore_mask = mask;
        test_note("types %u and %u, mask %u", a->type, b->type, mask);
        CHECK_INT(ASK("loop", cd_shape_cast_ray(b, &r, 1, &c, &hit, NULL)), !(mask & b->layers));
        CHECK_INT(ASK("loop", cd_shape_sweep(a, at(12, 0.1, 0), b, &to, &c, &hit, NULL)),
                  !(mask & b->layers));
        o.ignore_a = mask;
        got = cd_shape_time_of_impact(a, &way, b, &rest, &o, NULL);
        CHECK(got.status == CD_OK && got.hit == !(mask & a->layers));
        o.ignore_a = 0;
        o.ignore_b = mask;
        got = cd_shape_time_of_impact(a, &way, b, &rest, &o, NULL);
        CHECK(got.status == CD_OK && got.hit == !(mask & b->layers));
    }
}

static void layers_of_whole_shapes(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(1, 0, &rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    cd_bvh tree;
    cd_placed_shape child[2];
    cd_compound listed, built;
    cd_sphere s;
    cd_shape one, all[5];
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    s.center = at(0, 0, 0);
    s.radius = 1;
    one = cd_shape_of_sphere(s);
    one.layers = 0;
    for (int i = 0; i < 2; ++i) {
        child[i].shape = &one;
        child[i].pose = cd_transform_identity();
        child[i].pose.position = at(0.5 * i, 0, 0);
    }
    listed = cd_compound_of(child, 2);
    CHECK_INT(cd_compound_build(&built, child, 2, NULL), CD_OK);
    all[0] = cd_shape_of_sphere(s);
    all[1] = cd_shape_of_aabb(cube(0, 1));
    all[2] = cd_shape_of_mesh(&tree, NULL);
    all[3] = cd_shape_of_compound(&listed);
    all[4] = cd_shape_of_compound(&built);
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < 5; ++k) {
            cd_transform pose = cd_transform_identity();
            cd_shape a = all[i], b = all[k];
            if (test_is_tiny() && k != (i + 2) % 5) continue;
            a.layers = 1;
            b.layers = 2;
            pose.position = at(1.4, 0.1, 0.05);
            check_layers(&a, &b, &pose);
            pose.position = at(4, 0.1, 0.05);
            check_layers(&a, &b, &pose);
            check_moving(&a, &b);
        }
    }
    cd_compound_destroy(&built);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&ball);
}

/* ---- one solid in another ---- */

typedef struct ball_body {
    gen_mesh mesh;
    cd_bvh tree;
    cd_bvh_winding winding;
    cd_solid solid;
} ball_body;

static void ball_begin(ball_body *b, double size, test_rng *rng) {
    cd_mesh_view view;
    b->mesh = gen_mesh_ball(2, 0, rng);
    for (uint32_t i = 0; i < b->mesh.vertex_count; ++i)
        b->mesh.vertices[i] = cd_vec3_scale(b->mesh.vertices[i], (cd_real)size);
    view = gen_mesh_view(&b->mesh);
    CHECK_INT(cd_bvh_build_mesh(&b->tree, &view, NULL), CD_OK);
    CHECK_INT(cd_bvh_winding_build(&b->winding, &b->tree, NULL), CD_OK);
    b->solid = cd_solid_of(&b->tree, &b->winding);
}

static void ball_end(ball_body *b) {
    cd_bvh_winding_destroy(&b->winding);
    cd_bvh_destroy(&b->tree);
    gen_mesh_free(&b->mesh);
}

/* The smaller is in the larger, whichever is asked first, and then no pair of triangles is told; outside neither is in. */
static void solids_in_solids(void) {
    test_rng rng = test_random();
    ball_body large, small;
    ball_begin(&large, 4, &rng);
    ball_begin(&small, 0.5, &rng);
    for (int i = 0; i < 4; ++i) {
        const cd_solid *a = i & 1 ? &large.solid : &small.solid, *b = i & 1 ? &small.solid : &large.solid;
        cd_transform pose = cd_transform_identity();
        cd_pair pair;
        pose.position = at(i & 2 ? 8 : 0.25, 0.5, 0);
        pair.a = pair.b = 0;
        test_note("%d", i);
        CHECK_INT(ASK("loop", cd_solid_test(a, b, &pose, NULL, &pair)), !(i & 2));
        if (!(i & 2)) CHECK(pair.a == CD_NONE && pair.b == CD_NONE);
        CHECK_INT(cd_solid_test(a, b, &pose, NULL, NULL), !(i & 2));
    }
    ball_end(&large);
    ball_end(&small);
}

/* A child turned about one axis only is turned. */
static void children_turned_about_one_axis(void) {
    cd_sphere s;
    cd_shape box = cd_shape_of_aabb(cube(0.25, 1)), ball;
    s.center = at(1.5, 1.75, 2);
    s.radius = (cd_real)0.25;
    ball = cd_shape_of_sphere(s);
    for (int k = 0; k < 3; ++k) {
        cd_placed_shape child;
        cd_compound c;
        cd_shape whole;
        cd_separation got, want;
        cd_transform back;
        child.shape = &box;
        child.pose = cd_transform_identity();
        child.pose.rotation = cd_quat_from_axis_angle(along(k, 1), (cd_real)0.7);
        c = cd_compound_of(&child, 1);
        whole = cd_shape_of_compound(&c);
        back = cd_transform_inverse(&child.pose);
        got = cd_shape_distance(&whole, &ball, NULL, NULL, NULL, NULL);
        want = cd_shape_distance(&box, &ball, &back, NULL, NULL, NULL);
        test_note("axis %d", k);
        CHECK_NEAR(got.distance, want.distance, 64 * EPS);
    }
}

void suite_conditions(void) {
    RUN(planes_on_all_sides);
    RUN(widths_of_all_orders);
    RUN(boxes_with_one_number_missing);
    RUN(options_out_of_range);
    RUN(moved_pairs_heed_masks_and_filters);
    RUN(folded_quads);
    RUN(points_as_rays_in_hulls);
    RUN(layers_of_whole_shapes);
    RUN(solids_in_solids);
    RUN(children_turned_about_one_axis);
}
