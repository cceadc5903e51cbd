// SPDX-License-Identifier: MIT
#include "plan/experiment.h"
#include "store/attempt.h"
#include "views_support.h"

struct store *store;
struct experiment *experiment;
int64_t run;

int open_empty(void **state)
{
    static const char text[] = "name: t\nstudy: s\nfixed: {scene: open, variant: naive}\n";
    experiment = experiment_parse("try.yaml", text, sizeof text - 1, &why);
    store = store_open(NULL, STORE_MEMORY, &why);
    const struct run_header header = {.label = "one", .experiment = experiment_record(experiment)};
    need(experiment && store && store_begin_run(store, &header, &run, &why));
    return 0;
}

int close_all(void **state)
{
    store_close(store);
    experiment_free(experiment);
    return 0;
}

bool take_row(void *context, const struct store_row *row)
{
    char *text = context;
    size_t used = 0;
    for (size_t i = 0; i < row->count; ++i)
        used += (size_t)snprintf(text + used, 512 - used, "%s%s", i ? " " : "",
                                 row->values[i].type == STORE_NULL ? "-" : row->values[i].text);
    return false;
}

const char *first_row(const char *sql, const char *const *bindings)
{
    static char text[512];
    strcpy(text, "(no row)");
    need(store_query(store, sql, bindings, take_row, text, &why));
    return text;
}

void check(const char *sql, const char *wanted)
{
    const char *got = first_row(sql, NULL);
    if (strcmp(got, wanted))
        fail_msg("%s\n  wanted %s\n  got    %s", sql, wanted, got);
}

void finish(int64_t trial, struct measurement *measurement)
{
    int64_t attempt;
    snprintf(measurement->stop_reason, sizeof measurement->stop_reason, "fixed");
    measurement->warp_width = 32;
    need(store_begin_attempt(store, run, trial, measurement->collection, "", &attempt, &why));
    need(store_finish_attempt(store, attempt, measurement, &why));
}
