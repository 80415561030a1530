#include "any/solid.h"
#include "any/bulk.h"
#include "query/flat3d.h"
#include "tree/bvh_apart.h"
#include "tree/bvh_closest.h"
#include "tree/bvh_distance.h"

CD_API cd_solid cd_solid_of(const cd_bvh *tree, const cd_bvh_winding *winding) {
    cd_solid s;
    s.tree = tree;
    s.winding = winding;
    return s;
}

CD_API bool cd_solid_is_valid(const cd_solid *s) {
    cdi_bvh t;
    double error, number;
    if (!s->tree) return false;
    if (!cdi_bvh_open(&t, s->tree)) return true;
    if (!cdi_bvh_is_triangles(&t)) return false;
    if (!s->winding || t.item == CDI_ITEM_HEIGHTS) return true;
    number = cdi_winding_within(s->winding, s->tree, cdi_v3_make(1e60, 0.0, 0.0), CDI_HUGE, &error);
    return number == number; /* it is not where the block is of another tree */
}

/* ---- points ---- */

CD_API bool cd_solid_test_point(const cd_solid *s, cd_vec3 p) {
    cdi_bulks x;
    if (cdi_bulks_open(&x, s, s, NULL) != CD_OK) return false;
    return cdi_bulk_inside(&x.a, cdi_v3_of(p), 0.0);
}

CD_API bool cd_solid_signed_distance(const cd_solid *s, cd_vec3 p, cd_real max_distance, cd_closest *out,
                                     cd_real *distance) {
    cdi_bulks x;
    cd_closest nearest;
    bool found;
    *distance = (cd_real)cdi_nan();
    if (!(max_distance >= 0) || !cd_vec3_is_valid(p) || cdi_bulks_open(&x, s, s, NULL) != CD_OK) return false;
    found = cd_bvh_closest(s->tree, p, max_distance, NULL, &nearest);
    *distance = found ? cdi_real_or_infinity(cdi_v3_norm(cdi_v3_sub(cdi_v3_of(nearest.b), cdi_v3_of(p))))
                      : max_distance;
    if (found && out) *out = nearest;
    if (*distance > 0 && cdi_bulk_inside(&x.a, cdi_v3_of(p), 0.0)) *distance = -*distance;
    return found;
}

/* ---- two bodies ---- */

static const cd_bvh_pair_options *cdi_solid_pairs(const cd_solid_options *o) {
    return o ? &o->pairs : NULL;
}

static cd_pair cdi_no_pair(void) {
    cd_pair p;
    p.a = p.b = CD_NONE;
    return p;
}

CD_API bool cd_solid_test(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                          const cd_solid_options *options, cd_pair *pair) {
    cdi_bulks s;
    if (cdi_bulks_open(&s, a, b, b_in_a) != CD_OK) return false;
    if (cd_bvh_test_bvh(a->tree, b->tree, b_in_a, cdi_solid_pairs(options), pair)) return true;
    if (!cdi_bulk_holds(&s.a, &s.b, &s.b_in_a, s.margin) && !cdi_bulk_holds(&s.b, &s.a, &s.a_in_b, s.margin))
        return false;
    if (pair) *pair = cdi_no_pair();
    return true;
}

/* Nothing meets, and nothing is inside. */
static void cdi_gap_apart(cd_solid_gap *out, const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                          const cd_solid_options *o) {
    cd_real most = o && o->max_distance > 0 ? o->max_distance : (cd_real)cdi_infinity();
    cd_closest nearest;
    out->distance = most;
    if (!cd_bvh_closest_bvh(a->tree, b->tree, b_in_a, most, cdi_solid_pairs(o), &nearest)) return;
    out->a = nearest.a;
    out->b = nearest.b;
    out->pair.a = nearest.index_a;
    out->pair.b = nearest.index_b;
    out->distance = cdi_nearest_real(cdi_sqrt((double)nearest.sqdist));
    if (!(out->distance > 0)) out->distance = cdi_next_real(0, true);
}

/* The deepest point, as points of A's frame. */
static void cdi_gap_deep(cd_solid_gap *out, const cdi_bulks *s, const cdi_deep *d) {
    cdi_v3 at = d->at, on = d->on;
    uint32_t item_a = d->of_b ? d->item_on : d->item_at, item_b = d->of_b ? d->item_at : d->item_on;
    out->distance = cdi_nearest_real(0.0 - d->depth);
    out->gap = cdi_real_or_infinity(cdi_max(d->most, cdi_deep_enough(d)) - d->depth);
    if (!d->found) return;
    if (!d->of_b) {
        at = cdi_pose_point(&s->b_in_a, at);
        on = cdi_pose_point(&s->b_in_a, on);
    }
    out->a = cdi_v3_round(d->of_b ? on : at);
    out->b = cdi_v3_round(d->of_b ? at : on);
    out->pair.a = cdi_bvh_index(&s->a.tree, item_a);
    out->pair.b = cdi_bvh_index(&s->b.tree, item_b);
}

static void cdi_gap_overlap(cd_solid_gap *out, const cdi_bulks *s, const cd_solid_options *o,
                            uint32_t relation) {
    cdi_deep d;
    double tolerance = o && o->tolerance > 0 ? (double)o->tolerance : s->margin;
    cdi_clear(&d, sizeof d);
    d.slack = s->margin;
    d.enough = tolerance;
    d.left = o && o->max_iterations ? o->max_iterations : 16384u;
    cdi_bulks_deepest(s, &d);
    cdi_gap_deep(out, s, &d);
    out->relation =
        relation == CD_SOLID_CROSSING && d.depth <= tolerance ? (uint32_t)CD_SOLID_TOUCHING : relation;
    if (d.most > cdi_deep_enough(&d)) out->status = CD_NOT_CONVERGED;
}

CD_API cd_solid_gap cd_solid_clearance(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                                       const cd_solid_options *options) {
    cd_solid_gap out;
    cdi_bulks s;
    cd_pair pair;
    cdi_clear(&out, sizeof out);
    out.pair = cdi_no_pair();
    out.distance = (cd_real)cdi_nan();
    out.status = cdi_bulks_open(&s, a, b, b_in_a);
    if (options && !(options->tolerance >= 0)) out.status = CD_INVALID_ARGUMENT;
    if (out.status != CD_OK) return out;
    if (cd_bvh_test_bvh(a->tree, b->tree, b_in_a, cdi_solid_pairs(options), &pair)) {
        out.pair = pair;
        cdi_gap_overlap(&out, &s, options, CD_SOLID_CROSSING);
    } else if (cdi_bulk_holds(&s.a, &s.b, &s.b_in_a, s.margin)) {
        cdi_gap_overlap(&out, &s, options, CD_SOLID_B_IN_A);
    } else if (cdi_bulk_holds(&s.b, &s.a, &s.a_in_b, s.margin)) {
        cdi_gap_overlap(&out, &s, options, CD_SOLID_A_IN_B);
    } else {
        cdi_gap_apart(&out, a, b, b_in_a, options);
    }
    return out;
}
