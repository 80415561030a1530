#include "tree/heights_block.h"
#include "tree/bvh_node.h"
#include "tree/heights_lanes.h"

typedef char cdi_height_field_is_768_bytes[sizeof(cdi_height_field) == 768 ? 1 : -1];

/* ---- triangles ---- */

CDI_FN cd_vec3 cdi_heights_corner(const cdi_height_field *g, uint32_t column, uint32_t row) {
    size_t i = (size_t)row * g->columns + column;
    cd_real place[3];
    cd_vec3 p;
    place[g->axis[0]] = (cd_real)cdi_heights_grid(g, 0, column);
    place[g->axis[1]] = (cd_real)cdi_heights_grid(g, 1, row);
    place[g->axis[2]] =
        (cd_real)cdi_heights_height(g, cdi_heights_number(g, cdi_heights_at_byte(g, g->samples), i));
    p.x = place[0];
    p.y = place[1];
    p.z = place[2];
    return p;
}

CDI_FN void cdi_heights_corners(const cdi_height_field *g, const cdi_heights_item *at, uint32_t corner[3]) {
    static const uint8_t corners[2][2][3] = {{{0, 1, 3}, {0, 3, 2}}, {{0, 1, 2}, {1, 3, 2}}};
    const uint8_t *n = corners[at->cut][at->half];
    corner[0] = n[0];
    corner[1] = n[g->turned ? 2 : 1];
    corner[2] = n[g->turned ? 1 : 2];
}

CDI_FN cd_triangle cdi_heights_half(const cdi_height_field *g, const cdi_heights_item *at) {
    uint32_t n[3];
    cd_vec3 p[3];
    cd_triangle t;
    cdi_heights_corners(g, at, n);
    for (int i = 0; i < 3; ++i) {
        cd_vec3 q = cdi_heights_corner(g, at->column + (n[i] & 1u), at->row + (n[i] >> 1));
        p[i] = q;
    }
    t.a = p[0];
    t.b = p[1];
    t.c = p[2];
    return t;
}

/* ---- items ---- */

static uint32_t cdi_heights_block_of(const cdi_height_field *g, uint32_t block) {
    return cdi_heights_at_byte(g, g->blocks)[block];
}

CDI_FN bool cdi_heights_has(const cdi_height_field *g, uint32_t item) {
    if ((uint64_t)(item / 8) >= (uint64_t)g->blocks_x * g->blocks_y) return false;
    return item % 8 < 2u * cdi_heights_count(cdi_heights_block_of(g, item / 8));
}

/* The cell of a block that is number n of those that are there. */
CDI_INLINE uint32_t cdi_heights_nth(uint32_t block, uint32_t n) {
    uint32_t there = block & 15u;
    if (there == 15u) return n;
    for (; n > 0; --n) there &= there - 1u;
    return cdi_lowest_bit(there);
}

CDI_FN cdi_heights_item cdi_heights_find(const cdi_height_field *g, uint32_t item) {
    uint32_t number = item / 8, row = number / g->blocks_x, block = cdi_heights_block_of(g, number);
    uint32_t cell = cdi_heights_nth(block, item % 8 / 2);
    cdi_heights_item r;
    r.column = 2 * (number - row * g->blocks_x) + (cell & 1u);
    r.row = 2 * row + (cell >> 1);
    r.half = item & 1u;
    r.cut = block >> (4 + cell) & 1u;
    return r;
}

CDI_FN uint32_t cdi_heights_index(const cdi_height_field *g, uint32_t item) {
    cdi_heights_item at = cdi_heights_find(g, item);
    return 2 * (at.row * g->cells_x + at.column) + at.half;
}

CDI_FN uint32_t cdi_heights_mask(const cdi_height_field *g, uint32_t item) {
    uint32_t material = 0;
    if (g->has_materials) material = cdi_heights_at_byte(g, g->materials)[cdi_heights_index(g, item) / 2];
    return cdi_heights_masks(g)[material];
}

CDI_FN cd_triangle cdi_heights_triangle_of(const cdi_height_field *g, uint32_t item) {
    cdi_heights_item at = cdi_heights_find(g, item);
    return cdi_heights_half(g, &at);
}

/* ---- nodes ---- */

/* The sides on an axis of the grid, where the node's cells begin with number `from`. */
static void cdi_heights_sides(const cdi_height_field *g, int way, uint32_t from, uint32_t size,
                              uint32_t cells, const float lane[8], cdi_bvh_node *out) {
    cdi_f8 length = cdi_f8_all((float)(int32_t)size), along = cdi_f8_all(g->along[way]);
    cdi_f8 first = cdi_f8_add(cdi_f8_all((float)(int32_t)from), cdi_f8_mul(cdi_f8_load(lane), length));
    cdi_f8 last = cdi_f8_min(cdi_f8_add(first, length), cdi_f8_all((float)(int32_t)cells));
    cdi_f8_store(out->lo[g->axis[way]], cdi_f8_add(cdi_f8_mul(first, along), cdi_f8_all(g->grid_low[way])));
    cdi_f8_store(out->hi[g->axis[way]], cdi_f8_add(cdi_f8_mul(last, along), cdi_f8_all(g->grid_high[way])));
}

static void cdi_heights_rise(const cdi_height_field *g, const unsigned char *at, float side, float out[8]) {
    cdi_f8 x = cdi_f8_mul(cdi_heights_eight(g, at), cdi_f8_all(g->rise));
    cdi_f8_store(out, cdi_f8_add(x, cdi_f8_all(side)));
}

/* The same for heights that floats cannot tell apart. */
static void cdi_heights_rise_exactly(const cdi_height_field *g, const unsigned char *at, bool up,
                                     float out[8]) {
    for (size_t i = 0; i < 8; ++i) {
        double h = cdi_heights_height(g, cdi_heights_number(g, at, i));
        double x = (h - g->lane_origin) * g->lane_scale[0] * g->lane_scale[1];
        out[i] = up ? cdi_float_up(x) : cdi_float_down(x);
    }
}

/* Lanes that have nothing below them are left out. */
static void cdi_heights_close_up(cdi_bvh_node *out, uint32_t lanes) {
    uint32_t used = 0;
    for (; lanes; lanes &= lanes - 1u, ++used) {
        uint32_t from = cdi_lowest_bit(lanes);
        for (int k = 0; k < 3; ++k) {
            out->lo[k][used] = out->lo[k][from];
            out->hi[k][used] = out->hi[k][from];
        }
        out->child[used] = out->child[from];
        out->count[used] = out->count[from];
    }
    out->lanes = (1u << used) - 1u;
}

/* What the lanes of a node stand for, from the first one's number on. */
static void cdi_heights_children(const cdi_height_field *g, const cdi_heights_level *l, bool blocks,
                                 uint32_t first, uint32_t lanes, bool full, cdi_bvh_node *out) {
    uint32_t across = (1u << l->across) - 1u;
    for (uint32_t i = 0; i < 8; ++i) {
        uint32_t number = first + (i >> l->across) * l->below_width + (i & across), count = 8;
        if (blocks && !full)
            count = lanes >> i & 1u ? 2u * cdi_heights_count(cdi_heights_block_of(g, number)) : 0;
        out->child[i] = blocks ? 8 * number : number;
        out->count[i] = (uint8_t)(blocks ? count : 0);
    }
}

CDI_FN const cdi_bvh_node *cdi_heights_at(const cdi_height_field *g, uint32_t number, cdi_bvh_node *out) {
    const cdi_heights_level *l = &g->level[g->level_count - 1];
    const unsigned char *lanes = cdi_heights_at_byte(g, g->lanes) + 2 * (size_t)number;
    const unsigned char *low = cdi_heights_at_byte(g, g->bounds) + 16 * (size_t)number * g->sample_size;
    bool blocks = number >= l->first;
    uint32_t x, y;
    while (number < l->first) --l;
    y = (number - l->first) / l->width;
    x = number - l->first - y * l->width;
    x <<= l->across;
    y <<= l->down;
    cdi_heights_sides(g, 0, x << l->size_x, 1u << l->size_x, g->cells_x, cdi_lane_columns(l->across), out);
    cdi_heights_sides(g, 1, y << l->size_y, 1u << l->size_y, g->cells_y, cdi_lane_rows(l->across), out);
    if (g->is_plain) {
        cdi_heights_rise(g, low, g->low, out->lo[g->axis[2]]);
        cdi_heights_rise(g, low + 8 * g->sample_size, g->high, out->hi[g->axis[2]]);
    } else {
        cdi_heights_rise_exactly(g, low, false, out->lo[g->axis[2]]);
        cdi_heights_rise_exactly(g, low + 8 * g->sample_size, true, out->hi[g->axis[2]]);
    }
    cdi_heights_children(g, l, blocks, l->below_first + y * l->below_width + x, lanes[0], lanes[1] != 0, out);
    out->lanes = 255;
    if (lanes[0] != 255) cdi_heights_close_up(out, lanes[0]);
    return out;
}
