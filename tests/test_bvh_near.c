/* What of a tree is nearest, against a loop over all primitives: every kind of item and layout, the k nearest, masks and
 * filters, ties, every distance. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A tree and what it was built over. */
typedef struct scene {
    cd_bvh tree;
    uint32_t kind, count;
    bool custom; /* boxes stand for the triangles */
    cd_triangle *triangles;
    cd_aabb *boxes;
    cd_vec3 *points;
    uint32_t *masks; /* NULL: none */
} scene;

static cd_vec3 read_corner(const scene *s, uint32_t i, int corner) {
    const cd_triangle *t = &s->triangles[i];
    return corner == 0 ? t->a : corner == 1 ? t->b : t->c;
}

static bool own_closest(void *user, uint32_t index, cd_vec3 p, cd_real max_distance, cd_closest *out) {
    const scene *s = (const scene *)user;
    cd_closest c = cd_closest_pts_point_triangle(p, &s->triangles[index]);
    if (!((double)c.sqdist <= (double)max_distance * (double)max_distance)) return false;
    *out = c;
    return true;
}

static cd_bvh_custom own;

static void build_mesh(scene *s, const cd_bvh_options *o) {
    cd_vec3 *vertices = (cd_vec3 *)malloc(3 * s->count * sizeof *vertices);
    uint32_t *indices = (uint32_t *)malloc(3 * s->count * sizeof *indices);
    cd_mesh_view view;
    for (uint32_t i = 0; i < 3 * s->count; ++i) {
        vertices[i] = read_corner(s, i / 3, (int)(i % 3));
        indices[i] = i;
    }
    view = cd_mesh_view_make(vertices, 3 * s->count, indices, s->count);
    if (cd_bvh_build_mesh(&s->tree, &view, o) != CD_OK) abort();
    free(vertices);
    free(indices);
}

/* Things of one kind of numbers; kind 3: boxes that stand for triangles. */
static void scene_begin(scene *s, test_rng *rng, uint32_t kind, uint32_t count, gen_kind numbers) {
    gen g = gen_begin(rng, numbers);
    cd_bvh_options o;
    memset(s, 0, sizeof *s);
    memset(&o, 0, sizeof o);
    s->kind = kind == 3 ? (uint32_t)CD_BVH_BOXES : kind;
    s->custom = kind == 3;
    s->count = count;
    s->triangles = (cd_triangle *)malloc(count * sizeof *s->triangles);
    s->boxes = (cd_aabb *)malloc(count * sizeof *s->boxes);
    s->points = (cd_vec3 *)malloc(count * sizeof *s->points);
    if (test_int(rng, 0, 1)) s->masks = (uint32_t *)malloc(count * sizeof *s->masks);
    for (uint32_t i = 0; i < count; ++i) {
        s->triangles[i] = gen_triangle(&g);
        if (i > 0 && !test_int(rng, 0, 3))
            s->triangles[i] = gen_triangle_near(&g, &s->triangles[test_int(rng, 0, (int)i - 1)]);
        s->boxes[i] = s->custom ? cd_aabb_from_points(&s->triangles[i].a, 3) : gen_aabb(&g);
        s->points[i] = gen_point(&g);
        if (s->masks) s->masks[i] = (uint32_t)test_int(rng, 0, 7);
    }
    o.layout = (uint32_t)test_int(rng, 0, s->kind == CD_BVH_TRIANGLES ? 3 : 2);
    o.leaf_size = (uint32_t)test_int(rng, 0, 9);
    o.masks = s->masks;
    if (s->kind == CD_BVH_TRIANGLES) {
        o.flags = test_int(rng, 0, 1) ? (uint32_t)CD_BVH_INDEXED : 0u;
        build_mesh(s, &o);
    } else if (s->kind == CD_BVH_POINTS) {
        if (cd_bvh_build_points(&s->tree, s->points, count, &o) != CD_OK) abort();
    } else {
        if (cd_bvh_build_boxes(&s->tree, s->boxes, count, &o) != CD_OK) abort();
    }
    own.user = s;
    own.closest = own_closest;
    if (s->custom) s->tree.custom = &own;
}

static void scene_end(scene *s) {
    cd_bvh_destroy(&s->tree);
    free(s->triangles);
    free(s->boxes);
    free(s->points);
    free(s->masks);
}

/* ---- by force ---- */

typedef struct answer {
    double sqdist; /* before it is rounded */
    uint32_t index;
    cd_closest closest;
} answer;

static answer answer_of(const scene *s, cd_vec3 p, uint32_t i) {
    answer a;
    memset(&a, 0, sizeof a);
    a.index = i;
    if (s->custom || s->kind == CD_BVH_TRIANGLES) {
        cdi_tri t = cdi_tri_of(&s->triangles[i]);
        a.closest = cd_closest_pts_point_triangle(p, &s->triangles[i]);
        a.sqdist = s->custom ? (double)a.closest.sqdist : cdi_near_triangle(cdi_v3_of(p), &t).sqdist;
    } else if (s->kind == CD_BVH_BOXES) {
        a.closest = cd_closest_pts_point_aabb(p, s->boxes[i]);
        a.sqdist = cdi_sqdist_box(cdi_v3_of(p), cdi_v3_of(s->boxes[i].min), cdi_v3_of(s->boxes[i].max));
    } else {
        cdi_v3 way = cdi_v3_sub(cdi_v3_of(s->points[i]), cdi_v3_of(p));
        a.sqdist = cdi_v3_sqlength(way);
        a.closest.a = p;
        a.closest.b = s->points[i];
        a.closest.sqdist = (cd_real)a.sqdist;
        a.closest.feature_b = CD_FEATURE(1u, 0u);
    }
    a.closest.index_b = i;
    return a;
}

static int compare_answers(const void *a, const void *b) {
    const answer *p = (const answer *)a, *q = (const answer *)b;
    if (p->sqdist != q->sqdist) return p->sqdist < q->sqdist ? -1 : 1;
    return p->index < q->index ? -1 : 1;
}

/* All within the distance that the filter lets through, the nearest first. */
static size_t by_force(const scene *s, cd_vec3 p, cd_real most, const cd_filter *f, answer *out) {
    size_t count = 0;
    double limit = fmin((double)most * (double)most, CDI_HUGE);
    for (uint32_t i = 0; i < s->count; ++i) {
        answer a = answer_of(s, p, i);
        if (!(most >= 0) || !(a.sqdist <= limit)) continue;
        if (f && s->masks && (s->masks[i] & f->ignore_mask)) continue;
        if (f && f->filter && !f->filter(f->user, i)) continue;
        out[count++] = a;
    }
    qsort(out, count, sizeof *out, compare_answers);
    return count;
}

static bool odd_only(void *user, uint32_t index) {
    (void)user;
    return index % 2 == 1;
}

/* ---- inputs ---- */

static cd_vec3 hard_point(test_rng *rng, const scene *s, gen_kind numbers) {
    gen g = gen_begin(rng, numbers);
    uint32_t i = (uint32_t)test_int(rng, 0, (int)s->count - 1);
    cd_aabb b = cd_bvh_bounds(&s->tree);
    cd_vec3 p;
    switch (test_int(rng, 0, 5)) {
    case 0:
        p = s->kind == CD_BVH_POINTS  ? s->points[i]
            : s->kind == CD_BVH_BOXES ? s->boxes[i].max
                                      : s->triangles[i].b;
        break;
    case 1: p = cd_vec3_lerp(b.min, b.max, (cd_real)0.5); break;
    case 2:
        p = s->kind == CD_BVH_POINTS ? cd_vec3_lerp(s->points[i], s->points[0], (cd_real)0.5)
                                     : cd_vec3_lerp(s->triangles[i].a, s->triangles[i].c, (cd_real)0.5);
        break;
    case 3: p = cd_vec3_lerp(b.min, b.max, (cd_real)test_range(rng, -3, 3)); break;
    default: p = gen_point(&g);
    }
    if (!test_int(rng, 0, 15)) p = cd_vec3_scale(p, 1000);
    return p;
}

/* No limit, nothing, that to one of them exactly or nearly, or anything. */
static cd_real hard_distance(test_rng *rng, const scene *s, cd_vec3 p) {
    double sqdist = answer_of(s, p, (uint32_t)test_int(rng, 0, (int)s->count - 1)).sqdist;
    switch (test_int(rng, 0, 9)) {
    case 0: return 0;
    case 1: return CD_REAL_MAX;
    case 2: return (cd_real)NAN;
    case 3: return -1;
    case 4:
    case 5: return (cd_real)sqrt(sqdist);
    case 6: return (cd_real)(sqrt(sqdist) * test_range(rng, 0, 2));
    default: return (cd_real)INFINITY;
    }
}

/* ---- the checks ---- */

static void check_closest(const scene *s, cd_vec3 p, cd_real most, const cd_filter *f, const answer *want,
                          size_t count) {
    cd_closest got, untouched;
    cd_filter all = {0, NULL, NULL};
    memset(&untouched, 0x5A, sizeof untouched);
    got = untouched;
    CHECK_INT(ASK("loop", cd_bvh_closest(&s->tree, p, most, f, &got)), count > 0);
    CHECK(!memcmp(&got, count ? &want[0].closest : &untouched, sizeof got));
    CHECK_INT(ASK("loop", cd_bvh_closest(&s->tree, p, most, f ? f : &all, NULL)), count > 0);
    CHECK_INT(ASK("loop", cd_bvh_test_distance(&s->tree, p, most, f)), count > 0);
}

static void check_k(test_rng *rng, const scene *s, cd_vec3 p, cd_real most, const cd_filter *f,
                    const answer *want, size_t count) {
    size_t n = s->count, k = (size_t)test_int(rng, 0, test_int(rng, 0, 1) ? 9 : (int)n + 1), found;
    cd_closest *got = (cd_closest *)malloc((n + 2) * sizeof *got);
    memset(got, 0x5A, (n + 2) * sizeof *got);
    if (k > n + 1) k = n + 1;
    found = ASK("loop", cd_bvh_closest_k(&s->tree, p, k, most, f, got));
    test_note("k %d of %d, kind %u%s", (int)k, (int)n, s->kind, s->custom ? " of the caller's" : "");
    CHECK_INT(found, k < count ? k : count);
    for (size_t i = 0; i < found; ++i) CHECK(!memcmp(&got[i], &want[i].closest, sizeof got[i]));
    for (size_t i = 0; i < sizeof *got; ++i) CHECK(((unsigned char *)&got[k])[i] == 0x5A);
    found = ASK("loop", cd_bvh_closest_k(&s->tree, p, n + 1, most, f, got)); /* all, and room is left */
    CHECK_INT(found, count);
    for (size_t i = 0; i < found; ++i) CHECK_INT(got[i].index_b, want[i].index);
    free(got);
}

static void check_scene(test_rng *rng, const scene *s, gen_kind numbers, int *ties) {
    answer *want = (answer *)malloc(s->count * sizeof *want);
    for (int i = 0; i < 12; ++i) {
        cd_vec3 p = hard_point(rng, s, numbers);
        cd_real most;
        cd_filter f = {0, NULL, NULL};
        const cd_filter *given = test_int(rng, 0, 1) ? &f : NULL;
        size_t count;
        if (!cd_vec3_is_valid(p)) continue;
        most = hard_distance(rng, s, p);
        f.ignore_mask = (uint32_t)test_int(rng, 0, 4);
        if (test_int(rng, 0, 1)) f.filter = odd_only;
        test_note("kind %u%s, %u of numbers %d, layout %u, at most %a", s->kind,
                  s->custom ? " of the caller's" : "", s->count, (int)numbers, cd_bvh_get_layout(&s->tree),
                  (double)most);
        test_note_reals("p", REALS(p), 3);
        count = by_force(s, p, most, given, want);
        *ties += count > 1 && want[0].sqdist == want[1].sqdist;
        check_closest(s, p, most, given, want, count);
        check_k(rng, s, p, most, given, want, count);
    }
    free(want);
}

static void all_kinds_equal_a_loop(void) {
    test_rng rng = test_random();
    int ties = 0;
    for (long i = test_times(900); i > 0; --i) {
        gen_kind numbers = (gen_kind)test_int(&rng, 0, GEN_KINDS - 1);
        uint32_t count = (uint32_t)test_int(&rng, 1, test_int(&rng, 0, 3) ? 40 : 200);
        uint32_t kind = (uint32_t)test_int(&rng, 0, 3);
        scene s;
        scene_begin(&s, &rng, kind, count, numbers);
        check_scene(&rng, &s, numbers, &ties);
        scene_end(&s);
    }
    CHECK_SEEN(ties > 20);
}

static cd_vec3 last_digits(test_rng *rng, cd_vec3 base, int most) {
    for (int k = 0; k < 3; ++k) REALS(base)[k] += CD_REAL_EPSILON * (cd_real)test_int(rng, 0, most);
    return base;
}

/* Triangles of a few units in the last place: the nearest point of one is rounded, to a place nearer than it is, or
 * farther. */
static void tiny_triangles_equal_a_loop(void) {
    test_rng rng = test_random();
    enum { N = 40 };
    for (long i = test_times(300); i > 0; --i) {
        cd_vec3 base = cd_vec3_make((cd_real)1.3, (cd_real)1.5, (cd_real)1.7), p;
        cd_triangle list[N];
        cd_bvh_options o;
        answer want[N];
        scene s;
        memset(&s, 0, sizeof s);
        memset(&o, 0, sizeof o);
        s.triangles = list;
        s.count = N;
        o.layout = (uint32_t)(i % 4);
        o.flags = test_int(&rng, 0, 1) ? (uint32_t)CD_BVH_INDEXED : 0u;
        int most = 1 << test_int(&rng, 2, 8);
        for (int k = 0; k < N; ++k) {
            list[k].a = last_digits(&rng, base, most);
            list[k].b = last_digits(&rng, base, most);
            list[k].c = last_digits(&rng, base, most);
        }
        build_mesh(&s, &o);
        for (int k = 0; k < 20; ++k) {
            p = last_digits(&rng, base, most);
            test_note_reals("p", REALS(p), 3);
            size_t count = by_force(&s, p, 1, NULL, want);
            check_closest(&s, p, 1, NULL, want, count);
            check_k(&rng, &s, p, 1, NULL, want, count);
        }
        cd_bvh_destroy(&s.tree);
    }
}

static void named_meshes_equal_a_loop(void) {
    test_rng rng = test_random();
    gen_named_mesh meshes[16];
    int count = gen_all_meshes(&rng, meshes);
    for (int m = 0; m < count; ++m) {
        cd_mesh_view view = gen_mesh_view(&meshes[m].mesh);
        uint32_t n = meshes[m].mesh.triangle_count;
        scene s;
        memset(&s, 0, sizeof s);
        s.count = n;
        s.triangles = (cd_triangle *)malloc(n * sizeof *s.triangles);
        for (uint32_t i = 0; i < n; ++i) s.triangles[i] = gen_mesh_triangle(&meshes[m].mesh, i);
        for (uint32_t layout = 0; layout < 4; ++layout) {
            cd_bvh_options o;
            memset(&o, 0, sizeof o);
            o.layout = layout;
            if (cd_bvh_build_mesh(&s.tree, &view, &o) != CD_OK) abort();
            for (long i = test_times(200000 / n + 1) / 20; i >= 0; --i) {
                answer *want = (answer *)malloc(n * sizeof *want);
                cd_vec3 p = hard_point(&rng, &s, GEN_UNIT);
                cd_real most = hard_distance(&rng, &s, p);
                size_t found = by_force(&s, p, most, NULL, want);
                test_note("mesh %s, layout %u, at most %a", meshes[m].name, layout, (double)most);
                test_note_reals("p", REALS(p), 3);
                check_closest(&s, p, most, NULL, want, found);
                check_k(&rng, &s, p, most, NULL, want, found);
                free(want);
            }
            cd_bvh_destroy(&s.tree);
        }
        free(s.triangles);
        gen_mesh_free(&meshes[m].mesh);
    }
}

static void many_points_are_the_single_ones(void) {
    test_rng rng = test_random();
    enum { N = 50 };
    cd_vec3 p[N];
    cd_real most[N];
    cd_closest many[N], one;
    for (long i = test_times(500); i > 0; --i) {
        scene s;
        size_t found = 0;
        const cd_real *limits = test_int(&rng, 0, 1) ? most : NULL;
        scene_begin(&s, &rng, (uint32_t)(i % 4), 60, GEN_GRID);
        for (int k = 0; k < N; ++k) {
            p[k] = hard_point(&rng, &s, GEN_GRID);
            if (!test_int(&rng, 0, 9)) p[k].y = (cd_real)NAN;
            most[k] = p[k].y == p[k].y ? hard_distance(&rng, &s, p[k]) : 1;
        }
        size_t count = ASK("loop", cd_bvh_closest_points(&s.tree, p, limits, N, NULL, many));
        for (int k = 0; k < N; ++k) {
            bool any = cd_bvh_closest(&s.tree, p[k], limits ? most[k] : (cd_real)INFINITY, NULL, &one);
            if (!any) {
                memset(&one, 0, sizeof one);
                one.index_b = CD_NONE;
            }
            CHECK(!memcmp(&one, &many[k], sizeof one));
            found += any;
        }
        CHECK_INT(count, found);
        CHECK_INT(ASK("loop", cd_bvh_closest_points(&s.tree, p, limits, N, NULL, NULL)), found);
        scene_end(&s);
    }
}

/* The filter is asked about no more than what is near: far fewer than there are. */
static bool count_calls(void *user, uint32_t index) {
    (void)index;
    ++*(long *)user;
    return true;
}

static void work_is_logarithmic(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_is_small() ? 20 : 60, 0.05, &rng);
    cd_mesh_view view = gen_mesh_view(&m);
    cd_bvh tree;
    long calls = 0;
    cd_filter f = {0, count_calls, NULL};
    f.user = &calls;
    if (cd_bvh_build_mesh(&tree, &view, NULL) != CD_OK) abort();
    memset(&test_counted, 0, sizeof test_counted);
    for (int i = 0; i < 100; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        CHECK(cd_bvh_closest(&tree, gen_point(&g), (cd_real)INFINITY, &f, NULL));
    }
    CHECK(test_counted.triangle < 100 * 150 && test_counted.node < 100 * 60);
    CHECK((uint64_t)calls <= test_counted.triangle);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

static void nothing_is_found_in_nothing(void) {
    cd_bvh empty;
    cd_vec3 bad[3], p = cd_vec3_make(0, 0, 0);
    cd_closest c;
    scene s;
    test_rng rng = test_random();
    memset(&empty, 0, sizeof empty);
    CHECK(!cd_bvh_closest(&empty, p, 1, NULL, &c) && !cd_bvh_test_distance(&empty, p, 1, NULL));
    CHECK_INT(cd_bvh_closest_k(&empty, p, 1, 1, NULL, &c), 0);
    bad[0] = cd_vec3_make((cd_real)NAN, 0, 0);
    bad[1] = cd_vec3_make(0, (cd_real)INFINITY, 0);
    bad[2] = cd_vec3_make(0, 0, -(cd_real)INFINITY);
    for (uint32_t kind = 0; kind < 4; ++kind) {
        scene_begin(&s, &rng, kind, 9, GEN_UNIT);
        for (int i = 0; i < 3; ++i) {
            CHECK(!cd_bvh_closest(&s.tree, bad[i], (cd_real)INFINITY, NULL, &c));
            CHECK(!cd_bvh_test_distance(&s.tree, bad[i], (cd_real)INFINITY, NULL));
            CHECK_INT(cd_bvh_closest_k(&s.tree, bad[i], 1, (cd_real)INFINITY, NULL, &c), 0);
        }
        CHECK_INT(cd_bvh_closest_k(&s.tree, p, 0, (cd_real)INFINITY, NULL, NULL), 0);
        CHECK_INT(cd_bvh_closest_points(&s.tree, NULL, NULL, 0, NULL, NULL), 0);
        scene_end(&s);
    }
}

void suite_bvh_near(void) {
    RUN(all_kinds_equal_a_loop);
    RUN(tiny_triangles_equal_a_loop);
    RUN(named_meshes_equal_a_loop);
    RUN(many_points_are_the_single_ones);
    RUN(work_is_logarithmic);
    RUN(nothing_is_found_in_nothing);
}
