// SPDX-License-Identifier: MIT
// A share of the trials of all experiments of a run, for one of several machines.
#pragma once

#include "run/sweep.h"

// "I/N", 1 <= I <= N, of which *shard becomes I - 1.
bool shard_parse(const char *text, uint32_t *shard, uint32_t *shards, struct error *error);
// Leaves in the sweeps every shards-th of their trials, in the order of the plans, from number `shard` on. A trial that several
// experiments ask for counts once: with the same experiments and settings each trial is in one shard, with all that is to be
// collected of it. Returns how many trials there are in all.
size_t shard_keep(struct sweep *sweeps, size_t count, uint32_t shard, uint32_t shards);
