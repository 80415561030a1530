#pragma once
/* sweep3d (internal): what all sweeps share: the motion in double, its range, what counts as contact, how a hit is written.
 *
 * A sweep of A against B is the cast of a point, A's centre, against B grown by A turned about it: so the motion is a
 * cdi_cast, o the centre of A, d the motion, t in [t_min, 1]. The core of a pair finds how they first meet, if at all,
 * without regard to options:
 *
 *     cdi_meets cdi_sweep_<a>_<b>(const cdi_cast *c, ..., cdi_impact *met);
 *
 * and cdi_sweep_answer says what comes of it. A core may give up on a contact after c->t_max. */

#include "query/cast3d.h"
#include "shape/linear.h"
#include "query/sweep.h"

/* A contact. */
typedef struct cdi_impact {
    double t;
    cdi_v3 point, normal; /* on the thing at rest; unit, out of it (towards the moving thing) */
    double depth, u, v;
    uint32_t feature; /* CD_FEATURE of the thing at rest */
    bool thin;        /* flat figures: a normal of a border, where the way to the point has no direction */
} cdi_impact;

/* False when the question makes no sense: not finite, t_min not in [.., 1]. A t_min below 0 is 0. */
CDI_FN bool cdi_sweep_begin(cdi_cast *c, cd_vec3 center, cd_vec3 motion, const cd_cast_options *options);

/* The same motion seen from the other thing, which is at `center`: for pairs that only know the other one moving. */
CDI_FN void cdi_sweep_other(cdi_cast *c, cd_vec3 center);

/* Back to the frame of the thing at rest, from an impact found in that of cdi_sweep_other. Its feature is one of the thing that
 * moves, and for the caller to change. */
CDI_FN void cdi_impact_other(const cdi_cast *c, cdi_impact *met);

/* What a core found: nothing; contact at t_min, within the slack (met->depth: how far to move along the normal to end it);
 * or the first contact, at met->t > t_min. */
typedef enum cdi_meets { CDI_MEETS_NEVER, CDI_MEETS_AT_START, CDI_MEETS_LATER } cdi_meets;

/* The answer of the sweep, by the options. `side`: the normal of the front, of any length, of a thing with two sides; zero for a
 * solid. `hit` may be NULL. */
CDI_FN bool cdi_sweep_answer(const cdi_cast *c, cdi_meets meets, const cdi_impact *met, cdi_v3 side,
                             cd_hit *hit);

/* The normals of the fronts, for cdi_sweep_answer; of a polygon the sum over its fan. */
CDI_FN cdi_v3 cdi_triangle_front(const cd_triangle *t);
CDI_FN cdi_v3 cdi_polygon_front(const cd_vec3 *polygon, size_t count);

/* A feature of triangle i of the fan as one of the polygon: the lines between two triangles are of the face. */
CDI_FN uint32_t cdi_fan_feature(uint32_t feature, size_t i, size_t count);

/* How much two things count as grown, so that no rounding makes a contact late: `most` is the largest coordinate. */
CDI_INLINE double cdi_sweep_slack(double most) {
#ifdef COLLIDE_DOUBLE
    return most * 4.5474735088646412e-13; /* 2^-41 */
#else
    return most * 2.8421709430404007e-14; /* 2^-45 */
#endif
}
