// SPDX-License-Identifier: MIT
// Pixels in the orders that need a table, of the parameter `pixel_order`. Each has width * height entries, the pixel's number row by
// row, and is to be freed; NULL without memory.
#pragma once

#include <stdint.h>

// Along the Morton curve (x in the even bits), cut to the image.
uint32_t *pixel_table_morton(uint32_t width, uint32_t height);
// In a random order, the same on every machine.
uint32_t *pixel_table_random(uint32_t width, uint32_t height);
