/* Pairs of simple shapes of any numbers: verdicts that are exact by exact arithmetic, closest points by a reference, and what must hold of any hit. */
#include "fuzz.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

static double size_of(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

static const double ulp = sizeof(cd_real) == 4 ? 1.1920928955078125e-07 : 2.220446049250313e-16;

/* Exact for all finite floats, for doubles in the domain. */
static bool is_exact(const fuzz *f) {
    return sizeof(cd_real) == 4 ? f->finite : f->tame;
}

static void triangles(fuzz *f) {
    cd_triangle a = fuzz_triangle(f), b = fuzz_triangle(f);
    cd_segment s = fuzz_segment(f);
    cd_aabb box = fuzz_aabb(f);
    double x[9], y[9], z[6];
    bool meet;
    FUZZ_NOTE(a);
    FUZZ_NOTE(b);
    FUZZ_NOTE(s);
    FUZZ_NOTE(box);
    meet = cd_test_triangle_triangle(&a, &b);
    CHECK_INT(cd_test_triangle_triangle(&b, &a), meet);
    if (!is_exact(f)) {
        if (!cd_triangle_is_valid(&a) || !cd_triangle_is_valid(&b)) CHECK(!meet);
        cd_test_segment_triangle(&s, &a);
        cd_test_triangle_aabb(&a, box);
        return;
    }
    to_doubles(&a.a.x, x, 9);
    to_doubles(&b.a.x, y, 9);
    to_doubles(&s.a.x, z, 6);
    CHECK_INT(meet, oracle_triangle_triangle(x, y));
    CHECK_INT(cd_test_segment_triangle(&s, &a), oracle_segment_triangle(z, x));
    to_doubles(&box.min.x, z, 6);
    CHECK_INT(cd_test_triangle_aabb(&a, box), oracle_triangle_box(x, z, z + 3));
}

static void nearest(fuzz *f) {
    cd_triangle t = fuzz_triangle(f), u = fuzz_triangle(f);
    cd_segment s = fuzz_segment(f), v = fuzz_segment(f);
    cd_vec3 p = fuzz_vec(f);
    cd_closest c;
    oracle_nearest near;
    oracle_distance apart;
    double x[9], y[6], z[6], w[3], size;
    cd_real sq;
    FUZZ_NOTE(t);
    FUZZ_NOTE(s);
    FUZZ_NOTE(v);
    FUZZ_NOTE(p);
    c = cd_closest_pts_point_triangle(p, &t);
    sq = cd_sqdist_point_triangle(p, &t);
    CHECK(FUZZ_SAME(c.sqdist, sq));
    CHECK_INT(sq == sq, cd_vec3_is_valid(p) && cd_triangle_is_valid(&t));
    c = cd_closest_pts_triangle_triangle(&t, &u);
    if (f->finite) CHECK(c.sqdist >= 0 && cd_vec3_is_valid(c.a) && cd_vec3_is_valid(c.b));
    if (f->tame) CHECK(!cd_test_triangle_triangle(&t, &u) || c.sqdist == 0);
    if (!f->tame) return;
    to_doubles(&t.a.x, x, 9);
    to_doubles(&s.a.x, y, 6);
    to_doubles(&v.a.x, z, 6);
    to_doubles(&p.x, w, 3);
    size = fmax(fmax(size_of(x, 9), size_of(y, 6)), fmax(size_of(z, 6), size_of(w, 3)));
    near = oracle_point_triangle(w, x);
    CHECK_NEAR(sqrt((double)sq), near.distance, 4 * ulp * size);
    near = oracle_point_segment(w, y);
    CHECK_NEAR(sqrt((double)cd_sqdist_point_segment(p, &s)), near.distance, 4 * ulp * size);
    apart = oracle_segment_segment(y, z);
    CHECK_NEAR(sqrt((double)cd_sqdist_segment_segment(&s, &v)), apart.distance, 4 * ulp * size);
    c = cd_closest_pts_segment_segment(&s, &v);
    CHECK_NEAR(cd_vec3_dist(c.a, c.b), apart.distance, 8 * ulp * size);
}

static bool sound(const cd_hit *h) {
    return cd_vec3_is_valid(h->point) && h->t == h->t && h->depth >= 0 &&
           CHECK_NEAR(cd_vec3_length(h->normal), 1, 1e-5);
}

static void casts(fuzz *f) {
    cd_ray r = fuzz_ray(f);
    cd_triangle t = fuzz_triangle(f);
    cd_aabb box = fuzz_aabb(f);
    cd_sphere s = fuzz_sphere(f);
    cd_obb b = fuzz_obb(f);
    cd_capsule c = fuzz_capsule(f);
    cd_cylinder y;
    cd_cone o;
    cd_prepared_ray ready;
    cd_cast_options options;
    cd_hit h, g;
    cd_real t_max = test_int(f->rng, 0, 1) ? CD_REAL_MAX : fuzz_real(f);
    bool hits;
    y.a = c.a, y.b = c.b, y.radius = c.radius;
    o.apex = c.a, o.base = c.b, o.radius = c.radius;
    memset(&options, 0, sizeof options);
    options.flags = (uint32_t)test_int(f->rng, 0, 31);
    if (!test_int(f->rng, 0, 3)) options.t_min = fuzz_real(f);
    FUZZ_NOTE(r);
    FUZZ_NOTE(t_max);
    FUZZ_NOTE(options.t_min);
    FUZZ_NOTE(t);
    FUZZ_NOTE(box);
    FUZZ_NOTE(s);
    FUZZ_NOTE(b);
    FUZZ_NOTE(c);
    hits = cd_cast_ray_triangle(&r, t_max, &t, &options, &h);
    if (hits) CHECK(sound(&h) && h.u >= 0 && h.v >= 0);
    if (cd_ray_prepare(&r, t_max, &options, &ready)) {
        CHECK_INT(cd_cast_prepared_triangle(&ready, &t, &g), hits);
        if (hits) CHECK(FUZZ_SAME(h, g));
        hits = cd_cast_ray_aabb(&r, t_max, box, &options, &h);
        CHECK_INT(cd_cast_prepared_aabb(&ready, box, &g), hits);
        if (hits) CHECK(sound(&h) && FUZZ_SAME(h, g));
    } else {
        CHECK(!hits);
    }
    if (cd_cast_ray_sphere(&r, t_max, s, &options, &h)) CHECK(sound(&h));
    if (cd_cast_ray_obb(&r, t_max, &b, &options, &h)) CHECK(sound(&h));
    if (cd_cast_ray_capsule(&r, t_max, &c, &options, &h)) CHECK(sound(&h));
    if (cd_cast_ray_cylinder(&r, t_max, &y, &options, &h)) CHECK(sound(&h));
    if (cd_cast_ray_cone(&r, t_max, &o, &options, &h)) CHECK(sound(&h));
    if (cd_sweep_sphere_triangle(s, r.dir, &t, &options, &h)) CHECK(sound(&h));
    if (cd_sweep_capsule_triangle(&c, r.dir, &t, &options, &h)) CHECK(sound(&h));
    if (cd_sweep_capsule_obb(&c, r.dir, &b, &options, &h)) CHECK(sound(&h));
    if (cd_sweep_aabb_triangle(box, r.dir, &t, &options, &h)) CHECK(sound(&h));
    if (cd_sweep_obb_triangle(&b, r.dir, &t, &options, &h)) CHECK(sound(&h));
    if (cd_sweep_aabb_obb(box, r.dir, &b, &options, &h)) CHECK(sound(&h));
    if (cd_sweep_obb_capsule(&b, r.dir, &c, &options, &h)) CHECK(sound(&h));
}

/* Never a false negative, and never late. */
static void moving(fuzz *f) {
    cd_vec3 p[8];
    double x[24];
    cd_ccd_hit h;
    oracle_contact truth;
    bool hits;
    int what = test_int(f->rng, 0, 1);
    fuzz_points(f, p, 8);
    FUZZ_NOTE(p);
    hits = what ? cd_ccd_vertex_face(p, p + 4, NULL, &h) : cd_ccd_edge_edge(p, p + 4, NULL, &h);
    if (hits) CHECK(h.t >= 0 && h.t <= 1);
    if (!f->tame || f->mood > FUZZ_FAR) return;
    to_doubles(&p[0].x, x, 24);
    truth = what ? oracle_ccd_vertex_face(x, x + 12) : oracle_ccd_edge_edge(x, x + 12);
    if (!truth.hit) return;
    CHECK(hits);
    CHECK((double)h.t <= truth.t * (1 + 2 * ulp));
}

static void boxes(fuzz *f) {
    cd_obb a = fuzz_obb(f), b = fuzz_obb(f);
    cd_sphere s = fuzz_sphere(f), u = fuzz_sphere(f);
    cd_capsule c = fuzz_capsule(f), d = fuzz_capsule(f);
    cd_aabb box = fuzz_aabb(f);
    cd_vec3 p = fuzz_vec(f), near;
    FUZZ_NOTE(a);
    FUZZ_NOTE(b);
    FUZZ_NOTE(s);
    FUZZ_NOTE(c);
    FUZZ_NOTE(d);
    FUZZ_NOTE(box);
    CHECK_INT(cd_test_obb_obb(&a, &b), cd_test_obb_obb(&b, &a));
    CHECK_INT(cd_test_sphere_sphere(s, u), cd_test_sphere_sphere(u, s));
    CHECK_INT(cd_test_capsule_capsule(&c, &d), cd_test_capsule_capsule(&d, &c));
    if (cd_test_sphere_obb(s, &a)) CHECK(cd_sphere_is_valid(s) && cd_obb_is_valid(&a));
    if (cd_test_obb_aabb(&a, box)) CHECK(cd_obb_is_valid(&a) && cd_aabb_is_valid(box));
    near = cd_closest_pt_point_aabb(p, box);
    if (cd_vec3_is_valid(p) && cd_aabb_is_valid(box)) {
        cd_real sq = cd_sqdist_point_aabb(p, box);
        CHECK(near.x >= box.min.x && near.x <= box.max.x && near.y >= box.min.y && near.y <= box.max.y &&
              near.z >= box.min.z && near.z <= box.max.z);
        CHECK(sq >= 0);
        if (f->tame) {
            double off = fmax(fabs((double)near.x - (double)p.x),
                              fmax(fabs((double)near.y - (double)p.y), fabs((double)near.z - (double)p.z)));
            if (off == 0) CHECK(sq == 0);
            if (sq == 0)
                CHECK(off * off <= (sizeof(cd_real) == 4 ? 1e-45 : 5e-324)); /* below the least number */
        }
    }
}

void fuzz_query(test_rng *r) {
    static void (*const what[5])(fuzz * f) = {triangles, nearest, casts, moving, boxes};
    fuzz f = fuzz_begin(r, FUZZ_BITS);
    test_note("");
    what[test_int(r, 0, 4)](&f);
}
