// SPDX-License-Identifier: MIT
#include "base/error.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"

void error_clear(struct error *error)
{
    if (error)
        *error = (struct error){0};
}

static void set(struct error *error, enum error_kind kind, const char *file, int line, const char *format,
                va_list arguments)
{
    if (!error)
        return;
    error_clear(error);
    error->kind = kind;
    error->line = line;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

bool(error_set)(struct error *error, enum error_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(error, kind, NULL, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool(error_set_at)(struct error *error, enum error_kind kind, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(error, kind, file, line, format, arguments);
    va_end(arguments);
    return false;
}

bool(error_remedy)(struct error *error, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->remedy, sizeof error->remedy, format, arguments);
    va_end(arguments);
    return false;
}

bool error_memory_list(struct error *error, const char *what, va_list arguments)
{
    char text[sizeof error->message];
    vsnprintf(text, sizeof text, what, arguments);
    return error_set(error, ERROR_SYSTEM, "no memory %s", text);
}

bool(error_memory)(struct error *error, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    error_memory_list(error, what, arguments);
    va_end(arguments);
    return false;
}

bool(error_set_errno)(struct error *error, const char *what, const char *path)
{
    const int cause = errno;
    error_set(error, cause == ENOENT ? ERROR_INPUT : ERROR_SYSTEM, "cannot %s %s: %s", what, path,
              cause ? strerror(cause) : "the system gives no reason");
    if (cause == ENOSPC)
        error_remedy(error, "free some space, or choose another folder; what is stored already stays valid");
    else if (cause == EACCES || cause == EROFS || cause == EPERM)
        error_remedy(error, "choose a place that you may write, or correct the permissions");
    return false;
}

void error_format(const struct error *error, char *text, size_t size)
{
    struct error safe = *error;
    char line[16] = "";
    utf8_line(safe.file);
    utf8_line(safe.message);
    utf8_line(safe.remedy);
    if (safe.file[0] && safe.line > 0)
        snprintf(line, sizeof line, ":%d", safe.line);
    snprintf(text, size, "%s%s%s%s%s%s", safe.file, line, safe.file[0] ? ": " : "", safe.message,
             safe.remedy[0] ? "\n  " : "", safe.remedy);
}

int error_exit_code(const struct error *error)
{
    switch (error->kind) {
    case ERROR_NONE: return 0;
    case ERROR_FAILED:
    case ERROR_DEVICE: return 1;
    case ERROR_DIFFERENT: return 3;
    case ERROR_INTERRUPTED: return 130;
    default: return 2;
    }
}

static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    const size_t n = strlen(a), m = strlen(b);
    if (n >= LONGEST || m >= LONGEST)
        return SIZE_MAX; // near nothing
    size_t row[LONGEST];
    for (size_t j = 0; j <= m; ++j)
        row[j] = j;
    for (size_t i = 1; i <= n; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; ++j) {
            const size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t best = row[j] + 1 < row[j - 1] + 1 ? row[j] + 1 : row[j - 1] + 1;
            row[j] = substitute < best ? substitute : best;
        }
    }
    return row[m];
}

const char *error_suggest(const char *word, const char *const *candidates)
{
    const char *nearest = NULL;
    size_t best = strlen(word) / 3 + 2;
    for (; *candidates; ++candidates) {
        const size_t distance = edit_distance(word, *candidates);
        if (distance < best) {
            best = distance;
            nearest = *candidates;
        }
    }
    return nearest;
}

bool error_near(struct error *error, const char *word, const char *const *candidates, const char *format, ...)
{
    char text[sizeof error->remedy] = "none is defined";
    const char *near = error_suggest(word, candidates);
    if (near)
        return error_remedy(error, "did you mean '%s'?", near);
    for (size_t used = 0; !format && *candidates && used < sizeof text - 1; ++candidates)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "there are: ", *candidates);
    va_list arguments;
    va_start(arguments, format);
    if (format)
        vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_remedy(error, "%s", text);
}
