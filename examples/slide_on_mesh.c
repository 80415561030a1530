/* Collide and slide: a ball rolls through a level of triangles, up ramps and stairs, through a corridor and over a hill. It
 * may never sink into the level, and it may never stand still where it could go on.
 *
 *     cc -O2 examples/slide_on_mesh.c -I. -o slide_on_mesh
 *     ./slide_on_mesh                        10000 steps, and what was seen on the way
 *     ./slide_on_mesh 100000 picture.ppm     ... more of them, and a picture of the path
 *
 * `slide` below is what to take from here. All sums that steer the ball are the library's calls or single additions and
 * products, so that no compiler fuses two of them, and the path is the same everywhere. */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the level ---- */

enum { MOST_TRIANGLES = 16384, WIDTH = 64, DEPTH = 40 };

typedef struct level {
    cd_vec3 corners[3 * MOST_TRIANGLES]; /* three in a row are a triangle: no indices are needed */
    uint32_t count;
    cd_mesh_view mesh;
    cd_bvh tree;
} level;

/* x to the right, y into the depth, z up; all corners are exact in floats. */
static cd_vec3 at(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static void add_triangle(level *l, cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    cd_vec3 *to = &l->corners[3 * l->count];
    if (l->count == MOST_TRIANGLES) return;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    ++l->count;
}

static void add_quad(level *l, cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    add_triangle(l, a, b, c);
    add_triangle(l, a, c, d);
}

/* Four corners at the height z, from below left around, each raised: a block, a ramp, a wedge; it has no bottom. */
static void add_block(level *l, double x0, double y0, double x1, double y1, double left, double right) {
    cd_vec3 low[4], high[4];
    low[0] = at(x0, y0, 0);
    low[1] = at(x1, y0, 0);
    low[2] = at(x1, y1, 0);
    low[3] = at(x0, y1, 0);
    high[0] = at(x0, y0, left);
    high[1] = at(x1, y0, right);
    high[2] = at(x1, y1, right);
    high[3] = at(x0, y1, left);
    add_quad(l, high[0], high[1], high[2], high[3]);
    for (int i = 0; i < 4; ++i) add_quad(l, low[i], low[(i + 1) & 3], high[(i + 1) & 3], high[i]);
}

/* An upright wall without thickness. */
static void add_wall(level *l, double x0, double y0, double x1, double y1, double height) {
    add_quad(l, at(x0, y0, 0), at(x1, y1, 0), at(x1, y1, height), at(x0, y0, height));
}

/* 64 x 64 cells, four high in the middle, dented. */
static double hill_height(int i, int j) {
    int64_t x = (int64_t)i * (64 - i), y = (int64_t)j * (64 - j);
    double dent = x && y ? (double)((i * 7 + j * 13 + i * j) & 15) / 256 : 0;
    return (double)(x * x * y * y >> 24) / (1 << 14) + dent;
}

static void add_hill(level *l, double x, double y) {
    for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < 64; ++j) {
            cd_vec3 p[4];
            for (int k = 0; k < 4; ++k) {
                int u = i + (k == 1 || k == 2), v = j + (k >= 2);
                p[k] = at(x + u / 4.0, y + v / 4.0, hill_height(u, v));
            }
            add_quad(l, p[0], p[1], p[2], p[3]);
        }
    }
}

/* Needles: 20 long and 3/64 wide at most, a fan on the floor, its outer edge a zigzag; and a wall of them. */
static void add_needles(level *l) {
    for (int i = 0; i < 256; ++i) {
        double y = 26 + i * 0.046875, z = (i & 1) / 32.0;
        add_triangle(l, at(40, 32, 0), at(60, y, z), at(60, y + 0.046875, 0.03125 - z));
        add_triangle(l, at(48, 39.5, i / 128.0), at(56, 39.5, i / 128.0), at(56, 39.5, (i + 1) / 128.0));
        add_triangle(l, at(48, 39.5, i / 128.0), at(56, 39.5, (i + 1) / 128.0),
                     at(48, 39.5, (i + 1) / 128.0));
    }
}

static bool make_level(level *l) {
    add_quad(l, at(0, 0, 0), at(WIDTH, 0, 0), at(WIDTH, DEPTH, 0), at(0, DEPTH, 0));
    add_wall(l, 0, 0, WIDTH, 0, 2);
    add_wall(l, WIDTH, 0, WIDTH, DEPTH, 2);
    add_wall(l, WIDTH, DEPTH, 0, DEPTH, 2);
    add_wall(l, 0, DEPTH, 0, 0, 2);
    add_block(l, 4, 3, 10, 9, 0, 2);  /* a ramp, */
    add_block(l, 10, 3, 15, 9, 2, 2); /* what it leads to, */
    for (int i = 0; i < 10; ++i)
        add_block(l, 15 + i * 0.375, 3, 15.375 + i * 0.375, 9, 2 - i * 0.1875, 2 - i * 0.1875);
    add_block(l, 24, 3, 44, 6, 1, 1); /* a corridor around two corners, */
    add_block(l, 37.25, 6, 44, 12, 1, 1);
    add_block(l, 24, 7.25, 36, 14.5, 1, 1);
    add_block(l, 36, 13.25, 44, 14.5, 1, 1);
    add_hill(l, 46, 4);
    add_needles(l);
    add_block(l, 22, 29, 36, 29.75, 0.25, 0.25); /* a gap that the ball does not fit into, */
    add_block(l, 22, 30.25, 36, 31, 0.25, 0.25);
    add_quad(l, at(6, 28, 2), at(18, 28, 2), at(18, 30, 0), at(6, 30, 0)); /* a gutter, */
    add_quad(l, at(6, 30, 0), at(18, 30, 0), at(18, 32, 2), at(6, 32, 2));
    add_wall(l, 8, 20, 14, 22, 1); /* and two walls that meet in a sharp corner */
    add_wall(l, 8, 24, 14, 22, 1);
    l->mesh = cd_mesh_view_make(l->corners, 3 * l->count, NULL, l->count);
    return cd_bvh_build_mesh(&l->tree, &l->mesh, NULL) == CD_OK;
}

/* ---- collide and slide ---- */

enum { MOST_PLANES = 5 };

static const cd_real RADIUS = (cd_real)0.5;

typedef struct ball {
    const level *in;
    cd_vec3 center;
    cd_vec3 planes[MOST_PLANES]; /* normals of what it met in the last step */
    int plane_count;
} ball;

/* A sweep of the ball against the triangles around its way, one after another. */
typedef struct sweep {
    const level *in;
    cd_sphere from;
    cd_vec3 motion;
    cd_hit first;
} sweep;

/* The ball rests on triangles nearly all the time. Those that the motion leads out of, or along, are no obstacle; of the others
 * the normal is wanted and how deep rounding has put the ball into them. */
static bool sweep_triangle(void *user, uint32_t index) {
    static const cd_cast_options resting = {CD_CAST_START_LEAVING | CD_CAST_START_DEPTH, 0, NULL, NULL};
    sweep *s = (sweep *)user;
    cd_triangle t;
    cd_hit hit;
    if (cd_mesh_triangle(&s->in->mesh, index, &t) &&
        cd_sweep_sphere_triangle(s->from, s->motion, &t, &resting, &hit) && hit.t < s->first.t) {
        s->first = hit;
    }
    return true;
}

static bool sweep_ball(const ball *b, cd_vec3 motion, cd_hit *hit) {
    sweep s;
    cd_sphere around;
    memset(&s, 0, sizeof s);
    s.in = b->in;
    s.from.center = b->center;
    s.from.radius = RADIUS;
    s.motion = motion;
    s.first.t = 2;
    around.center = cd_vec3_along(b->center, motion, (cd_real)0.5);
    around.radius = RADIUS + (cd_vec3_length(motion) + (cd_real)0.01); /* rounding leaves none out */
    cd_bvh_overlap_sphere(&b->in->tree, around, NULL, sweep_triangle, &s);
    *hit = s.first;
    return s.first.t <= 1;
}

/* A thousandth of its length away from the plane, so that rounding cannot turn it into the plane again. */
static cd_vec3 lift(cd_vec3 motion, cd_vec3 normal, cd_real length) {
    return cd_vec3_along(motion, normal, length / 1024);
}

static bool leads_into(cd_vec3 motion, const cd_vec3 *planes, int count) {
    for (int i = 0; i < count; ++i) {
        if (cd_vec3_dot(motion, planes[i]) < 0) return true;
    }
    return false;
}

/* What is left of a motion that may not lead into any of the planes: all of it, or its part along one of them, or its part
 * along the crease of two; or in a corner nothing. */
static cd_vec3 clip(cd_vec3 motion, const cd_vec3 *planes, int count) {
    cd_real length = cd_vec3_length(motion);
    cd_vec3 none = {0, 0, 0};
    if (!leads_into(motion, planes, count)) return motion;
    for (int i = 0; i < count; ++i) {
        cd_vec3 along = cd_vec3_along(motion, planes[i], -cd_vec3_dot(motion, planes[i]));
        along = lift(along, planes[i], length);
        if (!leads_into(along, planes, count)) return along;
    }
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            cd_vec3 crease = cd_vec3_normalize(cd_vec3_cross(planes[i], planes[j]));
            cd_vec3 along = cd_vec3_scale(crease, cd_vec3_dot(motion, crease));
            along = lift(lift(along, planes[i], length), planes[j], length);
            if (!leads_into(along, planes, count)) return along;
        }
    }
    return none;
}

/* Moves the ball: up to the first thing in its way, then with what is left of the motion along it, and so on. */
static void slide(ball *b, cd_vec3 motion) {
    cd_hit hit;
    b->plane_count = 0;
    while (sweep_ball(b, motion, &hit)) {
        b->center = cd_vec3_along(b->center, motion, hit.t);
        b->center = cd_vec3_along(b->center, hit.normal, hit.depth);
        if (b->plane_count == MOST_PLANES) return;
        b->planes[b->plane_count++] = hit.normal;
        motion = clip(cd_vec3_scale(motion, 1 - hit.t), b->planes, b->plane_count);
    }
    b->center = cd_vec3_add(b->center, motion);
}

/* ---- the walk ---- */

/* Towards a place, give or take `spread`; for `push` steps if that is not 0: then something is in the way, and it is not
 * reached. */
typedef struct stop {
    double x, y, spread;
    int push;
} stop;

static const stop course[] = {{3, 6, 1, 0},       {12, 6, 2, 0},      {21, 6, 1, 0},
                              {22, 8, 0, 60}, /* over ramp and stairs */
                              {22, 6.625, 0, 0},  {40, 6, 1, 250},    {36.625, 14, 0.25, 150},
                              {46, 12.625, 0, 0}, /* corners of the corridor */
                              {54, 12, 6, 0},     {54, 12, 6, 0},     {54, 12, 6, 0},
                              {54, 12, 6, 0},     {54, 12, 6, 0},     {45.5, 20, 0.25, 0}, /* hill */
                              {60, 22, 2, 0},     {66, 22, 0, 80},    {66, 43, 0, 300},
                              {52, 41, 3, 150}, /* against the outer walls */
                              {58, 32, 4, 0},     {44, 32, 1, 0},     {58, 31, 4, 0},
                              {52, 45, 3, 150}, /* over needles and against them */
                              {38, 30, 0, 0},     {20, 30, 0.125, 0}, {12, 30, 0.5, 0},
                              {4, 30, 0.5, 0}, /* on two edges, in the gutter */
                              {5, 22, 0.5, 0},    {17, 22, 1, 150},   {-2, 24, 4, 150},
                              {-2, 42, 1, 200},   {12, 34, 1, 0},     {12, 29, 2, 80},
                              {2, 34, 1, 0}};

enum { STOPS = (int)(sizeof course / sizeof course[0]), PATIENCE = 2000 };

typedef struct walk {
    ball it;
    uint32_t random;
    cd_vec3 to;
    cd_real fall; /* so far does it fall in a step */
    int stop, stop_steps, rounds, contacts, held, longest_held, standing, lost;
    cd_real clearance; /* the least so far */
} walk;

/* From -1 to 1, in 256ths. */
static double random_number(walk *w) {
    w->random = w->random * 1664525u + 1013904223u;
    return ((int)(w->random >> 23) - 256) / 256.0;
}

static void go_on(walk *w) {
    w->stop = (w->stop + 1) % STOPS;
    w->rounds += w->stop == 0;
    w->stop_steps = 0;
    w->to.x = (cd_real)(course[w->stop].x + course[w->stop].spread * random_number(w));
    w->to.y = (cd_real)(course[w->stop].y + course[w->stop].spread * random_number(w));
}

/* A tenth towards the stop, and what it falls. */
static cd_vec3 wanted(const walk *w) {
    cd_vec3 way = cd_vec3_sub(w->to, w->it.center), motion;
    way.z = 0;
    motion = cd_vec3_scale(cd_vec3_normalize(way), (cd_real)0.1);
    motion.z = -w->fall;
    return motion;
}

static bool is_there(const walk *w) {
    cd_vec3 way = cd_vec3_sub(w->to, w->it.center);
    way.z = 0;
    return cd_vec3_length(way) < (cd_real)0.125;
}

static bool is_on_ground(const ball *b) {
    for (int i = 0; i < b->plane_count; ++i) {
        if (b->planes[i].z > (cd_real)0.5) return true;
    }
    return false;
}

/* ---- what must hold ---- */

/* How far the ball's centre is from the level, 2 if farther than that. */
static cd_real distance_at(const level *l, cd_vec3 center) {
    cd_closest c;
    return cd_bvh_closest(&l->tree, center, 2, NULL, &c) ? cd_vec3_dist(c.a, c.b) : 2;
}

/* Is there a place a little way on, more or less in the wanted direction, where the ball would be free? Asked of distances
 * alone, so that no mistake of a sweep or of `clip` can hide itself. */
static bool could_go_on(const ball *b, cd_vec3 motion) {
    cd_vec3 ahead = cd_vec3_normalize(motion);
    for (int i = 0; i < 27; ++i) {
        cd_vec3 d = cd_vec3_normalize(at(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        if (cd_vec3_dot(d, ahead) < (cd_real)0.25) continue;
        if (distance_at(b->in, cd_vec3_along(b->center, d, (cd_real)0.015625)) >= RADIUS) return true;
    }
    return false;
}

/* Held: in a step it came on by less than a hundredth of what was wanted. */
static void look_for_standstill(walk *w, cd_vec3 from, cd_vec3 motion) {
    cd_vec3 moved = cd_vec3_sub(w->it.center, from);
    bool held = cd_vec3_dot(moved, motion) < cd_vec3_sqlength(motion) / 100;
    w->held += held;
    w->standing = held && could_go_on(&w->it, motion) ? w->standing + 1 : 0;
    if (w->standing > w->longest_held) w->longest_held = w->standing;
}

static void step(walk *w) {
    cd_vec3 from = w->it.center, motion = wanted(w);
    cd_real clearance;
    slide(&w->it, motion);
    w->contacts += w->it.plane_count;
    w->fall = is_on_ground(&w->it) ? 0 : w->fall;
    w->fall += (cd_real)0.00390625;
    if (w->fall > (cd_real)0.25) w->fall = (cd_real)0.25;
    look_for_standstill(w, from, motion);
    clearance = distance_at(w->it.in, w->it.center);
    if (clearance < w->clearance) w->clearance = clearance;
    ++w->stop_steps;
    if (course[w->stop].push ? w->stop_steps == course[w->stop].push : is_there(w)) {
        go_on(w);
    } else if (w->stop_steps > PATIENCE) {
        fprintf(stderr, "lost on the way to stop %d\n", w->stop);
        ++w->lost;
        go_on(w);
    }
}

/* ---- the picture: the level from above at a slant, without perspective ---- */

enum { COLUMNS = 512, ROWS = 320 };

static const double PIXELS_PER_UNIT = 7.625;

static unsigned char picture[ROWS][COLUMNS][3];

typedef struct camera {
    cd_vec3 right, up, forward, middle;
} camera;

static camera make_camera(void) {
    camera c;
    c.right = at(1, 0, 0);
    c.forward = cd_vec3_normalize(at(0, 1, -2));
    c.up = cd_vec3_cross(c.right, c.forward);
    c.middle = at(WIDTH * 0.5, DEPTH * 0.5, 0);
    return c;
}

static bool is_lit(const level *l, const cd_hit *hit, cd_vec3 to_lamp) {
    cd_ray ray;
    ray.origin = cd_vec3_along(hit->point, hit->normal, (cd_real)0.001);
    ray.dir = to_lamp;
    return !cd_bvh_test_ray(&l->tree, &ray, CD_REAL_MAX, NULL);
}

static void draw_level(const level *l) {
    cd_vec3 to_lamp = cd_vec3_normalize(at(-2, -1, 4));
    camera c = make_camera();
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
        unsigned char *pixel = picture[i / COLUMNS][i % COLUMNS];
        double x = (i % COLUMNS - COLUMNS / 2) / PIXELS_PER_UNIT,
               y = (ROWS / 2 - i / COLUMNS) / PIXELS_PER_UNIT;
        double light = 1;
        cd_ray ray;
        cd_hit hit;
        ray.dir = c.forward;
        ray.origin = cd_vec3_along(cd_vec3_along(c.middle, c.right, (cd_real)x), c.up, (cd_real)y);
        ray.origin = cd_vec3_along(ray.origin, c.forward, -100);
        if (cd_bvh_cast_ray(&l->tree, &ray, CD_REAL_MAX, NULL, &hit)) {
            light = (double)cd_vec3_dot(hit.normal, to_lamp);
            light = light > 0 && is_lit(l, &hit, to_lamp) ? 0.4 + 0.5 * light : 0.4;
        }
        for (int k = 0; k < 3; ++k) pixel[k] = (unsigned char)((225 + 10 * k) * light);
    }
}

/* From blue at the start to red at the end; not where the level hides it. */
static void draw_place(const level *l, cd_vec3 center, double done) {
    camera c = make_camera();
    cd_vec3 from_middle = cd_vec3_sub(center, c.middle);
    int column = (int)((double)cd_vec3_dot(from_middle, c.right) * PIXELS_PER_UNIT) + COLUMNS / 2;
    int row = ROWS / 2 - (int)((double)cd_vec3_dot(from_middle, c.up) * PIXELS_PER_UNIT);
    cd_ray ray;
    ray.origin = center;
    ray.dir = cd_vec3_neg(c.forward);
    if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS) return;
    if (cd_bvh_test_ray(&l->tree, &ray, CD_REAL_MAX, NULL)) return;
    picture[row][column][0] = (unsigned char)(40 + 200 * done);
    picture[row][column][1] = 60;
    picture[row][column][2] = (unsigned char)(240 - 200 * done);
}

static bool write_picture(FILE *file) {
    fprintf(file, "P6\n%d %d\n255\n", COLUMNS, ROWS);
    fwrite(picture, 1, sizeof picture, file);
    return fclose(file) == 0;
}

/* ---- all of it ---- */

static void begin(walk *w, const level *l) {
    memset(w, 0, sizeof *w);
    w->it.in = l;
    w->it.center = at(3, 3, 2);
    w->clearance = 2;
    w->stop = -1;
    go_on(w);
    w->rounds = 0;
}

/* A 65536th of the radius is more than rounding takes from it out here. */
static bool report(const walk *w, int steps) {
    bool sank = w->clearance < RADIUS - RADIUS / 65536;
    bool stuck = w->longest_held > 0 || w->lost > 0;
    printf("%d steps, %d rounds\n", steps, w->rounds);
    printf("%d contacts, held in a corner in %d steps\n", w->contacts, w->held);
    printf("least clearance, in thousandths of the radius: %.2f\n", (double)(w->clearance / RADIUS) * 1000);
    printf("longest standstill where it could go on: %d steps\n", w->longest_held);
    printf("stops not reached: %d\n", w->lost);
    printf("%s\n", sank ? "it sank" : stuck ? "it stuck" : "it neither sank nor stuck");
    return !sank && !stuck;
}

int main(int argc, char **argv) {
    static level l;
    static walk w;
    int steps = argc > 1 ? atoi(argv[1]) : 10000;
    FILE *file = argc > 2 ? fopen(argv[2], "wb") : NULL;
    bool fine = argc <= 2 || file;
    if (fine) fine = make_level(&l);
    if (fine) {
        printf("a level of %u triangles\n", (unsigned)l.count);
        if (file) draw_level(&l);
        begin(&w, &l);
        for (int i = 0; i < steps; ++i) {
            step(&w);
            if (file) draw_place(&l, w.it.center, (double)i / steps);
        }
        fine = report(&w, steps);
    }
    if (argc > 2 && !(file && write_picture(file))) {
        fprintf(stderr, "cannot write the picture\n");
        fine = false;
    }
    cd_bvh_destroy(&l.tree);
    return fine ? 0 : 1;
}
