// SPDX-License-Identifier: MIT
// Views and tables as CSV after RFC 4180, all of them or none.
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "commands/shared.h"
#include "commands/text_table.h"
#include "report/claims/claims_tables.h"
#include "report/papers/paper_store.h"
#include "report/staging.h"
#include "report/sweep/sweep_rows.h"

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
    for (size_t i = 1; i < line->word_count; ++i)
        for (size_t k = 0; k < i; ++k)
            if (!strcmp(line->words[i], line->words[k]))
                return error_set(error, ERROR_USE, "export: %s is named twice", line->words[i]);
    for (size_t i = 0; i < line->word_count; ++i)
        if (!command_check_relation(to->store, line->words[i], error) ||
            !claims_tables_load(to->store, line->words[i], error) ||
            !sweep_rows_load_if_named(to->store, line->words[i], error))
            return false;
    papers_load_if_any(to->store, NULL);
    for (size_t i = 0; i < line->word_count; ++i)
        if (!export_one(to, line->words[i], error))
            return false;
    return line->word_count || (store_query(to->store, "SELECT name FROM catalogue WHERE NOT step ORDER BY name", NULL,
                                            export_row, to, error) &&
                                to->done);
}

static const char *export_archive(const struct command_line *line)
{
    for (size_t i = 0; i < line->word_count; ++i)
        if (strstr(line->words[i], ".tar"))
            return line->words[i];
    return NULL;
}

// Nothing that is given is without effect.
static bool check_archive(const struct command_line *line, struct error *error)
{
    const char *verify = command_option(line, "verify");
    const bool listed = command_flag(line, "list") || command_flag(line, "output");
    if (verify && !verify[0])
        error_set(error, ERROR_USE, "export: --verify names no archive");
    else if (verify && (line->word_count || listed || command_flag(line, "db")))
        error_set(error, ERROR_USE, "export: --verify takes an archive and nothing else");
    else if (!verify && (line->word_count > 1 || listed))
        error_set(error, ERROR_USE, "export: an archive holds everything, and takes no names, --output or --list");
    else
        return true;
    return error_remedy(error, "usage: warpstudy export %s", line->command->arguments);
}

// Never returns where the script could be started: it is the process from then on.
static bool export_start(const struct command_line *line, struct error *error)
{
    char script[1200];
    const char *archive = export_archive(line), *verify = command_option(line, "verify");
    if (!path_format(script, sizeof script, error, "%s/scripts/artifact", path_data()))
        return false;
    // Names of files are UTF-8 in the database, whatever the locale says.
    const char *words[] = {"python3", "-X", "utf8", script, "/proc/self/exe", command_database(line), archive, NULL};
    enum { FIRST = 4 };
    char program[1000] = "";
    if (verify) {
        words[FIRST] = "--verify";
        words[FIRST + 1] = verify;
        words[FIRST + 2] = NULL;
    } else if (readlink("/proc/self/exe", program, sizeof program - 1) > 0)
        words[FIRST] = program;
    fflush(NULL);
    execvp(words[0], (char *const *)(uintptr_t)words);
    error_set_errno(error, "run", words[0]);
    return error_remedy(error, "install python3, which packs and checks archives");
}

static bool export_read(struct store *store, const struct command_line *line, struct error *error)
{
    const char *folder = command_option(line, "output");
    struct destination to = {.store = store, .error = error};
    if (command_flag(line, "list") && (line->word_count || folder)) {
        error_set(error, ERROR_USE, "export: --list names all views and tables, and takes no names or --output");
        return error_remedy(error, "leave out either --list or the rest");
    }
    if (command_flag(line, "list"))
        return text_table_query(store, list_sql, NULL, TEXT_TABLE, NULL, error);
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

static bool export_run(const struct command_line *line, struct error *error)
{
    if (export_archive(line) || command_option(line, "verify"))
        return check_archive(line, error) && export_start(line, error);
    struct store *store = command_open_store(line, STORE_READ, error);
    const bool done = store && export_read(store, line, error);
    store_close(store);
    return done;
}

const struct command command_export = {
    .name = "export",
    .arguments = "ARCHIVE.tar.xz | --verify ARCHIVE | [VIEW | TABLE]... --output DIR",
    .summary = "packs all results into one archive, or writes views and tables as CSV files",
    .details = "An archive (.tar.xz, .tar.gz or .tar) holds database, experiment files, report, a script that makes "
               "each figure\n"
               "again, and a manifest of SHA-256 hashes. --verify names what differs from the manifest; exit code 1.\n"
               "CSV as in RFC 4180, with full precision; empty fields were not measured.\n"
               "Either all files are written, or none.",
    .options =
        {
            {COMMAND_OPTION_DB},
            {"output", "DIR", "folder for the files NAME.csv; created if missing", 'o'},
            {"list", NULL, "lists the views and tables, and which are exported by default", 'l'},
            {"verify", "ARCHIVE", "checks an archive against its manifest", 0},
        },
    .most_words = COMMAND_VALUES,
    .run = export_run,
};
