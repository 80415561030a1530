#include "batch/blocks.h"
#include "core/lanes.h"
#include "core/scalar.h"

/* Blocks of `width` rows each. */
static size_t cdi_pack(const cd_real *p, size_t width, size_t count, cd_real *out) {
    cd_real nan = (cd_real)cdi_nan();
    size_t blocks = count / 8 + (count % 8 != 0);
    for (size_t i = 0; out && i < blocks; ++i) {
        size_t rest = count - 8 * i;
        cdi_to_rows(p + 8 * width * i, width, rest < 8 ? rest : 8, nan, out + 8 * width * i);
    }
    return blocks;
}

CD_API size_t cd_triangle8_pack(const cd_triangle *many, size_t count, cd_triangle8 *out) {
    return cdi_pack((const cd_real *)many, 9, count, (cd_real *)out);
}

CD_API size_t cd_aabb8_pack(const cd_aabb *many, size_t count, cd_aabb8 *out) {
    return cdi_pack((const cd_real *)many, 6, count, (cd_real *)out);
}

static void cdi_unpack(const cd_real *rows, size_t width, size_t lane, cd_real *out) {
    for (size_t k = 0; k < width; ++k) out[k] = rows[8 * k + lane];
}

CD_API cd_triangle cd_triangle8_get(const cd_triangle8 *blocks, size_t i) {
    cd_triangle t;
    cdi_unpack(&blocks[i / 8].number[0][0][0], 9, i % 8, (cd_real *)&t);
    return t;
}

CD_API cd_aabb cd_aabb8_get(const cd_aabb8 *blocks, size_t i) {
    cd_aabb b;
    cdi_unpack(&blocks[i / 8].number[0][0][0], 6, i % 8, (cd_real *)&b);
    return b;
}
