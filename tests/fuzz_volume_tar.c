// SPDX-License-Identifier: MIT
// Fuzz target: the first byte says what a member of a tar archive holds, the rest are the archive's bytes. The checksums of
// its headers are made right in every second case, so that what stands behind them is reached.
#include <string.h>

#include "fuzz_volume.h"

enum { BLOCK = 512, CHECKSUM = 148, CHECKSUM_BYTES = 8, LARGEST = 1 << 16 };

static const char *const volumes[] = {
    "member: a/b.dat, type: int8, size: [3, 2, 2], window: [-10, 10]",
    "member: a/b.dat, type: int16, size: [2, 2, 2], offset: 2, window: [-10, 10]",
    "format: nifti, member: a/b.dat",
};
enum { VOLUMES = sizeof volumes / sizeof *volumes };

static void mend(uint8_t *header)
{
    char digits[CHECKSUM_BYTES + 1];
    unsigned sum = 0;
    memset(header + CHECKSUM, ' ', CHECKSUM_BYTES);
    for (int i = 0; i < BLOCK; ++i)
        sum += header[i];
    snprintf(digits, sizeof digits, "%06o", sum);
    memcpy(header + CHECKSUM, digits, CHECKSUM_BYTES - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t archive[LARGEST];
    if (size == 0 || size - 1 > sizeof archive)
        return 0;
    memcpy(archive, data + 1, size - 1);
    for (size_t at = 0; data[0] / VOLUMES % 2 && at + BLOCK <= size - 1; at += BLOCK)
        if (archive[at]) // neither the end nor, most often, the zeros behind a member
            mend(archive + at);
    fuzz_volume(volumes[data[0] % VOLUMES], archive, size - 1);
    return 0;
}
