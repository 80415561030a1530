/* Slab volumes and k-DOPs: judged by exact arithmetic on the numbers that are stored, and by the exact corners of small
 * ones, from all triples of planes. */
#include "gen.h"
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static const uint32_t standard_k[] = {6, 8, 12, 14, 18, 20, 26};

/* One of the standard sets, a spread one, or either turned. */
static cd_kdop_set any_set(test_rng *rng) {
    cd_kdop_set set = cd_kdop_set_standard(standard_k[test_int(rng, 0, 6)]);
    if (test_int(rng, 0, 3) == 0) set = cd_kdop_set_spread((uint32_t)test_int(rng, 3, CD_KDOP_AXES));
    if (test_int(rng, 0, 2) == 0) set = cd_kdop_set_rotate(&set, gen_quat(rng));
    return set;
}

static void note_dop(const cd_kdop *dop, const cd_kdop_set *set) {
    test_note("count %u ", (unsigned)set->count);
    test_note_reals("axes", &set->axis[0].x, (int)(3 * set->count));
    test_note_reals("min", dop->min, (int)dop->count);
    test_note_reals("max", dop->max, (int)dop->count);
}

static exact exact_dot(cd_vec3 n, cd_vec3 p) {
    double a[3], b[3];
    to_doubles(&n.x, a, 3);
    to_doubles(&p.x, b, 3);
    return exact3_dot(exact3_from(a), exact3_from(b));
}

static double largest_of(cd_vec3 v) {
    return fmax(fmax(fabs((double)v.x), fabs((double)v.y)), fabs((double)v.z));
}

/* ---- sets ---- */

static double likeness(cd_vec3 a, cd_vec3 b) {
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
    return fabs(dot) / ((double)cd_vec3_length(a) * (double)cd_vec3_length(b));
}

static double most_alike(const cd_kdop_set *set, uint32_t count, uint32_t i) {
    double most = 0;
    for (uint32_t j = 0; j < count; ++j) {
        if (j != i) most = fmax(most, likeness(set->axis[i], set->axis[j]));
    }
    return most;
}

static void sets(void) {
    cd_kdop_set set;
    for (int i = 0; i < 7; ++i) {
        set = ASK("judge", cd_kdop_set_standard(standard_k[i]));
        CHECK_INT(set.count, standard_k[i] / 2);
        CHECK(ASK("judge", cd_kdop_set_is_valid(&set)));
        for (uint32_t a = 0; a < set.count; ++a) {
            CHECK(most_alike(&set, set.count, a) < 0.82); /* an axis twice would be 1 */
            for (int k = 0; k < 3; ++k) CHECK(fabs((double)REALS(set.axis[a])[k]) <= 1);
        }
    }
    for (uint32_t k = 0; k < 30; ++k) {
        bool known = false;
        for (int i = 0; i < 7; ++i) known = known || standard_k[i] == k;
        CHECK_INT(ASK("exact", cd_kdop_set_standard(k)).count != 0, known);
    }
    for (uint32_t n = 0; n <= 20; ++n) {
        set = ASK("judge", cd_kdop_set_spread(n));
        CHECK_INT(set.count, n >= 3 && n <= CD_KDOP_AXES ? n : 0);
        CHECK_INT(ASK("judge", cd_kdop_set_is_valid(&set)), set.count != 0);
        for (uint32_t a = 0; a < set.count;
             ++a) { /* known best arrangements, and none worse than cos 35 degrees */
            double most = n == 3 ? 1e-3 : n == 4 ? 1 / 3.0 + 1e-3 : n == 6 ? sqrt(0.2) + 1e-3 : 0.82;
            CHECK(most_alike(&set, n, a) < most);
            CHECK_NEAR(cd_vec3_length(set.axis[a]), 1, 2 * EPS);
        }
    }
}

/* Each next axis is, up to rounding, the most perpendicular one to those before. */
static void order_is_greedy(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        cd_kdop_set set = any_set(&rng), s = set;
        if (i % 2) {
            for (uint32_t k = 0; k < s.count; ++k) {
                uint32_t other = (uint32_t)test_int(&rng, 0, (int)s.count - 1);
                cd_vec3 t = s.axis[k];
                s.axis[k] = s.axis[other];
                s.axis[other] = t;
            }
            ASK("judge", cd_kdop_set_order(&s));
        }
        for (uint32_t a = 1; a < s.count; ++a) {
            double mine = most_alike(&s, a, a);
            for (uint32_t b = a; b < s.count; ++b) {
                double most = 0;
                for (uint32_t j = 0; j < a; ++j) most = fmax(most, likeness(s.axis[b], s.axis[j]));
                CHECK(mine <= most + 1e-5);
            }
        }
    }
}

/* Empty ones, and directions turned. */
static void sets_are_turned(void) {
    test_rng rng = test_random();
    for (long i = test_times(2500); i > 0; --i) {
        cd_kdop_set set = cd_kdop_set_standard(standard_k[i % 7]), turned;
        cd_quat q = gen_quat(&rng);
        cd_kdop none = ASK("exact", cd_kdop_empty(&set));
        CHECK_INT(none.count, set.count);
        for (uint32_t a = 0; a < set.count; ++a)
            CHECK(none.min[a] == CD_REAL_MAX && none.max[a] == -CD_REAL_MAX);
        turned = ASK("judge", cd_kdop_set_rotate(&set, q));
        CHECK_INT(turned.count, set.count);
        for (uint32_t a = 0; a < set.count; ++a)
            CHECK_VEC(turned.axis[a], cd_quat_rotate(q, set.axis[a]), 8 * EPS);
    }
}

static void invalid_sets(void) {
    cd_kdop_set set = cd_kdop_set_standard(14), s = set;
    cd_kdop dop;
    cd_vec3 p = {1, 2, 3};
    s.count = 2;
    CHECK(!ASK("bad", cd_kdop_set_is_valid(&s)));
    s.count = CD_KDOP_AXES + 1;
    CHECK(!ASK("bad", cd_kdop_set_is_valid(&s)));
    s = set;
    s.axis[4] = cd_vec3_make(0, 0, 0);
    CHECK(!ASK("bad", cd_kdop_set_is_valid(&s)));
    s.axis[4].y = (cd_real)NAN;
    CHECK(!ASK("bad", cd_kdop_set_is_valid(&s)));
    s = cd_kdop_set_standard(6);
    s.axis[2] = cd_vec3_make(3, -5, 0); /* all in a plane */
    CHECK(!ASK("bad", cd_kdop_set_is_valid(&s)));
    memset(&dop, 77, sizeof dop);
    CHECK_INT(cd_kdop_from_points(&p, 1, &s, &dop), CD_INVALID_ARGUMENT);
    CHECK_INT(dop.count, 0);
    CHECK_INT(cd_kdop_from_points(NULL, 1, &set, &dop), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_kdop_from_points(NULL, 0, &set, &dop), CD_OK);
    CHECK(dop.count == 7 && dop.min[3] == CD_REAL_MAX && !ASK("bad", cd_kdop_is_valid(&dop, &set)));
    CHECK(!cd_test_point_kdop(p, &dop, &set) && !cd_test_kdop_kdop(&dop, &dop));
    p.y = (cd_real)INFINITY;
    CHECK_INT(cd_kdop_from_points(&p, 1, &set, &dop), CD_INVALID_ARGUMENT);
    p = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    CHECK_INT(cd_kdop_from_points(&p, 1, &set, &dop), CD_TOO_LARGE);
    CHECK_INT(dop.count, 0);
    s = cd_kdop_set_standard(6);
    CHECK_INT(cd_kdop_from_points(&p, 1, &s, &dop), CD_OK);
    CHECK(dop.min[0] == CD_REAL_MAX && dop.max[1] == CD_REAL_MAX);
}

/* The length of directions does not matter, down to the smallest. */
static void sets_of_short_axes(void) {
    static const int axes[4][3] = {
        {1, 0, 3}, {2, 5, 1}, {3, 5, 4}, {1, -5, 7}}; /* the third is a sum, the fourth none */
    for (int e = 0; e > (sizeof(cd_real) == 4 ? -146 : -1070); --e) {
        cd_kdop_set set = cd_kdop_set_standard(8);
        for (uint32_t i = 0; i < 4; ++i) {
            for (int k = 0; k < 3; ++k) REALS(set.axis[i])[k] = (cd_real)ldexp(axes[i][k], e);
        }
        test_note("2^%d", e);
        set.count = 3;
        CHECK(!ASK("exact", cd_kdop_set_is_valid(&set)));
        set.axis[2] = set.axis[3];
        CHECK(ASK("exact", cd_kdop_set_is_valid(&set)));
    }
}

/* ---- fits ---- */

/* The numbers of a fit are the best: none is on the wrong side of a point, the next would be. */
static void check_best(const cd_slab *s, const cd_vec3 *points, size_t count) {
    exact_pool pool = exact_begin();
    exact lo = exact_dot(s->n, points[0]), hi = lo;
    cd_real in;
    for (size_t i = 1; i < count; ++i) {
        exact d = exact_dot(s->n, points[i]);
        if (exact_compare(d, lo) < 0) lo = d;
        if (exact_compare(d, hi) > 0) hi = d;
    }
    CHECK(exact_compare(exact_from((double)s->min), lo) <= 0);
    CHECK(exact_compare(exact_from((double)s->max), hi) >= 0);
    in = cd_next_up(s->min);
    CHECK(!isfinite((double)in) || exact_compare(exact_from((double)in), lo) > 0);
    in = cd_next_down(s->max);
    CHECK(!isfinite((double)in) || exact_compare(exact_from((double)in), hi) < 0);
    exact_end(pool);
}

/* 0 to a few points, lines, planes and copies among them. */
static size_t few_points(gen *g, cd_vec3 *p, int most) {
    int count = test_int(g->rng, 1, most), kind = test_int(g->rng, 0, 4);
    for (int i = 0; i < count; ++i) {
        p[i] = gen_point(g);
        if (kind == 1) p[i].z = p[0].z;
        if (kind == 2) p[i].y = p[i].z = p[0].x;
        if (kind == 3 && i > 0 && test_int(g->rng, 0, 1)) p[i] = p[i - 1];
        if (kind == 4) p[i] = cd_vec3_make(p[i].x, p[i].x, cd_next_up(p[i].x));
    }
    return (size_t)count;
}

static void fits_are_the_best(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_kdop_set set = any_set(&rng);
        cd_vec3 p[12];
        size_t count = few_points(&g, p, 12);
        cd_slab slabs[CD_KDOP_AXES], again[CD_KDOP_AXES];
        cd_kdop dop;
        CHECK_INT(ASK("exact", cd_kdop_from_points(p, count, &set, &dop)), CD_OK);
        note_dop(&dop, &set);
        test_note_reals("points", &p[0].x, (int)(3 * count));
        CHECK(ASK("exact", cd_kdop_is_valid(&dop, &set)));
        CHECK_INT(ASK("exact", cd_slabs_from_kdop(&dop, &set, slabs)), set.count);
        memcpy(again, slabs, sizeof again);
        CHECK_INT(ASK("exact", cd_slabs_from_points(p, count, again, set.count)), CD_OK);
        for (uint32_t k = 0; k < set.count; ++k) {
            check_best(&slabs[k], p, count);
            CHECK(again[k].min == slabs[k].min && again[k].max == slabs[k].max);
        }
        for (size_t k = 0; k < count; ++k) {
            CHECK(ASK("exact", cd_test_point_kdop(p[k], &dop, &set)));
            CHECK(ASK("exact", cd_test_point_slabs(p[k], slabs, set.count)));
        }
    }
}

/* Any numbers at all, up to both ends of the range. */
static void fits_of_any_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_kdop_set set = any_set(&rng);
        cd_vec3 p[4];
        cd_kdop dop;
        for (int k = 0; k < 12; ++k) {
            do {
                REALS(p)
                [k] = test_int(&rng, 0, 1) ? gen_any_real(&rng)
                                           : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            } while (!isfinite((double)REALS(p)[k]));
        }
        if (cd_kdop_from_points(p, 4, &set, &dop) != CD_OK) continue;
        note_dop(&dop, &set);
        test_note_reals("points", &p[0].x, 12);
        for (uint32_t k = 0; k < set.count; ++k) {
            cd_slab s;
            s.n = set.axis[k], s.min = dop.min[k], s.max = dop.max[k];
            check_best(&s, p, 4);
        }
    }
}

/* Spheres and boxes: corners and farthest points are inside, and the slabs hardly wider. */
static void fits_of_volumes(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_kdop_set set = any_set(&rng);
        cd_sphere s = gen_sphere(&g);
        cd_aabb box = gen_aabb(&g);
        cd_obb obb = gen_obb(&g);
        cd_kdop dop;
        cd_slab slabs[3];
        cd_vec3 v[8];
        if (s.radius >= 0) {
            CHECK_INT(ASK("exact", cd_kdop_from_sphere(s, &set, &dop)), CD_OK);
            for (uint32_t k = 0; k < set.count;
                 ++k) { /* the square of the distance of a plane, times |n|^2 */
                exact_pool pool = exact_begin();
                exact nn = exact_dot(set.axis[k], set.axis[k]), r = exact_from((double)s.radius);
                exact at = exact_dot(set.axis[k], s.center), rr = exact_mul(nn, exact_mul(r, r));
                exact below = exact_sub(at, exact_from((double)dop.min[k])),
                      above = exact_sub(exact_from((double)dop.max[k]), at);
                CHECK(below.sign >= 0 && exact_compare(exact_mul(below, below), rr) >= 0);
                CHECK(above.sign >= 0 && exact_compare(exact_mul(above, above), rr) >= 0);
                exact_end(pool);
            }
            CHECK(ASK("exact", cd_test_sphere_kdop(s, &dop, &set)));
        }
        CHECK_INT(ASK("exact", cd_kdop_from_aabb(box, &set, &dop)), CD_OK);
        if (!cd_aabb_is_empty(box)) {
            for (int k = 0; k < 8; ++k)
                v[k] = cd_vec3_make(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
                                    k & 4 ? box.max.z : box.min.z);
            for (uint32_t k = 0; k < set.count; ++k) {
                cd_slab slab;
                slab.n = set.axis[k], slab.min = dop.min[k], slab.max = dop.max[k];
                check_best(&slab, v, 8);
            }
            CHECK(ASK("exact", cd_slabs_from_aabb(box, slabs)) && cd_test_point_slabs(v[5], slabs, 3));
            CHECK(ASK("exact", cd_test_kdop_aabb(&dop, &set, box)));
        }
        CHECK_INT(ASK("exact", cd_kdop_from_obb(&obb, &set, &dop)), CD_OK);
        CHECK(ASK("exact", cd_slabs_from_obb(&obb, slabs)));
        for (int k = 0; k < 8; ++k) { /* the corners without rounding */
            for (uint32_t j = 0; j < set.count + 3; ++j) {
                cd_vec3 n = j < set.count ? set.axis[j] : slabs[j - set.count].n;
                exact_pool pool = exact_begin();
                exact d = exact_dot(n, obb.center);
                for (int m = 0; m < 3; ++m) {
                    exact step =
                        exact_mul(exact_dot(n, obb.axes.col[m]), exact_from((double)REALS(obb.half)[m]));
                    d = k >> m & 1 ? exact_add(d, step) : exact_sub(d, step);
                }
                CHECK(
                    exact_compare(exact_from((double)(j < set.count ? dop.min[j] : slabs[j - set.count].min)),
                                  d) <= 0);
                CHECK(
                    exact_compare(exact_from((double)(j < set.count ? dop.max[j] : slabs[j - set.count].max)),
                                  d) >= 0);
                exact_end(pool);
            }
        }
        CHECK(ASK("exact", cd_test_kdop_obb(&dop, &set, &obb)));
    }
}

/* ---- the exact body ---- */

/* Corners as x / w, w > 0. */
typedef struct corner {
    exact3 x;
    exact w;
} corner;

typedef struct body {
    int sides, count;
    exact3 n[2 * CD_KDOP_AXES];
    exact d[2 * CD_KDOP_AXES];
    corner corner[600];
} body;

/* Inside to the corner? The sign of n . x - d w. */
static int corner_side(const corner *c, exact3 n, exact d) {
    return exact_sub(exact3_dot(n, c->x), exact_mul(d, c->w)).sign;
}

static void body_add_triple(body *b, int i, int j, int k) {
    exact3 jk = exact3_cross(b->n[j], b->n[k]), ki = exact3_cross(b->n[k], b->n[i]),
           ij = exact3_cross(b->n[i], b->n[j]);
    corner c;
    c.w = exact3_dot(b->n[i], jk);
    if (c.w.sign == 0) return;
    c.x = exact3_add(exact3_add(exact3_scale(jk, b->d[i]), exact3_scale(ki, b->d[j])),
                     exact3_scale(ij, b->d[k]));
    if (c.w.sign < 0) {
        c.w = exact_negate(c.w);
        c.x = exact3_scale(c.x, exact_from(-1));
    }
    for (int s = 0; s < b->sides; ++s) {
        if (corner_side(&c, b->n[s], b->d[s]) > 0) return;
    }
    if (b->count < 600) b->corner[b->count++] = c;
}

static void body_make(body *b, const cd_kdop *dop, const cd_kdop_set *set) {
    b->sides = (int)(2 * dop->count);
    b->count = 0;
    for (int i = 0; i < b->sides; ++i) {
        double n[3];
        to_doubles(&set->axis[i / 2].x, n, 3);
        for (int k = 0; k < 3; ++k) n[k] = i % 2 ? n[k] : -n[k];
        b->n[i] = exact3_from(n);
        b->d[i] = exact_from(i % 2 ? (double)dop->max[i / 2] : -(double)dop->min[i / 2]);
    }
    for (int i = 0; i < b->sides; ++i) {
        for (int j = i + 1; j < b->sides; ++j) {
            for (int k = j + 1; k < b->sides; ++k) body_add_triple(b, i, j, k);
        }
    }
}

/* The farthest along n: numerator over denominator. */
static ratio body_reach(const body *b, exact3 n) {
    ratio best = ratio_make(exact3_dot(n, b->corner[0].x), b->corner[0].w);
    for (int i = 1; i < b->count; ++i) {
        ratio r = ratio_make(exact3_dot(n, b->corner[i].x), b->corner[i].w);
        if (ratio_compare(r, best) > 0) best = r;
    }
    return best;
}

/* A small k-DOP, whose planes may touch or not, which may be flat or empty. */
static cd_kdop any_dop(gen *g, const cd_kdop_set *set) {
    cd_vec3 p[4];
    cd_kdop dop;
    double size = 0;
    cd_kdop_from_points(p, few_points(g, p, 4), set, &dop);
    for (uint32_t i = 0; i < dop.count; ++i) size = fmax(size, (double)dop.max[i] - (double)dop.min[i]);
    for (uint32_t i = 0; i < dop.count; ++i) {
        int what = test_int(g->rng, 0, 5);
        double grow = size * test_int(g->rng, 0, 2) * 0.5;
        if (what == 0) dop.max[i] = (cd_real)((double)dop.max[i] + grow);
        if (what == 1) dop.min[i] = (cd_real)((double)dop.min[i] - grow);
        if (what == 2 && g->kind != GEN_GRID && test_int(g->rng, 0, 3) == 0) {
            double middle = 0.5 * ((double)dop.min[i] + (double)dop.max[i]);
            if ((cd_real)middle <= dop.max[i]) dop.min[i] = (cd_real)middle;
        }
        if (what == 4 && test_int(g->rng, 0, 3) == 0) {
            dop.min[i] = (cd_real)((double)dop.min[i] + grow);
            dop.max[i] = (cd_real)((double)dop.max[i] + grow);
        }
        if (what == 3 && test_int(g->rng, 0, 9) == 0) dop.min[i] = dop.max[i];
    }
    return dop;
}

static void check_limit(cd_real limit, ratio exactly) {
    ratio r = ratio_make(exact_from((double)limit), exact_from(1));
    CHECK(ratio_compare(r, exactly) >= 0);
    r = ratio_make(exact_from((double)cd_next_down(limit)), exact_from(1));
    CHECK(ratio_compare(r, exactly) < 0);
}

static void check_tight(const cd_kdop *dop, const cd_kdop_set *set, const body *b) {
    cd_kdop t = *dop;
    CHECK(ASK("exact", cd_kdop_tighten(&t, set)));
    CHECK(ASK("exact", cd_kdop_is_tight(&t, set)));
    CHECK_INT(ASK("exact", cd_kdop_is_tight(dop, set)), memcmp(&t, dop, sizeof t) == 0);
    for (int i = 0; i < b->sides; ++i)
        check_limit(i % 2 ? t.max[i / 2] : -t.min[i / 2], body_reach(b, b->n[i]));
}

static void check_box(const cd_kdop *dop, const cd_kdop_set *set, const body *b, double size) {
    cd_kdop t = *dop;
    cd_aabb box;
    cd_kdop_tighten(&t, set);
    box = ASK("exact", cd_aabb_from_kdop(&t, set));
    for (int i = 0; i < 6; ++i) {
        double axis[3] = {0, 0, 0}, reach;
        cd_vec3 dir, s;
        cd_real limit = i % 2 ? REALS(box.max)[i / 2] : -REALS(box.min)[i / 2];
        ratio r;
        axis[i / 2] = i % 2 ? 1 : -1;
        r = body_reach(b, exact3_from(axis));
        reach = ratio_to_double(r);
        CHECK(ratio_compare(ratio_make(exact_from((double)limit), exact_from(1)), r) >= 0);
        CHECK_NEAR(limit, reach, 16 * EPS * size + 2e-45);
        dir = cd_vec3_make((cd_real)axis[0], (cd_real)axis[1], (cd_real)axis[2]);
        s = ASK("exact", cd_kdop_support(dop, set, dir));
        CHECK_NEAR(cd_vec3_dot(s, dir), reach, 4 * EPS * fabs(reach) + 2e-45);
    }
}

static double corner_at(const corner *c, int k) {
    return ratio_to_double(ratio_make(c->x.c[k], c->w));
}

static bool corner_is_near(const corner *c, cd_vec3 v, double margin) {
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(corner_at(c, k) - (double)REALS(v)[k]) <= margin + 5e-45)) return false;
    }
    return true;
}

/* Each exact corner is among the given ones, but for such as are next to others; each given one is an exact corner, rounded. */
static void check_corners(const body *b, const cd_vec3 *v, uint32_t count, double size) {
    CHECK(count > 0 && count <= CD_KDOP_VERTICES);
    for (int i = 0; i < b->count; ++i) {
        bool found = false;
        for (uint32_t j = 0; j < count && !found; ++j)
            found = corner_is_near(&b->corner[i], v[j], 8 * EPS * size);
        CHECK(found);
    }
    for (uint32_t j = 0; j < count; ++j) {
        bool found = false;
        for (int i = 0; i < b->count && !found; ++i) found = corner_is_near(&b->corner[i], v[j], EPS * size);
        CHECK(found);
    }
}

static double body_size(const body *b) {
    double size = 0;
    for (int i = 0; i < b->count; ++i) {
        for (int k = 0; k < 3; ++k) size = fmax(size, fabs(corner_at(&b->corner[i], k)));
    }
    return size;
}

/* Planes and half-spaces through corners, and a step beside them. */
static void check_planes(const cd_kdop *dop, const cd_kdop_set *set, const body *b, test_rng *rng) {
    for (int i = 0; i < 4; ++i) {
        gen g = gen_begin(rng, GEN_GRID);
        cd_plane plane;
        double n[3];
        ratio hi, lo, d;
        plane.n = i < 2 ? set->axis[test_int(rng, 0, (int)set->count - 1)] : gen_direction(&g);
        to_doubles(&plane.n.x, n, 3);
        hi = body_reach(b, exact3_from(n));
        for (int k = 0; k < 3; ++k) n[k] = -n[k];
        lo = body_reach(b, exact3_from(n));
        lo.num = exact_negate(lo.num);
        plane.d = (cd_real)(ratio_to_double(i % 2 ? hi : lo));
        if (test_int(rng, 0, 1)) plane.d = gen_near(rng, plane.d);
        d = ratio_make(exact_from((double)plane.d), exact_from(1));
        CHECK_INT(ASK("exact", cd_test_kdop_halfspace(dop, set, plane)), ratio_compare(lo, d) <= 0);
        CHECK_INT(ASK("exact", cd_test_kdop_plane(dop, set, plane)),
                  ratio_compare(lo, d) <= 0 && ratio_compare(hi, d) >= 0);
    }
}

static void against_exact_corners(void) {
    static body b;
    test_rng rng = test_random();
    int bodies = 0, empty = 0, loose = 0;
    for (long i = test_times(300); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_kdop_set set = cd_kdop_set_standard(standard_k[test_int(&rng, 0, i % 8 ? 3 : 4)]);
        cd_kdop dop;
        cd_vec3 v[CD_KDOP_VERTICES];
        exact_pool pool = exact_begin();
        double size;
        bool turned = test_int(&rng, 0, 3) == 0; /* planes that meet in a line but for rounding */
        if (test_int(&rng, 0, 3) == 0) set = cd_kdop_set_spread((uint32_t)test_int(&rng, 3, 6));
        if (turned) set = cd_kdop_set_rotate(&set, gen_quat(&rng));
        dop = any_dop(&g, &set);
        note_dop(&dop, &set);
        body_make(&b, &dop, &set);
        if (b.count == 0) {
            cd_kdop t = dop;
            cd_interior3 inner = ASK("exact", cd_kdop_project(&dop, &set, gen_point(&g), 20));
            ++empty;
            CHECK(!cd_kdop_is_tight(&dop, &set) && !cd_kdop_tighten(&t, &set) && t.min[0] == CD_REAL_MAX);
            CHECK(cd_aabb_is_empty(cd_aabb_from_kdop(&t, &set)));
            CHECK_INT(inner.verdict, CD_INTERIOR_EMPTY);
        } else {
            ++bodies;
            loose += !cd_kdop_is_tight(&dop, &set);
            size = body_size(&b);
            check_tight(&dop, &set, &b);
            check_box(&dop, &set, &b, size);
            check_planes(&dop, &set, &b, &rng);
            if (g.kind != GEN_WIDE) check_corners(&b, v, cd_kdop_vertices(&dop, &set, v), size);
        }
        exact_end(pool);
    }
    CHECK_SEEN(bodies > 5 && empty + loose > 0);
}

/* Bodies of a few units in the last place of where they are: no corner that planes cut off by less than the rounding of doubles. */
static void corners_as_near_as_rounding(void) {
    static const double min[6] = {-1.2802368601251926, 0.8127462489558805,  -0.9750583994712295,
                                  -1.6125056512688538, -0.3189099145870822, -0.2186783606380916};
    static const double max[6] = {-1.2802368601251908, 0.8127462489558819,   -0.9750583994712282,
                                  -1.612505651268853,  -0.31890991458708207, -0.21867836063809148};
    static body b;
    test_rng rng = test_random();
    for (long turn = 0; turn < 1 + test_times(100); ++turn) {
        exact_pool pool = exact_begin();
        cd_kdop_set set = cd_kdop_set_spread(turn ? (uint32_t)test_int(&rng, 3, 6) : 6);
        cd_kdop dop;
        cd_vec3 p[3], v[CD_KDOP_VERTICES];
        double far = test_range(&rng, 1, 8);
        if (turn % 3 == 1) set = cd_kdop_set_standard(standard_k[test_int(&rng, 0, 3)]);
        for (int i = 0; i < 9; ++i)
            (&p[0].x)[i] = (cd_real)(far * (1 + test_int(&rng, -20, 20) * EPS) * (i % 3 - 0.7));
        CHECK_INT(cd_kdop_from_points(p, 3, &set, &dop), CD_OK);
        for (int i = 0; turn == 0 && i < 6; ++i) {
            dop.min[i] = (cd_real)min[i];
            dop.max[i] = (cd_real)max[i];
        }
        note_dop(&dop, &set);
        body_make(&b, &dop, &set);
        if (b.count > 0) check_corners(&b, v, ASK("exact", cd_kdop_vertices(&dop, &set, v)), body_size(&b));
        exact_end(pool);
    }
}

/* The dual simplex method finds the corner, and one look at all sides proves it: also along sides' normals, where a whole side is as far. */
static void farthest_corners_are_guessed(void) {
    test_rng rng = test_random();
    for (int i = 1; i < 5; ++i) {
        cd_kdop_set set = cd_kdop_set_standard(standard_k[i]);
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[40];
        cd_kdop dop;
        uint64_t asked = 0;
        for (int k = 0; k < 40; ++k) p[k] = gen_direction(&g);
        CHECK_INT(cd_kdop_from_points(p, 40, &set, &dop), CD_OK);
        for (uint32_t k = 0; k < 40 + 2 * set.count; ++k) {
            cd_vec3 dir = k < 40  ? p[k]
                          : k % 2 ? set.axis[(k - 40) / 2]
                                  : cd_vec3_neg(set.axis[(k - 40) / 2]);
            double reach = -HUGE_VAL, far;
            test_counted.halfspace = 0;
            far = (double)cd_vec3_dot(cd_kdop_support(&dop, &set, dir), dir);
            asked += test_counted.halfspace;
            for (int j = 0; j < 40; ++j) reach = fmax(reach, (double)cd_vec3_dot(p[j], dir));
            CHECK(far >= reach - 8 * EPS);
        }
        test_note("k %u", (unsigned)(2 * set.count));
        CHECK(asked <= 3 * set.count * (40 + 2 * set.count));
    }
}

static void fits_are_tight(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_kdop_set set = any_set(&rng);
        cd_vec3 p[20];
        cd_kdop a, b, both;
        cd_kdop_from_points(p, few_points(&g, p, 20), &set, &a);
        cd_kdop_from_points(p, few_points(&g, p, 20), &set, &b);
        note_dop(&a, &set);
        CHECK(cd_kdop_is_tight(&a, &set));
        both = ASK("exact", cd_merge_kdop_kdop(&a, &b));
        CHECK(cd_kdop_is_tight(&both, &set));
        b.count -= 1;
        CHECK_INT(ASK("exact", cd_merge_kdop_kdop(&a, &b)).count, 0);
    }
}

/* ---- measures, corners, inner points ---- */

/* Two sets of points reach equally far. */
static void check_reach(const cd_vec3 *v, uint32_t n, const cd_vec3 *w, uint32_t m, cd_vec3 d,
                        double margin) {
    double a = -INFINITY, b = -INFINITY;
    d = cd_vec3_normalize(d);
    for (uint32_t i = 0; i < n; ++i) a = fmax(a, (double)cd_vec3_dot(v[i], d));
    for (uint32_t i = 0; i < m; ++i) b = fmax(b, (double)cd_vec3_dot(w[i], d));
    CHECK_NEAR(a, b, margin);
}

/* Corners next to each other are given once. */
static void check_parted(const cd_vec3 *v, uint32_t count, double size) {
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t j = 0; j < i; ++j) CHECK(largest_of(cd_vec3_sub(v[i], v[j])) > 2 * EPS * size);
    }
}

/* Corners by triples and by duality, which seldom needs the triples, and the volume that their hull has. */
static void corners_and_volume(void) {
    test_rng rng = test_random();
    long bodies = 0, slow = 0;
    for (long i = test_times(150); i > 0; --i) {
        gen g = gen_begin(&rng, i % 3 ? GEN_UNIT : i % 2 ? GEN_SCALE : GEN_GRID);
        cd_kdop_set set = any_set(&rng);
        cd_vec3 p[30], v[CD_KDOP_VERTICES], w[CD_KDOP_VERTICES];
        cd_kdop dop;
        cd_interior3 inner;
        cd_hull hull;
        cd_mass mass;
        uint32_t n, m = 0;
        uint64_t triples;
        double size, round;
        for (int k = 0; k < 30; ++k) p[k] = gen_point(&g);
        CHECK_INT(cd_kdop_from_points(p, 30, &set, &dop), CD_OK);
        note_dop(&dop, &set);
        n = cd_kdop_vertices(&dop, &set, v);
        test_counted.corner = 0;
        CHECK_INT(ASK("forms", cd_kdop_vertices_dual(&dop, &set, NULL, w, &m)), CD_OK);
        triples = test_counted.corner;
        CHECK_INT(ASK("judge", cd_kdop_interior_point(&dop, &set, &inner)), CD_OK);
        bodies += inner.verdict == CD_INTERIOR_FOUND;
        slow += inner.verdict == CD_INTERIOR_FOUND && triples > 0;
        size = 0;
        for (uint32_t a = 0; a < n; ++a) size = fmax(size, largest_of(v[a]));
        round = EPS * size * (4 + 64 * fmax(1, size / fmax((double)inner.margin, 1e-30)));
        check_parted(v, n, size);
        check_parted(w, m, size);
        for (int k = 0; k < 30; ++k) check_reach(v, n, w, m, gen_direction(&g), round);
        for (uint32_t k = 0; k < set.count; ++k) check_reach(v, n, w, m, set.axis[k], round);
        CHECK_INT(cd_hull3_build(&hull, v, n, NULL), CD_OK);
        mass = cd_mass_from_hull(&hull);
        if (mass.mass > 1e-30 && mass.mass < 1e30)
            CHECK_NEAR((double)ASK("forms", cd_kdop_volume(&dop, &set)) / pow(size, 3),
                       mass.mass / pow(size, 3), 200 * EPS);
        cd_hull_destroy(&hull);
    }
    CHECK(slow <= 1 + bodies / 100);
}

/* Three planes that meet at a narrow angle, where a fourth all but passes through: doubles are not enough to tell where that is. */
static void corners_of_needles(void) {
    static const double axes[33] = {
        0x1.8268ddeddf6b4p-2,  -0x1.ee002db42c2bcp-4, -0x1.d61c0008f1788p-1, -0x1.e10d82ad76e16p-5,
        0x1.e78066fa26198p-1,  -0x1.33215fcc1d247p-2, -0x1.dfbb7ec46f12cp-1, -0x1.3ad98f7b39d89p-2,
        -0x1.53d71f1cf9fe4p-3, 0x1.41e94f076479cp-2,  -0x1.9c9ef4de87c3fp-1, -0x1.00de3e7dde8a6p-1,
        -0x1.431ebe2cb28a9p-1, -0x1.25245ea0b4ec7p-1, 0x1.0bf6fd49af105p-1,  -0x1.41aee647c91d9p-2,
        -0x1.b741ee9a99a24p-2, -0x1.b1a1ee4300f58p-1, -0x1.3c277dad117ep-4,  0x1.e2dd4627bec6dp-2,
        -0x1.c1c5073ffcbe1p-1, -0x1.753257f4b29fcp-1, 0x1.5673def033b9fp-1,  -0x1.2b2f3a4e8155cp-3,
        -0x1.c5c41c37032d5p-2, -0x1.baa7526c0398ep-1, -0x1.e566a5731908cp-3, -0x1.cbb41a85926e8p-1,
        0x1.8566e18c055ecp-3,  0x1.96a4815de5d16p-2,  -0x1.6ec3fb91319bbp-1, 0x1.615a5920c872p-3,
        -0x1.5a27b771abd4dp-1};
    static const double ends[22] = {
        -0x1.0dd86818b1dd8p+0, 0x1.1d0bccd10b118p+0, -0x1.2f8e0153fbe02p+0, 0x1.245fec5081cd4p+0,
        -0x1.20ce0dfa128dep+0, 0x1.0a7dde5aa46c5p+0, -0x1.0d7b9317d88c1p+0, 0x1.2e1cd191b4778p+0,
        -0x1.6b0245d0abdaap+0, 0x1.9442fef2a6612p+0, -0x1.42da8482f40a5p+0, 0x1.18f6b3203ceedp+0,
        -0x1.3cdc5b950d37bp+0, 0x1.36f47c032b675p+0, -0x1.0a8dcdcb03fdp+0,  0x1.1ddd4db08e1d7p+0,
        -0x1.ff266d7a383acp-1, 0x1.ff9e07c69de5ep-1, -0x1.2803ef3ba18acp+0, 0x1.0fef5d6ebd44p+0,
        -0x1.426e02b63a0b5p+0, 0x1.4ec313efe19a7p+0};
    cd_kdop_set set;
    cd_kdop dop;
    cd_vec3 v[CD_KDOP_VERTICES], w[CD_KDOP_VERTICES];
    uint32_t n = 0;
    memset(&set, 0, sizeof set);
    set.count = 11;
    for (int k = 0; k < 11; ++k)
        set.axis[k] = cd_vec3_make((cd_real)axes[3 * k], (cd_real)axes[3 * k + 1], (cd_real)axes[3 * k + 2]);
    dop = cd_kdop_empty(&set);
    for (int k = 0; k < 11; ++k) dop.min[k] = (cd_real)ends[2 * k], dop.max[k] = (cd_real)ends[2 * k + 1];
    CHECK_INT(cd_kdop_vertices_dual(&dop, &set, NULL, v, &n), CD_OK);
    CHECK(n >= 36);
    if (sizeof(cd_real) == 8) { /* one is told wrongly: all as by triples */
        CHECK_INT(cd_kdop_vertices(&dop, &set, w), n);
        CHECK(memcmp(v, w, n * sizeof *v) == 0);
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (int k = 0; k < 11; ++k) {
            double at = (double)cd_vec3_dot(set.axis[k], v[i]);
            CHECK(at >= (double)dop.min[k] - 128 * EPS && at <= (double)dop.max[k] + 128 * EPS);
        }
    }
}

static void measures_by_hand(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}}, flat = {{-1, -1, 3}, {1, 2, 3}};
    cd_kdop_set set = cd_kdop_set_standard(26);
    cd_vec3 v[CD_KDOP_VERTICES], w[CD_KDOP_VERTICES], origin = {0, 0, 0};
    cd_kdop dop;
    cd_interior3 inner;
    uint32_t count;
    CHECK_INT(cd_kdop_from_aabb(unit, &set, &dop), CD_OK);
    CHECK_NEAR(cd_kdop_volume(&dop, &set), 8, 100 * EPS);
    CHECK_NEAR(ASK("exact", cd_kdop_surface_area(&dop, &set)), 24, 300 * EPS);
    CHECK_INT(cd_kdop_vertices(&dop, &set, v), 8);
    CHECK_INT(cd_kdop_vertices_dual(&dop, &set, NULL, v, &count), CD_OK);
    CHECK_INT(count, 8);
    inner = cd_kdop_project(&dop, &set, cd_vec3_make(100, -3, 7), 1000);
    CHECK(inner.verdict == CD_INTERIOR_FOUND && cd_test_point_kdop(inner.point, &dop, &set) &&
          inner.margin > 0);
    inner = cd_kdop_project(&dop, &set, origin, 0);
    CHECK(inner.verdict == CD_INTERIOR_FOUND && inner.margin == 1);
    CHECK_INT(cd_kdop_from_aabb(flat, &set, &dop), CD_OK);
    CHECK_SAME(cd_kdop_volume(&dop, &set), 0);
    CHECK_NEAR(ASK("exact", cd_kdop_surface_area(&dop, &set)), 12, 64 * EPS);
    CHECK_INT(cd_kdop_vertices(&dop, &set, v), 4);
    CHECK_INT(cd_kdop_vertices_dual(&dop, &set, NULL, w, &count), CD_OK); /* the very same */
    CHECK(count == 4 && memcmp(v, w, 4 * sizeof *v) == 0);
    inner = cd_kdop_project(&dop, &set, origin, 50);
    CHECK_INT(inner.verdict, CD_INTERIOR_FLAT);
    set = cd_kdop_set_standard(8); /* an octahedron, 4/3 */
    dop = ASK("exact", cd_kdop_empty(&set));
    for (int i = 0; i < 4; ++i) dop.min[i] = -1, dop.max[i] = 1;
    CHECK_NEAR(cd_kdop_volume(&dop, &set), 4.0 / 3, 16 * EPS);
    CHECK_NEAR(ASK("exact", cd_kdop_surface_area(&dop, &set)), 8 * sqrt(3.0) / 2, 16 * EPS);
    CHECK_INT(cd_kdop_vertices(&dop, &set, v), 6);
    CHECK_VEC(cd_aabb_from_kdop(&dop, &set).max, cd_vec3_make(1, 1, 1), 8 * EPS);
    for (int i = 0; i < 4; ++i) dop.min[i] = -CD_REAL_MAX / 4, dop.max[i] = CD_REAL_MAX / 4;
    CHECK(isinf((double)cd_kdop_volume(&dop, &set)));
    set = cd_kdop_set_standard(14);
    dop = ASK("exact", cd_kdop_empty(&set));
    CHECK(cd_kdop_volume(&dop, &set) == 0 && ASK("exact", cd_kdop_surface_area(&dop, &set)) == 0);
    CHECK_INT(cd_kdop_vertices(&dop, &set, v), 0);
    v[0] = cd_vec3_make(0, cd_next_up(0), -3 * cd_next_up(0)); /* numbers that have no halves */
    CHECK_INT(cd_kdop_from_points(v, 1, &set, &dop), CD_OK);
    CHECK_INT(cd_kdop_vertices(&dop, &set, v), 1);
    CHECK(v[0].x == 0 && v[0].y == cd_next_up(0) && v[0].z == -3 * cd_next_up(0));
}

/* ---- turning ---- */

static bool holds_image(const cd_kdop *dop, const cd_kdop_set *set, const cd_vec3 *p, size_t count,
                        const cd_transform *t) {
    for (size_t i = 0; i < count; ++i) {
        if (!cd_test_point_kdop(cd_transform_point(t, p[i]), dop, set)) return false;
    }
    return true;
}

/* No wider than that of the image of the points, but for so much. */
static void check_close(const cd_kdop *wide, const cd_kdop_set *set, const cd_vec3 *p, size_t count,
                        const cd_transform *t, double margin) {
    cd_vec3 moved[40];
    cd_kdop close;
    for (size_t i = 0; i < count; ++i) moved[i] = cd_transform_point(t, p[i]);
    CHECK_INT(cd_kdop_from_points(moved, count, set, &close), CD_OK);
    for (uint32_t i = 0; i < set->count; ++i) {
        double slack = margin * (double)cd_vec3_length(set->axis[i]);
        CHECK((double)wide->max[i] <= (double)close.max[i] + slack);
        CHECK((double)wide->min[i] >= (double)close.min[i] - slack);
    }
}

static void moved_ones_hold_the_image(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_kdop_set set = any_set(&rng);
        cd_vec3 p[40], v[CD_KDOP_VERTICES];
        size_t count = few_points(&g, p, 40);
        cd_transform pose = gen_pose(&rng, 10 * g.scale);
        cd_kdop dop, out;
        cd_hull hull;
        cd_kdop_climber climber;
        double size = 0;
        for (size_t k = 0; k < count; ++k)
            size = fmax(size, fmax(largest_of(p[k]), largest_of(cd_transform_point(&pose, p[k]))));
        size = fmax(size, largest_of(pose.position));
        CHECK_INT(cd_kdop_from_points(p, count, &set, &dop), CD_OK);
        note_dop(&dop, &set);
        test_note_reals("pose", &pose.rotation.x, 7);
        test_note_reals("points", &p[0].x, (int)(3 * count));
        CHECK_INT(ASK("exact", cd_kdop_transform(&dop, &set, &pose, &out)), CD_OK);
        CHECK(holds_image(&out, &set, p, count, &pose));
        CHECK_INT(ASK("exact", cd_kdop_tumble(p, count, &set, &pose, &out)), CD_OK);
        CHECK(holds_image(&out, &set, p, count, &pose));
        check_close(&out, &set, p, count, &pose, (sizeof(cd_real) == 4 ? 100 : 300) * EPS * size);
        if (g.kind != GEN_WIDE) {
            CHECK_INT(ASK("exact", cd_kdop_tumble(v, cd_kdop_vertices(&dop, &set, v), &set, &pose, &out)),
                      CD_OK);
            CHECK(holds_image(&out, &set, p, count, &pose));
        }
        CHECK_INT(cd_hull3_build(&hull, p, count, NULL), CD_OK);
        CHECK_INT(ASK("exact", cd_kdop_climber_make(&hull, &set, &climber)), CD_OK);
        CHECK_INT(ASK("exact", cd_kdop_climb(&climber, &pose, &out)), CD_OK);
        CHECK(holds_image(&out, &set, p, count, &pose));
        check_close(&out, &set, p, count, &pose, (sizeof(cd_real) == 4 ? 14 : 200) * EPS * size);
        CHECK_INT(ASK("forms", cd_kdop_from_hull(&hull, &set, &out)), CD_OK);
        CHECK(memcmp(&out, &dop, sizeof out) == 0);
        cd_hull_destroy(&hull);
    }
}

/* Hulls with large flat faces, needles, balls; any starts, turns of a quarter among them: climbing gives the very bits
 * of looking at all vertices. */
static void climbing_is_the_full_pass(void) {
    test_rng rng = test_random();
    long all = test_times(10000), each = all / 20 + 1, steps = 0, vertices = 0;
    for (int body = 0; body < 20; ++body) {
        gen g = gen_begin(&rng, body % 4 == 3 ? GEN_GRID : (gen_kind)(body % GEN_KINDS));
        hulls_cloud cloud = hulls_cloud_make(&rng, hulls_kinds[body % hulls_kind_count].name, 100);
        cd_kdop_set set = any_set(&rng);
        cd_transform pose = cd_transform_identity();
        cd_kdop_climber climber, full;
        cd_hull hull;
        (void)g;
        CHECK_INT(cd_hull3_build(&hull, cloud.points, cloud.count, NULL), CD_OK);
        if (cd_kdop_climber_make(&hull, &set, &climber) == CD_OK) {
            full = climber;
            full.climbs = 0;
            for (long i = 0; i < each; ++i) {
                cd_kdop a, b;
                int kind = test_int(&rng, 0, 3);
                if (kind == 0) pose.rotation = gen_quat(&rng);
                if (kind == 1) { /* a quarter, a half, or a diagonal: whole numbers, many ties */
                    for (int k = 0; k < 4; ++k) REALS(pose.rotation)[k] = (cd_real)test_int(&rng, -1, 1);
                }
                if (kind >= 2) pose.rotation.y += (cd_real)0.03;
                if (kind == 3) {
                    for (int k = 0; k < 2 * CD_KDOP_AXES; ++k)
                        climber.at[k] =
                            (uint32_t)test_int(&rng, 0, (int)cd_hull_get_parts(&hull).vertex_count - 1);
                }
                CHECK_INT(ASK("forms", cd_kdop_climb(&climber, &pose, &a)), CD_OK);
                CHECK_INT(cd_kdop_climb(&full, &pose, &b), CD_OK);
                CHECK(memcmp(&a, &b, sizeof a) == 0);
                CHECK(memcmp(climber.at, full.at, 2 * set.count * sizeof *full.at) == 0);
                steps += climber.steps;
                vertices += full.steps;
            }
        }
        cd_hull_destroy(&hull);
        hulls_cloud_free(&cloud);
    }
    CHECK_SEEN(steps < vertices / 3);
}

/* ---- queries ---- */

static void boxes_as_slabs_are_cast_alike(void) {
    test_rng rng = test_random();
    int hits = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        cd_obb obb = gen_obb(&g);
        cd_aabb box = gen_aabb(&g);
        cd_cast_options options;
        cd_slab slabs[3];
        cd_ray r;
        cd_hit h, k;
        bool hit, other;
        memset(&options, 0, sizeof options);
        options.flags = (uint32_t)test_int(&rng, 0, 31);
        options.t_min = (cd_real)(test_int(&rng, 0, 1) * 0.25);
        r.origin = gen_point(&g);
        r.dir = test_int(&rng, 0, 9) ? gen_direction(&g) : cd_vec3_make(0, 0, 0);
        if (i % 8 < 3) r.dir = cd_vec3_sub(cd_vec3_lerp(box.min, box.max, (cd_real)0.375), r.origin);
        if (i % 16 < 8) options.flags &= ~3u;
        test_note("flags %u ", (unsigned)options.flags);
        test_note_reals("ray", &r.origin.x, 6);
        if (cd_slabs_from_aabb(box, slabs)) {
            test_note_reals("box", &box.min.x, 6);
            hit = cd_cast_ray_aabb(&r, CD_REAL_MAX, box, &options, &h);
            other = ASK("forms", cd_cast_ray_slabs(&r, CD_REAL_MAX, slabs, 3, &options, &k));
            if (g.kind == GEN_UNIT) CHECK_INT(other, hit);
            if (hit && other) {
                ++hits;
                CHECK_NEAR(k.t, h.t, 1e-5 * (1 + fabs((double)h.t)));
                CHECK_VEC(k.point, h.point, 1e-4);
                CHECK_INT(k.flags, h.flags);
                if (g.kind == GEN_UNIT) CHECK_INT(k.feature, h.feature);
                if (g.kind == GEN_UNIT) CHECK_VEC(k.normal, h.normal, 4 * EPS);
                CHECK_NEAR(k.depth, h.depth, 8 * EPS);
            }
        }
        if (g.kind == GEN_UNIT && cd_slabs_from_obb(&obb, slabs)) {
            hit = cd_cast_ray_obb(&r, 10, &obb, &options, &h);
            other = ASK("forms", cd_cast_ray_slabs(&r, 10, slabs, 3, &options, &k));
            if (hit && other) CHECK_NEAR(k.t, h.t, 1e-3 * (1 + fabs((double)h.t)));
        }
    }
    CHECK_SEEN(hits > 40);
}

/* Where the hit is the point is on the body; before it, outside. A ray at an inner point hits. */
static void casts_find_the_body(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_kdop_set set = any_set(&rng);
        cd_vec3 p[12], middle;
        cd_kdop dop, wide;
        cd_ray r;
        cd_hit h;
        bool hit;
        for (int k = 0; k < 12; ++k) p[k] = gen_point(&g);
        cd_kdop_from_points(p, 12, &set, &dop);
        r.origin = gen_point(&g);
        middle = cd_vec3_lerp(p[0], p[1], (cd_real)0.5);
        r.dir = i % 4 ? cd_vec3_sub(middle, r.origin) : gen_direction(&g);
        note_dop(&dop, &set);
        test_note_reals("ray", &r.origin.x, 6);
        hit = ASK("judge", cd_cast_ray_kdop(&r, CD_REAL_MAX, &dop, &set, NULL, &h));
        if (i % 4) CHECK(hit);
        if (!hit) {
            for (int k = 0; k < 100; ++k)
                CHECK(!cd_test_point_kdop(cd_vec3_along(r.origin, r.dir, (cd_real)(k * 0.1)), &dop, &set));
            continue;
        }
        wide = dop;
        for (uint32_t k = 0; k < dop.count; ++k) wide.min[k] -= (cd_real)1e-5, wide.max[k] += (cd_real)1e-5;
        CHECK(cd_test_point_kdop(h.point, &wide, &set));
        if (h.flags & CD_HIT_START) {
            CHECK(cd_test_point_kdop(r.origin, &dop, &set) && h.t == 0);
        } else {
            CHECK(!cd_test_point_kdop(r.origin, &dop, &set));
            CHECK(!cd_test_point_kdop(cd_vec3_along(r.origin, r.dir, h.t * (cd_real)0.999 - (cd_real)1e-4),
                                      &dop, &set));
            CHECK(h.feature >> 30 == 3u && (h.feature & 0xFFFFu) < 2 * dop.count);
        }
    }
}

/* What shares a point meets; what a slab parts does not; and the answers are the same in both orders and cached. */
static void overlaps(void) {
    test_rng rng = test_random();
    int apart = 0, early = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_kdop_set set = any_set(&rng);
        cd_vec3 p[8];
        cd_kdop a, b;
        cd_slab s[CD_KDOP_AXES], t[CD_KDOP_AXES];
        cd_triangle tri;
        uint32_t witness = (uint32_t)test_int(&rng, 0, 20);
        bool want = true, got;
        for (int k = 0; k < 8; ++k) p[k] = gen_point(&g);
        cd_kdop_from_points(p, 4, &set, &a);
        cd_kdop_from_points(p + (i % 2 ? 3 : 4), 3, &set, &b);
        for (uint32_t k = 0; k < set.count; ++k) want = want && a.min[k] <= b.max[k] && b.min[k] <= a.max[k];
        got = ASK("exact", cd_test_kdop_kdop(&a, &b));
        CHECK_INT(got, want);
        if (i % 2) CHECK(got);
        CHECK_INT(ASK("swap", cd_test_kdop_kdop(&b, &a)), want);
        CHECK_INT(ASK("exact", cd_test_kdop_kdop_cached(&a, &b, &witness)), want);
        CHECK_INT(ASK("exact", cd_test_kdop_kdop_cached(&a, &b, &witness)), want);
        if (!want) {
            ++apart;
            CHECK(witness < set.count &&
                  !(a.min[witness] <= b.max[witness] && b.min[witness] <= a.max[witness]));
            early += !(a.min[0] <= b.max[0] && b.min[0] <= a.max[0] && a.min[1] <= b.max[1] &&
                       b.min[1] <= a.max[1] && a.min[2] <= b.max[2] && b.min[2] <= a.max[2]);
        }
        cd_slabs_from_kdop(&a, &set, s);
        cd_slabs_from_kdop(&b, &set, t);
        CHECK_INT(ASK("exact", cd_test_slabs_slabs(s, t, set.count)), want);
        tri.a = p[3], tri.b = p[5], tri.c = p[6];
        CHECK(ASK("exact", cd_test_triangle_kdop(&tri, &a, &set)));
        tri.a = p[4 - i % 2], tri.b = p[5 - i % 2], tri.c = p[6 - i % 2];
        CHECK_INT(ASK("exact", cd_test_triangle_kdop(&tri, &a, &set)), want);
    }
    CHECK_SEEN(3 * early > apart);
    {
        cd_kdop_set set = cd_kdop_set_standard(6);
        cd_kdop a = cd_kdop_empty(&set), b = a;
        cd_sphere s = {{0, 0, 0}, 1};
        cd_obb flat;
        memset(&flat, 0, sizeof flat);
        b.count = 2;
        CHECK(!ASK("exact", cd_test_kdop_kdop(&a, &b)) && !cd_test_kdop_kdop(&a, &a) &&
              !cd_test_sphere_kdop(s, &a, &set));
        flat.half.x = -1;
        CHECK(!cd_test_kdop_obb(&a, &set, &flat) && !cd_test_kdop_aabb(&a, &set, cd_aabb_empty()));
        CHECK(!cd_test_point_kdop(s.center, &b, &set));
        CHECK(cd_test_point_slabs(s.center, NULL, 0));
    }
}

static void meshes_and_memory(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(8, 0.2, &rng);
    cd_mesh_view view = gen_mesh_view(&ball);
    cd_kdop_set set = cd_kdop_set_standard(18);
    cd_kdop a, b;
    cd_vec3 v[CD_KDOP_VERTICES];
    uint32_t count = 7;
    test_memory memory;
    cd_allocator allocator = test_allocator(&memory);
    cd_status status = CD_OUT_OF_MEMORY;
    CHECK_INT(cd_kdop_from_mesh(&view, &set, &a), CD_OK);
    CHECK_INT(cd_kdop_from_points(ball.vertices, ball.vertex_count, &set, &b), CD_OK);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    view.positions = NULL;
    CHECK_INT(cd_kdop_from_mesh(&view, &set, &b), CD_INVALID_ARGUMENT);
    CHECK_INT(b.count, 0);
    for (long k = 0; k < 50 && status == CD_OUT_OF_MEMORY; ++k) {
        memset(&memory, 0, sizeof memory);
        memory.allowed = k;
        status = cd_kdop_vertices_dual(&a, &set, &allocator, v, &count);
        CHECK_INT(memory.live, 0);
        CHECK_INT(count > 0, status == CD_OK);
    }
    CHECK_INT(status, CD_OK);
    b = a;
    b.count = 3;
    CHECK_INT(cd_kdop_vertices_dual(&b, &set, NULL, v, &count), CD_INVALID_ARGUMENT);
    CHECK_INT(count, 0);
    gen_mesh_free(&ball);
}

static void bad_poses_and_hulls(void) {
    cd_kdop_set set = cd_kdop_set_standard(14);
    cd_transform pose = cd_transform_identity();
    cd_kdop dop, out;
    cd_kdop_climber climber;
    cd_hull none;
    cd_vec3 p = {1, 2, 3};
    memset(&none, 0, sizeof none);
    CHECK_INT(ASK("bad", cd_kdop_climber_make(&none, &set, &climber)), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_kdop_climb(&climber, &pose, &out), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_kdop_from_hull(&none, &set, &out), CD_OK);
    CHECK(out.min[0] == CD_REAL_MAX);
    CHECK_INT(cd_kdop_transform(&out, &set, &pose, &dop), CD_OK); /* an empty one stays so */
    CHECK(dop.min[6] == CD_REAL_MAX);
    CHECK_INT(cd_kdop_tumble(NULL, 0, &set, &pose, &out), CD_OK);
    CHECK(out.min[0] == CD_REAL_MAX);
    CHECK_INT(cd_kdop_from_points(&p, 1, &set, &dop), CD_OK);
    pose.position.x = CD_REAL_MAX;
    pose.position.y = CD_REAL_MAX;
    CHECK_INT(cd_kdop_transform(&dop, &set, &pose, &out), CD_TOO_LARGE);
    CHECK_INT(cd_kdop_tumble(&p, 1, &set, &pose, &out), CD_TOO_LARGE);
    CHECK_INT(out.count, 0);
    pose.position.x = (cd_real)NAN;
    CHECK_INT(cd_kdop_transform(&dop, &set, &pose, &out), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_kdop_tumble(&p, 1, &set, &pose, &out), CD_INVALID_ARGUMENT);
    dop.max[2] = (cd_real)NAN;
    CHECK(!cd_test_point_kdop(p, &dop, &set) && !ASK("bad", cd_kdop_is_valid(&dop, &set)));
    CHECK(!cd_kdop_is_tight(&dop, &set) && cd_kdop_volume(&dop, &set) == 0);
}

/* Of each group of positions the first reaches farthest; what lies behind the last is not of the mesh. */
static void meshes_of_many_positions(void) {
    static const uint32_t counts[] = {1, 2, 9, 63, 64, 65, 127, 128, 129, 200};
    enum { MOST = 400 };
    test_rng rng = test_random();
    cd_kdop_set set = cd_kdop_set_standard(14);
    cd_vec3 p[MOST];
    uint32_t triangle[3] = {0, 0, 0};
    for (uint32_t i = 0; i < MOST; ++i) {
        cd_real far_out = (cd_real)(i % 64 ? 1 : 4 + i);
        for (int k = 0; k < 3; ++k)
            (&p[i].x)[k] = (cd_real)test_range(&rng, 0.5, 1) * (test_int(&rng, 0, 1) ? far_out : -far_out);
    }
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        cd_mesh_view view = cd_mesh_view_make(p, counts[k], triangle, 1);
        cd_vec3 keep[MOST];
        cd_kdop got, want;
        test_note("%u positions", (unsigned)counts[k]);
        memcpy(keep, p, sizeof p);
        for (uint32_t i = counts[k]; i < MOST; ++i) p[i] = cd_vec3_make(-5000, 5000, -5000);
        CHECK_INT(ASK("forms", cd_kdop_from_mesh(&view, &set, &got)), CD_OK);
        CHECK_INT(cd_kdop_from_points(p, counts[k], &set, &want), CD_OK);
        CHECK(memcmp(&got, &want, sizeof got) == 0);
        memcpy(p, keep, sizeof p);
    }
}

/* A climber without a hull, and one with a set that has become bad. */
static void damaged_climbers(void) {
    cd_kdop_set set = cd_kdop_set_standard(14);
    cd_transform pose = cd_transform_identity();
    cd_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cd_kdop_climber good, bad;
    cd_kdop out;
    cd_hull hull;
    CHECK_INT(cd_hull3_build(&hull, p, 4, NULL), CD_OK);
    CHECK_INT(cd_kdop_climber_make(&hull, &set, &good), CD_OK);
    CHECK_INT(cd_kdop_climb(&good, &pose, &out), CD_OK);
    CHECK_INT(out.count, 7);
    for (int k = 0; k < 4; ++k) {
        bad = good;
        if (k == 0) bad.hull = NULL;
        if (k == 1) bad.set.count = 0;
        if (k == 2) bad.set.count = CD_KDOP_AXES + 1;
        if (k == 3) bad.set.axis[2] = cd_vec3_make(0, (cd_real)NAN, 0);
        test_note("damage %d", k);
        CHECK_INT(cd_kdop_climb(&bad, &pose, &out), CD_INVALID_ARGUMENT);
        CHECK_INT(out.count, 0);
    }
    cd_hull_destroy(&hull);
}

/* Of two sets, or of no set: no, and no slab is told to part them that does not. */
static void witnesses_of_two_sets(void) {
    cd_kdop a, b;
    uint32_t witness = 77;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (int k = 0; k < CD_KDOP_AXES; ++k) {
        a.min[k] = b.min[k] = (cd_real)(k < 3 ? 0 : 2 * k);
        a.max[k] = (cd_real)(k < 3 ? 1 : 2 * k);
        b.max[k] = (cd_real)(k < 3 ? 1 : 2 * k);
        if (k >= 3) b.min[k] = b.max[k] = (cd_real)(2 * k + 1);
    }
    a.count = 3;
    b.count = 7;
    CHECK(!ASK("exact", cd_test_kdop_kdop_cached(&a, &b, &witness)) && witness == 77);
    CHECK(!ASK("exact", cd_test_kdop_kdop_cached(&b, &a, &witness)) && witness == 77);
    b.min[2] = b.max[2] = 2;
    CHECK(!ASK("exact", cd_test_kdop_kdop_cached(&a, &b, &witness)) && witness == 2);
    a = b;
    a.count = b.count = 0xFFFFFFFFu;
    witness = 77;
    CHECK(!ASK("bad", cd_test_kdop_kdop_cached(&a, &b, &witness)) && witness == 77);
}

/* Points are in no k-DOP of another set, or of none; a ball whose own k-DOP would leave the range may meet all that are one. */
static void other_sets_and_balls_without_end(void) {
    cd_kdop_set six = cd_kdop_set_standard(6), more = cd_kdop_set_standard(26), none = six;
    cd_kdop dop, empty = cd_kdop_empty(&six);
    cd_sphere ball;
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_vec3 middle = cd_vec3_make(0, 0, 0);
    ball.center = cd_vec3_make(CD_REAL_MAX, 0, 0);
    ball.radius = CD_REAL_MAX;
    CHECK_INT(cd_kdop_from_aabb(box, &six, &dop), CD_OK);
    CHECK(cd_test_point_kdop(middle, &dop, &six) && !cd_test_point_kdop(middle, &dop, &more));
    CHECK(cd_test_sphere_kdop(ball, &dop, &six) && !cd_test_sphere_kdop(ball, &empty, &six));
    CHECK(!cd_test_sphere_kdop(ball, &dop, &more));
    none.count = 0;
    dop.count = 0;
    CHECK(!cd_test_point_kdop(middle, &dop, &none) && !cd_test_point_kdop(middle, &dop, &six));
    dop.count = none.count = CD_KDOP_AXES + 1;
    CHECK(!cd_test_point_kdop(middle, &dop, &none));
}

/* As far as numbers go, and planes that are nearly dependent. */
static void corners_as_far_as_numbers_go(void) {
    cd_kdop_set set = cd_kdop_set_standard(6);
    cd_vec3 p[3], v[CD_KDOP_VERTICES];
    cd_kdop a;
    set.axis[1] = cd_vec3_make(0, (cd_real)1e-20, (cd_real)0.7);
    p[0] = cd_vec3_make(0, 0, -1);
    p[1] = cd_vec3_make(1, 1, 0);
    p[2] = cd_vec3_make(1, 1, CD_REAL_MAX);
    CHECK_INT(cd_kdop_from_points(p, 3, &set, &a), CD_OK);
    for (uint32_t n = cd_kdop_vertices(&a, &set, v); n > 0; --n) CHECK(cd_vec3_is_valid(v[n - 1]));
}

/* A corner of the least numbers there are, of which a quotient tells no digit: it is found step by step. */
static void limits_of_the_least_numbers(void) {
    cd_kdop_set set = cd_kdop_set_standard(8);
    cd_real least = sizeof(cd_real) == 4 ? (cd_real)ldexp(1.0, -149) : (cd_real)ldexp(1.0, -1074);
    cd_kdop a;
    for (int k = 0; k < 3; ++k) set.axis[k] = cd_vec3_make(k == 0, k == 1, k == 2 ? (cd_real)0.0078125 : 0);
    set.axis[3] = cd_vec3_make(1, 1, 1);
    for (int steps = 1; steps < 64; ++steps) {
        cd_kdop_from_points(&set.axis[3], 1, &set, &a);
        for (int k = 0; k < 4; ++k) {
            a.min[k] = -1;
            a.max[k] = k < 3 ? 0 : 1;
        }
        a.max[0] = (cd_real)(128 - steps) * least;
        CHECK(cd_kdop_tighten(&a, &set));
        CHECK(a.max[3] == (cd_real)(128 - steps) * least);
    }
}

void suite_kdop(void) {
    RUN(limits_of_the_least_numbers);
    RUN(corners_as_far_as_numbers_go);
    RUN(sets);
    RUN(order_is_greedy);
    RUN(sets_are_turned);
    RUN(invalid_sets);
    RUN(sets_of_short_axes);
    RUN(fits_are_the_best);
    RUN(fits_of_any_numbers);
    RUN(fits_of_volumes);
    RUN(against_exact_corners);
    RUN(corners_as_near_as_rounding);
    RUN(farthest_corners_are_guessed);
    RUN(fits_are_tight);
    RUN(corners_and_volume);
    RUN(corners_of_needles);
    RUN(measures_by_hand);
    RUN(moved_ones_hold_the_image);
    RUN(climbing_is_the_full_pass);
    RUN(boxes_as_slabs_are_cast_alike);
    RUN(casts_find_the_body);
    RUN(overlaps);
    RUN(meshes_and_memory);
    RUN(bad_poses_and_hulls);
    RUN(meshes_of_many_positions);
    RUN(damaged_climbers);
    RUN(witnesses_of_two_sets);
    RUN(other_sets_and_balls_without_end);
}
