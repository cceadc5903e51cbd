// SPDX-License-Identifier: MIT
// An emulator with the tests' program (emulator_kernels.c), and the memory of one launch.
#pragma once

#include "device/device.h"
#include "emulator_kernels.h"

static const uint32_t widths[] = {1, 4, 8, 16, 32, 64};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

struct rig {
    struct device *device;
    struct device_program *program;
    struct emulator_test_args args;
    uint32_t lanes;
    bool cooperative;
};

struct rig rig_open(struct device_settings settings, bool counting);
void rig_release_memory(struct rig *rig);
void rig_reserve(struct rig *rig, uint32_t lanes);
void rig_close(struct rig *rig);
bool rig_launch(struct rig *rig, const char *name, uint32_t grid, uint32_t block, size_t shared, struct error *error);
void rig_run(struct rig *rig, const char *name, uint32_t grid, uint32_t block, size_t shared);
uint32_t warp_begin(uint32_t thread, uint32_t width);
uint32_t warp_end(uint32_t thread, uint32_t width, uint32_t block);
// Of the kernels vote_some and reversal, after which nothing is wrong.
void check_vote_some(struct rig *rig, uint32_t width, uint32_t block);
void check_reversal(const struct rig *rig, uint32_t block);
