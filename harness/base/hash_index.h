// SPDX-License-Identifier: MIT
// Numbers of hashes, from 0, in the order in which they came first.
#pragma once

#include "base/hash.h"

// Zeroed it is empty.
struct hash_index {
    struct hash_entry {
        struct hash hash;
        size_t number; // from 1; 0: free
    } * entries;
    size_t room, count; // room: 0 or a power of two
};

// The number of the hash. *fresh: it came for the first time.
size_t hash_index_add(struct hash_index *index, struct hash hash, bool *fresh);
void hash_index_free(struct hash_index *index);
