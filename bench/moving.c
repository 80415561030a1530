/* moving: boxes that move, and all pairs of them that meet, frame by frame; one of them after another inserted and removed; rays
 * and boxes asked of the structure as it is after many frames.
 *
 * BENCH_QUICK leaves the 100000 boxes out; arguments are the scenes to take instead of all. */
#include "moving.h"

static const bench_moving *const tables[] = {bench_moving_ours_o2,
#ifdef BENCH_NATIVE
                                             bench_moving_ours_native,
#endif
#ifdef BENCH_BULLET
                                             bench_moving_bullet,
#endif
#ifdef BENCH_FCL
                                             bench_moving_fcl,
#endif
#ifdef BENCH_EMBREE
                                             bench_moving_embree,
#endif
#ifdef BENCH_CGAL
                                             bench_moving_cgal,
#endif
                                             NULL};

enum { FRAMES = 5, ASKED = 2000 }; /* frames a run */

/* A world of one implementation's own, and the next frames of it. */
typedef struct task {
    const bench_moving *test;
    void *world;
    pg_mbox *things;
    bench_box *boxes;
    float (*motion)[3];
    int count, every;
    const pg_ray *rays;
    const bench_box *places;
    const int *order;
    int asked;
} task;

static void put_box(const pg_mbox *from, bench_box *to) {
    for (int k = 0; k < 3; ++k) {
        to->lo[k] = from->c[k] - from->h[k];
        to->hi[k] = from->c[k] + from->h[k];
    }
}

/* All things move on; what each does is known when the next frames are shown. */
static void look_ahead(void *ctx) {
    task *t = (task *)ctx;
    for (int f = 0; f < FRAMES; ++f) {
        pg_mbox_step(t->things, t->count, t->every);
        for (int i = 0; i < t->count; ++i) {
            size_t at = (size_t)f * (size_t)t->count + (size_t)i;
            put_box(&t->things[i], &t->boxes[at]);
            for (int k = 0; k < 3; ++k) t->motion[at][k] = i % t->every ? 0 : t->things[i].velocity[k];
        }
    }
}

static bench_answer run_frames(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer sum = {0, 0, 0.0};
    for (int f = 0; f < FRAMES; ++f) {
        size_t at = (size_t)f * (size_t)t->count;
        bench_frame frame = {t->boxes + at, (const float(*)[3])(t->motion + at), t->count, t->every};
        bench_answer one = t->test->frame(t->world, &frame);
        sum.count += one.count;
        sum.index_sum += one.index_sum;
    }
    return sum;
}

static bench_answer run_churn(void *ctx) {
    const task *t = (const task *)ctx;
    return t->test->churn(t->boxes, t->order, t->count);
}

static bench_answer run_rays(void *ctx) {
    const task *t = (const task *)ctx;
    return t->test->rays(t->world, t->rays, t->asked);
}

static bench_answer run_boxes(void *ctx) {
    const task *t = (const task *)ctx;
    return t->test->boxes(t->world, t->places, t->asked);
}

/* ---- tasks ---- */

static void begin(task *t, const bench_moving *test, pg_mbox_kind kind, int count, int every) {
    size_t room = (size_t)count * FRAMES;
    memset(t, 0, sizeof *t);
    t->test = test;
    t->count = count;
    t->every = every;
    t->things = (pg_mbox *)pg_alloc((size_t)count * sizeof *t->things);
    t->boxes = (bench_box *)pg_alloc(room * sizeof *t->boxes);
    t->motion = (float(*)[3])pg_alloc(room * sizeof *t->motion);
    pg_mboxes(kind, count, 500 + (uint64_t)kind, t->things);
    for (int i = 0; i < count; ++i) put_box(&t->things[i], &t->boxes[i]);
    t->world = test->create(t->boxes, count);
    look_ahead(t);
}

static void end(task *t) {
    t->test->destroy(t->world);
    free(t->things);
    free(t->boxes);
    free(t->motion);
}

/* Frames that nobody measures: structures are as good afterwards as they stay. */
static void warm_up(task *t, int frames) {
    for (int f = 0; f < frames; f += FRAMES) {
        run_frames(t);
        look_ahead(t);
    }
}

static int begin_all(task *tasks, bench_job *jobs, pg_mbox_kind kind, int count, int every) {
    int used = 0;
    for (const bench_moving *const *table = tables; *table; ++table) {
        for (const bench_moving *test = *table; test->name; ++test) {
            if (count > test->most || used == BENCH_JOBS) continue;
            begin(&tasks[used], test, kind, count, every);
            warm_up(&tasks[used], count > 20000 ? 10 : 40);
            jobs[used].implementation = test->name;
            jobs[used].run = run_frames;
            jobs[used].after = look_ahead;
            jobs[used].ctx = &tasks[used];
            ++used;
        }
    }
    return used;
}

/* Those that can, asked something else. */
static int choose(const task *tasks, const bench_job *jobs, int used, bench_answer (*run)(void *),
                  bench_job *out) {
    int chosen = 0;
    for (int i = 0; i < used; ++i) {
        const bench_moving *test = tasks[i].test;
        if ((run == run_churn && !test->churn) || (run == run_rays && !test->rays) ||
            (run == run_boxes && !test->boxes))
            continue;
        out[chosen] = jobs[i];
        out[chosen].run = run;
        out[chosen].after = NULL;
        ++chosen;
    }
    return chosen;
}

/* ---- what is asked ---- */

static void draw_rays(double side, pg_ray *rays) {
    pg_rng r = {700};
    for (int i = 0; i < ASKED; ++i) {
        double o[3], d[3];
        for (int k = 0; k < 3; ++k) o[k] = pg_range(&r, 0, side);
        pg_dir(&r, d);
        for (int k = 0; k < 3; ++k) d[k] *= side / 2;
        pg_round(o, 3, rays[i].o);
        pg_round(d, 3, rays[i].d);
    }
}

static void draw_places(double side, bench_box *boxes) {
    pg_rng r = {701};
    for (int i = 0; i < ASKED; ++i) {
        for (int k = 0; k < 3; ++k) {
            double c = pg_range(&r, 0, side), h = pg_range(&r, 0.2, 2);
            boxes[i].lo[k] = (float)(c - h);
            boxes[i].hi[k] = (float)(c + h);
        }
    }
}

/* A random order, by Fisher and Yates. */
static void draw_order(int count, int *order) {
    pg_rng r = {702};
    for (int i = 0; i < count; ++i) {
        int j = (int)(pg_next(&r) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
}

static void ask(const char *scene, const char *what, double items, const task *tasks, const bench_job *jobs,
                int used, bench_answer (*run)(void *)) {
    bench_job chosen[BENCH_JOBS];
    char label[64];
    int count = choose(tasks, jobs, used, run, chosen);
    snprintf(label, sizeof label, "%s/%s", scene, what);
    if (count) bench_measure("moving", label, bench_us, items, chosen, count);
}

static void ask_all(const char *name, task *tasks, const bench_job *jobs, int used) {
    static pg_ray rays[ASKED];
    static bench_box places[ASKED];
    int count = tasks[0].count, *order = (int *)pg_alloc((size_t)count * sizeof *order);
    draw_rays(pg_world(count), rays);
    draw_places(pg_world(count), places);
    draw_order(count, order);
    for (int i = 0; i < used; ++i) {
        tasks[i].rays = rays;
        tasks[i].places = places;
        tasks[i].order = order;
        tasks[i].asked = ASKED;
    }
    ask(name, "rays", ASKED, tasks, jobs, used, run_rays);
    ask(name, "boxes", ASKED, tasks, jobs, used, run_boxes);
    ask(name, "insert and remove", count, tasks, jobs, used, run_churn);
    free(order);
}

typedef struct scene {
    const char *name;
    pg_mbox_kind kind;
    int count, every, ask, heavy;
} scene;

static const scene scenes[] = {{"10k-uniform", PG_UNIFORM_BOXES, 10000, 1, 1, 0},
                               {"10k-uniform-tenth", PG_UNIFORM_BOXES, 10000, 10, 0, 0},
                               {"100k-uniform", PG_UNIFORM_BOXES, 100000, 1, 0, 1},
                               {"100k-clustered", PG_CLUSTERED_BOXES, 100000, 1, 0, 1}};

static void measure(const scene *s) {
    static task tasks[BENCH_JOBS];
    bench_job jobs[BENCH_JOBS];
    char label[64];
    int used = begin_all(tasks, jobs, s->kind, s->count, s->every);
    snprintf(label, sizeof label, "%s/frame", s->name);
    bench_measure("moving", label, bench_ms, FRAMES, jobs, used);
    if (s->ask) ask_all(s->name, tasks, jobs, used);
    for (int i = 0; i < used; ++i) end(&tasks[i]);
}

/* Of those named, or of all. */
static int is_wanted(const scene *s, int argc, char **argv) {
    const char *quick = getenv("BENCH_QUICK");
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], s->name)) return 1;
    }
    return argc == 1 && !(s->heavy && quick && *quick);
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        if (is_wanted(&scenes[i], argc, argv)) measure(&scenes[i]);
    }
    return 0;
}
