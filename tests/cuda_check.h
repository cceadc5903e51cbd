// SPDX-License-Identifier: MIT
// Checks of the GPU tests that are a file each: CHECK prints its condition, with the words of the last error where it fails.
#pragma once

#include <stdio.h>

#include "base/error.h"

static struct error error; // of the last call
static int failures;

static bool check(bool holds, const char *what, int line)
{
    if (holds) {
        printf("ok    %s\n", what);
    } else {
        char text[2048];
        error_format(&error, text, sizeof text);
        printf("FAIL  line %d: %s %s\n", line, what, text);
        ++failures;
    }
    fflush(stdout);
    error_clear(&error);
    return holds;
}
#define CHECK(condition) check((condition), #condition, __LINE__)
