// SPDX-License-Identifier: MIT
// Errors as values: what went wrong, where in the *input* it went wrong, and how to correct it.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// The kind decides the exit code: ERROR_FAILED and ERROR_DEVICE are 1, ERROR_DIFFERENT 3, everything else the user can
// correct is 2.
enum error_kind {
    ERROR_NONE = 0,
    ERROR_USE,         // wrong arguments, unknown key, value out of bounds
    ERROR_INPUT,       // a file is missing, damaged or not what it claims to be
    ERROR_SYSTEM,      // the operating system refused: disk full, read-only, no memory
    ERROR_FAILED,      // a trial or a check failed
    ERROR_UNSUPPORTED, // this device or variant cannot do it: stored as a skip
    ERROR_UNAVAILABLE, // a permission or a library is missing here and now: a skip that the next run tries again
    ERROR_DEVICE,      // the device faulted or is lost: this process cannot use it any more, a new one may
    ERROR_DIFFERENT,   // what was compared differs, and the caller asked to be told by the exit code
    ERROR_INTERRUPTED, // the user asked to stop
};

// Every fallible function takes `struct error *` last and returns bool (true = done) or a pointer (NULL = failed).
// On failure the error is set exactly once, by the deepest function that knows the cause; callers pass it on.
struct error {
    enum error_kind kind;
    int line;           // line in `file`, from 1; 0 where there is none
    char file[512];     // the input file at fault; "" where there is none
    char message[1024]; // one sentence, no newline, what is wrong
    char remedy[512];   // one sentence, how to correct it; "" where nothing is known
};

void error_clear(struct error *error);

// Sets kind and message; always returns false, so that `return error_set(...)` reads well. `error` may be NULL.
bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same, with the place in an input file.
bool error_set_at(struct error *error, enum error_kind kind, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Adds how to correct it. Returns false.
bool error_remedy(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Says that there is no memory `what`, which is "for %u rays" or "to sort %u rays". Returns false.
bool error_memory(struct error *error, const char *what, ...) __attribute__((format(printf, 2, 3)));
bool error_memory_list(struct error *error, const char *what, va_list arguments) __attribute__((format(printf, 2, 0)));

// Sets the message from errno: "cannot WHAT PATH: strerror". Returns false.
bool error_set_errno(struct error *error, const char *what, const char *path);

// "file:line: message\n  remedy" into `text`; always terminated. What the parts hold that is no printable character is made
// visible, as in utf8.h, so that nothing in a file's name or text speaks to a terminal or feigns a line.
void error_format(const struct error *error, char *text, size_t size);

// The exit code of a program that ends with this error: 0, 1, 2 or 3; 130 when interrupted.
int error_exit_code(const struct error *error);

// The candidate nearest to `word` (edit distance at most a third of its length), or NULL: "did you mean".
// `candidates` is NULL-terminated.
const char *error_suggest(const char *word, const char *const *candidates);

// The remedy of a word that is none of the candidates: "did you mean 'X'?", else what `format` says, else, where that is
// NULL, the list of them. Returns false.
bool error_near(struct error *error, const char *word, const char *const *candidates, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// A static analyser sees one file at a time: tell it that these never return true.
#ifdef __clang_analyzer__
#define error_set(...) ((void)(error_set)(__VA_ARGS__), false)
#define error_set_at(...) ((void)(error_set_at)(__VA_ARGS__), false)
#define error_remedy(...) ((void)(error_remedy)(__VA_ARGS__), false)
#define error_memory(...) ((void)(error_memory)(__VA_ARGS__), false)
#define error_set_errno(...) ((void)(error_set_errno)(__VA_ARGS__), false)
#endif
