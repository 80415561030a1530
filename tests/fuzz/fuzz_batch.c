/* One against many, and many against one: what the calls for two say, to the bit, whatever the numbers; nothing is read behind the arrays. */
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

/* `many` of `size` bytes each in memory of just that length. */
static void *exactly(const void *many, uint32_t count, size_t size) {
    void *p = malloc(count > 0 ? count * size : 1);
    if (!p) abort();
    if (count) memcpy(p, many, count * size);
    return p;
}

typedef struct batch {
    fuzz f;
    uint32_t count;
    cd_sphere ball;
    cd_aabb box;
    cd_obb obb;
    cd_capsule rod;
    cd_triangle tri;
    cd_ray ray;
    cd_sphere balls[MOST];
    cd_aabb boxes[MOST];
    cd_obb obbs[MOST];
    cd_capsule rods[MOST];
    cd_triangle tris[MOST];
    cd_ray rays[MOST];
    cd_real t_max;
} batch;

static bool two(const batch *b, int what, uint32_t i) {
    switch (what) {
    case 0: return cd_test_aabb_aabb(b->box, b->boxes[i]);
    case 1: return cd_test_sphere_aabb(b->balls[i], b->box);
    case 2: return cd_test_sphere_aabb(b->ball, b->boxes[i]);
    case 3: return cd_test_sphere_sphere(b->ball, b->balls[i]);
    case 4: return cd_test_sphere_triangle(b->ball, &b->tris[i]);
    case 5: return cd_test_sphere_capsule(b->ball, &b->rods[i]);
    case 6: return cd_test_sphere_obb(b->ball, &b->obbs[i]);
    case 7: return cd_test_obb_obb(&b->obb, &b->obbs[i]);
    case 8: return cd_test_capsule_capsule(&b->rod, &b->rods[i]);
    case 9: return cd_test_triangle_triangle(&b->tri, &b->tris[i]);
    case 10: return cd_cast_ray_aabb(&b->ray, b->t_max, b->boxes[i], NULL, NULL);
    default: return cd_cast_ray_aabb(&b->rays[i], b->t_max, b->box, NULL, NULL);
    }
}

static size_t all(const batch *b, int what, void *many, uint32_t *hits, size_t room) {
    size_t n = b->count;
    switch (what) {
    case 0: return cd_test_aabb_aabbs(b->box, (cd_aabb *)many, n, hits, room);
    case 1: return cd_test_aabb_spheres(b->box, (cd_sphere *)many, n, hits, room);
    case 2: return cd_test_sphere_aabbs(b->ball, (cd_aabb *)many, n, hits, room);
    case 3: return cd_test_sphere_spheres(b->ball, (cd_sphere *)many, n, hits, room);
    case 4: return cd_test_sphere_triangles(b->ball, (cd_triangle *)many, n, hits, room);
    case 5: return cd_test_sphere_capsules(b->ball, (cd_capsule *)many, n, hits, room);
    case 6: return cd_test_sphere_obbs(b->ball, (cd_obb *)many, n, hits, room);
    case 7: return cd_test_obb_obbs(&b->obb, (cd_obb *)many, n, hits, room);
    case 8: return cd_test_capsule_capsules(&b->rod, (cd_capsule *)many, n, hits, room);
    case 9: return cd_test_triangle_triangles(&b->tri, (cd_triangle *)many, n, hits, room);
    case 10: return cd_test_ray_aabbs(&b->ray, b->t_max, (cd_aabb *)many, n, hits, room);
    default: return cd_test_rays_aabb((cd_ray *)many, n, b->t_max, b->box, hits, room);
    }
}

static void *copy(const batch *b, int what) {
    switch (what) {
    case 0:
    case 2:
    case 10: return exactly(b->boxes, b->count, sizeof b->boxes[0]);
    case 1:
    case 3: return exactly(b->balls, b->count, sizeof b->balls[0]);
    case 4:
    case 9: return exactly(b->tris, b->count, sizeof b->tris[0]);
    case 5:
    case 8: return exactly(b->rods, b->count, sizeof b->rods[0]);
    case 6:
    case 7: return exactly(b->obbs, b->count, sizeof b->obbs[0]);
    default: return exactly(b->rays, b->count, sizeof b->rays[0]);
    }
}

static void tests(batch *b, int what) {
    void *many = copy(b, what);
    size_t room = (size_t)test_int(b->f.rng, 0, (int)b->count), found;
    uint32_t *hits = (uint32_t *)malloc(room ? room * sizeof *hits : 1);
    if (!hits) abort();
    found = all(b, what, many, hits, room);
    for (uint32_t i = 0, k = 0; i < b->count; ++i) {
        bool meets = two(b, what, i);
        if (meets && k < room) CHECK_INT(hits[k], i);
        k += meets;
        if (i + 1 == b->count) CHECK_INT(found, k);
    }
    free(hits);
    free(many);
}

static void ray_triangles(batch *b) {
    cd_triangle *many = (cd_triangle *)exactly(b->tris, b->count, sizeof *many);
    cd_triangle8 blocks[MOST / 8 + 1];
    cd_cast_options o;
    cd_hit x, y, one;
    bool hits, any = false;
    cd_real least = 0;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)test_int(b->f.rng, 0, 31);
    hits = cd_cast_ray_triangles(&b->ray, b->t_max, many, b->count, &o, &x);
    for (uint32_t i = 0; i < b->count; ++i) {
        if (!cd_cast_ray_triangle(&b->ray, b->t_max, &many[i], &o, &one)) continue;
        if (!any || one.t < least) least = one.t;
        any = true;
        if (hits && x.index == i)
            CHECK(FUZZ_SAME(x.t, one.t) && FUZZ_SAME(x.point, one.point) && FUZZ_SAME(x.normal, one.normal));
    }
    CHECK_INT(hits, any);
    if (hits) CHECK(x.index < b->count && FUZZ_SAME(x.t, least));
    cd_triangle8_pack(many, b->count, blocks);
    test_isa_level = 2 - test_isa_level / 2 * 2;
    CHECK_INT(cd_cast_ray_triangle8s(&b->ray, b->t_max, blocks, b->count, &o, &y), hits);
    if (hits) CHECK(x.index == y.index && FUZZ_SAME(x.t, y.t));
    free(many);
}

static void nearest(batch *b) {
    cd_triangle *many = (cd_triangle *)exactly(b->tris, b->count, sizeof *many);
    cd_triangle8 blocks[MOST / 8 + 1];
    cd_vec3 p = b->ball.center;
    cd_closest x, y;
    cd_real least = 0;
    bool found = cd_closest_pts_point_triangles(p, many, b->count, &x), any = false;
    for (uint32_t i = 0; i < b->count; ++i) {
        cd_closest one = cd_closest_pts_point_triangle(p, &many[i]);
        if (one.sqdist != one.sqdist) continue;
        if (!any || one.sqdist < least) least = one.sqdist;
        any = true;
        if (found && x.index_b == i) CHECK(FUZZ_SAME(x.sqdist, one.sqdist) && FUZZ_SAME(x.b, one.b));
    }
    CHECK_INT(found, any);
    if (found) CHECK(x.index_b < b->count && FUZZ_SAME(x.sqdist, least));
    cd_triangle8_pack(many, b->count, blocks);
    test_isa_level = 2 - test_isa_level / 2 * 2;
    CHECK_INT(cd_closest_pts_point_triangle8s(p, blocks, b->count, &y), found);
    if (found) CHECK(x.index_b == y.index_b && FUZZ_SAME(x.sqdist, y.sqdist));
    free(many);
}

void fuzz_batch(test_rng *r) {
    static batch b;
    int what = test_int(r, 0, 15);
    test_note("%d", what);
    b.f = fuzz_begin(r, FUZZ_BITS);
    b.count = (uint32_t)test_int(r, 0, MOST);
    b.ball = fuzz_sphere(&b.f);
    b.box = fuzz_aabb(&b.f);
    b.obb = fuzz_obb(&b.f);
    b.rod = fuzz_capsule(&b.f);
    b.tri = fuzz_triangle(&b.f);
    b.ray = fuzz_ray(&b.f);
    b.t_max = test_int(r, 0, 1) ? CD_REAL_MAX : fuzz_real(&b.f);
    for (uint32_t i = 0; i < b.count; ++i) {
        cd_sphere ball = what == 1 || what == 3 ? fuzz_sphere(&b.f) : b.ball;
        cd_aabb box = what == 0 || what == 2 || what == 10 ? fuzz_aabb(&b.f) : b.box;
        cd_obb obb = what == 6 || what == 7 ? fuzz_obb(&b.f) : b.obb;
        cd_capsule rod = what == 5 || what == 8 ? fuzz_capsule(&b.f) : b.rod;
        cd_triangle tri = what == 4 || what == 9 || what > 11 ? fuzz_triangle(&b.f) : b.tri;
        cd_ray ray = what == 11 ? fuzz_ray(&b.f) : b.ray;
        b.balls[i] = ball;
        b.boxes[i] = box;
        b.obbs[i] = obb;
        b.rods[i] = rod;
        b.tris[i] = tri;
        b.rays[i] = ray;
    }
    FUZZ_NOTE(b.ball);
    FUZZ_NOTE(b.box);
    FUZZ_NOTE(b.obb);
    FUZZ_NOTE(b.tri);
    FUZZ_NOTE(b.ray);
    FUZZ_NOTE(b.t_max);
    if (what < 12)
        tests(&b, what);
    else if (what < 14)
        ray_triangles(&b);
    else
        nearest(&b);
}
