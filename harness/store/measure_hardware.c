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
    sqlite3_stmt *insert = store_prepare(store, "INSERT INTO condition VALUES (?, ?, ?, ?, ?, ?, ?, ?)", error);
    store_bind_integer(insert, 1, attempt);
    store_bind_text(insert, 2, moment);
    store_bind_real(insert, 3, at->temperature);
    store_bind_real(insert, 4, at->power);
    store_bind_real(insert, 5, at->sm_mhz);
    store_bind_real(insert, 6, at->memory_mhz);
    store_bind_integer(insert, 7, at->throttle);
    if (at->foreign_processes >= 0)
        store_bind_integer(insert, 8, at->foreign_processes);
    return store_run(store, insert, error);
}

static bool add_metrics(struct store *store, int64_t attempt, const struct measurement *measurement,
                        struct error *error)
{
    for (size_t i = 0; i < measurement->metric_count; ++i) {
        const struct measured_metric *row = &measurement->metrics[i];
        int64_t metric;
        if (!store_name_id(store, STORE_METRICS, row->metric, &metric, error))
            return false;
        sqlite3_stmt *insert = store_prepare(store, "INSERT INTO metric_value VALUES (?, ?, ?, ?)", error);
        store_bind_integer(insert, 1, attempt);
        store_bind_integer(insert, 2, place(row->launch));
        store_bind_integer(insert, 3, metric);
        store_bind_real(insert, 4, row->value);
        if (!store_run(store, insert, error))
            return false;
    }
    return true;
}

static bool add_sites(struct store *store, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    for (size_t i = 0; i < measurement->site_count; ++i) {
        const struct measured_site *row = &measurement->sites[i];
        sqlite3_stmt *insert = store_prepare(store, "INSERT INTO site_count VALUES (?, ?, ?, ?, ?, ?)", error);
        store_bind_integer(insert, 1, attempt);
        store_bind_integer(insert, 2, place(row->launch));
        store_bind_integer(insert, 3, row->site);
        store_bind_integer(insert, 4, row->copies);
        store_bind_integer(insert, 5, (int64_t)row->instructions);
        store_bind_integer(insert, 6, (int64_t)row->thread_instructions);
        if (!store_run(store, insert, error))
            return false;
    }
    return true;
}

// Of a launch: by kernel and reason.
static bool add_stall(struct store *store, int64_t attempt, const struct measured_stall *row, int64_t kernel,
                      int64_t reason, struct error *error)
{
    sqlite3_stmt *insert = store_prepare(store,
                                         "INSERT INTO stall VALUES (?, ?, ?, ?, ?) "
                                         "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples",
                                         error);
    store_bind_integer(insert, 1, attempt);
    store_bind_integer(insert, 2, row->launch);
    store_bind_integer(insert, 3, kernel);
    store_bind_integer(insert, 4, reason);
    store_bind_integer(insert, 5, (int64_t)row->samples);
    return store_run(store, insert, error);
}

// Of the whole frame: by source line too.
static bool add_stall_line(struct store *store, int64_t attempt, const struct measured_stall *row, int64_t kernel,
                           int64_t reason, struct error *error)
{
    int64_t file;
    if (!store_name_id(store, STORE_FILES, row->file, &file, error))
        return false;
    sqlite3_stmt *insert = store_prepare(store,
                                         "INSERT INTO stall_line VALUES (?, ?, ?, ?, ?, ?) "
                                         "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples",
                                         error);
    store_bind_integer(insert, 1, attempt);
    store_bind_integer(insert, 2, kernel);
    store_bind_integer(insert, 3, file);
    store_bind_integer(insert, 4, row->line);
    store_bind_integer(insert, 5, reason);
    store_bind_integer(insert, 6, (int64_t)row->samples);
    return store_run(store, insert, error);
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
