#include "tree/bvh_posed.h"
#include "query/closest_pairs.h"
#include "query/flat3d.h"
#include "query/obb.h"
#include "query/sweep_tile.h"
#include "query/test.h"
#include "query/triangle_triangle3d.h"

/* ---- reading ---- */

static cdi_v3 cdi_placed(const cdi_placing *at, cd_vec3 p) {
    return cdi_v3_of(at->moved ? cdi_pose_point_round(&at->pose, p) : p);
}

CDI_FN void cdi_posed_read(cdi_posed *out, const cdi_bvh *tree, uint32_t item, const cdi_placing *at) {
    out->item = item;
    if (cdi_bvh_is_triangles(tree)) {
        cd_triangle t = cdi_bvh_triangle_of(tree, item);
        out->kind = CDI_POSED_TRIANGLE;
        out->u.tri.v[0] = cdi_placed(at, t.a);
        out->u.tri.v[1] = cdi_placed(at, t.b);
        out->u.tri.v[2] = cdi_placed(at, t.c);
    } else if (tree->item == CD_BVH_POINTS) {
        cdi_v3 p = cdi_placed(at, cdi_bvh_point_of(tree, item));
        out->kind = CDI_POSED_POINT;
        out->u.tri.v[0] = out->u.tri.v[1] = out->u.tri.v[2] = p;
    } else if (at->moved) {
        cd_obb b = cd_obb_from_aabb(cdi_bvh_box_of(tree, item));
        out->kind = CDI_POSED_OBB;
        out->u.obb = cd_obb_transform(&b, &at->transform);
    } else {
        out->kind = CDI_POSED_BOX;
        out->u.box = cdi_bvh_box_of(tree, item);
    }
}

CDI_FN void cdi_posed_bounds(const cdi_posed *p, cdi_v3 *lo, cdi_v3 *hi) {
    cd_aabb b;
    if (p->kind <= CDI_POSED_POINT) {
        cdi_tri_bounds(&p->u.tri, lo, hi);
        return;
    }
    b = p->kind == CDI_POSED_BOX ? p->u.box : cd_aabb_from_obb(&p->u.obb);
    *lo = cdi_v3_of(b.min);
    *hi = cdi_v3_of(b.max);
}

/* ---- do they meet? ---- */

static cd_triangle cdi_posed_triangle(const cdi_posed *p) {
    cd_triangle t;
    t.a = cdi_v3_round(p->u.tri.v[0]);
    t.b = cdi_v3_round(p->u.tri.v[1]);
    t.c = cdi_v3_round(p->u.tri.v[2]);
    return t;
}

/* A triangle or point against a box of either kind. */
static bool cdi_posed_meets_box(const cdi_posed *p, const cdi_posed *box) {
    cd_triangle t = cdi_posed_triangle(p);
    if (box->kind == CDI_POSED_BOX) return cd_test_triangle_aabb(&t, box->u.box);
    if (p->kind == CDI_POSED_POINT) return cd_test_point_obb(t.a, &box->u.obb);
    return cd_test_triangle_obb(&t, &box->u.obb);
}

CDI_FN bool cdi_posed_meet(const cdi_posed *a, const cdi_posed *b) {
    bool box_a = a->kind > CDI_POSED_POINT, box_b = b->kind > CDI_POSED_POINT;
    if (!box_a && !box_b) return cdi_test_tri_tri(&a->u.tri, &b->u.tri);
    if (!box_a) return cdi_posed_meets_box(a, b);
    if (!box_b) return cdi_posed_meets_box(b, a);
    if (b->kind == CDI_POSED_OBB) return cd_test_obb_aabb(&b->u.obb, a->u.box);
    return cd_test_aabb_aabb(a->u.box, b->u.box);
}

/* ---- how far are they apart? ---- */

static bool cdi_posed_finite(const cdi_posed *p) {
    cdi_obb b;
    if (p->kind <= CDI_POSED_POINT) return cdi_tri_finite(&p->u.tri);
    if (p->kind == CDI_POSED_BOX) return true;
    b = cdi_obb_of(&p->u.obb);
    return cdi_obb_finite(&b);
}

static double cdi_posed_size(const cdi_posed *p) {
    cdi_v3 lo, hi;
    cdi_posed_bounds(p, &lo, &hi);
    return cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi));
}

/* Corner `i` of a box. */
static cdi_v3 cdi_posed_corner(const cdi_posed *p, int i) {
    cdi_obb b;
    if (p->kind == CDI_POSED_BOX) {
        cd_vec3 lo = p->u.box.min, hi = p->u.box.max;
        return cdi_v3_make((double)(i & 1 ? hi.x : lo.x), (double)(i & 2 ? hi.y : lo.y),
                           (double)(i & 4 ? hi.z : lo.z));
    }
    b = cdi_obb_of(&p->u.obb);
    return cdi_obb_world(&b, cdi_v3_make(i & 1 ? b.half[0] : -b.half[0], i & 2 ? b.half[1] : -b.half[1],
                                         i & 4 ? b.half[2] : -b.half[2]));
}

static int cdi_posed_faces(const cdi_posed *p) {
    return p->kind <= CDI_POSED_POINT ? 1 : 6;
}

/* The face `k` as a flat figure; a triangle or a point is one. */
static cdi_flat cdi_posed_face(const cdi_posed *p, int k, int shift) {
    int axis = k >> 1, from = k & 1 ? 1 << axis : 0, i = 1 << (axis + 1) % 3, j = 1 << (axis + 2) % 3;
    cdi_flat f;
    f.count = p->kind == CDI_POSED_POINT ? 1 : p->kind == CDI_POSED_TRIANGLE ? 3 : 4;
    if (p->kind <= CDI_POSED_POINT) {
        for (int n = 0; n < 4; ++n) f.v[n] = cdi_v3_scale2(p->u.tri.v[n % 3], shift);
        return f;
    }
    f.v[0] = cdi_v3_scale2(cdi_posed_corner(p, from), shift);
    f.v[1] = cdi_v3_scale2(cdi_posed_corner(p, from + i), shift);
    f.v[2] = cdi_v3_scale2(cdi_posed_corner(p, from + i + j), shift);
    f.v[3] = cdi_v3_scale2(cdi_posed_corner(p, from + j), shift);
    return f;
}

/* The nearest points of two that do not meet: CDI_HUGE apart when farther than `reach`. Where they do, which only boxes may
 * without a word of it, `apart` is false. */
static cdi_bridge cdi_posed_bridge(const cdi_posed *a, const cdi_posed *b, double reach, bool apart,
                                   int shift) {
    cdi_bridge best;
    cdi_clear(&best, sizeof best);
    best.sqdist = CDI_HUGE;
    for (int i = 0; i < cdi_posed_faces(a); ++i) {
        cdi_flat f = cdi_posed_face(a, i, shift);
        for (int j = 0; j < cdi_posed_faces(b); ++j) {
            cdi_flat g = cdi_posed_face(b, j, shift);
            cdi_bridge gap = apart ? cdi_near_flats_apart(&f, &g, reach) : cdi_near_flats(&f, &g, reach);
            if (gap.sqdist < best.sqdist) best = gap;
        }
    }
    return best;
}

/* Beyond this nothing is within `most`: with room for the rounding of heights over needles. */
static double cdi_posed_reach(double most, double size) {
    return most < 1e300 ? cdi_sqrt(most) * (1.0 + 1e-9) + 1e-11 * size : CDI_HUGE;
}

CDI_FN double cdi_posed_sqdist(const cdi_posed *a, const cdi_posed *b, double most) {
    double size = cdi_max(cdi_posed_size(a), cdi_posed_size(b)), sqdist;
    int shift = cdi_tame_shift(size);
    double scaled = cdi_scale2(cdi_scale2(most, shift), shift);
    if (!cdi_posed_finite(a) || !cdi_posed_finite(b)) return cdi_infinity();
    if (cdi_posed_meet(a, b)) return 0.0;
    sqdist = cdi_posed_bridge(a, b, cdi_posed_reach(scaled, cdi_scale2(size, shift)), true, shift).sqdist;
    if (!(sqdist < CDI_HUGE)) return cdi_infinity();
    return cdi_max(cdi_scale2(sqdist, -2 * shift), 4.94065645841246544e-324);
}

/* A point of two that meet, one of which is a box. */
static cd_vec3 cdi_posed_common(const cdi_posed *a, const cdi_posed *b, int shift) {
    cdi_bridge gap = cdi_posed_bridge(a, b, 0.0, false, shift);
    cdi_v3 lo, hi, middle;
    cdi_posed other = *a;
    if (gap.sqdist < CDI_HUGE) return cdi_v3_round_back(gap.b, shift);
    cdi_posed_bounds(b, &lo, &hi);
    middle = cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5);
    if (b->kind <= CDI_POSED_POINT) return cdi_v3_round(b->u.tri.v[0]);
    if (a->kind <= CDI_POSED_POINT) return cdi_v3_round(a->u.tri.v[0]);
    other.kind = CDI_POSED_POINT;
    other.u.tri.v[0] = other.u.tri.v[1] = other.u.tri.v[2] = middle;
    if (!cdi_posed_meets_box(&other, a)) {
        cdi_posed_bounds(a, &lo, &hi);
        middle = cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5);
    }
    return cdi_v3_round(middle);
}

CDI_FN void cdi_posed_closest(const cdi_posed *a, const cdi_posed *b, double sqdist, cd_closest *out) {
    int shift = cdi_tame_shift(cdi_max(cdi_posed_size(a), cdi_posed_size(b)));
    if (a->kind <= CDI_POSED_POINT && b->kind <= CDI_POSED_POINT) {
        cd_triangle t = cdi_posed_triangle(a), u = cdi_posed_triangle(b);
        *out = cd_closest_pts_triangle_triangle(&t, &u);
        return;
    }
    cdi_clear(out, sizeof *out);
    if (sqdist == 0.0) {
        out->a = out->b = cdi_posed_common(a, b, shift);
        return;
    }
    {
        cdi_bridge gap = cdi_posed_bridge(a, b, CDI_HUGE, true, shift);
        out->a = cdi_v3_round_back(gap.a, shift);
        out->b = cdi_v3_round_back(gap.b, shift);
        out->sqdist = cdi_real_or_infinity(sqdist);
        if (!(out->sqdist > 0)) out->sqdist = cdi_next_real(0, true);
    }
}

/* ---- how long are they apart? ---- */

/* The corners of an item, its edges, and what is normal to its faces; some may be 0. */
typedef struct cdi_posed_frame {
    cdi_v3 corner[8], edge[3], normal[3];
    int corners;
} cdi_posed_frame;

static void cdi_posed_frame_of(const cdi_posed *p, int shift, cdi_posed_frame *out) {
    bool box = p->kind > CDI_POSED_POINT;
    cdi_clear(out, sizeof *out);
    out->corners = box ? 8 : p->kind == CDI_POSED_POINT ? 1 : 3;
    for (int i = 0; i < out->corners; ++i)
        out->corner[i] = cdi_v3_scale2(box ? cdi_posed_corner(p, i) : p->u.tri.v[i], shift);
    if (p->kind == CDI_POSED_POINT) return;
    for (int i = 0; i < 3; ++i) {
        out->edge[i] = cdi_v3_sub(out->corner[box ? 1 << i : (i + 1) % 3], out->corner[box ? 0 : i]);
        if (box) out->normal[i] = out->edge[i];
    }
    if (!box) out->normal[0] = cdi_v3_cross(out->edge[0], out->edge[1]);
}

typedef struct cdi_posed_parting {
    cdi_posed_frame a, b;
    cdi_v3 way;
    double margin;
    double until; /* the best so far */
} cdi_posed_parting;

static double cdi_posed_spent(double gap, double speed) {
    return !(gap > 0.0) ? 0.0 : speed <= 0.0 ? CDI_HUGE : gap / speed;
}

/* Until when does a plane across `n` part the two, with the margin between them? */
static void cdi_posed_part(cdi_posed_parting *s, cdi_v3 n) {
    double a_lo = CDI_HUGE, a_hi = -CDI_HUGE, b_lo = CDI_HUGE, b_hi = -CDI_HUGE;
    double margin = s->margin * cdi_v3_length(n), speed = cdi_v3_dot(n, s->way);
    for (int i = 0; i < s->a.corners; ++i) {
        double x = cdi_v3_dot(n, s->a.corner[i]);
        a_lo = cdi_min(a_lo, x);
        a_hi = cdi_max(a_hi, x);
    }
    for (int i = 0; i < s->b.corners; ++i) {
        double x = cdi_v3_dot(n, s->b.corner[i]);
        b_lo = cdi_min(b_lo, x);
        b_hi = cdi_max(b_hi, x);
    }
    s->until = cdi_max(s->until, cdi_posed_spent(b_lo - a_hi - margin, speed));
    s->until = cdi_max(s->until, cdi_posed_spent(a_lo - b_hi - margin, -speed));
}

/* The way between the two nearest points has few digits where they are near: but an edge that it is across it is across of. */
static void cdi_posed_part_squared(cdi_posed_parting *s, cdi_v3 way, cdi_v3 edge) {
    double square = cdi_v3_sqlength(edge);
    if (square > 0.0) cdi_posed_part(s, cdi_v3_along(way, edge, -cdi_v3_dot(way, edge) / square));
}

CDI_FN double cdi_posed_sqlead(const cdi_posed *a, const cdi_posed *b, const cdi_posed_way *way,
                               double sqdist) {
    int shift = cdi_tame_shift(cdi_max(cdi_posed_size(a), cdi_posed_size(b)));
    cdi_posed_parting s;
    cdi_v3 between;
    double lead;
    if (!(sqdist > 0.0 && sqdist < CDI_HUGE)) return sqdist;
    cdi_posed_frame_of(a, shift, &s.a);
    cdi_posed_frame_of(b, shift, &s.b);
    s.way = cdi_v3_scale2(way->way, shift);
    s.margin = cdi_scale2(way->room + way->tolerance, shift);
    s.until = 0.0;
    between = cdi_posed_bridge(a, b, CDI_HUGE, true, shift).between;
    cdi_posed_part(&s, between);
    for (int i = 0; i < 3; ++i) {
        cdi_posed_part(&s, s.a.normal[i]);
        cdi_posed_part(&s, s.b.normal[i]);
        cdi_posed_part_squared(&s, between, s.a.edge[i]);
        cdi_posed_part_squared(&s, between, s.b.edge[i]);
        for (int k = 0; k < 3; ++k) cdi_posed_part(&s, cdi_v3_cross(s.a.edge[i], s.b.edge[k]));
    }
    lead = s.until * way->speed + way->room;
    return cdi_max(sqdist, lead * lead);
}

/* ---- when do they meet? ---- */

static bool cdi_posed_box_of(const cdi_posed *p, cdi_obb *out) {
    return p->kind == CDI_POSED_BOX ? cdi_any_box_of_aabb(p->u.box, out) : cdi_any_box_of_obb(&p->u.obb, out);
}

CDI_FN bool cdi_posed_sweep(const cdi_cast *c, const cdi_posed *a, const cdi_posed *b, cd_hit *hit) {
    bool box_a = a->kind > CDI_POSED_POINT, box_b = b->kind > CDI_POSED_POINT;
    cd_triangle t;
    cdi_tile patch;
    cdi_obb own, other;
    if (box_a && b->kind == CDI_POSED_BOX) return cdi_sweep_to_aabb(c, a->u.box, b->u.box, hit);
    if (box_b && !cdi_posed_box_of(b, &other)) return false;
    if (box_a && !cdi_posed_box_of(a, &own)) return false;
    if (box_a && box_b) return cdi_sweep_to_box(c, &own, &other, hit);
    t = cdi_posed_triangle(box_a ? b : a);
    if (box_a) return cdi_sweep_to_triangle(c, &own, &t, hit);
    if (!cdi_tile_of(&patch, &t)) return false;
    if (box_b) return cdi_sweep_tile_box(c, &patch, &other, hit);
    t = cdi_posed_triangle(b);
    return cdi_sweep_tile_triangle(c, &patch, &t, hit);
}
