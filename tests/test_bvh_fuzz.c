/* Stored trees that were changed: refused, or harmless in every query. The sanitizer lanes watch what is read. */
#include "gen.h"
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define HIDE(at, size) __asan_poison_memory_region(at, size)
#define SHOW(at, size) __asan_unpoison_memory_region(at, size)
#else
#define HIDE(at, size) ((void)(at), (void)(size))
#define SHOW(at, size) ((void)(at), (void)(size))
#endif

enum { ROOM = 65536, BASES = 48 };

/* The beginning of a block: places of words, and its length. */
enum { NODE_COUNT = 4, ITEM_COUNT = 5, SOURCE_COUNT = 7, BYTES = 8, HEADER = 192 };

/* Every layout and kind, with masks and without, of one leaf and of several levels. */
static cd_bvh bases[BASES];

/* The changed blob; what lies behind its end is hidden from queries where a sanitizer is there to see it. */
static union {
    unsigned char bytes[ROOM + 64];
    double aligned[1];
} room;
static unsigned char *blob;
static size_t blob_size;

static void build_base(test_rng *rng, int i) {
    static const uint32_t sizes[4] = {3, 30, 90, 200};
    bool indexed = i / 3 % 4 == 3;
    gen_mesh m =
        indexed ? gen_mesh_ball(i / 12 + 1, 0.2, rng) : gen_mesh_soup(sizes[i / 12], 0.4, GEN_UNIT, rng);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_aabb boxes[200];
    uint32_t masks[200];
    cd_bvh_options o;
    cd_status status;
    memset(&o, 0, sizeof o);
    for (uint32_t k = 0; k < m.triangle_count; ++k) {
        cd_triangle t = gen_mesh_triangle(&m, k);
        boxes[k] = cd_aabb_from_points(&t.a, 3);
        masks[k] = k;
    }
    o.layout = (uint32_t)i % 3;
    o.leaf_size = (uint32_t)test_int(rng, 1, 6);
    if (test_int(rng, 0, 1)) o.masks = masks;
    if (indexed) o.flags = CD_BVH_INDEXED;
    if (i / 3 % 4 == 1) {
        status = cd_bvh_build_boxes(&bases[i], boxes, m.triangle_count, &o);
    } else if (i / 3 % 4 == 2) {
        status = cd_bvh_build_points(&bases[i], m.vertices, m.triangle_count, &o);
    } else {
        status = cd_bvh_build_mesh(&bases[i], &v, &o);
    }
    CHECK_INT(status, CD_OK);
    CHECK(bases[i].bytes <= ROOM);
    gen_mesh_free(&m);
}

static uint32_t word_of(const void *block, int number) {
    uint32_t word;
    memcpy(&word, (const unsigned char *)block + 4 * number, sizeof word);
    return word;
}

/* ---- changes ---- */

/* A place: in the header, the nodes or anywhere; a multiple of `size`. */
static size_t place(test_rng *rng, size_t size) {
    size_t end = blob_size;
    int where = test_int(rng, 0, 3);
    if (where == 0) end = HEADER;
    if (where == 1) end = HEADER + (size_t)(word_of(blob, NODE_COUNT) & 63u) * 32u;
    if (end > blob_size) end = blob_size;
    return end < size ? 0 : (size_t)test_int(rng, 0, (int)(end / size) - 1) * size;
}

static void change_word(test_rng *rng) {
    uint32_t word;
    size_t at = place(rng, sizeof word);
    int how = test_int(rng, 0, 5);
    if (at + sizeof word > blob_size) return;
    memcpy(&word, blob + at, sizeof word);
    if (how == 0) word += (uint32_t)test_int(rng, -3, 3);
    if (how == 1) word = (uint32_t)test_int(rng, 0, 300);
    if (how == 2) word = (uint32_t)test_next(rng);
    if (how == 3) word = 0xFFFFFFFFu << test_int(rng, 0, 31);
    if (how == 4) word = 1u << test_int(rng, 0, 31);
    if (how == 5) memcpy(&word, blob + place(rng, sizeof word), sizeof word);
    memcpy(blob + at, &word, sizeof word);
}

static void change_byte(test_rng *rng) {
    size_t at = place(rng, 1);
    if (at >= blob_size) return;
    if (test_int(rng, 0, 1)) {
        blob[at] = (unsigned char)test_next(rng);
    } else {
        blob[at] ^= (unsigned char)(1u << test_int(rng, 0, 7));
    }
}

/* Another length, which the header may be told. */
static void change_length(test_rng *rng) {
    uint64_t told;
    size_t step = (size_t)test_int(rng, 0, 70) * 4u;
    if (test_int(rng, 0, 2)) {
        blob_size -= step < blob_size ? step : blob_size;
    } else if (blob_size + step <= ROOM) {
        blob_size += step;
    }
    told = blob_size;
    if (test_int(rng, 0, 1) && blob_size >= HEADER) memcpy(blob + 4 * BYTES, &told, sizeof told);
}

/* A piece of another tree: from the same place or from any. */
static void splice(test_rng *rng) {
    const cd_bvh *other = &bases[test_int(rng, 0, BASES - 1)];
    size_t from = (size_t)test_int(rng, 0, (int)(other->bytes / 4) - 1) * 4u;
    size_t at = test_int(rng, 0, 1) ? from : place(rng, 4);
    size_t size = (size_t)test_int(rng, 1, 300) * 4u;
    if (from + size > other->bytes) size = other->bytes - from;
    if (at + size > blob_size) size = at < blob_size ? blob_size - at : 0;
    memcpy(blob + at, (const unsigned char *)other->block + from, size);
}

static void change_something(test_rng *rng) {
    for (int k = test_int(rng, 1, 3); k > 0; --k) {
        int how = test_int(rng, 0, 9);
        if (how < 4) {
            change_byte(rng);
        } else if (how < 8) {
            change_word(rng);
        } else if (how == 8) {
            change_length(rng);
        } else {
            splice(rng);
        }
    }
}

/* ---- queries ---- */

typedef struct tally {
    uint32_t end;
    size_t count;
    bool inside;
} tally;

static bool tell(void *user, uint32_t index) {
    tally *t = (tally *)user;
    t->inside = t->inside && index < t->end;
    ++t->count;
    return true;
}

static bool tell_pair(void *user, cd_pair pair) {
    return tell(user, pair.a);
}

static void query(test_rng *rng, const cd_bvh *view) {
    uint32_t items = word_of(view->block, ITEM_COUNT);
    tally t = {0, 0, true};
    gen g = gen_begin(rng, GEN_UNIT);
    cd_vec3 p = gen_point(&g), q = gen_point(&g);
    cd_ray r = cd_ray_through(p, q);
    cd_aabb box = cd_aabb_add_point(cd_aabb_add_point(cd_aabb_empty(), p), q);
    cd_hit hits[4];
    cd_closest c;
    cd_filter f = {1, tell, NULL};
    cd_bvh other;
    f.user = &t;
    t.end = word_of(view->block, SOURCE_COUNT);
    CHECK_INT(cd_bvh_count(view), items);
    if (cd_bvh_cast_ray(view, &r, CD_REAL_MAX, NULL, hits)) CHECK(hits[0].index < t.end);
    cd_bvh_test_ray(view, &r, CD_REAL_MAX, NULL);
    CHECK(cd_bvh_cast_ray_all(view, &r, CD_REAL_MAX, NULL, hits, 4) <= items);
    cd_bvh_overlap_aabb(view, box, NULL, tell, &t);
    cd_bvh_overlap_sphere(view, cd_sphere_from_aabb(box), &f, tell, &t);
    if (cd_bvh_closest(view, p, CD_REAL_MAX, &f, &c)) CHECK(c.index_b < t.end);
    cd_bvh_traverse_pairs(view, &bases[test_int(rng, 0, BASES - 1)], NULL, NULL, tell_pair, &t);
    cd_bvh_traverse_pairs(view, view, NULL, NULL, tell_pair, &t);
    CHECK(t.inside);
    CHECK(cd_bvh_get_stats(view).leaf_count <= items);
    CHECK_INT(cd_bvh_convert(&other, view, (uint32_t)test_int(rng, 0, 2), NULL), CD_OK);
    CHECK_INT(cd_bvh_count(&other), items);
    cd_bvh_destroy(&other);
}

static void changed_trees_are_refused_or_harmless(void) {
    test_rng rng = test_random();
    long times = test_times(20000), accepted = 0;
    for (int i = 0; i < BASES; ++i) build_base(&rng, i);
    blob = room.bytes + (64 - (uintptr_t)room.bytes % 64) % 64;
    for (long i = 0; i < times; ++i) {
        const cd_bvh *base = &bases[test_int(&rng, 0, BASES - 1)];
        cd_bvh view;
        blob_size = base->bytes;
        memcpy(blob, base->block, blob_size);
        change_something(&rng);
        HIDE(blob + blob_size, ROOM - blob_size);
        if (cd_bvh_view(&view, blob, blob_size) == CD_OK) {
            ++accepted;
            query(&rng, &view);
        } else {
            CHECK(view.block == NULL);
        }
        SHOW(blob, ROOM);
    }
    CHECK_SEEN(accepted > times / 50 && accepted < times);
    for (int i = 0; i < BASES; ++i) cd_bvh_destroy(&bases[i]);
}

void suite_bvh_fuzz(void) {
    RUN(changed_trees_are_refused_or_harmless);
}
