// SPDX-License-Identifier: MIT
// A made-up study on a made-up GPU, for tests of tables of times.
#pragma once

#include "report_support.h"

enum { REPLICATES = 5, MIDDLE = 2, REPETITIONS = 10, RESIDENT = 100 };
enum {
    frame_asked = 1 << COLLECTION_FRAME,
    launches_asked = 1 << COLLECTION_LAUNCHES,
    counts_asked = 1 << COLLECTION_COUNTS
};

// The paper's Table 3, in microseconds a warp.
extern const double off_us[BOUNCES], on_us[BOUNCES];

void assert_near(double value, double wanted);
// A trial of the paper's size and counts on the GPU.
struct made on_gpu(const char *variant, const char *scene);
// REPLICATES with counts and frames, whose medians are `seconds` and `step` apart, relative to it; the first trial.
int64_t add_times(struct bench *bench, struct made made, double seconds, double step);
// The same with counts and the launches of a frame, one a bounce and, where `compaction` is no 0, one that long after
// each.
int64_t add_launches(struct bench *bench, struct made made, const double *seconds, double compaction, double gap,
                     double step);
// Half width of the 95 % interval over the mean, of medians `step` apart.
double interval(double step);
// With SHOW_REPORTS set, prints what a reader would see.
void show(const struct bench *bench);
// Draws the figure of every panel; with SHOW_REPORTS set, the pictures stay in the folder of that name.
void assert_drawn(struct bench *bench, const char *figure);
// Of the first panel.
double cell(const struct bench *bench, const char *row, const char *column);
const struct report_cell *whole_cell(const struct bench *bench, const char *row, const char *column);
