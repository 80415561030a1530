#pragma once
/* contact_join (internal): points of many patches made into few manifolds, one a normal, in bounded memory.
 *
 * Points come one by one. Of each manifold the points farthest in eight directions across its normal are kept, and the deepest: corners of
 * whatever rectangle the points fill in the end are among these, in whatever order and pieces they come. At the end four are left of
 * them; of a rim whose even places are all there, these, as of two bodies alone. The normal that is told is that of the deepest, which so
 * is as deep along it as its parts are; the others' own are within 2e-3 of it. What does not fit besides is kept in the caller's array,
 * four points a manifold as they come. */

#include "any/contact_pair.h"
#include "convex/manifold.h"
#include "core/vec3d.h"

enum { CDI_JOIN_WIDE = 8, CDI_JOIN_WAYS = 8, CDI_JOIN_POINTS = 9 };

/* A manifold that grows; the last of the points is the deepest. */
typedef struct cdi_contact_joined {
    cd_vec3 normal;         /* of the first: those of all others are near it */
    cd_vec3 deepest;        /* normal of the deepest: that which is told */
    cd_part part_a, part_b; /* of the deepest */
    cdi_v3 across[2];
    double reach[CDI_JOIN_WAYS];
    cd_contact point[CDI_JOIN_POINTS];
    uint8_t even[CDI_JOIN_POINTS]; /* of cdi_contact_point */
} cdi_contact_joined;

/* Those beyond the wide ones are in out[CDI_JOIN_WIDE] and after. */
typedef struct cdi_join {
    cd_manifold *out;
    size_t capacity, held, count;
    cdi_contact_joined wide[CDI_JOIN_WIDE];
} cdi_join;

CDI_FN void cdi_join_open(cdi_join *j, cd_manifold *out, size_t capacity);

/* A point of a patch. Of triangles of a mesh the indices do not matter. */
CDI_FN void cdi_join_add(cdi_join *j, const cdi_contact_told *told);

/* Is one of the first eight manifolds, by what is kept of it, below another contact? */
CDI_FN bool cdi_join_has_below(const cdi_join *j, const cdi_contacts *q);

/* Writes the manifolds, the deepest first, and answers how many there were. */
CDI_FN size_t cdi_join_close(cdi_join *j);
