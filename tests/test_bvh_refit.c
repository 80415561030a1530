/* Refitted trees: after every deformation they are sound, hold the new positions and answer as a tree built from them; a refit back
 * gives back every byte; bad subtrees are built anew; bad input; memory that runs out. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6000 };

/* Triangles, boxes, points, triangles that share corners; some are left out by the build. */
enum { TRIANGLES, BOXES, POINTS, INDEXED, KINDS };

typedef struct scene {
    gen_mesh mesh;
    int kind;
    uint32_t count;
    bool some_left_out, left_out[MOST];
    uint32_t indices[3 * MOST], masks[MOST];
    double doubles[9 * MOST];
    cd_aabb boxes[MOST];
    cd_vec3 points[MOST];
    cd_bvh_options options;
} scene;

static scene the_scene; /* too large for a stack */

/* Every form of the things, as they are now. Those left out are what no tree takes, or, shown to a refit, anything. */
static void scene_update(scene *s, bool shown) {
    cd_real nan = (cd_real)NAN;
    for (uint32_t i = 0; i < s->count; ++i) {
        cd_triangle t = gen_mesh_triangle(&s->mesh, i);
        bool out = s->left_out[i] && (!shown || i % 3 == 0);
        s->boxes[i] = cd_aabb_from_points(&t.a, 3);
        s->points[i] = t.b;
        if (out) s->boxes[i].min.x = nan;
        if (out) s->points[i].y = nan;
        for (uint32_t k = 0; k < 3; ++k)
            s->indices[3 * i + k] = out && k == 1 ? 0xFFFFFFF0u : s->mesh.indices[3 * i + k];
    }
}

static cd_mesh_view scene_view(const scene *s) {
    return cd_mesh_view_make(s->mesh.vertices, s->mesh.vertex_count, s->indices, s->count);
}

static cd_status scene_build(scene *s, const cd_bvh_options *o, cd_bvh *out) {
    cd_mesh_view view = scene_view(s);
    scene_update(s, false);
    if (s->kind == BOXES) return cd_bvh_build_boxes(out, s->boxes, s->count, o);
    if (s->kind == POINTS) return cd_bvh_build_points(out, s->points, s->count, o);
    return cd_bvh_build_mesh(out, &view, o);
}

/* Positions as doubles, 24 bytes and a gap apart, now and then. */
static cd_mesh_view scene_other_view(scene *s) {
    cd_mesh_view view = scene_view(s);
    for (uint32_t i = 0; i < s->mesh.vertex_count && i < 2 * MOST; ++i) {
        for (int k = 0; k < 3; ++k) s->doubles[4 * i + (uint32_t)k] = (double)REALS(s->mesh.vertices[i])[k];
    }
    view.positions = s->doubles;
    view.position_format = CD_POSITION_F64;
    view.stride = 4 * sizeof(double);
    return view;
}

static cd_status scene_refit(scene *s, cd_bvh *tree, const cd_bvh_refit_options *o, cd_bvh_refit_result *r) {
    cd_mesh_view view = scene_view(s);
    scene_update(s, true);
    if (s->kind == BOXES) return ASK("forms", cd_bvh_refit_boxes(tree, s->boxes, s->count, o, r));
    if (s->kind == POINTS) return ASK("forms", cd_bvh_refit_points(tree, s->points, s->count, o, r));
    if (s->mesh.vertex_count <= 2 * MOST && s->mesh.vertex_count % 2) view = scene_other_view(s);
    return ASK("forms", cd_bvh_refit_mesh(tree, &view, o, r));
}

static uint32_t layouts_of(const scene *s) {
    return s->kind == TRIANGLES || s->kind == INDEXED ? 4 : 3;
}

static scene *scene_begin(test_rng *rng, int kind, uint32_t layout, int n) {
    scene *s = &the_scene;
    s->kind = kind;
    if (test_int(rng, 0, 3)) {
        s->mesh = gen_mesh_ball(n, 0.2, rng);
    } else {
        s->mesh = gen_mesh_soup((uint32_t)test_int(rng, 1, 12 * n * n), 0.3, GEN_UNIT, rng);
    }
    s->count = s->mesh.triangle_count;
    s->some_left_out = test_int(rng, 0, 2) == 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        s->left_out[i] = s->some_left_out && test_int(rng, 0, 7) == 0;
        s->masks[i] = (uint32_t)test_next(rng) & 7u;
    }
    memset(&s->options, 0, sizeof s->options);
    s->options.layout = layout;
    s->options.leaf_size = (uint32_t)test_int(rng, 0, 3) * (uint32_t)test_int(rng, 0, 5);
    s->options.method = (uint32_t)(test_int(rng, 0, 1) ? test_int(rng, 0, 11) : 0);
    s->options.flags = (s->some_left_out ? (uint32_t)CD_BVH_SKIP_INVALID : 0u) |
                       (kind == INDEXED ? (uint32_t)CD_BVH_INDEXED : 0u);
    s->options.masks = test_int(rng, 0, 1) ? s->masks : NULL;
    return s;
}

/* ---- deformations ---- */

enum { STILL, NOISE, LARGE, POINT, EXPLODE, GROW, SHRINK, AWAY, SHUFFLE, FLAT, BACK, DEFORMATIONS };

static void add_noise(scene *s, test_rng *rng, double size) {
    for (uint32_t i = 0; i < s->mesh.vertex_count; ++i) {
        for (int k = 0; k < 3; ++k)
            REALS(s->mesh.vertices[i])[k] += (cd_real)(size * test_range(rng, -1.0, 1.0));
    }
}

static void scale(scene *s, double by, double move) {
    for (uint32_t i = 0; i < s->mesh.vertex_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            cd_real *x = &REALS(s->mesh.vertices[i])[k];
            *x = (cd_real)((double)*x * by + move);
        }
    }
}

static void shuffle(scene *s, test_rng *rng) {
    for (uint32_t i = s->mesh.vertex_count; i-- > 1;) {
        uint32_t j = (uint32_t)test_int(rng, 0, (int)i);
        cd_vec3 v = s->mesh.vertices[i];
        s->mesh.vertices[i] = s->mesh.vertices[j];
        s->mesh.vertices[j] = v;
    }
}

static void deform(scene *s, test_rng *rng, int how, const cd_vec3 *rest) {
    switch (how) {
    case NOISE: add_noise(s, rng, 0.01); break;
    case LARGE: add_noise(s, rng, 1.0); break;
    case POINT: scale(s, 0.0, test_int(rng, 0, 1) ? 0.3 : 0.0); break;
    case EXPLODE:
        for (uint32_t i = 0; i < s->mesh.vertex_count; ++i)
            s->mesh.vertices[i] = cd_vec3_scale(rest[i], (cd_real)(1.0 + 100.0 * test_unit(rng)));
        break;
    case GROW: scale(s, 1048576.0, 0.0); break;
    case SHRINK: scale(s, 1.0 / 1048576.0, 0.0); break;
    case AWAY: scale(s, 1.0, 1e4); break;
    case SHUFFLE: shuffle(s, rng); break;
    case FLAT:
        for (uint32_t i = 0; i < s->mesh.vertex_count; ++i) s->mesh.vertices[i].z = 0;
        break;
    case BACK: memcpy(s->mesh.vertices, rest, s->mesh.vertex_count * sizeof *rest); break;
    default: break;
    }
}

static cd_vec3 *rest_of(const scene *s) {
    size_t size = s->mesh.vertex_count * sizeof(cd_vec3);
    cd_vec3 *rest = (cd_vec3 *)malloc(size + 1);
    if (!rest) abort();
    memcpy(rest, s->mesh.vertices, size);
    return rest;
}

/* ---- the references ---- */

static bool same_reals(const cd_real *a, const cd_real *b, int n) {
    for (int i = 0; i < n; ++i) {
        if (a[i] != b[i]) return false;
    }
    return true;
}

/* Is every thing in the tree that is not left out, once, where it is now and with its mask? */
static bool holds_the_scene(const cd_bvh *tree, const scene *s) {
    static uint8_t seen[MOST];
    uint32_t want = 0;
    cdi_bvh t;
    memset(&t, 0, sizeof t);
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < s->count; ++i) want += !s->left_out[i];
    if (!cdi_bvh_open(&t, tree)) return want == 0;
    if (t.header->item_count != want || t.header->source_count != s->count) return false;
    for (uint32_t i = 0, k = 0; k < want; ++k, i = cdi_bvh_next_item(&t, i)) {
        uint32_t index = cdi_bvh_index(&t, i);
        bool same = true;
        if (index >= s->count || s->left_out[index] || seen[index]++) return false;
        if (s->options.masks && t.masks[k] != s->masks[index]) return false;
        if (s->kind == POINTS) {
            cd_vec3 p = cdi_bvh_point_of(&t, i);
            same = same_reals(&p.x, &s->points[index].x, 3);
        } else if (s->kind == BOXES) {
            cd_aabb b = cdi_bvh_box_of(&t, i);
            same = same_reals(&b.min.x, &s->boxes[index].min.x, 6);
        } else {
            cd_triangle a = cdi_bvh_triangle_of(&t, i), b = gen_mesh_triangle(&s->mesh, index);
            same = same_reals(&a.a.x, &b.a.x, 9);
        }
        if (!same) return false;
    }
    return true;
}

static int by_index(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void overlaps_are_equal(test_rng *rng, const cd_bvh *a, const cd_bvh *b, const cd_filter *f) {
    static uint32_t x[MOST], y[MOST];
    cd_aabb bounds = cd_bvh_bounds(a);
    cd_bvh_volume v = cd_bvh_volume_aabb(bounds);
    size_t count;
    for (int k = 0; k < 3; ++k) {
        double lo = (double)REALS(bounds.min)[k], hi = (double)REALS(bounds.max)[k], at = test_unit(rng);
        REALS(v.u.aabb.min)[k] = (cd_real)(lo + (hi - lo) * at);
        REALS(v.u.aabb.max)[k] = (cd_real)(lo + (hi - lo) * (at + 0.3 * test_unit(rng)));
    }
    count = cd_bvh_overlap_list(a, &v, f, x, MOST);
    if (!CHECK_INT(cd_bvh_overlap_list(b, &v, f, y, MOST), count)) return;
    qsort(x, count, sizeof *x, by_index);
    qsort(y, count, sizeof *y, by_index);
    CHECK(count == 0 || !memcmp(x, y, count * sizeof *x));
}

static void answers_are_equal(test_rng *rng, const cd_bvh *a, const cd_bvh *b) {
    cd_aabb bounds = ASK("forms", cd_bvh_bounds(a)), other = ASK("forms", cd_bvh_bounds(b));
    CHECK(!memcmp(&bounds, &other, sizeof bounds));
    for (int i = 0; i < 3; ++i) {
        cd_cast_options o;
        cd_filter f = {0, NULL, NULL};
        cd_closest c, d;
        cd_hit x, y;
        cd_vec3 p, q;
        cd_ray r;
        bool hit;
        memset(&o, 0, sizeof o);
        memset(&x, 0, sizeof x);
        memset(&c, 0, sizeof c);
        y = x;
        d = c;
        f.ignore_mask = o.ignore_mask = (uint32_t)test_int(rng, 0, 3);
        p = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_range(rng, -0.5, 1.5));
        p.x = bounds.min.x + (bounds.max.x - bounds.min.x) * (cd_real)test_unit(rng);
        q = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_unit(rng));
        r = cd_ray_through(p, q);
        hit = cd_bvh_cast_ray(a, &r, CD_REAL_MAX, &o, &x);
        CHECK_INT(cd_bvh_cast_ray(b, &r, CD_REAL_MAX, &o, &y), hit);
        CHECK(!memcmp(&x, &y, sizeof x));
        hit = cd_bvh_closest(a, p, CD_REAL_MAX, &f, &c);
        CHECK_INT(cd_bvh_closest(b, p, CD_REAL_MAX, &f, &d), hit);
        CHECK(c.index_b == d.index_b && c.sqdist == d.sqdist);
        overlaps_are_equal(rng, a, b, &f);
    }
}

static bool share_a_corner(const cd_triangle *a, const cd_triangle *b) {
    const cd_vec3 *p = &a->a, *q = &b->a;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (same_reals(&p[i].x, &q[j].x, 3)) return true;
        }
    }
    return false;
}

static size_t self_pairs_by_hand(const scene *s) {
    size_t count = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        cd_triangle a = gen_mesh_triangle(&s->mesh, i);
        for (uint32_t j = 0; j < i && !s->left_out[i]; ++j) {
            cd_triangle b = gen_mesh_triangle(&s->mesh, j);
            if (s->left_out[j] || share_a_corner(&a, &b)) continue;
            count += cd_test_triangle_triangle(&a, &b);
        }
    }
    return count;
}

static void check_tree(test_rng *rng, scene *s, const cd_bvh *tree, bool self) {
    cd_bvh fresh;
    cd_bvh_options o = s->options;
    o.layout = (uint32_t)test_int(rng, 0, 2);
    o.method = CD_BVH_LINEAR;
    CHECK_INT(ASK("judge", cd_bvh_validate(tree)), CD_OK);
    CHECK_INT(ASK("exact", cd_bvh_get_layout(tree)), s->options.layout);
    CHECK(holds_the_scene(tree, s));
    if (!CHECK_INT(scene_build(s, &o, &fresh), CD_OK)) return;
    if (cd_bvh_count(&fresh)) answers_are_equal(rng, &fresh, tree);
    if (self && (s->kind == TRIANGLES || s->kind == INDEXED)) {
        cd_bvh_pair_options skip;
        memset(&skip, 0, sizeof skip);
        skip.flags = CD_BVH_SKIP_NEIGHBOURS;
        CHECK_INT(cd_bvh_self_pairs(tree, &skip, NULL, 0), self_pairs_by_hand(s));
    }
    cd_bvh_destroy(&fresh);
}

/* ---- every deformation ---- */

static bool is_a_point(cd_aabb b) {
    return same_reals(&b.min.x, &b.max.x, 3);
}

static void deformed_trees_answer_as_built_ones(void) {
    test_rng rng = test_random();
    int partly = 0, wholly = 0, not_at_all = 0;
    for (long turn = test_times(40); turn > 0; --turn) {
        int kind = (int)(turn % KINDS);
        uint32_t layout = (uint32_t)(turn / KINDS % 4);
        scene *s = scene_begin(&rng, kind, layout, test_int(&rng, 1, 8));
        cd_bvh_refit_options o;
        cd_vec3 *rest = rest_of(s);
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        s->options.layout = layout % layouts_of(s);
        CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
        for (int frame = 0; frame < 8; ++frame) {
            int how = frame == 0 ? STILL : test_int(&rng, 0, DEFORMATIONS - 1);
            const void *block = tree.block;
            cd_bvh_refit_result r;
            o.flags = (uint32_t)(test_int(&rng, 0, 3) ? 0 : test_int(&rng, 0, 2));
            if (s->options.layout == CD_BVH_COMPACT) o.flags &= 2u;
            o.leaf_size = (uint32_t)test_int(&rng, 0, 5);
            o.threshold = (cd_real)(test_int(&rng, 0, 1) ? 0.0 : test_range(&rng, 1.0, 1.5));
            test_note("kind %d, %u things, layout %u, frame %d, deformation %d, flags %u", kind, s->count,
                      s->options.layout, frame, how, o.flags);
            deform(s, &rng, how, rest);
            CHECK_INT(scene_refit(s, &tree, &o, &r), CD_OK);
            if (o.flags == CD_BVH_REFIT_IN_PLACE) CHECK(tree.block == block && r.rebuilt == 0);
            if (o.flags == CD_BVH_REFIT_REBUILD) CHECK_INT(r.rebuilt, cd_bvh_count(&tree));
            if (r.cost > 1) CHECK_NEAR(r.cost, ASK("forms", cd_bvh_get_stats(&tree)).cost, 1e-3 * r.cost);
            if (r.cost == 1) CHECK(is_a_point(cd_bvh_bounds(&tree)));
            if (s->options.layout != CD_BVH_COMPACT && o.flags == 0) {
                bool some = r.rebuilt > 0;
                not_at_all += !some;
                wholly += some && r.rebuilt == cd_bvh_count(&tree);
                partly += some && r.rebuilt < cd_bvh_count(&tree);
            }
            check_tree(&rng, s, &tree, frame % 4 == 1 && s->count < 300);
            if (how == GROW || how == AWAY || how == EXPLODE) deform(s, &rng, BACK, rest);
        }
        cd_bvh_destroy(&tree);
        free(rest);
        gen_mesh_free(&s->mesh);
    }
    CHECK_SEEN(not_at_all && wholly);
    (void)partly;
}

/* ---- there and back ---- */

/* What a refit keeps of the last build. */
static void forget(const cd_bvh *tree) {
    cdi_bvh t;
    if (!cdi_bvh_open(&t, tree)) return;
    ((cdi_bvh_header *)tree->block)->built_cost = ((cdi_bvh_header *)tree->block)->built_surface = 0;
    for (uint32_t n = 0; n < t.header->node_count; ++n) {
        if (t.layout == CD_BVH_WIDE) ((cdi_bvh_node *)t.nodes)[n].built_cost = 0;
        if (t.layout == CD_BVH_QUANTISED) ((cdi_bvh_quantised_node *)t.nodes)[n].built_cost = 0;
    }
}

static bool same_bytes(const cd_bvh *a, const cd_bvh *b) {
    return a->bytes == b->bytes && (a->bytes == 0 || !memcmp(a->block, b->block, a->bytes));
}

static void a_refit_back_gives_back_every_byte(void) {
    test_rng rng = test_random();
    for (long turn = test_times(40); turn > 0; --turn) {
        scene *s = scene_begin(&rng, (int)(turn % KINDS), (uint32_t)(turn / KINDS % 3), test_int(&rng, 1, 9));
        cd_bvh_refit_options o;
        cd_vec3 *rest = rest_of(s);
        cd_bvh tree, built;
        memset(&o, 0, sizeof o);
        o.flags = CD_BVH_REFIT_IN_PLACE;
        CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
        CHECK_INT(scene_build(s, &s->options, &built), CD_OK);
        for (int frame = 0; frame < 3; ++frame) {
            if (frame) deform(s, &rng, test_int(&rng, NOISE, FLAT), rest);
            CHECK_INT(scene_refit(s, &tree, &o, NULL), CD_OK);
            CHECK_INT(cd_bvh_validate(&tree), CD_OK);
            deform(s, &rng, BACK, rest);
            CHECK_INT(scene_refit(s, &tree, &o, NULL), CD_OK);
            forget(&tree);
            CHECK(same_bytes(&tree, &built));
        }
        cd_bvh_destroy(&tree);
        cd_bvh_destroy(&built);
        free(rest);
        gen_mesh_free(&s->mesh);
    }
}

/* ---- threads ---- */

static void run_backwards(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    ++*(int *)user;
    while (count-- > 0) task(ctx, count);
}

static void any_executor_gives_the_same_bytes(void) {
    test_rng rng = test_random();
    int runs = 0;
    for (long turn = test_times(24); turn > 0; --turn) {
        scene *s = scene_begin(&rng, (int)(turn % KINDS), (uint32_t)(turn / KINDS % 4), turn % 8 ? 8 : 21);
        cd_bvh_refit_options o;
        cd_vec3 *rest = rest_of(s);
        cd_bvh a, b;
        s->options.layout %= layouts_of(s);
        CHECK_INT(scene_build(s, &s->options, &a), CD_OK);
        CHECK_INT(scene_build(s, &s->options, &b), CD_OK);
        for (int frame = 0; frame < 4; ++frame) {
            memset(&o, 0, sizeof o);
            deform(s, &rng, test_int(&rng, STILL, FLAT), rest);
            CHECK_INT(scene_refit(s, &a, &o, NULL), CD_OK);
            o.executor.user = &runs;
            o.executor.run = run_backwards;
            CHECK_INT(scene_refit(s, &b, &o, NULL), CD_OK);
            CHECK(same_bytes(&a, &b));
            deform(s, &rng, BACK, rest);
        }
        cd_bvh_destroy(&a);
        cd_bvh_destroy(&b);
        free(rest);
        gen_mesh_free(&s->mesh);
    }
    CHECK_SEEN(runs > 0);
}

/* ---- what has become bad ---- */

static double fresh_cost(scene *s) {
    cd_bvh fresh;
    double cost;
    CHECK_INT(scene_build(s, &s->options, &fresh), CD_OK);
    cost = cd_bvh_get_stats(&fresh).cost;
    cd_bvh_destroy(&fresh);
    return cost;
}

/* Small triangles that fly about in a box, each its own way: without rebuilds a tree is worth nothing in the end. */
static void fly(scene *s, const cd_vec3 *speed) {
    for (uint32_t i = 0; i < s->mesh.vertex_count; ++i)
        s->mesh.vertices[i] = cd_vec3_add(s->mesh.vertices[i], speed[i / 3]);
}

static void rebuilds_keep_the_cost_low(void) {
    test_rng rng = test_random();
    static cd_vec3 speed[MOST];
    for (uint32_t layout = 0; layout < 3; ++layout) {
        scene *s = scene_begin(&rng, TRIANGLES, layout, 1);
        uint32_t whole = 0, frames = test_is_small() ? 20 : 60;
        cd_bvh_refit_options o;
        cd_bvh tree, alone;
        gen_mesh_free(&s->mesh);
        s->mesh = gen_mesh_soup(test_is_small() ? 300 : 1500, 0.05, GEN_UNIT, &rng);
        s->count = s->mesh.triangle_count;
        for (uint32_t i = 0; i < s->count; ++i) {
            for (int k = 0; k < 3; ++k) REALS(speed[i])[k] = (cd_real)test_range(&rng, -0.05, 0.05);
        }
        s->options.masks = NULL;
        s->options.method = s->options.leaf_size = s->options.flags = 0;
        memset(s->left_out, 0, sizeof s->left_out);
        memset(&o, 0, sizeof o);
        CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
        CHECK_INT(scene_build(s, &s->options, &alone), CD_OK);
        for (uint32_t frame = 0; frame < frames; ++frame) {
            cd_bvh_refit_result r;
            fly(s, speed);
            o.flags = 0;
            CHECK_INT(scene_refit(s, &tree, &o, &r), CD_OK);
            CHECK(r.rebuilt ? r.cost < r.cost_refitted : r.cost <= 1.3001 * r.cost_built);
            whole += r.rebuilt == s->count;
            o.flags = CD_BVH_REFIT_IN_PLACE;
            CHECK_INT(scene_refit(s, &alone, &o, NULL), CD_OK);
            CHECK(r.cost < 1.6 * fresh_cost(s));
            if (frame == frames - 1) CHECK(cd_bvh_get_stats(&alone).cost > 3 * r.cost);
        }
        CHECK(whole > 0 && whole < frames / 2);
        CHECK_INT(cd_bvh_validate(&tree), CD_OK);
        cd_bvh_destroy(&tree);
        cd_bvh_destroy(&alone);
        gen_mesh_free(&s->mesh);
    }
}

/* What was built in a heap is worth little when the things go back to their places: they are smaller beside the whole then. */
static void a_tree_built_in_a_heap_is_not_kept(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < KINDS; ++kind) {
        scene *s = scene_begin(&rng, kind, (uint32_t)kind % 3, 1);
        cd_bvh_refit_options o;
        cd_vec3 *rest;
        cd_bvh tree;
        gen_mesh_free(&s->mesh);
        s->mesh = gen_mesh_ball(8, 0.2, &rng);
        s->count = s->mesh.triangle_count;
        s->options.method = s->options.leaf_size = s->options.flags = 0;
        s->options.masks = NULL;
        memset(s->left_out, 0, sizeof s->left_out);
        memset(&o, 0, sizeof o);
        rest = rest_of(s);
        deform(s, &rng, SHUFFLE, rest);
        CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
        CHECK_INT(scene_refit(s, &tree, &o, NULL), CD_OK);
        deform(s, &rng, BACK, rest);
        CHECK_INT(scene_refit(s, &tree, &o, NULL), CD_OK);
        test_note("kind %d, cost %g", kind, cd_bvh_get_stats(&tree).cost);
        CHECK(cd_bvh_get_stats(&tree).cost < 1.4 * fresh_cost(s));
        cd_bvh_destroy(&tree);
        free(rest);
        gen_mesh_free(&s->mesh);
    }
}

static void stretch_the_corner(scene *s, test_rng *rng) {
    for (uint32_t i = 0; i < s->mesh.vertex_count; ++i) {
        cd_vec3 *v = &s->mesh.vertices[i];
        if ((double)v->x < 0.3 || (double)v->y < 0.0) continue;
        v->y = (cd_real)((double)v->y * test_range(rng, 0.6, 1.4));
        v->z = (cd_real)((double)v->z * test_range(rng, 0.6, 1.4));
    }
}

/* Small triangles in eight heaps in place of the mesh of the scene; every eighth is of the first heap. */
static void make_heaps(scene *s, test_rng *rng, uint32_t count) {
    gen_mesh_free(&s->mesh);
    s->mesh = gen_mesh_soup(count, 0.05, GEN_UNIT, rng);
    for (uint32_t i = s->count; i < s->mesh.triangle_count; ++i) {
        s->left_out[i] = false;
        s->masks[i] = (uint32_t)test_next(rng) & 7u;
    }
    s->count = s->mesh.triangle_count;
    for (uint32_t i = 0; i < s->mesh.vertex_count; ++i) {
        uint32_t heap = i / 3 % 8;
        s->mesh.vertices[i] = cd_vec3_add(
            s->mesh.vertices[i],
            cd_vec3_make((cd_real)(heap & 1) * 4, (cd_real)(heap >> 1 & 1) * 4, (cd_real)(heap >> 2) * 4));
    }
}

/* The first heap's triangles change places: its subtree is worth nothing, and as good as before when it is built anew. */
static void swap_in_the_heap(scene *s, test_rng *rng) {
    for (uint32_t i = 0; i < s->count; i += 8) {
        uint32_t other = (uint32_t)test_int(rng, 0, (int)i / 8) * 8;
        for (uint32_t k = 0; k < 3; ++k) {
            cd_vec3 v = s->mesh.vertices[3 * i + k];
            s->mesh.vertices[3 * i + k] = s->mesh.vertices[3 * other + k];
            s->mesh.vertices[3 * other + k] = v;
        }
    }
}

/* One part of the mesh is stirred over and over: only that is built anew. */
static void only_the_worst_is_built_anew(void) {
    test_rng rng = test_random();
    int partly = 0;
    for (long turn = test_times(24) + 3; turn > 0; --turn) {
        uint32_t layout = turn % 2 ? CD_BVH_WIDE : CD_BVH_QUANTISED;
        int n = test_is_small() ? 6 : 12;
        scene *s = scene_begin(&rng, (int)(turn % KINDS), layout, n);
        bool swap = turn % 3 != 0;
        cd_bvh_refit_options o;
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        o.threshold = (cd_real)1.05;
        if (swap) make_heaps(s, &rng, 12u * (uint32_t)(n * n));
        CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
        for (int frame = 0; frame < 6; ++frame) {
            cd_bvh_refit_result r;
            if (swap) {
                swap_in_the_heap(s, &rng);
            } else {
                stretch_the_corner(s, &rng);
            }
            CHECK_INT(scene_refit(s, &tree, &o, &r), CD_OK);
            test_note("layout %u, kind %d, %u things, %u built anew, cost %g, then %g, now %g", layout,
                      s->kind, s->count, r.rebuilt, r.cost_built, r.cost_refitted, r.cost);
            if (r.rebuilt > 0 && r.rebuilt < cd_bvh_count(&tree)) {
                ++partly;
                CHECK(r.rebuilt <= cd_bvh_count(&tree) / 2);
                CHECK(r.cost < r.cost_refitted && r.cost <= 1.03 * r.cost_built);
            }
            CHECK_NEAR(r.cost, ASK("forms", cd_bvh_get_stats(&tree)).cost, 1e-3 * r.cost);
            check_tree(&rng, s, &tree, false);
        }
        cd_bvh_destroy(&tree);
        gen_mesh_free(&s->mesh);
    }
    CHECK_SEEN(partly > 0);
}

/* Eight heaps far from each other, of boxes in rows; in one they change places. That one is built anew, and nothing else; boxes keep
 * their indices and masks. */
static void one_heap_of_eight_is_built_anew(void) {
    enum { EACH = 128, ALL = 8 * EACH };
    static cd_aabb box[ALL];
    static uint32_t mask[ALL];
    test_rng rng = test_random();
    for (uint32_t turn = 0; turn < 4; ++turn) {
        uint32_t heap = (uint32_t)test_int(&rng, 0, 7), found[ALL];
        int runs = 0, all_runs = 0;
        cd_bvh_refit_options how;
        cd_bvh_refit_result r;
        cd_bvh_options o;
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        o.layout = turn % 2 ? CD_BVH_WIDE : CD_BVH_QUANTISED;
        o.masks = turn / 2 ? mask : NULL;
        for (uint32_t i = 0; i < ALL; ++i) {
            for (int k = 0; k < 3; ++k) {
                uint32_t row = k == 0 ? i & 7 : k == 1 ? i >> 3 & 3 : i >> 5 & 3;
                REALS(box[i].min)[k] = (cd_real)((i / EACH >> k & 1) * 24 + 2 * row);
                REALS(box[i].max)[k] = REALS(box[i].min)[k] + 1;
            }
            mask[i] = 1u << i % 3;
        }
        CHECK_INT(cd_bvh_build_boxes(&tree, box, ALL, &o), CD_OK);
        for (uint32_t i = 0; i < EACH; ++i) {
            uint32_t other = (uint32_t)test_int(&rng, 0, EACH - 1);
            cd_aabb was = box[EACH * heap + i];
            box[EACH * heap + i] = box[EACH * heap + other];
            box[EACH * heap + other] = was;
        }
        memset(&how, 0, sizeof how);
        how.executor.run = run_backwards;
        how.executor.user = &runs;
        how.flags = CD_BVH_REFIT_IN_PLACE;
        CHECK_INT(ASK("judge", cd_bvh_refit_boxes(&tree, box, ALL, &how, NULL)), CD_OK);
        how.executor.user = &all_runs;
        how.flags = 0;
        CHECK_INT(ASK("judge", cd_bvh_refit_boxes(&tree, box, ALL, &how, &r)), CD_OK);
        CHECK(all_runs > runs + 1); /* not only what is left is shared out, but what is built anew, too */
        CHECK_INT(r.rebuilt, EACH);
        CHECK(r.cost < r.cost_refitted && r.cost <= 1.1 * r.cost_built);
        CHECK_INT(ASK("judge", cd_bvh_validate(&tree)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_count(&tree)), ALL);
        for (uint32_t i = 0; i < ALL; ++i) {
            cd_bvh_volume v = cd_bvh_volume_aabb(box[i]);
            cd_filter filter;
            memset(&filter, 0, sizeof filter);
            filter.ignore_mask = mask[i];
            CHECK_INT(cd_bvh_overlap_list(&tree, &v, NULL, found, ALL), 1);
            CHECK_INT(found[0], i);
            CHECK_INT(cd_bvh_overlap_list(&tree, &v, &filter, found, ALL), turn / 2 ? 0 : 1);
        }
        cd_bvh_destroy(&tree);
    }
}

/* ---- bad input ---- */

static void bad_input_leaves_the_tree_as_it_was(void) {
    test_rng rng = test_random();
    for (long turn = test_times(180); turn > 0; --turn) {
        scene *s = scene_begin(&rng, (int)(turn % KINDS), (uint32_t)(turn / KINDS % 4), test_int(&rng, 1, 5));
        uint32_t bad = (uint32_t)test_int(&rng, 0, (int)s->count - 1), other = s->count;
        cd_mesh_view view = scene_view(s);
        cd_bvh_refit_options o;
        cd_bvh_refit_result r;
        cd_bvh tree, twin, seen;
        s->options.layout %= layouts_of(s);
        s->left_out[bad] = false;
        CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
        CHECK_INT(scene_build(s, &s->options, &twin), CD_OK);
        scene_update(s, true);
        if (s->kind == BOXES) s->boxes[bad].min.z = (cd_real)(turn % 3 ? NAN : INFINITY);
        if (s->kind == BOXES && turn % 5 == 0) s->boxes[bad] = cd_aabb_empty();
        if (s->kind == POINTS) s->points[bad].x = (cd_real)(turn % 3 ? NAN : -INFINITY);
        if (turn % 3) {
            s->mesh.vertices[s->indices[3 * bad + 2]].z = (cd_real)NAN;
        } else {
            s->indices[3 * bad + 1] = s->mesh.vertex_count;
        }
        memset(&r, 0xFF, sizeof r);
        memset(&o, 0, sizeof o);
        switch (s->kind) {
        case BOXES:
            CHECK_INT(ASK("bad", cd_bvh_refit_boxes(&tree, s->boxes, s->count, NULL, &r)),
                      CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("bad", cd_bvh_refit_boxes(&tree, NULL, s->count, NULL, &r)), CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("bad", cd_bvh_refit_boxes(&tree, s->boxes, s->count - 1, NULL, &r)),
                      CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, s->points, s->count, NULL, &r)),
                      CD_INVALID_ARGUMENT);
            break;
        case POINTS:
            CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, s->points, s->count, NULL, &r)),
                      CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, NULL, s->count, NULL, &r)), CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, s->points, s->count - 1, NULL, &r)),
                      CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("bad", cd_bvh_refit_mesh(&tree, &view, NULL, &r)), CD_INVALID_ARGUMENT);
            break;
        default:
            CHECK_INT(ASK("bad", cd_bvh_refit_mesh(&tree, &view, NULL, &r)), CD_INVALID_ARGUMENT);
            view.triangle_count = --other;
            CHECK_INT(ASK("bad", cd_bvh_refit_mesh(&tree, &view, NULL, &r)), CD_INVALID_ARGUMENT);
            view.position_format = 7;
            CHECK_INT(ASK("bad", cd_bvh_refit_mesh(&tree, &view, NULL, &r)), CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, s->points, s->count, NULL, &r)),
                      CD_INVALID_ARGUMENT);
        }
        CHECK(r.cost == 0 && r.rebuilt == 0);
        CHECK(same_bytes(&tree, &twin));
        o.flags = 4 + (uint32_t)test_int(&rng, 0, 1);
        CHECK_INT(scene_refit(s, &tree, &o, &r), CD_INVALID_ARGUMENT);
        o.flags = 3;
        CHECK_INT(scene_refit(s, &tree, &o, &r), CD_INVALID_ARGUMENT);
        o.flags = 0;
        o.threshold = (cd_real)(turn % 4 ? 0.5 : NAN);
        CHECK_INT(scene_refit(s, &tree, &o, &r), CD_INVALID_ARGUMENT);
        o.threshold = 0;
        o.leaf_size = 65;
        CHECK_INT(scene_refit(s, &tree, &o, &r), CD_INVALID_ARGUMENT);
        CHECK_INT(ASK("bad", cd_bvh_view(&seen, twin.block, twin.bytes)), CD_OK);
        CHECK_INT(scene_refit(s, &seen, NULL, &r), CD_UNSUPPORTED);
        o.leaf_size = 0;
        o.flags = CD_BVH_REFIT_IN_PLACE;
        if (s->options.layout == CD_BVH_COMPACT) {
            s->mesh.vertices[s->mesh.indices[3 * bad + 2]].z = 0;
            CHECK_INT(scene_refit(s, &tree, &o, &r), CD_UNSUPPORTED);
        }
        CHECK(same_bytes(&tree, &twin));
        cd_bvh_destroy(&tree);
        cd_bvh_destroy(&twin);
        gen_mesh_free(&s->mesh);
    }
}

static void empty_trees_are_refitted(void) {
    cd_vec3 p[2];
    cd_bvh tree;
    cd_bvh_options o;
    cd_bvh_refit_result r;
    cd_mesh_view none = cd_mesh_view_make(NULL, 0, NULL, 0);
    memset(&tree, 0, sizeof tree);
    memset(&o, 0, sizeof o);
    CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, NULL, 0, NULL, &r)), CD_OK);
    CHECK_INT(ASK("bad", cd_bvh_refit_boxes(&tree, NULL, 0, NULL, NULL)), CD_OK);
    CHECK_INT(ASK("bad", cd_bvh_refit_mesh(&tree, &none, NULL, &r)), CD_OK);
    CHECK(r.cost == 0 && r.rebuilt == 0);
    p[0] = p[1] = cd_vec3_make((cd_real)NAN, 0, 0);
    CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, p, 2, NULL, &r)), CD_INVALID_ARGUMENT);
    o.flags = CD_BVH_SKIP_INVALID;
    CHECK_INT(ASK("bad", cd_bvh_build_points(&tree, p, 2, &o)), CD_OK);
    p[0].x = 1;
    CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, p, 2, NULL, &r)), CD_OK);
    CHECK_INT(ASK("bad", cd_bvh_count(&tree)), 0);
    CHECK_INT(ASK("bad", cd_bvh_refit_points(&tree, p, 1, NULL, &r)), CD_INVALID_ARGUMENT);
    cd_bvh_destroy(&tree);
}

/* ---- memory ---- */

static void memory_that_runs_out_leaves_a_sound_tree(void) {
    test_rng rng = test_random();
    for (uint32_t layout = 0; layout < 4; ++layout) {
        for (int kind = 0; kind < KINDS; ++kind) {
            bool done = false;
            for (long allowed = 0; !done; allowed += test_is_tiny() ? 2 : 1) {
                test_rng same = rng;
                scene *s = scene_begin(&same, kind, layout, 6);
                test_memory memory = {1000000, 0, 0};
                cd_bvh_refit_options o;
                cd_bvh_refit_result r;
                cd_vec3 *rest = rest_of(s);
                cd_bvh tree, twin;
                cd_status status;
                bool compact;
                memset(&o, 0, sizeof o);
                s->options.layout = layout % layouts_of(s);
                compact = s->options.layout == CD_BVH_COMPACT;
                s->options.allocator = test_allocator(&memory);
                CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
                CHECK_INT(scene_build(s, &s->options, &twin), CD_OK);
                deform(s, &same, kind % 2 ? SHUFFLE : LARGE, rest);
                o.threshold = 1;
                memory.allowed = allowed;
                status = scene_refit(s, &tree, &o, &r);
                done = memory.allowed > 0;
                test_note("layout %u, kind %d, %ld allowed", layout, kind, allowed);
                CHECK(status == CD_OK || (compact && status == CD_OUT_OF_MEMORY));
                CHECK_INT(memory.live, cd_bvh_count(&tree) ? 2 : memory.live);
                if (status == CD_OK) {
                    CHECK_INT(cd_bvh_validate(&tree), CD_OK);
                    CHECK(holds_the_scene(&tree, s));
                } else {
                    CHECK(same_bytes(&tree, &twin));
                }
                cd_bvh_destroy(&tree);
                cd_bvh_destroy(&twin);
                CHECK_INT(memory.live, 0);
                free(rest);
                gen_mesh_free(&s->mesh);
            }
        }
    }
}

static void in_place_allocates_nothing(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < KINDS; ++kind) {
        scene *s = scene_begin(&rng, kind, (uint32_t)kind % 3, 5);
        test_memory memory = {1000000, 0, 0};
        cd_bvh_refit_options o;
        cd_vec3 *rest = rest_of(s);
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        o.flags = CD_BVH_REFIT_IN_PLACE;
        s->options.allocator = test_allocator(&memory);
        CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
        memory.allowed = 0;
        deform(s, &rng, SHUFFLE, rest);
        CHECK_INT(scene_refit(s, &tree, &o, NULL), CD_OK);
        CHECK_INT(cd_bvh_validate(&tree), CD_OK);
        cd_bvh_destroy(&tree);
        CHECK_INT(memory.live, 0);
        free(rest);
        gen_mesh_free(&s->mesh);
    }
}

/* ---- what stays with the tree ---- */

static bool never(void *user, uint32_t index, const cd_bvh_volume *v) {
    (void)user;
    (void)index;
    (void)v;
    return false;
}

static void custom_primitives_stay(void) {
    test_rng rng = test_random();
    scene *s = scene_begin(&rng, BOXES, CD_BVH_WIDE, 4);
    cd_bvh_refit_options o;
    cd_bvh_custom custom;
    cd_bvh tree;
    memset(&o, 0, sizeof o);
    memset(&custom, 0, sizeof custom);
    custom.overlap = never;
    o.flags = CD_BVH_REFIT_REBUILD;
    CHECK_INT(scene_build(s, &s->options, &tree), CD_OK);
    tree.custom = &custom;
    add_noise(s, &rng, 0.3);
    CHECK_INT(scene_refit(s, &tree, &o, NULL), CD_OK);
    CHECK(tree.custom == &custom);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&s->mesh);
}

void suite_bvh_refit(void);
void suite_bvh_refit(void) {
    RUN(deformed_trees_answer_as_built_ones);
    RUN(a_refit_back_gives_back_every_byte);
    RUN(any_executor_gives_the_same_bytes);
    RUN(rebuilds_keep_the_cost_low);
    RUN(a_tree_built_in_a_heap_is_not_kept);
    RUN(only_the_worst_is_built_anew);
    RUN(one_heap_of_eight_is_built_anew);
    RUN(bad_input_leaves_the_tree_as_it_was);
    RUN(empty_trees_are_refitted);
    RUN(memory_that_runs_out_leaves_a_sound_tree);
    RUN(in_place_allocates_nothing);
    RUN(custom_primitives_stay);
}
