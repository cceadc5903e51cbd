// SPDX-License-Identifier: MIT
// Fuzz target of one reader of meshes, MESH_READER: the bytes are a file, and what is read must be a sound mesh, or an error that says
// why. For OBJ they are a material library, too; files of Draco's are left to assimp, and so end here.
#include <stdlib.h>
#include <string.h>

#include "import/mesh_builder.h"
#include "import/mesh_library.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_mesh(const char *bytes, size_t size)
{
    struct error error = {0};
    struct mesh_data mesh = {0};
    struct mesh_builder builder = {
        .path = "/nowhere/fuzz", .name = "m", .materials = true, .quiet = true, .mesh = &mesh, .error = &error};
    const bool done = MESH_READER(&builder, bytes, size);
    if (builder.left ? mesh.triangle_count > 0
        : done       ? mesh.triangle_count == 0 || mesh.palette_count == 0
                     : !error.message[0])
        abort();
    for (uint64_t i = 0; done && i < 3 * mesh.triangle_count; ++i)
        if (mesh.indices[i] >= mesh.vertex_count || mesh.materials[i / 3] >= mesh.palette_count)
            abort();
    for (uint64_t i = 0; done && i < mesh.vertex_count; ++i)
        if (!isfinite(mesh.vertices[i].x) || !isfinite(mesh.vertices[i].y) || !isfinite(mesh.vertices[i].z))
            abort();
    mesh_finish(&mesh);
}

static void read_library(const char *bytes, size_t size)
{
    struct mesh_library library = {0};
    struct error error = {0};
    if (!mesh_library_add(&library, bytes, size, "/nowhere/fuzz.mtl", "/nowhere/fuzz.obj", &error) && !error.message[0])
        abort();
    for (size_t i = 0; i < library.count; ++i)
        for (int c = 0; c < 3; ++c)
            if (!(library.materials[i].material.diffuse[c] >= 0 && library.materials[i].material.diffuse[c] <= 1))
                abort();
    mesh_library_finish(&library);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh_reader *const read = MESH_READER;
    char *bytes = calloc(size + 1, 1);
    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    read_mesh(bytes, size);
    if (read == mesh_obj_read)
        read_library(bytes, size);
    free(bytes);
    return 0;
}
