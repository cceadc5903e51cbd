// SPDX-License-Identifier: MIT
// What makes the `counters` collection's result besides its trial's key: a word for each counter, "NAME:HASH", the hash of
// what the name stands for, in the order of names. (The other collections: keys.c.)
#pragma once

#include "plan/experiment.h"

// Words of the counters that the experiment lists, of all rows of metrics.def where it lists none. To be freed.
char *made_by_counters(const struct experiment *experiment);
// Words of the timeline that it samples: how often, in what windows, and the code of that collection. To be freed.
char *made_by_timeline(const struct experiment *experiment);
// Those of `wanted`, and those of `made` whose meaning is still the same: what is measured anew for one experiment stays
// measured for another. To be freed.
char *made_by_join(const char *wanted, const char *made);
// Names of all words, which are cut out of `words`; `names` has room for made_by_count(words). Returns how many.
size_t made_by_count(const char *words);
size_t made_by_names(char *words, const char **names);
