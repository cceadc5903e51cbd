// SPDX-License-Identifier: MIT
#include "device_contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { SHEETS = 4 };

// Host memory, and as much of the device's.
struct sheets {
    uint32_t *here[SHEETS], *there[SHEETS];
};

static bool take_sheets(struct sheets *sheets, struct device *device, uint32_t n, struct error *error)
{
    bool done = true;
    for (int i = 0; i < SHEETS; ++i) {
        sheets->here[i] = malloc(((size_t)n + 1) * 4);
        sheets->there[i] = device->ops->alloc(device, ((size_t)n + 1) * 4, error);
        done = done && sheets->here[i] && sheets->there[i] && (uintptr_t)sheets->there[i] % 256 == 0;
    }
    return done;
}

static bool drop_sheets(struct sheets *sheets, struct device *device, bool right, const char *what, uint32_t n,
                        const struct error *error)
{
    for (int i = 0; i < SHEETS; ++i) {
        device->ops->release(device, sheets->there[i]);
        free(sheets->here[i]);
    }
    device->ops->release(device, NULL);
    if (!right) {
        char text[2048];
        error_format(error, text, sizeof text);
        printf("%s of %u is wrong %s\n", what, (unsigned)n, error->kind ? text : "");
    }
    return right;
}

bool contract_memory(struct device *device, struct device_stream *stream, uint32_t bytes)
{
    const struct device_ops *ops = device->ops;
    struct sheets sheets;
    struct error error = {0};
    bool right = take_sheets(&sheets, device, bytes / 4 + 2, &error);
    if (!right)
        return drop_sheets(&sheets, device, right, "memory", bytes, &error);
    unsigned char *from = (unsigned char *)sheets.here[0] + 1, *to = (unsigned char *)sheets.here[1] + 1;
    unsigned char *there = (unsigned char *)sheets.there[0];
    for (uint32_t i = 0; i < bytes; ++i)
        from[i] = (unsigned char)(i * 7 + i / 256);
    memset(to, 0, bytes);
    right = right && ops->upload(device, stream, there, from, bytes, &error) &&
            ops->fill(device, stream, there + 3, 0xAB, bytes / 2, &error) &&
            ops->download(device, stream, to, there, bytes, &error) &&
            (!stream || ops->synchronize(device, stream, &error)); // without a stream all is done on return
    memset(from + 3, 0xAB, bytes / 2);
    right = right && memcmp(from, to, bytes) == 0;
    return drop_sheets(&sheets, device, right, "memory", bytes, &error);
}

bool contract_select(struct device *device, struct device_stream *stream, uint32_t n, uint32_t of_256, bool from_list)
{
    const struct device_ops *ops = device->ops;
    struct sheets sheets;
    struct error error = {0};
    uint32_t count = 0, found = UINT32_MAX;
    bool right = take_sheets(&sheets, device, n, &error);
    if (!right)
        return drop_sheets(&sheets, device, right, "selection", n, &error);
    uint32_t *in = sheets.here[0], *out = sheets.here[1], *wanted = sheets.here[2], **there = sheets.there;
    uint8_t *flags = (uint8_t *)sheets.here[3];
    for (uint32_t i = 0; i < n; ++i) {
        in[i] = (uint32_t)random_mix((uint64_t)n << 32 | i);
        flags[i] = in[i] % 256 < of_256 ? (uint8_t)(1 + i % 255) : 0;
        if (flags[i])
            wanted[count++] = from_list ? in[i] : i;
    }
    right = right && ops->upload(device, stream, there[0], in, (size_t)n * 4, &error) &&
            ops->upload(device, stream, there[3], flags, n, &error) &&
            ops->select_flagged(device, stream, from_list ? there[0] : NULL, (const uint8_t *)there[3], there[1],
                                there[2], n, &error) &&
            ops->download(device, stream, &found, there[2], sizeof found, &error) &&
            ops->download(device, stream, out, there[1], (size_t)count * 4, &error) &&
            ops->synchronize(device, stream, &error) && found == count && memcmp(out, wanted, (size_t)count * 4) == 0;
    return drop_sheets(&sheets, device, right, "selection", n, &error);
}

// Stable means: among equal keys (in the bits that count) the values, which are the places, ascend.
static bool in_order(const uint32_t *keys, const uint32_t *sorted, const uint32_t *values, uint32_t n, uint32_t mask)
{
    for (uint32_t i = 0; i < n; ++i) {
        if (values[i] >= n || sorted[i] != keys[values[i]])
            return false;
        const uint32_t key = sorted[i] & mask, before = i ? sorted[i - 1] & mask : 0;
        if (i && (before > key || (before == key && values[i - 1] >= values[i])))
            return false;
    }
    return true;
}

bool contract_sort(struct device *device, struct device_stream *stream, uint32_t n, uint32_t key_bits)
{
    const struct device_ops *ops = device->ops;
    const size_t bytes = (size_t)n * 4;
    struct sheets sheets;
    struct error error = {0};
    bool right = take_sheets(&sheets, device, n, &error);
    if (!right)
        return drop_sheets(&sheets, device, right, "sort", n, &error);
    uint32_t **here = sheets.here, **there = sheets.there;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t bits = (uint32_t)(random_mix((uint64_t)n << 32 | i) >> 8);
        here[0][i] = i % 2 ? bits : bits % 1000 * 4294967; // many equal ones
        here[2][i] = i;
    }
    right = right && ops->upload(device, stream, there[0], here[0], bytes, &error) &&
            ops->upload(device, stream, there[2], here[2], bytes, &error) &&
            ops->sort_pairs(device, stream, there[0], there[1], there[2], there[3], n, key_bits, &error) &&
            ops->download(device, stream, here[1], there[1], bytes, &error) &&
            ops->download(device, stream, here[3], there[3], bytes, &error) &&
            ops->synchronize(device, stream, &error) &&
            in_order(here[0], here[1], here[3], n, key_bits >= 32 ? UINT32_MAX : (1u << key_bits) - 1);
    return drop_sheets(&sheets, device, right, "sort", n, &error);
}
