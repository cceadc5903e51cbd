// SPDX-License-Identifier: MIT
// The executions that a plan asks for, each once however many experiments share it: how many, how long, how many are done.
#pragma once

#include "base/hash_index.h"
#include "commands/command_line.h"
#include "plan/estimate.h"
#include "run/keys.h"

struct demand {
    int64_t replicates, done;
    struct estimate each;
};

struct demands {
    struct past *stored, *times; // of the database of --db, and of that whose times count; NULL: there is none
    struct hash_index index;     // by collection, setting and what else makes the result
    struct demand *rows;         // by number in that
    size_t count;
    bool untimed; // frames are asked of a device without a clock
};

// Reads what is in the databases of --db, which need not be there yet, and --times.
bool demands_open(struct demands *demands, const struct command_line *line, struct error *error);
void demands_close(struct demands *demands);
// Of an experiment: a row of its plan, where the scene's first camera is "".
void demands_add(struct demands *demands, const struct experiment *experiment, const struct keys_terms *terms,
                 const struct trial_row *row, enum collection kind);
// Lines for people.
void demands_print(const struct demands *demands);
