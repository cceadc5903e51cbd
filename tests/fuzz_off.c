// SPDX-License-Identifier: MIT
// Fuzz target: the bytes are an OFF file.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(mesh_off_read, data, size);
    return 0;
}
