/* Named hard inputs for any two shapes: what other libraries were reported to hang on, to throw at, to answer with NaN or with a depth of
 * metres; shapes of no size, on top of each other, flat, as needles, in touch to the bit, tiny, huge and far away. Each is asked in both
 * orders and in several units, and every call is judged. */
#include "any_things.h"
#include <math.h>
#include <string.h>

/* ---- shapes by numbers ---- */

enum { CORNERS = 8 };

/* Numbers in the order of the type's own, of points one after another. */
typedef struct plain {
    uint32_t type;
    int count; /* of points, where the type has any number */
    double radius;
    double x[3 * CORNERS];
} plain;

typedef struct store {
    cd_shape shape;
    cd_vec3 corners[CORNERS];
    cd_hull hull;
    cd_kdop_set set;
    cd_kdop dop;
    cd_bvh tree;
    cd_support inner;
    cd_sphere ball;
} store;

/* Axes and normals are no lengths. */
static bool is_length(uint32_t type, int i) {
    if (type == CD_SHAPE_OBB || type == CD_SHAPE_ELLIPSOID) return i < 3 || i >= 12;
    if (type == CD_SHAPE_DISC) return i < 3 || i == 6;
    if (type == CD_SHAPE_HALFSPACE) return i == 3;
    return true;
}

static int numbers_of(const plain *p) {
    static const int count[CD_SHAPE_TYPES] = {0, 3, 6, 9, 0, 12, 7, 4, 7, 8, 6, 15, 7, 7, 15, 10, 0, 0, 0, 4};
    return count[p->type] ? count[p->type] : 3 * p->count;
}

static const uint32_t fan[18] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6, 0, 6, 7};

static void make_mesh(store *s, int count) {
    uint32_t triangles = count > 2 ? (uint32_t)count - 2 : 0;
    cd_mesh_view view = cd_mesh_view_make(s->corners, (uint32_t)count, fan, triangles);
    CHECK_INT(cd_bvh_build_mesh(&s->tree, &view, NULL), CD_OK);
    any_know_mesh(&s->tree, &view);
    s->shape = cd_shape_of_mesh(&s->tree, NULL);
}

/* Every number in units of a power of two. */
static void make_plain(store *s, const plain *p, double unit) {
    cd_real x[3 * CORNERS];
    memset(s, 0, sizeof *s);
    for (int i = 0; i < numbers_of(p); ++i) x[i] = (cd_real)(p->x[i] * (is_length(p->type, i) ? unit : 1));
    for (int i = 0; i < p->count && i < CORNERS; ++i)
        s->corners[i] = cd_vec3_make(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    s->shape.type = p->type;
    switch (p->type) {
    case CD_SHAPE_POLYGON: s->shape = cd_shape_of_polygon(s->corners, (uint32_t)p->count); break;
    case CD_SHAPE_HULL:
        CHECK_INT(cd_hull3_build(&s->hull, s->corners, (size_t)p->count, NULL), CD_OK);
        s->shape = cd_shape_of_hull(&s->hull);
        break;
    case CD_SHAPE_KDOP:
        s->set = cd_kdop_set_standard(14);
        CHECK_INT(cd_kdop_from_points(s->corners, (size_t)p->count, &s->set, &s->dop), CD_OK);
        s->shape = cd_shape_of_kdop(&s->dop, &s->set);
        break;
    case CD_SHAPE_SUPPORT:
        s->inner = cd_support_of_points(s->corners, (size_t)p->count);
        s->shape = any_shape_of_function(&s->inner);
        break;
    case CD_SHAPE_MESH: make_mesh(s, p->count); break;
    default: memcpy(&s->shape.u, x, (size_t)numbers_of(p) * sizeof *x); break;
    }
    s->shape.radius = (cd_real)(p->radius * unit);
    s->shape.user = 5;
}

static void drop(store *s) {
    cd_hull_destroy(&s->hull);
    cd_bvh_destroy(&s->tree);
}

/* ---- asking everything ---- */

static cd_transform pose_of(const double pose[7], double unit) {
    cd_transform t;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < 7; ++i) (&t.rotation.x)[i] = (cd_real)(pose[i] * (i < 4 ? 1 : unit));
    return t;
}

/* Every call, of A and B as they lie; `size`: how far away things are tried. */
static void ask_all(const char *name, const cd_shape *a, const cd_shape *b, const cd_transform *pose,
                    double size) {
    static const double ways[5][3] = {{1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0.3, -0.2, 0.9}, {0, 0, 0}};
    any_scene s;
    cd_shape_options o;
    memset(&o, 0, sizeof o);
    any_scene_open(&s, a, b, pose, &o);
    any_note(&s, name);
    any_judge_distance(&s);
    any_judge_closest(&s);
    any_judge_test(&s);
    any_judge_collide(&s);
    s.options.flags = CD_SHAPE_KEEP_GHOSTS;
    s.options.margin = (cd_real)(size / 8);
    any_judge_collide(&s);
    for (int i = 0; i < 5; ++i) {
        cd_vec3 way = cd_vec3_make((cd_real)(ways[i][0] * size), (cd_real)(ways[i][1] * size),
                                   (cd_real)(ways[i][2] * size));
        cd_ray r;
        r.origin = cd_vec3_scale(way, (cd_real)0.75);
        r.dir = cd_vec3_neg(way);
        any_judge_sweep(&s, way);
        any_judge_ray(&s, &r, 2);
        any_judge_support(&s, way);
    }
    any_judge_aabb(&s, pose);
    any_scene_close(&s);
}

static void ask_both_ways(const char *name, const cd_shape *a, const cd_shape *b, const cd_transform *pose,
                          double size) {
    cd_transform back = pose ? cd_transform_inverse(pose) : cd_transform_identity();
    ask_all(name, a, b, pose, size);
    ask_all(name, b, a, pose ? &back : NULL, size);
}

/* ---- pairs of plain shapes ---- */

#define HERE                                                                                                 \
    { 0, 0, 0, 1, 0, 0, 0 }
#define AT(x, y, z)                                                                                          \
    { 0, 0, 0, 1, x, y, z }
#define UNKNOWN NAN
#define CUBE                                                                                                 \
    {                                                                                                        \
        CD_SHAPE_AABB, 0, 0, {                                                                               \
            -1, -1, -1, 1, 1, 1                                                                              \
        }                                                                                                    \
    }
#define BALL                                                                                                 \
    {                                                                                                        \
        CD_SHAPE_SPHERE, 0, 0, {                                                                             \
            0, 0, 0, 1                                                                                       \
        }                                                                                                    \
    }
#define FLOOR                                                                                                \
    {                                                                                                        \
        CD_SHAPE_HALFSPACE, 0, 0, {                                                                          \
            0, 0, 1, 0                                                                                       \
        }                                                                                                    \
    }
#define PLATE                                                                                                \
    {                                                                                                        \
        CD_SHAPE_TRIANGLE, 0, 0, {                                                                           \
            -1, -1, 0, 1, -1, 0, 0, 1, 0                                                                     \
        }                                                                                                    \
    }
#define ROD                                                                                                  \
    {                                                                                                        \
        CD_SHAPE_CAPSULE, 0, 0, {                                                                            \
            0, 0, -1, 0, 0, 1, 0.5                                                                           \
        }                                                                                                    \
    }
#define TIN                                                                                                  \
    {                                                                                                        \
        CD_SHAPE_CYLINDER, 0, 0, {                                                                           \
            0, 0, -1, 0, 0, 1, 1                                                                             \
        }                                                                                                    \
    }

typedef struct pair_case {
    const char *name;
    plain a, b;
    double pose[7], distance;
} pair_case;

static const pair_case pair_cases[] = {
    {"two cubes stacked, axes aligned", CUBE, CUBE, AT(0, 0, 2), 0},
    {"two cubes side by side, shifted", CUBE, CUBE, AT(2, 0.5, 0.25), 0},
    {"two cubes, edge on edge", CUBE, CUBE, AT(2, 2, 0), 0},
    {"two cubes, corner on corner", CUBE, CUBE, AT(2, 2, 2), 0},
    {"two cubes, one and the same", CUBE, CUBE, HERE, -2},
    {"two cubes, deep, a coordinate equal", CUBE, CUBE, AT(0.5, 0, 0), -1.5},
    {"large box, small box on it",
     {CD_SHAPE_AABB, 0, 0, {-5, -5, -5, 5, 5, 5}},
     {CD_SHAPE_AABB, 0, 0, {-0.125, -0.125, -0.125, 0.125, 0.125, 0.125}},
     AT(3, -2, 5.125),
     0},
    {"large box, small box just in it",
     {CD_SHAPE_AABB, 0, 0, {-512, -512, -512, 512, 512, 512}},
     CUBE,
     AT(100, 200, 512),
     -1},
    {"box in the middle of a box", {CD_SHAPE_AABB, 0, 0, {-5, -5, -5, 5, 5, 5}}, CUBE, HERE, -6},
    {"boxes that cross, edge against edge", CUBE, CUBE, {0.25, 0.25, 0.5, 0.75, 0.5, 1, 2}, UNKNOWN},
    {"boxes a quarter turn about two axes", CUBE, CUBE, {0.5, 0.5, 0.5, 0.5, 0, 0, 2}, 0},
    {"boxes balanced on an edge",
     CUBE,
     {CD_SHAPE_OBB, 0, 0, {0, 0, 0, 0.6, 0, 0.8, 0, 1, 0, -0.8, 0, 0.6, 1, 1, 1}},
     AT(0, 0, 2.4),
     UNKNOWN},
    {"spheres with one middle", BALL, {CD_SHAPE_SPHERE, 0, 0, {0, 0, 0, 3}}, HERE, -4},
    {"spheres in touch", BALL, BALL, AT(0, 2, 0), 0},
    {"spheres nearly in touch", BALL, BALL, AT(2.00000024, 0, 0), UNKNOWN},
    {"sphere's middle in a box's middle", BALL, CUBE, HERE, -2},
    {"sphere's middle on a face", BALL, CUBE, AT(0, 0, 1), -1},
    {"sphere's middle on an edge", BALL, CUBE, AT(0, 1, 1), -1},
    {"sphere's middle on a corner", BALL, CUBE, AT(1, 1, 1), -1},
    {"point and point, the same",
     {CD_SHAPE_POINT, 0, 0, {1, 2, 3}},
     {CD_SHAPE_POINT, 0, 0, {1, 2, 3}},
     HERE,
     0},
    {"spheres of radius 0",
     {CD_SHAPE_SPHERE, 0, 0, {0, 0, 0, 0}},
     {CD_SHAPE_SPHERE, 0, 0, {0, 0, 0, 0}},
     AT(3, 4, 0),
     5},
    {"a sphere of radius 0 in a box", {CD_SHAPE_SPHERE, 0, 0, {0, 0, 0, 0}}, CUBE, HERE, -1},
    {"capsule that is a sphere", {CD_SHAPE_CAPSULE, 0, 0, {0, 0, 0, 0, 0, 0, 1}}, CUBE, AT(0, 0, 3), 1},
    {"capsules, one and the same", ROD, ROD, HERE, -1},
    {"capsules, parallel", ROD, ROD, AT(1, 0, 0.25), 0},
    {"capsules, crossing", ROD, ROD, {0.5, 0.5, 0.5, 0.5, 0, 0, 0}, -1},
    {"capsules, end to end", ROD, ROD, AT(0, 0, 3), 0},
    {"box without extent", {CD_SHAPE_AABB, 0, 0, {1, 1, 1, 1, 1, 1}}, CUBE, HERE, 0},
    {"box without height on a box", {CD_SHAPE_AABB, 0, 0, {-1, -1, 0, 1, 1, 0}}, CUBE, AT(0, 0, -1), 0},
    {"oriented box without extent",
     {CD_SHAPE_OBB, 0, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
     TIN,
     AT(0, 0, 1.5),
     0.5},
    {"cylinder that is a point", {CD_SHAPE_CYLINDER, 0, 0, {0, 0, 0, 0, 0, 0, 0}}, BALL, AT(2, 0, 0), 1},
    {"cone that is a point", {CD_SHAPE_CONE, 0, 0, {0, 0, 0, 0, 0, 0, 0}}, BALL, HERE, -1},
    {"cylinder without radius", {CD_SHAPE_CYLINDER, 0, 0, {0, 0, -1, 0, 0, 1, 0}}, CUBE, AT(0, 0, 2), 0},
    {"ellipsoid that is a point",
     {CD_SHAPE_ELLIPSOID, 0, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
     BALL,
     AT(0, 3, 0),
     2},
    {"ellipsoid that is flat",
     {CD_SHAPE_ELLIPSOID, 0, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 1, 0}},
     CUBE,
     AT(0, 0, 1.5),
     0.5},
    {"ellipsoid as a needle across a box",
     {CD_SHAPE_ELLIPSOID, 0, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 64, 0.015625, 0.015625}},
     CUBE,
     HERE,
     UNKNOWN},
    {"lozenge that is a sphere",
     {CD_SHAPE_LOZENGE, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
     CUBE,
     AT(2, 0, 0),
     0},
    {"disc that is a point", {CD_SHAPE_DISC, 0, 0, {0, 0, 0, 0, 0, 1, 0}}, CUBE, AT(0, 0, 1), 0},
    {"disc on disc, in one plane",
     {CD_SHAPE_DISC, 0, 0, {0, 0, 0, 0, 0, 1, 1}},
     {CD_SHAPE_DISC, 0, 0, {0, 0, 0, 0, 0, 2, 1}},
     AT(1, 0, 0),
     0},
    {"disc in the middle of a cylinder", {CD_SHAPE_DISC, 0, 0, {0, 0, 0, 0, 0, 1, 0.5}}, TIN, HERE, -1},
    {"segment that is a point", {CD_SHAPE_SEGMENT, 0, 0, {1, 1, 1, 1, 1, 1}}, PLATE, HERE, UNKNOWN},
    {"segment in a triangle's plane, across", {CD_SHAPE_SEGMENT, 0, 0, {-3, 0, 0, 3, 0, 0}}, PLATE, HERE, 0},
    {"segments that cross",
     {CD_SHAPE_SEGMENT, 0, 0, {-1, 0, 0, 1, 0, 0}},
     {CD_SHAPE_SEGMENT, 0, 0, {0, -1, 0, 0, 1, 0}},
     HERE,
     0},
    {"segments in line, overlapping",
     {CD_SHAPE_SEGMENT, 0, 0, {-1, 0, 0, 1, 0, 0}},
     {CD_SHAPE_SEGMENT, 0, 0, {0, 0, 0, 4, 0, 0}},
     HERE,
     0},
    {"triangles, one and the same", PLATE, PLATE, HERE, 0},
    {"triangles in one plane, edge on edge", PLATE, PLATE, AT(0, -2, 0), UNKNOWN},
    {"triangle without area in a box",
     {CD_SHAPE_TRIANGLE, 0, 0, {-2, 0, 0, 0, 0, 0, 2, 0, 0}},
     CUBE,
     HERE,
     UNKNOWN},
    {"triangle that is a point in a sphere",
     {CD_SHAPE_TRIANGLE, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0}},
     BALL,
     HERE,
     -1},
    {"triangle with long edges, small sphere",
     {CD_SHAPE_TRIANGLE, 0, 0, {-8192, -4096, 0, 8192, -4096, 0, 0, 8192, 0}},
     {CD_SHAPE_SPHERE, 0, 0, {0, 0, 0, 0.25}},
     AT(1.5, 2.5, 0.1875),
     -0.0625},
    {"needle of a triangle under a capsule",
     {CD_SHAPE_TRIANGLE, 0, 0, {-64, 0, 0, 64, 0, 0, 64, 0.0009765625, 0}},
     ROD,
     AT(1, 0, 1.25),
     UNKNOWN},
    {"large triangle, deep capsule",
     {CD_SHAPE_TRIANGLE, 0, 0, {-16, -16, 0, 16, -16, 0, 0, 16, 0}},
     ROD,
     HERE,
     -1.5},
    {"tetrahedron without volume",
     {CD_SHAPE_TETRAHEDRON, 0, 0, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     CUBE,
     AT(0, 0, 1),
     0},
    {"polygon of one corner", {CD_SHAPE_POLYGON, 1, 0, {0, 0, 0}}, BALL, AT(3, 0, 0), 2},
    {"polygon of two corners", {CD_SHAPE_POLYGON, 2, 0, {-1, 0, 0, 1, 0, 0}}, BALL, AT(0, 3, 0), 2},
    {"polygon on a box", {CD_SHAPE_POLYGON, 4, 0, {-1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1}}, CUBE, HERE, 0},
    {"polygon, deep capsule through it",
     {CD_SHAPE_POLYGON, 4, 0, {-4, -4, 0, 4, -4, 0, 4, 4, 0, -4, 4, 0}},
     ROD,
     AT(1, 1, 0.25),
     -1.25},
    {"hull that is flat",
     {CD_SHAPE_HULL, 4, 0, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     BALL,
     AT(0, 0, 0.5),
     -0.5},
    {"hull that is a segment", {CD_SHAPE_HULL, 3, 0, {-1, 0, 0, 1, 0, 0, 0, 0, 0}}, CUBE, AT(0, 0, 2), 1},
    {"hull that is a point", {CD_SHAPE_HULL, 2, 0, {1, 1, 1, 1, 1, 1}}, CUBE, HERE, 0},
    {"hull of a needle against a cone",
     {CD_SHAPE_HULL, 4, 0, {-64, 0, 0, 64, 0, 0, 0, 0.0078125, 0, 0, 0, 0.0078125}},
     {CD_SHAPE_CONE, 0, 0, {0, 0, 1, 0, 0, -1, 1}},
     AT(0, 0, -0.5),
     UNKNOWN},
    {"hull with doubled corners and a capsule",
     {CD_SHAPE_HULL, 8, 0, {-1, -1, 0, 1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, -1, 1, 0, 0, 0, 1, 0, 0, 1}},
     ROD,
     AT(0, 0, 2.5),
     0},
    {"k-DOP that is flat",
     {CD_SHAPE_KDOP, 4, 0, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     CUBE,
     AT(0, 0, 1),
     0},
    {"k-DOP that is a point", {CD_SHAPE_KDOP, 1, 0, {1, 2, 3}}, BALL, AT(1, 2, 5), 1},
    {"cylinders, caps in touch", TIN, TIN, AT(0.5, 0, 2), 0},
    {"cylinders, sides in touch", TIN, TIN, AT(2, 0, 0.5), 0},
    {"cylinders, one and the same", TIN, TIN, HERE, -2},
    {"cylinder lying on a box", {CD_SHAPE_CYLINDER, 0, 0, {-1, 0, 0, 1, 0, 0, 0.5}}, CUBE, AT(0, 0, -1.5), 0},
    {"cone's tip on a face", {CD_SHAPE_CONE, 0, 0, {0, 0, 0, 0, 0, 2, 1}}, CUBE, AT(0, 0, -1), 0},
    {"cone's tip on a cone's tip",
     {CD_SHAPE_CONE, 0, 0, {0, 0, 0, 0, 0, 2, 1}},
     {CD_SHAPE_CONE, 0, 0, {0, 0, 0, 0, 0, -2, 1}},
     HERE,
     0},
    {"tapered capsule, one ball in the other",
     {CD_SHAPE_TAPERED_CAPSULE, 0, 0, {0, 0, 0, 0.5, 0, 0, 2, 1}},
     BALL,
     AT(0, 0, 3),
     0},
    {"tapered capsule with a tip",
     {CD_SHAPE_TAPERED_CAPSULE, 0, 0, {0, 0, 0, 0, 0, 4, 0, 1}},
     CUBE,
     AT(0, 0, -1),
     0},
    {"tapered capsule of no radius",
     {CD_SHAPE_TAPERED_CAPSULE, 0, 0, {0, 0, 0, 0, 0, 4, 0, 0}},
     CUBE,
     AT(0, 0, 2),
     UNKNOWN},
    {"rounded box, rounded box, corner to corner",
     {CD_SHAPE_AABB, 0, 0.5, {-1, -1, -1, 1, 1, 1}},
     {CD_SHAPE_AABB, 0, 0.25, {-1, -1, -1, 1, 1, 1}},
     AT(2, 2, 2),
     -0.75},
    {"rounded triangle in a rounded cone",
     {CD_SHAPE_TRIANGLE, 0, 0.25, {-1, -1, 0, 1, -1, 0, 0, 1, 0}},
     {CD_SHAPE_CONE, 0, 0.25, {0, 0, 1, 0, 0, -1, 1}},
     HERE,
     UNKNOWN},
    {"rounded disc, rounded cylinder",
     {CD_SHAPE_DISC, 0, 0.5, {0, 0, 0, 0, 0, 1, 1}},
     {CD_SHAPE_CYLINDER, 0, 0.5, {0, 0, -1, 0, 0, 1, 1}},
     AT(0, 0, 2),
     0},
    {"the caller's point in the caller's point",
     {CD_SHAPE_SUPPORT, 1, 0, {1, 2, 3}},
     {CD_SHAPE_SUPPORT, 1, 0, {1, 2, 3}},
     HERE,
     0},
    {"the caller's segment on a box", {CD_SHAPE_SUPPORT, 2, 0, {-1, 0, 1, 1, 0, 1}}, CUBE, HERE, 0},
    {"the caller's body, rounded, in a sphere",
     {CD_SHAPE_SUPPORT, 4, 0.5, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     BALL,
     HERE,
     -1.5},
    {"half-space, sphere on it", FLOOR, BALL, AT(0, 0, 1), 0},
    {"half-space, box deep in it", FLOOR, CUBE, AT(3, 4, -10), -11},
    {"half-space, triangle in its plane", FLOOR, PLATE, HERE, 0},
    {"half-space with a long normal", {CD_SHAPE_HALFSPACE, 0, 0, {0, 3, 4, 5}}, BALL, AT(0, 3, 4), 3},
    {"half-space, rounded", {CD_SHAPE_HALFSPACE, 0, 0.5, {0, 0, 1, 0}}, BALL, AT(0, 0, 2), 0.5},
    {"mesh of one triangle, sphere over it",
     {CD_SHAPE_MESH, 3, 0, {-1, -1, 0, 1, -1, 0, 0, 1, 0}},
     BALL,
     AT(0, 0, 1.5),
     0.5},
    {"mesh of one triangle without area",
     {CD_SHAPE_MESH, 3, 0, {-1, 0, 0, 0, 0, 0, 1, 0, 0}},
     BALL,
     AT(0, 0, 1.5),
     0.5},
    {"mesh with a triangle that is a point",
     {CD_SHAPE_MESH, 4, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}},
     BALL,
     AT(0, 0, 1),
     0},
    {"mesh of a floor, capsule deep in it",
     {CD_SHAPE_MESH, 4, 0, {-16, -16, 0, 16, -16, 0, 16, 16, 0, -16, 16, 0}},
     ROD,
     AT(8, -2, 0.25),
     -1.25},
    {"mesh of a floor, box exactly on it",
     {CD_SHAPE_MESH, 4, 0, {-16, -16, 0, 16, -16, 0, 16, 16, 0, -16, 16, 0}},
     CUBE,
     AT(0, 0, 1),
     0},
    {"mesh on mesh, in one plane",
     {CD_SHAPE_MESH, 4, 0, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     {CD_SHAPE_MESH, 4, 0, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     AT(0.5, 0.25, 0),
     0},
    {"mesh rounded, against a rounded mesh",
     {CD_SHAPE_MESH, 4, 0.5, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     {CD_SHAPE_MESH, 4, 0.25, {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}},
     AT(0, 0, 1),
     0.25},
    {"half-space under a mesh",
     FLOOR,
     {CD_SHAPE_MESH, 4, 0, {-1, -1, 1, 1, -1, 1, 1, 1, 2, -1, 1, 2}},
     HERE,
     1},
};

enum { PAIR_CASES = sizeof pair_cases / sizeof pair_cases[0] };

static void ask_case(const pair_case *c, double unit, double size) {
    static store a, b;
    cd_transform pose = pose_of(c->pose, unit);
    bool identity = c->pose[4] == 0 && c->pose[5] == 0 && c->pose[6] == 0 && c->pose[3] == 1;
    make_plain(&a, &c->a, unit);
    make_plain(&b, &c->b, unit);
    ask_both_ways(c->name, &a.shape, &b.shape, identity ? NULL : &pose, size * unit);
    if (!isnan(c->distance)) {
        cd_separation r = cd_shape_distance(&a.shape, &b.shape, &pose, NULL, NULL, NULL);
        bool user = c->a.type == CD_SHAPE_SUPPORT || c->b.type == CD_SHAPE_SUPPORT;
        CHECK_NEAR((double)r.distance / unit, c->distance, (user ? 1e-4 : 2e-6) * (1 + fabs(c->distance)));
    }
    drop(&a);
    drop(&b);
    any_forget_meshes();
}

static void named_pairs(void) {
    for (int i = 0; i < PAIR_CASES; ++i) ask_case(&pair_cases[i], 1, 4);
}

static void named_pairs_tiny_and_huge(void) {
    static const int powers[4] = {-50, 50, -100, 40};
    for (int i = 0; i < PAIR_CASES; ++i) {
        if (test_is_tiny() && i % 4) continue;
        ask_case(&pair_cases[i], ldexp(1, powers[i % 2]), 4);
        if (sizeof(cd_real) == 8) ask_case(&pair_cases[i], ldexp(1, 3 * powers[i % 2]), 4);
    }
}

/* Below what floats are promised for: still no NaN, and numbers that may be. */
static void named_pairs_at_1e_30(void) {
    static store a, b;
    for (int i = 0; i < PAIR_CASES; ++i) {
        const pair_case *c = &pair_cases[i];
        cd_transform pose = pose_of(c->pose, 1e-30);
        cd_separation r;
        cd_manifold m;
        cd_hit h;
        make_plain(&a, &c->a, 1e-30);
        make_plain(&b, &c->b, 1e-30);
        test_note("%s at 1e-30", c->name);
        r = cd_shape_distance(&a.shape, &b.shape, &pose, NULL, NULL, NULL);
        CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
        CHECK(isfinite((double)r.distance) && isfinite((double)r.a.x) && fabs((double)r.distance) < 1e-25);
        CHECK_NEAR((double)cd_vec3_length(r.normal), 1, 1e-5);
        if (cd_shape_collide(&a.shape, &b.shape, &pose, NULL, NULL, &m, 1))
            CHECK(isfinite((double)m.points[0].distance));
        if (cd_shape_sweep(&a.shape, pose.position, &b.shape, &pose, NULL, &h, NULL))
            CHECK(h.t >= 0 && h.t <= 1);
        drop(&a);
        drop(&b);
        any_forget_meshes();
    }
}

/* Both a million away from the origin of their frames. */
static void named_pairs_far_away(void) {
    static store a, b;
    for (int i = 0; i < PAIR_CASES; ++i) {
        const pair_case *c = &pair_cases[i];
        cd_placed_shape child[2];
        cd_compound ca, cb;
        cd_shape sa, sb;
        make_plain(&a, &c->a, 1);
        make_plain(&b, &c->b, 1);
        child[0].shape = &a.shape;
        child[1].shape = &b.shape;
        child[0].pose = child[1].pose = cd_transform_identity();
        child[1].pose = pose_of(c->pose, 1);
        child[0].pose.position.x += 1000000;
        child[1].pose.position.x += 1000000;
        ca = cd_compound_of(&child[0], 1);
        cb = cd_compound_of(&child[1], 1);
        sa = cd_shape_of_compound(&ca);
        sb = cd_shape_of_compound(&cb);
        ask_all(c->name, &sa, &sb, NULL, 4);
        drop(&a);
        drop(&b);
        any_forget_meshes();
    }
}

/* ---- properties of the answers ---- */

/* The other way round, the same; and in units of another power of two, the same bits. */
static void swapped_and_in_other_units(void) {
    static store a, b, c, d;
    for (int i = 0; i < PAIR_CASES; ++i) {
        const pair_case *p = &pair_cases[i];
        double unit = ldexp(1, i % 2 ? 20 : -20), slack;
        cd_transform pose = pose_of(p->pose, 1), big = pose_of(p->pose, unit),
                     back = cd_transform_inverse(&pose);
        cd_separation r, s, t;
        make_plain(&a, &p->a, 1), make_plain(&b, &p->b, 1);
        make_plain(&c, &p->a, unit), make_plain(&d, &p->b, unit);
        test_note("%s", p->name);
        r = cd_shape_distance(&a.shape, &b.shape, &pose, NULL, NULL, NULL);
        s = cd_shape_distance(&b.shape, &a.shape, &back, NULL, NULL, NULL);
        t = cd_shape_distance(&c.shape, &d.shape, &big, NULL, NULL, NULL);
        slack = 4e-6 * fmax(1, fabs((double)r.distance)) + (p->a.x[0] < -1000 ? 1e-2 : 0);
        if (p->a.type == CD_SHAPE_SUPPORT || p->b.type == CD_SHAPE_SUPPORT) slack = 1e-4;
        CHECK_NEAR(s.distance, r.distance, slack);
        CHECK_SAME((double)t.distance, (double)r.distance * unit);
        CHECK_SAME(t.normal.x, r.normal.x);
        CHECK_SAME(t.normal.y, r.normal.y);
        CHECK_SAME(t.normal.z, r.normal.z);
        drop(&a), drop(&b), drop(&c), drop(&d);
        any_forget_meshes();
    }
}

/* 401 steps from apart to deep: the distance goes down as the way does, the normal does not flip, all calls agree on which side it is. */
static void steps_through_touching(void) {
    static const plain lower[6] = {CUBE,
                                   TIN,
                                   FLOOR,
                                   ROD,
                                   {CD_SHAPE_MESH, 4, 0, {-16, -16, 1, 16, -16, 1, 16, 16, 1, -16, 16, 1}},
                                   {CD_SHAPE_CONE, 0, 0, {0, 0, -1, 0, 0, 1, 1}}};
    static const plain upper[5] = {
        CUBE, TIN, BALL, ROD, {CD_SHAPE_HULL, 4, 0, {-1, -1, -1, 1, -1, -1, 0, 1, -1, 0, 0, 1}}};
    static store a, b;
    for (int k = 0; k < 30; ++k) {
        cd_transform pose = cd_transform_identity();
        double previous = INFINITY;
        int step = test_is_tiny() ? 50 : 4;
        make_plain(&a, &lower[k / 5], 1);
        make_plain(&b, &upper[k % 5], 1);
        for (int i = 200; i >= -200; i -= step) {
            cd_separation r;
            cd_manifold m;
            bool meet;
            pose.position = cd_vec3_make((cd_real)0.0625, (cd_real)0.03125, (cd_real)(2.5 + i / 1000.0));
            if (k / 5 == 2) pose.position.z -= 1;
            if (k / 5 == 3) pose.position.z += (cd_real)0.5;
            if (k % 5 == 3) pose.position.z += (cd_real)0.5;
            r = cd_shape_distance(&a.shape, &b.shape, &pose, NULL, NULL, NULL);
            test_note("%d: %d", k, i);
            meet = cd_shape_test(&a.shape, &b.shape, &pose, NULL, NULL, NULL);
            CHECK_INT(r.status, CD_OK);
            if (isfinite(previous))
                CHECK((double)r.distance < previous && (double)r.distance > previous - 1.025e-3 * step);
            CHECK(r.normal.z > (cd_real)0.5);
            previous = (double)r.distance;
            if (fabs(previous) < 1e-5) continue;
            CHECK(meet == (previous < 0));
            CHECK((cd_shape_collide(&a.shape, &b.shape, &pose, NULL, NULL, &m, 1) > 0) == (previous < 0));
        }
        drop(&a);
        drop(&b);
        any_forget_meshes();
    }
}

/* Near a target that grows, a sweep ends as near to it. */
static void sweeps_to_large_targets(void) {
    for (double half = 1; half <= 4096; half *= 8) {
        cd_aabb box;
        cd_shape a = cd_shape_of_sphere((cd_sphere){{0, 0, 0}, (cd_real)0.5}), b;
        cd_transform pose = cd_transform_identity();
        any_scene s;
        box.min = cd_vec3_make((cd_real)-half, (cd_real)-half, (cd_real)-half);
        box.max = cd_vec3_make((cd_real)half, (cd_real)half, (cd_real)half);
        b = cd_shape_of_aabb(box);
        pose.position = cd_vec3_make((cd_real)(half * 0.25), (cd_real)(half * 0.125), (cd_real)(-half - 3));
        any_scene_open(&s, &a, &b, &pose, NULL);
        any_note(&s, "a large target");
        any_judge_sweep(&s, cd_vec3_make(0, 0, -5));
        any_scene_close(&s);
    }
}

/* What starts in touch, and goes away or along, is not held when that is asked for. */
static void leaving_is_not_a_hit(void) {
    static store a, b;
    static const plain movers[4] = {BALL, CUBE, ROD, TIN};
    static const plain floors[4] = {FLOOR,
                                    {CD_SHAPE_AABB, 0, 0, {-8, -8, -2, 8, 8, 0}},
                                    {CD_SHAPE_MESH, 4, 0, {-8, -8, 0, 8, -8, 0, 8, 8, 0, -8, 8, 0}},
                                    {CD_SHAPE_TRIANGLE, 0, 0, {-8, -8, 0, 8, -8, 0, 0, 8, 0}}};
    for (int k = 0; k < 16; ++k) {
        cd_cast_options o;
        cd_transform pose = cd_transform_identity();
        cd_hit h;
        memset(&o, 0, sizeof o);
        o.flags = CD_CAST_START_LEAVING;
        make_plain(&a, &movers[k / 4], 1);
        make_plain(&b, &floors[k % 4], 1);
        pose.position.z = k / 4 == 2 ? (cd_real)-1.5 : -1;
        test_note("mover %d, floor %d", k / 4, k % 4);
        CHECK(!cd_shape_sweep(&a.shape, cd_vec3_make(0, 0, 2), &b.shape, &pose, &o, &h, NULL));
        CHECK(!cd_shape_sweep(&a.shape, cd_vec3_make(1, 0, 1), &b.shape, &pose, &o, &h, NULL));
        CHECK(cd_shape_sweep(&a.shape, cd_vec3_make(0, 0, -1), &b.shape, &pose, &o, &h, NULL) && h.t == 0);
        CHECK(cd_shape_sweep(&a.shape, cd_vec3_make(0, 0, 2), &b.shape, &pose, NULL, &h, NULL) && h.t == 0);
        drop(&a);
        drop(&b);
        any_forget_meshes();
    }
}

/* A ray that begins beside a corner, by no more than a unit, does not meet its triangle, but one behind it. */
static void a_ray_from_beside_a_corner(void) {
    static const uint32_t index[6] = {0, 1, 2, 3, 4, 5};
    static const cd_vec3 corner[6] = {{0, -1, 1},   {-1, 1, -1}, {-1, -1, 2},
                                      {-2, -1, -2}, {-1, 2, -1}, {-1, -1, 1}};
    static store m;
    cd_mesh_view view = cd_mesh_view_make(corner, 6, index, 2);
    cd_shape point = cd_shape_of_point(corner[0]);
    cd_ray r = {{-1, 1, -1}, {-4, -3, 2}};
    any_scene s;
    r.origin.z = -cd_next_up(1);
    memset(&m, 0, sizeof m);
    CHECK_INT(cd_bvh_build_mesh(&m.tree, &view, NULL), CD_OK);
    any_know_mesh(&m.tree, &view);
    m.shape = cd_shape_of_mesh(&m.tree, NULL);
    any_scene_open(&s, &m.shape, &point, NULL, NULL);
    any_note(&s, "beside a corner");
    any_judge_ray(&s, &r, 1);
    any_scene_close(&s);
    drop(&m);
    any_forget_meshes();
}

/* ---- shapes of parts ---- */

static cd_bvh flat_heights(uint32_t columns, uint32_t rows, cd_real x, const uint8_t *materials) {
    static const cd_real zero[64];
    cd_height_view v;
    cd_bvh tree;
    memset(&v, 0, sizeof v);
    v.samples = zero;
    v.columns = columns;
    v.rows = rows;
    v.materials = materials;
    v.origin.x = x;
    CHECK_INT(cd_bvh_build_heights(&tree, &v, NULL), CD_OK);
    return tree;
}

/* Without parts there is nothing to meet. */
static void shapes_of_nothing(void) {
    static const uint8_t holes[4] = {CD_HEIGHT_HOLE, CD_HEIGHT_HOLE, CD_HEIGHT_HOLE, CD_HEIGHT_HOLE};
    cd_bvh empty, holed = flat_heights(3, 3, 0, holes);
    cd_compound none = cd_compound_of(NULL, 0);
    cd_shape shapes[3], ball = cd_shape_of_sphere((cd_sphere){{0, 0, 0}, 1});
    memset(&empty, 0, sizeof empty);
    shapes[0] = cd_shape_of_mesh(&empty, NULL);
    shapes[1] = cd_shape_of_heights(&holed);
    shapes[2] = cd_shape_of_compound(&none);
    for (int i = 0; i < 3; ++i) {
        CHECK(ASK("judge", cd_shape_is_valid(&shapes[i])));
        ask_both_ways("nothing", &shapes[i], &ball, NULL, 2);
        ask_all("nothing and nothing", &shapes[i], &shapes[(i + 1) % 3], NULL, 2);
    }
    cd_bvh_destroy(&holed);
}

static void one_child_a_million_away(void) {
    cd_shape ball = cd_shape_of_sphere((cd_sphere){{0, 0, 0}, 1}), all;
    cd_placed_shape child[2];
    cd_compound c;
    child[0].shape = child[1].shape = &ball;
    child[0].pose = child[1].pose = cd_transform_identity();
    child[1].pose.position.x = 1000000;
    for (int i = 0; i < 2; ++i) {
        cd_transform pose = cd_transform_identity();
        if (i) CHECK_INT(ASK("judge", cd_compound_build(&c, child, 2, NULL)), CD_OK);
        if (!i) c = ASK("judge", cd_compound_of(child, 2));
        all = cd_shape_of_compound(&c);
        pose.position.z = 3;
        ask_both_ways("a child far away", &all, &ball, &pose, 4);
        pose.position.x = 1000000;
        ask_both_ways("at the child far away", &all, &ball, &pose, 4);
        if (i) cd_compound_destroy(&c);
    }
}

/* Mirrored, and stretched by 1, 2, -3. */
static void scaled_parts(void) {
    static store mesh, tet;
    static const plain pyramid = {CD_SHAPE_MESH, 5, 0, {0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0}};
    static const plain corner = {CD_SHAPE_TETRAHEDRON, 0, 0, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}};
    cd_shape ball = cd_shape_of_sphere((cd_sphere){{0, 0, 0}, (cd_real)0.5}), scaled, all;
    cd_placed_shape child[2];
    cd_compound c;
    make_plain(&mesh, &pyramid, 1);
    make_plain(&tet, &corner, 1);
    for (int i = 0; i < 3; ++i) {
        cd_vec3 by = i == 0   ? cd_vec3_make(1, 2, -3)
                     : i == 1 ? cd_vec3_make(-1, -1, -1)
                              : cd_vec3_make(-1, 1, 1);
        cd_transform pose = cd_transform_identity();
        pose.position.z = (cd_real)0.75 - (cd_real)i;
        CHECK_INT(ASK("judge", cd_shape_scaled(&mesh.shape, by, &scaled)), CD_OK);
        ask_both_ways("a mesh, scaled", &scaled, &ball, &pose, 4);
        CHECK_INT(ASK("judge", cd_shape_scaled(&tet.shape, by, &scaled)), CD_OK);
        ask_both_ways("a tetrahedron, scaled", &scaled, &ball, &pose, 4);
        child[0].shape = &scaled;
        child[1].shape = &tet.shape;
        child[0].pose = child[1].pose = pose;
        child[1].pose.rotation = cd_quat_from_axis(cd_vec3_make(1, 1, 0), (cd_real)0.6, (cd_real)0.8);
        c = ASK("judge", cd_compound_of(child, 2));
        all = cd_shape_of_compound(&c);
        ask_both_ways("a compound with a scaled child", &all, &ball, &pose, 4);
        CHECK_INT(ASK("judge", cd_shape_scaled(&all, by, &all)), CD_OK);
        ask_both_ways("a compound, scaled as a whole", &all, &ball, NULL, 4);
    }
    drop(&mesh);
    any_forget_meshes();
}

/* ---- ghosts ---- */

static void no_ghosts(const char *name, const cd_shape *ground, const cd_shape *mover, double height) {
    test_note("%s", name);
    for (int i = -6; i <= 6; ++i)
        for (int j = -6; j <= 6; ++j) {
            cd_manifold m[16];
            cd_transform pose = cd_transform_identity();
            size_t count;
            pose.position = cd_vec3_make((cd_real)(2 + i * 0.125), (cd_real)(2 + j * 0.125), (cd_real)height);
            count = cd_shape_collide(ground, mover, &pose, NULL, NULL, m, 16);
            test_note("%s at %d, %d: %d manifolds", name, i, j, (int)count);
            CHECK(count >= 1 && count <= 16);
            for (size_t k = 0; k < count && k < 16; ++k) {
                test_note("%s at %d, %d", name, i, j);
                test_note_reals("normal", &m[k].normal.x, 3);
                CHECK((double)m[k].normal.z > 0.999999);
                CHECK_NEAR(m[k].points[0].distance, -0.015625, 2e-3);
            }
        }
}

/* A floor of many pieces is as one piece for what slides on it. */
static void floors_without_ghosts(void) {
    static store s, plate[2];
    static const plain movers[4] = {BALL, CUBE, ROD, TIN};
    static const plain floor_mesh = {
        CD_SHAPE_MESH, 8, 0, {2, 2, 0, 8, 2, 0, 8, 8, 0, -4, 8, 0, -4, 2, 0, -4, -4, 0, 8, -4, 0, 8, 2, 0}};
    static const plain block = {CD_SHAPE_AABB, 0, 0, {-4, -4, -1, 2, 8, 0}},
                       other = {CD_SHAPE_AABB, 0, 0, {2, -4, -1, 8, 8, 0}};
    cd_bvh field[2];
    cd_shape grounds[4], height[2];
    cd_placed_shape child[2], fields[2];
    cd_compound boxes, two;
    field[0] = flat_heights(3, 6, 0, NULL);
    field[1] = flat_heights(4, 6, 2, NULL);
    make_plain(&s, &floor_mesh, 1);
    make_plain(&plate[0], &block, 1);
    make_plain(&plate[1], &other, 1);
    for (int i = 0; i < 2; ++i) {
        child[i].shape = &plate[i].shape;
        height[i] = cd_shape_of_heights(&field[i]);
        fields[i].shape = &height[i];
        child[i].pose = fields[i].pose = cd_transform_identity();
    }
    boxes = cd_compound_of(child, 2);
    two = cd_compound_of(fields, 2);
    grounds[0] = s.shape;
    grounds[1] = cd_shape_of_compound(&boxes);
    grounds[2] = cd_shape_of_compound(&two);
    grounds[3] = height[1];
    for (int i = 0; i < 12; ++i) {
        static store mover;
        static const char *const names[3] = {"a mesh", "boxes side by side", "two height fields"};
        make_plain(&mover, &movers[i % 4], 1);
        no_ghosts(names[i / 4], &grounds[i / 4], &mover.shape, (i % 4 == 2 ? 1.5 : 1) - 0.015625);
    }
    drop(&s);
    cd_bvh_destroy(&field[0]);
    cd_bvh_destroy(&field[1]);
    any_forget_meshes();
}

/* ---- masks, materials, offsets ---- */

static void layers_are_passed_over(void) {
    cd_shape ball = cd_shape_of_sphere((cd_sphere){{0, 0, 0}, 1}), near, far, all;
    cd_placed_shape child[2];
    cd_compound c;
    cd_transform pose = cd_transform_identity();
    cd_shape_options o;
    any_scene s;
    memset(&o, 0, sizeof o);
    near = far = ball;
    near.layers = 1;
    far.layers = 2;
    child[0].shape = &near;
    child[1].shape = &far;
    child[0].pose = child[1].pose = cd_transform_identity();
    child[1].pose.position.x = -5;
    c = cd_compound_of(child, 2);
    all = cd_shape_of_compound(&c);
    pose.position.x = (cd_real)1.5;
    for (uint32_t mask = 0; mask < 4; ++mask) {
        o.ignore_b = mask;
        any_scene_open(&s, &ball, &all, &pose, &o);
        any_note(&s, "layers");
        any_judge_distance(&s);
        any_judge_closest(&s);
        any_judge_test(&s);
        any_judge_collide(&s);
        any_judge_sweep(&s, cd_vec3_make(-8, 0, 0));
        any_scene_close(&s);
    }
}

static void offsets_of_contacts(void) {
    static store a, b;
    static const plain cube = CUBE, ball = BALL;
    cd_transform pose = cd_transform_identity();
    for (int i = -2; i <= 2; ++i) {
        cd_manifold m;
        size_t count;
        make_plain(&a, &cube, 1);
        make_plain(&b, &ball, 1);
        a.shape.offset = (cd_real)(i * 0.25);
        b.shape.offset = (cd_real)0.125;
        pose.position.z = (cd_real)2.0625;
        count = cd_shape_collide(&a.shape, &b.shape, &pose, NULL, NULL, &m, 1);
        test_note("offset %d", i);
        CHECK_INT(count, i >= 0);
        if (!count) continue;
        CHECK_NEAR(m.points[0].distance, 0.0625 - 0.125 - i * 0.25, 1e-6);
        CHECK_NEAR(m.points[0].a.z, 1, 1e-6);
        CHECK_NEAR(m.points[0].b.z, 1.0625, 1e-6);
    }
}

/* ---- not valid ---- */

static void bad_numbers_are_told(void) {
    static store a;
    cd_shape ball = cd_shape_of_sphere((cd_sphere){{0, 0, 0}, 1});
    for (int i = 0; i < PAIR_CASES; ++i) {
        const pair_case *p = &pair_cases[i];
        if (p->a.type == CD_SHAPE_HULL || p->a.type == CD_SHAPE_MESH || p->a.type == CD_SHAPE_KDOP ||
            p->a.type == CD_SHAPE_SUPPORT)
            continue;
        for (int k = 0; k < 3; ++k) {
            cd_separation r;
            cd_ray ray;
            cd_hit h;
            cd_vec3 at;
            cd_mass mass;
            make_plain(&a, &p->a, 1);
            if (k == 0 && p->a.type != CD_SHAPE_POLYGON) *(cd_real *)(void *)&a.shape.u = (cd_real)NAN;
            if (k == 0 && p->a.type == CD_SHAPE_POLYGON) a.corners[0].x = (cd_real)NAN;
            if (k == 1) a.shape.radius = -1;
            if (k == 2) a.shape.scale = cd_vec3_make(1, 0, 1);
            test_note("%s, spoiled %d", p->name, k);
            CHECK(!ASK("bad", cd_shape_is_valid(&a.shape)));
            r = cd_shape_distance(&a.shape, &ball, NULL, NULL, NULL, NULL);
            CHECK_INT(r.status, CD_INVALID_ARGUMENT);
            r = cd_shape_distance(&ball, &a.shape, NULL, NULL, NULL, NULL);
            CHECK_INT(r.status, CD_INVALID_ARGUMENT);
            CHECK(!cd_shape_closest(&a.shape, &ball, NULL, NULL, NULL, NULL));
            CHECK(!cd_shape_test(&ball, &a.shape, NULL, NULL, NULL, NULL));
            CHECK_INT(cd_shape_collide(&a.shape, &ball, NULL, NULL, NULL, NULL, 0), 0);
            CHECK(!cd_shape_sweep(&ball, cd_vec3_make(1, 0, 0), &a.shape, NULL, NULL, &h, NULL));
            ray.origin = cd_vec3_make(9, 0, 0);
            ray.dir = cd_vec3_make(-1, 0, 0);
            CHECK(!cd_shape_cast_ray(&a.shape, &ray, 99, NULL, &h, NULL));
            CHECK(!cd_shape_support(&a.shape, ray.dir, &at));
            CHECK(cd_aabb_is_empty(cd_shape_aabb(&a.shape, NULL)));
            CHECK(cd_shape_mass(&a.shape, 1, &mass) != CD_OK);
            drop(&a);
        }
    }
}

void suite_any_hard(void) {
    RUN(named_pairs);
    RUN(named_pairs_tiny_and_huge);
    RUN(named_pairs_at_1e_30);
    RUN(named_pairs_far_away);
    RUN(swapped_and_in_other_units);
    RUN(steps_through_touching);
    RUN(sweeps_to_large_targets);
    RUN(leaving_is_not_a_hit);
    RUN(a_ray_from_beside_a_corner);
    RUN(shapes_of_nothing);
    RUN(one_child_a_million_away);
    RUN(scaled_parts);
    RUN(floors_without_ghosts);
    RUN(layers_are_passed_over);
    RUN(offsets_of_contacts);
    RUN(bad_numbers_are_told);
}
