/* Which calls take which shapes: all types with each other, as a table. Every pair is also asked, with two small shapes, and the table says
 * so where that tells otherwise.
 *
 *     cc -O2 examples/shape_matrix.c -I. -lm -o shape_matrix && ./shape_matrix */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>
#include <string.h>

static const char letters[] =
    "DCTMSI"; /* distance, closest, test, contacts (manifolds), sweep, time of impact */

static cd_shape shapes[CD_SHAPE_TYPES];

/* ---- one small shape of each type, about the origin ---- */

static const cd_vec3 square[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const uint32_t faces[6] = {0, 1, 2, 0, 2, 3};
static const float samples[4];
static cd_kdop_set directions;
static cd_kdop dop;
static cd_hull hull;
static cd_bvh mesh, field;
static cd_placed_shape child;
static cd_compound compound;

static uint32_t farthest(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    (void)user;
    (void)hint;
    *out = cd_vec3_make(dir.x < 0 ? -1 : 1, dir.y < 0 ? -1 : 1, dir.z < 0 ? -1 : 1);
    return CD_NONE;
}

static cd_aabb one_bounds(void *object) {
    return cd_shape_aabb((const cd_shape *)object, NULL);
}

static bool one_part(void *object, cd_aabb box, cd_emit_part_fn emit, void *context) {
    (void)box;
    return emit(context, (const cd_shape *)object, NULL, 0);
}

static const cd_shape_class one = {one_bounds, one_part, NULL};

static void make_round_ones(void) {
    cd_disc disc = {{0, 0, 0}, {0, 0, 1}, 1};
    cd_sphere sphere = {{0, 0, 0}, 1};
    cd_capsule capsule = {{0, 0, -1}, {0, 0, 1}, 1};
    cd_tapered_capsule tapered = {{0, 0, -1}, {0, 0, 1}, 1, 0.5f};
    cd_cylinder cylinder = {{0, 0, -1}, {0, 0, 1}, 1};
    cd_cone cone = {{0, 0, 1}, {0, 0, -1}, 1};
    cd_ellipsoid ellipsoid = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 0.5f, 2}};
    cd_lozenge lozenge = {{-1, -1, 0}, {{2, 0, 0}, {0, 2, 0}}, 0.5f};
    shapes[CD_SHAPE_DISC] = cd_shape_of_disc(&disc);
    shapes[CD_SHAPE_SPHERE] = cd_shape_of_sphere(sphere);
    shapes[CD_SHAPE_CAPSULE] = cd_shape_of_capsule(&capsule);
    shapes[CD_SHAPE_TAPERED_CAPSULE] = cd_shape_of_tapered_capsule(&tapered);
    shapes[CD_SHAPE_CYLINDER] = cd_shape_of_cylinder(&cylinder);
    shapes[CD_SHAPE_CONE] = cd_shape_of_cone(&cone);
    shapes[CD_SHAPE_ELLIPSOID] = cd_shape_of_ellipsoid(&ellipsoid);
    shapes[CD_SHAPE_LOZENGE] = cd_shape_of_lozenge(&lozenge);
}

static void make_flat_ones(void) {
    cd_segment segment = {{-1, 0, 0}, {1, 0, 0}};
    cd_triangle triangle = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    cd_tetrahedron tetrahedron = {{-1, -1, -1}, {1, -1, -1}, {0, 1, -1}, {0, 0, 1}};
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb turned = {{0, 0, 0}, {{{0.6f, 0.8f, 0}, {-0.8f, 0.6f, 0}, {0, 0, 1}}}, {1, 1, 1}};
    cd_plane ground = {{0, 0, 1}, 0};
    cd_support own = cd_support_of_function(farthest, NULL, cd_vec3_make(0, 0, 0), 0);
    shapes[CD_SHAPE_POINT] = cd_shape_of_point(cd_vec3_make(0, 0, 0));
    shapes[CD_SHAPE_SEGMENT] = cd_shape_of_segment(&segment);
    shapes[CD_SHAPE_TRIANGLE] = cd_shape_of_triangle(&triangle);
    shapes[CD_SHAPE_POLYGON] = cd_shape_of_polygon(square, 4);
    shapes[CD_SHAPE_TETRAHEDRON] = cd_shape_of_tetrahedron(&tetrahedron);
    shapes[CD_SHAPE_AABB] = cd_shape_of_aabb(box);
    shapes[CD_SHAPE_OBB] = cd_shape_of_obb(&turned);
    shapes[CD_SHAPE_HALFSPACE] = cd_shape_of_halfspace(&ground);
    shapes[CD_SHAPE_SUPPORT] = cd_shape_of_support(&own);
}

static void make_large_ones(void) {
    cd_mesh_view view = cd_mesh_view_make(square, 4, faces, 2);
    cd_height_view heights;
    memset(&heights, 0, sizeof heights);
    heights.samples = samples;
    heights.format = CD_HEIGHT_F32;
    heights.columns = heights.rows = 2;
    heights.origin = cd_vec3_make(-0.5f, -0.5f, 0);
    directions = cd_kdop_set_standard(14);
    cd_kdop_from_points(square, 4, &directions, &dop);
    cd_hull3_build(&hull, square, 4, NULL);
    cd_bvh_build_mesh(&mesh, &view, NULL);
    cd_bvh_build_heights(&field, &heights, NULL);
    child.shape = &shapes[CD_SHAPE_SPHERE];
    child.pose = cd_transform_identity();
    compound = cd_compound_of(&child, 1);
    shapes[CD_SHAPE_KDOP] = cd_shape_of_kdop(&dop, &directions);
    shapes[CD_SHAPE_HULL] = cd_shape_of_hull(&hull);
    shapes[CD_SHAPE_MESH] = cd_shape_of_mesh(&mesh, NULL);
    shapes[CD_SHAPE_HEIGHTS] = cd_shape_of_heights(&field);
    shapes[CD_SHAPE_COMPOUND] = cd_shape_of_compound(&compound);
    shapes[CD_SHAPE_CLASS] = cd_shape_of_class(&one, &shapes[CD_SHAPE_AABB]);
}

/* ---- asking: A stands on the origin, or comes from 4 above ---- */

static int answers(uint32_t call, const cd_shape *a, const cd_shape *b) {
    cd_transform here = cd_transform_identity(), above = here, below = here;
    cd_motion moves, rests;
    cd_closest closest;
    cd_hit hit;
    above.position.z = 4;
    below.position.z = -4;
    cd_motion_make(CD_MOTION_LINEAR, &above, &below, &moves);
    cd_motion_make(CD_MOTION_LINEAR, &here, &here, &rests);
    switch (call) {
    case CD_CALL_DISTANCE: /* round ones about one axis have many ways out, and may be left open: CD_NOT_CONVERGED */
        return cd_shape_distance(a, b, NULL, NULL, NULL, NULL).status != CD_UNSUPPORTED;
    case CD_CALL_CLOSEST: return cd_shape_closest(a, b, NULL, NULL, &closest, NULL);
    case CD_CALL_TEST: return cd_shape_test(a, b, NULL, NULL, NULL, NULL);
    case CD_CALL_COLLIDE: return cd_shape_collide(a, b, NULL, NULL, NULL, NULL, 0) > 0;
    case CD_CALL_SWEEP: return cd_shape_sweep(a, cd_vec3_make(0, 0, -8), b, &below, NULL, &hit, NULL);
    default: return cd_shape_time_of_impact(a, &moves, b, &rests, NULL, NULL).status == CD_OK;
    }
}

/* How many calls take the pair: * for all, else their number. Returns how many of them answer otherwise. */
static int print_cell(uint32_t a, uint32_t b) {
    int wrong = 0, wide = 0;
    for (uint32_t call = CD_CALL_DISTANCE; call <= CD_CALL_TIME_OF_IMPACT; ++call) {
        int can = cd_shape_can(call, a, b) == CD_OK, does = answers(call, &shapes[a], &shapes[b]);
        if (call != CD_CALL_SWEEP && call != CD_CALL_TIME_OF_IMPACT && can && !does) ++wrong;
        if (!can && does) ++wrong;
        if (can) ++wide;
    }
    putchar(wide == 6 ? '*' : wide == 0 ? '.' : (char)('0' + wide));
    return wrong;
}

/* The pairs that do not take all, in letters. */
static void print_exceptions(void) {
    for (uint32_t a = 1; a < CD_SHAPE_TYPES; ++a)
        for (uint32_t b = 1; b < CD_SHAPE_TYPES; ++b) {
            char now[7] = "......";
            for (uint32_t call = 0; call < 6; ++call)
                if (cd_shape_can(call, a, b) == CD_OK) now[call] = letters[call];
            if (strcmp(now, letters))
                printf("%s, %s: %s\n", cd_shape_type_name(a), cd_shape_type_name(b), now);
        }
}

static void print_alone(uint32_t type) {
    static const char *const names[] = {"ray", "mass", "box", "support"};
    for (uint32_t call = CD_CALL_CAST_RAY; call < CD_SHAPE_CALLS; ++call)
        printf(" %-4s", cd_shape_can(call, type, 0) == CD_OK ? names[call - CD_CALL_CAST_RAY] : "-");
    putchar('\n');
}

int main(void) {
    int wrong = 0;
    make_round_ones();
    make_flat_ones();
    make_large_ones();
    puts("A down, B across: * takes all of D distance, C closest, T test, M contacts, S sweep, I time of "
         "impact\n");
    for (uint32_t a = 1; a < CD_SHAPE_TYPES; ++a) {
        printf("%-16s ", cd_shape_type_name(a));
        for (uint32_t b = 1; b < CD_SHAPE_TYPES; ++b) wrong += print_cell(a, b);
        putchar(' ');
        print_alone(a);
    }
    putchar('\n');
    print_exceptions();
    printf("\n%d pairs answer otherwise than the table says\n", wrong);
    cd_hull_destroy(&hull);
    cd_bvh_destroy(&mesh);
    cd_bvh_destroy(&field);
    return wrong != 0;
}
