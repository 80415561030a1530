#pragma once
/* reach3d (internal): are segments, rays and lines within a distance of each other? Exact, and what doubles can tell. */

#include "core/orient.h"

/* Two segments, a b and c d, and the two terms of the distance a - b that is asked about. */
typedef struct cdi_question {
    cdi_v3 a, b, c, d;
    cdi_diff radius;
} cdi_question;

/* Are they so near (1), or farther apart (-1), beyond rounding of `noise` times their size? 0 when doubles cannot tell. */
CDI_FN int cdi_segments_reach_surely(const cdi_question *q, double noise);

/* Is the common perpendicular of the two lines between the ends of both, and short enough? Exact. With `endless`, a b is the ray
 * from a in this direction. */
CDI_FN bool cdi_insides_reach(const cdi_question *q, const cdi_edge3d *endless);

/* Is p so near to the line o + t d: |d x (p-o)|^2 <= radius^2 |d|^2? Exact; finite input. */
CDI_FN bool cdi_point_reaches_line(cdi_v3 p, cdi_v3 o, const cdi_edge3d *d, cdi_diff radius);
