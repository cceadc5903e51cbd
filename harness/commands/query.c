// SPDX-License-Identifier: MIT
#include <string.h>

#include "commands/shared.h"
#include "commands/text_table.h"
#include "report/claims/claims_tables.h"
#include "report/papers/paper_store.h"
#include "report/sweep/sweep_rows.h"

// A single word is the name of a view or table; anything else is SQL.
static bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == 0;
}

static bool query_read(struct store *store, const struct command_line *line, struct error *error)
{
    static const char everything[] = "SELECT name, kind, summary FROM catalogue ORDER BY kind DESC, name";
    const char *query = line->word_count ? line->words[0] : NULL;
    char statement[512];
    if (query && !claims_tables_load(store, query, error))
        return false;
    struct error no_sweep = {0}; // which matters only to a query that reads it, and so fails
    const bool loaded = !query || sweep_rows_load_if_named(store, query, &no_sweep);
    if (query)
        papers_load_if_any(store, query);
    if (query && is_name(query)) {
        if (!command_check_relation(store, query, error))
            return false;
        snprintf(statement, sizeof statement, "SELECT * FROM \"%.400s\"", query);
        query = statement;
    }
    const bool done = text_table_query(store, query ? query : everything, NULL,
                                       (enum text_format)command_choice(line, "format"), "no rows", error);
    if (!done && !loaded)
        *error = no_sweep;
    return done;
}

const struct command command_query = {
    .name = "query",
    .arguments = "[VIEW | SQL] [--format table|csv|json]",
    .summary = "prints a view of the database, or the result of a SELECT; without an argument, lists the views",
    .details =
        "  warpstudy query claims        the verdict on every claim of the papers\n"
        "  warpstudy query claim_cases   and the cases behind it\n"
        "  warpstudy query sweep         the latest run's settings, by what varies in them, with their measures\n\n"
        "Read-only: a statement that would write is refused. Tables show six digits, csv and json full precision.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {COMMAND_OPTION_FORMAT},
        },
    .most_words = 1,
    .read = query_read,
};
