// SPDX-License-Identifier: MIT
// Fuzz target: the bytes are an OBJ file, and a material library.
#include "fuzz_mesh.h"

#include "import/mesh_library.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mesh_library library = {0};
    struct error error = {0};
    char *bytes = calloc(size + 1, 1);
    fuzz_mesh(mesh_obj_read, data, size);
    if (bytes) {
        memcpy(bytes, data, size);
        if (!mesh_library_add(&library, bytes, size, "/nowhere/fuzz.mtl", "/nowhere/fuzz.obj", &error) &&
            !error.message[0])
            abort();
        for (size_t i = 0; i < library.count; ++i)
            for (int c = 0; c < 3; ++c)
                if (!(library.materials[i].material.diffuse[c] >= 0 && library.materials[i].material.diffuse[c] <= 1))
                    abort();
    }
    mesh_library_finish(&library);
    free(bytes);
    return 0;
}
