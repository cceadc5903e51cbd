// SPDX-License-Identifier: MIT
// Morton codes: the bits of cells along three axes, interleaved.
#pragma once

#include "lib/vec.h"

// The bits of a number below 1024, two zeros between each.
DEVICE uint32_t morton_spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    return (x | x << 2) & 0x09249249u;
}

// Of cells below 1024.
DEVICE uint32_t morton_code(uint32_t x, uint32_t y, uint32_t z)
{
    return morton_spread(x) | morton_spread(y) << 1 | morton_spread(z) << 2;
}
