// SPDX-License-Identifier: MIT
// What is counted, as a table: one row for each 64-bit word of struct bounce_counts, from kernels/lib/counts.def.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/frame.h"

enum count_class { COUNT_PATH, COUNT_TREE, COUNT_SCHEDULE, COUNT_MODEL };

struct count_word {
    char name[32]; // "active_paths", "deaths_miss", "hits_3": a column of bounce_counts
    enum count_class class;
    const char *unit, *meaning;
};

enum { COUNT_WORDS = sizeof(struct bounce_counts) / sizeof(uint64_t) };

const struct count_word *count_words(void);   // COUNT_WORDS of them, in the order of the struct
extern const char *const count_class_names[]; // by enum count_class: "path", "tree", "schedule", "model"

uint64_t count_get(const struct bounce_counts *counts, size_t word);
void count_clear(struct bounce_counts *counts, size_t word);
void count_add(struct bounce_counts *to, const struct bounce_counts *from);
