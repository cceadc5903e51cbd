// SPDX-License-Identifier: MIT
// Fuzz target: the bytes are an experiment file. No input may crash, leak or run for long; small plans are expanded
// too, so that expressions meet SQLite.
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

enum { SMALL_PLAN = 5000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool accept_row(void *context, const struct trial_row *row)
{
    *(int64_t *)context += row->point;
    return true;
}

static int64_t product(const struct experiment *experiment)
{
    int64_t size = 1;
    for (size_t i = 0; i < experiment->axis_count && size <= SMALL_PLAN; ++i)
        size *= (int64_t)experiment->axes[i].count;
    return size * experiment->replicates;
}

static void expand(const struct experiment *experiment)
{
    struct error error = {0};
    struct plan_summary summary;
    int64_t sum = 0;
    struct plan *plan = plan_make(experiment, "emulator", NULL, &summary, &error);
    if (plan) {
        if (!plan_rows(plan, accept_row, &sum, &error) || summary.trials < summary.points)
            abort();
    } else if (error.kind == ERROR_NONE || !error.message[0]) {
        abort(); // a failure says why
    }
    plan_close(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = {0};
    struct experiment *experiment = experiment_parse("fuzz.yaml", (const char *)bytes, size, &error);
    if (!experiment && (error.kind == ERROR_NONE || !error.message[0]))
        abort();
    if (experiment && product(experiment) <= SMALL_PLAN)
        expand(experiment);
    experiment_free(experiment);
    return 0;
}
