// SPDX-License-Identifier: MIT
// The seam between the harness and whatever runs kernels. A variant's host schedule and the measuring code use these
// functions alone; a backend fills one table. Adding a device is one folder and one row of device_backends.
//
// Device memory is named by plain pointers that the host must not dereference, so that one argument struct serves host
// and kernel. Commands on one stream run in order. All functions may be called from one thread at a time per device.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lib/choices.h"

struct device_properties {
    char name[128];           // "NVIDIA H200", "Intel Xeon ... (2 threads)"
    char driver[64];          // driver or emulator build, "" where there is none
    char uuid[48];            // of this very GPU: "GPU-8f0d..."; "" where there is no such thing
    uint32_t warp_width;      // lanes
    uint32_t max_block;       // lanes a block may have
    uint32_t multiprocessors; // of the modelled machine on the emulator, whatever the host has
    uint32_t max_warps_per_multiprocessor, max_blocks_per_multiprocessor;
    uint32_t registers_per_multiprocessor;                        // 0 on the emulator
    uint32_t compute_capability;                                  // 90 for 9.0; 0 on the emulator
    uint64_t shared_per_block, shared_per_multiprocessor, memory; // bytes
    bool times;          // its clocks mean something: false where time cells must read "not measured"
    bool lockstep_model; // fills the lockstep figures in counting builds
    bool idle;           // runs nothing: what kernels would write stays as it is
};

// Settings that a backend may honour; zero means default.
struct device_settings {
    uint32_t warp_width;               // emulator: 1, 4, 8, 16, 32 or 64; default 32
    uint32_t threads;                  // emulator: worker threads; default all cores
    uint32_t multiprocessors;          // emulator: of the modelled machine; default 4
    enum choice_lane_order lane_order; // emulator
    uint64_t lane_seed;                // emulator, with DEVICE_LANES_SEEDED
    double spin_seconds; // emulator: a lane that runs this long without a barrier or vote is an error; default 20
    bool portable;       // emulator: the build for any processor, with software fused multiply-add
    uint32_t ordinal;    // cuda: which GPU; null: which of those that it pretends
};

// One build of one variant's kernels.
struct device_constant {
    const char *name; // field of config.def
    int64_t value;
};
struct device_build {
    const char *variant;   // stem: kernels/variants/*/STEM.kernel.h; tools/STEM: kernels/tools/STEM.kernel.h
    bool counting;         // the instrumented build
    uint32_t register_cap; // 0 = the compiler's choice; ignored by the emulator
    const struct device_constant *constants; // every field of config.def, in its order
    size_t constant_count;
};

// What the compiler made of one kernel; -1 where it has no meaning on this device.
struct device_kernel_facts {
    int32_t registers, spill_bytes, local_bytes, static_shared_bytes;
};

struct device_launch {
    const struct device_kernel *kernel;
    uint32_t grid, block; // one-dimensional: blocks, lanes a block
    size_t shared_bytes;  // dynamic shared memory
    const void *args;     // the kernel's one argument struct, copied by the call
    size_t args_size;
    bool cooperative;  // all blocks run at once, so that they may wait for each other: grid_sync()
    uint32_t carveout; // wished share of the L1/shared memory that is shared, 1 to 100 percent; 0: the driver's choice.
                       // Ignored where the two are apart.
};

// What surrounds a measurement. Values that the device does not tell are NAN, -1 or 0 as said.
enum device_throttle { // bits of device_conditions.throttle: why the clock is lower than it could be
    DEVICE_THROTTLE_IDLE = 1 << 0,
    DEVICE_THROTTLE_SETTING = 1 << 1, // clocks that somebody set
    DEVICE_THROTTLE_POWER_CAP = 1 << 2,
    DEVICE_THROTTLE_THERMAL = 1 << 3, // software or hardware
    DEVICE_THROTTLE_POWER_BRAKE = 1 << 4,
    DEVICE_THROTTLE_OTHER = 1 << 5,
};
struct device_conditions {
    double temperature;        // degrees Celsius; NAN
    double power;              // watts; NAN
    double sm_mhz, memory_mhz; // as the driver tells them; NAN
    uint32_t throttle;         // enum device_throttle, or-ed; 0 also where it is not told
    int32_t foreign_processes; // other programs with a context on this device: neither this process nor its
                               // ancestors and descendants, nor what the coordinator that started it has started
                               // (other workers); -1: not told
};

struct device;
struct device_program;
struct device_kernel;
struct device_stream;
struct device_event;
struct device_lockstep;
struct device_counter_ops;

struct device_ops {
    void (*close)(struct device *);
    const struct device_properties *(*properties)(const struct device *);

    void *(*alloc)(struct device *, size_t bytes, struct error *); // 256-byte aligned, contents undefined
    void (*release)(struct device *, void *memory);                // NULL is fine
    // Host memory that the device copies to and from fast (page-locked). Both NULL where any memory is as good.
    void *(*alloc_host)(struct device *, size_t bytes, struct error *);
    void (*release_host)(struct device *, void *memory); // NULL is fine
    // Asynchronous on the stream where one is given, complete on return where it is NULL. Sizes in bytes. What is
    // downloaded is there once synchronize() of the stream has returned.
    bool (*upload)(struct device *, struct device_stream *, void *to, const void *from, size_t bytes, struct error *);
    bool (*download)(struct device *, struct device_stream *, void *to, const void *from, size_t bytes, struct error *);
    bool (*fill)(struct device *, struct device_stream *, void *to, uint8_t value, size_t bytes, struct error *);
    // A texture of so many 32-bit words of the device's memory, from `words` on, which is aligned to 512 bytes: kernels
    // read words with it as they lie there. To be released before the memory. ERROR_UNSUPPORTED where there are too many.
    // Both NULL where the device has no such path.
    bool (*create_texture)(struct device *, const uint32_t *words, uint64_t count, uint64_t *texture, struct error *);
    void (*release_texture)(struct device *, uint64_t texture);

    struct device_program *(*build)(struct device *, const struct device_build *, struct error *);
    void (*release_program)(struct device *, struct device_program *);
    const struct device_kernel *(*kernel)(const struct device_program *, const char *name, struct error *);
    struct device_kernel_facts (*facts)(const struct device_kernel *);
    // Text that changes whenever the code that runs changes: hash of the preprocessed source, compiler, options.
    const char *(*provenance)(const struct device_program *);
    // Compiles builds that will be asked for later, several at once, so that build() finds them ready. Those that do
    // not compile are left to build(), which says why. `progress` (may be NULL) is told how many are done, from any
    // thread but one at a time. NULL where building costs nothing.
    bool (*compile_ahead)(struct device *, const struct device_build *builds, size_t count,
                          void (*progress)(void *context, size_t done), void *context, struct error *);
    bool (*launch)(struct device *, struct device_stream *, const struct device_launch *, struct error *);
    // Blocks of such a launch (its grid is not read) that a multiprocessor holds at once: on a GPU as the driver says,
    // on the emulator 2 where they have at most 1024 lanes, else 1.
    bool (*resident_blocks)(struct device *, const struct device_launch *, uint32_t *blocks, struct error *);

    struct device_stream *(*create_stream)(struct device *, struct error *);
    void (*destroy_stream)(struct device *, struct device_stream *);
    bool (*synchronize)(struct device *, struct device_stream *,
                        struct error *); // faults of earlier commands surface here
    struct device_event *(*create_event)(struct device *, struct error *);
    void (*destroy_event)(struct device *, struct device_event *);
    bool (*record)(struct device *, struct device_stream *, struct device_event *, struct error *);
    bool (*elapsed)(struct device *, struct device_event *from, struct device_event *to, double *seconds,
                    struct error *);
    // What follows on the stream begins after what was recorded last in the event. NULL where commands of all streams
    // run in the order of their calls.
    bool (*wait)(struct device *, struct device_stream *, struct device_event *, struct error *);

    // out[0..*count) = the in[i] (i itself where `in` is NULL) with flags[i] != 0, in order. `flags`: one byte each.
    // `out` must not overlap `in`. `count` is device memory. Asynchronous on the stream.
    bool (*select_flagged)(struct device *, struct device_stream *, const uint32_t *in, const uint8_t *flags,
                           uint32_t *out, uint32_t *count, uint32_t n, struct error *);
    // Stable sort of n (key, value) pairs by ascending key, bits [0, key_bits). Asynchronous on the stream.
    bool (*sort_pairs)(struct device *, struct device_stream *, const uint32_t *keys_in, uint32_t *keys_out,
                       const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits, struct error *);

    // Lockstep model of the launches since the last call, summed; false where the device has none.
    // One row per (traversal kind, bounce): see device_lockstep. `rows` has kinds * bounces entries, row-major by kind.
    // `entered`: of closest hits over all bounces, by how many lanes of the warp take part; entry n is of n + 1 lanes.
    bool (*take_lockstep)(struct device *, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces,
                          struct device_lockstep *entered);

    // The clock of the multiprocessors over a span: stamps are taken on the device, one a multiprocessor, when `stamp`
    // is reached on the stream (`end` false: where the span begins). After the stream is idle clock_read() gives the
    // median frequency in MHz. NULL where the device has no such clock.
    bool (*clock_stamp)(struct device *, struct device_stream *, bool end, struct error *);
    bool (*clock_read)(struct device *, double *mhz, struct error *);
    // NULL where nothing is known. Does not change anything.
    bool (*conditions)(struct device *, struct device_conditions *, struct error *);

    // Optional hardware counters; NULL where the device has none. See device/counters.h.
    const struct device_counter_ops *counters;
};

enum { DEVICE_ENTRY_LANES = 64 }; // of the widest warp

// What a warp executing the loops in lockstep would issue. Efficiency of a step kind = live / (warp_width * steps).
struct device_lockstep {
    uint64_t inner_steps, inner_live;       // warp steps over inner nodes; lanes at work in them
    uint64_t triangle_steps, triangle_live; // the same for single triangle tests
    uint64_t warps;                         // warp traversals replayed
    // Of closest hits: lines of 128 bytes and sectors of 32 that inner steps read, each once a step; lines of triangle
    // tests.
    uint64_t node_lines, node_sectors, triangle_lines;
    // Inner steps at which lanes part, by question: STEP_... of lib/platform.h.
    uint64_t parted_steps[3];
    // The steps of those traversals that every lane of the warp takes part in.
    uint64_t full_inner_steps, full_inner_live, full_triangle_steps, full_triangle_live;
};

struct device {
    const struct device_ops *ops;
};

enum device_kind {
    DEVICE_GPU,
    DEVICE_PROCESSOR, // the host's
    DEVICE_MODEL,     // a machine that is only modelled, the same on every host
    DEVICE_NOTHING,   // runs nothing; `auto` never picks it
    DEVICE_KINDS
};
extern const char *const device_kind_names[DEVICE_KINDS];

struct device_backend {
    const char *name, *summary;
    enum device_kind kind;
    bool has_times; // those of its devices mean something
    const char *const
        *options; // parameters of the role MACHINE that its devices heed; NULL behind the last, NULL: none
    // See device_unavailable(); NULL where its devices can always be used.
    const char *(*unavailable)(void);
    // How many devices it has here, numbered from 0. NULL where any number opens the same one.
    uint32_t (*count)(void);
    struct device *(*open)(const struct device_settings *, struct error *);
    // What the compiler makes of a build for a compute capability (90 for 9.0): visits every kernel in it. Needs
    // neither device nor driver. NULL where the backend has no such thing. ERROR_UNSUPPORTED where its compiler is
    // missing.
    bool (*inspect)(const struct device_build *, uint32_t compute_capability,
                    void (*visit)(void *context, const char *kernel, const struct device_kernel_facts *), void *context,
                    struct error *);
};
// All backends, in the order in which `auto` tries them; ends with NULL.
extern const struct device_backend *const device_backends[];

// The backend of a spec, NAME or NAME:ORDINAL; NULL where there is none.
const struct device_backend *device_find(const char *spec);
// The same asked of a spec: false where it names no backend.
bool device_is(const char *spec, enum device_kind kind);
bool device_has_option(const char *spec, const char *parameter);
// NULL where it can be used here, else why not and what mends it (static or thread-local text).
const char *device_unavailable(const struct device_backend *backend);
// The backend that `auto` stands for on this machine: the first that is usable.
const char *device_auto(void);
// Adds the remedy for a spec that is none: the nearest name, else `otherwise`, else, where that is NULL, all names.
// Returns false.
bool device_suggest(const char *spec, const char *otherwise, struct error *error);

// spec: auto | emulator | cuda | cuda:N | cpu | null. Returns NULL and sets the error where it cannot be opened.
struct device *device_open(const char *spec, const struct device_settings *settings, struct error *error);
void device_close(struct device *device); // NULL is fine
