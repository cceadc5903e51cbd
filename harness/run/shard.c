// SPDX-License-Identifier: MIT
#include "run/shard.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum { MOST_SHARDS = 65536 };

bool shard_parse(const char *text, uint32_t *shard, uint32_t *shards, struct error *error)
{
    unsigned number, all;
    char rest;
    if (sscanf(text, "%5u/%5u%c", &number, &all, &rest) == 2 && number >= 1 && number <= all && all <= MOST_SHARDS) {
        *shard = number - 1;
        *shards = all;
        return true;
    }
    error_set(error, ERROR_USE, "--shard: '%s' is no share", text);
    return error_remedy(error, "write I/N, such as 1/16 for the first of sixteen, 16/16 for the last");
}

// Numbers of trials by what they are.
struct numbers {
    struct entry {
        struct hash trial;
        size_t number; // from 1; 0: free
    } * entries;
    size_t mask, count;
};

static size_t number_of(struct numbers *numbers, struct hash trial)
{
    size_t place = trial.low & numbers->mask;
    while (numbers->entries[place].number && !hash_equal(numbers->entries[place].trial, trial))
        place = (place + 1) & numbers->mask;
    if (!numbers->entries[place].number)
        numbers->entries[place] = (struct entry){trial, ++numbers->count};
    return numbers->entries[place].number - 1;
}

static void keep(struct sweep *sweep, struct numbers *numbers, uint32_t shard, uint32_t shards)
{
    size_t kept = 0;
    for (size_t i = 0; i < sweep->count; ++i)
        if (number_of(numbers, store_row_identity(&sweep->rows[i].plan)) % shards == shard)
            sweep->rows[kept++] = sweep->rows[i];
    sweep->count = kept;
}

size_t shard_keep(struct sweep *sweeps, size_t count, uint32_t shard, uint32_t shards)
{
    size_t rows = 0, room = 1;
    for (size_t i = 0; i < count; ++i)
        rows += sweeps[i].count;
    while (room <= 2 * rows)
        room *= 2;
    struct numbers numbers = {memory_new(room, sizeof *numbers.entries), room - 1, 0};
    for (size_t i = 0; i < count; ++i)
        keep(&sweeps[i], &numbers, shard, shards);
    free(numbers.entries);
    return numbers.count;
}
