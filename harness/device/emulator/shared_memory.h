// SPDX-License-Identifier: MIT
// A block's shared memory. It ends at inaccessible pages, so that what lies past it is a fault and not a neighbour.
#pragma once

#include "base/error.h"

enum { SHARED_MEMORY_MAX = 227 * 1024 }; // as on compute capability 9.0

struct shared_memory {
    char *memory; // of the mapping
    size_t capacity, mapped;
    char *base; // of the block's memory, 16-byte aligned
    size_t bytes;
};

bool shared_memory_create(struct shared_memory *shared, struct error *error);
void shared_memory_destroy(struct shared_memory *shared);              // a zeroed one is fine
void shared_memory_resize(struct shared_memory *shared, size_t bytes); // at most SHARED_MEMORY_MAX
void shared_memory_scribble(struct shared_memory *shared);             // contents are undefined: 0xCD

// Whether `address` lies past the memory, and there by how much: its first byte past the end is 1.
bool shared_memory_overflow(const struct shared_memory *shared, const void *address, size_t *bytes_past);
