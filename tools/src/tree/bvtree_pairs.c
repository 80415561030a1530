#include "tree/bvtree_pairs.h"
#include "tree/bvh_apart.h"
#include "tree/bvh_leaves.h"
#include "tree/bvtree_node.h"

/* One tree gives way at a time: the volume of the other is taken into its frame once, and compared with its children there. */
typedef struct cdi_volume_pairs {
    cdi_bvtree a, b;
    cdi_volume_map to_a, to_b;
    double unit; /* of b's frame, in a's */
    void (*pose)(const cdi_bvtree *from, const cdi_volume_map *m, const float *v, cdi_volume_posed *out);
    uint32_t (*meet)(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p);
    void (*apart)(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p,
                  float distance[8]);
    cdi_volume_posed posed; /* what was taken last: node `held` of b, or of a */
    uint32_t held;
    bool held_of_b;
    cdi_pair_walk w; /* for the leaves */
} cdi_volume_pairs;

/* ---- opening ---- */

/* What is so far away that floats do not reach it is put where they do, and nothing else is. */
static double cdi_volume_far(double x) {
    return cdi_clamp(x, -1e18, 1e18);
}

static void cdi_volume_map_make(cdi_volume_map *m, const cdi_m3 *turn, const cdi_frame *to,
                                const cdi_frame *from, cdi_v3 shift, double grow) {
    int e = from->exponent - to->exponent;
    m->turn = *turn;
    m->scale = cdi_exp2i(e);
    shift = cdi_v3_scale2(shift, -to->exponent);
    m->useful = e <= 50 && cdi_v3_finite(shift);
    m->shift = cdi_v3_make(cdi_volume_far(shift.x), cdi_volume_far(shift.y), cdi_volume_far(shift.z));
    grow = cdi_scale2(grow, -to->exponent) + CDI_VOLUME_ROOM * (1.0 + m->scale);
    m->useful = m->useful && (grow < 1e17 || grow < 0.1 * cdi_v3_max_abs(shift));
    m->grow = cdi_min(grow, 1e17);
    for (int i = 0; i < 3; ++i) {
        m->turned[i][0] = (float)turn->c[i].x;
        m->turned[i][1] = (float)turn->c[i].y;
        m->turned[i][2] = (float)turn->c[i].z;
    }
}

static void cdi_volume_maps(cdi_volume_pairs *p, double distance) {
    const cdi_frame *a = &p->a.items.header->frame, *b = &p->b.items.header->frame;
    const cdi_pose *pose = &p->w.place_b.pose;
    cdi_m3 back = cdi_m3_transpose(&pose->rotation);
    cdi_v3 of_a = cdi_v3_make(a->origin[0], a->origin[1], a->origin[2]);
    cdi_v3 of_b = cdi_v3_make(b->origin[0], b->origin[1], b->origin[2]);
    cdi_v3 to_a = cdi_v3_sub(cdi_pose_point(pose, of_b), of_a);
    cdi_v3 to_b = cdi_v3_sub(cdi_m3_mul_v3(&back, cdi_v3_sub(of_a, pose->position)), of_b);
    double grow = 1.75 * p->w.error + distance * 1.000001; /* the error is one of each coordinate */
    if (distance > 0.0) grow += 2e-11 * p->w.size; /* distances are rounded, too: heights over needles */
    cdi_volume_map_make(&p->to_a, &pose->rotation, a, b, to_a, grow);
    cdi_volume_map_make(&p->to_b, &back, b, a, to_b, grow);
}

/* The maps' tables, where the volumes have any. */
static void cdi_volume_tables(cdi_volume_pairs *p) {
    if (p->pose == cdi_ball_pose || !p->a.ops->map) return;
    p->a.ops->map(&p->b, &p->to_a);
    p->a.ops->map(&p->a, &p->to_b);
}

/* Are the trees apart by the spheres around them? Asked before there are tables. */
static bool cdi_volume_roots_apart(cdi_volume_pairs *p) {
    if (!p->to_a.useful) return false;
    cdi_ball_pose(&p->b, &p->to_a, cdi_bvtree_volume(&p->b, 0), &p->posed);
    return cdi_ball_meet(&p->a, 0, 1, &p->posed) == 0;
}

/* Ready to find what comes within `distance`, but for the tables; false when nothing can. */
static bool cdi_volume_pairs_open(cdi_volume_pairs *p, const cd_bvtree *a, const cd_bvtree *b,
                                  const cd_transform *b_in_a, double distance,
                                  const cd_bvh_pair_options *options) {
    bool same;
    if (!cdi_bvtree_open(&p->a, a) || !cdi_bvtree_open(&p->b, b)) return false;
    cdi_clear(&p->w, sizeof p->w);
    p->w.a = p->a.items;
    p->w.b = p->b.items;
    if (!cdi_pairs_begin(&p->w, b_in_a, distance, options)) return false;
    cdi_volume_maps(p, cdi_min(distance, 1e300));
    same = p->a.kind == p->b.kind && p->a.slabs == p->b.slabs;
    p->pose = same ? p->a.ops->pose : cdi_ball_pose;
    p->meet = same ? p->a.ops->meet : cdi_ball_meet;
    p->apart = same ? p->a.ops->apart : cdi_ball_apart;
    p->unit = cdi_exp2i(p->b.items.header->frame.exponent - p->a.items.header->frame.exponent);
    p->held = CD_NONE;
    p->held_of_b = false;
    return true;
}

/* ---- nodes ---- */

/* A pair of nodes whose volumes may meet. */
typedef struct cdi_volume_pair {
    uint32_t a, b;
} cdi_volume_pair;

#define CDI_VOLUME_PAIRS (2u * CDI_BVTREE_STACK)

/* Takes node `number` of b, or of a, into the other's frame. */
static void cdi_volume_hold(cdi_volume_pairs *p, bool of_b, uint32_t number) {
    const cdi_bvtree *from = of_b ? &p->b : &p->a;
    if (p->held == number && p->held_of_b == of_b) return;
    p->pose(from, of_b ? &p->to_a : &p->to_b, cdi_bvtree_volume(from, number), &p->posed);
    p->held = number;
    p->held_of_b = of_b;
}

/* Which of `count` nodes of a from `first` on may meet node `other` of b; or the other way. */
static uint32_t cdi_volumes_meet(cdi_volume_pairs *p, bool of_a, uint32_t first, uint32_t count,
                                 uint32_t other) {
    for (uint32_t i = 0; i < count; ++i) CDI_COUNT(node);
    if (!(of_a ? p->to_a.useful : p->to_b.useful)) return (1u << count) - 1u;
    cdi_volume_hold(p, of_a, other);
    return p->meet(of_a ? &p->a : &p->b, first, count, &p->posed);
}

/* Of two nodes, one of which at least is no leaf: does a's give way? */
static bool cdi_volume_descends_a(const cdi_volume_pairs *p, cdi_volume_pair at, bool leaf_a, bool leaf_b,
                                  uint32_t turn) {
    if (leaf_a || leaf_b) return leaf_b;
    switch (p->w.rule) {
    case CD_BVH_A_FIRST: return true;
    case CD_BVH_B_FIRST: return false;
    case CD_BVH_ALTERNATING: return (turn & 1u) != 0;
    default:
        return (double)p->a.ops->size(&p->a, cdi_bvtree_volume(&p->a, at.a)) >=
               (double)p->b.ops->size(&p->b, cdi_bvtree_volume(&p->b, at.b)) * p->unit;
    }
}

/* The pairs that one of two nodes makes of it with its children; the first comes off the stack first. Returns how many there are. */
static uint32_t cdi_volume_descend(cdi_volume_pairs *p, cdi_volume_pair at, cdi_bvtree_links la,
                                   cdi_bvtree_links lb, uint32_t turn, cdi_volume_pair *out) {
    bool of_a = cdi_volume_descends_a(p, at, cdi_links_is_leaf(la), cdi_links_is_leaf(lb), turn);
    uint32_t first = of_a ? la.first : lb.first, count = of_a ? la.count : lb.count, pushed = 0;
    uint32_t met = cdi_volumes_meet(p, of_a, first, count, of_a ? at.b : at.a);
    for (uint32_t i = count; i-- > 0;) {
        if (!(met >> i & 1u)) continue;
        out[pushed].a = of_a ? first + i : at.a;
        out[pushed++].b = of_a ? at.b : first + i;
    }
    return pushed;
}

/* Two leaves, each as a lane of a node: which one says where it is kept meanwhile. */
static bool cdi_volume_leaf_pairs(cdi_leaves *s, cdi_volume_pair at, cdi_bvtree_links a, cdi_bvtree_links b) {
    uint32_t i = at.a % 8u, j = at.b % 8u;
    cdi_bvh_node of_a, of_b;
    of_a.child[i] = a.first;
    of_a.count[i] = (uint8_t)cdi_links_count(a);
    of_b.child[j] = b.first;
    of_b.count[j] = (uint8_t)cdi_links_count(b);
    return CDI_RUN(cdi_leaves_pairs, (s, &of_a, &of_b, (uint64_t)1 << (8u * j + i)));
}

static bool cdi_volume_pairs_walk(cdi_volume_pairs *p, cdi_leaves *s) {
    cdi_volume_pair stack[CDI_VOLUME_PAIRS];
    uint32_t top = 0;
    stack[0].a = stack[0].b = 0;
    if (cdi_volumes_meet(p, true, 0, 1, 0)) top = 1;
    for (uint32_t turn = 0; top > 0; ++turn) {
        cdi_volume_pair at = stack[--top];
        cdi_bvtree_links a = cdi_bvtree_links_of(&p->a, at.a), b = cdi_bvtree_links_of(&p->b, at.b);
        if (!cdi_links_is_leaf(a) || !cdi_links_is_leaf(b))
            top += cdi_volume_descend(p, at, a, b, turn, stack + top);
        else if (!cdi_volume_leaf_pairs(s, at, a, b))
            return false;
    }
    return true;
}

static bool cdi_volume_pairs_visit(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                   double distance, const cd_bvh_pair_options *options,
                                   cd_visit_pair_fn visit, void *user) {
    cdi_volume_pairs p;
    cdi_leaves s;
    if (!cdi_volume_pairs_open(&p, a, b, b_in_a, distance, options) || cdi_volume_roots_apart(&p))
        return true;
    cdi_volume_tables(&p);
    p.w.first = visit == cdi_pair_first;
    p.w.visit = visit;
    p.w.user = user;
    CDI_RUN(cdi_leaves_open, (&s, &p.w));
    return cdi_volume_pairs_walk(&p, &s) && CDI_RUN(cdi_leaves_close, (&s));
}

CD_API bool cd_bvtree_traverse_pairs(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                     const cd_bvh_pair_options *options, cd_visit_pair_fn visit, void *user) {
    return cdi_volume_pairs_visit(a, b, b_in_a, 0.0, options, visit, user);
}

CD_API size_t cd_bvtree_collide(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cdi_volume_pairs_visit(a, b, b_in_a, 0.0, options, cdi_pair_append, &list);
    return list.count;
}

CD_API bool cd_bvtree_test_bvtree(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                  const cd_bvh_pair_options *options, cd_pair *pair) {
    return !cdi_volume_pairs_visit(a, b, b_in_a, 0.0, options, cdi_pair_first, pair);
}

CD_API bool cd_bvtree_traverse_within(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                      cd_real distance, const cd_bvh_pair_options *options,
                                      cd_visit_pair_fn visit, void *user) {
    return cdi_volume_pairs_visit(a, b, b_in_a, (double)distance, options, visit, user);
}

/* ---- the nearest pair ---- */

typedef struct cdi_volume_nearest {
    cdi_volume_pairs *p;
    cdi_pair_nearest best;
    double
        reach; /* what is farther does not count: with room for the rounding of distances, of heights over needles too */
    cdi_posed_block held_a, held_b;
} cdi_volume_nearest;

typedef struct cdi_volume_near_step {
    double bound;
    cdi_volume_pair at;
} cdi_volume_near_step;

static void cdi_volume_nearest_reach(cdi_volume_nearest *s) {
    s->reach = cdi_sqrt(s->best.sqdist) * (1.0 + 1e-9) + 2e-11 * s->p->w.size;
}

/* What is not farther than the best: it is nearer, or comes first of equals. */
static void cdi_volume_near_try(cdi_volume_nearest *s, const cdi_posed *a, const cdi_posed *b) {
    const cdi_pair_walk *w = &s->p->w;
    double sqdist;
    cd_pair pair;
    bool is_first;
    pair.a = cdi_bvh_index(&w->a, a->item);
    pair.b = cdi_bvh_index(&w->b, b->item);
    is_first = pair.a < s->best.pair.a || (pair.a == s->best.pair.a && pair.b < s->best.pair.b);
    if (s->best.sqdist == 0.0 && !is_first) return;
    CDI_COUNT(triangle);
    sqdist = cdi_posed_sqdist(a, b, s->best.sqdist);
    if (!(sqdist < s->best.sqdist || (sqdist == s->best.sqdist && is_first))) return;
    if (!cdi_pairs_sees(w, a->item, b->item, pair)) return;
    s->best.sqdist = sqdist;
    s->best.pair = pair;
    s->best.item_a = a->item;
    s->best.item_b = b->item;
    cdi_volume_nearest_reach(s);
}

/* How far two items' boxes are apart. */
static double cdi_volume_box_gap(const cdi_posed_block *a, uint32_t i, const cdi_posed_block *b, uint32_t j) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double gap =
            cdi_max((double)a->lo[k][i] - (double)b->hi[k][j], (double)b->lo[k][j] - (double)a->hi[k][i]);
        gap = cdi_clamp(gap, 0.0, 1e150);
        sum += gap * gap;
    }
    return cdi_sqrt(sum);
}

static void cdi_volume_near_leaves(cdi_volume_nearest *s, cdi_bvtree_links a, cdi_bvtree_links b) {
    uint32_t count_a = cdi_links_count(a), count_b = cdi_links_count(b);
    for (uint32_t j = 0; j < count_b; j += 8) {
        cdi_posed_hold(&s->p->w, &s->held_b, true, b.first + j, count_b - j);
        for (uint32_t i = 0; i < count_a; i += 8) {
            cdi_posed_hold(&s->p->w, &s->held_a, false, a.first + i, count_a - i);
            for (uint32_t k = 0; k < s->held_a.count * s->held_b.count; ++k) {
                uint32_t m = k / s->held_b.count, n = k % s->held_b.count;
                if (cdi_volume_box_gap(&s->held_a, m, &s->held_b, n) <= s->reach)
                    cdi_volume_near_try(s, &s->held_a.item[m], &s->held_b.item[n]);
            }
        }
    }
}

/* Lower bounds of the distances of `count` nodes of a from node `other` of b, or the other way, in the caller's unit. */
static void cdi_volume_near_bounds(cdi_volume_pairs *p, bool of_a, uint32_t first, uint32_t count,
                                   uint32_t other, double bound[8]) {
    const cdi_bvtree *t = of_a ? &p->a : &p->b;
    float distance[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (uint32_t i = 0; i < count; ++i) CDI_COUNT(node);
    if (of_a ? p->to_a.useful : p->to_b.useful) {
        cdi_volume_hold(p, of_a, other);
        p->apart(t, first, count, &p->posed, distance);
    }
    for (uint32_t i = 0; i < count; ++i)
        bound[i] = cdi_scale2((double)distance[i], t->items.header->frame.exponent);
}

static void cdi_volume_near_insert(cdi_volume_near_step *stack, uint32_t bottom, uint32_t at,
                                   cdi_volume_near_step step) {
    for (; at > bottom && stack[at - 1].bound <= step.bound; --at) stack[at] = stack[at - 1];
    stack[at] = step;
}

/* The children of one of two nodes with the other, the nearest on top. Returns how many are near enough. */
static uint32_t cdi_volume_near_descend(cdi_volume_nearest *s, cdi_volume_pair at, cdi_bvtree_links la,
                                        cdi_bvtree_links lb, cdi_volume_near_step *out) {
    bool of_a = cdi_volume_descends_a(s->p, at, cdi_links_is_leaf(la), cdi_links_is_leaf(lb), 0);
    uint32_t first = of_a ? la.first : lb.first, count = of_a ? la.count : lb.count, pushed = 0;
    double bound[8];
    cdi_volume_near_bounds(s->p, of_a, first, count, of_a ? at.b : at.a, bound);
    for (uint32_t i = 0; i < count; ++i) {
        cdi_volume_near_step step;
        step.at.a = of_a ? first + i : at.a;
        step.at.b = of_a ? at.b : first + i;
        step.bound = bound[i];
        if (step.bound <= s->reach) cdi_volume_near_insert(out, 0, pushed++, step);
    }
    return pushed;
}

static void cdi_volume_near_walk(cdi_volume_nearest *s) {
    cdi_volume_near_step stack[CDI_VOLUME_PAIRS];
    cdi_clear(&stack[0], sizeof stack[0]);
    for (uint32_t top = 1; top > 0;) {
        cdi_volume_near_step step = stack[--top];
        cdi_bvtree_links a = cdi_bvtree_links_of(&s->p->a, step.at.a),
                         b = cdi_bvtree_links_of(&s->p->b, step.at.b);
        if (step.bound > s->reach) continue;
        if (cdi_links_is_leaf(a) && cdi_links_is_leaf(b))
            cdi_volume_near_leaves(s, a, b);
        else
            top += cdi_volume_near_descend(s, step.at, a, b, stack + top);
    }
}

CD_API bool cd_bvtree_closest_bvtree(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                     cd_real max_distance, const cd_bvh_pair_options *options,
                                     cd_closest *out) {
    cdi_volume_pairs p;
    cdi_volume_nearest s;
    double most = (double)max_distance;
    if (!(most >= 0.0) || !cdi_volume_pairs_open(&p, a, b, b_in_a, 0.0, options)) return false;
    cdi_volume_tables(&p);
    p.w.rule = CD_BVH_BOTH;
    cdi_clear(&s, sizeof s);
    s.p = &p;
    s.best.sqdist = cdi_min(most * most, CDI_HUGE);
    s.best.pair.a = s.best.pair.b = CD_NONE;
    cdi_volume_nearest_reach(&s);
    cdi_volume_near_walk(&s);
    if (s.best.pair.a == CD_NONE) return false;
    if (out) cdi_pairs_closest(&p.w, &s.best, out);
    return true;
}

#undef CDI_VOLUME_PAIRS
