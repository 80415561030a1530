#pragma once
/* selection (internal): of the points of a cloud in convex position, the few whose hull is nearest to that of all.
 *
 * The farthest point is added to the hull so far until there are half as many again as wanted; those are taken away
 * again whose absence costs least; at last the farthest point is exchanged for the cheapest one while that helps
 * (compare Gonzalez 1985 for the first half, Schroeder, Zarge and Lorensen 1992 for the second). */

#include "hull/quickhull.h"

typedef struct cdi_heap_item {
    double key;
    uint32_t id, unused;
} cdi_heap_item;

/* The largest key first, of equal ones the smallest number; what finds no room is not taken. */
typedef struct cdi_heap {
    cdi_heap_item *item;
    uint32_t count, room;
} cdi_heap;
CDI_FN void cdi_heap_push(cdi_heap *h, double key, uint32_t id);
CDI_FN void cdi_heap_pop(cdi_heap *h);

/* How far points count to be from the hull of the selected: by Euclid; or, where each point stands for a plane
 * n . x = e as n / e, by how far the planes' common interior reaches beyond it. */
typedef enum cdi_selection_kind { CDI_SELECT_NEAR, CDI_SELECT_DUAL } cdi_selection_kind;

typedef struct cdi_selection {
    cdi_selection_kind kind;
    const double *weight; /* dual: e of each point of the input */
    uint32_t wanted;      /* how many; at least 4 */
    uint32_t spare;       /* how many more are taken at first */
    uint32_t exchanges;   /* at most */
} cdi_selection;

/* Writes the numbers of the selected, in the cloud's input, to `chosen` (room for wanted); how many there are to `count`:
 * `wanted`, unless there are fewer extreme points, or, dual, fewer do not bound a body. CD_UNSUPPORTED for points in a plane.*/
CDI_FN cd_status cdi_select(const cdi_cloud_input *input, const cdi_selection *how,
                            const cd_allocator *allocator, uint32_t *chosen, uint32_t *count);
