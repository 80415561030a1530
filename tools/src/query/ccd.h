#pragma once
/* ccd: continuous collision of a vertex with a face and of an edge with an edge, all four corners moving (cloth, soft bodies).
 *
 * Every corner moves in a straight line at its own speed from its start at t = 0 to its end at t = 1. Do the two, which are closed,
 * ever touch? The face may be an edge or a point, the edges may be points, and all of it may lie in one plane, or not move.
 *
 * Class: conservative. No contact is missed, for any finite numbers, and t is never later than the first one. Where a contact is
 * reported, the two are at t no farther apart than `min_separation` + `tolerance`, besides what the rounding of t to the number
 * type makes of it (t is rounded down): so no contact is reported where the two never come that near.
 *
 * How. The differences of points of the two make a triangle or parallelogram; they touch where it holds the origin. From a time on
 * that all is known before, three things tell how much longer there can be no contact, each with a bound on its rounding:
 * - the origin is off the figure's plane until the cubic of Provot 1997 has a root: in Bernstein form, cut to the root
 *   by the hull of its coefficients (Sederberg and Nishita 1990), which is quadratic in the end;
 * - the direction to the nearest point parts the figure from the origin until the first corner, each of which moves evenly, comes
 *   to the plane across it;
 * - seen along a fixed direction, the origin is outside of an edge and inside of another one until a quadratic has a root.
 * The nearest point then says whether this is a contact. Two or three rounds are common, also where edges turn about a
 * contact that they come to; about eight with a separation. The second and the third decide what is flat, the cubic what is not.
 *
 * It ends undecided, with a time before which there is no contact, in one of 10^5 queries with a separation, in one of a
 * thousand with the finest tolerance, and where coordinates of one query are of all magnitudes; without either of these, of the 4,500,000
 * random and degenerate ones of each type that were tried, in 18 of floats, most of them edges that touch all the time but for
 * rounding, and in 3 of doubles. */

#include "core/vec.h"

/// Options; the zero object is the default, and NULL stands for it. Negative numbers count as zero.
typedef struct cd_ccd_options {
    /// Rounds before it gives up with CD_CCD_UNDECIDED; 0 for 256.
    uint32_t most_steps;
    /// How near is as good as touching; 0 for 2^-32 of the extent, and never below 2^-43 of it. The extent is the largest
    /// coordinate, at the start and at the end, of what parts two corners of one edge or face, or of the two.
    cd_real tolerance;
    /// Coming this near counts as contact: the half thicknesses of the two together.
    cd_real min_separation;
    cd_real t_min; ///< the motion is looked at from here on
    cd_real t_max; ///< up to here; 0 for 1, which is also the most
} cd_ccd_options;

/// What is known of a contact.
typedef enum cd_ccd_status {
    CD_CCD_CONTACT = 0, ///< as near as asked for at t, and never before
    CD_CCD_START,       ///< already so at t_min, which is t
    CD_CCD_UNDECIDED    ///< given up: no contact before t, perhaps none after; `distance` is then any
} cd_ccd_status;

/// A contact.
typedef struct cd_ccd_hit {
    cd_real t;        ///< never later than the first contact
    cd_real distance; ///< of the two at t: at most min_separation + tolerance, see above
    /// unit, from the face towards the vertex, from the second edge towards the first; never zero
    cd_vec3 normal;
    cd_vec3 a,
        b; ///< where at t: the vertex and the point of the face; the points of the first and the second edge
    cd_real u,
        v; ///< the weights of the face's second and third corner; the parameters on the first and second edge
    uint32_t status; ///< of `cd_ccd_status`; in the forms for many CD_NONE where there is no contact
    uint32_t steps;  ///< how many rounds it took
} cd_ccd_hit;

/// A vertex, corner 0, against a face, corners 1, 2, 3. True with `hit` filled, which may be NULL; untouched when false.
///
/// NaN or infinity in, or t_min > t_max: false. No memory. Cost: 20 ns where the boxes swept by the two are apart on an axis, else
/// that of a few evaluations of the cubic.
CD_API bool cd_ccd_vertex_face(const cd_vec3 start[4], const cd_vec3 end[4], const cd_ccd_options *options,
                               cd_ccd_hit *hit);

/// An edge, from corner 0 to 1, against another one, from 2 to 3; otherwise the same.
CD_API bool cd_ccd_edge_edge(const cd_vec3 start[4], const cd_vec3 end[4], const cd_ccd_options *options,
                             cd_ccd_hit *hit);

/// cd_ccd_vertex_face on many: four indices each into the vertices of a mesh, where they start and where they end.
///
/// Returns how many touch. `hits`, one for each or NULL, has status CD_NONE and zeros for the others, among which are those with an
/// index of vertex_count or more. Bit-equal to the calls for one.
CD_API size_t cd_ccd_vertex_faces(const cd_vec3 *start, const cd_vec3 *end, size_t vertex_count,
                                  const uint32_t *corners, size_t count, const cd_ccd_options *options,
                                  cd_ccd_hit *hits);

/// cd_ccd_edge_edge on many.
CD_API size_t cd_ccd_edge_edges(const cd_vec3 *start, const cd_vec3 *end, size_t vertex_count,
                                const uint32_t *corners, size_t count, const cd_ccd_options *options,
                                cd_ccd_hit *hits);
