#include "tree/overlap_query.h"
#include "batch/hits.h"
#include "core/memory.h"
#include "query/triangle_box.h"
#include "tree/bvh_walk.h"

/* ---- items ---- */

static bool cdi_overlap_in_box(const cdi_overlap *o, cdi_v3 p) {
    return o->a.x <= p.x && p.x <= o->b.x && o->a.y <= p.y && p.y <= o->b.y && o->a.z <= p.z && p.z <= o->b.z;
}

static bool cdi_overlap_meets_triangle(const cdi_overlap *o, const cdi_bvh *tree, uint32_t i) {
    cdi_tri d = cdi_bvh_tri(tree, i);
    cdi_v3 lo, hi;
    cd_triangle t;
    if (o->volume->kind == CD_BVH_AABB) {
        for (int k = 0; k < 3; ++k) {
            if (cdi_overlap_in_box(o, d.v[k])) return true;
        }
        return cdi_test_tri_box(&d, o->a, o->b);
    }
    cdi_tri_bounds(&d, &lo, &hi);
    if (!(lo.x <= o->b.x && o->a.x <= hi.x && lo.y <= o->b.y && o->a.y <= hi.y && lo.z <= o->b.z &&
          o->a.z <= hi.z))
        return false;
    t = cdi_bvh_triangle_of(tree, i);
    return cd_bvh_volume_test_triangle(o->volume, &t);
}

static bool cdi_overlap_meets(const cdi_overlap *o, const cdi_bvh *tree, uint32_t i, uint32_t index) {
    CDI_COUNT(triangle);
    if (tree->item == CD_BVH_POINTS) return cd_bvh_volume_test_point(o->volume, cdi_bvh_point_of(tree, i));
    if (tree->item != CD_BVH_BOXES) return cdi_overlap_meets_triangle(o, tree, i);
    if (tree->custom && tree->custom->overlap)
        return tree->custom->overlap(tree->custom->user, index, o->volume);
    return cd_bvh_volume_test_aabb(o->volume, cdi_bvh_box_of(tree, i));
}

CDI_FN bool cdi_overlap_items(const cdi_overlap *o, const cdi_bvh *tree, uint32_t first, uint32_t last,
                              bool inside) {
    for (uint32_t i = first;; i = cdi_bvh_next_item(tree, i)) {
        uint32_t index = cdi_bvh_index(tree, i);
        if ((inside || cdi_overlap_meets(o, tree, i, index)) && cdi_bvh_sees(tree, i, index, o->filter) &&
            !o->visit(o->user, index))
            return false;
        if (i == last) return true;
    }
}

/* The lane with a node's first items, or with its last ones: in the quantised and the compact layout leaves come before
 * nodes, in others all are in the order of the lanes. */
static uint32_t cdi_lane_at_end(const cdi_bvh *tree, const cdi_bvh_node *node, bool last) {
    uint32_t used = 0, best = 0;
    bool found = tree->layout < CD_BVH_QUANTISED;
    while (used < 8 && node->lanes >> used & 1u) ++used;
    if (last) best = used - 1;
    for (uint32_t i = 0; i < used && !found; ++i) {
        uint32_t lane = last ? used - 1 - i : i;
        found = (node->count[lane] == 0) == last;
        if (found) best = lane;
    }
    return best;
}

/* The first item below a lane, or the last: all between are below it. */
static uint32_t cdi_items_bound(const cdi_bvh *tree, uint32_t child, uint32_t count, bool last) {
    while (count == 0) {
        cdi_bvh_node scratch;
        const cdi_bvh_node *node = cdi_bvh_at(tree, child, &scratch);
        uint32_t lane = cdi_lane_at_end(tree, node, last);
        child = node->child[lane];
        count = node->count[lane];
    }
    return last ? child + count - 1 : child;
}

/* ---- the walk ---- */

/* Which lanes may be met, and which of these lie wholly inside. */
typedef uint32_t (*cdi_overlap_lanes)(const cdi_overlap *o, const cdi_bvh_node *node, uint32_t *inside);

typedef struct cdi_overlap_step {
    uint32_t node, mask, inside;
} cdi_overlap_step;

CDI_INLINE void cdi_overlap_enter(const cdi_overlap *o, const cdi_bvh_node *node, cdi_overlap_lanes lanes,
                                  uint32_t number, bool inside, cdi_overlap_step *step) {
    step->node = number;
    step->inside = inside ? node->lanes : 0;
    step->mask = inside ? node->lanes : lanes(o, node, &step->inside) & node->lanes;
    CDI_COUNT(node);
}

/* cdi_walk_meeting, but that what is inside is not gone into; where the items below a node do not follow each other, it is not
 * asked any more. */
CDI_INLINE bool cdi_overlap_walk(const cdi_bvh *tree, const cdi_overlap *o, cdi_overlap_lanes lanes,
                                 bool shortcut) {
    cdi_overlap_step path[CDI_BVH_DEPTH], *at = path;
    cdi_bvh_node scratch;
    const cdi_bvh_node *node = cdi_bvh_at(tree, 0, &scratch);
    uint32_t length = 1, held = 0; /* the node that is read */
    cdi_overlap_enter(o, node, lanes, 0, false, at);
    while (length > 0) {
        uint32_t lane, child, count;
        bool inside;
        at = &path[length - 1];
        if (!at->mask) {
            --length;
            continue;
        }
        if (held != at->node) {
            held = at->node;
            node = cdi_bvh_at(tree, held, &scratch);
        }
        lane = cdi_lowest_bit(at->mask);
        at->mask &= at->mask - 1;
        child = node->child[lane];
        count = node->count[lane];
        inside = shortcut && (at->inside >> lane & 1u) != 0;
        if (count || (inside && !tree->header->dynamic && tree->layout != CD_BVH_HEIGHTS)) {
            uint32_t first = cdi_items_bound(tree, child, count, false);
            uint32_t last = cdi_items_bound(tree, child, count, true);
            if (!cdi_overlap_items(o, tree, first, last, inside)) return false;
            continue;
        }
        held = child;
        node = cdi_bvh_at(tree, child, &scratch);
        cdi_overlap_enter(o, node, lanes, child, inside, &path[length++]);
    }
    return true;
}

/* ---- lanes ---- */

CDI_INLINE uint32_t cdi_lanes_at_box(const cdi_overlap *o, const cdi_bvh_node *node) {
    uint32_t mask = 255;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(o->hi[k]));
        mask &= cdi_f8_le(cdi_f8_all(o->lo[k]), cdi_f8_load(node->hi[k]));
    }
    return mask;
}

CDI_INLINE uint32_t cdi_lanes_of_box(const cdi_overlap *o, const cdi_bvh_node *node, uint32_t *inside) {
    uint32_t mask = cdi_lanes_at_box(o, node), in = mask;
    if (!mask) return 0;
    for (int k = 0; k < 3; ++k) {
        in &= cdi_f8_le(cdi_f8_all(o->inner_lo[k]), cdi_f8_load(node->lo[k]));
        in &= cdi_f8_le(cdi_f8_load(node->hi[k]), cdi_f8_all(o->inner_hi[k]));
    }
    *inside = in;
    return mask;
}

/* The squared distance to the farthest corner, up to a relative error of 2^-21. */
CDI_INLINE cdi_f8 cdi_sqdist_farthest(const cdi_frame_point *p, const cdi_bvh_node *node) {
    cdi_f8 sum = cdi_f8_all(0.0f);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 d = cdi_f8_max(cdi_f8_sub(cdi_f8_load(node->hi[k]), cdi_f8_all(p->low[k])),
                              cdi_f8_sub(cdi_f8_all(p->high[k]), cdi_f8_load(node->lo[k])));
        sum = cdi_f8_add(sum, cdi_f8_mul(d, d));
    }
    return sum;
}

CDI_INLINE uint32_t cdi_lanes_of_sphere(const cdi_overlap *o, const cdi_bvh_node *node, uint32_t *inside) {
    uint32_t mask = cdi_f8_le(cdi_sqdist_boxes(&o->point, node), cdi_f8_all(o->sqradius));
    if (mask) *inside = cdi_f8_le(cdi_sqdist_farthest(&o->point, node), cdi_f8_all(o->inner_sqradius));
    return mask;
}

/* The corners of the boxes that are least (most) along a layer's direction: their heights. */
CDI_INLINE cdi_f8 cdi_heights_of_boxes(const cdi_overlap_layer *l, const cdi_bvh_node *node, bool most) {
    cdi_f8 sum = cdi_f8_all(0.0f);
    for (int k = 0; k < 3; ++k) {
        const float *x = (l->n[k] > 0.0f) == most ? node->hi[k] : node->lo[k];
        sum = cdi_f8_add(sum, cdi_f8_mul(cdi_f8_load(x), cdi_f8_all(l->n[k])));
    }
    return sum;
}

CDI_INLINE uint32_t cdi_lanes_of_layers(const cdi_overlap *o, const cdi_bvh_node *node, uint32_t *inside) {
    uint32_t mask = cdi_lanes_at_box(o, node), in = mask;
    for (uint32_t i = 0; i < o->layer_count && mask; ++i) {
        const cdi_overlap_layer *l = &o->layer[i];
        cdi_f8 lowest = cdi_heights_of_boxes(l, node, false), highest = cdi_heights_of_boxes(l, node, true);
        mask &= cdi_f8_le(lowest, cdi_f8_all(l->most)) & cdi_f8_le(cdi_f8_all(l->least), highest);
        in &= cdi_f8_le(cdi_f8_all(l->inner_least), lowest) & cdi_f8_le(highest, cdi_f8_all(l->inner_most));
    }
    *inside = in & mask;
    return mask;
}

/* Inside where a ball about the core's point next to the middle holds the box: roughly that point, but one of the core. */
CDI_INLINE uint32_t cdi_lanes_of_capsule(const cdi_overlap *o, const cdi_bvh_node *node, uint32_t *inside) {
    uint32_t mask = cdi_lanes_of_layers(o, node, inside);
    cdi_f8 half = cdi_f8_all(0.5f), t = cdi_f8_all(0.0f), sum = t, one = cdi_f8_all(1.0f);
    *inside = 0;
    if (!mask || o->inner_sqradius < 0.0f) return mask;
    for (int k = 0; k < 3; ++k) {
        cdi_f8 middle = cdi_f8_mul(cdi_f8_add(cdi_f8_load(node->lo[k]), cdi_f8_load(node->hi[k])), half);
        cdi_f8 way = cdi_f8_sub(middle, cdi_f8_all(o->from[k]));
        t = cdi_f8_add(t, cdi_f8_mul(way, cdi_f8_all(o->along[k])));
    }
    t = cdi_f8_min(cdi_f8_max(cdi_f8_mul(t, cdi_f8_all(o->rise)), sum), one);
    for (int k = 0; k < 3; ++k) {
        cdi_f8 at = cdi_f8_add(cdi_f8_all(o->from[k]), cdi_f8_mul(t, cdi_f8_all(o->along[k])));
        cdi_f8 d =
            cdi_f8_max(cdi_f8_sub(cdi_f8_load(node->hi[k]), at), cdi_f8_sub(at, cdi_f8_load(node->lo[k])));
        sum = cdi_f8_add(sum, cdi_f8_mul(d, d));
    }
    *inside = mask & cdi_f8_le(sum, cdi_f8_all(o->inner_sqradius));
    return mask;
}

/* ---- volumes in the frame ---- */

/* Rounding of the lanes' heights, and of directions. */
#define CDI_LAYER_ROOM 2e-6

static double cdi_overlap_in(const cdi_frame *f, int axis, double x) {
    return cdi_clamp(cdi_frame_in(f, axis, x), -CDI_OVERLAP_AWAY, CDI_OVERLAP_AWAY);
}

/* The tree's largest coordinate. */
static double cdi_overlap_most(const cdi_bvh_header *h) {
    double most = 0.0;
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_max(cdi_abs(h->lo[k]), cdi_abs(h->hi[k])));
    return most;
}

/* Room for tests that are tolerant, by up to 2^-43 of the largest coordinate: of the tree, and of the volume. All of it where squares
 * are beyond the range. */
static double cdi_overlap_room(const cdi_bvh_header *h, const cd_aabb *b) {
    cdi_v3 lo = cdi_v3_of(b->min), hi = cdi_v3_of(b->max);
    double most = cdi_max(cdi_overlap_most(h), cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)));
    if (!(most < 1e150)) return CDI_OVERLAP_AWAY;
    return cdi_min(cdi_scale2(most * 1.2e-13 + 1e-150, -h->frame.exponent), CDI_OVERLAP_AWAY);
}

/* `slack`: how much larger than its bounds the volume may be. */
static void cdi_overlap_box(cdi_overlap *o, const cd_aabb *b, double slack) {
    int e = o->frame->exponent;
    cdi_v3 lo = cdi_v3_of(b->min), hi = cdi_v3_of(b->max);
    double wide[3];
    for (int k = 0; k < 3; ++k) {
        double room =
            o->volume->kind == CD_BVH_AABB ? 0.0 : cdi_min(o->room + cdi_scale2(slack, -e), CDI_OVERLAP_AWAY);
        double p = cdi_overlap_in(o->frame, k, cdi_v3_get(lo, k));
        double q = cdi_overlap_in(o->frame, k, cdi_v3_get(hi, k));
        o->lo[k] = cdi_float_down(p - room);
        o->hi[k] = cdi_float_up(q + room);
        o->inner_lo[k] = cdi_float_up(p);
        o->inner_hi[k] = cdi_float_down(q);
        wide[k] = room < CDI_OVERLAP_AWAY ? cdi_scale2(room, e) : cdi_infinity();
    }
    o->a = cdi_v3_sub(lo, cdi_v3_make(wide[0], wide[1], wide[2]));
    o->b = cdi_v3_add(hi, cdi_v3_make(wide[0], wide[1], wide[2]));
}

/* Far away, much larger than the tree, or with squares beyond the range: not left out, and not inside. */
static void cdi_overlap_sphere(cdi_overlap *o, const cd_sphere *s) {
    double radius = cdi_scale2((double)s->radius, -o->frame->exponent), most = radius,
           outer = radius + o->room;
    cdi_v3 c = cdi_v3_of(s->center);
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_abs(cdi_frame_in(o->frame, k, cdi_v3_get(c, k))));
    o->sqradius = (float)cdi_infinity();
    o->inner_sqradius = -1.0f;
    if (!(most < CDI_OVERLAP_AWAY) || cdi_v3_max_abs(c) + (double)s->radius > 1e150) return;
    o->point = cdi_frame_point_of(o->frame, c);
    o->sqradius = cdi_float_up(outer * outer * 1.000001 + 1e-30);
    o->inner_sqradius = cdi_float_down(radius * radius * 0.99999 - 1e-12);
}

/* ---- layers ---- */

/* A new layer across a direction, whose length does not matter; NULL when it is zero or not finite. */
static cdi_overlap_layer *cdi_layer_add(cdi_overlap *o, cdi_v3 n) {
    cdi_overlap_layer *l = &o->layer[o->layer_count];
    double largest = cdi_v3_max_abs(n);
    if (!cdi_v3_finite(n) || largest == 0.0) return NULL;
    n = cdi_v3_scale2(n, -1 - cdi_exponent(largest));
    l->n[0] = (float)n.x;
    l->n[1] = (float)n.y;
    l->n[2] = (float)n.z;
    l->least = 1e30f;
    l->most = -1e30f;
    l->inner_least = 1e30f;
    l->inner_most = -1e30f;
    ++o->layer_count;
    return l;
}

static double cdi_layer_dot(const cdi_overlap_layer *l, cdi_v3 p) {
    return cdi_v3_dot(cdi_v3_make((double)l->n[0], (double)l->n[1], (double)l->n[2]), p);
}

/* A point's height, and how far off a height may be; false far away. */
static bool cdi_layer_height(const cdi_overlap *o, const cdi_overlap_layer *l, cdi_v3 point, double *height,
                             double *room) {
    cdi_v3 p = cdi_v3_make(cdi_frame_in(o->frame, 0, point.x), cdi_frame_in(o->frame, 1, point.y),
                           cdi_frame_in(o->frame, 2, point.z));
    double size = 3.0 * cdi_v3_max_abs(p);
    *height = cdi_layer_dot(l, p);
    *room = 2.0 * o->room + CDI_LAYER_ROOM + 1e-15 * size;
    return size < CDI_OVERLAP_AWAY;
}

/* Takes in a point, and all that is within `reach` of it along the direction, in the frame. */
static void cdi_layer_take(const cdi_overlap *o, cdi_overlap_layer *l, cdi_v3 point, double reach) {
    double height, room;
    float least = -1e30f, most = 1e30f;
    if (cdi_layer_height(o, l, point, &height, &room) && reach < CDI_OVERLAP_AWAY) {
        least = cdi_float_down(height - reach - room);
        most = cdi_float_up(height + reach + room);
    }
    l->least = least < l->least ? least : l->least;
    l->most = most > l->most ? most : l->most;
}

/* A plane with the volume behind it, n . x <= d. */
static void cdi_layer_of_plane(cdi_overlap *o, const cdi_bvh_header *h, const cd_plane *plane) {
    cdi_v3 n = cdi_v3_of(plane->n),
           at = cdi_v3_make(h->frame.origin[0], h->frame.origin[1], h->frame.origin[2]);
    cdi_overlap_layer *l = cdi_layer_add(o, n);
    double d, height, room;
    int e = -1 - cdi_exponent(cdi_v3_max_abs(n));
    if (!l) return;
    d = cdi_scale2((double)plane->d, e);
    room =
        cdi_scale2(1.2e-13 * (3.0 * cdi_overlap_most(h) + cdi_abs(d)), -h->frame.exponent) + CDI_LAYER_ROOM;
    height = cdi_scale2(d - cdi_v3_dot(cdi_v3_scale2(n, e), at), -h->frame.exponent);
    l->least = -1e30f;
    l->most = 1e30f;
    if (!(cdi_abs(height) + room < CDI_OVERLAP_AWAY)) return;
    l->most = cdi_float_up(height + room);
    l->inner_least = -1e30f;
    l->inner_most = cdi_float_down(height - room);
}

/* Only for capsules about as large as the tree, or smaller. */
static void cdi_capsule_inside(cdi_overlap *o, cdi_v3 a, cdi_v3 b, double radius) {
    double square = 0.0;
    o->inner_sqradius = -1.0f;
    for (int k = 0; k < 3; ++k) {
        double from = cdi_frame_in(o->frame, k, cdi_v3_get(a, k)),
               to = cdi_frame_in(o->frame, k, cdi_v3_get(b, k));
        if (!(cdi_abs(from) < 4.0 && cdi_abs(to) < 4.0)) return;
        o->from[k] = (float)from;
        o->along[k] = (float)(to - from);
        square += (to - from) * (to - from);
    }
    o->rise = square > 1e-12 ? (float)(1.0 / square) : 0.0f;
    radius -= 2e-5 + 2.0 * o->room;
    if (radius > 0.0)
        o->inner_sqradius = cdi_float_down(cdi_min(radius, 100.0) * cdi_min(radius, 100.0) * 0.99999);
}

/* Across a capsule's core and an axis, and along the core. */
static void cdi_layers_of_capsule(cdi_overlap *o, const cd_capsule *c) {
    cdi_v3 a = cdi_v3_of(c->a), b = cdi_v3_of(c->b), d = cdi_v3_sub(b, a);
    double radius = cdi_scale2((double)c->radius, -o->frame->exponent);
    for (int k = 0; k < 4; ++k) {
        cdi_v3 n = k == 0   ? cdi_v3_make(0.0, -d.z, d.y)
                   : k == 1 ? cdi_v3_make(d.z, 0.0, -d.x)
                   : k == 2 ? cdi_v3_make(-d.y, d.x, 0.0)
                            : d;
        cdi_overlap_layer *l = cdi_layer_add(o, n);
        double reach;
        if (!l) continue;
        n = cdi_v3_make((double)l->n[0], (double)l->n[1], (double)l->n[2]);
        reach = 1.000001 * radius * cdi_v3_norm(n);
        cdi_layer_take(o, l, a, reach);
        cdi_layer_take(o, l, b, reach);
    }
    cdi_capsule_inside(o, a, b, radius);
}

/* How far two ways to read a box may be apart whose axes are off by a little: as the sum of its axes' multiples, or as what is
 * within reach along each axis. */
static double cdi_obb_slack(const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    double off = 1e-12;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            off = cdi_max(off, cdi_abs(cdi_v3_dot(box.axes.c[i], box.axes.c[j]) - (i == j ? 1.0 : 0.0)));
    }
    return 4.0 * off * (box.half[0] + box.half[1] + box.half[2]);
}

/* Inside along axis k are heights within `reach` of the centre's. */
static void cdi_obb_inside(const cdi_overlap *o, cdi_overlap_layer *l, cdi_v3 center, double reach) {
    double height, room;
    if (!cdi_layer_height(o, l, center, &height, &room) || !(reach < CDI_OVERLAP_AWAY)) return;
    reach -= room + 3e-7 * (cdi_abs(height) + reach); /* the direction is rounded */
    l->inner_least = cdi_float_up(height - reach);
    l->inner_most = cdi_float_down(height + reach);
}

static void cdi_layers_of_obb(cdi_overlap *o, const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    double slack = 2.0 * cdi_obb_slack(b);
    int e = -o->frame->exponent;
    for (int k = 0; k < 3; ++k) {
        cdi_overlap_layer *l = cdi_layer_add(o, box.axes.c[k]);
        double reach[3];
        if (!l) return;
        for (int j = 0; j < 3; ++j) reach[j] = box.half[j] * cdi_abs(cdi_layer_dot(l, box.axes.c[j]));
        cdi_layer_take(o, l, box.center, cdi_scale2(reach[0] + reach[1] + reach[2] + slack, e));
        cdi_obb_inside(o, l, box.center, cdi_scale2(reach[k] - slack, e));
    }
    o->whole = true;
}

static void cdi_layer_of_triangle(cdi_overlap *o, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 n = cdi_v3_cross(cdi_v3_sub(d.v[1], d.v[0]), cdi_v3_sub(d.v[2], d.v[0]));
    cdi_overlap_layer *l = cdi_layer_add(o, n);
    for (int i = 0; l && i < 3; ++i) cdi_layer_take(o, l, d.v[i], 0.0);
}

/* Where a face is lowest along its layer. What is below that on all faces is inside, since the way there from the centre, which
 * must be such a point too, does not lead through a face. */
static bool cdi_hull_inside(const cdi_overlap *o, const cd_hull_parts *p, const cd_hull_face *face,
                            cdi_overlap_layer *l) {
    double least = CDI_OVERLAP_AWAY, height, room;
    for (uint32_t i = 0; i < face->count; ++i) {
        uint32_t vertex = p->half_edges[face->first + i].origin;
        if (!cdi_layer_height(o, l, cdi_v3_of(p->vertices[vertex]), &height, &room)) return false;
        least = cdi_min(least, height - room);
    }
    l->inner_least = -1e30f;
    l->inner_most = cdi_float_down(least);
    return cdi_layer_height(o, l, cdi_v3_of(p->center), &height, &room) && height < least;
}

/* All faces where they are few and worth it, or some, or none for hulls much smaller than the tree. */
static void cdi_layers_of_hull(cdi_overlap *o, const cd_hull *hull) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    bool all = p.face_count <= CD_REGION_PLANES;
    uint32_t step = all ? 1 : p.face_count / 8 + 1;
    o->whole = all && p.dimension == 3;
    if (o->hi[0] - o->lo[0] + o->hi[1] - o->lo[1] + o->hi[2] - o->lo[2] < 0.1f) {
        o->whole = false;
        return;
    }
    for (uint32_t i = 0; i < p.face_count; i += step) {
        cdi_overlap_layer *l = cdi_layer_add(o, cdi_v3_of(p.faces[i].plane.n));
        for (uint32_t k = 0; l && k < p.vertex_count; ++k)
            cdi_layer_take(o, l, cdi_v3_of(p.vertices[k]), 0.0);
        o->whole = o->whole && l && cdi_hull_inside(o, &p, &p.faces[i], l);
    }
}

/* ---- any volume ---- */

static void cdi_overlap_shape(cdi_overlap *o, const cdi_bvh_header *h) {
    const cd_bvh_volume *v = o->volume;
    switch (v->kind) {
    case CD_BVH_AABB: break;
    case CD_BVH_SPHERE: cdi_overlap_sphere(o, &v->u.sphere); break;
    case CD_BVH_CAPSULE: cdi_layers_of_capsule(o, &v->u.capsule); break;
    case CD_BVH_OBB: cdi_layers_of_obb(o, &v->u.obb); break;
    case CD_BVH_TRIANGLE: cdi_layer_of_triangle(o, &v->u.triangle); break;
    case CD_BVH_HULL: cdi_layers_of_hull(o, v->u.hull); break;
    default:
        for (uint32_t i = 0; i < v->plane_count; ++i) cdi_layer_of_plane(o, h, &v->u.planes[i]);
        o->whole = o->layer_count == v->plane_count;
    }
}

CDI_FN bool cdi_overlap_begin(cdi_overlap *o, const cdi_bvh *tree, const cd_bvh_volume *v) {
    cd_aabb b;
    if (!cd_bvh_volume_is_valid(v)) return false;
    cdi_clear(o, sizeof *o);
    o->volume = v;
    o->frame = &tree->header->frame;
    b.max = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    b.min = cd_vec3_neg(b.max);
    if (v->kind != CD_BVH_PLANES) {
        b = cd_bvh_volume_bounds(v);
        if (cd_aabb_is_empty(b)) return false;
        o->room = cdi_overlap_room(tree->header, &b);
    }
    cdi_overlap_box(o, &b, v->kind == CD_BVH_OBB ? cdi_obb_slack(&v->u.obb) : 0.0);
    cdi_overlap_shape(o, tree->header);
    return true;
}

CD_API bool cd_bvh_overlap(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                           cd_visit_fn visit, void *user) {
    cdi_bvh t;
    cdi_overlap o;
    bool shortcut;
    if (!cdi_bvh_open(&t, tree) || !cdi_overlap_begin(&o, &t, volume)) return true;
    o.filter = filter;
    o.visit = visit;
    o.user = user;
    shortcut = !(t.item == CD_BVH_BOXES && t.custom && t.custom->overlap);
    switch (volume->kind) {
    case CD_BVH_AABB: return cdi_overlap_walk(&t, &o, cdi_lanes_of_box, shortcut);
    case CD_BVH_SPHERE: return cdi_overlap_walk(&t, &o, cdi_lanes_of_sphere, shortcut);
    case CD_BVH_CAPSULE: return cdi_overlap_walk(&t, &o, cdi_lanes_of_capsule, shortcut);
    default: return cdi_overlap_walk(&t, &o, cdi_lanes_of_layers, shortcut && o.whole);
    }
}

#undef CDI_LAYER_ROOM

/* ---- one kind ---- */

CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, const cd_filter *filter, cd_visit_fn visit,
                                void *user) {
    cd_bvh_volume v = cd_bvh_volume_aabb(box);
    return cd_bvh_overlap(tree, &v, filter, visit, user);
}

CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, const cd_filter *filter,
                                  cd_visit_fn visit, void *user) {
    cd_bvh_volume v = cd_bvh_volume_sphere(sphere);
    return cd_bvh_overlap(tree, &v, filter, visit, user);
}

CD_API bool cd_bvh_overlap_capsule(const cd_bvh *tree, const cd_capsule *capsule, const cd_filter *filter,
                                   cd_visit_fn visit, void *user) {
    cd_bvh_volume v = cd_bvh_volume_capsule(capsule);
    return cd_bvh_overlap(tree, &v, filter, visit, user);
}

CD_API bool cd_bvh_overlap_obb(const cd_bvh *tree, const cd_obb *box, const cd_filter *filter,
                               cd_visit_fn visit, void *user) {
    cd_bvh_volume v = cd_bvh_volume_obb(box);
    return cd_bvh_overlap(tree, &v, filter, visit, user);
}

CD_API bool cd_bvh_overlap_triangle(const cd_bvh *tree, const cd_triangle *triangle, const cd_filter *filter,
                                    cd_visit_fn visit, void *user) {
    cd_bvh_volume v = cd_bvh_volume_triangle(triangle);
    return cd_bvh_overlap(tree, &v, filter, visit, user);
}

CD_API bool cd_bvh_overlap_hull(const cd_bvh *tree, const cd_hull *hull, const cd_filter *filter,
                                cd_visit_fn visit, void *user) {
    cd_bvh_volume v = cd_bvh_volume_hull(hull);
    return cd_bvh_overlap(tree, &v, filter, visit, user);
}

CD_API bool cd_bvh_overlap_planes(const cd_bvh *tree, const cd_plane *planes, uint32_t count,
                                  const cd_filter *filter, cd_visit_fn visit, void *user) {
    cd_bvh_volume v = cd_bvh_volume_planes(planes, count);
    return cd_bvh_overlap(tree, &v, filter, visit, user);
}

/* ---- other forms of answers ---- */

static bool cdi_visit_none(void *user, uint32_t index) {
    (void)user;
    (void)index;
    return false;
}

CD_API bool cd_bvh_test_overlap(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter) {
    return !cd_bvh_overlap(tree, volume, filter, cdi_visit_none, NULL);
}

CD_API size_t cd_bvh_overlap_list(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                                  uint32_t *out, size_t capacity) {
    cdi_index_list list = cdi_index_list_of(out, capacity);
    cd_bvh_overlap(tree, volume, filter, cdi_index_append, &list);
    return list.count;
}

typedef struct cdi_overlap_pairs {
    cd_visit_pair_fn visit;
    void *user;
    uint32_t volume;
} cdi_overlap_pairs;

static bool cdi_overlap_pair(void *user, uint32_t index) {
    const cdi_overlap_pairs *p = (const cdi_overlap_pairs *)user;
    cd_pair pair;
    pair.a = p->volume;
    pair.b = index;
    return p->visit(p->user, pair);
}

CD_API bool cd_bvh_overlaps(const cd_bvh *tree, const cd_bvh_volume *volumes, uint32_t count,
                            const cd_filter *filter, cd_visit_pair_fn visit, void *user) {
    cdi_overlap_pairs p;
    p.visit = visit;
    p.user = user;
    for (p.volume = 0; p.volume < count; ++p.volume) {
        if (!cd_bvh_overlap(tree, &volumes[p.volume], filter, cdi_overlap_pair, &p)) return false;
    }
    return true;
}
