#include "batch/overlap.h"
#include "batch/hits.h"
#include "core/simd.h"
#include "shape/triangle3d.h"

/* ---- the loop of all: a filter for up to 64 at once, and the call for two where it leaves doubt ---- */

enum { CDI_BLOCK = 64 };

/* A bit for each. */
typedef struct cdi_verdicts {
    uint64_t meet, doubt;
} cdi_verdicts;

/* A kind of pair: `filter` may be NULL, all is in doubt then. */
typedef struct cdi_pair_kind {
    size_t size; /* of one of the many */
    cdi_verdicts (*filter)(const void *one, const void *many, size_t count);
    bool (*meet)(const void *one, const void *other);
} cdi_pair_kind;

static uint64_t cdi_block_hits(const cdi_pair_kind *kind, const void *one, const char *many, size_t count) {
    cdi_verdicts v;
    v.meet = 0;
    v.doubt = ~(uint64_t)0 >> (CDI_BLOCK - count);
    if (kind->filter) v = kind->filter(one, many, count);
    for (; v.doubt; v.doubt &= v.doubt - 1u) {
        uint32_t i = cdi_lowest_bit64(v.doubt);
        v.meet |= (uint64_t)kind->meet(one, many + i * kind->size) << i;
    }
    return v.meet;
}

static size_t cdi_hits_of(const cdi_pair_kind *kind, const void *one, const void *many, size_t count,
                          uint32_t *hits, size_t capacity) {
    size_t found = 0;
    count = cdi_countable(count);
    for (size_t first = 0; first < count; first += CDI_BLOCK) {
        size_t n = count - first < (size_t)CDI_BLOCK ? count - first : (size_t)CDI_BLOCK;
        uint64_t met = cdi_block_hits(kind, one, (const char *)many + first * kind->size, n);
        found = cdi_append_hits(met, first, hits, capacity, found);
    }
    return found;
}

/* ---- boxes against a box ---- */

static bool cdi_box_meets_box(const void *one, const void *other) {
    return cd_test_aabb_aabb(*(const cd_aabb *)one, *(const cd_aabb *)other);
}

#if defined(COLLIDE_DOUBLE)

static const cdi_pair_kind cdi_boxes_and_box = {sizeof(cd_aabb), NULL, cdi_box_meets_box};

#else

/* A box is six floats in a row, min and max. Eight lanes from its start, times 1 and -1, hold min <= a.max and -max <= -a.min
 * at once; the same against eight lanes from its middle, min <= max. What belongs to the next box is not looked at. */
typedef struct cdi_box_lanes {
    cdi_f8 sign, bound;
} cdi_box_lanes;

static cdi_box_lanes cdi_box_lanes_of(const cd_aabb *a) {
    const float sign[8] = {1, 1, 1, -1, -1, -1, 0, 0};
    float bound[8];
    cdi_box_lanes r;
    bound[0] = a->max.x, bound[1] = a->max.y, bound[2] = a->max.z, bound[3] = -a->min.x, bound[4] = -a->min.y;
    bound[5] = -a->min.z, bound[6] = bound[7] = 0.0f;
    r.sign = cdi_f8_load(sign);
    r.bound = cdi_f8_load(bound);
    return r;
}

static cdi_verdicts cdi_filter_boxes(const void *one, const void *many, size_t count) {
    const cd_aabb *boxes = (const cd_aabb *)many;
    cdi_box_lanes lanes = cdi_box_lanes_of((const cd_aabb *)one);
    cdi_verdicts all;
    all.meet = 0;
    all.doubt = (uint64_t)1 << (count - 1); /* the lanes of the last one would reach beyond the array */
    for (size_t i = 0; i + 1 < count; ++i) {
        const float *p = &boxes[i].min.x;
        cdi_f8 box = cdi_f8_load(p);
        uint32_t meet = cdi_f8_le(cdi_f8_mul(box, lanes.sign), lanes.bound) & 63u;
        uint32_t some = cdi_f8_le(box, cdi_f8_load(p + 3)) & 7u;
        all.meet |= (uint64_t)(meet == 63u && some == 7u) << i;
    }
    return all;
}

static const cdi_pair_kind cdi_boxes_and_box = {sizeof(cd_aabb), cdi_filter_boxes, cdi_box_meets_box};

#endif

CD_API size_t cd_test_aabb_aabbs(cd_aabb a, const cd_aabb *many, size_t count, uint32_t *hits,
                                 size_t capacity) {
    return cd_aabb_is_empty(a) ? 0 : cdi_hits_of(&cdi_boxes_and_box, &a, many, count, hits, capacity);
}

/* ---- spheres and boxes: a filter without branches ---- */

CDI_INLINE double cdi_outside(double x, double lo, double hi) {
    return cdi_max(cdi_max(lo - x, x - hi), 0.0);
}

/* The squared distance of a point from a box has a relative error below 5 units in the last place, the squared sum of two
 * radii below 4. Where a number is none, or leaves the range in which that holds, there is doubt. */
CDI_INLINE cdi_verdicts cdi_ball_box_filter(cdi_v3 c, cdi_v3 lo, cdi_v3 hi, double radius) {
    double dx = cdi_outside(c.x, lo.x, hi.x), dy = cdi_outside(c.y, lo.y, hi.y);
    double dz = cdi_outside(c.z, lo.z, hi.z), distance = dx * dx + dy * dy + dz * dz, reach = radius * radius;
    double gap = distance - reach, sum = distance + reach, margin = sum * 4e-15;
    double extent = (hi.x - lo.x) + (hi.y - lo.y) + (hi.z - lo.z);
    double nothing = (c.x - c.x) + (c.y - c.y) + (c.z - c.z); /* NaN when a coordinate is none */
    unsigned sure =
        (unsigned)(sum >= 1e-290) & (unsigned)(sum <= CDI_HUGE) & (unsigned)(extent + nothing <= CDI_HUGE);
    unsigned meet = (unsigned)(gap < -margin), apart = (unsigned)(gap > margin);
    cdi_verdicts v;
    v.meet = sure & meet;
    v.doubt = (sure & (meet | apart)) ^ 1u;
    return v;
}

CDI_INLINE cdi_verdicts cdi_sphere_box_filter(cd_sphere s, cd_aabb b) {
    cdi_verdicts v =
        cdi_ball_box_filter(cdi_v3_of(s.center), cdi_v3_of(b.min), cdi_v3_of(b.max), (double)s.radius);
    v.meet &= (unsigned)(s.radius >= 0) & (unsigned)(b.min.x <= b.max.x) & (unsigned)(b.min.y <= b.max.y) &
              (unsigned)(b.min.z <= b.max.z);
    return v;
}

CDI_INLINE cdi_verdicts cdi_sphere_sphere_filter(cd_sphere a, cd_sphere b) {
    cdi_v3 c = cdi_v3_of(b.center);
    cdi_verdicts v = cdi_ball_box_filter(cdi_v3_of(a.center), c, c, (double)a.radius + (double)b.radius);
    v.meet &= (unsigned)(a.radius >= 0) & (unsigned)(b.radius >= 0);
    return v;
}

CDI_INLINE void cdi_set_verdicts(cdi_verdicts *all, cdi_verdicts v, size_t i) {
    all->meet |= v.meet << i;
    all->doubt |= v.doubt << i;
}

static cdi_verdicts cdi_filter_spheres_box(const void *one, const void *many, size_t count) {
    const cd_sphere *spheres = (const cd_sphere *)many;
    cd_aabb a = *(const cd_aabb *)one;
    cdi_verdicts all = {0, 0};
    for (size_t i = 0; i < count; ++i) cdi_set_verdicts(&all, cdi_sphere_box_filter(spheres[i], a), i);
    return all;
}

static cdi_verdicts cdi_filter_boxes_sphere(const void *one, const void *many, size_t count) {
    const cd_aabb *boxes = (const cd_aabb *)many;
    cd_sphere a = *(const cd_sphere *)one;
    cdi_verdicts all = {0, 0};
    for (size_t i = 0; i < count; ++i) cdi_set_verdicts(&all, cdi_sphere_box_filter(a, boxes[i]), i);
    return all;
}

static cdi_verdicts cdi_filter_spheres(const void *one, const void *many, size_t count) {
    const cd_sphere *spheres = (const cd_sphere *)many;
    cd_sphere a = *(const cd_sphere *)one;
    cdi_verdicts all = {0, 0};
    for (size_t i = 0; i < count; ++i) cdi_set_verdicts(&all, cdi_sphere_sphere_filter(a, spheres[i]), i);
    return all;
}

/* A triangle is no nearer than its bounding box, as the call for two has it, too; that they meet only that can say. */
static cdi_verdicts cdi_filter_triangles(const void *one, const void *many, size_t count) {
    const cd_triangle *triangles = (const cd_triangle *)many;
    cd_sphere a = *(const cd_sphere *)one;
    cdi_v3 center = cdi_v3_of(a.center);
    cdi_verdicts all = {0, 0};
    for (size_t i = 0; i < count; ++i) {
        cdi_tri t = cdi_tri_of(&triangles[i]);
        cdi_v3 lo, hi;
        cdi_verdicts v;
        cdi_tri_bounds(&t, &lo, &hi);
        v = cdi_ball_box_filter(center, lo, hi, (double)a.radius);
        v.doubt |= v.meet;
        v.meet = 0;
        cdi_set_verdicts(&all, v, i);
    }
    return all;
}

static bool cdi_box_meets_sphere(const void *one, const void *other) {
    return cd_test_sphere_aabb(*(const cd_sphere *)other, *(const cd_aabb *)one);
}

static bool cdi_sphere_meets_box(const void *one, const void *other) {
    return cd_test_sphere_aabb(*(const cd_sphere *)one, *(const cd_aabb *)other);
}

static bool cdi_sphere_meets_sphere(const void *one, const void *other) {
    return cd_test_sphere_sphere(*(const cd_sphere *)one, *(const cd_sphere *)other);
}

static bool cdi_sphere_meets_tri(const void *one, const void *other) {
    return cd_test_sphere_triangle(*(const cd_sphere *)one, (const cd_triangle *)other);
}

static bool cdi_sphere_meets_capsule(const void *one, const void *other) {
    return cd_test_sphere_capsule(*(const cd_sphere *)one, (const cd_capsule *)other);
}

static bool cdi_sphere_meets_obb(const void *one, const void *other) {
    return cd_test_sphere_obb(*(const cd_sphere *)one, (const cd_obb *)other);
}

static const cdi_pair_kind cdi_triangles_and_sphere = {sizeof(cd_triangle), cdi_filter_triangles,
                                                       cdi_sphere_meets_tri};
static const cdi_pair_kind cdi_capsules_and_sphere = {sizeof(cd_capsule), NULL, cdi_sphere_meets_capsule};
static const cdi_pair_kind cdi_obbs_and_sphere = {sizeof(cd_obb), NULL, cdi_sphere_meets_obb};
static const cdi_pair_kind cdi_spheres_and_box = {sizeof(cd_sphere), cdi_filter_spheres_box,
                                                  cdi_box_meets_sphere};
static const cdi_pair_kind cdi_boxes_and_sphere = {sizeof(cd_aabb), cdi_filter_boxes_sphere,
                                                   cdi_sphere_meets_box};
static const cdi_pair_kind cdi_spheres_and_sphere = {sizeof(cd_sphere), cdi_filter_spheres,
                                                     cdi_sphere_meets_sphere};

CD_API size_t cd_test_aabb_spheres(cd_aabb a, const cd_sphere *many, size_t count, uint32_t *hits,
                                   size_t capacity) {
    return cdi_hits_of(&cdi_spheres_and_box, &a, many, count, hits, capacity);
}

CD_API size_t cd_test_sphere_aabbs(cd_sphere a, const cd_aabb *many, size_t count, uint32_t *hits,
                                   size_t capacity) {
    return cdi_hits_of(&cdi_boxes_and_sphere, &a, many, count, hits, capacity);
}

CD_API size_t cd_test_sphere_spheres(cd_sphere a, const cd_sphere *many, size_t count, uint32_t *hits,
                                     size_t capacity) {
    return cdi_hits_of(&cdi_spheres_and_sphere, &a, many, count, hits, capacity);
}

CD_API size_t cd_test_sphere_triangles(cd_sphere a, const cd_triangle *many, size_t count, uint32_t *hits,
                                       size_t capacity) {
    return cdi_hits_of(&cdi_triangles_and_sphere, &a, many, count, hits, capacity);
}

CD_API size_t cd_test_sphere_capsules(cd_sphere a, const cd_capsule *many, size_t count, uint32_t *hits,
                                      size_t capacity) {
    return cdi_hits_of(&cdi_capsules_and_sphere, &a, many, count, hits, capacity);
}

CD_API size_t cd_test_sphere_obbs(cd_sphere a, const cd_obb *many, size_t count, uint32_t *hits,
                                  size_t capacity) {
    return cdi_hits_of(&cdi_obbs_and_sphere, &a, many, count, hits, capacity);
}

/* ---- oriented boxes and capsules: the call for two, without a filter of their own ---- */

static bool cdi_obb_meets_obb(const void *one, const void *other) {
    return cd_test_obb_obb((const cd_obb *)one, (const cd_obb *)other);
}

static bool cdi_capsule_meets_capsule(const void *one, const void *other) {
    return cd_test_capsule_capsule((const cd_capsule *)one, (const cd_capsule *)other);
}

static const cdi_pair_kind cdi_obbs_and_obb = {sizeof(cd_obb), NULL, cdi_obb_meets_obb};
static const cdi_pair_kind cdi_capsules_and_capsule = {sizeof(cd_capsule), NULL, cdi_capsule_meets_capsule};

CD_API size_t cd_test_obb_obbs(const cd_obb *a, const cd_obb *many, size_t count, uint32_t *hits,
                               size_t capacity) {
    return cdi_hits_of(&cdi_obbs_and_obb, a, many, count, hits, capacity);
}

CD_API size_t cd_test_capsule_capsules(const cd_capsule *a, const cd_capsule *many, size_t count,
                                       uint32_t *hits, size_t capacity) {
    return cdi_hits_of(&cdi_capsules_and_capsule, a, many, count, hits, capacity);
}
