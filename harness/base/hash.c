// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <string.h>
#include <xxhash.h>

#include "base/memory.h"

static struct hash from_xxh(XXH128_hash_t value)
{
    return (struct hash){value.high64, value.low64};
}

struct hash hash_bytes(const void *bytes, size_t size)
{
    return from_xxh(XXH3_128bits(bytes, size));
}

struct hash_state *hash_begin(void)
{
    XXH3_state_t *state = memory_got(XXH3_createState());
    XXH3_128bits_reset(state);
    return (struct hash_state *)state;
}

void hash_add(struct hash_state *state, const void *bytes, size_t size)
{
    XXH3_128bits_update((XXH3_state_t *)state, bytes, size);
}

void hash_add_text(struct hash_state *state, const char *text)
{
    const uint64_t length = text ? strlen(text) : UINT64_MAX;
    hash_add(state, &length, sizeof length);
    if (text)
        hash_add(state, text, length);
}

struct hash hash_end(struct hash_state *state)
{
    const struct hash result = from_xxh(XXH3_128bits_digest((XXH3_state_t *)state));
    XXH3_freeState((XXH3_state_t *)state);
    return result;
}

void hash_text(struct hash hash, char text[HASH_TEXT])
{
    snprintf(text, HASH_TEXT, "%016llx%016llx", (unsigned long long)hash.high, (unsigned long long)hash.low);
}

bool hash_equal(struct hash a, struct hash b)
{
    return a.high == b.high && a.low == b.low;
}
