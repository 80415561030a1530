/* Hulls of any points: valid by their own rules, all points inside by exact signs, the same for any order; what is made of them is sound. */
#include "fuzz.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

enum { MOST = 40 };

static bool all_valid(const cd_vec3 *p, int count) {
    for (int i = 0; i < count; ++i)
        if (!cd_vec3_is_valid(p[i])) return false;
    return true;
}

/* No point is in front of any face, by exact arithmetic. */
static void all_inside(const cd_hull *hull, const cd_vec3 *p, int count) {
    static uint32_t indices[6 * MOST];
    cd_hull_parts parts = cd_hull_get_parts(hull);
    size_t corners = cd_hull_triangles(hull, indices, sizeof indices / sizeof indices[0]);
    CHECK(corners <= sizeof indices / sizeof indices[0]);
    if (parts.dimension != 3 || parts.flatness != 0) return;
    for (size_t i = 0; i + 2 < corners; i += 3) {
        double t[4][3];
        for (int k = 0; k < 3; ++k) to_doubles(&parts.vertices[indices[i + (size_t)k]].x, t[k], 3);
        for (int k = 0; k < count; ++k) {
            to_doubles(&p[k].x, t[3], 3);
            CHECK(oracle_orient3d(t[0], t[1], t[2], t[3]) >= 0);
        }
    }
}

static void of_points(fuzz *f) {
    cd_vec3 p[MOST], q[MOST], dir = fuzz_vec(f);
    cd_hull hull, other;
    cd_hull_options o;
    cd_hull_parts parts, others;
    cd_status status;
    int count = test_int(f->rng, 0, MOST);
    fuzz_points(f, p, count);
    memset(&o, 0, sizeof o);
    test_note_reals("points", &p[0].x, 3 * count);
    status = cd_hull3_build(&hull, p, (size_t)count, &o);
    CHECK_INT(status == CD_INVALID_ARGUMENT, !all_valid(p, count));
    if (status != CD_OK) {
        CHECK(!hull.block);
        return;
    }
    CHECK_INT(cd_hull_validate(&hull), CD_OK);
    parts = cd_hull_get_parts(&hull);
    if (f->tame) all_inside(&hull, p, count);
    for (int i = 0; i < count; ++i) q[i] = p[count - 1 - i];
    CHECK_INT(cd_hull3_build(&other, q, (size_t)count, &o), CD_OK);
    others = cd_hull_get_parts(&other);
    CHECK_INT(others.dimension, parts.dimension);
    CHECK_INT(others.vertex_count, parts.vertex_count);
    CHECK_INT(others.face_count, parts.face_count);
    if (count && cd_vec3_is_valid(dir)) {
        uint32_t v = cd_hull_support(&hull, dir);
        double best = -INFINITY, got;
        CHECK(v < parts.vertex_count);
        CHECK_INT(cd_hull_support_from(&hull, dir, (uint32_t)test_int(f->rng, 0, 99)) < parts.vertex_count,
                  true);
        got = (double)dir.x * (double)parts.vertices[v].x + (double)dir.y * (double)parts.vertices[v].y +
              (double)dir.z * (double)parts.vertices[v].z;
        for (int i = 0; i < count; ++i)
            best = fmax(best, (double)dir.x * (double)p[i].x + (double)dir.y * (double)p[i].y +
                                  (double)dir.z * (double)p[i].z);
        if (f->tame && isfinite(best))
            CHECK_NEAR(got, best,
                       1e-13 * (double)parts.reach *
                           (fabs((double)dir.x) + fabs((double)dir.y) + fabs((double)dir.z)));
    }
    for (int i = 0; i < count && i < 5; ++i) CHECK(cd_locate_point_hull(p[i], &hull) >= 0);
    cd_hull_destroy(&other);
    cd_hull_destroy(&hull);
}

static void made_of_two(fuzz *f) {
    cd_vec3 p[12], q[12];
    cd_hull a, b, sum;
    cd_hull_simplify_options so;
    int m = test_int(f->rng, 1, 12), n = test_int(f->rng, 1, 12);
    fuzz_points(f, p, m);
    fuzz_points(f, q, n);
    test_note_reals("a", &p[0].x, 3 * m);
    test_note_reals("b", &q[0].x, 3 * n);
    if (cd_hull3_build(&a, p, (size_t)m, NULL) != CD_OK) return;
    if (cd_hull3_build(&b, q, (size_t)n, NULL) == CD_OK) {
        cd_status status = cd_minkowski_sum3(&sum, &a, &b, NULL);
        int where;
        if (f->tame) CHECK_INT(status, CD_OK);
        if (status == CD_OK) {
            CHECK_INT(cd_hull_validate(&sum), CD_OK);
            cd_hull_destroy(&sum);
        }
        if (cd_minkowski_locate_origin3(&where, &a, &b, NULL) == CD_OK && f->tame)
            CHECK_INT(where >= 0, cd_test_hull_hull(&a, &b));
        cd_hull_destroy(&b);
    }
    memset(&so, 0, sizeof so);
    so.max_vertices = (uint32_t)test_int(f->rng, 0, 12);
    if (cd_hull_simplify(&sum, &a, &so) == CD_OK) {
        CHECK_INT(cd_hull_validate(&sum), CD_OK);
        cd_hull_destroy(&sum);
    }
    cd_mass_from_hull(&a);
    cd_hull_destroy(&a);
}

static void in_the_plane(fuzz *f) {
    cd_vec2 p[MOST];
    uint32_t a[MOST], b[MOST];
    size_t m, n;
    int count = test_int(f->rng, 0, MOST);
    bool valid = true;
    cd_status status;
    for (int i = 0; i < count; ++i) {
        cd_vec2 v = fuzz_vec2(f);
        p[i] = v;
        valid = valid && cd_vec2_is_valid(v);
    }
    test_note_reals("points", &p[0].x, 2 * count);
    status = cd_hull2_andrew(p, (size_t)count, a, &m);
    CHECK_INT(status, cd_hull2_quickhull(p, (size_t)count, b, &n));
    CHECK_INT(status == CD_OK, valid);
    if (status != CD_OK) return;
    CHECK_INT(m, n);
    for (size_t i = 0; i < m; ++i) {
        double x[3][2];
        CHECK(a[i] < (uint32_t)count);
        to_doubles(&p[a[i]].x, x[0], 2);
        to_doubles(&p[a[(i + 1) % m]].x, x[1], 2);
        for (int k = 0; k < count && m > 2 && f->tame; ++k) {
            to_doubles(&p[k].x, x[2], 2);
            CHECK(oracle_orient2d(x[0], x[1], x[2]) >= 0);
        }
    }
}

void fuzz_hull(test_rng *r) {
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    int what = test_int(r, 0, 5);
    test_note("");
    if (what < 3)
        of_points(&f);
    else if (what < 5)
        made_of_two(&f);
    else
        in_the_plane(&f);
}
