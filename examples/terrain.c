/* A terrain: a height field with materials and a cave, rays at it, a ball and a capsule that come down its slopes by sweeps, a
 * crater dug into it, and a picture.
 *
 *     cc -O2 examples/terrain.c -I. -o terrain
 *     ./terrain                 the tables
 *     ./terrain picture.ppm     ... and the picture, a ray for every point and one to the sun */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 257, CELLS = SIDE - 1, WIDTH = 640, HEIGHT = 400 };
enum { SAND, GRASS, ROCK, SNOW, MATERIALS };

static const char *const names[MATERIALS] = {"sand", "grass", "rock", "snow"};
static const int colors[MATERIALS][3] = {{214, 196, 140}, {104, 150, 72}, {134, 122, 112}, {240, 244, 250}};

static uint16_t samples[SIDE * SIDE];
static uint8_t materials[CELLS * CELLS];

/* ---- the land ---- */

/* A number in [0, 1) for each place of a grid. */
static double lattice(int x, int y, int octave) {
    uint32_t h = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u ^ (uint32_t)octave * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return (double)(h ^ h >> 15) / 4294967296.0;
}

static double smooth(double t) {
    return t * t * (3 - 2 * t);
}

static double noise(double x, double y, int octave) {
    int i = (int)x, j = (int)y;
    double s = smooth(x - i), t = smooth(y - j);
    double low = lattice(i, j, octave) * (1 - s) + lattice(i + 1, j, octave) * s;
    double high = lattice(i, j + 1, octave) * (1 - s) + lattice(i + 1, j + 1, octave) * s;
    return low * (1 - t) + high * t;
}

static void make_heights(void) {
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            double h = 0, size = 96, share = 0.56;
            for (int octave = 0; octave < 6; ++octave, size /= 2, share *= 0.45)
                h += share * noise(x / size, y / size, octave);
            samples[y * SIDE + x] = (uint16_t)(h * 60000);
        }
    }
}

/* By height; and a round hole, the mouth of a cave. */
static void make_materials(void) {
    for (int y = 0; y < CELLS; ++y) {
        for (int x = 0; x < CELLS; ++x) {
            int h = samples[y * SIDE + x], dx = x - 90, dy = y - 60;
            int what = h < 22000 ? SAND : h < 30000 ? GRASS : h < 36000 ? ROCK : SNOW;
            materials[y * CELLS + x] = (uint8_t)(dx * dx + dy * dy < 36 ? (int)CD_HEIGHT_HOLE : what);
        }
    }
}

static bool make_terrain(cd_bvh *terrain) {
    cd_height_view view;
    make_heights();
    make_materials();
    memset(&view, 0, sizeof view);
    view.samples = samples;
    view.format = CD_HEIGHT_U16;
    view.columns = view.rows = SIDE;
    view.cut = CD_HEIGHT_CUT_DIAMOND;
    view.materials = materials;
    view.scale = (cd_real)0.001; /* heights from 0 to 60, cells one by one */
    return cd_bvh_build_heights(terrain, &view, NULL) == CD_OK;
}

/* ---- rays ---- */

static void look_down(const cd_bvh *terrain, cd_real x, cd_real y) {
    cd_ray ray;
    cd_hit hit;
    cd_real height;
    ray.origin = cd_vec3_make(x, y, 100);
    ray.dir = cd_vec3_make(0, 0, -1);
    printf("down at (%5.1f, %5.1f): ", (double)x, (double)y);
    if (!cd_bvh_cast_ray(terrain, &ray, CD_REAL_MAX, NULL, &hit)) {
        printf("nothing\n");
        return;
    }
    printf("%-5s at height %.2f", names[cd_heights_material(terrain, hit.index)], (double)hit.point.z);
    if (cd_heights_height_at(terrain, x, y, &height, NULL))
        printf(", asked for directly %.2f", (double)height);
    printf("\n");
}

/* ---- down the slopes ---- */

/* As far as a motion goes, and what is left of it along the ground; 4 times at most. */
static cd_vec3 slide(const cd_bvh *terrain, const cd_bvh_volume *body, cd_vec3 motion) {
    cd_bvh_volume at = *body;
    cd_vec3 moved = cd_vec3_make(0, 0, 0);
    cd_cast_options options;
    memset(&options, 0, sizeof options);
    options.flags = CD_CAST_START_IGNORE;
    for (int i = 0; i < 4; ++i) {
        cd_vec3 step = motion;
        cd_hit hit;
        bool stopped = cd_bvh_sweep(terrain, &at, motion, &options, &hit);
        if (stopped) step = cd_vec3_along(cd_vec3_scale(motion, hit.t), hit.normal, (cd_real)0.01);
        moved = cd_vec3_add(moved, step);
        if (at.kind == CD_BVH_SPHERE) {
            at.u.sphere.center = cd_vec3_add(at.u.sphere.center, step);
        } else {
            at.u.capsule.a = cd_vec3_add(at.u.capsule.a, step);
            at.u.capsule.b = cd_vec3_add(at.u.capsule.b, step);
        }
        if (!stopped) break;
        motion = cd_vec3_scale(motion, 1 - hit.t);
        motion = cd_vec3_along(motion, hit.normal, -cd_vec3_dot(motion, hit.normal));
    }
    return moved;
}

static void come_down(const cd_bvh *terrain, const char *name, cd_bvh_volume body) {
    cd_vec3 *at = body.kind == CD_BVH_SPHERE ? &body.u.sphere.center : &body.u.capsule.a;
    for (int i = 0; i <= 120; ++i) {
        cd_vec3 moved;
        if (i % 40 == 0)
            printf("%s after %3d steps: (%.1f, %.1f, %.1f)\n", name, i, (double)at->x, (double)at->y,
                   (double)at->z);
        moved = slide(terrain, &body, cd_vec3_make(0, 0, -1));
        *at = cd_vec3_add(*at, moved);
        if (body.kind == CD_BVH_CAPSULE) body.u.capsule.b = cd_vec3_add(body.u.capsule.b, moved);
    }
}

/* ---- a crater ---- */

/* Samples of a square are lowered, and told to the tree. */
static bool dig(cd_bvh *terrain, int x, int y, int radius) {
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            int depth = 400 * (radius * radius - dx * dx - dy * dy) / radius;
            uint16_t *s = &samples[(y + dy) * SIDE + x + dx];
            if (depth > 0) *s = (uint16_t)(*s > depth ? *s - depth : 0);
        }
    }
    return cd_heights_update(terrain, (uint32_t)(x - radius), (uint32_t)(y - radius),
                             (uint32_t)(2 * radius + 1), (uint32_t)(2 * radius + 1),
                             &samples[(y - radius) * SIDE + x - radius], SIDE * sizeof *samples) == CD_OK;
}

/* ---- the picture ---- */

static cd_ray ray_through_pixel(double x, double y) {
    cd_vec3 forward = cd_vec3_normalize(cd_vec3_make(0, 3, -1)), right = cd_vec3_make(1, 0, 0);
    cd_vec3 up = cd_vec3_cross(right, forward);
    cd_ray ray;
    ray.origin = cd_vec3_make(128, -60, 100);
    ray.dir = cd_vec3_along(forward, right, (cd_real)((2 * x - WIDTH) / WIDTH * 0.7));
    ray.dir = cd_vec3_along(ray.dir, up, (cd_real)((HEIGHT - 2 * y) / WIDTH * 0.7));
    return ray;
}

static void shade(const cd_bvh *terrain, int x, int y, int pixel[3]) {
    static const cd_vec3 sun = {-3, -1, 2};
    cd_ray ray = ray_through_pixel(x + 0.5, y + 0.5);
    cd_hit hit;
    double light;
    const int *color;
    pixel[0] = 190 - y / 8;
    pixel[1] = 215 - y / 10;
    pixel[2] = 245;
    if (!cd_bvh_cast_ray(terrain, &ray, CD_REAL_MAX, NULL, &hit)) return;
    color = colors[cd_heights_material(terrain, hit.index)];
    ray.origin = cd_vec3_along(hit.point, hit.normal, (cd_real)0.01);
    ray.dir = cd_vec3_normalize(sun);
    light = (double)cd_vec3_dot(hit.normal, ray.dir);
    if (light < 0 || cd_bvh_test_ray(terrain, &ray, CD_REAL_MAX, NULL)) light = 0;
    for (int k = 0; k < 3; ++k) pixel[k] = (int)(color[k] * (0.35 + 0.65 * light));
}

static bool draw(const cd_bvh *terrain, const char *name) {
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            int pixel[3];
            shade(terrain, x, y, pixel);
            for (int k = 0; k < 3; ++k) putc(pixel[k], file);
        }
    }
    return fclose(file) == 0;
}

int main(int argc, char **argv) {
    cd_bvh terrain;
    cd_bvh_volume ball, capsule;
    if (!make_terrain(&terrain)) return 1;
    printf("%u triangles, %.2f bytes each\n", (unsigned)cd_bvh_count(&terrain),
           (double)terrain.bytes / cd_bvh_count(&terrain));
    for (int i = 0; i < 6; ++i) look_down(&terrain, (cd_real)(20.5 + 40 * i), (cd_real)(40.25 + 30 * i));
    look_down(&terrain, 90, 60);
    memset(&ball, 0, sizeof ball);
    memset(&capsule, 0, sizeof capsule);
    ball.kind = CD_BVH_SPHERE;
    ball.u.sphere.center = cd_vec3_make(150, 180, 60);
    ball.u.sphere.radius = 1;
    capsule.kind = CD_BVH_CAPSULE;
    capsule.u.capsule.a = cd_vec3_make(60, 200, 60);
    capsule.u.capsule.b = cd_vec3_make(60, 200, 62);
    capsule.u.capsule.radius = (cd_real)0.5;
    come_down(&terrain, "ball", ball);
    come_down(&terrain, "capsule", capsule);
    if (!dig(&terrain, 140, 130, 12)) return 1;
    printf("a crater: ");
    look_down(&terrain, (cd_real)140.5, (cd_real)130.25);
    if (argc > 1 && !draw(&terrain, argv[1])) {
        fprintf(stderr, "cannot write the picture\n");
        return 1;
    }
    cd_bvh_destroy(&terrain);
    return 0;
}
