#pragma once
/* blocks: eight triangles or boxes side by side, number by number, as routines for many read them fastest.
 *
 * For things that are asked about often: an array of them is put in blocks once. They are plain data, may be copied and
 * saved, and may be filled by hand. */

#include "shape/linear.h"
#include "shape/volume.h"

/// Eight triangles: number[c][k][i] is coordinate k of corner c of triangle i.
typedef struct cd_triangle8 {
    cd_real number[3][3][8];
} cd_triangle8;

/// Eight boxes: number[0][k][i] is the minimum along axis k of box i, number[1][k][i] the maximum.
typedef struct cd_aabb8 {
    cd_real number[2][3][8];
} cd_aabb8;

/// Puts triangles in blocks of eight; the rest of the last one is NaN. Returns how many blocks it takes, (count + 7) / 8;
/// `out` has room for them, or is NULL. Cost: linear.
CD_API size_t cd_triangle8_pack(const cd_triangle *many, size_t count, cd_triangle8 *out);

/// Puts boxes in blocks of eight; the rest of the last one is NaN. Returns how many blocks it takes, (count + 7) / 8;
/// `out` has room for them, or is NULL. Cost: linear.
CD_API size_t cd_aabb8_pack(const cd_aabb *many, size_t count, cd_aabb8 *out);

/// Triangle i of an array of blocks.
CD_API cd_triangle cd_triangle8_get(const cd_triangle8 *blocks, size_t i);

/// Box i of an array of blocks.
CD_API cd_aabb cd_aabb8_get(const cd_aabb8 *blocks, size_t i);
