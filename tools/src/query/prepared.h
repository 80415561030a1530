#pragma once
/* prepared: a ray made ready once for many triangles and boxes (Ericson 5.3.3; Woop, Benthin and Wald 2013).
 *
 * The answers are those of cd_cast_ray_triangle and cd_cast_ray_aabb, bit for bit; only what depends on the ray alone is not
 * done again: its range is checked, it is put into double, and its reciprocals and the shear of the watertight triangle test
 * are kept. */

#include "query/cast_triangle.h"
#include "shape/volume.h"

/// A ray with what casts derive from it; made by cd_ray_prepare, always of doubles. The zero object hits nothing.
///
/// `t_max` may be set anew between casts, as nearer hits are found; all else stays as it was made.
typedef struct cd_prepared_ray {
    double origin[3], dir[3]; ///< the ray
    double inverse[3];        ///< 1 / dir; 0 where dir is 0
    double shear[3];          ///< of the axes below: dir[x] / dir[z], dir[y] / dir[z] and 1 / dir[z]
    double t_min, t_max;      ///< the range of t
    uint32_t axis[3];         ///< x, y and z of the sheared frame: z is the axis that dir is longest in
    uint32_t flags;           ///< of `cd_cast_flag`
    uint32_t ready; ///< 0: hits nothing; 2: a reciprocal is out of the range, and none is used for boxes
} cd_prepared_ray;

/// Makes a ray ready for casts with `t_max` and `options` (of which the filter is not used).
///
/// False, with `out` zeroed, for what casts never hit anything with: NaN, infinity, a range that is empty. A zero direction
/// is ready, and as with plain rays asks about the origin alone.
CD_API bool cd_ray_prepare(const cd_ray *r, cd_real t_max, const cd_cast_options *options,
                           cd_prepared_ray *out);

/// Prepared ray against triangle. Class: as cd_cast_ray_triangle, and bit-equal to it.
CD_API bool cd_cast_prepared_triangle(const cd_prepared_ray *r, const cd_triangle *t, cd_hit *hit);

/// Prepared ray against solid box. Class: as cd_cast_ray_aabb, and bit-equal to it.
CD_API bool cd_cast_prepared_aabb(const cd_prepared_ray *r, cd_aabb box, cd_hit *hit);

/// Does the prepared ray, in its range of t, meet the solid box? Class: exact but for the ends of the range other than 0,
/// where t is rounded. The flags do not matter.
///
/// `t_in` and `t_out`, either of which may be NULL, get where it is inside: from where it enters, or the beginning of the
/// range, to where it leaves, or the range's end. Untouched when false.
CD_API bool cd_test_prepared_aabb(const cd_prepared_ray *r, cd_aabb box, cd_real *t_in, cd_real *t_out);
