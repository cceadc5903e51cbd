// SPDX-License-Identifier: MIT
// The host's cores, shared out among workers that must not disturb each other.
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

// Each of `count` workers gets a share of the cores that this program may use. The hardware threads of a core stay together,
// where there are as many cores. false: even its threads are fewer than the workers.
bool cores_share(size_t count, cpu_set_t *shares);
// As the kernel writes it: "0-3,8".
void cores_format(const cpu_set_t *cores, char *text, size_t size);
