#pragma once
/* mover_solve (internal): the point nearest to a wish on the right side of planes, one plane after another (Seidel 1991). */

#include "core/vec3d.h"

/* n.x >= least. Normals need not be unit; zero ones ask for nothing. */
typedef struct cdi_wall {
    cdi_v3 n;
    double least;
} cdi_wall;

/* False where no point does, by more than rounding; `out` is then left alone. */
CDI_FN bool cdi_walls_nearest(const cdi_wall *walls, size_t count, cdi_v3 wish, cdi_v3 *out);

/* Where there is none: what gives in to all of them alike, by simultaneous projections (Cimmino 1938). */
CDI_FN cdi_v3 cdi_walls_compromise(const cdi_wall *walls, size_t count, cdi_v3 wish);
