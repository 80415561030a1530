#include "tree/bvh_spheres.h"
#include "batch/hits.h"
#include "bounds/sites.h"
#include "bounds/sphere_min.h"
#include "core/memory.h"
#include "query/test.h"
#include "tree/bvh_pairs.h"

/* Sphere i has the leaf 2 i, and node 2 i + 1 is room for an inner one: n leaves need n - 1 of these, so that of the nodes of the
 * ids in use one is left over, and none beyond them is ever used. */
typedef struct cdi_sphere_node {
    cd_sphere sphere;
    uint32_t parent;
    uint32_t child[2]; /* of a leaf: its mask; one more than the next free id, where it is free itself */
    uint32_t height;   /* steps down to the lowest leaf; CD_NONE: not in use */
} cdi_sphere_node;

#define CDI_SPHERES_MOST 0x7FFFFFFFu

CDI_INLINE cdi_sphere_node *cdi_spheres_at(const cd_bvh_spheres *t, uint32_t node) {
    return (cdi_sphere_node *)t->nodes + node;
}
CDI_INLINE bool cdi_spheres_is_leaf(uint32_t node) {
    return (node & 1) == 0;
}
CDI_INLINE uint32_t cdi_spheres_leaf(uint32_t id) {
    return 2 * id;
}

/* The other child of the parent, which there is. */
static uint32_t cdi_spheres_sibling(const cd_bvh_spheres *t, uint32_t node) {
    const cdi_sphere_node *parent = cdi_spheres_at(t, cdi_spheres_at(t, node)->parent);
    return parent->child[parent->child[0] == node];
}

/* ---- spheres around two ---- */

/* What the fast way needs: squares that neither overflow nor vanish. */
static bool cdi_spheres_squares(double square) {
    return square > 1e-280 && square < 1e280;
}

/* The sphere around two of which none holds the other: about the middle of what they span, as it is stored. */
static bool cdi_span_spheres(cd_sphere a, cd_sphere b, cd_sphere *out) {
    cdi_v3 p = cdi_v3_of(a.center), q = cdi_v3_of(b.center), v = cdi_v3_sub(q, p), c;
    double square = cdi_v3_sqlength(v), apart, r, s = (double)a.radius, t = (double)b.radius;
    if (!cdi_spheres_squares(square)) return false;
    apart = cdi_sqrt(square);
    out->center = cdi_v3_round(cdi_v3_along(p, v, 0.5 + 0.5 * (t - s) / apart));
    c = cdi_v3_of(out->center);
    r = cdi_max(cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(p, c))) + s,
                cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(q, c))) + t);
    r *= 1.0 + 8.881784197001252e-16; /* eight roundings */
    if (!(r < 0.5 * (double)CD_REAL_MAX)) return false;
    out->radius = (cd_real)r;
    if ((double)out->radius < r) out->radius = cdi_next_real(out->radius, true);
    return true;
}

/* Either may be infinite. */
static cd_sphere cdi_join_spheres(cd_sphere a, cd_sphere b) {
    cdi_v3 v = cdi_v3_sub(cdi_v3_of(b.center), cdi_v3_of(a.center));
    double gap = (double)a.radius - (double)b.radius, square = cdi_v3_sqlength(v);
    cd_sphere out;
    /* where it is plain that none holds the other; the rest is decided without rounding */
    if (square > gap * gap * (1.0 + 1e-14) && cdi_span_spheres(a, b, &out)) return out;
    return cd_merge_sphere_sphere(a, b);
}

/* Is the second part of the first, which may be infinite? */
static bool cdi_spheres_hold(const cd_sphere *s, const cd_sphere *part) {
    if (!cdi_finite((double)s->radius)) return true;
    return cdi_finite((double)part->radius) && cdi_ball_holds(cdi_v3_of(s->center), (double)s->radius,
                                                              cdi_v3_of(part->center), (double)part->radius);
}

/* The least radius of a sphere around both, about. */
static double cdi_joint_radius(const cd_sphere *a, const cd_sphere *b) {
    cdi_v3 v = cdi_v3_sub(cdi_v3_of(a->center), cdi_v3_of(b->center));
    double r = (double)a->radius, s = (double)b->radius;
    double joint = 0.5 * (cdi_sqrt(cdi_v3_sqlength(v)) + r + s);
    return cdi_max(joint, cdi_max(r, s));
}

/* How far the surface grows that has to hold another sphere, too, over 4 pi: above 0 only where it does; CDI_HUGE where numbers end. */
static double cdi_sphere_growth(const cd_sphere *around, const cd_sphere *s) {
    double r = (double)around->radius, joint = cdi_joint_radius(around, s);
    double growth = (joint - r) * (joint + r);
    return growth < CDI_HUGE ? growth : CDI_HUGE;
}

/* May they meet? True for all that do. Squares may overflow or vanish. */
CDI_INLINE bool cdi_spheres_may_meet(const cd_sphere *a, const cd_sphere *b) {
    cdi_v3 v = cdi_v3_sub(cdi_v3_of(a->center), cdi_v3_of(b->center));
    double sum = (double)a->radius + (double)b->radius;
    CDI_COUNT(node);
    return !(cdi_v3_sqlength(v) > sum * sum * (1.0 + 1e-14) + 1e-300);
}

/* ---- balance ---- */

static void cdi_spheres_fit(const cd_bvh_spheres *t, cdi_sphere_node *node) {
    const cdi_sphere_node *l = cdi_spheres_at(t, node->child[0]), *r = cdi_spheres_at(t, node->child[1]);
    node->sphere = cdi_join_spheres(l->sphere, r->sphere);
    node->height = (l->height > r->height ? l->height : r->height) + 1;
    CDI_COUNT(build);
}

static void cdi_spheres_put(const cd_bvh_spheres *t, uint32_t parent, uint32_t side, uint32_t node) {
    cdi_spheres_at(t, parent)->child[side] = node;
    cdi_spheres_at(t, node)->parent = parent;
}

/* A node's child on `side` has a child on `place`, which changes places with that child's sibling. */
typedef struct cdi_exchange {
    uint32_t side, place;
    double gain; /* by how much the child's surface shrinks */
} cdi_exchange;

static bool cdi_heights_balance(uint32_t a, uint32_t b) {
    return a <= b + 1 && b <= a + 1;
}

/* Would all be in balance then, and the node no higher? */
static bool cdi_exchange_balances(uint32_t rises, uint32_t stays, uint32_t sinks, uint32_t height) {
    uint32_t below = (stays > sinks ? stays : sinks) + 1;
    return cdi_heights_balance(stays, sinks) && cdi_heights_balance(below, rises) &&
           (below > rises ? below : rises) < height;
}

/* Of the exchanges below a node that keep or make the balance, the best that is better than `best`. */
static void cdi_find_exchange(const cd_bvh_spheres *t, const cdi_sphere_node *node, uint32_t side,
                              cdi_exchange *best) {
    const cdi_sphere_node *child = cdi_spheres_at(t, node->child[side]);
    const cdi_sphere_node *uncle = cdi_spheres_at(t, node->child[1 - side]);
    if (cdi_spheres_is_leaf(node->child[side])) return;
    for (uint32_t place = 0; place < 2; ++place) {
        const cdi_sphere_node *rises = cdi_spheres_at(t, child->child[place]);
        const cdi_sphere_node *stays = cdi_spheres_at(t, child->child[1 - place]);
        double r = (double)child->sphere.radius, joint, gain;
        if (!cdi_exchange_balances(rises->height, stays->height, uncle->height, node->height)) continue;
        joint = cdi_joint_radius(&stays->sphere, &uncle->sphere);
        gain = (r - joint) * (r + joint);
        if (!(gain > -CDI_HUGE)) gain = -CDI_HUGE;
        if (!(gain > best->gain)) continue;
        best->side = side;
        best->place = place;
        best->gain = gain;
    }
}

static void cdi_spheres_exchange(const cd_bvh_spheres *t, uint32_t at, const cdi_exchange *e) {
    cdi_sphere_node *node = cdi_spheres_at(t, at);
    uint32_t child = node->child[e->side], uncle = node->child[1 - e->side];
    uint32_t rises = cdi_spheres_at(t, child)->child[e->place];
    cdi_spheres_put(t, at, 1 - e->side, rises);
    cdi_spheres_put(t, child, e->place, uncle);
    cdi_spheres_fit(t, cdi_spheres_at(t, child));
}

/* The children of the node are in balance, each in itself. */
static void cdi_spheres_balance(const cd_bvh_spheres *t, uint32_t at) {
    cdi_sphere_node *node = cdi_spheres_at(t, at);
    uint32_t l = cdi_spheres_at(t, node->child[0])->height, r = cdi_spheres_at(t, node->child[1])->height;
    bool even = cdi_heights_balance(l, r);
    cdi_exchange best;
    best.side = 2;
    best.place = 0;
    best.gain = even ? 0.0 : -cdi_infinity();
    node->height = (l > r ? l : r) + 1;
    if (even || l > r) cdi_find_exchange(t, node, 0, &best);
    if (even || r > l) cdi_find_exchange(t, node, 1, &best);
    if (best.side < 2) cdi_spheres_exchange(t, at, &best);
}

/* Brings a node and those above it up to date, as far as that changes anything. */
static void cdi_spheres_refit(const cd_bvh_spheres *t, uint32_t at) {
    while (at != CD_NONE) {
        cdi_sphere_node *node = cdi_spheres_at(t, at), was = *node;
        if (!(t->options.flags & CD_BVH_SPHERES_PLAIN)) cdi_spheres_balance(t, at);
        cdi_spheres_fit(t, node);
        if (node->height == was.height && node->sphere.radius == was.sphere.radius &&
            node->sphere.center.x == was.sphere.center.x && node->sphere.center.y == was.sphere.center.y &&
            node->sphere.center.z == was.sphere.center.z)
            return;
        at = node->parent;
    }
}

/* ---- in and out ---- */

/* Puts `with` where `node` is. */
static void cdi_spheres_replace(cd_bvh_spheres *t, uint32_t node, uint32_t with) {
    uint32_t parent = cdi_spheres_at(t, node)->parent;
    if (parent == CD_NONE) {
        t->root = with;
        cdi_spheres_at(t, with)->parent = CD_NONE;
    } else {
        cdi_spheres_put(t, parent, cdi_spheres_at(t, parent)->child[1] == node, with);
    }
}

/* What a sphere is led by: how much a node would have to grow, or how far away its centre is. */
static double cdi_spheres_reluctance(const cd_bvh_spheres *t, const cd_sphere *at, const cd_sphere *s) {
    if (t->options.flags & CD_BVH_SPHERES_PLAIN) return cdi_sphere_growth(at, s);
    return cdi_v3_sqlength(cdi_v3_sub(cdi_v3_of(at->center), cdi_v3_of(s->center)));
}

/* The child to go down to; of two alike the lower one, then the left one. */
static uint32_t cdi_spheres_choose(const cd_bvh_spheres *t, const cdi_sphere_node *node, const cd_sphere *s) {
    const cdi_sphere_node *l = cdi_spheres_at(t, node->child[0]), *r = cdi_spheres_at(t, node->child[1]);
    double left = cdi_spheres_reluctance(t, &l->sphere, s);
    double right = cdi_spheres_reluctance(t, &r->sphere, s);
    CDI_COUNT(build);
    if (left == right) return node->child[r->height < l->height];
    return node->child[right < left];
}

/* Puts a leaf in the tree, below `parent`, a node not in use. */
static void cdi_spheres_attach(cd_bvh_spheres *t, uint32_t leaf, uint32_t parent) {
    cdi_sphere_node *node = cdi_spheres_at(t, parent);
    uint32_t at = t->root;
    while (!cdi_spheres_is_leaf(at))
        at = cdi_spheres_choose(t, cdi_spheres_at(t, at), &cdi_spheres_at(t, leaf)->sphere);
    cdi_spheres_replace(t, at, parent);
    cdi_spheres_put(t, parent, 0, at);
    cdi_spheres_put(t, parent, 1, leaf);
    cdi_spheres_fit(t, node);
    cdi_spheres_refit(t, node->parent);
}

/* Takes a leaf that has a parent out; the parent is then not in use. */
static uint32_t cdi_spheres_detach(cd_bvh_spheres *t, uint32_t leaf) {
    uint32_t parent = cdi_spheres_at(t, leaf)->parent, sibling = cdi_spheres_sibling(t, leaf);
    cdi_spheres_replace(t, parent, sibling);
    cdi_spheres_at(t, parent)->height = CD_NONE;
    cdi_spheres_refit(t, cdi_spheres_at(t, sibling)->parent);
    return parent;
}

/* Moves an inner node to a place not in use. */
static void cdi_spheres_relocate(cd_bvh_spheres *t, uint32_t from, uint32_t to) {
    cdi_sphere_node *node = cdi_spheres_at(t, to);
    *node = *cdi_spheres_at(t, from);
    cdi_spheres_replace(t, from, to);
    cdi_spheres_put(t, to, 0, node->child[0]);
    cdi_spheres_put(t, to, 1, node->child[1]);
    cdi_spheres_at(t, from)->height = CD_NONE;
}

/* ---- room ---- */

/* `capacity` is at least what there is. */
static cd_status cdi_spheres_reserve(cd_bvh_spheres *t, uint32_t capacity) {
    void *nodes;
    if (capacity == 0) return CD_OK;
    if (capacity > CDI_SPHERES_MOST) return CD_TOO_LARGE;
    nodes = cdi_alloc(&t->options.allocator, 2 * (size_t)capacity, sizeof(cdi_sphere_node));
    if (!nodes) return CD_OUT_OF_MEMORY;
    if (t->used) cdi_copy(nodes, t->nodes, 2 * (size_t)t->used * sizeof(cdi_sphere_node));
    cdi_free(&t->options.allocator, t->nodes, 2 * (size_t)t->capacity, sizeof(cdi_sphere_node));
    t->nodes = nodes;
    t->capacity = capacity;
    return CD_OK;
}

/* Room for one more. */
static cd_status cdi_spheres_grow(cd_bvh_spheres *t) {
    uint32_t more = t->capacity < 8 ? 16 : t->capacity * 2;
    if (t->unused || t->used < t->capacity) return CD_OK;
    if (t->capacity == CDI_SPHERES_MOST) return CD_TOO_LARGE;
    return cdi_spheres_reserve(t, more < CDI_SPHERES_MOST ? more : CDI_SPHERES_MOST);
}

CD_API cd_status cd_bvh_spheres_init(cd_bvh_spheres *out, const cd_bvh_spheres_options *options) {
    cd_status status = CD_OK;
    cdi_clear(out, sizeof *out);
    if (!options) return CD_OK;
    if (options->flags & ~(uint32_t)CD_BVH_SPHERES_PLAIN) return CD_INVALID_ARGUMENT;
    out->options = *options;
    status = cdi_spheres_reserve(out, options->capacity);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

CD_API void cd_bvh_spheres_destroy(cd_bvh_spheres *tree) {
    cd_bvh_spheres_options options = tree->options;
    cdi_free(&options.allocator, tree->nodes, 2 * (size_t)tree->capacity, sizeof(cdi_sphere_node));
    cdi_clear(tree, sizeof *tree);
    tree->options = options;
}

CD_API cd_status cd_bvh_spheres_copy(cd_bvh_spheres *out, const cd_bvh_spheres *tree,
                                     const cd_allocator *allocator) {
    cd_bvh_spheres copy = *tree;
    size_t count = 2 * (size_t)tree->capacity;
    cdi_clear(&copy.options.allocator, sizeof copy.options.allocator);
    if (allocator) copy.options.allocator = *allocator;
    copy.nodes = cdi_alloc(&copy.options.allocator, count, sizeof(cdi_sphere_node));
    if (!copy.nodes && count) {
        cdi_clear(out, sizeof *out);
        return CD_OUT_OF_MEMORY;
    }
    if (tree->used) cdi_copy(copy.nodes, tree->nodes, 2 * (size_t)tree->used * sizeof(cdi_sphere_node));
    *out = copy;
    return CD_OK;
}

/* ---- changes ---- */

static uint32_t cdi_spheres_take_id(cd_bvh_spheres *t) {
    uint32_t id = t->used;
    if (t->unused) {
        id = t->unused - 1;
        t->unused = cdi_spheres_at(t, cdi_spheres_leaf(id))->child[1];
    } else {
        ++t->used;
    }
    ++t->count;
    return id;
}

static void cdi_spheres_give_id(cd_bvh_spheres *t, uint32_t id) {
    cdi_sphere_node *leaf = cdi_spheres_at(t, cdi_spheres_leaf(id));
    leaf->child[1] = t->unused;
    leaf->height = CD_NONE;
    t->unused = id + 1;
    --t->count;
}

CD_API cd_status cd_bvh_insert_sphere(cd_bvh_spheres *tree, cd_sphere sphere, uint32_t mask, uint32_t *id) {
    cd_status status = cd_sphere_is_valid(sphere) ? cdi_spheres_grow(tree) : CD_INVALID_ARGUMENT;
    cdi_sphere_node *node;
    uint32_t number, at;
    if (status != CD_OK) return status;
    number = cdi_spheres_take_id(tree);
    if (id) *id = number;
    at = cdi_spheres_leaf(number);
    node = cdi_spheres_at(tree, at);
    cdi_clear(node, 2 * sizeof *node);
    node[0].sphere = sphere;
    node[0].child[0] = mask;
    node[0].parent = CD_NONE;
    node[1].height = CD_NONE;
    if (tree->count == 1) {
        tree->root = at;
    } else {
        cdi_spheres_attach(tree, at, at + 1);
    }
    return CD_OK;
}

CD_API cd_status cd_bvh_remove_sphere(cd_bvh_spheres *tree, uint32_t id) {
    uint32_t leaf = cdi_spheres_leaf(id), own = leaf + 1;
    if (!cd_bvh_spheres_contains(tree, id)) return CD_INVALID_ARGUMENT;
    if (tree->count > 1) {
        uint32_t spare = cdi_spheres_detach(tree, leaf);
        if (cdi_spheres_at(tree, own)->height != CD_NONE) cdi_spheres_relocate(tree, own, spare);
    }
    cdi_spheres_give_id(tree, id);
    return CD_OK;
}

CD_API cd_status cd_bvh_move_sphere(cd_bvh_spheres *tree, uint32_t id, cd_sphere sphere) {
    uint32_t at = cdi_spheres_leaf(id), parent;
    cdi_sphere_node *leaf;
    if (!cd_bvh_spheres_contains(tree, id) || !cd_sphere_is_valid(sphere)) return CD_INVALID_ARGUMENT;
    leaf = cdi_spheres_at(tree, at);
    leaf->sphere = sphere;
    parent = leaf->parent;
    if (parent != CD_NONE && !cdi_spheres_hold(&cdi_spheres_at(tree, parent)->sphere, &sphere))
        cdi_spheres_attach(tree, at, cdi_spheres_detach(tree, at));
    return CD_OK;
}

CD_API cd_status cd_bvh_spheres_set_mask(cd_bvh_spheres *tree, uint32_t id, uint32_t mask) {
    if (!cd_bvh_spheres_contains(tree, id)) return CD_INVALID_ARGUMENT;
    cdi_spheres_at(tree, cdi_spheres_leaf(id))->child[0] = mask;
    return CD_OK;
}

/* ---- what is there ---- */

CD_API bool cd_bvh_spheres_contains(const cd_bvh_spheres *tree, uint32_t id) {
    return id < tree->used && cdi_spheres_at(tree, cdi_spheres_leaf(id))->height == 0;
}

CD_API cd_sphere cd_bvh_spheres_get(const cd_bvh_spheres *tree, uint32_t id) {
    cd_sphere none;
    cdi_clear(&none, sizeof none);
    none.radius = -1;
    return cd_bvh_spheres_contains(tree, id) ? cdi_spheres_at(tree, cdi_spheres_leaf(id))->sphere : none;
}

CD_API uint32_t cd_bvh_spheres_get_mask(const cd_bvh_spheres *tree, uint32_t id) {
    return cd_bvh_spheres_contains(tree, id) ? cdi_spheres_at(tree, cdi_spheres_leaf(id))->child[0] : 0;
}

CD_API uint32_t cd_bvh_spheres_count(const cd_bvh_spheres *tree) {
    return tree->count;
}

CD_API cd_sphere cd_bvh_spheres_bounds(const cd_bvh_spheres *tree) {
    return tree->count ? cdi_spheres_at(tree, tree->root)->sphere : cd_bvh_spheres_get(tree, CD_NONE);
}

CD_API uint32_t cd_bvh_spheres_height(const cd_bvh_spheres *tree) {
    return tree->count ? cdi_spheres_at(tree, tree->root)->height : 0;
}

/* ---- walks: no stack, the links tell what comes next ---- */

/* What comes after a node and all below it; CD_NONE at the end. */
static uint32_t cdi_spheres_after(const cd_bvh_spheres *t, uint32_t node) {
    while (node != t->root) {
        uint32_t parent = cdi_spheres_at(t, node)->parent;
        uint32_t right = cdi_spheres_at(t, parent)->child[1];
        if (right != node) return right;
        node = parent;
    }
    return CD_NONE;
}

static bool cdi_spheres_pass(const cd_bvh_spheres *t, uint32_t leaf, uint32_t ignore_mask,
                             cd_filter_fn filter, void *user) {
    if (cdi_spheres_at(t, leaf)->child[0] & ignore_mask) return false;
    return !filter || filter(user, leaf / 2);
}

static bool cdi_spheres_leaf_meets(const cd_bvh_spheres *t, uint32_t leaf, cd_sphere s, const cd_filter *f) {
    if (!cd_test_sphere_sphere(cdi_spheres_at(t, leaf)->sphere, s)) return false;
    return !f || cdi_spheres_pass(t, leaf, f->ignore_mask, f->filter, f->user);
}

CD_API bool cd_bvh_spheres_overlap(const cd_bvh_spheres *tree, cd_sphere sphere, const cd_filter *filter,
                                   cd_visit_fn visit, void *user) {
    uint32_t node = tree->count ? tree->root : CD_NONE;
    if (!cd_sphere_is_valid(sphere)) return true;
    while (node != CD_NONE) {
        const cdi_sphere_node *at = cdi_spheres_at(tree, node);
        bool near_it = cdi_spheres_may_meet(&at->sphere, &sphere);
        if (near_it && !cdi_spheres_is_leaf(node)) {
            node = at->child[0];
            continue;
        }
        if (near_it && cdi_spheres_leaf_meets(tree, node, sphere, filter) && !visit(user, node / 2))
            return false;
        node = cdi_spheres_after(tree, node);
    }
    return true;
}

CD_API size_t cd_bvh_spheres_overlap_list(const cd_bvh_spheres *tree, cd_sphere sphere,
                                          const cd_filter *filter, uint32_t *out, size_t capacity) {
    cdi_index_list list = cdi_index_list_of(out, capacity);
    cd_bvh_spheres_overlap(tree, sphere, filter, cdi_index_append, &list);
    return list.count;
}

/* ---- pairs ---- */

typedef struct cdi_spheres_pairs {
    const cd_bvh_spheres *a, *b;
    cd_bvh_pair_options options;
    bool self;
    cd_visit_pair_fn visit;
    void *user;
} cdi_spheres_pairs;

static bool cdi_spheres_hidden(const cdi_spheres_pairs *w, uint32_t a, uint32_t b) {
    uint32_t m = cdi_spheres_at(w->a, a)->child[0], n = cdi_spheres_at(w->b, b)->child[0];
    uint32_t both = w->options.ignore_a | w->options.ignore_b;
    return w->self ? ((m | n) & both) != 0 : (m & w->options.ignore_a) || (n & w->options.ignore_b);
}

/* Two leaves; false when the visitor stops. */
static bool cdi_spheres_tell(const cdi_spheres_pairs *w, uint32_t a, uint32_t b) {
    cd_pair pair;
    if (cdi_spheres_hidden(w, a, b)) return true;
    if (!cd_test_sphere_sphere(cdi_spheres_at(w->a, a)->sphere, cdi_spheres_at(w->b, b)->sphere)) return true;
    pair.a = (w->self && b < a ? b : a) / 2;
    pair.b = (w->self && b < a ? a : b) / 2;
    if (w->options.filter && !w->options.filter(w->options.user, pair)) return true;
    return w->visit(w->user, pair);
}

/* Goes from a node to its sibling, if it is the left one, or up, and tells which. */
static bool cdi_spheres_to_right(const cd_bvh_spheres *t, uint32_t *node) {
    uint32_t parent = cdi_spheres_at(t, *node)->parent, right = cdi_spheres_at(t, parent)->child[1];
    bool more = right != *node;
    *node = more ? right : parent;
    return more;
}

/* The next two nodes after *a and *b, of those below `from_a` and `from_b`; false at the end. Of two nodes the higher one is opened
 * first, of equal ones A's: so that of the parents the lower one was opened last, of equal ones B's. */
static bool cdi_spheres_next_two(const cdi_spheres_pairs *w, uint32_t from_a, uint32_t from_b, uint32_t *a,
                                 uint32_t *b) {
    while (*a != from_a || *b != from_b) {
        bool last_a = *b == from_b;
        if (!last_a && *a != from_a)
            last_a = cdi_spheres_at(w->a, cdi_spheres_at(w->a, *a)->parent)->height <
                     cdi_spheres_at(w->b, cdi_spheres_at(w->b, *b)->parent)->height;
        if (last_a ? cdi_spheres_to_right(w->a, a) : cdi_spheres_to_right(w->b, b)) return true;
    }
    return false;
}

/* All pairs of a leaf below one node and one below the other. */
static bool cdi_spheres_cross(const cdi_spheres_pairs *w, uint32_t from_a, uint32_t from_b) {
    uint32_t a = from_a, b = from_b;
    do {
        for (;;) {
            const cdi_sphere_node *p = cdi_spheres_at(w->a, a), *q = cdi_spheres_at(w->b, b);
            if (!cdi_spheres_may_meet(&p->sphere, &q->sphere)) break;
            if (p->height == 0 && q->height == 0) {
                if (!cdi_spheres_tell(w, a, b)) return false;
                break;
            }
            if (p->height >= q->height) {
                a = p->child[0];
            } else {
                b = q->child[0];
            }
        }
    } while (cdi_spheres_next_two(w, from_a, from_b, &a, &b));
    return true;
}

static cdi_spheres_pairs cdi_spheres_pairs_of(const cd_bvh_spheres *a, const cd_bvh_spheres *b,
                                              const cd_bvh_pair_options *options, cd_visit_pair_fn visit,
                                              void *user) {
    cdi_spheres_pairs w;
    cdi_clear(&w, sizeof w);
    w.a = a;
    w.b = b;
    if (options) w.options = *options;
    w.visit = visit;
    w.user = user;
    return w;
}

/* Two leaves meet below the lowest node that is above both, one on each side. */
CD_API bool cd_bvh_spheres_traverse_self(const cd_bvh_spheres *tree, const cd_bvh_pair_options *options,
                                         cd_visit_pair_fn visit, void *user) {
    cdi_spheres_pairs w = cdi_spheres_pairs_of(tree, tree, options, visit, user);
    uint32_t node = tree->count ? tree->root : CD_NONE;
    w.self = true;
    while (node != CD_NONE) {
        const cdi_sphere_node *at = cdi_spheres_at(tree, node);
        bool leaf = cdi_spheres_is_leaf(node);
        if (!leaf && !cdi_spheres_cross(&w, at->child[0], at->child[1])) return false;
        node = leaf ? cdi_spheres_after(tree, node) : at->child[0];
    }
    return true;
}

CD_API bool cd_bvh_spheres_traverse_pairs(const cd_bvh_spheres *a, const cd_bvh_spheres *b,
                                          const cd_bvh_pair_options *options, cd_visit_pair_fn visit,
                                          void *user) {
    cdi_spheres_pairs w = cdi_spheres_pairs_of(a, b, options, visit, user);
    return a->count == 0 || b->count == 0 || cdi_spheres_cross(&w, a->root, b->root);
}

CD_API size_t cd_bvh_spheres_self_pairs(const cd_bvh_spheres *tree, const cd_bvh_pair_options *options,
                                        cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cd_bvh_spheres_traverse_self(tree, options, cdi_pair_append, &list);
    return list.count;
}

CD_API size_t cd_bvh_spheres_collide(const cd_bvh_spheres *a, const cd_bvh_spheres *b,
                                     const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cd_bvh_spheres_traverse_pairs(a, b, options, cdi_pair_append, &list);
    return list.count;
}

/* ---- rays ---- */

typedef struct cdi_spheres_ray {
    const cd_bvh_spheres *tree;
    const cd_ray *given;
    cd_real t_max;
    const cd_cast_options *options;
    cdi_v3 o, d;
    double dd, t_min, limit; /* hits beyond the limit are of no use */
    cd_hit best;             /* index CD_NONE: none */
} cdi_spheres_ray;

/* May the ray hit anything within the sphere, with t up to the limit? True also where numbers leave the range. */
static bool cdi_ray_near_sphere(const cdi_spheres_ray *q, const cd_sphere *s) {
    cdi_v3 m = cdi_v3_sub(cdi_v3_of(s->center), q->o), off;
    double r = (double)s->radius, middle = 0.0, half;
    CDI_COUNT(node);
    if (q->dd != 0.0 && !cdi_spheres_squares(q->dd)) return true;
    r += 1e-13 * (r + cdi_v3_max_abs(m)); /* far more than the casts are off by */
    if (q->dd > 0.0) middle = cdi_v3_dot(m, q->d) / q->dd;
    off = cdi_v3_along(m, q->d, -middle);
    if (cdi_v3_sqlength(off) > r * r + 1e-300) return false;
    if (q->dd == 0.0 || !(r < 1e140)) return true;
    half = r / cdi_sqrt(q->dd);
    return !(middle - half > q->limit) && !(middle + half < q->t_min);
}

/* The child that lies first along the ray. */
static uint32_t cdi_spheres_first_along(const cdi_spheres_ray *q, const cdi_sphere_node *node) {
    cdi_v3 l = cdi_v3_of(cdi_spheres_at(q->tree, node->child[0])->sphere.center);
    cdi_v3 r = cdi_v3_of(cdi_spheres_at(q->tree, node->child[1])->sphere.center);
    return node->child[cdi_v3_dot(cdi_v3_sub(r, l), q->d) < 0.0];
}

/* What comes after a node and all below it on the way along the ray. */
static uint32_t cdi_spheres_after_along(const cdi_spheres_ray *q, uint32_t node) {
    while (node != q->tree->root) {
        uint32_t parent = cdi_spheres_at(q->tree, node)->parent;
        if (cdi_spheres_first_along(q, cdi_spheres_at(q->tree, parent)) == node)
            return cdi_spheres_sibling(q->tree, node);
        node = parent;
    }
    return CD_NONE;
}

/* Casts at a leaf, and keeps the hit if it is the best. */
static bool cdi_spheres_cast_leaf(cdi_spheres_ray *q, uint32_t leaf) {
    const cd_cast_options *o = q->options;
    cd_hit hit;
    if (!cd_cast_ray_sphere(q->given, q->t_max, cdi_spheres_at(q->tree, leaf)->sphere, o, &hit)) return false;
    hit.index = leaf / 2;
    if (hit.t > q->best.t || (hit.t == q->best.t && hit.index > q->best.index)) return false;
    if (o && !cdi_spheres_pass(q->tree, leaf, o->ignore_mask, o->filter, o->user)) return false;
    q->best = hit;
    q->limit = (double)cdi_next_real(hit.t, true);
    return true;
}

static bool cdi_spheres_ray_begin(cdi_spheres_ray *q, const cd_bvh_spheres *tree, const cd_ray *r,
                                  cd_real t_max, const cd_cast_options *options) {
    q->tree = tree;
    q->given = r;
    q->t_max = t_max;
    q->options = options;
    q->o = cdi_v3_of(r->origin);
    q->d = cdi_v3_of(r->dir);
    q->dd = cdi_v3_sqlength(q->d);
    q->t_min = options ? (double)options->t_min : 0.0;
    q->limit = (double)t_max;
    q->best.index = CD_NONE;
    q->best.t = (cd_real)cdi_infinity();
    return tree->count && cd_ray_is_valid(r);
}

/* The nearest hit, or any; CD_NONE in `best.index` where there is none. */
static void cdi_spheres_walk_ray(cdi_spheres_ray *q, bool any) {
    uint32_t node = q->tree->root;
    while (node != CD_NONE) {
        const cdi_sphere_node *at = cdi_spheres_at(q->tree, node);
        bool close = cdi_ray_near_sphere(q, &at->sphere);
        if (close && !cdi_spheres_is_leaf(node)) {
            node = cdi_spheres_first_along(q, at);
            continue;
        }
        if (close && cdi_spheres_cast_leaf(q, node) && any) return;
        node = cdi_spheres_after_along(q, node);
    }
}

CD_API bool cd_bvh_spheres_cast_ray(const cd_bvh_spheres *tree, const cd_ray *r, cd_real t_max,
                                    const cd_cast_options *options, cd_hit *hit) {
    cdi_spheres_ray q;
    if (!cdi_spheres_ray_begin(&q, tree, r, t_max, options)) return false;
    cdi_spheres_walk_ray(&q, false);
    if (q.best.index != CD_NONE && hit) *hit = q.best;
    return q.best.index != CD_NONE;
}

CD_API bool cd_bvh_spheres_test_ray(const cd_bvh_spheres *tree, const cd_ray *r, cd_real t_max,
                                    const cd_cast_options *options) {
    cdi_spheres_ray q;
    if (!cdi_spheres_ray_begin(&q, tree, r, t_max, options)) return false;
    cdi_spheres_walk_ray(&q, true);
    return q.best.index != CD_NONE;
}

/* ---- the rules ---- */

static bool cdi_spheres_linked(const cd_bvh_spheres *t, uint32_t node) {
    uint32_t parent = cdi_spheres_at(t, node)->parent;
    const cdi_sphere_node *up;
    if (node == t->root || parent == CD_NONE) return node == t->root && parent == CD_NONE;
    if (cdi_spheres_is_leaf(parent) || parent / 2 >= t->used) return false;
    up = cdi_spheres_at(t, parent);
    return up->height != CD_NONE && (up->child[0] == node) != (up->child[1] == node);
}

/* An inner node in use: heights that rise leave no circles. */
static bool cdi_spheres_inner_is_sound(const cd_bvh_spheres *t, uint32_t node) {
    const cdi_sphere_node *at = cdi_spheres_at(t, node);
    uint32_t height[2];
    for (int i = 0; i < 2; ++i) {
        const cdi_sphere_node *child;
        if (at->child[i] / 2 >= t->used) return false;
        child = cdi_spheres_at(t, at->child[i]);
        height[i] = child->height;
        if (child->parent != node || height[i] >= at->height ||
            !cdi_spheres_hold(&at->sphere, &child->sphere))
            return false;
    }
    if (at->height != (height[0] > height[1] ? height[0] : height[1]) + 1) return false;
    return (t->options.flags & CD_BVH_SPHERES_PLAIN) || cdi_heights_balance(height[0], height[1]);
}

/* The two nodes of an id, and how many of each kind are in use. */
static bool cdi_spheres_id_is_sound(const cd_bvh_spheres *t, uint32_t id, uint32_t in_use[2]) {
    uint32_t leaf = cdi_spheres_leaf(id), own = leaf + 1;
    bool has_leaf = cdi_spheres_at(t, leaf)->height == 0, has_own = cdi_spheres_at(t, own)->height != CD_NONE;
    if (!has_leaf) return cdi_spheres_at(t, leaf)->height == CD_NONE && !has_own;
    ++in_use[0];
    in_use[1] += has_own;
    if (!cd_sphere_is_valid(cdi_spheres_at(t, leaf)->sphere) || !cdi_spheres_linked(t, leaf)) return false;
    return !has_own || (cdi_spheres_linked(t, own) && cdi_spheres_inner_is_sound(t, own));
}

static bool cdi_spheres_free_is_sound(const cd_bvh_spheres *t) {
    uint32_t next = t->unused;
    for (uint32_t left = t->used - t->count; left > 0; --left) {
        if (next == 0 || next > t->used || cd_bvh_spheres_contains(t, next - 1)) return false;
        next = cdi_spheres_at(t, cdi_spheres_leaf(next - 1))->child[1];
    }
    return next == 0;
}

CD_API cd_status cd_bvh_spheres_validate(const cd_bvh_spheres *tree) {
    uint32_t in_use[2] = {0, 0};
    bool sound = tree->count <= tree->used && tree->used <= tree->capacity &&
                 (tree->nodes != NULL) == (tree->capacity != 0);
    for (uint32_t id = 0; sound && id < tree->used; ++id) sound = cdi_spheres_id_is_sound(tree, id, in_use);
    sound = sound && in_use[0] == tree->count && in_use[1] == (tree->count ? tree->count - 1 : 0);
    return sound && cdi_spheres_free_is_sound(tree) ? CD_OK : CD_CORRUPT;
}

#undef CDI_SPHERES_MOST
