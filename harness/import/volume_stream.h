// SPDX-License-Identifier: MIT
// The bytes of a file from the first to the last; a gzipped one is decompressed.
#pragma once

#include <stdint.h>

#include <zlib.h>

#include "base/error.h"

struct volume_stream {
    gzFile file;
    const char *path;
};

// `path` must outlive the stream.
bool volume_stream_open(struct volume_stream *stream, const char *path, struct error *error);
// Reads up to `size` bytes; *got is fewer only at the end. Damaged compression is an error.
bool volume_stream_read(struct volume_stream *stream, void *to, size_t size, size_t *got, struct error *error);
// Passes over `count` bytes, or as many as there are: *passed.
bool volume_stream_skip(struct volume_stream *stream, uint64_t count, uint64_t *passed, struct error *error);
void volume_stream_close(struct volume_stream *stream);
