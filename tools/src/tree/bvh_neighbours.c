#include "tree/bvh_neighbours.h"

static bool cdi_same_point(cdi_v3 a, cdi_v3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The corners of a that are also corners of b, as bits. */
static uint32_t cdi_shared_corners(const cdi_tri *a, const cdi_tri *b) {
    uint32_t shared = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) shared |= (uint32_t)cdi_same_point(a->v[i], b->v[j]) << i;
    }
    return shared;
}

/* Which of one or two bits' three places is unlike the others: the one set, or the one that is not. */
static uint32_t cdi_odd_corner(uint32_t shared) {
    static const uint8_t corner[8] = {0, 0, 1, 2, 2, 1, 0, 0};
    return corner[shared];
}

/* The edge across from a corner. */
static cd_segment cdi_edge_across(const cdi_tri *t, uint32_t corner) {
    cd_segment s;
    s.a = cdi_v3_round(t->v[(corner + 1) % 3]);
    s.b = cdi_v3_round(t->v[(corner + 2) % 3]);
    return s;
}

static bool cdi_edge_meets(const cdi_tri *t, uint32_t corner, const cdi_tri *other) {
    cd_segment s = cdi_edge_across(t, corner);
    cd_triangle u;
    u.a = cdi_v3_round(other->v[0]);
    u.b = cdi_v3_round(other->v[1]);
    u.c = cdi_v3_round(other->v[2]);
    return cd_test_segment_triangle(&s, &u);
}

/* Two triangles at an edge p q meet beside it when their third corners are on one side of it in one plane. */
static bool cdi_fold_closed(cdi_v3 p, cdi_v3 q, cdi_v3 c, cdi_v3 d) {
    cdi_v3 n = cdi_exact_normal(p, q, c), m = cdi_exact_normal(p, q, d);
    if (cdi_v3_is_zero(n) || cdi_v3_is_zero(m)) return true;
    return cdi_orient3d(p, q, c, d) == 0.0 && cdi_sign(n.x) == cdi_sign(m.x) &&
           cdi_sign(n.y) == cdi_sign(m.y) && cdi_sign(n.z) == cdi_sign(m.z);
}

/* Do two triangles meet elsewhere than in the corners that they share? The common part of two that share one corner is
 * convex: if it has another point, it reaches the edge across from the corner in one of them. */
static bool cdi_meet_elsewhere(const cdi_tri *a, const cdi_tri *b, uint32_t shared_a) {
    uint32_t shared_b = cdi_shared_corners(b, a), i = cdi_odd_corner(shared_a), j = cdi_odd_corner(shared_b);
    bool one_a = (shared_a & (shared_a - 1)) == 0, one_b = (shared_b & (shared_b - 1)) == 0;
    if (shared_a == 7 || shared_b == 7 || one_a != one_b) return true;
    if (!one_a) return cdi_fold_closed(a->v[(i + 1) % 3], a->v[(i + 2) % 3], a->v[i], b->v[j]);
    return cdi_edge_meets(a, i, b) || cdi_edge_meets(b, j, a);
}

static bool cdi_strangers_meet(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    uint32_t shared = cdi_shared_corners(&a->u.tri, &b->u.tri);
    if (!shared) return cdi_posed_meet(a, b);
    if (w->options->flags & CD_BVH_SKIP_NEIGHBOURS) return false;
    return cdi_meet_elsewhere(&a->u.tri, &b->u.tri, shared);
}

CDI_FN bool cdi_self_open(cdi_pair_walk *w, cd_bvh_pair_options *own, const cd_bvh *tree,
                          const cd_bvh_pair_options *options) {
    uint32_t skip = CD_BVH_SKIP_NEIGHBOURS | CD_BVH_SKIP_TOUCHING;
    cdi_clear(own, sizeof *own);
    if (options) *own = *options;
    own->ignore_a = own->ignore_b = own->ignore_a | own->ignore_b;
    if (!cdi_pairs_open(w, tree, tree, NULL, 0.0, own)) return false;
    w->same = true;
    if ((own->flags & skip) && cdi_bvh_is_triangles(&w->a)) {
        w->meets = cdi_strangers_meet;
        w->sharing = own->flags & CD_BVH_SKIP_NEIGHBOURS ? CDI_SHARING_PASSED : CDI_SHARING_ASK;
    }
    return true;
}
