// SPDX-License-Identifier: MIT
#include "device/opencl/sources.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_FILES = 96 };
struct pasting {
    FILE *out;
    const struct opencl_source *done[MOST_FILES]; // headers: each once
    size_t count;
    struct hash_state *code;
    bool counting, full;
};

static const struct opencl_source *find_source(const char *name, size_t length)
{
    for (const struct opencl_source *source = opencl_sources; source->name; ++source)
        if (strlen(source->name) == length && memcmp(source->name, name, length) == 0)
            return source;
    return NULL;
}

// The source of a variant's or a tool's kernels: of "naive" "variants/wald2011/naive.kernel.h".
static const struct opencl_source *find_kernels(const char *variant)
{
    char end[128];
    snprintf(end, sizeof end, "/%s.kernel.h", variant);
    for (const struct opencl_source *source = opencl_sources; source->name; ++source) {
        const size_t length = strlen(source->name), tail = strlen(end);
        if ((strncmp(source->name, "variants/", 9) == 0 && length > tail &&
             strcmp(source->name + length - tail, end) == 0) ||
            strcmp(source->name, end + 1) == 0)
            return source;
    }
    return NULL;
}

// ---- pasting

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_done(const struct pasting *pasting, const struct opencl_source *source)
{
    for (size_t i = 0; i < pasting->count; ++i)
        if (pasting->done[i] == source)
            return true;
    return false;
}

// The source that an #include at the start of `line` names; NULL where it is no #include, or of a file of the C side.
static const struct opencl_source *included(const char *line)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    return *line == '"' ? find_source(line + 1, strcspn(line + 1, "\"\n")) : NULL;
}

static void paste(struct pasting *pasting, const struct opencl_source *source);

// A header comes once, where it is first included: if that is within an #if, it is a side's own file.
static void paste_line(struct pasting *pasting, const struct opencl_source *source, const char *line, size_t length,
                       unsigned number)
{
    const struct opencl_source *other = included(line);
    if (other && !is_done(pasting, other)) {
        paste(pasting, other);
        fprintf(pasting->out, "#line %u \"%s\"\n", number + 1, source->name);
    } else if (other || strncmp(line, "#pragma once", 12) == 0)
        fputc('\n', pasting->out);
    else
        fprintf(pasting->out, "%.*s\n", (int)length, line);
}

static void paste(struct pasting *pasting, const struct opencl_source *source)
{
    const bool list = ends_with(source->name, ".def");
    if (!list) {
        pasting->full |= pasting->count == MOST_FILES;
        if (pasting->full)
            return;
        pasting->done[pasting->count++] = source;
    }
    // Rows of other lists are options, which `facts` names where they are read.
    if (!list || (pasting->counting && !strcmp(source->name, "lib/counts.def"))) {
        hash_add_text(pasting->code, source->name);
        hash_add_text(pasting->code, source->code);
    }
    fprintf(pasting->out, "#line 1 \"%s\"\n", source->name);
    unsigned number = 1;
    for (const char *line = source->text; *line; ++number) {
        const size_t length = strcspn(line, "\n");
        paste_line(pasting, source, line, length, number);
        line += length + (line[length] == '\n');
    }
}

// ---- options

// Whether a text has `name` as a last argument, as CONFIG(frame, name) does: what has it and is no CONFIG does no harm.
static bool text_reads(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *place = text; (place = strstr(place, name)); place += length)
        if (place > text && (isspace((unsigned char)place[-1]) || place[-1] == ',') && place[length] == ')')
            return true;
    return false;
}

static char *define_options(const struct device_build *build, const char *pasted, const char *format)
{
    char *options = NULL;
    size_t size;
    FILE *out = open_memstream(&options, &size);
    for (size_t i = 0; i < build->constant_count; ++i)
        if (text_reads(pasted, build->constants[i].name))
            fprintf(out, format, build->constants[i].name, (long long)build->constants[i].value);
    fclose(out);
    return options;
}

bool opencl_text(const struct device_build *build, char **text, char **facts, struct error *error)
{
    const struct opencl_source *source = find_kernels(build->variant);
    struct pasting *pasting = memory_new(1, sizeof *pasting);
    char *pasted = NULL, code[HASH_TEXT];
    size_t size;
    *text = *facts = NULL;
    if (!source) {
        free(pasting);
        return error_set(error, ERROR_USE, "no kernel source of \"%s\" in this program", build->variant);
    }
    *pasting =
        (struct pasting){.out = open_memstream(&pasted, &size), .code = hash_begin(), .counting = build->counting};
    paste(pasting, source);
    fclose(pasting->out);
    hash_text(hash_end(pasting->code), code);
    const bool full = pasting->full;
    char *defines = define_options(build, pasted, "#define CONFIG_%s (%lld)\n"),
         *values = define_options(build, pasted, " %s=%lld");
    if (!full) {
        *text = memory_format("#define COUNTING %d\n%s%s", build->counting, defines, pasted);
        *facts = memory_format("code %s, counting %d,%s", code, build->counting, values);
    }
    free(pasting);
    free(pasted);
    free(defines);
    free(values);
    return !full || error_set(error, ERROR_FAILED, "%s includes more than %d files", source->name, MOST_FILES);
}
