/* ccd: do a vertex and a face, or two edges, touch while their corners move? The time of a query, and how many answers are wrong,
 * against exact arithmetic on the same floats: contacts missed, and contacts where there is none.
 *
 * Beside it the plain solver of Provot 1997 and Bridson et al. 2002: the roots of the cubic in doubles by bisection and Newton's
 * method between its extrema, and at each root whether the foot of the vertex is in the face, the feet of the edges on both, but
 * for a thousandth of a thousandth. With and without the boxes of the motions compared first. */
#include "bench.h"
#include "naive.h"
#define COLLIDE_IMPLEMENTATION
#define COLLIDE_STATIC
#include "../tests/oracle.h"
#include "collide.h"
#include <math.h>
#include <string.h>

enum { COUNT = 1 << 13, JUDGED = 1 << 11 };

typedef struct query {
    cd_vec3 start[4], end[4];
} query;

typedef enum kind { ANYWHERE, APART, ABOVE, RESTING, MEETING, MISSING, KINDS } kind;

static query queries[COUNT];
static uint64_t state = 7;

/* ---- inputs ---- */

static double even(double lo, double hi) { /* splitmix64 */
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return lo + (hi - lo) * ((double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0);
}

static cd_vec3 place(double size) {
    cd_vec3 p;
    p.x = (cd_real)even(-size, size);
    p.y = (cd_real)even(-size, size);
    p.z = (cd_real)even(-size, size);
    return p;
}

static cd_vec3 between(const cd_vec3 *a, const cd_vec3 *b, double t) {
    return cd_vec3_add(cd_vec3_scale(*a, (cd_real)(1 - t)), cd_vec3_scale(*b, (cd_real)t));
}

/* A point of the second thing at t, perhaps on its border, and one of the first brought there, but for `off`. */
static void aim(query *q, int edges, double t, cd_vec3 off, int border) {
    double u = border ? 0 : even(0, 0.5), v = even(0, 0.5), w = edges && !border ? even(0.1, 0.9) : 0;
    cd_vec3 p[4], there, here, by;
    for (int i = 0; i < 4; ++i) {
        cd_vec3 at = between(&q->start[i], &q->end[i], t);
        p[i] = at;
    }
    there = edges ? between(&p[2], &p[3], u + v)
                  : cd_vec3_add(p[1], cd_vec3_scale(cd_vec3_sub(p[2], p[1]), (cd_real)u));
    if (!edges) there = cd_vec3_add(there, cd_vec3_scale(cd_vec3_sub(p[3], p[1]), (cd_real)v));
    here = edges ? between(&p[0], &p[1], w) : p[0];
    by = cd_vec3_add(cd_vec3_sub(there, here), off);
    for (int i = 0; i <= edges; ++i) {
        q->start[i] = cd_vec3_add(q->start[i], by);
        q->end[i] = cd_vec3_add(q->end[i], by);
    }
}

/* Anywhere in a cube; with small motions; near each other, with small motions; as cloth that lies on something does; touching
 * at a time, with small motions; at the border, a ten-thousandth off. */
static void make(kind what, int edges) {
    for (int i = 0; i < COUNT; ++i) {
        query *q = &queries[i];
        double move = what == ANYWHERE ? 1 : 0.1;
        for (int k = 0; k < 4; ++k) {
            cd_vec3 p = place(1), way = place(move);
            if (what == RESTING) p.z *= (cd_real)0.001;
            if (what == RESTING) way.z *= (cd_real)0.001;
            q->start[k] = p;
            q->end[k] = what == ANYWHERE ? place(1) : cd_vec3_add(p, way);
        }
        if (what == ABOVE) aim(q, edges, 0.5, place(0.3), 0);
        if (what == RESTING) aim(q, edges, 0.5, cd_vec3_make(0, 0, (cd_real)0.0008), 0);
        if (what == MEETING) aim(q, edges, even(0, 1), cd_vec3_make(0, 0, 0), 0);
        if (what == MISSING) aim(q, edges, even(0, 1), place(1e-4), 1);
    }
}

/* ---- the plain solver ---- */

static naive_v3 of(const cd_vec3 *start, const cd_vec3 *end, double t) {
    naive_v3 r;
    r.x = (1 - t) * (double)start->x + t * (double)end->x;
    r.y = (1 - t) * (double)start->y + t * (double)end->y;
    r.z = (1 - t) * (double)start->z + t * (double)end->z;
    return r;
}

/* The weights where the normal through the vertex meets the face, or those where the lines are nearest, within the range. */
static int foot_is_in(const query *q, int edges, double t) {
    const double slack = 1e-6;
    naive_v3 p[4], e, f, w;
    double ee, ff, ef, ew, fw, det, u, v;
    for (int i = 0; i < 4; ++i) {
        naive_v3 at = of(&q->start[i], &q->end[i], t);
        p[i] = at;
    }
    e = edges ? naive_sub(p[1], p[0]) : naive_sub(p[2], p[1]);
    f = edges ? naive_sub(p[2], p[3]) : naive_sub(p[3], p[1]);
    w = edges ? naive_sub(p[2], p[0]) : naive_sub(p[0], p[1]);
    ee = naive_dot(e, e);
    ff = naive_dot(f, f);
    ef = naive_dot(e, f);
    ew = naive_dot(e, w);
    fw = naive_dot(f, w);
    det = ee * ff - ef * ef;
    if (!(det > 0)) return 0;
    u = (ew * ff - fw * ef) / det;
    v = (fw * ee - ew * ef) / det;
    if (u < -slack || v < -slack) return 0;
    return edges ? u <= 1 + slack && v <= 1 + slack : u + v <= 1 + slack;
}

static double value(const double k[4], double t) {
    return k[0] + t * (k[1] + t * (k[2] + t * k[3]));
}

/* The root between two times with different signs. */
static double root(const double k[4], double lo, double hi) {
    double sign = value(k, lo) < 0 ? -1 : 1, t = 0.5 * (lo + hi);
    for (int i = 0; i < 60 && hi - lo > 1e-14; ++i) {
        double y = value(k, t), slope = k[1] + t * (2 * k[2] + 3 * t * k[3]), next;
        if (y * sign > 0)
            lo = t;
        else
            hi = t;
        next = slope != 0 ? t - y / slope : lo;
        next = next > lo && next < hi ? next : 0.5 * (lo + hi);
        if (fabs(next - t) < 1e-15) break;
        t = next;
    }
    return t;
}

static void cubic(const query *q, double k[4]) {
    naive_v3 a, b, c, da, db, dc, p0 = of(&q->start[0], &q->end[0], 0), p1 = of(&q->start[0], &q->end[0], 1),
                                  n;
    a = naive_sub(of(&q->start[1], &q->end[1], 0), p0);
    b = naive_sub(of(&q->start[2], &q->end[2], 0), p0);
    c = naive_sub(of(&q->start[3], &q->end[3], 0), p0);
    da = naive_sub(naive_sub(of(&q->start[1], &q->end[1], 1), p1), a);
    db = naive_sub(naive_sub(of(&q->start[2], &q->end[2], 1), p1), b);
    dc = naive_sub(naive_sub(of(&q->start[3], &q->end[3], 1), p1), c);
    n = naive_cross(b, c);
    k[0] = naive_dot(a, n);
    k[1] = naive_dot(da, n);
    n = naive_cross(db, c);
    k[1] += naive_dot(a, n);
    k[2] = naive_dot(da, n);
    n = naive_cross(b, dc);
    k[1] += naive_dot(a, n);
    k[2] += naive_dot(da, n);
    n = naive_cross(db, dc);
    k[2] += naive_dot(a, n);
    k[3] = naive_dot(da, n);
}

static int boxes_apart(const query *q, int edges) {
    for (int axis = 0; axis < 3; ++axis) {
        float lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 4; ++i) {
            int side = i > edges;
            const cd_vec3 *s = &q->start[i], *e = &q->end[i];
            float from = axis == 0   ? s->x
                         : axis == 1 ? s->y
                                     : s->z,
                  to = axis == 0   ? e->x
                       : axis == 1 ? e->y
                                   : e->z;
            float low = from < to ? from : to, high = from < to ? to : from;
            if (low < lo[side]) lo[side] = low;
            if (high > hi[side]) hi[side] = high;
        }
        if (lo[0] > hi[1] || lo[1] > hi[0]) return 1;
    }
    return 0;
}

static int plain(const query *q, int edges, double *t) {
    double k[4], at[4], det;
    int count = 0;
    cubic(q, k);
    at[count++] = 0;
    det = k[2] * k[2] - 3 * k[1] * k[3];
    if (det > 0) {
        double s = -(k[2] + (k[2] < 0 ? -sqrt(det) : sqrt(det))), x = s / (3 * k[3]), y = k[1] / s;
        if (x > y) {
            double z = x;
            x = y;
            y = z;
        }
        if (x > 0 && x < 1) at[count++] = x;
        if (y > 0 && y < 1) at[count++] = y;
    }
    at[count++] = 1;
    for (int i = 0; i + 1 < count; ++i) {
        if ((value(k, at[i]) < 0) == (value(k, at[i + 1]) < 0)) continue;
        *t = root(k, at[i], at[i + 1]);
        if (foot_is_in(q, edges, *t)) return 1;
    }
    return 0;
}

/* ---- runs ---- */

typedef int answer_fn(const query *q, int edges, double *t);

static int ours(const query *q, int edges, double *t) {
    cd_ccd_hit h;
    if (!(edges ? cd_ccd_edge_edge(q->start, q->end, NULL, &h)
                : cd_ccd_vertex_face(q->start, q->end, NULL, &h)))
        return 0;
    *t = (double)h.t;
    return 1;
}

static int plain_boxes(const query *q, int edges, double *t) {
    return !boxes_apart(q, edges) && plain(q, edges, t);
}

typedef struct task {
    const char *name;
    answer_fn *answer;
    int edges;
} task;

static bench_answer run(void *ctx) {
    const task *job = (const task *)ctx;
    bench_answer a = {0, 0, 0};
    for (int i = 0; i < COUNT; ++i) {
        double t;
        if (!job->answer(&queries[i], job->edges, &t)) continue;
        ++a.count;
        a.index_sum += (uint64_t)i;
    }
    return a;
}

static oracle_contact truth_of(const query *q, int edges) {
    double from[12], to[12];
    for (int i = 0; i < 4; ++i) {
        naive_v3 s = of(&q->start[i], &q->end[i], 0), e = of(&q->start[i], &q->end[i], 1);
        memcpy(from + 3 * i, &s, sizeof s);
        memcpy(to + 3 * i, &e, sizeof e);
    }
    return edges ? oracle_ccd_edge_edge(from, to) : oracle_ccd_vertex_face(from, to);
}

static void judge(const char *name, const task *tasks, int count, int edges) {
    static oracle_contact truth[JUDGED];
    char label[96];
    int hits = 0;
    for (int i = 0; i < JUDGED; ++i) {
        truth[i] = truth_of(&queries[i], edges);
        hits += truth[i].hit;
    }
    snprintf(label, sizeof label, "%s/touching of %d", name, JUDGED);
    bench_line("ccd", label, "exact", hits, "queries", "-");
    for (int k = 0; k < count; ++k) {
        int missed = 0, wrong = 0, late = 0;
        for (int i = 0; i < JUDGED; ++i) {
            double t = 0;
            int got = tasks[k].answer(&queries[i], edges, &t);
            missed += truth[i].hit && !got;
            wrong += !truth[i].hit && got;
            late += truth[i].hit && got && t > truth[i].t;
        }
        snprintf(label, sizeof label, "%s/missed", name);
        bench_line("ccd", label, tasks[k].name, missed, "wrong", "-");
        snprintf(label, sizeof label, "%s/false", name);
        bench_line("ccd", label, tasks[k].name, wrong, "wrong", "-");
        snprintf(label, sizeof label, "%s/late", name);
        bench_line("ccd", label, tasks[k].name, late, "wrong", "-");
    }
}

int main(void) {
    static const char *const names[KINDS] = {"anywhere", "small-motions", "near",
                                             "resting",  "touching",      "near-misses"};
    int judging = !getenv("BENCH_QUICK") || !*getenv("BENCH_QUICK");
    for (int k = 0; k < 2 * KINDS; ++k) {
        task tasks[3] = {
            {"ours", ours, 0}, {"plain-cubic", plain, 0}, {"boxes-and-plain-cubic", plain_boxes, 0}};
        bench_job jobs[3];
        char name[64];
        snprintf(name, sizeof name, "%s/%s", k & 1 ? "edge-edge" : "vertex-face", names[k / 2]);
        make((kind)(k / 2), k & 1);
        for (int i = 0; i < 3; ++i) {
            tasks[i].edges = k & 1;
            jobs[i].implementation = tasks[i].name;
            jobs[i].run = run;
            jobs[i].after = NULL;
            jobs[i].ctx = &tasks[i];
        }
        bench_measure("ccd", name, bench_ns, COUNT, jobs, 3);
        if (judging) judge(name, tasks, 3, k & 1);
    }
    return 0;
}
