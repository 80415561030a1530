/* Height fields: every query against that of a tree over the mesh they stand for, whose places and triangles are worked out here from
 * the samples. */
#include "gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

typedef struct field {
    cd_height_view view;
    unsigned char *samples;
    uint8_t *cuts, *materials;
    uint32_t *masks, flags;
    cd_bvh tree, mesh;
    cd_vec3 *places;
    uint32_t *indices, *number, *primitive_masks, count; /* of the mesh; number: the index of each triangle */
    double extent;
} field;

static void *room(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) abort();
    return p;
}

static size_t sample_size(uint32_t format) {
    static const size_t sizes[] = {sizeof(cd_real), 1, 2, 2, 4, 8};
    return sizes[format];
}

static void put_sample(unsigned char *to, uint32_t format, double x) {
    double whole = isfinite(x) ? x : 3;
    uint8_t b = (uint8_t)fmod(fabs(whole), 256.0);
    uint16_t u = (uint16_t)fmod(fabs(whole), 65536.0);
    int16_t s = (int16_t)fmod(whole, 32768.0);
    float f = (float)x;
    cd_real r = (cd_real)x;
    switch (format) {
    case CD_HEIGHT_U8: *to = b; break;
    case CD_HEIGHT_U16: memcpy(to, &u, sizeof u); break;
    case CD_HEIGHT_I16: memcpy(to, &s, sizeof s); break;
    case CD_HEIGHT_F32: memcpy(to, &f, sizeof f); break;
    case CD_HEIGHT_F64: memcpy(to, &x, sizeof x); break;
    default: memcpy(to, &r, sizeof r); break;
    }
}

static double get_sample(const unsigned char *from, uint32_t format) {
    uint16_t u;
    int16_t s;
    float f;
    double d;
    cd_real r;
    switch (format) {
    case CD_HEIGHT_U8: return (double)*from;
    case CD_HEIGHT_U16: memcpy(&u, from, sizeof u); return (double)u;
    case CD_HEIGHT_I16: memcpy(&s, from, sizeof s); return (double)s;
    case CD_HEIGHT_F32: memcpy(&f, from, sizeof f); return (double)f;
    case CD_HEIGHT_F64: memcpy(&d, from, sizeof d); return d;
    default: memcpy(&r, from, sizeof r); return (double)r;
    }
}

static unsigned char *sample_at(const field *f, uint32_t x, uint32_t y) {
    return f->samples + (size_t)y * f->view.row_stride + x * sample_size(f->view.format);
}

static cd_real orient(double x) {
    return fabs(x) > (double)CD_REAL_MAX ? (cd_real)(x > 0 ? INFINITY : -INFINITY) : (cd_real)x;
}

/* Where a sample lies, as the documentation has it. */
static cd_vec3 place_of(const field *f, uint32_t x, uint32_t y) {
    const cd_height_view *v = &f->view;
    double sx = v->spacing[0] == 0 ? 1 : (double)v->spacing[0],
           sy = v->spacing[1] == 0 ? 1 : (double)v->spacing[1];
    double along = (double)x * sx, down = (double)y * sy;
    double up = get_sample(sample_at(f, x, y), v->format) * (v->scale == 0 ? 1 : (double)v->scale);
    const double o[3] = {(double)v->origin.x, (double)v->origin.y, (double)v->origin.z};
    if (v->up == CD_HEIGHT_Z_UP)
        return cd_vec3_make(orient(o[0] + along), orient(o[1] + down), orient(o[2] + up));
    if (v->up == CD_HEIGHT_Y_UP)
        return cd_vec3_make(orient(o[0] + along), orient(o[1] + up), orient(o[2] + down));
    return cd_vec3_make(orient(o[0] + up), orient(o[1] + along), orient(o[2] + down));
}

static bool is_cut_bc(const field *f, uint32_t x, uint32_t y) {
    size_t i = (size_t)y * (f->view.columns - 1) + x;
    switch (f->view.cut) {
    case CD_HEIGHT_CUT_AD: return false;
    case CD_HEIGHT_CUT_BC: return true;
    case CD_HEIGHT_CUT_DIAMOND: return (x + y) % 2 == 1;
    case CD_HEIGHT_CUT_ZIGZAG: return y % 2 == 1;
    default: return (f->cuts[i / 8] >> i % 8 & 1) != 0;
    }
}

static bool finite_place(cd_vec3 p) {
    return isfinite((double)p.x) && isfinite((double)p.y) && isfinite((double)p.z);
}

static bool is_there(const field *f, uint32_t x, uint32_t y) {
    uint32_t n = f->view.columns, a = y * n + x;
    if (f->materials && f->materials[(size_t)y * (n - 1) + x] == CD_HEIGHT_HOLE) return false;
    return finite_place(f->places[a]) && finite_place(f->places[a + 1]) && finite_place(f->places[a + n]) &&
           finite_place(f->places[a + n + 1]);
}

static void add_triangle(field *f, uint32_t index, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *to = f->indices + 3 * f->count;
    to[0] = a;
    to[1] = f->view.up == CD_HEIGHT_Y_UP ? c : b;
    to[2] = f->view.up == CD_HEIGHT_Y_UP ? b : c;
    f->primitive_masks[f->count] = f->masks[f->materials ? f->materials[index / 2] : 0];
    f->number[f->count++] = index;
}

/* The mesh, by the documentation. */
static void make_mesh(field *f) {
    uint32_t n = f->view.columns;
    cd_mesh_view m;
    cd_bvh_options o;
    f->count = 0;
    for (uint32_t y = 0; y < f->view.rows; ++y) {
        for (uint32_t x = 0; x < n; ++x) f->places[y * n + x] = place_of(f, x, y);
    }
    for (uint32_t y = 0; y + 1 < f->view.rows; ++y) {
        for (uint32_t x = 0; x + 1 < n; ++x) {
            uint32_t a = y * n + x, b = a + 1, c = a + n, d = c + 1, index = 2 * (y * (n - 1) + x);
            if (!is_there(f, x, y)) continue;
            if (is_cut_bc(f, x, y)) {
                add_triangle(f, index, a, b, c);
                add_triangle(f, index + 1, b, d, c);
            } else {
                add_triangle(f, index, a, b, d);
                add_triangle(f, index + 1, a, d, c);
            }
        }
    }
    m = cd_mesh_view_make(f->places, n * f->view.rows, f->indices, f->count);
    memset(&o, 0, sizeof o);
    o.masks = f->view.material_masks ? f->primitive_masks : NULL;
    cd_bvh_destroy(&f->mesh);
    CHECK_INT(cd_bvh_build_mesh(&f->mesh, &m, &o), CD_OK);
}

enum { KIND_NOISE, KIND_FLAT, KIND_STEPS, KIND_ULP, KIND_WIDE, KIND_NEEDLES, KIND_FAR, KIND_HOSTILE, KINDS };

static double draw_height(test_rng *rng, int kind, uint32_t x, uint32_t y) {
    switch (kind) {
    case KIND_FLAT: return 7;
    case KIND_STEPS: return test_int(rng, 0, 3);
    case KIND_ULP: return 1 + (double)CD_REAL_EPSILON * test_int(rng, 0, 3);
    case KIND_WIDE: return ldexp(test_unit(rng) - 0.5, test_int(rng, -50, 50));
    case KIND_NEEDLES: return test_int(rng, 0, 3) ? 0 : 1e6;
    case KIND_HOSTILE:
        return test_int(rng, 0, 9) ? test_range(rng, -5, 5) : (test_int(rng, 0, 1) ? NAN : -INFINITY);
    default: return 100 + 20 * sin(0.3 * (double)x) * cos(0.2 * (double)y) + 5 * test_unit(rng);
    }
}

static void draw_frame(field *f, test_rng *rng, int kind) {
    cd_height_view *v = &f->view;
    double x = test_range(rng, -5, 5), y = test_range(rng, -5, 5), z = test_range(rng, -5, 5);
    double far_off = kind == KIND_FAR ? 1e5 : 1;
    v->origin = cd_vec3_make((cd_real)(x * far_off), (cd_real)(y * far_off), (cd_real)(z * far_off));
    v->spacing[0] = v->spacing[1] = 1;
    v->scale = 1;
    if (kind == KIND_STEPS) v->origin = cd_vec3_make(0, 0, 0);
    if (kind == KIND_NEEDLES) v->spacing[0] = v->spacing[1] = (cd_real)1e-3;
    if (kind == KIND_NOISE || kind == KIND_FAR) {
        v->spacing[0] = (cd_real)test_range(rng, 0.1, 3);
        v->spacing[1] = (cd_real)(test_int(rng, 0, 3) ? test_range(rng, 0.1, 3) : 50);
        v->scale = (cd_real)test_range(rng, -0.3, 0.3);
    }
    if (kind == KIND_WIDE) v->scale = (cd_real)(test_int(rng, 0, 1) ? -1 : 1);
}

static void draw_holes(field *f, test_rng *rng) {
    uint32_t w = f->view.columns > 0 ? f->view.columns - 1 : 0, h = f->view.rows > 0 ? f->view.rows - 1 : 0;
    int rare = test_int(rng, 0, 2) ? 12 : 1;
    f->materials = (uint8_t *)room((size_t)w * h, 1);
    for (size_t i = 0; i < (size_t)w * h; ++i) {
        f->materials[i] = (uint8_t)test_int(rng, 0, 5);
        if (!test_int(rng, 0, rare)) f->materials[i] = CD_HEIGHT_HOLE;
    }
    for (uint32_t y = h / 4; y < h / 2; ++y) { /* a large one, of whole nodes */
        for (uint32_t x = w / 3; x < w - w / 4; ++x) f->materials[y * w + x] = CD_HEIGHT_HOLE;
    }
    f->view.materials = f->materials;
}

static field field_make(test_rng *rng, int kind, uint32_t columns, uint32_t rows) {
    field f;
    size_t cells = (size_t)(columns > 0 ? columns - 1 : 0) * (rows > 0 ? rows - 1 : 0);
    cd_bvh_options o;
    cd_aabb b;
    memset(&f, 0, sizeof f);
    memset(&o, 0, sizeof o);
    f.view.format = (uint32_t)test_int(rng, 0, 5);
    f.view.columns = columns;
    f.view.rows = rows;
    f.view.row_stride = (uint32_t)(columns * sample_size(f.view.format)) + (uint32_t)test_int(rng, 0, 3);
    f.view.up = (uint32_t)test_int(rng, 0, 2);
    f.view.cut = (uint32_t)test_int(rng, 0, 4);
    draw_frame(&f, rng, kind);
    f.samples = (unsigned char *)room((size_t)rows * f.view.row_stride + 8, 1);
    f.view.samples = f.samples;
    for (uint32_t y = 0; y < rows; ++y) {
        for (uint32_t x = 0; x < columns; ++x)
            put_sample(sample_at(&f, x, y), f.view.format, draw_height(rng, kind, x, y));
    }
    f.cuts = (uint8_t *)room(cells / 8 + 1, 1);
    for (size_t i = 0; i <= cells / 8; ++i) f.cuts[i] = (uint8_t)test_int(rng, 0, 255);
    f.view.cuts = f.cuts;
    if (test_int(rng, 0, 1)) draw_holes(&f, rng);
    f.masks = (uint32_t *)room(256, sizeof *f.masks);
    for (int i = 0; i < 256; ++i) f.masks[i] = 1u << i % 5;
    if (test_int(rng, 0, 1)) f.view.material_masks = f.masks;
    f.flags = o.flags = kind == KIND_HOSTILE ? CD_BVH_SKIP_INVALID : 0;
    CHECK_INT(ASK("loop", cd_bvh_build_heights(&f.tree, &f.view, &o)), CD_OK);
    f.places = (cd_vec3 *)room((size_t)columns * rows, sizeof *f.places);
    f.indices = (uint32_t *)room(6 * cells, sizeof *f.indices);
    f.number = (uint32_t *)room(2 * cells, sizeof *f.number);
    f.primitive_masks = (uint32_t *)room(2 * cells, sizeof *f.primitive_masks);
    make_mesh(&f);
    b = cd_bvh_bounds(&f.mesh);
    if (f.count) f.extent = (double)cd_vec3_dist(b.min, b.max);
    test_note("kind %d, %u x %u, format %u, up %u, cut %u", kind, columns, rows, f.view.format, f.view.up,
              f.view.cut);
    return f;
}

static void field_free(field *f) {
    cd_bvh_destroy(&f->tree);
    cd_bvh_destroy(&f->mesh);
    free(f->samples);
    free(f->cuts);
    free(f->masks);
    free(f->materials);
    free(f->places);
    free(f->indices);
    free(f->number);
    free(f->primitive_masks);
}

static field field_random(test_rng *rng) {
    int kind = test_int(rng, 0, KINDS - 1), shape = test_int(rng, 0, 5);
    uint32_t columns = (uint32_t)test_int(rng, 2, 22), rows = (uint32_t)test_int(rng, 2, 22);
    if (shape == 0) columns = 2;
    if (shape == 1) rows = 2;
    if (shape == 2) columns = 130;
    if (shape == 2) rows = 3;
    if (shape == 3) columns = rows = 17;
    return field_make(rng, kind, columns, rows);
}

/* ---- the mesh it stands for ---- */

static void the_mesh_is_as_documented(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i >= 0; --i) {
        field f = field_random(&rng);
        cd_height_info info = ASK("judge", cd_heights_get_info(&f.tree));
        uint32_t samples = f.view.columns * f.view.rows;
        cd_vec3 *places = (cd_vec3 *)room(samples, sizeof *places);
        uint32_t *indices = (uint32_t *)room(3 * (size_t)f.count, sizeof *indices);
        uint32_t *number = (uint32_t *)room(f.count, sizeof *number);
        cd_aabb a = ASK("loop", cd_bvh_bounds(&f.tree)), b = ASK("loop", cd_bvh_bounds(&f.mesh));
        CHECK_INT(ASK("judge", cd_bvh_validate(&f.tree)), CD_OK);
        CHECK_INT(ASK("loop", cd_bvh_count(&f.tree)), f.count);
        CHECK_INT(ASK("loop", cd_bvh_get_kind(&f.tree)), CD_BVH_TRIANGLES);
        CHECK_INT(ASK("loop", cd_bvh_get_layout(&f.tree)), CD_BVH_HEIGHTS);
        CHECK(info.columns == f.view.columns && info.rows == f.view.rows && info.up == f.view.up);
        CHECK_INT(info.triangles, f.count);
        CHECK_INT(ASK("loop", cd_heights_mesh(&f.tree, places, indices, number)), f.count);
        CHECK(!memcmp(indices, f.indices, 3 * f.count * sizeof *indices));
        CHECK(!memcmp(number, f.number, f.count * sizeof *number));
        for (uint32_t k = 0; k < samples; ++k) {
            if (finite_place(f.places[k]))
                CHECK(places[k].x == f.places[k].x && places[k].y == f.places[k].y &&
                      places[k].z == f.places[k].z);
            else
                CHECK(!finite_place(places[k]));
        }
        if (f.count) CHECK(!memcmp(&a, &b, sizeof a));
        for (uint32_t k = 0, next = 0; k < 2 * info.cells + 3; ++k) {
            bool there = next < f.count && f.number[next] == k;
            cd_triangle t;
            cd_height_cell c;
            CHECK_INT(ASK("loop", cd_heights_triangle(&f.tree, k, &t)), there);
            CHECK_INT(ASK("loop", cd_heights_cell(&f.tree, k, &c)), k < 2 * info.cells);
            CHECK_INT(ASK("loop", cd_heights_material(&f.tree, k)),
                      there ? (f.materials ? f.materials[k / 2] : 0) : CD_NONE);
            if (k < 2 * info.cells)
                CHECK(2 * (c.row * (f.view.columns - 1) + c.column) + c.half == k && c.is_hole == !there);
            if (!there) continue;
            CHECK_VEC(t.a, f.places[f.indices[3 * next]], 0);
            CHECK_VEC(t.b, f.places[f.indices[3 * next + 1]], 0);
            CHECK_VEC(t.c, f.places[f.indices[3 * next + 2]], 0);
            ++next;
        }
        free(places);
        free(indices);
        free(number);
        field_free(&f);
    }
}

/* ---- queries ---- */

static cd_vec3 some_place(const field *f, test_rng *rng) {
    cd_aabb b = cd_bvh_bounds(&f->mesh);
    const uint32_t *t = f->indices + 3 * (size_t)test_int(rng, 0, (int)f->count - 1);
    double margin = 0.05 * f->extent, x[3];
    int kind = test_int(rng, 0, 4);
    if (kind == 0) return f->places[t[0]];
    if (kind == 1) return cd_vec3_lerp(f->places[t[0]], f->places[t[1]], (cd_real)0.5);
    if (kind == 2) return cd_vec3_lerp(f->places[t[1]], f->places[t[2]], (cd_real)test_unit(rng));
    for (int k = 0; k < 3; ++k) {
        double lo = (double)REALS(b.min)[k] - margin, hi = (double)REALS(b.max)[k] + margin;
        x[k] = test_range(rng, lo, hi > lo ? hi : lo + 1e-30);
    }
    return cd_vec3_make((cd_real)x[0], (cd_real)x[1], (cd_real)x[2]);
}

static cd_real some_size(const field *f, test_rng *rng) {
    static const double share[] = {0.0, 0.01, 0.05, 0.2, 1.0};
    int which = test_int(rng, 0, 4);
    return (cd_real)(f->extent * share[which] * test_unit(rng));
}

static cd_cast_options some_options(test_rng *rng) {
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    o.t_min = test_int(rng, 0, 4) ? 0 : (cd_real)0.25;
    o.ignore_mask = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    return o;
}

/* The same hit, but that the mesh numbers its triangles without holes. */
static bool same_hit(const field *f, const cd_hit *got, const cd_hit *want) {
    cd_hit w = *want;
    w.index = f->number[w.index];
    return got->t == w.t && got->index == w.index && !memcmp(&got->point, &w.point, sizeof w.point) &&
           !memcmp(&got->normal, &w.normal, sizeof w.normal) && got->depth == w.depth &&
           got->feature == w.feature && got->flags == w.flags;
}

static size_t hits_seen;

/* Along lines of the grid, diagonals, straight up and down, through corners, or any. */
static cd_ray some_ray(const field *f, test_rng *rng) {
    cd_vec3 from = some_place(f, rng), to = some_place(f, rng);
    cd_ray r = cd_ray_through(from, to);
    int kind = test_int(rng, 0, 7), axis = test_int(rng, 0, 2);
    if (kind == 0) REALS(r.dir)[axis] = 0;
    if (kind == 1) r.dir = cd_vec3_make(axis == 0, axis == 1, axis == 2);
    if (kind == 2) r.dir = cd_vec3_make(axis != 0, axis != 1, axis != 2);
    if (kind == 3) { /* straight up from below, or down */
        cd_real way = (cd_real)(test_int(rng, 0, 1) ? 1 : -1);
        axis = f->view.up == CD_HEIGHT_Z_UP ? 2 : f->view.up == CD_HEIGHT_Y_UP ? 1 : 0;
        r.dir = cd_vec3_make(0, 0, 0);
        REALS(r.dir)[axis] = way;
        REALS(r.origin)[axis] -= way * (cd_real)f->extent;
    }
    if (kind == 4) r.origin = cd_vec3_sub(r.origin, cd_vec3_scale(r.dir, 3));
    return r;
}

static void ask_ray(const field *f, test_rng *rng) {
    cd_ray r = some_ray(f, rng);
    cd_cast_options o = some_options(rng);
    cd_real t_max = test_int(rng, 0, 1) ? CD_REAL_MAX : 1;
    cd_hit got, want, all[6], wanted[6];
    cd_segment s;
    uint32_t last = (uint32_t)test_int(rng, 0, 3) * (uint32_t)test_int(rng, 0, 100);
    size_t count;
    bool hit = cd_bvh_cast_ray(&f->mesh, &r, t_max, &o, &want);
    test_note_reals("ray", REALS(r), 6);
    CHECK_INT(ASK("forms", cd_bvh_cast_ray(&f->tree, &r, t_max, &o, &got)), hit);
    if (hit) CHECK(same_hit(f, &got, &want));
    hits_seen += hit;
    CHECK_INT(ASK("forms", cd_bvh_test_ray(&f->tree, &r, t_max, &o)), hit);
    CHECK_INT(ASK("forms", cd_bvh_cast_ray_again(&f->tree, &r, t_max, &o, &last, &got)), hit);
    if (hit) CHECK(same_hit(f, &got, &want));
    CHECK_INT(ASK("forms", cd_bvh_test_ray_again(&f->tree, &r, t_max, &o, &last)), hit);
    count = cd_bvh_cast_ray_all(&f->mesh, &r, t_max, &o, wanted, 6);
    CHECK_INT(ASK("forms", cd_bvh_cast_ray_all(&f->tree, &r, t_max, &o, all, 6)), count);
    for (size_t i = 0; i < count && i < 6; ++i) CHECK(same_hit(f, &all[i], &wanted[i]));
    s.a = r.origin;
    s.b = cd_vec3_add(r.origin, r.dir);
    hit = cd_bvh_cast_segment(&f->mesh, &s, &o, &want);
    CHECK_INT(ASK("forms", cd_bvh_cast_segment(&f->tree, &s, &o, &got)), hit);
    if (hit) CHECK(same_hit(f, &got, &want));
    CHECK_INT(ASK("forms", cd_bvh_test_segment(&f->tree, &s, &o)), hit);
}

static cd_obb some_obb(const field *f, test_rng *rng) {
    gen g = gen_begin(rng, GEN_UNIT);
    cd_obb b = gen_obb(&g);
    b.center = some_place(f, rng);
    b.half.x = some_size(f, rng);
    b.half.y = some_size(f, rng);
    b.half.z = some_size(f, rng);
    return b;
}

static cd_bvh_volume some_volume(const field *f, test_rng *rng, int kind, cd_plane planes[6],
                                 const cd_hull *hull) {
    cd_bvh_volume v;
    cd_obb b;
    memset(&v, 0, sizeof v);
    v.kind = (uint32_t)kind;
    switch (kind) {
    case CD_BVH_AABB:
        v.u.aabb.min = some_place(f, rng);
        b = some_obb(f, rng);
        v.u.aabb.max = cd_vec3_add(v.u.aabb.min, b.half);
        break;
    case CD_BVH_SPHERE:
        v.u.sphere.center = some_place(f, rng);
        v.u.sphere.radius = some_size(f, rng);
        break;
    case CD_BVH_CAPSULE:
        v.u.capsule.a = some_place(f, rng);
        v.u.capsule.b = some_place(f, rng);
        v.u.capsule.radius = some_size(f, rng);
        break;
    case CD_BVH_OBB: v.u.obb = some_obb(f, rng); break;
    case CD_BVH_TRIANGLE:
        v.u.triangle.a = some_place(f, rng);
        v.u.triangle.b = some_place(f, rng);
        v.u.triangle.c = some_place(f, rng);
        break;
    case CD_BVH_HULL: v.u.hull = hull; break;
    default:
        b = some_obb(f, rng);
        for (int i = 0; i < 6; ++i) {
            planes[i].n = cd_vec3_scale(b.axes.col[i / 2], (cd_real)(i % 2 ? -1 : 1));
            planes[i].d = cd_vec3_dot(planes[i].n, b.center) + REALS(b.half)[i / 2];
        }
        return cd_bvh_volume_planes(planes, (uint32_t)test_int(rng, 1, 6));
    }
    return v;
}

static int by_index(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool some_hull(const field *f, test_rng *rng, cd_hull *hull) {
    cd_vec3 corners[8];
    for (int i = 0; i < 8; ++i) corners[i] = some_place(f, rng);
    return cd_hull3_build(hull, corners, 8, NULL) == CD_OK;
}

static void ask_overlap(const field *f, test_rng *rng) {
    static const int kinds[] = {CD_BVH_AABB,     CD_BVH_SPHERE, CD_BVH_CAPSULE, CD_BVH_OBB,
                                CD_BVH_TRIANGLE, CD_BVH_HULL,   CD_BVH_PLANES};
    cd_plane planes[6];
    cd_hull hull;
    cd_bvh_volume v;
    cd_filter filter = {0, NULL, NULL};
    uint32_t *got = (uint32_t *)room(f->count, sizeof *got), *want = (uint32_t *)room(f->count, sizeof *want);
    int kind = kinds[test_int(rng, 0, 6)];
    size_t count;
    memset(&hull, 0, sizeof hull);
    if (kind == CD_BVH_HULL && !some_hull(f, rng, &hull)) kind = CD_BVH_OBB;
    v = some_volume(f, rng, kind, planes, &hull);
    filter.ignore_mask = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    test_note("volume of kind %d", kind);
    count = cd_bvh_overlap_list(&f->mesh, &v, &filter, want, f->count);
    if (CHECK_INT(ASK("forms", cd_bvh_overlap_list(&f->tree, &v, &filter, got, f->count)), count)) {
        for (size_t i = 0; i < count; ++i) want[i] = f->number[want[i]];
        qsort(got, count, sizeof *got, by_index);
        qsort(want, count, sizeof *want, by_index);
        CHECK(!memcmp(got, want, count * sizeof *got));
    }
    CHECK_INT(ASK("forms", cd_bvh_test_overlap(&f->tree, &v, &filter)), count > 0);
    cd_hull_destroy(&hull);
    free(got);
    free(want);
}

static bool same_closest(const field *f, const cd_closest *got, const cd_closest *want) {
    return got->sqdist == want->sqdist && got->index_b == f->number[want->index_b] &&
           !memcmp(&got->b, &want->b, sizeof got->b);
}

static void ask_closest(const field *f, test_rng *rng) {
    cd_vec3 p = some_place(f, rng);
    cd_filter filter = {0, NULL, NULL};
    cd_real most = test_int(rng, 0, 1) ? (cd_real)INFINITY : some_size(f, rng);
    cd_closest got[5], want[5];
    size_t count;
    bool any = cd_bvh_closest(&f->mesh, p, most, &filter, want);
    filter.ignore_mask = test_int(rng, 0, 2) ? 0 : (uint32_t)test_int(rng, 0, 31);
    any = cd_bvh_closest(&f->mesh, p, most, &filter, want);
    test_note_reals("p", REALS(p), 3);
    CHECK_INT(ASK("forms", cd_bvh_closest(&f->tree, p, most, &filter, got)), any);
    if (any) CHECK(same_closest(f, got, want));
    count = cd_bvh_closest_k(&f->mesh, p, 5, most, &filter, want);
    CHECK_INT(ASK("forms", cd_bvh_closest_k(&f->tree, p, 5, most, &filter, got)), count);
    for (size_t i = 0; i < count; ++i) CHECK(same_closest(f, &got[i], &want[i]));
}

static void ask_sweep(const field *f, test_rng *rng) {
    static const int kinds[] = {CD_BVH_AABB, CD_BVH_SPHERE, CD_BVH_CAPSULE, CD_BVH_OBB, CD_BVH_HULL};
    cd_plane planes[6];
    cd_hull hull;
    cd_bvh_volume v;
    cd_vec3 from = some_place(f, rng), to = some_place(f, rng), motion = cd_vec3_sub(to, from);
    cd_cast_options o = some_options(rng);
    cd_hit got, want;
    int kind = kinds[test_int(rng, 0, 4)];
    bool hit;
    memset(&hull, 0, sizeof hull);
    if (kind == CD_BVH_HULL && (f->count > 200 || !some_hull(f, rng, &hull))) kind = CD_BVH_SPHERE;
    v = some_volume(f, rng, kind, planes, &hull);
    test_note("sweep of kind %d", kind);
    hit = cd_bvh_sweep(&f->mesh, &v, motion, &o, &want);
    CHECK_INT(ASK("forms", cd_bvh_sweep(&f->tree, &v, motion, &o, &got)), hit);
    if (hit) CHECK(same_hit(f, &got, &want));
    CHECK_INT(ASK("forms", cd_bvh_test_sweep(&f->tree, &v, motion, &o)), hit);
    cd_hull_destroy(&hull);
}

static void queries_answer_as_on_the_mesh(void) {
    test_rng rng = test_random();
    hits_seen = 0;
    for (long i = test_times(400); i >= 0; --i) {
        field f = field_random(&rng);
        for (int k = 0; k < 12 && f.count; ++k) ask_ray(&f, &rng);
        for (int k = 0; k < 5 && f.count; ++k) ask_overlap(&f, &rng);
        for (int k = 0; k < 3 && f.count; ++k) ask_closest(&f, &rng);
        for (int k = 0; k < 3 && f.count; ++k) ask_sweep(&f, &rng);
        field_free(&f);
    }
    CHECK_SEEN(hits_seen > 100);
}

/* ---- pairs ---- */

static int by_pair(const void *a, const void *b) {
    const cd_pair *p = (const cd_pair *)a, *q = (const cd_pair *)b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static void same_pairs(cd_pair *got, size_t count, cd_pair *want, size_t wanted, const uint32_t *a,
                       const uint32_t *b) {
    if (!CHECK_INT(count, wanted)) return;
    for (size_t i = 0; i < wanted; ++i) {
        want[i].a = a ? a[want[i].a] : want[i].a;
        want[i].b = b ? b[want[i].b] : want[i].b;
    }
    qsort(got, count, sizeof *got, by_pair);
    qsort(want, count, sizeof *want, by_pair);
    CHECK(!memcmp(got, want, count * sizeof *got));
}

enum { PAIRS = 60000 };
static cd_pair got_pairs[PAIRS], want_pairs[PAIRS];

/* Tree x of kinds that may be fields, against tree y, under a pose; `a`, `b`: how the mesh's numbers are to be read. */
static void ask_pairs(const cd_bvh *x, const cd_bvh *y, const cd_bvh *mesh_x, const cd_bvh *mesh_y,
                      const uint32_t *a, const uint32_t *b, const cd_transform *pose, cd_real size) {
    size_t count = cd_bvh_collide(x, y, pose, NULL, got_pairs, PAIRS);
    size_t wanted = cd_bvh_collide(mesh_x, mesh_y, pose, NULL, want_pairs, PAIRS);
    cd_closest got, want;
    cd_pair pair;
    bool any;
    CHECK_INT(cd_bvh_test_bvh(x, y, pose, NULL, &pair), wanted > 0);
    if (wanted <= PAIRS) same_pairs(got_pairs, count, want_pairs, wanted, a, b);
    count = cd_bvh_within(x, y, pose, size, NULL, got_pairs, PAIRS);
    wanted = cd_bvh_within(mesh_x, mesh_y, pose, size, NULL, want_pairs, PAIRS);
    if (wanted <= PAIRS) same_pairs(got_pairs, count, want_pairs, wanted, a, b);
    memset(&got, 0, sizeof got);
    memset(&want, 0, sizeof want);
    any = cd_bvh_closest_bvh(mesh_x, mesh_y, pose, (cd_real)INFINITY, NULL, &want);
    CHECK_INT(cd_bvh_closest_bvh(x, y, pose, (cd_real)INFINITY, NULL, &got), any);
    if (any) CHECK(got.sqdist == want.sqdist);
}

static void pairs_are_those_of_the_meshes(void) {
    test_rng rng = test_random();
    for (long i = test_times(60); i >= 0; --i) {
        int kind = test_int(&rng, 0, 2) ? KIND_NOISE : test_int(&rng, 0, KINDS - 1);
        uint32_t w = (uint32_t)test_int(&rng, 2, 14), h = (uint32_t)test_int(&rng, 2, 14);
        field f = field_make(&rng, kind, w, h), g = field_make(&rng, kind, h, w);
        gen_mesh ball = gen_mesh_ball(3, 0.1, &rng);
        cd_mesh_view view;
        cd_bvh tree;
        cd_transform pose = gen_pose(&rng, 0.2 * f.extent);
        cd_real size = (cd_real)(0.02 * f.extent);
        size_t count, wanted;
        if (f.count && g.count) {
            cd_vec3 from = some_place(&f, &rng), to = some_place(&g, &rng);
            pose.position = cd_vec3_add(pose.position, cd_vec3_sub(from, cd_transform_vector(&pose, to)));
            if (test_int(&rng, 0, 3) == 0) pose = cd_transform_identity();
            ask_pairs(&f.tree, &g.tree, &f.mesh, &g.mesh, f.number, g.number, &pose, size);
            for (uint32_t k = 0; k < ball.vertex_count; ++k)
                ball.vertices[k] =
                    cd_vec3_add(cd_vec3_scale(ball.vertices[k], (cd_real)(0.2 * f.extent)), from);
            view = gen_mesh_view(&ball);
            CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
            ask_pairs(&f.tree, &tree, &f.mesh, &tree, f.number, NULL, NULL, size);
            pose.position = cd_vec3_make(0, 0, 0);
            ask_pairs(&tree, &f.tree, &tree, &f.mesh, NULL, f.number, &pose, size);
            cd_bvh_destroy(&tree);
        }
        for (uint32_t flags = 0; flags < 3; ++flags) {
            cd_bvh_pair_options o;
            memset(&o, 0, sizeof o);
            o.flags = flags;
            o.ignore_a = test_int(&rng, 0, 1) ? 3 : 0;
            count = cd_bvh_self_pairs(&f.tree, &o, got_pairs, PAIRS);
            wanted = cd_bvh_self_pairs(&f.mesh, &o, want_pairs, PAIRS);
            if (wanted <= PAIRS) same_pairs(got_pairs, count, want_pairs, wanted, f.number, f.number);
        }
        gen_mesh_free(&ball);
        field_free(&f);
        field_free(&g);
    }
}

/* ---- other forms ---- */

static void they_become_other_layouts(void) {
    test_rng rng = test_random();
    for (long i = test_times(60); i >= 0; --i) {
        field f = field_random(&rng);
        cd_bvh heights = f.tree, other;
        cd_bvh_stats stats = ASK("loop", cd_bvh_get_stats(&f.tree));
        CHECK_INT(stats.primitive_count, f.count);
        for (uint32_t layout = 0; layout <= CD_BVH_HEIGHTS; ++layout) {
            CHECK_INT(ASK("loop", cd_bvh_convert(&other, &heights, layout, NULL)),
                      layout < CD_BVH_HEIGHTS ? CD_OK : CD_INVALID_ARGUMENT);
            CHECK_INT(ASK("judge", cd_bvh_validate(&other)), CD_OK);
            if (layout == CD_BVH_HEIGHTS) continue;
            CHECK_INT(ASK("loop", cd_bvh_count(&other)), f.count);
            f.tree = other;
            for (int k = 0; k < 2 && f.count; ++k) {
                ask_ray(&f, &rng);
                ask_overlap(&f, &rng);
                ask_closest(&f, &rng);
            }
            cd_bvh_destroy(&other);
        }
        f.tree = heights;
        field_free(&f);
    }
}

static void winding_numbers_are_those_of_the_mesh(void) {
    test_rng rng = test_random();
    for (long i = test_times(40); i >= 0; --i) {
        int kind = test_int(&rng, 0, 1) ? KIND_NOISE : KIND_STEPS;
        field f = field_make(&rng, kind, (uint32_t)test_int(&rng, 2, 40), (uint32_t)test_int(&rng, 2, 40));
        cd_bvh_winding a, b;
        CHECK_INT(ASK("forms", cd_bvh_winding_build(&a, &f.tree, NULL)), CD_OK);
        CHECK_INT(ASK("forms", cd_bvh_winding_build(&b, &f.mesh, NULL)), CD_OK);
        for (int k = 0; k < 5 && f.count; ++k) {
            cd_vec3 p = some_place(&f, &rng);
            cd_real got = cd_bvh_winding_number(&a, &f.tree, p, (cd_real)1e-3);
            cd_real want = cd_bvh_winding_number(&b, &f.mesh, p, 0);
            if (isfinite((double)want)) CHECK_NEAR(got, want, 2e-3);
        }
        cd_bvh_winding_destroy(&a);
        cd_bvh_winding_destroy(&b);
        field_free(&f);
    }
}

/* A field and its mesh, each turned, moved and scaled in the same way. */
static void instances_of_them_answer_alike(void) {
    test_rng rng = test_random();
    for (long i = test_times(40); i >= 0; --i) {
        field f =
            field_make(&rng, KIND_NOISE, (uint32_t)test_int(&rng, 2, 20), (uint32_t)test_int(&rng, 2, 20));
        cd_bvh_instance one[2][3];
        cd_bvh_instances in[2];
        for (int k = 0; k < 3; ++k) {
            one[0][k].pose = gen_pose(&rng, f.extent);
            one[0][k].scale = (cd_real)test_range(&rng, 0.5, 2);
            one[0][k].mask = 1;
            one[1][k] = one[0][k];
            one[0][k].tree = &f.tree;
            one[1][k].tree = &f.mesh;
        }
        for (int k = 0; k < 2; ++k)
            CHECK_INT(ASK("forms", cd_bvh_instances_build(&in[k], one[k], 3, NULL)), CD_OK);
        for (int k = 0; k < 10 && f.count; ++k) {
            cd_ray r = some_ray(&f, &rng);
            cd_hit got, want;
            uint32_t which = 0, other = 0;
            bool hit = cd_bvh_instances_cast_ray(&in[1], &r, CD_REAL_MAX, NULL, &want, &other);
            CHECK_INT(cd_bvh_instances_cast_ray(&in[0], &r, CD_REAL_MAX, NULL, &got, &which), hit);
            if (hit) CHECK(which == other && same_hit(&f, &got, &want));
        }
        for (int k = 0; k < 2; ++k) cd_bvh_instances_destroy(&in[k]);
        field_free(&f);
    }
}

/* ---- changes ---- */

static void updates_give_what_a_build_gives(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i >= 0; --i) {
        field f = field_random(&rng);
        for (int turn = 0; turn < 4; ++turn) {
            uint32_t x = (uint32_t)test_int(&rng, 0, (int)f.view.columns - 1);
            uint32_t y = (uint32_t)test_int(&rng, 0, (int)f.view.rows - 1);
            uint32_t w = (uint32_t)test_int(&rng, 1, (int)(f.view.columns - x));
            uint32_t h = (uint32_t)test_int(&rng, 1, (int)(f.view.rows - y));
            int kind = f.flags && test_int(&rng, 0, 1) ? KIND_HOSTILE : test_int(&rng, 0, 3);
            cd_bvh fresh;
            cd_bvh_options o;
            for (uint32_t row = y; row < y + h; ++row) {
                for (uint32_t column = x; column < x + w; ++column)
                    put_sample(sample_at(&f, column, row), f.view.format,
                               draw_height(&rng, kind, column, row));
            }
            memset(&o, 0, sizeof o);
            o.flags = f.flags;
            CHECK_INT(
                ASK("loop", cd_heights_update(&f.tree, x, y, w, h, sample_at(&f, x, y), f.view.row_stride)),
                CD_OK);
            CHECK_INT(cd_bvh_build_heights(&fresh, &f.view, &o), CD_OK);
            CHECK(f.tree.bytes == fresh.bytes && !memcmp(f.tree.block, fresh.block, fresh.bytes));
            CHECK_INT(ASK("judge", cd_bvh_validate(&f.tree)), CD_OK);
            cd_bvh_destroy(&fresh);
        }
        make_mesh(&f);
        for (int k = 0; k < 3 && f.count; ++k) ask_ray(&f, &rng);
        field_free(&f);
    }
}

static void bad_updates_change_nothing(void) {
    test_rng rng = test_random();
    field f = field_make(&rng, KIND_NOISE, 9, 7);
    cd_bvh view, none, boxes;
    cd_aabb box = {{0, 0, 0}, {1, 1, 1}};
    double bad[4] = {1, 2, NAN, 4};
    void *before = room(f.tree.bytes, 1);
    memset(&none, 0, sizeof none);
    memcpy(before, f.tree.block, f.tree.bytes);
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 8, 0, 2, 1, f.samples, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 0, 6, 1, 2, f.samples, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 0xFFFFFFFFu, 0, 2, 1, f.samples, 0)),
              CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 0, 0, 2, 1, NULL, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 0, 0, 4, 2, f.samples, 1)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 0, 0, 0, 2, NULL, 0)), CD_OK);
    CHECK_INT(ASK("bad", cd_heights_update(&none, 0, 0, 1, 1, f.samples, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_bvh_view(&view, f.tree.block, f.tree.bytes), CD_OK);
    CHECK_INT(ASK("bad", cd_heights_update(&view, 0, 0, 1, 1, f.samples, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_bvh_build_boxes(&boxes, &box, 1, NULL), CD_OK);
    CHECK_INT(ASK("bad", cd_heights_update(&boxes, 0, 0, 1, 1, f.samples, 0)), CD_INVALID_ARGUMENT);
    CHECK(!memcmp(before, f.tree.block, f.tree.bytes));
    cd_bvh_destroy(&boxes);
    field_free(&f);
    free(before);
    f = field_make(&rng, KIND_STEPS, 4, 3);
    f.view.format = CD_HEIGHT_F64;
    f.view.samples = bad;
    f.view.columns = f.view.rows = 2;
    f.view.row_stride = 0;
    f.view.materials = NULL;
    cd_bvh_destroy(&f.tree);
    CHECK_INT(cd_bvh_build_heights(&f.tree, &f.view, NULL), CD_INVALID_ARGUMENT);
    bad[2] = 3;
    CHECK_INT(cd_bvh_build_heights(&f.tree, &f.view, NULL), CD_OK);
    bad[0] = INFINITY;
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 0, 0, 1, 1, bad, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_heights_update(&f.tree, 0, 0, 1, 1, bad + 1, 0)), CD_OK);
    CHECK_INT(cd_bvh_count(&f.tree), 2);
    field_free(&f);
}

/* ---- the height at a place ---- */

static void heights_lie_on_the_mesh(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i >= 0; --i) {
        static const int kinds[] = {KIND_NOISE, KIND_FLAT, KIND_STEPS};
        field f = field_make(&rng, kinds[test_int(&rng, 0, 2)], (uint32_t)test_int(&rng, 2, 20),
                             (uint32_t)test_int(&rng, 2, 20));
        int up = f.view.up == CD_HEIGHT_Z_UP ? 2 : f.view.up == CD_HEIGHT_Y_UP ? 1 : 0, a = up == 0 ? 1 : 0;
        int b = up == 2 ? 1 : 2;
        for (int k = 0; k < 30 && f.count; ++k) {
            cd_vec3 p = some_place(&f, &rng), n;
            cd_real h = 0;
            cd_ray r;
            cd_hit hit;
            bool got = ASK("forms", cd_heights_height_at(&f.tree, REALS(p)[a], REALS(p)[b], &h, &n)), want;
            r.origin = p;
            r.dir = cd_vec3_make(0, 0, 0);
            REALS(r.dir)[up] = -1;
            REALS(r.origin)[up] = REALS(p)[up] + 3 * (cd_real)f.extent;
            want = cd_bvh_cast_ray(&f.mesh, &r, CD_REAL_MAX, NULL, &hit);
            CHECK_INT(got, want);
            if (!got || !want) continue;
            CHECK_NEAR(h, REALS(hit.point)[up], 1e-5 * (f.extent + fabs((double)REALS(hit.point)[up])));
            CHECK(REALS(n)[up] > 0);
            CHECK_NEAR(cd_vec3_length(n), 1, 1e-5);
        }
        CHECK(!ASK("forms", cd_heights_height_at(&f.tree, (cd_real)NAN, 0, NULL, NULL)));
        CHECK(!ASK("forms", cd_heights_height_at(&f.tree, (cd_real)1e9, 0, NULL, NULL)));
        field_free(&f);
    }
}

/* ---- odd sizes, bad arguments ---- */

static void small_fields_are_empty(void) {
    uint8_t samples[4] = {1, 2, 3, 4};
    cd_height_view v;
    cd_bvh t, again;
    cd_ray r = {{0, 0, 5}, {0, 0, -1}};
    cd_hit hit;
    memset(&v, 0, sizeof v);
    v.format = CD_HEIGHT_U8;
    for (uint32_t i = 0; i < 9; ++i) {
        v.columns = i % 3;
        v.rows = i / 3;
        v.samples = v.columns && v.rows ? samples : NULL;
        CHECK_INT(ASK("bad", cd_bvh_build_heights(&t, &v, NULL)), CD_OK);
        CHECK_INT(ASK("bad", cd_bvh_count(&t)), i == 8 ? 2 : 0);
        CHECK_INT(cd_bvh_validate(&t), CD_OK);
        CHECK_INT(ASK("bad", cd_bvh_view(&again, t.block, t.bytes)), CD_OK);
        CHECK_INT(cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit), i == 8);
        CHECK_INT(ASK("bad", cd_heights_mesh(&t, NULL, NULL, NULL)), i == 8 ? 2 : 0);
        CHECK_INT(ASK("bad", cd_bvh_convert(&again, &t, CD_BVH_WIDE, NULL)), CD_OK);
        cd_bvh_destroy(&again);
        cd_bvh_destroy(&t);
    }
    v.samples = NULL;
    CHECK_INT(ASK("bad", cd_bvh_build_heights(&t, &v, NULL)), CD_INVALID_ARGUMENT);
}

/* What holes leave may be a cell as far from the field's corner as the field is wide. */
static void a_lone_cell_far_from_the_corner_is_met(void) {
    enum { COLUMNS = 65537, CELLS = COLUMNS - 1 };
    static uint8_t samples[2 * COLUMNS], materials[CELLS];
    test_rng rng = test_random();
    cd_height_view v;
    memset(&v, 0, sizeof v);
    memset(materials, (int)CD_HEIGHT_HOLE, sizeof materials);
    materials[CELLS - 1] = 0;
    v.samples = samples;
    v.format = CD_HEIGHT_U8;
    v.columns = COLUMNS;
    v.rows = 2;
    v.materials = materials;
    for (int i = 0; i < 8; ++i) {
        cd_bvh t;
        cd_triangle half;
        cd_ray r;
        cd_hit hit;
        v.spacing[0] = v.spacing[1] = (cd_real)test_range(&rng, 0.1, 1.0);
        v.origin.x = (cd_real)test_range(&rng, -1.0, 1.0);
        CHECK_INT(cd_bvh_build_heights(&t, &v, NULL), CD_OK);
        CHECK_INT(cd_bvh_count(&t), 2);
        for (uint32_t k = 0; k < 2; ++k) {
            uint32_t index = 2 * (CELLS - 1) + k;
            CHECK(ASK("judge", cd_heights_triangle(&t, index, &half)));
            r.dir = cd_vec3_make(0, 0, -1);
            for (int n = 0; n < 3; ++n) {
                r.origin = n == 0 ? half.a : n == 1 ? half.b : half.c;
                CHECK(cd_bvh_closest(&t, r.origin, 0, NULL, NULL));
                r.origin.z = 1;
                CHECK(cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit));
            }
        }
        cd_bvh_destroy(&t);
    }
}

static void bad_arguments_are_told(void) {
    float samples[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t masks[8] = {0};
    cd_height_view good, v;
    cd_bvh_options o;
    cd_bvh t;
    memset(&good, 0, sizeof good);
    memset(&o, 0, sizeof o);
    good.samples = samples;
    good.format = CD_HEIGHT_F32;
    good.columns = good.rows = 3;
    CHECK_INT(cd_bvh_build_heights(&t, &good, NULL), CD_OK);
    cd_bvh_destroy(&t);
#define BAD(set)                                                                                             \
    do {                                                                                                     \
        v = good;                                                                                            \
        set;                                                                                                 \
        CHECK_INT(ASK("bad", cd_bvh_build_heights(&t, &v, &o)), CD_INVALID_ARGUMENT);                        \
        CHECK(!t.block && !t.bytes);                                                                         \
    } while (0)
    BAD(v.format = 6);
    BAD(v.up = 3);
    BAD(v.cut = 5);
    BAD(v.cut = CD_HEIGHT_CUT_GIVEN);
    BAD(v.spacing[0] = -1);
    BAD(v.spacing[1] = (cd_real)NAN);
    BAD(v.spacing[1] = (cd_real)INFINITY);
    BAD(v.scale = (cd_real)NAN);
    BAD(v.origin.x = (cd_real)INFINITY);
    BAD(v.origin.z = (cd_real)NAN);
    BAD(v.spacing[0] = CD_REAL_MAX);
    BAD(v.row_stride = 11);
    BAD(o.masks = masks);
    o.masks = NULL;
    BAD(o.flags = 4);
#undef BAD
    v = good;
    v.columns = 0x10000001u;
    v.rows = 3;
    CHECK_INT(ASK("bad", cd_bvh_build_heights(&t, &v, NULL)), CD_TOO_LARGE);
    v.columns = v.rows = 0xFFFFFFFFu;
    CHECK_INT(ASK("bad", cd_bvh_build_heights(&t, &v, NULL)), CD_TOO_LARGE);
}

/* ---- foreign bytes ---- */

/* Whatever passes the check may be asked anything. */
static void damaged_bytes_are_told(void) {
    test_rng rng = test_random();
    long passed = 0, times = 0;
    for (long i = test_times(60); i >= 0; --i) {
        field f = field_random(&rng);
        unsigned char *raw = (unsigned char *)room(f.tree.bytes + 64, 1);
        unsigned char *bytes = raw + (64 - (uintptr_t)raw % 64) % 64;
        for (int k = 0; k < 40; ++k) {
            cd_bvh t;
            size_t size = f.tree.bytes;
            memcpy(bytes, f.tree.block, size);
            for (int n = test_int(&rng, 1, 3); n > 0; --n) {
                size_t at = (size_t)test_next(&rng) % (test_int(&rng, 0, 1) ? size : size < 960 ? size : 960);
                bytes[at] = (unsigned char)test_int(&rng, 0, 255);
            }
            if (!test_int(&rng, 0, 9)) size -= (size_t)test_next(&rng) % size;
            ++times;
            if (cd_bvh_view(&t, bytes, size) != CD_OK) continue;
            ++passed;
            for (int q = 0; q < 3 && f.count; ++q) {
                cd_ray r = some_ray(&f, &rng);
                cd_hit hit;
                cd_closest c;
                cd_bvh_cast_ray(&t, &r, CD_REAL_MAX, NULL, &hit);
                cd_bvh_closest(&t, r.origin, (cd_real)INFINITY, NULL, &c);
            }
        }
        free(raw);
        field_free(&f);
    }
    CHECK(passed * 2 < times);
}

/* Without materials the blocks come last: which cells are there, and how they are cut. */
static void every_bit_of_blocks_is_checked(void) {
    static const uint8_t samples[20] = {1, 2, 3, 9, 5, 6, 7, 8, 2, 4, 1, 2, 3, 9, 5, 6, 7, 8, 2, 4};
    cd_height_view v;
    cd_bvh t, again;
    memset(&v, 0, sizeof v);
    v.samples = samples;
    v.format = CD_HEIGHT_U8;
    v.columns = 5;
    v.rows = 4;
    v.cut = CD_HEIGHT_CUT_ZIGZAG;
    CHECK_INT(cd_bvh_build_heights(&t, &v, NULL), CD_OK);
    for (size_t i = 0; i < 4 * 8; ++i) {
        unsigned char *byte = (unsigned char *)(void *)t.block + t.bytes - 8 + i / 8;
        *byte = (unsigned char)(*byte ^ 1u << i % 8);
        CHECK_INT(cd_bvh_view(&again, t.block, t.bytes), CD_CORRUPT);
        *byte = (unsigned char)(*byte ^ 1u << i % 8);
    }
    CHECK_INT(cd_bvh_view(&again, t.block, t.bytes), CD_OK);
    cd_bvh_destroy(&t);
}

/* ---- size ---- */

static void they_are_small(void) {
    static const uint32_t formats[] = {CD_HEIGHT_U8, CD_HEIGHT_U16, CD_HEIGHT_REAL};
    static const double most[] = {0.97, 1.8, sizeof(cd_real) == 4 ? 3.4 : 6.7};
    unsigned char *samples = (unsigned char *)room(300 * 300, 8);
    for (int i = 0; i < 3; ++i) {
        cd_height_view v;
        cd_bvh t;
        memset(&v, 0, sizeof v);
        v.format = formats[i];
        v.samples = samples;
        v.columns = v.rows = 257;
        CHECK_INT(cd_bvh_build_heights(&t, &v, NULL), CD_OK);
        CHECK((double)t.bytes < most[i] * 2 * 256 * 256);
        cd_bvh_destroy(&t);
    }
    free(samples);
}

void suite_heights(void);
void suite_heights(void) {
    RUN(the_mesh_is_as_documented);
    RUN(queries_answer_as_on_the_mesh);
    RUN(pairs_are_those_of_the_meshes);
    RUN(they_become_other_layouts);
    RUN(winding_numbers_are_those_of_the_mesh);
    RUN(instances_of_them_answer_alike);
    RUN(updates_give_what_a_build_gives);
    RUN(bad_updates_change_nothing);
    RUN(heights_lie_on_the_mesh);
    RUN(small_fields_are_empty);
    RUN(a_lone_cell_far_from_the_corner_is_met);
    RUN(bad_arguments_are_told);
    RUN(damaged_bytes_are_told);
    RUN(every_bit_of_blocks_is_checked);
    RUN(they_are_small);
}
