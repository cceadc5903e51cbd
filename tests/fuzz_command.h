// SPDX-License-Identifier: MIT
// What the fuzz targets of whole commands share: a folder of their own, and a command run within the process.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"

enum { FUZZ_WORDS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

_Noreturn static inline void fuzz_stop(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

static inline void fuzz_write(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || (size && fwrite(bytes, 1, size, file) != size) || fclose(file) != 0)
        fuzz_stop(name, "cannot be written");
}

static char fuzz_folder[] = "/tmp/warpstudy-fuzz-XXXXXX";

static inline void fuzz_remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", fuzz_folder);
    if (system(command) != 0)
        fputs("the folder is left\n", stderr);
}

// Makes the folder, which goes with the process, and sends what commands print nowhere.
static inline void fuzz_begin(void)
{
    if (!mkdtemp(fuzz_folder) || atexit(fuzz_remove_folder) != 0 || !freopen("/dev/null", "w", stdout))
        fuzz_stop(fuzz_folder, "cannot be made");
    setenv("WARPSTUDY_PROGRESS", "no", 1);
}

// A failure says why, and $FUZZ_TELL has it printed. `words` ends with NULL or after FUZZ_WORDS.
static inline void fuzz_command(char *const words[FUZZ_WORDS])
{
    struct command_line line;
    struct error error = {0};
    char *own[FUZZ_WORDS + 1] = {NULL};
    int count = 0;
    for (; count < FUZZ_WORDS && words[count]; ++count)
        own[count] = words[count];
    command_table = command_rows;
    const struct command *command = command_find(own[0]);
    if (!command || !command_parse(command, count, own, &line, &error))
        fuzz_stop(own[0], error.message);
    if (command_execute(&line, &error))
        return;
    if (error.kind == ERROR_NONE || !error.message[0])
        fuzz_stop(own[0], "failed without a word");
    if (getenv("FUZZ_TELL"))
        fprintf(stderr, "%s: %s:%d: %s\n", own[0], error.file, error.line, error.message);
}
