#include "hull/merge.h"
#include "hull/hull_gap.h"

#define CDI_MERGE_REACH 2.0  /* of the distance: so far the planes may bound more than the hull */
#define CDI_MERGE_LESS  0.25 /* of a distance that is too large: what is tried next */
#define CDI_MERGE_TRIES 12

/* Planes n . x <= e about a point inside, each as the point n / e: the planes of the hull of these are the corners of what the first ones bound,
 * and all is bounded where the origin is inside. */
typedef struct cdi_bounding {
    const cd_allocator *allocator;
    cdi_v3 center;
    double scale; /* a power of 2 */
    cdi_v3 *dual;
    uint32_t count;
    cdi_cloud cloud;
    cdi_qh q;
} cdi_bounding;

/* CD_UNSUPPORTED where the point is not inside, as far as doubles tell. */
static cd_status cdi_bounding_open(cdi_bounding *b, const cd_hull_parts *p) {
    cdi_cloud_input input;
    cd_status status;
    b->dual = (cdi_v3 *)cdi_alloc(b->allocator, p->face_count, sizeof *b->dual);
    if (!b->dual) return CD_OUT_OF_MEMORY;
    b->count = p->face_count;
    for (uint32_t i = 0; i < b->count; ++i) {
        cdi_v3 n = cdi_v3_of(p->faces[i].plane.n);
        double e = ((double)p->faces[i].plane.d - cdi_v3_dot(n, b->center)) * b->scale;
        if (!(e > 1e-12)) return CD_UNSUPPORTED;
        n = cdi_v3_scale(n, 1.0 / e);
        b->dual[i] = n;
    }
    cdi_clear(&input, sizeof input);
    input.high = b->dual;
    input.count = b->count;
    status = cdi_cloud_arrange(&b->cloud, &input, NULL, b->count, b->allocator);
    if (status == CD_OK) status = cdi_qh_build(&b->q, &b->cloud, b->allocator, NULL);
    return status == CD_OK && b->q.dimension < 3 ? CD_UNSUPPORTED : status;
}

static void cdi_bounding_close(cdi_bounding *b) {
    cdi_free(b->allocator, b->dual, b->count, sizeof *b->dual);
    b->q.allocator = b->allocator;
    cdi_qh_free(&b->q);
    cdi_cloud_free(&b->cloud, b->allocator);
}

/* Where the corner of a triangle of the dual is; false where planes do not meet. */
static bool cdi_bounding_corner(const cdi_bounding *b, const cdi_qh_face *f, cdi_v3 *at) {
    double e = f->d + cdi_v3_dot(f->n, b->cloud.middle);
    if (!(e > 1e-12 * cdi_v3_length(f->n))) return false;
    *at = cdi_v3_along(b->center, f->n, 1.0 / (e * b->scale));
    return cdi_v3_finite(*at) && cdi_v3_max_abs(*at) <= (double)CD_REAL_MAX;
}

/* Is no corner farther from the exact hull? */
static bool cdi_bounding_is_near(const cdi_bounding *b, const cd_hull *exact, double most) {
    cdi_hull_gap g = cdi_gap_begin(exact, exact);
    cdi_v3 at;
    for (uint32_t t = 0; t < b->q.face_count; ++t) {
        if (b->q.face[t].vertex[0] == CD_NONE) continue;
        if (!cdi_bounding_corner(b, &b->q.face[t], &at) || !cdi_gap_is_within(&g, at, most)) return false;
    }
    return true;
}

/* CD_UNSUPPORTED where the planes of the merged faces do not bound the hull so well. */
static cd_status cdi_merge_judge(const cd_hull *merged, const cd_hull *exact, const cd_allocator *allocator,
                                 double most) {
    cd_hull_parts p = cd_hull_get_parts(merged), q = cd_hull_get_parts(exact);
    cd_aabb box = cd_hull_bounds(exact);
    double size = cdi_v3_max_abs(
        cdi_v3_sub(cdi_v3_scale(cdi_v3_of(box.max), 0.5), cdi_v3_scale(cdi_v3_of(box.min), 0.5)));
    cdi_bounding b;
    cd_status status;
    cdi_clear(&b, sizeof b);
    b.allocator = allocator;
    b.center = cdi_hull_mean(&q);
    b.scale = cdi_scale2(1.0, -cdi_exponent(size));
    status = cdi_bounding_open(&b, &p);
    if (status == CD_OK && !cdi_bounding_is_near(&b, exact, most)) status = CD_UNSUPPORTED;
    cdi_bounding_close(&b);
    return status;
}

/* Less and less, until it is right. */
static cd_status cdi_merge_less(cd_hull *out, cdi_qh *q, const cd_hull *exact, double distance) {
    double most = CDI_MERGE_REACH * distance;
    for (int i = 0; i < CDI_MERGE_TRIES; ++i) {
        cd_status status = cdi_facets_write(out, q, distance);
        if (status != CD_OK || !(cd_hull_get_parts(out).flatness > 0)) return status;
        status = cdi_merge_judge(out, exact, q->allocator, most);
        if (status == CD_OK) return status;
        cd_hull_destroy(out);
        if (status != CD_UNSUPPORTED) return status;
        distance *= CDI_MERGE_LESS;
    }
    return cdi_facets_write(out, q, 0.0);
}

CDI_FN cd_status cdi_hull_merged(cd_hull *out, cdi_qh *q, double distance) {
    cd_hull exact;
    cd_status status;
    if (q->dimension < 3 || !(distance > 0.0)) return cdi_facets_write(out, q, distance);
    status = cdi_facets_write(&exact, q, 0.0);
    if (status == CD_OK) status = cdi_merge_less(out, q, &exact, distance);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    cd_hull_destroy(&exact);
    return status;
}

#undef CDI_MERGE_REACH
#undef CDI_MERGE_LESS
#undef CDI_MERGE_TRIES
