#pragma once
/* triangles: one triangle against many (Ericson 5.2.10). */

#include "query/triangle_triangle.h"

/// Which triangles meet the triangle? Exactly those for which cd_test_triangle_triangle says so.
///
/// Gives their indices in ascending order: returns how many there are, and writes the first `capacity` of them; `hits` may be
/// NULL when that is 0. Class: exact. Indices above 2^32 - 1 cannot be told: counts beyond are cut there. Eight at a time
/// (four in a double build) are looked at with a known rounding error, by the method of Guigue and Devillers 2003, and the
/// call for two is made where that leaves doubt. Cost: linear; no memory.
CD_API size_t cd_test_triangle_triangles(const cd_triangle *one, const cd_triangle *many, size_t count,
                                         uint32_t *hits, size_t capacity);
