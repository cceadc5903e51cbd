// SPDX-License-Identifier: MIT
// Content hashes: XXH3 with 128 bits, printed as 32 lower-case hexadecimal digits.
#pragma once

#include <stdint.h>

#include "base/error.h"

struct hash {
    uint64_t high, low;
};

enum { HASH_TEXT = 33 }; // bytes of hash_text's output, terminator included

struct hash hash_bytes(const void *bytes, size_t size);

// Incremental form: begin, add any number of pieces, end. `hash_end` frees the state.
struct hash_state;
struct hash_state *hash_begin(void);
void hash_add(struct hash_state *state, const void *bytes, size_t size);
void hash_add_text(struct hash_state *state, const char *text); // length and bytes, so that "ab","c" != "a","bc"
struct hash hash_end(struct hash_state *state);

void hash_text(struct hash hash, char text[HASH_TEXT]);
bool hash_equal(struct hash a, struct hash b);

// Hash of a whole file's bytes.
bool hash_file(const char *path, struct hash *hash, struct error *error);
