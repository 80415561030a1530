#include "tree/kdoptree.h"
#include "tree/bvtree_build.h"

/* ---- the volume: the least heights along all directions, then the greatest ---- */

/* Direction i of k-DOPs with that many slabs: of the axes, the corners and the edges of a cube. */
static const signed char *cdi_dop_axis(uint32_t slabs, uint32_t i) {
    static const signed char axis[13][3] = {{1, 0, 0},  {0, 1, 0},   {0, 0, 1}, {1, 1, 1}, {1, 1, -1},
                                            {1, -1, 1}, {1, -1, -1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1},
                                            {1, -1, 0}, {1, 0, -1},  {0, 1, -1}};
    return axis[slabs == 9 && i >= 3 ? i + 4 : i];
}

CDI_INLINE double cdi_dop_height(const signed char *n, cdi_v3 p) {
    return (double)n[0] * p.x + (double)n[1] * p.y + (double)n[2] * p.z;
}

/* How many of the axes a direction has: its squared length. */
CDI_INLINE double cdi_dop_square(const signed char *n) {
    return (double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static bool cdi_dop_sane(const cdi_bvtree *t, const float *v) {
    for (uint32_t i = 0; i < t->slabs; ++i) {
        if (!(v[i] >= -8.0f && v[t->slabs + i] <= 8.0f && v[i] <= v[t->slabs + i])) return false;
    }
    return true;
}

static bool cdi_dop_holds(const cdi_bvtree *t, const float *v, cdi_v3 p) {
    for (uint32_t i = 0; i < t->slabs; ++i) {
        double x = cdi_dop_height(cdi_dop_axis(t->slabs, i), p);
        if (!((double)v[i] <= x && x <= (double)v[t->slabs + i])) return false;
    }
    return true;
}

static float cdi_dop_size(const cdi_bvtree *t, const float *v) {
    float most = 0.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        float side = v[t->slabs + i] - v[i];
        most = side > most ? side : most;
    }
    return most;
}

static double cdi_dop_ball(const cdi_bvtree *t, const float *v, cdi_v3 *center) {
    cdi_v3 lo = cdi_v3_make((double)v[0], (double)v[1], (double)v[2]);
    cdi_v3 hi = cdi_v3_make((double)v[t->slabs], (double)v[t->slabs + 1], (double)v[t->slabs + 2]);
    *center = cdi_v3_scale(cdi_v3_add(lo, hi), 0.5);
    return 0.5 * cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(hi, lo)));
}

/* By the box that it has. */
static void cdi_dop_heights(const cdi_bvtree *t, const float *v, const float n[3], double range[2]) {
    range[0] = range[1] = 0.0;
    for (uint32_t i = 0; i < 3; ++i) {
        double lo = (double)n[i] * (double)v[i], hi = (double)n[i] * (double)v[t->slabs + i];
        range[0] += cdi_min(lo, hi);
        range[1] += cdi_max(lo, hi);
    }
}

/* From how far something is beyond each slab: the box is so far away, or another slab is farther. */
typedef struct cdi_dop_gaps {
    double box, other;
} cdi_dop_gaps;

CDI_INLINE void cdi_dop_gap(cdi_dop_gaps *g, const signed char *n, uint32_t i, double gap) {
    if (!(gap > 0.0)) return;
    if (i < 3)
        g->box += gap * gap;
    else
        g->other = cdi_max(g->other, gap * gap / cdi_dop_square(n));
}

static double cdi_dop_sqdist(const cdi_bvtree *t, const float *v, cdi_v3 p) {
    cdi_dop_gaps g = {0.0, 0.0};
    for (uint32_t i = 0; i < t->slabs; ++i) {
        const signed char *n = cdi_dop_axis(t->slabs, i);
        double x = cdi_dop_height(n, p);
        cdi_dop_gap(&g, n, i, cdi_max((double)v[i] - x, x - (double)v[t->slabs + i]));
    }
    return cdi_max(g.box, g.other);
}

static bool cdi_dop_enter(const cdi_bvtree *t, const float *v, const cdi_volume_ray *r, double *tau) {
    double in = 0.0, out = CDI_HUGE, room = CDI_VOLUME_ROOM + r->off.x + r->off.y + r->off.z;
    for (uint32_t i = 0; i < t->slabs; ++i) {
        const signed char *n = cdi_dop_axis(t->slabs, i);
        if (!cdi_slab_clip(cdi_dop_height(n, r->at), cdi_dop_height(n, r->way), (double)v[i] - room,
                           (double)v[t->slabs + i] + room, &in, &out))
            return false;
    }
    *tau = in;
    return true;
}

/* ---- from frame to frame ----
 *
 * A k-DOP turned is fitted anew: how far it reaches along a direction d of the other frame is at most what the planes whose cone d lies
 * in allow: d is a sum of three of the k directions with weights above 0, and so is the bound of theirs. With |d| sorted to a >= b >= c the three
 * are, of the directions that there are, of an axis, an edge and a corner of a cube:
 *
 *     6:  d = a x + b y + c z                             14: d = (a - c) x + (b - c) y + c (x + y + z)
 *     26: d = (a - b) x + (b - c) (x + y) + c (x + y + z)
 *     18: d = (a - b - c) x + b (x + y) + c (x + z), or, where a < b + c,
 *         d = (a + b - c) / 2 (x + y) + (a + c - b) / 2 (x + z) + (b + c - a) / 2 (y + z)
 *
 * That corner is one of the k-DOP's, or cut off by other planes; Klosowski's own two ways, all corners or climbing along them, need the
 * corners, and find the same in the first case. */

/* Three directions in terms of the sorted axes, and their weights. */
typedef struct cdi_dop_cone {
    signed char of[3][3];
    double weight[3];
} cdi_dop_cone;

static void cdi_cone_add(cdi_dop_cone *c, int i, int x, int y, int z, double weight) {
    c->of[i][0] = (signed char)x;
    c->of[i][1] = (signed char)y;
    c->of[i][2] = (signed char)z;
    c->weight[i] = weight;
}

static cdi_dop_cone cdi_dop_cone_of(uint32_t slabs, double a, double b, double c) {
    cdi_dop_cone r;
    bool corners = slabs == 7 || slabs == 13;
    if (slabs == 9 && a < b + c) {
        cdi_cone_add(&r, 0, 1, 1, 0, 0.5 * (a + b - c));
        cdi_cone_add(&r, 1, 1, 0, 1, 0.5 * (a + c - b));
        cdi_cone_add(&r, 2, 0, 1, 1, 0.5 * (b + c - a));
        return r;
    }
    cdi_cone_add(&r, 0, 1, 0, 0, slabs == 3 ? a : slabs == 7 ? a - c : slabs == 9 ? a - b - c : a - b);
    cdi_cone_add(&r, 1, slabs == 9 || slabs == 13, 1, 0, slabs == 7 || slabs == 13 ? b - c : b);
    cdi_cone_add(&r, 2, corners || slabs == 9, corners, 1, c);
    return r;
}

/* The number of direction n or -n. */
static uint32_t cdi_dop_find(uint32_t slabs, const int n[3], bool *back) {
    for (uint32_t i = 0; i + 1 < slabs; ++i) {
        const signed char *m = cdi_dop_axis(slabs, i);
        *back = n[0] == -m[0] && n[1] == -m[1] && n[2] == -m[2];
        if (*back || (n[0] == m[0] && n[1] == m[1] && n[2] == m[2])) return i;
    }
    *back = n[0] != cdi_dop_axis(slabs, slabs - 1)[0] || n[1] != cdi_dop_axis(slabs, slabs - 1)[1] ||
            n[2] != cdi_dop_axis(slabs, slabs - 1)[2];
    return slabs - 1;
}

/* The three for direction d, in the map's row i. */
static void cdi_dop_row(cdi_volume_map *m, uint32_t slabs, uint32_t i, const double d[3]) {
    int order[3] = {0, 1, 2};
    cdi_dop_cone cone;
    for (int pass = 0; pass < 3; ++pass) {
        int k = pass & 1, swap = order[k];
        if (cdi_abs(d[order[k]]) >= cdi_abs(d[order[k + 1]])) continue;
        order[k] = order[k + 1];
        order[k + 1] = swap;
    }
    cone = cdi_dop_cone_of(slabs, cdi_abs(d[order[0]]), cdi_abs(d[order[1]]), cdi_abs(d[order[2]]));
    for (int j = 0; j < 3; ++j) {
        int n[3];
        bool back;
        uint32_t number;
        for (int k = 0; k < 3; ++k) n[order[k]] = d[order[k]] < 0.0 ? -cone.of[j][k] : cone.of[j][k];
        number = cdi_dop_find(slabs, n, &back);
        m->weight[i][j] = (back ? -cone.weight[j] : cone.weight[j]) * m->scale;
        m->above[i][j] = (uint8_t)(back ? number : number + slabs);
        m->below[i][j] = (uint8_t)(back ? number + slabs : number);
    }
}

static void cdi_dop_map(const cdi_bvtree *from, cdi_volume_map *m) {
    for (uint32_t i = 0; i < from->slabs; ++i) {
        const signed char *n = cdi_dop_axis(from->slabs, i);
        double d[3];
        for (int k = 0; k < 3; ++k) d[k] = cdi_dop_height(n, m->turn.c[k]);
        cdi_dop_row(m, from->slabs, i, d);
        m->move[i] = cdi_dop_height(n, m->shift);
        m->room[i] = m->grow * (cdi_dop_square(n) > 1.0 ? 1.7320509 : 1.0);
    }
}

static void cdi_dop_pose(const cdi_bvtree *from, const cdi_volume_map *m, const float *v,
                         cdi_volume_posed *out) {
    for (uint32_t i = 0; i < from->slabs; ++i) {
        const double *w = m->weight[i];
        const uint8_t *lo = m->below[i], *hi = m->above[i];
        double least = w[0] * (double)v[lo[0]] + w[1] * (double)v[lo[1]] + w[2] * (double)v[lo[2]];
        double most = w[0] * (double)v[hi[0]] + w[1] * (double)v[hi[1]] + w[2] * (double)v[hi[2]];
        out->least[i] = cdi_float_down(least + m->move[i] - m->room[i]);
        out->most[i] = cdi_float_up(most + m->move[i] + m->room[i]);
    }
}

/* Which of eight slabs from number `from` on part the two? */
CDI_INLINE uint32_t cdi_dop_eight(const float *v, uint32_t slabs, const cdi_volume_posed *p, uint32_t from) {
    return cdi_f8_le(cdi_f8_load(v + from), cdi_f8_load(p->most + from)) &
           cdi_f8_le(cdi_f8_load(p->least + from), cdi_f8_load(v + slabs + from));
}

/* Numbers behind the last slab are read, and not looked at: those of the links, and, with three slabs, of what follows the node. */
static uint32_t cdi_dop_meet(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p) {
    uint32_t slabs = t->slabs, met = 0, need = slabs < 8 ? (1u << slabs) - 1u : 255u;
    for (uint32_t i = 0; i < count; ++i) {
        const float *v = cdi_bvtree_volume(t, first + i);
        bool meets = (cdi_dop_eight(v, slabs, p, 0) & need) == need;
        if (meets && slabs > 8) meets = cdi_dop_eight(v, slabs, p, slabs - 8) == 255u;
        met |= (uint32_t)meets << i;
    }
    return met;
}

static double cdi_dop_distance(const cdi_bvtree *t, const float *v, const cdi_volume_posed *p) {
    cdi_dop_gaps g = {0.0, 0.0};
    for (uint32_t i = 0; i < t->slabs; ++i) {
        double gap =
            cdi_max((double)v[i] - (double)p->most[i], (double)p->least[i] - (double)v[t->slabs + i]);
        cdi_dop_gap(&g, cdi_dop_axis(t->slabs, i), i, gap);
    }
    return cdi_sqrt(cdi_max(g.box, g.other)) * (1.0 - 1e-12);
}

static void cdi_dop_apart(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p,
                          float distance[8]) {
    for (uint32_t i = 0; i < count; ++i)
        distance[i] = cdi_float_down(cdi_dop_distance(t, cdi_bvtree_volume(t, first + i), p));
}

static const cdi_volume_ops cdi_dop_table = {cdi_dop_sane,    cdi_dop_holds,  cdi_dop_size,  cdi_dop_ball,
                                             cdi_dop_heights, cdi_dop_sqdist, cdi_dop_enter, cdi_dop_map,
                                             cdi_dop_pose,    cdi_dop_meet,   cdi_dop_apart};

CDI_FN const cdi_volume_ops *cdi_dop_ops(void) {
    return &cdi_dop_table;
}

/* ---- fits ---- */

static void cdi_dop_fit(const cdi_bvtree *t, uint32_t first, uint32_t count, float *v) {
    double least[CDI_DOP_SLABS], most[CDI_DOP_SLABS];
    for (uint32_t k = 0; k < t->slabs; ++k) {
        least[k] = CDI_HUGE;
        most[k] = -CDI_HUGE;
    }
    for (uint32_t i = 0; i < 3 * count; ++i) {
        cdi_tri tri = cdi_draft_tri(t, first + i / 3);
        for (uint32_t k = 0; k < t->slabs; ++k) {
            double x = cdi_dop_height(cdi_dop_axis(t->slabs, k), tri.v[i % 3]);
            least[k] = cdi_min(least[k], x);
            most[k] = cdi_max(most[k], x);
        }
    }
    for (uint32_t k = 0; k < t->slabs; ++k) {
        v[k] = cdi_float_down(least[k]);
        v[t->slabs + k] = cdi_float_up(most[k]);
    }
}

static void cdi_dop_merge(const cdi_bvtree *t, float *v, const float *other) {
    for (uint32_t k = 0; k < t->slabs; ++k) {
        uint32_t l = t->slabs + k;
        v[k] = v[k] < other[k] ? v[k] : other[k];
        v[l] = v[l] > other[l] ? v[l] : other[l];
    }
}

CD_API cd_status cd_kdoptree_build_mesh(cd_bvtree *out, const cd_mesh_view *mesh, uint32_t k,
                                        const cd_bvh_options *options) {
    if (k != 6 && k != 14 && k != 18 && k != 26) {
        cdi_clear(out, sizeof *out);
        return CD_INVALID_ARGUMENT;
    }
    return cdi_bvtree_build(out, mesh, options, CD_BVTREE_KDOPS, k / 2, cdi_dop_fit, cdi_dop_merge);
}
