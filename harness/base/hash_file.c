// SPDX-License-Identifier: MIT
// Apart from hash.c, which the module of a device has a copy of.
#include "base/hash.h"
#include "base/path.h"

bool hash_file(const char *path, struct hash *hash, struct error *error)
{
    FILE *file = path_stream(path, error);
    if (!file)
        return false;
    struct hash_state *state = hash_begin();
    unsigned char buffer[1 << 16];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        hash_add(state, buffer, count);
    const bool failed = ferror(file);
    fclose(file);
    *hash = hash_end(state);
    return failed ? error_set_errno(error, "read", path) : true;
}
