// SPDX-License-Identifier: MIT
// The emulator as a device: what its files share.
#pragma once

#include "device/device.h"
#include "device/emulator/workers.h"

// The machine that is modelled where the settings do not say otherwise: small, so that few paths already fill it.
enum { MULTIPROCESSORS = 4, RESIDENT_BLOCKS = 2 };

struct emulator_device {
    struct device device; // first
    struct device_properties properties;
    bool portable; // of the two builds, the one for any processor
    struct workers *workers;
};

// memory.c
void *emulator_alloc(struct device *device, size_t bytes, struct error *error);
void emulator_release(struct device *device, void *memory);
bool emulator_upload(struct device *device, struct device_stream *stream, void *to, const void *from, size_t bytes,
                     struct error *error);
bool emulator_fill(struct device *device, struct device_stream *stream, void *to, uint8_t value, size_t bytes,
                   struct error *error);

// program.c
struct device_program *emulator_build(struct device *device, const struct device_build *build, struct error *error);
void emulator_release_program(struct device *device, struct device_program *program);
const struct device_kernel *emulator_kernel(const struct device_program *program, const char *name,
                                            struct error *error);
struct device_kernel_facts emulator_facts(const struct device_kernel *kernel);
const char *emulator_provenance(const struct device_program *program);
bool emulator_resident_blocks(struct device *device, const struct device_launch *launch, uint32_t *blocks,
                              struct error *error);
bool emulator_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                     struct error *error);

// stream.c
struct device_stream *emulator_create_stream(struct device *device, struct error *error);
void emulator_destroy_stream(struct device *device, struct device_stream *stream);
bool emulator_synchronize(struct device *device, struct device_stream *stream, struct error *error);
struct device_event *emulator_create_event(struct device *device, struct error *error);
void emulator_destroy_event(struct device *device, struct device_event *event);
bool emulator_record(struct device *device, struct device_stream *stream, struct device_event *event,
                     struct error *error);
bool emulator_elapsed(struct device *device, struct device_event *from, struct device_event *to, double *seconds,
                      struct error *error);

// primitives.c
bool emulator_select_flagged(struct device *device, struct device_stream *stream, const uint32_t *in,
                             const uint8_t *flags, uint32_t *out, uint32_t *count, uint32_t n, struct error *error);
bool emulator_sort_pairs(struct device *device, struct device_stream *stream, const uint32_t *keys_in,
                         uint32_t *keys_out, const uint32_t *values_in, uint32_t *values_out, uint32_t n,
                         uint32_t key_bits, struct error *error);
