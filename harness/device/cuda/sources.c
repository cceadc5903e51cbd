// SPDX-License-Identifier: MIT
#include "device/cuda/sources.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A tool's header is named by its build, a variant's lies in the folder of its document.
void cuda_kernel_header(const char *name, char *header, size_t size)
{
    char end[128];
    snprintf(end, sizeof end, "/%s.kernel.h", name);
    snprintf(header, size, "%s", end + 1);
    for (const struct cuda_source *source = cuda_sources; source->name; ++source) {
        const size_t length = strlen(source->name), tail = strlen(end);
        if (strncmp(source->name, "variants/", 9) == 0 && length > tail &&
            strcmp(source->name + length - tail, end) == 0)
            snprintf(header, size, "%s", source->name);
    }
}

// ---- what includes what

static const struct cuda_source *find_source(const char *name, size_t length)
{
    for (const struct cuda_source *source = cuda_sources; source->name; ++source)
        if (strlen(source->name) == length && memcmp(source->name, name, length) == 0)
            return source;
    return NULL;
}

static bool holds(const struct cuda_closure *closure, const struct cuda_source *source)
{
    for (size_t i = 0; i < closure->count; ++i)
        if (closure->names[i] == source->name)
            return true;
    return false;
}

// The name between the quotes of an #include at the start of `line`, or NULL.
static const char *included_name(const char *line, size_t *length)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    if (*line++ != '"')
        return NULL;
    *length = strcspn(line, "\"\n");
    return line;
}

static bool add_included(struct cuda_closure *closure, const char *text);

static bool add_source(struct cuda_closure *closure, const struct cuda_source *source)
{
    if (holds(closure, source))
        return true;
    if (closure->count == CUDA_CLOSURE_MAX)
        return false;
    closure->names[closure->count] = source->name;
    closure->codes[closure->count] = source->code;
    closure->texts[closure->count++] = source->text;
    return add_included(closure, source->text);
}

static bool add_included(struct cuda_closure *closure, const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length;
        const char *name = included_name(line, &length);
        const struct cuda_source *included = name ? find_source(name, length) : NULL;
        if (included && !add_source(closure, included))
            return false;
    }
    return true;
}

bool cuda_closure_init(struct cuda_closure *closure, const char *header, const char *text, struct error *error)
{
    closure->count = 0;
    const struct cuda_source *source = find_source(header, strlen(header));
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

// Rows of a .def file are lists: an option shows where it is read, and only counting builds hold the counts.
static bool is_list(const char *name, bool counting)
{
    const char *end = strrchr(name, '.');
    return end && !strcmp(end, ".def") && !(counting && !strcmp(name, "lib/counts.def"));
}

struct hash cuda_closure_code_hash(const struct cuda_closure *closure, bool counting, const char *more)
{
    struct hash_state *state = hash_begin();
    for (size_t i = 0; i < closure->count; ++i) {
        if (is_list(closure->names[i], counting))
            continue;
        hash_add_text(state, closure->names[i]);
        hash_add_text(state, closure->codes[i]);
    }
    hash_add_text(state, more ? more : "");
    return hash_end(state);
}

// ---- options

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Whether a CONFIG(..., name) stands in the text.
static bool text_reads(const char *text, const char *name)
{
    static const char call[] = "CONFIG(";
    const size_t length = strlen(name);
    for (const char *place = text; (place = strstr(place, call)); place += strlen(call)) {
        const char *end = place + strlen(call), *last = end;
        for (int depth = 1; *end && (depth += (*end == '(') - (*end == ')')) > 0; ++end)
            if (*end == ',')
                last = end + 1;
        last += strspn(last, " \t\n");
        if (!strncmp(last, name, length) && !is_word(last[length]))
            return true;
    }
    return false;
}

bool cuda_closure_reads(const struct cuda_closure *closure, const char *more, const char *name)
{
    for (size_t i = 0; i < closure->count; ++i)
        if (text_reads(closure->texts[i], name))
            return true;
    return more && text_reads(more, name);
}
