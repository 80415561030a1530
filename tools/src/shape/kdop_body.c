#include "shape/kdop_body.h"
#include "core/exact.h"
#include "core/orient.h"
#include "core/pose.h"
#include "shape/kdop3d.h"
#include "shape/slab3d.h"
#include "shape/volume3d.h"

/* ---- linear programs ---- */

enum { CDI_KDOP_STEPS = 32 };

CDI_FN bool cdi_kdop_begin(cdi_kdop_program *p, const cd_kdop *dop, const cd_kdop_set *set) {
    bool good = cd_kdop_is_valid(dop, set);
    p->count = good ? cdi_kdop_sides(dop, set, p->side) : 0;
    return good;
}

static void cdi_kdop_row(const cdi_kdop_program *p, int side, double c[4]) {
    cdi_v3_store(c, p->side[side].n);
    c[3] = p->side[side].d;
}

/* Three sides in doubles, and their duals: n . dual is 1 with a side's own, 0 with the others'. */
typedef struct cdi_kdop_basis {
    int side[3];
    cdi_v3 dual[3];
} cdi_kdop_basis;

static bool cdi_kdop_dualize(const cdi_kdop_program *p, cdi_kdop_basis *b) {
    double det;
    for (int k = 0; k < 3; ++k)
        b->dual[k] = cdi_v3_cross(p->side[b->side[(k + 1) % 3]].n, p->side[b->side[(k + 2) % 3]].n);
    det = cdi_v3_dot(p->side[b->side[0]].n, b->dual[0]);
    for (int k = 0; k < 3; ++k) b->dual[k] = cdi_v3_scale(b->dual[k], 1.0 / det);
    return cdi_abs(det) > 1e-100;
}

/* The upper sides of three axes that are as independent as can be found by taking one after the other. */
static bool cdi_kdop_first_basis(const cdi_kdop_program *p, cdi_kdop_basis *b) {
    double most = 0.0, more = 0.0;
    b->side[0] = b->side[1] = b->side[2] = 1;
    for (int i = 3; i < p->count; i += 2) {
        double size = cdi_v3_sqlength(cdi_v3_cross(p->side[1].n, p->side[i].n));
        if (size > most) {
            most = size;
            b->side[1] = i;
        }
    }
    for (int i = 3; i < p->count; i += 2) {
        double det = cdi_abs(cdi_v3_dot(cdi_v3_cross(p->side[1].n, p->side[b->side[1]].n), p->side[i].n));
        if (det > more) {
            more = det;
            b->side[2] = i;
        }
    }
    return cdi_kdop_dualize(p, b);
}

/* The side that a vertex violates most; -1: none, but by rounding. */
static int cdi_kdop_worst_side(const cdi_kdop_program *p, const cdi_kdop_basis *b) {
    cdi_v3 at = cdi_v3_make(0.0, 0.0, 0.0);
    double most = 0.0;
    int worst = -1;
    for (int k = 0; k < 3; ++k) at = cdi_v3_along(at, b->dual[k], p->side[b->side[k]].d);
    for (int i = 0; i < p->count; ++i) {
        double over = cdi_v3_dot(p->side[i].n, at) - p->side[i].d;
        if (over > most && over > 1e-13 * (cdi_v3_max_abs(p->side[i].n) * cdi_v3_max_abs(at))) {
            most = over;
            worst = i;
        }
    }
    return worst;
}

/* The side that gives way to another such that the goal stays made of all three; -1: none can. */
static int cdi_kdop_leaving(const cdi_kdop_program *p, const cdi_kdop_basis *b, cdi_v3 goal, int entering) {
    double least = CDI_HUGE;
    int leaving = -1;
    for (int k = 0; k < 3; ++k) {
        double share = cdi_v3_dot(p->side[entering].n, b->dual[k]), factor = cdi_v3_dot(goal, b->dual[k]);
        if (share > 1e-12 && factor / share < least) {
            least = factor / share;
            leaving = k;
        }
    }
    return leaving;
}

/* The sides of the farthest corner along a goal near length 1, most likely: the dual simplex method. */
static bool cdi_kdop_guess(const cdi_kdop_program *p, cdi_v3 goal, cdi_kdop_basis *b) {
    if (p->count % 2 || p->count < 6 || !cdi_kdop_first_basis(p, b)) return false;
    for (int k = 0; k < 3; ++k) {
        if (cdi_v3_dot(goal, b->dual[k]) >= 0.0) continue;
        b->side[k] -= 1; /* the lower side */
        b->dual[k] = cdi_v3_neg(b->dual[k]);
    }
    for (int steps = 0; steps < CDI_KDOP_STEPS; ++steps) {
        int entering = cdi_kdop_worst_side(p, b), leaving;
        if (entering < 0) return true;
        leaving = cdi_kdop_leaving(p, b, goal, entering);
        if (leaving < 0) return false;
        b->side[leaving] = entering;
        if (!cdi_kdop_dualize(p, b)) return false;
    }
    return false;
}

/* The goal of the exact program, which has less than any number in place of 2^-14. */
static cdi_v3 cdi_kdop_goal_seen(cdi_v3 goal) {
    double size = cdi_v3_max_abs(goal), t = 1.0 / 16384.0;
    cdi_v3 g = size > 0.0 ? cdi_v3_scale(goal, 1.0 / size) : goal;
    return cdi_v3_sub(g, cdi_v3_make(t, t * t, t * t * t));
}

CDI_FN bool cdi_kdop_solve(const cdi_kdop_program *p, cdi_v3 goal, cdi_lp_answer *answer) {
    cdi_lp lp;
    cdi_lp_vertex v;
    cdi_kdop_basis basis;
    double g[3], c[4];
    cdi_v3_store(g, goal);
    if (!cdi_lp_begin(&lp, 3, g, (size_t)p->count, NULL))
        return false; /* never: they fit in its own memory */
    for (int i = 0; i < p->count; ++i) {
        cdi_kdop_row(p, i, c);
        cdi_lp_add(&lp, c, (uint32_t)i);
    }
    if (cdi_kdop_guess(p, cdi_kdop_goal_seen(goal), &basis)) {
        for (int k = 0; k < 3; ++k) {
            cdi_kdop_row(p, basis.side[k], c);
            v.row[k] = cdi_lp_row_of(&lp, c, (uint32_t)basis.side[k]);
        }
        cdi_lp_solve_guessed(&lp, &v, answer);
    } else {
        cdi_lp_solve(&lp, answer);
    }
    cdi_lp_end(&lp, NULL);
    return answer->verdict == CD_LP_OPTIMAL;
}

CD_API cd_vec3 cd_kdop_support(const cd_kdop *dop, const cd_kdop_set *set, cd_vec3 direction) {
    cdi_kdop_program p;
    cdi_lp_answer a;
    if (!cd_vec3_is_valid(direction)) direction = cd_vec3_make(0, 0, 0);
    if (!cdi_kdop_begin(&p, dop, set) || !cdi_kdop_solve(&p, cdi_v3_of(direction), &a))
        return cd_vec3_make(0, 0, 0);
    return cd_vec3_make(cdi_real_of(a.point[0]), cdi_real_of(a.point[1]), cdi_real_of(a.point[2]));
}

/* ---- the box around it ---- */

/* The slab of the set along a coordinate axis, in its units; false when there is none. */
static bool cdi_kdop_slab_on(const cd_kdop *dop, const cd_kdop_set *set, int axis, double *lo, double *hi) {
    for (uint32_t i = 0; i < set->count; ++i) {
        double n[3];
        cdi_v3_store(n, cdi_v3_of(set->axis[i]));
        if (n[(axis + 1) % 3] != 0.0 || n[(axis + 2) % 3] != 0.0) continue;
        *lo = (double)(n[axis] > 0.0 ? dop->min[i] : dop->max[i]) / n[axis];
        *hi = (double)(n[axis] > 0.0 ? dop->max[i] : dop->min[i]) / n[axis];
        if (cdi_abs(n[axis]) == 1.0) return true;
        *lo = cdi_next_double(*lo, false); /* a rounded quotient */
        *hi = cdi_next_double(*hi, true);
        return true;
    }
    return false;
}

/* The extent along a coordinate axis, by two programs. */
static bool cdi_kdop_extent(const cdi_kdop_program *p, int axis, double *lo, double *hi) {
    double end[2];
    for (int k = 0; k < 2; ++k) {
        double goal[3] = {0.0, 0.0, 0.0};
        cdi_lp_answer a;
        goal[axis] = k ? 1.0 : -1.0;
        if (!cdi_kdop_solve(p, cdi_v3_make(goal[0], goal[1], goal[2]), &a)) return false;
        end[k] = a.point[axis];
        for (int i = 0; i < 3; ++i) end[k] = cdi_next_double(end[k], k == 1);
    }
    *lo = end[0];
    *hi = end[1];
    return true;
}

CD_API cd_aabb cd_aabb_from_kdop(const cd_kdop *dop, const cd_kdop_set *set) {
    cd_aabb b = cd_aabb_empty();
    cdi_kdop_program p;
    double lo[3], hi[3];
    if (!cdi_kdop_begin(&p, dop, set)) return b;
    for (int k = 0; k < 3; ++k) {
        if (!cdi_kdop_slab_on(dop, set, k, &lo[k], &hi[k]) && !cdi_kdop_extent(&p, k, &lo[k], &hi[k]))
            return b;
    }
    b.min = cd_vec3_make(cdi_round_down(lo[0], 0.0), cdi_round_down(lo[1], 0.0), cdi_round_down(lo[2], 0.0));
    b.max = cd_vec3_make(-cdi_round_down(-hi[0], 0.0), -cdi_round_down(-hi[1], 0.0),
                         -cdi_round_down(-hi[2], 0.0));
    return b;
}

/* ---- tightness ---- */

/* Three planes and a direction n: where they meet, n . x is numerator / denominator. */
typedef struct cdi_planes_meeting {
    cdi_exact numerator, denominator; /* the second above 0 */
} cdi_planes_meeting;

static cdi_exact cdi_exact_rows(cdi_arena *arena, const cdi_v3 *a, const cdi_v3 *b, const cdi_v3 *c) {
    const cdi_v3 *row[3];
    cdi_exact m[3][3];
    row[0] = a;
    row[1] = b;
    row[2] = c;
    for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = cdi_exact_of(arena, cdi_v3_get(*row[i / 3], i % 3));
    return cdi_exact_det3(arena, m);
}

/* By Cramer's rule. False when the planes do not meet in one point. */
static bool cdi_planes_meet(cdi_arena *arena, const cdi_side s[3], cdi_v3 n, cdi_planes_meeting *out) {
    cdi_exact sum;
    out->denominator = cdi_exact_rows(arena, &s[0].n, &s[1].n, &s[2].n);
    if (out->denominator.sign == 0) return false;
    sum = cdi_exact_of(arena, 0.0);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 row[3];
        for (int k = 0; k < 3; ++k) row[k] = k == i ? n : s[k].n;
        sum = cdi_exact_add(arena, sum,
                            cdi_exact_mul(arena, cdi_exact_of(arena, s[i].d),
                                          cdi_exact_rows(arena, &row[0], &row[1], &row[2])));
    }
    if (out->denominator.sign < 0) {
        out->denominator = cdi_exact_neg(out->denominator);
        sum = cdi_exact_neg(sum);
    }
    out->numerator = sum;
    return true;
}

static int cdi_planes_meeting_above(cdi_arena *arena, const cdi_planes_meeting *m, cd_real x) {
    int mark = arena->used, sign;
    cdi_exact product = cdi_exact_mul(arena, m->denominator, cdi_exact_of(arena, (double)x));
    sign = cdi_exact_sub(arena, m->numerator, product).sign;
    arena->used = mark;
    return sign;
}

/* The least number not below the value there; at most `most`, which is known to be none below. */
static cd_real cdi_planes_meeting_round_up(cdi_arena *arena, const cdi_planes_meeting *m, cd_real most) {
    cd_real x = cdi_real_of(cdi_exact_to_double(m->numerator) / cdi_exact_to_double(m->denominator));
    int steps = 0;
    while (x < most && cdi_planes_meeting_above(arena, m, x) > 0 && ++steps < 64) x = cdi_next_real(x, true);
    while (x > -CD_REAL_MAX && steps < 64 &&
           cdi_planes_meeting_above(arena, m, cdi_next_real(x, false)) <= 0 && ++steps < 64) {
        x = cdi_next_real(x, false);
    }
    return x < most && steps < 64 ? x : most;
}

/* The limit of a side where a basis proves how far the body goes along n: fewer than three planes are filled up with
 * coordinate planes, as their own normals span n. */
static cd_real cdi_basis_round_up(const cdi_kdop_program *p, const cdi_lp_answer *a, cdi_v3 n, cd_real most) {
    uint32_t limbs[64 * CDI_EXACT_LIMBS];
    for (int k = 0; k < 3; ++k) {
        cdi_arena arena = cdi_arena_on(limbs, 64 * CDI_EXACT_LIMBS);
        cdi_side s[3];
        cdi_planes_meeting m;
        for (uint32_t i = 0; i < 3; ++i) {
            int axis = (k + (int)i) % 3;
            s[i].n = cdi_v3_make(axis == 0, axis == 1, axis == 2);
            s[i].d = 0.0;
            if (i < a->basis_count) s[i] = p->side[a->basis[i]];
        }
        if (cdi_planes_meet(&arena, s, n, &m)) return cdi_planes_meeting_round_up(&arena, &m, most);
    }
    return most;
}

CD_API bool cd_kdop_tighten(cd_kdop *dop, const cd_kdop_set *set) {
    cdi_kdop_program p;
    cd_kdop r = *dop;
    bool good = cdi_kdop_begin(&p, dop, set);
    for (int i = 0; i < p.count && good; ++i) {
        cdi_lp_answer a;
        cd_real *limit = i % 2 ? &r.max[i / 2] : &r.min[i / 2];
        bool own = false;
        good = cdi_kdop_solve(&p, p.side[i].n, &a);
        for (uint32_t k = 0; good && k < a.basis_count; ++k) own = own || a.basis[k] == (uint32_t)i;
        if (!good || own) continue; /* the plane is touched */
        if (i % 2) {
            *limit = cdi_basis_round_up(&p, &a, p.side[i].n, *limit);
        } else {
            *limit = -cdi_basis_round_up(&p, &a, p.side[i].n, -*limit);
        }
    }
    *dop = good ? r : cd_kdop_empty(set);
    return good;
}

CD_API bool cd_kdop_is_tight(const cd_kdop *dop, const cd_kdop_set *set) {
    cd_kdop r = *dop;
    if (!cd_kdop_tighten(&r, set)) return false;
    for (uint32_t i = 0; i < r.count; ++i) {
        if (r.min[i] != dop->min[i] || r.max[i] != dop->max[i]) return false;
    }
    return true;
}

/* ---- sides, volume and area ---- */

CDI_FN bool cdi_kdop_frame_of(const cd_kdop *dop, const cd_kdop_set *set, cdi_kdop_frame *f) {
    cd_aabb box = cd_aabb_from_kdop(dop, set);
    cdi_v3 lo, hi;
    double size;
    bool tiny;
    if (cd_aabb_is_empty(box)) return false;
    lo = cdi_v3_scale(cdi_v3_of(box.min), 0.5);
    hi = cdi_v3_scale(cdi_v3_of(box.max), 0.5);
    f->center = cdi_v3_add(lo, hi);
    size = cdi_v3_max_abs(cdi_v3_sub(hi, lo));
    tiny = cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)) < 1e-300; /* where halves are rounded */
    if (tiny) {
        f->center = cdi_v3_make(0.0, 0.0, 0.0);
        size = cdi_max(cdi_v3_max_abs(cdi_v3_of(box.min)), cdi_v3_max_abs(cdi_v3_of(box.max)));
    }
    f->exponent = size > 0.0 ? cdi_exponent(size) : 0;
    f->reach = size > 0.0 ? cdi_scale2(size, -f->exponent) : 0.0;
    f->count = cdi_kdop_sides(dop, set, f->side);
    for (int i = 0; i < f->count; ++i) {
        cdi_v3 n = f->side[i].n;
        double length = cdi_v3_length(n), d = f->side[i].d;
        f->side[i].n = cdi_v3_normalize(n);
        f->side[i].d = tiny ? cdi_scale2(d, -f->exponent) / length
                            : cdi_scale2(d / length - cdi_v3_dot(f->side[i].n, f->center), -f->exponent);
    }
    return true;
}

/* A square on the side's plane that reaches beyond the body. */
static void cdi_side_square(const cdi_side *s, double reach, cdi_side_polygon *out) {
    cdi_v3 n = s->n, u, v, middle = cdi_v3_scale(n, s->d);
    double size = 4.0 * reach;
    u = cdi_abs(n.x) < 0.6 ? cdi_v3_make(1.0, 0.0, 0.0) : cdi_v3_make(0.0, 1.0, 0.0);
    v = cdi_v3_scale(cdi_v3_normalize(cdi_v3_cross(n, u)), size);
    u = cdi_v3_cross(v, n);
    out->v[0] = cdi_v3_add(cdi_v3_add(middle, u), v);
    out->v[1] = cdi_v3_add(cdi_v3_sub(middle, u), v);
    out->v[2] = cdi_v3_sub(cdi_v3_sub(middle, u), v);
    out->v[3] = cdi_v3_sub(cdi_v3_add(middle, u), v);
    out->count = 4;
}

/* What is left behind a plane (Sutherland and Hodgman). */
static void cdi_side_clip(cdi_side_polygon *g, const cdi_side *s) {
    cdi_side_polygon r;
    r.count = 0;
    for (int i = 0; i < g->count; ++i) {
        cdi_v3 a = g->v[i], b = g->v[i + 1 < g->count ? i + 1 : 0];
        double above_a = cdi_v3_dot(s->n, a) - s->d, above_b = cdi_v3_dot(s->n, b) - s->d;
        if (above_a <= 0.0) r.v[r.count++] = a;
        if ((above_a < 0.0 && above_b > 0.0) || (above_a > 0.0 && above_b < 0.0))
            r.v[r.count++] = cdi_v3_along(a, cdi_v3_sub(b, a), above_a / (above_a - above_b));
        if (r.count > CDI_SIDE_CORNERS) break;
    }
    *g = r;
}

CDI_FN void cdi_kdop_side_of(const cdi_kdop_frame *f, int i, cdi_side_polygon *out) {
    cdi_side_square(&f->side[i], f->reach, out);
    for (int j = 0; j < f->count && out->count > 0; ++j) {
        if (j / 2 != i / 2) cdi_side_clip(out, &f->side[j]);
    }
}

/* The area of side i; coordinates are so that it is good to rounding. */
static double cdi_side_area(const cdi_kdop_frame *f, int i) {
    cdi_side_polygon g;
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_kdop_side_of(f, i, &g);
    for (int j = 2; j < g.count; ++j)
        sum = cdi_v3_add(sum, cdi_v3_cross(cdi_v3_sub(g.v[j - 1], g.v[0]), cdi_v3_sub(g.v[j], g.v[0])));
    return 0.5 * cdi_v3_length(sum);
}

/* A measure of dimension `power` back in the caller's numbers. */
static cd_real cdi_measure_of(double x, int exponent, int power) {
    for (int i = 0; i < power; ++i) x = cdi_scale2(x, exponent);
    return x <= (double)CD_REAL_MAX ? (cd_real)x : (cd_real)cdi_infinity();
}

CD_API cd_real cd_kdop_volume(const cd_kdop *dop, const cd_kdop_set *set) {
    cdi_kdop_frame f;
    double volume = 0.0;
    if (!cdi_kdop_frame_of(dop, set, &f)) return 0;
    for (int i = 0; i < f.count; ++i) volume += f.side[i].d * cdi_side_area(&f, i);
    return cdi_measure_of(cdi_max(volume / 3.0, 0.0), f.exponent, 3);
}

CD_API cd_real cd_kdop_surface_area(const cd_kdop *dop, const cd_kdop_set *set) {
    cdi_kdop_frame f;
    double area = 0.0;
    if (!cdi_kdop_frame_of(dop, set, &f)) return 0;
    for (int i = 0; i < f.count; ++i) area += cdi_side_area(&f, i);
    return cdi_measure_of(area, f.exponent, 2);
}

/* ---- realignment ---- */

CDI_FN double cdi_kdop_margin(cdi_v3 n, double reach, const cdi_pose *pose) {
    const double share = (double)CD_REAL_EPSILON + 32.0 * 1.1102230246251565e-16;
    cdi_v3 p = pose->position;
    double size = reach + cdi_abs(p.x) + cdi_abs(p.y) + cdi_abs(p.z);
    return (cdi_abs(n.x) + cdi_abs(n.y) + cdi_abs(n.z)) * size * share + 1e-300;
}

CDI_FN void cdi_kdop_put(cd_kdop *out, int side, cdi_v3 n, double local, double margin,
                         const cdi_pose *pose) {
    double d =
        local + cdi_v3_dot(n, pose->position) + margin; /* which is larger than the errors of the sums */
    cd_real limit =
        cdi_abs(d) <= (double)CD_REAL_MAX ? cdi_round_down(0.0 - d, 0.0) : (cd_real)cdi_infinity();
    if (side % 2) {
        out->max[side / 2] = -limit;
    } else {
        out->min[side / 2] = limit;
    }
}

CDI_FN bool cdi_pose_is_finite(const cd_transform *pose) {
    cd_quat q = pose->rotation;
    return cd_vec3_is_valid(pose->position) && cdi_finite((double)q.w) &&
           cdi_finite3((double)q.x, (double)q.y, (double)q.z);
}

/* The most that the magnitudes of the coordinates of a point in a box add up to. */
static double cdi_box_reach(cd_aabb b) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    return cdi_max(cdi_abs(lo.x), cdi_abs(hi.x)) + cdi_max(cdi_abs(lo.y), cdi_abs(hi.y)) +
           cdi_max(cdi_abs(lo.z), cdi_abs(hi.z));
}

CD_API cd_status cd_kdop_transform(const cd_kdop *dop, const cd_kdop_set *set, const cd_transform *pose,
                                   cd_kdop *out) {
    cdi_kdop_program p;
    cdi_pose motion;
    double reach;
    if (!cd_kdop_set_is_valid(set) || dop->count != set->count || !cdi_pose_is_finite(pose))
        return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < dop->count; ++i) {
        if (!cdi_finite((double)dop->min[i]) || !cdi_finite((double)dop->max[i]))
            return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    }
    motion = cdi_pose_of(pose);
    reach = cdi_box_reach(cd_aabb_from_kdop(dop, set));
    (void)cdi_kdop_begin(&p, dop, set);
    *out = cd_kdop_empty(set);
    for (int i = 0; i < p.count; ++i) {
        cdi_v3 n = cdi_kdop_outward(set, i), m = cdi_m3_tmul_v3(&motion.rotation, n);
        cdi_lp_answer a;
        if (!cdi_kdop_solve(&p, m, &a)) break; /* empty, at the first one */
        cdi_kdop_put(out, i, n, cdi_v3_dot(m, cdi_v3_make(a.point[0], a.point[1], a.point[2])),
                     cdi_kdop_margin(n, reach, &motion), &motion);
    }
    return cdi_kdop_check(out);
}

static double cdi_points_reach(const cd_vec3 *points, size_t count) {
    double reach = 0.0;
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_v3_of(points[i]);
        if (!cdi_v3_finite(p)) return -1.0;
        reach = cdi_max(reach, cdi_abs(p.x) + cdi_abs(p.y) + cdi_abs(p.z));
    }
    return reach;
}

CD_API cd_status cd_kdop_tumble(const cd_vec3 *points, size_t count, const cd_kdop_set *set,
                                const cd_transform *pose, cd_kdop *out) {
    double reach = count == 0 || points ? cdi_points_reach(points, count) : -1.0;
    cdi_pose motion;
    if (!cd_kdop_set_is_valid(set) || !cdi_pose_is_finite(pose) || reach < 0.0)
        return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    *out = cd_kdop_empty(set);
    if (count == 0) return CD_OK;
    motion = cdi_pose_of(pose);
    for (uint32_t i = 0; i < set->count; ++i) {
        cdi_v3 n = cdi_v3_of(set->axis[i]), m = cdi_m3_tmul_v3(&motion.rotation, n);
        double lo = CDI_HUGE, hi = -CDI_HUGE, margin = cdi_kdop_margin(n, reach, &motion);
        margin += 8.0 * (double)CD_REAL_EPSILON * (cdi_abs(n.x) + cdi_abs(n.y) + cdi_abs(n.z)) * reach;
        for (size_t k = 0; k < count; ++k) {
            double d = cdi_v3_dot(m, cdi_v3_of(points[k]));
            lo = cdi_min(d, lo);
            hi = cdi_max(d, hi);
        }
        cdi_kdop_put(out, (int)(2 * i), cdi_v3_neg(n), -lo, margin, &motion);
        cdi_kdop_put(out, (int)(2 * i + 1), n, hi, margin, &motion);
    }
    return cdi_kdop_check(out);
}

/* ---- corners ---- */

static bool cdi_kdop_has_corner(const cdi_kdop_corners *c, cdi_v3 p) {
    for (uint32_t i = 0; i < c->count; ++i) {
        if (cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(c->out[i]), p)) <= c->apart) return true;
    }
    return false;
}

/* Keeps fewer of them, of those that are nearer to each other than twice as far as before. */
static void cdi_kdop_thin_corners(cdi_kdop_corners *c) {
    uint32_t count = c->count;
    c->apart = 2.0 * c->apart + 4.9406564584124654e-324;
    c->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!cdi_kdop_has_corner(c, cdi_v3_of(c->out[i]))) c->out[c->count++] = c->out[i];
    }
}

CDI_FN void cdi_kdop_corner(cdi_kdop_corners *c, cdi_v3 p) {
    if (cdi_kdop_has_corner(c, p)) return;
    while (c->count == CD_KDOP_VERTICES) { /* there are no more but for rounding, which parted some */
        cdi_kdop_thin_corners(c);
        if (cdi_kdop_has_corner(c, p)) return;
    }
    c->out[c->count++] = cd_vec3_make(cdi_real_of(p.x), cdi_real_of(p.y), cdi_real_of(p.z));
}

/* By Cramer's rule. */
CDI_FN bool cdi_sides_meet(const cdi_side *a, const cdi_side *b, const cdi_side *c, cdi_v3 *out,
                           double *det) {
    cdi_v3 bc = cdi_v3_cross(b->n, c->n), ca = cdi_v3_cross(c->n, a->n), ab = cdi_v3_cross(a->n, b->n);
    *det = cdi_v3_dot(a->n, bc);
    if (cdi_abs(*det) < 1e-6) return false; /* doubles tell too little about it */
    *out = cdi_v3_along(cdi_v3_along(cdi_v3_scale(bc, a->d), ca, b->d), ab, c->d);
    *out = cdi_v3_scale(*out, 1.0 / *det);
    return true;
}

CDI_FN void cdi_fine_sides_of(const cdi_side *side, int count, double size, cdi_fine_sides *out) {
    out->exponent = size > 0.0 ? cdi_exponent(size) : 0;
    for (int i = 0; i < count; ++i) {
        int e = cdi_exponent(cdi_v3_max_abs(side[i].n));
        for (int k = 0; k < 3; ++k) out->n[i][k] = cdi_two_of(cdi_scale2(cdi_v3_get(side[i].n, k), -e));
        out->d[i] = cdi_two_of(cdi_scale2(side[i].d, -e - out->exponent));
    }
}

static void cdi_fine_cross(const cdi_two *a, const cdi_two *b, cdi_two *out) {
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = cdi_two_sub(cdi_two_mul(a[u], b[v]), cdi_two_mul(a[v], b[u]));
    }
}

static cdi_two cdi_fine_dot(const cdi_two *a, const cdi_two *b) {
    cdi_two sum = cdi_two_mul(a[0], b[0]);
    for (int k = 1; k < 3; ++k) sum = cdi_two_add(sum, cdi_two_mul(a[k], b[k]));
    return sum;
}

CDI_FN double cdi_fine_sides_meet(const cdi_fine_sides *f, const int side[3], cdi_two out[3]) {
    cdi_two dual[3][3], det;
    for (int i = 0; i < 3; ++i) cdi_fine_cross(f->n[side[(i + 1) % 3]], f->n[side[(i + 2) % 3]], dual[i]);
    det = cdi_fine_dot(f->n[side[0]], dual[0]);
    if (det.hi == 0.0) return 0.0;
    for (int k = 0; k < 3; ++k) {
        cdi_two sum = cdi_two_mul(dual[0][k], f->d[side[0]]);
        for (int i = 1; i < 3; ++i) sum = cdi_two_add(sum, cdi_two_mul(dual[i][k], f->d[side[i]]));
        out[k] = cdi_two_div(sum, det);
    }
    return det.hi;
}

/* What a k-DOP's corners are looked for with: the sides in doubles, which tell what is not one for sure, and with all digits. */
typedef struct cdi_corner_search {
    cdi_kdop_frame frame;
    cdi_fine_sides fine;
    cdi_kdop_corners corners;
    double size; /* the largest coordinate, in the numbers of the frame */
} cdi_corner_search;

/* Is the point near enough to the body for a corner? `error` is that of doubles. */
static bool cdi_corner_is_likely(const cdi_kdop_frame *f, cdi_v3 p, double error) {
    if (!(cdi_v3_max_abs(p) <= f->reach + error)) return false; /* NaN, too */
    for (int i = 0; i < f->count; ++i) {
        if (cdi_v3_dot(f->side[i].n, p) - f->side[i].d > error) return false;
    }
    return true;
}

/* Is the corner of three sides, p and x, in all the others? Those that it is in for sure with numbers of doubles are passed by. */
static bool cdi_corner_is_held(const cdi_corner_search *s, const int side[3], cdi_v3 p, const cdi_two x[3],
                               double det) {
    const double u = 1.1102230246251565e-16;
    for (int i = 0; i < s->frame.count; ++i) {
        const cdi_side *plain = &s->frame.side[i];
        if (i == side[0] || i == side[1] || i == side[2]) continue;
        if (cdi_v3_dot(plain->n, p) - plain->d < -128.0 * u * s->size / det) continue;
        if (cdi_two_sub(cdi_fine_dot(s->fine.n[i], x), s->fine.d[i]).hi > 4096.0 * u * u / det) return false;
    }
    return true;
}

/* ---- corners of planes that are nearly dependent ---- */

static cdi_side cdi_fine_side(const cdi_fine_sides *f, int i) {
    cdi_side s;
    s.n = cdi_v3_make(f->n[i][0].hi, f->n[i][1].hi, f->n[i][2].hi);
    s.d = f->d[i].hi;
    return s;
}

/* Is the point where three planes meet behind another one, exactly? */
static bool cdi_meeting_is_behind(const cdi_side three[3], const cdi_side *other) {
    uint32_t limbs[64 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 64 * CDI_EXACT_LIMBS);
    cdi_planes_meeting m;
    cdi_exact there;
    if (!cdi_planes_meet(&arena, three, other->n, &m)) return false; /* never: their determinant is not 0 */
    there = cdi_exact_mul(&arena, m.denominator, cdi_exact_of(&arena, other->d));
    return cdi_exact_sub(&arena, m.numerator, there).sign <= 0;
}

/* The point where three planes meet: each coordinate a rounded quotient of exact numbers. */
static bool cdi_meeting_at(const cdi_side three[3], double out[3]) {
    uint32_t limbs[64 * CDI_EXACT_LIMBS];
    for (int k = 0; k < 3; ++k) {
        cdi_arena arena = cdi_arena_on(limbs, 64 * CDI_EXACT_LIMBS);
        cdi_planes_meeting m;
        if (!cdi_planes_meet(&arena, three, cdi_v3_make(k == 0, k == 1, k == 2), &m))
            return false; /* never: the determinant is not 0 */
        out[k] = cdi_exact_to_double(m.numerator) / cdi_exact_to_double(m.denominator);
    }
    return true;
}

/* Three planes through what is one line but for the rounding of a turned set's directions. Where they meet hangs on the last digits, but
 * it may be the end of an edge, or all of a body that is flat between them. What is passed by is out of another side for sure by twice
 * the digits of doubles, whose error here is below `error`; exact numbers decide about what is left. */
static void cdi_corner_try_finely(cdi_corner_search *s, const int side[3]) {
    const double u = 1.1102230246251565e-16;
    cdi_two x[3];
    cdi_side three[3];
    double det = cdi_abs(cdi_fine_sides_meet(&s->fine, side, x)), error, at[3];
    int e = s->fine.exponent, open[2 * CD_KDOP_AXES], count = 0;
    if (det < 1e-29) return; /* parallel to one line: of less, the sign is not known */
    error = 8192.0 * u * u / det;
    for (int i = 0; i < s->frame.count; ++i) {
        double over;
        if (i == side[0] || i == side[1] || i == side[2]) continue;
        over = cdi_two_sub(cdi_fine_dot(s->fine.n[i], x), s->fine.d[i]).hi;
        if (over > error) return;
        if (!(over < -error)) open[count++] = i;
    }
    for (int k = 0; k < 3; ++k) three[k] = cdi_fine_side(&s->fine, side[k]);
    for (int i = 0; i < count; ++i) {
        cdi_side other = cdi_fine_side(&s->fine, open[i]);
        if (!cdi_meeting_is_behind(three, &other)) return;
    }
    if (!cdi_meeting_at(three, at)) return; /* never, as said there */
    cdi_kdop_corner(&s->corners,
                    cdi_v3_make(cdi_scale2(at[0], e), cdi_scale2(at[1], e), cdi_scale2(at[2], e)));
}

static void cdi_corner_try(cdi_corner_search *s, int i, int j, int k) {
    const cdi_side *side = s->frame.side;
    cdi_two x[3];
    cdi_v3 p, at;
    int sides[3], e = s->fine.exponent;
    double det;
    CDI_COUNT(corner);
    sides[0] = i;
    sides[1] = j;
    sides[2] = k;
    if (!cdi_sides_meet(&side[i], &side[j], &side[k], &p, &det)) {
        cdi_corner_try_finely(s, sides);
        return;
    }
    det = cdi_abs(det);
    if (!cdi_corner_is_likely(&s->frame, p, 1.4210854715202004e-14 * s->size / det)) return; /* 128 u */
    (void)cdi_fine_sides_meet(&s->fine, sides, x);
    at = cdi_v3_make(cdi_scale2(x[0].hi, e), cdi_scale2(x[1].hi, e), cdi_scale2(x[2].hi, e));
    if (cdi_kdop_has_corner(&s->corners, at) || !cdi_corner_is_held(s, sides, p, x, det)) return;
    cdi_kdop_corner(&s->corners, at);
}

CD_API uint32_t cd_kdop_vertices(const cd_kdop *dop, const cd_kdop_set *set, cd_vec3 out[CD_KDOP_VERTICES]) {
    cdi_corner_search s;
    cdi_side side[2 * CD_KDOP_AXES];
    const cdi_kdop_frame *f = &s.frame;
    if (!cdi_kdop_frame_of(dop, set, &s.frame)) return 0;
    s.size = f->reach + cdi_scale2(cdi_v3_max_abs(f->center), -f->exponent);
    s.corners.out = out;
    s.corners.count = 0;
    s.corners.apart = cdi_scale2(4.0 * s.size * (double)CD_REAL_EPSILON, f->exponent);
    (void)cdi_kdop_sides(dop, set, side);
    cdi_fine_sides_of(side, f->count, cdi_scale2(s.size, f->exponent), &s.fine);
    for (int i = 0; i < f->count; ++i) {
        for (int j = i / 2 * 2 + 2; j < f->count; ++j) {
            for (int k = j / 2 * 2 + 2; k < f->count; ++k) cdi_corner_try(&s, i, j, k);
        }
    }
    return s.corners.count;
}

/* ---- inner points ---- */

CD_API cd_status cd_kdop_interior_point(const cd_kdop *dop, const cd_kdop_set *set, cd_interior3 *out) {
    cd_plane planes[2 * CD_KDOP_AXES];
    size_t count = 0;
    cdi_clear(out, sizeof *out);
    out->verdict = CD_INTERIOR_EMPTY;
    if (!cd_kdop_set_is_valid(set) || dop->count != set->count) return CD_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < dop->count; ++i) {
        planes[count].n = cd_vec3_neg(set->axis[i]);
        planes[count++].d = -dop->min[i];
        planes[count].n = set->axis[i];
        planes[count++].d = dop->max[i];
    }
    return cd_halfspaces_interior_point(planes, count, NULL, out);
}

/* The distance from the nearest side; not above 0 where p is not strictly inside, exactly. */
static double cdi_kdop_margin_at(const cdi_kdop_program *p, cdi_v3 at) {
    double margin = CDI_HUGE;
    for (int i = 0; i < p->count; ++i) {
        const cdi_side *s = &p->side[i];
        if (cdi_plane_side(s->n, s->d, at) >= 0) return 0.0;
        margin = cdi_min((s->d - cdi_v3_dot(s->n, at)) / cdi_v3_length(s->n), margin);
    }
    return margin;
}

/* Onto the planes of the slabs that the point is not in, and a sixteenth of their widths further. */
static cdi_v3 cdi_project_around(const cdi_kdop_program *p, cdi_v3 at) {
    for (int i = 0; i < p->count; i += 2) {
        cdi_v3 n = p->side[i + 1].n;
        double lo = 0.0 - p->side[i].d, hi = p->side[i + 1].d, inset = (hi - lo) * 0.0625,
               x = cdi_v3_dot(n, at);
        if (x <= lo) at = cdi_v3_along(at, n, (lo + inset - x) / cdi_v3_sqlength(n));
        if (x >= hi) at = cdi_v3_along(at, n, (hi - inset - x) / cdi_v3_sqlength(n));
    }
    return at;
}

CD_API cd_interior3 cd_kdop_project(const cd_kdop *dop, const cd_kdop_set *set, cd_vec3 start,
                                    uint32_t rounds) {
    cdi_kdop_program p;
    cd_interior3 r;
    cdi_v3 at = cd_vec3_is_valid(start) ? cdi_v3_of(start) : cdi_v3_make(0.0, 0.0, 0.0);
    if (cdi_kdop_begin(&p, dop, set)) {
        for (uint32_t i = 0; cdi_v3_finite(at); ++i) {
            cd_vec3 point = cd_vec3_make(cdi_real_of(at.x), cdi_real_of(at.y), cdi_real_of(at.z));
            double margin = cdi_kdop_margin_at(&p, cdi_v3_of(point));
            if (margin > 0.0) {
                r.verdict = CD_INTERIOR_FOUND;
                r.point = point;
                r.margin = cdi_real_of(margin);
                return r;
            }
            if (i >= rounds) break;
            at = cdi_project_around(&p, at);
        }
    }
    (void)cd_kdop_interior_point(dop, set, &r);
    return r;
}
