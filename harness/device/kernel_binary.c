// SPDX-License-Identifier: MIT
#include "device/kernel_binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kernel_binary_finish(struct kernel_binary *binary)
{
    free(binary->bytes);
    free(binary->log);
    free(binary->provenance);
    *binary = (struct kernel_binary){0};
}

// ---- the assembler's report

// The number before `unit` in the text up to `end`; 0 where it is not said.
static int32_t number_before(const char *text, const char *end, const char *unit)
{
    const char *place = strstr(text, unit);
    if (!place || place >= end)
        return 0;
    while (place > text && place[-1] == ' ')
        --place;
    while (place > text && place[-1] >= '0' && place[-1] <= '9')
        --place;
    return (int32_t)strtol(place, NULL, 10);
}

static const char heading[] = "Compiling entry function '";

// Reads one kernel's part of the log, which begins after its heading.
static bool read_facts(const char *start, struct device_kernel_facts *facts)
{
    const char *end = strstr(start, heading);
    end = end ? end : start + strlen(start);
    facts->registers = number_before(start, end, " registers");
    facts->spill_bytes = number_before(start, end, " bytes spill stores");
    facts->local_bytes = number_before(start, end, " bytes stack frame");
    facts->static_shared_bytes = number_before(start, end, " bytes smem");
    return facts->registers > 0;
}

bool kernel_log_visit(const char *log,
                      void (*visit)(void *context, const char *kernel, const struct device_kernel_facts *),
                      void *context)
{
    bool any = false;
    for (const char *start = strstr(log, heading); start; start = strstr(start, heading)) {
        start += strlen(heading);
        char kernel[128];
        struct device_kernel_facts facts;
        snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(start, "'"), start);
        if (read_facts(start, &facts)) {
            visit(context, kernel, &facts);
            any = true;
        }
    }
    return any;
}

struct wanted_facts {
    const char *kernel;
    struct device_kernel_facts *facts;
    bool found;
};

static void take_wanted(void *context, const char *kernel, const struct device_kernel_facts *facts)
{
    struct wanted_facts *wanted = context;
    if (strcmp(kernel, wanted->kernel) != 0)
        return;
    *wanted->facts = *facts;
    wanted->found = true;
}

bool kernel_log_facts(const char *log, const char *kernel, struct device_kernel_facts *facts)
{
    struct wanted_facts wanted = {kernel, facts, false};
    kernel_log_visit(log, take_wanted, &wanted);
    return wanted.found;
}
