// SPDX-License-Identifier: MIT
// One execution under way; only execute*.c see it.
#pragma once

#include "trial/executor.h"
#include "frame/frame_internal.h"

struct execution {
    struct executor *executor;
    const struct execute_request *request;
    const struct variant *variant;
    const struct device_properties *properties;
    struct device *device;
    struct executor_scene scene;
    struct frame frame;
    struct frame_internal internal;
    struct device_event *span[2]; // of launches
    void *film;                   // on the device, or where tiles have films of their own, on the host
    size_t film_bytes;
    double *host_seconds; // of each repetition, for the stop rule
    size_t repetition_room;
    struct measurement *measurement;
};

// ---- execution.c

// Enqueues all passes of one frame.
bool execution_render(struct execution *run, struct error *error);
// Clears what a frame adds to, and waits.
bool execution_clear(struct execution *run, struct error *error);
bool execution_check_values(struct execution *run, struct error *error);
// A whole frame that nobody times: cleared, rendered, waited for, its values checked.
bool execution_frame(struct execution *run, const struct frame_hooks *hooks, bool keep_launches, struct error *error);

// ---- execute_repeat.c: repetitions of counts, frame and launches until the policy says stop. *reason: why.
bool execution_repeat(struct execution *run, const char **reason, struct error *error);

// One frame between two clock reads, after frame_begin: host_seconds and the frame's totals.
bool execution_time_frame(struct execution *run, struct measured_repetition *row, struct error *error);
// A row at the end of the measurement's repetitions, which counts once repetition_count is raised.
bool execution_next_repetition(struct execution *run, struct measured_repetition **row, struct error *error);

// ---- execute_counters.c, execute_stalls.c, execute_timeline.c: what hardware counts. ERROR_UNSUPPORTED, ERROR_UNAVAILABLE where
// it cannot be read.
bool execution_counters(struct execution *run, const char **reason, struct error *error);
bool execution_stalls(struct execution *run, const char **reason, struct error *error);
bool execution_timeline(struct execution *run, const char **reason, struct error *error);
// ERROR_UNSUPPORTED where the device has no counters, ERROR_UNAVAILABLE where it does not let this program read them.
bool execution_can_count(const struct execution *run, struct error *error);

// ---- execute_conditions.c: waits for a hot device, and notes what surrounds the measurement. ERROR_FAILED where
// another program uses the device and the policy does not allow it.
bool execution_gate(struct execution *run, struct error *error);
bool execution_conditions_after(struct execution *run, struct error *error);

// ---- execute_results.c
bool execution_hash_film(struct execution *run, struct hash *hash, double *squares, struct error *error);
// The film must be what the first, undisturbed frame left.
bool execution_same_film(struct execution *run, struct hash first, const char *after, struct error *error);
void execution_free_slices(struct executor *executor);
// Rows, kernels, provenance and film into the measurement.
bool execution_results(struct execution *run, const char *reason, struct error *error);
