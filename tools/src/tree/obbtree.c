#include "tree/obbtree.h"
#include "bounds/box3d.h"
#include "core/simd.h"
#include "tree/bvtree_build.h"

/* ---- the volume ----
 *
 * center, two axes, half extents: the points whose products with the axes are within the half extents of the center's. The
 * third axis is the cross product of the others, as it comes out in floats. All are unit and across each other but for some
 * 1e-7; what that makes of tests is made good by CDI_OBB_SKEW. */

#define CDI_OBB_SKEW 4e-5f

typedef struct cdi_obb_node {
    float center[3], axis[3][3], half[3];
} cdi_obb_node;

CDI_INLINE cdi_obb_node cdi_obb_node_of(const float *v) {
    cdi_obb_node b;
    for (int k = 0; k < 3; ++k) {
        b.center[k] = v[k];
        b.axis[0][k] = v[3 + k];
        b.axis[1][k] = v[6 + k];
        b.half[k] = v[9 + k];
    }
    for (int k = 0; k < 3; ++k) { /* the products are exact: every machine finds the same */
        double x = (double)b.axis[0][(k + 1) % 3] * (double)b.axis[1][(k + 2) % 3];
        b.axis[2][k] = (float)(x - (double)b.axis[0][(k + 2) % 3] * (double)b.axis[1][(k + 1) % 3]);
    }
    return b;
}

CDI_INLINE cdi_v3 cdi_obb_node_center(const cdi_obb_node *b) {
    return cdi_v3_make((double)b->center[0], (double)b->center[1], (double)b->center[2]);
}
CDI_INLINE cdi_v3 cdi_obb_node_axis(const cdi_obb_node *b, int k) {
    return cdi_v3_make((double)b->axis[k][0], (double)b->axis[k][1], (double)b->axis[k][2]);
}

static bool cdi_obb_node_sane(const cdi_bvtree *t, const float *v) {
    cdi_obb_node b = cdi_obb_node_of(v);
    (void)t;
    for (int i = 0; i < 12; ++i) {
        if (!(v[i] >= -8.0f && v[i] <= 8.0f)) return false;
    }
    for (int i = 0; i < 3; ++i) {
        if (!(b.half[i] >= 0.0f)) return false;
        for (int j = 0; j < 3; ++j) {
            double dot = cdi_v3_dot(cdi_obb_node_axis(&b, i), cdi_obb_node_axis(&b, j));
            if (!(cdi_abs(dot - (i == j ? 1.0 : 0.0)) < 5e-7)) return false;
        }
    }
    return true;
}

static bool cdi_obb_node_holds(const cdi_bvtree *t, const float *v, cdi_v3 p) {
    cdi_obb_node b = cdi_obb_node_of(v);
    cdi_v3 d = cdi_v3_sub(p, cdi_obb_node_center(&b));
    (void)t;
    for (int k = 0; k < 3; ++k) {
        if (!(cdi_abs(cdi_v3_dot(cdi_obb_node_axis(&b, k), d)) <= (double)b.half[k])) return false;
    }
    return true;
}

static float cdi_obb_node_size(const cdi_bvtree *t, const float *v) {
    float most = v[9] > v[10] ? v[9] : v[10];
    (void)t;
    return most > v[11] ? most : v[11];
}

/* Lengths of what is in the box, by its half extents, are longer by this. */
static const double cdi_obb_long = 1.0 + 1e-6;

static double cdi_obb_node_ball(const cdi_bvtree *t, const float *v, cdi_v3 *center) {
    cdi_v3 half = cdi_v3_make((double)v[9], (double)v[10], (double)v[11]);
    (void)t;
    *center = cdi_v3_make((double)v[0], (double)v[1], (double)v[2]);
    return cdi_sqrt(cdi_v3_sqlength(half)) * cdi_obb_long;
}

static void cdi_obb_node_heights(const cdi_bvtree *t, const float *v, const float n[3], double range[2]) {
    cdi_obb_node b = cdi_obb_node_of(v);
    cdi_v3 d = cdi_v3_make((double)n[0], (double)n[1], (double)n[2]);
    double height = cdi_v3_dot(cdi_obb_node_center(&b), d), reach = 0.0, size = 0.0;
    (void)t;
    for (int k = 0; k < 3; ++k) {
        reach += (double)b.half[k] * cdi_abs(cdi_v3_dot(cdi_obb_node_axis(&b, k), d));
        size += (double)b.half[k];
    }
    reach += 1e-5 * size * cdi_v3_max_abs(d);
    range[0] = height - reach;
    range[1] = height + reach;
}

static double cdi_obb_node_sqdist(const cdi_bvtree *t, const float *v, cdi_v3 p) {
    cdi_obb_node b = cdi_obb_node_of(v);
    cdi_v3 d = cdi_v3_sub(p, cdi_obb_node_center(&b));
    double sum = 0.0;
    (void)t;
    for (int k = 0; k < 3; ++k) {
        double gap = cdi_abs(cdi_v3_dot(cdi_obb_node_axis(&b, k), d)) - (double)b.half[k];
        if (gap > 0.0) sum += gap * gap;
    }
    return sum * (1.0 - 1e-5);
}

static bool cdi_obb_node_enter(const cdi_bvtree *t, const float *v, const cdi_volume_ray *r, double *tau) {
    cdi_obb_node b = cdi_obb_node_of(v);
    cdi_v3 d = cdi_v3_sub(r->at, cdi_obb_node_center(&b));
    double in = 0.0, out = CDI_HUGE;
    (void)t;
    for (int k = 0; k < 3; ++k) {
        cdi_v3 n = cdi_obb_node_axis(&b, k);
        double room =
            CDI_VOLUME_ROOM + cdi_abs(n.x) * r->off.x + cdi_abs(n.y) * r->off.y + cdi_abs(n.z) * r->off.z;
        double height = cdi_v3_dot(n, d);
        if (!cdi_slab_clip(height, cdi_v3_dot(n, r->way), -(double)b.half[k] - room, (double)b.half[k] + room,
                           &in, &out))
            return false;
    }
    *tau = in;
    return true;
}

/* ---- against another ---- */

static void cdi_obb_node_pose(const cdi_bvtree *from, const cdi_volume_map *m, const float *v,
                              cdi_volume_posed *out) {
    cdi_obb_node b = cdi_obb_node_of(v);
    cdi_v3 center = cdi_m3_mul_v3(&m->turn, cdi_v3_scale(cdi_obb_node_center(&b), m->scale));
    float scale = (float)m->scale;
    (void)from;
    out->center = cdi_v3_add(center, m->shift);
    for (int k = 0; k < 3; ++k) {
        const float *a = b.axis[k];
        for (int i = 0; i < 3; ++i)
            out->axis[k][i] = m->turned[0][i] * a[0] + m->turned[1][i] * a[1] + m->turned[2][i] * a[2];
        out->half[k] = b.half[k] * scale;
    }
    out->grow = m->grow;
}

/* Eight boxes in rows, beside a posed one. */
typedef struct cdi_obb_lanes {
    cdi_f8 axis[3][3], half[3];
    cdi_f8 way[3];  /* from the posed center to theirs */
    cdi_f8 slack;   /* what a gap must be above */
    cdi_f8 c[3][3]; /* products of their axes and the posed ones */
} cdi_obb_lanes;

CDI_INLINE cdi_f8 cdi_f8_dot(const cdi_f8 a[3], const float b[3]) {
    return cdi_f8_add(cdi_f8_add(cdi_f8_mul(a[0], cdi_f8_all(b[0])), cdi_f8_mul(a[1], cdi_f8_all(b[1]))),
                      cdi_f8_mul(a[2], cdi_f8_all(b[2])));
}
CDI_INLINE cdi_f8 cdi_f8_dots(const cdi_f8 a[3], const cdi_f8 b[3]) {
    return cdi_f8_add(cdi_f8_add(cdi_f8_mul(a[0], b[0]), cdi_f8_mul(a[1], b[1])), cdi_f8_mul(a[2], b[2]));
}

/* Nodes behind the last one are whatever is there: what is behind the tree is not read. */
CDI_INLINE void cdi_obb_lanes_read(cdi_obb_lanes *l, const cdi_bvtree *t, uint32_t first, uint32_t count) {
    float copy[8][16];
    const float *v = cdi_bvtree_volume(t, first);
    cdi_f8 row[12];
    if (first + 8 > t->items.header->node_count) {
        cdi_clear(copy, sizeof copy);
        cdi_copy(copy, v, count * sizeof copy[0]);
        v = copy[0];
    }
    for (size_t i = 0; i < 12; i += 4) cdi_f8_columns(v + i, 16, row + i);
    for (int k = 0; k < 3; ++k) {
        l->way[k] = row[k];
        l->axis[0][k] = row[3 + k];
        l->axis[1][k] = row[6 + k];
        l->half[k] = row[9 + k];
    }
    for (int k = 0; k < 3; ++k) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        l->axis[2][k] =
            cdi_f8_sub(cdi_f8_mul(l->axis[0][m], l->axis[1][n]), cdi_f8_mul(l->axis[0][n], l->axis[1][m]));
    }
}

/* A posed center is two floats, so that of the way nothing is lost but what its own rounding takes. */
CDI_INLINE void cdi_obb_lanes_face(cdi_obb_lanes *l, const cdi_volume_posed *p) {
    cdi_f8 size = cdi_f8_all(p->half[0] + p->half[1] + p->half[2]);
    for (int k = 0; k < 3; ++k) {
        double at = cdi_v3_get(p->center, k);
        float high = (float)at, low = (float)(at - (double)high);
        l->way[k] = cdi_f8_sub(cdi_f8_sub(l->way[k], cdi_f8_all(high)), cdi_f8_all(low));
        size = cdi_f8_add(size, cdi_f8_add(cdi_f8_abs(l->way[k]), l->half[k]));
    }
    l->slack =
        cdi_f8_add(cdi_f8_mul(size, cdi_f8_all(CDI_OBB_SKEW)), cdi_f8_all((float)p->grow * 1.0001f + 1e-30f));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) l->c[i][j] = cdi_f8_dot(l->axis[i], p->axis[j]);
    }
}

/* How far they are apart along the axes of their own faces, as if axes were unit and across each other; `height`: of the way. */
CDI_INLINE void cdi_obb_own_gaps(const cdi_obb_lanes *l, const cdi_volume_posed *p, cdi_f8 height[3],
                                 cdi_f8 gap[3]) {
    for (int i = 0; i < 3; ++i) {
        cdi_f8 q[3];
        for (int j = 0; j < 3; ++j) q[j] = cdi_f8_abs(l->c[i][j]);
        height[i] = cdi_f8_dots(l->axis[i], l->way);
        gap[i] = cdi_f8_sub(cdi_f8_abs(height[i]), cdi_f8_add(l->half[i], cdi_f8_dot(q, p->half)));
    }
}

/* ... and along the axes of the posed one's. */
CDI_INLINE void cdi_obb_posed_gaps(const cdi_obb_lanes *l, const cdi_volume_posed *p, cdi_f8 gap[3]) {
    for (int j = 0; j < 3; ++j) {
        cdi_f8 q[3];
        for (int i = 0; i < 3; ++i) q[i] = cdi_f8_abs(l->c[i][j]);
        gap[j] = cdi_f8_sub(cdi_f8_abs(cdi_f8_dot(l->way, p->axis[j])),
                            cdi_f8_add(cdi_f8_dots(l->half, q), cdi_f8_all(p->half[j])));
    }
}

/* Along the axis across their edge i and the posed one's edge j. */
CDI_INLINE cdi_f8 cdi_obb_edge_gap(const cdi_obb_lanes *l, const cdi_volume_posed *p, const cdi_f8 height[3],
                                   int i, int j) {
    int k = (i + 1) % 3, h = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    cdi_f8 s = cdi_f8_sub(cdi_f8_mul(height[h], l->c[k][j]), cdi_f8_mul(height[k], l->c[h][j]));
    cdi_f8 own = cdi_f8_add(cdi_f8_mul(l->half[k], cdi_f8_abs(l->c[h][j])),
                            cdi_f8_mul(l->half[h], cdi_f8_abs(l->c[k][j])));
    cdi_f8 other = cdi_f8_add(cdi_f8_mul(cdi_f8_all(p->half[m]), cdi_f8_abs(l->c[i][n])),
                              cdi_f8_mul(cdi_f8_all(p->half[n]), cdi_f8_abs(l->c[i][m])));
    return cdi_f8_sub(cdi_f8_abs(s), cdi_f8_add(own, other));
}

CDI_INLINE cdi_f8 cdi_f8_largest(const cdi_f8 v[3]) {
    return cdi_f8_max(cdi_f8_max(v[0], v[1]), v[2]);
}

/* The fifteen axes of table 4.1, eight boxes at once. As if axes were unit and across each other every gap is right to 7 times what
 * all entries of A^T A - I and B^T B - I come to, some 1.4e-6, and 50 roundings, of the size of all, of which CDI_OBB_SKEW is
 * far above. */
static uint32_t cdi_obb_node_meet(const cdi_bvtree *t, uint32_t first, uint32_t count,
                                  const cdi_volume_posed *p) {
    cdi_obb_lanes l;
    cdi_f8 height[3], gap[3], most;
    uint32_t all = (1u << count) - 1u;
    cdi_obb_lanes_read(&l, t, first, count);
    cdi_obb_lanes_face(&l, p);
    cdi_obb_own_gaps(&l, p, height, gap);
    most = cdi_f8_largest(gap);
    cdi_obb_posed_gaps(&l, p, gap);
    most = cdi_f8_max(most, cdi_f8_largest(gap));
    if (!(cdi_f8_le(most, l.slack) & all)) return 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) gap[j] = cdi_obb_edge_gap(&l, p, height, i, j);
        most = cdi_f8_max(most, cdi_f8_largest(gap));
    }
    return cdi_f8_le(most, l.slack) & all;
}

/* The square of how far something is beyond the sides of a box. */
CDI_INLINE cdi_f8 cdi_obb_sqgap(const cdi_f8 gap[3]) {
    cdi_f8 none = cdi_f8_all(0.0f), beyond[3];
    for (int k = 0; k < 3; ++k) beyond[k] = cdi_f8_max(gap[k], none);
    return cdi_f8_dots(beyond, beyond);
}

/* By the face axes of each: what is beyond the sides of one box is so far from it at least. */
static void cdi_obb_node_apart(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p,
                               float distance[8]) {
    cdi_obb_lanes l;
    cdi_f8 height[3], gap[3], square;
    cdi_obb_lanes_read(&l, t, first, count);
    cdi_obb_lanes_face(&l, p);
    cdi_obb_own_gaps(&l, p, height, gap);
    square = cdi_obb_sqgap(gap);
    cdi_obb_posed_gaps(&l, p, gap);
    square = cdi_f8_max(square, cdi_obb_sqgap(gap));
    cdi_f8_store(distance, cdi_f8_sub(cdi_f8_sqrt(square), cdi_f8_mul(cdi_f8_all(2.0f), l.slack)));
}

static const cdi_volume_ops cdi_obb_table = {
    cdi_obb_node_sane,    cdi_obb_node_holds,  cdi_obb_node_size,  cdi_obb_node_ball,
    cdi_obb_node_heights, cdi_obb_node_sqdist, cdi_obb_node_enter, NULL,
    cdi_obb_node_pose,    cdi_obb_node_meet,   cdi_obb_node_apart};

CDI_FN const cdi_volume_ops *cdi_obb_ops(void) {
    return &cdi_obb_table;
}

/* ---- fits ---- */

/* Sums over a surface: its area, and moments about a place on it. */
typedef struct cdi_surface_sums {
    double area;
    cdi_v3 first;
    cdi_m3 second;
} cdi_surface_sums;

/* v w^T s is added. */
static void cdi_m3_add_outer(cdi_m3 *m, cdi_v3 v, cdi_v3 w, double s) {
    m->c[0] = cdi_v3_along(m->c[0], v, w.x * s);
    m->c[1] = cdi_v3_along(m->c[1], v, w.y * s);
    m->c[2] = cdi_v3_along(m->c[2], v, w.z * s);
}

/* Of a triangle with corners a, b, c and area A: A (9 m m^T + a a^T + b b^T + c c^T) / 12, m its middle. */
static void cdi_surface_add(cdi_surface_sums *s, const cdi_tri *tri, cdi_v3 about, double extra) {
    cdi_v3 a = cdi_v3_sub(tri->v[0], about), b = cdi_v3_sub(tri->v[1], about),
           c = cdi_v3_sub(tri->v[2], about);
    double area = 0.5 * cdi_sqrt(cdi_v3_sqlength(cdi_v3_cross(cdi_v3_sub(b, a), cdi_v3_sub(c, a)))) + extra;
    cdi_v3 middle = cdi_v3_scale(cdi_v3_add(cdi_v3_add(a, b), c), 1.0 / 3.0);
    s->area += area;
    s->first = cdi_v3_along(s->first, middle, area);
    cdi_m3_add_outer(&s->second, middle, middle, 9.0 * area / 12.0);
    cdi_m3_add_outer(&s->second, a, a, area / 12.0);
    cdi_m3_add_outer(&s->second, b, b, area / 12.0);
    cdi_m3_add_outer(&s->second, c, c, area / 12.0);
}

/* The axes of second moments of any size. */
static cdi_m3 cdi_second_frame(const cdi_m3 *m) {
    double most = cdi_max(cdi_v3_max_abs(m->c[0]), cdi_max(cdi_v3_max_abs(m->c[1]), cdi_v3_max_abs(m->c[2])));
    cdi_m3 scaled;
    if (!(most > 0.0)) return cdi_fit_identity();
    for (int i = 0; i < 3; ++i) scaled.c[i] = cdi_v3_scale2(m->c[i], -cdi_exponent(most));
    return cdi_principal_frame(&scaled);
}

/* The principal axes of the surface; of triangles without area, as if all had the same. */
static cdi_m3 cdi_surface_axes(const cdi_bvtree *t, uint32_t first, uint32_t count) {
    cdi_v3 about = cdi_draft_tri(t, first).v[0];
    cdi_surface_sums s;
    for (int tries = 0; tries < 2; ++tries) {
        cdi_clear(&s, sizeof s);
        for (uint32_t i = first; i < first + count; ++i) {
            cdi_tri tri = cdi_draft_tri(t, i);
            cdi_surface_add(&s, &tri, about, tries ? 1.0 : 0.0);
        }
        if (s.area > 1e-200) break;
    }
    cdi_m3_add_outer(&s.second, s.first, s.first, -1.0 / s.area);
    return cdi_second_frame(&s.second);
}

/* The longest edge of the largest triangle, and its plane. */
static cdi_m3 cdi_largest_axes(const cdi_bvtree *t, uint32_t first, uint32_t count) {
    cdi_v3 edge = cdi_v3_make(1.0, 0.0, 0.0), other = cdi_v3_make(0.0, 1.0, 0.0);
    double most = -1.0;
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_draft_tri(t, i);
        cdi_v3 e[3];
        int k = 0;
        double area;
        for (int j = 0; j < 3; ++j) e[j] = cdi_v3_sub(tri.v[(j + 1) % 3], tri.v[j]);
        for (int j = 1; j < 3; ++j) k = cdi_v3_sqlength(e[j]) > cdi_v3_sqlength(e[k]) ? j : k;
        area = cdi_v3_sqlength(cdi_v3_cross(e[0], e[1]));
        if (!(area > most)) continue;
        most = area;
        edge = e[k];
        other = e[(k + 1) % 3];
    }
    return cdi_fit_frame(edge, other);
}

/* Axes as they are stored: two, rounded. */
static void cdi_obb_node_turn(float *v, const cdi_m3 *axes) {
    for (int i = 0; i < 2; ++i) {
        v[3 + 3 * i] = (float)axes->c[i].x;
        v[4 + 3 * i] = (float)axes->c[i].y;
        v[5 + 3 * i] = (float)axes->c[i].z;
    }
}

/* The extents of the triangles along the stored axes, from `about` on. */
static cdi_extents cdi_obb_node_extents(const cdi_bvtree *t, uint32_t first, uint32_t count, const float *v,
                                        cdi_v3 about) {
    cdi_obb_node b = cdi_obb_node_of(v);
    cdi_m3 axes;
    cdi_extents e = cdi_extents_none();
    for (int k = 0; k < 3; ++k) axes.c[k] = cdi_obb_node_axis(&b, k);
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_draft_tri(t, i);
        for (int k = 0; k < 3; ++k) cdi_extents_add(&e, &axes, cdi_v3_sub(tri.v[k], about));
    }
    return e;
}

/* The box with these axes, tried: is its surface smaller than that of the best so far? */
static void cdi_obb_node_try(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_m3 *axes,
                             float *best, double *least) {
    float v[12];
    cdi_extents e;
    double x, y, z, surface;
    cdi_clear(v, sizeof v);
    cdi_obb_node_turn(v, axes);
    e = cdi_obb_node_extents(t, first, count, v, cdi_v3_make(0.0, 0.0, 0.0));
    x = e.hi[0] - e.lo[0];
    y = e.hi[1] - e.lo[1];
    z = e.hi[2] - e.lo[2];
    surface = x * y + y * z + z * x;
    if (!(surface < *least)) return;
    *least = surface;
    for (int i = 0; i < 12; ++i) best[i] = v[i];
    for (int k = 0; k < 3; ++k) best[k] = (float)(0.5 * (e.lo[k] + e.hi[k])); /* along the axes, for now */
}

/* The center in the frame, and the half extents from there. */
static void cdi_obb_node_settle(const cdi_bvtree *t, uint32_t first, uint32_t count, float *v) {
    cdi_obb_node b = cdi_obb_node_of(v);
    cdi_v3 center = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_extents e;
    for (int k = 0; k < 3; ++k) center = cdi_v3_along(center, cdi_obb_node_axis(&b, k), (double)b.center[k]);
    v[0] = (float)center.x;
    v[1] = (float)center.y;
    v[2] = (float)center.z;
    e = cdi_obb_node_extents(t, first, count, v, cdi_v3_make((double)v[0], (double)v[1], (double)v[2]));
    for (int k = 0; k < 3; ++k) v[9 + k] = cdi_float_up(cdi_max(e.hi[k], -e.lo[k]));
}

/* Up to so many triangles, the largest of them may give the axes. */
#define CDI_OBB_FEW 32u

static void cdi_obb_node_fit(const cdi_bvtree *t, uint32_t first, uint32_t count, float *v) {
    double least = CDI_HUGE;
    cdi_m3 axes = cdi_surface_axes(t, first, count);
    cdi_obb_node_try(t, first, count, &axes, v, &least);
    axes = cdi_fit_identity();
    cdi_obb_node_try(t, first, count, &axes, v, &least);
    if (count <= CDI_OBB_FEW) {
        axes = cdi_largest_axes(t, first, count);
        cdi_obb_node_try(t, first, count, &axes, v, &least);
    }
    cdi_obb_node_settle(t, first, count, v);
}

#undef CDI_OBB_FEW

CD_API cd_status cd_obbtree_build_mesh(cd_bvtree *out, const cd_mesh_view *mesh,
                                       const cd_bvh_options *options) {
    return cdi_bvtree_build(out, mesh, options, CD_BVTREE_OBBS, 0, cdi_obb_node_fit, NULL);
}

#undef CDI_OBB_SKEW
