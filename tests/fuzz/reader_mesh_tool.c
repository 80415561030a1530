#define READER_EXAMPLE
#include "reader.h"

#include "../../examples/mesh_tool.c"

bool reader_mesh_tool(const char *name, cd_mesh_view *out) {
    static mesh m;
    (void)reader_main;
    list_free(&m.points);
    list_free(&m.indices);
    if (!mesh_read(&m, name)) return false;
    *out = mesh_view(&m);
    return true;
}
