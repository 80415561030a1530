/* Rays against any shape: bit for bit what the casts of each type say; compounds, by a list and by a tree, as a loop over their children; stretched
 * meshes as meshes of stretched corners; options, sides, bad input. */
#include "gen.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { CHILDREN = 8, CORNERS = 6 };

/* What shapes point at. */
typedef struct scene {
    cd_hull hull;
    gen_mesh mesh;
    cd_bvh tree, field;
    cd_kdop dop;
    cd_kdop_set set;
    cd_vec3 corners[CORNERS], points[12];
    cd_real samples[16];
} scene;

static void scene_open(scene *s, test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    cd_mesh_view view;
    cd_height_view heights;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 12; ++i) s->points[i] = gen_point(&g);
    CHECK_INT(cd_hull3_build(&s->hull, s->points, 12, NULL), CD_OK);
    s->mesh = gen_mesh_ball(3, 0.2, rng);
    view = gen_mesh_view(&s->mesh);
    CHECK_INT(cd_bvh_build_mesh(&s->tree, &view, NULL), CD_OK);
    memset(&heights, 0, sizeof heights);
    for (int i = 0; i < 16; ++i) s->samples[i] = (cd_real)test_range(rng, -0.5, 0.5);
    heights.samples = s->samples;
    heights.columns = heights.rows = 4;
    heights.origin = cd_vec3_make(-1, -1, 0);
    CHECK_INT(cd_bvh_build_heights(&s->field, &heights, NULL), CD_OK);
    s->set = cd_kdop_set_standard(14);
    CHECK_INT(cd_kdop_from_points(s->points, 12, &s->set, &s->dop), CD_OK);
    for (int i = 0; i < CORNERS; ++i) {
        double angle = 6.283185307179586 * i / CORNERS;
        s->corners[i] = cd_vec3_make((cd_real)cos(angle), (cd_real)sin(angle), (cd_real)0.25);
    }
}

static void scene_close(scene *s) {
    cd_hull_destroy(&s->hull);
    cd_bvh_destroy(&s->tree);
    cd_bvh_destroy(&s->field);
    gen_mesh_free(&s->mesh);
}

/* A shape of a type, of its own numbers. */
static cd_shape draw_shape(gen *g, scene *s, uint32_t type) {
    cd_segment rod = gen_segment(g);
    cd_triangle t = gen_triangle(g);
    cd_sphere ball = gen_sphere(g);
    cd_obb box = gen_obb(g);
    cd_capsule capsule;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_disc disc;
    cd_ellipsoid ellipsoid;
    cd_lozenge lozenge;
    cd_plane plane;
    capsule.a = cylinder.a = cone.apex = rod.a;
    capsule.b = cylinder.b = cone.base = rod.b;
    capsule.radius = cylinder.radius = cone.radius = disc.radius = (cd_real)test_range(g->rng, 0.1, 0.7);
    disc.center = rod.a;
    disc.normal = gen_direction(g);
    ellipsoid.center = box.center;
    ellipsoid.axes = box.axes;
    ellipsoid.half = cd_vec3_make((cd_real)0.5, (cd_real)0.75, (cd_real)test_range(g->rng, 0.1, 1));
    lozenge.a = t.a;
    lozenge.edge[0] = box.axes.col[0];
    lozenge.edge[1] = box.axes.col[1];
    lozenge.radius = capsule.radius;
    plane.n = disc.normal;
    plane.d = (cd_real)test_range(g->rng, -1, 1);
    switch (type) {
    case CD_SHAPE_TRIANGLE: return cd_shape_of_triangle(&t);
    case CD_SHAPE_POLYGON: return cd_shape_of_polygon(s->corners, CORNERS);
    case CD_SHAPE_DISC: return cd_shape_of_disc(&disc);
    case CD_SHAPE_SPHERE: return cd_shape_of_sphere(ball);
    case CD_SHAPE_CAPSULE: return cd_shape_of_capsule(&capsule);
    case CD_SHAPE_AABB: return cd_shape_of_aabb(gen_aabb(g));
    case CD_SHAPE_OBB: return cd_shape_of_obb(&box);
    case CD_SHAPE_CYLINDER: return cd_shape_of_cylinder(&cylinder);
    case CD_SHAPE_CONE: return cd_shape_of_cone(&cone);
    case CD_SHAPE_ELLIPSOID: return cd_shape_of_ellipsoid(&ellipsoid);
    case CD_SHAPE_LOZENGE: return cd_shape_of_lozenge(&lozenge);
    case CD_SHAPE_KDOP: return cd_shape_of_kdop(&s->dop, &s->set);
    case CD_SHAPE_HULL: return cd_shape_of_hull(&s->hull);
    case CD_SHAPE_HALFSPACE: return cd_shape_of_halfspace(&plane);
    case CD_SHAPE_HEIGHTS: return cd_shape_of_heights(&s->field);
    default: return cd_shape_of_mesh(&s->tree, NULL);
    }
}

static const uint32_t known[] = {CD_SHAPE_TRIANGLE,  CD_SHAPE_DISC,    CD_SHAPE_SPHERE,   CD_SHAPE_CAPSULE,
                                 CD_SHAPE_AABB,      CD_SHAPE_OBB,     CD_SHAPE_CYLINDER, CD_SHAPE_CONE,
                                 CD_SHAPE_ELLIPSOID, CD_SHAPE_LOZENGE, CD_SHAPE_KDOP,     CD_SHAPE_HULL,
                                 CD_SHAPE_HALFSPACE, CD_SHAPE_MESH,    CD_SHAPE_HEIGHTS};

enum { KNOWN = sizeof known / sizeof known[0] };

/* What the library says of that type. */
static bool cast_known(const cd_shape *s, const cd_ray *r, cd_real t_max, const cd_cast_options *o,
                       cd_hit *hit) {
    switch (s->type) {
    case CD_SHAPE_TRIANGLE: return cd_cast_ray_triangle(r, t_max, &s->u.triangle, o, hit);
    case CD_SHAPE_DISC: return cd_cast_ray_disc(r, t_max, &s->u.disc, o, hit);
    case CD_SHAPE_SPHERE: return cd_cast_ray_sphere(r, t_max, s->u.sphere, o, hit);
    case CD_SHAPE_CAPSULE: return cd_cast_ray_capsule(r, t_max, &s->u.capsule, o, hit);
    case CD_SHAPE_AABB: return cd_cast_ray_aabb(r, t_max, s->u.aabb, o, hit);
    case CD_SHAPE_OBB: return cd_cast_ray_obb(r, t_max, &s->u.obb, o, hit);
    case CD_SHAPE_CYLINDER: return cd_cast_ray_cylinder(r, t_max, &s->u.cylinder, o, hit);
    case CD_SHAPE_CONE: return cd_cast_ray_cone(r, t_max, &s->u.cone, o, hit);
    case CD_SHAPE_ELLIPSOID: return cd_cast_ray_ellipsoid(r, t_max, &s->u.ellipsoid, o, hit);
    case CD_SHAPE_LOZENGE: return cd_cast_ray_lozenge(r, t_max, &s->u.lozenge, o, hit);
    case CD_SHAPE_KDOP: return cd_cast_ray_kdop(r, t_max, s->u.kdop.dop, s->u.kdop.set, o, hit);
    case CD_SHAPE_HULL: return cd_cast_ray_hull(r, t_max, s->u.hull, o, hit);
    case CD_SHAPE_HALFSPACE: return cd_cast_ray_planes(r, t_max, &s->u.halfspace, 1, o, hit);
    default: return cd_bvh_cast_ray(s->u.mesh.tree, r, t_max, o, hit);
    }
}

static bool check_same_hit(const cd_hit *a, const cd_hit *b) {
    bool same = CHECK_SAME(a->t, b->t);
    same = CHECK_VEC(a->point, b->point, 0) && same;
    same = CHECK_VEC(a->normal, b->normal, 0) && same;
    same = CHECK_SAME(a->depth, b->depth) && same;
    same = CHECK_SAME(a->u, b->u) && same;
    same = CHECK_SAME(a->v, b->v) && same;
    same = CHECK_INT(a->feature, b->feature) && same;
    same = CHECK_INT(a->index, b->index) && same;
    return CHECK_INT(a->flags, b->flags) && same;
}

static cd_ray draw_ray(gen *g) {
    cd_ray r;
    r.origin = cd_vec3_scale(gen_point(g), (cd_real)(test_int(g->rng, 0, 2) ? 2.5 : 0.5));
    r.dir = cd_vec3_sub(gen_point(g), r.origin);
    if (!test_int(g->rng, 0, 19)) r.dir = cd_vec3_make(0, 0, 0);
    return r;
}

static cd_cast_options draw_options(test_rng *rng) {
    static const uint32_t flags[] = {0,
                                     0,
                                     CD_CAST_START_DEPTH,
                                     CD_CAST_START_IGNORE,
                                     CD_CAST_START_LEAVING,
                                     CD_CAST_START_LEAVING | CD_CAST_START_DEPTH,
                                     CD_CAST_CULL_BACK,
                                     CD_CAST_CULL_FRONT};
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = flags[test_int(rng, 0, 7)];
    if (!test_int(rng, 0, 3)) o.t_min = (cd_real)test_range(rng, -1, 1);
    return o;
}

static cd_real draw_end(test_rng *rng) {
    return test_int(rng, 0, 2) ? (cd_real)INFINITY : (cd_real)test_range(rng, 0, 2);
}

static void plain_shapes_are_cast_as_their_type(void) {
    test_rng rng = test_random();
    scene s;
    long hits = 0, all = test_times(2000);
    scene_open(&s, &rng);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, i % 4 ? GEN_UNIT : GEN_GRID);
        cd_shape shape = draw_shape(&g, &s, known[i % KNOWN]);
        cd_ray r = draw_ray(&g);
        cd_cast_options o = draw_options(&rng);
        cd_real t_max = draw_end(&rng);
        cd_hit hit, want;
        cd_part part;
        bool got;
        shape.user = (uint64_t)i;
        shape.material = 7;
        shape.offset = (cd_real)0.25;
        memset(&hit, 0, sizeof hit);
        memset(&want, 0, sizeof want);
        memset(&part, 0, sizeof part);
        test_note("%ld: %s, flags %u ", i, cd_shape_type_name(shape.type), (unsigned)o.flags);
        test_note_reals("ray", REALS(r), 6);
        got = cd_shape_cast_ray(&shape, &r, t_max, &o, &hit, &part);
        CHECK_INT(got, cast_known(&shape, &r, t_max, &o, &want));
        check_same_hit(&hit, &want);
        if (!got) continue;
        ++hits;
        CHECK(part.user == (uint64_t)i && part.child == CD_NONE && part.index == hit.index);
        CHECK_INT(part.material, 7);
        CHECK_SAME(part.offset, 0.25);
    }
    CHECK_SEEN(hits > all / 5 && hits < all);
    scene_close(&s);
}

/* ---- compounds ---- */

typedef struct pile {
    cd_shape shape[CHILDREN];
    cd_placed_shape placed[CHILDREN];
} pile;

static void draw_pile(gen *g, scene *s, pile *p) {
    for (int i = 0; i < CHILDREN; ++i) {
        do {
            p->shape[i] = draw_shape(g, s, known[test_int(g->rng, 0, KNOWN - 1)]);
        } while (!cd_shape_is_valid(&p->shape[i]));
        p->shape[i].user = 100u + (uint64_t)i;
        p->shape[i].layers = 1u << test_int(g->rng, 0, 3);
        p->placed[i].shape = &p->shape[i];
        p->placed[i].pose = test_int(g->rng, 0, 3) ? gen_pose(g->rng, 2) : cd_transform_identity();
    }
    if (g->kind == GEN_GRID) p->placed[1] = p->placed[0]; /* of equal ones the first */
}

static bool odd(void *user, uint32_t index) {
    ++*(int *)user;
    return index % 2 == 1;
}

static bool cast_list(const pile *p, const cd_ray *r, cd_real t_max, const cd_cast_options *o, cd_hit *best) {
    bool found = false;
    for (uint32_t i = 0; i < CHILDREN; ++i) {
        const cd_shape *shape = p->placed[i].shape;
        cd_cast_options each = *o;
        cd_ray own;
        cd_hit hit;
        if ((shape->layers & o->ignore_mask) || (o->filter && i % 2 == 0)) continue;
        each.filter = NULL;
        own.origin = cd_transform_inverse_point(&p->placed[i].pose, r->origin);
        own.dir = cd_transform_inverse_vector(&p->placed[i].pose, r->dir);
        if (!cast_known(shape, &own, t_max, &each, &hit) || (found && hit.t >= best->t)) continue;
        found = true;
        *best = hit;
        best->point = cd_transform_point(&p->placed[i].pose, hit.point);
        best->normal = cd_transform_vector(&p->placed[i].pose, hit.normal);
        best->index = i;
    }
    return found;
}

static void compounds_are_as_a_loop_over_their_children(void) {
    test_rng rng = test_random();
    scene s;
    long hits = 0, all = test_times(300);
    scene_open(&s, &rng);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, i % 3 ? GEN_UNIT : GEN_GRID);
        pile p;
        cd_compound list, built;
        cd_shape one, two;
        draw_pile(&g, &s, &p);
        list = cd_compound_of(p.placed, CHILDREN);
        CHECK_INT(cd_compound_build(&built, p.placed, CHILDREN, NULL), CD_OK);
        one = cd_shape_of_compound(&list);
        two = cd_shape_of_compound(&built);
        for (int k = 0; k < 6; ++k) {
            cd_ray r = draw_ray(&g);
            cd_cast_options o = draw_options(&rng);
            cd_real t_max = draw_end(&rng);
            cd_hit hit[3];
            cd_part part[2];
            bool want;
            int calls = 0;
            memset(hit, 0, sizeof hit);
            memset(part, 0, sizeof part);
            o.ignore_mask = test_int(&rng, 0, 2) ? 0 : 5;
            if (!test_int(&rng, 0, 2)) o.filter = odd, o.user = &calls;
            test_note("%ld: flags %u ", i, (unsigned)o.flags);
            test_note_reals("ray", REALS(r), 6);
            want = cast_list(&p, &r, t_max, &o, &hit[2]);
            CHECK_INT(cd_shape_cast_ray(&one, &r, t_max, &o, &hit[0], &part[0]), want);
            CHECK_INT(cd_shape_cast_ray(&two, &r, t_max, &o, &hit[1], &part[1]), want);
            if (!check_same_hit(&hit[0], &hit[2]) || !check_same_hit(&hit[1], &hit[2]) || !want) continue;
            ++hits;
            CHECK(part[0].child == hit[0].index && part[1].child == hit[0].index);
            CHECK(part[0].user == p.placed[hit[0].index].shape->user && part[1].index == part[0].index);
        }
        cd_compound_destroy(&built);
    }
    CHECK_SEEN(hits > all && hits < 6 * all);
    scene_close(&s);
}

/* ---- what is stretched or rounded ---- */

static void stretched_meshes_are_meshes_of_stretched_corners(void) {
    test_rng rng = test_random();
    scene s;
    long hits = 0, all = test_times(400);
    scene_open(&s, &rng);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 by = cd_vec3_make((cd_real)test_range(&rng, 0.5, 2), (cd_real)test_range(&rng, 0.5, 2),
                                  (cd_real)(test_range(&rng, 0.5, 2) * (i % 2 ? 1 : -1)));
        cd_shape shape = cd_shape_of_mesh(&s.tree, NULL), stretched;
        cd_ray r = draw_ray(&g);
        cd_hit hit, best;
        bool got, want = false;
        memset(&hit, 0, sizeof hit);
        memset(&best, 0, sizeof best);
        CHECK_INT(cd_shape_scaled(&shape, by, &stretched), CD_OK);
        got = cd_shape_cast_ray(&stretched, &r, (cd_real)INFINITY, NULL, &hit, NULL);
        for (uint32_t k = 0; k < s.mesh.triangle_count; ++k) {
            cd_triangle t = gen_mesh_triangle(&s.mesh, k), moved;
            cd_hit here;
            for (int c = 0; c < 9; ++c) REALS(moved)[c] = REALS(t)[c] * REALS(by)[c % 3];
            if (!cd_cast_ray_triangle(&r, CD_REAL_MAX, &moved, NULL, &here)) continue;
            if (want && here.t >= best.t) continue;
            want = true;
            best = here;
            best.index = k;
        }
        test_note_reals("by", REALS(by), 3);
        test_note_reals("ray", REALS(r), 6);
        if (got != want) continue; /* beside an edge of the outline */
        if (!got) continue;
        ++hits;
        CHECK_ULPS(hit.t, best.t, 2000, 1 + (double)best.t);
        CHECK_VEC(hit.point, best.point, 4000 * EPS * (1 + (double)best.t));
        if (hit.index != best.index) continue;
        CHECK_VEC(hit.normal, best.normal, 200 * EPS);
        CHECK_INT(hit.flags & CD_HIT_BACK, (best.flags & CD_HIT_BACK) ^ (by.z < 0 ? CD_HIT_BACK : 0));
    }
    CHECK_SEEN(hits > all / 10);
    scene_close(&s);
}

/* A radius makes spheres of points and of spheres larger ones; a plane goes up by it. */
static void radii_are_taken_in(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_segment rod = gen_segment(&g);
        cd_ray r = draw_ray(&g);
        cd_sphere ball;
        cd_capsule capsule;
        cd_plane plane;
        cd_shape shape;
        cd_hit hit, want;
        bool got;
        memset(&hit, 0, sizeof hit);
        memset(&want, 0, sizeof want);
        ball.center = capsule.a = rod.a;
        capsule.b = rod.b;
        ball.radius = capsule.radius = (cd_real)0.5;
        shape = cd_shape_of_point(rod.a);
        shape.radius = (cd_real)0.5;
        got = cd_shape_cast_ray(&shape, &r, CD_REAL_MAX, NULL, &hit, NULL);
        CHECK_INT(got, cd_cast_ray_sphere(&r, CD_REAL_MAX, ball, NULL, &want));
        check_same_hit(&hit, &want);
        capsule.radius = (cd_real)0.25;
        shape = cd_shape_of_capsule(&capsule);
        shape.radius = (cd_real)0.25;
        capsule.radius = (cd_real)0.5;
        got = cd_shape_cast_ray(&shape, &r, CD_REAL_MAX, NULL, &hit, NULL);
        CHECK_INT(got, cd_cast_ray_capsule(&r, CD_REAL_MAX, &capsule, NULL, &want));
        check_same_hit(&hit, &want);
        plane.n = cd_vec3_make(0, 0, 2);
        plane.d = 1;
        shape = cd_shape_of_halfspace(&plane);
        shape.radius = (cd_real)0.5;
        plane.d = 2;
        got = cd_shape_cast_ray(&shape, &r, CD_REAL_MAX, NULL, &hit, NULL);
        CHECK_INT(got, cd_cast_ray_planes(&r, CD_REAL_MAX, &plane, 1, NULL, &want));
        check_same_hit(&hit, &want);
    }
}

/* No ray slips through the diagonals of a polygon; it has two sides. */
static void polygons_are_closed(void) {
    test_rng rng = test_random();
    scene s;
    scene_open(&s, &rng);
    for (long i = test_times(1000); i > 0; --i) {
        cd_shape shape = cd_shape_of_polygon(s.corners, CORNERS);
        cd_vec3 to =
            cd_vec3_lerp(s.corners[0], s.corners[test_int(&rng, 2, 4)], (cd_real)test_range(&rng, 0.1, 0.9));
        cd_cast_options o;
        cd_ray r;
        cd_hit hit;
        memset(&o, 0, sizeof o);
        r.origin = cd_vec3_make(to.x, to.y, i % 2 ? 2 : -2);
        r.dir = cd_vec3_make(0, 0, i % 2 ? -1 : 1);
        test_note_reals("ray", REALS(r), 6);
        if (!CHECK(cd_shape_cast_ray(&shape, &r, CD_REAL_MAX, NULL, &hit, NULL))) continue;
        CHECK_INT(hit.flags & CD_HIT_BACK, i % 2 ? 0 : CD_HIT_BACK);
        CHECK_INT(hit.feature, CD_FEATURE(CD_FEATURE_FACE, 0u));
        CHECK_SAME(hit.u, 0);
        o.flags = CD_CAST_CULL_BACK;
        CHECK_INT(cd_shape_cast_ray(&shape, &r, CD_REAL_MAX, &o, &hit, NULL), i % 2);
    }
    scene_close(&s);
}

/* ---- the rest ---- */

static void many_rays_are_as_one(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    scene s;
    pile p;
    cd_compound list;
    cd_shape shape;
    cd_ray rays[40];
    cd_real ends[40];
    cd_hit hits[40];
    cd_part parts[40];
    size_t found = 0;
    scene_open(&s, &rng);
    draw_pile(&g, &s, &p);
    list = cd_compound_of(p.placed, CHILDREN);
    shape = cd_shape_of_compound(&list);
    for (int i = 0; i < 40; ++i) {
        rays[i] = draw_ray(&g);
        ends[i] = draw_end(&rng);
    }
    CHECK(ASK("loop", cd_shape_cast_rays(&shape, rays, ends, 40, NULL, NULL, NULL)) ==
          ASK("loop", cd_shape_cast_rays(&shape, rays, ends, 40, NULL, hits, parts)));
    for (int i = 0; i < 40; ++i) {
        cd_hit hit;
        cd_part part;
        memset(&hit, 0, sizeof hit);
        memset(&part, 0, sizeof part);
        hit.index = part.child = part.index = CD_NONE;
        found += cd_shape_cast_ray(&shape, &rays[i], ends[i], NULL, &hit, &part);
        check_same_hit(&hits[i], &hit);
        CHECK(parts[i].child == part.child && parts[i].index == part.index && parts[i].user == part.user);
    }
    CHECK(ASK("loop", cd_shape_cast_rays(&shape, rays, ends, 40, NULL, hits, NULL)) == found);
    CHECK(ASK("loop", cd_shape_cast_rays(&shape, rays, NULL, 40, NULL, hits, NULL)) >= found);
    scene_close(&s);
}

static void what_cannot_be_asked_is_not_hit(void) {
    test_rng rng = test_random();
    scene s;
    cd_ray r = {{0, 0, 5}, {0, 0, -1}}, bad = {{0, 0, (cd_real)NAN}, {0, 0, 1}};
    cd_shape shape, nothing;
    cd_compound none = cd_compound_of(NULL, 0);
    cd_bvh empty;
    cd_cast_options o;
    cd_hit hit;
    memset(&nothing, 0, sizeof nothing);
    memset(&empty, 0, sizeof empty);
    memset(&o, 0, sizeof o);
    memset(&hit, 7, sizeof hit);
    scene_open(&s, &rng);
    CHECK(!cd_shape_cast_ray(&nothing, &r, 10, NULL, NULL, NULL));
    shape = cd_shape_of_mesh(&empty, NULL);
    CHECK(!cd_shape_cast_ray(&shape, &r, 10, NULL, NULL, NULL));
    shape = cd_shape_of_compound(&none);
    CHECK(!cd_shape_cast_ray(&shape, &r, 10, NULL, NULL, NULL));
    shape = cd_shape_of_mesh(&s.tree, NULL);
    CHECK(!cd_shape_cast_ray(&shape, &bad, 10, NULL, NULL, NULL));
    CHECK(!cd_shape_cast_ray(&shape, &r, (cd_real)NAN, NULL, NULL, NULL));
    CHECK(cd_shape_cast_ray(&shape, &r, 10, NULL, NULL, NULL));
    shape.layers = 4;
    o.ignore_mask = 6;
    CHECK(!cd_shape_cast_ray(&shape, &r, 10, &o, NULL, NULL));
    shape = cd_shape_of_point(cd_vec3_make(0, 0, 0));
    shape.radius = -1;
    CHECK(!cd_shape_cast_ray(&shape, &r, 10, NULL, &hit, NULL));
    shape.radius = (cd_real)NAN;
    CHECK(!cd_shape_cast_ray(&shape, &r, 10, NULL, &hit, NULL));
    scene_close(&s);
}

void suite_shape_cast(void) {
    RUN(plain_shapes_are_cast_as_their_type);
    RUN(compounds_are_as_a_loop_over_their_children);
    RUN(stretched_meshes_are_meshes_of_stretched_corners);
    RUN(radii_are_taken_in);
    RUN(polygons_are_closed);
    RUN(many_rays_are_as_one);
    RUN(what_cannot_be_asked_is_not_hit);
}
