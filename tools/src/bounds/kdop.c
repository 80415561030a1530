#include "bounds/kdop.h"
#include "core/pose.h"
#include "hull/climb.h"
#include "hull/hull_build.h"
#include "shape/kdop3d.h"
#include "shape/side3d.h"

/* ---- fits ---- */

CD_API cd_status cd_kdop_from_hull(const cd_hull *hull, const cd_kdop_set *set, cd_kdop *out) {
    cd_hull_parts parts = cd_hull_get_parts(hull);
    return cd_kdop_from_points(parts.vertices, parts.vertex_count, set, out);
}

/* In groups, so that any layout of a mesh will do. */
CD_API cd_status cd_kdop_from_mesh(const cd_mesh_view *mesh, const cd_kdop_set *set, cd_kdop *out) {
    cd_vec3 points[64];
    cd_status status = cd_kdop_from_points(NULL, 0, set, out);
    cd_kdop all = *out;
    if (!cd_mesh_view_is_valid(mesh)) return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    for (uint32_t i = 0, count; i < mesh->vertex_count && status == CD_OK; i += count) {
        for (count = 0; count < 64 && i + count < mesh->vertex_count; ++count)
            points[count] = cd_mesh_position(mesh, i + count);
        status = cd_kdop_from_points(points, count, set, out);
        all = cd_merge_kdop_kdop(&all, out);
    }
    if (status == CD_OK) *out = all;
    return status;
}

/* ---- hulls that tumble ---- */

CD_API cd_status cd_kdop_climber_make(const cd_hull *hull, const cd_kdop_set *set, cd_kdop_climber *out) {
    cd_hull_parts parts = cd_hull_get_parts(hull);
    cdi_clear(out, sizeof *out);
    if (!cd_kdop_set_is_valid(set) || parts.vertex_count == 0) return CD_INVALID_ARGUMENT;
    out->hull = hull;
    out->set = *set;
    out->climbs = cdi_hull_has_slopes(&parts);
    for (uint32_t i = 0; i < parts.vertex_count; ++i) {
        cdi_v3 v = cdi_v3_of(parts.vertices[i]);
        out->reach = cdi_max(out->reach, cdi_abs(v.x) + cdi_abs(v.y) + cdi_abs(v.z));
    }
    return CD_OK;
}

static uint32_t cdi_climb(cd_kdop_climber *c, const cd_hull_parts *parts, cdi_v3 direction, uint32_t from) {
    if (c->climbs) return cdi_farthest_from(parts, direction, from, &c->steps);
    c->steps += parts->vertex_count;
    return cdi_farthest_of_all(parts, direction);
}

CD_API cd_status cd_kdop_climb(cd_kdop_climber *climber, const cd_transform *pose, cd_kdop *out) {
    cd_hull_parts parts;
    cdi_pose motion;
    if (!climber->hull || !cd_kdop_set_is_valid(&climber->set) || !cdi_pose_is_finite(pose))
        return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    parts = cd_hull_get_parts(climber->hull);
    if (parts.vertex_count == 0) return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    motion = cdi_pose_of(pose);
    climber->steps = 0;
    *out = cd_kdop_empty(&climber->set);
    for (int i = 0; i < (int)(2 * out->count); ++i) {
        cdi_v3 n = cdi_kdop_outward(&climber->set, i), m = cdi_m3_tmul_v3(&motion.rotation, n);
        uint32_t at = cdi_climb(climber, &parts, m, climber->at[i]);
        climber->at[i] = at;
        cdi_kdop_put(out, i, n, cdi_v3_dot(m, cdi_v3_of(parts.vertices[at])),
                     cdi_kdop_margin(n, climber->reach, &motion), &motion);
    }
    return cdi_kdop_check(out);
}

/* ---- corners by duality ---- */

/* The sides as seen from a point inside: unit normals, and the distances from it. */
typedef struct cdi_dual {
    cdi_side side[2 * CD_KDOP_AXES];
    cd_vec3 point[2 * CD_KDOP_AXES]; /* of each side: its normal over its distance, in units of 1 / margin */
    cdi_fine_sides fine;
    uint32_t count;
} cdi_dual;

static void cdi_dual_make(cdi_dual *d, const cd_kdop *dop, const cd_kdop_set *set, const cd_interior3 *inner,
                          double size) {
    d->count = (uint32_t)cdi_kdop_sides(dop, set, d->side);
    cdi_fine_sides_of(d->side, (int)d->count, size, &d->fine);
    for (uint32_t i = 0; i < d->count; ++i) {
        cdi_side *s = &d->side[i];
        s->d = (s->d - cdi_v3_dot(s->n, cdi_v3_of(inner->point))) / cdi_v3_length(s->n);
        s->n = cdi_v3_normalize(s->n);
        d->point[i] = cdi_v3_round(cdi_v3_scale(s->n, (double)inner->margin / s->d));
    }
}

static int cdi_dual_plane(const cd_hull_parts *parts, const cd_hull_face *face, uint32_t i) {
    return (int)parts->sources[parts->half_edges[face->first + i].origin];
}

/* The corner that a face of the dual hull stands for, by those three of its planes that fix it best; returns their determinant. Twice
 * the digits: of a needle the planes all but have a line in common. */
static double cdi_dual_corner(const cdi_dual *d, const cd_hull_parts *parts, const cd_hull_face *face,
                              cdi_v3 *out) {
    int three[3], e = d->fine.exponent;
    double best = 0.0;
    cdi_two x[3];
    three[0] = three[1] = three[2] = cdi_dual_plane(parts, face, 0);
    for (uint32_t i = 1; i < face->count; ++i) {
        int a = cdi_dual_plane(parts, face, i);
        cdi_v3 n = cdi_v3_cross(d->side[three[0]].n, d->side[a].n);
        for (uint32_t j = i + 1; j < face->count; ++j) {
            int b = cdi_dual_plane(parts, face, j);
            double det = cdi_abs(cdi_v3_dot(n, d->side[b].n));
            if (det <= best) continue;
            best = det;
            three[1] = a;
            three[2] = b;
        }
    }
    if (cdi_fine_sides_meet(&d->fine, three, x) == 0.0) return 0.0;
    *out = cdi_v3_make(cdi_scale2(x[0].hi, e), cdi_scale2(x[1].hi, e), cdi_scale2(x[2].hi, e));
    return best;
}

/* Is a point, as seen from the one inside, in all sides but for so much? */
static bool cdi_dual_holds(const cdi_dual *d, cdi_v3 p, double error) {
    for (uint32_t i = 0; i < d->count; ++i) {
        if (!(cdi_v3_dot(d->side[i].n, p) - d->side[i].d <= error)) return false;
    }
    return true;
}

/* False where the rounding of the dual points has told a corner wrongly. Needles that it makes of planes with a line in common are
 * passed by. */
static bool cdi_dual_corners(const cdi_dual *d, const cd_hull_parts *parts, cdi_v3 inner, double error,
                             cdi_kdop_corners *out) {
    for (uint32_t i = 0; i < parts->face_count; ++i) {
        cdi_v3 p;
        double det = cdi_dual_corner(d, parts, &parts->faces[i], &p);
        bool held = det > 0.0 && cdi_dual_holds(d, cdi_v3_sub(p, inner), error);
        if (!held && det >= 1e-6) return false;
        if (held) cdi_kdop_corner(out, p);
    }
    return parts->dimension == 3;
}

static double cdi_box_size(cd_aabb b) {
    return cdi_max(cdi_v3_max_abs(cdi_v3_of(b.min)), cdi_v3_max_abs(cdi_v3_of(b.max)));
}

CD_API cd_status cd_kdop_vertices_dual(const cd_kdop *dop, const cd_kdop_set *set,
                                       const cd_allocator *allocator, cd_vec3 out[CD_KDOP_VERTICES],
                                       uint32_t *count) {
    cdi_dual d;
    cdi_kdop_corners c;
    cd_interior3 inner;
    cd_hull_options options;
    cd_hull hull;
    cd_hull_parts parts;
    cd_status status = cd_kdop_interior_point(dop, set, &inner);
    double size = cdi_box_size(cd_aabb_from_kdop(dop, set)), error;
    bool good;
    *count = 0;
    if (status != CD_OK) return status;
    if (inner.verdict != CD_INTERIOR_FOUND) {
        *count = cd_kdop_vertices(dop, set, out);
        return CD_OK;
    }
    cdi_clear(&options, sizeof options);
    if (allocator) options.allocator = *allocator;
    cdi_dual_make(&d, dop, set, &inner, size);
    status = cd_hull3_build(&hull, d.point, d.count, &options);
    if (status != CD_OK) return status;
    parts = cd_hull_get_parts(&hull);
    c.out = out;
    c.count = 0;
    c.apart = 4.0 * (double)CD_REAL_EPSILON * size;
    error = 32.0 * (double)CD_REAL_EPSILON * size * cdi_max(1.0, size / (double)inner.margin);
    good = cdi_dual_corners(&d, &parts, cdi_v3_of(inner.point), error, &c);
    *count = good ? c.count : cd_kdop_vertices(dop, set, out);
    cd_hull_destroy(&hull);
    return CD_OK;
}
