// SPDX-License-Identifier: MIT
// What became of a sweep's executions, for the summary.
#pragma once

#include "store/attempt.h"

enum { TALLY_REASONS = 24 };

struct tally_reason {
    enum attempt_status status;
    char text[320], example[288]; // example: the first trial it happened to
    int64_t count;
};

struct tally {
    int64_t settled, done, skipped, failed, left; // executions; settled = before this run
    int64_t unknown; // of those that failed: no worker lived to describe them, so that nothing of them is stored
    int64_t retried;
    int64_t failed_before, skipped_before; // of the settled ones
    double busy_seconds;                   // spent in executions
    struct tally_reason reasons[TALLY_REASONS];
    size_t reason_count;
};

void tally_add(struct tally *tally, enum attempt_status status, const char *reason, const char *example);
void tally_merge(struct tally *total, const struct tally *part);
void tally_print_skips(const struct tally *tally, FILE *stream); // the reasons alone
void tally_print(const struct tally *tally, FILE *stream);
