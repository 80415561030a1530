#include "bounds/swept_fit.h"
#include "bounds/box3d.h"
#include "core/angle.h"
#include "core/moments.h"
#include "query/flat3d.h"

/* Balls to be held: points with the radius 0, or the corners of two volumes. Coordinates are times 2^shift. */
typedef struct cdi_balls {
    const cd_vec3 *points; /* the centres, rounded */
    const cdi_v3 *centers; /* the centres, or NULL where the points are */
    const double *radii;   /* or NULL for 0 */
    size_t count;
    int shift;
} cdi_balls;

static cdi_v3 cdi_ball_center(const cdi_balls *b, size_t i) {
    return b->centers ? b->centers[i] : cdi_v3_scale2(cdi_v3_of(b->points[i]), b->shift);
}
static double cdi_ball_radius(const cdi_balls *b, size_t i) {
    return b->radii ? b->radii[i] : 0.0;
}

/* ---- directions ---- */

static cdi_m3 cdi_balls_frame(const cdi_balls *b, cdi_v3 *mean) {
    cdi_v3 center = cdi_mean(b->points, b->count);
    cdi_m3 m = cdi_covariance(b->points, b->count, center, cdi_spread_scale(b->points, b->count, center));
    *mean = cdi_v3_make(cdi_scale2(center.x, b->shift), cdi_scale2(center.y, b->shift),
                        cdi_scale2(center.z, b->shift));
    return cdi_principal_frame(&m);
}

/* ---- centres ----
 * The centre of a small ball around balls or, seen along an axis, of a small circle around circles: the ones farthest from
 * the last centre are collected (Badoiu and Clarkson 2003), and the centre of these few is a weighted mean. */

enum { CDI_CENTER_SET = 8, CDI_CENTER_STEPS = 40, CDI_CENTER_PASSES = 12 };

/* How far the ball reaches from c; `way` is from c to its centre. */
static double cdi_reach_off_axis(const cdi_balls *b, size_t i, cdi_v3 c, cdi_v3 axis, cdi_v3 *way) {
    *way = cdi_v3_across(cdi_v3_sub(cdi_ball_center(b, i), c), axis, 1.0);
    return cdi_sqrt(cdi_v3_sqlength(*way)) + cdi_ball_radius(b, i);
}

static size_t cdi_farthest_ball(const cdi_balls *b, cdi_v3 c, cdi_v3 axis) {
    size_t best = 0;
    double most = -1.0;
    for (size_t i = 0; i < b->count; ++i) {
        cdi_v3 way;
        double reach = cdi_reach_off_axis(b, i, c, axis, &way);
        if (reach <= most) continue;
        most = reach;
        best = i;
    }
    return best;
}

/* Weight goes from the nearest point that has any to the farthest one, as much as is best for the two, and the centre with
 * it. `weight` sums to 1. */
static cdi_v3 cdi_center_step(const cdi_v3 *x, double *weight, int count, cdi_v3 c) {
    int from = -1, to = 0;
    double least = 0.0, most = -1.0, apart, share;
    for (int i = 0; i < count; ++i) {
        double square = cdi_v3_sqlength(cdi_v3_sub(x[i], c));
        if (weight[i] > 0.0 && (from < 0 || square < least)) {
            least = square;
            from = i;
        }
        if (square > most) {
            most = square;
            to = i;
        }
    }
    apart = from < 0 ? 0.0 : 2.0 * cdi_v3_sqlength(cdi_v3_sub(x[to], x[from]));
    if (!(apart > 0.0)) return c;
    share = cdi_min((most - least) / apart, weight[from]);
    weight[from] -= share;
    weight[to] += share;
    return cdi_v3_along(c, cdi_v3_sub(x[to], x[from]), share);
}

/* The members without weight leave the set. */
static cdi_v3 cdi_center_of_points(const cdi_balls *b, size_t *set, int *members, cdi_v3 c, cdi_v3 axis) {
    cdi_v3 x[CDI_CENTER_SET], old = c;
    double weight[CDI_CENTER_SET];
    int count = *members;
    for (int i = 0; i < count; ++i) {
        x[i] = cdi_v3_add(old, cdi_v3_across(cdi_v3_sub(cdi_ball_center(b, set[i]), old), axis, 1.0));
        weight[i] = 1.0 / (double)count;
        c = i ? cdi_v3_along(c, cdi_v3_sub(x[i], c), 1.0 / (double)(i + 1)) : x[0];
    }
    for (int i = 0; i < CDI_CENTER_STEPS; ++i) c = cdi_center_step(x, weight, count, c);
    *members = 0;
    for (int i = 0; i < count; ++i) {
        if (weight[i] > 1e-6) set[(*members)++] = set[i];
    }
    return c;
}

/* Of all balls, which are few: toward the farthest by shorter and shorter steps; the best centre on the way. */
static cdi_v3 cdi_center_of_balls(const cdi_balls *b, cdi_v3 c, cdi_v3 axis) {
    cdi_v3 best = c;
    double least = CDI_HUGE;
    for (int i = 0; i < 4 * CDI_CENTER_STEPS; ++i) {
        cdi_v3 way;
        size_t farthest = cdi_farthest_ball(b, c, axis);
        double reach = cdi_reach_off_axis(b, farthest, c, axis, &way),
               length = cdi_sqrt(cdi_v3_sqlength(way));
        if (reach < least) {
            least = reach;
            best = c;
        }
        if (!(length > 0.0)) break;
        c = cdi_v3_along(c, way, reach / (length * (double)(i + 2)));
    }
    return best;
}

static cdi_v3 cdi_small_center(const cdi_balls *b, cdi_v3 c, cdi_v3 axis) {
    size_t set[CDI_CENTER_SET];
    int count = 0;
    if (b->radii) return cdi_center_of_balls(b, c, axis);
    for (int pass = 0; pass < CDI_CENTER_PASSES && count < CDI_CENTER_SET; ++pass) {
        size_t farthest = cdi_farthest_ball(b, c, axis);
        for (int i = 0; i < count; ++i) {
            if (set[i] == farthest) return c;
        }
        set[count++] = farthest;
        c = cdi_center_of_points(b, set, &count, c, axis);
    }
    return c;
}

/* ---- what the stored numbers need ---- */

/* The distance from p to some point a + s e + t g of the parallelogram, nearly the nearest, and more than all rounding: 16 u
 * of the vectors' sizes. Whatever s and t are in [0, 1], the bound holds. */
static double cdi_distance_bound(cdi_v3 p, cdi_v3 a, cdi_v3 e, cdi_v3 g) {
    double ee = cdi_v3_sqlength(e), gg = cdi_v3_sqlength(g), s = 0.0, t = 0.0, size;
    cdi_v3 way = cdi_v3_sub(p, a), rest;
    size = cdi_v3_max_abs(way) + cdi_v3_max_abs(e) + cdi_v3_max_abs(g);
    for (int i = 0; i < 2; ++i) {
        if (ee > 0.0) s = cdi_clamp(cdi_v3_dot(cdi_v3_along(way, g, -t), e) / ee, 0.0, 1.0);
        if (gg > 0.0) t = cdi_clamp(cdi_v3_dot(cdi_v3_along(way, e, -s), g) / gg, 0.0, 1.0);
    }
    rest = cdi_v3_along(cdi_v3_along(way, e, -s), g, -t);
    if (cdi_v3_is_zero(rest) && s == 0.0 && t == 0.0)
        return 0.0; /* the corner itself: p - a is exact when 0 */
    return cdi_v3_length(rest) * 1.000000000000001 + 1.7763568394002505e-15 * size;
}

/* Back from the scale of the balls, rounded up. */
static cd_real cdi_radius_back(double r, int shift) {
    double back = cdi_scale2(r, -shift);
    if (cdi_scale2(back, shift) < r) back = cdi_next_double(back, true);
    return cdi_round_up(back);
}

/* The radius that the core needs to hold all balls; `end` is a point of it that is known without rounding. */
static cd_real cdi_needed_radius(const cdi_balls *b, cdi_v3 a, cdi_v3 e, cdi_v3 g, cdi_v3 end) {
    double most = 0.0;
    for (size_t i = 0; i < b->count; ++i) {
        cdi_v3 p = cdi_ball_center(b, i);
        double reach = cdi_distance_bound(p, a, e, g), radius = cdi_ball_radius(b, i);
        if (cdi_v3_is_zero(cdi_v3_sub(p, end))) reach = 0.0;
        if (b->shift) reach += 1e-290; /* what scaling may have lost of small coordinates */
        if (radius > 0.0) reach = (reach + radius) * (reach > 0.0 ? 1.0000000000000005 : 1.0);
        most = cdi_max(reach, most);
    }
    return cdi_radius_back(most, b->shift);
}

static cd_vec3 cdi_point_back(cdi_v3 p, int shift) {
    return cd_vec3_make(cdi_real_of(cdi_scale2(p.x, -shift)), cdi_real_of(cdi_scale2(p.y, -shift)),
                        cdi_real_of(cdi_scale2(p.z, -shift)));
}

static void cdi_capsule_seal(const cdi_balls *b, cd_capsule *c) {
    cdi_v3 a = cdi_v3_scale2(cdi_v3_of(c->a), b->shift), end = cdi_v3_scale2(cdi_v3_of(c->b), b->shift);
    c->radius = cdi_needed_radius(b, a, cdi_v3_sub(end, a), cdi_v3_make(0.0, 0.0, 0.0), end);
}

static void cdi_lozenge_seal(const cdi_balls *b, cd_lozenge *l) {
    cdi_v3 a = cdi_v3_scale2(cdi_v3_of(l->a), b->shift);
    l->radius = cdi_needed_radius(b, a, cdi_v3_scale2(cdi_v3_of(l->edge[0]), b->shift),
                                  cdi_v3_scale2(cdi_v3_of(l->edge[1]), b->shift), a);
}

/* The volume over pi in the balls' scale, where it stays in range. */
static double cdi_lozenge_size(const cd_lozenge *l, int shift) {
    cdi_v3 e = cdi_v3_scale2(cdi_v3_of(l->edge[0]), shift), g = cdi_v3_scale2(cdi_v3_of(l->edge[1]), shift);
    double r = cdi_scale2((double)l->radius, shift), length = cdi_v3_length(e), width = cdi_v3_length(g);
    return (length * width * 0.63661977236758138 + (length + width + r * (4.0 / 3.0)) * r) * r;
}

static double cdi_capsule_size(const cd_capsule *c, int shift) {
    double r = cdi_scale2((double)c->radius, shift);
    double length = cdi_v3_length(
        cdi_v3_sub(cdi_v3_scale2(cdi_v3_of(c->b), shift), cdi_v3_scale2(cdi_v3_of(c->a), shift)));
    return (length + r * (4.0 / 3.0)) * r * r;
}

/* Smaller, or known where the other is NaN. */
static bool cdi_is_better(double size, double old) {
    return size == size && !(old <= size);
}

/* ---- capsules ---- */

/* Keeps the capsule, after its radius is known, if it is the smaller. */
static void cdi_capsule_offer(const cdi_balls *b, cd_capsule c, cd_capsule *best) {
    double old = cdi_capsule_size(best, b->shift), size;
    cdi_capsule_seal(b, &c);
    size = cdi_capsule_size(&c, b->shift);
    if (best->radius < 0 || cdi_is_better(size, old) || (size == old && c.radius < best->radius)) *best = c;
}

static double cdi_axis_radius(const cdi_balls *b, cdi_v3 o, cdi_v3 axis) {
    double most = 0.0;
    for (size_t i = 0; i < b->count; ++i) {
        cdi_v3 way;
        most = cdi_max(cdi_reach_off_axis(b, i, o, axis, &way), most);
    }
    return most;
}

/* How far along the core a ball may lie from its place, within the radius: the height of the cap above it. */
static double cdi_cap_height(double radius, double ball, double off) {
    double left = radius - ball, square = left * left - off * off;
    return square > 0.0 ? cdi_sqrt(square) : 0.0;
}

/* The shortest core on the line that holds all balls with the radius: every ball is touched by a cap, or passed. */
static cd_capsule cdi_capsule_on_line(const cdi_balls *b, cdi_v3 o, cdi_v3 axis) {
    double radius = cdi_axis_radius(b, o, axis), from = CDI_HUGE, to = -CDI_HUGE;
    cd_capsule c;
    for (size_t i = 0; i < b->count; ++i) {
        cdi_v3 p = cdi_v3_sub(cdi_ball_center(b, i), o), off = cdi_v3_across(p, axis, 1.0);
        double at = cdi_v3_dot(p, axis),
               cap = cdi_cap_height(radius, cdi_ball_radius(b, i), cdi_sqrt(cdi_v3_sqlength(off)));
        from = cdi_min(at + cap, from);
        to = cdi_max(at - cap, to);
    }
    if (from > to) from = to = 0.5 * from + 0.5 * to;
    c.a = cdi_point_back(cdi_v3_along(o, axis, from), b->shift);
    c.b = cdi_point_back(cdi_v3_along(o, axis, to), b->shift);
    c.radius = 0;
    return c;
}

/* From the first ball's centre along the axis to the last one's: long and thin things want that. */
static cd_capsule cdi_capsule_of_extremes(const cdi_balls *b, cdi_v3 axis) {
    double least = CDI_HUGE, most = -CDI_HUGE;
    cd_capsule c;
    c.a = c.b = b->points[0];
    c.radius = 0;
    for (size_t i = 0; i < b->count; ++i) {
        double at = cdi_v3_dot(cdi_ball_center(b, i), axis);
        if (at < least) c.a = b->points[i];
        if (at > most) c.b = b->points[i];
        least = cdi_min(at, least);
        most = cdi_max(at, most);
    }
    return c;
}

static void cdi_offer_ball(const cdi_balls *b, cdi_v3 start, cd_capsule *best) {
    cd_capsule c;
    c.a = c.b = cdi_point_back(cdi_small_center(b, start, cdi_v3_make(0.0, 0.0, 0.0)), b->shift);
    c.radius = 0;
    cdi_capsule_offer(b, c, best);
}

static cd_capsule cdi_capsule_around(const cdi_balls *b, cdi_v3 mean, cdi_v3 axis, uint32_t method) {
    cd_capsule best;
    cdi_v3 o = method == CD_SWEPT_FIT_LEAST_SQUARES ? mean : cdi_small_center(b, mean, axis);
    cdi_clear(&best, sizeof best);
    best.radius = -1;
    cdi_capsule_offer(b, cdi_capsule_of_extremes(b, axis), &best);
    cdi_capsule_offer(b, cdi_capsule_on_line(b, o, axis), &best);
    cdi_offer_ball(b, mean, &best);
    return best;
}

/* ---- lozenges ---- */

/* The extent on the rectangle's axes, and the height of its plane. */
typedef struct cdi_patch {
    cdi_v3 o;
    cdi_m3 frame;
    double lo[2], hi[2], height, radius;
} cdi_patch;

static void cdi_patch_plane(cdi_patch *q, const cdi_balls *b, uint32_t method) {
    double lo = CDI_HUGE, hi = -CDI_HUGE;
    for (size_t i = 0; i < b->count; ++i) {
        double h = cdi_v3_dot(q->frame.c[2], cdi_v3_sub(cdi_ball_center(b, i), q->o)),
               r = cdi_ball_radius(b, i);
        lo = cdi_min(h - r, lo);
        hi = cdi_max(h + r, hi);
    }
    q->height = method == CD_SWEPT_FIT_LEAST_SQUARES ? 0.0 : 0.5 * (lo + hi);
    q->radius = cdi_max(hi - q->height, q->height - lo);
}

/* In the frame of the rectangle; `cap` as for capsules. */
static cdi_v3 cdi_patch_local(const cdi_patch *q, const cdi_balls *b, size_t i, double *cap) {
    cdi_v3 p = cdi_m3_tmul_v3(&q->frame, cdi_v3_sub(cdi_ball_center(b, i), q->o));
    *cap = cdi_cap_height(q->radius, cdi_ball_radius(b, i), p.z - q->height);
    return p;
}

/* Each axis by itself: the round sides touch. */
static void cdi_patch_sides(cdi_patch *q, const cdi_balls *b) {
    for (int k = 0; k < 2; ++k) {
        q->lo[k] = CDI_HUGE;
        q->hi[k] = -CDI_HUGE;
    }
    for (size_t i = 0; i < b->count; ++i) {
        double cap;
        cdi_v3 p = cdi_patch_local(q, b, i, &cap);
        for (int k = 0; k < 2; ++k) {
            q->lo[k] = cdi_min(cdi_v3_get(p, k) + cap, q->lo[k]);
            q->hi[k] = cdi_max(cdi_v3_get(p, k) - cap, q->hi[k]);
        }
    }
    for (int k = 0; k < 2; ++k) {
        if (q->lo[k] > q->hi[k]) q->lo[k] = q->hi[k] = 0.5 * q->lo[k] + 0.5 * q->hi[k];
    }
}

/* By how much a corner has to move out on both axes for a point that is x and y beyond it. */
static double cdi_corner_move(double x, double y, double cap) {
    double root = 2.0 * cap * cap - (x - y) * (x - y);
    if (!(x > 0.0 && y > 0.0) || x * x + y * y <= cap * cap) return 0.0;
    return cdi_max(0.5 * (x + y - (root > 0.0 ? cdi_sqrt(root) : 0.0)), 0.0);
}

/* The points beyond a corner on both axes: the ball there has to reach them (Larsen et al. 1999). */
static void cdi_patch_corners(cdi_patch *q, const cdi_balls *b) {
    for (size_t i = 0; i < b->count; ++i) {
        double cap, move;
        cdi_v3 p = cdi_patch_local(q, b, i, &cap);
        bool right = p.x > q->hi[0], up = p.y > q->hi[1];
        double *x = right ? &q->hi[0] : &q->lo[0], *y = up ? &q->hi[1] : &q->lo[1];
        move = cdi_corner_move(right ? p.x - *x : *x - p.x, up ? p.y - *y : *y - p.y, cap);
        *x += right ? move : -move;
        *y += up ? move : -move;
    }
}

static cd_lozenge cdi_lozenge_of_patch(const cdi_patch *q, int shift) {
    cd_lozenge l;
    cdi_v3 a = cdi_v3_make(q->lo[0], q->lo[1], q->height);
    l.a = cdi_point_back(cdi_v3_add(q->o, cdi_m3_mul_v3(&q->frame, a)), shift);
    for (int k = 0; k < 2; ++k)
        l.edge[k] = cdi_point_back(cdi_v3_scale(q->frame.c[k], q->hi[k] - q->lo[k]), shift);
    l.radius = 0;
    return l;
}

static void cdi_lozenge_offer(const cdi_balls *b, cd_lozenge l, cd_lozenge *best) {
    double old = cdi_lozenge_size(best, b->shift), size;
    if (!cd_lozenge_is_valid(&l)) return; /* edges that rounding has turned */
    cdi_lozenge_seal(b, &l);
    size = cdi_lozenge_size(&l, b->shift);
    if (cdi_is_better(size, old) || (size == old && l.radius < best->radius)) *best = l;
}

static void cdi_offer_frame(const cdi_balls *b, cdi_v3 o, const cdi_m3 *frame, uint32_t method,
                            cd_lozenge *best) {
    cdi_patch q;
    q.o = o;
    q.frame = *frame;
    cdi_patch_plane(&q, b, method);
    cdi_patch_sides(&q, b);
    cdi_patch_corners(&q, b);
    cdi_lozenge_offer(b, cdi_lozenge_of_patch(&q, b->shift), best);
}

enum { CDI_FIT_TURNS = 8 };

/* Of things about as long as wide the principal axes lie by chance: perhaps those of the rectangle, perhaps its diagonals. Of eight
 * rectangles in the plane the smallest is tried, too, where it saves a tenth. */
static void cdi_offer_turned(const cdi_balls *b, cdi_v3 o, const cdi_m3 *frame, uint32_t method,
                             cd_lozenge *best) {
    double lo[2 * CDI_FIT_TURNS], hi[2 * CDI_FIT_TURNS], area[CDI_FIT_TURNS];
    cdi_v3 axis[2 * CDI_FIT_TURNS];
    cdi_m3 turned = *frame;
    int least = 0;
    for (int k = 0; k < 2 * CDI_FIT_TURNS; ++k) {
        double sine, cosine;
        cdi_sincos((double)k * 0.19634954084936207, &sine, &cosine); /* pi / 16 */
        axis[k] = cdi_v3_along(cdi_v3_scale(frame->c[0], cosine), frame->c[1], sine);
        lo[k] = CDI_HUGE;
        hi[k] = -CDI_HUGE;
    }
    for (size_t i = 0; i < b->count; ++i) {
        cdi_v3 p = cdi_v3_sub(cdi_ball_center(b, i), o);
        double r = cdi_ball_radius(b, i);
        for (int k = 0; k < 2 * CDI_FIT_TURNS; ++k) {
            double at = cdi_v3_dot(p, axis[k]);
            lo[k] = cdi_min(at - r, lo[k]);
            hi[k] = cdi_max(at + r, hi[k]);
        }
    }
    for (int k = 0; k < CDI_FIT_TURNS; ++k) {
        area[k] = (hi[k] - lo[k]) * (hi[k + CDI_FIT_TURNS] - lo[k + CDI_FIT_TURNS]);
        if (area[k] < area[least]) least = k;
    }
    if (!(area[least] < 0.9 * area[0])) return;
    turned.c[0] = axis[least];
    turned.c[1] = axis[least + CDI_FIT_TURNS];
    cdi_offer_frame(b, o, &turned, method, best);
}

static cd_lozenge cdi_lozenge_around(const cdi_balls *b, cdi_v3 mean, const cdi_m3 *frame, uint32_t method) {
    cd_capsule c = cdi_capsule_around(b, mean, frame->c[0], method);
    cd_lozenge best = cd_lozenge_from_capsule(&c);
    cdi_lozenge_seal(b, &best);
    cdi_offer_frame(b, mean, frame, method, &best);
    cdi_offer_turned(b, mean, frame, method, &best);
    return best;
}

/* ---- from points ---- */

static cd_status cdi_fit_check(const cd_vec3 *points, size_t count, const cd_swept_fit_options *options,
                               cdi_balls *b) {
    double most = 0.0;
    cdi_clear(b, sizeof *b);
    if (count == 0 || !points || (options && options->method >= CD_SWEPT_FIT_COUNT))
        return CD_INVALID_ARGUMENT;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(points[i])) return CD_INVALID_ARGUMENT;
        most = cdi_max(cdi_v3_max_abs(cdi_v3_of(points[i])), most);
    }
    b->points = points;
    b->count = count;
    b->shift = cdi_tame_shift(most);
    return CD_OK;
}

CD_API cd_status cd_capsule_from_points(const cd_vec3 *points, size_t count,
                                        const cd_swept_fit_options *options, cd_capsule *out) {
    cdi_balls b;
    cdi_v3 mean;
    cdi_m3 frame;
    cd_status status = cdi_fit_check(points, count, options, &b);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    frame = cdi_balls_frame(&b, &mean);
    *out = cdi_capsule_around(&b, mean, frame.c[0], options ? options->method : 0u);
    if (cd_capsule_is_valid(out)) return CD_OK;
    cdi_clear(out, sizeof *out);
    return CD_TOO_LARGE;
}

CD_API cd_status cd_lozenge_from_points(const cd_vec3 *points, size_t count,
                                        const cd_swept_fit_options *options, cd_lozenge *out) {
    cdi_balls b;
    cdi_v3 mean;
    cdi_m3 frame;
    cd_status status = cdi_fit_check(points, count, options, &b);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    frame = cdi_balls_frame(&b, &mean);
    *out = cdi_lozenge_around(&b, mean, &frame, options ? options->method : 0u);
    if (cd_lozenge_is_valid(out)) return CD_OK;
    cdi_clear(out, sizeof *out);
    return CD_TOO_LARGE;
}

/* ---- of two ---- */

static bool cdi_capsule_holds(const cd_capsule *a, const cd_capsule *b) {
    return cdi_capsule_holds_ball(a, b->a, b->radius) && cdi_capsule_holds_ball(a, b->b, b->radius);
}

/* The smallest that was found along the principal axis of the four ends, and along each of the two. */
CD_API cd_capsule cd_merge_capsule_capsule(const cd_capsule *a, const cd_capsule *b) {
    cd_vec3 points[4];
    double radii[4];
    cdi_balls balls;
    cdi_v3 mean, axis[2];
    cdi_m3 frame;
    cd_capsule best;
    cdi_clear(&best, sizeof best);
    best.radius = (cd_real)cdi_nan();
    if (a->radius < 0) return *b;
    if (b->radius < 0) return *a;
    if (!cd_capsule_is_valid(a) || !cd_capsule_is_valid(b)) return best;
    if (cdi_capsule_holds(a, b)) return *a;
    if (cdi_capsule_holds(b, a)) return *b;
    cdi_clear(&balls, sizeof balls);
    balls.shift = cdi_tame_shift(cdi_max(cdi_capsule_most(a), cdi_capsule_most(b)));
    for (int i = 0; i < 4; ++i) {
        const cd_capsule *c = i < 2 ? a : b;
        points[i] = i & 1 ? c->b : c->a;
        radii[i] = cdi_scale2((double)c->radius, balls.shift);
    }
    balls.points = points;
    balls.radii = radii;
    balls.count = 4;
    frame = cdi_balls_frame(&balls, &mean);
    best = cdi_capsule_around(&balls, mean, frame.c[0], 0u);
    axis[0] = cdi_v3_normalize(cdi_half_diff(cdi_v3_of(a->b), cdi_v3_of(a->a)));
    axis[1] = cdi_v3_normalize(cdi_half_diff(cdi_v3_of(b->b), cdi_v3_of(b->a)));
    for (int i = 0; i < 2; ++i) {
        if (!cdi_v3_is_zero(axis[i]))
            cdi_capsule_offer(
                &balls, cdi_capsule_on_line(&balls, cdi_small_center(&balls, mean, axis[i]), axis[i]), &best);
    }
    return best;
}

/* The eight corners; each is off by at most 4 u of the numbers it is the sum of, which its radius makes up for. */
static void cdi_lozenge_corners(const cd_lozenge *l, int shift, cdi_v3 *centers, double *radii,
                                cd_vec3 *points) {
    cdi_v3 a = cdi_v3_scale2(cdi_v3_of(l->a), shift), e = cdi_v3_scale2(cdi_v3_of(l->edge[0]), shift),
           g = cdi_v3_scale2(cdi_v3_of(l->edge[1]), shift);
    double size = cdi_v3_max_abs(a) + cdi_v3_max_abs(e) + cdi_v3_max_abs(g);
    for (int i = 0; i < 4; ++i) {
        centers[i] = cdi_v3_add(i & 1 ? cdi_v3_add(a, e) : a, i & 2 ? g : cdi_v3_make(0.0, 0.0, 0.0));
        radii[i] = cdi_scale2((double)l->radius, shift) + (i ? 4.440892098500626e-16 * size : 0.0);
        points[i] = cdi_point_back(centers[i], shift);
    }
}

CD_API cd_lozenge cd_merge_lozenge_lozenge(const cd_lozenge *a, const cd_lozenge *b) {
    cd_vec3 points[8];
    cdi_v3 centers[8], mean;
    double radii[8];
    cdi_balls balls;
    cdi_m3 frame;
    cd_lozenge best;
    cdi_clear(&best, sizeof best);
    best.radius = (cd_real)cdi_nan();
    if (a->radius < 0) return *b;
    if (b->radius < 0) return *a;
    if (!cd_lozenge_is_valid(a) || !cd_lozenge_is_valid(b)) return best;
    balls.shift = cdi_tame_shift(cdi_max(cdi_lozenge_most(a), cdi_lozenge_most(b)));
    cdi_lozenge_corners(a, balls.shift, centers, radii, points);
    cdi_lozenge_corners(b, balls.shift, centers + 4, radii + 4, points + 4);
    balls.points = points;
    balls.centers = centers;
    balls.radii = radii;
    balls.count = 8;
    frame = cdi_balls_frame(&balls, &mean);
    best = cdi_lozenge_around(&balls, mean, &frame, 0u);
    for (int i = 0; i < 2; ++i) {
        const cd_lozenge *l = i ? b : a;
        cdi_v3 e = cdi_v3_of(l->edge[0]), g = cdi_v3_of(l->edge[1]);
        if (cdi_v3_is_zero(e)) e = g;
        frame = cdi_fit_frame(e, g);
        cdi_offer_frame(&balls, mean, &frame, 0u, &best);
        cdi_lozenge_offer(&balls, *l, &best);
    }
    return best;
}
