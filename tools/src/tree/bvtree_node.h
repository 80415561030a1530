#pragma once
/* bvtree_node (internal): the block of a tree of other volumes, and what differs from volume to volume.
 *
 * header (that of a cd_bvh) | nodes | triangles, in the order of the leaves | masks, if any
 *
 * A node is the numbers of its volume, in floats and in the tree's frame, and its links. Children of a node, 2 to 8, follow each other and
 * get their numbers when the walk, depth first and in their order, comes to their parent; so do the triangles of leaves.
 * No way down has more than CDI_BVH_DEPTH nodes, nor more than CDI_BVH_WAITING beside it. */

#include "core/pose.h"
#include "tree/bvh_node.h"
#include "tree/bvtree.h"

#define CDI_BVTREE_MAGIC    0x54564243u /* "CBVT" */
#define CDI_BVTREE_VERSION  1u
#define CDI_LAYOUT_VOLUMES  4u /* none of cd_bvh_layout */
#define CDI_BVTREE_CHILDREN 8u
#define CDI_BVTREE_STACK    CDI_BVH_STACK /* what waits at most in a walk: see CDI_BVH_WAITING */
#define CDI_DOP_SLABS       13u

/* `first` of `count` children, or of triangles where the node is a leaf. */
#define CDI_BVTREE_LEAF 0x80000000u
typedef struct cdi_bvtree_links {
    uint32_t first, count; /* CDI_BVTREE_LEAF | count, of leaves */
} cdi_bvtree_links;

/* What is added to take rounding in: of coordinates of a tree in its frame, and of their products. */
#define CDI_VOLUME_ROOM 1e-13

struct cdi_volume_ops;

/* A tree opened for a query. `items` is read for its triangles alone, and comes first, so that what is handed a cdi_bvh has all. */
typedef struct cdi_bvtree {
    cdi_bvh items;
    const unsigned char *nodes;
    uint32_t kind, slabs, floats, node_size;
    const struct cdi_volume_ops *ops;
} cdi_bvtree;

CDI_INLINE uint32_t cdi_volume_floats(uint32_t kind, uint32_t slabs) {
    return kind == CD_BVTREE_SPHERES ? 4u : kind == CD_BVTREE_OBBS ? 12u : 2u * slabs;
}
/* An oriented box and its links are made a cache line. */
CDI_INLINE uint32_t cdi_volume_node_size(uint32_t kind, uint32_t slabs) {
    return kind == CD_BVTREE_OBBS ? 64u : 4u * cdi_volume_floats(kind, slabs) + 8u;
}

/* False for an empty tree. */
CDI_FN bool cdi_bvtree_open(cdi_bvtree *out, const cd_bvtree *tree);

CDI_INLINE const float *cdi_bvtree_volume(const cdi_bvtree *t, uint32_t number) {
    return (const float *)(const void *)(t->nodes + (size_t)number * t->node_size);
}
CDI_INLINE cdi_bvtree_links cdi_bvtree_links_of(const cdi_bvtree *t, uint32_t number) {
    cdi_bvtree_links l;
    cdi_copy(&l, t->nodes + (size_t)number * t->node_size + 4u * t->floats, sizeof l);
    return l;
}
CDI_INLINE bool cdi_links_is_leaf(cdi_bvtree_links l) {
    return (l.count & CDI_BVTREE_LEAF) != 0;
}
CDI_INLINE uint32_t cdi_links_count(cdi_bvtree_links l) {
    return l.count & ~CDI_BVTREE_LEAF;
}

/* ---- what differs by volume ----
 *
 * All is in a tree's frame, in which the tree lies in [-1, 1]; what is told is never less than the truth (ranges, `meet`, `enter`), nor
 * more (distances), by more than an error of 1e-13 that the callers make room for. */

/* A ray where it was cut next to the tree: at + tau way, the largest of `way` in [1, 2), `off` how far off `at` may be. */
typedef struct cdi_volume_ray {
    cdi_v3 at, way, off;
} cdi_volume_ray;

/* From the frame of one tree into that of another: x -> turn (scale x) + shift. Along the other's slab i, a k-DOP's sides
 * below and above are the sums of weight[i] times its numbers number[i], two sets of three, plus move[i]. */
typedef struct cdi_volume_map {
    cdi_m3 turn;
    cdi_v3 shift;
    double scale, grow; /* grow: how far what meets may be apart */
    bool useful;        /* else the frame it comes to is too small for floats */
    float turned[3][3]; /* turn, by columns */
    double weight[CDI_DOP_SLABS][3], move[CDI_DOP_SLABS], room[CDI_DOP_SLABS];
    uint8_t below[CDI_DOP_SLABS][3], above[CDI_DOP_SLABS][3];
} cdi_volume_map;

/* A volume in the frame of the other tree. */
typedef struct cdi_volume_posed {
    double grow;
    cdi_v3 center;             /* spheres and oriented boxes */
    double radius;             /* spheres */
    float axis[3][3], half[3]; /* oriented boxes */
    float least[16], most[16]; /* k-DOPs, grown */
} cdi_volume_posed;

/* Cuts the part of a ray from `in` to `out` where its height, `height` + tau `speed`, is in a range, with room for what rounding does. */
CDI_INLINE bool cdi_slab_clip(double height, double speed, double least, double most, double *in,
                              double *out) {
    double p, q;
    if (cdi_abs(speed) < 1e-12) return least - 1e-11 <= height && height <= most + 1e-11;
    p = (least - height) / speed;
    q = (most - height) / speed;
    if (p > q) {
        double swap = p;
        p = q;
        q = swap;
    }
    *in = cdi_max(p - 1e-15 * cdi_abs(p), *in);
    *out = cdi_min(q + 1e-15 * cdi_abs(q), *out);
    return *in <= *out;
}

typedef struct cdi_volume_ops {
    /* Are its numbers such as a volume may have? */
    bool (*sane)(const cdi_bvtree *t, const float *v);
    /* Is the point in it? */
    bool (*holds)(const cdi_bvtree *t, const float *v, cdi_v3 p);
    /* How large it is, to compare. */
    float (*size)(const cdi_bvtree *t, const float *v);
    /* A sphere that holds it: its radius. */
    double (*ball)(const cdi_bvtree *t, const float *v, cdi_v3 *center);
    /* Its least and greatest height along a direction. */
    void (*heights)(const cdi_bvtree *t, const float *v, const float n[3], double range[2]);
    /* The squared distance to a point. */
    double (*sqdist)(const cdi_bvtree *t, const float *v, cdi_v3 p);
    /* Where a ray enters it; false when it misses it. */
    bool (*enter)(const cdi_bvtree *t, const float *v, const cdi_volume_ray *r, double *tau);
    /* Makes the map's tables; turn, shift, scale and grow are there. NULL: none are needed. */
    void (*map)(const cdi_bvtree *from, cdi_volume_map *m);
    /* A volume of a tree, taken into the frame of another. */
    void (*pose)(const cdi_bvtree *from, const cdi_volume_map *m, const float *v, cdi_volume_posed *out);
    /* Which of `count` nodes from number `first` on, 8 at most, it may meet. */
    uint32_t (*meet)(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p);
    /* How far each of them is from it; anything below 0 is as good as 0. */
    void (*apart)(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p,
                  float distance[8]);
} cdi_volume_ops;

CDI_FN const cdi_volume_ops *cdi_sphere_ops(void);
CDI_FN const cdi_volume_ops *cdi_obb_ops(void);
CDI_FN const cdi_volume_ops *cdi_dop_ops(void);

/* pose, meet and apart of all volumes, by the spheres around them. */
CDI_FN void cdi_ball_pose(const cdi_bvtree *from, const cdi_volume_map *m, const float *v,
                          cdi_volume_posed *out);
CDI_FN uint32_t cdi_ball_meet(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p);
CDI_FN void cdi_ball_apart(const cdi_bvtree *t, uint32_t first, uint32_t count, const cdi_volume_posed *p,
                           float distance[8]);
