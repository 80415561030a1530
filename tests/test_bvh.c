/* The tree against a loop over all triangles: every query, on every named mesh, ties included; then bad input. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gen_named_mesh meshes[16];
static int mesh_count;
static cd_bvh trees[16];

static void setup(void) {
    test_rng rng;
    rng.state = 99;
    mesh_count = gen_all_meshes(&rng, meshes);
    for (int m = 0; m < mesh_count; ++m) {
        cd_mesh_view view = gen_mesh_view(&meshes[m].mesh);
        cd_bvh_options o;
        memset(&o, 0, sizeof o);
        o.leaf_size = (uint32_t)(m % 3 == 0 ? 0 : m % 3 == 1 ? 1 : 13);
        o.layout = (uint32_t)(m / 2 % 4);
        if (cd_bvh_build_mesh(&trees[m], &view, &o) != CD_OK) abort();
    }
}

static void teardown(void) {
    for (int m = 0; m < mesh_count; ++m) {
        cd_bvh_destroy(&trees[m]);
        gen_mesh_free(&meshes[m].mesh);
    }
}

/* ---- structure ---- */

static void trees_are_sound(void) {
    for (int m = 0; m < mesh_count; ++m) {
        cd_bvh_stats s = ASK("judge", cd_bvh_get_stats(&trees[m]));
        test_note("%s", meshes[m].name);
        CHECK_INT(ASK("judge", cd_bvh_validate(&trees[m])), CD_OK);
        CHECK_INT(s.primitive_count, meshes[m].mesh.triangle_count);
        CHECK_INT(s.skipped_count, 0);
        CHECK(s.depth >= 1 && s.depth <= 80 && s.node_count >= 1 && s.bytes == trees[m].bytes &&
              s.cost >= 1.0);
    }
}

static void bounds_are_those_of_the_triangles(void) {
    for (int m = 0; m < mesh_count; ++m) {
        cd_aabb want = cd_aabb_empty(), got = ASK("loop", cd_bvh_bounds(&trees[m]));
        for (uint32_t i = 0; i < meshes[m].mesh.triangle_count; ++i) {
            cd_triangle t = gen_mesh_triangle(&meshes[m].mesh, i);
            want = cd_aabb_add_point(cd_aabb_add_point(cd_aabb_add_point(want, t.a), t.b), t.c);
        }
        CHECK_VEC(got.min, want.min, 0);
        CHECK_VEC(got.max, want.max, 0);
    }
}

/* ---- rays ---- */

static double extent_of(const cd_bvh *tree) {
    cd_aabb b = cd_bvh_bounds(tree);
    return (double)cd_vec3_dist(b.min, b.max);
}

static cd_vec3 inside_bounds(test_rng *rng, const cd_bvh *tree, double margin) {
    cd_aabb b = cd_bvh_bounds(tree);
    cd_vec3 p;
    const cd_real *lo = REALS(b), *hi = REALS(b.max);
    cd_real *out = REALS(p);
    for (int k = 0; k < 3; ++k) {
        double size = (double)hi[k] - (double)lo[k] + 0.01 * extent_of(tree);
        out[k] = (cd_real)((double)lo[k] + size * test_range(rng, -margin, 1.0 + margin));
    }
    return p;
}

static cd_vec3 corner_of(test_rng *rng, const gen_mesh *m) {
    return m->vertices[m->indices[test_int(rng, 0, (int)(3 * m->triangle_count) - 1)]];
}

/* A ray that is likely to be in trouble: from a corner or near it, through a corner or along an edge, along an axis,
 * very long or short, from far away. */
static cd_ray hard_ray(test_rng *rng, int m) {
    const gen_mesh *mesh = &meshes[m].mesh;
    cd_vec3 from = test_int(rng, 0, 3) ? inside_bounds(rng, &trees[m], 0.5) : corner_of(rng, mesh);
    cd_vec3 to = test_int(rng, 0, 1) ? corner_of(rng, mesh) : inside_bounds(rng, &trees[m], 0.1);
    cd_ray r = cd_ray_through(from, to);
    cd_real scale = (cd_real)ldexp(1.0, test_int(rng, 0, 3) ? 0 : test_int(rng, -30, 30));
    if (!test_int(rng, 0, 4)) r.dir.x = 0;
    if (!test_int(rng, 0, 4)) r.dir.y = 0;
    if (!test_int(rng, 0, 4)) r.dir.z = 0;
    if (!test_int(rng, 0, 6))
        r.origin = cd_vec3_along(r.origin, r.dir, (cd_real)-ldexp(1.0, test_int(rng, 1, 20)));
    r.dir = cd_vec3_scale(r.dir, scale);
    return r;
}

/* The nearest hit of a loop over all triangles, and how many there are. */
static bool nearest_by_force(int m, const cd_ray *r, cd_real t_max, const cd_cast_options *o,
                             cdi_tri_hit *best, uint32_t *index, size_t *all) {
    cdi_cast c;
    cdi_ray ray;
    *all = 0;
    if (!cdi_cast_begin(&c, r, t_max, o) || !cdi_ray_prepare(&ray, &c)) return false;
    for (uint32_t i = 0; i < meshes[m].mesh.triangle_count; ++i) {
        cd_triangle t = gen_mesh_triangle(&meshes[m].mesh, i);
        cdi_tri tri = cdi_tri_of(&t);
        cdi_tri_hit h;
        if (!cdi_ray_tri(&ray, &tri, c.flags, c.t_max, &h)) continue;
        if (o && o->filter && !o->filter(o->user, i)) continue;
        if (!*all || h.t < best->t) {
            *best = h;
            *index = i;
        }
        ++*all;
    }
    return *all > 0;
}

static bool odd_only(void *user, uint32_t index) {
    (void)user;
    return index % 2 == 1;
}

static void check_all_hits(int m, const cd_ray *r, cd_real t_max, const cd_cast_options *o, size_t all) {
    cd_hit hits[40], few[3];
    size_t count = ASK("loop", cd_bvh_cast_ray_all(&trees[m], r, t_max, o, hits, 40));
    CHECK_INT(count, all);
    CHECK_INT(ASK("loop", cd_bvh_cast_ray_all(&trees[m], r, t_max, o, few, 3)), all);
    CHECK_INT(ASK("loop", cd_bvh_cast_ray_all(&trees[m], r, t_max, o, NULL, 0)), all);
    for (size_t i = 0; i < count && i < 40; ++i) {
        cd_triangle t = gen_mesh_triangle(&meshes[m].mesh, hits[i].index);
        cd_hit single;
        CHECK(cd_cast_ray_triangle(r, t_max, &t, o, &single));
        single.index = hits[i].index;
        CHECK(!memcmp(&single, &hits[i], sizeof single));
        if (i > 0) CHECK(hits[i - 1].t <= hits[i].t && hits[i - 1].index != hits[i].index);
        if (i < 3) CHECK(!memcmp(&few[i], &hits[i], sizeof few[i]));
    }
}

static void rays_equal_a_loop(void) {
    test_rng rng = test_random();
    for (long i = test_times(15000); i > 0; --i) {
        int m = test_int(&rng, 0, mesh_count - 1);
        cd_ray r = hard_ray(&rng, m);
        cd_real t_max = test_int(&rng, 0, 3) ? CD_REAL_MAX : (cd_real)test_range(&rng, 0.0, 2.0);
        cd_cast_options o;
        cdi_tri_hit best;
        cd_hit hit, untouched, first;
        uint32_t index = CD_NONE;
        size_t all;
        bool want;
        memset(&o, 0, sizeof o);
        o.flags = (uint32_t)test_int(&rng, 0, 15);
        if (test_int(&rng, 0, 2)) o.flags = 0;
        if (!test_int(&rng, 0, 3)) o.t_min = (cd_real)test_range(&rng, -0.5, 1.0);
        if (!test_int(&rng, 0, 5)) o.filter = odd_only;
        memset(&untouched, 0x5A, sizeof untouched);
        hit = untouched;
        test_note("mesh %s, t_max %a, t_min %a, flags %u", meshes[m].name, (double)t_max, (double)o.t_min,
                  o.flags);
        test_note_reals("ray", REALS(r), 6);
        want = nearest_by_force(m, &r, t_max, &o, &best, &index, &all);
        CHECK_INT(ASK("loop", cd_bvh_cast_ray(&trees[m], &r, t_max, &o, &hit)), want);
        CHECK_INT(ASK("loop", cd_bvh_test_ray(&trees[m], &r, t_max, &o)), want);
        check_all_hits(m, &r, t_max, &o, all);
        if (want) {
            CHECK_INT(hit.index, index);
            CHECK_SAME(hit.t, (cd_real)best.t);
            CHECK(ASK("loop", cd_bvh_cast_ray_all(&trees[m], &r, t_max, &o, &first, 1)) == all &&
                  !memcmp(&first, &hit, sizeof hit));
            CHECK_NEAR(cd_vec3_length(hit.normal), 1.0, 4 * (double)CD_REAL_EPSILON);
        } else {
            CHECK(!memcmp(&hit, &untouched, sizeof hit));
        }
    }
}

static void many_rays_are_the_single_ones(void) {
    test_rng rng = test_random();
    enum { N = 200 };
    cd_ray rays[N];
    cd_real t_max[N];
    cd_hit hits[N], free_hits[N];
    for (int m = 0; m < mesh_count; m += test_is_tiny() ? 6 : test_is_small() ? 3 : 1) {
        size_t found = 0, found_free = 0;
        for (int i = 0; i < N; ++i) {
            rays[i] = hard_ray(&rng, m);
            t_max[i] = (cd_real)test_range(&rng, 0.0, 3.0);
        }
        CHECK(ASK("loop", cd_bvh_cast_rays(&trees[m], rays, t_max, N, NULL, hits)) <=
              ASK("loop", cd_bvh_cast_rays(&trees[m], rays, NULL, N, NULL, free_hits)));
        for (int i = 0; i < N; ++i) {
            cd_hit one;
            bool hit = cd_bvh_cast_ray(&trees[m], &rays[i], t_max[i], NULL, &one);
            CHECK(hit ? !memcmp(&one, &hits[i], sizeof one) : hits[i].index == CD_NONE && hits[i].t == 0);
            found += hit;
            found_free += free_hits[i].index != CD_NONE;
        }
        CHECK_INT(ASK("loop", cd_bvh_cast_rays(&trees[m], rays, t_max, N, NULL, NULL)), found);
        CHECK_INT(ASK("loop", cd_bvh_cast_rays(&trees[m], rays, NULL, N, NULL, NULL)), found_free);
    }
}

/* ---- boxes and spheres ---- */

typedef struct seen {
    unsigned char *times;
    size_t count, stop_after;
} seen;

static bool mark(void *user, uint32_t index) {
    seen *s = (seen *)user;
    ++s->times[index];
    return ++s->count != s->stop_after;
}

static cd_aabb hard_box(test_rng *rng, int m) {
    cd_aabb b;
    b.min = test_int(rng, 0, 2) ? inside_bounds(rng, &trees[m], 0.2) : corner_of(rng, &meshes[m].mesh);
    b.max = test_int(rng, 0, 2) ? inside_bounds(rng, &trees[m], 0.2) : corner_of(rng, &meshes[m].mesh);
    if (!test_int(rng, 0, 4)) b.max = b.min;
    if (test_int(rng, 0, 1)) b.max = cd_vec3_lerp(b.min, b.max, (cd_real)0.1);
    return cd_aabb_add_point(cd_aabb_add_point(cd_aabb_empty(), b.min), b.max);
}

static void boxes_equal_a_loop(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        int m = test_int(&rng, 0, mesh_count - 1);
        uint32_t n = meshes[m].mesh.triangle_count;
        cd_aabb b = hard_box(&rng, m);
        seen s = {(unsigned char *)calloc(n, 1), 0, 0};
        size_t want = 0;
        test_note("mesh %s", meshes[m].name);
        test_note_reals("box", REALS(b), 6);
        CHECK(ASK("loop", cd_bvh_overlap_aabb(&trees[m], b, NULL, mark, &s)));
        for (uint32_t k = 0; k < n; ++k) {
            cd_triangle t = gen_mesh_triangle(&meshes[m].mesh, k);
            bool meets = cd_test_triangle_aabb(&t, b);
            CHECK_INT(s.times[k], meets);
            want += meets;
        }
        if (want) {
            s.count = 0;
            s.stop_after = (size_t)test_int(&rng, 1, (int)want);
            CHECK(!ASK("loop", cd_bvh_overlap_aabb(&trees[m], b, NULL, mark, &s)));
            CHECK_INT(s.count, s.stop_after);
        }
        free(s.times);
    }
}

static void spheres_equal_a_loop(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        int m = test_int(&rng, 0, mesh_count - 1);
        uint32_t n = meshes[m].mesh.triangle_count;
        seen s = {(unsigned char *)calloc(n, 1), 0, 0};
        cd_sphere ball;
        ball.center =
            test_int(&rng, 0, 2) ? inside_bounds(&rng, &trees[m], 0.3) : corner_of(&rng, &meshes[m].mesh);
        ball.radius =
            (cd_real)(extent_of(&trees[m]) * (test_int(&rng, 0, 3) ? test_range(&rng, 0.0, 0.2) : 0.0));
        if (!test_int(&rng, 0, 4)) ball.radius = cd_vec3_dist(ball.center, corner_of(&rng, &meshes[m].mesh));
        test_note("mesh %s", meshes[m].name);
        test_note_reals("ball", REALS(ball), 4);
        CHECK(ASK("loop", cd_bvh_overlap_sphere(&trees[m], ball, NULL, mark, &s)));
        for (uint32_t k = 0; k < n; ++k) {
            cd_triangle t = gen_mesh_triangle(&meshes[m].mesh, k);
            CHECK_INT(s.times[k], cd_test_sphere_triangle(ball, &t));
        }
        free(s.times);
    }
}

/* ---- closest point ---- */

static void closest_points_equal_a_loop(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        int m = test_int(&rng, 0, mesh_count - 1);
        uint32_t n = meshes[m].mesh.triangle_count, index = CD_NONE;
        cd_vec3 p =
            test_int(&rng, 0, 3) ? inside_bounds(&rng, &trees[m], 2.0) : corner_of(&rng, &meshes[m].mesh);
        cd_real most = test_int(&rng, 0, 1) ? (cd_real)INFINITY
                                            : (cd_real)(extent_of(&trees[m]) * test_range(&rng, 0.0, 0.5));
        cd_filter_fn filter = test_int(&rng, 0, 3) ? NULL : odd_only;
        double best = fmin((double)most * (double)most, 1.7976931348623157e308);
        cd_closest got, single;
        cd_filter seen_by = {0, NULL, NULL};
        if (!test_int(&rng, 0, 9)) p = cd_vec3_scale(p, (cd_real)1e6);
        test_note("mesh %s, at most %a", meshes[m].name, (double)most);
        test_note_reals("p", REALS(p), 3);
        for (uint32_t k = 0; k < n; ++k) {
            cd_triangle t = gen_mesh_triangle(&meshes[m].mesh, k);
            cdi_tri tri = cdi_tri_of(&t);
            cdi_near near_k = cdi_near_triangle(cdi_v3_of(p), &tri);
            if (filter && !filter(NULL, k)) continue;
            if (near_k.sqdist < best || (near_k.sqdist == best && index == CD_NONE)) {
                best = near_k.sqdist;
                index = k;
            }
        }
        memset(&got, 0, sizeof got);
        got.index_b = CD_NONE;
        seen_by.filter = filter;
        CHECK_INT(ASK("loop", cd_bvh_closest(&trees[m], p, most, &seen_by, &got)), index != CD_NONE);
        CHECK_INT(got.index_b, index);
        if (index != CD_NONE) {
            cd_triangle t = gen_mesh_triangle(&meshes[m].mesh, index);
            single = cd_closest_pts_point_triangle(p, &t);
            single.index_b = index;
            CHECK(!memcmp(&single, &got, sizeof got));
        }
    }
}

/* ---- tree against tree ---- */

typedef struct pair_list {
    cd_pair *pairs;
    size_t count, room;
} pair_list;

static int compare_pairs(const void *a, const void *b) {
    const cd_pair *p = (const cd_pair *)a, *q = (const cd_pair *)b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static bool list_pair(void *user, cd_pair pair) {
    pair_list *list = (pair_list *)user;
    if (list->count < list->room) list->pairs[list->count] = pair;
    ++list->count;
    return true;
}

typedef struct boxed_triangle {
    cd_triangle corners;
    cd_aabb box;
} boxed_triangle;

static boxed_triangle boxed(const gen_mesh *mesh, uint32_t index, const cd_transform *pose) {
    boxed_triangle t;
    t.corners = gen_mesh_triangle(mesh, index);
    if (pose) t.corners = cd_triangle_transform(&t.corners, pose);
    t.box = cd_aabb_from_points(&t.corners.a, 3);
    return t;
}

/* Where boxes of the corners are apart, so are the triangles: that is told first, since exact tests take their time. */
static size_t pairs_by_force(int a, int b, const cd_transform *pose, cd_pair *out, size_t room) {
    size_t count = 0;
    uint32_t others = meshes[b].mesh.triangle_count;
    boxed_triangle *other = (boxed_triangle *)malloc((others + 1) * sizeof *other);
    for (uint32_t j = 0; j < others; ++j) other[j] = boxed(&meshes[b].mesh, j, pose);
    for (uint32_t i = 0; i < meshes[a].mesh.triangle_count; ++i) {
        boxed_triangle t = boxed(&meshes[a].mesh, i, NULL);
        for (uint32_t j = 0; j < others; ++j) {
            if (!cd_test_aabb_aabb(t.box, other[j].box)) continue;
            if (!cd_test_triangle_triangle(&t.corners, &other[j].corners)) continue;
            if (count < room) {
                out[count].a = i;
                out[count].b = j;
            }
            ++count;
        }
    }
    free(other);
    return count;
}

/* A pose that brings the meshes together: turned at random, a corner of b near a corner of a. */
static cd_transform meeting_pose(test_rng *rng, int a, int b) {
    cd_transform pose = gen_pose(rng, 0.0);
    cd_vec3 p, q = corner_of(rng, &meshes[a].mesh);
    if (!test_int(rng, 0, 2)) pose.rotation = cd_quat_identity();
    p = cd_transform_vector(&pose, corner_of(rng, &meshes[b].mesh));
    pose.position = cd_vec3_sub(q, p);
    return pose;
}

static void check_pairs(int a, int b, const cd_transform *pose) {
    enum { ROOM = 100000 };
    static cd_pair want[ROOM], got[ROOM];
    pair_list list = {got, 0, ROOM};
    cd_pair first;
    size_t count = pairs_by_force(a, b, pose, want, ROOM), shown = count < ROOM ? count : ROOM;
    bool same = true;
    CHECK(ASK("loop", cd_bvh_traverse_pairs(&trees[a], &trees[b], pose, NULL, list_pair, &list)));
    CHECK_INT(list.count, count);
    CHECK_INT(ASK("loop", cd_bvh_collide(&trees[a], &trees[b], pose, NULL, NULL, 0)), count);
    CHECK_INT(ASK("loop", cd_bvh_test_bvh(&trees[a], &trees[b], pose, NULL, &first)), count > 0);
    if (count > ROOM || list.count != count) return;
    qsort(got, shown, sizeof *got, compare_pairs);
    if (count)
        CHECK(bsearch(&first, got, shown, sizeof *got, compare_pairs)); /* one of them, whichever was found */
    for (size_t i = 0; i < shown; ++i) same = same && !compare_pairs(&got[i], &want[i]);
    CHECK(same);
}

static void pairs_equal_two_loops(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        int a = test_int(&rng, 0, mesh_count - 1), b = test_int(&rng, 0, mesh_count - 1);
        cd_transform pose = meeting_pose(&rng, a, b);
        test_note("meshes %s and %s", meshes[a].name, meshes[b].name);
        test_note_reals("pose", REALS(pose), 7);
        check_pairs(a, b, test_int(&rng, 0, 5) ? &pose : NULL);
    }
}

/* ---- empty trees and bad meshes ---- */

static void empty_trees_answer(void) {
    cd_bvh zero, built;
    cd_mesh_view none = cd_mesh_view_make(NULL, 0, NULL, 0);
    cd_ray r = cd_ray_through(cd_vec3_make(0, 0, 0), cd_vec3_make(1, 0, 0));
    cd_sphere s = {{0, 0, 0}, 1};
    seen nothing = {NULL, 0, 0};
    memset(&zero, 0, sizeof zero);
    CHECK_INT(cd_bvh_build_mesh(&built, &none, NULL), CD_OK);
    for (int i = 0; i < 2; ++i) {
        const cd_bvh *t = i ? &zero : &built;
        cd_hit hit;
        cd_closest closest;
        CHECK_INT(cd_bvh_validate(t), CD_OK);
        CHECK_INT(cd_bvh_get_stats(t).primitive_count, 0);
        CHECK(cd_aabb_is_empty(cd_bvh_bounds(t)));
        CHECK(!cd_bvh_cast_ray(t, &r, CD_REAL_MAX, NULL, &hit) && !cd_bvh_test_ray(t, &r, CD_REAL_MAX, NULL));
        CHECK_INT(cd_bvh_cast_ray_all(t, &r, CD_REAL_MAX, NULL, &hit, 1), 0);
        CHECK_INT(cd_bvh_cast_rays(t, &r, NULL, 1, NULL, &hit), 0);
        CHECK_INT(hit.index, CD_NONE);
        CHECK(cd_bvh_overlap_aabb(t, cd_aabb_from_sphere(s), NULL, mark, &nothing) &&
              cd_bvh_overlap_sphere(t, s, NULL, mark, &nothing));
        CHECK(!cd_bvh_closest(t, r.origin, CD_REAL_MAX, NULL, &closest));
        CHECK(!cd_bvh_test_bvh(t, &trees[0], NULL, NULL, NULL) &&
              !cd_bvh_test_bvh(&trees[0], t, NULL, NULL, NULL));
    }
    cd_bvh_destroy(&built);
    cd_bvh_destroy(&built);
    cd_bvh_destroy(&zero);
}

static void bad_meshes_are_refused_or_mended(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < 6; ++kind) {
        gen_mesh m = gen_mesh_soup(100, 0.3, GEN_UNIT, &rng);
        cd_mesh_view v = gen_mesh_view(&m);
        cd_bvh_options skip;
        cd_bvh t;
        memset(&skip, 0, sizeof skip);
        skip.flags = CD_BVH_SKIP_INVALID;
        if (kind == 0) m.vertices[7].y = (cd_real)NAN;
        if (kind == 1) m.vertices[7].y = (cd_real)INFINITY;
        if (kind == 2) m.indices[20] = m.vertex_count;
        if (kind == 3) m.indices[0] = 0xFFFFFFFFu;
        if (kind == 4) m.vertices[299].x = (cd_real)-INFINITY;
        if (kind == 5) v.vertex_count = 0;
        memset(&t, 0x77, sizeof t);
        CHECK_INT(ASK("bad", cd_bvh_build_mesh(&t, &v, NULL)), CD_INVALID_ARGUMENT);
        CHECK(t.block == NULL && t.bytes == 0);
        CHECK_INT(ASK("bad", cd_bvh_build_mesh(&t, &v, &skip)), CD_OK);
        CHECK_INT(ASK("bad", cd_bvh_get_stats(&t)).skipped_count, kind == 5 ? 100 : 1);
        CHECK_INT(ASK("bad", cd_bvh_get_stats(&t)).primitive_count, kind == 5 ? 0 : 99);
        CHECK_INT(ASK("bad", cd_bvh_validate(&t)), CD_OK);
        cd_bvh_destroy(&t);
        gen_mesh_free(&m);
    }
}

static void bad_views_and_options_are_refused(void) {
    cd_bvh t;
    cd_bvh_options o;
    gen_mesh m = gen_mesh_identical(10);
    for (int kind = 0; kind < 8; ++kind) {
        cd_mesh_view v = gen_mesh_view(&m);
        memset(&o, 0, sizeof o);
        if (kind == 0) v.position_format = 9;
        if (kind == 1) v.index_format = 9;
        if (kind == 2) v.stride = 4;
        if (kind == 3) v.index_stride = 4;
        if (kind == 4) v.positions = NULL;
        if (kind == 5) v.indices = NULL;
        if (kind == 6) o.leaf_size = 65;
        if (kind == 7) v.triangle_count = 0x20000001u;
        CHECK_INT(ASK("bad", cd_bvh_build_mesh(&t, &v, &o)), kind == 7 ? CD_TOO_LARGE : CD_INVALID_ARGUMENT);
        CHECK(t.block == NULL);
    }
    gen_mesh_free(&m);
}

static void extreme_coordinates_do_no_harm(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen_mesh m = gen_mesh_soup(40, 0.3, GEN_UNIT, &rng);
        cd_mesh_view v = gen_mesh_view(&m);
        cd_bvh t;
        seen s;
        for (int k = test_int(&rng, 1, 60); k > 0; --k) {
            cd_real bad = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            if (isfinite((double)bad))
                (REALS(m.vertices[test_int(&rng, 0, 119)]))[test_int(&rng, 0, 2)] = bad;
        }
        CHECK_INT(ASK("bad", cd_bvh_build_mesh(&t, &v, NULL)), CD_OK);
        CHECK_INT(ASK("bad", cd_bvh_validate(&t)), CD_OK);
        s.times = (unsigned char *)calloc(40, 1);
        for (int q = 0; q < 20; ++q) {
            cd_ray r;
            cd_hit hit;
            cd_sphere ball;
            cd_closest c;
            cd_real *n = REALS(r);
            for (int k = 0; k < 6; ++k) {
                n[k] = test_int(&rng, 0, 3) ? (cd_real)test_range(&rng, -1, 1)
                                            : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            }
            ball.center = r.origin;
            ball.radius = (cd_real)fabs((double)r.dir.x);
            s.count = s.stop_after = 0;
            test_note("");
            test_note_reals("ray", n, 6);
            if (cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit)) {
                CHECK(!isnan((double)hit.t) && cd_vec3_is_valid(hit.normal) && !isnan((double)hit.u) &&
                      hit.index < 40);
            }
            cd_bvh_overlap_sphere(&t, ball, NULL, mark, &s);
            cd_bvh_overlap_aabb(&t, cd_aabb_from_sphere(ball), NULL, mark, &s);
            if (cd_bvh_closest(&t, r.origin, CD_REAL_MAX, NULL, &c)) CHECK(!isnan((double)c.sqdist));
        }
        free(s.times);
        cd_bvh_collide(&t, &t, NULL, NULL, NULL, 0);
        cd_bvh_destroy(&t);
        gen_mesh_free(&m);
    }
}

/* ---- bounds on the work ---- */

static void a_million_identical_triangles(void) {
    const uint32_t n = test_is_tiny() ? 20000 : test_is_small() ? 100000 : 1000000;
    gen_mesh m = gen_mesh_identical(n);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_ray r = cd_ray_through(cd_vec3_make((cd_real)0.25, (cd_real)0.25, 1),
                              cd_vec3_make((cd_real)0.25, (cd_real)0.25, 0));
    cd_bvh t;
    cd_hit hit;
    memset(&test_counted, 0, sizeof test_counted);
    CHECK_INT(ASK("judge", cd_bvh_build_mesh(&t, &v, NULL)), CD_OK);
    CHECK(test_counted.build <= 64 * (uint64_t)n);
    CHECK_INT(ASK("judge", cd_bvh_validate(&t)), CD_OK);
    CHECK(cd_bvh_get_stats(&t).depth <= 80);
    memset(&test_counted, 0, sizeof test_counted);
    CHECK(cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit));
    CHECK_INT(hit.index, 0);
    CHECK_SAME(hit.t, 1);
    CHECK(test_counted.node + test_counted.triangle <= 64 * (uint64_t)n);
    CHECK(cd_bvh_test_bvh(&t, &t, NULL, NULL, NULL));
    cd_bvh_destroy(&t);
    gen_mesh_free(&m);
}

/* A geometric series of sizes splits off one triangle at a time: the depth stays bounded all the same. */
static void a_hostile_series_stays_shallow(void) {
    gen_mesh m = gen_mesh_spiral(20000);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_bvh t;
    memset(&test_counted, 0, sizeof test_counted);
    CHECK_INT(ASK("judge", cd_bvh_build_mesh(&t, &v, NULL)), CD_OK);
    CHECK(test_counted.build <= 2 * 96 * (uint64_t)20000);
    CHECK_INT(ASK("judge", cd_bvh_validate(&t)), CD_OK);
    cd_bvh_destroy(&t);
    gen_mesh_free(&m);
}

/* ---- memory, threads, progress ---- */

static void run_backwards(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    ++*(int *)user;
    while (count-- > 0) task(ctx, count);
}

static void any_executor_gives_the_same_bytes(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(50, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_bvh_options o;
    cd_bvh a, b;
    int runs = 0;
    memset(&o, 0, sizeof o);
    o.executor.user = &runs;
    o.executor.run = run_backwards;
    CHECK_INT(cd_bvh_build_mesh(&a, &v, NULL), CD_OK);
    CHECK_INT(ASK("forms", cd_bvh_build_mesh(&b, &v, &o)), CD_OK);
    CHECK(runs > 0 && a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
    cd_bvh_destroy(&a);
    cd_bvh_destroy(&b);
    gen_mesh_free(&m);
}

typedef struct watcher {
    int calls, stop_at;
    float last;
    bool rising;
} watcher;

static bool watch(void *user, float done) {
    watcher *w = (watcher *)user;
    w->rising = w->rising && done >= w->last && done <= 1.0f;
    w->last = done;
    return ++w->calls != w->stop_at;
}

static void progress_rises_and_cancels(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_is_small() ? 12 : 50, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    int calls = 1;
    for (int stop = 0; stop <= calls; ++stop) {
        test_memory f = {1000, 0, 0};
        watcher w = {0, stop, 0.0f, true};
        cd_bvh_options o;
        cd_bvh t;
        memset(&o, 0, sizeof o);
        o.allocator = test_allocator(&f);
        o.executor.user = &w;
        o.executor.progress = watch;
        CHECK_INT(ASK("bad", cd_bvh_build_mesh(&t, &v, &o)), stop ? CD_CANCELLED : CD_OK);
        CHECK(w.rising && (stop || w.last == 1.0f));
        if (!stop) calls = w.calls;
        cd_bvh_destroy(&t);
        CHECK_INT(f.live, 0);
    }
    CHECK(calls >= 3);
    gen_mesh_free(&m);
}

/* ---- stored trees ---- */

static void copies_can_be_viewed(void) {
    for (int m = 0; m < mesh_count; ++m) {
        size_t n = trees[m].bytes;
        void *copy = test_block(n);
        cd_bvh view;
        cd_hit a, b;
        cd_ray r = cd_ray_through(cd_vec3_make((cd_real)0.1, (cd_real)0.2, 9), cd_vec3_make(0, 0, 0));
        memcpy(copy, trees[m].block, n);
        CHECK_INT(ASK("forms", cd_bvh_view(&view, copy, n)), CD_OK);
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        CHECK_INT(cd_bvh_cast_ray(&view, &r, CD_REAL_MAX, NULL, &a),
                  cd_bvh_cast_ray(&trees[m], &r, CD_REAL_MAX, NULL, &b));
        CHECK(!memcmp(&a, &b, sizeof a));
        CHECK_INT(ASK("bad", cd_bvh_view(&view, copy, n - 1)), CD_CORRUPT);
        CHECK_INT(ASK("bad", cd_bvh_view(&view, copy, 10)), CD_CORRUPT);
        CHECK_INT(ASK("bad", cd_bvh_view(&view, (char *)copy + 4, n - 4)), CD_INVALID_ARGUMENT);
        CHECK_INT(ASK("bad", cd_bvh_view(&view, NULL, 0)), CD_INVALID_ARGUMENT);
        cd_bvh_destroy(&view); /* a view gives nothing back */
        test_block_free(copy);
    }
}

/* Whatever is changed in the bytes: refused, or harmless (the sanitizer lanes watch). */
static void changed_bytes_are_refused_or_harmless(void) {
    test_rng rng = test_random();
    int refused = 0;
    long times = test_times(20000);
    for (long i = 0; i < times; ++i) {
        int m = test_int(&rng, 0, mesh_count - 1);
        size_t n = trees[m].bytes;
        unsigned char *copy = test_block(n);
        cd_ray r = hard_ray(&rng, m);
        cd_bvh view;
        cd_closest c;
        cd_hit hit;
        memcpy(copy, trees[m].block, n);
        for (int k = test_int(&rng, 1, 3); k > 0; --k) {
            size_t at = (size_t)test_int(&rng, 0, (int)(test_int(&rng, 0, 1) ? n : n < 2000 ? n : 2000) - 1);
            copy[at] = (unsigned char)(test_int(&rng, 0, 1) ? test_next(&rng)
                                                            : copy[at] ^ (1u << test_int(&rng, 0, 7)));
        }
        if (ASK("bad", cd_bvh_view(&view, copy, n)) == CD_OK) {
            cd_bvh_cast_ray(&view, &r, CD_REAL_MAX, NULL, &hit);
            cd_bvh_closest(&view, r.origin, CD_REAL_MAX, NULL, &c);
            cd_bvh_test_bvh(&view, &trees[m], NULL, NULL, NULL);
        } else {
            ++refused;
            CHECK(view.block == NULL);
        }
        test_block_free(copy);
    }
    CHECK_SEEN(refused > times / 4);
}

void suite_bvh(void) {
    setup();
    RUN(trees_are_sound);
    RUN(bounds_are_those_of_the_triangles);
    RUN(rays_equal_a_loop);
    RUN(many_rays_are_the_single_ones);
    RUN(boxes_equal_a_loop);
    RUN(spheres_equal_a_loop);
    RUN(closest_points_equal_a_loop);
    RUN(pairs_equal_two_loops);
    RUN(empty_trees_answer);
    RUN(bad_meshes_are_refused_or_mended);
    RUN(bad_views_and_options_are_refused);
    RUN(extreme_coordinates_do_no_harm);
    RUN(a_million_identical_triangles);
    RUN(a_hostile_series_stays_shallow);
    RUN(any_executor_gives_the_same_bytes);
    RUN(progress_rises_and_cancels);
    RUN(copies_can_be_viewed);
    RUN(changed_bytes_are_refused_or_harmless);
    teardown();
}
