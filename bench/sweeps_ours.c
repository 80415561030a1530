/* sweeps_ours: collide.h's sweeps against triangles: one by one; one by one from front to back, up to where no other can be
 * nearer; and all at once, from front to back, as a tree would give them, or from back to front; and the whole mesh through its
 * tree. */
#include "sweeps.h"
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

typedef struct cast {
    cd_vec3 motion;
    cd_sphere ball;
    cd_capsule capsule;
    cd_aabb aabb;
    cd_obb obb;
    cd_hull hull; /* where it is what moves */
} cast;

typedef struct prepared {
    const bench_course *course;
    cast *casts;
    cd_triangle *triangles, *reversed; /* a cast's last one first */
    cd_bvh tree;
} prepared;

static cd_vec3 vec_of(const float v[3]) {
    return cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]);
}

static cast cast_of(const bench_start *from) {
    cast c;
    memset(&c.hull, 0, sizeof c.hull);
    c.motion = vec_of(from->motion);
    c.ball.center = c.obb.center = vec_of(from->center);
    c.ball.radius = c.capsule.radius = (cd_real)bench_radius;
    for (int i = 0; i < 3; ++i) {
        cd_vec3 axis = vec_of(from->axes[i]);
        c.obb.axes.col[i] = axis;
    }
    c.obb.half = vec_of(bench_box_half);
    c.capsule.a = vec_of(from->ends[0]);
    c.capsule.b = vec_of(from->ends[1]);
    c.aabb.min = vec_of(from->low);
    c.aabb.max = vec_of(from->high);
    return c;
}

static void *prepare(const bench_course *course) {
    prepared *p = (prepared *)pg_alloc(sizeof *p);
    int count = course->first[course->casts];
    memset(&p->tree, 0, sizeof p->tree);
    p->course = course;
    p->casts = (cast *)pg_alloc((size_t)course->casts * sizeof *p->casts);
    p->triangles = (cd_triangle *)pg_alloc(2 * (size_t)count * sizeof *p->triangles);
    p->reversed = p->triangles + count;
    for (int i = 0; i < course->casts; ++i) {
        cast c = cast_of(&course->start[i]);
        p->casts[i] = c;
    }
    for (int i = 0; i < count; ++i) {
        p->triangles[i].a = vec_of(course->triangle[i]);
        p->triangles[i].b = vec_of(course->triangle[i] + 3);
        p->triangles[i].c = vec_of(course->triangle[i] + 6);
    }
    for (int i = 0; i < course->casts; ++i) {
        const int from = course->first[i], to = course->first[i + 1];
        for (int j = from; j < to; ++j) p->reversed[j] = p->triangles[from + to - 1 - j];
    }
    return p;
}

static void *prepare_tree(const bench_course *course) {
    prepared *p = (prepared *)prepare(course);
    size_t corners = 3 * (size_t)course->faces;
    cd_vec3 *vertices = (cd_vec3 *)pg_alloc(corners * sizeof *vertices);
    uint32_t *indices = (uint32_t *)pg_alloc(corners * sizeof *indices);
    cd_mesh_view view;
    for (size_t i = 0; i < corners; ++i) {
        vertices[i] = vec_of(&course->face[i / 3][i % 3 * 3]);
        indices[i] = (uint32_t)i;
    }
    view = cd_mesh_view_make(vertices, (uint32_t)corners, indices, (uint32_t)course->faces);
    if (cd_bvh_build_mesh(&p->tree, &view, NULL) != CD_OK) exit(1);
    free(vertices);
    free(indices);
    return p;
}

static void *prepare_hulls(const bench_course *course) {
    prepared *p = (prepared *)prepare_tree(course);
    for (int i = 0; i < course->casts; ++i) {
        cd_vec3 points[BENCH_HULL_POINTS];
        for (int j = 0; j < BENCH_HULL_POINTS; ++j) {
            cd_vec3 v = vec_of(course->start[i].points[j]);
            points[j] = v;
        }
        if (cd_hull3_build(&p->casts[i].hull, points, BENCH_HULL_POINTS, NULL) != CD_OK) exit(1);
    }
    return p;
}

static void release(void *p) {
    for (int i = 0; i < ((prepared *)p)->course->casts; ++i) cd_hull_destroy(&((prepared *)p)->casts[i].hull);
    cd_bvh_destroy(&((prepared *)p)->tree);
    free(((prepared *)p)->casts);
    free(((prepared *)p)->triangles);
    free(p);
}

#define BALL(c)    (c)->ball
#define CAPSULE(c) &(c)->capsule
#define AABB(c)    (c)->aabb
#define OBB(c)     &(c)->obb
#define HULL(c)    &(c)->hull

/* `sweep` takes the mover as `get` gives it. */
#define SINGLE(name, get, sweep)                                                                             \
    static bench_answer name(const void *data, double *t) {                                                  \
        const prepared *p = (const prepared *)data;                                                          \
        const int *first = p->course->first;                                                                 \
        bench_answer answer = {0, 0, 0.0};                                                                   \
        for (int i = 0; i < p->course->casts; ++i) {                                                         \
            const cast *c = &p->casts[i];                                                                    \
            double least = 2;                                                                                \
            for (int j = first[i]; j < first[i + 1]; ++j) {                                                  \
                cd_hit hit;                                                                                  \
                double found = sweep(get(c), c->motion, &p->triangles[j], NULL, &hit) ? (double)hit.t : 2;   \
                if (t) t[j] = found;                                                                         \
                if (found < least) least = found;                                                            \
            }                                                                                                \
            bench_first(&answer, least);                                                                     \
        }                                                                                                    \
        return answer;                                                                                       \
    }

#define FRONT(name, get, sweep)                                                                              \
    static bench_answer name(const void *data, double *t) {                                                  \
        const prepared *p = (const prepared *)data;                                                          \
        const int *first = p->course->first;                                                                 \
        const float *enter = p->course->enter;                                                               \
        bench_answer answer = {0, 0, 0.0};                                                                   \
        (void)t;                                                                                             \
        for (int i = 0; i < p->course->casts; ++i) {                                                         \
            const cast *c = &p->casts[i];                                                                    \
            double least = 2;                                                                                \
            for (int j = first[i]; j < first[i + 1] && (double)enter[j] <= least; ++j) {                     \
                cd_hit hit;                                                                                  \
                if (sweep(get(c), c->motion, &p->triangles[j], NULL, &hit) && (double)hit.t < least)         \
                    least = (double)hit.t;                                                                   \
            }                                                                                                \
            bench_first(&answer, least);                                                                     \
        }                                                                                                    \
        return answer;                                                                                       \
    }

#define BATCH(name, get, sweep, list)                                                                        \
    static bench_answer name(const void *data, double *t) {                                                  \
        const prepared *p = (const prepared *)data;                                                          \
        const int *first = p->course->first;                                                                 \
        bench_answer answer = {0, 0, 0.0};                                                                   \
        (void)t;                                                                                             \
        for (int i = 0; i < p->course->casts; ++i) {                                                         \
            const cast *c = &p->casts[i];                                                                    \
            size_t count = (size_t)(first[i + 1] - first[i]);                                                \
            cd_hit hit;                                                                                      \
            bench_first(&answer, sweep(get(c), c->motion, &p->list[first[i]], count, NULL, &hit)             \
                                     ? (double)hit.t                                                         \
                                     : 2);                                                                   \
        }                                                                                                    \
        return answer;                                                                                       \
    }

#define TREE(name, get, sweep)                                                                               \
    static bench_answer name(const void *data, double *t) {                                                  \
        const prepared *p = (const prepared *)data;                                                          \
        bench_answer answer = {0, 0, 0.0};                                                                   \
        (void)t;                                                                                             \
        for (int i = 0; i < p->course->casts; ++i) {                                                         \
            const cast *c = &p->casts[i];                                                                    \
            cd_hit hit;                                                                                      \
            bench_first(&answer, sweep(&p->tree, get(c), c->motion, NULL, &hit) ? (double)hit.t : 2);        \
        }                                                                                                    \
        return answer;                                                                                       \
    }

TREE(tree_ball, BALL, cd_bvh_sweep_sphere)
TREE(tree_capsule, CAPSULE, cd_bvh_sweep_capsule)
TREE(tree_aabb, AABB, cd_bvh_sweep_aabb)
TREE(tree_obb, OBB, cd_bvh_sweep_obb)
TREE(tree_hull, HULL, cd_bvh_sweep_hull)
SINGLE(single_ball, BALL, cd_sweep_sphere_triangle)
FRONT(front_ball, BALL, cd_sweep_sphere_triangle)
BATCH(batch_ball, BALL, cd_sweep_sphere_triangles, triangles)
BATCH(reversed_ball, BALL, cd_sweep_sphere_triangles, reversed)
SINGLE(single_capsule, CAPSULE, cd_sweep_capsule_triangle)
FRONT(front_capsule, CAPSULE, cd_sweep_capsule_triangle)
BATCH(batch_capsule, CAPSULE, cd_sweep_capsule_triangles, triangles)
BATCH(reversed_capsule, CAPSULE, cd_sweep_capsule_triangles, reversed)
SINGLE(single_aabb, AABB, cd_sweep_aabb_triangle)
FRONT(front_aabb, AABB, cd_sweep_aabb_triangle)
BATCH(batch_aabb, AABB, cd_sweep_aabb_triangles, triangles)
BATCH(reversed_aabb, AABB, cd_sweep_aabb_triangles, reversed)
SINGLE(single_obb, OBB, cd_sweep_obb_triangle)
FRONT(front_obb, OBB, cd_sweep_obb_triangle)
BATCH(batch_obb, OBB, cd_sweep_obb_triangles, triangles)
BATCH(reversed_obb, OBB, cd_sweep_obb_triangles, reversed)

const bench_sweep BENCH_SWEEPS[] = {
    {BENCH_NAME, BENCH_BALL, 1, prepare, release, single_ball},
    {BENCH_NAME, BENCH_CAPSULE, 1, prepare, release, single_capsule},
    {BENCH_NAME, BENCH_AABB, 1, prepare, release, single_aabb},
    {BENCH_NAME, BENCH_OBB, 1, prepare, release, single_obb},
    {BENCH_NAME "-front", BENCH_BALL, 0, prepare, release, front_ball},
    {BENCH_NAME "-front", BENCH_CAPSULE, 0, prepare, release, front_capsule},
    {BENCH_NAME "-front", BENCH_AABB, 0, prepare, release, front_aabb},
    {BENCH_NAME "-front", BENCH_OBB, 0, prepare, release, front_obb},
    {BENCH_NAME "-batch", BENCH_BALL, 0, prepare, release, batch_ball},
    {BENCH_NAME "-batch-reversed", BENCH_BALL, 0, prepare, release, reversed_ball},
    {BENCH_NAME "-batch", BENCH_CAPSULE, 0, prepare, release, batch_capsule},
    {BENCH_NAME "-batch-reversed", BENCH_CAPSULE, 0, prepare, release, reversed_capsule},
    {BENCH_NAME "-batch", BENCH_AABB, 0, prepare, release, batch_aabb},
    {BENCH_NAME "-batch-reversed", BENCH_AABB, 0, prepare, release, reversed_aabb},
    {BENCH_NAME "-batch", BENCH_OBB, 0, prepare, release, batch_obb},
    {BENCH_NAME "-batch-reversed", BENCH_OBB, 0, prepare, release, reversed_obb},
    {BENCH_NAME "-tree", BENCH_BALL, 0, prepare_tree, release, tree_ball},
    {BENCH_NAME "-tree", BENCH_CAPSULE, 0, prepare_tree, release, tree_capsule},
    {BENCH_NAME "-tree", BENCH_AABB, 0, prepare_tree, release, tree_aabb},
    {BENCH_NAME "-tree", BENCH_OBB, 0, prepare_tree, release, tree_obb},
    {BENCH_NAME "-tree", BENCH_HULL, 0, prepare_hulls, release, tree_hull},
    {NULL, BENCH_BALL, 0, NULL, NULL, NULL}};
