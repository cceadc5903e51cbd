// SPDX-License-Identifier: MIT
#include "commands/shared.h"
#include "commands/text_table.h"

// What a run asked for, and the best that came of each execution in any run.
#define WANTED                                                                                                         \
    "WITH kinds (bit, name) AS (VALUES (0, 'counts'), (1, 'frame'), (2, 'launches'), (3, 'counters'), (4, 'stalls')), "  \
    "wanted AS (SELECT t.run, t.trial, k.name AS collection FROM run_trial t JOIN kinds k ON t.collections >> k.bit & 1), " \
    "best AS (SELECT trial, collection, max(status = 'done') AS done, max(status = 'skipped') AS skipped, "              \
    "max(status IN ('failed', 'killed', 'timeout')) AS failed, max(status = 'running') AS running "                      \
    "FROM attempt WHERE NOT superseded GROUP BY trial, collection) "

static const char runs_sql[] =
    WANTED
    "SELECT r.id AS run, e.name AS experiment, r.label, r.started, "
    "coalesce(r.reason, 'running or killed') AS state, count(w.trial) AS executions, "
    "coalesce(sum(b.done), 0) AS done, coalesce(sum(b.skipped AND NOT b.done), 0) AS skipped, "
    "coalesce(sum(b.failed AND NOT b.done), 0) AS failed, "
    "count(w.trial) - coalesce(sum(b.done OR b.skipped OR b.failed), 0) AS left "
    "FROM run r JOIN experiment e ON e.id = r.experiment LEFT JOIN wanted w ON w.run = r.id "
    "LEFT JOIN best b ON b.trial = w.trial AND b.collection = w.collection "
    "GROUP BY r.id ORDER BY r.id";

static const char troubles_sql[] =
    "SELECT a.status, a.collection, count(*) AS times, min(a.trial) AS first_trial, a.reason FROM attempt a "
    "WHERE a.status IN ('failed', 'killed', 'timeout', 'skipped') AND NOT a.superseded AND NOT EXISTS "
    "(SELECT 1 FROM attempt d WHERE d.trial = a.trial AND d.collection = a.collection AND d.status = 'done') "
    "GROUP BY a.status, a.collection, a.reason ORDER BY a.status, times DESC LIMIT 40";

static bool run(const struct command_line *line, struct error *error)
{
    enum text_format format;
    if (!text_format_parse(command_option(line, "format"), &format, error))
        return false;
    struct store *store = command_open_store(line, STORE_READ, error);
    if (!store)
        return false;
    size_t troubles = 0;
    if (format == TEXT_TABLE)
        printf("%s\n\n", store_path(store));
    bool done = text_table_query(store, runs_sql, NULL, format, "nothing was run yet", NULL, error);
    if (done && format == TEXT_TABLE) {
        putchar('\n');
        done = text_table_query(store, troubles_sql, NULL, format, NULL, &troubles, error);
        if (done && troubles)
            printf("\nwarpstudy show TRIAL explains one; run --retry-failed tries failures again\n");
    }
    store_close(store);
    return done;
}

static const struct command_option options[] = {COMMAND_OPTION_DB, COMMAND_OPTION_FORMAT, COMMAND_OPTIONS_END};

const struct command command_status = {
    .name = "status",
    .arguments = "[OPTIONS]",
    .summary = "how far each run is, and what was skipped or failed and why",
    .options = options,
    .run = run,
};
