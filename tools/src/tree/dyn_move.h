#pragma once
/* dyn_move (internal): objects of a tree that move, and how far all of them reach. */

#include "tree/dyn_insert.h"

/* Gives the object another box: where it stands, if that makes its node not much larger, else elsewhere. */
CDI_FN void cdi_dyn_move(cd_dyntree *t, uint32_t id, cd_aabb box, cd_vec3 motion);

/* The bounds hold another box; or one of those they were around has gone. */
CDI_FN void cdi_dyn_bounds_grow(cd_dyntree *t, cd_aabb box);
CDI_FN void cdi_dyn_bounds_shrink(cd_dyntree *t, cd_aabb gone);
