// SPDX-License-Identifier: MIT
// Compiled kernels kept between runs: one file per key in $WARPSTUDY_CACHE/cuda, else $XDG_CACHE_HOME/warpstudy/cuda,
// else ~/.cache/warpstudy/cuda. It only saves time: what cannot be read or written is compiled again, without a word.
// WARPSTUDY_CUDA_CACHE=off turns it off.
#pragma once

#include <stdbool.h>

#include "device/cuda/binary.h"

// Whether what is written can be read again: it is on, and its folder can be made and written.
bool cuda_cache_usable(void);
// Fills bytes, size and log of *binary.
bool cuda_cache_read(const char *key, struct cuda_binary *binary);
void cuda_cache_write(const char *key, const struct cuda_binary *binary);
