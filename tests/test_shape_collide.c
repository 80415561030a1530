#include "gen.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- floors: the square [0, 8]^2 at height 0, of many parts ---- */

enum {
    FLOOR_GRID,      /* a mesh, its diagonals and inner vertices at random */
    FLOOR_STRIPS,    /* a mesh whose rows are cut differently: corners on edges */
    FLOOR_FAN,       /* needles around the middle */
    FLOOR_HEIGHTS,   /* a height field */
    FLOOR_TRIANGLES, /* separate triangles in a compound */
    FLOOR_MESHES,    /* separate meshes side by side, of different grids */
    FLOOR_BOXES,     /* boxes side by side, each posed */
    FLOOR_HULLS,     /* prisms side by side */
    FLOOR_KINDS
};
enum { FLOOR_PIECES = 256, FLOOR_VERTICES = 400, FLOOR_INDICES = 3000 };
#define FLOOR_SIDE 8.0

static const char *const floor_names[FLOOR_KINDS] = {"grid",      "strips", "fan",   "heights",
                                                     "triangles", "meshes", "boxes", "hulls"};

typedef struct scene {
    int kind;
    cd_shape floor;
    cd_bvh tree[16];
    int trees;
    cd_hull hull[2];
    int hulls;
    cd_shape shape[FLOOR_PIECES];
    cd_placed_shape placed[FLOOR_PIECES];
    cd_compound compound;
    int pieces;
    cd_vec3 vertices[FLOOR_VERTICES];
    uint32_t vertex_count, indices[FLOOR_INDICES], index_count;
} scene;

static cd_vec3 at(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static cd_transform placed_at(double x, double y, double z) {
    cd_transform t = cd_transform_identity();
    t.position = at(x, y, z);
    return t;
}

static uint32_t scene_vertex(scene *s, double x, double y) {
    s->vertices[s->vertex_count] = at(x, y, 0);
    return s->vertex_count++;
}

static void scene_triangle(scene *s, uint32_t a, uint32_t b, uint32_t c) {
    s->indices[s->index_count++] = a;
    s->indices[s->index_count++] = b;
    s->indices[s->index_count++] = c;
}

static void scene_quad(scene *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool turned) {
    scene_triangle(s, a, b, turned ? d : c);
    scene_triangle(s, turned ? b : a, c, d);
}

/* n by n cells over a square. */
static void scene_grid(scene *s, test_rng *rng, int n, double x0, double y0, double side, double jitter) {
    uint32_t first = s->vertex_count;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            bool inner = i > 0 && j > 0 && i < n && j < n;
            double dx = test_range(rng, -jitter, jitter), dy = test_range(rng, -jitter, jitter);
            scene_vertex(s, x0 + (i + (inner ? dx : 0)) * side / n, y0 + (j + (inner ? dy : 0)) * side / n);
        }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            uint32_t a = first + (uint32_t)(j * (n + 1) + i), d = a + (uint32_t)n + 1;
            scene_quad(s, a, a + 1, d + 1, d, test_int(rng, 0, 1) == 1);
        }
}

static void scene_strips(scene *s, test_rng *rng) {
    for (int j = 0; j < 8; ++j) {
        int n = test_int(rng, 1, 9);
        for (int i = 0; i < n; ++i) {
            double x = FLOOR_SIDE * i / n, w = FLOOR_SIDE * (i + 1) / n;
            uint32_t a = scene_vertex(s, x, j), b = scene_vertex(s, w, j);
            uint32_t c = scene_vertex(s, w, j + 1), d = scene_vertex(s, x, j + 1);
            scene_quad(s, a, b, c, d, test_int(rng, 0, 1) == 1);
        }
    }
}

/* Around the rim of the square, which is cut in n pieces a side. */
static void scene_fan(scene *s, int n) {
    uint32_t middle = scene_vertex(s, FLOOR_SIDE / 2 + 0.125, FLOOR_SIDE / 2 - 0.25), first = s->vertex_count;
    for (int side = 0; side < 4; ++side)
        for (int i = 0; i < n; ++i) {
            double t = FLOOR_SIDE * i / n, x = side == 0 ? t : side == 1 ? FLOOR_SIDE : side == 2 ? FLOOR_SIDE - t : 0;
            double y = side == 1 ? t : side == 2 ? FLOOR_SIDE : side == 3 ? FLOOR_SIDE - t : 0;
            scene_vertex(s, x, y);
        }
    for (uint32_t i = 0; i < 4 * (uint32_t)n; ++i)
        scene_triangle(s, middle, first + i, first + (i + 1) % (4 * (uint32_t)n));
}

static cd_bvh *scene_tree(scene *s) {
    cd_mesh_view view = cd_mesh_view_make(s->vertices, s->vertex_count, s->indices, s->index_count / 3);
    CHECK(cd_bvh_build_mesh(&s->tree[s->trees], &view, NULL) == CD_OK);
    s->vertex_count = s->index_count = 0;
    return &s->tree[s->trees++];
}

static cd_shape *scene_piece(scene *s, cd_shape shape, cd_transform pose) {
    int i = s->pieces++;
    s->shape[i] = shape;
    s->placed[i].shape = &s->shape[i];
    s->placed[i].pose = pose;
    return &s->shape[i];
}

static void scene_heights(scene *s) {
    static float zero[17 * 17];
    cd_height_view v;
    memset(&v, 0, sizeof v);
    v.samples = zero;
    v.format = CD_HEIGHT_F32;
    v.columns = v.rows = 17;
    v.spacing[0] = v.spacing[1] = (cd_real)0.5;
    v.cut = CD_HEIGHT_CUT_DIAMOND;
    CHECK(cd_bvh_build_heights(&s->tree[s->trees], &v, NULL) == CD_OK);
    s->floor = cd_shape_of_heights(&s->tree[s->trees++]);
}

static void scene_triangles(scene *s, test_rng *rng) {
    scene_grid(s, rng, 8, 0, 0, FLOOR_SIDE, 0.3);
    for (uint32_t i = 0; i < s->index_count; i += 3) {
        cd_triangle t;
        t.a = s->vertices[s->indices[i]];
        t.b = s->vertices[s->indices[i + 1]];
        t.c = s->vertices[s->indices[i + 2]];
        scene_piece(s, cd_shape_of_triangle(&t), cd_transform_identity());
    }
}

static void scene_meshes(scene *s, test_rng *rng) {
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
            s->vertex_count = s->index_count = 0;
            scene_grid(s, rng, test_int(rng, 1, 4), 0, 0, 2, 0.2);
            scene_piece(s, cd_shape_of_mesh(scene_tree(s), NULL), placed_at(2 * i, 2 * j, 0));
        }
}

static void scene_boxes(scene *s) {
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) {
            cd_aabb box;
            box.min = at(-0.5, -0.5, -0.5);
            box.max = at(0.5, 0.5, 0.5);
            scene_piece(s, cd_shape_of_aabb(box), placed_at(i + 0.5, j + 0.5, -0.5));
        }
}

static void scene_hulls(scene *s) {
    cd_vec3 corner[6];
    for (int half = 0; half < 2; ++half) {
        for (int k = 0; k < 6; ++k) {
            double x = k % 3 == 0 ? half : k % 3 == 1 ? 1 - half : half, y = k % 3 == 2 ? 1 - half : half;
            corner[k] = at(x, y, k < 3 ? -0.75 : 0);
        }
        CHECK(cd_hull3_build(&s->hull[half], corner, 6, NULL) == CD_OK);
    }
    s->hulls = 2;
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i)
            for (int half = 0; half < 2; ++half)
                scene_piece(s, cd_shape_of_hull(&s->hull[half]), placed_at(i, j, 0));
}

static void scene_open(scene *s, int kind, test_rng *rng) {
    memset(s, 0, sizeof *s);
    s->kind = kind;
    switch (kind) {
    case FLOOR_GRID: scene_grid(s, rng, 14, 0, 0, FLOOR_SIDE, 0.35); break;
    case FLOOR_STRIPS: scene_strips(s, rng); break;
    case FLOOR_FAN: scene_fan(s, 12); break;
    case FLOOR_HEIGHTS: scene_heights(s); break;
    case FLOOR_TRIANGLES: scene_triangles(s, rng); break;
    case FLOOR_MESHES: scene_meshes(s, rng); break;
    case FLOOR_BOXES: scene_boxes(s); break;
    default: scene_hulls(s); break;
    }
    if (kind <= FLOOR_FAN) s->floor = cd_shape_of_mesh(scene_tree(s), NULL);
    if (kind >= FLOOR_TRIANGLES) {
        s->compound = cd_compound_of(s->placed, (uint32_t)s->pieces);
        s->floor = cd_shape_of_compound(&s->compound);
    }
}

static void scene_close(scene *s) {
    for (int i = 0; i < s->trees; ++i) cd_bvh_destroy(&s->tree[i]);
    for (int i = 0; i < s->hulls; ++i) cd_hull_destroy(&s->hull[i]);
}

/* ---- bodies ---- */

enum { BODY_BOX, BODY_SPHERE, BODY_CAPSULE, BODY_HULL, BODY_KINDS };

/* A body about the origin; what of it can bear it: corners, or middles of balls. */
typedef struct body {
    cd_shape shape;
    cd_hull hull;
    cd_vec3 foot[8];
    int feet;
    double radius, area; /* of the feet's polygon */
} body;

static void body_box(body *b, test_rng *rng) {
    cd_aabb box;
    double x = test_range(rng, 0.3, 0.9), y = test_range(rng, 0.3, 0.9), z = test_range(rng, 0.3, 0.9);
    box.min = at(-x, -y, -z);
    box.max = at(x, y, z);
    b->shape = cd_shape_of_aabb(box);
    for (int k = 0; k < 4; ++k) b->foot[k] = cd_vec3_make(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, box.min.z);
    b->feet = 4;
    b->area = ((double)box.max.x - (double)box.min.x) * ((double)box.max.y - (double)box.min.y);
}

static void body_capsule(body *b, test_rng *rng) {
    cd_capsule c;
    double x = test_range(rng, 0.3, 0.9);
    c.a = at(-x, 0, 0);
    c.b = at(x, 0, 0);
    c.radius = (cd_real)test_range(rng, 0.2, 0.6);
    b->shape = cd_shape_of_capsule(&c);
    b->foot[0] = c.a;
    b->foot[1] = c.b;
    b->feet = 2;
    b->radius = (double)c.radius;
}

/* A hexagonal frustum, its smaller face below. */
static void body_hull(body *b, test_rng *rng) {
    cd_vec3 p[12];
    double r = test_range(rng, 0.3, 0.8), h = test_range(rng, 0.3, 0.8), low = test_range(rng, 0.5, 0.95);
    for (int k = 0; k < 12; ++k) {
        double a = 3.14159265358979 / 3 * (k % 6), w = k < 6 ? low * r : r;
        p[k] = at(w * cos(a), w * sin(a), k < 6 ? -h : h);
    }
    CHECK(cd_hull3_build(&b->hull, p, 12, NULL) == CD_OK);
    b->shape = cd_shape_of_hull(&b->hull);
    b->feet = 6;
    for (int k = 0; k < 6; ++k) b->foot[k] = p[k];
    b->area = 1.5 * sqrt(3.0) * low * r * low * r;
}

static void body_open(body *b, int kind, test_rng *rng) {
    cd_sphere s;
    memset(b, 0, sizeof *b);
    switch (kind) {
    case BODY_BOX: body_box(b, rng); return;
    case BODY_CAPSULE: body_capsule(b, rng); return;
    case BODY_HULL: body_hull(b, rng); return;
    default: break;
    }
    s.center = at(0, 0, 0);
    s.radius = (cd_real)test_range(rng, 0.3, 0.9);
    b->shape = cd_shape_of_sphere(s);
    b->feet = 1;
    b->radius = (double)s.radius;
}

static void body_close(body *b) {
    cd_hull_destroy(&b->hull);
}

/* ---- what comes of it ---- */

enum { HEARD = 600 };

typedef struct heard {
    int count;
    cd_manifold head[HEARD];
    cd_contact point[HEARD];
} heard;

static bool hear(void *user, const cd_manifold *head, const cd_contact *point) {
    heard *h = (heard *)user;
    if (!CHECK(h->count < HEARD)) return false;
    h->head[h->count] = *head;
    h->point[h->count++] = *point;
    return true;
}

/* A body over a floor; `up` is the floor's in the frame of the answers. */
typedef struct stand {
    const scene *s;
    const body *b;
    cd_transform body, floor_in_body; /* poses: of the body in the floor's frame, and back */
    cd_shape_options options;
    bool swapped;
} stand;

static cd_vec3 stand_up(const stand *t) {
    cd_vec3 z = at(0, 0, 1);
    return t->swapped ? z : cd_transform_vector(&t->floor_in_body, z);
}

/* A point of the answers in the floor's frame. */
static cd_vec3 stand_point(const stand *t, cd_vec3 p) {
    return t->swapped ? p : cd_transform_point(&t->body, p);
}

static size_t stand_collide(const stand *t, cd_manifold *out, size_t capacity) {
    if (t->swapped) return cd_shape_collide(&t->s->floor, &t->b->shape, &t->body, &t->options, NULL, out, capacity);
    return cd_shape_collide(&t->b->shape, &t->s->floor, &t->floor_in_body, &t->options, NULL, out, capacity);
}

static void stand_hear(const stand *t, heard *h) {
    size_t told;
    h->count = 0;
    if (t->swapped) {
        told = cd_shape_collide_all(&t->s->floor, &t->b->shape, &t->body, &t->options, hear, h);
    } else {
        told = cd_shape_collide_all(&t->b->shape, &t->s->floor, &t->floor_in_body, &t->options, hear, h);
    }
    CHECK_INT(told, h->count);
}

static bool near_to(cd_vec3 a, cd_vec3 b, double most) {
    return fabs((double)a.x - (double)b.x) <= most && fabs((double)a.y - (double)b.y) <= most && fabs((double)a.z - (double)b.z) <= most;
}

static double close_enough(void) {
    return sizeof(cd_real) == 4 ? 4e-5 : 1e-7;
}

static bool normal_is_floors(const stand *t, cd_vec3 normal) {
    cd_vec3 up = stand_up(t), want = t->swapped ? up : cd_vec3_neg(up);
    return near_to(normal, want, 1e-4);
}

/* One point: on both surfaces, and no farther apart or deeper than it may be. */
static void check_point(const stand *t, const cd_manifold *head, const cd_contact *c, double lowest) {
    cd_vec3 on_body = stand_point(t, t->swapped ? c->b : c->a), on_floor = stand_point(t, t->swapped ? c->a : c->b);
    if (!CHECK(normal_is_floors(t, head->normal)) && getenv("SHOW")) printf("  n %g %g %g at %g %g %g  d %g  child %u %u index %u %u\n", (double)head->normal.x, (double)head->normal.y, (double)head->normal.z, (double)on_floor.x, (double)on_floor.y, (double)on_floor.z, (double)c->distance, head->part_a.child, head->part_b.child, head->part_a.index, head->part_b.index);
    CHECK_NEAR(on_floor.z, 0, close_enough());
    CHECK_NEAR(on_body.z, c->distance, close_enough());
    CHECK_NEAR(on_body.x, on_floor.x, 3e-4);
    CHECK_NEAR(on_body.y, on_floor.y, 3e-4);
    CHECK((double)c->distance <= (double)t->options.margin + close_enough());
    CHECK((double)c->distance >= lowest - close_enough());
    CHECK(fabs((double)on_floor.x - FLOOR_SIDE / 2) <= FLOOR_SIDE / 2 + 1e-4 && fabs((double)on_floor.y - FLOOR_SIDE / 2) <= FLOOR_SIDE / 2 + 1e-4);
}

/* Every foot that is near enough has to be among the points. */
static double check_feet(const stand *t, const heard *h, double depth) {
    double lowest = 1e9;
    for (int k = 0; k < t->b->feet; ++k) {
        cd_vec3 p = cd_transform_point(&t->body, t->b->foot[k]);
        bool found = false;
        p.z = (cd_real)((double)p.z - t->b->radius);
        if (t->b->feet == 2 && (double)p.z > -depth + close_enough()) continue;
        if ((double)p.z < lowest) lowest = (double)p.z;
        if ((double)p.z > (double)t->options.margin - close_enough()) continue;
        for (int i = 0; i < h->count && !found; ++i)
            found = near_to(stand_point(t, t->swapped ? h->point[i].b : h->point[i].a), p, 0.06);
        CHECK(found);
    }
    return lowest;
}

static void check_stand(const stand *t, double depth) {
    static heard h;
    double lowest, deepest = 1e9;
    stand_hear(t, &h);
    lowest = check_feet(t, &h, depth);
    for (int i = 0; i < h.count; ++i) {
        check_point(t, &h.head[i], &h.point[i], lowest);
        if ((double)h.point[i].distance < deepest) deepest = (double)h.point[i].distance;
    }
    CHECK_NEAR(deepest, lowest, t->b->feet == 2 ? 3e-4 : close_enough());
}

/* Twice the area of the triangle of three points on the floor. */
static double across(cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) - ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
}

/* The largest polygon of up to four points. */
static double area_of(const stand *t, const cd_manifold *m) {
    static const int order[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
    double most = 0;
    cd_vec3 p[4];
    for (uint32_t i = 0; i < m->count; ++i) p[i] = stand_point(t, m->points[i].a);
    if (m->count == 3) return fabs(across(p[0], p[1], p[2])) / 2;
    for (int k = 0; k < 3 && m->count == 4; ++k) {
        const int *o = order[k];
        double area = fabs(across(p[o[0]], p[o[1]], p[o[2]]) + across(p[o[0]], p[o[2]], p[o[3]])) / 2;
        if (area > most) most = area;
    }
    return most;
}

/* Joined: one manifold where the floor is one shape; what it bears on is as large as what of the body can bear it. */
static void check_joined(const stand *t, bool flat) {
    cd_manifold m[64];
    size_t count = stand_collide(t, m, 64);
    bool one = t->s->kind <= FLOOR_HEIGHTS;
    CHECK(count >= 1 && count <= 64);
    if (one) CHECK_INT(count, 1);
    for (size_t i = 0; i < count && i < 64; ++i) {
        CHECK(normal_is_floors(t, m[i].normal));
        CHECK(m[i].count >= 1 && m[i].count <= 4);
    }
    if (!one || !flat || count != 1) return;
    if (t->b->feet == 4) CHECK(area_of(t, &m[0]) > 0.99 * t->b->area);
    if (t->b->feet == 6) CHECK(area_of(t, &m[0]) > 0.6 * t->b->area);
}

/* ---- sliding over flat floors ---- */

static double lowest_of(const body *b, const cd_transform *pose) {
    double least = 1e9;
    for (int k = 0; k < b->feet; ++k) {
        cd_vec3 p = cd_transform_point(pose, b->foot[k]);
        if ((double)p.z - b->radius < least) least = (double)p.z - b->radius;
    }
    return least;
}

/* A turn about the vertical, now and then a multiple of an eighth; and a small tilt. */
static cd_quat heading_of(test_rng *rng, double tilt) {
    double a = test_range(rng, -3.14, 3.14), up = test_range(rng, -tilt, tilt), side = test_range(rng, -3.14, 3.14);
    cd_quat turn, lean;
    if (test_int(rng, 0, 3) == 0) a = 0.785398163397448 * test_int(rng, 0, 7);
    turn = cd_quat_from_axis_angle(at(0, 0, 1), (cd_real)a);
    lean = cd_quat_from_axis_angle(at(cos(side), sin(side), 0), (cd_real)up);
    return cd_quat_mul(lean, turn);
}

static void stand_place(stand *t, double x, double y, double depth) {
    t->body.position = at(x, y, 0);
    t->body.position = at(x, y, -depth - lowest_of(t->b, &t->body));
    t->floor_in_body = cd_transform_inverse(&t->body);
}

/* In a straight line over the floor, in uneven steps; places on the lines of the grid among them. */
static void slide(stand *t, test_rng *rng, double depth, bool flat) {
    double x = test_range(rng, 2, 6), y = test_range(rng, 2, 6), a = test_range(rng, -3.14, 3.14), step = test_range(rng, 0.02, 0.3);
    bool even = test_int(rng, 0, 3) == 0;
    if (even) {
        x = floor(4 * x) / 4;
        y = floor(4 * y) / 4;
        a = 1.5707963267948966 * test_int(rng, 0, 3);
        step = 0.125;
    }
    while (x > 1.6 && x < FLOOR_SIDE - 1.6 && y > 1.6 && y < FLOOR_SIDE - 1.6) {
        test_note("%s on %s, depth %g, margin %g, swapped %d, flat %d", t->b->feet == 1 ? "sphere" : t->b->feet == 2 ? "capsule" : t->b->feet == 4 ? "box" : "hull",
                  floor_names[t->s->kind], depth, (double)t->options.margin, t->swapped, flat);
        stand_place(t, x, y, depth);
        test_note_reals("pose", REALS(t->body), 7);
        check_stand(t, depth);
        check_joined(t, flat);
        x += step * cos(a);
        y += step * sin(a);
    }
}

static void slides_on(int kind, long times) {
    test_rng rng = test_random();
    for (long n = 0; n < times; ++n) {
        static scene s;
        scene_open(&s, kind, &rng);
        for (int k = 0; k < BODY_KINDS; ++k) {
            static const double depths[4] = {0, 1e-3, 0.05, 0.2};
            body b;
            stand t;
            bool flat = test_int(&rng, 0, 2) > 0;
            double depth = depths[test_int(&rng, 0, 3)];
            memset(&t, 0, sizeof t);
            body_open(&b, k, &rng);
            t.s = &s;
            t.b = &b;
            t.body = cd_transform_identity();
            t.body.rotation = heading_of(&rng, flat ? 0 : 0.15);
            t.options.margin = (cd_real)(test_int(&rng, 0, 1) ? 0.02 : 0.0001);
            t.swapped = test_int(&rng, 0, 2) == 0;
            slide(&t, &rng, depth, flat);
            body_close(&b);
        }
        scene_close(&s);
    }
}

static void sliding_on_a_mesh(void) {
    slides_on(FLOOR_GRID, test_times(60));
}
static void sliding_on_corners_at_edges(void) {
    slides_on(FLOOR_STRIPS, test_times(60));
}
static void sliding_on_a_fan(void) {
    slides_on(FLOOR_FAN, test_times(60));
}
static void sliding_on_a_height_field(void) {
    slides_on(FLOOR_HEIGHTS, test_times(60));
}
static void sliding_on_separate_triangles(void) {
    slides_on(FLOOR_TRIANGLES, test_times(60));
}
static void sliding_on_separate_meshes(void) {
    slides_on(FLOOR_MESHES, test_times(60));
}
static void sliding_on_boxes(void) {
    slides_on(FLOOR_BOXES, test_times(60));
}
static void sliding_on_hulls(void) {
    slides_on(FLOOR_HULLS, test_times(60));
}

void suite_shape_collide(void) {
    RUN(sliding_on_a_mesh);
    RUN(sliding_on_corners_at_edges);
    RUN(sliding_on_a_fan);
    RUN(sliding_on_a_height_field);
    RUN(sliding_on_separate_triangles);
    RUN(sliding_on_separate_meshes);
    RUN(sliding_on_boxes);
    RUN(sliding_on_hulls);
}
