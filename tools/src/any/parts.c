#include "any/parts.h"
#include "shape/triangle3d.h"
#include "tree/bvh_distance.h"
#include "tree/bvh_walk.h"

#define CDI_PARTS_AWAY 1e15 /* as good as farther out, in the frame of a tree; squares stay finite */

/* ---- the search ---- */

/* What is asked of the whole shape. */
typedef struct cdi_parts_query {
    cdi_wide_box box;
    const cdi_parts_aim *aim; /* NULL: what meets the box, in the order of the tree */
    uint32_t ignore;
    cdi_shape_part_fn visit;
    void *user;
    const cd_shape *whole;
} cdi_parts_query;

/* A box that is looked for in a tree, whose triangles or children are x -> map x + shift in the frame of the query. */
typedef struct cdi_parts_search {
    const cdi_parts_query *query;
    cdi_wide_box box;   /* in the frame of what is looked at */
    double least, most; /* lengths in the frame of the query are from `least` to `most` times those here */
    double rounded;     /* by how much parts reach beyond what the tree holds, in the frame of the query */
    cdi_m3 map;
    cdi_v3 shift;
    uint32_t turn; /* of the plane */
    cdi_v3 n;      /* how high x is over the plane: n.x - d, in lengths of the query */
    double d;
    const cdi_frame *frame; /* of the tree; and there: */
    int unit;               /* lengths of the query are in units of 2^unit */
    float low[3], high[3];  /* the box, rounded outward */
    float apart, deep;      /* what makes lengths out of ways between boxes that are apart, and that meet */
    float side[3], over;    /* the plane's; no more than the height */
} cdi_parts_search;

static void cdi_search_begin(cdi_parts_search *s, const cdi_parts_query *q) {
    s->query = q;
    s->box = q->box;
    cdi_wide_box_tame(&s->box);
    s->least = s->most = 1.0;
    s->rounded = 0.0;
    s->map.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    s->map.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    s->map.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    s->shift = cdi_v3_make(0.0, 0.0, 0.0);
}

/* Into a frame in which things are rounded, */
static void cdi_search_round(cdi_parts_search *s, cd_real radius) {
    double r = (double)radius;
    cdi_wide_box_grow(&s->box, r);
    s->rounded += r * s->most;
}

/* ... one that is stretched to that of the search, */
static void cdi_search_unscale(cdi_parts_search *s, cd_vec3 scale) {
    cdi_v3 by = cdi_v3_of(scale);
    double x = cdi_abs(by.x), y = cdi_abs(by.y), z = cdi_abs(by.z);
    if (cdi_scale_is_none(scale)) return;
    cdi_wide_box_unscale(&s->box, by);
    s->least *= cdi_min(cdi_min(x, y), z);
    s->most *= cdi_max(cdi_max(x, y), z);
    for (int k = 0; k < 3; ++k) s->map.c[k] = cdi_v3_scale(s->map.c[k], cdi_v3_get(by, k));
}

/* ... or one that stands there at a pose. */
static void cdi_search_unpose(cdi_parts_search *s, const cd_transform *at) {
    cdi_pose pose = cdi_pose_of(at);
    cdi_wide_box_unpose(&s->box, &pose);
    s->shift = cdi_v3_add(s->shift, cdi_m3_mul_v3(&s->map, pose.position));
    s->map = cdi_m3_mul(&s->map, &pose.rotation);
}

static double cdi_search_limit(const cdi_parts_query *q) {
    return q->aim ? q->aim->limit : 0.0;
}

static bool cdi_search_has_plane(const cdi_parts_query *q) {
    return q->aim && !cdi_v3_is_zero(q->aim->n);
}

/* The plane in the frame of the search. */
static void cdi_search_turn(cdi_parts_search *s) {
    const cdi_parts_aim *aim = s->query->aim;
    s->turn = aim->turn;
    s->n = cdi_m3_tmul_v3(&s->map, aim->n);
    s->d = aim->d - cdi_v3_dot(aim->n, s->shift) + s->rounded;
    s->d += 1e-14 * (cdi_abs(aim->d) + 3.0 * cdi_v3_max_abs(s->shift) + s->rounded);
}

static void cdi_search_face(cdi_parts_search *s) {
    if (!cdi_search_has_plane(s->query)) {
        s->turn = 0;
        s->n = cdi_v3_make(0.0, 0.0, 0.0);
        s->d = cdi_infinity();
    } else if (s->turn != s->query->aim->turn || !(s->d < cdi_infinity())) {
        cdi_search_turn(s);
    }
}

/* Is a box, of the frame of the search, near enough? */
static bool cdi_search_reaches(const cdi_parts_search *s, const cdi_wide_box *b) {
    double d = cdi_wide_boxes_apart(&s->box, b), bound = d > 0.0 ? d * s->least : d * s->most;
    return !(bound - cdi_abs(bound) * 1e-14 > cdi_search_limit(s->query));
}

/* Is a corner of a triangle near enough to the plane? */
static bool cdi_search_under(const cdi_parts_search *s, const cdi_tri *t) {
    double a = cdi_v3_dot(s->n, t->v[0]), b = cdi_v3_dot(s->n, t->v[1]), c = cdi_v3_dot(s->n, t->v[2]);
    double least = cdi_min(cdi_min(a, b), c), size = cdi_abs(a) + cdi_abs(b) + cdi_abs(c);
    return !(least - s->d - 1e-14 * size > cdi_search_limit(s->query));
}

/* ---- in the frame of a tree ---- */

static double cdi_search_clamp(double x) {
    return cdi_clamp(x, -CDI_PARTS_AWAY, CDI_PARTS_AWAY);
}

/* The plane in the tree's frame, with room for what the lanes round. */
static void cdi_search_tilt(cdi_parts_search *s) {
    const cdi_frame *f = s->frame;
    cdi_v3 origin = cdi_v3_make(f->origin[0], f->origin[1], f->origin[2]);
    double sum = 0.0, over;
    cdi_search_face(s);
    for (int k = 0; k < 3; ++k) {
        double c = cdi_scale2(cdi_v3_get(s->n, k), f->exponent - s->unit);
        s->side[k] = (float)cdi_search_clamp(c);
        sum += cdi_abs(c);
    }
    over = cdi_v3_dot(s->n, origin) - s->d - 1e-14 * 3.0 * cdi_v3_max_abs(s->n) * cdi_v3_max_abs(origin);
    over = cdi_search_clamp(cdi_scale2(over, -s->unit));
    s->over = cdi_float_down(over - cdi_abs(over) * 1e-6 - sum * 1e-6);
}

static void cdi_search_open(cdi_parts_search *s, const cdi_bvh *tree) {
    const cdi_frame *f = &tree->header->frame;
    s->frame = f;
    s->unit = f->exponent + cdi_exponent(s->most);
    s->apart = (float)cdi_scale2(s->least * 0.999999, f->exponent - s->unit);
    s->deep = (float)cdi_scale2(s->most * 1.000001, f->exponent - s->unit);
    for (int k = 0; k < 3; ++k) {
        double lo = cdi_frame_in(f, k, cdi_v3_get(s->box.lo, k)),
               hi = cdi_frame_in(f, k, cdi_v3_get(s->box.hi, k));
        s->low[k] = cdi_float_down(cdi_search_clamp(lo));
        s->high[k] = cdi_float_up(cdi_search_clamp(hi));
    }
    s->turn = 0;
    s->d = cdi_infinity();
    cdi_search_tilt(s);
}

/* The limit in the unit of cdi_search_bounds, or more. */
static float cdi_search_frame_limit(const cdi_parts_search *s) {
    double limit = cdi_scale2(cdi_search_limit(s->query), -s->unit);
    return cdi_float_up(limit + cdi_abs(limit) * 2e-6);
}

/* How high the boxes are over the plane, at least. */
CDI_INLINE cdi_f8 cdi_search_heights(const cdi_parts_search *s, const cdi_bvh_node *node) {
    cdi_f8 sum = cdi_f8_all(s->over);
    for (int k = 0; k < 3; ++k) {
        const float *x = s->side[k] > 0.0f ? node->lo[k] : node->hi[k];
        sum = cdi_f8_add(sum, cdi_f8_mul(cdi_f8_load(x), cdi_f8_all(s->side[k])));
    }
    return sum;
}

/* Of each lane how far it is, or minus the way that parts it along an axis. */
static uint32_t cdi_search_bounds(const void *q, const cdi_bvh_node *node, float limit, float bound[8]) {
    const cdi_parts_search *s = (const cdi_parts_search *)q;
    cdi_f8 zero = cdi_f8_all(0.0f), sum = zero, most = cdi_f8_all(-1e30f), key;
    for (int k = 0; k < 3; ++k) {
        cdi_f8 below = cdi_f8_sub(cdi_f8_load(node->lo[k]), cdi_f8_all(s->high[k]));
        cdi_f8 above = cdi_f8_sub(cdi_f8_all(s->low[k]), cdi_f8_load(node->hi[k]));
        cdi_f8 gap = cdi_f8_max(below, above), d = cdi_f8_max(gap, zero);
        most = cdi_f8_max(most, gap);
        sum = cdi_f8_add(sum, cdi_f8_mul(d, d));
    }
    key = cdi_f8_mul(cdi_f8_min(most, zero), cdi_f8_all(s->deep)); /* this or the next is 0 */
    key = cdi_f8_add(key, cdi_f8_mul(cdi_f8_sqrt(sum), cdi_f8_all(s->apart)));
    key = cdi_f8_max(key, cdi_search_heights(s, node));
    cdi_f8_store(bound, key);
    return cdi_f8_le(key, cdi_f8_all(limit));
}

static uint32_t cdi_search_lanes(const void *q, const cdi_bvh_node *node) {
    const cdi_parts_search *s = (const cdi_parts_search *)q;
    uint32_t mask = 255;
    for (int k = 0; k < 3; ++k) {
        mask &= cdi_f8_le(cdi_f8_load(node->lo[k]), cdi_f8_all(s->high[k]));
        mask &= cdi_f8_le(cdi_f8_all(s->low[k]), cdi_f8_load(node->hi[k]));
    }
    if (!cdi_search_has_plane(s->query)) return mask;
    return mask & cdi_f8_le(cdi_search_heights(s, node), cdi_f8_all(cdi_search_frame_limit(s)));
}

/* One of each is compiled, for trees of triangles and for those over children: what is a leaf's own is a call. */
typedef struct cdi_parts_walk {
    cdi_parts_search search;
    cdi_items_fn items;
} cdi_parts_walk;

static bool cdi_walk_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    return ((const cdi_parts_walk *)q)->items(q, tree, first, count);
}

static bool cdi_walk_near_leaf(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit) {
    cdi_parts_walk *w = (cdi_parts_walk *)q;
    if (!w->items(q, tree, first, count)) return false;
    if (w->search.turn != w->search.query->aim->turn) cdi_search_tilt(&w->search);
    *limit = cdi_search_frame_limit(&w->search);
    return true;
}

static bool cdi_walk_near_parts(const cdi_bvh *tree, cdi_parts_walk *w) {
    return cdi_walk_nearest(tree, w, cdi_search_frame_limit(&w->search), cdi_search_bounds,
                            cdi_walk_near_leaf);
}

static bool cdi_walk_parts(const cdi_bvh *tree, cdi_parts_walk *w) {
    const cdi_parts_aim *aim = w->search.query->aim;
    cdi_search_open(&w->search, tree);
    if (aim && !aim->listed) return cdi_walk_near_parts(tree, w);
    return cdi_walk_meeting(tree, w, cdi_search_lanes, cdi_walk_leaf);
}

/* ---- one shape, alone or a child ---- */

typedef struct cdi_parts_one {
    cdi_parts_walk walk;
    const cd_shape *shape;
    const cd_placed_shape *child; /* NULL: alone */
    uint32_t number;
    cdi_shape_part part;
} cdi_parts_one;

/* A part of `shape` as one of the whole. */
static void cdi_one_finish(cdi_parts_one *o) {
    cdi_shape_part *p = &o->part;
    if (o->child) {
        cdi_part_place(p, &o->child->pose);
        cdi_part_join(p, o->walk.search.query->whole);
        p->part.child = o->number;
    }
    cdi_part_finish(p);
}

static bool cdi_one_visit(cdi_parts_one *o) {
    const cdi_parts_query *q = o->walk.search.query;
    cdi_one_finish(o);
    return (o->part.layers & q->ignore) || q->visit(q->user, &o->part);
}

/* How high the part is over the plane; false where it is not valid. */
static bool cdi_part_is_under(const cdi_shape_part *p, const cdi_parts_query *q) {
    cdi_convex body;
    uint32_t vertex = CD_NONE;
    double height;
    if (!cdi_search_has_plane(q) || p->halfspace || !cdi_shape_part_open(p, NULL, &body)) return true;
    height = cdi_v3_dot(q->aim->n, cdi_convex_farthest(&body, cdi_v3_neg(q->aim->n), &vertex)) - body.radius;
    return !(height - q->aim->d - 1e-14 * (body.reach + body.radius + cdi_abs(q->aim->d)) > q->aim->limit);
}

/* Where it is not clear that the part is near: what is not valid is shown as well. */
static bool cdi_one_visit_near(cdi_parts_one *o) {
    const cdi_parts_query *q = o->walk.search.query;
    cdi_parts_search whole;
    cdi_wide_box box;
    cdi_one_finish(o);
    cdi_search_begin(&whole, q);
    if (o->part.layers & q->ignore) return true;
    if (cdi_part_box(&o->part, NULL, &box) && !cdi_search_reaches(&whole, &box)) return true;
    return !cdi_part_is_under(&o->part, q) || q->visit(q->user, &o->part);
}

/* ---- triangles ---- */

/* By the corners, where a plane is known, and by the box. */
static bool cdi_item_is_near(cdi_parts_search *s, const cdi_bvh *tree, uint32_t i) {
    cdi_tri t = cdi_bvh_tri(tree, i);
    cdi_wide_box box;
    CDI_COUNT(triangle);
    if (cdi_search_has_plane(s->query)) {
        cdi_search_face(s);
        if (!cdi_search_under(s, &t)) return false;
    }
    cdi_tri_bounds(&t, &box.lo, &box.hi);
    return cdi_search_reaches(s, &box);
}

static bool cdi_one_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    cdi_parts_one *o = (cdi_parts_one *)q;
    uint32_t ignore = o->walk.search.query->ignore;
    for (uint32_t n = 0, i = first; n < count; ++n, i = cdi_bvh_next_item(tree, i)) {
        if (cdi_bvh_ignores(tree, i, ignore) || !cdi_item_is_near(&o->walk.search, tree, i)) continue;
        cdi_part_of_item(&o->part, o->shape, tree, i);
        if (!cdi_one_visit(o)) return false;
    }
    return true;
}

static bool cdi_one_open(const cd_shape *s, cdi_bvh *tree) {
    return s->u.mesh.tree && cdi_bvh_open(tree, s->u.mesh.tree) && cdi_bvh_is_triangles(tree);
}

static bool cdi_one_of_mesh(cdi_parts_one *o) {
    cdi_bvh tree;
    o->walk.items = cdi_one_items;
    return !cdi_one_open(o->shape, &tree) || cdi_walk_parts(&tree, &o->walk);
}

/* ---- classes ---- */

static void cdi_one_take(cdi_parts_one *o, const cd_shape *part, const cd_transform *pose, uint32_t index) {
    const cd_shape *s = o->shape;
    cdi_shape_part *p = &o->part;
    cdi_part_of_shape(p, part);
    if (pose) cdi_part_place(p, pose);
    cdi_part_join(p, s);
    p->item = p->part.index = index;
    p->part.user = s->user;
    if (p->part.material == 0) p->part.material = s->material;
}

static bool cdi_one_emitted(void *context, const cd_shape *part, const cd_transform *pose, uint32_t index) {
    cdi_parts_one *o = (cdi_parts_one *)context;
    cdi_one_take(o, part, pose, index);
    return cdi_one_visit_near(o);
}

static bool cdi_one_of_class(cdi_parts_one *o) {
    const cd_shape_class *table = o->shape->u.custom.table;
    cdi_parts_search *s = &o->walk.search;
    cdi_wide_box box = s->box;
    double limit = cdi_search_limit(s->query);
    if (!table || !table->parts) return true;
    if (limit > 0.0) cdi_wide_box_grow(&box, cdi_min(limit / s->least * 1.000001, CDI_BOX_WIDE));
    return table->parts(o->shape->u.custom.object, cdi_wide_box_round(&box), cdi_one_emitted, o);
}

/* ---- any but compounds ---- */

static void cdi_one_place(cdi_parts_one *o) {
    cdi_parts_search *s = &o->walk.search;
    const cd_shape *whole = s->query->whole;
    cdi_search_begin(s, s->query);
    if (o->child) {
        cdi_search_round(s, whole->radius);
        cdi_search_unscale(s, whole->scale);
        cdi_search_unpose(s, &o->child->pose);
    }
    cdi_search_round(s, o->shape->radius);
    cdi_search_unscale(s, o->shape->scale);
}

static void cdi_one_begin(cdi_parts_one *o, const cdi_parts_query *q, const cd_shape *s,
                          const cd_placed_shape *child, uint32_t number) {
    o->walk.search.query = q;
    o->shape = s;
    o->child = child;
    o->number = number;
    if (cdi_shape_has_parts(s)) cdi_one_place(o);
}

/* `near_enough`: that is known of a child of one piece. */
static bool cdi_parts_of_one(const cdi_parts_query *q, const cd_shape *s, const cd_placed_shape *child,
                             uint32_t number, bool near_enough) {
    cdi_parts_one o;
    if (s->layers & q->ignore) return true;
    cdi_one_begin(&o, q, s, child, number);
    if (s->type == CD_SHAPE_MESH || s->type == CD_SHAPE_HEIGHTS) return cdi_one_of_mesh(&o);
    if (s->type == CD_SHAPE_CLASS) return cdi_one_of_class(&o);
    cdi_part_of_shape(&o.part, s);
    return near_enough ? cdi_one_visit(&o) : cdi_one_visit_near(&o);
}

/* ---- compounds ---- */

typedef struct cdi_parts_children {
    cdi_parts_walk walk;
    const cd_compound *compound;
} cdi_parts_children;

static bool cdi_child_visit(const cdi_parts_query *q, const cd_compound *c, uint32_t number,
                            bool near_enough) {
    const cd_placed_shape *child = &c->children[number];
    return !child->shape || cdi_parts_of_one(q, child->shape, child, number, near_enough);
}

static bool cdi_child_is_halfspace(const cd_compound *c, uint32_t number) {
    const cd_shape *s = c->children[number].shape;
    return s && s->type == CD_SHAPE_HALFSPACE;
}

static bool cdi_children_items(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count) {
    cdi_parts_children *w = (cdi_parts_children *)q;
    for (uint32_t i = first; i < first + count; ++i) {
        uint32_t number = cdi_bvh_index(tree, i);
        cdi_wide_box box = cdi_wide_box_of(cdi_bvh_box_of(tree, i));
        if (number >= w->compound->count || !cdi_search_reaches(&w->walk.search, &box)) continue;
        if (cdi_child_is_halfspace(w->compound, number)) continue; /* has been visited */
        if (!cdi_child_visit(w->walk.search.query, w->compound, number, true)) return false;
    }
    return true;
}

static bool cdi_halfspaces_visit(const cdi_parts_query *q, const cd_compound *c) {
    for (uint32_t i = 0; i < c->count; ++i)
        if (cdi_child_is_halfspace(c, i) && !cdi_child_visit(q, c, i, true)) return false;
    return true;
}

/* What has no box has been left out of the tree. */
static bool cdi_children_by_tree(const cdi_parts_query *q, const cd_compound *c, const cdi_bvh *tree) {
    cdi_parts_children w;
    w.walk.items = cdi_children_items;
    w.compound = c;
    cdi_search_begin(&w.walk.search, q);
    cdi_search_round(&w.walk.search, q->whole->radius);
    cdi_search_unscale(&w.walk.search, q->whole->scale);
    if (tree->header->skipped_count && !cdi_halfspaces_visit(q, c)) return false;
    return cdi_walk_parts(tree, &w.walk);
}

static bool cdi_parts_of_children(const cdi_parts_query *q) {
    const cd_compound *c = q->whole->u.compound;
    cdi_bvh tree;
    if (!c || (q->whole->layers & q->ignore)) return true;
    if (cdi_bvh_open(&tree, &c->tree) && tree.item == CD_BVH_BOXES) return cdi_children_by_tree(q, c, &tree);
    for (uint32_t i = 0; i < c->count; ++i)
        if (!cdi_child_visit(q, c, i, false)) return false;
    return true;
}

/* ---- any shape ---- */

static bool cdi_parts_visit(const cd_shape *s, uint32_t child, cd_aabb box, const cdi_parts_aim *aim,
                            uint32_t ignore, cdi_shape_part_fn visit, void *user) {
    const cd_compound *c = s->type == CD_SHAPE_COMPOUND ? s->u.compound : NULL;
    cdi_parts_query q;
    if (cd_aabb_is_empty(box)) return true;
    q.box = cdi_wide_box_of(box);
    q.aim = aim;
    q.ignore = ignore;
    q.visit = visit;
    q.user = user;
    q.whole = s;
    if (s->type != CD_SHAPE_COMPOUND) return cdi_parts_of_one(&q, s, NULL, CD_NONE, true);
    if (child == CD_NONE) return cdi_parts_of_children(&q);
    if (!c || child >= c->count || (s->layers & ignore)) return true;
    return cdi_child_visit(&q, c, child, false);
}

CDI_FN bool cdi_parts_of_child(const cd_shape *s, uint32_t child, cd_aabb box, uint32_t ignore,
                               cdi_shape_part_fn visit, void *user) {
    return cdi_parts_visit(s, child, box, NULL, ignore, visit, user);
}

CDI_FN bool cdi_parts_in(const cd_shape *s, cd_aabb box, uint32_t ignore, cdi_shape_part_fn visit,
                         void *user) {
    return cdi_parts_visit(s, CD_NONE, box, NULL, ignore, visit, user);
}

CDI_FN bool cdi_parts_aimed(const cd_shape *s, cd_aabb box, const cdi_parts_aim *aim, uint32_t ignore,
                            cdi_shape_part_fn visit, void *user) {
    return cdi_parts_visit(s, CD_NONE, box, aim, ignore, visit, user);
}

/* ---- a part by its numbers ---- */

typedef struct cdi_parts_wanted {
    cdi_parts_one one;
    uint32_t item;
    bool found;
} cdi_parts_wanted;

static void cdi_wanted_show(cdi_parts_wanted *w) {
    const cdi_parts_query *q = w->one.walk.search.query;
    w->found = true;
    cdi_one_finish(&w->one);
    q->visit(q->user, &w->one.part);
}

static bool cdi_wanted_emitted(void *context, const cd_shape *part, const cd_transform *pose,
                               uint32_t index) {
    cdi_parts_wanted *w = (cdi_parts_wanted *)context;
    if (index != w->item) return true;
    cdi_one_take(&w->one, part, pose, index);
    cdi_wanted_show(w);
    return false;
}

static void cdi_wanted_of_class(cdi_parts_wanted *w) {
    const cd_shape *s = w->one.shape;
    const cd_shape_class *table = s->u.custom.table;
    cdi_wide_box all = cdi_wide_box_all();
    if (table && table->parts)
        table->parts(s->u.custom.object, cdi_wide_box_round(&all), cdi_wanted_emitted, w);
}

static void cdi_wanted_of_mesh(cdi_parts_wanted *w) {
    cdi_bvh tree;
    if (!cdi_one_open(w->one.shape, &tree) || !cdi_bvh_has_item(&tree, w->item)) return;
    cdi_part_of_item(&w->one.part, w->one.shape, &tree, w->item);
    cdi_wanted_show(w);
}

static void cdi_wanted_find(cdi_parts_wanted *w) {
    const cd_shape *s = w->one.shape;
    if (s->type == CD_SHAPE_MESH || s->type == CD_SHAPE_HEIGHTS) {
        cdi_wanted_of_mesh(w);
    } else if (s->type == CD_SHAPE_CLASS) {
        cdi_wanted_of_class(w);
    } else if (w->item == 0) {
        cdi_part_of_shape(&w->one.part, s);
        cdi_wanted_show(w);
    }
}

CDI_FN bool cdi_parts_find(const cd_shape *s, uint32_t child, uint32_t item, cdi_shape_part_fn visit,
                           void *user) {
    cdi_parts_wanted w;
    cdi_parts_query q;
    const cd_placed_shape *placed = NULL;
    if (s->type == CD_SHAPE_COMPOUND) {
        if (!s->u.compound || child >= s->u.compound->count) return false;
        placed = &s->u.compound->children[child];
        if (!placed->shape) return false;
    }
    q.box = cdi_wide_box_all();
    q.aim = NULL;
    q.ignore = 0;
    q.visit = visit;
    q.user = user;
    q.whole = s;
    cdi_one_begin(&w.one, &q, placed ? placed->shape : s, placed, child);
    w.item = item;
    w.found = false;
    if (placed || child == CD_NONE) cdi_wanted_find(&w);
    return w.found;
}

#undef CDI_PARTS_AWAY
