/* Many threads at once, for the thread sanitizer: builders that share their work out among threads give the bytes of one thread; and
 * queries of all kinds from several threads, on the same structures, give the answers of one, and take no memory. */
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#define COLLIDE_MALLOC count_malloc
#define COLLIDE_FREE   free
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int blocks; /* taken so far */

static void *count_malloc(size_t size) {
    __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED);
    return malloc(size);
}

#include "collide.h"

static int failures;

static void check(bool held, const char *what, int number) {
    if (held) return;
    printf("differs: %s, %d\n", what, number);
    ++failures;
}

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        if ((call) != CD_OK) {                                                                               \
            printf("does not work: %s\n", #call);                                                            \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* ---- numbers ---- */

static uint64_t state = 1;

static uint64_t next(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static cd_real any(double lo, double hi) {
    return (cd_real)(lo + (hi - lo) * ((double)(next() >> 11) * (1.0 / 9007199254740992.0)));
}

static cd_vec3 any_point(double size) {
    cd_vec3 p;
    p.x = any(-size, size);
    p.y = any(-size, size);
    p.z = any(-size, size);
    return p;
}

static void mix(uint64_t *hash, const void *bytes, size_t size) {
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; ++i) *hash = (*hash ^ p[i]) * 1099511628211u;
}

/* ---- threads that share work out ---- */

typedef struct team {
    int threads;
    uint32_t next, count;
    void (*task)(void *ctx, uint32_t i);
    void *ctx;
    uint32_t shared; /* tasks that others could have had */
} team;

static void *work(void *user) {
    team *t = (team *)user;
    for (;;) {
        uint32_t i = __atomic_fetch_add(&t->next, 1, __ATOMIC_RELAXED);
        if (i >= t->count) return NULL;
        t->task(t->ctx, t->count - 1 - i);
    }
}

static void run(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    team *t = (team *)user;
    pthread_t thread[8];
    t->next = 0;
    t->count = count;
    t->task = task;
    t->ctx = ctx;
    if (count > 1) t->shared += count;
    for (int i = 1; i < t->threads; ++i) {
        if (pthread_create(&thread[i], NULL, work, t) != 0) exit(1);
    }
    work(t);
    for (int i = 1; i < t->threads; ++i) pthread_join(thread[i], NULL);
}

/* ---- builds ---- */

enum {
    RINGS = 16,
    COLUMNS = 2 * RINGS,
    VERTICES = RINGS * COLUMNS,
    TRIANGLES = 2 * (RINGS - 1) * COLUMNS,
    BOXES = 3000
};

static struct {
    cd_vec3 vertices[VERTICES], moved[VERTICES];
    uint32_t indices[3 * TRIANGLES], masks[BOXES];
    cd_aabb boxes[BOXES], new_boxes[BOXES];
    cd_mesh_view mesh, deformed;
} given;

/* A bumpy tube. */
static void give(void) {
    uint32_t *to = given.indices;
    for (uint32_t i = 0; i < VERTICES; ++i) {
        cd_vec3 bump = any_point(0.02);
        cd_real x = (cd_real)(i % COLUMNS) / COLUMNS, y = (cd_real)(i / COLUMNS) / RINGS;
        cd_quat turn = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)6.2831853 * x);
        cd_vec3 p = cd_vec3_add(cd_quat_rotate(turn, cd_vec3_make(1 + y / 4, 0, 2 * y - 1)), bump);
        given.vertices[i] = p;
        given.moved[i] = cd_vec3_add(p, any_point(0.3));
    }
    for (uint32_t r = 0; r + 1 < RINGS; ++r) {
        for (uint32_t c = 0; c < COLUMNS; ++c) {
            uint32_t a = r * COLUMNS + c, b = r * COLUMNS + (c + 1) % COLUMNS;
            *to++ = a, *to++ = b, *to++ = b + COLUMNS;
            *to++ = a, *to++ = b + COLUMNS, *to++ = a + COLUMNS;
        }
    }
    for (uint32_t i = 0; i < BOXES; ++i) {
        cd_vec3 p = any_point(10), q = any_point(10);
        given.boxes[i].min = p;
        given.boxes[i].max = cd_vec3_add(p, cd_vec3_make(any(0, 1), any(0, 1), any(0, 1)));
        given.new_boxes[i].min = q;
        given.new_boxes[i].max = cd_vec3_add(q, cd_vec3_make(any(0, 1), any(0, 1), any(0, 1)));
        given.masks[i] = i;
    }
    given.mesh = cd_mesh_view_make(given.vertices, VERTICES, given.indices, TRIANGLES);
    given.deformed = cd_mesh_view_make(given.moved, VERTICES, given.indices, TRIANGLES);
}

/* The hash of the bytes that a builder makes. */
typedef uint64_t (*build_fn)(int variant, const cd_executor *executor);

static cd_bvh_options options_of(int variant, const cd_executor *executor) {
    static const uint32_t methods[] = {CD_BVH_SAH_BINNED, CD_BVH_SAH_SWEPT, CD_BVH_OBJECT_MEAN,
                                       CD_BVH_LINEAR,     CD_BVH_BOTTOM_UP, CD_BVH_NEAR_LINEAR,
                                       CD_BVH_CLUSTERED,  CD_BVH_INSERTED};
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.method = methods[variant % 8];
    o.layout = (uint32_t)variant % 3;
    o.masks = variant % 2 ? given.masks : NULL;
    if (executor) o.executor = *executor;
    return o;
}

static uint64_t hash_and_destroy(cd_bvh *tree) {
    uint64_t hash = 14695981039346656037u;
    mix(&hash, tree->block, tree->bytes);
    cd_bvh_destroy(tree);
    return hash;
}

static uint64_t build_mesh(int variant, const cd_executor *executor) {
    cd_bvh_options o = options_of(variant, executor);
    cd_bvh tree;
    MUST(cd_bvh_build_mesh(&tree, &given.mesh, &o));
    return hash_and_destroy(&tree);
}

static uint64_t build_boxes(int variant, const cd_executor *executor) {
    cd_bvh_options o = options_of(variant, executor);
    cd_bvh tree;
    o.method = CD_BVH_LINEAR;
    o.layout = 0;
    MUST(cd_bvh_build_boxes(&tree, given.boxes, BOXES, &o));
    return hash_and_destroy(&tree);
}

static uint64_t refit_mesh(int variant, const cd_executor *executor) {
    cd_bvh_refit_options how;
    cd_bvh tree;
    memset(&how, 0, sizeof how);
    if (variant) how.flags = CD_BVH_REFIT_IN_PLACE;
    if (executor) how.executor = *executor;
    MUST(cd_bvh_build_mesh(&tree, &given.mesh, NULL));
    MUST(cd_bvh_refit_mesh(&tree, &given.deformed, &how, NULL));
    return hash_and_destroy(&tree);
}

static uint64_t build_volumes(int variant, const cd_executor *executor) {
    cd_bvh_options o = options_of(variant == 0 ? 0 : 2, executor);
    uint64_t hash = 14695981039346656037u;
    cd_bvtree tree;
    if (variant == 0) MUST(cd_obbtree_build_mesh(&tree, &given.mesh, &o));
    if (variant == 1) MUST(cd_kdoptree_build_mesh(&tree, &given.mesh, 18, &o));
    if (variant >= 2) {
        cd_spheretree_options s;
        memset(&s, 0, sizeof s);
        s.method = (uint32_t)variant - 2;
        s.executor = o.executor;
        MUST(cd_spheretree_build_mesh(&tree, &given.mesh, &s));
    }
    mix(&hash, tree.block, tree.bytes);
    cd_bvtree_destroy(&tree);
    return hash;
}

static uint64_t build_hull(int variant, const cd_executor *executor) {
    cd_hull_options o;
    cd_hull hull, small, sum;
    uint64_t hash = 14695981039346656037u;
    (void)variant;
    memset(&o, 0, sizeof o);
    if (executor) o.executor = *executor;
    MUST(cd_hull3_build(&hull, given.vertices, VERTICES, &o));
    MUST(cd_hull3_build(&small, given.vertices, 30, &o));
    MUST(cd_minkowski_sum3(&sum, &hull, &small, &o));
    mix(&hash, hull.block, hull.bytes);
    mix(&hash, sum.block, sum.bytes);
    cd_hull_destroy(&hull);
    cd_hull_destroy(&small);
    cd_hull_destroy(&sum);
    return hash;
}

static const struct {
    const char *name;
    build_fn build;
    int variants;
    bool shares; /* so much work that it is shared out */
} builders[] = {
    {"mesh", build_mesh, 8, true},       {"boxes", build_boxes, 1, true}, {"refit", refit_mesh, 2, true},
    {"volumes", build_volumes, 5, true}, {"hull", build_hull, 1, false},
};

/* With one thread, two, three and eight; the first variant of each builder with all of these, the others with three. */
static void builds_are_the_same(void) {
    static const int threads[] = {3, 1, 2, 8};
    for (size_t b = 0; b < sizeof builders / sizeof *builders; ++b) {
        for (int v = 0; v < builders[b].variants; ++v) {
            uint64_t want = builders[b].build(v, NULL);
            for (int k = 0; k < (v ? 1 : 4); ++k) {
                team t;
                cd_executor e;
                memset(&t, 0, sizeof t);
                memset(&e, 0, sizeof e);
                t.threads = threads[k];
                e.user = &t;
                e.run = run;
                check(builders[b].build(v, &e) == want, builders[b].name, v);
                if (builders[b].shares) check(t.shared > 1, "nothing was shared out", v);
            }
        }
    }
}

/* ---- queries ---- */

enum { THINGS = 12, SHAPES = 10, ASKERS = 4, QUESTIONS = 7 };

static struct {
    cd_bvh tree[5], box_tree, patch; /* of all layouts, and a height field */
    cd_bvh_winding winding;
    cd_bvh_instances instances;
    cd_bvtree volumes[3];
    cd_dyntree dynamic;
    cd_bvh_spheres spheres;
    cd_hull hull[2];
    cd_dk_hierarchy dk[2];
    cd_shape shape[SHAPES];
    cd_compound compound;
    cd_kdtree_compact kd;
    cd_ray rays[THINGS];
    cd_vec3 points[THINGS];
    cd_transform poses[THINGS];
    cd_motion motions[THINGS];
    cd_bvh_volume volume[THINGS];
} shared;

static void make_trees(void) {
    static float samples[20 * 20];
    cd_height_view view;
    cd_bvh_instance in[6];
    memset(&view, 0, sizeof view);
    memset(in, 0, sizeof in);
    for (int i = 0; i < 400; ++i) samples[i] = (float)any(0, 1);
    view.samples = samples;
    view.format = CD_HEIGHT_F32;
    view.columns = view.rows = 20;
    view.spacing[0] = view.spacing[1] = (cd_real)0.2;
    view.origin = cd_vec3_make(-2, -2, 0);
    for (uint32_t layout = 0; layout < 4; ++layout) {
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.layout = layout;
        MUST(cd_bvh_build_mesh(&shared.tree[layout], &given.mesh, &o));
    }
    MUST(cd_bvh_build_heights(&shared.tree[4], &view, NULL));
    MUST(cd_bvh_build_boxes(&shared.box_tree, given.boxes, 500, NULL));
    MUST(cd_bvh_winding_build(&shared.winding, &shared.tree[0], NULL));
    MUST(cd_obbtree_build_mesh(&shared.volumes[0], &given.mesh, NULL));
    MUST(cd_kdoptree_build_mesh(&shared.volumes[1], &given.mesh, 14, NULL));
    MUST(cd_spheretree_build_mesh(&shared.volumes[2], &given.mesh, NULL));
    MUST(cd_kdtree_compact_build(&shared.kd, given.boxes, 500, 4, NULL));
    for (int i = 0; i < 6; ++i) {
        in[i].tree = &shared.tree[i % 5];
        in[i].pose = shared.poses[i];
        in[i].scale = (cd_real)(i % 3);
    }
    MUST(cd_bvh_instances_build(&shared.instances, in, 6, NULL));
    for (uint32_t i = 0; i < 200; ++i) {
        cd_sphere s;
        uint32_t id;
        s.center = given.boxes[i].min;
        s.radius = 1;
        MUST(cd_dyntree_insert(&shared.dynamic, given.boxes[i], i, NULL));
        MUST(cd_bvh_insert_sphere(&shared.spheres, s, i, &id));
    }
}

static void make_shapes(void) {
    static cd_placed_shape children[6];
    cd_disc disc = {{0, 0, 0}, {0, 0, 1}, 1};
    cd_mesh_view patch = cd_mesh_view_make(given.vertices, VERTICES, given.indices, 40);
    cd_sphere ball = {{0, 0, 0}, 1};
    cd_capsule pill = {{-1, 0, 0}, {1, 0, 0}, (cd_real)0.5};
    cd_plane ground = {{0, 0, 1}, 0};
    cd_cylinder can = {{0, 0, -1}, {0, 0, 1}, 1};
    for (int i = 0; i < 2; ++i) {
        MUST(cd_hull3_build(&shared.hull[i], given.vertices + 100 * i, 100, NULL));
        MUST(cd_dk_hierarchy_build(&shared.dk[i], &shared.hull[i], NULL));
    }
    MUST(cd_bvh_build_mesh(&shared.patch, &patch, NULL));
    shared.shape[0] = cd_shape_of_hull(&shared.hull[0]);
    shared.shape[1] = cd_shape_of_hull(&shared.hull[1]);
    shared.shape[2] = cd_shape_of_sphere(ball);
    shared.shape[3] = cd_shape_of_capsule(&pill);
    shared.shape[4] = cd_shape_of_cylinder(&can);
    shared.shape[5] = cd_shape_of_disc(&disc);
    shared.shape[6] = cd_shape_of_mesh(&shared.patch, NULL);
    shared.shape[7] = cd_shape_of_heights(&shared.tree[4]);
    shared.shape[8] = cd_shape_of_halfspace(&ground);
    for (int i = 0; i < 6; ++i) {
        children[i].shape = &shared.shape[i];
        children[i].pose = shared.poses[i];
    }
    MUST(cd_compound_build(&shared.compound, children, 6, NULL));
    shared.shape[9] = cd_shape_of_compound(&shared.compound);
}

static void make_inputs(void) {
    for (int i = 0; i < THINGS; ++i) {
        cd_sphere ball;
        cd_transform to = cd_transform_identity();
        shared.poses[i] = cd_transform_identity();
        shared.poses[i].position = any_point(1.5);
        shared.poses[i].rotation =
            cd_quat_from_axis_angle(cd_vec3_make(0, (cd_real)0.6, (cd_real)0.8), any(-3, 3));
        to.position = any_point(0.5);
        MUST(cd_motion_make((cd_motion_kind)(i % 4), &shared.poses[i], &to, &shared.motions[i]));
        shared.points[i] = any_point(1.5);
        shared.rays[i].origin = any_point(3);
        shared.rays[i].dir = cd_vec3_sub(any_point(1), shared.rays[i].origin);
        ball.center = any_point(1);
        ball.radius = any(0, 1);
        shared.volume[i] = i % 2 ? cd_bvh_volume_sphere(ball) : cd_bvh_volume_aabb(given.boxes[i]);
    }
}

static bool note(void *user, uint32_t index) {
    mix((uint64_t *)user, &index, sizeof index);
    return true;
}

static bool note_pair(void *user, cd_pair pair) {
    mix((uint64_t *)user, &pair, sizeof pair);
    return true;
}

static void mix_hit(uint64_t *hash, bool hit, const cd_hit *h) {
    if (!hit) return;
    mix(hash, &h->t, sizeof h->t);
    mix(hash, &h->normal, sizeof h->normal);
    mix(hash, &h->index, sizeof h->index);
}

static void mix_closest(uint64_t *hash, bool found, const cd_closest *c) {
    if (!found) return;
    mix(hash, &c->a, sizeof c->a);
    mix(hash, &c->b, sizeof c->b);
    mix(hash, &c->sqdist, sizeof c->sqdist);
    mix(hash, &c->index_a, sizeof c->index_a);
}

static void mix_separation(uint64_t *hash, const cd_separation *s) {
    mix(hash, &s->distance, sizeof s->distance);
    mix(hash, &s->normal, sizeof s->normal);
    mix(hash, &s->a, sizeof s->a);
    mix(hash, &s->b, sizeof s->b);
}

static void mix_manifolds(uint64_t *hash, const cd_manifold *m, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        mix(hash, &m[i].normal, sizeof m[i].normal);
        for (uint32_t k = 0; k < m[i].count; ++k) mix(hash, &m[i].points[k].a, sizeof m[i].points[k].a);
    }
}

/* About one tree. */
static void ask_tree(uint32_t i, uint64_t *hash) {
    const cd_bvh *tree = &shared.tree[i % 5];
    cd_hit hit, hits[THINGS];
    cd_closest c, near[3];
    cd_real accuracy = (cd_real)0.01;
    mix_hit(hash, cd_bvh_cast_ray(tree, &shared.rays[i % THINGS], CD_REAL_MAX, NULL, &hit), &hit);
    mix_closest(hash, cd_bvh_closest(tree, shared.points[i % THINGS], CD_REAL_MAX, NULL, &c), &c);
    cd_bvh_overlap(tree, &shared.volume[i % THINGS], NULL, note, hash);
    mix_hit(hash, cd_bvh_sweep(tree, &shared.volume[i % THINGS], shared.points[0], NULL, &hit), &hit);
    memset(hits, 0, sizeof hits);
    cd_bvh_cast_rays(tree, shared.rays, NULL, THINGS, NULL, hits);
    for (int k = 0; k < THINGS; ++k) mix(hash, &hits[k].t, sizeof hits[k].t);
    if (cd_bvh_closest_k(tree, shared.points[i % THINGS], 3, CD_REAL_MAX, NULL, near) == 3)
        mix_closest(hash, true, &near[2]);
    accuracy = cd_bvh_winding_number(&shared.winding, &shared.tree[0], shared.points[i % THINGS], accuracy);
    mix(hash, &accuracy, sizeof accuracy);
}

/* About two. */
static void ask_trees(uint32_t i, uint64_t *hash) {
    const cd_bvh *a = &shared.tree[i % 5], *b = &shared.tree[i / 5 % 5];
    const cd_transform *pose = &shared.poses[i % THINGS];
    cd_closest c;
    cd_hit hit;
    cd_pair pairs[8];
    size_t count = cd_bvh_collide(a, b, pose, NULL, pairs, 8);
    mix(hash, pairs, (count < 8 ? count : 8) * sizeof *pairs);
    mix_closest(hash, cd_bvh_closest_bvh(a, b, pose, CD_REAL_MAX, NULL, &c), &c);
    mix_hit(hash, cd_bvh_sweep_bvh(a, shared.points[1], b, pose, shared.points[2], NULL, &hit, NULL), &hit);
    count = cd_bvtree_collide(&shared.volumes[i % 3], &shared.volumes[i % 3], pose, NULL, pairs, 8);
    mix(hash, &count, sizeof count);
}

/* About instances, boxes that move, spheres, a k-d tree. */
static void ask_others(uint32_t i, uint64_t *hash) {
    const cd_ray *ray = &shared.rays[i % THINGS];
    cd_hit hit;
    cd_closest c;
    uint32_t which = 0;
    double sqdist = 0;
    mix_hit(hash, cd_bvh_instances_cast_ray(&shared.instances, ray, CD_REAL_MAX, NULL, &hit, &which), &hit);
    cd_bvh_instances_overlap(&shared.instances, &shared.volume[i % THINGS], NULL, note_pair, hash);
    mix_closest(hash,
                cd_bvh_instances_closest(&shared.instances, shared.points[0], CD_REAL_MAX, NULL, &c, &which),
                &c);
    mix(hash, &which, sizeof which);
    cd_dyntree_traverse_moved(&shared.dynamic, NULL, note_pair, hash);
    cd_bvh_overlap(&shared.dynamic.bvh, &shared.volume[i % THINGS], NULL, note, hash);
    mix_hit(hash, cd_bvh_cast_ray(&shared.box_tree, ray, CD_REAL_MAX, NULL, &hit), &hit);
    cd_bvh_spheres_traverse_self(&shared.spheres, NULL, note_pair, hash);
    which = cd_kdtree_compact_nearest(&shared.kd, shared.points[i % THINGS], given.boxes, &sqdist);
    mix(hash, &which, sizeof which);
    mix_hit(hash, cd_bvtree_cast_ray(&shared.volumes[i % 3], ray, CD_REAL_MAX, NULL, &hit), &hit);
}

/* About two shapes of any kind; each thread has its own caches. */
static void ask_shapes(uint32_t i, uint64_t *hash) {
    const cd_shape *a = &shared.shape[i % SHAPES], *b = &shared.shape[(i / SHAPES + 3 * i) % SHAPES];
    const cd_transform *pose = &shared.poses[i % THINGS];
    cd_cache cache, other;
    cd_manifold m[6];
    cd_hit hit;
    cd_impact impact;
    cd_separation s;
    size_t count;
    memset(&cache, 0, sizeof cache);
    memset(&other, 0, sizeof other);
    for (int k = 0; k < 2; ++k) { /* the second time from the cache */
        s = cd_shape_distance(a, b, pose, NULL, &cache, NULL);
        mix_separation(hash, &s);
        count = cd_shape_collide(a, b, pose, NULL, &other, m, 6);
        mix_manifolds(hash, m, count < 6 ? count : 6);
    }
    mix_hit(hash, cd_shape_sweep(a, shared.points[0], b, pose, NULL, &hit, NULL), &hit);
    mix_hit(hash, cd_shape_cast_ray(a, &shared.rays[i % THINGS], CD_REAL_MAX, NULL, &hit, NULL), &hit);
    impact = cd_shape_time_of_impact(a, &shared.motions[i % THINGS], b, &shared.motions[(i + 1) % THINGS],
                                     NULL, NULL);
    mix(hash, &impact.t, sizeof impact.t);
    s = cd_dk_hierarchy_distance(&shared.dk[0], &shared.dk[1], pose, NULL, &cache);
    mix_separation(hash, &s);
}

/* Many pairs in one call. */
static void ask_many(uint32_t i, uint64_t *hash) {
    cd_shape_pair pairs[THINGS];
    cd_separation s[THINGS];
    cd_cache caches[THINGS];
    bool yes[THINGS];
    memset(caches, 0, sizeof caches);
    memset(yes, 0, sizeof yes);
    for (uint32_t k = 0; k < THINGS; ++k) {
        pairs[k].a = &shared.shape[(i + k) % 6];
        pairs[k].b = &shared.shape[k % 6];
        pairs[k].b_in_a = &shared.poses[k];
    }
    cd_shape_distances(pairs, THINGS, NULL, caches, s, NULL);
    for (int k = 0; k < THINGS; ++k) mix_separation(hash, &s[k]);
    cd_shape_tests(pairs, THINGS, NULL, caches, yes);
    mix(hash, yes, sizeof yes);
}

static uint64_t answer(uint32_t question) {
    static void (*const asks[])(uint32_t i, uint64_t * hash) = {ask_tree, ask_trees, ask_others, ask_shapes,
                                                                ask_many};
    uint64_t hash = 14695981039346656037u;
    asks[question % 5](question / 5, &hash);
    return hash;
}

static uint64_t answers[5 * QUESTIONS];
static pthread_barrier_t all_there;

typedef struct asker {
    int number, wrong;
} asker;

/* Each begins elsewhere. */
static void *ask(void *user) {
    asker *a = (asker *)user;
    pthread_barrier_wait(&all_there);
    for (uint32_t i = 0; i < 5 * QUESTIONS; ++i) {
        uint32_t question = (i + (uint32_t)a->number * 31) % (5 * QUESTIONS);
        a->wrong += answer(question) != answers[question];
    }
    return NULL;
}

static void queries_at_once_are_the_same(void) {
    pthread_t thread[ASKERS];
    asker askers[ASKERS];
    int before;
    make_inputs();
    make_trees();
    make_shapes();
    before = blocks;
    for (uint32_t i = 0; i < 5 * QUESTIONS; ++i) answers[i] = answer(i);
    if (pthread_barrier_init(&all_there, NULL, ASKERS) != 0) exit(1);
    for (int i = 0; i < ASKERS; ++i) {
        askers[i].number = i;
        askers[i].wrong = 0;
        if (pthread_create(&thread[i], NULL, ask, &askers[i]) != 0) exit(1);
    }
    for (int i = 0; i < ASKERS; ++i) {
        pthread_join(thread[i], NULL);
        check(askers[i].wrong == 0, "answers of a thread", i);
    }
    check(blocks == before, "queries took memory", blocks - before);
}

static void give_back(void) {
    for (int i = 0; i < 5; ++i) cd_bvh_destroy(&shared.tree[i]);
    for (int i = 0; i < 3; ++i) cd_bvtree_destroy(&shared.volumes[i]);
    for (int i = 0; i < 2; ++i) {
        cd_hull_destroy(&shared.hull[i]);
        cd_dk_hierarchy_destroy(&shared.dk[i]);
    }
    cd_bvh_destroy(&shared.box_tree);
    cd_bvh_destroy(&shared.patch);
    cd_bvh_winding_destroy(&shared.winding);
    cd_bvh_instances_destroy(&shared.instances);
    cd_dyntree_destroy(&shared.dynamic);
    cd_bvh_spheres_destroy(&shared.spheres);
    cd_compound_destroy(&shared.compound);
    cd_kdtree_compact_destroy(&shared.kd);
}

int main(void) {
    give();
    builds_are_the_same();
    queries_at_once_are_the_same();
    give_back();
    printf("%d failures\n", failures);
    return failures > 0;
}
