// SPDX-License-Identifier: MIT
// What a run ran in, for its provenance, and what this machine is.
#pragma once

#include <stddef.h>
#include <stdint.h>

const char *environment_version(void); // of this program, with the commit it was built from where that is known
// Hash of the sources that measure, computed when the program is built (scripts/source-hashes): part of every trial's key.
const char *environment_harness(void);
const char *environment_timeline(void); // of what only the collection `timeline` is made by

enum { ENVIRONMENT_ROWS = 32 };
struct run_environment {
    char texts[ENVIRONMENT_ROWS][192];
    const char *pairs[2 * ENVIRONMENT_ROWS + 1]; // name, value, ..., NULL
    size_t count;
};
void environment_collect(struct run_environment *environment);
void environment_add(struct run_environment *environment, const char *name, const char *value); // "": nothing

void environment_processor(char *text, size_t size); // model name
uint64_t environment_memory(void);                   // bytes
// Whether /proc/cpuinfo lists the flag ("avx2").
int environment_has_flag(const char *flag);
// The first line of a file, without its newline; "" where it cannot be read.
void environment_file(const char *path, char *text, size_t size);
