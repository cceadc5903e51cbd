// SPDX-License-Identifier: MIT
#include "commands/shared.h"
#include "commands/text_table.h"

static const char runs_sql[] =
    "SELECT s.run, s.experiment, s.label, r.started, iif(r.reason = 'complete', r.reason, coalesce('continued by run ' "
    "|| "
    "(SELECT min(n.id) FROM run n JOIN experiment e ON e.id = n.experiment WHERE n.id > r.id AND e.name = s.experiment "
    "AND n.label = r.label), r.reason, 'running or killed')) AS state, "
    "sum(s.trials) AS executions, sum(s.done) AS done, sum(s.skipped) AS skipped, sum(s.failed + s.gave_up) AS failed, "
    "sum(s.due + s.running) AS left FROM status s JOIN run r ON r.id = s.run GROUP BY s.run ORDER BY s.run";

static const char troubles_sql[] =
    "SELECT status, collection, count(*) AS times, min(trial) AS first_trial, reason FROM "
    "(SELECT status, collection, trial, reason FROM failures WHERE NOT done_since "
    "UNION ALL SELECT 'skipped', collection, trial, reason FROM skips "
    "UNION ALL SELECT 'not begun', NULL, NULL, substr(r.reason, 13) FROM run r WHERE r.reason LIKE 'incomplete: %' "
    "AND NOT EXISTS (SELECT 1 FROM run n WHERE n.experiment = r.experiment AND n.id > r.id AND n.reason = 'complete')) "
    "GROUP BY status, collection, reason ORDER BY status, times DESC LIMIT 40";

static bool status_read(struct store *store, const struct command_line *line, struct error *error)
{
    const enum text_format format = (enum text_format)command_choice(line, "format");
    size_t troubles = 0;
    if (format != TEXT_TABLE)
        return text_table_query(store, runs_sql, NULL, format, "nothing has been run yet", NULL, error);
    printf("%s\n\n", store_path(store));
    if (!text_table_query(store, runs_sql, NULL, format, "nothing has been run yet", NULL, error))
        return false;
    putchar('\n');
    if (!text_table_query(store, troubles_sql, NULL, format, NULL, &troubles, error))
        return false;
    if (troubles)
        printf("\nwarpstudy show TRIAL gives the details; run --retry-failed tries failures again\n");
    return true;
}

const struct command command_status = {
    .name = "status",
    .arguments = "[OPTIONS]",
    .summary = "shows the progress of each run, and skips and failures with reasons",
    .options =
        {
            {COMMAND_OPTION_DB},
            {COMMAND_OPTION_FORMAT},
        },
    .read = status_read,
};
