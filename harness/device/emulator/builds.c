// SPDX-License-Identifier: MIT
// The table of kernels, from variants.def. Each build's object files define NAME_BUILD for every kernel NAME.
#include "device/emulator/kernels.h"

#include "source_hashes.h" // made at build time: EMULATOR_PROVENANCE_<build>, EMULATOR_SOURCE_<build>_<variant>

#define VARIANT(stem, kernels) kernels

#define KERNEL_ENTRY(variant, kernel)                                                                                  \
    void kernel##_clean_fast(const void *args);                                                                        \
    void kernel##_counting_fast(const void *args);                                                                     \
    void kernel##_clean_portable(const void *args);                                                                    \
    void kernel##_counting_portable(const void *args);
#include "variants.def"
#undef KERNEL_ENTRY

static const struct emulator_kernel clean_fast[] = {
#define KERNEL_ENTRY(variant, kernel) {#variant, #kernel, EMULATOR_SOURCE_clean_fast_##variant, kernel##_clean_fast},
#include "variants.def"
#undef KERNEL_ENTRY
    {0}};

static const struct emulator_kernel counting_fast[] = {
#define KERNEL_ENTRY(variant, kernel)                                                                                  \
    {#variant, #kernel, EMULATOR_SOURCE_counting_fast_##variant, kernel##_counting_fast},
#include "variants.def"
#undef KERNEL_ENTRY
    {0}};

static const struct emulator_kernel clean_portable[] = {
#define KERNEL_ENTRY(variant, kernel)                                                                                  \
    {#variant, #kernel, EMULATOR_SOURCE_clean_portable_##variant, kernel##_clean_portable},
#include "variants.def"
#undef KERNEL_ENTRY
    {0}};

static const struct emulator_kernel counting_portable[] = {
#define KERNEL_ENTRY(variant, kernel)                                                                                  \
    {#variant, #kernel, EMULATOR_SOURCE_counting_portable_##variant, kernel##_counting_portable},
#include "variants.def"
#undef KERNEL_ENTRY
    {0}};

const struct emulator_build emulator_builds[] = {
    {false, false, EMULATOR_PROVENANCE_clean_fast, clean_fast},
    {true, false, EMULATOR_PROVENANCE_counting_fast, counting_fast},
    {false, true, EMULATOR_PROVENANCE_clean_portable, clean_portable},
    {true, true, EMULATOR_PROVENANCE_counting_portable, counting_portable},
};
const size_t emulator_build_count = sizeof emulator_builds / sizeof *emulator_builds;
