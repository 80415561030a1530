#pragma once
/* bvh_node (internal): the layout of a tree's block, and the frame its boxes are in.
 *
 * header | nodes, in depth-first order | triangles, in the order of the leaves
 *
 * Depth-first means that a walk over children in lane order meets nodes and triangles with rising numbers and leaves
 * none out: that makes a block easy to check without memory. */

#include "core/simd.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"
#include "tree/bvh.h"

#define CDI_BVH_MAGIC    0x48564243u /* "CBVH" */
#define CDI_BVH_VERSION  1u
#define CDI_BVH_DEPTH    96u
#define CDI_BVH_LEAF_MAX 64u
#define CDI_BVH_MOST     0x20000000u /* triangles */
#define CDI_BVH_STACK    (7u * CDI_BVH_DEPTH + 8u)

/* A frame scaled to a tree: x -> (x - origin) 2^-exponent takes its bounds into [-1, 1]. */
typedef struct cdi_frame {
    double origin[3];
    int32_t exponent;
    uint32_t unused;
} cdi_frame;

typedef struct cdi_bvh_header {
    uint32_t magic, version, real_size, depth;
    uint32_t node_count, triangle_count, skipped_count, mesh_count;
    uint64_t bytes;
    cdi_frame frame;
    double lo[3], hi[3]; /* the exact bounds, in the mesh's own frame */
    uint32_t unused[18];
} cdi_bvh_header;

/* Eight children: lanes in use have a bit in `lanes`; count[i] is 0 for a node child[i], else child[i] is the first of
 * that many triangles. */
typedef struct cdi_bvh_node {
    float lo[3][8], hi[3][8];
    uint32_t child[8];
    uint8_t count[8];
    uint32_t lanes;
    uint32_t unused[5];
} cdi_bvh_node;

typedef struct cdi_bvh_triangle {
    cd_real v[9];
    uint32_t index;
#ifdef COLLIDE_DOUBLE
    uint32_t unused;
#endif
} cdi_bvh_triangle;

/* A tree opened for a query. */
typedef struct cdi_bvh {
    const cdi_bvh_header *header;
    const cdi_bvh_node *nodes;
    const cdi_bvh_triangle *triangles;
} cdi_bvh;

/* False for an empty tree. */
CDI_INLINE bool cdi_bvh_open(cdi_bvh *out, const cd_bvh *tree) {
    const unsigned char *block = (const unsigned char *)tree->block;
    if (!block) return false;
    out->header = (const cdi_bvh_header *)tree->block;
    out->nodes = (const cdi_bvh_node *)(const void *)(block + sizeof(cdi_bvh_header));
    out->triangles = (const cdi_bvh_triangle *)(const void *)(out->nodes + out->header->node_count);
    return out->header->node_count != 0;
}

CDI_INLINE cdi_tri cdi_bvh_tri(const cdi_bvh_triangle *t) {
    cdi_tri r;
    for (int i = 0; i < 3; ++i) {
        r.v[i] = cdi_v3_make((double)t->v[3 * i], (double)t->v[3 * i + 1], (double)t->v[3 * i + 2]);
    }
    return r;
}

/* ---- the frame ---- */

/* A coordinate in the frame, off by at most 2^-52 of itself. */
CDI_INLINE double cdi_frame_in(const cdi_frame *f, int axis, double x) {
    return cdi_scale2(x - f->origin[axis], -f->exponent);
}

/* A float below (above) x and within two units in the last place of it, with room for the error above: a step down, and
 * then to the nearest. What is beyond 1e30 is put there, as far outside of [-1, 1] as any other number. */
CDI_INLINE float cdi_float_down(double x) {
    return (float)cdi_clamp(x - (cdi_abs(x) * 1.2e-7 + 1e-36), -1e30, 1e30);
}
CDI_INLINE float cdi_float_up(double x) {
    return (float)cdi_clamp(x + (cdi_abs(x) * 1.2e-7 + 1e-36), -1e30, 1e30);
}
