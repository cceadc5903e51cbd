// SPDX-License-Identifier: MIT
// What code that a lane runs may ask of the scheduler (scheduler.c), without a view of its insides.
#pragma once

// Ends the block with a fault of the lane that runs. For use on its stack, or on that of the handler of signals.
_Noreturn void scheduler_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Between these two the watchdog leaves the thread alone, as it may hold a lock of the C library.
void scheduler_enter_library(void);
void scheduler_leave_library(void);
