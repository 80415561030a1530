#include "convex/manifold.h"
#include "convex/convex_distance.h"
#include "core/platform.h"

bool cd_collide_convex(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                       const cd_collide_options *options, cd_cache *cache, cd_manifold *out) { /* stub: one point */
    cd_separation s = cd_convex_distance(a, b, b_in_a, NULL, cache);
    if (s.status == CD_INVALID_ARGUMENT || !(s.distance <= (options ? options->margin : 0))) return false;
    if (!out) return true;
    memset(out, 0, sizeof *out);
    out->normal = s.normal;
    out->count = 1;
    out->points[0].a = s.a;
    out->points[0].b = s.b;
    out->points[0].distance = s.distance;
    out->points[0].feature_a = s.feature_a;
    out->points[0].feature_b = s.feature_b;
    out->part_a.child = out->part_b.child = CD_NONE;
    return true;
}
