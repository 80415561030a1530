#pragma once
/* bvh_map (internal): eight boxes of one tree in the other's frame. */

#include "tree/bvh_pairs.h"

/* Middles and half widths of eight boxes. */
typedef struct cdi_middles {
    cdi_f8 x, y, z, half_x, half_y, half_z;
} cdi_middles;

CDI_INLINE cdi_f8 cdi_map_turned(cdi_f8 from, const float t[3], cdi_f8 x, cdi_f8 y, cdi_f8 z) {
    cdi_f8 xy = cdi_f8_add(cdi_f8_mul(cdi_f8_all(t[0]), x), cdi_f8_mul(cdi_f8_all(t[1]), y));
    return cdi_f8_add(cdi_f8_add(from, cdi_f8_mul(cdi_f8_all(t[2]), z)), xy);
}

CDI_INLINE void cdi_map_row(const cdi_frame_map *m, int i, const cdi_middles *b, cdi_box_rows *out) {
    cdi_f8 at = cdi_map_turned(cdi_f8_all(m->shift[i]), m->turn[i], b->x, b->y, b->z);
    cdi_f8 half = cdi_map_turned(cdi_f8_all(m->grow[i]), m->size[i], b->half_x, b->half_y, b->half_z);
    cdi_f8_store(out->lo[i], cdi_f8_sub(at, half));
    cdi_f8_store(out->hi[i], cdi_f8_add(at, half));
}

CDI_INLINE cdi_f8 cdi_row_middle(const float *lo, const float *hi) {
    return cdi_f8_mul(cdi_f8_all(0.5f), cdi_f8_add(cdi_f8_load(lo), cdi_f8_load(hi)));
}
CDI_INLINE cdi_f8 cdi_row_half(const float *lo, const float *hi) {
    return cdi_f8_mul(cdi_f8_all(0.5f), cdi_f8_sub(cdi_f8_load(hi), cdi_f8_load(lo)));
}

CDI_INLINE void cdi_map_rows(const cdi_frame_map *m, const float (*lo)[8], const float (*hi)[8],
                             cdi_box_rows *out) {
    cdi_middles b;
    b.x = cdi_row_middle(lo[0], hi[0]);
    b.y = cdi_row_middle(lo[1], hi[1]);
    b.z = cdi_row_middle(lo[2], hi[2]);
    b.half_x = cdi_row_half(lo[0], hi[0]);
    b.half_y = cdi_row_half(lo[1], hi[1]);
    b.half_z = cdi_row_half(lo[2], hi[2]);
    cdi_map_row(m, 0, &b, out);
    cdi_map_row(m, 1, &b, out);
    cdi_map_row(m, 2, &b, out);
}
