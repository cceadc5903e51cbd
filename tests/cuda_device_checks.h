// SPDX-License-Identifier: MIT
// Shared by the files of test_cuda_device.
#pragma once

#include "device/device.h"

extern struct error error; // of the last call
bool check(bool holds, const char *what, int line);
#define CHECK(condition) check((condition), #condition, __LINE__)

// cuda_block_checks.c: lib/block.h, lib/queue.h and cooperative launches.
void check_blocks(struct device *device);
// The kernels of cuda_device_checks.c, built from text.
struct device_program *build_conduct(struct device *device);
void check_clock(struct device *device, struct device_program *program);
void check_conditions(struct device *device);
// Select and sort come back at once, while what stands before them on the stream still runs.
void check_asynchrony(struct device *device, struct device_program *program);
void check_streams(struct device *device, struct device_program *program);
void check_carveout(struct device *device, struct device_program *program);
void check_readback(struct device *device);
void check_ahead(struct device *device);
// Runs `self` once per kind of fault, as a process of its own, and looks at what it says; then sees that the device
// still works here.
void check_faults(struct device *device, const char *self);
// Such a process: provokes the fault and prints the error. Returns the exit code.
int run_fault(const char *kind);
