// SPDX-License-Identifier: MIT
#include "import/volume_stream.h"

#include <sys/stat.h>

// ---- bytes

static bool stream_unreadable(const struct volume_stream *stream, struct error *error)
{
    int code = Z_OK;
    const char *why = gzerror(stream->file, &code);
    if (code == Z_ERRNO)
        return error_set_errno(error, "read", stream->path);
    return error_set_at(error, ERROR_INPUT, stream->path, 0, "cannot decompress it: %.200s",
                        code == Z_BUF_ERROR ? "it is cut short" : why);
}

bool volume_stream_read(struct volume_stream *stream, void *to, size_t size, size_t *got, struct error *error)
{
    *got = 0;
    while (*got < size) {
        const size_t rest = size - *got;
        const int count = gzread(stream->file, (char *)to + *got, rest < (1u << 30) ? (unsigned)rest : 1u << 30);
        if (count < 0)
            return stream_unreadable(stream, error);
        if (count == 0)
            break;
        *got += (size_t)count;
    }
    int code = Z_OK;
    gzerror(stream->file, &code);
    return code == Z_OK || stream_unreadable(stream, error); // the end of the compressed data may be missing
}

bool volume_stream_skip(struct volume_stream *stream, uint64_t count, uint64_t *passed, struct error *error)
{
    char buffer[1 << 16];
    size_t got = 1;
    for (*passed = 0; *passed < count && got > 0; *passed += got) {
        const uint64_t rest = count - *passed;
        if (!volume_stream_read(stream, buffer, rest < sizeof buffer ? (size_t)rest : sizeof buffer, &got, error))
            return false;
    }
    return true;
}

// ---- opening

bool volume_stream_open(struct volume_stream *stream, const char *path, struct error *error)
{
    struct stat status;
    *stream = (struct volume_stream){.path = path};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) // opening a pipe would wait for its writer
        return error_set_at(error, ERROR_INPUT, path, 0, "not a regular file");
    stream->file = gzopen(path, "rbe");
    if (!stream->file)
        return error_set_errno(error, "open", path);
    gzbuffer(stream->file, 1 << 15);
    return true;
}

void volume_stream_close(struct volume_stream *stream)
{
    if (stream->file)
        gzclose_r(stream->file);
    stream->file = NULL;
}
