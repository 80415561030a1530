#include "shape/mesh_view.h"
#include "core/platform.h"

static uint32_t cdi_position_size(const cd_mesh_view *mesh) {
    switch (mesh->position_format) {
    case CD_POSITION_REAL: return (uint32_t)(3 * sizeof(cd_real));
    case CD_POSITION_F32: return 12;
    case CD_POSITION_F64: return 24;
    default: return 0;
    }
}

static uint32_t cdi_index_size(const cd_mesh_view *mesh) {
    return mesh->index_format == CD_INDEX_U16 ? 6u : mesh->index_format == CD_INDEX_U32 ? 12u : 0u;
}

CD_API cd_mesh_view cd_mesh_view_make(const cd_vec3 *positions, uint32_t vertex_count,
                                      const uint32_t *indices, uint32_t triangle_count) {
    cd_mesh_view mesh;
    cdi_clear(&mesh, sizeof mesh);
    mesh.positions = positions;
    mesh.stride = (uint32_t)sizeof(cd_vec3);
    mesh.vertex_count = vertex_count;
    mesh.indices = indices;
    mesh.triangle_count = triangle_count;
    return mesh;
}

CD_API cd_vec3 cd_mesh_position(const cd_mesh_view *mesh, uint32_t i) {
    uint32_t size = cdi_position_size(mesh);
    const unsigned char *at = (const unsigned char *)mesh->positions;
    at += (size_t)i * (mesh->stride ? mesh->stride : size);
    if (size == 12) {
        float p[3];
        cdi_copy(p, at, sizeof p);
        return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    } else {
        double p[3];
        cdi_copy(p, at, sizeof p);
        return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    }
}

CD_API void cd_mesh_indices(const cd_mesh_view *mesh, uint32_t i, uint32_t out[3]) {
    const unsigned char *at = (const unsigned char *)mesh->indices;
    if (!at) {
        for (uint32_t k = 0; k < 3; ++k) out[k] = 3 * i + k;
        return;
    }
    at += (size_t)i * (mesh->index_stride ? mesh->index_stride : cdi_index_size(mesh));
    if (mesh->index_format == CD_INDEX_U16) {
        uint16_t k[3];
        cdi_copy(k, at, sizeof k);
        for (int j = 0; j < 3; ++j) out[j] = k[j];
    } else {
        cdi_copy(out, at, 3 * sizeof *out);
    }
}

CD_API bool cd_mesh_triangle(const cd_mesh_view *mesh, uint32_t i, cd_triangle *out) {
    uint32_t k[3];
    cd_mesh_indices(mesh, i, k);
    if (k[0] >= mesh->vertex_count || k[1] >= mesh->vertex_count || k[2] >= mesh->vertex_count) return false;
    out->a = cd_mesh_position(mesh, k[0]);
    out->b = cd_mesh_position(mesh, k[1]);
    out->c = cd_mesh_position(mesh, k[2]);
    return true;
}

CD_API bool cd_mesh_view_is_valid(const cd_mesh_view *mesh) {
    uint32_t position = cdi_position_size(mesh), index = cdi_index_size(mesh);
    if (position == 0 || index == 0) return false;
    if (mesh->stride != 0 && mesh->stride < position) return false;
    if (mesh->index_stride != 0 && mesh->index_stride < index) return false;
    if (!mesh->positions && mesh->vertex_count != 0) return false;
    if (!mesh->indices && mesh->triangle_count > mesh->vertex_count / 3) return false;
    return true;
}
