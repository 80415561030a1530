/* convex_ours: this library. Compiled once for each set of compiler flags that is measured, each with a copy of the library of
 * its own: BENCH_NAME is what the lines call it, BENCH_CONVEX names the table. The poses are those in the world: that of B in
 * the frame of A is made in each query. */
#include "convex.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <string.h>

typedef struct ours_hulls {
    cd_hull hull[PG_HULLS];
    cd_support body[PG_HULLS];
    cd_cache *cache;
} ours_hulls;

static void *ours_prepare(const pg_hull *hulls, int most) {
    ours_hulls *o = (ours_hulls *)pg_alloc(sizeof *o);
    for (int i = 0; i < PG_HULLS; ++i) {
        size_t n = (size_t)hulls[i].count;
        cd_vec3 *p = (cd_vec3 *)pg_alloc(n * sizeof *p);
        for (size_t k = 0; k < n; ++k)
            p[k] = cd_vec3_make((cd_real)hulls[i].points[k][0], (cd_real)hulls[i].points[k][1],
                                (cd_real)hulls[i].points[k][2]);
        if (cd_hull3_build(&o->hull[i], p, n, NULL) != CD_OK) exit(1);
        o->body[i] = cd_support_of_hull(&o->hull[i]);
        free(p);
    }
    o->cache = (cd_cache *)pg_alloc((size_t)most * sizeof *o->cache);
    memset(o->cache, 0, (size_t)most * sizeof *o->cache);
    return o;
}

static void ours_release(void *prepared) {
    ours_hulls *o = (ours_hulls *)prepared;
    for (int i = 0; i < PG_HULLS; ++i) cd_hull_destroy(&o->hull[i]);
    free(o->cache);
    free(o);
}

static cd_transform ours_pose(const float q[4], const float p[3]) {
    cd_transform t;
    t.rotation.x = (cd_real)q[0], t.rotation.y = (cd_real)q[1];
    t.rotation.z = (cd_real)q[2], t.rotation.w = (cd_real)q[3];
    t.position = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    return t;
}

static cd_transform ours_relative(const pg_pair *p) {
    cd_transform a = ours_pose(p->qa, p->pa), b = ours_pose(p->qb, p->pb);
    return cd_transform_relative(&a, &b);
}

static void ours_add(bench_answer *answer, bench_parted *out, int i, const pg_pair *p,
                     const cd_separation *s) {
    cd_vec3 n = s->normal;
    if (out) {
        cd_transform a = ours_pose(p->qa, p->pa);
        n = cd_transform_vector(&a, n);
    }
    bench_part(answer, out, i, (double)s->distance, (double)n.x, (double)n.y, (double)n.z);
}

static bench_answer ours_distance(void *prepared, const pg_pair *pairs, int count, bench_parted *out) {
    const ours_hulls *o = (const ours_hulls *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_transform pose = ours_relative(&pairs[i]);
        cd_separation s = cd_gjk_distance(&o->body[pairs[i].a], &o->body[pairs[i].b], &pose, NULL, NULL);
        ours_add(&answer, out, i, &pairs[i], &s);
    }
    return answer;
}

static bench_answer ours_meet(void *prepared, const pg_pair *pairs, int count) {
    const ours_hulls *o = (const ours_hulls *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_transform pose = ours_relative(&pairs[i]);
        answer.count += cd_gjk_test(&o->body[pairs[i].a], &o->body[pairs[i].b], &pose, NULL);
    }
    return answer;
}

static bench_answer ours_depth(void *prepared, const pg_pair *pairs, int count, bench_parted *out) {
    const ours_hulls *o = (const ours_hulls *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_transform pose = ours_relative(&pairs[i]);
        cd_separation s = cd_convex_distance(&o->body[pairs[i].a], &o->body[pairs[i].b], &pose, NULL, NULL);
        ours_add(&answer, out, i, &pairs[i], &s);
    }
    return answer;
}

static bench_answer ours_coherent(void *prepared, const pg_pair *pairs, int count) {
    const ours_hulls *o = (const ours_hulls *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_transform pose = ours_relative(&pairs[i]);
        cd_separation s =
            cd_convex_distance(&o->body[pairs[i].a], &o->body[pairs[i].b], &pose, NULL, &o->cache[i]);
        ours_add(&answer, NULL, i, &pairs[i], &s);
    }
    return answer;
}

const bench_convex BENCH_CONVEX = {BENCH_NAME, ours_prepare, ours_release, ours_distance,
                                   ours_meet,  ours_depth,   ours_coherent};
