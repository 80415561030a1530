#include "batch/rays.h"
#include "batch/hits.h"
#include "core/lanes.h"
#include "query/ray3d.h"

/* Directions of other lengths get no filter, so that neither they nor their inverses lose digits to underflow. */
#ifdef COLLIDE_DOUBLE
#define CDI_LENGTH_LEAST 1e-150
#define CDI_LENGTH_MOST  1e150
#else
#define CDI_LENGTH_LEAST 1e-30
#define CDI_LENGTH_MOST  1e30
#endif

/* The lanes of a block that hold one of the `rest` last things. */
static uint32_t cdi_lanes_left(size_t rest) {
    return rest < 8 ? (1u << rest) - 1u : 255u;
}

/* ---- one ray, eight triangles ---- */

/* The ray made ready: the sheared frame of cdi_ray, in lanes. */
typedef struct cdi_ray_lanes {
    uint32_t axis[3];
    cdi_lanes o[3], shear[2], scale;
    bool sound; /* the filter may be asked */
} cdi_ray_lanes;

static cdi_ray_lanes cdi_ray_lanes_of(const cdi_ray *r) {
    cdi_ray_lanes l;
    double length = cdi_abs(r->dir[r->axis[2]]);
    for (int k = 0; k < 3; ++k) {
        l.axis[k] = r->axis[k];
        l.o[k] = cdi_lanes_all((cd_real)r->origin[r->axis[k]]);
    }
    l.sound = length >= CDI_LENGTH_LEAST && length <= CDI_LENGTH_MOST;
    l.shear[0] = cdi_lanes_all((cd_real)r->shear[0]);
    l.shear[1] = cdi_lanes_all((cd_real)r->shear[1]);
    l.scale = cdi_lanes_all(l.sound ? (cd_real)r->shear[2] : 0);
    return l;
}

/* A range of t, widened by what the depths of corners may be off: three roundings. */
typedef struct cdi_depths {
    cdi_lanes first, last;
} cdi_depths;

static cdi_depths cdi_depths_of(double t_min, double t_max) {
    const double slack = 8.0 * (double)CDI_LANE_U, tiny = (double)CDI_LANE_TINY;
    cdi_depths d;
    d.first = cdi_lanes_all(cdi_real_or_infinity(t_min - cdi_abs(t_min) * slack - tiny));
    d.last = cdi_lanes_all(cdi_real_or_infinity(t_max + cdi_abs(t_max) * slack + tiny));
    return d;
}

/* The corners relative to the origin, sheared. */
typedef struct cdi_sheared_lanes {
    cdi_lanes x, y, z;
} cdi_sheared_lanes;

CDI_INLINE cdi_sheared_lanes cdi_shear_lanes(const cdi_ray_lanes *r, const cd_real corner[3][8],
                                             size_t lane) {
    cdi_lanes x = cdi_lanes_sub(cdi_lanes_load(corner[r->axis[0]] + lane), r->o[0]);
    cdi_lanes y = cdi_lanes_sub(cdi_lanes_load(corner[r->axis[1]] + lane), r->o[1]);
    cdi_sheared_lanes s;
    s.z = cdi_lanes_sub(cdi_lanes_load(corner[r->axis[2]] + lane), r->o[2]);
    s.x = cdi_lanes_sub(x, cdi_lanes_mul(r->shear[0], s.z));
    s.y = cdi_lanes_sub(y, cdi_lanes_mul(r->shear[1], s.z));
    return s;
}

/* Bits of those whose three numbers have, beyond the bound, both signs. */
CDI_INLINE uint32_t cdi_signs_differ(cdi_lanes a, cdi_lanes b, cdi_lanes c, cdi_lanes bound) {
    cdi_lanes least = cdi_lanes_min(cdi_lanes_min(a, b), c), most = cdi_lanes_max(cdi_lanes_max(a, b), c);
    cdi_lanes both = cdi_lanes_min(most, cdi_lanes_sub(cdi_lanes_all(0), least));
    return cdi_lanes_le(bound, cdi_lanes_min(both, cdi_lanes_all(CDI_LANE_HUGE)));
}

/* Bits of those that the line may meet. With u half a unit in the last place, m the largest coordinate relative to the
 * origin and n the largest across the ray, sheared coordinates are off by at most 6 u m and the products by 32 u m n; and
 * m is at most n and the largest depth together. */
CDI_INLINE uint32_t cdi_line_meets8(const cdi_sheared_lanes *a, const cdi_sheared_lanes *b,
                                    const cdi_sheared_lanes *c) {
    cdi_lanes across = cdi_lanes_max(cdi_lanes_size(a->x, b->x, c->x), cdi_lanes_size(a->y, b->y, c->y));
    cdi_lanes all = cdi_lanes_add(across, cdi_lanes_size(a->z, b->z, c->z));
    cdi_lanes bound = cdi_lanes_mul(cdi_lanes_mul(all, across), cdi_lanes_all(40 * CDI_LANE_U));
    bound = cdi_lanes_add(bound, cdi_lanes_all(CDI_LANE_TINY));
    return ~cdi_signs_differ(cdi_lanes_cross(c->x, b->y, c->y, b->x), cdi_lanes_cross(a->x, c->y, a->y, c->x),
                             cdi_lanes_cross(b->x, a->y, b->y, a->x), bound);
}

/* Bits of those whose corners' depths allow a hit in the range. (Hits are inside the bounding box, however the ray grazes
 * the plane.) */
CDI_INLINE uint32_t cdi_depth_fits8(const cdi_ray_lanes *r, const cdi_depths *range, cdi_lanes a, cdi_lanes b,
                                    cdi_lanes c) {
    cdi_lanes least, most;
    a = cdi_lanes_mul(a, r->scale), b = cdi_lanes_mul(b, r->scale), c = cdi_lanes_mul(c, r->scale);
    least = cdi_lanes_min(cdi_lanes_min(a, b), c);
    most = cdi_lanes_max(cdi_lanes_max(a, b), c);
    return cdi_lanes_le(least, range->last) & cdi_lanes_le(range->first, most);
}

static uint32_t cdi_ray_meets8(const cdi_ray_lanes *r, const cdi_depths *range, const cd_triangle8 *t) {
    uint32_t maybe = 0;
    for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
        cdi_sheared_lanes a = cdi_shear_lanes(r, t->number[0], lane),
                          b = cdi_shear_lanes(r, t->number[1], lane),
                          c = cdi_shear_lanes(r, t->number[2], lane);
        uint32_t meet = cdi_line_meets8(&a, &b, &c) & ((1u << CDI_LANES) - 1u);
        if (meet) meet &= cdi_depth_fits8(r, range, a.z, b.z, c.z);
        maybe |= meet << lane;
    }
    return maybe;
}

/* The nearest hit so far. */
typedef struct cdi_first_hit {
    cdi_ray ray;
    cdi_ray_lanes lanes;
    cdi_depths range;
    const cd_cast_options *options;
    uint32_t flags;
    double t; /* of the hit; the end of the range while there is none */
    bool found;
    cd_hit hit;
} cdi_first_hit;

static bool cdi_first_hit_begin(cdi_first_hit *f, const cd_ray *r, cd_real t_max,
                                const cd_cast_options *options) {
    cdi_cast c;
    if (!cdi_cast_begin(&c, r, t_max, options) || !cdi_ray_prepare(&f->ray, &c)) return false;
    f->lanes = cdi_ray_lanes_of(&f->ray);
    f->range = cdi_depths_of(c.t_min, c.t_max);
    f->options = options;
    f->flags = c.flags;
    f->t = c.t_max;
    f->found = false;
    return true;
}

/* The call for one, whose answer counts. Triangles come in rising order: of equal t the first is kept. */
static void cdi_first_hit_try(cdi_first_hit *f, const cd_triangle *t, size_t index) {
    cdi_tri d = cdi_tri_of(t);
    cdi_tri_hit h;
    cd_hit hit;
    if (!cdi_ray_tri(&f->ray, &d, f->flags, f->t, &h) || (f->found && h.t >= f->t)) return;
    if (f->options && f->options->filter && !f->options->filter(f->options->user, (uint32_t)index)) return;
    if (!cdi_tri_hit_write(&hit, &h, &d, &f->ray, (uint32_t)index)) return;
    f->found = true;
    f->hit = hit;
    f->t = h.t;
    f->range = cdi_depths_of(f->ray.t_min, h.t);
}

static bool cdi_first_hit_end(const cdi_first_hit *f, cd_hit *hit) {
    if (f->found && hit) *hit = f->hit;
    return f->found;
}

static void cdi_first_hit_block(cdi_first_hit *f, const cd_triangle8 *block, size_t first, uint32_t left) {
    uint32_t maybe = f->lanes.sound ? left & cdi_ray_meets8(&f->lanes, &f->range, block) : left;
    for (; maybe; maybe &= maybe - 1u) {
        uint32_t i = cdi_lowest_bit(maybe);
        cd_triangle t = cd_triangle8_get(block, i);
        cdi_first_hit_try(f, &t, first + i);
    }
}

CD_API bool cd_cast_ray_triangle8s(const cd_ray *r, cd_real t_max, const cd_triangle8 *blocks, size_t count,
                                   const cd_cast_options *options, cd_hit *hit) {
    cdi_first_hit f;
    if (!cdi_first_hit_begin(&f, r, t_max, options)) return false;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8)
        cdi_first_hit_block(&f, &blocks[i / 8], i, cdi_lanes_left(count - i));
    return cdi_first_hit_end(&f, hit);
}

CD_API bool cd_cast_ray_triangles(const cd_ray *r, cd_real t_max, const cd_triangle *many, size_t count,
                                  const cd_cast_options *options, cd_hit *hit) {
    cdi_first_hit f;
    if (!cdi_first_hit_begin(&f, r, t_max, options)) return false;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        cd_triangle8 block;
        size_t rest = count - i;
        cdi_to_rows(&many[i].a.x, 9, rest < 8 ? rest : 8, 0, &block.number[0][0][0]);
        cdi_first_hit_block(&f, &block, i, cdi_lanes_left(rest));
    }
    return cdi_first_hit_end(&f, hit);
}

/* ---- eight rays, one triangle ----
 *
 * The products of Moller and Trumbore 1997 about the first corner, as o' x d with the edges and the normal with d; all
 * lengths by a power of two, so that the edges are about 1 and nothing is lost to underflow. */
typedef struct cdi_tri_lanes {
    cdi_lanes a[3], ab[3], ac[3], normal[3], scale;
    bool sound;
} cdi_tri_lanes;

static void cdi_spread3(cdi_lanes out[3], cdi_v3 v) {
    for (int k = 0; k < 3; ++k) out[k] = cdi_lanes_all((cd_real)cdi_v3_get(v, k));
}

static cdi_tri_lanes cdi_tri_lanes_of(const cdi_tri *t) {
    cdi_v3 ab = cdi_v3_sub(t->v[1], t->v[0]), ac = cdi_v3_sub(t->v[2], t->v[0]);
    double size = cdi_max(cdi_v3_max_abs(ab), cdi_v3_max_abs(ac));
    int shift = -cdi_exponent(size);
    cdi_tri_lanes l;
    cdi_clear(&l, sizeof l);
    l.sound = cdi_tri_finite(t) && size >= CDI_LENGTH_LEAST && size <= CDI_LENGTH_MOST;
    if (!l.sound) return l;
    ab = cdi_v3_scale2(ab, shift);
    ac = cdi_v3_scale2(ac, shift);
    cdi_spread3(l.a, t->v[0]);
    cdi_spread3(l.ab, ab);
    cdi_spread3(l.ac, ac);
    cdi_spread3(l.normal, cdi_v3_cross(ab, ac));
    l.scale = cdi_lanes_all((cd_real)cdi_exp2i(shift));
    return l;
}

/* Bits of those rays whose lines may meet the triangle; `rows` are their origins and directions. With m the largest
 * coordinate of the origin relative to a, k that of the direction and edges below 2, the weights are off by at most
 * 240 u (m + 2) k. */
CDI_INLINE uint32_t cdi_lines_meet(const cdi_tri_lanes *t, const cd_real *rows) {
    cdi_lanes o[3], d[3], m[3], of_b, of_c, of_a, bound;
    uint32_t maybe;
    o[0] = cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(rows), t->a[0]), t->scale);
    o[1] = cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(rows + 8), t->a[1]), t->scale);
    o[2] = cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(rows + 16), t->a[2]), t->scale);
    d[0] = cdi_lanes_load(rows + 24);
    d[1] = cdi_lanes_load(rows + 32);
    d[2] = cdi_lanes_load(rows + 40);
    m[0] = cdi_lanes_cross(o[1], d[2], o[2], d[1]);
    m[1] = cdi_lanes_cross(o[2], d[0], o[0], d[2]);
    m[2] = cdi_lanes_cross(o[0], d[1], o[1], d[0]);
    of_b = cdi_lanes_dot(m, t->ac);
    of_c = cdi_lanes_sub(cdi_lanes_all(0), cdi_lanes_dot(m, t->ab));
    of_a = cdi_lanes_sub(cdi_lanes_all(0), cdi_lanes_dot(t->normal, d));
    of_a = cdi_lanes_sub(cdi_lanes_sub(of_a, of_b), of_c);
    m[0] = cdi_lanes_size(d[0], d[1], d[2]);
    bound = cdi_lanes_mul(cdi_lanes_add(cdi_lanes_size(o[0], o[1], o[2]), cdi_lanes_all(2)), m[0]);
    bound = cdi_lanes_mul(bound, cdi_lanes_all(300 * CDI_LANE_U));
    maybe = ~cdi_signs_differ(of_a, of_b, of_c, bound);
    return maybe | ~cdi_lanes_le(cdi_lanes_all((cd_real)CDI_LENGTH_LEAST), m[0]);
}

static uint32_t cdi_rays_meet8(const cdi_tri_lanes *t, const cd_ray *rays, size_t count) {
    cd_real rows[48];
    uint32_t maybe = 0;
    if (!t->sound) return ~0u;
    cdi_to_rows(&rays->origin.x, 6, count, 0, rows);
    for (size_t lane = 0; lane < 8; lane += CDI_LANES)
        maybe |= (cdi_lines_meet(t, rows + lane) & ((1u << CDI_LANES) - 1u)) << lane;
    return maybe;
}

static void cdi_no_hits(cd_hit *hits, size_t count) {
    cdi_clear(hits, count * sizeof *hits);
    for (size_t i = 0; i < count; ++i) hits[i].index = CD_NONE;
}

CD_API size_t cd_cast_rays_triangle(const cd_ray *rays, const cd_real *t_max, size_t count,
                                    const cd_triangle *t, const cd_cast_options *options, cd_hit *hits) {
    cdi_tri d = cdi_tri_of(t);
    cdi_tri_lanes lanes = cdi_tri_lanes_of(&d);
    size_t found = 0;
    for (size_t first = 0; first < count; first += 8) {
        size_t rest = count - first < 8 ? count - first : 8;
        uint32_t maybe = cdi_rays_meet8(&lanes, rays + first, rest) & cdi_lanes_left(rest);
        if (hits) cdi_no_hits(hits + first, rest);
        for (; maybe; maybe &= maybe - 1u) {
            size_t i = first + cdi_lowest_bit(maybe);
            cd_real end = t_max ? t_max[i] : CD_REAL_MAX;
            found += cd_cast_ray_triangle(&rays[i], end, t, options, hits ? &hits[i] : NULL);
        }
    }
    return found;
}

/* ---- rays and boxes ----
 *
 * By slabs, t in a unit of its own: a power of two that makes the least of the inverses of the direction so large that even
 * the least of all numbers times it has all digits; what overflows is beyond the end of the range, or left in doubt. */

/* One ray for many boxes. */
typedef struct cdi_slab_ray {
    cdi_lanes o[3], inverse[3], wide[3]; /* wide: larger by what the parameters may be off */
    cdi_lanes t_min, t_max; /* a range wider than asked for, its end by what the parameters may be off */
    cdi_lanes floor,
        ceiling;  /* what is sure is between; t beyond the ceiling may be cut at the greatest number */
    int first[3]; /* 1 where the maximum comes first */
    bool sound;
    const cd_ray *ray;
    cd_real end;
} cdi_slab_ray;

#define CDI_SLAB_WIDER  (1.0 + 16.0 * (double)CDI_LANE_U)
#define CDI_SLAB_INSIDE (1.0 - 48.0 * (double)CDI_LANE_U)
#ifdef COLLIDE_DOUBLE
#define CDI_SLAB_INVERSE 1152921504606846976.0 /* 2^60 */
#else
#define CDI_SLAB_INVERSE 16777216.0 /* 2^24 */
#endif

/* False when no box is hit. */
static bool cdi_slab_ray_begin(cdi_slab_ray *s, const cd_ray *r, cd_real t_max) {
    cdi_cast c;
    double o[3], d[3], unit;
    if (!cdi_cast_begin(&c, r, t_max, NULL)) return false;
    cdi_v3_store(o, c.o);
    cdi_v3_store(d, c.d);
    unit = CDI_SLAB_INVERSE * cdi_exp2i(cdi_exponent(cdi_v3_max_abs(c.d)) + 1); /* of 0: of no account */
    s->ray = r;
    s->end = t_max;
    s->sound = cdi_v3_max_abs(c.o) <= CDI_LENGTH_MOST && cdi_v3_max_abs(c.d) <= CDI_LENGTH_MOST;
    s->t_min = cdi_lanes_all((cd_real)(unit * -1e-300));
    s->t_max = cdi_lanes_all(cdi_real_or_infinity((c.t_max + 1e-300) * CDI_SLAB_WIDER * unit));
    s->floor = cdi_lanes_all((cd_real)(unit * 1e-280));
    s->ceiling = cdi_lanes_all((cd_real)cdi_min((double)CDI_LANE_HUGE, unit * 1e280));
    for (int k = 0; k < 3; ++k) {
        double inverse = d[k] == 0.0 ? cdi_infinity() : unit / d[k];
        s->sound = s->sound && (d[k] == 0.0 || cdi_abs(inverse) <= CDI_LENGTH_MOST);
        s->first[k] = d[k] < 0.0;
        s->o[k] = cdi_lanes_all((cd_real)o[k]);
        s->inverse[k] = cdi_lanes_all(cdi_real_or_infinity(inverse));
        s->wide[k] = cdi_lanes_all(cdi_real_or_infinity(inverse * CDI_SLAB_WIDER));
    }
    return true;
}

/* Bits of those that surely meet: finite boxes, the range well inside. */
CDI_INLINE uint32_t cdi_slab_sure(const cdi_slab_ray *r, const cd_aabb8 *b, size_t lane, cdi_lanes in,
                                  cdi_lanes out) {
    cdi_lanes extent = cdi_lanes_all(0), huge = cdi_lanes_all(CDI_LANE_HUGE);
    for (int k = 0; k < 3; ++k)
        extent = cdi_lanes_add(extent, cdi_lanes_sub(cdi_lanes_load(b->number[1][k] + lane),
                                                     cdi_lanes_load(b->number[0][k] + lane)));
    out = cdi_lanes_min(cdi_lanes_mul(out, cdi_lanes_all((cd_real)CDI_SLAB_INSIDE)), r->ceiling);
    return cdi_lanes_le(cdi_lanes_max(in, r->floor), out) & cdi_lanes_le(extent, huge);
}

/* A bit for each of up to 64 boxes. */
typedef struct cdi_slab_verdicts {
    uint64_t maybe, sure;
} cdi_slab_verdicts;

/* Where the line is between two planes of an axis, in `in` and `out`; 0 times infinity, where it runs in a plane, is passed
 * over. All of the ray is held in registers, which calls in between would not allow. */
static cdi_slab_verdicts cdi_slab_filter(const cdi_slab_ray *r, const cd_aabb8 *blocks, size_t count) {
    const cdi_lanes ox = r->o[0], oy = r->o[1], oz = r->o[2];
    const cdi_lanes ix = r->inverse[0], iy = r->inverse[1], iz = r->inverse[2];
    const cdi_lanes wx = r->wide[0], wy = r->wide[1], wz = r->wide[2], t_min = r->t_min, t_max = r->t_max;
    const size_t x = r->first[0] ? 24 : 0, y = r->first[1] ? 32 : 8, z = r->first[2] ? 40 : 16;
    cdi_slab_verdicts v = {0, 0};
    for (size_t i = 0; i < 8 * count; i += CDI_LANES) {
        const cd_aabb8 *b = &blocks[i / 8];
        const cd_real *p = &b->number[0][0][0] + i % 8;
        cdi_lanes in = cdi_lanes_max(cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(p + x), ox), ix), t_min);
        cdi_lanes out =
            cdi_lanes_min(cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(p + (24 - x)), ox), wx), t_max);
        uint64_t some;
        in = cdi_lanes_max(cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(p + y), oy), iy), in);
        out = cdi_lanes_min(cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(p + (40 - y)), oy), wy), out);
        in = cdi_lanes_max(cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(p + z), oz), iz), in);
        out = cdi_lanes_min(cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(p + (56 - z)), oz), wz), out);
        some = cdi_lanes_le(in, out);
        if (!some) continue;
        v.maybe |= some << i;
        v.sure |= (uint64_t)cdi_slab_sure(r, b, i % 8, in, out) << i;
    }
    v.sure &= v.maybe;
    return v;
}

/* Adds those of up to eight blocks that the ray meets; `left` is how many boxes they hold. */
static void cdi_slab_blocks(const cdi_slab_ray *r, const cd_aabb8 *blocks, size_t left, size_t first,
                            cdi_hit_list *list) {
    cdi_slab_verdicts v = {~(uint64_t)0, 0};
    uint64_t all = left < 64 ? ((uint64_t)1 << left) - 1u : ~(uint64_t)0;
    if (r->sound) v = cdi_slab_filter(r, blocks, left < 64 ? (left + 7) / 8 : 8);
    for (uint64_t doubt = v.maybe & ~v.sure & all; doubt; doubt &= doubt - 1u) {
        uint32_t i = cdi_lowest_bit64(doubt);
        if (cd_cast_ray_aabb(r->ray, r->end, cd_aabb8_get(blocks, i), NULL, NULL)) v.sure |= (uint64_t)1 << i;
    }
    for (v.sure &= all; v.sure; v.sure >>= 8, first += 8) cdi_list_add8(list, (uint32_t)v.sure & 255u, first);
}

CD_API size_t cd_test_ray_aabb8s(const cd_ray *r, cd_real t_max, const cd_aabb8 *blocks, size_t count,
                                 uint32_t *hits, size_t capacity) {
    cdi_slab_ray s;
    cdi_hit_list list;
    if (!cdi_slab_ray_begin(&s, r, t_max)) return 0;
    cdi_list_begin(&list, hits, capacity);
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 64) cdi_slab_blocks(&s, &blocks[i / 8], count - i, i, &list);
    return cdi_list_end(&list);
}

CD_API size_t cd_test_ray_aabbs(const cd_ray *r, cd_real t_max, const cd_aabb *many, size_t count,
                                uint32_t *hits, size_t capacity) {
    cdi_slab_ray s;
    cdi_hit_list list;
    if (!cdi_slab_ray_begin(&s, r, t_max)) return 0;
    cdi_list_begin(&list, hits, capacity);
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 64) {
        cd_aabb8 blocks[8];
        size_t left = count - i < 64 ? count - i : 64;
        for (size_t k = 0; k < left; k += 8) {
            cd_real *rows = &blocks[k / 8].number[0][0][0];
            cdi_to_rows(&many[i + k].min.x, 6, left - k < 8 ? left - k : 8, 0, rows);
        }
        cdi_slab_blocks(&s, blocks, left, i, &list);
    }
    return cdi_list_end(&list);
}

/* One box for many rays; `rows` are their origins and directions. A ray that hardly moves along an axis, or starts far
 * away, is left in doubt. */
typedef struct cdi_slab_box {
    cdi_lanes lo[3], hi[3], t_max;
    cd_aabb box;
    cd_real end;
} cdi_slab_box;

typedef struct cdi_box_verdicts {
    uint32_t meet, doubt;
} cdi_box_verdicts;

/* An inverse is 0 or a denormal only where the direction is out of range. */
CDI_INLINE uint32_t cdi_slab_cross(const cdi_slab_box *b, const cd_real *rows, int k, cdi_lanes *in,
                                   cdi_lanes *out) {
    cdi_lanes o = cdi_lanes_load(rows + 8 * k), d = cdi_lanes_load(rows + 24 + 8 * k), p, q;
    cdi_lanes least = cdi_lanes_all((cd_real)CDI_LENGTH_LEAST),
              most = cdi_lanes_all((cd_real)CDI_LENGTH_MOST);
    cdi_lanes inverse = cdi_lanes_div(cdi_lanes_all(1), d);
    uint32_t fits = cdi_lanes_le(least, cdi_lanes_abs(d)) & cdi_lanes_le(cdi_lanes_abs(d), most);
    p = cdi_lanes_mul(cdi_lanes_sub(b->lo[k], o), inverse);
    q = cdi_lanes_mul(cdi_lanes_sub(b->hi[k], o), inverse);
    *in = cdi_lanes_max(cdi_lanes_min(p, q), *in);
    *out = cdi_lanes_min(cdi_lanes_max(p, q), *out);
    return fits & cdi_lanes_le(cdi_lanes_abs(o), most);
}

CDI_INLINE cdi_box_verdicts cdi_slab_rays(const cdi_slab_box *b, const cd_real *rows) {
    cdi_lanes in = cdi_lanes_all(0), out = b->t_max, slack;
    uint32_t fits = cdi_slab_cross(b, rows, 0, &in, &out), maybe;
    cdi_box_verdicts v;
    fits &= cdi_slab_cross(b, rows, 1, &in, &out);
    fits &= cdi_slab_cross(b, rows, 2, &in, &out);
    slack = cdi_lanes_add(cdi_lanes_mul(out, cdi_lanes_all(16 * CDI_LANE_U)), cdi_lanes_all(CDI_LANE_TINY));
    maybe = cdi_lanes_le(in, cdi_lanes_add(out, slack));
    v.meet = fits & maybe & cdi_lanes_le(in, cdi_lanes_sub(out, slack));
    v.doubt = ~fits | (maybe & ~v.meet);
    return v;
}

static uint32_t cdi_slab_rays8(const cdi_slab_box *b, const cd_ray *rays, size_t count) {
    const uint32_t all = (1u << CDI_LANES) - 1u;
    uint32_t meet = 0, doubt = 0;
    cd_real rows[48];
    cdi_to_rows(&rays->origin.x, 6, count, 0, rows);
    for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
        cdi_box_verdicts v = cdi_slab_rays(b, rows + lane);
        meet |= (v.meet & all) << lane;
        doubt |= (v.doubt & all) << lane;
    }
    for (doubt &= cdi_lanes_left(count); doubt; doubt &= doubt - 1u) {
        uint32_t i = cdi_lowest_bit(doubt);
        meet |= (uint32_t)cd_cast_ray_aabb(&rays[i], b->end, b->box, NULL, NULL) << i;
    }
    return meet & cdi_lanes_left(count);
}

CD_API size_t cd_test_rays_aabb(const cd_ray *rays, size_t count, cd_real t_max, cd_aabb b, uint32_t *hits,
                                size_t capacity) {
    cdi_slab_box box;
    cdi_hit_list list;
    if (!cd_aabb_is_valid(b) || !(t_max >= 0)) return 0;
    cdi_spread3(box.lo, cdi_v3_of(b.min));
    cdi_spread3(box.hi, cdi_v3_of(b.max));
    box.t_max = cdi_lanes_all(t_max < CD_REAL_MAX ? t_max : CD_REAL_MAX);
    box.box = b;
    box.end = t_max;
    cdi_list_begin(&list, hits, capacity);
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8)
        cdi_list_add8(&list, cdi_slab_rays8(&box, rays + i, count - i < 8 ? count - i : 8), i);
    return cdi_list_end(&list);
}

#undef CDI_SLAB_WIDER
#undef CDI_SLAB_INSIDE
#undef CDI_SLAB_INVERSE
#undef CDI_LENGTH_LEAST
#undef CDI_LENGTH_MOST
