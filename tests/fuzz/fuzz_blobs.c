/* Saved blocks that were changed, of everything that has a view: refused, or harmless in every query; and what a view takes, validates. */
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

/* ---- blocks ---- */

typedef struct blob {
    fuzz f;
    fuzz_mesh mesh;
    unsigned char
        *bytes; /* aligned to 64, and no byte more than told: a sanitizer sees what is read beyond */
    size_t size;
    cd_bvh tree; /* of the same triangles, where something goes with one */
} blob;

static void keep(blob *b, const void *block, size_t size) {
    void *p = NULL;
    if (b->bytes) free(b->bytes);
    if (posix_memalign(&p, 64, size ? size : 1)) abort();
    if (size) memcpy(p, block, size);
    b->bytes = (unsigned char *)p;
    b->size = size;
}

static size_t place(blob *b, size_t unit) {
    test_rng *r = b->f.rng;
    size_t end = test_int(r, 0, 1) && b->size > 256 ? 256 : b->size;
    return end < unit ? 0 : (size_t)test_int(r, 0, (int)(end / unit) - 1) * unit;
}

static void change_word(blob *b) {
    test_rng *r = b->f.rng;
    uint32_t word;
    cd_real real = fuzz_real(&b->f);
    size_t at = place(b, sizeof word);
    int how = test_int(r, 0, 6);
    if (at + sizeof word > b->size) return;
    memcpy(&word, b->bytes + at, sizeof word);
    if (how == 0) word += (uint32_t)test_int(r, -3, 3);
    if (how == 1) word = (uint32_t)test_int(r, 0, 255);
    if (how == 2) word = (uint32_t)test_next(r);
    if (how == 3) word = 0xFFFFFFFFu << test_int(r, 0, 31);
    if (how == 4) word ^= 1u << test_int(r, 0, 31);
    if (how == 5) memcpy(&word, b->bytes + place(b, sizeof word), sizeof word);
    if (how == 6) memcpy(&word, &real, sizeof word);
    memcpy(b->bytes + at, &word, sizeof word);
}

/* Another length, which a word of the header that told the old one is given, too. */
static void change_length(blob *b) {
    test_rng *r = b->f.rng;
    size_t by = (size_t)test_int(r, 1, 40) * 4,
           size = test_int(r, 0, 1) && by < b->size ? b->size - by : b->size + by;
    unsigned char *old = (unsigned char *)calloc(size + by + 1, 1);
    uint64_t told = b->size;
    if (!old) abort();
    memcpy(old, b->bytes, size < b->size ? size : b->size);
    for (size_t at = 0; test_int(r, 0, 1) && at + 8 <= size && at < 256; at += 4)
        if (!memcmp(old + at, &told, 8)) {
            told = size;
            memcpy(old + at, &told, 8);
            break;
        }
    keep(b, old, size);
    free(old);
}

static void change(blob *b) {
    for (int i = test_int(b->f.rng, 0, 6); i > 0; --i) {
        int how = test_int(b->f.rng, 0, 15);
        if (how == 0)
            change_length(b);
        else if (how < 4 && b->size)
            b->bytes[place(b, 1)] = (unsigned char)test_int(b->f.rng, 0, 255);
        else
            change_word(b);
    }
}

static cd_vec3 some_point(blob *b) {
    return fuzz_vec(&b->f);
}

/* ---- trees of boxes ---- */

static uint32_t end;

static bool told(void *user, uint32_t index) {
    (void)user;
    return CHECK(index < end);
}

static bool told_pair(void *user, cd_pair pair) {
    (void)user;
    return CHECK(pair.a < end);
}

static void ask_tree(blob *b, const cd_bvh *v) {
    cd_plane planes[6];
    cd_bvh_volume volume = fuzz_volume(&b->f, planes);
    cd_ray r = fuzz_ray(&b->f);
    cd_filter f = {1, told, NULL};
    cd_bvh_pair_options po;
    cd_hit hit;
    cd_closest c, many[3];
    cd_bvh other;
    cd_bvh_winding w;
    uint32_t count = cd_bvh_count(v);
    end = 0x7FFFFFFF; /* indices are as the block has them */
    memset(&po, 0, sizeof po);
    po.rule = (uint32_t)test_int(b->f.rng, 0, 4);
    po.flags = (uint32_t)test_int(b->f.rng, 0, 3);
    cd_bvh_cast_ray(v, &r, CD_REAL_MAX, NULL, &hit);
    cd_bvh_test_ray(v, &r, 1, NULL);
    CHECK(cd_bvh_cast_ray_all(v, &r, CD_REAL_MAX, NULL, NULL, 0) <= count);
    cd_bvh_overlap(v, &volume, &f, told, NULL);
    CHECK(cd_bvh_overlap_list(v, &volume, NULL, NULL, 0) <= count);
    cd_bvh_sweep(v, &volume, r.dir, NULL, &hit);
    cd_bvh_closest(v, r.origin, CD_REAL_MAX, &f, &c);
    CHECK(cd_bvh_closest_k(v, r.origin, 3, CD_REAL_MAX, NULL, many) <= 3);
    cd_bvh_traverse_pairs(v, &b->tree, NULL, &po, told_pair, NULL);
    cd_bvh_closest_bvh(&b->tree, v, NULL, CD_REAL_MAX, &po, &c);
    cd_bvh_traverse_self(v, &po, told_pair, NULL);
    cd_bvh_get_stats(v);
    cd_bvh_get_worst(v, 5);
    CHECK(cd_heights_get_info(v).triangles <= 2 * cd_heights_get_info(v).cells);
    if (cd_heights_get_info(v).columns) {
        cd_real height;
        cd_vec3 normal;
        cd_heights_height_at(v, r.origin.x, r.origin.y, &height, &normal);
        cd_heights_material(v, (uint32_t)test_int(b->f.rng, 0, 255));
        return;
    }
    if (cd_bvh_validate(v) != CD_OK) return; /* a tree that changes */
    CHECK_INT(cd_bvh_convert(&other, v, (uint32_t)test_int(b->f.rng, 0, 2), NULL), CD_OK);
    CHECK_INT(cd_bvh_validate(&other), CD_OK);
    cd_bvh_destroy(&other);
    if (cd_bvh_winding_build(&w, v, NULL) == CD_OK) {
        cd_bvh_winding_number(&w, v, r.origin, (cd_real)0.01);
        cd_bvh_winding_destroy(&w);
    }
}

static void try_tree(blob *b) {
    cd_bvh view;
    if (cd_bvh_view(&view, b->bytes, b->size) != CD_OK) {
        CHECK(!view.block && !view.bytes);
        return;
    }
    ask_tree(b, &view);
}

static void make_tree(blob *b) {
    keep(b, b->tree.block, b->tree.bytes);
}

static void make_boxes(blob *b) {
    cd_aabb box[20];
    cd_bvh tree;
    cd_bvh_options o;
    for (int i = 0; i < 20; ++i) {
        cd_aabb one = fuzz_aabb(&b->f);
        box[i] = one;
    }
    fuzz_options(&b->f, &o);
    o.layout %= 3;
    CHECK_INT(cd_bvh_build_boxes(&tree, box, 20, &o), CD_OK);
    keep(b, tree.block, tree.bytes);
    cd_bvh_destroy(&tree);
}

static void make_heights(blob *b) {
    cd_real samples[30];
    cd_height_view view;
    cd_bvh tree;
    cd_bvh_options o;
    memset(&view, 0, sizeof view);
    memset(&o, 0, sizeof o);
    o.flags = CD_BVH_SKIP_INVALID;
    for (int i = 0; i < 30; ++i) {
        cd_real x = fuzz_real(&b->f);
        samples[i] = x;
    }
    view.samples = samples;
    view.columns = (uint32_t)test_int(b->f.rng, 2, 6);
    view.rows = (uint32_t)test_int(b->f.rng, 2, 5);
    view.up = (uint32_t)test_int(b->f.rng, 0, 2);
    view.cut = (uint32_t)test_int(b->f.rng, 0, 3);
    if (cd_bvh_build_heights(&tree, &view, &o) != CD_OK) return;
    keep(b, tree.block, tree.bytes);
    cd_bvh_destroy(&tree);
}

static void make_dyntree(blob *b) {
    cd_dyntree tree;
    if (cd_dyntree_init(&tree, NULL) != CD_OK) return;
    for (int i = test_int(b->f.rng, 1, 30); i > 0; --i) {
        uint32_t id;
        cd_dyntree_insert(&tree, fuzz_aabb(&b->f), 1, &id);
    }
    keep(b, tree.bvh.block, tree.bvh.bytes);
    cd_dyntree_destroy(&tree);
}

/* ---- winding numbers ---- */

static void make_winding(blob *b) {
    cd_bvh_winding w;
    CHECK_INT(cd_bvh_winding_build(&w, &b->tree, NULL), CD_OK);
    keep(b, w.block, w.bytes);
    cd_bvh_winding_destroy(&w);
}

static void try_winding(blob *b) {
    cd_bvh_winding w;
    cd_closest c;
    cd_real distance;
    cd_vec3 p = some_point(b);
    if (cd_bvh_winding_view(&w, b->bytes, b->size) != CD_OK) return;
    cd_bvh_winding_number(&w, &b->tree, p, (cd_real)0.01);
    cd_bvh_test_point_inside(&w, &b->tree, p, (cd_real)0.5);
    cd_bvh_signed_distance(&w, &b->tree, p, CD_REAL_MAX, &c, &distance);
}

/* ---- trees of other volumes ---- */

static void make_bvtree(blob *b) {
    static const uint32_t k[4] = {6, 14, 18, 26};
    cd_mesh_view view = fuzz_view(&b->mesh);
    cd_bvh_options o;
    cd_spheretree_options so;
    cd_bvtree tree;
    cd_status status;
    fuzz_options(&b->f, &o);
    o.layout = 0;
    memset(&so, 0, sizeof so);
    so.flags = CD_BVH_SKIP_INVALID;
    switch (test_int(b->f.rng, 0, 2)) {
    case 0: status = cd_kdoptree_build_mesh(&tree, &view, k[test_int(b->f.rng, 0, 3)], &o); break;
    case 1: status = cd_obbtree_build_mesh(&tree, &view, &o); break;
    default: status = cd_spheretree_build_mesh(&tree, &view, &so);
    }
    if (status == CD_OK) {
        keep(b, tree.block, tree.bytes);
        cd_bvtree_destroy(&tree);
    }
}

static void try_bvtree(blob *b) {
    cd_bvtree v;
    cd_ray r = fuzz_ray(&b->f);
    cd_plane planes[6];
    cd_bvh_volume volume = fuzz_volume(&b->f, planes);
    cd_sphere spheres[4];
    cd_hit hit;
    cd_closest c;
    if (cd_bvtree_view(&v, b->bytes, b->size) != CD_OK) return;
    CHECK_INT(cd_bvtree_validate(&v), CD_OK);
    end = 0x7FFFFFFF;
    cd_bvtree_cast_ray(&v, &r, CD_REAL_MAX, NULL, &hit);
    cd_bvtree_closest(&v, r.origin, CD_REAL_MAX, NULL, &c);
    cd_bvtree_overlap(&v, &volume, NULL, told, NULL);
    cd_bvtree_traverse_pairs(&v, &v, NULL, NULL, told_pair, NULL);
    cd_bvtree_closest_bvtree(&v, &v, NULL, CD_REAL_MAX, NULL, &c);
    cd_spheretree_level(&v, 2, spheres, 4);
    cd_spheretree_may_meet(&v, &v, NULL, 3, 100, NULL);
    cd_bvtree_bounds(&v);
}

/* ---- hulls ---- */

static void make_hull(blob *b) {
    cd_vec3 points[30];
    cd_hull hull;
    int count = test_int(b->f.rng, 1, 30);
    fuzz_points(&b->f, points, count);
    if (cd_hull3_build(&hull, points, (size_t)count, NULL) != CD_OK) return;
    keep(b, hull.block, hull.bytes);
    cd_hull_destroy(&hull);
}

static void try_hull(blob *b) {
    cd_hull v;
    cd_hull_parts parts;
    cd_ray r = fuzz_ray(&b->f);
    cd_triangle t = fuzz_triangle(&b->f);
    cd_support s;
    cd_hit hit;
    cd_manifold m;
    uint32_t at;
    if (cd_hull_view(&v, b->bytes, b->size) != CD_OK) return;
    CHECK_INT(cd_hull_validate(&v), CD_OK);
    parts = cd_hull_get_parts(&v);
    for (uint32_t e = 0; e < parts.half_edge_count; ++e) {
        CHECK(parts.half_edges[e].twin < parts.half_edge_count &&
              parts.half_edges[e].origin < parts.vertex_count);
        CHECK(cd_hull_next(&parts, e) < parts.half_edge_count);
    }
    at = cd_hull_support(&v, r.dir);
    CHECK(at < parts.vertex_count || at == CD_NONE);
    at = cd_hull_support_from(&v, r.dir, (uint32_t)test_int(b->f.rng, 0, 255));
    CHECK(at < parts.vertex_count || at == CD_NONE);
    s = cd_support_of_hull(&v);
    cd_convex_distance(&s, &s, NULL, NULL, NULL);
    cd_collide_hull_hull(&v, &v, NULL, NULL, NULL, &m);
    cd_cast_ray_hull(&r, CD_REAL_MAX, &v, NULL, &hit);
    cd_test_triangle_hull(&t, &v);
    cd_sat_hull_hull(&v, &v, NULL, NULL);
    cd_closest_pts_point_hull(r.origin, &v);
    cd_mass_from_hull(&v);
    cd_hull_bounds(&v);
#ifndef COLLIDE_NO_CLASSIC
    cd_vclip(&v, &v, NULL, 50, NULL);
#endif
}

static void make_dk(blob *b) {
    cd_vec3 points[30];
    cd_hull hull;
    cd_dk_hierarchy dk;
    int count = test_int(b->f.rng, 1, 30);
    fuzz_points(&b->f, points, count);
    if (cd_hull3_build(&hull, points, (size_t)count, NULL) != CD_OK) return;
    if (cd_dk_hierarchy_build(&dk, &hull, NULL) == CD_OK) {
        keep(b, dk.block, dk.bytes);
        cd_dk_hierarchy_destroy(&dk);
    }
    cd_hull_destroy(&hull);
}

static void try_dk(blob *b) {
    cd_dk_hierarchy v;
    cd_vec3 p = some_point(b);
    cd_support s;
    if (cd_dk_hierarchy_view(&v, b->bytes, b->size) != CD_OK) return;
    CHECK_INT(cd_dk_hierarchy_validate(&v), CD_OK);
    cd_dk_hierarchy_support(&v, p);
    s = cd_support_of_dk_hierarchy(&v);
    cd_convex_distance(&s, &s, NULL, NULL, NULL);
    cd_dk_hierarchy_distance(&v, &v, NULL, NULL, NULL);
}

/* ---- k-d trees ---- */

#ifndef COLLIDE_NO_CLASSIC
enum { ITEMS = 24 };
static cd_aabb items[1024]; /* more than any block can name: what is named is looked up here */

static void make_kdtree(blob *b) {
    cd_kdtree_compact kd;
    for (int i = 0; i < ITEMS; ++i) {
        cd_aabb one = fuzz_aabb(&b->f);
        items[i] = one;
    }
    if (cd_kdtree_compact_build(&kd, items, ITEMS, (uint32_t)test_int(b->f.rng, 0, 4), NULL) != CD_OK) return;
    keep(b, kd.block, kd.bytes);
    cd_kdtree_compact_destroy(&kd);
}

static bool cast_item(void *user, uint32_t item, const cd_ray *r, cd_real t_max, cd_hit *hit) {
    (void)user;
    (void)r;
    hit->t = t_max < 1 ? t_max : 1;
    return CHECK(item < end) && item % 2 && t_max >= 0;
}

static void try_kdtree(blob *b) {
    cd_kdtree_compact v;
    cd_kdtree_compact_facts facts;
    cd_ray r = fuzz_ray(&b->f);
    cd_aabb box = fuzz_aabb(&b->f);
    cd_hit hit;
    uint32_t count;
    if (cd_kdtree_compact_view(&v, b->bytes, b->size) != CD_OK) return;
    facts = cd_kdtree_compact_get_facts(&v);
    end = facts.items;
    if (end > 1024) return;
    cd_kdtree_compact_items(&v, cd_kdtree_compact_leaf_at(&v, r.origin), &count);
    cd_kdtree_compact_overlap_aabb(&v, box, items, told, NULL);
    cd_kdtree_compact_nearest(&v, r.origin, items, NULL);
    cd_kdtree_compact_cast_ray(&v, &r, CD_REAL_MAX, cast_item, NULL, &hit);
}
#endif

typedef struct maker {
    void (*make)(blob *b);
    void (*ask)(blob *b);
} maker;

void fuzz_blobs(test_rng *r) {
    static const maker makers[] = {
        {make_tree, try_tree},     {make_tree, try_tree},    {make_boxes, try_tree},
        {make_heights, try_tree},  {make_dyntree, try_tree}, {make_winding, try_winding},
        {make_bvtree, try_bvtree}, {make_hull, try_hull},    {make_dk, try_dk},
#ifndef COLLIDE_NO_CLASSIC
        {make_kdtree, try_kdtree},
#endif
    };
    static blob b;
    const maker *m = &makers[test_int(r, 0, (int)(sizeof makers / sizeof makers[0]) - 1)];
    cd_mesh_view view;
    cd_bvh_options o;
    b.bytes = NULL;
    b.size = 0;
    b.f = fuzz_begin(r, FUZZ_WIDE);
    test_note("");
    fuzz_draw_mesh(&b.f, &b.mesh, FUZZ_TRIANGLES);
    fuzz_options(&b.f, &o);
    view = fuzz_view(&b.mesh);
    CHECK_INT(cd_bvh_build_mesh(&b.tree, &view, &o), CD_OK);
    keep(&b, "", 0);
    m->make(&b);
    b.f.mood = (fuzz_mood)test_int(r, 0, FUZZ_BITS);
    change(&b);
    m->ask(&b);
    free(b.bytes);
    cd_bvh_destroy(&b.tree);
}
