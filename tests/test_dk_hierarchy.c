/* Hierarchies of hulls: the farthest vertex against a look at all in exact numbers, the levels against hulls built of their
 * vertices, stored blocks and damaged ones, memory that runs out. */
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference ---- */

/* The sign of d . (a - b), from doubles where they can tell. */
static int way_of(const double d[3], cd_vec3 a, cd_vec3 b) {
    double x = d[0] * (double)a.x + d[1] * (double)a.y + d[2] * (double)a.z;
    double y = d[0] * (double)b.x + d[1] * (double)b.y + d[2] * (double)b.z;
    double size = fabs(d[0] * (double)a.x) + fabs(d[1] * (double)a.y) + fabs(d[2] * (double)a.z) +
                  fabs(d[0] * (double)b.x) + fabs(d[1] * (double)b.y) + fabs(d[2] * (double)b.z);
    exact_pool pool;
    double p[3], q[3];
    int sign;
    if (size < 1e300 && fabs(x - y) > 1e-14 * size + 1e-290) return (x > y) - (x < y);
    to_doubles(&a.x, p, 3);
    to_doubles(&b.x, q, 3);
    pool = exact_begin();
    sign = exact3_dot(exact3_from(d), exact3_sub(exact3_from(p), exact3_from(q))).sign;
    exact_end(pool);
    return sign;
}

static bool is_farther(const double d[3], cd_vec3 a, cd_vec3 b) {
    int way = way_of(d, a, b);
    if (way != 0) return way > 0;
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

static uint32_t farthest(const cd_hull_parts *h, cd_vec3 dir) {
    uint32_t best = 0;
    double d[3];
    to_doubles(&dir.x, d, 3);
    for (uint32_t i = 1; i < h->vertex_count; ++i) {
        if (is_farther(d, h->vertices[i], h->vertices[best])) best = i;
    }
    return best;
}

/* ---- directions that are hard ---- */

static cd_vec3 random_dir(test_rng *rng) {
    double x = test_range(rng, -1, 1), y = test_range(rng, -1, 1), z = test_range(rng, -1, 1);
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

/* At random, along an axis, a face's normal, across an edge, or from the middle to a vertex. */
static cd_vec3 hard_dir(test_rng *rng, const cd_hull_parts *h) {
    int kind = test_int(rng, 0, 5);
    uint32_t i = (uint32_t)test_int(rng, 0, 1 << 20);
    cd_vec3 dir = random_dir(rng);
    if (kind == 0) return cd_vec3_make((cd_real)test_int(rng, -1, 1), (cd_real)(test_int(rng, -1, 1)), 0);
    if (kind == 1 && h->face_count) return h->faces[i % h->face_count].plane.n;
    if (kind == 2 && h->half_edge_count) {
        const cd_half_edge *e = &h->half_edges[i % h->half_edge_count];
        cd_vec3 a = h->vertices[e->origin], b = h->vertices[h->half_edges[e->twin].origin];
        return cd_vec3_cross(cd_vec3_sub(a, b), dir);
    }
    if (kind == 3) return cd_vec3_sub(h->vertices[i % h->vertex_count], h->center);
    return dir;
}

static void note_dir(cd_vec3 dir) {
    test_note_reals("dir", &dir.x, 3);
}

static void supports_agree(test_rng *rng, const cd_hull *hull, const cd_dk_hierarchy *dk, int times) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    for (int i = 0; i < times; ++i) {
        cd_vec3 dir = hard_dir(rng, &h);
        if (!cd_vec3_is_valid(dir)) continue;
        if (!CHECK_INT(ASK("exact", cd_dk_hierarchy_support(dk, dir)), farthest(&h, dir))) note_dir(dir);
    }
}

/* ---- what hierarchies promise ---- */

/* No vertices of one level are linked; each has few neighbours that stay; in all, levels shrink. */
static void links_are_few(const cd_dk_parts *p) {
    uint32_t *from = (uint32_t *)calloc(p->vertex_count + 1, sizeof *from);
    for (uint32_t i = 0; i < p->link_count; ++i) ++from[p->links[i]];
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        bool base = i < p->level_ends[0];
        if (!CHECK(base ? from[i] == 0 : from[i] >= 2 && from[i] <= 8)) break;
    }
    CHECK(p->level_ends[0] <= 12 || p->level_count == 1);
    for (uint32_t i = 0; i + 1 < p->level_count; ++i)
        CHECK(p->level_ends[i] * 18.0 <= p->level_ends[i + 1] * 17.0 + 1);
    free(from);
}

/* The links of what was taken out of a level are all edges there that it has, told by a hull built of the level's vertices. */
static void level_is_a_hull(const cd_dk_parts *p, uint32_t level) {
    uint32_t end = p->level_ends[level], least = level ? p->level_ends[level - 1] : 0, links = 0, edges = 0;
    cd_hull hull;
    cd_hull_parts h;
    CHECK_INT(cd_hull3_build(&hull, p->vertices, end, NULL), CD_OK);
    h = cd_hull_get_parts(&hull);
    CHECK_INT(h.vertex_count, end);
    for (uint32_t e = 0; e < h.half_edge_count; ++e) {
        uint32_t a = h.sources[h.half_edges[e].origin],
                 b = h.sources[h.half_edges[h.half_edges[e].twin].origin];
        bool found = false;
        if (h.dimension == 2 && h.half_edges[e].face == 1)
            continue; /* the front has all edges, in one direction each */
        if (h.dimension == 2 && a > b) {
            uint32_t t = a;
            a = b;
            b = t;
        }
        if (level == 0 || b < least) continue;
        if (!CHECK(a < least || h.dimension < 2)) break;
        for (uint32_t i = p->first_links[a]; i < p->first_links[a + 1]; ++i) found |= p->links[i] == b;
        CHECK(found);
        ++edges;
    }
    for (uint32_t a = 0; level && a < least; ++a) {
        for (uint32_t i = p->first_links[a]; i < p->first_links[a + 1]; ++i)
            links += p->links[i] >= least && p->links[i] < end;
    }
    CHECK_INT(links, edges);
    cd_hull_destroy(&hull);
}

static void vertices_are_the_hulls(const cd_hull *hull, const cd_dk_parts *p) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    CHECK_INT(p->hull_vertex_count, h.vertex_count);
    for (uint32_t i = 0; i < p->vertex_count; ++i) {
        cd_vec3 a = p->vertices[i], b = h.vertices[p->numbers[i]];
        if (!CHECK(a.x == b.x && a.y == b.y && a.z == b.z && p->places[p->numbers[i]] == i)) break;
    }
}

static void judge(test_rng *rng, const cd_hull *hull, int times, bool levels) {
    cd_dk_hierarchy dk;
    cd_dk_parts p;
    memset(&dk, 0x77, sizeof dk);
    CHECK_INT(ASK("judge", cd_dk_hierarchy_build(&dk, hull, NULL)), CD_OK);
    CHECK_INT(ASK("judge", cd_dk_hierarchy_validate(&dk)), CD_OK);
    p = ASK("judge", cd_dk_hierarchy_get_parts(&dk));
    if (p.vertex_count) {
        vertices_are_the_hulls(hull, &p);
        links_are_few(&p);
        supports_agree(rng, hull, &dk, times);
        for (uint32_t i = 0; levels && i < p.level_count; ++i) level_is_a_hull(&p, i);
    }
    ASK("exact", cd_dk_hierarchy_destroy(&dk));
    CHECK(dk.block == NULL && dk.bytes == 0);
}

/* ---- bodies ---- */

static cd_hull hull_of(const hulls_cloud *c, cd_real merge) {
    cd_hull hull;
    cd_hull_options o;
    memset(&o, 0, sizeof o);
    o.merge_distance = merge;
    CHECK_INT(cd_hull3_build(&hull, c->points, c->count, &o), CD_OK);
    return hull;
}

static void judge_cloud(test_rng *rng, const hulls_cloud *c, const char *name, cd_real merge, int times) {
    cd_hull hull = hull_of(c, merge);
    hulls_cloud_note(c, name);
    judge(rng, &hull, times, cd_hull_get_parts(&hull).vertex_count < 200);
    cd_hull_destroy(&hull);
}

static void clouds_of_all_kinds(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(800); i < times; ++i) {
        const char *name = hulls_kinds[i % hulls_kind_count].name;
        int most = test_int(&rng, 0, 9) ? 30 : 150, n = test_int(&rng, 0, most);
        hulls_cloud c = hulls_cloud_make(&rng, name, n);
        judge_cloud(&rng, &c, name, 0, 8);
        hulls_cloud_free(&c);
    }
}

/* Prisms, cones and double cones of many sides, needles, balls, grids on the faces of a cube pressed out a little. */
static void add_shape(hulls_cloud *c, test_rng *rng, int kind, int n) {
    double stretch = kind == 3 ? 1e-5 : 1;
    for (int i = 0; i < n; ++i) {
        double t = 2 * 3.141592653589793 * i / n, u = test_range(rng, -1, 1), r = sqrt(1 - u * u),
               v = test_range(rng, 0, 2 * 3.141592653589793);
        if (kind < 3) {
            hulls_cloud_add(c, cos(t), sin(t), 0);
            if (kind == 0) hulls_cloud_add(c, cos(t), sin(t), 1);
        } else if (kind < 5) {
            hulls_cloud_add(c, stretch * r * cos(v), stretch * r * sin(v), u);
        } else {
            double x = i % 16 - 7.5, y = i / 16 % 16 - 7.5, z = 8 - 0.001 * (x * x + y * y);
            hulls_cloud_add(c, i % 3 == 0 ? z : x, i % 3 == 1 ? z : y, i % 3 == 2 ? z : x + 0.25);
        }
    }
    if (kind == 1 || kind == 2) hulls_cloud_add(c, 0, 0, 1);
    if (kind == 2) hulls_cloud_add(c, 0, 0, -1);
}

static void shapes_large_and_small(void) {
    test_rng rng = test_random();
    for (int kind = 0; kind < 6; ++kind) {
        int most = (int)test_times(3000);
        for (int n = 5; n <= most || n == 5; n *= 7) {
            hulls_cloud c = {NULL, 0, NULL};
            c.rng = &rng;
            add_shape(&c, &rng, kind, n);
            judge_cloud(&rng, &c, "shape", 0, 10);
            hulls_cloud_free(&c);
        }
    }
}

/* Corners on a parabola, exact ones, as they are or in a slanted plane. */
static void polygons(void) {
    test_rng rng = test_random();
    for (int n = 3; n <= 200; n = 2 * n + 1) {
        hulls_cloud c = {NULL, 0, NULL};
        c.rng = &rng;
        for (int i = 0; i < n; ++i) {
            double x = i - n / 2, y = x * x;
            hulls_cloud_add(&c, x, y, n & 8 ? 0 : 3 * x - 2 * y);
        }
        judge_cloud(&rng, &c, "polygon", 0, 50);
        hulls_cloud_free(&c);
    }
}

static void many_vertices(void) {
    test_rng rng = test_random();
    hulls_cloud c = {NULL, 0, NULL};
    c.rng = &rng;
    add_shape(&c, &rng, 4, (int)test_times(10000));
    judge_cloud(&rng, &c, "ball", 0, 40);
    hulls_cloud_free(&c);
}

static void merged_faces(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(40); i < times; ++i) {
        int n = test_int(&rng, 4, 100);
        hulls_cloud c = {NULL, 0, NULL};
        c.rng = &rng;
        add_shape(&c, &rng, 4, n);
        judge_cloud(&rng, &c, "merged", (cd_real)0.05, 10);
        hulls_cloud_free(&c);
    }
}

/* ---- few levels for many vertices, few steps ---- */

static void levels_are_few(void) {
    test_rng rng = test_random();
    hulls_cloud c = {NULL, 0, NULL};
    cd_hull hull;
    cd_dk_hierarchy dk;
    cd_dk_parts p;
    c.rng = &rng;
    add_shape(&c, &rng, 4, 2000);
    hull = hull_of(&c, 0);
    CHECK_INT(ASK("judge", cd_dk_hierarchy_build(&dk, &hull, NULL)), CD_OK);
    p = cd_dk_hierarchy_get_parts(&dk);
    CHECK(p.level_count >= 10 && p.level_count <= 30);
    CHECK(p.link_count < 7 * p.vertex_count);
    cd_dk_hierarchy_destroy(&dk);
    cd_hull_destroy(&hull);
    hulls_cloud_free(&c);
}

/* ---- supports of any body ---- */

static void as_a_support(void) {
    test_rng rng = test_random();
    hulls_cloud c = {NULL, 0, NULL};
    cd_hull hull;
    cd_dk_hierarchy dk, none;
    cd_support s;
    c.rng = &rng;
    add_shape(&c, &rng, 4, 60);
    hull = hull_of(&c, 0);
    CHECK_INT(cd_dk_hierarchy_build(&dk, &hull, NULL), CD_OK);
    s = ASK("loop", cd_support_of_dk_hierarchy(&dk));
    CHECK(ASK("loop", cd_support_is_valid(&s)));
    for (int i = 0; i < 10; ++i) {
        cd_hull_parts h = cd_hull_get_parts(&hull);
        cd_vec3 dir = random_dir(&rng), p = cd_support_farthest(&s, dir), q = h.vertices[farthest(&h, dir)];
        CHECK(p.x == q.x && p.y == q.y && p.z == q.z);
    }
    memset(&none, 0, sizeof none);
    s = ASK("bad", cd_support_of_dk_hierarchy(&none));
    CHECK(!ASK("bad", cd_support_is_valid(&s)));
    cd_dk_hierarchy_destroy(&dk);
    cd_hull_destroy(&hull);
    hulls_cloud_free(&c);
}

/* The way from A to B, which is only one. */
static cd_vec3 way_between(const cd_separation *s) {
    return cd_vec3_sub(s->b, s->a);
}

/* The same distance as by the hulls themselves; mostly the same bits: where several corners are as far within rounding, which of them
 * are found may differ. */
/* Hierarchies name corners only. */
static bool names_a_corner_or_nothing(uint32_t feature, const cd_dk_hierarchy *dk) {
    return feature == CD_FEATURE_NONE ||
           (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX &&
            CD_FEATURE_INDEX(feature) < cd_dk_hierarchy_get_parts(dk).vertex_count);
}

static void distances_agree(void) {
    test_rng rng = test_random();
    long other = 0;
    for (long i = 0, times = test_times(1000); i < times; ++i) {
        hulls_cloud c[2] = {{NULL, 0, NULL}, {NULL, 0, NULL}};
        cd_hull hull[2];
        cd_dk_hierarchy dk[2];
        cd_support s[2];
        cd_transform pose = gen_pose(&rng, 3);
        cd_separation want, got;
        double gaps;
        for (int k = 0; k < 2; ++k) {
            c[k].rng = &rng;
            add_shape(&c[k], &rng, (int)(i + k) % 6, 10 + (int)i % 50);
            hull[k] = hull_of(&c[k], 0);
            CHECK_INT(cd_dk_hierarchy_build(&dk[k], &hull[k], NULL), CD_OK);
            s[k] = cd_support_of_hull(&hull[k]);
        }
        want = cd_gjk_distance(&s[0], &s[1], &pose, NULL, NULL);
        got = ASK("forms", cd_dk_hierarchy_distance(&dk[0], &dk[1], &pose, NULL, NULL));
        gaps = (double)got.gap + (double)want.gap;
        CHECK_INT(got.status, CD_OK);
        CHECK(names_a_corner_or_nothing(got.feature_a, &dk[0]) &&
              names_a_corner_or_nothing(got.feature_b, &dk[1]));
        CHECK_NEAR(got.distance, want.distance, gaps);
        CHECK_VEC(way_between(&got), way_between(&want), sqrt(4 * gaps * (double)want.distance) + gaps);
        other +=
            memcmp(&got.a, &want.a, sizeof got.a) || memcmp(&got.normal, &want.normal, sizeof got.normal);
        for (int k = 0; k < 2; ++k) {
            cd_dk_hierarchy_destroy(&dk[k]);
            cd_hull_destroy(&hull[k]);
            hulls_cloud_free(&c[k]);
        }
    }
    CHECK(other <= test_times(1000) / 20 + 1);
}

/* ---- blocks, and what may go wrong ---- */

static cd_dk_hierarchy ball_hierarchy(test_rng *rng, int n, cd_hull *hull) {
    hulls_cloud c = {NULL, 0, NULL};
    cd_dk_hierarchy dk;
    c.rng = rng;
    add_shape(&c, rng, 4, n);
    *hull = hull_of(&c, 0);
    CHECK_INT(cd_dk_hierarchy_build(&dk, hull, NULL), CD_OK);
    hulls_cloud_free(&c);
    return dk;
}

/* A damaged block is refused, or its queries end and stay inside it. */
static void try_damaged(test_rng *rng, unsigned char *bytes, size_t size) {
    cd_dk_hierarchy view;
    cd_status status = ASK("bad", cd_dk_hierarchy_view(&view, bytes, size));
    CHECK(status == CD_OK || status == CD_CORRUPT || status == CD_UNSUPPORTED);
    if (status == CD_OK) {
        cd_vec3 dir = random_dir(rng);
        CHECK(cd_dk_hierarchy_support(&view, dir) < cd_dk_hierarchy_get_parts(&view).hull_vertex_count);
    } else {
        CHECK(view.block == NULL && view.bytes == 0);
    }
}

static void blocks_are_checked(void) {
    test_rng rng = test_random();
    cd_hull hull;
    cd_dk_hierarchy dk = ball_hierarchy(&rng, 60, &hull), view;
    unsigned char *raw = (unsigned char *)malloc(dk.bytes + 128), *bytes = raw + 64 - (uintptr_t)raw % 64;
    memcpy(bytes, dk.block, dk.bytes);
    CHECK_INT(ASK("forms", cd_dk_hierarchy_view(&view, bytes, dk.bytes)), CD_OK);
    supports_agree(&rng, &hull, &view, 10);
    cd_dk_hierarchy_destroy(&view);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_view(&view, NULL, 0)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_view(&view, bytes + 4, dk.bytes - 4)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_view(&view, bytes, dk.bytes - 4)), CD_CORRUPT);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_view(&view, bytes, 100)), CD_CORRUPT);
    bytes[4] ^= 8;
    CHECK_INT(ASK("bad", cd_dk_hierarchy_view(&view, bytes, dk.bytes)), CD_UNSUPPORTED);
    memcpy(bytes, dk.block, dk.bytes);
    for (long i = 0, times = test_times(3000); i < times; ++i) {
        size_t at = (size_t)test_int(&rng, 0, (int)dk.bytes - 1);
        unsigned char old = bytes[at];
        int bit = test_int(&rng, 0, 7);
        bytes[at] = test_int(&rng, 0, 3) ? (unsigned char)(old ^ 1u << bit) : (unsigned char)test_next(&rng);
        test_note("byte %d", (int)at);
        try_damaged(&rng, bytes, dk.bytes);
        bytes[at] = old;
    }
    free(raw);
    cd_dk_hierarchy_destroy(&dk);
    cd_hull_destroy(&hull);
}

/* Each rule of validate, broken alone. */
static void rules_are_told(void) {
    test_rng rng = test_random();
    cd_hull hull;
    cd_dk_hierarchy dk = ball_hierarchy(&rng, 40, &hull);
    cd_dk_parts p = cd_dk_hierarchy_get_parts(&dk);
    uint32_t *words[6] = {(uint32_t *)p.level_ends,      (uint32_t *)p.numbers,
                          (uint32_t *)p.places + 3,      (uint32_t *)p.links,
                          (uint32_t *)p.first_links + 1, (uint32_t *)p.links + p.link_count - 1};
    static const uint32_t wrong[] = {0, 1000000, CD_NONE};
    cd_real *x = (cd_real *)&p.vertices[5].y, old = *x;
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 3; ++k) {
            uint32_t was = *words[i];
            if (was == wrong[k]) continue;
            *words[i] = wrong[k];
            test_note("word %d wrong %d", i, k);
            CHECK_INT(ASK("bad", cd_dk_hierarchy_validate(&dk)), CD_CORRUPT);
            *words[i] = was;
        }
    }
    *x = (cd_real)NAN;
    CHECK_INT(ASK("bad", cd_dk_hierarchy_validate(&dk)), CD_CORRUPT);
    *x = 2;
    CHECK_INT(ASK("bad", cd_dk_hierarchy_validate(&dk)), CD_CORRUPT);
    *x = old;
    CHECK_INT(ASK("bad", cd_dk_hierarchy_validate(&dk)), CD_OK);
    cd_dk_hierarchy_destroy(&dk);
    cd_hull_destroy(&hull);
}

static void nothing_and_nonsense(void) {
    cd_hull empty;
    cd_dk_hierarchy dk;
    cd_vec3 p = cd_vec3_make(1, 2, 3), bad = cd_vec3_make((cd_real)NAN, 0, 0);
    memset(&empty, 0, sizeof empty);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_build(&dk, &empty, NULL)), CD_OK);
    CHECK(dk.block == NULL);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_validate(&dk)), CD_OK);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_support(&dk, p)), CD_NONE);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_get_parts(&dk)).vertex_count, 0);
    CHECK_INT(cd_hull3_build(&empty, &p, 1, NULL), CD_OK);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_build(&dk, &empty, NULL)), CD_OK);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_support(&dk, p)), 0);
    CHECK_INT(ASK("bad", cd_dk_hierarchy_support(&dk, bad)), 0);
    cd_dk_hierarchy_destroy(&dk);
    cd_hull_destroy(&empty);
}

void suite_dk_hierarchy(void) {
    RUN(clouds_of_all_kinds);
    RUN(shapes_large_and_small);
    RUN(polygons);
    RUN(many_vertices);
    RUN(merged_faces);
    RUN(levels_are_few);
    RUN(as_a_support);
    RUN(distances_agree);
    RUN(blocks_are_checked);
    RUN(rules_are_told);
    RUN(nothing_and_nonsense);
}
