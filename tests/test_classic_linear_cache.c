/* The cache of leaves against a model that keeps a list of what each set has, oldest first; and with the compact k-d tree, whose
 * leaves' triangles it puts in a row for boxes that move. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

enum { LEAVES = 40, SLOTS = 16, WIDTH = 192 };

/* What a leaf has: so many bytes, all of one value, which may be changed. */
static unsigned char value[LEAVES];
static size_t length[LEAVES];
static long fetches;

static size_t fetch(void *user, uint32_t leaf, void *to, size_t capacity) {
    CHECK(user == value && leaf < LEAVES && ((uintptr_t)to & 63u) == 0);
    ++fetches;
    memset(to, value[leaf], length[leaf] < capacity ? length[leaf] : capacity);
    return length[leaf];
}

static cd_linear_cache_options options_of(uint32_t slots, uint32_t ways) {
    cd_linear_cache_options o;
    memset(&o, 0, sizeof o);
    o.slots = slots;
    o.ways = ways;
    o.slot_bytes = WIDTH;
    o.fetch = fetch;
    o.user = value;
    return o;
}

/* ---- the model ---- */

typedef struct model {
    uint32_t sets, ways, set[SLOTS][SLOTS], used[SLOTS]; /* oldest first */
    uint32_t waiting[2 * SLOTS], waiting_count;
} model;

static bool model_has(const model *m, uint32_t leaf) {
    uint32_t s = leaf % m->sets;
    for (uint32_t i = 0; i < m->used[s]; ++i) {
        if (m->set[s][i] == leaf) return true;
    }
    return false;
}

static void model_remove(model *m, uint32_t leaf) {
    uint32_t s = leaf % m->sets, kept = 0;
    for (uint32_t i = 0; i < m->used[s]; ++i) {
        if (m->set[s][i] != leaf) m->set[s][kept++] = m->set[s][i];
    }
    m->used[s] = kept;
}

/* Makes a leaf the youngest of its set. */
static void model_use(model *m, uint32_t leaf) {
    uint32_t s = leaf % m->sets;
    model_remove(m, leaf);
    if (m->used[s] == m->ways) model_remove(m, m->set[s][0]);
    m->set[s][m->used[s]++] = leaf;
}

static void model_withdraw(model *m, uint32_t leaf) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->waiting_count; ++i) {
        if (m->waiting[i] != leaf) m->waiting[kept++] = m->waiting[i];
    }
    m->waiting_count = kept;
}

static void model_predict(model *m, uint32_t leaf) {
    if (model_has(m, leaf)) {
        model_use(m, leaf);
        return;
    }
    for (uint32_t i = 0; i < m->waiting_count; ++i) {
        if (m->waiting[i] == leaf) return;
    }
    if (m->waiting_count == m->sets * m->ways) model_withdraw(m, m->waiting[0]);
    m->waiting[m->waiting_count++] = leaf;
}

static void model_step(model *m, size_t budget) {
    size_t done = 0;
    while (m->waiting_count > 0 && done < budget) {
        uint32_t leaf = m->waiting[0];
        model_withdraw(m, leaf);
        if (model_has(m, leaf)) continue;
        model_use(m, leaf);
        done += length[leaf] == 0 ? 1 : length[leaf] > WIDTH ? WIDTH : length[leaf];
    }
}

/* ---- against it ---- */

static void check_get(cd_linear_cache *c, model *m, uint32_t leaf) {
    bool had = model_has(m, leaf);
    uint64_t hits = c->counts.hits, misses = c->counts.misses;
    long before = fetches;
    size_t bytes = 4711;
    const unsigned char *data = (const unsigned char *)ASK("judge", cd_linear_cache_get(c, leaf, &bytes));
    CHECK_INT(bytes, length[leaf]);
    CHECK_INT(data != NULL, length[leaf] <= WIDTH);
    for (size_t i = 0; data && i < bytes; ++i) CHECK_INT(data[i], value[leaf]);
    CHECK_INT(c->counts.hits - hits, had);
    CHECK_INT(c->counts.misses - misses, !had);
    CHECK_INT(fetches - before, !had);
    model_use(m, leaf);
}

static void check_same(const cd_linear_cache *c, const model *m) {
    for (uint32_t i = 0; i < LEAVES; ++i)
        CHECK_INT(ASK("judge", cd_linear_cache_holds(c, i)), model_has(m, i) && length[i] <= WIDTH);
    CHECK_INT(c->waiting_count, m->waiting_count);
}

static void one_operation(cd_linear_cache *c, model *m, test_rng *rng) {
    uint32_t leaf = (uint32_t)test_int(rng, 0, LEAVES - 1);
    size_t budget = (size_t)test_int(rng, 0, 3 * WIDTH);
    switch (test_int(rng, 0, 9)) {
    case 0:
        ASK("judge", cd_linear_cache_forget(c, leaf));
        model_remove(m, leaf);
        model_withdraw(m, leaf);
        value[leaf] = (unsigned char)test_next(rng); /* that is why it has to be forgotten */
        break;
    case 1:
        model_step(m, budget);
        CHECK_INT(ASK("judge", cd_linear_cache_step(c, budget)), m->waiting_count);
        break;
    case 2:
    case 3:
        ASK("judge", cd_linear_cache_predict(c, leaf));
        model_predict(m, leaf);
        break;
    default: check_get(c, m, leaf);
    }
}

static void it_does_as_the_model(void) {
    static const uint32_t ways[5] = {0, 1, 2, 4, SLOTS};
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        cd_linear_cache_options o = options_of(SLOTS, ways[test_int(&rng, 0, 4)]);
        size_t size = cd_linear_cache_size(&o), shift = (size_t)test_int(&rng, 0, 70);
        unsigned char *memory = (unsigned char *)malloc(size + 80);
        cd_linear_cache c;
        model m;
        if (!CHECK(memory != NULL)) return;
        memset(memory, 0xA5, size + 80);
        memset(&m, 0, sizeof m);
        m.ways = o.ways ? o.ways : 1;
        m.sets = SLOTS / m.ways;
        for (int k = 0; k < LEAVES; ++k) {
            value[k] = (unsigned char)test_next(&rng);
            length[k] = (size_t)(k % 7 == 0 ? 0 : test_int(&rng, 1, WIDTH + 20));
        }
        CHECK_INT(ASK("judge", cd_linear_cache_init(&c, memory + shift, size, &o)), CD_OK);
        for (int k = 0; k < 100; ++k) {
            one_operation(&c, &m, &rng);
            check_same(&c, &m);
        }
        CHECK(c.counts.predicted >= c.counts.predicted_well + c.counts.predicted_for_nothing);
        ASK("judge", cd_linear_cache_clear(&c));
        memset(m.used, 0, sizeof m.used);
        m.waiting_count = 0;
        check_same(&c, &m);
        CHECK_INT(c.counts.predicted, c.counts.predicted_well + c.counts.predicted_for_nothing);
        for (size_t k = 0; k < 80; ++k) CHECK(memory[k < shift ? k : size + k] == 0xA5);
        free(memory);
    }
}

static void counts_in_a_row(void) {
    static const uint32_t leaf[6] = {3, 3, 11, 3, 19, 11}; /* all in one set of eight */
    cd_linear_cache_options o = options_of(8, 1);
    size_t size = cd_linear_cache_size(&o), bytes;
    void *memory = malloc(size);
    cd_linear_cache c;
    if (!CHECK(memory != NULL)) return;
    for (int k = 0; k < LEAVES; ++k) length[k] = 10;
    length[5] = WIDTH + 1;
    CHECK_INT(ASK("exact", cd_linear_cache_init(&c, memory, size, &o)), CD_OK);
    for (int i = 0; i < 6; ++i) CHECK(ASK("exact", cd_linear_cache_get(&c, leaf[i], &bytes)) != NULL);
    CHECK(c.counts.hits == 1 && c.counts.misses == 5 && c.counts.evictions == 4);
    CHECK(ASK("exact", cd_linear_cache_get(&c, 5, &bytes)) == NULL && bytes == WIDTH + 1);
    CHECK(ASK("exact", cd_linear_cache_get(&c, 5, &bytes)) == NULL && c.counts.hits == 2 &&
          c.counts.too_long == 2);
    for (uint32_t i = 20; i < 29; ++i) cd_linear_cache_predict(&c, i); /* eight wait at most */
    CHECK_INT(c.counts.dropped, 1);
    CHECK_INT(ASK("exact", cd_linear_cache_step(&c, 25)), 5);
    CHECK(ASK("exact", cd_linear_cache_get(&c, 21, &bytes)) != NULL && c.counts.predicted_well == 1);
    CHECK_INT(ASK("exact", cd_linear_cache_step(&c, SIZE_MAX)), 0);
    CHECK(c.counts.predicted == 8 && c.counts.predicted_for_nothing == 0);
    ASK("exact", cd_linear_cache_clear(&c));
    CHECK_INT(c.counts.predicted_for_nothing, 7);
    free(memory);
}

/* ---- with a tree ---- */

enum { TRIANGLES = 800, TRIANGLE_BYTES = sizeof(cd_triangle) };

typedef struct world {
    gen_mesh mesh;
    cd_aabb boxes[TRIANGLES];
    cd_kdtree_compact tree;
    cd_linear_cache cache;
    cd_aabb box;
    long found;
} world;

static size_t fetch_triangles(void *user, uint32_t leaf, void *to, size_t capacity) {
    const world *w = (const world *)user;
    uint32_t count;
    const uint32_t *item = cd_kdtree_compact_items(&w->tree, leaf, &count);
    for (uint32_t i = 0; i < count && (i + 1) * (size_t)TRIANGLE_BYTES <= capacity; ++i)
        ((cd_triangle *)to)[i] = gen_mesh_triangle(&w->mesh, item[i]);
    return count * (size_t)TRIANGLE_BYTES;
}

static bool predict_leaf(void *user, uint32_t leaf) {
    cd_linear_cache_predict(&((world *)user)->cache, leaf);
    return true;
}

static bool ask_leaf(void *user, uint32_t leaf) {
    world *w = (world *)user;
    size_t bytes;
    uint32_t count;
    const uint32_t *item = cd_kdtree_compact_items(&w->tree, leaf, &count);
    const cd_triangle *t = (const cd_triangle *)cd_linear_cache_get(&w->cache, leaf, &bytes);
    CHECK_INT(bytes, count * sizeof *t);
    for (uint32_t i = 0; t && i < count; ++i) {
        cd_triangle want = gen_mesh_triangle(&w->mesh, item[i]);
        CHECK(memcmp(&t[i], &want, sizeof want) == 0);
        w->found += cd_test_triangle_aabb(&t[i], w->box);
    }
    return true;
}

static cd_aabb box_at(double x, double half) {
    cd_aabb b;
    b.min = cd_vec3_make((cd_real)(x - half), (cd_real)-half, (cd_real)(1 - half));
    b.max = cd_vec3_make((cd_real)(x + half), (cd_real)half, (cd_real)(1 + half));
    return b;
}

/* A box that moves over the ball: how often it has to wait for a leaf, with predictions or without. */
static uint64_t misses_on_the_way(world *w, bool predict) {
    cd_linear_cache_options o;
    size_t size;
    void *memory;
    memset(&o, 0, sizeof o);
    o.slots = 64;
    o.ways = 4;
    o.fetch = fetch_triangles;
    o.user = w;
    size = cd_linear_cache_size(&o);
    memory = malloc(size);
    if (!CHECK(memory != NULL)) return 0;
    CHECK_INT(cd_linear_cache_init(&w->cache, memory, size, &o), CD_OK);
    w->found = 0;
    for (int i = 0; i < 60; ++i) {
        double x = -0.6 + 0.02 * i;
        w->box = box_at(x, 0.3);
        cd_kdtree_compact_visit_leaves(&w->tree, w->box, ask_leaf, w);
        if (!predict) continue;
        cd_kdtree_compact_visit_leaves(&w->tree, box_at(x + 0.06, 0.3), predict_leaf, w);
        cd_linear_cache_step(&w->cache, 1024);
    }
    free(memory);
    CHECK(w->found > 0 && w->cache.counts.hits > 10 * w->cache.counts.misses);
    return w->cache.counts.misses;
}

static void predictions_spare_the_waiting(void) {
    static world w;
    test_rng rng = test_random();
    uint64_t with, without;
    long found;
    w.mesh =
        gen_mesh_ball(8, 0.0, &rng); /* 768 triangles, always the same: what is counted hangs on the leaves */
    for (uint32_t i = 0; i < w.mesh.triangle_count; ++i) {
        cd_triangle t = gen_mesh_triangle(&w.mesh, i);
        w.boxes[i] = cd_aabb_from_points(&t.a, 3);
    }
    CHECK_INT(cd_kdtree_compact_build(&w.tree, w.boxes, w.mesh.triangle_count, 2, NULL), CD_OK);
    without = misses_on_the_way(&w, false);
    found = w.found;
    with = misses_on_the_way(&w, true);
    test_note("%d misses without, %d with", (int)without, (int)with);
    CHECK_INT(w.found, found);
    CHECK(3 * with < 2 * without);
    cd_kdtree_compact_destroy(&w.tree);
    gen_mesh_free(&w.mesh);
}

/* ---- sizes ---- */

/* Never less than the slots take; 0 only where that is more than there can be. */
static void sizes_hold_all_slots(void) {
    for (int i = 0; i < 32; ++i) {
        for (int k = 0; k < 32; ++k) {
            cd_linear_cache_options o = options_of(0xFFFFFFFEu >> i, 0xFFFFFFFFu >> k);
            double least;
            size_t size;
            o.ways = 1;
            o.slot_bytes = 0xFFFFFFFFu >> k;
            least = (double)o.slots * (double)o.slot_bytes;
            if (o.slots == 0) continue;
            size = ASK("judge", cd_linear_cache_size(&o));
            test_note("slots %u of %u", (unsigned)o.slots, (unsigned)o.slot_bytes);
            if (size > 0) CHECK((double)size > least);
            if (least + 256.0 * (double)o.slots < 0.2 * (double)SIZE_MAX) CHECK(size > 0);
        }
    }
}

/* ---- bad input ---- */

static void bad_input(void) {
    cd_linear_cache_options o = options_of(0xFFFFFFFFu, 0xFFFFFFFFu);
    static unsigned char memory[8192];
    cd_linear_cache c;
    size_t bytes = 1, size;
    o.slot_bytes = 0xFFFFFFFFu;
    CHECK(ASK("bad", cd_linear_cache_size(&o)) == 0 || ASK("bad", cd_linear_cache_size(&o)) > 0xFFFFFFFFu);
    CHECK_INT(ASK("bad", cd_linear_cache_init(&c, memory, sizeof memory, &o)), CD_INVALID_ARGUMENT);
    CHECK(ASK("bad", cd_linear_cache_get(&c, 1, &bytes)) == NULL && bytes == 0);
    cd_linear_cache_predict(&c, 1);
    cd_linear_cache_forget(&c, 1);
    cd_linear_cache_clear(&c);
    CHECK_INT(ASK("bad", cd_linear_cache_step(&c, 100)), 0);
    CHECK(!ASK("bad", cd_linear_cache_holds(&c, 1)));
    o = options_of(3, 2); /* two sets of two */
    size = cd_linear_cache_size(&o);
    CHECK_INT(ASK("bad", cd_linear_cache_init(&c, memory, size - 1, &o)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_linear_cache_init(&c, NULL, size, &o)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_linear_cache_init(&c, memory, sizeof memory, &o)), CD_OK);
    CHECK_INT(c.sets * c.ways, 4);
    o.fetch = NULL;
    CHECK_INT(ASK("bad", cd_linear_cache_init(&c, memory, sizeof memory, &o)), CD_INVALID_ARGUMENT);
    memset(&o, 0, sizeof o);
    CHECK(ASK("bad", cd_linear_cache_size(&o)) > 127 * 1024 &&
          ASK("bad", cd_linear_cache_size(&o)) < 140 * 1024);
}

void suite_classic_linear_cache(void) {
    RUN(it_does_as_the_model);
    RUN(counts_in_a_row);
    RUN(predictions_spare_the_waiting);
    RUN(sizes_hold_all_slots);
    RUN(bad_input);
}
