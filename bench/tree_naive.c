/* tree_naive: no tree at all: a loop over the triangles. */
#include "peers.h"
#include "naive.h"

static void *naive_build(const pg_mesh *mesh) {
    pg_mesh *view = (pg_mesh *)pg_alloc(sizeof *view);
    *view = *mesh; /* the mesh outlives its trees */
    return view;
}

static double naive_bytes(const void *tree) {
    (void)tree;
    return 0.0;
}

static void naive_corners(const pg_mesh *m, int i, naive_v3 out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = naive_of(m->vertices[m->triangles[i][k]]);
}

static bench_answer naive_closest_hit(const void *tree, const pg_ray *rays, int count) {
    const pg_mesh *m = (const pg_mesh *)tree;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        naive_v3 o = naive_of(rays[i].o), d = naive_of(rays[i].d), tri[3];
        double best = 1e300, t;
        int at = -1;
        for (int j = 0; j < m->triangle_count; ++j) {
            naive_corners(m, j, tri);
            if (!naive_ray_triangle(o, d, tri, &t) || t >= best) continue;
            best = t;
            at = j;
        }
        if (at >= 0) bench_count(&a, (uint64_t)at);
    }
    return a;
}

static int naive_meets_any(const pg_mesh *m, naive_v3 o, naive_v3 d) {
    naive_v3 tri[3];
    double t;
    for (int j = 0; j < m->triangle_count; ++j) {
        naive_corners(m, j, tri);
        if (naive_ray_triangle(o, d, tri, &t)) return 1;
    }
    return 0;
}

static bench_answer naive_any_hit(const void *tree, const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        a.count += (uint64_t)naive_meets_any((const pg_mesh *)tree, naive_of(rays[i].o), naive_of(rays[i].d));
    }
    return a;
}

static bench_answer naive_closest_points(const void *tree, const float (*points)[3], int count) {
    const pg_mesh *m = (const pg_mesh *)tree;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        naive_v3 p = naive_of(points[i]), tri[3];
        double best = 1e300;
        for (int j = 0; j < m->triangle_count; ++j) {
            double sqdist;
            naive_corners(m, j, tri);
            sqdist = naive_sqdist(p, naive_closest_point(p, tri));
            best = sqdist < best ? sqdist : best;
        }
        ++a.count;
        a.distance_sum += sqrt(best);
    }
    return a;
}

static bench_answer naive_pairs(const void *tree_a, const void *tree_b, const bench_posed *meshes) {
    const pg_mesh *ma = meshes->a, *mb = meshes->b_posed;
    bench_answer a = {0, 0, 0.0};
    (void)tree_a;
    (void)tree_b;
    for (int i = 0; i < ma->triangle_count; ++i) {
        naive_v3 p[3], q[3];
        naive_corners(ma, i, p);
        for (int j = 0; j < mb->triangle_count; ++j) {
            naive_corners(mb, j, q);
            if (naive_triangle_triangle(p, q)) bench_count(&a, (uint64_t)i + (uint64_t)j);
        }
    }
    return a;
}

const bench_tree bench_tree_naive = {
    "naive",     2,    naive_build, free, naive_bytes, naive_closest_hit, naive_any_hit, naive_closest_points,
    naive_pairs, NULL, NULL,        NULL,
};

/* ---- kernels ---- */

static void naive_triangle_of(const float *t, naive_v3 out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = naive_of(t + 3 * k);
}

static bench_answer naive_tri_tri(const float (*pairs)[18], int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        naive_v3 p[3], q[3];
        naive_triangle_of(pairs[i], p);
        naive_triangle_of(pairs[i] + 9, q);
        if (naive_triangle_triangle(p, q)) bench_count(&a, (uint64_t)i);
    }
    return a;
}

static bench_answer naive_ray_tri(const float (*pairs)[18], const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        naive_v3 p[3];
        double t;
        naive_triangle_of(pairs[i], p);
        if (naive_ray_triangle(naive_of(rays[i].o), naive_of(rays[i].d), p, &t)) bench_count(&a, (uint64_t)i);
    }
    return a;
}

static bench_answer naive_ray_boxes(const float (*boxes)[6], const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        if (naive_ray_box(naive_of(rays[i].o), naive_of(rays[i].d), naive_of(boxes[i]),
                          naive_of(boxes[i] + 3))) {
            bench_count(&a, (uint64_t)i);
        }
    }
    return a;
}

const bench_kernels bench_kernels_naive = {"naive", naive_tri_tri, naive_ray_tri, naive_ray_boxes};
