/* One triangle against many, and the published tests of two triangles. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

enum { MANY = 40 };

/* Triangles that have something to do with the first one, degenerate ones and broken numbers among them. */
static void scene(gen *g, cd_triangle *one, cd_triangle *many, size_t count) {
    int bad = test_int(g->rng, 0, 9);
    *one = gen_triangle(g);
    if (!test_int(g->rng, 0, 9)) one->c = one->b;
    for (size_t i = 0; i < count; ++i) {
        many[i] = test_int(g->rng, 0, 1) ? gen_triangle_near(g, one) : gen_triangle(g);
        if (!test_int(g->rng, 0, 9)) many[i].b = many[i].a;
        if (bad || test_int(g->rng, 0, 3)) continue;
        REALS(many[i])
        [test_int(g->rng, 0, 8)] = (cd_real)gen_bad_numbers[test_int(g->rng, 0, gen_bad_count - 1)];
    }
    if (!bad && !test_int(g->rng, 0, 3))
        REALS(*one)
        [test_int(g->rng, 0, 8)] = (cd_real)gen_bad_numbers[test_int(g->rng, 0, gen_bad_count - 1)];
}

/* The hits are those of the calls for two, in order, whatever the capacity; nothing behind it is written. */
static void check_batch(const cd_triangle *one, const cd_triangle *many, size_t count, size_t capacity) {
    uint32_t hits[MANY + 1];
    size_t found = 0, got;
    for (int i = 0; i <= MANY; ++i) hits[i] = 12345;
    got = cd_test_triangle_triangles(one, many, count, hits, capacity);
    for (size_t i = 0; i < count; ++i) {
        test_note("");
        test_note_reals("one", REALS(*one), 9);
        test_note_reals("other", REALS(many[i]), 9);
        if (!cd_test_triangle_triangle(one, &many[i])) {
            CHECK(found >= capacity || hits[found] != i);
            continue;
        }
        if (found < capacity) CHECK_INT(hits[found], i);
        ++found;
    }
    CHECK_INT(got, found);
    for (size_t i = found < capacity ? found : capacity; i <= MANY; ++i) CHECK_INT(hits[i], 12345);
}

static void many_as_the_call_for_two(void) {
    test_rng rng = test_random();

    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        size_t count = (size_t)test_int(&rng, 1, MANY);
        cd_triangle one, many[MANY];
        scene(&g, &one, many, count);
        check_batch(&one, many, count, (size_t)test_int(&rng, 0, MANY));
    }
}

/* Whole numbers, where touching abounds, at every scale, and beside a triangle that is far off. */
static void many_on_grids(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        int size = test_int(&rng, 1, 40);
        cd_real scale = (cd_real)ldexp(1.0, test_int(&rng, -50, 40)),
                far_off = test_int(&rng, 0, 3) ? 0 : 65536;
        cd_triangle one, many[MANY];
        for (int k = 0; k < 9; ++k) REALS(one)[k] = (cd_real)test_int(&rng, -size, size) * scale;
        for (int k = 0; k < 9 * MANY; ++k) REALS(many[0])[k] = (cd_real)test_int(&rng, -size, size) * scale;
        many[test_int(&rng, 0, MANY - 1)].a.x += far_off * scale;
        check_batch(&one, many, (size_t)test_int(&rng, 1, MANY), MANY);
    }
}

void suite_triangle_pairs(void) {
    RUN(many_as_the_call_for_two);
    RUN(many_on_grids);
}
