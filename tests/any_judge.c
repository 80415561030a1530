/* What is promised is read from the library's documentation: cd_convex_distance, query/sweep and query/cast. */
#include "any_judge.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef long double real;

#define EPS ((double)CD_REAL_EPSILON)

static const bool single = sizeof(cd_real) == 4;

static void vec(cd_vec3 v, real out[3]) {
    out[0] = (real)v.x;
    out[1] = (real)v.y;
    out[2] = (real)v.z;
}
static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static real length(const real a[3]) {
    return sqrtl(dot(a, a));
}
static void add(real p[3], const real d[3], real t) {
    for (int k = 0; k < 3; ++k) p[k] += d[k] * t;
}

/* ---- scenes ---- */

void any_scene_open(any_scene *s, const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                    const cd_shape_options *options) {
    memset(s, 0, sizeof *s);
    s->a = a;
    s->b = b;
    s->b_in_a = b_in_a;
    if (options) s->options = *options;
    s->ta = any_open(a, s->options.ignore_a);
    s->tb = any_open(b, s->options.ignore_b);
    s->b_own = any_open(b, s->options.ignore_b);
    any_pose(&s->tb, b_in_a);
}

void any_scene_close(any_scene *s) {
    any_close(&s->ta);
    any_close(&s->tb);
    any_close(&s->b_own);
}

/* What is said of a scene stays, what is said of an answer comes after it. */
static char said[3000];
static size_t scene_said;

static void say(const char *format, ...) {
    size_t used = strlen(said);
    va_list args;
    va_start(args, format);
    vsnprintf(said + used, sizeof said - used, format, args);
    va_end(args);
    test_note("%s", said);
}

static void say_reals(const char *name, const cd_real *values, int count) {
    say("%s = (", name);
    for (int i = 0; i < count; ++i) say("%s%a", i ? ", " : "", (double)values[i]);
    say(") ");
}

/* A new call for the same scene. */
static void say_again(void) {
    said[scene_said] = 0;
}

static int plain_numbers(uint32_t type) {
    static const int count[CD_SHAPE_TYPES] = {0, 3, 6, 9, 0, 12, 7, 4, 7, 8, 6, 15, 7, 7, 15, 10, 0, 0, 0, 4};
    return type < CD_SHAPE_TYPES ? count[type] : 0;
}

static void note_shape(const char *name, const cd_shape *s);

static bool note_part(void *context, const cd_shape *part, const cd_transform *pose, uint32_t index) {
    (void)context;
    (void)index;
    note_shape("part", part);
    if (pose) say_reals("at", &pose->rotation.x, 7);
    return true;
}

static void note_parts(const cd_shape *s) {
    cd_aabb all;
    all.min = cd_vec3_make(-CD_REAL_MAX, -CD_REAL_MAX, -CD_REAL_MAX);
    all.max = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    say("[");
    if (s->type == CD_SHAPE_CLASS) s->u.custom.table->parts(s->u.custom.object, all, note_part, NULL);
    for (uint32_t i = 0; s->type == CD_SHAPE_COMPOUND && i < s->u.compound->count; ++i)
        note_part(NULL, s->u.compound->children[i].shape, &s->u.compound->children[i].pose, i);
    say("] ");
}

static void note_shape(const char *name, const cd_shape *s) {
    cd_shape copy = *s;
    say("; %s: %s (%d) ", name, cd_shape_type_name(s->type), (int)s->type);
    if (plain_numbers(s->type)) say_reals("numbers", REALS(copy.u), plain_numbers(s->type));
    if (s->type == CD_SHAPE_POLYGON) say_reals("corners", &s->u.points[0].x, 3 * (int)s->count);
    if (s->type == CD_SHAPE_COMPOUND || s->type == CD_SHAPE_CLASS) note_parts(s);
    if (s->radius != 0) say_reals("radius", &s->radius, 1);
    if (s->scale.x != 0) say_reals("scale", &s->scale.x, 3);
}

void any_note(const any_scene *s, const char *what) {
    said[0] = 0;
    say("%s", what);
    note_shape("a", s->a);
    note_shape("b", s->b);
    if (s->b_in_a) say_reals("; b_in_a", &s->b_in_a->rotation.x, 7);
    scene_said = strlen(said);
}

static bool halfspaces(uint32_t a, uint32_t b) {
    return a == CD_SHAPE_HALFSPACE && b == CD_SHAPE_HALFSPACE;
}

cd_status any_can(uint32_t call, uint32_t a, uint32_t b) {
    bool can = true;
    if (call >= CD_SHAPE_CALLS || a == 0 || a >= CD_SHAPE_TYPES) return CD_INVALID_ARGUMENT;
    if (call <= CD_CALL_TIME_OF_IMPACT && (b == 0 || b >= CD_SHAPE_TYPES)) return CD_INVALID_ARGUMENT;
    if (call <= CD_CALL_TIME_OF_IMPACT) can = call == CD_CALL_TEST || !halfspaces(a, b);
    if (call == CD_CALL_SWEEP || call == CD_CALL_SUPPORT) can = a != CD_SHAPE_HALFSPACE;
    if (call == CD_CALL_MASS) can = a != CD_SHAPE_HALFSPACE && a != CD_SHAPE_HEIGHTS && a != CD_SHAPE_SUPPORT;
    return can ? CD_OK : CD_UNSUPPORTED;
}

static bool has_halfspace(const any_body *b) {
    for (int i = 0; i < b->count; ++i)
        if (b->piece[i].halfspace) return true;
    return false;
}

/* A pair of parts that has no answer. */
static bool cannot(const any_scene *s) {
    return s->ta.unsupported || s->tb.unsupported || (has_halfspace(&s->ta) && has_halfspace(&s->tb));
}

/* ---- how exact ---- */

static double most_of_piece(const any_piece *p) {
    return (double)fmaxl(p->far, p->halfspace ? fabsl(p->d) : length(p->center) + p->reach);
}

static double most_of(const any_body *b) {
    double most = 0;
    for (int i = 0; i < b->count; ++i) most = fmax(most, most_of_piece(&b->piece[i]));
    return most;
}

/* No coordinate of either, in either frame, is larger. */
static double most_of_scene(const any_scene *s) {
    return fmax(fmax(most_of(&s->ta), most_of(&s->tb)), most_of(&s->b_own));
}

static bool asks_the_user(const any_piece *a, const any_piece *b) {
    return single && (a->body.user || b->body.user);
}

static bool composed(const any_piece *a, const any_piece *b) {
    return a->turned || b->turned;
}

/* How far a distance of two pieces may be off. Poses that are made of several are of cd_real. */
static double slack_of(const any_scene *s, const any_piece *a, const any_piece *b, double distance) {
    double size = 2 * (double)fmaxl(a->reach, b->reach), most = 2 * most_of_scene(s), slack;
    slack = (single ? 1e-6 : 1e-12) * fmax(size, fabs(distance));
    slack += most * (asks_the_user(a, b) ? 3.814697265625e-6 : 5.684341886080802e-14);
    if (composed(a, b)) slack += 8 * EPS * most;
    return slack;
}

/* The same, and what comes of rounding the answer's numbers. */
static double rounded(const any_scene *s, double slack) {
    return slack + 2 * EPS * most_of_scene(s);
}

/* ---- parts ---- */

static bool part_is_none(const cd_part *p) {
    return p->child == CD_NONE && p->index == CD_NONE;
}

/* The piece that is meant, or -1. */
static int find_piece(const any_body *b, const cd_part *p) {
    for (int i = 0; i < b->count; ++i) {
        const cd_part *q = &b->piece[i].part;
        if (q->child == p->child && q->index == p->index) {
            CHECK(q->user == p->user);
            if (!b->piece[i].cell || p->material != 0) CHECK_INT(p->material, q->material);
            CHECK_SAME(p->offset, q->offset);
            return i;
        }
    }
    say(" told: child %u index %u", (unsigned)p->child, (unsigned)p->index);
    CHECK(!"a part that there is");
    return -1;
}

static bool find_pair(const any_scene *s, const cd_part_pair *parts, int *i, int *j) {
    *i = find_piece(&s->ta, &parts->a);
    *j = find_piece(&s->tb, &parts->b);
    return *i >= 0 && *j >= 0;
}

static bool is_unit(cd_vec3 n) {
    real v[3];
    vec(n, v);
    return CHECK_NEAR((double)length(v), 1, 4 * EPS);
}

static double off_piece(const any_piece *p, cd_vec3 at) {
    any_body one;
    real x[3];
    one.count = one.room = 1;
    one.piece = (any_piece *)(void *)p;
    one.unsupported = false;
    vec(at, x);
    return (double)any_off(&one, x);
}

/* ---- distance ---- */

/* No pair of pieces is nearer, or deeper, than that. */
static void none_is_below(const any_scene *s, double distance, const real *seed) {
    for (int i = 0; i < s->ta.count; ++i)
        for (int j = 0; j < s->tb.count; ++j) {
            const any_piece *p = &s->ta.piece[i], *q = &s->tb.piece[j];
            real limit = (real)distance - (real)rounded(s, slack_of(s, p, q, distance));
            if (any_against(p, q, limit, seed) >= 0) continue;
            say(" pieces %d %d", i, j);
            CHECK_NEAR(distance, (double)any_pair_distance(p, q).upper, 0);
            return;
        }
}

static bool is_curved(const any_piece *p) {
    return p->body.kind != TRUTH_POINTS || p->body.user;
}

/* Deep curved ones may be left open by some percent of their size, and that is told. */
static void judge_gap(const any_scene *s, const cd_separation *r, const any_piece *p, const any_piece *q,
                      double tight) {
    double gap = (double)r->gap;
    if (r->status == CD_NOT_CONVERGED) {
        CHECK(is_curved(p) || is_curved(q));
        CHECK_NEAR(gap, 0, (double)fmaxl(p->reach, q->reach) / 16);
    } else if (s->options.tolerance == 0 && s->options.max_distance == 0) {
        CHECK_NEAR(gap, 0, tight);
    }
}

static void judge_pair(const any_scene *s, const cd_separation *r, int i, int j) {
    const any_piece *p = &s->ta.piece[i], *q = &s->tb.piece[j];
    double d = (double)r->distance, gap = (double)r->gap, tight = slack_of(s, p, q, d),
           slack = rounded(s, fmax(tight, gap));
    real n[3], a[3], b[3], off[3];
    vec(r->normal, n);
    vec(r->a, a);
    vec(r->b, b);
    judge_gap(s, r, p, q, tight);
    CHECK((double)any_along(p, q, n) >= d - slack);
    for (int k = 0; k < 3; ++k) off[k] = b[k] - a[k] - (real)r->distance * n[k];
    CHECK_NEAR((double)length(off), 0, slack);
    CHECK_NEAR(off_piece(p, r->a), 0, slack);
    CHECK_NEAR(off_piece(q, r->b), 0, slack);
    if (d < -slack && any_against(p, q, (real)(d + slack), n) > 0)
        CHECK_NEAR(d, (double)any_pair_distance(p, q).lower, slack);
}

static bool nothing_near(const any_scene *s, double answered, const cd_vec3 *normal,
                         const cd_part_pair *parts) {
    double limit = (double)s->options.max_distance;
    if (!part_is_none(&parts->a) || !part_is_none(&parts->b)) return false;
    CHECK_SAME(answered, limit > 0 ? limit : (double)CD_REAL_MAX);
    CHECK(normal->x == 0 && normal->y == 0 && normal->z == 0);
    if (limit > 0)
        none_is_below(s, limit, NULL);
    else
        CHECK(s->ta.count == 0 || s->tb.count == 0);
    return true;
}

static void same_without_parts(const any_scene *s, const cd_separation *r) {
    cd_separation again = cd_shape_distance(s->a, s->b, s->b_in_a, &s->options, NULL, NULL);
    CHECK_INT(again.status, r->status);
    CHECK_SAME(again.distance, r->distance);
    CHECK_SAME(again.normal.x, r->normal.x);
    CHECK_SAME(again.a.y, r->a.y);
}

static void near_with_cache(const any_scene *s, const cd_separation *r) {
    cd_cache cache;
    cd_separation x;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 2; ++i) {
        x = ASK("forms", cd_shape_distance(s->a, s->b, s->b_in_a, &s->options, &cache, NULL));
        CHECK_INT(x.status, r->status);
        CHECK_NEAR(x.distance, r->distance,
                   rounded(s, (double)x.gap + (double)r->gap) + 1e-15 * fabs((double)r->distance));
    }
}

void any_judge_distance(const any_scene *s) {
    cd_part_pair parts;
    cd_separation r;
    real n[3];
    int i, j;
    say_again();
    memset(&parts, 0, sizeof parts);
    r = ASK("judge", cd_shape_distance(s->a, s->b, s->b_in_a, &s->options, NULL, &parts));
    say_reals(" answered", &r.distance, 11);
    if (cannot(s)) {
        if (halfspaces(s->a->type, s->b->type) && r.status == CD_OK) return;
        CHECK_INT(r.status, CD_UNSUPPORTED);
        return;
    }
    same_without_parts(s, &r);
    near_with_cache(s, &r);
    if (!CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED)) return;
    if (nothing_near(s, (double)r.distance, &r.normal, &parts)) return;
    if (!CHECK(isfinite((double)r.distance) && r.gap >= 0) || !is_unit(r.normal)) return;
    if (!find_pair(s, &parts, &i, &j)) return;
    vec(r.normal, n);
    judge_pair(s, &r, i, j);
    none_is_below(s, (double)r.distance, n);
}

/* ---- closest points ---- */

void any_judge_closest(const any_scene *s) {
    cd_part_pair parts;
    cd_closest c;
    any_gap g;
    real a[3], b[3], off[3];
    double slack, d, limit = (double)s->options.max_distance;
    int i, j;
    bool got;
    say_again();
    memset(&parts, 0, sizeof parts);
    memset(&c, 0, sizeof c);
    got = ASK("judge", cd_shape_closest(s->a, s->b, s->b_in_a, &s->options, &c, &parts));
    if (cannot(s)) {
        if (!halfspaces(s->a->type, s->b->type)) CHECK(!got);
        return;
    }
    g = any_near(&s->ta, &s->tb, NULL);
    if (!got) {
        CHECK(s->ta.count == 0 || s->tb.count == 0 ||
              (limit > 0 && (double)g.lower >= limit - rounded(s, slack_of(s, &s->ta.piece[g.i],
                                                                           &s->tb.piece[g.j], limit))));
        return;
    }
    say_reals(" answered", &c.a.x, 7);
    if (!find_pair(s, &parts, &i, &j)) return;
    vec(c.a, a);
    vec(c.b, b);
    for (int k = 0; k < 3; ++k) off[k] = b[k] - a[k];
    d = (double)length(off);
    slack = rounded(s, slack_of(s, &s->ta.piece[i], &s->tb.piece[j], d));
    CHECK(c.sqdist >= 0);
    CHECK_NEAR(sqrt((double)c.sqdist), d, slack + 2 * EPS * d);
    CHECK(d >= (double)g.lower - slack);
    CHECK(d <= fmax((double)g.upper, 0) + slack);
    CHECK_NEAR(off_piece(&s->ta.piece[i], c.a), 0, slack);
    CHECK_NEAR(off_piece(&s->tb.piece[j], c.b), 0, slack);
    if (limit > 0) CHECK(d <= limit + slack);
    if (c.sqdist == 0) CHECK_NEAR(d, 0, slack);
}

/* ---- test ---- */

/* Two of these are tested exactly, with corners that were posed and rounded. */
static bool is_triangle(const any_piece *p) {
    return p->body.kind == TRUTH_POINTS && p->body.count == 3 && p->body.radius == 0;
}

void any_judge_test(const any_scene *s) {
    cd_part_pair parts;
    cd_cache cache;
    any_gap g;
    double slack, near = (double)s->options.distance;
    int i, j;
    bool got, warm;
    say_again();
    memset(&parts, 0, sizeof parts);
    memset(&cache, 0, sizeof cache);
    got = ASK("judge", cd_shape_test(s->a, s->b, s->b_in_a, &s->options, NULL, &parts));
    for (int round = 0; round < 2; ++round) {
        warm = cd_shape_test(s->a, s->b, s->b_in_a, &s->options, &cache, NULL);
        if (!s->ta.count || !s->tb.count) CHECK(!warm);
    }
    if (s->ta.unsupported || s->tb.unsupported) return;
    if (s->ta.count == 0 || s->tb.count == 0) {
        CHECK(!got);
        return;
    }
    g = any_near(&s->ta, &s->tb, NULL);
    slack = slack_of(s, &s->ta.piece[g.i], &s->tb.piece[g.j], near);
    if (is_triangle(&s->ta.piece[g.i]) && is_triangle(&s->tb.piece[g.j])) slack += 2 * EPS * most_of_scene(s);
    if ((double)g.lower > near + slack) {
        CHECK(!got);
        CHECK(!warm);
    }
    if ((!got || !warm) && (double)g.upper <= near) {
        truth t = any_distance(&s->ta, &s->tb);
        say(" distance %.9g, or %.9g", (double)t.lower, (double)t.upper);
        CHECK(!((double)t.upper < near - slack));
    }
    if (!got || !find_pair(s, &parts, &i, &j)) return;
    g = any_near_pieces(&s->ta.piece[i], &s->tb.piece[j], NULL);
    CHECK((double)g.lower <= near + slack_of(s, &s->ta.piece[i], &s->tb.piece[j], near));
}

/* ---- contacts ---- */

enum { MANIFOLDS = 48 };

static bool is_single(const any_body *b) {
    return b->count == 1 && b->piece[0].part.child == CD_NONE && b->piece[0].part.index == 0;
}

/* Ghosts are left out where a shape has many parts: then normals may be those of faces, and depths along them. */
static bool as_parts(const any_scene *s) {
    return (is_single(&s->ta) && is_single(&s->tb)) || (s->options.flags & CD_SHAPE_KEEP_GHOSTS);
}

/* The distance that contacts count in. */
static double offsets(const any_piece *a, const any_piece *b) {
    return (double)a->part.offset + (double)b->part.offset;
}

/* On the surface of some piece? `outward`: where that is likely to be. */
static double off_surfaces(const any_body *b, const real p[3], const real outward[3]) {
    double least = INFINITY;
    for (int i = 0; i < b->count; ++i) {
        const any_piece *q = &b->piece[i];
        real d[3];
        for (int k = 0; k < 3; ++k) d[k] = p[k] - q->center[k];
        if (q->halfspace || (double)(length(d) - q->reach) < least)
            least = fmin(least, (double)any_off_surface(q, p, outward));
    }
    return least;
}

static void judge_point(const any_scene *s, const cd_manifold *m, const cd_contact *c, const any_piece *p,
                        const any_piece *q, bool joined) {
    real n[3], a[3], b[3], off[3], back[3];
    double d = (double)c->distance, apart = d + offsets(p, q), slack;
    vec(m->normal, n);
    vec(c->a, a);
    vec(c->b, b);
    slack = 2 * rounded(s, slack_of(s, p, q, apart)); /* each body's, and the foot on the other */
    for (int k = 0; k < 3; ++k) {
        off[k] = b[k] - a[k] - (real)apart * n[k];
        back[k] = -n[k];
    }
    /* points of other parts, whose normals are so near, come under that of the deepest */
    CHECK_NEAR((double)length(off), 0, slack + (joined ? 2e-3 * fabs(apart) : 0));
    CHECK(d <= (double)s->options.margin + slack);
    CHECK_NEAR((double)any_off(&s->ta, a), 0, slack);
    CHECK_NEAR((double)any_off(&s->tb, b), 0, slack);
    if (!as_parts(s)) return;
    CHECK_NEAR(off_surfaces(&s->ta, a, n), 0, slack);
    CHECK_NEAR(off_surfaces(&s->tb, b, back), 0, slack);
}

/* By how much that of the deepest that is nearest to it is beside the normal. */
static double sideways(const cd_manifold *m, double least) {
    double best = INFINITY;
    real n[3];
    vec(m->normal, n);
    for (uint32_t k = 0; k < m->count; ++k) {
        real a[3], b[3], off[3], along = 0;
        vec(m->points[k].a, a);
        vec(m->points[k].b, b);
        for (int i = 0; i < 3; ++i) along += (b[i] - a[i]) * n[i];
        for (int i = 0; i < 3; ++i) off[i] = b[i] - a[i] - along * n[i];
        if ((double)m->points[k].distance <= least) best = fmin(best, (double)length(off));
    }
    return best;
}

/* Returns the deepest, or the nearest. */
static double judge_manifold(const any_scene *s, const cd_manifold *m) {
    cd_part_pair parts;
    const any_piece *p, *q;
    real n[3];
    double least = INFINITY;
    int i, j;
    parts.a = m->part_a;
    parts.b = m->part_b;
    if (!CHECK(m->count >= 1 && m->count <= CD_MANIFOLD_POINTS) || !is_unit(m->normal)) return least;
    if (is_single(&s->ta) && is_single(&s->tb))
        i = j = 0;
    else if (!find_pair(s, &parts, &i, &j))
        return least;
    p = &s->ta.piece[i];
    q = &s->tb.piece[j];
    if (!CHECK(!p->halfspace || !q->halfspace)) return least;
    vec(m->normal, n);
    for (uint32_t k = 0; k < m->count; ++k) least = fmin(least, (double)m->points[k].distance);
    for (uint32_t k = 0; k < m->count; ++k) {
        say(" point %d", (int)k);
        say_reals("", &m->points[k].a.x, 7);
        judge_point(s, m, &m->points[k], p, q, s->ta.count > 1 || s->tb.count > 1);
    }
    CHECK_NEAR(sideways(m, least), 0, 2 * rounded(s, slack_of(s, p, q, least + offsets(p, q))));
    if (as_parts(s)) {
        double apart = least + offsets(p, q);
        CHECK_NEAR((double)any_along(p, q, n), apart, rounded(s, slack_of(s, p, q, apart)));
    }
    return least;
}

/* Nothing is told: then nothing is within the margin, but for rounding. */
static void judge_no_contact(const any_scene *s) {
    any_gap g;
    truth t;
    double slack;
    if (!s->ta.count || !s->tb.count) return;
    g = any_near(&s->ta, &s->tb, NULL);
    slack =
        slack_of(s, &s->ta.piece[g.i], &s->tb.piece[g.j], 0) - offsets(&s->ta.piece[g.i], &s->tb.piece[g.j]);
    if ((double)g.upper > (double)s->options.margin - slack) return;
    t = any_distance(&s->ta, &s->tb);
    say(" distance %.9g", (double)t.upper);
    CHECK((double)t.upper > (double)s->options.margin - slack);
}

static bool has_offsets(const any_scene *s) {
    for (int i = 0; i < s->ta.count; ++i)
        if (s->ta.piece[i].part.offset != 0) return true;
    for (int i = 0; i < s->tb.count; ++i)
        if (s->tb.piece[i].part.offset != 0) return true;
    return false;
}

static bool count_point(void *user, const cd_manifold *m, const cd_contact *c) {
    double *least = (double *)user;
    least[0] += 1;
    least[1] = fmin(least[1], (double)c->distance);
    return is_unit(m->normal);
}

/* All points: no fewer, and none deeper. Of what is the margin apart but for rounding only one may tell. */
static void judge_all_points(const any_scene *s, double least, size_t count) {
    double seen[2] = {0, INFINITY}, slack = 4 * EPS * most_of_scene(s), nearest;
    size_t told = ASK("forms", cd_shape_collide_all(s->a, s->b, s->b_in_a, &s->options, count_point, seen));
    CHECK_NEAR((double)told, seen[0], 0);
    nearest = fmin(least, seen[1]);
    if (told || count) slack += slack_of(s, s->ta.piece, s->tb.piece, nearest);
    if (told && count) {
        CHECK_NEAR(seen[1], least, slack);
    } else {
        CHECK((told == 0 && count == 0) || nearest >= (double)s->options.margin - slack);
    }
}

void any_judge_collide(const any_scene *s) {
    cd_manifold m[MANIFOLDS];
    size_t count = ASK("judge", cd_shape_collide(s->a, s->b, s->b_in_a, &s->options, NULL, m, MANIFOLDS));
    double least = INFINITY, previous = -INFINITY;
    bool some = cannot(s); /* two half-spaces tell nothing, but other pairs of parts do */
    say_again();
    if (s->ta.unsupported || s->tb.unsupported) {
        CHECK_INT(count, 0);
        return;
    }
    if (count == 0 && !some) judge_no_contact(s);
    for (size_t i = 0; i < count && i < MANIFOLDS; ++i) {
        double d;
        say(" manifold %d of %d", (int)i, (int)count);
        say_reals("normal", &m[i].normal.x, 3);
        d = judge_manifold(s, &m[i]);
        CHECK(d >= previous);
        previous = d;
        least = fmin(least, d);
    }
    if (count <= MANIFOLDS) judge_all_points(s, least, count);
    if (count && !some && as_parts(s) && !has_offsets(s)) {
        real n[3];
        vec(m[0].normal, n);
        none_is_below(s, least, n);
    }
}

/* ---- sweeps ---- */

/* Both a little smaller. */
static void shrink(any_body *b, double by) {
    for (int i = 0; i < b->count; ++i) {
        any_piece *p = &b->piece[i];
        if (p->halfspace)
            p->d -= (real)by;
        else
            any_shrink(p, fminl((real)by / (p->reach + LDBL_MIN) + 1e-9L, 1)); /* needles are thin */
    }
}

/* Flat as seen along the motion: in the plane of a polygon, or without area? A ray does not hit it. */
static bool is_along(const any_piece *p, const real motion[3]) {
    const truth_body *b = &p->body;
    real u[3][3], size = length(motion), most = 0;
    if (p->halfspace || b->radius != 0 || size == 0) return false;
    for (int k = 0; k < 3; ++k) u[0][k] = motion[k] / size;
    memset(u[1], 0, 2 * sizeof u[1]);
    for (int i = 1; i < 3; ++i) /* the longest way across, and the longest across that */
        for (int c = 0; c < b->count * 4; ++c) {
            real d[3];
            for (int k = 0; k < 3; ++k) d[k] = b->corner[c / 4][k] - b->corner[0][k];
            for (int k = 0; k < 3 && c % 4 > 0; ++k)
                d[k] = b->kind == TRUTH_BALLS ? b->half[c % 4 - 1][k] * fmaxl(b->r[0], b->r[1]) : 0;
            add(d, u[0], -dot(d, u[0]));
            if (i == 2) add(d, u[1], -dot(d, u[1]) / (dot(u[1], u[1]) + LDBL_MIN));
            if (length(d) > length(u[i])) memcpy(u[i], d, sizeof d);
        }
    most = length(u[1]);
    return length(u[2]) <= 1e-9L * most || most <= 1e-9L * p->reach;
}

static bool is_solid(const any_body *b, const real motion[3]) {
    for (int i = 0; i < b->count; ++i)
        if (is_along(&b->piece[i], motion)) return false;
    return true;
}

/* What has no thickness is no smaller than it was: where its numbers are rounded, it may have begun beyond what it meets, or end before it. */
static bool may_have_passed(const any_piece *a, const any_piece *b, const any_contact *c,
                            const real motion[3], double slack, real until) {
    const real *n = c->gap.normal;
    real thick = -any_along(a, a, n) - any_along(b, b, n), way = dot(n, motion);
    bool rounds = a->turned || b->turned || a->body.user || b->body.user;
    return rounds && thick <= (real)slack &&
           (thick + c->t * way <= (real)slack || thick + (until - c->t) * way <= (real)slack);
}

/* A contact that no rounding can hide: that of bodies smaller by the slack. */
static any_contact sure_contact(const any_body *a, const real motion[3], const any_body *b, double slack,
                                real until) {
    static any_body p, q;
    any_contact c;
    any_copy(&p, a);
    any_copy(&q, b);
    shrink(&p, slack);
    shrink(&q, slack);
    c = any_first(&p, motion, &q, 0, until);
    if (!c.hit) return c;
    c.hit = c.sure && !is_along(&q.piece[c.gap.j], motion) &&
            !may_have_passed(&p.piece[c.gap.i], &q.piece[c.gap.j], &c, motion, slack, until);
    return c;
}

static bool surely_meets(const any_body *a, const real motion[3], const any_body *b, double slack,
                         real until) {
    return sure_contact(a, motion, b, slack, until).hit;
}

/* At time t A is past a contact, by more than the slack. */
static bool is_past(const any_contact *c, const real motion[3], real t, double slack) {
    return c->hit && t > c->t && (t - c->t) * dot(c->gap.normal, motion) > (real)slack;
}

/* At time t A is not past its first contact; where it grazes, not past that of bodies smaller by the slack. What is flat is as near
 * then as before, and may be what is met at t: so that is measured likewise. */
static bool is_not_late(const any_body *a, const real motion[3], const any_body *b, real t,
                        const any_contact *c, double slack) {
    any_contact sure;
    if (!is_past(c, motion, t, slack)) return true;
    sure = sure_contact(a, motion, b, slack, t);
    return !is_past(&sure, motion, t, slack);
}

/* A hit of a body that goes straight; `until`: the last t. `few`, `late`: the excess, and that of being late. */
static void judge_hit(const any_body *a, const real motion[3], const any_body *b, const cd_hit *h, double few,
                      double late, double most, real until) {
    any_contact c = any_first(a, motion, b, 0, until);
    real by[3] = {0, 0, 0}, t = (real)h->t, back[3], at[3];
    double way = (double)(length(motion) * t), slack = few + 2 * EPS * way;
    any_gap g;
    say(" hit at %a, wanted %s%.17g", (double)h->t, c.hit ? "" : "none ", (double)c.t);
    CHECK(h->t >= 0 && t <= until);
    if (!is_unit(h->normal)) return;
    add(by, motion, t);
    g = any_near(a, b, by);
    CHECK((double)g.lower <= slack);
    vec(h->point, at);
    vec(h->normal, back);
    for (int k = 0; k < 3; ++k) back[k] = -back[k];
    CHECK(is_not_late(a, motion, b, t, &c, late));
    CHECK_NEAR((double)any_off(b, at), 0, few + 2 * EPS * most);
    if (is_solid(b, motion)) CHECK((double)dot(back, motion) >= -1e-3 * (double)length(motion));
    if (h->flags & CD_HIT_START) {
        CHECK_SAME(h->t, 0);
        CHECK((double)any_near(a, b, NULL).lower <= few);
        return;
    }
    add(at, by, -1);
    CHECK_NEAR((double)any_off(a, at), 0, slack + 2 * EPS * most);
}

/* Sums of radii are rounded up, so that nothing is late by them. */
static double excess_of_pieces(const any_body *b, double most, bool early) {
    double few = 0;
    for (int i = 0; i < b->count; ++i) {
        const any_piece *p = &b->piece[i];
        if (p->turned) few = fmax(few, 16 * EPS * most);
        if (p->body.user) few = fmax(few, 32 * EPS * most);
        if (p->summed && (early || p->halfspace))
            few = fmax(few, EPS * (double)fmaxl(p->body.radius, fabsl(p->d)));
    }
    return few;
}

/* What casts, sweeps and times of impact may leave, and be wrong by. */
static double excess_of(const any_scene *s, double most, bool early) {
    double few = most * (single ? 5.684341886080802e-14 : 9.094947017729282e-13) * 4;
    if (s->ta.count && s->tb.count && is_triangle(s->ta.piece) && is_triangle(s->tb.piece))
        few += 4 * EPS * most; /* of two trees; the corners of one are posed and rounded */
    return few + excess_of_pieces(&s->ta, most, early) + excess_of_pieces(&s->tb, most, early);
}

void any_judge_sweep(const any_scene *s, cd_vec3 motion) {
    cd_cast_options o;
    cd_part_pair parts;
    cd_hit h;
    real m[3];
    double most, few, late;
    bool got;
    int i, j;
    say_again();
    memset(&o, 0, sizeof o);
    memset(&h, 0, sizeof h);
    memset(&parts, 0, sizeof parts);
    o.ignore_mask = s->options.ignore_b;
    vec(motion, m);
    say_reals(" motion", &motion.x, 3);
    got = ASK("judge", cd_shape_sweep(s->a, motion, s->b, s->b_in_a, &o, &h, &parts));
    if (cannot(s) || s->a->type == CD_SHAPE_HALFSPACE || has_halfspace(&s->ta)) {
        if (s->a->type == CD_SHAPE_HALFSPACE || !has_halfspace(&s->ta)) CHECK(!got);
        return;
    }
    most = most_of_scene(s) + (double)length(m);
    few = excess_of(s, most, true);
    late = excess_of(s, most, false);
    if (got) {
        judge_hit(&s->ta, m, &s->tb, &h, few, late, most, 1);
        if (find_pair(s, &parts, &i, &j))
            CHECK_INT(h.index, parts.b.child == CD_NONE ? parts.b.index : parts.b.child);
    } else {
        CHECK(!surely_meets(&s->ta, m, &s->tb, late, 1));
    }
}

/* ---- rays ---- */

void any_judge_ray(const any_scene *s, const cd_ray *r, cd_real t_max) {
    static any_piece at;
    cd_cast_options o;
    any_body point;
    cd_part part;
    cd_hit h;
    cd_ray copy = *r;
    real m[3], from[3];
    double most, few;
    bool got;
    say_again();
    memset(&o, 0, sizeof o);
    memset(&h, 0, sizeof h);
    memset(&part, 0, sizeof part);
    memset(&point, 0, sizeof point);
    o.ignore_mask = s->options.ignore_a;
    vec(r->origin, from);
    vec(r->dir, m);
    any_set_point(&at, from);
    point.count = 1;
    point.piece = &at;
    say_reals(" ray", &copy.origin.x, 6);
    got = ASK("judge", cd_shape_cast_ray(s->a, r, t_max, &o, &h, &part));
    if (s->ta.unsupported) return;
    most = most_of(&s->ta) + (double)length(from);
    few = excess_of(s, most, true);
    for (int i = 0; i < s->ta.count; ++i)
        if (s->ta.piece[i].rough) few = fmax(few, 8 * EPS * most_of(&s->ta));
    if (got) {
        int i = find_piece(&s->ta, &part);
        double way = (double)(length(m) * (real)h.t);
        judge_hit(&point, m, &s->ta, &h, few, few + 2 * EPS * way, most + way, (real)t_max);
        if (i >= 0) CHECK_INT(h.index, part.child == CD_NONE ? part.index : part.child);
    } else if (length(m) > 0) {
        CHECK(!surely_meets(&point, m, &s->ta, few, fminl((real)t_max, 1e30L)));
    }
}

/* ---- times of impact ---- */

static void turn_by(const double u[3], real angle, real m[3][3]) {
    real c = cosl(angle), sine = sinl(angle);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            int other = 3 - i - k;
            real sign = (k + 1) % 3 == i ? 1 : -1;
            m[i][k] = (real)u[i] * (real)u[k] * (1 - c);
            m[i][k] += i == k ? c : sign * (real)u[other] * sine;
        }
}

static void times(real m[3][3], const real v[3], real out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = dot(m[i], v);
}

/* The way of the origin: of a screw, about its axis through c. */
static void way_at(const cd_motion *m, real part, real out[3]) {
    real d[3], go, c[3], back[3], turned[3], turn[3][3];
    for (int k = 0; k < 3; ++k) d[k] = (real)(&m->to.position.x)[k] - (real)(&m->from.position.x)[k];
    for (int k = 0; k < 3; ++k) out[k] = part * d[k];
    if (m->kind != CD_MOTION_SCREW || m->angle < 1e-9) return;
    go = d[0] * (real)m->axis[0] + d[1] * (real)m->axis[1] + d[2] * (real)m->axis[2];
    for (int k = 0; k < 3; ++k) d[k] -= go * (real)m->axis[k];
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        real across = (real)m->axis[i] * d[j] - (real)m->axis[j] * d[i];
        c[k] = (d[k] + across / tanl((real)m->angle / 2)) / 2;
        back[k] = -c[k];
    }
    turn_by(m->axis, part * (real)m->angle, turn);
    times(turn, back, turned);
    for (int k = 0; k < 3; ++k) out[k] = c[k] + turned[k] + part * go * (real)m->axis[k];
}

/* The pieces at time t, less `place`. */
static void at_time(any_body *out, const any_body *own, const cd_motion *m, double t, cd_vec3 place) {
    real first = fminl(2 * (real)t, 1), last = fmaxl(2 * (real)t - 1, 0), turned, gone, by[3], turn[3][3],
         p[3];
    cd_transform from = m->from;
    static const real zero[3] = {0, 0, 0};
    turned = m->kind == CD_MOTION_TURN_FIRST ? first : m->kind == CD_MOTION_TURN_LAST ? last : (real)t;
    gone = m->kind == CD_MOTION_TURN_FIRST ? last : m->kind == CD_MOTION_TURN_LAST ? first : (real)t;
    if (m->kind == CD_MOTION_LINEAR) turned = 0;
    from.position = cd_vec3_make(0, 0, 0);
    any_copy(out, own);
    any_pose(out, &from);
    turn_by(m->axis, turned * (real)m->angle, turn);
    any_place(out, turn, zero);
    way_at(m, gone, by);
    vec(m->from.position, p);
    add(by, p, 1);
    vec(place, p);
    add(by, p, -1);
    memset(turn, 0, 9 * sizeof turn[0][0]);
    for (int k = 0; k < 3; ++k) turn[k][k] = 1;
    any_place(out, turn, by);
}

static any_gap gap_at(const any_scene *s, const cd_motion *ma, const cd_motion *mb, double t) {
    static any_body p, q;
    at_time(&p, &s->ta, ma, t, ma->from.position);
    at_time(&q, &s->b_own, mb, t, ma->from.position);
    return any_near(&p, &q, NULL);
}

static double speed_of(const any_body *b, const cd_motion *m) {
    double far = 0, way = 0;
    for (int i = 0; i < b->count; ++i)
        if (b->piece[i].halfspace)
            far = INFINITY;
        else
            far = fmax(far, most_of_piece(&b->piece[i]));
    for (int k = 0; k < 3; ++k)
        way += fabs((double)(&m->to.position.x)[k] - (double)(&m->from.position.x)[k]);
    return 2 * (m->angle > 0 ? m->angle * (far + way) + way : way);
}

static double most_of_motion(const cd_motion *m) {
    double most = 0;
    for (int k = 0; k < 3; ++k)
        most = fmax(most, fmax(fabs((double)(&m->from.position.x)[k]), fabs((double)(&m->to.position.x)[k])));
    return most;
}

/* Apart at all times before `until`, at steps that nothing gets through but what is nearer than the slack. */
static void apart_before(const any_scene *s, const cd_motion *ma, const cd_motion *mb, double until,
                         double near, double slack) {
    double speed = speed_of(&s->ta, ma) + speed_of(&s->b_own, mb), t = (double)s->options.t_min;
    for (int i = 0; i < 60 && t < until; ++i) {
        any_gap g = gap_at(s, ma, mb, t);
        double step = ((double)g.lower - near) / speed;
        if ((double)g.upper <= near && g.meet == false && (double)g.upper > near - slack) return;
        if (g.meet || (double)g.upper <= near - slack) {
            if (g.meet) { /* deep, or only just? */
                static any_body p, q;
                at_time(&p, &s->ta, ma, t, ma->from.position);
                at_time(&q, &s->b_own, mb, t, ma->from.position);
                if ((double)any_distance(&p, &q).upper > near - slack) return;
            }
            say(" meet at %.17g", t);
            CHECK(!"late");
            return;
        }
        t += isfinite(step) ? fmax(step, 1.0 / 64) : 1.0 / 32;
    }
}

void any_judge_impact(const any_scene *s, const cd_motion *ma, const cd_motion *mb) {
    cd_shape_options o = s->options;
    cd_part_pair parts;
    cd_impact r;
    double most, few, near = (double)s->options.distance;
    int i, j;
    say_again();
    memset(&parts, 0, sizeof parts);
    r = ASK("judge", cd_shape_time_of_impact(s->a, ma, s->b, mb, &o, &parts));
    say_reals(" motion a", &ma->from.rotation.x, 14);
    say_reals(" motion b", &mb->from.rotation.x, 14);
    say(" kinds %d %d", (int)ma->kind, (int)mb->kind);
    if (cannot(s)) {
        CHECK_INT(r.status, CD_UNSUPPORTED);
        return;
    }
    CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
    most = fmax(most_of(&s->ta), most_of(&s->b_own)) + fmax(most_of_motion(ma), most_of_motion(mb));
    few = fmax(excess_of(s, most, true), 16 * most * ldexp(1, single ? -41 : -38)) + 4 * (double)o.tolerance;
    CHECK(r.t >= 0 && r.t <= 1);
    say(" told %d at %a", (int)r.hit, (double)r.t);
    apart_before(s, ma, mb, (double)r.t, near, few);
    if (!r.hit) {
        if (r.status == CD_OK) CHECK_SAME(r.t, 1);
        return;
    }
    if (is_unit(r.normal) && find_pair(s, &parts, &i, &j) && r.status == CD_OK) {
        any_gap g = gap_at(s, ma, mb, (double)r.t);
        double speed = speed_of(&s->ta, ma) + speed_of(&s->b_own, mb),
               slack = few + 2 * EPS * (double)r.t * speed;
        if (!isfinite(speed)) slack = few + 8 * EPS * most;
        CHECK((double)g.lower <= near + slack);
        if (r.t > s->options.t_min) CHECK_NEAR((double)r.distance, (double)g.upper, slack + 4 * EPS * most);
    }
}

/* ---- boxes, farthest points ---- */

static real reach_along(const any_body *b, const real n[3]) {
    real most = -HUGE_VALL;
    for (int i = 0; i < b->count; ++i) {
        real p[3];
        if (b->piece[i].halfspace) return HUGE_VALL;
        truth_farthest(&b->piece[i].body, n, p);
        most = fmaxl(most, dot(n, p) + b->piece[i].body.radius * length(n));
    }
    return most;
}

/* A half-space has a bound where its normal is along an axis. */
static void judge_endless(const any_body *b, cd_aabb box) {
    for (int i = 0; i < b->count; ++i) {
        const any_piece *p = &b->piece[i];
        for (int k = 0; k < 3 && p->halfspace; ++k) {
            double lo = (double)(&box.min.x)[k], hi = (double)(&box.max.x)[k];
            if (fabsl(p->n[k]) < 0.999999L) CHECK(lo == -(double)CD_REAL_MAX && hi == (double)CD_REAL_MAX);
            if (p->n[k] > 0) CHECK(lo == -(double)CD_REAL_MAX);
            if (p->n[k] < 0) CHECK(hi == (double)CD_REAL_MAX);
        }
    }
}

void any_judge_aabb(const any_scene *s, const cd_transform *pose) {
    static any_body b;
    cd_aabb box = ASK("judge", cd_shape_aabb(s->a, pose));
    double most, slack = 0;
    bool loose = s->ta.count > 1 || s->a->type >= CD_SHAPE_MESH;
    say_again();
    if (s->ta.unsupported || s->options.ignore_a) return;
    any_copy(&b, &s->ta);
    any_pose(&b, pose);
    say_reals(" box", &box.min.x, 6);
    if (pose) say_reals(" at", &pose->rotation.x, 7);
    if (b.count == 0) {
        CHECK(cd_aabb_is_empty(box));
        return;
    }
    if (has_halfspace(&b)) {
        judge_endless(&b, box);
        return;
    }
    most = fmax(most_of(&b), most_of(&s->ta));
    for (int i = 0; i < b.count; ++i)
        if (b.piece[i].turned) slack = 8 * EPS * most;
    if (single && b.piece[0].body.user) slack = 4 * EPS * most;
    slack += most * 1e-15;
    for (int k = 0; k < 3; ++k) {
        real up[3] = {0, 0, 0}, down[3] = {0, 0, 0}, lo, hi;
        double tight;
        up[k] = 1;
        down[k] = -1;
        hi = reach_along(&b, up);
        lo = -reach_along(&b, down);
        tight = slack + (loose ? 2 * (double)(hi - lo) + 4 * most_of(&s->ta)
                               : 8 * EPS * most + 1e-13 * most + 1e-9 * (single ? (double)(hi - lo) : 0));
        CHECK((double)(&box.max.x)[k] >= (double)hi - slack);
        CHECK((double)(&box.min.x)[k] <= (double)lo + slack);
        CHECK((double)(&box.max.x)[k] <= (double)hi + tight);
        CHECK((double)(&box.min.x)[k] >= (double)lo - tight);
    }
}

void any_judge_support(const any_scene *s, cd_vec3 dir) {
    cd_vec3 p = {7, 7, 7};
    real n[3], at[3], size;
    bool got = ASK("judge", cd_shape_support(s->a, dir, &p));
    double slack;
    say_again();
    vec(dir, n);
    size = length(n);
    if (s->ta.unsupported || s->options.ignore_a) return;
    say_reals(" along", &dir.x, 3);
    if (s->ta.count == 0 || has_halfspace(&s->ta) || size == 0) {
        CHECK(!got && p.x == 7 && p.y == 7 && p.z == 7);
        return;
    }
    if (!CHECK(got)) return;
    say_reals(" answered", &p.x, 3);
    vec(p, at);
    slack = 8 * EPS * most_of(&s->ta) + slack_of(s, s->ta.piece, s->ta.piece, 0);
    CHECK((double)(dot(n, at) / size) >= (double)(reach_along(&s->ta, n) / size) - slack);
    CHECK_NEAR((double)any_off(&s->ta, at), 0, slack);
}

/* ---- mass ---- */

typedef struct sums {
    double m, first[3], second[3][3];
} sums;

static void add_slice(sums *s, const double p[3], double z0, double z1, double area) {
    double h = z1 - z0, mean[3] = {p[0], p[1], (z0 + z1) / 2};
    s->m += area * h;
    for (int i = 0; i < 3; ++i) {
        s->first[i] += area * h * mean[i];
        for (int k = 0; k < 3; ++k) s->second[i][k] += area * h * mean[i] * mean[k];
    }
    s->second[2][2] += area * h * h * h / 12;
}

/* Where the line through (x, y) upward goes in, as seen along `sign`; false where it does not. */
static bool enters(any_body *one, double x, double y, double from, double sign, double far, double *z) {
    static any_piece at;
    any_body point;
    any_contact c;
    real p[3], motion[3] = {0, 0, 0};
    memset(&point, 0, sizeof point);
    point.count = 1;
    point.piece = &at;
    p[0] = (real)x;
    p[1] = (real)y;
    p[2] = (real)from;
    motion[2] = (real)(sign * far);
    any_set_point(&at, p);
    c = any_first(&point, motion, one, (real)(far * 1e-7), 1);
    *z = from + sign * far * (double)c.t;
    return c.hit && (double)c.gap.upper <= far * 2e-7;
}

/* Across `axis`, the way between the two points farthest from each other that a walk from the three axes finds. Zero for a point. */
static void widest(const any_piece *piece, const real axis[3], real way[3]) {
    memset(way, 0, 3 * sizeof *way);
    for (int k = 0; k < 3; ++k) {
        real n[3] = {k == 0, k == 1, k == 2};
        for (int step = 0; step < 4; ++step) {
            real back[3], p[3], q[3], along = dot(n, axis);
            for (int i = 0; i < 3; ++i) back[i] = -(n[i] -= along * axis[i]);
            truth_farthest(&piece->body, n, p);
            truth_farthest(&piece->body, back, q);
            for (int i = 0; i < 3; ++i) n[i] = p[i] - q[i];
            along = dot(n, axis);
            for (int i = 0; i < 3; ++i) n[i] -= along * axis[i];
            if (!(length(n) > length(way))) break;
            memcpy(way, n, sizeof n);
        }
    }
}

/* Rows: the last along the piece, the first across that where it is widest, so that what is thin fills its box. */
static void frame_of(const any_piece *piece, real frame[3][3]) {
    static const real none[3] = {0, 0, 0};
    real *x = frame[0], *y = frame[1], *z = frame[2], size;
    widest(piece, none, z);
    size = length(z);
    for (int i = 0; i < 3; ++i) z[i] = size > 0 ? z[i] / size : i == 2;
    widest(piece, z, x);
    if (!(length(x) > 1e-9L * size)) {
        int least = fabsl(z[0]) < fabsl(z[1]) ? 0 : 1;
        for (int i = 0; i < 3; ++i) x[i] = (i == least) - z[least] * z[i];
    }
    size = length(x);
    for (int i = 0; i < 3; ++i) x[i] /= size;
    for (int i = 0; i < 3; ++i) y[i] = z[(i + 1) % 3] * x[(i + 2) % 3] - z[(i + 2) % 3] * x[(i + 1) % 3];
}

static void add_turned(const sums *s, real frame[3][3], sums *out) {
    out->m += s->m;
    for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i) {
            out->first[i] += (double)frame[a][i] * s->first[a];
            for (int c = 0; c < 3; ++c)
                for (int k = 0; k < 3; ++k)
                    out->second[i][k] += (double)(frame[a][i] * frame[c][k]) * s->second[a][c];
        }
}

static void sum_columns(any_body *one, int n, sums *out) {
    double lo[3], hi[3];
    for (int k = 0; k < 3; ++k) {
        real up[3] = {0, 0, 0};
        up[k] = 1;
        hi[k] = (double)reach_along(one, up);
        up[k] = -1;
        lo[k] = -(double)reach_along(one, up);
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            double p[3], far = (hi[2] - lo[2]) * 1.01, z0, z1,
                         area = (hi[0] - lo[0]) / n * (hi[1] - lo[1]) / n;
            p[0] = lo[0] + (hi[0] - lo[0]) * (i + 0.5) / n;
            p[1] = lo[1] + (hi[1] - lo[1]) * (k + 0.5) / n;
            if (!enters(one, p[0], p[1], lo[2] - 0.005 * far, 1, far, &z0)) continue;
            if (!enters(one, p[0], p[1], hi[2] + 0.005 * far, -1, far, &z1)) continue;
            if (z1 > z0) add_slice(out, p, z0, z1, area);
        }
}

static void sum_piece(const any_piece *piece, int n, sums *out) {
    static const real here[3] = {0, 0, 0};
    static any_piece turned;
    real frame[3][3];
    any_body one;
    sums own;
    turned = *piece;
    memset(&own, 0, sizeof own);
    one.count = one.room = 1;
    one.piece = &turned;
    one.unsupported = false;
    frame_of(piece, frame);
    any_place(&one, frame, here);
    sum_columns(&one, n, &own);
    add_turned(&own, frame, out);
}

/* What a surface bounds: tetrahedra to the origin. */
static void sum_triangle(const any_piece *t, sums *out) {
    double v[3][3], det, sum[3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) v[i][k] = (double)t->body.corner[i][k];
    det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
          v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
          v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    for (int k = 0; k < 3; ++k) sum[k] = v[0][k] + v[1][k] + v[2][k];
    out->m += det / 6;
    for (int i = 0; i < 3; ++i) {
        out->first[i] += det / 24 * sum[i];
        for (int k = 0; k < 3; ++k) {
            double mixed = sum[i] * sum[k];
            for (int c = 0; c < 3; ++c) mixed += v[c][i] * v[c][k];
            out->second[i][k] += det / 120 * mixed;
        }
    }
}

static bool same_place(const real a[3], const real b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Has every edge of a mesh another one, the other way round? */
static bool has_twin(const any_body *b, const any_piece *t, int edge) {
    const real *p = t->body.corner[edge], *q = t->body.corner[(edge + 1) % 3];
    for (int i = 0; i < b->count; ++i)
        for (int k = 0; k < 3; ++k)
            if (same_place(b->piece[i].body.corner[k], q) &&
                same_place(b->piece[i].body.corner[(k + 1) % 3], p))
                return true;
    return false;
}

static bool is_closed(const any_body *b) {
    for (int i = 0; i < b->count; ++i)
        for (int k = 0; k < 3; ++k)
            if (!has_twin(b, &b->piece[i], k)) return false;
    return true;
}

static bool is_flat(const cd_shape *s) {
    return s->radius == 0 && (s->type <= CD_SHAPE_POLYGON || s->type == CD_SHAPE_DISC);
}

static bool has_mesh(const cd_shape *s) {
    for (uint32_t i = 0; s->type == CD_SHAPE_COMPOUND && i < s->u.compound->count; ++i)
        if (s->u.compound->children[i].shape->type == CD_SHAPE_MESH) return true;
    return s->type == CD_SHAPE_MESH;
}

static bool is_surface(const any_scene *s, const any_piece *p) {
    const cd_shape *one = s->a;
    if (one->type == CD_SHAPE_COMPOUND) one = one->u.compound->children[p->part.child].shape;
    return one->type == CD_SHAPE_MESH;
}

/* Mirrored, a mesh keeps the sign of its volume. */
static void turn_over(sums *s) {
    s->m = -s->m;
    for (int i = 0; i < 3; ++i) {
        s->first[i] = -s->first[i];
        for (int k = 0; k < 3; ++k) s->second[i][k] = -s->second[i][k];
    }
}

/* Meshes that are rounded, and what is stretched to ellipses and then rounded. */
static bool has_no_mass(const cd_shape *s) {
    double x = fabs((double)s->scale.x), y = fabs((double)s->scale.y), z = fabs((double)s->scale.z);
    bool rounded_core = s->radius != 0 || s->type == CD_SHAPE_TAPERED_CAPSULE;
    if (s->type == CD_SHAPE_MESH) return s->radius != 0;
    if (s->type != CD_SHAPE_DISC && s->type != CD_SHAPE_CYLINDER && s->type != CD_SHAPE_CONE &&
        s->type != CD_SHAPE_TAPERED_CAPSULE)
        return false;
    return rounded_core && !(x == y && y == z);
}

void any_judge_mass(const any_scene *s, int n) {
    sums t;
    cd_mass m, twice;
    double off = 6.0 / n / sqrt(n), trace = 0, scale;
    cd_status status = ASK("judge", cd_shape_mass(s->a, 1, &m));
    say_again();
    if (any_can(CD_CALL_MASS, s->a->type, 0) == CD_UNSUPPORTED || s->ta.unsupported) {
        CHECK_INT(status, CD_UNSUPPORTED);
        return;
    }
    if (status == CD_UNSUPPORTED && (s->a->type >= CD_SHAPE_COMPOUND || has_no_mass(s->a))) return;
    if (!CHECK_INT(status, CD_OK)) return;
    CHECK_INT(cd_shape_mass(s->a, 2, &twice), CD_OK);
    CHECK_NEAR(twice.mass, 2 * m.mass, 1e-14 * fabs(m.mass));
    memset(&t, 0, sizeof t);
    if (is_flat(s->a)) {
        CHECK_SAME(m.mass, 0);
        return;
    }
    for (int i = 0; i < s->ta.count; ++i)
        if (is_surface(s, &s->ta.piece[i]))
            sum_triangle(&s->ta.piece[i], &t);
        else
            sum_piece(&s->ta.piece[i], n, &t);
    if (has_mesh(s->a) && (s->a->type == CD_SHAPE_COMPOUND || !is_closed(&s->ta))) return;
    if (has_mesh(s->a) && s->a->scale.x * s->a->scale.y * s->a->scale.z < 0) turn_over(&t);
    say(" mass %.9g, wanted %.9g", m.mass, t.m);
    scale = fmax(fabs(t.m), fabs(m.mass));
    if (scale <= 1e-6 * pow(most_of(&s->ta), 3)) return; /* flat */
    if (!CHECK_NEAR(m.mass, t.m, off * scale)) return;
    for (int k = 0; k < 3; ++k) trace += t.second[k][k] - t.first[k] * t.first[k] / t.m;
    for (int i = 0; i < 3; ++i) {
        double x = t.first[i] / t.m;
        CHECK_NEAR(m.center[i], x, off * sqrt(fabs(trace / t.m)) * 2);
        for (int k = 0; k < 3; ++k) {
            double want = -(t.second[i][k] - t.first[i] * t.first[k] / t.m);
            if (i == k) want += trace;
            CHECK_NEAR(m.inertia[i][k], want, 2 * off * fabs(trace));
        }
    }
}
