/* Convex regions of planes against boxes, triangles and spheres: judged by the corners of what they have in common, all of
 * them, in exact arithmetic; frustums by their definition. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

enum { MOST = 4 };

static exact3 exact_of(cd_vec3 v) {
    double x[3];
    to_doubles(&v.x, x, 3);
    return exact3_from(x);
}

/* ---- the reference for boxes: has the body a corner? n . x <= d for all rows ---- */

typedef struct row {
    exact3 n;
    exact d;
} row;

static row row_of_plane(const cd_plane *p) {
    row r;
    r.n = exact_of(p->n);
    r.d = exact_from((double)p->d);
    return r;
}

static row row_of_side(int axis, double sign, cd_real at) {
    double n[3] = {0, 0, 0};
    row r;
    n[axis] = sign;
    r.n = exact3_from(n);
    r.d = exact_from(sign * (double)at);
    return r;
}

/* Do the rows i, j, k meet in one point, and do all rows hold there? */
static bool corner_holds(const row *rows, int count, int i, int j, int k) {
    exact3 jk = exact3_cross(rows[j].n, rows[k].n), ki = exact3_cross(rows[k].n, rows[i].n);
    exact3 ij = exact3_cross(rows[i].n, rows[j].n), at;
    exact det = exact3_dot(rows[i].n, jk);
    if (det.sign == 0) return false;
    at = exact3_add(exact3_add(exact3_scale(jk, rows[i].d), exact3_scale(ki, rows[j].d)),
                    exact3_scale(ij, rows[k].d));
    for (int l = 0; l < count; ++l) {
        int side = exact_compare(exact3_dot(rows[l].n, at), exact_mul(rows[l].d, det)) * det.sign;
        if (l != i && l != j && l != k && side > 0) return false;
    }
    return true;
}

static bool body_has_a_corner(const row *rows, int count) {
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            for (int k = j + 1; k < count; ++k) {
                exact_pool pool = exact_begin();
                bool holds = corner_holds(rows, count, i, j, k);
                exact_end(pool);
                if (holds) return true;
            }
        }
    }
    return false;
}

static bool box_meets(cd_aabb b, const cd_plane *planes, int count) {
    exact_pool pool = exact_begin();
    row rows[6 + MOST];
    bool meets;
    for (int k = 0; k < 3; ++k) {
        row lower = row_of_side(k, -1, REALS(b)[k]), upper = row_of_side(k, 1, REALS(b)[3 + k]);
        rows[2 * k] = lower;
        rows[2 * k + 1] = upper;
    }
    for (int i = 0; i < count; ++i) {
        row r = row_of_plane(&planes[i]);
        rows[6 + i] = r;
    }
    meets = body_has_a_corner(rows, 6 + count);
    exact_end(pool);
    return meets;
}

/* ---- for triangles: weights of the corners, at least 0, with no sum of heights above 0 ---- */

static bool ray_holds(const exact3 *rows, int count, int i, int j) {
    exact3 w = exact3_cross(rows[i], rows[j]);
    int sign = w.c[0].sign + w.c[1].sign + w.c[2].sign;
    if (exact3_is_zero(w) || sign == 0) return false;
    if (sign < 0) w = exact3_scale(w, exact_from(-1));
    for (int l = 0; l < count; ++l) {
        if (exact3_dot(rows[l], w).sign > 0) return false;
    }
    return true;
}

/* With each d larger by `room` of the largest of |n| |x| and d. */
static bool triangle_meets(const cd_triangle *t, const cd_plane *planes, int count, double room) {
    exact_pool pool = exact_begin();
    exact3 rows[3 + MOST];
    const cd_vec3 *corner = &t->a;
    bool meets = false;
    for (int k = 0; k < 3; ++k) {
        double side[3] = {0, 0, 0};
        side[k] = -1;
        rows[k] = exact3_from(side);
    }
    for (int i = 0; i < count; ++i) {
        double size = fabs((double)planes[i].d);
        for (int k = 0; k < 3; ++k)
            size = fmax(size, (double)cd_vec3_length(planes[i].n) * (double)cd_vec3_length(corner[k]));
        for (int k = 0; k < 3; ++k) {
            exact d = exact_add(exact_from((double)planes[i].d), exact_from(room > 0 ? room * size : 0));
            rows[3 + i].c[k] = exact_sub(exact3_dot(exact_of(planes[i].n), exact_of(corner[k])), d);
        }
    }
    for (int i = 0; i < 3 + count; ++i) {
        for (int j = i + 1; j < 3 + count; ++j) meets = meets || ray_holds(rows, 3 + count, i, j);
    }
    exact_end(pool);
    return meets;
}

/* ---- inputs ---- */

/* Planes that cut off much of what is there, mostly through points that are given or next to them. */
static int some_planes(gen *g, const cd_vec3 *at, int at_count, cd_plane *out) {
    int count = test_int(g->rng, 0, MOST);
    cd_vec3 middle = at[0];
    for (int i = 0; i < count; ++i) {
        cd_vec3 n = gen_direction(g), p = at[test_int(g->rng, 0, at_count - 1)];
        if (test_int(g->rng, 0, 2) == 0) p = gen_point(g);
        if (i > 0 && test_int(g->rng, 0, 4) == 0) n = cd_vec3_neg(out[i - 1].n);
        if (test_int(g->rng, 0, 2) == 0) p = cd_vec3_lerp(p, middle, (cd_real)test_unit(g->rng));
        out[i] = cd_plane_from_point_normal(p, n);
        if (test_int(g->rng, 0, 3) == 0) out[i].d = gen_near(g->rng, out[i].d);
    }
    return count;
}

static bool cuts_one_by_one(cd_aabb b, const cd_plane *planes, int count) {
    for (int i = 0; i < count; ++i) {
        if (!cd_test_aabb_halfspace(b, planes[i])) return false;
    }
    return true;
}

static void boxes(void) {
    test_rng rng = test_random();
    int met = 0, culled = 0, corners = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_aabb b = gen_aabb(&g);
        cd_plane planes[MOST];
        int count, cull, inside = 1;
        bool want, got;
        if (!cd_aabb_is_valid(b)) continue;
        count = some_planes(&g, &b.min, 2, planes);
        test_note("%d planes", count);
        test_note_reals("box", REALS(b), 6);
        test_note_reals("planes", REALS(planes[0]), 4 * count);
        want = box_meets(b, planes, count);
        got = ASK("exact", cd_test_aabb_region(b, planes, (size_t)count));
        CHECK_INT(got, want);
        cull = ASK("exact", cd_cull_aabb_region(b, planes, (size_t)count));
        for (int k = 0; k < 8; ++k) {
            cd_vec3 p =
                cd_vec3_make(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z);
            inside = inside && cd_test_point_halfspaces(p, planes, (size_t)count);
        }
        CHECK_INT(cull, !cuts_one_by_one(b, planes, count) ? -1 : inside);
        met += want;
        culled += cull < 0;
        corners += !want && cull == 0;
    }
    CHECK_SEEN(met > 10 && culled > 10 && corners > 0);
}

static void triangles(void) {
    test_rng rng = test_random();
    int met = 0, missed = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_triangle t = gen_triangle(&g);
        cd_plane planes[MOST];
        int count = some_planes(&g, &t.a, 3, planes);
        bool want, got;
        for (int k = 0; k < count; ++k) {
            if (!cd_plane_is_valid(&planes[k])) count = k;
        }
        test_note("%d planes", count);
        test_note_reals("triangle", REALS(t), 9);
        test_note_reals("planes", REALS(planes[0]), 4 * count);
        want = triangle_meets(&t, planes, count, 0.0);
        got = ASK("exact", cd_test_triangle_region(&t, planes, (size_t)count));
        if (want) CHECK(got);
        if (got && !want) CHECK(triangle_meets(&t, planes, count, ldexp(1.001, -44)));
        met += want;
        missed += !got;
    }
    CHECK_SEEN(met > 20 && missed > 20);
}

/* The distances of the planes from the centre, in exact arithmetic. */
static void spheres(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_sphere s = gen_sphere(&g);
        cd_plane planes[MOST];
        int count = some_planes(&g, &s.center, 1, planes), cull, inside = 1, apart = 0;
        test_note_reals("sphere", REALS(s), 4);
        test_note_reals("planes", REALS(planes[0]), 4 * count);
        for (int k = 0; k < count; ++k) {
            exact_pool pool = exact_begin();
            exact3 n = exact_of(planes[k].n);
            exact height = exact_sub(exact3_dot(n, exact_of(s.center)), exact_from((double)planes[k].d));
            exact reach = exact_mul(exact_mul(exact_from((double)s.radius), exact_from((double)s.radius)),
                                    exact3_dot(n, n));
            int more = exact_compare(exact_mul(height, height), reach);
            apart = apart || (height.sign > 0 && more > 0);
            inside = inside && height.sign <= 0 && more >= 0;
            exact_end(pool);
        }
        cull = ASK("exact", cd_cull_sphere_region(s, planes, (size_t)count));
        CHECK(cull == 0 || cull == (apart ? -1 : inside));
        ++seen[cull + 1];
        if (g.kind == GEN_UNIT) CHECK_INT(cull, apart ? -1 : inside);
    }
    CHECK_SEEN(seen[0] > 20 && seen[1] > 20 && seen[2] > 20);
}

/* ---- bounds ---- */

static void bounds(void) {
    test_rng rng = test_random();
    cd_plane cube[6];
    cd_aabb b;
    for (int k = 0; k < 6; ++k) {
        memset(&cube[k], 0, sizeof cube[k]);
        REALS(cube[k])[k / 2] = k % 2 ? 2 : -2;
        cube[k].d = k % 2 ? 6 : 2; /* -1 <= x <= 3 */
    }
    for (int count = 0; count <= 6; ++count) {
        b = ASK("exact", cd_aabb_from_region(cube, (size_t)count));
        for (int k = 0; k < 6; ++k) {
            cd_real got = REALS(b)[k % 2 * 3 + k / 2];
            if (k >= count)
                CHECK_SAME(got, k % 2 ? CD_REAL_MAX : -CD_REAL_MAX);
            else
                CHECK(k % 2 ? got >= 3 && got < (cd_real)3.00001 : got <= -1 && got > (cd_real)-1.00001);
        }
    }
    cube[1].d = -7;
    CHECK(cd_aabb_is_empty(cd_aabb_from_region(cube, 6)));
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_vec3 p = gen_point(&g);
        cd_plane planes[MOST];
        int count = some_planes(&g, &p, 1, planes);
        b = ASK("judge", cd_aabb_from_region(planes, (size_t)count));
        if (cd_test_point_halfspaces(p, planes, (size_t)count)) CHECK(cd_test_point_aabb(p, b));
    }
}

/* ---- frustums ---- */

/* Where the point is in the frustum: above 0 inside, by how much of a unit. */
static double depth_in(const cd_frustum *f, cd_vec3 p) {
    cd_vec3 q = cd_transform_inverse_point(&f->pose, p);
    double x = (double)q.x, y = (double)q.y, w = -(double)q.z;
    double least = fmin(x - (double)f->left * w, (double)f->right * w - x);
    least = fmin(least, fmin(y - (double)f->bottom * w, (double)f->top * w - y));
    return fmin(least, fmin(w - (double)f->first, (double)f->last - w));
}

/* The projection of the frustum, as rows; `depth` 2 is the unsigned one reversed. */
static void rows_of(const cd_frustum *f, int depth, cd_vec4 row[4]) {
    cd_mat3 m = cd_quat_to_mat3(cd_quat_conjugate(f->pose.rotation));
    cd_vec3 eye = cd_quat_rotate(cd_quat_conjugate(f->pose.rotation), f->pose.position);
    double l = (double)f->left, r = (double)f->right, b = (double)f->bottom, t = (double)f->top;
    double n = (double)f->first, e = (double)f->last;
    double clip[4][4] = {{2 / (r - l), 0, (r + l) / (r - l), 0},
                         {0, 2 / (t - b), (t + b) / (t - b), 0},
                         {0, 0, 0, 0},
                         {0, 0, -1, 0}};
    clip[2][2] = isinf(e) ? -1 : depth ? e / (n - e) : (n + e) / (n - e);
    clip[2][3] = isinf(e) ? (depth ? -n : -2 * n) : depth ? n * e / (n - e) : 2 * n * e / (n - e);
    if (depth == 2) { /* 1 - z / w */
        clip[2][2] = -1 - clip[2][2];
        clip[2][3] = -clip[2][3];
    }
    for (int i = 0; i < 4; ++i) {
        double view[4] = {0, 0, 0, clip[i][3]};
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) view[j] += clip[i][k] * (double)REALS(m.col[j])[k];
            view[3] -= clip[i][j] * (double)REALS(eye)[j];
        }
        row[i] = cd_vec4_make((cd_real)view[0], (cd_real)view[1], (cd_real)view[2], (cd_real)view[3]);
    }
}

static void frustums(void) {
    test_rng rng = test_random();
    int inside = 0, outside = 0;
    for (long i = test_times(2000); i > 0; --i) {
        cd_frustum f;
        cd_plane planes[6], others[6];
        cd_vec4 row[4];
        uint32_t count = 99, other_count = 99;
        f.pose = gen_pose(&rng, 3.0);
        f.left = (cd_real)test_range(&rng, -1.0, 0.3);
        f.right = f.left + (cd_real)test_range(&rng, 0.3, 2.0);
        f.bottom = (cd_real)test_range(&rng, -1.0, 0.3);
        f.top = f.bottom + (cd_real)test_range(&rng, 0.3, 2.0);
        f.first = (cd_real)test_range(&rng, 0.1, 1.0);
        f.last = i % 2 ? (cd_real)INFINITY : (cd_real)test_range(&rng, 2.0, 10.0);
        CHECK(ASK("judge", cd_region_from_frustum(&f, planes, &count)));
        CHECK_INT(count, i % 2 ? 5 : 6);
        rows_of(&f, (int)(i % 3), row);
        CHECK(ASK("judge",
                  cd_region_from_rows(row, i % 3 ? CD_CLIP_UNSIGNED : CD_CLIP_SIGNED, others, &other_count)));
        CHECK(other_count == count || (i % 2 && other_count == 6));
        if (i % 8 == 0) { /* any multiple of the rows, up to the largest numbers */
            cd_real scale = (cd_real)ldexp(1.0, sizeof(cd_real) == 8 ? 1015 : 119);
            cd_plane same[6];
            for (int k = 0; k < 4; ++k) row[k] = cd_vec4_scale(row[k], scale);
            CHECK(ASK("judge", cd_region_from_rows(row, i % 3 ? CD_CLIP_UNSIGNED : CD_CLIP_SIGNED, same,
                                                   &other_count)));
            for (uint32_t k = 0; k < 4 * other_count; ++k) CHECK_SAME(REALS(same)[k], REALS(others)[k]);
        }
        for (uint32_t k = 0; k < count; ++k)
            CHECK_NEAR(cd_vec3_length(planes[k].n), 1.0, 4 * (double)CD_REAL_EPSILON);
        for (int k = 0; k < 20; ++k) {
            double x = test_range(&rng, -8.0, 8.0), y = test_range(&rng, -8.0, 8.0),
                   z = test_range(&rng, -12.0, 4.0);
            cd_vec3 p = cd_transform_point(&f.pose, cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z));
            double depth = depth_in(&f, p);
            if (fabs(depth) < 300 * (double)CD_REAL_EPSILON) continue;
            test_note("point %g %g %g, depth %g, layout %ld", x, y, z, depth, i % 3);
            CHECK_INT(cd_test_point_halfspaces(p, planes, count), depth > 0);
            if (fabs(depth) > 1e4 * (double)CD_REAL_EPSILON)
                CHECK_INT(cd_test_point_halfspaces(p, others, other_count), depth > 0);
            inside += depth > 0;
            outside += depth < 0;
        }
    }
    CHECK_SEEN(inside > 50 && outside > 50);
}

static void bad_frustums(void) {
    cd_frustum good, f;
    cd_plane planes[6];
    cd_vec4 row[4];
    uint32_t count = 99;
    memset(&good, 0, sizeof good);
    good.pose = cd_transform_identity();
    good.left = good.bottom = -1;
    good.right = good.top = good.last = 1;
    CHECK(ASK("bad", cd_region_from_frustum(&good, planes, &count)) && count == 6);
    count = 99;
    for (int k = 0; k < 13; ++k) {
        f = good;
        REALS(f)[k] = (cd_real)(k == 12 ? 0 : NAN);
        CHECK(!ASK("bad", cd_region_from_frustum(&f, planes, &count)));
        REALS(f)[k] = (cd_real)-INFINITY;
        CHECK(!ASK("bad", cd_region_from_frustum(&f, planes, &count)));
    }
    f = good;
    f.left = 1;
    CHECK(!ASK("bad", cd_region_from_frustum(&f, planes, &count)));
    f = good;
    f.first = -1;
    CHECK(!ASK("bad", cd_region_from_frustum(&f, planes, &count)));
    memset(row, 0, sizeof row);
    CHECK(ASK("bad", cd_region_from_rows(row, 0, planes, &count)) && count == 0); /* 0 <= 0 everywhere */
    count = 99;
    row[3].w = -1;
    CHECK(!ASK("bad", cd_region_from_rows(row, 0, planes, &count)));
    row[1].y = (cd_real)NAN;
    CHECK(!ASK("bad", cd_region_from_rows(row, 1, planes, &count)) &&
          !ASK("bad", cd_region_from_rows(row, 2, planes, &count)));
    CHECK_INT(count, 99);
}

/* ---- what is not valid ---- */

static void bad_input_meets_nothing(void) {
    test_rng rng = test_random();
    cd_plane planes[33];
    cd_sphere ball = {{0, 0, 0}, 1};
    cd_aabb box = cd_aabb_from_sphere(ball);
    cd_triangle t;
    t.a = box.min;
    t.b = box.max;
    t.c = cd_vec3_make(1, 0, 0);
    for (int i = 0; i < 33; ++i)
        planes[i] = cd_plane_from_point_normal(cd_vec3_make(9, 0, 0), cd_vec3_make(1, 0, 0));
    CHECK(ASK("bad", cd_region_is_valid(NULL, 0)) && ASK("bad", cd_test_aabb_region(box, NULL, 0)) &&
          ASK("bad", cd_test_triangle_region(&t, NULL, 0)));
    CHECK(ASK("bad", cd_cull_aabb_region(box, NULL, 0)) == 1 && cd_cull_sphere_region(ball, NULL, 0) == 1);
    CHECK(ASK("bad", cd_region_is_valid(planes, 32)) && ASK("bad", cd_test_aabb_region(box, planes, 32)) &&
          !ASK("bad", cd_region_is_valid(NULL, 1)));
    for (long i = test_times(2000) + 12; i > 0; --i) {
        size_t count = i == 1 ? 33 : (size_t)test_int(&rng, 1, 32),
               at = (size_t)test_int(&rng, 0, (int)count - 1);
        cd_plane kept = planes[at];
        if (i == 2)
            planes[at].n = cd_vec3_make(0, 0, 0);
        else if (i > 2 && i % 2)
            REALS(planes[at])[test_int(&rng, 0, 3)] = (cd_real)(i % 4 == 1 ? NAN : INFINITY);
        else if (i > 2)
            REALS(box)
        [i % 6] = (cd_real)NAN, REALS(t)[i % 9] = (cd_real)-INFINITY, REALS(ball)[i % 4] = (cd_real)NAN;
        CHECK(!ASK("bad", cd_test_aabb_region(box, planes, count)) &&
              !cd_test_triangle_region(&t, planes, count));
        CHECK(ASK("bad", cd_cull_aabb_region(box, planes, count)) == -1 &&
              ASK("bad", cd_cull_sphere_region(ball, planes, count)) == -1);
        planes[at] = kept;
        ball.center = cd_vec3_make(0, 0, 0);
        ball.radius = 1;
        box = cd_aabb_from_sphere(ball);
        t.a = box.min;
        t.b = box.max;
        t.c = cd_vec3_make(1, 0, 0);
    }
}

/* Any numbers: verdicts that hold together, and nothing that hangs. */
static void any_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        cd_plane planes[MOST];
        cd_vec3 p[3];
        cd_aabb b;
        cd_triangle t;
        int count = test_int(&rng, 0, MOST);
        bool box, flat;
        for (int k = 0; k < 4 * MOST; ++k) REALS(planes[0])[k] = gen_any_real(&rng);
        for (int k = 0; k < 9; ++k) REALS(p[0])[k] = gen_any_real(&rng);
        t.a = p[0];
        t.b = p[1];
        t.c = p[2];
        b = cd_aabb_from_points(p, 3);
        test_note_reals("planes", REALS(planes[0]), 4 * count);
        test_note_reals("triangle", REALS(t), 9);
        if (!cd_region_is_valid(planes, (size_t)count)) continue;
        box = ASK("bad", cd_test_aabb_region(b, planes, (size_t)count));
        flat = ASK("bad", cd_test_triangle_region(&t, planes, (size_t)count));
        for (int k = 0; k < 3; ++k) {
            if (ASK("bad", cd_test_point_halfspaces(p[k], planes, (size_t)count))) CHECK(box && flat);
        }
        if (ASK("bad", cd_cull_aabb_region(b, planes, (size_t)count)) < 0) CHECK(!box);
        if (i % 8 == 0) CHECK_INT(box, box_meets(b, planes, count));
        if (i % 8 == 0 && triangle_meets(&t, planes, count, 0.0)) CHECK(flat);
    }
}

void suite_region(void) {
    RUN(boxes);
    RUN(triangles);
    RUN(spheres);
    RUN(bounds);
    RUN(frustums);
    RUN(bad_frustums);
    RUN(bad_input_meets_nothing);
    RUN(any_numbers);
}
