// SPDX-License-Identifier: MIT
// An experiment of one's own: a row a setting, by the parameters that vary in it, with one measure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "store/store.h"
#include "store/sweep_measures.h"

// What varies: variant, scene, camera, device, device_name (where a device is of several models) or a parameter of trials, in the order of
// the experiment file.
struct sweep_axis {
    const char *name;
    const char **values; // different ones: numbers ascending, words in the order of the sweep
    size_t value_count;
    bool numbers; // all of them
};

struct sweep_row {
    const char **at;         // for each axis its value, "" where the setting's variant has no such parameter
    size_t *rank;            // for each axis the value's place in its `values`, SIZE_MAX for ""
    double value, low, high; // NaN: not measured; low, high: ends of the 95 % interval, NaN where there is none
    const char *flags;       // what makes a time weak, words with commas between: "underfilled,few_replicates"
    const char *trials;      // behind the row: "12, 15"
};

struct sweep_rows {
    const char *experiment, *study;
    struct sweep_axis *axes;
    size_t axis_count;
    struct sweep_row *rows; // in the order of the sweep
    size_t row_count;
    struct sweep_measure measure;
    const char *sql; // what the rows were read by: the axes, NAME, NAME_low, NAME_high, flags, trials
    struct arena memory;
};

// Of the latest run whose experiment has that name or path; NULL: of the latest run. `measure`: NULL is the frame time where any was
// measured, else the live lanes, else the first metric. ERROR_USE: no such experiment or measure (with a suggestion), nothing was measured.
bool sweep_rows_read(struct store *store, const char *experiment, const char *measure, struct sweep_rows *rows,
                     struct error *error);
void sweep_rows_finish(struct sweep_rows *rows); // harmless on a zeroed one
const struct sweep_axis *sweep_axis_find(const struct sweep_rows *rows,
                                         const char *name); // NULL where it does not vary
// The temporary table `sweep` of the latest run's experiment, where the SQL mentions it: the varying parameters, frame_ms with its
// interval, speedup, live_lanes, saved_warps, the metrics that were counted, flags and trials.
bool sweep_rows_load_if_named(struct store *store, const char *sql, struct error *error);
