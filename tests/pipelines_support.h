// SPDX-License-Identifier: MIT
// What tests of pipelines read in counts, and what holds of all of them. Each check fails its test.
#pragma once

#include "measure_support.h"

enum { BOUNCES = 256 }; // that tests look at

// Sums of the totals of all launches of a stage; NULL: of every launch.
struct bounce_counts totals(const struct measurement *measurement, const char *stage);
// Counts of all launches by bounce, or its bin.
void by_bounce(const struct measurement *measurement, struct bounce_counts counts[BOUNCES]);
// Extensions of all paths.
uint64_t active_paths(const struct measurement *measurement);

// The image, the path hash, all counts of paths, the paths' lengths.
void check_paths(const struct measurement *found, const struct measurement *wanted);
// What holds of every pipeline, whatever order its paths come in.
void check_sums(const struct measurement *measurement, uint64_t samples);
// Both, of every pipeline with every setting; `work` of naive, too. Lists end with NULL.
void check_against_naive(const char *scene, const char *work, const char *const *pipelines, const char *const *settings,
                         uint64_t samples);
