// SPDX-License-Identifier: MIT
// Inside of the opencl backend. Kernels run as written in kernels/, with kernels/lib/platform_opencl.h: warps have 32 lanes on
// NVIDIA GPUs, are sub-groups where a device has them, and one lane elsewhere. All device memory is coarse-grain shared virtual
// memory, so that pointers within arguments mean the same to kernels.
#pragma once

#include "device/device.h"
#include "device/opencl/api.h"

// Memory of the device. `base` is what OpenCL gave, `start` the next multiple of 256 in it.
struct opencl_block {
    void *base, *start;
};

// Memory that primitives work in: of one stream, so that two streams may use it at once.
struct opencl_workspace {
    uint32_t *words;
    size_t count;
};

// What a device's warps are: one lane; by PTX; sub-groups.
enum opencl_warps { OPENCL_ALONE, OPENCL_OF_NVIDIA, OPENCL_SUBGROUPS };
enum { OPENCL_LACKS = 256 };

struct opencl_device {
    struct device device; // first
    struct device_properties properties;
    enum opencl_warps warps;
    bool chooses_warps;            // its kernels say how wide their sub-groups are to be
    char warps_lack[OPENCL_LACKS]; // why its sub-groups are no warps; "" where they are, or there are none
    char version[128];             // of platform and device
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; // what has no stream
    struct device_stream *streams;
    struct opencl_block *blocks;
    void **bases; // of all blocks, as clSetKernelExecInfo wants them
    size_t block_count;
    uint64_t allocations;              // grows when `blocks` changes
    struct device_program *primitives; // made when first needed
    struct opencl_workspace workspace; // of what has no stream
};

struct device_stream {
    struct device_stream *next; // of the device's streams
    cl_command_queue queue;
    struct opencl_workspace workspace;
};

struct device_kernel {
    struct device_kernel *next; // of its program's
    const struct device_program *program;
    cl_kernel handle;
    uint64_t allocations; // of the device, when its blocks were last named to the kernel
    size_t max_block;
    uint32_t checked_block; // a block's lanes for which its warps are known to be right
    char name[64];
};

static inline struct opencl_device *opencl_of(struct device *device)
{
    return (struct opencl_device *)device;
}

// ---- platforms.c: devices of all platforms, in their order

struct opencl_found {
    cl_device_id device;
    char name[128], version[128]; // "cpu-...", "Portable Computing Language, OpenCL 3.0 PoCL 3.1"
    char lacks[OPENCL_LACKS];     // why kernels cannot run there; "" where they can
};
enum { OPENCL_DEVICES = 32 };
// Finds at most OPENCL_DEVICES of them, those that lack something too. False where there are none, with the reason.
bool opencl_find(struct opencl_found found[OPENCL_DEVICES], uint32_t *count, struct error *error);
enum opencl_warps opencl_kind_of_warps(cl_device_id device);
bool opencl_is_processor(cl_device_id device);
// The width of sub-groups to ask the compiler for, where it can be asked for one; else 0.
uint32_t opencl_chosen_width(cl_device_id device);
// Options that make a compiler of OpenCL C give the kind of warps.
const char *opencl_language(const struct opencl_device *opencl);
bool opencl_read_properties(struct opencl_device *opencl, const struct opencl_found *found, struct error *error);

// ---- warps.c

// Once a device with sub-groups is open: finds their width, and tries what kernels do with them. Where they are of no use, a
// CPU gets warps of one lane, and a GPU is refused.
bool opencl_settle_warps(struct opencl_device *opencl, struct error *error);

// ---- widths.c

// How wide sub-groups of a kernel are, in blocks of so many lanes.
bool opencl_kernel_warps(const struct opencl_device *opencl, const struct device_kernel *kernel, size_t block,
                         size_t *width, struct error *error);
// Refuses a launch in which a warp would not be what the kernel was compiled for.
bool opencl_check_warps(const struct opencl_device *opencl, struct device_kernel *kernel, uint32_t block,
                        struct error *error);

// ---- memory.c

void *opencl_alloc(struct device *device, size_t bytes, struct error *error);
void opencl_release(struct device *device, void *memory);
bool opencl_upload(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                   struct error *error);
bool opencl_download(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                     struct error *error);
bool opencl_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
                 struct error *error);
bool opencl_create_texture(struct device *device, const uint32_t *words, uint64_t count, uint64_t *texture,
                           struct error *error);
void opencl_release_texture(struct device *device, uint64_t texture);

// The workspace of a stream, with at least so many words; what was in it may be lost.
uint32_t *opencl_workspace(struct device *device, struct device_stream *stream, size_t words, struct error *error);
void opencl_workspace_finish(struct device *device, struct opencl_workspace *workspace);

// ---- queue.c

// The queue for a command. What has no stream waits for all streams, and is waited for: see opencl_end.
bool opencl_begin(struct device *device, const struct device_stream *stream, cl_command_queue *queue,
                  struct error *error);
bool opencl_end(struct device *device, const struct device_stream *stream, struct error *error);
bool opencl_synchronize(struct device *device, struct device_stream *stream, struct error *error);

// ---- stream.c

struct device_stream *opencl_create_stream(struct device *device, struct error *error);
void opencl_destroy_stream(struct device *device, struct device_stream *stream);
struct device_event *opencl_create_event(struct device *device, struct error *error);
void opencl_destroy_event(struct device *device, struct device_event *event);
bool opencl_record(struct device *device, struct device_stream *stream, struct device_event *event,
                   struct error *error);
bool opencl_elapsed(struct device *device, struct device_event *from, struct device_event *to, double *seconds,
                    struct error *error);
bool opencl_wait(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error);

// ---- program.c

struct device_program *opencl_build(struct device *device, const struct device_build *build, struct error *error);
void opencl_release_program(struct device *device, struct device_program *program);
const struct device_kernel *opencl_kernel(const struct device_program *program, const char *name, struct error *error);
struct device_kernel_facts opencl_facts(const struct device_kernel *kernel);
const char *opencl_provenance(const struct device_program *program);

// ---- launch.c

bool opencl_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                   struct error *error);

bool opencl_resident_blocks(struct device *device, const struct device_launch *launch, uint32_t *blocks,
                            struct error *error);

// ---- primitives.c

bool opencl_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in,
                           const uint8_t *flags, uint32_t *out, uint32_t *count, uint32_t n, struct error *error);
bool opencl_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in, uint32_t *keys_out,
                       const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits,
                       struct error *error);
