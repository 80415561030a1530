/* The separating-axis test against all axes there are, in long double: hulls, boxes, triangles of every dimension; nearly parallel
 * ones; the collected cases. */
#include "cases.h"
#include "convex_truth.h"
#include "gen.h"
#include <math.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define PRECISION 1e-12
#else
#define PRECISION 1e-6
#endif

/* ---- a body as corners and directions, in one frame ---- */

#define MOST_CORNERS 64
#define MOST_EDGES   256
typedef struct solid {
    int corners, edges;
    long double corner[MOST_CORNERS][3], edge[MOST_EDGES][3];
} solid;

static long double origin[3]; /* of the frame of all solids: where the bodies are, when that is far off */

static long double dot(const long double a[3], const long double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const long double a[3], const long double b[3], long double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void turned(cd_quat q, const long double v[3], long double out[3]) {
    long double x = q.x, y = q.y, z = q.z, w = q.w, s = x * x + y * y + z * z + w * w, k = s > 0 ? 2 / s : 0;
    out[0] = v[0] + k * (-(y * y + z * z) * v[0] + (x * y - z * w) * v[1] + (x * z + y * w) * v[2]);
    out[1] = v[1] + k * ((x * y + z * w) * v[0] - (x * x + z * z) * v[1] + (y * z - x * w) * v[2]);
    out[2] = v[2] + k * ((x * z - y * w) * v[0] + (y * z + x * w) * v[1] - (x * x + y * y) * v[2]);
}

static void posed(solid *s, const cd_transform *pose) {
    long double at[3];
    if (!pose) return;
    at[0] = pose->position.x, at[1] = pose->position.y, at[2] = pose->position.z;
    for (int i = 0; i < s->corners + s->edges; ++i) {
        long double *v = i < s->corners ? s->corner[i] : s->edge[i - s->corners], out[3];
        turned(pose->rotation, v, out);
        for (int k = 0; k < 3; ++k) v[k] = out[k] + (i < s->corners ? at[k] : 0);
    }
}

static void add_corner(solid *s, cd_vec3 p) {
    for (int k = 0; k < 3; ++k) s->corner[s->corners][k] = REALS(p)[k] - origin[k];
    ++s->corners;
}

/* Of few corners all lines between two of them. */
static void add_lines(solid *s) {
    for (int i = 0; i < s->corners; ++i) {
        for (int j = i + 1; j < s->corners && s->edges < MOST_EDGES; ++j, ++s->edges)
            for (int k = 0; k < 3; ++k) s->edge[s->edges][k] = s->corner[j][k] - s->corner[i][k];
    }
}

static solid solid_of_hull(const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    solid s;
    s.corners = s.edges = 0;
    for (uint32_t i = 0; i < p.vertex_count; ++i) add_corner(&s, p.vertices[i]);
    for (uint32_t i = 0; i < p.half_edge_count; ++i) {
        if (p.half_edges[i].twin < i) continue;
        for (int k = 0; k < 3; ++k)
            s.edge[s.edges][k] =
                s.corner[p.half_edges[p.half_edges[i].twin].origin][k] - s.corner[p.half_edges[i].origin][k];
        ++s.edges;
    }
    return s;
}

static solid solid_of_obb(const cd_obb *b) {
    solid s;
    s.corners = 8;
    s.edges = 3;
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) s.edge[k][c] = REALS(b->axes.col[k])[c];
    for (int i = 0; i < 8; ++i) {
        for (int c = 0; c < 3; ++c) {
            s.corner[i][c] = REALS(b->center)[c] - origin[c];
            for (int k = 0; k < 3; ++k)
                s.corner[i][c] += (i >> k & 1 ? 1 : -1) * s.edge[k][c] * (long double)REALS(b->half)[k];
        }
    }
    return s;
}

/* ---- the reference ---- */

/* Least n . (b - a), n of any length. */
static long double parted(const solid *a, const solid *b, const long double n[3]) {
    long double most = -HUGE_VALL, least = HUGE_VALL, length = sqrtl(dot(n, n)), q[3];
    for (int i = 0; i < a->corners + b->corners; ++i) {
        const long double *p = i < a->corners ? a->corner[i] : b->corner[i - a->corners];
        for (int k = 0; k < 3; ++k) q[k] = p[k] - a->corner[0][k]; /* both may be far from the origin */
        if (i < a->corners)
            most = fmaxl(most, dot(n, q));
        else
            least = fminl(least, dot(n, q));
    }
    return (least - most) / length;
}

static void try_axis(const solid *a, const solid *b, const long double n[3], long double *best) {
    long double m[3];
    for (int k = 0; k < 3; ++k) m[k] = -n[k];
    if (!(dot(n, n) > 0)) return;
    *best = fmaxl(*best, fmaxl(parted(a, b, n), parted(a, b, m)));
}

/* Faces are across two edges of one, the others across one of each: all are tried, also those of no face. */
static long double greatest(const solid *a, const solid *b) {
    long double best = -HUGE_VALL, n[3];
    for (int i = 0; i < a->edges + b->edges; ++i) {
        for (int j = 0; j < i; ++j) {
            const long double *e = i < a->edges ? a->edge[i] : b->edge[i - a->edges];
            const long double *f = j < a->edges ? a->edge[j] : b->edge[j - a->edges];
            cross(e, f, n);
            if (dot(n, n) > 1e-30L * dot(e, e) * dot(f, f)) try_axis(a, b, n, &best);
        }
    }
    return best;
}

static long double size_of(const solid *a, const solid *b) {
    long double size = 0;
    for (int i = 0; i < a->corners; ++i)
        for (int j = 0; j < b->corners; ++j)
            for (int k = 0; k < 3; ++k) size = fmaxl(size, fabsl(a->corner[i][k] - b->corner[j][k]));
    return size;
}

static bool is_on(const solid *s, const solid *other, cd_vec3 p, double room) {
    solid point;
    long double far_off;
    point.corners = point.edges = 0;
    add_corner(&point, p);
    (void)other;
    far_off = greatest(s, &point);
    return far_off <= room;
}

/* Three edges that span a volume? */
static bool is_thick(const solid *s) {
    long double n[3];
    for (int i = 2; i < s->edges; ++i) {
        for (int j = 1; j < i; ++j) {
            for (int k = 0; k < j; ++k) {
                cross(s->edge[i], s->edge[j], n);
                if (fabsl(dot(n, s->edge[k])) > 0) return true;
            }
        }
    }
    return false;
}

/* Checks all that is promised of an answer; returns the true greatest separation. */
static long double judge(const solid *a, const solid *b, const cd_sat_axis *got, bool both_on) {
    long double want = greatest(a, b), n[3], size = size_of(a, b);
    double room = (double)(PRECISION * size);
    bool thick = is_thick(a) || is_thick(b); /* else they may be parted in one plane, by no face */
    CHECK_INT(got->status, CD_OK);
    CHECK(got->kind != CD_SAT_NONE);
    for (int k = 0; k < 3; ++k) n[k] = REALS(got->normal)[k];
    CHECK_NEAR((double)sqrtl(dot(n, n)), 1, 4 * PRECISION);
    CHECK_NEAR((double)got->separation, (double)parted(a, b, n), room);
    if (want <= 0 && (thick || got->separation <= 0) && want > -HUGE_VALL)
        CHECK_NEAR((double)got->separation, (double)want, room);
    if (want > 0) CHECK((double)got->separation > (want > room ? 0 : -room));
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR((double)REALS(got->b)[k] - (double)REALS(got->a)[k],
                   (double)(n[k] * (long double)got->separation),
                   4 * room + 4 * PRECISION * (double)fabs((double)REALS(got->a)[k]));
    if (both_on && want < -room) {
        double wide = 8 * room + 4 * PRECISION *
                                     (double)(fabsl((long double)got->a.x) + fabsl((long double)got->a.y) +
                                              fabsl((long double)got->a.z));
        CHECK(is_on(a, b, got->a, wide));
        CHECK(is_on(b, a, got->b, wide));
    }
    return want;
}

/* ---- hulls ---- */

static cd_hull draw_hull(gen *g, int most) {
    cd_vec3 p[MOST_CORNERS];
    cd_hull h;
    int count = test_int(g->rng, 4, most), flat = test_int(g->rng, 0, 5);
    bool round = test_int(g->rng, 0, 1) && g->kind == GEN_UNIT;
    for (int i = 0; i < count; ++i) {
        p[i] = gen_point(g);
        if (round) {
            cd_vec3 unit = cd_vec3_normalize(p[i]);
            p[i] = unit;
        }
        if (flat == 1) p[i].z = p[0].z;
    }
    if (flat == 2) count = test_int(g->rng, 1, 3);
    if (cd_hull3_build(&h, p, (size_t)count, NULL) != CD_OK) memset(&h, 0, sizeof h);
    return h;
}

static void note_hull(const char *name, const cd_hull *h) {
    cd_hull_parts p = cd_hull_get_parts(h);
    test_note_reals(name, (const cd_real *)(const void *)p.vertices, 3 * (int)p.vertex_count);
}

static void hulls_as_all_axes_say(void) {
    static const gen_kind kinds[4] = {GEN_UNIT, GEN_GRID, GEN_ULP, GEN_FAR};
    test_rng rng = test_random();
    long all = test_times(400), meeting = 0, apart = 0, edges = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, kinds[i % 4]);
        int most = i % 16 == 0 ? 40 : 12;
        cd_hull a = draw_hull(&g, most), b = draw_hull(&g, most);
        cd_transform pose = gen_pose(&rng, kinds[i % 4] == GEN_FAR ? 0.5 : 2.0);
        const cd_transform *at = test_int(&rng, 0, 1) ? &pose : NULL;
        solid s = solid_of_hull(&a), t = solid_of_hull(&b);
        cd_sat_axis got;
        long double want;
        double room;
        test_note("pose %d ", at != NULL);
        note_hull("a", &a);
        note_hull("b", &b);
        test_note_reals("at", REALS(pose), 7);
        posed(&t, at);
        got = ASK("judge", cd_sat_hull_hull(&a, &b, at, NULL));
        want = judge(&s, &t, &got, s.edges > 2 && t.edges > 2 && kinds[i % 4] != GEN_ULP); /* slivers */
        room = PRECISION * (double)size_of(&s, &t);
        if (got.separation > room) CHECK(!ASK("judge", cd_sat_test_hull_hull(&a, &b, at, NULL)));
        if (want < -room && got.separation <= 0) CHECK(ASK("judge", cd_sat_test_hull_hull(&a, &b, at, NULL)));
        if (!at && (i % 4 < 2))
            CHECK_INT(ASK("judge", cd_sat_test_hull_hull(&a, &b, NULL, NULL)), cd_test_hull_hull(&a, &b));
        meeting += want <= 0;
        apart += want > 0;
        edges += got.kind == CD_SAT_EDGES;
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
    CHECK_SEEN(meeting > all / 10 && apart > all / 10 && edges > 0);
}

/* Any content of a cache gives a right answer, and that of the step before a quick one. */
static void caches_only_hint(void) {
    test_rng rng = test_random();
    long all = test_times(500), quick = 0, slow = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_hull a = draw_hull(&g, 30), b = draw_hull(&g, 30);
        cd_transform pose = gen_pose(&rng, 1.0);
        cd_cache cache;
        cd_sat_axis first, got;
        note_hull("a", &a);
        note_hull("b", &b);
        for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_next(&rng) & (i % 2 ? 7u : ~0u);
        if (i % 3 == 0) cache.words[0] = 0x53415400u + (uint32_t)test_int(&rng, 0, 7);
        first = cd_sat_hull_hull(&a, &b, &pose, NULL);
        got = ASK("forms", cd_sat_hull_hull(&a, &b, &pose, &cache));
        CHECK_NEAR((double)got.separation, (double)first.separation, 8 * PRECISION);
        slow += first.tried;
        got = ASK("forms", cd_sat_hull_hull(&a, &b, &pose, &cache));
        CHECK_NEAR((double)got.separation, (double)first.separation, 8 * PRECISION);
        quick += got.tried;
        CHECK_INT(ASK("forms", cd_sat_test_hull_hull(&a, &b, &pose, &cache)), first.separation <= 0);
        CHECK_INT(ASK("forms", cd_sat_test_hull_hull(&a, &b, &pose, &cache)), first.separation <= 0);
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
    CHECK_SEEN(quick < slow);
}

/* ---- boxes ---- */

static void note_boxes(const cd_obb *a, const cd_obb *b, const cd_transform *at) {
    test_note("");
    test_note_reals("a", REALS(*a), 15);
    test_note_reals("b", REALS(*b), 15);
    if (at) test_note_reals("at", REALS(*at), 7);
}

static void judge_boxes(const cd_obb *a, const cd_obb *b, const cd_transform *at) {
    solid s = solid_of_obb(a), t = solid_of_obb(b);
    cd_support p = cd_support_of_obb(a), q = cd_support_of_obb(b);
    cd_sat_axis one, other;
    cd_cache cache;
    double room;
    long double want;
    memset(&cache, 0, sizeof cache);
    note_boxes(a, b, at);
    posed(&t, at);
    room = PRECISION * (double)size_of(&s, &t);
    one = ASK("judge", cd_sat_obb_obb(a, b, at, &cache));
    want = judge(&s, &t, &one, true);
    if (a->half.x > 0 && a->half.y > 0 && a->half.z > 0 && b->half.x > 0 && b->half.y > 0 && b->half.z > 0)
        CHECK_NEAR((double)one.separation, (double)want, room);
    other = ASK("forms", cd_sat_obb_obb(a, b, at, &cache));
    CHECK_NEAR((double)other.separation, (double)one.separation, room);
    CHECK_INT(ASK("forms", cd_sat_test_obb_obb(a, b, at, &cache)), cd_sat_test_obb_obb(a, b, at, NULL));
    if (want > room) CHECK(!cd_sat_test_obb_obb(a, b, at, NULL));
    if (want < -room) CHECK(cd_sat_test_obb_obb(a, b, at, NULL));
    other = cd_sat_convex(&p, &q, at, NULL);
    judge(&s, &t, &other, true);
}

static void boxes_as_all_axes_say(void) {
    static const gen_kind kinds[4] = {GEN_UNIT, GEN_GRID, GEN_SCALE, GEN_FAR};
    test_rng rng = test_random();
    long all = test_times(1500);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, kinds[i % 4]);
        cd_obb a = gen_obb(&g), b = gen_obb(&g);
        cd_transform pose = gen_pose(&rng, 1.0);
        if (!cd_obb_is_valid(&a) || !cd_obb_is_valid(&b)) continue;
        if (!test_int(&rng, 0, 9)) REALS(a.half)[test_int(&rng, 0, 2)] = 0;
        for (int k = 0; k < 3; ++k) origin[k] = kinds[i % 4] == GEN_FAR ? (long double)REALS(a.center)[k] : 0;
        judge_boxes(&a, &b, kinds[i % 4] == GEN_UNIT ? &pose : NULL);
    }
    memset(origin, 0, sizeof origin);
}

/* The axis kept is measured first, and few others then; a cache that tells of none, or of the sixteenth of fifteen, is as
 * good as none. */
static void caches_of_boxes_hint_too(void) {
    test_rng rng = test_random();
    long all = 12 + test_times(288), quick = 0, slow = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb a = gen_obb(&g), b = gen_obb(&g);
        cd_transform pose = gen_pose(&rng, 1.0);
        cd_cache cache;
        cd_sat_axis first, again;
        memset(&cache, 0, sizeof cache);
        if (!cd_obb_is_valid(&a) || !cd_obb_is_valid(&b)) continue;
        note_boxes(&a, &b, &pose);
        first = cd_sat_obb_obb(&a, &b, &pose, &cache);
        again = cd_sat_obb_obb(&a, &b, &pose, &cache);
        CHECK_INT(again.kind, first.kind);
        slow += first.tried;
        quick += again.tried;
        memset(&cache, 0, sizeof cache);
        cache.words[0] = 0x53415400u + 128 + 15;
        again = cd_sat_obb_obb(&a, &b, &pose, &cache);
        CHECK_INT(again.tried, first.tried);
        CHECK_SAME(again.separation, first.separation);
        cache.words[0] = 0x53415400u + 64 + (uint32_t)test_int(&rng, 0, 15);
        again = cd_sat_obb_obb(&a, &b, &pose, &cache);
        CHECK_INT(again.tried, first.tried);
    }
    CHECK(quick < slow);
    CHECK_SEEN(2 * quick < slow);
}

/* Stacked boxes, turned by next to nothing: no edge wins by rounding. */
static void nearly_parallel_boxes(void) {
    test_rng rng = test_random();
    long all = test_times(400);
    for (long i = 0; i < all; ++i) {
        double angle = 1, depth = 1, s[6];
        cd_obb a, b;
        cd_quat turn;
        cd_vec3 axis;
        cd_sat_axis got;
        for (int k = test_int(&rng, 3, 12); k > 0; --k) angle *= 0.1;
        for (int k = test_int(&rng, 0, 6); k > 0; --k) depth *= 0.1;
        for (int k = 0; k < 6; ++k) s[k] = test_range(&rng, 0.5, 2);
        axis = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                            (cd_real)test_range(&rng, -1, 1));
        turn = cd_quat_from_axis(axis, (cd_real)(angle / 2), 1);
        memset(&a, 0, sizeof a);
        a.axes = cd_quat_to_mat3(cd_quat_identity());
        a.half = cd_vec3_make((cd_real)s[0], (cd_real)s[1], (cd_real)s[2]);
        b = a;
        b.half = cd_vec3_make((cd_real)s[3], (cd_real)s[4], (cd_real)s[5]);
        b.center = cd_vec3_make((cd_real)0.1, (cd_real)0.2, (cd_real)(s[2] + s[5] - depth * 0.1));
        b.axes = cd_quat_to_mat3(turn);
        judge_boxes(&a, &b, NULL);
        got = cd_sat_obb_obb(&a, &b, NULL, NULL);
        if (angle < 0.01 * PRECISION) CHECK(got.kind != CD_SAT_EDGES);
    }
}

static void check_case(const json *one, const json *expected) {
    static const char *const names[2] = {"a", "b"};
    cd_obb box[2];
    double want = json_real(expected, "sat_max_separation"), size = 0;
    for (int i = 0; i < 2; ++i) {
        const json *b = json_get(json_get(one, "input"), names[i]);
        double x[15];
        if (json_reals(json_get(b, "center"), x, 3) != 3 || json_reals(json_get(b, "axes"), x + 3, 9) != 9 ||
            json_reals(json_get(b, "half"), x + 12, 3) != 3)
            return;
        for (int k = 0; k < 15; ++k) REALS(box[i])[k] = (cd_real)x[k];
        if (!cd_obb_is_valid(&box[i])) return;
        size = fmax(size, fmax(x[12], fmax(x[13], x[14])));
    }
    judge_boxes(&box[0], &box[1], NULL);
    if (cases_fit(one))
        CHECK_NEAR((double)ASK(cases_family(), cd_sat_obb_obb(&box[0], &box[1], NULL, NULL)).separation, want,
                   4 * PRECISION * (size + fabs(want)));
}

static void collected_cases(void) {
    cases_each("obb_obb", check_case);
}

/* ---- mixes ---- */

static solid solid_of_support(const cd_support *s) {
    solid out;
    out.corners = out.edges = 0;
    if (s->kind == CD_SUPPORT_OBB) return solid_of_obb((const cd_obb *)s->shape);
    if (s->kind == CD_SUPPORT_HULL) return solid_of_hull((const cd_hull *)s->shape);
    if (s->kind == CD_SUPPORT_POINTS)
        for (uint32_t i = 0; i < s->count; ++i) add_corner(&out, ((const cd_vec3 *)s->shape)[i]);
    if (s->kind == CD_SUPPORT_AABB) {
        const cd_aabb *b = (const cd_aabb *)s->shape;
        for (int i = 0; i < 8; ++i)
            add_corner(&out, cd_vec3_make(i & 1 ? b->max.x : b->min.x, i & 2 ? b->max.y : b->min.y,
                                          i & 4 ? b->max.z : b->min.z));
    }
    if (s->kind == CD_SUPPORT_RECT) {
        const cd_rect *r = (const cd_rect *)s->shape;
        for (int i = 0; i < 4; ++i) {
            add_corner(&out, r->a);
            for (int c = 0; c < 3; ++c)
                out.corner[i][c] += (i & 1 ? (long double)REALS(r->edge[0])[c] : 0) +
                                    (i & 2 ? (long double)REALS(r->edge[1])[c] : 0);
        }
    }
    add_lines(&out);
    return out;
}

/* The same core about the origin, by factors that may mirror it. */
static void stretch(cd_support *s, solid *t, test_rng *rng) {
    cd_real by[3];
    cd_support scaled;
    for (int k = 0; k < 3; ++k) {
        double x = test_range(rng, 0.25, 3);
        by[k] = (cd_real)(test_int(rng, 0, 1) ? x : -x);
        for (int i = 0; i < t->corners; ++i) t->corner[i][k] *= (long double)by[k];
        for (int i = 0; i < t->edges; ++i) t->edge[i][k] *= (long double)by[k];
    }
    scaled = cd_support_scaled(s, cd_vec3_make(by[0], by[1], by[2]));
    *s = scaled;
    test_note_reals("scale", by, 3);
}

static void any_two_polyhedra(void) {
    test_rng rng = test_random();
    long all = test_times(1000), meeting = 0, seen[12];
    memset(seen, 0, sizeof seen);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, i % 3 ? GEN_UNIT : GEN_GRID);
        cd_obb box[2];
        cd_aabb flat[2];
        cd_hull hull[2];
        cd_vec3 p[2][4];
        cd_rect r[2];
        cd_support s[2];
        solid t[2];
        cd_sat_axis got;
        cd_transform pose = gen_pose(&rng, 1.0);
        const cd_transform *at = i % 3 ? &pose : NULL;
        long double want;
        test_note("");
        for (int k = 0; k < 2; ++k) {
            int kind = test_int(&rng, 0, 7);
            for (int c = 0; c < 4; ++c) p[k][c] = gen_point(&g);
            box[k] = gen_obb(&g);
            flat[k] = gen_aabb(&g);
            hull[k] = draw_hull(&g, 10);
            memset(&r[k], 0, sizeof r[k]);
            r[k].a = p[k][0];
            r[k].edge[0] = cd_vec3_sub(p[k][1], p[k][0]);
            r[k].edge[1] = cd_vec3_cross(r[k].edge[0], p[k][2]);
            s[k] = kind == 0   ? cd_support_of_obb(&box[k])
                   : kind == 1 ? cd_support_of_aabb(&flat[k])
                   : kind == 2 ? cd_support_of_hull(&hull[k])
                   : kind == 3 ? cd_support_of_rect(&r[k])
                               : cd_support_of_points(p[k], (size_t)(kind - 3));
            ++seen[kind];
            t[k] = solid_of_support(&s[k]);
            if (!test_int(&rng, 0, 2)) stretch(&s[k], &t[k], &rng);
            test_note_reals("points", REALS(p[k]), 12);
            test_note_reals("obb", REALS(box[k]), 15);
            test_note_reals("aabb", REALS(flat[k]), 6);
        }
        got = ASK("judge", cd_sat_convex(&s[0], &s[1], at, NULL));
        if (got.status == CD_OK) {
            posed(&t[1], at);
            if (t[0].edges > 2 && t[1].edges > 2) {
                want =
                    judge(&t[0], &t[1], &got, s[0].kind != CD_SUPPORT_RECT && s[1].kind != CD_SUPPORT_RECT);
                meeting += want <= 0;
            }
        } else {
            CHECK_INT(got.status, got.status == CD_UNSUPPORTED ? CD_UNSUPPORTED : CD_INVALID_ARGUMENT);
            CHECK(isnan((double)got.separation));
            CHECK(!ASK("judge", cd_sat_test_convex(&s[0], &s[1], at, NULL)));
        }
        cd_hull_destroy(&hull[0]);
        cd_hull_destroy(&hull[1]);
    }
    CHECK_SEEN(meeting > 0 && seen[3] > 0 && seen[7] > 0);
}

/* Whole numbers in one plane, or on a line: apart is told, though no face and no edges part them. */
static void flat_things_in_one_plane(void) {
    test_rng rng = test_random();
    long all = test_times(2250), apart = 0, meet = 0;
    for (long i = 0; i < all; ++i) {
        cd_vec3 p[2][3];
        cd_support s[2];
        bool want;
        for (int k = 0; k < 6; ++k) {
            int x = test_int(&rng, -3, 3), y = test_int(&rng, -3, 3);
            p[k / 3][k % 3] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)(x - 2 * y));
        }
        for (int k = 0; k < 2; ++k) {
            int count = test_int(&rng, 1, 3);
            for (int c = count; c < 3; ++c) p[k][c] = p[k][count - 1];
            s[k] = cd_support_of_points(p[k], (size_t)count);
        }
        test_note("");
        test_note_reals("points", REALS(p), 18);
        {
            cd_triangle t, u;
            memcpy(&t, p[0], sizeof t);
            memcpy(&u, p[1], sizeof u);
            want = cd_test_triangle_triangle(&t, &u);
        }
        CHECK_INT(ASK("exact", cd_sat_test_convex(&s[0], &s[1], NULL, NULL)), want);
        CHECK_INT(ASK("exact", cd_sat_convex(&s[0], &s[1], NULL, NULL)).separation <= 4 * PRECISION, want);
        meet += want;
        apart += !want;
    }
    CHECK_SEEN(meet > 0 && apart > 0);
}

/* Two triangles in one plane, with edges along each other: the points are in the middle of what these share. In any plane of two axes, of any
 * size. */
static void the_middle_of_a_border(void) {
    static const double corner[2][3][2] = {{{0, 0}, {0, 0.5}, {-1, 0.25}},
                                           {{0.125, 0.25}, {0.125, 0.75}, {1, 0.5}}};
    for (int i = 0; i < 24; ++i) {
        int u = i % 3, v = (u + 1 + i / 3 % 2) % 3, w = 3 - u - v;
        double size = ldexp(1, 3 * (i / 6) - 6), gap = 0.125;
        cd_vec3 p[2][3];
        cd_support s[2];
        cd_sat_axis got;
        for (int k = 0; k < 6; ++k) {
            const double *c = corner[k / 3][k % 3];
            REALS(p[k / 3][k % 3])[u] = (cd_real)(size * c[0]);
            REALS(p[k / 3][k % 3])[v] = (cd_real)(size * c[1]);
            REALS(p[k / 3][k % 3])[w] = (cd_real)size;
        }
        for (int k = 0; k < 2; ++k) s[k] = cd_support_of_points(p[k], 3);
        for (int swap = 0; swap < 2; ++swap) {
            double side = swap ? -1 : 1;
            cd_vec3 on_a, on_b;
            test_note("%d, swapped %d", i, swap);
            got = ASK("judge", cd_sat_convex(&s[swap], &s[1 - swap], NULL, NULL));
            on_a = swap ? got.b : got.a;
            on_b = swap ? got.a : got.b;
            CHECK_INT(got.kind, CD_SAT_BORDER);
            CHECK_NEAR(got.separation, size * gap, PRECISION * size);
            CHECK_NEAR(REALS(got.normal)[u], side, PRECISION);
            CHECK_NEAR(REALS(on_a)[u], 0, PRECISION * size);
            CHECK_NEAR(REALS(on_b)[u], size * gap, PRECISION * size);
            CHECK_NEAR(REALS(on_a)[v], size * 0.375, PRECISION * size);
            CHECK_NEAR(REALS(on_b)[v], size * 0.375, PRECISION * size);
            CHECK_NEAR(REALS(on_b)[w], size, PRECISION * size);
        }
    }
}

/* A body whose flat bottom goes on in a slope of next to nothing, and only the bottom is over the box below it: the points are there, on
 * both. */
static void slopes_of_next_to_nothing(void) {
    for (int i = 0; i < 24; ++i) {
        int u = i % 3, v = (u + 1 + i / 3 % 2) % 3, w = 3 - u - v, side = i / 6 % 2 ? -1 : 1,
            up = i / 12 % 2 ? -1 : 1;
        static const double corner[8][3] = {{-1, -1, 0},      {-1, 1, 0},      {0, -1, 0}, {0, 1, 0},
                                            {1, -1, 0x1p-30}, {1, 1, 0x1p-30}, {0, -1, 2}, {0, 1, 2}};
        cd_vec3 p[8];
        cd_hull a, b;
        cd_sat_axis got;
        for (int k = 0; k < 8; ++k) {
            REALS(p[k])[u] = (cd_real)(side * corner[k][0]);
            REALS(p[k])[v] = (cd_real)corner[k][1];
            REALS(p[k])[w] = (cd_real)(up * corner[k][2]);
        }
        CHECK_INT(cd_hull3_build(&b, p, 8, NULL), CD_OK);
        for (int k = 0; k < 8; ++k) {
            REALS(p[k])[u] = (cd_real)(side * (k & 1 ? -0.5 : -3));
            REALS(p[k])[v] = (cd_real)(k & 2 ? -3 : 3);
            REALS(p[k])[w] = (cd_real)(up * (k & 4 ? -3 : 0.25));
        }
        CHECK_INT(cd_hull3_build(&a, p, 8, NULL), CD_OK);
        for (int swap = 0; swap < 2; ++swap) {
            cd_vec3 on_a, on_b;
            test_note("%d, swapped %d", i, swap);
            got = ASK("judge", cd_sat_hull_hull(swap ? &b : &a, swap ? &a : &b, NULL, NULL));
            on_a = swap ? got.b : got.a;
            on_b = swap ? got.a : got.b;
            CHECK_NEAR(got.separation, -0.25, PRECISION);
            CHECK_NEAR(REALS(on_a)[w], up * 0.25, PRECISION);
            CHECK_NEAR(REALS(on_b)[w], 0, PRECISION);
            CHECK_NEAR(side * (double)REALS(on_a)[u], -0.75, 0.25 + PRECISION);
            CHECK_NEAR(REALS(on_a)[v], 0, 1 + PRECISION);
        }
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
}

static void bad_input(void) {
    cd_hull none;
    cd_obb box, bad;
    cd_support ball = cd_support_of_point(cd_vec3_make(0, 0, 0)), nothing;
    cd_transform pose;
    memset(&none, 0, sizeof none);
    memset(&box, 0, sizeof box);
    memset(&pose, 0, sizeof pose);
    memset(&nothing, 0, sizeof nothing);
    box.axes = cd_quat_to_mat3(cd_quat_identity());
    bad = box;
    bad.half.x = -1;
    pose.position.x = (cd_real)NAN;
    CHECK_INT(cd_sat_hull_hull(&none, &none, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_sat_hull_hull(NULL, NULL, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK(!cd_sat_test_hull_hull(&none, &none, NULL, NULL));
    CHECK_INT(cd_sat_obb_obb(&box, &bad, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_sat_obb_obb(&bad, &box, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK(!cd_sat_test_obb_obb(&box, &bad, NULL, NULL));
    CHECK(!cd_sat_test_obb_obb(&bad, &box, NULL, NULL));
    bad = box;
    bad.axes.col[0].x = 3; /* no unit axis */
    CHECK(!cd_sat_test_obb_obb(&box, &bad, NULL, NULL));
    CHECK(!cd_sat_test_obb_obb(&bad, &box, NULL, NULL));
    CHECK_INT(cd_sat_obb_obb(&box, &box, &pose, NULL).status, CD_INVALID_ARGUMENT);
    CHECK(!cd_sat_test_obb_obb(&box, &box, &pose, NULL));
    CHECK_INT(cd_sat_obb_obb(&box, &box, NULL, NULL).status, CD_OK);
    CHECK_SAME(cd_sat_obb_obb(&box, &box, NULL, NULL).separation, 0);
    CHECK(cd_sat_test_obb_obb(&box, &box, NULL, NULL));
    CHECK_INT(cd_sat_convex(&ball, &nothing, NULL, NULL).status, CD_INVALID_ARGUMENT);
    ball.radius = 1;
    CHECK_INT(cd_sat_convex(&ball, &ball, NULL, NULL).status, CD_UNSUPPORTED);
}

/* Of two boxes that overlap as much along a face of each, a face of A is told; of one from the other side, too. */
static void of_equal_faces_that_of_a(void) {
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_support s = cd_support_of_aabb(&box);
    cd_hull hull;
    cd_vec3 p[8];
    for (int k = 0; k < 8; ++k) p[k] = cd_vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    CHECK_INT(cd_hull3_build(&hull, p, 8, NULL), CD_OK);
    for (int k = 0; k < 6; ++k) {
        cd_transform pose = cd_transform_identity();
        cd_vec3 by = cd_vec3_make(0, 0, 0);
        *(k < 2 ? &by.x : k < 4 ? &by.y : &by.z) = (cd_real)(k & 1 ? -1.75 : 1.75);
        pose.position = by;
        test_note("way %d", k);
        CHECK_INT(cd_sat_hull_hull(&hull, &hull, &pose, NULL).kind, CD_SAT_FACE_A);
        CHECK_INT(cd_sat_convex(&s, &s, &pose, NULL).kind, CD_SAT_FACE_A);
        CHECK_NEAR(cd_sat_hull_hull(&hull, &hull, &pose, NULL).separation, -0.25, 0);
    }
    cd_hull_destroy(&hull);
}

/* A sharp ridge below a short and blunt one that crosses it: across the two edges the bodies are farther apart than along any face, though
 * not farther than along a face as far as the nearest corners tell. */
static void ridges_across_each_other(void) {
    for (int swapped = 0; swapped < 2; ++swapped) {
        cd_hull hull[2];
        cd_vec3 p[2][6];
        cd_sat_axis got;
        for (int k = 0; k < 6; ++k) {
            cd_real end = k & 1 ? 1 : -1, side = k < 2 ? 0 : k < 4 ? 1 : -1;
            p[0][k] = cd_vec3_make(end, side, k < 2 ? 0 : -1);
            p[1][k] = cd_vec3_make(8 * side, end / 8, k < 2 ? 1 : 2);
        }
        for (int i = 0; i < 2; ++i)
            CHECK_INT(cd_hull3_build(&hull[i], p[swapped ? 1 - i : i], 6, NULL), CD_OK);
        got = cd_sat_hull_hull(&hull[0], &hull[1], NULL, NULL);
        CHECK_INT(got.kind, CD_SAT_EDGES);
        CHECK_NEAR(got.separation, 1, PRECISION);
        CHECK_VEC(got.normal, cd_vec3_make(0, 0, swapped ? -1 : 1), PRECISION);
        for (int i = 0; i < 2; ++i) cd_hull_destroy(&hull[i]);
    }
}

/* Three points in line are the segment of the two that are farthest from each other, whichever these are and wherever the origin is: a point
 * on the line is as far beyond its end as it should be, and one beside it is beside it. */
static void triangles_that_are_segments(void) {
    static const int at[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6 * 7; ++i) {
        cd_vec3 p[3], beyond[2], beside;
        cd_support a, b;
        double from = i / 6 - 3;
        for (int k = 0; k < 3; ++k) {
            double x = 2 * at[i % 6][k] - from;
            p[k] = cd_vec3_make((cd_real)x, (cd_real)(2 * x), (cd_real)(2 * x));
        }
        beyond[0] =
            cd_vec3_make((cd_real)(-1 - from), (cd_real)(2 * (-1 - from)), (cd_real)(2 * (-1 - from)));
        beyond[1] = cd_vec3_make((cd_real)(5 - from), (cd_real)(2 * (5 - from)), (cd_real)(2 * (5 - from)));
        beside =
            cd_vec3_make((cd_real)(1 - from), (cd_real)(2 * (1 - from) + 3), (cd_real)(2 * (1 - from) - 3));
        test_note("%d ", i);
        a = cd_support_of_points(p, 3);
        for (int k = 0; k < 2; ++k) {
            b = cd_support_of_point(beyond[k]);
            CHECK_NEAR(ASK("exact", cd_sat_convex(&a, &b, NULL, NULL)).separation, 3, 64 * PRECISION);
        }
        b = cd_support_of_point(beside);
        CHECK_NEAR(ASK("exact", cd_sat_convex(&a, &b, NULL, NULL)).separation, sqrt(18), 64 * PRECISION);
    }
}

/* Of a body that is so long that no face of it has a normal in doubles, whatever a cache tells. */
static void bodies_without_normals(void) {
    cd_vec3 p[4] = {{(cd_real)-0.3, (cd_real)-0.7, (cd_real)-0.5},
                    {(cd_real)-0.1, (cd_real)-0.9, (cd_real)-0.75},
                    {(cd_real)0.5, (cd_real)-0.9, (cd_real)-1},
                    {CD_REAL_MAX / 4, (cd_real)-0.15, (cd_real)-0.05}};
    cd_rect r = {
        {(cd_real)-0.4, (cd_real)0.3, (cd_real)0.3},
        {{(cd_real)-0.2, (cd_real)0.9, (cd_real)-0.5}, {(cd_real)-0.3, (cd_real)0.05, (cd_real)-0.75}}};
    cd_support a = cd_support_of_points(p, 4), b = cd_support_of_rect(&r);
    for (uint32_t kind = 0; kind < 8; ++kind) {
        cd_cache cache;
        cd_sat_axis axis;
        memset(&cache, 0x5f, sizeof cache);
        cache.words[0] = 0x53415400u | kind;
        axis = cd_sat_convex(&a, &b, NULL, &cache);
        CHECK_INT(axis.status, CD_OK);
        CHECK_NEAR(cd_vec3_length(axis.normal), 1, 1e-6);
        axis = cd_sat_convex(&b, &a, NULL, &cache);
        CHECK_INT(axis.status, CD_OK);
    }
}

/* A wedge across a hull whose face of four corners is folded along a diagonal, which is no edge of it. Is that what it goes by? */
static bool judge_folded(const cd_vec3 p[5], const cd_vec3 q[4], const cd_transform *pose) {
    static truth_pair pair;
    cd_hull_options options;
    cd_hull hull, wedge;
    bool diagonal = false;
    memset(&options, 0, sizeof options);
    options.merge_distance = (cd_real)0.03;
    if (cd_hull3_build(&hull, p, 5, &options) != CD_OK) return false;
    CHECK_INT(cd_hull3_build(&wedge, q, 4, NULL), CD_OK);
    if (cd_hull_get_parts(&hull).flatness > 0) {
        cd_support a = cd_support_of_hull(&hull), b = cd_support_of_hull(&wedge);
        double flat = (double)cd_hull_get_parts(&hull).flatness, tolerance = 16 * PRECISION;
        cd_cache cache;
        cd_sat_axis got, again;
        truth t;
        memset(&cache, 0, sizeof cache);
        truth_open(&pair, &a, &b, pose);
        t = truth_by_features(&pair);
        got = ASK("judge", cd_sat_hull_hull(&hull, &wedge, pose, &cache));
        again = ASK("judge", cd_sat_hull_hull(&hull, &wedge, pose, &cache));
        CHECK((double)got.separation <= (double)t.upper + tolerance);
        if (t.upper < 0) CHECK((double)got.separation >= (double)t.lower - flat - tolerance);
        CHECK_NEAR(again.separation, got.separation, tolerance);
        CHECK_VEC(cd_vec3_sub(got.b, got.a), cd_vec3_scale(got.normal, got.separation), tolerance);
        diagonal = got.kind == CD_SAT_EDGES && CD_FEATURE_KIND(got.feature_a) == CD_FEATURE_FACE;
        if (diagonal) CHECK_INT(again.feature_a, got.feature_a);
    }
    cd_hull_destroy(&hull);
    cd_hull_destroy(&wedge);
    return diagonal;
}

static cd_vec3 at_tenths(int x, int y, double z) {
    return cd_vec3_make((cd_real)(x / 10.0), (cd_real)(y / 10.0), (cd_real)z);
}

static void faces_folded_along_a_diagonal(void) {
    test_rng rng = test_random();
    cd_vec3 p[5], q[4];
    cd_transform pose = cd_transform_identity();
    long seen = 0, all = test_times(2000);
    q[2] = at_tenths(-50, 0, 5);
    q[3] = at_tenths(50, 0, 5);
    p[4] = at_tenths(0, 0, -1);
    /* Without the diagonal the depth is 0.55 instead of 0.094. */
    p[0] = at_tenths(3, 8, -0.04);
    p[1] = at_tenths(-8, 0, -0.01);
    p[2] = at_tenths(-7, 0, -0.02);
    p[3] = at_tenths(7, 5, 0);
    q[0] = at_tenths(10, -50, 0);
    q[1] = at_tenths(-10, 50, 0);
    pose.position = at_tenths(0, -5, -0.1);
    test_note("by hand");
    CHECK(judge_folded(p, q, &pose));
    for (long i = 0; i < all; ++i) {
        int x = test_int(&rng, -2, 2), y = test_int(&rng, 1, 5), z = test_int(&rng, -6, 6);
        for (int k = 0; k < 4; ++k)
            p[k] = at_tenths(test_int(&rng, -10, 10), test_int(&rng, -10, 10), test_int(&rng, -4, 0) / 100.0);
        q[0] = at_tenths(5 * x, -10 * y, -z / 10.0);
        q[1] = at_tenths(-5 * x, 10 * y, z / 10.0);
        pose.position = at_tenths(test_int(&rng, -5, 5), test_int(&rng, -5, 5), -0.1);
        test_note("");
        test_note_reals("p", REALS(p[0]), 15);
        test_note_reals("q", REALS(q[0]), 12);
        test_note_reals("at", REALS(pose.position), 3);
        seen += judge_folded(p, q, &pose);
    }
    CHECK_SEEN(all < 1000 || seen > all / 100);
}

void suite_sat(void) {
    RUN(faces_folded_along_a_diagonal);
    RUN(of_equal_faces_that_of_a);
    RUN(ridges_across_each_other);
    RUN(triangles_that_are_segments);
    RUN(bodies_without_normals);
    RUN(hulls_as_all_axes_say);
    RUN(caches_only_hint);
    RUN(boxes_as_all_axes_say);
    RUN(caches_of_boxes_hint_too);
    RUN(nearly_parallel_boxes);
    RUN(collected_cases);
    RUN(any_two_polyhedra);
    RUN(flat_things_in_one_plane);
    RUN(the_middle_of_a_border);
    RUN(slopes_of_next_to_nothing);
    RUN(bad_input);
}
