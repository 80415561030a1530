/* Real meshes: OFF files of a folder, each through the tree, against brute force and against its own winding numbers.
 *
 *     archive FOLDER [RAYS [part of a file name]]
 *
 * For every closed mesh 100,000 (or RAYS) rays from inside, where the winding number is not 0, aimed at its edges and corners: all
 * of them have to hit. For every mesh, samples of rays, closest points and triangle pairs against a loop over all
 * triangles. Prints a line a mesh, and `N passed, N failed` at the end. */
#include "oracle.h"
#include "test.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORIGINS = 20, SAMPLES = 40 };

static int rays = 100000;

typedef struct mesh {
    cd_vec3 *v;
    uint32_t *t;
    uint32_t vertices, triangles, room;
} mesh;

/* ---- random numbers, of our own: this is no suite ---- */

static uint64_t state = 1;

static double unit(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}

static uint32_t below(uint32_t n) {
    return (uint32_t)(unit() * (double)n);
}

/* ---- reading ---- */

/* The next number of the file, over comments; false at its end. */
static bool next_number(FILE *f, double *x) {
    for (;;) {
        int c = fgetc(f);
        if (c == EOF) return false;
        if (c == '#') {
            while (c != '\n' && c != EOF) c = fgetc(f);
        } else if (!strchr(" \t\r\n", c)) {
            ungetc(c, f);
            return fscanf(f, "%lf", x) == 1;
        }
    }
}

static void add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c) {
    if (m->triangles == m->room) {
        m->room = m->room ? 2 * m->room : 1024;
        m->t = (uint32_t *)realloc(m->t, 3 * (size_t)m->room * sizeof *m->t);
        if (!m->t) abort();
    }
    m->t[3 * m->triangles] = a;
    m->t[3 * m->triangles + 1] = b;
    m->t[3 * m->triangles + 2] = c;
    ++m->triangles;
}

/* Plain OFF; anything else is left alone. */
static bool read_off(const char *path, mesh *m) {
    double vertices, faces, edges, x[3], corners, index[3];
    char word[8] = "";
    FILE *f = fopen(path, "r");
    bool good = f && fscanf(f, "%7s", word) == 1 && !strcmp(word, "OFF") && next_number(f, &vertices) &&
                next_number(f, &faces) && next_number(f, &edges);
    memset(m, 0, sizeof *m);
    if (good) m->v = (cd_vec3 *)malloc(((size_t)vertices + 1) * sizeof *m->v);
    for (double i = 0; good && i < vertices; ++i) {
        good = next_number(f, &x[0]) && next_number(f, &x[1]) && next_number(f, &x[2]);
        m->v[m->vertices++] = cd_vec3_make((cd_real)x[0], (cd_real)x[1], (cd_real)x[2]);
    }
    for (double i = 0; good && i < faces; ++i) {
        good = next_number(f, &corners) && corners >= 3 && next_number(f, &index[0]) &&
               next_number(f, &index[1]);
        for (double k = 2; good && k < corners; ++k) {
            good = next_number(f, &index[2]);
            if (good) add_triangle(m, (uint32_t)index[0], (uint32_t)index[1], (uint32_t)index[2]);
            index[1] = index[2];
        }
    }
    for (uint32_t i = 0; good && i < 3 * m->triangles; ++i) good = m->t[i] < m->vertices;
    if (f) fclose(f);
    return good && m->triangles > 0;
}

static cd_triangle triangle_of(const mesh *m, uint32_t i) {
    cd_triangle t;
    t.a = m->v[m->t[3 * i]];
    t.b = m->v[m->t[3 * i + 1]];
    t.c = m->v[m->t[3 * i + 2]];
    return t;
}

/* ---- closed? Every edge is used as often in one direction as in the other. ---- */

static int compare_edges(const void *a, const void *b) {
    const uint32_t *p = (const uint32_t *)a, *q = (const uint32_t *)b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return p[1] < q[1] ? -1 : p[1] > q[1];
}

static bool is_closed(const mesh *m) {
    size_t n = 3 * (size_t)m->triangles;
    uint32_t(*edge)[3] = (uint32_t(*)[3])malloc(n * sizeof *edge);
    bool closed = true;
    int balance = 0;
    for (size_t i = 0; i < n; ++i) {
        uint32_t a = m->t[i], b = m->t[i / 3 * 3 + (i + 1) % 3];
        edge[i][0] = a < b ? a : b;
        edge[i][1] = a < b ? b : a;
        edge[i][2] = a < b;
    }
    qsort(edge, n, sizeof *edge, compare_edges);
    for (size_t i = 0; i < n && closed; ++i) {
        if (edge[i][0] != edge[i][1]) balance += edge[i][2] ? 1 : -1;
        if (i + 1 == n || compare_edges(edge[i], edge[i + 1])) {
            closed = balance == 0;
            balance = 0;
        }
    }
    free(edge);
    return closed;
}

/* ---- from inside ---- */

/* A point with a winding number other than 0, by trial: near the surface, or anywhere in the bounds. */
static bool find_inside(const mesh *m, const double (*tri)[9], cd_aabb bounds, cd_vec3 *out) {
    for (int attempt = 0; attempt < 200; ++attempt) {
        cd_triangle t = triangle_of(m, below(m->triangles));
        cd_vec3 n, p = cd_vec3_lerp(cd_vec3_lerp(t.a, t.b, (cd_real)unit()), t.c, (cd_real)unit());
        double q[3], depth = (double)cd_vec3_dist(bounds.min, bounds.max) * pow(10, -4 * unit());
        if (!cd_triangle_normal(&t, &n)) continue;
        p = cd_vec3_along(p, n, (cd_real)(attempt % 2 ? depth : -depth));
        q[0] = (double)p.x;
        q[1] = (double)p.y;
        q[2] = (double)p.z;
        if (fabs(oracle_winding_number(q, tri, m->triangles)) < 0.5) continue;
        *out = p;
        return true;
    }
    return false;
}

static long shoot_from_inside(const mesh *m, const cd_bvh *tree, int *origins) {
    double(*tri)[9] = (double(*)[9])malloc((size_t)m->triangles * sizeof *tri);
    long missed = 0;
    for (uint32_t i = 0; i < 9 * m->triangles; ++i)
        tri[i / 9][i % 9] = (double)REALS(m->v[m->t[i / 3]])[i % 3];
    for (*origins = 0; *origins < ORIGINS; ++*origins) {
        cd_ray r;
        if (!find_inside(m, (const double(*)[9])tri, cd_bvh_bounds(tree), &r.origin)) break;
        for (int i = 0; i < rays / ORIGINS; ++i) {
            uint32_t k = below(3 * m->triangles);
            cd_vec3 a = m->v[m->t[k]], b = m->v[m->t[k / 3 * 3 + (k + 1) % 3]];
            cd_hit hit;
            r.dir = cd_vec3_sub(i % 2 ? a : cd_vec3_lerp(a, b, (cd_real)unit()), r.origin);
            if (!cd_bvh_cast_ray(tree, &r, CD_REAL_MAX, NULL, &hit) ||
                !cd_bvh_test_ray(tree, &r, CD_REAL_MAX, NULL))
                ++missed;
        }
    }
    free(tri);
    return missed;
}

/* ---- against a loop ---- */

static long compare_rays(const mesh *m, const cd_bvh *tree) {
    cd_aabb b = cd_bvh_bounds(tree);
    long wrong = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        cd_vec3 from = cd_vec3_lerp(b.min, b.max, (cd_real)(3 * unit() - 1)), to = m->v[below(m->vertices)];
        cd_ray r = cd_ray_through(
            from, i % 2 ? to : cd_vec3_lerp(to, cd_vec3_lerp(b.min, b.max, (cd_real)0.5), (cd_real)unit()));
        cd_hit hit, one;
        cd_real best = CD_REAL_MAX;
        size_t all = 0;
        bool found = cd_bvh_cast_ray(tree, &r, CD_REAL_MAX, NULL, &hit);
        for (uint32_t k = 0; k < m->triangles; ++k) {
            cd_triangle t = triangle_of(m, k);
            if (!cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, &one)) continue;
            if (one.t < best) best = one.t;
            ++all;
        }
        wrong += found != (all > 0) || (found && hit.t != best) ||
                 cd_bvh_cast_ray_all(tree, &r, CD_REAL_MAX, NULL, NULL, 0) != all;
    }
    return wrong;
}

static long compare_points(const mesh *m, const cd_bvh *tree) {
    cd_aabb b = cd_bvh_bounds(tree);
    long wrong = 0;
    for (int i = 0; i < SAMPLES / 4; ++i) {
        cd_vec3 p = cd_vec3_lerp(b.min, b.max, (cd_real)(2 * unit() - 0.5));
        cd_real best = CD_REAL_MAX;
        cd_closest c;
        for (uint32_t k = 0; k < m->triangles; ++k) {
            cd_triangle t = triangle_of(m, k);
            cd_real d = cd_sqdist_point_triangle(p, &t);
            if (d < best) best = d;
        }
        wrong += !cd_bvh_closest(tree, p, CD_REAL_MAX, NULL, &c) || c.sqdist != best;
    }
    return wrong;
}

/* Counts the pairs of sampled triangles of A. */
typedef struct pair_count {
    const unsigned char *sampled;
    long pairs;
} pair_count;

static bool count_pair(void *user, cd_pair pair) {
    pair_count *c = (pair_count *)user;
    c->pairs += c->sampled[pair.a];
    return true;
}

static long compare_pairs(const mesh *m, const cd_bvh *tree, long *met) {
    unsigned char *sampled = (unsigned char *)calloc(m->triangles, 1);
    pair_count count = {sampled, 0};
    cd_aabb b = cd_bvh_bounds(tree);
    cd_transform pose = cd_transform_identity();
    long want = 0;
    pose.rotation = cd_quat_from_axis(cd_vec3_make(1, 2, 3), (cd_real)0.3, (cd_real)0.95);
    pose.position = cd_vec3_scale(cd_vec3_sub(b.max, b.min), (cd_real)0.1);
    for (int i = 0; i < SAMPLES; ++i) sampled[below(m->triangles)] = 1;
    for (uint32_t i = 0; i < m->triangles; ++i) {
        cd_triangle t = triangle_of(m, i);
        for (uint32_t j = 0; sampled[i] && j < m->triangles; ++j) {
            cd_triangle u = triangle_of(m, j);
            u = cd_triangle_transform(&u, &pose);
            want += cd_test_triangle_triangle(&t, &u);
        }
    }
    cd_bvh_traverse_pairs(tree, tree, &pose, NULL, count_pair, &count);
    free(sampled);
    *met = want;
    return want != count.pairs;
}

static bool check_mesh(const char *name, const mesh *m) {
    cd_mesh_view view = cd_mesh_view_make(m->v, m->vertices, m->t, m->triangles);
    bool closed = is_closed(m);
    int origins = 0;
    long missed = 0, wrong, met;
    cd_bvh tree;
    if (cd_bvh_build_mesh(&tree, &view, NULL) != CD_OK || cd_bvh_validate(&tree) != CD_OK) {
        printf("%-40s no sound tree\n", name);
        return false;
    }
    if (closed) missed = shoot_from_inside(m, &tree, &origins);
    wrong = compare_rays(m, &tree) + compare_points(m, &tree) + compare_pairs(m, &tree, &met);
    printf("%-40s %7u triangles, %s", name, m->triangles, closed ? "closed" : "open");
    if (closed)
        printf(", %d rays from %d places inside, %ld missed", origins * (rays / ORIGINS), origins, missed);
    printf(", %ld pairs, %ld differences from brute force\n", met, wrong);
    fflush(stdout);
    cd_bvh_destroy(&tree);
    return missed == 0 && wrong == 0;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv) {
    char *names[1000], path[2000];
    int count = 0, passed = 0, failed = 0;
    DIR *folder = argc > 1 ? opendir(argv[1]) : NULL;
    struct dirent *entry;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER [RAYS [part of a file name]]\n", argv[0]);
        return 2;
    }
    if (argc > 2) rays = atoi(argv[2]);
    while ((entry = readdir(folder)) != NULL && count < 1000) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".off")) continue;
        if (argc > 3 && !strstr(entry->d_name, argv[3])) continue;
        names[count] = (char *)malloc(length + 1);
        strcpy(names[count++], entry->d_name);
    }
    closedir(folder);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; ++i) {
        mesh m;
        snprintf(path, sizeof path, "%s/%s", argv[1], names[i]);
        if (read_off(path, &m)) ++*(check_mesh(names[i], &m) ? &passed : &failed);
        free(m.v);
        free(m.t);
        free(names[i]);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
