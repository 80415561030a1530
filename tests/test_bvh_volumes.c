/* Volumes against trees, equal to the loop over all items with the single tests: every kind of volume, item and layout on
 * every named mesh; then filters, masks, stopping, and what is not valid. */
#include "cases.h"
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VOLUMES = 7, HULL_POINTS = 12 };

typedef struct scene {
    gen_named_mesh named;
    cd_triangle *triangles;
    cd_aabb *boxes;
    cd_vec3 *points;
    uint32_t *masks;
    uint32_t count;
    cd_aabb bounds;
} scene;

static scene scenes[16];
static int scene_count;

static void setup(void) {
    test_rng rng;
    gen_named_mesh meshes[16];
    rng.state = 5;
    scene_count = gen_all_meshes(&rng, meshes);
    for (int m = 0; m < scene_count; ++m) {
        scene *s = &scenes[m];
        uint32_t n = meshes[m].mesh.triangle_count;
        s->named = meshes[m];
        s->count = n;
        s->triangles = (cd_triangle *)malloc(n * sizeof *s->triangles);
        s->boxes = (cd_aabb *)malloc(n * sizeof *s->boxes);
        s->points = (cd_vec3 *)malloc(n * sizeof *s->points);
        s->masks = (uint32_t *)malloc(n * sizeof *s->masks);
        s->bounds = cd_aabb_empty();
        for (uint32_t i = 0; i < n; ++i) {
            s->triangles[i] = gen_mesh_triangle(&meshes[m].mesh, i);
            s->boxes[i] = cd_aabb_from_points(&s->triangles[i].a, 3);
            s->points[i] = s->triangles[i].a;
            s->masks[i] = (uint32_t)test_int(&rng, 0, 3);
            s->bounds = cd_merge_aabb_aabb(s->bounds, s->boxes[i]);
        }
    }
}

static void teardown(void) {
    for (int m = 0; m < scene_count; ++m) {
        free(scenes[m].triangles);
        free(scenes[m].boxes);
        free(scenes[m].points);
        free(scenes[m].masks);
        gen_mesh_free(&scenes[m].named.mesh);
    }
}

/* 0 triangles, 1 indexed triangles, 2 boxes, 3 points */
static bool build(const scene *s, int items, uint32_t layout, test_rng *rng, cd_bvh *out) {
    static const uint32_t leaf_sizes[4] = {0, 1, 8, 40};
    cd_mesh_view view = gen_mesh_view(&s->named.mesh);
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = layout;
    o.leaf_size = leaf_sizes[test_int(rng, 0, 3)];
    o.masks = s->masks;
    o.flags = items == 1 ? (uint32_t)CD_BVH_INDEXED : 0u;
    if (items < 2) return CHECK_INT(cd_bvh_build_mesh(out, &view, &o), CD_OK);
    if (items == 2) return CHECK_INT(cd_bvh_build_boxes(out, s->boxes, s->count, &o), CD_OK);
    return CHECK_INT(cd_bvh_build_points(out, s->points, s->count, &o), CD_OK);
}

/* ---- volumes ---- */

/* A volume and what it points to. */
typedef struct holder {
    cd_bvh_volume volume;
    cd_plane planes[32];
    cd_hull hull;
} holder;

static double size_of(const scene *s) {
    return (double)cd_vec3_dist(s->bounds.min, s->bounds.max);
}

static cd_vec3 about(test_rng *rng, const scene *s, double margin) {
    double size = size_of(s);
    cd_vec3 p;
    cd_real *out = REALS(p);
    cd_aabb b = s->bounds;
    const cd_real *lo = REALS(b), *hi = REALS(b.max);
    if (test_int(rng, 0, 2) == 0) return s->triangles[test_int(rng, 0, (int)s->count - 1)].b;
    for (int k = 0; k < 3; ++k) {
        double t = test_range(rng, -margin, 1.0 + margin);
        out[k] = (cd_real)((double)lo[k] + t * ((double)hi[k] - (double)lo[k]) + 0.01 * margin * size);
    }
    return p;
}

static cd_real reach_of(test_rng *rng, const scene *s) {
    double share = test_int(rng, 0, 3) ? test_range(rng, 0.0, 0.2) : test_range(rng, 0.0, 1.5);
    return test_int(rng, 0, 5) ? (cd_real)(share * size_of(s)) : 0;
}

static cd_vec3 near_to(test_rng *rng, cd_vec3 p, cd_real reach) {
    cd_real x = (cd_real)test_range(rng, -1.0, 1.0) * reach;
    cd_real y = (cd_real)test_range(rng, -1.0, 1.0) * reach;
    cd_real z = (cd_real)test_range(rng, -1.0, 1.0) * reach;
    return cd_vec3_add(p, cd_vec3_make(x, y, z));
}

static uint32_t some_planes(test_rng *rng, const scene *s, cd_plane *out) {
    uint32_t count = (uint32_t)test_int(rng, 0, test_int(rng, 0, 3) ? 8 : 32);
    cd_frustum f;
    if (test_int(rng, 0, 1)) {
        f.pose = gen_pose(rng, 0.0);
        f.pose.position = about(rng, s, 0.5);
        f.left = f.bottom = (cd_real)-test_range(rng, 0.05, 1.0);
        f.right = f.top = (cd_real)test_range(rng, 0.05, 1.0);
        f.first = (cd_real)0.01 * reach_of(rng, s);
        f.last = test_int(rng, 0, 1) ? (cd_real)INFINITY : f.first + reach_of(rng, s);
        if (cd_region_from_frustum(&f, out, &count)) return count;
    }
    for (uint32_t i = 0; i < count; ++i) {
        cd_vec3 c = about(rng, s, 0.2), n = near_to(rng, cd_vec3_make(0, 0, 0), 1);
        if (test_int(rng, 0, 3) == 0) n = cd_vec3_make(0, test_int(rng, 0, 1) ? 1 : -1, 0);
        out[i] = cd_plane_from_point_normal(c, n);
        if (test_int(rng, 0, 1)) out[i].d += reach_of(rng, s);
    }
    return count;
}

static void draw(test_rng *rng, const scene *s, int kind, holder *h) {
    cd_vec3 p = about(rng, s, 0.3);
    cd_real reach = reach_of(rng, s);
    cd_vec3 q = near_to(rng, p, reach), more[HULL_POINTS];
    cd_capsule c;
    cd_triangle t;
    cd_obb b;
    cd_sphere ball;
    memset(h, 0, sizeof *h);
    ball.center = p;
    ball.radius = reach;
    c.a = p;
    c.b = q;
    c.radius = test_int(rng, 0, 2) ? (cd_real)0.3 * reach : 0;
    t.a = p;
    t.b = q;
    t.c = near_to(rng, p, reach);
    b.center = p;
    b.axes = cd_quat_to_mat3(test_int(rng, 0, 2) ? gen_quat(rng) : cd_quat_identity());
    b.half = cd_vec3_make(reach, (cd_real)0.3 * reach, test_int(rng, 0, 2) ? (cd_real)0.6 * reach : 0);
    for (int i = 0; i < HULL_POINTS; ++i) more[i] = near_to(rng, p, reach);
    switch (kind) {
    case CD_BVH_AABB: h->volume = cd_bvh_volume_aabb(cd_aabb_from_points(&t.a, 2)); break;
    case CD_BVH_SPHERE: h->volume = cd_bvh_volume_sphere(ball); break;
    case CD_BVH_CAPSULE: h->volume = cd_bvh_volume_capsule(&c); break;
    case CD_BVH_OBB: h->volume = cd_bvh_volume_obb(&b); break;
    case CD_BVH_TRIANGLE: h->volume = cd_bvh_volume_triangle(&t); break;
    case CD_BVH_HULL:
        CHECK_INT(cd_hull3_build(&h->hull, more, (size_t)test_int(rng, 1, HULL_POINTS), NULL), CD_OK);
        h->volume = cd_bvh_volume_hull(&h->hull);
        break;
    default: {
        uint32_t count = some_planes(rng, s, h->planes);
        h->volume = cd_bvh_volume_planes(h->planes, count);
    }
    }
    test_note_reals("place and reach", REALS(p), 3);
    test_note_reals("", &reach, 1);
}

/* ---- the reference ---- */

static bool single(const scene *s, int items, const cd_bvh_volume *v, uint32_t i) {
    if (items < 2) return cd_bvh_volume_test_triangle(v, &s->triangles[i]);
    if (items == 2) return cd_bvh_volume_test_aabb(v, s->boxes[i]);
    return cd_bvh_volume_test_point(v, s->points[i]);
}

typedef struct seen {
    unsigned char *times;
    size_t count, stop_after;
} seen;

static bool mark(void *user, uint32_t index) {
    seen *s = (seen *)user;
    ++s->times[index];
    return ++s->count != s->stop_after;
}

static bool mark_pair(void *user, cd_pair pair) {
    return pair.a == 1 && mark(user, pair.b);
}

static bool odd_only(void *user, uint32_t index) {
    ++*(size_t *)user;
    return index % 2 == 1;
}

/* One volume: the visits, a list, a pair list, a look for any, filtered, masked, stopped. */
static size_t check_volume(const scene *s, int items, const cd_bvh *tree, const cd_bvh_volume *v,
                           test_rng *rng) {
    seen found = {(unsigned char *)calloc(s->count, 1), 0, 0};
    uint32_t *list = (uint32_t *)malloc((s->count + 1) * sizeof *list);
    size_t want = 0, kept = 0, asked = 0, got, room = (size_t)test_int(rng, 0, (int)s->count);
    cd_filter filter = {1, odd_only, NULL};
    cd_bvh_volume two[2];
    filter.user = &asked;
    CHECK(ASK("loop", cd_bvh_overlap(tree, v, NULL, mark, &found)));
    for (uint32_t i = 0; i < s->count; ++i) {
        bool meets = single(s, items, v, i);
        if (!CHECK_INT(found.times[i], meets)) test_note_reals("item", REALS(s->triangles[i]), 9);
        want += meets;
        kept += meets && !(s->masks[i] & 1u);
        found.times[i] = 0;
    }
    CHECK_INT(found.count, want);
    CHECK_INT(ASK("loop", cd_bvh_test_overlap(tree, v, NULL)), want > 0);
    list[room] = 12345;
    CHECK_INT(got = ASK("loop", cd_bvh_overlap_list(tree, v, NULL, list, room)), want);
    CHECK(list[room] == 12345);
    for (size_t i = 0; i < got && i < room; ++i) CHECK(found.times[list[i]]++ == 0);
    memset(found.times, 0, s->count);
    CHECK(ASK("loop", cd_bvh_overlap_list(tree, v, &filter, NULL, 0)) <= kept && asked == kept);
    memset(two, 0, sizeof two);
    two[0].kind = 99;
    two[1] = *v;
    found.count = 0;
    CHECK(ASK("loop", cd_bvh_overlaps(tree, two, 2, NULL, mark_pair, &found)) && found.count == want);
    if (want) {
        found.count = 0;
        found.stop_after = (size_t)test_int(rng, 1, (int)want);
        CHECK(!ASK("loop", cd_bvh_overlap(tree, v, NULL, mark, &found)) && found.count == found.stop_after);
        found.count = 0;
        CHECK(!ASK("loop", cd_bvh_overlaps(tree, two, 2, NULL, mark_pair, &found)));
    }
    free(list);
    free(found.times);
    return want;
}

static void volumes_equal_a_loop(void) {
    static const char *const kinds[VOLUMES] = {"box",      "sphere", "capsule", "oriented box",
                                               "triangle", "hull",   "planes"};
    test_rng rng = test_random();
    size_t met[VOLUMES] = {0};
    long times = test_times(200);
    for (long i = 0; i < times; ++i) {
        const scene *s = &scenes[i % scene_count];
        int items = test_int(&rng, 0, 3);
        uint32_t layout = (uint32_t)test_int(&rng, 0, items < 2 ? 3 : 2);
        cd_bvh tree;
        if (!build(s, items, layout, &rng, &tree)) continue;
        for (int kind = 0; kind < VOLUMES; ++kind) {
            holder h;
            int again = s->count > 2000 ? 1 : 2;
            for (int k = 0; k < again; ++k) {
                test_note("mesh %s, items %d, layout %u, %s", s->named.name, items, (unsigned)layout,
                          kinds[kind]);
                draw(&rng, s, kind, &h);
                met[kind] += check_volume(s, items, &tree, &h.volume, &rng);
                cd_hull_destroy(&h.hull);
            }
        }
        cd_bvh_destroy(&tree);
    }
    for (int kind = 0; kind < VOLUMES; ++kind) CHECK_SEEN(met[kind] > 0);
}

/* The calls for one kind are the general one. */
static void kinds_have_calls_of_their_own(void) {
    test_rng rng = test_random();
    const scene *s = &scenes[0];
    cd_bvh tree;
    if (!build(s, 0, 0, &rng, &tree)) return;
    for (long i = VOLUMES + test_times(2000); i > 0; --i) {
        int kind = (int)(i % VOLUMES);
        size_t stop_after = i / VOLUMES % 3 == 0 ? 1 : 0;
        seen a = {(unsigned char *)calloc(s->count, 1), 0, stop_after},
             b = {(unsigned char *)calloc(s->count, 1), 0, stop_after};
        bool all, own = false;
        holder h;
        draw(&rng, s, kind, &h);
        all = cd_bvh_overlap(&tree, &h.volume, NULL, mark, &a);
        CHECK_INT(all, stop_after == 0 || a.count == 0);
        switch (kind) {
        case CD_BVH_AABB:
            own = ASK("forms", cd_bvh_overlap_aabb(&tree, h.volume.u.aabb, NULL, mark, &b));
            break;
        case CD_BVH_SPHERE:
            own = ASK("forms", cd_bvh_overlap_sphere(&tree, h.volume.u.sphere, NULL, mark, &b));
            break;
        case CD_BVH_CAPSULE:
            own = ASK("forms", cd_bvh_overlap_capsule(&tree, &h.volume.u.capsule, NULL, mark, &b));
            break;
        case CD_BVH_OBB:
            own = ASK("forms", cd_bvh_overlap_obb(&tree, &h.volume.u.obb, NULL, mark, &b));
            break;
        case CD_BVH_TRIANGLE:
            own = ASK("forms", cd_bvh_overlap_triangle(&tree, &h.volume.u.triangle, NULL, mark, &b));
            break;
        case CD_BVH_HULL: own = ASK("forms", cd_bvh_overlap_hull(&tree, &h.hull, NULL, mark, &b)); break;
        default:
            own = ASK("forms", cd_bvh_overlap_planes(&tree, h.planes, h.volume.plane_count, NULL, mark, &b));
        }
        CHECK_INT(own, all);
        CHECK(a.count == b.count && !memcmp(a.times, b.times, s->count));
        cd_hull_destroy(&h.hull);
        free(a.times);
        free(b.times);
    }
    cd_bvh_destroy(&tree);
}

/* ---- primitives of the caller's own ---- */

/* Balls inside of the boxes. */
static bool ball_meets(void *user, uint32_t index, const cd_bvh_volume *v) {
    const scene *s = (const scene *)user;
    cd_vec3 c = cd_vec3_lerp(s->boxes[index].min, s->boxes[index].max, (cd_real)0.5);
    return index % 5 != 0 && cd_bvh_volume_test_point(v, c);
}

static void primitives_of_the_callers_own(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        const scene *s = &scenes[test_int(&rng, 0, scene_count - 1)];
        cd_bvh tree;
        cd_bvh_custom custom;
        memset(&custom, 0, sizeof custom);
        if (!build(s, 2, (uint32_t)test_int(&rng, 0, 2), &rng, &tree)) continue;
        tree.custom = &custom;
        for (int k = 0; k < 4; ++k) {
            holder h;
            seen found = {(unsigned char *)calloc(s->count, 1), 0, 0};
            draw(&rng, s, test_int(&rng, 0, VOLUMES - 1), &h);
            custom.user = scenes + (s - scenes);
            custom.overlap = k < 2 ? ball_meets : NULL;
            CHECK(cd_bvh_overlap(&tree, &h.volume, NULL, mark, &found));
            for (uint32_t n = 0; n < s->count; ++n) {
                bool valid = k < 2 ? ball_meets(custom.user, n, &h.volume) : single(s, 2, &h.volume, n);
                CHECK_INT(found.times[n], valid);
            }
            cd_hull_destroy(&h.hull);
            free(found.times);
        }
        cd_bvh_destroy(&tree);
    }
}

/* ---- what is not valid, and extremes ---- */

static void invalid_volumes_meet_nothing(void) {
    test_rng rng = test_random();
    const scene *s = &scenes[0];
    cd_bvh tree, empty;
    memset(&empty, 0, sizeof empty);
    if (!build(s, 0, 0, &rng, &tree)) return;
    for (int kind = 0; kind < VOLUMES + 2; ++kind) {
        for (int field = 0; field < 16; ++field) {
            holder h;
            seen none = {NULL, 0, 0};
            cd_plane many[33];
            bool good = false;
            draw(&rng, s, kind < VOLUMES ? kind : CD_BVH_PLANES, &h);
            if (kind == CD_BVH_HULL) h.volume.u.hull = NULL;
            if (kind == CD_BVH_PLANES) {
                h.planes[0] = cd_plane_from_point_normal(s->points[0], cd_vec3_make(1, 0, 0));
                if (field < 4) REALS(h.planes[0])[field] = (cd_real)(field % 2 ? NAN : INFINITY);
                if (field >= 4) h.planes[0].n = cd_vec3_make(0, 0, 0);
                h.volume.plane_count = 1;
                if (field == 9) h.volume.u.planes = NULL;
            }
            if (kind == VOLUMES) {
                for (int i = 0; i < 33; ++i)
                    many[i] = cd_plane_from_point_normal(s->bounds.max, cd_vec3_make(1, 1, 1));
                h.volume = cd_bvh_volume_planes(many, 33);
            }
            if (kind > VOLUMES) h.volume.kind = (uint32_t)test_int(&rng, 7, 1000);
            if (kind < CD_BVH_HULL) {
                static const int numbers[] = {6, 4, 7, 15, 9};
                ((cd_real *)(void *)&h.volume.u)[field % numbers[kind]] =
                    (cd_real)(field % 2 ? NAN : -INFINITY);
            }
            CHECK_INT(ASK("bad", cd_bvh_volume_is_valid(&h.volume)), good);
            CHECK(cd_aabb_is_empty(cd_bvh_volume_bounds(&h.volume)));
            CHECK(cd_bvh_overlap(&tree, &h.volume, NULL, mark, &none) && none.count == 0);
            CHECK(!ASK("bad", cd_bvh_volume_test_triangle(&h.volume, &s->triangles[0])));
            CHECK(!ASK("bad", cd_bvh_volume_test_aabb(&h.volume, s->boxes[0])));
            CHECK(!cd_bvh_volume_test_point(&h.volume, s->points[0]));
            cd_hull_destroy(&h.hull);
            if (kind < VOLUMES) {
                draw(&rng, s, kind, &h);
                CHECK(!cd_bvh_test_overlap(&empty, &h.volume, NULL) &&
                      ASK("bad", cd_bvh_volume_is_valid(&h.volume)));
                cd_hull_destroy(&h.hull);
            }
        }
    }
    cd_bvh_destroy(&tree);
}

/* Any numbers at all, in volumes and in the tree: as the loop. */
static bool among(void *user, uint32_t index) {
    ++((unsigned char *)user)[index];
    return true;
}

/* Points of a small lattice far off along one axis only, and volumes that end between them, or at one. Boxes, too, one of whose axes is a
 * little longer than it ought to be. */
static void far_off_along_one_axis(void) {
    enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };
    test_rng rng = test_random();
    for (int i = 0; i < 60; ++i) {
        int axis = i % 3, far_off = i / 3 % 4;
        double place = far_off ? ldexp(1.0, sizeof(cd_real) == 4 ? 6 * far_off : 14 * far_off) : 0;
        cd_vec3 p[COUNT];
        cd_bvh tree;
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.leaf_size = 1 + (uint32_t)test_int(&rng, 0, 3);
        o.layout = (uint32_t)test_int(&rng, 0, 2);
        for (int k = 0; k < COUNT; ++k) {
            p[k] = cd_vec3_make((cd_real)(k % SIDE), (cd_real)(k / SIDE % SIDE), (cd_real)(k / SIDE / SIDE));
            REALS(p[k])[axis] += (cd_real)place;
        }
        CHECK_INT(cd_bvh_build_points(&tree, p, COUNT, &o), CD_OK);
        for (int k = 0; k < 6; ++k) {
            cd_vec3 n = near_to(&rng, cd_vec3_make(0, 0, 0), 1), at = p[test_int(&rng, 0, COUNT - 1)];
            unsigned char met[COUNT];
            cd_plane planes[2];
            cd_bvh_volume v;
            cd_obb b;
            if (k % 3 == 0)
                n = cd_vec3_make((cd_real)(axis == 0), (cd_real)(axis == 1), (cd_real)(axis == 2));
            planes[0] = cd_plane_from_point_normal(at, n);
            planes[1] = cd_plane_from_point_normal(at, cd_vec3_neg(n));
            planes[1].d += (cd_real)test_range(&rng, 0, 3);
            v = cd_bvh_volume_planes(planes, 1 + (uint32_t)test_int(&rng, 0, 1));
            if (k >= 3) {
                b.center = at;
                b.axes = cd_quat_to_mat3(gen_quat(&rng));
                if (k >= 4) b.axes = cd_quat_to_mat3(cd_quat_identity());
                b.axes.col[i % 3] = cd_vec3_scale(b.axes.col[i % 3], (cd_real)(1 + 4e-4));
                b.half = near_to(&rng, cd_vec3_make(2, 2, 2), 1);
                if (k >= 4) b.half = cd_vec3_make(1, 2, 3);
                v = cd_bvh_volume_obb(&b);
            }
            memset(met, 0, sizeof met);
            test_note("axis %d, 2^%g, volume %d", axis, log2(place + 1), k);
            cd_bvh_overlap(&tree, &v, NULL, among, met);
            for (int j = 0; j < COUNT; ++j) CHECK_INT(met[j], cd_bvh_volume_test_point(&v, p[j]));
        }
        cd_bvh_destroy(&tree);
    }
}

static void any_numbers_equal_a_loop(void) {
    test_rng rng = test_random();
    for (long i = test_times(12) + 3; i > 0; --i) {
        gen_mesh soup = gen_mesh_soup(30, 0.5, GEN_UNIT, &rng);
        scene s;
        cd_bvh tree;
        memset(&s, 0, sizeof s);
        s.named.name = "any numbers";
        s.named.mesh = soup;
        s.count = 30;
        for (uint32_t k = 0; k < soup.vertex_count; ++k) {
            cd_real *x = REALS(soup.vertices[k]);
            cd_real scale = (cd_real)ldexp(1.0, test_int(&rng, -60, 60));
            for (int j = 0; j < 3; ++j)
                x[j] = i % 2 ? gen_any_real(&rng) : x[j] * (i % 4 ? scale : 1) + 1000 * scale;
        }
        s.triangles = (cd_triangle *)malloc(s.count * sizeof *s.triangles);
        s.boxes = (cd_aabb *)malloc(s.count * sizeof *s.boxes);
        s.points = (cd_vec3 *)malloc(s.count * sizeof *s.points);
        s.masks = (uint32_t *)calloc(s.count, sizeof *s.masks);
        s.bounds = cd_aabb_empty();
        for (uint32_t k = 0; k < s.count; ++k) {
            s.triangles[k] = gen_mesh_triangle(&soup, k);
            s.boxes[k] = cd_aabb_from_points(&s.triangles[k].a, 3);
            s.points[k] = s.triangles[k].b;
            s.bounds = cd_merge_aabb_aabb(s.bounds, s.boxes[k]);
        }
        for (int items = 0; items < 4; ++items) {
            if (!build(&s, items, (uint32_t)(i % 3), &rng, &tree)) continue;
            for (int kind = 0; kind < VOLUMES; ++kind) {
                holder h;
                if (kind == CD_BVH_HULL) continue;
                memset(&h, 0, sizeof h);
                h.volume.kind = (uint32_t)kind;
                for (int j = 0; j < 15; ++j) ((cd_real *)(void *)&h.volume.u)[j] = gen_any_real(&rng);
                if (kind == CD_BVH_AABB) h.volume.u.aabb = cd_aabb_from_points(&h.volume.u.triangle.a, 2);
                if (kind == CD_BVH_SPHERE)
                    h.volume.u.sphere.radius = cd_vec3_dist(s.points[3], h.volume.u.sphere.center);
                if (kind == CD_BVH_CAPSULE)
                    h.volume.u.capsule.radius = cd_vec3_dist(s.points[3], h.volume.u.capsule.a);
                if (kind == CD_BVH_OBB) {
                    h.volume.u.obb.axes = cd_quat_to_mat3(gen_quat(&rng));
                    for (int j = 0; j < 3; ++j) {
                        cd_real *half = REALS(h.volume.u.obb.half);
                        half[j] = half[j] < 0 ? -half[j] : half[j];
                    }
                }
                if (kind == CD_BVH_PLANES) {
                    for (int j = 0; j < 12; ++j) REALS(h.planes[0])[j] = gen_any_real(&rng);
                    h.volume = cd_bvh_volume_planes(h.planes, 3);
                }
                test_note("items %d, kind %d, layout %ld", items, kind, i % 3);
                test_note_reals("volume", (const cd_real *)(const void *)&h.volume.u,
                                kind == CD_BVH_PLANES ? 0 : 15);
                test_note_reals("planes", REALS(h.planes[0]), 12);
                check_volume(&s, items, &tree, &h.volume, &rng);
            }
            cd_bvh_destroy(&tree);
        }
        free(s.triangles);
        free(s.boxes);
        free(s.points);
        free(s.masks);
        gen_mesh_free(&soup);
    }
}

/* ---- bounds and motion ---- */

/* Points all over the surface of a capsule, slender or thick, and next to it on either side: what the tree's own small numbers cannot tell from
 * what is inside is tested as well. */
static void points_next_to_a_capsule(void) {
    enum { COUNT = 96 };
    test_rng rng = test_random();
    long in = 0, out = 0;
    for (long i = test_times(300); i > 0; --i) {
        double radius = ldexp(test_range(&rng, 0.5, 1), test_int(&rng, -16, -1));
        cd_vec3 p[COUNT], zero = cd_vec3_make(0, 0, 0), along;
        unsigned char met[COUNT];
        cd_capsule c;
        cd_bvh tree;
        cd_bvh_options o;
        cd_bvh_volume v;
        memset(&o, 0, sizeof o);
        o.leaf_size = 1 + (uint32_t)test_int(&rng, 0, 1);
        o.layout = (uint32_t)test_int(&rng, 0, 2);
        c.a = near_to(&rng, zero, 1);
        c.b = near_to(&rng, zero, 1);
        c.radius = (cd_real)radius;
        along = cd_vec3_sub(c.b, c.a);
        for (int k = 0; k < COUNT; ++k) {
            double off = radius * (1 + ldexp(test_range(&rng, -1, 1), test_int(&rng, -30, -8)));
            cd_vec3 across = cd_vec3_normalize(cd_vec3_cross(along, near_to(&rng, zero, 1)));
            p[k] = cd_vec3_add(c.a, cd_vec3_scale(along, (cd_real)test_range(&rng, 0, 1)));
            p[k] = cd_vec3_add(p[k], cd_vec3_scale(across, (cd_real)off));
        }
        v = cd_bvh_volume_capsule(&c);
        memset(met, 0, sizeof met);
        test_note("");
        test_note_reals("capsule", REALS(c), 7);
        CHECK_INT(cd_bvh_build_points(&tree, p, COUNT, &o), CD_OK);
        cd_bvh_overlap(&tree, &v, NULL, among, met);
        for (int k = 0; k < COUNT; ++k) {
            bool want = cd_bvh_volume_test_point(&v, p[k]);
            CHECK_INT(met[k], want);
            in += want;
            out += !want;
        }
        cd_bvh_destroy(&tree);
    }
    CHECK_SEEN(in > 0 && out > 0);
}

#ifdef COLLIDE_DOUBLE
/* Tests of one thing may say more than is there where squares are beyond the range; the tree then says as much. */
static void squares_beyond_the_range(void) {
    static const uint32_t indices[3] = {0, 1, 2};
    static const cd_vec3 corners[3] = {
        {4, -0x1p352, 0}, {0x1.fffffffffffffp+1023, 0x1p739, 0x1p494}, {0, 0, 2}};
    cd_mesh_view view = cd_mesh_view_make(corners, 3, indices, 1);
    cd_triangle t = {corners[0], corners[1], corners[2]};
    cd_obb box = {{-0x1.5adf57dd44301p+1023, -0x1.fffffffffffffp+1023, 0},
                  {{{-0.617, 0.521, -0.59}, {0.787, 0.414, -0.458}, {0.006, -0.747, -0.665}}},
                  {4, 0x1.fffffffffffffp+1023, 0}};
    cd_bvh_volume v = cd_bvh_volume_obb(&box);
    cd_bvh tree;
    if (!CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK)) return;
    CHECK_INT(cd_bvh_test_overlap(&tree, &v, NULL), cd_bvh_volume_test_triangle(&v, &t));
    cd_bvh_destroy(&tree);
}
#endif

static void bounds_hold_the_volume(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        const scene *s = &scenes[test_int(&rng, 0, scene_count - 1)];
        holder h;
        cd_aabb b;
        cd_vec3 p = about(&rng, s, 0.3);
        draw(&rng, s, (int)(i % VOLUMES), &h);
        b = ASK("samples", cd_bvh_volume_bounds(&h.volume));
        if (cd_bvh_volume_test_point(&h.volume, p)) CHECK(cd_test_point_aabb(p, b));
        if (i % VOLUMES == CD_BVH_AABB)
            CHECK(cd_vec3_dist(b.min, h.volume.u.aabb.min) == 0 &&
                  cd_vec3_dist(b.max, h.volume.u.aabb.max) == 0);
        cd_hull_destroy(&h.hull);
    }
}

/* Points well inside and well outside stay so. */
static void moved_volumes_hold_moved_points(void) {
    test_rng rng = test_random();
    int tried = 0;
    for (long i = test_times(4000); i > 0; --i) {
        const scene *s = &scenes[0];
        int kind = (int)(i % VOLUMES);
        cd_transform pose = gen_pose(&rng, 2.0), wide = cd_transform_identity();
        cd_real scale = (cd_real)test_range(&rng, 0.25, 4.0);
        cd_vec3 p = about(&rng, s, 0.1), q = cd_transform_point(&pose, cd_vec3_scale(p, scale));
        cd_plane planes[32];
        holder h;
        cd_bvh_volume moved;
        bool ok;
        test_note("kind %d, scale %g", kind, (double)scale);
        draw(&rng, s, kind, &h);
        test_note_reals("p", REALS(p), 3);
        test_note_reals("planes", REALS(h.planes[0]), 32);
        ok = ASK("judge", cd_bvh_volume_transform(&h.volume, &pose, scale, planes, &moved));
        CHECK_INT(ok, kind != CD_BVH_HULL);
        CHECK(!ASK("bad", cd_bvh_volume_transform(&h.volume, &pose, 0, planes, &moved)) &&
              !ASK("bad", cd_bvh_volume_transform(&h.volume, &pose, (cd_real)NAN, planes, &moved)));
        wide.rotation.w = (cd_real)NAN;
        CHECK(!ASK("bad", cd_bvh_volume_transform(&h.volume, &wide, 1, planes, &moved)));
        if (ok && kind != CD_BVH_TRIANGLE) {
            cd_real e = (cd_real)(100 * (double)CD_REAL_EPSILON) * (cd_real)size_of(s) * 20;
            bool some = false, all = true, in = ASK("motion", cd_bvh_volume_test_point(&h.volume, p));
            cd_bvh_volume_transform(&h.volume, &pose, scale, planes, &moved);
            CHECK_INT(moved.kind, kind == CD_BVH_AABB ? CD_BVH_OBB : kind);
            for (int k = 0; k < 8; ++k) {
                cd_vec3 r = cd_vec3_add(p, cd_vec3_make(k & 1 ? e : -e, k & 2 ? e : -e, k & 4 ? e : -e));
                bool held = ASK("motion", cd_bvh_volume_test_point(&h.volume, r));
                some = some || held;
                all = all && held;
            }
            if (some == all && in == all) { /* a volume may be smaller than the step */
                ++tried;
                CHECK_INT(ASK("motion", cd_bvh_volume_test_point(&moved, q)), in);
            }
        }
        cd_hull_destroy(&h.hull);
    }
    CHECK(tried > 20);
}

/* ---- real cases ---- */

static int overlap_queries;

static void check_case(const json *one, const json *expected) {
    const json *input = json_get(one, "input"), *box = json_get(input, "boxes");
    const json *query = json_get(input, "queries"), *result = json_get(expected, "results");
    cd_aabb boxes[256];
    cd_bvh tree;
    uint32_t count = 0;
    if (!box || !query || !result) return;
    for (box = box->child; box && count < 256; box = box->next, ++count) {
        double x[6];
        CHECK_INT(json_reals(json_get(box, "min"), x, 3) + json_reals(json_get(box, "max"), x + 3, 3), 6);
        for (int k = 0; k < 6; ++k) REALS(boxes[count])[k] = (cd_real)x[k];
    }
    CHECK(!box);
    if (!CHECK_INT(cd_bvh_build_boxes(&tree, boxes, count, NULL), CD_OK)) return;
    for (query = query->child, result = result->child; query && result;
         query = query->next, result = result->next) {
        double x[6], want[256];
        cd_aabb b;
        cd_bvh_volume v;
        uint32_t got[256];
        int wanted;
        size_t found;
        if (!json_is(query, "type", "overlap")) continue;
        json_reals(json_get(query, "min"), x, 3);
        json_reals(json_get(query, "max"), x + 3, 3);
        for (int k = 0; k < 6; ++k) REALS(b)[k] = (cd_real)x[k];
        v = cd_bvh_volume_aabb(b);
        wanted = json_reals(json_get(result, "hits"), want, 256);
        found = ASK(cases_family(), cd_bvh_overlap_list(&tree, &v, NULL, got, 256));
        CHECK_INT(found, wanted);
        for (int k = 0; k < wanted; ++k) {
            bool among = false;
            for (size_t i = 0; i < found; ++i) among = among || (double)got[i] == want[k];
            CHECK(among);
        }
        ++overlap_queries;
    }
    cd_bvh_destroy(&tree);
}

static void real_cases(void) {
    overlap_queries = 0;
    cases_each("aabb_tree", check_case);
    CHECK(overlap_queries > 3);
}

void suite_bvh_volumes(void) {
    setup();
    RUN(volumes_equal_a_loop);
    RUN(kinds_have_calls_of_their_own);
    RUN(primitives_of_the_callers_own);
    RUN(invalid_volumes_meet_nothing);
    RUN(far_off_along_one_axis);
    RUN(any_numbers_equal_a_loop);
    RUN(points_next_to_a_capsule);
#ifdef COLLIDE_DOUBLE
    RUN(squares_beyond_the_range);
#endif
    RUN(bounds_hold_the_volume);
    RUN(moved_volumes_hold_moved_points);
    RUN(real_cases);
    teardown();
}
