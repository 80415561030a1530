#pragma once
/* quickhull (internal): the hull of a cloud as triangles, exactly (Barber, Dobkin and Huhdanpaa 1996).
 *
 * A face has the points strictly in front of it in a list, each point in the list of at most one face. The farthest point
 * of a face is joined to the horizon: the edges between the faces that it sees, strictly, and those it does not. Every sign is
 * exact, so that the horizon is one simple loop and no triangle is without area. Coplanar neighbours remain, and
 * corners inside their union.
 *
 * Half-edge 4 f + k runs from corner k of face f to the next one. */

#include "core/executor.h"
#include "hull/cloud.h"

typedef struct cdi_qh_face {
    cdi_v3 n; /* not unit; outward */
    double d, error;
    uint32_t vertex[3], twin[3];
    uint32_t points, eye;    /* the list, and the farthest of it */
    double height;           /* of the eye, times the length of n; under a rule what the rule says */
    double scale;            /* under a rule: what makes heights of faces comparable */
    uint32_t next, previous; /* among the faces with points; `next` among the free ones, too */
    uint32_t seen; /* twice the number of the last insertion that asked, plus 1 when its point is in front */
} cdi_qh_face;

/* Another measure of how far points are in front, for users that stop before the hull is whole: a point goes to the face
 * that it is highest above, heights times `scale`, and counts there as `worth` tells. */
typedef struct cdi_qh cdi_qh;
typedef struct cdi_qh_rule {
    double (*scale)(const cdi_qh *q, const cdi_qh_face *f);
    double (*worth)(const cdi_qh *q, const cdi_qh_face *f, uint32_t point, double scaled_height);
    const void *user;
} cdi_qh_rule;

struct cdi_qh {
    cdi_cloud *cloud;
    const cdi_qh_rule *rule; /* or NULL */
    const cd_allocator *allocator;
    const cd_executor *executor;
    int dimension;               /* of the cloud; -1 for none */
    uint32_t corner[4];          /* points that span it: dimension + 1 of them */
    uint32_t apex;               /* in dimension 2: a point added to make a pyramid, else CD_NONE */
    cdi_v3 apex_at, apex_low;    /* where it is, exactly */
    cdi_qh_face *face;           /* a free one has vertex[0] = CD_NONE */
    uint32_t face_count, room;   /* numbers in use up to now */
    uint32_t free_face, pending; /* lists */
    uint32_t *visible, *horizon; /* room for `room` each */
    uint32_t visible_count, horizon_count;
    uint32_t *start; /* for each point: the new face whose base starts there */
    uint32_t *where; /* for each point: the face in whose list it is; only when points are taken at random */
    uint32_t insertion, settled;
    uint64_t work; /* tests of points against faces */
};

CDI_INLINE uint32_t cdi_qh_after(uint32_t half_edge) {
    return (half_edge & 3u) == 2 ? half_edge - 2 : half_edge + 1;
}
CDI_INLINE uint32_t cdi_qh_before(uint32_t half_edge) {
    return (half_edge & 3u) == 0 ? half_edge + 2 : half_edge - 1;
}
CDI_INLINE uint32_t cdi_qh_origin(const cdi_qh *q, uint32_t half_edge) {
    return q->face[half_edge >> 2].vertex[half_edge & 3u];
}
CDI_INLINE uint32_t cdi_qh_twin(const cdi_qh *q, uint32_t half_edge) {
    return q->face[half_edge >> 2].twin[half_edge & 3u];
}

/* Where a point is: what is returned, the double nearest to it, and `low`. */
CDI_FN cdi_v3 cdi_qh_at(const cdi_qh *q, uint32_t point, cdi_v3 *low);

/* How far a point is in front of a face, times the length of its normal: the sign is exact. */
CDI_FN double cdi_qh_height(const cdi_qh *q, const cdi_qh_face *f, uint32_t point);

/* Is no component of the face's normal off by more than `most` times the largest of them? */
CDI_FN bool cdi_qh_normal_is_within(const cdi_qh *q, const cdi_qh_face *f, double most);

/* Step by step: the first simplex; one point more, in front of the face (false: no memory), after which q->horizon has the
 * new faces; and the parts of other changes. The lists of given faces are the caller's to hand on. */
CDI_FN cd_status cdi_qh_begin(cdi_qh *q, cdi_cloud *cloud, const cdi_qh_rule *rule,
                              const cd_allocator *allocator, const cd_executor *executor);
CDI_FN bool cdi_qh_insert(cdi_qh *q, uint32_t point, uint32_t face);
CDI_FN uint64_t cdi_qh_allowance(uint32_t count); /* so many tests may be spent on farthest points */
CDI_FN cd_status cdi_qh_insert_all(cdi_qh *q,
                                   uint64_t allowance); /* the farthest, for so many tests; then at random */
CDI_FN uint32_t cdi_qh_take_face(cdi_qh *q);
CDI_FN void cdi_qh_give_face(cdi_qh *q, uint32_t f);
CDI_FN void cdi_qh_set_face(const cdi_qh *q, cdi_qh_face *f, uint32_t a, uint32_t b, uint32_t c);
CDI_FN void cdi_qh_join(cdi_qh *q, uint32_t g, uint32_t h);
CDI_FN void cdi_qh_assign(cdi_qh *q, uint32_t point, const uint32_t *faces, uint32_t count);

/* The whole hull. In dimension 2 it is that of a pyramid over the cloud, below it there are no faces. Whatever it
 * returns, cdi_qh_free gives the memory back. */
CDI_FN cd_status cdi_qh_build(cdi_qh *q, cdi_cloud *cloud, const cd_allocator *allocator,
                              const cd_executor *executor);
CDI_FN void cdi_qh_free(cdi_qh *q);

/* False when the user cancels. */
CDI_FN bool cdi_qh_tell_progress(const cdi_qh *q, double done);

/* Is a finite point outside (-1), on (0) or inside (1) the hull that was built? Exact. Nothing is inside a flat hull. */
CDI_FN int cdi_qh_locate(const cdi_qh *q, cdi_v3 point);
