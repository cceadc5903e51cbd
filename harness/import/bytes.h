// SPDX-License-Identifier: MIT
// Numbers in the bytes of a file, in either order.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bytes_word(const void *at, uint32_t count, bool big_endian)
{
    const unsigned char *bytes = at;
    uint64_t word = 0;
    for (uint32_t i = 0; i < count; ++i)
        word |= (uint64_t)bytes[i] << 8 * (big_endian ? count - 1 - i : i);
    return word;
}

static inline double bytes_real32(const void *at, bool big_endian)
{
    const uint32_t bits = (uint32_t)bytes_word(at, 4, big_endian);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static inline double bytes_real64(const void *at, bool big_endian)
{
    const uint64_t bits = bytes_word(at, 8, big_endian);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
