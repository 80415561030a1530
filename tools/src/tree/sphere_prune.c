#include "tree/sphere_prune.h"

#define CDI_PRUNE_CLUSTERS 256u
#define CDI_PRUNE_WORDS    (CDI_PRUNE_CLUSTERS / 64u)
#define CDI_PRUNE_PLACES   16u /* points of the surface, each with its inner point */
#define CDI_PRUNE_SPHERES  (2u * CDI_PRUNE_PLACES)
#define CDI_PRUNE_SHRINKS  8 /* steps to an inner point */
#define CDI_PRUNE_HALVINGS 8
#define CDI_PRUNE_ROUNDS   4
#define CDI_PRUNE_STEPS    6

/* Triangles seen as one: a ball around them, and a normal. */
typedef struct cdi_prune_cluster {
    cdi_v3 middle, normal;
    double radius;
    uint32_t end; /* of its run */
} cdi_prune_cluster;

typedef struct cdi_prune {
    cdi_prune_cluster cluster[CDI_PRUNE_CLUSTERS];
    uint32_t cluster_count, sphere_count;
    cdi_v3 center[CDI_PRUNE_SPHERES];
    float need[CDI_PRUNE_SPHERES][CDI_PRUNE_CLUSTERS]; /* how large a sphere has to be to hold a cluster */
    uint64_t holds[CDI_PRUNE_SPHERES][CDI_PRUNE_WORDS];
    uint8_t part[CDI_PRUNE_CLUSTERS]; /* where each goes */
    cdi_plan_item *room;              /* for as many items as there are */
} cdi_prune;

/* ---- clusters: runs of neighbours ---- */

static void cdi_make_cluster(const cdi_plan_item *item, uint32_t first, uint32_t end,
                             cdi_prune_cluster *out) {
    cdi_v3 middle = cdi_v3_make(0.0, 0.0, 0.0), normal = middle;
    out->radius = 0.0;
    out->end = end;
    for (uint32_t i = first; i < end; ++i) {
        middle = cdi_v3_add(middle, cdi_plan_middle(&item[i]));
        normal = cdi_v3_along(normal, cdi_plan_normal(&item[i]), (double)item[i].weight);
    }
    out->middle = cdi_v3_scale(middle, 1.0 / (double)(end - first));
    out->normal = cdi_v3_unit(normal);
    for (uint32_t i = first; i < end; ++i) {
        double away = cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(cdi_plan_middle(&item[i]), out->middle)));
        out->radius = cdi_max(out->radius, away + (double)item[i].radius);
    }
}

/* Cuts every run in two, where there is a way; how many there are then. `end` has room for twice as many. */
static uint32_t cdi_halve_runs(cdi_plan_item *item, uint32_t *end, uint32_t count) {
    uint32_t halves[CDI_PRUNE_CLUSTERS], made = 0, first = 0, cut[CDI_PLAN_CHILDREN];
    for (uint32_t i = 0; i < count; ++i) {
        if (end[i] - first > 1 && cdi_plan_halve(item + first, end[i] - first, cut))
            halves[made++] = first + cut[0];
        halves[made++] = first = end[i];
    }
    for (uint32_t i = 0; i < made; ++i) end[i] = halves[i];
    return made;
}

static void cdi_make_clusters(cdi_prune *p, cdi_plan_item *item, uint32_t count) {
    uint32_t end[CDI_PRUNE_CLUSTERS], n = 1, first = 0;
    end[0] = count;
    if (count <= CDI_PRUNE_CLUSTERS) {
        for (n = 0; n < count; ++n) end[n] = n + 1;
    } else {
        while (2 * n <= CDI_PRUNE_CLUSTERS) {
            uint32_t made = cdi_halve_runs(item, end, n);
            if (made == n) break;
            n = made;
        }
    }
    p->cluster_count = n;
    for (uint32_t i = 0; i < n; ++i) {
        cdi_make_cluster(item, first, end[i], &p->cluster[i]);
        first = end[i];
    }
}

/* ---- spheres: generated ---- */

/* The cluster whose middle is nearest to a point, and how near. */
static uint32_t cdi_nearest_cluster(const cdi_prune *p, cdi_v3 c, double *sqdist) {
    uint32_t nearest = 0;
    *sqdist = CDI_HUGE;
    for (uint32_t i = 0; i < p->cluster_count; ++i) {
        double d = cdi_v3_sqlength(cdi_v3_sub(p->cluster[i].middle, c));
        if (!(d < *sqdist)) continue;
        *sqdist = d;
        nearest = i;
    }
    return nearest;
}

/* The ball behind a cluster that touches it, shrunk until it holds no other's middle (Ma, Bae and Choi 2012). Its centre. */
static cdi_v3 cdi_inner_point(const cdi_prune *p, const cdi_prune_cluster *at, double radius) {
    cdi_v3 c = cdi_v3_along(at->middle, at->normal, -radius);
    for (int i = 0; i < CDI_PRUNE_SHRINKS; ++i) {
        double sqdist, height;
        cdi_v3 way = cdi_v3_sub(at->middle, p->cluster[cdi_nearest_cluster(p, c, &sqdist)].middle);
        height = cdi_v3_dot(way, at->normal);
        if (!(sqdist < radius * radius * 0.999) || !(height > 1e-9)) break;
        radius = cdi_v3_sqlength(way) / (2.0 * height);
        c = cdi_v3_along(at->middle, at->normal, -radius);
    }
    return c;
}

/* How large a sphere about a point has to be to hold a cluster. */
static double cdi_cluster_need(const cdi_prune_cluster *c, cdi_v3 center) {
    return cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(c->middle, center))) + c->radius;
}

static void cdi_add_sphere(cdi_prune *p, cdi_v3 center) {
    uint32_t n = p->sphere_count++;
    p->center[n] = center;
    for (uint32_t i = 0; i < p->cluster_count; ++i)
        p->need[n][i] = (float)cdi_cluster_need(&p->cluster[i], center);
}

/* No inner point lies deeper than half of what a sphere about the first cluster needs to hold all. */
static void cdi_generate_spheres(cdi_prune *p) {
    uint32_t places = p->cluster_count < CDI_PRUNE_PLACES ? p->cluster_count : CDI_PRUNE_PLACES;
    double reach = 0.0;
    for (uint32_t i = 0; i < p->cluster_count; ++i)
        reach = cdi_max(reach, cdi_v3_sqlength(cdi_v3_sub(p->cluster[i].middle, p->cluster[0].middle)));
    reach = 0.5 * cdi_sqrt(reach);
    p->sphere_count = 0;
    for (uint32_t i = 0; i < places; ++i) {
        const cdi_prune_cluster *at = &p->cluster[(2 * i + 1) * p->cluster_count / (2 * places)];
        cdi_add_sphere(p, at->middle);
        cdi_add_sphere(p, cdi_inner_point(p, at, reach));
    }
}

/* ---- pruned ---- */

static uint32_t cdi_count_bits(uint64_t v) {
    v -= v >> 1 & 0x5555555555555555u;
    v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)(v * 0x0101010101010101u >> 56);
}

/* What each sphere holds when it is so large. */
static void cdi_expand_spheres(cdi_prune *p, float radius) {
    for (uint32_t s = 0; s < p->sphere_count; ++s) {
        for (uint32_t w = 0; w < CDI_PRUNE_WORDS; ++w) p->holds[s][w] = 0;
        for (uint32_t i = 0; i < p->cluster_count; ++i)
            p->holds[s][i / 64] |= (uint64_t)(p->need[s][i] <= radius) << (i % 64);
    }
}

/* The sphere that holds most of what is left; takes that away. */
static uint32_t cdi_select_sphere(const cdi_prune *p, uint64_t left[CDI_PRUNE_WORDS]) {
    uint32_t best = 0, most = 0;
    for (uint32_t s = 0; s < p->sphere_count; ++s) {
        uint32_t held = 0;
        for (uint32_t w = 0; w < CDI_PRUNE_WORDS; ++w) held += cdi_count_bits(p->holds[s][w] & left[w]);
        if (held <= most) continue;
        most = held;
        best = s;
    }
    for (uint32_t w = 0; w < CDI_PRUNE_WORDS; ++w) left[w] &= ~p->holds[best][w];
    return best;
}

/* The spheres chosen, at most eight; 0 when these do not hold all. */
static uint32_t cdi_select_spheres(const cdi_prune *p, uint32_t chosen[CDI_PLAN_CHILDREN]) {
    uint64_t left[CDI_PRUNE_WORDS], any;
    for (uint32_t w = 0; w < CDI_PRUNE_WORDS; ++w) left[w] = 0;
    for (uint32_t i = 0; i < p->cluster_count; ++i) left[i / 64] |= (uint64_t)1 << (i % 64);
    for (uint32_t n = 0; n < CDI_PLAN_CHILDREN; ++n) {
        chosen[n] = cdi_select_sphere(p, left);
        any = 0;
        for (uint32_t w = 0; w < CDI_PRUNE_WORDS; ++w) any |= left[w];
        if (any == 0) return n + 1;
    }
    return 0;
}

/* Below the first radius no choice holds all, at the second one sphere does. */
static void cdi_bracket_radius(const cdi_prune *p, float *lo, float *hi) {
    *lo = 0.0f;
    *hi = 1e30f;
    for (uint32_t s = 0; s < p->sphere_count; ++s) {
        float most = 0.0f;
        for (uint32_t i = 0; i < p->cluster_count; ++i) most = p->need[s][i] > most ? p->need[s][i] : most;
        *hi = most < *hi ? most : *hi;
    }
}

static uint32_t cdi_prune_spheres(cdi_prune *p, uint32_t chosen[CDI_PLAN_CHILDREN]) {
    float lo, hi;
    cdi_bracket_radius(p, &lo, &hi);
    for (int i = 0; i < CDI_PRUNE_HALVINGS; ++i) {
        float middle = 0.5f * (lo + hi);
        cdi_expand_spheres(p, middle);
        if (cdi_select_spheres(p, chosen)) {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    cdi_expand_spheres(p, hi);
    return cdi_select_spheres(p, chosen);
}

/* ---- parts ---- */

static void cdi_assign_clusters(cdi_prune *p, const cdi_v3 *center, uint32_t count) {
    for (uint32_t i = 0; i < p->cluster_count; ++i) {
        double least = CDI_HUGE;
        for (uint32_t n = 0; n < count; ++n) {
            double need = cdi_cluster_need(&p->cluster[i], center[n]);
            if (!(need < least)) continue;
            least = need;
            p->part[i] = (uint8_t)n;
        }
    }
}

/* The centre of about the smallest sphere around a part: steps toward the farthest cluster, shorter and shorter (Badoiu and
 * Clarkson 2003). Where the part is empty, as it was. */
static cdi_v3 cdi_part_center(const cdi_prune *p, uint32_t part, cdi_v3 center) {
    for (int step = 1; step <= CDI_PRUNE_STEPS; ++step) {
        const cdi_prune_cluster *farthest = NULL;
        double most = 0.0;
        for (uint32_t i = 0; i < p->cluster_count; ++i) {
            double need = p->part[i] == part ? cdi_cluster_need(&p->cluster[i], center) : 0.0;
            if (!(need > most)) continue;
            most = need;
            farthest = &p->cluster[i];
        }
        if (!farthest) break;
        center = cdi_v3_along(center, cdi_v3_sub(farthest->middle, center), 1.0 / (double)(step + 1));
    }
    return center;
}

/* The parts of the chosen spheres, which then move to where each part has its own smallest one. */
static void cdi_settle_parts(cdi_prune *p, const uint32_t *chosen, uint32_t count) {
    cdi_v3 center[CDI_PLAN_CHILDREN];
    for (uint32_t n = 0; n < count; ++n) center[n] = p->center[chosen[n]];
    cdi_assign_clusters(p, center, count);
    for (int round = 0; round < CDI_PRUNE_ROUNDS; ++round) {
        for (uint32_t n = 0; n < count; ++n) center[n] = cdi_part_center(p, n, center[n]);
        cdi_assign_clusters(p, center, count);
    }
}

/* The items part by part, in each as they stood. */
static uint32_t cdi_deal_items(const cdi_prune *p, cdi_plan_item *item, uint32_t count,
                               uint32_t end[CDI_PLAN_CHILDREN]) {
    uint32_t parts = 0, placed = 0;
    for (uint32_t part = 0; part < CDI_PLAN_CHILDREN; ++part) {
        uint32_t before = placed, first = 0;
        for (uint32_t c = 0; c < p->cluster_count; ++c) {
            uint32_t run = p->cluster[c].end - first;
            if (p->part[c] == part) {
                cdi_copy(p->room + placed, item + first, run * sizeof *item);
                placed += run;
            }
            first = p->cluster[c].end;
        }
        if (placed > before) end[parts++] = placed;
    }
    cdi_copy(item, p->room, count * sizeof *item);
    return parts;
}

static uint32_t cdi_cut_pruned(void *ctx, cdi_plan_item *item, uint32_t count,
                               uint32_t end[CDI_PLAN_CHILDREN]) {
    cdi_prune *p = (cdi_prune *)ctx;
    uint32_t chosen[CDI_PLAN_CHILDREN], n;
    if (count <= CDI_PLAN_CHILDREN) return 0; /* each for itself */
    cdi_make_clusters(p, item, count);
    cdi_generate_spheres(p);
    n = cdi_prune_spheres(p, chosen);
    if (n < 2) return 0;
    cdi_settle_parts(p, chosen, n);
    return cdi_deal_items(p, item, count, end);
}

CDI_FN cd_status cdi_plan_prune(cdi_plan *p) {
    const cd_allocator *a = &p->b->allocator;
    cdi_prune *work = (cdi_prune *)cdi_alloc(a, 1, sizeof *work);
    cd_status status = CD_OUT_OF_MEMORY;
    if (work) work->room = (cdi_plan_item *)cdi_alloc(a, p->b->count, sizeof *work->room);
    if (work && work->room) status = cdi_plan_cut(p, cdi_cut_pruned, work);
    if (work) cdi_free(a, work->room, p->b->count, sizeof *work->room);
    cdi_free(a, work, 1, sizeof *work);
    return status;
}

#undef CDI_PRUNE_CLUSTERS
#undef CDI_PRUNE_WORDS
#undef CDI_PRUNE_PLACES
#undef CDI_PRUNE_SPHERES
#undef CDI_PRUNE_SHRINKS
#undef CDI_PRUNE_HALVINGS
#undef CDI_PRUNE_ROUNDS
#undef CDI_PRUNE_STEPS
