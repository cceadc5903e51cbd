// SPDX-License-Identifier: MIT
#include "device/cuda/sources.h"

#include <string.h>

static bool holds(const struct cuda_closure *closure, const struct kernel_text *file)
{
    for (size_t i = 0; i < closure->count; ++i)
        if (closure->files[i] == file)
            return true;
    return false;
}

static bool add_included(struct cuda_closure *closure, const char *text);

static bool add_source(struct cuda_closure *closure, const struct kernel_text *file)
{
    if (holds(closure, file))
        return true;
    if (closure->count == CUDA_CLOSURE_MAX)
        return false;
    closure->files[closure->count] = file;
    closure->names[closure->count] = file->name;
    closure->texts[closure->count++] = file->text;
    return add_included(closure, file->text);
}

static bool add_included(struct cuda_closure *closure, const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const struct kernel_text *included = kernel_text_included(line);
        if (included && !add_source(closure, included))
            return false;
    }
    return true;
}

bool cuda_closure_init(struct cuda_closure *closure, const char *header, const char *text, struct error *error)
{
    closure->count = 0;
    const struct kernel_text *source = kernel_text_find(header, strlen(header));
    if (!source)
        return error_set(error, ERROR_USE, "no kernel source \"%s\" in this program", header);
    return (add_source(closure, source) && (!text || add_included(closure, text))) ||
           error_set(error, ERROR_FAILED, "%s includes more than %d files", header, CUDA_CLOSURE_MAX);
}

// ---- hashes

struct hash cuda_closure_hash(const struct cuda_closure *closure)
{
    struct hash_state *state = hash_begin();
    for (size_t i = 0; i < closure->count; ++i) {
        hash_add_text(state, closure->names[i]);
        hash_add_text(state, closure->texts[i]);
    }
    return hash_end(state);
}

struct hash cuda_closure_code_hash(const struct cuda_closure *closure, bool counting, const char *more)
{
    struct hash_state *state = hash_begin();
    for (size_t i = 0; i < closure->count; ++i) {
        if (!kernel_text_counts(closure->files[i], counting))
            continue;
        hash_add_text(state, closure->names[i]);
        hash_add_text(state, closure->files[i]->code);
    }
    hash_add_text(state, more ? more : "");
    return hash_end(state);
}

bool cuda_closure_reads(const struct cuda_closure *closure, const char *more, const char *name)
{
    for (size_t i = 0; i < closure->count; ++i)
        if (kernel_text_reads(closure->texts[i], name))
            return true;
    return more && kernel_text_reads(more, name);
}
