// SPDX-License-Identifier: MIT
// Small packed scenes, one of each kind that an image can be, and a frame of each as kernels would render it.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct packed_image {
    const char *name;
    void *bytes; // aligned to 256
    size_t size;
};

enum { PACKED_IMAGES = 12 };

// All of them, built on the first call; to be changed in copies.
const struct packed_image *packed_images(void);

// Looks up whatever kernels look up for a few paths of a valid image, from each of its cameras, one lane at a time.
void packed_render(const void *image);

// The parts of it: paths over surfaces, through volumes.
struct frame_args;
void packed_walk_surface(struct frame_args *frame, uint32_t pixels);
void packed_walk_volume(struct frame_args *frame, uint32_t pixels);
