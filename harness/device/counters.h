// SPDX-License-Identifier: MIT
// Hardware counters of a device: profiles of metrics, exact instruction counts, sampled stall reasons, a timeline of
// samples. Optional: a device without them leaves device_ops.counters NULL. One of the four is in use at a time, in one
// thread.
#pragma once

#include <stdint.h>

#include "base/error.h"

struct device;
struct device_profile;
struct device_program;

// What device/metrics.def lists: short names for the hardware's own expressions.
struct device_metric {
    const char *name, *expression, *unit, *direction,
        *meaning; // direction: "higher", "lower", "equal" or "neither" is better
};
extern const struct device_metric device_metrics[]; // ends with a NULL name
// The row of that short name or, for a raw name of the hardware ("smsp__inst_executed.sum"), NULL.
const struct device_metric *device_metric_find(const char *name);

// Places in the kernels whose executions the hardware counts one by one. A place is a source line of kernels/ that ends
// in `// site: NAME`, or for `extension` the instruction of extension_mark(). Counts are summed over all copies of a
// place.
enum device_site {
    DEVICE_SITE_EXTENSION, // entry of an extension
    DEVICE_SITE_INNER,     // load of an inner node
    DEVICE_SITE_TRIANGLE,  // load of a triangle
    DEVICE_SITE_ALL,       // every instruction of the kernel
    DEVICE_SITES
};
extern const char *const device_site_names[DEVICE_SITES + 1]; // "extension", "inner", "triangle", "all"; ends with NULL
struct device_site_count {
    uint32_t copies;              // of the place in the machine code of the kernels that ran; instructions for ALL
    uint64_t instructions;        // executed by warps
    uint64_t thread_instructions; // executed by lanes
};

struct device_stall {
    const char *kernel, *reason; // reason: "long_scoreboard", ... without the vendor's prefix
    const char *file;            // source file as it stands in an #include; "" where the code has no line information
    uint32_t line;               // 0 alike
    uint64_t samples;
};

// Sums over all multiprocessors from one moment to another, in nanoseconds of the clock by which kernels are noted.
struct device_timeline_sample {
    uint64_t start, end;
    uint64_t cycles, active_cycles;               // that passed; of those with a warp on the multiprocessor
    uint64_t instructions, thread_instructions;   // executed by warps; by lanes whose predicate held
    uint64_t warp_cycles;                         // resident warps, added up cycle by cycle
    uint64_t least_warp_cycles, most_warp_cycles; // the same of the multiprocessor with the fewest and the most
    uint64_t dram_bytes;                          // read
};

struct device_timeline_kernel {
    uint64_t start, end;
};

struct device_timeline {
    const struct device_timeline_sample *samples; // in the order of time; the first ones may precede all work
    const struct device_timeline_kernel *kernels; // in the order in which they began
    size_t sample_count, kernel_count;
};

struct device_counter_ops {
    // NULL where counters can be read, else why not and how to correct it (static or thread-local text): no library, too
    // old a driver, no permission.
    const char *(*unavailable)(struct device *);

    // ---- metrics over ranges. The same work is repeated once per pass between profile_begin_pass and
    // profile_end_pass until the latter says complete; every pass must push the same ranges in the same order. Ranges do not nest.
    // `expressions`: raw names. ERROR_USE names one that this device does not have. `ranges`: the most that a pass
    // pushes.
    struct device_profile *(*profile_create)(struct device *, const char *const *expressions, size_t count,
                                             uint32_t ranges, struct error *);
    bool (*profile_begin_pass)(struct device_profile *, struct error *);
    bool (*profile_push)(struct device_profile *, struct error *);
    bool (*profile_pop)(struct device_profile *, struct error *);
    bool (*profile_end_pass)(struct device_profile *, bool *complete, struct error *);
    // values[range * count + metric], in the order of the pushes; NAN where the hardware has none.
    bool (*profile_values)(struct device_profile *, double *values, uint32_t ranges, struct error *);
    void (*profile_destroy)(struct device_profile *); // NULL is fine

    // Ends the count of sites, the sampling of stalls or the timeline that is going on; nothing where none is.
    void (*end)(struct device *);

    // ---- exact counts of the instructions at the sites. begin patches what is launched until end; take synchronises
    // and gives the counts since begin or the last take, one row a site.
    bool (*sites_begin)(struct device *, struct error *);
    bool (*sites_take)(struct device *, struct device_site_count counts[DEVICE_SITES], struct error *);

    // ---- sampled stall reasons. take synchronises and visits the samples since begin or the last take, summed per
    // kernel, line and reason. Samples of reason "selected" are warps that issued. *dropped: samples that were lost
    // or fell to code that is not this program's (the driver's fills, a library's kernels).
    bool (*stalls_begin)(struct device *, struct error *);
    bool (*stalls_take)(struct device *, void (*visit)(void *context, const struct device_stall *), void *context,
                        uint64_t *dropped, struct error *);

    // ---- when kernels run, and samples of the whole device at equal intervals. After open any number of pairs of begin
    // and end; end synchronises and gives what was noted since begin, until the next begin or end of all. Samples want
    // `prepare` once before: their interval and the longest time between begin and end, in nanoseconds. ERROR_UNSUPPORTED:
    // this device, or its library, cannot sample at all or not so often. ERROR_FAILED: samples were lost.
    bool (*timeline_open)(struct device *, struct error *);
    bool (*timeline_prepare)(struct device *, uint64_t interval, uint64_t longest, struct error *);
    bool (*timeline_begin)(struct device *, bool sample, struct error *);
    bool (*timeline_end)(struct device *, struct device_timeline *taken, struct error *);
};
