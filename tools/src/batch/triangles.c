#include "batch/triangles.h"
#include "batch/hits.h"
#include "batch/triangle_lanes.h"
#include "query/triangle_triangle3d.h"

/* Bits of a coordinate with which a determinant of three differences is evaluated without rounding, 3 bits + 6 in all. */
#ifdef COLLIDE_DOUBLE
enum { CDI_FEW_BITS = 15, CDI_LANE_DIGITS = 53 };
#else
enum { CDI_FEW_BITS = 6, CDI_LANE_DIGITS = 24 };
#endif

CDI_INLINE cdi_point_lanes cdi_point_lanes_all(cd_vec3 p, cd_real scale) {
    cdi_point_lanes r;
    r.x = cdi_lanes_all(p.x * scale);
    r.y = cdi_lanes_all(p.y * scale);
    r.z = cdi_lanes_all(p.z * scale);
    return r;
}

CDI_INLINE cdi_corner_lanes cdi_corner_lanes_all(const cd_triangle *t, cd_real scale) {
    cdi_corner_lanes r;
    r.a = cdi_point_lanes_all(t->a, scale);
    r.b = cdi_point_lanes_all(t->b, scale);
    r.c = cdi_point_lanes_all(t->c, scale);
    return r;
}

CDI_INLINE cdi_corner_lanes cdi_corner_lanes_of(const cd_real *rows, cd_real scale) {
    cdi_lanes factor = cdi_lanes_all(scale);
    cdi_corner_lanes r;
    r.a = cdi_point_lanes_of(rows, factor);
    r.b = cdi_point_lanes_of(rows + 24, factor);
    r.c = cdi_point_lanes_of(rows + 48, factor);
    return r;
}

/* The triangle for all, and the factor that brings its size to 1, so that nothing near it leaves the range of floats. */
typedef struct cdi_lone_triangle {
    cdi_tri tri;
    cdi_corner_lanes raw, corners; /* as it is, and scaled */
    cd_real scale;
    bool sound; /* the lanes may be asked */
} cdi_lone_triangle;

static cdi_lone_triangle cdi_lone_triangle_of(const cd_triangle *t) {
    cdi_lone_triangle r;
    double size;
    int e;
    r.tri = cdi_tri_of(t);
    size = cdi_max(cdi_v3_max_abs(cdi_v3_sub(r.tri.v[1], r.tri.v[0])),
                   cdi_v3_max_abs(cdi_v3_sub(r.tri.v[2], r.tri.v[0])));
    e = cdi_exponent(size);
    r.sound = size > 0.0 && e > -4 * CDI_LANE_DIGITS && e < 4 * CDI_LANE_DIGITS;
    r.scale = r.sound ? (cd_real)cdi_exp2i(-e) : 1;
    r.raw = cdi_corner_lanes_all(t, 1);
    r.corners = cdi_corner_lanes_all(t, r.scale);
    return r;
}

/* ---- blocks ---- */

CDI_INLINE cdi_lanes cdi_corner_lanes_size(const cdi_corner_lanes *t) {
    return cdi_lanes_most(cdi_point_lanes_size(t->a), cdi_point_lanes_size(t->b), cdi_point_lanes_size(t->c));
}

/* What is left beside multiples of a power of two. */
CDI_INLINE cdi_lanes cdi_left_over(cdi_lanes x, cdi_lanes unit) {
    return cdi_lanes_abs(cdi_lanes_sub(cdi_lanes_sub(cdi_lanes_add(x, unit), unit), x));
}

CDI_INLINE cdi_lanes cdi_point_left_over(cdi_point_lanes p, cdi_lanes unit) {
    return cdi_lanes_most(cdi_left_over(p.x, unit), cdi_left_over(p.y, unit), cdi_left_over(p.z, unit));
}

CDI_INLINE cdi_lanes cdi_corners_left_over(const cdi_corner_lanes *t, cdi_lanes unit) {
    return cdi_lanes_most(cdi_point_left_over(t->a, unit), cdi_point_left_over(t->b, unit),
                          cdi_point_left_over(t->c, unit));
}

/* The lanes in which all coordinates are multiples of one power of two by whole numbers of few bits. Not scaled: there small
 * ones may have become 0. */
static uint32_t cdi_lanes_few_bits(const cdi_corner_lanes *one, const cdi_corner_lanes *other) {
    cdi_lanes size = cdi_lanes_max(cdi_corner_lanes_size(one), cdi_corner_lanes_size(other)), unit, rest;
    cd_real lane[CDI_LANES];
    double most = 0.0;
    cdi_lanes_store(lane, size);
    for (int i = 0; i < CDI_LANES; ++i)
        most = (double)lane[i] > most ? (double)lane[i] : most; /* passes NaN over */
    if (!(most > 1e-25 && most < 1e25)) return 0;
    unit = cdi_lanes_all((cd_real)(1.5 * cdi_exp2i(cdi_exponent(most) + CDI_LANE_DIGITS - CDI_FEW_BITS)));
    rest = cdi_lanes_max(cdi_corners_left_over(one, unit), cdi_corners_left_over(other, unit));
    return cdi_lanes_le(rest, cdi_lanes_all(0)) & cdi_lanes_le(size, cdi_lanes_all((cd_real)most));
}

static cdi_lane_verdicts cdi_triangle_lanes(const cdi_lone_triangle *one, const cd_real *rows) {
    cdi_corner_lanes other = cdi_corner_lanes_of(rows, one->scale);
    cdi_lane_verdicts v = cdi_tris_meet(&one->corners, &other, true), w;
    cdi_corner_lanes raw;
    uint32_t sure;
    if (!(v.doubt & ((1u << CDI_LANES) - 1u))) return v;
    raw = cdi_corner_lanes_of(rows, 1);
    sure = v.doubt & cdi_lanes_few_bits(&one->raw, &raw);
    if (!(sure & ((1u << CDI_LANES) - 1u))) return v;
    w = cdi_tris_meet(&one->corners, &other, false);
    v.meet |= sure & w.meet;
    v.doubt &= ~sure | w.doubt;
    return v;
}

/* Those of up to eight triangles that meet the one. */
static uint32_t cdi_triangle_hits(const cdi_lone_triangle *one, const cd_triangle *many, size_t count) {
    uint32_t meet = 0, doubt = 255u, left = 255u >> (8 - count);
    cd_real rows[72];
    if (one->sound) {
        doubt = 0;
        cdi_to_rows((const cd_real *)many, 9, count, 0, rows);
        for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
            cdi_lane_verdicts v = cdi_triangle_lanes(one, rows + lane);
            meet |= (v.meet & ((1u << CDI_LANES) - 1u)) << lane;
            doubt |= (v.doubt & ((1u << CDI_LANES) - 1u)) << lane;
        }
    }
    for (doubt &= left; doubt; doubt &= doubt - 1u) {
        uint32_t i = cdi_lowest_bit(doubt);
        cdi_tri t = cdi_tri_of(&many[i]);
        meet |= (uint32_t)cdi_test_tri_tri(&one->tri, &t) << i;
    }
    return meet & left;
}

CD_API size_t cd_test_triangle_triangles(const cd_triangle *one, const cd_triangle *many, size_t count,
                                         uint32_t *hits, size_t capacity) {
    cdi_lone_triangle lone = cdi_lone_triangle_of(one);
    size_t found = 0;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        uint32_t met = cdi_triangle_hits(&lone, many + i, count - i < 8 ? count - i : 8);
        found = cdi_append_hits(met, i, hits, capacity, found);
    }
    return found;
}
