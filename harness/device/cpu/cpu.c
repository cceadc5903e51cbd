// SPDX-License-Identifier: MIT
#include "device/cpu/cpu.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/processors.h"

extern const struct device_backend device_cpu_backend, device_emulator_backend;

static void cpu_close(struct device *device)
{
    struct cpu_device *cpu = (struct cpu_device *)device;
    cpu->emulator->ops->close(cpu->emulator);
    free(cpu);
}

static const struct device_properties *cpu_properties(const struct device *device)
{
    return &((const struct cpu_device *)device)->properties;
}

static void cpu_describe(struct cpu_device *cpu)
{
    const struct device_properties *emulator = cpu->emulator->ops->properties(cpu->emulator);
    cpu->properties = *emulator;
    snprintf(cpu->properties.name, sizeof cpu->properties.name, "CPU: %.120s", emulator->name); // no emulator's name
    cpu->properties.multiprocessors = cpu->threads;
    cpu->properties.max_warps_per_multiprocessor = 1;
    cpu->properties.max_blocks_per_multiprocessor = 1;
    cpu->properties.times = true;
    cpu->properties.no_cooperation = true;
    snprintf(cpu->properties.driver, sizeof cpu->properties.driver, "cpu");
}

// Memory, streams and primitives are the host's, as of the emulator, whose functions for them ask for no emulator.
static struct device_ops make_ops(const struct device_ops *emulator)
{
    struct device_ops ops = *emulator;
    ops.close = cpu_close;
    ops.properties = cpu_properties;
    ops.build = cpu_build;
    ops.release_program = cpu_release_program;
    ops.kernel = cpu_kernel;
    ops.provenance = cpu_program_provenance;
    ops.launch = cpu_launch;
    ops.resident_blocks = NULL;
    ops.take_lockstep = NULL;
    return ops;
}

static struct device *cpu_open(const struct device_settings *settings, struct error *error)
{
    (void)settings;
    struct cpu_device *cpu = memory_new(1, sizeof *cpu);
    const struct device_settings emulator = {.warp_width = 1, .threads = processors_usable()};
    cpu->threads = emulator.threads;
    cpu->emulator = device_emulator_backend.open(&emulator, error);
    if (!cpu->emulator) {
        free(cpu);
        return NULL;
    }
    cpu->ops = make_ops(cpu->emulator->ops);
    cpu->device.ops = &cpu->ops;
    cpu_describe(cpu);
    return &cpu->device;
}

static const char *cpu_unavailable(void)
{
#if defined __x86_64__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
        return "it needs a processor of x86-64-v3 (AVX2, FMA, BMI2)";
#endif
    return cpu_kernels[0].name ? NULL : "this program was built without its kernels (-Dcpu=false)";
}

static uint32_t count_devices(void)
{
    return 1;
}

const struct device_backend device_cpu_backend = {
    .name = "cpu",
    .summary = "times kernels without barriers on all threads of this processor: our own traversal, not Embree's "
               "(bench rays compares them)",
    .kind = DEVICE_PROCESSOR,
    .has_times = true,
    .unavailable = cpu_unavailable,
    .count = count_devices,
    .open = cpu_open,
};
