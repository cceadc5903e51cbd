// SPDX-License-Identifier: MIT
// Inside the cuda backend: what its files share. The seam to the harness is device/device.h.
#pragma once

#include "device/cuda/device.h"
#include "device/cuda_module.h"

struct device_event {
    CUevent handle;
};

struct device_kernel {
    struct device_kernel *next;
    char name[128];
    CUfunction function;
    struct cupti_image *image;    // the code that it is part of
    struct optix_program *traced; // runs through OptiX: then there is no function
    struct device_kernel_facts facts;
    int max_block; // lanes that fit with its registers
    // What was last set for its launches, so that it is set again only when it changes.
    int carveout, dynamic_shared;
    bool launched;
};

extern const struct device_backend cuda_backend;
// See struct cuda_module.
void cuda_examine(cuda_module_line *line, void *context);

// properties.c
// Loads the driver and counts the GPUs, at least one.
bool cuda_probe(int *count, struct error *error);
bool cuda_read_properties(struct device_properties *properties, int handle, struct error *error);
// Lines for `doctor`: the driver and each GPU; an error under a heading.
void cuda_examine_gpus(int count, cuda_module_line *line, void *context);
void cuda_examine_error(const struct error *error, const char *what, cuda_module_line *line, void *context);

// memory.c
void *cuda_alloc(struct device *device, size_t bytes, struct error *error);
void cuda_release(struct device *device, void *memory);
void *cuda_alloc_host(struct device *device, size_t bytes, struct error *error);
void cuda_release_host(struct device *device, void *memory);
bool cuda_upload(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                 struct error *error);
bool cuda_download(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                   struct error *error);
bool cuda_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
               struct error *error);
bool cuda_create_texture(struct device *device, const uint32_t *words, uint64_t count, uint64_t *texture,
                         struct error *error);
void cuda_release_texture(struct device *device, uint64_t texture);
struct device_stream *cuda_create_stream(struct device *device, struct error *error);
void cuda_destroy_stream(struct device *device, struct device_stream *stream);
bool cuda_synchronize(struct device *device, struct device_stream *stream, struct error *error);
struct device_event *cuda_create_event(struct device *device, struct error *error);
void cuda_destroy_event(struct device *device, struct device_event *event);
bool cuda_record(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error);
bool cuda_wait(struct device *device, struct device_stream *stream, struct device_event *event, struct error *error);
bool cuda_elapsed(struct device *device, struct device_event *from, struct device_event *to, double *seconds,
                  struct error *error);

// program.c
bool cuda_inspect(const struct device_build *build, uint32_t compute_capability,
                  void (*visit)(void *context, const char *kernel, const struct device_kernel_facts *), void *context,
                  struct error *error);
struct device_program *cuda_build(struct device *device, const struct device_build *build, struct error *error);
// The same for any embedded header and source to follow it (NULL = none), without constants.
struct device_program *cuda_build_source(struct device *device, const char *header, const char *text,
                                         struct error *error);
void cuda_release_program(struct device *device, struct device_program *program);
// Loads the code once more, for the same kernels, as if none of them had ever been launched. The device must be idle.
bool cuda_program_reload(struct device_program *program, struct error *error);
const struct device_kernel *cuda_kernel(const struct device_program *program, const char *name, struct error *error);
struct device_kernel_facts cuda_facts(const struct device_kernel *kernel);
const char *cuda_provenance(const struct device_program *program);
bool cuda_resident_blocks(struct device *device, const struct device_launch *launch, uint32_t *blocks,
                          struct error *error);
bool cuda_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                 struct error *error);

// traced.c
// The device's OptiX, opened when first asked for.
struct optix *cuda_optix(struct cuda_device *cuda, struct error *error);
bool cuda_tracing(struct device *device, struct device_tracing *tracing, struct error *error);
bool cuda_create_structure(struct device *device, const struct device_structure_input *input,
                           struct device_structure *structure, struct error *error);
bool cuda_launch_traced(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                        struct error *error);

// ahead.c
// Several builds into the cache of compiled kernels, in as many threads as there are cores, at most 16. Those that do
// not compile are passed over. Needs no driver.
bool cuda_compile_all(const struct device_build *builds, size_t count, uint32_t compute_capability,
                      void (*progress)(void *context, size_t done), void *context, struct error *error);
bool cuda_compile_ahead(struct device *device, const struct device_build *builds, size_t count,
                        void (*progress)(void *context, size_t done), void *context, struct error *error);

// stamp.c
bool cuda_clock_stamp(struct device *device, struct device_stream *stream, bool end, struct error *error);
bool cuda_clock_read(struct device *device, double *mhz, struct error *error);
void cuda_clock_finish(struct device *device);

// conditions.c
// The NVML handle of a CUDA device, NULL where there is none.
struct nvmlDevice_st *cuda_find_nvml(int handle);
uint32_t cuda_throttle_of(unsigned long long reasons); // NVML's bits as enum device_throttle
// How many of the processes are neither this one nor its relatives. NVML gives the machine's numbers: where this very
// process, which has a context, is not among them, they belong to another namespace (a container), and nothing can be
// said: -1. Numbers of no process here, beside ours, are of processes that have just ended or of another container;
// they are not counted. Those that /proc hides (hidepid) are. Relatives are our ancestors and descendants and, where
// our parent runs this very program (the coordinator of workers), its descendants; not what else belongs to our
// session: that is the terminal's.
int32_t cuda_count_foreign(const unsigned int *processes, size_t count);
bool cuda_conditions(struct device *device, struct device_conditions *conditions, struct error *error);

// primitives.c
bool cuda_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in, const uint8_t *flags,
                         uint32_t *out, uint32_t *count, uint32_t n, struct error *error);
bool cuda_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in, uint32_t *keys_out,
                     const uint32_t *values_in, uint32_t *values_out, uint32_t n, uint32_t key_bits,
                     struct error *error);
