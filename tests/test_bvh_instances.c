/* Trees of instances: against a loop over trees of one instance each, bit for bit; one instance against its mesh taken to
 * the world, within rounding; then bad input. */
#include "test.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES = 7, MOST = 24 };

/* A scene, and each of its instances as a scene of its own. */
typedef struct scene {
    gen_named_mesh mesh[16];
    int mesh_count;
    cd_bvh tree[MESHES];
    int of[MOST]; /* the mesh of an instance */
    cd_bvh_instance instance[MOST];
    uint32_t count;
    cd_bvh_instances all, one[MOST];
} scene;

static void scene_begin(scene *s, test_rng *rng) {
    memset(s, 0, sizeof *s);
    s->mesh_count = gen_all_meshes(rng, s->mesh);
    for (int i = 0; i < MESHES; ++i) {
        cd_mesh_view view = gen_mesh_view(&s->mesh[i % 4].mesh);
        cd_aabb box[64];
        cd_status status = CD_OK;
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.layout = (uint32_t)i % (i < 4 ? 4 : 3);
        for (uint32_t k = 0; k < 64; ++k) {
            cd_triangle t = gen_mesh_triangle(&s->mesh[0].mesh, k);
            box[k] = cd_aabb_from_points(&t.a, 3);
        }
        if (i < 4) status = cd_bvh_build_mesh(&s->tree[i], &view, &o);
        if (i == 4) status = cd_bvh_build_boxes(&s->tree[i], box, 64, &o);
        if (i == 5) status = cd_bvh_build_points(&s->tree[i], &box[0].min, 128, &o);
        if (status != CD_OK) abort(); /* the last is empty */
    }
}

static void scene_end(scene *s) {
    for (int i = 0; i < s->mesh_count; ++i) gen_mesh_free(&s->mesh[i].mesh);
    for (int i = 0; i < MESHES; ++i) cd_bvh_destroy(&s->tree[i]);
}

/* Half of the instances turned, moved and scaled at random, the others on a lattice, so that many are equal. All are `size`
 * times as large, and `away` from the middle. */
static void scene_fill_at(scene *s, test_rng *rng, uint32_t count, uint32_t layout, double size, double away,
                          int trees) {
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = layout;
    o.leaf_size = 1 + layout;
    s->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        cd_bvh_instance *in = &s->instance[i];
        memset(in, 0, sizeof *in);
        s->of[i] = test_int(rng, 0, 1) * test_int(rng, 0, trees - 1);
        s->of[i] += s->of[i] == 3; /* the far soup is left out */
        in->tree = &s->tree[s->of[i]];
        in->pose = test_int(rng, 0, 1) ? gen_pose(rng, 3.0) : cd_transform_identity();
        in->pose.position.x += (cd_real)test_int(rng, -2, 2);
        in->pose.position.y += (cd_real)test_int(rng, -2, 2);
        in->scale = (cd_real)(test_int(rng, 0, 2) ? test_int(rng, 0, 2) : 0.3);
        if (size != 1) in->scale = (cd_real)(size * (in->scale == 0 ? 1 : (double)in->scale));
        in->pose.position = cd_vec3_scale(in->pose.position, (cd_real)size);
        in->pose.position.x += (cd_real)away;
        in->mask = 1u << i % 3;
        CHECK_INT(cd_bvh_instances_build(&s->one[i], in, 1, &o), CD_OK);
    }
    CHECK_INT(ASK("loop", cd_bvh_instances_build(&s->all, s->instance, count, &o)), CD_OK);
    CHECK_INT(cd_bvh_validate(&s->all.top), CD_OK);
}

static void scene_fill(scene *s, test_rng *rng, uint32_t count, uint32_t layout) {
    scene_fill_at(s, rng, count, layout, 1, 0, 3);
}

static void scene_clear(scene *s) {
    for (uint32_t i = 0; i < s->count; ++i) cd_bvh_instances_destroy(&s->one[i]);
    cd_bvh_instances_destroy(&s->all);
}

static double place_size = 1, place_away = 0;

static cd_vec3 place(test_rng *rng) {
    cd_vec3 p;
    p.x = (cd_real)test_range(rng, -4, 4);
    p.y = (cd_real)test_range(rng, -4, 4);
    p.z = (cd_real)test_range(rng, -3, 3);
    p = cd_vec3_scale(p, (cd_real)place_size);
    p.x += (cd_real)place_away;
    return p;
}

static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return a->t == b->t && a->index == b->index && !memcmp(&a->point, &b->point, sizeof a->point) &&
           !memcmp(&a->normal, &b->normal, sizeof a->normal) && a->flags == b->flags;
}

static void ask_ray(const scene *s, test_rng *rng) {
    cd_vec3 from = place(rng), to = place(rng);
    cd_ray r = cd_ray_through(from, to);
    cd_cast_options o;
    cd_hit best, hit;
    uint32_t which = CD_NONE, told = CD_NONE;
    memset(&o, 0, sizeof o);
    memset(&best, 0, sizeof best);
    o.ignore_mask = test_int(rng, 0, 1) ? 0 : (uint32_t)test_int(rng, 0, 7);
    o.flags = test_int(rng, 0, 1) ? 0 : (uint32_t)CD_CAST_CULL_BACK;
    if (!test_int(rng, 0, 3)) r.dir.y = r.dir.z = 0;
    test_note_reals("ray", REALS(r), 6);
    for (uint32_t i = 0; i < s->count; ++i) {
        if (!ASK("loop", cd_bvh_instances_cast_ray(&s->one[i], &r, CD_REAL_MAX, &o, &hit, NULL))) continue;
        if (which != CD_NONE && !(hit.t < best.t)) continue;
        best = hit;
        which = i;
    }
    CHECK_INT(ASK("loop", cd_bvh_instances_cast_ray(&s->all, &r, CD_REAL_MAX, &o, &hit, &told)),
              which != CD_NONE);
    CHECK_INT(ASK("loop", cd_bvh_instances_test_ray(&s->all, &r, CD_REAL_MAX, &o)), which != CD_NONE);
    CHECK_INT(told, which);
    if (which != CD_NONE) CHECK(same_hit(&hit, &best));
}

static void ask_closest(const scene *s, test_rng *rng) {
    cd_vec3 p = place(rng);
    cd_filter f = {0, NULL, NULL};
    cd_closest best, c;
    uint32_t which = CD_NONE, told = CD_NONE;
    cd_real most = (cd_real)(test_int(rng, 0, 1) ? (double)CD_REAL_MAX : 0.5 * place_size);
    memset(&best, 0, sizeof best);
    f.ignore_mask = test_int(rng, 0, 1) ? 0 : (uint32_t)test_int(rng, 0, 7);
    test_note_reals("p", REALS(p), 3);
    for (uint32_t i = 0; i < s->count; ++i) {
        if (!ASK("loop", cd_bvh_instances_closest(&s->one[i], p, most, &f, &c, NULL))) continue;
        if (which != CD_NONE && !(c.sqdist < best.sqdist)) continue;
        best = c;
        which = i;
    }
    CHECK_INT(ASK("loop", cd_bvh_instances_closest(&s->all, p, most, &f, &c, &told)), which != CD_NONE);
    CHECK_INT(told, which);
    if (which == CD_NONE) return;
    CHECK_INT(c.index_b, best.index_b);
    CHECK_SAME(c.sqdist, best.sqdist);
    CHECK_VEC(c.b, best.b, 0);
    if (place_size == 1 && place_away == 0)
        CHECK_NEAR(c.sqdist, cd_vec3_sqlength(cd_vec3_sub(p, c.b)), 1e-5 * (1 + (double)c.sqdist));
}

typedef struct tally {
    uint64_t sum;
    size_t count;
    uint32_t instance; /* what stands for the only one */
} tally;

static bool add(void *user, cd_pair pair) {
    tally *t = (tally *)user;
    uint32_t a = t->instance == CD_NONE ? pair.a : t->instance;
    t->sum += (uint64_t)(a + 1) * 1000003u * (pair.b + 7u);
    ++t->count;
    return true;
}

static cd_bvh_volume some_volume(test_rng *rng, cd_hull *hull) {
    cd_bvh_volume v;
    gen g = gen_begin(rng, GEN_UNIT);
    cd_vec3 p[8];
    memset(&v, 0, sizeof v);
    v.kind = (uint32_t)test_int(rng, 0, 5);
    for (int i = 0; i < 8; ++i) p[i] = cd_vec3_scale(place(rng), (cd_real)(i < 2 ? 1.0 : 0.3));
    switch (v.kind) {
    case CD_BVH_AABB:
        v.u.aabb.min = cd_vec3_min(p[2], p[3]);
        v.u.aabb.max = cd_vec3_max(p[2], p[3]);
        break;
    case CD_BVH_SPHERE:
        v.u.sphere.center = p[0];
        v.u.sphere.radius = (cd_real)test_range(rng, 0, 0.7 * place_size);
        break;
    case CD_BVH_CAPSULE:
        v.u.capsule.a = p[0];
        v.u.capsule.b = p[2];
        v.u.capsule.radius = (cd_real)test_range(rng, 0, 0.5 * place_size);
        break;
    case CD_BVH_OBB:
        v.u.obb = gen_obb(&g);
        v.u.obb.center = p[2];
        v.u.obb.half = cd_vec3_scale(v.u.obb.half, (cd_real)place_size);
        break;
    case CD_BVH_TRIANGLE:
        v.u.triangle.a = p[0];
        v.u.triangle.b = p[1];
        v.u.triangle.c = p[2];
        break;
    default:
        if (cd_hull3_build(hull, p + 2, 6, NULL) != CD_OK) memset(hull, 0, sizeof *hull); /* flat, far away */
        v.u.hull = hull;
        break;
    }
    return v;
}

static void ask_volume(const scene *s, test_rng *rng) {
    cd_hull hull;
    cd_filter f = {0, NULL, NULL};
    cd_bvh_volume v;
    tally got = {0, 0, CD_NONE}, want = {0, 0, 0};
    memset(&hull, 0, sizeof hull);
    v = some_volume(rng, &hull);
    f.ignore_mask = test_int(rng, 0, 1) ? 0 : (uint32_t)test_int(rng, 0, 7);
    test_note("volume of kind %u", v.kind);
    CHECK(ASK("loop", cd_bvh_instances_overlap(&s->all, &v, &f, add, &got)));
    for (uint32_t i = 0; i < s->count; ++i) {
        want.instance = i;
        CHECK(ASK("loop", cd_bvh_instances_overlap(&s->one[i], &v, &f, add, &want)));
    }
    CHECK_INT(got.count, want.count);
    CHECK_INT(got.sum, want.sum);
    cd_hull_destroy(&hull);
}

static void ask_sweep(const scene *s, test_rng *rng) {
    cd_vec3 from = place(rng), to = place(rng), motion = cd_vec3_sub(to, from);
    cd_hull hull;
    cd_bvh_volume v;
    cd_hit best, hit;
    uint32_t which = CD_NONE, told = CD_NONE;
    memset(&hull, 0, sizeof hull);
    memset(&best, 0, sizeof best);
    v = some_volume(rng, &hull);
    test_note("moving volume of kind %u", v.kind);
    for (uint32_t i = 0; i < s->count; ++i) {
        if (!ASK("loop", cd_bvh_instances_sweep(&s->one[i], &v, motion, NULL, &hit, NULL))) continue;
        if (which != CD_NONE && !(hit.t < best.t)) continue;
        best = hit;
        which = i;
    }
    CHECK_INT(ASK("loop", cd_bvh_instances_sweep(&s->all, &v, motion, NULL, &hit, &told)), which != CD_NONE);
    CHECK_INT(told, which);
    if (which != CD_NONE) CHECK(same_hit(&hit, &best));
    cd_hull_destroy(&hull);
}

static void scenes_equal_a_loop(void) {
    test_rng rng = test_random();
    static scene s;
    scene_begin(&s, &rng);
    for (long i = test_times(30); i >= 0; --i) {
        scene_fill(&s, &rng, (uint32_t)test_int(&rng, 1, MOST), (uint32_t)i % 3);
        for (int k = 0; k < 30; ++k) {
            ask_ray(&s, &rng);
            ask_closest(&s, &rng);
            ask_volume(&s, &rng);
            ask_sweep(&s, &rng);
        }
        scene_clear(&s);
    }
    scene_end(&s);
}

/* Tiny, huge and far away, where rounding on the way into an instance is coarse; of all kinds of trees, and empty ones. */
static void scenes_of_all_sizes_equal_a_loop(void) {
    test_rng rng = test_random();
    static scene s;
    scene_begin(&s, &rng);
    for (long i = test_times(40); i >= 0; --i) {
        place_size = i % 4 ? ldexp(1, test_int(&rng, -50, 50)) : 1;
        place_away = i % 2 ? place_size * ldexp(1, test_int(&rng, 0, 22)) : 0;
        scene_fill_at(&s, &rng, (uint32_t)test_int(&rng, 1, MOST), (uint32_t)i % 3, place_size, place_away,
                      7);
        for (int k = 0; k < 20; ++k) {
            ask_ray(&s, &rng);
            ask_closest(&s, &rng);
            ask_volume(&s, &rng);
            ask_sweep(&s, &rng);
        }
        scene_clear(&s);
    }
    place_size = 1;
    place_away = 0;
    scene_end(&s);
}

/* ---- one instance ---- */

static cd_triangle in_world(const cd_bvh_instance *in, const gen_mesh *mesh, uint32_t i) {
    cd_triangle t = gen_mesh_triangle(mesh, i);
    cd_real scale = in->scale == 0 ? 1 : in->scale;
    t.a = cd_vec3_scale(t.a, scale);
    t.b = cd_vec3_scale(t.b, scale);
    t.c = cd_vec3_scale(t.c, scale);
    return cd_triangle_transform(&t, &in->pose);
}

/* The box of an instance is that of its tree's box in the world, whose corners are the farthest it may have: it holds all corners of
 * the triangles, and is no larger than the box of those corners. */
static void boxes_of_instances(void) {
    test_rng rng = test_random();
    static scene s;
    scene_begin(&s, &rng);
    for (long i = test_times(84); i >= 0; --i) {
        scene_fill(&s, &rng, MOST, 0);
        for (uint32_t k = 0; k < s.count; ++k) {
            const cd_bvh_instance *in = &s.instance[k];
            const gen_mesh *mesh = &s.mesh[s.of[k] % 4].mesh;
            cd_aabb got = ASK("judge", cd_bvh_instance_bounds(in)), local = cd_bvh_bounds(in->tree), most;
            cd_real scale = in->scale == 0 ? 1 : in->scale;
            double slack;
            if (cd_bvh_count(in->tree) == 0) {
                CHECK(cd_aabb_is_empty(got));
                continue;
            }
            for (int c = 0; c < 3; ++c) {
                REALS(local.min)[c] *= scale;
                REALS(local.max)[c] *= scale;
            }
            most = cd_aabb_transform(local, &in->pose);
            slack = 64 * (double)CD_REAL_EPSILON *
                    ((double)cd_vec3_length(most.min) + (double)cd_vec3_length(most.max));
            for (int c = 0; c < 3; ++c) {
                CHECK((double)REALS(got.min)[c] >= (double)REALS(most.min)[c] - slack);
                CHECK((double)REALS(got.max)[c] <= (double)REALS(most.max)[c] + slack);
            }
            for (uint32_t t = 0; s.of[k] < 4 && t < mesh->triangle_count; t += 7) {
                cd_triangle w = in_world(in, mesh, t);
                CHECK(cd_test_point_aabb(w.a, got) && cd_test_point_aabb(w.b, got) &&
                      cd_test_point_aabb(w.c, got));
            }
        }
        scene_clear(&s);
    }
    scene_end(&s);
}

static void one_instance_is_its_mesh_in_the_world(void) {
    test_rng rng = test_random();
    const double near_by = 64 * (double)CD_REAL_EPSILON;
    static scene s;
    long found = 0;
    scene_begin(&s, &rng);
    for (long i = test_times(100); i >= 0; --i) {
        const cd_bvh_instance *in = &s.instance[0];
        const gen_mesh *mesh;
        scene_fill(&s, &rng, 1, (uint32_t)i % 3);
        mesh = &s.mesh[s.of[0]].mesh;
        for (int k = 0; k < 10; ++k) {
            cd_vec3 from = place(&rng);
            cd_ray r = cd_ray_through(from, in->pose.position);
            cd_real least = CD_REAL_MAX;
            cd_hit hit;
            cd_closest c;
            for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
                cd_triangle w = in_world(in, mesh, t);
                cd_closest one = cd_closest_pts_point_triangle(from, &w);
                if (one.sqdist < least) least = one.sqdist;
            }
            CHECK(cd_bvh_instances_closest(&s.all, from, CD_REAL_MAX, NULL, &c, NULL));
            CHECK_NEAR(sqrt((double)c.sqdist), sqrt((double)least), 20 * near_by);
            if (cd_bvh_instances_cast_ray(&s.all, &r, CD_REAL_MAX, NULL, &hit, NULL)) {
                cd_triangle w = in_world(in, mesh, hit.index);
                cd_vec3 at = cd_vec3_along(r.origin, r.dir, hit.t);
                CHECK_NEAR(cd_vec3_length(hit.normal), 1, near_by);
                CHECK_VEC(hit.point, at, 20 * near_by);
                CHECK(sqrt((double)cd_closest_pts_point_triangle(hit.point, &w).sqdist) <= 20 * near_by);
                ++found;
            }
        }
        scene_clear(&s);
    }
    CHECK_SEEN(found > 0);
    scene_end(&s);
}

/* A hull is asked about triangles in the world, so it must find them all, but for the rounding of the scale. */
static void hulls_meet_what_is_in_the_world(void) {
    test_rng rng = test_random();
    static scene s;
    long found = 0;
    scene_begin(&s, &rng);
    for (long i = test_times(60); i >= 0; --i) {
        const gen_mesh *mesh;
        scene_fill(&s, &rng, 1, (uint32_t)i % 3);
        mesh = &s.mesh[s.of[0]].mesh;
        for (int k = 0; k < 4; ++k) {
            cd_vec3 p[6], at = s.instance[0].pose.position;
            cd_hull hull;
            cd_bvh_volume v;
            tally got = {0, 0, CD_NONE}, want = {0, 0, CD_NONE};
            for (int c = 0; c < 6; ++c) p[c] = cd_vec3_lerp(at, place(&rng), (cd_real)0.3);
            if (cd_hull3_build(&hull, p, 6, NULL) != CD_OK) abort();
            v = cd_bvh_volume_hull(&hull);
            CHECK(cd_bvh_instances_overlap(&s.all, &v, NULL, add, &got));
            for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
                cd_triangle w = in_world(&s.instance[0], mesh, t);
                cd_pair pair = {0, 0};
                pair.b = t;
                if (cd_test_triangle_hull(&w, &hull)) add(&want, pair);
            }
            if ((double)s.instance[0].scale < 0.2 || (double)s.instance[0].scale > 0.5) {
                CHECK_INT(got.count, want.count);
                CHECK_INT(got.sum, want.sum);
            }
            found += want.count > 0;
            cd_hull_destroy(&hull);
        }
        scene_clear(&s);
    }
    CHECK_SEEN(found > 0);
    scene_end(&s);
}

/* Boxes and points, too, but for those that are nearly touched: boxes a little larger are met, or those met are larger. */
static void hulls_meet_boxes_and_points(void) {
    const double near_by = 256 * (double)CD_REAL_EPSILON;
    test_rng rng = test_random();
    static scene s;
    long found[2] = {0, 0};
    scene_begin(&s, &rng);
    for (long i = test_times(60) + 60; i >= 0; --i) {
        bool boxes = i % 2 == 0;
        cd_bvh_instance in;
        cd_bvh_instances all;
        cd_vec3 p[6];
        cd_hull hull;
        cd_bvh_volume v;
        tally got = {0, 0, CD_NONE};
        size_t sure = 0, perhaps = 0;
        memset(&in, 0, sizeof in);
        in.tree = &s.tree[boxes ? 4 : 5];
        in.pose = gen_pose(&rng, 3.0);
        in.scale = (cd_real)(i % 3 + 0.3);
        for (int c = 0; c < 6; ++c) p[c] = cd_vec3_lerp(in.pose.position, place(&rng), (cd_real)0.3);
        if (cd_hull3_build(&hull, p, 6, NULL) != CD_OK) abort();
        v = cd_bvh_volume_hull(&hull);
        CHECK_INT(cd_bvh_instances_build(&all, &in, 1, NULL), CD_OK);
        CHECK(cd_bvh_instances_overlap(&all, &v, NULL, add, &got));
        for (uint32_t k = 0; k < 64; ++k) {
            cd_triangle t = gen_mesh_triangle(&s.mesh[0].mesh, k);
            cd_aabb b = cd_aabb_from_points(&t.a, 3);
            for (int j = 0; j < 4; ++j) { /* less and more of the box, or of both of its corners */
                double grow = (j & 1 ? 1 : -1) * near_by * (double)in.scale * 8;
                cd_vec3 corner = j & 2 ? b.max : b.min;
                cd_obb o = cd_obb_from_aabb(b);
                if (boxes && (j & 2)) continue;
                if (!boxes) {
                    o.center = corner;
                    o.half = cd_vec3_make(0, 0, 0);
                }
                o.center = cd_transform_point(&in.pose, cd_vec3_scale(o.center, in.scale));
                o.axes = cd_quat_to_mat3(in.pose.rotation);
                o.half = cd_vec3_scale(o.half, in.scale);
                for (int a = 0; a < 3; ++a) {
                    double half = (double)REALS(o.half)[a] + grow;
                    REALS(o.half)[a] = (cd_real)(half > 0 ? half : 0);
                }
                *(j & 1 ? &perhaps : &sure) += cd_test_obb_hull(&o, &hull);
            }
        }
        if (!boxes) sure = 0; /* points cannot be smaller */
        CHECK(got.count >= sure && got.count <= perhaps);
        found[boxes] += got.count > 0;
        cd_bvh_instances_destroy(&all);
        cd_hull_destroy(&hull);
    }
    CHECK_SEEN(found[0] > 0 && found[1] > 0);
    scene_end(&s);
}

static void an_instance_where_it_was_is_the_tree(void) {
    test_rng rng = test_random();
    static scene s;
    cd_bvh_instance in;
    cd_bvh_instances all;
    scene_begin(&s, &rng);
    memset(&in, 0, sizeof in);
    in.tree = &s.tree[1];
    CHECK_INT(cd_bvh_instances_build(&all, &in, 1, NULL), CD_OK);
    for (int i = 0; i < 100; ++i) {
        cd_vec3 from = place(&rng), to = place(&rng);
        cd_ray r = cd_ray_through(from, cd_vec3_scale(to, (cd_real)0.1));
        cd_hit a, b;
        cd_closest c, d;
        bool hit = cd_bvh_cast_ray(in.tree, &r, CD_REAL_MAX, NULL, &a);
        CHECK_INT(cd_bvh_instances_cast_ray(&all, &r, CD_REAL_MAX, NULL, &b, NULL), hit);
        if (hit) CHECK(same_hit(&a, &b));
        CHECK(cd_bvh_closest(in.tree, from, CD_REAL_MAX, NULL, &c) &&
              cd_bvh_instances_closest(&all, from, CD_REAL_MAX, NULL, &d, NULL));
        CHECK(c.index_b == d.index_b && c.sqdist == d.sqdist && !memcmp(&c.b, &d.b, sizeof c.b));
    }
    cd_bvh_instances_destroy(&all);
    scene_end(&s);
}

/* ---- bad input ---- */

static void bad_instances_are_refused(void) {
    test_rng rng = test_random();
    static scene s;
    cd_bvh_instances all;
    cd_bvh empty;
    cd_ray r = cd_ray_through(cd_vec3_make(0, 0, 5), cd_vec3_make(0, 0, 0));
    scene_begin(&s, &rng);
    memset(&empty, 0, sizeof empty);
    for (int kind = 0; kind < 8; ++kind) {
        cd_bvh_instance in[3];
        cd_status want = kind < 6 ? CD_INVALID_ARGUMENT : CD_OK;
        memset(in, 0, sizeof in);
        for (int i = 0; i < 3; ++i) in[i].tree = &s.tree[0];
        if (kind == 0) in[1].scale = -1;
        if (kind == 1) in[1].scale = (cd_real)NAN;
        if (kind == 2) in[1].scale = (cd_real)INFINITY;
        if (kind == 3) in[1].pose.position.y = (cd_real)NAN;
        if (kind == 4) in[1].tree = &s.tree[1];
        if (kind == 4) in[1].scale = CD_REAL_MAX;
        if (kind == 5) in[1].tree = NULL;
        if (kind == 6) in[1].tree = &empty;
        CHECK_INT(ASK("bad", cd_bvh_instances_build(&all, in, 3, NULL)), want);
        CHECK_INT(cd_bvh_instances_test_ray(&all, &r, CD_REAL_MAX, NULL), want == CD_OK);
        cd_bvh_instances_destroy(&all);
        cd_bvh_instances_destroy(&all);
    }
    CHECK_INT(ASK("bad", cd_bvh_instances_build(&all, NULL, 0, NULL)), CD_OK);
    CHECK(!cd_bvh_instances_test_ray(&all, &r, CD_REAL_MAX, NULL));
    cd_bvh_instances_destroy(&all);
    scene_end(&s);
}

static void memory_may_run_out(void) {
    test_rng rng = test_random();
    static scene s;
    cd_bvh_instance in[5];
    scene_begin(&s, &rng);
    memset(in, 0, sizeof in);
    for (int i = 0; i < 5; ++i) {
        in[i].tree = &s.tree[i % MESHES];
        in[i].pose.position.x = (cd_real)i;
    }
    for (long allowed = 0;; ++allowed) {
        test_memory memory = {0, 0, 0};
        cd_bvh_instances all;
        cd_bvh_options o;
        cd_status status;
        memset(&o, 0, sizeof o);
        memory.allowed = allowed;
        o.allocator = test_allocator(&memory);
        status = ASK("bad", cd_bvh_instances_build(&all, in, 5, &o));
        if (status != CD_OK) {
            CHECK_INT(status, CD_OUT_OF_MEMORY);
            CHECK(all.instance == NULL && all.count == 0);
        }
        ASK("bad", cd_bvh_instances_destroy(&all));
        CHECK_INT(memory.live, 0);
        if (status == CD_OK) break;
    }
    scene_end(&s);
}

void suite_bvh_instances(void);
void suite_bvh_instances(void) {
    RUN(scenes_equal_a_loop);
    RUN(scenes_of_all_sizes_equal_a_loop);
    RUN(boxes_of_instances);
    RUN(one_instance_is_its_mesh_in_the_world);
    RUN(hulls_meet_what_is_in_the_world);
    RUN(hulls_meet_boxes_and_points);
    RUN(an_instance_where_it_was_is_the_tree);
    RUN(bad_instances_are_refused);
    RUN(memory_may_run_out);
}
