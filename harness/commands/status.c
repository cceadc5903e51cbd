// SPDX-License-Identifier: MIT
#include "commands/shared.h"
#include "commands/text_table.h"

// :held is 1 where a coordinator has the database: its runs are those after the last that ended or was another command.
static const char runs_sql[] =
    "SELECT s.run, s.experiment, s.label, r.started, iif(r.reason = 'complete', r.reason, coalesce('continued by run ' "
    "|| "
    "(SELECT min(n.id) FROM run n JOIN experiment e ON e.id = n.experiment WHERE n.id > r.id AND e.name = s.experiment "
    "AND n.label = r.label), r.reason, iif(live.id IS NULL, 'killed', 'running'))) AS state, "
    "sum(s.trials) AS executions, sum(s.done) AS done, sum(s.skipped) AS skipped, sum(s.failed + s.gave_up) AS failed, "
    "iif(r.reason LIKE '% before all was known', NULL, sum(s.due + s.running)) AS left, round(live.rate, 2) AS "
    "'per_minute', "
    "strftime('%Y-%m-%dT%H:%M:%SZ', julianday('now') + sum(s.due + s.running) / live.rate / 1440) AS expected_end "
    "FROM status s JOIN run r ON r.id = s.run LEFT JOIN (SELECT r.id, (SELECT nullif(max(count(*) / nullif(1440 * "
    "(julianday('now') - julianday(min(a.started))), 0), 0), 0) FROM attempt a WHERE a.run = r.id AND a.finished IS "
    "NOT NULL) "
    "AS rate FROM run r WHERE CAST(:held AS INTEGER) = 1 AND r.ended IS NULL AND r.id > (SELECT coalesce(max(o.id), 0) "
    "FROM run o "
    "WHERE o.ended IS NOT NULL OR o.command_line <> (SELECT command_line FROM run ORDER BY id DESC LIMIT 1))) live "
    "ON live.id = r.id GROUP BY s.run ORDER BY s.run";

static const char troubles_sql[] =
    "SELECT status, collection, count(*) AS times, min(trial) AS first_trial, reason FROM "
    "(SELECT status, collection, trial, reason FROM failures WHERE NOT done_since "
    "UNION ALL SELECT 'skipped', collection, trial, reason FROM skips "
    "UNION ALL SELECT 'not begun', NULL, NULL, substr(r.reason, 13) FROM run r WHERE r.reason LIKE 'incomplete: %' "
    "AND NOT EXISTS (SELECT 1 FROM run n WHERE n.experiment = r.experiment AND n.id > r.id AND n.reason = 'complete')) "
    "GROUP BY status, collection, reason ORDER BY status, times DESC";

enum { REASONS_MOST = 40 };
struct reasons {
    struct text_table table;
    size_t count;
};

static bool take_reason(void *context, const struct store_row *row)
{
    struct reasons *reasons = context;
    return ++reasons->count > REASONS_MOST || text_table_visit(&reasons->table, row);
}

static bool print_reasons(struct store *store, struct error *error)
{
    struct reasons reasons = {.count = 0};
    const bool done = store_query(store, troubles_sql, NULL, take_reason, &reasons, error);
    if (done && reasons.count)
        text_table_print(&reasons.table, TEXT_TABLE);
    text_table_finish(&reasons.table);
    if (reasons.count > REASONS_MOST)
        printf("and %zu more reasons; to see them: warpstudy query skips, warpstudy query failures\n",
               reasons.count - REASONS_MOST);
    if (done && reasons.count)
        printf("\nwarpstudy show TRIAL gives the details; run --retry-failed tries failures again\n");
    return done;
}

static bool status_read(struct store *store, const struct command_line *line, struct error *error)
{
    const enum text_format format = (enum text_format)command_choice(line, "format");
    const char *const bindings[] = {"held", store_is_run(store) ? "1" : "0", NULL};
    if (format != TEXT_TABLE)
        return text_table_query(store, runs_sql, bindings, format, "nothing has been run yet", error);
    printf("%s\n\n", store_path(store));
    if (!text_table_query(store, runs_sql, bindings, format, "nothing has been run yet", error))
        return false;
    putchar('\n');
    return print_reasons(store, error);
}

const struct command command_status = {
    .name = "status",
    .arguments = "[OPTIONS]",
    .summary = "shows the progress of each run, and skips and failures with reasons",
    .details =
        "A run that has not ended is running while its process holds the database, else it was killed. Of one that is\n"
        "running: executions per minute since it began, and when it will end at this rate.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {COMMAND_OPTION_FORMAT},
        },
    .read = status_read,
};
