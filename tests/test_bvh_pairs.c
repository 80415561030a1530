/* Two trees against two loops: pairs that meet, pairs within a distance, the nearest pair, a tree against itself; over
 * triangles, boxes and points in every layout. */
#include "cases.h"
#include "gen.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 96, ROOM = MOST * MOST };

/* Things of one kind, and a tree over them. */
typedef struct crowd {
    uint32_t kind, count;
    cd_triangle triangle[MOST];
    cd_aabb box[MOST];
    cd_vec3 point[MOST];
    uint32_t mask[MOST];
    cd_bvh tree;
} crowd;

static crowd a, b;
static const cd_transform *pose;
static cd_pair want[ROOM], got[ROOM];
static uint32_t indices[3 * MOST]; /* each its own */

static cd_bvh_options tree_options(test_rng *rng, const crowd *c) {
    static const uint32_t leaf[5] = {0, 1, 3, 13, 64};
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = (uint32_t)test_int(rng, 0, c->kind == CD_BVH_TRIANGLES ? 3 : 2);
    o.leaf_size = leaf[test_int(rng, 0, 4)];
    o.masks = test_int(rng, 0, 1) ? c->mask : NULL;
    return o;
}

static void build(test_rng *rng, crowd *c) {
    cd_bvh_options o = tree_options(rng, c);
    cd_mesh_view view = cd_mesh_view_make(&c->triangle[0].a, 3 * c->count, indices, c->count);
    cd_status status;
    if (!o.masks) memset(c->mask, 0, sizeof c->mask);
    if (c->kind == CD_BVH_TRIANGLES)
        status = cd_bvh_build_mesh(&c->tree, &view, &o);
    else if (c->kind == CD_BVH_BOXES)
        status = cd_bvh_build_boxes(&c->tree, c->box, c->count, &o);
    else
        status = cd_bvh_build_points(&c->tree, c->point, c->count, &o);
    CHECK_INT(status, CD_OK);
}

static cd_vec3 near_by(gen *g, cd_vec3 p, double size) {
    return cd_vec3_along(p, cd_vec3_sub(gen_point(g), p), (cd_real)size);
}

/* Of any kind of numbers; small beside the whole, with equal ones and flat ones among them. */
static void fill(test_rng *rng, crowd *c, gen_kind kind, uint32_t most) {
    gen g = gen_begin(rng, kind);
    double size = kind == GEN_GRID ? 1.0 : test_range(rng, 0.05, 0.5);
    c->kind = (uint32_t)test_int(rng, 0, 2);
    c->count = (uint32_t)test_int(rng, test_int(rng, 0, 9) ? 2 : 0, (int)most);
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_triangle *t = &c->triangle[i];
        t->a = gen_point(&g);
        t->b = near_by(&g, t->a, size);
        t->c = near_by(&g, t->a, size);
        if (i > 0 && !test_int(rng, 0, 9)) *t = c->triangle[i - 1];
        if (i > 0 && !test_int(rng, 0, 9)) t->a = c->triangle[i - 1].b;
        if (!test_int(rng, 0, 19)) t->c = t->b;
        c->point[i] = t->a;
        c->box[i] = cd_aabb_from_points(&t->a, 2);
        c->mask[i] = (uint32_t)test_int(rng, 0, 3);
    }
    build(rng, c);
}

/* Kinds from GEN_SCALE on have too many sizes for distances that are compared with a tolerance. */
static void draw(test_rng *rng, uint32_t most, bool any) {
    static const gen_kind kinds[8] = {GEN_UNIT, GEN_GRID, GEN_GRID,  GEN_ULP,
                                      GEN_FAR,  GEN_UNIT, GEN_SCALE, GEN_WIDE};
    gen_kind kind = kinds[test_int(rng, 0, any ? 7 : 3)];
    fill(rng, &a, kind, most);
    fill(rng, &b, kind, most);
}

static void forget(void) {
    cd_bvh_destroy(&a.tree);
    cd_bvh_destroy(&b.tree);
}

/* None, at random, whole steps, a thing of b brought to one of a, far away. */
static const cd_transform *draw_pose(test_rng *rng, cd_transform *out) {
    int how = test_int(rng, 0, 5);
    *out = gen_pose(rng, how == 1 ? 0.5 : 0.0);
    if (how == 0) return NULL;
    if (how == 2) {
        out->rotation = cd_quat_identity();
        out->position = cd_vec3_make((cd_real)test_int(rng, -2, 2), (cd_real)test_int(rng, -2, 2), 0);
    }
    if (how >= 3 && a.count && b.count) {
        cd_vec3 q = b.point[test_int(rng, 0, (int)b.count - 1)];
        out->position = cd_vec3_sub(a.point[test_int(rng, 0, (int)a.count - 1)], cd_transform_vector(out, q));
    }
    if (how == 5 && !test_int(rng, 0, 2)) out->position.y += (cd_real)1e5;
    return out;
}

/* ---- the loops ---- */

static cd_triangle triangle_b(uint32_t j) {
    return pose ? cd_triangle_transform(&b.triangle[j], pose) : b.triangle[j];
}
static cd_vec3 point_b(uint32_t j) {
    return pose ? cd_transform_point(pose, b.point[j]) : b.point[j];
}
static cd_obb obb_b(uint32_t j) {
    cd_obb o = cd_obb_from_aabb(b.box[j]);
    return cd_obb_transform(&o, pose);
}

static bool box_b_meets(uint32_t i, uint32_t j) {
    cd_obb o;
    if (!pose) {
        if (a.kind == CD_BVH_TRIANGLES) return cd_test_triangle_aabb(&a.triangle[i], b.box[j]);
        return a.kind == CD_BVH_BOXES ? cd_test_aabb_aabb(a.box[i], b.box[j])
                                      : cd_test_point_aabb(a.point[i], b.box[j]);
    }
    o = obb_b(j);
    if (a.kind == CD_BVH_TRIANGLES) return cd_test_triangle_obb(&a.triangle[i], &o);
    return a.kind == CD_BVH_BOXES ? cd_test_obb_aabb(&o, a.box[i]) : cd_test_point_obb(a.point[i], &o);
}

static bool meets(uint32_t i, uint32_t j) {
    cd_triangle t;
    cd_vec3 p;
    if (b.kind == CD_BVH_BOXES) return box_b_meets(i, j);
    if (b.kind == CD_BVH_TRIANGLES) {
        t = triangle_b(j);
        if (a.kind == CD_BVH_TRIANGLES) return cd_test_triangle_triangle(&a.triangle[i], &t);
        return a.kind == CD_BVH_BOXES ? cd_test_triangle_aabb(&t, a.box[i])
                                      : cd_test_point_triangle(a.point[i], &t);
    }
    p = point_b(j);
    if (a.kind == CD_BVH_TRIANGLES) return cd_test_point_triangle(p, &a.triangle[i]);
    return a.kind == CD_BVH_BOXES ? cd_test_point_aabb(p, a.box[i])
                                  : p.x == a.point[i].x && p.y == a.point[i].y && p.z == a.point[i].z;
}

static cd_triangle flat(cd_vec3 p) {
    cd_triangle t;
    t.a = t.b = t.c = p;
    return t;
}

/* Face k of a box, as two triangles. */
static void face(const cd_obb *o, int k, cd_triangle out[2]) {
    static const int corner[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 4, 5, 1},
                                     {2, 6, 7, 3}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    cd_vec3 v[8];
    cd_obb_to_vertices(o, v);
    for (int i = 0; i < 2; ++i) {
        out[i].a = v[corner[k][0]];
        out[i].b = v[corner[k][1 + i]];
        out[i].c = v[corner[k][2 + i]];
    }
}

/* The surface of a thing, as up to 12 triangles; returns how many. */
static int surface(const crowd *c, uint32_t i, cd_triangle out[12]) {
    cd_obb o;
    if (c->kind != CD_BVH_BOXES) {
        out[0] = c == &a ? a.triangle[i] : triangle_b(i);
        if (c->kind == CD_BVH_POINTS) out[0] = flat(c == &a ? a.point[i] : point_b(i));
        return 1;
    }
    o = c == &b && pose ? obb_b(i) : cd_obb_from_aabb(c->box[i]);
    for (int k = 0; k < 6; ++k) face(&o, k, out + 2 * k);
    return 12;
}

static double sqdist(uint32_t i, uint32_t j) {
    cd_triangle s[12], t[12];
    int count_s = surface(&a, i, s), count_t = surface(&b, j, t);
    double least = INFINITY;
    if (meets(i, j)) return 0;
    for (int k = 0; k < count_s; ++k) {
        for (int l = 0; l < count_t; ++l)
            least = fmin(least, (double)cd_sqdist_triangle_triangle(&s[k], &t[l]));
    }
    return fmax(least, 4.94065645841246544e-324); /* not 0, whatever the corners were rounded to */
}

/* ---- options ---- */

static bool odd_sums(void *user, cd_pair pair) {
    ++*(int *)user;
    return (pair.a + pair.b) % 2 == 1;
}

static int asked;

static cd_bvh_pair_options draw_options(test_rng *rng) {
    cd_bvh_pair_options o;
    memset(&o, 0, sizeof o);
    o.rule = (uint32_t)test_int(rng, 0, 5);
    if (!test_int(rng, 0, 2)) o.ignore_a = (uint32_t)test_int(rng, 0, 3);
    if (!test_int(rng, 0, 2)) o.ignore_b = (uint32_t)test_int(rng, 0, 3);
    if (!test_int(rng, 0, 3)) o.filter = odd_sums;
    o.user = &asked;
    return o;
}

static bool passes(const cd_bvh_pair_options *o, uint32_t i, uint32_t j) {
    if ((a.mask[i] & o->ignore_a) || (b.mask[j] & o->ignore_b)) return false;
    return !o->filter || (i + j) % 2 == 1;
}

/* ---- lists ---- */

typedef struct visits {
    size_t count, stop_after;
} visits;

static bool visit(void *user, cd_pair pair) {
    visits *v = (visits *)user;
    if (v->count < ROOM) got[v->count] = pair;
    return ++v->count != v->stop_after;
}

static int compare(const void *x, const void *y) {
    const cd_pair *p = (const cd_pair *)x, *q = (const cd_pair *)y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static bool among(const cd_pair *pair, const cd_pair *list, size_t count) {
    for (size_t k = 0; k < count; ++k) {
        if (!compare(pair, &list[k])) return true;
    }
    return false;
}

/* Sorts what was got, and compares it with what was wanted, in order. */
static void check_got(size_t count, size_t found) {
    bool same = true;
    CHECK_INT(found, count);
    if (found != count) return;
    qsort(got, count, sizeof *got, compare);
    for (size_t i = 0; i < count; ++i) same = same && !compare(&got[i], &want[i]);
    CHECK(same);
}

/* ---- pairs that meet ---- */

static size_t all_that_meet(const cd_bvh_pair_options *o) {
    size_t count = 0;
    for (uint32_t i = 0; i < a.count; ++i) {
        for (uint32_t j = 0; j < b.count; ++j) {
            want[count].a = i;
            want[count].b = j;
            count += passes(o, i, j) && meets(i, j);
        }
    }
    return count;
}

static void check_meeting(test_rng *rng, const cd_bvh_pair_options *o) {
    size_t count = all_that_meet(o);
    visits v = {0, 0};
    cd_pair first, few[2];
    CHECK(ASK("loop", cd_bvh_traverse_pairs(&a.tree, &b.tree, pose, o, visit, &v)));
    CHECK_INT(ASK("loop", cd_bvh_test_bvh(&a.tree, &b.tree, pose, o, &first)), count > 0);
    CHECK_INT(ASK("loop", cd_bvh_collide(&a.tree, &b.tree, pose, o, few, 2)), count);
    if (v.count && count) CHECK(!compare(&few[0], &got[0]));
    check_got(count, v.count);
    if (count) CHECK(among(&first, want, count));
    if (!count) return;
    v.count = 0;
    v.stop_after = (size_t)test_int(rng, 1, (int)count);
    CHECK(!ASK("loop", cd_bvh_traverse_pairs(&a.tree, &b.tree, pose, o, visit, &v)));
    CHECK_INT(v.count, v.stop_after);
}

static void pairs_equal_two_loops(void) {
    test_rng rng = test_random();
    for (long n = test_times(700); n > 0; --n) {
        cd_transform place;
        cd_bvh_pair_options o = draw_options(&rng);
        draw(&rng, MOST, true);
        pose = draw_pose(&rng, &place);
        test_note("kinds %u %u, layouts %u %u, rule %u", a.kind, b.kind, cd_bvh_get_layout(&a.tree),
                  cd_bvh_get_layout(&b.tree), o.rule);
        if (pose) test_note_reals("pose", REALS(place), 7);
        check_meeting(&rng, &o);
        forget();
    }
}

/* Every rule comes to the same pairs, in an order of its own. */
static void filters_are_asked_only_of_what_counts(void) {
    test_rng rng = test_random();
    size_t orders = 0;
    for (long n = 40 + test_times(40); n > 0; --n) {
        cd_bvh_pair_options o;
        size_t count = 0;
        memset(&o, 0, sizeof o);
        o.user = &asked;
        pose = NULL;
        draw(&rng, MOST, true);
        for (o.rule = 0; o.rule < 5; ++o.rule) {
            size_t found;
            o.filter = NULL;
            found = cd_bvh_collide(&a.tree, &b.tree, NULL, &o, o.rule ? got : want, ROOM);
            if (o.rule) CHECK_INT(found, count);
            if (o.rule && found == count) orders += memcmp(got, want, count * sizeof *got) != 0;
            count = found;
            o.filter = odd_sums;
            asked = 0;
            cd_bvh_collide(&a.tree, &b.tree, NULL, &o, NULL, 0);
            CHECK_INT(asked, count);
        }
        forget();
    }
    CHECK(orders > 0);
}

/* ---- pairs within a distance, and the nearest ---- */

static double distances[MOST][MOST];

static void measure_all(void) {
    for (uint32_t i = 0; i < a.count; ++i) {
        for (uint32_t j = 0; j < b.count; ++j) distances[i][j] = sqdist(i, j);
    }
}

/* Is the distance too near to the limit for the rounding of squares to tell? In the double build of triangles and points it
 * is the very number. */
static bool close_call(double square, double limit) {
    bool rounded = a.kind == CD_BVH_BOXES || b.kind == CD_BVH_BOXES || sizeof(cd_real) == 4;
    return rounded && limit > 0 && fabs(square - limit) <= 1e-5 * limit + 1e-12;
}

static void check_within(test_rng *rng, const cd_bvh_pair_options *o) {
    cd_real distance = test_int(rng, 0, 3) ? (cd_real)test_range(rng, 0.0, 0.7) : 0;
    double limit = (double)distance * (double)distance;
    visits v = {0, 0};
    size_t sure = 0, found = 0;
    cd_pair first;
    CHECK(ASK("loop", cd_bvh_traverse_within(&a.tree, &b.tree, pose, distance, o, visit, &v)));
    CHECK_INT(ASK("loop", cd_bvh_within(&a.tree, &b.tree, pose, distance, o, NULL, 0)), v.count);
    CHECK_INT(ASK("loop", cd_bvh_test_within(&a.tree, &b.tree, pose, distance, o, &first)), v.count > 0);
    if (v.count) CHECK(among(&first, got, v.count));
    for (size_t k = 0; k < v.count; ++k) {
        double d = distances[got[k].a][got[k].b];
        CHECK(passes(o, got[k].a, got[k].b) && (d <= limit || close_call(d, limit)));
        found += !close_call(d, limit);
    }
    for (uint32_t i = 0; i < a.count; ++i) {
        for (uint32_t j = 0; j < b.count; ++j)
            sure += passes(o, i, j) && distances[i][j] <= limit && !close_call(distances[i][j], limit);
    }
    CHECK_INT(found, sure);
    qsort(got, v.count, sizeof *got, compare);
    for (size_t k = 1; k < v.count; ++k) CHECK(compare(&got[k - 1], &got[k]) < 0);
}

/* The smallest pair of those nearest; false when none is within `limit`. */
static bool nearest_by_force(const cd_bvh_pair_options *o, double limit, cd_pair *pair, double *least) {
    *least = INFINITY;
    for (uint32_t i = 0; i < a.count; ++i) {
        for (uint32_t j = 0; j < b.count; ++j) {
            if (!passes(o, i, j) || distances[i][j] > limit || distances[i][j] >= *least) continue;
            *least = distances[i][j];
            pair->a = i;
            pair->b = j;
        }
    }
    return *least < INFINITY;
}

static void check_nearest_points(const cd_closest *c, double least) {
    if (a.kind != CD_BVH_BOXES && b.kind != CD_BVH_BOXES) {
        cd_triangle s[12], t[12];
        cd_closest one;
        surface(&a, c->index_a, s);
        surface(&b, c->index_b, t);
        one = cd_closest_pts_triangle_triangle(&s[0], &t[0]);
        one.index_a = c->index_a;
        one.index_b = c->index_b;
        CHECK(!memcmp(&one, c, sizeof one));
    }
    CHECK_NEAR(cd_vec3_sqlength(cd_vec3_sub(c->a, c->b)), least, 1e-5 * (least + sqrt(least)) + 1e-10);
}

static bool same_thing(const crowd *c, uint32_t i, uint32_t j) {
    if (c->kind == CD_BVH_BOXES) return !memcmp(&c->box[i], &c->box[j], sizeof *c->box);
    if (c->kind == CD_BVH_POINTS) return !memcmp(&c->point[i], &c->point[j], sizeof *c->point);
    return !memcmp(&c->triangle[i], &c->triangle[j], sizeof *c->triangle);
}

/* Of things that are the same, and so equally near whatever is rounded, the first is named. */
static void check_first_of_equals(const cd_bvh_pair_options *o, const cd_closest *c) {
    for (uint32_t i = 0; i < c->index_a; ++i)
        CHECK(!same_thing(&a, i, c->index_a) || !passes(o, i, c->index_b));
    for (uint32_t j = 0; j < c->index_b; ++j)
        CHECK(!same_thing(&b, j, c->index_b) || !passes(o, c->index_a, j));
}

static void check_nearest(test_rng *rng, const cd_bvh_pair_options *o) {
    cd_real most = test_int(rng, 0, 2) ? (cd_real)INFINITY : (cd_real)test_range(rng, 0.0, 1.0);
    double least, limit = (double)most * (double)most;
    cd_pair pair = {CD_NONE, CD_NONE};
    bool found = nearest_by_force(o, limit, &pair, &least);
    cd_closest c;
    memset(&c, 0x5A, sizeof c);
    if (close_call(least, limit)) return;
    CHECK_INT(ASK("loop", cd_bvh_closest_bvh(&a.tree, &b.tree, pose, most, o, &c)), found);
    CHECK_INT(ASK("loop", cd_bvh_closest_bvh(&a.tree, &b.tree, pose, most, o, NULL)), found);
    if (!found || !CHECK(c.index_a < a.count && c.index_b < b.count)) return;
    check_nearest_points(&c, least);
    check_first_of_equals(o, &c);
    if (close_call(distances[c.index_a][c.index_b], least)) return; /* a tie but for rounding */
    CHECK_SAME(distances[c.index_a][c.index_b], least);
    CHECK(c.index_a == pair.a && c.index_b == pair.b);
}

static void distances_equal_two_loops(void) {
    test_rng rng = test_random();
    for (long n = test_times(180); n > 0; --n) {
        cd_transform place;
        cd_bvh_pair_options o = draw_options(&rng);
        draw(&rng, 24, false);
        if (a.kind == CD_BVH_BOXES && b.kind == CD_BVH_BOXES && test_int(&rng, 0, 3)) {
            forget(); /* 144 pairs of faces each */
            continue;
        }
        pose = draw_pose(&rng, &place);
        test_note("kinds %u %u, layouts %u %u", a.kind, b.kind, cd_bvh_get_layout(&a.tree),
                  cd_bvh_get_layout(&b.tree));
        if (pose) test_note_reals("pose", REALS(place), 7);
        measure_all();
        check_within(&rng, &o);
        check_nearest(&rng, &o);
        forget();
    }
}

/* Exactly as far apart as is asked for, and the next number less: points, boxes that end there, and triangles, of which one comes so near. */
static void exactly_that_far_apart(void) {
    static const uint32_t none[3] = {0, 1, 2};
    for (int i = 0; i < 54; ++i) {
        int axis = i % 3, kind = i / 3 % 3;
        double size = i / 9 % 3 == 0 ? 1 : i / 9 % 3 == 1 ? 1024 : 0.0009765625, far_off = 5 * size;
        cd_vec3 p[48], q[48];
        cd_mesh_view one, other;
        cd_aabb a_box, b_box;
        cd_bvh s, t;
        cd_transform lie = cd_transform_identity();
        for (int k = 0; k < 48; ++k) { /* those after the third lie behind */
            p[k] = cd_vec3_make(0, 0, 0);
            REALS(p[k])[(axis + 2) % 3] = (cd_real)(k % 3 * size); /* across the way between the two */
            REALS(p[k])[axis] = (cd_real)(k >= 3 ? -size * k / 8 : k == 1 ? -size : 0);
            q[k] = p[k];
            REALS(q[k])[axis] = (cd_real)(3 * size + (k >= 3 ? size * k / 8 : k == 1 ? size : 0));
            REALS(q[k])[(axis + 1) % 3] = (cd_real)(4 * size);
        }
        if (i >= 27) /* the other lies elsewhere in its own frame */
            for (int k = 0; k < 48; ++k)
                q[k] = cd_vec3_sub(q[k], cd_vec3_make((cd_real)size, 0, (cd_real)size));
        lie.position = cd_vec3_make((cd_real)size, 0, (cd_real)size);
        a_box = cd_aabb_from_points(p, 3);
        b_box = cd_aabb_from_points(q, 3);
        one = cd_mesh_view_make(p, 3, none, 1);
        other = cd_mesh_view_make(q, 3, none, 1);
        CHECK_INT(kind == 0   ? cd_bvh_build_points(&s, p, 48, NULL)
                  : kind == 1 ? cd_bvh_build_boxes(&s, &a_box, 1, NULL)
                              : cd_bvh_build_mesh(&s, &one, NULL),
                  CD_OK);
        CHECK_INT(kind == 0   ? cd_bvh_build_points(&t, q, 48, NULL)
                  : kind == 1 ? cd_bvh_build_boxes(&t, &b_box, 1, NULL)
                              : cd_bvh_build_mesh(&t, &other, NULL),
                  CD_OK);
        test_note("%d", i);
        for (int swap = 0; swap < 2; ++swap) {
            cd_transform back = cd_transform_inverse(&lie);
            const cd_transform *at = i < 27 ? NULL : swap ? &back : &lie;
            cd_real most = (cd_real)far_off;
            CHECK(cd_bvh_within(swap ? &t : &s, swap ? &s : &t, at, most, NULL, NULL, 0) > 0);
            CHECK(cd_bvh_test_within(swap ? &t : &s, swap ? &s : &t, at, most, NULL, NULL));
            CHECK_INT(cd_bvh_within(swap ? &t : &s, swap ? &s : &t, at, most * (1 - 4 * CD_REAL_EPSILON),
                                    NULL, NULL, 0),
                      0);
        }
        cd_bvh_destroy(&s);
        cd_bvh_destroy(&t);
    }
}

/* ... however far that is for their size: all of one crowd lies behind its first point, seen from the other's. */
static void exactly_that_far_apart_for_their_size(void) {
    test_rng rng = test_random();
    a.kind = b.kind = CD_BVH_POINTS;
    a.count = b.count = 20;
    for (long n = test_times(300) + 60; n > 0; --n) {
        int axis = (int)(n % 3);
        cd_real side = (cd_real)(n / 3 % 2 ? 1 : -1), most = (cd_real)pow(10.0, test_range(&rng, 1.0, 6.0));
        cd_transform place = cd_transform_identity(), back = cd_transform_identity();
        REALS(place.position)[axis] = side * most;
        REALS(back.position)[axis] = -side * most;
        for (uint32_t i = 0; i < a.count; ++i) {
            for (int k = 0; k < 3; ++k) {
                REALS(a.point[i])[k] = (cd_real)test_range(&rng, -1, 1);
                REALS(b.point[i])[k] = (cd_real)test_range(&rng, -1, 1);
            }
            REALS(a.point[i])[axis] = -side * (cd_real)(i ? test_range(&rng, 0, 1) : 0);
            REALS(b.point[i])[axis] = side * (cd_real)(i ? test_range(&rng, 0, 1) : 0);
        }
        b.point[0] = a.point[0];
        build(&rng, &a);
        build(&rng, &b);
        test_note("axis %d, %.9g apart", axis, (double)most);
        CHECK(cd_bvh_within(&a.tree, &b.tree, &place, most, NULL, NULL, 0) > 0);
        CHECK(cd_bvh_within(&b.tree, &a.tree, &back, most, NULL, NULL, 0) > 0);
        CHECK(cd_bvh_test_within(&a.tree, &b.tree, &place, most, NULL, NULL));
        forget();
        for (uint32_t i = 0; i < b.count; ++i) REALS(b.point[i])[axis] += side * most;
        build(&rng, &a);
        build(&rng, &b);
        CHECK(cd_bvh_within(&a.tree, &b.tree, NULL, most, NULL, NULL, 0) > 0);
        CHECK(cd_bvh_within(&b.tree, &a.tree, NULL, most, NULL, NULL, 0) > 0);
        forget();
    }
}

/* Far off in one direction, where a unit in the last place is an eighth: what is posed nearer to the plane of the others than half of that
 * comes to lie in it, and meets them all. */
static void rounded_onto_a_plane_far_off(void) {
    test_rng rng = test_random();
    a.kind = b.kind = CD_BVH_TRIANGLES;
    a.count = b.count = 20;
    for (int i = 0; i < 24; ++i) {
        int axis = i % 3;
        cd_real off = (cd_real)((i / 3 % 2 ? 0.125 : -0.125) / (double)CD_REAL_EPSILON);
        cd_transform place = cd_transform_identity();
        if (i / 6 % 2)
            place.rotation.x = place.rotation.y = place.rotation.z = place.rotation.w = (cd_real)0.5;
        for (uint32_t k = 0; k < a.count; ++k) {
            cd_vec3 *v = &a.triangle[k].a, *w = &b.triangle[k].a;
            for (int j = 0; j < 3; ++j) {
                v[j] = w[j] = cd_vec3_make(0, 0, 0);
                REALS(v[j])[(axis + 1) % 3] = (cd_real)(j == 0 ? -1 - (int)k : j == 1 ? 2 : 0);
                REALS(v[j])[(axis + 2) % 3] = (cd_real)(j == 0 ? -2 : j == 1 ? 0 : 3 + (int)k);
                w[j] = v[j];
                REALS(v[j])[axis] = off;
                REALS(w[j])[axis] = (cd_real)(i / 12 ? 0.03125 : -0.03125);
                w[j] = cd_transform_inverse_vector(&place, w[j]);
            }
        }
        REALS(place.position)[axis] = off;
        pose = &place;
        build(&rng, &a);
        build(&rng, &b);
        test_note("%d", i);
        CHECK_INT(cd_bvh_collide(&a.tree, &b.tree, &place, NULL, NULL, 0), 400);
        CHECK(cd_bvh_test_bvh(&a.tree, &b.tree, &place, NULL, NULL));
        forget();
    }
}

/* A box in the middle of another, or in a corner of it, one in the place of the other, and turned: the point that both have is in
 * both. Of boxes that come as near as numbers do, the distance is not 0. */
static void boxes_in_boxes(void) {
    test_rng rng = test_random();
    for (int i = 0; i < 96; ++i) {
        cd_aabb large, small, shared;
        cd_transform place = cd_transform_identity(), back;
        cd_vec3 middle = cd_vec3_make(i & 1 ? 3 : 1, i & 2 ? -3 : 5, i & 4 ? 4 : -2);
        cd_vec3 half = cd_vec3_make(2, 1, 3), off = cd_vec3_scale(half, (cd_real)(i & 8 ? 0.5 : 0));
        cd_obb turned;
        cd_bvh s, t;
        cd_closest c;
        large.min = cd_vec3_sub(middle, half);
        large.max = cd_vec3_add(middle, half);
        small.min = cd_vec3_sub(cd_vec3_add(middle, off), cd_vec3_scale(half, (cd_real)0.0625));
        small.max = cd_vec3_add(cd_vec3_add(middle, off), cd_vec3_scale(half, (cd_real)0.0625));
        if (i & 16) shared = large, large = small, small = shared;
        if (i >= 32) place = gen_pose(&rng, 2);
        if (i >= 64) place.position = cd_vec3_make(0, 0, 0);
        back = cd_transform_inverse(&place); /* takes B to where it is in A again */
        turned = cd_obb_from_aabb(small);
        turned = cd_obb_transform(&turned, &back);
        if (i >= 32) { /* B is what holds the turned box, and may meet A elsewhere, too */
            small = cd_aabb_from_obb(&turned);
            turned = cd_obb_from_aabb(small);
            turned = cd_obb_transform(&turned, &place);
        } else {
            turned = cd_obb_from_aabb(small);
        }
        CHECK_INT(cd_bvh_build_boxes(&s, &large, 1, NULL), CD_OK);
        CHECK_INT(cd_bvh_build_boxes(&t, &small, 1, NULL), CD_OK);
        test_note("%d", i);
        CHECK(cd_bvh_closest_bvh(&s, &t, i >= 32 ? &place : NULL, CD_REAL_MAX, NULL, &c));
        CHECK(c.sqdist == 0 && c.a.x == c.b.x && c.a.y == c.b.y && c.a.z == c.b.z);
        CHECK(cd_sqdist_point_aabb(c.a, large) <= 1e-8 * (i >= 32));
        CHECK(cd_sqdist_point_obb(c.a, &turned) <= 1e-8 * (i >= 32));
        if (i < 3) { /* one just beyond the other */
            cd_aabb other;
            cd_real least = (cd_real)(sizeof(cd_real) == 4 ? 1e-40 : 1e-310);
            large.min = cd_vec3_make(-1, -1, -1);
            large.max = cd_vec3_make(0, 0, 0);
            other.min = cd_vec3_make(0, 0, 0);
            other.max = cd_vec3_make(1, 1, 1);
            REALS(other.min)[i] = least;
            cd_bvh_destroy(&s);
            cd_bvh_destroy(&t);
            CHECK_INT(cd_bvh_build_boxes(&s, &large, 1, NULL), CD_OK);
            CHECK_INT(cd_bvh_build_boxes(&t, &other, 1, NULL), CD_OK);
            CHECK(cd_bvh_closest_bvh(&s, &t, NULL, CD_REAL_MAX, NULL, &c));
            CHECK(c.sqdist > 0 && c.sqdist < CD_REAL_EPSILON);
            CHECK(REALS(c.a)[i] == 0 && REALS(c.b)[i] == least);
        }
        cd_bvh_destroy(&s);
        cd_bvh_destroy(&t);
    }
}

/* Trees of a million to one in size, far from the origin: boxes are compared where floats do not reach. */
static void sizes_and_places_of_all_kinds(void) {
    test_rng rng = test_random();
    for (long n = test_times(100); n > 0; --n) {
        cd_transform place;
        cd_bvh_pair_options o;
        int e = test_int(&rng, -30, 30);
        draw(&rng, 24, true);
        forget();
        for (uint32_t i = 0; i < b.count; ++i) {
            cd_vec3 *v[6];
            v[0] = &b.triangle[i].a, v[1] = &b.triangle[i].b, v[2] = &b.triangle[i].c;
            v[3] = &b.point[i], v[4] = &b.box[i].min, v[5] = &b.box[i].max;
            for (int k = 0; k < 6; ++k) *v[k] = cd_vec3_scale(*v[k], (cd_real)ldexp(1.0, e));
        }
        build(&rng, &a);
        build(&rng, &b);
        pose = draw_pose(&rng, &place);
        test_note("kinds %u %u, 2^%d", a.kind, b.kind, e);
        if (pose) test_note_reals("pose", REALS(place), 7);
        memset(&o, 0, sizeof o);
        check_meeting(&rng, &o);
        forget();
    }
}

/* Two small crowds so far away from each other that floats do not reach, in frames of their size. */
static void distances_that_floats_do_not_reach(void) {
    test_rng rng = test_random();
    cd_transform place = cd_transform_identity();
    place.position.x = (cd_real)1e6;
    a.count = 9;
    a.kind = CD_BVH_POINTS;
    for (uint32_t i = 0; i < a.count; ++i)
        a.point[i] = cd_vec3_make((cd_real)(1e-15 * ((int)i - 4)), (cd_real)(1e-15 * i), 0);
    b = a;
    build(&rng, &a);
    build(&rng, &b);
    CHECK_INT(cd_bvh_within(&a.tree, &b.tree, &place, (cd_real)1.1e6, NULL, NULL, 0), 81);
    CHECK_INT(cd_bvh_within(&a.tree, &b.tree, &place, (cd_real)0.9e6, NULL, NULL, 0), 0);
    forget();
}

/* Crowds up to 10^11 times their sizes apart, where squares of distances are all but equal. */
static void nearest_of_crowds_far_away(void) {
    test_rng rng = test_random();
    for (long n = test_times(100); n > 0; --n) {
        cd_transform place;
        cd_bvh_pair_options o = draw_options(&rng);
        cd_closest c;
        cd_pair pair = {CD_NONE, CD_NONE};
        double least, away = pow(10.0, test_range(&rng, 3.5, 11.0));
        bool found;
        draw(&rng, 24, false);
        if (a.kind == CD_BVH_BOXES || b.kind == CD_BVH_BOXES) {
            forget();
            continue;
        }
        place = gen_pose(&rng, 0.0);
        place.position = cd_vec3_make((cd_real)(away * test_range(&rng, -1, 1)),
                                      (cd_real)(test_int(&rng, 0, 1) ? away : 0), (cd_real)away);
        pose = &place;
        test_note("kinds %u %u, %g away", a.kind, b.kind, away);
        measure_all();
        found = nearest_by_force(&o, INFINITY, &pair, &least);
        CHECK_INT(cd_bvh_closest_bvh(&a.tree, &b.tree, pose, (cd_real)INFINITY, &o, &c), found);
        if (found && CHECK(c.index_a < a.count && c.index_b < b.count)) {
            CHECK_SAME(distances[c.index_a][c.index_b], least);
            CHECK(passes(&o, c.index_a, c.index_b));
            check_nearest_points(&c, least);
            if (sizeof(cd_real) == 8) CHECK(c.index_a == pair.a && c.index_b == pair.b);
        }
        forget();
    }
}

/* ... and most of them are never measured. How many nodes are looked at is up to the crowds: where a flat side faces the other
 * crowd, many boxes really are no farther than the answer. It is little on the average, and not much more than where the answer is
 * known before. */
static void crowds_far_away_are_culled(void) {
    test_rng rng = test_random();
    long crowds = (test_is_tiny() ? 1 : 12) + test_times(10);
    uint64_t looks = 0, most = 0;
    for (long n = crowds; n > 0; --n) {
        cd_transform place = gen_pose(&rng, 0.0);
        cd_closest c;
        cd_pair last = {CD_NONE, CD_NONE};
        uint64_t before;
        do {
            forget();
            fill(&rng, &a, GEN_UNIT, MOST);
            fill(&rng, &b, GEN_UNIT, MOST);
        } while (a.kind != CD_BVH_TRIANGLES || b.kind != CD_BVH_TRIANGLES || a.count < 70 || b.count < 70);
        REALS(place.position)
        [n % 3] = (cd_real)(n % 2 ? 8e5 : pow(10.0, test_range(&rng, 3.0, sizeof(cd_real) == 8 ? 8.0 : 5.0)));
        before = test_counted.triangle, test_counted.node = 0;
        CHECK(cd_bvh_closest_bvh_again(&a.tree, &b.tree, &place, (cd_real)INFINITY, NULL, &last, &c));
        CHECK(test_counted.triangle - before < (uint64_t)a.count * b.count / 8);
        looks += test_counted.node, test_counted.node = 0;
        CHECK(cd_bvh_closest_bvh_again(&a.tree, &b.tree, &place, (cd_real)INFINITY, NULL, &last, &c));
        most += test_counted.node +
                4 * (uint64_t)(cd_bvh_get_stats(&a.tree).depth + cd_bvh_get_stats(&b.tree).depth);
        forget();
    }
    test_note("%d nodes of %d, %ld crowds", (int)looks, (int)most, crowds);
    CHECK(looks <= 100 + most);
    CHECK(looks < 200 + 50 * (uint64_t)crowds);
}

static void candidates_are_the_boxes_of_the_callers_own(void) {
    test_rng rng = test_random();
    cd_bvh_custom custom;
    memset(&custom, 0, sizeof custom);
    do {
        forget();
        draw(&rng, MOST, false);
    } while (a.kind != CD_BVH_BOXES || b.kind == CD_BVH_POINTS || !a.count || !b.count);
    pose = NULL;
    a.tree.custom = &custom;
    for (int k = 0; k < 2; ++k) {
        visits v = {0, 0};
        cd_bvh_pair_options o;
        memset(&o, 0, sizeof o);
        CHECK(cd_bvh_traverse_pairs(&a.tree, &b.tree, pose, &o, visit, &v));
        check_got(all_that_meet(&o), v.count);
    }
    forget();
}

static void bad_input_meets_nothing(void) {
    test_rng rng = test_random();
    cd_transform bad = cd_transform_identity();
    cd_bvh none;
    cd_pair pair;
    cd_closest c;
    memset(&none, 0, sizeof none);
    do {
        forget();
        draw(&rng, MOST, false);
    } while (!a.count || !b.count);
    CHECK(cd_bvh_test_within(&a.tree, &b.tree, NULL, 100, NULL, &pair));
    CHECK(cd_bvh_closest_bvh(&a.tree, &b.tree, NULL, (cd_real)INFINITY, NULL, &c));
    for (int k = 0; k < 5; ++k) {
        const cd_bvh *s = k == 0 ? &none : &a.tree, *t = k == 1 ? &none : &b.tree;
        const cd_transform *at = k == 2 ? &bad : NULL;
        cd_real most = k == 3 ? -1 : k == 4 ? (cd_real)NAN : 100;
        bad.position.x = (cd_real)NAN;
        if (k < 3) CHECK_INT(cd_bvh_collide(s, t, at, NULL, NULL, 0), 0);
        CHECK_INT(cd_bvh_within(s, t, at, most, NULL, NULL, 0), 0);
        CHECK(!cd_bvh_test_within(s, t, at, most, NULL, &pair));
        CHECK(!cd_bvh_closest_bvh(s, t, at, most, NULL, &c));
    }
    CHECK_INT(cd_bvh_self_pairs(&none, NULL, NULL, 0), 0);
    CHECK(!cd_bvh_test_self(&none, NULL, NULL));
    forget();
}

/* Extreme numbers do no harm (the sanitizer lanes watch), and are answered as by two loops. */
static void extreme_coordinates_do_no_harm(void) {
    test_rng rng = test_random();
    for (long n = test_times(300); n > 0; --n) {
        cd_transform place;
        cd_bvh_pair_options o;
        cd_closest c;
        memset(&o, 0, sizeof o);
        draw(&rng, 16, true);
        forget();
        for (uint32_t i = 0; i < 3 * a.count; ++i) {
            cd_real bad = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            crowd *s = i % 2 ? &a : &b;
            if (s->kind == CD_BVH_BOXES || !isfinite((double)bad) || i / 3 >= s->count) continue;
            (i % 3 ? &s->triangle[i / 3].b : &s->point[i / 3])->y = bad;
        }
        build(&rng, &a);
        build(&rng, &b);
        pose = draw_pose(&rng, &place);
        test_note("kinds %u %u", a.kind, b.kind);
        check_meeting(&rng, &o);
        if (cd_bvh_closest_bvh(&a.tree, &b.tree, pose, (cd_real)INFINITY, NULL, &c))
            CHECK(!isnan((double)c.sqdist) && c.index_a < a.count && c.index_b < b.count);
        cd_bvh_within(&a.tree, &b.tree, pose, CD_REAL_MAX, NULL, NULL, 0);
        forget();
    }
}

/* Of a segment whose size has no square in floats, and an end of it, all heights are 0. */
static void ends_of_huge_segments_are_met(void) {
    test_rng rng = test_random();
    cd_transform place = cd_transform_identity();
    cd_real size = sizeof(cd_real) == 4 ? (cd_real)1.5e23 : (cd_real)1.5e90;
    a.kind = b.kind = CD_BVH_TRIANGLES;
    a.count = b.count = 1;
    for (int i = 0; i < 3; ++i) {
        cd_triangle *t = &a.triangle[0];
        cd_vec3 p = cd_vec3_make(size, 0, -2 * size), q = cd_vec3_make(-size, size, size);
        t->a = i == 2 ? q : p;
        t->b = i == 1 ? q : p;
        t->c = i == 0 ? q : p;
        b.triangle[0].a = b.triangle[0].b = b.triangle[0].c = p;
        build(&rng, &a);
        build(&rng, &b);
        CHECK(cd_test_triangle_triangle(t, &b.triangle[0]));
        CHECK_INT(cd_bvh_collide(&a.tree, &b.tree, &place, NULL, NULL, 0), 1);
        CHECK_INT(cd_bvh_collide(&b.tree, &a.tree, &place, NULL, NULL, 0), 1);
        forget();
    }
}

/* ---- a tree against itself ---- */

static bool same_point(cd_vec3 p, cd_vec3 q) {
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

static int corners_in_common(const cd_triangle *s, const cd_triangle *t) {
    const cd_vec3 *p = &s->a, *q = &t->a;
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) count += same_point(p[i], q[j]);
    }
    return count;
}

static bool one_meets(uint32_t i, uint32_t j) {
    if (a.kind == CD_BVH_TRIANGLES) return cd_test_triangle_triangle(&a.triangle[i], &a.triangle[j]);
    return a.kind == CD_BVH_BOXES ? cd_test_aabb_aabb(a.box[i], a.box[j])
                                  : same_point(a.point[i], a.point[j]);
}

static void self_pairs_equal_two_loops(void) {
    test_rng rng = test_random();
    for (long n = test_times(300); n > 0; --n) {
        cd_bvh_pair_options o = draw_options(&rng);
        uint32_t ignored = o.ignore_a | o.ignore_b;
        visits v = {0, 0};
        size_t count = 0;
        cd_pair first;
        draw(&rng, MOST, true);
        o.flags = (uint32_t)test_int(&rng, 0, 1);
        test_note("kind %u, layout %u, flags %u", a.kind, cd_bvh_get_layout(&a.tree), o.flags);
        for (uint32_t i = 0; i < a.count; ++i) {
            for (uint32_t j = i + 1; j < a.count; ++j) {
                bool near_by_corner = a.kind == CD_BVH_TRIANGLES && o.flags &&
                                      corners_in_common(&a.triangle[i], &a.triangle[j]) > 0;
                want[count].a = i;
                want[count].b = j;
                count += !near_by_corner && !((a.mask[i] | a.mask[j]) & ignored) &&
                         (!o.filter || (i + j) % 2 == 1) && one_meets(i, j);
            }
        }
        CHECK(ASK("loop", cd_bvh_traverse_self(&a.tree, &o, visit, &v)));
        CHECK_INT(ASK("loop", cd_bvh_self_pairs(&a.tree, &o, NULL, 0)), count);
        CHECK_INT(ASK("loop", cd_bvh_test_self(&a.tree, &o, &first)), count > 0);
        if (count && v.count) CHECK(among(&first, want, count));
        check_got(count, v.count);
        if (count) {
            v.count = 0;
            v.stop_after = (size_t)test_int(&rng, 1, (int)count);
            CHECK(!ASK("loop", cd_bvh_traverse_self(&a.tree, &o, visit, &v)));
            CHECK_INT(v.count, v.stop_after);
        }
        forget();
    }
}

/* Do two triangles with area have more in common than their common corner or edge? By the points of their exact
 * intersection, on whole numbers. */
static bool meet_elsewhere(const cd_triangle *s, const cd_triangle *t) {
    int common = corners_in_common(s, t);
    cd_triangle_cut cut;
    if (!cd_intersect_triangle_triangle(s, t, &cut)) return false;
    return common == 0 || common == 3 || (int)cut.count > common;
}

static bool has_area(const cd_triangle *t) {
    return cd_vec3_sqlength(cd_vec3_cross(cd_vec3_sub(t->b, t->a), cd_vec3_sub(t->c, t->a))) > 0;
}

static void neighbours_that_only_touch_are_left_out(void) {
    test_rng rng = test_random();
    size_t told = 0, touching = 0;
    for (long n = test_times(60); n > 0; --n) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_bvh_pair_options o;
        visits v = {0, 0};
        size_t count = 0;
        memset(&o, 0, sizeof o);
        o.flags = CD_BVH_SKIP_TOUCHING;
        a.kind = CD_BVH_TRIANGLES;
        a.count = 40;
        for (uint32_t i = 0; i < a.count; ++i) {
            cd_triangle *t = &a.triangle[i];
            do {
                t->a = gen_point(&g);
                t->b = gen_point(&g);
                t->c = gen_point(&g);
            } while (!has_area(t));
        }
        build(&rng, &a);
        for (uint32_t i = 0; i < a.count; ++i) {
            for (uint32_t j = i + 1; j < a.count; ++j) {
                bool other = meet_elsewhere(&a.triangle[i], &a.triangle[j]);
                touching += !other && corners_in_common(&a.triangle[i], &a.triangle[j]) > 0;
                told += other && corners_in_common(&a.triangle[i], &a.triangle[j]) > 0;
                want[count].a = i;
                want[count].b = j;
                count += other;
            }
        }
        CHECK(cd_bvh_traverse_self(&a.tree, &o, visit, &v));
        check_got(count, v.count);
        forget();
    }
    CHECK(told > 0 && touching > 0);
}

/* Closed surfaces and grids meet themselves in neighbours only; what lies on each other does not. */
static void meshes_meet_themselves(void) {
    test_rng rng = test_random();
    gen_named_mesh meshes[16];
    int count = gen_all_meshes(&rng, meshes);
    for (int m = 0; m < count; ++m) {
        const gen_mesh *mesh = &meshes[m].mesh;
        cd_mesh_view view = gen_mesh_view(mesh);
        uint32_t most = test_is_tiny() ? 100 : 400,
                 few = mesh->triangle_count < most ? mesh->triangle_count : most;
        size_t all = 0, apart = 0;
        cd_bvh_pair_options o;
        memset(&o, 0, sizeof o);
        o.flags = CD_BVH_SKIP_NEIGHBOURS;
        test_note("mesh %s", meshes[m].name);
        view.triangle_count = few;
        for (uint32_t i = 0; i < few; ++i) {
            cd_triangle s = gen_mesh_triangle(mesh, i);
            cd_aabb box = cd_aabb_from_points(&s.a, 3);
            for (uint32_t j = i + 1; j < few; ++j) {
                cd_triangle t = gen_mesh_triangle(mesh, j);
                bool meet =
                    cd_test_aabb_aabb(box, cd_aabb_from_points(&t.a, 3)) && cd_test_triangle_triangle(&s, &t);
                all += meet;
                apart += meet && corners_in_common(&s, &t) == 0;
            }
        }
        for (uint32_t layout = 0; layout < 4; ++layout) {
            cd_bvh_options options;
            cd_bvh tree;
            memset(&options, 0, sizeof options);
            options.layout = layout;
            CHECK_INT(cd_bvh_build_mesh(&tree, &view, &options), CD_OK);
            CHECK_INT(ASK("loop", cd_bvh_self_pairs(&tree, NULL, NULL, 0)), all);
            CHECK_INT(ASK("loop", cd_bvh_self_pairs(&tree, &o, NULL, 0)), apart);
            cd_bvh_destroy(&tree);
        }
        gen_mesh_free(&meshes[m].mesh);
    }
}

/* ---- boxes in one frame ---- */

static cd_real less_than(cd_real x) {
    return sizeof(cd_real) == 4 ? (cd_real)nextafterf((float)x, -1.0f) : (cd_real)nextafter((double)x, -1.0);
}

/* Boxes of one case: a grid of equal ones that touch, in random order; all the same; points; flat ones; of many sizes; huge and
 * tiny ones; rows that end one unit in the last place before the next begins. */
static void fill_boxes(test_rng *rng, crowd *c, int what) {
    gen g = gen_begin(rng, what == 4 ? GEN_SCALE : what == 3 ? GEN_GRID : GEN_UNIT);
    c->kind = CD_BVH_BOXES;
    c->count = (uint32_t)test_int(rng, 1, MOST);
    for (uint32_t i = 0; i < c->count; ++i) {
        cd_real x = (cd_real)test_int(rng, 0, 4), y = (cd_real)test_int(rng, 0, 4),
                z = (cd_real)test_int(rng, 0, 4);
        cd_vec3 p = gen_point(&g), q = near_by(&g, p, what == 5 ? 1.0 : 0.2);
        cd_vec3 corner[2];
        cd_real scale = what == 6 ? (cd_real)1e25 : what == 7 ? (cd_real)1e-25 : 1;
        if (what == 2) q = p;
        if (what <= 1 || what >= 8) p = cd_vec3_make(what == 1 ? 1 : x, what == 1 ? 2 : y, what == 1 ? 3 : z);
        if (what <= 1) q = cd_vec3_add(p, cd_vec3_make(1, 1, 1));
        if (what >= 8) q = cd_vec3_make(less_than(p.x + 1), p.y + 1, less_than(p.z + 1));
        corner[0] = cd_vec3_scale(p, scale);
        corner[1] = cd_vec3_scale(q, scale);
        c->box[i] = cd_aabb_from_points(corner, 2);
        c->mask[i] = (uint32_t)test_int(rng, 0, 3);
    }
    build(rng, c);
}

static void boxes_in_one_frame(void) {
    test_rng rng = test_random();
    size_t pairs = 0;
    pose = NULL;
    for (long n = 30 + test_times(400); n > 0; --n) {
        cd_bvh_pair_options o = draw_options(&rng);
        uint32_t ignored = o.ignore_a | o.ignore_b;
        int what = test_int(&rng, 0, 9);
        size_t count = 0;
        visits v = {0, 0};
        fill_boxes(&rng, &a, what);
        fill_boxes(&rng, &b, test_int(&rng, 0, 3) ? what : test_int(&rng, 0, 9));
        test_note("boxes %d, layouts %u %u", what, cd_bvh_get_layout(&a.tree), cd_bvh_get_layout(&b.tree));
        check_meeting(&rng, &o);
        for (uint32_t i = 0; i < a.count; ++i) {
            for (uint32_t j = i + 1; j < a.count; ++j) {
                want[count].a = i;
                want[count].b = j;
                count += !((a.mask[i] | a.mask[j]) & ignored) && (!o.filter || (i + j) % 2 == 1) &&
                         cd_test_aabb_aabb(a.box[i], a.box[j]);
            }
        }
        CHECK(cd_bvh_traverse_self(&a.tree, &o, visit, &v));
        check_got(count, v.count);
        pairs += count;
        forget();
    }
    CHECK(pairs > 0);
}

/* Every layout and every size of leaves of larger trees, against a loop. */
static void many_boxes_in_one_frame(void) {
    static cd_aabb many[1500];
    static const uint32_t leaf[4] = {1, 4, 6, 64};
    test_rng rng = test_random();
    uint32_t all = test_is_small() ? 500 : 1500;
    for (int k = 0; k < 12; ++k) {
        cd_bvh_options o;
        cd_bvh t;
        size_t count = 0;
        memset(&o, 0, sizeof o);
        for (uint32_t i = 0; i < all; ++i) {
            double x = test_range(&rng, 0, 12), y = test_range(&rng, 0, 12), z = test_range(&rng, 0, 12);
            many[i].min = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
            many[i].max = cd_vec3_make((cd_real)(x + test_unit(&rng)), (cd_real)(y + 1), (cd_real)(z + 1));
        }
        for (uint32_t i = 0; i < all; ++i) {
            for (uint32_t j = i + 1; j < all; ++j) count += cd_test_aabb_aabb(many[i], many[j]);
        }
        o.layout = (uint32_t)k % 3;
        o.leaf_size = leaf[k / 3];
        CHECK_INT(cd_bvh_build_boxes(&t, many, all, &o), CD_OK);
        CHECK_INT(cd_bvh_self_pairs(&t, NULL, NULL, 0), count);
        CHECK_INT(cd_bvh_collide(&t, &t, NULL, NULL, NULL, 0), 2 * count + all);
        cd_bvh_destroy(&t);
    }
}

/* ---- the real cases ---- */

static size_t read_boxes(const json *boxes) {
    a.kind = CD_BVH_BOXES;
    a.count = 0;
    for (const json *one = boxes->child; one && a.count < MOST; one = one->next) {
        double lo[3], hi[3];
        CHECK(json_reals(json_get(one, "min"), lo, 3) == 3 && json_reals(json_get(one, "max"), hi, 3) == 3);
        a.box[a.count].min = cd_vec3_make((cd_real)lo[0], (cd_real)lo[1], (cd_real)lo[2]);
        a.box[a.count++].max = cd_vec3_make((cd_real)hi[0], (cd_real)hi[1], (cd_real)hi[2]);
    }
    return a.count;
}

static void check_case(const json *one, const json *expected) {
    const json *input = json_get(one, "input"), *result = json_get(expected, "results");
    test_rng rng = test_random();
    if (!result || !json_get(input, "queries")) return;
    read_boxes(json_get(input, "boxes"));
    result = result->child;
    for (const json *query = json_get(input, "queries")->child; query && result;
         query = query->next, result = result->next) {
        size_t count = 0;
        if (!json_is(query, "type", "self_pairs")) continue;
        for (const json *pair = json_get(result, "pairs")->child; pair && count < ROOM; pair = pair->next) {
            double ij[2] = {0, 0};
            CHECK_INT(json_reals(pair, ij, 2), 2);
            want[count].a = (uint32_t)ij[0];
            want[count++].b = (uint32_t)ij[1];
        }
        build(&rng, &a);
        check_got(count, ASK(cases_family(), cd_bvh_self_pairs(&a.tree, NULL, got, ROOM)));
        cd_bvh_destroy(&a.tree);
    }
}

static void real_cases(void) {
    cases_each("aabb_tree", check_case);
}

void suite_bvh_pairs(void) {
    for (uint32_t i = 0; i < 3 * MOST; ++i) indices[i] = i;
    RUN(pairs_equal_two_loops);
    RUN(filters_are_asked_only_of_what_counts);
    RUN(distances_equal_two_loops);
    RUN(exactly_that_far_apart);
    RUN(exactly_that_far_apart_for_their_size);
    RUN(rounded_onto_a_plane_far_off);
    RUN(boxes_in_boxes);
    RUN(sizes_and_places_of_all_kinds);
    RUN(distances_that_floats_do_not_reach);
    RUN(nearest_of_crowds_far_away);
    RUN(crowds_far_away_are_culled);
    RUN(candidates_are_the_boxes_of_the_callers_own);
    RUN(bad_input_meets_nothing);
    RUN(extreme_coordinates_do_no_harm);
    RUN(ends_of_huge_segments_are_met);
    RUN(self_pairs_equal_two_loops);
    RUN(neighbours_that_only_touch_are_left_out);
    RUN(meshes_meet_themselves);
    RUN(boxes_in_one_frame);
    RUN(many_boxes_in_one_frame);
    RUN(real_cases);
}
