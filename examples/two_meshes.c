/* Two rings that come nearer and nearer: how far apart they are and where, then which triangles meet, and a picture.
 *
 *     cc -O2 examples/two_meshes.c -I. -o two_meshes
 *     ./two_meshes                 a line for each step
 *     ./two_meshes picture.ppm     ... and three of the steps, with the shortest way between them, or what meets in red */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 96, ACROSS = 40, TRIANGLES = 2 * AROUND * ACROSS, WIDTH = 320, HEIGHT = 240, STEPS = 8 };

/* ---- a ring with ripples ---- */

static cd_vec3 vertices[AROUND * ACROSS];
static uint32_t indices[3 * TRIANGLES];

static cd_vec3 ring_point(int i, int j) {
    cd_real turn = (cd_real)(2 * 3.14159265358979 / AROUND * i), s, c, u, v;
    cd_real across = (cd_real)(2 * 3.14159265358979 / ACROSS * j), ripple, unused;
    cd_sincos(turn, &s, &c);
    cd_sincos(across, &u, &v);
    cd_sincos(turn * 8, &ripple, &unused);
    ripple = (cd_real)0.42 + (cd_real)0.06 * ripple;
    return cd_vec3_make(c * (1 + ripple * v), s * (1 + ripple * v), ripple * u);
}

static void add_triangle(uint32_t *at, int a, int b, int c) {
    at[0] = (uint32_t)a;
    at[1] = (uint32_t)b;
    at[2] = (uint32_t)c;
}

static bool make_ring(cd_bvh *tree) {
    cd_mesh_view view = cd_mesh_view_make(vertices, AROUND * ACROSS, indices, TRIANGLES);
    for (int i = 0; i < AROUND; ++i) {
        for (int j = 0; j < ACROSS; ++j) {
            int a = i * ACROSS + j, b = (i + 1) % AROUND * ACROSS + j;
            int c = i * ACROSS + (j + 1) % ACROSS, d = (i + 1) % AROUND * ACROSS + (j + 1) % ACROSS;
            vertices[a] = ring_point(i, j);
            add_triangle(&indices[6 * a], a, b, d);
            add_triangle(&indices[6 * a + 3], a, d, c);
        }
    }
    return cd_bvh_build_mesh(tree, &view, NULL) == CD_OK;
}

/* ---- one step ---- */

typedef struct step {
    cd_transform pose; /* of the second ring in the frame of the first */
    cd_closest way;
    size_t count;
    unsigned char met[2][TRIANGLES];
} step;

static bool mark(void *user, cd_pair pair) {
    step *s = (step *)user;
    s->met[0][pair.a] = s->met[1][pair.b] = 1;
    ++s->count;
    return true;
}

static void take_step(step *s, const cd_bvh *ring, int number) {
    memset(s, 0, sizeof *s);
    s->pose.rotation = cd_quat_from_axis_angle(cd_vec3_make(1, 0, 0), (cd_real)1.3);
    s->pose.position = cd_vec3_make((cd_real)(3.75 - 0.3 * number), (cd_real)0.2, (cd_real)0.1);
    cd_bvh_closest_bvh(ring, ring, &s->pose, CD_REAL_MAX, NULL, &s->way);
    cd_bvh_traverse_pairs(ring, ring, &s->pose, NULL, mark, s);
}

static void print_step(const step *s, const cd_bvh *ring) {
    cd_vec3 a = s->way.a, b = s->way.b;
    cd_pair first;
    printf("at %.3f: ", (double)s->pose.position.x);
    if (cd_bvh_test_bvh(ring, ring, &s->pose, NULL, &first)) {
        printf("%lu pairs of triangles meet, the first found %lu and %lu\n", (unsigned long)s->count,
               (unsigned long)first.a, (unsigned long)first.b);
        return;
    }
    printf("%.3f apart, from (%.2f, %.2f, %.2f) to (%.2f, %.2f, %.2f); %lu pairs within 0.5\n",
           (double)cd_vec3_dist(a, b), (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y,
           (double)b.z, (unsigned long)cd_bvh_within(ring, ring, &s->pose, (cd_real)0.5, NULL, NULL, 0));
}

/* ---- the picture ---- */

static const cd_vec3 to_lamp = {(cd_real)-0.4, (cd_real)-0.5, (cd_real)0.77};

/* Sums up the light of a hit: what a surface of this color sends back. */
static void paint(double pixel[3], cd_vec3 normal, const double color[3]) {
    double light = (double)cd_vec3_dot(normal, to_lamp);
    light = 0.35 + 0.65 * (light > 0 ? light : 0);
    for (int k = 0; k < 3; ++k) pixel[k] = light * color[k];
}

static void shade(const step *s, const cd_bvh *ring, double x, double y, double pixel[3]) {
    static const double colors[2][3] = {{90, 150, 220}, {235, 180, 80}}, red[3] = {225, 50, 45},
                        dark[3] = {60, 40, 70};
    cd_transform back = cd_transform_inverse(&s->pose);
    cd_capsule way;
    cd_ray ray, moved;
    cd_hit hit;
    cd_real most = CD_REAL_MAX;
    pixel[0] = 214, pixel[1] = 224, pixel[2] = 238;
    ray.origin = cd_vec3_make((cd_real)1.45, -7, 5);
    ray.dir =
        cd_vec3_make((cd_real)(0.45 * x), (cd_real)(0.8137 + 0.196 * y), (cd_real)(-0.5812 + 0.275 * y));
    if (cd_bvh_cast_ray(ring, &ray, most, NULL, &hit)) {
        paint(pixel, hit.normal, s->met[0][hit.index] ? red : colors[0]);
        most = hit.t;
    }
    moved.origin = cd_transform_point(&back, ray.origin);
    moved.dir = cd_transform_vector(&back, ray.dir);
    if (cd_bvh_cast_ray(ring, &moved, most, NULL, &hit)) {
        paint(pixel, cd_transform_vector(&s->pose, hit.normal), s->met[1][hit.index] ? red : colors[1]);
        most = hit.t;
    }
    way.a = s->way.a;
    way.b = s->way.b;
    way.radius = (cd_real)0.05;
    if (s->count == 0 && cd_cast_ray_capsule(&ray, most, &way, NULL, &hit)) paint(pixel, hit.normal, dark);
}

/* Four rays for each point of the picture. */
static void draw_pixel(FILE *file, const step *s, const cd_bvh *ring, int x, int y) {
    double sum[3] = {0, 0, 0}, one[3];
    for (int k = 0; k < 4; ++k) {
        shade(s, ring, (x + 0.25 + 0.5 * (k % 2)) / WIDTH * 2 - 1,
              1 - (y + 0.25 + 0.5 * (k / 2)) / HEIGHT * 2, one);
        for (int i = 0; i < 3; ++i) sum[i] += one[i];
    }
    for (int i = 0; i < 3; ++i) putc((int)(sum[i] / 4), file);
}

static bool draw(const step *steps, const cd_bvh *ring, const char *name) {
    static const int shown[3] = {1, 3, 7};
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    fprintf(file, "P6\n%d %d\n255\n", 3 * WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < 3 * WIDTH; ++x) draw_pixel(file, &steps[shown[x / WIDTH]], ring, x % WIDTH, y);
    }
    return fclose(file) == 0;
}

int main(int argc, char **argv) {
    static step steps[STEPS];
    cd_bvh ring;
    bool drawn = true;
    if (!make_ring(&ring)) return 1;
    for (int i = 0; i < STEPS; ++i) {
        take_step(&steps[i], &ring, i);
        print_step(&steps[i], &ring);
    }
    if (argc > 1) drawn = draw(steps, &ring, argv[1]);
    cd_bvh_destroy(&ring);
    if (drawn) return 0;
    fprintf(stderr, "cannot write the picture\n");
    return 1;
}
