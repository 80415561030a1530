/* The compact tree against a loop over all boxes: nothing is missed, and not much is visited for nothing. */
#include "gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 600 };

static cd_aabb boxes[MOST];
static unsigned char seen[MOST];
static size_t count;

static bool mark(void *user, uint32_t index) {
    ++seen[index];
    return ++count != *(size_t *)user;
}

static void fill(gen *g, int n) {
    for (int i = 0; i < n; ++i) {
        boxes[i] = gen_aabb(g);
        if (g->kind == GEN_UNIT) boxes[i].max = cd_vec3_lerp(boxes[i].min, boxes[i].max, (cd_real)0.1);
    }
}

static cd_bvh tree_of(test_rng *rng, int n) {
    cd_bvh t;
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = (uint32_t)test_int(rng, 0, 2);
    o.leaf_size = (uint32_t)test_int(rng, 1, 12);
    CHECK_INT(cd_bvh_build_boxes(&t, boxes, (uint32_t)n, &o), CD_OK);
    return t;
}

/* One query, by the boxes and without; returns how many boxes it meets. */
static size_t check(const cd_bvh_compact *t, int n, const cd_aabb *box, const cd_ray *r, cd_real t_max) {
    size_t met = 0, never = 0, one = 1;
    memset(seen, 0, sizeof seen);
    CHECK(box ? ASK("loop", cd_bvh_compact_overlap_aabb(t, *box, boxes, mark, &never))
              : ASK("loop", cd_bvh_compact_overlap_ray(t, r, t_max, boxes, mark, &never)));
    for (int i = 0; i < n; ++i) {
        bool want =
            box ? cd_test_aabb_aabb(*box, boxes[i]) : cd_cast_ray_aabb(r, t_max, boxes[i], NULL, NULL);
        CHECK_INT(seen[i], want);
        met += want;
    }
    memset(seen, 0, sizeof seen);
    CHECK(box ? ASK("loop", cd_bvh_compact_overlap_aabb(t, *box, NULL, mark, &never))
              : ASK("loop", cd_bvh_compact_overlap_ray(t, r, t_max, NULL, mark, &never)));
    for (int i = 0; i < n; ++i) {
        bool want =
            box ? cd_test_aabb_aabb(*box, boxes[i]) : cd_cast_ray_aabb(r, t_max, boxes[i], NULL, NULL);
        CHECK(seen[i] <= 1 && seen[i] >= want);
    }
    count = 0;
    CHECK_INT(box ? ASK("loop", cd_bvh_compact_overlap_aabb(t, *box, boxes, mark, &one))
                  : ASK("loop", cd_bvh_compact_overlap_ray(t, r, t_max, boxes, mark, &one)),
              met == 0);
    return met;
}

static void nothing_is_missed(void) {
    test_rng rng = test_random();
    for (long i = test_times(195); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        int n = test_int(&rng, 1, test_int(&rng, 0, 2) ? 30 : MOST);
        cd_bvh tree;
        cd_bvh_compact t;
        fill(&g, n);
        tree = tree_of(&rng, n);
        test_note("%d boxes, kind %d", n, (int)g.kind);
        CHECK_INT(ASK("loop", cd_bvh_compact_build(&t, &tree, NULL)), CD_OK);
        CHECK_INT(t.count, n);
        CHECK_INT(t.bytes, 14 * (size_t)n - 10);
        cd_bvh_destroy(&tree);
        for (int k = 0; k < 12; ++k) {
            cd_aabb box = test_int(&rng, 0, 2) ? gen_aabb(&g) : boxes[test_int(&rng, 0, n - 1)];
            cd_ray r;
            r.origin = gen_point(&g);
            r.dir = gen_direction(&g);
            if (!test_int(&rng, 0, 2)) r.origin = boxes[test_int(&rng, 0, n - 1)].min;
            if (!test_int(&rng, 0, 2)) box.max = box.min;
            check(&t, n, &box, NULL, 0);
            check(&t, n, NULL, &r, test_int(&rng, 0, 2) ? CD_REAL_MAX : (cd_real)test_unit(&rng));
        }
        cd_bvh_compact_destroy(&t);
    }
}

/* The bytes are few, but they have to be of use. */
static void little_is_visited_for_nothing(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    size_t met = 0, visited = 0, never = 0;
    cd_bvh tree;
    cd_bvh_compact t;
    fill(&g, MOST);
    tree = tree_of(&rng, MOST);
    CHECK_INT(cd_bvh_compact_build(&t, &tree, NULL), CD_OK);
    for (int i = 0; i < 200; ++i) {
        cd_aabb box = gen_aabb(&g);
        box.max = cd_vec3_lerp(box.min, box.max, (cd_real)0.3);
        met += check(&t, MOST, &box, NULL, 0);
        count = 0;
        cd_bvh_compact_overlap_aabb(&t, box, NULL, mark, &never);
        visited += count;
    }
    CHECK((double)visited < 1.1 * (double)met);
    cd_bvh_destroy(&tree);
    cd_bvh_compact_destroy(&t);
}

static void bad_queries_meet_nothing(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    size_t never = 0;
    cd_bvh none, tree;
    cd_bvh_compact t, empty;
    cd_ray r;
    cd_aabb all = {{-9, -9, -9}, {9, 9, 9}}, bad = all;
    memset(&none, 0, sizeof none);
    CHECK_INT(ASK("bad", cd_bvh_compact_build(&empty, &none, NULL)), CD_OK);
    CHECK_INT(empty.count, 0);
    fill(&g, 50);
    tree = tree_of(&rng, 50);
    CHECK_INT(ASK("bad", cd_bvh_compact_build(&t, &tree, NULL)), CD_OK);
    bad.min.y = (cd_real)NAN;
    r.origin = boxes[0].min;
    r.dir = cd_vec3_make(1, (cd_real)NAN, 0);
    count = 0;
    CHECK(ASK("bad", cd_bvh_compact_overlap_aabb(&empty, all, NULL, mark, &never)));
    CHECK(ASK("bad", cd_bvh_compact_overlap_aabb(&t, bad, NULL, mark, &never)));
    CHECK(ASK("bad", cd_bvh_compact_overlap_aabb(&t, cd_aabb_empty(), NULL, mark, &never)));
    CHECK(ASK("bad", cd_bvh_compact_overlap_ray(&t, &r, 1, NULL, mark, &never)));
    r.dir.y = 0;
    CHECK(ASK("bad", cd_bvh_compact_overlap_ray(&t, &r, -1, NULL, mark, &never)));
    CHECK(ASK("bad", cd_bvh_compact_overlap_ray(&t, &r, (cd_real)NAN, NULL, mark, &never)));
    CHECK_INT(count, 0);
    CHECK(ASK("bad", cd_bvh_compact_overlap_aabb(&t, all, NULL, mark, &never)));
    CHECK_INT(count, 50);
    cd_bvh_compact_destroy(&t);
    for (long n = 0; n < 7; ++n) {
        test_memory f = {n, 0, 0};
        cd_allocator a = test_allocator(&f);
        CHECK_INT(ASK("bad", cd_bvh_compact_build(&t, &tree, &a)), n < 6 ? CD_OUT_OF_MEMORY : CD_OK);
        CHECK(n < 6 ? t.count == 0 && f.live == 0 : f.bytes == t.bytes);
        ASK("bad", cd_bvh_compact_destroy(&t));
        CHECK_INT(f.live, 0);
    }
    cd_bvh_destroy(&tree);
    cd_bvh_compact_destroy(&empty);
}

/* The way to a box may have no number. */
static void rays_go_as_far_as_numbers(void) {
    size_t never = 0;
    cd_bvh tree;
    cd_bvh_compact t;
    cd_ray r;
    r.origin = cd_vec3_make(-CD_REAL_MAX, 0, 0);
    r.dir = cd_vec3_make(CD_REAL_MAX, 0, 0);
    for (int i = 0; i < 2; ++i) {
        boxes[i].min = cd_vec3_make((cd_real)0.5 * CD_REAL_MAX, -1, -1);
        boxes[i].max = cd_vec3_make(CD_REAL_MAX, 1, 1);
    }
    CHECK_INT(cd_bvh_build_boxes(&tree, boxes, 2, NULL), CD_OK);
    CHECK_INT(cd_bvh_compact_build(&t, &tree, NULL), CD_OK);
    count = 0;
    CHECK(ASK("exact", cd_bvh_compact_overlap_ray(&t, &r, (cd_real)1.75, NULL, mark, &never)));
    CHECK_INT(count, 2); /* t = 1.5 */
    CHECK(ASK("exact", cd_bvh_compact_overlap_ray(&t, &r, (cd_real)1.25, NULL, mark, &never)));
    CHECK_INT(count, 2);
    cd_bvh_compact_destroy(&t);
    cd_bvh_destroy(&tree);
}

/* Of triangles and points the boxes are held. */
static void other_items_are_held_by_their_boxes(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(5, 0.1, &rng); /* 300 triangles */
    cd_mesh_view v = gen_mesh_view(&m);
    for (int kind = 0; kind < 2; ++kind) {
        int n = (int)(kind ? m.vertex_count : m.triangle_count);
        cd_bvh tree;
        cd_bvh_compact t;
        for (int i = 0; i < n; ++i) {
            boxes[i] = cd_aabb_from_points(&m.vertices[i % (int)m.vertex_count], 1);
            if (!kind) {
                cd_triangle q = gen_mesh_triangle(&m, (uint32_t)i);
                boxes[i] = cd_aabb_from_points(&q.a, 3);
            }
        }
        CHECK_INT(kind ? cd_bvh_build_points(&tree, m.vertices, m.vertex_count, NULL)
                       : cd_bvh_build_mesh(&tree, &v, NULL),
                  CD_OK);
        CHECK_INT(cd_bvh_compact_build(&t, &tree, NULL), CD_OK);
        for (int i = 0; i < n; ++i) check(&t, n, &boxes[i], NULL, 0);
        cd_bvh_compact_destroy(&t);
        cd_bvh_destroy(&tree);
    }
    gen_mesh_free(&m);
}

static bool among(void *user, uint32_t index) {
    uint32_t *found = (uint32_t *)user;
    found[1] += index == found[0];
    ++found[2];
    return true;
}

/* The number of items of a part takes more than two bytes. */
static void more_than_two_bytes_count(void) {
    enum { MANY = 131100 };
    cd_aabb *many;
    cd_bvh tree;
    cd_bvh_compact compact;
    cd_bvh_options o;
    if (test_is_tiny()) {
        test_skip("it takes too long here");
        return;
    }
    many = (cd_aabb *)malloc(MANY * sizeof *many);
    for (int i = 0; i < MANY; ++i) {
        many[i].min = cd_vec3_make((cd_real)i, 0, 0);
        many[i].max = many[i].min;
    }
    memset(&o, 0, sizeof o);
    o.method = CD_BVH_LINEAR;
    o.layout = CD_BVH_BINARY; /* its first node has two halves */
    o.leaf_size = 64;
    CHECK_INT(cd_bvh_build_boxes(&tree, many, MANY, &o), CD_OK);
    CHECK_INT(cd_bvh_compact_build(&compact, &tree, NULL), CD_OK);
    cd_bvh_destroy(&tree);
    for (int i = 0; i < MANY; i += 1777) {
        uint32_t found[3] = {0, 0, 0}; /* which, how often, all */
        found[0] = (uint32_t)i;
        CHECK(ASK("loop", cd_bvh_compact_overlap_aabb(&compact, many[i], many, among, found)));
        CHECK(found[1] == 1 && found[2] == 1);
    }
    cd_bvh_compact_destroy(&compact);
    free(many);
}

void suite_bvh_compact(void) {
    RUN(nothing_is_missed);
    RUN(little_is_visited_for_nothing);
    RUN(bad_queries_meet_nothing);
    RUN(rays_go_as_far_as_numbers);
    RUN(other_items_are_held_by_their_boxes);
    RUN(more_than_two_bytes_count);
}
