/* Builders that join and insert, and reinsertion: against naive ones, for every kind of item, on hostile inputs. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64 /* items of the naive builders: sets of them are bits of a number */

static const uint32_t methods[] = {CD_BVH_BOTTOM_UP, CD_BVH_NEAR_LINEAR, CD_BVH_CLUSTERED, CD_BVH_INSERTED};

/* ---- builders without a tree ---- */

static cd_bvh_options options;

static cdi_builder builder_of(const cd_aabb *boxes, uint32_t n, uint32_t leaf_size) {
    cdi_builder b;
    memset(&b, 0, sizeof b);
    memset(&options, 0, sizeof options);
    b.source.kind = CD_BVH_BOXES;
    b.source.count = b.count = n;
    b.options = &options;
    b.leaf_size = leaf_size;
    b.box = (cdi_box *)cdi_alloc(&b.allocator, n, sizeof *b.box);
    b.order = (uint32_t *)cdi_alloc(&b.allocator, n, sizeof *b.order);
    b.node = (cdi_binary_node *)cdi_alloc(&b.allocator, 2 * (size_t)n, sizeof *b.node);
    for (uint32_t i = 0; i < n; ++i) {
        cdi_box box = cdi_box_of_aabb(boxes[i]);
        b.box[i] = box;
        b.order[i] = i;
    }
    return b;
}

static void builder_free(cdi_builder *b) {
    cdi_free(&b->allocator, b->box, b->count, sizeof *b->box);
    cdi_free(&b->allocator, b->order, b->count, sizeof *b->order);
    cdi_free(&b->allocator, b->node, 2 * (size_t)b->count, sizeof *b->node);
}

/* Walks the canonical tree by its rules; how deep it is, 0 when a rule is broken. */
static uint32_t depth_of(const cdi_builder *b, const cd_aabb *boxes) {
    struct {
        uint32_t slot, end, depth;
    } todo[100];
    uint32_t count = 1, next = 0, deepest = 0;
    unsigned char *seen = (unsigned char *)calloc(b->count, 1);
    bool fine = true;
    todo[0].slot = 0;
    todo[0].end = 2 * b->count;
    todo[0].depth = 1;
    while (count > 0 && fine) {
        uint32_t slot = todo[--count].slot, end = todo[count].end, depth = todo[count].depth;
        const cdi_binary_node *n = &b->node[slot];
        deepest = depth > deepest ? depth : deepest;
        fine = slot < end && depth <= CDI_BINARY_DEPTH;
        if (fine && n->count) {
            fine = n->next == next && n->count <= b->leaf_size && next + n->count <= b->count;
            for (uint32_t i = next; i < next + n->count && fine; ++i) {
                cdi_box item = cdi_box_of_aabb(boxes[b->order[i]]);
                cdi_box both = item;
                fine =
                    b->order[i] < b->count && !seen[b->order[i]]++ && !memcmp(&item, &b->box[i], sizeof item);
                cdi_box_grow(&both, &n->box);
                fine = fine && !memcmp(&both, &n->box, sizeof both);
            }
            next += n->count;
        } else if (fine) {
            todo[count].slot = n->next;
            todo[count].end = end;
            todo[count++].depth = depth + 1;
            todo[count].slot = slot + 1;
            todo[count].end = n->next;
            todo[count++].depth = depth + 1;
        }
    }
    free(seen);
    CHECK(fine && next == b->count);
    return fine ? deepest : 0;
}

/* ---- the items below each node, as sets ---- */

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t sets_below(const cdi_builder *b, uint32_t slot, uint64_t *sets, uint32_t *count) {
    const cdi_binary_node *n = &b->node[slot];
    uint64_t set;
    if (n->count) return (uint64_t)1 << b->order[n->next];
    set = sets_below(b, slot + 1, sets, count);
    set |= sets_below(b, n->next, sets, count);
    sets[(*count)++] = set;
    return set;
}

typedef struct group {
    uint64_t set;
    cdi_box box;
} group;

static double tiny;

static double measure(cdi_box box) {
    double d[3], m;
    for (int k = 0; k < 3; ++k) d[k] = -(double)box.v[4 + k] - (double)box.v[k];
    m = (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]) + (d[0] + d[1] + d[2]) * tiny;
    return m <= CDI_HUGE ? m : CDI_HUGE;
}

static double joint(const group *a, const group *b) {
    cdi_box box = a->box;
    cdi_box_grow(&box, &b->box);
    return measure(box);
}

/* b joins a. */
static void unite(group *a, const group *b, uint64_t *sets, uint32_t *count) {
    cdi_box_grow(&a->box, &b->box);
    a->set |= b->set;
    sets[(*count)++] = a->set;
}

static void begin_groups(const cdi_builder *b, group *groups) {
    cdi_box all = cdi_box_empty();
    double sum = 0;
    for (uint32_t i = 0; i < b->count; ++i) {
        groups[i].set = (uint64_t)1 << i;
        groups[i].box = b->box[i];
        cdi_box_grow(&all, &b->box[i]);
    }
    for (int k = 0; k < 3; ++k) sum += -0.125 * (double)all.v[4 + k] - 0.125 * (double)all.v[k];
    tiny = sum * 8 / 4503599627370496.0;
}

static void take_out(group *groups, uint32_t *n, uint32_t at) {
    for (uint32_t i = at + 1; i < *n; ++i) groups[i - 1] = groups[i];
    --*n;
}

/* All pairs, over and over. The places of groups keep their order, so comparing them is comparing first items. */
static void join_naively(const cdi_builder *b, uint64_t *sets) {
    group groups[MOST];
    uint32_t n = b->count, count = 0;
    begin_groups(b, groups);
    while (n > 1) {
        uint32_t x = 0, y = 1;
        for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t k = i + 1; k < n; ++k) {
                if (joint(&groups[i], &groups[k]) < joint(&groups[x], &groups[y])) {
                    x = i;
                    y = k;
                }
            }
        }
        unite(&groups[x], &groups[y], sets, &count);
        take_out(groups, &n, y);
    }
}

/* The Morton code bit by bit. */
static uint64_t code_of(const cdi_box *box, const double lo[3], double half) {
    uint64_t code = 0;
    for (int k = 0; k < 3 && half > 0; ++k) {
        double x = (0.5 * (double)cdi_box_middle(box, k) - lo[k]) * (2097152.0 / half);
        uint64_t step = x < 2097151.0 ? (uint64_t)x : 2097151;
        for (int bit = 0; bit < 21; ++bit) code |= (step >> bit & 1) << (3 * bit + 2 - k);
    }
    return code;
}

static void order_naively(group *groups, uint32_t n) {
    double lo[3], half = 0;
    for (int k = 0; k < 3; ++k) {
        double hi = -CDI_HUGE;
        lo[k] = CDI_HUGE;
        for (uint32_t i = 0; i < n; ++i) {
            double x = 0.5 * (double)cdi_box_middle(&groups[i].box, k);
            lo[k] = x < lo[k] ? x : lo[k];
            hi = x > hi ? x : hi;
        }
        half = hi - lo[k] > half ? hi - lo[k] : half;
    }
    for (uint32_t i = 1; i < n; ++i) {
        for (uint32_t k = i;
             k > 0 && code_of(&groups[k - 1].box, lo, half) > code_of(&groups[k].box, lo, half); --k) {
            group g = groups[k];
            groups[k] = groups[k - 1];
            groups[k - 1] = g;
        }
    }
}

/* Is the pair (i, a) better than the pair (i, b)? */
static bool is_better(const group *groups, uint32_t i, uint32_t a, uint32_t b) {
    double x = joint(&groups[i], &groups[a]), y = joint(&groups[i], &groups[b]);
    uint32_t step_a = a < i ? i - a : a - i, step_b = b < i ? i - b : b - i;
    uint32_t low_a = a < i ? a : i, low_b = b < i ? b : i;
    if (x < y || x > y) return x < y;
    if (step_a != step_b) return step_a < step_b;
    return low_a % 2 != low_b % 2 ? low_a % 2 < low_b % 2 : low_a < low_b;
}

static void join_neighbours_naively(const cdi_builder *b, uint64_t *sets) {
    group groups[MOST];
    uint32_t n = b->count, count = 0;
    begin_groups(b, groups);
    order_naively(groups, n);
    while (n > 1) {
        uint32_t choice[MOST], mutual = 0;
        for (uint32_t i = 0; i < n; ++i) {
            choice[i] = i ? i - 1 : 1;
            for (uint32_t k = 0; k < n; ++k) {
                if (k != i && k + 16 >= i && k <= i + 16 && is_better(groups, i, k, choice[i])) choice[i] = k;
            }
        }
        for (uint32_t i = 0; i < n; ++i) mutual += choice[choice[i]] == i;
        for (uint32_t i = 0; i < n && mutual < n / 16; ++i) {
            if (choice[choice[i]] != i && choice[choice[choice[i]]] != choice[i]) choice[choice[i]] = i;
        }
        for (uint32_t i = n; i-- > 0;) {
            uint32_t low = choice[i];
            if (choice[low] != i || low > i) continue;
            unite(&groups[low], &groups[i], sets, &count);
            groups[i].set = 0;
        }
        for (uint32_t i = n; i-- > 0;) {
            if (!groups[i].set) take_out(groups, &n, i);
        }
    }
}

static void some_boxes(gen *g, cd_aabb *boxes, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        boxes[i] = gen_aabb(g);
        if (i && !test_int(g->rng, 0, 5)) boxes[i] = boxes[test_int(g->rng, 0, (int)i - 1)];
    }
}

static void same_trees(cd_status (*build)(cdi_builder *), void (*naive)(const cdi_builder *, uint64_t *),
                       uint32_t most) {
    test_rng rng = test_random();
    for (long times = test_times(300); times > 0; --times) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb boxes[MOST];
        uint64_t got[MOST], want[MOST];
        uint32_t n = (uint32_t)test_int(&rng, 1, (int)most), count = 0;
        cdi_builder b;
        some_boxes(&g, boxes, n);
        b = builder_of(boxes, n, 1);
        naive(&b, want);
        CHECK_INT(build(&b), CD_OK);
        if (depth_of(&b, boxes)) sets_below(&b, 0, got, &count);
        CHECK_INT(count, n - 1);
        qsort(got, n - 1, sizeof *got, by_value);
        qsort(want, n - 1, sizeof *want, by_value);
        test_note("%u boxes of kind %d", n, (int)g.kind);
        CHECK(!memcmp(got, want, (n - 1) * sizeof *got));
        builder_free(&b);
    }
}

static void the_nearest_two_are_joined(void) {
    same_trees(cdi_build_bottom_up, join_naively, 40);
}

static void neighbours_that_choose_each_other_are_joined(void) {
    same_trees(cdi_build_near_linear, join_neighbours_naively, MOST);
}

/* ---- linked trees ---- */

/* A tree of random shape: pairs of those at hand are joined, or one long chain is made. */
static void link_anyhow(cdi_links *l, test_rng *rng, bool chain) {
    uint32_t n = l->b->count, *at_hand = (uint32_t *)calloc(n, sizeof *at_hand);
    for (uint32_t i = 0; i < n; ++i) at_hand[i] = i;
    for (uint32_t left = n; left > 1; --left) {
        uint32_t x = chain ? left - 1 : (uint32_t)test_int(rng, 0, (int)left - 1), a = at_hand[x], y;
        at_hand[x] = at_hand[left - 1];
        y = chain ? left - 2 : (uint32_t)test_int(rng, 0, (int)left - 2);
        if (test_int(rng, 0, 1)) {
            cdi_link_join(l, l->used, a, at_hand[y]);
        } else {
            cdi_link_join(l, l->used, at_hand[y], a);
        }
        at_hand[y] = l->used++;
    }
    l->root = at_hand[0];
    free(at_hand);
}

static void long_chains_are_halved(void) {
    test_rng rng = test_random();
    uint32_t n = 400 + (uint32_t)test_times(200000);
    cd_aabb *boxes = (cd_aabb *)calloc(n, sizeof *boxes);
    for (uint32_t size = 0; size < 16; ++size) {
        uint32_t count = size == 15 ? n : size < 3 ? size + 1 : (uint32_t)test_int(&rng, 40, 400);
        cdi_builder b;
        cdi_links l;
        for (uint32_t i = 0; i < count; ++i) {
            boxes[i].min = cd_vec3_make((cd_real)test_unit(&rng), (cd_real)i, 0);
            boxes[i].max = cd_vec3_make(2, (cd_real)i, 1);
        }
        b = builder_of(boxes, count, 1 + size % 5);
        CHECK(cdi_links_begin(&l, &b));
        link_anyhow(&l, &rng, true);
        cdi_links_write(&l);
        CHECK(depth_of(&b, boxes) > 0);
        cdi_links_end(&l);
        builder_free(&b);
    }
    free(boxes);
}

/* The cost of a subtree at its best, by trying both for each node. */
static double least_cost(const cdi_links *l, uint32_t at, uint32_t *count) {
    uint32_t left, right;
    double area = measure(l->link[at].box), apart, together;
    *count = 1;
    if (cdi_link_is_item(l, at)) return area;
    apart = least_cost(l, l->link[at].left, &left);
    apart = area + (apart + least_cost(l, l->link[at].right, &right));
    *count = left + right;
    together = area * (double)*count;
    return *count <= l->b->leaf_size && together < apart ? together : apart;
}

/* The cost of the canonical tree, with the root's area for one. */
static double cost_of(const cdi_builder *b, uint32_t slot) {
    const cdi_binary_node *n = &b->node[slot];
    double area = measure(n->box);
    if (n->count) return area * (double)n->count;
    return area + cost_of(b, slot + 1) + cost_of(b, n->next);
}

static void leaves_are_as_cheap_as_can_be(void) {
    test_rng rng = test_random();
    for (long times = test_times(300); times > 0; --times) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_aabb boxes[40];
        uint32_t n = (uint32_t)test_int(&rng, 1, 40), count;
        cdi_builder b;
        cdi_links l;
        double want;
        some_boxes(&g, boxes, n);
        b = builder_of(boxes, n, (uint32_t)test_int(&rng, 1, 9));
        CHECK(cdi_links_begin(&l, &b));
        link_anyhow(&l, &rng, false);
        tiny = l.tiny;
        want = least_cost(&l, l.root, &count);
        cdi_links_write(&l);
        CHECK(depth_of(&b, boxes) > 0);
        CHECK_NEAR(cost_of(&b, 0), want, 1e-12 * want);
        cdi_links_end(&l);
        builder_free(&b);
    }
}

/* ---- insertion ---- */

static double cost_at(const cdi_links *l, uint32_t at, cdi_box box) {
    group here, new_one;
    double cost;
    here.box = l->link[at].box;
    new_one.box = box;
    cost = joint(&here, &new_one);
    for (at = l->link[at].parent; at != CD_NONE; at = l->link[at].parent) {
        here.box = l->link[at].box;
        cost += joint(&here, &new_one) - measure(here.box);
    }
    return cost;
}

static void the_best_place_is_found(void) {
    test_rng rng = test_random();
    for (long times = test_times(1000); times > 0; --times) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_aabb boxes[60];
        uint32_t n = (uint32_t)test_int(&rng, 1, 60);
        cdi_builder b;
        cdi_links l;
        cdi_nest best = {CD_NONE, 0};
        cdi_box box = cdi_box_of_aabb(gen_aabb(&g));
        double least = CDI_HUGE;
        some_boxes(&g, boxes, n);
        b = builder_of(boxes, n, 1);
        CHECK(cdi_links_begin(&l, &b));
        link_anyhow(&l, &rng, false);
        tiny = l.tiny;
        for (uint32_t i = 0; i < l.used; ++i) least = cdi_min(least, cost_at(&l, i, box));
        best.cost = CDI_HUGE;
        cdi_find_place(&l, &box, 0, &best);
        CHECK(best.node < l.used);
        CHECK_NEAR(best.cost, least, 1e-12 * least);
        CHECK_NEAR(cost_at(&l, best.node, box), least, 1e-12 * least);
        cdi_links_end(&l);
        builder_free(&b);
    }
}

/* ---- reinsertion ---- */

static void reinsertion_never_makes_it_worse(void) {
    test_rng rng = test_random();
    int better = 0;
    long times = test_times(200);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_aabb boxes[200];
        uint32_t n = (uint32_t)test_int(&rng, 1, 200);
        cdi_builder b;
        double before, after;
        some_boxes(&g, boxes, n);
        b = builder_of(boxes, n, (uint32_t)test_int(&rng, 1, 6));
        options.method = (uint32_t)test_int(&rng, 0, CD_BVH_INSERTED);
        options.optimise = (uint32_t)test_int(&rng, 1, 3);
        CHECK_INT(options.method < CD_BVH_LINEAR ? cdi_build_topdown(&b) : cdi_build_near_linear(&b), CD_OK);
        before = cost_of(&b, 0);
        CHECK_INT(cdi_optimise(&b), CD_OK);
        CHECK(depth_of(&b, boxes) > 0);
        after = cost_of(&b, 0);
        test_note("%u boxes of kind %d: %g to %g", n, (int)g.kind, before, after);
        CHECK(after <= before * (1 + 1e-9));
        better += after < 0.99 * before;
        builder_free(&b);
    }
    CHECK_SEEN(better > times / 4);
}

/* Deep trees stay within the limit while they are changed. */
static void deep_trees_can_be_changed(void) {
    test_rng rng = test_random();
    cd_aabb boxes[300];
    for (uint32_t n = 60; n <= 300; n += 60) {
        cdi_builder b;
        cdi_links l;
        for (uint32_t i = 0; i < n; ++i) {
            double size = ldexp(1.0, (int)(i % 100));
            boxes[i].min = cd_vec3_make(0, 0, (cd_real)test_unit(&rng));
            boxes[i].max = cd_vec3_make((cd_real)size, (cd_real)size, (cd_real)(1 + size));
        }
        b = builder_of(boxes, n, 1 + n % 7);
        CHECK(cdi_links_begin(&l, &b));
        link_anyhow(&l, &rng, true);
        cdi_links_write(&l);
        cdi_links_end(&l);
        options.optimise = 3;
        CHECK_INT(cdi_optimise(&b), CD_OK);
        CHECK(depth_of(&b, boxes) > 40);
        builder_free(&b);
    }
}

/* ---- whole trees ---- */

static gen_named_mesh meshes[16];
static int mesh_count;

static cd_bvh_options options_of(uint32_t method, uint32_t variant) {
    static const uint32_t leaves[] = {0, 1, 13};
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.method = method;
    o.layout = variant % 3;
    o.leaf_size = leaves[variant / 2 % 3];
    o.optimise = variant % 2 * 2;
    o.candidates = variant % 5 * 3;
    return o;
}

static void rays_hit_the_same(const cd_bvh *a, const cd_bvh *b, test_rng *rng) {
    for (int i = 0; i < 10; ++i) {
        cd_real v[6];
        cd_ray r;
        cd_hit x, y;
        memset(&x, 0, sizeof x);
        memset(&y, 0, sizeof y);
        for (int k = 0; k < 6; ++k) v[k] = (cd_real)test_range(rng, k < 3 ? -2 : -1, k < 3 ? 2 : 1);
        r = cd_ray_through(cd_vec3_make(v[0], v[1], v[2]), cd_vec3_make(v[3], v[4], v[5]));
        CHECK_INT(cd_bvh_cast_ray(a, &r, CD_REAL_MAX, NULL, &x),
                  cd_bvh_cast_ray(b, &r, CD_REAL_MAX, NULL, &y));
        CHECK(x.index == y.index);
        CHECK_SAME(x.t, y.t);
    }
}

/* All, or a single one in short runs. */
static uint32_t some_methods(void) {
    return test_times(10) < 10 ? 1 : 4;
}

static void meshes_give_sound_trees(void) {
    test_rng rng = test_random();
    int step = some_methods() == 1 ? 2 : 1;
    for (int m = test_int(&rng, 0, step - 1); m < mesh_count; m += step) {
        cd_mesh_view v = gen_mesh_view(&meshes[m].mesh);
        cd_bvh plain;
        CHECK_INT(cd_bvh_build_mesh(&plain, &v, NULL), CD_OK);
        for (uint32_t i = 0, first = (uint32_t)test_int(&rng, 0, 3); i < some_methods(); ++i) {
            cd_bvh_options o = options_of(methods[(first + i) % 4], (uint32_t)test_int(&rng, 0, 89));
            cd_bvh tree;
            test_note("%s, method %u, leaf size %u", meshes[m].name, o.method, o.leaf_size);
            CHECK_INT(ASK("forms", cd_bvh_build_mesh(&tree, &v, &o)), CD_OK);
            CHECK_INT(ASK("judge", cd_bvh_validate(&tree)), CD_OK);
            CHECK_INT(ASK("judge", cd_bvh_count(&tree)), meshes[m].mesh.triangle_count);
            CHECK(cd_bvh_get_stats(&tree).depth <= 80);
            rays_hit_the_same(&plain, &tree, &rng);
            cd_bvh_destroy(&tree);
        }
        cd_bvh_destroy(&plain);
    }
}

/* How an input is made; all coordinates are in [0, 1e30]. */
enum { SAME, NESTED, SERIES, GAPS, LINE, HUB, SHELLS, INPUTS };

static cd_aabb hostile(int input, uint32_t i, uint32_t n, test_rng *rng) {
    double x = 1, y = 1, z = 1, size = 0, u = (double)(i + 1) / (double)n;
    switch (input) {
    case NESTED: size = u; break;
    case SERIES: x = y = z = ldexp(1 + 8 * u - (int)(8 * u), (int)(8 * u) * 10 % 100); break;
    case GAPS:
        x = u * u;
        size = 1e-3;
        break;
    case LINE: x = test_unit(rng); break;
    case HUB:
        x = i ? test_unit(rng) * 10 : 0;
        y = i ? test_unit(rng) * 10 : 0;
        z = i ? test_unit(rng) * 10 : 0;
        size = i ? 0 : 10;
        break;
    case SHELLS:
        x = ldexp(1 + test_unit(rng), (int)(i % 80));
        size = x / 2;
        break;
    default: break;
    }
    {
        cd_aabb b;
        b.min = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
        b.max = cd_vec3_make((cd_real)(x + size), (cd_real)(y + size), (cd_real)(z + size));
        return b;
    }
}

static void hostile_inputs_take_no_longer(void) {
    test_rng rng = test_random();
    uint32_t n = (uint32_t)test_times(2500);
    cd_aabb *boxes = (cd_aabb *)calloc(n, sizeof *boxes);
    for (int input = 0; input < INPUTS; ++input) {
        for (uint32_t i = 0; i < n; ++i) {
            cd_aabb box = hostile(input, i, n, &rng);
            boxes[i] = box;
        }
        for (uint32_t i = 0; i < 4; ++i) {
            cd_bvh_options o = options_of(methods[i], 2 + (uint32_t)(input & 1));
            cd_bvh tree;
            memset(&test_counted, 0, sizeof test_counted);
            CHECK_INT(ASK("judge", cd_bvh_build_boxes(&tree, boxes, n, &o)), CD_OK);
            test_note("input %d, method %u: %g an item", input, o.method, (double)test_counted.build / n);
            CHECK(test_counted.build < 4000 * (uint64_t)n);
            CHECK_INT(ASK("judge", cd_bvh_validate(&tree)), CD_OK);
            cd_bvh_destroy(&tree);
        }
    }
    free(boxes);
}

static void few_items_of_each_kind(void) {
    test_rng rng = test_random();
    for (long times = test_times(400); times > 0; --times) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_bvh_options o = options_of(methods[test_int(&rng, 0, 3)], (uint32_t)test_int(&rng, 0, 89));
        uint32_t n = (uint32_t)test_int(&rng, 0, 9);
        cd_aabb boxes[9];
        cd_vec3 points[9];
        cd_bvh tree;
        for (uint32_t i = 0; i < n; ++i) {
            boxes[i] = gen_aabb(&g);
            points[i] = gen_point(&g);
            for (int k = 0; k < 3 && !test_int(&rng, 0, 3); ++k) {
                double x = gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
                if (!cdi_v3_fits(cdi_v3_make(x, 0, 0)) || !cdi_finite(x)) continue;
                (REALS(points[i]))[k] = (cd_real)x;
                boxes[i] = cd_aabb_add_point(boxes[i], points[i]);
            }
        }
        if (test_int(&rng, 0, 1)) {
            CHECK_INT(ASK("judge", cd_bvh_build_boxes(&tree, boxes, n, &o)), CD_OK);
        } else {
            CHECK_INT(ASK("judge", cd_bvh_build_points(&tree, points, n, &o)), CD_OK);
        }
        test_note("%u items, method %u, layout %u", n, o.method, o.layout);
        CHECK_INT(ASK("judge", cd_bvh_validate(&tree)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_count(&tree)), n);
        cd_bvh_destroy(&tree);
    }
}

/* What is made is good: not much worse than by the surface area heuristic from the top. */
static void trees_are_good(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_times(10) < 10 ? 6 : 15, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    double cost[5], optimised[5];
    for (uint32_t i = 0; i < 5; ++i) {
        cd_bvh_options o = options_of(i ? methods[i - 1] : 0, 1);
        cd_bvh tree;
        o.optimise = o.candidates = 0;
        CHECK_INT(cd_bvh_build_mesh(&tree, &v, &o), CD_OK);
        cost[i] = cd_bvh_get_stats(&tree).cost;
        cd_bvh_destroy(&tree);
        o.optimise = 2;
        CHECK_INT(cd_bvh_build_mesh(&tree, &v, &o), CD_OK);
        optimised[i] = cd_bvh_get_stats(&tree).cost;
        cd_bvh_destroy(&tree);
        test_note("method %u: %g, optimised %g; from the top %g", o.method, cost[i], optimised[i], cost[0]);
        CHECK(cost[i] < 1.35 * cost[0] && optimised[i] < cost[i] && optimised[i] < 1.05 * cost[0]);
    }
    gen_mesh_free(&m);
}

/* ---- memory, threads, progress ---- */

static void every_allocation_may_fail(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_soup(100, 0.3, GEN_UNIT, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    for (uint32_t i = 0; i < 8; ++i) {
        cd_status status = CD_OUT_OF_MEMORY;
        for (long n = 0; n < 30 && status == CD_OUT_OF_MEMORY; ++n) {
            test_memory f = {n, 0, 0};
            cd_bvh_options o = options_of(methods[i / 2], i % 2);
            cd_bvh t;
            o.allocator = test_allocator(&f);
            status = ASK("bad", cd_bvh_build_mesh(&t, &v, &o));
            CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && t.block == NULL && f.live == 0));
            ASK("bad", cd_bvh_destroy(&t));
            CHECK_INT(f.live, 0);
            CHECK_INT(f.bytes, 0);
        }
        CHECK_INT(status, CD_OK);
    }
    gen_mesh_free(&m);
}

static void run_backwards(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    *(int *)user += count > 1;
    while (count-- > 0) task(ctx, count);
}

static void any_executor_gives_the_same_bytes(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(19, 0.1, &rng); /* more than one piece for each method */
    cd_mesh_view v = gen_mesh_view(&m);
    for (uint32_t i = 0, first = (uint32_t)test_int(&rng, 0, 3); i < some_methods(); ++i) {
        cd_bvh_options o = options_of(methods[(first + i) % 4], 2 * i);
        cd_bvh a, b;
        int runs = 0;
        CHECK_INT(cd_bvh_build_mesh(&a, &v, &o), CD_OK);
        o.executor.user = &runs;
        o.executor.run = run_backwards;
        CHECK_INT(ASK("forms", cd_bvh_build_mesh(&b, &v, &o)), CD_OK);
        CHECK(runs > 0 || o.method == CD_BVH_INSERTED);
        CHECK(a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
        cd_bvh_destroy(&a);
        cd_bvh_destroy(&b);
    }
    gen_mesh_free(&m);
}

typedef struct watcher {
    int calls, stop_at;
    float last;
    bool rising;
} watcher;

static bool watch(void *user, float done) {
    watcher *w = (watcher *)user;
    w->rising = w->rising && done >= w->last && done <= 1.0f;
    w->last = done;
    return ++w->calls != w->stop_at;
}

static void progress_rises_and_cancels(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_times(10) < 10 ? 3 : 8, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    for (uint32_t i = 0; i < 16; ++i) {
        int calls = 1;
        for (int stop = 0; stop <= calls; ++stop) {
            test_memory f = {1000, 0, 0};
            watcher w = {0, stop, 0.0f, true};
            cd_bvh_options o = options_of(methods[i % 4], 1);
            cd_bvh t;
            o.layout = i / 4;
            o.allocator = test_allocator(&f);
            o.executor.user = &w;
            o.executor.progress = watch;
            test_note("method %u, layout %u, stopped at call %d", o.method, o.layout, stop);
            CHECK_INT(ASK("bad", cd_bvh_build_mesh(&t, &v, &o)), stop ? CD_CANCELLED : CD_OK);
            CHECK(w.rising && (stop || w.last == 1.0f));
            if (!stop) calls = w.calls;
            cd_bvh_destroy(&t);
            CHECK_INT(f.live, 0);
        }
        CHECK(calls > 4);
    }
    gen_mesh_free(&m);
}

void suite_bvh_linked(void) {
    test_rng rng;
    rng.state = 98;
    mesh_count = gen_all_meshes(&rng, meshes);
    RUN(the_nearest_two_are_joined);
    RUN(neighbours_that_choose_each_other_are_joined);
    RUN(long_chains_are_halved);
    RUN(leaves_are_as_cheap_as_can_be);
    RUN(the_best_place_is_found);
    RUN(reinsertion_never_makes_it_worse);
    RUN(deep_trees_can_be_changed);
    RUN(meshes_give_sound_trees);
    RUN(hostile_inputs_take_no_longer);
    RUN(few_items_of_each_kind);
    RUN(trees_are_good);
    RUN(every_allocation_may_fail);
    RUN(any_executor_gives_the_same_bytes);
    RUN(progress_rises_and_cancels);
    for (int m = 0; m < mesh_count; ++m) gen_mesh_free(&meshes[m].mesh);
}
