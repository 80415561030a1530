#include "batch/nearest.h"
#include "batch/hits.h"
#include "core/lanes.h"
#include "query/closest3d.h"

/* The nearest so far. `limit` is above its squared distance, by what eight lower bounds may be too large. */
typedef struct cdi_best_near {
    double sqdist;
    size_t index;
    bool found;
    cdi_lanes limit;
} cdi_best_near;

/* The bounds are off by four roundings, the call for two by four of double. */
static void cdi_best_near_at(cdi_best_near *b, double sqdist, size_t index) {
    b->sqdist = sqdist;
    b->index = index;
    b->limit = cdi_lanes_all(
        cdi_real_or_infinity(sqdist + sqdist * (16.0 * (double)CDI_LANE_U) + (double)CDI_LANE_TINY));
}

static void cdi_best_near_begin(cdi_best_near *b) {
    cdi_best_near_at(b, CDI_HUGE, 0);
    b->found = false;
}

/* The pair comes in rising order: of equal distances the first is kept. */
static void cdi_best_near_try(cdi_best_near *b, cd_vec3 p, const cd_triangle *t, size_t index) {
    cdi_tri d = cdi_tri_of(t);
    double sqdist;
    if (!cd_vec3_is_valid(p) || !cdi_tri_finite(&d)) return;
    sqdist = cdi_near_triangle(cdi_v3_of(p), &d).sqdist;
    if (!(sqdist < b->sqdist) && (b->found || sqdist != sqdist)) return;
    b->found = true;
    cdi_best_near_at(b, sqdist, index);
}

/* How far points are outside of boxes along an axis. */
CDI_INLINE cdi_lanes cdi_outside8(cdi_lanes p, cdi_lanes lo, cdi_lanes hi) {
    return cdi_lanes_max(cdi_lanes_max(cdi_lanes_sub(lo, p), cdi_lanes_sub(p, hi)), cdi_lanes_all(0));
}

/* ---- many triangles ---- */

CDI_INLINE cdi_lanes cdi_outside_corners(cdi_lanes p, const cd_triangle8 *t, int k, size_t lane) {
    cdi_lanes a = cdi_lanes_load(t->number[0][k] + lane), b = cdi_lanes_load(t->number[1][k] + lane),
              c = cdi_lanes_load(t->number[2][k] + lane);
    return cdi_outside8(p, cdi_lanes_min(cdi_lanes_min(a, b), c), cdi_lanes_max(cdi_lanes_max(a, b), c));
}

/* Bits of those triangles that may be nearer. */
static uint32_t cdi_nearer8(const cdi_best_near *b, const cdi_lanes p[3], const cd_triangle8 *t) {
    uint32_t nearer = 0;
    for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
        cdi_lanes way[3];
        way[0] = cdi_outside_corners(p[0], t, 0, lane);
        way[1] = cdi_outside_corners(p[1], t, 1, lane);
        way[2] = cdi_outside_corners(p[2], t, 2, lane);
        nearer |= cdi_lanes_le(cdi_lanes_dot(way, way), b->limit) << lane;
    }
    return nearer;
}

static void cdi_near_block(cdi_best_near *b, cd_vec3 p, const cdi_lanes lanes[3], const cd_triangle8 *block,
                           size_t first, size_t rest) {
    uint32_t nearer = cdi_nearer8(b, lanes, block) & (rest < 8 ? (1u << rest) - 1u : 255u);
    for (; nearer; nearer &= nearer - 1u) {
        uint32_t i = cdi_lowest_bit(nearer);
        cd_triangle t = cd_triangle8_get(block, i);
        cdi_best_near_try(b, p, &t, first + i);
    }
}

/* What stays the same for all triangles. */
typedef struct cdi_near_point {
    cd_vec3 p;
    cdi_lanes lanes[3];
    cdi_best_near best;
} cdi_near_point;

static bool cdi_near_point_begin(cdi_near_point *n, cd_vec3 p) {
    n->p = p;
    n->lanes[0] = cdi_lanes_all(p.x);
    n->lanes[1] = cdi_lanes_all(p.y);
    n->lanes[2] = cdi_lanes_all(p.z);
    cdi_best_near_begin(&n->best);
    return cd_vec3_is_valid(p);
}

static bool cdi_near_point_end(const cdi_near_point *n, const cd_triangle *t, cd_closest *out) {
    if (!out) return true;
    *out = cd_closest_pts_point_triangle(n->p, t);
    out->index_b = (uint32_t)n->best.index;
    return true;
}

CD_API bool cd_closest_pts_point_triangles(cd_vec3 p, const cd_triangle *many, size_t count,
                                           cd_closest *out) {
    cdi_near_point n;
    if (!cdi_near_point_begin(&n, p)) return false;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        cd_triangle8 block;
        size_t rest = count - i;
        cdi_to_rows(&many[i].a.x, 9, rest < 8 ? rest : 8, 0, &block.number[0][0][0]);
        cdi_near_block(&n.best, p, n.lanes, &block, i, rest);
    }
    return n.best.found && cdi_near_point_end(&n, &many[n.best.index], out);
}

CD_API bool cd_closest_pts_point_triangle8s(cd_vec3 p, const cd_triangle8 *blocks, size_t count,
                                            cd_closest *out) {
    cdi_near_point n;
    cd_triangle t;
    if (!cdi_near_point_begin(&n, p)) return false;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) cdi_near_block(&n.best, p, n.lanes, &blocks[i / 8], i, count - i);
    if (!n.best.found) return false;
    t = cd_triangle8_get(blocks, n.best.index);
    return cdi_near_point_end(&n, &t, out);
}

/* ---- many points ---- */

/* Bits of those points that may be nearer to what is in the box. */
static uint32_t cdi_points_nearer8(const cdi_best_near *b, const cdi_lanes lo[3], const cdi_lanes hi[3],
                                   const cd_real *rows) {
    uint32_t nearer = 0;
    for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
        cdi_lanes way[3];
        way[0] = cdi_outside8(cdi_lanes_load(rows + lane), lo[0], hi[0]);
        way[1] = cdi_outside8(cdi_lanes_load(rows + 8 + lane), lo[1], hi[1]);
        way[2] = cdi_outside8(cdi_lanes_load(rows + 16 + lane), lo[2], hi[2]);
        nearer |= cdi_lanes_le(cdi_lanes_dot(way, way), b->limit) << lane;
    }
    return nearer;
}

CD_API bool cd_closest_pts_points_triangle(const cd_vec3 *many, size_t count, const cd_triangle *t,
                                           cd_closest *out) {
    cdi_tri d = cdi_tri_of(t);
    cdi_best_near best;
    cdi_lanes lo[3], hi[3];
    cdi_v3 least, most;
    if (!cdi_tri_finite(&d)) return false;
    cdi_tri_bounds(&d, &least, &most);
    for (int k = 0; k < 3; ++k) {
        lo[k] = cdi_lanes_all((cd_real)cdi_v3_get(least, k));
        hi[k] = cdi_lanes_all((cd_real)cdi_v3_get(most, k));
    }
    cdi_best_near_begin(&best);
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        cd_real rows[24];
        size_t rest = count - i < 8 ? count - i : 8;
        uint32_t nearer;
        cdi_to_rows(&many[i].x, 3, rest, 0, rows);
        nearer = cdi_points_nearer8(&best, lo, hi, rows) & ((1u << rest) - 1u);
        for (; nearer; nearer &= nearer - 1u) {
            size_t at = i + cdi_lowest_bit(nearer);
            cdi_best_near_try(&best, many[at], t, at);
        }
    }
    if (!best.found || !out) return best.found;
    *out = cd_closest_pts_point_triangle(many[best.index], t);
    out->index_a = (uint32_t)best.index;
    return true;
}
