// SPDX-License-Identifier: MIT
// What the fuzz targets of meshes' readers share: whatever is read must be a sound mesh, or an error that says why.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import/mesh_builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_mesh(mesh_reader *read, const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct mesh_data mesh = {0};
    struct mesh_builder builder = {
        .path = "/nowhere/fuzz", .name = "m", .materials = true, .quiet = true, .mesh = &mesh, .error = &error};
    char *bytes = calloc(size + 1, 1);
    if (!bytes)
        return;
    memcpy(bytes, data, size);
    const bool done = read(&builder, bytes, size);
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
    free(bytes);
}
