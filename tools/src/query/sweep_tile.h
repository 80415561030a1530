#pragma once
/* sweep_tile (internal): a triangle as a hull, to be moved. */

#include "query/sweep_many3d.h"

typedef struct cdi_tile {
    cd_vec3 corner[3];
    cd_hull_face face[2]; /* front and back */
    cd_hull_parts parts;  /* into these */
    cd_aabb bounds;
} cdi_tile;

/* False for corners that are not finite. A tile must stay where it is. */
CDI_FN bool cdi_tile_of(cdi_tile *p, const cd_triangle *t);

/* In motion against one thing, as the casts of query/sweep3d. */
CDI_FN bool cdi_sweep_tile_triangle(const cdi_cast *c, const cdi_tile *p, const cd_triangle *t, cd_hit *hit);
CDI_FN bool cdi_sweep_tile_box(const cdi_cast *c, const cdi_tile *p, const cdi_obb *b, cd_hit *hit);
