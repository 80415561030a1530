/* rays: rays against triangles and boxes, and points against triangles, one at a time and many at once. BENCH_NAME is what
 * the lines call the flags.
 *
 * Plain is the loop over arrays of numbers that one would write and a compiler turn to vectors: Moller-Trumbore and slabs, in
 * the library's numbers. It decides by rounded numbers, so that rays slip through edges, and its checksums may differ. */
#include "bench.h"
#include "workloads.h"

#ifndef BENCH_NAME
#define BENCH_NAME "name"
#endif
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

enum { COUNT = 1024, RAYS = 64, BLOCKS = COUNT / 8 };

/* All inputs, as structs, in blocks, and number by number. */
static cd_triangle triangles[COUNT];
static cd_triangle8 triangle8s[BLOCKS];
static cd_aabb boxes[COUNT];
static cd_aabb8 aabb8s[BLOCKS];
static cd_ray rays[RAYS], many_rays[COUNT];
static cd_real corner[3][3][COUNT], side[2][3][COUNT], plain_t[COUNT];

static cd_vec3 vec_of(const float p[3]) {
    return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
}

static void add(bench_answer *a, uint64_t index) {
    ++a->count;
    a->index_sum += index;
}

/* ---- the nearest triangle of a ray ---- */

static bench_answer run_single_triangles(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        cd_hit hit;
        int best = -1;
        hit.t = CD_REAL_MAX;
        for (int j = 0; j < COUNT; ++j) {
            if (cd_cast_ray_triangle(&rays[i], hit.t, &triangles[j], NULL, &hit)) best = j;
        }
        if (best >= 0) add(&a, (uint64_t)best);
    }
    return a;
}

static bench_answer run_triangles(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        cd_hit hit;
        if (cd_cast_ray_triangles(&rays[i], CD_REAL_MAX, triangles, COUNT, NULL, &hit)) add(&a, hit.index);
    }
    return a;
}

static bench_answer run_triangle8s(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        cd_hit hit;
        if (cd_cast_ray_triangle8s(&rays[i], CD_REAL_MAX, triangle8s, COUNT, NULL, &hit)) add(&a, hit.index);
    }
    return a;
}

/* t of triangle j, or the largest number. Written out: only so do compilers make vectors of it. */
static cd_real plain_triangle(const cd_ray *r, int j) {
    cd_real ax = corner[0][0][j], ay = corner[0][1][j], az = corner[0][2][j];
    cd_real e1x = corner[1][0][j] - ax, e1y = corner[1][1][j] - ay, e1z = corner[1][2][j] - az;
    cd_real e2x = corner[2][0][j] - ax, e2y = corner[2][1][j] - ay, e2z = corner[2][2][j] - az;
    cd_real px = r->dir.y * e2z - r->dir.z * e2y, py = r->dir.z * e2x - r->dir.x * e2z,
            pz = r->dir.x * e2y - r->dir.y * e2x;
    cd_real inverse = 1 / (e1x * px + e1y * py + e1z * pz);
    cd_real sx = r->origin.x - ax, sy = r->origin.y - ay, sz = r->origin.z - az;
    cd_real qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
    cd_real u = (sx * px + sy * py + sz * pz) * inverse;
    cd_real v = (r->dir.x * qx + r->dir.y * qy + r->dir.z * qz) * inverse;
    cd_real t = (e2x * qx + e2y * qy + e2z * qz) * inverse;
    return ((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)) ? t : CD_REAL_MAX;
}

static bench_answer run_plain_triangles(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        cd_ray r = rays[i];
        cd_real least = CD_REAL_MAX;
        int best = -1;
        for (int j = 0; j < COUNT; ++j) plain_t[j] = plain_triangle(&r, j);
        for (int j = 0; j < COUNT; ++j) {
            if (plain_t[j] < least) least = plain_t[j], best = j;
        }
        if (best >= 0) add(&a, (uint64_t)best);
    }
    return a;
}

/* ---- the rays that hit a triangle ---- */

static bench_answer run_single_rays(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int j = 0; j < RAYS; ++j) {
        for (int i = 0; i < COUNT; ++i) {
            cd_hit hit;
            if (cd_cast_ray_triangle(&many_rays[i], CD_REAL_MAX, &triangles[j], NULL, &hit))
                add(&a, (uint64_t)i);
        }
    }
    return a;
}

static bench_answer run_rays(void *ctx) {
    static cd_hit hits[COUNT];
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int j = 0; j < RAYS; ++j) {
        cd_cast_rays_triangle(many_rays, NULL, COUNT, &triangles[j], NULL, hits);
        for (int i = 0; i < COUNT; ++i) {
            if (hits[i].index != CD_NONE) add(&a, (uint64_t)i);
        }
    }
    return a;
}

/* ---- the boxes that a ray meets ---- */

static bench_answer run_single_boxes(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        for (int j = 0; j < COUNT; ++j) {
            if (cd_cast_ray_aabb(&rays[i], CD_REAL_MAX, boxes[j], NULL, NULL)) add(&a, (uint64_t)j);
        }
    }
    return a;
}

static uint32_t found[COUNT];

static void add_found(bench_answer *a, size_t count) {
    a->count += count;
    for (size_t i = 0; i < count; ++i) a->index_sum += found[i];
}

static bench_answer run_boxes(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i)
        add_found(&a, cd_test_ray_aabbs(&rays[i], CD_REAL_MAX, boxes, COUNT, found, COUNT));
    return a;
}

static bench_answer run_aabb8s(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i)
        add_found(&a, cd_test_ray_aabb8s(&rays[i], CD_REAL_MAX, aabb8s, COUNT, found, COUNT));
    return a;
}

static cd_real plain_least(cd_real a, cd_real b) {
    return a < b ? a : b;
}
static cd_real plain_most(cd_real a, cd_real b) {
    return a > b ? a : b;
}

static bench_answer run_plain_boxes(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        cd_vec3 o = rays[i].origin, d = rays[i].dir, inverse = cd_vec3_make(1 / d.x, 1 / d.y, 1 / d.z);
        uint32_t count = 0, sum = 0;
        for (uint32_t j = 0; j < COUNT; ++j) {
            cd_real x0 = (side[0][0][j] - o.x) * inverse.x, x1 = (side[1][0][j] - o.x) * inverse.x;
            cd_real y0 = (side[0][1][j] - o.y) * inverse.y, y1 = (side[1][1][j] - o.y) * inverse.y;
            cd_real z0 = (side[0][2][j] - o.z) * inverse.z, z1 = (side[1][2][j] - o.z) * inverse.z;
            cd_real in = plain_most(plain_most(plain_least(x0, x1), plain_least(y0, y1)),
                                    plain_most(plain_least(z0, z1), 0));
            cd_real out =
                plain_least(plain_least(plain_most(x0, x1), plain_most(y0, y1)), plain_most(z0, z1));
            uint32_t met = in <= out ? 1u : 0u;
            count += met;
            sum += met * j;
        }
        a.count += count;
        a.index_sum += sum;
    }
    return a;
}

/* ---- the rays that meet a box ---- */

static bench_answer run_single_rays_box(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int j = 0; j < RAYS; ++j) {
        for (int i = 0; i < COUNT; ++i) {
            if (cd_cast_ray_aabb(&many_rays[i], CD_REAL_MAX, boxes[j], NULL, NULL)) add(&a, (uint64_t)i);
        }
    }
    return a;
}

static bench_answer run_rays_box(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int j = 0; j < RAYS; ++j)
        add_found(&a, cd_test_rays_aabb(many_rays, COUNT, CD_REAL_MAX, boxes[j], found, COUNT));
    return a;
}

/* ---- the triangle nearest to a point: the origins of the rays, nearer in ---- */

static cd_vec3 point_of(int i) {
    return cd_vec3_scale(rays[i].origin, (cd_real)0.4);
}

static bench_answer run_single_nearest(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        cd_real least = CD_REAL_MAX;
        int best = -1;
        for (int j = 0; j < COUNT; ++j) {
            cd_real sqdist = cd_sqdist_point_triangle(point_of(i), &triangles[j]);
            if (sqdist < least) least = sqdist, best = j;
        }
        add(&a, (uint64_t)best);
    }
    return a;
}

static bench_answer run_nearest(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    cd_closest c;
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        if (cd_closest_pts_point_triangles(point_of(i), triangles, COUNT, &c)) add(&a, c.index_b);
    }
    return a;
}

static bench_answer run_nearest8(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    cd_closest c;
    (void)ctx;
    for (int i = 0; i < RAYS; ++i) {
        if (cd_closest_pts_point_triangle8s(point_of(i), triangle8s, COUNT, &c)) add(&a, c.index_b);
    }
    return a;
}

/* ---- all ---- */

typedef struct run {
    const char *name, *implementation;
    bench_answer (*call)(void *ctx);
} run;

static const run runs[] = {{"ray-triangles", "single", run_single_triangles},
                           {"ray-triangles", "many", run_triangles},
                           {"ray-triangles", "blocks", run_triangle8s},
                           {"ray-triangles", "plain", run_plain_triangles},
                           {"rays-triangle", "single", run_single_rays},
                           {"rays-triangle", "many", run_rays},
                           {"ray-boxes", "single", run_single_boxes},
                           {"ray-boxes", "many", run_boxes},
                           {"ray-boxes", "blocks", run_aabb8s},
                           {"ray-boxes", "plain", run_plain_boxes},
                           {"rays-box", "single", run_single_rays_box},
                           {"rays-box", "many", run_rays_box},
                           {"point-triangles", "single", run_single_nearest},
                           {"point-triangles", "many", run_nearest},
                           {"point-triangles", "blocks", run_nearest8}};

enum { RUNS = (int)(sizeof runs / sizeof runs[0]) };

static void measure(const char *size) {
    static char names[RUNS][64];
    for (int i = 0; i < RUNS;) {
        bench_job jobs[BENCH_JOBS];
        char label[64];
        int count = 0;
        snprintf(label, sizeof label, "%s-%s", runs[i].name, size);
        for (int first = i; i < RUNS && runs[i].name == runs[first].name; ++i, ++count) {
            snprintf(names[i], sizeof names[i], "%s-%s", runs[i].implementation, BENCH_NAME);
            jobs[count].implementation = names[i];
            jobs[count].run = runs[i].call;
            jobs[count].after = NULL;
            jobs[count].ctx = NULL;
        }
        bench_measure("rays", label, bench_ns, (double)COUNT * RAYS, jobs, count);
    }
}

static void make_rays(void) {
    static pg_ray from[COUNT];
    pg_rays_random(COUNT, 11, from);
    for (int i = 0; i < COUNT; ++i) {
        many_rays[i].origin = vec_of(from[i].o);
        many_rays[i].dir = vec_of(from[i].d);
        if (i < RAYS) rays[i] = many_rays[i];
    }
}

static void make_triangles(double size) {
    pg_mesh m = pg_soup(COUNT, size, 7);
    for (int i = 0; i < COUNT; ++i) {
        cd_vec3 p[3];
        for (int c = 0; c < 3; ++c) p[c] = vec_of(m.vertices[3 * i + c]);
        triangles[i].a = p[0];
        triangles[i].b = p[1];
        triangles[i].c = p[2];
        boxes[i] = cd_aabb_from_points(p, 3);
        for (int k = 0; k < 3; ++k) {
            for (int c = 0; c < 3; ++c) corner[c][k][i] = (&p[c].x)[k];
            side[0][k][i] = (&boxes[i].min.x)[k];
            side[1][k][i] = (&boxes[i].max.x)[k];
        }
    }
    cd_triangle8_pack(triangles, COUNT, triangle8s);
    cd_aabb8_pack(boxes, COUNT, aabb8s);
    free(m.vertices);
    free(m.triangles);
}

int main(void) {
    make_rays();
    make_triangles(0.1);
    measure("small");
    make_triangles(1.0);
    measure("large");
    return 0;
}
