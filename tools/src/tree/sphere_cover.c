#include "tree/sphere_cover.h"

/* ---- pieces ---- */

typedef struct cdi_cover_part {
    cdi_v3 v[3];
    int depth;
} cdi_cover_part;

CDI_FN int cdi_longest_edge(const cdi_v3 v[3], double *length) {
    int longest = 0;
    *length = -1.0;
    for (int i = 0; i < 3; ++i) {
        double l = cdi_v3_norm(cdi_v3_sub(v[(i + 1) % 3], v[i]));
        if (!(l > *length)) continue;
        *length = l;
        longest = i;
    }
    return longest;
}

static void cdi_halve_piece(const cdi_cover_part *from, int edge, cdi_cover_part halves[2]) {
    cdi_v3 a = from->v[edge], b = from->v[(edge + 1) % 3];
    cdi_v3 middle = cdi_v3_add(cdi_v3_scale(a, 0.5), cdi_v3_scale(b, 0.5));
    for (int i = 0; i < 2; ++i) {
        halves[i] = *from;
        halves[i].v[(edge + 1 - i) % 3] = middle;
        halves[i].depth = from->depth + 1;
    }
}

/* A triangle with a longest edge l is in a sphere of radius l / sqrt(3) (Jung). */
CDI_FN bool cdi_cover_pieces(const cdi_v3 corner[3], double radius, int levels, cdi_piece_fn tell,
                             void *ctx) {
    cdi_cover_part stack[CDI_COVER_LEVELS + 1], at;
    int waiting = 1;
    for (int i = 0; i < 3; ++i) stack[0].v[i] = corner[i];
    stack[0].depth = 0;
    while (waiting > 0) {
        double length;
        int edge;
        at = stack[--waiting];
        edge = cdi_longest_edge(at.v, &length);
        if (length > radius * 1.7320508075688772 && at.depth < levels) {
            cdi_halve_piece(&at, edge, stack + waiting);
            waiting += 2;
        } else if (!tell(ctx, at.v)) {
            return false;
        }
    }
    return true;
}

/* ---- the tree over the cover ---- */

static bool cdi_count_piece(void *ctx, const cdi_v3 corner[3]) {
    (void)corner;
    ++*(uint32_t *)ctx;
    return true;
}

/* The triangles' weights are now how many spheres cover each, 64 at most. */
static void cdi_weigh_by_cover(cdi_plan *p, double radius) {
    for (uint32_t i = 0; i < p->b->count; ++i) {
        cd_triangle t = cdi_source_triangle(&p->b->source, p->item[i].index);
        cdi_v3 corner[3];
        uint32_t pieces = 0;
        corner[0] = cdi_plan_point(&p->frame, t.a);
        corner[1] = cdi_plan_point(&p->frame, t.b);
        corner[2] = cdi_plan_point(&p->frame, t.c);
        cdi_cover_pieces(corner, radius, 6, cdi_count_piece, &pieces);
        p->item[i].weight = (float)pieces;
    }
}

static uint32_t cdi_cut_cover(void *ctx, cdi_plan_item *item, uint32_t count,
                              uint32_t end[CDI_PLAN_CHILDREN]) {
    (void)ctx;
    return cdi_plan_halve(item, count, end) ? 2 : 0;
}

CDI_FN cd_status cdi_plan_cover(cdi_plan *p, double radius) {
    double area = 0.0;
    for (uint32_t i = 0; i < p->b->count; ++i) area += (double)p->item[i].weight;
    if (!(radius > 0.0)) radius = 0.5 * cdi_sqrt(area / (double)p->b->count);
    cdi_weigh_by_cover(p, radius);
    return cdi_plan_cut(p, cdi_cut_cover, NULL);
}
