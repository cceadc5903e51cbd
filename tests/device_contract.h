// SPDX-License-Identifier: MIT
// What every device promises of memory, selection and sort (device/device.h), compared with the host. Each prints what is wrong and returns
// whether nothing is. Needs no test library, since machines with a GPU may have none.
#pragma once

#include "device/device.h"

// Upload, fill and download.
bool contract_memory(struct device *device, struct device_stream *stream, uint32_t bytes);
// Of n items about `of_256` in 256 are flagged; these are selected from a list, or else their places.
bool contract_select(struct device *device, struct device_stream *stream, uint32_t n, uint32_t of_256, bool from_list);
bool contract_sort(struct device *device, struct device_stream *stream, uint32_t n, uint32_t key_bits);
