/* peer_ccd_convex: libccd's GJK (yes or no), its EPA, and its MPR for the depth. Its EPA need not end: it is given a bound. */
#include "convex.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>

typedef struct ccd_body {
    const pg_hull *hull;
    ccd_vec3_t at;
    ccd_quat_t turn, back;
} ccd_body;

static void farthest(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *out) {
    const ccd_body *b = (const ccd_body *)object;
    double best = -1e300, d[3];
    int at = 0;
    ccd_vec3_t local = *dir;
    ccdQuatRotVec(&local, &b->back);
    for (int k = 0; k < 3; ++k) d[k] = (double)local.v[k];
    for (int i = 0; i < b->hull->count; ++i) {
        const float *p = b->hull->points[i];
        double along = (double)p[0] * d[0] + (double)p[1] * d[1] + (double)p[2] * d[2];
        if (along > best) best = along, at = i;
    }
    ccdVec3Set(out, (ccd_real_t)b->hull->points[at][0], (ccd_real_t)b->hull->points[at][1],
               (ccd_real_t)b->hull->points[at][2]);
    ccdQuatRotVec(out, &b->turn);
    ccdVec3Add(out, &b->at);
}

static void middle(const void *object, ccd_vec3_t *out) {
    *out = ((const ccd_body *)object)->at; /* the hulls of the bench hold their origins */
}

static void *ccd_prepare(const pg_hull *hulls, int most) {
    ccd_t *c = (ccd_t *)pg_alloc(sizeof *c + PG_HULLS * sizeof(pg_hull));
    pg_hull *own = (pg_hull *)(void *)(c + 1);
    (void)most;
    CCD_INIT(c);
    c->support1 = c->support2 = farthest;
    c->center1 = c->center2 = middle;
    c->max_iterations = 200;
    c->epa_tolerance = (ccd_real_t)1e-6;
    for (int i = 0; i < PG_HULLS; ++i) own[i] = hulls[i];
    return c;
}

static void body_make(ccd_body *b, const pg_hull *hull, const float q[4], const float p[3]) {
    b->hull = hull;
    ccdVec3Set(&b->at, (ccd_real_t)p[0], (ccd_real_t)p[1], (ccd_real_t)p[2]);
    ccdQuatSet(&b->turn, (ccd_real_t)q[0], (ccd_real_t)q[1], (ccd_real_t)q[2], (ccd_real_t)q[3]);
    ccdQuatInvert2(&b->back, &b->turn);
}

static void bodies_make(const ccd_t *c, const pg_pair *p, ccd_body *a, ccd_body *b) {
    const pg_hull *own = (const pg_hull *)(const void *)(c + 1);
    body_make(a, &own[p->a], p->qa, p->pa);
    body_make(b, &own[p->b], p->qb, p->pb);
}

static bench_answer ccd_meet(void *prepared, const pg_pair *pairs, int count) {
    const ccd_t *c = (const ccd_t *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        ccd_body a, b;
        bodies_make(c, &pairs[i], &a, &b);
        answer.count += ccdGJKIntersect(&a, &b, c) != 0;
    }
    return answer;
}

typedef int ccd_way(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

static bench_answer ccd_deep(void *prepared, const pg_pair *pairs, int count, bench_parted *out,
                             ccd_way *way) {
    const ccd_t *c = (const ccd_t *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        ccd_body a, b;
        ccd_real_t depth = 0;
        ccd_vec3_t dir = {{0, 0, 0}}, at;
        bodies_make(c, &pairs[i], &a, &b);
        if (way(&a, &b, c, &depth, &dir, &at) != 0) depth = 0;
        bench_part(&answer, out, i, -(double)depth, (double)dir.v[0], (double)dir.v[1], (double)dir.v[2]);
    }
    return answer;
}

static bench_answer ccd_epa(void *prepared, const pg_pair *pairs, int count, bench_parted *out) {
    return ccd_deep(prepared, pairs, count, out, ccdGJKPenetration);
}

static bench_answer ccd_mpr(void *prepared, const pg_pair *pairs, int count, bench_parted *out) {
    return ccd_deep(prepared, pairs, count, out, ccdMPRPenetration);
}

const bench_convex bench_convex_ccd = {"libccd", ccd_prepare, free, NULL, ccd_meet, ccd_epa, NULL};
const bench_convex bench_convex_ccd_mpr = {"libccd-mpr", ccd_prepare, free, NULL, NULL, ccd_mpr, NULL};
