// SPDX-License-Identifier: MIT
// The user's wish to stop: once (SIGINT, or SIGUSR1, by which batch systems announce a
// time limit) = finish the trial in flight, twice (or SIGTERM, SIGHUP) = abandon it.
#pragma once

#include "base/error.h"

void interrupt_install(void);
int interrupt_count(void); // 0, 1 or 2
bool interrupt_wished(void);
// True once, after the first wish: the caller answers the user.
bool interrupt_untold(void);
// Before anything is recorded: ERROR_INTERRUPTED where the user wishes to stop.
bool interrupt_check(struct error *error);
