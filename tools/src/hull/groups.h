#pragma once
/* groups (internal): which triangles of a hull make one face, and which points are then its corners.
 *
 * A group is a set of triangles; it is known by a number, not all of which are in use. An edge between two groups is a border.
 * Of the points along borders those with a rank are vertices of the hull: a run of borders from one to the next is one
 * edge. */

#include "hull/quickhull.h"

typedef struct cdi_groups {
    cdi_qh *q;
    uint32_t room;         /* numbers of groups */
    uint32_t count;        /* groups */
    uint32_t vertex_count; /* points with a rank */
    uint32_t *rank;  /* of each point: its number as a vertex, or CD_NONE; q->start has a border out of it */
    uint32_t *group; /* of each triangle; CD_NONE where there is none */
    unsigned char *border; /* of each triangle: a bit for each half-edge that is a border */
    uint32_t *seed;        /* of each group: its largest triangle, whose plane is that of the face */
    uint32_t *mark;        /* of each group: the one that took it, perhaps itself, or CD_NONE */
    uint32_t
        *number; /* of each group, for users: CD_NONE; before the end its first triangle, `next` goes on */
    double flatness; /* no point of a face is farther behind its plane, nor outside of the hull */
} cdi_groups;

/* Groups all triangles: coplanar ones always, and neighbours that come no deeper than `distance` under the plane of a large
 * triangle and turn by less than 60 degrees. False when there is no memory. cdi_groups_free follows in any case. */
CDI_FN bool cdi_groups_make(cdi_groups *g, cdi_qh *q, double distance);
CDI_FN void cdi_groups_free(cdi_groups *g);

CDI_INLINE uint32_t cdi_group_of(const cdi_groups *g, uint32_t half_edge) {
    return g->group[half_edge >> 2];
}
/* Once all are made. */
CDI_INLINE bool cdi_is_border(const cdi_groups *g, uint32_t half_edge) {
    return (g->border[half_edge >> 2] >> (half_edge & 3u) & 1u) != 0;
}

/* The border after this one around its group. */
CDI_FN uint32_t cdi_next_border(const cdi_groups *g, uint32_t border);
/* The next border out of the same point, counter-clockwise. */
CDI_FN uint32_t cdi_turn_border(const cdi_groups *g, uint32_t border);
/* The last border of the edge that starts with this one at a point with a rank; sets `next` to the one after it. */
CDI_FN uint32_t cdi_border_run(const cdi_groups *g, uint32_t border, uint32_t *next);

/* The outward normal of a group, of any length, and where its plane is along it. */
CDI_FN cdi_v3 cdi_group_normal(const cdi_groups *g, uint32_t group);
CDI_FN double cdi_group_offset(const cdi_groups *g, uint32_t group, cdi_v3 normal);
