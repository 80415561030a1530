#pragma once
/* sweep_flat (internal): a moving point against all that is within a radius of a convex flat figure (Ericson 5.5.3, 5.5.6).
 *
 * That is a slab about the face, a cylinder about every edge, a ball about every corner. The slab is met first of all: where
 * the figure is below, that is the contact; else it is the first of the edges, each where its cylinder is met or else at the
 * end beyond which that is.
 *
 * No rounding makes a contact late or loses one: the slab is wider than the radius by the slack, cylinders a little more, balls
 * yet more, and a face or an edge is only taken where the contact is surely inside of its bounds. So what a feature is not
 * sure of, one at its border surely has; and no contact is earlier than two slacks. */

#include "query/flat3d.h"
#include "query/sweep3d.h"

/* The contact of c with a figure of 1 to 4 corners, in order, which may coincide or be collinear. Numbers whose squares, and
 * products of four, are in range; `slack` from cdi_sweep_slack. Features: corner i; edge i from there to the next; face 0.
 * Weights u, v of triangles only. A contact after c->t_max is none. */
CDI_FN cdi_meets cdi_sweep_flat(const cdi_cast *c, const cdi_flat *f, double radius, double slack,
                                cdi_impact *met);

/* The same for any finite numbers, with the slack of all that take part. A contact after `until` may be given as none; what is given is
 * that of the motion to its end. */
CDI_FN cdi_meets cdi_sweep_rounded(const cdi_cast *c, const cdi_flat *f, double radius, double until,
                                   cdi_impact *met);

/* When does a point at m that moves by d, both seen from the centre, meet a ball? At *u in [0, limit], *u being the limit
 * before. */
CDI_FN bool cdi_sweep_ball(cdi_v3 m, cdi_v3 d, double radius, double *u);
