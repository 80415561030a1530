#pragma once
/* contact_pair (internal): the contact of one part of A with one part of B, as a contact of the whole shapes.
 *
 * The normal of the least depth is taken where both shapes have it there, beside all their parts (any/contact_seams). Else it is one that
 * only the part alone has, at an edge that its neighbours hide: then it is the normal of a face of the part, the one of the least depth that
 * the shape has, and points are those of the patch along that. A patch that is empty belongs to a neighbour: no deeper way
 * is taken then. What is hidden every way is remembered: where nothing else is told, the deepest of that is.
 *
 * Where a way is twice as deep as another that neighbours hide, they may lead out of the part, too: a box pressed into the corner of two walls
 * is in the one behind both. Such a pair waits until all others have told their ways out, and says nothing if one of those, not half as
 * long, leads out of it.
 *
 * A triangle may be met below another face that the same body is in: a wall under a floor, where something stands on the floor, a little
 * deep. Which faces are met is known at the end; where something was told that is below one, all is asked again, and left out is what lies
 * below the plane of another contact where the shape rises, in that plane, into the way it leads. */

#include "any/contact_seams.h"
#include "convex/manifold.h"

/* A point with all that is told. */
typedef struct cdi_contact_told {
    cd_manifold head;
    bool surface[2]; /* is the part of A, of B a triangle of many? */
    uint8_t even;    /* of cdi_contact_point */
    cd_contact point;
} cdi_contact_told;

/* Told of one point; false stops. */
typedef bool (*cdi_tell_contact_fn)(void *to, const cdi_contact_told *told);

/* A way out, in A's frame. */
typedef struct cdi_exit {
    cdi_v3 normal;
    double depth, size; /* of the smaller of the two parts */
    bool late;          /* told by a pair that waited */
    cdi_v3 at[2];       /* where it is as deep, on A and on B */
} cdi_exit;

enum { CDI_EXITS = 8, CDI_WAITING = 8, CDI_MEETING_WAYS = 6 };

/* Two parts that wait, by the numbers of their children and items: how long their way out is, and shorter ones that are hidden. */
typedef struct cdi_waiting {
    uint32_t child[2], item[2];
    double length;
    int count;
    cdi_exit hidden[CDI_MEETING_WAYS];
} cdi_waiting;

/* What is asked of two shapes. */
typedef struct cdi_contacts {
    const cd_shape *shape[2];
    bool many[2]; /* parts */
    cdi_pose b_in_a;
    bool posed; /* by it */
    uint32_t ignore[2], flags, max_iterations;
    double margin;
    double size_a; /* the extent of the part of A that is being visited */
    cd_filter_parts_fn filter;
    void *user;
    cdi_tell_contact_fn tell;
    void *to;
    size_t count; /* of points told */
    bool stopped, refused;
    cdi_contact_told last;    /* the deepest of what was refused */
    cdi_exit exit[CDI_EXITS]; /* of what was told, the deepest of equal normals */
    int exits;
    bool again; /* all has been asked before: the exits are known */
    cdi_waiting waiting[CDI_WAITING];
    int waits;          /* how many pairs wait */
    bool crowded, late; /* more than there is room for; is it their turn? */
} cdi_contacts;

/* Both parts are being visited; the filter has been asked. */
CDI_FN void cdi_contacts_of_pair(cdi_contacts *q, const cdi_shape_part *a, const cdi_shape_part *b);

/* Of points of one manifold that was told: are they, or is one of them, below another contact? Then all is to be asked again. */
CDI_FN bool cdi_contacts_are_below(const cdi_contacts *q, cd_vec3 normal, const cd_contact *points,
                                   int count);
CDI_FN void cdi_contacts_ask_again(cdi_contacts *q);

/* All have been visited. Is it to be done once more, for pairs that waited and are not left to others? */
CDI_FN bool cdi_contacts_again(cdi_contacts *q);

/* Tells what was refused, if nothing else has been told. */
CDI_FN void cdi_contacts_end(cdi_contacts *q);

/* What two parts say of themselves: a manifold without points. */
CDI_FN void cdi_contact_head(cd_manifold *out, const cdi_shape_part *a, const cdi_shape_part *b);
