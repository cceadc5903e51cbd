// SPDX-License-Identifier: MIT
// Inside the counters of the cuda backend: what profiles, sites and stalls share. The seam is device/counters.h.
#pragma once

#include "device/counters.h"
#include "device/cuda/cupti_api.h"
#include "device/cuda/cupti_image.h"
#include "device/cuda/device.h"

// What a device's counters are doing: one thing at a time.
enum cupti_use { CUPTI_IDLE, CUPTI_PROFILE, CUPTI_SITES, CUPTI_STALLS, CUPTI_TIMELINE };

struct cupti_state {
    bool probed, usable;
    struct error why;  // probed and not usable
    char reason[1600]; // the same as text
    const char *chip;  // "GH100"; CUPTI's own text
    enum cupti_use use;
    void *session; // what the use keeps between its begin and end; NULL of a profile, which its caller keeps
    void (*finish)(struct device *device, void *session);
};

// NULL where there are counters, else why not.
const char *cupti_unavailable(struct device *device);

// Makes the device's context current and waits for all its work.
bool cupti_settle(struct device *device, struct error *error);

// The device's state, its context current, its work done; claims the counters for `use`. NULL on failure: no counters
// here (ERROR_UNSUPPORTED), or another use of them is not over (ERROR_USE).
struct cupti_state *cupti_claim(struct device *device, enum cupti_use use, struct error *error);
void cupti_unclaim(struct device *device);

// The same with a session of so many bytes, zero. `finish` undoes what has been done since, and must free what the
// session points to, but not the session.
void *cupti_begin(struct device *device, enum cupti_use use, size_t bytes,
                  void (*finish)(struct device *device, void *session), struct error *error);
// The session of that use; NULL, and ERROR_USE, where none is going on.
void *cupti_session(struct device *device, enum cupti_use use, struct error *error);
// Ends the session that is going on; nothing where there is none.
void cupti_end(struct device *device);
// Also frees the state.
void cupti_close(struct device *device);

// The code that a record speaks of, with its lines and sites; *found = NULL where this backend has not loaded it. Of
// `crc` the lower 32 bits count. Builds of one kernel may share it: then it is the one that was launched last, so a
// take after each launch is never wrong.
bool cupti_function_of(struct device *device, uint64_t crc, const char *name, struct cupti_function **found,
                       struct error *error);

// cupti_profile.c
struct device_profile *cupti_profile_create(struct device *device, const char *const *expressions, size_t count,
                                            uint32_t ranges, struct error *error);
bool cupti_profile_begin_pass(struct device_profile *profile, struct error *error);
bool cupti_profile_push(struct device_profile *profile, struct error *error);
bool cupti_profile_pop(struct device_profile *profile, struct error *error);
bool cupti_profile_end_pass(struct device_profile *profile, bool *complete, struct error *error);
bool cupti_profile_values(struct device_profile *profile, double *values, uint32_t ranges, struct error *error);
void cupti_profile_destroy(struct device_profile *profile);

// cupti_sites.c
bool cupti_sites_begin(struct device *device, struct error *error);
bool cupti_sites_take(struct device *device, struct device_site_count counts[DEVICE_SITES], struct error *error);

// cupti_stalls.c
bool cupti_stalls_begin(struct device *device, struct error *error);
bool cupti_stalls_take(struct device *device, void (*visit)(void *context, const struct device_stall *), void *context,
                       uint64_t *dropped, struct error *error);

// cupti_timeline.c
bool cupti_timeline_open(struct device *device, struct error *error);
bool cupti_timeline_prepare(struct device *device, uint64_t interval, uint64_t longest, struct error *error);
bool cupti_timeline_begin(struct device *device, bool sample, struct error *error);
bool cupti_timeline_end(struct device *device, struct device_timeline *taken, struct error *error);
