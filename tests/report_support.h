// SPDX-License-Identifier: MIT
// Made-up databases for tests of the report.
#pragma once

#include "report/report.h"
#include "report/tables/table_document.h"
#include "store/attempt.h"

enum { BOUNCES = 9, LAUNCHES = 16 };

// The paper's counts of fairy, with the first two bounces as exact as its image size makes them.
extern const uint64_t fairy_paths[BOUNCES + 1], fairy_warps[BOUNCES + 1]; // and a 0 that ends them

// One trial; all but the last five decide what is counted.
struct made {
    const char *variant, *scene, *camera;
    int64_t width, height, max_bounces, warp_width, block;
    int32_t replicate;
    const char *programs; // another value is another version of the kernels
    const uint64_t *paths, *warps;
    const char *parameters; // "tile_m=8 dummy_flops=100", NULL = defaults
    const char *device;     // NULL = emulator
    const char *policy;     // NULL = one for all
    const char *model;      // what the device calls itself, NULL = as its kind does
    const char *harness;    // another value is another program, NULL = one for all
    bool timeless;          // its clocks mean nothing
};

struct made made_fairy(const char *variant, const uint64_t *warps);
// Warps of 32 that so many paths fill.
void made_compact(const uint64_t *paths, uint64_t *warps);
int64_t made_run(struct store *store, const char *label);
// A trial with finished counts.
int64_t made_trial(struct store *store, int64_t run, const struct made *made);

// In steps: the trial as a run asks for it, then what its collections gave. collections: bits 1 << enum collection.
int64_t made_asked(struct store *store, int64_t run, const struct made *made, uint32_t collections);
void made_counts(struct store *store, int64_t run, int64_t trial, const struct made *made);
// `count` frames; resident_warps of its one kernel, 0 = not known.
void made_frames(struct store *store, int64_t run, int64_t trial, const struct made *made, const double *seconds,
                 size_t count, uint32_t resident_warps);
// One frame of launches. Of each row bounce, auxiliary and seconds count; `gap`: between them all.
void made_launches(struct store *store, int64_t run, int64_t trial, const struct made *made,
                   const struct measured_launch *rows, size_t count, double gap, uint32_t resident_warps);
// Any measurement: device and warp width are filled in, and the image where there is none.
void made_finish(struct store *store, int64_t run, int64_t trial, const struct made *made,
                 struct measurement *measurement);
void made_failed(struct store *store, int64_t run, int64_t trial, enum collection collection,
                 enum attempt_status status, const char *reason);

// A store in memory, a paper, and the table built from them.
struct bench {
    struct store *store;
    struct paper *paper;
    struct report_table *table;
    int64_t run;
};

void bench_open(struct bench *bench); // on Wald's paper
void bench_open_paper(struct bench *bench, const char *paper);
void bench_add(struct bench *bench, const struct made *made);
void bench_build(struct bench *bench, struct report_options options); // Table 2
void bench_table(struct bench *bench, const char *table, struct report_options options);
void bench_close(struct bench *bench);
// The panel's row of that key; fails the test where there is none.
size_t bench_row(const struct bench *bench, size_t panel, const char *key);
const struct report_cell *bench_cell(const struct bench *bench, size_t panel, size_t row, const char *column);
// What a writer makes of the table, NULL: of CSV; to be freed.
char *table_render(const struct report_table *table, void (*write)(const struct document *, FILE *));
char *bench_render(const struct bench *bench, void (*write)(const struct document *, FILE *));
// Draws that figure of every panel; with SHOW_REPORTS set, the pictures stay in the folder of that name.
void bench_draw(struct bench *bench, const char *figure);
