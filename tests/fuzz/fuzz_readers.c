/* The readers of the examples: any text is refused, or is a mesh with indices in range, which a tree can be built of. */
#include "reader.h"
#include <stdint.h>

enum { ROOM = 6000 };

static char text[ROOM];
static size_t length;

FILE *reader_open(const char *name, const char *mode) {
    (void)name;
    (void)mode;
    return length ? fmemopen(text, length, "rb") : NULL;
}

int reader_print(FILE *file, const char *format, ...) {
    (void)file;
    (void)format;
    return 0;
}

int reader_vprint(FILE *file, const char *format, va_list arguments) {
    (void)file;
    (void)arguments;
    return format ? 0 : 1;
}

static void add(const char *word) {
    for (; *word && length < ROOM; ++word) text[length++] = *word;
}

static void add_number(test_rng *r, int least, int most) {
    char word[40];
    snprintf(word, sizeof word, "%d", test_int(r, least, most));
    add(word);
}

/* Words of all formats, most of them where they belong. */
static void compose(test_rng *r) {
    static const char *const words[] = {"v ",
                                        "f ",
                                        "OFF\n",
                                        "vn ",
                                        "\n",
                                        "\r\n",
                                        " ",
                                        "\t",
                                        "# ",
                                        "\\\n",
                                        "1e40",
                                        "-1e-50",
                                        "nan",
                                        "inf",
                                        "0x1p3",
                                        "1/2/3",
                                        "1//3",
                                        "-1",
                                        "0",
                                        "99999999999999999999",
                                        "solid ",
                                        "endsolid ",
                                        "facet normal 0 0 1\n",
                                        "outer loop\n",
                                        "vertex ",
                                        "endloop\n",
                                        "endfacet\n",
                                        "STOFF\n",
                                        "+",
                                        "1.5.2",
                                        "-9223372036854775808",
                                        "4294967297",
                                        "/",
                                        "v 0 0 0\n",
                                        "v 1 0 0\n",
                                        "v 0 1 0\n",
                                        "f 1 2 3\n",
                                        "3 0 1 2\n",
                                        "0 0 0\n",
                                        "1 2 3\n"};
    int head = test_int(r, 0, 3);
    if (head == 0) {
        add("OFF\n");
        add_number(r, 0, 9);
        add(" ");
        add_number(r, 0, 9);
        add(" 0\n");
    }
    if (head == 1) add("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    if (head == 2) add("solid x\n");
    for (int i = test_int(r, 0, 100); i > 0; --i) {
        int what = test_int(r, 0, 60);
        if (what < (int)(sizeof words / sizeof words[0])) {
            add(words[what]);
        } else if (what < 58) {
            add_number(r, -3, 9);
            add(" ");
        } else if (length < ROOM) {
            text[length++] = (char)test_int(r, 0, 255);
        }
    }
}

/* Triangles of 50 bytes each. */
static void compose_binary(test_rng *r) {
    uint32_t count = (uint32_t)test_int(r, 0, 20);
    length = 84;
    memset(text, 0, length);
    if (test_int(r, 0, 1)) memcpy(text, "solid", 5);
    for (int i = 0; i < 4; ++i) text[80 + i] = (char)(count >> 8 * i);
    if (!test_int(r, 0, 9)) text[80 + test_int(r, 0, 3)] = (char)test_int(r, 0, 255);
    for (uint32_t i = 0; i < 50 * count && length < ROOM; ++i) text[length++] = (char)test_int(r, 0, 255);
    length -= (size_t)test_int(r, 0, 9) / 9;
}

static void check_mesh(const cd_mesh_view *view, bool finite) {
    cd_bvh tree;
    cd_bvh_options o;
    CHECK(cd_mesh_view_is_valid(view));
    for (uint32_t i = 0; i < view->triangle_count; ++i) {
        uint32_t c[3];
        cd_mesh_indices(view, i, c);
        CHECK(c[0] < view->vertex_count && c[1] < view->vertex_count && c[2] < view->vertex_count);
    }
    for (uint32_t i = 0; i < view->vertex_count && finite; ++i)
        CHECK(cd_vec3_is_valid(cd_mesh_position(view, i)));
    memset(&o, 0, sizeof o);
    o.flags = finite ? 0 : (uint32_t)CD_BVH_SKIP_INVALID;
    CHECK_INT(cd_bvh_build_mesh(&tree, view, &o), CD_OK);
    cd_bvh_destroy(&tree);
}

void fuzz_readers(test_rng *r) {
    static const char *const names[3] = {"x.obj", "x.off", "x.STL"};
    cd_mesh_view view;
    const uint8_t *bytes;
    size_t count;
    int format = test_int(r, 0, 2), how = test_int(r, 0, 2);
    length = 0;
    if (how == 0) {
        bytes = fuzz_bytes(&count);
        for (size_t i = (size_t)r->state; i < count && length < ROOM; ++i) text[length++] = (char)bytes[i];
    } else if (how == 1 && format == 2) {
        compose_binary(r);
    } else {
        compose(r);
    }
    if (reader_mesh_tool(names[format], &view)) check_mesh(&view, true);
    if (reader_distance_slice(names[format], &view)) check_mesh(&view, false);
    if (reader_fit_volumes(names[format], &view)) check_mesh(&view, false);
    if (reader_hull(names[format], &view)) check_mesh(&view, true);
}
