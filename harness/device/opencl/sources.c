// SPDX-License-Identifier: MIT
#include "device/opencl/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "device/kernel_text.h"

enum { MOST_FILES = 96 };
struct pasting {
    FILE *out;
    const struct kernel_text *done[MOST_FILES]; // headers: each once
    size_t count;
    struct hash_state *code;
    bool counting, full;
};

// ---- pasting

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_done(const struct pasting *pasting, const struct kernel_text *source)
{
    for (size_t i = 0; i < pasting->count; ++i)
        if (pasting->done[i] == source)
            return true;
    return false;
}

static void paste(struct pasting *pasting, const struct kernel_text *source);

// A header comes once, where it is first included: if that is within an #if, it is a side's own file.
static void paste_line(struct pasting *pasting, const struct kernel_text *source, const char *line, size_t length,
                       unsigned number)
{
    const struct kernel_text *other = kernel_text_included(line);
    if (other && !is_done(pasting, other)) {
        paste(pasting, other);
        fprintf(pasting->out, "#line %u \"%s\"\n", number + 1, source->name);
    } else if (other || strncmp(line, "#pragma once", 12) == 0)
        fputc('\n', pasting->out);
    else
        fprintf(pasting->out, "%.*s\n", (int)length, line);
}

static void paste(struct pasting *pasting, const struct kernel_text *source)
{
    const bool list = ends_with(source->name, ".def");
    if (!list) {
        pasting->full |= pasting->count == MOST_FILES;
        if (pasting->full)
            return;
        pasting->done[pasting->count++] = source;
    }
    if (kernel_text_counts(source, pasting->counting)) {
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

static char *define_options(const struct device_build *build, const char *pasted, const char *format)
{
    char *options = NULL;
    size_t size;
    FILE *out = open_memstream(&options, &size);
    for (size_t i = 0; i < build->constant_count; ++i)
        if (kernel_text_reads(pasted, build->constants[i].name))
            fprintf(out, format, build->constants[i].name, (long long)build->constants[i].value);
    fclose(out);
    return options;
}

bool opencl_text(const struct device_build *build, char **text, char **facts, struct error *error)
{
    const struct kernel_text *source = kernel_text_of(build->variant);
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
