#pragma once
/* sweep: the first contact of a thing that moves in a straight line with one at rest (Ericson 5.5).
 *
 * cd_sweep_A_B moves A by `motion` from where it is, t from 0 at the start to 1 at the end, and answers whether it meets B
 * on the way: true, with `hit` filled, or false, with it left alone. Options and hit may be NULL. A moving and a turning
 * thing: cd_sweep_interval_halving. Where both move, the motion is that of A less that of B, and the hit is as seen from B:
 * its point is to be moved by t times B's motion.
 *
 * The hit
 * - `t`: the first contact, rounded down: A moved by t `motion` touches B, or is as good as touching, and never beyond;
 * - `point`: the contact on B; where two faces or edges lie on each other, a point of what they share;
 * - `normal`: unit, out of B, or on the side of B that A comes from; never zero;
 * - `feature`: of B, see CD_FEATURE (none where an ellipsoid starts inside); `u` and `v`: triangles: the weights of corners b
 *   and c at the point.
 *
 * Class: conservative. A t is never later than the true contact, and there is none that is missed: what cannot be decided in
 * rounding counts as contact. The excess: where A is at t, the way to B that is left is at most 2^-44 of the largest coordinate
 * of A, its motion and B (in the double build 2^-40; half widths of oriented boxes count as coordinates), besides the rounding
 * of t itself, which is below one unit in the last place of t, and 2^-1069 for planes. It depends on the size of things only
 * so: a target a thousand times larger is met as sharply. A moving ball that is no larger than eight times the excess has the
 * normal of a face or border that it meets.
 *
 * Starts. Touching counts, so a sweep that starts in contact (as cd_test_A_B has it, or nearer than the excess) hits at t = 0
 * with CD_HIT_START, also without motion; its normal is against the motion, or with CD_CAST_START_DEPTH that of the nearest
 * surface, and moving A by `depth` along it ends the overlap. CD_CAST_START_IGNORE passes through what it starts in contact
 * with; CD_CAST_START_LEAVING does so only where the motion does not lead deeper: not against the normal of the nearest
 * surface. So a thing that rests on a surface can slide along it. `options->t_min` moves the start.
 *
 * Faces. Planes, triangles and polygons have two sides, and are hit from behind where the motion is along their normal:
 * CD_HIT_BACK tells, CD_CAST_CULL_BACK and CD_CAST_CULL_FRONT pass through. A motion within their plane meets the side that
 * the normal of the contact, or the way out of it, is on: either one, where two are as good. Solids have no inside for a
 * sweep: with CD_CAST_CULL_FRONT they are not hit.
 *
 * NaN or infinity in, and invalid shapes: false. */

#include "query/hit.h"
