#pragma once
/* obb_merge: an oriented box around two (Ericson 6.5.3). */

#include "shape/volume.h"

/// A small oriented box that holds both.
///
/// Five orientations are tried, and the one of least volume wins (of flat boxes the one of least surface, of needles the
/// shortest): the axes of either, their average, with the axes of the second named so that they are nearest to those of the first
/// (Eberly; the book's average of quaternions), the principal axes of the sixteen corners, and the line between the centres. A
/// box that clearly holds the other, or is the same, is given back as it is.
/// Both boxes are held exactly, taken literally: every point center + axes s of them is in the result, both by its slabs and
/// as center + axes s (but for a box that is given back as it is, which is held by being the same). For that the half extents are 4e-15 of size and distance larger than computed, and rounded up; infinite
/// beyond the range. NaN, infinity or a negative half extent in: all zero. Cost: constant.
CD_API cd_obb cd_merge_obb_obb(const cd_obb *a, const cd_obb *b);
