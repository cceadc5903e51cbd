// SPDX-License-Identifier: MIT
// Every variant for one architecture and, by turns, every third for one of the others, capped or instrumented, compiled
// without a GPU: caps are kept, facts are sane. (test_nvrtc has all variants on all of these with other options.) Several
// at once; needs NVRTC, and says so and exits with 77 where there is none.
//
// usage: test_cuda_matrix [--all]     --all: every variant for every architecture, with each cap, and instrumented
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/cuda/backend.h"
#include "device/occupancy.h"
#include "trial/execute_settings.h"

enum { SKIPPED = 77, KERNELS_MOST = 16 };

static const uint32_t architectures[] = {90, 75, 120, 80, 100};
static const struct kind {
    uint32_t cap;
    bool counting;
} kinds[] = {{0, false}, {32, false}, {64, true}};
static const char *const variants[] = {
#define VARIANT(folder, stem, kernels) #stem,
#include "variants.def"
#undef VARIANT
};
static const struct kernel_row {
    const char *variant, *name;
} kernel_rows[] = {
#define KERNEL_ENTRY(variant, name) {#variant, #name},
#define VARIANT(folder, stem, kernels) kernels
#include "variants.def"
#undef VARIANT
#undef KERNEL_ENTRY
};
enum {
    ARCHITECTURES = sizeof architectures / sizeof *architectures,
    KINDS = sizeof kinds / sizeof *kinds,
    VARIANTS = sizeof variants / sizeof *variants,
    KERNELS = sizeof kernel_rows / sizeof *kernel_rows,
    BUILDS = VARIANTS * KINDS
};

static int failures, kernels_seen;
static size_t builds_seen;

static void fail(uint32_t architecture, const struct device_build *build, const char *kernel, const char *what)
{
    ++failures;
    printf("FAIL sm_%u %s%s cap %u %s: %s\n", (unsigned)architecture, build->variant,
           build->counting ? " (counting)" : "", (unsigned)build->register_cap, kernel, what);
}

struct seen {
    const struct device_build *build;
    uint32_t architecture;
    char names[KERNELS_MOST][128];
    size_t count;
};

static void check_kernel(void *context, const char *kernel, const struct device_kernel_facts *facts)
{
    struct seen *seen = context;
    const uint32_t cap = seen->build->register_cap;
    if (seen->count < KERNELS_MOST)
        snprintf(seen->names[seen->count++], sizeof *seen->names, "%s", kernel);
    ++kernels_seen;
    if (facts->registers < 1 || facts->registers > 255 || (cap && facts->registers > (int32_t)cap))
        fail(seen->architecture, seen->build, kernel, "registers");
    if (facts->spill_bytes < 0 || facts->local_bytes < 0 || (facts->spill_bytes > 0 && facts->local_bytes == 0))
        fail(seen->architecture, seen->build, kernel, "spills or local memory");
    if (facts->static_shared_bytes != 0) // all of it is dynamic
        fail(seen->architecture, seen->build, kernel, "static shared memory");
    const struct capability *capability = capability_find(seen->architecture);
    const struct occupancy occupancy = occupancy_predict(capability, 128, (uint32_t)facts->registers, 0);
    if (occupancy.blocks == 0 || (facts->registers <= 32 && occupancy.warps != capability->max_warps))
        fail(seen->architecture, seen->build, kernel, "occupancy");
}

static void check_build(const struct device_build *build, uint32_t architecture)
{
    struct seen seen = {.build = build, .architecture = architecture};
    struct error error = {0};
    if (!cuda_inspect(build, architecture, check_kernel, &seen, &error))
        fail(architecture, build, "", error.message);
    for (size_t k = 0; k < KERNELS; ++k) {
        bool found = strcmp(kernel_rows[k].variant, build->variant) != 0;
        for (size_t i = 0; i < seen.count; ++i)
            found = found || strcmp(seen.names[i], kernel_rows[k].name) == 0;
        if (!found)
            fail(architecture, build, kernel_rows[k].name, "is not in it");
    }
}

// An NVRTC older than an architecture does not compile for it.
static bool knows(const struct device_build *build, uint32_t architecture)
{
    struct error error = {0};
    struct seen seen = {.build = build, .architecture = architecture};
    if (cuda_inspect(build, architecture, check_kernel, &seen, &error) || !strstr(error.message, "gpu-architecture"))
        return true;
    printf("skipped sm_%u: %s\n", (unsigned)architecture, error.remedy);
    return false;
}

// Whether a variant is compiled in that kind for that architecture: each as it is for the first, and every third in one
// of the others.
static bool is_due(size_t architecture, size_t variant, size_t kind)
{
    const size_t other = variant / 3 % (ARCHITECTURES - 1 + KINDS - 1);
    if (kind == 0 && architecture == 0)
        return true;
    if (variant % 3 != 0)
        return false;
    return kind == 0 ? architecture == 1 + other : architecture == 0 && kind == 1 + other - (ARCHITECTURES - 1);
}

static void check_architecture(size_t architecture, bool all, const struct device_constant *constants,
                               size_t constant_count)
{
    struct device_build builds[BUILDS];
    struct error error = {0};
    size_t count = 0;
    for (size_t kind = 0; kind < KINDS; ++kind)
        for (size_t v = 0; v < VARIANTS; ++v)
            if (all || is_due(architecture, v, kind))
                builds[count++] = (struct device_build){.variant = variants[v],
                                                        .counting = kinds[kind].counting,
                                                        .register_cap = kinds[kind].cap,
                                                        .constants = constants,
                                                        .constant_count = constant_count};
    if (!knows(&builds[0], architectures[architecture]))
        return;
    if (!cuda_compile_all(builds, count, architectures[architecture], NULL, NULL, &error))
        fail(architectures[architecture], &builds[0], "", error.message);
    for (size_t i = 0; i < count; ++i)
        check_build(&builds[i], architectures[architecture]);
    builds_seen += count;
}

int main(int count, char **arguments)
{
    struct error error = {0};
    struct device_constant constants[EXECUTE_CONSTANTS];
    const struct parameters parameters = parameters_default();
    struct config config;
    const size_t constant_count = execute_constants(&parameters, constants, &config);
    struct timespec from, to;
    char folder[] = "/tmp/warpstudy-matrix-XXXXXX", command[64] = "true";
    const struct cuda_nvrtc *nvrtc = cuda_nvrtc_load(&error);
    if (!nvrtc) {
        printf("skipped: %s\n", error.message);
        return SKIPPED;
    }
    // A test of machine code that starts later finds what is compiled here: a cache that is set is used.
    if (!getenv("WARPSTUDY_CACHE")) {
        if (!mkdtemp(folder) || setenv("WARPSTUDY_CACHE", folder, 1) != 0)
            return EXIT_FAILURE;
        snprintf(command, sizeof command, "rm -r %s", folder);
    }
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (size_t a = 0; a < ARCHITECTURES; ++a)
        check_architecture(a, count > 1 && !strcmp(arguments[1], "--all"), constants, constant_count);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("NVRTC %d.%d: %d variants, %zu builds, %d kernels looked at in %.0f s, %d failures\n", nvrtc->major,
           nvrtc->minor, (int)VARIANTS, builds_seen, kernels_seen, (double)(to.tv_sec - from.tv_sec), failures);
    return system(command) == 0 && failures == 0 && kernels_seen > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
