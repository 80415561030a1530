/* heights: rays at a height field, as our own layout, as our trees over the same mesh, and Bullet's.
 *
 * The field: six octaves of noise on a grid, in 16 bits, an eighth as high as it is wide in all. camera: a picture of it from above its middle; grazing: rays close
 * above the ground, nearly level; down: from above, straight down; short: ten cells long, near the ground. */
#include "heights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 65536 };

static const bench_heights *const tables[] = {bench_heights_ours_o2,
#ifdef BENCH_NATIVE
                                              bench_heights_ours_native,
#endif
#ifdef BENCH_BULLET
                                              bench_heights_bullet,
#endif
                                              NULL};

static uint64_t state = 1;

static uint64_t next(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double unit(void) {
    return (double)(next() >> 11) / 9007199254740992.0;
}

/* A number for each place of a grid. */
static double lattice(int x, int y, int octave) {
    uint64_t z =
        (uint64_t)x * 0x9E3779B97F4A7C15u + (uint64_t)y * 0xC2B2AE3D27D4EB4Fu + (uint64_t)octave * 7919;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static double smooth(double t) {
    return t * t * (3 - 2 * t);
}

static double noise(double x, double y, int octave) {
    int i = (int)floor(x), j = (int)floor(y);
    double s = smooth(x - i), t = smooth(y - j);
    double low = lattice(i, j, octave) * (1 - s) + lattice(i + 1, j, octave) * s;
    double high = lattice(i, j + 1, octave) * (1 - s) + lattice(i + 1, j + 1, octave) * s;
    return low * (1 - t) + high * t;
}

static void make_field(bench_field *f, int side) {
    uint16_t *samples = (uint16_t *)malloc((size_t)side * (size_t)side * sizeof *samples);
    if (!samples) abort();
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            double h = 0, size = side / 4.0, high = 0.5;
            for (int octave = 0; octave < 8 && size > 2; ++octave, size /= 2, high /= 2)
                h += high * noise(x / size, y / size, octave);
            samples[(size_t)y * (size_t)side + (size_t)x] = (uint16_t)(h * 65535);
        }
    }
    f->side = side;
    f->samples = samples;
    f->highest = (float)(side / 8.0);
    f->scale = f->highest / 65535.0f;
}

static double height_at(const bench_field *f, double x, double y) {
    int i = (int)x, j = (int)y;
    return (double)f->samples[(size_t)j * (size_t)f->side + (size_t)i] * (double)f->scale;
}

static void put_ray(bench_field_ray *r, double ox, double oy, double oz, double dx, double dy, double dz) {
    r->o[0] = (float)ox;
    r->o[1] = (float)oy;
    r->o[2] = (float)oz;
    r->d[0] = (float)dx;
    r->d[1] = (float)dy;
    r->d[2] = (float)dz;
}

enum { CAMERA, GRAZING, DOWN, SHORT, KINDS };
static const char *const names[KINDS] = {"camera", "grazing", "down", "short"};

static void make_rays(const bench_field *f, int kind, bench_field_ray *rays) {
    double side = f->side - 1, top = (double)f->highest;
    for (int i = 0; i < RAYS; ++i) {
        double x = 1 + unit() * (side - 2), y = 1 + unit() * (side - 2), angle = 6.283185307179586 * unit();
        double ground = height_at(f, x, y);
        if (kind == CAMERA) {
            double u = (i % 256 + 0.5) / 128 - 1, v = (i / 256 + 0.5) / 128 - 1;
            put_ray(&rays[i], 0.5 * side, 0.1 * side, 1.1 * top, 2 * side * u, 2 * side, side * (v - 0.6));
        } else if (kind == GRAZING) {
            put_ray(&rays[i], x, y, ground + 0.02 * top + 1, side * cos(angle), side * sin(angle),
                    (unit() - 0.5) * 0.02 * side);
        } else if (kind == DOWN) {
            put_ray(&rays[i], x, y, top + 1, 0, 0, -top - 2);
        } else {
            put_ray(&rays[i], x, y, ground + 1, 10 * cos(angle), 10 * sin(angle), -1 - unit());
        }
    }
}

typedef struct turn {
    const bench_heights *way;
    void *prepared;
    const bench_field_ray *rays;
} turn;

static bench_answer run_turn(void *ctx) {
    const turn *t = (const turn *)ctx;
    return t->way->run(t->prepared, t->rays, RAYS);
}

static void bench_side(int side) {
    turn turns[BENCH_JOBS];
    bench_job jobs[BENCH_JOBS];
    bench_field_ray *rays = (bench_field_ray *)malloc(RAYS * sizeof *rays);
    bench_field field;
    int count = 0;
    char name[64], nothing[2] = "-";
    if (!rays) abort();
    make_field(&field, side);
    for (int t = 0; tables[t]; ++t) {
        for (const bench_heights *w = tables[t]; w->name; ++w, ++count) {
            double start = bench_now();
            turns[count].way = w;
            turns[count].prepared = w->prepare(&field);
            turns[count].rays = rays;
            jobs[count].implementation = w->name;
            jobs[count].run = run_turn;
            jobs[count].after = NULL;
            jobs[count].ctx = &turns[count];
            snprintf(name, sizeof name, "build %d", side);
            bench_line("heights", name, w->name, (bench_now() - start) * 1e3, "ms", nothing);
            snprintf(name, sizeof name, "bytes %d", side);
            if (w->bytes)
                bench_line("heights", name, w->name, w->bytes(turns[count].prepared), "B/triangle", nothing);
        }
    }
    for (int kind = 0; kind < KINDS; ++kind) {
        snprintf(name, sizeof name, "%s %d", names[kind], side);
        make_rays(&field, kind, rays);
        bench_measure("heights", name, bench_mrays, RAYS, jobs, count);
    }
    for (int i = 0; i < count; ++i) turns[i].way->free(turns[i].prepared);
    free(rays);
    free((void *)field.samples);
}

int main(void) {
    const char *quick = getenv("BENCH_QUICK");
    bench_side(1025);
    if (!quick || !*quick) bench_side(2049);
    return 0;
}
