// SPDX-License-Identifier: MIT
// What surrounds a measurement: how hot the device is, what holds its clock down, who else uses it.
#include <time.h>

#include "base/clock.h"
#include "trial/execute.h"
#include "trial/execution.h"

static const double look_seconds = 0.5; // between two looks at a hot device

// Counts are exact whatever goes on.
static bool matters(const struct execution *run)
{
    return run->request->collection != COLLECTION_COUNTS && run->device->ops->conditions;
}

static bool execute_conditions_look(struct execution *run, struct measured_conditions *conditions, struct error *error)
{
    const int32_t *others = &conditions->at.foreign_processes;
    if (!run->device->ops->conditions(run->device, &conditions->at, error))
        return false;
    conditions->known = true;
    if (*others <= 0 || run->request->policy.shared_device)
        return true;
    error_set(error, ERROR_FAILED, "%d other program%s used %s while it was measured", *others, *others == 1 ? "" : "s",
              run->properties->name);
    return error_remedy(error, "end them (nvidia-smi shows them), or allow them with --shared-device");
}

static void pause_for(double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// One that stays hot is measured all the same: its temperature is kept with what was measured.
bool execution_gate(struct execution *run, struct error *error)
{
    const struct policy *policy = &run->request->policy;
    struct measured_conditions *before = &run->measurement->before;
    if (!matters(run))
        return true;
    const double start = clock_seconds();
    if (!execute_conditions_look(run, before, error))
        return false;
    while (before->at.temperature > policy->max_temperature && run->measurement->gate_seconds < policy->gate_seconds) {
        const double left = policy->gate_seconds - run->measurement->gate_seconds;
        pause_for(left < look_seconds ? left : look_seconds);
        if (!execute_conditions_look(run, before, error))
            return false;
        run->measurement->gate_seconds = clock_seconds() - start;
    }
    return true;
}

bool execution_conditions_after(struct execution *run, struct error *error)
{
    return !matters(run) || execute_conditions_look(run, &run->measurement->after, error);
}
