/* The growing tree of spheres beside a list of spheres. */
#include "gen.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 160, PAIRS = MOST * MOST };

/* ---- the reference: a list ---- */

typedef struct list {
    cd_sphere sphere[MOST];
    uint32_t mask[MOST], free_ids[MOST], used, free_count, count;
    bool there[MOST];
} list;

static uint32_t list_insert(list *l, cd_sphere s, uint32_t mask) {
    uint32_t id = l->free_count ? l->free_ids[--l->free_count] : l->used++;
    l->sphere[id] = s;
    l->mask[id] = mask;
    l->there[id] = true;
    ++l->count;
    return id;
}

static void list_remove(list *l, uint32_t id) {
    l->there[id] = false;
    l->free_ids[l->free_count++] = id;
    --l->count;
}

static uint32_t list_any(const list *l, test_rng *rng) {
    uint32_t id;
    do id = (uint32_t)test_int(rng, 0, (int)l->used - 1);
    while (!l->there[id]);
    return id;
}

static bool same_sphere(cd_sphere a, cd_sphere b) {
    return a.radius == b.radius && a.center.x == b.center.x && a.center.y == b.center.y &&
           a.center.z == b.center.z;
}

/* Exact, by whole numbers. */
static bool is_inside(cd_sphere part, cd_sphere whole) {
    double p[3], q[3];
    exact_pool pool = exact_begin();
    exact3 d;
    exact gap;
    bool inside;
    if (isinf((double)whole.radius)) return true;
    to_doubles(REALS(part), p, 3);
    to_doubles(REALS(whole), q, 3);
    d = exact3_sub(exact3_from(p), exact3_from(q));
    gap = exact_sub(exact_from((double)whole.radius), exact_from((double)part.radius));
    inside = gap.sign >= 0 && exact_compare(exact3_dot(d, d), exact_mul(gap, gap)) <= 0;
    exact_end(pool);
    return inside;
}

/* ---- random spheres, many of them in special position to one that is there ---- */

static cd_sphere any_sphere(gen *g, const list *l) {
    cd_sphere s = gen_sphere(g), t;
    cd_real half = (cd_real)0.5;
    int how = test_int(g->rng, 0, 9);
    if (how == 0) s.radius = 0;
    if (how > 5 || !l->count) return s;
    t = l->sphere[list_any(l, g->rng)];
    if (how == 1) return t;
    if (how == 2) s.center = t.center;
    if (how == 3) t.radius *= half;
    if (how == 4) t.center.x += t.radius * half, t.radius *= half; /* touches from within */
    if (how == 5) t.center.y += t.radius + s.radius, t.radius = s.radius;
    if (how >= 3) s = t;
    return cd_sphere_is_valid(s) ? s : gen_sphere(g);
}

static cd_sphere huge_sphere(test_rng *rng) {
    cd_sphere s;
    do {
        cd_real x = gen_any_real(rng), y = gen_any_real(rng), z = gen_any_real(rng);
        s.center = cd_vec3_make(x, y, z);
        s.radius = (cd_real)fabs((double)gen_any_real(rng));
    } while (!cd_sphere_is_valid(s));
    return s;
}

/* ---- questions ---- */

static int by_pair(const void *p, const void *q) {
    const cd_pair *a = (const cd_pair *)p, *b = (const cd_pair *)q;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static int by_number(const void *p, const void *q) {
    uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
    return (a > b) - (a < b);
}

static bool odd_pair(void *user, cd_pair pair) {
    ++*(int *)user;
    return (pair.a + pair.b) % 2 == 1;
}
static bool third_index(void *user, uint32_t index) {
    ++*(int *)user;
    return index % 3 != 0;
}

static cd_pair got_pairs[PAIRS], want_pairs[PAIRS];

static void check_pairs(size_t got, size_t want) {
    if (!CHECK_INT(got, want)) return;
    qsort(got_pairs, got, sizeof got_pairs[0], by_pair);
    CHECK(!memcmp(got_pairs, want_pairs, want * sizeof(cd_pair)));
}

static void ask_self(const cd_bvh_spheres *t, const list *l, test_rng *rng) {
    cd_bvh_pair_options o;
    size_t want = 0, some = (size_t)test_int(rng, 0, 8);
    int asked = 0, expected = 0;
    memset(&o, 0, sizeof o);
    if (test_int(rng, 0, 2) == 0) o.ignore_a = 1u << test_int(rng, 0, 3);
    if (test_int(rng, 0, 2) == 0) o.ignore_b = 1u << test_int(rng, 0, 3);
    if (test_int(rng, 0, 2) == 0) o.filter = odd_pair;
    o.user = &asked;
    for (uint32_t i = 0; i < l->used; ++i) {
        for (uint32_t j = i + 1; j < l->used; ++j) {
            if (!l->there[i] || !l->there[j] || !cd_test_sphere_sphere(l->sphere[i], l->sphere[j])) continue;
            if ((l->mask[i] | l->mask[j]) & (o.ignore_a | o.ignore_b)) continue;
            ++expected;
            if (o.filter && (i + j) % 2 == 0) continue;
            want_pairs[want].a = i;
            want_pairs[want++].b = j;
        }
    }
    check_pairs(ASK("loop", cd_bvh_spheres_self_pairs(t, &o, got_pairs, PAIRS)), want);
    CHECK_INT(asked, o.filter ? expected : 0);
    memset(&got_pairs[some], 0xAB, sizeof(cd_pair));
    CHECK_INT(ASK("loop", cd_bvh_spheres_self_pairs(t, &o, got_pairs, some)), want);
    CHECK(got_pairs[some].a == 0xABABABABu || some >= PAIRS);
    CHECK_INT(ASK("loop", cd_bvh_spheres_self_pairs(t, &o, NULL, 0)), want);
}

static void ask_two(const cd_bvh_spheres *t, const list *l, const cd_bvh_spheres *u, const list *m,
                    test_rng *rng) {
    cd_bvh_pair_options o;
    size_t want = 0;
    memset(&o, 0, sizeof o);
    if (test_int(rng, 0, 2) == 0) o.ignore_a = 1u << test_int(rng, 0, 3);
    if (test_int(rng, 0, 2) == 0) o.ignore_b = 1u << test_int(rng, 0, 3);
    for (uint32_t i = 0; i < l->used; ++i) {
        for (uint32_t j = 0; j < m->used; ++j) {
            if (!l->there[i] || !m->there[j] || !cd_test_sphere_sphere(l->sphere[i], m->sphere[j])) continue;
            if ((l->mask[i] & o.ignore_a) || (m->mask[j] & o.ignore_b)) continue;
            want_pairs[want].a = i;
            want_pairs[want++].b = j;
        }
    }
    check_pairs(ASK("loop", cd_bvh_spheres_collide(t, u, &o, got_pairs, PAIRS)), want);
}

static void ask_sphere(const cd_bvh_spheres *t, const list *l, cd_sphere s, test_rng *rng) {
    uint32_t got[MOST + 1], want[MOST];
    size_t n = 0;
    int asked = 0, expected = 0;
    cd_filter f;
    memset(&f, 0, sizeof f);
    if (test_int(rng, 0, 1)) f.ignore_mask = 1u << test_int(rng, 0, 3);
    if (test_int(rng, 0, 1)) f.filter = third_index;
    f.user = &asked;
    for (uint32_t i = 0; i < l->used; ++i) {
        if (!l->there[i] || !cd_test_sphere_sphere(l->sphere[i], s) || (l->mask[i] & f.ignore_mask)) continue;
        ++expected;
        if (!f.filter || i % 3) want[n++] = i;
    }
    if (!CHECK_INT(ASK("loop", cd_bvh_spheres_overlap_list(t, s, &f, got, MOST)), n)) return;
    CHECK_INT(asked, f.filter ? expected : 0);
    qsort(got, n, sizeof got[0], by_number);
    CHECK(!memcmp(got, want, n * sizeof got[0]));
}

static bool index_passes(void *user, uint32_t index) {
    (void)user;
    return index % 3 != 0;
}

static void ask_ray(const cd_bvh_spheres *t, const list *l, const cd_ray *r, cd_real t_max,
                    const cd_cast_options *o) {
    cd_hit best, hit, got;
    bool any = false, found;
    memset(&best, 0, sizeof best);
    memset(&got, 0, sizeof got);
    for (uint32_t i = 0; i < l->used; ++i) {
        if (!l->there[i] || !cd_cast_ray_sphere(r, t_max, l->sphere[i], o, &hit)) continue;
        if ((l->mask[i] & o->ignore_mask) || (o->filter && !o->filter(o->user, i))) continue;
        if (any && hit.t >= best.t) continue;
        any = true;
        best = hit;
        best.index = i;
    }
    found = ASK("loop", cd_bvh_spheres_cast_ray(t, r, t_max, o, &got));
    if (!CHECK_INT(found, any)) return;
    CHECK_INT(ASK("loop", cd_bvh_spheres_test_ray(t, r, t_max, o)), any);
    if (!any) return;
    CHECK_INT(got.index, best.index);
    CHECK(got.t == best.t && got.flags == best.flags);
    CHECK_VEC(got.point, best.point, 0);
    CHECK_VEC(got.normal, best.normal, 0);
}

static void ask_any_ray(const cd_bvh_spheres *t, const list *l, gen *g) {
    cd_ray r;
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    r.origin = gen_point(g);
    r.dir = gen_direction(g);
    if (l->count && test_int(g->rng, 0, 1))
        r.dir = cd_vec3_sub(l->sphere[list_any(l, g->rng)].center, r.origin);
    if (test_int(g->rng, 0, 9) == 0) r.dir = cd_vec3_make(0, 0, 0);
    if (test_int(g->rng, 0, 1)) o.flags = (uint32_t)test_int(g->rng, 0, 31);
    if (test_int(g->rng, 0, 3) == 0) o.t_min = (cd_real)0.5;
    if (test_int(g->rng, 0, 3) == 0) o.ignore_mask = 2;
    if (test_int(g->rng, 0, 3) == 0) o.filter = index_passes;
    ask_ray(t, l, &r, test_int(g->rng, 0, 1) ? 1 : CD_REAL_MAX, &o);
}

/* ---- changes ---- */

static void check_tree(const cd_bvh_spheres *t, const list *l) {
    cd_sphere all = ASK("loop", cd_bvh_spheres_bounds(t));
    CHECK_INT(cd_bvh_spheres_validate(t), CD_OK);
    CHECK_INT(ASK("loop", cd_bvh_spheres_count(t)), l->count);
    CHECK(l->count || all.radius == -1);
    for (uint32_t i = 0; i < l->used; ++i) {
        CHECK(ASK("loop", cd_bvh_spheres_contains(t, i)) == l->there[i]);
        CHECK_INT(ASK("loop", cd_bvh_spheres_get_mask(t, i)), l->there[i] ? l->mask[i] : 0);
        if (!l->there[i]) continue;
        CHECK(same_sphere(ASK("loop", cd_bvh_spheres_get(t, i)), l->sphere[i]));
        CHECK(is_inside(l->sphere[i], all));
    }
}

static void change(cd_bvh_spheres *t, list *l, test_rng *rng, cd_sphere s) {
    int what = test_int(rng, 0, 9);
    uint32_t id = 7, mask = 1u << test_int(rng, 0, 5);
    if (l->count == MOST - 1 || (what < 3 && l->count)) {
        id = list_any(l, rng);
        CHECK_INT(ASK("loop", cd_bvh_remove_sphere(t, id)), CD_OK);
        list_remove(l, id);
    } else if (what < 6 && l->count) {
        id = list_any(l, rng);
        if (what == 5) s.center = l->sphere[id].center;
        if (what == 4) s.radius = l->sphere[id].radius;
        CHECK_INT(ASK("loop", cd_bvh_move_sphere(t, id, s)), CD_OK);
        l->sphere[id] = s;
    } else {
        CHECK_INT(ASK("loop", cd_bvh_insert_sphere(t, s, mask, &id)), CD_OK);
        CHECK_INT(id, list_insert(l, s, mask));
    }
    if (l->count && test_int(rng, 0, 4) == 0) {
        id = list_any(l, rng);
        l->mask[id] = mask;
        CHECK_INT(ASK("loop", cd_bvh_spheres_set_mask(t, id, mask)), CD_OK);
    }
}

static void answers_are_those_of_a_list(void) {
    test_rng rng = test_random();
    for (long i = test_times(60); i > 0; --i) {
        cd_bvh_spheres_options o;
        cd_bvh_spheres t, u;
        list l, m;
        int kind = test_int(&rng, 0, GEN_KINDS), most = test_int(&rng, 0, 3) ? 40 : 300;
        gen g = gen_begin(&rng, (gen_kind)(kind % GEN_KINDS));
        memset(&o, 0, sizeof o);
        memset(&l, 0, sizeof l);
        memset(&m, 0, sizeof m);
        memset(&u, 0, sizeof u);
        o.flags = (uint32_t)test_int(&rng, 0, 1);
        o.capacity = (uint32_t)test_int(&rng, 0, 20);
        CHECK_INT(ASK("loop", cd_bvh_spheres_init(&t, &o)), CD_OK);
        test_note("kind %d, flags %u", kind, o.flags);
        for (int step = 0; step < most; ++step) {
            cd_sphere s = kind == GEN_KINDS ? huge_sphere(&rng) : any_sphere(&g, &l);
            change(&t, &l, &rng, s);
            s = kind == GEN_KINDS ? huge_sphere(&rng) : any_sphere(&g, &m);
            if (step % 2) change(&u, &m, &rng, s);
            check_tree(&t, &l);
            ask_sphere(&t, &l, s, &rng);
            if (kind != GEN_KINDS) ask_any_ray(&t, &l, &g);
            if (step % 7 == 0) ask_self(&t, &l, &rng);
            if (step % 7 == 1) ask_two(&t, &l, &u, &m, &rng);
        }
        ASK("loop", cd_bvh_spheres_destroy(&t));
        ASK("loop", cd_bvh_spheres_destroy(&u));
        CHECK_INT(cd_bvh_spheres_count(&t), 0);
    }
}

/* ---- the book's cases ---- */

static cd_sphere sphere_at(double x, double radius) {
    cd_sphere s;
    s.center = cd_vec3_make((cd_real)x, 0, 0);
    s.radius = (cd_real)radius;
    return s;
}

/* ERRATA: of two spheres one of which holds the other the larger one is the parent's, about one centre, too. */
static void a_containing_sphere_is_the_parents(void) {
    static const double at[5][4] = {/* centre, radius, twice */
                                    {0, 4, 1, 1},
                                    {0, 4, 0, 1},
                                    {0, 4, 0, 4},
                                    {0, 0, 0, 0},
                                    {0, 4, 3, 1}};
    for (int i = 0; i < 10; ++i) {
        const double *p = at[i / 2];
        cd_sphere a = sphere_at(p[0], p[1]), b = sphere_at(p[2], p[3]);
        cd_bvh_spheres t;
        uint32_t id;
        memset(&t, 0, sizeof t);
        CHECK_INT(cd_bvh_insert_sphere(&t, i % 2 ? a : b, 0, &id), CD_OK);
        CHECK_INT(cd_bvh_insert_sphere(&t, i % 2 ? b : a, 0, &id), CD_OK);
        CHECK(same_sphere(ASK("exact", cd_bvh_spheres_bounds(&t)), a));
        cd_bvh_spheres_destroy(&t);
    }
}

static void touching_spheres_are_a_pair(void) {
    cd_bvh_spheres t;
    cd_pair pair;
    uint32_t a, b, c;
    memset(&t, 0, sizeof t);
    CHECK_INT(cd_bvh_insert_sphere(&t, sphere_at(0, 1), 0, &a), CD_OK);
    CHECK_INT(cd_bvh_insert_sphere(&t, sphere_at(3, 2), 0, &b), CD_OK);
    CHECK_INT(cd_bvh_insert_sphere(&t, sphere_at(8, 2.5), 0, &c), CD_OK);
    CHECK_INT(cd_bvh_spheres_self_pairs(&t, NULL, &pair, 1), 1);
    CHECK(pair.a == a && pair.b == b);
    CHECK_INT(cd_bvh_move_sphere(&t, c, sphere_at(8, 3)), CD_OK);
    CHECK_INT(cd_bvh_spheres_self_pairs(&t, NULL, &pair, 1), 2);
    CHECK_INT(cd_bvh_remove_sphere(&t, b), CD_OK);
    CHECK_INT(cd_bvh_spheres_self_pairs(&t, NULL, &pair, 1), 0);
    CHECK_NEAR(ASK("exact", cd_bvh_spheres_bounds(&t)).radius, 6,
               1e-6); /* the sibling is in the parent's place */
    cd_bvh_spheres_destroy(&t);
}

/* Sorted, equal, concentric ones and a series of sizes: shallow, and cheap in work. */
static void nothing_makes_it_deep(void) {
    int n = test_is_small() ? 300 : 3000;
    for (int how = 0; how < 5; ++how) {
        cd_bvh_spheres t;
        uint32_t id;
        memset(&t, 0, sizeof t);
        memset(&test_counted, 0, sizeof test_counted);
        test_note("how %d", how);
        for (int i = 0; i < n; ++i) {
            cd_sphere s = sphere_at(how == 0 ? i : how == 1 ? -i * i : 0, how < 2 ? 0.25 : how == 2 ? i : 1);
            if (how == 4) s = sphere_at(pow(1.03, i), pow(1.03, i) / 100);
            CHECK_INT(ASK("judge", cd_bvh_insert_sphere(&t, s, 0, &id)), CD_OK);
        }
        CHECK(ASK("judge", cd_bvh_spheres_height(&t)) <= 16);
        CHECK(test_counted.build < (uint64_t)n * 64);
        CHECK_INT(cd_bvh_spheres_validate(&t), CD_OK);
        for (int i = 0; i < n - 3; ++i) CHECK_INT(ASK("judge", cd_bvh_remove_sphere(&t, (uint32_t)i)), CD_OK);
        CHECK_INT(cd_bvh_spheres_validate(&t), CD_OK);
        CHECK(ASK("judge", cd_bvh_spheres_height(&t)) == 2);
        memset(&test_counted, 0, sizeof test_counted);
        cd_bvh_spheres_destroy(&t);
    }
}

/* A plain tree of sorted spheres is a chain: queries go through it all the same. */
static void a_chain_is_walked_without_a_stack(void) {
    uint32_t n = test_is_small() ? 200 : 2000, id, height;
    cd_bvh_spheres_options o;
    cd_bvh_spheres t;
    cd_ray r = cd_ray_through(cd_vec3_make(-5, 0, 0), cd_vec3_make(0, 0, 0));
    cd_hit hit;
    memset(&o, 0, sizeof o);
    o.flags = CD_BVH_SPHERES_PLAIN;
    CHECK_INT(cd_bvh_spheres_init(&t, &o), CD_OK);
    for (uint32_t i = 0; i < n; ++i) CHECK_INT(cd_bvh_insert_sphere(&t, sphere_at(i, 0.5), 0, &id), CD_OK);
    height = cd_bvh_spheres_height(&t);
    CHECK(height > n / 2);
    CHECK_INT(cd_bvh_spheres_validate(&t), CD_OK);
    CHECK_INT(cd_bvh_spheres_self_pairs(&t, NULL, NULL, 0), n - 1);
    CHECK_INT(cd_bvh_spheres_overlap_list(&t, sphere_at(0, n), NULL, NULL, 0), n);
    CHECK(cd_bvh_spheres_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit) && hit.index == 0);
    cd_bvh_spheres_destroy(&t);
}

/* Many spheres, few pairs: far fewer nodes are looked at than by a loop. */
static void queries_leave_out_what_is_far(void) {
    test_rng rng = test_random();
    uint32_t n = test_is_small() ? 500 : 5000, id;
    cd_bvh_spheres t;
    memset(&t, 0, sizeof t);
    for (uint32_t i = 0; i < n; ++i) {
        double x = test_range(&rng, 0, 100), y = test_range(&rng, 0, 100), z = test_range(&rng, 0, 100);
        cd_sphere s = sphere_at(x, 1);
        s.center.y = (cd_real)y;
        s.center.z = (cd_real)z;
        CHECK_INT(cd_bvh_insert_sphere(&t, s, 0, &id), CD_OK);
    }
    memset(&test_counted, 0, sizeof test_counted);
    cd_bvh_spheres_overlap_list(&t, sphere_at(50, 2), NULL, NULL, 0);
    CHECK(test_is_small() || test_counted.node < n / 10);
    memset(&test_counted, 0, sizeof test_counted);
    cd_bvh_spheres_self_pairs(&t, NULL, NULL, 0);
    CHECK(test_is_small() || test_counted.node < (uint64_t)n * 60);
    cd_bvh_spheres_destroy(&t);
}

/* ---- limits ---- */

static bool stop_at_second(void *user, cd_pair pair) {
    (void)pair;
    return ++*(int *)user < 2;
}
static bool stop_at_second_index(void *user, uint32_t index) {
    (void)index;
    return ++*(int *)user < 2;
}

static void visitors_stop(void) {
    cd_bvh_spheres t;
    uint32_t id;
    int calls = 0;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < 9; ++i) cd_bvh_insert_sphere(&t, sphere_at(0, i), 0, &id);
    CHECK(!ASK("loop", cd_bvh_spheres_traverse_self(&t, NULL, stop_at_second, &calls)) && calls == 2);
    calls = 0;
    CHECK(!ASK("loop", cd_bvh_spheres_traverse_pairs(&t, &t, NULL, stop_at_second, &calls)) && calls == 2);
    calls = 0;
    CHECK(!ASK("loop", cd_bvh_spheres_overlap(&t, sphere_at(0, 1), NULL, stop_at_second_index, &calls)) &&
          calls == 2);
    CHECK_INT(cd_bvh_spheres_collide(&t, &t, NULL, NULL, 0), 81);
    cd_bvh_spheres_destroy(&t);
}

static void bad_arguments_change_nothing(void) {
    cd_bvh_spheres t;
    cd_bvh_spheres_options o;
    uint32_t id = 5;
    memset(&o, 0, sizeof o);
    memset(&t, 0, sizeof t);
    for (int i = 0; i < gen_bad_count; ++i) {
        cd_real bad = (cd_real)gen_bad_numbers[i];
        for (int k = 0; k < 4; ++k) {
            cd_sphere s = sphere_at(0, 1);
            REALS(s)[k] = bad;
            if (cd_sphere_is_valid(s)) continue;
            CHECK_INT(ASK("bad", cd_bvh_insert_sphere(&t, s, 0, &id)), CD_INVALID_ARGUMENT);
            CHECK_INT(id, 5);
            CHECK_INT(cd_bvh_spheres_overlap_list(&t, s, NULL, NULL, 0), 0);
        }
    }
    CHECK(t.nodes == NULL && cd_bvh_spheres_validate(&t) == CD_OK);
    CHECK_INT(cd_bvh_spheres_self_pairs(&t, NULL, NULL, 0), 0);
    CHECK_INT(ASK("bad", cd_bvh_spheres_collide(&t, &t, NULL, NULL, 0)), 0);
    CHECK_INT(ASK("bad", cd_bvh_remove_sphere(&t, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_bvh_spheres_height(&t)), 0);
    CHECK_INT(ASK("bad", cd_bvh_insert_sphere(&t, sphere_at(0, 1), 3, &id)), CD_OK);
    CHECK_INT(ASK("bad", cd_bvh_move_sphere(&t, 1, sphere_at(0, 1))), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_bvh_move_sphere(&t, 0, sphere_at(0, -1))), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_bvh_remove_sphere(&t, CD_NONE)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_bvh_remove_sphere(&t, 0x80000000u)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_bvh_spheres_set_mask(&t, 1, 0)), CD_INVALID_ARGUMENT);
    CHECK(ASK("bad", cd_bvh_spheres_get(&t, 1)).radius == -1 &&
          ASK("bad", cd_bvh_spheres_get_mask(&t, 0)) == 3);
    cd_bvh_spheres_destroy(&t);
    o.flags = 2;
    CHECK_INT(ASK("bad", cd_bvh_spheres_init(&t, &o)), CD_INVALID_ARGUMENT);
    o.flags = 0;
    o.capacity = CD_NONE;
    CHECK_INT(ASK("bad", cd_bvh_spheres_init(&t, &o)), CD_TOO_LARGE);
    CHECK(t.nodes == NULL && t.options.capacity == 0);
}

static void every_allocation_of_it_may_fail(void) {
    for (long allowed = 0; allowed < 6; ++allowed) {
        test_memory memory = {allowed, 0, 0};
        test_memory none = {0, 0, 0};
        cd_allocator nothing = test_allocator(&none);
        cd_bvh_spheres_options o;
        cd_bvh_spheres t, u;
        list l;
        cd_status want;
        int failed = 0;
        memset(&o, 0, sizeof o);
        memset(&l, 0, sizeof l);
        o.allocator = test_allocator(&memory);
        CHECK_INT(ASK("bad", cd_bvh_spheres_init(&t, &o)), CD_OK);
        for (int i = 0; i < 100; ++i) {
            uint32_t id = 1000;
            cd_status status = ASK("bad", cd_bvh_insert_sphere(&t, sphere_at(i, 1), 1, &id));
            CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && id == 1000));
            if (status == CD_OK) CHECK_INT(id, list_insert(&l, sphere_at(i, 1), 1));
            failed += status != CD_OK;
        }
        check_tree(&t, &l);
        CHECK((failed == 0) == (allowed >= 4));
        CHECK_INT(ASK("bad", cd_bvh_spheres_copy(&u, &t, &nothing)), l.count ? CD_OUT_OF_MEMORY : CD_OK);
        CHECK(u.nodes == NULL && u.count == 0);
        ASK("bad", cd_bvh_spheres_destroy(&t));
        CHECK_INT(memory.live, 0);
        o.capacity = 50;
        want = memory.allowed > 0 ? CD_OK : CD_OUT_OF_MEMORY;
        CHECK_INT(ASK("bad", cd_bvh_spheres_init(&t, &o)), want);
        ASK("bad", cd_bvh_spheres_destroy(&t));
        CHECK_INT(memory.live, 0);
    }
}

static void copies_go_on_alike(void) {
    test_rng rng = test_random();
    cd_bvh_spheres t, u;
    list l, m;
    gen g = gen_begin(&rng, GEN_UNIT);
    memset(&t, 0, sizeof t);
    memset(&l, 0, sizeof l);
    for (int i = 0; i < 100; ++i) change(&t, &l, &rng, any_sphere(&g, &l));
    CHECK_INT(ASK("loop", cd_bvh_spheres_copy(&u, &t, NULL)), CD_OK);
    m = l;
    for (int i = 0; i < 50; ++i) {
        cd_sphere s = gen_sphere(&g);
        test_rng same = rng;
        size_t n;
        change(&t, &l, &rng, s);
        change(&u, &m, &same, s);
        n = cd_bvh_spheres_self_pairs(&t, NULL, got_pairs, PAIRS);
        CHECK_INT(cd_bvh_spheres_self_pairs(&u, NULL, want_pairs, PAIRS), n);
        CHECK(!memcmp(got_pairs, want_pairs, n * sizeof(cd_pair))); /* the same order, too */
    }
    cd_bvh_spheres_destroy(&t);
    check_tree(&u, &m);
    cd_bvh_spheres_destroy(&u);
}

/* Any word of the nodes changed: told, or without consequence. */
static void broken_trees_are_told(void) {
    test_rng rng = test_random();
    cd_bvh_spheres t;
    list l;
    gen g = gen_begin(&rng, GEN_UNIT);
    int told = 0, times = (int)test_times(2000);
    size_t words;
    memset(&t, 0, sizeof t);
    memset(&l, 0, sizeof l);
    for (int i = 0; i < 40;
         ++i) { /* enough to be told about: what stands in the room of ids given back is of no consequence */
        cd_sphere s = gen_sphere(&g);
        uint32_t id;
        CHECK_INT(cd_bvh_insert_sphere(&t, s, 1, &id), CD_OK);
        CHECK_INT(id, list_insert(&l, s, 1));
    }
    for (int i = 0; i < 20; ++i) change(&t, &l, &rng, gen_sphere(&g));
    words = (size_t)t.used * 2 * (sizeof(cd_real) == 4 ? 32 : 48) / 4;
    for (int i = 0; i < times; ++i) {
        uint32_t *word = (uint32_t *)t.nodes + test_next(&rng) % words, was = *word;
        *word = test_int(&rng, 0, 1) ? (uint32_t)test_int(&rng, 0, 200) : *word ^ 1u << test_int(&rng, 0, 31);
        told += cd_bvh_spheres_validate(&t) == CD_CORRUPT;
        *word = was;
    }
    CHECK_SEEN(told > times / 4);
    check_tree(&t, &l);
    cd_bvh_spheres_destroy(&t);
}

void suite_bvh_spheres(void) {
    RUN(a_containing_sphere_is_the_parents);
    RUN(touching_spheres_are_a_pair);
    RUN(answers_are_those_of_a_list);
    RUN(nothing_makes_it_deep);
    RUN(a_chain_is_walked_without_a_stack);
    RUN(queries_leave_out_what_is_far);
    RUN(visitors_stop);
    RUN(bad_arguments_change_nothing);
    RUN(every_allocation_of_it_may_fail);
    RUN(copies_go_on_alike);
    RUN(broken_trees_are_told);
}
