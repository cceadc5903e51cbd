// SPDX-License-Identifier: MIT
// How often a clean execution repeats its frame, and when it stops. Times are in seconds.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct policy {
    uint32_t warmups;         // frames before the first that counts
    uint32_t min_repetitions; // also the size of a block: the rule is applied at the end of blocks only
    uint32_t max_repetitions;
    double relative_ci;     // half width of the 95 % interval of the mean, over the mean
    double max_seconds;     // of all repetitions; like all rules it is applied at the end of blocks only
    double max_temperature; // degrees Celsius: a hotter device is waited for, up to gate_seconds, before it is measured
    double gate_seconds;
    bool shared_device; // other programs on the device are allowed
};

// How a timeline is sampled, in nanoseconds.
struct timeline_policy {
    uint64_t interval; // from sample to sample
    uint64_t window;   // the most that is sampled at a time
};

struct policy policy_default(void);
// One frame, no warm-up: counts are exact, and times of a device without a clock mean nothing.
struct policy policy_once(void);
// All of it as text, part of a trial's key.
void policy_format(const struct policy *policy, char *text, size_t size);

// NULL to go on, else why it stops: "relative_ci", "max_repetitions" or "max_seconds". `seconds`: every repetition so
// far.
const char *policy_stop(const struct policy *policy, const double *seconds, size_t count);
// Half width of the 95 % interval of the mean over the mean, with the repetitions' lag-1 correlation taken into
// account; infinite where there are fewer than 3.
double policy_relative_ci(const double *seconds, size_t count);
// Student's t for 95 %, two-sided.
double policy_student_t95(double degrees);
