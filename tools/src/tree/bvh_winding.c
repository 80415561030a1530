#include "tree/bvh_winding.h"
#include "core/memory.h"
#include "query/turning.h"
#include "tree/bvh_distance.h"

/* ---- what a cluster of triangles looks like from afar ----
 *
 * The solid angle of a surface S as seen from p is the integral over S of f(x).n, with f(x) = (x - p) / |x - p|^3.
 * About a point c with |c - p| = d and all of S within r < d of it,
 *
 *     f(x) = f(c) + J (x - c) + ...,   J = I / d^3 - 3 R R^T / d^5,   R = c - p,
 *
 * so that the angle is N.R / d^3 + J:Q and a remainder, with the directed area N = integral of n and Q = integral of
 * n (x - c)^T. J is symmetric and without a trace: only that part of Q counts, and J:Q = -3 R^T Q R / d^5.
 *
 * The remainder. f is the gradient of -1/|x - p|. The third derivative of 1/|y - p|, as a symmetric form of three vectors,
 * is largest (in sum over unit vectors) where the three are one (Banach 1938), where it is a Legendre polynomial times
 * 6 / |y - p|^4, so at most that. On the way from c to x, with |x - c| = s, the point y after a way of t has
 * |y - p| >= d - t: what is left of f(x).n is at most
 *
 *     integral over t of 0...s of (s - t) 6 / (d - t)^4 = 1/(d - s)^2 - 1/d^2 - 2 s/d^3 = s^2 (3 d - 2 s) / (d^3 (d - s)^2).
 *
 * The factor beside s^2 rises with s: d / s >= 1 makes its logarithm's slope 2/(d - s) - 2/(3 d - 2 s) > 0. So it is at most
 * that of r, and with A the integral of |x - c|^2 over S the remainder of the angle is at most
 *
 *     A (3 d - 2 r) / (d^3 (d - r)^2).
 *
 * Rounding. Numbers are kept as floats: N is off by 2^-24 |N|, the five numbers of Q by less than 2^-23 |Q| and |Q| is at most
 * r times the area, so that with r < d the angle is off by less than 7 * 2^-24 area / d^2; bounds are rounded up. Corners and
 * p are off by a few 2^-52 in the tree's frame, or 2^-52 of p, which is less than 1e-8 of d where d - r is at least
 * 1e-6: nearer clusters are not taken. Together less than 1e-6 area / d^2. */

#define CDI_WINDING_MAGIC   0x444E5743u /* "CWND" */
#define CDI_WINDING_VERSION 1u
#define CDI_WINDING_NEAREST 1e-6
#define CDI_WINDING_ROUND   1e-6
#define CDI_WINDING_TURN    12.566370614359172 /* 4 pi */

typedef struct cdi_winding_header {
    uint32_t magic, version, layout, node_count;
    uint32_t item_count, cluster_count;
    uint64_t bytes, tree_bytes;
    uint32_t unused[6];
} cdi_winding_header;

/* A cluster: in the tree's frame. `moment`: A above. */
typedef struct cdi_cluster {
    float center[3], normal[3];
    float xx, yy, xy, xz, yz; /* of Q, made symmetric and without its trace */
    float radius, area, moment;
    uint32_t unused[2];
} cdi_cluster;

typedef char cdi_winding_header_is_64_bytes[sizeof(cdi_winding_header) == 64 ? 1 : -1];
typedef char cdi_cluster_is_64_bytes[sizeof(cdi_cluster) == 64 ? 1 : -1];

/* A block opened for a query, with its tree. */
typedef struct cdi_winding {
    const cdi_cluster *cluster;
    cdi_bvh tree;
} cdi_winding;

/* Clusters: one for the whole, then one for each lane of each node; of the binary layout one for each node. */
static uint64_t cdi_cluster_count(const cdi_bvh_header *h) {
    return h->layout == CD_BVH_BINARY ? h->node_count : 1 + 8 * (uint64_t)h->node_count;
}

static size_t cdi_cluster_of(const cdi_bvh *t, uint32_t number, uint32_t lane) {
    const cdi_bvh_binary_node *n;
    if (t->layout != CD_BVH_BINARY) return 1 + 8 * (size_t)number + lane;
    n = (const cdi_bvh_binary_node *)t->nodes + number;
    return n->count ? number : lane ? n->next : number + 1;
}

static cdi_v3 cdi_frame_place(const cdi_frame *f, cdi_v3 p) {
    return cdi_v3_make(cdi_frame_in(f, 0, p.x), cdi_frame_in(f, 1, p.y), cdi_frame_in(f, 2, p.z));
}

/* ---- building ---- */

/* A cluster while it is summed up; `mixed` is Q. */
typedef struct cdi_cluster_sum {
    cdi_v3 center, normal;
    double mixed[6]; /* xx, yy, zz, and half of xy + yx, xz + zx, yz + zy */
    double radius, area, moment;
} cdi_cluster_sum;

/* Q for the directed area n at a place by `way` from the center. */
static void cdi_sum_mixed(double mixed[6], cdi_v3 n, cdi_v3 way) {
    mixed[0] += n.x * way.x;
    mixed[1] += n.y * way.y;
    mixed[2] += n.z * way.z;
    mixed[3] += 0.5 * (n.x * way.y) + 0.5 * (n.y * way.x);
    mixed[4] += 0.5 * (n.x * way.z) + 0.5 * (n.z * way.x);
    mixed[5] += 0.5 * (n.y * way.z) + 0.5 * (n.z * way.y);
}

/* Adds a cluster about its centroid to one about any center. What a centroid is off by is made good in the moment. */
static void cdi_sum_add(cdi_cluster_sum *s, const cdi_cluster_sum *part) {
    cdi_v3 way = cdi_v3_sub(part->center, s->center);
    double square = cdi_v3_sqlength(way);
    for (int k = 0; k < 6; ++k) s->mixed[k] += part->mixed[k];
    cdi_sum_mixed(s->mixed, part->normal, way);
    s->normal = cdi_v3_add(s->normal, part->normal);
    s->area += part->area;
    s->moment += part->moment + part->area * (square + 1e-14);
    s->radius = cdi_max(s->radius, part->radius + cdi_sqrt(square) + 1e-15);
}

/* The centroid of clusters; some point of one where they have no area. */
static cdi_v3 cdi_sum_centroid(const cdi_cluster_sum *part, uint32_t count) {
    cdi_v3 c = cdi_v3_make(0.0, 0.0, 0.0);
    double area = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        c = cdi_v3_along(c, part[i].center, part[i].area);
        area += part[i].area;
    }
    return area > 0.0 ? cdi_v3_make(c.x / area, c.y / area, c.z / area) : part[0].center;
}

static cdi_cluster_sum cdi_sum_about(cdi_v3 center, const cdi_cluster_sum *part, uint32_t count) {
    cdi_cluster_sum s;
    cdi_clear(&s, sizeof s);
    s.center = center;
    for (uint32_t i = 0; i < count; ++i) cdi_sum_add(&s, &part[i]);
    return s;
}

/* A triangle about its centroid: Q is 0, the moment the area times a twelfth of the squared ways to the corners. */
static cdi_cluster_sum cdi_sum_triangle(const cdi_bvh *t, uint32_t item) {
    const cdi_frame *f = &t->header->frame;
    cdi_tri tri = cdi_bvh_tri(t, item), scaled;
    cdi_cluster_sum s;
    cdi_v3 at[3], normal;
    double square = 0.0;
    cdi_clear(&s, sizeof s);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 place = cdi_frame_place(f, tri.v[i]);
        at[i] = place;
        scaled.v[i] = cdi_v3_scale2(tri.v[i], -f->exponent);
        s.center = cdi_v3_along(s.center, at[i], 1.0 / 3.0);
    }
    for (int i = 0; i < 3; ++i) {
        double way = cdi_v3_sqlength(cdi_v3_sub(at[i], s.center));
        square += way;
        s.radius = cdi_max(s.radius, cdi_sqrt(way));
    }
    normal = cdi_tri_cross(&scaled);
    s.normal = cdi_v3_scale(normal, 0.5);
    s.area = cdi_v3_length(s.normal);
    s.moment = s.area * (square / 12.0);
    return s;
}

static cdi_cluster_sum cdi_sum_leaf(const cdi_bvh *t, uint32_t first, uint32_t count) {
    cdi_cluster_sum part[CDI_BVH_LEAF_MAX];
    for (uint32_t i = 0; i < count; ++i) {
        cdi_cluster_sum s = cdi_sum_triangle(t, first + i);
        part[i] = s;
    }
    return cdi_sum_about(cdi_sum_centroid(part, count), part, count);
}

/* About a center of floats, rounded. */
static void cdi_cluster_write(cdi_cluster *out, const cdi_cluster_sum *sum) {
    cdi_v3 center =
        cdi_v3_make((double)cdi_nearest_float(sum->center.x), (double)cdi_nearest_float(sum->center.y),
                    (double)cdi_nearest_float(sum->center.z));
    cdi_cluster_sum s = cdi_sum_about(center, sum, 1);
    double third = (s.mixed[0] + s.mixed[1] + s.mixed[2]) / 3.0;
    for (int k = 0; k < 3; ++k) {
        out->center[k] = (float)cdi_v3_get(center, k);
        out->normal[k] = (float)cdi_v3_get(s.normal, k);
    }
    out->xx = (float)(s.mixed[0] - third);
    out->yy = (float)(s.mixed[1] - third);
    out->xy = (float)s.mixed[3];
    out->xz = (float)s.mixed[4];
    out->yz = (float)s.mixed[5];
    out->radius = cdi_float_up(s.radius);
    out->area = cdi_float_up(s.area);
    out->moment = cdi_float_up(s.moment);
}

/* The lanes of a node, whose children have been summed up. */
static void cdi_sum_node(const cdi_bvh *t, uint32_t number, cdi_cluster_sum *total, cdi_cluster *cluster) {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node = cdi_bvh_at(t, number, &scratch);
    cdi_cluster_sum part[8], whole;
    cdi_v3 center;
    uint32_t count = 0;
    cdi_clear(&part[0], sizeof part[0]);
    for (; count < 8 && (node->lanes >> count & 1u); ++count) {
        uint32_t child = node->child[count];
        if (node->count[count]) {
            cdi_cluster_sum s = cdi_sum_leaf(t, child, node->count[count]);
            part[count] = s;
        } else {
            part[count] = total[child];
        }
        cdi_cluster_write(&cluster[cdi_cluster_of(t, number, count)], &part[count]);
    }
    center = cdi_sum_centroid(part, count);
    whole = cdi_sum_about(center, part, count);
    total[number] = whole;
}

/* Children come after their parents. */
static void cdi_winding_fill(const cdi_bvh *t, cdi_cluster_sum *total, cdi_cluster *cluster) {
    for (uint32_t i = t->header->node_count; i > 0; --i) cdi_sum_node(t, i - 1, total, cluster);
    cdi_cluster_write(&cluster[0], &total[0]);
}

static void cdi_winding_head(cdi_winding_header *h, const cdi_bvh_header *tree, uint64_t bytes) {
    h->magic = CDI_WINDING_MAGIC;
    h->version = CDI_WINDING_VERSION;
    h->layout = tree->layout;
    h->node_count = tree->node_count;
    h->item_count = tree->item_count;
    h->cluster_count = (uint32_t)cdi_cluster_count(tree);
    h->bytes = bytes;
    h->tree_bytes = tree->bytes;
}

CD_API cd_status cd_bvh_winding_build(cd_bvh_winding *out, const cd_bvh *tree,
                                      const cd_allocator *allocator) {
    cdi_bvh t;
    cdi_cluster_sum *total;
    unsigned char *block;
    uint64_t bytes;
    cdi_clear(out, sizeof *out);
    if (!cdi_bvh_open(&t, tree)) return CD_OK;
    if (!cdi_bvh_is_triangles(&t)) return CD_INVALID_ARGUMENT;
    bytes = sizeof(cdi_winding_header) + cdi_cluster_count(t.header) * sizeof(cdi_cluster);
    if (bytes > SIZE_MAX) return CD_OUT_OF_MEMORY;
    if (allocator) out->allocator = *allocator;
    total = (cdi_cluster_sum *)cdi_alloc(&out->allocator, t.header->node_count, sizeof *total);
    block = (unsigned char *)cdi_alloc(&out->allocator, (size_t)bytes, 1);
    if (total && block) {
        cdi_clear(block, (size_t)bytes);
        cdi_winding_head((cdi_winding_header *)(void *)block, t.header, bytes);
        cdi_winding_fill(&t, total, (cdi_cluster *)(void *)(block + sizeof(cdi_winding_header)));
        out->block = block;
        out->bytes = (size_t)bytes;
        out->owned = 1;
    }
    cdi_free(&out->allocator, total, t.header->node_count, sizeof *total);
    if (out->owned) return CD_OK;
    cdi_free(&out->allocator, block, (size_t)bytes, 1);
    cdi_clear(out, sizeof *out);
    return CD_OUT_OF_MEMORY;
}

CD_API void cd_bvh_winding_destroy(cd_bvh_winding *w) {
    if (w->owned) cdi_free(&w->allocator, (void *)w->block, w->bytes, 1);
    cdi_clear(w, sizeof *w);
}

CD_API cd_status cd_bvh_winding_view(cd_bvh_winding *out, const void *bytes, size_t size) {
    const cdi_winding_header *h = (const cdi_winding_header *)bytes;
    cdi_clear(out, sizeof *out);
    if (!bytes || ((uintptr_t)bytes & 63u)) return CD_INVALID_ARGUMENT;
    if (size < sizeof *h) return CD_CORRUPT;
    if (h->magic != CDI_WINDING_MAGIC) return h->magic == 0x43574E44u ? CD_UNSUPPORTED : CD_CORRUPT;
    if (h->version != CDI_WINDING_VERSION) return CD_UNSUPPORTED;
    if (h->bytes != size || sizeof *h + h->cluster_count * (uint64_t)sizeof(cdi_cluster) != h->bytes)
        return CD_CORRUPT;
    out->block = bytes;
    out->bytes = size;
    return CD_OK;
}

/* ---- one point ---- */

/* False when the block is not of this tree. */
static bool cdi_winding_open(cdi_winding *out, const cd_bvh_winding *w) {
    const cdi_winding_header *h = (const cdi_winding_header *)w->block;
    const cdi_bvh_header *tree = out->tree.header;
    if (!h || h->layout != tree->layout || h->node_count != tree->node_count) return false;
    if (h->item_count != tree->item_count || h->tree_bytes != tree->bytes) return false;
    out->cluster = (const cdi_cluster *)(const void *)(h + 1);
    return h->cluster_count == cdi_cluster_count(tree);
}

/* What is known of a point: the sum of angles over 4 pi, of triangles as a turning, of clusters as a number that is off by
 * at most `error`. */
typedef struct cdi_wound {
    cdi_v3 p, at; /* as it is, in the frame */
    cdi_turning turning;
    double clusters, error;
} cdi_wound;

/* Takes a cluster for what it looks like from afar, if that is off by at most `most`. */
static bool cdi_wound_cluster(cdi_wound *s, const cdi_cluster *c, double most) {
    double x = (double)c->center[0] - s->at.x, y = (double)c->center[1] - s->at.y,
           z = (double)c->center[2] - s->at.z;
    double square = x * x + y * y + z * z, d = cdi_sqrt(square), r = (double)c->radius, gap = d - r, error,
           dipole, form;
    if (!(gap >= CDI_WINDING_NEAREST && square < 1e100)) return square >= 1e100;
    error = (double)c->moment * (3.0 * d - 2.0 * r) / (d * gap * gap) + CDI_WINDING_ROUND * (double)c->area;
    error /= CDI_WINDING_TURN * square;
    if (!(error <= most)) return false;
    dipole = (double)c->normal[0] * x + (double)c->normal[1] * y + (double)c->normal[2] * z;
    form = (double)c->xx * (x * x - z * z) + (double)c->yy * (y * y - z * z);
    form += 2.0 * ((double)c->xy * (x * y) + (double)c->xz * (x * z) + (double)c->yz * (y * z));
    s->clusters += (dipole - 3.0 * form / square) / (CDI_WINDING_TURN * square * d);
    s->error += error;
    return true;
}

static void cdi_wound_items(cdi_wound *s, const cdi_bvh *t, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; ++i) {
        cdi_tri tri = cdi_bvh_tri(t, i);
        CDI_COUNT(triangle);
        cdi_turning_triangle(&s->turning, s->p, &tri);
    }
}

/* Sums up the lanes of a node; those that are nodes to be looked at go on the stack. */
static uint32_t cdi_wound_node(cdi_wound *s, const cdi_winding *w, uint32_t number, double most,
                               uint32_t *stack, uint32_t top) {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node = cdi_bvh_at(&w->tree, number, &scratch);
    CDI_COUNT(node);
    for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
        if (cdi_wound_cluster(s, &w->cluster[cdi_cluster_of(&w->tree, number, i)], most)) continue;
        if (node->count[i]) {
            cdi_wound_items(s, &w->tree, node->child[i], node->count[i]);
        } else {
            stack[top++] = node->child[i];
        }
    }
    return top;
}

/* The number with each cluster off by at most `most`; below 0 none is taken. */
static double cdi_wound_number(cdi_wound *s, const cdi_winding *w, double most) {
    uint32_t stack[CDI_BVH_STACK], top = 0;
    s->turning = cdi_turning_begin();
    s->clusters = s->error = 0.0;
    if (!cdi_wound_cluster(s, &w->cluster[0], most)) stack[top++] = 0;
    while (top > 0) {
        --top;
        top = cdi_wound_node(s, w, stack[top], most, stack, top);
    }
    return s->clusters + cdi_turning_number(&s->turning);
}

CDI_FN double cdi_winding_within(const cd_bvh_winding *w, const cd_bvh *tree, cdi_v3 p, double most,
                                 double *error) {
    cdi_winding t;
    cdi_wound s;
    double number;
    *error = 0.0;
    if (!cdi_v3_finite(p)) return cdi_nan();
    if (!cdi_bvh_open(&t.tree, tree)) return 0.0;
    if (!cdi_winding_open(&t, w)) return cdi_nan();
    s.p = p;
    s.at = cdi_frame_place(&t.tree.header->frame, p);
    number = cdi_wound_number(&s, &t, most);
    *error = s.error;
    return number;
}

CDI_FN double cdi_winding_search(const cd_bvh_winding *w, const cd_bvh *tree, cdi_v3 p, double most,
                                 double accuracy, double threshold) {
    for (;;) {
        double error, number = cdi_winding_within(w, tree, p, most, &error);
        if (most < 0.0 || error <= accuracy || cdi_abs(number - threshold) > error) return number;
        most = most < 1e-7 ? -1.0 : most / 16.0;
    }
}

/* ---- the calls ---- */

CD_API cd_real cd_bvh_winding_number(const cd_bvh_winding *w, const cd_bvh *tree, cd_vec3 p,
                                     cd_real accuracy) {
    double most = accuracy > 0 ? cdi_min((double)accuracy, 0.5) / 32.0 : -1.0;
    return (cd_real)cdi_winding_search(w, tree, cdi_v3_of(p), most, (double)accuracy, cdi_nan());
}

CD_API bool cd_bvh_test_point_inside(const cd_bvh_winding *w, const cd_bvh *tree, cd_vec3 p,
                                     cd_real threshold) {
    if (threshold != threshold) return false;
    return (cd_real)cdi_winding_search(w, tree, cdi_v3_of(p), CDI_WINDING_FIRST, 0.0, (double)threshold) >=
           threshold;
}

/* On the surface the number is only asked for whether there is one. */
CD_API bool cd_bvh_signed_distance(const cd_bvh_winding *w, const cd_bvh *tree, cd_vec3 p,
                                   cd_real max_distance, cd_closest *out, cd_real *distance) {
    cd_closest nearest;
    double sqdist, number;
    bool found = cdi_bvh_near(tree, p, 1, max_distance, NULL, &nearest, &sqdist) > 0;
    *distance = found ? (cd_real)cdi_sqrt(sqdist) : max_distance;
    number =
        cdi_winding_search(w, tree, cdi_v3_of(p), CDI_WINDING_FIRST, *distance > 0 ? 0.0 : CDI_HUGE, 0.5);
    if (number != number || !(max_distance >= 0)) {
        *distance = (cd_real)cdi_nan();
        return false;
    }
    if (*distance > 0 && (cd_real)number >= (cd_real)0.5) *distance = -*distance;
    if (found && out) *out = nearest;
    return found;
}

CD_API size_t cd_bvh_signed_distances(const cd_bvh_winding *w, const cd_bvh *tree, const cd_vec3 *points,
                                      size_t count, cd_real max_distance, cd_closest *out,
                                      cd_real *distances) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        cd_closest *one = out ? &out[i] : NULL;
        if (one) {
            cdi_clear(one, sizeof *one);
            one->index_b = CD_NONE;
        }
        found += cd_bvh_signed_distance(w, tree, points[i], max_distance, one, &distances[i]) ? 1u : 0u;
    }
    return found;
}

#undef CDI_WINDING_MAGIC
#undef CDI_WINDING_VERSION
#undef CDI_WINDING_NEAREST
#undef CDI_WINDING_ROUND
#undef CDI_WINDING_TURN
