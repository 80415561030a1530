/* The files of the real cases are what tests/cases/README.md says, and the reader takes all of them: every case of every
 * family, its fields, and numbers that are what its precision promises. */
#include "cases.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What each routine's cases hold. Input and expected: "NAME=COUNT" with the count of numbers, "NAME" for anything, "?" in
 * front of a member that may be missing. */
typedef struct form {
    const char *family, *routine;
    int cases, floats;
    const char *input, *expected;
} form;

#define POINTS_AT(p, q, r, s)                                                                                \
    p "_t0=3 " p "_t1=3 " q "_t0=3 " q "_t1=3 " r "_t0=3 " r "_t1=3 " s "_t0=3 " s "_t1=3 ?t_max=1"
#define CONVEX "overlap signed_distance=1 normal_a_to_b=3"
#define BOXES                                                                                                \
    CONVEX                                                                                                   \
    " sat_max_separation=1 sat_axes_at_max exactly_parallel_edge_pairs=1 "                                   \
    "near_parallel_edge_pairs_sin_lt_1e-6=1"

static const form forms[] = {
    {"aabb_tree", "aabb_tree_query", 11, 6, "boxes queries", "results"},
    {"aabb_tree", "aabb_tree_build", 2, 0, "boxes queries", "?results ?must_find ?must_not"},
    {"box_box_manifold", "box_box_manifold", 33, 3, "a b", BOXES},
    {"ccd_vf_ee", "ccd_vertex_face", 78, 38, POINTS_AT("v", "f0", "f1", "f2"),
     "collision toi min_separation"},
    {"ccd_vf_ee", "ccd_edge_edge", 85, 35, POINTS_AT("ea0", "ea1", "eb0", "eb1"),
     "collision toi min_separation"},
    {"convex_hull", "convex_hull_3d", 34, 28, "points",
     "dimension=1 extreme_vertex_count=1 extreme_vertex_indices merged_facet_count=1 volume=1 "
     "volume_times_6_exact distinct_points=1"},
    {"gjk_cylinder", "convex_signed_distance", 8, 5, "a b", CONVEX " accuracy=1"},
    {"gjk_distance", "convex_signed_distance", 42, 17, "a b", CONVEX},
    {"gjk_penetration", "convex_signed_distance", 48, 23, "a b", CONVEX},
    {"min_sphere", "min_enclosing_sphere", 25, 22, "points",
     "center=3 radius2_exact radius=1 support_count=1 points_exactly_on_sphere=1"},
    {"obb_obb", "obb_obb_sat", 29, 3, "a b", BOXES},
    {"point_triangle", "point_triangle_closest", 13, 12, "p=3 tri=9",
     "distance2 distance=1 closest=3 feature degenerate_triangle"},
    {"predicates", "orient2d", 27, 0, "points=6", "sign=1 value_approx"},
    {"predicates", "orient3d", 16, 1, "points=12", "sign=1 value_approx"},
    {"predicates", "incircle", 18, 0, "points=8", "sign=1 value_approx"},
    {"predicates", "insphere", 10, 0, "points=15", "sign=1 value_approx"},
    {"ray_aabb", "ray_aabb", 30, 27, "origin=3 dir=3 min=3 max=3 ?t_max=1", "hit ?tmin ?tmax ?origin_inside"},
    {"ray_capsule_cylinder", "ray_sphere", 13, 9, "origin=3 dir=3 shape ?t_max=1", "hit ?t=1 ?point=3"},
    {"ray_capsule_cylinder", "ray_capsule", 19, 18, "origin=3 dir=3 shape ?t_max=1", "hit ?t=1 ?point=3"},
    {"ray_capsule_cylinder", "ray_cylinder", 9, 9, "origin=3 dir=3 shape ?t_max=1", "hit ?t=1 ?point=3"},
    {"ray_triangle", "ray_triangle", 23, 17, "origin=3 dir=3 tri=9 ?t_max=1", "hit t u v w on det"},
    {"segment_segment", "segment_segment_closest", 16, 10, "p1=3 q1=3 p2=3 q2=3",
     "distance2 distance=1 s=1 t=1 c1=3 c2=3 closest_pair_unique exactly_parallel sin2_angle degenerate"},
    {"toi_sweep", "convex_sweep_toi", 14, 9, "a b velocity_a=3 t_max=1",
     "hit toi initial_distance=1 grazing"},
    {"toi_sweep", "box2d_rotating_toi", 1, 0,
     "dimension=1 half_a=2 c0_a=2 c1_a=2 a0_a=1 a1_a=1 half_b=2 c0_b=2 c1_b=2 a0_b=1 a1_b=1", "hit toi"},
    {"tri_tri", "tri_tri", 38, 22, "t1=9 t2=9",
     "intersect coplanar distance2 distance=1 degenerate signs_of_t2_about_plane1=3 shared_vertices=1"},
    {"triangulation", "polygon_triangulate", 33, 29, "rings",
     "ring_area_times_2 area_outer_minus_holes=1 vertices=1 valid_simple_input"},
};
#define FORMS ((int)(sizeof forms / sizeof forms[0]))

/* ---- one value ---- */

static bool is_float(double x) {
    return !(fabs(x) <= 3.4028234663852886e38) ? x != x || fabs(x) > 1e308 : (double)(float)x == x;
}

/* How many numbers are in the value, however deep, that are not finite, and not floats. */
static void count_numbers(const json *v, int *count, int *wild, int *wide) {
    for (; v; v = v->next) {
        count_numbers(v->child, count, wild, wide);
        if (v->type == JSON_NUMBER) ++*count;
        if (v->type == JSON_NUMBER || v->number == v->number) {
            *wild += !(fabs(v->number) <= 1.7976931348623157e308);
            *wide += !is_float(v->number);
        }
    }
}

static bool is_one_of(const json *object, const char *name, const char *words) {
    const json *v = json_get(object, name);
    const char *at = v && v->type == JSON_STRING ? strstr(words, v->text) : NULL;
    return at != NULL && v->text[0] != 0;
}

static void check_points(const json *list, int numbers) {
    double unused[3];
    for (const json *p = list ? list->child : NULL; p; p = p->next)
        CHECK_INT(json_reals(p, unused, 3), numbers);
}

static void check_members(const json *object, const char *spec) {
    while (*spec) {
        char name[48];
        int length = (int)strcspn(spec, " "), wanted = -1;
        bool optional = *spec == '?';
        const json *member;
        double unused[1];
        snprintf(name, sizeof name, "%.*s", length - optional, spec + optional);
        if (strchr(name, '=')) {
            sscanf(strchr(name, '=') + 1, "%d", &wanted);
            *strchr(name, '=') = 0;
        }
        member = json_get(object, name);
        if (!optional && !CHECK(member != NULL)) test_note("no %s", name);
        if (member && wanted >= 0) CHECK_INT(json_reals(member, unused, 1), wanted);
        spec += length;
        spec += strspn(spec, " ");
    }
}

static void check_shape(const json *shape) {
    if (!shape || shape->type != JSON_OBJECT) return;
    if (json_is(shape, "type", "hull")) {
        check_members(shape, "points radius=1");
        check_points(json_get(shape, "points"), 3);
        CHECK(json_length(json_get(shape, "points")) > 0);
    } else if (json_is(shape, "type", "sphere")) {
        check_members(shape, "center=3 radius=1");
    } else if (json_is(shape, "type", "box")) {
        check_members(shape, "center=3 half=3 axes=9");
    } else {
        CHECK(is_one_of(shape, "type", "capsule cylinder"));
        check_members(shape, "p=3 q=3 radius=1");
    }
}

/* ---- one case ---- */

static void check_numbers(const json *one, const json *input) {
    int count = 0, wild = 0, wide = 0;
    count_numbers(input->child, &count, &wild, &wide);
    if (!cases_is(one, "aabb_tree_build")) {
        CHECK(count > 0);
        CHECK_INT(wild, 0);
        CHECK_INT(wide == 0, json_is(one, "precision", "f32"));
    }
}

static void check_case(const json *one, const form *f) {
    const json *input = json_get(one, "input"), *expected = json_get(one, "expected");
    test_note("case %s of %s", cases_name(one), f->family);
    check_members(one, "id source verified precision why");
    CHECK(is_one_of(one, "precision", "f32 f64"));
    CHECK(is_one_of(one, "origin", "verbatim derived"));
    CHECK(!json_get(one, "class") || is_one_of(one, "class", "clear near degenerate"));
    if (!CHECK(input && expected)) return;
    check_members(input, f->input);
    check_members(expected, f->expected);
    check_numbers(one, input);
    check_shape(json_get(input, "a"));
    check_shape(json_get(input, "b"));
    check_shape(json_get(input, "shape"));
    if (!cases_is(one, "predicates")) {
        const json *rings = json_get(input, "rings");
        int dimension = cases_is(one, "orient2d") || cases_is(one, "incircle") ? 2 : 3;
        check_points(json_get(input, "points"), dimension);
        for (const json *ring = rings ? rings->child : NULL; ring; ring = ring->next) check_points(ring, 2);
    }
}

static void check_ids_differ(const json *all) {
    for (const json *a = all->child; a; a = a->next) {
        for (const json *b = a->next; b; b = b->next) {
            if (strcmp(cases_name(a), cases_name(b)) == 0) CHECK(!"two cases have the same id");
        }
    }
}

static void every_case_is_well_formed(void) {
    for (int i = 0; i < FORMS; ++i) {
        json *all = cases_load(forms[i].family);
        int cases = 0, floats = 0;
        if (!all) {
            test_skip("tests/cases is read from the repository's root");
            return;
        }
        check_ids_differ(all);
        for (const json *one = all->child; one; one = one->next) {
            if (!json_is(one, "routine", forms[i].routine)) continue;
            check_case(one, &forms[i]);
            floats += json_is(one, "precision", "f32");
            ++cases;
        }
        test_note("%s", forms[i].routine);
        CHECK_INT(cases, forms[i].cases);
        CHECK_INT(floats, forms[i].floats);
        cases_free(all);
    }
}

/* No case hides from the table above. */
static void every_routine_is_known(void) {
    for (int i = 0; i < FORMS; ++i) {
        json *all = cases_load(forms[i].family);
        if (!all) return;
        for (const json *one = all->child; one; one = one->next) {
            int known = 0;
            for (int k = 0; k < FORMS; ++k)
                known += strcmp(forms[k].family, forms[i].family) == 0 &&
                         json_is(one, "routine", forms[k].routine);
            CHECK_INT(known, 1);
        }
        cases_free(all);
    }
}

/* ---- the reader ---- */

static void the_reader_reads(void) {
    const char *text = " {\"a\": [1, -2.5e3, [\"inf\", \"-inf\", \"nan\"], []], \"say\": \"\\\"x\\\"\","
                       " \"n\": null, \"t\": true, \"o\": {\"a\": 7}, \"q\": \"-12345678901234567890/4\"} \n";
    exact_pool pool = exact_begin();
    json *v = cases_parse(text);
    double a[8];
    CHECK(v != NULL);
    CHECK_INT(json_reals(json_get(v, "a"), a, 8), 5);
    CHECK(a[0] == 1 && a[1] == -2500 && a[2] == INFINITY && a[3] == -INFINITY && a[4] != a[4]);
    CHECK_INT(json_length(json_get(v, "a")), 4);
    CHECK(json_is(v, "say", "\"x\"") && json_true(v, "t") && !json_true(v, "n"));
    CHECK_SAME(json_real(json_get(v, "o"), "a"), 7);
    CHECK_SAME(json_real(v, "none"), NAN);
    CHECK_SAME(ratio_to_double(json_ratio(json_get(v, "q"))), -12345678901234567890.0 / 4);
    CHECK_SAME(ratio_to_double(json_ratio(NULL)), 0);
    cases_free(v);
    exact_end(pool);
}

/* A file cut off anywhere, or with something after its end, is no family. */
static void the_reader_stops(void) {
    const char *text = "[{\"a\": [1, 2], \"b\": \"x\\\"\"}, nul, tru, -, +, :]";
    char part[64];
    for (size_t i = 0; i < strlen(text); ++i) {
        snprintf(part, sizeof part, "%.*s", (int)i, text);
        CHECK(!cases_parse(part));
    }
    CHECK(!cases_parse("[1, 2] 3"));
    CHECK(!cases_load("no such family"));
}

void suite_cases_form(void) {
    RUN(every_case_is_well_formed);
    RUN(every_routine_is_known);
    RUN(the_reader_reads);
    RUN(the_reader_stops);
}
