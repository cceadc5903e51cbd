// SPDX-License-Identifier: MIT
#include <string.h>

#include "commands/shared.h"
#include "commands/text_table.h"
#include "report/claims_tables.h"
#include "report/paper_store.h"

// A single word is the name of a view or table; anything else is SQL.
static bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == 0;
}

static bool run(const struct command_line *line, struct error *error)
{
    enum text_format format;
    if (!text_format_parse(command_option(line, "format"), &format, error))
        return false;
    struct store *store = command_open_store(line, STORE_READ, error);
    if (!store)
        return false;
    papers_load_if_any(store);
    static const char views[] = "SELECT name AS view FROM sqlite_schema WHERE type = 'view' ORDER BY name";
    char statement[512];
    const char *sql = line->word_count ? line->words[0] : views;
    if (line->word_count && is_name(sql) && strlen(sql) < 400) {
        snprintf(statement, sizeof statement, "SELECT * FROM \"%s\"", sql);
        sql = statement;
    }
    const bool done =
        claims_tables_load(store, sql, error) && text_table_query(store, sql, NULL, format, "no rows", NULL, error);
    store_close(store);
    return done;
}

static const struct command_option options[] = {COMMAND_OPTION_DB, COMMAND_OPTION_FORMAT, COMMAND_OPTIONS_END};

const struct command command_query = {
    .name = "query",
    .arguments = "[VIEW | SQL] [--format table|csv|json]",
    .summary = "prints a view of the database, or what a SELECT finds; alone it lists the views",
    .details = "  warpstudy query claims        what became of every claim of the papers\n"
               "  warpstudy query claim_cases   and the cases behind it",
    .options = options,
    .most_words = 1,
    .run = run,
};
