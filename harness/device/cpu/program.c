// SPDX-License-Identifier: MIT
// Programs are what the C compiler built into this one: clean ones for this device, instrumented ones the emulator's.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/cpu/cpu.h"

enum { MOST_KERNELS = 32 };

struct device_program {
    struct device *emulator;
    struct device_program *emulated; // the instrumented program; NULL of a clean one
    char *provenance;                // of a clean one
    uint32_t kernel_count;
    struct device_kernel kernels[MOST_KERNELS];
};

static char *program_describe(const struct emulator_kernel *first)
{
    return memory_format("cpu, %s; source %s", cpu_provenance, first->source);
}

// The kernels of a variant, each with its instrumented one where that is what the program is of.
static bool find_kernels(struct device_program *program, const char *variant, struct error *error)
{
    for (const struct emulator_kernel *row = cpu_kernels; row->name; ++row) {
        if (strcmp(row->variant, variant) != 0 || program->kernel_count == MOST_KERNELS)
            continue;
        struct device_kernel *kernel = &program->kernels[program->kernel_count++];
        kernel->row = row;
        if (program->emulated &&
            !(kernel->emulated = program->emulator->ops->kernel(program->emulated, row->name, error)))
            return false;
    }
    return program->kernel_count > 0 || error_set(error, ERROR_USE, "the device cpu has no kernels of '%s'", variant);
}

struct device_program *cpu_build(struct device *device, const struct device_build *build, struct error *error)
{
    struct device *emulator = ((struct cpu_device *)device)->emulator;
    struct device_program *program = memory_new(1, sizeof *program);
    program->emulator = emulator;
    if (build->counting)
        program->emulated = emulator->ops->build(emulator, build, error);
    const bool built = program->emulated || !build->counting;
    if (built && find_kernels(program, build->variant, error)) {
        if (!build->counting)
            program->provenance = program_describe(program->kernels[0].row);
        return program;
    }
    cpu_release_program(device, program);
    return NULL;
}

void cpu_release_program(struct device *device, struct device_program *program)
{
    (void)device;
    if (!program)
        return;
    if (program->emulated)
        program->emulator->ops->release_program(program->emulator, program->emulated);
    free(program->provenance);
    free(program);
}

const struct device_kernel *cpu_kernel(const struct device_program *program, const char *name, struct error *error)
{
    for (uint32_t i = 0; i < program->kernel_count; ++i)
        if (!strcmp(program->kernels[i].row->name, name))
            return &program->kernels[i];
    error_set(error, ERROR_USE, "variant '%s' has no kernel '%s'", program->kernels[0].row->variant, name);
    return NULL;
}

const char *cpu_program_provenance(const struct device_program *program)
{
    return program->emulated ? program->emulator->ops->provenance(program->emulated) : program->provenance;
}
