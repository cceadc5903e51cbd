// SPDX-License-Identifier: MIT
// What one execution of a trial gathers (a collection), as plain rows: produced by a worker, stored by store/.
#pragma once

#include <stdio.h>

#include "base/error.h"
#include "base/hash.h"
#include "device/counters.h"
#include "device/device.h"
#include "geometry/types.h"
#include "lib/frame.h"

enum collection {
    COLLECTION_COUNTS,
    COLLECTION_FRAME,
    COLLECTION_LAUNCHES,
    COLLECTION_COUNTERS,
    COLLECTION_STALLS,
    COLLECTION_TIMELINE,
    COLLECTION_KINDS
};
extern const char *const collection_names[COLLECTION_KINDS + 1]; // "counts", "frame", ...; ends with NULL

struct measured_repetition {
    double host_seconds;   // first enqueue to final synchronisation
    double device_seconds; // first to last command on the device; NaN where not measured
    double gap_seconds;    // device_seconds less the sum of its launches; NaN where not measured
    double sm_mhz;         // clock of the multiprocessors around it, from stamps on the device; NaN where not measured
    uint32_t launches_path, launches_aux, readbacks;
};

struct measured_launch {
    uint32_t repetition, index; // place in the frame, from 0
    int32_t iteration, bounce;  // bounce -1: mixed
    char kernel[48], stage[16]; // stage: of a pipeline, else ""
    uint32_t grid, block;
    uint64_t shared_bytes;
    double seconds; // NaN where not measured
    uint32_t more;  // later launches that were added to the row: measurement_join
    bool auxiliary;
};

#define MEASURED_TOTALS UINT32_MAX // in place of a bounce: the whole launch
// Of a pipeline's rounds that share a row (measured_round), the totals of a stage are in the row of its first launch, and
// what all stages count by bounce in that of the first launch of all.
struct measured_counts { // of the counts collection, per launch and bounce; only rows with an active path or warp
    uint32_t launch;
    uint32_t bounce; // the first of its row (count_bin), or MEASURED_TOTALS: active_warps are warp trips of any bounce
    struct bounce_counts counts;
};

struct measured_lockstep {         // late rounds as above
    uint32_t launch, kind, bounce; // kind: 0 closest hit, 1 any hit
    struct device_lockstep steps;
};

struct measured_entry { // of closest hits, over a frame: traversals that so many lanes of a warp begin together
    uint32_t lanes;
    struct device_lockstep steps;
};

struct measured_kernel {
    char kernel[48];
    struct device_kernel_facts facts;
    uint32_t block;          // lanes a block, of its last launch
    uint64_t shared_bytes;   // dynamic, of its last launch
    uint32_t resident_warps; // that the whole device can hold of it; 0 where unknown
    bool auxiliary;
};

// Of the counters collection.
#define MEASURED_FRAME UINT32_MAX // in place of a launch: the whole frame
struct measured_metric {
    uint32_t launch;
    char metric[96]; // short name of metrics.def, or the raw name that was asked for
    double value;
};
struct measured_site {
    uint32_t launch;
    uint32_t site; // enum device_site
    uint32_t copies;
    uint64_t instructions, thread_instructions;
};

// Of the stalls collection: samples per launch and reason (line 0, file ""), and per source line over the whole frame
// (launch MEASURED_FRAME).
struct measured_stall {
    uint32_t launch;
    char kernel[48], reason[48], file[64];
    uint32_t line;
    uint64_t samples;
};

// Of the timeline collection. Its time, in nanoseconds, begins with the first launch of the frame. A frame longer than a
// window is sampled window by window, in repeats of the frame; each joins on to the one before at a launch.
struct measured_sample {
    uint32_t window;
    int64_t start, end; // the first sample of a window may begin before its first launch
    struct device_timeline_sample sums;
};
struct measured_span { // when the launch ran
    uint32_t launch, window;
    int64_t start, end;
};

// Before and after the repetitions.
struct measured_conditions {
    bool known;
    struct device_conditions at;
};

struct measurement {
    enum collection collection;
    char stop_reason[48];   // "fixed", "relative_ci", "max_seconds", "interrupted", ...
    double prepare_seconds; // scene upload, build, buffers: not part of any time below
    struct hash image;      // of the last repetition's film
    uint64_t path_hash;     // counts only, else 0
    uint32_t warp_width, multiprocessors;
    char device_name[128], driver[64], uuid[48]; // as device_properties has them
    uint32_t card;         // 1 + ordinal of the device on its node; 0: neither one of several nor with a UUID
    bool times;            // the device's clocks mean something
    char provenance[2048]; // what the kernels were built from and by
    struct hash scene_content;
    struct device_structure structure; // that the device built and traversed by itself, and by what; zeros: none
    struct device_tracing tracing;
    struct measured_repetition *repetitions;
    struct measured_launch *launches;
    struct measured_counts *counts;
    struct measured_lockstep *lockstep;
    struct measured_entry *entries;
    struct measured_kernel *kernels;
    struct measured_metric *metrics;
    struct measured_site *sites;
    struct measured_stall *stalls;
    struct measured_sample *samples;
    struct measured_span *spans;
    size_t repetition_count, launch_count, count_count, lockstep_count, entry_count, kernel_count, metric_count,
        site_count, stall_count, sample_count, span_count;
    uint32_t cut_paths;  // of a frame: those through a volume that met path_cap
    uint32_t passes;     // of the counters collection: how often the frame was repeated for them
    uint64_t dropped;    // of the stalls collection: samples lost
    double gate_seconds; // waited for the device to cool down
    struct measured_conditions before, after;
    // Where asked for (render, report): the film in Q31.32, width * height * 3, row-major from the top.
    int64_t *film;
    uint32_t *path_length; // extensions executed by the path of each pixel's last sample; counts only
    uint32_t film_width, film_height;
};

// The first of the rounds that share a row with this one: each has a row of its own below `exact`, and from there on they are
// put together up to 2 * exact, 4 * exact, ...; all of them, where `exact` is 0.
uint32_t measured_round(uint32_t round, uint32_t exact);
// Adds up the launches of a pipeline's stage, and its selections and sorts, in rounds that share a row: `grid` is that of
// the largest, and the rows are numbered anew.
void measurement_join(struct measurement *measurement, uint32_t exact);

void measurement_finish(struct measurement *measurement); // frees the rows; NULL is fine

// Between processes of one machine. Reading never trusts the stream: a short or inconsistent one is an error.
bool measurement_write(const struct measurement *measurement, FILE *stream, struct error *error);
bool measurement_read(struct measurement *measurement, FILE *stream, struct error *error);
