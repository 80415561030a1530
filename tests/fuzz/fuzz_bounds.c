/* Volumes around any points: they hold them, but for rounding, or say that they cannot. */
#include "fuzz.h"
#include <math.h>
#include <string.h>

enum { MOST = 30 };

typedef struct cloud {
    fuzz f;
    cd_vec3 p[MOST];
    int count;
    bool valid;
    double slack; /* what a point may be outside */
} cloud;

static void status_fits(const cloud *c, cd_status status) {
    if (!c->valid || !c->count) CHECK(status != CD_OK || !c->count);
    if (c->valid && c->count && c->f.tame)
        CHECK(status == CD_OK || status == CD_TOO_LARGE || status == CD_NOT_CONVERGED);
}

static void spheres(cloud *c) {
    static cd_status (*const fits[])(const cd_vec3 *, size_t, cd_sphere *) = {
        cd_sphere_aabb, cd_sphere_ritter, cd_sphere_eigen, cd_sphere_ritter_eigen, cd_sphere_welzl};
    double least = INFINITY, welzl = 0;
    for (int i = 0; i < 5; ++i) {
        cd_sphere s;
        cd_status status = fits[i](c->p, (size_t)c->count, &s);
        status_fits(c, status);
        if (status != CD_OK || !c->f.tame) continue;
        for (int k = 0; k < c->count; ++k)
            CHECK((double)cd_vec3_dist(c->p[k], s.center) <= (double)s.radius + c->slack);
        if (i < 4) least = fmin(least, (double)s.radius);
        welzl = (double)s.radius;
    }
    if (c->valid && c->count && c->f.tame) CHECK(welzl <= least + c->slack);
}

static void boxes(cloud *c) {
    cd_obb b;
    cd_aabb a = cd_aabb_from_points(c->p, (size_t)c->count);
    cd_status status = test_int(c->f.rng, 0, 1) ? cd_obb_from_points(c->p, (size_t)c->count, &b)
                                                : cd_obb_pca(c->p, (size_t)c->count,
                                                             (cd_pca_axes)test_int(c->f.rng, 0, 2), NULL, &b);
    status_fits(c, status);
    for (int k = 0; k < c->count && c->valid; ++k)
        CHECK(c->p[k].x >= a.min.x && c->p[k].x <= a.max.x && c->p[k].y >= a.min.y && c->p[k].y <= a.max.y &&
              c->p[k].z >= a.min.z && c->p[k].z <= a.max.z);
    if (status != CD_OK) return;
    CHECK(cd_obb_is_valid(&b));
    for (int k = 0; k < c->count && c->f.tame; ++k)
        CHECK(sqrt((double)cd_sqdist_point_obb(c->p[k], &b)) <= c->slack);
}

static void swept(cloud *c) {
    cd_capsule rod;
    cd_lozenge slab;
    cd_status status = cd_capsule_from_points(c->p, (size_t)c->count, NULL, &rod);
    status_fits(c, status);
    if (status == CD_OK && c->f.tame) {
        cd_segment s;
        s.a = rod.a;
        s.b = rod.b;
        for (int k = 0; k < c->count; ++k)
            CHECK(sqrt((double)cd_sqdist_point_segment(c->p[k], &s)) <= (double)rod.radius + c->slack);
    }
    status = cd_lozenge_from_points(c->p, (size_t)c->count, NULL, &slab);
    status_fits(c, status);
    if (status == CD_OK) CHECK(cd_lozenge_is_valid(&slab));
}

static void round_ones(cloud *c) {
    cd_cylinder y;
    cd_cone o;
    cd_disc d;
    cd_ellipsoid e;
    cd_spherical_shell s;
    cd_real thickness, gap;
    cd_status status = cd_cylinder_from_points(c->p, (size_t)c->count, &y);
    status_fits(c, status);
    if (status == CD_OK) CHECK(cd_cylinder_is_valid(&y));
    for (int k = 0; k < c->count && status == CD_OK && c->f.tame; ++k)
        CHECK(sqrt((double)cd_sqdist_point_cylinder(c->p[k], &y)) <= c->slack);
    status = cd_cone_from_points(c->p, (size_t)c->count, &o);
    status_fits(c, status);
    if (status == CD_OK) CHECK(cd_cone_is_valid(&o));
    status = cd_disc_from_points(c->p, (size_t)c->count, &d, &thickness);
    status_fits(c, status);
    if (status == CD_OK) CHECK(cd_disc_is_valid(&d) && thickness >= 0);
    status = cd_ellipsoid_from_points(c->p, (size_t)c->count, &e, &gap);
    status_fits(c, status);
    if (status == CD_OK) CHECK(cd_ellipsoid_is_valid(&e));
    for (int k = 0; k < c->count && status == CD_OK && c->f.tame; ++k)
        CHECK(sqrt((double)cd_sqdist_point_ellipsoid(c->p[k], &e)) <= c->slack);
    status = cd_spherical_shell_from_points(c->p, (size_t)c->count, &s);
    status_fits(c, status);
    if (status == CD_OK) CHECK(cd_spherical_shell_is_valid(&s));
}

static void kdops(cloud *c) {
    static const uint32_t k[6] = {6, 8, 12, 14, 18, 26};
    cd_kdop_set set = cd_kdop_set_standard(k[test_int(c->f.rng, 0, 5)]);
    cd_kdop d;
    cd_status status = cd_kdop_from_points(c->p, (size_t)c->count, &set, &d);
    status_fits(c, status);
    if (status != CD_OK || !c->count) return;
    for (int i = 0; i < c->count; ++i) CHECK(cd_test_point_kdop(c->p[i], &d, &set));
    cd_kdop_tighten(&d, &set);
    cd_kdop_volume(&d, &set);
    cd_aabb_from_kdop(&d, &set);
}

static void in_the_plane(cloud *c) {
    cd_vec2 p[MOST];
    cd_obb2 a, b;
    cd_circle w;
    cd_status status;
    for (int i = 0; i < c->count; ++i) p[i] = cd_vec2_make(c->p[i].x, c->p[i].y);
    status = cd_circle_welzl(p, (size_t)c->count, &w);
    for (int i = 0; i < c->count && status == CD_OK && c->f.tame; ++i)
        CHECK((double)cd_vec2_dist(p[i], w.center) <= (double)w.radius + c->slack);
    status = cd_min_area_rect(p, (size_t)c->count, NULL, &a);
    CHECK_INT(cd_min_area_rect_calipers(p, (size_t)c->count, NULL, &b), status);
    if (status != CD_OK || !c->f.tame) return;
    CHECK_NEAR(cd_obb2_area(&a), cd_obb2_area(&b),
               1e-4 * (double)cd_obb2_area(&a) + 1e-4 * c->slack * c->slack);
}

void fuzz_bounds(test_rng *r) {
    static void (*const what[6])(cloud * c) = {spheres, boxes, swept, round_ones, kdops, in_the_plane};
    static cloud c;
    int which = test_int(r, 0, 5);
    test_note("");
    c.f = fuzz_begin(r, FUZZ_BITS);
    c.count = test_int(r, 0, MOST);
    fuzz_points(&c.f, c.p, c.count);
    c.valid = true;
    c.slack = 0;
    for (int i = 0; i < c.count; ++i) {
        c.valid = c.valid && cd_vec3_is_valid(c.p[i]);
        for (int k = 0; k < 3; ++k) c.slack = fmax(c.slack, fabs((double)REALS(c.p[i])[k]) * 1e-5);
    }
    test_note_reals("points", &c.p[0].x, 3 * c.count);
    what[which](&c);
}
