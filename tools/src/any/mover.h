#pragma once
/* mover: a convex body that is led through a level by its wishes, not by forces: a character, a camera, a probe.
 *
 * Where it is, the surfaces near it are planes (cd_mover_planes, without ghosts, of anything that cd_shape_collide takes). A wished
 * motion is bent so that it leads through none of them: the nearest motion to it that every plane allows (cd_mover_solve, cd_mover_clip).
 * cd_mover_slide puts these together: it goes until something is met, bends what is left of the way, goes on; climbs steps, and says
 * what it stands on.
 *
 * The mover keeps a small distance from everything, the skin, so that it never starts in contact: what slides does not catch on edges.
 * Bodies and the level are any shapes; the mover is convex. All is in the frame of the level. */

#include "any/shape_collide.h"

/// A plane that the mover has to keep to one side of.
typedef struct cd_mover_plane {
    cd_vec3 normal;   ///< unit, out of the level, towards the mover
    cd_real distance; ///< how far the mover is from it; below 0: how deep it is in
    cd_vec3 point;    ///< the nearest point of the level
    cd_part part;     ///< of the level
} cd_mover_plane;

/// How many planes a step of cd_mover_slide takes into account.
#define CD_MOVER_PLANES 16

/// Options of movers; the zero object is the default, and NULL stands for it.
typedef struct cd_mover_options {
    uint32_t max_slides; ///< how often a motion is bent at most; 0: 8
    cd_vec3 up;          ///< against gravity, of any length; zero: there is no ground, and there are no steps
    cd_real skin;        ///< the distance that is kept; 0: a hundredth of the mover's size
    cd_real step_height; ///< steps up to this are climbed; 0: none
    /// ground is what has a normal with at least this cosine to `up`; 0: 0.7, some 45 degrees
    cd_real least_floor;
    uint32_t ignore_mask; ///< parts of the level that share a layer with it are passed over
    /// asked with the number of a part of the level as hits have it, hit->index; may be NULL
    cd_filter_fn filter;
    void *user; ///< handed to `filter`
} cd_mover_options;

/// Where a mover came to.
typedef struct cd_mover_result {
    /// CD_OK; CD_NOT_CONVERGED: stuck in something that it cannot be pushed out of; CD_INVALID_ARGUMENT, CD_UNSUPPORTED: it did not move
    cd_status status;
    cd_transform pose; ///< as at the start but for the position
    /// what is left of the motion, bent: to be had as the next step's, or to clip a velocity by
    cd_vec3 left;
    cd_vec3 ground; ///< normal of what it stands on, or zero
    cd_part ground_part;
    uint32_t slides;  ///< how often the motion was bent
    uint32_t stepped; ///< 1: it climbed a step
    uint32_t planes;  ///< how many planes it touches at the end; at most CD_MOVER_PLANES
} cd_mover_result;

/// The planes of a level near a convex mover at a pose: how many there are; the first `capacity` are written, the deepest first.
///
/// One a manifold of cd_shape_collide with a margin of `reach` (0: what is touched), by its deepest point.
CD_API size_t cd_mover_planes(const cd_shape *level, const cd_shape *mover, const cd_transform *pose,
                              cd_real reach, const cd_mover_options *options, cd_mover_plane *out,
                              size_t capacity);

/// The displacement nearest to the one that is wished after which the mover is at least `skin` from every plane: n.x >= skin - distance.
///
/// CD_OK; CD_NOT_CONVERGED where there is none, as between walls that are too near: `out` is then what gives in to all of them alike (a
/// number of rounds of projections). CD_INVALID_ARGUMENT, and `out` zero: a number that is not finite. Class: tolerant, 1e-6 (double build
/// 1e-12) of the wish and the distances, where planes are not nearly parallel. Cost: expected linear. Source: Seidel 1991, by which the
/// nearest point of a polyhedron is found as the optimum of a linear program is.
CD_API cd_status cd_mover_solve(const cd_mover_plane *planes, size_t count, cd_vec3 wish, cd_real skin,
                                cd_vec3 *out);

/// The velocity nearest to a given one that leads into none of the planes: n.x >= 0. Planes farther away than `reach` are left out.
CD_API cd_vec3 cd_mover_clip(const cd_mover_plane *planes, size_t count, cd_real reach, cd_vec3 velocity);

/// Moves a convex shape by a motion through a level, sliding along what it meets, up steps and down them.
///
/// First it is pushed out of what it overlaps or has hardly any skin left to, in eight steps of no more than eight times the deepest
/// overlap and the skin. Then it goes as far as nothing that it would meet is nearer than the skin (than half of it, where that is neared
/// at a glancing angle), and what is left of the motion is clipped by the planes there; so again, until nothing is left, or it would turn
/// back. What it goes past without meeting it may be nearer at the end; the next call gives way to that first. Where it stands on ground
/// and is stopped by what is no ground, it tries to go over it: up by step_height, on, and down onto ground. Where it stood on ground it
/// is let down again to ground within step_height. Cost: some sweeps and contacts a slide.
CD_API cd_mover_result cd_mover_slide(const cd_shape *level, const cd_shape *mover, const cd_transform *pose,
                                      cd_vec3 motion, const cd_mover_options *options);
