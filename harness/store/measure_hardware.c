// SPDX-License-Identifier: MIT
// The rows of a measurement that only a device with counters and sensors has.
#include "store/measure_hardware.h"

#include "sql/statement.h"
#include "store/rows.h"

static bool add_condition(struct sql *db, int64_t attempt, const char *moment,
                          const struct measured_conditions *conditions, struct error *error)
{
    const struct device_conditions *at = &conditions->at;
    return !conditions->known ||
           sql_do(db, error, "INSERT INTO condition VALUES (?, ?, ?, ?, ?, ?, ?, ?)", INTEGER(attempt), TEXT(moment),
                  REAL(at->temperature), REAL(at->power), REAL(at->sm_mhz), REAL(at->memory_mhz), INTEGER(at->throttle),
                  INTEGER_IF(at->foreign_processes >= 0, at->foreign_processes));
}

static bool add_metric(struct sql *db, int64_t attempt, const struct measured_metric *row, struct error *error)
{
    int64_t metric;
    return store_name_id(db, STORE_METRICS, row->metric, &metric, error) &&
           sql_do(db, error, "INSERT INTO metric_value VALUES (?, ?, ?, ?)", INTEGER(attempt),
                  INTEGER(store_place(row->launch)), INTEGER(metric), REAL(row->value));
}

static bool add_site(struct sql *db, int64_t attempt, const struct measured_site *row, struct error *error)
{
    return sql_do(db, error, "INSERT INTO site_count VALUES (?, ?, ?, ?, ?, ?)", INTEGER(attempt),
                  INTEGER(store_place(row->launch)), INTEGER(row->site), INTEGER(row->copies),
                  INTEGER(row->instructions), INTEGER(row->thread_instructions));
}

// Of a launch by kernel and reason; of the whole frame by source line too.
static bool add_stall(struct sql *db, int64_t attempt, const struct measured_stall *row, struct error *error)
{
    int64_t kernel, reason, file;
    if (!store_name_id(db, STORE_KERNELS, row->kernel, &kernel, error) ||
        !store_name_id(db, STORE_REASONS, row->reason, &reason, error))
        return false;
    if (row->launch != MEASURED_FRAME)
        return sql_do(db, error,
                      "INSERT INTO stall VALUES (?, ?, ?, ?, ?) "
                      "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples",
                      INTEGER(attempt), INTEGER(row->launch), INTEGER(kernel), INTEGER(reason), INTEGER(row->samples));
    return store_name_id(db, STORE_FILES, row->file, &file, error) &&
           sql_do(db, error,
                  "INSERT INTO stall_line VALUES (?, ?, ?, ?, ?, ?) "
                  "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples",
                  INTEGER(attempt), INTEGER(kernel), INTEGER(file), INTEGER(row->line), INTEGER(reason),
                  INTEGER(row->samples));
}

static bool add_sample(struct sql *db, int64_t attempt, size_t number, const struct measured_sample *row,
                       struct error *error)
{
    const struct device_timeline_sample *sums = &row->sums;
    return sql_do(db, error, "INSERT INTO timeline_sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  INTEGER(attempt), INTEGER(number), INTEGER(row->window), INTEGER(row->start),
                  INTEGER(row->end - row->start), INTEGER(sums->cycles), INTEGER(sums->active_cycles),
                  INTEGER(sums->instructions), INTEGER(sums->thread_instructions), INTEGER(sums->warp_cycles),
                  INTEGER(sums->least_warp_cycles), INTEGER(sums->most_warp_cycles), INTEGER(sums->dram_bytes));
}

static bool add_span(struct sql *db, int64_t attempt, const struct measured_span *row, struct error *error)
{
    return sql_do(db, error, "INSERT INTO timeline_launch VALUES (?, ?, ?, ?, ?)", INTEGER(attempt),
                  INTEGER(row->start), INTEGER(row->launch), INTEGER(row->window), INTEGER(row->end - row->start));
}

bool store_hardware(struct sql *db, int64_t attempt, const struct measurement *measurement, struct error *error)
{
    bool done = add_condition(db, attempt, "before", &measurement->before, error) &&
                add_condition(db, attempt, "after", &measurement->after, error);
    for (size_t i = 0; done && i < measurement->metric_count; ++i)
        done = add_metric(db, attempt, &measurement->metrics[i], error);
    for (size_t i = 0; done && i < measurement->site_count; ++i)
        done = add_site(db, attempt, &measurement->sites[i], error);
    for (size_t i = 0; done && i < measurement->stall_count; ++i)
        done = add_stall(db, attempt, &measurement->stalls[i], error);
    for (size_t i = 0; done && i < measurement->sample_count; ++i)
        done = add_sample(db, attempt, i, &measurement->samples[i], error);
    for (size_t i = 0; done && i < measurement->span_count; ++i)
        done = add_span(db, attempt, &measurement->spans[i], error);
    return done;
}
