// SPDX-License-Identifier: MIT
// The clean kernels of every variant and tool, built for a warp of one lane.
#include "device/cpu/kernels.h"

#include "source_hashes.h" // made at build time: EMULATOR_PROVENANCE_<build>, EMULATOR_SOURCE_<build>_<variant>

#ifdef EMULATOR_PROVENANCE_clean_alone
#define VARIANT(folder, stem, kernels) kernels
#define TOOL(stem, kernels) kernels

#define KERNEL_ENTRY(variant, kernel) void kernel##_clean_alone(const void *args);
#include "variants.def"

#include "tools.def"
#undef KERNEL_ENTRY

const struct emulator_kernel cpu_kernels[] = {
#define KERNEL_ENTRY(variant, kernel) {#variant, #kernel, EMULATOR_SOURCE_clean_alone_##variant, kernel##_clean_alone},
#include "variants.def"
#undef KERNEL_ENTRY
#define KERNEL_ENTRY(tool, kernel)                                                                                     \
    {"tools/" #tool, #kernel, EMULATOR_SOURCE_clean_alone_tools_##tool, kernel##_clean_alone},
#include "tools.def"
#undef KERNEL_ENTRY
    {0}};

const char *const cpu_provenance = EMULATOR_PROVENANCE_clean_alone;
#else
const struct emulator_kernel cpu_kernels[] = {{0}};
const char *const cpu_provenance = "";
#endif
