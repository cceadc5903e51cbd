// SPDX-License-Identifier: MIT
#include <string.h>
#include <sys/stat.h>

#include "commands/shared.h"
#include "commands/text_table.h"
#include "store/merge.h"

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool check_inputs(const struct command_line *line, const char *into, struct error *error)
{
    for (size_t i = 0; i < line->word_count; ++i) {
        if (same_file(line->words[i], into)) {
            error_set(error, ERROR_USE, "merge: %s is to be merged into itself", line->words[i]);
            return error_remedy(error, "give --into another file, or leave this one out");
        }
        for (size_t j = 0; j < i; ++j)
            if (same_file(line->words[i], line->words[j])) {
                error_set(error, ERROR_USE, "merge: %s is given twice", line->words[i]);
                return error_remedy(error, "give each database once");
            }
    }
    return true;
}

static bool merge_file(struct store *target, const char *path, struct text_table *table, struct error *error)
{
    struct merge_counts counts;
    struct store *source = store_open(path, STORE_READ, error);
    const bool done = source && store_merge(target, source, &counts, error);
    store_close(source);
    if (!done)
        return false;
    text_table_add(table, "%s\t%lld\t%lld\t%lld\t%lld\t%lld", path, (long long)counts.runs, (long long)counts.trials,
                   (long long)counts.attempts, (long long)counts.second, (long long)counts.known);
    return true;
}

static bool merge_all(struct store *target, const struct command_line *line, struct text_table *table,
                      struct error *error)
{
    if (!store_lock(target, error) || !store_merge_begin(target, error))
        return false;
    for (size_t i = 0; i < line->word_count; ++i)
        if (!merge_file(target, line->words[i], table, error))
            return false;
    if (!store_merge_end(target, error) || !store_keep(target, error))
        return false;
    text_table_print(table, TEXT_TABLE);
    return true;
}

static bool count_visit(void *context, const struct store_row *row)
{
    *(int64_t *)context = row->values[0].integer;
    return true;
}

static bool report_conflicts(struct store *target, struct error *error)
{
    int64_t different = 0;
    if (!text_table_query(target, "SELECT * FROM temp.merge_conflict ORDER BY conflict, source", NULL, TEXT_TABLE, NULL,
                          error) ||
        !store_query(target, "SELECT count(*) FROM temp.merge_conflict WHERE conflict LIKE '%different%'", NULL,
                     count_visit, &different, error))
        return false;
    if (!different)
        return true;
    error_set(error, ERROR_FAILED, "everything was merged, but results of the same work differ");
    return error_remedy(error, "see warpstudy query \"SELECT * FROM verification WHERE agree = 0\" --db %s",
                        store_path(target));
}

static bool merge_run(const struct command_line *line, struct error *error)
{
    const char *into = command_option(line, "into");
    if (!into) {
        error_set(error, ERROR_USE, "merge: --into is missing");
        return error_remedy(error, "usage: warpstudy merge %s", line->command->arguments);
    }
    if (!check_inputs(line, into, error))
        return false;
    struct text_table table = {0};
    struct store *target = store_open(into, STORE_WRITE, error);
    text_table_add(&table, "database\truns\ttrials\tattempts\tcopies\tknown");
    const bool done = target && merge_all(target, line, &table, error) && report_conflicts(target, error);
    text_table_finish(&table);
    store_close(target);
    return done;
}

const struct command command_merge = {
    .name = "merge",
    .arguments = "FILE... --into FILE",
    .summary = "merges databases, such as those of several machines, into one",
    .details =
        "Either all are added, or none. A trial measured by two databases is kept twice, with its origin;\n"
        "merging a database again adds what is new. Among equal trials those merged last are current.\n"
        "Conflicts are listed.\n\n"
        "Exit codes: 0 done, 1 merged, but equal work gave different images or counts, 2 wrong usage or database.",
    .options =
        {
            {"into", "FILE", "database to merge into; created if missing", 0},
        },
    .least_words = 1,
    .most_words = COMMAND_VALUES,
    .run = merge_run,
};
