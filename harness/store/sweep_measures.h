// SPDX-License-Identifier: MIT
// What a sweep can be asked for, by name: columns of the table `sweep`, every count, every metric.
#pragma once

#include "base/arena.h"
#include "base/error.h"

struct sweep_measure {
    const char *name;  // "frame_ms", "live_lanes", a count or a metric
    const char *title; // "median frame time"
    const char *unit;  // "ms"; "" where it has none
};

// SQL of a value over the tables sweep (w) and sweep_setting (s), and of the ends of its interval ("NULL" where it has none).
struct sweep_source {
    struct sweep_measure measure;
    const char *value, *low, *high;
};

// ERROR_USE with a suggestion where there is none of that name. Texts live in `memory`.
bool sweep_source_find(const char *name, struct arena *memory, struct sweep_source *source, struct error *error);
