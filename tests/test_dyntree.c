/* The tree of moving boxes beside a list of them: random changes of every kind in worlds of every kind, after which the tree is
 * sound, knows what the list knows, and answers every query as a loop over the list or a still tree over it does. */
#include "gen.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 192, ROOM = MOST * MOST };

/* ---- worlds ---- */

typedef enum world_kind {
    EVEN,
    CLUSTERED,
    ONE_PLACE,
    IN_LINE, /* sorted: each farther than all before */
    GROWING, /* ever farther away, until 2^50 */
    SHRINKING,
    MINUTE,
    VAST,
    ALL_SIZES,
    DOTS,
    GRID, /* boxes that touch, and equal ones */
    NESTED,
    KINDS
} world_kind;

/* What the tree has to know. */
typedef struct list {
    cd_aabb box[MOST];
    uint32_t mask[MOST], freed[MOST], freed_count, end, count;
    bool live[MOST], moved[MOST];
} list;

typedef struct world {
    cd_dyntree tree;
    list known;
    world_kind kind;
    double size, share; /* of where things are; of a thing in that */
    uint32_t born;
    cd_vec3 cluster[4];
    bool has_balls; /* the boxes stand for balls */
    cd_bvh_custom custom;
} world;

static cd_vec3 vec_of(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static cd_vec3 vec_in(test_rng *rng, double size) {
    double x = test_range(rng, -size, size), y = test_range(rng, -size, size),
           z = test_range(rng, -size, size);
    return vec_of(x, y, z);
}

static void world_begin(world *w, test_rng *rng, world_kind kind) {
    static const double shares[4] = {0.02, 0.1, 0.1, 0.5};
    memset(w, 0, sizeof *w);
    w->kind = kind;
    w->size = kind == SHRINKING ? 0x100000000
              : kind == MINUTE  ? ldexp(1, -55)
              : kind == VAST    ? ldexp(1, 55)
                                : 1;
    w->share = shares[test_int(rng, 0, 3)];
    for (int i = 0; i < 4; ++i) {
        cd_vec3 p = vec_in(rng, w->size);
        w->cluster[i] = p;
    }
}

static cd_vec3 draw_middle(world *w, test_rng *rng) {
    gen g;
    switch (w->kind) {
    case CLUSTERED: return cd_vec3_add(w->cluster[test_int(rng, 0, 3)], vec_in(rng, 0.05 * w->size));
    case ONE_PLACE: return w->cluster[0];
    case IN_LINE: return vec_of(0.01 * w->born, 0, 0);
    case GROWING:
        if (w->size < ldexp(1, 50)) w->size *= 1.1;
        return vec_in(rng, w->size);
    case SHRINKING:
        if (w->size > ldexp(1, -50)) w->size /= 1.1;
        return vec_in(rng, w->size);
    case ALL_SIZES: g = gen_begin(rng, GEN_WIDE); return gen_point(&g);
    case GRID: {
        int x = test_int(rng, -3, 3), y = test_int(rng, -3, 3), z = test_int(rng, -3, 3);
        return vec_of(x, y, z);
    }
    case NESTED: return vec_of(0, 0, 0);
    default: return vec_in(rng, w->size);
    }
}

static cd_vec3 draw_half(world *w, test_rng *rng) {
    double half[3];
    for (int k = 0; k < 3; ++k) {
        half[k] = w->size * w->share * test_unit(rng);
        if (!test_int(rng, 0, 9) || w->kind == DOTS) half[k] = 0;
        if (w->kind == GRID) half[k] = 0.5 * test_int(rng, 0, 2);
        if (w->kind == NESTED) half[k] = ldexp(1, (int)(w->born % 80) - 40);
    }
    return vec_of(half[0], half[1], half[2]);
}

static cd_aabb draw_box(world *w, test_rng *rng) {
    cd_vec3 middle = draw_middle(w, rng), half = draw_half(w, rng);
    cd_aabb b;
    ++w->born;
    b.min = cd_vec3_sub(middle, half);
    b.max = cd_vec3_add(middle, half);
    return b;
}

/* A number of an object at random, or of none. */
static uint32_t any_id(const world *w, test_rng *rng) {
    return (uint32_t)test_int(rng, 0, (int)w->known.end + 1);
}

/* The number of an object; there has to be one. */
static uint32_t live_id(const world *w, test_rng *rng) {
    uint32_t id;
    do id = (uint32_t)test_int(rng, 0, (int)w->known.end - 1);
    while (!w->known.live[id]);
    return id;
}

static bool same_box(cd_aabb a, cd_aabb b) {
    return !memcmp(&a, &b, sizeof a);
}

static bool contains(cd_aabb a, cd_aabb b) {
    return cd_vec3_min(a.min, b.min).x == a.min.x && a.min.y <= b.min.y && a.min.z <= b.min.z &&
           a.max.x >= b.max.x && a.max.y >= b.max.y && a.max.z >= b.max.z;
}

/* ---- what the tree knows ---- */

static void check_one(const world *w, uint32_t id) {
    const list *l = &w->known;
    bool live = id < l->end && l->live[id];
    cd_aabb box = ASK("loop", cd_dyntree_get_box(&w->tree, id)),
            fat = ASK("loop", cd_dyntree_get_fat_box(&w->tree, id));
    CHECK_INT(ASK("loop", cd_dyntree_contains(&w->tree, id)), live);
    CHECK_INT(ASK("loop", cd_dyntree_get_mask(&w->tree, id)), live ? l->mask[id] : 0);
    if (!live) {
        CHECK(cd_aabb_is_empty(box) && cd_aabb_is_empty(fat));
        return;
    }
    CHECK(same_box(box, l->box[id]));
    CHECK(contains(fat, box) && cd_aabb_is_valid(fat));
}

static void check_counts(const world *w) {
    CHECK_INT(ASK("judge", cd_dyntree_validate(&w->tree)), CD_OK);
    CHECK_INT(ASK("loop", cd_dyntree_count(&w->tree)), w->known.count);
    CHECK_INT(ASK("loop", cd_bvh_count(&w->tree.bvh)), w->known.count);
    if (w->known.count) CHECK_INT(ASK("exact", cd_bvh_get_kind(&w->tree.bvh)), CD_BVH_BOXES);
}

static void check_all(const world *w) {
    cd_aabb all = ASK("loop", cd_bvh_bounds(&w->tree.bvh));
    check_counts(w);
    for (uint32_t id = 0; id <= w->known.end; ++id) {
        check_one(w, id);
        if (id < w->known.end && w->known.live[id]) CHECK(contains(all, w->known.box[id]));
    }
    if (!w->known.count) CHECK(cd_aabb_is_empty(all));
    check_one(w, CD_NONE);
    check_one(w, 0x80000000u);
}

/* ---- changes, of the tree and of the list ---- */

static uint32_t next_id(const list *l) {
    return l->freed_count ? l->freed[l->freed_count - 1] : l->end;
}

static void list_insert(list *l, cd_aabb box, uint32_t mask) {
    uint32_t id = next_id(l);
    if (l->freed_count) {
        --l->freed_count;
    } else {
        ++l->end;
    }
    ++l->count;
    l->box[id] = box;
    l->mask[id] = mask;
    l->live[id] = l->moved[id] = true;
}

static void insert(world *w, cd_aabb box, uint32_t mask) {
    uint32_t id = CD_NONE;
    if (w->known.end == MOST && !w->known.freed_count) return;
    CHECK_INT(ASK("loop", cd_dyntree_insert(&w->tree, box, mask, &id)), CD_OK);
    CHECK_INT(id, next_id(&w->known));
    list_insert(&w->known, box, mask);
}

static void remove_id(world *w, uint32_t id) {
    CHECK_INT(ASK("loop", cd_dyntree_remove(&w->tree, id)), CD_OK);
    w->known.live[id] = w->known.moved[id] = false;
    w->known.freed[w->known.freed_count++] = id;
    --w->known.count;
}

/* A little way, a long one, or none; and what is foreseen. */
static cd_aabb draw_move(world *w, test_rng *rng, uint32_t id, cd_vec3 *motion) {
    cd_aabb box = w->known.box[id];
    int how = test_int(rng, 0, 9);
    double size = w->kind == ALL_SIZES || w->kind == NESTED ? (double)(box.max.x - box.min.x) : w->size;
    cd_vec3 way = vec_in(rng, how < 7 ? 0.02 * size : size);
    *motion = test_int(rng, 0, 2) ? cd_vec3_scale(way, (cd_real)test_range(rng, -1, 4)) : vec_of(0, 0, 0);
    if (how == 9) return box;
    if (how == 8) return draw_box(w, rng);
    if (w->kind == GRID) way = vec_of(test_int(rng, -1, 1), 0, 0);
    box.min = cd_vec3_add(box.min, way);
    box.max = cd_vec3_add(box.max, way);
    return box;
}

static void list_move(list *l, uint32_t id, cd_aabb box) {
    l->box[id] = box;
    l->moved[id] = true;
}

static void move_one(world *w, test_rng *rng) {
    uint32_t id = live_id(w, rng);
    cd_vec3 motion;
    cd_aabb box = draw_move(w, rng, id, &motion);
    CHECK_INT(ASK("loop", cd_dyntree_move(&w->tree, id, box, motion)), CD_OK);
    list_move(&w->known, id, box);
    check_one(w, id);
}

/* Some, with repetitions, or the first ones of all. */
static void move_many(world *w, test_rng *rng) {
    static uint32_t ids[2 * MOST];
    static cd_aabb boxes[2 * MOST];
    static cd_vec3 motions[2 * MOST];
    cd_aabb box;
    bool some = test_int(rng, 0, 2) != 0, foreseen = test_int(rng, 0, 1) != 0;
    uint32_t count = 0, most = (uint32_t)test_int(rng, 0, test_int(rng, 0, 3) ? 8 : (int)w->known.count + 8);
    while (count < most && (some || (count < w->known.end && w->known.live[count]))) {
        ids[count] = some ? live_id(w, rng) : count;
        box = draw_move(w, rng, ids[count], &motions[count]);
        boxes[count++] = box;
    }
    CHECK_INT(ASK("loop",
                  cd_dyntree_move_many(&w->tree, some ? ids : NULL, boxes, foreseen ? motions : NULL, count)),
              CD_OK);
    for (uint32_t i = 0; i < count; ++i) list_move(&w->known, ids[i], boxes[i]);
}

static void set_mask(world *w, test_rng *rng) {
    uint32_t id = live_id(w, rng), mask = (uint32_t)test_int(rng, 0, 15);
    CHECK_INT(ASK("loop", cd_dyntree_set_mask(&w->tree, id, mask)), CD_OK);
    w->known.mask[id] = mask;
}

static void forget(world *w) {
    ASK("loop", cd_dyntree_forget_moves(&w->tree));
    memset(w->known.moved, 0, sizeof w->known.moved);
}

static void rebuild(world *w, test_rng *rng) {
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.method = (uint32_t)test_int(rng, 0, 11);
    o.optimise = (uint32_t)test_int(rng, 0, 1);
    CHECK_INT(ASK("loop", cd_dyntree_rebuild(&w->tree, test_int(rng, 0, 1) ? &o : NULL)), CD_OK);
}

static void copy(world *w) {
    cd_dyntree other;
    CHECK_INT(ASK("loop", cd_dyntree_copy(&other, &w->tree, &w->tree.options.allocator)), CD_OK);
    CHECK(other.bvh.custom == w->tree.bvh.custom);
    CHECK(other.options.margin == w->tree.options.margin);
    cd_dyntree_destroy(&w->tree);
    w->tree = other;
}

/* A box, id or motion that is refused, and changes nothing. */
static void refuse(world *w, test_rng *rng) {
    static cd_aabb all[MOST + 1];
    uint32_t bad_id = any_id(w, rng), id = 77;
    cd_real bad = (cd_real)(test_int(rng, 0, 1) ? NAN : test_int(rng, 0, 1) ? INFINITY : -INFINITY);
    cd_aabb box = draw_box(w, rng), good = box, two[2];
    cd_vec3 still = vec_of(0, 0, 0), motion = still;
    REALS(motion)[test_int(rng, 0, 2)] = bad;
    if (test_int(rng, 0, 3)) {
        REALS(box)[test_int(rng, 0, 5)] = bad;
    } else {
        box = cd_aabb_empty();
    }
    CHECK_INT(ASK("bad", cd_dyntree_insert(&w->tree, box, 1, &id)), CD_INVALID_ARGUMENT);
    while (bad_id < w->known.end && w->known.live[bad_id]) ++bad_id;
    CHECK_INT(ASK("bad", cd_dyntree_remove(&w->tree, bad_id)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_dyntree_move(&w->tree, bad_id, good, still)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_dyntree_set_mask(&w->tree, bad_id, 3)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_dyntree_move_many(&w->tree, &bad_id, &good, NULL, 1)), CD_INVALID_ARGUMENT);
    if (!w->known.count) return;
    id = live_id(w, rng);
    CHECK_INT(ASK("bad", cd_dyntree_move(&w->tree, id, box, still)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_dyntree_move(&w->tree, id, good, motion)), CD_INVALID_ARGUMENT);
    two[0] = good;
    two[1] = box;
    for (int i = 0; i < 3; ++i) {
        uint32_t ids[2];
        cd_vec3 motions[2];
        ids[0] = id;
        ids[1] = i == 1 ? bad_id : id;
        motions[0] = still;
        motions[1] = i == 2 ? motion : still;
        two[1] = i == 0 ? box : good;
        CHECK_INT(ASK("bad", cd_dyntree_move_many(&w->tree, ids, two, motions, 2)), CD_INVALID_ARGUMENT);
    }
    for (uint32_t i = 0; i <= w->known.end; ++i) all[i] = good;
    CHECK_INT(ASK("bad", cd_dyntree_move_many(&w->tree, NULL, all, NULL, w->known.end + 1)),
              CD_INVALID_ARGUMENT);
}

/* One change; `wish` objects are what the world comes to have. */
static void change(world *w, test_rng *rng, uint32_t wish) {
    int how = test_int(rng, 0, 99);
    if (how < 40) {
        bool more = w->known.count < (uint32_t)test_int(rng, 0, 2 * (int)wish);
        if (!w->known.count || more) {
            cd_aabb box = draw_box(w, rng);
            insert(w, box, (uint32_t)test_int(rng, 0, 15));
        } else {
            remove_id(w, live_id(w, rng));
        }
    } else if (!w->known.count) {
        rebuild(w, rng);
    } else if (how < 80) {
        move_one(w, rng);
    } else if (how < 88) {
        move_many(w, rng);
    } else if (how < 91) {
        set_mask(w, rng);
    } else if (how < 94) {
        CHECK_INT(ASK("loop", cd_dyntree_optimise(&w->tree, (uint32_t)test_int(rng, 0, 12))), CD_OK);
    } else if (how < 95) {
        rebuild(w, rng);
    } else if (how < 96) {
        copy(w);
    } else if (how < 98) {
        forget(w);
    } else {
        refuse(w, rng);
    }
}

/* Memory that is never empty when it is given: what was not written is not to be read. */
static test_memory plenty = {0x7FFFFFFF, 0, 0};

static void *give_rubbish(void *user, size_t size, size_t align) {
    cd_allocator a = test_allocator((test_memory *)user);
    void *p = a.alloc(a.user, size, align);
    if (p) memset(p, 0x3F, size);
    return p;
}

static cd_dyntree_options some_options(const world *w, test_rng *rng) {
    cd_dyntree_options o;
    memset(&o, 0, sizeof o);
    o.allocator = test_allocator(&plenty);
    o.allocator.alloc = give_rubbish;
    o.capacity = (uint32_t)(test_int(rng, 0, 2) ? 0 : test_int(rng, 0, 100));
    o.margin = (cd_real)(w->size * (test_int(rng, 0, 1) ? 0 : test_range(rng, 0, 0.2)));
    return o;
}

/* Begins with some at once, or with none; now and then with the zero object. */
static void populate(world *w, test_rng *rng) {
    cd_dyntree_options o = some_options(w, rng);
    int how = test_int(rng, 0, 2);
    uint32_t count = (uint32_t)test_int(rng, 0, MOST / 2);
    if (how == 0) CHECK_INT(ASK("loop", cd_dyntree_init(&w->tree, &o)), CD_OK);
    if (how != 1) return;
    for (uint32_t i = 0; i < count; ++i) {
        cd_aabb box = draw_box(w, rng);
        list_insert(&w->known, box, (uint32_t)test_int(rng, 0, 15));
    }
    CHECK_INT(ASK("loop", cd_dyntree_build(&w->tree, w->known.box, w->known.mask, count, &o)), CD_OK);
}

/* ---- what there is in a place ---- */

/* In the box of an object. */
static cd_sphere ball(const world *w, uint32_t i) {
    cd_aabb b = w->known.box[i];
    cd_vec3 size = cd_vec3_sub(b.max, b.min);
    double least = fmin(fmin((double)size.x, (double)size.y), (double)size.z);
    cd_sphere s;
    s.center = cd_vec3_along(b.min, size, (cd_real)0.5);
    s.radius = (cd_real)(0.4375 * least);
    return s;
}

static bool ball_overlap(void *user, uint32_t i, const cd_bvh_volume *v) {
    cd_sphere s = ball((const world *)user, i);
    return cd_bvh_volume_test_point(v, s.center);
}

static bool ball_cast(void *user, uint32_t i, const cd_ray *r, cd_real t_max, const cd_cast_options *o,
                      cd_hit *hit) {
    cd_sphere s = ball((const world *)user, i);
    return cd_cast_ray_sphere(r, t_max, s, o, hit);
}

static bool ball_closest(void *user, uint32_t i, cd_vec3 p, cd_real most, cd_closest *out) {
    cd_sphere s = ball((const world *)user, i);
    cd_aabb middle;
    cd_closest c;
    middle.min = middle.max = s.center;
    c = cd_closest_pts_point_aabb(p, middle);
    if (!((double)c.sqdist <= (double)most * (double)most)) return false;
    *out = c;
    return true;
}

static bool ball_sweep(void *user, uint32_t i, const cd_bvh_volume *v, cd_vec3 motion,
                       const cd_cast_options *o, cd_hit *hit) {
    cd_sphere s = ball((const world *)user, i);
    return v->kind == CD_BVH_SPHERE && cd_sweep_sphere_sphere(v->u.sphere, motion, s, o, hit);
}

static void bring_balls(world *w) {
    w->custom.user = w;
    w->custom.overlap = ball_overlap;
    w->custom.cast_ray = ball_cast;
    w->custom.closest = ball_closest;
    w->custom.sweep = ball_sweep;
    w->has_balls = true;
    w->tree.bvh.custom = &w->custom;
}

static bool one_cast(const world *w, uint32_t i, const cd_ray *r, cd_real t_max, const cd_cast_options *o,
                     cd_hit *hit) {
    cd_sphere s = ball(w, i);
    return w->has_balls ? cd_cast_ray_sphere(r, t_max, s, o, hit)
                        : cd_cast_ray_aabb(r, t_max, w->known.box[i], o, hit);
}

static bool one_overlap(const world *w, uint32_t i, const cd_bvh_volume *v) {
    cd_sphere s = ball(w, i);
    return w->has_balls ? cd_bvh_volume_test_point(v, s.center) : cd_bvh_volume_test_aabb(v, w->known.box[i]);
}

static bool one_sweep(const world *w, uint32_t i, const cd_bvh_volume *v, cd_vec3 m, const cd_cast_options *o,
                      cd_hit *hit) {
    cd_aabb b = w->known.box[i];
    cd_sphere s = ball(w, i);
    if (w->has_balls) return v->kind == CD_BVH_SPHERE && cd_sweep_sphere_sphere(v->u.sphere, m, s, o, hit);
    switch (v->kind) {
    case CD_BVH_SPHERE: return cd_sweep_sphere_aabb(v->u.sphere, m, b, o, hit);
    case CD_BVH_CAPSULE: return cd_sweep_capsule_aabb(&v->u.capsule, m, b, o, hit);
    case CD_BVH_AABB: return cd_sweep_aabb_aabb(v->u.aabb, m, b, o, hit);
    case CD_BVH_OBB: return cd_sweep_obb_aabb(&v->u.obb, m, b, o, hit);
    default: return false;
    }
}

static bool sees(const world *w, uint32_t i, uint32_t ignore_mask) {
    return w->known.live[i] && !(w->known.mask[i] & ignore_mask);
}

/* A tree over the same boxes that does not change: numbers without an object stand for nothing. */
static void freeze(const world *w, test_rng *rng, cd_bvh *out) {
    cd_aabb boxes[MOST];
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = (uint32_t)test_int(rng, 0, 2);
    o.leaf_size = (uint32_t)test_int(rng, 0, 6);
    o.flags = CD_BVH_SKIP_INVALID;
    o.masks = w->known.mask;
    for (uint32_t i = 0; i < w->known.end; ++i)
        boxes[i] = w->known.live[i] ? w->known.box[i] : cd_aabb_empty();
    CHECK_INT(cd_bvh_build_boxes(out, boxes, w->known.end, &o), CD_OK);
    out->custom = w->tree.bvh.custom;
}

/* ---- questions of one tree ---- */

/* In something, at its corner, or about it. */
static cd_vec3 place(const world *w, test_rng *rng) {
    cd_aabb b = w->known.box[live_id(w, rng)];
    cd_vec3 size = cd_vec3_sub(b.max, b.min), off;
    double x = test_range(rng, -2, 3), y = test_range(rng, -2, 3), z = test_range(rng, -2, 3);
    if (!test_int(rng, 0, 3)) return b.min;
    off = vec_of(x * (double)size.x, y * (double)size.y, z * (double)size.z);
    return cd_vec3_add(b.min, off);
}

/* Of a thing's side, of the world's, or more than that of all there is. */
static cd_real length(const world *w, test_rng *rng) {
    cd_aabb b = w->known.box[live_id(w, rng)], all = cd_bvh_bounds(&w->tree.bvh);
    double size = w->size, most = 2 * (double)cd_vec3_dist(all.min, all.max);
    int how = test_int(rng, 0, 7);
    if (how == 0 && most < 1e18) return (cd_real)(most * (1 + test_unit(rng)));
    if (how > 1) size = (double)(b.max.y - b.min.y);
    return (cd_real)(size * test_unit(rng));
}

static cd_vec3 lengths(const world *w, test_rng *rng) {
    cd_real x = length(w, rng), y = length(w, rng), z = length(w, rng);
    return cd_vec3_make(x, y, z);
}

static cd_obb some_obb(const world *w, test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    cd_obb b = gen_obb(&g);
    b.center = place(w, rng);
    b.half = lengths(w, rng);
    if (!test_int(rng, 0, 3)) b.half.y = b.half.z = b.half.x;
    return b;
}

static cd_bvh_volume some_planes(const world *w, test_rng *rng, cd_plane planes[6]) {
    cd_obb b = some_obb(w, rng);
    for (int i = 0; i < 6; ++i) {
        planes[i].n = cd_vec3_scale(b.axes.col[i / 2], (cd_real)(i % 2 ? -1 : 1));
        planes[i].d = cd_vec3_dot(planes[i].n, b.center) + REALS(b.half)[i / 2];
    }
    return cd_bvh_volume_planes(planes, (uint32_t)test_int(rng, 1, 6));
}

/* What a volume is made of, where it does not hold it itself. */
typedef struct parts_of_volume {
    cd_plane planes[6];
    cd_hull hull;
} parts_of_volume;

static void some_corners(const world *w, test_rng *rng, cd_vec3 *v, int count) {
    for (int i = 0; i < count; ++i) {
        cd_vec3 p = place(w, rng);
        v[i] = p;
    }
}

static cd_bvh_volume some_volume(const world *w, test_rng *rng, int last_kind, parts_of_volume *parts) {
    cd_bvh_volume v;
    cd_vec3 p[8], half = lengths(w, rng);
    if (!test_int(rng, 0, 3)) half.y = half.z = half.x;
    memset(&v, 0, sizeof v);
    memset(parts, 0, sizeof *parts);
    some_corners(w, rng, p, 8);
    v.kind = (uint32_t)test_int(rng, 0, last_kind);
    switch (v.kind) {
    case CD_BVH_AABB:
        v.u.aabb.min = p[0];
        v.u.aabb.max = cd_vec3_add(p[0], half);
        if (!test_int(rng, 0, 3)) v.u.aabb.min = cd_vec3_sub(p[0], half);
        break;
    case CD_BVH_SPHERE:
        v.u.sphere.center = p[0];
        v.u.sphere.radius = length(w, rng);
        break;
    case CD_BVH_CAPSULE:
        v.u.capsule.a = p[0];
        v.u.capsule.b = p[1];
        v.u.capsule.radius = length(w, rng);
        break;
    case CD_BVH_OBB: v.u.obb = some_obb(w, rng); break;
    case CD_BVH_TRIANGLE: memcpy(&v.u.triangle, p, sizeof v.u.triangle); break;
    case CD_BVH_HULL:
        if (cd_hull3_build(&parts->hull, p, 8, NULL) != CD_OK) memset(&parts->hull, 0, sizeof parts->hull);
        v.u.hull = &parts->hull;
        break;
    default: return some_planes(w, rng, parts->planes);
    }
    return v;
}

static bool odd(void *user, uint32_t index) {
    (void)user;
    return index % 2 == 1;
}

static cd_filter some_filter(test_rng *rng) {
    cd_filter f = {0, NULL, NULL};
    f.ignore_mask = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 15);
    f.filter = test_int(rng, 0, 3) ? NULL : odd;
    return f;
}

static bool passes(const world *w, uint32_t i, uint32_t ignore_mask, cd_filter_fn filter) {
    return sees(w, i, ignore_mask) && (!filter || i % 2 == 1);
}

static cd_cast_options some_cast(test_rng *rng) {
    cd_cast_options o;
    cd_filter f = some_filter(rng);
    memset(&o, 0, sizeof o);
    o.flags = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    o.t_min = test_int(rng, 0, 4) ? 0 : (cd_real)0.25;
    o.ignore_mask = f.ignore_mask;
    o.filter = f.filter;
    return o;
}

static bool same_vec(cd_vec3 a, cd_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return a->t == b->t && same_vec(a->point, b->point) && same_vec(a->normal, b->normal) &&
           a->depth == b->depth && a->feature == b->feature && a->flags == b->flags && a->index == b->index;
}

static bool same_closest(const cd_closest *a, const cd_closest *b) {
    return same_vec(a->a, b->a) && same_vec(a->b, b->b) && a->sqdist == b->sqdist &&
           a->index_a == b->index_a && a->index_b == b->index_b && a->feature_b == b->feature_b;
}

static int by_t(const void *x, const void *y) {
    const cd_hit *a = (const cd_hit *)x, *b = (const cd_hit *)y;
    if (a->t != b->t) return a->t < b->t ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static cd_ray some_ray(const world *w, test_rng *rng) {
    cd_vec3 from = place(w, rng), to = place(w, rng);
    cd_ray r = cd_ray_through(from, to);
    int kind = test_int(rng, 0, 3);
    if (kind == 0) r.dir.x = 0;
    if (kind == 1) r.dir.y = r.dir.z = 0;
    return r;
}

static void ask_rays(const world *w, test_rng *rng) {
    static cd_hit want[MOST], got[MOST];
    cd_ray r = some_ray(w, rng);
    cd_cast_options o = some_cast(rng);
    cd_real t_max = test_int(rng, 0, 1) ? CD_REAL_MAX : 1;
    uint32_t last = any_id(w, rng);
    size_t count = 0;
    cd_hit first, again;
    bool same = true;
    test_note_reals("ray", REALS(r), 6);
    for (uint32_t i = 0; i < w->known.end; ++i) {
        if (!passes(w, i, o.ignore_mask, o.filter) || !one_cast(w, i, &r, t_max, &o, &want[count])) continue;
        want[count++].index = i;
    }
    qsort(want, count, sizeof *want, by_t);
    CHECK_INT(ASK("forms", cd_bvh_cast_ray(&w->tree.bvh, &r, t_max, &o, &first)), count > 0);
    CHECK_INT(ASK("forms", cd_bvh_test_ray(&w->tree.bvh, &r, t_max, &o)), count > 0);
    CHECK_INT(ASK("forms", cd_bvh_cast_ray_again(&w->tree.bvh, &r, t_max, &o, &last, &again)), count > 0);
    CHECK_INT(ASK("forms", cd_bvh_test_ray_again(&w->tree.bvh, &r, t_max, &o, &last)), count > 0);
    CHECK_INT(ASK("forms", cd_bvh_cast_ray_all(&w->tree.bvh, &r, t_max, &o, got, MOST)), count);
    CHECK_INT(ASK("forms", cd_bvh_cast_ray_all(&w->tree.bvh, &r, t_max, &o, got, (count + 1) / 2)), count);
    if (count) CHECK(same_hit(&first, &want[0]) && same_hit(&again, &want[0]));
    for (size_t i = 0; i < (count + 1) / 2; ++i) same = same && same_hit(&got[i], &want[i]);
    CHECK(same);
    CHECK_INT(ASK("forms", cd_bvh_cast_rays(&w->tree.bvh, &r, &t_max, 1, &o, &again)), count > 0);
    if (count) CHECK(same_hit(&again, &want[0]));
}

static void ask_segment(const world *w, test_rng *rng) {
    cd_segment s;
    cd_cast_options o = some_cast(rng);
    cd_hit best, one, got;
    bool any = false;
    if (w->has_balls) return;
    s.a = place(w, rng);
    s.b = place(w, rng);
    memset(&best, 0, sizeof best);
    test_note_reals("segment", REALS(s), 6);
    for (uint32_t i = 0; i < w->known.end; ++i) {
        if (!passes(w, i, o.ignore_mask, o.filter)) continue;
        if (!cd_cast_segment_aabb(&s, w->known.box[i], &o, &one) || (any && !(one.t < best.t))) continue;
        best = one;
        best.index = i;
        any = true;
    }
    CHECK_INT(cd_bvh_cast_segment(&w->tree.bvh, &s, &o, &got), any);
    CHECK_INT(cd_bvh_test_segment(&w->tree.bvh, &s, &o), any);
    if (any) CHECK(same_hit(&got, &best));
}

typedef struct marks {
    uint8_t seen[MOST];
    size_t count, stop_after;
} marks;

static bool mark(void *user, uint32_t index) {
    marks *m = (marks *)user;
    if (index < MOST) ++m->seen[index];
    return ++m->count != m->stop_after;
}

static void ask_volume(const world *w, test_rng *rng) {
    parts_of_volume parts;
    cd_bvh_volume v = some_volume(w, rng, CD_BVH_PLANES, &parts);
    cd_filter f = some_filter(rng);
    marks m;
    size_t want = 0;
    bool same = true;
    memset(&m, 0, sizeof m);
    test_note("volume of kind %u, world of kind %d", v.kind, (int)w->kind);
    CHECK(ASK("forms", cd_bvh_overlap(&w->tree.bvh, &v, &f, mark, &m)));
    for (uint32_t i = 0; i < w->known.end; ++i) {
        bool meets = passes(w, i, f.ignore_mask, f.filter) && one_overlap(w, i, &v);
        same = same && m.seen[i] == (meets ? 1 : 0);
        want += meets;
    }
    CHECK(same);
    CHECK_INT(m.count, want);
    CHECK_INT(ASK("forms", cd_bvh_overlap_list(&w->tree.bvh, &v, &f, NULL, 0)), want);
    CHECK_INT(ASK("forms", cd_bvh_test_overlap(&w->tree.bvh, &v, &f)), want > 0);
    if (want) {
        m.count = 0;
        m.stop_after = (size_t)test_int(rng, 1, (int)want);
        CHECK(!ASK("forms", cd_bvh_overlap(&w->tree.bvh, &v, &f, mark, &m)));
        CHECK_INT(m.count, m.stop_after);
    }
    cd_hull_destroy(&parts.hull);
}

static void ask_sweep(const world *w, test_rng *rng) {
    parts_of_volume parts;
    cd_bvh_volume v = some_volume(w, rng, CD_BVH_OBB, &parts);
    cd_vec3 from = place(w, rng), to = place(w, rng), motion = cd_vec3_sub(to, from);
    cd_cast_options o = some_cast(rng);
    cd_hit best, one, got;
    bool any = false;
    memset(&best, 0, sizeof best);
    test_note("moving volume of kind %u, world of kind %d", v.kind, (int)w->kind);
    for (uint32_t i = 0; i < w->known.end; ++i) {
        if (!passes(w, i, o.ignore_mask, o.filter) || !one_sweep(w, i, &v, motion, &o, &one)) continue;
        if (any && !(one.t < best.t)) continue;
        best = one;
        best.index = i;
        any = true;
    }
    CHECK_INT(ASK("forms", cd_bvh_sweep(&w->tree.bvh, &v, motion, &o, &got)), any);
    CHECK_INT(ASK("forms", cd_bvh_test_sweep(&w->tree.bvh, &v, motion, &o)), any);
    if (any) CHECK(same_hit(&got, &best));
}

static cd_closest one_closest(const world *w, uint32_t i, cd_vec3 p) {
    cd_aabb b = w->known.box[i];
    cd_sphere s = ball(w, i);
    cd_closest c;
    if (w->has_balls) b.min = b.max = s.center;
    c = cd_closest_pts_point_aabb(p, b);
    c.index_b = i;
    return c;
}

static int by_distance(const void *x, const void *y) {
    const cd_closest *a = (const cd_closest *)x, *b = (const cd_closest *)y;
    return a->sqdist < b->sqdist ? -1 : a->sqdist > b->sqdist;
}

/* Squared distances are compared before they are rounded: those equal afterwards come in an order that the still tree tells. */
static void ask_closest(const world *w, test_rng *rng) {
    static cd_closest want[MOST], got[MOST], still[MOST];
    cd_bvh tree;
    cd_closest c;
    cd_vec3 p = place(w, rng);
    cd_filter f = some_filter(rng);
    cd_real most = test_int(rng, 0, 1) ? (cd_real)INFINITY : length(w, rng);
    size_t count = 0, k = (size_t)test_int(rng, 1, test_int(rng, 0, 3) ? 8 : MOST), found;
    bool same = true, one;
    freeze(w, rng, &tree);
    test_note_reals("p", REALS(p), 3);
    for (uint32_t i = 0; i < w->known.end; ++i) {
        if (!passes(w, i, f.ignore_mask, f.filter)) continue;
        c = one_closest(w, i, p);
        want[count++] = c;
    }
    qsort(want, count, sizeof *want, by_distance);
    if (k > count) k = count;
    found = cd_bvh_closest_k(&w->tree.bvh, p, k ? k : 1, (cd_real)INFINITY, &f, got);
    CHECK_INT(found, k);
    CHECK_INT(cd_bvh_closest_k(&tree, p, k ? k : 1, (cd_real)INFINITY, &f, still), k);
    for (size_t i = 0; i < found && i < k; ++i)
        same = same && got[i].sqdist == want[i].sqdist && same_closest(&got[i], &still[i]);
    CHECK(same);
    one = cd_bvh_closest(&w->tree.bvh, p, most, &f, got);
    CHECK_INT(one, cd_bvh_closest(&tree, p, most, &f, still));
    CHECK_INT(cd_bvh_test_distance(&w->tree.bvh, p, most, &f), one);
    if (one) CHECK(same_closest(got, still));
    cd_bvh_destroy(&tree);
}

/* ---- pairs ---- */

static cd_pair want[ROOM], got[ROOM];

typedef struct visits {
    size_t count, stop_after;
} visits;

static bool visit(void *user, cd_pair pair) {
    visits *v = (visits *)user;
    if (v->count < ROOM) got[v->count] = pair;
    return ++v->count != v->stop_after;
}

static int by_pair(const void *x, const void *y) {
    const cd_pair *p = (const cd_pair *)x, *q = (const cd_pair *)y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/* Sorts what was got, and compares it with what was wanted, in order. */
static void check_got(size_t count, size_t found) {
    if (!CHECK_INT(found, count)) return;
    qsort(got, count, sizeof *got, by_pair);
    CHECK(!memcmp(got, want, count * sizeof *got));
}

static bool among_wanted(cd_pair pair, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!by_pair(&pair, &want[i])) return true;
    }
    return false;
}

static bool odd_sum(void *user, cd_pair pair) {
    (void)user;
    return (pair.a + pair.b) % 2 == 1;
}

static cd_bvh_pair_options some_pairs(test_rng *rng) {
    cd_bvh_pair_options o;
    memset(&o, 0, sizeof o);
    o.rule = (uint32_t)test_int(rng, 0, 4);
    if (!test_int(rng, 0, 2)) o.ignore_a = (uint32_t)test_int(rng, 0, 15);
    if (!test_int(rng, 0, 2)) o.ignore_b = (uint32_t)test_int(rng, 0, 15);
    if (!test_int(rng, 0, 3)) o.filter = odd_sum;
    return o;
}

static size_t all_self_pairs(const world *w, const cd_bvh_pair_options *o, bool moved_only) {
    const list *l = &w->known;
    uint32_t ignored = o->ignore_a | o->ignore_b;
    size_t count = 0;
    for (uint32_t i = 0; i < l->end; ++i) {
        if (!sees(w, i, ignored)) continue;
        for (uint32_t j = i + 1; j < l->end; ++j) {
            want[count].a = i;
            want[count].b = j;
            count += sees(w, j, ignored) && cd_test_aabb_aabb(l->box[i], l->box[j]) &&
                     (!o->filter || (i + j) % 2 == 1) && (!moved_only || l->moved[i] || l->moved[j]);
        }
    }
    return count;
}

static void ask_self(const world *w, test_rng *rng) {
    cd_bvh_pair_options o = some_pairs(rng);
    size_t count = all_self_pairs(w, &o, false);
    visits v = {0, 0};
    cd_pair first;
    test_note("world of kind %d, %u objects", (int)w->kind, w->known.count);
    CHECK(ASK("forms", cd_bvh_traverse_self(&w->tree.bvh, &o, visit, &v)));
    check_got(count, v.count);
    CHECK_INT(ASK("forms", cd_bvh_self_pairs(&w->tree.bvh, &o, got, 3)), count);
    for (size_t i = 0; i < count && i < 3; ++i) CHECK(among_wanted(got[i], count));
    CHECK_INT(ASK("forms", cd_bvh_test_self(&w->tree.bvh, &o, &first)), count > 0);
    if (count) CHECK(among_wanted(first, count));
}

static void ask_moved(const world *w, test_rng *rng) {
    cd_bvh_pair_options o = some_pairs(rng);
    size_t count = all_self_pairs(w, &o, true);
    visits v = {0, 0};
    test_note("world of kind %d, %u objects", (int)w->kind, w->known.count);
    CHECK(cd_dyntree_traverse_moved(&w->tree, &o, visit, &v));
    check_got(count, v.count);
    CHECK_INT(ASK("loop", cd_dyntree_moved_pairs(&w->tree, &o, got, 3)), count);
    for (size_t i = 0; i < count && i < 3; ++i) CHECK(among_wanted(got[i], count));
    if (!count) return;
    v.count = 0;
    v.stop_after = (size_t)test_int(rng, 1, (int)count);
    CHECK(!cd_dyntree_traverse_moved(&w->tree, &o, visit, &v));
    CHECK_INT(v.count, v.stop_after);
}

/* ---- questions of two trees ---- */

static bool two_meet(const world *a, const world *b, const cd_transform *pose, uint32_t i, uint32_t j) {
    cd_obb o;
    if (!pose) return cd_test_aabb_aabb(a->known.box[i], b->known.box[j]);
    o = cd_obb_from_aabb(b->known.box[j]);
    o = cd_obb_transform(&o, pose);
    return cd_test_obb_aabb(&o, a->known.box[i]);
}

static void ask_meeting(const world *a, const world *b, const cd_transform *pose, test_rng *rng) {
    cd_bvh_pair_options o = some_pairs(rng);
    visits v = {0, 0};
    size_t count = 0;
    cd_pair first;
    for (uint32_t i = 0; i < a->known.end; ++i) {
        for (uint32_t j = 0; sees(a, i, o.ignore_a) && j < b->known.end; ++j) {
            want[count].a = i;
            want[count].b = j;
            count += sees(b, j, o.ignore_b) && (!o.filter || (i + j) % 2 == 1) && two_meet(a, b, pose, i, j);
        }
    }
    CHECK(ASK("forms", cd_bvh_traverse_pairs(&a->tree.bvh, &b->tree.bvh, pose, &o, visit, &v)));
    check_got(count, v.count);
    CHECK_INT(ASK("forms", cd_bvh_collide(&a->tree.bvh, &b->tree.bvh, pose, &o, NULL, 0)), count);
    CHECK_INT(ASK("forms", cd_bvh_test_bvh(&a->tree.bvh, &b->tree.bvh, pose, &o, &first)), count > 0);
    if (count) CHECK(among_wanted(first, count));
}

/* How far things are apart is asked of still trees too; and of one of each. */
static void ask_apart(const world *a, const world *b, const cd_transform *pose, test_rng *rng) {
    cd_bvh_pair_options o = some_pairs(rng);
    cd_real distance = length(a, rng);
    cd_bvh still_a, still_b;
    cd_closest near_by, right;
    size_t count;
    bool any;
    freeze(a, rng, &still_a);
    freeze(b, rng, &still_b);
    count = cd_bvh_within(&still_a, &still_b, pose, distance, &o, want, ROOM);
    qsort(want, count, sizeof *want, by_pair);
    check_got(count, cd_bvh_within(&a->tree.bvh, &b->tree.bvh, pose, distance, &o, got, ROOM));
    check_got(count, cd_bvh_within(&a->tree.bvh, &still_b, pose, distance, &o, got, ROOM));
    check_got(count, cd_bvh_within(&still_a, &b->tree.bvh, pose, distance, &o, got, ROOM));
    CHECK_INT(cd_bvh_test_within(&a->tree.bvh, &b->tree.bvh, pose, distance, &o, NULL), count > 0);
    any = cd_bvh_closest_bvh(&still_a, &still_b, pose, (cd_real)INFINITY, &o, &right);
    CHECK_INT(cd_bvh_closest_bvh(&a->tree.bvh, &b->tree.bvh, pose, (cd_real)INFINITY, &o, &near_by), any);
    if (any) CHECK(same_closest(&near_by, &right));
    cd_bvh_destroy(&still_a);
    cd_bvh_destroy(&still_b);
}

static void ask_two(const world *a, const world *b, test_rng *rng) {
    cd_transform pose = gen_pose(rng, 0.0);
    const cd_transform *at = test_int(rng, 0, 1) ? &pose : NULL;
    cd_vec3 p = place(a, rng), q = place(b, rng);
    pose.position = cd_vec3_sub(p, cd_transform_vector(&pose, q));
    test_note("worlds of kind %d and %d, %u and %u objects", (int)a->kind, (int)b->kind, a->known.count,
              b->known.count);
    if (at) test_note_reals("pose", REALS(pose), 7);
    ask_meeting(a, b, at, rng);
    ask_apart(a, b, at, rng);
}

/* ---- instances ---- */

typedef struct tally {
    uint64_t sum;
    size_t count;
} tally;

static bool add(void *user, cd_pair pair) {
    tally *t = (tally *)user;
    t->sum += (uint64_t)(pair.a + 1) * 1000003u * (pair.b + 7u);
    ++t->count;
    return true;
}

static void same_in_scenes(const cd_bvh_instances *s, const cd_bvh_instances *t, const world *w,
                           test_rng *rng) {
    parts_of_volume parts;
    cd_bvh_volume v = some_volume(w, rng, CD_BVH_OBB, &parts);
    cd_ray r = some_ray(w, rng);
    cd_vec3 p = place(w, rng);
    tally here = {0, 0}, there = {0, 0};
    cd_hit hit[2];
    cd_closest c[2];
    uint32_t which[2] = {0, 0};
    bool any = cd_bvh_instances_cast_ray(t, &r, CD_REAL_MAX, NULL, &hit[1], &which[1]);
    CHECK_INT(cd_bvh_instances_cast_ray(s, &r, CD_REAL_MAX, NULL, &hit[0], &which[0]), any);
    if (any) CHECK(same_hit(&hit[0], &hit[1]) && which[0] == which[1]);
    any = cd_bvh_instances_closest(t, p, CD_REAL_MAX, NULL, &c[1], &which[1]);
    CHECK_INT(cd_bvh_instances_closest(s, p, CD_REAL_MAX, NULL, &c[0], &which[0]), any);
    if (any) CHECK(same_closest(&c[0], &c[1]) && which[0] == which[1]);
    CHECK(cd_bvh_instances_overlap(s, &v, NULL, add, &here));
    CHECK(cd_bvh_instances_overlap(t, &v, NULL, add, &there));
    CHECK_INT(here.count, there.count);
    CHECK_INT(here.sum, there.sum);
}

static void ask_instances(const world *w, test_rng *rng) {
    cd_bvh_instance one[3];
    cd_bvh_instances moving, still;
    cd_bvh tree;
    freeze(w, rng, &tree);
    memset(one, 0, sizeof one);
    for (int i = 0; i < 3; ++i) {
        one[i].tree = &w->tree.bvh;
        one[i].pose = i ? gen_pose(rng, w->size) : cd_transform_identity();
        one[i].scale = (cd_real)i;
    }
    CHECK_INT(cd_bvh_instances_build(&moving, one, 3, NULL), CD_OK);
    for (int i = 0; i < 3; ++i) one[i].tree = &tree;
    CHECK_INT(cd_bvh_instances_build(&still, one, 3, NULL), CD_OK);
    test_note("world of kind %d, %u objects", (int)w->kind, w->known.count);
    same_in_scenes(&moving, &still, w, rng);
    cd_bvh_instances_destroy(&moving);
    cd_bvh_instances_destroy(&still);
    cd_bvh_destroy(&tree);
}

/* ---- one question of any ---- */

static void ask_one(const world *w, const world *other, test_rng *rng) {
    if (!w->known.count) return;
    switch (test_int(rng, 0, 8)) {
    case 0: ask_rays(w, rng); break;
    case 1: ask_segment(w, rng); break;
    case 2: ask_volume(w, rng); break;
    case 3: ask_sweep(w, rng); break;
    case 4: ask_closest(w, rng); break;
    case 5: ask_self(w, rng); break;
    case 6: ask_moved(w, rng); break;
    case 7:
        if (other->known.count && !test_int(rng, 0, 3)) ask_two(w, other, rng);
        break;
    default:
        if (!test_int(rng, 0, 3)) ask_instances(w, rng);
        break;
    }
}

/* ---- cases ---- */

/* Grows, stays, is emptied to the last and filled again, many times over. */
static void live_on(world *w, const world *other, test_rng *rng, long steps) {
    uint32_t wish = (uint32_t)test_int(rng, 1, MOST / 2);
    long until = steps / 3;
    for (long i = 0; i < steps; ++i) {
        if (i == until && !test_int(rng, 0, 2)) {
            while (w->known.count) remove_id(w, live_id(w, rng));
            check_all(w);
        }
        change(w, rng, wish);
        check_counts(w);
        if (!test_int(rng, 0, 15)) check_all(w);
        if (!test_int(rng, 0, 3)) ask_one(w, other, rng);
        if (!test_int(rng, 0, 199)) wish = (uint32_t)test_int(rng, 1, MOST / 2);
    }
    check_all(w);
}

static void run_world(world_kind kind, bool balls, test_rng *rng, long steps) {
    static world w, other;
    world_begin(&w, rng, kind);
    world_begin(&other, rng, kind);
    populate(&w, rng);
    populate(&other, rng);
    if (balls) bring_balls(&w);
    live_on(&other, &other, rng, 10);
    live_on(&w, &other, rng, steps);
    cd_dyntree_destroy(&w.tree);
    cd_dyntree_destroy(&other.tree);
    CHECK_INT(cd_dyntree_count(&w.tree), 0);
}

static void random_changes_beside_a_list(void) {
    test_rng rng = test_random();
    long steps = test_is_small() ? 30 : 300;
    for (long n = test_times(10000); n > 0; n -= steps * 2)
        run_world((world_kind)test_int(&rng, 0, KINDS - 1), !test_int(&rng, 0, 5), &rng, steps * 2);
}

static void every_kind_of_world(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < KINDS; ++kind)
        run_world((world_kind)kind, kind % 4 == 1, &rng, 10 + test_times(200));
}

/* ---- the order of answers is part of what does not depend on anything else ---- */

typedef struct trail {
    uint64_t hash;
} trail;

static bool follow(void *user, uint32_t index) {
    trail *t = (trail *)user;
    t->hash = test_hash(t->hash, &index, sizeof index);
    return true;
}

static bool follow_pair(void *user, cd_pair pair) {
    return follow(user, pair.a) && follow(user, pair.b);
}

/* What is visited, in its order, and the fat boxes. */
static uint64_t trail_of(const world *w) {
    trail t = {TEST_HASH_START};
    cd_aabb all = cd_bvh_bounds(&w->tree.bvh);
    cd_bvh_overlap_aabb(&w->tree.bvh, all, NULL, follow, &t);
    cd_bvh_traverse_self(&w->tree.bvh, NULL, follow_pair, &t);
    cd_dyntree_traverse_moved(&w->tree, NULL, follow_pair, &t);
    for (uint32_t i = 0; i < w->known.end; ++i) {
        cd_aabb fat = cd_dyntree_get_fat_box(&w->tree, i);
        t.hash = test_hash(t.hash, &fat, sizeof fat);
    }
    return t.hash;
}

static void equal_changes_give_equal_trees(void) {
    static world v, w;
    test_rng rng = test_random();
    for (long n = test_times(20); n > 0; --n) {
        world_kind kind = (world_kind)test_int(&rng, 0, KINDS - 1);
        test_rng one = rng, two = rng;
        world_begin(&v, &one, kind);
        world_begin(&w, &two, kind);
        populate(&v, &one);
        populate(&w, &two);
        for (int i = 0; i < 100; ++i) {
            change(&v, &one, 60);
            change(&w, &two, 60);
            if (i % 10 == 9 && !CHECK(trail_of(&v) == trail_of(&w))) break;
        }
        rng = one;
        cd_dyntree_destroy(&v.tree);
        cd_dyntree_destroy(&w.tree);
    }
}

static void copies_go_on_alike(void) {
    static world v, w;
    test_rng rng = test_random();
    for (long n = test_times(20); n > 0; --n) {
        test_rng one, two;
        world_begin(&v, &rng, (world_kind)test_int(&rng, 0, KINDS - 1));
        populate(&v, &rng);
        for (int i = test_int(&rng, 0, 200); i > 0; --i) change(&v, &rng, 60);
        w = v;
        CHECK_INT(cd_dyntree_copy(&w.tree, &v.tree, NULL), CD_OK);
        check_all(&w);
        CHECK(trail_of(&v) == trail_of(&w));
        one = two = rng;
        for (int i = 0; i < 60; ++i) change(&v, &one, 60);
        for (int i = 0; i < 60; ++i) change(&w, &two, 60);
        check_all(&v);
        check_all(&w);
        CHECK(trail_of(&v) == trail_of(&w));
        rng = one;
        cd_dyntree_destroy(&v.tree);
        cd_dyntree_destroy(&w.tree);
    }
}

/* ---- memory that runs out ---- */

enum { A_BUILD, AN_INSERTION, A_MOVE, MANY_MOVES, BETTER, A_REBUILD, A_COPY, AN_INIT, THINGS_TO_DO };

/* Does one thing with memory for `allowed` blocks more; the tree is to be as it was where that fails. */
static cd_status attempt(world *w, int what, test_rng *rng, test_memory *memory, long allowed) {
    static cd_aabb boxes[MOST];
    static cd_vec3 motions[MOST];
    cd_allocator a = test_allocator(memory);
    cd_dyntree other;
    cd_dyntree_options o;
    cd_bvh_options how;
    uint32_t id;
    cd_status status = CD_OK;
    long before = memory->live;
    memset(&o, 0, sizeof o);
    memset(&how, 0, sizeof how);
    memset(&other, 0xA5, sizeof other);
    o.allocator = a;
    o.capacity = 30;
    how.method = (uint32_t)test_int(rng, 0, 11);
    memory->allowed = allowed;
    if (what == A_BUILD) status = cd_dyntree_build(&other, w->known.box, w->known.mask, w->known.end, &o);
    if (what == AN_INIT) status = cd_dyntree_init(&other, &o);
    if (what == A_COPY) status = cd_dyntree_copy(&other, &w->tree, &a);
    if (what == BETTER) status = cd_dyntree_optimise(&w->tree, 20);
    if (what == A_REBUILD) status = cd_dyntree_rebuild(&w->tree, &how);
    if (what == AN_INSERTION) {
        cd_aabb box = draw_box(w, rng);
        status = cd_dyntree_insert(&w->tree, box, 5, &id);
        if (status == CD_OK) CHECK_INT(id, next_id(&w->known));
        if (status == CD_OK) list_insert(&w->known, box, 5);
    }
    if (what == A_MOVE || what == MANY_MOVES) {
        uint32_t count = what == A_MOVE ? 1 : w->known.end;
        for (uint32_t i = 0; i < count; ++i) {
            cd_aabb box = draw_move(w, rng, i, &motions[i]);
            boxes[i] = box;
        }
        status = what == A_MOVE ? cd_dyntree_move(&w->tree, 0, boxes[0], motions[0])
                                : cd_dyntree_move_many(&w->tree, NULL, boxes, motions, count);
        for (uint32_t i = 0; status == CD_OK && i < count; ++i) list_move(&w->known, i, boxes[i]);
    }
    if (what == A_BUILD || what == A_COPY || what == AN_INIT) {
        if (status != CD_OK) {
            CHECK_INT(memory->live, before);
            CHECK(cd_dyntree_count(&other) == 0 && cd_dyntree_validate(&other) == CD_OK);
        }
        cd_dyntree_destroy(&other);
        CHECK_INT(memory->live, before);
    }
    memory->allowed = 1000000;
    return status;
}

static void memory_runs_out(void) {
    static world w;
    test_rng rng = test_random();
    test_memory memory = {1000000, 0, 0};
    size_t failures = 0;
    for (int what = 0; what < THINGS_TO_DO; ++what) {
        for (long turn = test_times(4) + 1; turn > 0; --turn) {
            cd_dyntree_options o;
            cd_status status = CD_OUT_OF_MEMORY;
            world_begin(&w, &rng, EVEN);
            o = some_options(&w, &rng);
            o.allocator = test_allocator(&memory);
            CHECK_INT(cd_dyntree_init(&w.tree, &o), CD_OK);
            for (int i = test_int(&rng, 1, MOST - 2); i > 0; --i) {
                cd_aabb box = draw_box(&w, &rng);
                insert(&w, box, 1);
            }
            for (long k = 0; k < 1000 && status == CD_OUT_OF_MEMORY; ++k) {
                uint64_t before = trail_of(&w);
                status = attempt(&w, what, &rng, &memory, k);
                CHECK(status == CD_OK || status == CD_OUT_OF_MEMORY);
                failures += status != CD_OK;
                test_note("thing %d to do, memory for %ld", what, k);
                if (status != CD_OK && what != BETTER) CHECK(trail_of(&w) == before);
                check_all(&w);
            }
            CHECK_INT(status, CD_OK);
            memory.allowed = 0; /* what takes no memory */
            remove_id(&w, live_id(&w, &rng));
            forget(&w);
            if (w.known.count) set_mask(&w, &rng);
            ask_self(&w, &rng);
            memory.allowed = 1000000;
            ASK("bad", cd_dyntree_destroy(&w.tree));
            CHECK(memory.live == 0 && memory.bytes == 0);
        }
    }
    CHECK(failures > 20);
}

/* ---- orders of insertion and removal that make bad trees ---- */

static cd_aabb hostile_box(int how, uint32_t i, uint32_t count, test_rng *rng) {
    double x = i, y = 0, size = 0.4;
    if (how == 1) x = (double)(count - i);
    if (how == 2) x = i % 2 ? (double)i : -(double)i; /* outward, by turns */
    if (how == 3) x = ldexp(1, (int)(i % 100) - 50);  /* in a geometric series */
    if (how == 4) x = 0, size = 1 + i;                /* around each other */
    if (how == 5) x = 0;                              /* all the same */
    if (how == 6) x = i % 64, y = i / 64;
    if (how == 7) x = test_unit(rng), y = test_unit(rng), size = 0.01;
    {
        cd_aabb b;
        b.min = vec_of(x - size, y - size, -size);
        b.max = vec_of(x + size, y + size, size);
        return b;
    }
}

static void hostile_orders(void) {
    test_rng rng = test_random();
    uint32_t count = (uint32_t)(test_is_small() ? 300 : 2000);
    cd_vec3 still = vec_of(0, 0, 0);
    for (int how = 0; how < 8; ++how) {
        cd_dyntree t;
        uint32_t id;
        memset(&t, 0, sizeof t);
        test_note("order %d", how);
        for (uint32_t i = 0; i < count; ++i) {
            cd_aabb box = hostile_box(how, i, count, &rng);
            CHECK_INT(ASK("loop", cd_dyntree_insert(&t, box, 0, &id)), CD_OK);
        }
        CHECK_INT(ASK("judge", cd_dyntree_validate(&t)), CD_OK);
        CHECK(cd_bvh_get_stats(&t.bvh).depth <= 80);
        for (uint32_t i = 0; i < count; ++i) { /* what is left is spread over all */
            if (i % 8) CHECK_INT(ASK("loop", cd_dyntree_remove(&t, how % 2 ? count - 1 - i : i)), CD_OK);
            if (i % 256 == 0) CHECK_INT(ASK("judge", cd_dyntree_validate(&t)), CD_OK);
        }
        for (uint32_t round = 0; round < 3; ++round) {
            for (uint32_t i = 0; i < count; i += 8) {
                cd_aabb box = hostile_box((how + (int)round) % 8, i, count, &rng);
                id = how % 2 ? count - 1 - i : i;
                CHECK_INT(ASK("loop", cd_dyntree_move(&t, id, box, still)), CD_OK);
            }
            CHECK_INT(ASK("judge", cd_dyntree_validate(&t)), CD_OK);
            CHECK_INT(ASK("loop", cd_dyntree_optimise(&t, 100)), CD_OK);
            CHECK_INT(ASK("judge", cd_dyntree_validate(&t)), CD_OK);
        }
        CHECK_INT(cd_dyntree_count(&t), (count + 7) / 8);
        cd_dyntree_destroy(&t);
    }
}

/* ---- many ---- */

/* A tree of many objects in frames, and where they are: enough for whatever is done with many at once. */
typedef struct crowd {
    cd_dyntree tree;
    uint32_t count, dead; /* every dead-th is not there; 0: all are */
    cd_aabb *boxes;
    cd_vec3 *motions;
    uint32_t *ids;
} crowd;

static bool is_dead(const crowd *c, uint32_t i) {
    return c->dead && i % c->dead == 0;
}

static void *room(size_t count, size_t size) {
    void *p = calloc(count, size);
    if (!p) abort();
    return p;
}

static void crowd_begin(crowd *c, world *kind, test_rng *rng, uint32_t count) {
    cd_dyntree_options o = some_options(kind, rng);
    memset(c, 0, sizeof *c);
    c->count = count;
    c->boxes = (cd_aabb *)room(count, sizeof *c->boxes);
    c->motions = (cd_vec3 *)room(count, sizeof *c->motions);
    c->ids = (uint32_t *)room(count, sizeof *c->ids);
    kind->share /= 8;
    for (uint32_t i = 0; i < count; ++i) {
        cd_aabb box = draw_box(kind, rng);
        c->boxes[i] = box;
    }
    CHECK_INT(cd_dyntree_build(&c->tree, c->boxes, NULL, count, &o), CD_OK);
}

static void crowd_end(crowd *c) {
    cd_dyntree_destroy(&c->tree);
    free(c->boxes);
    free(c->motions);
    free(c->ids);
}

/* One in `every` moves; a few of them far. */
static void crowd_move(crowd *c, const world *kind, test_rng *rng, uint32_t every) {
    cd_aabb *moved = (cd_aabb *)room(c->count, sizeof *moved);
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_vec3 way = vec_in(rng, kind->size * (test_int(rng, 0, 99) ? 0.003 : 1));
        if (is_dead(c, i) || i % every) continue;
        c->boxes[i].min = cd_vec3_add(c->boxes[i].min, way);
        c->boxes[i].max = cd_vec3_add(c->boxes[i].max, way);
        c->motions[count] = way;
        c->ids[count] = i;
        moved[count++] = c->boxes[i];
    }
    CHECK_INT(cd_dyntree_move_many(&c->tree, c->dead || every > 1 ? c->ids : NULL, moved, c->motions, count),
              CD_OK);
    free(moved);
}

static bool sum_pairs(void *user, cd_pair pair) {
    tally *t = (tally *)user;
    CHECK(pair.a < pair.b);
    return add(t, pair);
}

/* The same pairs as of a tree that does not change; of boxes where those of either are not too many. */
static void crowd_check(const crowd *c, uint32_t every) {
    cd_bvh_options o;
    cd_bvh still;
    tally here = {0, 0}, there = {0, 0}, moved = {0, 0};
    cd_aabb *boxes = (cd_aabb *)room(c->count, sizeof *boxes);
    memset(&o, 0, sizeof o);
    o.flags = CD_BVH_SKIP_INVALID;
    for (uint32_t i = 0; i < c->count; ++i) boxes[i] = is_dead(c, i) ? cd_aabb_empty() : c->boxes[i];
    CHECK_INT(ASK("judge", cd_dyntree_validate(&c->tree)), CD_OK);
    CHECK_INT(cd_bvh_build_boxes(&still, boxes, c->count, &o), CD_OK);
    CHECK(cd_bvh_traverse_self(&c->tree.bvh, NULL, sum_pairs, &here));
    CHECK(cd_bvh_traverse_self(&still, NULL, add, &there));
    CHECK(cd_dyntree_traverse_moved(&c->tree, NULL, sum_pairs, &moved));
    CHECK(here.count == there.count && here.sum == there.sum);
    if (every == 1) CHECK(moved.count == there.count && moved.sum == there.sum);
    CHECK(moved.count <= there.count);
    cd_bvh_destroy(&still);
    free(boxes);
}

static void crowds_in_frames(void) {
    static const world_kind kinds[4] = {EVEN, CLUSTERED, DOTS, VAST};
    static world kind;
    test_rng rng = test_random();
    uint32_t count = test_is_small() ? 200 : 1500;
    for (int k = 0; k < 4; ++k) {
        crowd c;
        world_begin(&kind, &rng, kinds[k]);
        crowd_begin(&c, &kind, &rng, count);
        for (int frame = 0; frame < 12; ++frame) {
            uint32_t every = frame % 3 == 2 ? 10 : frame % 3 == 1 ? 2 : 1;
            test_note("world of kind %d, frame %d", (int)kinds[k], frame);
            if (frame == 6) {
                c.dead = 3;
                for (uint32_t i = 0; i < count; i += 3) CHECK_INT(cd_dyntree_remove(&c.tree, i), CD_OK);
            }
            cd_dyntree_forget_moves(&c.tree);
            crowd_move(&c, &kind, &rng, every);
            crowd_check(&c, every);
            CHECK_INT(cd_dyntree_optimise(&c.tree, 50), CD_OK);
            if (frame % 4 == 0) crowd_check(&c, every);
        }
        CHECK_INT(cd_dyntree_rebuild(&c.tree, NULL), CD_OK);
        crowd_check(&c, 10);
        crowd_end(&c);
    }
}

/* Moving is for free as long as the fat box holds, which a margin and what is foreseen make larger. */
static void fat_boxes_reach_as_far_as_they_should(void) {
    test_rng rng = test_random();
    for (long n = test_times(300); n > 0; --n) {
        cd_dyntree t;
        cd_dyntree_options o;
        cd_aabb box, fat;
        cd_vec3 middle = vec_in(&rng, 10), half = vec_of(1, 2, 3), motion = vec_in(&rng, 5);
        uint32_t id;
        double margin = test_int(&rng, 0, 2) ? test_range(&rng, 0, 2) : 0;
        memset(&o, 0, sizeof o);
        o.margin = (cd_real)margin;
        CHECK_INT(cd_dyntree_init(&t, &o), CD_OK);
        box.min = cd_vec3_sub(middle, half);
        box.max = cd_vec3_add(middle, half);
        CHECK_INT(cd_dyntree_insert(&t, box, 0, &id), CD_OK);
        for (int turn = 0; turn < 3; ++turn) {
            fat = ASK("judge", cd_dyntree_get_fat_box(&t, id));
            for (int k = 0; k < 3; ++k) {
                CHECK((double)REALS(fat.min)[k] <= (double)REALS(box.min)[k] - margin + 1e-5);
                CHECK((double)REALS(fat.max)[k] >= (double)REALS(box.max)[k] + margin - 1e-5);
            }
            box.min.x += 40; /* out of it */
            box.max.x += 40;
            CHECK_INT(cd_dyntree_move(&t, id, box, motion), CD_OK);
            CHECK_INT(cd_dyntree_validate(&t), CD_OK);
        }
        cd_dyntree_destroy(&t);
    }
}

/* Foreseen to go by 1 along one axis alone, either way: the fat box reaches there, and no farther. */
static void each_motion_is_foreseen(void) {
    for (int way = 0; way < 6; ++way) {
        cd_dyntree t;
        cd_aabb box = {{1, 2, 3}, {2, 4, 6}}, fat;
        cd_vec3 motion = cd_vec3_make(0, 0, 0), none = motion;
        uint32_t id;
        REALS(motion)[way / 2] = way % 2 ? (cd_real)-1 : (cd_real)1;
        CHECK_INT(cd_dyntree_init(&t, NULL), CD_OK);
        CHECK_INT(cd_dyntree_insert(&t, box, 0, &id), CD_OK);
        box.min.x -= 20; /* out of its fat box */
        CHECK_INT(cd_dyntree_move(&t, id, box, motion), CD_OK);
        fat = cd_dyntree_get_fat_box(&t, id);
        test_note("way %d ", way);
        CHECK_VEC(fat.min, cd_vec3_add(box.min, cd_vec3_min(motion, none)), 1e-4);
        CHECK_VEC(fat.max, cd_vec3_add(box.max, cd_vec3_max(motion, none)), 1e-4);
        cd_dyntree_destroy(&t);
    }
}

/* After something far away has come and gone, fat boxes are fine again once there are twice as many or half as many objects. */
static void the_frame_is_fitted_again(void) {
    test_rng rng = test_random();
    for (int fewer = 0; fewer < 2; ++fewer) {
        cd_dyntree t;
        cd_aabb far_one, box;
        uint32_t far_id, id, count = 0;
        double size = ldexp(1.0, test_int(&rng, -20, 20));
        CHECK_INT(cd_dyntree_init(&t, NULL), CD_OK);
        far_one.min = vec_of(0, 0, 0);
        far_one.max = vec_of(size * 2e7, size * 3e7, size * 5e7); /* its middle far from the others */
        CHECK_INT(cd_dyntree_insert(&t, far_one, 0, &far_id), CD_OK);
        for (; count < 65; ++count) {
            box.min = vec_in(&rng, size);
            box.max = cd_vec3_add(box.min, vec_of(size / 8, size / 9, size / 7));
            CHECK_INT(cd_dyntree_insert(&t, box, 0, &id), CD_OK);
        }
        CHECK_INT(cd_dyntree_remove(&t, far_id), CD_OK);
        for (; fewer && count > 60; --count) CHECK_INT(cd_dyntree_remove(&t, count), CD_OK);
        for (; !fewer && count < 130; ++count) CHECK_INT(cd_dyntree_insert(&t, box, 0, &id), CD_OK);
        CHECK_INT(cd_dyntree_validate(&t), CD_OK);
        for (id = 0; id < t.place_count; ++id) {
            cd_aabb fat = cd_dyntree_get_fat_box(&t, id);
            if (!cd_dyntree_contains(&t, id)) continue;
            box = cd_dyntree_get_box(&t, id);
            test_note("fewer %d, object %u ", fewer, (unsigned)id);
            CHECK_VEC(fat.min, box.min, 1e-3 * size);
            CHECK_VEC(fat.max, box.max, 1e-3 * size);
        }
        cd_dyntree_destroy(&t);
    }
}

/* All change places, from the first frame on: the tree is no worse for it, as it is built anew. */
static void crowds_keep_good_trees(void) {
    static world kind;
    test_rng rng = test_random();
    crowd c;
    world_begin(&kind, &rng, EVEN);
    crowd_begin(&c, &kind, &rng, 300);
    for (int frame = 0; frame < 4; ++frame) {
        cd_dyntree again;
        cd_bvh_options o;
        double best;
        for (uint32_t i = c.count; i-- > 1;) {
            uint32_t k = (uint32_t)test_int(&rng, 0, (int)i);
            cd_aabb box = c.boxes[i];
            c.boxes[i] = c.boxes[k];
            c.boxes[k] = box;
        }
        CHECK_INT(cd_dyntree_move_many(&c.tree, NULL, c.boxes, NULL, c.count), CD_OK);
        CHECK_INT(cd_dyntree_validate(&c.tree), CD_OK);
        memset(&o, 0, sizeof o);
        o.method = CD_BVH_LINEAR;
        CHECK_INT(cd_dyntree_copy(&again, &c.tree, NULL), CD_OK);
        CHECK_INT(cd_dyntree_rebuild(&again, &o), CD_OK);
        best = cd_bvh_get_stats(&again.bvh).cost;
        test_note("frame %d, best %g ", frame, best);
        CHECK(cd_bvh_get_stats(&c.tree.bvh).cost <= 1.5 * best);
        cd_dyntree_destroy(&again);
    }
    crowd_end(&c);
}

/* A copy has the memory it is told, or the default: not that of the tree. */
static void copies_have_their_own_memory(void) {
    test_memory memory = {1000, 0, 0}, other = {1000, 0, 0};
    cd_allocator own = test_allocator(&other);
    cd_dyntree_options o;
    cd_dyntree t, copy_of;
    cd_aabb box = {{0, 0, 0}, {1, 1, 1}};
    long live;
    memset(&o, 0, sizeof o);
    o.allocator = test_allocator(&memory);
    CHECK_INT(cd_dyntree_init(&t, &o), CD_OK);
    for (int i = 0; i < 20; ++i) CHECK_INT(cd_dyntree_insert(&t, box, 0, NULL), CD_OK);
    live = memory.live;
    CHECK(live > 0);
    CHECK_INT(cd_dyntree_copy(&copy_of, &t, NULL), CD_OK);
    CHECK_INT(memory.live, live);
    cd_dyntree_destroy(&copy_of);
    CHECK_INT(memory.live, live);
    CHECK_INT(cd_dyntree_copy(&copy_of, &t, &own), CD_OK);
    CHECK(memory.live == live && other.live > 0);
    cd_dyntree_destroy(&copy_of);
    CHECK_INT(other.live, 0);
    cd_dyntree_destroy(&t);
    CHECK_INT(memory.live, 0);
}

/* ---- what is not a tree's, and what other calls make of it ---- */

static void the_zero_object_is_empty(void) {
    cd_dyntree t;
    cd_aabb box = {{0, 0, 0}, {1, 1, 1}};
    cd_vec3 still = vec_of(0, 0, 0);
    cd_dyntree_options o;
    uint32_t id = 7;
    memset(&t, 0, sizeof t);
    CHECK_INT(cd_dyntree_validate(&t), CD_OK);
    CHECK_INT(cd_dyntree_count(&t), 0);
    CHECK_INT(cd_dyntree_remove(&t, 0), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_dyntree_move(&t, 0, box, still), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_dyntree_move_many(&t, NULL, NULL, NULL, 0), CD_OK);
    CHECK_INT(cd_dyntree_set_mask(&t, 0, 1), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_dyntree_optimise(&t, 10), CD_OK);
    CHECK_INT(cd_dyntree_rebuild(&t, NULL), CD_OK);
    CHECK_INT(cd_dyntree_moved_pairs(&t, NULL, NULL, 0), 0);
    cd_dyntree_forget_moves(&t);
    CHECK(!cd_dyntree_contains(&t, 0) && cd_aabb_is_empty(cd_bvh_bounds(&t.bvh)));
    cd_dyntree_destroy(&t);
    CHECK_INT(cd_dyntree_insert(&t, box, 1, &id), CD_OK);
    CHECK_INT(id, 0);
    CHECK_INT(cd_dyntree_count(&t), 1);
    cd_dyntree_destroy(&t);
    cd_dyntree_destroy(&t);
    memset(&o, 0, sizeof o);
    for (int i = 0; i < 3; ++i) {
        static const double bad[3] = {-1, (double)NAN, (double)INFINITY};
        o.margin = (cd_real)bad[i];
        memset(&t, 0xA5, sizeof t);
        CHECK_INT(cd_dyntree_init(&t, &o), CD_INVALID_ARGUMENT);
        CHECK_INT(cd_dyntree_count(&t), 0);
        memset(&t, 0xA5, sizeof t);
        CHECK_INT(cd_dyntree_build(&t, &box, NULL, 1, &o), CD_INVALID_ARGUMENT);
        CHECK_INT(cd_dyntree_count(&t), 0);
    }
    CHECK_INT(cd_dyntree_build(&t, NULL, NULL, 0, NULL), CD_OK);
    CHECK_INT(cd_dyntree_insert(&t, box, 1, &id), CD_OK);
    CHECK_INT(id, 0);
    cd_dyntree_destroy(&t);
    box.min.x = (cd_real)NAN;
    CHECK_INT(cd_dyntree_build(&t, &box, NULL, 1, NULL), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_dyntree_count(&t), 0);
}

/* The view of bytes that were moved elsewhere, in a room aligned as it has to be. */
static void look_at_bytes(const world *w, test_rng *rng) {
    cd_allocator a;
    test_memory memory = {1, 0, 0};
    cd_bvh view;
    void *bytes;
    a = test_allocator(&memory);
    if (!w->tree.bvh.bytes) return;
    bytes = a.alloc(a.user, w->tree.bvh.bytes, 64);
    memcpy(bytes, w->tree.bvh.block, w->tree.bvh.bytes);
    if (cd_bvh_view(&view, bytes, w->tree.bvh.bytes) == CD_OK) {
        cd_ray r = some_ray(w, rng);
        cd_bvh_test_ray(&view, &r, CD_REAL_MAX, NULL);
        cd_bvh_self_pairs(&view, NULL, NULL, 0);
    }
    a.free(a.user, bytes, w->tree.bvh.bytes);
}

static void look_at_conversions(const world *w) {
    for (uint32_t layout = 0; layout < 5; ++layout) {
        cd_bvh other;
        cd_status status;
        memset(&other, 0xA5, sizeof other);
        status = cd_bvh_convert(&other, &w->tree.bvh, layout, NULL);
        if (status == CD_OK) {
            CHECK_INT(cd_bvh_validate(&other), CD_OK);
            CHECK_INT(cd_bvh_count(&other), w->known.count);
            CHECK_INT(cd_bvh_self_pairs(&other, NULL, NULL, 0),
                      cd_bvh_self_pairs(&w->tree.bvh, NULL, NULL, 0));
        } else {
            CHECK(other.block == NULL);
        }
        cd_bvh_destroy(&other);
    }
}

static void other_calls_do_no_harm(void) {
    static world w;
    test_rng rng = test_random();
    for (long n = test_times(60); n > 0; --n) {
        cd_bvh_collapsed collapsed;
        cd_bvh_winding winding;
        cd_bvh_stats stats;
        world_begin(&w, &rng, (world_kind)test_int(&rng, 0, KINDS - 1));
        populate(&w, &rng);
        for (int i = test_int(&rng, 0, 100); i > 0; --i) change(&w, &rng, 40);
        if (w.known.count) look_at_bytes(&w, &rng);
        look_at_conversions(&w);
        CHECK(cd_bvh_validate(&w.tree.bvh) ==
              (w.known.count ? CD_CORRUPT : CD_OK)); /* it has a check of its own */
        stats = cd_bvh_get_stats(&w.tree.bvh);
        CHECK_INT(stats.primitive_count, w.known.count);
        cd_bvh_get_worst(&w.tree.bvh, 0);
        cd_bvh_collapse(&w.tree.bvh, 4, NULL, &collapsed);
        cd_bvh_winding_build(&winding, &w.tree.bvh, NULL);
        cd_bvh_winding_destroy(&winding);
        check_all(&w);
        cd_dyntree_destroy(&w.tree);
    }
}

/* ... of all cases above. */
static void all_memory_is_given_back(void) {
    CHECK(plenty.live == 0 && plenty.bytes == 0);
}

void suite_dyntree(void) {
    RUN(the_zero_object_is_empty);
    RUN(every_kind_of_world);
    RUN(random_changes_beside_a_list);
    RUN(equal_changes_give_equal_trees);
    RUN(copies_go_on_alike);
    RUN(memory_runs_out);
    RUN(hostile_orders);
    RUN(crowds_in_frames);
    RUN(fat_boxes_reach_as_far_as_they_should);
    RUN(each_motion_is_foreseen);
    RUN(the_frame_is_fitted_again);
    RUN(crowds_keep_good_trees);
    RUN(copies_have_their_own_memory);
    RUN(other_calls_do_no_harm);
    RUN(all_memory_is_given_back);
}
