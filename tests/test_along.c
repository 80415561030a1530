/* What a box in motion may come to: the parts and children that it meets are shown, and not many others. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <string.h>

enum { SIDE = 32, CELLS = SIDE * SIDE };

typedef struct shown {
    bool cell[CELLS]; /* of the squares of a grid, or children */
    int count;
    double *until; /* becomes 0 with the first */
} shown;

static bool show_part(void *user, const cdi_shape_part *part) {
    shown *s = (shown *)user;
    s->cell[part->part.index / 2] = true;
    ++s->count;
    if (s->until) *s->until = 0.0;
    return true;
}

static void show_child(void *user, uint32_t child) {
    shown *s = (shown *)user;
    s->cell[child] = true;
    ++s->count;
    if (s->until) *s->until = 0.0;
}

static cd_aabb box_around(double x, double y, double z, double half) {
    cd_aabb b;
    b.min = cd_vec3_make((cd_real)(x - half), (cd_real)(y - half), (cd_real)(z - half));
    b.max = cd_vec3_make((cd_real)(x + half), (cd_real)(y + half), (cd_real)(z + half));
    return b;
}

/* A box is empty where one of its bounds is above the other; not where they are equal. */
static void empty_boxes(void) {
    double until = 1.0;
    for (int k = 0; k < 3; ++k)
        for (int by = 0; by <= 2; ++by) {
            cd_aabb b = box_around(1, 2, 3, 1);
            cdi_box_way way;
            REALS(b.max)[k] = REALS(b.min)[k] + (cd_real)(1 - by);
            CHECK_INT(cdi_box_way_begin(&way, b, cdi_v3_make(1.0, 0.0, 0.0), 0.0, &until), by < 2);
        }
}

/* Where a point rests, there is a point, and beside it there is none, however small all is. */
static void points_at_rest(void) {
    double until = 1.0;
    cd_aabb b = box_around(0, 0, 0, 0);
    cdi_box_way way;
    CHECK(cdi_box_way_begin(&way, b, cdi_v3_make(0.0, 0.0, 0.0), 0.0, &until));
    CHECK(cdi_box_way_meets(&way, b));
    CHECK(!cdi_box_way_meets(&way, cd_aabb_empty()));
    for (int e = 0; e < 60; e += 10) {
        double size = ldexp(1.0, -e);
        CHECK(cdi_box_way_begin(&way, box_around(0, 0, 0, size), cdi_v3_make(size, 0.0, 0.0), 0.0, &until));
        CHECK(cdi_box_way_meets(&way, box_around(2.5 * size, 0, 0, size)));
        CHECK(!cdi_box_way_meets(&way, box_around(4 * size, 0, 0, size)));
        CHECK(!cdi_box_way_meets(&way, box_around(0, 3 * size, 0, size)));
    }
}

/* Children of layers that are ignored, of a compound that is ignored, and of none at all. */
static void ignored_children(void) {
    double until = 1.0;
    cd_aabb b = box_around(0, 0, 0, 1);
    cd_shape box = cd_shape_of_aabb(b), whole;
    cd_placed_shape placed[2];
    cd_compound compound;
    cdi_box_way way;
    placed[0].shape = placed[1].shape = &box;
    placed[0].pose = placed[1].pose = cd_transform_identity();
    CHECK_INT(cd_compound_build(&compound, placed, 2, NULL), CD_OK);
    whole = cd_shape_of_compound(&compound);
    CHECK(cdi_box_way_begin(&way, b, cdi_v3_make(1.0, 0.0, 0.0), 0.0, &until));
    for (int n = 0; n < 4; ++n) {
        shown s;
        memset(&s, 0, sizeof s);
        box.layers = n == 1 ? 6u : 1u;
        whole.layers = n == 2 ? 6u : 1u;
        if (n == 3) whole.u.compound = NULL;
        cdi_children_along(&whole, &way, 2, show_child, &s);
        CHECK_INT(s.count, n == 0 ? 2 : 0);
    }
    cd_compound_destroy(&compound);
}

/* A grid of squares in z = 0, as a mesh and as a compound of boxes; along a row, a column, a diagonal, or straight down at any speed;
 * the whole scene at two sizes. */
static void squares_of_a_grid(void) {
    test_rng rng = test_random();
    gen_mesh grid = gen_mesh_grid(SIDE);
    cd_mesh_view view = gen_mesh_view(&grid);
    cd_shape tile = cd_shape_of_aabb(box_around(0.5, 0.5, 0, 0.5)), mesh, whole;
    static cd_placed_shape placed[CELLS];
    cd_compound compound;
    cd_bvh tree;
    uint64_t all[2] = {0, 0};
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    mesh = cd_shape_of_mesh(&tree, NULL);
    for (int i = 0; i < CELLS; ++i) {
        cd_vec3 a = gen_mesh_triangle(&grid, 2 * (uint32_t)i).a;
        placed[i].shape = &tile;
        placed[i].pose = cd_transform_identity();
        placed[i].pose.position = a;
    }
    CHECK_INT(cd_compound_build(&compound, placed, CELLS, NULL), CD_OK);
    whole = cd_shape_of_compound(&compound);
    for (int n = 11; n >= 0; --n) {
        /* through the middle of a square, there at time 1/2 */
        int at = test_int(&rng, 0, CELLS - 1);
        double x = (double)placed[at].pose.position.x + 0.5, y = (double)placed[at].pose.position.y + 0.5;
        double far = n / 4 == 0   ? 4.0
                     : n / 4 == 1 ? 1e9
                                  : 1e33,
               until = 1.0, size = n % 2 ? 1.0 : ldexp(1.0, -20);
        cdi_v3 d = cdi_v3_make(n % 4 == 0 || n % 4 == 2 ? far : 0.0, n % 4 == 1 || n % 4 == 2 ? far : 0.0,
                               n % 4 == 3 ? far : 0.0);
        cdi_box_way way;
        cd_aabb b =
            box_around(n < 4 ? x - 0.5 * d.x : x, n < 4 ? y - 0.5 * d.y : y, n < 4 ? -0.5 * d.z : 0, 0.125);
        test_note("n %d, square %d", n, at);
        mesh.scale = whole.scale = cd_vec3_make((cd_real)size, (cd_real)size, (cd_real)size);
        b.min = cd_vec3_scale(b.min, (cd_real)size);
        b.max = cd_vec3_scale(b.max, (cd_real)size);
        CHECK(cdi_box_way_begin(&way, b, cdi_v3_scale(d, size), 0.0, &until));
        for (int children = 0; children < 2; ++children) {
            shown s;
            memset(&s, 0, sizeof s);
            test_counted.node = 0;
            if (children) cdi_children_along(&whole, &way, 0, show_child, &s);
            if (!children) cdi_parts_along(&mesh, CD_NONE, &way, 0, show_part, &s);
            CHECK(s.cell[at]);
            if (n == 11) all[children] = test_counted.node; /* so far that no frame has numbers for it */
            if (n < 4) CHECK(test_counted.node * 2 < all[children]);
            if (n < 4) CHECK(s.count >= 1 && s.count <= (children ? 32 : 64));
        }
    }
    /* what is found ends the search for what is farther */
    mesh.scale = whole.scale = cd_vec3_make(1, 1, 1);
    for (int children = 0; children < 2; ++children) {
        long nodes[2];
        for (int ends = 0; ends < 2; ++ends) {
            double until = 1.0;
            cdi_box_way way;
            cd_vec3 at = placed[0].pose.position;
            shown s;
            memset(&s, 0, sizeof s);
            if (ends) s.until = &until;
            CHECK(cdi_box_way_begin(&way, box_around((double)at.x + 0.5, (double)at.y + 0.5, 0, 0.125),
                                    cdi_v3_make(SIDE, 0.0, 0.0), 0.0, &until));
            test_counted.node = 0;
            if (children) cdi_children_along(&whole, &way, 0, show_child, &s);
            if (!children) cdi_parts_along(&mesh, CD_NONE, &way, 0, show_part, &s);
            CHECK(s.cell[0]);
            nodes[ends] = (long)test_counted.node;
        }
        CHECK(2 * nodes[1] < nodes[0]);
    }
    cd_compound_destroy(&compound);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&grid);
}

void suite_along(void) {
    RUN(empty_boxes);
    RUN(points_at_rest);
    RUN(ignored_children);
    RUN(squares_of_a_grid);
}
