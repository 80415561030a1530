#pragma once
/* safe: how long two things cannot touch yet (Ericson 5.1).
 *
 * Two things a distance apart cannot touch before their points have moved that far together. So a pair that was once found
 * far apart needs no look for many steps; and since that holds for all that is in two bounding volumes, or below two nodes
 * of trees, whole pairs of subtrees are passed over.
 *
 * With speeds that have a bound, cd_safe_until gives the time up to which nothing can happen: keep it with the pair, and
 * look at the pair again when the time has come. With motion that is only known step by step, each body keeps how far its
 * points have come at most, a `cd_safe`; a pair keeps one number, a mark, up to which the two ways together may grow:
 *
 *     cd_safe_advance(&a, cd_safe_motion(&a_before, &a_now, a_radius));        each step, each body
 *     if (cd_safe_holds(&a, &b, mark)) ...                                     each step, each pair: they cannot touch
 *     else mark = cd_safe_mark(&a, &b, distance);                              a new look, where it does not hold
 *
 * In a tree of a body against another one's the marks are kept with the pairs of nodes where the last descent ended: while a
 * mark holds, that pair and all below it are passed over, and the distance may be any lower bound, such as that of the two
 * nodes' boxes. Nothing is done to the marks from step to step.
 *
 * Class of all: conservative. They never say that two things cannot touch when they can; rounding is to that side.
 * NaN in, or a distance that is not above 0: nothing is promised. */

#include "core/transform.h"

/// The time before which two things cannot touch: `now` plus distance / speed, rounded down.
///
/// `distance`: at most what is between them now. `speed`: at least the sum of the speeds of the fastest point of each, or the
/// largest speed of a point of one as seen from the other. Nothing touches at any time t with now <= t < the answer. Infinite
/// for a speed of 0; `now` where nothing is promised.
CD_API cd_real cd_safe_until(cd_real now, cd_real distance, cd_real speed);

/// How far the points of a body have come at most since it began; all zero at the beginning.
typedef struct cd_safe {
    double way; ///< the sum of the largest motions of a point, of all steps
} cd_safe;

/// Adds a step in which no point of the body came farther than `motion` from where it was.
///
/// A negative motion or NaN ends all promises: the way becomes infinite.
CD_API void cd_safe_advance(cd_safe *body, cd_real motion);

/// What two ways together may not reach, for two bodies with at least `distance` between them now.
CD_API double cd_safe_mark(const cd_safe *a, const cd_safe *b, cd_real distance);

/// True when the two have certainly not touched at the end of any step since the mark was set.
CD_API bool cd_safe_holds(const cd_safe *a, const cd_safe *b, double mark);

/// An upper bound of how far a point of a rigid body moves, in a straight line, from one pose to another.
///
/// `radius`: no point of the body is farther from the origin of its frame. It is |change of the position| + radius times the
/// chord of the turn; 0 for equal poses. Infinite for NaN or infinity in, and for poses that are not valid.
CD_API cd_real cd_safe_motion(const cd_transform *from, const cd_transform *to, cd_real radius);
