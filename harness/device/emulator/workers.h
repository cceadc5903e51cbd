// SPDX-License-Identifier: MIT
// The threads that run blocks, and the watchdog over them.
#pragma once

#include "device/device.h"
#include "device/emulator/scheduler.h"

struct workers;

// `count` threads, which live until workers_destroy. Settings are resolved already: no zero stands for a default.
struct workers *workers_create(uint32_t count, const struct device_settings *settings, struct error *error);
void workers_destroy(struct workers *workers); // NULL is fine

// Runs all blocks of a launch, and returns when they are done. Blocks are taken in order; where several fail, the fault
// reported is that of the first one, whatever the number of threads. A cooperative launch runs on one thread, so that
// what its lanes find in memory does not depend on their number either.
bool workers_run(struct workers *workers, const struct block_launch *launch, struct error *error);

// Adds what the lockstep model has summed, and forgets it.
void workers_take_lockstep(struct workers *workers, struct device_lockstep *rows, uint32_t kinds, uint32_t bounces,
                           struct device_lockstep *entered);
