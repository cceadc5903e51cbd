// SPDX-License-Identifier: MIT
// Compiled kernels kept between runs: one file per key in $WARPSTUDY_CACHE/BACKEND, else $XDG_CACHE_HOME/warpstudy/BACKEND, else
// ~/.cache/warpstudy/BACKEND. It only saves time: what cannot be read or written is compiled again, without a word.
// WARPSTUDY_KERNEL_CACHE=off turns it off.
#pragma once

#include "device/kernel_binary.h"

// Whether what is written can be read again: it is on, and its folder can be made and written.
bool kernel_cache_usable(const char *backend);
// Fills bytes, size and log of *binary.
bool kernel_cache_read(const char *backend, const char *key, struct kernel_binary *binary);
void kernel_cache_write(const char *backend, const char *key, const struct kernel_binary *binary);
