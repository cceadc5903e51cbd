// SPDX-License-Identifier: MIT
// What tests of pipelines read in counts, and what holds of all of them. Each check fails its test.
#pragma once

#include "measure_support.h"

enum { BOUNCES = 256, EVENTS = 4000 }; // bounces, and launches of a stage, that tests look at

// Sums of the totals of all launches of a stage; NULL: of every launch.
struct bounce_counts totals(const struct measurement *measurement, const char *stage);
// Counts of all launches by bounce, or its bin.
void by_bounce(const struct measurement *measurement, struct bounce_counts counts[BOUNCES]);
// The totals of the launches of a stage, in their order, and how many there are.
size_t launches_of(const struct measurement *measurement, const char *stage, struct bounce_counts rows[EVENTS]);
uint64_t launch_count(const struct measurement *measurement); // but for auxiliary ones
// Extensions of all paths.
uint64_t active_paths(const struct measurement *measurement);

// Lengths of the paths of one sample of each of so many pixels, row by row, as naive has them with these settings.
void path_lengths(const char *scene, const char *work, uint32_t sample, uint32_t pixels, uint32_t *lengths);

// The image, the path hash, all counts of paths, the paths' lengths.
void check_paths(const struct measurement *found, const struct measurement *wanted);
// What holds of every pipeline, whatever order its paths come in.
void check_sums(const struct measurement *measurement, uint64_t samples);
// Both, of every pipeline with every setting; `work` of naive, too. Lists end with NULL.
void check_against_naive(const char *scene, const char *work, const char *const *pipelines, const char *const *settings,
                         uint64_t samples);

// ---- what a plain model tells from nothing but the lengths of paths

enum { WARP = 8 };

struct path_slot {
    uint32_t left, taken;   // extensions that its path has still to take, and those taken
    uint32_t pixel, sample; // for models that need them
};
struct path_schedule {
    uint64_t launches, lanes, warps, mixed, sparse; // sparse: warps of one lane
    uint32_t rounds, live[EVENTS];                  // lanes of the first rounds
    uint32_t begins, begun[EVENTS], queued[EVENTS]; // launches in which paths begin; how many, and how many had waited
};
// A round, but for its launches: every path that is not at its end is extended. Warps are of all slots, or of those in a list.
void model_trace(struct path_schedule *schedule, struct path_slot *slots, const uint32_t *list, size_t count);

void check_rounds(const struct measurement *found, const struct path_schedule *wanted);
void check_begins(const struct measurement *found, const struct path_schedule *wanted);
