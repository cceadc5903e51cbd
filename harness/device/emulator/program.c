// SPDX-License-Identifier: MIT
// Programs are what the C compiler built into this one: to build is to look up. Kernels read their constants at run
// time.
#include <stdlib.h>

#include "base/memory.h"
#include "device/emulator/emulator.h"
#include "device/emulator/kernels.h"

enum { MAX_SUGGESTIONS = 64 };

struct device_kernel {
    const struct device_program *program;
    const struct emulator_kernel *kernel;
};

struct device_program {
    bool counting;
    char variant[64];
    char *provenance;
    uint32_t kernel_count;
    struct device_kernel kernels[];
};

static const struct emulator_build *find_build(bool counting, bool portable)
{
    for (size_t i = 0; i < emulator_build_count; i++)
        if (emulator_builds[i].counting == counting && emulator_builds[i].portable == portable)
            return &emulator_builds[i];
    return NULL;
}

static uint32_t count_kernels(const struct emulator_build *build, const char *variant)
{
    uint32_t count = 0;
    for (const struct emulator_kernel *kernel = build->kernels; kernel->name; kernel++)
        count += strcmp(kernel->variant, variant) == 0;
    return count;
}

static void unknown_variant(const struct emulator_build *build, const char *variant, struct error *error)
{
    const char *known[MAX_SUGGESTIONS + 1] = {0};
    uint32_t count = 0;
    for (const struct emulator_kernel *kernel = build->kernels; kernel->name && count < MAX_SUGGESTIONS; kernel++)
        known[count++] = kernel->variant;
    const char *near = error_suggest(variant, known);
    error_set(error, ERROR_USE, "the emulator has no kernels of a variant '%s'%s%s%s", variant,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    error_remedy(error, "list the variant in kernels/variants.def and build again");
}

// What changes when the code that runs changes. The settings of the device change no result, so they are not part of
// it.
static char *program_describe(const struct emulator_build *build, const char *source)
{
    return memory_format("emulator, %s, %s: %s; source %s", build->counting ? "counting" : "clean",
                         build->portable ? "portable" : "x86-64-v3", build->provenance, source);
}

static struct device_program *create_program(const struct emulator_build *build, const char *variant, uint32_t count)
{
    struct device_program *program = memory_new(1, sizeof *program + count * sizeof program->kernels[0]);
    const struct emulator_kernel *first = build->kernels;
    while (strcmp(first->variant, variant) != 0)
        first++;
    program->counting = build->counting;
    program->provenance = program_describe(build, first->source);
    snprintf(program->variant, sizeof program->variant, "%s", variant);
    for (const struct emulator_kernel *kernel = build->kernels; kernel->name; kernel++)
        if (strcmp(kernel->variant, variant) == 0)
            program->kernels[program->kernel_count++] = (struct device_kernel){program, kernel};
    return program;
}

struct device_program *emulator_build(struct device *device, const struct device_build *build, struct error *error)
{
    const bool portable = ((const struct emulator_device *)device)->portable;
    const struct emulator_build *found = find_build(build->counting, portable);
    if (!found) {
        error_set(error, ERROR_UNSUPPORTED, "this program contains no %s kernels for %s",
                  build->counting ? "counting" : "clean", portable ? "any processor" : "x86-64-v3");
        error_remedy(error, "build it with: meson configure BUILD -Dportable=true");
        return NULL;
    }
    const uint32_t count = count_kernels(found, build->variant);
    if (count > 0)
        return create_program(found, build->variant, count);
    unknown_variant(found, build->variant, error);
    return NULL;
}

void emulator_release_program(struct device *device, struct device_program *program)
{
    (void)device;
    if (!program)
        return;
    free(program->provenance);
    free(program);
}

const struct device_kernel *emulator_kernel(const struct device_program *program, const char *name, struct error *error)
{
    const char *known[MAX_SUGGESTIONS + 1] = {0};
    for (uint32_t i = 0; i < program->kernel_count; i++) {
        if (strcmp(program->kernels[i].kernel->name, name) == 0)
            return &program->kernels[i];
        if (i < MAX_SUGGESTIONS)
            known[i] = program->kernels[i].kernel->name;
    }
    const char *near = error_suggest(name, known);
    error_set(error, ERROR_USE, "variant '%s' has no kernel '%s'%s%s%s", program->variant, name,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

struct device_kernel_facts emulator_facts(const struct device_kernel *kernel)
{
    (void)kernel;
    return (struct device_kernel_facts){-1, -1, -1, -1};
}

const char *emulator_provenance(const struct device_program *program)
{
    return program->provenance;
}

static bool check_launch(const struct device_launch *launch, struct error *error)
{
    const char *name = launch->kernel->kernel->name;
    if (launch->block == 0 || launch->block > BLOCK_MAX_LANES)
        return error_set(error, ERROR_USE, "kernel %s: a block has 1 to %d lanes, not %u", name, BLOCK_MAX_LANES,
                         launch->block);
    if (launch->grid == 0)
        return error_set(error, ERROR_USE, "kernel %s: a grid has at least one block", name);
    if (launch->shared_bytes > SHARED_MEMORY_MAX)
        return error_set(error, ERROR_USE, "kernel %s: a block has at most %d bytes of shared memory, not %zu", name,
                         SHARED_MEMORY_MAX, launch->shared_bytes);
    return true;
}

bool emulator_resident_blocks(struct device *device, const struct device_launch *launch, uint32_t *blocks,
                              struct error *error)
{
    (void)device;
    struct device_launch any = *launch;
    any.grid = 1;
    if (!check_launch(&any, error))
        return false;
    *blocks = launch->block <= BLOCK_MAX_LANES / RESIDENT_BLOCKS ? RESIDENT_BLOCKS : 1;
    return true;
}

bool emulator_launch(struct device *device, struct device_stream *stream, const struct device_launch *launch,
                     struct error *error)
{
    (void)stream;
    if (!check_launch(launch, error))
        return false;
    // The caller's struct may be about to change, and may be smaller than the kernel thinks: a copy of its exact size.
    void *args = NULL;
    if (posix_memalign(&args, 64, launch->args_size ? launch->args_size : 1) != 0)
        return error_memory(error, "for the arguments of a kernel");
    if (launch->args_size > 0)
        memcpy(args, launch->args, launch->args_size);
    const struct block_launch blocks = {
        .kernel = launch->kernel->kernel->name,
        .run = launch->kernel->kernel->run,
        .args = args,
        .grid = launch->grid,
        .block = launch->block,
        .shared_bytes = launch->shared_bytes,
        .record = launch->kernel->program->counting,
        .cooperative = launch->cooperative,
    };
    const bool done = workers_run(((struct emulator_device *)device)->workers, &blocks, error);
    free(args);
    return done;
}
