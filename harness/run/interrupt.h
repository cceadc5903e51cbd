// SPDX-License-Identifier: MIT
// The user's wish to stop: once = finish the trial in flight, twice (or SIGTERM, SIGHUP) = abandon it.
#pragma once

void interrupt_install(void);
int interrupt_count(void); // 0, 1 or 2
