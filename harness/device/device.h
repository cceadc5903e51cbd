// SPDX-License-Identifier: MIT
// The interface between the harness and the devices that run kernels. Host schedules and measuring code reach a device
// only through these functions; a backend provides one table of them. To add a device, add a folder and a row of
// device_backends.
//
// Device memory is addressed by plain pointers that the host must not dereference, so that host and kernels share one
// argument struct. Commands of one stream run in order. Only one thread at a time may call functions of a device.
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "lib/choices.h"

struct device_properties {
    char name[128];           // "NVIDIA H200", "Intel Xeon ... (2 threads)"
    char driver[64];          // driver or emulator build, "" if there is none
    char uuid[48];            // of this GPU: "GPU-8f0d..."; "" if there is none
    uint32_t warp_width;      // lanes
    uint32_t max_block;       // lanes per block, at most
    uint32_t multiprocessors; // on the emulator those of the modelled machine
    uint32_t max_warps_per_multiprocessor, max_blocks_per_multiprocessor;
    uint32_t registers_per_multiprocessor;                        // 0 on the emulator
    uint32_t compute_capability;                                  // 90 for 9.0; 0 on the emulator
    uint64_t shared_per_block, shared_per_multiprocessor, memory; // bytes
    bool times;          // has meaningful clocks; if false, time cells read "not measured"
    bool no_cooperation; // refuses cooperative launches: its blocks cannot wait for one another
    bool idle;           // runs no kernels, so memory that they would write stays unchanged
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
    uint32_t ordinal;    // cuda, opencl: number of the device; null: of the simulated one
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

// Resources of one compiled kernel; -1 if undefined on this device.
struct device_kernel_facts {
    int32_t registers, spill_bytes, local_bytes, static_shared_bytes;
};

struct device_launch {
    const struct device_kernel *kernel;
    uint32_t grid, block; // one-dimensional: blocks, lanes per block
    size_t shared_bytes;  // dynamic shared memory
    const void *args;     // the kernel's single argument struct, copied by the call
    size_t args_size;
    bool cooperative; // all blocks run at once, so that they may wait for each other: grid_sync()
    // Where the device can, it begins once all blocks of the launch before it have called launch_dependents() or have ended. Each of
    // its blocks must call launch_wait().
    bool dependent;
    uint32_t
        carveout; // preferred share of shared memory in unified L1/shared memory, 1 to 100 percent; 0: driver's choice.
                  // Ignored if the two are separate.
};

// A tree that the device builds over triangles and traverses by itself: device_ops.create_structure. It is over the triangles
// of `parts`, each in a space of its own, and above them over `copies` of them; or, without either, over all triangles.
struct device_part {
    uint32_t first, count; // triangles
};
struct device_copy {
    float to_world[3][4]; // rows; the fourth column is added
    uint32_t part;
};
struct device_structure_input {
    const void *corners; // device memory: of triangle i the three from 3 i on, three floats each
    uint32_t count;      // triangles
    uint32_t stride;     // bytes from one corner to the next
    const struct device_part *parts;
    const struct device_copy *copies;
    uint32_t part_count, copy_count;
    enum choice_optix_build kind;
    bool compact; // move it to where it fits exactly, once it is built
};
struct device_structure {
    uint64_t handle;             // by which kernels name it
    void *memory;                // that it is in, to be released as any other
    uint64_t bytes, build_bytes; // of it; in use while it was built, the former included
    double seconds;              // to build it, by the host's clock
};

// By what it does so.
struct device_tracing {
    char name[32];     // "OptiX 9.0"
    uint32_t rt_cores; // version of its units for it; 0: none, traversal is software
    bool reorders;     // can sort lanes anew between traversal and what follows it
};

// Conditions around a measurement. Unknown values are NAN, -1 or 0 as stated.
enum device_throttle { // bits of device_conditions.throttle: reasons for a reduced clock
    DEVICE_THROTTLE_IDLE = 1 << 0,
    DEVICE_THROTTLE_SETTING = 1 << 1, // clocks set by a user
    DEVICE_THROTTLE_POWER_CAP = 1 << 2,
    DEVICE_THROTTLE_THERMAL = 1 << 3, // software or hardware
    DEVICE_THROTTLE_POWER_BRAKE = 1 << 4,
    DEVICE_THROTTLE_OTHER = 1 << 5,
};
struct device_conditions {
    double temperature;        // degrees Celsius; NAN
    double power;              // watts; NAN
    double sm_mhz, memory_mhz; // as reported by the driver; NAN
    uint32_t throttle;         // enum device_throttle, or-ed; 0 also if unknown
    int32_t foreign_processes; // number of other programs with a context on this device, excluding this process, its
                               // ancestors and descendants, and other workers of its coordinator; -1: unknown
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
    void (*release)(struct device *, void *memory);                // `memory` may be NULL
    // Host memory for fast copies (page-locked). Both NULL if ordinary memory is as fast.
    void *(*alloc_host)(struct device *, size_t bytes, struct error *);
    void (*release_host)(struct device *, void *memory); // `memory` may be NULL
    // Asynchronous in the given stream; complete on return if it is NULL. Sizes in bytes. Downloaded data is valid once
    // synchronize() of the stream has returned.
    bool (*upload)(struct device *, struct device_stream *, void *to, const void *from, size_t bytes, struct error *);
    bool (*download)(struct device *, struct device_stream *, void *to, const void *from, size_t bytes, struct error *);
    bool (*fill)(struct device *, struct device_stream *, void *to, uint8_t value, size_t bytes, struct error *);
    // A texture over `count` 32-bit words of device memory at `words`, aligned to 512 bytes, through which kernels read
    // single words unchanged. Release it before the memory. ERROR_UNSUPPORTED if `count` is too large. Both NULL if the
    // device has no texture path.
    bool (*create_texture)(struct device *, const uint32_t *words, uint64_t count, uint64_t *texture, struct error *);
    void (*release_texture)(struct device *, uint64_t texture);

    // Both NULL if the device traverses no trees of its own. ERROR_UNSUPPORTED if it could, but something is missing here.
    bool (*tracing)(struct device *, struct device_tracing *, struct error *);
    // Builds a structure, of which hits name the copy and the triangle.
    bool (*create_structure)(struct device *, const struct device_structure_input *, struct device_structure *,
                             struct error *);

    struct device_program *(*build)(struct device *, const struct device_build *, struct error *);
    void (*release_program)(struct device *, struct device_program *);
    const struct device_kernel *(*kernel)(const struct device_program *, const char *name, struct error *);
    struct device_kernel_facts (*facts)(const struct device_kernel *);
    // Text that changes whenever the executed code changes: hash of the preprocessed source, compiler, options.
    const char *(*provenance)(const struct device_program *);
    // Compiles builds that will be needed later, several at once, so that build() finds them in the cache. Compile errors
    // are reported by build(). `progress` (may be NULL) is called with the number done, from any thread but one at a
    // time. NULL if building costs nothing.
    bool (*compile_ahead)(struct device *, const struct device_build *builds, size_t count,
                          void (*progress)(void *context, size_t done), void *context, struct error *);
    bool (*launch)(struct device *, struct device_stream *, const struct device_launch *, struct error *);
    // Number of blocks of such a launch (its grid is ignored) that fit on a multiprocessor: on a GPU as reported by the
    // driver, on the emulator 2 if they have at most 1024 lanes in total, else 1.
    bool (*resident_blocks)(struct device *, const struct device_launch *, uint32_t *blocks, struct error *);

    struct device_stream *(*create_stream)(struct device *, struct error *);
    void (*destroy_stream)(struct device *, struct device_stream *);
    // Reports faults of earlier commands.
    bool (*synchronize)(struct device *, struct device_stream *, struct error *);
    struct device_event *(*create_event)(struct device *, struct error *);
    void (*destroy_event)(struct device *, struct device_event *);
    bool (*record)(struct device *, struct device_stream *, struct device_event *, struct error *);
    bool (*elapsed)(struct device *, struct device_event *from, struct device_event *to, double *seconds,
                    struct error *);
    // Later commands of the stream wait for the last record() of the event. NULL if commands of all streams run in call
    // order.
    bool (*wait)(struct device *, struct device_stream *, struct device_event *, struct error *);

    // out[0..*count) = all in[i] (or i, if `in` is NULL) with flags[i] != 0, in order. `flags`: one byte each.
    // `out` must not overlap `in`. `count` is device memory. Asynchronous in the stream.
    bool (*select_flagged)(struct device *, struct device_stream *, const uint32_t *in, const uint8_t *flags,
                           uint32_t *out, uint32_t *count, uint32_t n, struct error *);
    // Stable sort of n (key, value) pairs by ascending key, bits [0, key_bits). Asynchronous in the stream.
    bool (*sort_pairs)(struct device *, struct device_stream *, const uint32_t *keys_in, uint32_t *keys_out,
                       const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits, struct error *);

    // Sums of the lockstep model over the launches since the last call; NULL if the device has no model.
    // One row per (traversal kind, bounce): see device_lockstep. `rows` has kinds * bounces entries, row-major by kind.
    // `entered`: closest-hit traversals of all bounces, by number of participating lanes; entry n is for n + 1 lanes.
    bool (*take_lockstep)(struct device *, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces,
                          struct device_lockstep *entered);

    // Clock rate of the multiprocessors over a span. clock_stamp() enqueues time stamps, one per multiprocessor, at the
    // beginning of the span (`end` false) and at its end. Once the stream is idle, clock_read() gives the median
    // frequency in MHz. NULL if the device has no such clock.
    bool (*clock_stamp)(struct device *, struct device_stream *, bool end, struct error *);
    bool (*clock_read)(struct device *, double *mhz, struct error *);
    // Read-only query. NULL if nothing is known.
    bool (*conditions)(struct device *, struct device_conditions *, struct error *);

    // Optional hardware counters; NULL if the device has none. See device/counters.h.
    const struct device_counter_ops *counters;
};

enum { DEVICE_ENTRY_LANES = 64 }; // of the widest warp

// What a warp that executes the loops in lockstep would issue. Efficiency of a kind of step = live / (warp_width * steps).
struct device_lockstep {
    uint64_t inner_steps, inner_live;       // warp steps over inner nodes; active lanes in them
    uint64_t triangle_steps, triangle_live; // the same for single triangle tests
    uint64_t warps;                         // warp traversals replayed
    // Closest hits only: 128-byte lines and 32-byte sectors that inner steps read, each counted once per step; lines that
    // triangle tests read.
    uint64_t node_lines, node_sectors, triangle_lines;
    // Inner steps at which lanes diverge, by question: STEP_... of lib/platform.h.
    uint64_t parted_steps[3];
    // Steps of the traversals in which all lanes of the warp participate.
    uint64_t full_inner_steps, full_inner_live, full_triangle_steps, full_triangle_live;
};

struct device {
    const struct device_ops *ops;
};

enum device_kind {
    DEVICE_GPU,
    DEVICE_PROCESSOR, // the host's CPU
    DEVICE_MODEL,     // a modelled machine, the same on every host
    DEVICE_NOTHING,   // runs no kernels; `auto` never selects it
    DEVICE_KINDS
};
extern const char *const device_kind_names[DEVICE_KINDS];

struct device_backend {
    const char *name, *summary;
    enum device_kind kind;
    bool has_times;             // its devices have meaningful clocks
    const char *numbered;       // "NAME:N", how one of them is named; NULL: they have no numbers
    const char *const *options; // MACHINE parameters that its devices use, NULL-terminated; NULL: none
    // See device_unavailable(); NULL if its devices can always be used.
    const char *(*unavailable)(void);
    // What this program lacks of what its devices could do, with the reason; NULL if nothing, or if the function is NULL.
    const char *(*lacking)(void);
    // Number of devices here, numbered from 0. NULL if every number opens the same device.
    uint32_t (*count)(void);
    struct device *(*open)(const struct device_settings *, struct error *);
    // Compiles a build for a compute capability (90 for 9.0) and visits every kernel in it. Needs neither device nor
    // driver. NULL if the backend does not support this. ERROR_UNSUPPORTED if its compiler is missing.
    bool (*inspect)(const struct device_build *, uint32_t compute_capability,
                    void (*visit)(void *context, const char *kernel, const struct device_kernel_facts *), void *context,
                    struct error *);
};
// All backends, in the order in which `auto` tries them; ends with NULL.
extern const struct device_backend *const device_backends[];

// The backend of a spec, NAME or NAME:ORDINAL; NULL if there is none.
const struct device_backend *device_find(const char *spec);
// NAME of a spec without its ordinal, as trials are known by: which of several equal devices measured one does not matter.
enum { DEVICE_NAME_TEXT = 64 };
void device_name_of(const char *spec, char name[DEVICE_NAME_TEXT]);
// Properties of a spec's backend; false if it names none.
bool device_is(const char *spec, enum device_kind kind);
bool device_has_option(const char *spec, const char *parameter);
// NULL if it can be used here, else the reason and remedy (static or thread-local text).
const char *device_unavailable(const struct device_backend *backend);
// The backend that `auto` selects on this machine: the first usable one.
const char *device_auto(void);
// For an invalid spec, adds a remedy to the error: the nearest name, else `otherwise`, or all names if that is NULL.
// Returns false.
bool device_suggest(const char *spec, const char *otherwise, struct error *error);

// spec: auto | emulator | cuda | cuda:N | cpu | opencl | opencl:N | null. Returns NULL and sets the error if it cannot be opened.
struct device *device_open(const char *spec, const struct device_settings *settings, struct error *error);
void device_close(struct device *device); // `device` may be NULL
