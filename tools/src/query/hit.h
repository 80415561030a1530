#pragma once
/* hit: what queries answer with, and the options they share. */

#include "core/vec.h"
#include "shape/feature.h"

/// What is true of a hit; bits of `cd_hit.flags`.
typedef enum cd_hit_flag {
    CD_HIT_BACK = 1, ///< the surface was met from behind: from inside, or against a triangle's winding
    CD_HIT_START = 2 ///< the cast began in contact: t is where it began
} cd_hit_flag;

/// The first contact of a cast.
typedef struct cd_hit {
    cd_real t;        ///< where, in units of the cast's direction
    cd_vec3 point;    ///< the contact point
    cd_vec3 normal;   ///< unit, of the surface, on the side the cast comes from; never zero
    cd_real depth;    ///< > 0 only when it began inside and CD_CAST_START_DEPTH asks for it
    cd_real u, v;     ///< triangles: the weights of corners b and c (1 - u - v is a's); else 0
    uint32_t feature; ///< see CD_FEATURE
    uint32_t index;   ///< of the primitive in a structure; 0 for single shapes
    uint32_t flags;   ///< of `cd_hit_flag`
} cd_hit;

/// How casts treat surfaces and starts; bits of `cd_cast_options.flags`. None: both faces are hit, and a cast that
/// begins inside a solid hits it where it begins, with the normal against the motion.
typedef enum cd_cast_flag {
    CD_CAST_CULL_BACK = 1, ///< pass through surfaces met from behind
    CD_CAST_CULL_FRONT =
        2, ///< pass through surfaces met from the front: solids are hit where the cast leaves, if it began inside, too
    CD_CAST_START_IGNORE = 4, ///< what the cast begins in or exactly on is not hit there
    CD_CAST_START_LEAVING =
        8, ///< ... only when the motion leads out through the nearest surface, or along it
    CD_CAST_START_DEPTH =
        16 ///< starts inside report the depth, and the outward normal of the nearest surface
} cd_cast_flag;

/// False to have a primitive of a structure passed over.
typedef bool (*cd_filter_fn)(void *user, uint32_t index);

/// Which part of a shape a result is on, and what the caller said of it.
typedef struct cd_part {
    uint64_t user;     ///< of the shape, or of the compound's child
    uint32_t material; ///< of the triangle where there are such, else of the shape or child
    uint32_t child;    ///< of a compound, as its list has it; CD_NONE elsewhere
    uint32_t index;    ///< of the triangle, or of a class's part; 0 elsewhere
    cd_real offset;    ///< how far out contacts take the surface to be; may be below 0
} cd_part;

/// Options of all casts; the zero object is the default, and NULL stands for it.
typedef struct cd_cast_options {
    uint32_t flags; ///< of `cd_cast_flag`
    cd_real t_min;  ///< the cast begins here instead of at 0
    cd_filter_fn filter;
    void *user;           ///< handed to `filter`
    uint32_t ignore_mask; ///< in a structure with masks: what shares a bit with it is passed over
} cd_cast_options;

/// Which primitives of a structure a query sees; the zero object is all of them, and NULL stands for it.
typedef struct cd_filter {
    uint32_t ignore_mask; ///< where masks were given: what shares a bit with it is passed over
    cd_filter_fn filter;  ///< false for what is to be passed over; may be NULL
    void *user;           ///< handed to `filter`
} cd_filter;

/// Closest points of two things.
typedef struct cd_closest {
    cd_vec3 a, b;   ///< the point of each
    cd_real sqdist; ///< squared distance, >= 0; NaN when an input is not finite (the rest is zero then)
    cd_real s, t;   ///< where on each: a segment's parameter; a triangle's u in s and v in t
    uint32_t feature_a, feature_b; ///< see CD_FEATURE
    uint32_t index_a, index_b;     ///< of the primitive in a structure; 0 for single shapes
} cd_closest;

/// Told of one result after another; false stops the query.
typedef bool (*cd_visit_fn)(void *user, uint32_t index);

/// Two primitives of two structures.
typedef struct cd_pair {
    uint32_t a, b;
} cd_pair;

/// Told of one pair after another; false stops the query.
typedef bool (*cd_visit_pair_fn)(void *user, cd_pair pair);
