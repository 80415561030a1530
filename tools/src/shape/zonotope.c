#include "shape/zonotope.h"
#include "core/exact.h"
#include "core/orient.h"
#include "core/pose.h"
#include "shape/shell3d.h"
#include "shape/volume3d.h"
#include "shape/zonotope3d.h"

CD_API bool cd_zonotope_is_valid(const cd_zonotope *z) {
    if (!cd_vec3_is_valid(z->center) || (z->count > 0 && !z->generators)) return false;
    for (uint32_t i = 0; i < z->count; ++i) {
        if (!cd_vec3_is_valid(z->generators[i])) return false;
    }
    return true;
}

CD_API cd_real cd_zonotope_volume(const cd_zonotope *z) {
    double sum = 0.0;
    if (!cd_zonotope_is_valid(z)) return 0;
    for (uint32_t i = 0; i < z->count; ++i) {
        for (uint32_t j = i + 1; j < z->count; ++j) {
            cdi_v3 n = cdi_v3_cross(cdi_v3_of(z->generators[i]), cdi_v3_of(z->generators[j]));
            for (uint32_t k = j + 1; k < z->count; ++k)
                sum += cdi_abs(cdi_v3_dot(n, cdi_v3_of(z->generators[k])));
        }
    }
    return (cd_real)(sum == sum ? 8.0 * sum : cdi_infinity());
}

CD_API cd_real cd_zonotope_surface_area(const cd_zonotope *z) {
    double sum = 0.0;
    if (!cd_zonotope_is_valid(z)) return 0;
    for (uint32_t i = 0; i < z->count; ++i) {
        for (uint32_t j = i + 1; j < z->count; ++j)
            sum += cdi_v3_length(cdi_v3_cross(cdi_v3_of(z->generators[i]), cdi_v3_of(z->generators[j])));
    }
    return (cd_real)(sum == sum ? 8.0 * sum : cdi_infinity());
}

CD_API cd_zonotope cd_zonotope_transform(const cd_zonotope *z, const cd_transform *pose,
                                         cd_vec3 *generators) {
    cd_zonotope r;
    r.center = cd_transform_point(pose, z->center);
    r.generators = generators;
    r.count = z->count;
    for (uint32_t i = 0; i < z->count; ++i) generators[i] = cd_transform_vector(pose, z->generators[i]);
    return r;
}

CD_API cd_vec3 cd_zonotope_support(const cd_zonotope *z, cd_vec3 dir) {
    cdi_v3 sum = cdi_v3_of(z->center), d = cdi_v3_normalize(cdi_v3_of(dir));
    if (!cd_vec3_is_valid(dir) || cdi_v3_is_zero(d)) return z->center;
    for (uint32_t i = 0; i < z->count; ++i) {
        cdi_v3 g = cdi_v3_of(z->generators[i]);
        sum = cdi_v3_along(sum, g, cdi_v3_dot(g, d) < 0.0 ? -1.0 : 1.0);
    }
    return cdi_v3_round(sum);
}

CD_API cd_aabb cd_aabb_from_zonotope(const cd_zonotope *z) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    double grow = 1.0 + 4.4408920985006262e-16 * ((double)z->count + 2.0);
    for (uint32_t i = 0; i < z->count; ++i) {
        cdi_v3 g = cdi_v3_of(z->generators[i]);
        sum = cdi_v3_add(sum, cdi_v3_make(cdi_abs(g.x), cdi_abs(g.y), cdi_abs(g.z)));
    }
    return cdi_aabb_around(cdi_v3_of(z->center), z->count > 1 ? cdi_v3_scale(sum, grow) : sum);
}

/* ---- directions ---- */

/* The cross product of the first two generators that are not in line; zero when all are. */
static cdi_v3 cdi_zonotope_cross(const cdi_zonotope *z, cdi_v3 *first) {
    const cdi_v3 zero = cdi_v3_make(0.0, 0.0, 0.0);
    *first = zero;
    for (uint32_t i = 0; i < z->generators; ++i) {
        cdi_v3 g = cdi_zonotope_direction(z, i), n;
        if (cdi_v3_is_zero(*first)) *first = g;
        n = cdi_exact_normal(zero, *first, g);
        if (!cdi_v3_is_zero(n)) return n;
    }
    return zero;
}

static bool cdi_zonotope_is_flat(const cdi_zonotope *z, cdi_v3 first, cdi_v3 cross) {
    const cdi_v3 zero = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_v3 second = zero;
    if (cdi_v3_is_zero(cross)) return true;
    for (uint32_t i = 0; i < z->generators; ++i) {
        cdi_v3 g = cdi_zonotope_direction(z, i);
        if (!cdi_v3_is_zero(second)) {
            if (cdi_orient3d(first, second, g, zero) != 0.0) return false;
        } else if (!cdi_v3_is_zero(cdi_exact_normal(zero, first, g))) {
            second = g;
        }
    }
    return true;
}

CDI_FN cdi_zonotope cdi_zonotope_of(const cd_zonotope *z, const cd_zonotope *other) {
    cdi_zonotope r;
    cdi_v3 first, cross;
    cdi_clear(&r, sizeof r);
    r.center = cdi_v3_of(z->center);
    r.of[0] = z->generators;
    r.count[0] = z->count;
    r.of[1] = other ? other->generators : NULL;
    r.count[1] = other ? other->count : 0;
    r.generators = r.directions = r.count[0] + r.count[1];
    cross = cdi_zonotope_cross(&r, &first);
    if (!cdi_zonotope_is_flat(&r, first, cross)) return r;
    if (cdi_v3_is_zero(first)) {
        r.extra[r.directions++ - r.generators] = first = cdi_v3_make(1.0, 0.0, 0.0);
        cross = cdi_v3_make(0.0, 0.0, 0.0);
    }
    if (cdi_v3_is_zero(cross)) {
        cdi_v3 side = cdi_across(cdi_v3_normalize(first));
        r.extra[r.directions++ - r.generators] = side;
        cross = cdi_v3_cross(cdi_v3_normalize(first), side);
    }
    r.extra[r.directions++ - r.generators] = cdi_v3_normalize(cross);
    return r;
}

CDI_FN double cdi_zonotope_reach(const cdi_zonotope *z, cdi_v3 n) {
    double sum = 0.0;
    for (uint32_t i = 0; i < z->generators; ++i) sum += cdi_abs(cdi_v3_dot(cdi_zonotope_direction(z, i), n));
    return sum;
}

/* ---- the exact test of a point ----
 * For the normal n of two generators, |n . (to - from)| is at most the sum of |n . generator|: determinants of three rows,
 * and the sign of the difference is exact. In a plane the same in the shadow along an axis, on a line along an axis. */

enum { CDI_ZONOTOPE_ROOM = 40 * CDI_EXACT_LIMBS };

/* The rows of a determinant: up to two generators; unit vectors for the axes that are not looked at; then what is tested. */
typedef struct cdi_zonotope_slab {
    cdi_v3 row[2];
    cdi_v3 from, to;
} cdi_zonotope_slab;

static cdi_exact cdi_slab_det(cdi_arena *arena, const cdi_zonotope_slab *s, cdi_v3 from, cdi_v3 to) {
    cdi_exact m[3][3], det;
    int mark = arena->used;
    for (int k = 0; k < 3; ++k) {
        m[0][k] = cdi_exact_of(arena, cdi_v3_get(s->row[0], k));
        m[1][k] = cdi_exact_of(arena, cdi_v3_get(s->row[1], k));
        m[2][k] = cdi_exact_diff(arena, cdi_v3_get(to, k), cdi_v3_get(from, k));
    }
    det = cdi_exact_det3(arena, m);
    if (det.sign < 0) det = cdi_exact_neg(det);
    return cdi_exact_keep(arena, mark, det);
}

static CDI_COLD bool cdi_in_slab_exact(const cdi_zonotope *z, const cdi_zonotope_slab *s) {
    uint32_t limbs[CDI_ZONOTOPE_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_ZONOTOPE_ROOM);
    const cdi_v3 zero = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_exact left = cdi_exact_neg(cdi_slab_det(&arena, s, s->from, s->to));
    for (uint32_t i = 0; i < z->generators; ++i) {
        cdi_exact det = cdi_slab_det(&arena, s, zero, cdi_zonotope_direction(z, i));
        left = cdi_exact_keep(&arena, 0, cdi_exact_add(&arena, left, det));
    }
    return left.sign >= 0;
}

/* The determinant in double beside the sum of its terms' magnitudes. */
static double cdi_slab_height(const cdi_zonotope_slab *s, cdi_v3 p, double *size) {
    cdi_v3 a = s->row[0], b = s->row[1];
    double x = cdi_abs(a.y * b.z) + cdi_abs(a.z * b.y), y = cdi_abs(a.z * b.x) + cdi_abs(a.x * b.z);
    double w = cdi_abs(a.x * b.y) + cdi_abs(a.y * b.x);
    *size += x * cdi_abs(p.x) + y * cdi_abs(p.y) + w * cdi_abs(p.z);
    return cdi_abs(cdi_v3_dot(cdi_v3_cross(a, b), p));
}

/* The difference is within (count + 12) u of the sum of all magnitudes, or 1e-300 where products vanish. */
static bool cdi_in_slab(const cdi_zonotope *z, const cdi_zonotope_slab *s) {
    double size = 0.0, left = -cdi_slab_height(s, cdi_v3_sub(s->to, s->from), &size), error;
    for (uint32_t i = 0; i < z->generators; ++i)
        left += cdi_slab_height(s, cdi_zonotope_direction(z, i), &size);
    error = 2.2204460492503131e-16 * ((double)z->generators + 12.0) * size;
    if (cdi_max(cdi_v3_max_abs(s->row[0]), cdi_v3_max_abs(s->row[1])) < 1e90 && error > 1e-250) {
        if (left > error) return true;
        if (left < -error) return false;
    }
    return cdi_in_slab_exact(z, s);
}

static int cdi_zonotope_axis(cdi_v3 v) {
    double most = cdi_v3_max_abs(v);
    return cdi_abs(v.x) == most ? 0 : cdi_abs(v.y) == most ? 1 : 2;
}

static cdi_v3 cdi_axis_vector(int axis) {
    return cdi_v3_make(axis == 0, axis == 1, axis == 2);
}

/* Are all generators and the difference along the line of g, and the difference short enough? */
static bool cdi_line_holds(const cdi_zonotope *z, cdi_zonotope_slab *s, cdi_v3 g) {
    int axis = cdi_zonotope_axis(g);
    if (cdi_v3_is_zero(g)) return s->from.x == s->to.x && s->from.y == s->to.y && s->from.z == s->to.z;
    for (int k = 1; k < 3;
         ++k) { /* nothing of it across: the slabs of g and the two other axes have no width */
        s->row[0] = g;
        s->row[1] = cdi_axis_vector((axis + k) % 3);
        if (!cdi_in_slab(z, s)) return false;
    }
    s->row[0] = cdi_axis_vector((axis + 1) % 3);
    s->row[1] = cdi_axis_vector((axis + 2) % 3);
    return cdi_in_slab(z, s);
}

CDI_FN bool cdi_zonotope_holds(const cdi_zonotope *z, cdi_v3 from, cdi_v3 to) {
    cdi_zonotope_slab s;
    cdi_v3 first, cross = cdi_zonotope_cross(z, &first);
    s.from = from;
    s.to = to;
    if (cdi_v3_is_zero(cross)) return cdi_line_holds(z, &s, first);
    for (uint32_t i = 0; i < z->generators; ++i) {
        for (uint32_t j = i + 1; j < z->generators; ++j) {
            s.row[0] = cdi_zonotope_direction(z, i);
            s.row[1] = cdi_zonotope_direction(z, j);
            if (!cdi_in_slab(z, &s)) return false;
        }
    }
    if (z->directions == z->generators) return true;
    s.row[0] = cdi_axis_vector(cdi_zonotope_axis(cross)); /* flat: in the shadow along an axis, too */
    for (uint32_t i = 0; i < z->generators; ++i) {
        s.row[1] = cdi_zonotope_direction(z, i);
        if (!cdi_in_slab(z, &s)) return false;
    }
    return true;
}
