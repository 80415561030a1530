/* Fits around very many points: a million in `make soak`. Every point is asked for, with the library's exact tests; that of
 * a lozenge is tolerant, so lozenges with the exact reference. (Boxes stand in test_obb_fit.c.) */
#include "gen.h"
#include "oracle.h"
#include <stdlib.h>

/* ---- points ---- */

enum { CLOUDS = 4 };
static const char *const cloud_names[CLOUDS] = {"cube", "grid", "far off", "thin shell"};

/* On an ellipsoid, so that very many points are close to the surface of whatever is fitted. */
static cd_vec3 shell_point(test_rng *rng, const cd_transform *pose) {
    cd_vec3 d = cd_vec3_make((cd_real)test_range(rng, -1, 1), (cd_real)test_range(rng, -1, 1),
                             (cd_real)test_range(rng, -1, 1));
    d = cd_vec3_normalize(d);
    return cd_transform_point(pose, cd_vec3_make(3 * d.x, d.y, (cd_real)0.1 * d.z));
}

static cd_vec3 *cloud_make(test_rng *rng, int cloud, size_t count) {
    static const gen_kind kinds[CLOUDS - 1] = {GEN_UNIT, GEN_GRID, GEN_FAR};
    gen g = gen_begin(rng, cloud < CLOUDS - 1 ? kinds[cloud] : GEN_UNIT);
    cd_transform pose = gen_pose(rng, 2.0);
    cd_vec3 *p = (cd_vec3 *)malloc(count * sizeof *p);
    for (size_t i = 0; i < count; ++i) p[i] = cloud == CLOUDS - 1 ? shell_point(rng, &pose) : gen_point(&g);
    return p;
}

/* ---- fits ---- */

/* All volumes that are tried; one at a time is in use. */
typedef struct volumes {
    cd_sphere sphere;
    cd_capsule capsule;
    cd_lozenge lozenge;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_spherical_shell shell;
    cd_vec3 generators[CD_ZONOTOPE_DIRECTIONS];
    cd_zonotope zonotope;
    cd_kdop_set set;
    cd_kdop kdop;
} volumes;

static bool lozenge_holds(cd_vec3 p, const cd_lozenge *l) {
    double at[3], shape[9];
    to_doubles(REALS(p), at, 3);
    to_doubles(REALS(*l), shape, 9);
    return oracle_parallelogram_against(at, shape, (double)l->radius, 0) <= 0;
}

#define FIT(shape, fit_call, holds_call)                                                                     \
    static cd_status fit_##shape(const cd_vec3 *p, size_t n, volumes *v) {                                   \
        return fit_call;                                                                                     \
    }                                                                                                        \
    static bool in_##shape(cd_vec3 p, const volumes *v) {                                                    \
        return holds_call;                                                                                   \
    }

FIT(welzl, cd_sphere_welzl(p, n, &v->sphere), cd_test_point_sphere(p, v->sphere))
FIT(ritter, cd_sphere_ritter(p, n, &v->sphere), cd_test_point_sphere(p, v->sphere))
FIT(capsule, cd_capsule_from_points(p, n, NULL, &v->capsule), cd_test_point_capsule(p, &v->capsule))
FIT(lozenge, cd_lozenge_from_points(p, n, NULL, &v->lozenge), lozenge_holds(p, &v->lozenge))
FIT(cylinder, cd_cylinder_from_points(p, n, &v->cylinder), cd_test_point_cylinder(p, &v->cylinder))
FIT(cone, cd_cone_from_points(p, n, &v->cone), cd_test_point_cone(p, &v->cone))
FIT(ellipsoid, cd_ellipsoid_from_points(p, n, &v->ellipsoid, NULL), cd_test_point_ellipsoid(p, &v->ellipsoid))
FIT(quick_ellipsoid, cd_ellipsoid_pca(p, n, &v->ellipsoid), cd_test_point_ellipsoid(p, &v->ellipsoid))
FIT(shell, cd_spherical_shell_from_points(p, n, &v->shell), cd_test_point_spherical_shell(p, &v->shell))
FIT(zonotope, cd_zonotope_from_points(p, n, NULL, 0, v->generators, &v->zonotope),
    cd_test_point_zonotope(p, &v->zonotope))
FIT(kdop, cd_kdop_from_points(p, n, &v->set, &v->kdop), cd_test_point_kdop(p, &v->kdop, &v->set))

static const struct {
    const char *name;
    cd_status (*fit)(const cd_vec3 *points, size_t count, volumes *v);
    bool (*holds)(cd_vec3 p, const volumes *v);
} fits[] = {{"welzl", fit_welzl, in_welzl},
            {"ritter", fit_ritter, in_ritter},
            {"capsule", fit_capsule, in_capsule},
            {"lozenge", fit_lozenge, in_lozenge},
            {"cylinder", fit_cylinder, in_cylinder},
            {"cone", fit_cone, in_cone},
            {"ellipsoid", fit_ellipsoid, in_ellipsoid},
            {"quick ellipsoid", fit_quick_ellipsoid, in_quick_ellipsoid},
            {"spherical shell", fit_shell, in_shell},
            {"zonotope", fit_zonotope, in_zonotope},
            {"26-DOP", fit_kdop, in_kdop}};

/* ---- cases ---- */

static void fits_hold_very_many_points(void) {
    test_rng rng = test_random();
    size_t count = (size_t)test_times(10000);
    volumes v;
    v.set = cd_kdop_set_standard(26);
    for (int cloud = 0; cloud < CLOUDS; ++cloud) {
        cd_vec3 *p = cloud_make(&rng, cloud, count);
        for (size_t f = 0; f < sizeof fits / sizeof fits[0]; ++f) {
            size_t missed = 0;
            test_note("%s of the %s", fits[f].name, cloud_names[cloud]);
            CHECK_INT(fits[f].fit(p, count, &v), CD_OK);
            for (size_t i = 0; i < count; ++i) missed += !fits[f].holds(p[i], &v);
            CHECK_INT(missed, 0);
        }
        free(p);
    }
}

void suite_big_fits(void) {
    RUN(fits_hold_very_many_points);
}
