#include "gen.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- floors: the square [0, 8]^2 at height 0, of many parts ---- */

enum {
    FLOOR_GRID,      /* a mesh, its diagonals and inner vertices at random */
    FLOOR_STRIPS,    /* a mesh whose rows are cut differently: corners on edges */
    FLOOR_FAN,       /* needles around the middle */
    FLOOR_SOLIDS,    /* a mesh of the faces of boxes side by side: with walls inside */
    FLOOR_HEIGHTS,   /* a height field */
    FLOOR_TRIANGLES, /* separate triangles in a compound */
    FLOOR_MESHES,    /* separate meshes side by side, of different grids */
    FLOOR_BOXES,     /* boxes side by side, each posed */
    FLOOR_HULLS,     /* prisms side by side */
    FLOOR_KINDS
};
enum { FLOOR_PIECES = 256, FLOOR_VERTICES = 400, FLOOR_INDICES = 3000 };
#define FLOOR_SIDE 8.0

static const char *const floor_names[FLOOR_KINDS] = {"grid",      "strips", "fan",   "solids", "heights",
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
            double t = FLOOR_SIDE * i / n, x = side == 0   ? t
                                               : side == 1 ? FLOOR_SIDE
                                               : side == 2 ? FLOOR_SIDE - t
                                                           : 0;
            double y = side == 1 ? t : side == 2 ? FLOOR_SIDE : side == 3 ? FLOOR_SIDE - t : 0;
            scene_vertex(s, x, y);
        }
    for (uint32_t i = 0; i < 4 * (uint32_t)n; ++i)
        scene_triangle(s, middle, first + i, first + (i + 1) % (4 * (uint32_t)n));
}

static void scene_solid(scene *s, test_rng *rng, double x0, double y0, double x1, double y1) {
    static const uint32_t face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    uint32_t first = s->vertex_count;
    double thick = test_range(rng, 0.5, 1);
    for (int k = 0; k < 8; ++k) {
        scene_vertex(s, k & 1 ? x1 : x0, k & 2 ? y1 : y0);
        if (!(k & 4)) s->vertices[s->vertex_count - 1].z = (cd_real)-thick;
    }
    for (int k = 0; k < 6; ++k)
        scene_quad(s, first + face[k][0], first + face[k][1], first + face[k][2], first + face[k][3],
                   test_int(rng, 0, 1) == 1);
}

static void scene_solids(scene *s, test_rng *rng) {
    for (int j = 0; j < 5; ++j) {
        int n = test_int(rng, 1, 9);
        for (int i = 0; i < n; ++i)
            scene_solid(s, rng, FLOOR_SIDE * i / n, FLOOR_SIDE * j / 5, FLOOR_SIDE * (i + 1) / n,
                        FLOOR_SIDE * (j + 1) / 5);
    }
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
    case FLOOR_SOLIDS: scene_solids(s, rng); break;
    case FLOOR_HEIGHTS: scene_heights(s); break;
    case FLOOR_TRIANGLES: scene_triangles(s, rng); break;
    case FLOOR_MESHES: scene_meshes(s, rng); break;
    case FLOOR_BOXES: scene_boxes(s); break;
    default: scene_hulls(s); break;
    }
    if (kind <= FLOOR_SOLIDS) s->floor = cd_shape_of_mesh(scene_tree(s), NULL);
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
    for (int k = 0; k < 4; ++k)
        b->foot[k] = cd_vec3_make(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, box.min.z);
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
    if (t->swapped)
        return cd_shape_collide(&t->s->floor, &t->b->shape, &t->body, &t->options, NULL, out, capacity);
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
    return fabs((double)a.x - (double)b.x) <= most && fabs((double)a.y - (double)b.y) <= most &&
           fabs((double)a.z - (double)b.z) <= most;
}

static double close_enough(void) {
    return sizeof(cd_real) == 4 ? 4e-5 : 1e-7;
}

/* An edge between two triangles is level as far as the neighbour's farthest corner rises by no more than an angle of 1e-5. Of the fan's needles
 * that is seen from the edge at a sine of 0.0849 at least, and the normal may lean about the edge by as much more. */
static bool normal_is_floors(const stand *t, cd_vec3 normal) {
    cd_vec3 up = stand_up(t), want = t->swapped ? up : cd_vec3_neg(up);
    return near_to(normal, want, t->s && t->s->kind == FLOOR_FAN ? 1e-5 / 0.0849 : 1e-4);
}

/* Of an edge that is nearly level some points are told that are a little lower: walls inside a floor have such, their diagonals. */
static double level_enough(const stand *t) {
    return t->s->kind == FLOOR_SOLIDS ? 1e-3 : close_enough();
}

/* One point: on both surfaces, and no farther apart or deeper than it may be. */
static void check_point(const stand *t, const cd_manifold *head, const cd_contact *c, double lowest) {
    cd_vec3 on_body = stand_point(t, t->swapped ? c->b : c->a),
            on_floor = stand_point(t, t->swapped ? c->a : c->b);
    CHECK(normal_is_floors(t, head->normal));
    CHECK((double)on_floor.z < close_enough() && (double)on_floor.z > -level_enough(t));
    CHECK_NEAR((double)on_body.z - (double)on_floor.z, c->distance, close_enough());
    CHECK_NEAR(on_body.x, on_floor.x, 3e-4);
    CHECK_NEAR(on_body.y, on_floor.y, 3e-4);
    CHECK((double)c->distance <= (double)t->options.margin + close_enough());
    CHECK((double)c->distance >= lowest - close_enough());
    CHECK(fabs((double)on_floor.x - FLOOR_SIDE / 2) <= FLOOR_SIDE / 2 + 1e-4 &&
          fabs((double)on_floor.y - FLOOR_SIDE / 2) <= FLOOR_SIDE / 2 + 1e-4);
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
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
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
    if (t->b->feet == 4) CHECK(area_of(t, &m[0]) > 0.93 * t->b->area);
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
    double a = test_range(rng, -3.14, 3.14), up = test_range(rng, -tilt, tilt),
           side = test_range(rng, -3.14, 3.14);
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
    double x = test_range(rng, 2, 6), y = test_range(rng, 2, 6), a = test_range(rng, -3.14, 3.14),
           step = test_range(rng, 0.06, 0.4);
    bool even = test_int(rng, 0, 3) == 0;
    if (even) {
        x = floor(4 * x) / 4;
        y = floor(4 * y) / 4;
        a = 1.5707963267948966 * test_int(rng, 0, 3);
        step = 0.125;
    }
    while (x > 1.6 && x < FLOOR_SIDE - 1.6 && y > 1.6 && y < FLOOR_SIDE - 1.6) {
        test_note("%s on %s, depth %g, margin %g, swapped %d, flat %d",
                  t->b->feet == 1   ? "sphere"
                  : t->b->feet == 2 ? "capsule"
                  : t->b->feet == 4 ? "box"
                                    : "hull",
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
    slides_on(FLOOR_GRID, test_times(40));
}
static void sliding_on_corners_at_edges(void) {
    slides_on(FLOOR_STRIPS, test_times(40));
}
static void sliding_on_a_fan(void) {
    slides_on(FLOOR_FAN, test_times(40));
}
static void sliding_on_faces_of_boxes(void) {
    slides_on(FLOOR_SOLIDS, test_times(40));
}
static void sliding_on_a_height_field(void) {
    slides_on(FLOOR_HEIGHTS, test_times(40));
}
static void sliding_on_separate_triangles(void) {
    slides_on(FLOOR_TRIANGLES, test_times(12));
}
static void sliding_on_separate_meshes(void) {
    slides_on(FLOOR_MESHES, test_times(40));
}
static void sliding_on_boxes(void) {
    slides_on(FLOOR_BOXES, test_times(40));
}
static void sliding_on_hulls(void) {
    slides_on(FLOOR_HULLS, test_times(20));
}

/* Where a scene is: its scale, turned so that x, y, z are y, z, x, moved up. */
typedef struct place {
    double scale, raised;
    bool turned;
} place;

static cd_vec3 place_vector(const place *p, cd_vec3 v) {
    return p->turned ? cd_vec3_make(v.z, v.x, v.y) : v;
}

static void scene_move(scene *s, const place *p) {
    for (uint32_t i = 0; i < s->vertex_count; ++i) {
        cd_vec3 v = cd_vec3_scale(s->vertices[i], (cd_real)p->scale);
        v.z += (cd_real)p->raised;
        s->vertices[i] = place_vector(p, v);
    }
}

static cd_transform pose_move(cd_transform pose, const place *p) {
    cd_transform by = placed_at(0, 0, 0);
    if (p->turned) by.rotation.x = by.rotation.y = by.rotation.z = by.rotation.w = (cd_real)0.5;
    pose.position = cd_vec3_scale(pose.position, (cd_real)p->scale);
    pose.position.z += (cd_real)p->raised;
    return cd_transform_mul(&by, &pose);
}

/* One manifold with the floor's normal, of points all as deep, the floor first and last. */
static void check_stands(const cd_shape *floor, const cd_shape *body, const cd_transform *pose,
                         const cd_shape_options *o, const place *p, double depth) {
    cd_transform back = cd_transform_inverse(pose);
    for (int swapped = 0; swapped < 2; ++swapped) {
        cd_manifold m[8];
        size_t count = swapped ? cd_shape_collide(body, floor, &back, o, NULL, m, 8)
                               : cd_shape_collide(floor, body, pose, o, NULL, m, 8);
        test_note("swapped %d", swapped);
        CHECK_INT(count, 1);
        if (count == 0) continue;
        if (swapped) m[0].normal = cd_vec3_neg(cd_quat_rotate(pose->rotation, m[0].normal));
        CHECK(near_to(m[0].normal, place_vector(p, at(0, 0, 1)), 1e-6));
        for (uint32_t i = 0; i < m[0].count; ++i)
            CHECK_NEAR(m[0].points[i].distance, -depth * p->scale, 2e-4 * p->scale);
        if (count == 1) CHECK_INT(m[0].count, body->type == CD_SHAPE_CAPSULE ? m[0].count : 4u);
    }
}

/* Four boxes side by side as one mesh, and what stands on them a little deep over the walls inside: a crate pushed sideways as far as it is long, cans at
 * their rims. What lies on them near their corners, over the diagonals of walls. At several scales, turned, away from the origin. */
static void walls_under_a_floor(void) {
    static const struct {
        double x, y, z, turn_z, turn_w, margin;
        uint32_t flags;
        int body; /* crate, can, bar */
    } stands[9] = {{0.5, -0.5, 0.280718774, 0.00225162623, 0.999997437, 0, CD_SHAPE_ONE_SIDED, 0},
                   {0.5, -0.5, 0.291, 0, 1, 0.03, 0, 0},
                   {0.495, -0.8, 0.2995, 0, 1, 0, 0, 0},
                   {0.578855395, 0.399089605, 0.494934082, 0.382683426, 0.923879504, 0, 0, 1},
                   {-0.0678673834, -0.423779458, 0.49999088, 0.923879504, -0.382683426, 0.03, 0, 1},
                   {0, 0.05, 0.2995, 0.382683426, 0.923879504, 0.03, 0, 2},
                   {0, -0.05, 0.2995, 0.382683426, 0.923879504, 0.03, 0, 2},
                   {0.05, 0, 0.2995, 0.382683426, 0.923879504, 0.03, 0, 2},
                   {-0.05, 0, 0.2995, 0.382683426, 0.923879504, 0.03, 0, 2}};
    static const double half_height[3] = {0.3, 0.5, 0.3};
    static const place places[5] = {
        {1, 0, false}, {1, 3, false}, {1, 3, true}, {1.0 / 4096, 0, true}, {256, 0, false}};
    for (int i = 0; i < 9 * 5; ++i) {
        const place *p = &places[i / 9];
        double scale = p->scale;
        test_rng rng = test_random();
        static scene s;
        cd_aabb box = {{(cd_real)(-0.5 * scale), (cd_real)(-0.4 * scale), (cd_real)(-0.3 * scale)},
                       {(cd_real)(0.5 * scale), (cd_real)(0.4 * scale), (cd_real)(0.3 * scale)}};
        cd_cylinder can = {
            {0, 0, (cd_real)(-0.5 * scale)}, {0, 0, (cd_real)(0.5 * scale)}, (cd_real)(0.4 * scale)};
        cd_capsule bar = {
            {(cd_real)(-0.5 * scale), 0, 0}, {(cd_real)(0.5 * scale), 0, 0}, (cd_real)(0.3 * scale)};
        cd_shape body[3];
        cd_transform pose = placed_at(stands[i % 9].x, stands[i % 9].y, stands[i % 9].z);
        cd_shape_options o;
        body[0] = cd_shape_of_aabb(box);
        body[1] = cd_shape_of_cylinder(&can);
        body[2] = cd_shape_of_capsule(&bar);
        memset(&s, 0, sizeof s);
        for (int k = 0; k < 4; ++k)
            scene_solid(&s, &rng, k & 1 ? 0 : -2, k & 2 ? 0 : -2, k & 1 ? 2 : 0, k & 2 ? 2 : 0);
        scene_move(&s, p);
        s.floor = cd_shape_of_mesh(scene_tree(&s), NULL);
        memset(&o, 0, sizeof o);
        o.margin = (cd_real)(stands[i % 9].margin * scale);
        o.flags = stands[i % 9].flags;
        pose.rotation.z = (cd_real)stands[i % 9].turn_z;
        pose.rotation.w = (cd_real)stands[i % 9].turn_w;
        pose = pose_move(pose, p);
        test_note("stand %d, scale %g, raised %g, turned %d", i % 9, scale, p->raised, p->turned);
        check_stands(&s.floor, &body[stands[i % 9].body], &pose, &o, p,
                     half_height[stands[i % 9].body] - stands[i % 9].z);
        scene_close(&s);
    }
}

/* A crate a hair over such a floor, less than coordinates are rounded by there, is not deep in a wall below it, nor beside one, however it is asked. */
static void a_hair_over_walls(void) {
    static const double tiles[6][4] = {{264, -564, 266, -562}, {265, -562, 266, -561},
                                       {265, -561, 266, -560}, {266, -564, 268, -562},
                                       {266, -562, 267, -561}, {266, -561, 267, -560}};
    test_rng rng = test_random();
    static scene s;
    cd_aabb box = {{(cd_real)-0.5, (cd_real)-0.4, (cd_real)-0.3}, {(cd_real)0.5, (cd_real)0.4, (cd_real)0.3}};
    cd_shape body = cd_shape_of_aabb(box);
    for (int i = 0; i < 40; ++i) {
        cd_transform pose = placed_at(266, -561.454712, 162.30014), back;
        cd_shape_options o;
        pose.rotation.z = (cd_real)0.336268157;
        pose.rotation.w = (cd_real)-0.941766262;
        if (i % 4) pose.position.y += (cd_real)test_range(&rng, -0.02, 0.02);
        memset(&o, 0, sizeof o);
        o.margin = (cd_real)0.03;
        memset(&s, 0, sizeof s);
        for (int k = 0; k < 6; ++k) scene_solid(&s, &rng, tiles[k][0], tiles[k][1], tiles[k][2], tiles[k][3]);
        for (uint32_t k = 0; k < s.vertex_count; ++k) s.vertices[k].z += 162;
        s.floor = cd_shape_of_mesh(scene_tree(&s), NULL);
        back = cd_transform_inverse(&pose);
        for (int swapped = 0; swapped < 2; ++swapped) {
            cd_manifold m[8];
            size_t count = swapped ? cd_shape_collide(&body, &s.floor, &back, &o, NULL, m, 8)
                                   : cd_shape_collide(&s.floor, &body, &pose, &o, NULL, m, 8);
            test_note("%d, swapped %d", i, swapped);
            CHECK_INT(count, 1);
            CHECK(count > 0 && near_to(m[0].normal, at(0, 0, swapped ? -1 : 1), 1e-6));
            for (uint32_t n = 0; count > 0 && n < m[0].count; ++n) CHECK(m[0].points[n].distance > -1e-3);
        }
        scene_close(&s);
    }
}

static double deepest_of(const cd_manifold *m) {
    double least = (double)m->points[0].distance;
    for (uint32_t i = 1; i < m->count; ++i)
        if ((double)m->points[i].distance < least) least = (double)m->points[i].distance;
    return least;
}

/* The names of a manifold's points on one body, in order. */
static uint32_t names_of(const cd_manifold *m, bool on_a, uint32_t *names) {
    for (uint32_t i = 0; i < m->count; ++i) {
        uint32_t name = on_a ? m->points[i].feature_a : m->points[i].feature_b, k = i;
        for (; k > 0 && names[k - 1] > name; --k) names[k] = names[k - 1];
        names[k] = name;
    }
    return m->count;
}

/* What stands on a rim stands on the same four places of it however it is tilted by a hair, on whatever is flat; and as deep as it is. But
 * seldom, where one of them comes to lie on an edge of the floor. */
static void rims_stand_on_the_same_places(void) {
    test_rng rng = test_random();
    static scene s;
    cd_plane plane = {{0, 0, 1}, 0};
    cd_shape ground = cd_shape_of_halfspace(&plane);
    /* depths are told apart by 2^-21, 2^-41 of how far a triangle reaches */
    const double level = (sizeof(cd_real) == 4 ? 0x1p-20 : 0x1p-40) * FLOOR_SIDE;
    long all = 0, others = 0;
    for (int i = 0; i < 3 * (FLOOR_HEIGHTS + 2); ++i) {
        int kind = i / 3;
        cd_cylinder cylinder = {at(0, 0, -0.5), at(0, 0, 0.5), (cd_real)0.4};
        cd_cone cone = {at(0, 0, 0.5), at(0, 0, -0.5), (cd_real)0.4};
        cd_disc disc = {at(0, 0, -0.5), at(0, 0, 1), (cd_real)0.4};
        cd_shape body = i % 3 == 0   ? cd_shape_of_cylinder(&cylinder)
                        : i % 3 == 1 ? cd_shape_of_cone(&cone)
                                     : cd_shape_of_disc(&disc);
        uint32_t before[4], names[4];
        if (kind <= FLOOR_HEIGHTS) scene_open(&s, kind, &rng);
        for (int k = 0; k < 40; ++k) {
            bool swapped = k % 2 == 1;
            double depth = i % 3 == 2 ? -0.001 : 0.001; /* discs have nothing on their other side */
            cd_transform pose = placed_at(4.32, 3.67, 0.5 - depth), back;
            cd_shape_options o;
            cd_manifold m[2];
            const cd_shape *floor = kind <= FLOOR_HEIGHTS ? &s.floor : &ground;
            double tilt = pow(10, -test_range(&rng, 2.6, 7)), x, y, cosine, sine;
            size_t count;
            memset(&o, 0, sizeof o);
            o.margin = (cd_real)0.01;
            pose.rotation.x = (cd_real)(tilt * test_range(&rng, -1, 1));
            pose.rotation.y = (cd_real)(tilt * test_range(&rng, -1, 1));
            back = cd_transform_inverse(&pose);
            count = swapped ? cd_shape_collide(&body, floor, &back, &o, NULL, m, 2)
                            : cd_shape_collide(floor, &body, &pose, &o, NULL, m, 2);
            test_note("body %d on floor %d, tilt %g, swapped %d", i % 3, kind, tilt, swapped);
            CHECK_INT(count, 1);
            if (count == 0 || !CHECK_INT(names_of(&m[0], swapped, names), 4)) continue;
            ++all;
            others += k > 0 && memcmp(before, names, sizeof before) != 0;
            memcpy(before, names, sizeof before);
            x = (double)pose.rotation.x;
            y = (double)pose.rotation.y;
            cosine = (1 - x * x - y * y) / (1 + x * x + y * y);
            sine = 2 * sqrt(x * x + y * y) / (1 + x * x + y * y);
            CHECK_NEAR(deepest_of(&m[0]), 0.5 - depth - 0.5 * cosine - 0.4 * sine, level);
            for (uint32_t n = 0; n < 4; ++n)
                for (uint32_t l = 0; l < n; ++l)
                    CHECK((double)cd_vec3_dist(m[0].points[n].a, m[0].points[l].a) > 0.2);
        }
        if (kind <= FLOOR_HEIGHTS) scene_close(&s);
    }
    test_note("%ld of %ld", others, all);
    CHECK(50 * others <= all);
}

typedef struct heard_whole {
    cd_manifold head;
    int count;
    double most;
} heard_whole;

static bool hear_whole(void *user, const cd_manifold *head, const cd_contact *point) {
    heard_whole *h = (heard_whole *)user;
    h->head = *head;
    h->most = h->count++ ? fmax(h->most, (double)point->distance) : (double)point->distance;
    return true;
}

/* Of two convex shapes all points are told with what the shapes say of themselves, less their offsets, and none beyond the margin. */
static void all_points_of_two_convex_shapes(void) {
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    for (int k = 0; k < 8; ++k) {
        cd_shape a = cd_shape_of_aabb(box), b = a;
        cd_transform pose = placed_at(0, 0, 2.03125);
        cd_shape_options o;
        heard_whole h;
        double offset = k & 1 ? 0.03125 : 0;
        memset(&o, 0, sizeof o);
        memset(&h, 0, sizeof h);
        a.material = 7;
        b.user = 9;
        a.offset = (cd_real)(0.5 * offset);
        b.offset = (cd_real)(0.5 * offset);
        o.margin = k & 2 ? (cd_real)0.0625 : (cd_real)0.03125;
        if (k & 4) pose.rotation = cd_quat_from_axis(at(0, 1, 0), (cd_real)0.0078125, 1);
        test_note("%d", k);
        cd_shape_collide_all(&a, &b, &pose, &o, hear_whole, &h);
        CHECK_INT(h.count, k == 4 ? 2 : 4);
        CHECK(h.most <= (double)o.margin);
        CHECK_INT(h.head.part_a.material, 7);
        CHECK_INT(h.head.part_b.user, 9);
        if (!(k & 4)) CHECK_NEAR(h.most, 0.03125 - offset, 1e-6);
    }
}

/* Without the mend the edges are felt: so the tests above see something. */
static void edges_are_felt_without_it(void) {
    test_rng rng = test_random();
    long ghosts[FLOOR_KINDS] = {0};
    for (int kind = 0; kind < FLOOR_KINDS; ++kind) {
        static scene s;
        static heard h;
        body b;
        stand t;
        scene_open(&s, kind, &rng);
        memset(&t, 0, sizeof t);
        body_open(&b, BODY_SPHERE, &rng);
        t.s = &s;
        t.b = &b;
        t.body = cd_transform_identity();
        t.options.flags = CD_SHAPE_KEEP_GHOSTS;
        for (int i = 0; i < 30; ++i) {
            stand_place(&t, test_range(&rng, 2, 6), test_range(&rng, 2, 6), 0.1);
            stand_hear(&t, &h);
            for (int k = 0; k < h.count; ++k) ghosts[kind] += !normal_is_floors(&t, h.head[k].normal);
        }
        CHECK(ghosts[kind] > 0);
        body_close(&b);
        scene_close(&s);
    }
}

/* ---- folded floors: two slopes that meet over the line y = 4 ---- */

/* Heights fall (slope > 0: a roof) or rise (a valley) away from the line, which the mesh has an edge along. */
static void scene_fold(scene *s, test_rng *rng, double slope) {
    memset(s, 0, sizeof *s);
    scene_grid(s, rng, 16, 0, 0, FLOOR_SIDE, 0);
    for (uint32_t i = 0; i < s->vertex_count; ++i) {
        double y = (double)s->vertices[i].y;
        s->vertices[i].z = (cd_real)(-slope * fabs(y - FLOOR_SIDE / 2));
    }
    s->kind = FLOOR_GRID;
    s->floor = cd_shape_of_mesh(scene_tree(s), NULL);
}

/* The roof as a solid. */
static void roof_hull(cd_hull *out, double slope) {
    cd_vec3 p[8];
    for (int k = 0; k < 6; ++k) {
        double y = k % 3 == 0 ? 0 : k % 3 == 1 ? FLOOR_SIDE / 2 : FLOOR_SIDE;
        p[k] = at(k < 3 ? 0 : FLOOR_SIDE, y, -slope * fabs(y - FLOOR_SIDE / 2));
    }
    p[6] = at(0, FLOOR_SIDE / 2, -slope * FLOOR_SIDE);
    p[7] = at(FLOOR_SIDE, FLOOR_SIDE / 2, -slope * FLOOR_SIDE);
    CHECK(cd_hull3_build(out, p, 8, NULL) == CD_OK);
}

/* Out of the floor, in its frame. */
static cd_vec3 stand_out(const stand *t, cd_vec3 normal) {
    return t->swapped ? normal : cd_vec3_neg(cd_transform_vector(&t->body, normal));
}

static void lower_onto(stand *t, const cd_support *support, const cd_support *solid, double depth) {
    for (int i = 0; i < 60; ++i) {
        cd_separation s;
        t->floor_in_body = cd_transform_inverse(&t->body);
        s = cd_convex_distance(support, solid, &t->floor_in_body, NULL, NULL);
        if (fabs((double)s.distance + depth) < 1e-5) return;
        t->body.position.z = (cd_real)((double)t->body.position.z - 0.8 * ((double)s.distance + depth));
    }
}

/* How far the body reaches beyond the ridge along a direction of the floor's frame. */
static double reach_over_ridge(const stand *t, const cd_support *support, cd_vec3 dir) {
    cd_vec3 p = cd_support_farthest(support, cd_transform_vector(&t->floor_in_body, dir));
    return (double)cd_vec3_dot(dir, cd_vec3_sub(cd_transform_point(&t->body, p), at(0, FLOOR_SIDE / 2, 0)));
}

/* Triangles have two sides: where a body is over a sharp ridge, the back of the slope beyond it may be nearer than its front. */
static bool is_left_by_the_back(const stand *t, const cd_support *support, double slope, cd_vec3 out,
                                double y) {
    double cosine = 1 / sqrt(1 + slope * slope), sine = slope * cosine;
    bool other = (double)out.y < 0; /* the slope beyond the ridge; points on the ridge are of both */
    cd_vec3 back = at(0, other ? -sine : sine, -cosine);
    if (t->options.flags & CD_SHAPE_ONE_SIDED) return false;
    if ((other ? FLOOR_SIDE / 2 - y : y - FLOOR_SIDE / 2) > close_enough()) return false;
    if (!((double)cd_vec3_length(cd_vec3_sub(out, back)) < 1e-4)) return false;
    return reach_over_ridge(t, support, cd_vec3_neg(back)) < reach_over_ridge(t, support, back);
}

/* Normals are between those of the two slopes, the depth is that of the solid, points are on the roof. */
static void check_roof(const stand *t, const cd_support *support, const cd_support *solid, double slope) {
    static heard h;
    double steep = slope / sqrt(1 + slope * slope), deepest = 1e9;
    cd_separation s = cd_convex_distance(support, solid, &t->floor_in_body, NULL, NULL);
    stand_hear(t, &h);
    CHECK(h.count > 0 || (double)s.distance > -1e-5);
    for (int i = 0; i < h.count; ++i) {
        cd_vec3 out = stand_out(t, h.head[i].normal);
        cd_vec3 on = stand_point(t, t->swapped ? h.point[i].a : h.point[i].b);
        CHECK_NEAR(out.x, 0, 1e-4);
        CHECK_NEAR(on.z, -slope * fabs((double)on.y - FLOOR_SIDE / 2), close_enough());
        if (is_left_by_the_back(t, support, slope, out, (double)on.y)) continue;
        CHECK(fabs((double)out.y) <= steep + 1e-4 && (double)out.z > 0);
        if ((double)h.point[i].distance < deepest) deepest = (double)h.point[i].distance;
    }
    if ((double)s.distance < -1e-4) CHECK(deepest <= 0.8 * (double)s.distance);
    if (t->b->feet == 1) { /* one point, and the solid's normal */
        cd_vec3 want = cd_vec3_neg(cd_transform_vector(&t->body, s.normal));
        CHECK_NEAR(deepest, s.distance, close_enough());
        for (int i = 0; i < h.count; ++i) CHECK_VEC(stand_out(t, h.head[i].normal), want, 2e-4);
    }
}

static void sliding_over_a_roof(void) {
    test_rng rng = test_random();
    for (long n = test_times(40); n > 0; --n) {
        static scene s;
        double slope = test_range(&rng, 0.05, 1.2), step = test_range(&rng, 0.05, 0.3);
        cd_hull solid_hull;
        cd_support solid;
        scene_fold(&s, &rng, slope);
        roof_hull(&solid_hull, slope);
        solid = cd_support_of_hull(&solid_hull);
        for (int k = 0; k < BODY_KINDS; ++k) {
            body b;
            stand t;
            cd_support support;
            double depth = test_int(&rng, 0, 1) ? 0.001 : 0.03, x = test_range(&rng, 3, 5);
            memset(&t, 0, sizeof t);
            body_open(&b, k, &rng);
            support = ASK("judge", cd_shape_as_support(&b.shape));
            t.s = &s;
            t.b = &b;
            t.swapped = test_int(&rng, 0, 1) == 1;
            t.options.flags = test_int(&rng, 0, 1) ? CD_SHAPE_ONE_SIDED : 0;
            t.body = cd_transform_identity();
            t.body.rotation = heading_of(&rng, 0.3);
            for (double y = 3; y < 5; y += step) {
                t.body.position = at(x, y, 1);
                lower_onto(&t, &support, &solid, depth);
                test_note("feet %d, slope %g, depth %g, swapped %d, flags %u", b.feet, slope, depth,
                          t.swapped, (unsigned)t.options.flags);
                test_note_reals("pose", REALS(t.body), 7);
                check_roof(&t, &support, &solid, slope);
            }
            body_close(&b);
        }
        cd_hull_destroy(&solid_hull);
        scene_close(&s);
    }
}

/* A ball, and a box with its edges along it, in a valley: two normals, those of the slopes. */
static void two_normals_in_a_valley(void) {
    test_rng rng = test_random();
    for (long n = test_times(60); n > 0; --n) {
        static scene s;
        cd_manifold m[16];
        double slope = test_range(&rng, 0.2, 1.5), r = test_range(&rng, 0.3, 0.9),
               long_way = sqrt(1 + slope * slope);
        bool ball = test_int(&rng, 0, 1) == 1, swapped = test_int(&rng, 0, 1) == 1;
        double low = (ball ? r * long_way : r * slope) - 0.001 * long_way;
        size_t count;
        cd_transform pose, back;
        cd_shape shape;
        cd_sphere sphere;
        cd_aabb box;
        scene_fold(&s, &rng, -slope);
        sphere.center = at(0, 0, 0);
        sphere.radius = (cd_real)r;
        box.min = at(-0.7, -r, 0);
        box.max = at(0.7, r, 2);
        shape = ball ? cd_shape_of_sphere(sphere) : cd_shape_of_aabb(box);
        pose = placed_at(test_range(&rng, 3, 5), FLOOR_SIDE / 2, low);
        back = cd_transform_inverse(&pose);
        test_note("slope %g, radius %g, ball %d, swapped %d", slope, r, ball, swapped);
        test_note_reals("pose", REALS(pose), 7);
        count = swapped ? cd_shape_collide(&s.floor, &shape, &pose, NULL, NULL, m, 16)
                        : cd_shape_collide(&shape, &s.floor, &back, NULL, NULL, m, 16);
        CHECK_INT(count, 2);
        for (size_t i = 0; i < count && i < 2; ++i) {
            double sign = swapped ? 1 : -1;
            CHECK_NEAR(m[i].normal.x, 0, 1e-4);
            CHECK_NEAR(fabs((double)m[i].normal.y), slope / long_way, 1e-4);
            CHECK_NEAR(sign * (double)m[i].normal.z, 1 / long_way, 1e-4);
            CHECK_NEAR(deepest_of(&m[i]), -0.001, 1e-4);
            if (!ball) CHECK(m[i].count >= 2);
        }
        if (count == 2) CHECK((double)m[0].normal.y * (double)m[1].normal.y < 0);
        scene_close(&s);
    }
}

/* A ball beyond the rim of a floor is met by the rim. */
static void the_rim_is_an_edge(void) {
    test_rng rng = test_random();
    for (long n = test_times(60); n > 0; --n) {
        static scene s;
        cd_manifold m[16];
        int kind = test_int(&rng, 0, FLOOR_KINDS - 1);
        double r = test_range(&rng, 0.3, 0.9), off = test_range(&rng, 0.01, 0.9) * r,
               x = test_range(&rng, 2, 6);
        double up = sqrt(r * r - off * off) - 0.001;
        cd_sphere sphere;
        cd_shape shape;
        size_t count;
        if (kind == FLOOR_FAN) continue;
        scene_open(&s, kind, &rng);
        sphere.center = at(x, -off, up);
        sphere.radius = (cd_real)r;
        shape = cd_shape_of_sphere(sphere);
        test_note("%s, radius %g, off %g, x %g", floor_names[kind], r, off, x);
        count = cd_shape_collide(&shape, &s.floor, NULL, NULL, NULL, m, 16);
        CHECK(count > 0);
        for (size_t i = 0; i < count && i < 16; ++i) {
            double length = sqrt(off * off + up * up);
            CHECK_VEC(m[i].normal, at(0, off / length, -up / length), 1e-4);
            CHECK(m[i].count <= 2);
            for (uint32_t k = 1; k < m[i].count; ++k) /* two parts may find it, each in its way */
                CHECK_VEC(m[i].points[k].a, m[i].points[0].a, 1e-5);
            CHECK_NEAR(m[i].points[0].distance, length - r, 1e-5);
        }
        scene_close(&s);
    }
}

/* ---- what reaches the contacts ---- */

static cd_aabb cube(double half) {
    cd_aabb box;
    box.min = at(-half, -half, -half);
    box.max = at(half, half, half);
    return box;
}

typedef struct asked {
    int calls;
    uint32_t without; /* the index of B that is passed over */
    uint64_t a, b;
} asked;

static bool ask(void *user, const cd_part *a, const cd_part *b) {
    asked *q = (asked *)user;
    ++q->calls;
    CHECK(a->user == q->a && b->user == q->b);
    return b->index != q->without;
}

/* A box over two triangles of a mesh with materials and masks. */
static void what_is_said_of_parts_reaches_contacts(void) {
    static const cd_real z = 0;
    cd_vec3 p[4];
    uint32_t index[6] = {0, 1, 2, 0, 2, 3}, materials[2] = {7, 9}, masks[2] = {1, 2};
    cd_mesh_view view;
    cd_bvh_options build;
    cd_bvh tree;
    cd_shape box = cd_shape_of_aabb(cube(0.5)), floor_shape;
    cd_manifold m[8];
    cd_shape_options o;
    cd_transform pose = placed_at(0, 0, -0.49);
    asked q;
    p[0] = cd_vec3_make(-2, -2, z);
    p[1] = cd_vec3_make(2, -2, z);
    p[2] = cd_vec3_make(2, 2, z);
    p[3] = cd_vec3_make(-2, 2, z);
    memset(&build, 0, sizeof build);
    memset(&o, 0, sizeof o);
    build.masks = masks;
    view = cd_mesh_view_make(p, 4, index, 2);
    CHECK(cd_bvh_build_mesh(&tree, &view, &build) == CD_OK);
    floor_shape = cd_shape_of_mesh(&tree, materials);
    floor_shape.user = 77;
    floor_shape.layers = 4;
    box.user = 55;
    box.material = 3;
    box.layers = 8;
    CHECK_INT(cd_shape_collide(&box, &floor_shape, &pose, NULL, NULL, m, 8), 2);
    for (int i = 0; i < 2; ++i) {
        CHECK(m[i].part_a.user == 55 && m[i].part_a.material == 3 && m[i].part_a.child == CD_NONE &&
              m[i].part_a.index == 0);
        CHECK(m[i].part_b.user == 77 && m[i].part_b.child == CD_NONE && m[i].part_b.index < 2);
        CHECK(m[i].part_b.material == materials[m[i].part_b.index & 1]);
        CHECK_NEAR(m[i].points[0].distance, -0.01, 1e-5);
    }
    floor_shape.u.mesh.materials = NULL; /* the same of both: one */
    CHECK_INT(cd_shape_collide(&box, &floor_shape, &pose, NULL, NULL, m, 8), 1);
    CHECK_INT(m[0].count, 4);
    o.ignore_b = 1;
    CHECK_INT(cd_shape_collide(&box, &floor_shape, &pose, &o, NULL, m, 8), 1);
    CHECK_INT(m[0].part_b.index, 1);
    CHECK_INT(m[0].count, 3);
    o.ignore_b = 4;
    CHECK_INT(cd_shape_collide(&box, &floor_shape, &pose, &o, NULL, m, 8), 0);
    o.ignore_b = 0;
    o.ignore_a = 8;
    CHECK_INT(cd_shape_collide(&box, &floor_shape, &pose, &o, NULL, m, 8), 0);
    o.ignore_a = 0;
    q.calls = 0;
    q.without = 0;
    q.a = 55;
    q.b = 77;
    o.filter = ask;
    o.user = &q;
    CHECK_INT(cd_shape_collide(&box, &floor_shape, &pose, &o, NULL, m, 8), 1);
    CHECK(q.calls >= 2 && m[0].part_b.index == 1);
    cd_bvh_destroy(&tree);
}

/* Offsets: how far apart things count is less by both, as the margin sees it; points stay on the surfaces. */
static void offsets_are_taken_off(void) {
    cd_shape box = cd_shape_of_aabb(cube(0.5)), other = cd_shape_of_aabb(cube(0.5)), whole;
    cd_transform pose = placed_at(0, 0, 1.1);
    cd_placed_shape child;
    cd_compound compound;
    cd_manifold m[2];
    cd_shape_options o;
    memset(&o, 0, sizeof o);
    for (int made = 0; made < 2; ++made) {
        other.offset = (cd_real)0.25;
        child.shape = &other;
        child.pose = cd_transform_identity();
        compound = cd_compound_of(&child, 1);
        whole = made ? cd_shape_of_compound(&compound) : other;
        box.offset = (cd_real)0.25;
        CHECK_INT(cd_shape_collide(&box, &whole, &pose, &o, NULL, m, 2), 1);
        CHECK_INT(m[0].count, 4);
        CHECK_NEAR(m[0].points[0].distance, -0.4, 1e-5);
        CHECK_NEAR(m[0].points[0].a.z, 0.5, 1e-5);
        CHECK_NEAR(m[0].points[0].b.z, 0.6, 1e-5);
        CHECK_NEAR(m[0].part_a.offset, 0.25, 0);
        CHECK_NEAR(m[0].part_b.offset, 0.25, 0);
        box.offset = (cd_real)-0.25;
        CHECK_INT(cd_shape_collide(&box, &whole, &pose, &o, NULL, m, 2), 0);
        o.margin = (cd_real)0.125;
        CHECK_INT(cd_shape_collide(&box, &whole, &pose, &o, NULL, m, 2), 1);
        CHECK_NEAR(m[0].points[0].distance, 0.1, 1e-5);
        o.margin = 0;
    }
}

/* Where there is too little room the deepest are told, and how many there are. */
static void the_deepest_come_first(void) {
    test_rng rng = test_random();
    for (long n = test_times(40); n > 0; --n) {
        static cd_shape shape[40];
        static cd_placed_shape placed[40];
        static cd_manifold all[64], few[64];
        cd_compound compound;
        cd_shape whole, box = cd_shape_of_aabb(cube(3));
        size_t count;
        for (int i = 0; i < 40; ++i) {
            cd_sphere s;
            s.center = at(test_range(&rng, -4, 4), test_range(&rng, -4, 4), test_range(&rng, 2.9, 3.6));
            s.radius = (cd_real)0.25;
            shape[i] = cd_shape_of_sphere(s);
            placed[i].shape = &shape[i];
            placed[i].pose = cd_transform_identity();
        }
        compound = cd_compound_of(placed, 40);
        whole = cd_shape_of_compound(&compound);
        count = cd_shape_collide(&box, &whole, NULL, NULL, NULL, all, 64);
        CHECK(count > 3);
        CHECK_INT(cd_shape_collide(&box, &whole, NULL, NULL, NULL, NULL, 0), count);
        for (size_t i = 1; i < count; ++i) CHECK(all[i].points[0].distance >= all[i - 1].points[0].distance);
        for (size_t capacity = 1; capacity < 40; capacity += 3) {
            CHECK_INT(cd_shape_collide(&box, &whole, NULL, NULL, NULL, few, capacity), count);
            for (size_t i = 0; i < capacity && i < count; ++i)
                CHECK(few[i].points[0].distance == all[i].points[0].distance);
        }
    }
}

/* ---- other pairs ---- */

/* Triangles with one side: from behind there is nothing, and what has sunk is still to come out at the front. */
static void one_side_is_the_front(void) {
    test_rng rng = test_random();
    static scene s;
    cd_shape_options o;
    cd_manifold m[8];
    scene_open(&s, FLOOR_HEIGHTS, &rng);
    memset(&o, 0, sizeof o);
    for (long n = test_times(60); n > 0; --n) {
        cd_shape shape;
        double z = test_range(&rng, -0.7, 0.7), x = test_range(&rng, 2, 6), y = test_range(&rng, 2, 6);
        cd_transform pose = placed_at(x, y, z), back = cd_transform_inverse(&pose);
        bool ball = test_int(&rng, 0, 1) == 1;
        cd_sphere sphere;
        size_t count;
        sphere.center = at(0, 0, 0);
        sphere.radius = (cd_real)0.5;
        shape = ball ? cd_shape_of_sphere(sphere) : cd_shape_of_aabb(cube(0.5));
        o.flags = CD_SHAPE_ONE_SIDED;
        o.margin = (cd_real)0.25;
        test_note("ball %d at %g %g %g", ball, x, y, z);
        count = cd_shape_collide(&shape, &s.floor, &back, &o, NULL, m, 8);
        CHECK_INT(count, z > -0.5 ? 1 : 0);
        if (count == 1) {
            CHECK_VEC(m[0].normal, at(0, 0, -1), 1e-4);
            CHECK_NEAR(m[0].points[0].distance, z - 0.5, 1e-5);
        }
        o.flags = 0;
        count = cd_shape_collide(&shape, &s.floor, &back, &o, NULL, m, 8);
        CHECK_INT(count, 1);
        if (count == 1 && fabs(z) > 1e-3) {
            CHECK_VEC(m[0].normal, at(0, 0, z > 0 ? -1 : 1), 1e-4);
            CHECK_NEAR(m[0].points[0].distance, fabs(z) - 0.5, 1e-5);
        }
    }
    scene_close(&s);
}

/* Any body on a half-space: all the corners of its lowest face, and the plane's normal. */
static void halfspaces(void) {
    test_rng rng = test_random();
    cd_plane ground;
    ground.n = at(0, 0, 2);
    ground.d = (cd_real)0.5;
    for (long n = test_times(200); n > 0; --n) {
        cd_shape h = cd_shape_of_halfspace(&ground);
        cd_manifold m[4];
        stand t;
        body b;
        bool flat = test_int(&rng, 0, 1) == 1;
        double depth = test_range(&rng, 0, 0.2);
        size_t count;
        memset(&t, 0, sizeof t);
        body_open(&b, test_int(&rng, 0, BODY_KINDS - 1), &rng);
        t.b = &b;
        t.swapped = test_int(&rng, 0, 1) == 1;
        t.body = cd_transform_identity();
        t.body.rotation = heading_of(&rng, flat ? 0 : 0.3);
        stand_place(&t, test_range(&rng, -50, 50), test_range(&rng, -50, 50), depth - 0.25);
        test_note_reals("pose", REALS(t.body), 7);
        count = t.swapped ? cd_shape_collide(&h, &b.shape, &t.body, NULL, NULL, m, 4)
                          : cd_shape_collide(&b.shape, &h, &t.floor_in_body, NULL, NULL, m, 4);
        CHECK_INT(count, depth > 1e-5 ? 1 : count);
        if (count == 1) {
            double least = 1e9;
            CHECK(normal_is_floors(&t, m[0].normal));
            for (uint32_t i = 0; i < m[0].count; ++i) {
                cd_vec3 on_body = stand_point(&t, t.swapped ? m[0].points[i].b : m[0].points[i].a);
                cd_vec3 on_plane = stand_point(&t, t.swapped ? m[0].points[i].a : m[0].points[i].b);
                CHECK_NEAR(on_plane.z, 0.25, close_enough());
                CHECK_NEAR((double)on_body.z - 0.25, m[0].points[i].distance, close_enough());
                if ((double)m[0].points[i].distance < least) least = (double)m[0].points[i].distance;
            }
            CHECK_NEAR(least, -depth, 3e-4);
            if (flat && b.feet > 1 && depth > 1e-3) CHECK_INT(m[0].count, b.feet < 4 ? b.feet : 4);
        }
        body_close(&b);
    }
}

/* A cube of triangles on a floor of triangles: its corners bear it. */
/* A half-space looks at no more of a mesh than comes near it, and finds what it finds as one of many, which looks at all. */
typedef struct told {
    long count;
    double sum;
} told;

static bool tell_point(void *user, const cd_manifold *m, const cd_contact *c) {
    told *t = (told *)user;
    ++t->count;
    t->sum += (double)c->distance * (double)t->count + (double)m->normal.x + (double)c->a.y + (double)c->b.z;
    return true;
}

/* A rounded polygon far from its own origin: the deepest point is on its rim, below the border of its face. */
static void the_deepest_is_told_far_away(void) {
    cd_plane plane;
    cd_vec3 p[4];
    cd_shape ground, slab;
    cd_transform pose;
    cd_manifold m;
    cd_separation s;
    plane.n = at(0x1.d26p-1, 0x1.46p-1, -0x1.57dp+0);
    plane.d = (cd_real)0x1.74dca8p+10;
    p[0] = at(0x1.e8423ap+11, 0x1.360e9cp+10, 0x1.09ea72p+11);
    p[1] = at(0x1.e852bp+11, 0x1.364872p+10, 0x1.09fdecp+11);
    p[2] = at(0x1.e8776ep+11, 0x1.3634fcp+10, 0x1.0a046ap+11);
    p[3] = at(0x1.e866f8p+11, 0x1.35fb26p+10, 0x1.09f0fp+11);
    pose = placed_at(-0x1.e8ac7p+11, -0x1.358f82p+10, -0x1.09f7b4p+11);
    ground = cd_shape_of_halfspace(&plane);
    slab = cd_shape_of_polygon(p, 4);
    slab.radius = (cd_real)0x1.3adbdcp-3;
    s = cd_shape_distance(&ground, &slab, &pose, NULL, NULL, NULL);
    if (!CHECK_INT(cd_shape_collide(&ground, &slab, &pose, NULL, NULL, &m, 1), 1)) return;
    CHECK_NEAR(m.points[0].distance, s.distance, 3e-4);
}

static void halfspaces_ask_the_tree(void) {
    test_rng rng = test_random();
    gen_mesh mesh = gen_mesh_ball(24, 0.05, &rng);
    cd_mesh_view view = gen_mesh_view(&mesh);
    cd_shape ball, ground, alone;
    cd_placed_shape child;
    cd_compound compound;
    cd_bvh tree;
    long seen = 0;
    if (!CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK)) return;
    ball = cd_shape_of_mesh(&tree, NULL);
    for (long i = test_times(60) + 5; i > 0; --i) {
        cd_transform pose = gen_pose(&rng, 1);
        cd_shape_options o;
        cd_plane plane;
        told one = {0, 0}, all = {0, 0};
        bool swapped = i % 2 == 0, in = i % 3 == 0;
        memset(&o, 0, sizeof o);
        plane.n = cd_vec3_scale(pose.position, 2);
        plane.d = 0;
        o.margin = i % 4 ? 0 : (cd_real)0.02;
        ground = cd_shape_of_halfspace(&plane);
        ground.radius = i % 5 ? 0 : (cd_real)0.125;
        /* so high that it hardly touches, or is some way in */
        pose.position = cd_vec3_scale(cd_vec3_normalize(plane.n), (cd_real)(in ? 0.93 : 1.4));
        if (swapped) pose = cd_transform_inverse(&pose);
        child.shape = &ground;
        child.pose = cd_transform_identity();
        compound = cd_compound_of(&child, 1);
        alone = cd_shape_of_compound(&compound);
        memset(&test_counted, 0, sizeof test_counted);
        cd_shape_collide_all(swapped ? &ball : &ground, swapped ? &ground : &ball, &pose, &o, tell_point,
                             &one);
        if (!in) CHECK(test_counted.triangle < mesh.triangle_count / 20);
        cd_shape_collide_all(swapped ? &ball : &alone, swapped ? &alone : &ball, &pose, &o, tell_point, &all);
        test_note("swapped %d in %d", swapped, in);
        CHECK_INT(one.count, all.count);
        CHECK_SAME(one.sum, all.sum);
        seen += one.count;
    }
    CHECK_SEEN(seen > 0);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&mesh);
}

static void meshes_on_meshes(void) {
    static const uint32_t index[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    test_rng rng = test_random();
    cd_vec3 p[8];
    cd_mesh_view view;
    cd_bvh tree;
    for (int k = 0; k < 8; ++k) p[k] = at(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    view = cd_mesh_view_make(p, 8, index, 12);
    CHECK(cd_bvh_build_mesh(&tree, &view, NULL) == CD_OK);
    for (long n = test_times(60); n > 0; --n) {
        static scene s;
        static heard h;
        body b;
        stand t;
        double depth = test_range(&rng, 1e-3, 0.05);
        memset(&t, 0, sizeof t);
        memset(&b, 0, sizeof b);
        scene_open(&s, test_int(&rng, 0, FLOOR_KINDS - 1), &rng);
        b.shape = cd_shape_of_mesh(&tree, NULL);
        b.feet = 4;
        for (int k = 0; k < 4; ++k) b.foot[k] = p[k];
        b.area = 1;
        t.s = &s;
        t.b = &b;
        t.swapped = test_int(&rng, 0, 1) == 1;
        t.body = cd_transform_identity();
        t.body.rotation = heading_of(&rng, 0);
        stand_place(&t, test_range(&rng, 2, 6), test_range(&rng, 2, 6), depth);
        test_note("%s, depth %g, swapped %d", floor_names[s.kind], depth, t.swapped);
        test_note_reals("pose", REALS(t.body), 7);
        stand_hear(&t, &h);
        check_feet(&t, &h, depth);
        for (int i = 0; i < h.count; ++i) {
            CHECK(normal_is_floors(&t, h.head[i].normal));
            CHECK((double)h.point[i].distance >= -depth - close_enough());
        }
        scene_close(&s);
    }
    cd_bvh_destroy(&tree);
}

/* A body of two boxes side by side over a corner that sticks up below their seam. */
static void seams_of_a_body(void) {
    test_rng rng = test_random();
    for (long n = test_times(100); n > 0; --n) {
        cd_shape box = cd_shape_of_aabb(cube(0.5)), spike, whole;
        cd_placed_shape placed[2];
        cd_compound compound;
        cd_tetrahedron t;
        cd_manifold m[8];
        size_t count;
        double x = test_range(&rng, -0.05, 0.05), depth = test_range(&rng, 0.01, 0.2);
        for (int i = 0; i < 2; ++i) {
            placed[i].shape = &box;
            placed[i].pose = placed_at(i - 0.5, 0, 0.5 - depth);
        }
        t.a = at(x, 0, 0);
        t.b = at(x - 0.3, -0.2, -1);
        t.c = at(x + 0.3, -0.2, -1);
        t.d = at(x, 0.3, -1);
        spike = cd_shape_of_tetrahedron(&t);
        compound = cd_compound_of(placed, 2);
        whole = cd_shape_of_compound(&compound);
        test_note("x %g, depth %g", x, depth);
        count = cd_shape_collide(&whole, &spike, NULL, NULL, NULL, m, 8);
        CHECK(count >= 1);
        for (size_t i = 0; i < count && i < 8; ++i) CHECK_VEC(m[i].normal, at(0, 0, -1), 1e-4);
        if (count) CHECK_NEAR(m[0].points[0].distance, -depth, 1e-5);
        count = cd_shape_collide(&spike, &whole, NULL, NULL, NULL, m, 8);
        CHECK(count >= 1);
        for (size_t i = 0; i < count && i < 8; ++i) CHECK_VEC(m[i].normal, at(0, 0, 1), 1e-4);
    }
}

/* Boxes side by side, far from their compound's origin and turned, so that rounding leaves cracks and steps: a box that lies on them does
 * not feel these. Along each axis of the compound. */
static void cracks_far_away_are_not_felt(void) {
    enum { SIDE = 4 };
    test_rng rng = test_random();
    for (long n = test_times(60) + 18; n > 0; --n) {
        cd_shape box = cd_shape_of_aabb(cube(0.5)), load = cd_shape_of_aabb(cube(0.375)), whole;
        cd_placed_shape placed[SIDE * SIDE];
        cd_compound compound;
        cd_transform frame = gen_pose(&rng, 0), on, pose;
        cd_manifold m[16];
        cd_vec3 up;
        size_t count;
        double x, y;
        if (n % 2) { /* level: the floor's normal is an axis */
            frame.rotation =
                cd_quat_from_axis_angle(at(n % 3 == 0, n % 3 == 1, n % 3 == 2),
                                        (cd_real)(n % 4 == 1 ? 1.5707963267948966 : -1.5707963267948966));
        }
        frame.position =
            at(test_range(&rng, -400, 400), test_range(&rng, -400, 400), test_range(&rng, -400, 400));
        for (int i = 0; i < SIDE * SIDE; ++i) {
            cd_transform own = placed_at(i % SIDE, i / SIDE, -0.5);
            placed[i].shape = &box;
            placed[i].pose = cd_transform_mul(&frame, &own);
        }
        compound = cd_compound_of(placed, SIDE * SIDE);
        whole = cd_shape_of_compound(&compound);
        x = test_int(&rng, 0, 1) ? test_int(&rng, 1, 5) * 0.5 : test_range(&rng, 0.5, 2.5);
        y = test_int(&rng, 0, 1) ? test_int(&rng, 1, 5) * 0.5 : test_range(&rng, 0.5, 2.5);
        on = placed_at(x, y, 0.36);
        on.rotation = heading_of(&rng, n % 5 ? 0.01 : 0.2);
        pose = cd_transform_mul(&frame, &on);
        up = cd_transform_vector(&frame, at(0, 0, 1));
        count = cd_shape_collide(&whole, &load, &pose, NULL, NULL, m, 16);
        test_note("x %g y %g", x, y);
        test_note_reals("frame", REALS(frame), 7);
        CHECK(count >= 1);
        for (size_t i = 0; i < count && i < 16; ++i) CHECK_VEC(m[i].normal, up, 2e-3);
    }
}

/* The contacts of a level with a body at a pose, asked either way round; normals out of the level, in its frame. */
static size_t level_collide(const cd_shape *level, const cd_shape *body, const cd_transform *pose,
                            bool swapped, cd_manifold *m, size_t capacity) {
    cd_transform back = cd_transform_inverse(pose);
    size_t count = swapped ? cd_shape_collide(body, level, &back, NULL, NULL, m, capacity)
                           : cd_shape_collide(level, body, pose, NULL, NULL, m, capacity);
    CHECK(count <= capacity);
    for (size_t i = 0; swapped && i < count && i < capacity; ++i) {
        cd_part part = m[i].part_a;
        m[i].normal = cd_vec3_neg(cd_transform_vector(pose, m[i].normal));
        m[i].part_a = m[i].part_b;
        m[i].part_b = part;
    }
    return count < capacity ? count : capacity;
}

/* The low edge of a leaning box lies just beside the seam of two others: its flank reaches over the seam, and what it meets there is not
 * to be left by one of the far sides. */
static void flanks_over_seams(void) {
    test_rng rng = test_random();
    for (long n = test_times(60); n > 0; --n) {
        cd_shape box = cd_shape_of_aabb(cube(0.5)), load = cd_shape_of_aabb(cube(0.375)), whole;
        cd_placed_shape placed[2];
        cd_compound compound;
        cd_transform pose = cd_transform_identity();
        cd_manifold m[8];
        cd_vec3 low;
        size_t count;
        double lean = test_range(&rng, 0.05, 0.3), depth = test_range(&rng, 0.02, 0.1),
               beside = test_range(&rng, 0, 0.9) * depth * tan(lean), y = test_range(&rng, -0.1, 0.1);
        bool swapped = test_int(&rng, 0, 1) == 1;
        for (int i = 0; i < 2; ++i) {
            placed[i].shape = &box;
            placed[i].pose = placed_at(i - 0.5, 0, -0.5);
        }
        compound = cd_compound_of(placed, 2);
        whole = cd_shape_of_compound(&compound);
        pose.rotation = cd_quat_from_axis_angle(at(0, 1, 0), (cd_real)-lean);
        low = cd_transform_vector(&pose, at(-0.375, 0, -0.375));
        pose.position = at(beside - (double)low.x, y, -depth - (double)low.z);
        test_note("lean %g, depth %g, beside %g, y %g, swapped %d", lean, depth, beside, y, swapped);
        count = level_collide(&whole, &load, &pose, swapped, m, 8);
        CHECK(count >= 1);
        for (size_t i = 0; i < count; ++i) CHECK_VEC(m[i].normal, at(0, 0, 1), 1e-4);
        if (count) CHECK_NEAR(m[0].points[0].distance, -depth, 1e-5);
    }
}

/* A box, capsule, cylinder or cone about the origin, along z. */
static cd_shape draw_load(test_rng *rng, cd_vec3 half) {
    cd_vec3 top = at(0, 0, half.z), foot = at(0, 0, -(double)half.z);
    cd_capsule capsule;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_aabb box;
    switch (test_int(rng, 0, 3)) {
    case 0:
        box.min = cd_vec3_neg(half);
        box.max = half;
        return cd_shape_of_aabb(box);
    case 1:
        capsule.a = foot;
        capsule.b = top;
        capsule.radius = half.x;
        return cd_shape_of_capsule(&capsule);
    case 2:
        cylinder.a = foot;
        cylinder.b = top;
        cylinder.radius = half.x;
        return cd_shape_of_cylinder(&cylinder);
    default:
        cone.apex = test_int(rng, 0, 1) ? top : foot;
        cone.base = cd_vec3_neg(cone.apex);
        cone.radius = half.x;
        return cd_shape_of_cone(&cone);
    }
}

/* Four boxes meet at the origin, and the lowest place of a leaning body is near there: what it meets of a box whose top it is not over is told
 * by the others, and no box is to be left by its bottom or a far side. */
static void tips_at_crossings(void) {
    test_rng rng = test_random();
    for (long n = test_times(1000); n > 0; --n) {
        cd_vec3 half =
            at(test_range(&rng, 0.03, 0.4), test_range(&rng, 0.2, 0.4), test_range(&rng, 0.3, 0.5));
        cd_shape box = cd_shape_of_aabb(cube(0.5)), load = draw_load(&rng, half), whole;
        cd_support body = cd_shape_as_support(&load);
        cd_placed_shape placed[4];
        cd_compound compound;
        cd_transform pose = cd_transform_identity();
        cd_manifold m[8];
        cd_vec3 low;
        bool swapped = test_int(&rng, 0, 1) == 1;
        size_t count;
        double lean = test_range(&rng, -0.5, 0.5), depth = test_range(&rng, 0.02, 0.2), y;
        for (int i = 0; i < 4; ++i) {
            placed[i].shape = &box;
            placed[i].pose = placed_at(i % 2 - 0.5, i / 2 - 0.5, -0.5);
        }
        compound = cd_compound_of(placed, 4);
        whole = cd_shape_of_compound(&compound);
        pose.rotation = cd_quat_from_axis_angle(at(0, 1, 0), (cd_real)lean);
        low = cd_support_farthest(&body, at(sin(lean), 0, -cos(lean)));
        y = load.type == CD_SHAPE_AABB ? (double)half.y : 0;
        low = cd_transform_vector(&pose, low);
        pose.position = at(test_range(&rng, -0.06, 0.06) - (double)low.x, test_range(&rng, -0.03, 0.03) + y,
                           -depth - (double)low.z);
        test_note("type %d, lean %g, depth %g, swapped %d", (int)load.type, lean, depth, swapped);
        test_note_reals("half", &half.x, 3);
        test_note_reals("pose", REALS(pose), 7);
        count = level_collide(&whole, &load, &pose, swapped, m, 8);
        CHECK(count >= 1);
        for (size_t i = 0; i < count; ++i) CHECK_VEC(m[i].normal, at(0, 0, 1), 1e-4);
        if (count) CHECK_NEAR(m[0].points[0].distance, -depth, 1e-5);
    }
}

enum { ROOM = 3, ROOM_ROWS = 16, ROOM_BOXES = ROOM * ROOM * (1 + ROOM_ROWS) };

/* A floor of boxes below z = 0, and walls of boxes below x = 0 and y = 0, `rows` of them one above the other. */
static void room_open(cd_compound *out, cd_placed_shape placed[ROOM_BOXES], const cd_shape *box, int rows) {
    double width = 2 * (double)box->u.aabb.max.x, height = 2 * (double)box->u.aabb.max.z;
    uint32_t count = 0;
    for (int i = 0; i < ROOM * ROOM; ++i)
        for (int z = 0; z <= (i % ROOM && i / ROOM ? 0 : rows); ++z) {
            placed[count].shape = box;
            placed[count++].pose =
                placed_at((i % ROOM - 0.5) * width, (i / ROOM - 0.5) * width, (z - 0.5) * height);
        }
    *out = cd_compound_of(placed, count);
}

/* A body pressed into the corner of a floor and two walls: it is to leave along their normals, no farther than it is in, though it is in boxes that
 * the others hide, and higher than the walls. */
static void crates_in_corners(void) {
    test_rng rng = test_random();
    for (long n = test_times(500); n > 0; --n) {
        int rows = 1 << test_int(&rng, 0, 4), per = rows > 2 ? 8 : 1; /* walls two high at most */
        double size = ldexp(1, test_int(&rng, -20, 20)), in[3], deepest = 0;
        cd_shape box = cd_shape_of_aabb(cube(0.5 * size)), room;
        cd_shape load =
            draw_load(&rng, at(size * test_range(&rng, 0.1, 0.4), size * test_range(&rng, 0.1, 0.4),
                               size * test_range(&rng, 0.1, 1)));
        cd_support body = cd_shape_as_support(&load);
        cd_placed_shape placed[ROOM_BOXES];
        cd_compound compound;
        cd_transform pose = cd_transform_identity(), back;
        cd_manifold m[64];
        bool told[3] = {false, false, false}, swapped = test_int(&rng, 0, 1) == 1;
        size_t count;
        if (test_int(&rng, 0, 1))
            pose.rotation = cd_quat_from_axis_angle(at(0, 0, 1), (cd_real)test_range(&rng, -0.1, 0.1));
        back = cd_transform_inverse(&pose);
        for (int k = 0; k < 3; ++k) {
            cd_vec3 way = cd_transform_vector(&back, at(-(k == 0), -(k == 1), -(k == 2)));
            way = cd_transform_vector(&pose, cd_support_farthest(&body, way));
            in[k] = size * test_range(&rng, -0.005, 0.03);
            REALS(pose.position)[k] = (cd_real)(-in[k] - (double)REALS(way)[k]);
            deepest = fmax(deepest, in[k]);
        }
        box.u.aabb.min.z /= (cd_real)per;
        box.u.aabb.max.z /= (cd_real)per;
        room_open(&compound, placed, &box, rows);
        for (uint32_t i = 0; n % 2 && i < compound.count / 2; ++i) { /* in whatever order */
            cd_placed_shape other = placed[i];
            placed[i] = placed[compound.count - 1 - i];
            placed[compound.count - 1 - i] = other;
        }
        room = cd_shape_of_compound(&compound);
        test_note("type %d, %d rows, size %g, in by %g, %g, %g, swapped %d", (int)load.type, rows, size,
                  in[0], in[1], in[2], swapped);
        test_note_reals("pose", REALS(pose), 7);
        count = level_collide(&room, &load, &pose, swapped, m, 64);
        for (size_t i = 0; i < count; ++i) {
            cd_vec3 out = m[i].normal;
            double depth = -(double)m[i].points[0].distance;
            CHECK((double)out.x > -1e-4 && (double)out.y > -1e-4 && (double)out.z > -1e-4);
            CHECK(depth <= deepest + 1e-4 * size);
            for (int k = 0; k < 3; ++k)
                told[k] = told[k] || ((double)REALS(out)[k] > 0.9999 && depth <= in[k] + 1e-4 * size);
        }
        /* the rim of a cone may be below the floor where it is in a wall, or above that */
        for (int k = 0; k < 3; ++k)
            CHECK(told[k] || in[k] < 1e-3 * size || (load.type == CD_SHAPE_CONE && k < 2));
    }
}

/* A box on the seam of two others is in one by less than it is below their tops, and the way out of that one is hidden by the other. A wall that
 * stands on it tells a way out as that, but too short: the top is not to be forgotten for it. */
static void short_ways_out_do_not_count(void) {
    cd_placed_shape placed[3];
    cd_shape box = cd_shape_of_aabb(cube(0.5)), load, room;
    cd_compound compound;
    cd_transform pose = placed_at(0.16, 0, 0.1);
    cd_manifold m[8];
    cd_aabb body;
    body.min = at(-0.25, -0.25, -0.3);
    body.max = at(0.25, 0.25, 0.3);
    load = cd_shape_of_aabb(body);
    for (int i = 0; i < 3; ++i) placed[i].shape = &box;
    placed[0].pose = placed_at(-0.5, 0, -0.5);
    placed[1].pose = placed_at(0.5, 0, -0.5);
    placed[2].pose = placed_at(-0.58, 0, 0.5);
    compound = cd_compound_of(placed, 3);
    room = cd_shape_of_compound(&compound);
    for (int swapped = 0; swapped < 2; ++swapped) {
        size_t count = level_collide(&room, &load, &pose, swapped == 1, m, 8);
        bool told = false, wall = false;
        for (size_t i = 0; i < count; ++i) {
            double depth = -(double)m[i].points[0].distance;
            wall = wall ||
                   ((double)m[i].normal.x > 0.999 && m[i].part_a.child == 2 && fabs(depth - 0.01) < 1e-5);
            told =
                told || ((double)m[i].normal.z > 0.999 && m[i].part_a.child == 0 && fabs(depth - 0.2) < 1e-5);
        }
        CHECK(wall && told);
    }
}

/* More pairs wait than there is room to note, and none is left to others: on either side of the seam each strip under the box bears it. */
static void many_pairs_wait(void) {
    enum { STRIPS = 12 };
    cd_placed_shape placed[2 * STRIPS];
    cd_shape strip, load, floor;
    cd_compound compound;
    cd_transform pose = placed_at(0.16, 0, 0.1);
    cd_manifold m[4 * STRIPS];
    cd_aabb body;
    body.min = at(-0.25, -0.25, -0.3);
    body.max = at(0.25, 0.25, 0.3);
    load = cd_shape_of_aabb(body);
    body.min = at(-0.5, -0.02, -0.5);
    body.max = at(0.5, 0.02, 0.5);
    strip = cd_shape_of_aabb(body);
    for (int i = 0; i < 2 * STRIPS; ++i) {
        placed[i].shape = &strip;
        placed[i].pose = placed_at(i < STRIPS ? -0.5 : 0.5, 0.04 * (i % STRIPS) - 0.22, -0.5);
    }
    compound = cd_compound_of(placed, 2 * STRIPS);
    floor = cd_shape_of_compound(&compound);
    for (int swapped = 0; swapped < 2; ++swapped) {
        bool told[2 * STRIPS] = {false};
        size_t count = level_collide(&floor, &load, &pose, swapped == 1, m, 4 * STRIPS);
        CHECK_INT(count, 2 * STRIPS);
        for (size_t i = 0; i < count; ++i) {
            CHECK_VEC(m[i].normal, at(0, 0, 1), 1e-4);
            CHECK_NEAR(m[i].points[0].distance, -0.2, 1e-5);
            if (m[i].part_a.child < 2 * STRIPS) told[m[i].part_a.child] = true;
        }
        for (int i = 0; i < 2 * STRIPS; ++i) CHECK(told[i]);
    }
}

/* A body on the seam of a floor and the flat end of a cylinder or cone that is level with it: that bears it, too, whichever end it is. */
static void ends_of_round_parts(void) {
    for (int kind = 0; kind < 6; ++kind) {
        cd_placed_shape placed[2];
        cd_shape box = cd_shape_of_aabb(cube(0.5)), load = cd_shape_of_aabb(cube(0.25)), round, floor;
        cd_compound compound;
        cd_transform pose = placed_at(-0.2, 0, 0.15);
        cd_vec3 top = at(0, 0, 0), foot = at(0, 0, -1);
        cd_manifold m[8];
        bool told[2] = {false, false};
        size_t count;
        if (kind % 3 < 2) {
            cd_cylinder c;
            c.a = kind % 3 ? top : foot;
            c.b = kind % 3 ? foot : top;
            c.radius = (cd_real)0.5;
            round = cd_shape_of_cylinder(&c);
        } else {
            cd_cone c;
            c.apex = foot;
            c.base = top;
            c.radius = (cd_real)0.5;
            round = cd_shape_of_cone(&c);
        }
        placed[0].shape = &box;
        placed[0].pose = placed_at(-0.5, 0, -0.5);
        placed[1].shape = &round;
        placed[1].pose = placed_at(0.5, 0, 0);
        compound = cd_compound_of(placed, 2);
        floor = cd_shape_of_compound(&compound);
        count = level_collide(&floor, &load, &pose, kind > 2, m, 8);
        test_note("kind %d", kind);
        CHECK_INT(count, 2);
        for (size_t i = 0; i < count && i < 2; ++i) {
            CHECK_VEC(m[i].normal, at(0, 0, 1), 1e-4);
            CHECK_NEAR(m[i].points[0].distance, -0.1, 1e-5);
            told[m[i].part_a.child == 1] = true;
        }
        CHECK(told[0] && told[1]);
    }
}

/* What touches is told: a box on two others, and a point on a half-space. */
static void touching_is_told(void) {
    cd_placed_shape placed[3];
    cd_plane ground = {{0, 0, 2}, 0};
    cd_shape box = cd_shape_of_aabb(cube(0.5)), load = cd_shape_of_aabb(cube(0.25)),
             half = cd_shape_of_halfspace(&ground), point = cd_shape_of_point(at(0, 0, 0)), floor;
    cd_transform pose = placed_at(0.1, 0, 0.25);
    cd_compound compound;
    cd_manifold m[4];
    placed[0].shape = placed[1].shape = &box;
    placed[0].pose = placed_at(-0.5, 0, -0.5);
    placed[1].pose = placed_at(0.5, 0, -0.5);
    placed[2].shape = &half;
    placed[2].pose = placed_at(0, 0, 0);
    compound = cd_compound_of(placed, 2);
    floor = cd_shape_of_compound(&compound);
    CHECK_INT(cd_shape_collide(&floor, &load, &pose, NULL, NULL, m, 4), 2);
    CHECK_SAME(m[0].points[0].distance, 0);
    compound = cd_compound_of(placed + 2, 1);
    floor = cd_shape_of_compound(&compound);
    pose = cd_transform_identity();
    CHECK_INT(cd_shape_collide(&floor, &point, &pose, NULL, NULL, m, 4), 1);
    CHECK_SAME(m[0].points[0].distance, 0);
}

/* The tip of a body goes through the crack between two triangles of a floor, one as wide as touching parts may be apart: their faces bear it. */
static void tips_in_cracks(void) {
    for (int swapped = 0; swapped < 2; ++swapped) {
        double gap = 2e-5;
        cd_triangle t[2] = {{{(cd_real)-gap, 2, 0}, {-4, 0, 0}, {(cd_real)-gap, -2, 0}},
                            {{(cd_real)gap, -2, 0}, {4, 0, 0}, {(cd_real)gap, 2, 0}}};
        cd_cone c = {{0, 0, 0}, {0, 0, 1}, 1};
        cd_shape piece[2], load = cd_shape_of_cone(&c), floor;
        cd_transform pose = placed_at(0, 0, -0.01);
        cd_placed_shape placed[2];
        cd_compound compound;
        cd_manifold m[4];
        size_t count;
        for (int i = 0; i < 2; ++i) {
            piece[i] = cd_shape_of_triangle(&t[i]);
            placed[i].shape = &piece[i];
            placed[i].pose = cd_transform_identity();
        }
        compound = cd_compound_of(placed, 2);
        floor = cd_shape_of_compound(&compound);
        count = level_collide(&floor, &load, &pose, swapped == 1, m, 4);
        CHECK(count >= 1);
        for (size_t i = 0; i < count; ++i) {
            const cd_contact *p = &m[i].points[0];
            CHECK_VEC(m[i].normal, at(0, 0, 1), 1e-4);
            CHECK_NEAR(p->distance, -0.01, 1e-5);
            CHECK_INT(swapped ? p->feature_b : p->feature_a, CD_FEATURE(CD_FEATURE_FACE, 0u));
        }
    }
}

/* ---- the same in other sizes, and of stretched triangles ---- */

enum { ROWS = 5, PANES = 2 * (ROWS - 1) * (ROWS - 1), MANY_MANIFOLDS = 32 };

/* A rough roof of separate triangles, some of them level, each stretched by `by`, which its numbers are divided by, and what bears on it;
 * all is `size` times as large. */
typedef struct roof {
    cd_shape pane[PANES];
    cd_placed_shape placed[PANES];
    cd_manifold m[MANY_MANIFOLDS];
    size_t count;
} roof;

static cd_vec3 roof_corner(const double *height, uint32_t i, double size, const cd_vec3 *by) {
    return at(size * (i % ROWS) / (double)by->x, size * (double)(i / ROWS) / (double)by->y,
              size * height[i] / (double)by->z);
}

static void roof_pane(roof *r, uint32_t number, const double *height, const uint32_t corner[3], double size,
                      const cd_vec3 *by) {
    cd_triangle t;
    t.a = roof_corner(height, corner[0], size, by);
    t.b = roof_corner(height, corner[1], size, by);
    t.c = roof_corner(height, corner[2], size, by);
    r->pane[number] = cd_shape_of_triangle(&t);
    r->pane[number].scale = *by;
    r->placed[number].shape = &r->pane[number];
    r->placed[number].pose = cd_transform_identity();
}

static void roof_open(roof *r, const double *height, double size, cd_vec3 by) {
    uint32_t n = 0;
    for (uint32_t i = 0; i + ROWS < ROWS * ROWS; ++i) {
        uint32_t corner[2][3];
        if (i % ROWS == ROWS - 1) continue;
        corner[0][0] = i, corner[0][1] = i + 1, corner[0][2] = i + ROWS;
        corner[1][0] = i + ROWS + 1, corner[1][1] = i + ROWS, corner[1][2] = i + 1;
        for (int k = 0; k < 2; ++k) roof_pane(r, n++, height, corner[k], size, &by);
    }
}

static void roof_bear(roof *r, int kind, double size, cd_transform pose) {
    cd_compound panes = cd_compound_of(r->placed, PANES), compound;
    cd_shape level = cd_shape_of_compound(&panes), load = cd_shape_of_aabb(cube(0.5 * size)), child[2];
    cd_shape_options o;
    cd_placed_shape placed[2];
    cd_tetrahedron t;
    memset(&o, 0, sizeof o);
    o.margin = (cd_real)(size * 0.03125);
    t.a = at(0, 0, -0.5 * size), t.b = at(0.5 * size, 0, 0.5 * size);
    t.c = at(-0.5 * size, 0.25 * size, size), t.d = at(0, -0.75 * size, 0.25 * size);
    pose.position = cd_vec3_scale(pose.position, (cd_real)size);
    if (kind == 1) load = cd_shape_of_tetrahedron(&t);
    if (kind == 2) { /* two boxes side by side, so that the load has a seam, too */
        for (int i = 0; i < 2; ++i) {
            child[i] = cd_shape_of_aabb(cube(0.25 * size));
            placed[i].shape = &child[i];
            placed[i].pose = placed_at((i - 0.5) * 0.5 * size, 0, 0);
        }
        compound = cd_compound_of(placed, 2);
        load = cd_shape_of_compound(&compound);
    }
    memset(r->m, 0, sizeof r->m);
    r->count = cd_shape_collide(&level, &load, &pose, &o, NULL, r->m, MANY_MANIFOLDS);
}

static void check_roofs_bear_alike(const roof *r, const roof *other, double size) {
    const double least = 1e-25; /* where products of floats end, there may be a 0 for less */
    CHECK_INT(other->count, r->count);
    for (size_t i = 0; i < r->count && i < MANY_MANIFOLDS; ++i) {
        const cd_manifold *m = &r->m[i], *n = &other->m[i];
        CHECK_INT(n->count, m->count);
        CHECK_VEC(n->normal, m->normal, least);
        for (uint32_t k = 0; k < m->count && k < n->count; ++k) {
            CHECK_VEC(cd_vec3_scale(n->points[k].a, (cd_real)(1 / size)), m->points[k].a, least);
            CHECK_NEAR((double)n->points[k].distance / size, m->points[k].distance, least);
        }
    }
}

static void roofs_of_all_sizes(void) {
    static roof one, small, large, stretched;
    const double sizes[2] = {9.5367431640625e-07, 1048576};
    const cd_vec3 same = {1, 1, 1},
                  by[3] = {{2, (cd_real)0.5, 4}, {(cd_real)0.25, 2, 1}, {1, 4, (cd_real)0.5}};
    test_rng rng = test_random();
    long met = 0;
    for (long n = test_times(12) + 2; n > 0; --n) {
        double height[ROWS * ROWS];
        for (int i = 0; i < ROWS * ROWS; ++i)
            height[i] = test_int(&rng, 0, 2) ? 0.25 * fabs(i % ROWS - 2.0) : test_int(&rng, 0, 4) / 16.0;
        roof_open(&one, height, 1, same);
        roof_open(&small, height, sizes[0], same);
        roof_open(&large, height, sizes[1], same);
        roof_open(&stretched, height, 1, by[n % 3]);
        for (int k = 0; k < 18; ++k) {
            cd_transform pose = gen_pose(&rng, 0);
            double x = test_range(&rng, 0, 4), y = test_int(&rng, 0, 8) * 0.5,
                   z = test_range(&rng, -0.25, 1.2);
            if (k % 2) pose.rotation = cd_quat_identity();
            pose.position = at(x, y, z);
            test_note("body %d", k % 3);
            test_note_reals("pose", REALS(pose), 7);
            roof_bear(&one, k % 3, 1, pose);
            roof_bear(&small, k % 3, sizes[0], pose);
            roof_bear(&large, k % 3, sizes[1], pose);
            roof_bear(&stretched, k % 3, 1, pose);
            check_roofs_bear_alike(&one, &small, sizes[0]);
            check_roofs_bear_alike(&one, &large, sizes[1]);
            check_roofs_bear_alike(&one, &stretched, 1);
            met += one.count > 0;
        }
    }
    CHECK(met > 0);
}

/* With a tree over the children and without: the same points. */
/* But for rounding, and which of two pieces tells of what they have in common: what a piece is told by its neighbours hangs on which came before. */
static void trees_do_not_matter(void) {
    test_rng rng = test_random();
    const double most = 8 * (double)CD_REAL_EPSILON;
    long all = 0, others = 0;
    for (long n = test_times(40); n > 0; --n) {
        static scene s;
        static heard with, without;
        static cd_aabb boxes[FLOOR_PIECES];
        cd_compound built;
        cd_shape whole;
        cd_shape_options o;
        scene_open(&s, test_int(&rng, FLOOR_TRIANGLES, FLOOR_HULLS), &rng);
        built = s.compound;
        for (int i = 0; i < s.pieces; ++i) boxes[i] = cd_shape_aabb(&s.shape[i], &s.placed[i].pose);
        CHECK(cd_bvh_build_boxes(&built.tree, boxes, (uint32_t)s.pieces, NULL) == CD_OK);
        whole = cd_shape_of_compound(&built);
        memset(&o, 0, sizeof o);
        o.margin = (cd_real)0.05;
        for (int k = 0; k < 8; ++k) {
            body b;
            cd_transform pose, back;
            int found = 0;
            body_open(&b, k % BODY_KINDS, &rng);
            pose = gen_pose(&rng, 0);
            pose.position = at(test_range(&rng, -1, 9), test_range(&rng, -1, 9), test_range(&rng, -1, 1));
            back = cd_transform_inverse(&pose);
            with.count = without.count = 0;
            cd_shape_collide_all(&b.shape, &whole, &back, &o, hear, &with);
            cd_shape_collide_all(&b.shape, &s.floor, &back, &o, hear, &without);
            CHECK_INT(with.count, without.count);
            for (int i = 0; i < with.count; ++i) {
                int same = 0;
                for (int j = 0; j < without.count && same < 2; ++j)
                    if (near_to(with.point[i].a, without.point[j].a, most) &&
                        near_to(with.head[i].normal, without.head[j].normal, most))
                        same = with.head[i].part_b.child == without.head[j].part_b.child ? 2 : 1;
                found += same > 0;
                others += same == 1;
                ++all;
            }
            CHECK_INT(found, with.count);
            body_close(&b);
        }
        cd_bvh_destroy(&built.tree);
        scene_close(&s);
    }
    CHECK(others <= 1 + all / 200);
}

/* Two convex shapes: what cd_collide_convex says, to the bit. */
static void convex_shapes_are_convex_bodies(void) {
    test_rng rng = test_random();
    for (long n = test_times(600); n > 0; --n) {
        body a, b;
        cd_manifold m, want;
        cd_transform pose = gen_pose(&rng, 1.2);
        cd_collide_options o;
        cd_shape_options so;
        cd_support sa, sb;
        bool met;
        memset(&o, 0, sizeof o);
        memset(&so, 0, sizeof so);
        memset(&m, 0, sizeof m);
        memset(&want, 0, sizeof want);
        so.margin = o.margin = (cd_real)0.1;
        body_open(&a, test_int(&rng, BODY_SPHERE, BODY_HULL), &rng);
        body_open(&b, test_int(&rng, 0, BODY_HULL), &rng);
        a.shape.user = 5;
        sa = ASK("forms", cd_shape_as_support(&a.shape));
        sb = ASK("forms", cd_shape_as_support(&b.shape));
        met = ASK("forms", cd_collide_convex(&sa, &sb, &pose, &o, NULL, &want));
        CHECK_INT(cd_shape_collide(&a.shape, &b.shape, &pose, &so, NULL, &m, 1), met ? 1 : 0);
        CHECK_INT(m.count, want.count);
        for (uint32_t i = 0; i < m.count && met; ++i) {
            CHECK_VEC(m.points[i].a, want.points[i].a, 0);
            CHECK_VEC(m.points[i].b, want.points[i].b, 0);
            CHECK_SAME(m.points[i].distance, want.points[i].distance);
        }
        if (met) CHECK(m.part_a.user == 5 && m.part_a.child == CD_NONE && m.part_b.child == CD_NONE);
        body_close(&a);
        body_close(&b);
    }
}

/* A well with forty walls, each of four triangles, and a prism in it that leans a little: a manifold for each wall, as deep as the deepest point
 * that is told of it. */
typedef struct well_point {
    cd_vec3 normal;
    double distance;
} well_point;

typedef struct well_points {
    well_point point[1000];
    size_t count;
} well_points;

static bool take_point(void *user, const cd_manifold *m, const cd_contact *p) {
    well_points *w = (well_points *)user;
    if (w->count == 1000) return false;
    w->point[w->count].normal = m->normal;
    w->point[w->count++].distance = (double)p->distance;
    return true;
}

/* A prism in a well with many walls at a distance from the origin, just so much smaller; more normals than are held wide. */
static void in_a_well(double far, double inner, long times) {
    enum { SIDES = 40 };
    static well_points all;
    cd_vec3 p[3 * SIDES], q[2 * SIDES];
    uint32_t index[12 * SIDES], n = 0;
    cd_mesh_view view;
    cd_bvh tree;
    cd_hull hull;
    cd_shape well, prism;
    cd_manifold m[64];
    test_rng rng = test_random();
    double rounding = 4 * (double)CD_REAL_EPSILON * far;
    for (int i = 0; i < SIDES; ++i) {
        double angle = 6.283185307179586 * i / SIDES, c = cos(angle), s = sin(angle);
        uint32_t a = 3 * (uint32_t)i, b = 3 * (uint32_t)((i + 1) % SIDES);
        for (int k = 0; k < 3; ++k) p[3 * i + k] = at(far + c, far + s, far + k - 1);
        for (int k = 0; k < 2; ++k) q[2 * i + k] = at(inner * c, inner * s, k - 0.5);
        for (uint32_t k = 0; k < 2; ++k) { /* seen from within */
            index[n++] = a + k, index[n++] = a + k + 1, index[n++] = b + k;
            index[n++] = b + k, index[n++] = a + k + 1, index[n++] = b + k + 1;
        }
    }
    view = cd_mesh_view_make(p, 3 * SIDES, index, n / 3);
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    CHECK_INT(cd_hull3_build(&hull, q, 2 * SIDES, NULL), CD_OK);
    well = cd_shape_of_mesh(&tree, NULL);
    prism = cd_shape_of_hull(&hull);
    for (; times > 0; --times) {
        cd_transform pose = placed_at(far, far, far + test_range(&rng, -0.2, 0.2));
        cd_shape_options o;
        size_t count;
        pose.rotation.x = (cd_real)test_range(&rng, -0.004, 0.004);
        pose.rotation.y = (cd_real)test_range(&rng, -0.004, 0.004);
        memset(&o, 0, sizeof o);
        o.margin = (cd_real)0.05;
        all.count = 0;
        test_note_reals("pose", REALS(pose), 7);
        count = cd_shape_collide(&well, &prism, &pose, &o, NULL, m, 64);
        cd_shape_collide_all(&well, &prism, &pose, &o, take_point, &all);
        CHECK(count >= SIDES && count <= 64 && all.count < 1000);
        for (size_t i = 0; i < all.count; ++i) { /* none is told of a wall whose manifold is not as deep */
            double least = HUGE_VAL;
            for (size_t k = 0; k < count && k < 64; ++k) {
                cd_vec3 off = cd_vec3_sub(m[k].normal, all.point[i].normal);
                if (cd_vec3_dot(off, off) > (cd_real)16e-6) continue;
                for (uint32_t j = 0; j < m[k].count; ++j)
                    least = fmin(least, (double)m[k].points[j].distance);
            }
            CHECK(least <= all.point[i].distance + 1e-5 + rounding);
        }
        for (size_t k = 0; k < count && k < 64; ++k)
            for (uint32_t j = 0; j < m[k].count; ++j) {
                cd_vec3 way = cd_vec3_sub(m[k].points[j].b, m[k].points[j].a);
                CHECK_VEC(way, cd_vec3_scale(m[k].normal, m[k].points[j].distance),
                          4e-3 * fabs((double)m[k].points[j].distance) + 1e-6 + rounding);
            }
        for (size_t k = 0; k < count && k < 64; ++k) /* one for each normal */
            for (size_t i = 0; i < k; ++i) CHECK(memcmp(&m[i].normal, &m[k].normal, sizeof m[k].normal) != 0);
    }
    cd_bvh_destroy(&tree);
    cd_hull_destroy(&hull);
}

static void many_walls(void) {
    in_a_well(0, 0.98, test_times(40));
}

/* Where the rounding of points (of floats) is more than they may be beside their normal. */
static void many_walls_far_away(void) {
    in_a_well(256, 0.995, test_times(40));
}

/* Points within prisms whose sides are two triangles that are level but for rounding, and within round things: as shapes and as convex bodies
 * they have the name of what they are nearest to, and what is curved has face 0. */
static void deep_points_have_names(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        int sides = test_int(&rng, 3, 8);
        double top = test_range(&rng, 0.5, 1.5);
        cd_vec3 corner[16],
            at = cd_vec3_make((cd_real)test_range(&rng, -0.4, 0.4), (cd_real)test_range(&rng, -0.4, 0.4),
                              (cd_real)test_range(&rng, -0.9, 0.9));
        cd_cylinder c = {{0, 0, -1}, {0, 0, 1}, 1};
        cd_shape point = cd_shape_of_point(at), body;
        cd_support p = cd_support_of_point(at), q;
        cd_hull hull;
        cd_hull_parts parts;
        for (int k = 0; k < 2 * sides; ++k) {
            double angle = 2 * acos(-1.0) * (k / 2) / sides, r = k % 2 ? top : 1;
            corner[k] =
                cd_vec3_make((cd_real)(r * cos(angle)), (cd_real)(r * sin(angle)), (cd_real)(k % 2 ? 1 : -1));
        }
        CHECK_INT(cd_hull3_build(&hull, corner, (size_t)(2 * sides), NULL), CD_OK);
        parts = cd_hull_get_parts(&hull);
        test_note("%d sides, top %g ", sides, top);
        test_note_reals("point", &at.x, 3);
        for (int k = 0; k < 4; ++k) {
            cd_manifold m;
            cd_contact *t = &m.points[0];
            uint32_t index;
            body = k < 2 ? cd_shape_of_hull(&hull) : cd_shape_of_cylinder(&c);
            q = k < 2 ? cd_support_of_hull(&hull) : cd_support_of_cylinder(&c);
            if (k % 2 ? !cd_collide_convex(&p, &q, NULL, NULL, NULL, &m)
                      : cd_shape_collide(&point, &body, NULL, NULL, NULL, &m, 1) == 0)
                continue; /* outside */
            CHECK_INT(m.count, 1);
            index = CD_FEATURE_INDEX(t->feature_b);
            CHECK_INT(CD_FEATURE_KIND(t->feature_a), CD_FEATURE_VERTEX);
            CHECK(CD_FEATURE_KIND(t->feature_b) != CD_FEATURE_NONE);
            if (k < 2 && CD_FEATURE_KIND(t->feature_b) == CD_FEATURE_FACE)
                CHECK_NEAR((double)cd_vec3_dot(parts.faces[index].plane.n, t->b),
                           (double)parts.faces[index].plane.d, 16 * (double)CD_REAL_EPSILON);
        }
        cd_hull_destroy(&hull);
    }
}

/* A box beside a capsule that reaches as far as numbers do: what hides its faces has no finite direction. */
static void a_neighbour_as_large_as_numbers_go(void) {
    const cd_triangle t = {
        {(cd_real)-0.48824182545286399, (cd_real)0.86421754230694203, (cd_real)-3.4028234663852886e+38},
        {(cd_real)0.71185509231949107, (cd_real)-0.29992543194470733, (cd_real)-0.1713106597536902},
        {(cd_real)0.0087085469369108104, (cd_real)-0.61238760734685438, (cd_real)-0.3710982410197643}};
    const cd_capsule capsule = {
        {(cd_real)0.71185509231949107, (cd_real)-0.29992543194470733, (cd_real)-0.1713106597536902},
        {(cd_real)0.0087085469369108104, (cd_real)-0.61238760734685438, (cd_real)-0.3710982410197643},
        CD_REAL_MAX};
    const cd_obb box = {
        {(cd_real)0.15617092956185363, (cd_real)0.54744586643716375, (cd_real)-0.91124419775719723},
        {{{(cd_real)0.41995629608484869, (cd_real)0.90053658683411364, (cd_real)0.11256360491677503},
          {(cd_real)-0.79868806254339186, (cd_real)0.3078314127966113, (cd_real)0.51704661303051314},
          {(cd_real)0.43096877860162647, (cd_real)-0.30704018803538918, (cd_real)0.84852356172460808}}},
        {(cd_real)0.69518427985606279, (cd_real)0.98880545506453565, (cd_real)9.8607613152626476e-31}};
    cd_shape a = cd_shape_of_triangle(&t), wide = cd_shape_of_capsule(&capsule), thin = cd_shape_of_obb(&box),
             whole;
    const cd_placed_shape children[2] = {
        {&wide,
         {{(cd_real)-0.22984554862985784, (cd_real)0.12529642359740856, (cd_real)0.94392437304670662,
           (cd_real)0.57006142271743965},
          {(cd_real)0.96623379194694836, (cd_real)0.47874601782891402, (cd_real)0.59267417225715802}}},
        {&thin,
         {{(cd_real)0.6250270596804206, (cd_real)0.94764648033933829, (cd_real)0.69518427985606279,
           (cd_real)0.98880545506453565},
          {(cd_real)0.7659917451278847, (cd_real)0.30312445760503648, (cd_real)0.11711921055769903}}}};
    cd_compound both = cd_compound_of(children, 2);
    cd_manifold m[4];
    size_t count;
    whole = cd_shape_of_compound(&both);
    count = cd_shape_collide(&a, &whole, NULL, NULL, NULL, m, 4);
    for (size_t i = 0; i < count && i < 4; ++i) CHECK_NEAR(cd_vec3_length(m[i].normal), 1, 1e-6);
}

void suite_shape_collide(void) {
    RUN(deep_points_have_names);
    RUN(a_neighbour_as_large_as_numbers_go);
    RUN(sliding_on_a_mesh);
    RUN(sliding_on_corners_at_edges);
    RUN(sliding_on_a_fan);
    RUN(sliding_on_faces_of_boxes);
    RUN(walls_under_a_floor);
    RUN(a_hair_over_walls);
    RUN(rims_stand_on_the_same_places);
    RUN(all_points_of_two_convex_shapes);
    RUN(sliding_on_a_height_field);
    RUN(sliding_on_separate_triangles);
    RUN(sliding_on_separate_meshes);
    RUN(sliding_on_boxes);
    RUN(sliding_on_hulls);
    RUN(edges_are_felt_without_it);
    RUN(sliding_over_a_roof);
    RUN(two_normals_in_a_valley);
    RUN(the_rim_is_an_edge);
    RUN(what_is_said_of_parts_reaches_contacts);
    RUN(offsets_are_taken_off);
    RUN(the_deepest_come_first);
    RUN(one_side_is_the_front);
    RUN(many_walls);
    RUN(many_walls_far_away);
    RUN(halfspaces);
    RUN(the_deepest_is_told_far_away);
    RUN(halfspaces_ask_the_tree);
    RUN(meshes_on_meshes);
    RUN(seams_of_a_body);
    RUN(cracks_far_away_are_not_felt);
    RUN(flanks_over_seams);
    RUN(tips_at_crossings);
    RUN(crates_in_corners);
    RUN(short_ways_out_do_not_count);
    RUN(many_pairs_wait);
    RUN(ends_of_round_parts);
    RUN(touching_is_told);
    RUN(tips_in_cracks);
    RUN(roofs_of_all_sizes);
    RUN(trees_do_not_matter);
    RUN(convex_shapes_are_convex_bodies);
}
