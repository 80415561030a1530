#include "query/point_polygon.h"
#include "query/crossing2d.h"

/* ---- any polygon ---- */

static bool cdi_corners_finite(const cd_vec2 *v, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec2_is_valid(v[i])) return false;
    }
    return true;
}

/* An edge that is neither wholly above nor wholly below p, nor to the left of it. */
static void cdi_count_edge(cdi_rounds *c, cd_vec2 p, cd_vec2 a, cd_vec2 b) {
    bool up = a.y <= p.y, crosses = up != (b.y <= p.y);
    if (!(a.x > p.x && b.x > p.x)) { /* p is in its box */
        double side = cdi_orient2d(cdi_v2_of(a), cdi_v2_of(b), cdi_v2_of(p));
        if (side == 0.0) c->on = true;
        if (up ? side <= 0.0 : side >= 0.0) return;
    }
    if (crosses) c->winding += up ? 1 : -1;
}

static void cdi_count_ring(cdi_rounds *c, cd_vec2 p, const cd_vec2 *v, size_t count) {
    cd_vec2 a;
    if (count == 0) return;
    a = v[count - 1];
    for (size_t i = 0; i < count; ++i) {
        cd_vec2 b = v[i];
        bool apart = (a.y > p.y && b.y > p.y) || (a.y < p.y && b.y < p.y) || (a.x < p.x && b.x < p.x);
        if (!apart) cdi_count_edge(c, p, a, b);
        a = b;
    }
}

static cdi_rounds cdi_rounds_nothing(void) {
    cdi_rounds c;
    c.winding = 0;
    c.on = false;
    return c;
}

/* False when something is not finite. */
static bool cdi_rounds_polygon(cdi_rounds *c, cd_vec2 p, const cd_vec2 *poly, size_t count) {
    if (!cd_vec2_is_valid(p) || !cdi_corners_finite(poly, count)) return false;
    *c = cdi_rounds_nothing();
    cdi_count_ring(c, p, poly, count);
    return true;
}

CD_API int cd_locate_point_polygon2(cd_vec2 p, const cd_vec2 *poly, size_t count) {
    cdi_rounds c;
    return cdi_rounds_polygon(&c, p, poly, count) ? cdi_rounds_verdict(&c, CD_FILL_EVEN_ODD) : -1;
}

CD_API bool cd_test_point_polygon2(cd_vec2 p, const cd_vec2 *poly, size_t count) {
    return cd_locate_point_polygon2(p, poly, count) >= 0;
}

CD_API bool cd_test_point_polygon2_half_open(cd_vec2 p, const cd_vec2 *poly, size_t count) {
    cdi_rounds c;
    return cdi_rounds_polygon(&c, p, poly, count) && c.winding % 2 != 0;
}

CD_API bool cd_winding_point_polygon2(cd_vec2 p, const cd_vec2 *poly, size_t count, int *out) {
    cdi_rounds c;
    if (!cdi_rounds_polygon(&c, p, poly, count) || c.on) return false;
    if (out) *out = cdi_rounds_number(&c);
    return true;
}

/* ---- many points ---- */

typedef struct cdi_corner_box {
    cd_vec2 lo, hi;
} cdi_corner_box;

/* At least one corner. */
static cdi_corner_box cdi_box_of_corners(const cd_vec2 *v, size_t count) {
    cdi_corner_box b;
    b.lo = b.hi = v[0];
    for (size_t i = 1; i < count; ++i) {
        b.lo.x = v[i].x < b.lo.x ? v[i].x : b.lo.x;
        b.lo.y = v[i].y < b.lo.y ? v[i].y : b.lo.y;
        b.hi.x = v[i].x > b.hi.x ? v[i].x : b.hi.x;
        b.hi.y = v[i].y > b.hi.y ? v[i].y : b.hi.y;
    }
    return b;
}

CD_API void cd_locate_points_polygon2(const cd_vec2 *points, size_t count, const cd_vec2 *poly,
                                      size_t corners, int8_t *out) {
    bool good = corners > 0 && cdi_corners_finite(poly, corners);
    cdi_corner_box b;
    if (good) b = cdi_box_of_corners(poly, corners);
    for (size_t i = 0; i < count; ++i) {
        cd_vec2 p = points[i];
        cdi_rounds c = cdi_rounds_nothing();
        if (good && p.x >= b.lo.x && p.x <= b.hi.x && p.y >= b.lo.y && p.y <= b.hi.y)
            cdi_count_ring(&c, p, poly, corners);
        out[i] = (int8_t)cdi_rounds_verdict(&c, CD_FILL_EVEN_ODD);
    }
}

/* ---- several rings ---- */

static bool cdi_rounds_rings(cdi_rounds *c, cd_vec2 p, const cd_vec2 *points, const size_t *ends,
                             size_t rings) {
    size_t begin = 0;
    *c = cdi_rounds_nothing();
    if (!cd_vec2_is_valid(p)) return false;
    for (size_t i = 0; i < rings; ++i) {
        if (ends[i] > begin) {
            if (!cdi_corners_finite(points + begin, ends[i] - begin)) return false;
            cdi_count_ring(c, p, points + begin, ends[i] - begin);
        }
        begin = ends[i];
    }
    return true;
}

CD_API int cd_locate_point_rings2(cd_vec2 p, const cd_vec2 *points, const size_t *ends, size_t rings,
                                  cd_fill_rule fill) {
    cdi_rounds c;
    return cdi_rounds_rings(&c, p, points, ends, rings) ? cdi_rounds_verdict(&c, fill) : -1;
}

CD_API bool cd_test_point_rings2_half_open(cd_vec2 p, const cd_vec2 *points, const size_t *ends, size_t rings,
                                           cd_fill_rule fill) {
    cdi_rounds c;
    if (!cdi_rounds_rings(&c, p, points, ends, rings)) return false;
    c.on = false;
    return cdi_rounds_verdict(&c, fill) > 0;
}

/* ---- convex ones ----
 * Seen from the first corner, the others turn counter-clockwise by at most half a turn. So the two can be searched between
 * which a point is seen, and the edge from one to the other decides. */

/* The corners `first` ... `last` are those that are not at the place of the first one, `from`. */
typedef struct cdi_wheel {
    const cd_vec2 *v;
    cdi_v2 from;
    size_t first, last;
} cdi_wheel;

static cdi_v2 cdi_wheel_corner(const cdi_wheel *f, size_t i) {
    return cdi_v2_of(f->v[i]);
}

/* False when all corners are at one place. */
static bool cdi_wheel_make(cdi_wheel *f, const cd_vec2 *v, size_t count) {
    f->v = v;
    f->from = cdi_v2_of(v[0]);
    f->first = 1;
    f->last = count - 1;
    while (f->first < count && cdi_v2_same(cdi_wheel_corner(f, f->first), f->from)) ++f->first;
    while (f->last > 0 && cdi_v2_same(cdi_wheel_corner(f, f->last), f->from)) --f->last;
    return f->first < count;
}

/* Of points in line with `from`: on the same side of it? */
static bool cdi_wheel_same_way(const cdi_wheel *f, cdi_v2 a, cdi_v2 b) {
    return cdi_goes_up(f->from, a) == cdi_goes_up(f->from, b);
}

/* Is p seen in a direction beyond that of corner i (1), in the same (0), or before it (-1)? Directions are from that of the
 * first corner to half a turn from it. */
static int cdi_wheel_beyond(const cdi_wheel *f, size_t i, cdi_v2 p) {
    cdi_v2 corner = cdi_wheel_corner(f, i);
    int side = cdi_sign(cdi_orient2d(f->from, corner, p));
    if (side != 0 || cdi_wheel_same_way(f, corner, p)) return side;
    return cdi_wheel_same_way(f, cdi_wheel_corner(f, f->first), p) ? -1 : 1;
}

/* The first corner beyond p, or also in its direction (`reach` 0); one past the last where there is none. */
static size_t cdi_wheel_search(const cdi_wheel *f, cdi_v2 p, int reach) {
    size_t lo = f->first, hi = f->last + 1;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (cdi_wheel_beyond(f, middle, p) > reach)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Are all corners in line? */
static bool cdi_wheel_is_flat(const cdi_wheel *f) {
    cdi_v2 first = cdi_wheel_corner(f, f->first);
    size_t next;
    if (cdi_orient2d(f->from, first, cdi_wheel_corner(f, f->last)) != 0.0) return false;
    next = cdi_wheel_search(f, first, -1);
    return next > f->last || cdi_orient2d(f->from, first, cdi_wheel_corner(f, next)) == 0.0;
}

/* On the segment from the first corner to corner i (the last at most), whose direction p is seen in? */
static int cdi_wheel_on(const cdi_wheel *f, size_t i, cdi_v2 p) {
    cdi_v2 end = cdi_wheel_corner(f, i < f->last ? i : f->last);
    bool past = end.x == p.x ? (end.y > f->from.y ? p.y > end.y : p.y < end.y)
                             : (end.x > f->from.x ? p.x > end.x : p.x < end.x);
    return past ? -1 : 0;
}

static int cdi_wheel_locate(const cdi_wheel *f, cdi_v2 p) {
    size_t next;
    if (cdi_v2_same(p, f->from)) return 0;
    if (cdi_orient2d(f->from, cdi_wheel_corner(f, f->first), p) < 0.0) return -1;
    if (cdi_orient2d(f->from, cdi_wheel_corner(f, f->last), p) > 0.0) return -1;
    next = cdi_wheel_search(f, p, -1);
    if (cdi_wheel_beyond(f, f->first, p) == 0) return cdi_wheel_on(f, next - 1, p);
    if (next > f->last) return cdi_wheel_on(f, cdi_wheel_search(f, p, 0), p);
    return cdi_sign(cdi_orient2d(cdi_wheel_corner(f, next - 1), cdi_wheel_corner(f, next), p));
}

CD_API int cd_locate_point_convex2(cd_vec2 p, const cd_vec2 *poly, size_t count) {
    cdi_wheel f;
    if (count == 0 || !cd_vec2_is_valid(p)) return -1;
    if (!cdi_wheel_make(&f, poly, count)) return cdi_v2_same(f.from, cdi_v2_of(p)) ? 0 : -1;
    if (cdi_wheel_is_flat(&f)) return cd_locate_point_polygon2(p, poly, count);
    return cdi_wheel_locate(&f, cdi_v2_of(p));
}

CD_API bool cd_test_point_convex2(cd_vec2 p, const cd_vec2 *poly, size_t count) {
    return cd_locate_point_convex2(p, poly, count) >= 0;
}

/* ---- triangles ---- */

static bool cdi_in_extent(double x, double a, double b, double c) {
    return x >= cdi_min(cdi_min(a, b), c) && x <= cdi_max(cdi_max(a, b), c);
}

/* A triangle without area has edges of both directions: only a point of its line is on the same side of all, or on them. */
CDI_FN int cdi_locate_triangle2(cdi_v2 p, cdi_v2 a, cdi_v2 b, cdi_v2 c) {
    int ab, bc, ca;
    if (!cdi_in_extent(p.x, a.x, b.x, c.x) || !cdi_in_extent(p.y, a.y, b.y, c.y)) return -1;
    ab = cdi_sign(cdi_orient2d(a, b, p));
    bc = cdi_sign(cdi_orient2d(b, c, p));
    ca = cdi_sign(cdi_orient2d(c, a, p));
    if (ab * bc < 0 || bc * ca < 0 || ca * ab < 0) return -1;
    return ab * bc * ca != 0 ? 1 : 0;
}

CD_API int cd_locate_point_triangle2(cd_vec2 p, cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    if (!cd_vec2_is_valid(p) || !cd_vec2_is_valid(a) || !cd_vec2_is_valid(b) || !cd_vec2_is_valid(c))
        return -1;
    return cdi_locate_triangle2(cdi_v2_of(p), cdi_v2_of(a), cdi_v2_of(b), cdi_v2_of(c));
}

CD_API bool cd_test_point_triangle2(cd_vec2 p, cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    return cd_locate_point_triangle2(p, a, b, c) >= 0;
}

/* ---- quadrilaterals ---- */

CD_API int cd_locate_point_quad2(cd_vec2 p, cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d) {
    cd_vec2 corner[4];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    corner[3] = d;
    return cd_locate_point_polygon2(p, corner, 4);
}
