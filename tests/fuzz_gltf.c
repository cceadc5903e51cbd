// SPDX-License-Identifier: MIT
// Fuzz target: the bytes are a glTF file, JSON or GLB. Files of Draco's are left to assimp, and so end here.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(mesh_gltf_read, data, size);
    return 0;
}
