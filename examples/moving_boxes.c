/* Moving boxes: a tree that follows them, the pairs that meet in each frame, and what a ray hits; beside a loop over all.
 *
 *     cc -O2 examples/moving_boxes.c -I. -o moving_boxes && ./moving_boxes */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>

enum { COUNT = 400, FRAMES = 60, RAYS = 20, FEW = 40, ROOM = 20000 };

static cd_aabb box[COUNT];
static cd_vec3 speed[COUNT];
static cd_pair pairs[ROOM];

/* Numbers that are the same everywhere: multiples of 1/64 in [0, 16). */
static float number(void) {
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 22) / 64.0f;
}

static cd_vec3 vector(float scale, float shift) {
    float x = number(), y = number(), z = number();
    return cd_vec3_make(x * scale + shift, y * scale + shift, z * scale + shift);
}

/* A box turns round where it would leave [0, 17] on an axis. */
static void step(int i) {
    if ((box[i].min.x < 0 && speed[i].x < 0) || (box[i].max.x > 17 && speed[i].x > 0))
        speed[i].x = -speed[i].x;
    if ((box[i].min.y < 0 && speed[i].y < 0) || (box[i].max.y > 17 && speed[i].y > 0))
        speed[i].y = -speed[i].y;
    if ((box[i].min.z < 0 && speed[i].z < 0) || (box[i].max.z > 17 && speed[i].z > 0))
        speed[i].z = -speed[i].z;
    box[i].min = cd_vec3_add(box[i].min, speed[i]);
    box[i].max = cd_vec3_add(box[i].max, speed[i]);
}

/* By a loop: the pairs of which one is among the first `some`. */
static size_t count_pairs(int some) {
    size_t count = 0;
    for (int i = 0; i < COUNT; ++i) {
        for (int j = 0; j < i && j < some; ++j) count += cd_test_aabb_aabb(box[i], box[j]);
    }
    return count;
}

/* The first box along a ray, by a loop: of equal ones the first. */
static uint32_t first_hit(const cd_ray *ray) {
    uint32_t first = CD_NONE;
    cd_real nearest = CD_REAL_MAX;
    cd_hit hit;
    for (uint32_t i = 0; i < COUNT; ++i) {
        if (!cd_cast_ray_aabb(ray, nearest, box[i], NULL, &hit)) continue;
        if (first == CD_NONE || hit.t < nearest) first = i;
        nearest = hit.t;
    }
    return first;
}

static int rays_agree(const cd_dyntree *tree) {
    int agree = 0;
    for (int i = 0; i < RAYS; ++i) {
        cd_ray ray;
        cd_hit hit;
        ray.origin = vector(1, 0.5f);
        ray.dir = vector(1, -8);
        if (!cd_bvh_cast_ray(&tree->bvh, &ray, CD_REAL_MAX, NULL, &hit)) hit.index = CD_NONE;
        agree += hit.index == first_hit(&ray);
    }
    return agree;
}

int main(void) {
    cd_dyntree tree;
    for (int i = 0; i < COUNT; ++i) {
        box[i].min = vector(1, 0);
        box[i].max = cd_vec3_add(box[i].min, vector(0.0625f, 0.5f));
        speed[i] = vector(0.03125f, -0.25f);
    }
    if (cd_dyntree_build(&tree, box, NULL, COUNT, NULL) != CD_OK) return 1;
    printf("frame  pairs  by a loop  rays that agree\n");
    for (int frame = 0; frame < FRAMES; ++frame) {
        size_t count;
        for (int i = 0; i < COUNT; ++i) step(i);
        if (cd_dyntree_move_many(&tree, NULL, box, NULL, COUNT) != CD_OK) return 1;
        count = cd_bvh_self_pairs(&tree.bvh, NULL, pairs, ROOM);
        if (frame % 10 == 9 || count != count_pairs(COUNT))
            printf("%5d %6u %10u %7d of %d\n", frame + 1, (unsigned)count, (unsigned)count_pairs(COUNT),
                   rays_agree(&tree), RAYS);
    }
    /* A few move on: only pairs with one of these are asked for. */
    cd_dyntree_forget_moves(&tree);
    for (uint32_t i = 0; i < FEW; ++i) {
        step((int)i);
        if (cd_dyntree_move(&tree, i, box[i], speed[i]) != CD_OK) return 1;
    }
    printf("then %d boxes move: %u pairs with one of them, %u by a loop\n", FEW,
           (unsigned)cd_dyntree_moved_pairs(&tree, NULL, pairs, ROOM), (unsigned)count_pairs(FEW));
    cd_dyntree_destroy(&tree);
    return 0;
}
