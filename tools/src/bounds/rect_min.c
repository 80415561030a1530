#include "bounds/rect_min.h"
#include "bounds/box3d.h"
#include "bounds/rect2d.h"
#include "core/memory.h"

/* ---- the sides of a polygon ---- */

static cdi_v2 cdi_ring2_at(const cdi_ring2 *r, size_t i) {
    return cdi_v2_of(r->points[r->corner[i % r->count]]);
}

/* From corner i to corner j; halved, so that it stays in range. */
static cdi_v3 cdi_ring2_between(const cdi_ring2 *r, size_t i, size_t j) {
    cdi_v2 a = cdi_ring2_at(r, i), b = cdi_ring2_at(r, j);
    return cdi_v3_make(0.5 * b.x - 0.5 * a.x, 0.5 * b.y - 0.5 * a.y, 0.0);
}

static cdi_v3 cdi_perp(cdi_v3 v) {
    return cdi_v3_make(-v.y, v.x, 0.0);
}

/* The corners that touch the sides of a rectangle: its base is the edge from `base`, then follow the others. */
typedef struct cdi_calipers {
    size_t base, right, top, left;
} cdi_calipers;

/* The best rectangle so far: its extents and the direction of its base. */
typedef struct cdi_best_rect {
    double size[3];
    cdi_v3 along;
} cdi_best_rect;

static void cdi_best_rect_try(cdi_best_rect *best, const cdi_ring2 *r, const cdi_calipers *c) {
    cdi_v3 along = cdi_v3_normalize(cdi_ring2_between(r, c->base, c->base + 1));
    double size[3];
    size[0] = cdi_v3_dot(along, cdi_ring2_between(r, c->left, c->right));
    size[1] = cdi_v3_dot(cdi_perp(along), cdi_ring2_between(r, c->base, c->top));
    size[2] = 0.0;
    if (c->base > 0 && !cdi_is_smaller(size, best->size)) return;
    cdi_copy(best->size, size, sizeof size);
    best->along = along;
}

static cdi_v3 cdi_ring2_all_edges(const cdi_ring2 *r) {
    cdi_best_rect best;
    cdi_calipers c;
    best.along = cdi_v3_make(1.0, 0.0, 0.0);
    for (c.base = 0; c.base < r->count && r->count > 1; ++c.base) {
        cdi_v3 along = cdi_v3_normalize(cdi_ring2_between(r, c.base, c.base + 1)), across = cdi_perp(along);
        double right = 0.0, left = 0.0, top = 0.0;
        c.right = c.left = c.top = c.base;
        for (size_t i = 0; i < r->count; ++i) {
            cdi_v3 d = cdi_ring2_between(r, c.base, i);
            double x = cdi_v3_dot(along, d), y = cdi_v3_dot(across, d);
            if (x > right) right = x, c.right = i;
            if (x < left) left = x, c.left = i;
            if (y > top) top = y, c.top = i;
        }
        cdi_best_rect_try(&best, r, &c);
    }
    return best.along;
}

/* ---- calipers ---- */

/* The sign of the product of the base with the edge from corner i, turned by a right angle first if asked to. */
static int cdi_ring2_rises(const cdi_ring2 *r, size_t base, size_t i, bool turned) {
    cdi_v2 a = cdi_ring2_at(r, base), b = cdi_ring2_at(r, base + 1);
    cdi_v2 p = cdi_ring2_at(r, i), q = cdi_ring2_at(r, i + 1), s = p, t = q;
    CDI_COUNT(rect);
    if (!turned) {
        s.x = -p.y, s.y = p.x;
        t.x = -q.y, t.y = q.x;
    }
    return cdi_sign(cdi_orient_edges(a, b, s, t));
}

/* Each corner is not before the one before it, and moves on while the polygon still rises toward its side. */
static void cdi_calipers_move(cdi_calipers *c, const cdi_ring2 *r) {
    if (c->right <= c->base) c->right = c->base + 1;
    while (cdi_ring2_rises(r, c->base, c->right, false) > 0) ++c->right;
    if (c->top < c->right) c->top = c->right;
    while (cdi_ring2_rises(r, c->base, c->top, true) > 0) ++c->top;
    if (c->left < c->top) c->left = c->top;
    while (cdi_ring2_rises(r, c->base, c->left, false) < 0) ++c->left;
}

CDI_FN cdi_v3 cdi_ring2_by_calipers(const cdi_ring2 *r) {
    cdi_best_rect best;
    cdi_calipers c;
    best.along = cdi_v3_make(1.0, 0.0, 0.0);
    c.right = c.top = c.left = 0;
    if (r->count == 2) return cdi_v3_normalize(cdi_ring2_between(r, 0, 1));
    for (c.base = 0; c.base < r->count && r->count > 2; ++c.base) {
        cdi_calipers_move(&c, r);
        cdi_best_rect_try(&best, r, &c);
    }
    return best.along;
}

/* ---- the rectangle ---- */

static void cdi_rect_store(const cdi_fit *f, cdi_v3 along, cd_obb2 *out) {
    cdi_m3 axes = cdi_fit_frame(along, cdi_perp(along));
    cd_obb box;
    cdi_fit_finish(f, &axes, &box);
    out->center = cd_vec2_make(box.center.x, box.center.y);
    out->axis = cd_vec2_make(box.axes.col[0].x, box.axes.col[0].y);
    out->half = cd_vec2_make(box.half.x, box.half.y);
}

static cd_status cdi_rect_around(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                 bool calipers, cd_obb2 *out) {
    uint32_t *corner = NULL;
    cdi_ring2 ring;
    cdi_fit f;
    cd_status status = cdi_fit_flat(&f, points, count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    if (count >= CD_NONE) return CD_TOO_LARGE;
    corner = (uint32_t *)cdi_alloc(allocator, count, sizeof *corner);
    if (!corner) return CD_OUT_OF_MEMORY;
    cd_hull2_andrew(points, count, corner, &ring.count);
    ring.points = points;
    ring.corner = corner;
    cdi_rect_store(&f, calipers ? cdi_ring2_by_calipers(&ring) : cdi_ring2_all_edges(&ring), out);
    cdi_free(allocator, corner, count, sizeof *corner);
    return CD_OK;
}

CD_API cd_status cd_min_area_rect(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                  cd_obb2 *out) {
    return cdi_rect_around(points, count, allocator, false, out);
}

CD_API cd_status cd_min_area_rect_calipers(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                           cd_obb2 *out) {
    return cdi_rect_around(points, count, allocator, true, out);
}
