#pragma once
/* dyn_move (internal): objects of a tree that move, and how far all of them reach. */

#include "tree/dyn_insert.h"

/* Gives the object another box: where it stands, if that makes its node not much larger, else elsewhere. */
CDI_FN void cdi_dyn_move(cd_dyntree *t, uint32_t id, cd_aabb box, cd_vec3 motion);

/* Many at once: `all` is around all boxes. False, and nothing is done, without memory. */
CDI_FN bool cdi_dyn_move_many(cd_dyntree *t, const uint32_t *ids, const cd_aabb *boxes,
                              const cd_vec3 *motions, uint32_t count, cd_aabb all);

/* The sum of the areas of all nodes, in units of the frame. */
CDI_FN double cdi_dyn_cost(const cd_dyntree *t);

/* Looks at the next few nodes and puts the entry elsewhere that is worst where it stands. */
CDI_FN cd_status cdi_dyn_improve(cd_dyntree *t);

/* The bounds hold another box; or one of those they were around has gone. */
CDI_FN void cdi_dyn_bounds_grow(cd_dyntree *t, cd_aabb box);
CDI_FN void cdi_dyn_bounds_shrink(cd_dyntree *t, cd_aabb gone);
