/* Every bounding volume around a mesh: a table of how much room each one takes, and a picture of them all.
 *
 *     cc -O2 examples/fit_volumes.c -I. -lm -o fit_volumes
 *     ./fit_volumes                          a bent tube of its own
 *     ./fit_volumes bunny.obj                the vertices and faces of an OBJ file
 *     ./fit_volumes bunny.obj picture.ppm    ... and a picture */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a mesh ---- */

typedef struct mesh {
    cd_vec3 *points;
    uint32_t *corners;
    uint32_t point_count, point_room, corner_count, corner_room;
} mesh;

static void *more(void *list, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room) return list;
    *room = *room ? 2 * *room : 256;
    list = realloc(list, *room * size);
    if (!list) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return list;
}

static void add_point(mesh *m, double x, double y, double z) {
    m->points = (cd_vec3 *)more(m->points, m->point_count, &m->point_room, sizeof *m->points);
    m->points[m->point_count++] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static void add_corner(mesh *m, uint32_t point) {
    m->corners = (uint32_t *)more(m->corners, m->corner_count, &m->corner_room, sizeof *m->corners);
    m->corners[m->corner_count++] = point;
}

static void add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c) {
    add_corner(m, a);
    add_corner(m, b);
    add_corner(m, c);
}

/* A tube along a bent line, thinner at its ends. */
static void make_tube(mesh *m) {
    enum { RINGS = 48, SIDES = 16 };
    for (int i = 0; i <= RINGS; ++i) {
        double s = (double)i / RINGS, turn = 2.6 * s, thick = 0.12 + 0.5 * s * (1 - s);
        for (int j = 0; j < SIDES; ++j) {
            double angle = 6.283185307179586 * j / SIDES;
            double out = 2 + thick * (double)cd_cos((cd_real)angle),
                   up = thick * (double)cd_sin((cd_real)angle);
            add_point(m, out * (double)cd_cos((cd_real)turn), out * (double)cd_sin((cd_real)turn),
                      up + 0.8 * s);
        }
    }
    for (uint32_t i = 0; i < RINGS; ++i) {
        for (uint32_t j = 0; j < SIDES; ++j) {
            uint32_t k = (j + 1) % SIDES, a = i * SIDES + j, b = i * SIDES + k;
            add_triangle(m, a, b + SIDES, b);
            add_triangle(m, a, a + SIDES, b + SIDES);
        }
    }
}

/* The corners of a line `f 1/2/3 4 -1 ...`, as a fan of triangles; false when one names no vertex. */
static bool read_face(mesh *m, char *text) {
    uint32_t first = 0, last = 0;
    int corners = 0;
    for (char *word = strtok(text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n"), ++corners) {
        long index = strtol(word, NULL, 10);
        if (index < 0) index += (long)m->point_count + 1;
        if (index < 1 || index > (long)m->point_count) return false;
        if (corners >= 2) add_triangle(m, first, last, (uint32_t)(index - 1));
        if (corners == 0) first = (uint32_t)(index - 1);
        last = (uint32_t)(index - 1);
    }
    return true;
}

static bool read_obj(mesh *m, const char *name) {
    char line[4096];
    FILE *file = fopen(name, "r");
    bool good = file != NULL;
    while (good && fgets(line, sizeof line, file)) {
        double x, y, z;
        if (line[0] == 'v' && line[1] == ' ') {
            good = sscanf(line + 2, "%lf %lf %lf", &x, &y, &z) == 3;
            if (good) add_point(m, x, y, z);
        } else if (line[0] == 'f' && line[1] == ' ') {
            good = read_face(m, line + 2);
        }
    }
    if (file) fclose(file);
    return good && m->point_count > 0;
}

/* ---- volumes: what the table and the picture ask of each ---- */

typedef bool (*cast_fn)(const void *shape, const cd_ray *ray, cd_hit *hit);

typedef struct volume {
    const char *name;
    double size; /* volume */
    cast_fn cast;
    const void *shape;
    cd_status status;
} volume;

/* One function for each kind; they differ in the type alone. */
#define CAST(kind)                                                                                           \
    static bool cast_##kind(const void *shape, const cd_ray *ray, cd_hit *hit) {                             \
        return cd_cast_ray_##kind(ray, CD_REAL_MAX, (const cd_##kind *)shape, NULL, hit);                    \
    }
CAST(obb)
CAST(capsule)
CAST(lozenge)
CAST(cylinder)
CAST(cone)
CAST(ellipsoid)
CAST(spherical_shell)
CAST(zonotope)

static bool cast_aabb(const void *shape, const cd_ray *ray, cd_hit *hit) {
    return cd_cast_ray_aabb(ray, CD_REAL_MAX, *(const cd_aabb *)shape, NULL, hit);
}

static bool cast_sphere(const void *shape, const cd_ray *ray, cd_hit *hit) {
    return cd_cast_ray_sphere(ray, CD_REAL_MAX, *(const cd_sphere *)shape, NULL, hit);
}

/* A k-DOP knows its numbers, the set their directions. */
typedef struct kdop_in_set {
    const cd_kdop *dop;
    const cd_kdop_set *set;
} kdop_in_set;

static bool cast_kdop(const void *shape, const cd_ray *ray, cd_hit *hit) {
    const kdop_in_set *k = (const kdop_in_set *)shape;
    return cd_cast_ray_kdop(ray, CD_REAL_MAX, k->dop, k->set, NULL, hit);
}

/* All of them, and what they are about. */
typedef struct volumes {
    cd_aabb box;
    cd_sphere ritter, ball;
    cd_obb obb[3];
    cd_capsule capsule;
    cd_lozenge lozenge;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_spherical_shell shell;
    cd_zonotope zonotope;
    cd_vec3 generators[CD_ZONOTOPE_DIRECTIONS];
    cd_kdop_set set[2];
    cd_kdop dop[2];
    kdop_in_set dops[2];
    volume list[20];
    int count;
} volumes;

static void list_volume(volumes *v, const char *name, cd_status status, cd_real size, cast_fn cast,
                        const void *shape) {
    volume *entry = &v->list[v->count++];
    entry->name = name;
    entry->status = status;
    entry->size = (double)size;
    entry->cast = cast;
    entry->shape = shape;
}

/* ---- the picture: each volume like glass around the mesh, seen along rays that are all parallel ---- */

enum { CELL = 180, COLUMNS = 5 };

typedef struct view {
    cd_vec3 center, right, up, forward;
    cd_real radius;
} view;

static view view_of(cd_sphere ball) {
    view v;
    v.center = ball.center;
    v.radius = ball.radius * (cd_real)1.6;
    v.forward = cd_vec3_normalize(cd_vec3_make(-2, 3, -2));
    v.right = cd_vec3_normalize(cd_vec3_cross(v.forward, cd_vec3_make(0, 0, 1)));
    v.up = cd_vec3_cross(v.right, v.forward);
    return v;
}

static cd_ray view_ray(const view *v, int x, int y) {
    cd_real right = v->radius * (cd_real)((2 * x + 1 - CELL) / (double)CELL);
    cd_real up = v->radius * (cd_real)((CELL - 1 - 2 * y) / (double)CELL);
    cd_ray r;
    r.dir = v->forward;
    r.origin = cd_vec3_add(v->center, cd_vec3_scale(v->forward, -4 * v->radius));
    r.origin = cd_vec3_add(r.origin, cd_vec3_add(cd_vec3_scale(v->right, right), cd_vec3_scale(v->up, up)));
    return r;
}

/* How bright a surface is, lit from above and from the camera. */
static double shade(const view *v, cd_vec3 normal) {
    cd_vec3 light = cd_vec3_normalize(cd_vec3_make(1, -1, 2));
    double facing = fabs((double)cd_vec3_dot(normal, v->forward));
    double lit = (double)cd_vec3_dot(normal, light);
    return 0.25 + 0.35 * facing + 0.4 * (lit > 0 ? lit : 0);
}

static void mix(double pixel[3], const double color[3], double bright, double share) {
    for (int k = 0; k < 3; ++k) pixel[k] += share * (bright * color[k] - pixel[k]);
}

/* The mesh, and over it the side of the volume that is turned here. */
static void draw_pixel(const view *v, const cd_bvh *tree, const volume *entry, cd_ray ray, double pixel[3]) {
    static const double paper[3] = {255, 255, 255}, ink[3] = {240, 170, 90}, glass[3] = {90, 140, 220};
    cd_hit hit;
    mix(pixel, paper, 1, 1);
    if (tree && cd_bvh_cast_ray(tree, &ray, CD_REAL_MAX, NULL, &hit))
        mix(pixel, ink, shade(v, hit.normal), 1);
    if (entry->cast && entry->cast(entry->shape, &ray, &hit)) mix(pixel, glass, shade(v, hit.normal), 0.45);
}

static bool draw(const volumes *all, const cd_bvh *tree, const char *name) {
    view v = view_of(all->ball);
    int rows = (all->count + COLUMNS - 1) / COLUMNS;
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    fprintf(file, "P6\n%d %d\n255\n", COLUMNS * CELL, rows * CELL);
    for (int y = 0; y < rows * CELL; ++y) {
        for (int x = 0; x < COLUMNS * CELL; ++x) {
            int cell = y / CELL * COLUMNS + x / CELL;
            double pixel[3] = {255, 255, 255};
            if (cell < all->count)
                draw_pixel(&v, tree, &all->list[cell], view_ray(&v, x % CELL, y % CELL), pixel);
            for (int k = 0; k < 3; ++k) putc((int)(pixel[k] + 0.5), file);
        }
    }
    return fclose(file) == 0;
}

/* ---- all fits ---- */

static void fit_kdop(volumes *v, int i, const char *name, uint32_t k, const cd_vec3 *points, size_t count) {
    cd_status s;
    v->set[i] = cd_kdop_set_standard(k);
    v->dops[i].dop = &v->dop[i];
    v->dops[i].set = &v->set[i];
    s = cd_kdop_from_points(points, count, &v->set[i], &v->dop[i]);
    list_volume(v, name, s, cd_kdop_volume(&v->dop[i], &v->set[i]), cast_kdop, &v->dops[i]);
}

/* The axes of a box, and its diagonals. */
static void zonotope_directions(const cd_obb *box, cd_vec3 out[CD_ZONOTOPE_DIRECTIONS]) {
    const cd_vec3 *axis = box->axes.col;
    for (int i = 0; i < 3; ++i) out[i] = axis[i];
    for (int i = 0; i < 4; ++i) {
        cd_vec3 d = cd_vec3_scale(axis[0], box->half.x);
        d = cd_vec3_add(d, cd_vec3_scale(axis[1], i & 1 ? box->half.y : -box->half.y));
        out[3 + i] = cd_vec3_add(d, cd_vec3_scale(axis[2], i & 2 ? box->half.z : -box->half.z));
    }
}

/* A shell holds the points, but not always what is between them: it is hollow. */
static void fit(volumes *v, const cd_vec3 *points, size_t count, const cd_hull *hull) {
    cd_vec3 directions[CD_ZONOTOPE_DIRECTIONS];
    cd_status s;
    v->count = 0;
    v->box = cd_aabb_from_points(points, count);
    list_volume(v, "AABB", CD_OK, cd_aabb_volume(v->box), cast_aabb, &v->box);
    s = cd_sphere_ritter(points, count, &v->ritter);
    list_volume(v, "sphere, Ritter", s, cd_sphere_volume(v->ritter), cast_sphere, &v->ritter);
    s = cd_sphere_welzl(points, count, &v->ball);
    list_volume(v, "sphere, smallest", s, cd_sphere_volume(v->ball), cast_sphere, &v->ball);
    s = cd_obb_from_points(points, count, &v->obb[0]);
    list_volume(v, "OBB, covariance", s, cd_obb_volume(&v->obb[0]), cast_obb, &v->obb[0]);
    s = cd_obb_from_hull(hull, &v->obb[1]);
    list_volume(v, "OBB, of the hull", s, cd_obb_volume(&v->obb[1]), cast_obb, &v->obb[1]);
    s = cd_obb_min_volume(hull, NULL, &v->obb[2]);
    list_volume(v, "OBB, smallest", s, cd_obb_volume(&v->obb[2]), cast_obb, &v->obb[2]);
    s = cd_capsule_from_points(points, count, NULL, &v->capsule);
    list_volume(v, "capsule", s, cd_capsule_volume(&v->capsule), cast_capsule, &v->capsule);
    s = cd_lozenge_from_points(points, count, NULL, &v->lozenge);
    list_volume(v, "lozenge", s, cd_lozenge_volume(&v->lozenge), cast_lozenge, &v->lozenge);
    s = cd_cylinder_from_points(points, count, &v->cylinder);
    list_volume(v, "cylinder", s, cd_cylinder_volume(&v->cylinder), cast_cylinder, &v->cylinder);
    s = cd_cone_from_points(points, count, &v->cone);
    list_volume(v, "cone", s, cd_cone_volume(&v->cone), cast_cone, &v->cone);
    s = cd_ellipsoid_from_points(points, count, &v->ellipsoid, NULL);
    list_volume(v, "ellipsoid", s, cd_ellipsoid_volume(&v->ellipsoid), cast_ellipsoid, &v->ellipsoid);
    zonotope_directions(&v->obb[2], directions);
    s = cd_zonotope_from_points(points, count, directions, CD_ZONOTOPE_DIRECTIONS, v->generators,
                                &v->zonotope);
    list_volume(v, "zonotope", s, cd_zonotope_volume(&v->zonotope), cast_zonotope, &v->zonotope);
    fit_kdop(v, 0, "14-DOP", 14, points, count);
    fit_kdop(v, 1, "26-DOP", 26, points, count);
    s = cd_spherical_shell_from_points(points, count, &v->shell);
    list_volume(v, "spherical shell", s, cd_spherical_shell_volume(&v->shell), cast_spherical_shell,
                &v->shell);
}

static void print_table(const volumes *v, double least) {
    printf("%-18s %12s %10s\n", "", "volume", "of hull's");
    printf("%-18s %12.4f %10.3f\n", "hull", least, 1.0);
    for (int i = 0; i < v->count; ++i) {
        const volume *entry = &v->list[i];
        if (entry->status == CD_OK) {
            printf("%-18s %12.4f %10.3f\n", entry->name, entry->size, entry->size / least);
        } else {
            printf("%-18s %s\n", entry->name, cd_status_text(entry->status));
        }
    }
}

static int fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    return 1;
}

int main(int argc, char **argv) {
    mesh m;
    volumes v;
    cd_hull hull;
    cd_bvh tree;
    cd_mesh_view view;
    cd_mass mass;
    bool has_tree;
    memset(&m, 0, sizeof m);
    if (argc < 2) {
        make_tube(&m);
    } else if (!read_obj(&m, argv[1])) {
        return fail("cannot read the mesh");
    }
    if (cd_hull3_build(&hull, m.points, m.point_count, NULL) != CD_OK) return fail("the points have no hull");
    mass = cd_mass_from_hull(&hull);
    fit(&v, m.points, m.point_count, &hull);
    print_table(&v, (double)mass.mass);
    view = cd_mesh_view_make(m.points, m.point_count, m.corners, m.corner_count / 3);
    has_tree = cd_bvh_build_mesh(&tree, &view, NULL) == CD_OK;
    if (argc > 2 && !draw(&v, has_tree ? &tree : NULL, argv[2])) return fail("cannot write the picture");
    if (has_tree) cd_bvh_destroy(&tree);
    cd_hull_destroy(&hull);
    free(m.points);
    free(m.corners);
    return 0;
}
