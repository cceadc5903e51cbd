// SPDX-License-Identifier: MIT
// Executes one collection of one trial in this process: device, scene, kernels, warm-up, repetitions, film. Used by
// worker processes, and directly by `render`, `verify` and tests.
#pragma once

#include "base/error.h"
#include "scene/scene.h"
#include "frame/measurement.h"
#include "frame/parameters.h"
#include "trial/policy.h"
#include "frame/variant.h"

// Keeps the device between executions, for as long as the next one wants the same, and a few programs and scenes on it.
struct executor;

// What is made to go wrong, for tests of those who drive this.
enum execute_fault {
    EXECUTE_FAULT_NONE,
    EXECUTE_FAULT_ILLEGAL, // kernels write to an address that nobody has
    EXECUTE_FAULT_OOM,     // more memory is wanted than the device has
};

enum { EXECUTE_PICTURE = 320 }; // pixels

struct execute_request {
    const struct trial_spec *spec;
    enum collection collection;
    struct policy
        policy; // repetitions: of frame and launches; the gate and who else is on the device: of all but counts
    const char *const *counters; // of counters: short names of device/metrics.def or the hardware's own; where there is
    size_t counter_count;        // none, all rows of metrics.def
    struct timeline_policy timeline; // of timeline
    bool keep_film;                  // leave film and path lengths in the measurement
    bool keep_picture;               // leave the film there, made small: at most EXECUTE_PICTURE wide
    enum execute_fault fault;
};

// What a trial would run on and from what its kernels are made; nothing is executed.
struct execute_facts {
    char device_name[128], driver[64], uuid[48]; // as device_properties has them
    uint32_t compute_capability;
    char programs
        [4096]; // provenance of the clean build, of the host schedule and of the builder of the tree that it walks, if any
    char counting[HASH_TEXT]; // of the counting build's provenance
    char unsupported[512];    // "" or why this device or variant cannot do it
    uint32_t warp_width, multiprocessors;
    bool times;
    int32_t foreign_processes; // other programs on the device; -1: not told
};

struct executor *executor_create(void);
void executor_destroy(struct executor *executor); // NULL is fine
// Of a backend's devices the one that is meant where a spec gives no number.
void executor_pin(struct executor *executor, uint32_t ordinal);
void executor_progress(struct executor *executor, void (*progress)(void *context, const char *step, double fraction),
                       void *context); // of scenes that have to be built first

// Fills the measurement, which the caller frees with measurement_finish() (also after a failure). ERROR_UNSUPPORTED
// where the variant or device cannot do it.
bool execute(struct executor *executor, const struct execute_request *request, struct measurement *measurement,
             struct error *error);

// Renders one frame with hooks around its launches and measures nothing.
struct frame_hooks;
bool execute_watched(struct executor *executor, const struct trial_spec *spec, const struct frame_hooks *hooks,
                     void *context, struct error *error);

// What is known of the device alone.
bool execute_open(struct executor *executor, const struct trial_spec *spec, struct execute_facts *facts,
                  struct error *error);
bool execute_describe(struct executor *executor, const struct trial_spec *spec, struct execute_facts *facts,
                      struct error *error);

// Compiles what the specs, all of one device, will need, several builds at once. What does not compile is left to
// execute_describe(), which says why. `progress` (may be NULL) may be called from any thread, one at a time.
bool execute_compile(struct executor *executor, const struct trial_spec *specs, size_t count,
                     void (*progress)(void *context, size_t done, size_t total), void *context, struct error *error);

// The scene of a spec. It stays open while the executor opens a few others.
const struct scene *execute_scene(struct executor *executor, const struct trial_spec *spec, struct error *error);
const struct device_properties *execute_device(struct executor *executor, const struct trial_spec *spec,
                                               struct error *error);
