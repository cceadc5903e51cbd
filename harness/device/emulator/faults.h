// SPDX-License-Identifier: MIT
// Turns a processor fault inside a kernel, and the watchdog's call, into a fault of the lane that runs. Signals that
// strike any other code go to whoever handled them before.
#pragma once

#include <pthread.h>

#include "base/error.h"
#include "device/emulator/scheduler.h"

// True where AddressSanitizer reports bad addresses in our place: then they end the process.
bool faults_left_to_sanitizer(void);

// Counted: each install needs one remove.
bool faults_install(struct error *error);
void faults_remove(void);

// A thread that runs blocks needs a stack for its handlers. `memory` is kept until faults_leave_thread.
enum { FAULTS_STACK_SIZE = 64 * 1024 };
void faults_enter_thread(char *memory);
void faults_leave_thread(void);

// Interrupts the thread that uses `runner`, unless it has made progress since `stamp` was read.
void faults_interrupt(pthread_t thread, struct block_runner *runner, uint_fast64_t stamp);
