/* Continuous collision of a vertex and a face, of two edges. */
#include "cases.h"
#include "gen.h"
#include <math.h>
#include <string.h>

typedef bool ccd_fn(const cd_vec3 *start, const cd_vec3 *end, const cd_ccd_options *options, cd_ccd_hit *hit);

static ccd_fn *const both[2] = {cd_ccd_vertex_face, cd_ccd_edge_edge};

/* ---- the real cases ---- */

static void read_corners(const json *one, const char *time, cd_vec3 out[4]) {
    static const char *const face[4] = {"v", "f0", "f1", "f2"}, *const edge[4] = {"ea0", "ea1", "eb0", "eb1"};
    bool is_face = json_is(one, "routine", "ccd_vertex_face");
    for (int i = 0; i < 4; ++i) {
        char name[16];
        cd_real x[3];
        strcpy(name, is_face ? face[i] : edge[i]);
        strcat(name, time);
        CHECK_INT(cases_reals(one, name, x, 3), 3);
        out[i] = cd_vec3_make(x[0], x[1], x[2]);
    }
}

static double extent_of(const cd_vec3 *start, const cd_vec3 *end) {
    double most = 0;
    for (int i = 0; i < 8; ++i) {
        const cd_vec3 p = i & 4 ? end[i & 3] : start[i & 3], o = i & 4 ? end[0] : start[0];
        most = fmax(most, fmax(fabs((double)p.x - (double)o.x),
                               fmax(fabs((double)p.y - (double)o.y), fabs((double)p.z - (double)o.z))));
    }
    return 2 * most;
}

static void check_real(const json *one, const json *expected) {
    cd_vec3 start[4], end[4];
    cd_ccd_hit hit;
    bool is_face = json_is(one, "routine", "ccd_vertex_face"), got;
    double toi = json_real(expected, "toi"), least = json_real(expected, "min_separation");
    read_corners(one, "_t0", start);
    read_corners(one, "_t1", end);
    got = both[!is_face](start, end, NULL, &hit);
    if (json_true(expected, "collision")) {
        if (CHECK(got)) CHECK((double)hit.t <= toi);
        if (got)
            CHECK((double)hit.t >= toi - 1e-6 ||
                  (double)hit.distance <= ldexp(extent_of(start, end), sizeof(cd_real) == 4 ? -22 : -32));
    } else if (got) {
        CHECK(least <= ldexp(extent_of(start, end), -32));
    }
    if (got) CHECK(hit.status != CD_CCD_UNDECIDED && hit.steps < 20);
}

static void real_cases(void) {
    cases_each("ccd_vf_ee", check_real);
}

void suite_ccd(void) {
    RUN(real_cases);
}
