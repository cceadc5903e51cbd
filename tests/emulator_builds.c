// SPDX-License-Identifier: MIT
// The table that meson generates for the real kernels, made by hand for those of the tests.
#include "device/emulator/kernels.h"

#include "emulator_kernels.h"

#define DECLARE(name)                                                                                                  \
    void name##_clean(const void *args);                                                                               \
    void name##_counting(const void *args);
#define CLEAN_ROW(name) {"test", #name, "tests", name##_clean},
#define COUNTING_ROW(name) {"test", #name, "tests", name##_counting},

EMULATOR_TEST_KERNELS(DECLARE)

static const struct emulator_kernel clean[] = {EMULATOR_TEST_KERNELS(CLEAN_ROW){0}};
static const struct emulator_kernel counting[] = {EMULATOR_TEST_KERNELS(COUNTING_ROW){0}};

const struct emulator_build emulator_builds[] = {
    {.counting = false, .portable = false, .provenance = "clean", .kernels = clean},
    {.counting = true, .portable = false, .provenance = "counting", .kernels = counting},
    {.counting = false, .portable = true, .provenance = "clean for any", .kernels = clean},
    {.counting = true, .portable = true, .provenance = "counting for any", .kernels = counting},
};
const size_t emulator_build_count = sizeof emulator_builds / sizeof emulator_builds[0];
