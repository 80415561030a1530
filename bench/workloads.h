/* workloads: the inputs of all benches, made from seeds.
 *
 * Only + - * / sqrt and 64-bit integers, computed in double and rounded once to float, so that the same bits come out
 * everywhere; compile with -ffp-contract=off. The sequence of random numbers is part of the inputs: reordering two
 * calls of pg_range changes all that follows. */
#ifndef BENCH_WORKLOADS_H
#define BENCH_WORKLOADS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An error in a bench's own set-up ends the program: there is nothing to measure then. */
static inline void *pg_alloc(size_t size) {
    void *p = malloc(size);
    if (!p) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return p;
}

/* ---- random numbers: splitmix64 ---- */

typedef struct pg_rng {
    uint64_t state;
} pg_rng;

static inline uint64_t pg_next(pg_rng *r) {
    uint64_t z = (r->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* In [0, 1). */
static inline double pg_unit(pg_rng *r) {
    return (double)(pg_next(r) >> 11) * (1.0 / 9007199254740992.0);
}

static inline double pg_range(pg_rng *r, double a, double b) {
    return a + (b - a) * pg_unit(r);
}

/* A unit vector. */
static inline void pg_dir(pg_rng *r, double out[3]) {
    double v[3], q;
    do {
        for (int k = 0; k < 3; ++k) v[k] = pg_range(r, -1, 1);
        q = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    } while (q > 1.0 || q < 1e-6);
    q = 1.0 / sqrt(q);
    for (int k = 0; k < 3; ++k) out[k] = v[k] * q;
}

/* ---- quaternions, x y z w ---- */

/* A unit quaternion. */
static inline void pg_quat(pg_rng *r, double out[4]) {
    double v[4], q;
    do {
        for (int k = 0; k < 4; ++k) v[k] = pg_range(r, -1, 1);
        q = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3];
    } while (q > 1.0 || q < 1e-6);
    q = 1.0 / sqrt(q);
    for (int k = 0; k < 4; ++k) out[k] = v[k] * q;
}

/* q v q^-1, of a unit quaternion. */
static inline void pg_qrot(const double q[4], const double v[3], double out[3]) {
    double tx = 2 * (q[1] * v[2] - q[2] * v[1]);
    double ty = 2 * (q[2] * v[0] - q[0] * v[2]);
    double tz = 2 * (q[0] * v[1] - q[1] * v[0]);
    out[0] = v[0] + q[3] * tx + (q[1] * tz - q[2] * ty);
    out[1] = v[1] + q[3] * ty + (q[2] * tx - q[0] * tz);
    out[2] = v[2] + q[3] * tz + (q[0] * ty - q[1] * tx);
}

static inline void pg_qmul(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static inline void pg_round(const double *v, int n, float *out) {
    for (int k = 0; k < n; ++k) out[k] = (float)v[k];
}

/* ---- convex hulls and pairs of them ---- */

#define PG_HULLS 64

typedef struct pg_hull {
    int count;
    float (*points)[3];
} pg_hull;

static inline void pg_box_hull(pg_rng *r, pg_hull *h) {
    double e[3];
    for (int k = 0; k < 3; ++k) e[k] = pg_range(r, 0.3, 1.0);
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) h->points[i][k] = (float)((i >> k & 1) ? e[k] : -e[k]);
    }
}

static inline void pg_ellipsoid_hull(pg_rng *r, pg_hull *h) {
    double e[3], d[3];
    for (int k = 0; k < 3; ++k) e[k] = pg_range(r, 0.5, 1.0);
    for (int i = 0; i < h->count; ++i) {
        pg_dir(r, d);
        for (int k = 0; k < 3; ++k) h->points[i][k] = (float)(e[k] * d[k]);
    }
}

/* With `points` random points each on an ellipsoid with half axes in [0.5, 1]; for 0, the corners of a box with half
 * extents in [0.3, 1]. */
static inline void pg_hulls(int points, uint64_t seed, pg_hull hulls[PG_HULLS]) {
    pg_rng r = {seed};
    for (int i = 0; i < PG_HULLS; ++i) {
        hulls[i].count = points ? points : 8;
        hulls[i].points = (float(*)[3])pg_alloc((size_t)hulls[i].count * sizeof *hulls[i].points);
        if (points) {
            pg_ellipsoid_hull(&r, &hulls[i]);
        } else {
            pg_box_hull(&r, &hulls[i]);
        }
    }
}

static inline void pg_hulls_free(pg_hull hulls[PG_HULLS]) {
    for (int i = 0; i < PG_HULLS; ++i) free(hulls[i].points);
}

/* Two hulls by number, each in its pose x -> q x q^-1 + p. `known` is a lower bound of the gap (separated) or where on
 * the way from centroid to corner the two touch (overlapping). */
typedef struct pg_pair {
    int a, b;
    float qa[4], pa[3], qb[4], pb[3];
    double known;
} pg_pair;

/* The farthest extent of the rotated hull along d, and by which corner. */
static inline double pg_support(const pg_hull *h, const double q[4], const double d[3], int *corner) {
    double best = -1e300;
    *corner = 0;
    for (int i = 0; i < h->count; ++i) {
        double v[3] = {(double)h->points[i][0], (double)h->points[i][1], (double)h->points[i][2]}, w[3], t;
        pg_qrot(q, v, w);
        t = w[0] * d[0] + w[1] * d[1] + w[2] * d[2];
        if (t > best) {
            best = t;
            *corner = i;
        }
    }
    return best;
}

static inline void pg_centroid(const pg_hull *h, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < h->count; ++i) {
        for (int k = 0; k < 3; ++k) out[k] += (double)h->points[i][k];
    }
    for (int k = 0; k < 3; ++k) out[k] /= h->count;
}

/* The point at fraction f of the way from the centroid to a corner, rotated. */
static inline void pg_point_inside(const pg_hull *h, const double q[4], int corner, double f, double out[3]) {
    double c[3], x[3];
    pg_centroid(h, c);
    for (int k = 0; k < 3; ++k) x[k] = c[k] + f * ((double)h->points[corner][k] - c[k]);
    pg_qrot(q, x, out);
}

typedef enum pg_pair_kind {
    PG_SEPARATED, /* support planes with a gap in [0.01, 0.3] between them, across a random direction */
    PG_OVERLAPPING /* a point inside of each, at a fraction in [0.6, 0.95] from centroid to corner, is the same */
} pg_pair_kind;

static inline void pg_pairs(const pg_hull *hulls, pg_pair_kind kind, int count, uint64_t seed, pg_pair *out) {
    pg_rng r = {seed};
    for (int i = 0; i < count; ++i) {
        pg_pair *p = &out[i];
        double qa[4], qb[4], pa[3], pb[3], d[3], back[3], reach_a, reach_b;
        int corner_a, corner_b;
        p->a = (int)(pg_next(&r) % PG_HULLS);
        p->b = (int)(pg_next(&r) % PG_HULLS);
        pg_quat(&r, qa);
        pg_quat(&r, qb);
        for (int k = 0; k < 3; ++k) pa[k] = pg_range(&r, -5, 5);
        pg_dir(&r, d);
        for (int k = 0; k < 3; ++k) back[k] = -d[k];
        reach_a = pg_support(&hulls[p->a], qa, d, &corner_a);
        reach_b = pg_support(&hulls[p->b], qb, back, &corner_b);
        if (kind == PG_SEPARATED) {
            p->known = pg_range(&r, 0.01, 0.3);
            for (int k = 0; k < 3; ++k) pb[k] = pa[k] + d[k] * (reach_a + reach_b + p->known);
        } else {
            double x[3], y[3];
            p->known = pg_range(&r, 0.6, 0.95);
            pg_point_inside(&hulls[p->a], qa, corner_a, p->known, x);
            pg_point_inside(&hulls[p->b], qb, corner_b, p->known, y);
            for (int k = 0; k < 3; ++k) pb[k] = pa[k] + x[k] - y[k];
        }
        pg_round(qa, 4, p->qa);
        pg_round(qb, 4, p->qb);
        pg_round(pa, 3, p->pa);
        pg_round(pb, 3, p->pb);
    }
}

/* One step of coherent motion: B moves by 0.005 and turns by about 0.01 radians. */
static inline void pg_step(pg_pair *pairs, int count, pg_rng *r) {
    for (int i = 0; i < count; ++i) {
        double axis[3], d[3], q[4], turned[4], turn[4], s = 0.005, c = sqrt(1 - s * s), length;
        pg_dir(r, axis);
        pg_dir(r, d);
        for (int k = 0; k < 3; ++k) turn[k] = axis[k] * s;
        turn[3] = c;
        for (int k = 0; k < 4; ++k) q[k] = (double)pairs[i].qb[k];
        pg_qmul(turn, q, turned);
        length = 1.0 / sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                            turned[3] * turned[3]);
        for (int k = 0; k < 4; ++k) pairs[i].qb[k] = (float)(turned[k] * length);
        for (int k = 0; k < 3; ++k) pairs[i].pb[k] = (float)((double)pairs[i].pb[k] + 0.005 * d[k]);
    }
}

/* ---- pairs of boxes ---- */

typedef struct pg_boxpair {
    float ha[3], hb[3], qa[4], pa[3], qb[4], pb[3];
} pg_boxpair;

/* A random point of a box's surface, shrunk toward the centre by `shrink`. */
static inline void pg_on_face(double x[3], const double half[3], int face, double shrink) {
    x[face % 3] = (face < 3 ? 1 : -1) * half[face % 3];
    for (int k = 0; k < 3; ++k) x[k] *= shrink;
}

/* B in any orientation, so that a point just inside the surface of A is one of B's. */
static inline void pg_boxpair_random(pg_rng *r, const double ha[3], const double hb[3], const double qa[4],
                                     const double pa[3], double qb[4], double pb[3]) {
    double x[3], y[3], xw[3], yw[3], shrink;
    int face_a, face_b;
    pg_quat(r, qb);
    face_a = (int)(pg_next(r) % 6);
    face_b = (int)(pg_next(r) % 6);
    shrink = pg_range(r, 0.8, 0.99);
    for (int k = 0; k < 3; ++k) {
        x[k] = pg_range(r, -1, 1) * ha[k];
        y[k] = pg_range(r, -1, 1) * hb[k];
    }
    pg_on_face(x, ha, face_a, shrink);
    pg_on_face(y, hb, face_b, shrink);
    pg_qrot(qa, x, xw);
    pg_qrot(qb, y, yw);
    for (int k = 0; k < 3; ++k) pb[k] = pa[k] + xw[k] - yw[k];
}

/* B rests on A, 0.01 deep: tilted by about 0.02 radians and turned about A's z axis. */
static inline void pg_boxpair_stacked(pg_rng *r, const double ha[3], const double hb[3], const double qa[4],
                                      const double pa[3], double qb[4], double pb[3]) {
    double tilt[4], yaw[4], turn[4], axis[3], offset[3], moved[3], c;
    pg_dir(r, axis);
    for (int k = 0; k < 3; ++k) tilt[k] = axis[k] * 0.01;
    tilt[3] = sqrt(1 - 0.0001);
    c = pg_range(r, -1, 1);
    yaw[0] = yaw[1] = 0;
    yaw[2] = sqrt(1 - c * c);
    yaw[3] = c;
    pg_qmul(tilt, yaw, turn);
    pg_qmul(qa, turn, qb);
    offset[0] = pg_range(r, -0.8, 0.8) * ha[0];
    offset[1] = pg_range(r, -0.8, 0.8) * ha[1];
    offset[2] = ha[2] + hb[2] - 0.01;
    pg_qrot(qa, offset, moved);
    for (int k = 0; k < 3; ++k) pb[k] = pa[k] + moved[k];
}

typedef enum pg_boxpair_kind { PG_RANDOM_BOXES, PG_STACKED_BOXES } pg_boxpair_kind;

static inline void pg_boxpairs(pg_boxpair_kind kind, int count, uint64_t seed, pg_boxpair *out) {
    pg_rng r = {seed};
    for (int i = 0; i < count; ++i) {
        double ha[3], hb[3], qa[4], qb[4], pa[3], pb[3];
        for (int k = 0; k < 3; ++k) {
            ha[k] = pg_range(&r, 0.3, 1.0);
            hb[k] = pg_range(&r, 0.3, 1.0);
            pa[k] = pg_range(&r, -5, 5);
        }
        pg_quat(&r, qa);
        if (kind == PG_RANDOM_BOXES) {
            pg_boxpair_random(&r, ha, hb, qa, pa, qb, pb);
        } else {
            pg_boxpair_stacked(&r, ha, hb, qa, pa, qb, pb);
        }
        pg_round(ha, 3, out[i].ha);
        pg_round(hb, 3, out[i].hb);
        pg_round(qa, 4, out[i].qa);
        pg_round(qb, 4, out[i].qb);
        pg_round(pa, 3, out[i].pa);
        pg_round(pb, 3, out[i].pb);
    }
}

/* ---- meshes ---- */

typedef struct pg_mesh {
    int vertex_count, triangle_count;
    float (*vertices)[3];
    int32_t (*triangles)[3];
} pg_mesh;

static inline pg_mesh pg_mesh_alloc(int vertices, int triangles) {
    pg_mesh m;
    m.vertex_count = vertices;
    m.triangle_count = triangles;
    m.vertices = (float(*)[3])pg_alloc((size_t)vertices * sizeof *m.vertices);
    m.triangles = (int32_t(*)[3])pg_alloc((size_t)triangles * sizeof *m.triangles);
    return m;
}

static inline void pg_mesh_free(pg_mesh *m) {
    free(m->vertices);
    free(m->triangles);
}

/* In [-1, 1), the same for the same lattice point. */
static inline double pg_lattice(int x, int y, int z) {
    pg_rng r = {((uint64_t)(uint32_t)x * 0x8DA6B343u) ^ ((uint64_t)(uint32_t)y * 0xD8163841u) ^
                ((uint64_t)(uint32_t)z * 0xCB1AB31Fu)};
    return pg_unit(&r) * 2 - 1;
}

/* Smooth noise of period 1 in each coordinate. */
static inline double pg_noise(double x, double y, double z) {
    double fx = floor(x), fy = floor(y), fz = floor(z), u = x - fx, v = y - fy, w = z - fz, sum = 0;
    int ix = (int)fx, iy = (int)fy, iz = (int)fz;
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    w = w * w * (3 - 2 * w);
    for (int corner = 0; corner < 8; ++corner) {
        int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
        sum += pg_lattice(ix + a, iy + b, iz + c) * (a ? u : 1 - u) * (b ? v : 1 - v) * (c ? w : 1 - w);
    }
    return sum;
}

/* A point of the cube's surface (in [0, size]^3) taken to the bumpy sphere. */
static inline void pg_blob_vertex(const int at[3], int size, float out[3]) {
    double p[3], s, radius;
    for (int k = 0; k < 3; ++k) p[k] = 2.0 * at[k] / size - 1.0;
    s = 1.0 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < 3; ++k) p[k] *= s;
    radius = 1 + 0.25 * pg_noise(3 * p[0], 3 * p[1], 3 * p[2]) +
             0.1 * pg_noise(8 * p[0], 8 * p[1], 8 * p[2]) + 0.04 * pg_noise(24 * p[0], 24 * p[1], 24 * p[2]);
    for (int k = 0; k < 3; ++k) out[k] = (float)(p[k] * radius);
}

/* Where a point of the cube's surface stands in a map of six faces of (size + 1)^2: on the first face that it is on. */
static inline size_t pg_blob_place(const int at[3], int size) {
    size_t line = (size_t)size + 1;
    int face = 0;
    while (at[face % 3] != (face < 3 ? 0 : size)) ++face;
    return ((size_t)face * line + (size_t)at[(face + 1) % 3]) * line + (size_t)at[(face + 2) % 3];
}

/* The number of a lattice point's vertex, made when it is met first; `map` holds -1 for those not yet met. */
static inline int32_t pg_blob_vertex_at(pg_mesh *m, int32_t *map, const int at[3], int size) {
    int32_t *number = &map[pg_blob_place(at, size)];
    if (*number < 0) {
        pg_blob_vertex(at, size, m->vertices[m->vertex_count]);
        *number = m->vertex_count++;
    }
    return *number;
}

/* The two triangles of cell (i, j) of a face: axis face % 3, its high side for face >= 3. */
static inline void pg_blob_cell(pg_mesh *m, int32_t *map, int size, int face, int i, int j) {
    static const int order[2][2][3] = {{{0, 2, 1}, {0, 3, 2}}, {{0, 1, 2}, {0, 2, 3}}};
    int axis = face % 3, high = face / 3;
    int32_t corner[4];
    for (int c = 0; c < 4; ++c) {
        int at[3];
        at[axis] = high ? size : 0;
        at[(axis + 1) % 3] = i + (c == 1 || c == 2);
        at[(axis + 2) % 3] = j + (c >= 2);
        corner[c] = pg_blob_vertex_at(m, map, at, size);
    }
    for (int t = 0; t < 2; ++t) {
        for (int k = 0; k < 3; ++k) m->triangles[m->triangle_count][k] = corner[order[high][t][k]];
        ++m->triangle_count;
    }
}

/* A closed bumpy sphere of 12 size^2 triangles, from a cube; size 76: 69312, 289: 1002252. */
static inline pg_mesh pg_blob(int size) {
    size_t line = (size_t)size + 1, map_bytes = 6 * line * line * sizeof(int32_t);
    int32_t *map = (int32_t *)pg_alloc(map_bytes);
    pg_mesh m = pg_mesh_alloc(6 * size * size + 2, 12 * size * size);
    m.vertex_count = m.triangle_count = 0;
    memset(map, -1, map_bytes);
    for (int face = 0; face < 6; ++face) {
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) pg_blob_cell(&m, map, size, face, i, j);
        }
    }
    free(map);
    return m;
}

/* Separate triangles: centres in [-1, 1]^3, corners off by up to `size` on each axis. Sizes in use: 0.03 for 69312,
 * 0.0125 for 1002252. */
static inline pg_mesh pg_soup(int count, double size, uint64_t seed) {
    pg_rng r = {seed};
    pg_mesh m = pg_mesh_alloc(3 * count, count);
    for (int i = 0; i < count; ++i) {
        double center[3];
        for (int k = 0; k < 3; ++k) center[k] = pg_range(&r, -1, 1);
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                m.vertices[3 * i + j][k] = (float)(center[k] + pg_range(&r, -size, size));
            }
            m.triangles[i][j] = 3 * i + j;
        }
    }
    return m;
}

/* Pose i (0-7) of a mesh against itself: turned at random (little for 0) and displaced by pg_mesh_offset[i]. */
static const double pg_mesh_offset[8] = {0.05, 0.3, 0.7, 1.1, 1.5, 1.8, 2.0, 2.3};

static inline void pg_meshpose(int i, float q[4], float p[3]) {
    pg_rng r = {4242u + (uint64_t)i};
    double turn[4], d[3];
    pg_quat(&r, turn);
    pg_dir(&r, d);
    if (i == 0) {
        double s = 0.02;
        for (int k = 0; k < 3; ++k) turn[k] = d[k] * s;
        turn[3] = sqrt(1 - s * s);
    }
    pg_round(turn, 4, q);
    for (int k = 0; k < 3; ++k) p[k] = (float)(pg_mesh_offset[i] * d[k]);
}

/* ---- rays: unit directions, without end ---- */

typedef struct pg_ray {
    float o[3], d[3];
} pg_ray;

/* A pinhole camera in front of the mesh, row by row. */
static inline void pg_rays_camera(int width, int height, pg_ray *out) {
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            double d[3] = {(2 * (x + 0.5) / width - 1) * 0.5, (2 * (y + 0.5) / height - 1) * 0.5, 1.0};
            double s = 1 / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            pg_ray *ray = &out[y * width + x];
            ray->o[0] = 0.1f;
            ray->o[1] = 0.2f;
            ray->o[2] = -3.0f;
            for (int k = 0; k < 3; ++k) ray->d[k] = (float)(d[k] * s);
        }
    }
}

/* From the sphere of radius 2.5 toward points in [-0.8, 0.8]^3. */
static inline void pg_rays_random(int count, uint64_t seed, pg_ray *out) {
    pg_rng r = {seed};
    for (int i = 0; i < count; ++i) {
        double o[3], way[3], s;
        pg_dir(&r, o);
        for (int k = 0; k < 3; ++k) {
            o[k] *= 2.5;
            way[k] = pg_range(&r, -0.8, 0.8) - o[k];
        }
        s = 1 / sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        for (int k = 0; k < 3; ++k) {
            out[i].o[k] = (float)o[k];
            out[i].d[k] = (float)(way[k] * s);
        }
    }
}

/* ---- moving boxes ---- */

typedef struct pg_mbox {
    float c[3], h[3], velocity[3];
} pg_mbox;

#define PG_CLUSTERS 64

/* The side of a world in which each of `count` boxes overlaps about four others: a cube root by Newton's steps. */
static inline double pg_world(int count) {
    double volume = count * 3.375 / 4, x = 1;
    for (int i = 0; i < 200; ++i) x = x - (x * x * x - volume) / (3 * x * x);
    return x;
}

static inline double pg_cluster_coordinate(pg_rng *r, double center, double side) {
    double a = pg_range(r, -1, 1), b = pg_range(r, -1, 1), c = pg_range(r, -1, 1);
    double x = center + side / 12 * (a + b + c);
    return x < 0 ? 0 : x > side ? side : x;
}

typedef enum pg_mbox_kind { PG_UNIFORM_BOXES, PG_CLUSTERED_BOXES } pg_mbox_kind;

/* Half extents in [0.25, 0.5], speed 0.05 in a random direction. */
static inline void pg_mboxes(pg_mbox_kind kind, int count, uint64_t seed, pg_mbox *out) {
    pg_rng r = {seed};
    double side = pg_world(count), center[PG_CLUSTERS][3], d[3];
    for (int i = 0; i < PG_CLUSTERS; ++i) {
        for (int k = 0; k < 3; ++k) center[i][k] = pg_range(&r, 0.1 * side, 0.9 * side);
    }
    for (int i = 0; i < count; ++i) {
        int cluster = (int)(pg_next(&r) % PG_CLUSTERS);
        for (int k = 0; k < 3; ++k) {
            double x = kind == PG_UNIFORM_BOXES ? pg_range(&r, 0, side)
                                                : pg_cluster_coordinate(&r, center[cluster][k], side);
            out[i].c[k] = (float)x;
            out[i].h[k] = (float)pg_range(&r, 0.25, 0.5);
        }
        pg_dir(&r, d);
        for (int k = 0; k < 3; ++k) out[i].velocity[k] = (float)(0.05 * d[k]);
    }
}

/* One frame: every box whose number is divisible by `every` moves, thrown back at the walls of the world. */
static inline void pg_mbox_step(pg_mbox *boxes, int count, int every) {
    float side = (float)pg_world(count);
    for (int i = 0; i < count; i += every) {
        pg_mbox *b = &boxes[i];
        for (int k = 0; k < 3; ++k) {
            b->c[k] += b->velocity[k];
            if ((b->c[k] < 0 && b->velocity[k] < 0) || (b->c[k] > side && b->velocity[k] > 0)) {
                b->velocity[k] = -b->velocity[k];
            }
        }
    }
}

/* ---- points ---- */

typedef enum pg_point_kind { PG_ON_SPHERE, PG_IN_CUBE, PG_IN_BALL } pg_point_kind;

/* Of the unit sphere, the cube [-1, 1]^3 or the unit ball. */
static inline void pg_points(pg_point_kind kind, int count, uint64_t seed, float (*out)[3]) {
    pg_rng r = {seed};
    for (int i = 0; i < count; ++i) {
        double d[3];
        if (kind == PG_ON_SPHERE) {
            pg_dir(&r, d);
        } else {
            do {
                for (int k = 0; k < 3; ++k) d[k] = pg_range(&r, -1, 1);
            } while (kind == PG_IN_BALL && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 1);
        }
        pg_round(d, 3, out[i]);
    }
}

/* ---- pairs of triangles: nine numbers each ---- */

/* The second triangle moved so that its centroid is 0.75 away from a random point of the first. */
static inline void pg_tripair_general(pg_rng *r, float t[18]) {
    double x[18], d[3], shift[3], u, v;
    for (int k = 0; k < 18; ++k) x[k] = pg_range(r, -1, 1);
    pg_dir(r, d);
    u = pg_unit(r);
    v = pg_unit(r);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    for (int k = 0; k < 3; ++k) {
        shift[k] = x[k] + u * (x[3 + k] - x[k]) + v * (x[6 + k] - x[k]) + 0.75 * d[k] -
                   (x[9 + k] + x[12 + k] + x[15 + k]) / 3;
    }
    for (int k = 0; k < 18; ++k) t[k] = (float)(k < 9 ? x[k] : x[k] + shift[k % 3]);
}

typedef enum pg_tripair_kind {
    PG_GENERAL_PAIRS, /* corners in [-1, 1]^3; about a quarter of the pairs meet */
    PG_INTEGER_PAIRS  /* integers in [-3, 3]: touching, coplanar and degenerate pairs */
} pg_tripair_kind;

static inline void pg_tripairs(pg_tripair_kind kind, int count, uint64_t seed, float (*out)[18]) {
    pg_rng r = {seed};
    for (int i = 0; i < count; ++i) {
        if (kind == PG_GENERAL_PAIRS) {
            pg_tripair_general(&r, out[i]);
        } else {
            for (int k = 0; k < 18; ++k) out[i][k] = (float)((int)(pg_next(&r) % 7) - 3);
        }
    }
}

/* ---- casts of shapes ---- */

typedef struct pg_cast {
    float o[3], q[4], d[3];
} pg_cast;

/* From the sphere of radius 2.2, in any orientation, 3 units toward points in [-0.6, 0.6]^3. */
static inline void pg_casts(int count, uint64_t seed, pg_cast *out) {
    pg_rng r = {seed};
    for (int i = 0; i < count; ++i) {
        double o[3], way[3], q[4], s;
        pg_dir(&r, o);
        pg_quat(&r, q);
        for (int k = 0; k < 3; ++k) {
            o[k] *= 2.2;
            way[k] = pg_range(&r, -0.6, 0.6) - o[k];
        }
        s = 3.0 / sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        pg_round(o, 3, out[i].o);
        pg_round(q, 4, out[i].q);
        for (int k = 0; k < 3; ++k) out[i].d[k] = (float)(way[k] * s);
    }
}

/* ---- the checksum of inputs ---- */

static inline uint64_t pg_fnv(const void *data, size_t size) {
    const uint8_t *b = (const uint8_t *)data;
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < size; ++i) {
        h ^= b[i];
        h *= 1099511628211u;
    }
    return h;
}

#endif
