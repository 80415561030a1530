#include "tree/heights.h"
#include "shape/triangle3d.h"
#include "tree/bvh_layout.h"
#include "tree/bvh_node.h"

/* ---- the plan: what follows from what was given ---- */

/* How many groups of 2^shift are needed for `count`. */
static uint32_t cdi_heights_groups(uint32_t count, uint32_t shift) {
    return (uint32_t)(((uint64_t)count + ((uint64_t)1 << shift) - 1) >> shift);
}

/* A node's lanes: three times the shorter side is doubled, unless all lanes are in one row or column already. */
static void cdi_heights_split(cdi_heights_level *l, uint32_t below_x, uint32_t below_y, double x, double y) {
    for (int i = 0; i < 3; ++i) {
        bool one_column = cdi_heights_groups(below_x, l->across) <= 1;
        bool one_row = cdi_heights_groups(below_y, l->down) <= 1;
        if (one_row || (!one_column && x <= y)) {
            ++l->across;
            x *= 2.0;
        } else {
            ++l->down;
            y *= 2.0;
        }
    }
}

/* The levels, from the blocks up to a single node; then they are turned over, and nodes get their numbers. */
static void cdi_heights_levels(cdi_height_field *g) {
    cdi_heights_level up[CDI_HEIGHTS_LEVELS];
    uint32_t below_x = g->blocks_x, below_y = g->blocks_y, size_x = 1, size_y = 1, count = 0;
    while (count < CDI_HEIGHTS_LEVELS && (count == 0 || below_x > 1 || below_y > 1)) {
        cdi_heights_level *l = &up[count++];
        cdi_clear(l, sizeof *l);
        l->size_x = size_x;
        l->size_y = size_y;
        l->below_width = below_x;
        l->below_height = below_y;
        cdi_heights_split(l, below_x, below_y, g->spacing[0] * cdi_exp2i((int)size_x),
                          g->spacing[1] * cdi_exp2i((int)size_y));
        size_x += l->across;
        size_y += l->down;
        l->width = below_x = cdi_heights_groups(below_x, l->across);
        l->height = below_y = cdi_heights_groups(below_y, l->down);
    }
    g->level_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        cdi_heights_level *l = &g->level[i];
        *l = up[count - 1 - i];
        l->first = g->node_count;
        g->node_count += l->width * l->height;
        if (i) g->level[i - 1].below_first = l->first;
    }
}

static uint64_t cdi_heights_take(uint64_t *bytes, uint64_t size) {
    uint64_t place = *bytes;
    *bytes += (size + 7) / 8 * 8;
    return place;
}

static void cdi_heights_place(cdi_height_field *g) {
    uint64_t at = sizeof *g + (g->has_masks ? 256 * sizeof(uint32_t) : 0),
             cells = (uint64_t)g->cells_x * g->cells_y;
    g->bounds = cdi_heights_take(&at, 16 * (uint64_t)g->node_count * g->sample_size);
    g->samples = cdi_heights_take(&at, (uint64_t)g->columns * g->rows * g->sample_size);
    g->lanes = cdi_heights_take(&at, 2 * (uint64_t)g->node_count);
    g->blocks = cdi_heights_take(&at, (uint64_t)g->blocks_x * g->blocks_y);
    g->materials = cdi_heights_take(&at, g->has_materials ? cells : 0);
    g->bytes = at;
}

/* Samples that are numbers are kept as heights. */
static void cdi_heights_keep(cdi_height_field *g) {
    g->kept = (uint32_t)CDI_SAMPLES_REAL;
    g->sample_size = (uint32_t)sizeof(cd_real);
    g->height_scale = 1.0;
    if (g->format < CD_HEIGHT_U8 || g->format > CD_HEIGHT_I16) return;
    g->kept = g->format == CD_HEIGHT_U8 ? (uint32_t)CDI_SAMPLES_U8 : (uint32_t)CDI_SAMPLES_U16;
    g->sample_size = g->format == CD_HEIGHT_U8 ? 1 : 2;
    g->bias = g->format == CD_HEIGHT_I16 ? 32768.0 : 0.0;
    g->height_scale = g->scale;
    g->height_origin = g->origin[g->axis[2]];
}

static void cdi_heights_axes(cdi_height_field *g) {
    static const uint8_t axes[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    for (int k = 0; k < 3; ++k) g->axis[k] = axes[g->up][k];
    g->turned = g->up == CD_HEIGHT_Y_UP;
}

static bool cdi_heights_is_given(const cdi_height_field *g) {
    if (g->format > CD_HEIGHT_F64 || g->up > CD_HEIGHT_X_UP || g->cut > CD_HEIGHT_CUT_GIVEN) return false;
    if (g->skips > 1 || g->has_materials > 1 || g->has_masks > 1) return false;
    for (int k = 0; k < 2; ++k) {
        if (!(g->spacing[k] > 0.0 && g->spacing[k] <= (double)CD_REAL_MAX)) return false;
    }
    return cdi_finite3(g->origin[0], g->origin[1], g->origin[2]) && cdi_finite(g->scale) && g->scale != 0.0;
}

/* What was given stands in `g`; all else is worked out. */
static cd_status cdi_heights_plan(cdi_height_field *g) {
    if (!cdi_heights_is_given(g)) return CD_INVALID_ARGUMENT;
    if (g->columns > CDI_HEIGHTS_CELLS + 1 || g->rows > CDI_HEIGHTS_CELLS + 1) return CD_TOO_LARGE;
    if (g->columns > 1 && g->rows > 1) {
        g->cells_x = g->columns - 1;
        g->cells_y = g->rows - 1;
    }
    if ((uint64_t)g->cells_x * g->cells_y > CDI_HEIGHTS_CELLS) return CD_TOO_LARGE;
    cdi_heights_axes(g);
    cdi_heights_keep(g);
    for (int k = 0; k < 2 && g->cells_x; ++k) {
        if (!cdi_finite(cdi_heights_grid(g, k, k ? g->cells_y : g->cells_x))) return CD_INVALID_ARGUMENT;
    }
    g->blocks_x = (g->cells_x + 1) / 2;
    g->blocks_y = (g->cells_y + 1) / 2;
    if (g->cells_x) cdi_heights_levels(g);
    cdi_heights_place(g);
    return g->bytes + sizeof(cdi_bvh_header) > SIZE_MAX ? CD_TOO_LARGE : CD_OK;
}

static void cdi_heights_give(cdi_height_field *g, const cd_height_view *v, uint32_t flags) {
    cdi_clear(g, sizeof *g);
    g->origin[0] = (double)v->origin.x;
    g->origin[1] = (double)v->origin.y;
    g->origin[2] = (double)v->origin.z;
    for (int k = 0; k < 2; ++k) g->spacing[k] = v->spacing[k] == 0 ? 1.0 : (double)v->spacing[k];
    g->scale = v->scale == 0 ? 1.0 : (double)v->scale;
    g->format = v->format;
    g->columns = v->columns;
    g->rows = v->rows;
    g->up = v->up;
    g->cut = v->cut;
    g->skips = flags & CD_BVH_SKIP_INVALID ? 1 : 0;
    g->has_materials = v->materials ? 1 : 0;
    g->has_masks = v->material_masks ? 1 : 0;
}

/* ---- samples as they are given ---- */

/* Samples of the caller's: a region, or all. */
typedef struct cdi_heights_source {
    const unsigned char *samples;
    size_t stride, size;
    uint32_t column, row, w, h;
} cdi_heights_source;

static size_t cdi_heights_format_size(uint32_t format) {
    static const uint8_t size[6] = {sizeof(cd_real), 1, 2, 2, 4, 8};
    return size[format];
}

/* False when rows overlap. */
static bool cdi_heights_source_of(cdi_heights_source *s, const cdi_height_field *g, const void *samples,
                                  uint32_t row_stride) {
    s->samples = (const unsigned char *)samples;
    s->size = cdi_heights_format_size(g->format);
    s->stride = row_stride ? row_stride : s->w * s->size;
    return (samples || !s->w || !s->h) && s->stride / s->size >= s->w;
}

/* A sample as it is kept: a height that is not finite is NaN, of which there is one. */
static double cdi_heights_read(const cdi_height_field *g, const cdi_heights_source *s, uint32_t x,
                               uint32_t y) {
    const unsigned char *at = s->samples + y * s->stride + x * s->size;
    uint16_t u = 0;
    float f;
    double d, h;
    switch (g->format) {
    case CD_HEIGHT_U8: return (double)at[0];
    case CD_HEIGHT_U16:
    case CD_HEIGHT_I16:
        cdi_copy(&u, at, sizeof u);
        return (double)(g->format == CD_HEIGHT_I16 ? (u ^ 0x8000u) : (uint32_t)u);
    default: break;
    }
    if (s->size == sizeof f) {
        cdi_copy(&f, at, sizeof f);
        d = (double)f;
    } else {
        cdi_copy(&d, at, sizeof d);
    }
    h = (double)cdi_real_or_infinity(g->origin[g->axis[2]] + g->scale * d);
    return cdi_finite(h) ? h + 0.0 : cdi_nan();
}

static void cdi_heights_put(const cdi_height_field *g, unsigned char *to, size_t i, double sample) {
    switch (g->kept) {
    case CDI_SAMPLES_U8: to[i] = (unsigned char)sample; break;
    case CDI_SAMPLES_U16: ((uint16_t *)(void *)to)[i] = (uint16_t)sample; break;
    default: ((cd_real *)(void *)to)[i] = (cd_real)sample; break;
    }
}

static unsigned char *cdi_heights_bytes(cdi_height_field *g, uint64_t place) {
    return (unsigned char *)g + (size_t)place;
}

/* ---- cells ---- */

static bool cdi_heights_is_hole(const cdi_height_field *g, uint32_t column, uint32_t row) {
    size_t i = (size_t)row * g->cells_x + column;
    return g->has_materials && cdi_heights_at_byte(g, g->materials)[i] == CD_HEIGHT_HOLE;
}

static double cdi_heights_sample(const cdi_height_field *g, uint32_t column, uint32_t row) {
    return cdi_heights_number(g, cdi_heights_at_byte(g, g->samples), (size_t)row * g->columns + column);
}

/* Are samples heights, whatever they are? Else each is asked. */
static bool cdi_heights_are_sure(const cdi_height_field *g) {
    double most = g->kept == CDI_SAMPLES_U8 ? 255.0 : 65535.0;
    return g->kept != CDI_SAMPLES_REAL && cdi_finite(cdi_heights_height(g, 0.0)) &&
           cdi_finite(cdi_heights_height(g, most));
}

/* Is there anything in the cell? */
static bool cdi_heights_is_there(const cdi_height_field *g, uint32_t column, uint32_t row, bool sure) {
    if (cdi_heights_is_hole(g, column, row)) return false;
    for (uint32_t i = 0; i < 4 && !sure; ++i) {
        double s = cdi_heights_sample(g, column + (i & 1u), row + (i >> 1));
        if (!cdi_finite(cdi_heights_height(g, s))) return false;
    }
    return true;
}

/* Has a sample to be a height, as there is a cell about it that the caller does not call a hole? */
static bool cdi_heights_is_needed(const cdi_height_field *g, uint32_t column, uint32_t row) {
    for (uint32_t i = 0; i < 4; ++i) {
        uint32_t x = column - (i & 1u), y = row - (i >> 1);
        if (x < g->cells_x && y < g->cells_y && !cdi_heights_is_hole(g, x, y)) return true;
    }
    return false;
}

static bool cdi_heights_may_take(const cdi_height_field *g, const cdi_heights_source *s) {
    if (g->skips || cdi_heights_are_sure(g)) return true;
    for (uint32_t y = 0; y < s->h; ++y) {
        for (uint32_t x = 0; x < s->w; ++x) {
            if (!cdi_finite(cdi_heights_height(g, cdi_heights_read(g, s, x, y))) &&
                cdi_heights_is_needed(g, s->column + x, s->row + y))
                return false;
        }
    }
    return true;
}

static void cdi_heights_copy(cdi_height_field *g, const cdi_heights_source *s) {
    unsigned char *to = cdi_heights_bytes(g, g->samples);
    for (uint32_t y = 0; y < s->h; ++y) {
        size_t row = (size_t)(s->row + y) * g->columns + s->column;
        for (uint32_t x = 0; x < s->w; ++x) cdi_heights_put(g, to, row + x, cdi_heights_read(g, s, x, y));
    }
}

/* ---- blocks ---- */

/* Which cells of a block are there. */
static uint32_t cdi_heights_present(const cdi_height_field *g, uint32_t x, uint32_t y, bool sure) {
    uint32_t there = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        uint32_t column = 2 * x + (i & 1u), row = 2 * y + (i >> 1);
        if (column < g->cells_x && row < g->cells_y && cdi_heights_is_there(g, column, row, sure))
            there |= 1u << i;
    }
    return there;
}

/* How a cell is cut; `given` holds the caller's bits. */
static uint32_t cdi_heights_cut_of(const cdi_height_field *g, const uint8_t *given, uint32_t column,
                                   uint32_t row) {
    size_t i = (size_t)row * g->cells_x + column;
    switch (g->cut) {
    case CD_HEIGHT_CUT_AD: return 0;
    case CD_HEIGHT_CUT_BC: return 1;
    case CD_HEIGHT_CUT_DIAMOND: return (column + row) & 1u;
    case CD_HEIGHT_CUT_ZIGZAG: return row & 1u;
    default: return given[i / 8] >> (i & 7u) & 1u;
    }
}

static uint32_t cdi_heights_cuts(const cdi_height_field *g, const uint8_t *given, uint32_t x, uint32_t y) {
    uint32_t cuts = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        uint32_t column = 2 * x + (i & 1u), row = 2 * y + (i >> 1);
        if (column < g->cells_x && row < g->cells_y)
            cuts |= cdi_heights_cut_of(g, given, column, row) << (4 + i);
    }
    return cuts;
}

/* A region of blocks or nodes. */
typedef struct cdi_heights_region {
    uint32_t x, y, end_x, end_y;
} cdi_heights_region;

/* Cells that are there get their bits; tells whether any changed. */
static bool cdi_heights_mark(cdi_height_field *g, const cdi_heights_region *r) {
    unsigned char *block = cdi_heights_bytes(g, g->blocks);
    bool changed = false, sure = cdi_heights_are_sure(g);
    for (uint32_t y = r->y; y < r->end_y; ++y) {
        for (uint32_t x = r->x; x < r->end_x; ++x) {
            unsigned char *b = &block[(size_t)y * g->blocks_x + x];
            uint32_t there = cdi_heights_present(g, x, y, sure), was = *b & 15u;
            g->triangles += 2u * cdi_heights_count(there) - 2u * cdi_heights_count(was);
            changed = changed || there != was;
            *b = (unsigned char)((*b & 0xF0u) | there);
        }
    }
    return changed;
}

/* ---- nodes ---- */

/* What is kept of a node. */
typedef struct cdi_heights_node {
    double low[8], high[8];
    uint32_t lanes, full;
} cdi_heights_node;

/* The lowest and the highest, in heights, of samples that are met. */
typedef struct cdi_heights_span {
    double low, high;
    bool any;
} cdi_heights_span;

static void cdi_heights_meet(const cdi_height_field *g, cdi_heights_span *s, double low, double high) {
    bool back = g->height_scale < 0.0;
    if (!s->any || (back ? low > s->low : low < s->low)) s->low = low;
    if (!s->any || (back ? high < s->high : high > s->high)) s->high = high;
    s->any = true;
}

static void cdi_heights_meet_block(const cdi_height_field *g, cdi_heights_span *s, uint32_t x, uint32_t y) {
    uint32_t there = cdi_heights_at_byte(g, g->blocks)[(size_t)y * g->blocks_x + x] & 15u, met = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        if (there >> i & 1u) met |= 0x1Bu << ((i & 1u) + 3 * (i >> 1)); /* four of the nine corners */
    }
    for (; met; met &= met - 1u) {
        uint32_t corner = cdi_lowest_bit(met);
        double sample = cdi_heights_sample(g, 2 * x + corner % 3, 2 * y + corner / 3);
        cdi_heights_meet(g, s, sample, sample);
    }
}

static void cdi_heights_meet_node(const cdi_height_field *g, cdi_heights_span *s, uint32_t number) {
    const unsigned char *bounds = cdi_heights_at_byte(g, g->bounds) + 16 * (size_t)number * g->sample_size;
    uint32_t lanes = cdi_heights_at_byte(g, g->lanes)[2 * (size_t)number];
    for (; lanes; lanes &= lanes - 1u) {
        uint32_t i = cdi_lowest_bit(lanes);
        cdi_heights_meet(g, s, cdi_heights_number(g, bounds, i), cdi_heights_number(g, bounds, 8 + i));
    }
}

/* A node of what is below it. */
static void cdi_heights_make_node(const cdi_height_field *g, uint32_t level, uint32_t x, uint32_t y,
                                  cdi_heights_node *out) {
    const cdi_heights_level *l = &g->level[level];
    const unsigned char *block = cdi_heights_at_byte(g, g->blocks);
    bool blocks = level + 1 == g->level_count;
    cdi_clear(out, sizeof *out);
    out->full = blocks;
    for (uint32_t i = 0; i < 8; ++i) {
        uint32_t below_x = (x << l->across) + (i & ((1u << l->across) - 1u));
        uint32_t below_y = (y << l->down) + (i >> l->across);
        size_t number = (size_t)below_y * l->below_width + below_x;
        cdi_heights_span s;
        s.low = s.high = 0.0;
        s.any = false;
        if (below_x < l->below_width && below_y < l->below_height) {
            if (blocks)
                cdi_heights_meet_block(g, &s, below_x, below_y);
            else
                cdi_heights_meet_node(g, &s, (uint32_t)(l->below_first + number));
        }
        if (s.any) out->lanes |= 1u << i;
        if (!s.any || (blocks && (block[number] & 15u) != 15u)) out->full = 0;
        out->low[i] = s.low;
        out->high[i] = s.high;
    }
}

static void cdi_heights_write_node(cdi_height_field *g, uint32_t number, const cdi_heights_node *n) {
    unsigned char *bounds = cdi_heights_bytes(g, g->bounds) + 16 * (size_t)number * g->sample_size;
    unsigned char *lanes = cdi_heights_bytes(g, g->lanes) + 2 * (size_t)number;
    for (size_t i = 0; i < 8; ++i) {
        cdi_heights_put(g, bounds, i, n->low[i]);
        cdi_heights_put(g, bounds, 8 + i, n->high[i]);
    }
    lanes[0] = (unsigned char)n->lanes;
    lanes[1] = (unsigned char)n->full;
}

static bool cdi_heights_node_is(const cdi_height_field *g, uint32_t number, const cdi_heights_node *n) {
    const unsigned char *bounds = cdi_heights_at_byte(g, g->bounds) + 16 * (size_t)number * g->sample_size;
    const unsigned char *lanes = cdi_heights_at_byte(g, g->lanes) + 2 * (size_t)number;
    for (size_t i = 0; i < 8; ++i) {
        if (!(cdi_heights_number(g, bounds, i) == n->low[i])) return false;
        if (!(cdi_heights_number(g, bounds, 8 + i) == n->high[i])) return false;
    }
    return lanes[0] == n->lanes && lanes[1] == n->full;
}

/* All nodes above a region of blocks, from the lowest level up. */
static void cdi_heights_raise(cdi_height_field *g, cdi_heights_region r) {
    for (uint32_t level = g->level_count; level-- > 0;) {
        const cdi_heights_level *l = &g->level[level];
        r.x >>= l->across;
        r.y >>= l->down;
        r.end_x = cdi_heights_groups(r.end_x, l->across);
        r.end_y = cdi_heights_groups(r.end_y, l->down);
        for (uint32_t y = r.y; y < r.end_y; ++y) {
            for (uint32_t x = r.x; x < r.end_x; ++x) {
                cdi_heights_node n;
                cdi_heights_make_node(g, level, x, y, &n);
                cdi_heights_write_node(g, l->first + y * l->width + x, &n);
            }
        }
    }
}

/* ---- the frame ---- */

/* The lowest and the highest of all. */
static cdi_heights_span cdi_heights_root(const cdi_height_field *g) {
    cdi_heights_span s;
    cdi_clear(&s, sizeof s);
    if (g->triangles) cdi_heights_meet_node(g, &s, 0);
    return s;
}

/* The box around the cells that are there; all blocks are looked at. */
static void cdi_heights_extent(const cdi_height_field *g, cdi_height_field *out) {
    const unsigned char *block = cdi_heights_at_byte(g, g->blocks);
    uint32_t lo_x = g->cells_x, lo_y = g->cells_y, hi_x = 0, hi_y = 0;
    for (uint32_t y = 0; y < g->blocks_y; ++y) {
        for (uint32_t x = 0; x < g->blocks_x; ++x, ++block) {
            uint32_t there = *block & 15u, left = there & 5u, right = there & 10u;
            if (!there) continue;
            if (2 * x + (left ? 0 : 1) < lo_x) lo_x = 2 * x + (left ? 0 : 1);
            if (2 * x + (right ? 2 : 1) > hi_x) hi_x = 2 * x + (right ? 2 : 1);
            if (2 * y + (there & 3u ? 0 : 1) < lo_y) lo_y = 2 * y + (there & 3u ? 0 : 1);
            if (2 * y + (there & 12u ? 2 : 1) > hi_y) hi_y = 2 * y + (there & 12u ? 2 : 1);
        }
    }
    out->first_cell[0] = hi_x ? lo_x : 0;
    out->first_cell[1] = hi_y ? lo_y : 0;
    out->end_cell[0] = hi_x;
    out->end_cell[1] = hi_y;
}

/* Into the frame, a way along an axis. */
static double cdi_heights_shrink(const cdi_frame *f, double x) {
    return cdi_scale2(x, -f->exponent);
}

/* More than a few roundings of floats take in the frame. */
#define CDI_HEIGHTS_PAD 9.5367431640625e-7 /* 2^-20 */

/* `along`: cell numbers above 2^24 are rounded when they become floats, too: that is 2^-23 of the frame, as they stand for 2 of it
 * at most, or, where holes leave a small part far from the field's corner, for 2 more than that is away. With four roundings more that is below the pad. Coordinates were rounded themselves. */
static void cdi_heights_fit_grid(cdi_height_field *g, const cdi_frame *f, int way) {
    int k = (int)g->axis[way];
    double lo = cdi_heights_grid(g, way, 0), hi = cdi_heights_grid(g, way, way ? g->cells_y : g->cells_x);
    double room = 4.0 * (double)CD_REAL_EPSILON * cdi_max(cdi_abs(lo), cdi_abs(hi));
    double at = cdi_heights_shrink(f, g->origin[k] - f->origin[k]);
    double pad = CDI_HEIGHTS_PAD * cdi_max(1.0, cdi_abs(at)) + cdi_heights_shrink(f, room);
    double along = cdi_heights_shrink(f, g->spacing[way]);
    bool tame = along <= 4.0 && cdi_abs(at) <= 1e9;
    g->along[way] = tame ? (float)along : 0.0f;
    g->grid_low[way] = tame ? cdi_float_down(at - pad) : -1e30f;
    g->grid_high[way] = tame ? cdi_float_up(at + pad) : 1e30f;
}

/* Floats do where neither samples nor heights leave their range, and heights are not rounded too coarsely. */
static void cdi_heights_fit_rise(cdi_height_field *g, const cdi_frame *f, const cdi_heights_span *s) {
    double lo = cdi_heights_height(g, s->low), hi = cdi_heights_height(g, s->high);
    double most = cdi_max(cdi_abs(lo), cdi_abs(hi)), origin = f->origin[g->axis[2]];
    bool numbers = g->kept == CDI_SAMPLES_REAL;
    double base =
        numbers ? (double)cdi_nearest_float(cdi_clamp(origin, -1e30, 1e30)) : cdi_min(s->low, s->high);
    double pad = CDI_HEIGHTS_PAD, rise = cdi_heights_shrink(f, g->height_scale);
    double at = cdi_heights_shrink(f, (numbers ? base : cdi_heights_height(g, base)) - origin);
    if (s->low == s->high && !numbers) rise = 0.0;
    if (!numbers) pad += cdi_heights_shrink(f, 4.0 * (double)CD_REAL_EPSILON * most);
    g->is_plain = pad < 1e-4 && most < 1e30 && cdi_abs(rise) < 1e25 && cdi_abs(at) < 4.0 &&
                  (!numbers || cdi_abs(rise) > 1e-25);
    g->base = g->is_plain ? (float)base : 0.0f;
    g->rise = g->is_plain ? (float)rise : 0.0f;
    g->low = g->is_plain ? cdi_float_down(at - pad) : 0.0f;
    g->high = g->is_plain ? cdi_float_up(at + pad) : 0.0f;
}

#undef CDI_HEIGHTS_PAD

static void cdi_heights_fit(cdi_height_field *g, const cdi_heights_span *s, cdi_bvh_header *h) {
    cdi_box box = cdi_box_empty();
    uint32_t up = g->axis[2];
    box.v[3] = box.v[7] = 0;
    for (int way = 0; way < 2; ++way) {
        box.v[g->axis[way]] = (cd_real)cdi_heights_grid(g, way, g->first_cell[way]);
        box.v[4 + g->axis[way]] = -(cd_real)cdi_heights_grid(g, way, g->end_cell[way]);
    }
    box.v[up] = (cd_real)cdi_heights_height(g, s->low);
    box.v[4 + up] = -(cd_real)cdi_heights_height(g, s->high);
    h->frame = cdi_frame_of(&box);
    for (int k = 0; k < 3; ++k) {
        h->lo[k] = (double)box.v[k] + 0.0;
        h->hi[k] = -(double)box.v[4 + k] + 0.0;
    }
    g->lane_origin = h->frame.origin[up];
    g->lane_scale[0] = cdi_exp2i(-(h->frame.exponent / 2));
    g->lane_scale[1] = cdi_exp2i(h->frame.exponent / 2 - h->frame.exponent);
    for (int way = 0; way < 2; ++way) cdi_heights_fit_grid(g, &h->frame, way);
    cdi_heights_fit_rise(g, &h->frame, s);
}

static void cdi_heights_head(cdi_height_field *g, const cdi_heights_span *s, cdi_bvh_header *h) {
    cdi_clear(h, sizeof *h);
    h->magic = CDI_BVH_MAGIC;
    h->version = CDI_BVH_VERSION;
    h->real_size = (uint32_t)sizeof(cd_real);
    h->layout = (uint32_t)CD_BVH_HEIGHTS;
    h->item = CDI_ITEM_HEIGHTS;
    h->bytes = sizeof *h + g->bytes;
    h->source_count = 2 * g->cells_x * g->cells_y;
    h->item_count = g->triangles;
    h->skipped_count = h->source_count - h->item_count;
    if (!g->triangles) return;
    h->node_count = g->node_count;
    h->depth = g->level_count;
    h->has_masks = g->has_masks;
    cdi_heights_fit(g, s, h);
}

/* An empty field has no frame. */
static void cdi_heights_unfit(cdi_height_field *g) {
    g->lane_origin = g->lane_scale[0] = g->lane_scale[1] = 0.0;
    g->base = g->rise = g->low = g->high = 0.0f;
    g->is_plain = 0;
    for (int way = 0; way < 2; ++way) g->along[way] = g->grid_low[way] = g->grid_high[way] = 0.0f;
}

/* ---- building, changing ---- */

static cdi_height_field *cdi_heights_of(cdi_bvh_header *h) {
    return (cdi_height_field *)(void *)(h + 1);
}

/* All that comes of the samples of a region. */
static void cdi_heights_renew(cdi_bvh_header *h, const cdi_heights_source *s, bool first) {
    cdi_height_field *g = cdi_heights_of(h);
    cdi_heights_region r;
    cdi_heights_span span;
    r.x = (s->column ? s->column - 1 : 0) / 2;
    r.y = (s->row ? s->row - 1 : 0) / 2;
    r.end_x = s->column + s->w < g->cells_x ? (s->column + s->w - 1) / 2 + 1 : g->blocks_x;
    r.end_y = s->row + s->h < g->cells_y ? (s->row + s->h - 1) / 2 + 1 : g->blocks_y;
    if (cdi_heights_mark(g, &r) || first) cdi_heights_extent(g, g);
    cdi_heights_raise(g, r);
    span = cdi_heights_root(g);
    cdi_heights_unfit(g);
    cdi_heights_head(g, &span, h);
}

static void cdi_heights_fill(cdi_bvh_header *h, const cdi_height_field *plan, const cd_height_view *view) {
    cdi_height_field *g = cdi_heights_of(h);
    cdi_clear(h, sizeof *h + (size_t)plan->bytes);
    *g = *plan;
    if (g->has_masks) cdi_copy(g + 1, view->material_masks, 256 * sizeof(uint32_t));
    if (g->has_materials)
        cdi_copy(cdi_heights_bytes(g, g->materials), view->materials, (size_t)g->cells_x * g->cells_y);
    for (uint32_t y = 0; y < g->blocks_y; ++y) {
        for (uint32_t x = 0; x < g->blocks_x; ++x)
            cdi_heights_bytes(g, g->blocks)[(size_t)y * g->blocks_x + x] =
                (unsigned char)cdi_heights_cuts(g, view->cuts, x, y);
    }
}

CD_API cd_status cd_bvh_build_heights(cd_bvh *out, const cd_height_view *view,
                                      const cd_bvh_options *options) {
    cd_bvh_options defaults;
    cdi_height_field plan;
    cdi_heights_source s;
    cdi_bvh_header *h;
    cd_status status;
    size_t bytes;
    cdi_clear(out, sizeof *out);
    cdi_clear(&defaults, sizeof defaults);
    if (!options) options = &defaults;
    if (options->masks || options->flags > 3) return CD_INVALID_ARGUMENT;
    cdi_heights_give(&plan, view, options->flags);
    status = cdi_heights_plan(&plan);
    if (status != CD_OK) return status;
    s.column = s.row = 0;
    s.w = plan.columns;
    s.h = plan.rows;
    if (!cdi_heights_source_of(&s, &plan, view->samples, view->row_stride)) return CD_INVALID_ARGUMENT;
    if (plan.cut == CD_HEIGHT_CUT_GIVEN && plan.cells_x && !view->cuts) return CD_INVALID_ARGUMENT;
    bytes = sizeof *h + (size_t)plan.bytes;
    h = (cdi_bvh_header *)cdi_alloc(&options->allocator, bytes, 1);
    if (!h) return CD_OUT_OF_MEMORY;
    cdi_heights_fill(h, &plan, view);
    if (!cdi_heights_may_take(cdi_heights_of(h), &s)) {
        cdi_free(&options->allocator, h, bytes, 1);
        return CD_INVALID_ARGUMENT;
    }
    cdi_heights_copy(cdi_heights_of(h), &s);
    cdi_heights_renew(h, &s, true);
    out->block = h;
    out->bytes = bytes;
    out->allocator = options->allocator;
    out->owned = 1;
    return CD_OK;
}

CD_API cd_status cd_heights_update(cd_bvh *tree, uint32_t column, uint32_t row, uint32_t w, uint32_t h,
                                   const void *samples, uint32_t row_stride) {
    cdi_bvh_header *head = (cdi_bvh_header *)(void *)tree->block;
    cdi_heights_source s;
    cdi_height_field *g;
    if (!head || !tree->owned || head->layout != CD_BVH_HEIGHTS) return CD_INVALID_ARGUMENT;
    g = cdi_heights_of(head);
    if (column > g->columns || w > g->columns - column || row > g->rows || h > g->rows - row)
        return CD_INVALID_ARGUMENT;
    s.column = column;
    s.row = row;
    s.w = w;
    s.h = h;
    if (!cdi_heights_source_of(&s, g, samples, row_stride)) return CD_INVALID_ARGUMENT;
    if (w == 0 || h == 0) return CD_OK;
    if (!cdi_heights_may_take(g, &s)) return CD_INVALID_ARGUMENT;
    cdi_heights_copy(g, &s);
    cdi_heights_renew(head, &s, false);
    return CD_OK;
}

/* ---- checking ---- */

static bool cdi_heights_same_bytes(const void *a, const void *b, size_t size) {
    const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
    for (size_t i = 0; i < size; ++i) {
        if (p[i] != q[i]) return false;
    }
    return true;
}

/* What was given, alone. */
static void cdi_heights_regive(cdi_height_field *to, const cdi_height_field *from) {
    cdi_clear(to, sizeof *to);
    cdi_copy(to->origin, from->origin, sizeof to->origin);
    cdi_copy(to->spacing, from->spacing, sizeof to->spacing);
    to->scale = from->scale;
    to->format = from->format;
    to->columns = from->columns;
    to->rows = from->rows;
    to->up = from->up;
    to->cut = from->cut;
    to->skips = from->skips;
    to->has_materials = from->has_materials;
    to->has_masks = from->has_masks;
}

/* Are the bits of the blocks those of the cells and of the rule? */
static bool cdi_heights_blocks_are_sound(const cdi_height_field *g) {
    const unsigned char *block = cdi_heights_at_byte(g, g->blocks);
    bool sure = cdi_heights_are_sure(g);
    uint32_t triangles = 0;
    for (uint32_t y = 0; y < g->blocks_y; ++y) {
        for (uint32_t x = 0; x < g->blocks_x; ++x, ++block) {
            uint32_t there = cdi_heights_present(g, x, y, sure);
            if ((*block & 15u) != there) return false;
            if (g->cut != CD_HEIGHT_CUT_GIVEN && *block >> 4 != cdi_heights_cuts(g, NULL, x, y) >> 4)
                return false;
            triangles += 2u * cdi_heights_count(there);
        }
    }
    return triangles == g->triangles;
}

static bool cdi_heights_nodes_are_sound(const cdi_height_field *g) {
    for (uint32_t level = g->level_count; level-- > 0;) {
        const cdi_heights_level *l = &g->level[level];
        for (uint32_t y = 0; y < l->height; ++y) {
            for (uint32_t x = 0; x < l->width; ++x) {
                cdi_heights_node n;
                cdi_heights_make_node(g, level, x, y, &n);
                if (!cdi_heights_node_is(g, l->first + y * l->width + x, &n)) return false;
            }
        }
    }
    return true;
}

/* What follows from what was given has to be what stands there; only then is any place in the block relied on. */
static bool cdi_heights_plan_is_sound(const cdi_height_field *g, size_t size) {
    cdi_height_field plan;
    cdi_heights_regive(&plan, g);
    if (cdi_heights_plan(&plan) != CD_OK || plan.bytes != size) return false;
    return cdi_heights_same_bytes(&plan, g,
                                  (size_t)((const char *)&g->triangles - (const char *)(const void *)g));
}

/* Are the frame, and what decodes nodes into it, made of the bounds? Of a copy of the field the root alone is read, which lies
 * where it did. */
static bool cdi_heights_head_is_sound(const cdi_bvh_header *h, const cdi_height_field *g) {
    cdi_bvh_header head;
    cdi_height_field field = *g;
    cdi_heights_span s = cdi_heights_root(g);
    cdi_heights_unfit(&field);
    cdi_heights_extent(g, &field);
    cdi_heights_head(&field, &s, &head);
    return cdi_heights_same_bytes(&field, g, sizeof field) && cdi_heights_same_bytes(&head, h, sizeof head);
}

CDI_FN bool cdi_heights_is_sound(const cdi_bvh_header *h, size_t size) {
    const cdi_height_field *g = (const cdi_height_field *)(const void *)(h + 1);
    if (size < sizeof *h + sizeof *g || !cdi_heights_plan_is_sound(g, size - sizeof *h)) return false;
    if (!cdi_heights_blocks_are_sound(g) || !cdi_heights_nodes_are_sound(g)) return false;
    return cdi_heights_head_is_sound(h, g);
}

/* ---- what a field is ---- */

static const cdi_height_field *cdi_heights_open(const cd_bvh *tree) {
    const cdi_bvh_header *h = (const cdi_bvh_header *)tree->block;
    return h && h->layout == CD_BVH_HEIGHTS ? (const cdi_height_field *)(const void *)(h + 1) : NULL;
}

CD_API cd_height_info cd_heights_get_info(const cd_bvh *tree) {
    const cdi_height_field *g = cdi_heights_open(tree);
    cd_height_info info;
    cdi_clear(&info, sizeof info);
    if (!g) return info;
    info.columns = g->columns;
    info.rows = g->rows;
    info.cells = g->cells_x * g->cells_y;
    info.triangles = g->triangles;
    info.up = g->up;
    return info;
}

/* Is the cell there, and how is it cut? */
static bool cdi_heights_cell_at(const cdi_height_field *g, cdi_heights_item *at) {
    size_t number = (size_t)(at->row / 2) * g->blocks_x + at->column / 2;
    uint32_t block = cdi_heights_at_byte(g, g->blocks)[number], i = (at->column & 1u) + 2 * (at->row & 1u);
    at->cut = block >> (4 + i) & 1u;
    return (block >> i & 1u) != 0;
}

/* By a caller's index; NULL when there is no such. */
static const cdi_height_field *cdi_heights_by_index(const cd_bvh *tree, uint32_t index,
                                                    cdi_heights_item *at) {
    const cdi_height_field *g = cdi_heights_open(tree);
    if (!g || index / 2 >= g->cells_x * g->cells_y) return NULL;
    at->row = index / 2 / g->cells_x;
    at->column = index / 2 % g->cells_x;
    at->half = index & 1u;
    return g;
}

static uint32_t cdi_heights_material_of(const cdi_height_field *g, const cdi_heights_item *at) {
    size_t i = (size_t)at->row * g->cells_x + at->column;
    return g->has_materials ? cdi_heights_at_byte(g, g->materials)[i] : 0u;
}

CD_API bool cd_heights_cell(const cd_bvh *tree, uint32_t index, cd_height_cell *out) {
    cdi_heights_item at;
    const cdi_height_field *g = cdi_heights_by_index(tree, index, &at);
    if (!g) return false;
    out->column = at.column;
    out->row = at.row;
    out->half = at.half;
    out->material = cdi_heights_material_of(g, &at);
    out->is_hole = cdi_heights_cell_at(g, &at) ? 0 : 1;
    return true;
}

CD_API uint32_t cd_heights_material(const cd_bvh *tree, uint32_t index) {
    cdi_heights_item at;
    const cdi_height_field *g = cdi_heights_by_index(tree, index, &at);
    return g && cdi_heights_cell_at(g, &at) ? cdi_heights_material_of(g, &at) : CD_NONE;
}

CD_API bool cd_heights_triangle(const cd_bvh *tree, uint32_t index, cd_triangle *out) {
    cdi_heights_item at;
    const cdi_height_field *g = cdi_heights_by_index(tree, index, &at);
    cd_triangle t;
    if (!g || !cdi_heights_cell_at(g, &at)) return false;
    t = cdi_heights_half(g, &at);
    *out = t;
    return true;
}

/* ---- the height at a place ---- */

/* The first cell on a way that holds a place; false when none does. A guess, and steps to what is so with the coordinates as they were
 * rounded. */
static bool cdi_heights_cell_of(const cdi_height_field *g, int way, double x, uint32_t *cell) {
    uint32_t cells = way ? g->cells_y : g->cells_x, lo = 0, hi = cells;
    if (!(cdi_heights_grid(g, way, 0) <= x && x <= cdi_heights_grid(g, way, cells))) return false;
    while (hi - lo > 1) { /* x is above the low end of lo, or lo is 0; and not above that of hi */
        uint32_t middle = lo + (hi - lo) / 2;
        if (cdi_heights_grid(g, way, middle) < x)
            lo = middle;
        else
            hi = middle;
    }
    *cell = lo;
    return true;
}

/* Where x is between two numbers, from 0 to 1; of halves, which do not overflow. */
static double cdi_heights_share(double lo, double hi, double x) {
    return hi > lo ? (0.5 * x - 0.5 * lo) / (0.5 * hi - 0.5 * lo) : 0.0;
}

/* The height in a cell, at the shares (s, t) of its sides, and in which half: the corners with their weights. */
static double cdi_heights_blend(const cdi_height_field *g, cdi_heights_item *at, double s, double t) {
    double h[4];
    for (uint32_t i = 0; i < 4; ++i)
        h[i] = cdi_heights_height(g, cdi_heights_sample(g, at->column + (i & 1u), at->row + (i >> 1)));
    if (at->cut) {
        at->half = s + t > 1.0;
        return at->half ? h[3] * (s + t - 1.0) + h[2] * (1.0 - s) + h[1] * (1.0 - t)
                        : h[0] * (1.0 - s - t) + h[1] * s + h[2] * t;
    }
    at->half = t > s;
    return at->half ? h[0] * (1.0 - t) + h[2] * (t - s) + h[3] * s
                    : h[0] * (1.0 - s) + h[1] * (s - t) + h[3] * t;
}

static void cdi_heights_normal(const cdi_height_field *g, const cdi_heights_item *at, cd_vec3 *normal) {
    cd_triangle t = cdi_heights_half(g, at);
    cdi_tri tri = cdi_tri_of(&t);
    cdi_v3 n = cdi_v3_unit(cdi_tri_normal(&tri)), up = cdi_v3_make(0.0, 0.0, 0.0);
    double *axis = g->axis[2] == 0 ? &up.x : g->axis[2] == 1 ? &up.y : &up.z;
    *axis = 1.0;
    *normal = cdi_v3_round(cdi_v3_sqlength(n) > 0.0 ? n : up);
}

CD_API bool cd_heights_height_at(const cd_bvh *tree, cd_real u, cd_real v, cd_real *height, cd_vec3 *normal) {
    const cdi_height_field *g = cdi_heights_open(tree);
    cdi_heights_item first, at;
    double x = (double)u, y = (double)v;
    if (!g || !g->triangles || !cdi_heights_cell_of(g, 0, x, &first.column) ||
        !cdi_heights_cell_of(g, 1, y, &first.row))
        return false;
    for (uint32_t i = 0; i < 4; ++i) { /* and those behind the line, where it is on one */
        double lo_x, lo_y, h;
        at.column = first.column + (i & 1u);
        at.row = first.row + (i >> 1);
        at.half = 0;
        if (at.column >= g->cells_x || at.row >= g->cells_y) continue;
        lo_x = cdi_heights_grid(g, 0, at.column);
        lo_y = cdi_heights_grid(g, 1, at.row);
        if (!(lo_x <= x && lo_y <= y) || !cdi_heights_cell_at(g, &at)) continue;
        h = cdi_heights_blend(g, &at, cdi_heights_share(lo_x, cdi_heights_grid(g, 0, at.column + 1), x),
                              cdi_heights_share(lo_y, cdi_heights_grid(g, 1, at.row + 1), y));
        if (height) *height = cdi_real_of(h);
        if (normal) cdi_heights_normal(g, &at, normal);
        return true;
    }
    return false;
}

/* ---- the mesh ---- */

/* The corners of a triangle as numbers of positions. */
static void cdi_heights_indices(const cdi_height_field *g, const cdi_heights_item *at, uint32_t out[3]) {
    uint32_t n[3];
    cdi_heights_corners(g, at, n);
    for (int i = 0; i < 3; ++i) out[i] = (at->row + (n[i] >> 1)) * g->columns + at->column + (n[i] & 1u);
}

CD_API uint32_t cd_heights_mesh(const cd_bvh *tree, cd_vec3 *positions, uint32_t *indices, uint32_t *index) {
    const cdi_height_field *g = cdi_heights_open(tree);
    cdi_heights_item at;
    uint32_t count = 0;
    if (!g) return 0;
    for (uint32_t row = 0; positions && row < g->rows; ++row) {
        for (uint32_t column = 0; column < g->columns; ++column, ++positions) {
            cd_vec3 p = cdi_heights_corner(g, column, row);
            *positions = p;
        }
    }
    for (at.row = 0; at.row < g->cells_y && (indices || index); ++at.row) {
        for (at.column = 0; at.column < g->cells_x; ++at.column) {
            if (!cdi_heights_cell_at(g, &at)) continue;
            for (at.half = 0; at.half < 2; ++at.half, ++count) {
                if (indices) cdi_heights_indices(g, &at, indices + 3 * (size_t)count);
                if (index) index[count] = 2 * (at.row * g->cells_x + at.column) + at.half;
            }
        }
    }
    return g->triangles;
}
