/* Trees of other volumes against a cd_bvh over the same triangles, whose answers are tested against loops, and against a loop
 * where that is short: every kind of volume, every builder, every query. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Oriented boxes, and k-DOPs. */
enum { KINDS = 5 };
static const uint32_t ks[KINDS] = {0, 6, 14, 18, 26};

static cd_status build(int kind, cd_bvtree *out, const cd_mesh_view *view, const cd_bvh_options *o) {
    return kind ? ASK("forms", cd_kdoptree_build_mesh(out, view, ks[kind], o))
                : ASK("forms", cd_obbtree_build_mesh(out, view, o));
}

static cd_bvh_options draw_options(test_rng *rng) {
    static const uint32_t leaf[5] = {0, 1, 3, 13, 64};
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.leaf_size = leaf[test_int(rng, 0, 4)];
    o.method = (uint32_t)test_int(rng, 0, CD_BVH_INSERTED);
    o.axis = (uint32_t)test_int(rng, 0, CD_BVH_AXIS_FARTHEST);
    o.layout = (uint32_t)test_int(rng, 0, 3);
    o.optimise = test_int(rng, 0, 5) ? 0 : 1;
    return o;
}

/* A tree that is sound, and what it says of itself. */
static void check_tree(int kind, const cd_bvtree *tree, const cd_bvh *other) {
    cd_aabb p = ASK("forms", cd_bvtree_bounds(tree)), q = cd_bvh_bounds(other);
    cd_bvtree view;
    CHECK_INT(ASK("judge", cd_bvtree_validate(tree)), CD_OK);
    CHECK_INT(ASK("forms", cd_bvtree_count(tree)), cd_bvh_count(other));
    CHECK_INT(ASK("forms", cd_bvtree_get_kind(tree)), kind ? CD_BVTREE_KDOPS : CD_BVTREE_OBBS);
    CHECK_INT(ASK("forms", cd_bvtree_get_k(tree)), ks[kind]);
    CHECK((ASK("forms", cd_bvtree_node_count(tree)) > 0) == (cd_bvh_count(other) > 0));
    for (int i = 0; i < 6; ++i) CHECK_SAME(REALS(p)[i], REALS(q)[i]);
    CHECK_INT(ASK("forms", cd_bvtree_view(&view, tree->block, tree->bytes)), CD_OK);
    CHECK(view.block == tree->block && view.owned == 0);
    cd_bvtree_destroy(&view);
}

/* ---- one tree ---- */

typedef struct marks {
    unsigned char *times;
    size_t count, stop_after;
} marks;

static bool mark(void *user, uint32_t index) {
    marks *m = (marks *)user;
    ++m->times[index];
    return ++m->count != m->stop_after;
}

static cd_vec3 some_point(test_rng *rng, const gen_mesh *mesh, double off) {
    cd_vec3 p = mesh->vertices[test_int(rng, 0, (int)mesh->vertex_count - 1)];
    cd_vec3 q = mesh->vertices[test_int(rng, 0, (int)mesh->vertex_count - 1)];
    cd_vec3 size = cd_vec3_sub(q, p);
    double x = test_range(rng, -off, off), y = test_range(rng, -off, off), z = test_range(rng, -off, off);
    p.x += (cd_real)(x * (double)size.x);
    p.y += (cd_real)(y * (double)size.y);
    p.z += (cd_real)(z * (double)size.z);
    return p;
}

static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return a->t == b->t && a->index == b->index && a->u == b->u && a->v == b->v && a->flags == b->flags &&
           !memcmp(&a->point, &b->point, sizeof a->point) &&
           !memcmp(&a->normal, &b->normal, sizeof a->normal);
}

static bool same_closest(const cd_closest *a, const cd_closest *b) {
    return a->sqdist == b->sqdist && a->index_a == b->index_a && a->index_b == b->index_b &&
           a->feature_a == b->feature_a && a->feature_b == b->feature_b &&
           !memcmp(&a->a, &b->a, sizeof a->a) && !memcmp(&a->b, &b->b, sizeof a->b);
}

static int rays_hit, near_found;

static void check_ray(test_rng *rng, const cd_bvtree *tree, const cd_bvh *other, const gen_mesh *mesh) {
    cd_ray r;
    cd_hit got, want;
    cd_cast_options o;
    cd_real t_max = test_int(rng, 0, 2) ? CD_REAL_MAX : (cd_real)test_range(rng, 0.0, 2.0);
    bool hit;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(rng, 0, 2);
    r.origin = some_point(rng, mesh, 2.0);
    r.dir = cd_vec3_sub(some_point(rng, mesh, 0.1), r.origin);
    if (!test_int(rng, 0, 5)) REALS(r.dir)[test_int(rng, 0, 2)] = 0;
    if (!test_int(rng, 0, 5)) r.origin = cd_vec3_along(r.origin, r.dir, -1000);
    hit = cd_bvh_cast_ray(other, &r, t_max, &o, &want);
    CHECK(ASK("loop", cd_bvtree_cast_ray(tree, &r, t_max, &o, &got)) == hit);
    CHECK(!hit || same_hit(&got, &want));
    CHECK(ASK("loop", cd_bvtree_test_ray(tree, &r, t_max, &o)) == hit);
    rays_hit += hit;
}

static void check_near(test_rng *rng, const cd_bvtree *tree, const cd_bvh *other, const gen_mesh *mesh) {
    cd_vec3 p = some_point(rng, mesh, test_int(rng, 0, 3) ? 0.3 : 100.0);
    cd_closest got, want;
    cd_real most = (cd_real)INFINITY;
    bool found = cd_bvh_closest(other, p, most, NULL, &want);
    CHECK(ASK("loop", cd_bvtree_closest(tree, p, most, NULL, &got)) == found);
    CHECK(!found || same_closest(&got, &want));
    if (!found || !(want.sqdist > 0) || isinf((double)want.sqdist)) return;
    most = (cd_real)(sqrt((double)want.sqdist) * test_range(rng, 0.8, 1.2));
    found = cd_bvh_closest(other, p, most, NULL, &want);
    CHECK(ASK("loop", cd_bvtree_closest(tree, p, most, NULL, &got)) == found);
    CHECK(!found || same_closest(&got, &want));
    near_found += found;
}

static cd_bvh_volume draw_volume(test_rng *rng, const gen_mesh *mesh, cd_plane planes[3]) {
    cd_vec3 p[3];
    cd_sphere s;
    cd_capsule c;
    cd_obb b;
    cd_triangle t;
    double length;
    for (int i = 0; i < 3; ++i) p[i] = some_point(rng, mesh, 0.2);
    length = (double)cd_vec3_length(cd_vec3_sub(p[0], p[1]));
    switch (test_int(rng, 0, 5)) {
    case 0: return cd_bvh_volume_aabb(cd_aabb_from_points(p, 2));
    case 1:
        s.center = p[0];
        s.radius = (cd_real)(length * test_range(rng, 0.0, 0.5));
        return cd_bvh_volume_sphere(s);
    case 2:
        c.a = p[0];
        c.b = p[1];
        c.radius = (cd_real)(length * test_range(rng, 0.0, 0.3));
        return cd_bvh_volume_capsule(&c);
    case 3:
        b = cd_obb_from_aabb(cd_aabb_from_points(p, 3));
        b.axes = cd_quat_to_mat3(gen_quat(rng));
        return cd_bvh_volume_obb(&b);
    case 4:
        t.a = p[0];
        t.b = p[1];
        t.c = p[2];
        return cd_bvh_volume_triangle(&t);
    default:
        for (int i = 0; i < 3; ++i) {
            planes[i].n = cd_vec3_make((cd_real)test_range(rng, -1, 1), (cd_real)test_range(rng, -1, 1),
                                       (cd_real)test_range(rng, -1, 1));
            planes[i].d = cd_vec3_dot(planes[i].n, p[i]);
        }
        return cd_bvh_volume_planes(planes, 3);
    }
}

static long met;

static void check_overlap(test_rng *rng, const cd_bvtree *tree, const cd_bvh *other, const gen_mesh *mesh) {
    cd_plane planes[3];
    cd_bvh_volume v = draw_volume(rng, mesh, planes);
    marks a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.times = (unsigned char *)calloc(2, mesh->triangle_count + 1);
    b.times = a.times + mesh->triangle_count + 1;
    CHECK(cd_bvh_overlap(other, &v, NULL, mark, &a));
    CHECK(ASK("loop", cd_bvtree_overlap(tree, &v, NULL, mark, &b)));
    CHECK(!memcmp(a.times, b.times, mesh->triangle_count));
    CHECK(ASK("loop", cd_bvtree_test_overlap(tree, &v, NULL)) == (a.count > 0));
    met += (long)a.count;
    if (b.count > 1) {
        b.stop_after = 1 + b.count / 2;
        b.count = 0;
        CHECK(!ASK("loop", cd_bvtree_overlap(tree, &v, NULL, mark, &b)) && b.count == b.stop_after);
    }
    free(a.times);
}

static void check_queries(test_rng *rng, const cd_bvtree *tree, const cd_bvh *other, const gen_mesh *mesh) {
    for (long i = test_times(20) + 1; i > 0; --i) {
        check_ray(rng, tree, other, mesh);
        check_near(rng, tree, other, mesh);
        check_overlap(rng, tree, other, mesh);
    }
}

static void every_mesh(void) {
    test_rng rng = test_random();
    gen_named_mesh all[16];
    int n = gen_all_meshes(&rng, all);
    rays_hit = near_found = 0;
    met = 0;
    for (int i = 0; i < n; ++i) {
        const gen_mesh *mesh = &all[i].mesh;
        cd_mesh_view view = gen_mesh_view(mesh);
        cd_bvh other;
        if (test_is_tiny() && i % 3 != 1) {
            gen_mesh_free(&all[i].mesh);
            continue;
        }
        CHECK_INT(cd_bvh_build_mesh(&other, &view, NULL), CD_OK);
        for (int kind = 0; kind < KINDS; ++kind) {
            cd_bvh_options o = draw_options(&rng);
            cd_bvtree tree;
            test_note("%s, kind %d, method %u, axis %u, leaf %u", all[i].name, kind, (unsigned)o.method,
                      (unsigned)o.axis, (unsigned)o.leaf_size);
            CHECK_INT(build(kind, &tree, &view, test_int(&rng, 0, 3) ? &o : NULL), CD_OK);
            check_tree(kind, &tree, &other);
            check_queries(&rng, &tree, &other, mesh);
            cd_bvtree_destroy(&tree);
        }
        cd_bvh_destroy(&other);
        gen_mesh_free(&all[i].mesh);
    }
    CHECK_SEEN(rays_hit > 20 && near_found > 20 && met > 100);
}

/* ---- two trees ---- */

enum { MOST = 64 };

static unsigned char seen_pairs[MOST][MOST];

static bool mark_pair(void *user, cd_pair pair) {
    ++seen_pairs[pair.a][pair.b];
    ++*(size_t *)user;
    return true;
}

static bool pair_filter(void *user, cd_pair pair) {
    (void)user;
    return (pair.a + pair.b) % 3 != 0;
}

/* Kinds from GEN_SCALE on have too many sizes for distances, which are compared with a tolerance. */
static gen_mesh draw_mesh(test_rng *rng, bool any) {
    static const gen_kind kinds[8] = {GEN_UNIT, GEN_GRID, GEN_GRID,  GEN_ULP,
                                      GEN_FAR,  GEN_UNIT, GEN_SCALE, GEN_WIDE};
    double size = test_int(rng, 0, 1) ? 0.2 : 1.0;
    uint32_t count = (uint32_t)test_int(rng, 1, MOST);
    return gen_mesh_soup(count, size, kinds[test_int(rng, 0, any ? 7 : 3)], rng);
}

static const cd_transform *draw_pose(test_rng *rng, const gen_mesh *a, const gen_mesh *b, cd_transform *out) {
    int how = test_int(rng, 0, 4);
    if (how == 0) return NULL;
    *out = gen_pose(rng, how == 1 ? 0.5 : 0.0);
    if (how == 2) out->rotation = cd_quat_identity();
    if (how >= 2) {
        cd_vec3 p = a->vertices[test_int(rng, 0, (int)a->vertex_count - 1)];
        cd_vec3 q = b->vertices[test_int(rng, 0, (int)b->vertex_count - 1)];
        out->position = cd_vec3_sub(p, cd_transform_vector(out, q));
    }
    if (how == 4 && !test_int(rng, 0, 2)) out->position.y += (cd_real)1e5;
    return out;
}

static size_t pairs_met, pairs_apart;

static void check_pairs(test_rng *rng, const cd_bvtree trees[2], const cd_bvh others[2],
                        const cd_transform *pose) {
    static unsigned char want[MOST][MOST];
    size_t count = 0, got = 0;
    cd_bvh_pair_options o;
    cd_pair pair;
    memset(&o, 0, sizeof o);
    o.rule = (uint32_t)test_int(rng, 0, 4);
    if (!test_int(rng, 0, 3)) o.filter = pair_filter;
    if (!test_int(rng, 0, 3)) o.ignore_a = 1;
    if (!test_int(rng, 0, 3)) o.ignore_b = 2;
    memset(seen_pairs, 0, sizeof seen_pairs);
    CHECK(cd_bvh_traverse_pairs(&others[0], &others[1], pose, &o, mark_pair, &count));
    memcpy(want, seen_pairs, sizeof want);
    memset(seen_pairs, 0, sizeof seen_pairs);
    CHECK(ASK("loop", cd_bvtree_traverse_pairs(&trees[0], &trees[1], pose, &o, mark_pair, &got)));
    CHECK_INT(got, count);
    CHECK(!memcmp(want, seen_pairs, sizeof want));
    CHECK_INT(ASK("loop", cd_bvtree_collide(&trees[0], &trees[1], pose, &o, NULL, 0)), count);
    CHECK(ASK("loop", cd_bvtree_test_bvtree(&trees[0], &trees[1], pose, &o, &pair)) == (count > 0));
    CHECK(count == 0 || want[pair.a][pair.b]);
    pairs_met += count;
    pairs_apart += count == 0;
}

static void check_apart(test_rng *rng, const cd_bvtree trees[2], const cd_bvh others[2],
                        const cd_transform *pose) {
    static unsigned char want[MOST][MOST];
    size_t count = 0, got = 0;
    cd_closest p, q;
    cd_real most = (cd_real)INFINITY;
    bool found = cd_bvh_closest_bvh(&others[0], &others[1], pose, most, NULL, &p);
    CHECK(ASK("loop", cd_bvtree_closest_bvtree(&trees[0], &trees[1], pose, most, NULL, &q)) == found);
    CHECK(!found || same_closest(&p, &q));
    if (!found || isinf((double)p.sqdist)) return;
    most = (cd_real)(sqrt((double)p.sqdist) * test_range(rng, 0.9, 1.5));
    found = cd_bvh_closest_bvh(&others[0], &others[1], pose, most, NULL, &p);
    CHECK(ASK("loop", cd_bvtree_closest_bvtree(&trees[0], &trees[1], pose, most, NULL, &q)) == found);
    CHECK(!found || same_closest(&p, &q));
    memset(seen_pairs, 0, sizeof seen_pairs);
    CHECK(cd_bvh_traverse_within(&others[0], &others[1], pose, most, NULL, mark_pair, &count));
    memcpy(want, seen_pairs, sizeof want);
    memset(seen_pairs, 0, sizeof seen_pairs);
    CHECK(ASK("loop", cd_bvtree_traverse_within(&trees[0], &trees[1], pose, most, NULL, mark_pair, &got)));
    CHECK_INT(got, count);
    CHECK(!memcmp(want, seen_pairs, sizeof want));
}

static void two_trees(void) {
    test_rng rng = test_random();
    pairs_met = pairs_apart = 0;
    for (long i = test_times(1500); i > 0; --i) {
        gen_mesh mesh[2];
        cd_bvtree trees[2];
        cd_bvh others[2];
        cd_transform posed;
        const cd_transform *pose;
        uint32_t masks[MOST];
        int kind = test_int(&rng, 0, KINDS - 1), second = test_int(&rng, 0, 5) ? kind : KINDS - 1 - kind;
        for (uint32_t k = 0; k < MOST; ++k) masks[k] = (uint32_t)test_int(&rng, 0, 3);
        for (int k = 0; k < 2; ++k) {
            cd_bvh_options o = draw_options(&rng), plain;
            cd_mesh_view view;
            mesh[k] = draw_mesh(&rng, i % 4 != 0);
            view = gen_mesh_view(&mesh[k]);
            memset(&plain, 0, sizeof plain);
            plain.masks = o.masks = masks;
            CHECK_INT(cd_bvh_build_mesh(&others[k], &view, &plain), CD_OK);
            CHECK_INT(build(k ? second : kind, &trees[k], &view, &o), CD_OK);
        }
        pose = draw_pose(&rng, &mesh[0], &mesh[1], &posed);
        test_note("pair %ld, kinds %d and %d", i, kind, second);
        if (pose) test_note_reals("pose", REALS(posed), 7);
        check_pairs(&rng, trees, others, pose);
        if (i % 4 == 0) check_apart(&rng, trees, others, pose);
        for (int k = 0; k < 2; ++k) {
            cd_bvtree_destroy(&trees[k]);
            cd_bvh_destroy(&others[k]);
            gen_mesh_free(&mesh[k]);
        }
    }
    CHECK_SEEN(pairs_met > 100 && pairs_apart > 10);
}

/* Larger ones, of which most is left out. */
static void two_surfaces(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(test_is_small() ? 4 : 12, 0.1, &rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    cd_bvh other;
    CHECK_INT(cd_bvh_build_mesh(&other, &view, NULL), CD_OK);
    for (int kind = 0; kind < KINDS; ++kind) {
        cd_bvtree tree;
        CHECK_INT(build(kind, &tree, &view, NULL), CD_OK);
        for (long i = test_times(20) + 1; i > 0; --i) {
            cd_transform pose = gen_pose(&rng, test_range(&rng, 0.0, 2.5));
            cd_closest p, q;
            size_t want = cd_bvh_collide(&other, &other, &pose, NULL, NULL, 0);
            test_note("kind %d", kind);
            test_note_reals("pose", REALS(pose), 7);
            test_counted.node = 0;
            CHECK_INT(cd_bvtree_collide(&tree, &tree, &pose, NULL, NULL, 0), want);
            CHECK(want || test_counted.node < 4 * (uint64_t)ball.triangle_count * ball.triangle_count / 50);
            CHECK(cd_bvh_closest_bvh(&other, &other, &pose, (cd_real)INFINITY, NULL, &p));
            CHECK(cd_bvtree_closest_bvtree(&tree, &tree, &pose, (cd_real)INFINITY, NULL, &q));
            CHECK(same_closest(&p, &q));
        }
        cd_bvtree_destroy(&tree);
    }
    cd_bvh_destroy(&other);
    gen_mesh_free(&ball);
}

/* ---- building ---- */

static void runs_backwards(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    (void)user;
    while (count-- > 0) task(ctx, count);
}

static bool stops_at(void *user, float done) {
    return done < *(const float *)user;
}

static void executors(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(6, 0.1, &rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    for (int kind = 0; kind < KINDS; ++kind) {
        cd_bvh_options o;
        cd_bvtree a, b;
        float when = 0.0f;
        memset(&o, 0, sizeof o);
        CHECK_INT(build(kind, &a, &view, &o), CD_OK);
        o.executor.run = runs_backwards;
        CHECK_INT(build(kind, &b, &view, &o), CD_OK);
        CHECK(a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
        cd_bvtree_destroy(&b);
        o.executor.user = &when;
        o.executor.progress = stops_at;
        for (when = 0.0f; when <= 1.0f; when += 0.125f) {
            o.executor.run = NULL;
            CHECK_INT(build(kind, &b, &view, &o), CD_CANCELLED);
            CHECK(!b.block && b.bytes == 0);
        }
        when = 2.0f;
        CHECK_INT(build(kind, &b, &view, &o), CD_OK);
        cd_bvtree_destroy(&b);
        cd_bvtree_destroy(&a);
    }
    gen_mesh_free(&ball);
}

static void bad_input(void) {
    cd_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t indices[9] = {0, 1, 2, 0, 1, 3, 1, 2, 9};
    cd_bvh_options o;
    cd_bvtree tree;
    cd_mesh_view view = cd_mesh_view_make(p, 4, indices, 3);
    memset(&o, 0, sizeof o);
    for (int kind = 0; kind < KINDS; ++kind) {
        view.triangle_count = 3;
        o.flags = 0;
        CHECK_INT(build(kind, &tree, &view, &o), CD_INVALID_ARGUMENT);
        CHECK(!tree.block);
        o.flags = CD_BVH_SKIP_INVALID;
        CHECK_INT(build(kind, &tree, &view, &o), CD_OK);
        CHECK_INT(ASK("bad", cd_bvtree_count(&tree)), 2);
        CHECK_INT(ASK("bad", cd_bvtree_validate(&tree)), CD_OK);
        cd_bvtree_destroy(&tree);
        p[3].y = (cd_real)NAN;
        CHECK_INT(build(kind, &tree, &view, &o), CD_OK);
        CHECK_INT(ASK("bad", cd_bvtree_count(&tree)), 1);
        CHECK_INT(ASK("bad", cd_bvtree_validate(&tree)), CD_OK);
        cd_bvtree_destroy(&tree);
        p[3].y = 0;
        view.triangle_count = 0;
        CHECK_INT(build(kind, &tree, &view, NULL), CD_OK);
        CHECK_INT(ASK("bad", cd_bvtree_count(&tree)), 0);
        CHECK_INT(ASK("bad", cd_bvtree_validate(&tree)), CD_OK);
        CHECK(cd_aabb_is_empty(ASK("bad", cd_bvtree_bounds(&tree))));
        CHECK(!cd_bvtree_test_bvtree(&tree, &tree, NULL, NULL, NULL));
        CHECK(!cd_bvtree_closest(&tree, p[0], 1, NULL, NULL));
        cd_bvtree_destroy(&tree);
        cd_bvtree_destroy(&tree);
        o.leaf_size = 65;
        CHECK_INT(build(kind, &tree, &view, &o), CD_INVALID_ARGUMENT);
        o.leaf_size = 0;
        view.triangle_count = 1;
        o.layout = 77; /* of no meaning */
        CHECK_INT(build(kind, &tree, &view, &o), CD_OK);
        CHECK_INT(ASK("bad", cd_bvtree_count(&tree)), 1);
        cd_bvtree_destroy(&tree);
        o.layout = 0;
    }
    view.triangle_count = 1;
    CHECK_INT(ASK("bad", cd_kdoptree_build_mesh(&tree, &view, 8, NULL)), CD_INVALID_ARGUMENT);
    CHECK(!tree.block);
}

/* All points equal, in line, in a plane; and a pose that is no pose. */
static void flat_things(void) {
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int shape = 0; shape < 4; ++shape) {
            cd_vec3 p[30];
            uint32_t indices[30];
            cd_mesh_view view = cd_mesh_view_make(p, 30, indices, 10);
            cd_transform pose = cd_transform_identity();
            cd_bvtree tree;
            cd_bvh other;
            for (uint32_t i = 0; i < 30; ++i) {
                cd_real x = (cd_real)(i % 7), y = (cd_real)(i % 5);
                p[i] = cd_vec3_make(shape > 0 ? x : 3, shape > 1 ? y : 1, shape > 2 ? x + y : 2);
                indices[i] = i;
            }
            test_note("kind %d, shape %d", kind, shape);
            CHECK_INT(build(kind, &tree, &view, NULL), CD_OK);
            CHECK_INT(cd_bvh_build_mesh(&other, &view, NULL), CD_OK);
            check_tree(kind, &tree, &other);
            CHECK_INT(cd_bvtree_collide(&tree, &tree, NULL, NULL, NULL, 0),
                      cd_bvh_collide(&other, &other, NULL, NULL, NULL, 0));
            CHECK_INT(cd_bvtree_collide(&tree, &tree, &pose, NULL, NULL, 0),
                      cd_bvh_collide(&other, &other, &pose, NULL, NULL, 0));
            pose.position.x = (cd_real)NAN;
            CHECK_INT(cd_bvtree_collide(&tree, &tree, &pose, NULL, NULL, 0), 0);
            CHECK(!cd_bvtree_closest_bvtree(&tree, &tree, &pose, 1, NULL, NULL));
            CHECK(!cd_bvtree_closest_bvtree(&tree, &tree, NULL, (cd_real)NAN, NULL, NULL));
            cd_bvtree_destroy(&tree);
            cd_bvh_destroy(&other);
        }
    }
}

/* Views of bytes that were damaged are refused, or answer within what there is. */
static void damaged_bytes(void) {
    test_rng rng = test_random();
    gen_mesh mesh = gen_mesh_soup(60, 0.3, GEN_UNIT, &rng);
    cd_mesh_view view = gen_mesh_view(&mesh);
    int refused = 0;
    for (long i = test_times(3000); i > 0; --i) {
        cd_bvtree tree, seen;
        unsigned char *copy;
        size_t at;
        cd_pair pairs[4];
        CHECK_INT(build((int)(i % KINDS), &tree, &view, NULL), CD_OK);
        copy = test_block(tree.bytes);
        memcpy(copy, tree.block, tree.bytes);
        CHECK_INT(ASK("bad", cd_bvtree_view(&seen, copy + 1, tree.bytes - 1)), CD_INVALID_ARGUMENT);
        at = (size_t)test_next(&rng) % (test_int(&rng, 0, 1) ? 512 : tree.bytes);
        copy[at] ^= (unsigned char)(1u << test_int(&rng, 0, 7));
        if (cd_bvtree_view(&seen, copy, tree.bytes) == CD_OK) {
            cd_bvtree_collide(&seen, &tree, NULL, NULL, pairs, 4);
            cd_bvtree_test_bvtree(&tree, &seen, NULL, NULL, pairs);
        } else {
            CHECK(!seen.block);
            ++refused;
        }
        CHECK(ASK("bad", cd_bvtree_view(&seen, copy, tree.bytes - 8)) != CD_OK);
        test_block_free(copy);
        cd_bvtree_destroy(&tree);
    }
    CHECK_SEEN(refused > 10);
    gen_mesh_free(&mesh);
}

/* A tree over a soup of twelve triangles, and copies of its block that are damaged and otherwise as they should be. */
typedef struct patient {
    gen_mesh mesh;
    cd_bvtree tree;
    cdi_bvtree opened;
    size_t items; /* where the triangles begin */
} patient;

static patient patient_of(int kind, uint32_t leaf_size) {
    test_rng rng = test_random();
    patient p;
    cd_mesh_view view;
    cd_bvh_options o;
    p.mesh = gen_mesh_soup(12, 0.3, GEN_UNIT, &rng);
    view = gen_mesh_view(&p.mesh);
    memset(&o, 0, sizeof o);
    o.leaf_size = leaf_size;
    test_note("kind %d", kind);
    CHECK_INT(build(kind, &p.tree, &view, &o), CD_OK);
    CHECK(cdi_bvtree_open(&p.opened, &p.tree));
    p.items = (size_t)((const unsigned char *)p.opened.items.items - (const unsigned char *)p.tree.block);
    return p;
}

static void patient_free(patient *p) {
    cd_bvtree_destroy(&p->tree);
    gen_mesh_free(&p->mesh);
}

/* A copy with the last `more` bytes before `at` once more; the header knows of the bytes. */
static unsigned char *patient_copy(const patient *p, size_t at, size_t more, cdi_bvh_header *h) {
    const unsigned char *bytes = (const unsigned char *)p->tree.block;
    unsigned char *copy = test_block(p->tree.bytes + more);
    memcpy(copy, bytes, at);
    memcpy(copy + at, bytes + at - more, more);
    memcpy(copy + at + more, bytes + at, p->tree.bytes - at);
    memcpy(h, copy, sizeof *h);
    h->bytes += more;
    return copy;
}

static void patient_is_corrupt(unsigned char *copy, const cdi_bvh_header *h) {
    cd_bvtree seen;
    memcpy(copy, h, sizeof *h);
    CHECK_INT(ASK("bad", cd_bvtree_view(&seen, copy, (size_t)h->bytes)), CD_CORRUPT);
    test_block_free(copy);
}

/* A triangle that has left the volumes above it, or more nodes than there are. */
static void damaged_by_a_little(void) {
    for (int kind = 0; kind < KINDS; ++kind) {
        patient p = patient_of(kind, 0);
        cdi_bvh_header h;
        unsigned char *copy = patient_copy(&p, p.items, 0, &h);
        cd_bvtree seen;
        CHECK_INT(ASK("bad", cd_bvtree_view(&seen, copy, p.tree.bytes)), CD_OK);
        ++h.node_count;
        patient_is_corrupt(copy, &h);
        for (uint32_t i = 0; i < 12; ++i) {
            cdi_bvh_triangle t;
            test_note("kind %d, triangle %u", kind, (unsigned)i);
            copy = patient_copy(&p, p.items, 0, &h);
            memcpy(&t, copy + p.items + i * sizeof t, sizeof t);
            t.v[i % 9] += 8;
            memcpy(copy + p.items + i * sizeof t, &t, sizeof t);
            patient_is_corrupt(copy, &h);
        }
        patient_free(&p);
    }
}

/* One more node, or triangle, that no way leads to: the last one once more. */
static void one_more_than_hang_together(void) {
    for (int kind = 0; kind < KINDS; ++kind) {
        patient p = patient_of(kind, 0);
        cdi_bvh_header h;
        unsigned char *copy = patient_copy(&p, p.items, p.opened.node_size, &h);
        ++h.node_count;
        patient_is_corrupt(copy, &h);
        copy = patient_copy(&p, p.tree.bytes, sizeof(cdi_bvh_triangle), &h);
        ++h.item_count;
        ++h.source_count;
        patient_is_corrupt(copy, &h);
        patient_free(&p);
    }
}

/* Two triangles, each in the leaf of the other. */
static void triangles_in_each_others_leaves(void) {
    for (int kind = 0; kind < KINDS; ++kind) {
        patient p = patient_of(kind, 1);
        cdi_bvh_header h;
        cdi_bvh_triangle first, last;
        unsigned char *copy = patient_copy(&p, p.items, 0, &h), *end = copy + p.items + 11 * sizeof last;
        memcpy(&first, copy + p.items, sizeof first);
        memcpy(&last, end, sizeof last);
        memcpy(copy + p.items, &last, sizeof last);
        memcpy(end, &first, sizeof first);
        patient_is_corrupt(copy, &h);
        patient_free(&p);
    }
}

/* One more child of the root, with the volume of the last one, that is no leaf and has no children. */
static void nodes_without_children(void) {
    for (int kind = 0; kind < KINDS; ++kind) {
        patient p = patient_of(kind, 6);
        cdi_bvtree_links root = cdi_bvtree_links_of(&p.opened, 0), none = {0, 0};
        cdi_bvh_header h;
        unsigned char *copy = patient_copy(&p, p.items, p.opened.node_size, &h);
        CHECK(root.count < 8 &&
              cd_bvtree_node_count(&p.tree) == 1 + root.count); /* its children are leaves */
        ++h.node_count;
        ++root.count;
        none.first = h.node_count;
        memcpy(copy + sizeof h + 4 * p.opened.floats, &root, sizeof root);
        memcpy(copy + p.items + 4 * p.opened.floats, &none, sizeof none);
        patient_is_corrupt(copy, &h);
        patient_free(&p);
    }
}

/* Empty trees are looked through, too: their bounds and their frames. */
static void empty_trees_damaged(void) {
    cd_vec3 p = {0, 0, 0};
    cd_mesh_view view = cd_mesh_view_make(&p, 1, NULL, 0);
    for (int kind = 0; kind < KINDS; ++kind) {
        cd_bvtree tree, seen;
        unsigned char *copy;
        CHECK_INT(build(kind, &tree, &view, NULL), CD_OK);
        copy = test_block(tree.bytes);
        for (int i = 0; i < 12; ++i) {
            cdi_bvh_header h;
            test_note("kind %d, damage %d", kind, i);
            memcpy(copy, tree.block, tree.bytes);
            CHECK_INT(cd_bvtree_view(&seen, copy, tree.bytes), CD_OK);
            memcpy(&h, copy, sizeof h);
            if (i / 3 == 0) h.frame.origin[i % 3] = NAN;
            if (i / 3 == 1) h.lo[i % 3] = -INFINITY;
            if (i / 3 == 2) h.hi[i % 3] = INFINITY;
            if (i / 3 == 3) h.lo[i % 3] = 2, h.hi[i % 3] = 1;
            memcpy(copy, &h, sizeof h);
            CHECK_INT(cd_bvtree_view(&seen, copy, tree.bytes), CD_CORRUPT);
        }
        test_block_free(copy);
        cd_bvtree_destroy(&tree);
    }
}

/* Frames that are larger or smaller than any numbers are: all that is in the tree is at the origin of each. */
static void frames_of_no_tree(void) {
    static const int32_t no[6] = {1101, -1101, 5000, -5000, INT32_MAX, INT32_MIN};
    cd_vec3 p[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    uint32_t indices[3] = {0, 1, 2};
    cd_mesh_view view = cd_mesh_view_make(p, 3, indices, 1);
    for (int kind = 0; kind < KINDS; ++kind) {
        cd_bvtree tree, seen;
        unsigned char *copy;
        cdi_bvh_header h;
        CHECK_INT(build(kind, &tree, &view, NULL), CD_OK);
        copy = test_block(tree.bytes);
        memcpy(copy, tree.block, tree.bytes);
        CHECK_INT(ASK("bad", cd_bvtree_view(&seen, copy, tree.bytes)), CD_OK);
        for (int i = 0; i < 6; ++i) {
            test_note("kind %d, 2^%ld", kind, (long)no[i]);
            memcpy(&h, tree.block, sizeof h);
            h.frame.exponent = no[i];
            memcpy(copy, &h, sizeof h);
            CHECK_INT(ASK("bad", cd_bvtree_view(&seen, copy, tree.bytes)), CD_CORRUPT);
        }
        test_block_free(copy);
        cd_bvtree_destroy(&tree);
    }
}

/* Triangles on a lattice: wherever a point is between them, in the very middle, too, those far away are left out. */
static void few_are_looked_at(void) {
    enum { SIDE = 10, ALL = SIDE * SIDE * SIDE };
    cd_vec3 *p = (cd_vec3 *)malloc(3 * ALL * sizeof *p);
    uint32_t *indices = (uint32_t *)malloc(3 * ALL * sizeof *indices);
    cd_mesh_view view;
    for (uint32_t i = 0; i < ALL; ++i) {
        double x = 2.0 * (i % SIDE) - SIDE + 1, y = 2.0 * (i / SIDE % SIDE) - SIDE + 1;
        double z = 2.0 * (i / SIDE / SIDE) - SIDE + 1;
        for (uint32_t k = 0; k < 3; ++k) {
            double off = k == 0 ? -0.25 : k == 1 ? 0.25 : 0.0;
            p[3 * i + k] =
                cd_vec3_make((cd_real)(x + off), (cd_real)(y + off), (cd_real)(z + 0.25 * k - 0.25));
            indices[3 * i + k] = 3 * i + k;
        }
    }
    view = cd_mesh_view_make(p, 3 * ALL, indices, ALL);
    for (int kind = 0; kind < KINDS; ++kind) {
        cd_bvtree tree;
        CHECK_INT(build(kind, &tree, &view, NULL), CD_OK);
        for (int i = 0; i < 27; ++i) {
            cd_vec3 at = cd_vec3_make((cd_real)(2 * (i % 3 - 1)), (cd_real)(2 * (i / 3 % 3 - 1)),
                                      (cd_real)(2 * (i / 9 - 1)));
            cd_closest found;
            test_note("kind %d, place %d", kind, i);
            test_counted.node = 0;
            CHECK(cd_bvtree_closest(&tree, at, 3, NULL, &found));
            CHECK(test_counted.node < cd_bvtree_node_count(&tree) / 3);
        }
        cd_bvtree_destroy(&tree);
    }
    free(indices);
    free(p);
}

/* Triangles in a row, each in a leaf: from both ends the nearest comes first, and no other is looked at. */
static void the_nearest_comes_first(void) {
    enum { ALL = 60 };
    cd_vec3 p[3 * ALL];
    uint32_t indices[3 * ALL];
    cd_mesh_view view;
    for (uint32_t i = 0; i < 3 * ALL; ++i) {
        p[i] = cd_vec3_make((cd_real)(4 * (i / 3)), (cd_real)(i % 3 == 0), (cd_real)(i % 3 == 1));
        indices[i] = i;
    }
    view = cd_mesh_view_make(p, 3 * ALL, indices, ALL);
    for (int kind = 0; kind < KINDS; ++kind) {
        cd_bvh_options o;
        cd_bvtree tree;
        memset(&o, 0, sizeof o);
        o.leaf_size = 1;
        CHECK_INT(build(kind, &tree, &view, &o), CD_OK);
        for (int end = 0; end < 2; ++end) {
            cd_closest found;
            cd_hit hit;
            cd_ray r;
            r.origin = cd_vec3_make((cd_real)(end ? 4 * ALL : -4), (cd_real)0.25, (cd_real)0.25);
            r.dir = cd_vec3_make(end ? -1 : 1, 0, 0);
            test_note("kind %d, end %d", kind, end);
            test_counted.triangle = 0;
            CHECK(cd_bvtree_closest(&tree, r.origin, 1000, NULL, &found));
            CHECK_INT(found.index_b, end ? ALL - 1 : 0);
            CHECK_INT(test_counted.triangle, 1);
            test_counted.triangle = 0;
            CHECK(cd_bvtree_cast_ray(&tree, &r, 1000, NULL, &hit));
            CHECK_INT(hit.index, end ? ALL - 1 : 0);
            CHECK_INT(test_counted.triangle, 1);
        }
        cd_bvtree_destroy(&tree);
    }
}

/* Of many equal triangles no tree is deeper than it may be. */
static void many_equal(void) {
    gen_mesh mesh = gen_mesh_identical((uint32_t)test_times(3000) + 10);
    cd_mesh_view view = gen_mesh_view(&mesh);
    for (int kind = 0; kind < KINDS; ++kind) {
        for (uint32_t method = 0; method <= CD_BVH_INSERTED; ++method) {
            cd_bvh_options o;
            cd_bvtree tree;
            memset(&o, 0, sizeof o);
            o.method = method;
            o.axis = method % 5;
            CHECK_INT(build(kind, &tree, &view, &o), CD_OK);
            CHECK_INT(cd_bvtree_validate(&tree), CD_OK);
            CHECK(cd_bvtree_test_bvtree(&tree, &tree, NULL, NULL, NULL));
            cd_bvtree_destroy(&tree);
        }
    }
    gen_mesh_free(&mesh);
}

void suite_bvtree(void) {
    RUN(every_mesh);
    RUN(two_trees);
    RUN(two_surfaces);
    RUN(executors);
    RUN(bad_input);
    RUN(flat_things);
    RUN(damaged_bytes);
    RUN(damaged_by_a_little);
    RUN(one_more_than_hang_together);
    RUN(triangles_in_each_others_leaves);
    RUN(nodes_without_children);
    RUN(empty_trees_damaged);
    RUN(frames_of_no_tree);
    RUN(few_are_looked_at);
    RUN(the_nearest_comes_first);
    RUN(many_equal);
}
