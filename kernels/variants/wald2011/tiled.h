// SPDX-License-Identifier: MIT
// The host schedule that both tiled variants share: one launch over tiles of block x M pixels, a block for each
// of them or, with resident_blocks, for several.
#pragma once

#include "frame/variant.h"

// Shared memory of a block in bytes: list and flags, and the path states where they are kept there.
size_t tiled_shared_bytes(const struct parameters *parameters, bool state_shared);
bool tiled_prepare(struct frame *frame, bool state_shared, struct error *error);
bool tiled_render(struct frame *frame, const char *kernel, bool state_shared, struct error *error);
bool tiled_warps(const struct warps_asked *asked, uint64_t *warps);
// Whether a block's shared memory fits this device.
bool tiled_supports(const struct parameters *parameters, const struct device_properties *device, bool state_shared,
                    char *reason, size_t size);
