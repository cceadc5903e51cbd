// SPDX-License-Identifier: MIT
// Views and tables as CSV after RFC 4180, all of them or none.
#include <string.h>

#include "commands/shared.h"
#include "commands/text_table.h"
#include "report/claims/claims_tables.h"
#include "report/papers/paper_store.h"
#include "report/staging.h"

static const char list_sql[] = "SELECT name, kind, iif(step, 'when named', 'yes') AS exported, summary FROM catalogue "
                               "ORDER BY kind DESC, name";

struct destination {
    struct store *store;
    struct staging staging;
    struct error *error;
    bool done;
};

static bool take_text(void *context, const struct store_row *row)
{
    snprintf(context, 4096, "%s", row->values[0].text ? row->values[0].text : "");
    return true;
}

static bool print_row(void *stream, const struct store_row *row)
{
    text_csv_row(row, stream);
    return !ferror(stream);
}

// A view without rows has columns, too.
static bool export_one(struct destination *to, const char *name, struct error *error)
{
    static const char head_sql[] = "SELECT group_concat(name, ',') FROM pragma_table_info(:name)";
    char select[200], head[4096] = "", file[128];
    const char *const bindings[] = {"name", name, NULL};
    snprintf(file, sizeof file, "%.100s.csv", name);
    snprintf(select, sizeof select, "SELECT * FROM \"%.100s\"", name);
    if (!store_query(to->store, head_sql, bindings, take_text, head, error))
        return false;
    FILE *stream = staging_open(&to->staging, file, error);
    if (!stream)
        return false;
    fprintf(stream, "%s\r\n", head);
    const bool done = store_query(to->store, select, NULL, print_row, stream, error);
    return staging_close(&to->staging, stream, done ? error : NULL) && done;
}

static bool export_row(void *context, const struct store_row *row)
{
    struct destination *to = context;
    return to->done = export_one(to, row->values[0].text, to->error);
}

static bool export_all(struct destination *to, const struct command_line *line, struct error *error)
{
    to->done = true;
    for (size_t i = 0; i < line->word_count; ++i)
        if (!command_check_relation(to->store, line->words[i], error) ||
            !claims_tables_load(to->store, line->words[i], error))
            return false;
    papers_load_if_any(to->store, NULL);
    for (size_t i = 0; i < line->word_count; ++i)
        if (!export_one(to, line->words[i], error))
            return false;
    return line->word_count || (store_query(to->store, "SELECT name FROM catalogue WHERE NOT step ORDER BY name", NULL,
                                            export_row, to, error) &&
                                to->done);
}

static bool export_read(struct store *store, const struct command_line *line, struct error *error)
{
    const char *folder = command_option(line, "output");
    struct destination to = {.store = store, .error = error};
    if (command_flag(line, "list"))
        return text_table_query(store, list_sql, NULL, TEXT_TABLE, NULL, NULL, error);
    if (!folder) {
        error_set(error, ERROR_USE, "export: --output is missing");
        return error_remedy(error, "usage: warpstudy export %s", line->command->arguments);
    }
    const bool done =
        staging_begin(&to.staging, folder, error) && export_all(&to, line, error) && staging_commit(&to.staging, error);
    if (done)
        printf("%zu files in %s\n", to.staging.count, folder);
    staging_abandon(&to.staging);
    return done;
}

const struct command command_export = {
    .name = "export",
    .arguments = "[VIEW | TABLE]... --output DIR",
    .summary = "writes views and tables as CSV files",
    .details = "CSV as in RFC 4180, with full precision; empty fields were not measured.\n"
               "Either all files are written, or none.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {"output", "DIR", "folder for the files NAME.csv; created if missing", 'o'},
            {"list", NULL, "lists the views and tables, and which are exported by default", 'l'},
        },
    .most_words = COMMAND_VALUES,
    .read = export_read,
};
