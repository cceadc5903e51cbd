// SPDX-License-Identifier: MIT
// The host schedule of the wavefronts that take samples from a queue, batch after batch: rounds of extend and logic and,
// where materials have queues, of a kernel for each of those that are not empty.
#pragma once

#include "frame/pool.h"

#define WAVEFRONT_PARAMETERS                                                                                           \
    POOL_PARAMETERS, .tickets = true, .batch = true, .pool_order = true, .accumulate = true, .extend_over = true,      \
                     .ray_sort = true

bool wavefront_supports(const struct parameters *parameters, const struct device_properties *device, char *reason,
                        size_t size);
// `words` of a slot are kept. Where `materials`, hits wait for their material in queues.
bool wavefront_prepare(struct frame *frame, const char *prefix, uint32_t words, bool materials, struct error *error);
bool wavefront_render(struct frame *frame, struct error *error);
// Which slot takes which sample, and so which warps are mixed, is a race unless tickets are ordered.
bool wavefront_repeats(const struct parameters *parameters);
