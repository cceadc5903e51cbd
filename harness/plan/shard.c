// SPDX-License-Identifier: MIT
#include "plan/shard.h"

#include <stdio.h>

enum { MOST_SHARDS = 65536 };

bool shard_parse(const char *text, struct shard *shard, struct error *error)
{
    unsigned number, all;
    char rest;
    if (sscanf(text, "%5u/%5u%c", &number, &all, &rest) == 2 && number >= 1 && number <= all && all <= MOST_SHARDS) {
        *shard = (struct shard){.number = number - 1, .all = all};
        return true;
    }
    error_set(error, ERROR_USE, "--shard: '%s' is no share", text);
    return error_remedy(error, "write I/N, such as 1/16 for the first of sixteen, 16/16 for the last");
}

bool shard_has(struct shard *shard, const struct trial_row *row)
{
    bool fresh;
    return shard->all < 2 || hash_index_add(&shard->trials, trial_identity(row), &fresh) % shard->all == shard->number;
}

void shard_finish(struct shard *shard)
{
    hash_index_free(&shard->trials);
}
