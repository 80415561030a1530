#pragma once
/* front_list (internal): the pairs of nodes where two trees were last compared, in the order of the way through them. */

#include "core/memory.h"
#include "tree/bvh_pairs.h"

/* A pair of nodes, or of lanes of nodes. Until things have moved farther than `until`, what lies below pairs of lanes that did not
 * meet stays apart; the others are looked into. */
typedef struct cdi_front_entry {
    uint64_t met; /* bit 8 * (lane of b) + (lane of a) */
    double until;
    uint32_t a, b;
    uint32_t size; /* entries of this and of all below, which follow it */
    uint8_t lanes_a, lanes_b;
    uint16_t unused;
} cdi_front_entry;

typedef struct cdi_front_list {
    cdi_front_entry *entries;
    uint32_t count, capacity;
    bool failed; /* there was no memory: it is given up */
} cdi_front_list;

/* A front that is followed: the old one is read, a new one written. */
typedef struct cdi_front_walk {
    cdi_pair_walk *w;
    const cd_allocator *allocator;
    cdi_front_list old, made;
    double moved, unit; /* how far things have moved in all; the unit of a's frame */
    uint64_t tested;    /* pairs of nodes */
} cdi_front_walk;

/* Room for one entry more; false, with the list given up, where there is none. */
CDI_FN bool cdi_front_room(cdi_front_list *list, const cd_allocator *allocator);

CDI_FN void cdi_front_free(cdi_front_list *list, const cd_allocator *allocator);
