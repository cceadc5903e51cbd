// SPDX-License-Identifier: MIT
// The GPU tests of hardware counters, which need no test library: CHECK prints its condition, with the words of the last error where
// it fails.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "device/counters.h"
#include "device/cuda/backend.h"

static struct device *device;
static const struct device_ops *ops;
static const struct device_counter_ops *counters;
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

// The exit code of a program of these checks: 77 where there is no GPU or its counters may not be read.
static int check_all(void (*checks)(void))
{
    const char *lacks = cuda_backend.unavailable();
    if (!lacks) {
        device = cuda_backend.open(NULL, &error);
        if (!CHECK(device != NULL))
            return EXIT_FAILURE;
        ops = device->ops;
        counters = ops->counters;
        lacks = counters ? counters->unavailable(device) : "this build has no counters";
    }
    if (lacks)
        printf("skipped: %s\n", lacks);
    else
        checks();
    if (device)
        ops->close(device);
    if (lacks)
        return 77;
    printf("%d failures\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
