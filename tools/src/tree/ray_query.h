#pragma once
/* ray_query (internal): what a ray asks a tree, and what it has found so far. */

#include "query/ray3d.h"
#include "tree/bvh_ray.h"
#include "tree/bvh_walk.h"

/* A hit. What rays find of triangles is not written before it is needed. */
typedef struct cdi_item_hit {
    double t; /* before it is rounded, where that is known */
    uint32_t item, index;
    bool is_sides;  /* of `tri` only t is known yet; the rest follows from these: */
    double side[3]; /* ... the corners' weights */
    cdi_tri_hit tri;
    cd_hit hit;
} cdi_item_hit;

typedef struct cdi_ray_query {
    cdi_frame_ray frame;
    cdi_cast cast;
    cdi_ray ray;               /* the cast made ready for triangles */
    const cd_ray *given;       /* the question as it was asked */
    const cd_segment *segment; /* ... instead of a ray */
    cd_real given_max;
    const cd_cast_options *options;
    cdi_walk_fn walk;  /* the way through a tree of other volumes, or NULL */
    double t_max;      /* of what counts still, where t is known before it is rounded */
    cdi_item_hit best; /* the nearest; its item is CD_NONE while there is none */
    cd_hit *hits;      /* all hits: the nearest `room` so far, as a heap with the farthest on top */
    size_t room, kept, found;
    bool keeps_rest; /* their `depth` holds what rounding took from t */
} cdi_ray_query;

/* cd_bvh_cast_ray and cd_bvh_test_ray by a walk of another kind, whose `q` is the cdi_ray_query. */
CDI_FN bool cdi_cast_ray_by(cdi_walk_fn walk, const cdi_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit);
CDI_FN bool cdi_test_ray_by(cdi_walk_fn walk, const cdi_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options);

/* Is item i seen? Asked about hits only. */
CDI_INLINE bool cdi_ray_sees(const cdi_bvh *tree, uint32_t i, uint32_t index, const cd_cast_options *o) {
    if (!o) return true;
    return !cdi_bvh_ignores(tree, i, o->ignore_mask) && (!o->filter || o->filter(o->user, index));
}
