// SPDX-License-Identifier: MIT
#include "base/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/utf8.h"

// A standard stream, and the beginning of a character whose end is still to be written.
struct guard {
    int descriptor;
    bool exact;
    size_t kept;
    char beginning[4];
};
static struct guard guards[] = {{.descriptor = 1}, {.descriptor = 2}};

// How many bytes at the end begin a character that may go on.
static size_t unfinished(const char *bytes, size_t count)
{
    for (size_t back = 1; back <= 3 && back <= count; ++back) {
        const unsigned char byte = (unsigned char)bytes[count - back];
        if ((byte & 0xC0) != 0x80)
            return back < (size_t)(byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1) ? back : 0;
    }
    return 0;
}

// A stream's writer: the bytes that it took; fewer are an error, whose cause is errno.
static ssize_t write_guarded(void *context, const char *bytes, size_t count)
{
    struct guard *guard = context;
    char piece[4096];
    if (guard->exact)
        return path_write(guard->descriptor, bytes, count) ? (ssize_t)count : 0;
    for (size_t done = 0; done < count;) {
        const size_t room = sizeof piece - 1 - guard->kept, more = count - done < room ? count - done : room;
        memcpy(piece, guard->beginning, guard->kept);
        memcpy(piece + guard->kept, bytes + done, more);
        const size_t got = guard->kept + more;
        guard->kept = unfinished(piece, got);
        memcpy(guard->beginning, piece + got - guard->kept, guard->kept);
        piece[got - guard->kept] = 0;
        if (!path_write(guard->descriptor, piece, utf8_make_safe(piece, got - guard->kept, true)))
            return 0;
        done += more;
    }
    return (ssize_t)count;
}

void terminal_guard(void)
{
    const cookie_io_functions_t functions = {.write = write_guarded};
    FILE *out = fopencookie(&guards[0], "w", functions), *errors = fopencookie(&guards[1], "w", functions);
    if (out) {
        setvbuf(out, NULL, isatty(1) ? _IOLBF : _IOFBF, BUFSIZ);
        stdout = out;
    }
    if (errors) {
        setvbuf(errors, NULL, _IONBF, 0);
        stderr = errors;
    }
}

void terminal_exact(void)
{
    fflush(stdout);
    guards[0].exact = !isatty(1);
}

void terminal_draw(const char *line)
{
    char text[1024];
    snprintf(text, sizeof text - 16, "%s", line);
    utf8_line(text);
    char drawn[sizeof text];
    const int length = snprintf(drawn, sizeof drawn, "\r%s\033[K", text);
    path_write(2, drawn, (size_t)length);
}
