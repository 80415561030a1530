#include "hull/facets.h"
#include "hull/hull_build.h"

/* ---- which points matter ---- */

/* A box inside the hull: no point in it matters.
 *
 * Of each octant of directions one point is known, far along its diagonal. A box whose corners are all dominated by their
 * octant's point, coordinate by coordinate, has a smaller support than these points in every direction. */
typedef struct cdi_inner_box {
    double lo[3], hi[3];
} cdi_inner_box;

/* The farthest points along the four diagonals, both ways. */
typedef struct cdi_diagonals {
    double least[4], most[4];
    uint32_t first[4], last[4];
} cdi_diagonals;

static void cdi_diagonals_take(cdi_diagonals *d, cd_vec3 p, uint32_t i) {
    double x = (double)p.x, y = (double)p.y, z = (double)p.z, along[4];
    along[0] = x + y + z;
    along[1] = x + y - z;
    along[2] = x - y + z;
    along[3] = x - y - z;
    for (int k = 0; k < 4; ++k) {
        if (along[k] < d->least[k]) {
            d->least[k] = along[k];
            d->first[k] = i;
        }
        if (along[k] > d->most[k]) {
            d->most[k] = along[k];
            d->last[k] = i;
        }
    }
}

static void cdi_inner_box_shrink(cdi_inner_box *box, cd_vec3 p, int signs) {
    double c[3];
    cdi_v3_store(c, cdi_v3_of(p));
    for (int k = 0; k < 3; ++k) {
        if (signs >> k & 1) {
            box->hi[k] = cdi_min(box->hi[k], c[k]);
        } else {
            box->lo[k] = cdi_max(box->lo[k], c[k]);
        }
    }
}

static cdi_inner_box cdi_inner_box_of(const cd_vec3 *points, const cdi_diagonals *d) {
    static const int octant[4] = {7, 3, 5, 1}; /* bit k: the diagonal rises along axis k */
    cdi_inner_box box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = -CDI_HUGE;
        box.hi[k] = CDI_HUGE;
    }
    for (int k = 0; k < 4; ++k) {
        cdi_inner_box_shrink(&box, points[d->last[k]], octant[k]);
        cdi_inner_box_shrink(&box, points[d->first[k]], 7 - octant[k]);
    }
    return box;
}

static bool cdi_inner_box_has(const cdi_inner_box *box, cd_vec3 p) {
    double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    return (box->lo[0] < x) & (x < box->hi[0]) & (box->lo[1] < y) & (y < box->hi[1]) & (box->lo[2] < z) &
           (z < box->hi[2]);
}

/* The numbers of the points that may be corners; false when one is not finite and none may be left out. */
static bool cdi_choose_points(const cd_vec3 *points, uint32_t count, bool skip, uint32_t *chosen,
                              uint32_t *chosen_count) {
    cdi_diagonals d;
    cdi_inner_box box;
    uint32_t n = 0;
    for (int k = 0; k < 4; ++k) {
        d.least[k] = cdi_infinity();
        d.most[k] = -d.least[k];
        d.first[k] = d.last[k] = 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (cd_vec3_is_valid(points[i])) {
            cdi_diagonals_take(&d, points[i], i);
        } else if (!skip) {
            return false;
        }
    }
    if (count > 0) box = cdi_inner_box_of(points, &d);
    for (uint32_t i = 0; i < count; ++i) {
        chosen[n] = i;
        n += !cdi_inner_box_has(&box, points[i]) && (!skip || cd_vec3_is_valid(points[i]));
    }
    *chosen_count = n;
    return true;
}

/* ---- building ---- */

static cd_status cdi_hull_of_cloud(cd_hull *out, cdi_cloud *cloud, const cd_hull_options *o) {
    cdi_qh q;
    cd_status status = cdi_qh_build(&q, cloud, &o->allocator, &o->executor);
    if (status == CD_OK) status = cdi_facets_write(out, &q, (double)o->merge_distance);
    cdi_qh_free(&q);
    return status;
}

static cd_status cdi_hull_of_points(cd_hull *out, const cd_vec3 *points, uint32_t count,
                                    const cd_hull_options *o) {
    cdi_cloud_input input;
    cdi_cloud cloud;
    uint32_t *chosen = (uint32_t *)cdi_alloc(&o->allocator, count, sizeof *chosen), chosen_count;
    cd_status status = CD_INVALID_ARGUMENT;
    if (!chosen) return CD_OUT_OF_MEMORY;
    cdi_clear(&input, sizeof input);
    input.points = points;
    input.count = count;
    cdi_clear(&cloud, sizeof cloud);
    if (cdi_choose_points(points, count, (o->flags & CD_HULL_SKIP_INVALID) != 0, chosen, &chosen_count))
        status = cdi_cloud_arrange(&cloud, &input, chosen, chosen_count, &o->allocator);
    cdi_free(&o->allocator, chosen, count, sizeof *chosen);
    if (status == CD_OK) status = cdi_hull_of_cloud(out, &cloud, o);
    cdi_cloud_free(&cloud, &o->allocator);
    return status;
}

static bool cdi_hull_options_fit(const cd_hull_options *o) {
    return (o->flags & ~(0u + CD_HULL_SKIP_INVALID)) == 0 && o->merge_distance >= 0 &&
           cd_is_finite(o->merge_distance);
}

CD_API cd_status cd_hull3_build(cd_hull *out, const cd_vec3 *points, size_t count,
                                const cd_hull_options *options) {
    cd_hull_options o;
    cdi_clear(out, sizeof *out);
    cdi_clear(&o, sizeof o);
    if (options) o = *options;
    if (!cdi_hull_options_fit(&o) || (!points && count > 0)) return CD_INVALID_ARGUMENT;
    if (count > CDI_HULL_MOST) return CD_TOO_LARGE;
    return count == 0 ? CD_OK : cdi_hull_of_points(out, points, (uint32_t)count, &o);
}

CD_API cd_status cd_hull3_build_mesh(cd_hull *out, const cd_mesh_view *mesh, const cd_hull_options *options) {
    cd_allocator allocator;
    cd_vec3 *points;
    cd_status status;
    cdi_clear(out, sizeof *out);
    cdi_clear(&allocator, sizeof allocator);
    if (options) allocator = options->allocator;
    if (!cd_mesh_view_is_valid(mesh)) return CD_INVALID_ARGUMENT;
    if (mesh->vertex_count == 0) return cd_hull3_build(out, NULL, 0, options);
    points = (cd_vec3 *)cdi_alloc(&allocator, mesh->vertex_count, sizeof *points);
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) points[i] = cd_mesh_position(mesh, i);
    status = cd_hull3_build(out, points, mesh->vertex_count, options);
    cdi_free(&allocator, points, mesh->vertex_count, sizeof *points);
    return status;
}
