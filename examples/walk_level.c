/* Mover: a figure walks through a level of boxes, a ramp, a pillar and rolling ground, towards one flag after another. It slides along
 * what is in its way, climbs the stairs, and comes down on the other side.
 *
 *     cc -O2 examples/walk_level.c -I. -o walk_level && ./walk_level */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>
#include <string.h>

enum { PIECES = 16, SIDE = 13, WIDTH = 72, HEIGHT = 20, FLAGS = 5 };

static cd_shape piece[PIECES];
static cd_placed_shape place[PIECES];
static cd_hull ramp;
static cd_bvh hills;
static cd_compound compound;
static cd_shape level;
static cd_capsule figure = {{0, 0, -0.4f}, {0, 0, 0.4f}, 0.3f}; /* its soles are 0.7 below its origin */
static char picture[HEIGHT][WIDTH + 1];

static uint32_t add(cd_shape s) {
    uint32_t i = compound.count++;
    piece[i] = s;
    place[i].shape = &piece[i];
    place[i].pose = cd_transform_identity();
    return i;
}

static void add_box(float x0, float y0, float x1, float y1, float z) {
    cd_aabb b;
    b.min = cd_vec3_make(x0, y0, -1);
    b.max = cd_vec3_make(x1, y1, z);
    add(cd_shape_of_aabb(b));
}

/* Rolling ground from x = 12 to 18; what is before it is flat. */
static void make_hills(void) {
    static float height[SIDE * SIDE];
    cd_height_view v;
    memset(&v, 0, sizeof v);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int x = i % SIDE, y = i / SIDE;
        height[i] = x == 0 ? 0 : (float)((x * 5 + y * 3) % 4) * 0.08f;
    }
    v.samples = height;
    v.columns = v.rows = SIDE;
    v.origin = cd_vec3_make(12, 0, 0);
    v.spacing[0] = v.spacing[1] = 0.5f;
    cd_bvh_build_heights(&hills, &v, NULL);
    add(cd_shape_of_heights(&hills));
}

static void make_level(void) {
    cd_vec3 corner[6] = {{8, 3.5f, 1},  {8, 5.5f, 1}, {11, 3.5f, 0},
                         {11, 5.5f, 0}, {8, 3.5f, 0}, {8, 5.5f, 0}};
    cd_cylinder pillar = {{2.5f, 3, 0}, {2.5f, 3, 3}, 0.6f};
    add_box(0, 0, 12, 6, 0);
    add_box(4, 0, 4.5f, 2.5f, 2); /* a wall ... */
    add_box(4, 3.9f, 4.5f, 6, 2); /* ... with a gate */
    for (int i = 0; i < 4; ++i)
        add_box(5.5f + 0.5f * (float)i, 3.5f, 8, 5.5f, 0.25f * (float)(i + 1)); /* stairs */
    cd_hull3_build(&ramp, corner, 6, NULL);
    add(cd_shape_of_hull(&ramp));
    add(cd_shape_of_cylinder(&pillar));
    make_hills();
    compound.children = place;
    cd_compound_build(&compound, place, compound.count, NULL);
    level = cd_shape_of_compound(&compound);
}

/* How high the level is at a character of the picture. */
static float height_at(int column, int row) {
    cd_ray down = cd_ray_through(cd_vec3_make((float)column * 0.25f + 0.125f, 5.85f - 0.3f * (float)row, 9),
                                 cd_vec3_make((float)column * 0.25f + 0.125f, 5.85f - 0.3f * (float)row, 8));
    cd_hit hit;
    return cd_shape_cast_ray(&level, &down, CD_REAL_MAX, NULL, &hit, NULL) ? 9 - hit.t : -9;
}

static void draw_level(void) {
    for (int row = 0; row < HEIGHT; ++row) {
        for (int column = 0; column < WIDTH; ++column) {
            float z = height_at(column, row);
            picture[row][column] = z < -1      ? ' '
                                   : z < 0.02f ? '.'
                                   : z > 1.1f  ? '#'
                                               : (char)('1' + (int)(z * 3.9f));
        }
    }
}

static void mark(cd_vec3 p, char c) {
    int column = (int)(p.x * 4), row = (int)((6 - p.y) / 0.3f);
    if (column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT) picture[row][column] = c;
}

/* A step towards a flag, and down as long as it stands on nothing. */
static cd_vec3 wish(cd_vec3 from, cd_vec3 to) {
    cd_vec3 way = cd_vec3_sub(to, from);
    way.z = 0;
    way = cd_vec3_scale(cd_vec3_normalize(way), 0.08f);
    way.z = -0.06f;
    return way;
}

int main(void) {
    cd_vec3 flag[FLAGS] = {{5, 3.2f, 0}, {5, 4.5f, 0}, {11.5f, 4.5f, 0}, {17, 1, 0}, {12.5f, 5, 0}};
    cd_shape body = cd_shape_of_capsule(&figure);
    cd_mover_options options;
    cd_mover_result at;
    int steps = 0;
    make_level();
    draw_level();
    memset(&options, 0, sizeof options);
    memset(&at, 0, sizeof at);
    options.up = cd_vec3_make(0, 0, 1);
    options.step_height = 0.35f;
    at.pose = cd_transform_identity();
    at.pose.position = cd_vec3_make(0.5f, 3, 0.71f);
    for (int i = 0; i < FLAGS; ++i) {
        int slid = 0, climbed = 0, begin = steps;
        for (; steps < begin + 200; ++steps) {
            cd_vec3 way = cd_vec3_sub(flag[i], at.pose.position);
            way.z = 0;
            if (cd_vec3_length(way) < 0.1f) break;
            at = cd_mover_slide(&level, &body, &at.pose, wish(at.pose.position, flag[i]), &options);
            slid += at.slides > 1;
            climbed += (int)at.stepped;
            mark(at.pose.position, '*');
        }
        mark(flag[i], (char)('A' + i));
        printf("flag %c: %3d steps, %2d of them up stairs, slid in %2d; soles at %.2f\n", 'A' + i,
               steps - begin, climbed, slid, (double)at.pose.position.z - 0.7);
    }
    for (int row = 0; row < HEIGHT; ++row) puts(picture[row]);
    cd_compound_destroy(&compound);
    cd_bvh_destroy(&hills);
    cd_hull_destroy(&ramp);
    return 0;
}
