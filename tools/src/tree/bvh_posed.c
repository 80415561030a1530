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

/* Two items, how far any points of theirs are apart, and how much room is left. */
typedef struct cdi_posed_parting {
    cdi_posed_frame a, b;
    cdi_posed_way way;
    double size, margin;
    double until; /* the best so far */
} cdi_posed_parting;

/* What a plane is normal to; it turns by `rate`. */
typedef struct cdi_posed_normal {
    cdi_v3 n, rate;
    double most, turn; /* at least its length, and the rate of its turn */
} cdi_posed_normal;

/* How high the corners are above a plane, and how fast they rise. */
typedef struct cdi_posed_heights {
    double at[8], rise[8];
    int count;
} cdi_posed_heights;

static void cdi_posed_heights_of(const cdi_posed_frame *f, const cdi_posed_course *c,
                                 const cdi_posed_normal *n, cdi_posed_heights *out) {
    out->count = f->corners;
    for (int i = 0; i < f->corners; ++i) {
        cdi_v3 turn = cdi_v3_cross(c->spin, cdi_v3_sub(f->corner[i], c->center));
        out->at[i] = cdi_v3_dot(n->n, f->corner[i]);
        out->rise[i] = cdi_v3_dot(n->n, cdi_v3_add(c->velocity, turn)) + cdi_v3_dot(n->rate, f->corner[i]);
    }
}

/* Until when a gap lasts that closes by `speed`, which grows by `bend` at most. */
static double cdi_posed_spent(double gap, double speed, double bend) {
    double root = cdi_sqrt(speed * speed + 2.0 * bend * gap), most = CDI_HUGE;
    if (!(gap > 0.0)) return 0.0;
    if (speed < 0.0) return bend > 0.0 ? cdi_min((root - speed) / bend, most) : most;
    return speed + root > 0.0 ? cdi_min(2.0 * gap / (speed + root), most) : most;
}

/* Until when all corners of `upper` are above those of `lower`? */
static double cdi_posed_above(const cdi_posed_heights *lower, const cdi_posed_heights *upper, double sign,
                              double margin, double growth, double bend, double least) {
    double until = CDI_HUGE;
    for (int i = 0; i < lower->count; ++i) {
        for (int k = 0; k < upper->count && until > least; ++k) {
            double gap = sign * (upper->at[k] - lower->at[i]) - margin,
                   speed = sign * (lower->rise[i] - upper->rise[k]) + growth;
            until = cdi_min(until, cdi_posed_spent(gap, speed, bend));
        }
    }
    return until;
}

/* Until when does a plane part the two, with the margin between them? How high a corner of the one is above one of the other changes
 * as its height and its rise say, but for what the plane and the bodies turn by. */
static void cdi_posed_part(cdi_posed_parting *s, const cdi_posed_normal *n) {
    double ahead = n->turn > 0.0 ? cdi_min(s->way.ahead, s->size / s->way.speed) : s->way.ahead;
    double reach = s->size + s->way.speed * ahead, until = 0.0;
    double bend =
        n->most * (n->turn * (n->turn * (n->turn > 0.0 ? reach : 0.0) + 2.0 * s->way.speed) + s->way.bend);
    double margin = s->margin * cdi_v3_length(n->n), growth = s->margin * n->most * n->turn;
    cdi_posed_heights a, b;
    if (!(n->most > 0.0)) return;
    cdi_posed_heights_of(&s->a, &s->way.a, n, &a);
    cdi_posed_heights_of(&s->b, &s->way.b, n, &b);
    until = cdi_max(until, cdi_posed_above(&a, &b, 1.0, margin, growth, bend, s->until));
    until = cdi_max(until, cdi_posed_above(&a, &b, -1.0, margin, growth, bend, s->until));
    s->until = cdi_max(s->until, cdi_min(until, ahead));
}

/* A plane that goes with a body. */
static void cdi_posed_part_with(cdi_posed_parting *s, cdi_v3 n, const cdi_posed_course *c) {
    cdi_posed_normal p;
    p.n = n;
    p.rate = cdi_v3_cross(c->spin, n);
    p.most = cdi_v3_length(n);
    p.turn = c->turn;
    cdi_posed_part(s, &p);
}

/* A plane along two edges, each of which goes with its body. */
static void cdi_posed_part_edges(cdi_posed_parting *s, cdi_v3 a, cdi_v3 b) {
    cdi_posed_normal p;
    p.n = cdi_v3_cross(a, b);
    p.rate = cdi_v3_add(cdi_v3_cross(cdi_v3_cross(s->way.a.spin, a), b),
                        cdi_v3_cross(a, cdi_v3_cross(s->way.b.spin, b)));
    p.most = cdi_v3_length(a) * cdi_v3_length(b);
    p.turn = s->way.a.turn + s->way.b.turn;
    cdi_posed_part(s, &p);
}

/* The way between the two nearest points has few digits where they are near: but an edge that it is across it is across of. */
static void cdi_posed_part_squared(cdi_posed_parting *s, cdi_v3 way, cdi_v3 edge, const cdi_posed_course *c) {
    double square = cdi_v3_sqlength(edge);
    if (square > 0.0) cdi_posed_part_with(s, cdi_v3_along(way, edge, -cdi_v3_dot(way, edge) / square), c);
}

static void cdi_posed_course_scale(cdi_posed_course *c, int shift) {
    c->center = cdi_v3_scale2(c->center, shift);
    c->velocity = cdi_v3_scale2(c->velocity, shift);
}

static void cdi_posed_parting_of(cdi_posed_parting *s, const cdi_posed *a, const cdi_posed *b,
                                 const cdi_posed_way *way, int shift) {
    cdi_posed_frame_of(a, shift, &s->a);
    cdi_posed_frame_of(b, shift, &s->b);
    s->way = *way;
    cdi_posed_course_scale(&s->way.a, shift);
    cdi_posed_course_scale(&s->way.b, shift);
    s->way.speed = cdi_scale2(way->speed, shift);
    s->way.bend = cdi_scale2(way->bend, shift);
    s->margin = cdi_scale2(way->room + way->tolerance, shift);
    s->until = s->size = 0.0;
    for (int i = 0; i < s->a.corners; ++i)
        for (int k = 0; k < s->b.corners; ++k)
            s->size = cdi_max(s->size, cdi_v3_length(cdi_v3_sub(s->a.corner[i], s->b.corner[k])));
}

CDI_FN double cdi_posed_sqlead(const cdi_posed *a, const cdi_posed *b, const cdi_posed_way *way,
                               double sqdist) {
    int shift = cdi_tame_shift(cdi_max(cdi_posed_size(a), cdi_posed_size(b)));
    cdi_posed_course rest;
    cdi_posed_parting s;
    cdi_v3 between;
    double lead;
    if (!(sqdist > 0.0 && sqdist < CDI_HUGE)) return sqdist;
    cdi_clear(&rest, sizeof rest);
    cdi_posed_parting_of(&s, a, b, way, shift);
    between = cdi_posed_bridge(a, b, CDI_HUGE, true, shift).between;
    cdi_posed_part_with(&s, between, &rest);
    for (int i = 0; i < 3; ++i) {
        cdi_posed_part_with(&s, s.a.normal[i], &s.way.a);
        cdi_posed_part_with(&s, s.b.normal[i], &s.way.b);
        cdi_posed_part_squared(&s, between, s.a.edge[i], &s.way.a);
        cdi_posed_part_squared(&s, between, s.b.edge[i], &s.way.b);
        for (int k = 0; k < 3; ++k) cdi_posed_part_edges(&s, s.a.edge[i], s.b.edge[k]);
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
