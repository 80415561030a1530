#pragma once
/* patch (internal): what the fronts of two bodies have in common as seen along a normal, corner by corner (Ericson 9.5.3).
 *
 * Both fronts are seen along the normal, not clipped one by the other: a corner of each is a point where it is over the other's front, and
 * two edges where they cross. So both bodies are treated alike, and names do not depend on which is asked first.
 *
 * A point is named by the least feature of each front that is near it: a corner within 1/32 of the shortest edge of both, else an edge,
 * else the face. So names last where corners of both come to lie on each other, as they do in stacks: there, which of them is inside the
 * other is a matter of rounding, but the name is that of both. Of points of one name the deepest is kept; or, where all are asked for, the
 * others are named by what they are made of. */

#include "convex/front.h"
#include "convex/manifold.h"

#define CDI_PATCH_POINTS 48

/* A point; x and y are across the normal. */
typedef struct cdi_contact_point {
    cdi_v3 a, b; /* b - a = distance * normal */
    double distance, x, y;
    uint32_t feature_a, feature_b;
    uint32_t
        even; /* which place of a rim it is, of those that are enough to stand on: a bit of four of A's, then of B's */
} cdi_contact_point;

/* What is asked. */
typedef struct cdi_patch_wish {
    cdi_v3 normal;   /* unit, from A to B */
    double margin;   /* points farther apart are left out */
    double least;    /* no point is told to be deeper than this; -CDI_HUGE */
    double scale;    /* of the largest coordinate */
    bool all;        /* points of one name are kept apart */
    uint64_t memory; /* of cdi_patch_keep, or 0: names that are preferred */
} cdi_patch_wish;

/* Unordered until cdi_patch_order. */
typedef struct cdi_contact_patch {
    cdi_patch_wish wish;
    cdi_v3 origin, u, v; /* of x and y; with the normal a frame, right-handed */
    double slack;        /* lengths below it are rounding of coordinates, */
    double blur;         /* and of how deep a point is */
    double
        slides; /* of how far two points are beside the normal, the part of it that A's goes to mend that; B's goes the rest */
    bool lines; /* of two segments: nothing takes the place of an end */
    double round; /* the larger of the fronts' */
    int count;
    cdi_contact_point point[CDI_PATCH_POINTS];
} cdi_contact_patch;

/* All corners of the patch that are not beyond the margin. */
CDI_FN void cdi_patch_of(const cdi_foremost *a, const cdi_foremost *b, const cdi_patch_wish *wish,
                         cdi_contact_patch *out);

/* Where the even places of a rim are all there, the patch stands on them: leaves no others. Before cdi_patch_deepest. */
CDI_FN void cdi_patch_stand(cdi_contact_patch *p);

/* Sees to it that the deepest point is among them, which is known: where none is as deep, it takes the place of the nearest on a round body,
 * and its name, or joins them. */
CDI_FN void cdi_patch_deepest(cdi_contact_patch *p, const cdi_contact_point *deepest);

/* Leaves four at most. `memory` is what this wrote for the same pair, or any number, 60 bits, and takes what to hand in the next time: points of the same
 * names are preferred. */
CDI_FN void cdi_patch_keep(cdi_contact_patch *p, uint64_t *memory);

/* Puts them in order around the normal, from the one with the smallest name. */
CDI_FN void cdi_patch_order(cdi_contact_patch *p);

/* Rounded: the normal, and the points where there are no more than four. */
CDI_FN void cdi_patch_write(const cdi_contact_patch *p, cd_manifold *out);
CDI_FN void cdi_contact_point_write(const cdi_contact_point *t, cd_contact *out);

/* cd_contacts_reduce with the number of one that stays, or CD_NONE: the deepest. */
CDI_FN uint32_t cdi_contacts_reduce(cd_contact *points, uint32_t count, cdi_v3 normal, uint32_t first);

/* The whole for two bodies and any unit normal, which need not be that of the least depth, in order. */
CDI_FN void cdi_patch_along(const cdi_couple *pair, cdi_v3 normal, double margin, cdi_contact_patch *out);
