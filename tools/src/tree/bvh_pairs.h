#pragma once
/* bvh_pairs (internal): the way through two trees at once.
 *
 * Nodes of two trees are compared eight boxes against eight: those of B are taken into A's frame, all eight at once in
 * floats, and those of A that are met there into B's. What this rounds, and the rounding of B's corners themselves, is
 * made good by growing the boxes (`grow`): nothing that meets is ever left out. Leaves are compared in the same way, item by
 * item, by boxes around the items' own corners. */

#include "tree/bvh_collide.h"
#include "tree/bvh_posed.h"

/* From a tree's frame into the other's: x -> turn x + shift; `size` is |turn|. Without use where the other frame is so much
 * smaller that floats do not reach. */
typedef struct cdi_frame_map {
    float turn[3][3], size[3][3], shift[3], grow[3];
    bool useful;
} cdi_frame_map;

/* Eight boxes, in rows. */
typedef struct cdi_box_rows {
    float lo[3][8], hi[3][8];
} cdi_box_rows;

/* Up to eight items of a leaf, with boxes in A's frame, in the caller's unit. */
typedef struct cdi_posed_block {
    cd_real lo[3][8], hi[3][8];
    uint32_t first, count;
    cdi_posed item[8];
} cdi_posed_block;

/* What is said of two triangles that share a corner, where nothing is posed. */
typedef enum cdi_sharing { CDI_SHARING_ASK = 0, CDI_SHARING_MEETS = 1, CDI_SHARING_PASSED = 2 } cdi_sharing;

/* The nearest pair so far; with a `way` the first that may touch on it, and sqdist is its lead. */
typedef struct cdi_pair_nearest {
    double sqdist;
    const cdi_posed_way *way; /* or NULL */
    uint32_t item_a, item_b;
    cd_pair pair;
} cdi_pair_nearest;

typedef struct cdi_pair_walk {
    cdi_bvh a, b;
    cdi_placing place_a, place_b;
    cdi_frame_map to_a, to_b;
    double pad; /* how much the boxes of B's items grow */
    double size,
        error;    /* the largest coordinate of B, posed, and of A's origin; what posing makes of it at most */
    float b_size; /* the unit of B's frame in A's */
    bool same;    /* one tree, against itself */
    bool first;   /* one pair is enough, whichever */
    uint32_t rule, sharing;
    const cd_bvh_pair_options *options;
    double sqdistance;
    bool (*meets)(const struct cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b);
    cd_visit_pair_fn visit;
    /* told instead of `visit` where it is not NULL: the items, too */
    bool (*visit_items)(void *user, uint32_t item_a, uint32_t item_b, cd_pair pair);
    void *user;
    cd_pair *last; /* takes the items of the pair that the visitor stopped at; may be NULL */
} cdi_pair_walk;

/* The same for trees that are open already, as `w->a` and `w->b`; the maps are left to the caller. */
CDI_FN bool cdi_pairs_begin(cdi_pair_walk *w, const cd_transform *b_in_a, double distance,
                            const cd_bvh_pair_options *options);

/* Ready to find what comes within `distance`; false when nothing can. */
CDI_FN bool cdi_pairs_open(cdi_pair_walk *w, const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                           double distance, const cd_bvh_pair_options *options);

/* The maps as they are when B has gone that way, for what comes within `distance` there. */
CDI_FN void cdi_pairs_shift(cdi_pair_walk *w, cdi_v3 by, double distance);

/* Do the options let the pair pass? */
CDI_FN bool cdi_pairs_sees(const cdi_pair_walk *w, uint32_t item_a, uint32_t item_b, cd_pair pair);

/* A pair that meets: false when the visitor stopped. */
CDI_INLINE bool cdi_pair_found(const cdi_pair_walk *w, uint32_t item_a, uint32_t item_b) {
    uint32_t a = cdi_bvh_index(&w->a, item_a), b = cdi_bvh_index(&w->b, item_b);
    bool swap = w->same && a > b;
    cd_pair pair;
    pair.a = swap ? b : a;
    pair.b = swap ? a : b;
    if (w->options && !cdi_pairs_sees(w, item_a, item_b, pair)) return true;
    if (w->visit_items ? w->visit_items(w->user, item_a, item_b, pair) : w->visit(w->user, pair)) return true;
    if (w->last) {
        w->last->a = item_a;
        w->last->b = item_b;
    }
    return false;
}

/* The answer for the nearest pair. */
CDI_FN void cdi_pairs_closest(const cdi_pair_walk *w, const cdi_pair_nearest *best, cd_closest *out);

/* The two items of a pair kept in mind, in A's frame; false where the trees do not have them. */
CDI_FN bool cdi_pairs_recall(const cdi_pair_walk *w, const cd_pair *last, cdi_posed *a, cdi_posed *b);

/* Up to eight items of a leaf from item `first` on, unless they were read last; a block to begin with has the count 0. */
CDI_FN void cdi_posed_hold(const cdi_pair_walk *w, cdi_posed_block *held, bool of_b, uint32_t first,
                           uint32_t count);

/* ---- pairs in an array, and the first only ---- */

typedef struct cdi_pair_list {
    cd_pair *pairs;
    size_t capacity, count;
} cdi_pair_list;

CDI_INLINE cdi_pair_list cdi_pair_list_of(cd_pair *pairs, size_t capacity) {
    cdi_pair_list list;
    list.pairs = pairs;
    list.capacity = pairs ? capacity : 0;
    list.count = 0;
    return list;
}

/* Visitors. */
CDI_FN bool cdi_pair_append(void *user, cd_pair pair);
CDI_FN bool cdi_pair_first(void *user, cd_pair pair);
