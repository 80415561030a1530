/* The batch forms against the calls for two. */
#include "gen.h"
#include <math.h>
#include <string.h>

enum { MANY = 200 };

/* The hits of a batch call are those of `want`, in order, whatever the capacity; nothing behind it is written. */
static void check_hits(const bool *want, size_t count, size_t got, const uint32_t *hits, size_t capacity) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!want[i]) continue;
        if (found < capacity) CHECK_INT(hits[found], i);
        ++found;
    }
    CHECK_INT(got, found);
    for (size_t i = found < capacity ? found : capacity; i < MANY; ++i) CHECK_INT(hits[i], 12345);
}

static void blank(uint32_t *hits) {
    for (int i = 0; i < MANY; ++i) hits[i] = 12345;
}

/* Every call on the same scene; numbers that break things among them. */
static void spoil(gen *g, cd_real *numbers, int count) {
    if (test_int(g->rng, 0, 3)) return;
    numbers[test_int(g->rng, 0, count - 1)] =
        (cd_real)gen_bad_numbers[test_int(g->rng, 0, gen_bad_count - 1)];
}

static cd_aabb any_box(gen *g) {
    cd_aabb b = gen_aabb(g);
    spoil(g, REALS(b), 6);
    if (!test_int(g->rng, 0, 9)) b.max.y = b.min.y;
    return b;
}

static cd_sphere any_sphere(gen *g) {
    cd_sphere s = gen_sphere(g);
    spoil(g, REALS(s), 4);
    if (!test_int(g->rng, 0, 9)) s.radius = -s.radius;
    return s;
}

#define AGREE(batch, single, one, many)                                                                      \
    do {                                                                                                     \
        test_note(#batch);                                                                                   \
        blank(hits);                                                                                         \
        for (size_t i = 0; i < count; ++i) want[i] = (single);                                               \
        check_hits(want, count, ASK("loop", batch((one), (many), count, hits, capacity)), hits, capacity);   \
        CHECK_INT(batch((one), (many), 0, NULL, 0), 0);                                                      \
    } while (0)

static void boxes_and_spheres_as_the_single_calls(void) {
    test_rng rng = test_random();
    uint32_t hits[MANY];
    bool want[MANY];
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        size_t count = (size_t)test_int(&rng, 1, MANY), capacity = (size_t)test_int(&rng, 0, MANY);
        cd_aabb box = any_box(&g), boxes[MANY];
        cd_sphere sphere = any_sphere(&g), spheres[MANY];
        for (size_t k = 0; k < count; ++k) boxes[k] = any_box(&g), spheres[k] = any_sphere(&g);
        AGREE(cd_test_aabb_aabbs, cd_test_aabb_aabb(box, boxes[i]), box, boxes);
        AGREE(cd_test_aabb_spheres, cd_test_sphere_aabb(spheres[i], box), box, spheres);
        AGREE(cd_test_sphere_aabbs, cd_test_sphere_aabb(sphere, boxes[i]), sphere, boxes);
        AGREE(cd_test_sphere_spheres, cd_test_sphere_sphere(sphere, spheres[i]), sphere, spheres);
    }
}

static cd_obb any_obb(gen *g) {
    cd_obb b = gen_obb(g);
    spoil(g, REALS(b), 15);
    return b;
}

static cd_capsule any_capsule(gen *g) {
    cd_segment s = gen_segment(g);
    cd_capsule c;
    c.a = s.a;
    c.b = s.b;
    c.radius = gen_length(g);
    spoil(g, REALS(c), 7);
    return c;
}

static void spheres_and_others_as_the_single_calls(void) {
    test_rng rng = test_random();
    uint32_t hits[MANY];
    bool want[MANY];
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        size_t count = (size_t)test_int(&rng, 1, MANY), capacity = (size_t)test_int(&rng, 0, MANY);
        cd_sphere sphere = any_sphere(&g);
        cd_obb boxes[MANY];
        cd_capsule capsules[MANY];
        cd_triangle triangles[MANY];
        for (size_t k = 0; k < count; ++k) {
            boxes[k] = any_obb(&g);
            capsules[k] = any_capsule(&g);
            triangles[k] = gen_triangle(&g);
            spoil(&g, REALS(triangles[k]), 9);
        }
        AGREE(cd_test_sphere_triangles, cd_test_sphere_triangle(sphere, &triangles[i]), sphere, triangles);
        AGREE(cd_test_sphere_capsules, cd_test_sphere_capsule(sphere, &capsules[i]), sphere, capsules);
        AGREE(cd_test_sphere_obbs, cd_test_sphere_obb(sphere, &boxes[i]), sphere, boxes);
    }
}

static void oriented_boxes_and_capsules_as_the_single_calls(void) {
    test_rng rng = test_random();
    uint32_t hits[MANY];
    bool want[MANY];
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        size_t count = (size_t)test_int(&rng, 1, MANY), capacity = (size_t)test_int(&rng, 0, MANY);
        cd_obb box = any_obb(&g), boxes[MANY];
        cd_capsule capsule = any_capsule(&g), capsules[MANY];
        for (size_t k = 0; k < count; ++k) boxes[k] = any_obb(&g), capsules[k] = any_capsule(&g);
        AGREE(cd_test_obb_obbs, cd_test_obb_obb(&box, &boxes[i]), &box, boxes);
        AGREE(cd_test_capsule_capsules, cd_test_capsule_capsule(&capsule, &capsules[i]), &capsule, capsules);
    }
}

/* What was packed is given back; what fills the last block is NaN. */
static void blocks_give_back_what_was_packed(void) {
    test_rng rng = test_random();
    for (size_t left = 18 + (size_t)test_times(2000); left > 0; --left) {
        const size_t count = left % 18;
        cd_triangle t[17];
        cd_aabb b[17];
        cd_triangle8 tri[3];
        cd_aabb8 box[3];
        size_t blocks = (count + 7) / 8;
        for (size_t i = 0; i < 17; ++i) {
            for (int k = 0; k < 9; ++k) REALS(t[i])[k] = gen_any_real(&rng);
            for (int k = 0; k < 6; ++k) REALS(b[i])[k] = gen_any_real(&rng);
        }
        test_note("%d", (int)count);
        CHECK_INT(ASK("exact", cd_triangle8_pack(t, count, tri)), blocks);
        CHECK_INT(ASK("exact", cd_aabb8_pack(b, count, box)), blocks);
        for (size_t i = 0; i < 8 * blocks; ++i) {
            cd_triangle one = ASK("exact", cd_triangle8_get(tri, i));
            cd_aabb other = ASK("exact", cd_aabb8_get(box, i));
            for (int k = 0; k < 9; ++k) CHECK_SAME(REALS(one)[k], i < count ? (double)REALS(t[i])[k] : NAN);
            for (int k = 0; k < 6; ++k) CHECK_SAME(REALS(other)[k], i < count ? (double)REALS(b[i])[k] : NAN);
        }
    }
}

void suite_batch(void) {
    RUN(blocks_give_back_what_was_packed);
    RUN(boxes_and_spheres_as_the_single_calls);
    RUN(spheres_and_others_as_the_single_calls);
    RUN(oriented_boxes_and_capsules_as_the_single_calls);
}
