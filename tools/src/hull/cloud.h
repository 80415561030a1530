#pragma once
/* cloud (internal): points brought into an order that depends on nothing but where they are.
 *
 * Equal points become one; the others follow a space-filling curve, so that near points are near in memory. Coordinates are
 * kept about the middle of all, rounded, for quick tests with a bound; exact tests go back to the input. */

#include "core/memory.h"
#include "core/status.h"
#include "core/vec3d.h"

/* Input points: `points`, or the exact sums high + low, where `high` is the double nearest to the sum. */
typedef struct cdi_cloud_input {
    const cd_vec3 *points;
    const cdi_v3 *high, *low;
    uint32_t count;
} cdi_cloud_input;

typedef struct cdi_cloud_point {
    double x, y, z;  /* about the middle */
    uint32_t source; /* its number in the input */
    uint32_t next;   /* for lists */
} cdi_cloud_point;

typedef struct cdi_cloud {
    cdi_cloud_input input;
    cdi_cloud_point *point;
    uint32_t count;
    uint32_t room; /* one more than the input had: for a point that somebody adds */
    cdi_v3 middle;
    cdi_v3 reach; /* no coordinate about the middle is larger */
    cdi_v3 slack; /* an input coordinate is off by no more than this, beside the rounding of `point` */
} cdi_cloud;

CDI_INLINE cdi_v3 cdi_cloud_input_at(const cdi_cloud_input *in, uint32_t source) {
    return in->points ? cdi_v3_of(in->points[source]) : in->high[source];
}

/* Is the point lexicographically before the other one? Exact. */
CDI_FN bool cdi_cloud_before(const cdi_cloud *cloud, uint32_t a, uint32_t b);

/* All of the input, or the `count` points whose numbers are in `chosen`, with finite coordinates. The memory of an arranged
 * cloud is given back by cdi_cloud_free. */
CDI_FN cd_status cdi_cloud_arrange(cdi_cloud *cloud, const cdi_cloud_input *input, const uint32_t *chosen,
                                   uint32_t count, const cd_allocator *allocator);
CDI_FN void cdi_cloud_free(cdi_cloud *cloud, const cd_allocator *allocator);
