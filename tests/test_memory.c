/* Every public function that takes memory, with every allocation failing: the n-th alone, and all from the n-th. It says so, leaves what
 * it was to make empty and what it was to change as it was, and gives all back; or it does without, with the same result. And blocks of
 * the caller's: just large enough, a byte short, not aligned.
 *
 * tests/hygiene/memory.sh sees to it that the table below, of rows ROW(function, variants), is complete. */
#include "gen.h"
#include "hulls.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>

enum { POINTS = 150, MANY = 2200, BALL = 2, MOST_PAIRS = 4000 };

/* ---- memory with a limit ---- */

typedef struct limit {
    test_memory memory;
    cd_allocator inner, allocator;
    long calls, refused; /* allocations since `begin`; the number of the one that fails, -1 for none */
    bool counting, rest; /* all after it fail, too */
    int fill;            /* what new blocks are full of: another byte in every run */
    uint64_t others;     /* what has been taken elsewhere by then */
} limit;

static void *limited_alloc(void *user, size_t size, size_t align) {
    limit *l = (limit *)user;
    void *p;
    if (l->counting) {
        long turn = l->calls++;
        if (l->refused >= 0 && (turn == l->refused || (l->rest && turn > l->refused))) return NULL;
    }
    p = l->inner.alloc(l->inner.user, size, align);
    if (p) memset(p, l->fill, size);
    return p;
}

static void limited_free(void *user, void *p, size_t size) {
    limit *l = (limit *)user;
    l->inner.free(l->inner.user, p, size);
}

/* The call that is looked at stands between these two. It takes nothing but from the allocator that it is given. */
static void begin(limit *l) {
    l->counting = true;
    l->others = test_counted.memory;
}

static void end(limit *l) {
    l->counting = false;
    CHECK(test_counted.memory == l->others);
}

/* ---- what the functions are given ---- */

static struct {
    gen_mesh ball, deformed, soup;
    cd_mesh_view view, moved;
    cd_vec3 points[POINTS], others[POINTS];
    cd_vec2 flat[POINTS];
    cd_aabb boxes[MANY], new_boxes[MANY];
    uint32_t masks[MANY];
    cd_sphere sphere;
    cd_hull hull, small, rounded;
    cd_bvh tree, soup_tree, box_tree;
    cd_pair want[MOST_PAIRS], got[MOST_PAIRS];
    float samples[20 * 20];
} w;

static cd_vec3 any_point(test_rng *rng, double size) {
    double x = test_range(rng, -size, size), y = test_range(rng, -size, size),
           z = test_range(rng, -size, size);
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static cd_aabb any_box(test_rng *rng) {
    cd_aabb b;
    cd_vec3 c = any_point(rng, 10), half = cd_vec3_make(1, 1, 1);
    half = cd_vec3_scale(half, (cd_real)test_unit(rng));
    b.min = cd_vec3_sub(c, half);
    b.max = cd_vec3_add(c, half);
    return b;
}

/* The same in every run: which of them take memory depends on it. */
static void world_begin(void) {
    test_rng rng = {7};
    uint64_t before;
    w.ball = gen_mesh_ball(BALL, 0.1, &rng);
    w.deformed = gen_mesh_ball(BALL, 0.3, &rng);
    for (uint32_t i = 0; i < w.deformed.vertex_count; ++i) w.deformed.vertices[i] = any_point(&rng, 1);
    w.soup = gen_mesh_soup(60, 0.4, GEN_UNIT, &rng);
    w.view = gen_mesh_view(&w.ball);
    w.moved = gen_mesh_view(&w.deformed);
    for (int i = 0; i < POINTS; ++i) {
        w.points[i] = any_point(&rng, 1);
        w.others[i] = any_point(&rng, 1);
        w.flat[i].x = w.points[i].x;
        w.flat[i].y = w.points[i].y;
    }
    for (int i = 0; i < MANY; ++i) {
        w.boxes[i] = any_box(&rng);
        w.new_boxes[i] = any_box(&rng);
        w.masks[i] = (uint32_t)i;
    }
    for (int i = 0; i < 20 * 20; ++i) w.samples[i] = (float)test_unit(&rng);
    w.sphere.center = cd_vec3_make(0, 0, 0);
    w.sphere.radius = 2;
    before = test_counted.memory;
    CHECK_INT(cd_hull3_build(&w.hull, w.points, POINTS, NULL), CD_OK);
    CHECK(test_counted.memory > before); /* what is taken without an allocator is seen */
    CHECK_INT(cd_hull3_build(&w.small, w.others, 9, NULL), CD_OK);
    CHECK_INT(cd_minkowski_sum3(&w.rounded, &w.hull, &w.small, NULL), CD_OK);
    {
        cd_mesh_view soup = gen_mesh_view(&w.soup);
        CHECK_INT(cd_bvh_build_mesh(&w.tree, &w.view, NULL), CD_OK);
        CHECK_INT(cd_bvh_build_mesh(&w.soup_tree, &soup, NULL), CD_OK);
        CHECK_INT(cd_bvh_build_boxes(&w.box_tree, w.boxes, POINTS, NULL), CD_OK);
    }
}

static void world_end(void) {
    gen_mesh_free(&w.ball);
    gen_mesh_free(&w.deformed);
    gen_mesh_free(&w.soup);
    cd_hull_destroy(&w.hull);
    cd_hull_destroy(&w.small);
    cd_hull_destroy(&w.rounded);
    cd_bvh_destroy(&w.tree);
    cd_bvh_destroy(&w.soup_tree);
    cd_bvh_destroy(&w.box_tree);
}

/* ---- what came of it ---- */

static void mix(uint64_t *hash, const void *bytes, size_t size) {
    *hash = test_hash(*hash, bytes, size);
}

static bool zeroed(const void *bytes, size_t size) {
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; ++i) {
        if (p[i] != 0) return false;
    }
    return true;
}

#define SPOILED(thing) memset(&(thing), 0xA5, sizeof(thing))
#define IS_EMPTY(tree) ((tree).block == NULL && (tree).bytes == 0 && !(tree).owned)

/* A tree answers: as all do over the same things, whatever they look like. */
static void mix_answers(const cd_bvh *tree, uint64_t *hash) {
    uint32_t count = cd_bvh_count(tree);
    CHECK_INT(cd_bvh_validate(tree), CD_OK);
    mix(hash, &count, sizeof count);
    for (int i = 0; i < 8; ++i) {
        cd_ray r;
        cd_hit hit;
        cd_closest c;
        r.origin = w.others[i];
        r.dir = w.points[i];
        memset(&hit, 0, sizeof hit);
        memset(&c, 0, sizeof c);
        cd_bvh_cast_ray(tree, &r, CD_REAL_MAX, NULL, &hit);
        cd_bvh_closest(tree, w.others[i], CD_REAL_MAX, NULL, &c);
        mix(hash, &hit.t, sizeof hit.t);
        mix(hash, &hit.index, sizeof hit.index);
        mix(hash, &c.sqdist, sizeof c.sqdist);
        mix(hash, &c.index_b, sizeof c.index_b);
    }
}

/* The end of each function that builds one block; `good` is what its validator says. */
#define END_OF_BLOCK(thing, good, destroy)                                                                   \
    do {                                                                                                     \
        if (status == CD_OK) {                                                                               \
            CHECK(good);                                                                                     \
            mix(hash, (thing).block, (thing).bytes);                                                         \
            CHECK(l->memory.live == 1 && l->memory.bytes == (thing).bytes);                                  \
        } else {                                                                                             \
            CHECK(IS_EMPTY(thing));                                                                          \
        }                                                                                                    \
        destroy(&(thing));                                                                                   \
        CHECK(IS_EMPTY(thing));                                                                              \
    } while (0)

/* The end of each that writes numbers. */
#define END_OF_NUMBERS(thing)                                                                                \
    do {                                                                                                     \
        if (status == CD_OK) {                                                                               \
            mix(hash, &(thing), sizeof(thing));                                                              \
        } else {                                                                                             \
            CHECK(zeroed(&(thing), sizeof(thing)));                                                          \
        }                                                                                                    \
    } while (0)

/* ---- hulls and boxes ---- */

static cd_hull_options hull_options(const limit *l) {
    cd_hull_options o;
    memset(&o, 0, sizeof o);
    o.allocator = l->allocator;
    return o;
}

/* Of all points; with faces merged; in a plane; in line. */
static cd_status try_hull3_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_options o = hull_options(l);
    cd_vec3 p[POINTS];
    cd_hull hull;
    cd_status status;
    memcpy(p, w.points, sizeof p);
    SPOILED(hull);
    if (variant == 1) o.merge_distance = (cd_real)0.1;
    for (int i = 0; i < POINTS && variant >= 2; ++i) {
        p[i].z = 1;
        if (variant == 3) p[i].y = 2;
    }
    begin(l);
    status = cd_hull3_build(&hull, p, POINTS, &o);
    end(l);
    END_OF_BLOCK(hull, cd_hull_validate(&hull) == CD_OK, cd_hull_destroy);
    return status;
}

static cd_status try_hull3_build_mesh(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_options o = hull_options(l);
    cd_hull hull;
    cd_status status;
    SPOILED(hull);
    (void)variant;
    begin(l);
    status = cd_hull3_build_mesh(&hull, &w.view, &o);
    end(l);
    END_OF_BLOCK(hull, cd_hull_validate(&hull) == CD_OK, cd_hull_destroy);
    return status;
}

/* Inside and around; fewer vertices, fewer faces; a body, and inside a polygon. */
static cd_status try_hull_simplify(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_simplify_options o;
    cd_hull hull, from;
    cd_vec3 p[7];
    cd_status status;
    memcpy(p, w.points, sizeof p);
    for (int i = 0; i < 7 && variant == 4; ++i) p[i].z = 1;
    CHECK_INT(cd_hull3_build(&from, p, 7, NULL), CD_OK);
    memset(&o, 0, sizeof o);
    SPOILED(hull);
    o.side = variant % 2;
    if (variant / 2 % 2) o.max_faces = 6;
    if (!(variant / 2 % 2)) o.max_vertices = 5;
    o.allocator = l->allocator;
    begin(l);
    status = cd_hull_simplify(&hull, &from, &o);
    end(l);
    END_OF_BLOCK(hull, cd_hull_get_parts(&hull).vertex_count > 0, cd_hull_destroy);
    cd_hull_destroy(&from);
    return status;
}

/* Hulls of points, and hulls whose faces are rounded, which are built again first. */
static cd_status try_minkowski_sum3(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_options o = hull_options(l);
    cd_hull hull;
    cd_status status;
    SPOILED(hull);
    begin(l);
    status = cd_minkowski_sum3(&hull, variant ? &w.rounded : &w.hull, &w.small, &o);
    end(l);
    END_OF_BLOCK(hull, cd_hull_get_parts(&hull).vertex_count > 0, cd_hull_destroy);
    return status;
}

static cd_status try_minkowski_difference3(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_options o = hull_options(l);
    cd_hull hull;
    cd_status status;
    SPOILED(hull);
    begin(l);
    status = cd_minkowski_difference3(&hull, variant ? &w.rounded : &w.hull, &w.small, &o);
    end(l);
    END_OF_BLOCK(hull, cd_hull_get_parts(&hull).vertex_count > 0, cd_hull_destroy);
    return status;
}

static cd_status try_minkowski_locate_origin3(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_options o = hull_options(l);
    int where = 7;
    cd_status status;
    begin(l);
    status = cd_minkowski_locate_origin3(&where, variant ? &w.rounded : &w.hull, &w.small, &o);
    end(l);
    if (status == CD_OK) mix(hash, &where, sizeof where);
    if (status != CD_OK) CHECK_INT(where, -1);
    return status;
}

static cd_status try_points_hull_first(limit *l, uint32_t variant, uint64_t *hash) {
    cd_vec3 p[POINTS];
    uint32_t order[POINTS];
    size_t first = 99;
    cd_status status;
    (void)variant;
    memcpy(p, w.points, sizeof p);
    memset(order, 0, sizeof order);
    begin(l);
    status = cd_points_hull_first(p, POINTS, &l->allocator, order, &first);
    end(l);
    if (status == CD_OK) {
        mix(hash, p, sizeof p);
        mix(hash, order, sizeof order);
        mix(hash, &first, sizeof first);
    } else {
        CHECK(first == 0 && !memcmp(p, w.points, sizeof p));
    }
    return status;
}

static cd_status try_hull_approx_make(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_approx a;
    cd_status status;
    SPOILED(a);
    begin(l);
    status = cd_hull_approx_make(&a, &w.hull, variant ? &w.sphere : NULL, variant ? 1 : 0, &l->allocator);
    end(l);
    if (status == CD_OK) {
        mix(hash, a.planes, a.plane_count * sizeof *a.planes);
        mix(hash, a.spheres, a.sphere_count * sizeof *a.spheres);
    } else {
        CHECK(!a.planes && !a.spheres && !a.plane_count && !a.sphere_count && a.bound.radius == 0);
    }
    cd_hull_approx_destroy(&a);
    return status;
}

static cd_status try_kdop_vertices_dual(limit *l, uint32_t variant, uint64_t *hash) {
    cd_kdop_set set = cd_kdop_set_standard(variant ? 26 : 14);
    cd_kdop dop;
    cd_vec3 v[CD_KDOP_VERTICES];
    uint32_t count = 7;
    cd_status status;
    CHECK_INT(cd_kdop_from_points(w.points, POINTS, &set, &dop), CD_OK);
    begin(l);
    status = cd_kdop_vertices_dual(&dop, &set, &l->allocator, v, &count);
    end(l);
    if (status == CD_OK) mix(hash, v, count * sizeof *v);
    if (status != CD_OK) CHECK_INT(count, 0);
    return status;
}

static cd_status try_obb_pca(limit *l, uint32_t variant, uint64_t *hash) {
    cd_obb box;
    cd_status status;
    SPOILED(box);
    begin(l);
    status = cd_obb_pca(w.points, POINTS, (cd_pca_axes)(variant + 1), &l->allocator, &box);
    end(l);
    END_OF_NUMBERS(box);
    return status;
}

static cd_status try_obb_min_volume(limit *l, uint32_t variant, uint64_t *hash) {
    cd_obb box;
    cd_status status;
    (void)variant;
    SPOILED(box);
    begin(l);
    status = cd_obb_min_volume(&w.hull, &l->allocator, &box);
    end(l);
    END_OF_NUMBERS(box);
    return status;
}

static cd_status try_obb_refine(limit *l, uint32_t variant, uint64_t *hash) {
    cd_obb box;
    cd_status status;
    (void)variant;
    CHECK_INT(cd_obb_from_points(w.points, POINTS, &box), CD_OK);
    begin(l);
    status = cd_obb_refine(w.points, POINTS, &l->allocator, &box);
    end(l);
    END_OF_NUMBERS(box);
    return status;
}

static cd_status try_min_area_rect(limit *l, uint32_t variant, uint64_t *hash) {
    cd_obb2 rect;
    cd_status status;
    (void)variant;
    SPOILED(rect);
    begin(l);
    status = cd_min_area_rect(w.flat, POINTS, &l->allocator, &rect);
    end(l);
    END_OF_NUMBERS(rect);
    return status;
}

static cd_status try_min_area_rect_calipers(limit *l, uint32_t variant, uint64_t *hash) {
    cd_obb2 rect;
    cd_status status;
    (void)variant;
    SPOILED(rect);
    begin(l);
    status = cd_min_area_rect_calipers(w.flat, POINTS, &l->allocator, &rect);
    end(l);
    END_OF_NUMBERS(rect);
    return status;
}

static cd_status try_dk_hierarchy_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_hull_options o;
    cd_hull merged;
    cd_dk_hierarchy dk;
    cd_status status;
    memset(&o, 0, sizeof o);
    SPOILED(dk);
    o.merge_distance = (cd_real)0.2;
    CHECK_INT(cd_hull3_build(&merged, w.points, POINTS, &o), CD_OK);
    begin(l);
    status = cd_dk_hierarchy_build(&dk, variant ? &merged : &w.hull, &l->allocator);
    end(l);
    END_OF_BLOCK(dk, cd_dk_hierarchy_validate(&dk) == CD_OK, cd_dk_hierarchy_destroy);
    cd_hull_destroy(&merged);
    return status;
}

/* ---- meshes and linear programs ---- */

static cd_status try_mesh_euler(limit *l, uint32_t variant, uint64_t *hash) {
    cd_euler e;
    cd_status status;
    (void)variant;
    SPOILED(e);
    begin(l);
    status = cd_mesh_euler(&w.view, &l->allocator, &e);
    end(l);
    if (status == CD_OK) CHECK(e.defect == CD_MESH_SOUND && e.characteristic == 2);
    if (status == CD_OK) mix(hash, &e.edges, sizeof e.edges);
    if (status != CD_OK) CHECK(e.defect == 0 && e.faces == 0 && e.characteristic == 0);
    return status;
}

static cd_status try_is_convex_polyhedron(limit *l, uint32_t variant, uint64_t *hash) {
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    cd_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cd_convexity flaw;
    bool convex;
    (void)variant;
    memset(&flaw, 0, sizeof flaw);
    begin(l);
    convex = cd_is_convex_polyhedron(v, 4, faces, 4, &l->allocator, &flaw);
    end(l);
    if (convex) mix(hash, &convex, sizeof convex);
    if (!convex) CHECK_INT(flaw.flaw, CD_CONVEXITY_MEMORY);
    return convex ? CD_OK : CD_OUT_OF_MEMORY;
}

/* More constraints than there is room for without. */
static void half_planes(cd_halfspace2 out[POINTS]) {
    for (int i = 0; i < POINTS; ++i) {
        out[i].n = w.flat[i];
        out[i].d = (cd_real)(1 + i % 7);
    }
}

static void half_spaces(cd_plane out[POINTS]) {
    for (int i = 0; i < POINTS; ++i) {
        out[i].n = w.points[i];
        out[i].d = (cd_real)(1 + i % 7);
    }
}

static cd_status try_lp_seidel2(limit *l, uint32_t variant, uint64_t *hash) {
    cd_halfspace2 h[POINTS];
    cd_lp2 best;
    cd_status status;
    (void)variant;
    half_planes(h);
    SPOILED(best);
    begin(l);
    status = cd_lp_seidel2(h, POINTS, w.flat[0], &l->allocator, &best);
    end(l);
    END_OF_NUMBERS(best);
    return status;
}

static cd_status try_lp_seidel3(limit *l, uint32_t variant, uint64_t *hash) {
    cd_plane h[POINTS];
    cd_lp3 best;
    cd_status status;
    (void)variant;
    half_spaces(h);
    SPOILED(best);
    begin(l);
    status = cd_lp_seidel3(h, POINTS, w.points[0], &l->allocator, &best);
    end(l);
    END_OF_NUMBERS(best.point);
    return status;
}

static cd_status try_halfplanes_interior_point(limit *l, uint32_t variant, uint64_t *hash) {
    cd_halfspace2 h[POINTS];
    cd_interior2 in;
    cd_status status;
    (void)variant;
    half_planes(h);
    SPOILED(in);
    begin(l);
    status = cd_halfplanes_interior_point(h, POINTS, &l->allocator, &in);
    end(l);
    END_OF_NUMBERS(in.point);
    return status;
}

static cd_status try_halfspaces_interior_point(limit *l, uint32_t variant, uint64_t *hash) {
    cd_plane h[POINTS];
    cd_interior3 in;
    cd_status status;
    (void)variant;
    half_spaces(h);
    SPOILED(in);
    begin(l);
    status = cd_halfspaces_interior_point(h, POINTS, &l->allocator, &in);
    end(l);
    END_OF_NUMBERS(in.point);
    return status;
}

/* ---- trees ---- */

static void run_backwards(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    (void)user;
    while (count-- > 0) task(ctx, count);
}

/* Twelve methods; some with corners shared, some with masks, some made better afterwards, some by an executor. */
static cd_bvh_options tree_options(const limit *l, uint32_t variant, uint32_t layouts) {
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.method = variant % 12;
    o.layout = (variant / 12 + variant) % layouts;
    o.axis = variant % 5;
    if (variant % 3 == 1 && o.layout != CD_BVH_COMPACT) o.flags = CD_BVH_INDEXED;
    if (variant % 5 == 2) o.optimise = 2;
    if (variant % 2) o.masks = w.masks;
    if (variant % 4 == 3) o.leaf_extent = (cd_real)0.5;
    if (variant % 7 == 1) o.executor.run = run_backwards;
    o.allocator = l->allocator;
    return o;
}

static cd_status try_bvh_build_mesh(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o = tree_options(l, variant, 4);
    cd_bvh tree;
    cd_status status;
    SPOILED(tree);
    begin(l);
    status = cd_bvh_build_mesh(&tree, &w.view, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvh_validate(&tree) == CD_OK, cd_bvh_destroy);
    return status;
}

/* The last one of so many that clusters are joined in pieces. */
static cd_status try_bvh_build_boxes(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o = tree_options(l, variant < 24 ? variant : CD_BVH_BOTTOM_UP, 3);
    cd_bvh tree;
    cd_status status;
    SPOILED(tree);
    o.flags = 0;
    begin(l);
    status = cd_bvh_build_boxes(&tree, w.boxes, variant < 24 ? POINTS : MANY, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvh_validate(&tree) == CD_OK, cd_bvh_destroy);
    return status;
}

static cd_status try_bvh_build_points(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o = tree_options(l, variant, 3);
    cd_bvh tree;
    cd_status status;
    SPOILED(tree);
    o.flags = 0;
    begin(l);
    status = cd_bvh_build_points(&tree, w.points, POINTS, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvh_validate(&tree) == CD_OK, cd_bvh_destroy);
    return status;
}

static cd_status try_bvh_build_heights(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o;
    cd_height_view view;
    cd_bvh tree;
    cd_status status;
    memset(&view, 0, sizeof view);
    memset(&o, 0, sizeof o);
    SPOILED(tree);
    o.allocator = l->allocator;
    o.flags = variant ? CD_BVH_SKIP_INVALID : 0;
    view.samples = w.samples;
    view.format = CD_HEIGHT_F32;
    view.columns = view.rows = 20;
    begin(l);
    status = cd_bvh_build_heights(&tree, &view, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvh_validate(&tree) == CD_OK, cd_bvh_destroy);
    return status;
}

/* From each layout to each. */
static cd_status try_bvh_convert(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o;
    cd_bvh from, tree;
    cd_status status;
    memset(&o, 0, sizeof o);
    SPOILED(tree);
    o.layout = variant / 4;
    if (o.layout != CD_BVH_COMPACT) o.flags = CD_BVH_INDEXED;
    o.masks = variant % 2 ? w.masks : NULL;
    CHECK_INT(cd_bvh_build_mesh(&from, &w.view, &o), CD_OK);
    begin(l);
    status = cd_bvh_convert(&tree, &from, variant % 4, &l->allocator);
    end(l);
    END_OF_BLOCK(tree, cd_bvh_validate(&tree) == CD_OK, cd_bvh_destroy);
    cd_bvh_destroy(&from);
    return status;
}

/* A graph of boxes: a chain of nodes with bushes. */
static cd_status try_bvh_from_nodes(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o;
    cd_bvh_graph g;
    uint32_t parent[40], node[POINTS];
    cd_bvh tree;
    cd_status status;
    memset(&o, 0, sizeof o);
    memset(&g, 0, sizeof g);
    SPOILED(tree);
    for (uint32_t i = 0; i < 40; ++i) parent[i] = i == 0 ? CD_NONE : i % 3 ? i / 2 : i - 1;
    for (uint32_t i = 0; i < POINTS; ++i) node[i] = i % 40;
    g.parent = parent;
    g.node_count = 40;
    g.boxes = w.boxes;
    g.box_node = node;
    g.box_count = POINTS;
    g.wrap = variant % 2;
    if (g.wrap == CD_BVH_LAYERED) g.node_box = w.new_boxes;
    o.layout = variant / 2;
    o.masks = variant % 2 ? w.masks : NULL;
    o.allocator = l->allocator;
    begin(l);
    status = cd_bvh_from_nodes(&tree, &g, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvh_validate(&tree) == CD_OK, cd_bvh_destroy);
    return status;
}

static cd_status try_bvh_collapse(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_collapsed c;
    cd_status status;
    SPOILED(c);
    begin(l);
    status = cd_bvh_collapse(&w.tree, 2 + variant, &l->allocator, &c);
    end(l);
    if (status == CD_OK) mix(hash, &c.cost, sizeof c.cost);
    if (status != CD_OK) CHECK(c.node_count == 0 && c.cost == 0 && c.tests == 0);
    return status;
}

static cd_status try_bvh_winding_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o;
    cd_bvh tree;
    cd_bvh_winding winding;
    cd_status status;
    memset(&o, 0, sizeof o);
    SPOILED(winding);
    o.layout = variant;
    CHECK_INT(cd_bvh_build_mesh(&tree, &w.view, &o), CD_OK);
    begin(l);
    status = cd_bvh_winding_build(&winding, &tree, &l->allocator);
    end(l);
    END_OF_BLOCK(winding, true, cd_bvh_winding_destroy);
    cd_bvh_destroy(&tree);
    return status;
}

static cd_status try_bvh_compact_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_compact c;
    cd_status status;
    (void)variant;
    SPOILED(c);
    begin(l);
    status = cd_bvh_compact_build(&c, &w.box_tree, &l->allocator);
    end(l);
    if (status == CD_OK) mix(hash, c.index, c.bytes);
    if (status != CD_OK) CHECK(!c.index && !c.node && c.count == 0 && c.bytes == 0);
    cd_bvh_compact_destroy(&c);
    return status;
}

static cd_status try_kdtree_compact_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_kdtree_compact tree;
    cd_status status;
    SPOILED(tree);
    begin(l);
    status = cd_kdtree_compact_build(&tree, w.boxes, POINTS, 1 + 7 * variant, &l->allocator);
    end(l);
    END_OF_BLOCK(tree, true, cd_kdtree_compact_destroy);
    return status;
}

static cd_status try_bvh_instances_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o = tree_options(l, variant, 3);
    cd_bvh_instance in[30];
    cd_bvh_instances all;
    cd_status status;
    memset(in, 0, sizeof in);
    SPOILED(all);
    o.masks = NULL;
    o.flags = 0;
    for (int i = 0; i < 30; ++i) {
        in[i].tree = i % 2 ? &w.tree : &w.soup_tree;
        in[i].pose = cd_transform_identity();
        in[i].pose.position = w.boxes[i].min;
        in[i].mask = w.masks[i];
    }
    begin(l);
    status = cd_bvh_instances_build(&all, in, 30, &o);
    end(l);
    if (status == CD_OK) mix(hash, all.top.block, all.top.bytes);
    if (status != CD_OK) CHECK(IS_EMPTY(all.top) && !all.instance && all.count == 0);
    cd_bvh_instances_destroy(&all);
    return status;
}

static cd_status try_compound_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o = tree_options(l, variant, 3);
    cd_plane ground = {{0, 0, 1}, 0};
    cd_shape shapes[20];
    cd_placed_shape children[20];
    cd_compound compound;
    cd_status status;
    SPOILED(compound);
    o.masks = NULL;
    o.flags = 0;
    for (int i = 0; i < 20; ++i) {
        cd_shape s = i % 3 ? cd_shape_of_aabb(w.boxes[i]) : cd_shape_of_hull(&w.small);
        if (i == 7) s = cd_shape_of_halfspace(&ground);
        shapes[i] = s;
        children[i].shape = &shapes[i];
        children[i].pose = cd_transform_identity();
        children[i].pose.position = w.boxes[i].max;
    }
    begin(l);
    status = cd_compound_build(&compound, children, 20, &o);
    end(l);
    if (status == CD_OK) mix(hash, compound.tree.block, compound.tree.bytes);
    if (status != CD_OK)
        CHECK(IS_EMPTY(compound.tree) && !compound.children && !compound.owned && compound.count == 0);
    ASK("bad", cd_compound_destroy(&compound));
    return status;
}

static cd_status try_obbtree_build_mesh(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o = tree_options(l, variant, 1);
    cd_bvtree tree;
    cd_status status;
    SPOILED(tree);
    begin(l);
    status = cd_obbtree_build_mesh(&tree, &w.view, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvtree_validate(&tree) == CD_OK, cd_bvtree_destroy);
    return status;
}

static cd_status try_kdoptree_build_mesh(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_options o = tree_options(l, variant, 1);
    cd_bvtree tree;
    cd_status status;
    SPOILED(tree);
    begin(l);
    status = cd_kdoptree_build_mesh(&tree, &w.view, variant % 2 ? 14 : 26, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvtree_validate(&tree) == CD_OK, cd_bvtree_destroy);
    return status;
}

static cd_status try_spheretree_build_mesh(limit *l, uint32_t variant, uint64_t *hash) {
    cd_spheretree_options o;
    cd_bvtree tree;
    cd_status status;
    memset(&o, 0, sizeof o);
    SPOILED(tree);
    o.method = variant % 3;
    o.masks = variant % 2 ? w.masks : NULL;
    o.allocator = l->allocator;
    begin(l);
    status = cd_spheretree_build_mesh(&tree, &w.view, &o);
    end(l);
    END_OF_BLOCK(tree, cd_bvtree_validate(&tree) == CD_OK, cd_bvtree_destroy);
    return status;
}

/* ---- trees that are changed ---- */

/* A tree that cannot be built anew is refitted; only in the compact layout that cannot be done, and it stays as it is. */
static cd_status try_refit(limit *l, uint32_t kind, uint32_t layout, uint64_t *hash) {
    cd_bvh_options o;
    cd_bvh_refit_options how;
    cd_bvh_refit_result result;
    cd_bvh tree;
    cd_status status = CD_OK;
    uint64_t before = TEST_HASH_START, after = TEST_HASH_START;
    memset(&o, 0, sizeof o);
    memset(&how, 0, sizeof how);
    o.layout = layout;
    o.allocator = l->allocator;
    how.threshold = 1;
    if (kind == 0) status = cd_bvh_build_mesh(&tree, &w.view, &o);
    if (kind == 1) status = cd_bvh_build_boxes(&tree, w.boxes, POINTS, &o);
    if (kind == 2) status = cd_bvh_build_points(&tree, w.points, POINTS, &o);
    CHECK_INT(status, CD_OK);
    mix(&before, tree.block, tree.bytes);
    begin(l);
    if (kind == 0) status = cd_bvh_refit_mesh(&tree, &w.moved, &how, &result);
    if (kind == 1) status = cd_bvh_refit_boxes(&tree, w.new_boxes, POINTS, &how, &result);
    if (kind == 2) status = cd_bvh_refit_points(&tree, w.others, POINTS, &how, &result);
    end(l);
    CHECK(l->memory.live == 1 && l->memory.bytes == tree.bytes);
    if (status == CD_OK) {
        mix_answers(&tree, hash);
    } else {
        CHECK_INT(layout, CD_BVH_COMPACT);
        mix(&after, tree.block, tree.bytes);
        CHECK(after == before);
        CHECK_INT(cd_bvh_validate(&tree), CD_OK);
    }
    cd_bvh_destroy(&tree);
    return status;
}

static cd_status try_bvh_refit_mesh(limit *l, uint32_t variant, uint64_t *hash) {
    return try_refit(l, 0, variant, hash);
}

static cd_status try_bvh_refit_boxes(limit *l, uint32_t variant, uint64_t *hash) {
    return try_refit(l, 1, variant, hash);
}

static cd_status try_bvh_refit_points(limit *l, uint32_t variant, uint64_t *hash) {
    return try_refit(l, 2, variant, hash);
}

typedef struct noted {
    cd_pair *pairs;
    size_t count;
} noted;

static bool note_pair(void *user, cd_pair pair) {
    noted *n = (noted *)user;
    if (n->count < MOST_PAIRS) n->pairs[n->count] = pair;
    ++n->count;
    return true;
}

/* Pairs are right whatever the front has room for, and CD_OUT_OF_MEMORY is told by its status. */
static cd_status try_front(limit *l, int what, uint64_t *hash) {
    cd_bvh_front front;
    cd_transform pose = cd_transform_identity();
    uint32_t worst = CD_OK;
    memset(&front, 0, sizeof front);
    front.allocator = l->allocator;
    for (int k = 0; k < 3; ++k) {
        noted n = {NULL, 0};
        size_t count;
        n.pairs = w.got;
        count = what < 2 ? cd_bvh_within(&w.tree, &w.soup_tree, &pose, (cd_real)0.1, NULL, w.want, MOST_PAIRS)
                         : cd_bvh_self_pairs(&w.soup_tree, NULL, w.want, MOST_PAIRS);
        begin(l);
        if (what == 0)
            CHECK(cd_bvh_front_traverse(&front, &w.tree, &w.soup_tree, &pose, (cd_real)0.1, NULL, note_pair,
                                        &n));
        if (what == 1)
            n.count = cd_bvh_front_pairs(&front, &w.tree, &w.soup_tree, &pose, (cd_real)0.1, NULL, w.got,
                                         MOST_PAIRS);
        if (what == 2) CHECK(cd_bvh_front_traverse_self(&front, &w.soup_tree, NULL, note_pair, &n));
        if (what == 3) n.count = cd_bvh_front_self_pairs(&front, &w.soup_tree, NULL, w.got, MOST_PAIRS);
        end(l);
        CHECK(front.status == CD_OK || front.status == CD_OUT_OF_MEMORY);
        if (front.status != CD_OK) worst = front.status;
        CHECK(count > 0 && count <= MOST_PAIRS);
        CHECK(n.count == count && !memcmp(w.got, w.want, count * sizeof *w.got));
        mix(hash, w.got, count * sizeof *w.got);
        pose.position.x += (cd_real)0.01;
    }
    cd_bvh_front_destroy(&front);
    return (cd_status)worst;
}

static cd_status try_bvh_front_traverse(limit *l, uint32_t variant, uint64_t *hash) {
    (void)variant;
    return try_front(l, 0, hash);
}

static cd_status try_bvh_front_pairs(limit *l, uint32_t variant, uint64_t *hash) {
    (void)variant;
    return try_front(l, 1, hash);
}

static cd_status try_bvh_front_traverse_self(limit *l, uint32_t variant, uint64_t *hash) {
    (void)variant;
    return try_front(l, 2, hash);
}

static cd_status try_bvh_front_self_pairs(limit *l, uint32_t variant, uint64_t *hash) {
    (void)variant;
    return try_front(l, 3, hash);
}

static bool note_index(void *user, uint32_t index) {
    mix((uint64_t *)user, &index, sizeof index);
    return true;
}

/* All that can be seen of a tree: what it holds and, but for `loosely`, in which order. */
static uint64_t looks(const cd_dyntree *tree, bool loosely) {
    uint64_t hash = TEST_HASH_START;
    cd_aabb all = {{-100, -100, -100}, {100, 100, 100}};
    cd_pair moved[1];
    size_t count;
    CHECK_INT(cd_dyntree_validate(tree), CD_OK);
    for (uint32_t id = 0; id < POINTS; ++id) {
        cd_aabb box = cd_dyntree_get_box(tree, id), fat = cd_dyntree_get_fat_box(tree, id);
        uint32_t mask = cd_dyntree_get_mask(tree, id), there = cd_dyntree_contains(tree, id);
        mix(&hash, &there, sizeof there);
        if (there) mix(&hash, &box, sizeof box);
        if (there && !loosely) mix(&hash, &fat, sizeof fat);
        if (there) mix(&hash, &mask, sizeof mask);
    }
    if (!loosely) cd_bvh_overlap_aabb(&tree->bvh, all, NULL, note_index, &hash);
    count = cd_dyntree_moved_pairs(tree, NULL, moved, 0);
    mix(&hash, &count, sizeof count);
    return hash;
}

/* A tree with `count` objects, two of whose numbers are free again. */
static cd_dyntree dyn_begin(const limit *l, uint32_t count) {
    cd_dyntree_options o;
    cd_dyntree tree;
    memset(&o, 0, sizeof o);
    o.allocator = l->allocator;
    o.margin = (cd_real)0.1;
    CHECK_INT(cd_dyntree_init(&tree, &o), CD_OK);
    for (uint32_t i = 0; i < count; ++i)
        CHECK_INT(cd_dyntree_insert(&tree, w.boxes[i], w.masks[i], NULL), CD_OK);
    cd_dyntree_forget_moves(&tree);
    if (count > 8) CHECK(cd_dyntree_remove(&tree, 3) == CD_OK && cd_dyntree_remove(&tree, 7) == CD_OK);
    return tree;
}

/* One that has hardly a node to spare: what takes an object out and puts it in again asks for room first. */
static cd_dyntree dyn_full(const limit *l) {
    cd_dyntree tree = dyn_begin(l, 0);
    for (uint32_t i = 0; i < POINTS && (i < 50 || tree.node_count - tree.free_nodes + 3 <= tree.node_room);
         ++i)
        CHECK_INT(cd_dyntree_insert(&tree, w.boxes[i], w.masks[i], NULL), CD_OK);
    cd_dyntree_forget_moves(&tree);
    return tree;
}

static cd_status dyn_end(cd_dyntree *tree, cd_status status) {
    cd_dyntree_destroy(tree);
    return status;
}

/* What fails is done again with memory: all that can be seen at the end is the same. */
static cd_status try_dyntree_insert(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree tree = dyn_begin(l, 0);
    cd_status worst = CD_OK;
    uint64_t seen;
    (void)variant;
    for (uint32_t i = 0; i < POINTS / 2; ++i) {
        uint32_t id = 1000;
        uint64_t before = looks(&tree, false);
        cd_status status;
        begin(l);
        status = cd_dyntree_insert(&tree, w.boxes[i], i, &id);
        end(l);
        if (status != CD_OK) {
            worst = status;
            CHECK(id == 1000 && looks(&tree, false) == before);
            CHECK_INT(cd_dyntree_insert(&tree, w.boxes[i], i, &id), CD_OK);
        }
        CHECK_INT(id, i);
    }
    seen = looks(&tree, false);
    mix(hash, &seen, sizeof seen);
    return dyn_end(&tree, worst);
}

/* Where there is no memory for another place in the tree, an object keeps its own. */
static cd_status try_dyntree_move(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree tree = dyn_full(l);
    uint64_t seen;
    (void)variant;
    for (uint32_t i = 10; i < 40; ++i) {
        cd_status status;
        begin(l);
        status = cd_dyntree_move(&tree, i, w.new_boxes[i], cd_vec3_make(0, 1, 0));
        end(l);
        CHECK_INT(status, CD_OK);
    }
    seen = looks(&tree, true);
    mix(hash, &seen, sizeof seen);
    return dyn_end(&tree, CD_OK);
}

/* It does without. */
static cd_status try_dyntree_move_many(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree tree = dyn_begin(l, POINTS);
    uint32_t ids[POINTS], count = 0;
    uint64_t seen;
    cd_status status;
    cd_aabb boxes[POINTS];
    for (uint32_t i = 0; i < POINTS; ++i) {
        if (!cd_dyntree_contains(&tree, i) || i % (variant + 1)) continue;
        ids[count] = i;
        boxes[count++] = w.new_boxes[i];
    }
    begin(l);
    status = cd_dyntree_move_many(&tree, ids, boxes, NULL, count);
    end(l);
    CHECK_INT(status, CD_OK);
    seen = looks(&tree, true);
    mix(hash, &seen, sizeof seen);
    return dyn_end(&tree, status);
}

static cd_status try_dyntree_optimise(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree tree = dyn_full(l);
    uint64_t before = looks(&tree, true), seen;
    cd_status status;
    (void)variant;
    begin(l);
    status = cd_dyntree_optimise(&tree, 100);
    end(l);
    CHECK(looks(&tree, true) == before);
    if (status != CD_OK) CHECK_INT(cd_dyntree_optimise(&tree, 100), CD_OK);
    seen = looks(&tree, true);
    mix(hash, &seen, sizeof seen);
    return dyn_end(&tree, status);
}

static cd_status try_dyntree_rebuild(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree tree = dyn_begin(l, POINTS);
    cd_bvh_options o;
    uint64_t before = looks(&tree, false), seen;
    cd_status status;
    memset(&o, 0, sizeof o);
    o.method = variant;
    begin(l);
    status = cd_dyntree_rebuild(&tree, &o);
    end(l);
    if (status != CD_OK) {
        CHECK(looks(&tree, false) == before);
        CHECK_INT(cd_dyntree_rebuild(&tree, &o), CD_OK);
    }
    seen = looks(&tree, false);
    mix(hash, &seen, sizeof seen);
    return dyn_end(&tree, status);
}

/* A tree that is there, or empty. */
static cd_status end_of_dyntree(cd_dyntree *tree, cd_status status, uint64_t *hash) {
    uint64_t seen = looks(tree, false);
    if (status == CD_OK) mix(hash, &seen, sizeof seen);
    if (status != CD_OK)
        CHECK(cd_dyntree_count(tree) == 0 && !tree->block && !tree->place && !tree->place_room);
    return dyn_end(tree, status);
}

static cd_status try_dyntree_init(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree_options o;
    cd_dyntree tree;
    cd_status status;
    memset(&o, 0, sizeof o);
    SPOILED(tree);
    o.allocator = l->allocator;
    o.capacity = 10 + 100 * variant;
    begin(l);
    status = cd_dyntree_init(&tree, &o);
    end(l);
    return end_of_dyntree(&tree, status, hash);
}

static cd_status try_dyntree_build(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree_options o;
    cd_dyntree tree;
    cd_status status;
    memset(&o, 0, sizeof o);
    SPOILED(tree);
    o.allocator = l->allocator;
    o.capacity = variant * 2 * POINTS;
    begin(l);
    status = cd_dyntree_build(&tree, w.boxes, variant ? w.masks : NULL, POINTS, &o);
    end(l);
    return end_of_dyntree(&tree, status, hash);
}

static cd_status try_dyntree_copy(limit *l, uint32_t variant, uint64_t *hash) {
    cd_dyntree tree = dyn_begin(l, POINTS), copy;
    uint64_t before = looks(&tree, false);
    cd_status status;
    (void)variant;
    SPOILED(copy);
    begin(l);
    status = cd_dyntree_copy(&copy, &tree, &l->allocator);
    end(l);
    CHECK(looks(&tree, false) == before);
    if (status == CD_OK) CHECK(looks(&copy, false) == before);
    dyn_end(&tree, CD_OK);
    return end_of_dyntree(&copy, status, hash);
}

/* ---- trees of spheres that are changed ---- */

static cd_sphere sphere_at(uint32_t i) {
    cd_sphere s;
    s.center = w.boxes[i].min;
    s.radius = (cd_real)0.7;
    return s;
}

static uint64_t looks_of_spheres(const cd_bvh_spheres *tree) {
    uint64_t hash = TEST_HASH_START;
    uint32_t height = cd_bvh_spheres_height(tree);
    cd_sphere all = {{0, 0, 0}, 1000};
    CHECK_INT(cd_bvh_spheres_validate(tree), CD_OK);
    mix(&hash, &height, sizeof height);
    for (uint32_t id = 0; id < POINTS; ++id) {
        cd_sphere s = cd_bvh_spheres_get(tree, id);
        uint32_t mask = cd_bvh_spheres_get_mask(tree, id);
        mix(&hash, &s, sizeof s);
        mix(&hash, &mask, sizeof mask);
    }
    cd_bvh_spheres_overlap(tree, all, NULL, note_index, &hash);
    return hash;
}

static cd_status end_of_spheres(cd_bvh_spheres *tree, cd_status status, uint64_t *hash) {
    uint64_t seen = looks_of_spheres(tree);
    if (status == CD_OK) mix(hash, &seen, sizeof seen);
    if (status != CD_OK) CHECK(!tree->nodes && tree->capacity == 0 && tree->count == 0);
    cd_bvh_spheres_destroy(tree);
    return status;
}

static cd_status try_bvh_spheres_init(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_spheres_options o;
    cd_bvh_spheres tree;
    cd_status status;
    memset(&o, 0, sizeof o);
    SPOILED(tree);
    o.allocator = l->allocator;
    o.capacity = 10 + 100 * variant;
    begin(l);
    status = cd_bvh_spheres_init(&tree, &o);
    end(l);
    return end_of_spheres(&tree, status, hash);
}

static cd_status try_bvh_insert_sphere(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_spheres_options o;
    cd_bvh_spheres tree;
    cd_status worst = CD_OK;
    uint64_t seen;
    memset(&o, 0, sizeof o);
    o.allocator = l->allocator;
    o.flags = variant;
    CHECK_INT(cd_bvh_spheres_init(&tree, &o), CD_OK);
    for (uint32_t i = 0; i < POINTS / 2; ++i) {
        uint32_t id = 1000;
        uint64_t before = looks_of_spheres(&tree);
        cd_status status;
        begin(l);
        status = cd_bvh_insert_sphere(&tree, sphere_at(i), i, &id);
        end(l);
        if (status != CD_OK) {
            worst = status;
            CHECK(id == 1000 && looks_of_spheres(&tree) == before);
            CHECK_INT(cd_bvh_insert_sphere(&tree, sphere_at(i), i, &id), CD_OK);
        }
        CHECK_INT(id, i);
    }
    seen = looks_of_spheres(&tree);
    mix(hash, &seen, sizeof seen);
    cd_bvh_spheres_destroy(&tree);
    return worst;
}

static cd_status try_bvh_spheres_copy(limit *l, uint32_t variant, uint64_t *hash) {
    cd_bvh_spheres tree, copy;
    cd_status status;
    uint64_t before;
    memset(&tree, 0, sizeof tree);
    SPOILED(copy);
    (void)variant;
    for (uint32_t i = 0; i < POINTS; ++i)
        CHECK_INT(cd_bvh_insert_sphere(&tree, sphere_at(i), i, NULL), CD_OK);
    before = looks_of_spheres(&tree);
    begin(l);
    status = cd_bvh_spheres_copy(&copy, &tree, &l->allocator);
    end(l);
    CHECK(looks_of_spheres(&tree) == before);
    cd_bvh_spheres_destroy(&tree);
    return end_of_spheres(&copy, status, hash);
}

/* ---- all of them ---- */

typedef struct row {
    const char *name;
    cd_status (*attempt)(limit *l, uint32_t variant, uint64_t *hash);
    uint32_t variants;
} row;

#define ROW(function, variants)                                                                              \
    { #function, try_##function, variants }

static const row rows[] = {
    ROW(hull3_build, 4),
    ROW(hull3_build_mesh, 1),
    ROW(hull_simplify, 5),
    ROW(minkowski_sum3, 2),
    ROW(minkowski_difference3, 2),
    ROW(minkowski_locate_origin3, 2),
    ROW(points_hull_first, 1),
    ROW(hull_approx_make, 2),
    ROW(kdop_vertices_dual, 2),
    ROW(obb_pca, 2),
    ROW(obb_min_volume, 1),
    ROW(obb_refine, 1),
    ROW(min_area_rect, 1),
    ROW(min_area_rect_calipers, 1),
    ROW(dk_hierarchy_build, 2),
    ROW(mesh_euler, 1),
    ROW(is_convex_polyhedron, 1),
    ROW(lp_seidel2, 1),
    ROW(lp_seidel3, 1),
    ROW(halfplanes_interior_point, 1),
    ROW(halfspaces_interior_point, 1),
    ROW(bvh_build_mesh, 36),
    ROW(bvh_build_boxes, 25),
    ROW(bvh_build_points, 12),
    ROW(bvh_build_heights, 2),
    ROW(bvh_convert, 16),
    ROW(bvh_from_nodes, 6),
    ROW(bvh_collapse, 3),
    ROW(bvh_winding_build, 4),
    ROW(bvh_compact_build, 1),
    ROW(kdtree_compact_build, 2),
    ROW(bvh_instances_build, 12),
    ROW(compound_build, 12),
    ROW(obbtree_build_mesh, 12),
    ROW(kdoptree_build_mesh, 12),
    ROW(spheretree_build_mesh, 6),
    ROW(bvh_refit_mesh, 4),
    ROW(bvh_refit_boxes, 3),
    ROW(bvh_refit_points, 3),
    ROW(bvh_front_traverse, 1),
    ROW(bvh_front_pairs, 1),
    ROW(bvh_front_traverse_self, 1),
    ROW(bvh_front_self_pairs, 1),
    ROW(dyntree_init, 2),
    ROW(dyntree_build, 2),
    ROW(dyntree_insert, 1),
    ROW(dyntree_move, 1),
    ROW(dyntree_move_many, 2),
    ROW(dyntree_optimise, 1),
    ROW(dyntree_rebuild, 12),
    ROW(dyntree_copy, 1),
    ROW(bvh_spheres_init, 2),
    ROW(bvh_insert_sphere, 2),
    ROW(bvh_spheres_copy, 1),
};

/* Once, with the allocation of that number failing; how many there were. */
static long attempt(const row *r, uint32_t variant, long refused, bool rest, cd_status *status,
                    uint64_t *hash) {
    limit l;
    memset(&l, 0, sizeof l);
    l.memory.allowed = 1000000;
    l.inner = test_allocator(&l.memory);
    l.allocator.user = &l;
    l.allocator.alloc = limited_alloc;
    l.allocator.free = limited_free;
    l.refused = refused;
    l.rest = rest;
    l.fill = (int)(0xA5 + 7 * refused) & 0xFF;
    *hash = TEST_HASH_START;
    test_note("cd_%s, variant %u, allocation %ld%s", r->name, (unsigned)variant, refused,
              rest ? " and all after it" : "");
    *status = r->attempt(&l, variant, hash);
    CHECK(l.memory.live == 0 && l.memory.bytes == 0);
    return l.calls;
}

/* Where there are very many, not each of those in the middle is tried in small runs. */
static long next_one(long n, long calls) {
    long step = test_is_tiny() ? 41 : test_times(100) < 100 ? 13 : 1;
    return n < 20 || n >= calls - 20 ? n + 1 : n + step > calls - 20 ? calls - 20 : n + step;
}

/* A result is the same however it came about; without one it is said that there was no memory. */
static void fail_every_allocation(const row *r, uint32_t variant) {
    cd_status status;
    uint64_t want, got;
    long calls = attempt(r, variant, -1, false, &status, &want);
    CHECK_INT(status, CD_OK);
    CHECK(calls > 0 && want != TEST_HASH_START);
    for (int rest = 0; rest < 2; ++rest) {
        for (long n = 0; n < calls; n = next_one(n, calls)) {
            attempt(r, variant, n, rest, &status, &got);
            CHECK(status == CD_OK || status == CD_OUT_OF_MEMORY);
            CHECK(got == want || (status == CD_OUT_OF_MEMORY && got == TEST_HASH_START));
        }
    }
}

static void every_allocation_may_fail(void) {
    uint32_t step = test_is_tiny() ? 5 : 1;
    world_begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        for (uint32_t k = 0; k < rows[i].variants; k += step) {
            if (k == 24 && test_times(10) < 4) break; /* the large one */
            fail_every_allocation(&rows[i], k);
        }
    }
    world_end();
}

/* ---- blocks of the caller's ---- */

#define VIEW_OF(type)                                                                                        \
    static cd_status view_of_##type(const void *bytes, size_t size) {                                        \
        cd_##type view;                                                                                      \
        cd_status status;                                                                                    \
        SPOILED(view);                                                                                       \
        status = cd_##type##_view(&view, bytes, size);                                                       \
        if (status == CD_OK) CHECK(view.block == bytes && view.bytes == size && !view.owned);                \
        if (status != CD_OK) CHECK(IS_EMPTY(view));                                                          \
        cd_##type##_destroy(&view);                                                                          \
        return status;                                                                                       \
    }
VIEW_OF(bvh)
VIEW_OF(hull)
VIEW_OF(bvtree)
VIEW_OF(dk_hierarchy)
VIEW_OF(kdtree_compact)
VIEW_OF(bvh_winding)

typedef cd_status (*view_fn)(const void *bytes, size_t size);

/* The bytes in a block of just that size, which sanitizers watch; then with less of them, and shifted. */
static void try_views(const char *name, view_fn view, const void *block, size_t bytes) {
    static const size_t less[] = {1, 4, 8, 63, 64};
    test_memory memory = {100, 0, 0};
    cd_allocator a = test_allocator(&memory);
    for (size_t size = 0; size <= bytes; size = size < 80 ? size + 1 : bytes + (size == bytes)) {
        void *copy = a.alloc(a.user, size + !size, 64);
        test_note("cd_%s_view of %lu bytes of %lu", name, (unsigned long)size, (unsigned long)bytes);
        if (!CHECK(copy != NULL)) return;
        memcpy(copy, block, size);
        CHECK_INT(view(copy, size), size == bytes ? CD_OK : CD_CORRUPT);
        a.free(a.user, copy, size + !size);
    }
    for (size_t i = 0; i < sizeof less / sizeof *less; ++i) {
        size_t size = bytes - less[i];
        void *copy = a.alloc(a.user, size, 64);
        test_note("cd_%s_view of %lu bytes of %lu", name, (unsigned long)size, (unsigned long)bytes);
        if (!CHECK(copy != NULL)) return;
        memcpy(copy, block, size);
        CHECK_INT(view(copy, size), CD_CORRUPT);
        a.free(a.user, copy, size);
    }
    for (size_t shift = 1; shift < 64; shift *= 2) {
        char *copy = (char *)a.alloc(a.user, bytes + shift, 64);
        test_note("cd_%s_view, %lu bytes farther", name, (unsigned long)shift);
        if (!CHECK(copy != NULL)) return;
        memcpy(copy + shift, block, bytes);
        CHECK_INT(view(copy + shift, bytes), CD_INVALID_ARGUMENT);
        a.free(a.user, copy, bytes + shift);
    }
    CHECK_INT(view(NULL, 0), CD_INVALID_ARGUMENT);
    CHECK_INT(memory.live, 0);
}

static void views_want_all_bytes_and_aligned(void) {
    cd_bvh_options o;
    cd_bvtree tree;
    cd_dk_hierarchy dk;
    cd_kdtree_compact kd;
    cd_bvh_winding winding;
    memset(&o, 0, sizeof o);
    world_begin();
    CHECK_INT(cd_obbtree_build_mesh(&tree, &w.view, NULL), CD_OK);
    CHECK_INT(cd_dk_hierarchy_build(&dk, &w.hull, NULL), CD_OK);
    CHECK_INT(cd_kdtree_compact_build(&kd, w.boxes, POINTS, 4, NULL), CD_OK);
    CHECK_INT(cd_bvh_winding_build(&winding, &w.tree, NULL), CD_OK);
    try_views("hull", view_of_hull, w.hull.block, w.hull.bytes);
    try_views("bvtree", view_of_bvtree, tree.block, tree.bytes);
    try_views("dk_hierarchy", view_of_dk_hierarchy, dk.block, dk.bytes);
    try_views("kdtree_compact", view_of_kdtree_compact, kd.block, kd.bytes);
    try_views("bvh_winding", view_of_bvh_winding, winding.block, winding.bytes);
    for (o.layout = 0; o.layout < 4; ++o.layout) {
        cd_bvh bvh;
        CHECK_INT(cd_bvh_build_mesh(&bvh, &w.view, &o), CD_OK);
        try_views("bvh", view_of_bvh, bvh.block, bvh.bytes);
        cd_bvh_destroy(&bvh);
    }
    cd_bvtree_destroy(&tree);
    cd_dk_hierarchy_destroy(&dk);
    cd_kdtree_compact_destroy(&kd);
    cd_bvh_winding_destroy(&winding);
    world_end();
}

void suite_memory(void);
void suite_memory(void) {
    RUN(every_allocation_may_fail);
    RUN(views_want_all_bytes_and_aligned);
}
