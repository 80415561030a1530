#pragma once
/* shell3d (internal): a spherical shell of doubles, in the half-plane of its axis and a point. */

#include "core/vec3d.h"
#include "shape/shell.h"

typedef struct cdi_shell {
    cdi_v3 center, axis; /* unit */
    double inner, outer, cosine, sine;
} cdi_shell;

CDI_FN cdi_shell cdi_shell_of(const cd_spherical_shell *s);

/* The unit direction perpendicular to the axis that is nearest to d; any one for d along the axis. */
CDI_FN cdi_v3 cdi_shell_side(const cdi_shell *s, cdi_v3 d);

/* The unit direction on the rim, at the shell's angle from the axis, that is nearest to d; any one for d along the axis. */
CDI_FN cdi_v3 cdi_shell_rim(const cdi_shell *s, cdi_v3 d);

/* Is the direction d, not 0, within the angle? */
CDI_FN bool cdi_shell_sees(const cdi_shell *s, cdi_v3 d);

/* The farthest point along d, not 0, from the centre. */
CDI_FN cdi_v3 cdi_shell_support(const cdi_shell *s, cdi_v3 d);
