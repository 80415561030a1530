/* Rays and nearest things among many, against the calls for two, bit for bit. */
#include "parts.h"
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };

/* Things of every kind for one case. */
typedef struct scene {
    cd_triangle triangles[MOST];
    cd_triangle8 triangle8s[(MOST + 7) / 8];
    cd_aabb boxes[MOST];
    cd_aabb8 aabb8s[(MOST + 7) / 8];
    cd_ray rays[MOST];
    cd_vec3 points[MOST];
    size_t count, seen;
} scene;

static size_t any_count(test_rng *rng) {
    return (size_t)(test_int(rng, 0, 60) ? test_int(rng, 0, 40) : test_int(rng, 900, MOST));
}

/* Numbers that break things among them, or numbers of any size. */
static void spoil(gen *g, cd_real *numbers, int count) {
    if (!test_int(g->rng, 0, 20)) numbers[test_int(g->rng, 0, count - 1)] = gen_any_real(g->rng);
    if (test_int(g->rng, 0, 20)) return;
    numbers[test_int(g->rng, 0, count - 1)] =
        (cd_real)gen_bad_numbers[test_int(g->rng, 0, gen_bad_count - 1)];
}

/* Toward a corner or a point of an edge, now and then; starting there or behind it. */
static cd_ray any_ray(gen *g, const cd_triangle *t, cd_aabb b) {
    cd_ray r;
    cd_vec3 to = test_int(g->rng, 0, 1) ? t->b : b.max;
    r.origin = gen_point(g);
    r.dir = gen_direction(g);
    if (test_int(g->rng, 0, 1)) r.dir = cd_vec3_sub(to, r.origin);
    if (!test_int(g->rng, 0, 9)) r.origin = to;
    if (!test_int(g->rng, 0, 9)) r.origin = t->a, r.dir = cd_vec3_sub(t->b, t->a);
    if (!test_int(g->rng, 0, 9)) (&r.dir.x)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 30)) r.dir = cd_vec3_make(0, 0, 0);
    spoil(g, REALS(r), 6);
    return r;
}

static void fill(scene *s, gen *g) {
    s->count = any_count(g->rng);
    for (size_t i = 0; i < s->count; ++i) {
        bool again = i && !test_int(g->rng, 0, 3);
        s->triangles[i] = again ? gen_triangle_near(g, &s->triangles[i - 1]) : gen_triangle(g);
        s->boxes[i] = gen_aabb(g);
        s->points[i] = gen_point(g);
        spoil(g, REALS(s->triangles[i]), 9);
        spoil(g, REALS(s->boxes[i]), 6);
        spoil(g, REALS(s->points[i]), 3);
        s->rays[i] =
            any_ray(g, &s->triangles[test_int(g->rng, 0, (int)i)], s->boxes[test_int(g->rng, 0, (int)i)]);
    }
    CHECK_INT(cd_triangle8_pack(s->triangles, s->count, s->triangle8s), (s->count + 7) / 8);
    CHECK_INT(cd_aabb8_pack(s->boxes, s->count, s->aabb8s), (s->count + 7) / 8);
    CHECK_INT(cd_triangle8_pack(s->triangles, s->count, NULL), (s->count + 7) / 8);
}

static cd_real any_end(gen *g) {
    int which = test_int(g->rng, 0, 9);
    if (which < 5) return CD_REAL_MAX;
    if (which < 6) return (cd_real)cdi_infinity();
    if (which < 7) return (cd_real)cdi_nan();
    return which < 8 ? gen_any_real(g->rng) : (cd_real)test_range(g->rng, -1, 3);
}

static bool passes(void *user, uint32_t index) {
    return index % 3 != *(const uint32_t *)user;
}

static cd_cast_options any_options(test_rng *rng, uint32_t *spared) {
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    *spared = (uint32_t)test_int(rng, 0, 2);
    if (!test_int(rng, 0, 2)) o.filter = passes;
    o.user = spared;
    if (test_int(rng, 0, 1)) return o;
    o.flags = (uint32_t)test_int(rng, 0, 31);
    o.t_min = (cd_real)test_range(rng, -1, 1);
    if (test_int(rng, 0, 1)) o.t_min = (cd_real)test_int(rng, -1, 1);
    return o;
}

/* ---- one ray, many triangles ---- */

/* t as the call for one has it before it is rounded. */
static double exact_t(const cd_ray *r, cd_real t_max, const cd_triangle *t, const cd_cast_options *o) {
    cdi_cast c;
    cdi_ray ray;
    cdi_tri tri = cdi_tri_of(t);
    cdi_tri_hit h;
    h.t = 0.0;
    if (!cdi_cast_begin(&c, r, t_max, o) || !cdi_ray_prepare(&ray, &c)) return 0.0;
    CHECK(cdi_ray_tri(&ray, &tri, c.flags, c.t_max, &h));
    return h.t;
}

static bool first_of(const scene *s, const cd_ray *r, cd_real t_max, const cd_cast_options *o, cd_hit *best) {
    double least = 0.0;
    bool found = false;
    for (size_t i = 0; i < s->count; ++i) {
        cd_hit hit;
        double t;
        if (!cd_cast_ray_triangle(r, t_max, &s->triangles[i], o, &hit)) continue;
        if (o && o->filter && !o->filter(o->user, (uint32_t)i)) continue;
        t = exact_t(r, t_max, &s->triangles[i], o);
        if (found && t >= least) continue;
        found = true;
        least = t;
        *best = hit;
        best->index = (uint32_t)i;
    }
    return found;
}

/* All but the padding at the end. */
static bool same_hits(const cd_hit *a, const cd_hit *b) {
    return memcmp(a, b, offsetof(cd_hit, flags) + sizeof a->flags) == 0;
}

static void check_ray(scene *s, const cd_ray *r, cd_real t_max, const cd_cast_options *o) {
    cd_hit want, got, untouched;
    bool hit;
    memset(&want, 7, sizeof want);
    untouched = want;
    hit = first_of(s, r, t_max, o, &want);
    test_note("ray against %d triangles", (int)s->count);
    test_note_reals("ray", &r->origin.x, 6);
    got = untouched;
    CHECK_INT(ASK("loop", cd_cast_ray_triangles(r, t_max, s->triangles, s->count, o, &got)), hit);
    CHECK(same_hits(&got, &want));
    got = untouched;
    CHECK_INT(ASK("loop", cd_cast_ray_triangle8s(r, t_max, s->triangle8s, s->count, o, &got)), hit);
    CHECK(same_hits(&got, &want));
    CHECK_INT(ASK("loop", cd_cast_ray_triangles(r, t_max, s->triangles, s->count, o, NULL)), hit);
    s->seen += hit;
}

static void the_nearest_triangle_of_a_ray(void) {
    test_rng rng = test_random();
    scene *s = (scene *)malloc(sizeof *s);
    s->seen = 0;
    for (long i = test_times(2500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        uint32_t spared;
        cd_cast_options o = any_options(&rng, &spared);
        fill(s, &g);
        for (size_t k = 0; k < s->count && k < 4; ++k)
            check_ray(s, &s->rays[k], any_end(&g), test_int(&rng, 0, 3) ? &o : NULL);
    }
    CHECK_SEEN(s->seen > 100);
    free(s);
}

/* ---- many rays, one triangle ---- */

static void check_rays(scene *s, gen *g, const cd_triangle *t, const cd_cast_options *o) {
    static cd_hit hits[MOST];
    static cd_real ends[MOST];
    const cd_real *end = test_int(g->rng, 0, 1) ? ends : NULL;
    size_t found = 0, want = 0;
    for (size_t i = 0; i < s->count; ++i) ends[i] = any_end(g);
    found = ASK("loop", cd_cast_rays_triangle(s->rays, end, s->count, t, o, hits));
    CHECK_INT(ASK("loop", cd_cast_rays_triangle(s->rays, end, s->count, t, o, NULL)), found);
    for (size_t i = 0; i < s->count; ++i) {
        cd_hit hit;
        memset(&hit, 0, sizeof hit);
        hit.index = CD_NONE;
        want += cd_cast_ray_triangle(&s->rays[i], end ? end[i] : CD_REAL_MAX, t, o, &hit);
        test_note("ray %d of %d", (int)i, (int)s->count);
        test_note_reals("ray", REALS(s->rays[i]), 6);
        test_note_reals("triangle", &t->a.x, 9);
        if (!CHECK(same_hits(&hits[i], &hit))) break;
    }
    CHECK_INT(found, want);
    s->seen += found;
}

static void many_rays_on_a_triangle(void) {
    test_rng rng = test_random();
    scene *s = (scene *)malloc(sizeof *s);
    s->seen = 0;
    for (long i = test_times(2500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        uint32_t spared;
        cd_cast_options o = any_options(&rng, &spared);
        fill(s, &g);
        if (s->count) check_rays(s, &g, &s->triangles[0], test_int(&rng, 0, 1) ? &o : NULL);
    }
    CHECK_SEEN(s->seen > 100);
    free(s);
}

/* ---- boxes ---- */

/* The hits of a list are those of `want`, in order, and what is behind the capacity is left alone. */
static void check_hits(const bool *want, size_t count, size_t got, const uint32_t *hits, size_t capacity) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!want[i]) continue;
        if (found < capacity) CHECK_INT(hits[found], i);
        ++found;
    }
    CHECK_INT(got, found);
    for (size_t i = found < capacity ? found : capacity; i < MOST; ++i) {
        if (hits[i] != 12345) CHECK_INT(hits[i], 12345);
    }
}

static void blank(uint32_t *hits) {
    for (int i = 0; i < MOST; ++i) hits[i] = 12345;
}

static void check_boxes(scene *s, gen *g) {
    static bool want[MOST];
    static uint32_t hits[MOST];
    cd_ray r = s->rays[0];
    cd_real end = any_end(g);
    size_t count = s->count, capacity = (size_t)test_int(g->rng, 0, MOST), first;
    test_note("a ray and %d boxes to %a", (int)count, (double)end);
    test_note_reals("ray", REALS(r), 6);
    for (size_t i = 0; i < count; ++i) {
        want[i] = cd_cast_ray_aabb(&r, end, s->boxes[i], NULL, NULL);
        s->seen += want[i];
    }
    blank(hits);
    check_hits(want, count, ASK("loop", cd_test_ray_aabbs(&r, end, s->boxes, count, hits, capacity)), hits,
               capacity);
    blank(hits);
    check_hits(want, count, ASK("loop", cd_test_ray_aabb8s(&r, end, s->aabb8s, count, hits, capacity)), hits,
               capacity);
    first = (size_t)test_int(g->rng, 0, (int)count);
    blank(hits);
    check_hits(want + first, count - first,
               ASK("loop", cd_test_ray_aabbs(&r, end, s->boxes + first, count - first, hits, capacity)), hits,
               capacity);
    for (size_t i = 0; i < count; ++i) want[i] = cd_cast_ray_aabb(&s->rays[i], end, s->boxes[0], NULL, NULL);
    blank(hits);
    check_hits(want, count, ASK("loop", cd_test_rays_aabb(s->rays, count, end, s->boxes[0], hits, capacity)),
               hits, capacity);
}

static void rays_and_boxes(void) {
    test_rng rng = test_random();
    scene *s = (scene *)malloc(sizeof *s);
    s->seen = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        fill(s, &g);
        if (s->count) check_boxes(s, &g);
    }
    CHECK_SEEN(s->seen > 100);
    free(s);
}

/* The range ends at a hit, or beside it; of any scale, where small numbers have lost digits. */
static void boxes_at_the_end_of_the_range(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        int least = sizeof(cd_real) == 8 ? -1060 : -140;
        double scale = test_int(&rng, 0, 2) ? 1.0 : ldexp(1.0, test_int(&rng, least, 60));
        cd_real number[12];
        uint32_t index;
        cd_ray r;
        cd_vec3 corner[2];
        cd_aabb b;
        cd_hit hit;
        bool meet;
        for (int k = 0; k < 12; ++k) number[k] = (cd_real)(test_range(&rng, -1, 1) * scale);
        r.origin = cd_vec3_make(number[0], number[1], number[2]);
        corner[0] = cd_vec3_make(number[3], number[4], number[5]);
        corner[1] = cd_vec3_make(number[6], number[7], number[8]);
        b = cd_aabb_from_points(corner, 2);
        r.dir = cd_vec3_sub(cd_vec3_scale(cd_vec3_add(b.min, b.max), (cd_real)0.5), r.origin);
        if (number[9] > 0) r.dir = cd_vec3_sub(b.min, r.origin);
        if (!cd_cast_ray_aabb(&r, CD_REAL_MAX, b, NULL, &hit)) continue;
        if (number[10] > 0) hit.t *= 1 + (cd_real)test_int(&rng, -3, 3) * CD_REAL_EPSILON;
        meet = cd_cast_ray_aabb(&r, hit.t, b, NULL, NULL);
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("box", REALS(b), 6);
        CHECK_INT(cd_test_ray_aabbs(&r, hit.t, &b, 1, &index, 1), meet);
        CHECK_INT(cd_test_rays_aabb(&r, 1, hit.t, b, &index, 1), meet);
    }
}

/* Floats by which a filter that did not widen the end of the range lost the box. */
static void a_box_at_the_end_of_the_range(void) {
    const float v[13] = {
        -0.768424153f,  0.242647618f, 0.20797573f,   0.925075471f, -0.625837088f, 0,           0.793090343f,
        -0.0347557366f, -0.58491075f, -0.205386505f, 0.268552631f, 0.242647618f,  0.386928827f};
    cd_ray r;
    cd_aabb b;
    uint32_t index;
    r.origin = cd_vec3_make(v[0], v[1], v[2]);
    r.dir = cd_vec3_make(v[3], v[4], v[5]);
    b.min = cd_vec3_make(v[7], v[8], v[9]);
    b.max = cd_vec3_make(v[10], v[11], v[12]);
    CHECK_INT(cd_test_ray_aabbs(&r, v[6], &b, 1, &index, 1), cd_cast_ray_aabb(&r, v[6], b, NULL, NULL));
}

#ifdef COLLIDE_DOUBLE
/* Parameters beyond the greatest number are cut there. */
static void boxes_beyond_all_numbers(void) {
    cd_ray r = {{-2e146, 1e146, -1e146}, {1e-268, 0, 0}};
    cd_aabb b = {{-1e146, -1e146, -3e146}, {-1e146, 3e146, -1e146}};
    uint32_t index;
    CHECK_INT(cd_test_ray_aabbs(&r, CD_REAL_MAX, &b, 1, &index, 1),
              cd_cast_ray_aabb(&r, CD_REAL_MAX, b, NULL, NULL));
    CHECK_INT(cd_test_ray_aabbs(&r, CD_REAL_MAX * (1 - CD_REAL_EPSILON), &b, 1, &index, 1),
              cd_cast_ray_aabb(&r, CD_REAL_MAX * (1 - CD_REAL_EPSILON), b, NULL, NULL));
}
#endif

/* ---- nearest ---- */

static double exact_sqdist(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    if (!cd_vec3_is_valid(p) || !cdi_tri_finite(&d)) return cdi_nan();
    return cdi_near_triangle(cdi_v3_of(p), &d).sqdist;
}

/* The index of the least number, not NaN; -1 for none. */
static long least_of(const double *x, size_t count) {
    long best = -1;
    for (size_t i = 0; i < count; ++i) {
        if (x[i] == x[i] && (best < 0 || x[i] < x[best])) best = (long)i;
    }
    return best;
}

static void check_nearest_triangle(const scene *s, cd_vec3 p) {
    static double sqdist[MOST];
    cd_closest want, got, untouched;
    long best;
    memset(&untouched, 7, sizeof untouched);
    for (size_t i = 0; i < s->count; ++i) sqdist[i] = exact_sqdist(p, &s->triangles[i]);
    best = least_of(sqdist, s->count);
    want = got = untouched;
    if (best >= 0) {
        want = cd_closest_pts_point_triangle(p, &s->triangles[best]);
        want.index_b = (uint32_t)best;
    }
    CHECK_INT(ASK("loop", cd_closest_pts_point_triangles(p, s->triangles, s->count, &got)), best >= 0);
    CHECK(memcmp(&got, &want, sizeof got) == 0);
    got = untouched;
    CHECK_INT(ASK("loop", cd_closest_pts_point_triangle8s(p, s->triangle8s, s->count, &got)), best >= 0);
    CHECK(memcmp(&got, &want, sizeof got) == 0);
}

static void check_nearest_point(const scene *s, const cd_triangle *t) {
    static double sqdist[MOST];
    cd_closest want, got;
    long best;
    memset(&want, 7, sizeof want);
    got = want;
    for (size_t i = 0; i < s->count; ++i) sqdist[i] = exact_sqdist(s->points[i], t);
    best = least_of(sqdist, s->count);
    if (best >= 0) {
        want = cd_closest_pts_point_triangle(s->points[best], t);
        want.index_a = (uint32_t)best;
    }
    CHECK_INT(ASK("loop", cd_closest_pts_points_triangle(s->points, s->count, t, &got)), best >= 0);
    CHECK(memcmp(&got, &want, sizeof got) == 0);
}

static void nearest_of_many(void) {
    test_rng rng = test_random();
    scene *s = (scene *)malloc(sizeof *s);
    for (long i = test_times(2250); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p = gen_point(&g);
        cd_triangle t = gen_triangle(&g);
        fill(s, &g);
        if (!test_int(&rng, 0, 3) && s->count) p = s->triangles[0].c;
        test_note("%d triangles", (int)s->count);
        test_note_reals("p", REALS(p), 3);
        check_nearest_triangle(s, p);
        test_note_reals("triangle", REALS(t), 9);
        check_nearest_point(s, &t);
    }
    free(s);
}

/* ---- none at all ---- */

static void nothing_gives_nothing(void) {
    cd_ray r = {{0, 0, 0}, {1, 0, 0}};
    cd_triangle t = {{1, 0, 0}, {1, 1, 0}, {1, 0, 1}};
    cd_aabb b = {{0, 0, 0}, {1, 1, 1}};
    cd_vec3 p = {0, 0, 0};
    CHECK(!cd_cast_ray_triangles(&r, 1, NULL, 0, NULL, NULL));
    CHECK(!cd_cast_ray_triangle8s(&r, 1, NULL, 0, NULL, NULL));
    CHECK_INT(cd_cast_rays_triangle(NULL, NULL, 0, &t, NULL, NULL), 0);
    CHECK_INT(cd_test_ray_aabbs(&r, 1, NULL, 0, NULL, 0), 0);
    CHECK_INT(cd_test_ray_aabb8s(&r, 1, NULL, 0, NULL, 0), 0);
    CHECK_INT(cd_test_rays_aabb(NULL, 0, 1, b, NULL, 0), 0);
    CHECK(!cd_closest_pts_point_triangles(p, NULL, 0, NULL));
    CHECK(!cd_closest_pts_point_triangle8s(p, NULL, 0, NULL));
    CHECK(!cd_closest_pts_points_triangle(NULL, 0, &t, NULL));
    CHECK_INT(cd_triangle8_pack(NULL, 0, NULL), 0);
    CHECK_INT(cd_aabb8_pack(NULL, 0, NULL), 0);
}

void suite_batch_rays(void) {
    RUN(the_nearest_triangle_of_a_ray);
    RUN(many_rays_on_a_triangle);
    RUN(rays_and_boxes);
    RUN(boxes_at_the_end_of_the_range);
    RUN(a_box_at_the_end_of_the_range);
#ifdef COLLIDE_DOUBLE
    RUN(boxes_beyond_all_numbers);
#endif
    RUN(nearest_of_many);
    RUN(nothing_gives_nothing);
}
