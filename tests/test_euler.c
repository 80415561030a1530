/* Euler's formula against counting by hand: everything is looked for in everything, over and over until nothing changes. */
#include "gen.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_CORNERS = 3 * MOST };

/* ---- the reference ---- */

typedef struct soup {
    uint32_t t[3 * MOST], vertices, triangles;
} soup;

typedef struct reference {
    const soup *m;
    uint32_t face[MOST], faces; /* those that count */
    cd_euler e;
} reference;

static uint32_t at(const reference *r, uint32_t corner) {
    return r->m->t[3 * r->face[corner / 3] + corner % 3];
}

static uint32_t next_of(uint32_t corner) {
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* The two half-edges are of one edge. */
static bool same_edge(const reference *r, uint32_t g, uint32_t h) {
    uint32_t a = at(r, g), b = at(r, next_of(g)), c = at(r, h), d = at(r, next_of(h));
    return (a == c && b == d) || (a == d && b == c);
}

static uint32_t users(const reference *r, uint32_t g) {
    uint32_t n = 0;
    for (uint32_t h = 0; h < 3 * r->faces; ++h) n += same_edge(r, g, h);
    return n;
}

static bool is_first(const reference *r, uint32_t g) {
    for (uint32_t h = 0; h < g; ++h)
        if (same_edge(r, g, h)) return false;
    return true;
}

static void found(reference *r, cd_mesh_defect defect, uint32_t *count, uint32_t feature) {
    ++*count;
    if (r->e.defect && r->e.defect < (uint32_t)defect) return;
    if (r->e.defect == (uint32_t)defect && r->e.feature < feature) return;
    r->e.defect = (uint32_t)defect;
    r->e.feature = feature;
}

static void count_faces(reference *r) {
    for (uint32_t i = 0; i < r->m->triangles; ++i) {
        const uint32_t *k = r->m->t + 3 * i;
        if (k[0] >= r->m->vertices || k[1] >= r->m->vertices || k[2] >= r->m->vertices)
            found(r, CD_MESH_BAD_INDEX, &r->e.bad_indices, CD_FEATURE(3u, i));
        else if (k[0] == k[1] || k[0] == k[2] || k[1] == k[2])
            found(r, CD_MESH_DEGENERATE, &r->e.degenerate, CD_FEATURE(3u, i));
        else
            r->face[r->faces++] = i;
    }
    r->e.faces = r->faces;
}

static void count_edges(reference *r) {
    for (uint32_t g = 0; g < 3 * r->faces; ++g) {
        uint32_t n = users(r, g), feature = CD_FEATURE(2u, 3 * r->face[g / 3] + g % 3);
        if (!is_first(r, g)) continue;
        ++r->e.edges;
        if (n > 2) found(r, CD_MESH_EDGE_CROWDED, &r->e.crowded, feature);
        if (n == 1) found(r, CD_MESH_OPEN, &r->e.open, feature);
        for (uint32_t h = g + 1; n == 2 && h < 3 * r->faces; ++h)
            if (same_edge(r, g, h) && at(r, g) == at(r, h))
                found(r, CD_MESH_EDGE_TURNED, &r->e.turned, feature);
    }
}

/* Elements with labels, of which the smaller one spreads wherever two belong together. How many labels are left. */
static uint32_t spread(const reference *r, uint32_t count, uint32_t *label,
                       bool (*together)(const reference *r, uint32_t i, uint32_t j)) {
    bool changed = true;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; ++i) label[i] = i;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < count; ++i) {
            for (uint32_t j = 0; j < count; ++j) {
                if (label[j] >= label[i] || !together(r, i, j)) continue;
                label[i] = label[j];
                changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < count; ++i) left += label[i] == i;
    return left;
}

static bool faces_meet(const reference *r, uint32_t i, uint32_t j) {
    for (uint32_t k = 0; k < 9; ++k)
        if (same_edge(r, 3 * i + k / 3, 3 * j + k % 3)) return true;
    return false;
}

/* At one vertex, of two triangles that share an edge at it. */
static bool corners_meet(const reference *r, uint32_t c, uint32_t d) {
    uint32_t ce[2] = {c, next_of(next_of(c))}, de[2] = {d, next_of(next_of(d))};
    if (at(r, c) != at(r, d) || c / 3 == d / 3) return false;
    for (int k = 0; k < 4; ++k)
        if (same_edge(r, ce[k / 2], de[k % 2])) return true;
    return false;
}

static uint32_t fan_label[MOST_CORNERS];

/* Both open, with an end in one fan. */
static bool boundaries_meet(const reference *r, uint32_t g, uint32_t h) {
    uint32_t a[2] = {g, next_of(g)}, b[2] = {h, next_of(h)};
    if (users(r, g) != 1 || users(r, h) != 1) return false;
    for (int k = 0; k < 4; ++k)
        if (fan_label[a[k / 2]] == fan_label[b[k % 2]]) return true;
    return false;
}

static void count_vertices(reference *r) {
    for (uint32_t v = 0; v < r->m->vertices; ++v) {
        uint32_t fans = 0;
        for (uint32_t c = 0; c < 3 * r->faces; ++c) fans += at(r, c) == v && fan_label[c] == c;
        r->e.fans += fans;
        r->e.vertices += fans > 0;
        if (fans > 1) found(r, CD_MESH_VERTEX_PINCHED, &r->e.pinched, CD_FEATURE(1u, v));
        if (fans == 0) found(r, CD_MESH_UNUSED, &r->e.unused, CD_FEATURE(1u, v));
    }
}

/* Turns triangles around from the first of each piece on; false when one would have to be turned and not. */
static bool can_be_turned(const reference *r) {
    int side[MOST];
    memset(side, 0, sizeof side);
    for (uint32_t i = 0; i < r->faces; ++i) {
        bool changed = true;
        if (!side[i]) side[i] = 1;
        while (changed) {
            changed = false;
            for (uint32_t g = 0; g < 3 * r->faces; ++g) {
                for (uint32_t h = 0; h < 3 * r->faces; ++h) {
                    int want = at(r, g) == at(r, h) ? -side[g / 3] : side[g / 3];
                    if (g / 3 == h / 3 || !side[g / 3] || !same_edge(r, g, h) || users(r, g) != 2) continue;
                    if (side[h / 3] && side[h / 3] != want) return false;
                    changed = changed || !side[h / 3];
                    side[h / 3] = want;
                }
            }
        }
    }
    return true;
}

static cd_euler count_by_hand(const soup *m) {
    reference r;
    uint32_t label[MOST_CORNERS];
    memset(&r, 0, sizeof r);
    r.m = m;
    count_faces(&r);
    count_edges(&r);
    r.e.pieces = spread(&r, r.faces, label, faces_meet);
    spread(&r, 3 * r.faces, fan_label, corners_meet);
    count_vertices(&r);
    r.e.loops = spread(&r, 3 * r.faces, label, boundaries_meet);
    for (uint32_t g = 0; g < 3 * r.faces; ++g) r.e.loops -= users(&r, g) != 1; /* each on its own */
    r.e.orientable = can_be_turned(&r);
    r.e.characteristic = (int32_t)r.e.vertices - (int32_t)r.e.edges + (int32_t)r.e.faces;
    r.e.genus = -1;
    return r.e;
}

static cd_euler euler_of(const soup *m) {
    cd_mesh_view view = cd_mesh_view_make(NULL, m->vertices, m->t, m->triangles);
    cd_vec3 v[MOST_CORNERS];
    cd_euler e;
    memset(v, 0xFF, sizeof v); /* NaN: positions do not matter */
    view.positions = v;
    memset(&e, 0xEE, sizeof e);
    CHECK_INT(ASK("judge", cd_mesh_euler(&view, NULL, &e)), CD_OK);
    return e;
}

static cd_euler check_soup(const soup *m) {
    cd_euler e = euler_of(m), want = count_by_hand(m);
    CHECK_INT(e.defect, want.defect);
    CHECK_INT(e.feature, want.feature);
    CHECK_INT(e.vertices, want.vertices);
    CHECK_INT(e.edges, want.edges);
    CHECK_INT(e.faces, want.faces);
    CHECK_INT(e.bad_indices, want.bad_indices);
    CHECK_INT(e.degenerate, want.degenerate);
    CHECK_INT(e.crowded, want.crowded);
    CHECK_INT(e.turned, want.turned);
    CHECK_INT(e.pinched, want.pinched);
    CHECK_INT(e.open, want.open);
    CHECK_INT(e.unused, want.unused);
    CHECK_INT(e.pieces, want.pieces);
    CHECK_INT(e.fans, want.fans);
    CHECK_INT(e.loops, want.loops);
    CHECK_INT(e.orientable, want.orientable);
    CHECK_INT(e.characteristic, want.characteristic);
    CHECK_INT(e.genus >= 0, e.crowded == 0 && e.orientable);
    if (e.genus >= 0)
        CHECK_INT((long)e.fans - (long)e.edges + (long)e.faces,
                  2 * ((long)e.pieces - e.genus) - (long)e.loops);
    return e;
}

/* ---- solids and surfaces that are known ---- */

static soup nothing(void) {
    soup m;
    memset(&m, 0, sizeof m);
    return m;
}

static void add(soup *m, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = m->t + 3 * m->triangles++;
    t[0] = a, t[1] = b, t[2] = c;
    for (int k = 0; k < 3; ++k)
        if (t[k] >= m->vertices) m->vertices = t[k] + 1;
}

static void add_square(soup *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    add(m, a, b, c);
    add(m, a, c, d);
}

/* The faces of the second with new corners. */
static void append(soup *m, const soup *n) {
    uint32_t first = m->vertices;
    for (uint32_t i = 0; i < n->triangles; ++i)
        add(m, n->t[3 * i] + first, n->t[3 * i + 1] + first, n->t[3 * i + 2] + first);
}

static void replace_vertex(soup *m, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < 3 * m->triangles; ++i)
        if (m->t[i] == from) m->t[i] = to;
}

static soup tetrahedron(void) {
    soup m = nothing();
    add(&m, 0, 1, 2);
    add(&m, 0, 3, 1);
    add(&m, 1, 3, 2);
    add(&m, 2, 3, 0);
    return m;
}

static soup cube(void) {
    soup m = nothing();
    add_square(&m, 0, 4, 6, 2);
    add_square(&m, 1, 3, 7, 5);
    add_square(&m, 0, 1, 5, 4);
    add_square(&m, 2, 6, 7, 3);
    add_square(&m, 0, 2, 3, 1);
    add_square(&m, 4, 5, 7, 6);
    return m;
}

/* A net of n by 3 squares; along n it closes, or closes turned over; across it closes or not. */
static soup band(uint32_t n, uint32_t across, bool tube, bool twist) {
    soup m = nothing();
    uint32_t rows = tube ? across : across + 1;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < across; ++j) {
            uint32_t corner[4];
            for (uint32_t k = 0; k < 4; ++k) {
                uint32_t x = i + (k == 1 || k == 2), y = (j + (k >> 1)) % rows;
                if (x == n && twist) y = rows - 1 - y;
                corner[k] = x % n * rows + y;
            }
            add_square(&m, corner[0], corner[1], corner[2], corner[3]);
        }
    }
    return m;
}

/* Two tori, a triangle of each left out, sewn together along the gap. */
static soup double_torus(void) {
    soup m = band(3, 3, true, false), n = m;
    uint32_t a[3], b[3];
    --m.triangles;
    --n.triangles;
    memcpy(a, m.t + 3 * m.triangles, sizeof a);
    memcpy(b, n.t + 3 * n.triangles, sizeof b);
    for (int k = 0; k < 3; ++k) b[k] += m.vertices;
    append(&m, &n);
    replace_vertex(&m, b[0], a[0]);
    replace_vertex(&m, b[1], a[2]);
    replace_vertex(&m, b[2], a[1]);
    return m;
}

static void check_known(soup m, uint32_t defect, uint32_t pieces, uint32_t loops, int genus,
                        int characteristic) {
    cd_euler e = check_soup(&m);
    test_note("%d triangles", (int)m.triangles);
    CHECK_INT(e.defect, defect);
    CHECK_INT(e.pieces, pieces);
    CHECK_INT(e.loops, loops);
    CHECK_INT(e.genus, genus);
    CHECK_INT(e.characteristic, characteristic);
}

static void known_surfaces(void) {
    soup m = tetrahedron(), n;
    check_known(nothing(), CD_MESH_SOUND, 0, 0, 0, 0);
    check_known(tetrahedron(), CD_MESH_SOUND, 1, 0, 0, 2);
    check_known(cube(), CD_MESH_SOUND, 1, 0, 0, 2);
    check_known(band(3, 3, true, false), CD_MESH_SOUND, 1, 0, 1, 0);
    /* the three corners that were sewn onto others are left */
    check_known(double_torus(), CD_MESH_UNUSED, 1, 0, 2, -2);
    check_known(band(4, 1, false, false), CD_MESH_OPEN, 1, 2, 0, 0);        /* a cylinder */
    check_known(band(5, 1, false, true), CD_MESH_EDGE_TURNED, 1, 1, -1, 0); /* Moebius' band */
    check_known(band(4, 3, true, true), CD_MESH_EDGE_TURNED, 1, 0, -1, 0);  /* Klein's bottle */
    m = tetrahedron();
    n = cube();
    append(&m, &n);
    check_known(m, CD_MESH_SOUND, 2, 0, 0, 4);
    n = band(3, 3, true, false);
    append(&m, &n);
    check_known(m, CD_MESH_SOUND, 3, 0, 1, 4);
    m = nothing(); /* a disc, and one with a hole */
    for (uint32_t i = 0; i < 6; ++i) add(&m, 0, 1 + i, 1 + (i + 1) % 6);
    check_known(m, CD_MESH_OPEN, 1, 1, 0, 1);
    m = cube();
    m.triangles -= 2;
    check_known(m, CD_MESH_OPEN, 1, 1, 0, 1);
    m = nothing();
    add(&m, 0, 1, 2);
    add(&m, 0, 2, 1);
    check_known(m, CD_MESH_SOUND, 1, 0, 0, 2); /* both sides of a triangle */
}

static void known_defects(void) {
    soup m = nothing(), n = tetrahedron();
    uint32_t keep;
    add(&m, 0, 1, 2); /* a bow tie */
    add(&m, 0, 3, 4);
    check_known(m, CD_MESH_VERTEX_PINCHED, 2, 2, 0, 1);
    m = tetrahedron(); /* two bodies, tip to tip */
    append(&m, &n);
    replace_vertex(&m, 4, 0);
    check_known(m, CD_MESH_VERTEX_PINCHED, 2, 0, 0, 3);
    replace_vertex(&m, 5, 1); /* edge to edge */
    check_known(m, CD_MESH_EDGE_CROWDED, 1, 0, -1, 3);
    m = nothing();
    add(&m, 0, 1, 2); /* three pages of a book */
    add(&m, 1, 0, 3);
    add(&m, 0, 1, 4);
    check_known(m, CD_MESH_EDGE_CROWDED, 1, 1, -1, 1);
    m = cube(); /* one the wrong way round */
    keep = m.t[3];
    m.t[3] = m.t[4];
    m.t[4] = keep;
    check_known(m, CD_MESH_EDGE_TURNED, 1, 0, 0, 2);
    CHECK_INT(euler_of(&m).turned, 3);
    CHECK(euler_of(&m).orientable);
    m = cube();
    m.t[7] = m.t[6];
    CHECK_INT(check_soup(&m).defect, CD_MESH_DEGENERATE);
    CHECK_INT(euler_of(&m).feature, CD_FEATURE(3u, 2));
    m.t[10] = 8;
    CHECK_INT(check_soup(&m).defect, CD_MESH_BAD_INDEX);
    m.t[10] = 0xFFFFFFFFu;
    CHECK_INT(check_soup(&m).feature, CD_FEATURE(3u, 3));
    m = cube();
    add(&m, m.t[0], m.t[1], m.t[2]); /* a triangle twice */
    CHECK_INT(check_soup(&m).crowded, 3);
}

/* ---- anything ---- */

static void any_triangles(void) {
    test_rng rng = test_random();
    uint32_t bad = 0, degenerate = 0, crowded = 0, pinched = 0;
    cd_euler e;
    for (long i = test_times(1500); i > 0; --i) {
        soup m = nothing();
        int corners = test_int(&rng, 1, 9), triangles = test_int(&rng, 0, 14);
        for (int k = 0; k < triangles; ++k) {
            uint32_t a = (uint32_t)test_int(&rng, 0, corners), b = (uint32_t)test_int(&rng, 0, corners);
            add(&m, a, b, (uint32_t)test_int(&rng, 0, corners));
        }
        if (!test_int(&rng, 0, 3) && m.vertices) --m.vertices;
        if (!test_int(&rng, 0, 3)) ++m.vertices;
        test_note("soup of %d triangles", (int)m.triangles);
        e = check_soup(&m);
        bad += e.bad_indices;
        degenerate += e.degenerate;
        crowded += e.crowded;
        pinched += e.pinched;
    }
    CHECK_SEEN(bad > 0 && degenerate > 0 && crowded > 0 && pinched > 0);
}

/* Known surfaces with a few triangles gone, turned or added, and corners made one. */
static void damaged_surfaces(void) {
    test_rng rng = test_random();
    uint32_t crowded = 0, turned = 0, pinched = 0, open = 0;
    cd_euler e;
    for (long i = test_times(400); i > 0; --i) {
        int what = test_int(&rng, 0, 6);
        soup m = what == 0   ? tetrahedron()
                 : what == 1 ? cube()
                 : what == 2 ? double_torus()
                 : what == 3 ? band(5, 1, false, true)
                 : what == 4 ? band(3, 4, true, true)
                             : band((uint32_t)what - 1, 2, false, false);
        if (i % 4 == 0) { /* a tetrahedron on it, tip to tip */
            soup n = tetrahedron();
            uint32_t tip = m.vertices;
            append(&m, &n);
            replace_vertex(&m, tip, m.t[test_int(&rng, 0, 11)]);
        }
        for (int k = test_int(&rng, 0, 3); k > 0 && m.triangles > 0; --k) {
            uint32_t *t = m.t + 3 * test_int(&rng, 0, (int)m.triangles - 1), keep = t[0];
            switch (test_int(&rng, 0, 4)) {
            case 0: memcpy(t, m.t + 3 * --m.triangles, 3 * sizeof *t); break;
            case 1: t[0] = t[1], t[1] = keep; break;
            case 2: t[0] = t[1], t[1] = t[2], t[2] = keep; break;
            case 3: add(&m, t[0], t[1], m.vertices); break;
            default: replace_vertex(&m, t[0], m.t[test_int(&rng, 0, (int)m.triangles - 1)]);
            }
        }
        test_note("surface %d, %d triangles left", what, (int)m.triangles);
        e = check_soup(&m);
        crowded += e.crowded;
        turned += e.turned;
        pinched += e.pinched;
        open += e.open;
    }
    CHECK_SEEN(crowded > 0 && turned > 0 && pinched > 0 && open > 0);
}

/* Member by member: what lies between them is nobody's. */
static bool same_counts(const cd_euler *a, const cd_euler *b) {
    return a->defect == b->defect && a->feature == b->feature && a->vertices == b->vertices &&
           a->edges == b->edges && a->faces == b->faces && a->bad_indices == b->bad_indices &&
           a->degenerate == b->degenerate && a->crowded == b->crowded && a->turned == b->turned &&
           a->pinched == b->pinched && a->open == b->open && a->unused == b->unused &&
           a->pieces == b->pieces && a->fans == b->fans && a->loops == b->loops &&
           a->orientable == b->orientable && a->characteristic == b->characteristic && a->genus == b->genus;
}

/* The order of triangles and corners, and the numbers of vertices, change no count. */
static void numbering_does_not_matter(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        soup m = test_int(&rng, 0, 1) ? double_torus() : band(5, 2, false, true), n = m;
        uint32_t name[MOST_CORNERS];
        cd_euler a = euler_of(&m), b;
        for (uint32_t k = 0; k < m.vertices; ++k) name[k] = k;
        for (uint32_t k = m.vertices; k > 1; --k) {
            uint32_t j = (uint32_t)test_int(&rng, 0, (int)k - 1), keep = name[j];
            name[j] = name[k - 1];
            name[k - 1] = keep;
        }
        for (uint32_t k = 0; k < m.triangles; ++k) {
            uint32_t turn = (uint32_t)test_int(&rng, 0, 2), *to = n.t + 3 * (m.triangles - 1 - k);
            for (uint32_t c = 0; c < 3; ++c) to[c] = name[m.t[3 * k + (c + turn) % 3]];
        }
        b = euler_of(&n);
        a.feature = b.feature = 0;
        CHECK(same_counts(&a, &b));
    }
}

/* ---- views, sizes, memory ---- */

static void balls_are_sound(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(40, 0.1, &rng), flat = gen_mesh_grid(30);
    cd_mesh_view view = gen_mesh_view(&ball);
    cd_euler e;
    CHECK_INT(ASK("exact", cd_mesh_euler(&view, NULL, &e)), CD_OK);
    CHECK_INT(e.defect, CD_MESH_SOUND);
    CHECK_INT(e.faces, ball.triangle_count);
    CHECK_INT(e.genus, 0);
    view = gen_mesh_view(&flat);
    CHECK_INT(ASK("exact", cd_mesh_euler(&view, NULL, &e)), CD_OK);
    CHECK(e.defect == CD_MESH_OPEN && e.loops == 1 && e.open == 120 && e.genus == 0);
    view.indices = NULL; /* every corner its own */
    view.triangle_count = view.vertex_count / 3;
    CHECK_INT(ASK("exact", cd_mesh_euler(&view, NULL, &e)), CD_OK);
    CHECK_INT(e.pieces, view.triangle_count);
    CHECK_INT(e.loops, view.triangle_count);
    gen_mesh_free(&ball);
    gen_mesh_free(&flat);
}

static void small_indices_in_records(void) {
    soup m = double_torus();
    struct {
        uint16_t t[3], other;
    } record[MOST];
    cd_vec3 v[1] = {{0, 0, 0}};
    cd_mesh_view view;
    cd_euler a = euler_of(&m), b;
    memset(record, 0x55, sizeof record);
    for (uint32_t i = 0; i < 3 * m.triangles; ++i) record[i / 3].t[i % 3] = (uint16_t)m.t[i];
    view = cd_mesh_view_make(v, m.vertices, NULL, m.triangles);
    view.indices = record;
    view.index_stride = sizeof record[0];
    view.index_format = CD_INDEX_U16;
    CHECK_INT(ASK("forms", cd_mesh_euler(&view, NULL, &b)), CD_OK);
    CHECK(same_counts(&a, &b));
}

/* All triangles at one edge, and all at one vertex: no slower than others. */
static void hostile_meshes(void) {
    enum { N = 20000 };
    uint32_t *t = (uint32_t *)malloc(3 * N * sizeof *t);
    cd_vec3 v = {0, 0, 0};
    cd_mesh_view view = cd_mesh_view_make(&v, N + 2, t, N);
    cd_euler e;
    for (uint32_t i = 0; i < N; ++i) t[3 * i] = 0, t[3 * i + 1] = 1, t[3 * i + 2] = 2 + i;
    CHECK_INT(ASK("exact", cd_mesh_euler(&view, NULL, &e)), CD_OK);
    CHECK(e.crowded == 1 && e.edges == 2 * N + 1 && e.pieces == 1 && e.pinched == 0 && e.genus == -1);
    for (uint32_t i = 0; i < N; ++i) t[3 * i + 1] = 2 + (i + 1) % N;
    CHECK_INT(ASK("exact", cd_mesh_euler(&view, NULL, &e)), CD_OK);
    CHECK(e.defect == CD_MESH_OPEN && e.loops == 1 && e.open == N && e.unused == 1 && e.fans == N + 1);
    free(t);
}

static void what_cannot_be_done(void) {
    soup m = cube();
    cd_vec3 v = {0, 0, 0};
    cd_mesh_view view = cd_mesh_view_make(&v, m.vertices, m.t, m.triangles);
    cd_euler e, zero;
    test_memory s = {0, 0, 0};
    cd_allocator a = test_allocator(&s);
    memset(&zero, 0, sizeof zero);
    memset(&e, 1, sizeof e);
    CHECK_INT(ASK("bad", cd_mesh_euler(&view, &a, &e)), CD_OUT_OF_MEMORY);
    CHECK(!memcmp(&e, &zero, sizeof e));
    s.allowed = 1;
    CHECK_INT(ASK("bad", cd_mesh_euler(&view, &a, &e)), CD_OK);
    CHECK(s.live == 0 && s.bytes == 0 && e.faces == 12);
    view.index_format = 7;
    CHECK_INT(ASK("bad", cd_mesh_euler(&view, NULL, &e)), CD_INVALID_ARGUMENT);
    CHECK(!memcmp(&e, &zero, sizeof e));
    view.index_format = 0;
    view.triangle_count = 0x20000000u;
    CHECK_INT(ASK("bad", cd_mesh_euler(&view, NULL, &e)), CD_TOO_LARGE);
    view.triangle_count = 1;
    view.vertex_count = 0xFFFFFFFFu;
    CHECK_INT(ASK("bad", cd_mesh_euler(&view, NULL, &e)), CD_TOO_LARGE);
    CHECK(!memcmp(&e, &zero, sizeof e));
}

static void defects_have_names(void) {
    for (uint32_t i = 0; i < 12; ++i) {
        for (uint32_t j = 0; j < i; ++j)
            CHECK((strcmp(ASK("exact", cd_mesh_defect_text(i)), ASK("exact", cd_mesh_defect_text(j))) == 0) ==
                  (j > CD_MESH_UNUSED));
    }
}

void suite_euler(void) {
    RUN(known_surfaces);
    RUN(known_defects);
    RUN(any_triangles);
    RUN(damaged_surfaces);
    RUN(numbering_does_not_matter);
    RUN(balls_are_sound);
    RUN(small_indices_in_records);
    RUN(hostile_meshes);
    RUN(what_cannot_be_done);
    RUN(defects_have_names);
}
