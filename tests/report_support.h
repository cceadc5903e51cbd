// SPDX-License-Identifier: MIT
// Made-up databases for tests of the report.
#pragma once

#include <stdint.h>

#include "report/report.h"
#include "store/store.h"

enum { BOUNCES = 9, LAUNCHES = 16 };

// The paper's counts of fairy, with the first two bounces as exact as its image size makes them.
extern const uint64_t fairy_paths[BOUNCES], fairy_warps[BOUNCES];

// One trial with finished counts.
struct made {
    const char *variant, *scene, *camera;
    int64_t width, height, max_bounces, warp_width, block;
    int32_t replicate;
    const char *programs; // another value is another version of the kernels
    const uint64_t *paths, *warps;
};

struct made made_fairy(const char *variant, const uint64_t *warps);
// Warps of 32 that so many paths fill.
void made_compact(const uint64_t *paths, uint64_t *warps);
int64_t made_run(struct store *store, const char *label);
int64_t made_trial(struct store *store, int64_t run, const struct made *made);

// Fails the test, with the error's words, where `done` is false.
void must(bool done, const struct error *error);

// A store in memory, a paper, and the table built from them.
struct bench {
    struct store *store;
    struct paper *paper;
    struct report_table *table;
    int64_t run;
};

void bench_open(struct bench *bench);
void bench_add(struct bench *bench, const struct made *made);
void bench_build(struct bench *bench, struct report_options options);
void bench_close(struct bench *bench);
const struct report_cell *bench_cell(const struct bench *bench, size_t panel, size_t row, const char *column);
// What a renderer writes; to be freed.
char *bench_render(const struct bench *bench, void (*write)(const struct report_table *, FILE *));
