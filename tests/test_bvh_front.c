/* Fronts and pairs kept in mind against the queries without them: over motions of all kinds, refits, other trees in the same
 * place, memory that runs out. */
#include "gen.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, ROOM = 60000 };

/* Things of one kind, and a tree over them. */
typedef struct crowd {
    uint32_t kind, count;
    cd_triangle triangle[MOST];
    cd_aabb box[MOST];
    cd_vec3 point[MOST];
    uint32_t mask[MOST];
    cd_bvh tree;
} crowd;

static crowd a, b;
static cd_pair want[ROOM], got[ROOM];
static uint32_t indices[3 * MOST]; /* each its own */

static cd_vec3 near_by(gen *g, cd_vec3 p, double size) {
    return cd_vec3_along(p, cd_vec3_sub(gen_point(g), p), (cd_real)size);
}

static void build(crowd *c, uint32_t layout, uint32_t leaf_size, bool masks) {
    cd_mesh_view view = cd_mesh_view_make(&c->triangle[0].a, 3 * c->count, indices, c->count);
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = layout;
    o.leaf_size = leaf_size;
    o.masks = masks ? c->mask : NULL;
    if (c->kind == CD_BVH_TRIANGLES)
        CHECK_INT(cd_bvh_build_mesh(&c->tree, &view, &o), CD_OK);
    else if (c->kind == CD_BVH_BOXES)
        CHECK_INT(cd_bvh_build_boxes(&c->tree, c->box, c->count, &o), CD_OK);
    else
        CHECK_INT(cd_bvh_build_points(&c->tree, c->point, c->count, &o), CD_OK);
}

static void fill(test_rng *rng, crowd *c, gen_kind kind, double size, uint32_t most) {
    gen g = gen_begin(rng, kind);
    c->kind = (uint32_t)test_int(rng, 0, 2);
    c->count = (uint32_t)test_int(rng, 1, (int)most);
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_triangle *t = &c->triangle[i];
        t->a = gen_point(&g);
        t->b = near_by(&g, t->a, size);
        t->c = near_by(&g, t->a, size);
        c->point[i] = t->a;
        c->box[i] = cd_aabb_from_points(&t->a, 2);
        c->mask[i] = (uint32_t)test_int(rng, 0, 3);
    }
}

static void draw(test_rng *rng, crowd *c, gen_kind kind, double size, uint32_t most) {
    static const uint32_t leaf[3] = {0, 1, 7};
    fill(rng, c, kind, size, most);
    build(c, (uint32_t)test_int(rng, 0, c->kind == CD_BVH_TRIANGLES ? 3 : 2), leaf[test_int(rng, 0, 2)],
          test_int(rng, 0, 1) != 0);
}

static void forget(void) {
    cd_bvh_destroy(&a.tree);
    cd_bvh_destroy(&b.tree);
}

/* ---- the same pairs in the same order ---- */

static bool same_pairs(size_t count_want, size_t count_got) {
    size_t shown = count_want < ROOM ? count_want : ROOM;
    return count_want == count_got && !memcmp(want, got, shown * sizeof *want);
}

static uint64_t plain_tests, front_tests;

/* One query with the front and one without. */
static size_t follow(cd_bvh_front *front, const cd_bvh *s, const cd_bvh *t, const cd_transform *pose,
                     cd_real distance, const cd_bvh_pair_options *o) {
    uint64_t begin = test_counted.node, middle;
    size_t count = cd_bvh_within(s, t, pose, distance, o, want, ROOM), found;
    middle = test_counted.node;
    found = ASK("forms", cd_bvh_front_pairs(front, s, t, pose, distance, o, got, ROOM));
    plain_tests += middle - begin;
    front_tests += test_counted.node - middle;
    CHECK_INT(found, count);
    CHECK(same_pairs(count, found));
    CHECK_INT(front->status, CD_OK);
    return count;
}

static void turn(cd_transform *pose, cd_vec3 axis, double angle, cd_vec3 by) {
    pose->rotation = cd_quat_mul(cd_quat_from_axis_angle(axis, (cd_real)angle), pose->rotation);
    pose->position = cd_vec3_add(pose->position, by);
}

static cd_vec3 any_vec(test_rng *rng, double size) {
    double x = test_range(rng, -size, size), y = test_range(rng, -size, size),
           z = test_range(rng, -size, size);
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

/* Rest, a little, more, elsewhere. */
static const cd_transform *move_on(test_rng *rng, cd_transform *pose) {
    static const double step[4] = {1e-5, 1e-3, 0.02, 0.3};
    int how = test_int(rng, 0, 9);
    double size = step[test_int(rng, 0, 3)];
    cd_vec3 axis = any_vec(rng, 1), by = any_vec(rng, size);
    if (how == 0) return NULL;
    if (how == 1) *pose = gen_pose(rng, 0.5);
    if (how >= 4) turn(pose, cd_vec3_normalize(axis), how >= 7 ? size : 0.0, by);
    return pose;
}

static bool odd_sums(void *user, cd_pair pair) {
    (void)user;
    return (pair.a + pair.b) % 2 == 1;
}

static void draw_options(test_rng *rng, cd_bvh_pair_options *o) {
    if (test_int(rng, 0, 9)) return;
    memset(o, 0, sizeof *o);
    o->rule = (uint32_t)test_int(rng, 0, 5);
    o->ignore_a = (uint32_t)test_int(rng, 0, 3);
    o->ignore_b = (uint32_t)test_int(rng, 0, 3);
    if (test_int(rng, 0, 1)) o->filter = odd_sums;
}

static void any_motion_gives_the_pairs_of_the_plain_query(void) {
    static const gen_kind kinds[4] = {GEN_UNIT, GEN_GRID, GEN_ULP, GEN_FAR};
    test_rng rng = test_random();
    size_t pairs = 0;
    for (long n = test_times(60); n > 0; --n) {
        gen_kind kind = kinds[test_int(&rng, 0, 3)];
        double size = test_range(&rng, 0.01, 0.3);
        cd_transform pose = gen_pose(&rng, 0.3);
        cd_bvh_pair_options o;
        cd_bvh_front front;
        bool many = n % 2 == 0; /* so near to each other that much is */
        double reach = many ? 0.5 : 0.05;
        cd_real distance = (cd_real)(many ? reach : 0);
        memset(&o, 0, sizeof o);
        memset(&front, 0, sizeof front);
        if (many) kind = GEN_UNIT;
        draw(&rng, &a, kind, size, MOST);
        draw(&rng, &b, kind, size, MOST);
        test_note("kinds %u %u, layouts %u %u", a.kind, b.kind, cd_bvh_get_layout(&a.tree),
                  cd_bvh_get_layout(&b.tree));
        for (int step = 0; step < 12; ++step) {
            const cd_transform *at = move_on(&rng, &pose);
            draw_options(&rng, &o);
            if (!test_int(&rng, 0, 4))
                distance = (cd_real)(test_int(&rng, 0, 1) ? test_range(&rng, 0, reach) : 0);
            pairs += follow(&front, &a.tree, &b.tree, at, distance, &o);
        }
        cd_bvh_front_destroy(&front);
        forget();
    }
    CHECK_SEEN(pairs > 1000);
}

/* ---- what it saves ---- */

static cd_bvh ball(test_rng *rng, int n, uint32_t layout) {
    gen_mesh m = gen_mesh_ball(n, 0.1, rng);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_bvh_options o;
    cd_bvh t;
    memset(&o, 0, sizeof o);
    o.layout = layout;
    CHECK_INT(cd_bvh_build_mesh(&t, &v, &o), CD_OK);
    gen_mesh_free(&m);
    return t;
}

/* Two balls, one of which turns: in each other, touching, near, far away. */
static void slow_motion_tests_fewer_nodes(void) {
    static const double away[4] = {0.4, 1.97, 2.05, 5.0};
    test_rng rng = test_random();
    for (int k = 0; k < 8; k += test_is_tiny() ? 3 : 1) {
        cd_bvh s = ball(&rng, 20, (uint32_t)k % 4), t = ball(&rng, 16, (uint32_t)(k + k / 4) % 4);
        cd_transform pose = cd_transform_identity();
        cd_bvh_front front;
        memset(&front, 0, sizeof front);
        pose.position.x = (cd_real)away[k / 2];
        plain_tests = front_tests = 0;
        for (int step = 0; step < 20; ++step) {
            follow(&front, &s, &t, &pose, k == 4 ? (cd_real)0.02 : 0, NULL);
            turn(&pose, cd_vec3_make(0, 1, 0), 1e-5, cd_vec3_make(0, 0, 0));
        }
        test_note("case %d: %g tests without, %g with", k, (double)plain_tests, (double)front_tests);
        CHECK(front_tests * (away[k / 2] < 2 ? 2 : 1) <= plain_tests);
        follow(&front, &s, &t, &pose, 0, NULL);
        front_tests = 0;
        for (int step = 0; step < 4; ++step) follow(&front, &s, &t, &pose, 0, NULL);
        CHECK_INT(front_tests, 0);
        cd_bvh_front_destroy(&front);
        cd_bvh_destroy(&s);
        cd_bvh_destroy(&t);
    }
}

/* Balls that come together and part again: what the front keeps becomes little again. */
static void it_goes_down_and_up(void) {
    test_rng rng = test_random();
    cd_bvh s = ball(&rng, 20, 0), t = ball(&rng, 16, 0);
    cd_transform pose = cd_transform_identity();
    cd_bvh_front front;
    uint32_t most = 0, first = 0;
    memset(&front, 0, sizeof front);
    for (int step = -40; step <= 40; ++step) {
        pose.position.x = (cd_real)(1.5 + 0.04 * abs(step));
        follow(&front, &s, &t, &pose, 0, NULL);
        if (step == -40) first = front.count;
        most = front.count > most ? front.count : most;
    }
    CHECK(most > 50 && front.count < most / 10 + first + 2);
    cd_bvh_front_destroy(&front);
    cd_bvh_destroy(&s);
    cd_bvh_destroy(&t);
}

/* Where all children of two nodes met, nothing but what is below tells that they have come apart. */
static void it_goes_up_where_all_met(void) {
    test_rng rng = test_random();
    for (uint32_t layout = 0; layout < 4; ++layout) {
        cd_bvh s = ball(&rng, 12, layout), t = ball(&rng, 12, layout);
        cd_transform pose = cd_transform_identity();
        cd_bvh_front front;
        uint32_t most;
        memset(&front, 0, sizeof front);
        pose.position.x = (cd_real)0.05;
        follow(&front, &s, &t, &pose, 0, NULL);
        most = front.count;
        pose.position.x = 5;
        follow(&front, &s, &t, &pose, 0, NULL);
        test_note("layout %u: at most %u, in the end %u", layout, most, front.count);
        CHECK(most > 100 && front.count == 1);
        cd_bvh_front_destroy(&front);
        cd_bvh_destroy(&s);
        cd_bvh_destroy(&t);
    }
}

/* ---- other trees ---- */

static void other_trees_begin_anew(void) {
    test_rng rng = test_random();
    cd_bvh_front front;
    memset(&front, 0, sizeof front);
    for (long n = 10 + test_times(100); n > 0; --n) {
        cd_transform pose = gen_pose(&rng, 0.3);
        cd_bvh none;
        memset(&none, 0, sizeof none);
        draw(&rng, &a, GEN_UNIT, 0.2, 60);
        draw(&rng, &b, GEN_UNIT, 0.2, 60);
        follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
        follow(&front, &b.tree, &a.tree, &pose, 0, NULL);
        follow(&front, &a.tree, &a.tree, &pose, 0, NULL);
        follow(&front, &a.tree, &none, &pose, 0, NULL);
        follow(&front, &a.tree, &b.tree, NULL, 0, NULL);
        forget();
    }
    ASK("exact", cd_bvh_front_destroy(&front));
    CHECK(front.entries[0] == NULL && front.count == 0);
    cd_bvh_front_destroy(&front);
}

static cd_aabb around(cd_vec3 p, double half) {
    cd_vec3 h = cd_vec3_make((cd_real)half, (cd_real)half, (cd_real)half);
    cd_aabb box;
    box.min = cd_vec3_sub(p, h);
    box.max = cd_vec3_add(p, h);
    return box;
}

/* Of a tree that changes neither the place nor the bounds need change: two boxes at the ends hold them. */
static void trees_that_change_are_noticed(void) {
    test_rng rng = test_random();
    cd_aabb boxes[40];
    cd_bvh_front front;
    cd_dyntree tree;
    memset(&front, 0, sizeof front);
    for (int i = 0; i < 40; ++i) {
        cd_vec3 at = any_vec(&rng, 1);
        if (i < 2) at = cd_vec3_make((cd_real)(i ? 9 : -9), (cd_real)(i ? 9 : -9), (cd_real)(i ? 9 : -9));
        boxes[i] = around(at, 0.1);
    }
    CHECK_INT(cd_dyntree_build(&tree, boxes, NULL, 40, NULL), CD_OK);
    for (long n = 20 + test_times(100); n > 0; --n) {
        cd_vec3 at = any_vec(&rng, 1);
        uint32_t id = (uint32_t)test_int(&rng, 2, 39);
        boxes[id] = around(at, 0.1);
        if (n % 3)
            CHECK_INT(cd_dyntree_move(&tree, id, boxes[id], cd_vec3_make(0, 0, 0)), CD_OK);
        else
            CHECK_INT(cd_dyntree_move_many(&tree, &id, &boxes[id], NULL, 1), CD_OK);
        if (n % 4 == 0) CHECK_INT(cd_dyntree_optimise(&tree, 4), CD_OK);
        if (n % 8) ASK("forms", cd_bvh_front_moved(&front, 0));
        follow(&front, &tree.bvh, &tree.bvh, NULL, 0, NULL);
    }
    cd_dyntree_destroy(&tree);
    cd_bvh_front_destroy(&front);
}

/* After a long way there and back, small steps still count. */
static void creeping_after_an_excursion_is_noticed(void) {
    cd_vec3 at = cd_vec3_make(0, 0, 0);
    cd_aabb box = around(at, 1);
    cd_transform pose = cd_transform_identity();
    cd_bvh_front front;
    memset(&front, 0, sizeof front);
    CHECK_INT(cd_bvh_build_boxes(&a.tree, &box, 1, NULL), CD_OK);
    CHECK_INT(cd_bvh_build_boxes(&b.tree, &box, 1, NULL), CD_OK);
    pose.position.x = (cd_real)1e18;
    follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
    for (int i = test_is_tiny() ? 10000 : 30000; i >= 0; --i) {
        pose.position.x = (cd_real)i;
        follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
    }
    forget();
    cd_bvh_front_destroy(&front);
}

/* What a front has seen of two trees costs nothing with two others: as many tests as by one that is new. */
static void far_journeys_are_forgotten(void) {
    test_rng rng = test_random();
    for (int k = 0; k < 4; ++k) {
        cd_bvh s = ball(&rng, 10, (uint32_t)k), t = ball(&rng, 8, (uint32_t)k);
        cd_transform pose = cd_transform_identity();
        cd_bvh_front old, fresh;
        memset(&old, 0, sizeof old);
        memset(&fresh, 0, sizeof fresh);
        pose.position.x = (cd_real)(k % 2 ? 1e18 : 1e30);
        follow(&old, &s, &t, NULL, 0, NULL);
        follow(&old, &s, &t, &pose, 0, NULL);
        pose.position.x = (cd_real)1.97;
        for (int step = 0; step < 20; ++step) {
            follow(&old, &t, &s, &pose, 0, NULL);
            follow(&fresh, &t, &s, &pose, 0, NULL);
            CHECK_INT((long long)old.tested, (long long)fresh.tested);
            turn(&pose, cd_vec3_make(0, 1, 0), 1e-5, cd_vec3_make(0, 0, 0));
        }
        cd_bvh_front_destroy(&old);
        cd_bvh_front_destroy(&fresh);
        cd_bvh_destroy(&s);
        cd_bvh_destroy(&t);
    }
}

/* From one pose to one that differs in a single number: quarter turns, of all signs. */
static void each_number_of_a_pose_counts(void) {
    test_rng rng = test_random();
    cd_bvh_front front;
    memset(&front, 0, sizeof front);
    for (int i = 0; i < 60; ++i) {
        cd_vec3 at = any_vec(&rng, 2);
        a.box[i] = around(at, (cd_real)0.1);
        b.box[i] = around(any_vec(&rng, 2), (cd_real)0.1);
    }
    CHECK_INT(cd_bvh_build_boxes(&a.tree, a.box, 60, NULL), CD_OK);
    CHECK_INT(cd_bvh_build_boxes(&b.tree, b.box, 60, NULL), CD_OK);
    for (int i = 0; i < 128; ++i) {
        cd_transform pose;
        pose.position = cd_vec3_make(i & 16 ? -1 : 1, i & 32 ? -1 : 1, i & 64 ? -1 : 1);
        for (int k = 0; k < 4; ++k) (&pose.rotation.x)[k] = (cd_real)(i >> k & 1 ? -0.5 : 0.5);
        for (int k = i >= 16 ? 4 : 0; k < (i % 16 ? 4 : 7); ++k) { /* of positions, or of rotations */
            cd_real *number = k < 4 ? &pose.rotation.x + k : &pose.position.x + (k - 4);
            follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
            *number = -*number;
            test_note("%d, number %d", i, k);
            follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
        }
    }
    forget();
    /* flat, and about an edge of its bounds: only what is across moves */
    for (int k = 0; k < 6; ++k) {
        int axis = k % 3, still = (axis + 1) % 3, flat = (axis + 2) % 3, rest;
        cd_real edge = (cd_real)(k < 3 ? 2 : -2);
        cd_vec3 about = cd_vec3_make(still == 0, still == 1, still == 2), middle = cd_vec3_make(0, 0, 0), by;
        cd_transform pose = cd_transform_identity();
        REALS(middle)[axis] = edge;
        for (int i = 0; i < 60; ++i) {
            a.box[i] = around(any_vec(&rng, 2), (cd_real)0.1);
            REALS(b.box[i].min)[flat] = REALS(b.box[i].max)[flat] = 0;
            for (rest = 0; rest < 2; ++rest) {
                double low = test_range(&rng, -2, 1.875);
                REALS(b.box[i].min)[rest ? axis : still] = (cd_real)low;
                REALS(b.box[i].max)[rest ? axis : still] = (cd_real)(low + 0.125);
            }
        }
        REALS(b.box[0].min)[axis] = -2; /* up to both edges */
        REALS(b.box[0].max)[axis] = 2;
        CHECK_INT(cd_bvh_build_boxes(&a.tree, a.box, 60, NULL), CD_OK);
        CHECK_INT(cd_bvh_build_boxes(&b.tree, b.box, 60, NULL), CD_OK);
        test_note("about an edge %d", k);
        for (int step = 0; step < 4; ++step) {
            follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
            pose.rotation = cd_quat_from_axis_angle(about, (cd_real)(0.25 * (step + 1)));
            by = cd_quat_rotate(pose.rotation, middle);
            pose.position = cd_vec3_sub(middle, by);
        }
        follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
        forget();
    }
    cd_bvh_front_destroy(&front);
}

/* A tree with the same nodes over boxes that have moved, in the same place: what a refit leaves. */
static void put(const cd_aabb *boxes, uint32_t count, void *place, size_t room, cd_bvh *out) {
    static uint32_t parent[MOST], node[MOST];
    cd_bvh_options o;
    cd_bvh_graph g;
    cd_bvh t;
    memset(&o, 0, sizeof o);
    memset(&g, 0, sizeof g);
    for (uint32_t i = 0; i < count; ++i) node[i] = 0;
    parent[0] = CD_NONE;
    g.parent = parent;
    g.node_count = 1;
    g.boxes = boxes;
    g.box_node = node;
    g.box_count = count;
    o.layout = CD_BVH_BINARY;
    o.leaf_size = 1;
    CHECK_INT(cd_bvh_from_nodes(&t, &g, &o), CD_OK);
    if (CHECK(t.bytes <= room)) memcpy(place, t.block, t.bytes);
    CHECK_INT(cd_bvh_view(out, place, t.bytes), CD_OK);
    cd_bvh_destroy(&t);
}

static size_t self(cd_bvh_front *front, const cd_bvh *tree, const cd_bvh_pair_options *o) {
    uint64_t begin = test_counted.node, middle;
    size_t count = cd_bvh_self_pairs(tree, o, want, ROOM), found;
    middle = test_counted.node;
    found = ASK("forms", cd_bvh_front_self_pairs(front, tree, o, got, ROOM));
    plain_tests += middle - begin;
    front_tests += test_counted.node - middle;
    CHECK(same_pairs(count, found));
    return count;
}

static void refitted_trees_need_a_word(void) {
    test_rng rng = test_random();
    cd_allocator memory = {0, 0, 0};
    size_t room = 1u << 16;
    for (long n = 2 + test_times(15); n > 0; --n) {
        unsigned char *raw = (unsigned char *)malloc(2 * room + 64), *place = raw + (64 - (size_t)raw % 64);
        cd_bvh_front of_two, of_one;
        cd_bvh s, t;
        double step = test_int(&rng, 0, 1) ? 1e-5 : 0.01;
        cd_transform pose = gen_pose(&rng, 0.2);
        memset(&of_two, 0, sizeof of_two);
        memset(&of_one, 0, sizeof of_one);
        of_two.allocator = memory;
        fill(&rng, &a, GEN_UNIT, 0.1, 200);
        fill(&rng, &b, GEN_UNIT, 0.1, 200);
        plain_tests = front_tests = 0;
        for (int k = 0; k < 10; ++k) {
            put(a.box, a.count, place, room, &s);
            put(b.box, b.count, place + room, room, &t);
            if (k) ASK("forms", cd_bvh_front_moved(&of_two, (cd_real)(2 * step)));
            if (k) ASK("forms", cd_bvh_front_moved(&of_one, (cd_real)(2 * step)));
            follow(&of_two, &s, &t, &pose, 0, NULL);
            self(&of_one, &s, NULL);
            for (uint32_t i = 0; i < MOST; ++i) {
                a.box[i] = cd_aabb_translate(a.box[i], any_vec(&rng, step));
                b.box[i] = cd_aabb_translate(b.box[i], any_vec(&rng, step));
            }
        }
        if (step < 1e-3) CHECK(front_tests < plain_tests);
        cd_bvh_front_destroy(&of_two);
        cd_bvh_front_destroy(&of_one);
        free(raw);
    }
}

static void trees_against_themselves(void) {
    test_rng rng = test_random();
    for (long n = test_times(180); n > 0; --n) {
        cd_bvh_front front;
        cd_bvh_pair_options o;
        memset(&front, 0, sizeof front);
        memset(&o, 0, sizeof o);
        draw(&rng, &a, GEN_UNIT, 0.1, MOST);
        self(&front, &a.tree, NULL);
        front_tests = 0;
        o.flags = (uint32_t)test_int(&rng, 0, 3);
        self(&front, &a.tree, &o);
        CHECK_INT(front_tests, 0);
        ASK("forms", cd_bvh_front_moved(&front, (cd_real)INFINITY));
        self(&front, &a.tree, NULL);
        ASK("forms", cd_bvh_front_moved(&front, (cd_real)NAN));
        self(&front, &a.tree, NULL);
        ASK("forms", cd_bvh_front_reset(&front));
        follow(&front, &a.tree, &a.tree, NULL, 0, NULL);
        cd_bvh_front_destroy(&front);
        cd_bvh_destroy(&a.tree);
    }
}

/* ---- visitors that stop, memory that ends ---- */

static bool stop_at_third(void *user, cd_pair pair) {
    (void)pair;
    return ++*(int *)user != 3;
}

/* One pair after another, in the order of those listed in `want`. */
static bool as_listed(void *user, cd_pair pair) {
    size_t *count = (size_t *)user;
    const cd_pair *next = &want[*count];
    ++*count;
    return CHECK(pair.a == next->a && pair.b == next->b);
}

/* What is visited of one tree: the pairs of cd_bvh_traverse_self, and no more than the visitor wants. */
static void visits_of_one_tree(void) {
    test_rng rng = test_random();
    for (long n = test_times(360); n > 0; --n) {
        cd_bvh_front front;
        memset(&front, 0, sizeof front);
        draw(&rng, &a, GEN_UNIT, 0.2, 100);
        for (int k = 0; k < 3; ++k) {
            size_t all = cd_bvh_self_pairs(&a.tree, NULL, want, ROOM), seen = 0;
            int count = 0;
            CHECK(ASK("forms", cd_bvh_front_traverse_self(&front, &a.tree, NULL, as_listed, &seen)));
            CHECK_INT(seen, all);
            CHECK_INT(ASK("forms", cd_bvh_front_traverse_self(&front, &a.tree, NULL, stop_at_third, &count)),
                      all < 3);
            CHECK_INT(count, all < 3 ? all : 3);
        }
        cd_bvh_front_destroy(&front);
        cd_bvh_destroy(&a.tree);
    }
}

static void visitors_may_stop(void) {
    test_rng rng = test_random();
    for (long n = test_times(350); n > 0; --n) {
        cd_transform pose = gen_pose(&rng, 0.2);
        cd_bvh_front front;
        memset(&front, 0, sizeof front);
        draw(&rng, &a, GEN_UNIT, 0.3, 100);
        draw(&rng, &b, GEN_UNIT, 0.3, 100);
        for (int k = 0; k < 6; ++k) {
            int count = 0;
            size_t all;
            turn(&pose, cd_vec3_make(1, 0, 0), 0.003, cd_vec3_make(0, 0, 0));
            all = cd_bvh_collide(&a.tree, &b.tree, &pose, NULL, NULL, 0);
            CHECK_INT(ASK("forms", cd_bvh_front_traverse(&front, &a.tree, &b.tree, &pose, 0, NULL,
                                                         stop_at_third, &count)),
                      all < 3);
            CHECK_INT(count, all < 3 ? all : 3);
            if (k % 2) follow(&front, &a.tree, &b.tree, &pose, 0, NULL);
        }
        cd_bvh_front_destroy(&front);
        forget();
    }
}

static void every_allocation_may_fail(void) {
    test_rng rng = test_random();
    int rings = test_is_tiny() ? 8 : 16;
    cd_bvh s = ball(&rng, rings, 0), t = ball(&rng, rings, 2);
    bool all = false;
    for (long n = 0; n < 40 && !all; ++n) {
        test_memory f = {n, 0, 0};
        cd_bvh_front front;
        cd_transform pose = cd_transform_identity();
        memset(&front, 0, sizeof front);
        front.allocator = test_allocator(&f);
        all = true;
        for (int k = 0; k < 4; ++k) {
            size_t count = cd_bvh_collide(&s, &t, &pose, NULL, want, ROOM);
            CHECK(same_pairs(count,
                             ASK("forms", cd_bvh_front_pairs(&front, &s, &t, &pose, 0, NULL, got, ROOM))));
            CHECK(front.status == CD_OK || front.status == CD_OUT_OF_MEMORY);
            all = all && front.status == CD_OK;
            if (k == 1) f.allowed += 3;
            turn(&pose, cd_vec3_make(0, 0, 1), 0.001, cd_vec3_make((cd_real)0.1, 0, 0));
        }
        ASK("bad", cd_bvh_front_destroy(&front));
        CHECK_INT(f.live, 0);
        CHECK_INT(f.bytes, 0);
    }
    CHECK(all);
    cd_bvh_destroy(&s);
    cd_bvh_destroy(&t);
}

/* ---- pairs kept in mind ---- */

static cd_pair any_pair(test_rng *rng) {
    cd_pair p;
    p.a = test_int(rng, 0, 1) ? (uint32_t)test_next(rng) : (uint32_t)test_int(rng, 0, MOST);
    p.b = test_int(rng, 0, 1) ? (uint32_t)test_int(rng, 0, MOST) : CD_NONE;
    return p;
}

static bool same_closest(const cd_closest *p, const cd_closest *q) {
    return p->index_a == q->index_a && p->index_b == q->index_b && p->sqdist == q->sqdist &&
           !memcmp(&p->a, &q->a, sizeof p->a) && !memcmp(&p->b, &q->b, sizeof p->b);
}

/* Is the pair one of those that come within the distance? */
static bool is_pair(const cd_transform *pose, cd_real distance, const cd_bvh_pair_options *o, cd_pair pair) {
    size_t count = cd_bvh_within(&a.tree, &b.tree, pose, distance, o, want, ROOM);
    bool found = count > ROOM;
    for (size_t i = 0; i < count && !found; ++i) found = want[i].a == pair.a && want[i].b == pair.b;
    return found;
}

static void check_again(const cd_transform *pose, cd_real distance, const cd_bvh_pair_options *o,
                        cd_pair last[3]) {
    cd_pair pair = {CD_NONE, CD_NONE};
    cd_closest c, d;
    bool found = cd_bvh_test_bvh(&a.tree, &b.tree, pose, o, NULL);
    memset(&c, 0, sizeof c);
    memset(&d, 0, sizeof d);
    CHECK_INT(ASK("forms", cd_bvh_test_bvh_again(&a.tree, &b.tree, pose, o, &last[0], &pair)), found);
    if (found) CHECK(is_pair(pose, 0, o, pair));
    found = cd_bvh_test_within(&a.tree, &b.tree, pose, distance, o, NULL);
    CHECK_INT(ASK("forms", cd_bvh_test_within_again(&a.tree, &b.tree, pose, distance, o, &last[1], &pair)),
              found);
    if (found) CHECK(is_pair(pose, distance, o, pair));
    found = cd_bvh_closest_bvh(&a.tree, &b.tree, pose, (cd_real)INFINITY, o, &c);
    CHECK_INT(
        ASK("forms", cd_bvh_closest_bvh_again(&a.tree, &b.tree, pose, (cd_real)INFINITY, o, &last[2], &d)),
        found);
    CHECK(same_closest(&c, &d));
    found = cd_bvh_closest_bvh(&a.tree, &b.tree, pose, distance, o, &c);
    CHECK_INT(ASK("forms", cd_bvh_closest_bvh_again(&a.tree, &b.tree, pose, distance, o, &last[2], &d)),
              found);
    CHECK(same_closest(&c, &d));
}

static void memory_changes_no_answer(void) {
    static const gen_kind kinds[4] = {GEN_UNIT, GEN_GRID, GEN_ULP, GEN_WIDE};
    test_rng rng = test_random();
    for (long n = test_times(150); n > 0; --n) {
        gen_kind kind = kinds[test_int(&rng, 0, 3)];
        cd_transform pose = gen_pose(&rng, 0.3);
        cd_bvh_pair_options o;
        cd_pair last[3];
        memset(&o, 0, sizeof o);
        draw(&rng, &a, kind, 0.05, 50);
        draw(&rng, &b, kind, 0.05, 50);
        test_note("kinds %u %u, layouts %u %u", a.kind, b.kind, cd_bvh_get_layout(&a.tree),
                  cd_bvh_get_layout(&b.tree));
        for (int k = 0; k < 3; ++k) last[k].a = last[k].b = CD_NONE;
        for (int step = 0; step < 6; ++step) {
            draw_options(&rng, &o);
            if (!test_int(&rng, 0, 5)) last[test_int(&rng, 0, 2)] = any_pair(&rng);
            check_again(move_on(&rng, &pose), (cd_real)0.03, &o, last);
        }
        forget();
    }
}

/* A ball that rolls over another one touches it where it did, or near that. */
static void memory_saves_work(void) {
    static const double away[3] = {2.02, 2.1, 2.3};
    test_rng rng = test_random();
    cd_bvh s = ball(&rng, 20, 0), t = ball(&rng, 20, 0);
    cd_transform pose = cd_transform_identity();
    cd_pair touch = {CD_NONE, CD_NONE}, nearest = touch;
    uint64_t tests[6] = {0, 0, 0, 0, 0, 0}, at, from;
    for (int step = 0; step < 30; ++step) {
        cd_closest c;
        pose.position.x = (cd_real)1.9;
        at = test_counted.node;
        cd_bvh_test_bvh(&s, &t, &pose, NULL, NULL);
        tests[0] += test_counted.node - at, at = test_counted.node;
        cd_bvh_test_bvh_again(&s, &t, &pose, NULL, &touch, NULL);
        tests[1] += test_counted.node - at;
        pose.position.x = (cd_real)away[step / 10];
        at = test_counted.triangle, from = test_counted.node;
        cd_bvh_closest_bvh(&s, &t, &pose, 10, NULL, &c);
        tests[2] += test_counted.triangle - at, tests[4] += test_counted.node - from;
        at = test_counted.triangle, from = test_counted.node;
        cd_bvh_closest_bvh_again(&s, &t, &pose, 10, NULL, &nearest, &c);
        tests[3] += test_counted.triangle - at, tests[5] += test_counted.node - from;
        turn(&pose, cd_vec3_make(0, 1, 0), 0.001, cd_vec3_make(0, 0, 0));
    }
    CHECK(tests[1] * 2 < tests[0]);
    test_note("nodes %g, %g; nearest: triangles %g, %g, nodes %g, %g", (double)tests[0], (double)tests[1],
              (double)tests[2], (double)tests[3], (double)tests[4], (double)tests[5]);
    CHECK(tests[3] < tests[2] && tests[5] <= tests[4]);
    cd_bvh_destroy(&s);
    cd_bvh_destroy(&t);
}

static void bad_input_meets_nothing(void) {
    test_rng rng = test_random();
    cd_transform bad = cd_transform_identity();
    cd_bvh_front front;
    cd_pair last = {0, 0};
    cd_closest c;
    memset(&front, 0, sizeof front);
    draw(&rng, &a, GEN_UNIT, 0.3, 50);
    draw(&rng, &b, GEN_UNIT, 0.3, 50);
    bad.position.x = (cd_real)NAN;
    CHECK_INT(ASK("bad", cd_bvh_front_pairs(&front, &a.tree, &b.tree, &bad, 0, NULL, got, ROOM)), 0);
    CHECK_INT(ASK("bad", cd_bvh_front_pairs(&front, &a.tree, &b.tree, NULL, -1, NULL, got, ROOM)), 0);
    CHECK_INT(ASK("bad", cd_bvh_front_pairs(&front, &a.tree, &b.tree, NULL, (cd_real)NAN, NULL, got, ROOM)),
              0);
    CHECK(!ASK("bad", cd_bvh_test_bvh_again(&a.tree, &b.tree, &bad, NULL, &last, NULL)));
    CHECK(!ASK("bad", cd_bvh_test_within_again(&a.tree, &b.tree, NULL, -1, NULL, &last, NULL)));
    CHECK(!ASK("bad", cd_bvh_closest_bvh_again(&a.tree, &b.tree, NULL, (cd_real)NAN, NULL, &last, &c)));
    follow(&front, &a.tree, &b.tree, NULL, CD_REAL_MAX, NULL);
    follow(&front, &a.tree, &b.tree, NULL, 0, NULL);
    bad.position.x = CD_REAL_MAX;
    follow(&front, &a.tree, &b.tree, &bad, 0, NULL);
    follow(&front, &a.tree, &b.tree, NULL, 0, NULL);
    cd_bvh_front_destroy(&front);
    forget();
}

/* Queries that are none do not look at the trees: what comes after one may not trust that they are those of before. */
static void nothing_is_kept_after_bad_input(void) {
    static const double width[2] = {0.1, 3};
    cd_transform bad = cd_transform_identity();
    cd_bvh tree[2];
    cd_bvh_front front;
    memset(&front, 0, sizeof front);
    bad.rotation.w = (cd_real)NAN;
    for (int i = 0; i < 2; ++i) {
        cd_aabb boxes[6];
        for (int k = 0; k < 6; ++k) {
            boxes[k].min = cd_vec3_make((cd_real)k, 0, 0);
            boxes[k].max = cd_vec3_make((cd_real)(k + width[i]), 1, 1);
        }
        CHECK_INT(cd_bvh_build_boxes(&tree[i], boxes, 6, NULL), CD_OK);
    }
    follow(&front, &tree[0], &tree[0], NULL, 0, NULL);
    CHECK_INT(tree[0].bytes, tree[1].bytes);
    memcpy((void *)(uintptr_t)tree[0].block, tree[1].block, tree[0].bytes);
    CHECK_INT(cd_bvh_front_pairs(&front, &tree[0], &tree[0], &bad, 0, NULL, NULL, 0), 0);
    cd_bvh_front_moved(&front, 0);
    CHECK_INT(follow(&front, &tree[0], &tree[0], NULL, 0, NULL), 6 + 2 * (5 + 4 + 3));
    cd_bvh_front_destroy(&front);
    for (int i = 0; i < 2; ++i) cd_bvh_destroy(&tree[i]);
}

void suite_bvh_front(void) {
    for (uint32_t i = 0; i < 3 * MOST; ++i) indices[i] = i;
    RUN(any_motion_gives_the_pairs_of_the_plain_query);
    RUN(slow_motion_tests_fewer_nodes);
    RUN(it_goes_down_and_up);
    RUN(it_goes_up_where_all_met);
    RUN(other_trees_begin_anew);
    RUN(trees_that_change_are_noticed);
    RUN(creeping_after_an_excursion_is_noticed);
    RUN(far_journeys_are_forgotten);
    RUN(each_number_of_a_pose_counts);
    RUN(refitted_trees_need_a_word);
    RUN(trees_against_themselves);
    RUN(visits_of_one_tree);
    RUN(visitors_may_stop);
    RUN(every_allocation_may_fail);
    RUN(memory_changes_no_answer);
    RUN(memory_saves_work);
    RUN(bad_input_meets_nothing);
    RUN(nothing_is_kept_after_bad_input);
}
