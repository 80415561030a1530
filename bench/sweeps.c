/* sweeps: a ball, a capsule and boxes cast against the triangles of a blob that a tree would hand them, without a tree.
 *
 * The triangles of a cast are those whose bounding box the mover's bounding box comes to before the first hit: no tree over such
 * boxes can look at fewer, so the time of a cast here is what is left for the triangles when a cast against the whole mesh is
 * to take so long. "tree" is that whole cast, through our tree over the mesh. What is wrong is judged in long double: by bisection between the start and the nearest approach, and for
 * boxes by the times at which the intervals on all separating axes meet. */
#include "sweeps.h"

enum { CASTS = 256, BLOB = 76, JUDGED = 4096 };

static const bench_sweep *const tables[] = {bench_sweeps_ours_o2,
#ifdef BENCH_NATIVE
                                            bench_sweeps_ours_native, bench_sweeps_ours_double,
#endif
#ifdef BENCH_BULLET
                                            bench_sweeps_bullet,
#endif
                                            NULL};

static const char *const names[] = {"sphere", "capsule", "aabb", "obb", "hull"};

/* ---- which triangles ---- */

typedef struct entry {
    float enter;
    int triangle;
} entry;

static void make_start(bench_mover mover, const pg_cast *cast, bench_start *out) {
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double q[4];
    for (int k = 0; k < 4; ++k) q[k] = mover == BENCH_AABB ? k == 3 : (double)cast->q[k];
    for (int i = 0; i < 3; ++i) {
        double axis[3];
        pg_qrot(q, unit[i], axis);
        pg_round(axis, 3, out->axes[i]);
    }
    for (int k = 0; k < 3; ++k) {
        out->center[k] = cast->o[k];
        out->motion[k] = cast->d[k];
        out->ends[0][k] = cast->o[k] - out->axes[2][k] * bench_capsule_half;
        out->ends[1][k] = cast->o[k] + out->axes[2][k] * bench_capsule_half;
        out->low[k] = cast->o[k] - bench_box_half[k];
        out->high[k] = cast->o[k] + bench_box_half[k];
    }
}

/* Hulls in ellipsoids with half axes from 0.1 to 0.2. */
static void make_hull_starts(bench_start *starts) {
    pg_hull hulls[PG_HULLS];
    pg_hulls(BENCH_HULL_POINTS, 100 + BENCH_HULL_POINTS, hulls);
    for (int i = 0; i < CASTS; ++i) {
        for (int j = 0; j < BENCH_HULL_POINTS; ++j) {
            for (int k = 0; k < 3; ++k) {
                double x = (double)starts[i].center[k];
                for (int a = 0; a < 3; ++a)
                    x += 0.2 * (double)starts[i].axes[a][k] * (double)hulls[i % PG_HULLS].points[j][a];
                starts[i].points[j][k] = (float)x;
            }
        }
    }
    pg_hulls_free(hulls);
}

/* Half the widths of its bounding box. */
static void reach_of(bench_mover mover, const bench_start *start, double reach[3]) {
    for (int k = 0; k < 3; ++k) {
        reach[k] = mover <= BENCH_CAPSULE ? (double)bench_radius : 0;
        if (mover == BENCH_CAPSULE) reach[k] += fabs((double)start->axes[2][k]) * (double)bench_capsule_half;
        for (int i = 0; i < 3 && mover > BENCH_CAPSULE; ++i)
            reach[k] += fabs((double)start->axes[i][k]) * (double)bench_box_half[i];
    }
}

/* Where the box comes to that of the triangle, 2 for never. */
static double enter_triangle(const bench_start *start, const double reach[3], const float *v) {
    double in = 0, out = 1;
    for (int k = 0; k < 3; ++k) {
        double o = (double)start->center[k], d = (double)start->motion[k];
        double low = fmin(fmin((double)v[k], (double)v[3 + k]), (double)v[6 + k]) - reach[k] - o;
        double high = fmax(fmax((double)v[k], (double)v[3 + k]), (double)v[6 + k]) + reach[k] - o;
        if (d < 0) {
            in = fmax(in, high / d);
            out = fmin(out, low / d);
        } else if (d > 0) {
            in = fmax(in, low / d);
            out = fmin(out, high / d);
        } else if (low > 0 || high < 0) {
            return 2;
        }
    }
    return in <= out ? in : 2;
}

static int compare_entries(const void *a, const void *b) {
    const entry *x = (const entry *)a, *y = (const entry *)b;
    if (x->enter < y->enter || x->enter > y->enter) return x->enter < y->enter ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static int entries_of(bench_mover mover, const bench_start *start, const pg_mesh *mesh,
                      const float (*faces)[9], entry *out) {
    int count = 0;
    double reach[3];
    reach_of(mover, start, reach);
    for (int j = 0; j < mesh->triangle_count; ++j) {
        double enter = enter_triangle(start, reach, faces[j]);
        if (enter > 1) continue;
        out[count].enter = (float)(enter * (1 - 1e-6)); /* not after a hit that is rounded down */
        out[count++].triangle = j;
    }
    qsort(out, (size_t)count, sizeof *out, compare_entries);
    return count;
}

static const bench_sweep *find_single(const bench_sweep *table, bench_mover mover) {
    while (table->mover != mover || !table->single) ++table;
    return table;
}

/* The first hit of one cast among so many triangles. */
static double first_hit(bench_mover mover, const bench_start *start, float (*triangle)[9], const float *enter,
                        int count) {
    const bench_sweep *ours = find_single(bench_sweeps_ours_o2, mover);
    int first[2] = {0, count};
    bench_course one = {mover, 1, start, first, triangle, enter, 0, NULL};
    void *p = ours->prepare(&one);
    bench_answer a = ours->run(p, NULL);
    ours->free(p);
    return a.count ? a.distance_sum : 2;
}

/* With the whole mesh only. */
static bench_course make_hull_course(const bench_start *starts, const pg_mesh *mesh,
                                     const float (*faces)[9]) {
    int *first = (int *)pg_alloc((CASTS + 1) * sizeof *first);
    bench_course course = {BENCH_HULL, CASTS, starts, first, NULL, NULL, mesh->triangle_count, faces};
    memset(first, 0, (CASTS + 1) * sizeof *first);
    return course;
}

static bench_course make_course(bench_mover mover, const bench_start *starts, const pg_mesh *mesh,
                                const float (*faces)[9]) {
    size_t most = (size_t)CASTS * (size_t)mesh->triangle_count / 8;
    entry *entries = (entry *)pg_alloc((size_t)mesh->triangle_count * sizeof *entries);
    float(*triangle)[9] = (float(*)[9])pg_alloc(most * sizeof *triangle);
    float *enter = (float *)pg_alloc(most * sizeof *enter);
    int *first = (int *)pg_alloc((CASTS + 1) * sizeof *first);
    bench_course course = {mover, CASTS, starts, first, triangle, enter, mesh->triangle_count, faces};
    first[0] = 0;
    for (int i = 0; i < CASTS; ++i) {
        int count = entries_of(mover, &starts[i], mesh, faces, entries), from = first[i], end = from;
        double t;
        if ((size_t)(from + count) > most) exit(1);
        for (int j = 0; j < count; ++j) {
            memcpy(triangle[from + j], faces[entries[j].triangle], sizeof *triangle);
            enter[from + j] = entries[j].enter;
        }
        t = first_hit(mover, &starts[i], triangle + from, enter + from, count);
        while (end < from + count && (double)enter[end] <= t) ++end;
        first[i + 1] = end;
    }
    free(entries);
    return course;
}

static void free_course(bench_course *course) {
    free((void *)course->first);
    free(course->triangle);
    free((void *)course->enter);
}

/* ---- the truth, in long double ---- */

typedef long double real;

static real dot(const real *a, const real *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void sub(const real *a, const real *b, real *out) {
    for (int k = 0; k < 3; ++k) out[k] = a[k] - b[k];
}
static void cross(const real *a, const real *b, real *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
static real least(real a, real b) {
    return a < b ? a : b;
}
static real clamp(real a) {
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

/* Of the points a + s u and b + t v. */
static real apart(const real *a, const real *u, real s, const real *b, const real *v, real t) {
    real w[3];
    for (int k = 0; k < 3; ++k) w[k] = a[k] + s * u[k] - b[k] - t * v[k];
    return sqrtl(dot(w, w));
}

static real point_segment(const real *p, const real *a, const real *b) {
    static const real none[3] = {0, 0, 0};
    real u[3], w[3];
    sub(b, a, u);
    sub(p, a, w);
    return apart(a, u, dot(u, u) > 0 ? clamp(dot(w, u) / dot(u, u)) : 0, p, none, 0);
}

static real segment_segment(const real *a, const real *b, const real *c, const real *d) {
    real u[3], v[3], w[3], uu, uv, vv, det;
    real found = least(least(point_segment(a, c, d), point_segment(b, c, d)),
                       least(point_segment(c, a, b), point_segment(d, a, b)));
    sub(b, a, u);
    sub(d, c, v);
    sub(c, a, w);
    uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    if (det > 0) {
        real s = (dot(w, u) * vv - dot(w, v) * uv) / det, t = (dot(w, u) * uv - dot(w, v) * uu) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) found = least(found, apart(a, u, s, c, v, t));
    }
    return found;
}

static real point_plane(const real *p, real v[3][3]) {
    real n[3], u[3], w[3], side[3], x[3], height;
    sub(v[1], v[0], u);
    sub(v[2], v[0], w);
    cross(u, w, n);
    for (int i = 0; i < 3; ++i) {
        sub(v[(i + 1) % 3], v[i], u);
        sub(p, v[i], w);
        cross(u, w, x);
        side[i] = dot(x, n);
    }
    height = dot(w, n) / sqrtl(dot(n, n));
    return side[0] >= 0 && side[1] >= 0 && side[2] >= 0 ? fabsl(height) : 1000;
}

/* A case to judge: the core of a ball or capsule, from a to b, or a box about `center`. */
typedef struct truth {
    bench_mover mover;
    real a[3], b[3], center[3], axes[3][3], half[3], motion[3], v[3][3];
} truth;

/* Of the core at t and the triangle. Where the core crosses the triangle it is not 0, but less than the triangle's size, and so
 * less than the radius. */
static real core_distance(const truth *c, real t) {
    real a[3], b[3], found;
    truth m = *c;
    for (int k = 0; k < 3; ++k) {
        a[k] = c->a[k] + t * c->motion[k];
        b[k] = c->b[k] + t * c->motion[k];
    }
    found = least(point_plane(a, m.v), point_plane(b, m.v));
    for (int i = 0; i < 3; ++i) found = least(found, segment_segment(a, b, m.v[i], m.v[(i + 1) % 3]));
    return found;
}

/* The distance is convex in t. */
static real true_round(const truth *c) {
    real low = 0, high = 1, radius = bench_radius;
    if (core_distance(c, 0) <= radius) return 0;
    for (int i = 0; i < 150 && core_distance(c, high) > radius; ++i) {
        real s = low + (high - low) / 3, t = high - (high - low) / 3, at_s = core_distance(c, s);
        if (at_s <= radius) {
            high = s;
        } else if (at_s < core_distance(c, t)) {
            high = t;
        } else {
            low = s;
        }
    }
    if (core_distance(c, high) > radius) return 2;
    for (low = 0; high - low > 1e-19L;) {
        real middle = (low + high) / 2;
        if (middle <= low || middle >= high) break;
        if (core_distance(c, middle) <= radius) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/* When do the intervals on this axis meet? */
static void meet_on_axis(const truth *c, const real axis[3], real *in, real *out) {
    real reach = 0, speed = dot(c->motion, axis), low = 1e9L, high = -1e9L, s, t;
    for (int i = 0; i < 3; ++i) {
        real w[3];
        sub(c->v[i], c->center, w);
        reach += fabsl(dot(c->axes[i], axis)) * c->half[i];
        low = least(low, dot(w, axis));
        high = -least(-high, -dot(w, axis));
    }
    low -= reach;
    high += reach;
    if (speed == 0) {
        if (low > 0 || high < 0) *in = 2;
        return;
    }
    s = (speed > 0 ? low : high) / speed, t = (speed > 0 ? high : low) / speed;
    if (s > *in) *in = s;
    if (t < *out) *out = t;
}

static real true_box(const truth *c) {
    real in = 0, out = 1, edges[3][3], axis[3];
    for (int i = 0; i < 3; ++i) {
        sub(c->v[(i + 1) % 3], c->v[i], edges[i]);
        cross(c->axes[i], c->axes[(i + 1) % 3], axis); /* they are not quite at right angles */
        meet_on_axis(c, axis, &in, &out);
    }
    cross(edges[0], edges[1], axis);
    meet_on_axis(c, axis, &in, &out);
    for (int i = 0; i < 9; ++i) {
        cross(c->axes[i / 3], edges[i % 3], axis);
        meet_on_axis(c, axis, &in, &out);
    }
    return in <= out ? in : 2;
}

static real true_time(const bench_course *course, int cast, int triangle) {
    truth c;
    const bench_start *from = &course->start[cast];
    c.mover = course->mover;
    for (int k = 0; k < 3; ++k) {
        int turned = c.mover == BENCH_OBB, ball = c.mover == BENCH_BALL;
        c.center[k] = turned || ball ? (real)from->center[k] : ((real)from->low[k] + from->high[k]) / 2;
        c.half[k] = turned ? (real)bench_box_half[k] : ((real)from->high[k] - from->low[k]) / 2;
        c.a[k] = ball ? from->center[k] : from->ends[0][k];
        c.b[k] = ball ? from->center[k] : from->ends[1][k];
        c.motion[k] = from->motion[k];
        for (int i = 0; i < 3; ++i) {
            c.axes[i][k] = from->axes[i][k];
            c.v[i][k] = course->triangle[triangle][3 * i + k];
        }
    }
    return c.mover <= BENCH_CAPSULE ? true_round(&c) : true_box(&c);
}

/* ---- how right ---- */

typedef struct verdict {
    int missed, invented;
    double early, late; /* lengths: the most that a hit was too soon, and too late */
} verdict;

static void line(const char *name, const char *what, const bench_sweep *test, double value,
                 const char *unit) {
    char label[96];
    snprintf(label, sizeof label, "%s/%s", name, what);
    bench_line("sweeps", label, test->name, value, unit, "-");
}

static void judge(const bench_course *course, const bench_sweep *test, const real *right, int every) {
    int count = course->first[course->casts], cast = 0;
    double *t = (double *)pg_alloc((size_t)count * sizeof *t);
    void *p = test->prepare(course);
    verdict v = {0, 0, 0, 0};
    test->run(p, t);
    for (int j = 0; j < count; j += every) {
        real truth = right[j / every], off = ((real)t[j] - truth) * 3;
        while (course->first[cast + 1] <= j) ++cast;
        v.missed += truth <= 1 && t[j] > 1;
        v.invented += truth > 1 && t[j] <= 1;
        if (truth > 1 || t[j] > 1) continue;
        v.late = fmax(v.late, (double)off);
        v.early = fmax(v.early, (double)-off);
    }
    line(names[course->mover], "missed", test, v.missed, "wrong");
    line(names[course->mover], "false", test, v.invented, "wrong");
    line(names[course->mover], "late", test, v.late, "length");
    line(names[course->mover], "early", test, v.early, "length");
    test->free(p);
    free(t);
}

static void judge_all(const bench_course *course) {
    int count = course->first[course->casts], every = count / JUDGED + 1, cast = 0;
    real *right = (real *)pg_alloc((size_t)(count / every + 1) * sizeof *right);
    for (int j = 0; j < count; j += every) {
        while (course->first[cast + 1] <= j) ++cast;
        right[j / every] = true_time(course, cast, j);
    }
    for (const bench_sweep *const *table = tables; *table; ++table) {
        for (const bench_sweep *s = *table; s->name; ++s) {
            if (s->single && s->mover == course->mover) judge(course, s, right, every);
        }
    }
    free(right);
}

/* ---- how fast ---- */

typedef struct task {
    const bench_sweep *test;
    void *prepared;
} task;

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    return t->test->run(t->prepared, NULL);
}

static void measure(const bench_course *course, int single) {
    task tasks[BENCH_JOBS];
    bench_job jobs[BENCH_JOBS];
    char name[64];
    int count = 0, items = course->first[course->casts];
    for (const bench_sweep *const *table = tables; *table; ++table) {
        for (const bench_sweep *s = *table; s->name; ++s) {
            if (s->single != single || s->mover != course->mover || count == BENCH_JOBS) continue;
            tasks[count].test = s;
            tasks[count].prepared = s->prepare(course);
            jobs[count].implementation = s->name;
            jobs[count].run = run_task;
            jobs[count].after = NULL;
            jobs[count].ctx = &tasks[count];
            ++count;
        }
    }
    snprintf(name, sizeof name, "%s/%s", names[course->mover], single ? "triangle" : "cast");
    bench_measure("sweeps", name, single ? bench_ns : bench_us, single ? items : course->casts, jobs, count);
    for (int i = 0; i < count; ++i) tasks[i].test->free(tasks[i].prepared);
}

int main(void) {
    static pg_cast casts[CASTS];
    static bench_start starts[CASTS];
    pg_mesh mesh = pg_blob(BLOB);
    float(*faces)[9] = (float(*)[9])pg_alloc((size_t)mesh.triangle_count * sizeof *faces);
    for (int i = 0; i < 3 * mesh.triangle_count; ++i)
        memcpy(faces[i / 3] + 3 * (i % 3), mesh.vertices[mesh.triangles[i / 3][i % 3]], 3 * sizeof(float));
    pg_casts(CASTS, 600, casts);
    for (int m = 0; m < BENCH_MOVERS; ++m) {
        bench_course course;
        char label[64];
        for (int i = 0; i < CASTS; ++i) make_start((bench_mover)m, &casts[i], &starts[i]);
        if (m == BENCH_HULL) {
            make_hull_starts(starts);
            course = make_hull_course(starts, &mesh, (const float(*)[9])faces);
            measure(&course, 0);
            free_course(&course);
            continue;
        }
        course = make_course((bench_mover)m, starts, &mesh, (const float(*)[9])faces);
        snprintf(label, sizeof label, "%s/triangles of a cast", names[m]);
        bench_line("sweeps", label, "all", (double)course.first[CASTS] / CASTS, "triangles", "-");
        measure(&course, 1);
        measure(&course, 0);
        if (!getenv("BENCH_QUICK") || !*getenv("BENCH_QUICK")) judge_all(&course);
        free_course(&course);
    }
    free(faces);
    pg_mesh_free(&mesh);
    return 0;
}
