#pragma once
/* gjk_cast3d (internal): the sweep of gjk_cast with both bodies posed in double, and sides. */

#include "convex/body.h"
#include "query/sweep3d.h"

/* The cast and the hit are in the frame that both are posed in, NULL: as they are. What comes after cast->t_max does not matter; `side` is
 * that of cdi_sweep_answer. Where the poses are those of transforms, A's of none, the same bits as cd_gjk_sweep. */
CDI_FN bool cdi_gjk_sweep_posed(const cdi_cast *cast, const cd_support *a, const cdi_pose *a_pose,
                                const cd_support *b, const cdi_pose *b_pose, cdi_v3 side, cd_hit *hit);
