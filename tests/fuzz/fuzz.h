/* fuzz.h - what the fuzz targets share. A target is a file fuzz_<name>.c with a function `void fuzz_<name>(test_rng *r)`, named in
 * targets.h, which takes all it needs from the bytes in hand, and checks what must hold. All of them are one program; the environment
 * variable FUZZ_TARGET says which it is to be.
 *
 * The bytes are read through the random numbers of test.h: a draw's state is a place in them, and behind the last byte numbers are
 * random. So what draws for the suites (gen.h, any_things.h) draws from the bytes, and a copied state reads the same bytes again. The
 * suites are run, too: some runs are one case of the suites that targets.h names, done once, with all its random numbers from the bytes.
 * A check of test.h that fails prints all that is known, and ends the program.
 *
 * tests/fuzz/run.sh builds and runs the targets; replay.c runs them where there is no libFuzzer. */
#ifndef FUZZ_H
#define FUZZ_H

#include "gen.h"

/* All of the bytes in hand. */
const uint8_t *fuzz_bytes(size_t *count);

/* ---- numbers ---- */

/* How the numbers of a run are drawn. */
typedef enum fuzz_mood {
    FUZZ_WHOLE,  /* -3 ... 3 */
    FUZZ_NICE,   /* sixteenths */
    FUZZ_EVEN,   /* anything in -2 ... 2 */
    FUZZ_ULP,    /* whole numbers and sixteenths, and a few units in the last place off */
    FUZZ_SCALED, /* one of these, in units of a power of two of the domain */
    FUZZ_FAR,    /* ... far from the origin */
    FUZZ_MIXED,  /* each number of its own mood */
    FUZZ_WIDE,   /* any number of the domain */
    FUZZ_FINITE, /* any finite number */
    FUZZ_BITS,   /* any bits */
    FUZZ_MOODS
} fuzz_mood;

typedef struct fuzz {
    test_rng *rng;
    fuzz_mood mood;
    double scale, place;
    cd_real last[8]; /* numbers come again, or nearly */
    int count;
    bool finite, tame; /* are all numbers so far finite, and in the domain? */
} fuzz;

/* A mood from the bytes, up to the given one. */
fuzz fuzz_begin(test_rng *r, fuzz_mood most);
cd_real fuzz_real(fuzz *f);
cd_real fuzz_length(fuzz *f); /* >= 0, but for NaN */
cd_vec2 fuzz_vec2(fuzz *f);
cd_vec3 fuzz_vec(fuzz *f);
cd_quat fuzz_quat(fuzz *f); /* unit, but for rounding; in the mood FUZZ_BITS anything */
cd_transform fuzz_pose(fuzz *f);
cd_triangle fuzz_triangle(fuzz *f);
cd_segment fuzz_segment(fuzz *f);
cd_ray fuzz_ray(fuzz *f);
cd_aabb fuzz_aabb(fuzz *f); /* min <= max, but for NaN */
cd_obb fuzz_obb(fuzz *f);
cd_sphere fuzz_sphere(fuzz *f);
cd_capsule fuzz_capsule(fuzz *f);
cd_plane fuzz_plane(fuzz *f);
void fuzz_points(fuzz *f, cd_vec3 *out, int count);

/* ---- meshes and volumes ---- */

enum { FUZZ_TRIANGLES = 48 };

/* Triangles with corners of their own, or of few points that many share. */
typedef struct fuzz_mesh {
    cd_vec3 points[3 * FUZZ_TRIANGLES];
    uint32_t indices[3 * FUZZ_TRIANGLES];
    uint32_t point_count, count;
} fuzz_mesh;

void fuzz_draw_mesh(fuzz *f, fuzz_mesh *out, int most);
cd_mesh_view fuzz_view(const fuzz_mesh *m);
cd_triangle fuzz_triangle_of(const fuzz_mesh *m, uint32_t i);
void fuzz_options(fuzz *f, cd_bvh_options *out); /* of a tree, all of them good */
cd_bvh_volume fuzz_volume(fuzz *f, cd_plane planes[6]);

/* Shown when a check fails. */
void fuzz_note(const char *name, const void *numbers, size_t bytes);

/* ---- checks ---- */

bool fuzz_finite(const void *numbers, size_t bytes); /* of cd_real */
bool fuzz_has_nan(const void *numbers, size_t bytes);
/* The same numbers: equal, or both NaN. */
bool fuzz_same(const void *a, const void *b, size_t bytes);

#define FUZZ_NOTE(x)      fuzz_note(#x, &(x), sizeof(x))
#define FUZZ_IS_FINITE(x) fuzz_finite(&(x), sizeof(x))
#define FUZZ_SAME(a, b)   fuzz_same(&(a), &(b), sizeof(a))

#endif
