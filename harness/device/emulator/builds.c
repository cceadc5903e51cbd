// SPDX-License-Identifier: MIT
// The table of kernels, from variants.def and tools.def. Each build's object files define NAME_BUILD for every kernel
// NAME.
#include "device/emulator/kernels.h"

#include "source_hashes.h" // made at build time: EMULATOR_PROVENANCE_<build>, EMULATOR_SOURCE_<build>_<variant>

#define VARIANT(folder, stem, kernels) kernels
#define TOOL(stem, kernels) kernels

#define KERNEL_ENTRY(variant, kernel)                                                                                  \
    void kernel##_clean_fast(const void *args);                                                                        \
    void kernel##_counting_fast(const void *args);                                                                     \
    void kernel##_clean_portable(const void *args);                                                                    \
    void kernel##_counting_portable(const void *args);
#include "variants.def"

#include "tools.def"
#undef KERNEL_ENTRY

#define ROW(folder, stem, kernel, build, source)                                                                       \
    {folder #stem, #kernel, EMULATOR_SOURCE_##build##_##source, kernel##_##build},

#ifdef EMULATOR_PROVENANCE_clean_fast
static const struct emulator_kernel clean_fast[] = {
#define KERNEL_ENTRY(variant, kernel) ROW("", variant, kernel, clean_fast, variant)
#include "variants.def"
#undef KERNEL_ENTRY
#define KERNEL_ENTRY(tool, kernel) ROW("tools/", tool, kernel, clean_fast, tools_##tool)
#include "tools.def"
#undef KERNEL_ENTRY
    {0}};

static const struct emulator_kernel counting_fast[] = {
#define KERNEL_ENTRY(variant, kernel) ROW("", variant, kernel, counting_fast, variant)
#include "variants.def"
#undef KERNEL_ENTRY
#define KERNEL_ENTRY(tool, kernel) ROW("tools/", tool, kernel, counting_fast, tools_##tool)
#include "tools.def"
#undef KERNEL_ENTRY
    {0}};
#endif

#ifdef EMULATOR_PROVENANCE_clean_portable
static const struct emulator_kernel clean_portable[] = {
#define KERNEL_ENTRY(variant, kernel) ROW("", variant, kernel, clean_portable, variant)
#include "variants.def"
#undef KERNEL_ENTRY
#define KERNEL_ENTRY(tool, kernel) ROW("tools/", tool, kernel, clean_portable, tools_##tool)
#include "tools.def"
#undef KERNEL_ENTRY
    {0}};

static const struct emulator_kernel counting_portable[] = {
#define KERNEL_ENTRY(variant, kernel) ROW("", variant, kernel, counting_portable, variant)
#include "variants.def"
#undef KERNEL_ENTRY
#define KERNEL_ENTRY(tool, kernel) ROW("tools/", tool, kernel, counting_portable, tools_##tool)
#include "tools.def"
#undef KERNEL_ENTRY
    {0}};
#endif

const struct emulator_build emulator_builds[] = {
#ifdef EMULATOR_PROVENANCE_clean_fast
    {false, false, EMULATOR_PROVENANCE_clean_fast, clean_fast},
    {true, false, EMULATOR_PROVENANCE_counting_fast, counting_fast},
#endif
#ifdef EMULATOR_PROVENANCE_clean_portable
    {false, true, EMULATOR_PROVENANCE_clean_portable, clean_portable},
    {true, true, EMULATOR_PROVENANCE_counting_portable, counting_portable},
#endif
};
const size_t emulator_build_count = sizeof emulator_builds / sizeof *emulator_builds;
