/* kdop_ours: this library. Compiled once for each set of compiler flags that is measured, each with a copy of the library of
 * its own: BENCH_NAME is what the lines call it, BENCH_KDOP names the table; BENCH_TUMBLE and BENCH_ROUGH those of what is
 * measured once. */
#include "kdop.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

static cd_vec3 *ours_points(const float (*from)[3], int count) {
    cd_vec3 *p = (cd_vec3 *)pg_alloc((size_t)count * sizeof *p);
    for (int i = 0; i < count; ++i)
        p[i] = cd_vec3_make((cd_real)from[i][0], (cd_real)from[i][1], (cd_real)from[i][2]);
    return p;
}

/* Spread over the sphere where the cube has no such set. */
static cd_kdop_set ours_set(int k) {
    cd_kdop_set set = cd_kdop_set_standard((uint32_t)k);
    return set.count ? set : cd_kdop_set_spread((uint32_t)k / 2);
}

typedef struct ours_dops {
    cd_kdop_set set;
    cd_vec3 *points;
    int count, kept;
    cd_kdop *dops;
} ours_dops;

static void *ours_make(const float (*from)[3], int count, int k) {
    ours_dops *d = (ours_dops *)pg_alloc(sizeof *d);
    d->set = ours_set(k);
    d->points = ours_points(from, count);
    d->count = count;
    d->kept = 0;
    d->dops = (cd_kdop *)pg_alloc((size_t)count * sizeof *d->dops);
    return d;
}

static void ours_free(void *dops) {
    ours_dops *d = (ours_dops *)dops;
    free(d->points);
    free(d->dops);
    free(d);
}

static bench_answer ours_build(void *dops, int each) {
    ours_dops *d = (ours_dops *)dops;
    bench_answer a = {0, 0, 0.0};
    d->kept = 0;
    for (int i = 0; i + each <= d->count; i += each) {
        cd_kdop *dop = &d->dops[d->kept++];
        a.count += cd_kdop_from_points(d->points + i, (size_t)each, &d->set, dop) == CD_OK;
    }
    return a;
}

static bench_answer ours_overlap(void *dops) {
    const ours_dops *d = (const ours_dops *)dops;
    bench_answer a = {0, 0, 0.0};
    int n = d->kept < 1000 ? d->kept : 1000;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) a.count += cd_test_kdop_kdop(&d->dops[i], &d->dops[j]);
    }
    return a;
}

const bench_kdop BENCH_KDOP = {BENCH_NAME, ours_make, ours_free, ours_build, ours_overlap};

#ifdef BENCH_TUMBLE

typedef struct ours_body {
    cd_hull hull;
    cd_kdop_climber climber;
    cd_kdop dop;
    cd_vec3 corners[CD_KDOP_VERTICES];
    uint32_t corner_count;
} ours_body;

static void *ours_tumbler(const float (*from)[3], int count, int k) {
    ours_body *b = (ours_body *)pg_alloc(sizeof *b);
    cd_vec3 *points = ours_points(from, count);
    cd_kdop_set set = ours_set(k);
    if (cd_hull3_build(&b->hull, points, (size_t)count, NULL) != CD_OK ||
        cd_kdop_climber_make(&b->hull, &set, &b->climber) != CD_OK ||
        cd_kdop_from_points(points, (size_t)count, &set, &b->dop) != CD_OK) {
        fprintf(stderr, "bench: no body\n");
        exit(1);
    }
    b->corner_count = cd_kdop_vertices(&b->dop, &set, b->corners);
    free(points);
    return b;
}

static void ours_tumbler_free(void *body) {
    ours_body *b = (ours_body *)body;
    cd_hull_destroy(&b->hull);
    free(b);
}

static double ours_tightness(void *body) {
    ours_body *b = (ours_body *)body;
    return (double)cd_kdop_volume(&b->dop, &b->climber.set) / cd_mass_from_hull(&b->hull).mass;
}

/* Pose i of a hundred: turned by about two degrees more each time. */
static cd_transform ours_pose(int i) {
    cd_transform t = cd_transform_identity();
    t.rotation = cd_quat_from_axis_angle(cd_vec3_make(1, 2, (cd_real)(3 + 0.01 * i)), (cd_real)(0.035 * i));
    t.position = cd_vec3_make((cd_real)(0.01 * i), 0, 1);
    return t;
}

static void ours_add(bench_answer *a, const cd_kdop *dop) {
    ++a->count;
    for (uint32_t k = 0; k < dop->count; ++k) a->distance_sum += (double)dop->max[k] - (double)dop->min[k];
}

static bench_answer ours_climb_with(ours_body *b, uint32_t climbs) {
    bench_answer a = {0, 0, 0.0};
    cd_kdop dop;
    b->climber.climbs = climbs;
    for (int i = 0; i < 100; ++i) {
        cd_transform t = ours_pose(i);
        if (cd_kdop_climb(&b->climber, &t, &dop) == CD_OK) ours_add(&a, &dop);
    }
    return a;
}

static bench_answer ours_climb(void *body) {
    return ours_climb_with((ours_body *)body, 1);
}

static bench_answer ours_full(void *body) {
    return ours_climb_with((ours_body *)body, 0);
}

static bench_answer ours_stored(void *body) {
    const ours_body *b = (const ours_body *)body;
    bench_answer a = {0, 0, 0.0};
    cd_kdop dop;
    for (int i = 0; i < 100; ++i) {
        cd_transform t = ours_pose(i);
        if (cd_kdop_tumble(b->corners, b->corner_count, &b->climber.set, &t, &dop) == CD_OK)
            ours_add(&a, &dop);
    }
    return a;
}

static bench_answer ours_programs(void *body) {
    const ours_body *b = (const ours_body *)body;
    bench_answer a = {0, 0, 0.0};
    cd_kdop dop;
    for (int i = 0; i < 100; ++i) {
        cd_transform t = ours_pose(i);
        if (cd_kdop_transform(&b->dop, &b->climber.set, &t, &dop) == CD_OK) ours_add(&a, &dop);
    }
    return a;
}

static bench_answer ours_triples(void *body) {
    const ours_body *b = (const ours_body *)body;
    bench_answer a = {0, 0, 0.0};
    cd_vec3 v[CD_KDOP_VERTICES];
    for (int i = 0; i < 10; ++i) a.count += cd_kdop_vertices(&b->dop, &b->climber.set, v);
    return a;
}

static bench_answer ours_dual(void *body) {
    const ours_body *b = (const ours_body *)body;
    bench_answer a = {0, 0, 0.0};
    cd_vec3 v[CD_KDOP_VERTICES];
    uint32_t n;
    for (int i = 0; i < 10; ++i) {
        if (cd_kdop_vertices_dual(&b->dop, &b->climber.set, NULL, v, &n) == CD_OK) a.count += n;
    }
    return a;
}

const bench_tumble BENCH_TUMBLE = {
    ours_tumbler,
    ours_tumbler_free,
    ours_tightness,
    {ours_climb, ours_full, ours_stored, ours_programs, ours_triples, ours_dual}};

#endif

#ifdef BENCH_ROUGH

static void *ours_rough(const pg_hull *hulls) {
    cd_hull_approx *a = (cd_hull_approx *)pg_alloc(PG_HULLS * sizeof *a);
    for (int i = 0; i < PG_HULLS; ++i) {
        cd_vec3 *p = ours_points((const float(*)[3])hulls[i].points, hulls[i].count);
        cd_hull hull;
        if (cd_hull3_build(&hull, p, (size_t)hulls[i].count, NULL) != CD_OK ||
            cd_hull_approx_make(&a[i], &hull, NULL, 0, NULL) != CD_OK) {
            fprintf(stderr, "bench: no hull\n");
            exit(1);
        }
        cd_hull_destroy(&hull);
        free(p);
    }
    return a;
}

static void ours_rough_free(void *hulls) {
    cd_hull_approx *a = (cd_hull_approx *)hulls;
    for (int i = 0; i < PG_HULLS; ++i) cd_hull_approx_destroy(&a[i]);
    free(a);
}

static cd_transform ours_transform(const float q[4], const float p[3]) {
    cd_transform t;
    t.rotation.x = (cd_real)q[0], t.rotation.y = (cd_real)q[1], t.rotation.z = (cd_real)q[2];
    t.rotation.w = (cd_real)q[3];
    t.position = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    return t;
}

static bench_answer ours_rough_test(const void *hulls, const pg_pair *pairs, int count) {
    const cd_hull_approx *h = (const cd_hull_approx *)hulls;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_transform from = ours_transform(pairs[i].qa, pairs[i].pa),
                     to = ours_transform(pairs[i].qb, pairs[i].pb);
        cd_transform pose = cd_transform_relative(&from, &to);
        a.count += cd_test_hull_hull_approx(&h[pairs[i].a], &h[pairs[i].b], &pose);
    }
    return a;
}

const bench_rough BENCH_ROUGH = {ours_rough, ours_rough_free, ours_rough_test};

#endif
