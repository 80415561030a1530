/* How much stack the calls of the library take: each is made on a stack of its own that was painted before, and where the paint is gone
 * has been used. What may be asked for is the documentation's: 16 KiB (18 in doubles) where nothing else is said.
 *
 * Measured of a library made as the documentation's numbers were: by GCC 12 for x86-64, optimised, without sanitizers. With COLLIDE_STACK
 * in the environment, the table of what was found is printed. */
#define _XOPEN_SOURCE 700
#include "any_things.h"
#include "gen.h"
#include "hulls.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void suite_stack(void);

#if defined(__linux__) && defined(__x86_64__) && !defined(__ILP32__)
#include <ucontext.h>

/* ---- a painted stack ---- */

enum { ROOM = 96 * 1024 };
#define PAINT 0xA5A5A5A5A5A5A5A5u

static struct {
    uint64_t words[ROOM / 8]; /* grows towards the first */
    size_t painted;           /* so many of them are */
    size_t begun;             /* bytes that what makes the call has taken itself */
    ucontext_t here, there;
    void (*call)(void *user);
    void *user;
} the_stack;

static void run_there(void) {
    the_stack.call(the_stack.user);
}

/* The bytes that a call uses, and what makes it. */
static size_t used_by(void (*call)(void *user), void *user) {
    size_t at = 0;
    for (size_t i = the_stack.painted; i < ROOM / 8; ++i) the_stack.words[i] = PAINT;
    the_stack.call = call;
    the_stack.user = user;
    if (getcontext(&the_stack.there) != 0) return ROOM;
    the_stack.there.uc_stack.ss_sp = the_stack.words;
    the_stack.there.uc_stack.ss_size = ROOM;
    the_stack.there.uc_link = &the_stack.here;
    makecontext(&the_stack.there, run_there, 0);
    if (swapcontext(&the_stack.here, &the_stack.there) != 0) return ROOM;
    while (at < ROOM / 8 && the_stack.words[at] == PAINT) ++at;
    the_stack.painted = at;
    return ROOM - 8 * at;
}

/* ---- what is asked ---- */

typedef struct scene {
    test_rng *rng;
    gen g;
    gen_mesh mesh[2], closed[2];
    cd_bvh tree[2], box_tree, point_tree, solid_tree[2];
    cd_bvh_winding winding[2];
    cd_solid solid[2];
    cd_bvtree other[2];
    cd_bvh_instances instances;
    cd_dyntree dynamic;
    cd_bvh_spheres spheres;
    cd_kdtree_compact kd;
    cd_aabb boxes[30];
    cd_hull hull[2];
    cd_dk_hierarchy dk[2];
    cd_hull_approx approx[2];
    any_thing *thing[2];
    int group; /* of the two things: convex, with one, two meshes, with compounds */
    cd_support support[2];
    bool supported, has_kdop;
    cd_transform pose;
    cd_motion motion[2];
    cd_vec3 way, points[30];
    cd_ray ray;
    cd_segment segment;
    cd_plane planes[6];
    cd_bvh_volume volume, capsule, moving_hull;
    cd_obb box[2];
    cd_capsule pill;
    cd_triangle triangle[2];
    cd_cache cache;
    cd_shape_options shape_options;
    cd_solid_options solid_options;
    size_t count;
    cd_hit hit;
    cd_closest closest;
    cd_pair pair, pairs[4];
    cd_part part;
    cd_part_pair parts;
    cd_manifold manifold[4];
    cd_separation separation;
    cd_impact impact;
    cd_sat_axis axis;
    cd_halving halving;
    cd_real number, to;
    cd_solid_gap gap;
    cd_solid_way exit;
    cd_mover_result moved;
    cd_mass mass;
    cd_aabb aabb;
    uint32_t index;
    bool yes;
    int what;
} scene;

static bool count_index(void *user, uint32_t index) {
    (void)index;
    ++*(size_t *)user;
    return true;
}

static bool count_pair(void *user, cd_pair pair) {
    (void)pair;
    ++*(size_t *)user;
    return true;
}

static bool count_contact(void *user, const cd_manifold *manifold, const cd_contact *point) {
    (void)manifold;
    (void)point;
    ++*(size_t *)user;
    return true;
}

#define THINGS   &s->thing[0]->shape, &s->thing[1]->shape, &s->pose, &s->shape_options
#define SUPPORTS &s->support[0], &s->support[1], &s->pose
#define TREES    &s->tree[0], &s->tree[1], &s->pose
#define SOLIDS   &s->solid[0], &s->solid[1], &s->pose
#define OTHERS   &s->other[0], &s->other[1], &s->pose
#define MOVES    &s->thing[0]->shape, &s->motion[0], &s->thing[1]->shape, &s->motion[1], &s->shape_options

/* CALL(name, KiB in floats, KiB in doubles, when, the call). */
#define CALLS_OF_TREES(CALL)                                                                                 \
    CALL(bvh_cast_ray, 16, 18, true,                                                                         \
         s->yes = cd_bvh_cast_ray(&s->tree[0], &s->ray, CD_REAL_MAX, NULL, &s->hit))                         \
    CALL(bvh_test_ray, 16, 18, true, s->yes = cd_bvh_test_ray(&s->tree[0], &s->ray, CD_REAL_MAX, NULL))      \
    CALL(bvh_cast_ray_all, 16, 18, true,                                                                     \
         s->count = cd_bvh_cast_ray_all(&s->tree[0], &s->ray, CD_REAL_MAX, NULL, NULL, 0))                   \
    CALL(bvh_cast_rays, 16, 18, true,                                                                        \
         s->count = cd_bvh_cast_rays(&s->tree[0], &s->ray, NULL, 1, NULL, &s->hit))                          \
    CALL(bvh_test_rays, 16, 18, true,                                                                        \
         s->count = cd_bvh_test_rays(&s->tree[0], &s->ray, NULL, 1, NULL, &s->yes))                          \
    CALL(bvh_cast_segment, 16, 18, true,                                                                     \
         s->yes = cd_bvh_cast_segment(&s->tree[0], &s->segment, NULL, &s->hit))                              \
    CALL(bvh_closest, 16, 18, true,                                                                          \
         s->yes = cd_bvh_closest(&s->tree[0], s->points[0], CD_REAL_MAX, NULL, &s->closest))                 \
    CALL(bvh_closest_k, 16, 18, true,                                                                        \
         s->count = cd_bvh_closest_k(&s->tree[0], s->points[0], 1, CD_REAL_MAX, NULL, &s->closest))          \
    CALL(bvh_closest_points, 16, 18, true,                                                                   \
         s->count = cd_bvh_closest_points(&s->tree[0], s->points, NULL, 1, NULL, &s->closest))               \
    CALL(bvh_overlap, 16, 18, true,                                                                          \
         s->yes = cd_bvh_overlap(&s->tree[0], &s->volume, NULL, count_index, &s->count))                     \
    CALL(bvh_test_overlap, 16, 18, true, s->yes = cd_bvh_test_overlap(&s->tree[0], &s->volume, NULL))        \
    CALL(bvh_overlap_capsule, 18, 20, true,                                                                  \
         s->yes = cd_bvh_overlap(&s->tree[0], &s->capsule, NULL, count_index, &s->count))                    \
    CALL(bvh_overlap_boxes, 16, 18, true,                                                                    \
         s->yes = cd_bvh_overlap(&s->box_tree, &s->volume, NULL, count_index, &s->count))                    \
    CALL(bvh_overlap_points, 16, 18, true,                                                                   \
         s->yes = cd_bvh_overlap(&s->point_tree, &s->volume, NULL, count_index, &s->count))                  \
    CALL(bvh_overlaps, 16, 18, true,                                                                         \
         s->yes = cd_bvh_overlaps(&s->tree[0], &s->volume, 1, NULL, count_pair, &s->count))                  \
    CALL(bvh_sweep, 16, 18, true, s->yes = cd_bvh_sweep(&s->tree[0], &s->volume, s->way, NULL, &s->hit))     \
    CALL(bvh_sweep_capsule, 16, 18, true,                                                                    \
         s->yes = cd_bvh_sweep(&s->tree[0], &s->capsule, s->way, NULL, &s->hit))                             \
    CALL(bvh_sweep_hull, 24, 24, true,                                                                       \
         s->yes = cd_bvh_sweep(&s->tree[0], &s->moving_hull, s->way, NULL, &s->hit))                         \
    CALL(bvh_sweeps, 16, 18, true,                                                                           \
         s->count = cd_bvh_sweeps(&s->tree[0], &s->volume, &s->way, 1, NULL, &s->hit))                       \
    CALL(bvh_sweep_motion, 21, 24, true,                                                                     \
         s->halving = cd_bvh_sweep_motion(&s->tree[0], &s->volume, &s->motion[0], NULL, NULL, &s->closest))  \
    CALL(bvh_collide, 16, 18, true, s->count = cd_bvh_collide(TREES, NULL, s->pairs, 4))                     \
    CALL(bvh_test_bvh, 16, 18, true, s->yes = cd_bvh_test_bvh(TREES, NULL, &s->pair))                        \
    CALL(bvh_within, 16, 18, true, s->count = cd_bvh_within(TREES, (cd_real)0.5, NULL, s->pairs, 4))         \
    CALL(bvh_test_within, 16, 18, true, s->yes = cd_bvh_test_within(TREES, (cd_real)0.5, NULL, &s->pair))    \
    CALL(bvh_self_pairs, 16, 18, true, s->count = cd_bvh_self_pairs(&s->tree[0], NULL, s->pairs, 4))         \
    CALL(bvh_closest_bvh, 19, 21, true, s->yes = cd_bvh_closest_bvh(TREES, CD_REAL_MAX, NULL, &s->closest))  \
    CALL(bvh_sweep_bvh, 16, 18, true,                                                                        \
         s->yes = cd_bvh_sweep_bvh(&s->tree[0], s->way, &s->tree[1], &s->pose, s->points[1], NULL, &s->hit,  \
                                   &s->pair))                                                                \
    CALL(bvh_sweep_bvh_motions, 21, 24, true,                                                                \
         s->halving = cd_bvh_sweep_bvh_motions(&s->tree[0], &s->motion[0], &s->tree[1], &s->motion[1], NULL, \
                                               NULL, &s->closest))                                           \
    CALL(bvh_winding_number, 16, 18, true,                                                                   \
         s->number = cd_bvh_winding_number(&s->winding[0], &s->solid_tree[0], s->points[0], (cd_real)0.01))  \
    CALL(bvh_test_point_inside, 16, 18, true,                                                                \
         s->yes = cd_bvh_test_point_inside(&s->winding[0], &s->solid_tree[0], s->points[0], (cd_real)0.5))   \
    CALL(bvh_signed_distance, 16, 18, true,                                                                  \
         s->yes = cd_bvh_signed_distance(&s->winding[0], &s->solid_tree[0], s->points[0], CD_REAL_MAX,       \
                                         &s->closest, &s->number))                                           \
    CALL(bvh_instances_cast_ray, 16, 18, true,                                                               \
         s->yes = cd_bvh_instances_cast_ray(&s->instances, &s->ray, CD_REAL_MAX, NULL, &s->hit, &s->index))  \
    CALL(bvh_instances_closest, 16, 18, true,                                                                \
         s->yes = cd_bvh_instances_closest(&s->instances, s->points[0], CD_REAL_MAX, NULL, &s->closest,      \
                                           &s->index))                                                       \
    CALL(bvh_instances_overlap, 24, 24, true,                                                                \
         s->yes = cd_bvh_instances_overlap(&s->instances, &s->volume, NULL, count_pair, &s->count))          \
    CALL(bvh_instances_sweep, 24, 24, s->volume.kind != CD_BVH_HULL,                                         \
         s->yes = cd_bvh_instances_sweep(&s->instances, &s->volume, s->way, NULL, &s->hit, &s->index))       \
    CALL(dyntree_moved_pairs, 16, 18, true,                                                                  \
         s->count = cd_dyntree_moved_pairs(&s->dynamic, NULL, s->pairs, 4))                                  \
    CALL(dyntree_overlap, 16, 18, true,                                                                      \
         s->yes = cd_bvh_overlap(&s->dynamic.bvh, &s->volume, NULL, count_index, &s->count))                 \
    CALL(dyntree_cast_ray, 16, 18, true,                                                                     \
         s->yes = cd_bvh_cast_ray(&s->dynamic.bvh, &s->ray, CD_REAL_MAX, NULL, &s->hit))                     \
    CALL(bvh_spheres_self_pairs, 16, 18, true,                                                               \
         s->count = cd_bvh_spheres_self_pairs(&s->spheres, NULL, s->pairs, 4))                               \
    CALL(bvh_spheres_cast_ray, 16, 18, true,                                                                 \
         s->yes = cd_bvh_spheres_cast_ray(&s->spheres, &s->ray, CD_REAL_MAX, NULL, &s->hit))                 \
    CALL(bvtree_overlap, 16, 18, s->volume.kind != CD_BVH_CAPSULE,                                           \
         s->yes = cd_bvtree_overlap(&s->other[0], &s->volume, NULL, count_index, &s->count))                 \
    CALL(bvtree_cast_ray, 16, 18, true,                                                                      \
         s->yes = cd_bvtree_cast_ray(&s->other[0], &s->ray, CD_REAL_MAX, NULL, &s->hit))                     \
    CALL(bvtree_closest, 16, 18, true,                                                                       \
         s->yes = cd_bvtree_closest(&s->other[0], s->points[0], CD_REAL_MAX, NULL, &s->closest))             \
    CALL(bvtree_collide, 17, 18, true, s->count = cd_bvtree_collide(OTHERS, NULL, s->pairs, 4))              \
    CALL(bvtree_closest_bvtree, 19, 21, true,                                                                \
         s->yes = cd_bvtree_closest_bvtree(OTHERS, CD_REAL_MAX, NULL, &s->closest))                          \
    CALL(kdtree_compact_nearest, 16, 18, true,                                                               \
         s->index = cd_kdtree_compact_nearest(&s->kd, s->points[0], s->boxes, NULL))

#define CALLS_OF_BODIES(CALL)                                                                                \
    CALL(solid_test, 18, 24, true, s->yes = cd_solid_test(SOLIDS, &s->solid_options, &s->pair))              \
    CALL(solid_clearance, 18, 24, true, s->gap = cd_solid_clearance(SOLIDS, &s->solid_options))              \
    CALL(solid_depth, 23, 24, true, s->exit = cd_solid_depth(SOLIDS, s->way, &s->solid_options))             \
    CALL(solid_curve, 18, 24, true, s->count = cd_solid_curve(SOLIDS, &s->solid_options, NULL, 0))           \
    CALL(solid_extent, 18, 24, true,                                                                         \
         s->yes = cd_solid_extent(SOLIDS, s->way, &s->solid_options, &s->number, &s->to))                    \
    CALL(gjk_distance, 16, 16, s->supported, s->separation = cd_gjk_distance(SUPPORTS, NULL, &s->cache))     \
    CALL(gjk_test, 16, 16, s->supported, s->yes = cd_gjk_test(SUPPORTS, &s->cache))                          \
    CALL(epa, 16, 16, s->supported, s->separation = cd_epa(SUPPORTS, NULL, &s->cache))                       \
    CALL(convex_distance, 16, 16, s->supported,                                                              \
         s->separation = cd_convex_distance(SUPPORTS, NULL, &s->cache))                                      \
    CALL(collide_convex, 16, 16, s->supported,                                                               \
         s->yes = cd_collide_convex(SUPPORTS, NULL, &s->cache, &s->manifold[0]))                             \
    CALL(collide_convex_all, 16, 16, s->supported,                                                           \
         s->count = cd_collide_convex_all(SUPPORTS, NULL, &s->cache, count_contact, &s->count))              \
    CALL(collide_hull_hull, 16, 16, true,                                                                    \
         s->yes =                                                                                            \
             cd_collide_hull_hull(&s->hull[0], &s->hull[1], &s->pose, NULL, &s->cache, &s->manifold[0]))     \
    CALL(collide_obb_obb, 16, 16, true,                                                                      \
         s->yes = cd_collide_obb_obb(&s->box[0], &s->box[1], &s->pose, NULL, &s->cache, &s->manifold[0]))    \
    CALL(sat_hull_hull, 16, 16, true,                                                                        \
         s->axis = cd_sat_hull_hull(&s->hull[0], &s->hull[1], &s->pose, &s->cache))                          \
    CALL(sat_obb_obb, 16, 16, true, s->axis = cd_sat_obb_obb(&s->box[0], &s->box[1], &s->pose, &s->cache))   \
    CALL(sat_convex, 16, 16, s->supported, s->axis = cd_sat_convex(SUPPORTS, &s->cache))                     \
    CALL(gjk_sweep, 16, 16, s->supported,                                                                    \
         s->yes = cd_gjk_sweep(&s->support[0], s->way, &s->support[1], &s->pose, NULL, &s->hit))             \
    CALL(gjk_raycast, 18, 18, s->supported,                                                                  \
         s->yes = cd_gjk_raycast(&s->ray, CD_REAL_MAX, &s->support[0], NULL, &s->hit))                       \
    CALL(sweep_hull_hull_sat, 16, 16, true,                                                                  \
         s->yes = cd_sweep_hull_hull_sat(&s->hull[0], s->way, &s->hull[1], &s->pose, NULL, &s->hit))         \
    CALL(qp_distance_hulls, 16, 16, true,                                                                    \
         s->separation = cd_qp_distance_hulls(&s->hull[0], &s->hull[1], &s->pose, NULL))                     \
    CALL(dk_hierarchy_distance, 16, 16, true,                                                                \
         s->separation = cd_dk_hierarchy_distance(&s->dk[0], &s->dk[1], &s->pose, NULL, &s->cache))          \
    CALL(test_hull_hull_approx, 16, 16, true,                                                                \
         s->yes = cd_test_hull_hull_approx(&s->approx[0], &s->approx[1], &s->pose))                          \
    CALL(cast_ray_hull, 16, 16, true,                                                                        \
         s->yes = cd_cast_ray_hull(&s->ray, CD_REAL_MAX, &s->hull[0], NULL, &s->hit))                        \
    CALL(time_of_impact, 16, 16, s->supported,                                                               \
         s->impact = cd_time_of_impact(&s->support[0], &s->motion[0], &s->support[1], &s->motion[1], NULL))  \
    CALL(test_triangle_triangle, 16, 16, true,                                                               \
         s->yes = cd_test_triangle_triangle(&s->triangle[0], &s->triangle[1]))                               \
    CALL(shape_distance_0, 18, 19.8, s->group == 0,                                                          \
         s->separation = cd_shape_distance(THINGS, &s->cache, &s->parts))                                    \
    CALL(shape_distance_1, 23, 25.3, s->group == 1,                                                          \
         s->separation = cd_shape_distance(THINGS, &s->cache, &s->parts))                                    \
    CALL(shape_distance_2, 25, 27.5, s->group == 2,                                                          \
         s->separation = cd_shape_distance(THINGS, &s->cache, &s->parts))                                    \
    CALL(shape_distance_3, 28, 30.8, s->group == 3,                                                          \
         s->separation = cd_shape_distance(THINGS, &s->cache, &s->parts))                                    \
    CALL(shape_closest, 28, 30.8, true, s->yes = cd_shape_closest(THINGS, &s->closest, &s->parts))           \
    CALL(shape_test_0, 9, 9.9, s->group == 0, s->yes = cd_shape_test(THINGS, &s->cache, &s->parts))          \
    CALL(shape_test_1, 13, 14.3, s->group == 1, s->yes = cd_shape_test(THINGS, &s->cache, &s->parts))        \
    CALL(shape_test_2, 18, 19.8, s->group == 2, s->yes = cd_shape_test(THINGS, &s->cache, &s->parts))        \
    CALL(shape_test_3, 20, 22, s->group == 3, s->yes = cd_shape_test(THINGS, &s->cache, &s->parts))          \
    CALL(shape_collide_0, 34, 40, s->group == 0,                                                             \
         s->count = cd_shape_collide(THINGS, &s->cache, s->manifold, 4))                                     \
    CALL(shape_collide_1, 36, 40, s->group == 1 || s->group == 2,                                            \
         s->count = cd_shape_collide(THINGS, &s->cache, s->manifold, 4))                                     \
    CALL(shape_collide_3, 37, 40, s->group == 3,                                                             \
         s->count = cd_shape_collide(THINGS, &s->cache, s->manifold, 4))                                     \
    CALL(shape_collide_all, 37, 41, true, s->count = cd_shape_collide_all(THINGS, count_contact, &s->count)) \
    CALL(shape_impact_0, 19, 30, s->group == 0, s->impact = cd_shape_time_of_impact(MOVES, &s->parts))       \
    CALL(shape_impact_1, 24, 30, s->group == 1 || s->group == 2,                                             \
         s->impact = cd_shape_time_of_impact(MOVES, &s->parts))                                              \
    CALL(shape_impact_3, 27, 30, s->group == 3, s->impact = cd_shape_time_of_impact(MOVES, &s->parts))       \
    CALL(shape_sweep_0, 10, 20, s->group == 0,                                                               \
         s->yes = cd_shape_sweep(&s->thing[0]->shape, s->way, &s->thing[1]->shape, &s->pose, NULL, &s->hit,  \
                                 &s->parts))                                                                 \
    CALL(shape_sweep_1, 17, 20, s->group == 1 || s->group == 2,                                              \
         s->yes = cd_shape_sweep(&s->thing[0]->shape, s->way, &s->thing[1]->shape, &s->pose, NULL, &s->hit,  \
                                 &s->parts))                                                                 \
    CALL(shape_sweep_3, 18, 20, s->group == 3,                                                               \
         s->yes = cd_shape_sweep(&s->thing[0]->shape, s->way, &s->thing[1]->shape, &s->pose, NULL, &s->hit,  \
                                 &s->parts))                                                                 \
    CALL(shape_cast_ray, 22, 23, true,                                                                       \
         s->yes = cd_shape_cast_ray(&s->thing[0]->shape, &s->ray, CD_REAL_MAX, NULL, &s->hit, &s->part))     \
    CALL(shape_aabb, 16, 16, true, s->aabb = cd_shape_aabb(&s->thing[0]->shape, &s->pose))

/* clang-format off */
enum {
#define CALL(name, floats, doubles, when, text) CALL_##name,
    CALLS_OF_TREES(CALL) CALLS_OF_BODIES(CALL) CALL_COUNT
#undef CALL
};

static struct {
    const char *name;
    double most[2]; /* KiB, in floats and doubles */
    size_t used[2]; /* without and with k-DOPs */
    long times;
    uint32_t types[2]; /* of the shapes that took so much */
} table[] = {
#define CALL(name, floats, doubles, when, text) {#name, {floats, doubles}, {0, 0}, 0, {0, 0}},
    CALLS_OF_TREES(CALL) CALLS_OF_BODIES(CALL)
#undef CALL
};

static bool may_ask(const scene *s, int what) {
    switch (what) {
#define CALL(name, floats, doubles, when, text) case CALL_##name: return (when);
        CALLS_OF_TREES(CALL)
        CALLS_OF_BODIES(CALL)
#undef CALL
    default: return false;
    }
}

/* clang-format on */

/* What is called by the functions below begins here. */
static void touch(scene *s) {
    volatile unsigned char mark = 1;
    the_stack.begun = ROOM - (size_t)(&mark - (volatile unsigned char *)the_stack.words);
    s->count += mark;
}

static void (*volatile nothing)(scene *s) = touch;

/* Two functions, as each is a frame on the stack, with room for results. */
/* clang-format off */
static void ask_trees(void *user) {
    scene *s = (scene *)user;
    switch (s->what) {
#define CALL(name, floats, doubles, when, text) case CALL_##name: text; break;
        CALLS_OF_TREES(CALL)
#undef CALL
    default: nothing(s); break;
    }
}

static void ask_bodies(void *user) {
    scene *s = (scene *)user;
    switch (s->what) {
#define CALL(name, floats, doubles, when, text) case CALL_##name: text; break;
        CALLS_OF_BODIES(CALL)
#undef CALL
    default: nothing(s); break;
    }
}
/* clang-format on */

/* ---- scenes ---- */

static void draw_trees(scene *s) {
    static const gen_kind kinds[] = {GEN_UNIT, GEN_GRID, GEN_ULP, GEN_UNIT};
    gen_kind kind = kinds[test_int(s->rng, 0, 3)];
    for (int i = 0; i < 2; ++i) {
        cd_bvh_options o;
        cd_mesh_view view;
        memset(&o, 0, sizeof o);
        o.layout = (uint32_t)test_int(s->rng, 0, 3);
        o.flags =
            CD_BVH_SKIP_INVALID | (o.layout != CD_BVH_COMPACT && test_int(s->rng, 0, 1) ? CD_BVH_INDEXED : 0);
        s->mesh[i] = test_int(s->rng, 0, 3) ? gen_mesh_soup(40, 0.6, kind, s->rng) : gen_mesh_grid(4);
        view = gen_mesh_view(&s->mesh[i]);
        CHECK_INT(cd_bvh_build_mesh(&s->tree[i], &view, &o), CD_OK);
        if (i == 0)
            CHECK_INT(cd_kdoptree_build_mesh(&s->other[0], &view, test_int(s->rng, 0, 1) ? 14 : 26, &o),
                      CD_OK);
        if (i == 1) CHECK_INT(cd_kdoptree_build_mesh(&s->other[1], &view, 14, &o), CD_OK);
        s->closed[i] = gen_mesh_ball(2, test_int(s->rng, 0, 1) ? 0.2 : 0, s->rng);
        view = gen_mesh_view(&s->closed[i]);
        CHECK_INT(cd_bvh_build_mesh(&s->solid_tree[i], &view, &o), CD_OK);
        CHECK_INT(cd_bvh_winding_build(&s->winding[i], &s->solid_tree[i], NULL), CD_OK);
        s->solid[i] = cd_solid_of(&s->solid_tree[i], &s->winding[i]);
    }
    if (test_int(s->rng, 0, 4) == 0) {
        cd_height_view field;
        float heights[36];
        memset(&field, 0, sizeof field);
        for (int i = 0; i < 36; ++i) heights[i] = (float)test_int(s->rng, -1, 1);
        field.samples = heights;
        field.format = CD_HEIGHT_F32;
        field.columns = field.rows = 6;
        cd_bvh_destroy(&s->tree[0]);
        CHECK_INT(cd_bvh_build_heights(&s->tree[0], &field, NULL), CD_OK);
    }
}

static void draw_structures(scene *s) {
    cd_bvh_instance in[4];
    memset(&s->dynamic, 0, sizeof s->dynamic);
    memset(&s->spheres, 0, sizeof s->spheres);
    memset(in, 0, sizeof in);
    for (int i = 0; i < 30; ++i) {
        cd_sphere ball = gen_sphere(&s->g);
        s->boxes[i] = gen_aabb(&s->g);
        CHECK_INT(cd_dyntree_insert(&s->dynamic, s->boxes[i], 0, NULL), CD_OK);
        CHECK_INT(cd_bvh_insert_sphere(&s->spheres, ball, 0, &s->index), CD_OK);
    }
    for (int i = 0; i < 4; ++i) {
        in[i].tree = &s->tree[i % 2];
        in[i].pose = gen_pose(s->rng, 1);
        in[i].scale = (cd_real)(i % 3);
    }
    CHECK_INT(cd_bvh_build_boxes(&s->box_tree, s->boxes, 30, NULL), CD_OK);
    CHECK_INT(cd_bvh_build_points(&s->point_tree, s->points, 30, NULL), CD_OK);
    CHECK_INT(cd_bvh_instances_build(&s->instances, in, 4, NULL), CD_OK);
    CHECK_INT(cd_kdtree_compact_build(&s->kd, s->boxes, 30, 2, NULL), CD_OK);
}

static void draw_bodies(scene *s) {
    for (int i = 0; i < 2; ++i) {
        cd_vec3 p[20];
        cd_transform from = gen_pose(s->rng, 3), to = gen_pose(s->rng, 1);
        for (int k = 0; k < 20; ++k) p[k] = gen_point(&s->g);
        CHECK_INT(cd_hull3_build(&s->hull[i], p, test_int(s->rng, 0, 3) ? 20 : 2, NULL), CD_OK);
        CHECK_INT(cd_dk_hierarchy_build(&s->dk[i], &s->hull[i], NULL), CD_OK);
        CHECK_INT(cd_hull_approx_make(&s->approx[i], &s->hull[i], NULL, 0, NULL), CD_OK);
        s->box[i] = gen_obb(&s->g);
        s->triangle[i] = gen_triangle(&s->g);
        CHECK_INT(cd_motion_make((cd_motion_kind)test_int(s->rng, 0, 3), &from, &to, &s->motion[i]), CD_OK);
    }
    s->pill.a = gen_point(&s->g);
    s->pill.b = gen_point(&s->g);
    s->pill.radius = gen_length(&s->g);
    s->capsule = cd_bvh_volume_capsule(&s->pill);
    s->moving_hull = cd_bvh_volume_hull(&s->hull[0]);
    for (int i = 0; i < 6; ++i) {
        s->planes[i].n = gen_direction(&s->g);
        s->planes[i].d = gen_length(&s->g);
    }
}

static cd_bvh_volume any_volume(scene *s) {
    switch (test_int(s->rng, 0, 5)) {
    case 0: return cd_bvh_volume_aabb(s->boxes[0]);
    case 1: return cd_bvh_volume_sphere(gen_sphere(&s->g));
    case 2: return cd_bvh_volume_obb(&s->box[0]);
    case 3: return cd_bvh_volume_triangle(&s->triangle[0]);
    case 4: return cd_bvh_volume_planes(s->planes, 6);
    default: return cd_bvh_volume_aabb(s->boxes[1]);
    }
}

static bool has_kdop(const any_thing *t) {
    bool has = t->shape.type == CD_SHAPE_KDOP;
    for (int i = 0; i < ANY_PARTS; ++i) has = has || (t->child[i] && has_kdop(t->child[i]));
    return has;
}

/* Which may not be the caller's own: those take what they take. */
static void draw_things(scene *s) {
    int parts = 0, compounds = 0;
    bool meshes = test_int(s->rng, 0, 5) == 0;
    for (int i = 0; i < 2; ++i) {
        uint32_t type = CD_SHAPE_SUPPORT;
        while (type == CD_SHAPE_SUPPORT) type = (uint32_t)test_int(s->rng, CD_SHAPE_POINT, CD_SHAPE_COMPOUND);
        if (meshes) type = test_int(s->rng, 0, 1) ? CD_SHAPE_MESH : CD_SHAPE_HEIGHTS;
        s->thing[i] = any_draw(&s->g, type, test_int(s->rng, 0, 7));
        s->has_kdop = s->has_kdop || has_kdop(s->thing[i]);
        parts += type == CD_SHAPE_MESH || type == CD_SHAPE_HEIGHTS;
        compounds += type == CD_SHAPE_COMPOUND;
    }
    s->group = compounds ? 3 : parts;
    s->supported = cd_shape_is_convex(&s->thing[0]->shape) && cd_shape_is_convex(&s->thing[1]->shape);
    for (int i = 0; i < 2 && s->supported; ++i) {
        s->support[i] = cd_shape_as_support(&s->thing[i]->shape);
        s->supported = cd_support_is_valid(&s->support[i]);
    }
    if (!any_lay(&s->g, &s->thing[0]->shape, &s->thing[1]->shape, (any_lie)test_int(s->rng, 0, ANY_LIES - 1),
                 &s->pose))
        s->pose = cd_transform_identity();
}

static void draw(scene *s, test_rng *rng) {
    static const gen_kind kinds[] = {GEN_UNIT, GEN_GRID, GEN_ULP, GEN_FAR};
    memset(s, 0, sizeof *s);
    s->rng = rng;
    s->g = gen_begin(rng, kinds[test_int(rng, 0, 3)]);
    for (int i = 0; i < 30; ++i) s->points[i] = gen_point(&s->g);
    draw_trees(s);
    draw_structures(s);
    draw_bodies(s);
    draw_things(s);
    s->volume = any_volume(s);
    s->ray.origin = gen_point(&s->g);
    s->ray.dir = gen_direction(&s->g);
    s->segment.a = gen_point(&s->g);
    s->segment.b = gen_point(&s->g);
    s->way = gen_direction(&s->g);
    s->solid_options.tolerance = (cd_real)(test_int(rng, 0, 1) * 0.01);
}

static void undraw(scene *s) {
    for (int i = 0; i < 2; ++i) {
        gen_mesh_free(&s->mesh[i]);
        gen_mesh_free(&s->closed[i]);
        cd_bvh_destroy(&s->tree[i]);
        cd_bvh_destroy(&s->solid_tree[i]);
        cd_bvh_winding_destroy(&s->winding[i]);
        cd_bvtree_destroy(&s->other[i]);
        cd_hull_destroy(&s->hull[i]);
        cd_dk_hierarchy_destroy(&s->dk[i]);
        cd_hull_approx_destroy(&s->approx[i]);
        any_free(s->thing[i]);
    }
    cd_bvh_destroy(&s->box_tree);
    cd_bvh_destroy(&s->point_tree);
    cd_bvh_instances_destroy(&s->instances);
    cd_dyntree_destroy(&s->dynamic);
    cd_bvh_spheres_destroy(&s->spheres);
    cd_kdtree_compact_destroy(&s->kd);
}

/* ---- all of them ---- */

/* A first call of memcpy and the like goes through the loader, which takes stack of its own. */
static double load(void) {
    static char from[64], to[64];
    volatile size_t size = 32;
    volatile double x = 2;
    memset(from, 1, size);
    memcpy(to, from, size);
    memmove(to + 1, to, size);
    return sqrt(x) + (double)to[3];
}

static void ask_all(scene *s) {
    for (int what = 0; what < CALL_COUNT; ++what) {
        size_t used;
        int with = what > CALL_solid_extent && s->has_kdop;
        if (!may_ask(s, what)) continue;
        if (what == 0 || what == CALL_solid_test) {
            s->what = -1;
            used_by(what < CALL_solid_test ? ask_trees : ask_bodies, s);
        }
        s->what = what;
        s->count = 0;
        used = used_by(what < CALL_solid_test ? ask_trees : ask_bodies, s) - the_stack.begun;
        ++table[what].times;
        if (used <= table[what].used[with]) continue;
        table[what].used[with] = used;
        if (with) continue;
        table[what].types[0] = s->thing[0]->shape.type;
        table[what].types[1] = s->thing[1]->shape.type;
    }
}

enum { KDOP = 15 }; /* KiB more where a k-DOP is among the shapes: each step of a query is a linear program */

static double most_of(int what) {
    return 1024 * table[what].most[sizeof(cd_real) > 4];
}

static void show(void) {
    for (int what = 0; what < CALL_COUNT; ++what) {
        const size_t *used = table[what].used;
        printf("stack\t%s\t%.1f\tof %.1f KiB\t%.1f with k-DOPs\t%ld calls\t%s, %s%s\n", table[what].name,
               (double)used[0] / 1024, most_of(what) / 1024, (double)used[1] / 1024, table[what].times,
               cd_shape_type_name(table[what].types[0]), cd_shape_type_name(table[what].types[1]),
               (double)used[0] > most_of(what) || (double)used[1] > most_of(what) + 1024 * KDOP ? "\tMORE"
                                                                                                : "");
    }
}

static void stack_is_as_documented(void) {
    static scene s;
    test_rng rng = test_random();
    if (!test_library_is_measured) {
        test_skip("the library is not made by GCC 12 -O2 for x86-64");
        return;
    }
    CHECK(load() > 1);
    for (long i = test_times(200); i > 0; --i) {
        draw(&s, &rng);
        for (int level = 0; level < 3; ++level) {
            test_isa_level = level;
            ask_all(&s);
        }
        undraw(&s);
        any_forget_meshes();
    }
    if (getenv("COLLIDE_STACK")) show();
    for (int what = 0; what < CALL_COUNT; ++what) {
        test_note("cd_%s: %lu bytes, %lu with k-DOPs", table[what].name, (unsigned long)table[what].used[0],
                  (unsigned long)table[what].used[1]);
        CHECK((double)table[what].used[0] <= most_of(what));
        CHECK((double)table[what].used[1] <= most_of(what) + 1024 * KDOP);
        CHECK(test_times(200) < 60 || table[what].times > 0);
    }
}

#else

static void stack_is_as_documented(void) {
    test_skip("stacks are measured on Linux and x86-64 only");
}

#endif

void suite_stack(void) {
    RUN(stack_is_as_documented);
}
