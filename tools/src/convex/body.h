#pragma once
/* body (internal): two convex bodies made ready for many questions for farthest points, in double, in the frame of A.
 *
 * Minkowski's difference B - A is what distance routines walk on: its point nearest to the origin is the way from A to B. */

#include "convex/support.h"
#include "core/pose.h"
#include "core/vec3d.h"
#include "shape/cylinder3d.h"
#include "shape/feature.h"

typedef struct cdi_convex {
    const cd_support *support;
    cd_hull_parts hull;  /* of CD_SUPPORT_HULL */
    cd_dk_parts dk;      /* of CD_SUPPORT_DK */
    cdi_frustum frustum; /* of cylinders, cones and discs */
    cdi_v3 center;       /* of the support */
    cdi_v3
        middle; /* boxes, rectangles, ellipsoids: the core is the image of the cube or ball of half width 1 ... */
    cdi_m3 map;    /* ... under this, about it */
    double radius; /* of the rounding */
    double
        reach; /* no coordinate of the core's points (in A's frame) is larger: what rounding is measured by */
    bool posed; /* by `pose`, that of the body in A's frame */
    cdi_pose pose;
} cdi_convex;

/* A point of B - A, w = b - a, and what it is made of. The numbers are CD_NONE where a body has no vertices. */
typedef struct cdi_tip {
    cdi_v3 w, a, b;
    uint32_t vertex_a, vertex_b;
} cdi_tip;

/* The two, A at rest; the supports must stay. */
typedef struct cdi_couple {
    cdi_convex a, b;
    double scale;   /* of the larger reach: rounding errors are this times 2^-50 or so */
    double rounded; /* the sum of both radii */
} cdi_couple;

/* False when a body or the pose is not valid. */
CDI_FN bool cdi_convex_open(cdi_convex *out, const cd_support *s, const cd_transform *pose);
CDI_FN bool cdi_couple_open(cdi_couple *out, const cd_support *a, const cd_support *b,
                            const cd_transform *b_in_a);

/* Moves B; for a transform that cannot be told apart from the one it was opened with, the same bits as opening it so. */
CDI_FN void cdi_couple_move(cdi_couple *pair, const cdi_pose *b_in_a);

/* The core's farthest point along a direction of A's frame, in A's frame; `vertex` is a hint, and then the vertex. */
CDI_FN cdi_v3 cdi_convex_farthest(const cdi_convex *body, cdi_v3 dir, uint32_t *vertex);

/* The vertex of a number, in A's frame; false where there is none. */
CDI_FN bool cdi_convex_vertex(const cdi_convex *body, uint32_t vertex, cdi_v3 *out);

/* The feature that one, two or three (or more) of its vertices span: CD_FEATURE_NONE where they are CD_NONE. Numbers may repeat. */
CDI_FN uint32_t cdi_convex_feature(const cdi_convex *body, const uint32_t *vertices, int count);

/* The point of B - A that is least along `dir` (of any length but 0): the farthest of A, the farthest of B the other way. The vertices in `out`
 * are hints, CD_NONE for none. */
CDI_FN void cdi_couple_least(const cdi_couple *pair, cdi_v3 dir, cdi_tip *out);
