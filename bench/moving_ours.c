/* moving_ours: this library: the tree of moving boxes, and still trees built anew each frame. Compiled once for each set of
 * compiler flags that is measured, each with a copy of the library of its own: BENCH_NAME is what the lines call it,
 * BENCH_MOVING names the table. */
#include "moving.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

typedef struct world {
    cd_dyntree tree;
    cd_aabb *boxes;
    uint32_t *ids;
    cd_pair *pairs;
    size_t room;
} world;

static void check(cd_status status) {
    if (status == CD_OK) return;
    fprintf(stderr, "bench: %s\n", cd_status_text(status));
    exit(1);
}

static cd_aabb box_of(const bench_box *b) {
    cd_aabb box;
    box.min = cd_vec3_make((cd_real)b->lo[0], (cd_real)b->lo[1], (cd_real)b->lo[2]);
    box.max = cd_vec3_make((cd_real)b->hi[0], (cd_real)b->hi[1], (cd_real)b->hi[2]);
    return box;
}

static world *make_world(int count) {
    world *w = (world *)pg_alloc(sizeof *w);
    memset(w, 0, sizeof *w);
    w->room = 40 * (size_t)count;
    w->boxes = (cd_aabb *)pg_alloc((size_t)count * sizeof *w->boxes);
    w->ids = (uint32_t *)pg_alloc((size_t)count * sizeof *w->ids);
    w->pairs = (cd_pair *)pg_alloc(w->room * sizeof *w->pairs);
    return w;
}

static void *create(const bench_box *boxes, int count) {
    world *w = make_world(count);
    for (int i = 0; i < count; ++i) w->boxes[i] = box_of(&boxes[i]);
    check(cd_dyntree_build(&w->tree, w->boxes, NULL, (uint32_t)count, NULL));
    return w;
}

static void destroy(void *p) {
    world *w = (world *)p;
    cd_dyntree_destroy(&w->tree);
    free(w->boxes);
    free(w->ids);
    free(w->pairs);
    free(w);
}

/* ---- frames ---- */

static bench_answer all_pairs(world *w, const cd_bvh *tree) {
    bench_answer a = {0, 0, 0.0};
    a.count = cd_bvh_self_pairs(tree, NULL, w->pairs, w->room);
    for (size_t i = 0; i < a.count && i < w->room; ++i)
        a.index_sum += (uint64_t)w->pairs[i].a + (uint64_t)w->pairs[i].b;
    return a;
}

/* Tight boxes: where a large part of all moves, fat ones cost more than they save. */
static bench_answer moved_frame(void *p, const bench_frame *f) {
    world *w = (world *)p;
    uint32_t count = 0;
    for (int i = 0; i < f->count; i += f->every) {
        w->boxes[count] = box_of(&f->boxes[i]);
        w->ids[count++] = (uint32_t)i;
    }
    check(cd_dyntree_move_many(&w->tree, f->every == 1 ? NULL : w->ids, w->boxes, NULL, count));
    return all_pairs(w, &w->tree.bvh);
}

static bench_answer built_frame(world *w, const bench_frame *f, cd_bvh_method method) {
    cd_bvh_options o;
    cd_bvh tree;
    bench_answer a;
    memset(&o, 0, sizeof o);
    o.method = (uint32_t)method;
    for (int i = 0; i < f->count; ++i) w->boxes[i] = box_of(&f->boxes[i]);
    check(cd_bvh_build_boxes(&tree, w->boxes, (uint32_t)f->count, &o));
    a = all_pairs(w, &tree);
    cd_bvh_destroy(&tree);
    return a;
}

static bench_answer linear_frame(void *p, const bench_frame *f) {
    return built_frame((world *)p, f, CD_BVH_LINEAR);
}

static bench_answer binned_frame(void *p, const bench_frame *f) {
    return built_frame((world *)p, f, CD_BVH_SAH_BINNED);
}

/* ---- the rest ---- */

static bench_answer churn(const bench_box *boxes, const int *order, int count) {
    bench_answer a = {0, 0, 0.0};
    cd_dyntree tree;
    check(cd_dyntree_init(&tree, NULL));
    for (int i = 0; i < count; ++i) {
        cd_aabb box = box_of(&boxes[i]);
        uint32_t id;
        check(cd_dyntree_insert(&tree, box, 0, &id));
        bench_found(&a, id);
    }
    for (int i = 0; i < count; ++i) check(cd_dyntree_remove(&tree, (uint32_t)order[i]));
    cd_dyntree_destroy(&tree);
    return a;
}

static bench_answer rays(void *p, const pg_ray *from, int count) {
    const world *w = (const world *)p;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_ray r;
        r.origin = cd_vec3_make((cd_real)from[i].o[0], (cd_real)from[i].o[1], (cd_real)from[i].o[2]);
        r.dir = cd_vec3_make((cd_real)from[i].d[0], (cd_real)from[i].d[1], (cd_real)from[i].d[2]);
        a.count += cd_bvh_cast_ray_all(&w->tree.bvh, &r, 1, NULL, NULL, 0);
    }
    return a;
}

static bool add(void *user, uint32_t index) {
    bench_found((bench_answer *)user, index);
    return true;
}

static bench_answer boxes_in(void *p, const bench_box *boxes, int count) {
    const world *w = (const world *)p;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_aabb box = box_of(&boxes[i]);
        cd_bvh_overlap_aabb(&w->tree.bvh, box, NULL, add, &a);
    }
    return a;
}

enum { ANY = 1 << 30 };

const bench_moving BENCH_MOVING[] = {
    {BENCH_NAME, ANY, create, destroy, moved_frame, churn, rays, boxes_in},
    {BENCH_NAME "-rebuilt-linear", ANY, create, destroy, linear_frame, NULL, NULL, NULL},
    {BENCH_NAME "-rebuilt", ANY, create, destroy, binned_frame, NULL, NULL, NULL},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
