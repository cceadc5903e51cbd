// SPDX-License-Identifier: MIT
// Members of tar archives: POSIX.1-1988 (ustar), the extended headers of POSIX.1-2001 (pax), and what GNU tar has of its
// own: sizes to the base 256, long names.
#include "import/volume_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAR_BLOCK = 512, TAR_NAME = 256, TAR_EXTENDED_MAX = 1 << 20, TAR_MEMBERS_MAX = 65536, TAR_LISTED = 300 };
static const uint64_t TAR_BYTES_MAX = (uint64_t)1 << 36; // passed over on the way to a member

struct tar_header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100], magic[6], version[2],
        user[32], group[32], major[8], minor[8], prefix[155], unused[12];
};
_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "layout");

// What stands in front of a member about it, and its own header.
struct tar_member {
    char *name;    // allocated; NULL: as in the header
    bool has_size; // by an extended header
    bool holes;    // stored without its zeros
    uint64_t size;
    struct tar_header header;
};

static bool damaged(const struct volume_stream *stream, struct error *error)
{
    error_set_at(error, ERROR_INPUT, stream->path, 0, "it is no tar archive, or a damaged one");
    return error_remedy(error, "leave `member` out where the file itself holds the values");
}

// ---- headers

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
static bool header_size(const struct tar_header *header, uint64_t *size)
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

// Ends with two blocks of zeros, of which the first is enough here.
static bool read_header(struct volume_stream *stream, struct tar_header *header, bool *end, struct error *error)
{
    size_t got;
    if (!volume_stream_read(stream, header, sizeof *header, &got, error))
        return false;
    *end = got == 0 || (got == sizeof *header && header->name[0] == '\0' && header->checksum[0] == '\0');
    return *end || (got == sizeof *header && checksum_is_right(header)) || damaged(stream, error);
}

// ---- what stands in front of a member

// A number in decimal digits and nothing else, at most TAR_BYTES_MAX.
static bool decimal(const char *digits, size_t size, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < size; ++i) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        *value = *value * 10 + (uint64_t)(digits[i] - '0');
        if (*value > TAR_BYTES_MAX)
            return false;
    }
    return size > 0;
}

static bool take_name(struct tar_member *member, const char *name, size_t size)
{
    if (size == 0 || memchr(name, '\0', size))
        return false;
    free(member->name);
    member->name = strndup(name, size);
    return member->name != NULL;
}

static bool is_key(const char *key, size_t size, const char *wanted)
{
    return strlen(wanted) == size && memcmp(key, wanted, size) == 0;
}

// Of all others nothing here depends.
static bool take_record(struct tar_member *member, const char *key, size_t key_size, const char *value, size_t size)
{
    if (key_size >= 11 && memcmp(key, "GNU.sparse.", 11) == 0)
        member->holes = true;
    if (is_key(key, key_size, "path") || is_key(key, key_size, "GNU.sparse.name"))
        return take_name(member, value, size);
    if (is_key(key, key_size, "size"))
        return (member->has_size = decimal(value, size, &member->size));
    return true;
}

// Records of the form "LENGTH KEY=VALUE\n", of which LENGTH counts every byte.
static bool take_records(struct tar_member *member, const char *records, size_t size)
{
    for (size_t length; size > 0; records += length, size -= length) {
        const char *blank = memchr(records, ' ', size);
        uint64_t told;
        if (!blank || !decimal(records, (size_t)(blank - records), &told) || told > size ||
            told < (uint64_t)(blank - records) + 2)
            return false;
        length = (size_t)told;
        const char *key = blank + 1, *last = records + length - 1;
        const char *equals = key < last ? memchr(key, '=', (size_t)(last - key)) : NULL;
        if (!equals || equals == key || *last != '\n' ||
            !take_record(member, key, (size_t)(equals - key), equals + 1, (size_t)(last - equals - 1)))
            return false;
    }
    return true;
}

// GNU tar writes a zero behind a long name.
static bool take_long_name(struct tar_member *member, const char *name, size_t size)
{
    return take_name(member, name, size > 0 && name[size - 1] == '\0' ? size - 1 : size);
}

static bool read_extended(struct volume_stream *stream, struct tar_member *member, uint64_t size, struct error *error)
{
    size_t got = 0;
    char *bytes = size <= TAR_EXTENDED_MAX ? malloc((size_t)size + TAR_BLOCK) : NULL;
    const size_t whole = (size_t)((size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK);
    if (!bytes)
        return size > TAR_EXTENDED_MAX ? damaged(stream, error)
                                       : error_set(error, ERROR_SYSTEM, "no memory for a header of %s", stream->path);
    const bool read = volume_stream_read(stream, bytes, whole, &got, error);
    const bool taken = read && got == whole &&
                       (member->header.type == 'x' ? take_records(member, bytes, (size_t)size)
                                                   : take_long_name(member, bytes, (size_t)size));
    free(bytes);
    return taken || (read && damaged(stream, error));
}

// ---- members

// The next member, its values next in the stream. Its name is to be freed, after failure too. *end: there is none.
static bool read_member(struct volume_stream *stream, struct tar_member *member, uint64_t *passed, bool *end,
                        struct error *error)
{
    uint64_t size;
    *member = (struct tar_member){0};
    for (int headers = 0; headers < 8; ++headers) { // those of a member: at most one of each kind
        if (!read_header(stream, &member->header, end, error))
            return false;
        if (*end)
            return headers == 0 || damaged(stream, error);
        if (!header_size(&member->header, &size) || size > TAR_BYTES_MAX)
            return damaged(stream, error);
        *passed += TAR_BLOCK;
        if (member->header.type != 'x' && member->header.type != 'L') {
            member->size = member->has_size ? member->size : size;
            return true;
        }
        if (!read_extended(stream, member, size, error))
            return false;
        *passed += size;
    }
    return damaged(stream, error);
}

static void member_name(struct tar_member *member)
{
    const struct tar_header *header = &member->header;
    const bool prefixed = memcmp(header->magic, "ustar", 6) == 0 && header->prefix[0];
    char name[TAR_NAME + 2];
    if (member->name)
        return;
    snprintf(name, sizeof name, "%.155s%s%.100s", prefixed ? header->prefix : "", prefixed ? "/" : "", header->name);
    member->name = strdup(name);
}

static bool is_file(const struct tar_header *header)
{
    return header->type == '0' || header->type == '\0' || header->type == '7' || header->type == 'S';
}

static bool has_holes(const struct volume_stream *stream, const char *name, struct error *error)
{
    error_set_at(error, ERROR_INPUT, stream->path, 0, "the archive's member %.200s is stored without its zeros", name);
    return error_remedy(error, "make the archive anew, without --sparse");
}

static void list_name(char names[TAR_LISTED], const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, TAR_LISTED - used, "%s%.100s", used ? ", " : "", name);
}

// Whether the stream is at the values of the member; *found false where it is at the next member's header.
static bool pass_member(struct volume_stream *stream, const char *wanted, struct tar_member *member,
                        char names[TAR_LISTED], bool *found, struct error *error)
{
    uint64_t passed;
    member_name(member);
    if (!member->name)
        return error_set(error, ERROR_SYSTEM, "no memory for a name in %s", stream->path);
    *found = is_file(&member->header) && strcmp(member->name, wanted) == 0;
    if (*found) {
        stream->left = member->size;
        return (!member->holes && member->header.type != 'S') || has_holes(stream, wanted, error);
    }
    if (is_file(&member->header))
        list_name(names, member->name);
    return volume_stream_skip(stream, (member->size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK, &passed, error);
}

bool volume_tar_find(struct volume_stream *stream, const char *wanted, struct error *error)
{
    char names[TAR_LISTED] = "";
    uint64_t total = 0;
    bool found = false, end = false;
    for (uint32_t i = 0; i < TAR_MEMBERS_MAX && total <= TAR_BYTES_MAX; ++i) {
        struct tar_member member;
        const bool done = read_member(stream, &member, &total, &end, error) &&
                          (end || pass_member(stream, wanted, &member, names, &found, error));
        free(member.name);
        total += member.size;
        if (!done || found)
            return done;
        if (end)
            break;
    }
    error_set_at(error, ERROR_INPUT, stream->path, 0, "the archive has no member %.200s", wanted);
    return error_remedy(error, "it has: %s", names[0] ? names : "none");
}
