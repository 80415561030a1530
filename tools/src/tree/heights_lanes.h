#pragma once
/* heights_lanes (internal): the lanes of a height field's nodes, eight at once. */

#include "core/lanes.h"
#include "tree/heights_block.h"

/* Eight samples above the field's base, as floats, where is_plain says that these will do. */
CDI_INLINE cdi_f8 cdi_heights_eight(const cdi_height_field *g, const unsigned char *at) {
    cdi_f8 x;
    if (g->kept == CDI_SAMPLES_REAL) {
#ifdef COLLIDE_DOUBLE
        const double *s = (const double *)(const void *)at;
        cdi_d4 base = cdi_d4_all((double)g->base);
        float f[8];
        cdi_d4_store_floats(f, cdi_d4_sub(cdi_d4_load(s), base));
        cdi_d4_store_floats(f + 4, cdi_d4_sub(cdi_d4_load(s + 4), base));
        return cdi_f8_load(f);
#else
        x = cdi_f8_load((const float *)(const void *)at);
#endif
    } else {
        x = g->kept == CDI_SAMPLES_U8 ? cdi_f8_load_u8(at)
                                      : cdi_f8_load_u16((const uint16_t *)(const void *)at);
    }
    return cdi_f8_sub(x, cdi_f8_all(g->base));
}
