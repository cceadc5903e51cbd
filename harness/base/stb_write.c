// SPDX-License-Identifier: MIT
// The one place where stb_image_write is compiled.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("wrapv") // its JPEG writer shifts bits out of an int
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
