/* Picking: which of many shapes does a ray from the eye meet first? One of each kind, a few rays, and a picture.
 *
 *     cc -O2 examples/pick.c -I. -o pick
 *     ./pick                 what is hit through a few points of the picture
 *     ./pick picture.ppm     ... and the picture, a ray for every point and one to the lamp */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 400 };

/* ---- shapes, each with its cast ---- */

typedef bool (*cast_fn)(const void *shape, const cd_ray *ray, cd_real t_max, const cd_cast_options *options,
                        cd_hit *hit);

typedef struct thing {
    const char *name;
    cast_fn cast;
    const void *shape;
    int color[3];
} thing;

/* The casts differ in the type alone. */
#define CAST(kind)                                                                                           \
    static bool cast_##kind(const void *shape, const cd_ray *ray, cd_real t_max,                             \
                            const cd_cast_options *options, cd_hit *hit) {                                   \
        return cd_cast_ray_##kind(ray, t_max, (const cd_##kind *)shape, options, hit);                       \
    }
CAST(obb)
CAST(capsule)
CAST(lozenge)
CAST(cylinder)
CAST(cone)
CAST(disc)
CAST(ellipsoid)
CAST(torus)
CAST(quad)
CAST(triangle)
CAST(hull)
CAST(spherical_shell)
CAST(zonotope)

/* ... and two take it by value. */
static bool cast_sphere(const void *shape, const cd_ray *ray, cd_real t_max, const cd_cast_options *options,
                        cd_hit *hit) {
    return cd_cast_ray_sphere(ray, t_max, *(const cd_sphere *)shape, options, hit);
}

static bool cast_aabb(const void *shape, const cd_ray *ray, cd_real t_max, const cd_cast_options *options,
                      cd_hit *hit) {
    return cd_cast_ray_aabb(ray, t_max, *(const cd_aabb *)shape, options, hit);
}

/* A pyramid cut out of space by five planes. */
static const cd_plane pyramid[5] = {
    {{0, 0, -1}, 0}, {{2, 0, 1}, 18}, {{-2, 0, 1}, -14}, {{0, 2, 1}, 2}, {{0, -2, 1}, 2}};

static bool cast_planes(const void *shape, const cd_ray *ray, cd_real t_max, const cd_cast_options *options,
                        cd_hit *hit) {
    return cd_cast_ray_planes(ray, t_max, (const cd_plane *)shape, 5, options, hit);
}

/* On a grid of places four apart, standing on z = 0. */
static const cd_sphere ball = {{-8, -4, 1}, 1};
static const cd_aabb box = {{-5, -5, 0}, {-3, -3, 1.5f}};
static const cd_capsule capsule = {{-0.5f, -4, 0.5f}, {0.5f, -4, 1.5f}, 0.5f};
static const cd_lozenge lozenge = {{3.5f, -4.5f, 0.25f}, {{1, 0, 0}, {0, 0.75f, 1}}, 0.25f};
static const cd_cylinder cylinder = {{7.5f, -4, 0.75f}, {8.5f, -4, 1.25f}, 0.75f};
static const cd_cone cone = {{-8, 0, 2}, {-8, 0, 0}, 1};
static const cd_disc disc = {{-4, 0, 1}, {1, -2, 2}, 1};
static const cd_torus torus = {{4, 0, 1}, {1, -2, 3}, 0.875f, 0.375f};
static const cd_quad quad = {{-9, 4, 0}, {-7, 4, 0}, {-7, 4, 2}, {-9, 4.5f, 1.5f}};
static const cd_triangle triangle = {{-5, 4, 0}, {-3, 4, 0}, {-4, 4.5f, 2}};
static const cd_spherical_shell bowl = {{4, 4, 1}, {1, -2, -2}, 0.75f, 1, 0};
static const cd_vec3 steps[4] = {{0.5f, 0, 0}, {0, 0.5f, 0}, {0, 0, 0.5f}, {0.25f, 0.25f, 0.25f}};
static const cd_zonotope zonotope = {{8, 4, 0.75f}, steps, 4};
static const cd_aabb ground = {{-40, -40, -1}, {40, 40, 0}};

/* A box and an ellipsoid that are turned, and a hull, are made when the program runs. */
typedef struct scene {
    cd_obb obb;
    cd_ellipsoid ellipsoid;
    cd_hull hull;
    thing things[20];
    int count;
} scene;

static void add(scene *s, const char *name, cast_fn cast, const void *shape, int red, int green, int blue) {
    thing *t = &s->things[s->count++];
    t->name = name;
    t->cast = cast;
    t->shape = shape;
    t->color[0] = red;
    t->color[1] = green;
    t->color[2] = blue;
}

static bool make_scene(scene *s) {
    static const cd_vec3 corners[6] = {{0, 5, 1}, {0, 3, 1}, {1, 4, 1}, {-1, 4, 1}, {0, 4, 2}, {0, 4, 0}};
    memset(s, 0, sizeof *s);
    s->obb.axes = s->ellipsoid.axes = cd_mat3_from_axis_angle(cd_vec3_make(1, 2, 2), 1);
    s->obb.center = cd_vec3_make(0, 0, 1);
    s->obb.half = cd_vec3_make(1, 0.75f, 0.5f);
    s->ellipsoid.center = cd_vec3_make(4, -8, 1);
    s->ellipsoid.half = cd_vec3_make(1.25f, 0.75f, 0.5f);
    if (cd_hull3_build(&s->hull, corners, 6, NULL) != CD_OK) return false;
    add(s, "sphere", cast_sphere, &ball, 230, 80, 70);
    add(s, "AABB", cast_aabb, &box, 240, 160, 60);
    add(s, "OBB", cast_obb, &s->obb, 90, 170, 90);
    add(s, "capsule", cast_capsule, &capsule, 70, 130, 220);
    add(s, "lozenge", cast_lozenge, &lozenge, 160, 100, 200);
    add(s, "cylinder", cast_cylinder, &cylinder, 220, 200, 80);
    add(s, "cone", cast_cone, &cone, 80, 190, 190);
    add(s, "disc", cast_disc, &disc, 220, 110, 160);
    add(s, "ellipsoid", cast_ellipsoid, &s->ellipsoid, 130, 180, 60);
    add(s, "torus", cast_torus, &torus, 240, 130, 40);
    add(s, "quadrilateral", cast_quad, &quad, 110, 110, 220);
    add(s, "triangle", cast_triangle, &triangle, 210, 90, 90);
    add(s, "hull", cast_hull, &s->hull, 100, 160, 200);
    add(s, "half-spaces", cast_planes, pyramid, 200, 160, 110);
    add(s, "spherical shell", cast_spherical_shell, &bowl, 150, 200, 150);
    add(s, "zonotope", cast_zonotope, &zonotope, 190, 130, 210);
    add(s, "ground", cast_aabb, &ground, 200, 200, 200);
    return true;
}

/* ---- the nearest of all ---- */

/* A hit's t bounds the casts after it, and a miss leaves the hit alone. */
static const thing *pick(const scene *s, const cd_ray *ray, cd_hit *hit) {
    const thing *best = NULL;
    hit->t = CD_REAL_MAX;
    for (int i = 0; i < s->count; ++i) {
        if (s->things[i].cast(s->things[i].shape, ray, hit->t, NULL, hit)) best = &s->things[i];
    }
    return best;
}

/* Is anything between a point and the lamp? The cast begins a little off the surface. */
static bool in_shadow(const scene *s, cd_vec3 point, cd_vec3 lamp) {
    cd_ray ray = cd_ray_through(point, lamp);
    cd_cast_options options;
    memset(&options, 0, sizeof options);
    options.t_min = (cd_real)1e-4;
    options.flags = CD_CAST_START_IGNORE;
    for (int i = 0; i < s->count; ++i) {
        if (s->things[i].cast(s->things[i].shape, &ray, 1, &options, NULL)) return true;
    }
    return false;
}

/* ---- the eye ---- */

static cd_ray ray_through_pixel(double x, double y) {
    cd_vec3 forward = cd_vec3_normalize(cd_vec3_make(0, 18, -11)), up;
    cd_vec3 right = cd_vec3_make(1, 0, 0);
    cd_ray ray;
    up = cd_vec3_cross(right, forward);
    ray.origin = cd_vec3_make(0, -20, 12);
    ray.dir = cd_vec3_along(forward, right, (cd_real)((2 * x - WIDTH) / WIDTH * 0.5));
    ray.dir = cd_vec3_along(ray.dir, up, (cd_real)((HEIGHT - 2 * y) / WIDTH * 0.5));
    return ray;
}

static void shade(const scene *s, int x, int y, int pixel[3]) {
    static const cd_vec3 lamp = {-12, -16, 20};
    cd_ray ray = ray_through_pixel(x + 0.5, y + 0.5);
    cd_hit hit;
    const thing *t = pick(s, &ray, &hit);
    double light;
    pixel[0] = 225;
    pixel[1] = 235;
    pixel[2] = 250;
    if (!t) return;
    light = (double)cd_vec3_dot(hit.normal, cd_vec3_normalize(cd_vec3_sub(lamp, hit.point)));
    if (light > 0 && in_shadow(s, cd_vec3_along(hit.point, hit.normal, (cd_real)1e-4), lamp)) light = 0;
    light = 0.35 + 0.65 * (light > 0 ? light : 0);
    for (int k = 0; k < 3; ++k) pixel[k] = (int)(t->color[k] * light);
}

static bool draw(const scene *s, const char *name) {
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            int pixel[3];
            shade(s, x, y, pixel);
            for (int k = 0; k < 3; ++k) putc(pixel[k], file);
        }
    }
    return fclose(file) == 0;
}

/* From the eye to a place of the scene. */
static void show(const scene *s, cd_vec3 place) {
    cd_ray ray = ray_through_pixel(0, 0);
    cd_hit hit;
    const thing *t;
    ray = cd_ray_through(ray.origin, place);
    t = pick(s, &ray, &hit);
    printf("to (%5.1f, %5.1f, %5.1f): ", (double)place.x, (double)place.y, (double)place.z);
    if (!t) {
        printf("nothing\n");
    } else {
        printf("%-15s t = %.3f, normal (%.2f, %.2f, %.2f)\n", t->name, (double)hit.t,
               (double)hit.normal.x + 0.0, (double)hit.normal.y + 0.0, (double)hit.normal.z + 0.0);
    }
}

int main(int argc, char **argv) {
    scene s;
    if (!make_scene(&s)) return 1;
    for (int y = -4; y <= 4; y += 4) {
        for (int x = -8; x <= 8; x += 4) show(&s, cd_vec3_make((cd_real)x, (cd_real)y, 1));
    }
    show(&s, cd_vec3_make(4, -8, 1));
    show(&s, cd_vec3_make(4.75f, 0, 0.75f)); /* the torus beside its hole */
    show(&s, cd_vec3_make(20, 60, 30));
    if (argc > 1 && !draw(&s, argv[1])) {
        fprintf(stderr, "cannot write the picture\n");
        return 1;
    }
    cd_hull_destroy(&s.hull);
    return 0;
}
