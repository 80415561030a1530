/* gen.h - inputs for the tests: random, structured and hostile ones, all from a seed. */
#ifndef GEN_H
#define GEN_H

#include "test.h"

/* How coordinates are drawn. Every kind but the last gives exact `cd_real` numbers inside the library's domain. */
typedef enum gen_kind {
    GEN_UNIT,  /* even in [-1, 1] */
    GEN_GRID,  /* whole numbers in [-2, 2]: touching, coplanar and degenerate things abound */
    GEN_ULP,   /* the grid, some coordinates a few units in the last place off */
    GEN_WIDE,  /* magnitudes all over the domain, each coordinate its own */
    GEN_SCALE, /* the unit cube, all scaled by one random power of two of the domain */
    GEN_FAR,   /* small things far from the origin */
    GEN_KINDS
} gen_kind;

/* One draw of a scene: the kind, its scale and place, and the state. */
typedef struct gen {
    test_rng *rng;
    gen_kind kind;
    double scale;
    double place[3];
} gen;

gen gen_begin(test_rng *rng, gen_kind kind);
cd_real gen_coordinate(gen *g, int axis);
cd_real gen_length(gen *g); /* >= 0, of the scene's size */
cd_vec3 gen_point(gen *g);
cd_vec3 gen_direction(
    gen *g); /* a difference of points: any length, now and then along an axis, never zero */
cd_triangle gen_triangle(gen *g);
cd_segment gen_segment(gen *g);
cd_aabb gen_aabb(gen *g);
cd_sphere gen_sphere(gen *g);
cd_obb gen_obb(gen *g);
cd_quat gen_quat(test_rng *rng); /* unit up to rounding */
/* What a rotation is by definition: q v q^-1 / |q|^2. */
void gen_rotate(cd_quat q, cd_vec3 v, long double out[3]);
cd_transform gen_pose(test_rng *rng, double distance);

/* A triangle made to be in trouble with t: sharing corners or edges, coplanar, a copy, or with a corner put on an edge,
 * on the plane or on the boundary up to rounding. */
cd_triangle gen_triangle_near(gen *g, const cd_triangle *t);

/* ---- points in special position, for the predicates ----
 *
 * Half of the time the points are exactly degenerate, and the function says true; else one coordinate of one of them is
 * then moved by one unit in its last place, which in nearly all cases parts them. Whole numbers underneath, about a
 * place that may be far off, at every scale of the domain. Neither order nor orientation is fixed, and points may
 * coincide. */

bool gen_collinear(gen *g, cd_vec3 p[3]); /* without z, too */
bool gen_coplanar(gen *g, cd_vec3 p[4]);
bool gen_cocircular(gen *g, cd_vec2 p[4]);
bool gen_cospherical(gen *g, cd_vec3 p[5]);
/* Points of a grid of one unit in the last place, up to seven steps from a place in the middle: every predicate of them
 * is 0 often, and close to it always. */
void gen_ulp_grid(gen *g, cd_vec3 *p, int count);

/* ---- meshes: vertices and indices in memory of their own ---- */

typedef struct gen_mesh {
    cd_vec3 *vertices;
    uint32_t vertex_count;
    uint32_t *indices;
    uint32_t triangle_count;
} gen_mesh;

cd_mesh_view gen_mesh_view(const gen_mesh *m);
cd_triangle gen_mesh_triangle(const gen_mesh *m, uint32_t i);
void gen_mesh_free(gen_mesh *m);

gen_mesh gen_mesh_ball(int n, double bumps,
                       test_rng *rng); /* closed cube sphere, 12 n^2 triangles, radius about 1 */
gen_mesh gen_mesh_soup(uint32_t count, double size, gen_kind kind, test_rng *rng);
gen_mesh gen_mesh_grid(int n);               /* flat, 2 n^2 triangles of whole numbers in z = 0 */
gen_mesh gen_mesh_identical(uint32_t count); /* one triangle many times */
gen_mesh gen_mesh_slivers(uint32_t count,
                          test_rng *rng); /* needles through the unit cube, degenerate ones among them */
gen_mesh gen_mesh_spiral(uint32_t count); /* sizes in a geometric series: hard to balance */

/* The named meshes that structures are tested on; NULL at the end of the list. */
typedef struct gen_named_mesh {
    const char *name;
    gen_mesh mesh;
} gen_named_mesh;
int gen_all_meshes(test_rng *rng, gen_named_mesh out[16]);

/* ---- numbers that break things ---- */

extern const double gen_bad_numbers[]; /* zeros, denormals, extremes, infinities, NaN */
extern const int gen_bad_count;

/* Any finite number of the type: bits at random, so that all exponents come alike, denormals and both ends, powers of two and
 * their neighbours, zeros, small whole numbers. */
cd_real gen_any_real(test_rng *rng);

/* x, a neighbour of it, or a number a few steps away; infinite beyond the ends. */
cd_real gen_near(test_rng *rng, cd_real x);

/* ---- for references in double ---- */

void to_doubles(const cd_real *from, double *to, int n);
double largest(const double *x, int n); /* the largest magnitude */

#endif
