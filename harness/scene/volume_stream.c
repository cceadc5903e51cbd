// SPDX-License-Identifier: MIT
#include "scene/volume_stream.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// ---- bytes

static bool unreadable(const struct volume_stream *stream, struct error *error)
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
    const size_t wanted = size < stream->left ? size : (size_t)stream->left;
    *got = 0;
    while (*got < wanted) {
        const size_t rest = wanted - *got;
        const int count = gzread(stream->file, (char *)to + *got, rest < (1u << 30) ? (unsigned)rest : 1u << 30);
        if (count < 0)
            return unreadable(stream, error);
        if (count == 0)
            break;
        *got += (size_t)count;
    }
    int code = Z_OK;
    gzerror(stream->file, &code);
    if (code != Z_OK) // the end of the compressed data is missing
        return unreadable(stream, error);
    if (stream->left == UINT64_MAX)
        return true;
    stream->left -= *got;
    return *got == wanted || error_set_at(error, ERROR_INPUT, stream->path, 0, "the archive is cut short");
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

// ---- tar archives (POSIX.1-1988 ustar, and GNU tar's sizes beyond 8 GiB)

enum { TAR_BLOCK = 512, TAR_NAME = 256, TAR_MEMBERS_MAX = 65536, TAR_LISTED = 300 };
static const uint64_t TAR_BYTES_MAX = (uint64_t)1 << 36; // passed over on the way to a member

struct tar_header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100], magic[6], version[2],
        user[32], group[32], major[8], minor[8], prefix[155], unused[12];
};
_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "layout");

static bool octal(const char *digits, size_t size, uint64_t *value)
{
    size_t i = 0;
    *value = 0;
    while (i < size && digits[i] == ' ')
        ++i;
    for (; i < size && digits[i] >= '0' && digits[i] <= '7'; ++i)
        *value = *value << 3 | (uint64_t)(digits[i] - '0');
    return i == size || digits[i] == ' ' || digits[i] == '\0';
}

// With the top bit of the first byte set the rest is a number to the base 256.
static bool member_size(const struct tar_header *header, uint64_t *size)
{
    const unsigned char *bytes = (const unsigned char *)header->size;
    if (!(bytes[0] & 0x80))
        return octal(header->size, sizeof header->size, size);
    *size = 0;
    for (size_t i = 4; i < sizeof header->size; ++i)
        *size = *size << 8 | bytes[i];
    return bytes[0] == 0x80 && !bytes[1] && !bytes[2] && !bytes[3];
}

static bool checksum_is_right(const struct tar_header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    uint64_t sum = 0, stored;
    for (size_t i = 0; i < TAR_BLOCK; ++i)
        sum += i >= offsetof(struct tar_header, checksum) && i < offsetof(struct tar_header, type) ? ' ' : bytes[i];
    return octal(header->checksum, sizeof header->checksum, &stored) && stored == sum;
}

static void member_name(const struct tar_header *header, char name[TAR_NAME + 2])
{
    const bool prefixed = memcmp(header->magic, "ustar", 6) == 0 && header->prefix[0];
    snprintf(name, TAR_NAME + 2, "%.155s%s%.100s", prefixed ? header->prefix : "", prefixed ? "/" : "", header->name);
}

// Ends with two blocks of zeros, of which the first is enough here.
static bool read_header(struct volume_stream *stream, struct tar_header *header, bool *end, uint64_t *size,
                        struct error *error)
{
    size_t got;
    if (!volume_stream_read(stream, header, sizeof *header, &got, error))
        return false;
    *end = got == 0 || (got == sizeof *header && header->name[0] == '\0' && header->checksum[0] == '\0');
    if (*end)
        return true;
    if (got == sizeof *header && checksum_is_right(header) && member_size(header, size) && *size <= TAR_BYTES_MAX)
        return true;
    error_set_at(error, ERROR_INPUT, stream->path, 0, "it is no tar archive, or a damaged one");
    return error_remedy(error, "leave `member` out where the file itself holds the values");
}

static bool is_file(const struct tar_header *header)
{
    return header->type == '0' || header->type == '\0' || header->type == '7';
}

static bool find_member(struct volume_stream *stream, const char *member, struct error *error)
{
    char names[TAR_LISTED] = "", name[TAR_NAME + 2];
    struct tar_header header;
    uint64_t size = 0, passed = 0, total = 0;
    bool end = false;
    for (uint32_t i = 0; i < TAR_MEMBERS_MAX && total <= TAR_BYTES_MAX; ++i) {
        if (!read_header(stream, &header, &end, &size, error))
            return false;
        if (end)
            break;
        member_name(&header, name);
        if (is_file(&header) && strcmp(name, member) == 0) {
            stream->left = size;
            return true;
        }
        const size_t used = strlen(names);
        if (is_file(&header))
            snprintf(names + used, sizeof names - used, "%s%.100s", used ? ", " : "", name);
        size = (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
        total += size;
        if (!volume_stream_skip(stream, size, &passed, error))
            return false;
    }
    error_set_at(error, ERROR_INPUT, stream->path, 0, "the archive has no member %.200s", member);
    return error_remedy(error, "it has: %s", names[0] ? names : "none");
}

// ---- opening

bool volume_stream_open(struct volume_stream *stream, const char *path, const char *member, struct error *error)
{
    struct stat status;
    *stream = (struct volume_stream){.path = path, .left = UINT64_MAX};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) // opening a pipe would wait for its writer
        return error_set_at(error, ERROR_INPUT, path, 0, "not a regular file");
    stream->file = gzopen(path, "rbe");
    if (!stream->file)
        return error_set_errno(error, "open", path);
    gzbuffer(stream->file, 1 << 17);
    return !member || find_member(stream, member, error);
}

void volume_stream_close(struct volume_stream *stream)
{
    if (stream->file)
        gzclose_r(stream->file);
    stream->file = NULL;
}
