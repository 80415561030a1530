#include "any/bulk.h"
#include "query/closest3d.h"
#include "query/triangle_triangle3d.h"
#include "tree/bvh_distance.h"
#include "tree/bvh_walk.h"

/* ---- opening ---- */

static bool cdi_bulk_open(cdi_bulk *out, const cd_solid *s) {
    const cdi_bvh_header *h;
    cdi_clear(out, sizeof *out);
    if (!s || !s->tree) return false;
    out->solid = s;
    out->empty = !cdi_bvh_open(&out->tree, s->tree);
    if (out->empty) return true;
    if (!cd_solid_is_valid(s)) return false;
    h = out->tree.header;
    for (int k = 0; k < 3; ++k) out->size = cdi_max(out->size, cdi_max(cdi_abs(h->lo[k]), cdi_abs(h->hi[k])));
    return true;
}

CDI_FN cd_status cdi_bulks_open(cdi_bulks *out, const cd_solid *a, const cd_solid *b,
                                const cd_transform *b_in_a) {
    cd_transform pose = b_in_a ? *b_in_a : cd_transform_identity();
    cdi_clear(out, sizeof *out);
    if (!cd_transform_is_valid(&pose) || !cdi_bulk_open(&out->a, a) || !cdi_bulk_open(&out->b, b))
        return CD_INVALID_ARGUMENT;
    out->b_in_a = cdi_pose_of(&pose);
    cdi_bulks_move(out, cdi_v3_make(0.0, 0.0, 0.0));
    return CD_OK;
}

CDI_FN void cdi_bulks_move(cdi_bulks *s, cdi_v3 way) {
    s->b_in_a.position = cdi_v3_add(s->b_in_a.position, way);
    s->a_in_b = cdi_pose_inverse(&s->b_in_a);
    s->margin = 16.0 * (double)CD_REAL_EPSILON;
    s->margin *= cdi_max(cdi_max(s->a.size, s->b.size), cdi_v3_max_abs(s->b_in_a.position));
}

CDI_FN cd_transform cdi_pose_moved(const cd_transform *b_in_a, cdi_v3 way) {
    cd_transform r = b_in_a ? *b_in_a : cd_transform_identity();
    r.position = cdi_v3_round(cdi_v3_add(cdi_v3_of(r.position), way));
    return r;
}

/* ---- one point ---- */

static bool cdi_field_inside(const cdi_bulk *x, cdi_v3 p, double margin) {
    const cdi_height_field *g = cdi_bvh_field(&x->tree);
    cd_real height;
    if (!cd_heights_height_at(x->solid->tree, cdi_real_or_infinity(cdi_v3_get(p, (int)g->axis[0])),
                              cdi_real_or_infinity(cdi_v3_get(p, (int)g->axis[1])), &height, NULL))
        return false;
    return cdi_v3_get(p, (int)g->axis[2]) <= (double)height - margin;
}

CDI_FN bool cdi_bulk_inside(const cdi_bulk *x, cdi_v3 p, double margin) {
    const cd_solid *s = x->solid;
    if (x->empty || !cdi_v3_finite(p)) return false;
    if (cdi_bulk_is_field(x)) return cdi_field_inside(x, p, margin);
    return s->winding && cdi_winding_search(s->winding, s->tree, p, CDI_WINDING_FIRST, 0.0, 0.5) >= 0.5;
}

typedef struct cdi_spot_search {
    cdi_v3 p;
    cdi_frame_point point;
    cdi_bulk_spot best;
    bool any, found; /* the first found will do */
} cdi_spot_search;

static uint32_t cdi_spot_bounds(const void *q, const cdi_bvh_node *node, float limit, float bound[8]) {
    cdi_f8 sqdist = cdi_sqdist_boxes(&((const cdi_spot_search *)q)->point, node);
    cdi_f8_store(bound, sqdist);
    return cdi_f8_le(sqdist, cdi_f8_all(limit));
}

/* Of equally near ones the smallest index. */
static bool cdi_spot_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_spot_search *s = (cdi_spot_search *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri t = cdi_bvh_tri(tree, i);
        cdi_near near_by = cdi_near_triangle(s->p, &t);
        CDI_COUNT(triangle);
        if (!(near_by.sqdist <= s->best.sqdist)) continue;
        if (s->found && near_by.sqdist == s->best.sqdist &&
            cdi_bvh_index(tree, i) > cdi_bvh_index(tree, s->best.item))
            continue;
        s->found = true;
        s->best.sqdist = near_by.sqdist;
        s->best.point = near_by.point;
        s->best.item = i;
        if (s->any) return false;
        *limit = cdi_frame_sqdist(&tree->header->frame, near_by.sqdist);
    }
    return true;
}

static bool cdi_spot_find(const cdi_bulk *x, cdi_v3 p, double reach, bool any, cdi_bulk_spot *out) {
    cdi_spot_search s;
    const cdi_frame *f = &x->tree.header->frame;
    if (x->empty || !cdi_v3_finite(p)) return false;
    s.p = p;
    s.point = cdi_frame_point_of(f, p);
    s.best.sqdist = cdi_min(reach * reach, CDI_HUGE);
    s.any = any;
    s.found = false;
    cdi_walk_nearest(&x->tree, &s, cdi_frame_sqdist(f, s.best.sqdist), cdi_spot_bounds, cdi_spot_leaf);
    if (s.found && out) *out = s.best;
    return s.found;
}

CDI_FN bool cdi_bulk_nearest(const cdi_bulk *x, cdi_v3 p, double reach, cdi_bulk_spot *out) {
    return cdi_spot_find(x, p, reach, false, out);
}

/* ---- balls ---- */

/* Beyond the bounds; of a height field what is below is not. */
static bool cdi_bulk_is_beyond(const cdi_bulk *x, cdi_v3 c, double r) {
    const cdi_bvh_header *h = x->tree.header;
    int up = cdi_bulk_is_field(x) ? (int)cdi_bvh_field(&x->tree)->axis[2] : 3;
    for (int k = 0; k < 3; ++k) {
        double at = cdi_v3_get(c, k);
        if (at - r > h->hi[k] || (k != up && at + r < h->lo[k])) return true;
    }
    return false;
}

CDI_FN int cdi_bulk_ball(const cdi_bulk *x, cdi_v3 center, double radius, double margin) {
    if (cdi_bulk_is_beyond(x, center, radius)) return -1;
    if (cdi_bulk_is_field(x) || cdi_spot_find(x, center, radius + margin, true, NULL)) return 0;
    return cdi_bulk_inside(x, center, margin) ? 1 : -1;
}

CDI_FN void cdi_bulk_lane_ball(const cdi_bulk *y, const cdi_bvh_node *node, uint32_t lane,
                               const cdi_pose *pose, cdi_v3 *center, double *radius) {
    const cdi_frame *f = &y->tree.header->frame;
    double c[3], sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double lo = (double)node->lo[k][lane], hi = (double)node->hi[k][lane], half = 0.5 * hi - 0.5 * lo;
        c[k] = cdi_scale2(0.5 * lo + 0.5 * hi, f->exponent) + f->origin[k];
        sum += half * half;
    }
    *center = cdi_pose_point(pose, cdi_v3_make(c[0], c[1], c[2]));
    *radius = cdi_scale2(cdi_sqrt(sum), f->exponent) * 1.000001 + 1e-14 * cdi_v3_max_abs(*center);
}

/* ---- is any piece inside? ---- */

/* A corner of a piece that is outside: all triangles that have it are, as no surfaces meet. */
#define CDI_BULK_KNOWN 16u

typedef struct cdi_bulk_hold {
    const cdi_bulk *x, *y;
    const cdi_pose *pose;
    double margin;
    cdi_v3 known[CDI_BULK_KNOWN];
    uint32_t count, next;
} cdi_bulk_hold;

static bool cdi_hold_knows(const cdi_bulk_hold *s, cdi_v3 p) {
    for (uint32_t i = 0; i < s->count; ++i) {
        if (cdi_v3_is_zero(cdi_v3_sub(s->known[i], p))) return true;
    }
    return false;
}

static void cdi_hold_learn(cdi_bulk_hold *s, cdi_v3 p) {
    if (cdi_hold_knows(s, p)) return;
    s->known[s->next] = p;
    s->next = (s->next + 1) % CDI_BULK_KNOWN;
    if (s->count < CDI_BULK_KNOWN) ++s->count;
}

/* A triangle of y. A corner that is too near to the surface tells nothing. */
static bool cdi_hold_item(cdi_bulk_hold *s, uint32_t item) {
    cdi_tri t = cdi_bvh_tri(&s->y->tree, item);
    bool field = cdi_bulk_is_field(s->x), outside = false;
    for (int i = 0; i < 3 && !field; ++i) outside = outside || cdi_hold_knows(s, t.v[i]);
    for (int i = 0; i < 3 && !outside; ++i) {
        cdi_v3 p = cdi_pose_point(s->pose, t.v[i]);
        bool inside = cdi_bulk_inside(s->x, p, s->margin);
        if (cdi_spot_find(s->x, p, s->margin, true, NULL)) continue;
        if (inside) return true;
        outside = !field;
    }
    for (int i = 0; i < 3 && outside; ++i) cdi_hold_learn(s, t.v[i]);
    return false;
}

/* A child of a node: 1 inside, -1 outside, 0 to be descended into. */
static int cdi_hold_lane(cdi_bulk_hold *s, const cdi_bvh_node *node, uint32_t lane) {
    cdi_v3 center;
    double radius;
    int state;
    cdi_bulk_lane_ball(s->y, node, lane, s->pose, &center, &radius);
    state = cdi_bulk_ball(s->x, center, radius, s->margin);
    if (state != 0 || node->count[lane] == 0) return state;
    for (uint32_t i = 0; i < node->count[lane]; ++i) {
        if (cdi_hold_item(s, node->child[lane] + i)) return 1;
    }
    return -1;
}

CDI_FN bool cdi_bulk_holds(const cdi_bulk *x, const cdi_bulk *y, const cdi_pose *y_in_x, double margin) {
    cdi_bulk_hold s;
    uint32_t stack[CDI_BVH_STACK], top = 0;
    if (x->empty || y->empty || (!cdi_bulk_is_field(x) && !x->solid->winding)) return false;
    s.x = x;
    s.y = y;
    s.pose = y_in_x;
    s.margin = margin;
    s.count = s.next = 0;
    stack[top++] = 0;
    while (top > 0) {
        cdi_bvh_node scratch;
        const cdi_bvh_node *node = cdi_bvh_at(&y->tree, stack[--top], &scratch);
        CDI_COUNT(node);
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
            int state = cdi_hold_lane(&s, node, i);
            if (state > 0) return true;
            if (state == 0) stack[top++] = node->child[i];
        }
    }
    return false;
}

/* ---- the deepest point ----
 *
 * Depth is the distance to the other's surface, so that no point within r of one is deeper by more than r; and no point of a triangle is farther from
 * a triangle of that surface than the farthest of its corners is, as the distance to a convex set is convex. */

#define CDI_PIECES 64u

typedef struct cdi_deep_search {
    const cdi_bulk *x, *y;
    const cdi_pose *pose;
    cdi_deep *d;
} cdi_deep_search;

static void cdi_deep_note(cdi_deep_search *s, cdi_v3 p, uint32_t item, const cdi_bulk_spot *spot,
                          double depth) {
    cdi_deep *d = s->d;
    if (!(depth > d->depth) && d->found) return;
    d->found = true;
    d->depth = depth;
    d->at = p;
    d->on = spot->point;
    d->item_at = item;
    d->item_on = spot->item;
    d->of_b = false;
}

/* How deep points within r of c may be; below 0 when none is inside. `item`: c is a point of that triangle, else CD_NONE. */
static double cdi_deep_bound(cdi_deep_search *s, cdi_v3 c, double r, uint32_t item, cdi_bulk_spot *spot,
                             bool *outside) {
    double dist;
    *outside = false;
    if (s->d->left > 0) --s->d->left;
    if (cdi_bulk_is_beyond(s->x, c, r) || !cdi_bulk_nearest(s->x, c, CDI_HUGE, spot)) return -1.0;
    dist = cdi_sqrt(spot->sqdist);
    if (dist + r <= cdi_deep_enough(s->d)) return dist + r;
    *outside = !cdi_bulk_inside(s->x, c, 0.0);
    if (*outside) return r - dist;
    if (item != CD_NONE) cdi_deep_note(s, c, item, spot, dist);
    return dist + r;
}

typedef struct cdi_shard_stack {
    cdi_tri piece[CDI_PIECES];
    uint32_t count;
} cdi_shard_stack;

static void cdi_shard_push(cdi_shard_stack *s, cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_tri *t = &s->piece[s->count++];
    t->v[0] = a;
    t->v[1] = b;
    t->v[2] = c;
}

/* In two, across the longest edge. */
static void cdi_shard_halve(cdi_shard_stack *s, const cdi_tri *t) {
    int best = 0;
    double most = -1.0;
    cdi_v3 middle;
    for (int i = 0; i < 3; ++i) {
        double square = cdi_v3_sqlength(cdi_v3_sub(t->v[(i + 1) % 3], t->v[i]));
        if (square > most) {
            most = square;
            best = i;
        }
    }
    middle = cdi_v3_scale(cdi_v3_add(t->v[best], t->v[(best + 1) % 3]), 0.5);
    cdi_shard_push(s, t->v[(best + 2) % 3], t->v[best], middle);
    cdi_shard_push(s, middle, t->v[(best + 1) % 3], t->v[(best + 2) % 3]);
}

/* In three by a plane that its corners are so far from, on both sides. */
static void cdi_shard_cut(cdi_shard_stack *s, const cdi_tri *t, const double h[3]) {
    int one = 0; /* the corner that is alone on its side */
    cdi_v3 p, q, a, b, c;
    for (int i = 0; i < 3; ++i) {
        bool side = h[i] > 0.0;
        if (side != (h[(i + 1) % 3] > 0.0) && side != (h[(i + 2) % 3] > 0.0)) one = i;
    }
    a = t->v[one];
    b = t->v[(one + 1) % 3];
    c = t->v[(one + 2) % 3];
    p = cdi_v3_along(a, cdi_v3_sub(b, a), h[one] / (h[one] - h[(one + 1) % 3]));
    q = cdi_v3_along(a, cdi_v3_sub(c, a), h[one] / (h[one] - h[(one + 2) % 3]));
    cdi_shard_push(s, a, p, q);
    cdi_shard_push(s, p, b, c);
    cdi_shard_push(s, p, c, q);
}

/* Cuts by a plane through a point with a unit normal; false when the piece is on one side of it, but for rounding. */
static bool cdi_shard_cut_by(cdi_shard_stack *s, const cdi_tri *t, cdi_v3 at, cdi_v3 normal, double size) {
    double h[3];
    for (int i = 0; i < 3; ++i) h[i] = cdi_v3_dot(normal, cdi_v3_sub(t->v[i], at));
    if (!(cdi_min(cdi_min(h[0], h[1]), h[2]) < -1e-12 * size &&
          cdi_max(cdi_max(h[0], h[1]), h[2]) > 1e-12 * size))
        return false;
    cdi_shard_cut(s, t, h);
    return true;
}

/* Where the piece lies along triangle g, no farther from its plane than `near`, but over an edge of it: cuts there. Else where it goes through the plane of one that is no
 * smaller than its own radius r. False when it does neither. */
static bool cdi_shard_cut_at(cdi_shard_stack *s, const cdi_tri *t, const cdi_tri *g, double near_by, double r,
                             double size) {
    cdi_v3 n = cdi_v3_unit(cdi_v3_cross(cdi_v3_sub(g->v[1], g->v[0]), cdi_v3_sub(g->v[2], g->v[0])));
    bool along = true;
    for (int i = 0; i < 3; ++i)
        along = along && cdi_abs(cdi_v3_dot(n, cdi_v3_sub(t->v[i], g->v[0]))) <= near_by;
    for (int e = 0; e < 3 && along; ++e) {
        cdi_v3 side = cdi_v3_unit(cdi_v3_cross(n, cdi_v3_sub(g->v[(e + 1) % 3], g->v[e])));
        if (cdi_shard_cut_by(s, t, g->v[e], side, size)) return true;
    }
    if (along || cdi_v3_norm(cdi_v3_sub(g->v[1], g->v[0])) < r ||
        cdi_v3_norm(cdi_v3_sub(g->v[2], g->v[0])) < r)
        return false;
    return cdi_shard_cut_by(s, t, g->v[0], n, size);
}

/* ---- does a piece meet the surface at all? ---- */

typedef struct cdi_shard_search {
    cdi_tri tri;
    cdi_v3 lo, hi;
    float low[3], high[3]; /* in the frame of the tree */
} cdi_shard_search;

static uint32_t cdi_shard_lanes(const void *q, const cdi_bvh_node *node) {
    const cdi_shard_search *s = (const cdi_shard_search *)q;
    uint32_t lanes = 255u;
    for (int k = 0; k < 3; ++k) {
        lanes &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(s->high[k]));
        lanes &= cdi_f8_le(cdi_f8_all(s->low[k]), cdi_f8_load(node->hi[k]));
    }
    return lanes;
}

static bool cdi_shard_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    const cdi_shard_search *s = (const cdi_shard_search *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri t = cdi_bvh_tri(tree, i);
        CDI_COUNT(triangle);
        if (cdi_tri_bounds_meet(&t, &s->tri) && cdi_test_tri_tri(&t, &s->tri)) return false;
    }
    return true;
}

/* Is a piece, made smaller by `less` on its way to the center, clear of the surface? Then all of that is where its center is. */
static bool cdi_shard_is_clear(const cdi_bulk *x, const cdi_tri *t, cdi_v3 center, double r, double less) {
    const cdi_frame *f = &x->tree.header->frame;
    cdi_shard_search s;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = cdi_v3_along(t->v[i], cdi_v3_sub(center, t->v[i]), cdi_min(less / r, 0.5));
        s.tri.v[i] = p;
    }
    cdi_tri_bounds(&s.tri, &s.lo, &s.hi);
    for (int k = 0; k < 3; ++k) {
        s.low[k] = cdi_float_down(cdi_frame_in(f, k, cdi_v3_get(s.lo, k)));
        s.high[k] = cdi_float_up(cdi_frame_in(f, k, cdi_v3_get(s.hi, k)));
    }
    return cdi_walk_meeting(&x->tree, &s, cdi_shard_lanes, cdi_shard_items);
}

/* How far the corners are from the triangle, the farthest. */
static double cdi_shard_reach(const cdi_tri *t, const cdi_tri *g) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) most = cdi_max(most, cdi_near_triangle(t->v[i], g).sqdist);
    return cdi_sqrt(most);
}

/* One piece of a triangle: bounded, or cut up. */
static void cdi_deep_piece(cdi_deep_search *s, uint32_t item, const cdi_tri *t, cdi_shard_stack *stack) {
    cdi_v3 c = cdi_v3_scale(cdi_v3_add(cdi_v3_add(t->v[0], t->v[1]), t->v[2]), 1.0 / 3.0);
    cdi_bulk_spot spot;
    cdi_tri g;
    double r = 0.0, bound, size = s->x->size + cdi_v3_max_abs(c), less = 0.5 * cdi_deep_enough(s->d);
    bool outside;
    for (int i = 0; i < 3; ++i) r = cdi_max(r, cdi_v3_norm(cdi_v3_sub(t->v[i], c)));
    bound = cdi_deep_bound(s, c, r, item, &spot, &outside);
    if (bound <= cdi_deep_enough(s->d)) return;
    if (outside && cdi_shard_is_clear(s->x, t, c, r, less)) return;
    g = cdi_bvh_tri(&s->x->tree, spot.item);
    bound = cdi_min(bound, cdi_shard_reach(t, &g));
    if (bound <= cdi_deep_enough(s->d)) return;
    if (s->d->left == 0 || r <= 1e-12 * size || stack->count + 3 > CDI_PIECES) {
        s->d->most = cdi_max(s->d->most, bound);
        return;
    }
    if (!cdi_shard_cut_at(stack, t, &g, cdi_deep_enough(s->d), r, size)) cdi_shard_halve(stack, t);
}

/* A triangle of y: its corners, then its inside piece by piece. */
static void cdi_deep_item(cdi_deep_search *s, uint32_t item) {
    cdi_tri t = cdi_bvh_tri(&s->y->tree, item);
    cdi_shard_stack stack;
    cdi_bulk_spot spot;
    bool outside;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = cdi_pose_point(s->pose, t.v[i]);
        t.v[i] = p;
    }
    stack.count = 0;
    cdi_shard_push(&stack, t.v[0], t.v[1], t.v[2]);
    cdi_deep_piece(s, item, &t, &stack);
    if (stack.count == 1) return;
    for (int i = 0; i < 3; ++i) cdi_deep_bound(s, t.v[i], 0.0, item, &spot, &outside);
    stack.piece[0] = stack.piece[--stack.count];
    while (stack.count > 0) {
        cdi_tri piece = stack.piece[--stack.count];
        cdi_deep_piece(s, item, &piece, &stack);
    }
}

/* Triangles that would take too much while little is known: those that graze the surface, where all that is cut off grazes it
 * again. */
#define CDI_DEEP_QUOTA 512u
#define CDI_DEEP_LATER 16u

typedef struct cdi_deep_later {
    uint32_t item[CDI_DEEP_LATER], count;
} cdi_deep_later;

/* With a share of the points; false, with no bound, when that is not enough and there are more. */
static bool cdi_deep_item_within(cdi_deep_search *s, uint32_t item, uint32_t quota) {
    cdi_deep *d = s->d;
    uint32_t kept = d->left > quota ? d->left - quota : 0;
    double most = d->most;
    bool done;
    d->left -= kept;
    cdi_deep_item(s, item);
    done = d->left > 0 || kept == 0;
    d->left += kept;
    if (!done) d->most = most;
    return done;
}

/* What was put off, when the others' depth is known: for what is deep first, and finer until something is found. */
static void cdi_deep_finish(cdi_deep_search *s, const cdi_deep_later *later) {
    cdi_deep *d = s->d;
    double enough = d->enough, level = s->x->size, most = d->most;
    while (later->count > 0 && (level *= 1.0 / 64.0) > cdi_deep_enough(d)) {
        d->enough = level;
        for (uint32_t i = 0; i < later->count; ++i)
            (void)cdi_deep_item_within(s, later->item[i], CDI_DEEP_QUOTA);
        d->enough = enough;
        d->most = most;
    }
    for (uint32_t i = 0; i < later->count; ++i) cdi_deep_item(s, later->item[i]);
}

typedef struct cdi_deep_step {
    double bound;
    uint32_t child, count;
} cdi_deep_step;

/* The children of a node that may have something deeper, the most promising last. */
static uint32_t cdi_deep_node(cdi_deep_search *s, uint32_t number, cdi_deep_step *stack, uint32_t top) {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node = cdi_bvh_at(&s->y->tree, number, &scratch);
    uint32_t bottom = top;
    CDI_COUNT(node);
    for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
        cdi_deep_step step;
        cdi_bulk_spot spot;
        cdi_v3 c;
        double r;
        bool outside;
        uint32_t at = top;
        cdi_bulk_lane_ball(s->y, node, i, s->pose, &c, &r);
        step.bound = cdi_deep_bound(s, c, r, CD_NONE, &spot, &outside);
        step.child = node->child[i];
        step.count = node->count[i];
        if (step.bound <= cdi_deep_enough(s->d)) continue;
        for (++top; at > bottom && stack[at - 1].bound > step.bound; --at) stack[at] = stack[at - 1];
        stack[at] = step;
    }
    return top;
}

CDI_FN void cdi_bulk_deepest(const cdi_bulk *x, const cdi_bulk *y, const cdi_pose *y_in_x, cdi_deep *d) {
    cdi_deep_step stack[CDI_BVH_STACK];
    cdi_deep_search s;
    cdi_deep_later later;
    uint32_t top = 0;
    if (x->empty || y->empty || (!cdi_bulk_is_field(x) && !x->solid->winding)) return;
    s.x = x;
    s.y = y;
    s.pose = y_in_x;
    s.d = d;
    later.count = 0;
    stack[top].bound = 2.0 * (x->size + y->size +
                              cdi_v3_max_abs(y_in_x->position)); /* more than any distance that matters */
    stack[top].child = stack[top].count = 0;
    ++top;
    while (top > 0) {
        cdi_deep_step at = stack[--top];
        if (at.bound <= cdi_deep_enough(d)) continue;
        if (d->left == 0) {
            d->most = cdi_max(d->most, at.bound);
            continue;
        }
        if (at.count == 0) top = cdi_deep_node(&s, at.child, stack, top);
        for (uint32_t i = 0; i < at.count; ++i) {
            uint32_t quota = later.count < CDI_DEEP_LATER ? CDI_DEEP_QUOTA : d->left;
            if (!cdi_deep_item_within(&s, at.child + i, quota)) later.item[later.count++] = at.child + i;
        }
    }
    cdi_deep_finish(&s, &later);
}

CDI_FN void cdi_bulks_deepest(const cdi_bulks *s, cdi_deep *d) {
    uint32_t half = d->left / 2;
    d->left -= half;
    cdi_bulk_deepest(&s->a, &s->b, &s->b_in_a, d);
    d->of_b = d->found;
    d->left += half;
    cdi_bulk_deepest(&s->b, &s->a, &s->a_in_b, d);
}

#undef CDI_BULK_KNOWN
#undef CDI_PIECES
#undef CDI_DEEP_QUOTA
#undef CDI_DEEP_LATER
