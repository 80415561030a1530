#include "core/tolerance.h"
#include "hull/hull_build.h"
#include "hull/merge.h"

/* ---- which points matter ---- */

/* A box inside the hull: of the points in it only the eight that make it matter.
 *
 * Of each octant of directions one point is known, far along its diagonal. A box whose corners are all dominated by their
 * octant's point, coordinate by coordinate, has a smaller support than these points in every direction. */
typedef struct cdi_inner_box {
    cd_real lo[3], hi[3];
} cdi_inner_box;

/* The farthest points along the four diagonals, both ways; of equally far ones the first by place. */
typedef struct cdi_diagonals {
    double least[4], most[4];
    uint32_t first[4], last[4];
} cdi_diagonals;

static cdi_diagonals cdi_diagonals_none(void) {
    cdi_diagonals d;
    for (int k = 0; k < 4; ++k) {
        d.least[k] = cdi_infinity();
        d.most[k] = -d.least[k];
        d.first[k] = d.last[k] = 0;
    }
    return d;
}

static bool cdi_place_before(cd_vec3 a, cd_vec3 b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static void cdi_diagonal_take(cdi_diagonals *d, const cd_vec3 *points, uint32_t i, int k, double along) {
    if (along < d->least[k] || (along == d->least[k] && cdi_place_before(points[i], points[d->first[k]]))) {
        d->least[k] = along;
        d->first[k] = i;
    }
    if (along > d->most[k] || (along == d->most[k] && cdi_place_before(points[i], points[d->last[k]]))) {
        d->most[k] = along;
        d->last[k] = i;
    }
}

/* Records are rare: one branch asks for all. A sum that is NaN sets none. */
static void cdi_diagonals_take(cdi_diagonals *d, const cd_vec3 *points, uint32_t i) {
    double x = (double)points[i].x, y = (double)points[i].y, z = (double)points[i].z, along[4];
    int record = 0;
    along[0] = x + y + z;
    along[1] = x + y - z;
    along[2] = x - y + z;
    along[3] = x - y - z;
    for (int k = 0; k < 4; ++k) record |= (along[k] <= d->least[k]) | (along[k] >= d->most[k]);
    if (!record || !cd_vec3_is_valid(points[i])) return;
    for (int k = 0; k < 4; ++k) cdi_diagonal_take(d, points, i, k, along[k]);
}

static void cdi_inner_box_shrink(cdi_inner_box *box, cd_vec3 p, int signs) {
    const cd_real c[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; ++k) {
        if (signs >> k & 1) {
            box->hi[k] = c[k] < box->hi[k] ? c[k] : box->hi[k];
        } else {
            box->lo[k] = c[k] > box->lo[k] ? c[k] : box->lo[k];
        }
    }
}

/* Holds no point: where a sum is beyond the range. */
static cdi_inner_box cdi_inner_box_none(void) {
    cdi_inner_box box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = CD_REAL_MAX;
        box.hi[k] = -CD_REAL_MAX;
    }
    return box;
}

static cdi_inner_box cdi_inner_box_of(const cd_vec3 *points, const cdi_diagonals *d) {
    static const int octant[4] = {7, 3, 5, 1}; /* bit k: the diagonal rises along axis k */
    cdi_inner_box box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = -(cd_real)cdi_infinity();
        box.hi[k] = (cd_real)cdi_infinity();
    }
    for (int k = 0; k < 4; ++k) {
        if (!cdi_finite(d->least[k]) || !cdi_finite(d->most[k])) return cdi_inner_box_none();
        cdi_inner_box_shrink(&box, points[d->last[k]], octant[k]);
        cdi_inner_box_shrink(&box, points[d->first[k]], 7 - octant[k]);
    }
    return box;
}

static bool cdi_is_inside_box(const cdi_inner_box *box, cd_vec3 p) {
    return (box->lo[0] < p.x) & (p.x < box->hi[0]) & (box->lo[1] < p.y) & (p.y < box->hi[1]) &
           (box->lo[2] < p.z) & (p.z < box->hi[2]);
}

static bool cdi_is_in_box(const cdi_inner_box *box, cd_vec3 p) {
    return (box->lo[0] <= p.x) & (p.x <= box->hi[0]) & (box->lo[1] <= p.y) & (p.y <= box->hi[1]) &
           (box->lo[2] <= p.z) & (p.z <= box->hi[2]);
}

static bool cdi_same_place(cd_vec3 a, cd_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool cdi_is_on_diagonal(const cdi_diagonals *d, const cd_vec3 *points, cd_vec3 p) {
    for (int k = 0; k < 4; ++k) {
        if (cdi_same_place(p, points[d->first[k]]) || cdi_same_place(p, points[d->last[k]])) return true;
    }
    return false;
}

/* Not NaN, which infinities make as well. */
static bool cdi_all_valid(const cd_vec3 *points, uint32_t count) {
    cd_real sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += (points[i].x - points[i].x) + (points[i].y - points[i].y) + (points[i].z - points[i].z);
    return sum == 0;
}

static uint32_t cdi_leave_invalid_out(const cd_vec3 *points, uint32_t *chosen, uint32_t count) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (cd_vec3_is_valid(points[chosen[i]])) chosen[n++] = chosen[i];
    }
    return n;
}

/* The numbers of the points that may be corners; without points that are not finite. */
static uint32_t cdi_choose_points(const cd_vec3 *points, uint32_t count, bool all_valid, uint32_t *chosen) {
    cdi_diagonals d = cdi_diagonals_none();
    cdi_inner_box box;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) cdi_diagonals_take(&d, points, i);
    box = cdi_inner_box_of(points, &d);
    for (uint32_t i = 0; i < count; ++i) {
        chosen[n] = i;
        if (cdi_is_inside_box(&box, points[i])) continue;
        n += !cdi_is_in_box(&box, points[i]) || cdi_is_on_diagonal(&d, points, points[i]);
    }
    return all_valid ? n : cdi_leave_invalid_out(points, chosen, n);
}

/* ---- building ---- */

static cd_status cdi_hull_of_cloud(cd_hull *out, cdi_cloud *cloud, const cd_hull_options *o) {
    cdi_qh q;
    cd_status status = cdi_qh_build(&q, cloud, &o->allocator, &o->executor);
    if (status == CD_OK) status = cdi_hull_merged(out, &q, (double)o->merge_distance);
    if (status == CD_OK && !cdi_qh_tell_progress(&q, 1.0)) {
        cd_hull_destroy(out);
        status = CD_CANCELLED;
    }
    cdi_qh_free(&q);
    return status;
}

static cd_status cdi_hull_of_points(cd_hull *out, const cd_vec3 *points, uint32_t count,
                                    const cd_hull_options *o) {
    cdi_cloud_input input;
    cdi_cloud cloud;
    cd_status status;
    bool all_valid = cdi_all_valid(points, count);
    uint32_t *chosen, chosen_count;
    if (!all_valid && !(o->flags & CD_HULL_SKIP_INVALID)) return CD_INVALID_ARGUMENT;
    chosen = (uint32_t *)cdi_alloc(&o->allocator, count, sizeof *chosen);
    if (!chosen) return CD_OUT_OF_MEMORY;
    cdi_clear(&input, sizeof input);
    input.points = points;
    input.count = count;
    chosen_count = cdi_choose_points(points, count, all_valid, chosen);
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
    if (mesh->vertex_count > CDI_HULL_MOST) return CD_TOO_LARGE;
    if (mesh->vertex_count == 0) return cd_hull3_build(out, NULL, 0, options);
    points = (cd_vec3 *)cdi_alloc(&allocator, mesh->vertex_count, sizeof *points);
    if (!points) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        cd_vec3 p = cd_mesh_position(mesh, i); /* straight into the array tcc gets wrong */
        points[i] = p;
    }
    status = cd_hull3_build(out, points, mesh->vertex_count, options);
    cdi_free(&allocator, points, mesh->vertex_count, sizeof *points);
    return status;
}
