#pragma once
/* bvh_posed (internal): items of two trees in one frame: do two meet, how far are they apart, when do they
 * come to meet? */

#include "query/cast3d.h"
#include "tree/bvh_node.h"

typedef enum cdi_posed_kind {
    CDI_POSED_TRIANGLE = 0,
    CDI_POSED_POINT = 1,
    CDI_POSED_BOX = 2,
    CDI_POSED_OBB = 3
} cdi_posed_kind;

typedef struct cdi_posed {
    uint32_t kind;
    uint32_t item; /* its number in the tree */
    union {
        cdi_tri tri; /* a point is one three times */
        cd_aabb box;
        cd_obb obb;
    } u;
} cdi_posed;

/* Where a tree is; nothing is done to its items where it is not `moved`. */
typedef struct cdi_placing {
    cdi_pose pose;
    cd_transform transform;
    bool moved;
} cdi_placing;

CDI_FN void cdi_posed_read(cdi_posed *out, const cdi_bvh *tree, uint32_t item, const cdi_placing *at);

/* The bounding box; what is not finite may be anywhere. */
CDI_FN void cdi_posed_bounds(const cdi_posed *p, cdi_v3 *lo, cdi_v3 *hi);

/* `a` is no oriented box. */
CDI_FN bool cdi_posed_meet(const cdi_posed *a, const cdi_posed *b);

/* The squared distance, 0 exactly where they meet, and infinite where something is not finite; where it is above `most`, any
 * number above that. */
CDI_FN double cdi_posed_sqdist(const cdi_posed *a, const cdi_posed *b, double most);

/* How the points of a body move at a time: by `velocity` and `spin` x (p - center). */
typedef struct cdi_posed_course {
    cdi_v3 center, velocity, spin;
    double turn; /* the length of the spin, which stays as it is */
} cdi_posed_course;

/* How two items move from a time on, and what counts of a distance then: all but `room`, which is never more than `tolerance`
 * where the two touch. */
typedef struct cdi_posed_way {
    cdi_posed_course a, b;
    double
        speed; /* at least that of any point of the one as seen from any of the other, as long as this lasts */
    double bend;  /* at least what their velocities change by in a unit of time, added up */
    double ahead; /* how long it lasts */
    double room, tolerance;
} cdi_posed_way;

/* The square of a distance that is not used up, at that speed, before the two touch; at least `sqdist`, that of the two. */
CDI_FN double cdi_posed_sqlead(const cdi_posed *a, const cdi_posed *b, const cdi_posed_way *s, double sqdist);

/* The nearest points of two that are this far apart; indices are left to the caller. */
CDI_FN void cdi_posed_closest(const cdi_posed *a, const cdi_posed *b, double sqdist, cd_closest *out);

/* The first contact of a, moving, with b, as query/sweep has it; `a` is no oriented box. */
CDI_FN bool cdi_posed_sweep(const cdi_cast *c, const cdi_posed *a, const cdi_posed *b, cd_hit *hit);
