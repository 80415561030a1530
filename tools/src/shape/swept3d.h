#pragma once
/* swept3d (internal): the cores of capsules and lozenges in double. */

#include "shape/linear.h"
#include "shape/swept.h"
#include "shape/volume3d.h"

/* A convex figure in a plane: a point, a segment, a triangle or a parallelogram, as many corners as `count` says, in their
 * order around it. */
typedef struct cdi_flat {
    cdi_v3 v[4];
    int count;
} cdi_flat;

/* Each times 2^shift. The corners of a lozenge's rectangle are rounded to double; where edges are zero it is a segment or
 * a point. */
CDI_FN cdi_flat cdi_flat_of_point(cd_vec3 p, int shift);
CDI_FN cdi_flat cdi_flat_of_segment(cd_vec3 a, cd_vec3 b, int shift);
CDI_FN cdi_flat cdi_flat_of_triangle(const cd_triangle *t, int shift);
CDI_FN cdi_flat cdi_flat_of_lozenge(const cd_lozenge *l, int shift);

/* The largest magnitude of a number of it. */
CDI_INLINE double cdi_capsule_most(const cd_capsule *c) {
    return cdi_max(cdi_max(cdi_v3_max_abs(cdi_v3_of(c->a)), cdi_v3_max_abs(cdi_v3_of(c->b))),
                   cdi_abs((double)c->radius));
}
CDI_INLINE double cdi_lozenge_most(const cd_lozenge *l) {
    double edges = cdi_max(cdi_v3_max_abs(cdi_v3_of(l->edge[0])), cdi_v3_max_abs(cdi_v3_of(l->edge[1])));
    return cdi_max(cdi_max(cdi_v3_max_abs(cdi_v3_of(l->a)), edges), cdi_abs((double)l->radius));
}

/* v without its part along u, whose square is uu. */
CDI_INLINE cdi_v3 cdi_v3_across(cdi_v3 v, cdi_v3 u, double uu) {
    return cdi_v3_along(v, u, -(cdi_v3_dot(v, u) / uu));
}

/* b - a, half as long, so that it stays finite. */
CDI_INLINE cdi_v3 cdi_half_diff(cdi_v3 b, cdi_v3 a) {
    return cdi_v3_sub(cdi_v3_scale(b, 0.5), cdi_v3_scale(a, 0.5));
}

/* x rounded up to the number type of the interface; infinite where it is beyond the range. */
CDI_FN cd_real cdi_round_up(double x);
