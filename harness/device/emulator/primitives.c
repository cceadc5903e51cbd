// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "base/memory.h"
#include "device/emulator/emulator.h"

bool emulator_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in,
                             const uint8_t *flags, uint32_t *out, uint32_t *count, uint32_t n, struct error *error)
{
    (void)device, (void)stream, (void)error;
    uint32_t selected = 0;
    for (uint32_t i = 0; i < n; i++)
        if (flags[i])
            out[selected++] = in ? in[i] : i;
    *count = selected;
    return true;
}

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

struct pair {
    uint32_t key, value;
};

// One stable pass by the digit at `shift`, of which `mask` keeps the bits that take part.
static void sort_by_digit(const struct pair *from, struct pair *to, uint32_t n, uint32_t shift, uint32_t mask)
{
    uint32_t place[DIGITS] = {0};
    for (uint32_t i = 0; i < n; i++)
        place[from[i].key >> shift & mask]++;
    uint32_t before = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t here = place[digit];
        place[digit] = before;
        before += here;
    }
    for (uint32_t i = 0; i < n; i++)
        to[place[from[i].key >> shift & mask]++] = from[i];
}

static struct pair *primitives_sort(struct pair *from, struct pair *to, uint32_t n, uint32_t key_bits)
{
    for (uint32_t shift = 0; shift < key_bits; shift += DIGIT_BITS) {
        const uint32_t bits = key_bits - shift < DIGIT_BITS ? key_bits - shift : DIGIT_BITS;
        sort_by_digit(from, to, n, shift, (1u << bits) - 1);
        struct pair *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

bool emulator_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in,
                         uint32_t *keys_out, const uint32_t *values_in, uint32_t *values_out, uint32_t n,
                         uint32_t key_bits, struct error *error)
{
    (void)device, (void)stream;
    if (key_bits > 32)
        return error_set(error, ERROR_USE, "a key has 32 bits, not %u", key_bits);
    if (n == 0)
        return true;
    struct pair *pairs = memory_try(2 * (size_t)n, sizeof *pairs, error, "to sort %u pairs", n);
    if (!pairs)
        return false;
    for (uint32_t i = 0; i < n; i++)
        pairs[i] = (struct pair){keys_in[i], values_in[i]};
    const struct pair *sorted = primitives_sort(pairs, pairs + n, n, key_bits);
    for (uint32_t i = 0; i < n; i++) {
        keys_out[i] = sorted[i].key;
        values_out[i] = sorted[i].value;
    }
    free(pairs);
    return true;
}
