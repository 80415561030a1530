/* Stored trees that were changed: refused, or harmless in every query. The sanitizer lanes watch what is read. */
#include "gen.h"
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define HIDE(at, size) __asan_poison_memory_region(at, size)
#define SHOW(at, size) __asan_unpoison_memory_region(at, size)
#else
#define HIDE(at, size) ((void)(at), (void)(size))
#define SHOW(at, size) ((void)(at), (void)(size))
#endif

enum { ROOM = 65536, BASES = 48 };

/* The beginning of a block: places of words, and its length. */
enum {
    DEPTH = 3,
    NODE_COUNT = 4,
    ITEM_COUNT = 5,
    SOURCE_COUNT = 7,
    BYTES = 8,
    CORNER_COUNT = 32,
    HEADER = 192
};

/* Every layout and kind, with masks and without, of one leaf and of several levels. */
static cd_bvh bases[BASES];

/* The changed blob; what lies behind its end is hidden from queries where a sanitizer is there to see it. */
static union {
    unsigned char bytes[ROOM + 64];
    double aligned[1];
} room;
static unsigned char *blob;
static size_t blob_size;

static void build_base(test_rng *rng, int i) {
    static const uint32_t sizes[4] = {3, 30, 90, 200};
    bool indexed = i / 3 % 4 == 3;
    gen_mesh m =
        indexed ? gen_mesh_ball(i / 12 + 1, 0.2, rng) : gen_mesh_soup(sizes[i / 12], 0.4, GEN_UNIT, rng);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_aabb boxes[200];
    uint32_t masks[200];
    cd_bvh_options o;
    cd_status status;
    memset(&o, 0, sizeof o);
    for (uint32_t k = 0; k < m.triangle_count; ++k) {
        cd_triangle t = gen_mesh_triangle(&m, k);
        boxes[k] = cd_aabb_from_points(&t.a, 3);
        masks[k] = k;
    }
    o.layout = indexed && i / 12 % 2 ? (uint32_t)CD_BVH_COMPACT : (uint32_t)i % 3;
    o.leaf_size = (uint32_t)test_int(rng, 1, 6);
    if (test_int(rng, 0, 1)) o.masks = masks;
    if (indexed) o.flags = CD_BVH_INDEXED;
    if (i / 3 % 4 == 1) {
        status = cd_bvh_build_boxes(&bases[i], boxes, m.triangle_count, &o);
    } else if (i / 3 % 4 == 2) {
        status = cd_bvh_build_points(&bases[i], m.vertices, m.triangle_count, &o);
    } else {
        status = cd_bvh_build_mesh(&bases[i], &v, &o);
    }
    CHECK_INT(status, CD_OK);
    CHECK(bases[i].bytes <= ROOM);
    gen_mesh_free(&m);
}

static uint32_t word_of(const void *block, int number) {
    uint32_t word;
    memcpy(&word, (const unsigned char *)block + 4 * number, sizeof word);
    return word;
}

/* ---- changes ---- */

/* A place: in the header, the nodes or anywhere; a multiple of `size`. */
static size_t place(test_rng *rng, size_t size) {
    size_t end = blob_size;
    int where = test_int(rng, 0, 3);
    if (where == 0) end = HEADER;
    if (where == 1) end = HEADER + (size_t)(word_of(blob, NODE_COUNT) & 63u) * 32u;
    if (end > blob_size) end = blob_size;
    return end < size ? 0 : (size_t)test_int(rng, 0, (int)(end / size) - 1) * size;
}

static void change_word(test_rng *rng) {
    uint32_t word;
    size_t at = place(rng, sizeof word);
    int how = test_int(rng, 0, 5);
    if (at + sizeof word > blob_size) return;
    memcpy(&word, blob + at, sizeof word);
    if (how == 0) word += (uint32_t)test_int(rng, -3, 3);
    if (how == 1) word = (uint32_t)test_int(rng, 0, 300);
    if (how == 2) word = (uint32_t)test_next(rng);
    if (how == 3) word = 0xFFFFFFFFu << test_int(rng, 0, 31);
    if (how == 4) word = 1u << test_int(rng, 0, 31);
    if (how == 5) memcpy(&word, blob + place(rng, sizeof word), sizeof word);
    memcpy(blob + at, &word, sizeof word);
}

static void change_byte(test_rng *rng) {
    size_t at = place(rng, 1);
    if (at >= blob_size) return;
    if (test_int(rng, 0, 1)) {
        blob[at] = (unsigned char)test_next(rng);
    } else {
        blob[at] ^= (unsigned char)(1u << test_int(rng, 0, 7));
    }
}

/* Another length, which the header may be told. */
static void change_length(test_rng *rng) {
    uint64_t told;
    size_t step = (size_t)test_int(rng, 0, 70) * 4u;
    if (test_int(rng, 0, 2)) {
        blob_size -= step < blob_size ? step : blob_size;
    } else if (blob_size + step <= ROOM) {
        blob_size += step;
    }
    told = blob_size;
    if (test_int(rng, 0, 1) && blob_size >= HEADER) memcpy(blob + 4 * BYTES, &told, sizeof told);
}

/* A piece of another tree: from the same place or from any. */
static void splice(test_rng *rng) {
    const cd_bvh *other = &bases[test_int(rng, 0, BASES - 1)];
    size_t from = (size_t)test_int(rng, 0, (int)(other->bytes / 4) - 1) * 4u;
    size_t at = test_int(rng, 0, 1) ? from : place(rng, 4);
    size_t size = (size_t)test_int(rng, 1, 300) * 4u;
    if (from + size > other->bytes) size = other->bytes - from;
    if (at + size > blob_size) size = at < blob_size ? blob_size - at : 0;
    memcpy(blob + at, (const unsigned char *)other->block + from, size);
}

static void change_something(test_rng *rng) {
    for (int k = test_int(rng, 1, 3); k > 0; --k) {
        int how = test_int(rng, 0, 9);
        if (how < 4) {
            change_byte(rng);
        } else if (how < 8) {
            change_word(rng);
        } else if (how == 8) {
            change_length(rng);
        } else {
            splice(rng);
        }
    }
}

/* ---- queries ---- */

/* What the queries on a view are asked with, and whether they named only what there is. */
typedef struct inquiry {
    test_rng *rng;
    const cd_bvh *view;
    uint32_t items, end;
    cd_vec3 p, q;
    cd_bvh_volume volume;
    cd_transform pose;
    bool inside;
} inquiry;

static void named(inquiry *s, uint32_t index) {
    s->inside = s->inside && index < s->end;
}

static bool tell(void *user, uint32_t index) {
    named((inquiry *)user, index);
    return true;
}

static bool tell_pair(void *user, cd_pair pair) {
    return tell(user, pair.a);
}

/* Of one of two volumes, or the only instance. */
static bool tell_instance(void *user, cd_pair pair) {
    return pair.a < 2 && tell(user, pair.b);
}

/* Primitives of the caller's own: some meet all that reaches their boxes. */
static bool own_overlap(void *user, uint32_t index, const cd_bvh_volume *volume) {
    return tell(user, index) && volume != NULL && index % 2;
}

static bool own_ray(void *user, uint32_t index, const cd_ray *r, cd_real t_max,
                    const cd_cast_options *options, cd_hit *hit) {
    (void)r;
    (void)options;
    hit->t = t_max < 1 ? t_max : 1;
    return tell(user, index) && index % 2;
}

static bool own_closest(void *user, uint32_t index, cd_vec3 p, cd_real most, cd_closest *out) {
    out->b = p;
    out->sqdist = 1;
    return tell(user, index) && most >= 1 && index % 2;
}

static bool own_sweep(void *user, uint32_t index, const cd_bvh_volume *volume, cd_vec3 motion,
                      const cd_cast_options *options, cd_hit *hit) {
    (void)volume;
    (void)motion;
    (void)options;
    hit->t = 1;
    return tell(user, index) && index % 2;
}

static const cd_hull *some_hull(void) {
    static const cd_vec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, (cd_real)0.5}};
    static cd_hull hull;
    if (!hull.block) CHECK_INT(cd_hull3_build(&hull, corners, 5, NULL), CD_OK);
    return &hull;
}

static cd_bvh_volume some_volume(gen *g) {
    static cd_plane planes[6];
    cd_vec3 p = gen_point(g), q = gen_point(g);
    cd_aabb box = cd_aabb_add_point(cd_aabb_add_point(cd_aabb_empty(), p), q);
    cd_frustum f;
    uint32_t count;
    switch (test_int(g->rng, 0, 6)) {
    case 0: return cd_bvh_volume_aabb(box);
    case 1: return cd_bvh_volume_sphere(cd_sphere_from_aabb(box));
    case 2: {
        cd_capsule c;
        c.a = p;
        c.b = q;
        c.radius = gen_length(g);
        return cd_bvh_volume_capsule(&c);
    }
    case 3: {
        cd_obb b = gen_obb(g);
        return cd_bvh_volume_obb(&b);
    }
    case 4: {
        cd_triangle t = gen_triangle(g);
        return cd_bvh_volume_triangle(&t);
    }
    case 5: return cd_bvh_volume_hull(some_hull());
    default:
        f.pose = gen_pose(g->rng, 2);
        f.left = f.bottom = -1;
        f.right = f.top = 1;
        f.first = (cd_real)0.1;
        f.last = 3;
        CHECK(cd_region_from_frustum(&f, planes, &count));
        return cd_bvh_volume_planes(planes, count);
    }
}

static void ask_rays(inquiry *s) {
    cd_ray rays[2];
    cd_segment line;
    cd_hit hits[4];
    bool hit[2];
    cd_cast_options o;
    uint32_t last = test_int(s->rng, 0, 1) ? (uint32_t)test_next(s->rng)
                                           : (uint32_t)test_int(s->rng, 0, 300); /* of another tree */
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(s->rng, 0, 31);
    o.ignore_mask = (uint32_t)test_int(s->rng, 0, 3);
    o.filter = tell;
    o.user = s;
    rays[0] = cd_ray_through(s->p, s->q);
    rays[1] = cd_ray_through(s->q, s->p);
    line.a = s->p;
    line.b = s->q;
    cd_bvh_test_ray_again(s->view, &rays[0], CD_REAL_MAX, &o, &last);
    if (cd_bvh_cast_ray_again(s->view, &rays[0], CD_REAL_MAX, &o, &last, hits)) named(s, hits[0].index);
    if (cd_bvh_cast_ray(s->view, &rays[0], CD_REAL_MAX, NULL, hits)) named(s, hits[0].index);
    cd_bvh_test_ray(s->view, &rays[0], 1, NULL);
    CHECK(cd_bvh_cast_ray_all(s->view, &rays[0], CD_REAL_MAX, &o, hits, 4) <= s->items);
    cd_bvh_cast_rays(s->view, rays, NULL, 2, &o, hits);
    cd_bvh_test_rays(s->view, rays, NULL, 2, NULL, hit);
    if (cd_bvh_cast_segment(s->view, &line, &o, hits)) named(s, hits[0].index);
    cd_bvh_test_segment(s->view, &line, NULL);
}

static void ask_volume(inquiry *s) {
    cd_filter f = {2, tell, NULL};
    uint32_t list[8];
    cd_aabb all = {{-8, -8, -8}, {8, 8, 8}}; /* runs that lie inside */
    cd_bvh_volume two[2];
    f.user = s;
    two[0] = s->volume;
    two[1] = cd_bvh_volume_aabb(all);
    cd_bvh_overlaps(s->view, two, 2, &f, tell_instance, s);
    cd_bvh_overlap(s->view, &two[0], NULL, tell, s);
    CHECK(cd_bvh_overlap_list(s->view, &two[1], NULL, list, 8) <= s->items);
    cd_bvh_test_overlap(s->view, &two[0], &f);
}

static void ask_sweeps(inquiry *s) {
    cd_hit hits[2];
    cd_vec3 motion[2];
    cd_bvh_volume two[2];
    motion[0] = cd_vec3_sub(s->q, s->p);
    motion[1] = cd_vec3_make(0, 0, 0);
    two[0] = two[1] = s->volume;
    cd_bvh_sweeps(s->view, two, motion, 2, NULL, hits);
    if (hits[0].index != CD_NONE) named(s, hits[0].index);
    cd_bvh_test_sweep(s->view, &s->volume, motion[0], NULL);
}

static void ask_nearest(inquiry *s) {
    cd_filter f = {1, tell, NULL};
    cd_closest c[3];
    cd_vec3 two[2];
    size_t found;
    f.user = s;
    two[0] = s->p;
    two[1] = s->q;
    if (cd_bvh_closest(s->view, s->p, CD_REAL_MAX, &f, c)) named(s, c[0].index_b);
    found = cd_bvh_closest_k(s->view, s->p, 3, 2, NULL, c);
    for (size_t i = 0; i < found; ++i) named(s, c[i].index_b);
    cd_bvh_closest_points(s->view, two, NULL, 2, NULL, c);
    cd_bvh_test_distance(s->view, s->p, (cd_real)0.1, &f);
}

static void ask_pairs(inquiry *s) {
    const cd_bvh *other = &bases[test_int(s->rng, 0, BASES - 1)];
    const cd_transform *pose = test_int(s->rng, 0, 1) ? &s->pose : NULL;
    cd_bvh_pair_options o;
    cd_closest c;
    cd_pair pairs[3];
    memset(&o, 0, sizeof o);
    o.rule = (uint32_t)test_int(s->rng, 0, 4);
    o.flags = (uint32_t)test_int(s->rng, 0, 3);
    o.ignore_a = o.ignore_b = (uint32_t)test_int(s->rng, 0, 2);
    cd_bvh_traverse_pairs(s->view, other, pose, &o, tell_pair, s);
    cd_bvh_test_bvh(other, s->view, pose, &o, pairs);
    cd_bvh_collide(s->view, s->view, pose, &o, pairs, 3);
    cd_bvh_within(s->view, other, pose, (cd_real)0.05, &o, pairs, 3);
    if (cd_bvh_test_within(s->view, other, pose, 0, &o, pairs)) named(s, pairs[0].a);
    if (cd_bvh_closest_bvh(s->view, other, pose, CD_REAL_MAX, &o, &c)) named(s, c.index_a);
    if (cd_bvh_closest_bvh(other, s->view, pose, 1, NULL, &c)) named(s, c.index_b);
    cd_bvh_traverse_self(s->view, &o, tell_pair, s);
    cd_bvh_test_self(s->view, NULL, NULL);
}

static void ask_winding(const cd_bvh_winding *w, const cd_bvh *tree, cd_vec3 p) {
    cd_closest c;
    cd_real distance;
    cd_bvh_winding_number(w, tree, p, (cd_real)0.01);
    cd_bvh_test_point_inside(w, tree, p, (cd_real)0.5);
    cd_bvh_signed_distance(w, tree, p, CD_REAL_MAX, &c, &distance);
}

static void ask_own_winding(inquiry *s) {
    cd_bvh_winding w, view;
    cd_status status = cd_bvh_winding_build(&w, s->view, NULL);
    bool triangles = cd_bvh_get_kind(s->view) == CD_BVH_TRIANGLES;
    CHECK_INT(status, triangles || !s->items ? CD_OK : CD_INVALID_ARGUMENT);
    if (w.block && !((uintptr_t)w.block & 63u)) {
        CHECK_INT(cd_bvh_winding_view(&view, w.block, w.bytes), CD_OK);
        ask_winding(&view, s->view, s->p);
    }
    ask_winding(&w, s->view, s->p);
    cd_bvh_winding_destroy(&w);
}

static void ask_facts(inquiry *s) {
    cd_bvh other;
    cd_bvh_collapsed c;
    cd_bvh_worst worst = cd_bvh_get_worst(s->view, 9);
    if (worst.tried) named(s, worst.index);
    CHECK_INT(cd_bvh_count(s->view), s->items);
    CHECK(cd_bvh_get_stats(s->view).leaf_count <= s->items);
    CHECK_INT(cd_bvh_collapse(s->view, (uint32_t)test_int(s->rng, 2, 16), NULL, &c), CD_OK);
    cd_bvh_bounds(s->view);
    CHECK_INT(cd_bvh_convert(&other, s->view, (uint32_t)test_int(s->rng, 0, 2), NULL), CD_OK);
    CHECK_INT(cd_bvh_count(&other), s->items);
    CHECK_INT(cd_bvh_validate(&other), CD_OK);
    cd_bvh_destroy(&other);
}

static void ask_compact(inquiry *s) {
#ifndef COLLIDE_NO_CLASSIC
    cd_bvh_compact c;
    cd_ray r = cd_ray_through(s->p, s->q);
    CHECK_INT(cd_bvh_compact_build(&c, s->view, NULL), CD_OK);
    cd_bvh_compact_overlap_aabb(&c, cd_aabb_add_point(cd_aabb_add_point(cd_aabb_empty(), s->p), s->q), NULL,
                                tell, s);
    cd_bvh_compact_overlap_ray(&c, &r, 1, NULL, tell, s);
    cd_bvh_compact_destroy(&c);
#else
    (void)s;
#endif
}

static void ask_instances(inquiry *s) {
    cd_bvh_instance one;
    cd_bvh_instances in;
    cd_ray r = cd_ray_through(s->p, s->q);
    cd_hit hit;
    cd_closest c;
    one.tree = s->view;
    one.pose = s->pose;
    one.scale = (cd_real)test_range(s->rng, 0.1, 2);
    one.mask = 1;
    if (cd_bvh_instances_build(&in, &one, 1, NULL) != CD_OK) return; /* a box beyond all numbers */
    if (cd_bvh_instances_cast_ray(&in, &r, CD_REAL_MAX, NULL, &hit, NULL)) named(s, hit.index);
    cd_bvh_instances_test_ray(&in, &r, 1, NULL);
    cd_bvh_instances_overlap(&in, &s->volume, NULL, tell_instance, s);
    if (cd_bvh_instances_closest(&in, s->p, CD_REAL_MAX, NULL, &c, NULL)) named(s, c.index_b);
    if (cd_bvh_instances_sweep(&in, &s->volume, s->q, NULL, &hit, NULL)) named(s, hit.index);
    cd_bvh_instances_destroy(&in);
}

/* Some of the calls, so that they are many for all trees together. */
static void query(test_rng *rng, cd_bvh *view) {
    static void (*const ask[9])(inquiry *) = {ask_rays,    ask_volume,      ask_sweeps,
                                              ask_pairs,   ask_own_winding, ask_facts,
                                              ask_nearest, ask_compact,     ask_instances};
    gen g = gen_begin(rng, GEN_UNIT);
    cd_bvh_custom own = {NULL, own_overlap, own_ray, own_closest, own_sweep};
    inquiry s;
    memset(&s, 0, sizeof s);
    s.rng = rng;
    s.view = view;
    s.items = word_of(view->block, ITEM_COUNT);
    s.end = word_of(view->block, SOURCE_COUNT);
    s.p = gen_point(&g);
    s.q = gen_point(&g);
    s.volume = some_volume(&g);
    s.pose = gen_pose(rng, 1);
    s.inside = true;
    own.user = &s;
    if (cd_bvh_get_kind(view) == CD_BVH_BOXES && test_int(rng, 0, 1)) view->custom = &own;
    for (int k = 0; k < 3; ++k) ask[test_int(rng, 0, 8)](&s);
    CHECK(s.inside);
}

static void changed_trees_are_refused_or_harmless(void) {
    test_rng rng = test_random();
    long times = test_times(20000), accepted = 0;
    for (int i = 0; i < BASES; ++i) build_base(&rng, i);
    for (long i = 0; i < times; ++i) {
        const cd_bvh *base = &bases[test_int(&rng, 0, BASES - 1)];
        cd_bvh view;
        blob_size = base->bytes;
        memcpy(blob, base->block, blob_size);
        change_something(&rng);
        HIDE(blob + blob_size, ROOM - blob_size);
        if (cd_bvh_view(&view, blob, blob_size) == CD_OK) {
            ++accepted;
            query(&rng, &view);
        } else {
            CHECK(view.block == NULL);
        }
        SHOW(blob, ROOM);
    }
    CHECK_SEEN(accepted > times / 50 && accepted < times);
    for (int i = 0; i < BASES; ++i) cd_bvh_destroy(&bases[i]);
}

/* Blocks of winding numbers that were changed: refused, or harmless beside their tree and any other. */
static void changed_windings_are_refused_or_harmless(void) {
    test_rng rng = test_random();
    long times = test_times(4000), accepted = 0;
    cd_bvh_winding windings[BASES];
    for (int i = 0; i < BASES; ++i) {
        build_base(&rng, i);
        cd_bvh_winding_build(&windings[i], &bases[i], NULL);
        CHECK(windings[i].bytes <= ROOM);
    }
    for (long i = 0; i < times; ++i) {
        int from = test_int(&rng, 0, BASES - 1);
        cd_bvh_winding view;
        gen g = gen_begin(&rng, GEN_UNIT);
        if (!windings[from].block) continue;
        blob_size = windings[from].bytes;
        memcpy(blob, windings[from].block, blob_size);
        change_something(&rng);
        HIDE(blob + blob_size, ROOM - blob_size);
        if (cd_bvh_winding_view(&view, blob, blob_size) == CD_OK) {
            ++accepted;
            ask_winding(&view, &bases[from], gen_point(&g));
            ask_winding(&view, &bases[test_int(&rng, 0, BASES - 1)], gen_point(&g));
        } else {
            CHECK(view.block == NULL);
        }
        SHOW(blob, ROOM);
    }
    CHECK_SEEN(accepted > times / 50 && accepted < times);
    for (int i = 0; i < BASES; ++i) {
        cd_bvh_winding_destroy(&windings[i]);
        cd_bvh_destroy(&bases[i]);
    }
}

/* ---- changes that chance hardly makes ---- */

static void set_word(int number, uint32_t word) {
    memcpy(blob + 4 * number, &word, sizeof word);
}

static cd_status view_blob(void) {
    test_rng rng = test_random();
    cd_bvh view;
    cd_status status;
    HIDE(blob + blob_size, ROOM - blob_size);
    status = cd_bvh_view(&view, blob, blob_size);
    for (int k = 0; k < 12 && status == CD_OK; ++k) query(&rng, &view);
    SHOW(blob, ROOM);
    return status;
}

/* A binary tree of points at one place, in which all left children are leaves of one. */
static cd_status view_chain(uint32_t points, uint32_t depth) {
    static cd_vec3 place[200];
    cd_bvh tree;
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = CD_BVH_BINARY;
    o.leaf_size = 1;
    CHECK_INT(cd_bvh_build_points(&tree, place, points, &o), CD_OK);
    blob_size = tree.bytes;
    memcpy(blob, tree.block, blob_size);
    cd_bvh_destroy(&tree);
    set_word(DEPTH, depth);
    CHECK_INT(word_of(blob, NODE_COUNT), 2 * points - 1);
    for (uint32_t i = 0; i < 2 * points - 1; ++i) {
        int next = HEADER / 4 + 8 * (int)i + 6;
        bool leaf = i % 2 || i == 2 * points - 2;
        set_word(next, leaf ? i / 2 : i + 2);
        set_word(next + 1, leaf);
    }
    return view_blob();
}

static void trees_that_are_too_deep_are_refused(void) {
    for (uint32_t depth = 2; depth <= 80; depth += 13) {
        CHECK_INT(view_chain(depth + 1, depth), CD_OK);
        CHECK_INT(view_chain(depth + 2, depth), CD_CORRUPT);
    }
    CHECK_INT(view_chain(81, 80), CD_OK);
    for (uint32_t points = 82; points < 200; points += 39) {
        CHECK_INT(view_chain(points, 80), CD_CORRUPT);
        CHECK_INT(view_chain(points, points), CD_CORRUPT);
    }
}

/* Corners more or less than the triangles name, in a block as long as it says. */
static void corners_are_those_of_the_triangles(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(2, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    uint64_t told;
    for (uint32_t layout = 0; layout < 3; ++layout) {
        cd_bvh tree;
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.layout = layout;
        o.flags = CD_BVH_INDEXED;
        CHECK_INT(cd_bvh_build_mesh(&tree, &v, &o), CD_OK);
        for (int more = -2; more <= 2; ++more) {
            blob_size = tree.bytes;
            memset(blob, 0, blob_size + 2 * sizeof(cd_vec3));
            memcpy(blob, tree.block, blob_size);
            blob_size += (size_t)(more * (int)sizeof(cd_vec3));
            set_word(CORNER_COUNT, word_of(blob, CORNER_COUNT) + (uint32_t)more);
            told = blob_size;
            memcpy(blob + 4 * BYTES, &told, sizeof told);
            CHECK_INT(view_blob(), more ? CD_CORRUPT : CD_OK);
        }
        cd_bvh_destroy(&tree);
    }
    gen_mesh_free(&m);
}

void suite_bvh_fuzz(void) {
    blob = room.bytes + (64 - (uintptr_t)room.bytes % 64) % 64;
    RUN(trees_that_are_too_deep_are_refused);
    RUN(corners_are_those_of_the_triangles);
    RUN(changed_windings_are_refused_or_harmless);
    RUN(changed_trees_are_refused_or_harmless);
}
