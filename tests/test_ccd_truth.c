/* Corners that move: the exact reference against the real cases and against what is at rest, and the library against both. */
#include "cases.h"
#include "gen.h"
#include "oracle.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

typedef struct motion {
    bool edges, wide;
    cd_vec3 start[4], end[4];
    double from[12], to[12];
} motion;

static oracle_contact truth_of(const motion *m) {
    return m->edges ? oracle_ccd_edge_edge(m->from, m->to) : oracle_ccd_vertex_face(m->from, m->to);
}

/* ---- the real cases ---- */

static void check_truth(const json *one, const json *expected) {
    static const char *const name[2][4] = {{"v", "f0", "f1", "f2"}, {"ea0", "ea1", "eb0", "eb1"}};
    const json *exact = json_get(expected, "toi_exact");
    motion m;
    oracle_contact got;
    m.edges = json_is(one, "routine", "ccd_edge_edge");
    for (int i = 0; i < 4; ++i) {
        char at[2][8];
        for (int k = 0; k < 2; ++k) {
            strcpy(at[k], name[m.edges][i]);
            strcat(at[k], k ? "_t1" : "_t0");
            CHECK_INT(cases_doubles(one, at[k], (k ? m.to : m.from) + 3 * i, 3), 3);
        }
    }
    got = truth_of(&m);
    CHECK_INT(got.hit, json_true(expected, "collision"));
    if (got.hit) CHECK_SAME(got.t, json_real(expected, "toi"));
    if (got.hit && exact && exact->type == JSON_STRING) CHECK_SAME(got.t, ratio_to_double(json_ratio(exact)));
}

static void real_cases(void) {
    cases_each("ccd_vf_ee", check_truth);
}

/* ---- made ones ---- */

static cd_vec3 grid_point(test_rng *rng, int most) {
    cd_vec3 p;
    p.x = (cd_real)test_int(rng, -most, most);
    p.y = (cd_real)test_int(rng, -most, most);
    p.z = (cd_real)test_int(rng, -most, most);
    return p;
}

static void draw_grid(motion *m, test_rng *rng) {
    int most = test_int(rng, 1, 4);
    for (int i = 0; i < 4; ++i) {
        m->start[i] = grid_point(rng, most);
        m->end[i] = grid_point(rng, most);
    }
}

static void draw_any(motion *m, test_rng *rng) {
    gen g = gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
    bool swift = test_int(rng, 0, 1) != 0;
    for (int i = 0; i < 4; ++i) {
        m->start[i] = gen_point(&g);
        m->end[i] = gen_point(&g);
        if (swift) continue;
        m->end[i].x = m->start[i].x + (m->end[i].x - m->start[i].x) / 16;
        m->end[i].y = m->start[i].y + (m->end[i].y - m->start[i].y) / 16;
        m->end[i].z = m->start[i].z + (m->end[i].z - m->start[i].z) / 16;
    }
}

/* All in one plane at every time: one that rests, or goes along, slanted or not. */
static void draw_coplanar(motion *m, test_rng *rng) {
    int slant = test_int(rng, -1, 1), lift = test_int(rng, -1, 1);
    draw_grid(m, rng);
    for (int i = 0; i < 4; ++i) {
        m->start[i].z = (cd_real)slant * m->start[i].x;
        m->end[i].z = (cd_real)slant * m->end[i].x + (cd_real)lift;
    }
}

/* Corner i goes to where, halfway, the others' weights put it: whole numbers of eighths. */
static void draw_meeting(motion *m, test_rng *rng) {
    static const int weights[6][3] = {{8, 0, 0}, {0, 4, 4}, {2, 2, 4}, {4, 8, -4}, {4, 2, 2}, {0, 2, 6}};
    const int *w = weights[test_int(rng, 0, 5)];
    draw_grid(m, rng);
    for (int k = 0; k < 3; ++k) {
        cd_real sum = 0;
        for (int i = 0; i < 3; ++i)
            sum += (cd_real)w[i] * (REALS(m->start[i + 1])[k] + REALS(m->end[i + 1])[k]) / 8;
        if (m->edges) sum = 2 * sum - REALS(m->start[0])[k] - REALS(m->end[0])[k];
        REALS(m->end[m->edges])[k] = sum - REALS(m->start[m->edges])[k];
    }
}

static void draw_turning(motion *m, test_rng *rng) {
    int swap = test_int(rng, 0, 2);
    draw_grid(m, rng);
    for (int i = 0; i < 4; ++i) m->end[i] = m->start[swap == 2 ? i ^ 1 : i < 2 && swap ? 1 - i : i];
    if (swap == 0) m->end[0] = cd_vec3_scale(m->start[1], 2);
}

static void draw_thin(motion *m, test_rng *rng) {
    int from = test_int(rng, 0, 3), to = test_int(rng, 0, 3);
    draw_grid(m, rng);
    m->start[to] = m->start[from];
    m->end[to] = m->end[from];
    if (test_int(rng, 0, 1)) return;
    for (int k = 0; k < 3; ++k) { /* the last in the middle of two, at all times */
        REALS(m->start[3])[k] = (REALS(m->start[1])[k] + REALS(m->start[2])[k]) / 2;
        REALS(m->end[3])[k] = (REALS(m->end[1])[k] + REALS(m->end[2])[k]) / 2;
    }
}

static void draw_resting(motion *m, test_rng *rng) {
    draw_meeting(m, rng);
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) REALS(m->start[i])[k] = (REALS(m->start[i])[k] + REALS(m->end[i])[k]) / 2;
        m->end[i] = test_int(rng, 0, 2) ? grid_point(rng, 3) : m->start[i];
    }
}

/* Moved by a few units of the last place, far off, or on another scale, as the type can hold it. */
static void disturb(motion *m, test_rng *rng) {
    int what = test_int(rng, 0, 5), i = test_int(rng, 0, 3), k = test_int(rng, 0, 2);
    cd_vec3 *p = test_int(rng, 0, 1) ? m->start : m->end;
    cd_real by = (cd_real)ldexp(1, test_int(rng, -40, 40)), off = (cd_real)ldexp(1, test_int(rng, 4, 20));
    if (what == 0) REALS(p[i])[k] = gen_near(rng, REALS(p[i])[k]);
    for (i = 0; i < 4; ++i) {
        if (what == 1) m->start[i].x += off;
        if (what == 1) m->end[i].x += off;
        if (what == 2) m->start[i] = cd_vec3_scale(m->start[i], by);
        if (what == 2) m->end[i] = cd_vec3_scale(m->end[i], by);
    }
}

static void draw_motion(motion *m, test_rng *rng) {
    static void (*const draw[])(motion *, test_rng *) = {draw_grid,    draw_any,  draw_coplanar, draw_meeting,
                                                         draw_turning, draw_thin, draw_resting};
    int kind = test_int(rng, 0, 6);
    m->edges = test_int(rng, 0, 1) != 0;
    m->wide = kind == 1;
    draw[kind](m, rng);
    if (kind != 1) disturb(m, rng);
    to_doubles(REALS(m->start), m->from, 12);
    to_doubles(REALS(m->end), m->to, 12);
    test_note("%s, kind %d", m->edges ? "edges" : "vertex, face", kind);
    test_note_reals("start", REALS(m->start), 12);
    test_note_reals("end", REALS(m->end), 12);
}

/* ---- the reference itself ---- */

/* At t, which divides the numbers exactly. */
static bool meet_at(const motion *m, double t) {
    double p[12], v[6];
    for (int i = 0; i < 12; ++i) p[i] = m->from[i] + t * (m->to[i] - m->from[i]);
    memcpy(v, p, 3 * sizeof *v);
    memcpy(v + 3, p, 3 * sizeof *v);
    return m->edges ? oracle_segments_against(p, p + 6, 0, 0) <= 0 : oracle_segment_triangle(v, p + 3);
}

static void reference_at_rest(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long n = test_times(2000); n > 0; --n) {
        static void (*const draw[])(motion *, test_rng *) = {draw_grid,    draw_coplanar, draw_meeting,
                                                             draw_turning, draw_thin,     draw_resting};
        motion m;
        oracle_contact truth;
        m.edges = test_int(&rng, 0, 1) != 0;
        draw[test_int(&rng, 0, 5)](&m, &rng);
        to_doubles(REALS(m.start), m.from, 12);
        to_doubles(REALS(m.end), m.to, 12);
        test_note("%s", m.edges ? "edges" : "vertex, face");
        test_note_reals("start", REALS(m.start), 12);
        test_note_reals("end", REALS(m.end), 12);
        truth = truth_of(&m);
        hits += truth.hit;
        for (int i = 0; i <= 16; ++i) {
            if (truth.hit && i / 16.0 >= truth.t) break;
            CHECK(!meet_at(&m, i / 16.0));
        }
        if (truth.hit && truth.exact && truth.t * 1024 == floor(truth.t * 1024)) CHECK(meet_at(&m, truth.t));
    }
    CHECK_SEEN(hits > 0);
}

/* ---- the library ---- */

/* At t, seen from corner 0. */
static double distance_at(const motion *m, double t) {
    static const double nowhere[3] = {0, 0, 0};
    sweep_body a, b;
    int split = m->edges ? 2 : 1;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.count = split;
    b.count = 4 - split;
    for (int i = 0; i < 12; ++i) {
        long double from = (long double)m->from[i] - (long double)m->from[i % 3];
        long double to = (long double)m->to[i] - (long double)m->to[i % 3];
        double at = (double)(from + t * (to - from));
        *(i / 3 < split ? &a.corner[i / 3][i % 3] : &b.corner[i / 3 - split][i % 3]) = at;
    }
    return (double)sweep_distance(&a, nowhere, &b);
}

/* The largest coordinate of what parts corners, at the start and the end: all but those of one edge from the other's. */
static double extent_of(const motion *m) {
    double most = 0;
    for (int i = 0; i < 12; ++i)
        for (int j = i % 3; j < i; j += 3)
            most = fmax(most, fmax(fabs(m->from[i] - m->from[j]), fabs(m->to[i] - m->to[j])));
    return most;
}

/* How fast two corners part: any coordinate. */
static double speed_of(const motion *m) {
    double most = 0;
    for (int i = 0; i < 12; ++i)
        for (int j = i % 3; j < i; j += 3)
            most = fmax(most, fabs((m->to[i] - m->from[i]) - (m->to[j] - m->from[j])));
    return most;
}

static bool library(const motion *m, const cd_ccd_options *options, cd_ccd_hit *hit) {
    return m->edges ? ASK("exact", cd_ccd_edge_edge(m->start, m->end, options, hit))
                    : ASK("exact", cd_ccd_vertex_face(m->start, m->end, options, hit));
}

/* No contact missed, none late, none where the two are apart by more than the tolerance. */
static void judge(const motion *m, const oracle_contact *truth, double tolerance, bool got,
                  const cd_ccd_hit *hit) {
    double rounding = 2 * (double)CD_REAL_EPSILON * speed_of(m);
    CHECK(got || !truth->hit);
    if (!got) return;
    if (truth->hit) CHECK((double)hit->t <= truth->t);
    CHECK((double)hit->t >= 0 && (double)hit->t <= 1);
    if (hit->status != CD_CCD_UNDECIDED)
        CHECK_NEAR(distance_at(m, (double)hit->t), 0,
                   tolerance + rounding * (double)hit->t + 1e-14 * extent_of(m));
    /* As good as touching for long, and the finest tolerance, or numbers of all sizes in one: it may give up, at a time before
     * the contact. */
    if (hit->status == CD_CCD_UNDECIDED) CHECK(tolerance < ldexp(extent_of(m), -40) || m->wide);
    if (truth->hit && truth->t <= 0) CHECK_INT(hit->status, CD_CCD_START);
}

static void library_against_truth(void) {
    test_rng rng = test_random();
    long hits = 0, falsely = 0;
    for (long n = test_times(4000); n > 0; --n) {
        motion m;
        oracle_contact truth;
        cd_ccd_hit hit;
        cd_ccd_options options;
        double extent;
        draw_motion(&m, &rng);
        truth = truth_of(&m);
        extent = extent_of(&m);
        memset(&hit, 0, sizeof hit);
        memset(&options, 0, sizeof options);
        if (test_int(&rng, 0, 1)) options.tolerance = (cd_real)ldexp(extent, -43);
        bool got = library(&m, &options, &hit);
        judge(&m, &truth, fmax((double)options.tolerance, ldexp(extent, options.tolerance > 0 ? -43 : -32)),
              got, &hit);
        hits += truth.hit;
        falsely += got && !truth.hit;
    }
    CHECK_SEEN(hits > 0 && falsely > 0);
}

void suite_ccd_truth(void) {
    RUN(real_cases);
    RUN(reference_at_rest);
    RUN(library_against_truth);
}
