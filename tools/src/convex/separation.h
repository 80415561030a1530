#pragma once
/* separation: how far two convex bodies are apart, or how deep in each other; what all such queries answer with.
 *
 * A is given in its own frame, B in its own, `b_in_a` is the pose of B in the frame of A (NULL: the same frame); all answers are in A's
 * frame. The normal leads from A to B: moving B by -distance along it makes overlapping bodies touch. */

#include "core/status.h"
#include "core/transform.h"
#include "shape/feature.h"

/// What a query remembers for the next one of the same pair; zero is empty. Only a hint: any content gives a right answer.
typedef struct cd_cache {
    uint32_t words[8];
} cd_cache;

/// The signed distance of two bodies.
typedef struct cd_separation {
    /// CD_OK; CD_NOT_CONVERGED: `gap` still holds; CD_INVALID_ARGUMENT: all else is NaN or zero
    cd_status status;
    cd_real distance; ///< > 0 apart, 0 touching, < 0 minus the depth: the least way that parts them
    cd_real gap;      ///< proven: the true distance is no farther than this from `distance`
    cd_vec3 normal;   ///< unit, from A to B, also when touching or deep
    /// the witness points, b - a = distance * normal but for rounding; of bodies apart and CD_NOT_CONVERGED, off what they lie on by no more than
    /// `gap` and the root of `gap` times the distance of what is without rounding
    cd_vec3 a, b;
    /// what they lie on, see CD_FEATURE; CD_FEATURE_NONE on what is curved, and on edges and faces of hierarchies and the caller's
    uint32_t feature_a, feature_b;
    uint32_t iterations;
} cd_separation;

/// Options of distance queries; the zero object is the default, and NULL stands for it.
typedef struct cd_separation_options {
    /// 0: as many as it takes, up to a bound of each query's own; else of GJK and of EPA each, which may take twelve to begin
    uint32_t max_iterations;
    /// where above 0: bodies that are surely farther apart than this are not looked at closer (`gap` tells)
    cd_real max_distance;
    cd_real tolerance; ///< where above 0: a `gap` of this, absolute, is good enough
} cd_separation_options;
