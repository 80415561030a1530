#pragma once
/* deep3d (internal): how deep two cores are in each other where there are many ways out alike, proven over all directions.
 *
 * The depth is the least, over all unit n, of H(n), the farthest of B - A along n. A polytope inside B - A proves it where few n are nearly
 * the best. Where a whole circle of them is, as of coaxial cylinders, or all are, as of balls one in the other, it would need a million
 * faces. Here the sphere of directions is halved into cells between circles of latitude and longitude, about the axis of a round body: in a
 * cell, H is bounded from below by functions K + C . n of which the least is known. Each is a mixture of what the parts of the bodies prove:
 * a corner w, w . n; a ball c + r, c . n + r; a disc of radius r about u, whose part r sqrt(1 - (u . n)^2) hangs on u . n alone and is above
 * its chord; an ellipsoid likewise. So a ring of directions is one cell, however long. Bounds are as good as the square of a cell's width.
 *
 * Source: branch and bound; the bounds are those of cutting planes with the best mixture of two, again and again. */

#include "convex/epa3d.h"

/* Makes the bounds of a depth nearer, as near as `tolerance` if that is done within some six thousand farthest points; never more than 6880
 * are asked for. Starts with an `upper` and its axis; `lower` then holds over all directions, also where it is below 0: then the cores may be
 * as far apart. Counts into `iterations`. False where nothing was gained. */
CDI_FN bool cdi_deep_prove(const cdi_couple *pair, double tolerance, cdi_depth *depth);
