// SPDX-License-Identifier: MIT
// A share of the trials of all experiments of a run, for one of several machines.
#pragma once

#include "base/hash_index.h"
#include "store/key.h"

struct shard {
    uint32_t number, all; // from 0; `all` 0 or 1: there is no other share
    struct hash_index trials;
};

// "I/N", 1 <= I <= N, of which shard->number becomes I - 1.
bool shard_parse(const char *text, struct shard *shard, struct error *error);
// Whether the row is in the share: every `all`-th trial of the rows that were asked about, from `number` on. A trial that several
// experiments ask for counts once: with the same experiments and settings each trial is in one share, with all that is to be
// collected of it.
bool shard_has(struct shard *shard, const struct trial_row *row);
void shard_finish(struct shard *shard);
