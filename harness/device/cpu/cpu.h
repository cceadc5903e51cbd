// SPDX-License-Identifier: MIT
// The host's processor as a device: kernels run lane after lane on its threads, each warp of one lane, without fibers. A lane
// waits for no other, so that kernels with barriers are refused, where a block has several lanes. What is counted, the emulator
// counts, in warps of one lane.
#pragma once

#include "device/cpu/kernels.h"
#include "device/device.h"

struct cpu_device {
    struct device device; // first
    struct device_ops ops;
    struct device_properties properties;
    struct device *emulator; // counts, and gives memory and streams: both are the host's
    uint32_t threads;
};

struct device_kernel {
    const struct emulator_kernel *row;
    const struct device_kernel *emulated; // the instrumented one; NULL of a clean one
};

// program.c
struct device_program *cpu_build(struct device *device, const struct device_build *build, struct error *error);
void cpu_release_program(struct device *device, struct device_program *program);
const struct device_kernel *cpu_kernel(const struct device_program *program, const char *name, struct error *error);
const char *cpu_program_provenance(const struct device_program *program);

// launch.c: complete when it returns
bool cpu_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                struct error *error);
