// SPDX-License-Identifier: MIT
// Fuzz target: the first byte says how the values of a NIfTI file become densities, the rest are its bytes.
#include "fuzz_volume.h"

static const char *const volumes[] = {
    "format: nifti",
    "format: nifti, window: [-100, 1000], store: float",
    "format: nifti, window: [0, 255], store: 16",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0)
        fuzz_volume(volumes[data[0] % (sizeof volumes / sizeof *volumes)], data + 1, size - 1);
    return 0;
}
