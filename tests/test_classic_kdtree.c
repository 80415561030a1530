/* The compact k-d tree against loops over all boxes, its block against its own rules, and how many bytes a node takes. */
#include "gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 600 };

static cd_aabb boxes[MOST];
static cd_triangle triangles[MOST];
static unsigned char seen[MOST];
static size_t visits;

static bool mark(void *user, uint32_t index) {
    ++seen[index];
    return ++visits != *(size_t *)user;
}

/* Boxes of a kind, or points, or the boxes of small triangles. */
static void fill(gen *g, int n, int what) {
    for (int i = 0; i < n; ++i) {
        boxes[i] = gen_aabb(g);
        if (what == 1) boxes[i].max = boxes[i].min;
        if (what == 2) {
            triangles[i] = gen_triangle(g);
            triangles[i].b = cd_vec3_lerp(triangles[i].a, triangles[i].b, (cd_real)0.125);
            triangles[i].c = cd_vec3_lerp(triangles[i].a, triangles[i].c, (cd_real)0.125);
            boxes[i] = cd_aabb_from_points(&triangles[i].a, 3);
        }
    }
}

static cd_kdtree_compact tree_of(int n, int leaf_size) {
    cd_kdtree_compact t, view;
    CHECK_INT(ASK("loop", cd_kdtree_compact_build(&t, boxes, (uint32_t)n, (uint32_t)leaf_size, NULL)), CD_OK);
    CHECK_INT(ASK("forms", cd_kdtree_compact_view(&view, t.block, t.bytes)), CD_OK);
    CHECK(view.block == t.block && view.bytes == t.bytes && !view.owned);
    cd_kdtree_compact_destroy(&view);
    return t;
}

/* ---- leaves ---- */

static bool holds(cd_aabb b, cd_vec3 p) {
    return cd_test_aabb_aabb(b, cd_aabb_from_points(&p, 1));
}

static void check_leaf(const cd_kdtree_compact *t, int n, cd_vec3 p) {
    uint32_t count, last = 0;
    const uint32_t *item =
        ASK("loop", cd_kdtree_compact_items(t, ASK("loop", cd_kdtree_compact_leaf_at(t, p)), &count));
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < count; ++i) {
        CHECK(item[i] < (uint32_t)n && (i == 0 || item[i] > last));
        last = item[i];
        seen[item[i]] = 1;
    }
    for (int i = 0; i < n; ++i) CHECK(seen[i] || !holds(boxes[i], p));
}

/* All leaves: every item is in one at least, and the facts are told truly. */
typedef struct leaf_walk {
    const cd_kdtree_compact *tree;
    uint32_t leaves, entries;
} leaf_walk;

static bool count_leaf(void *user, uint32_t leaf) {
    leaf_walk *w = (leaf_walk *)user;
    uint32_t count;
    const uint32_t *item = ASK("loop", cd_kdtree_compact_items(w->tree, leaf, &count));
    CHECK(count > 0);
    for (uint32_t i = 0; i < count; ++i) seen[item[i]] = 1;
    ++w->leaves;
    w->entries += count;
    return true;
}

static cd_aabb everything(void) {
    cd_aabb all;
    all.min = cd_vec3_make(-CD_REAL_MAX, -CD_REAL_MAX, -CD_REAL_MAX);
    all.max = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    return all;
}

static void check_facts(const cd_kdtree_compact *t, int n) {
    cd_kdtree_compact_facts f = ASK("loop", cd_kdtree_compact_get_facts(t));
    leaf_walk w = {t, 0, 0};
    memset(seen, 0, sizeof seen);
    CHECK(ASK("loop", cd_kdtree_compact_visit_leaves(t, everything(), count_leaf, &w)));
    for (int i = 0; i < n; ++i) CHECK(seen[i]);
    CHECK_INT(f.items, n);
    CHECK_INT(f.leaves, w.leaves);
    CHECK_INT(f.nodes, 2 * w.leaves - 1);
    CHECK_INT(f.entries, w.entries);
    CHECK(f.entries <= 4 * f.items && f.depth <= 64 && f.node_bytes >= 4 * (size_t)f.nodes);
    CHECK_INT(f.total_bytes, 64 + f.node_bytes + 4 * ((size_t)f.entries + f.leaves + 1));
}

/* ---- queries ---- */

static void check_overlap(const cd_kdtree_compact *t, int n, cd_aabb box) {
    size_t never = 0, one = 1, met = 0;
    memset(seen, 0, sizeof seen);
    CHECK(ASK("loop", cd_kdtree_compact_overlap_aabb(t, box, boxes, mark, &never)));
    for (int i = 0; i < n; ++i) {
        CHECK_INT(seen[i], cd_test_aabb_aabb(box, boxes[i]));
        met += seen[i];
    }
    visits = 0;
    CHECK_INT(ASK("loop", cd_kdtree_compact_overlap_aabb(t, box, boxes, mark, &one)), met == 0);
}

static double square_to(cd_aabb b, cd_vec3 p) {
    double x[3], y[6], square = 0;
    to_doubles(REALS(p), x, 3);
    to_doubles(REALS(b), y, 6);
    for (int k = 0; k < 3; ++k) {
        double off = x[k] < y[k] ? y[k] - x[k] : x[k] > y[k + 3] ? x[k] - y[k + 3] : 0;
        square += off * off;
    }
    return square;
}

static void check_nearest(const cd_kdtree_compact *t, int n, cd_vec3 p) {
    uint32_t best = CD_NONE, got;
    double least = 0, square = -1;
    for (int i = 0; i < n; ++i) {
        double s = square_to(boxes[i], p);
        if (best != CD_NONE && s >= least) continue;
        least = s;
        best = (uint32_t)i;
    }
    got = ASK("loop", cd_kdtree_compact_nearest(t, p, boxes, &square));
    CHECK_INT(got, best);
    CHECK_SAME(square, least);
}

static long casts;

static bool cast_box(void *user, uint32_t item, const cd_ray *r, cd_real t_max, cd_hit *hit) {
    (void)user;
    ++casts;
    return cd_cast_ray_aabb(r, t_max, boxes[item], NULL, hit);
}

static bool cast_triangle(void *user, uint32_t item, const cd_ray *r, cd_real t_max, cd_hit *hit) {
    (void)user;
    ++casts;
    return cd_cast_ray_triangle(r, t_max, &triangles[item], NULL, hit);
}

static bool check_ray(const cd_kdtree_compact *t, int n, const cd_ray *r, cd_real t_max,
                      cd_kdtree_cast_fn cast) {
    cd_hit want, got;
    bool found = false, hit;
    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    for (int i = 0; i < n; ++i) {
        cd_hit h;
        if (!cast(NULL, (uint32_t)i, r, t_max, &h) || (found && h.t >= want.t)) continue;
        want = h;
        want.index = (uint32_t)i;
        found = true;
    }
    got.index = 4711;
    hit = ASK("loop", cd_kdtree_compact_cast_ray(t, r, t_max, cast, NULL, &got));
    CHECK_INT(hit, found);
    CHECK_INT(got.index, found ? want.index : 4711);
    CHECK_SAME(got.t, want.t);
    CHECK_VEC(got.point, want.point, 0);
    return found;
}

static cd_vec3 some_point(gen *g, int n) {
    cd_aabb b = boxes[test_int(g->rng, 0, n - 1)];
    int how = test_int(g->rng, 0, 2);
    return how == 0 ? gen_point(g) : how == 1 ? b.min : b.max;
}

static void answers_are_those_of_loops(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(252); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        int n = test_int(&rng, 1, test_int(&rng, 0, 2) ? 40 : MOST), what = test_int(&rng, 0, 2);
        int leaf_size = test_int(&rng, 0, 6);
        cd_kdtree_compact t;
        fill(&g, n, what);
        test_note("%d items, kind %d, what %d, leaf size %d", n, (int)g.kind, what, leaf_size);
        t = tree_of(n, leaf_size);
        check_facts(&t, n);
        for (int k = 0; k < 8; ++k) {
            cd_aabb box = gen_aabb(&g);
            cd_ray r;
            cd_real t_max = test_int(&rng, 0, 1) ? CD_REAL_MAX : (cd_real)test_range(&rng, 0, 4);
            if (k % 3 == 1) box = boxes[test_int(&rng, 0, n - 1)];
            if (k % 3 == 2) box.max = box.min;
            r.origin = some_point(&g, n);
            r.dir = gen_direction(&g);
            check_leaf(&t, n, some_point(&g, n));
            check_overlap(&t, n, box);
            check_nearest(&t, n, some_point(&g, n));
            hits += check_ray(&t, n, &r, t_max, what == 2 ? cast_triangle : cast_box);
        }
        cd_kdtree_compact_destroy(&t);
    }
    CHECK_SEEN(hits > 0);
}

/* Layers that a ray meets one after another at times that round to the same one: the smallest index is the farthest. */
static void hits_that_round_to_the_same_time(void) {
    cd_ray r = {{0, 0, -1}, {0, 0, 1}};
    for (int leaf_size = 1; leaf_size < 8; leaf_size += 3) {
        cd_kdtree_compact t;
        for (int i = 0; i < 40; ++i) {
            cd_real z = (cd_real)ldexp(40 - i, sizeof(cd_real) == 4 ? -40 : -80);
            triangles[i].a = cd_vec3_make(-1, -1, z);
            triangles[i].b = cd_vec3_make(2, -1, z);
            triangles[i].c = cd_vec3_make(-1, 2, z);
            boxes[i] = cd_aabb_from_points(&triangles[i].a, 3);
        }
        t = tree_of(40, leaf_size);
        check_ray(&t, 40, &r, CD_REAL_MAX, cast_triangle);
        cd_kdtree_compact_destroy(&t);
    }
}

/* Items that cannot be parted: all the same, all in one place, each inside the next. */
static void what_cannot_be_cut_is_one_leaf(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_kdtree_compact t;
    for (int what = 0; what < 3; ++what) {
        for (int i = 0; i < 200; ++i) {
            cd_real s = what == 2 ? (cd_real)(1 + i) : 1;
            boxes[i].min = cd_vec3_make(-s, -s, -s);
            boxes[i].max = what == 1 ? boxes[i].min : cd_vec3_make(s, s, s);
        }
        t = tree_of(200, 1);
        check_facts(&t, 200);
        CHECK(what == 2 || ASK("judge", cd_kdtree_compact_get_facts(&t)).nodes == 1);
        for (int k = 0; k < 10; ++k) {
            check_overlap(&t, 200, gen_aabb(&g));
            check_nearest(&t, 200, gen_point(&g));
        }
        cd_kdtree_compact_destroy(&t);
    }
}

/* Each item twice as far away as the one before it: halving by count keeps the tree low. */
static void series_stay_low(void) {
    cd_kdtree_compact t;
    for (int i = 0; i < 200; ++i) {
        boxes[i].min = cd_vec3_make((cd_real)ldexp(1, i / 2), 0, 0);
        boxes[i].max = boxes[i].min;
    }
    t = tree_of(200, 2);
    CHECK(ASK("judge", cd_kdtree_compact_get_facts(&t)).depth <= 9);
    for (int i = 0; i < 200; ++i) check_nearest(&t, 200, boxes[i].min);
    cd_kdtree_compact_destroy(&t);
}

/* ---- the layout ---- */

/* Four bytes a node, and what lines leave over; of complete trees next to nothing. */
static void nodes_take_four_bytes(void) {
    test_rng rng = test_random();
    cd_kdtree_compact t;
    for (int n = 64; n <= 512; n *= 2) {
        cd_kdtree_compact_facts f;
        for (int i = 0; i < n; ++i) {
            boxes[i].min = cd_vec3_make((cd_real)i, (cd_real)test_unit(&rng), (cd_real)test_unit(&rng));
            boxes[i].max = boxes[i].min;
        }
        t = tree_of(n, 1);
        f = ASK("judge", cd_kdtree_compact_get_facts(&t));
        CHECK_INT(f.nodes, 2 * n - 1);
        CHECK(f.node_bytes <= 6 * (size_t)f.nodes);
        if (n == 256) CHECK_INT(f.node_bytes, 64 + 16 * 64 + 256 * 4); /* nine levels: 4, 4, 1 */
        cd_kdtree_compact_destroy(&t);
    }
}

static void random_nodes_take_little_more(void) {
    test_rng rng = test_random();
    size_t nodes = 0, bytes = 0;
    for (int i = 0; i < 20; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_kdtree_compact t;
        cd_kdtree_compact_facts f;
        fill(&g, MOST, 2);
        t = tree_of(MOST, 2);
        f = cd_kdtree_compact_get_facts(&t);
        nodes += f.nodes;
        bytes += f.node_bytes;
        cd_kdtree_compact_destroy(&t);
    }
    test_note("%d bytes for %d nodes", (int)bytes, (int)nodes);
    CHECK(2 * bytes < 13 * nodes);
}

/* Rays ask for few of the items, and points of the leaf for fewer. */
static void rays_ask_for_few(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_kdtree_compact t;
    fill(&g, MOST, 2);
    t = tree_of(MOST, 4);
    casts = 0;
    for (int i = 0; i < 100; ++i) {
        cd_ray r;
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        cd_kdtree_compact_cast_ray(&t, &r, CD_REAL_MAX, cast_triangle, NULL, NULL);
    }
    CHECK(casts < 100 * MOST / 5);
    cd_kdtree_compact_destroy(&t);
}

/* Bytes that were changed are told, or make a tree that can be asked without harm. */
static void changed_bytes_do_no_harm(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_kdtree_compact t, v;
    unsigned char *raw, *copy;
    long corrupt = 0;
    fill(&g, 90, 0);
    t = tree_of(90, 2);
    raw = (unsigned char *)malloc(t.bytes + 64);
    if (!CHECK(raw != NULL)) return;
    copy = raw + (64 - (uintptr_t)raw % 64);
    for (long i = test_times(3000); i > 0; --i) {
        size_t never = 0, size = t.bytes;
        cd_ray r;
        memcpy(copy, t.block, t.bytes);
        for (int k = test_int(&rng, 1, 3); k > 0; --k)
            copy[test_int(&rng, 0, (int)t.bytes - 1)] = (unsigned char)test_next(&rng);
        if (!test_int(&rng, 0, 9)) size = (size_t)test_int(&rng, 0, (int)t.bytes);
        if (ASK("bad", cd_kdtree_compact_view(&v, copy, size)) != CD_OK) {
            CHECK(v.block == NULL);
            ++corrupt;
            continue;
        }
        if (cd_kdtree_compact_get_facts(&v).items > 90) continue; /* there are no such boxes */
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        cd_kdtree_compact_overlap_aabb(&v, gen_aabb(&g), boxes, mark, &never);
        cd_kdtree_compact_nearest(&v, gen_point(&g), boxes, NULL);
        cd_kdtree_compact_cast_ray(&v, &r, CD_REAL_MAX, cast_box, NULL, NULL);
    }
    CHECK_SEEN(corrupt > 0);
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy + 4, t.bytes)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, NULL, 0)), CD_INVALID_ARGUMENT);
    memcpy(copy, t.block, t.bytes);
    copy[4] = 77;
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_UNSUPPORTED);
    memcpy(copy, "CKDC", 4);
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_UNSUPPORTED);
    free(raw);
    cd_kdtree_compact_destroy(&t);
}

/* Each node's words changed in ways that the view has to see: links into themselves, lists that begin nowhere. */
static void wrong_words_are_seen(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_kdtree_compact t, v;
    unsigned char *raw, *copy;
    uint32_t *word;
    fill(&g, 90, 1);
    t = tree_of(90, 2);
    raw = (unsigned char *)malloc(t.bytes + 64);
    if (!CHECK(raw != NULL)) return;
    copy = raw + (64 - (uintptr_t)raw % 64);
    memcpy(copy, t.block, t.bytes);
    word = (uint32_t *)(void *)(copy + 64);
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_OK);
    word[15] = 3; /* the subtrees below the topmost begin at itself */
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_CORRUPT);
    memcpy(copy, t.block, t.bytes);
    word[0] = 3; /* a leaf above nodes */
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_CORRUPT);
    word[0] = 0x7F800000u; /* a plane at infinity */
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_CORRUPT);
    memcpy(copy, t.block, t.bytes);
    word = (uint32_t *)(void *)(copy + t.bytes - 4);
    *word = 90; /* an item that there is not */
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_CORRUPT);
    *word = 0x80000000u; /* a list of none begins within a list */
    CHECK_INT(ASK("bad", cd_kdtree_compact_view(&v, copy, t.bytes)), CD_CORRUPT);
    free(raw);
    cd_kdtree_compact_destroy(&t);
}

/* ---- bad input ---- */

static void bad_input(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_real nan = (cd_real)NAN;
    cd_kdtree_compact t, empty;
    cd_aabb bad;
    cd_ray r;
    size_t never = 0;
    uint32_t count;
    memset(&empty, 0, sizeof empty);
    fill(&g, 50, 0);
    boxes[50] = cd_aabb_empty();
    CHECK_INT(ASK("bad", cd_kdtree_compact_build(&t, boxes, 51, 0, NULL)), CD_INVALID_ARGUMENT);
    boxes[50] = boxes[0];
    boxes[50].max.y = nan;
    CHECK_INT(ASK("bad", cd_kdtree_compact_build(&t, boxes, 51, 0, NULL)), CD_INVALID_ARGUMENT);
    boxes[50].max.y = (cd_real)INFINITY;
    CHECK_INT(ASK("bad", cd_kdtree_compact_build(&t, boxes, 51, 0, NULL)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_kdtree_compact_build(&t, NULL, 0, 0, NULL)), CD_OK);
    CHECK(t.block == NULL && ASK("bad", cd_kdtree_compact_get_facts(&t)).nodes == 0);
    cd_kdtree_compact_destroy(&t);
    t = tree_of(50, 0);
    bad = boxes[0];
    bad.min.z = nan;
    r.origin = boxes[0].min;
    r.dir = cd_vec3_make(1, 0, nan);
    visits = 0;
    CHECK(cd_kdtree_compact_overlap_aabb(&t, bad, boxes, mark, &never));
    CHECK(cd_kdtree_compact_overlap_aabb(&t, cd_aabb_empty(), boxes, mark, &never));
    CHECK(cd_kdtree_compact_overlap_aabb(&empty, everything(), boxes, mark, &never));
    CHECK_INT(visits, 0);
    CHECK(!cd_kdtree_compact_cast_ray(&t, &r, 1, cast_box, NULL, NULL));
    r.dir.z = 0;
    CHECK(!cd_kdtree_compact_cast_ray(&t, &r, nan, cast_box, NULL, NULL));
    CHECK(!cd_kdtree_compact_cast_ray(&t, &r, -1, cast_box, NULL, NULL));
    CHECK(!cd_kdtree_compact_cast_ray(&empty, &r, 1, cast_box, NULL, NULL));
    CHECK_INT(cd_kdtree_compact_nearest(&t, r.dir, boxes, NULL) == CD_NONE, false);
    r.dir.z = nan;
    CHECK_INT(cd_kdtree_compact_nearest(&t, r.dir, boxes, NULL), CD_NONE);
    CHECK_INT(cd_kdtree_compact_nearest(&empty, r.origin, boxes, NULL), CD_NONE);
    CHECK_INT(ASK("bad", cd_kdtree_compact_leaf_at(&t, r.dir)), 0);
    CHECK(ASK("bad", cd_kdtree_compact_items(&t, 0, &count)) == NULL && count == 0);
    CHECK(ASK("bad", cd_kdtree_compact_items(&t, 0xFFFFFFFFu, &count)) == NULL && count == 0);
    CHECK(ASK("bad", cd_kdtree_compact_items(&t, 2, &count)) == NULL && count == 0); /* within a list */
    CHECK(ASK("bad", cd_kdtree_compact_items(&empty, 1, &count)) == NULL && count == 0);
    cd_kdtree_compact_destroy(&t);
}

static void memory_may_run_out(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_kdtree_compact t;
    fill(&g, 50, 0);
    for (long n = 0; n < 3; ++n) {
        test_memory m = {n, 0, 0};
        cd_allocator a = test_allocator(&m);
        CHECK_INT(ASK("bad", cd_kdtree_compact_build(&t, boxes, 50, 0, &a)),
                  n < 2 ? CD_OUT_OF_MEMORY : CD_OK);
        CHECK(n < 2 ? t.block == NULL && m.live == 0 : m.bytes == t.bytes && m.live == 1);
        ASK("bad", cd_kdtree_compact_destroy(&t));
        CHECK_INT(m.live, 0);
    }
}

void suite_classic_kdtree(void) {
    RUN(answers_are_those_of_loops);
    RUN(hits_that_round_to_the_same_time);
    RUN(what_cannot_be_cut_is_one_leaf);
    RUN(series_stay_low);
    RUN(nodes_take_four_bytes);
    RUN(random_nodes_take_little_more);
    RUN(rays_ask_for_few);
    RUN(changed_bytes_do_no_harm);
    RUN(wrong_words_are_seen);
    RUN(bad_input);
    RUN(memory_may_run_out);
}
