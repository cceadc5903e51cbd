// SPDX-License-Identifier: MIT
// The bytes of a file, or of one member of a tar archive, from the first to the last; gzipped ones are decompressed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zlib.h>

#include "base/error.h"

struct volume_stream {
    gzFile file;
    const char *path;
    uint64_t left; // bytes of the member still unread; UINT64_MAX for a file
};

// `member` is the whole name that the archive has for it; NULL for a file that is none. `path` must outlive the stream.
bool volume_stream_open(struct volume_stream *stream, const char *path, const char *member, struct error *error);
// Reads up to `size` bytes; *got is fewer only at the end. Damaged compression, or an archive that is cut short, is an error.
bool volume_stream_read(struct volume_stream *stream, void *to, size_t size, size_t *got, struct error *error);
// Passes over `count` bytes, or as many as there are: *passed.
bool volume_stream_skip(struct volume_stream *stream, uint64_t count, uint64_t *passed, struct error *error);
// Goes on to the first member of that name of an archive whose first byte is next. An error names the members there are.
// (volume_tar.c)
bool volume_tar_find(struct volume_stream *stream, const char *wanted, struct error *error);
void volume_stream_close(struct volume_stream *stream);
