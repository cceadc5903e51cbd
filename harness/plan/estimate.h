// SPDX-License-Identifier: MIT
// How long executions will take, from what a database says of past ones: those of the same setting took so long, else the nearest of
// the same collection and kind of device stand for it, with their time for each unit of work. (Left out of the reference databases and
// estimated from the rest, half of 65 sweeps come within a quarter of their time, and all of them together within a twentieth.)
#pragma once

#include "frame/measurement.h"
#include "frame/parameters.h"
#include "store/store.h"
#include "trial/policy.h"

struct past; // executions of a database

struct past *past_read(struct store *store, struct error *error);
void past_free(struct past *past); // NULL is fine
// How many replicates of this setting are done. `made_by`: words of the measurement policy, of counters also theirs.
int64_t past_done(const struct past *past, const struct trial_spec *spec, enum collection kind, const char *made_by);

enum estimate_basis {
    ESTIMATE_SAME, // this setting was executed before
    ESTIMATE_NEAR, // others on such a device were
    ESTIMATE_RULE, // none was, so that only bounds are known
};
struct estimate {
    enum estimate_basis basis;
    double seconds, low, high; // of one execution; seconds: of the rule, between its bounds
};
// `policy` matters to frame and launches: NULL for one frame, as on a device without a clock.
struct estimate estimate_execution(const struct past *past, const struct trial_spec *spec, enum collection kind,
                                   const char *made_by, const struct policy *policy);
