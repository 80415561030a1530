/* A cloth that waves and folds onto itself: in each frame its tree takes over the new positions, and tells which triangles touch.
 *
 *     cc -O2 examples/waving_cloth.c -I. -o waving_cloth
 *     ./waving_cloth                 how many pairs touch from frame to frame, now and then compared with two loops
 *     ./waving_cloth picture.ppm     ... and a picture of the last frame, the triangles that touch in red */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 48,
    ROWS = 32,
    FRAMES = 60,
    FOLDED = 30,
    CHECKED = 10,
    TRIANGLES = 2 * COLUMNS * ROWS,
    MOST_PAIRS = 1 << 15
};

/* ---- the cloth ---- */

typedef struct cloth {
    cd_vec3 corners[(COLUMNS + 1) * (ROWS + 1)];
    uint32_t indices[3 * TRIANGLES];
    cd_mesh_view mesh;
    cd_bvh tree;
} cloth;

static double sine(double x) {
    return (double)cd_sin((cd_real)x);
}

/* To a grid of 4096ths: then the cloth is the same wherever it is computed. */
static cd_real on_grid(double x) {
    return (cd_real)((double)(int)(x * 4096 + (x < 0 ? -0.5 : 0.5)) / 4096);
}

/* How far the cloth has turned at a place along it, when it is to turn by `fold` in all: all of that in its middle. */
static double turned(double along, double fold) {
    double t = (along - 0.42) / 0.16;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return fold * t * t * (3 - 2 * t);
}

/* The cloth lies in waves, and its far half comes over until it lies on the other. */
static void move_cloth(cloth *c, int frame) {
    double time = 0.15 * frame, fold = frame < FOLDED ? 3.45 * frame / FOLDED : 3.45, x = 0, z = 0;
    for (int i = 0; i <= COLUMNS; ++i) {
        double along = (double)i / COLUMNS, angle = turned(along, fold);
        double ahead = (double)cd_cos((cd_real)angle), up = sine(angle);
        for (int j = 0; j <= ROWS; ++j) {
            double wave =
                0.06 * sine(9 * along + 0.2 * j + time) + 0.04 * sine(0.35 * j - 5 * along - 2 * time);
            cd_vec3 *p = &c->corners[i * (ROWS + 1) + j];
            p->x = on_grid(x - wave * up);
            p->y = on_grid(2.0 * j / ROWS);
            p->z = on_grid(z + wave * ahead);
        }
        x += 3.0 / COLUMNS * ahead;
        z += 3.0 / COLUMNS * up;
    }
}

static bool make_cloth(cloth *c) {
    uint32_t *to = c->indices;
    for (uint32_t i = 0; i < COLUMNS; ++i) {
        for (uint32_t j = 0; j < ROWS; ++j) {
            uint32_t a = i * (ROWS + 1) + j, b = a + ROWS + 1;
            *to++ = a, *to++ = b, *to++ = b + 1;
            *to++ = a, *to++ = b + 1, *to++ = a + 1;
        }
    }
    move_cloth(c, 0);
    c->mesh = cd_mesh_view_make(c->corners, (COLUMNS + 1) * (ROWS + 1), c->indices, TRIANGLES);
    return cd_bvh_build_mesh(&c->tree, &c->mesh, NULL) == CD_OK;
}

/* ---- which triangles touch ---- */

static cd_pair pairs[MOST_PAIRS], by_hand[MOST_PAIRS];

static int compare(const void *a, const void *b) {
    const cd_pair *p = (const cd_pair *)a, *q = (const cd_pair *)b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static size_t touching(const cloth *c) {
    cd_bvh_pair_options options;
    memset(&options, 0, sizeof options);
    options.flags = CD_BVH_SKIP_NEIGHBOURS;
    return cd_bvh_self_pairs(&c->tree, &options, pairs, MOST_PAIRS);
}

static bool share_a_corner(const cloth *c, uint32_t i, uint32_t j) {
    const uint32_t *p = &c->indices[3 * i], *q = &c->indices[3 * j];
    for (int k = 0; k < 9; ++k) {
        if (p[k / 3] == q[k % 3]) return true;
    }
    return false;
}

/* The same by two loops over all triangles. */
static size_t touching_by_hand(const cloth *c) {
    static cd_triangle triangles[TRIANGLES];
    static cd_aabb boxes[TRIANGLES];
    size_t count = 0;
    for (uint32_t i = 0; i < TRIANGLES; ++i) {
        cd_mesh_triangle(&c->mesh, i, &triangles[i]);
        boxes[i] = cd_aabb_from_points(&triangles[i].a, 3);
    }
    for (uint32_t i = 0; i < TRIANGLES; ++i) {
        for (uint32_t j = i + 1; j < TRIANGLES; ++j) {
            if (boxes[i].min.x > boxes[j].max.x || boxes[j].min.x > boxes[i].max.x) continue;
            if (boxes[i].min.y > boxes[j].max.y || boxes[j].min.y > boxes[i].max.y) continue;
            if (boxes[i].min.z > boxes[j].max.z || boxes[j].min.z > boxes[i].max.z) continue;
            if (share_a_corner(c, i, j) || !cd_test_triangle_triangle(&triangles[i], &triangles[j])) continue;
            if (count < MOST_PAIRS) by_hand[count].a = i, by_hand[count].b = j;
            ++count;
        }
    }
    return count;
}

static bool is_the_same_by_hand(const cloth *c, size_t count) {
    if (count > MOST_PAIRS || touching_by_hand(c) != count) return false;
    qsort(pairs, count, sizeof pairs[0], compare);
    for (size_t i = 0; i < count; ++i) {
        if (compare(&pairs[i], &by_hand[i]) != 0) return false;
    }
    return true;
}

/* ---- the picture ---- */

enum { WIDTH = 480, HEIGHT = 320 };

static unsigned char picture[HEIGHT][WIDTH][3];

static void draw_point(const cloth *c, const bool *touches, int column, int row) {
    double x = 3.3 * (column + 0.5) / WIDTH - 1.65, y = (1 - 2 * (row + 0.5) / HEIGHT) * 1.1;
    unsigned char *pixel = picture[row][column];
    cd_vec3 right = {(cd_real)0.8, (cd_real)0.6, 0}, up = {(cd_real)-0.36, (cd_real)0.48, (cd_real)0.8};
    cd_ray ray;
    cd_hit hit;
    ray.dir = cd_vec3_make((cd_real)-0.48, (cd_real)0.64, (cd_real)-0.6);
    ray.origin = cd_vec3_make((cd_real)0.6, 1, (cd_real)0.1);
    ray.origin = cd_vec3_along(cd_vec3_along(ray.origin, right, (cd_real)x), up, (cd_real)y);
    ray.origin = cd_vec3_along(ray.origin, ray.dir, -10);
    pixel[0] = pixel[1] = pixel[2] = 245;
    if (!cd_bvh_cast_ray(&c->tree, &ray, CD_REAL_MAX, NULL, &hit)) return;
    for (int k = 0; k < 3; ++k) {
        double light = 0.45 + 0.55 * (double)(hit.normal.x * (cd_real)0.3 + hit.normal.z * (cd_real)0.9);
        bool red = touches[hit.index];
        light = light < 0.25 ? 0.25 : light > 1 ? 1 : light;
        pixel[k] = (unsigned char)(light * (red ? (k == 0 ? 230 : 60) : 120 + 50 * k));
    }
}

static bool draw(const cloth *c, const char *path) {
    static bool touches[TRIANGLES];
    size_t count = touching(c);
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    for (size_t i = 0; i < count && i < MOST_PAIRS; ++i) touches[pairs[i].a] = touches[pairs[i].b] = true;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) draw_point(c, touches, i % WIDTH, i / WIDTH);
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    fwrite(picture, 1, sizeof picture, file);
    return fclose(file) == 0;
}

/* ---- all of it ---- */

static bool run_frame(cloth *c, int frame, int *rebuilds) {
    cd_bvh_refit_result result;
    size_t count;
    bool same = true;
    move_cloth(c, frame);
    if (cd_bvh_refit_mesh(&c->tree, &c->mesh, NULL, &result) != CD_OK) return false;
    *rebuilds += result.rebuilt > 0;
    count = touching(c);
    if (frame % CHECKED == CHECKED - 1) {
        same = is_the_same_by_hand(c, count);
        printf("frame %d: %u pairs touch; %s\n", frame + 1, (unsigned)count,
               same ? "so say two loops" : "but two loops say otherwise");
    }
    return same;
}

int main(int argc, char **argv) {
    static cloth c;
    int rebuilds = 0;
    bool fine = make_cloth(&c);
    printf("a cloth of %d triangles\n", (int)TRIANGLES);
    for (int frame = 0; frame < FRAMES && fine; ++frame) fine = run_frame(&c, frame, &rebuilds);
    printf("%d frames, in %d of them something was built anew\n", (int)FRAMES, rebuilds);
    if (argc > 1 && !draw(&c, argv[1])) {
        fprintf(stderr, "cannot write the picture\n");
        fine = false;
    }
    cd_bvh_destroy(&c.tree);
    return fine ? 0 : 1;
}
