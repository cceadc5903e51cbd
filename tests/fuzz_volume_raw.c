// SPDX-License-Identifier: MIT
// Fuzz target: the first byte says what a scene file says of a raw volume, the rest are its bytes.
#include "fuzz_volume.h"

static const char *const volumes[] = {
    "type: uint8, size: [3, 2, 2]",
    "type: int8, size: [2, 2, 2], spacing: [1, 0.5, 2], window: [-20, 20], store: 8",
    "type: uint16, size: [2, 2, 1], offset: 2, window: [0, 60000]",
    "type: int16, order: big, offset: 3, size: [3, 2, 2], window: [0, 100], store: 16",
    "type: float32, size: [3, 2, 1], store: float",
    "type: float32, order: big, size: [1, 2, 2], window: [-1, 1e12], store: 16",
    "type: uint32, order: big, size: [1, 2, 2], window: [0, 1e9]",
    "type: int32, size: [1, 2, 2], window: [-1e9, 1e9]",
    "type: uint64, size: [1, 2, 1]",
    "type: int64, order: big, size: [1, 2, 1], window: [-1e12, 1e12], store: float",
    "type: float64, size: [1, 2, 1], store: float",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0)
        fuzz_volume(volumes[data[0] % (sizeof volumes / sizeof *volumes)], data + 1, size - 1);
    return 0;
}
