#pragma once
/* sweep_box3d (internal): round things moving against any box, also for boxes that move against them. */

#include "query/sweep3d.h"
#include "shape/swept.h"
#include "shape/volume3d.h"

/* A sphere, c->o its centre. */
CDI_FN cdi_meets cdi_sweep_ball_box(const cdi_cast *c, double radius, const cdi_obb *b, cdi_impact *met);

/* A capsule, c->o its end a; `most` is the largest coordinate of the box. */
CDI_FN cdi_meets cdi_sweep_rod_box(const cdi_cast *c, const cd_capsule *capsule, const cdi_obb *b,
                                   double most, cdi_impact *met);
