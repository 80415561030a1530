#include "tree/bvtree_node.h"

CDI_FN bool cdi_bvtree_open(cdi_bvtree *out, const cd_bvtree *tree) {
    const unsigned char *at = (const unsigned char *)tree->block;
    const cdi_bvh_header *h = (const cdi_bvh_header *)tree->block;
    if (!at || h->node_count == 0) return false;
    cdi_clear(out, sizeof *out);
    out->kind = h->volume;
    out->slabs = h->slab_count;
    out->floats = cdi_volume_floats(out->kind, out->slabs);
    out->node_size = cdi_volume_node_size(out->kind, out->slabs);
    out->ops = out->kind == CD_BVTREE_SPHERES ? cdi_sphere_ops()
               : out->kind == CD_BVTREE_OBBS  ? cdi_obb_ops()
                                              : cdi_dop_ops();
    out->nodes = at + sizeof *h;
    out->items.header = h;
    out->items.layout = CDI_LAYOUT_VOLUMES;
    out->items.item = CD_BVH_TRIANGLES;
    out->items.items = out->nodes + (size_t)h->node_count * out->node_size;
    if (h->has_masks)
        out->items.masks =
            (const uint32_t *)(const void *)((const cdi_bvh_triangle *)out->items.items + h->item_count);
    return true;
}

/* ---- spheres: center and radius ---- */

CDI_INLINE cdi_v3 cdi_sphere_center(const float *v) {
    return cdi_v3_make((double)v[0], (double)v[1], (double)v[2]);
}

static bool cdi_sphere_sane(const cdi_bvtree *t, const float *v) {
    (void)t;
    for (int k = 0; k < 4; ++k) {
        if (!(v[k] >= -8.0f && v[k] <= 8.0f)) return false;
    }
    return v[3] >= 0.0f;
}

static bool cdi_sphere_holds(const cdi_bvtree *t, const float *v, cdi_v3 p) {
    (void)t;
    return cdi_v3_sqlength(cdi_v3_sub(p, cdi_sphere_center(v))) <= (double)v[3] * (double)v[3];
}

static float cdi_sphere_size(const cdi_bvtree *t, const float *v) {
    (void)t;
    return v[3];
}

static double cdi_sphere_ball(const cdi_bvtree *t, const float *v, cdi_v3 *center) {
    (void)t;
    *center = cdi_sphere_center(v);
    return (double)v[3];
}

static void cdi_sphere_heights(const cdi_bvtree *t, const float *v, const float n[3], double range[2]) {
    cdi_v3 d = cdi_v3_make((double)n[0], (double)n[1], (double)n[2]);
    double height = cdi_v3_dot(cdi_sphere_center(v), d), reach = (double)v[3] * cdi_sqrt(cdi_v3_sqlength(d));
    (void)t;
    range[0] = height - reach;
    range[1] = height + reach;
}

static double cdi_sphere_sqdist(const cdi_bvtree *t, const float *v, cdi_v3 p) {
    double d = cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(p, cdi_sphere_center(v)))) - (double)v[3];
    (void)t;
    return d > 0.0 ? d * d : 0.0;
}

static bool cdi_sphere_enter(const cdi_bvtree *t, const float *v, const cdi_volume_ray *r, double *tau) {
    cdi_v3 m = cdi_v3_sub(cdi_sphere_center(v), r->at);
    double square = cdi_v3_sqlength(r->way), radius = (double)v[3] + r->off.x + r->off.y + r->off.z;
    double along, rest;
    (void)t;
    *tau = 0.0;
    if (square == 0.0) return cdi_v3_sqlength(m) <= radius * radius * (1.0 + 1e-12) + CDI_VOLUME_ROOM;
    along = cdi_v3_dot(m, r->way) / square;
    rest = cdi_v3_sqlength(cdi_v3_along(m, r->way, -along));
    rest = radius * radius - rest + CDI_VOLUME_ROOM * (radius * radius + rest + cdi_v3_sqlength(m));
    if (rest < 0.0) return false;
    rest = cdi_sqrt(rest / square);
    *tau = along - rest - CDI_VOLUME_ROOM * (1.0 + cdi_abs(along));
    return along + rest + CDI_VOLUME_ROOM * (1.0 + cdi_abs(along)) >= 0.0;
}

/* ---- any volumes, by the spheres around them ---- */

CDI_FN void cdi_ball_pose(const cdi_bvtree *from, const cdi_volume_map *m, const float *v,
                          cdi_volume_posed *out) {
    cdi_v3 center;
    double radius = from->ops->ball(from, v, &center);
    center = cdi_m3_mul_v3(&m->turn, cdi_v3_scale(center, m->scale));
    out->center = cdi_v3_add(center, m->shift);
    out->radius = radius * m->scale * (1.0 + 1e-12);
    out->grow = m->grow;
}

static double cdi_ball_gap(const cdi_bvtree *t, uint32_t number, const cdi_volume_posed *p) {
    cdi_v3 center;
    double radius = t->ops->ball(t, cdi_bvtree_volume(t, number), &center) + p->radius;
    double distance = cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(center, p->center)));
    return distance * (1.0 - 1e-12) - radius - p->grow;
}

CDI_FN void cdi_ball_apart(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p,
                           float distance[8]) {
    for (uint32_t i = 0; i < count; ++i) distance[i] = cdi_float_down(cdi_ball_gap(t, first + i, p));
}

CDI_FN uint32_t cdi_ball_meet(const cdi_bvtree *t, uint32_t first, uint32_t count,
                              const cdi_volume_posed *p) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < count; ++i) met |= (uint32_t)(cdi_ball_gap(t, first + i, p) <= 0.0) << i;
    return met;
}

static const cdi_volume_ops cdi_sphere_table = {
    cdi_sphere_sane,    cdi_sphere_holds,  cdi_sphere_size,  cdi_sphere_ball,
    cdi_sphere_heights, cdi_sphere_sqdist, cdi_sphere_enter, NULL,
    cdi_ball_pose,      cdi_ball_meet,     cdi_ball_apart};

CDI_FN const cdi_volume_ops *cdi_sphere_ops(void) {
    return &cdi_sphere_table;
}
