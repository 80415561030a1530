/* A ray against a sphere and a box: where it enters, where it leaves, and what starting inside means.
 *
 *     cc examples/ray.c -I. -o ray && ./ray */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <stdio.h>

static void show(const char *what, bool hit, const cd_hit *h) {
    if (!hit) {
        printf("%-24s no hit\n", what);
        return;
    }
    printf("%-24s t = %.3f at (%.3f, %.3f, %.3f), normal (%.3f, %.3f, %.3f)%s\n", what, (double)h->t,
           (double)h->point.x, (double)h->point.y, (double)h->point.z, (double)h->normal.x,
           (double)h->normal.y, (double)h->normal.z, h->flags & CD_HIT_START ? ", began inside" : "");
}

int main(void) {
    cd_ray ray = {{-5, 0.5f, 0}, {2, 0, 0}}; /* the direction has length 2: t counts in it */
    cd_sphere ball = {{0, 0, 0}, 1};
    cd_aabb box = {{2, -1, -1}, {4, 1, 1}};
    cd_cast_options leave = {CD_CAST_CULL_FRONT, 0, NULL, NULL, 0};
    cd_cast_options depth = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
    cd_hit hit;

    show("sphere, enter", cd_cast_ray_sphere(&ray, CD_REAL_MAX, ball, NULL, &hit), &hit);
    show("sphere, leave", cd_cast_ray_sphere(&ray, CD_REAL_MAX, ball, &leave, &hit), &hit);
    show("box, enter", cd_cast_ray_aabb(&ray, CD_REAL_MAX, box, NULL, &hit), &hit);
    show("box, up to t = 3", cd_cast_ray_aabb(&ray, 3, box, NULL, &hit), &hit);

    ray.origin = cd_vec3_make(3.75f, 0, 0);
    show("box, from inside", cd_cast_ray_aabb(&ray, CD_REAL_MAX, box, NULL, &hit), &hit);
    if (cd_cast_ray_aabb(&ray, CD_REAL_MAX, box, &depth, &hit))
        printf("the nearest way out is %.3f long\n", (double)hit.depth);

    /* The nearest of several: a hit's t bounds the next cast, and a miss leaves the hit alone. */
    ray.origin = cd_vec3_make(-5, 0, 0);
    hit.t = CD_REAL_MAX;
    cd_cast_ray_aabb(&ray, hit.t, box, NULL, &hit);
    cd_cast_ray_sphere(&ray, hit.t, ball, NULL, &hit);
    printf("the nearest of both is at t = %.3f\n", (double)hit.t);
    return 0;
}
