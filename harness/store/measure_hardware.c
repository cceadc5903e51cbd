// SPDX-License-Identifier: MIT
// The rows of a measurement that only a device with counters and sensors has.
#include "store/store_internal.h"

static int64_t place(uint32_t launch)
{
    return launch == MEASURED_FRAME ? -1 : (int64_t)launch;
}

static bool add_condition(struct store *store, int64_t attempt, const char *moment,
                          const struct measured_conditions *conditions, struct error *error)
{
    const struct device_conditions *at = &conditions->at;
    if (!conditions->known)
        return true;
    return store_run(store,
                     store_with(store, error, "INSERT INTO condition VALUES (?, ?, ?, ?, ?, ?, ?, ?)", INTEGER(attempt),
                                TEXT(moment), REAL(at->temperature), REAL(at->power), REAL(at->sm_mhz),
                                REAL(at->memory_mhz), INTEGER(at->throttle),
                                INTEGER_IF(at->foreign_processes >= 0, at->foreign_processes)),
                     error);
}

static bool add_metrics(struct store *store, int64_t attempt, const struct measurement *measurement,
                        struct error *error)
{
    for (size_t i = 0; i < measurement->metric_count; ++i) {
        const struct measured_metric *row = &measurement->metrics[i];
        int64_t metric;
        if (!store_name_id(store, STORE_METRICS, row->metric, &metric, error))
            return false;
        if (!store_run(store,
                       store_with(store, error, "INSERT INTO metric_value VALUES (?, ?, ?, ?)", INTEGER(attempt),
                                  INTEGER(place(row->launch)), INTEGER(metric), REAL(row->value)),
                       error))
            return false;
    }
    return true;
}

static bool add_sites(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    for (size_t i = 0; i < measurement->site_count; ++i) {
        const struct measured_site *row = &measurement->sites[i];
        if (!store_run(store,
                       store_with(store, error, "INSERT INTO site_count VALUES (?, ?, ?, ?, ?, ?)", INTEGER(attempt),
                                  INTEGER(place(row->launch)), INTEGER(row->site), INTEGER(row->copies),
                                  INTEGER(row->instructions), INTEGER(row->thread_instructions)),
                       error))
            return false;
    }
    return true;
}

// Of a launch: by kernel and reason.
static bool add_stall(struct store *store, int64_t attempt, const struct measured_stall *row, int64_t kernel,
                      int64_t reason, struct error *error)
{
    return store_run(store,
                     store_with(store, error,
                                "INSERT INTO stall VALUES (?, ?, ?, ?, ?) "
                                "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples",
                                INTEGER(attempt), INTEGER(row->launch), INTEGER(kernel), INTEGER(reason),
                                INTEGER(row->samples)),
                     error);
}

// Of the whole frame: by source line too.
static bool add_stall_line(struct store *store, int64_t attempt, const struct measured_stall *row, int64_t kernel,
                           int64_t reason, struct error *error)
{
    int64_t file;
    if (!store_name_id(store, STORE_FILES, row->file, &file, error))
        return false;
    return store_run(store,
                     store_with(store, error,
                                "INSERT INTO stall_line VALUES (?, ?, ?, ?, ?, ?) "
                                "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples",
                                INTEGER(attempt), INTEGER(kernel), INTEGER(file), INTEGER(row->line), INTEGER(reason),
                                INTEGER(row->samples)),
                     error);
}

static bool add_stalls(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    for (size_t i = 0; i < measurement->stall_count; ++i) {
        const struct measured_stall *row = &measurement->stalls[i];
        int64_t kernel, reason;
        if (!store_name_id(store, STORE_KERNELS, row->kernel, &kernel, error) ||
            !store_name_id(store, STORE_REASONS, row->reason, &reason, error) ||
            !(row->launch == MEASURED_FRAME ? add_stall_line(store, attempt, row, kernel, reason, error)
                                            : add_stall(store, attempt, row, kernel, reason, error)))
            return false;
    }
    return true;
}

bool store_hardware(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    return add_condition(store, attempt, "before", &measurement->before, error) &&
           add_condition(store, attempt, "after", &measurement->after, error) &&
           add_metrics(store, attempt, measurement, error) && add_sites(store, attempt, measurement, error) &&
           add_stalls(store, attempt, measurement, error);
}
