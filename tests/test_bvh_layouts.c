/* Every layout and kind of item: sound, the same answers, there and back; bytes; memory that runs out. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2500 };

/* A scene of one of four kinds: triangles, boxes, points, triangles that share corners. */
typedef struct scene {
    gen_mesh mesh;
    cd_aabb boxes[MOST];
    cd_vec3 points[MOST];
    uint32_t masks[MOST], count;
    int kind;
} scene;

static scene scene_begin(test_rng *rng, int kind) {
    static scene s;
    static const gen_kind kinds[3] = {GEN_UNIT, GEN_GRID, GEN_FAR};
    gen g = gen_begin(rng, kinds[test_int(rng, 0, 2)]);
    s.kind = kind;
    if (test_int(rng, 0, 3)) {
        s.mesh = gen_mesh_ball(test_int(rng, 1, 9), 0.2, rng);
    } else {
        s.mesh = gen_mesh_soup((uint32_t)test_int(rng, 1, 900), 0.3, GEN_UNIT, rng);
    }
    s.count = s.mesh.triangle_count;
    for (uint32_t i = 0; i < s.count; ++i) {
        cd_triangle t = gen_mesh_triangle(&s.mesh, i);
        s.boxes[i] = kind == 1 && i % 3 == 0 ? gen_aabb(&g) : cd_aabb_from_points(&t.a, 3);
        s.points[i] = i % 3 == 0 ? gen_point(&g) : t.a;
        s.masks[i] = (uint32_t)test_next(rng) & 7u;
    }
    return s;
}

static cd_status build(const scene *s, cd_bvh *out, const cd_bvh_options *options) {
    cd_bvh_options o = *options;
    cd_mesh_view view = gen_mesh_view(&s->mesh);
    if (s->kind == 3) o.flags |= CD_BVH_INDEXED;
    if (s->kind == 1) return cd_bvh_build_boxes(out, s->boxes, s->count, &o);
    if (s->kind == 2) return cd_bvh_build_points(out, s->points, s->count, &o);
    return cd_bvh_build_mesh(out, &view, &o);
}

/* The compact layout is one of triangles. */
static uint32_t layouts_of(int kind) {
    return kind == 0 || kind == 3 ? 4 : 3;
}

/* ---- do two trees hold and answer the same? ---- */

typedef struct held {
    unsigned char bytes[MOST][48];
    size_t count;
} held;

/* What is under each index: numbers, mask. */
static void collect(const cd_bvh *tree, held *out) {
    cdi_bvh t;
    memset(out, 0, sizeof *out);
    if (!cdi_bvh_open(&t, tree)) return;
    for (uint32_t i = 0, k = 0; k < t.header->item_count; ++k, i = cdi_bvh_next_item(&t, i)) {
        unsigned char *to = out->bytes[cdi_bvh_index(&t, i)];
        float x[9] = {0};
        cd_real v[9] = {0};
        if (cdi_bvh_is_triangles(&t)) {
            cd_triangle q = cdi_bvh_triangle_of(&t, i);
            memcpy(v, &q, sizeof q);
        } else if (t.item == CD_BVH_BOXES) {
            cd_aabb q = cdi_bvh_box_of(&t, i);
            memcpy(v, &q, sizeof q);
        } else {
            cd_vec3 q = cdi_bvh_point_of(&t, i);
            memcpy(v, &q, sizeof q);
        }
        for (int j = 0; j < 9; ++j) x[j] = (float)v[j];
        memcpy(to, x, sizeof x);
        if (t.masks) memcpy(to + 40, &t.masks[k], 4);
        ++to[44];
        ++out->count;
    }
}

static bool holds_the_scene(const cd_bvh *tree, const scene *s, bool masked) {
    static held got;
    collect(tree, &got);
    if (got.count != s->count) return false;
    for (uint32_t i = 0; i < s->count; ++i) {
        cd_real v[9] = {0};
        float x[9];
        cd_triangle t = gen_mesh_triangle(&s->mesh, i);
        if (s->kind == 0 || s->kind == 3) memcpy(v, &t, sizeof t);
        if (s->kind == 1) memcpy(v, &s->boxes[i], sizeof s->boxes[i]);
        if (s->kind == 2) memcpy(v, &s->points[i], sizeof s->points[i]);
        for (int k = 0; k < 9; ++k) x[k] = (float)v[k];
        if (memcmp(x, got.bytes[i], sizeof x) || got.bytes[i][44] != 1) return false;
        if (masked && memcmp(&s->masks[i], got.bytes[i] + 40, 4)) return false;
    }
    return true;
}

static void answers_are_equal(test_rng *rng, const cd_bvh *a, const cd_bvh *b) {
    cd_aabb bounds = ASK("forms", cd_bvh_bounds(a));
    cd_aabb other = ASK("forms", cd_bvh_bounds(b));
    CHECK(!memcmp(&bounds, &other, sizeof bounds));
    for (int i = 0; i < 4; ++i) {
        cd_ray r;
        cd_vec3 p, q;
        cd_hit x, y;
        cd_closest c, d;
        cd_cast_options o;
        bool hit;
        memset(&o, 0, sizeof o);
        memset(&x, 0, sizeof x);
        memset(&c, 0, sizeof c);
        y = x;
        d = c;
        o.ignore_mask = (uint32_t)test_int(rng, 0, 3);
        p = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_range(rng, -0.5, 1.5));
        p.x = bounds.min.x + (bounds.max.x - bounds.min.x) * (cd_real)test_unit(rng);
        q = cd_vec3_lerp(bounds.min, bounds.max, (cd_real)test_unit(rng));
        r = cd_ray_through(p, q);
        hit = cd_bvh_cast_ray(a, &r, CD_REAL_MAX, &o, &x);
        CHECK_INT(cd_bvh_cast_ray(b, &r, CD_REAL_MAX, &o, &y), hit);
        CHECK(!memcmp(&x, &y, sizeof x));
        if (cd_bvh_get_kind(a) != CD_BVH_TRIANGLES) continue;
        hit = cd_bvh_closest(a, p, CD_REAL_MAX, NULL, &c);
        CHECK_INT(cd_bvh_closest(b, p, CD_REAL_MAX, NULL, &d), hit);
        CHECK(!memcmp(&c, &d, sizeof c));
    }
}

/* ---- cases ---- */

static void check_conversions(test_rng *rng, const scene *s, const cd_bvh *tree, uint32_t layout,
                              bool masked) {
    for (uint32_t to = 0; to < layouts_of(s->kind); ++to) {
        cd_bvh there, back;
        CHECK_INT(ASK("forms", cd_bvh_convert(&there, tree, to, NULL)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_validate(&there)), CD_OK);
        CHECK_INT(ASK("forms", cd_bvh_get_layout(&there)), to);
        CHECK_INT(ASK("forms", cd_bvh_get_kind(&there)), cd_bvh_get_kind(tree));
        CHECK(holds_the_scene(&there, s, masked));
        answers_are_equal(rng, tree, &there);
        CHECK_INT(ASK("forms", cd_bvh_convert(&back, &there, layout, NULL)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_validate(&back)), CD_OK);
        CHECK(holds_the_scene(&back, s, masked));
        if (layout == CD_BVH_BINARY && to == layout) /* nothing is to be changed */
            CHECK(there.bytes == tree->bytes && !memcmp(there.block, tree->block, tree->bytes));
        cd_bvh_destroy(&there);
        cd_bvh_destroy(&back);
    }
}

static void layouts_and_kinds_hold_and_answer_the_same(void) {
    test_rng rng = test_random();
    for (long i = test_times(36); i > 0; --i) {
        scene s = scene_begin(&rng, (int)(i % 4));
        cd_bvh first;
        memset(&first, 0, sizeof first);
        for (uint32_t layout = 0; layout < layouts_of(s.kind); ++layout) {
            cd_bvh t;
            cd_bvh_options o;
            bool masked = test_int(&rng, 0, 1) == 1;
            memset(&o, 0, sizeof o);
            o.layout = layout;
            o.leaf_size = (uint32_t)test_int(&rng, 0, 9);
            o.masks = s.masks;
            test_note("kind %d, %u items, layout %u", s.kind, s.count, layout);
            CHECK_INT(build(&s, &t, &o), CD_OK);
            CHECK_INT(ASK("judge", cd_bvh_validate(&t)), CD_OK);
            CHECK(holds_the_scene(&t, &s, true));
            if (first.block) answers_are_equal(&rng, &first, &t);
            cd_bvh_destroy(&first);
            first = t;
            o.masks = masked ? s.masks : NULL;
            CHECK_INT(build(&s, &t, &o), CD_OK);
            check_conversions(&rng, &s, &t, layout, masked);
            cd_bvh_destroy(&t);
        }
        cd_bvh_destroy(&first);
        gen_mesh_free(&s.mesh);
    }
}

/* The documentation states bytes a triangle: for wide, binary, quantised; plain and indexed. */
static void bytes_are_those_of_the_documentation(void) {
    static const double stated[2][3][2] = {{{67, 49}, {61, 43}, {54, 36}}, {{107, 55}, {101, 49}, {94, 42}}};
    test_rng rng = test_random();
    bool is_short = test_times(10) < 10;
    gen_mesh m = gen_mesh_ball(is_short ? 16 : 58, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    for (uint32_t layout = 0; layout < 3; ++layout) {
        for (uint32_t indexed = 0; indexed < 2; ++indexed) {
            cd_bvh t;
            cd_bvh_options o;
            double each;
            memset(&o, 0, sizeof o);
            o.layout = layout;
            o.flags = indexed * CD_BVH_INDEXED;
            CHECK_INT(cd_bvh_build_mesh(&t, &v, &o), CD_OK);
            each = (double)t.bytes / m.triangle_count;
            CHECK_NEAR(each, stated[sizeof(cd_real) / 8][layout][indexed], is_short ? each / 6 : 1.5);
            cd_bvh_destroy(&t);
        }
    }
    {
        cd_bvh t, u;
        cd_bvh_options o;
        double each;
        memset(&o, 0, sizeof o);
        o.layout = CD_BVH_COMPACT;
        CHECK_INT(cd_bvh_build_mesh(&t, &v, &o), CD_OK);
        each = (double)t.bytes / m.triangle_count;
        CHECK_NEAR(each, sizeof(cd_real) == 4 ? 16 : 24, is_short ? 3 : 1);
        o.flags = CD_BVH_INDEXED;
        CHECK_INT(cd_bvh_build_mesh(&u, &v, &o), CD_OK);
        CHECK(t.bytes == u.bytes && !memcmp(t.block, u.block, t.bytes));
        cd_bvh_destroy(&t);
        cd_bvh_destroy(&u);
    }
    gen_mesh_free(&m);
}

/* ---- the compact layout ---- */

/* Coordinates that are hard to keep in few bytes: of very different sizes, -0 and the smallest among them. */
static void roughen(gen_mesh *m, test_rng *rng) {
    static const double odd[6] = {0.0, -0.0, 1e-30, -3.0, 1.0 / 3.0, 1e20};
    int how = test_int(rng, 0, 5);
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        cd_real *x = REALS(m->vertices[i]);
        for (int k = 0; k < 3; ++k) {
            if (how == 1) x[k] = (cd_real)((int)(100 * x[k]));
            if (how == 2 && !test_int(rng, 0, 20)) x[k] = (cd_real)odd[test_int(rng, 0, 5)];
            if (how == 3 && k == 1) x[k] = 0;
            if (how == 4) x[k] = (cd_real)(ldexp((double)x[k], test_int(rng, 0, 1) ? -140 : -125));
            if (how == 5) x[k] = (cd_real)((double)(float)x[k] + (k == 2 ? 1000.0 : 0.0));
        }
    }
}

static bool keeps_every_bit(const cd_bvh *tree, const gen_mesh *m, const uint32_t *masks) {
    cdi_bvh t;
    uint32_t i = 0;
    if (!cdi_bvh_open(&t, tree)) return m->triangle_count == 0;
    for (uint32_t k = 0; k < m->triangle_count; ++k, i = cdi_bvh_next_item(&t, i)) {
        uint32_t index = cdi_bvh_index(&t, i);
        cd_triangle got = cdi_bvh_triangle_of(&t, i), want;
        if (!cdi_bvh_has_item(&t, i) || cdi_bvh_rank(&t, i) != k || index >= m->triangle_count) return false;
        want = gen_mesh_triangle(m, index);
        if (memcmp(&got, &want, sizeof got) || t.masks[k] != masks[index]) return false;
    }
    return !cdi_bvh_has_item(&t, i) && !cdi_bvh_has_item(&t, CD_NONE);
}

static void compact_trees_keep_every_bit(void) {
    static uint32_t masks[9000];
    test_rng rng = test_random();
    for (uint32_t i = 0; i < 9000; ++i) masks[i] = (uint32_t)test_next(&rng);
    for (long i = test_times(40); i > 0; --i) {
        gen_mesh m = test_int(&rng, 0, 1)
                         ? gen_mesh_ball(test_int(&rng, 1, 20), 0.2, &rng)
                         : gen_mesh_soup((uint32_t)test_int(&rng, 1, 2000), 0.3, GEN_UNIT, &rng);
        cd_mesh_view v;
        cd_bvh_options o;
        cd_bvh tree, back;
        roughen(&m, &rng);
        v = gen_mesh_view(&m);
        memset(&o, 0, sizeof o);
        o.layout = CD_BVH_COMPACT;
        o.method = (uint32_t)test_int(&rng, 0, 11);
        o.leaf_size = (uint32_t)test_int(&rng, 0, 64);
        o.leaf_extent = (cd_real)(test_int(&rng, 0, 1) ? 0.2 : 0.0);
        o.masks = masks;
        test_note("%u triangles, method %u", m.triangle_count, o.method);
        CHECK_INT(ASK("judge", cd_bvh_build_mesh(&tree, &v, &o)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_validate(&tree)), CD_OK);
        CHECK(keeps_every_bit(&tree, &m, masks));
        CHECK(ASK("judge", cd_bvh_get_stats(&tree)).leaf_most <= 8);
        CHECK(o.leaf_size == 0 || ASK("judge", cd_bvh_get_stats(&tree)).leaf_most <= o.leaf_size ||
              o.leaf_extent > 0);
        CHECK_INT(ASK("judge", cd_bvh_convert(&back, &tree, CD_BVH_WIDE, NULL)), CD_OK);
        CHECK(keeps_every_bit(&back, &m, masks));
        answers_are_equal(&rng, &tree, &back);
        cd_bvh_destroy(&tree);
        cd_bvh_destroy(&back);
        gen_mesh_free(&m);
    }
}

/* Each triangle is much smaller than the one before: as deep as trees become. */
static void deep_compact_trees_hold(void) {
    enum { COUNT = 200 };
    static cd_vec3 vertices[3 * COUNT];
    cd_mesh_view v = cd_mesh_view_make(vertices, 3 * COUNT, NULL, COUNT);
    cd_bvh_options o;
    cd_bvh tree;
    cdi_bvh t;
    memset(&o, 0, sizeof o);
    o.layout = CD_BVH_COMPACT;
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 3; ++k) {
            double size = ldexp(1.0, 60 - i / 2);
            vertices[3 * i + k] = cd_vec3_make((cd_real)(size * (k + 1)), (cd_real)(size * (k == 1)),
                                               (cd_real)(size * (i % 2)));
        }
    }
    for (o.leaf_size = 0; o.leaf_size < 3; ++o.leaf_size) {
        cd_ray r = cd_ray_through(cd_vec3_make(0, 0, 0), cd_vec3_make(1, 0, 0));
        cd_hit hit;
        CHECK_INT(cd_bvh_build_mesh(&tree, &v, &o), CD_OK);
        CHECK_INT(cd_bvh_validate(&tree), CD_OK);
        CHECK(cdi_bvh_open(&t, &tree) && t.header->item_count == COUNT);
        (void)cd_bvh_cast_ray(&tree, &r, CD_REAL_MAX, NULL, &hit);
        cd_bvh_destroy(&tree);
    }
}

static void compact_trees_are_of_triangles(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(2, 0.1, &rng);
    cd_aabb box = cd_aabb_from_points(m.vertices, m.vertex_count);
    cd_bvh_options o;
    cd_bvh_graph graph;
    cd_bvh tree, got;
    uint32_t node = 0, parent = CD_NONE;
    memset(&o, 0, sizeof o);
    memset(&graph, 0, sizeof graph);
    o.layout = CD_BVH_COMPACT;
    CHECK_INT(ASK("bad", cd_bvh_build_boxes(&tree, &box, 1, &o)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_bvh_build_points(&tree, m.vertices, m.vertex_count, &o)), CD_INVALID_ARGUMENT);
    CHECK(tree.block == NULL);
    graph.parent = &parent;
    graph.node_count = 1;
    graph.boxes = &box;
    graph.box_node = &node;
    graph.box_count = 1;
    CHECK_INT(ASK("bad", cd_bvh_from_nodes(&tree, &graph, &o)), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_bvh_build_points(&tree, m.vertices, m.vertex_count, NULL), CD_OK);
    CHECK_INT(ASK("bad", cd_bvh_convert(&got, &tree, CD_BVH_COMPACT, NULL)), CD_INVALID_ARGUMENT);
    CHECK(got.block == NULL);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

/* Counts of clusters and bytes other than those there are, in a block as long as it says; clusters that are not sound. */
static void clusters_are_checked(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(8, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_bvh_options o;
    cd_bvh tree, view;
    cdi_bvh t;
    unsigned char *block;
    memset(&o, 0, sizeof o);
    o.layout = CD_BVH_COMPACT;
    CHECK_INT(cd_bvh_build_mesh(&tree, &v, &o), CD_OK);
    block = test_block(tree.bytes + 1024);
    for (int i = 0; i < 16 && block; ++i) {
        cdi_bvh_header *h = (cdi_bvh_header *)(void *)block;
        cdi_bvh_cluster *c;
        memset(block, 0, tree.bytes + 1024);
        memcpy(block, tree.block, tree.bytes);
        view.block = block;
        memset(&t, 0, sizeof t);
        if (!CHECK(cdi_bvh_open(&t, &view))) break;
        c = (cdi_bvh_cluster *)(void *)(block + ((const unsigned char *)t.items - block));
        if (i == 1) ++h->cluster_count;
        if (i == 2) --h->cluster_count;
        if (i == 3) ++h->cluster_bytes;
        if (i == 4) --h->cluster_bytes;
        if (i == 5) --c->items;
        if (i == 6) ++c->corners;
        if (i == 7) ++c[1].first;
        if (i == 8) ++c[1].offset;
        if (i == 9) c->size[1] = 9;
        if (i == 10) c->index_bits = 33;
        if (i == 11) ++c[1].items;
        if (i == 12) c->index += 1000000;
        if (i == 13) h->item = CD_BVH_TRIANGLES;
        if (i == 14) h->layout = CD_BVH_WIDE;
        if (i == 15) c->items = 0;
        h->bytes = cdi_bvh_bytes(h);
        test_note("change %d", i);
        CHECK_INT(ASK("bad", cd_bvh_view(&view, block, (size_t)h->bytes)), i ? CD_CORRUPT : CD_OK);
    }
    test_block_free(block);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

static void indexed_triangles_share_their_corners(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(8, 0.1, &rng); /* 768 triangles, 386 corners */
    cd_mesh_view v = gen_mesh_view(&m);
    cd_bvh plain, indexed;
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    CHECK_INT(cd_bvh_build_mesh(&plain, &v, &o), CD_OK);
    o.flags = CD_BVH_INDEXED;
    CHECK_INT(cd_bvh_build_mesh(&indexed, &v, &o), CD_OK);
    CHECK_INT(plain.bytes - indexed.bytes,
              768 * (10 * sizeof(cd_real) - 16) - m.vertex_count * sizeof(cd_vec3));
    cd_bvh_destroy(&indexed);
    v.indices = NULL; /* every corner is its own */
    v.triangle_count = v.vertex_count / 3;
    CHECK_INT(cd_bvh_build_mesh(&indexed, &v, &o), CD_OK);
    CHECK_INT(cd_bvh_validate(&indexed), CD_OK);
    CHECK_INT(((const cdi_bvh_header *)indexed.block)->corner_count, 3 * v.triangle_count);
    cd_bvh_destroy(&plain);
    cd_bvh_destroy(&indexed);
    gen_mesh_free(&m);
}

/* A chain of wide nodes, each with `leaves` of two items each and the next node, in a block of its own. */
static unsigned char *chain(uint32_t depth, uint32_t leaves, size_t *bytes) {
    uint32_t items = 2 * depth * leaves, last = depth - 1;
    unsigned char *block;
    cdi_bvh_header *h;
    cdi_bvh_node *node;
    *bytes = sizeof *h + depth * sizeof *node + items * sizeof(cdi_bvh_point);
    block = test_block(*bytes);
    memset(block, 0, *bytes);
    h = (cdi_bvh_header *)(void *)block;
    node = (cdi_bvh_node *)(void *)(h + 1);
    h->magic = CDI_BVH_MAGIC;
    h->version = CDI_BVH_VERSION;
    h->real_size = sizeof(cd_real);
    h->depth = depth < CDI_BVH_DEPTH ? depth : CDI_BVH_DEPTH;
    h->node_count = depth;
    h->item_count = h->source_count = items;
    h->bytes = *bytes;
    h->item = CD_BVH_POINTS;
    for (uint32_t i = 0; i < items; ++i) ((cdi_bvh_point *)(void *)(node + depth))[i].index = i;
    for (uint32_t n = 0; n < depth; ++n) {
        node[n].lanes = (n == last ? 1u : 2u) * (1u << leaves) - 1;
        for (uint32_t i = 0; i < leaves; ++i) {
            node[n].child[i] = 2 * (n * leaves + i);
            node[n].count[i] = 2;
        }
        if (n != last) node[n].child[leaves] = n + 1;
    }
    return block;
}

/* As deep as a view may be is too deep for two children a node. */
static void deep_trees_are_converted(void) {
    size_t bytes;
    unsigned char *block = chain(CDI_BVH_DEPTH, 1, &bytes);
    cd_bvh deep, got;
    CHECK_INT(ASK("bad", cd_bvh_view(&deep, block, bytes)), CD_OK);
    for (uint32_t layout = 0; layout < 3; ++layout) {
        CHECK_INT(ASK("bad", cd_bvh_convert(&got, &deep, layout, NULL)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_validate(&got)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_count(&got)), 2 * CDI_BVH_DEPTH);
        cd_bvh_destroy(&got);
    }
    test_block_free(block);
    for (uint32_t more = 1; more <= 2;
         ++more) { /* with a depth that is told right, and with one that is not */
        block = chain(CDI_BVH_DEPTH + 1, 1, &bytes);
        ((cdi_bvh_header *)(void *)block)->depth = CDI_BVH_DEPTH + 2 - more;
        CHECK_INT(ASK("bad", cd_bvh_view(&deep, block, bytes)), CD_CORRUPT);
        test_block_free(block);
    }
}

/* What may wait in a walk is bounded: a view of more is refused. */
static void deep_and_wide_views_are_refused(void) {
    for (uint32_t leaves = 1; leaves < 8; ++leaves) {
        uint32_t deepest = CDI_BVH_WAITING / leaves + 1;
        for (uint32_t depth = deepest; depth < deepest + 2 && depth < CDI_BVH_DEPTH; ++depth) {
            size_t bytes;
            unsigned char *block = chain(depth, leaves, &bytes);
            cd_bvh deep, got;
            bool fits = depth == deepest;
            CHECK_INT(ASK("bad", cd_bvh_view(&deep, block, bytes)), fits ? CD_OK : CD_CORRUPT);
            for (uint32_t layout = 0; layout < 3 && fits; ++layout) {
                CHECK_INT(cd_bvh_convert(&got, &deep, layout, NULL), CD_OK);
                CHECK_INT(cd_bvh_validate(&got), CD_OK);
                cd_bvh_destroy(&got);
            }
            test_block_free(block);
        }
    }
}

/* A spine of ever smaller boxes with six large ones beside each: nodes of eight would have too many beside a path. */
static void deep_and_wide_trees_get_narrow_nodes(void) {
    enum { SPINE = 60, BESIDE = 6, COUNT = SPINE * BESIDE };
    uint32_t parent[2 * SPINE], node[COUNT];
    cd_aabb box[COUNT];
    cd_bvh_graph graph;
    cd_bvh_options o;
    memset(&graph, 0, sizeof graph);
    memset(&o, 0, sizeof o);
    o.leaf_size = 1;
    for (uint32_t n = 0; n < SPINE; ++n) {
        cd_real size = (cd_real)ldexp(1, 30 - (int)n);
        parent[2 * n] = n ? 2 * n - 2 : CD_NONE;
        parent[2 * n + 1] = 2 * n;
        for (uint32_t i = 0; i < BESIDE; ++i) {
            box[n * BESIDE + i].min = cd_vec3_make(size, size, size);
            box[n * BESIDE + i].max = cd_vec3_scale(box[n * BESIDE + i].min, 3);
            node[n * BESIDE + i] = 2 * n + 1;
        }
    }
    graph.parent = parent;
    graph.node_count = 2 * SPINE;
    graph.boxes = box;
    graph.box_node = node;
    graph.box_count = COUNT;
    for (o.layout = 0; o.layout < 3; ++o.layout) {
        cd_bvh tree;
        cd_ray r = cd_ray_through(cd_vec3_make(0, 0, 0), cd_vec3_make(1, 1, 1));
        CHECK_INT(cd_bvh_from_nodes(&tree, &graph, &o), CD_OK);
        CHECK_INT(cd_bvh_validate(&tree), CD_OK);
        if (o.layout == CD_BVH_WIDE) {
            CHECK(((const cdi_bvh_node *)(const void *)((const char *)tree.block + sizeof(cdi_bvh_header)))
                      ->lanes < 255);
        }
        CHECK_INT(cd_bvh_cast_ray_all(&tree, &r, CD_REAL_MAX, NULL, NULL, 0), COUNT);
        cd_bvh_destroy(&tree);
    }
}

static void empty_trees_are_converted(void) {
    cd_bvh none, built, got;
    memset(&none, 0, sizeof none);
    CHECK_INT(cd_bvh_build_points(&built, NULL, 0, NULL), CD_OK);
    for (uint32_t layout = 0; layout < 5; ++layout) {
        CHECK_INT(ASK("bad", cd_bvh_convert(&got, &none, layout, NULL)),
                  layout < 4 ? CD_OK : CD_INVALID_ARGUMENT);
        CHECK(got.block == NULL);
        CHECK_INT(ASK("bad", cd_bvh_convert(&got, &built, layout, NULL)),
                  layout < 3 ? CD_OK : CD_INVALID_ARGUMENT);
        CHECK_INT(cd_bvh_validate(&got), CD_OK);
        CHECK_INT(ASK("bad", cd_bvh_count(&got)), 0);
        CHECK_INT(ASK("bad", cd_bvh_get_kind(&got)), layout < 3 ? CD_BVH_POINTS : 0);
        cd_bvh_destroy(&got);
    }
    cd_bvh_destroy(&built);
}

static void conversions_survive_a_lack_of_memory(void) {
    test_rng rng = test_random();
    for (uint32_t layout = 0; layout < 4; ++layout) {
        scene s = scene_begin(&rng, 3);
        cd_status status = CD_OUT_OF_MEMORY;
        cd_bvh_options o;
        cd_bvh tree, got;
        memset(&o, 0, sizeof o);
        for (long n = 0; n < 20 && status == CD_OUT_OF_MEMORY; ++n) {
            test_memory f = {n, 0, 0};
            cd_allocator a = test_allocator(&f);
            o.layout = layout;
            o.allocator = a;
            status = build(&s, &tree, &o);
            CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && !tree.block && f.live == 0));
            if (status == CD_OK) CHECK_INT(f.bytes, tree.bytes);
            cd_bvh_destroy(&tree);
            CHECK_INT(f.live, 0);
        }
        CHECK_INT(status, CD_OK);
        memset(&o, 0, sizeof o);
        CHECK_INT(build(&s, &tree, &o), CD_OK);
        status = CD_OUT_OF_MEMORY;
        for (long n = 0; n < 20 && status == CD_OUT_OF_MEMORY; ++n) {
            test_memory f = {n, 0, 0};
            cd_allocator a = test_allocator(&f);
            status = ASK("bad", cd_bvh_convert(&got, &tree, layout, &a));
            CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && !got.block && f.live == 0));
            ASK("bad", cd_bvh_destroy(&got));
            CHECK_INT(f.live, 0);
        }
        CHECK_INT(status, CD_OK);
        cd_bvh_destroy(&tree);
        gen_mesh_free(&s.mesh);
    }
}

void suite_bvh_layouts(void) {
    RUN(layouts_and_kinds_hold_and_answer_the_same);
    RUN(bytes_are_those_of_the_documentation);
    RUN(compact_trees_keep_every_bit);
    RUN(deep_compact_trees_hold);
    RUN(compact_trees_are_of_triangles);
    RUN(clusters_are_checked);
    RUN(indexed_triangles_share_their_corners);
    RUN(deep_trees_are_converted);
    RUN(deep_and_wide_views_are_refused);
    RUN(deep_and_wide_trees_get_narrow_nodes);
    RUN(empty_trees_are_converted);
    RUN(conversions_survive_a_lack_of_memory);
}
