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
    int axis[3]; /* kx, ky, kz */
    cdi_lanes o[3], shear[2], scale;
    bool sound; /* the filter may be asked */
} cdi_ray_lanes;

static cdi_ray_lanes cdi_ray_lanes_of(const cdi_ray *r) {
    cdi_ray_lanes l;
    double length = cdi_abs(r->d[r->kz]);
    l.axis[0] = r->kx, l.axis[1] = r->ky, l.axis[2] = r->kz;
    for (int k = 0; k < 3; ++k) l.o[k] = cdi_lanes_all((cd_real)r->o[l.axis[k]]);
    l.sound = length >= CDI_LENGTH_LEAST && length <= CDI_LENGTH_MOST;
    l.shear[0] = cdi_lanes_all((cd_real)r->sx);
    l.shear[1] = cdi_lanes_all((cd_real)r->sy);
    l.scale = cdi_lanes_all(l.sound ? (cd_real)r->sz : 0);
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
    uint32_t both = cdi_lanes_le(bound, most) & cdi_lanes_le(least, cdi_lanes_sub(cdi_lanes_all(0), bound));
    return both & cdi_lanes_le(bound, cdi_lanes_all(CDI_LANE_HUGE));
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
        cd_triangle8_pack(many + i, rest < 8 ? rest : 8, &block);
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
    for (int k = 0; k < 3; ++k) {
        o[k] = cdi_lanes_mul(cdi_lanes_sub(cdi_lanes_load(rows + 8 * k), t->a[k]), t->scale);
        d[k] = cdi_lanes_load(rows + 24 + 8 * k);
    }
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
    cdi_to_rows((const cd_real *)rays, 6, count, 0, rows);
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

/* ---- rays and boxes ---- */

/* Where eight lines are between two planes of an axis, by three roundings: along the way that lines go first and last. */
typedef struct cdi_slab_lanes {
    cdi_lanes in, out;
    cdi_lanes sum; /* of what must be finite */
} cdi_slab_lanes;

static cdi_slab_lanes cdi_slab_begin(cdi_lanes t_max) {
    cdi_slab_lanes s;
    s.in = s.sum = cdi_lanes_all(0);
    s.out = t_max;
    return s;
}

/* `first` and `last`: the planes in the order the line meets them, relative to the origin; 0 times infinity, where a line
 * runs in a plane, is passed over. */
CDI_INLINE void cdi_slab_add(cdi_slab_lanes *s, cdi_lanes first, cdi_lanes last, cdi_lanes inverse) {
    s->in = cdi_lanes_max(cdi_lanes_mul(first, inverse), s->in);
    s->out = cdi_lanes_min(cdi_lanes_mul(last, inverse), s->out);
    s->sum = cdi_lanes_add(s->sum, cdi_lanes_add(first, last));
}

/* What is sure: a bit for each of those that meet, and of those left in doubt. */
typedef struct cdi_box_verdicts {
    uint32_t meet, doubt;
} cdi_box_verdicts;

CDI_INLINE cdi_box_verdicts cdi_slab_verdicts(const cdi_slab_lanes *s) {
    cdi_lanes huge = cdi_lanes_all(CDI_LANE_HUGE), tiny = cdi_lanes_all(CDI_LANE_TINY);
    cdi_lanes slack = cdi_lanes_add(cdi_lanes_mul(s->out, cdi_lanes_all(10 * CDI_LANE_U)), tiny);
    uint32_t sound = cdi_lanes_le(cdi_lanes_abs(s->sum), huge);
    uint32_t maybe = cdi_lanes_le(s->in, cdi_lanes_add(s->out, slack));
    cdi_box_verdicts v;
    v.meet = sound & cdi_lanes_le(s->in, cdi_lanes_sub(s->out, slack));
    v.doubt = ~(sound & (v.meet | ~maybe));
    return v;
}

/* One ray for many boxes. */
typedef struct cdi_slab_ray {
    cdi_lanes o[3], inverse[3], t_max;
    int first[3]; /* 1 where the maximum comes first */
    bool sound;
} cdi_slab_ray;

static bool cdi_length_fits(double x) {
    return x == 0.0 || (cdi_abs(x) >= CDI_LENGTH_LEAST && cdi_abs(x) <= CDI_LENGTH_MOST);
}

/* False when no box is hit. */
static bool cdi_slab_ray_begin(cdi_slab_ray *s, const cd_ray *r, cd_real t_max) {
    cdi_cast c;
    double o[3], d[3];
    if (!cdi_cast_begin(&c, r, t_max, NULL)) return false;
    cdi_v3_store(o, c.o);
    cdi_v3_store(d, c.d);
    s->sound = true;
    s->t_max = cdi_lanes_all((cd_real)c.t_max);
    for (int k = 0; k < 3; ++k) {
        bool fits = cdi_length_fits(d[k]);
        s->sound = s->sound && fits;
        s->first[k] = d[k] < 0.0;
        s->o[k] = cdi_lanes_all((cd_real)o[k]);
        s->inverse[k] = cdi_lanes_all((cd_real)(d[k] == 0.0 || !fits ? cdi_infinity() : 1.0 / d[k]));
    }
    return true;
}

CDI_INLINE cdi_box_verdicts cdi_slab_boxes8(const cdi_slab_ray *r, const cd_aabb8 *b) {
    cdi_box_verdicts all = {0, 0};
    for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
        cdi_slab_lanes s = cdi_slab_begin(r->t_max);
        cdi_box_verdicts v;
        for (int k = 0; k < 3; ++k) {
            const cd_real *first = b->number[r->first[k]][k] + lane,
                          *last = b->number[1 - r->first[k]][k] + lane;
            cdi_slab_add(&s, cdi_lanes_sub(cdi_lanes_load(first), r->o[k]),
                         cdi_lanes_sub(cdi_lanes_load(last), r->o[k]), r->inverse[k]);
        }
        v = cdi_slab_verdicts(&s);
        all.meet |= (v.meet & ((1u << CDI_LANES) - 1u)) << lane;
        all.doubt |= (v.doubt & ((1u << CDI_LANES) - 1u)) << lane;
    }
    return all;
}

/* Those of a block that the ray meets. */
CDI_INLINE uint32_t cdi_slab_hits8(const cdi_slab_ray *s, const cd_ray *r, cd_real t_max,
                                   const cd_aabb8 *block, uint32_t left) {
    cdi_box_verdicts v = {0, 255u};
    if (s->sound) v = cdi_slab_boxes8(s, block);
    v.meet &= left;
    for (v.doubt &= left; v.doubt; v.doubt &= v.doubt - 1u) {
        uint32_t i = cdi_lowest_bit(v.doubt);
        v.meet |= (uint32_t)cd_cast_ray_aabb(r, t_max, cd_aabb8_get(block, i), NULL, NULL) << i;
    }
    return v.meet;
}

CD_API size_t cd_test_ray_aabb8s(const cd_ray *r, cd_real t_max, const cd_aabb8 *blocks, size_t count,
                                 uint32_t *hits, size_t capacity) {
    cdi_slab_ray s;
    size_t found = 0;
    if (!cdi_slab_ray_begin(&s, r, t_max)) return 0;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        uint32_t met = cdi_slab_hits8(&s, r, t_max, &blocks[i / 8], cdi_lanes_left(count - i));
        found = cdi_append_hits(met, i, hits, capacity, found);
    }
    return found;
}

CD_API size_t cd_test_ray_aabbs(const cd_ray *r, cd_real t_max, const cd_aabb *many, size_t count,
                                uint32_t *hits, size_t capacity) {
    cdi_slab_ray s;
    size_t found = 0;
    if (!cdi_slab_ray_begin(&s, r, t_max)) return 0;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        cd_aabb8 block;
        size_t rest = count - i;
        cd_aabb8_pack(many + i, rest < 8 ? rest : 8, &block);
        found = cdi_append_hits(cdi_slab_hits8(&s, r, t_max, &block, cdi_lanes_left(rest)), i, hits, capacity,
                                found);
    }
    return found;
}

/* One box for many rays; `rows` are their origins and directions. A ray without way along an axis is left in doubt. */
CDI_INLINE cdi_box_verdicts cdi_slab_rays(const cdi_lanes lo[3], const cdi_lanes hi[3], cdi_lanes t_max,
                                          const cd_real *rows) {
    cdi_lanes least = cdi_lanes_all((cd_real)CDI_LENGTH_LEAST),
              most = cdi_lanes_all((cd_real)CDI_LENGTH_MOST);
    cdi_slab_lanes s = cdi_slab_begin(t_max);
    uint32_t fits = ~0u;
    cdi_box_verdicts v;
    for (int k = 0; k < 3; ++k) {
        cdi_lanes o = cdi_lanes_load(rows + 8 * k), d = cdi_lanes_load(rows + 24 + 8 * k), p, q, one;
        one = cdi_lanes_all(1);
        p = cdi_lanes_sub(lo[k], o);
        q = cdi_lanes_sub(hi[k], o);
        s.sum = cdi_lanes_add(s.sum, cdi_lanes_add(p, q));
        fits &= cdi_lanes_le(least, cdi_lanes_abs(d)) & cdi_lanes_le(cdi_lanes_abs(d), most);
        d = cdi_lanes_div(one, d);
        p = cdi_lanes_mul(p, d);
        q = cdi_lanes_mul(q, d);
        s.in = cdi_lanes_max(cdi_lanes_min(p, q), s.in);
        s.out = cdi_lanes_min(cdi_lanes_max(p, q), s.out);
    }
    v = cdi_slab_verdicts(&s);
    v.meet &= fits;
    v.doubt |= ~fits;
    return v;
}

static uint32_t cdi_slab_rays8(cd_aabb b, cd_real t_max, const cd_ray *rays, size_t count) {
    cdi_lanes lo[3], hi[3], end = cdi_lanes_all(t_max < CD_REAL_MAX ? t_max : CD_REAL_MAX);
    cdi_box_verdicts all = {0, 0};
    cd_real rows[48];
    cdi_spread3(lo, cdi_v3_of(b.min));
    cdi_spread3(hi, cdi_v3_of(b.max));
    cdi_to_rows((const cd_real *)rays, 6, count, 0, rows);
    for (size_t lane = 0; lane < 8; lane += CDI_LANES) {
        cdi_box_verdicts v = cdi_slab_rays(lo, hi, end, rows + lane);
        all.meet |= (v.meet & ((1u << CDI_LANES) - 1u)) << lane;
        all.doubt |= (v.doubt & ((1u << CDI_LANES) - 1u)) << lane;
    }
    all.meet &= cdi_lanes_left(count);
    for (all.doubt &= cdi_lanes_left(count); all.doubt; all.doubt &= all.doubt - 1u) {
        uint32_t i = cdi_lowest_bit(all.doubt);
        all.meet |= (uint32_t)cd_cast_ray_aabb(&rays[i], t_max, b, NULL, NULL) << i;
    }
    return all.meet;
}

CD_API size_t cd_test_rays_aabb(const cd_ray *rays, size_t count, cd_real t_max, cd_aabb b, uint32_t *hits,
                                size_t capacity) {
    size_t found = 0;
    if (!cd_aabb_is_valid(b) || !(t_max >= 0)) return 0;
    count = cdi_countable(count);
    for (size_t i = 0; i < count; i += 8) {
        size_t rest = count - i < 8 ? count - i : 8;
        found = cdi_append_hits(cdi_slab_rays8(b, t_max, rays + i, rest), i, hits, capacity, found);
    }
    return found;
}

#undef CDI_LENGTH_LEAST
#undef CDI_LENGTH_MOST
