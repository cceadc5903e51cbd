// SPDX-License-Identifier: MIT
#include "base/hash_index.h"

#include <stdlib.h>

#include "base/memory.h"

static struct hash_entry *entry_of(struct hash_entry *entries, size_t room, struct hash hash)
{
    size_t place = hash.low & (room - 1);
    while (entries[place].number && !hash_equal(entries[place].hash, hash))
        place = (place + 1) & (room - 1);
    return &entries[place];
}

static void grow_index(struct hash_index *index)
{
    const size_t room = index->room ? 2 * index->room : 1024;
    struct hash_entry *entries = memory_new(room, sizeof *entries);
    for (size_t i = 0; i < index->room; ++i)
        if (index->entries[i].number)
            *entry_of(entries, room, index->entries[i].hash) = index->entries[i];
    free(index->entries);
    index->entries = entries;
    index->room = room;
}

size_t hash_index_add(struct hash_index *index, struct hash hash, bool *fresh)
{
    if (2 * index->count >= index->room)
        grow_index(index);
    struct hash_entry *entry = entry_of(index->entries, index->room, hash);
    *fresh = !entry->number;
    if (*fresh)
        *entry = (struct hash_entry){hash, ++index->count};
    return entry->number - 1;
}

void hash_index_free(struct hash_index *index)
{
    free(index->entries);
}
